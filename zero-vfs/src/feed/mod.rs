//! [`Feed`]: what changed, batch by batch, for whoever asks.

mod index;
mod ledger;
mod pending;

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use crate::change::{Arrival, Batch, By, Origin};
use crate::diagnostic::{CASE_CLASH, Diagnostic, case_clashes, unreachable};
use crate::error::Error;
use crate::hash::ContentHash;
use crate::journal::{Entry, Subscription, What};
use crate::mount::MountId;
use crate::path::VfsPath;
use crate::signal::{Listener, Settling};
use crate::source::Kind;
use crate::vfs::{Seen, Vfs};
use index::{Index, Known};
use ledger::{Cause, Ledger};
use pending::{Expected, Pending, Touch};

/// How a [`Feed`] waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedOptions {
    /// How long a file that someone else writes must have been quiet before it is read; 100 ms.
    pub quiet: Duration,
    /// After how long a file that is never quiet is read all the same; 2 s. One that changes while it is read is still not
    /// told of.
    pub longest_wait: Duration,
}

impl Default for FeedOptions {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(100),
            longest_wait: Duration::from_secs(2),
        }
    }
}

/// How much work a [`Feed`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedStats {
    /// Single paths looked at.
    pub looks: u64,
    /// Folders whose names were all looked at.
    pub surveys: u64,
    /// Files read.
    pub reads: u64,
    /// Bytes of them.
    pub bytes: u64,
}

/// What changed in a [`Vfs`], in batches that the host pulls when it likes.
///
/// The first pull tells of every file ([`crate::ChangeKind::Seeded`]). From then on each tells what differs from the one
/// before: what this program wrote through the [`Vfs`], and what the sources told ([`crate::Source::listen`]): a watch on a
/// folder, a shadow that was discarded. However often a file changed since, it is told once, as it is now; a file whose
/// content is what was told last is not told at all, so that the echo of a program's own write is no change.
///
/// What others write is read when it has been quiet for a while, whole; until then the last good state stands: a file that an
/// editor empties, or removes and makes again, is told once, when it is done. A [`crate::ChangeKind::Renamed`] is known where
/// this program did it, and else found by content.
///
/// It holds no thread and reads no clock: the time is given, counted from any moment, and must not go back. A feed serves one
/// [`Vfs`]; the host passes its batches to whoever cares.
///
/// ```
/// use std::time::Duration;
/// use zero_vfs::{ChangeKind, Feed, FeedOptions, MemorySource, Mount, Vfs, VfsPath};
/// let mut vfs = Vfs::new();
/// let files = MemorySource::with_files("mine", [("/stone.txt", &b"grey"[..])])?;
/// vfs.mount(Mount::new(VfsPath::root(), files))?;
/// let mut feed = Feed::new(&vfs, FeedOptions::default());
/// let start = std::time::Instant::now();
/// assert_eq!(feed.pull(&vfs, start.elapsed()).changes[0].kind, ChangeKind::Seeded);
///
/// vfs.write(&VfsPath::parse("/stone.txt")?, b"red")?;
/// let batch = feed.pull(&vfs, start.elapsed());
/// assert_eq!(batch.changes[0].kind, ChangeKind::Edited);
/// assert!(feed.pull(&vfs, start.elapsed()).is_empty());
/// # Ok::<(), zero_vfs::Error>(())
/// ```
///
/// Cost: the first pull reads every file. A change of one file looks at that file and reads it; a folder that changed is
/// listed with all below it, and only files whose [`crate::Stamp`] is another are read.
#[derive(Debug)]
pub struct Feed {
    options: FeedOptions,
    own: Arc<Subscription>,
    mounts: BTreeMap<MountId, (VfsPath, Arc<Listener>)>,
    pending: Pending,
    index: Index,
    ledger: Ledger,
    /// What was told of a place and still holds.
    told: BTreeMap<VfsPath, Vec<Diagnostic>>,
    diagnostics: Vec<Diagnostic>,
    stats: FeedStats,
}

impl Feed {
    /// One that has told nothing yet.
    #[must_use]
    pub fn new(vfs: &Vfs, options: FeedOptions) -> Self {
        Self {
            options,
            own: vfs.journal().subscribe(),
            mounts: BTreeMap::new(),
            pending: Pending::default(),
            index: Index::default(),
            ledger: Ledger::default(),
            told: BTreeMap::new(),
            diagnostics: Vec::new(),
            stats: FeedStats::default(),
        }
    }

