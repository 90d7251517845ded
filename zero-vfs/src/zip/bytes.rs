//! [`Bytes`]: the bytes of an archive, in memory or on disk.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::ArchiveProblem;

const CUT_SHORT: ArchiveProblem = ArchiveProblem::Damaged("it ends too early");

#[derive(Debug)]
pub(super) enum Bytes {
    Memory(Arc<[u8]>),
    /// With its length when it was opened.
    File(Mutex<File>, u64),
}

impl Bytes {
    pub(super) fn of_file(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        match metadata.is_file() {
            true => Ok(Self::File(Mutex::new(file), metadata.len())),
            false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file")),
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(_, len) => *len,
        }
    }

    /// The `len` bytes from `offset` on. The caller has bounded `len`.
    pub(super) fn slice(&self, offset: u64, len: u64) -> Result<Vec<u8>, ArchiveProblem> {
        if offset.checked_add(len).is_none_or(|end| end > self.len()) {
            return Err(CUT_SHORT);
        }
        let mut bytes = vec![0; usize::try_from(len).map_err(|_| CUT_SHORT)?];
        let mut window = Window::new(self, offset, len);
        window.read_exact(&mut bytes).map_err(|_| CUT_SHORT)?;
        Ok(bytes)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Memory(bytes) => {
                let from = usize::try_from(offset).ok().and_then(|from| bytes.get(from..));
                from.unwrap_or_default().read(into)
            }
            Self::File(file, _) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset))?;
                file.read(into)
            }
        }
    }
}

/// A part of an archive as a reader.
pub(super) struct Window<'a> {
    bytes: &'a Bytes,
    offset: u64,
    left: u64,
}

impl<'a> Window<'a> {
    pub(super) fn new(bytes: &'a Bytes, offset: u64, len: u64) -> Self {
        let left = len;
        Self { bytes, offset, left }
    }
}

impl Read for Window<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(into.len());
        let read = self.bytes.read_at(self.offset, &mut into[..most])?;
        self.offset += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}
