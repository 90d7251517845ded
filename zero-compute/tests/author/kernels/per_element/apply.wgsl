fn applied(x: f32) -> f32 {
    // @when OP mul
    return zn_mul(x, params.by);
    // @end
    // @when OP add
    return x + params.by;
    // @end
}
