//! A folder on disk: links, hostile names, left-over temporaries, files written whole.

use std::fs;
use std::path::Path;

use zero_vfs::{Access, Error, FolderOptions, FolderSource, Mount, PathProblem, Source, Sweep, Vfs, VfsPath, Why};

use crate::path;

fn open(folder: &Path) -> FolderSource {
    FolderSource::open(folder, Access::ReadWrite).unwrap()
}

#[test]
fn what_is_no_folder_cannot_be_mounted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    for wrong in [&file, &folder.path().join("missing")] {
        let error = FolderSource::open(wrong, Access::ReadOnly).unwrap_err();
        assert!(matches!(error, Error::Mount { .. }), "{error:?}");
        assert!(error.to_string().contains(&wrong.display().to_string()), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_folder_are_refused_by_name() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), b"secret").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("inside"), b"inside").unwrap();
    fs::create_dir(at("real")).unwrap();
    symlink(outside.path().join("secret"), at("out")).unwrap();
    symlink(outside.path(), at("out_folder")).unwrap();
    symlink("/etc/..", at("root")).unwrap();
    symlink("missing", at("dangling")).unwrap();
    symlink(".", at("real/loop")).unwrap();
    symlink("inside", at("alias")).unwrap();

    let source = open(folder.path());
    for refused in ["/out", "/dangling"] {
        assert!(
            matches!(source.stat(&path(refused)), Err(Error::Link { .. })),
            "{refused}"
        );
        assert!(
            matches!(source.read(&path(refused), 99), Err(Error::Link { .. })),
            "{refused}"
        );
        assert!(
            matches!(source.write(&path(refused), b"x"), Err(Error::Link { .. })),
            "{refused}"
        );
    }
    for refused in ["/out_folder/secret", "/root/etc/passwd", "/real/loop/loop"] {
        assert!(
            matches!(source.read(&path(refused), 99), Err(Error::Link { .. })),
            "{refused}"
        );
        assert!(
            matches!(source.write(&path(refused), b"x"), Err(Error::Link { .. })),
            "{refused}"
        );
    }
    assert_eq!(fs::read(outside.path().join("secret")).unwrap(), b"secret");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);

    // A link to a file inside is that file, and stays a link when it is written.
    source.write(&path("/alias"), b"through").unwrap();
    assert_eq!(fs::read(at("inside")).unwrap(), b"through");
    assert!(at("alias").symlink_metadata().unwrap().is_symlink());
    source.remove(&path("/alias")).unwrap();
    assert_eq!(source.read(&path("/inside"), 99).unwrap(), b"through");

    let listing = source.list(&VfsPath::root()).unwrap();
    let names: Vec<_> = listing.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["inside", "real"]);
    let told: Vec<_> = listing.unreachable.iter().map(|held| held.name.as_str()).collect();
    assert_eq!(told, ["dangling", "out", "out_folder", "root"]);
    assert!(listing.unreachable.iter().all(|held| matches!(held.why, Why::Link(_))));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_no_path_reaches_are_told() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let names: [&[u8]; 5] = [b"back\\slash", b"c:", b"not\xffutf8", "cafe\u{301}".as_bytes(), b"fine"];
    for name in names {
        fs::write(folder.path().join(OsStr::from_bytes(name)), b"").unwrap();
    }
    let listing = open(folder.path()).list(&VfsPath::root()).unwrap();
    assert_eq!(listing.entries.len(), 1);
    let whys: Vec<_> = listing.unreachable.iter().map(|held| held.why).collect();
    let encoding = Why::Name(PathProblem::Encoding);
    assert_eq!(
        whys,
        [
            Why::Name(PathProblem::Character { character: '\\' }),
            Why::Name(PathProblem::Character { character: ':' }),
            encoding,
            encoding
        ]
    );

    // Removing the tree would lose them unseen: it is refused before anything is removed.
    let mut vfs = Vfs::new();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/kept"), b"").unwrap();
    fs::write(folder.path().join("sub/c:"), b"").unwrap();
    vfs.mount(Mount::new(path("/"), open(folder.path()))).unwrap();
    let error = vfs.remove_tree(&path("/sub")).unwrap_err();
    assert!(matches!(error, Error::HoldsUnreachable { .. }), "{error:?}");
    assert!(vfs.stat(&path("/sub/kept")).unwrap().is_some());
}

