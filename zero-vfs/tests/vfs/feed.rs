//! The change feed: every change once, in order, whole, and with the least work. Time is given.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use zero_vfs::counting::CountingSource;
use zero_vfs::{
    Access, Batch, By, ChangeKind, ContentHash, Feed, FeedOptions, FolderSource, MemorySource, Mount, Origin, Settling,
    Vfs, VfsPath, WriteOptions,
};

use crate::path;

/// A folder on disk that others change, told of by hand, and a clock.
struct Watched {
    folder: tempfile::TempDir,
    source: Arc<CountingSource<FolderSource>>,
    vfs: Vfs,
    feed: Feed,
    now: Duration,
}

const QUIET: Duration = Duration::from_millis(100);

impl Watched {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let at = folder.path().join(&name[1..]);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, text).unwrap();
        }
        let source = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
        let source = Arc::new(CountingSource::new(source));
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(VfsPath::root(), source.clone())).unwrap();
        let mut feed = Feed::new(&vfs, FeedOptions::default());
        assert_eq!(feed.pull(&vfs, Duration::ZERO).changes.len(), files.len());
        source.reset();
        let now = Duration::ZERO;
        Self {
            folder,
            source,
            vfs,
            feed,
            now,
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn touch(&self, file: &str) {
        self.source.inner().signal().touch(&path(file), Settling::MayGoOn);
    }

    fn pull(&mut self) -> Batch {
        self.feed.pull(&self.vfs, self.now)
    }

    fn pull_after(&mut self, wait: Duration) -> Batch {
        self.now += wait;
        self.pull()
    }

    /// What is told once all is quiet.
    fn told(&mut self) -> Vec<String> {
        let first = texts(&self.pull());
        assert!(first.is_empty(), "told before it was quiet: {first:?}");
        texts(&self.pull_after(QUIET))
    }
}

fn texts(batch: &Batch) -> Vec<String> {
    let text = |change: &zero_vfs::Change| match &change.kind {
        ChangeKind::Renamed { from } if change.changes_content() => format!("{from} > {} and edited", change.path),
        ChangeKind::Renamed { from } => format!("{from} > {}", change.path),
        ChangeKind::Removed => format!("- {}", change.path),
        ChangeKind::Seeded => format!("seeded {}", change.path),
        _ if change.before.is_none() => format!("+ {}", change.path),
        _ => format!("~ {}", change.path),
    };
    batch.changes.iter().map(text).collect()
}

fn memory(files: &[(&str, &str)]) -> MemorySource {
    MemorySource::with_files("memory", files.iter().map(|(path, text)| (*path, text.as_bytes()))).unwrap()
}

#[test]
fn own_changes_are_told_once_in_order_and_as_own() {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(
        path("/zero"),
        memory(&[("/a", "1"), ("/b", "2"), ("/d/x", "3"), ("/d/y", "3")]),
    ))
    .unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    let mut pull = |vfs: &Vfs| feed.pull(vfs, Duration::ZERO);
    let first = pull(&vfs);
    assert_eq!(
        texts(&first),
        [
            "seeded /zero/a",
            "seeded /zero/b",
            "seeded /zero/d/x",
            "seeded /zero/d/y"
        ]
    );
    vfs.write(&path("/zero/z"), b"new").unwrap();
    vfs.rename(&path("/zero/d"), &path("/zero/c")).unwrap();
    vfs.remove(&path("/zero/b")).unwrap();
    for n in 0..100 {
        vfs.write(&path("/zero/a"), format!("{n}").as_bytes()).unwrap();
    }
    let batch = pull(&vfs);
    let expected = [
        "+ /zero/z",
        "/zero/d/x > /zero/c/x",
        "/zero/d/y > /zero/c/y",
        "- /zero/b",
        "~ /zero/a",
    ];
    assert_eq!(texts(&batch), expected);
    for change in &batch.changes {
        assert_eq!((change.by, change.origin), (By::Own, Origin::Local), "{change:?}");
        assert_eq!(change.id, vfs.file_id(&change.path));
        assert_eq!(change.after.is_none(), change.kind == ChangeKind::Removed);
    }
    assert_eq!(batch.changes[4].after, Some(ContentHash::of(b"99")));
    assert_eq!(batch.changes[4].before, Some(ContentHash::of(b"1")));
    // Back to what was told, made and removed, moved and moved back: nothing.
    vfs.write(&path("/zero/a"), b"other").unwrap();
    vfs.write(&path("/zero/a"), b"99").unwrap();
    vfs.write(&path("/zero/t"), b"").unwrap();
    vfs.remove(&path("/zero/t")).unwrap();
    vfs.rename(&path("/zero/c"), &path("/zero/e")).unwrap();
    vfs.rename(&path("/zero/e"), &path("/zero/c")).unwrap();
    assert!(pull(&vfs).is_empty());
}

