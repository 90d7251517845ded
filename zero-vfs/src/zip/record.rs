//! [`Member`]: one entry of an archive's directory, and the head of the entry itself.
//!
//! Source: PKWARE, "APPNOTE.TXT, .ZIP File Format Specification" 6.3.10, sections 4.3.7, 4.3.12, 4.4 and 4.5.3.

use super::bytes::Bytes;
use crate::error::{ArchiveProblem, Error, PathProblem};
use crate::path::VfsPath;
use crate::source::Kind;

const CENTRAL: u32 = 0x0201_4b50;
const LOCAL: u32 = 0x0403_4b50;
const LOCAL_LEN: u64 = 30;
const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
/// The head of the entry does not know its lengths; they follow its bytes.
const LENGTHS_FOLLOW: u16 = 1 << 3;
const ZIP_64: u16 = 1;
const SATURATED: u64 = u32::MAX as u64;

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Stored,
    Deflate,
}

/// What the directory says of an entry.
#[derive(Debug)]
pub(super) struct Member {
    name: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) method: Method,
    pub(super) packed_len: u64,
    pub(super) len: u64,
    pub(super) checksum: u32,
    /// Where the head of the entry begins.
    pub(super) header_at: u64,
    flags: u16,
    problem: Option<ArchiveProblem>,
}

impl Member {
    /// Reads one. What is wrong with it alone is told by [`Member::path`], when its name is known.
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self, ArchiveProblem> {
        if fields.u32()? != CENTRAL {
            return Err(ArchiveProblem::Damaged("its directory holds something else"));
        }
        let made_by = fields.u16()?;
        fields.skip(2)?;
        let (flags, method) = (fields.u16()?, fields.u16()?);
        fields.skip(4)?;
        let checksum = fields.u32()?;
        let (packed_len, len) = (fields.u32()?.into(), fields.u32()?.into());
        let (name_len, extra_len, comment_len) = (fields.u16()?, fields.u16()?, fields.u16()?);
        fields.skip(2 + 2)?;
        let (attributes, header_at) = (fields.u32()?, fields.u32()?.into());
        let name = fields.bytes(name_len.into())?.to_vec();
        let extra = fields.bytes(extra_len.into())?;
        fields.skip(comment_len.into())?;
        let kind = if name.ends_with(b"/") { Kind::Folder } else { Kind::File };
        let mut member = Self {
            name,
            kind,
            method: Method::Stored,
            packed_len,
            len,
            checksum,
            header_at,
            flags,
            problem: None,
        };
        member.read_large(extra)?;
        member.problem = special(made_by, attributes, kind)
            .or((flags & ENCRYPTED != 0).then_some(ArchiveProblem::Encrypted))
            .or((kind == Kind::Folder && member.len != 0).then_some(ArchiveProblem::Damaged("a folder has content")));
        match method {
            0 => {}
            8 => member.method = Method::Deflate,
            method => member.problem = member.problem.or(Some(ArchiveProblem::Method { method })),
        }
        Ok(member)
    }

    /// Takes the lengths that do not fit in 32 bits from the extra field that holds them, in a fixed order.
    fn read_large(&mut self, extra: &[u8]) -> Result<(), ArchiveProblem> {
        let mut fields = Fields::new(extra);
        // Some programs pad the field with less than a whole record.
        while fields.left() >= 4 {
            let (id, len) = (fields.u16()?, fields.u16()?);
            let mut record = Fields::new(fields.bytes(len.into())?);
            if id != ZIP_64 {
                continue;
            }
            for field in [&mut self.len, &mut self.packed_len, &mut self.header_at] {
                if *field == SATURATED {
                    *field = record.u64()?;
                }
            }
            break;
        }
        Ok(())
    }

    /// The name for a message.
    pub(super) fn shown(&self) -> String {
        String::from_utf8_lossy(&self.name).chars().take(100).collect()
    }

