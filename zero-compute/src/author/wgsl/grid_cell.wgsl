// The cell that a point stands in and the bucket of a cell, as `kernels::hash_grid` has them. `gcfg` (f32) holds the
// inverse of a cell's edge and the bits of a bucket's number.
// @use zero_noise

// Past this many cells from the origin all stand in the outermost one: a float there no longer tells cells apart.
const ZERO_GRID_FAR: f32 = 4194304.0;

fn zero_grid_along(x: f32) -> i32 {
    return i32(clamp(floor(zn_mul(zn_clean(x), gcfg[0])), -ZERO_GRID_FAR, ZERO_GRID_FAR));
}

fn zero_grid_cell(p: vec3<f32>) -> vec3<i32> {
    return vec3<i32>(zero_grid_along(p.x), zero_grid_along(p.y), zero_grid_along(p.z));
}

// The primes are those of Teschner and others, Optimized Spatial Hashing for Collision Detection (2003); the last
// product spreads them over the upper bits.
fn zero_grid_bucket(cell: vec3<i32>) -> u32 {
    let c = bitcast<vec3<u32>>(cell);
    let mixed = (c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u);
    return (mixed * 0x9e3779b1u) >> (32u - clamp(u32(gcfg[1]), 1u, 31u));
}
