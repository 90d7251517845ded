// Copies the words of cells.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let lanes = params.src_lanes;
    for (var lane = 0u; lane < lanes; lane += 1u) {
        dst[i * lanes + lane] = src[i * lanes + lane];
    }
}
