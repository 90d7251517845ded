// @use zero_noise
// What the kernels over triangles share; the twin of triangle.rs. Sums are kept from drivers that would cancel or fuse
// them.

// The point that a corner of a face stands on; one past the last point where there is none.
fn corner_point(face: u32, corner: u32) -> u32 {
    let none = arrayLength(&places) / 3u;
    let at = bitcast<u32>(vstart[face]) + corner;
    if (at >= arrayLength(&corners)) {
        return none;
    }
    return min(bitcast<u32>(corners[at]), none);
}

fn place_of(point: u32) -> vec3<f32> {
    return vec3<f32>(places[point * 3u], places[point * 3u + 1u], places[point * 3u + 2u]);
}

fn span(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(zn_keep(b.x - a.x), zn_keep(b.y - a.y), zn_keep(b.z - a.z));
}

fn square_on(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        zn_keep(zn_mul(a.y, b.z) - zn_mul(a.z, b.y)),
        zn_keep(zn_mul(a.z, b.x) - zn_mul(a.x, b.z)),
        zn_keep(zn_mul(a.x, b.y) - zn_mul(a.y, b.x)),
    );
}

fn size_of(v: vec3<f32>) -> f32 {
    return zn_sqrt(zn_keep(zn_mul(v.x, v.x) + zn_mul(v.y, v.y)) + zn_mul(v.z, v.z));
}
