// Gradient noise; the twin of noise/gradient.rs.

// Flips the sign of a * b by the highest bit of `sign`.
fn zn_signed_product(a: f32, b: f32, sign: u32) -> f32 {
    return bitcast<f32>(bitcast<u32>(zn_mul(a, b)) ^ (sign & 0x80000000u));
}

fn zn_ramp2(hash: u32, x: f32, y: f32) -> f32 {
    let swap = (hash & 0x20000000u) != 0u;
    let long = select(x, y, swap);
    let short = select(y, x, swap);
    return zn_signed_product(long, ZN_OCTAGON_LONG, hash) + zn_signed_product(short, ZN_OCTAGON_SHORT, hash << 1u);
}

fn zn_ramp3(hash: u32, x: f32, y: f32, z: f32) -> f32 {
    let plane = ((hash & 0xffffu) * 3u) >> 16u;
    let long = select(select(z, y, plane == 1u), x, plane == 0u);
    let short = select(select(x, z, plane == 1u), y, plane == 0u);
    return zn_signed_product(long, ZN_ICOSAHEDRON_LONG, hash)
        + zn_signed_product(short, ZN_ICOSAHEDRON_SHORT, hash << 1u);
}

// The direction that zn_ramp2 reads from a hash.
fn zn_direction2(hash: u32) -> vec2<f32> {
    let long = bitcast<f32>(bitcast<u32>(ZN_OCTAGON_LONG) ^ (hash & 0x80000000u));
    let short = bitcast<f32>(bitcast<u32>(ZN_OCTAGON_SHORT) ^ ((hash << 1u) & 0x80000000u));
    return select(vec2<f32>(long, short), vec2<f32>(short, long), (hash & 0x20000000u) != 0u);
}

// The direction that zn_ramp3 reads from a hash.
fn zn_direction3(hash: u32) -> vec3<f32> {
    let long = bitcast<f32>(bitcast<u32>(ZN_ICOSAHEDRON_LONG) ^ (hash & 0x80000000u));
    let short = bitcast<f32>(bitcast<u32>(ZN_ICOSAHEDRON_SHORT) ^ ((hash << 1u) & 0x80000000u));
    let plane = ((hash & 0xffffu) * 3u) >> 16u;
    let other = select(vec3<f32>(short, 0.0, long), vec3<f32>(0.0, long, short), plane == 1u);
    return select(other, vec3<f32>(long, short, 0.0), plane == 0u);
}

fn zn_gradient_bounded(value: f32) -> f32 {
    return zn_settled(zn_clamp(value, -1.0, 1.0));
}

fn zn_gradient_slope(value: f32) -> f32 {
    return zn_clean(zn_clamp(value, -ZN_GRADIENT_SLOPE, ZN_GRADIENT_SLOPE));
}

fn zn_ramps2(h: vec4<u32>, left: f32, bottom: f32) -> vec4<f32> {
    let right = left - 1.0;
    let top = bottom - 1.0;
    return vec4<f32>(
        zn_ramp2(h.x, left, bottom),
        zn_ramp2(h.y, right, bottom),
        zn_ramp2(h.z, left, top),
        zn_ramp2(h.w, right, top),
    );
}

fn zn_ramps3(h: vec4<u32>, left: f32, bottom: f32, z: f32) -> vec4<f32> {
    let right = left - 1.0;
    let top = bottom - 1.0;
    return vec4<f32>(
        zn_ramp3(h.x, left, bottom, z),
        zn_ramp3(h.y, right, bottom, z),
        zn_ramp3(h.z, left, top, z),
        zn_ramp3(h.w, right, top, z),
    );
}

// From a hash state, as the octaves of the fractal noises call it.
fn zn_gradient2_at(state: u32, x: ZnAxis, y: ZnAxis) -> f32 {
    let ramps = zn_ramps2(zn_corners2(state, x, y), x.inside, y.inside);
    return zn_gradient_bounded(zn_blend2(ramps, zn_fade(x.inside), zn_fade(y.inside)));
}

fn zn_gradient3_at(state: u32, x: ZnAxis, y: ZnAxis, z: ZnAxis) -> f32 {
    let columns = zn_columns3(state, x, y);
    let u = zn_fade(x.inside);
    let v = zn_fade(y.inside);
    let near = zn_blend2(zn_ramps3(zn_layer3(columns, z.cell), x.inside, y.inside, z.inside), u, v);
    let far = zn_blend2(zn_ramps3(zn_layer3(columns, z.next), x.inside, y.inside, z.inside - 1.0), u, v);
    return zn_gradient_bounded(zn_lerp(near, far, zn_fade(z.inside)));
}

