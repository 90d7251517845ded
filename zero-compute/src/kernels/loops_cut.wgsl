// Cuts each ring before its smallest edge. A list whose end leads on is a ring.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        head[i] = 0;
        cut[i] = i32(i);
        return;
    }
    let end = root[i];
    let after = next[i];
    if (next[u32(end)] == end) {
        head[i] = chain_head[i];
        cut[i] = after;
    } else {
        head[i] = select(0, 1, smallest[i] == i32(i));
        cut[i] = select(after, i32(i), after == smallest[i]);
    }
}
