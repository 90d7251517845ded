//! What covers ground.

use super::check_name;
use crate::error::{Error, Result};
use crate::grid::Grid;

/// What a layer is, apart from where.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerInfo {
    /// Its name, an identifier.
    pub name: String,
    /// Its linear colour, 0 to 1.
    pub tint: [f32; 3],
    /// Metres that one repeat of its textures covers, above 0.
    pub tiling_m: f32,
}

impl LayerInfo {
    /// A white layer whose textures repeat every metre.
    pub fn new(name: impl Into<String>) -> LayerInfo {
        LayerInfo {
            name: name.into(),
            tint: [1.0; 3],
            tiling_m: 1.0,
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        check_name("the layer", &self.name)?;
        if !self.tint.iter().all(|channel| (0.0..=1.0).contains(channel)) {
            let what = format!("layer '{}', tint", self.name);
            return Err(Error::value(
                what,
                "three numbers from 0 to 1",
                format!("{:?}", self.tint),
            ));
        }
        if !(self.tiling_m.is_finite() && self.tiling_m > 0.0) {
            return Err(Error::value(
                format!("layer '{}', tiling", self.name),
                "metres above 0",
                self.tiling_m,
            ));
        }
        Ok(())
    }
}

/// A layer and how much of it covers each sample of the ground, 0 to 1, row by row: what a mask says.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// What the layer is.
    pub info: LayerInfo,
    /// How much of it covers each sample.
    pub weights: Vec<f32>,
}

/// A layer as a landscape holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    info: LayerInfo,
    weights: Vec<u8>,
}

impl Layer {
    pub(super) fn stored(info: LayerInfo, weights: Vec<u8>) -> Layer {
        Layer { info, weights }
    }
    /// What it is.
    pub fn info(&self) -> &LayerInfo {
        &self.info
    }
    /// Its share of each sample of the ground in parts of 255, row by row. The shares of all layers sum to 255, give or
    /// take half a part each.
    pub fn weights(&self) -> &[u8] {
        &self.weights
    }
}

/// The layers with their coverage in shares.
pub(super) fn normalized(grid: &Grid, coverage: Vec<Coverage>) -> Result<Vec<Layer>> {
    for (at, layer) in coverage.iter().enumerate() {
        layer.info.check()?;
        let name = &layer.info.name;
        if coverage[..at].iter().any(|held| held.info.name == *name) {
            return Err(Error::value(
                "the layer's name",
                "one of its own",
                format!("'{name}' again"),
            ));
        }
        grid.check_samples(&format!("layer '{name}', coverage"), &layer.weights, [0.0, 1.0])?;
    }
    let mut layers: Vec<Layer> = coverage
        .iter()
        .map(|layer| Layer::stored(layer.info.clone(), Vec::with_capacity(layer.weights.len())))
        .collect();
    let samples = coverage.first().map_or(0, |layer| layer.weights.len());
    for sample in 0..samples {
        let sum: f32 = coverage.iter().map(|layer| layer.weights[sample]).sum();
        for (at, (layer, given)) in layers.iter_mut().zip(&coverage).enumerate() {
            let share = match sum > 0.0 {
                true => given.weights[sample] / sum,
                false => f32::from(u8::from(at == 0)),
            };
            // Within 0 to 255: a part is no more than its sum. Halves go up, so that two halves read 128 each.
            layer.weights.push((share * 255.0 + 0.5) as u8);
        }
    }
    Ok(layers)
}
