//! The rule, as pure functions: which cell a point stands in, how far a cell is, and what that distance means.

use crate::{Error, Result};
use glam::DVec2;
use std::fmt::Display;

/// The largest cell coordinate in either direction. Within it the edge of a cell is exact in f64.
pub const MAX_CELL_COORD: i32 = 1 << 28;

/// The cells that a size is allowed to have, in world units: 2^-10 to 2^20.
pub(crate) const CELL_SIZES: [f32; 2] = [1.0 / 1024.0, 1_048_576.0];

/// A cell: a square column on the ground plane. Ordered by x, then by z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellKey {
    /// Counted along +X; cell 0 begins at the origin.
    pub x: i32,
    /// Counted along +Z.
    pub z: i32,
}

impl CellKey {
    /// The cell of these coordinates.
    pub const fn new(x: i32, z: i32) -> Self {
        Self { x, z }
    }
}

impl std::fmt::Display for CellKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.z)
    }
}

/// The square of a cell on the ground plane, in world units: `min` belongs to it, `max` to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellBounds {
    /// The corner of the lowest x and z.
    pub min: DVec2,
    /// The corner of the highest x and z.
    pub max: DVec2,
}

/// What a source says of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// Within the inner radius: it stands.
    Resident,
    /// Between the radii: it stays as it is.
    Hold,
    /// Past the outer radius: it goes.
    Released,
}

/// A cell size that can be used: finite and within range.
pub(crate) fn check_cell_size(cell_size: f32) -> Result<()> {
    let [low, high] = CELL_SIZES;
    if (low..=high).contains(&cell_size) {
        return Ok(());
    }
    Err(Error::value(
        "cell size",
        format!("{low} to {high} world units"),
        cell_size,
    ))
}

/// The cell that a point of the ground plane stands in. A point on an edge belongs to the cell of the higher coordinate.
///
/// # Errors
/// A coordinate that is not finite or further than [`MAX_CELL_COORD`] cells from the origin; a size outside of 2^-10 to
/// 2^20.
pub fn cell_key_at(x: f32, z: f32, cell_size: f32) -> Result<CellKey> {
    check_cell_size(cell_size)?;
    Ok(CellKey {
        x: cell_coord("x", x, cell_size)?,
        z: cell_coord("z", z, cell_size)?,
    })
}

fn cell_coord(axis: &str, at: f32, cell_size: f32) -> Result<i32> {
    let (wide, size) = (f64::from(at), f64::from(cell_size));
    let guess = (wide / size).floor();
    // NaN and infinity are not within.
    let within = guess.abs() < f64::from(MAX_CELL_COORD);
    if !within {
        let far = f64::from(MAX_CELL_COORD) * size;
        return Err(Error::value(
            format!("position {axis}"),
            format!("a finite number within {far} world units of the origin"),
            at,
        ));
    }
    // The quotient may round up to a whole number from just below it; the edges themselves are exact products.
    let exact = if wide < guess * size { guess - 1.0 } else { guess };
    Ok(exact as i32)
}

/// The coordinates of a cell, as `(x, z)`.
pub const fn cell_coords(key: CellKey) -> (i32, i32) {
    (key.x, key.z)
}

/// The square of a cell. Every point that [`cell_key_at`] files in the cell has `min <= point < max`, exactly.
///
/// # Errors
/// A key past [`MAX_CELL_COORD`]; a size outside of 2^-10 to 2^20.
pub fn cell_bounds(key: CellKey, cell_size: f32) -> Result<CellBounds> {
    check_cell_size(cell_size)?;
    check_key(key)?;
    Ok(bounds(key, cell_size))
}

pub(crate) fn check_key(key: CellKey) -> Result<()> {
    if key.x.unsigned_abs() <= MAX_CELL_COORD as u32 && key.z.unsigned_abs() <= MAX_CELL_COORD as u32 {
        return Ok(());
    }
    Err(Error::value(
        "cell key",
        format!("coordinates within {MAX_CELL_COORD} of 0"),
        key,
    ))
}

