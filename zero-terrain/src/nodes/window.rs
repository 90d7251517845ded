//! A part of a raster.

use super::raster_and;
use crate::kernels::WINDOW;
use zero_compute::{Domain, args};
use zero_procgen::values::{KeyHasher, Raster as Held, Value};
use zero_procgen::{Choice, Compose, Cook, Error, Float, Graph, Node, Operation, Raster, Result, Type};

/// What a window's numbers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
pub enum Unit {
    /// Metres of the world; the window has the samples that stand inside it, its first edges included.
    Metres,
    /// Samples, from the raster's first.
    Cells,
}

/// A part of a raster, where it stands. A window that has no sample or reaches past the raster is refused.
#[derive(Clone, Debug, Node)]
#[node(id = "terrain.window")]
pub struct Window<'g> {
    /// What is cut.
    #[input]
    pub raster: Raster<'g>,
    /// Where the window begins along X.
    #[input]
    pub x: Float<'g>,
    /// Where the window begins along Z.
    #[input]
    pub z: Float<'g>,
    /// How far it reaches along X.
    #[input]
    pub width: Float<'g>,
    /// How far it reaches along Z.
    #[input]
    pub depth: Float<'g>,
    /// What these four numbers count.
    #[input(default = Unit::Metres, options)]
    pub unit: Unit,
}

impl<'g> Compose<'g> for Window<'g> {
    type Out = Raster<'g>;
    fn compose(self, g: &'g Graph) -> Result<Raster<'g>> {
        let inputs = vec![
            self.raster.into(),
            self.x.into(),
            self.z.into(),
            self.width.into(),
            self.depth.into(),
        ];
        let op = Cut { unit: self.unit };
        Ok(g.operation(op, inputs, vec![Type::Raster]).single())
    }
}

/// `raster, x, z, width, depth` to the window.
#[derive(Debug)]
struct Cut {
    unit: Unit,
}

impl Operation for Cut {
    fn id(&self) -> &'static str {
        "terrain.cut"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.unit.name());
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let (raster, numbers) = raster_and::<4>(inputs)?;
        let mut given = [0.0; 4];
        for (given, value) in given.iter_mut().zip(numbers) {
            *given = f64::from(cx.decide(value)?.lanes().first().copied().unwrap_or_default());
        }
        let [x, z, width, depth] = given;
        let (first_x, wide) = self.along(raster, 0, x, width)?;
        let (first_z, deep) = self.along(raster, 1, z, depth)?;
        let cut = cx.dispatch(
            &WINDOW,
            args! {
                heights: raster.samples(), width: raster.width(), window_width: wide,
                first_x: first_x, first_z: first_z,
            },
            &[],
            Domain::count(wide * deep),
        )?;
        let origin_m = [(0, first_x), (1, first_z)].map(|(axis, first)| {
            let spacing = f64::from(raster.spacing_m()[axis]);
            (f64::from(raster.origin_m()[axis]) + f64::from(first) * spacing) as f32
        });
        let window = Held::new(cut.column("cut")?, wide, deep, raster.spacing_m(), origin_m)?;
        Ok(vec![Value::Raster(window)])
    }
}

impl Cut {
    /// The first sample along an axis and how many there are.
    fn along(&self, raster: &Held, axis: usize, begin: f64, reach: f64) -> Result<(u32, u32)> {
        let held = [raster.width(), raster.height()][axis];
        let spacing = f64::from(raster.spacing_m()[axis]);
        let (begin, end) = match self.unit {
            Unit::Cells => (begin.floor(), begin.floor() + reach.floor()),
            Unit::Metres => {
                let cell = |metres: f64| ((metres - f64::from(raster.origin_m()[axis])) / spacing - 0.5).ceil();
                (cell(begin), cell(begin + reach))
            }
        };
        let inside = begin >= 0.0 && end > begin && end <= f64::from(held);
        if !inside {
            return Err(Error::Refused(format!(
                "expected samples within the raster's {held} along {}, got {begin} to {end}",
                ["X", "Z"][axis]
            )));
        }
        // Both lie within the raster's side.
        Ok((begin as u32, (end - begin) as u32))
    }
}
