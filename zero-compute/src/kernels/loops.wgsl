// The edge that follows each one, in two passes: nothing follows; then the edges that reach a point and those that leave
// it, both sorted by the point, are paired in their order.

fn first_reaching(point: i32) -> u32 {
    var low = 0u;
    var high = zero_live();
    while (low < high) {
        let middle = low + (high - low) / 2u;
        if (to_points[middle] < point) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

fn first_leaving(point: i32) -> u32 {
    var low = 0u;
    var high = zero_live();
    while (low < high) {
        let middle = low + (high - low) / 2u;
        if (from_points[middle] < point) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

@compute @workgroup_size(256)
fn clear(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    next[i] = i32(i);
    head[i] = select(0, 1, i < zero_live());
}

@compute @workgroup_size(256)
fn link(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        return;
    }
    let point = to_points[i];
    if (point < 0) {
        return;
    }
    let leaving = first_leaving(point) + (i - first_reaching(point));
    if (leaving < zero_live() && from_points[leaving] == point) {
        let before = to_edges[i];
        let after = from_edges[leaving];
        // An edge that follows itself is a ring of its own, and its head.
        if (before != after) {
            next[u32(before)] = after;
            head[u32(after)] = 0;
        }
    }
}