fn bounds(key: CellKey, cell_size: f32) -> CellBounds {
    let size = f64::from(cell_size);
    let corner = |x: f64, z: f64| DVec2::new(x * size, z * size);
    CellBounds {
        min: corner(f64::from(key.x), f64::from(key.z)),
        max: corner(f64::from(key.x) + 1.0, f64::from(key.z) + 1.0),
    }
}

/// The distance on the ground plane from a point to the nearest edge of a cell, 0 inside of it, in world units.
///
/// To the edge, because the near corner of a cell whose centre reads as far may be the ground that the source stands on.
///
/// # Errors
/// A coordinate that is not finite; a key or size out of range.
pub fn cell_distance(key: CellKey, cell_size: f32, x: f32, z: f32) -> Result<f64> {
    check_cell_size(cell_size)?;
    check_key(key)?;
    for (axis, value) in [("x", x), ("z", z)] {
        if !value.is_finite() {
            return Err(Error::value(format!("position {axis}"), "a finite number", value));
        }
    }
    Ok(edge_distance(key, cell_size, DVec2::new(f64::from(x), f64::from(z))))
}

/// [`cell_distance`] of values that were checked when they came in.
pub(crate) fn edge_distance(key: CellKey, cell_size: f32, point: DVec2) -> f64 {
    let CellBounds { min, max } = bounds(key, cell_size);
    let outside = |low: f64, at: f64, high: f64| (low - at).max(at - high).max(0.0);
    let dx = outside(min.x, point.x, max.x);
    let dz = outside(min.y, point.y, max.y);
    (dx * dx + dz * dz).sqrt()
}

/// Two radii with a band between them, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Band {
    pub(crate) inner: f32,
    pub(crate) outer: f32,
}

impl Band {
    /// # Errors
    /// A radius that is negative or not finite; no band between the two.
    pub(crate) fn new(
        scope: &dyn Display,
        [inner_name, outer_name]: [&'static str; 2],
        inner: f32,
        outer: f32,
    ) -> Result<Self> {
        for (name, radius) in [(inner_name, inner), (outer_name, outer)] {
            if !(radius.is_finite() && radius >= 0.0) {
                let what = format!("{name} of {scope}");
                return Err(Error::value(what, "a finite number of at least 0", radius));
            }
        }
        if outer > inner {
            return Ok(Self { inner, outer });
        }
        let scope = scope.to_string();
        Err(Error::NoBand {
            scope,
            inner_name,
            inner,
            outer_name,
            outer,
        })
    }

    pub(crate) fn decide(self, distance: f64) -> Verdict {
        if distance <= f64::from(self.inner) {
            Verdict::Resident
        } else if distance > f64::from(self.outer) {
            Verdict::Released
        } else {
            Verdict::Hold
        }
    }
}

pub(crate) const CONTENT: [&str; 2] = ["load radius", "unload radius"];
pub(crate) const FAR: [&str; 2] = ["proxy radius", "proxy unload radius"];

fn check_distance(distance: f64) -> Result<()> {
    if distance >= 0.0 {
        return Ok(());
    }
    Err(Error::value("distance", "a number of at least 0", distance))
}

/// What one source says of a cell's content: resident up to `load_radius` (included), released past `unload_radius`, and
/// in between as it was.
///
/// # Errors
/// An unload radius that does not exceed the load radius; a radius that is negative or not finite; a distance that is
/// negative or NaN.
pub fn decide(distance: f64, load_radius: f32, unload_radius: f32) -> Result<Verdict> {
    check_distance(distance)?;
    Ok(Band::new(&"the radius pair", CONTENT, load_radius, unload_radius)?.decide(distance))
}

/// The same rule over the far-field radii, for the stand-in that a released cell is drawn as.
///
/// # Errors
/// As [`decide`].
pub fn proxy_decide(distance: f64, proxy_radius: f32, proxy_unload_radius: f32) -> Result<Verdict> {
    check_distance(distance)?;
    Ok(Band::new(&"the radius pair", FAR, proxy_radius, proxy_unload_radius)?.decide(distance))
}
