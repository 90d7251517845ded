//! Water that stands over ground.

use super::files::{broken, load_texture};
use super::manifest::{Manifest, Read, Shade};
use crate::error::{Error, Result};
use crate::grid::{Grid, MAX_HEIGHT_M};
use crate::heightfield::Heightfield;
use zero_assets::{Diagnostic, Format, Texels, Texture, TextureInfo};
use zero_vfs::{Vfs, VfsPath};

pub(super) const WATER: &str = "water.texture";
pub(super) const SHADE: &str = "water_shade.texture";

/// A surface of water over the samples of ground: a sea, a lake and a river are each a level and where it reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Water {
    levels_m: Vec<f32>,
    covers: Vec<bool>,
}

impl Water {
    /// Water over each sample of the grid, row by row: the height of its surface, or `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Value`] for another number of levels than the grid has samples, and for the first level that is no finite
    /// number within [`MAX_HEIGHT_M`] of 0.
    pub fn new(grid: &Grid, levels_m: &[Option<f32>]) -> Result<Water> {
        let water = Water {
            levels_m: levels_m.iter().map(|level| level.unwrap_or(0.0)).collect(),
            covers: levels_m.iter().map(Option::is_some).collect(),
        };
        grid.check_samples("water levels", &water.levels_m, [-MAX_HEIGHT_M, MAX_HEIGHT_M])?;
        Ok(water)
    }

    /// One level, wherever the ground lies below it: a sea, or a flooded valley.
    ///
    /// # Errors
    /// [`Error::Value`] for a level that is no finite number within [`MAX_HEIGHT_M`] of 0.
    pub fn flood(ground: &Heightfield, level_m: f32) -> Result<Water> {
        if !(-MAX_HEIGHT_M..=MAX_HEIGHT_M).contains(&level_m) {
            let expected = format!("metres within {MAX_HEIGHT_M} of 0");
            return Err(Error::value("the water's level", expected, level_m));
        }
        let heights = ground.heights_m().iter();
        let levels: Vec<_> = heights.map(|height| (*height < level_m).then_some(level_m)).collect();
        Water::new(ground.grid(), &levels)
    }

    /// The height of the surface over a sample, counted row by row; `None` where no water stands and beyond the grid.
    pub fn level_m(&self, sample: usize) -> Option<f32> {
        let covered = self.covers.get(sample).copied().unwrap_or(false);
        covered.then(|| self.levels_m.get(sample).copied()).flatten()
    }

    /// How many samples it covers.
    pub fn covered(&self) -> usize {
        self.covers.iter().filter(|covers| **covers).count()
    }

    /// How many samples it is over, covered or not.
    pub(super) fn samples(&self) -> usize {
        self.covers.len()
    }

    /// How much water stands over each sample of the ground, in metres: 0 where there is none.
    pub fn depths_m(&self, ground: &Heightfield) -> Vec<f32> {
        let heights = ground.heights_m().iter().enumerate();
        heights
            .map(|(at, height)| self.level_m(at).map_or(0.0, |level| (level - height).max(0.0)))
            .collect()
    }

    /// The surface, its level and coverage, and its shade, the depth over the deepest and coverage; and that deepest.
    pub(super) fn textures(&self, ground: &Heightfield) -> Result<(Texture, Texture, f32)> {
        let size = [ground.grid().width, ground.grid().height];
        let samples = self.levels_m.iter().zip(&self.covers);
        let surface = samples.flat_map(|(level, covers)| [*level, f32::from(u8::from(*covers)), 0.0, 1.0]);
        let surface = Texture::new(TextureInfo::new(Format::Rgba32F, size), Texels::F32(surface.collect()))?;
        let depths = self.depths_m(ground);
        let deepest = depths.iter().copied().fold(0.0, f32::max);
        let shade = depths.iter().zip(&self.covers).flat_map(|(depth, covers)| {
            let share = if deepest > 0.0 { depth / deepest } else { 0.0 };
            // Within 0 to 255: a depth is no more than the deepest.
            [(share * 255.0 + 0.5) as u8, u8::from(*covers) * 255, 0, 255]
        });
        let shade = Texture::new(TextureInfo::new(Format::Rgba8, size), Texels::U8(shade.collect()))?;
        Ok((surface, shade, deepest))
    }

    /// Reads the water that a manifest names.
    pub(super) fn load(
        vfs: &Vfs,
        folder: &VfsPath,
        read: &Read,
        ground: &Heightfield,
        told: &mut Vec<Diagnostic>,
    ) -> Result<Option<Water>> {
        let Manifest { water, water_shade, .. } = &read.manifest;
        let Some(name) = water else {
            return match water_shade {
                None => Ok(None),
                Some(_) => Err(read.error(&["waterShade"], "water that it is the shade of", "no water")),
            };
        };
        let child = read.child(folder, &["water"], name, ".texture")?;
        let surface = load_texture(vfs, &child, Format::Rgba32F, told)?;
        check_size(&child, &surface, ground.grid())?;
        let Texels::F32(texels) = &surface.texels else {
            return Err(broken(&child, "texels", "floats", surface.info.format));
        };
        // A sample is covered or it is not: half of it is no state that water has.
        let (texels, _) = texels.as_chunks::<4>();
        let levels: Vec<_> = texels
            .iter()
            .map(|[level, covers, ..]| (*covers >= 0.5).then_some(*level))
            .collect();
        let water =
            Water::new(ground.grid(), &levels).map_err(|error| broken(&child, "levels", "water that can be", error))?;
        if let Some(shade) = water_shade {
            water.check_shade(vfs, folder, read, ground, shade, told)?;
        }
        Ok((water.covered() > 0).then_some(water))
    }

    /// The shade follows from the water and the ground: what it says otherwise is told, and not read.
    fn check_shade(
        &self,
        vfs: &Vfs,
        folder: &VfsPath,
        read: &Read,
        ground: &Heightfield,
        shade: &Shade,
        told: &mut Vec<Diagnostic>,
    ) -> Result<()> {
        if !(shade.depth_max.is_finite() && shade.depth_max >= 0.0) {
            let steps = ["waterShade", "depthMax"];
            return Err(read.error(&steps, "metres from 0", shade.depth_max));
        }
        let child = read.child(folder, &["waterShade", "file"], &shade.file, ".texture")?;
        let held = load_texture(vfs, &child, Format::Rgba8, told)?;
        check_size(&child, &held, ground.grid())?;
        let (_, derived, deepest) = self.textures(ground)?;
        if held.texels != derived.texels || shade.depth_max.to_bits() != deepest.to_bits() {
            let message = format!(
                "it differs from the water over the ground, whose deepest is {deepest} m; the water's own levels are read"
            );
            told.push(Diagnostic::warning("terrain.water_shade", &child, message));
        }
        Ok(())
    }
}

fn check_size(child: &VfsPath, texture: &Texture, grid: &Grid) -> Result<()> {
    if texture.info.size == [grid.width, grid.height] {
        return Ok(());
    }
    let ([width, height], expected) = (
        texture.info.size,
        format!("{} x {}, as the heights", grid.width, grid.height),
    );
    Err(broken(child, "size", expected, format!("{width} x {height}")))
}
