//! Whole trees: written, copied.

use super::{Vfs, WriteOptions};
use crate::error::{Error, Result};
use crate::journal::{Entry, What};
use crate::path::VfsPath;
use crate::source::{Kind, TreeFiles};

impl Vfs {
    /// Puts a whole tree of files at `to`, where nothing may stand yet: a folder of which a reader finds all or nothing.
    /// Each of `files` is where it goes, seen from the top of the tree, and its bytes. Without files it does nothing.
    ///
    /// ```
    /// # use zero_vfs::{MemorySource, Mount, Vfs, VfsPath, WriteOptions};
    /// # let mut vfs = Vfs::new();
    /// # vfs.mount(Mount::new(VfsPath::root(), MemorySource::new("mine")))?;
    /// let path = |text| VfsPath::parse(text);
    /// let files = [(path("/texture.yaml")?, b"format: rgba8".to_vec()), (path("/.refs")?, Vec::new())];
    /// vfs.write_tree(&path("/bark.texture")?, files, &WriteOptions::default())?;
    /// assert_eq!(vfs.read(&path("/bark.texture/texture.yaml")?)?, b"format: rgba8");
    /// # Ok::<(), zero_vfs::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::AlreadyThere`]; as [`Vfs::write`]; and where the source does not write trees whole (see
    /// [`crate::Source::write_tree`]), what was written before an error is removed again.
    pub fn write_tree(
        &self,
        to: &VfsPath,
        files: impl IntoIterator<Item = (VfsPath, Vec<u8>)>,
        options: &WriteOptions,
    ) -> Result<()> {
        self.place_tree(to, &mut files.into_iter().map(Ok), options)
    }

    /// Copies a file, or a folder with all the files below it, to `to`, where nothing may stand yet. The two may lie in
    /// different mounts, and `from` may be put together from several. A tree arrives whole, as with [`Vfs::write_tree`].
    /// Folders without files are not copied.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::AlreadyThere`], [`Error::IntoItself`], [`Error::HoldsUnreachable`] before anything is
    /// copied, and as [`Vfs::read`] and [`Vfs::write`].
    pub fn copy(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.copy_with(from, to, &WriteOptions::default())
    }

    /// [`Vfs::copy`], saying more of it.
    ///
    /// # Errors
    /// As [`Vfs::copy`].
    pub fn copy_with(&self, from: &VfsPath, to: &VfsPath, options: &WriteOptions) -> Result<()> {
        let Some(stat) = self.stat(from)? else {
            return Err(self.missing(from));
        };
        if self.stat(to)?.is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        if to.starts_with(from) {
            let (from, to) = (from.clone(), to.clone());
            return Err(Error::IntoItself { from, to });
        }
        if stat.kind == Kind::File {
            return self.write_with(to, &self.read(from)?, options);
        }
        let walk = self.walk(from)?;
        if let Some((folder, held)) = walk.unreachable.into_iter().next() {
            return Err(Error::HoldsUnreachable {
                path: folder,
                name: held.name,
                why: held.why,
            });
        }
        let mut files = walk.files.iter().filter_map(|file| {
            let inner = file.relative_to(from)?;
            Some(self.read(file).map(|bytes| (inner, bytes)))
        });
        self.place_tree(to, &mut files, options)
    }

    fn place_tree(&self, to: &VfsPath, files: TreeFiles<'_>, options: &WriteOptions) -> Result<()> {
        if self.stat(to)?.is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        let layer = self.writable(to, None)?;
        let written = layer.mount.source.write_tree(&layer.inner, files, options.durability);
        self.told(written.map_err(|error| layer.mount.explain(error)), || Entry {
            path: to.clone(),
            what: What::WroteTree,
            origin: options.origin,
            arrival: options.arrival,
        })
    }
}
