// Value noise; the twin of noise/value.rs.

fn zn_units(h: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(zn_unit(h.x), zn_unit(h.y), zn_unit(h.z), zn_unit(h.w));
}

fn zn_value_bounded(value: f32) -> f32 {
    return zn_clamp(value, 0.0, 1.0 - ZN_UNIT);
}

fn zn_value_slope(value: f32) -> f32 {
    return zn_clean(zn_clamp(value, -ZN_VALUE_SLOPE, ZN_VALUE_SLOPE));
}

fn zn_value2_at(state: u32, x: ZnAxis, y: ZnAxis) -> f32 {
    let corners = zn_units(zn_corners2(state, x, y));
    return zn_value_bounded(zn_blend2(corners, zn_fade(x.inside), zn_fade(y.inside)));
}

fn zn_value3_at(state: u32, x: ZnAxis, y: ZnAxis, z: ZnAxis) -> f32 {
    let columns = zn_columns3(state, x, y);
    let u = zn_fade(x.inside);
    let v = zn_fade(y.inside);
    let near = zn_blend2(zn_units(zn_layer3(columns, z.cell)), u, v);
    let far = zn_blend2(zn_units(zn_layer3(columns, z.next)), u, v);
    return zn_value_bounded(zn_lerp(near, far, zn_fade(z.inside)));
}

fn zn_value2(seed: u32, x: f32, y: f32) -> f32 {
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    return zn_value2_at(state, zn_axis(zn_coordinate(x)), zn_axis(zn_coordinate(y)));
}

fn zn_value3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    return zn_value3_at(state, zn_axis(zn_coordinate(x)), zn_axis(zn_coordinate(y)), zn_axis(zn_coordinate(z)));
}

fn zn_value2_tiled(seed: u32, x: f32, y: f32, periods: vec2<u32>) -> f32 {
    return zn_value2_at(
        zn_fold_u32(ZN_FNV_OFFSET, seed),
        zn_axis_tiled(zn_coordinate(x), zn_period(periods.x)),
        zn_axis_tiled(zn_coordinate(y), zn_period(periods.y)),
    );
}

fn zn_value3_tiled(seed: u32, x: f32, y: f32, z: f32, periods: vec3<u32>) -> f32 {
    return zn_value3_at(
        zn_fold_u32(ZN_FNV_OFFSET, seed),
        zn_axis_tiled(zn_coordinate(x), zn_period(periods.x)),
        zn_axis_tiled(zn_coordinate(y), zn_period(periods.y)),
        zn_axis_tiled(zn_coordinate(z), zn_period(periods.z)),
    );
}

// The differences along x of the two rows of a square.
fn zn_rises(c: vec4<f32>) -> vec2<f32> {
    return vec2<f32>(zn_keep(c.y - c.x), zn_keep(c.w - c.z));
}

fn zn_value2_slope(seed: u32, x_any: f32, y_any: f32) -> vec3<f32> {
    let x = zn_axis(zn_coordinate(x_any));
    let y = zn_axis(zn_coordinate(y_any));
    let c = zn_units(zn_corners2(zn_fold_u32(ZN_FNV_OFFSET, seed), x, y));
    let u = zn_fade(x.inside);
    let v = zn_fade(y.inside);
    let bottom = zn_lerp(c.x, c.y, u);
    let top = zn_lerp(c.z, c.w, u);
    let rises = zn_rises(c);
    let dx = zn_mul(zn_fade_slope(x.inside), zn_lerp(rises.x, rises.y, v));
    let dy = zn_mul(zn_fade_slope(y.inside), zn_keep(top - bottom));
    return vec3<f32>(zn_value_bounded(zn_lerp(bottom, top, v)), zn_value_slope(dx), zn_value_slope(dy));
}

fn zn_value3_slope(seed: u32, x_any: f32, y_any: f32, z_any: f32) -> vec4<f32> {
    let x = zn_axis(zn_coordinate(x_any));
    let y = zn_axis(zn_coordinate(y_any));
    let z = zn_axis(zn_coordinate(z_any));
    let columns = zn_columns3(zn_fold_u32(ZN_FNV_OFFSET, seed), x, y);
    let layers = zn_layers(
        zn_units(zn_layer3(columns, z.cell)),
        zn_units(zn_layer3(columns, z.next)),
        vec3<f32>(zn_fade(x.inside), zn_fade(y.inside), zn_fade(z.inside)),
    );
    return vec4<f32>(
        zn_value_bounded(layers.x),
        zn_value_slope(zn_mul(zn_fade_slope(x.inside), layers.y)),
        zn_value_slope(zn_mul(zn_fade_slope(y.inside), layers.z)),
        zn_value_slope(zn_mul(zn_fade_slope(z.inside), layers.w)),
    );
}

// What stands at the corners of a cube, blended, and the blended differences along x, y and z.
fn zn_layers(near: vec4<f32>, far: vec4<f32>, fades: vec3<f32>) -> vec4<f32> {
    let bottom_near = zn_lerp(near.x, near.y, fades.x);
    let top_near = zn_lerp(near.z, near.w, fades.x);
    let bottom_far = zn_lerp(far.x, far.y, fades.x);
    let top_far = zn_lerp(far.z, far.w, fades.x);
    let low = zn_lerp(bottom_near, top_near, fades.y);
    let high = zn_lerp(bottom_far, top_far, fades.y);
    let rises_near = zn_rises(near);
    let rises_far = zn_rises(far);
    let along_x = zn_lerp(
        zn_lerp(rises_near.x, rises_near.y, fades.y),
        zn_lerp(rises_far.x, rises_far.y, fades.y),
        fades.z,
    );
    let along_y = zn_lerp(zn_keep(top_near - bottom_near), zn_keep(top_far - bottom_far), fades.z);
    return vec4<f32>(zn_lerp(low, high, fades.z), along_x, along_y, zn_keep(high - low));
}
