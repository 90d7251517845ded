//! Whole trees: written, copied, staged out of sight; and numbers, hashes and names that clash.

use std::fs;

use zero_vfs::{Access, ContentHash, Error, FolderSource, MemorySource, Mount, Source, Vfs, VfsPath, WriteOptions};

use crate::path;

fn memory(name: &str, files: &[(&str, &str)]) -> MemorySource {
    MemorySource::with_files(name, files.iter().map(|(path, text)| (*path, text.as_bytes()))).unwrap()
}

fn text(vfs: &Vfs, file: &str) -> String {
    String::from_utf8(vfs.read(&path(file)).unwrap()).unwrap()
}

#[test]
fn a_tree_is_copied_across_mounts_and_layers() {
    let folder = tempfile::tempdir().unwrap();
    let mut vfs = Vfs::new();
    let library = memory("library", &[("/t/a", "library a"), ("/t/b/c", "library c")]);
    vfs.mount(Mount::new(path("/from"), library).read_only().priority(-1))
        .unwrap();
    vfs.mount(Mount::new(path("/from"), memory("world", &[("/t/a", "world a")])))
        .unwrap();
    let disk = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
    vfs.mount(Mount::new(path("/to"), disk)).unwrap();

    vfs.copy(&path("/from/t"), &path("/to/x/copy")).unwrap();
    assert_eq!(text(&vfs, "/to/x/copy/a"), "world a");
    assert_eq!(text(&vfs, "/to/x/copy/b/c"), "library c");
    vfs.copy(&path("/from/t/a"), &path("/to/one")).unwrap();
    assert_eq!(text(&vfs, "/to/one"), "world a");
    assert_eq!(vfs.walk(&path("/to")).unwrap().files.len(), 3);

    let copy = |from: &str, to: &str| vfs.copy(&path(from), &path(to));
    assert!(matches!(copy("/none", "/to/n"), Err(Error::NotFound { .. })));
    assert!(matches!(copy("/from/t", "/to/one"), Err(Error::AlreadyThere { .. })));
    assert!(matches!(copy("/to/x", "/to/x/y/z"), Err(Error::IntoItself { .. })));
    assert!(matches!(
        copy("/from/t", "/elsewhere"),
        Err(Error::NoWritableMount { .. })
    ));
    assert!(matches!(
        copy("/from/t", "/to/one/below"),
        Err(Error::NotAFolder { .. })
    ));
}

/// Fails at the last file: what was staged is gone, on disk too, and so are the folders on the way.
#[test]
fn a_tree_that_fails_leaves_nothing_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let source = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
    let mut seen = 0;
    let files = (0..5).map(|n| {
        // While it is written it lies on disk, where no listing shows it.
        seen = fs::read_dir(folder.path().join("x")).map_or(0, |names| names.count());
        assert!(
            source
                .list(&path("/"))
                .unwrap()
                .entries
                .iter()
                .all(|entry| entry.name == "x")
        );
        match n {
            4 => Err(zero_vfs::not_found(&path("/gone"))),
            n => Ok((path(&format!("/f{n}/file")), vec![n])),
        }
    });
    let failed = source.write_tree(&path("/x/tree"), &mut files.into_iter(), Default::default());
    assert!(matches!(failed, Err(Error::NotFound { .. })));
    assert_eq!(seen, 1, "the tree was staged in the folder that it goes to");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_staged_tree_that_a_stopped_program_left_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let staged = folder.path().join("a/.zero-tmp-0000002a-0000000000000007");
    fs::create_dir_all(staged.join("deep")).unwrap();
    fs::write(staged.join("deep/file"), b"half").unwrap();
    let read_only = FolderSource::open(folder.path(), Access::ReadOnly).unwrap();
    assert!(read_only.list(&path("/a")).unwrap().entries.is_empty());
    let source = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
    assert_eq!((source.swept().removed, source.swept().failed.len()), (1, 0));
    assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 0);
}

/// A sweep of another program beside a writer of trees: each tree is there whole or not at all.
#[test]
fn trees_written_beside_a_sweep_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let source = FolderSource::open(folder.path(), Access::ReadWrite).unwrap();
    std::thread::scope(|scope| {
        let sweeper = scope.spawn(|| (0..300).for_each(|_| drop(FolderSource::open(folder.path(), Access::ReadWrite))));
        for n in 0.. {
            let files = (0..6).map(|n| Ok((path(&format!("/{n}")), vec![n; 100])));
            let tree = path(&format!("/{n}"));
            let written = source.write_tree(&tree, &mut files.into_iter(), Default::default());
            let names = source.list(&tree).map(|listing| listing.entries.len());
            match written {
                Ok(()) => assert_eq!(names.unwrap(), 6),
                // Where a writer can say that it lives, no sweep disturbs it.
                Err(error) if cfg!(unix) => panic!("{error}"),
                Err(_) => assert!(matches!(names, Err(Error::NotFound { .. }))),
            }
            if sweeper.is_finished() {
                break;
            }
        }
    });
}

