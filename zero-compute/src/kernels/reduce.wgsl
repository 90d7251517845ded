// A fold in two passes: blocks of 1024 elements to one partial each, then the partials to one value. The order
// is fixed: a thread folds every 256th value from first to last, then halves are folded onto each other.
// Sums of floats add what is loaded and do nothing else with it, so that a driver has no product to fuse and no
// difference to cancel: they need no barrier.
// Minimum and maximum compare order keys, so that the sign of a zero never depends on the device.

// @when OP sum
alias K = T;
fn identity() -> K { return T(0); }
fn enter(value: T) -> K { return value; }
fn leave(value: K) -> T { return value; }
fn fold(a: K, b: K) -> K { return a + b; }
// @end
// @when OP min
alias K = u32;
fn identity() -> K { return GREATEST_KEY; }
fn enter(value: T) -> K { return to_key(value); }
fn leave(value: K) -> T { return from_key(value); }
fn fold(a: K, b: K) -> K { return min(a, b); }
// @end
// @when OP max
alias K = u32;
fn identity() -> K { return LEAST_KEY; }
fn enter(value: T) -> K { return to_key(value); }
fn leave(value: K) -> T { return from_key(value); }
fn fold(a: K, b: K) -> K { return max(a, b); }
// @end

var<workgroup> wg_fold: array<K, 256>;

fn fold_group(thread: u32, own: K) -> K {
    wg_fold[thread] = own;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if (thread < half) {
            wg_fold[thread] = fold(wg_fold[thread], wg_fold[thread + half]);
        }
        workgroupBarrier();
    }
    let value = wg_fold[0];
    workgroupBarrier();
    return value;
}

@compute @workgroup_size(256)
fn partials(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let live = zero_live();
    for (var lane = 0u; lane < params.src_lanes; lane += 1u) {
        var own = identity();
        for (var k = 0u; k < 4u; k += 1u) {
            let i = block * 1024u + k * 256u + thread;
            if (i < live) {
                own = fold(own, enter(src[i * params.src_lanes + lane]));
            }
        }
        let value = fold_group(thread, own);
        if (thread == 0u && block < (zero_n() + 1023u) / 1024u) {
            blocks[block * params.src_lanes + lane] = leave(value);
        }
    }
}

@compute @workgroup_size(256)
fn finish(@builtin(local_invocation_index) thread: u32) {
    let count = (zero_n() + 1023u) / 1024u;
    for (var lane = 0u; lane < params.src_lanes; lane += 1u) {
        var own = identity();
        for (var block = thread; block < count; block += 256u) {
            own = fold(own, enter(blocks[block * params.src_lanes + lane]));
        }
        let value = fold_group(thread, own);
        if (thread == 0u) {
            dst[lane] = leave(value);
        }
    }
}
