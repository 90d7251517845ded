//! [`BlobStore`]: content by its hash.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::hash::ContentHash;
use crate::path::VfsPath;
use crate::source::{Kind, Source, not_found};

/// How a reference list begins. One of a later version is refused.
const HEADER: &str = "zero-blobs 1";

/// Content by its hash, in any writable [`Source`]: each content once, however many want it.
///
/// A blob stays as long as something refers to it: a [`BlobPin`], which lives in the program, or a reference list, which lies
/// in the store under a name that its owner chooses. [`BlobStore::collect`] removes the others. Whoever wants to keep a blob
/// puts it, writes the list that names it, and lets the pin go; whenever the program stops in between, what the lists name is
/// there. A list that cannot be read stops all collection.
///
/// ```
/// use zero_vfs::{BlobStore, MemorySource};
/// let store = BlobStore::new(MemorySource::new("blobs"))?;
/// let bark = store.put(b"many bytes")?;
/// store.set_references("oak", [bark.hash()])?;
/// let leaf = store.put(b"nobody keeps this")?.hash();
/// assert_eq!(store.collect()?.removed, 1);
/// assert!(store.get(&bark.hash(), 100).is_ok() && !store.has(&leaf)?);
/// # Ok::<(), zero_vfs::Error>(())
/// ```
///
/// The store is laid out as `/blobs/12/34...`, the first two digits of the hash as a folder, and `/references/NAME`. Several
/// threads may use one store; two programs may read one, but only one may put and collect.
///
/// Cost: a put of content that is there already reads it and checks its hash, so that one that was damaged is written again;
/// a get checks the hash of what it reads.
#[derive(Debug)]
pub struct BlobStore<S> {
    source: S,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// How many pins hold each blob.
    pins: Mutex<BTreeMap<ContentHash, usize>>,
    /// Held by the one who collects and by those who write a list: a list that is written after a collection has read them
    /// would count for nothing, once its owner lets the pins go.
    lists: Mutex<()>,
}

/// Keeps a blob in its store while it lives.
#[derive(Debug)]
pub struct BlobPin {
    hash: ContentHash,
    shared: Arc<Shared>,
}

/// What a collection did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Collected {
    /// Blobs that were removed.
    pub removed: u64,
    /// Blobs that are referred to, or pinned, and were kept.
    pub kept: u64,
}

impl<S: Source> BlobStore<S> {
    /// In `source`, which is the store's alone.
    ///
    /// # Errors
    /// [`Error::ReadOnly`] if it cannot be written.
    pub fn new(source: S) -> Result<Self> {
        match source.is_writable() {
            true => Ok(Self {
                source,
                shared: Arc::default(),
            }),
            false => Err(Error::ReadOnly {
                path: VfsPath::root(),
                source_name: source.name().to_owned(),
            }),
        }
    }

    /// Where the blobs lie.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Puts content and pins it.
    ///
    /// # Errors
    /// As [`Source::write`].
    pub fn put(&self, bytes: &[u8]) -> Result<BlobPin> {
        let hash = ContentHash::of(bytes);
        let pin = self.pin_it(hash);
        let path = blob_path(&hash)?;
        let is_there = match self.source.stat(&path)? {
            Some(stat) if stat.len == bytes.len() as u64 => self.get(&hash, stat.len).is_ok(),
            _ => false,
        };
        if !is_there {
            self.source.write(&path, bytes)?;
        }
        Ok(pin)
    }

    /// Pins a blob that is there; `None` if it is not.
    ///
    /// # Errors
    /// As [`Source::stat`].
    pub fn pin(&self, hash: &ContentHash) -> Result<Option<BlobPin>> {
        let pin = self.pin_it(*hash);
        Ok(self.has(hash)?.then_some(pin))
    }

    /// Whether a blob is there.
    ///
    /// # Errors
    /// As [`Source::stat`].
    pub fn has(&self, hash: &ContentHash) -> Result<bool> {
        let stat = self.source.stat(&blob_path(hash)?)?;
        Ok(stat.is_some_and(|stat| stat.kind == Kind::File))
    }

