// The cell that a position stands in, and the bucket of a cell.
// @use zero_noise

// Past this many cells from the origin all stand in the outermost one: a float there no longer tells cells apart.
const FAR: f32 = 4194304.0;

fn cell_along(x: f32) -> i32 {
    return i32(clamp(floor(zn_mul(zn_clean(x), params.per_cell)), -FAR, FAR));
}

fn cell_of(p: vec3<f32>) -> vec3<i32> {
    return vec3<i32>(cell_along(p.x), cell_along(p.y), cell_along(p.z));
}

// The primes are those of Teschner and others, Optimized Spatial Hashing for Collision Detection (2003); the last
// product spreads them over the upper bits.
fn bucket_of(cell: vec3<i32>) -> u32 {
    let c = bitcast<vec3<u32>>(cell);
    let mixed = (c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u);
    return (mixed * 0x9e3779b1u) >> (32u - params.bits);
}
