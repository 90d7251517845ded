// The primitive nearest to each place, and its nearest point.

var<private> place: vec3<f32>;
var<private> found: u32;
var<private> best: f32;
var<private> best_point: vec3<f32>;

fn square_of(v: vec3<f32>) -> f32 {
    return dotted(v, v);
}

// A box in another is never nearer: every step here keeps the order of what goes in.
fn reach(box: ZeroBox) -> Reach {
    let outside = max(max(kept(box.low - place), kept(place - box.high)), vec3<f32>(0.0));
    let square = square_of(outside);
    return Reach(!zero_is_empty(box) && square <= best, square);
}

fn limit() -> f32 {
    return best;
}

struct Point {
    at: vec3<f32>,
    square: f32,
}

// A point of the box at least: then no box around it is passed by for a nearer point.
fn point_in(box: ZeroBox, at: vec3<f32>) -> Point {
    let inside = clamp(at, box.low, box.high);
    return Point(inside, square_of(kept(place - inside)));
}

fn nearer(a: Point, b: Point) -> Point {
    if (b.square < a.square) {
        return b;
    }
    return a;
}

// @when SHAPE triangles
fn on_edge(box: ZeroBox, a: vec3<f32>, b: vec3<f32>) -> Point {
    let edge = kept(b - a);
    let along = clamp(zn_div(dotted(kept(place - a), edge), square_of(edge)), 0.0, 1.0);
    return point_in(box, kept(a + times(edge, along)));
}

// The nearest of three edges and, where the place stands above the inside, of the plane: a sliver whose plane is lost to
// rounding still has its edges.
fn point_of(leaf: u32, box: ZeroBox) -> Point {
    let a = leaf_point(leaf, 0u);
    let b = leaf_point(leaf, 3u);
    let c = leaf_point(leaf, 6u);
    var point = nearer(nearer(on_edge(box, a, b), on_edge(box, b, c)), on_edge(box, c, a));
    let ab = kept(b - a);
    let ac = kept(c - a);
    let away = kept(place - a);
    let bb = square_of(ab);
    let bc = dotted(ab, ac);
    let cc = square_of(ac);
    let b_along = dotted(away, ab);
    let c_along = dotted(away, ac);
    let whole = zn_keep(zn_mul(bb, cc) - zn_mul(bc, bc));
    let v = zn_div(zn_keep(zn_mul(cc, b_along) - zn_mul(bc, c_along)), whole);
    let w = zn_div(zn_keep(zn_mul(bb, c_along) - zn_mul(bc, b_along)), whole);
    if (whole > 0.0 && v > 0.0 && w > 0.0 && zn_keep(v + w) < 1.0) {
        point = nearer(point, point_in(box, kept(kept(a + times(ab, v)) + times(ac, w))));
    }
    return point;
}
// @end
// @when SHAPE boxes
fn point_of(leaf: u32, box: ZeroBox) -> Point {
    return point_in(box, place);
}
// @end
// @when SHAPE balls
fn point_of(leaf: u32, box: ZeroBox) -> Point {
    let centre = leaf_point(leaf, 0u);
    let radius = leaves[leaf * params.leaves_lanes + 3u];
    let out = kept(place - centre);
    let far = zn_sqrt(square_of(out));
    if (far <= radius) {
        return point_in(box, place);
    }
    return point_in(box, kept(centre + times(out, zn_div(radius, far))));
}
// @end

fn take(leaf: u32, number: u32) {
    let box = zero_leaf_box(leaf);
    if (!reach(box).is_open) {
        return;
    }
    let point = point_of(leaf, box);
    // Of equally near ones the lowest number.
    if (point.square < best || (point.square == best && number < found)) {
        best = point.square;
        found = number;
        best_point = point.at;
    }
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    found = NONE;
    best = params.square;
    best_point = vec3<f32>(0.0);
    visits = 0u;
    // A GPU binds a column of no elements as one word.
    if (i < zero_live() && params.capacity > 0u) {
        place = vec3<f32>(places[i * 3u], places[i * 3u + 1u], places[i * 3u + 2u]);
        if (zero_all_near(place)) {
            place = zero_clean(place);
            walk();
        }
    }
    var far = -1.0;
    if (found != NONE) {
        far = zn_sqrt(best);
    }
    primitive[i] = bitcast<i32>(found);
    distances[i] = far;
    for (var k = 0u; k < 3u; k += 1u) {
        point[i * 3u + k] = zn_clean(best_point[k]);
    }
    visited[i] = visits;
}