#[test]
fn origin_and_arrival_are_passed_on() {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(VfsPath::root(), memory(&[("/gone", "")])))
        .unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    feed.pull(&vfs, Duration::ZERO);
    let remote = WriteOptions::default().origin(Origin::Remote);
    vfs.write_with(&path("/a"), b"1", &remote).unwrap();
    vfs.write_with(&path("/b"), b"2", &remote.seeded()).unwrap();
    vfs.write_tree(&path("/t"), [(path("/c"), vec![])], &WriteOptions::default().seeded())
        .unwrap();
    vfs.remove_from(&path("/gone"), Origin::Remote).unwrap();
    let batch = feed.pull(&vfs, Duration::ZERO);
    let told: Vec<_> = batch
        .changes
        .iter()
        .map(|change| (change.kind.clone(), change.origin))
        .collect();
    assert_eq!(
        told,
        [
            (ChangeKind::Edited, Origin::Remote),
            (ChangeKind::Seeded, Origin::Remote),
            (ChangeKind::Seeded, Origin::Local),
            (ChangeKind::Removed, Origin::Remote),
        ]
    );
}

#[test]
fn what_mounts_bring_and_take_is_told() {
    let mut vfs = Vfs::new();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    let mut pull = |vfs: &Vfs| texts(&feed.pull(vfs, Duration::ZERO));
    assert!(pull(&vfs).is_empty());
    vfs.mount(Mount::new(path("/zero"), memory(&[("/a", "library"), ("/b", "b")])).priority(-1))
        .unwrap();
    assert_eq!(pull(&vfs), ["seeded /zero/a", "seeded /zero/b"]);
    let world = vfs
        .mount(Mount::new(
            path("/zero"),
            memory(&[("/a", "world"), ("/b", "b"), ("/c", "c")]),
        ))
        .unwrap();
    assert_eq!(pull(&vfs), ["seeded /zero/a", "seeded /zero/c"]);
    vfs.unmount(world).unwrap();
    assert_eq!(pull(&vfs), ["seeded /zero/a", "- /zero/c"]);
}

#[test]
fn an_own_write_is_not_echoed_by_the_watch() {
    let mut watched = Watched::new(&[("/a", "1")]);
    watched.vfs.write(&path("/a"), b"2").unwrap();
    watched.touch("/a");
    let batch = watched.pull();
    assert_eq!(texts(&batch), ["~ /a"]);
    assert_eq!(batch.changes[0].by, By::Own);
    watched.touch("/a");
    watched.touch("/");
    assert!(watched.told().is_empty());
}

/// What another wrote over this program's write is the other's, and waits until it is quiet.
#[test]
fn an_outside_edit_right_after_an_own_write_is_told_as_such() {
    let mut watched = Watched::new(&[("/a", "1")]);
    watched.vfs.write(&path("/a"), b"2").unwrap();
    fs::write(watched.at("a"), b"3").unwrap();
    watched.touch("/a");
    assert!(watched.pull().is_empty());
    let batch = watched.pull_after(QUIET);
    assert_eq!(texts(&batch), ["~ /a"]);
    assert_eq!(
        (batch.changes[0].by, batch.changes[0].after),
        (By::Outside, Some(ContentHash::of(b"3")))
    );
}

