// Counts the elements that are not zero, block by block, and answers the question asked of the count.

@compute @workgroup_size(256)
fn partials(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    let counted = count_block(block, zero_live(), thread);
    if (thread == 0u && block < (zero_n() + 1023u) / 1024u) {
        blocks[block] = counted;
    }
}

@compute @workgroup_size(256)
fn finish(@builtin(local_invocation_index) thread: u32) {
    let count = (zero_n() + 1023u) / 1024u;
    var own = 0u;
    for (var block = thread; block < count; block += 256u) {
        own += blocks[block];
    }
    atomicAdd(&wg_count, own);
    workgroupBarrier();
    if (thread == 0u) {
        let counted = atomicLoad(&wg_count);
        // @when OP count
        dst[0] = counted;
        // @end
        // @when OP any
        dst[0] = select(0u, 1u, counted > 0u);
        // @end
        // @when OP all
        dst[0] = select(0u, 1u, counted == zero_live());
        // @end
    }
}
