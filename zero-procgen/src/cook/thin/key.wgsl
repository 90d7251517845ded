// Each point's bucket in the upper bits of its key, its rank in the lower ones.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var key = 0u;
    if (i < zero_live()) {
        let low = (1u << (32u - params.bits)) - 1u;
        let at = vec3<f32>(places[i * 3u], places[i * 3u + 1u], places[i * 3u + 2u]);
        key = (spread(cell_of(at)) & ~low) | (rank_of(ids[i]) >> params.bits);
    }
    keys[i] = key;
}
