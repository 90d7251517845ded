// Marks the sides, in their order, that join other points than the side before.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    flag[i] = 0;
    if (i >= zero_live()) {
        return;
    }
    if (i == 0u) {
        flag[i] = 1;
        return;
    }
    let own = u32(order[i]);
    let before = u32(order[i - 1u]);
    flag[i] = select(0, 1, low[own] != low[before] || high[own] != high[before]);
}
