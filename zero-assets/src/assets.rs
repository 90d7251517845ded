//! [`Assets`]: what is there, by path, identity and name.

use std::collections::BTreeMap;

use zero_vfs::{Vfs, VfsPath, Walk, nearest_names};

use crate::asset_type::AssetType;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::opaque;
use crate::registry::TypeRegistry;

/// Where content lies unless a host says otherwise.
pub const SOURCE: &str = "/zero/source";

/// An asset: a folder `<name>.<type>` and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asset {
    /// Its folder.
    pub path: VfsPath,
    /// Its name: the folder's without the type's suffix.
    pub name: String,
    /// The name of its type.
    pub kind: String,
    /// The library it is in, without the `@`; `None` in the world.
    pub library: Option<String>,
    /// The way to it from its world or library: segments joined by dots, suffixes of assets dropped, so that
    /// `/zero/source/kit/bark.texture` is `kit.bark`. An asset that holds it keeps its suffix unless its type
    /// is a container.
    pub identity: String,
}

impl Asset {
    /// The identity as it is written from anywhere: `@lib::identity` in a library.
    #[must_use]
    pub fn full_identity(&self) -> String {
        match &self.library {
            None => self.identity.clone(),
            Some(library) => format!("@{library}::{}", self.identity),
        }
    }
}

/// The assets below a folder, with their types. It is a picture of the moment it was made: after a change,
/// [`Assets::load`] again.
///
/// ```
/// use zero_assets::{Assets, builtin};
/// use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
///
/// let mut vfs = Vfs::new();
/// vfs.mount(builtin()?)?;
/// let world = MemorySource::with_files("world", [("/lib/hello.script/init.luau", &b"return 1"[..])])?;
/// vfs.mount(Mount::new(VfsPath::parse("/zero/source")?, world))?;
///
/// let assets = Assets::load(&vfs)?;
/// assert!(assets.diagnostics().is_empty());
/// assert_eq!(assets.find("lib.hello")?.path.as_str(), "/zero/source/lib/hello.script");
/// assert_eq!(
///     assets.find("lib.helo").unwrap_err().to_string(),
///     "no asset answers to `lib.helo`; did you mean `lib.hello`?"
/// );
/// # Ok::<(), zero_assets::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Assets {
    types: TypeRegistry,
    /// Sorted by path.
    assets: Vec<Asset>,
    /// Numbers of assets by identity, and by last part of the identity.
    by_identity: BTreeMap<String, Vec<usize>>,
    by_name: BTreeMap<String, Vec<usize>>,
    diagnostics: Vec<Diagnostic>,
}

impl Assets {
    /// Looks through [`SOURCE`]: reads every type, then finds every asset. Broken content is a diagnostic.
    ///
    /// # Errors
    /// [`Error::Vfs`] if the tree cannot be walked.
    pub fn load(vfs: &Vfs) -> Result<Self> {
        let root = VfsPath::parse(SOURCE)?;
        let walk = match vfs.stat(&root)? {
            Some(_) => vfs.walk(&root)?,
            None => Walk::default(),
        };
        // A library's types come before the world's, so that a world cannot take a built-in type's name.
        let (library, world): (Vec<_>, Vec<_>) = walk
            .folders
            .iter()
            .partition(|folder| library_of(&root, folder).is_some());
        let (types, mut diagnostics) = opaque::load_types(vfs, library.into_iter().chain(world), &walk.folders);
        diagnostics.extend(walk.unreachable.iter().map(|(folder, held)| {
            let message = format!("`{}` cannot be reached: {}", held.name, held.why);
            Diagnostic::warning("vfs.unreachable", folder, message)
        }));
        let mut assets = Vec::new();
        let mut opaque: Option<VfsPath> = None;
        for folder in &walk.folders {
            // Folders come in the order of their paths: what an opaque asset holds follows it directly.
            if opaque.as_ref().is_some_and(|asset| folder.starts_with(asset)) {
                continue;
            }
            let Some(name) = folder.name() else { continue };
            match types.split(name) {
                Some((name, kind)) => {
                    diagnostics.extend(check_name(folder, name));
                    diagnostics.extend(kind.check(folder, &below(&walk, folder)));
                    if kind.is_opaque_walker {
                        opaque = Some(folder.clone());
                    }
                    assets.push(asset(&types, &root, folder, name, kind));
                }
                None => diagnostics.extend(check_suffix(&types, folder, name)),
            }
        }
        diagnostics.sort_by(|a, b| (&a.path, a.at, a.code).cmp(&(&b.path, b.at, b.code)));
        let (mut by_identity, mut by_name) = (BTreeMap::new(), BTreeMap::new());
        for (number, asset) in assets.iter().enumerate() {
            by_identity
                .entry(asset.identity.clone())
                .or_insert_with(Vec::new)
                .push(number);
            by_name.entry(asset.name.clone()).or_insert_with(Vec::new).push(number);
        }
        Ok(Self {
            types,
            assets,
            by_identity,
            by_name,
            diagnostics,
        })
    }

