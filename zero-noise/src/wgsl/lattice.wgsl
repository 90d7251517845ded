// What the lattice noises share; the twin of noise/lattice.rs and noise/tiling.rs.

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
    let near = zn_keep(zn_keep(x + ZN_GRID) - ZN_GRID);
    return select(x, near, abs(x) < ZN_NEAR);
}

fn zn_settled(x: f32) -> f32 {
    return select(x, 0.0, abs(x) < ZN_SETTLED);
}

fn zn_on_grid(x: f32) -> f32 {
    return zn_keep(zn_keep(x + 0.5) - 0.5);
}

// One axis of a cell: its two corners as the hash reads them, and the way into it.
struct ZnAxis {
    cell: u32,
    next: u32,
    inside: f32,
}

fn zn_axis(x: f32) -> ZnAxis {
    let cell = u32(i32(floor(x)));
    return ZnAxis(cell, cell + 1u, zn_inside(x));
}

// A cell's whole number as the hash reads it, on an axis that repeats after `period` cells; 0 does not repeat.
fn zn_cell(whole: i32, period: u32) -> u32 {
    if period == 0u {
        return u32(whole);
    }
    let below = whole < 0;
    let rest = u32(select(whole, -1 - whole, below)) % period;
    return select(rest, period - 1u - rest, below);
}

fn zn_axis_tiled(x: f32, period: u32) -> ZnAxis {
    let whole = i32(floor(x));
    return ZnAxis(zn_cell(whole, period), zn_cell(whole + 1, period), zn_inside(x));
}

fn zn_period(asked: u32) -> u32 {
    return min(asked, ZN_MAX_PERIOD);
}

// A coordinate in [0, period).
fn zn_start_tiled(x_any: f32, period: u32) -> f32 {
    let x = zn_coordinate(x_any);
    if period == 0u {
        return x;
    }
    let reduced = zn_keep(f32(zn_cell(i32(floor(x)), period)) + zn_inside(x));
    return select(reduced, 0.0, reduced >= f32(period));
}

// The octaves of an axis whose period stays within 2^22 cells.
fn zn_octaves_tiled(asked: u32, period: u32) -> u32 {
    if period == 0u {
        return asked;
    }
    return min(asked, firstLeadingBit(ZN_MAX_PERIOD / period) + 1u);
}

fn zn_fade(t: f32) -> f32 {
    return zn_on_grid(zn_mul(t * t * t, 10.0 + zn_mul(t, zn_mul(t, 6.0) - 15.0)));
}

fn zn_fade_slope(t: f32) -> f32 {
    let half = zn_mul(t, zn_keep(t - 1.0));
    return zn_on_grid(zn_mul(30.0, zn_mul(half, half)));
}

fn zn_lerp(a: f32, b: f32, t: f32) -> f32 {
    return zn_keep(a + zn_mul(t, zn_keep(b - a)));
}

// Corners in the order of zn_corners2.
fn zn_blend2(c: vec4<f32>, u: f32, v: f32) -> f32 {
    return zn_lerp(zn_lerp(c.x, c.y, u), zn_lerp(c.z, c.w, u), v);
}

// Finished hashes of a square's corners: (0,0), (1,0), (0,1), (1,1).
fn zn_corners2(state: u32, x: ZnAxis, y: ZnAxis) -> vec4<u32> {
    let left = zn_fold_u32(state, x.cell);
    let right = zn_fold_u32(state, x.next);
    return vec4<u32>(
        zn_finish(zn_fold_u32(left, y.cell)),
        zn_finish(zn_fold_u32(right, y.cell)),
        zn_finish(zn_fold_u32(left, y.next)),
        zn_finish(zn_fold_u32(right, y.next)),
    );
}

// Hash states of the four edges along z, in the same order.
fn zn_columns3(state: u32, x: ZnAxis, y: ZnAxis) -> vec4<u32> {
    let left = zn_fold_u32(state, x.cell);
    let right = zn_fold_u32(state, x.next);
    return vec4<u32>(
        zn_fold_u32(left, y.cell),
        zn_fold_u32(right, y.cell),
        zn_fold_u32(left, y.next),
        zn_fold_u32(right, y.next),
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
