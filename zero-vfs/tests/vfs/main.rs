//! What a user of the virtual file system relies on.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]

mod crash;
mod folder;
mod mounts;

use zero_vfs::{Access, EmbeddedSource, FolderSource, MemorySource, VfsPath, conformance};

fn path(text: &str) -> VfsPath {
    VfsPath::parse(text).unwrap()
}

#[test]
fn the_memory_source_conforms() {
    conformance::check(|files| MemorySource::with_files("memory", files.iter().copied()).unwrap());
}

#[test]
fn the_embedded_source_conforms() {
    conformance::check(|files| {
        let files: Vec<(&'static str, &'static [u8])> = files
            .iter()
            .map(|(path, bytes)| (&*path.to_string().leak(), &*bytes.to_vec().leak()))
            .collect();
        EmbeddedSource::new("embedded", files.leak()).unwrap()
    });
}

#[test]
fn the_folder_source_conforms() {
    let kept = std::cell::RefCell::new(Vec::new());
    let make = |files: &conformance::Files<'_>, access| {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let on_disk = folder.path().join(&path[1..]);
            std::fs::create_dir_all(on_disk.parent().unwrap()).unwrap();
            std::fs::write(on_disk, bytes).unwrap();
        }
        let source = FolderSource::open(folder.path(), access).unwrap();
        kept.borrow_mut().push(folder);
        source
    };
    conformance::check(|files| make(files, Access::ReadWrite));
    conformance::check(|files| make(files, Access::ReadOnly));
}
