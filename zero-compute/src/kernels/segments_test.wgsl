// One invocation a segment counts the elements of its run that are not zero, and answers what is asked of the count.
// 64 elements a round.
fn set_1(at: u32) -> u32 {
    return select(0u, 1u, src[at] != T(0));
}
fn set_8(at: u32) -> u32 {
    let low = set_1(at) + set_1(at + 1u) + set_1(at + 2u) + set_1(at + 3u);
    return low + set_1(at + 4u) + set_1(at + 5u) + set_1(at + 6u) + set_1(at + 7u);
}
fn set_64(at: u32) -> u32 {
    let low = set_8(at) + set_8(at + 8u) + set_8(at + 16u) + set_8(at + 24u);
    return low + set_8(at + 32u) + set_8(at + 40u) + set_8(at + 48u) + set_8(at + 56u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        dst[i] = 0u;
        return;
    }
    let count = min(arrayLength(&src), params.count);
    var to = count;
    if (i + 1u < arrayLength(&offsets)) {
        to = min(offsets[i + 1u], count);
    }
    let start = min(offsets[i], to);
    var counted = 0u;
    var at = start;
    for (; to - at >= 64u; at += 64u) {
        counted += set_64(at);
    }
    for (; at < to; at += 1u) {
        counted += set_1(at);
    }
    // @when OP count
    dst[i] = counted;
    // @end
    // @when OP any
    dst[i] = select(0u, 1u, counted > 0u);
    // @end
    // @when OP all
    dst[i] = select(0u, 1u, counted == to - start);
    // @end
}
