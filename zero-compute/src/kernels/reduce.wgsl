// A fold in two passes: blocks of 1024 elements to one partial each, then the partials to one value in the same order.

@compute @workgroup_size(256)
fn partials(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let live = zero_live();
    for (var lane = 0u; lane < params.src_lanes; lane += 1u) {
        let value = fold_block(block, live, lane, thread);
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
