//! What a user of the virtual file system relies on.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]

mod blobs;
mod buffers;
mod crash;
mod crash_many;
mod feed;
mod folder;
mod mounts;
mod shadow;
mod trees;
mod watch;
mod whole;
mod zip;
mod zip_pack;

use std::sync::Arc;

use zero_vfs::{
    Access, EmbeddedSource, FolderSource, MemorySource, PlayShadow, Source, UnsavedBuffers, VfsPath, conformance,
};

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

#[test]
fn a_shared_source_conforms() {
    conformance::check(|files| Arc::new(MemorySource::with_files("memory", files.iter().copied()).unwrap()));
}

/// A source that has only what a source must have: what is provided for it conforms too.
#[test]
fn what_is_provided_for_a_source_conforms() {
    #[derive(Debug)]
    struct Bare(MemorySource);
    impl Source for Bare {
        fn name(&self) -> &str {
            self.0.name()
        }
        fn is_writable(&self) -> bool {
            self.0.is_writable()
        }
        fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<zero_vfs::Stat>> {
            self.0.stat(path)
        }
        fn list(&self, folder: &VfsPath) -> zero_vfs::Result<zero_vfs::Listing> {
            self.0.list(folder)
        }
        fn read(&self, path: &VfsPath, limit: u64) -> zero_vfs::Result<Vec<u8>> {
            self.0.read(path, limit)
        }
        fn write(&self, path: &VfsPath, bytes: &[u8]) -> zero_vfs::Result<()> {
            self.0.write(path, bytes)
        }
        fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
            self.0.remove(path)
        }
        fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
            self.0.rename(from, to)
        }
    }
    conformance::check(|files| Bare(MemorySource::with_files("bare", files.iter().copied()).unwrap()));
}

#[test]
fn unsaved_buffers_conform() {
    conformance::check(|files| {
        let buffers = UnsavedBuffers::new("editor");
        for (text, bytes) in files {
            buffers.set(&path(text), bytes).unwrap();
        }
        buffers
    });
}

/// With the files in the base, on the shadow, or every other one on each, and with no game playing.
#[test]
fn a_play_shadow_conforms_wherever_its_files_are() {
    let make = |files: &conformance::Files<'_>, plays: bool, on_shadow: &dyn Fn(usize) -> bool| {
        let shadow = PlayShadow::new(MemorySource::new("world"));
        for (n, (text, bytes)) in files.iter().enumerate() {
            match on_shadow(n) {
                true => {
                    shadow.begin();
                    shadow.write(&path(text), bytes).unwrap();
                }
                false => shadow.write_durable(&path(text), bytes).unwrap(),
            }
        }
        match plays {
            true => shadow.begin(),
            false => drop(shadow.promote(&VfsPath::root()).unwrap()),
        }
        shadow
    };
    conformance::check(|files| make(files, false, &|_| false));
    conformance::check(|files| make(files, true, &|_| false));
    conformance::check(|files| make(files, true, &|_| true));
    conformance::check(|files| make(files, true, &|n| n % 2 == 0));
    conformance::check(|files| make(files, false, &|n| n % 2 == 0));
}

#[test]
fn a_zip_archive_conforms_in_memory_and_on_disk() {
    conformance::check(|files| zero_vfs::ZipSource::from_bytes("test.zip", zip::packed(files)).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let count = std::cell::Cell::new(0);
    conformance::check(|files| {
        count.set(count.get() + 1);
        let at = folder.path().join(format!("{}.zip", count.get()));
        std::fs::write(&at, zip::packed(files)).unwrap();
        zero_vfs::ZipSource::open(at).unwrap()
    });
}
