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
        for (var at = start; at < to; at += 1u) {
            own = fold(own, src[at * lanes + lane]);
        }
        dst[i * lanes + lane] = own;
    }
}