    /// The content of a blob of at most `limit` bytes, which is what its hash says.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::TooLarge`], [`Error::DamagedBlob`], and as [`Source::read`].
    pub fn get(&self, hash: &ContentHash, limit: u64) -> Result<Vec<u8>> {
        let bytes = self.source.read(&blob_path(hash)?, limit)?;
        match ContentHash::of(&bytes) == *hash {
            true => Ok(bytes),
            false => Err(Error::DamagedBlob { hash: *hash }),
        }
    }

    /// Makes `hashes` what the list `name` refers to, at once and whole; before it did to something else or was not there.
    /// The blobs must be there.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a blob that is not there, and then the list is as it was; [`Error::Path`] for a name that is
    /// no name; as [`Source::write`].
    pub fn set_references(&self, name: &str, hashes: impl IntoIterator<Item = ContentHash>) -> Result<()> {
        let path = list_path(name)?;
        let hashes: BTreeSet<ContentHash> = hashes.into_iter().collect();
        // Pinned until the list stands: a collection that ran before it keeps them for that.
        let pins: Vec<BlobPin> = hashes.iter().map(|hash| self.pin_it(*hash)).collect();
        for hash in &hashes {
            if !self.has(hash)? {
                return Err(not_found(&blob_path(hash)?));
            }
        }
        let mut text = format!("{HEADER}\n");
        for hash in &hashes {
            text.push_str(&format!("{hash}\n"));
        }
        let lists = self.shared.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let written = self.source.write(&path, text.as_bytes());
        drop(lists);
        drop(pins);
        written
    }

    /// What the list `name` refers to; nothing if it is not there.
    ///
    /// # Errors
    /// [`Error::References`] if it cannot be read, [`Error::Path`] for a name that is no name.
    pub fn references(&self, name: &str) -> Result<BTreeSet<ContentHash>> {
        let path = list_path(name)?;
        match self.source.read(&path, u64::MAX) {
            Ok(bytes) => parse_list(&path, &bytes),
            Err(Error::NotFound { .. }) => Ok(BTreeSet::new()),
            Err(error) => Err(error),
        }
    }

    /// Removes the list `name`; its blobs stay until the next collection. Nothing happens if it is not there.
    ///
    /// # Errors
    /// As [`Source::remove`].
    pub fn remove_references(&self, name: &str) -> Result<()> {
        match self.source.remove(&list_path(name)?) {
            Err(Error::NotFound { .. }) => Ok(()),
            removed => removed,
        }
    }

