//! What stands at the leaves of a tree of boxes, as the CPU sees it: the twin of `bvh_box.wgsl`, `bvh_leaf.wgsl`, and the
//! parts of `bvh_ray.wgsl` and `bvh_nearest.wgsl` that ask a leaf.

use super::bvh_ray::{Ray, Span};

/// Three coordinates.
pub(super) type Vector = [f32; 3];

/// As `ZERO_VOID` of `bvh_box.wgsl`.
pub(super) const VOID: f32 = 4_294_967_296.0;
/// The bits of 2^30, the farthest from the origin that counts.
const FAR_BITS: u32 = 0x4e80_0000;

/// A number, and at most 2^30 from the origin.
pub(super) fn is_near(x: f32) -> bool {
    x.to_bits() & 0x7fff_ffff <= FAR_BITS
}

pub(super) fn all_near(v: Vector) -> bool {
    v.into_iter().all(is_near)
}

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn times(v: Vector, by: f32) -> Vector {
    v.map(|x| x * by)
}

pub(super) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn least(a: Vector, b: Vector) -> Vector {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].min(b[2])]
}

fn greatest(a: Vector, b: Vector) -> Vector {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]
}

/// Keeps `x` within bounds. Unlike the standard library's it does not mind bounds that are the wrong way around.
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    x.max(low).min(high)
}

/// A box; where it is empty its lower bounds are above the upper ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: Vector,
    pub(super) high: Vector,
}

impl Bounds {
    pub(super) const EMPTY: Bounds = Bounds {
        low: [VOID; 3],
        high: [-VOID; 3],
    };
    /// What stands in slots that are not used.
    pub(super) const ZERO: Bounds = Bounds {
        low: [0.0; 3],
        high: [0.0; 3],
    };

    pub(super) fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    pub(super) fn grow(self, other: Bounds) -> Bounds {
        Bounds {
            low: least(self.low, other.low),
            high: greatest(self.high, other.high),
        }
    }

    /// The square of the distance of a place. A box in another is never nearer: every step keeps the order of what
    /// goes in.
    pub(super) fn square(&self, place: Vector) -> f32 {
        let outside = greatest(greatest(sub(self.low, place), sub(place, self.high)), [0.0; 3]);
        dot(outside, outside)
    }

    fn point(&self, place: Vector, at: Vector) -> Point {
        let at = [0, 1, 2].map(|axis: usize| clamp(at[axis], self.low[axis], self.high[axis]));
        let away = sub(place, at);
        Point {
            at,
            square: dot(away, away),
        }
    }
}

/// A point of a shape, and the square of its distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) at: Vector,
    pub(super) square: f32,
}

impl Point {
    fn or_nearer(self, other: Point) -> Point {
        if other.square < self.square { other } else { self }
    }
}

/// Where a ray is in a shape, and the shares of the second and third corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) span: Span,
    pub(super) shares: [f32; 2],
}

impl From<Span> for Met {
    fn from(span: Span) -> Met {
        Met { span, shares: [0.0; 2] }
    }
}

/// A kind of shape, a leaf each `LANES` words. Words that are not there are void.
pub(super) trait Leaf {
    const LANES: usize;
    fn bounds(words: &[f32]) -> Bounds;
    /// Where the ray, which is in the box of the shape over `span`, is in the shape.
    fn meet(words: &[f32], ray: &Ray, span: Span) -> Option<Met>;
    /// The nearest point, which is one of the box of the shape at least.
    fn point(words: &[f32], bounds: &Bounds, place: Vector) -> Point;
}

/// The words of a leaf.
pub(super) fn words_of<L: Leaf>(leaves: &[f32], leaf: usize) -> &[f32] {
    leaf.checked_mul(L::LANES)
        .and_then(|first| leaves.get(first..first + L::LANES))
        .unwrap_or_default()
}

/// Three corners, of which the first is void where the triangle is.
pub(super) struct Triangle;
/// The bounds of a box.
pub(super) struct Block;
/// A centre and a radius.
pub(super) struct Ball;

fn corners(words: &[f32]) -> [Vector; 3] {
    match *words {
        [ax, ay, az, bx, by, bz, cx, cy, cz] => [[ax, ay, az], [bx, by, bz], [cx, cy, cz]],
        _ => [[VOID; 3]; 3],
    }
}

impl Leaf for Triangle {
    const LANES: usize = 9;

