// Triangle i joins the hub to side i of a ring of points.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let start = params.first + i;
    let to = params.first + (i + 1u) % params.ring;
    dst[i * 3u] = i32(params.hub);
    dst[i * 3u + 1u] = i32(start);
    dst[i * 3u + 2u] = i32(to);
}
