// Fractal, ridged and warped noise; the twin of noise/octaves.rs, noise/fractal.rs, noise/ridged.rs and noise/warp.rs.

fn zn_scope(seed: u32, name: u32) -> u32 {
    return zn_fold_u32(zn_fold_u32(ZN_FNV_OFFSET, seed), name);
}

// An octave's shift off the lattice.
fn zn_shift(state: u32, axis: u32) -> f32 {
    return 0.25 + 0.5 * zn_draw(state, axis);
}

// The cell of an octave's coordinate, shifted.
fn zn_octave_axis(state: u32, axis: u32, x: f32) -> ZnAxis {
    return zn_axis(zn_keep(x + zn_shift(state, axis)));
}

fn zn_octave_axis_tiled(state: u32, axis: u32, x: f32, period: u32) -> ZnAxis {
    return zn_axis_tiled(zn_keep(x + zn_shift(state, axis)), period);
}

// The quotient of what was summed and of the amplitudes before `next`.
fn zn_normalised(sum: f32, next: f32, limit: f32) -> f32 {
    return zn_clamp(zn_div(sum, 2.0 - 2.0 * next), -limit, limit);
}

fn zn_fbm2(seed: u32, x_any: f32, y_any: f32, octaves: u32) -> f32 {
    let base = zn_scope(seed, ZN_FBM_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var sum = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        sum = zn_keep(sum + zn_mul(amplitude, zn_gradient2_at(state, at_x, at_y)));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
    }
    return zn_normalised(sum, amplitude, 1.0);
}

fn zn_fbm2_tiled(seed: u32, x_any: f32, y_any: f32, octaves: u32, periods: vec2<u32>) -> f32 {
    let base = zn_scope(seed, ZN_FBM_SCOPE);
    var period = vec2<u32>(zn_period(periods.x), zn_period(periods.y));
    var x = zn_start_tiled(x_any, period.x);
    var y = zn_start_tiled(y_any, period.y);
    var count = min(octaves, ZN_MAX_OCTAVES);
    count = zn_octaves_tiled(count, period.x);
    count = zn_octaves_tiled(count, period.y);
    var sum = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < count; octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis_tiled(state, 0u, x, period.x);
        let at_y = zn_octave_axis_tiled(state, 1u, y, period.y);
        sum = zn_keep(sum + zn_mul(amplitude, zn_gradient2_at(state, at_x, at_y)));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        period *= 2u;
    }
    return zn_normalised(sum, amplitude, 1.0);
}

fn zn_fbm2_slope(seed: u32, x_any: f32, y_any: f32, octaves: u32) -> vec3<f32> {
    let base = zn_scope(seed, ZN_FBM_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var sum = vec3<f32>();
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        let one = zn_gradient2_slope_at(state, at_x, at_y);
        sum.x = zn_keep(sum.x + zn_mul(amplitude, one.x));
        sum.y = zn_keep(sum.y + one.y);
        sum.z = zn_keep(sum.z + one.z);
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
    }
    let steepest = ZN_GRADIENT_SLOPE * f32(ZN_MAX_OCTAVES);
    return vec3<f32>(
        zn_normalised(sum.x, amplitude, 1.0),
        zn_normalised(sum.y, amplitude, steepest),
        zn_normalised(sum.z, amplitude, steepest),
    );
}

fn zn_ridged2(seed: u32, x_any: f32, y_any: f32, octaves: u32) -> f32 {
    let base = zn_scope(seed, ZN_RIDGED_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var sum = 0.0;
    // What the weight of the next octave lacks of 1.
    var held = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        let crest = zn_keep(1.0 - abs(zn_gradient2_at(state, at_x, at_y)));
        let signal = zn_mul(zn_mul(crest, crest), zn_keep(1.0 - held));
        sum = zn_keep(sum + zn_mul(amplitude, signal));
        held = zn_keep(1.0 - zn_clamp(2.0 * signal, 0.0, 1.0));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
    }
    return zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), 0.0, 1.0);
}

