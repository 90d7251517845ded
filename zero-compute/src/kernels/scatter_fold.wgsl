// Integers arrive at the places they name; any order gives the same bits.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    let to = index[i];
    let lanes = params.src_lanes;
    if (to < 0 || u32(to) >= arrayLength(&dst) / lanes) {
        return;
    }
    for (var lane = 0u; lane < lanes; lane += 1u) {
        let at = u32(to) * lanes + lane;
        arrive(at, enter(src[i * lanes + lane]));
    }
}
