//! Trampled ground: clearings as data, and the game's own callback.

use crate::error::{Error, Result, within};
use crate::grid::FAR_M;
use crate::steps::{lerp, smoothstep};
use glam::Vec2;

/// A round place where less grows: `floor` of the chance inside `inner_m`, all of it from `outer_m` on, and a smoothstep
/// between. The ring of a camp, the yard of a town.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Clearing {
    /// Its middle, world x and z in metres.
    pub center_m: Vec2,
    /// Radius in metres of the part that has `floor`, 0 or more.
    pub inner_m: f32,
    /// Radius in metres from which nothing is cleared, `inner_m` or more.
    pub outer_m: f32,
    /// What is left of the chance in the middle, 0 to 1; 0 unless changed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub floor: f32,
}

impl Clearing {
    /// A clearing about (x, z) that leaves nothing inside `inner_m`.
    pub const fn new(x_m: f32, z_m: f32, inner_m: f32, outer_m: f32) -> Self {
        Self {
            center_m: Vec2::new(x_m, z_m),
            inner_m,
            outer_m,
            floor: 0.0,
        }
    }

    /// The same with something left in the middle.
    pub const fn with_floor(mut self, floor: f32) -> Self {
        self.floor = floor;
        self
    }

    /// Refuses numbers out of range by name.
    pub fn validate(&self) -> Result<()> {
        within("clearing.center_m.x", self.center_m.x, [-FAR_M, FAR_M], "m")?;
        within("clearing.center_m.z", self.center_m.y, [-FAR_M, FAR_M], "m")?;
        within("clearing.inner_m", self.inner_m, [0.0, FAR_M], "m")?;
        within(
            "clearing.outer_m (from inner_m on)",
            self.outer_m,
            [self.inner_m, FAR_M],
            "m",
        )?;
        within("clearing.floor", self.floor, [0.0, 1.0], "")
    }

    /// What the clearing multiplies a chance at (x, z) by: `floor` to 1, exactly 1 from `outer_m` on.
    #[inline]
    pub fn factor(&self, at_m: Vec2) -> f32 {
        let (dx, dz) = (at_m.x - self.center_m.x, at_m.y - self.center_m.y);
        // The square root of a processor is correctly rounded, so the same everywhere.
        let distance = (dx * dx + dz * dz).sqrt();
        if distance <= self.inner_m {
            self.floor
        } else if distance >= self.outer_m {
            1.0
        } else {
            let t = (distance - self.inner_m) / (self.outer_m - self.inner_m);
            lerp(self.floor, 1.0, smoothstep(t))
        }
    }

    /// Whether the clearing may change a chance in the square from `origin_m`. Widened by more than `f32` can be wrong
    /// by, so that leaving a clearing out changes no bit.
    fn touches(&self, origin_m: Vec2, side_m: f32) -> bool {
        let wide = |v: f32| f64::from(v);
        let (side, outer) = (wide(side_m), wide(self.outer_m));
        let gap = |center: f32, low: f32| {
            let (center, low) = (wide(center), wide(low));
            (low - center).max(center - (low + side)).max(0.0)
        };
        let (dx, dz) = (gap(self.center_m.x, origin_m.x), gap(self.center_m.y, origin_m.y));
        let size = wide(origin_m.x).abs()
            + wide(origin_m.y).abs()
            + wide(self.center_m.x).abs()
            + wide(self.center_m.y).abs()
            + side
            + outer;
        (dx * dx + dz * dz).sqrt() <= outer + size * 1e-5
    }
}

/// Checked clearings, in the order they were added. That order is part of the result: a chance is multiplied by one
/// after the other.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Clearing>", into = "Vec<Clearing>")
)]
pub struct Clearings(Vec<Clearing>);

impl Clearings {
    /// None.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one and answers its place, or refuses it by name.
    pub fn add(&mut self, clearing: Clearing) -> Result<usize> {
        clearing.validate()?;
        self.0.push(clearing);
        Ok(self.0.len() - 1)
    }

    /// Puts another in the place of one (a camp that grows or moves) and answers the old one, or `None` when there is
    /// no such place.
    pub fn replace(&mut self, place: usize, clearing: Clearing) -> Result<Option<Clearing>> {
        clearing.validate()?;
        Ok(self.0.get_mut(place).map(|held| std::mem::replace(held, clearing)))
    }

