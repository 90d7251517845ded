// Transcendentals, division and square root; the twin of math/.
//
// The including shader defines `fn zn_zero() -> u32`, which answers 0 read from a uniform. Drivers fuse a product into
// the sum that it feeds, and they take (a + b) - b for a; the xor with a zero that they cannot foresee keeps a value as
// it was rounded.

fn zn_keep(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ zn_zero());
}

fn zn_mul(a: f32, b: f32) -> f32 {
    return zn_keep(a * b);
}

fn zn_clean(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let exponent = bits & 0x7f800000u;
    let infinite = (bits & 0x80000000u) | 0x7f7fffffu;
    let special = select(0u, infinite, (bits & 0x7fffffffu) == 0x7f800000u);
    let finite = select(bits, special, exponent == 0x7f800000u);
    return bitcast<f32>(select(finite, 0u, exponent == 0u));
}

fn zn_clamp(x: f32, low: f32, high: f32) -> f32 {
    let y = select(x, low, x < low);
    return select(y, high, y > high);
}

// -x, but 0 of 0: drivers take 0 - x for -x, which is a negative zero then.
fn zn_negate(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return bitcast<f32>(select(bits ^ 0x80000000u, 0u, bits == 0u));
}

fn zn_with_sign(x: f32, sign: f32) -> f32 {
    return select(x, zn_negate(x), (sign < 0.0));
}

// A product and its rounding error: the products of halves are exact.
fn zn_two_product(a: f32, b: f32) -> vec2<f32> {
    let a_high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
    let b_high = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
    let a_low = a - a_high;
    let b_low = b - b_high;
    let product = zn_mul(a, b);
    let upper = zn_keep(zn_mul(a_high, b_high) - product);
    let middle = zn_keep(zn_keep(upper + zn_mul(a_high, b_low)) + zn_mul(a_low, b_high));
    return vec2<f32>(product, zn_keep(middle + zn_mul(a_low, b_low)));
}

// The device's quotient is an estimate; an integer remainder makes it the nearest float.
fn zn_div(a_any: f32, b_any: f32) -> f32 {
    let a = bitcast<u32>(zn_clean(a_any));
    let b = bitcast<u32>(zn_clean(b_any));
    if (a & 0x7fffffffu) == 0u || (b & 0x7fffffffu) == 0u {
        return 0.0;
    }
    let a_digits = (a & 0x007fffffu) | 0x00800000u;
    let b_digits = (b & 0x007fffffu) | 0x00800000u;
    let less = a_digits < b_digits;
    let shift = select(23u, 24u, less);
    let b_float = f32(b_digits);
    var q = i32(f32(a_digits) * select(8388608.0, 16777216.0, less) / b_float);
    // Wraps, but the difference itself is small.
    var rest = bitcast<i32>((a_digits << shift) - bitcast<u32>(q) * b_digits);
    let more = i32(floor(f32(rest) / b_float));
    q += more;
    rest -= more * i32(b_digits);
    if rest < 0 {
        q -= 1;
        rest += i32(b_digits);
    } else if rest >= i32(b_digits) {
        q += 1;
        rest -= i32(b_digits);
    }
    // A quotient of two floats is never halfway between two others.
    if 2 * rest > i32(b_digits) {
        q += 1;
    }
    let exponent = i32((a >> 23u) & 0xffu) - i32((b >> 23u) & 0xffu) + 127 - select(0, 1, less);
    let sign = (a ^ b) & 0x80000000u;
    if exponent > 254 {
        return bitcast<f32>(sign | 0x7f7fffffu);
    }
    if exponent < 1 {
        return 0.0;
    }
    let bits = (exponent << 23u) + (q - 0x00800000);
    if bits <= 0x00800000 {
        return 0.0;
    }
    return bitcast<f32>(sign | u32(min(bits, 0x7f7fffff)));
}

fn zn_recip(x: f32) -> f32 {
    return zn_div(1.0, x);
}

