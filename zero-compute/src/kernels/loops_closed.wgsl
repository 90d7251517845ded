// Whether the last edge of each list ends where its first begins.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    closed[i] = 0;
    if (i >= zero_live()) {
        return;
    }
    let first = u32(heads[i]);
    let begins = from_points[first];
    closed[i] = select(0, 1, begins >= 0 && to_points[u32(root[first])] == begins);
}