    /// Where it lies in the archive.
    pub(super) fn path(&self) -> Result<VfsPath, ArchiveProblem> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        // Without the flag for UTF-8 the encoding is anyone's guess; that text which reads as UTF-8 is so nearly always.
        let name = std::str::from_utf8(&self.name).map_err(|_| ArchiveProblem::Name(PathProblem::Encoding))?;
        let name = name.strip_suffix('/').unwrap_or(name);
        match VfsPath::parse(&format!("/{name}")) {
            Ok(path) if path.is_root() => Err(ArchiveProblem::Name(PathProblem::EmptySegment)),
            Ok(path) => Ok(path),
            Err(Error::Path { problem, .. }) => Err(ArchiveProblem::Name(problem)),
            Err(_) => Err(ArchiveProblem::Name(PathProblem::Encoding)),
        }
    }

    /// Where its bytes begin, as its own head says, which must agree with the directory. They must end before `directory_at`.
    pub(super) fn locate(&self, bytes: &Bytes, directory_at: u64) -> Result<u64, ArchiveProblem> {
        const DIFFERS: ArchiveProblem =
            ArchiveProblem::Damaged("the directory says something else of it than its own head");
        let head = bytes.slice(self.header_at, LOCAL_LEN)?;
        let mut fields = Fields::new(&head);
        if fields.u32()? != LOCAL {
            return Err(DIFFERS);
        }
        fields.skip(2)?;
        let (flags, method) = (fields.u16()?, fields.u16()?);
        fields.skip(4)?;
        let (checksum, packed_len, len) = (fields.u32()?, fields.u32()?, fields.u32()?);
        let (name_len, extra_len) = (fields.u16()?, fields.u16()?);
        let name_at = self.header_at + LOCAL_LEN;
        let same_method = (method == 8) == (self.method == Method::Deflate) && (method == 0 || method == 8);
        let same_len = |head: u32, here: u64| u64::from(head) == here || u64::from(head) == SATURATED;
        let same_lens = checksum == self.checksum && same_len(packed_len, self.packed_len) && same_len(len, self.len);
        let same_flags = (flags ^ self.flags) & (ENCRYPTED | LENGTHS_FOLLOW) == 0;
        if !same_method || !same_flags || (flags & LENGTHS_FOLLOW == 0 && !same_lens) {
            return Err(DIFFERS);
        }
        if usize::from(name_len) != self.name.len() || bytes.slice(name_at, name_len.into())? != self.name {
            return Err(DIFFERS);
        }
        let offset = name_at + u64::from(name_len) + u64::from(extra_len);
        match offset
            .checked_add(self.packed_len)
            .is_some_and(|end| end <= directory_at)
        {
            true => Ok(offset),
            false => Err(ArchiveProblem::Damaged("it reaches into the directory")),
        }
    }
}

/// What is wrong with the kind of file that the attributes of a Unix system tell: only files and folders may be.
fn special(made_by: u16, attributes: u32, kind: Kind) -> Option<ArchiveProblem> {
    const UNIX: [u8; 2] = [3, 19];
    let [_, system] = made_by.to_le_bytes();
    let mode = attributes >> 16;
    match mode & 0o170_000 {
        _ if !UNIX.contains(&system) => None,
        0 => None,
        0o100_000 if kind == Kind::File => None,
        0o040_000 if kind == Kind::Folder => None,
        0o120_000 => Some(ArchiveProblem::Link),
        _ => Some(ArchiveProblem::Special),
    }
}

/// Little-endian numbers, one after another.
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn left(&self) -> usize {
        self.0.len()
    }

    pub(super) fn bytes(&mut self, len: usize) -> Result<&'a [u8], ArchiveProblem> {
        let split = self.0.split_at_checked(len);
        let (taken, rest) = split.ok_or(ArchiveProblem::Damaged("a record of it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn skip(&mut self, len: usize) -> Result<(), ArchiveProblem> {
        self.bytes(len).map(drop)
    }

    pub(super) fn u16(&mut self) -> Result<u16, ArchiveProblem> {
        self.number().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ArchiveProblem> {
        self.number().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, ArchiveProblem> {
        self.number().map(u64::from_le_bytes)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], ArchiveProblem> {
        let bytes = self.bytes(N)?;
        <[u8; N]>::try_from(bytes).map_err(|_| ArchiveProblem::Damaged("a record of it ends too early"))
    }
}
