//! A landscape to and from the files of a virtual file system.

use super::children::{named_before, tell_unnamed};
use super::manifest::{FILE, LayerEntry, Manifest, Read, ScatterEntry, Shade};
use super::water::{SHADE, WATER};
use super::{Layer, LayerInfo, Scatter, TerrainData, VERSION, Water};
use crate::error::{Error, Result};
use crate::grid::Grid;
use crate::heightfield::Heightfield;
use zero_assets::{Diagnostic, Elevation, Format, Loaded, Texels, Texture, TextureInfo, TextureLimits};
use zero_vfs::{Vfs, VfsPath};

const HEIGHT: &str = "height.texture";

impl TerrainData {
    /// Writes the landscape into a folder of a virtual file system: the children, then the manifest, so that a folder that
    /// was empty holds none or a whole one. The children that the manifest before it named and this one does not are removed
    /// last; everything else in the folder stays. Where a reader may come between, use [`write`](Self::write).
    ///
    /// # Errors
    /// [`Error::Vfs`] and [`Error::Texture`] where it can't be written.
    pub fn save(&self, vfs: &Vfs, folder: &VfsPath) -> Result<()> {
        let before = named_before(vfs, folder)?;
        self.height_texture()?.save(vfs, &folder.join(HEIGHT)?)?;
        let mut shade = None;
        if let Some(water) = &self.water {
            let (surface, shaded, depth_max) = water.textures(&self.ground)?;
            surface.save(vfs, &folder.join(WATER)?)?;
            shaded.save(vfs, &folder.join(SHADE)?)?;
            let file = SHADE.to_owned();
            shade = Some(Shade { file, depth_max });
        }
        for (at, four) in self.layers.chunks(4).enumerate() {
            self.control_texture(four)?.save(vfs, &folder.join(&control(at))?)?;
        }
        for scatter in &self.scatters {
            vfs.write(&folder.join(&instances(scatter.name()))?, &scatter.encode())?;
        }
        let manifest = self.manifest(shade);
        vfs.write(&folder.join(FILE)?, zero_yaml::to_string(&manifest)?.as_bytes())?;
        for left in before
            .iter()
            .filter(|left| manifest.children().all(|name| name != *left))
        {
            let left = folder.join(left)?;
            if vfs.stat(&left)?.is_some() {
                vfs.remove_tree(&left)?;
            }
        }
        Ok(())
    }

    fn manifest(&self, water_shade: Option<Shade>) -> Manifest {
        let (grid, size) = (self.ground.grid(), self.ground.grid().size_m());
        Manifest {
            version: VERSION,
            size,
            origin: [0, 1].map(|axis| f64::from(grid.origin_m[axis]) + size[axis] / 2.0),
            height_range: self.ground.range_m(),
            height: HEIGHT.to_owned(),
            water: self.water.is_some().then(|| WATER.to_owned()),
            water_shade,
            controls: (0..self.layers.len().div_ceil(4)).map(control).collect(),
            layers: self.layers.iter().map(entry).collect(),
            scatter: self
                .scatters
                .iter()
                .map(|scatter| ScatterEntry {
                    name: scatter.name().to_owned(),
                    file: instances(scatter.name()),
                    count: scatter.instances().len() as u32,
                })
                .collect(),
        }
    }

    fn height_texture(&self) -> Result<Texture> {
        let grid = self.ground.grid();
        let mut info = TextureInfo::new(Format::Rgba32F, [grid.width, grid.height]);
        info.elevation = Some(Elevation::metres(grid.spacing_m.map(f64::from)));
        Ok(Texture::new(info, Texels::F32(height_texels(&self.ground)))?)
    }

    fn control_texture(&self, layers: &[Layer]) -> Result<Texture> {
        let grid = self.ground.grid();
        let mut texels = vec![0; 4 * self.ground.heights_m().len()];
        for (channel, layer) in layers.iter().enumerate() {
            for (texel, weight) in texels.chunks_exact_mut(4).zip(layer.weights()) {
                texel[channel] = *weight;
            }
        }
        let info = TextureInfo::new(Format::Rgba8, [grid.width, grid.height]);
        Ok(Texture::new(info, Texels::U8(texels))?)
    }

