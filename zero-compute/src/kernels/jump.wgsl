// One round: twice as far up, with what lies on the way.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        parent_out[i] = i32(i);
        value_out[i] = 0;
        return;
    }
    let up = parent[i];
    parent_out[i] = parent[up];
    // @when OP rank
    value_out[i] = value[i] + value[up];
    // @end
    // @when OP min
    value_out[i] = min(value[i], value[up]);
    // @end
}
