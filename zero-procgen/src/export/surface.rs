//! A geometry as glTF draws it: vertices with their attributes, and triangles over them.

use crate::download::{HostColumn, HostGeometry};
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};

pub(super) type Vec3 = [f32; 3];

/// A geometry and the name that errors call it by.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) geometry: &'a HostGeometry,
}

/// What one mesh of a file holds. Every list but the faces has one entry a vertex.
pub(super) struct Surface {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Option<Vec<Vec3>>,
    pub(super) colors: Option<Colors>,
    pub(super) uvs: Option<Vec<[f32; 2]>>,
    /// Further columns by name, their lanes interleaved.
    pub(super) others: Vec<Other>,
    /// Three vertices a triangle; nothing where the vertices are drawn as points.
    pub(super) faces: Option<Vec<u32>>,
}

/// A column that glTF has no name for.
pub(super) struct Other {
    pub(super) name: String,
    pub(super) lanes: usize,
    pub(super) words: Vec<f32>,
}

/// The columns that glTF has names for, and the structure.
const NAMED: [&str; 5] = ["P", "N", "Cd", "uv", "pt"];

/// Colours within [0, 1], with or without alpha.
pub(super) enum Colors {
    Rgb(Vec<Vec3>),
    Rgba(Vec<[f32; 4]>),
}

impl<'a> Source<'a> {
    fn at(&self, class: Class, column: &str) -> String {
        format!("mesh '{}', {}.{column}", self.name, class.name())
    }

