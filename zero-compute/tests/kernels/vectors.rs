//! Vectors of three floats as the kernels calculate with them: every product and sum rounded by itself.

/// A place, or a direction.
pub(crate) type Place = [f32; 3];

/// A quotient that is 0 where either number is, with +0 for every zero.
pub(crate) fn quotient(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a / b }
}

pub(crate) fn minus(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: Place, b: Place) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A place so far along a direction.
pub(crate) fn along(a: Place, direction: Place, by: f32) -> Place {
    [0, 1, 2].map(|k: usize| a[k] + direction[k] * by)
}