fn zn_ridged2_tiled(seed: u32, x_any: f32, y_any: f32, octaves: u32, periods: vec2<u32>) -> f32 {
    let base = zn_scope(seed, ZN_RIDGED_SCOPE);
    var period = vec2<u32>(zn_period(periods.x), zn_period(periods.y));
    var x = zn_start_tiled(x_any, period.x);
    var y = zn_start_tiled(y_any, period.y);
    var count = min(octaves, ZN_MAX_OCTAVES);
    count = zn_octaves_tiled(count, period.x);
    count = zn_octaves_tiled(count, period.y);
    var sum = 0.0;
    // What the weight of the next octave lacks of 1.
    var held = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < count; octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis_tiled(state, 0u, x, period.x);
        let at_y = zn_octave_axis_tiled(state, 1u, y, period.y);
        let crest = zn_keep(1.0 - abs(zn_gradient2_at(state, at_x, at_y)));
        let signal = zn_mul(zn_mul(crest, crest), zn_keep(1.0 - held));
        sum = zn_keep(sum + zn_mul(amplitude, signal));
        held = zn_keep(1.0 - zn_clamp(2.0 * signal, 0.0, 1.0));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        period *= 2u;
    }
    return zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), 0.0, 1.0);
}

fn zn_ridged2_slope(seed: u32, x_any: f32, y_any: f32, octaves: u32) -> vec3<f32> {
    let base = zn_scope(seed, ZN_RIDGED_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var sum = 0.0;
    // What the weight of the next octave lacks of 1.
    var held = 0.0;
    // The slopes of the sum, and those of the weight for each cell of the octave.
    var slope = vec2<f32>();
    var fall = vec2<f32>();
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        let noise = zn_gradient2_slope_at(state, at_x, at_y);
        let weight = zn_keep(1.0 - held);
        let crest = zn_keep(1.0 - abs(noise.x));
        let square = zn_mul(crest, crest);
        let signal = zn_mul(square, weight);
        let lean = zn_mul(select(-2.0 * crest, 2.0 * crest, noise.x < 0.0), weight);
        sum = zn_keep(sum + zn_mul(amplitude, signal));
        for (var axis = 0u; axis < 2u; axis++) {
            let rise = zn_settled(zn_keep(zn_mul(lean, noise[axis + 1u]) + zn_mul(square, fall[axis])));
            slope[axis] = zn_keep(slope[axis] + rise);
            fall[axis] = select(0.0, rise, 2.0 * signal < 1.0);
        }
        held = zn_keep(1.0 - zn_clamp(2.0 * signal, 0.0, 1.0));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
    }
    let steepest = ZN_GRADIENT_SLOPE * f32(ZN_MAX_OCTAVES * (ZN_MAX_OCTAVES + 1u));
    return vec3<f32>(
        zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), 0.0, 1.0),
        zn_normalised(slope.x, amplitude, steepest),
        zn_normalised(slope.y, amplitude, steepest),
    );
}

fn zn_fbm3(seed: u32, x_any: f32, y_any: f32, z_any: f32, octaves: u32) -> f32 {
    let base = zn_scope(seed, ZN_FBM_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var z = zn_coordinate(z_any);
    var sum = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        let at_z = zn_octave_axis(state, 2u, z);
        sum = zn_keep(sum + zn_mul(amplitude, zn_gradient3_at(state, at_x, at_y, at_z)));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        z = zn_wrap(z * 2.0);
    }
    return zn_normalised(sum, amplitude, 1.0);
}

fn zn_fbm3_tiled(seed: u32, x_any: f32, y_any: f32, z_any: f32, octaves: u32, periods: vec3<u32>) -> f32 {
    let base = zn_scope(seed, ZN_FBM_SCOPE);
    var period = vec3<u32>(zn_period(periods.x), zn_period(periods.y), zn_period(periods.z));
    var x = zn_start_tiled(x_any, period.x);
    var y = zn_start_tiled(y_any, period.y);
    var z = zn_start_tiled(z_any, period.z);
    var count = min(octaves, ZN_MAX_OCTAVES);
    count = zn_octaves_tiled(count, period.x);
    count = zn_octaves_tiled(count, period.y);
    count = zn_octaves_tiled(count, period.z);
    var sum = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < count; octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis_tiled(state, 0u, x, period.x);
        let at_y = zn_octave_axis_tiled(state, 1u, y, period.y);
        let at_z = zn_octave_axis_tiled(state, 2u, z, period.z);
        sum = zn_keep(sum + zn_mul(amplitude, zn_gradient3_at(state, at_x, at_y, at_z)));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        z = zn_wrap(z * 2.0);
        period *= 2u;
    }
    return zn_normalised(sum, amplitude, 1.0);
}

