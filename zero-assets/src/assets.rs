//! [`Assets`]: what is there, kept up to date by the paths that changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use zero_vfs::{Kind, Vfs, VfsPath};

use crate::answers::Answers;
use crate::asset::{Asset, Names};
use crate::calls::Calls;
use crate::classify::{Class, Classifier, is_in_template};
use crate::copies::Copies;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::opaque::{self, TypeFact};
use crate::refs::{REFS_FILE, Refs};
use crate::registry::{TAKEN, TypeRegistry, is_type_folder, split_suffix, type_file};
use crate::root::Root;
use crate::search::Touched;
use crate::sidecars::file_beside;
use crate::tree::Tree;
use crate::types::{AssetType, References, TYPE_FILE};

/// Where content lies unless a host says otherwise.
pub const SOURCE: &str = "/zero/source";

/// The assets below [`SOURCE`], with their types.
///
/// [`Assets::load`] looks at everything once; from then on [`Assets::apply`] is told which paths changed and looks at
/// those alone. Both give the same: an index that was kept up to date equals one that is loaded fresh.
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
/// let mut assets = Assets::load(&vfs)?;
/// assert_eq!(assets.find("lib.hello")?.path.as_str(), "/zero/source/lib/hello.script");
/// assert_eq!(
///     assets.find("lib.helo").unwrap_err().to_string(),
///     "no asset answers to `lib.helo`; did you mean `lib.hello`?"
/// );
///
/// // A type and an asset of it, in one batch.
/// let files = [("/zero/source/note.assetType/type.yaml", "primary: note.txt"), ("/zero/source/a.note/note.txt", "rain")];
/// for (file, text) in files {
///     vfs.write(&VfsPath::parse(file)?, text.as_bytes())?;
/// }
/// let changed = files.map(|(file, _)| VfsPath::parse(file)).into_iter().collect::<Result<Vec<_>, _>>()?;
/// let changes = assets.apply(&vfs, changed)?;
/// assert!(changes.types_changed && assets.find_of("note", "a").is_ok());
/// # Ok::<(), zero_assets::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Assets {
    tree: Tree,
    type_facts: BTreeMap<VfsPath, TypeFact>,
    /// By the sidecar's own path.
    pub(crate) refs: BTreeMap<VfsPath, Refs>,
    types: TypeRegistry,
    types_told: Vec<Diagnostic>,
    assets: BTreeMap<VfsPath, Asset>,
    names: Names,
    /// What is wrong, by the asset or the sidecar that it is about.
    pub(crate) told: BTreeMap<VfsPath, Vec<Diagnostic>>,
    /// All of it in its order, from when it is asked for until something changes.
    diagnostics: OnceLock<Vec<Diagnostic>>,
    pub(crate) copies: Copies,
    /// What this program wrote and no batch confirmed yet.
    unconfirmed: BTreeSet<VfsPath>,
    /// What a host declares of names in calls, and what all types do with it.
    declared: References,
    calls: Calls,
    /// What changed since a search last looked; none while nobody searches.
    touched: Option<Touched>,
    /// Which names may be answered otherwise than when they were last asked about; none while nobody asks.
    answers: Option<Answers>,
}

/// What a batch of changed paths did to the assets. All lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Assets that are new at their path.
    pub added: Vec<VfsPath>,
    /// Assets that are gone from their path, as they were.
    pub removed: Vec<Asset>,
    /// Assets that were there and of whose files some changed, with those files.
    pub edited: BTreeMap<VfsPath, Vec<VfsPath>>,
    /// Assets that were moved or renamed, the old path and the new one: a guid that left one path and came to
    /// another. They are in `removed` and `added` too.
    pub moved: Vec<(VfsPath, VfsPath)>,
    /// Whether a type came, went or changed.
    pub types_changed: bool,
}

