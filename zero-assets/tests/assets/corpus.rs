//! What fuzzing found once, and what it starts from, replayed.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use crate::probe;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let inputs = fs::read_dir(&folder).unwrap();
    let mut inputs: Vec<_> = inputs.map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    assert!(inputs.len() >= 3, "{} holds inputs", folder.display());
    inputs.iter().map(|input| fs::read(input).unwrap()).collect()
}

fn replay(name: &str, probe: fn(&[u8])) {
    for bytes in corpus(name) {
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

#[test]
fn manifests() {
    replay("manifest", probe::manifest);
}

#[test]
fn steps() {
    replay("steps", probe::steps);
}

/// A text of a corpus with some of it replaced by what YAML is sensitive to, or by a part of another.
fn mutated(name: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let texts = corpus(name);
    let edit = (
        any::<prop::sample::Index>(),
        0..12usize,
        "[a-z0-9:{}\\[\\],'\"|>#&*!%~. \n\t-]{0,6}",
    );
    (prop::sample::select(texts), prop::collection::vec(edit, 1..6)).prop_map(|(mut text, edits)| {
        for (place, len, new) in edits {
            let start = place.index(text.len() + 1);
            let end = (start + len).min(text.len());
            text.splice(start..end, new.into_bytes());
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn type_files_that_are_nearly_right(text in mutated("type_yaml")) {
        probe::type_yaml(&text);
    }

    #[test]
    fn manifests_that_are_nearly_right(text in mutated("manifest")) {
        probe::manifest(&text);
    }

    #[test]
    fn steps_that_are_nearly_right(text in mutated("steps")) {
        probe::steps(&text);
    }

    #[test]
    fn sidecars_that_are_nearly_right(text in mutated("refs")) {
        probe::refs(&text);
    }
}
