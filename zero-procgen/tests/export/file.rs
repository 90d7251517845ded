//! Files hold the same bytes each time, and are there whole or not at all.

use crate::check::check;
use crate::common::{downloaded, grove, square, tower};
use std::fs;
use zero_procgen::Error;
use zero_procgen::export::Glb;

#[test]
fn nothing_is_a_file() {
    let file = check(&Glb::new().to_bytes().unwrap());
    assert!(file.root.buffers.is_empty() && file.root.nodes.is_empty());
}

#[test]
fn two_runs_write_the_same_bytes() {
    let run = || {
        let glb = Glb::new().add("tower", &downloaded(tower)).unwrap();
        glb.add("trees", &downloaded(grove)).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.glb");
    run().write_to(&path).unwrap();
    let written = fs::read(&path).unwrap();
    check(&written);
    assert_eq!(written, run().to_bytes().unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the file is left");
}

#[test]
fn a_write_that_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let glb = Glb::new().add("sheet", &square()).unwrap();
    // A folder that holds something is not replaced by a file.
    let taken = folder.path().join("taken.glb");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("kept"), b"kept").unwrap();
    let error = glb.write_to(&taken).unwrap_err();
    assert!(
        matches!(error, Error::File { .. }) && error.to_string().contains("taken.glb"),
        "{error}"
    );
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["taken.glb"]);
    let missing = folder.path().join("nowhere").join("a.glb");
    assert!(glb.write_to(&missing).unwrap_err().to_string().contains("nowhere"));
    assert!(glb.write_to(folder.path().join("..")).is_err());
}
