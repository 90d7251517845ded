//! [`SearchIndex`]: assets found by what their types' `indexing:` reads of them.

mod document;
mod facet;
mod query;
mod slot;
mod symbols;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::{Vfs, VfsPath, nearest_names};

use crate::asset::Asset;
use crate::assets::{Assets, Category, Changes};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::registry::split_suffix;
use crate::root::Root;
use crate::types::{Facet, Indexing, Recipe};

use document::Document;
use slot::SlotIndex;

pub use facet::{FacetValue, Filter};
pub use query::{Hit, Search, Slot};

/// What search knows of the assets of an index: the texts that their types name, and nothing beside.
///
/// The assets of a type that says `indexing: none` are never found; those of a type that says nothing are found by their
/// names alone. Texts are ranked by BM25 (Robertson and others, Okapi at TREC-3, 1994; the crate `bm25`), what an asset is
/// twice as heavily as what it does. Equal content gives equal answers in equal order, whatever came before.
///
/// ```
/// use zero_assets::{Assets, Search, SearchIndex, builtin};
/// use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
///
/// let mut vfs = Vfs::new();
/// vfs.mount(builtin()?)?;
/// let world = MemorySource::with_files("world", [
///     ("/note.assetType/type.yaml", &b"primary: note.txt\nindexing:\n  data:\n    - { role: identity, extractor: verbatim, source: { file: note.txt } }\n"[..]),
///     ("/note.assetType/README.md", b"# note"),
///     ("/a.note/note.txt", b"The dragon sleeps beneath the hill."),
///     ("/b.note/note.txt", b"Bread, and a hill of cheese."),
/// ])?;
/// vfs.mount(Mount::new(VfsPath::parse("/zero/source")?, world))?;
///
/// let mut assets = Assets::load(&vfs)?;
/// let mut index = SearchIndex::load(&vfs, &assets);
/// let found = |index: &SearchIndex, assets: &Assets, text: &str| -> Result<Vec<String>, zero_assets::Error> {
///     Ok(index.search(assets, &Search::new(text).category("note"))?.into_iter().map(|hit| hit.identity).collect())
/// };
/// assert_eq!(found(&index, &assets, "dragons")?, ["a"]);
///
/// let file = VfsPath::parse("/zero/source/b.note/note.txt")?;
/// vfs.write(&file, b"A smaller dragon.")?;
/// let changes = assets.apply(&vfs, [file])?;
/// index.apply(&vfs, &assets, &changes);
/// assert_eq!(found(&index, &assets, "small dragon")?, ["b", "a"]);
/// # Ok::<(), zero_assets::Error>(())
/// ```
///
/// Cost: loading reads the files that types name. A change reads those of the assets that it touched, where it touched a
/// file that is read. A search costs a look at each text that holds one of its words.
#[derive(Debug, Default)]
pub struct SearchIndex {
    entries: BTreeMap<VfsPath, Entry>,
    paths: BTreeMap<u32, VfsPath>,
    next_number: u32,
    slots: BTreeMap<Slot, SlotIndex>,
    /// What each type reads, as it was when its assets were read.
    recipes: BTreeMap<VfsPath, Recipe>,
    stats: SearchStats,
}

/// What an index did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchStats {
    /// Assets that were read, each as often as it was.
    pub assets_read: u64,
    /// Files that were read for them.
    pub files_read: u64,
}

#[derive(Debug)]
struct Entry {
    number: u32,
    document: Document,
}

impl SearchIndex {
    /// Reads all assets. What cannot be read is told by [`SearchIndex::diagnostics`].
    #[must_use]
    pub fn load(vfs: &Vfs, assets: &Assets) -> Self {
        let mut index = Self {
            recipes: recipes(assets),
            ..Self::default()
        };
        for asset in assets.iter() {
            index.take_in(vfs, assets, asset);
        }
        index
    }

    /// Brings the index up to date with what changed among the assets. `assets` is how they are now.
    pub fn apply(&mut self, vfs: &Vfs, assets: &Assets, changes: &Changes) {
        let mut touched = Touched::default();
        touched.add(changes);
        self.refresh(vfs, assets, &touched);
    }

    pub(crate) fn refresh(&mut self, vfs: &Vfs, assets: &Assets, touched: &Touched) {
        let mut stale: BTreeSet<VfsPath> = touched.assets.clone();
        // What is an asset's own file changes hands where an asset is made or taken away inside it.
        for path in &touched.assets {
            let holder = path.parent().and_then(|folder| assets.containing(&folder));
            stale.extend(
                holder
                    .filter(|holder| self.reads_deep(holder))
                    .map(|holder| holder.path.clone()),
            );
        }
        for file in &touched.files {
            let holder = assets.containing(file);
            let holder = holder.filter(|asset| self.reads(asset, file));
            stale.extend(holder.map(|asset| asset.path.clone()));
        }
        if touched.types {
            let now = recipes(assets);
            let differs = |asset: &&Asset| self.recipes.get(&asset.type_path) != now.get(&asset.type_path);
            stale.extend(assets.iter().filter(differs).map(|asset| asset.path.clone()));
            self.recipes = now;
        }
        for path in stale {
            match assets.at(&path) {
                Some(asset) => self.take_in(vfs, assets, asset),
                None => self.leave_out(&path),
            }
        }
    }