    fn column(&self, class: Class, column: &str, expected: Type) -> Result<&'a HostColumn> {
        let found = self.geometry.attribute(class, column);
        match found {
            Some(held) if held.ty() == expected => Ok(held),
            other => Err(Error::Kind {
                what: self.at(class, column),
                expected: format!("a column of {}", expected.name()),
                found: other.map_or("no such column".to_owned(), |held| {
                    format!("one of {}", held.ty().name())
                }),
            }),
        }
    }

    /// A column of finite vectors.
    pub(super) fn finite3(&self, class: Class, column: &str) -> Result<&'a [Vec3]> {
        let HostColumn::Vec3(values) = self.column(class, column, Type::Vec3)? else {
            return Ok(&[]);
        };
        let finite = |value: &Vec3| value.iter().all(|lane| lane.is_finite());
        self.each(class, column, values, finite)?;
        Ok(values)
    }

    /// A column of finite pairs: two numbers an element, or the first two of three.
    fn pairs(&self, class: Class, column: &str) -> Result<Vec<[f32; 2]>> {
        match self.geometry.attribute(class, column) {
            Some(HostColumn::Vec2(values)) => {
                self.each(class, column, values, |value| value.iter().all(|lane| lane.is_finite()))?;
                Ok(values.clone())
            }
            _ => Ok(self.finite3(class, column)?.iter().map(|[u, v, _]| [*u, *v]).collect()),
        }
    }

    /// A column of the points' rotations, made of length 1; one of no length turns nothing.
    pub(super) fn rotations(&self, column: &str) -> Result<Vec<[f32; 4]>> {
        let HostColumn::Quat(values) = self.column(Class::Point, column, Type::Quat)? else {
            return Ok(Vec::new());
        };
        self.each(Class::Point, column, values, |value| {
            value.iter().all(|lane| lane.is_finite())
        })?;
        let unit = |value: &[f32; 4]| {
            let lanes = value.map(f64::from);
            let long = length(&lanes);
            if long > 0.0 {
                lanes.map(|lane| (lane / long) as f32)
            } else {
                [0.0, 0.0, 0.0, 1.0]
            }
        };
        Ok(values.iter().map(unit).collect())
    }

    /// A column of any type as floats, lanes interleaved. A whole number that no float says exactly is refused.
    pub(super) fn words(&self, class: Class, column: &str) -> Result<Vec<f32>> {
        let Some(held) = self.geometry.attribute(class, column) else {
            return Ok(Vec::new());
        };
        super::runs::finite(class, column, held)?;
        let whole = |values: &mut dyn Iterator<Item = i64>| -> Result<Vec<f32>> {
            values
                .enumerate()
                .map(|(element, value)| match value as f32 {
                    float if float as i64 == value => Ok(float),
                    _ => Err(Error::Kind {
                        what: format!("{} of element {element}", self.at(class, column)),
                        expected: "a whole number that a float says exactly".to_owned(),
                        found: value.to_string(),
                    }),
                })
                .collect()
        };
        match held {
            HostColumn::Float(values) => Ok(values.clone()),
            HostColumn::Int(values) => whole(&mut values.iter().copied().map(i64::from)),
            HostColumn::UInt(values) => whole(&mut values.iter().copied().map(i64::from)),
            HostColumn::Vec2(values) => Ok(values.as_flattened().to_vec()),
            HostColumn::Vec3(values) => Ok(values.as_flattened().to_vec()),
            HostColumn::Vec4(values) | HostColumn::Quat(values) | HostColumn::Color(values) => {
                Ok(values.as_flattened().to_vec())
            }
        }
    }

    /// A column of finite numbers.
    pub(super) fn finite1(&self, class: Class, column: &str) -> Result<&'a [f32]> {
        let HostColumn::Float(values) = self.column(class, column, Type::Float)? else {
            return Ok(&[]);
        };
        self.each(class, column, values, |value| value.is_finite())?;
        Ok(values)
    }

    fn ints(&self, class: Class, column: &str) -> Result<&'a [i32]> {
        match self.column(class, column, Type::Int)? {
            HostColumn::Int(values) => Ok(values),
            _ => Ok(&[]),
        }
    }

    fn each<T: std::fmt::Debug>(
        &self,
        class: Class,
        column: &str,
        values: &[T],
        finite: impl Fn(&T) -> bool,
    ) -> Result<()> {
        match values.iter().position(|value| !finite(value)) {
            None => Ok(()),
            Some(element) => Err(Error::Kind {
                what: format!("{} of element {element}", self.at(class, column)),
                expected: "finite numbers".to_owned(),
                found: format!("{:?}", values[element]),
            }),
        }
    }

    fn refuse<T>(&self, why: &str) -> Result<T> {
        Err(Error::Refused(format!("mesh '{}' {why}", self.name)))
    }

    /// The point each vertex stands on.
    fn corners(&self) -> Result<Vec<u32>> {
        let points = self.geometry.count(Class::Point);
        let corner = |(element, point): (usize, &i32)| {
            u32::try_from(*point)
                .ok()
                .filter(|point| *point < points)
                .ok_or_else(|| Error::Kind {
                    what: format!("{} of element {element}", self.at(Class::Vertex, "pt")),
                    expected: format!("one of {points} points"),
                    found: point.to_string(),
                })
        };
        self.ints(Class::Vertex, "pt")?.iter().enumerate().map(corner).collect()
    }

    /// The triangles as vertices: each primitive a fan from its first vertex, less the triangles without area.
    fn triangles(&self, points: &[Vec3], corners: &[u32]) -> Result<Vec<[u32; 3]>> {
        let (starts, counts) = (
            self.ints(Class::Primitive, "vstart")?,
            self.ints(Class::Primitive, "vcount")?,
        );
        let mut triangles = Vec::with_capacity(starts.len());
        for (element, (start, count)) in starts.iter().zip(counts).enumerate() {
            let run = u32::try_from(*start).ok().zip(u32::try_from(*count).ok());
            let run = run.and_then(|(start, count)| Some((start, start.checked_add(count)?)));
            let Some((first, end)) = run.filter(|(_, end)| *end as usize <= corners.len()) else {
                return Err(Error::Kind {
                    what: format!("mesh '{}', primitive {element}", self.name),
                    expected: format!("a run within {} vertices", corners.len()),
                    found: format!("{count} from {start} on"),
                });
            };
            let fan = (first.saturating_add(2)..end).map(|last| [first, last - 1, last]);
            triangles.extend(fan.filter(|triangle| area_normal(points, corners, triangle) != [0.0; 3]));
        }
        Ok(triangles)
    }
}