fn zn_sqrt(x_any: f32) -> f32 {
    let x = zn_clean(x_any);
    if x <= 0.0 {
        return 0.0;
    }
    let bits = bitcast<u32>(x);
    let exponent = i32(bits >> 23u) - 127;
    let digits = (bits & 0x007fffffu) | 0x00800000u;
    let odd = (exponent & 1) != 0;
    let shift = select(23u, 24u, odd);
    var root = i32(sqrt(f32(digits) * select(8388608.0, 16777216.0, odd)));
    var rest = bitcast<i32>((digits << shift) - bitcast<u32>(root * root));
    root += i32(floor(f32(rest) / f32(2 * root)));
    rest = bitcast<i32>((digits << shift) - bitcast<u32>(root * root));
    if rest < 0 {
        root -= 1;
        rest += 2 * root + 1;
    } else if rest > 2 * root {
        rest -= 2 * root + 1;
        root += 1;
    }
    if rest > root {
        root += 1;
    }
    return bitcast<f32>((((exponent >> 1u) + 127) << 23u) + (root - 0x00800000));
}

fn zn_fract(x_any: f32) -> f32 {
    let x = zn_clean(x_any);
    let rest = x - floor(x);
    return select(1.0 - ZN_UNIT, rest, rest < 1.0);
}

fn zn_modulo(a_any: f32, b_any: f32) -> f32 {
    let a = zn_clean(a_any);
    let b = zn_clean(b_any);
    if b == 0.0 {
        return 0.0;
    }
    let whole = floor(zn_div(a, b));
    let multiple = zn_clamp(zn_clean(zn_mul(whole, b)), -ZN_MAX, ZN_MAX);
    var rest = zn_clean(zn_clamp(zn_clean(a - multiple), -ZN_MAX, ZN_MAX));
    let below = select((rest > 0.0), (rest < 0.0), (b > 0.0));
    rest = select(rest, 0.0, below);
    let beyond = select((rest <= b), (rest >= b), (b > 0.0));
    return select(rest, zn_clean(bitcast<f32>(bitcast<u32>(b) - 1u)), beyond);
}

// A quadrant's number and what is left of the angle, as a float and its missing part.
struct ZnAngle {
    rest: f32,
    low: f32,
    quadrant: i32,
}

fn zn_reduce_small(x: f32) -> ZnAngle {
    let n = floor(zn_mul(x, ZN_TWO_OVER_PI) + 0.5);
    let exact = zn_keep(zn_keep(x - zn_mul(n, ZN_HALF_PI_1)) - zn_mul(n, ZN_HALF_PI_2));
    let third = zn_mul(n, ZN_HALF_PI_3);
    let partial = zn_keep(exact - third);
    let fourth = zn_mul(n, ZN_HALF_PI_4);
    let rest = zn_keep(partial - fourth);
    let low = zn_keep(zn_keep(exact - partial) - third) + zn_keep(zn_keep(partial - rest) - fourth);
    return ZnAngle(rest, low, i32(n));
}

fn zn_product_high(a: u32, b: u32) -> u32 {
    let a_high = a >> 16u;
    let a_low = a & 0xffffu;
    let b_high = b >> 16u;
    let b_low = b & 0xffffu;
    let middle = a_high * b_low + ((a_low * b_low) >> 16u);
    let other = a_low * b_high + (middle & 0xffffu);
    return a_high * b_high + (middle >> 16u) + (other >> 16u);
}

