//! [`Query`]: a name, and which asset it means where it stands.

use zero_vfs::{Kind, VfsPath, nearest_names};

use crate::asset::Asset;
use crate::assets::{Assets, Category, join};
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::registry::split_suffix;
use crate::root::Root;

/// A name to resolve, and what it is resolved against.
///
/// | form | names |
/// |---|---|
/// | `/zero/source/kit/bark.texture` | what lies at the path, or is that asset's own content there |
/// | `5f2c01fe-8f6c-4c8a-9a3e-0d8f6f1f3b52` | the asset of the guid |
/// | `@root::kit.bark` | an identity in the root of the file that says it |
/// | `@stone::kit.bark` | an identity in the library `stone` |
/// | `.bark`, `..bark`, `...bark` | beside the file that says it, one folder up, two up |
/// | `~.bark`, `~/parts/bark` | in the nearest root around it: its package, its type, any asset of a type that is a `root`, else its world or library |
/// | `~kit.bark` | in the root named `kit` |
/// | `kit.bark` | an identity: in its own world or library, then in the world, then in all libraries |
/// | `bark` | an asset's own name, or an alias, wherever it may be seen |
/// | `points.disc` | what the container `points` holds, wherever that lies: one that is seen, else any whose type broadcasts |
///
/// Each form may end in a type's suffix (`bark.texture`), which says the type. Where a name may mean several, the
/// world's own answer before those of libraries; more than one is an error, never a guess.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Query<'a> {
    /// The name.
    pub name: &'a str,
    /// The type it is asked to be of.
    pub category: Option<&'a str>,
    /// The file that says the name.
    pub from: Option<&'a VfsPath>,
}

impl<'a> Query<'a> {
    /// Asks for a name, of any type and said by no file.
    #[must_use]
    pub fn new(name: &'a str) -> Self {
        Self {
            name,
            category: None,
            from: None,
        }
    }

    /// The same among the assets of one type.
    #[must_use]
    pub fn category(self, category: &'a str) -> Self {
        Self {
            category: Some(category),
            ..self
        }
    }

    /// The same as it is said by the file at `from`, or by the asset there.
    #[must_use]
    pub fn from(self, from: &'a VfsPath) -> Self {
        Self {
            from: Some(from),
            ..self
        }
    }
}

impl Assets {
    /// The asset that `name` names, whatever its type and said by no file.
    ///
    /// # Errors
    /// As [`Assets::resolve`].
    pub fn find(&self, name: &str) -> Result<&Asset> {
        self.resolve(&Query::new(name))
    }

    /// The same among the assets of one type.
    ///
    /// # Errors
    /// As [`Assets::resolve`].
    pub fn find_of(&self, kind: &str, name: &str) -> Result<&Asset> {
        self.resolve(&Query::new(name).category(kind))
    }

    /// The asset of this guid.
    ///
    /// # Errors
    /// [`Error::NoAsset`]; [`Error::Ambiguous`] for a copy that is not settled yet.
    pub fn by_guid(&self, guid: Guid) -> Result<&Asset> {
        let paths = self.names().guid.get(&guid).map(Vec::as_slice).unwrap_or_default();
        let name = || guid.to_string();
        match paths {
            [] => Err(Error::NoAsset {
                name: name(),
                near: Vec::new(),
            }),
            [one] => self.at(one).ok_or_else(|| Error::NoAsset {
                name: name(),
                near: Vec::new(),
            }),
            _ => Err(Error::Ambiguous {
                name: name(),
                candidates: paths.to_vec(),
            }),
        }
    }

    /// The asset that a name means where it stands.
    ///
    /// # Errors
    /// [`Error::NoAsset`] with the nearest names, [`Error::OtherType`] for a name of an asset of another type than is asked
    /// for, [`Error::NoLibrary`], [`Error::Ambiguous`] with the candidates, [`Error::NoType`] for a
    /// category that is none, [`Error::NoReferrer`] for a name that only means something in a file, and
    /// [`Error::Unregistered`] for the path of a folder whose suffix no type has.
    pub fn resolve(&self, query: &Query<'_>) -> Result<&Asset> {
        let category = query.category.map(|kind| self.category(kind)).transpose()?;
        let lookup = Lookup {
            assets: self,
            query,
            category,
            names_near: true,
        };
        lookup.run().map_err(|error| self.other_type(query, error))
    }

    /// Where a name is missing among the assets of one type and means one of another, that is said.
    fn other_type(&self, query: &Query<'_>, error: Error) -> Error {
        let (Error::NoAsset { .. }, Some(wanted)) = (&error, query.category) else {
            return error;
        };
        let any = Query {
            category: None,
            ..*query
        };
        match self.answers(&any) {
            Some(asset) => Error::OtherType {
                name: query.name.to_owned(),
                path: asset.path.clone(),
                kind: asset.kind.clone(),
                wanted: wanted.to_owned(),
            },
            None => error,
        }
    }

