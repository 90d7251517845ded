//! What holds of any bytes that are read as one of this crate's files: for fuzzing, and for a corpus that is replayed.

use zero_assets::types::{AssetType, Inspector, Schema};
use zero_assets::zero_vfs::VfsPath;
use zero_assets::{Diagnostic, Manifest, Refs};

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
