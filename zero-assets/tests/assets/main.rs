//! What a user of the assets relies on.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]

mod arrivals;
mod asked_of_types;
mod attached;
mod builtin;
mod carried;
mod code_of_types;
mod corpus;
mod creation_settings;
mod declared;
mod deps;
mod diary;
mod families;
mod faulty;
mod index;
mod installs;
mod interfaces;
mod live;
mod made;
mod many;
mod moved;
mod moves;
mod names;
mod opening;
mod package_needs;
mod packages;
mod pictures;
mod places;
mod probe;
mod readme;
mod rules_graphs;
mod rules_models;
mod rules_payloads;
mod scene;
mod search;
mod settings;
mod settings_written;
mod sidecars;
mod stopped;
mod taken_over;
mod texture;
mod types;
mod unreadable;
mod workspace;

use zero_assets::{Assets, Diagnostic, builtin};
use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};

fn path(text: &str) -> VfsPath {
    VfsPath::parse(text).unwrap()
}

/// The built-in types and a world of `files`, whose paths begin at `/zero/source`.
fn world(files: &[(&str, &str)]) -> Vfs {
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    let files = files.iter().map(|(path, text)| (*path, text.as_bytes()));
    let source = MemorySource::with_files("world", files).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source)).unwrap();
    vfs
}

fn told(assets: &Assets) -> Vec<String> {
    assets.diagnostics().iter().map(Diagnostic::to_string).collect()
}