    /// What answers to a name, without looking for what is near where nothing does.
    pub(crate) fn answers(&self, query: &Query<'_>) -> Option<&Asset> {
        let category = query.category.map(|kind| self.category(kind)).transpose().ok()?;
        let lookup = Lookup {
            assets: self,
            query,
            category,
            names_near: false,
        };
        lookup.run().ok()
    }

    /// The folder that `.name` in `from` begins at: where the asset lies, for a file that stands for the whole of
    /// it (its primary or an entry file), else the folder of the file.
    fn beside(&self, from: &VfsPath) -> Option<VfsPath> {
        let Some(asset) = self.containing(from).filter(|asset| asset.form == Kind::Folder) else {
            return from.parent();
        };
        match self.stands_for(asset, from) {
            true => asset.path.parent(),
            false => from.parent(),
        }
    }

    /// Whether a path is a folder asset, or the file of it that stands for the whole: its content, an entry file, or one
    /// that shares its identity.
    fn stands_for(&self, asset: &Asset, path: &VfsPath) -> bool {
        let Some(inner) = path.relative_to(&asset.path) else {
            return false;
        };
        inner.is_root()
            || self.type_of(asset).is_some_and(|kind| {
                let entries = kind.primary.iter().chain(&kind.entry_files);
                let mut entries = entries.chain(&kind.primary_aliases);
                entries.any(|entry| crate::types::matches(entry, &inner.as_str()[1..]))
            })
    }

    /// The nearest root around `from`: an asset of a type that is one, else its world or library.
    pub(crate) fn root_around(&self, from: &VfsPath) -> zero_vfs::Result<VfsPath> {
        let is_root = |folder: &VfsPath| {
            let kind = self.at(folder).and_then(|asset| self.type_of(asset));
            kind.is_some_and(|kind| kind.root)
        };
        match from.ancestors().find(is_root) {
            Some(folder) => Ok(folder),
            None => Root::of(from).folder(),
        }
    }
}

/// The containers that a name may begin with.
#[derive(Clone, Copy)]
enum Boxes {
    /// Those that are found by their own name from where the name is said.
    Seen,
    /// All whose type broadcasts what they hold: a family of nodes or tools is called by its name from outside of the
    /// package that brought it.
    All,
}

struct Lookup<'a, 'q> {
    assets: &'a Assets,
    query: &'q Query<'q>,
    category: Option<Category>,
    /// Whether a miss names what is near, which costs a pass over all names.
    names_near: bool,
}

