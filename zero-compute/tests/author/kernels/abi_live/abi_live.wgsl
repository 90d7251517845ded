@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    // @when COUNT device
    if (i >= min(domain_count_get(0u), zero_n())) {
        dst[i] = -1.0;
        return;
    }
    // @end
    dst[i] = src_get(i) * 2.0;
}
