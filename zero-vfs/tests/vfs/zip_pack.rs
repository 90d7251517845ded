//! Zip archives that are written here.

use std::io::{Cursor, Read};

use proptest::prelude::*;
use zero_vfs::{ArchiveProblem, Error, Source, VfsPath, ZipSource, pack_zip};

use crate::path;

fn files() -> impl Strategy<Value = Vec<(VfsPath, Vec<u8>)>> {
    // First letters that keep names apart from those of devices, which no path has, and files apart from folders.
    let name = prop_oneof!["f[a-z]{0,7}", "[äé木]{1,3}", "d[a-z]{2}/x[a-z]{0,3}\\.txt"];
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..300),
        (any::<u8>(), 0usize..5000).prop_map(|(byte, len)| vec![byte; len]),
    ];
    let files = prop::collection::btree_map(name, bytes, 0..20);
    files.prop_map(|files| {
        let files = files.into_iter();
        files.map(|(name, bytes)| (path(&format!("/{name}")), bytes)).collect()
    })
}

proptest! {
    /// What is packed is read back, here and by another's reader; and in whatever order it comes, it is the same bytes.
    #[test]
    fn what_is_packed_is_read_back(files in files()) {
        let packed = pack_zip("test", files.clone()).unwrap();
        let reversed: Vec<_> = files.iter().rev().cloned().collect();
        prop_assert_eq!(&pack_zip("test", reversed).unwrap(), &packed);

        let mut other = zip::ZipArchive::new(Cursor::new(packed.clone())).unwrap();
        prop_assert_eq!(other.len(), files.len());
        for (path, bytes) in &files {
            let mut entry = other.by_name(&path.as_str()[1..]).unwrap();
            let mut read = Vec::new();
            entry.read_to_end(&mut read).unwrap();
            prop_assert_eq!(&read, bytes);
        }
        let source = ZipSource::from_bytes("test", packed).unwrap();
        for (path, bytes) in &files {
            prop_assert_eq!(&source.read(path, u64::MAX).unwrap(), bytes);
        }
    }
}

/// Four bytes that begin an archive's end may stand in any file, and among its last ones too.
#[test]
fn a_file_that_looks_like_the_end_of_an_archive_is_packed_and_read() {
    let end = b"PK\x05\x06";
    for bytes in [
        end.to_vec(),
        [&end[..], b"abcdefghijklmnopqrstuvwxyz"].concat(),
        end.repeat(30),
    ] {
        let packed = pack_zip("test", [(path("/a.bin"), bytes.clone())]).unwrap();
        let source = ZipSource::from_bytes("test", packed).unwrap();
        assert_eq!(source.read(&path("/a.bin"), 999).unwrap(), bytes);
    }
}

#[test]
fn what_packs_well_is_packed_and_the_rest_is_stored() {
    let zeros = vec![0; 100_000];
    let packed = pack_zip("test", [(path("/zeros"), zeros), (path("/one"), b"1".to_vec())]).unwrap();
    assert!(packed.len() < 1000, "{}", packed.len());
    assert_eq!(pack_zip("test", []).unwrap().len(), 22, "an end and nothing before it");
}

#[test]
fn what_no_archive_can_hold_is_refused() {
    let file = |text: &str| (path(text), Vec::new());
    for (files, clash) in [
        (vec![file("/a"), file("/a")], "/a"),
        (vec![file("/a/b/c"), file("/a")], "/a"),
        (vec![file("/")], "/"),
    ] {
        match pack_zip("test", files) {
            Err(Error::Duplicate { path, .. }) => assert_eq!(path.as_str(), clash),
            other => panic!("{other:?}"),
        }
    }
    let many = (0..65_535).map(|number| file(&format!("/{number}")));
    match pack_zip("test", many) {
        Err(Error::Archive { problem, .. }) => {
            let (entries, limit) = (65_535, 65_534);
            assert_eq!(problem, ArchiveProblem::TooManyEntries { entries, limit });
        }
        other => panic!("{:?}", other.map(|packed| packed.len())),
    }
}
