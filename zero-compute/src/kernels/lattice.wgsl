// The xor with a run-time zero keeps a device from fusing the product into the sum that follows.
fn product(a: f32, b: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(a * b) ^ params.zero_zero);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let x = i % params.count_x;
    let y = (i / params.count_x) % params.count_y;
    let z = i / (params.count_x * params.count_y);
    dst[i * 3u] = params.origin_x + product(params.spacing_x, f32(x));
    dst[i * 3u + 1u] = params.origin_y + product(params.spacing_y, f32(y));
    dst[i * 3u + 2u] = params.origin_z + product(params.spacing_z, f32(z));
}