fn zn_reduce_large(x: f32) -> ZnAngle {
    var words = ZN_TWO_OVER_PI_WORDS;
    let bits = bitcast<u32>(x);
    let significand = (bits & 0x007fffffu) | 0x00800000u;
    let first = ((bits & 0x7f800000u) >> 23u) - 120u;
    let shift = first & 31u;
    var digits: array<u32, 3>;
    for (var i = 0u; i < 3u; i++) {
        let at = (first >> 5u) + i;
        let high = words[min(at, 7u)];
        let low = words[min(at + 1u, 7u)];
        // The lower word in two steps: a shift by all 32 places is not one.
        digits[i] = (high << shift) | ((low >> 1u) >> (31u - shift));
    }
    let low_1 = significand * digits[1];
    var low = low_1 + zn_product_high(significand, digits[2]);
    var high = significand * digits[0] + zn_product_high(significand, digits[1]) + select(0u, 1u, low < low_1);

    let quadrant = (high + 0x20000000u) >> 30u;
    high -= quadrant << 30u;
    let negative = high >= 0x80000000u;
    if negative {
        high = select(~high, 0u - high, low == 0u);
        low = 0u - low;
    }
    let zeros = clamp(countLeadingZeros(high), 2u, 31u);
    let leading = (high << zeros) | (low >> (32u - zeros));
    let scale = bitcast<f32>((105u - zeros) << 23u);
    let upper = f32(leading >> 8u) * scale;
    let lower = f32(leading & 0xffu) * (scale * 0.00390625);
    let lead = zn_two_product(upper, ZN_HALF_PI);
    let tail = lead.y + zn_keep(zn_mul(upper, ZN_HALF_PI_LOW) + zn_mul(lower, ZN_HALF_PI));
    let backward = x < 0.0;
    let sign = select(-1.0, 1.0, negative == backward);
    return ZnAngle(sign * lead.x, sign * tail, select(i32(quadrant), -i32(quadrant), backward));
}

fn zn_wave(angle: ZnAngle, turn: i32) -> f32 {
    let quadrant = angle.quadrant + turn;
    let rest = angle.rest;
    let square = zn_mul(rest, rest);
    let sines = ZN_SIN_0 + zn_mul(square, ZN_SIN_1 + zn_mul(square, ZN_SIN_2));
    let sine = rest + zn_keep(zn_mul(rest, zn_mul(square, sines)) + angle.low);
    let cosines = ZN_COS_0 + zn_mul(square, ZN_COS_1 + zn_mul(square, ZN_COS_2));
    let half = zn_mul(square, 0.5);
    let near = zn_keep(1.0 - half);
    let missing = zn_keep(zn_keep(1.0 - near) - half);
    let series = zn_keep(zn_mul(square, zn_mul(square, cosines)) - zn_mul(rest, angle.low));
    let cosine = near + zn_keep(missing + series);
    var value = select(cosine, sine, (quadrant & 1) == 0);
    value = select(zn_negate(value), value, (quadrant & 2) == 0);
    return zn_clamp(value, -1.0, 1.0);
}

fn zn_reduce(x: f32) -> ZnAngle {
    if abs(x) > ZN_ANGLE_LARGE {
        return zn_reduce_large(x);
    }
    return zn_reduce_small(x);
}

fn zn_sin(x: f32) -> f32 {
    return zn_wave(zn_reduce(zn_clean(x)), 0);
}

fn zn_cos(x: f32) -> f32 {
    return zn_wave(zn_reduce(zn_clean(x)), 1);
}

fn zn_atan2(y_any: f32, x_any: f32) -> f32 {
    let y = zn_clean(y_any);
    let x = zn_clean(x_any);
    let steep = abs(y) > abs(x);
    let q = zn_div(select(abs(y), abs(x), steep), select(abs(x), abs(y), steep));
    let w = zn_mul(q, q);
    var tail = ZN_ATAN_5 + zn_mul(w, ZN_ATAN_6 + zn_mul(w, ZN_ATAN_7 + zn_mul(w, ZN_ATAN_8)));
    tail = ZN_ATAN_2 + zn_mul(w, ZN_ATAN_3 + zn_mul(w, ZN_ATAN_4 + zn_mul(w, tail)));
    tail = ZN_ATAN_0 + zn_mul(w, ZN_ATAN_1 + zn_mul(w, tail));
    var angle = zn_keep(q + zn_mul(q, zn_mul(w, tail)));
    angle = select(angle, zn_keep(ZN_HALF_PI - zn_keep(angle - ZN_HALF_PI_LOW)), steep);
    angle = select(angle, ZN_PI - zn_keep(angle - ZN_PI_LOW), (x < 0.0));
    return zn_with_sign(angle, y);
}

