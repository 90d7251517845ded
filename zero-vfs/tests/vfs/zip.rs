//! Zip archives: what the world writes is read, what is made to do harm is refused.

use std::io::{Cursor, Write};

use ::zip::write::SimpleFileOptions;
use ::zip::{CompressionMethod, ZipWriter};
use zero_vfs::{ArchiveProblem, Error, PathProblem, Source, VfsPath, ZipLimits, ZipSource};

use crate::path;

/// An archive as another program writes it, every other file stored.
pub(crate) fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (n, (name, bytes)) in files.iter().enumerate() {
        let method = [CompressionMethod::Deflated, CompressionMethod::Stored][n % 2];
        writer
            .start_file(&name[1..], SimpleFileOptions::default().compression_method(method))
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// One entry of an archive made by hand, and what it says of itself.
#[derive(Clone)]
struct Raw {
    name: &'static [u8],
    head_name: Option<&'static [u8]>,
    flags: u16,
    method: u16,
    data: Vec<u8>,
    len: u32,
    checksum: u32,
    made_by: u16,
    mode: u32,
    /// Where the directory says it is, if not where it is.
    header_at: Option<u32>,
}

impl Raw {
    fn stored(name: &'static [u8], data: &[u8]) -> Self {
        let mut checksum = flate2::Crc::new();
        checksum.update(data);
        Self {
            name,
            head_name: None,
            flags: 0,
            method: 0,
            data: data.to_vec(),
            len: data.len() as u32,
            checksum: checksum.sum(),
            made_by: 20,
            mode: 0,
            header_at: None,
        }
    }

    fn deflated(name: &'static [u8], data: &[u8]) -> Self {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(data).unwrap();
        Self {
            method: 8,
            data: encoder.finish().unwrap(),
            ..Self::stored(name, data)
        }
    }

    fn unix(self, mode: u32) -> Self {
        let made_by = 3 << 8 | 20;
        Self { made_by, mode, ..self }
    }

    /// What the head and the directory share, from the flags to the lengths.
    fn common(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.method.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.checksum.to_le_bytes());
        bytes.extend((self.data.len() as u32).to_le_bytes());
        bytes.extend(self.len.to_le_bytes());
        bytes
    }

    fn head(&self) -> Vec<u8> {
        let name = self.head_name.unwrap_or(self.name);
        let mut bytes = b"PK\x03\x04\x14\x00".to_vec();
        bytes.extend(self.common());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(name);
        bytes.extend(&self.data);
        bytes
    }

    fn in_directory(&self, header_at: u32) -> Vec<u8> {
        let mut bytes = b"PK\x01\x02".to_vec();
        bytes.extend(self.made_by.to_le_bytes());
        bytes.extend([20, 0]);
        bytes.extend(self.common());
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend((self.mode << 16).to_le_bytes());
        bytes.extend(self.header_at.unwrap_or(header_at).to_le_bytes());
        bytes.extend(self.name);
        bytes
    }
}

fn end(entries: u16, len: usize, start: usize, comment: &[u8]) -> Vec<u8> {
    let mut bytes = b"PK\x05\x06\0\0\0\0".to_vec();
    bytes.extend(entries.to_le_bytes());
    bytes.extend(entries.to_le_bytes());
    bytes.extend((len as u32).to_le_bytes());
    bytes.extend((start as u32).to_le_bytes());
    bytes.extend((comment.len() as u16).to_le_bytes());
    bytes.extend(comment);
    bytes
}

fn archive(entries: &[Raw]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend(entry.in_directory(bytes.len() as u32));
        bytes.extend(entry.head());
    }
    let start = bytes.len();
    let end = end(entries.len() as u16, directory.len(), start, b"");
    bytes.extend(directory);
    bytes.extend(end);
    bytes
}

