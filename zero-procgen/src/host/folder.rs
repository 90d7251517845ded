//! A folder as a host: every output in files, with no scene and no screen.

use super::format::{Format, Wardrobe};
use super::{Host, HostResult, Picture, Previewer, Stand};
use crate::download::{HostGeometry, HostRaster};
use crate::error::{Error, Result};
use crate::export::{Change, Material};
use crate::value::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A folder that outputs stand in as files. All files of a present take their places together, each in one go; where one
/// can't, every file holds what it held before. A program that is stopped in between leaves whole files.
///
/// An output that no file takes is written under its own name: a geometry as `.glb`, a raster as `.exr`, anything else in
/// words as `.txt`. [`file`](Self::file) says it otherwise, by the end of its name:
///
/// | end | takes | holds |
/// |---|---|---|
/// | `.glb` | geometries | each as a node and a mesh, a population as instances, materials by reference: [`Glb`](crate::export::Glb) |
/// | `.ply` | one geometry | every column: [`ply_bytes`](crate::export::ply_bytes) |
/// | `.obj` | geometries | each as an object: [`obj_text`](crate::export::obj_text) |
/// | `.png` | one raster, or one output that the previewer has a picture of | 16 bits of grey, black at the least and white at the most; or the picture |
/// | `.exr` | one raster | every sample, 32-bit floats |
/// | `.txt` | any | what they are: [`Value::summary`] |
///
/// Pictures (`.png`, `.exr`) are written with the feature `images`. An output that changed is read back from the device,
/// which is waited for, and every file that takes it is written anew; a file whose outputs are gone goes too.
pub struct Folder {
    root: PathBuf,
    files: Vec<FileOf>,
    wardrobe: Wardrobe,
    previewer: Option<(Box<dyn Previewer + Send>, [u32; 2])>,
    /// The files that stand, and the outputs in each.
    standing: BTreeMap<String, Vec<String>>,
}

impl fmt::Debug for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folder")
            .field("root", &self.root)
            .field("files", &self.files)
            .field("standing", &self.standing)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
struct FileOf {
    name: String,
    format: Format,
    outputs: Vec<String>,
    range: Option<RangeInclusive<f32>>,
}

/// An output as the host has it.
#[derive(Debug)]
pub struct Downloaded {
    /// How its own file ends.
    end: &'static str,
    pub(super) held: Held,
    pub(super) kind: String,
    pub(super) picture: Option<Picture>,
    summary: String,
    /// The bytes of the files that it alone is in, until they are written.
    made: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Downloaded {
    /// What it is, in words.
    pub fn summary(&self) -> &str {
        &self.summary
    }
}

#[derive(Debug)]
pub(super) enum Held {
    Geometry(HostGeometry),
    #[cfg_attr(
        not(feature = "images"),
        expect(dead_code, reason = "what it holds is read by the writers of pictures alone")
    )]
    Raster(HostRaster),
    /// What is told in words alone.
    Other,
}

impl Folder {
    /// A folder, which is made at the first commit where there is none.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder {
            root: path.into(),
            files: Vec::new(),
            wardrobe: Wardrobe::default(),
            previewer: None,
            standing: BTreeMap::new(),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Has outputs written into a file of this name, in this order; they are not written under their own names then.
    ///
    /// # Errors
    /// [`Error::Kind`] for a name of no known end or no plain file name, for no output, and for several where the file
    /// takes one; [`Error::Refused`] for a name that is taken, and for a picture without the feature `images`.
    pub fn file<N: Into<String>>(self, name: &str, outputs: impl IntoIterator<Item = N>) -> Result<Folder> {
        self.with(name, outputs.into_iter().map(Into::into).collect(), None)
    }

