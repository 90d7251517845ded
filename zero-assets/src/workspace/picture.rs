//! [`Picture`]: how an asset is pictured, and whether the picture that is kept of it still shows what it holds.

use zero_vfs::{ContentHash, Kind, VfsPath};

use super::Workspace;
use super::settings::hook_error;
use crate::asset::Asset;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::refs::Refs;
use crate::types::{METADATA_FILE, PreviewKind, TYPE_FILE, matches};
use crate::value::Value;

/// The file that the picture of an asset is kept in.
pub(super) const PICTURE_FILE: &str = "preview.png";
/// What every PNG begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Files that say something about an asset and are not seen in a picture of it.
const UNSEEN: &[&str] = &[PICTURE_FILE, "README.md", METADATA_FILE];

/// How an asset is pictured: what the recipe of its type comes to for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Picture {
    /// What the picture shows.
    pub shows: Shown,
    /// Where the camera looks from: yaw and pitch in degrees.
    pub angle_deg: Option<[f64; 2]>,
    /// The picture that is kept.
    pub kept: Kept,
}

/// What a [`Picture`] shows. A studio that the host draws owns light, backdrop and framing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shown {
    /// A file of the asset, fitted to the frame; nothing is rendered.
    File(VfsPath),
    /// A built-in mesh, painted with a material.
    Surface {
        /// The mesh.
        mesh: String,
        /// The name of the material, as the type's `preview_material` answers.
        material: String,
    },
    /// The asset, put into the studio by [`Workspace::instantiate`].
    Instance,
    /// What [`Workspace::preview`] answers.
    Custom,
}

/// The picture that is kept of an asset, in its `preview.png`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// Its type keeps none: it declares no `preview:`.
    Never,
    /// There is none yet.
    Missing,
    /// It shows what the asset holds; or somebody put it there who did not say what it shows.
    Current,
    /// It shows what the asset held once.
    Stale,
}

impl Workspace {
    /// How an asset is pictured. `None` for one that is not: its type declares no `preview:`, and its behaviour cannot put it
    /// into a scene either. What is drawn is the host's, as is when: [`Kept`] says whether there is anything to do.
    ///
    /// # Errors
    /// [`Error::NoPicture`] where what the recipe needs is not there; [`Error::NoAsset`], [`Error::Hook`], [`Error::Vfs`].
    pub fn picture(&self, path: &VfsPath) -> Result<Option<Picture>> {
        let asset = self.asset(path)?;
        let declared = self.assets.type_of(asset).and_then(|kind| kind.preview.as_ref());
        let Some(declared) = declared else {
            let shows_instance = self.can_instantiate(path)?;
            return Ok(shows_instance.then_some(Picture {
                shows: Shown::Instance,
                angle_deg: None,
                kept: Kept::Never,
            }));
        };
        let no = |why: String| no_picture(asset, why);
        let shows = match &declared.kind {
            PreviewKind::Image { files } => {
                let file = self.source_of(asset, files);
                Shown::File(file.ok_or_else(|| no(format!("it holds none of `{}`", files.join("`, `"))))?)
            }
            PreviewKind::Surface { mesh } => Shown::Surface {
                mesh: mesh.clone(),
                material: self
                    .preview_material(path)?
                    .ok_or_else(|| no("its type names no `preview_material`".to_owned()))?,
            },
            PreviewKind::Instantiate => match self.can_instantiate(path)? {
                true => Shown::Instance,
                false => return Err(no("its type does not say how it is put into a scene".to_owned())),
            },
            PreviewKind::Custom => match self.behavior_of(asset) {
                Some(_) => Shown::Custom,
                None => return Err(no("its type has no behaviour to make it".to_owned())),
            },
        };
        Ok(Some(Picture {
            shows,
            angle_deg: declared.angle_deg,
            kept: self.kept(asset)?,
        }))
    }