#[track_caller]
fn open(bytes: Vec<u8>) -> Result<ZipSource, (String, ArchiveProblem)> {
    match ZipSource::from_bytes("test.zip", bytes) {
        Ok(source) => Ok(source),
        Err(Error::Archive { entry, problem, .. }) => Err((entry, problem)),
        Err(other) => unreachable!("another kind of error: {other}"),
    }
}

#[track_caller]
fn refused(entries: &[Raw], entry: &str, problem: ArchiveProblem) {
    assert_eq!(open(archive(entries)).unwrap_err(), (entry.to_owned(), problem));
}

#[test]
fn an_archive_made_by_hand_is_read() {
    let entries = [
        Raw::stored(b"folder/", b""),
        Raw::stored(b"folder/a", b"stored"),
        Raw::deflated("\u{e9}".as_bytes(), b"deflated").unix(0o100_644),
        Raw::stored(b"empty/", b"").unix(0o040_755),
    ];
    let source = open(archive(&entries)).unwrap();
    assert_eq!(source.read(&path("/folder/a"), 99).unwrap(), b"stored");
    assert_eq!(source.read(&path("/\u{e9}"), 99).unwrap(), b"deflated");
    let names: Vec<_> = source
        .list(&VfsPath::root())
        .unwrap()
        .entries
        .into_iter()
        .map(|entry| entry.name)
        .collect();
    assert_eq!(names, ["empty", "folder", "\u{e9}"]);
}

#[test]
fn hostile_names_are_refused() {
    use PathProblem as P;
    let check = |name: &'static [u8], problem| {
        let shown = String::from_utf8_lossy(name).into_owned();
        refused(
            &[Raw::stored(b"fine", b""), Raw::stored(name, b"")],
            &shown,
            ArchiveProblem::Name(problem),
        );
    };
    check(b"../../etc/passwd", P::DotSegment);
    check(b"a/../../b", P::DotSegment);
    check(b"./a", P::DotSegment);
    check(b"/etc/passwd", P::EmptySegment);
    check(b"a//b", P::EmptySegment);
    check(b"", P::EmptySegment);
    check(b"/", P::EmptySegment);
    check(b"a\\..\\b", P::Character { character: '\\' });
    check(b"C:/windows", P::Character { character: ':' });
    check(b"a\0.txt", P::Character { character: '\0' });
    check(b"nul", P::DeviceName);
    check(b"a.", P::TrailingDotOrSpace);
    check(b".zero-tmp-0000002a-0000000000000000", P::Reserved);
    check(b"\xff\xfe", P::Encoding);
}