/// A file that this program moved holds what another wrote before: the content is the other's, the move is told all the same.
#[test]
fn an_outside_edit_before_an_own_rename_is_told_as_anothers() {
    let check = |own: Option<&[u8]>, outside: Option<&[u8]>, by: By| {
        let mut watched = Watched::new(&[("/d/a", "1")]);
        if let Some(bytes) = own {
            watched.vfs.write(&path("/d/a"), bytes).unwrap();
        }
        if let Some(bytes) = outside {
            fs::write(watched.at("d/a"), bytes).unwrap();
        }
        watched.vfs.rename(&path("/d"), &path("/e")).unwrap();
        let mut batch = watched.pull();
        batch.changes.append(&mut watched.pull_after(QUIET).changes);
        let edited = if own.or(outside).is_some() { " and edited" } else { "" };
        assert_eq!(texts(&batch), [format!("/d/a > /e/a{edited}")]);
        assert_eq!(batch.changes[0].by, by, "{own:?} {outside:?}");
    };
    check(None, None, By::Own);
    check(Some(b"2"), None, By::Own);
    check(None, Some(b"3"), By::Outside);
    check(Some(b"2"), Some(b"3"), By::Outside);
}

#[test]
fn an_editor_that_renames_over_is_one_edit() {
    let mut watched = Watched::new(&[("/a", "1")]);
    fs::write(watched.at(".a.swp"), b"half").unwrap();
    watched.touch("/.a.swp");
    fs::write(watched.at(".a.swp"), b"2").unwrap();
    watched.touch("/.a.swp");
    fs::rename(watched.at(".a.swp"), watched.at("a")).unwrap();
    watched.touch("/.a.swp");
    watched.touch("/a");
    assert_eq!(watched.told(), ["~ /a"]);
}

#[test]
fn an_editor_that_deletes_and_creates_is_one_edit() {
    let mut watched = Watched::new(&[("/a", "1")]);
    fs::remove_file(watched.at("a")).unwrap();
    watched.touch("/a");
    assert!(watched.pull().is_empty());
    // Half of the quiet time later it is there again.
    assert!(watched.pull_after(QUIET / 2).is_empty());
    fs::write(watched.at("a"), b"2").unwrap();
    watched.touch("/a");
    assert!(watched.pull_after(QUIET / 2).is_empty());
    assert_eq!(
        watched.feed.told(&path("/a")),
        Some(ContentHash::of(b"1")),
        "the last good state stands"
    );
    assert_eq!(texts(&watched.pull_after(QUIET)), ["~ /a"]);
}

#[test]
fn an_editor_that_truncates_and_writes_is_never_half_read() {
    let mut watched = Watched::new(&[("/a", "the whole old text")]);
    for half in ["", "the whole", "the whole new te"] {
        fs::write(watched.at("a"), half).unwrap();
        watched.touch("/a");
        assert!(watched.pull_after(QUIET / 2).is_empty());
        assert_eq!(
            watched.feed.told(&path("/a")),
            Some(ContentHash::of(b"the whole old text"))
        );
    }
    assert_eq!(watched.source.counts().reads, 0, "nothing is read before it is quiet");
    fs::write(watched.at("a"), "the whole new text").unwrap();
    watched.touch("/a");
    assert!(watched.pull_after(QUIET / 2).is_empty());
    let batch = watched.pull_after(QUIET);
    assert_eq!(batch.changes[0].after, Some(ContentHash::of(b"the whole new text")));
    assert_eq!(watched.source.counts().reads, 1);
}

