//! What surfaces are made of.

use glam::Vec3;

use crate::{RenderError, Result};

/// A linear colour from the 8-bit sRGB numbers that a person reads off a picture, such as `0x7a6f5d`.
#[must_use]
pub fn linear_from_srgb(rgb: u32) -> Vec3 {
    let lane = |shift: u32| {
        let x = ((rgb >> shift) & 255) as f32 / 255.0;
        // IEC 61966-2-1.
        if x <= 0.04045 {
            x / 12.92
        } else {
            ((x + 0.055) / 1.055).powf(2.4)
        }
    };
    Vec3::new(lane(16), lane(8), lane(0))
}

/// A plain opaque surface.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Material {
    /// A name for messages and graphics debuggers.
    pub name: String,
    /// Linear albedo, 0 to 1.
    pub base_color: Vec3,
    /// Perceptual roughness, 0.03 (mirror) to 1.
    pub roughness: f32,
    /// Reflectance at normal incidence; 0.04 for most things that are not metal.
    pub reflectance: f32,
    /// How much light comes through from the far side, as leaves let it: 0 (stone) to 1.
    pub translucency: f32,
    /// How much albedo varies from place to place at the scale of `variation_m`, 0 to 1.
    pub variation: f32,
    /// Size of that variation, in metres.
    pub variation_m: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: "material".to_owned(),
            base_color: Vec3::splat(0.5),
            roughness: 0.8,
            reflectance: 0.04,
            translucency: 0.0,
            variation: 0.0,
            variation_m: 1.0,
        }
    }
}

impl Material {
    /// An opaque surface of this colour and roughness.
    #[must_use]
    pub fn new(name: impl Into<String>, base_color: Vec3, roughness: f32) -> Self {
        Self {
            name: name.into(),
            base_color,
            roughness,
            ..Self::default()
        }
    }

    /// Leaves and needles: light comes through.
    #[must_use]
    pub fn translucent(mut self, translucency: f32) -> Self {
        self.translucency = translucency;
        self
    }

    /// Albedo that varies by up to `amount` over patches of `size_m`.
    #[must_use]
    pub fn varied(mut self, amount: f32, size_m: f32) -> Self {
        self.variation = amount;
        self.variation_m = size_m;
        self
    }
}

/// Where a terrain layer lies, by one mask: nothing up to `from`, all from `to` on; the other way round when `from` is
/// above `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cover {
    /// The mask's value where the layer begins.
    pub from: f32,
    /// The mask's value where it covers all.
    pub to: f32,
}

impl Cover {
    /// Whatever the mask says.
    pub const EVERYWHERE: Self = Self { from: -3.0, to: -2.0 };
}

/// One layer of a terrain surface, laid over those before it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TerrainLayer {
    /// Linear albedo of its lighter patches.
    pub light: Vec3,
    /// Linear albedo of its darker patches.
    pub dark: Vec3,
    /// Perceptual roughness.
    pub roughness: f32,
    /// Size of the largest patches, in metres; finer ones follow down to a 500th of it.
    pub patch_m: f32,
    /// Depth of the relief that the normal shows, in metres over a patch.
    pub relief_m: f32,
    /// Banding along the height, as strata show in rock: 0 (none) to 1.
    pub strata: f32,
    /// Where it lies by the first mask.
    pub by_first_mask: Cover,
    /// Where it lies by the second mask.
    pub by_second_mask: Cover,
    /// How far noise moves the border, in units of the mask, 0 to 1.
    pub ragged: f32,
}

impl TerrainLayer {
    /// A layer between two albedos that covers everything.
    #[must_use]
    pub fn new(light: Vec3, dark: Vec3) -> Self {
        Self {
            light,
            dark,
            roughness: 0.9,
            patch_m: 20.0,
            relief_m: 0.4,
            strata: 0.0,
            by_first_mask: Cover::EVERYWHERE,
            by_second_mask: Cover::EVERYWHERE,
            ragged: 0.15,
        }
    }

    /// Limits it by the first mask.
    #[must_use]
    pub fn by_first_mask(mut self, from: f32, to: f32) -> Self {
        self.by_first_mask = Cover { from, to };
        self
    }

    /// Limits it by the second mask.
    #[must_use]
    pub fn by_second_mask(mut self, from: f32, to: f32) -> Self {
        self.by_second_mask = Cover { from, to };
        self
    }

    /// Sets the size of patches and the depth of their relief, in metres.
    #[must_use]
    pub fn detail(mut self, patch_m: f32, relief_m: f32) -> Self {
        self.patch_m = patch_m;
        self.relief_m = relief_m;
        self
    }

    /// Sets the banding along the height.
    #[must_use]
    pub fn strata(mut self, strata: f32) -> Self {
        self.strata = strata;
        self
    }

    /// Sets the roughness.
    #[must_use]
    pub fn roughness(mut self, roughness: f32) -> Self {
        self.roughness = roughness;
        self
    }

    /// Sets how far noise moves the border, in units of the mask.
    #[must_use]
    pub fn ragged(mut self, ragged: f32) -> Self {
        self.ragged = ragged;
        self
    }
}

/// A terrain surface: up to [`TerrainMaterial::MAX_LAYERS`] layers blended by the mesh's two masks and shaded once.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TerrainMaterial {
    /// A name for messages and graphics debuggers.
    pub name: String,
    /// The layers, bottom first; the bottom one covers everything.
    pub layers: Vec<TerrainLayer>,
}

impl TerrainMaterial {
    /// The most layers that one surface takes.
    pub const MAX_LAYERS: usize = 5;