fn zn_fbm3_slope(seed: u32, x_any: f32, y_any: f32, z_any: f32, octaves: u32) -> vec4<f32> {
    let base = zn_scope(seed, ZN_FBM_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var z = zn_coordinate(z_any);
    var sum = vec4<f32>();
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        let at_z = zn_octave_axis(state, 2u, z);
        let one = zn_gradient3_slope_at(state, at_x, at_y, at_z);
        sum.x = zn_keep(sum.x + zn_mul(amplitude, one.x));
        sum.y = zn_keep(sum.y + one.y);
        sum.z = zn_keep(sum.z + one.z);
        sum.w = zn_keep(sum.w + one.w);
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        z = zn_wrap(z * 2.0);
    }
    let steepest = ZN_GRADIENT_SLOPE * f32(ZN_MAX_OCTAVES);
    return vec4<f32>(
        zn_normalised(sum.x, amplitude, 1.0),
        zn_normalised(sum.y, amplitude, steepest),
        zn_normalised(sum.z, amplitude, steepest),
        zn_normalised(sum.w, amplitude, steepest),
    );
}

fn zn_ridged3(seed: u32, x_any: f32, y_any: f32, z_any: f32, octaves: u32) -> f32 {
    let base = zn_scope(seed, ZN_RIDGED_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var z = zn_coordinate(z_any);
    var sum = 0.0;
    // What the weight of the next octave lacks of 1.
    var held = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        let at_z = zn_octave_axis(state, 2u, z);
        let crest = zn_keep(1.0 - abs(zn_gradient3_at(state, at_x, at_y, at_z)));
        let signal = zn_mul(zn_mul(crest, crest), zn_keep(1.0 - held));
        sum = zn_keep(sum + zn_mul(amplitude, signal));
        held = zn_keep(1.0 - zn_clamp(2.0 * signal, 0.0, 1.0));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        z = zn_wrap(z * 2.0);
    }
    return zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), 0.0, 1.0);
}

fn zn_ridged3_tiled(seed: u32, x_any: f32, y_any: f32, z_any: f32, octaves: u32, periods: vec3<u32>) -> f32 {
    let base = zn_scope(seed, ZN_RIDGED_SCOPE);
    var period = vec3<u32>(zn_period(periods.x), zn_period(periods.y), zn_period(periods.z));
    var x = zn_start_tiled(x_any, period.x);
    var y = zn_start_tiled(y_any, period.y);
    var z = zn_start_tiled(z_any, period.z);
    var count = min(octaves, ZN_MAX_OCTAVES);
    count = zn_octaves_tiled(count, period.x);
    count = zn_octaves_tiled(count, period.y);
    count = zn_octaves_tiled(count, period.z);
    var sum = 0.0;
    // What the weight of the next octave lacks of 1.
    var held = 0.0;
    var amplitude = 1.0;
    for (var octave = 0u; octave < count; octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis_tiled(state, 0u, x, period.x);
        let at_y = zn_octave_axis_tiled(state, 1u, y, period.y);
        let at_z = zn_octave_axis_tiled(state, 2u, z, period.z);
        let crest = zn_keep(1.0 - abs(zn_gradient3_at(state, at_x, at_y, at_z)));
        let signal = zn_mul(zn_mul(crest, crest), zn_keep(1.0 - held));
        sum = zn_keep(sum + zn_mul(amplitude, signal));
        held = zn_keep(1.0 - zn_clamp(2.0 * signal, 0.0, 1.0));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        z = zn_wrap(z * 2.0);
        period *= 2u;
    }
    return zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), 0.0, 1.0);
}

