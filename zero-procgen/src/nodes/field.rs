//! Fields from noise.

use crate::graph::ops::apply;
use crate::{
    AnySocket, Choice, Compose, Float, Graph, Int, MathOp, Node, Outputs, Registry, Result, Socket, UInt, Vec3, vec3,
};
use zero_compute::field::Prelude;

/// Adds the family.
pub fn register(registry: &mut Registry) {
    registry
        .add::<Cellular>()
        .add::<CellularTiled>()
        .add::<Fbm>()
        .add::<FbmSlope>()
        .add::<FbmTiled>()
        .add::<Noise>()
        .add::<NoiseSlope>()
        .add::<NoiseTiled>()
        .add::<Ridged>()
        .add::<Simplex>()
        .add::<Value>()
        .add::<ValueSlope>()
        .add::<ValueTiled>()
        .add::<Warp>()
        .add::<Warped>();
}

/// A function of zero-noise at a position, with the whole numbers that it takes behind it.
fn noise<'g, S: Socket<'g>>(function: Prelude, seed: i32, position: Vec3<'g>, rest: &[i32]) -> S {
    let mut operands: Vec<AnySocket<'g>> = vec![Int::from(seed).into(), position.into()];
    operands.extend(rest.iter().map(|&number| AnySocket::from(Int::from(number))));
    apply(MathOp::Call(function), &operands)
}

/// As [`noise`], displaced.
fn displaced<'g>(function: Prelude, seed: i32, position: Vec3<'g>, octaves: i32, strength: Float<'g>) -> Float<'g> {
    let (seed, octaves) = (Int::from(seed), Int::from(octaves));
    let operands = [seed.into(), position.into(), octaves.into(), strength.into()];
    apply(MathOp::Call(function), &operands)
}

/// How many octaves a node of octaves sums: the range that its description states.
fn octaves(asked: i32) -> i32 {
    asked.clamp(1, zero_noise::MAX_OCTAVES.cast_signed())
}

/// Fractal gradient noise at a position: octaves of half the size and half the weight each, within [-1, 1].
#[derive(Clone, Debug, Node)]
#[node(id = "field.fbm")]
pub struct Fbm<'g> {
    /// Where the noise is read; features of the first octave are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// How many octaves are summed.
    #[input(default = 4, min = 1, max = 16)]
    pub octaves: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Fbm<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        let octaves = self.octaves.clamp(1, 16) as u8;
        let seed: crate::Int<'g> = self.seed.into();
        Ok(apply(MathOp::Fbm3(octaves), &[seed.into(), self.position.into()]))
    }
}

/// The slopes of `field.fbm` along x, y and z: how much it rises for each unit of way, within [-48, 48].
#[derive(Clone, Debug, Node)]
#[node(id = "field.fbm_slope")]
pub struct FbmSlope<'g> {
    /// Where the noise is read. Read at `p * 2`, it rises by twice as much for each unit of `p`.
    #[input]
    pub position: Vec3<'g>,
    /// How many octaves are summed.
    #[input(default = 4, min = 1, max = 16)]
    pub octaves: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for FbmSlope<'g> {
    type Out = Vec3<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Vec3<'g>> {
        let along = |function| noise::<Float>(function, self.seed, self.position, &[octaves(self.octaves)]);
        Ok(vec3(
            along(Prelude::Fbm3SlopeX),
            along(Prelude::Fbm3SlopeY),
            along(Prelude::Fbm3SlopeZ),
        ))
    }
}

/// Fractal gradient noise that repeats, within [-1, 1], so that opposite sides of a tile meet without a seam.
#[derive(Clone, Debug, Node)]
#[node(id = "field.fbm_tiled")]
pub struct FbmTiled<'g> {
    /// Where the noise is read; features of the first octave are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// How many octaves are summed. Those that would repeat after more than 2^22 of their own cells are left out.
    #[input(default = 4, min = 1, max = 16)]
    pub octaves: i32,
    /// After how much way along X it repeats; 0 does not.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_x: i32,
    /// The same along Y.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_y: i32,
    /// The same along Z.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_z: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for FbmTiled<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        let [x, y, z] = [self.period_x, self.period_y, self.period_z].map(period);
        Ok(noise(
            Prelude::Fbm3Tiled,
            self.seed,
            self.position,
            &[octaves(self.octaves), x, y, z],
        ))
    }
}

/// A period as zero-noise reads it: none where it is below 0.
fn period(asked: i32) -> i32 {
    asked.max(0)
}

