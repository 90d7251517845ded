//! The density painted over the map: the chance that a cell keeps a thing, and the thing's scale.

use crate::error::{Error, Result, within};
use crate::grid::FAR_M;
use crate::steps::lerp;
use glam::Vec2;

/// The most texels along a side of a map.
pub const MAX_SIDE: u32 = 8192;

/// The side of a texel where nothing else is asked for, in metres.
pub const TEXEL_M: f32 = 2.0;

/// What is painted at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
#[repr(C)]
pub struct Texel {
    /// R: the chance that a cell keeps a thing, 0 to 1.
    pub chance: f32,
    /// G: what the thing's scale is multiplied by, 0 to 100. A thing of scale 0 does not stand.
    pub scale: f32,
}

impl Texel {
    /// Bare ground, and full size for whatever is painted there later.
    pub const BARE: Self = Self {
        chance: 0.0,
        scale: 1.0,
    };

    /// A chance and a scale.
    pub const fn new(chance: f32, scale: f32) -> Self {
        Self { chance, scale }
    }

    /// The largest scale that may be painted.
    pub(crate) const MAX_SCALE: f32 = 100.0;

    fn is_valid(self) -> bool {
        (0.0..=1.0).contains(&self.chance) && (0.0..=Self::MAX_SCALE).contains(&self.scale)
    }

    fn validate(self, x: u32, z: u32) -> Result<()> {
        // Naming the texel costs a text, so the fast answer comes first: maps have millions.
        if self.is_valid() {
            return Ok(());
        }
        within(&format!("chance of texel ({x}, {z})"), self.chance, [0.0, 1.0], "")?;
        within(
            &format!("scale of texel ({x}, {z})"),
            self.scale,
            [0.0, Self::MAX_SCALE],
            "",
        )
    }
}

/// Where a map lies and how fine it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
#[non_exhaustive]
pub struct DensityShape {
    /// Texels along x, 1 to [`MAX_SIDE`].
    pub width: u32,
    /// Texels along z, 1 to [`MAX_SIDE`].
    pub depth: u32,
    /// The side of a texel, 0.01 to 1024 metres; [`TEXEL_M`] unless changed.
    #[cfg_attr(feature = "serde", serde(default = "default_texel_m"))]
    pub texel_m: f32,
    /// The corner with the least x and z, in metres; the origin unless changed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub corner_m: Vec2,
}

#[cfg(feature = "serde")]
fn default_texel_m() -> f32 {
    TEXEL_M
}

impl DensityShape {
    /// So many texels of 2 m from the world's origin.
    pub const fn new(width: u32, depth: u32) -> Self {
        Self {
            width,
            depth,
            texel_m: TEXEL_M,
            corner_m: Vec2::ZERO,
        }
    }

    /// The same from another corner.
    #[must_use]
    pub const fn at(mut self, corner_m: Vec2) -> Self {
        self.corner_m = corner_m;
        self
    }

    /// The same with texels of another size.
    #[must_use]
    pub const fn with_texel_m(mut self, texel_m: f32) -> Self {
        self.texel_m = texel_m;
        self
    }

    /// Refuses what is out of range by name.
    pub fn validate(&self) -> Result<()> {
        for (what, side) in [("density width", self.width), ("density depth", self.depth)] {
            if !(1..=MAX_SIDE).contains(&side) {
                return Err(Error::Value {
                    what: what.to_owned(),
                    expected: format!("1 to {MAX_SIDE} texels"),
                    found: side.to_string(),
                });
            }
        }
        within("density texel_m", self.texel_m, [0.01, 1024.0], "m")?;
        within("density corner_m.x", self.corner_m.x, [-FAR_M, FAR_M], "m")?;
        within("density corner_m.z", self.corner_m.y, [-FAR_M, FAR_M], "m")
    }

    /// Texels in all.
    pub(crate) fn len(&self) -> usize {
        self.width as usize * self.depth as usize
    }

    /// The middle of a texel, world x and z in metres.
    pub fn center_m(&self, x: u32, z: u32) -> Vec2 {
        self.corner_m + Vec2::new(x as f32 + 0.5, z as f32 + 0.5) * self.texel_m
    }
}

/// A density map: [`Texel`]s over a rectangle of ground, and nothing outside it.
///
/// Between the middles of four texels both channels are interpolated bilinearly, first along x and then along z; out
/// to the map's edge the outermost texels are continued.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Parts", into = "Parts")
)]
pub struct Density {
    shape: DensityShape,
    texels: Vec<Texel>,
}

impl Density {
    /// A map of bare ground.
    pub fn new(shape: DensityShape) -> Result<Self> {
        shape.validate()?;
        Ok(Self {
            shape,
            texels: vec![Texel::BARE; shape.len()],
        })
    }

