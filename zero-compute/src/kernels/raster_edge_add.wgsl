// Adds a block of one tile's units to another's.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let cell = cell_of_block(i);
    for (var lane = 0u; lane < params.src_lanes; lane += 1u) {
        let units = src[cell.source * params.src_lanes + lane];
        if (units != 0) {
            atomicAdd(&dst[cell.place * params.src_lanes + lane], units);
        }
    }
}
