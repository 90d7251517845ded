//! What happens in one step or not at all, whoever else is at it: trees that are removed, names that come free.

use std::fs;

use zero_vfs::{
    Access, Arrival, ChangeKind, Durability, Error, Feed, FeedOptions, FolderOptions, FolderSource, Kind, Listing,
    MemorySource, Mount, RenameOptions, Result, Source, Stat, Sweep, TreeFiles, Vfs, VfsPath, Why,
};

use crate::path;

fn open(folder: &tempfile::TempDir) -> FolderSource {
    FolderSource::open(folder.path(), Access::ReadWrite).unwrap()
}

/// A folder goes in one step: what cannot be taken out of it is out of sight, and goes with the next opening.
#[test]
fn a_folder_is_removed_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let source = open(&folder);
    for file in ["/a/.refs", "/a/one", "/a/deep/two"] {
        source.write(&path(file), b"1").unwrap();
    }
    // Another program holds a name in it that no path can reach: the vfs refuses, and nothing is gone.
    #[cfg(unix)]
    {
        fs::write(folder.path().join("a/deep/c:"), b"").unwrap();
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(path("/zero"), open(&folder))).unwrap();
        assert!(matches!(
            vfs.remove_tree(&path("/zero/a")),
            Err(Error::HoldsUnreachable { .. })
        ));
        assert!(folder.path().join("a/one").exists());
        fs::remove_file(folder.path().join("a/deep/c:")).unwrap();
    }
    source.remove_tree(&path("/a")).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Two programs that move two files to one free name: one does, and no file is lost.
#[test]
fn of_two_that_move_to_one_free_name_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (open(&folder), open(&folder));
    for round in 0..200 {
        one.write(&path("/a"), b"a").unwrap();
        one.write(&path("/b"), b"b").unwrap();
        let to = path(&format!("/to{round}"));
        let (first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(|| one.rename(&path("/a"), &to));
            let second = other.rename(&path("/b"), &to);
            (first.join().unwrap(), second)
        });
        let (lost, kept) = match (first, second) {
            (Ok(()), Err(lost)) => (lost, "/b"),
            (Err(lost), Ok(())) => (lost, "/a"),
            both => panic!("round {round}: {both:?}"),
        };
        assert!(matches!(lost, Error::AlreadyThere { .. }), "{lost}");
        assert_eq!(one.read(&path(kept), 9).unwrap(), &kept.as_bytes()[1..]);
        one.remove(&path(kept)).unwrap();
    }
}

#[test]
fn a_tree_that_comes_where_something_stands_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (open(&folder), open(&folder));
    let files = (0..2).map(|number| {
        if number == 1 {
            other.write(&path("/tree/mine"), b"mine").unwrap();
        }
        Ok((path(&format!("/{number}")), vec![number]))
    });
    let error = one
        .write_tree(&path("/tree"), &mut files.into_iter(), Durability::Ordinary)
        .unwrap_err();
    assert!(matches!(error, Error::AlreadyThere { .. }), "{error}");
    assert_eq!(one.read(&path("/tree/mine"), 9).unwrap(), b"mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Another program opens the folder while a tree is on its way in, and then while nobody writes it any more.
#[test]
#[cfg(unix)]
fn a_sweep_leaves_alone_what_is_being_written() {
    let folder = tempfile::tempdir().unwrap();
    let source = open(&folder);
    let left = || fs::read_dir(folder.path()).unwrap().count();
    let files = (0..3).map(|number| {
        if number > 0 {
            let swept = open(&folder).swept().removed;
            assert_eq!((swept, left()), (0, 1), "it is on its way in");
        }
        Ok((path(&format!("/{number}")), vec![number]))
    });
    source
        .write_tree(&path("/tree"), &mut files.into_iter(), Durability::Ordinary)
        .unwrap();
    assert_eq!(source.list(&path("/tree")).unwrap().entries.len(), 3);
    // One that its writer left: nobody holds it.
    fs::create_dir(folder.path().join(".zero-tmp-00000001-0000000000000001")).unwrap();
    let options = FolderOptions::new(Access::ReadWrite).sweep(Sweep::Folder);
    assert_eq!(FolderSource::open_with(&folder, &options).unwrap().swept().removed, 1);
    assert_eq!(left(), 1);
}

/// A source with a folder that cannot be listed.
#[derive(Debug)]
struct Closed(MemorySource);

impl Source for Closed {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn is_writable(&self) -> bool {
        true
    }
    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        self.0.stat(path)
    }
    fn list(&self, folder: &VfsPath) -> Result<Listing> {
        if folder.name() == Some("secret") {
            return Err(Error::Io {
                action: "list",
                path: folder.clone(),
                source: std::io::ErrorKind::PermissionDenied.into(),
            });
        }
        self.0.list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        self.0.read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.0.write(path, bytes)
    }
    fn remove(&self, path: &VfsPath) -> Result<()> {
        self.0.remove(path)
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.0.rename(from, to)
    }
    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, how: Durability) -> Result<()> {
        self.0.write_tree(to, files, how)
    }
}

