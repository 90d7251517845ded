// Chosen edges as the first side along each runs.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    source_from[i] = -1;
    source_to[i] = -1;
    if (i >= zero_live()) {
        return;
    }
    let edge = source[i];
    if (edge < 0 || u32(edge) >= params.capacity) {
        return;
    }
    let place = starts[u32(edge)];
    if (place < 0) {
        return;
    }
    let p = a[u32(edge)];
    let q = b[u32(edge)];
    let turned = reversed[u32(place)] != 0;
    source_from[i] = select(p, q, turned);
    source_to[i] = select(q, p, turned);
}
