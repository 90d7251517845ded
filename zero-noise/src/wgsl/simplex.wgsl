// Simplex noise; the twin of noise/simplex.rs.

// A skewed coordinate: its cell, and the way into it.
struct ZnSkewed {
    cell: u32,
    inside: f32,
}

// The whole number of an integer times factor * 2^-32; zn_skew_rest answers the rest.
fn zn_skew_whole(sum: i32, factor: u32) -> i32 {
    return i32(zn_product_high(u32(sum), factor) - select(0u, factor, sum < 0));
}

fn zn_skew_rest(sum: i32, factor: u32) -> f32 {
    return f32((u32(sum) * factor) >> 8u) * ZN_UNIT;
}

fn zn_skewed(x: f32, whole: i32, more: f32) -> ZnSkewed {
    let sum = zn_keep(zn_inside(x) + more);
    let carry = floor(sum);
    return ZnSkewed(u32(i32(floor(x)) + whole + i32(carry)), zn_keep(sum - carry));
}

fn zn_simplex_kernel(square: f32) -> f32 {
    let base = zn_keep(0.5 - square);
    let inner = select(base, 0.0, base < ZN_SIMPLEX_EDGE);
    let inner_square = zn_mul(inner, inner);
    return zn_mul(inner_square, inner_square);
}

fn zn_simplex_corner2(state: u32, i: u32, j: u32, x: f32, y: f32) -> f32 {
    let hash = zn_finish(zn_fold_u32(zn_fold_u32(state, i), j));
    let square = zn_keep(zn_mul(x, x) + zn_mul(y, y));
    return zn_mul(zn_simplex_kernel(square), zn_keep(zn_ramp2(hash, x, y)));
}

fn zn_simplex2(seed: u32, x_any: f32, y_any: f32) -> f32 {
    let state = zn_scope(seed, ZN_SIMPLEX_SCOPE);
    let px = zn_coordinate(x_any);
    let py = zn_coordinate(y_any);
    let wholes = i32(floor(px)) + i32(floor(py));
    let whole = zn_skew_whole(wholes, ZN_SKEW2);
    let insides = zn_keep(zn_inside(px) + zn_inside(py));
    let more = zn_keep(zn_skew_rest(wholes, ZN_SKEW2) + zn_mul(insides, ZN_SKEW2_FLOAT));
    let i = zn_skewed(px, whole, more);
    let j = zn_skewed(py, whole, more);
    let back = zn_mul(zn_keep(i.inside + j.inside), ZN_UNSKEW2);
    let x = zn_keep(i.inside - back);
    let y = zn_keep(j.inside - back);
    let low = i.inside > j.inside;
    let mid_x = zn_keep(zn_keep(x - select(0.0, 1.0, low)) + ZN_UNSKEW2);
    let mid_y = zn_keep(zn_keep(y - select(1.0, 0.0, low)) + ZN_UNSKEW2);
    let far_x = zn_keep(zn_keep(x - 1.0) + 2.0 * ZN_UNSKEW2);
    let far_y = zn_keep(zn_keep(y - 1.0) + 2.0 * ZN_UNSKEW2);
    let near = zn_simplex_corner2(state, i.cell, j.cell, x, y);
    let mid = zn_simplex_corner2(state, i.cell + select(0u, 1u, low), j.cell + select(1u, 0u, low), mid_x, mid_y);
    let far = zn_simplex_corner2(state, i.cell + 1u, j.cell + 1u, far_x, far_y);
    return zn_gradient_bounded(zn_mul(ZN_SIMPLEX2_SCALE, zn_keep(zn_keep(near + mid) + far)));
}

// What the corner adds that is one further along the axes of `step`, `offset` making up for the skew.
fn zn_simplex_corner3(state: u32, cell: vec3<u32>, at: vec3<f32>, step: vec3<bool>, offset: f32) -> f32 {
    let corner = cell + select(vec3<u32>(0u), vec3<u32>(1u), step);
    let hash = zn_finish(zn_fold_u32(zn_fold_u32(zn_fold_u32(state, corner.x), corner.y), corner.z));
    let x = zn_keep(zn_keep(at.x - select(0.0, 1.0, step.x)) + offset);
    let y = zn_keep(zn_keep(at.y - select(0.0, 1.0, step.y)) + offset);
    let z = zn_keep(zn_keep(at.z - select(0.0, 1.0, step.z)) + offset);
    let square = zn_keep(zn_keep(zn_mul(x, x) + zn_mul(y, y)) + zn_mul(z, z));
    return zn_mul(zn_simplex_kernel(square), zn_keep(zn_ramp3(hash, x, y, z)));
}

fn zn_simplex3(seed: u32, x_any: f32, y_any: f32, z_any: f32) -> f32 {
    let state = zn_scope(seed, ZN_SIMPLEX_SCOPE);
    let px = zn_coordinate(x_any);
    let py = zn_coordinate(y_any);
    let pz = zn_coordinate(z_any);
    let wholes = i32(floor(px)) + i32(floor(py)) + i32(floor(pz));
    let whole = zn_skew_whole(wholes, ZN_SKEW3);
    let insides = zn_keep(zn_keep(zn_inside(px) + zn_inside(py)) + zn_inside(pz));
    let more = zn_keep(zn_skew_rest(wholes, ZN_SKEW3) + zn_mul(insides, ZN_SKEW3_FLOAT));
    let i = zn_skewed(px, whole, more);
    let j = zn_skewed(py, whole, more);
    let k = zn_skewed(pz, whole, more);
    let back = zn_mul(zn_keep(zn_keep(i.inside + j.inside) + k.inside), ZN_UNSKEW3);
    let at = vec3<f32>(zn_keep(i.inside - back), zn_keep(j.inside - back), zn_keep(k.inside - back));
    let cell = vec3<u32>(i.cell, j.cell, k.cell);
    // The last comparison is strict, so that equal parts are in an order too.
    let xy = i.inside >= j.inside;
    let yz = j.inside >= k.inside;
    let zx = k.inside > i.inside;
    let first = vec3<bool>(xy && !zx, yz && !xy, zx && !yz);
    let second = vec3<bool>(xy || !zx, yz || !xy, zx || !yz);
    let a = zn_simplex_corner3(state, cell, at, vec3<bool>(false), 0.0);
    let b = zn_simplex_corner3(state, cell, at, first, ZN_UNSKEW3);
    let c = zn_simplex_corner3(state, cell, at, second, 2.0 * ZN_UNSKEW3);
    let d = zn_simplex_corner3(state, cell, at, vec3<bool>(true), 0.5);
    return zn_gradient_bounded(zn_mul(ZN_SIMPLEX3_SCALE, zn_keep(zn_keep(a + b) + zn_keep(c + d))));
}