    /// What changed since the last call, as far as it has settled. `now` is the time since any moment that stays the same.
    ///
    /// What cannot be read is a diagnostic (`vfs.unreadable`), and its last good state stands.
    pub fn pull(&mut self, vfs: &Vfs, now: Duration) -> Batch {
        self.follow_mounts(vfs, now);
        self.take_own(now);
        self.take_heard(now);
        for (path, touch) in self.pending.take_due(now, &self.options) {
            self.refresh(vfs, path, touch, now);
        }
        self.tell_new_clashes();
        Batch {
            changes: self.ledger.close(vfs),
            diagnostics: std::mem::take(&mut self.diagnostics),
        }
    }

    /// Says that the file at `path`, or anything below it, may be another. For a host that knows of a change which no source
    /// tells of.
    pub fn touch(&mut self, path: &VfsPath, settling: Settling, now: Duration) {
        self.pending.touch(path, Touch::outside(settling, now));
    }

    /// When the next file that is waited for has been quiet long enough; `None` if none is. A host that sleeps may sleep
    /// until then, unless something new is told.
    #[must_use]
    pub fn next_due(&self) -> Option<Duration> {
        self.pending.next_due(&self.options)
    }

    /// The content of a file as it was told last.
    #[must_use]
    pub fn told(&self, path: &VfsPath) -> Option<ContentHash> {
        self.index.get(path).map(|known| known.hash)
    }

    /// Every file below `folder` as it was told last, in the order of their folders.
    pub fn files(&self, folder: &VfsPath) -> impl Iterator<Item = (VfsPath, ContentHash)> {
        self.index.files_below(folder).map(|(path, known)| (path, known.hash))
    }

    /// What was told of a place and still holds: names that clash, what cannot be read or reached. By place.
    pub fn standing(&self) -> impl Iterator<Item = &Diagnostic> {
        self.told.values().flatten()
    }

    /// How much work was done so far.
    #[must_use]
    pub fn stats(&self) -> FeedStats {
        self.stats
    }

    /// Listens to mounts that are new, and looks at what came and went with them.
    fn follow_mounts(&mut self, vfs: &Vfs, now: Duration) {
        let seeded = Cause {
            by: By::Own,
            origin: Origin::Local,
            arrival: Arrival::Seeded,
        };
        let current: BTreeMap<MountId, _> = vfs.mounts_with_ids().collect();
        let gone: Vec<MountId> = self
            .mounts
            .keys()
            .filter(|id| !current.contains_key(id))
            .copied()
            .collect();
        for id in gone {
            if let Some((prefix, _)) = self.mounts.remove(&id) {
                self.pending.touch(&prefix, Touch::own(seeded, Expected::Anything, now));
            }
        }
        for (id, mount) in current {
            let Slot::Vacant(slot) = self.mounts.entry(id) else {
                continue;
            };
            let listener = Arc::new(Listener::new());
            mount.source.listen(&listener);
            slot.insert((mount.prefix.clone(), listener));
            let touch = Touch::own(seeded, Expected::Anything, now);
            self.pending.touch(&mount.prefix, touch);
        }
    }

    /// Takes in what this program changed itself.
    fn take_own(&mut self, now: Duration) {
        let waiting = self.own.take();
        if waiting.overflowed {
            let cause = Cause {
                by: By::Own,
                ..Cause::OUTSIDE
            };
            self.pending
                .touch(&VfsPath::root(), Touch::own(cause, Expected::Anything, now));
        }
        for Entry {
            path,
            what,
            origin,
            arrival,
        } in waiting.entries
        {
            let by = By::Own;
            let cause = Cause { by, origin, arrival };
            let expected = match what {
                What::Wrote(hash) => {
                    self.ledger.wrote(&path, hash);
                    Expected::Content(hash)
                }
                What::WroteTree | What::Removed => Expected::Anything,
                What::RenamedTo(to) => {
                    self.ledger.moved(&path, &to);
                    self.pending.touch(&to, Touch::own(cause, Expected::Anything, now));
                    Expected::Anything
                }
            };
            self.pending.touch(&path, Touch::own(cause, expected, now));
        }
    }

