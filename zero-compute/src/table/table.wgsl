fn NAME_columns() -> u32 { return NAME[0]; }
fn NAME_elements(slot: u32) -> u32 {
    let s = NAME_slot(slot);
    if (s >= NAME[0]) { return 0u; }
    return NAME[2u + 4u * s];
}
fn NAME_lanes(slot: u32) -> u32 {
    let s = NAME_slot(slot);
    if (s >= NAME[0]) { return 0u; }
    return NAME[3u + 4u * s];
}
fn NAME_word(slot: u32, i: u32, lane: u32) -> vec2<u32> {
    let s = NAME_slot(slot);
    if (s >= NAME[0]) { return vec2<u32>(0u, 0u); }
    let at = 1u + 4u * s;
    let n = NAME[at + 1u];
    let lanes = NAME[at + 2u];
    if (n == 0u || lane >= lanes) { return vec2<u32>(0u, 0u); }
    return vec2<u32>(NAME[NAME[at] + min(i, n - 1u) * lanes + lane], NAME[at + 3u]);
}
fn NAME_f32(slot: u32, i: u32, lane: u32) -> f32 { return zero_word_f32(NAME_word(slot, i, lane)); }
fn NAME_i32(slot: u32, i: u32, lane: u32) -> i32 { return zero_word_i32(NAME_word(slot, i, lane)); }
fn NAME_u32(slot: u32, i: u32, lane: u32) -> u32 { return zero_word_u32(NAME_word(slot, i, lane)); }
fn NAME_vec2(slot: u32, i: u32) -> vec2<f32> { return vec2<f32>(NAME_f32(slot, i, 0u), NAME_f32(slot, i, 1u)); }
fn NAME_vec3(slot: u32, i: u32) -> vec3<f32> { return vec3<f32>(NAME_vec2(slot, i), NAME_f32(slot, i, 2u)); }
fn NAME_vec4(slot: u32, i: u32) -> vec4<f32> { return vec4<f32>(NAME_vec3(slot, i), NAME_f32(slot, i, 3u)); }
