//! A raster at another spacing.

use super::raster_and;
use crate::kernels::RESAMPLE;
use zero_compute::{Domain, args};
use zero_procgen::values::{KeyHasher, Raster as Held, Value};
use zero_procgen::{Choice, Compose, Cook, Error, Float, Graph, Node, Operation, Raster, Result, Type};

/// How a raster is read between its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
pub enum Filter {
    /// Catmull and Rom's cubic over 4 x 4 samples: smooth, through every sample, and past them by up to an eighth of
    /// their range at an edge (E. Catmull, R. Rom, "A class of local interpolating splines", 1974).
    Bicubic,
    /// Straight lines over 2 x 2 samples.
    Bilinear,
}

/// A raster at another spacing, the same along X and Z. It begins at the raster's own corner and has the samples that
/// stand inside it, at least one a side. Past the outer samples the ground goes on as they are.
///
/// It is read at points: where the spacing grows, detail finer than it is not averaged first. Weights are computed in 64
/// bits and the heights have the same bits on every device. Two uploads a side, one dispatch.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.resample")]
pub struct Resample<'g> {
    /// The ground.
    #[input]
    pub raster: Raster<'g>,
    /// From one sample to the next, above 0.
    #[input(default = 1.0, min = 0.0, unit = "m")]
    pub spacing_m: Float<'g>,
    /// How it is read between the samples.
    #[input(default = Filter::Bicubic, options)]
    pub filter: Filter,
}

impl<'g> Compose<'g> for Resample<'g> {
    type Out = Raster<'g>;
    fn compose(self, g: &'g Graph) -> Result<Raster<'g>> {
        let op = Respace { filter: self.filter };
        let inputs = vec![self.raster.into(), self.spacing_m.into()];
        Ok(g.operation(op, inputs, vec![Type::Raster]).single())
    }
}

/// The most samples a side: what a texture holds.
const MAX_SIDE: f64 = 16_384.0;

/// `raster, spacing` to the raster at that spacing.
#[derive(Debug)]
struct Respace {
    filter: Filter,
}

impl Operation for Respace {
    fn id(&self) -> &'static str {
        "terrain.respace"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.filter.name());
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let (raster, [spacing]) = raster_and(inputs)?;
        let spacing = cx.decide(spacing)?.lanes().first().copied().unwrap_or_default();
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(Error::Refused(format!(
                "spacingM: expected metres above 0, got {spacing}"
            )));
        }
        let x = Taps::along(raster, 0, spacing, self.filter)?;
        let z = Taps::along(raster, 1, spacing, self.filter)?;
        let (width, height) = (x.first.len() as u32, z.first.len() as u32);
        let given = args! {
            heights: raster.samples(), width: raster.width(),
            first_x: cx.upload(&x.first, 1)?, weights_x: cx.upload(&x.weights, 4)?,
            first_z: cx.upload(&z.first, 1)?, weights_z: cx.upload(&z.weights, 4)?,
        };
        let done = cx.dispatch(&RESAMPLE, given, &[], Domain::count(width * height))?;
        let resampled = Held::new(
            done.column("resampled")?,
            width,
            height,
            [spacing; 2],
            raster.origin_m(),
        )?;
        Ok(vec![Value::Raster(resampled)])
    }
}

/// What each new column, or row, reads: the first of four, and the weight of each.
struct Taps {
    first: Vec<i32>,
    weights: Vec<f32>,
}

impl Taps {
    fn along(raster: &Held, axis: usize, spacing: f32, filter: Filter) -> Result<Taps> {
        let held = f64::from([raster.width(), raster.height()][axis]);
        let ratio = f64::from(spacing) / f64::from(raster.spacing_m()[axis]);
        let count = (held / ratio + 0.5).floor().max(1.0);
        if count > MAX_SIDE {
            return Err(Error::Refused(format!(
                "spacingM: expected at most {MAX_SIDE} samples along {}, got {count} of {spacing} m",
                ["X", "Z"][axis]
            )));
        }
        let mut taps = Taps {
            first: Vec::with_capacity(count as usize),
            weights: Vec::with_capacity(4 * count as usize),
        };
        for place in 0..count as u32 {
            let at = (f64::from(place) + 0.5) * ratio - 0.5;
            let before = at.floor();
            // Four about the place, of which a line reads the middle two. A place of one sample far away is the edge's.
            taps.first.push((before - 1.0).clamp(-4.0, held + 4.0) as i32);
            taps.weights
                .extend(weights(at - before, filter).map(|weight| weight as f32));
        }
        Ok(taps)
    }
}

/// The weights of the four samples around a place that is `t` of the way from the second to the third.
fn weights(t: f64, filter: Filter) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    match filter {
        Filter::Bilinear => [0.0, 1.0 - t, t, 0.0],
        Filter::Bicubic => [
            -0.5 * t3 + t2 - 0.5 * t,
            1.5 * t3 - 2.5 * t2 + 1.0,
            -1.5 * t3 + 2.0 * t2 + 0.5 * t,
            0.5 * t3 - 0.5 * t2,
        ],
    }
}