    /// Takes in what the sources told.
    fn take_heard(&mut self, now: Duration) {
        for (prefix, listener) in self.mounts.values() {
            let heard = listener.take();
            for (inner, settling) in heard.touched {
                if let Some(path) = outer(prefix, &inner) {
                    self.pending.touch(&path, Touch::outside(settling, now));
                }
            }
            for diagnostic in heard.told {
                let path = outer(prefix, &diagnostic.path).unwrap_or_else(|| prefix.clone());
                self.diagnostics.push(Diagnostic { path, ..diagnostic });
            }
        }
    }

    /// Brings what is known of `path`, and of everything below it, up to what is there.
    fn refresh(&mut self, vfs: &Vfs, path: VfsPath, touch: Touch, now: Duration) {
        self.stats.looks += 1;
        match vfs.look(&path) {
            Err(error) => self.unreadable(&path, &error),
            Ok(Some(seen)) if seen.look.stat.kind == Kind::File => {
                self.forget_below(&path, &touch);
                self.refresh_file(vfs, &path, seen, &touch, now);
            }
            Ok(Some(_)) => {
                self.forget(&path, &touch);
                self.refresh_folder(vfs, path, &touch, now);
            }
            Ok(None) if matches!(touch.expected, Expected::Content(_)) => {
                self.pending.touch(&path, Touch::outside(Settling::MayGoOn, now));
            }
            // Moved rather than removed, if what is still waited for turns out to be it.
            Ok(None) if touch.may_wait(now, &self.options) && self.pending.is_waiting() => {
                self.pending.put_back(path, touch);
            }
            Ok(None) => {
                self.forget(&path, &touch);
                self.forget_below(&path, &touch);
                self.told.retain(|place, _| !place.starts_with(&path));
            }
        }
    }

    /// Reads a file unless it is proven to be as it was.
    fn refresh_file(&mut self, vfs: &Vfs, path: &VfsPath, seen: Seen, touch: &Touch, now: Duration) {
        let Some(mount) = seen.mount else {
            return;
        };
        let known = self.index.get(path).copied();
        if let Some(known) = known
            && known.mount == mount
            && known.stamp.proves_unchanged(&seen.look.stamp)
        {
            return;
        }
        self.stats.reads += 1;
        let snapshot = match vfs.snapshot(mount, path) {
            Ok(snapshot) if snapshot.was_steady => snapshot,
            // Being written, or gone since it was looked at: the last good state stands until it is quiet.
            Ok(_) | Err(Error::NotFound { .. } | Error::NotAFile { .. } | Error::NotAFolder { .. }) => {
                return self.pending.touch(path, Touch::outside(Settling::MayGoOn, now));
            }
            Err(error) => return self.unreadable(path, &error),
        };
        self.stats.bytes += snapshot.bytes.len() as u64;
        let hash = ContentHash::of(&snapshot.bytes);
        if matches!(touch.expected, Expected::Content(expected) if expected != hash) {
            // Someone else has written since, and may be writing still.
            return self.pending.touch(path, Touch::outside(Settling::MayGoOn, now));
        }
        self.told.remove(path);
        let stamp = snapshot.stamp;
        self.index.put(path, Known { mount, stamp, hash });
        let before = known.map(|known| known.hash);
        if before != Some(hash) {
            self.ledger.note(path, before, Some(hash), touch.order, touch.cause);
        }
    }

    /// Brings a folder, and all below it, up to what is there.
    fn refresh_folder(&mut self, vfs: &Vfs, folder: VfsPath, touch: &Touch, now: Duration) {
        let mut open = vec![folder];
        while let Some(folder) = open.pop() {
            self.stats.surveys += 1;
            let (entries, held) = match vfs.survey(&folder) {
                Ok(survey) => survey,
                Err(Error::NotFound { .. } | Error::NotAFolder { .. }) => {
                    self.pending.touch(&folder, Touch::outside(Settling::MayGoOn, now));
                    continue;
                }
                Err(error) => {
                    self.unreadable(&folder, &error);
                    continue;
                }
            };
            let mut found = case_clashes(&folder, entries.iter().map(|(name, _)| name.as_str()));
            found.extend(held.iter().map(|held| unreachable(&folder, held)));
            self.forget_missing(&folder, &entries, touch);
            for (name, seen) in entries {
                let Ok(path) = folder.join(&name) else {
                    continue;
                };
                match seen.look.stat.kind {
                    Kind::File => self.refresh_file(vfs, &path, seen, touch, now),
                    Kind::Folder => open.push(path),
                }
            }
            self.tell(folder, found);
        }
    }

