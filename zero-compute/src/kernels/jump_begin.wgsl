// Parents that name no live element become the element itself, which makes it a root; the steps to a parent.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var to = i;
    if (i < zero_live()) {
        let own = parent[i];
        if (own >= 0 && u32(own) < zero_live()) {
            to = u32(own);
        }
    }
    parent_out[i] = i32(to);
    value_out[i] = select(1, 0, to == i);
}
