// Where a point stands among the points of a lattice, axis by axis.
// @use zero_noise

struct Between {
    low: u32,
    high: u32,
    // From `low` to `high`, below 1.
    part: f32,
}

// Outside the lattice the nearest point of it counts. Where a point is as near to a lattice point as rounding can tell
// it is that point.
fn between(position: f32, origin: f32, spacing: f32, count: u32) -> Between {
    let x = zn_clean(position);
    var u = zn_div(zn_keep(x - origin), spacing);
    let slack = zn_div(zn_mul(zn_keep(abs(x) + abs(origin)), 2.384185791015625e-7), spacing);
    let whole = floor(zn_keep(u + 0.5));
    if (abs(zn_keep(u - whole)) <= slack) {
        u = whole;
    }
    u = clamp(u, 0.0, f32(count - 1u));
    let low = floor(u);
    let at = min(u32(low), count - 1u);
    return Between(at, min(at + 1u, count - 1u), zn_keep(u - low));
}

fn along_x(i: u32) -> Between {
    return between(points[i * 3u], params.origin_x, params.spacing_x, params.count_x);
}

fn along_y(i: u32) -> Between {
    return between(points[i * 3u + 1u], params.origin_y, params.spacing_y, params.count_y);
}

fn along_z(i: u32) -> Between {
    return between(points[i * 3u + 2u], params.origin_z, params.spacing_z, params.count_z);
}