/// Gradient noise at a position, within [-1, 1].
#[derive(Clone, Debug, Node)]
#[node(id = "field.noise")]
pub struct Noise<'g> {
    /// Where the noise is read; its features are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Noise<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        let seed: crate::Int<'g> = self.seed.into();
        Ok(apply(MathOp::Gradient3, &[seed.into(), self.position.into()]))
    }
}

/// The slopes of `field.noise` along x, y and z: how much it rises for each unit of way, within [-3, 3].
#[derive(Clone, Debug, Node)]
#[node(id = "field.noise_slope")]
pub struct NoiseSlope<'g> {
    /// Where the noise is read. Read at `p * 2`, it rises by twice as much for each unit of `p`.
    #[input]
    pub position: Vec3<'g>,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for NoiseSlope<'g> {
    type Out = Vec3<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Vec3<'g>> {
        let along = |function| noise::<Float>(function, self.seed, self.position, &[]);
        Ok(vec3(
            along(Prelude::Gradient3SlopeX),
            along(Prelude::Gradient3SlopeY),
            along(Prelude::Gradient3SlopeZ),
        ))
    }
}

/// Gradient noise that repeats, within [-1, 1], so that opposite sides of a tile meet without a seam.
#[derive(Clone, Debug, Node)]
#[node(id = "field.noise_tiled")]
pub struct NoiseTiled<'g> {
    /// Where the noise is read; its features are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// After how much way along X it repeats; 0 does not.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_x: i32,
    /// The same along Y.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_y: i32,
    /// The same along Z.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_z: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for NoiseTiled<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        let periods = [self.period_x, self.period_y, self.period_z].map(period);
        Ok(noise(Prelude::Gradient3Tiled, self.seed, self.position, &periods))
    }
}

/// Ridges, within [0, 1]: octaves of folded gradient noise, 1 along sharp crests, smooth in the valleys.
#[derive(Clone, Debug, Node)]
#[node(id = "field.ridged")]
pub struct Ridged<'g> {
    /// Where the noise is read; features of the first octave are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// How many octaves are folded.
    #[input(default = 4, min = 1, max = 16)]
    pub octaves: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Ridged<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        Ok(noise(
            Prelude::Ridged3,
            self.seed,
            self.position,
            &[octaves(self.octaves)],
        ))
    }
}

/// Simplex noise at a position, within [-1, 1]: gradient noise without a direction that the eye finds.
#[derive(Clone, Debug, Node)]
#[node(id = "field.simplex")]
pub struct Simplex<'g> {
    /// Where the noise is read; its features are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Simplex<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        Ok(noise(Prelude::Simplex3, self.seed, self.position, &[]))
    }
}

/// Value noise at a position, in [0, 1): drawn numbers at whole positions, and smooth between them.
#[derive(Clone, Debug, Node)]
#[node(id = "field.value")]
pub struct Value<'g> {
    /// Where the noise is read; its features are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Value<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        Ok(noise(Prelude::Value3, self.seed, self.position, &[]))
    }
}

/// The slopes of `field.value` along x, y and z: how much it rises for each unit of way, within [-1.875, 1.875].
#[derive(Clone, Debug, Node)]
#[node(id = "field.value_slope")]
pub struct ValueSlope<'g> {
    /// Where the noise is read. Read at `p * 2`, it rises by twice as much for each unit of `p`.
    #[input]
    pub position: Vec3<'g>,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for ValueSlope<'g> {
    type Out = Vec3<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Vec3<'g>> {
        let along = |function| noise::<Float>(function, self.seed, self.position, &[]);
        Ok(vec3(
            along(Prelude::Value3SlopeX),
            along(Prelude::Value3SlopeY),
            along(Prelude::Value3SlopeZ),
        ))
    }
}

/// Value noise that repeats, in [0, 1), so that opposite sides of a tile meet without a seam.
#[derive(Clone, Debug, Node)]
#[node(id = "field.value_tiled")]
pub struct ValueTiled<'g> {
    /// Where the noise is read; its features are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// After how much way along X it repeats; 0 does not.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_x: i32,
    /// The same along Y.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_y: i32,
    /// The same along Z.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_z: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for ValueTiled<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        let periods = [self.period_x, self.period_y, self.period_z].map(period);
        Ok(noise(Prelude::Value3Tiled, self.seed, self.position, &periods))
    }
}

