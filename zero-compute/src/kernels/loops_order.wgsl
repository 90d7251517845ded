// The edges list after list, each in the order of its walk: slots that are no edge's are cleared, then edges are placed.
@compute @workgroup_size(256)
fn clear(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        order[i] = -1;
    }
}

@compute @workgroup_size(256)
fn place(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i < zero_live()) {
        order[starts[u32(ring[i])] + u32(pos[i])] = i32(i);
    }
}
