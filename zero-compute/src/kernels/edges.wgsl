// The points of the side that starts at each vertex slot, the lower first. A side from a point to itself, or of a point
// that is none, is no side.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    low[i] = 0xffffffffu;
    high[i] = 0xffffffffu;
    reversed[i] = 0;
    side[i] = 0;
    if (i >= zero_live()) {
        return;
    }
    let to = next[i];
    if (to < 0 || u32(to) >= zero_live()) {
        return;
    }
    let p = points[i];
    let q = points[u32(to)];
    if (p >= 0 && q >= 0 && p != q) {
        low[i] = u32(min(p, q));
        high[i] = u32(max(p, q));
        reversed[i] = select(0, 1, p > q);
        side[i] = 1;
    }
}
