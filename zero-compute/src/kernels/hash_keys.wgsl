// The bucket of each point.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var key = 0u;
    if (i < zero_live()) {
        key = bucket_of(cell_of(vec3<f32>(points[i * 3u], points[i * 3u + 1u], points[i * 3u + 2u])));
    }
    keys[i] = key;
}