    /// Reads the landscape in a folder of a virtual file system, whatever program wrote it.
    ///
    /// The heights, the levels of the water and where it reaches are taken as they stand. What follows from them is made
    /// anew: a gradient, a coverage of ground other than 1 and a shade of water that differ are diagnostics
    /// (`terrain.gradient`, `terrain.coverage`, `terrain.water_shade`), and so is a texture or a population that the
    /// manifest does not name (`terrain.unnamed`) and what a texture's own file is warned of. A landscape that this crate
    /// wrote has none: one that comes with some was damaged, or is another tool's.
    ///
    /// # Errors
    /// Each names the file and the field or the place: [`Error::NewerVersion`]; [`Error::Yaml`] for a manifest that does
    /// not decode, says something that can't be, or says something that this version does not read; [`Error::Vfs`] for a
    /// child that is missing; [`Error::Texture`] for one that is cut short, broken, of another size than it says, or that
    /// holds a number that is not finite; [`Error::Data`] for children that do not fit each other or the manifest.
    pub fn load(vfs: &Vfs, folder: &VfsPath) -> Result<Loaded<TerrainData>> {
        let mut told = Vec::new();
        let read = Read::from(vfs, folder)?;
        let ground = load_ground(vfs, folder, &read, &mut told)?;
        let water = Water::load(vfs, folder, &read, &ground, &mut told)?;
        let layers = load_layers(vfs, folder, &read, ground.grid(), &mut told)?;
        let mut data = TerrainData {
            ground,
            water,
            layers,
            scatters: Vec::new(),
        };
        for (at, entry) in read.manifest.scatter.iter().enumerate() {
            let at = at.to_string();
            let steps = ["scatter", &at, "file"];
            let file = read.child(folder, &steps, &entry.file, ".instances")?;
            let bytes = vfs.read_bounded(&file, Scatter::MAX_BYTES)?;
            let scatter = Scatter::decode(file.as_str(), &entry.name, &bytes)?;
            if scatter.instances().len() != entry.count as usize {
                let expected = format!("the {} copies that {file} holds", scatter.instances().len());
                return Err(read.error(&["scatter", &at, "count"], &expected, entry.count));
            }
            data = data
                .with_scatter(scatter)
                .map_err(|error| read.error(&["scatter", &at, "name"], "a name of its own", error))?;
        }
        tell_unnamed(vfs, folder, &read.manifest, &mut told)?;
        Ok(Loaded {
            value: data,
            diagnostics: told,
        })
    }
}

fn control(at: usize) -> String {
    format!("control{at}.texture")
}

fn instances(name: &str) -> String {
    format!("scatter_{name}.instances")
}

fn entry(layer: &Layer) -> LayerEntry {
    let LayerInfo { name, tint, tiling_m } = layer.info().clone();
    LayerEntry {
        name,
        tint,
        tiling: tiling_m,
        albedo_slice: -1,
        normal_slice: -1,
        mask_slice: -1,
    }
}

/// Height, rise along X, rise along Z and coverage of each sample.
fn height_texels(ground: &Heightfield) -> Vec<f32> {
    let width = ground.grid().width as usize;
    let samples = ground.heights_m().iter().enumerate();
    samples
        .flat_map(|(at, height)| {
            let [rise_x, rise_z] = ground.sample_gradient(at % width, at / width);
            [*height, rise_x, rise_z, 1.0]
        })
        .collect()
}

pub(super) fn broken(
    file: &VfsPath,
    field: impl Into<String>,
    expected: impl Into<String>,
    found: impl ToString,
) -> Error {
    Error::Data {
        file: file.to_string(),
        field: field.into(),
        expected: expected.into(),
        found: found.to_string(),
    }
}

/// A texture of the format that its role asks for.
pub(super) fn load_texture(vfs: &Vfs, folder: &VfsPath, format: Format, told: &mut Vec<Diagnostic>) -> Result<Texture> {
    let loaded = Texture::load(vfs, folder, &TextureLimits::default())?;
    told.extend(loaded.diagnostics);
    let texture = loaded.value;
    if texture.info.format != format {
        return Err(broken(folder, "format", format.to_string(), texture.info.format));
    }
    Ok(texture)
}