impl<'a> Lookup<'a, '_> {
    fn run(&self) -> Result<&'a Asset> {
        let name = self.query.name;
        if name.starts_with('/') {
            return self.at_path(&VfsPath::parse(name)?);
        }
        if let Some(guid) = Guid::parse(name) {
            let found = self.assets.by_guid(guid)?;
            return match self.wanted(found) {
                true => Ok(found),
                false => Err(self.missing()),
            };
        }
        if let Some(rest) = name.strip_prefix("@root::") {
            let root = Root::of(self.referrer()?);
            return self.exactly(&root, rest);
        }
        if let Some((library, rest)) = name.strip_prefix('@').and_then(|rest| rest.split_once("::")) {
            let root = Root::Library(library.to_owned());
            return self.exactly(&root, rest).map_err(|error| self.no_library(&root, error));
        }
        if let Some(rest) = name.strip_prefix('~') {
            return self.in_root(rest);
        }
        if name.starts_with('.') {
            return self.beside(name);
        }
        self.plain()
    }

    fn referrer(&self) -> Result<&VfsPath> {
        self.query.from.ok_or_else(|| Error::NoReferrer {
            name: self.query.name.to_owned(),
        })
    }

    fn wanted(&self, asset: &Asset) -> bool {
        self.category.as_ref().is_none_or(|category| category.holds(asset))
    }

    fn at_path(&self, path: &VfsPath) -> Result<&'a Asset> {
        if let Some(asset) = self.assets.at(path).filter(|asset| self.wanted(asset)) {
            return Ok(asset);
        }
        // The file that stands for an asset shares its identity.
        let holder = self.assets.containing(path).filter(|asset| self.wanted(asset));
        let is_there = self.assets.tree().has_file(path);
        if let Some(holder) = holder.filter(|asset| is_there && self.assets.stands_for(asset, path)) {
            return Ok(holder);
        }
        let suffix = path.name().and_then(split_suffix).map(|(_, suffix)| suffix);
        if let (Some(suffix), Some(Kind::Folder), None) = (suffix, self.assets.tree().kind(path), self.assets.at(path))
        {
            return Err(Error::Unregistered {
                path: path.clone(),
                suffix: suffix.to_owned(),
                near: self.assets.types().near_suffixes(suffix),
            });
        }
        Err(self.missing())
    }

    /// Where nothing answers because the library itself is not here, that is said.
    fn no_library(&self, root: &Root, error: Error) -> Error {
        let folder = root.folder().ok();
        let is_there = folder.is_some_and(|folder| self.assets.tree().kind(&folder).is_some());
        match (error, root.library()) {
            (Error::NoAsset { name, near }, Some(library)) if !is_there => Error::NoLibrary {
                name,
                library: library.to_owned(),
                near,
            },
            (error, _) => error,
        }
    }

    /// `.a`, `..a`, `...a`.
    fn beside(&self, name: &str) -> Result<&'a Asset> {
        let rest = name.trim_start_matches('.');
        let ups = name.len() - rest.len() - 1;
        let from = self.referrer()?;
        let root = Root::of(from);
        let top = root.folder()?;
        let folder = self.assets.beside(from);
        let folder = folder.and_then(|folder| folder.ancestors().nth(ups));
        // A step past the root of the world or the library leads to nothing.
        let Some(folder) = folder.filter(|folder| folder.starts_with(&top)) else {
            return Err(self.missing());
        };
        self.below(&folder, rest)
    }

    /// `~.a`, `~/a/b`, `~kit.a`.
    fn in_root(&self, rest: &str) -> Result<&'a Asset> {
        if let Some(rest) = rest.strip_prefix('.') {
            let root = self.assets.root_around(self.referrer()?)?;
            return self.below(&root, rest);
        }
        if let Some(rest) = rest.strip_prefix('/') {
            let root = self.assets.root_around(self.referrer()?)?;
            if let Ok(path) = root.join(rest)
                && let Some(asset) = self.assets.at(&path).filter(|asset| self.wanted(asset))
            {
                return Ok(asset);
            }
            return self.below(&root, &rest.replace('/', "."));
        }
        let (home, rest) = rest.split_once(['.', '/']).ok_or_else(|| self.missing())?;
        let is_root = |asset: &&Asset| self.assets.type_of(asset).is_some_and(|kind| kind.root);
        let named = self
            .assets
            .names()
            .name
            .get(home)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let homes = named.iter().filter_map(|path| self.assets.at(path)).filter(is_root);
        let home = match self.nearest(homes.collect())[..] {
            [] => return Err(self.missing()),
            [home] => home,
            ref several => {
                return Err(Error::Ambiguous {
                    name: self.query.name.to_owned(),
                    candidates: several.iter().map(|asset| asset.path.clone()).collect(),
                });
            }
        };
        self.below(&home.path, &rest.replace('/', "."))
    }

    /// What `rest` names from `folder` on.
    fn below(&self, folder: &VfsPath, rest: &str) -> Result<&'a Asset> {
        self.exactly(&Root::of(folder), &join(&self.assets.prefix_of(folder), rest))
    }

    /// The asset of an identity in one root, with or without its type's suffix.
    fn exactly(&self, root: &Root, identity: &str) -> Result<&'a Asset> {
        let in_root = |mut found: Vec<&'a Asset>| {
            found.retain(|asset| asset.library.as_deref() == root.library());
            found
        };
        for found in [self.of_identity(identity), self.of_identity_with_suffix(identity)] {
            if let Some(one) = self.one(in_root(found))? {
                return Ok(one);
            }
        }
        Err(self.missing_as(&format!("{root}{identity}")))
    }

    fn plain(&self) -> Result<&'a Asset> {
        let name = self.query.name;
        let tries = [
            self.of_identity(name),
            self.of_identity_with_suffix(name),
            self.of_short_name_with_suffix(name),
            self.of_short_name(name),
        ];
        let boxed = [Boxes::Seen, Boxes::All]
            .into_iter()
            .map(|boxes| self.in_box(name, boxes));
        for found in tries.into_iter().chain(boxed) {
            let found = found.into_iter().filter(|asset| self.wanted(asset)).collect();
            if let Some(one) = self.one(self.nearest(found))? {
                return Ok(one);
            }
        }
        Err(self.missing())
    }

    /// What a name begins with the own name of the container that it is in, wherever that lies: `points.disc` of
    /// `fx/points.nodebox/disc.procNode`.
    fn in_box(&self, name: &str, boxes: Boxes) -> Vec<&'a Asset> {
        let Some((home, rest)) = name
            .split_once('.')
            .filter(|(home, rest)| !home.is_empty() && !rest.is_empty())
        else {
            return Vec::new();
        };
        let paths = self.assets.names().name.get(home).into_iter().flatten();
        let homes = paths.filter_map(|path| self.assets.at(path)).filter(|home| {
            let kind = self.assets.type_of(home).filter(|kind| kind.is_container);
            match boxes {
                Boxes::Seen => kind.is_some() && self.is_seen(home),
                Boxes::All => kind.is_some_and(|kind| kind.broadcasts_subassets),
            }
        });
        let mut found = Vec::new();
        for home in homes {
            let identity = join(&home.identity, rest);
            let inside = |asset: &&Asset| asset.path.starts_with(&home.path);
            let plain = self.of_identity(&identity).into_iter();
            found.extend(plain.chain(self.of_identity_with_suffix(&identity)).filter(inside));
        }
        found
    }

    /// Of several, those in the asker's own root; else the world's; else all.
    fn nearest(&self, found: Vec<&'a Asset>) -> Vec<&'a Asset> {
        let own = self.query.from.map_or(Root::World, Root::of);
        for root in [own, Root::World] {
            let within: Vec<&Asset> = found
                .iter()
                .copied()
                .filter(|asset| asset.library.as_deref() == root.library())
                .collect();
            if !within.is_empty() {
                return within;
            }
        }
        found
    }

    /// The one of `found` that is of the wanted type; none is no error yet.
    fn one(&self, found: Vec<&'a Asset>) -> Result<Option<&'a Asset>> {
        let found: Vec<&Asset> = found.into_iter().filter(|asset| self.wanted(asset)).collect();
        match found[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => Err(Error::Ambiguous {
                name: self.query.name.to_owned(),
                candidates: found.iter().map(|asset| asset.path.clone()).collect(),
            }),
        }
    }

    fn of_identity(&self, identity: &str) -> Vec<&'a Asset> {
        let paths = self.assets.names().identity.get(identity);
        paths
            .into_iter()
            .flatten()
            .filter_map(|path| self.assets.at(path))
            .collect()
    }

    fn of_short_name(&self, name: &str) -> Vec<&'a Asset> {
        let paths = self.assets.names().name.get(name);
        let found = paths.into_iter().flatten().filter_map(|path| self.assets.at(path));
        found.filter(|asset| self.is_seen(asset)).collect()
    }

    fn of_identity_with_suffix(&self, name: &str) -> Vec<&'a Asset> {
        self.with_suffix(name, |rest| self.of_identity(rest))
    }

    fn of_short_name_with_suffix(&self, name: &str) -> Vec<&'a Asset> {
        self.with_suffix(name, |rest| self.of_short_name(rest))
    }

    fn with_suffix(&self, name: &str, find: impl FnOnce(&str) -> Vec<&'a Asset>) -> Vec<&'a Asset> {
        let Some((rest, suffix)) = split_suffix(name) else {
            return Vec::new();
        };
        let mut found = find(rest);
        found.retain(|asset| self.assets.type_of(asset).is_some_and(|kind| kind.suffix == suffix));
        found
    }

    /// Whether an asset's own name is enough to find it: the assets that hold it all say so, or hold the asker too.
    fn is_seen(&self, asset: &Asset) -> bool {
        let holders = asset.path.ancestors().skip(1);
        let mut holders = holders.filter_map(|folder| self.assets.at(&folder));
        holders.all(|holder| {
            let broadcasts = self
                .assets
                .type_of(holder)
                .is_some_and(|kind| kind.broadcasts_subassets);
            broadcasts || self.query.from.is_some_and(|from| from.starts_with(&holder.path))
        })
    }

    fn missing(&self) -> Error {
        self.missing_as(self.query.name)
    }

    /// The error for a name that no asset answers to; `wanted` is the name as it is compared with others.
    fn missing_as(&self, wanted: &str) -> Error {
        if !self.names_near {
            return Error::NoAsset {
                name: self.query.name.to_owned(),
                near: Vec::new(),
            };
        }
        let candidates = self.assets.iter().filter(|asset| self.wanted(asset));
        let names: Vec<String> = match wanted.starts_with('/') {
            true => candidates.map(|asset| asset.path.to_string()).collect(),
            // A short name is compared with short names, a long one with whole identities.
            false => candidates
                .flat_map(|asset| {
                    let own = self.is_seen(asset).then(|| asset.name.clone());
                    std::iter::once(asset.full_identity()).chain(own)
                })
                .collect(),
        };
        Error::NoAsset {
            name: self.query.name.to_owned(),
            near: nearest_names(wanted, names.iter().map(String::as_str)),
        }
    }
}
