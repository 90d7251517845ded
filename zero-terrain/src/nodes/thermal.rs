//! Ground that slides until it rests.

use super::raster_and;
use crate::kernels::{FROM_FIXED, MAX_UNITS, THERMAL, TO_FIXED, UNITS_PER_M};
use zero_compute::{Column, Domain, args};
use zero_procgen::values::{KeyHasher, Value};
use zero_procgen::{Compose, Cook, Float, Graph, Int, Node, Operation, Raster, Result, Type};

/// Thermal erosion: material on a slope steeper than its angle of repose slides down, step by step, so that cliffs grow
/// screes at their feet and knife edges round off. The angle is one of the world: a finer raster rests at the same slope.
///
/// Material moves in whole units of 1/65 536 m between the four neighbours, none is lost or made, and the ground has the
/// same bits on every device. Heights come out rounded to such a unit, and past 16 383.998 m are held there; 0 steps
/// leave the ground as it is.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.thermal")]
pub struct Thermal<'g> {
    /// The ground.
    #[input]
    pub raster: Raster<'g>,
    /// How often it slides; below 0 reads as 0.
    #[input(default = 50, min = 0, max = 10_000)]
    pub steps: Int<'g>,
    /// The angle of repose: what is no steeper rests.
    #[input(default = 35.0, min = 0.0, max = 89.0, unit = "deg")]
    pub talus_deg: Float<'g>,
    /// How much slides in a step: 1 is a quarter of what stands above the angle, the most that never overshoots.
    #[input(default = 1.0, min = 0.0, max = 1.0)]
    pub rate: Float<'g>,
}

const MAX_STEPS: u32 = 10_000;

impl<'g> Compose<'g> for Thermal<'g> {
    type Out = Raster<'g>;
    fn compose(self, g: &'g Graph) -> Result<Raster<'g>> {
        let parts = self.raster.parts();
        let angle = self.talus_deg.max(0.0).min(89.0) * (std::f32::consts::PI / 180.0);
        let rise = angle.sin() / angle.cos() * UNITS_PER_M;
        let rest = |spacing: Float<'g>| (rise * spacing).min(MAX_UNITS as f32).to_int();
        let rate = (self.rate.max(0.0).min(1.0) * 16_384.0 + 0.5).to_int();
        let inputs = vec![
            self.raster.into(),
            self.steps.into(),
            rest(parts.spacing_x_m).into(),
            rest(parts.spacing_z_m).into(),
            rate.into(),
        ];
        Ok(g.operation(Relax, inputs, vec![Type::Raster]).single())
    }
}

/// `raster, steps, rest_x, rest_z, rate` to the relaxed raster. The steps go back and forth between two runs in one list.
#[derive(Debug)]
struct Relax;

impl Operation for Relax {
    fn id(&self) -> &'static str {
        "terrain.relax"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let (raster, [steps, rest_x, rest_z, rate]) = raster_and(inputs)?;
        let steps = cx.decide_count("steps", steps, MAX_STEPS)?;
        if steps == 0 {
            return Ok(vec![Value::Raster(raster.clone())]);
        }
        let (heights, width) = (raster.samples(), raster.width());
        let domain = || Domain::of(heights);
        let fixed = cx.dispatch(&TO_FIXED, args! { heights: heights }, &[], domain())?;
        let mut from = fixed.column("fixed")?;
        let mut spare: Option<Column> = None;
        for _ in 0..steps {
            let mut given = args! { fixed: &from, width: width };
            if let Some(spare) = &spare {
                given = given.with("relaxed", spare);
            }
            let numbers = [("rest_x", rest_x), ("rest_z", rest_z), ("rate", rate)];
            let relaxed = cx.dispatch(&THERMAL, given, &numbers, domain())?.column("relaxed")?;
            spare = Some(std::mem::replace(&mut from, relaxed));
        }
        let out = cx.dispatch(&FROM_FIXED, args! { fixed: &from }, &[], domain())?;
        Ok(vec![Value::Raster(raster.with_samples(out.column("heights")?)?)])
    }
}