    fn reads(&self, asset: &Asset, file: &VfsPath) -> bool {
        let recipe = self.recipes.get(&asset.type_path);
        let inner = document::inner(asset, file);
        recipe.is_some_and(|recipe| inner.is_some_and(|inner| document::reads(recipe, &inner)))
    }

    fn reads_deep(&self, asset: &Asset) -> bool {
        self.recipes.get(&asset.type_path).is_some_and(document::reads_deep)
    }

    fn take_in(&mut self, vfs: &Vfs, assets: &Assets, asset: &Asset) {
        let Some(recipe) = self.recipes.get(&asset.type_path) else {
            return self.leave_out(&asset.path);
        };
        let document = document::read(vfs, assets, asset, recipe);
        self.stats.assets_read += 1;
        self.stats.files_read += document.files_read;
        let number = match self.entries.get(&asset.path) {
            Some(known) => known.number,
            None => {
                let number = self.next_number;
                self.next_number += 1;
                self.paths.insert(number, asset.path.clone());
                number
            }
        };
        for slot in Slot::ALL {
            let text = match slot {
                Slot::Identity => &document.identity,
                Slot::Capability => &document.capability,
                Slot::Facets => &document.facet_text,
            };
            self.slots.entry(slot).or_default().set(number, text);
        }
        // The texts live on as the words of their slots.
        let document = Document {
            identity: String::new(),
            capability: String::new(),
            facet_text: String::new(),
            ..document
        };
        self.entries.insert(asset.path.clone(), Entry { number, document });
    }

    fn leave_out(&mut self, path: &VfsPath) {
        let Some(entry) = self.entries.remove(path) else { return };
        self.paths.remove(&entry.number);
        for slot in self.slots.values_mut() {
            slot.remove(entry.number);
        }
    }

