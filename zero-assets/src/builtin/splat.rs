//! Rules of `gaussianSplat`: a capture whose head, version and size fit each other.

use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::json;
use zero_vfs::VfsPath;

use super::held::{Codes, Held};
use super::payload::{MAX_BYTES, named};
use crate::diagnostic::Diagnostic;
use crate::reader::{Keys, Reader};
use crate::value::Value;

const CODES: Codes = Codes {
    broken: "gaussianSplat.broken",
    unknown: "gaussianSplat.unknown_key",
};
const FILE: &str = "splat.yaml";
const SPZ_MAGIC: &[u8] = b"NGSP";
/// The bytes of the head that versions 1 to 3 pack.
const SPZ_HEAD: usize = 16;
/// The bytes of the head of version 4.
const SPZ_OPEN_HEAD: usize = 32;
/// The bytes of a splat's harmonics by their degree: three colours of 0, 3, 8, 15 and 24 coefficients.
const SPZ_HARMONICS: [u64; 5] = [0, 9, 24, 45, 72];

pub(super) fn splat(held: &mut Held<'_>) {
    const CODE: &str = "gaussianSplat.payload";
    let known = ["version", "payload", "convention"];
    let read = |reader: &mut Reader<'_>, keys: Keys<'_>| {
        if let Some(node) = keys.get("convention") {
            reader.word(node, "`convention`", &[("rightDownFront", ()), ("engineNative", ())]);
        }
    };
    let Some(file) = named(held, FILE, CODES, CODE, &["spz", "ply"], read, &known) else {
        return;
    };
    let Some(bytes) = held.bytes(CODE, &file, MAX_BYTES) else {
        return;
    };
    if let Err(message) = splats(&file, &bytes) {
        held.tell(Diagnostic::error(CODE, &file, message));
    }
}

/// How many splats a payload holds.
fn splats(file: &VfsPath, bytes: &[u8]) -> Result<u64, String> {
    match file.extension() {
        Some("ply") => ply(bytes),
        _ => spz(bytes),
    }
}

/// What every splat of a capture has.
const PLY_PROPERTIES: &[&str] = &[
    "x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2",
    "rot_3",
];

/// How many splats a PLY says that it holds, after its head and its size were looked at.
fn ply(bytes: &[u8]) -> Result<u64, String> {
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).take(64 << 10).position(|window| window == END);
    let Some(head) = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok()) else {
        return Err("it has no head that ends in `end_header`: this is no PLY".to_owned());
    };
    let mut lines = head.lines().map(str::trim);
    if lines.next() != Some("ply") {
        return Err("it does not begin with `ply`: this is no PLY".to_owned());
    }
    let (mut count, mut properties, mut is_vertex) = (None, Vec::new(), false);
    for line in lines {
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["format", "binary_little_endian", "1.0"] => {}
            ["format", ..] => {
                return Err(format!(
                    "its form is `{line}`, and `format binary_little_endian 1.0` is read"
                ));
            }
            ["element", "vertex", number] => {
                is_vertex = true;
                count = Some(
                    number
                        .parse::<u64>()
                        .map_err(|_| format!("`{number}` is no number of vertices"))?,
                );
            }
            ["element", ..] => is_vertex = false,
            ["property", "float", name] if is_vertex => properties.push(name),
            ["property", kind, name] if is_vertex => {
                return Err(format!("`{name}` is of type {kind}, and every property is a float"));
            }
            _ => {}
        }
    }
    let count = count.ok_or("it declares no vertices")?;
    if let Some(missing) = PLY_PROPERTIES.iter().find(|name| !properties.contains(name)) {
        return Err(format!("its vertices have no `{missing}`"));
    }
    let here = (bytes.len() - head.len() - END.len()) as u64;
    let needed = count.saturating_mul(4 * properties.len() as u64);
    match needed <= here {
        true => Ok(count),
        false => Err(format!("{count} splats have {needed} bytes, and {here} are here")),
    }
}

/// How many splats an SPZ says that it holds, after its head and its size were looked at (`nianticlabs/spz`, README and
/// `load-spz.cc`): versions 1 to 3 are packed by gzip as a whole, version 4 has its head in the open.
fn spz(bytes: &[u8]) -> Result<u64, String> {
    if bytes.starts_with(SPZ_MAGIC) {
        let head = bytes.first_chunk::<SPZ_OPEN_HEAD>();
        let head = head.ok_or_else(|| format!("it has {} bytes, and its head alone {SPZ_OPEN_HEAD}", bytes.len()))?;
        return match word(head, 4) {
            4 => Ok(word(head, 8)),
            version => Err(format!(
                "it is SPZ of version {version} in the open, and version 4 is read"
            )),
        };
    }
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Err("it begins neither as gzip does nor with `NGSP`: this is no SPZ".to_owned());
    }
    let mut packed = GzDecoder::new(bytes);
    let mut head = [0; SPZ_HEAD];
    packed
        .read_exact(&mut head)
        .map_err(|error| format!("its head cannot be unpacked: {error}"))?;
    if !head.starts_with(SPZ_MAGIC) {
        return Err("what it packs does not begin with `NGSP`: this is no SPZ".to_owned());
    }
    let (version, count) = (word(&head, 4), word(&head, 8));
    let (position, rotation) = match version {
        1 => (6, 3),
        2 => (9, 3),
        3 => (9, 4),
        _ => return Err(format!("it is SPZ of version {version}, and versions 1 to 4 are read")),
    };
    let degree = head[12];
    let Some(harmonics) = SPZ_HARMONICS.get(usize::from(degree)) else {
        return Err(format!("its harmonics are of degree {degree}, and 0 to 4 are read"));
    };
    // Positions, then opacity, colour, scale, rotation and harmonics of a splat.
    let needed = count * (position + 1 + 3 + 3 + rotation + harmonics);
    // No more is unpacked than is needed, whatever a file says of itself; what follows are extensions.
    let here = std::io::copy(&mut packed.take(needed), &mut std::io::sink());
    match here.map_err(|error| format!("it cannot be unpacked: {error}"))? {
        here if here == needed => Ok(count),
        here => Err(format!("{count} splats have {needed} bytes, and {here} are here")),
    }
}

/// The four bytes from `at` on.
fn word(head: &[u8], at: usize) -> u64 {
    let bytes = head.iter().skip(at).take(4);
    bytes.rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data(FILE)?;
    let file = held.file(data.get("payload")?.as_str()?)?;
    let bytes = held.bytes("", &file, MAX_BYTES)?;
    let splats = splats(&file, &bytes).ok();
    Some(json!({ "bytes": bytes.len(), "convention": data.get("convention"), "splats": splats }))
}