    /// The same of a raster as a `.png`, black at the beginning of a range and white at its end; what lies outside is cut
    /// off.
    ///
    /// # Errors
    /// As [`file`](Self::file), and [`Error::Kind`] for a name of another end or a range of nothing.
    pub fn grey(self, name: &str, output: &str, range: RangeInclusive<f32>) -> Result<Folder> {
        let (low, high) = (*range.start(), *range.end());
        if Format::of(name)? != Format::Png || !(low.is_finite() && high.is_finite() && low < high) {
            return Err(Error::Kind {
                what: format!("file '{name}'"),
                expected: "a .png and two finite numbers, the first below the second".to_owned(),
                found: format!("{low} to {high}"),
            });
        }
        self.with(name, vec![output.to_owned()], Some(range))
    }

    fn with(mut self, name: &str, outputs: Vec<String>, range: Option<RangeInclusive<f32>>) -> Result<Folder> {
        let format = Format::of(check_name(name)?)?;
        if outputs.is_empty() || (format.takes_one() && outputs.len() > 1) {
            let expected = if format.takes_one() { "one output" } else { "outputs" };
            return Err(Error::Kind {
                what: format!("file '{name}'"),
                expected: expected.to_owned(),
                found: outputs.len().to_string(),
            });
        }
        if self.files.iter().any(|file| file.name == name) {
            return Err(Error::Refused(format!("a file '{name}' was already named")));
        }
        self.files.push(FileOf {
            name: name.to_owned(),
            format,
            outputs,
            range,
        });
        Ok(self)
    }

    /// A material that outputs may wear. A glTF file holds it once, however many do.
    ///
    /// # Errors
    /// [`Error::Kind`] for a factor that isn't in [0, 1], [`Error::Refused`] for a name that is taken.
    pub fn material(mut self, name: &str, material: Material) -> Result<Folder> {
        material.check(name)?;
        match self.wardrobe.materials.insert(name.to_owned(), material) {
            None => Ok(self),
            Some(_) => Err(Error::Refused(format!("a material '{name}' was already named"))),
        }
    }

    /// Says which material an output wears; without it, [`Material::default`] of its own. A material that was not named
    /// is refused when the output is shown.
    pub fn wears(mut self, output: &str, material: &str) -> Folder {
        self.wardrobe.worn.insert(output.to_owned(), material.to_owned());
        self
    }

    /// Draws `.png` files of what is no raster, at most of this width and height.
    pub fn previewer(mut self, previewer: impl Previewer + Send + 'static, size: [u32; 2]) -> Folder {
        self.previewer = Some((Box::new(previewer), size));
        self
    }

    /// The files that take an output: those that name it, else one of its own name.
    fn files_of(&self, output: &str, value: &Value) -> Result<Vec<FileOf>> {
        let named = self
            .files
            .iter()
            .filter(|file| file.outputs.iter().any(|held| held == output));
        let named: Vec<FileOf> = named.cloned().collect();
        match named.is_empty() {
            false => Ok(named),
            true => self.own_file(output, end_of(value)).map(|file| vec![file]),
        }
    }

    fn own_file(&self, output: &str, end: &str) -> Result<FileOf> {
        let name = format!("{}.{end}", check_name(output)?);
        match self.files.iter().any(|file| file.name == name) {
            false => Ok(FileOf {
                format: Format::of(&name)?,
                name,
                outputs: vec![output.to_owned()],
                range: None,
            }),
            true => Err(Error::Refused(format!(
                "output '{output}' would be written as '{name}', which is a file of others"
            ))),
        }
    }

    /// The files that stand for these outputs.
    fn files_for(&self, stands: &[Stand<'_, Downloaded>]) -> Result<Vec<FileOf>> {
        let stands_for = |output: &String| stands.iter().any(|stand| stand.output == output);
        let mut files = Vec::new();
        for file in &self.files {
            match file.outputs.iter().find(|output| !stands_for(output)) {
                None => files.push(file.clone()),
                // None of them is there: then neither is the file.
                Some(_) if !file.outputs.iter().any(stands_for) => {}
                Some(output) => {
                    let known = stands.iter().map(|stand| stand.output);
                    let unknown = Error::unknown("output", output, known);
                    return Err(Error::Refused(format!("file '{}': {unknown}", file.name)));
                }
            }
        }
        for stand in stands {
            let output = stand.output.to_owned();
            if !self.files.iter().any(|file| file.outputs.contains(&output)) {
                files.push(self.own_file(stand.output, stand.handle.end)?);
            }
        }
        Ok(files)
    }
}

fn end_of(value: &Value) -> &'static str {
    match value {
        Value::Geometry(_) => "glb",
        Value::Raster(_) => "exr",
        _ => "txt",
    }
}