    /// The types.
    #[must_use]
    pub fn types(&self) -> &TypeRegistry {
        &self.types
    }

    /// What is wrong with the content, by path.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Every asset, by path.
    pub fn iter(&self) -> impl Iterator<Item = &Asset> {
        self.assets.iter()
    }

    /// The assets of a type, by path.
    ///
    /// # Errors
    /// [`Error::NoType`] with the nearest names.
    pub fn list(&self, kind: &str) -> Result<impl Iterator<Item = &Asset>> {
        let kind = &self.types.get(kind)?.name;
        Ok(self.assets.iter().filter(move |asset| asset.kind == *kind))
    }

    /// The asset that `name` names, whatever its type. `name` is, tried in this order:
    ///
    /// 1. a path, where it begins with `/`;
    /// 2. `@lib::identity` in the library of that name;
    /// 3. an identity in the world, then in all libraries;
    /// 4. an identity or an asset's own name with the type's suffix: `kit.bark.texture`, `bark.texture`;
    /// 5. an asset's own name, wherever it is: `bark`.
    ///
    /// # Errors
    /// [`Error::NoAsset`] with the nearest names; [`Error::Ambiguous`] with the candidates.
    pub fn find(&self, name: &str) -> Result<&Asset> {
        self.resolve(name, None)
    }

    /// The same among the assets of one type.
    ///
    /// # Errors
    /// As [`Assets::find`] and [`Assets::list`].
    pub fn find_of(&self, kind: &str, name: &str) -> Result<&Asset> {
        self.resolve(name, Some(&self.types.get(kind)?.name))
    }

    /// The deepest asset that `path` is, or is in.
    #[must_use]
    pub fn containing(&self, path: &VfsPath) -> Option<&Asset> {
        path.ancestors().find_map(|folder| self.at(&folder))
    }

    fn at(&self, path: &VfsPath) -> Option<&Asset> {
        let number = self.assets.binary_search_by(|asset| asset.path.cmp(path)).ok()?;
        self.assets.get(number)
    }