impl Surface {
    /// With `all`, the columns that glTF has no name for too.
    pub(super) fn read(source: Source<'_>, all: bool) -> Result<Surface> {
        if source.geometry.count(Class::Point) == 0 {
            return source.refuse("is empty: it has no points, and glTF draws nothing without vertices");
        }
        let points = source.finite3(Class::Point, "P")?;
        if source.geometry.count(Class::Primitive) == 0 {
            return Surface::of_points(source, points, all);
        }
        let corners = source.corners()?;
        let triangles = source.triangles(points, &corners)?;
        if triangles.is_empty() {
            return source.refuse("has no face with an area");
        }
        // Where a column stands on the vertices, a point may have several values: each vertex is then written apart.
        let written = |column: &&str| *column != "pt" && (all || NAMED.contains(column));
        let apart = source.geometry.names(Class::Vertex).iter().any(written);
        let places = if apart { Some(&*corners) } else { None };
        let fallback = || normals(points, &corners, &triangles);
        let normals = match pick(source, places, "N")? {
            Some(given) if given.iter().all(|normal| *normal != [0.0; 3]) => given.into_iter().map(unit32).collect(),
            Some(given) => {
                let computed = spread(&fallback(), places);
                given
                    .into_iter()
                    .zip(computed)
                    .map(|(given, computed)| or(given, computed))
                    .collect()
            }
            None => spread(&fallback(), places),
        };
        let index = |vertex: u32| if apart { vertex } else { corners[vertex as usize] };
        Ok(Surface {
            positions: spread(points, places),
            normals: Some(normals),
            colors: colors(source, places)?,
            uvs: pick_with(source, places, "uv", |class| source.pairs(class, "uv"))?,
            others: others(source, places, all)?,
            faces: Some(triangles.into_iter().flatten().map(index).collect()),
        })
    }

    fn of_points(source: Source<'_>, points: &[Vec3], all: bool) -> Result<Surface> {
        let up = [0.0, 1.0, 0.0];
        let normals = pick(source, None, "N")?;
        Ok(Surface {
            positions: points.to_vec(),
            normals: normals.map(|normals| normals.into_iter().map(|normal| or(normal, up)).collect()),
            colors: colors(source, None)?,
            uvs: pick_with(source, None, "uv", |class| source.pairs(class, "uv"))?,
            others: others(source, None, all)?,
            faces: None,
        })
    }
}

/// Vectors at the vertices that are written.
fn pick(source: Source<'_>, places: Option<&[u32]>, column: &str) -> Result<Option<Vec<Vec3>>> {
    pick_with(source, places, column, |class| {
        source.finite3(class, column).map(<[Vec3]>::to_vec)
    })
}

/// The values of a column at the vertices that are written: those the vertices hold, else those of their points.
fn pick_with<T: Copy>(
    source: Source<'_>,
    places: Option<&[u32]>,
    column: &str,
    read: impl Fn(Class) -> Result<Vec<T>>,
) -> Result<Option<Vec<T>>> {
    if places.is_some() && source.geometry.attribute(Class::Vertex, column).is_some() {
        return read(Class::Vertex).map(Some);
    }
    match source.geometry.attribute(Class::Point, column) {
        Some(_) => Ok(Some(spread(&read(Class::Point)?, places))),
        None => Ok(None),
    }
}

/// Values of points, at the vertices that are written.
fn spread<T: Copy>(values: &[T], places: Option<&[u32]>) -> Vec<T> {
    match places {
        None => values.to_vec(),
        Some(places) => places.iter().map(|point| values[*point as usize]).collect(),
    }
}