#[test]
fn links_devices_and_what_is_encrypted_are_refused() {
    let entry = Raw::stored(b"a", b"/etc/passwd");
    refused(&[entry.clone().unix(0o120_777)], "a", ArchiveProblem::Link);
    refused(&[entry.clone().unix(0o020_666)], "a", ArchiveProblem::Special);
    refused(&[entry.clone().unix(0o040_755)], "a", ArchiveProblem::Special);
    let flagged = |flags| Raw { flags, ..entry.clone() };
    refused(&[flagged(1)], "a", ArchiveProblem::Encrypted);
    refused(&[flagged(1 << 6)], "a", ArchiveProblem::Encrypted);
    let method = Raw {
        method: 12,
        ..entry.clone()
    };
    refused(&[method], "a", ArchiveProblem::Method { method: 12 });
    // Another program's writer makes a link that is told as one.
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer
        .add_symlink("link", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    let linked = open(writer.finish().unwrap().into_inner());
    assert_eq!(linked.unwrap_err(), ("link".to_owned(), ArchiveProblem::Link));
}

#[test]
fn names_that_occur_twice_are_refused() {
    let twice = |a: &'static [u8], b: &'static [u8], told: &str| {
        refused(
            &[Raw::stored(a, b""), Raw::stored(b, b"")],
            told,
            ArchiveProblem::Duplicate,
        );
    };
    twice(b"a", b"a", "a");
    twice(b"a/", b"a/", "a/");
    twice(b"a", b"a/", "a/");
    twice(b"a/b", b"a", "a");
    twice(b"a", b"a/b", "a/b");
    // Two spellings of one letter.
    twice("\u{e9}".as_bytes(), "e\u{301}".as_bytes(), "e\u{301}");
    assert!(
        open(archive(&[Raw::stored(b"a", b""), Raw::stored(b"A", b"")])).is_ok(),
        "case tells apart"
    );
}

#[test]
fn what_the_directory_and_the_entry_tell_differently_is_refused() {
    let differs = ArchiveProblem::Damaged("the directory says something else of it than its own head");
    let entry = Raw::stored(b"shown", b"1");
    let other_name = Raw {
        head_name: Some(b"other"),
        ..entry.clone()
    };
    refused(&[other_name], "shown", differs);
    let elsewhere = Raw {
        header_at: Some(1),
        ..entry.clone()
    };
    refused(&[elsewhere], "shown", differs);
    let mut bytes = archive(&[entry]);
    bytes[14] ^= 1; // the checksum in the head
    assert_eq!(open(bytes).unwrap_err().1, differs);
}

/// One entry's bytes hold another entry whole: small archives unpack to endless ones that way.
#[test]
fn entries_that_overlap_are_refused() {
    let inner = Raw::stored(b"inner", b"data");
    let outer = Raw::stored(b"outer", &inner.head());
    let head_len = 30 + outer.name.len();
    let (mut bytes, mut directory) = (outer.head(), outer.in_directory(0));
    directory.extend(inner.in_directory(head_len as u32));
    let end = end(2, directory.len(), bytes.len(), b"");
    bytes.extend(directory);
    bytes.extend(end);
    assert_eq!(open(bytes).unwrap_err(), ("/inner".to_owned(), ArchiveProblem::Overlap));
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let zeros = vec![0; 4 << 20];
    let bomb = Raw::deflated(b"bomb", &zeros);
    let packed = bomb.data.len() as u64;
    let expected = ArchiveProblem::Ratio {
        packed,
        bytes: 4 << 20,
        limit: 200,
    };
    refused(std::slice::from_ref(&bomb), "bomb", expected);

    let with = |change: &dyn Fn(&mut ZipLimits), entries: &[Raw]| {
        let mut limits = ZipLimits::default();
        change(&mut limits);
        ZipSource::from_bytes_with("test.zip", archive(entries), &limits).map_err(|error| match error {
            Error::Archive { problem, .. } => problem,
            other => unreachable!("another kind of error: {other}"),
        })
    };
    let wide = with(&|limits| limits.ratio = 2000, std::slice::from_ref(&bomb)).unwrap();
    assert_eq!(wide.read(&path("/bomb"), 4 << 20).unwrap(), zeros);
    assert!(matches!(
        wide.read(&path("/bomb"), (4 << 20) - 1),
        Err(Error::TooLarge { .. })
    ));

    let (bytes, limit) = (5, 4);
    let five = Raw::stored(b"a", b"12345");
    let too_large = with(&|limits| limits.file_bytes = 4, std::slice::from_ref(&five)).unwrap_err();
    assert_eq!(too_large, ArchiveProblem::TooLarge { bytes, limit });
    assert!(with(&|limits| limits.file_bytes = 5, std::slice::from_ref(&five)).is_ok());
    let other = Raw {
        name: b"b",
        ..five.clone()
    };
    let total = with(&|limits| limits.total_bytes = 9, &[five.clone(), other.clone()]).unwrap_err();
    assert_eq!(total, ArchiveProblem::TotalTooLarge { bytes: 10, limit: 9 });
    assert_eq!(
        total.to_string(),
        "with it the files have 10 bytes, more than the 9 allowed for all"
    );
    assert!(with(&|limits| limits.total_bytes = 10, &[five.clone(), other.clone()]).is_ok());
    let many = with(&|limits| limits.entries = 1, &[five, other]).unwrap_err();
    assert_eq!(many, ArchiveProblem::TooManyEntries { entries: 2, limit: 1 });
}

/// Files that unpack to more, to less or to other content than they say.
#[test]
fn a_file_that_lies_of_its_content_is_not_handed_out() {
    let long = Raw {
        len: 9,
        ..Raw::deflated(b"a", b"0123456789")
    };
    let short = Raw {
        len: 11,
        ..Raw::deflated(b"a", b"0123456789")
    };
    let other = Raw {
        checksum: 1,
        ..Raw::deflated(b"a", b"0123456789")
    };
    let mut hides = Raw::deflated(b"a", b"0123456789");
    hides.data.extend(b"hidden");
    let mut broken = Raw::deflated(b"a", b"0123456789");
    broken.data[0] ^= 0xff;
    for lie in [long, short, other, hides, broken] {
        let source = open(archive(&[lie, Raw::stored(b"b", b"fine")])).unwrap();
        let error = source.read(&path("/a"), 99).unwrap_err();
        assert!(
            matches!(&error, Error::Archive { entry, problem: ArchiveProblem::Content, .. } if entry == "/a"),
            "{error}"
        );
        assert_eq!(source.read(&path("/b"), 99).unwrap(), b"fine", "the rest can be read");
    }
}

#[test]
fn what_is_no_archive_or_a_part_of_one_is_refused() {
    let whole = archive(&[Raw::stored(b"a", b"1"), Raw::deflated(b"b", b"22")]);
    assert!(open(whole.clone()).is_ok());
    assert_eq!(
        open(b"not an archive".to_vec()).unwrap_err().1,
        ArchiveProblem::NotAnArchive
    );
    assert_eq!(open(Vec::new()).unwrap_err().1, ArchiveProblem::NotAnArchive);
    for len in 0..whole.len() {
        assert!(open(whole[..len].to_vec()).is_err(), "cut to {len} bytes");
        assert!(
            open(whole[whole.len() - len..].to_vec()).is_err(),
            "the last {len} bytes"
        );
    }
    let mut ends_twice = whole.clone();
    let at = ends_twice.len() - 2;
    ends_twice.truncate(at);
    let second = end(0, 0, at + 2, b"");
    ends_twice.extend((second.len() as u16).to_le_bytes());
    ends_twice.extend(second);
    assert_eq!(
        open(ends_twice).unwrap_err().1,
        ArchiveProblem::Damaged("it has two ends")
    );
    let mut commented = whole;
    let at = commented.len() - 2;
    commented.truncate(at);
    commented.extend(b"\x05\x00hello");
    assert!(open(commented).is_ok());
}

/// Every single bit flipped: it is refused, or what is read is what was packed, or the read says that it is not.
#[test]
fn no_flipped_bit_is_read_as_other_content() {
    let whole = archive(&[
        Raw::stored(b"a/b", b"stored"),
        Raw::deflated(b"c", b"deflated deflated deflated"),
    ]);
    let files: [(&str, &[u8]); 2] = [("/a/b", b"stored"), ("/c", b"deflated deflated deflated")];
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(source) = open(bytes) else {
            continue;
        };
        for (file, content) in files {
            if let Ok(read) = source.read(&path(file), 99) {
                assert_eq!(read, content, "bit {bit}");
            }
        }
    }
}

#[test]
fn a_file_that_is_no_archive_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("a.zip");
    assert!(matches!(ZipSource::open(&at), Err(Error::Mount { .. })));
    assert!(matches!(ZipSource::open(folder.path()), Err(Error::Mount { .. })));
    std::fs::write(&at, b"text").unwrap();
    let error = ZipSource::open(&at).unwrap_err();
    assert!(
        error.to_string().ends_with("is refused: it is not a zip archive"),
        "{error}"
    );
    // One that is cut while it is open tells so.
    std::fs::write(&at, packed(&[("/a", &[1; 9])])).unwrap();
    let source = ZipSource::open(&at).unwrap();
    std::fs::write(&at, b"").unwrap();
    assert!(matches!(source.read(&path("/a"), 99), Err(Error::Archive { .. })));
}
