//! What holds of any bytes that are read as one of this crate's files: for fuzzing, and for a corpus that is replayed.

use std::sync::Arc;

use zero_assets::types::{AssetType, Inspector, Schema};
use zero_assets::zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
use zero_assets::{Diagnostic, Manifest, Refs, Workspace};

/// Reads any bytes as a `type.yaml`, as an inspector and as a schema. What is left out is told.
///
/// # Panics
/// If a file is left out and nothing is told of it, or a diagnostic names another file.
pub(crate) fn type_yaml(bytes: &[u8]) {
    let Ok(folder) = VfsPath::parse("/zero/source/probe.assetType") else {
        return;
    };
    let Ok(file) = folder.join("type.yaml") else { return };
    match AssetType::parse(&folder, bytes) {
        Ok((None, told)) => assert!(
            told.iter().any(Diagnostic::is_error),
            "a type is left out, and nothing is told"
        ),
        Ok((Some(kind), told)) => {
            assert!(!kind.primary.is_empty() && kind.suffix.starts_with('.'));
            assert!(told.iter().all(|told| told.path == file && told.at.is_some()));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let (inspector, told) = Inspector::parse(&file, bytes);
    assert_eq!(inspector.is_none(), told.iter().any(Diagnostic::is_error));
    let (schema, told) = Schema::parse(&file, bytes, Some("settings"));
    assert_eq!(schema.is_none(), told.iter().any(Diagnostic::is_error));
}

/// Reads any bytes as a `.refs`, and what was read again from what it is written as.
///
/// # Panics
/// If what is written is read otherwise.
pub(crate) fn refs(bytes: &[u8]) {
    let Ok(file) = VfsPath::parse("/zero/source/probe.note/.refs") else {
        return;
    };
    let (refs, _) = Refs::parse(&file, bytes);
    if let Ok(text) = refs.to_text() {
        let (again, told) = Refs::parse(&file, text.as_bytes());
        assert!(told.is_empty(), "what is written is read without a word");
        assert_eq!(refs, again);
    }
}

/// Reads any bytes as the manifest of a packed package, and what was read again from what it is written as.
///
/// # Panics
/// If it cannot be written, or what is written is read otherwise.
pub(crate) fn manifest(bytes: &[u8]) {
    let Ok(file) = VfsPath::parse("/manifest.yaml") else {
        return;
    };
    match Manifest::parse(&file, bytes) {
        Ok(manifest) => {
            let text = manifest.to_text();
            let again = text.map(|text| Manifest::parse(&file, text.as_bytes()));
            assert!(
                again.is_ok_and(|again| again.is_ok_and(|again| again == manifest)),
                "what is written is read"
            );
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Where an installation that was stopped left what it was at.
pub(crate) const STOPPED: &str = "/.install/5f2c01fe-8f6c-4c8a-9a3e-0d8f6f1f3b52";

/// Opens a world in which any bytes are the steps of an installation that was stopped.
///
/// # Panics
/// If a file is touched that no installation wrote.
pub(crate) fn steps(bytes: &[u8]) {
    let record =
        "version: 1\npackage: { name: kit, version: 1.0.0, guid: 8d3f1b52-5f2c-4c8a-9a3e-0d8f6f1f3b52 }\nparts: []\n";
    let persons = [
        ("/mine.note/note.yaml", "mine"),
        ("/plain.txt", "plain"),
        ("/.secret", "secret"),
        ("/libs/@stone/kit.note/note.yaml", "a library's"),
    ];
    let new = [
        ("/new/0/note.yaml", "new"),
        ("/new/1", "one file"),
        ("/record.yaml", record),
    ];
    let staged: Vec<(String, &[u8])> = new
        .iter()
        .map(|(file, text)| (format!("{STOPPED}{file}"), text.as_bytes()))
        .chain([(format!("{STOPPED}/steps.yaml"), bytes)])
        .collect();
    let all = persons.iter().map(|(file, text)| (*file, text.as_bytes()));
    let all = all.chain(staged.iter().map(|(file, bytes)| (file.as_str(), *bytes)));
    let mounts = [
        ("/zero/source", MemorySource::with_files("world", all)),
        ("/other", MemorySource::with_files("other", [("/x.txt", &b"x"[..])])),
    ];
    let mut vfs = Vfs::new();
    for (place, source) in mounts {
        let mounted = VfsPath::parse(place).and_then(|place| vfs.mount(Mount::new(place, source?)));
        assert!(mounted.is_ok(), "the world of the probe is made");
    }
    let vfs = Arc::new(vfs);
    assert!(Workspace::open(vfs.clone()).is_ok(), "nothing of it keeps a world shut");
    let untouched = |path: &str, text: &str| {
        let path = VfsPath::parse(path);
        let read = path.and_then(|path| vfs.read(&path));
        assert!(read.is_ok_and(|read| read == text.as_bytes()), "{text} was touched");
    };
    untouched("/other/x.txt", "x");
    for (file, text) in persons {
        untouched(&format!("/zero/source{file}"), text);
    }
}
