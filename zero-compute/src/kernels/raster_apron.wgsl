// Copies a block of one tile into another.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let cell = cell_of_block(i);
    for (var lane = 0u; lane < params.lanes; lane += 1u) {
        dst[cell.place * params.lanes + lane] = src[cell.source * params.lanes + lane];
    }
}
