// The boxes that the bvh kernels fold: the box of nothing, the box around two, whether two overlap, and which coordinates
// count. It binds nothing, so that any kernel may include it.
// @use zero_noise

struct ZeroBox {
    low: vec3<f32>,
    high: vec3<f32>,
}

// 2^32: the bounds of the empty box, and the first lane of a shape that is void.
const ZERO_VOID: f32 = 4294967296.0;

fn zero_empty_box() -> ZeroBox {
    return ZeroBox(vec3<f32>(ZERO_VOID), vec3<f32>(-ZERO_VOID));
}

fn zero_is_empty(box: ZeroBox) -> bool {
    return box.low.x > box.high.x;
}

fn zero_grow(a: ZeroBox, b: ZeroBox) -> ZeroBox {
    return ZeroBox(min(a.low, b.low), max(a.high, b.high));
}

// Boxes that touch overlap; the box of nothing overlaps none.
fn zero_overlaps(a: ZeroBox, b: ZeroBox) -> bool {
    return !zero_is_empty(a) && !zero_is_empty(b) && all(a.low <= b.high) && all(a.high >= b.low);
}

// At most 2^30 from the origin, and a number: no comparison of floats tells the latter.
fn zero_is_near(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) <= 0x4e800000u;
}

fn zero_all_near(v: vec3<f32>) -> bool {
    return zero_is_near(v.x) && zero_is_near(v.y) && zero_is_near(v.z);
}

fn zero_clean(v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(zn_clean(v.x), zn_clean(v.y), zn_clean(v.z));
}
