// Twice the area of each face; 0 for one that can't be chosen.

// No triangle of finer or wider sides is told from none, so that no product leaves the range of floats.
const LEAST: f32 = 1e-18;
const MOST: f32 = 1e18;

fn is_finite(v: vec3<f32>) -> bool {
    let bits = bitcast<vec3<u32>>(v) & vec3<u32>(0x7f800000u);
    return all(bits != vec3<u32>(0x7f800000u));
}

fn doubled_area(face: u32) -> f32 {
    let points = arrayLength(&places) / 3u;
    let corner = vec3<u32>(corner_point(face, 0u), corner_point(face, 1u), corner_point(face, 2u));
    if (vcount[face] != 3 || any(corner >= vec3<u32>(points))) {
        return 0.0;
    }
    let a = place_of(corner.x);
    let b = place_of(corner.y);
    let c = place_of(corner.z);
    if (!(is_finite(a) && is_finite(b) && is_finite(c))) {
        return 0.0;
    }
    let size = size_of(square_on(span(a, b), span(a, c)));
    return select(0.0, size, size >= LEAST && size <= MOST);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var found = 0.0;
    if (i < zero_live()) {
        found = doubled_area(i);
    }
    area[i] = found;
}