fn zn_ridged3_slope(seed: u32, x_any: f32, y_any: f32, z_any: f32, octaves: u32) -> vec4<f32> {
    let base = zn_scope(seed, ZN_RIDGED_SCOPE);
    var x = zn_coordinate(x_any);
    var y = zn_coordinate(y_any);
    var z = zn_coordinate(z_any);
    var sum = 0.0;
    // What the weight of the next octave lacks of 1.
    var held = 0.0;
    // The slopes of the sum, and those of the weight for each cell of the octave.
    var slope = vec3<f32>();
    var fall = vec3<f32>();
    var amplitude = 1.0;
    for (var octave = 0u; octave < min(octaves, ZN_MAX_OCTAVES); octave++) {
        let state = zn_fold_u32(base, octave);
        let at_x = zn_octave_axis(state, 0u, x);
        let at_y = zn_octave_axis(state, 1u, y);
        let at_z = zn_octave_axis(state, 2u, z);
        let noise = zn_gradient3_slope_at(state, at_x, at_y, at_z);
        let weight = zn_keep(1.0 - held);
        let crest = zn_keep(1.0 - abs(noise.x));
        let square = zn_mul(crest, crest);
        let signal = zn_mul(square, weight);
        let lean = zn_mul(select(-2.0 * crest, 2.0 * crest, noise.x < 0.0), weight);
        sum = zn_keep(sum + zn_mul(amplitude, signal));
        for (var axis = 0u; axis < 3u; axis++) {
            let rise = zn_settled(zn_keep(zn_mul(lean, noise[axis + 1u]) + zn_mul(square, fall[axis])));
            slope[axis] = zn_keep(slope[axis] + rise);
            fall[axis] = select(0.0, rise, 2.0 * signal < 1.0);
        }
        held = zn_keep(1.0 - zn_clamp(2.0 * signal, 0.0, 1.0));
        amplitude *= 0.5;
        x = zn_wrap(x * 2.0);
        y = zn_wrap(y * 2.0);
        z = zn_wrap(z * 2.0);
    }
    let steepest = ZN_GRADIENT_SLOPE * f32(ZN_MAX_OCTAVES * (ZN_MAX_OCTAVES + 1u));
    return vec4<f32>(
        zn_clamp(zn_div(sum, 2.0 - 2.0 * amplitude), 0.0, 1.0),
        zn_normalised(slope.x, amplitude, steepest),
        zn_normalised(slope.y, amplitude, steepest),
        zn_normalised(slope.z, amplitude, steepest),
    );
}

fn zn_warp_seed(seed: u32, axis: u32) -> u32 {
    return zn_finish(zn_fold_u32(zn_scope(seed, ZN_WARP_SCOPE), axis));
}

fn zn_bounded_warp(strength: f32) -> f32 {
    return zn_clamp(zn_clean(strength), -ZN_MAX_WARP, ZN_MAX_WARP);
}

fn zn_moved(x: f32, strength: f32, by: f32) -> f32 {
    return zn_settled(zn_keep(x + zn_mul(zn_bounded_warp(strength), by)));
}

fn zn_displaced(x: f32, strength: f32, by: f32) -> f32 {
    return zn_moved(zn_wrap(zn_clean(x)), strength, by);
}

// Counted from the tile's own edge, so that the sum is rounded alike in every tile.
fn zn_displaced_tiled(x: f32, strength: f32, by: f32, asked: u32) -> f32 {
    if (asked == 0u) {
        return zn_displaced(x, strength, by);
    }
    return zn_moved(zn_start_tiled(x, zn_period(asked)), strength, by);
}

// How far along an axis a step along one takes the point that is read; `own` is 1 for the axis itself.
fn zn_turned(own: f32, strength: f32, slope: f32) -> f32 {
    return zn_settled(zn_keep(own + zn_mul(zn_bounded_warp(strength), slope)));
}

fn zn_warp2(seed: u32, x: f32, y: f32, octaves: u32, strength: f32) -> vec2<f32> {
    return vec2<f32>(
        zn_displaced(x, strength, zn_fbm2(zn_warp_seed(seed, 0u), x, y, octaves)),
        zn_displaced(y, strength, zn_fbm2(zn_warp_seed(seed, 1u), x, y, octaves)),
    );
}

fn zn_warped2(seed: u32, x: f32, y: f32, octaves: u32, strength: f32) -> f32 {
    let at = zn_warp2(seed, x, y, octaves, strength);
    return zn_fbm2(seed, at.x, at.y, octaves);
}

