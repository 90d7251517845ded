//! Unsaved edits over the files.

use std::sync::Arc;
use std::time::Duration;

use zero_vfs::{Error, Feed, FeedOptions, MemorySource, Mount, UnsavedBuffers, Vfs, WriteOptions};

use crate::path;

#[test]
fn edits_are_seen_guarded_and_saved() {
    let mut vfs = Vfs::new();
    let files = MemorySource::with_files("world", [("/a/main", &b"saved"[..]), ("/b", b"b")]).unwrap();
    vfs.mount(Mount::new(path("/zero"), files)).unwrap();
    let buffers = Arc::new(UnsavedBuffers::new("the editor"));
    let id = vfs
        .mount(Mount::new(path("/zero"), buffers.clone()).priority(9))
        .unwrap();
    let (file, inner) = (path("/zero/a/main"), path("/a/main"));
    buffers.set(&inner, b"typed").unwrap();
    buffers.set(&path("/a/new"), b"untitled").unwrap();
    assert_eq!(vfs.read(&file).unwrap(), b"typed");
    assert_eq!(vfs.list(&path("/zero/a")).unwrap().entries.len(), 2);

    for refused in [
        vfs.write(&file, b"over"),
        vfs.remove(&file),
        vfs.rename(&file, &path("/zero/c")),
    ] {
        assert!(
            matches!(&refused, Err(Error::ReadOnly { source_name, .. }) if source_name == "the editor"),
            "{refused:?}"
        );
    }
    vfs.write(&path("/zero/b"), b"others go on").unwrap();

    let options = WriteOptions::default();
    buffers.save(&vfs, id, &inner, &options).unwrap();
    assert_eq!(buffers.paths(), [path("/a/new")]);
    assert_eq!(vfs.read(&file).unwrap(), b"typed");
    assert!(matches!(
        buffers.save(&vfs, id, &inner, &options),
        Err(Error::NotFound { .. })
    ));

    assert_eq!(buffers.discard(&path("/a/new")), Some(b"untitled".to_vec()));
    assert_eq!(buffers.discard(&path("/a/new")), None);
    assert!(buffers.is_empty() && vfs.stat(&path("/zero/a/new")).unwrap().is_none());
    vfs.write(&file, b"over").unwrap();
    assert_eq!(vfs.read(&file).unwrap(), b"over");
}

#[test]
fn a_save_that_fails_keeps_the_edits() {
    let mut vfs = Vfs::new();
    let buffers = Arc::new(UnsavedBuffers::new("the editor"));
    let id = vfs.mount(Mount::new(path("/"), buffers.clone())).unwrap();
    buffers.set(&path("/a"), b"typed").unwrap();
    let failed = buffers.save(&vfs, id, &path("/a"), &WriteOptions::default());
    assert!(matches!(failed, Err(Error::NoWritableMount { .. })), "{failed:?}");
    assert_eq!(vfs.read(&path("/a")).unwrap(), b"typed");
}

/// Typing is a change; saving what was typed is none, as nothing that is seen changes.
#[test]
fn the_feed_follows_what_is_typed() {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(
        path("/"),
        MemorySource::with_files("world", [("/a", &b"1"[..])]).unwrap(),
    ))
    .unwrap();
    let buffers = Arc::new(UnsavedBuffers::new("the editor"));
    let id = vfs.mount(Mount::new(path("/"), buffers.clone()).priority(9)).unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    let mut pull = |vfs: &Vfs| feed.pull(vfs, Duration::ZERO).changes.len();
    assert_eq!(pull(&vfs), 1);
    buffers.set(&path("/a"), b"2").unwrap();
    assert_eq!(pull(&vfs), 1);
    buffers.save(&vfs, id, &path("/a"), &WriteOptions::default()).unwrap();
    assert_eq!(pull(&vfs), 0);
    buffers.set(&path("/a"), b"3").unwrap();
    assert_eq!(pull(&vfs), 1);
    buffers.discard(&path("/a")).unwrap();
    assert_eq!(pull(&vfs), 1);
}
