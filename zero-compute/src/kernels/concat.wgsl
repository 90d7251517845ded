// Lays the live elements of src into dst from element `at` plus `start` on; the others of dst stand.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    let lanes = params.src_lanes;
    let to = (params.at + start[0] + i) * lanes;
    for (var lane = 0u; lane < lanes; lane += 1u) {
        dst[to + lane] = src[i * lanes + lane];
    }
}
