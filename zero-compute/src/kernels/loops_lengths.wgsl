// The number of edges of each list, and its number at its last edge, where all of its edges find it.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    length[i] = 0;
    if (i >= zero_live()) {
        return;
    }
    let first = u32(heads[i]);
    length[i] = rank[first] + 1;
    ring_of_end[u32(root[first])] = i32(i);
}
