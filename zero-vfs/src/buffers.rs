//! [`UnsavedBuffers`]: what editors hold and have not saved.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::mount::MountId;
use crate::path::VfsPath;
use crate::signal::{Listener, Settling, Signal};
use crate::source::Source;
use crate::tree::Tree;
use crate::tree_source::{SharedTree, looks_into_its_tree, reads_its_tree, refuses_changes};
use crate::vfs::{Vfs, WriteOptions};

/// What editors hold and have not saved, over the files. Mounted with a priority above theirs, everything that reads sees
/// what a person sees on the screen.
///
/// A file with unsaved edits cannot be written, moved or removed through the [`Vfs`] by anyone else: that is
/// [`Error::ReadOnly`] with the name of this source, and loses nobody's work. [`UnsavedBuffers::save`] writes it.
///
/// ```
/// use std::sync::Arc;
/// use zero_vfs::{MemorySource, Mount, UnsavedBuffers, Vfs, VfsPath, WriteOptions};
/// let mut vfs = Vfs::new();
/// let files = MemorySource::with_files("world", [("/main.luau", &b"return 1"[..])])?;
/// vfs.mount(Mount::new(VfsPath::root(), files))?;
/// let buffers = Arc::new(UnsavedBuffers::new("the editor"));
/// let mounted = vfs.mount(Mount::new(VfsPath::root(), buffers.clone()).priority(100))?;
///
/// let file = VfsPath::parse("/main.luau")?;
/// buffers.set(&file, b"return 2")?;
/// assert_eq!(vfs.read(&file)?, b"return 2");
/// assert!(vfs.write(&file, b"return 3").is_err());
/// buffers.save(&vfs, mounted, &file, &WriteOptions::default())?;
/// assert!(buffers.is_empty() && vfs.read(&file)? == b"return 2");
/// # Ok::<(), zero_vfs::Error>(())
/// ```
#[derive(Debug)]
pub struct UnsavedBuffers {
    name: String,
    tree: SharedTree,
    signal: Signal,
}

impl UnsavedBuffers {
    /// With no buffer; `name` is for messages.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tree: SharedTree::default(),
            signal: Signal::new(),
        }
    }

    /// What a person has typed so far in the file at `path`, seen from where this is mounted.
    ///
    /// # Errors
    /// [`Error::NotAFile`] or [`Error::NotAFolder`] where it cannot be beside another buffer.
    pub fn set(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.tree.write().write(path, bytes.into())?;
        self.signal.touch(path, Settling::Whole);
        Ok(())
    }

    /// Forgets the unsaved edits of a file, and hands them out; the file is seen as it is from then on. `None` if there are
    /// none.
    pub fn discard(&self, path: &VfsPath) -> Option<Vec<u8>> {
        let mut tree = self.tree.write();
        let bytes = tree.read(path, u64::MAX).ok()?;
        // A folder of which no buffer is left would be seen though nothing is in it.
        for at in path.ancestors() {
            if tree.remove(&at).is_err() {
                break;
            }
        }
        drop(tree);
        self.signal.touch(path, Settling::Whole);
        Some(bytes)
    }

    /// Writes the unsaved edits of a file to what lies beneath, and forgets them. `mounted` is where this is mounted in `vfs`,
    /// and `path` is seen from there.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the file has no unsaved edits, or this is not mounted there; as [`Vfs::write`], and then they are
    /// kept. Edits that were set while it was written are kept too.
    pub fn save(&self, vfs: &Vfs, mounted: MountId, path: &VfsPath, options: &WriteOptions) -> Result<()> {
        let bytes = self.tree().read(path, u64::MAX)?;
        let mount = vfs.mounts_with_ids().find(|(id, _)| *id == mounted);
        let Some((_, mount)) = mount else {
            return Err(crate::not_found(path));
        };
        let written = vfs.write_past(Some(mounted), &mount.outer(path)?, &bytes, options);
        if matches!(written, Ok(()) | Err(Error::NotSynced { .. }))
            && self.tree().read(path, u64::MAX).is_ok_and(|now| now == bytes)
        {
            self.discard(path);
        }
        written
    }

    /// The files with unsaved edits, sorted.
    #[must_use]
    pub fn paths(&self) -> Vec<VfsPath> {
        self.tree().files()
    }

    /// Whether nothing is unsaved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tree().files().is_empty()
    }

    fn tree(&self) -> impl std::ops::Deref<Target = Tree<Box<[u8]>>> + '_ {
        self.tree.read()
    }
}

impl Source for UnsavedBuffers {
    looks_into_its_tree!();
    reads_its_tree!();
    refuses_changes!();

    fn listen(&self, listener: &Arc<Listener>) {
        self.signal.add(listener);
    }
}
