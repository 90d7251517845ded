// Folds the smallest or greatest key that arrived into the float that stands.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    for (var lane = 0u; lane < params.dst_lanes; lane += 1u) {
        let at = i * params.dst_lanes + lane;
        // @when OP min
        dst[at] = from_key(min(to_key(dst[at]), arrived[at]));
        // @end
        // @when OP max
        dst[at] = from_key(max(to_key(dst[at]), arrived[at]));
        // @end
    }
}
