//! Several sources as one tree: who answers, what is merged, where writes land.

use zero_vfs::{ContentHash, Error, Kind, MemorySource, Mount, Stat, Vfs, VfsPath};

use crate::path;

fn memory(name: &str, files: &[(&str, &str)]) -> MemorySource {
    MemorySource::with_files(name, files.iter().map(|(path, text)| (*path, text.as_bytes()))).unwrap()
}

fn mount(vfs: &mut Vfs, prefix: &str, source: MemorySource, priority: i32) -> zero_vfs::MountId {
    vfs.mount(Mount::new(path(prefix), source).priority(priority)).unwrap()
}

fn text(vfs: &Vfs, file: &str) -> String {
    String::from_utf8(vfs.read(&path(file)).unwrap()).unwrap()
}

fn names(vfs: &Vfs, folder: &str) -> Vec<String> {
    vfs.list(&path(folder))
        .unwrap()
        .entries
        .into_iter()
        .map(|entry| entry.name)
        .collect()
}

/// A read-only library beneath a writable world.
fn world() -> Vfs {
    let mut vfs = Vfs::new();
    let library = memory("library", &[("/lib/a", "library a"), ("/lib/b", "library b")]);
    vfs.mount(Mount::new(path("/zero"), library).read_only().priority(-1))
        .unwrap();
    mount(
        &mut vfs,
        "/zero",
        memory("world", &[("/lib/a", "world a"), ("/mine", "m")]),
        0,
    );
    vfs
}

#[test]
fn the_order_is_priority_then_prefix_then_the_later() {
    let mut vfs = Vfs::new();
    mount(&mut vfs, "/a", memory("first", &[("/f", "first")]), 0);
    assert_eq!(text(&vfs, "/a/f"), "first");
    let later = mount(&mut vfs, "/a", memory("later", &[("/f", "later")]), 0);
    assert_eq!(text(&vfs, "/a/f"), "later");
    mount(&mut vfs, "/", memory("shallow", &[("/a/f", "shallow")]), 0);
    assert_eq!(text(&vfs, "/a/f"), "later");
    mount(&mut vfs, "/", memory("urgent", &[("/a/f", "urgent")]), 1);
    assert_eq!(text(&vfs, "/a/f"), "urgent");
    assert_eq!(vfs.unmount(later).unwrap().source.name(), "later");
    assert!(vfs.unmount(later).is_none());
    let order: Vec<_> = vfs.mounts().map(|mount| mount.source.name()).collect();
    assert_eq!(order, ["urgent", "first", "shallow"]);
}

#[test]
fn folders_are_merged_and_files_hide() {
    let mut vfs = world();
    assert_eq!(text(&vfs, "/zero/lib/a"), "world a");
    assert_eq!(text(&vfs, "/zero/lib/b"), "library b");
    assert_eq!(names(&vfs, "/zero"), ["lib", "mine"]);
    assert_eq!(names(&vfs, "/zero/lib"), ["a", "b"]);
    // A file of an earlier mount hides the folder of a later one, with everything in it.
    mount(&mut vfs, "/zero", memory("blocker", &[("/lib", "a file")]), 5);
    assert_eq!(vfs.stat(&path("/zero/lib")).unwrap(), Some(Stat::file(6)));
    assert_eq!(vfs.stat(&path("/zero/lib/b")).unwrap(), None);
    assert!(matches!(vfs.list(&path("/zero/lib")), Err(Error::NotAFolder { .. })));
    assert_eq!(
        vfs.walk(&path("/")).unwrap().files,
        [path("/zero/lib"), path("/zero/mine")]
    );
}

#[test]
fn prefixes_are_folders() {
    let mut vfs = world();
    mount(&mut vfs, "/deep/er/down", MemorySource::new("empty"), 0);
    assert_eq!(names(&vfs, "/"), ["deep", "zero"]);
    assert_eq!(names(&vfs, "/deep"), ["er"]);
    assert!(names(&vfs, "/deep/er/down").is_empty());
    assert_eq!(vfs.stat(&path("/deep/er")).unwrap().unwrap().kind, Kind::Folder);
    assert!(matches!(vfs.read(&path("/deep")), Err(Error::NotAFile { .. })));
    assert!(matches!(vfs.write(&path("/deep"), b""), Err(Error::NotAFile { .. })));
    assert!(matches!(vfs.remove(&path("/deep/er/down")), Err(Error::Layered { .. })));
    assert!(matches!(
        vfs.write(&path("/elsewhere"), b""),
        Err(Error::NoWritableMount { .. })
    ));
}

#[test]
fn a_write_over_a_library_is_an_override_until_it_is_removed() {
    let vfs = world();
    vfs.write(&path("/zero/lib/b"), b"world b").unwrap();
    assert_eq!(text(&vfs, "/zero/lib/b"), "world b");
    vfs.remove(&path("/zero/lib/b")).unwrap();
    assert_eq!(text(&vfs, "/zero/lib/b"), "library b");
    let error = vfs.remove(&path("/zero/lib/b")).unwrap_err();
    assert!(error.to_string().contains("library"), "{error}");
}

