// Lattice noise; the twin of noise/.

fn zn_wrap(x: f32) -> f32 {
    let wrapped = x - floor(x * ZN_WRAP_INVERSE) * ZN_WRAP;
    return select(wrapped, x, abs(x) < ZN_WRAP);
}

// The way into a cell.
fn zn_inside(x: f32) -> f32 {
    return zn_keep(x - floor(x));
}

fn zn_coordinate(x_any: f32) -> f32 {
    let x = zn_wrap(zn_clean(x_any));
    return select(x, 0.0, abs(x) < ZN_TINY);
}

fn zn_fade(t: f32) -> f32 {
    return t * t * t * (10.0 + zn_mul(t, zn_mul(t, 6.0) - 15.0));
}

fn zn_lerp(a: f32, b: f32, t: f32) -> f32 {
    return zn_keep(a + zn_mul(t, zn_keep(b - a)));
}

// Corners in the order of zn_corners2.
fn zn_blend2(c: vec4<f32>, u: f32, v: f32) -> f32 {
    return zn_lerp(zn_lerp(c.x, c.y, u), zn_lerp(c.z, c.w, u), v);
}

// Finished hashes of a square's corners: (0,0), (1,0), (0,1), (1,1).
fn zn_corners2(state: u32, x: u32, y: u32) -> vec4<u32> {
    let left = zn_fold_u32(state, x);
    let right = zn_fold_u32(state, x + 1u);
    return vec4<u32>(
        zn_finish(zn_fold_u32(left, y)),
        zn_finish(zn_fold_u32(right, y)),
        zn_finish(zn_fold_u32(left, y + 1u)),
        zn_finish(zn_fold_u32(right, y + 1u)),
    );
}

// Hash states of the four edges along z, in the same order.
fn zn_columns3(state: u32, x: u32, y: u32) -> vec4<u32> {
    let left = zn_fold_u32(state, x);
    let right = zn_fold_u32(state, x + 1u);
    return vec4<u32>(
        zn_fold_u32(left, y),
        zn_fold_u32(right, y),
        zn_fold_u32(left, y + 1u),
        zn_fold_u32(right, y + 1u),
    );
}

fn zn_layer3(columns: vec4<u32>, z: u32) -> vec4<u32> {
    return vec4<u32>(
        zn_finish(zn_fold_u32(columns.x, z)),
        zn_finish(zn_fold_u32(columns.y, z)),
        zn_finish(zn_fold_u32(columns.z, z)),
        zn_finish(zn_fold_u32(columns.w, z)),
    );
}

fn zn_units(h: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(zn_unit(h.x), zn_unit(h.y), zn_unit(h.z), zn_unit(h.w));
}

fn zn_value2(seed: u32, x_any: f32, y_any: f32) -> f32 {
    let x = zn_coordinate(x_any);
    let y = zn_coordinate(y_any);
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    let corners = zn_units(zn_corners2(state, u32(i32(floor(x))), u32(i32(floor(y)))));
    let value = zn_blend2(corners, zn_fade(zn_inside(x)), zn_fade(zn_inside(y)));
    return zn_clamp(value, 0.0, 1.0 - ZN_UNIT);
}

fn zn_value3(seed: u32, x_any: f32, y_any: f32, z_any: f32) -> f32 {
    let x = zn_coordinate(x_any);
    let y = zn_coordinate(y_any);
    let z = zn_coordinate(z_any);
    let state = zn_fold_u32(ZN_FNV_OFFSET, seed);
    let columns = zn_columns3(state, u32(i32(floor(x))), u32(i32(floor(y))));
    let cell = u32(i32(floor(z)));
    let u = zn_fade(zn_inside(x));
    let v = zn_fade(zn_inside(y));
    let near = zn_blend2(zn_units(zn_layer3(columns, cell)), u, v);
    let far = zn_blend2(zn_units(zn_layer3(columns, cell + 1u)), u, v);
    return zn_clamp(zn_lerp(near, far, zn_fade(zn_inside(z))), 0.0, 1.0 - ZN_UNIT);
}

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

// Gradient noise from a hash state, at coordinates that are wrapped already.
fn zn_gradient2_at(state: u32, x: f32, y: f32) -> f32 {
    let h = zn_corners2(state, u32(i32(floor(x))), u32(i32(floor(y))));
    let left = zn_inside(x);
    let bottom = zn_inside(y);
    let right = left - 1.0;
    let top = bottom - 1.0;
    let ramps = vec4<f32>(
        zn_ramp2(h.x, left, bottom),
        zn_ramp2(h.y, right, bottom),
        zn_ramp2(h.z, left, top),
        zn_ramp2(h.w, right, top),
    );
    return zn_clean(zn_clamp(zn_blend2(ramps, zn_fade(left), zn_fade(bottom)), -1.0, 1.0));
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

fn zn_gradient3_at(state: u32, x: f32, y: f32, z: f32) -> f32 {
    let columns = zn_columns3(state, u32(i32(floor(x))), u32(i32(floor(y))));
    let cell = u32(i32(floor(z)));
    let left = zn_inside(x);
    let bottom = zn_inside(y);
    let near = zn_inside(z);
    let u = zn_fade(left);
    let v = zn_fade(bottom);
    let lower = zn_blend2(zn_ramps3(zn_layer3(columns, cell), left, bottom, near), u, v);
    let upper = zn_blend2(zn_ramps3(zn_layer3(columns, cell + 1u), left, bottom, near - 1.0), u, v);
    return zn_clean(zn_clamp(zn_lerp(lower, upper, zn_fade(near)), -1.0, 1.0));
}

fn zn_gradient2(seed: u32, x: f32, y: f32) -> f32 {
    return zn_gradient2_at(zn_fold_u32(ZN_FNV_OFFSET, seed), zn_coordinate(x), zn_coordinate(y));
}

fn zn_gradient3(seed: u32, x: f32, y: f32, z: f32) -> f32 {
    return zn_gradient3_at(zn_fold_u32(ZN_FNV_OFFSET, seed), zn_coordinate(x), zn_coordinate(y), zn_coordinate(z));
}

fn zn_fbm_shift(state: u32, axis: u32) -> f32 {
    return 0.25 + 0.5 * zn_draw(state, axis);
}

fn zn_fbm2(seed: u32, x_any: f32, y_any: f32, octaves: u32) -> f32 {
    let base = zn_fold_u32(zn_fold_u32(ZN_FNV_OFFSET, seed), ZN_FBM_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var sum = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let shifted_x = zn_keep(x + zn_fbm_shift(state, 0u));
        let shifted_y = zn_keep(y + zn_fbm_shift(state, 1u));
        sum = zn_keep(sum + zn_mul(amplitude, zn_gradient2_at(state, shifted_x, shifted_y)));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
    }
    return zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), -1.0, 1.0);
}

fn zn_fbm3(seed: u32, x_any: f32, y_any: f32, z_any: f32, octaves: u32) -> f32 {
    let base = zn_fold_u32(zn_fold_u32(ZN_FNV_OFFSET, seed), ZN_FBM_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var z = zn_coordinate(z_any);
    var sum = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let shifted_x = zn_keep(x + zn_fbm_shift(state, 0u));
        let shifted_y = zn_keep(y + zn_fbm_shift(state, 1u));
        let shifted_z = zn_keep(z + zn_fbm_shift(state, 2u));
        sum = zn_keep(sum + zn_mul(amplitude, zn_gradient3_at(state, shifted_x, shifted_y, shifted_z)));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        z = zn_wrap(z * 2.0);
    }
    return zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), -1.0, 1.0);
}
