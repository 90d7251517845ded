// The operators of a field that are more than one operator of WGSL. Functions, so that no operand is a constant
// expression that a compiler would refuse to divide by.

// Keeps a value as it was rounded: an xor with a zero that a driver cannot foresee. Drivers take (a + b) - b for a,
// a * b + a * c for a * (b + c) and (x * 2.5) * 0.7 for x * 1.75, and fuse a product into the sum that it feeds.
fn zf_keep(a: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(a) ^ params.zero_zero);
}

// Which sign a zero has differs between devices, so either is 0.
fn zf_bits_f32(a: f32) -> u32 {
    return select(bitcast<u32>(a), 0u, a == 0.0);
}

fn zf_sign_f32(a: f32) -> f32 {
    return select(select(0.0, 1.0, a > 0.0), -1.0, a < 0.0);
}

fn zf_min_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a < b);
}

fn zf_max_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

fn zf_fract(a: f32) -> f32 {
    let rest = a - floor(a);
    return select(bitcast<f32>(0x3f7fffffu), rest, rest < 1.0);
}

// Floats become integers by cutting, and stop at the ends; NaN, told by its bits, is 0.
fn zf_is_nan(a: f32) -> bool {
    return (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u;
}

fn zf_i32_from_f32(a: f32) -> i32 {
    let cut = i32(clamp(a, -2147483648.0, 2147483520.0));
    return select(select(cut, 2147483647, a >= 2147483648.0), 0, zf_is_nan(a));
}

fn zf_u32_from_f32(a: f32) -> u32 {
    let cut = u32(clamp(a, 0.0, 4294967040.0));
    return select(select(cut, 4294967295u, a >= 4294967296.0), 0u, zf_is_nan(a));
}

// The halves convert without rounding and the product is a power of two, so the one sum rounds, to the nearest, as
// no conversion instruction has to.
fn zf_exact_f32_from_i32(a: i32) -> f32 {
    return f32(a >> 16u) * 65536.0 + f32(a & 0xffff);
}

fn zf_exact_f32_from_u32(a: u32) -> f32 {
    return f32(a >> 16u) * 65536.0 + f32(a & 0xffffu);
}

fn zf_abs_i32(a: i32) -> i32 {
    return max(a, 0 - a);
}

// A divisor of 0 answers 0, and -1 negates with wrapping, so that no quotient overflows.
fn zf_div_i32(a: i32, b: i32) -> i32 {
    let plain = b == 0 || b == -1;
    let quotient = a / select(b, 1, plain);
    return select(quotient, select(0, 0 - a, b == -1), plain);
}

fn zf_mod_i32(a: i32, b: i32) -> i32 {
    let plain = b == 0 || b == -1;
    let rest = a % select(b, 1, plain);
    let other_sign = rest != 0 && (rest ^ b) < 0;
    return select(select(rest, rest + b, other_sign), 0, plain);
}

fn zf_div_u32(a: u32, b: u32) -> u32 {
    return select(a / select(b, 1u, b == 0u), 0u, b == 0u);
}

fn zf_mod_u32(a: u32, b: u32) -> u32 {
    return select(a % select(b, 1u, b == 0u), 0u, b == 0u);
}