    /// A map of what the function answers at the middle of each texel, x running fastest.
    pub fn from_fn(shape: DensityShape, mut paint: impl FnMut(Vec2) -> Texel) -> Result<Self> {
        let mut map = Self::new(shape)?;
        for z in 0..shape.depth {
            for x in 0..shape.width {
                map.set(x, z, paint(shape.center_m(x, z)))?;
            }
        }
        Ok(map)
    }

    /// A map of these texels, x running fastest: `width * depth` of them.
    pub fn from_texels(shape: DensityShape, texels: Vec<Texel>) -> Result<Self> {
        shape.validate()?;
        if texels.len() != shape.len() {
            return Err(Error::Value {
                what: "density texels".to_owned(),
                expected: format!("{} by {} = {}", shape.width, shape.depth, shape.len()),
                found: texels.len().to_string(),
            });
        }
        let rows = texels.chunks_exact(shape.width as usize).zip(0_u32..);
        for (row, z) in rows {
            row.iter()
                .zip(0_u32..)
                .try_for_each(|(texel, x)| texel.validate(x, z))?;
        }
        Ok(Self { shape, texels })
    }

    /// Where it lies and how fine it is.
    pub fn shape(&self) -> &DensityShape {
        &self.shape
    }

    /// All texels, x running fastest.
    pub fn texels(&self) -> &[Texel] {
        &self.texels
    }

    /// One texel, or `None` outside the map.
    pub fn texel(&self, x: u32, z: u32) -> Option<Texel> {
        let inside = x < self.shape.width && z < self.shape.depth;
        let at = z as usize * self.shape.width as usize + x as usize;
        if inside { self.texels.get(at).copied() } else { None }
    }

    /// Paints one texel. Refused outside the map and for numbers out of range.
    pub fn set(&mut self, x: u32, z: u32, texel: Texel) -> Result<()> {
        texel.validate(x, z)?;
        let DensityShape { width, depth, .. } = self.shape;
        let at = z as usize * width as usize + x as usize;
        match self.texels.get_mut(at) {
            Some(held) if x < width => {
                *held = texel;
                Ok(())
            }
            _ => Err(Error::Value {
                what: "density texel to paint".to_owned(),
                expected: format!("one of {width} by {depth}, numbered from 0"),
                found: format!("({x}, {z})"),
            }),
        }
    }

    /// What is painted at (x, z), interpolated; [`Texel::BARE`] outside the map, and at NaN.
    #[inline(always)]
    pub fn sample(&self, at_m: Vec2) -> Texel {
        let shape = &self.shape;
        let (width, depth) = (shape.width as f32, shape.depth as f32);
        let u = (at_m.x - shape.corner_m.x) / shape.texel_m;
        let v = (at_m.y - shape.corner_m.y) / shape.texel_m;
        if !(u >= 0.0 && u < width && v >= 0.0 && v < depth) {
            return Texel::BARE;
        }
        let (x, x_next, tx) = between(u, width);
        let (z, z_next, tz) = between(v, depth);
        let row = shape.width as usize;
        let (near, far) = (z * row, z_next * row);
        let corner = |at: usize| self.texels.get(at).copied().unwrap_or(Texel::BARE);
        let (a, b) = (corner(near + x), corner(near + x_next));
        let (c, d) = (corner(far + x), corner(far + x_next));
        Texel {
            chance: lerp(lerp(a.chance, b.chance, tx), lerp(c.chance, d.chance, tx), tz),
            scale: lerp(lerp(a.scale, b.scale, tx), lerp(c.scale, d.scale, tx), tz),
        }
    }

    /// Whether anything can stand in the square from `origin_m`: a chance above 0 in a texel that reaches it. Looks one
    /// texel further than that, so that no rounding makes it miss one.
    pub(crate) fn is_painted(&self, origin_m: Vec2, side_m: f32) -> bool {
        let shape = &self.shape;
        let range = |from_m: f32, corner_m: f32, count: u32| {
            let wide = |v: f32| f64::from(v);
            let low = (wide(from_m) - wide(corner_m)) / wide(shape.texel_m);
            let high = low + wide(side_m) / wide(shape.texel_m);
            // Far from the origin a coordinate itself is rounded by this many texels.
            let slack = 2.0 + (wide(from_m).abs() + wide(side_m)) * 1e-6 / wide(shape.texel_m);
            // A cast of a float saturates, so texels before the map become its edge and an empty range.
            ((low - slack) as usize).min(count as usize)..((high + slack) as usize).min(count as usize)
        };
        let columns = range(origin_m.x, shape.corner_m.x, shape.width);
        let rows = range(origin_m.y, shape.corner_m.y, shape.depth);
        rows.into_iter().any(|z| {
            let row = z * shape.width as usize;
            let texels = self.texels.get(row + columns.start..row + columns.end);
            texels.is_some_and(|texels| texels.iter().any(|texel| texel.chance > 0.0))
        })
    }
}