/// One that is written without end is told of in the end.
#[test]
fn a_file_that_is_never_quiet_is_read_after_the_longest_wait() {
    let mut watched = Watched::new(&[("/log", "")]);
    let mut told = 0;
    for n in 0..50 {
        fs::write(watched.at("log"), format!("{n}")).unwrap();
        watched.touch("/log");
        told += watched.pull_after(QUIET / 2).changes.len();
    }
    assert_eq!(told, 1, "2.5 seconds of writing with a longest wait of two");
    assert!(watched.feed.next_due().is_some_and(|due| due > watched.now));
}

/// A source whose file changes whenever it is read.
#[test]
fn a_file_that_changes_while_it_is_read_is_read_again() {
    #[derive(Debug)]
    struct Restless {
        inner: MemorySource,
        left: std::sync::atomic::AtomicU32,
    }
    impl zero_vfs::Source for Restless {
        fn name(&self) -> &str {
            "restless"
        }
        fn is_writable(&self) -> bool {
            false
        }
        fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<zero_vfs::Stat>> {
            self.inner.stat(path)
        }
        fn list(&self, folder: &VfsPath) -> zero_vfs::Result<zero_vfs::Listing> {
            self.inner.list(folder)
        }
        fn read(&self, path: &VfsPath, limit: u64) -> zero_vfs::Result<Vec<u8>> {
            use std::sync::atomic::Ordering::Relaxed;
            let bytes = self.inner.read(path, limit);
            if self
                .left
                .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1))
                .is_ok()
            {
                self.inner.write(path, format!("{bytes:?}").as_bytes())?;
            }
            bytes
        }
        fn look(&self, path: &VfsPath) -> zero_vfs::Result<Option<zero_vfs::Look>> {
            self.inner.look(path)
        }
        fn write(&self, path: &VfsPath, _: &[u8]) -> zero_vfs::Result<()> {
            Err(zero_vfs::not_found(path))
        }
        fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
            Err(zero_vfs::not_found(path))
        }
        fn rename(&self, path: &VfsPath, _: &VfsPath) -> zero_vfs::Result<()> {
            Err(zero_vfs::not_found(path))
        }
    }
    let inner = memory(&[("/a", "1")]);
    let left = 3.into();
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(VfsPath::root(), Restless { inner, left }))
        .unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    let mut told = Vec::new();
    for n in 0..5u32 {
        told.push(feed.pull(&vfs, QUIET * n).changes.len());
    }
    assert_eq!(told, [0, 0, 0, 1, 0]);
    assert_eq!(feed.told(&path("/a")), Some(vfs.hash(&path("/a")).unwrap()));
}

#[test]
fn a_storm_is_read_once() {
    let mut watched = Watched::new(&[("/d/kept", "")]);
    fs::create_dir(watched.at("storm")).unwrap();
    for n in 0..20_000 {
        let name = format!("storm/{}", n % 200);
        if n % 7 != 3 {
            fs::write(watched.at(&name), format!("{n}")).unwrap();
        } else if watched.at(&name).exists() {
            fs::remove_file(watched.at(&name)).unwrap();
        }
        watched.touch(&format!("/{name}"));
        if n % 1000 == 0 {
            assert!(watched.pull_after(QUIET / 100).is_empty());
        }
    }
    assert!(watched.pull().is_empty());
    let batch = watched.pull_after(QUIET);
    let on_disk = fs::read_dir(watched.at("storm")).unwrap().count();
    assert_eq!(batch.changes.len(), on_disk);
    let counts = watched.source.counts();
    assert_eq!(counts.reads, on_disk as u64, "each file is read once");
    assert_eq!(counts.lists, 0);
    for change in &batch.changes {
        assert_eq!(Some(watched.vfs.hash(&change.path).unwrap()), change.after);
    }
}

