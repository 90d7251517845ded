// The primitives along rays.

// Boxes are widened by this share (2^-19) of their reach from the ray's origin, so that rounding lets no ray slip
// between primitives that touch.
const WIDER: f32 = 1.9073486328125e-6;
// 2^-24: an axis along which a ray moves less than this share of its longest is one that it runs across.
const ACROSS: f32 = 5.9604644775390625e-8;
const GREATEST: f32 = 3.4028234663852886e38;

struct Ray {
    origin: vec3<f32>,
    direction: vec3<f32>,
    // Of the direction; 0 for an axis that the ray runs across.
    inverse: vec3<f32>,
    // What straightens the ray along its longest axis, the third of `axes`.
    shear: vec3<f32>,
    axes: vec3<u32>,
    least: f32,
    most: f32,
}

var<private> ray: Ray;
var<private> found: u32;
var<private> best: f32;
var<private> best_share: vec2<f32>;

fn is_number(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) <= 0x7f800000u;
}

fn is_across(along: f32, longest: f32) -> bool {
    return abs(along) < zn_mul(abs(longest), ACROSS);
}

// Whether there is such a ray: a ray of no length, of too great a one or of what is no number meets nothing.
fn aim(i: u32) -> bool {
    let at = i * 8u;
    let origin = vec3<f32>(rays[at], rays[at + 1u], rays[at + 2u]);
    let direction = vec3<f32>(rays[at + 3u], rays[at + 4u], rays[at + 5u]);
    if (!(zero_all_near(origin) && zero_all_near(direction) && is_number(rays[at + 6u]) && is_number(rays[at + 7u]))) {
        return false;
    }
    ray.origin = zero_clean(origin);
    ray.direction = zero_clean(direction);
    let size = abs(ray.direction);
    var longest = 0u;
    if (size.y > size.x) {
        longest = 1u;
    }
    if (size.z > max(size.x, size.y)) {
        longest = 2u;
    }
    ray.axes = vec3<u32>((longest + 1u) % 3u, (longest + 2u) % 3u, longest);
    let along = ray.direction[longest];
    // 2^-30.
    if (abs(along) < 9.313225746154785e-10) {
        return false;
    }
    for (var axis = 0u; axis < 3u; axis += 1u) {
        ray.inverse[axis] = 0.0;
        if (!is_across(ray.direction[axis], along)) {
            ray.inverse[axis] = zn_recip(ray.direction[axis]);
        }
    }
    ray.shear = vec3<f32>(
        zn_div(ray.direction[ray.axes.x], along),
        zn_div(ray.direction[ray.axes.y], along),
        zn_recip(along),
    );
    ray.least = zn_clean(rays[at + 6u]);
    ray.most = zn_clean(rays[at + 7u]);
    return ray.least <= ray.most;
}

struct Span {
    is_met: bool,
    near: f32,
    far: f32,
}

// Where the ray is in a box. A box in another never has a wider span: every step here keeps the order of what goes in.
fn slabs(box: ZeroBox, wider: f32) -> Span {
    if (zero_is_empty(box)) {
        return Span(false, 0.0, 0.0);
    }
    let low = kept(box.low - ray.origin);
    let high = kept(box.high - ray.origin);
    let sides = max(abs(low), abs(high));
    let margin = zn_mul(max(max(sides.x, sides.y), sides.z), wider);
    var near = -GREATEST;
    var far = GREATEST;
    for (var axis = 0u; axis < 3u; axis += 1u) {
        let lower = zn_keep(low[axis] - margin);
        let upper = zn_keep(high[axis] + margin);
        if (ray.inverse[axis] == 0.0) {
            if (lower > 0.0 || upper < 0.0) {
                return Span(false, 0.0, 0.0);
            }
        } else {
            let a = zn_mul(lower, ray.inverse[axis]);
            let b = zn_mul(upper, ray.inverse[axis]);
            near = max(near, min(a, b));
            far = min(far, max(a, b));
        }
    }
    return Span(near <= far, near, far);
}

fn reach(box: ZeroBox) -> Reach {
    let span = slabs(box, WIDER);
    let at = max(span.near, ray.least);
    return Reach(span.is_met && at <= min(span.far, best), at);
}

fn limit() -> f32 {
    // @when MODE any
    if (found != NONE) {
        return -GREATEST;
    }
    // @end
    return best;
}

