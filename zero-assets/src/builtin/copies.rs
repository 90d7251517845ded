//! Rules of `population`, and of the files that say where copies stand; and of `effect`.

use serde_json::json;
use zero_vfs::VfsPath;
use zero_yaml::{Node, Position};

use super::held::{Codes, Held, finite};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::Reader;
use crate::value::Value;

const POPULATION: Codes = Codes {
    broken: "population.broken",
    unknown: "population.unknown_key",
};
const EFFECT: Codes = Codes {
    broken: "effect.broken",
    unknown: "effect.unknown_key",
};
const FILE: &str = "population.yaml";

/// The bytes before the copies: `ZINS`, the version, the number of copies.
const HEAD: usize = 12;
/// Of a copy: five floats.
const COPY: usize = 20;
/// The hash that ends the file.
const TAIL: usize = 8;
const VERSION: u32 = 1;
/// The most bytes of a file: 16 million copies.
const MAX_BYTES: u64 = (HEAD + TAIL) as u64 + COPY as u64 * (1 << 24);

struct Piece {
    instances: (String, Position),
    count: Option<(u64, Position)>,
}

pub(super) fn population(held: &mut Held<'_>) {
    let pieces = held.yaml(FILE, POPULATION, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(tree, "a population.yaml", &["version", "pieces"])?;
        if keys.get("pieces").is_none() {
            reader.wrong(tree.at, "the key `pieces` is missing");
        }
        let items = reader.items(keys, "pieces").iter();
        Some(items.filter_map(|item| piece(reader, item)).collect::<Vec<_>>())
    });
    let (Some(pieces), Some(file)) = (pieces, held.file(FILE)) else {
        return;
    };
    for piece in pieces {
        copies(held, &file, &piece);
    }
}

fn piece(reader: &mut Reader<'_>, node: &Node) -> Option<Piece> {
    let keys = reader.keys(node, "a piece", &["mesh", "material", "instances", "count"])?;
    let at = |key: &str| keys.get(key).map_or(node.at, |node| node.at);
    // Whether assets answer to the names is told with all names that an asset carries.
    reader.needed_text(keys, "mesh")?;
    reader.text_of(keys, "material");
    Some(Piece {
        instances: (reader.needed_text(keys, "instances")?, at("instances")),
        count: reader.count(keys, "count").map(|count| (count, at("count"))),
    })
}

fn copies(held: &mut Held<'_>, file: &VfsPath, piece: &Piece) {
    let (name, at) = &piece.instances;
    let Some(path) = held.file(name) else {
        let message = format!("`{name}` is not here");
        return held.tell(Diagnostic::error("population.child", file, message).at(*at));
    };
    let Some(bytes) = held.bytes(POPULATION.broken, &path, MAX_BYTES) else {
        return;
    };
    match count(&bytes) {
        Err(message) => held.tell(Diagnostic::error(POPULATION.broken, &path, message)),
        Ok(found) => {
            if let Some((said, at)) = piece.count.filter(|(said, _)| *said != u64::from(found)) {
                let message = format!("{said} copies are said, and `{name}` holds {found}");
                held.tell(Diagnostic::error("population.count", file, message).at(at));
            }
        }
    }
}

/// How many copies a file of them holds.
fn count(bytes: &[u8]) -> Result<u32, String> {
    let word = |at: usize| {
        bytes
            .get(at..at + 4)
            .and_then(|four| Some(u32::from_le_bytes(four.try_into().ok()?)))
    };
    let (Some(version), Some(count)) = (word(4), word(8)) else {
        return Err(format!("it has {} bytes, and its head alone {HEAD}", bytes.len()));
    };
    if !bytes.starts_with(b"ZINS") {
        return Err("it does not begin with `ZINS`: this is no file of copies".to_owned());
    }
    if !(1..=VERSION).contains(&version) {
        return Err(format!(
            "it is of version {version}; this program reads versions up to {VERSION}"
        ));
    }
    let expected = HEAD as u64 + COPY as u64 * u64::from(count) + TAIL as u64;
    if bytes.len() as u64 != expected {
        return Err(format!(
            "{count} copies have {expected} bytes, and {} are here",
            bytes.len()
        ));
    }
    let (held, tail) = bytes.split_at(bytes.len() - TAIL);
    if tail != fnv(held).to_le_bytes() {
        return Err("its hash is not that of its bytes: it is damaged".to_owned());
    }
    let floats = held[HEAD..]
        .chunks_exact(4)
        .filter_map(|four| Some(f32::from_le_bytes(four.try_into().ok()?)));
    match floats.enumerate().find(|(_, float)| !float.is_finite()) {
        Some((at, float)) => Err(format!("copy {} holds {float}, which is no finite number", at / 5)),
        None => Ok(count),
    }
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo).
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

pub(super) fn population_detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data(FILE)?;
    let pieces = data
        .get("pieces")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let counts = pieces.iter().filter_map(|piece| piece.get("count")?.as_u64());
    Some(json!({ "copies": counts.sum::<u64>(), "pieces": pieces }))
}

pub(super) fn effect(held: &mut Held<'_>) {
    held.yaml("effect.yaml", EFFECT, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(
            tree,
            "an effect.yaml",
            &["version", "graph", "seconds", "loop", "warmup"],
        )?;
        reader.needed_text(keys, "graph");
        reader.flag(keys, "loop", false);
        let Some(node) = keys.get("seconds") else {
            reader.wrong(tree.at, "the key `seconds` is missing");
            return None;
        };
        let seconds = finite(reader, node, "`seconds`")?;
        if seconds <= 0.0 {
            reader.wrong(node.at, format!("`seconds` is more than 0, and {seconds} is here"));
        }
        if let Some(node) = keys.get("warmup")
            && let Some(warmup) = finite(reader, node, "`warmup`").filter(|warmup| !(0.0..=seconds).contains(warmup))
        {
            reader.wrong(
                node.at,
                format!("`warmup` is 0 to `seconds` ({seconds}), and {warmup} is here"),
            );
        }
        Some(())
    });
}

pub(super) fn effect_detail(held: &mut Held<'_>) -> Option<Value> {
    held.data("effect.yaml")
}