#[test]
fn left_over_temporaries_are_unseen_and_swept_on_opening() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("a/b")).unwrap();
    let temporaries = [
        ".zero-tmp-0000002a-0000000000000000",
        "a/b/.zero-tmp-ffffffff-00000000000000ff",
    ];
    for name in temporaries {
        fs::write(folder.path().join(name), b"half").unwrap();
    }
    fs::write(folder.path().join("a/.zero-tmp-notes"), b"a person's own file").unwrap();

    let read_only = FolderSource::open(folder.path(), Access::ReadOnly).unwrap();
    assert_eq!(read_only.swept().removed, 0);
    assert!(
        read_only
            .list(&VfsPath::root())
            .unwrap()
            .entries
            .iter()
            .all(|entry| entry.name == "a")
    );
    assert!(folder.path().join(temporaries[0]).exists());

    let source = open(folder.path());
    assert_eq!((source.swept().removed, source.swept().failed.len()), (2, 0));
    assert!(temporaries.iter().all(|name| !folder.path().join(name).exists()));
    assert!(folder.path().join("a/.zero-tmp-notes").exists());
}

#[test]
fn a_folder_is_swept_by_itself_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("theirs")).unwrap();
    let (here, below) = (
        ".zero-tmp-0000002a-0000000000000000",
        "theirs/.zero-tmp-0000002a-0000000000000001",
    );
    for name in [here, below] {
        fs::write(folder.path().join(name), b"half").unwrap();
    }
    let options = FolderOptions::new(Access::ReadWrite).sweep(Sweep::Folder);
    let source = FolderSource::open_with(folder.path(), &options).unwrap();
    assert_eq!((source.swept().removed, source.swept().failed.len()), (1, 0));
    assert!(!folder.path().join(here).exists() && folder.path().join(below).exists());
    source.write(&path("/file"), b"written").unwrap();
    assert_eq!(fs::read(folder.path().join("file")).unwrap(), b"written");

    let default = FolderSource::open_with(folder.path(), &FolderOptions::default()).unwrap();
    assert!(!default.is_writable() && default.swept().removed == 0);
}

#[cfg(unix)]
#[test]
fn a_write_that_fails_leaves_no_temporary_and_keeps_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let source = open(folder.path());
    source.write(&path("/run"), b"old").unwrap();
    let on_disk = folder.path().join("run");
    fs::set_permissions(&on_disk, fs::Permissions::from_mode(0o750)).unwrap();
    source.write(&path("/run"), b"new").unwrap();
    assert_eq!(fs::metadata(&on_disk).unwrap().permissions().mode() & 0o777, 0o750);

    source.write(&path("/a/file"), b"").unwrap();
    assert!(matches!(source.write(&path("/a"), b"x"), Err(Error::NotAFile { .. })));
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// Two sources over one folder, as two programs would have: the second one's opening sweeps what the first
/// is just writing. A write may fail for it, but what stands is whole, and is the last write that succeeded.
#[test]
fn two_writers_of_one_folder_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let source = open(folder.path());
    let content = |n: u32| n.to_le_bytes().repeat(1000);
    source.write(&path("/file"), &content(0)).unwrap();
    let mut standing = 0;
    std::thread::scope(|scope| {
        let sweeper = scope.spawn(|| (0..200).for_each(|_| drop(open(folder.path()))));
        for n in 1.. {
            if source.write(&path("/file"), &content(n)).is_ok() {
                standing = n;
            }
            assert!(
                source.read(&path("/file"), u64::MAX).unwrap() == content(standing),
                "after write {n}"
            );
            if sweeper.is_finished() {
                break;
            }
        }
    });
    source.write(&path("/file"), &content(standing + 1)).unwrap();
    assert!(source.read(&path("/file"), u64::MAX).unwrap() == content(standing + 1));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary is left");
}