#[test]
fn a_folder_that_cannot_be_listed_keeps_nothing_else_out_of_a_walk() {
    let long = format!("/{}", vec!["a".repeat(200); 20].join("/"));
    let files = [
        ("/a/one", &b"1"[..]),
        ("/a/secret/two", b"2"),
        ("/z", b"3"),
        (&long, b"4"),
    ];
    let mut vfs = Vfs::new();
    let source = Closed(MemorySource::with_files("mine", files).unwrap());
    vfs.mount(Mount::new(path(&format!("/{}", "b".repeat(200))), source))
        .unwrap();
    let top = path(&format!("/{}", "b".repeat(200)));
    let walk = vfs.walk(&VfsPath::root()).unwrap();
    let files: Vec<&str> = walk.files.iter().filter_map(VfsPath::name).collect();
    assert_eq!(files, ["one", "z"]);
    let why: Vec<Why> = walk.unreachable.iter().map(|(_, held)| held.why).collect();
    assert_eq!(walk.unreachable.len(), 2, "{:?}", walk.unreachable);
    assert_eq!(walk.unreachable[0].0, top.join("a").unwrap());
    assert_eq!(why[0], Why::Unreadable(std::io::ErrorKind::PermissionDenied));
    assert!(matches!(why[1], Why::Name(_)));
    let told = vfs.check(&VfsPath::root()).unwrap();
    assert!(
        told[0]
            .to_string()
            .contains("\"secret\", which no path can reach: a folder that cannot be listed"),
        "{told:?}"
    );
    // It is neither removed nor copied without what is in it.
    let a = top.join("a").unwrap();
    assert!(matches!(vfs.remove_tree(&a), Err(Error::HoldsUnreachable { .. })));
    assert!(matches!(
        vfs.copy(&a, &top.join("b").unwrap()),
        Err(Error::HoldsUnreachable { .. })
    ));
    assert!(
        vfs.list(&a.join("secret").unwrap()).is_err(),
        "asked for itself, it is an error"
    );
    assert_eq!(
        vfs.stat(&a.join("one").unwrap()).unwrap().map(|stat| stat.kind),
        Some(Kind::File)
    );
}

#[test]
fn what_is_moved_into_place_says_how_it_came() {
    let mut vfs = Vfs::new();
    let files = [("/new/a", &b"1"[..]), ("/old/a", b"0")];
    vfs.mount(Mount::new(
        VfsPath::root(),
        MemorySource::with_files("mine", files).unwrap(),
    ))
    .unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    feed.pull(&vfs, Default::default());
    let seeded = RenameOptions::default().seeded();
    assert_eq!(seeded.arrival, Arrival::Seeded);
    // Written and moved since the last look, so that nobody knew it where it was.
    vfs.write(&path("/beside/a"), b"2").unwrap();
    vfs.rename_with(&path("/old"), &path("/gone"), &seeded).unwrap();
    vfs.rename_with(&path("/beside"), &path("/old"), &seeded).unwrap();
    vfs.rename_with(&path("/new"), &path("/newer"), &seeded).unwrap();
    let batch = feed.pull(&vfs, Default::default());
    let kind = |at: &str| {
        batch
            .changes
            .iter()
            .find(|change| change.path == path(at))
            .map(|change| change.kind.clone())
    };
    assert_eq!(kind("/old/a"), Some(ChangeKind::Seeded));
    assert_eq!(kind("/newer/a"), Some(ChangeKind::Renamed { from: path("/new/a") }));
    assert_eq!(kind("/gone/a"), Some(ChangeKind::Seeded));
}