    /// A surface of these layers, bottom first.
    #[must_use]
    pub fn new(name: impl Into<String>, layers: impl Into<Vec<TerrainLayer>>) -> Self {
        Self {
            name: name.into(),
            layers: layers.into(),
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let (layers, limit) = (self.layers.len(), Self::MAX_LAYERS);
        if layers == 0 || layers > limit {
            return Err(RenderError::TerrainLayers {
                material: self.name.clone(),
                layers,
                limit,
            });
        }
        for layer in &self.layers {
            check_color("layer.light", layer.light)?;
            check_color("layer.dark", layer.dark)?;
            check_unit("layer.roughness", layer.roughness)?;
            check_unit("layer.strata", layer.strata)?;
            check_unit("layer.ragged", layer.ragged)?;
            check_length("layer.patch_m", layer.patch_m)?;
            for (what, value) in [
                ("layer.relief_m", layer.relief_m),
                ("layer.by_first_mask", layer.by_first_mask.from),
                ("layer.by_first_mask", layer.by_first_mask.to),
                ("layer.by_second_mask", layer.by_second_mask.from),
                ("layer.by_second_mask", layer.by_second_mask.to),
            ] {
                if !value.is_finite() {
                    return Err(RenderError::OutOfRange {
                        what,
                        expected: "a finite number",
                        value,
                    });
                }
            }
        }
        Ok(())
    }
}

/// The uniform that both kinds of surface share; the shader picks by `kind.x`.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct MaterialUniform {
    /// Layers (0: a plain surface), translucency, variation, variation size.
    kind: [f32; 4],
    /// Base colour and roughness.
    base: [f32; 4],
    /// Reflectance, free.
    extra: [f32; 4],
    layers: [LayerUniform; TerrainMaterial::MAX_LAYERS],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct LayerUniform {
    /// Albedo and roughness.
    light: [f32; 4],
    /// Albedo and patch size.
    dark: [f32; 4],
    /// The two covers.
    cover: [f32; 4],
    /// Relief, strata, ragged, free.
    detail: [f32; 4],
}

impl MaterialUniform {
    pub(crate) fn plain(m: &Material) -> Result<Self> {
        check_color("material.base_color", m.base_color)?;
        check_unit("material.roughness", m.roughness)?;
        check_unit("material.reflectance", m.reflectance)?;
        check_unit("material.translucency", m.translucency)?;
        check_unit("material.variation", m.variation)?;
        check_length("material.variation_m", m.variation_m)?;
        Ok(Self {
            kind: [0.0, m.translucency, m.variation, m.variation_m],
            base: m.base_color.extend(m.roughness).to_array(),
            extra: [m.reflectance, 0.0, 0.0, 0.0],
            layers: [LayerUniform::default(); TerrainMaterial::MAX_LAYERS],
        })
    }

    pub(crate) fn terrain(m: &TerrainMaterial) -> Result<Self> {
        m.check()?;
        let mut layers = [LayerUniform::default(); TerrainMaterial::MAX_LAYERS];
        for (uniform, layer) in layers.iter_mut().zip(&m.layers) {
            let (first, second) = (edge(layer.by_first_mask), edge(layer.by_second_mask));
            *uniform = LayerUniform {
                light: layer.light.extend(layer.roughness).to_array(),
                dark: layer.dark.extend(layer.patch_m).to_array(),
                cover: [first.from, first.to, second.from, second.to],
                detail: [layer.relief_m, layer.strata, layer.ragged, 0.0],
            };
        }
        Ok(Self {
            kind: [m.layers.len() as f32, 0.0, 0.0, 1.0],
            base: [0.0; 4],
            extra: [0.03, 0.0, 0.0, 0.0],
            layers,
        })
    }
}

/// A border of no width would divide by zero.
fn edge(cover: Cover) -> Cover {
    if (cover.to - cover.from).abs() < 1e-4 {
        Cover {
            to: cover.from + 1e-4,
            ..cover
        }
    } else {
        cover
    }
}

fn check_unit(what: &'static str, value: f32) -> Result<()> {
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(RenderError::OutOfRange {
            what,
            expected: "0 to 1",
            value,
        })
    }
}

fn check_color(what: &'static str, color: Vec3) -> Result<()> {
    color.to_array().into_iter().try_for_each(|x| check_unit(what, x))
}

fn check_length(what: &'static str, value: f32) -> Result<()> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(RenderError::OutOfRange {
        what,
        expected: "metres above 0",
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_decodes_its_ends_and_its_middle() {
        assert_eq!(linear_from_srgb(0x000000), Vec3::ZERO);
        assert_eq!(linear_from_srgb(0xffffff), Vec3::ONE);
        assert!((linear_from_srgb(0xbc0000).x - 0.5028865).abs() < 1e-5);
    }

    #[test]
    fn numbers_outside_their_range_are_refused_by_name() {
        let error = MaterialUniform::plain(&Material::new("m", Vec3::splat(2.0), 0.5))
            .unwrap_err()
            .to_string();
        assert!(error.contains("base_color") && error.contains('2'), "{error}");
        let error = MaterialUniform::terrain(&TerrainMaterial::new("hills", []))
            .unwrap_err()
            .to_string();
        assert!(error.contains("hills") && error.contains("0 layers"), "{error}");
        let layer = TerrainLayer::new(Vec3::ONE, Vec3::ZERO).detail(f32::NAN, 1.0);
        assert!(MaterialUniform::terrain(&TerrainMaterial::new("hills", [layer])).is_err());
    }
}