/// The columns that glTF has no name for, at the vertices that are written.
fn others(source: Source<'_>, places: Option<&[u32]>, all: bool) -> Result<Vec<Other>> {
    if !all {
        return Ok(Vec::new());
    }
    let mut names: Vec<&str> = source.geometry.names(Class::Point);
    if places.is_some() {
        names.extend(source.geometry.names(Class::Vertex));
    }
    names.sort_unstable();
    names.dedup();
    let mut others = Vec::new();
    for name in names.into_iter().filter(|name| !NAMED.contains(name)) {
        let lanes = |class| {
            source
                .geometry
                .attribute(class, name)
                .and_then(|column| column.ty().lanes())
        };
        let at = match places {
            Some(_) if lanes(Class::Vertex).is_some() => Class::Vertex,
            _ => Class::Point,
        };
        let lanes = lanes(at).unwrap_or(1) as usize;
        let words = source.words(at, name)?;
        let words = match (at, places) {
            (Class::Point, Some(places)) => places
                .iter()
                .flat_map(|point| words.iter().skip(*point as usize * lanes).take(lanes).copied())
                .collect(),
            _ => words,
        };
        others.push(Other {
            name: name.to_owned(),
            lanes,
            words,
        });
    }
    Ok(others)
}

/// `Cd` at the vertices that are written. glTF 2.0, section 3.7.2.1: colours are within [0, 1].
fn colors(source: Source<'_>, places: Option<&[u32]>) -> Result<Option<Colors>> {
    fn clamped<const LANES: usize>(values: Vec<[f32; LANES]>) -> Vec<[f32; LANES]> {
        values
            .into_iter()
            .map(|color| color.map(|lane| lane.clamp(0.0, 1.0)))
            .collect()
    }
    let with_alpha = |class| matches!(source.geometry.attribute(class, "Cd"), Some(HostColumn::Color(_)));
    let at = match places {
        Some(_) if source.geometry.attribute(Class::Vertex, "Cd").is_some() => Class::Vertex,
        _ => Class::Point,
    };
    if !with_alpha(at) {
        return Ok(pick(source, places, "Cd")?.map(|values| Colors::Rgb(clamped(values))));
    }
    let read = |class| match source.column(class, "Cd", Type::Color)? {
        HostColumn::Color(values) => {
            source.each(class, "Cd", values, |value| value.iter().all(|lane| lane.is_finite()))?;
            Ok(values.clone())
        }
        _ => Ok(Vec::new()),
    };
    Ok(pick_with(source, places, "Cd", read)?.map(|values| Colors::Rgba(clamped(values))))
}

/// A triangle's normal, as long as twice its area, in doubles: they hold the products of floats whole, so that two
/// equal or opposite sides give exactly zero.
fn area_normal(points: &[Vec3], corners: &[u32], triangle: &[u32; 3]) -> [f64; 3] {
    let [a, b, c] = triangle.map(|vertex| points[corners[vertex as usize] as usize].map(f64::from));
    let (u, v) = (
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]],
        [c[0] - a[0], c[1] - a[1], c[2] - a[2]],
    );
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

/// At each point the mean of the normals of the triangles around it, weighted by area, made unit; +Y at a point with
/// none.
fn normals(points: &[Vec3], corners: &[u32], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![[0.0f64; 3]; points.len()];
    for triangle in triangles {
        let normal = area_normal(points, corners, triangle);
        for vertex in triangle {
            let sum = &mut sums[corners[*vertex as usize] as usize];
            sum.iter_mut().zip(normal).for_each(|(sum, lane)| *sum += lane);
        }
    }
    sums.into_iter()
        .map(|sum| unit(sum).unwrap_or([0.0, 1.0, 0.0]))
        .collect()
}

pub(super) fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|lane| lane * lane).sum::<f64>().sqrt()
}

fn unit(vector: [f64; 3]) -> Option<Vec3> {
    let long = length(&vector);
    (long > 0.0).then(|| vector.map(|lane| (lane / long) as f32))
}

fn unit32(vector: Vec3) -> Vec3 {
    or(vector, vector)
}

/// A vector made unit, or another where it has no length.
fn or(vector: Vec3, other: Vec3) -> Vec3 {
    unit(vector.map(f64::from)).unwrap_or(other)
}
