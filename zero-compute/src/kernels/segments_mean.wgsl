// The mean of each run from its sum and its length.
// @use zero_noise
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var length = 0u;
    if (i < zero_live()) {
        var to = params.count;
        if (i + 1u < arrayLength(&offsets)) {
            to = min(offsets[i + 1u], params.count);
        }
        length = to - min(offsets[i], to);
    }
    for (var lane = 0u; lane < params.sum_lanes; lane += 1u) {
        let at = i * params.sum_lanes + lane;
        dst[at] = zn_div(sum[at], f32(length));
    }
}
