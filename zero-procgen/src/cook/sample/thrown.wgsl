// How many samples there are: all of them, or none where no face can be chosen.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    if (zero_index(gid, nw) == 0u) {
        thrown[0] = select(params.count, 0u, total[0] == 0u);
    }
}