    /// Whether an asset can be pictured now: whether its type says how, and what that needs is there.
    ///
    /// # Errors
    /// As [`Workspace::picture`], but for [`Error::NoPicture`].
    pub fn can_preview(&self, path: &VfsPath) -> Result<bool> {
        match self.picture(path) {
            Ok(picture) => Ok(picture.is_some()),
            Err(Error::NoPicture { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The picture of an asset that its type makes itself, as bytes of a PNG; `None` where the recipe of its `type.yaml`
    /// holds, as [`Workspace::picture`] says.
    ///
    /// # Errors
    /// [`Error::NoPicture`] where the recipe is that the type makes it, and it makes none; [`Error::NoAsset`],
    /// [`Error::Hook`].
    pub fn preview(&self, path: &VfsPath, options: &Value) -> Result<Option<Vec<u8>>> {
        let asset = self.asset(path)?;
        let made = match self.behavior_of(asset) {
            Some(attached) => attached.behavior.preview(&self.context(asset, &attached), options),
            None => Ok(None),
        };
        let made = made.map_err(|source| hook_error(asset, "preview", source))?;
        let declared = self.assets.type_of(asset).and_then(|kind| kind.preview.as_ref());
        match (&made, declared.map(|declared| &declared.kind)) {
            (None, Some(PreviewKind::Custom)) => Err(no_picture(asset, "its type made none".to_owned())),
            _ => Ok(made),
        }
    }

    /// The material that a picture of kind `surface` paints, as the type says for this asset.
    ///
    /// # Errors
    /// [`Error::NoAsset`], [`Error::Hook`].
    pub fn preview_material(&self, path: &VfsPath) -> Result<Option<String>> {
        let asset = self.asset(path)?;
        let Some(attached) = self.behavior_of(asset) else {
            return Ok(None);
        };
        let made = attached.behavior.preview_material(&self.context(asset, &attached));
        made.map_err(|source| hook_error(asset, "previewMaterial", source))
    }

    /// Keeps a picture of an asset, the bytes of a PNG, in its `preview.png`, and in its `.refs` what the asset holds now.
    ///
    /// # Errors
    /// [`Error::NoPicture`] for a type that keeps none, an asset that is one file, and bytes that are no PNG; [`Error::Vfs`].
    /// After [`zero_vfs::Error::NotSynced`] it is kept.
    pub fn keep_preview(&mut self, path: &VfsPath, png: &[u8]) -> Result<()> {
        let asset = self.asset(path)?.clone();
        let declared = self.assets.type_of(&asset).and_then(|kind| kind.preview.as_ref());
        let why = match (declared, asset.form) {
            (None, _) => Some("its type declares no `preview:`"),
            (_, Kind::File) => Some("it is one file, and holds no other"),
            _ => (!png.starts_with(PNG)).then_some("what came is no PNG"),
        };
        if let Some(why) = why {
            return Err(no_picture(&asset, why.to_owned()));
        }
        let mut refs = self.assets.whole_refs(&asset)?.cloned().unwrap_or_default();
        refs.pictured = Some(self.seen(&asset)?);
        let (file, place) = (asset.path.join(PICTURE_FILE)?, Refs::place(&asset.path, asset.form)?);
        // The file first: a sidecar that is not written has it made again.
        self.write_each(&[(&file, png), (&place, refs.to_text()?.as_bytes())])
    }

    /// A type whose assets are put into a studio, and whose behaviour does not put them into any scene. What the other
    /// recipes need is known of an asset alone; and what is built in waits for the system that draws.
    pub(super) fn check_recipe(&self, kind: &Asset) -> Option<Diagnostic> {
        let declared = self.assets.types().at(&kind.path)?.preview.as_ref()?;
        let attached = self.behaviors.of_type(&kind.path)?;
        let is_there = attached.behavior.instantiable().is_some();
        if declared.kind != PreviewKind::Instantiate || is_there || attached.is_builtin {
            return None;
        }
        let file = kind.path.join(TYPE_FILE).ok()?;
        let message = "its assets are pictured by `instantiate`, and its behaviour does not put them into a scene";
        Some(Diagnostic::warning("type.preview", &file, message))
    }

    fn kept(&self, asset: &Asset) -> Result<Kept> {
        let file = asset.path.join(PICTURE_FILE)?;
        if !self.assets.tree().has_file(&file) {
            return Ok(Kept::Missing);
        }
        let known = self.assets.refs_of(asset).and_then(|refs| refs.pictured.as_ref());
        match known {
            Some(known) if *known != self.seen(asset)? => Ok(Kept::Stale),
            _ => Ok(Kept::Current),
        }
    }

    /// A hash of all that an asset holds and a picture may show, the assets in it included.
    fn seen(&self, asset: &Asset) -> Result<String> {
        let mut all = Vec::new();
        for file in self.assets.tree().files_below(&asset.path) {
            let is_unseen = file.name().is_some_and(|name| UNSEEN.contains(&name)) || self.assets.is_sidecar(file);
            if let Some(inner) = file.relative_to(&asset.path).filter(|_| !is_unseen) {
                all.extend_from_slice(inner.as_str().as_bytes());
                all.push(0);
                all.extend_from_slice(self.vfs.hash(file)?.as_bytes());
            }
        }
        Ok(ContentHash::of(&all).to_string())
    }

    /// The file that a picture of an asset is made of. A `preview.png` that somebody put there may be that file; one that was
    /// kept of the asset ([`Workspace::keep_preview`]) shows another, and is no source of itself.
    fn source_of(&self, asset: &Asset, patterns: &[String]) -> Option<VfsPath> {
        let was_kept = self.assets.refs_of(asset).is_some_and(|refs| refs.pictured.is_some());
        let is_source = |file: &VfsPath| !was_kept || file.name() != Some(PICTURE_FILE);
        self.first_of(asset, patterns, is_source)
    }

    /// The first file of an asset that fits the first pattern that one fits.
    fn first_of(&self, asset: &Asset, patterns: &[String], wanted: impl Fn(&VfsPath) -> bool) -> Option<VfsPath> {
        let mut files = self.assets.files_of(asset);
        files.retain(wanted);
        let fits = |pattern: &str, file: &VfsPath| match file.relative_to(&asset.path) {
            Some(inner) if !inner.is_root() => matches(pattern, &inner.as_str()[1..]),
            _ => file.name().is_some_and(|name| matches(pattern, name)),
        };
        patterns
            .iter()
            .find_map(|pattern| files.iter().find(|file| fits(pattern, file)).cloned())
    }
}

fn no_picture(asset: &Asset, why: String) -> Error {
    Error::NoPicture {
        asset: asset.path.clone(),
        kind: asset.kind.clone(),
        why,
    }
}
