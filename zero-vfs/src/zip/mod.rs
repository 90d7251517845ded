//! [`ZipSource`]: the files in a zip archive, read where they are.

mod bytes;
mod directory;
mod pack;
mod record;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use crate::error::{ArchiveProblem, Error, Result};
use crate::path::VfsPath;
use crate::source::{Kind, Snapshot, Source, check_limit};
use crate::stamp::Stamp;
use crate::tree::{Held, Tree};
use crate::tree_source::{looks_into_its_tree, refuses_changes};
use bytes::{Bytes, Window};
use directory::Directory;
use record::{Member, Method};

pub use pack::pack_zip;

/// What an archive may hold before it is refused. The defaults let through what people make and stop what is made to fill a
/// memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ZipLimits {
    /// Files and folders; 100 000.
    pub entries: u64,
    /// Bytes of one file, unpacked; 1 GiB.
    pub file_bytes: u64,
    /// Bytes of all files, unpacked; 1 GiB.
    pub total_bytes: u64,
    /// Unpacked bytes for each packed one, of a file of more than 1 MiB; 200.
    pub ratio: u64,
}

impl Default for ZipLimits {
    fn default() -> Self {
        Self {
            entries: 100_000,
            file_bytes: 1 << 30,
            total_bytes: 1 << 30,
            ratio: 200,
        }
    }
}

/// A smaller file is let through however well it packs: a folder of them is stopped by the other limits.
const RATIO_COUNTS_FROM: u64 = 1 << 20;

/// The files in a zip archive, read-only: mounted, never unpacked to the disk.
///
/// An archive that was made to do harm, or that two programs could read in two ways, is refused as a whole when it is opened,
/// naming the entry ([`Error::Archive`]): names that are no [`VfsPath`], names that occur twice, symbolic links and devices,
/// entries that overlap, unpack to more than [`ZipLimits`] allows, or are told differently by the archive's directory and by
/// themselves; encrypted entries and methods of packing other than none and deflate. Each read unpacks its file and checks its
/// length and checksum.
///
/// ```
/// use zero_vfs::{Source, VfsPath, ZipSource};
/// # use std::io::Write;
/// # let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
/// # writer.start_file("oak.texture/texture.yaml", zip::write::SimpleFileOptions::default())?;
/// # writer.write_all(b"format: rgba8")?;
/// # let packed = writer.finish()?.into_inner();
/// let archive = ZipSource::from_bytes("forest.zip", packed)?;
/// let bytes = archive.read(&VfsPath::parse("/oak.texture/texture.yaml")?, 1000)?;
/// assert_eq!(bytes, b"format: rgba8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Cost: opening reads the directory, and the head of each entry. A read unpacks one file, into memory.
#[derive(Debug)]
pub struct ZipSource {
    name: String,
    bytes: Bytes,
    tree: Tree<Packed>,
}

/// A file in the archive.
#[derive(Clone, Debug)]
struct Packed {
    method: Method,
    /// Where its packed bytes are.
    offset: u64,
    packed_len: u64,
    len: u64,
    checksum: u32,
}

impl Held for Packed {
    fn held_len(&self) -> u64 {
        self.len
    }
}

impl ZipSource {
    /// Opens the archive at `path` on disk. The file is kept open; whoever writes into it meanwhile makes reads fail.
    ///
    /// # Errors
    /// [`Error::Mount`] if it cannot be read, [`Error::Archive`] if it is refused.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &ZipLimits::default())
    }

    /// [`ZipSource::open`] with other limits.
    ///
    /// # Errors
    /// As [`ZipSource::open`].
    pub fn open_with(path: impl AsRef<Path>, limits: &ZipLimits) -> Result<Self> {
        let path = path.as_ref();
        let opened = File::open(path).and_then(Bytes::of_file);
        let bytes = opened.map_err(|source| Error::Mount {
            folder: path.to_path_buf(),
            source,
        })?;
        Self::new(path.display().to_string(), bytes, limits)
    }

    /// An archive in memory; `name` is for messages.
    ///
    /// # Errors
    /// [`Error::Archive`] if it is refused.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Result<Self> {
        Self::from_bytes_with(name, bytes, &ZipLimits::default())
    }

    /// [`ZipSource::from_bytes`] with other limits.
    ///
    /// # Errors
    /// As [`ZipSource::from_bytes`].
    pub fn from_bytes_with(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>, limits: &ZipLimits) -> Result<Self> {
        Self::new(name.into(), Bytes::Memory(bytes.into()), limits)
    }

    fn new(name: String, bytes: Bytes, limits: &ZipLimits) -> Result<Self> {
        match read_tree(&bytes, limits) {
            Ok(tree) => Ok(Self { name, bytes, tree }),
            Err(Refused { entry, problem }) => Err(Error::Archive {
                archive: name,
                entry,
                problem,
            }),
        }
    }

    fn tree(&self) -> &Tree<Packed> {
        &self.tree
    }

    fn unpack(&self, packed: &Packed) -> std::result::Result<Vec<u8>, ArchiveProblem> {
        let window = Window::new(&self.bytes, packed.offset, packed.packed_len);
        // What a file says of itself is not believed before it is seen.
        let mut bytes = Vec::with_capacity(packed.len.min(RATIO_COUNTS_FROM) as usize);
        let unpacked = match packed.method {
            Method::Stored => window.take(packed.len).read_to_end(&mut bytes).is_ok(),
            Method::Deflate => {
                let mut decoder = DeflateDecoder::new(window);
                let done = (&mut decoder).take(packed.len + 1).read_to_end(&mut bytes).is_ok();
                // Bytes that no reader asks for are a place to hide something.
                done && (bytes.len() as u64 > packed.len || decoder.total_in() == packed.packed_len)
            }
        };
        let mut checksum = Crc::new();
        checksum.update(&bytes);
        match unpacked && bytes.len() as u64 == packed.len && checksum.sum() == packed.checksum {
            true => Ok(bytes),
            false => Err(ArchiveProblem::Content),
        }
    }
}

