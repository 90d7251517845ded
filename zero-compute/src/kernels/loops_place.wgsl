// The list of each edge and its place in it, from how far it is from the end.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    ring[i] = -1;
    pos[i] = 0;
    if (i >= zero_live()) {
        return;
    }
    let own = ring_of_end[u32(root[i])];
    ring[i] = own;
    pos[i] = length[u32(own)] - 1 - rank[i];
}
