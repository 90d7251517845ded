//! Faces as the points around them, checked before anything is written.

use crate::download::{HostColumn, HostGeometry};
use crate::error::{Error, Result};
use crate::graph::wire::Class;

/// The corners of every face, as points.
pub(super) fn faces(geometry: &HostGeometry) -> Result<Vec<Vec<u32>>> {
    Ok(corners(geometry)?
        .into_iter()
        .map(|face| face.into_iter().map(|(_, point)| point).collect())
        .collect())
}

/// The corners of every face: the vertex and the point it stands on.
pub(super) fn corners(geometry: &HostGeometry) -> Result<Vec<Vec<(usize, u32)>>> {
    if geometry.count(Class::Primitive) == 0 {
        return Ok(Vec::new());
    }
    let points = geometry.count(Class::Point);
    let places = geometry.ints(Class::Vertex, "pt")?;
    let starts = geometry.ints(Class::Primitive, "vstart")?;
    let counts = geometry.ints(Class::Primitive, "vcount")?;
    let mut faces = Vec::with_capacity(starts.len());
    for (element, (start, count)) in starts.iter().zip(counts).enumerate() {
        let run = usize::try_from(*start).ok().zip(usize::try_from(*count).ok());
        let run = run.and_then(|(start, count)| places.get(start..)?.get(..count).map(|run| (start, run)));
        let Some((first, run)) = run else {
            return Err(Error::Kind {
                what: format!("primitive {element}"),
                expected: format!("a run within {} vertices", places.len()),
                found: format!("{count} from {start} on"),
            });
        };
        let corner = |(offset, point): (usize, &i32)| {
            let held = u32::try_from(*point).ok().filter(|point| *point < points);
            held.map(|point| (first + offset, point)).ok_or_else(|| Error::Kind {
                what: format!("vertex.pt of element {}", first + offset),
                expected: format!("one of {points} points"),
                found: point.to_string(),
            })
        };
        faces.push(run.iter().enumerate().map(corner).collect::<Result<_>>()?);
    }
    Ok(faces)
}

/// Refuses a column that holds a number that is not finite.
pub(super) fn finite(class: Class, name: &str, column: &HostColumn) -> Result<()> {
    fn bad<const LANES: usize>(values: &[[f32; LANES]]) -> Option<(usize, String)> {
        let place = values
            .iter()
            .position(|value| value.iter().any(|lane| !lane.is_finite()))?;
        Some((place, format!("{:?}", values[place])))
    }
    let found = match column {
        HostColumn::Float(values) => {
            let place = values.iter().position(|value| !value.is_finite());
            place.map(|place| (place, values[place].to_string()))
        }
        HostColumn::Int(_) | HostColumn::UInt(_) => None,
        HostColumn::Vec2(values) => bad(values),
        HostColumn::Vec3(values) => bad(values),
        HostColumn::Vec4(values) | HostColumn::Quat(values) | HostColumn::Color(values) => bad(values),
    };
    match found {
        None => Ok(()),
        Some((element, found)) => Err(Error::Kind {
            what: format!("{}.{name} of element {element}", class.name()),
            expected: "finite numbers".to_owned(),
            found,
        }),
    }
}
