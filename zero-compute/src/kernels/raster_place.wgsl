// Where a point stands on a raster. It is found in the whole of it, so that every tile finds the same.
// @use zero_noise

// How many cells a coordinate is from the raster's edge.
fn cells_along(position: f32, origin: f32, size: f32) -> f32 {
    return clamp(zn_div(zn_keep(zn_clean(position) - origin), size), -8388608.0, 8388608.0);
}

// Both coordinates of a point: its first and its last lane.
fn position_of(i: u32) -> vec2<f32> {
    let at = i * params.points_lanes;
    return vec2<f32>(points[at], points[at + params.points_lanes - 1u]);
}

fn along(position: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(
        cells_along(position.x, params.origin_x, params.size_x),
        cells_along(position.y, params.origin_z, params.size_z),
    );
}

// The tile's own cell, counted from its first: outside its interior where the cell is another tile's.
fn own_cell(cell: vec2<i32>) -> vec2<i32> {
    return cell - vec2<i32>(i32(params.first_x), i32(params.first_z));
}

fn is_interior(own: vec2<i32>) -> bool {
    return own.x >= 0 && own.y >= 0 && own.x < i32(params.wide) && own.y < i32(params.high);
}
