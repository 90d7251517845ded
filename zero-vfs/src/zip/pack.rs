//! [`pack_zip`]: files packed into a zip archive, the same bytes for the same files.
//!
//! Source: PKWARE, "APPNOTE.TXT, .ZIP File Format Specification" 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::DeflateEncoder;
use flate2::{Compression, Crc};

use crate::error::{ArchiveProblem, Error, Result};
use crate::path::VfsPath;

/// Packed by none but deflate's rules of 1993, which every reader knows.
const VERSION_NEEDED: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// The first day that the format can say: an archive does not tell when it was made.
const DATE: u16 = 0x21;
/// One more would need the form for large archives.
const MAX_ENTRIES: usize = u16::MAX as usize - 1;

/// Packs files into a zip archive, which [`crate::ZipSource`] and every other program read. The entries are in the order of
/// their paths, each packed where that makes it smaller, and nothing says when or where it was made: the same files give the
/// same bytes. `name` is for messages.
///
/// ```
/// use zero_vfs::{Source, VfsPath, ZipSource, pack_zip};
/// let file = VfsPath::parse("/oak.texture/texture.yaml")?;
/// let packed = pack_zip("forest.zip", [(file.clone(), b"format: rgba8".to_vec())])?;
/// let archive = ZipSource::from_bytes("forest.zip", packed)?;
/// assert_eq!(archive.read(&file, 1000)?, b"format: rgba8");
/// # Ok::<(), zero_vfs::Error>(())
/// ```
///
/// # Errors
/// [`Error::Duplicate`] for a path that occurs twice, or is both a file and a folder; [`Error::Archive`] for more than 65 534
/// files, and for more than 4 GiB in all.
pub fn pack_zip(name: &str, files: impl IntoIterator<Item = (VfsPath, Vec<u8>)>) -> Result<Vec<u8>> {
    let mut sorted = BTreeMap::new();
    for (path, bytes) in files {
        if path.is_root() || sorted.insert(path.clone(), bytes).is_some() {
            return Err(duplicate(name, path));
        }
    }
    let mut inside = sorted.keys().flat_map(|path| path.ancestors().skip(1));
    if let Some(path) = inside.find(|folder| sorted.contains_key(folder)) {
        return Err(duplicate(name, path));
    }
    let refuse = |entry: &str, problem| Error::Archive {
        archive: name.to_owned(),
        entry: entry.to_owned(),
        problem,
    };
    if sorted.len() > MAX_ENTRIES {
        let (entries, limit) = (sorted.len() as u64, MAX_ENTRIES as u64);
        return Err(refuse("", ArchiveProblem::TooManyEntries { entries, limit }));
    }
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    let total = sorted.values().fold(0, |total, bytes| total + bytes.len() as u64);
    let too_large_at = |entry: &str| {
        let (bytes, limit) = (total, u64::from(u32::MAX));
        refuse(entry, ArchiveProblem::TotalTooLarge { bytes, limit })
    };
    for (path, bytes) in &sorted {
        let too_large = || too_large_at(path.as_str());
        let entry = Entry::new(path, bytes, archive.len()).ok_or_else(too_large)?;
        entry.write(&mut archive, &mut directory);
    }
    let (entries, at) = (sorted.len() as u16, u32::try_from(archive.len()));
    let (Ok(at), Ok(len)) = (at, u32::try_from(directory.len())) else {
        return Err(too_large_at(""));
    };
    archive.append(&mut directory);
    archive.extend(0x0605_4b50u32.to_le_bytes());
    for number in [0, 0, entries, entries] {
        archive.extend(number.to_le_bytes());
    }
    archive.extend(len.to_le_bytes());
    archive.extend(at.to_le_bytes());
    archive.extend(0u16.to_le_bytes());
    Ok(archive)
}

fn duplicate(name: &str, path: VfsPath) -> Error {
    Error::Duplicate {
        source_name: name.to_owned(),
        path,
    }
}

/// A file on its way into an archive.
struct Entry<'a> {
    name: &'a str,
    packed: Vec<u8>,
    method: u16,
    len: u32,
    packed_len: u32,
    checksum: u32,
    at: u32,
}

impl<'a> Entry<'a> {
    /// `None` where a length does not fit in the 32 bits that it has.
    fn new(path: &'a VfsPath, bytes: &[u8], at: usize) -> Option<Self> {
        let mut checksum = Crc::new();
        checksum.update(bytes);
        let mut deflated = Vec::new();
        let done = DeflateEncoder::new(bytes, Compression::default()).read_to_end(&mut deflated);
        let (packed, method) = match done.is_ok() && deflated.len() < bytes.len() {
            true => (deflated, 8),
            false => (bytes.to_vec(), 0),
        };
        Some(Self {
            name: &path.as_str()[1..],
            len: u32::try_from(bytes.len()).ok()?,
            packed_len: u32::try_from(packed.len()).ok()?,
            checksum: checksum.sum(),
            at: u32::try_from(at).ok()?,
            packed,
            method,
        })
    }

    fn write(&self, archive: &mut Vec<u8>, directory: &mut Vec<u8>) {
        archive.extend(0x0403_4b50u32.to_le_bytes());
        self.write_common(archive);
        archive.extend(self.name.as_bytes());
        archive.extend(&self.packed);
        directory.extend(0x0201_4b50u32.to_le_bytes());
        directory.extend(VERSION_NEEDED.to_le_bytes());
        self.write_common(directory);
        // No comment, the first disk, no attributes.
        for zero in [0u16; 5] {
            directory.extend(zero.to_le_bytes());
        }
        directory.extend(self.at.to_le_bytes());
        directory.extend(self.name.as_bytes());
    }

    /// What the head of the entry and the directory both say.
    fn write_common(&self, to: &mut Vec<u8>) {
        for half in [VERSION_NEEDED, FLAGS, self.method, 0, DATE] {
            to.extend(half.to_le_bytes());
        }
        for word in [self.checksum, self.packed_len, self.len] {
            to.extend(word.to_le_bytes());
        }
        // A path has at most 4096 bytes.
        to.extend((self.name.len() as u16).to_le_bytes());
        to.extend(0u16.to_le_bytes());
    }
}