impl Host for Folder {
    type Handle = Downloaded;

    fn show(&mut self, output: &str, value: &Value, _: Option<&Downloaded>) -> HostResult<Downloaded> {
        let files = self.files_of(output, value)?;
        if let Some(worn) = self.wardrobe.worn.get(output)
            && !self.wardrobe.materials.contains_key(worn)
        {
            let known = self.wardrobe.materials.keys().map(String::as_str);
            return Err(Error::unknown("material", worn, known).into());
        }
        let drawn = files.iter().any(|file| file.format == Format::Png) && !matches!(value, Value::Raster(_));
        let picture = match (&mut self.previewer, drawn) {
            (Some((previewer, size)), true) => previewer.picture(value, *size)?,
            _ => None,
        };
        let shown = Downloaded {
            end: end_of(value),
            held: match value {
                _ if files.iter().all(|file| file.format == Format::Txt) => Held::Other,
                Value::Geometry(geometry) => Held::Geometry(geometry.download()?),
                Value::Raster(raster) => Held::Raster(raster.download()?),
                _ => Held::Other,
            },
            kind: value.describe(),
            picture,
            summary: value.summary(),
            made: RefCell::default(),
        };
        for file in files {
            file.format.accept(&file.name, output, &shown)?;
            // A file of several is made whole in the commit; what a writer refuses is refused here, where the output
            // can be named.
            let bytes = file.format.bytes(&[(output, &shown)], &self.wardrobe, file.range)?;
            if file.outputs.len() == 1 {
                shown.made.borrow_mut().insert(file.name, bytes);
            }
        }
        Ok(shown)
    }

    fn commit(&mut self, stands: &[Stand<'_, Downloaded>]) -> HostResult<()> {
        let files = self.files_for(stands)?;
        std::fs::create_dir_all(&self.root).map_err(|source| Error::File {
            path: self.root.display().to_string(),
            source,
        })?;
        let mut change = Change::default();
        for file in &files {
            let held: Vec<&Stand<'_, Downloaded>> = file
                .outputs
                .iter()
                .filter_map(|output| stands.iter().find(|stand| stand.output == output))
                .collect();
            let stood = self.standing.get(&file.name) == Some(&file.outputs);
            if stood && held.iter().all(|stand| !stand.fresh) {
                continue;
            }
            let outputs: Vec<(&str, &Downloaded)> = held.iter().map(|stand| (stand.output, stand.handle)).collect();
            let made = match outputs.as_slice() {
                [(_, held)] => held.made.borrow_mut().remove(&file.name),
                _ => None,
            };
            let bytes = match made {
                Some(bytes) => bytes,
                None => file.format.bytes(&outputs, &self.wardrobe, file.range.clone())?,
            };
            change.write(&self.root.join(&file.name), |out| out.write_all(&bytes))?;
        }
        for name in self.standing.keys() {
            if !files.iter().any(|file| file.name == *name) {
                change.remove(&self.root.join(name));
            }
        }
        change.commit()?;
        self.standing = files.into_iter().map(|file| (file.name, file.outputs)).collect();
        Ok(())
    }

    fn retire(&mut self, _: &str, _: Downloaded) {}
}

/// The name of a file in the folder itself, which leads nowhere else on any system.
fn check_name(name: &str) -> Result<&str> {
    let plain = |letter: char| !letter.is_control() && !"/\\:*?\"<>|".contains(letter);
    match !name.is_empty() && !name.starts_with('.') && !name.ends_with(['.', ' ']) && name.chars().all(plain) {
        true => Ok(name),
        false => Err(Error::Kind {
            what: "name of a file".to_owned(),
            expected: "a plain one: no folder, no dot before or after it, none of / \\ : * ? \" < > |".to_owned(),
            found: format!("{name:?}"),
        }),
    }
}