    /// Forgets the files and folders of `folder` that are not among `entries`.
    fn forget_missing(&mut self, folder: &VfsPath, entries: &[(String, Seen)], touch: &Touch) {
        let is_there = |name: &str, kind: Kind| {
            let at = entries.binary_search_by(|(entry, _)| entry.as_str().cmp(name));
            at.is_ok_and(|at| entries[at].1.look.stat.kind == kind)
        };
        let files = self.index.names(folder).filter(|name| !is_there(name, Kind::File));
        let files: Vec<VfsPath> = files.filter_map(|name| folder.join(name).ok()).collect();
        let folders = self.index.folders_in(folder).into_iter();
        let folders = folders.filter(|name| !is_there(name, Kind::Folder));
        let folders: Vec<VfsPath> = folders.filter_map(|name| folder.join(&name).ok()).collect();
        files.iter().for_each(|path| self.forget(path, touch));
        folders.iter().for_each(|path| self.forget_below(path, touch));
    }

    fn forget(&mut self, path: &VfsPath, touch: &Touch) {
        if let Some(known) = self.index.remove(path) {
            self.ledger.note(path, Some(known.hash), None, touch.order, touch.cause);
        }
    }

    fn forget_below(&mut self, folder: &VfsPath, touch: &Touch) {
        let paths: Vec<VfsPath> = self.index.files_below(folder).map(|(path, _)| path).collect();
        paths.iter().for_each(|path| self.forget(path, touch));
    }

    fn unreadable(&mut self, path: &VfsPath, error: &Error) {
        let help = "its last good content is kept; the next change of it is looked at again";
        let diagnostic = Diagnostic::error("vfs.unreadable", path.clone(), error.to_string(), help);
        self.tell(path.clone(), vec![diagnostic]);
    }

    /// Tells what holds of a place now, but what was told of it before.
    fn tell(&mut self, place: VfsPath, found: Vec<Diagnostic>) {
        let old = match found.is_empty() {
            true => self.told.remove(&place),
            false => self.told.insert(place, found.clone()),
        };
        let old = old.unwrap_or_default();
        self.diagnostics
            .extend(found.into_iter().filter(|one| !old.contains(one)));
    }

    /// Looks for names that clash, or no longer do, where files and folders came or went, and the folders that they are in
    /// were not looked through.
    fn tell_new_clashes(&mut self) {
        for folder in self.folders_with_other_names() {
            let told = self.told.get(&folder).map(Vec::as_slice).unwrap_or_default();
            let folders = self.index.folders_in(&folder);
            let names = self.index.names(&folder).chain(folders.iter().map(String::as_str));
            let mut found = case_clashes(&folder, names);
            found.extend(told.iter().filter(|told| told.code != CASE_CLASH).cloned());
            self.tell(folder, found);
        }
    }

    /// The folders in which a name came or went, a file's or a folder's: a folder is there while a file is below it.
    fn folders_with_other_names(&self) -> BTreeSet<VfsPath> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for file in self.ledger.came_or_went() {
            let Some(mut folder) = file.parent() else { continue };
            found.insert(folder.clone());
            while let Some(around) = folder.parent() {
                // One file that was here before, and is, holds the folder and those around it.
                let stands = |folder| {
                    self.index
                        .files_below(folder)
                        .any(|(file, _)| !self.ledger.is_new(&file))
                };
                if !seen.insert(folder.clone()) || stands(&folder) {
                    break;
                }
                found.insert(around.clone());
                folder = around;
            }
        }
        found
    }
}

/// A source's path `inner` below the prefix of its mount.
fn outer(prefix: &VfsPath, inner: &VfsPath) -> Option<VfsPath> {
    match inner.is_root() {
        true => Some(prefix.clone()),
        false => prefix.join(&inner.as_str()[1..]).ok(),
    }
}
