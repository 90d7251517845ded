// Where in its face each sample lies, and the unit normal there.

fn blend(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, u: f32, v: f32) -> vec3<f32> {
    let ab = span(a, b);
    let ac = span(a, c);
    return vec3<f32>(
        a.x + zn_keep(zn_mul(ab.x, u) + zn_mul(ac.x, v)),
        a.y + zn_keep(zn_mul(ab.y, u) + zn_mul(ac.y, v)),
        a.z + zn_keep(zn_mul(ab.z, u) + zn_mul(ac.z, v)),
    );
}

// Division by 0 answers 0, so the zero vector stays.
fn unit_of(v: vec3<f32>) -> vec3<f32> {
    let size = size_of(v);
    return vec3<f32>(zn_div(v.x, size), zn_div(v.y, size), zn_div(v.z, size));
}

fn normal_of(point: u32) -> vec3<f32> {
    return vec3<f32>(normals[point * 3u], normals[point * 3u + 1u], normals[point * 3u + 2u]);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var at = vec3<f32>(0.0);
    var normal = vec3<f32>(0.0);
    if (face[i] >= 0) {
        let own = u32(face[i]);
        let corner = vec3<u32>(corner_point(own, 0u), corner_point(own, 1u), corner_point(own, 2u));
        let a = place_of(corner.x);
        let b = place_of(corner.y);
        let c = place_of(corner.z);
        // A draw from the square; the half past the diagonal turns over onto the triangle.
        var u = zn_draw(params.across, i);
        var v = zn_draw(params.along, i);
        if (u + v > 1.0) {
            u = 1.0 - u;
            v = 1.0 - v;
        }
        at = blend(a, b, c, u, v);
        // @when NORMALS points
        normal = unit_of(blend(normal_of(corner.x), normal_of(corner.y), normal_of(corner.z), u, v));
        // @end
        if (all(normal == vec3<f32>(0.0))) {
            normal = unit_of(square_on(span(a, b), span(a, c)));
        }
    }
    for (var lane = 0u; lane < 3u; lane += 1u) {
        place[i * 3u + lane] = at[lane];
        up[i * 3u + lane] = normal[lane];
    }
}
