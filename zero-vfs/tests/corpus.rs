//! Everything that fuzzing found worth keeping, run once more: what is checked is what the fuzz targets check.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]
#![expect(clippy::expect_used, reason = "a check says so by panicking")]

#[path = "../fuzz/checks/vfs_path.rs"]
mod vfs_path;
#[path = "../fuzz/checks/zip.rs"]
mod zip;

use std::fs;
use std::path::Path;

/// Runs `check` on every file of a target's corpus, in the order of their names; says how many there were.
fn replay(target: &str, check: fn(&[u8])) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in &files {
        println!("{}", file.display());
        check(&fs::read(file).unwrap());
    }
    files.len()
}

#[test]
fn the_corpus_of_paths_holds() {
    assert!(replay("vfs_path", vfs_path::check) >= 24);
}

#[test]
fn the_corpus_of_archives_holds() {
    assert!(replay("zip", zip::check) >= 8);
}

/// Most of the seeds are archives that are read: a replay that refused them all would show nothing.
#[test]
fn the_seeds_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/zip");
    for (name, is_read) in [
        ("one", true),
        ("stored", true),
        ("utf8", true),
        ("zip64", true),
        ("hostile", false),
        ("bomb", false),
    ] {
        let bytes = fs::read(folder.join(format!("seed-{name}"))).unwrap();
        assert_eq!(zero_vfs::ZipSource::from_bytes(name, bytes).is_ok(), is_read, "{name}");
    }
}
