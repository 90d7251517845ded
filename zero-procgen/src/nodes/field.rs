//! Fields from noise.

use crate::graph::ops::apply;
use crate::{Compose, Float, Graph, MathOp, Node, Registry, Result, Vec3};

/// Adds the family.
pub fn register(registry: &mut Registry) {
    registry.add::<Fbm>().add::<Noise>();
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
