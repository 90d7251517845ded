// A word and its kind (0 for f32, 1 for i32, 2 for u32) as the number that it holds. The halves of an integer convert
// without rounding and their sum rounds once, to the nearest, as no conversion instruction has to. NaN is told by its
// bits.
fn zero_word_f32(word: vec2<u32>) -> f32 {
    switch (word.y) {
        case 1u: { return f32(bitcast<i32>(word.x) >> 16u) * 65536.0 + f32(word.x & 0xffffu); }
        case 2u: { return f32(word.x >> 16u) * 65536.0 + f32(word.x & 0xffffu); }
        default: { return bitcast<f32>(word.x); }
    }
}
fn zero_word_i32(word: vec2<u32>) -> i32 {
    if (word.y == 1u) { return bitcast<i32>(word.x); }
    if (word.y == 2u) { return bitcast<i32>(min(word.x, 0x7fffffffu)); }
    if ((word.x & 0x7fffffffu) > 0x7f800000u) { return 0; }
    let a = bitcast<f32>(word.x);
    return select(i32(clamp(a, -2147483648.0, 2147483520.0)), 2147483647, a >= 2147483648.0);
}
fn zero_word_u32(word: vec2<u32>) -> u32 {
    if (word.y == 1u) { return u32(max(bitcast<i32>(word.x), 0)); }
    if (word.y == 2u) { return word.x; }
    if ((word.x & 0x7fffffffu) > 0x7f800000u) { return 0u; }
    let a = bitcast<f32>(word.x);
    return select(u32(clamp(a, 0.0, 4294967040.0)), 4294967295u, a >= 4294967296.0);
}
