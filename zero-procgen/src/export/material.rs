//! How a surface looks, in glTF's metallic-roughness terms.

use crate::error::{Error, Result};
use gltf_json::material::{
    AlphaMode, EmissiveFactor, Material as JsonMaterial, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor,
};
use gltf_json::validation::Checked;

/// How a surface looks: the metallic-roughness model of glTF 2.0, section 3.9.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Linear red, green, blue and opacity, each in [0, 1]. A mesh with a colour column multiplies its own into it;
    /// an opacity below 1 blends.
    pub base_color: [f32; 4],
    /// From 0, a mirror, to 1, matt.
    pub roughness: f32,
    /// From 0, a dielectric, to 1, a metal.
    pub metallic: f32,
}

impl Default for Material {
    /// Matt, light grey, no metal.
    fn default() -> Self {
        Material {
            base_color: [0.8, 0.8, 0.8, 1.0],
            roughness: 0.9,
            metallic: 0.0,
        }
    }
}

impl Material {
    /// Refuses what glTF refuses: a factor out of [0, 1], which NaN is too.
    pub(crate) fn check(&self, mesh: &str) -> Result<()> {
        let [red, green, blue, alpha] = self.base_color;
        let factors = [
            ("red", red),
            ("green", green),
            ("blue", blue),
            ("opacity", alpha),
            ("roughness", self.roughness),
            ("metallic", self.metallic),
        ];
        match factors.iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            None => Ok(()),
            Some((factor, value)) => Err(Error::Kind {
                what: format!("material of '{mesh}', {factor}"),
                expected: "a number in [0, 1]".to_owned(),
                found: value.to_string(),
            }),
        }
    }

    pub(super) fn to_json(self, name: &str) -> JsonMaterial {
        let alpha_mode = if self.base_color[3] < 1.0 {
            AlphaMode::Blend
        } else {
            AlphaMode::Opaque
        };
        JsonMaterial {
            name: Some(name.to_owned()),
            alpha_mode: Checked::Valid(alpha_mode),
            emissive_factor: EmissiveFactor([0.0; 3]),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor(self.base_color),
                metallic_factor: StrengthFactor(self.metallic),
                roughness_factor: StrengthFactor(self.roughness),
                ..PbrMetallicRoughness::default()
            },
            ..JsonMaterial::default()
        }
    }
}
