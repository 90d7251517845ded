//! What the kernels over triangles share; the twin of `triangle.wgsl`.

/// Three components.
pub(super) type V = [f32; 3];

/// A triangle mesh by its columns.
#[derive(Clone, Copy)]
pub(super) struct Mesh<'a> {
    pub(super) starts: &'a [i32],
    pub(super) corners: &'a [i32],
    pub(super) places: &'a [f32],
}

impl Mesh<'_> {
    /// The points of a face's corners; nothing where one of them is no point of the mesh.
    pub(super) fn corners_of(&self, face: usize) -> Option<[usize; 3]> {
        let start = self.starts.get(face)?.cast_unsigned();
        let mut points = [0; 3];
        for (corner, point) in (0..3).zip(&mut points) {
            let at = *self.corners.get(start.wrapping_add(corner) as usize)?;
            *point = usize::try_from(at).ok()?;
            if *point >= self.places.len() / 3 {
                return None;
            }
        }
        Some(points)
    }
}

/// A vector of an interleaved run; zero past its end.
pub(super) fn vector(words: &[f32], at: usize) -> V {
    match words.get(at * 3..at * 3 + 3) {
        Some(&[x, y, z]) => [x, y, z],
        _ => [0.0; 3],
    }
}

pub(super) fn span(a: V, b: V) -> V {
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

/// The vector product.
pub(super) fn square_on(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(super) fn size_of(v: V) -> f32 {
    zero_noise::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}

/// Of length 1; the zero vector stays, since division by 0 answers 0.
pub(super) fn unit_of(v: V) -> V {
    let size = size_of(v);
    v.map(|lane| zero_noise::div(lane, size))
}

/// `a` moved by a share of the way to `b` and one of the way to `c`.
pub(super) fn blend(a: V, b: V, c: V, u: f32, v: f32) -> V {
    let (ab, ac) = (span(a, b), span(a, c));
    std::array::from_fn(|lane| a[lane] + (ab[lane] * u + ac[lane] * v))
}