fn zn_gradient2_slope_at(state: u32, x: ZnAxis, y: ZnAxis) -> vec3<f32> {
    let h = zn_corners2(state, x, y);
    let ramps = zn_ramps2(h, x.inside, y.inside);
    let u = zn_fade(x.inside);
    let v = zn_fade(y.inside);
    let bottom = zn_lerp(ramps.x, ramps.y, u);
    let top = zn_lerp(ramps.z, ramps.w, u);
    let rises = zn_rises(ramps);
    let a = zn_direction2(h.x);
    let b = zn_direction2(h.y);
    let c = zn_direction2(h.z);
    let d = zn_direction2(h.w);
    let mean_x = zn_blend2(vec4<f32>(a.x, b.x, c.x, d.x), u, v);
    let mean_y = zn_blend2(vec4<f32>(a.y, b.y, c.y, d.y), u, v);
    let dx = zn_keep(mean_x + zn_mul(zn_fade_slope(x.inside), zn_lerp(rises.x, rises.y, v)));
    let dy = zn_keep(mean_y + zn_mul(zn_fade_slope(y.inside), zn_keep(top - bottom)));
    return vec3<f32>(zn_gradient_bounded(zn_lerp(bottom, top, v)), zn_gradient_slope(dx), zn_gradient_slope(dy));
}

// The directions of a square's corners, blended.
fn zn_mean_direction3(h: vec4<u32>, u: f32, v: f32) -> vec3<f32> {
    let a = zn_direction3(h.x);
    let b = zn_direction3(h.y);
    let c = zn_direction3(h.z);
    let d = zn_direction3(h.w);
    return vec3<f32>(
        zn_blend2(vec4<f32>(a.x, b.x, c.x, d.x), u, v),
        zn_blend2(vec4<f32>(a.y, b.y, c.y, d.y), u, v),
        zn_blend2(vec4<f32>(a.z, b.z, c.z, d.z), u, v),
    );
}

fn zn_gradient3_slope_at(state: u32, x: ZnAxis, y: ZnAxis, z: ZnAxis) -> vec4<f32> {
    let columns = zn_columns3(state, x, y);
    let near = zn_layer3(columns, z.cell);
    let far = zn_layer3(columns, z.next);
    let fades = vec3<f32>(zn_fade(x.inside), zn_fade(y.inside), zn_fade(z.inside));
    let layers = zn_layers(
        zn_ramps3(near, x.inside, y.inside, z.inside),
        zn_ramps3(far, x.inside, y.inside, z.inside - 1.0),
        fades,
    );
    let low = zn_mean_direction3(near, fades.x, fades.y);
    let high = zn_mean_direction3(far, fades.x, fades.y);
    let mean_x = zn_lerp(low.x, high.x, fades.z);
    let mean_y = zn_lerp(low.y, high.y, fades.z);
    let mean_z = zn_lerp(low.z, high.z, fades.z);
    return vec4<f32>(
        zn_gradient_bounded(layers.x),
        zn_gradient_slope(zn_keep(mean_x + zn_mul(zn_fade_slope(x.inside), layers.y))),
        zn_gradient_slope(zn_keep(mean_y + zn_mul(zn_fade_slope(y.inside), layers.z))),
        zn_gradient_slope(zn_keep(mean_z + zn_mul(zn_fade_slope(z.inside), layers.w))),
    );
}

fn zn_gradient2(seed: u32, x: f32, y: f32) -> f32 {
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    return zn_gradient2_at(state, zn_axis(zn_coordinate(x)), zn_axis(zn_coordinate(y)));
}

fn zn_gradient2_slope(seed: u32, x: f32, y: f32) -> vec3<f32> {
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    return zn_gradient2_slope_at(state, zn_axis(zn_coordinate(x)), zn_axis(zn_coordinate(y)));
}

fn zn_gradient2_tiled(seed: u32, x: f32, y: f32, periods: vec2<u32>) -> f32 {
    return zn_gradient2_at(
        zn_fold_u32(ZN_FNV_OFFSET, seed),
        zn_axis_tiled(zn_coordinate(x), zn_period(periods.x)),
        zn_axis_tiled(zn_coordinate(y), zn_period(periods.y)),
    );
}

fn zn_gradient3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    return zn_gradient3_at(state, zn_axis(zn_coordinate(x)), zn_axis(zn_coordinate(y)), zn_axis(zn_coordinate(z)));
}

fn zn_gradient3_slope(seed: u32, x: f32, y: f32, z: f32) -> vec4<f32> {
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    return zn_gradient3_slope_at(state, zn_axis(zn_coordinate(x)), zn_axis(zn_coordinate(y)), zn_axis(zn_coordinate(z)));
}

fn zn_gradient3_tiled(seed: u32, x: f32, y: f32, z: f32, periods: vec3<u32>) -> f32 {
    return zn_gradient3_at(
        zn_fold_u32(ZN_FNV_OFFSET, seed),
        zn_axis_tiled(zn_coordinate(x), zn_period(periods.x)),
        zn_axis_tiled(zn_coordinate(y), zn_period(periods.y)),
        zn_axis_tiled(zn_coordinate(z), zn_period(periods.z)),
    );
}