    /// Files that could not be read for search, and facets that do not fit, by path.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let told = self.entries.values().flat_map(|entry| &entry.document.told);
        let mut told: Vec<Diagnostic> = told.cloned().collect();
        told.sort_by(Diagnostic::order);
        told
    }

    /// What was read so far.
    #[must_use]
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// The assets that fit, best first: those of which the text is a name; then by how well its words fit; then by
    /// identity and path. A word that no text holds stands for those that begin with it. `assets` is what this index was
    /// brought up to date with.
    ///
    /// # Errors
    /// [`Error::NoType`] for a category that is none, [`Error::NoFacet`] for a facet that no type in question has, and
    /// [`Error::FacetFilter`] for a filter that none of those can be asked for.
    pub fn search(&self, assets: &Assets, search: &Search) -> Result<Vec<Hit>> {
        let category = search
            .category
            .as_deref()
            .map(|kind| assets.category(kind))
            .transpose()?;
        self.check_filters(assets, search, category.as_ref())?;
        let mut found: BTreeMap<&VfsPath, Found> = BTreeMap::new();
        let text = search.text.trim();
        if text.is_empty() {
            found.extend(self.entries.keys().map(|path| (path, Found::default())));
        }
        for asset in named(assets, text) {
            found.entry(&asset.path).or_default().is_named = true;
        }
        for slot in Slot::ALL
            .into_iter()
            .filter(|slot| search.slot.is_none_or(|only| only == *slot))
        {
            for (path, score) in self.in_slot(slot, text) {
                let found = found.entry(path).or_default();
                found.score += score;
                found.slots.push(slot);
            }
        }
        let mut hits: Vec<Hit> = found
            .into_iter()
            .filter_map(|(path, found)| self.hit(assets, assets.at(path)?, found))
            .filter(|hit| self.fits(assets, search, category.as_ref(), hit))
            .collect();
        hits.sort_by(|one, other| {
            let by_fit = (other.is_named, other.score).cmp(&(one.is_named, one.score));
            by_fit.then_with(|| (&one.identity, &one.path).cmp(&(&other.identity, &other.path)))
        });
        hits.truncate(search.limit);
        Ok(hits)
    }

    /// What a slot holds of the words of a text, in thousandths.
    fn in_slot(&self, slot: Slot, text: &str) -> Vec<(&VfsPath, u64)> {
        let Some(index) = self.slots.get(&slot) else {
            return Vec::new();
        };
        let is_known = |word: &str| self.slots.values().any(|slot| slot.holds(word));
        let mut words: BTreeSet<Box<str>> = BTreeSet::new();
        for word in words::words(text) {
            match is_known(&word) {
                true => drop(words.insert(word.into())),
                false => words.extend(index.completions(&word)),
            }
        }
        let words: Vec<Box<str>> = words.into_iter().collect();
        let found = index.matches(&words).into_iter();
        found
            .filter_map(|(number, score)| {
                // Rounded, so that the last bits of a logarithm, which are not the same everywhere, order nothing.
                let score = (score * slot.weight()).round().max(0.0) as u64;
                Some((self.paths.get(&number)?, score))
            })
            .collect()
    }

    fn hit(&self, assets: &Assets, asset: &Asset, found: Found) -> Option<Hit> {
        let entry = self.entries.get(&asset.path);
        if entry.is_none() && is_never_found(assets, asset) {
            return None;
        }
        let document = entry.map(|entry| &entry.document);
        Some(Hit {
            path: asset.path.clone(),
            identity: asset.full_identity(),
            kind: asset.kind.clone(),
            guid: asset.guid,
            is_named: found.is_named,
            score: found.score,
            slots: found.slots,
            facets: document.map(|document| document.facets.clone()).unwrap_or_default(),
            pictures: document.map(|document| document.pictures.clone()).unwrap_or_default(),
        })
    }

    fn fits(&self, assets: &Assets, search: &Search, category: Option<&Category>, hit: &Hit) -> bool {
        let is_below = search.below.as_ref().is_none_or(|folder| hit.path.starts_with(folder));
        let of_type = category.is_none_or(|category| assets.at(&hit.path).is_some_and(|asset| category.holds(asset)));
        let mut filters = search.filters.iter();
        is_below && of_type && filters.all(|(facet, filter)| filter.holds(hit.facets.get(facet)))
    }

    fn check_filters(&self, assets: &Assets, search: &Search, category: Option<&Category>) -> Result<()> {
        let kinds = assets
            .types()
            .iter()
            .filter(|kind| category.is_none_or(|category| category.is(kind)));
        let recipes: Vec<&Recipe> = kinds.filter_map(|kind| self.recipes.get(&kind.path)).collect();
        let facets = |name: &str| -> Vec<&Facet> {
            let facets = recipes.iter().filter_map(|recipe| recipe.facets.keys.get(name));
            facets.collect()
        };
        for (name, filter) in &search.filters {
            let declared = facets(name);
            if declared.is_empty() {
                let known: BTreeSet<&str> = recipes
                    .iter()
                    .flat_map(|recipe| recipe.facets.keys.keys().map(String::as_str))
                    .collect();
                return Err(Error::NoFacet {
                    facet: name.clone(),
                    near: nearest_names(name, known),
                });
            }
            let mut misfits: Vec<Option<String>> = declared.iter().map(|facet| filter.misfit(facet)).collect();
            if misfits.iter().all(Option::is_some)
                && let Some(message) = misfits.swap_remove(0)
            {
                return Err(Error::FacetFilter {
                    facet: name.clone(),
                    message,
                });
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Found {
    is_named: bool,
    score: u64,
    slots: Vec<Slot>,
}

/// What changed since search last looked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// Assets that came or went.
    assets: BTreeSet<VfsPath>,
    /// Files of assets that stayed.
    files: BTreeSet<VfsPath>,
    types: bool,
}

impl Touched {
    pub(crate) fn add(&mut self, changes: &Changes) {
        self.assets.extend(changes.added.iter().cloned());
        self.assets
            .extend(changes.removed.iter().map(|asset| asset.path.clone()));
        self.files.extend(changes.edited.values().flatten().cloned());
        self.types |= changes.types_changed;
    }
}

/// What each type reads, by its folder.
fn recipes(assets: &Assets) -> BTreeMap<VfsPath, Recipe> {
    let declared = assets.types().iter().filter_map(|kind| match &kind.indexing {
        Some(Indexing::Recipe(recipe)) => Some((kind.path.clone(), recipe.clone())),
        _ => None,
    });
    declared.collect()
}

fn is_never_found(assets: &Assets, asset: &Asset) -> bool {
    let kind = assets.type_of(asset);
    kind.is_none_or(|kind| kind.indexing == Some(Indexing::None))
}

/// The assets of which a text is a name that means the same wherever it is said.
fn named<'a>(assets: &'a Assets, text: &str) -> Vec<&'a Asset> {
    if text.starts_with('/') {
        let path = VfsPath::parse(text).ok();
        return path.and_then(|path| assets.at(&path)).into_iter().collect();
    }
    let names = assets.names();
    let all = |paths: Option<&'a Vec<VfsPath>>| paths.into_iter().flatten().filter_map(|path| assets.at(path));
    if let Some(guid) = Guid::parse(text) {
        return all(names.guid.get(&guid)).collect();
    }
    let (root, plain) = match text.strip_prefix('@').and_then(|rest| rest.split_once("::")) {
        Some((library, plain)) => (Some(Root::Library(library.to_owned())), plain),
        None => (None, text),
    };
    let with_suffix = split_suffix(plain).into_iter().flat_map(|(name, suffix)| {
        let found = all(names.identity.get(name)).chain(all(names.name.get(name)));
        found.filter(move |asset| assets.type_of(asset).is_some_and(|kind| kind.suffix == suffix))
    });
    let exact = all(names.identity.get(plain)).chain(all(names.name.get(plain)));
    let in_root = |asset: &&Asset| root.as_ref().is_none_or(|root| asset.root() == *root);
    exact.chain(with_suffix).filter(in_root).collect()
}
