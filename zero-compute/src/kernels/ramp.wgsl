@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i < zero_live()) {
        dst[i] = params.start + bitcast<i32>(i) * params.step;
    } else {
        dst[i] = -1;
    }
}
