// How many elements of each block of 1024 are not zero, of which the counts of runs are put together.
@compute @workgroup_size(256)
fn count_blocks(
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