/// A position displaced by fractal noise, on each axis by up to the strength. Any field may be read there.
#[derive(Clone, Debug, Node)]
#[node(id = "field.warp")]
pub struct Warp<'g> {
    /// What is displaced; features of the first octave are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// How far, at most.
    #[input(default = 1.0)]
    pub strength: Float<'g>,
    /// How many octaves the displacement has.
    #[input(default = 4, min = 1, max = 16)]
    pub octaves: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Warp<'g> {
    type Out = Vec3<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Vec3<'g>> {
        let octaves = octaves(self.octaves);
        let lane = |function| displaced(function, self.seed, self.position, octaves, self.strength);
        Ok(vec3(
            lane(Prelude::Warp3X),
            lane(Prelude::Warp3Y),
            lane(Prelude::Warp3Z),
        ))
    }
}

/// Fractal gradient noise at a displaced position, within [-1, 1]: `field.fbm` of `field.warp` with the same seed.
#[derive(Clone, Debug, Node)]
#[node(id = "field.warped")]
pub struct Warped<'g> {
    /// Where the noise is read; features of the first octave are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// How far a position is displaced on each axis, at most.
    #[input(default = 1.0)]
    pub strength: Float<'g>,
    /// How many octaves the noise and the displacement have.
    #[input(default = 4, min = 1, max = 16)]
    pub octaves: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Warped<'g> {
    type Out = Float<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Float<'g>> {
        Ok(displaced(
            Prelude::Warped3,
            self.seed,
            self.position,
            octaves(self.octaves),
            self.strength,
        ))
    }
}

/// How the way to a feature point is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
pub enum Metric {
    /// The length of the straight line.
    Euclidean,
    /// The sum of the ways along the axes.
    Manhattan,
    /// The longest of the ways along the axes.
    Chebyshev,
}

impl Metric {
    fn number(self) -> i32 {
        let metric = match self {
            Metric::Euclidean => zero_noise::Metric::Euclidean,
            Metric::Manhattan => zero_noise::Metric::Manhattan,
            Metric::Chebyshev => zero_noise::Metric::Chebyshev,
        };
        metric as i32
    }
}

/// The nearest two feature points, of which one stands in each unit cube.
#[derive(Clone, Copy, Debug, Outputs)]
pub struct Cells<'g> {
    /// The distance to the nearest, at most sqrt 3, 3 or 1 by the Euclidean, Manhattan or Chebyshev metric.
    pub f1: Float<'g>,
    /// The distance to the one after it, at most sqrt 3, 3 or 1.5. `f2 - f1` is 0 along the borders of the cells.
    pub f2: Float<'g>,
    /// The nearest point's hash, the same throughout its cell.
    pub id: UInt<'g>,
}

impl<'g> Cells<'g> {
    fn of([f1, f2, id]: [Prelude; 3], seed: i32, position: Vec3<'g>, rest: &[i32]) -> Cells<'g> {
        Cells {
            f1: noise(f1, seed, position, rest),
            f2: noise(f2, seed, position, rest),
            id: noise(id, seed, position, rest),
        }
    }
}

/// Cellular noise at a position: the distances to the nearest two feature points, and which is the nearest.
#[derive(Clone, Debug, Node)]
#[node(id = "field.cellular")]
pub struct Cellular<'g> {
    /// Where the noise is read; feature points are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// How distances are measured.
    #[input(default = Metric::Euclidean, options)]
    pub metric: Metric,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for Cellular<'g> {
    type Out = Cells<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Cells<'g>> {
        Ok(Cells::of(
            [Prelude::Cellular3F1, Prelude::Cellular3F2, Prelude::Cellular3Id],
            self.seed,
            self.position,
            &[self.metric.number()],
        ))
    }
}

/// Cellular noise that repeats, so that opposite sides of a tile meet without a seam.
#[derive(Clone, Debug, Node)]
#[node(id = "field.cellular_tiled")]
pub struct CellularTiled<'g> {
    /// Where the noise is read; feature points are about 1 apart.
    #[input]
    pub position: Vec3<'g>,
    /// How distances are measured.
    #[input(default = Metric::Euclidean, options)]
    pub metric: Metric,
    /// After how much way along X it repeats; 0 does not.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_x: i32,
    /// The same along Y.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_y: i32,
    /// The same along Z.
    #[input(default = 0, min = 0, max = 4194304)]
    pub period_z: i32,
    /// Which noise.
    #[input(default = 0)]
    pub seed: i32,
}

impl<'g> Compose<'g> for CellularTiled<'g> {
    type Out = Cells<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Cells<'g>> {
        let [x, y, z] = [self.period_x, self.period_y, self.period_z].map(period);
        Ok(Cells::of(
            [
                Prelude::Cellular3TiledF1,
                Prelude::Cellular3TiledF2,
                Prelude::Cellular3TiledId,
            ],
            self.seed,
            self.position,
            &[self.metric.number(), x, y, z],
        ))
    }
}