/// Why an archive is refused: the entry, empty where it is the archive itself.
struct Refused {
    entry: String,
    problem: ArchiveProblem,
}

fn read_tree(bytes: &Bytes, limits: &ZipLimits) -> std::result::Result<Tree<Packed>, Refused> {
    let of_archive = |problem| Refused {
        entry: String::new(),
        problem,
    };
    let directory = Directory::find(bytes, limits).map_err(of_archive)?;
    let (mut tree, mut seen, mut total) = (Tree::default(), BTreeSet::new(), 0u64);
    let mut ranges: Vec<(u64, u64, VfsPath)> = Vec::new();
    for member in directory.members() {
        let member = member.map_err(of_archive)?;
        let of_entry = |problem| Refused {
            entry: member.shown(),
            problem,
        };
        let path = member.path().map_err(of_entry)?;
        check_member(&member, limits).map_err(of_entry)?;
        total = total.saturating_add(member.len);
        if total > limits.total_bytes {
            return Err(of_entry(ArchiveProblem::TotalTooLarge {
                bytes: total,
                limit: limits.total_bytes,
            }));
        }
        let offset = member.locate(bytes, directory.start()).map_err(of_entry)?;
        ranges.push((member.header_at, offset + member.packed_len, path.clone()));
        let is_new = match member.kind {
            Kind::Folder => tree.make_folder(&path).is_ok(),
            Kind::File => {
                let (method, packed_len) = (member.method, member.packed_len);
                let (len, checksum) = (member.len, member.checksum);
                let packed = Packed {
                    method,
                    offset,
                    packed_len,
                    len,
                    checksum,
                };
                tree.stat(&path).is_none() && tree.write(&path, packed).is_ok()
            }
        };
        if !is_new || !seen.insert(path) {
            return Err(of_entry(ArchiveProblem::Duplicate));
        }
    }
    ranges.sort();
    match ranges.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        Some(pair) => Err(Refused {
            entry: pair[1].2.to_string(),
            problem: ArchiveProblem::Overlap,
        }),
        None => Ok(tree),
    }
}

fn check_member(member: &Member, limits: &ZipLimits) -> std::result::Result<(), ArchiveProblem> {
    if member.len > limits.file_bytes {
        return Err(ArchiveProblem::TooLarge {
            bytes: member.len,
            limit: limits.file_bytes,
        });
    }
    let allowed = member.packed_len.saturating_mul(limits.ratio);
    if member.len > RATIO_COUNTS_FROM && member.len > allowed {
        return Err(ArchiveProblem::Ratio {
            packed: member.packed_len,
            bytes: member.len,
            limit: limits.ratio,
        });
    }
    match member.method == Method::Stored && member.len != member.packed_len {
        true => Err(ArchiveProblem::Damaged("a stored file has two lengths")),
        false => Ok(()),
    }
}

impl Source for ZipSource {
    looks_into_its_tree!();
    refuses_changes!();

    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        let packed = self.tree.get(path)?;
        check_limit(path, packed.len, limit)?;
        self.unpack(packed).map_err(|problem| Error::Archive {
            archive: self.name.clone(),
            entry: path.to_string(),
            problem,
        })
    }

    fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        Ok(Snapshot {
            bytes: self.read(path, limit)?,
            stamp: self.tree.look(path).map_or(Stamp::UNKNOWN, |look| look.stamp),
            was_steady: true,
        })
    }
}
