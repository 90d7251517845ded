// The product, rounded once wherever it is fused.
// @use zero_noise
fn element(i: u32, lane: u32) -> f32 {
    return zn_mul(src_at(i, lane), params.scale);
}
