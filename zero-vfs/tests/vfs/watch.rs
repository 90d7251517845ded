//! A folder that others change, watched for real. Each test waits until what must be told is told, for as long as it takes.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use zero_vfs::{
    Access, ChangeKind, ContentHash, Feed, FeedOptions, FolderSource, FolderWatch, Mount, Vfs, VfsPath, Watching,
};

use crate::path;

struct Watched {
    folder: tempfile::TempDir,
    vfs: Vfs,
    feed: Feed,
    watch: FolderWatch,
    start: Instant,
    /// What was told of each path last.
    told: BTreeMap<VfsPath, Option<ContentHash>>,
}

impl Watched {
    fn new(watching: Watching, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let at = folder.path().join(name);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, text).unwrap();
        }
        let source = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
        let watch = FolderWatch::new(&source, watching);
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(VfsPath::root(), source)).unwrap();
        let feed = Feed::new(&vfs, FeedOptions::default());
        let (start, told) = (Instant::now(), BTreeMap::new());
        let mut watched = Self {
            folder,
            vfs,
            feed,
            watch,
            start,
            told,
        };
        watched.pull();
        assert_eq!(watched.told.len(), files.len());
        watched
    }

    fn pull(&mut self) -> Vec<zero_vfs::Change> {
        let batch = self.feed.pull(&self.vfs, self.start.elapsed());
        for change in &batch.changes {
            if let ChangeKind::Renamed { from } = &change.kind {
                self.told.insert(from.clone(), None);
            }
            self.told.insert(change.path.clone(), change.after);
        }
        batch.changes
    }

    /// Pulls until what was told is what is on disk.
    #[track_caller]
    fn pull_until_told(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            self.pull();
            let files = self.vfs.walk(&VfsPath::root()).unwrap().files;
            let there = files.iter().map(|file| (file.clone(), self.vfs.hash(file).unwrap()));
            let told = self
                .told
                .iter()
                .filter_map(|(file, hash)| Some((file.clone(), (*hash)?)));
            if there.eq(told) {
                return;
            }
            assert!(Instant::now() < deadline, "what was told is not what is there");
            std::thread::yield_now();
        }
    }
}

fn follows_everything(watching: Watching) {
    let mut watched = Watched::new(watching, &[("a", "1"), ("d/b", "2"), ("d/e/c", "3")]);
    let root = watched.folder.path().to_path_buf();
    fs::write(root.join("a"), "edited").unwrap();
    watched.pull_until_told();
    fs::create_dir_all(root.join("new/deep")).unwrap();
    fs::write(root.join("new/deep/file"), "made").unwrap();
    watched.pull_until_told();
    // In a folder that was made while it was watched.
    fs::write(root.join("new/deep/second"), "made").unwrap();
    watched.pull_until_told();
    fs::rename(root.join("d"), root.join("moved")).unwrap();
    watched.pull_until_told();
    fs::write(root.join("moved/b"), "edited after the move").unwrap();
    watched.pull_until_told();
    fs::remove_dir_all(root.join("moved")).unwrap();
    watched.pull_until_told();
    assert_eq!(watched.told[&path("/moved/b")], None);
}

#[test]
fn a_native_watch_follows_everything() {
    let watched = Watched::new(Watching::Native, &[]);
    assert_eq!(watched.watch.watching(), Watching::Native);
    follows_everything(Watching::Native);
}

#[test]
fn a_polling_watch_follows_everything() {
    follows_everything(Watching::Poll(Duration::from_millis(5)));
}

/// More events than a system keeps for a program that is slow to ask.
#[test]
fn a_storm_of_20_000_events_ends_in_what_is_there() {
    let mut watched = Watched::new(Watching::Native, &[("kept", "")]);
    let root = watched.folder.path().to_path_buf();
    for n in 0..20_000 {
        fs::write(root.join(format!("{}", n % 500)), format!("{n}")).unwrap();
    }
    watched.pull_until_told();
    assert_eq!(watched.told.values().flatten().count(), 501);
}

#[test]
fn own_writes_are_not_echoed() {
    let mut watched = Watched::new(Watching::Native, &[("a", "1")]);
    let root = watched.folder.path().to_path_buf();
    for n in 0..20 {
        watched.vfs.write(&path("/a"), format!("{n}").as_bytes()).unwrap();
        let changes = watched.pull();
        assert_eq!(changes.len(), 1, "the write itself is told: {changes:?}");
    }
    // An edit by another afterwards is told after any echo would have been.
    fs::write(root.join("last"), "").unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let changes = watched.pull();
        assert!(
            changes.iter().all(|change| change.path == path("/last")),
            "an echo: {changes:?}"
        );
        if !changes.is_empty() {
            break;
        }
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
}

/// Threads of this program by name.
#[cfg(target_os = "linux")]
fn threads(name: &str) -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    // The system keeps 15 bytes of a name.
    names
        .filter(|found| found.trim_end() == &name[..name.len().min(15)])
        .count()
}

/// Nothing of a watch is left when its guard has gone. (Each test is a process of its own, or its threads have other names.)
#[cfg(target_os = "linux")]
#[test]
fn no_thread_is_left_when_the_guard_goes() {
    let folder = tempfile::tempdir().unwrap();
    let source = FolderSource::open(folder.path(), Access::ReadOnly).unwrap();
    let listener = std::sync::Arc::new(zero_vfs::Listener::new());
    source.signal().add(&listener);
    for _ in 0..20 {
        let watches = [
            FolderWatch::new(&source, Watching::Native),
            FolderWatch::new(&source, Watching::Poll(Duration::from_secs(3600))),
        ];
        drop(watches);
        drop(listener.take());
        fs::write(folder.path().join("after"), "told to nobody").unwrap();
        assert!(
            listener.take().touched.is_empty(),
            "a watch that has gone tells nothing"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_polling_thread_is_joined() {
    let folder = tempfile::tempdir().unwrap();
    let source = FolderSource::open(folder.path(), Access::ReadOnly).unwrap();
    let before = threads("zero-vfs poll");
    let watch = FolderWatch::new(&source, Watching::Poll(Duration::from_secs(3600)));
    let deadline = Instant::now() + Duration::from_secs(60);
    while threads("zero-vfs poll") == before {
        assert!(Instant::now() < deadline, "the thread has its name once it runs");
        std::thread::yield_now();
    }
    drop(watch);
    assert_eq!(threads("zero-vfs poll"), before);
}
