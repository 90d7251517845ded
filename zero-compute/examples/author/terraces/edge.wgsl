// How far up to the next terrace a place is that is `part` of the way along this one.
fn edge(part: f32) -> f32 {
    // @when EDGE hard
    return 0.0;
    // @end
    // @when EDGE soft
    let square = zn_mul(part, part);
    return zn_mul(square, square);
    // @end
}
