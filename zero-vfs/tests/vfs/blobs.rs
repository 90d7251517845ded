//! The blob store: each content once, and what is referred to is never removed.

use std::sync::Arc;

use zero_vfs::{Access, BlobStore, ContentHash, Error, FolderSource, MemorySource, Source};

use crate::path;
use crate::shadow::Failing;

fn blob_path(hash: &ContentHash) -> zero_vfs::VfsPath {
    let text = hash.to_string();
    path(&format!("/blobs/{}/{}", &text[..2], &text[2..]))
}

#[test]
fn content_is_held_once_and_checked() {
    let store = BlobStore::new(Arc::new(MemorySource::new("blobs"))).unwrap();
    let hash = store.put(b"content").unwrap().hash();
    assert_eq!(hash, ContentHash::of(b"content"));
    assert_eq!(store.get(&hash, 7).unwrap(), b"content");
    assert!(matches!(store.get(&hash, 6), Err(Error::TooLarge { .. })));
    let other = ContentHash::of(b"other");
    assert!(matches!(store.get(&other, 99), Err(Error::NotFound { .. })));
    assert!(!store.has(&other).unwrap() && store.pin(&other).unwrap().is_none());

    // Of the same length, so that only the hash tells.
    store.source().write(&blob_path(&hash), b"CONTENT").unwrap();
    assert!(matches!(store.get(&hash, 99), Err(Error::DamagedBlob { .. })));
    store.put(b"content").unwrap();
    assert_eq!(store.get(&hash, 99).unwrap(), b"content", "putting it anew mends it");
}

#[test]
fn a_read_only_source_is_no_store() {
    let source = zero_vfs::EmbeddedSource::new("embedded", &[]).unwrap();
    assert!(matches!(BlobStore::new(source), Err(Error::ReadOnly { .. })));
}

#[test]
fn what_is_referred_to_or_pinned_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let open = || BlobStore::new(FolderSource::open(folder.path(), Access::ReadWrite).unwrap()).unwrap();
    let store = open();
    let blobs: Vec<ContentHash> = (0..20u8).map(|n| store.put(&[n; 9]).unwrap().hash()).collect();
    store.set_references("even", blobs.iter().copied().step_by(2)).unwrap();
    store.set_references("first", [blobs[0], blobs[1]]).unwrap();
    let pin = store.pin(&blobs[3]).unwrap().unwrap();
    let again = store.put(&[3; 9]).unwrap();
    let collected = store.collect().unwrap();
    assert_eq!((collected.removed, collected.kept), (8, 12));
    let left = |store: &BlobStore<FolderSource>| blobs.iter().filter(|hash| store.get(hash, 9).is_ok()).count();
    assert_eq!(left(&store), 12);
    drop(pin);
    assert_eq!(store.collect().unwrap().removed, 0, "the second pin holds it");
    drop(again);
    assert_eq!(store.collect().unwrap().removed, 1);

    // The lists outlive the program, pins do not.
    let store = open();
    assert_eq!(store.reference_lists().unwrap(), ["even", "first"]);
    assert_eq!(store.references("first").unwrap().len(), 2);
    assert_eq!(store.collect().unwrap().removed, 0);
    store.remove_references("even").unwrap();
    store.remove_references("even").unwrap();
    assert_eq!(store.collect().unwrap().removed, 9);
    assert_eq!(left(&store), 2);
}

#[test]
fn a_list_names_only_what_is_there() {
    let store = BlobStore::new(MemorySource::new("blobs")).unwrap();
    let there = store.put(b"1").unwrap();
    store.set_references("a", [there.hash()]).unwrap();
    let missing = store.set_references("a", [there.hash(), ContentHash::of(b"2")]);
    assert!(matches!(missing, Err(Error::NotFound { .. })));
    assert_eq!(store.references("a").unwrap().len(), 1, "the list is as it was");
    assert!(store.references("b").unwrap().is_empty());
}

#[test]
fn a_list_that_cannot_be_read_stops_all_collection() {
    let store = BlobStore::new(Arc::new(MemorySource::new("blobs"))).unwrap();
    let hash = store.put(b"1").unwrap().hash();
    store.set_references("good", [hash]).unwrap();
    let loose = store.put(b"2").unwrap().hash();
    store
        .source()
        .write(&path("/references/bad"), b"zero-blobs 1\nhalf a li")
        .unwrap();
    let error = store.collect().unwrap_err();
    assert!(matches!(error, Error::References { .. }), "{error}");
    assert!(store.has(&loose).unwrap(), "nothing was removed");
    store.remove_references("bad").unwrap();
    assert_eq!(store.collect().unwrap().removed, 1);
}

/// Stops at each single change of the store in turn, as a program that is killed: whatever a list names is there.
#[test]
fn wherever_it_stops_what_lists_name_is_there() {
    for stops_at in 0.. {
        let memory = Arc::new(MemorySource::new("blobs"));
        let source = Arc::new(Failing::new(memory.clone()));
        source.fail_at(stops_at);
        let finished = work(&BlobStore::new(source).unwrap()).is_ok();
        // The next program, over what the first left.
        let store = BlobStore::new(memory).unwrap();
        let check = |when: &str| {
            for name in store.reference_lists().unwrap() {
                for hash in store.references(&name).unwrap() {
                    assert!(
                        store.get(&hash, 99).is_ok(),
                        "{when}, stopped at change {stops_at}: {name}"
                    );
                }
            }
        };
        check("after the stop");
        store.collect().unwrap();
        check("after a collection");
        if finished {
            assert!(stops_at > 15, "the work is more than {stops_at} changes");
            return;
        }
    }
}

fn work(store: &BlobStore<impl Source>) -> zero_vfs::Result<()> {
    for generation in 0..3u8 {
        let pins: Vec<_> = (0..4)
            .map(|n| store.put(&[generation * 2 + n; 9]))
            .collect::<zero_vfs::Result<_>>()?;
        store.set_references("world", pins.iter().map(|pin| pin.hash()))?;
        drop(pins);
        store.collect()?;
    }
    store.remove_references("world")?;
    store.collect().map(drop)
}

/// Collections beside threads that put and refer: nothing that is held is ever missing.
#[test]
fn a_collection_beside_writers_takes_nothing_that_is_held() {
    let store = BlobStore::new(MemorySource::new("blobs")).unwrap();
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2u8)
            .map(|writer| {
                let store = &store;
                scope.spawn(move || {
                    for n in 0..300u16 {
                        // The same few contents from both, put and let go over and over.
                        let content = (n % 5).to_le_bytes();
                        let pin = store.put(&content).unwrap();
                        assert_eq!(store.get(&pin.hash(), 9).unwrap(), content);
                        store.set_references(&format!("{writer}"), [pin.hash()]).unwrap();
                        drop(pin);
                        for hash in store.references(&format!("{writer}")).unwrap() {
                            assert!(store.has(&hash).unwrap());
                        }
                    }
                })
            })
            .collect();
        while !writers.iter().all(|writer| writer.is_finished()) {
            store.collect().unwrap();
        }
    });
}
