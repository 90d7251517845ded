//! Records as bytes: what a group is while it is away, in memory and in a file alike.
//!
//! Little endian: the magic `ZSTR`, the version 1 (u16), the number of records (u32); then of each record its parent
//! (u32, all ones for none), position (3 f32), rotation (4 f32, x y z w), scale (3 f32), the length of its data (u32) and
//! the data; then the 64-bit FNV-1a hash of everything before it.

use crate::record::check_forest;
use crate::{Error, Record, Result, Transform};
use glam::{Quat, Vec3};

const MAGIC: [u8; 4] = *b"ZSTR";
const VERSION: u16 = 1;
const NO_PARENT: u32 = u32::MAX;
const HEAD_BYTES: usize = 10;
const RECORD_BYTES: usize = 48;
const HASH_BYTES: usize = 8;

/// The bytes that [`encode_records`] makes of these records.
pub fn encoded_len(records: &[Record]) -> usize {
    let data: usize = records.iter().map(|record| record.data.len()).sum();
    HEAD_BYTES + records.len() * RECORD_BYTES + data + HASH_BYTES
}

/// The bytes of these records.
///
/// # Errors
/// No record at all, a number that is not finite, a rotation of length 0, a parent that does not come before its child.
pub fn encode_records(records: &[Record]) -> Result<Vec<u8>> {
    check_forest("the records to encode", records)?;
    Ok(encode_checked(records))
}

/// [`encode_records`] of what was checked.
pub(crate) fn encode_checked(records: &[Record]) -> Vec<u8> {
    let mut out = Vec::with_capacity(encoded_len(records));
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(records.len() as u32).to_le_bytes());
    for record in records {
        let Transform {
            position,
            rotation,
            scale,
        } = record.transform;
        out.extend_from_slice(&record.parent.unwrap_or(NO_PARENT).to_le_bytes());
        let numbers = position
            .to_array()
            .into_iter()
            .chain(rotation.to_array())
            .chain(scale.to_array());
        for number in numbers {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&(record.data.len() as u32).to_le_bytes());
        out.extend_from_slice(&record.data);
    }
    let hash = fnv1a(&out);
    out.extend_from_slice(&hash.to_le_bytes());
    out
}

/// The hash that encoded records end in.
pub(crate) fn seal_of(encoded: &[u8]) -> [u8; HASH_BYTES] {
    encoded.last_chunk().copied().unwrap_or_default()
}

/// The records of these bytes.
///
/// # Errors
/// Bytes of another format or version, cut short, changed or followed by others; records that [`encode_records`] would
/// refuse.
pub fn decode_records(bytes: &[u8]) -> Result<Vec<Record>> {
    let mut reader = Reader { bytes, at: 0 };
    let magic = reader.take::<4>("the magic `ZSTR`")?;
    if magic != MAGIC {
        return Err(bad(0, "the magic `ZSTR`", magic.escape_ascii()));
    }
    let version = u16::from_le_bytes(reader.take("the version")?);
    if version != VERSION {
        return Err(bad(4, format!("version {VERSION}"), format!("version {version}")));
    }
    let body = bytes.len().saturating_sub(HASH_BYTES);
    let stated = bytes
        .get(body..)
        .and_then(|hash| hash.try_into().ok())
        .map(u64::from_le_bytes);
    let found = fnv1a(bytes.get(..body).unwrap_or_default());
    if stated != Some(found) {
        return Err(bad(
            body,
            format!("the hash {found:016x} of the bytes before it"),
            text_of(stated),
        ));
    }
    let count = reader.u32("the number of records")? as usize;
    // What is left bounds the number, so that a false one reserves nothing.
    let most = body.saturating_sub(HEAD_BYTES) / RECORD_BYTES;
    if count > most {
        return Err(bad(
            6,
            format!("at most {most} records in {} bytes", bytes.len()),
            count,
        ));
    }
    let mut records = Vec::with_capacity(count);
    for _ in 0..count {
        records.push(reader.record()?);
    }
    if reader.at != body {
        return Err(bad(
            reader.at,
            format!("the hash, {HASH_BYTES} bytes before the end"),
            "other bytes",
        ));
    }
    check_forest("the encoded records", &records)?;
    Ok(records)
}

fn text_of(hash: Option<u64>) -> String {
    hash.map_or_else(|| "the end".to_owned(), |hash| format!("{hash:016x}"))
}

fn bad(offset: usize, expected: impl Into<String>, found: impl ToString) -> Error {
    Error::Encoding {
        offset,
        expected: expected.into(),
        found: found.to_string(),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn slice(&mut self, len: usize, what: &str) -> Result<&[u8]> {
        let end = self.at.checked_add(len);
        let Some(slice) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            let left = self.bytes.len() - self.at;
            return Err(bad(self.at, format!("{len} bytes of {what}"), format!("{left} bytes")));
        };
        self.at += len;
        Ok(slice)
    }

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.slice(N, what)?);
        Ok(out)
    }

    fn u32(&mut self, what: &str) -> Result<u32> {
        self.take(what).map(u32::from_le_bytes)
    }

    fn floats<const N: usize>(&mut self, what: &str) -> Result<[f32; N]> {
        let mut out = [0.0; N];
        for value in &mut out {
            *value = f32::from_le_bytes(self.take(what)?);
        }
        Ok(out)
    }

    fn record(&mut self) -> Result<Record> {
        let parent = self.u32("a parent")?;
        let transform = Transform {
            position: Vec3::from_array(self.floats("a position")?),
            rotation: Quat::from_array(self.floats("a rotation")?),
            scale: Vec3::from_array(self.floats("a scale")?),
        };
        let len = self.u32("the length of the data")? as usize;
        let data = self.slice(len, "data")?.to_vec();
        let parent = (parent != NO_PARENT).then_some(parent);
        Ok(Record {
            transform,
            parent,
            data,
        })
    }
}

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
