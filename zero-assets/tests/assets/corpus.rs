//! What fuzzing found once, and what it starts from, replayed.

use std::fs;
use std::path::Path;

use crate::probe;

fn replay(corpus: &str, probe: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(corpus);
    let mut inputs: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    inputs.sort();
    assert!(inputs.len() >= 3, "{} holds inputs", folder.display());
    for input in inputs {
        let bytes = fs::read(&input).unwrap();
        probe(&bytes);
        // Whatever a file is cut to, it is read or told.
        for end in (0..bytes.len()).step_by(bytes.len() / 64 + 1) {
            probe(&bytes[..end]);
        }
    }
}

#[test]
fn type_files() {
    replay("type_yaml", probe::type_yaml);
}

#[test]
fn sidecars() {
    replay("refs", probe::refs);
}
