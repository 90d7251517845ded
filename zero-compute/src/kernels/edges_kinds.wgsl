// What the number of sides along an edge says of it.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let along = fcount[i];
    let is_edge = i < zero_live() && along > 0;
    open[i] = select(0, 1, is_edge && along == 1);
    manifold[i] = select(0, 1, is_edge && along <= 2);
}
