// Value noise where the coordinates are, scaled.
// @use zero_noise
fn element(i: u32, lane: u32) -> f32 {
    let x = zn_mul(coords_at(i, 0u), params.freq);
    let y = zn_mul(coords_at(i, 1u), params.freq);
    return zn_value2(bitcast<u32>(params.seed), x, y);
}
