// Back in the points' own order: whether each stands. What is undecided after the last round falls.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    let to = order[i];
    if (to >= 0 && u32(to) < arrayLength(&stands)) {
        stands[to] = select(0, 1, state[i] == 1u);
    }
}