impl Assets {
    /// Looks through [`SOURCE`]: reads every type and every `.refs`, then finds every asset. Broken content is a
    /// diagnostic.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`] if the tree cannot be walked.
    pub fn load(vfs: &Vfs) -> Result<Self> {
        let root = VfsPath::parse(SOURCE)?;
        let mut assets = Self {
            tree: Tree::empty(root.clone()),
            type_facts: BTreeMap::new(),
            refs: BTreeMap::new(),
            types: TypeRegistry::default(),
            types_told: Vec::new(),
            assets: BTreeMap::new(),
            names: Names::default(),
            told: BTreeMap::new(),
            diagnostics: OnceLock::new(),
            copies: Copies::default(),
            unconfirmed: BTreeSet::new(),
            declared: References::default(),
            calls: Calls::default(),
            touched: None,
            answers: None,
        };
        assets.apply(vfs, [root])?;
        Ok(assets)
    }

    /// Brings the index up to date with what changed: paths of files and folders that were made, written, removed,
    /// or moved (both ends). A folder stands for everything in it. The order does not matter, nor does a path that
    /// did not change; types come first, so that an asset may come in one batch with its type.
    ///
    /// Cost: a look at each path, and a read of those that are a `type.yaml`, a `.refs` or hold aliases. A changed
    /// type costs a pass over the names in memory.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`] if a path cannot be looked at; what is known of it is then as before, and all else is up to date.
    pub fn apply(&mut self, vfs: &Vfs, changed: impl IntoIterator<Item = VfsPath>) -> Result<Changes> {
        let own = std::mem::take(&mut self.unconfirmed);
        settled(self.take_in(vfs, changed.into_iter().chain(own).collect()))
    }

    /// [`Assets::apply`] for one who goes on where a path cannot be looked at: what is known, and the error. Where more is
    /// `to_come`, what this program wrote and is gone again is taken with the rest of what happened to its folder: an
    /// asset that was moved leaves its old place in one piece.
    pub(crate) fn apply_all(
        &mut self,
        vfs: &Vfs,
        mut changed: Vec<VfsPath>,
        to_come: bool,
    ) -> (Changes, Option<Error>) {
        let may_wait = |path: &VfsPath| {
            let holder = path.parent().filter(|_| path.as_str().ends_with(REFS_FILE));
            let holder = holder.as_ref().unwrap_or(path);
            let concerns = |other: &VfsPath| other.starts_with(holder) || holder.starts_with(other);
            to_come && matches!(vfs.stat(path), Ok(None)) && !changed.iter().any(concerns)
        };
        let (waiting, now) = std::mem::take(&mut self.unconfirmed).into_iter().partition(may_wait);
        self.unconfirmed = waiting;
        changed.extend::<BTreeSet<VfsPath>>(now);
        self.take_in(vfs, changed)
    }

    /// Brings the index up to date with what this program wrote itself, before anyone tells of it. A feed that never saw
    /// these files would not tell that they went again, so they are looked at once more with the next batch.
    pub(crate) fn apply_own(&mut self, vfs: &Vfs, written: impl IntoIterator<Item = VfsPath>) -> Result<Changes> {
        let written: Vec<VfsPath> = written.into_iter().collect();
        self.unconfirmed.extend(written.iter().cloned());
        settled(self.take_in(vfs, written))
    }

    fn take_in(&mut self, vfs: &Vfs, changed: Vec<VfsPath>) -> (Changes, Option<Error>) {
        if changed.is_empty() {
            return Default::default();
        }
        self.diagnostics.take();
        let (touched, failed) = self.tree.refresh(vfs, changed);
        if touched.is_empty() {
            return (Changes::default(), failed);
        }
        self.read_facts(vfs, &touched);
        let mut changes = Changes {
            types_changed: self.register_types(&touched),
            ..Changes::default()
        };
        let stale = match changes.types_changed {
            // What is gone is looked at with what is there.
            true => &self.everything() | &self.concerned(&touched),
            false => self.concerned(&touched),
        };
        let before = self.derive_all(vfs, stale);
        let old = before.values().flatten();
        let new = before.keys().filter_map(|path| self.at(path));
        let guids: BTreeSet<Guid> = old.chain(new).filter_map(|asset| asset.guid).collect();
        for guid in guids {
            let paths = self.names.guid.get(&guid).map(Vec::as_slice).unwrap_or_default();
            self.copies.note(guid, paths);
        }
        if let Some(answers) = &mut self.answers {
            answers.all |= changes.types_changed;
            for (path, old) in &before {
                answers.add(old.as_ref(), self.assets.get(path));
            }
        }
        self.compare(before, &touched, &mut changes);
        if let Some(touched) = &mut self.touched {
            touched.add(&changes);
        }
        (changes, failed)
    }

