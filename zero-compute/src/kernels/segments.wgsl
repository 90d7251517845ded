// One invocation a segment folds its run of elements from first to last. Sums add what is loaded and do nothing else with
// it, so that a driver has no product to fuse and no difference to cancel: they need no barrier.

// @when OP sum
fn identity() -> T { return T(0); }
fn fold(a: T, b: T) -> T { return a + b; }
// @end
// @when OP min
fn identity() -> T { return from_key(GREATEST_KEY); }
fn fold(a: T, b: T) -> T { return from_key(min(to_key(a), to_key(b))); }
// @end
// @when OP max
fn identity() -> T { return from_key(LEAST_KEY); }
fn fold(a: T, b: T) -> T { return from_key(max(to_key(a), to_key(b))); }
// @end

// 64 elements a round, in their order.
fn fold_1(own: T, at: u32, lane: u32) -> T {
    return fold(own, src[at * params.src_lanes + lane]);
}
fn fold_4(own: T, at: u32, lane: u32) -> T {
    return fold_1(fold_1(fold_1(fold_1(own, at, lane), at + 1u, lane), at + 2u, lane), at + 3u, lane);
}
fn fold_16(own: T, at: u32, lane: u32) -> T {
    return fold_4(fold_4(fold_4(fold_4(own, at, lane), at + 4u, lane), at + 8u, lane), at + 12u, lane);
}
fn fold_64(own: T, at: u32, lane: u32) -> T {
    return fold_16(fold_16(fold_16(fold_16(own, at, lane), at + 16u, lane), at + 32u, lane), at + 48u, lane);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let lanes = params.src_lanes;
    var start = 0u;
    var to = 0u;
    if (i < zero_live()) {
        let count = min(arrayLength(&src) / lanes, params.count);
        to = count;
        if (i + 1u < arrayLength(&offsets)) {
            to = min(offsets[i + 1u], count);
        }
        start = min(offsets[i], to);
    }
    for (var lane = 0u; lane < lanes; lane += 1u) {
        if (i >= zero_live()) {
            dst[i * lanes + lane] = T(0);
            continue;
        }
        var own = identity();
        var at = start;
        for (; to - at >= 64u; at += 64u) {
            own = fold_64(own, at, lane);
        }
        for (; at < to; at += 1u) {
            own = fold_1(own, at, lane);
        }
        dst[i * lanes + lane] = own;
    }
}