fn zn_warped2_tiled(
    seed: u32, x: f32, y: f32, octaves: u32, strength: f32, periods: vec2<u32>,
) -> f32 {
    let at = vec2<f32>(
        zn_displaced_tiled(x, strength, zn_fbm2_tiled(zn_warp_seed(seed, 0u), x, y, octaves, periods), periods.x),
        zn_displaced_tiled(y, strength, zn_fbm2_tiled(zn_warp_seed(seed, 1u), x, y, octaves, periods), periods.y),
    );
    return zn_fbm2_tiled(seed, at.x, at.y, octaves, periods);
}

fn zn_warped2_slope(seed: u32, x: f32, y: f32, octaves: u32, strength: f32) -> vec3<f32> {
    let by_x = zn_fbm2_slope(zn_warp_seed(seed, 0u), x, y, octaves);
    let by_y = zn_fbm2_slope(zn_warp_seed(seed, 1u), x, y, octaves);
    let read = zn_fbm2_slope(
        seed,
        zn_displaced(x, strength, by_x.x),
        zn_displaced(y, strength, by_y.x),
        octaves,
    );
    var done = read;
    for (var along = 0u; along < 2u; along++) {
        let turned_x = zn_turned(select(0.0, 1.0, along == 0u), strength, by_x[along + 1u]);
        let turned_y = zn_turned(select(0.0, 1.0, along == 1u), strength, by_y[along + 1u]);
        var slope = zn_settled(zn_mul(read.y, turned_x));
        slope = zn_keep(slope + zn_settled(zn_mul(read.z, turned_y)));
        done[along + 1u] = slope;
    }
    return done;
}

fn zn_warp3(seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32) -> vec3<f32> {
    return vec3<f32>(
        zn_displaced(x, strength, zn_fbm3(zn_warp_seed(seed, 0u), x, y, z, octaves)),
        zn_displaced(y, strength, zn_fbm3(zn_warp_seed(seed, 1u), x, y, z, octaves)),
        zn_displaced(z, strength, zn_fbm3(zn_warp_seed(seed, 2u), x, y, z, octaves)),
    );
}

fn zn_warped3(seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32) -> f32 {
    let at = zn_warp3(seed, x, y, z, octaves, strength);
    return zn_fbm3(seed, at.x, at.y, at.z, octaves);
}

fn zn_warped3_tiled(
    seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32, periods: vec3<u32>,
) -> f32 {
    let at = vec3<f32>(
        zn_displaced_tiled(x, strength, zn_fbm3_tiled(zn_warp_seed(seed, 0u), x, y, z, octaves, periods), periods.x),
        zn_displaced_tiled(y, strength, zn_fbm3_tiled(zn_warp_seed(seed, 1u), x, y, z, octaves, periods), periods.y),
        zn_displaced_tiled(z, strength, zn_fbm3_tiled(zn_warp_seed(seed, 2u), x, y, z, octaves, periods), periods.z),
    );
    return zn_fbm3_tiled(seed, at.x, at.y, at.z, octaves, periods);
}

fn zn_warped3_slope(seed: u32, x: f32, y: f32, z: f32, octaves: u32, strength: f32) -> vec4<f32> {
    let by_x = zn_fbm3_slope(zn_warp_seed(seed, 0u), x, y, z, octaves);
    let by_y = zn_fbm3_slope(zn_warp_seed(seed, 1u), x, y, z, octaves);
    let by_z = zn_fbm3_slope(zn_warp_seed(seed, 2u), x, y, z, octaves);
    let read = zn_fbm3_slope(
        seed,
        zn_displaced(x, strength, by_x.x),
        zn_displaced(y, strength, by_y.x),
        zn_displaced(z, strength, by_z.x),
        octaves,
    );
    var done = read;
    for (var along = 0u; along < 3u; along++) {
        let turned_x = zn_turned(select(0.0, 1.0, along == 0u), strength, by_x[along + 1u]);
        let turned_y = zn_turned(select(0.0, 1.0, along == 1u), strength, by_y[along + 1u]);
        let turned_z = zn_turned(select(0.0, 1.0, along == 2u), strength, by_z[along + 1u]);
        var slope = zn_settled(zn_mul(read.y, turned_x));
        slope = zn_keep(slope + zn_settled(zn_mul(read.z, turned_y)));
        slope = zn_keep(slope + zn_settled(zn_mul(read.w, turned_z)));
        done[along + 1u] = slope;
    }
    return done;
}