// @when SHAPE triangles
// Woop, Benthin and Wald, Watertight Ray/Triangle Intersection (2013), without their second attempt in double precision:
// a rounded difference of products may be 0, but never has the wrong sign, and 0 counts as inside.
fn sheared(leaf: u32, first: u32) -> vec3<f32> {
    let p = kept(leaf_point(leaf, first) - ray.origin);
    let along = p[ray.axes.z];
    return vec3<f32>(
        zn_keep(p[ray.axes.x] - zn_mul(ray.shear.x, along)),
        zn_keep(p[ray.axes.y] - zn_mul(ray.shear.y, along)),
        zn_mul(ray.shear.z, along),
    );
}

fn side(p: vec3<f32>, q: vec3<f32>) -> f32 {
    return zn_keep(zn_mul(p.x, q.y) - zn_mul(p.y, q.x));
}

struct Met {
    span: Span,
    share: vec2<f32>,
}

fn meet(leaf: u32, span: Span) -> Met {
    let a = sheared(leaf, 0u);
    let b = sheared(leaf, 3u);
    let c = sheared(leaf, 6u);
    let u = side(c, b);
    let v = side(a, c);
    let w = side(b, a);
    let whole = zn_keep(zn_keep(u + v) + w);
    let is_outside = (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0);
    if (is_outside || whole == 0.0) {
        return Met(Span(false, 0.0, 0.0), vec2<f32>(0.0));
    }
    let shares = vec3<f32>(zn_div(u, whole), zn_div(v, whole), zn_div(w, whole));
    let at = clamp(dotted(shares, vec3<f32>(a.z, b.z, c.z)), span.near, span.far);
    return Met(Span(true, at, at), shares.yz);
}
// @end
// @when SHAPE boxes
struct Met {
    span: Span,
    share: vec2<f32>,
}

fn meet(leaf: u32, span: Span) -> Met {
    return Met(slabs(zero_leaf_box(leaf), 0.0), vec2<f32>(0.0));
}
// @end
// @when SHAPE balls
struct Met {
    span: Span,
    share: vec2<f32>,
}

// From the point of the line that is nearest to the centre half a chord each way: what is far away keeps its digits.
fn meet(leaf: u32, span: Span) -> Met {
    let radius = leaves[leaf * params.leaves_lanes + 3u];
    let away = kept(ray.origin - leaf_point(leaf, 0u));
    let square = dotted(ray.direction, ray.direction);
    let middle = zn_div(zn_negate(dotted(away, ray.direction)), square);
    let nearest = kept(away + times(ray.direction, middle));
    let rest = zn_keep(zn_mul(radius, radius) - dotted(nearest, nearest));
    if (rest < 0.0) {
        return Met(Span(false, 0.0, 0.0), vec2<f32>(0.0));
    }
    let half = zn_sqrt(zn_div(rest, square));
    let near = clamp(zn_keep(middle - half), span.near, span.far);
    let far = clamp(zn_keep(middle + half), span.near, span.far);
    return Met(Span(true, near, far), vec2<f32>(0.0));
}
// @end

// A hit lies in the widened box of its primitive, so that no box around it is passed by for a nearer hit.
fn take(leaf: u32, number: u32) {
    // @when MODE any
    if (found != NONE) {
        return;
    }
    // @end
    let span = slabs(zero_leaf_box(leaf), WIDER);
    if (!span.is_met) {
        return;
    }
    let met = meet(leaf, span);
    let at = max(met.span.near, ray.least);
    if (!met.span.is_met || at > min(met.span.far, ray.most)) {
        return;
    }
    // Of equally near ones the lowest number.
    if (at < best || (at == best && number < found)) {
        best = at;
        found = number;
        best_share = met.share;
    }
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    found = NONE;
    best = 0.0;
    best_share = vec2<f32>(0.0);
    visits = 0u;
    // A GPU binds a column of no elements as one word.
    if (i < zero_live() && params.capacity > 0u && aim(i)) {
        best = ray.most;
        walk();
    }
    primitive[i] = bitcast<i32>(found);
    t[i] = select(zn_clean(best), 0.0, found == NONE);
    uv[i * 2u] = zn_clean(best_share.x);
    uv[i * 2u + 1u] = zn_clean(best_share.y);
    visited[i] = visits;
}