    /// Removes one; those behind it move up a place. `None` when there is no such place.
    pub fn remove(&mut self, place: usize) -> Option<Clearing> {
        (place < self.0.len()).then(|| self.0.remove(place))
    }

    /// Removes all, and keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// All of them in order.
    pub fn as_slice(&self) -> &[Clearing] {
        &self.0
    }

    /// The product of all their factors at (x, z).
    pub fn factor(&self, at_m: Vec2) -> f32 {
        through(&self.0, 1.0, at_m)
    }
}

impl TryFrom<Vec<Clearing>> for Clearings {
    type Error = Error;

    fn try_from(clearings: Vec<Clearing>) -> Result<Self> {
        clearings.iter().try_for_each(Clearing::validate)?;
        Ok(Self(clearings))
    }
}

impl From<Clearings> for Vec<Clearing> {
    fn from(clearings: Clearings) -> Self {
        clearings.0
    }
}

#[inline(always)]
fn through(clearings: &[Clearing], chance: f32, at_m: Vec2) -> f32 {
    clearings
        .iter()
        .fold(chance, |chance, clearing| chance * clearing.factor(at_m))
}

/// What the game does to the ground: its callback, then every clearing. Only layers with `trample` heed it, and a game
/// should use one or the other.
#[derive(Clone, Copy, Default)]
pub struct Trample<'a> {
    callback: Option<&'a (dyn Fn(Vec2) -> f32 + Sync)>,
    clearings: &'a [Clearing],
}

impl std::fmt::Debug for Trample<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trample")
            .field("callback", &self.callback.is_some())
            .field("clearings", &self.clearings)
            .finish()
    }
}

impl<'a> Trample<'a> {
    /// Untouched ground.
    pub const NONE: Self = Self {
        callback: None,
        clearings: &[],
    };

    /// With these clearings in place of those it had.
    #[must_use]
    pub fn with_clearings(mut self, clearings: &'a Clearings) -> Self {
        self.clearings = &clearings.0;
        self
    }

    /// With a callback that answers what to multiply the chance at (x, z) by. It must answer a finite number of 0 or
    /// more (above 1 more grows), and the same for the same point each time, or ids will not be stable. It is asked
    /// only where something is painted. Keep a closure that captures in a variable of its own, since it is borrowed.
    #[must_use]
    pub fn with_callback(mut self, callback: &'a (dyn Fn(Vec2) -> f32 + Sync)) -> Self {
        self.callback = Some(callback);
        self
    }

    /// The chance at (x, z) after the callback and the clearings.
    #[inline(always)]
    pub(crate) fn apply(&self, mut chance: f32, at_m: Vec2) -> std::result::Result<f32, BadAnswer> {
        // Nothing makes more of no chance, so the callback is not asked: a fill leaves bare chunks out as a whole, and one
        // cell of them has to answer alike.
        if let Some(callback) = self.callback
            && chance > 0.0
        {
            let answer = callback(at_m);
            if !(0.0..=f32::MAX).contains(&answer) {
                return Err(BadAnswer { at_m, answer });
            }
            chance *= answer;
        }
        Ok(through(self.clearings, chance, at_m))
    }

    /// The same for the square from `origin_m`, with only the clearings that reach it, which `near` is filled with.
    pub(crate) fn near<'b>(&self, origin_m: Vec2, side_m: f32, near: &'b mut Vec<Clearing>) -> Trample<'b>
    where
        'a: 'b,
    {
        near.clear();
        near.reserve(self.clearings.len());
        near.extend(
            self.clearings
                .iter()
                .filter(|clearing| clearing.touches(origin_m, side_m)),
        );
        Trample {
            callback: self.callback,
            clearings: near,
        }
    }
}

/// A callback's answer that is no factor. Small, since it goes through the inner loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BadAnswer {
    at_m: Vec2,
    answer: f32,
}

impl From<BadAnswer> for Error {
    #[cold]
    fn from(bad: BadAnswer) -> Self {
        Error::Value {
            what: format!("the trample callback at ({}, {})", bad.at_m.x, bad.at_m.y),
            expected: "a finite number of 0 or more".to_owned(),
            found: bad.answer.to_string(),
        }
    }
}