    fn resolve<'a>(&'a self, name: &str, kind: Option<&str>) -> Result<&'a Asset> {
        let wanted = |asset: &&Asset| kind.is_none_or(|kind| asset.kind == kind);
        if name.starts_with('/') {
            let path = VfsPath::parse(name)?;
            return self.at(&path).filter(wanted).ok_or_else(|| self.missing(name, kind));
        }
        let mut tries = vec![self.by_identity(name)];
        if let Some((rest, own_kind)) = self.types.split(name) {
            let of_kind = |found: Vec<&'a Asset>| found.into_iter().filter(|a| a.kind == own_kind.name).collect();
            tries.push(of_kind(self.by_identity(rest)));
            tries.push(of_kind(self.numbered(&self.by_name, rest)));
        }
        tries.push(self.numbered(&self.by_name, name));
        for found in tries {
            let mut found: Vec<&Asset> = found.into_iter().filter(wanted).collect();
            // The world before the libraries.
            if found.iter().any(|asset| asset.library.is_none()) {
                found.retain(|asset| asset.library.is_none());
            }
            match found[..] {
                [] => continue,
                [one] => return Ok(one),
                _ => {
                    let candidates = found.iter().map(|asset| asset.path.clone()).collect();
                    return Err(Error::Ambiguous {
                        name: name.to_owned(),
                        candidates,
                    });
                }
            }
        }
        Err(self.missing(name, kind))
    }

    fn by_identity(&self, name: &str) -> Vec<&Asset> {
        match name.strip_prefix('@').and_then(|rest| rest.split_once("::")) {
            None => self.numbered(&self.by_identity, name),
            Some((library, identity)) => {
                let mut found = self.numbered(&self.by_identity, identity);
                found.retain(|asset| asset.library.as_deref() == Some(library));
                found
            }
        }
    }

    fn numbered(&self, index: &BTreeMap<String, Vec<usize>>, name: &str) -> Vec<&Asset> {
        index
            .get(name)
            .into_iter()
            .flatten()
            .filter_map(|&number| self.assets.get(number))
            .collect()
    }

    fn missing(&self, name: &str, kind: Option<&str>) -> Error {
        let candidates = self
            .assets
            .iter()
            .filter(|asset| kind.is_none_or(|kind| asset.kind == kind));
        let names: Vec<String> = match name.starts_with('/') {
            true => candidates.map(|asset| asset.path.to_string()).collect(),
            // A short name is compared with short names, a long one with whole identities.
            false => candidates
                .flat_map(|asset| [asset.full_identity(), asset.name.clone()])
                .collect(),
        };
        let near = nearest_names(name, names.iter().map(String::as_str));
        Error::NoAsset {
            name: name.to_owned(),
            near,
        }
    }
}

/// The name of the library that `path` is in, and the library's root.
fn library_of(root: &VfsPath, path: &VfsPath) -> Option<(String, VfsPath)> {
    let inner = path.relative_to(root)?;
    let mut segments = inner.segments();
    let (folder, library) = (segments.next()?, segments.next()?);
    let name = library.strip_prefix('@').filter(|_| folder == "libs")?;
    Some((name.to_owned(), root.join(folder).ok()?.join(library).ok()?))
}

fn asset(types: &TypeRegistry, root: &VfsPath, folder: &VfsPath, name: &str, kind: &AssetType) -> Asset {
    let (library, root) = match library_of(root, folder) {
        Some((library, root)) => (Some(library), root),
        None => (None, root.clone()),
    };
    let inner = folder.relative_to(&root).unwrap_or_else(VfsPath::root);
    let mut parts: Vec<&str> = inner
        .segments()
        .map(|segment| match types.split(segment) {
            Some((name, kind)) if kind.is_container => name,
            _ => segment,
        })
        .collect();
    parts.pop();
    parts.push(name);
    Asset {
        path: folder.clone(),
        name: name.to_owned(),
        kind: kind.name.clone(),
        library,
        identity: parts.join("."),
    }
}

/// The part of `walk` below `folder`. Both lists are in the order of paths, so it is one range of each.
fn below(walk: &Walk, folder: &VfsPath) -> Walk {
    let range = |paths: &[VfsPath]| -> Vec<VfsPath> {
        let start = paths.partition_point(|path| path <= folder);
        let inside = paths[start..].iter().take_while(|path| path.starts_with(folder));
        inside.cloned().collect()
    };
    Walk {
        folders: range(&walk.folders),
        files: range(&walk.files),
        unreachable: Vec::new(),
    }
}

fn check_name(folder: &VfsPath, name: &str) -> Option<Diagnostic> {
    let mut letters = name.chars();
    let sound = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    let message = format!("`{name}` is no plain name (a letter, then letters, digits or `_`); code cannot write it");
    (!sound).then(|| Diagnostic::warning("asset.name", folder, message))
}

/// A folder with a dot in its name that is no asset: perhaps its type is missing or misspelt.
fn check_suffix(types: &TypeRegistry, folder: &VfsPath, name: &str) -> Option<Diagnostic> {
    let dot = name.rfind('.').filter(|&dot| dot > 0)?;
    let hint = match types.near_suffixes(name).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => "make the type first".to_owned(),
    };
    let message = format!("no type has the suffix `{}`, so this is no asset; {hint}", &name[dot..]);
    Some(Diagnostic::warning("asset.unknown_type", folder, message))
}
