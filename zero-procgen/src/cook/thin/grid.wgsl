// @use zero_noise
// Cells a little wider than the distance, hashed into buckets; the twin of grid.rs.

// A distance below reads as none; one above as this.
const LEAST: f32 = 1e-18;
const MOST: f32 = 1e18;
// Cells further out share the outermost one.
const EDGE: f32 = 1073741824.0;

fn distance_of() -> f32 {
    return min(params.min_dist, MOST);
}

fn is_off() -> bool {
    return !(params.min_dist >= LEAST);
}

// The floor of the product itself: where its rounding is whole, the rounding error says on which side it lies.
fn cell_along(x: f32, per_unit: f32) -> i32 {
    let product = zn_two_product(x, per_unit);
    let whole = floor(product.x);
    if (abs(whole) >= EDGE) {
        return select(-i32(EDGE), i32(EDGE), whole > 0.0);
    }
    return i32(whole) + i32(select(0.0, floor(product.y), whole == product.x));
}

fn cell_of(p: vec3<f32>) -> vec3<i32> {
    let per_unit = zn_div(0.99, distance_of());
    return vec3<i32>(cell_along(p.x, per_unit), cell_along(p.y, per_unit), cell_along(p.z, per_unit));
}

// The primes are those of Teschner et al. 2003, "Optimized Spatial Hashing for Collision Detection".
fn spread(cell: vec3<i32>) -> u32 {
    let c = bitcast<vec3<u32>>(cell);
    return zn_finish((c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u));
}

fn rank_of(id: i32) -> u32 {
    return zn_finish(zn_fold_u32(params.state, bitcast<u32>(id)));
}