    /// The types.
    #[must_use]
    pub fn types(&self) -> &TypeRegistry {
        &self.types
    }

    /// What is wrong with the content, by path. The first call after a change puts it together.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| self.tell())
    }

    /// Every asset, by path.
    pub fn iter(&self) -> impl Iterator<Item = &Asset> {
        self.assets.values()
    }

    /// The assets of a type, by path. `kind` is a type's name, for the types of that name in every library, or
    /// `@lib::name` for that of one.
    ///
    /// # Errors
    /// [`crate::Error::NoType`] with the nearest names.
    pub fn list(&self, kind: &str) -> Result<impl Iterator<Item = &Asset>> {
        let wanted = self.category(kind)?;
        Ok(self.assets.values().filter(move |asset| wanted.holds(asset)))
    }

    /// The names of the types that assets may be of, sorted.
    pub fn categories(&self) -> impl Iterator<Item = &str> {
        let names: BTreeSet<&str> = self.types.iter().map(|kind| kind.name.as_str()).collect();
        names.into_iter()
    }

    /// The asset at exactly this path.
    #[must_use]
    pub fn at(&self, path: &VfsPath) -> Option<&Asset> {
        self.assets.get(path)
    }

    /// The deepest asset that `path` is, or is in.
    #[must_use]
    pub fn containing(&self, path: &VfsPath) -> Option<&Asset> {
        path.ancestors().find_map(|folder| self.at(&folder))
    }

    /// The assets strictly below a folder, by path.
    pub fn below<'a>(&'a self, folder: &'a VfsPath) -> impl Iterator<Item = &'a Asset> {
        self.assets
            .range(folder.clone()..)
            .take_while(move |(path, _)| path.starts_with(folder))
            .filter(move |(path, _)| *path != folder)
            .map(|(_, asset)| asset)
    }

    /// The type of an asset of this index.
    #[must_use]
    pub fn type_of(&self, asset: &Asset) -> Option<&AssetType> {
        self.types.at(&asset.type_path)
    }

    /// The files of an asset, by path: those in its folder, without those of assets that it holds, or the one file.
    /// Its sidecar is not among them.
    #[must_use]
    pub fn files_of(&self, asset: &Asset) -> Vec<VfsPath> {
        if asset.form == Kind::File {
            return vec![asset.path.clone()];
        }
        let own = |file: &&VfsPath| {
            let holder = self.containing(file);
            holder.is_some_and(|holder| holder.path == asset.path) && !self.is_sidecar(file)
        };
        self.tree.files_below(&asset.path).filter(own).cloned().collect()
    }

    /// What an asset's `.refs` says.
    #[must_use]
    pub fn refs_of(&self, asset: &Asset) -> Option<&Refs> {
        self.refs.get(&Refs::place(&asset.path, asset.form).ok()?)
    }

    /// What changed since the last call; none the first time.
    pub(crate) fn take_touched(&mut self) -> Option<Touched> {
        self.touched.replace(Touched::default())
    }

    /// Which names may be answered otherwise than at the last call; none the first time.
    pub(crate) fn take_answers(&mut self) -> Option<Answers> {
        self.answers.replace(Answers::default())
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// What a host declared of names in files and calls.
    pub(crate) fn declared(&self) -> &References {
        &self.declared
    }

    pub(crate) fn declare(&mut self, more: &References) {
        self.declared.extend(more);
        self.calls = Calls::of(&self.types, &self.declared);
    }

    /// What all types and the host declare of calls.
    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What a loose file would be, by where it lies and how it ends.
    pub(crate) fn class_of_loose(&self, file: &VfsPath) -> Class<'_> {
        self.classifier().loose_file(file)
    }

    fn classifier(&self) -> Classifier<'_> {
        Classifier {
            types: &self.types,
            refs: &self.refs,
        }
    }

    /// Reads what changed among the types' files and the sidecars.
    fn read_facts(&mut self, vfs: &Vfs, touched: &BTreeSet<VfsPath>) {
        for path in touched {
            self.read_sidecars(vfs, path);
            let folder = match path.name() {
                Some(TYPE_FILE) => path.parent(),
                _ => Some(path.clone()),
            };
            let Some(folder) = folder.filter(is_type_folder) else {
                continue;
            };
            self.type_facts.remove(&folder);
            if self.tree.kind(&folder) == Some(Kind::Folder) && !is_in_template(&folder) {
                self.type_facts.insert(folder.clone(), read_type(vfs, &folder));
            }
        }
    }

    /// Registers the types again where one may have changed, and says whether any did.
    fn register_types(&mut self, touched: &BTreeSet<VfsPath>) -> bool {
        let mut kinds = self.type_facts.values().filter_map(|fact| fact.value.as_ref());
        let any_opaque = kinds.any(|kind| kind.is_opaque_walker);
        let any_taken = self.types_told.iter().any(|told| told.code == TAKEN);
        let concerns_types = |path: &VfsPath| {
            // A type's own files, and assets whose opaqueness, or say in whose a name is, may come or go with their pin.
            path.segments().any(|name| name.ends_with(crate::types::TYPE_SUFFIX))
                || (any_opaque || any_taken) && self.may_be_sidecar(path)
        };
        if !touched.iter().any(concerns_types) {
            return false;
        }
        let (types, told) = opaque::register_types(&self.type_facts, &self.refs, &self.tree);
        self.types_told = told;
        let changed = types != self.types;
        self.types = types;
        if changed {
            self.calls = Calls::of(&self.types, &self.declared);
        }
        changed
    }

    fn everything(&self) -> BTreeSet<VfsPath> {
        let there = self.tree.folders().chain(self.tree.files());
        there.chain(self.assets.keys()).cloned().collect()
    }

    /// The paths whose own asset may differ because of `touched`: themselves, and the assets they are in.
    fn concerned(&self, touched: &BTreeSet<VfsPath>) -> BTreeSet<VfsPath> {
        let mut stale = BTreeSet::new();
        for path in touched {
            stale.extend(path.ancestors());
            // The sidecar of a loose file lies beside it.
            stale.extend(file_beside(path));
        }
        stale
    }

    /// Derives the assets at `stale` again, parents first, and answers what stood there before. Where an asset's
    /// type changed, so may everything in it.
    fn derive_all(&mut self, vfs: &Vfs, mut stale: BTreeSet<VfsPath>) -> BTreeMap<VfsPath, Option<Asset>> {
        let mut before = BTreeMap::new();
        while let Some(path) = stale.pop_first() {
            let old = self.assets.remove(&path);
            if let Some(old) = &old {
                self.names.remove(old);
            }
            let (new, told) = self.derive(vfs, &path);
            if old.as_ref().map(|asset| &asset.type_path) != new.as_ref().map(|asset| &asset.type_path) {
                let below = self.tree.below(&path);
                stale.extend(below.folders);
                stale.extend(below.files);
                stale.extend(self.below(&path).map(|asset| asset.path.clone()).collect::<Vec<_>>());
            }
            if !self.may_be_sidecar(&path) {
                self.set_told(&path, told);
            }
            if let Some(new) = new {
                self.names.add(&new);
                self.assets.insert(path.clone(), new);
            }
            before.insert(path, old);
        }
        before
    }

    /// The asset at `path`, where one is, and what is wrong with it. Those that hold it are derived already.
    fn derive(&self, vfs: &Vfs, path: &VfsPath) -> (Option<Asset>, Vec<Diagnostic>) {
        let nothing = (None, Vec::new());
        let Some(form) = self.tree.kind(path) else {
            return nothing;
        };
        if is_in_template(path) {
            return nothing;
        }
        let holders = path.ancestors().skip(1).filter_map(|folder| self.at(&folder));
        let holders: Vec<_> = holders
            .filter_map(|asset| Some((asset, self.type_of(asset)?)))
            .collect();
        if holders.iter().any(|(_, kind)| kind.is_opaque_walker) {
            return nothing;
        }
        let class = match form {
            Kind::Folder => self.classifier().folder(path),
            Kind::File => {
                // A file of an asset is that asset's, unless the asset is a box of others and does not ask for it.
                let loose = match holders.first() {
                    None => true,
                    Some((asset, kind)) => {
                        let inner = path.relative_to(&asset.path);
                        kind.is_container && inner.is_some_and(|inner| !kind.lists(&inner.as_str()[1..]))
                    }
                };
                if !loose {
                    return nothing;
                }
                self.classifier().loose_file(path)
            }
        };
        let mut told: Vec<Diagnostic> = class.told.into_iter().collect();
        let Some(kind) = class.kind else {
            return (None, told);
        };
        let asset = self.asset(vfs, path, form, kind, &mut told);
        told.extend(check_name(path, &asset.name));
        if form == Kind::Folder {
            told.extend(kind.check_files(path, &self.tree.below(path)));
        }
        (Some(asset), told)
    }

    fn asset(&self, vfs: &Vfs, path: &VfsPath, form: Kind, kind: &AssetType, told: &mut Vec<Diagnostic>) -> Asset {
        let root = Root::of(path);
        let file_name = path.name().unwrap_or_default();
        let name = match form {
            Kind::Folder => file_name.strip_suffix(&kind.suffix).unwrap_or(file_name),
            Kind::File => split_suffix(file_name).map_or(file_name, |(name, _)| name),
        };
        let folder = path.parent().unwrap_or_else(VfsPath::root);
        let refs = Refs::place(path, form).ok().and_then(|place| self.refs.get(&place));
        let mut aliases = Vec::new();
        for source in &kind.aliases_from {
            let (read, wrong) = crate::aliases::read(vfs, path, form, source);
            aliases.extend(read);
            told.extend(wrong);
        }
        aliases.sort();
        aliases.dedup();
        Asset {
            path: path.clone(),
            form,
            name: name.to_owned(),
            kind: kind.name.clone(),
            type_path: kind.path.clone(),
            guid: refs.and_then(|refs| refs.guid),
            library: root.library().map(str::to_owned),
            identity: join(&self.prefix_of(&folder), name),
            aliases,
        }
    }

    /// What the identity of something directly in `folder` begins with: its segments, containers without their
    /// suffix. Empty for a root.
    pub(crate) fn prefix_of(&self, folder: &VfsPath) -> String {
        let root = Root::of(folder).folder().unwrap_or_else(|_| VfsPath::root());
        let mut parts: Vec<String> = Vec::new();
        for step in folder.ancestors().take_while(|step| *step != root && !step.is_root()) {
            let name = step.name().unwrap_or_default();
            let held = self.at(&step).and_then(|asset| Some((asset, self.type_of(asset)?)));
            parts.push(match held {
                Some((asset, kind)) if kind.is_container => asset.name.clone(),
                _ => name.to_owned(),
            });
        }
        parts.reverse();
        parts.join(".")
    }

    /// Says what `before` and now differ in.
    fn compare(&self, before: BTreeMap<VfsPath, Option<Asset>>, touched: &BTreeSet<VfsPath>, changes: &mut Changes) {
        for (path, old) in before {
            match (old, self.at(&path)) {
                (Some(old), None) => changes.removed.push(old),
                (None, Some(new)) => changes.added.push(new.path.clone()),
                // Another type under one path is another asset; not so a type of its name that took the place of it.
                (Some(old), Some(new))
                    if old.type_path != new.type_path
                        && (old.kind != new.kind || old.guid.is_none() || old.guid != new.guid) =>
                {
                    changes.added.push(new.path.clone());
                    changes.removed.push(old);
                }
                _ => {}
            }
        }
        for path in touched {
            let Some(asset) = self.containing(path) else { continue };
            if changes.added.binary_search(&asset.path).is_err() && self.tree.kind(path) != Some(Kind::Folder) {
                changes.edited.entry(asset.path.clone()).or_default().push(path.clone());
            }
        }
        let came: BTreeMap<Guid, &VfsPath> = changes
            .added
            .iter()
            .filter_map(|path| Some((self.at(path)?.guid?, path)))
            .rev()
            .collect();
        let moved = changes
            .removed
            .iter()
            .filter_map(|old| Some((old.path.clone(), (*came.get(&old.guid?)?).clone())))
            .filter(|(from, to)| from != to);
        changes.moved = moved.collect();
    }

    pub(crate) fn set_told(&mut self, about: &VfsPath, told: Vec<Diagnostic>) {
        match told.is_empty() {
            true => self.told.remove(about),
            false => self.told.insert(about.clone(), told),
        };
    }

    /// Puts together what is wrong, in its order.
    fn tell(&self) -> Vec<Diagnostic> {
        // What looks like a sidecar and is none is its author's own.
        let told = self
            .told
            .iter()
            .filter(|(path, _)| !self.may_be_sidecar(path) || self.is_sidecar(path));
        let all = told.flat_map(|(_, told)| told).chain(&self.types_told).cloned();
        let all = all.chain(self.tree.told()).chain(self.copies.told(&self.names));
        let mut all: Vec<Diagnostic> = all.collect();
        all.sort_by(Diagnostic::order);
        all.dedup();
        all
    }

    /// Of the assets that share a guid, the one whose it is.
    pub(crate) fn original_of(&self, guid: Guid) -> Option<&VfsPath> {
        self.copies.original(guid, self.names.guid.get(&guid)?)
    }
}