/// More paths than a listener holds: the whole is looked through, and what is told is the same.
#[test]
fn a_storm_of_too_many_paths_loses_nothing() {
    let mut vfs = Vfs::new();
    let source = Arc::new(MemorySource::new("memory"));
    vfs.mount(Mount::new(path("/zero"), source.clone())).unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    feed.pull(&vfs, Duration::ZERO);
    for n in 0..70_000u32 {
        zero_vfs::Source::write(&*source, &path(&format!("/{}/{n}", n % 100)), &n.to_le_bytes()).unwrap();
    }
    assert_eq!(feed.pull(&vfs, Duration::ZERO).changes.len(), 70_000);
    assert_eq!(feed.files(&path("/zero/7")).count(), 700);
    for n in 0..70_000u32 {
        vfs.write(&path(&format!("/zero/{}/{n}", n % 100)), b"x").unwrap();
    }
    assert_eq!(feed.pull(&vfs, Duration::ZERO).changes.len(), 70_000);
}

#[test]
fn a_file_gone_between_event_and_read_is_no_error() {
    let mut watched = Watched::new(&[("/a", "1")]);
    fs::write(watched.at("new"), b"2").unwrap();
    watched.touch("/new");
    watched.pull();
    fs::remove_file(watched.at("new")).unwrap();
    let batch = watched.pull_after(QUIET);
    assert!(batch.is_empty(), "{batch:?}");
    fs::remove_file(watched.at("a")).unwrap();
    watched.touch("/a");
    assert_eq!(watched.told(), ["- /a"]);
}

#[test]
fn a_folder_renamed_by_another_program_is_moves_of_its_files() {
    let mut watched = Watched::new(&[
        ("/old/a", "1"),
        ("/old/b", "same"),
        ("/old/c", "same"),
        ("/old/d/e", ""),
    ]);
    fs::rename(watched.at("old"), watched.at("new")).unwrap();
    watched.touch("/old");
    watched.touch("/new");
    assert_eq!(
        watched.told(),
        [
            "/old/a > /new/a",
            "/old/b > /new/b",
            "/old/c > /new/c",
            "/old/d/e > /new/d/e"
        ]
    );
}

/// The new place is told of a moment later than the old one.
#[test]
fn a_move_told_in_two_parts_is_one_move() {
    let mut watched = Watched::new(&[("/a", "1")]);
    fs::rename(watched.at("a"), watched.at("b")).unwrap();
    watched.touch("/a");
    assert!(watched.pull().is_empty());
    watched.touch("/b");
    assert!(watched.pull_after(QUIET / 2).is_empty());
    assert!(watched.pull_after(QUIET / 2).is_empty());
    assert_eq!(texts(&watched.pull_after(QUIET / 2)), ["/a > /b"]);
}

#[test]
fn a_change_of_case_alone_is_a_move() {
    let mut watched = Watched::new(&[("/Readme.md", "text"), ("/Folder/x", "1")]);
    fs::rename(watched.at("Readme.md"), watched.at("README.md")).unwrap();
    fs::rename(watched.at("Folder"), watched.at("folder")).unwrap();
    for touched in ["/Readme.md", "/README.md", "/Folder", "/folder"] {
        watched.touch(touched);
    }
    assert_eq!(watched.told(), ["/Readme.md > /README.md", "/Folder/x > /folder/x"]);
    watched.vfs.rename(&path("/README.md"), &path("/readme.md")).unwrap();
    assert_eq!(texts(&watched.pull()), ["/README.md > /readme.md"]);
}

