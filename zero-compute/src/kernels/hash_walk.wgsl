// The points within a radius of a place, one after the other: cell by cell (Z, then Y, then X ascending), and in a
// cell by their number.

struct Walk {
    place: vec3<f32>,
    low: vec3<i32>,
    high: vec3<i32>,
    cell: vec3<i32>,
    at: u32,
    end: u32,
    // Squared distance of the point found last.
    square: f32,
}

fn point_at(j: u32) -> vec3<f32> {
    return vec3<f32>(zn_clean(points[j * 3u]), zn_clean(points[j * 3u + 1u]), zn_clean(points[j * 3u + 2u]));
}

fn square_between(p: vec3<f32>, q: vec3<f32>) -> f32 {
    let x = zn_keep(p.x - q.x);
    let y = zn_keep(p.y - q.y);
    let z = zn_keep(p.z - q.z);
    return zn_keep(zn_keep(zn_mul(x, x) + zn_mul(y, y)) + zn_mul(z, z));
}

fn enter_cell(walk: ptr<function, Walk>) {
    let bucket = bucket_of((*walk).cell);
    (*walk).at = starts[bucket];
    (*walk).end = starts[bucket + 1u];
}

// A point within the radius, as rounded, has coordinates within `reach`, which is a little more; cells ascend with
// coordinates, so that it stands in one of these cells.
fn walk_from(place: vec3<f32>) -> Walk {
    var walk: Walk;
    let reach = vec3<f32>(params.reach);
    walk.place = place;
    walk.low = cell_of(place - reach);
    walk.high = cell_of(place + reach);
    walk.cell = walk.low;
    enter_cell(&walk);
    return walk;
}

// The next point's number, or -1 at the end.
fn walk_on(walk: ptr<function, Walk>) -> i32 {
    loop {
        while ((*walk).at < (*walk).end) {
            let j = order[(*walk).at];
            (*walk).at += 1u;
            let q = point_at(u32(j));
            let square = square_between((*walk).place, q);
            // Cells that share a bucket are told apart by where the point stands.
            if (square <= params.square && all(cell_of(q) == (*walk).cell)) {
                (*walk).square = square;
                return j;
            }
        }
        if ((*walk).cell.x < (*walk).high.x) {
            (*walk).cell.x += 1;
        } else if ((*walk).cell.y < (*walk).high.y) {
            (*walk).cell = vec3<i32>((*walk).low.x, (*walk).cell.y + 1, (*walk).cell.z);
        } else if ((*walk).cell.z < (*walk).high.z) {
            (*walk).cell = vec3<i32>((*walk).low.x, (*walk).low.y, (*walk).cell.z + 1);
        } else {
            return -1;
        }
        enter_cell(walk);
    }
    return -1;
}

fn kept(v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(zn_keep(v.x), zn_keep(v.y), zn_keep(v.z));
}

// 0 where the divisor is.
fn divided(v: vec3<f32>, by: f32) -> vec3<f32> {
    return vec3<f32>(zn_div(v.x, by), zn_div(v.y, by), zn_div(v.z, by));
}
