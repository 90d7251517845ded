// Counts the primitives whose boxes overlap each box.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var found = 0u;
    begin_walk(i);
    while (zero_next_leaf() != ZERO_NO_LEAF) {
        found += 1u;
    }
    written[i] = found;
    visited[i] = zero_visits;
}