#[test]
fn a_path_has_one_number() {
    let mut vfs = Vfs::new();
    let (a, b) = (vfs.file_id(&path("/a")), vfs.file_id(&path("/b")));
    assert_ne!(a, b);
    vfs.mount(Mount::new(VfsPath::root(), memory("files", &[("/a", "1")])))
        .unwrap();
    vfs.remove(&path("/a")).unwrap();
    assert_eq!(vfs.file_id(&path("/a")), a);
    assert_eq!(vfs.path_of(b), Some(path("/b")));
    assert_eq!((a.index(), b.index()), (0, 1));
}

#[test]
fn names_that_clash_and_cannot_be_reached_are_told() {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(
        VfsPath::root(),
        memory("a", &[("/x/Readme.md", ""), ("/x/y/z", "")]),
    ))
    .unwrap();
    vfs.mount(Mount::new(
        VfsPath::root(),
        memory("b", &[("/x/README.md", ""), ("/X/q", "")]),
    ))
    .unwrap();
    let told: Vec<String> = vfs
        .check(&VfsPath::root())
        .unwrap()
        .iter()
        .map(|d| format!("{} {}", d.code, d.path))
        .collect();
    assert_eq!(told, ["vfs.case_clash /X", "vfs.case_clash /x/README.md"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_no_path_reaches_is_a_diagnostic() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/c:"), b"").unwrap();
    let mut vfs = Vfs::new();
    let source = FolderSource::open(folder.path(), Access::ReadOnly).unwrap();
    vfs.mount(Mount::new(path("/zero"), source)).unwrap();
    let found = vfs.check(&VfsPath::root()).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].code, found[0].path.as_str()),
        ("vfs.unreachable", "/zero/sub")
    );
    assert!(vfs.copy(&path("/zero/sub"), &path("/other")).is_err());
}

#[test]
fn a_hash_is_kept_until_the_file_changes() {
    use zero_vfs::counting::CountingSource;
    let source = std::sync::Arc::new(CountingSource::new(memory("files", &[("/a", "1"), ("/b", "2")])));
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(path("/zero"), source.clone())).unwrap();
    let hash = |file: &str| vfs.hash(&path(file)).unwrap();
    assert_eq!(hash("/zero/a"), ContentHash::of(b"1"));
    assert_eq!(source.counts().reads, 1);
    assert_eq!(hash("/zero/a"), ContentHash::of(b"1"));
    assert_eq!(source.counts().reads, 1, "an unchanged file is not read again");
    vfs.write(&path("/zero/a"), b"9").unwrap();
    assert_eq!(hash("/zero/a"), ContentHash::of(b"9"));
    assert_eq!(source.counts().reads, 2);
    // What happens past the virtual file system counts as well.
    source.write(&path("/a"), b"8").unwrap();
    assert_eq!(hash("/zero/a"), ContentHash::of(b"8"));
    vfs.remove(&path("/zero/a")).unwrap();
    assert!(matches!(vfs.hash(&path("/zero/a")), Err(Error::NotFound { .. })));
    vfs.rename(&path("/zero/b"), &path("/zero/a")).unwrap();
    assert_eq!(hash("/zero/a"), ContentHash::of(b"2"));
    assert!(matches!(vfs.hash(&path("/zero")), Err(Error::NotAFile { .. })));
}

/// A file on disk of the same length, written within one tick of the clock, is told apart all the same.
#[test]
fn a_hash_of_a_file_on_disk_is_never_stale() {
    let folder = tempfile::tempdir().unwrap();
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(
        VfsPath::root(),
        FolderSource::open(folder.path(), Access::ReadOnly).unwrap(),
    ))
    .unwrap();
    for n in 0..300u32 {
        fs::write(folder.path().join("file"), n.to_le_bytes()).unwrap();
        assert_eq!(vfs.hash(&path("/file")).unwrap(), ContentHash::of(&n.to_le_bytes()));
    }
}

#[test]
fn content_is_read_only_if_it_is_still_the_one_that_was_told() {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(VfsPath::root(), memory("files", &[("/a", "1")])))
        .unwrap();
    let told = vfs.hash(&path("/a")).unwrap();
    assert_eq!(vfs.read_if(&path("/a"), told).unwrap(), Some(b"1".to_vec()));
    vfs.write_with(&path("/a"), b"2", &WriteOptions::default().seeded())
        .unwrap();
    assert_eq!(vfs.read_if(&path("/a"), told).unwrap(), None);
    vfs.remove(&path("/a")).unwrap();
    assert_eq!(vfs.read_if(&path("/a"), told).unwrap(), None);
}
