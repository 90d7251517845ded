// A float in fixed point: rounded half up to a whole number of units of 2^-bits, held inside i32. The scale is a
// power of two, so its product is exact and a fused multiply-add cannot change it.
fn enter(value: f32) -> i32 {
    let units = clamp(value * params.scale, -2147483520.0, 2147483520.0);
    let whole = floor(units);
    return i32(whole) + select(0, 1, units - whole >= 0.5);
}
