// The xor with a run-time zero keeps a device from fusing the product into the sum that follows.
fn product(a: f32, b: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(a * b) ^ params.zero_zero);
}

fn element(i: u32, lane: u32) -> f32 {
    if (lane == 0u) {
        return params.origin_x + product(params.spacing_x, f32(i % params.count_x));
    }
    let row = i / params.count_x;
    if (lane == 1u) {
        return params.origin_y + product(params.spacing_y, f32(row % params.count_y));
    }
    return params.origin_z + product(params.spacing_z, f32(row / params.count_y));
}