fn settled((changes, failed): (Changes, Option<Error>)) -> Result<Changes> {
    failed.map_or(Ok(changes), Err)
}

/// A type's name, or a type, that an asset is asked to be of.
#[derive(Clone, Debug)]
pub(crate) struct Category {
    name: String,
    /// The one type that is meant, where it was named with its library.
    only: Option<VfsPath>,
}

impl Category {
    /// Whether a type is one that assets of it are of.
    pub(crate) fn is(&self, kind: &AssetType) -> bool {
        match &self.only {
            Some(path) => kind.path == *path,
            None => kind.name == self.name,
        }
    }

    pub(crate) fn holds(&self, asset: &Asset) -> bool {
        match &self.only {
            Some(path) => asset.type_path == *path,
            None => asset.kind == self.name,
        }
    }
}

impl Assets {
    pub(crate) fn category(&self, kind: &str) -> Result<Category> {
        match self.types.get(kind) {
            Ok(found) => Ok(Category {
                name: found.name.clone(),
                only: kind.starts_with('@').then(|| found.path.clone()),
            }),
            // Types of one name in several libraries: all of them.
            Err(crate::Error::Ambiguous { name, .. }) => Ok(Category { name, only: None }),
            Err(error) => Err(error),
        }
    }
}

/// Two parts of an identity.
pub(crate) fn join(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        _ => format!("{prefix}.{name}"),
    }
}

fn read_type(vfs: &Vfs, folder: &VfsPath) -> TypeFact {
    let file = type_file(folder);
    let read = vfs.read_bounded(&file, crate::types::TYPE_FORMAT.max_bytes as u64);
    match read
        .map_err(crate::Error::from)
        .and_then(|bytes| AssetType::parse(folder, &bytes))
    {
        Ok((value, told)) => TypeFact { value, told },
        Err(error) => TypeFact {
            value: None,
            told: vec![Diagnostic::of_error("type.broken", &file, &error)],
        },
    }
}

fn check_name(path: &VfsPath, name: &str) -> Option<Diagnostic> {
    let message = format!("`{name}` is no plain name (a letter, then letters, digits or `_`); code cannot write it");
    (!is_plain_name(name)).then(|| Diagnostic::warning("asset.name", path, message))
}

/// Whether code can write a name: a letter, then letters, digits or `_`.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
