// One invocation a run folds its parts from first to last, 32 values a round.
fn take_1(own: K, at: u32, lane: u32) -> K {
    return fold(own, enter(src[at * params.src_lanes + lane]));
}
fn take_4(own: K, at: u32, lane: u32) -> K {
    return take_1(take_1(take_1(take_1(own, at, lane), at + 1u, lane), at + 2u, lane), at + 3u, lane);
}
fn take_16(own: K, at: u32, lane: u32) -> K {
    return take_4(take_4(take_4(take_4(own, at, lane), at + 4u, lane), at + 8u, lane), at + 12u, lane);
}
fn take(before: K, part: vec2<u32>, lane: u32) -> K {
    var own = before;
    var at = part.x;
    for (; part.y - at >= 32u; at += 32u) {
        own = take_16(take_16(own, at, lane), at + 16u, lane);
    }
    for (; at < part.y; at += 1u) {
        own = take_1(own, at, lane);
    }
    return own;
}

fn join_1(own: K, block: u32, lane: u32) -> K {
    return fold(own, enter(blocks[block * params.src_lanes + lane]));
}
fn join_4(own: K, at: u32, lane: u32) -> K {
    return join_1(join_1(join_1(join_1(own, at, lane), at + 1u, lane), at + 2u, lane), at + 3u, lane);
}
fn join_16(own: K, at: u32, lane: u32) -> K {
    return join_4(join_4(join_4(join_4(own, at, lane), at + 4u, lane), at + 8u, lane), at + 12u, lane);
}
fn join(before: K, part: vec2<u32>, lane: u32) -> K {
    var own = before;
    var at = part.x;
    for (; part.y - at >= 32u; at += 32u) {
        own = join_16(join_16(own, at, lane), at + 16u, lane);
    }
    for (; at < part.y; at += 1u) {
        own = join_1(own, at, lane);
    }
    return own;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let lanes = params.src_lanes;
    let parts = run_parts(i, min(arrayLength(&src) / lanes, params.count));
    for (var lane = 0u; lane < lanes; lane += 1u) {
        var value = T(0);
        if (i < zero_live()) {
            let own = join(take(identity(), parts.head, lane), parts.blocks, lane);
            value = leave(take(own, parts.tail, lane));
        }
        dst[i * lanes + lane] = value;
    }
}
