//! The constructs of rasters: their parts as runs and numbers, and fields over their samples.

use super::{Cook, Operation, Over};
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::{KeyHasher, Number, Value};

fn two<'v>(what: &str, inputs: &'v [Value]) -> Result<(&'v Value, &'v Value)> {
    match inputs {
        [first, second] => Ok((first, second)),
        other => Err(Error::Refused(format!(
            "{what}: expected 2 inputs, got {}",
            other.len()
        ))),
    }
}

fn one<'v>(what: &str, inputs: &'v [Value]) -> Result<&'v Value> {
    inputs
        .first()
        .ok_or_else(|| Error::Refused(format!("{what}: expected an input, got none")))
}

/// `raster` to the run of its samples.
#[derive(Debug)]
pub(crate) struct RasterSamples;

impl Operation for RasterSamples {
    fn id(&self) -> &'static str {
        "construct.raster_samples"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let raster = one(self.id(), inputs)?.raster()?;
        Ok(vec![Value::Column(raster.samples().clone())])
    }
}

/// `raster` to its width, height, spacing along X and Z, and origin along X and Z.
#[derive(Debug)]
pub(crate) struct RasterShape;

impl RasterShape {
    pub(crate) const OUTPUTS: [Type; 6] = [Type::Int, Type::Int, Type::Float, Type::Float, Type::Float, Type::Float];
}

impl Operation for RasterShape {
    fn id(&self) -> &'static str {
        "construct.raster_shape"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let raster = one(self.id(), inputs)?.raster()?;
        // A column has fewer than 2^31 elements, so a side is a whole number too.
        let sides = [raster.width(), raster.height()].map(|side| Number::int(side.cast_signed()));
        let metres = [raster.spacing_m(), raster.origin_m()].concat();
        Ok(sides
            .into_iter()
            .chain(metres.into_iter().map(Number::float))
            .map(Value::Number)
            .collect())
    }
}

/// `raster, samples` to the same grid with other samples.
#[derive(Debug)]
pub(crate) struct WithSamples;

impl Operation for WithSamples {
    fn id(&self) -> &'static str {
        "construct.raster_with_samples"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let (raster, samples) = two(self.id(), inputs)?;
        Ok(vec![Value::Raster(
            raster.raster()?.with_samples(samples.column()?.clone())?,
        )])
    }
}

/// `geometry, value` to the value at every element of a class, with the same bits on every device.
#[derive(Debug)]
pub(crate) struct EvaluateOver {
    pub(crate) class: Class,
    pub(crate) ty: Type,
}

impl Operation for EvaluateOver {
    fn id(&self) -> &'static str {
        "construct.evaluate_over"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name()).text(self.ty.name());
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let (geometry, value) = two(self.id(), inputs)?;
        let geometry = geometry.geometry()?;
        let column = cx.evaluate_exact(value, self.ty, &Over::class(geometry, self.class))?;
        Ok(vec![Value::Column(column)])
    }
}