#[test]
fn a_file_that_becomes_a_folder_and_back() {
    let mut watched = Watched::new(&[("/a", "1")]);
    fs::remove_file(watched.at("a")).unwrap();
    fs::create_dir(watched.at("a")).unwrap();
    fs::write(watched.at("a/b"), b"2").unwrap();
    watched.touch("/a");
    assert_eq!(watched.told(), ["- /a", "+ /a/b"]);
    fs::remove_dir_all(watched.at("a")).unwrap();
    fs::write(watched.at("a"), b"3").unwrap();
    watched.touch("/a");
    assert_eq!(watched.told(), ["+ /a", "- /a/b"]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_told_once_and_its_last_good_state_stands() {
    use std::os::unix::fs::symlink;
    let mut watched = Watched::new(&[("/a", "1"), ("/b", "2")]);
    fs::remove_file(watched.at("a")).unwrap();
    symlink("/etc/hostname", watched.at("a")).unwrap();
    fs::write(watched.at("b"), "3").unwrap();
    for _ in 0..3 {
        watched.touch("/a");
    }
    watched.touch("/b");
    watched.pull();
    let batch = watched.pull_after(QUIET);
    assert_eq!(texts(&batch), ["~ /b"], "the rest goes on");
    assert_eq!(batch.diagnostics.len(), 1);
    assert_eq!(
        (batch.diagnostics[0].code, batch.diagnostics[0].path.as_str()),
        ("vfs.unreadable", "/a")
    );
    assert_eq!(watched.feed.told(&path("/a")), Some(ContentHash::of(b"1")));
    watched.touch("/a");
    assert!(watched.told().is_empty());
    fs::remove_file(watched.at("a")).unwrap();
    fs::write(watched.at("a"), b"4").unwrap();
    watched.touch("/a");
    assert_eq!(watched.told(), ["~ /a"]);
}

#[test]
fn names_that_clash_are_told_once() {
    let mut watched = Watched::new(&[("/d/a", "1")]);
    fs::write(watched.at("d/A"), b"2").unwrap();
    watched.touch("/d/A");
    watched.pull();
    let batch = watched.pull_after(QUIET);
    let codes: Vec<_> = batch
        .diagnostics
        .iter()
        .map(|one| (one.code, one.path.as_str()))
        .collect();
    assert_eq!(codes, [("vfs.case_clash", "/d/A")]);
    watched.touch("/d");
    watched.pull();
    assert!(watched.pull_after(QUIET).is_empty());
    assert_eq!(watched.feed.standing().count(), 1);
    // It is over, and begins again.
    watched.vfs.remove(&path("/d/A")).unwrap();
    watched.pull();
    assert_eq!(watched.feed.standing().count(), 0);
    watched.vfs.write(&path("/d/A"), b"3").unwrap();
    assert_eq!(watched.pull().diagnostics.len(), 1);
}

/// What is in a folder tells that the folder is there: nothing says it of the folder itself.
#[test]
fn folders_whose_names_clash_are_told_and_taken_back() {
    let mut watched = Watched::new(&[("/d/rock.texture/a", "1"), ("/d/other/b", "1")]);
    let codes = |batch: &Batch| -> Vec<(&str, String)> {
        let told = batch.diagnostics.iter();
        told.map(|one| (one.code, one.path.to_string())).collect()
    };
    fs::create_dir_all(watched.at("d/Rock.texture/deep")).unwrap();
    fs::write(watched.at("d/Rock.texture/deep/b"), b"2").unwrap();
    watched.touch("/d/Rock.texture");
    watched.pull();
    let batch = watched.pull_after(QUIET);
    assert_eq!(codes(&batch), [("vfs.case_clash", "/d/Rock.texture".to_owned())]);
    // More files of it are no news.
    watched.vfs.write(&path("/d/Rock.texture/c"), b"3").unwrap();
    assert_eq!(codes(&watched.pull()), []);
    assert_eq!(watched.feed.standing().count(), 1);
    watched.vfs.remove_tree(&path("/d/Rock.texture")).unwrap();
    watched.pull();
    assert_eq!(watched.feed.standing().count(), 0);
    // A file and a folder.
    watched.vfs.write(&path("/d/OTHER"), b"4").unwrap();
    assert_eq!(codes(&watched.pull()).len(), 1);
    watched.vfs.remove_tree(&path("/d/other")).unwrap();
    watched.pull();
    assert_eq!(watched.feed.standing().count(), 0);
}

/// One of 400 files in 20 folders is changed: it and its folder are all that is asked for.
#[test]
fn a_change_of_one_file_asks_for_that_file_only() {
    let names: Vec<String> = (0..400).map(|n| format!("/d{}/f{n}", n % 20)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&name[..], "old")).collect();
    let mut watched = Watched::new(&files);
    fs::write(watched.at("d7/f107"), b"new").unwrap();
    watched.touch("/d7/f107");
    assert_eq!(watched.told(), ["~ /d7/f107"]);
    let counts = watched.source.counts();
    assert_eq!((counts.stats, counts.lists, counts.reads), (1, 0, 1));
    let allowed = [path("/d7"), path("/d7/f107")];
    assert!(
        counts.paths.iter().all(|path| allowed.contains(path)),
        "{:?}",
        counts.paths
    );

    // The folder is touched: its files are looked at, and none of the others.
    watched.source.reset();
    watched.touch("/d7");
    assert!(watched.told().is_empty());
    let counts = watched.source.counts();
    assert_eq!(counts.lists, 1);
    assert!(
        counts.paths.iter().all(|one| one.starts_with(&path("/d7"))),
        "{:?}",
        counts.paths
    );
}

/// Where a stamp proves that nothing changed, nothing is read to see it.
#[test]
fn a_second_look_reads_nothing() {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(path("/zero"), memory(&[("/a", "1"), ("/d/b", "2")])))
        .unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    feed.pull(&vfs, Duration::ZERO);
    assert_eq!((feed.stats().reads, feed.stats().bytes), (2, 2));
    feed.touch(&VfsPath::root(), Settling::Whole, Duration::ZERO);
    assert!(feed.pull(&vfs, Duration::ZERO).is_empty());
    assert_eq!(feed.stats().reads, 2);
}