    /// The names of all reference lists, sorted.
    ///
    /// # Errors
    /// As [`Source::list`].
    pub fn reference_lists(&self) -> Result<Vec<String>> {
        match self.source.list(&VfsPath::parse("/references")?) {
            Ok(listing) => Ok(listing.entries.into_iter().map(|entry| entry.name).collect()),
            Err(Error::NotFound { .. }) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Removes every blob that no list refers to and no pin holds. Reads all lists first: what they refer to is never removed,
    /// and a program that is stopped midway has removed some of the others.
    ///
    /// # Errors
    /// [`Error::References`] if any list cannot be read, and then nothing is removed; as [`Source::list`] and
    /// [`Source::remove`].
    pub fn collect(&self) -> Result<Collected> {
        let _lists = self.shared.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let mut referenced = BTreeSet::new();
        for name in self.reference_lists()? {
            referenced.extend(self.references(&name)?);
        }
        let mut collected = Collected::default();
        let blobs = VfsPath::parse("/blobs")?;
        if self.source.stat(&blobs)?.is_none() {
            return Ok(collected);
        }
        for folder in self.source.list(&blobs)?.entries {
            let folder = blobs.join(&folder.name)?;
            for entry in self.source.list(&folder)?.entries {
                let path = folder.join(&entry.name)?;
                // What is not a blob by its name is none of ours.
                let Some(hash) = hash_of(&path) else {
                    continue;
                };
                match !referenced.contains(&hash) && self.remove_unpinned(&hash, &path)? {
                    true => collected.removed += 1,
                    false => collected.kept += 1,
                }
            }
        }
        Ok(collected)
    }

    /// Removes a blob unless it is pinned; whether it did. Whoever wants to pin it waits meanwhile.
    fn remove_unpinned(&self, hash: &ContentHash, path: &VfsPath) -> Result<bool> {
        let pins = self.shared.pins();
        if pins.contains_key(hash) {
            return Ok(false);
        }
        self.source.remove(path).map(|()| true)
    }

    fn pin_it(&self, hash: ContentHash) -> BlobPin {
        *self.shared.pins().entry(hash).or_default() += 1;
        let shared = self.shared.clone();
        BlobPin { hash, shared }
    }
}

impl BlobPin {
    /// The name of the blob.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        self.hash
    }
}

impl Drop for BlobPin {
    fn drop(&mut self) {
        let mut pins = self.shared.pins();
        if let Some(count) = pins.get_mut(&self.hash) {
            *count -= 1;
            if *count == 0 {
                pins.remove(&self.hash);
            }
        }
    }
}

impl Shared {
    fn pins(&self) -> MutexGuard<'_, BTreeMap<ContentHash, usize>> {
        self.pins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn blob_path(hash: &ContentHash) -> Result<VfsPath> {
    let text = hash.to_string();
    let (folder, name) = text.split_at(2);
    VfsPath::parse(&format!("/blobs/{folder}/{name}"))
}

/// The blob that lies at a path, if one may.
fn hash_of(path: &VfsPath) -> Option<ContentHash> {
    let hash = path.segments().skip(1).collect::<String>().parse().ok()?;
    (blob_path(&hash).ok()? == *path).then_some(hash)
}

fn list_path(name: &str) -> Result<VfsPath> {
    let folder = VfsPath::parse("/references")?;
    let path = folder.join(name)?;
    match path.parent() == Some(folder) {
        true => Ok(path),
        false => Err(Error::Path {
            text: name.chars().take(100).collect(),
            problem: crate::PathProblem::Character { character: '/' },
        }),
    }
}

fn parse_list(path: &VfsPath, bytes: &[u8]) -> Result<BTreeSet<ContentHash>> {
    let fail = |problem: String| Error::References {
        path: path.clone(),
        problem,
    };
    let text = std::str::from_utf8(bytes).map_err(|_| fail("it is not UTF-8".into()))?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    if header != HEADER {
        return Err(fail(format!("it begins with {header:?} instead of {HEADER:?}")));
    }
    // The last line ends too: a list that was cut short is told.
    if !text.ends_with('\n') {
        return Err(fail("its last line has no end".into()));
    }
    let parse = |(n, line): (usize, &str)| {
        line.parse()
            .map_err(|_| fail(format!("line {} is no hash: {line:?}", n + 2)))
    };
    lines.enumerate().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_blob_only_in_its_one_spelling() {
        let hash = ContentHash::of(b"x");
        let path = blob_path(&hash).unwrap();
        assert_eq!(hash_of(&path), Some(hash));
        let upper = VfsPath::parse(&path.as_str().to_uppercase().replace("/BLOBS", "/blobs")).unwrap();
        assert_eq!(hash_of(&upper), None);
        assert_eq!(hash_of(&VfsPath::parse("/blobs/12/34").unwrap()), None);
    }

    #[test]
    fn lists_that_are_not_whole_are_refused() {
        let path = list_path("a").unwrap();
        let hash = ContentHash::of(b"x");
        let check = |text: &str, problem: &str| {
            let error = parse_list(&path, text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        };
        assert_eq!(
            parse_list(&path, format!("{HEADER}\n{hash}\n").as_bytes())
                .unwrap()
                .len(),
            1
        );
        assert!(parse_list(&path, format!("{HEADER}\n").as_bytes()).unwrap().is_empty());
        check("", "begins with");
        check("zero-blobs 2\n", "\"zero-blobs 2\" instead of \"zero-blobs 1\"");
        check(&format!("{HEADER}\n{hash}"), "no end");
        check(&format!("{HEADER}\n{hash}\nx\n"), "line 3 is no hash");
        for name in ["", "a/b", "..", "a:"] {
            assert!(list_path(name).is_err(), "{name}");
        }
    }
}
