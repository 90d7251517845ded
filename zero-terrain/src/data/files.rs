//! A landscape to and from the files of a virtual file system.

use super::manifest::{FILE, LayerEntry, Manifest, Read, ScatterEntry};
use super::{Layer, LayerInfo, Scatter, TerrainData, VERSION};
use crate::error::{Error, Result};
use crate::grid::Grid;
use crate::heightfield::Heightfield;
use zero_assets::{Elevation, Format, Texels, Texture, TextureInfo, TextureLimits};
use zero_vfs::{Vfs, VfsPath};

const HEIGHT: &str = "height.texture";

impl TerrainData {
    /// Writes the landscape into a folder of a virtual file system: the children, then the manifest, so that a folder that
    /// was empty holds none or a whole one. Textures and populations that an earlier landscape left there and this one
    /// does not have are removed last. Where a reader may come between, use [`write`](Self::write).
    ///
    /// # Errors
    /// [`Error::Vfs`] and [`Error::Texture`] where it can't be written.
    pub fn save(&self, vfs: &Vfs, folder: &VfsPath) -> Result<()> {
        self.height_texture()?.save(vfs, &folder.join(HEIGHT)?)?;
        for (at, four) in self.layers.chunks(4).enumerate() {
            self.control_texture(four)?.save(vfs, &folder.join(&control(at))?)?;
        }
        for scatter in &self.scatters {
            vfs.write(&folder.join(&instances(scatter.name()))?, &scatter.encode())?;
        }
        let manifest = self.manifest();
        vfs.write(&folder.join(FILE)?, zero_yaml::to_string(&manifest)?.as_bytes())?;
        for left in unnamed(vfs, folder, &manifest)? {
            vfs.remove_tree(&left)?;
        }
        Ok(())
    }

    fn manifest(&self) -> Manifest {
        let (grid, size) = (self.ground.grid(), self.ground.grid().size_m());
        Manifest {
            version: VERSION,
            size,
            origin: [0, 1].map(|axis| f64::from(grid.origin_m[axis]) + size[axis] / 2.0),
            height_range: self.ground.range_m(),
            height: HEIGHT.to_owned(),
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

    /// Reads the landscape in a folder of a virtual file system.
    ///
    /// # Errors
    /// Each names the file and the field or the place: [`Error::NewerVersion`]; [`Error::Yaml`] for a manifest that does
    /// not decode, says something that can't be, or says something that this version does not read; [`Error::Vfs`] for a
    /// child that is missing; [`Error::Texture`] for one that is cut short, broken, of another size than it says, or that
    /// holds a number that is not finite; [`Error::Data`] for children that do not fit each other or the manifest.
    pub fn load(vfs: &Vfs, folder: &VfsPath) -> Result<TerrainData> {
        let read = Read::from(vfs, folder)?;
        let ground = load_ground(vfs, folder, &read)?;
        let layers = load_layers(vfs, folder, &read, ground.grid())?;
        let mut data = TerrainData {
            ground,
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
        match unnamed(vfs, folder, &read.manifest)?.first() {
            None => Ok(data),
            // The manifest may be cut short, and the ground would stand without what covers it.
            Some(left) => Err(broken(
                &folder.join(FILE)?,
                "children",
                "every one to be named",
                format!("{left} besides"),
            )),
        }
    }
}

/// The textures and populations in a container that its manifest does not name.
fn unnamed(vfs: &Vfs, folder: &VfsPath, manifest: &Manifest) -> Result<Vec<VfsPath>> {
    let files = manifest.scatter.iter().map(|entry| &entry.file);
    let named: Vec<&String> = manifest
        .controls
        .iter()
        .chain(files)
        .chain([&manifest.height])
        .collect();
    let mut left = Vec::new();
    for entry in vfs.list(folder)?.entries {
        let child = [".texture", ".instances"]
            .iter()
            .any(|suffix| entry.name.ends_with(suffix));
        if child && !named.contains(&&entry.name) {
            left.push(folder.join(&entry.name)?);
        }
    }
    Ok(left)
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

fn broken(file: &VfsPath, field: impl Into<String>, expected: impl Into<String>, found: impl ToString) -> Error {
    Error::Data {
        file: file.to_string(),
        field: field.into(),
        expected: expected.into(),
        found: found.to_string(),
    }
}

/// A texture of the format that its role asks for, with nothing to say against it: a landscape's textures are written by
/// programs, so that an odd one is a broken one.
fn load_texture(vfs: &Vfs, folder: &VfsPath, format: Format) -> Result<Texture> {
    let loaded = Texture::load(vfs, folder, &TextureLimits::default())?;
    if let Some(told) = loaded.diagnostics.first() {
        return Err(broken(folder, "texture.yaml", "nothing unusual", told));
    }
    let texture = loaded.value;
    if texture.info.format != format {
        return Err(broken(folder, "format", format.to_string(), texture.info.format));
    }
    Ok(texture)
}

fn load_ground(vfs: &Vfs, folder: &VfsPath, read: &Read) -> Result<Heightfield> {
    let manifest = &read.manifest;
    let child = read.child(folder, &["height"], &manifest.height, ".texture")?;
    let texture = load_texture(vfs, &child, Format::Rgba32F)?;
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
    // The other channels follow from the heights and the grid, with the same bits everywhere: a difference is damage.
    let differs = height_texels(&ground)
        .iter()
        .zip(texels)
        .position(|(derived, held)| derived.to_bits() != held.to_bits());
    if let Some(at) = differs {
        let (texel, channel) = (at / 4, ["R", "G", "B", "A"][at % 4]);
        let field = format!("channel {channel} of texel {texel}");
        return Err(broken(&child, field, "what the heights give it", texels[at]));
    }
    let ([low, high], [lowest, highest]) = (ground.range_m(), manifest.height_range);
    if low < lowest || high > highest {
        let expected = format!("a range that holds the heights, {low} to {high}");
        return Err(read.error(&["heightRange"], &expected, format!("{lowest} to {highest}")));
    }
    Ok(ground)
}

fn load_layers(vfs: &Vfs, folder: &VfsPath, read: &Read, grid: &Grid) -> Result<Vec<Layer>> {
    let entries = &read.manifest.layers;
    let mut layers: Vec<Layer> = Vec::with_capacity(entries.len());
    let mut sums = vec![0u32; grid.count() as usize];
    for (texture, name) in read.manifest.controls.iter().enumerate() {
        let steps = ["controls", &texture.to_string()];
        let child = read.child(folder, &steps, name, ".texture")?;
        let control = load_texture(vfs, &child, Format::Rgba8)?;
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