#[test]
fn a_write_that_would_not_be_seen_is_refused() {
    let mut vfs = world();
    let over = memory("over", &[("/lib/a", "over a")]);
    vfs.mount(Mount::new(path("/zero"), over).read_only().priority(9))
        .unwrap();
    let error = vfs.write(&path("/zero/lib/a"), b"unseen").unwrap_err();
    assert!(
        matches!(&error, Error::ReadOnly { source_name, .. } if source_name == "over"),
        "{error:?}"
    );
    vfs.write(&path("/zero/lib/c"), b"seen").unwrap();
    assert_eq!(text(&vfs, "/zero/lib/c"), "seen");
}

#[test]
fn a_read_only_source_cannot_be_mounted_for_writing() {
    let source = zero_vfs::EmbeddedSource::new("embedded", &[]).unwrap();
    let mut wrong = Mount::new(path("/"), source);
    wrong.access = zero_vfs::Access::ReadWrite;
    assert!(matches!(Vfs::new().mount(wrong), Err(Error::ReadOnly { .. })));
}

#[test]
fn renames_stay_in_one_mount_and_folders_in_one_piece() {
    let mut vfs = world();
    mount(&mut vfs, "/other", MemorySource::new("other"), 0);
    vfs.rename(&path("/zero/mine"), &path("/zero/sub/yours")).unwrap();
    assert_eq!(text(&vfs, "/zero/sub/yours"), "m");
    let rename = |from: &str, to: &str| vfs.rename(&path(from), &path(to));
    assert!(matches!(
        rename("/zero/sub", "/other/sub"),
        Err(Error::AcrossMounts { .. })
    ));
    assert!(matches!(rename("/zero/lib", "/zero/lib2"), Err(Error::Layered { .. })));
    assert!(matches!(rename("/zero/lib/b", "/zero/c"), Err(Error::ReadOnly { .. })));
    assert!(matches!(
        rename("/zero/sub", "/zero/lib"),
        Err(Error::AlreadyThere { .. })
    ));
    assert!(matches!(
        rename("/zero/sub", "/zero/sub/in"),
        Err(Error::IntoItself { .. })
    ));
    rename("/zero/sub", "/zero/moved").unwrap();
    assert_eq!(text(&vfs, "/zero/moved/yours"), "m");
}

#[test]
fn a_tree_is_removed_whole_or_not_at_all() {
    let mut vfs = Vfs::new();
    let files = [("/t/a", "1"), ("/t/b/c", "2"), ("/t/b/d/e", "3"), ("/u", "4")];
    mount(&mut vfs, "/", memory("files", &files), 0);
    vfs.remove_tree(&path("/t")).unwrap();
    assert_eq!(vfs.walk(&VfsPath::root()).unwrap().files, [path("/u")]);
    assert!(vfs.walk(&VfsPath::root()).unwrap().folders.is_empty());
    assert!(matches!(vfs.remove_tree(&path("/t")), Err(Error::NotFound { .. })));
    assert!(matches!(
        world().remove_tree(&path("/zero/lib")),
        Err(Error::Layered { .. })
    ));
}

#[test]
fn a_miss_names_the_first_missing_part_and_what_is_near() {
    let mut vfs = Vfs::new();
    mount(
        &mut vfs,
        "/zero/source",
        memory("files", &[("/bark.texture/texture.yaml", "")]),
        0,
    );
    let check = |wrong: &str, expected: &str| {
        for error in [
            vfs.read(&path(wrong)).unwrap_err(),
            vfs.remove(&path(wrong)).unwrap_err(),
        ] {
            assert_eq!(error.to_string(), expected);
        }
    };
    check(
        "/zero/source/Bark.texture/texture.yaml",
        "`/zero/source/Bark.texture/texture.yaml` is not there: `/zero/source` has no `Bark.texture`; \
         did you mean `bark.texture`?",
    );
    check(
        "/zero/source/bark.texture/texture.yml",
        "`/zero/source/bark.texture/texture.yml` is not there: `/zero/source/bark.texture` has no \
         `texture.yml`; did you mean `texture.yaml`?",
    );
    check("/other", "`/other` is not there: `/` has no `other`");
}

#[test]
fn errors_speak_of_the_whole_tree_not_of_the_source() {
    let mut vfs = Vfs::new();
    mount(&mut vfs, "/zero/source", memory("files", &[("/a/b", "12345")]), 0);
    let error = vfs.read_bounded(&path("/zero/source/a/b"), 4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`/zero/source/a/b` has 5 bytes, more than the 4 allowed here"
    );
    let error = vfs.write(&path("/zero/source/a/b/c"), b"").unwrap_err();
    assert_eq!(error.to_string(), "`/zero/source/a/b` is a file, not a folder");
    let error = vfs.remove(&path("/zero/source/a")).unwrap_err();
    assert!(error.to_string().contains("`/zero/source/a` is not empty"), "{error}");
}

#[test]
fn equal_content_has_equal_hashes_wherever_it_lies() {
    let vfs = world();
    vfs.write(&path("/zero/copy"), b"library b").unwrap();
    let hash = vfs.hash(&path("/zero/copy")).unwrap();
    assert_eq!(hash, vfs.hash(&path("/zero/lib/b")).unwrap());
    assert_eq!(hash, ContentHash::of(b"library b"));
    assert_ne!(hash, vfs.hash(&path("/zero/lib/a")).unwrap());
}