fn load_ground(vfs: &Vfs, folder: &VfsPath, read: &Read, told: &mut Vec<Diagnostic>) -> Result<Heightfield> {
    let manifest = &read.manifest;
    let child = read.child(folder, &["height"], &manifest.height, ".texture")?;
    let texture = load_texture(vfs, &child, Format::Rgba32F, told)?;
    let [width, height] = texture.info.size;
    let spacing = [
        manifest.size[0] / f64::from(width),
        manifest.size[1] / f64::from(height),
    ];
    let grid = Grid {
        width,
        height,
        spacing_m: spacing.map(|side| side as f32),
        origin_m: [0, 1].map(|axis| (manifest.origin[axis] - manifest.size[axis] / 2.0) as f32),
    };
    let Texels::F32(texels) = &texture.texels else {
        return Err(broken(&child, "texels", "floats", texture.info.format));
    };
    let heights = texels.iter().step_by(4).copied().collect();
    let ground =
        Heightfield::new(grid, heights).map_err(|error| broken(&child, "heights", "ground that can be", error))?;
    tell_derived(&child, &ground, texels, told);
    let ([low, high], [lowest, highest]) = (ground.range_m(), manifest.height_range);
    if low < lowest || high > highest {
        let expected = format!("a range that holds the heights, {low} to {high}");
        return Err(read.error(&["heightRange"], &expected, format!("{lowest} to {highest}")));
    }
    Ok(ground)
}

/// Tells where the gradient and the coverage of a height texture are not what the heights give, with the same bits on
/// every machine. The heights are what counts: another tool may take its slopes otherwise.
fn tell_derived(child: &VfsPath, ground: &Heightfield, texels: &[f32], told: &mut Vec<Diagnostic>) {
    let derived = height_texels(ground);
    let (held, derived) = (texels.as_chunks::<4>().0, derived.as_chunks::<4>().0);
    let roles = [
        (
            "terrain.gradient",
            &[1, 2][..],
            "gradient",
            "it is made anew from the heights",
        ),
        ("terrain.coverage", &[3][..], "coverage", "all of it is read as ground"),
    ];
    for (code, channels, role, instead) in roles {
        let off = |at: usize| {
            channels
                .iter()
                .map(move |channel| (held[at][*channel] - derived[at][*channel]).abs())
        };
        let differs = |at: &usize| {
            let mut channels = channels.iter();
            channels.any(|channel| held[*at][*channel].to_bits() != derived[*at][*channel].to_bits())
        };
        let texels: Vec<usize> = (0..held.len()).filter(differs).collect();
        let Some(first) = texels.first() else { continue };
        let most = texels.iter().flat_map(|at| off(*at)).fold(0.0, f32::max);
        let message = format!(
            "the {role} of {} texels, the first of them {first}, differs by up to {most} from what the heights give; {instead}",
            texels.len()
        );
        told.push(Diagnostic::warning(code, child, message));
    }
}

fn load_layers(
    vfs: &Vfs,
    folder: &VfsPath,
    read: &Read,
    grid: &Grid,
    told: &mut Vec<Diagnostic>,
) -> Result<Vec<Layer>> {
    let entries = &read.manifest.layers;
    let mut layers: Vec<Layer> = Vec::with_capacity(entries.len());
    let mut sums = vec![0u32; grid.count() as usize];
    for (texture, name) in read.manifest.controls.iter().enumerate() {
        let steps = ["controls", &texture.to_string()];
        let child = read.child(folder, &steps, name, ".texture")?;
        let control = load_texture(vfs, &child, Format::Rgba8, told)?;
        if control.info.size != [grid.width, grid.height] {
            let [width, height] = control.info.size;
            let expected = format!("{} x {}, as the heights", grid.width, grid.height);
            return Err(broken(&child, "size", expected, format!("{width} x {height}")));
        }
        let Texels::U8(texels) = &control.texels else {
            return Err(broken(&child, "texels", "bytes", control.info.format));
        };
        for (at, entry) in entries.iter().enumerate().skip(4 * texture).take(4) {
            let info = LayerInfo {
                name: entry.name.clone(),
                tint: entry.tint,
                tiling_m: entry.tiling,
            };
            let steps = ["layers", &at.to_string()];
            info.check()
                .map_err(|error| read.error(&steps, "a layer that can be", error))?;
            if layers.iter().any(|held| held.info().name == info.name) {
                return Err(read.error(&steps, "a name of its own", format!("'{}' again", info.name)));
            }
            let weights: Vec<u8> = texels.iter().skip(at % 4).step_by(4).copied().collect();
            for (sum, weight) in sums.iter_mut().zip(&weights) {
                *sum += u32::from(*weight);
            }
            layers.push(Layer::stored(info, weights));
        }
    }
    // Each share was rounded on its own, by half a part at most.
    let slack = layers.len() as u32 / 2 + 1;
    match sums.iter().position(|sum| sum.abs_diff(255) > slack) {
        Some(texel) if !layers.is_empty() => Err(broken(
            &folder.join(&read.manifest.controls[0])?,
            format!("the weights of texel {texel}"),
            "a sum of 255 over the layers",
            sums[texel],
        )),
        _ => Ok(layers),
    }
}
