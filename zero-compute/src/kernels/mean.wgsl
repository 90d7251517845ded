// The mean of a column from its sum and its count.
// @use zero_noise
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let elements = f32(min(count[0], params.capacity));
    for (var lane = 0u; lane < params.sum_lanes; lane += 1u) {
        let at = i * params.sum_lanes + lane;
        dst[at] = zn_div(sum[at], elements);
    }
}
