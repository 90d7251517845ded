// The fold of each block of 1024 elements, of which runs are put together.
@compute @workgroup_size(256)
fn fold_blocks(
    @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) nw: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = zero_group(wid, nw);
    for (var lane = 0u; lane < params.src_lanes; lane += 1u) {
        let value = fold_block(block, zero_live(), lane, thread);
        if (thread == 0u && block < (zero_n() + 1023u) / 1024u) {
            blocks[block * params.src_lanes + lane] = leave(value);
        }
    }
}