    fn bounds(words: &[f32]) -> Bounds {
        let [a, b, c] = corners(words);
        if a[0] >= VOID {
            return Bounds::EMPTY;
        }
        Bounds {
            low: least(least(a, b), c),
            high: greatest(greatest(a, b), c),
        }
    }

    fn meet(words: &[f32], ray: &Ray, span: Span) -> Option<Met> {
        let [a, b, c] = corners(words).map(|corner| ray.sheared(corner));
        let side = |p: Vector, q: Vector| p[0] * q[1] - p[1] * q[0];
        let sides = [side(c, b), side(a, c), side(b, a)];
        let whole = sides[0] + sides[1] + sides[2];
        let is_outside = sides.iter().any(|side| *side < 0.0) && sides.iter().any(|side| *side > 0.0);
        if is_outside || whole == 0.0 {
            return None;
        }
        let shares = sides.map(|side| zero_noise::div(side, whole));
        let at = clamp(dot(shares, [a[2], b[2], c[2]]), span.near, span.far);
        Some(Met {
            span: Span { near: at, far: at },
            shares: [shares[1], shares[2]],
        })
    }

    fn point(words: &[f32], bounds: &Bounds, place: Vector) -> Point {
        let [a, b, c] = corners(words);
        let on_edge = |a: Vector, b: Vector| {
            let edge = sub(b, a);
            let along = zero_noise::div(dot(sub(place, a), edge), dot(edge, edge));
            bounds.point(place, add(a, times(edge, clamp(along, 0.0, 1.0))))
        };
        let mut point = on_edge(a, b).or_nearer(on_edge(b, c)).or_nearer(on_edge(c, a));
        let (ab, ac, from) = (sub(b, a), sub(c, a), sub(place, a));
        let (bb, bc, cc) = (dot(ab, ab), dot(ab, ac), dot(ac, ac));
        let (b_along, c_along) = (dot(from, ab), dot(from, ac));
        let whole = bb * cc - bc * bc;
        let v = zero_noise::div(cc * b_along - bc * c_along, whole);
        let w = zero_noise::div(bb * c_along - bc * b_along, whole);
        if whole > 0.0 && v > 0.0 && w > 0.0 && v + w < 1.0 {
            point = point.or_nearer(bounds.point(place, add(add(a, times(ab, v)), times(ac, w))));
        }
        point
    }
}

impl Leaf for Block {
    const LANES: usize = 6;

    fn bounds(words: &[f32]) -> Bounds {
        match *words {
            [lx, ly, lz, hx, hy, hz] => Bounds {
                low: [lx, ly, lz],
                high: [hx, hy, hz],
            },
            _ => Bounds::EMPTY,
        }
    }

    fn meet(words: &[f32], ray: &Ray, _span: Span) -> Option<Met> {
        ray.slabs(&Self::bounds(words), 0.0).map(Met::from)
    }

    fn point(_words: &[f32], bounds: &Bounds, place: Vector) -> Point {
        bounds.point(place, place)
    }
}

fn ball(words: &[f32]) -> (Vector, f32) {
    match *words {
        [x, y, z, radius] => ([x, y, z], radius),
        _ => ([VOID; 3], 0.0),
    }
}

impl Leaf for Ball {
    const LANES: usize = 4;

    fn bounds(words: &[f32]) -> Bounds {
        let (centre, radius) = ball(words);
        if centre[0] >= VOID {
            return Bounds::EMPTY;
        }
        Bounds {
            low: sub(centre, [radius; 3]),
            high: add(centre, [radius; 3]),
        }
    }

    fn meet(words: &[f32], ray: &Ray, span: Span) -> Option<Met> {
        let (centre, radius) = ball(words);
        let from = sub(ray.origin, centre);
        let square = dot(ray.direction, ray.direction);
        let middle = zero_noise::div(-dot(from, ray.direction), square);
        let nearest = add(from, times(ray.direction, middle));
        let rest = radius * radius - dot(nearest, nearest);
        if rest < 0.0 {
            return None;
        }
        let half = zero_noise::sqrt(zero_noise::div(rest, square));
        let met = Span {
            near: clamp(middle - half, span.near, span.far),
            far: clamp(middle + half, span.near, span.far),
        };
        Some(Met::from(met))
    }

    fn point(words: &[f32], bounds: &Bounds, place: Vector) -> Point {
        let (centre, radius) = ball(words);
        let out = sub(place, centre);
        let far = zero_noise::sqrt(dot(out, out));
        if far <= radius {
            return bounds.point(place, place);
        }
        bounds.point(place, add(centre, times(out, zero_noise::div(radius, far))))
    }
}
