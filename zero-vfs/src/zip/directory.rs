//! [`Directory`]: the list of what an archive holds, at its end.
//!
//! Source: PKWARE, "APPNOTE.TXT, .ZIP File Format Specification" 6.3.10, sections 4.3.12 to 4.3.16.

use super::ZipLimits;
use super::bytes::Bytes;
use super::record::{Fields, Member};
use crate::error::ArchiveProblem;

const END: u32 = 0x0605_4b50;
const END_LEN: usize = 22;
const END_64: u32 = 0x0606_4b50;
const END_64_LEN: u64 = 56;
const LOCATOR: u32 = 0x0706_4b50;
const LOCATOR_LEN: u64 = 20;
/// The longest comment that may follow the end record.
const MOST_COMMENT: u64 = 65_535;
/// A directory is held in memory while it is read.
const MOST_BYTES: u64 = 64 << 20;

const DAMAGED: ArchiveProblem = ArchiveProblem::Damaged("its directory is not where it should be");

/// The directory of an archive.
pub(super) struct Directory {
    start: u64,
    entries: u64,
    bytes: Vec<u8>,
}

/// What an end record says of the directory.
struct End {
    /// Where the record itself begins.
    at: u64,
    start: u64,
    len: u64,
    entries: u64,
}

impl Directory {
    /// Finds the directory, which must end where its end record begins: nothing lies between that one reader sees and another
    /// does not.
    pub(super) fn find(bytes: &Bytes, limits: &ZipLimits) -> Result<Self, ArchiveProblem> {
        let end = find_end(bytes)?;
        if end.entries > limits.entries {
            return Err(ArchiveProblem::TooManyEntries {
                entries: end.entries,
                limit: limits.entries,
            });
        }
        if end.start.checked_add(end.len) != Some(end.at) {
            return Err(DAMAGED);
        }
        if end.len > MOST_BYTES {
            return Err(ArchiveProblem::TooLarge {
                bytes: end.len,
                limit: MOST_BYTES,
            });
        }
        Ok(Self {
            start: end.start,
            entries: end.entries,
            bytes: bytes.slice(end.start, end.len)?,
        })
    }

    /// Where it begins, which is where the last entry must have ended.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// Its entries, in its order. Ends with the first error.
    pub(super) fn members(&self) -> impl Iterator<Item = Result<Member, ArchiveProblem>> {
        let mut fields = Fields::new(&self.bytes);
        let mut left = Some(self.entries);
        std::iter::from_fn(move || match left {
            None => None,
            Some(0) if fields.is_empty() => None,
            Some(0) => {
                left = None;
                Some(Err(ArchiveProblem::Damaged("its directory holds more than it counts")))
            }
            Some(n) => {
                let member = Member::read(&mut fields);
                left = member.is_ok().then_some(n - 1);
                Some(member)
            }
        })
    }
}

/// Finds the one end record whose comment reaches to the end of the archive. Where there are two such places, each of them
/// could be meant, and readers differ.
fn find_end(bytes: &Bytes) -> Result<End, ArchiveProblem> {
    let tail_len = bytes.len().min(MOST_COMMENT + END_LEN as u64);
    let tail = bytes.slice(bytes.len() - tail_len, tail_len)?;
    let mut found = None;
    for at in 0..tail.len().saturating_sub(END_LEN - 1) {
        let mut fields = Fields::new(&tail[at..]);
        if fields.u32() != Ok(END) {
            continue;
        }
        // What looks like an end and is none, as its comment does not reach to the end of the archive, is some file's content.
        let end = read_end(&mut fields, bytes.len() - tail_len + at as u64);
        if fields.u16().map(usize::from) != Ok(tail.len() - at - END_LEN) {
            continue;
        }
        if found.replace(end?).is_some() {
            return Err(ArchiveProblem::Damaged("it has two ends"));
        }
    }
    let end = found.ok_or(ArchiveProblem::NotAnArchive)?;
    match end.start == u64::from(u32::MAX) || end.len == u64::from(u32::MAX) || end.entries == u64::from(u16::MAX) {
        true => find_end_64(bytes, end),
        false => Ok(end),
    }
}

fn read_end(fields: &mut Fields<'_>, at: u64) -> Result<End, ArchiveProblem> {
    let (disk, directory_disk) = (fields.u16()?, fields.u16()?);
    let (here, entries) = (fields.u16()?, fields.u16()?);
    let (len, start) = (fields.u32()?, fields.u32()?);
    match disk == directory_disk && here == entries {
        true => Ok(End {
            at,
            start: start.into(),
            len: len.into(),
            entries: entries.into(),
        }),
        false => Err(ArchiveProblem::Damaged("it is a part of several")),
    }
}

/// The record of a large archive, if there is one: the plain one has no room for its numbers.
fn find_end_64(bytes: &Bytes, end: End) -> Result<End, ArchiveProblem> {
    let Some(locator_at) = end.at.checked_sub(LOCATOR_LEN) else {
        return Ok(end);
    };
    let locator = bytes.slice(locator_at, LOCATOR_LEN)?;
    let mut fields = Fields::new(&locator);
    if fields.u32()? != LOCATOR {
        return Ok(end);
    }
    let (_disk, at) = (fields.u32()?, fields.u64()?);
    if at.checked_add(END_64_LEN) != Some(locator_at) {
        return Err(DAMAGED);
    }
    let record = bytes.slice(at, END_64_LEN)?;
    let mut fields = Fields::new(&record);
    if fields.u32()? != END_64 {
        return Err(DAMAGED);
    }
    fields.skip(8 + 2 + 2)?;
    let (disk, directory_disk) = (fields.u32()?, fields.u32()?);
    let (here, entries) = (fields.u64()?, fields.u64()?);
    let (len, start) = (fields.u64()?, fields.u64()?);
    match disk == directory_disk && here == entries {
        true => Ok(End {
            at,
            start,
            len,
            entries,
        }),
        false => Err(ArchiveProblem::Damaged("it is a part of several")),
    }
}