fn zn_exp2_sum(x_any: f32, low: f32) -> f32 {
    let x = zn_clamp(x_any, -127.25, 128.25);
    let n = floor(zn_keep(x + 0.5));
    let f = zn_keep(x - n) + low;
    let tail = ZN_EXP2_2 + zn_mul(f, ZN_EXP2_3 + zn_mul(f, ZN_EXP2_4 + zn_mul(f, ZN_EXP2_5)));
    let value = 1.0 + zn_mul(f, ZN_EXP2_0 + zn_mul(f, ZN_EXP2_1 + zn_mul(f, tail)));
    let sum = bitcast<i32>(value) + (i32(n) << 23u);
    let bits = select(sum, 0, sum < 0x00800000);
    return bitcast<f32>(min(bits, 0x7f7fffff));
}

fn zn_exp2(x: f32) -> f32 {
    return zn_exp2_sum(zn_clean(x), 0.0);
}

fn zn_log2_parts(x: f32) -> vec2<f32> {
    let bits = bitcast<i32>(x);
    let exponent = (bits - 0x3f3504f3) >> 23u;
    let m = bitcast<f32>(bits - (exponent << 23u));
    let e = f32(exponent);
    let f = zn_keep(m - 1.0);
    let d = zn_keep(m + 1.0);
    let d_low = m - zn_keep(d - 1.0);
    let s = zn_div(f, d);
    let back = zn_two_product(s, d);
    let residue = zn_keep(zn_keep(f - back.x) - back.y) - zn_mul(s, d_low);
    let s_low = zn_mul(residue, 0.5 - zn_mul(0.5, s));
    let w = zn_mul(s, s);
    let series = zn_mul(w, ZN_LOG_0 + zn_mul(w, ZN_LOG_1 + zn_mul(w, ZN_LOG_2 + zn_mul(w, ZN_LOG_3))));
    let tail = s_low + zn_mul(s, series);
    let lead = zn_two_product(s, ZN_TWO_OVER_LN2);
    let low = zn_keep(lead.y + zn_keep(zn_mul(s, ZN_TWO_OVER_LN2_LOW) + zn_mul(tail, ZN_TWO_OVER_LN2)));
    let high = zn_keep(e + lead.x);
    let rest = zn_keep(zn_keep(lead.x - zn_keep(high - e)) + low);
    let sum = zn_keep(high + rest);
    return vec2<f32>(sum, rest - zn_keep(sum - high));
}

fn zn_log2(x_any: f32) -> f32 {
    let x = zn_clean(x_any);
    return zn_log2_parts(select(1.0, x, x > 0.0)).x;
}

fn zn_pow(a_any: f32, b_any: f32) -> f32 {
    let a = zn_clean(a_any);
    let b = zn_clean(b_any);
    let size = abs(a);
    let parts = zn_log2_parts(select(1.0, size, size > 0.0));
    let power = zn_clamp(b, -4294967296.0, 4294967296.0);
    let lead = zn_two_product(power, parts.x);
    let rest = zn_clamp(lead.y + zn_mul(power, parts.y), -6.0e-5, 6.0e-5);
    let value = zn_exp2_sum(lead.x, rest);
    let bounded = zn_clamp(b, -16777216.0, 16777216.0);
    let whole = floor(bounded);
    let integer = whole == bounded;
    let odd = integer && (whole - 2.0 * floor(0.5 * whole)) == 1.0;
    let negative = select(select(0.0, value, integer), zn_negate(value), odd);
    var result = select(value, negative, a < 0.0);
    result = select(result, 0.0, size == 0.0);
    return select(result, 1.0, b == 0.0);
}

fn zn_tanh(x_any: f32) -> f32 {
    let x = zn_clean(x_any);
    let size = zn_clamp(abs(x), 0.0, 10.0);
    let w = zn_mul(size, size);
    let tail = ZN_TANH_0 + zn_mul(w, ZN_TANH_1 + zn_mul(w, ZN_TANH_2 + zn_mul(w, ZN_TANH_3 + zn_mul(w, ZN_TANH_4))));
    let small = size + zn_mul(size, zn_mul(w, tail));
    let e = zn_exp2_sum(zn_mul(size, ZN_TWO_OVER_LN2), 0.0);
    let large = 1.0 - zn_div(2.0, e + 1.0);
    return zn_with_sign(select(large, small, size < ZN_TANH_SMALL), x);
}
