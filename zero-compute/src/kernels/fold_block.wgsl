// The fold of a block of 1024 elements by one workgroup. The order is fixed: a thread folds every 256th value from first to
// last, then halves are folded onto each other.
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

// One lane of the elements of a block that stand before `end`.
fn fold_block(block: u32, end: u32, lane: u32, thread: u32) -> K {
    var own = identity();
    for (var k = 0u; k < 4u; k += 1u) {
        let i = block * 1024u + k * 256u + thread;
        if (i < end) {
            own = fold(own, enter(src[i * params.src_lanes + lane]));
        }
    }
    return fold_group(thread, own);
}
