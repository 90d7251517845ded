// Copies some lanes of each element of src into some lanes of each element of dst; the others stand.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    for (var lane = 0u; lane < params.lanes; lane += 1u) {
        var value = T(0);
        if (i < zero_live()) {
            value = src[i * params.src_lanes + params.src_lane + lane];
        }
        dst[i * params.dst_lanes + params.dst_lane + lane] = value;
    }
}
