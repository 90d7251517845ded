// Reads the cells of a tile at the points that stand in its interior. Outside the raster the nearest cell counts, so that
// every point is some tile's.

// The cells between whose centres a point is.
struct Between {
    low: i32,
    high: i32,
    // From `low` to `high`, below 1.
    part: f32,
}

// `cell` is what the point stands in. Where it is as near to the centre as rounding can tell it is at the centre.
fn between(position: f32, origin: f32, size: f32, u: f32, cell: i32, last: i32) -> Between {
    let reach = zn_keep(abs(zn_clean(position)) + abs(origin));
    let slack = zn_div(zn_mul(reach, 2.384185791015625e-7), size);
    var centre = zn_keep(u - 0.5);
    if (abs(zn_keep(centre - f32(cell))) <= slack) {
        centre = f32(cell);
    }
    centre = clamp(centre, 0.0, f32(last));
    let low = floor(centre);
    return Between(i32(low), min(i32(low) + 1, last), zn_keep(centre - low));
}

fn value_at(cell: vec2<i32>, lane: u32) -> f32 {
    let stored = vec2<u32>(own_cell(cell) + i32(params.apron));
    return layer[(stored.y * params.stride + stored.x) * params.layer_lanes + lane];
}

fn blend(a: f32, b: f32, part: f32) -> f32 {
    return zn_keep(a + zn_mul(zn_keep(b - a), part));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    if (i >= zero_live()) {
        return;
    }
    let position = position_of(i);
    let u = along(position);
    let last = vec2<i32>(i32(params.count_x), i32(params.count_z)) - 1;
    let cell = clamp(vec2<i32>(floor(u)), vec2<i32>(0), last);
    if (!is_interior(own_cell(cell))) {
        return;
    }
    let lanes = params.layer_lanes;
    // @when SHARE cell
    for (var lane = 0u; lane < lanes; lane += 1u) {
        dst[i * lanes + lane] = value_at(cell, lane);
    }
    // @end
    // @when SHARE bilinear
    let x = between(position.x, params.origin_x, params.size_x, u.x, cell.x, last.x);
    let z = between(position.y, params.origin_z, params.size_z, u.y, cell.y, last.y);
    for (var lane = 0u; lane < lanes; lane += 1u) {
        let near = blend(value_at(vec2<i32>(x.low, z.low), lane), value_at(vec2<i32>(x.high, z.low), lane), x.part);
        let far = blend(value_at(vec2<i32>(x.low, z.high), lane), value_at(vec2<i32>(x.high, z.high), lane), x.part);
        dst[i * lanes + lane] = blend(near, far, z.part);
    }
    // @end
}
