// A place with a winner takes the winner's lanes; the others stand.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let won = winner[i];
    if (won > 0u) {
        for (var lane = 0u; lane < params.dst_lanes; lane += 1u) {
            dst[i * params.dst_lanes + lane] = src[(won - 1u) * params.src_lanes + lane];
        }
    }
}