/// The texels whose middles are on either side of a place counted in texels from the edge, and how far it is from the
/// first to the second. `at` is in `[0, count)`.
#[inline(always)]
fn between(at: f32, count: f32) -> (usize, usize, f32) {
    let last = count - 1.0;
    let centered = at - 0.5;
    let centered = if centered < 0.0 { 0.0 } else { centered };
    let centered = if centered > last { last } else { centered };
    // Not negative and below MAX_SIDE: the cast to a signed word is one instruction and the floor.
    let first = centered as i32;
    let next = first + i32::from((first as f32) < last);
    (first as usize, next as usize, centered - first as f32)
}

/// What serde sees of a map.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    shape: DensityShape,
    texels: Vec<Texel>,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for Density {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self> {
        Self::from_texels(parts.shape, parts.texels)
    }
}

#[cfg(feature = "serde")]
impl From<Density> for Parts {
    fn from(map: Density) -> Self {
        Self {
            shape: map.shape,
            texels: map.texels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Density {
        let texels = vec![
            Texel::new(0.0, 1.0),
            Texel::new(1.0, 2.0),
            Texel::new(0.5, 3.0),
            Texel::new(0.5, 4.0),
        ];
        Density::from_texels(DensityShape::new(2, 2).at(Vec2::new(10.0, 20.0)), texels).unwrap()
    }

    #[test]
    fn middles_have_what_was_painted_and_between_them_it_is_interpolated() {
        let map = ramp();
        assert_eq!(map.sample(Vec2::new(11.0, 21.0)), Texel::new(0.0, 1.0));
        assert_eq!(map.sample(Vec2::new(13.0, 21.0)), Texel::new(1.0, 2.0));
        assert_eq!(map.sample(Vec2::new(11.0, 23.0)), Texel::new(0.5, 3.0));
        assert_eq!(map.sample(Vec2::new(12.0, 21.0)), Texel::new(0.5, 1.5));
        assert_eq!(map.sample(Vec2::new(12.0, 22.0)), Texel::new(0.5, 2.5));
    }

    #[test]
    fn the_edge_is_continued_to_the_map_s_end_and_there_is_nothing_past_it() {
        let map = ramp();
        assert_eq!(map.sample(Vec2::new(10.0, 20.0)), Texel::new(0.0, 1.0));
        assert_eq!(map.sample(Vec2::new(13.9, 20.1)), Texel::new(1.0, 2.0));
        for at in [
            [9.9, 21.0],
            [14.0, 21.0],
            [11.0, 19.9],
            [11.0, 24.0],
            [f32::NAN, 21.0],
            [11.0, f32::INFINITY],
        ] {
            assert_eq!(map.sample(Vec2::from(at)), Texel::BARE, "{at:?}");
        }
    }

    /// A square without paint is told apart from one with any, wherever the one painted texel lies.
    #[test]
    fn paint_is_found_wherever_it_reaches() {
        for x in 0..40 {
            let mut map = Density::new(DensityShape::new(40, 8).at(Vec2::new(-7.0, 3.0))).unwrap();
            map.set(x, 4, Texel::new(0.1, 1.0)).unwrap();
            for chunk in -2..6 {
                let origin = Vec2::new(chunk as f32 * 16.0, 0.0);
                let reaches = (0..64).any(|step| {
                    let along = Vec2::new(step as f32 * 0.25, 12.0);
                    map.sample(origin + along).chance > 0.0
                });
                assert!(!reaches || map.is_painted(origin, 16.0), "texel {x}, chunk {chunk}");
            }
            assert!(!map.is_painted(Vec2::new(500.0, 0.0), 16.0));
            assert!(!map.is_painted(Vec2::new(-500.0, 0.0), 16.0));
        }
    }

    #[test]
    fn paint_out_of_range_is_refused_by_name() {
        let mut map = ramp();
        for (x, texel, part) in [
            (
                0,
                Texel::new(f32::NAN, 1.0),
                "chance of texel (0, 1): expected 0 to 1, got NaN",
            ),
            (1, Texel::new(1.5, 1.0), "chance of texel (1, 1)"),
            (1, Texel::new(0.5, -1.0), "scale of texel (1, 1)"),
            (1, Texel::new(0.5, f32::INFINITY), "scale of texel (1, 1)"),
            (
                2,
                Texel::BARE,
                "density texel to paint: expected one of 2 by 2, numbered from 0, got (2, 1)",
            ),
        ] {
            let text = map.set(x, 1, texel).unwrap_err().to_string();
            assert!(text.starts_with(part), "{text}");
        }
        assert!(map.set(0, 2, Texel::BARE).is_err());
        assert_eq!(map, ramp());
    }
}