/// Two feeds of one virtual file system each tell everything.
#[test]
fn two_feeds_do_not_take_from_each_other() {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(VfsPath::root(), memory(&[("/a", "1")]))).unwrap();
    let mut feeds = [0; 2].map(|_| Feed::new(&vfs, FeedOptions::default()));
    for feed in &mut feeds {
        assert_eq!(feed.pull(&vfs, Duration::ZERO).changes.len(), 1);
    }
    vfs.write(&path("/a"), b"2").unwrap();
    for feed in &mut feeds {
        assert_eq!(texts(&feed.pull(&vfs, Duration::ZERO)), ["~ /a"]);
    }
}

#[test]
fn a_discarded_play_is_told() {
    let shadow = Arc::new(zero_vfs::PlayShadow::new(memory(&[
        ("/a", "1"),
        ("/b", "2"),
        ("/d/c", "3"),
    ])));
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(path("/zero"), shadow.clone())).unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    let mut pull = |vfs: &Vfs| texts(&feed.pull(vfs, Duration::ZERO));
    pull(&vfs);
    shadow.begin();
    vfs.write(&path("/zero/a"), b"played").unwrap();
    vfs.rename(&path("/zero/d"), &path("/zero/e")).unwrap();
    assert_eq!(pull(&vfs), ["~ /zero/a", "/zero/d/c > /zero/e/c"]);
    shadow.promote(&path("/a")).unwrap();
    assert!(pull(&vfs).is_empty(), "nothing that is seen has changed");
    shadow.discard();
    assert_eq!(pull(&vfs), ["/zero/e/c > /zero/d/c"]);
    // Of equal length and count of writes, in the next play.
    shadow.begin();
    vfs.write(&path("/zero/b"), b"x").unwrap();
    shadow.discard();
    shadow.begin();
    vfs.write(&path("/zero/b"), b"y").unwrap();
    assert_eq!(pull(&vfs), ["~ /zero/b"]);
}
