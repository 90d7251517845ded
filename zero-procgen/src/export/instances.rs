//! The poses of a population's copies.

use super::surface::{Source, Vec3, length};
use crate::download::{HostColumn, HostGeometry};
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};

/// Where each copy stands: translation, rotation (a unit quaternion x, y, z, w), scale. A copy is scaled, then turned,
/// then moved.
pub(super) struct Poses {
    pub(super) translations: Vec<Vec3>,
    pub(super) rotations: Vec<[f32; 4]>,
    pub(super) scales: Vec<Vec3>,
}

impl Poses {
    /// Reads `P`, and where the points carry them `scale`, and `orient` or else `yaw` and `N`.
    pub(super) fn read(name: &str, points: &HostGeometry) -> Result<Poses> {
        let source = Source { name, geometry: points };
        let translations = source.finite3(Class::Point, "P")?.to_vec();
        let count = translations.len();
        let scales = scales(&source, count)?;
        if points.attribute(Class::Point, "orient").is_some() {
            let rotations = source.rotations("orient")?;
            return Ok(Poses {
                translations,
                rotations,
                scales,
            });
        }
        let yaws = match points.attribute(Class::Point, "yaw") {
            Some(_) => source.finite1(Class::Point, "yaw")?.to_vec(),
            None => vec![0.0; count],
        };
        let rotations = match points.attribute(Class::Point, "N") {
            Some(_) => {
                let ups = source.finite3(Class::Point, "N")?;
                yaws.iter().zip(ups).map(|(yaw, up)| rotation(*yaw, *up)).collect()
            }
            None => yaws.iter().map(|yaw| rotation(*yaw, [0.0, 1.0, 0.0])).collect(),
        };
        Ok(Poses {
            translations,
            rotations,
            scales,
        })
    }
}

fn scales(source: &Source<'_>, count: usize) -> Result<Vec<Vec3>> {
    match source.geometry.attribute(Class::Point, "scale") {
        None => Ok(vec![[1.0; 3]; count]),
        Some(HostColumn::Float(_)) => {
            let scales = source.finite1(Class::Point, "scale")?;
            Ok(scales.iter().map(|scale| [*scale; 3]).collect())
        }
        Some(HostColumn::Vec3(_)) => Ok(source.finite3(Class::Point, "scale")?.to_vec()),
        Some(other) => Err(Error::Kind {
            what: format!("mesh '{}', point.scale", source.name),
            expected: format!("{} or {}", Type::Float.name(), Type::Vec3.name()),
            found: other.ty().name().to_owned(),
        }),
    }
}

/// A turn of `yaw` radians about +Y, then the shortest one that brings +Y to `up`; an `up` of no length stays +Y.
///
/// A turn by an angle about an axis is (axis * sin(angle / 2), cos(angle / 2)); the shortest arc from a to b is
/// (a x b, 1 + a . b), made unit.
fn rotation(yaw: f32, up: Vec3) -> [f32; 4] {
    let (sin, cos) = (zero_noise::sin(yaw * 0.5), zero_noise::cos(yaw * 0.5));
    let (sin, cos) = (f64::from(sin), f64::from(cos));
    let arc = shortest_arc(up);
    let turned = [
        arc[0] * cos - arc[2] * sin,
        arc[1] * cos + arc[3] * sin,
        arc[2] * cos + arc[0] * sin,
        arc[3] * cos - arc[1] * sin,
    ];
    let whole = length(&turned);
    turned.map(|lane| (lane / whole) as f32)
}

fn shortest_arc(up: Vec3) -> [f64; 4] {
    let up = up.map(f64::from);
    let long = length(&up);
    if long == 0.0 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let [x, y, z] = up.map(|lane| lane / long);
    let arc = [z, 0.0, -x, 1.0 + y];
    let whole = length(&arc);
    // Straight down there is no shortest way; any half turn will do.
    if whole < 1e-9 {
        return [1.0, 0.0, 0.0, 0.0];
    }
    arc.map(|lane| lane / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// v + 2 q.xyz x (q.xyz x v + w v).
    fn turn(q: [f32; 4], v: Vec3) -> Vec3 {
        let (axis, vector) = (glam::Vec3::new(q[0], q[1], q[2]), glam::Vec3::from(v));
        (vector + 2.0 * axis.cross(axis.cross(vector) + q[3] * vector)).to_array()
    }

    fn check(yaw: f32, up: Vec3, from: Vec3, to: Vec3) {
        let q = rotation(yaw, up);
        let unit = q.iter().map(|lane| lane * lane).sum::<f32>();
        assert!((unit - 1.0).abs() < 1e-6, "{q:?}");
        let found = turn(q, from);
        let off = found.iter().zip(to).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(
            off < 1e-6,
            "yaw {yaw}, up {up:?}: {from:?} to {found:?}, expected {to:?}"
        );
    }

    #[test]
    fn a_turn_about_y_is_counter_clockwise_from_above() {
        let quarter = std::f32::consts::FRAC_PI_2;
        check(quarter, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
        check(quarter, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    }

    #[test]
    fn up_follows_the_normal() {
        for up in [
            [0.0, -1.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 0.6, -0.8],
            [1e-4, -1.0, 0.0],
            [3e-8, -1.0, 2e-8],
        ] {
            let long = up.iter().map(|lane: &f32| lane * lane).sum::<f32>().sqrt();
            check(0.7, up, [0.0, 1.0, 0.0], up.map(|lane| lane / long));
        }
        // The turn comes first: it is about the copy's own up.
        check(
            std::f32::consts::FRAC_PI_2,
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 0.0, -1.0],
        );
    }
}
