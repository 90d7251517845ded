fn element(i: u32, lane: u32) -> i32 {
    return params.start + bitcast<i32>(i) * params.step;
}
