//! Rules of the types whose payload is a model or a picture in a form of its own: `mesh`, `gaussianSplat`, `pixelTemplate`.
//! Heads, versions and sizes are looked at; what only the system can tell that draws it is told there.

use serde_json::json;
use zero_vfs::VfsPath;
use zero_yaml::Node;

use super::graph_file::{plain, position};
use super::held::{Codes, Held};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::value::Value;

const MESH: Codes = Codes {
    broken: "mesh.broken",
    unknown: "mesh.unknown_key",
};
const SPLAT: Codes = Codes {
    broken: "gaussianSplat.broken",
    unknown: "gaussianSplat.unknown_key",
};
/// The most bytes of a payload that is looked at.
const MAX_BYTES: u64 = 1 << 30;

/// The file that `payload` names, where it is one of these extensions and here.
fn payload(
    held: &mut Held<'_>,
    inner: &str,
    codes: Codes,
    code: &'static str,
    ext: &[&str],
    read: impl FnOnce(&mut Reader<'_>, Keys<'_>),
    known: &[&str],
) -> Option<VfsPath> {
    let named = held.yaml(inner, codes, &Format::FIRST, |reader, tree: &Node| {
        let keys = reader.keys(tree, &format!("a {inner}"), known)?;
        read(reader, keys);
        let name = reader.needed_text(keys, "payload")?;
        Some((name, keys.get("payload").map_or(tree.at, |node| node.at)))
    });
    let ((name, at), file) = (named?, held.file(inner)?);
    let fits = ext.iter().any(|ext| name.ends_with(&format!(".{ext}")));
    let found = held.file(&name).filter(|_| fits);
    if found.is_none() {
        let message = match fits {
            true => format!("`{name}` is not here"),
            false => format!(
                "`{name}` is no payload: a file that ends in {}",
                super::held::quoted(ext.iter().copied())
            ),
        };
        held.tell(Diagnostic::error(code, &file, message).at(at));
    }
    found
}

pub(super) fn mesh(held: &mut Held<'_>) {
    const CODE: &str = "mesh.payload";
    let known = ["version", "payload", "materials"];
    let read = |reader: &mut Reader<'_>, keys: Keys<'_>| drop(reader.texts(keys, "materials"));
    let Some(file) = payload(held, "mesh.yaml", MESH, CODE, &["glb"], read, &known) else {
        return;
    };
    let Some(bytes) = held.bytes(CODE, &file, MAX_BYTES) else {
        return;
    };
    if let Err(message) = glb(&bytes) {
        held.tell(Diagnostic::error(CODE, &file, message));
    }
}

/// The JSON of a binary glTF (glTF 2.0, section 4.4): a head of 12 bytes, then chunks, of which the first is JSON.
fn glb(bytes: &[u8]) -> Result<Value, String> {
    let word = |at: usize| {
        bytes
            .get(at..at + 4)
            .and_then(|four| Some(u32::from_le_bytes(four.try_into().ok()?)))
    };
    if !bytes.starts_with(b"glTF") {
        return Err("it does not begin with `glTF`: this is no binary glTF".to_owned());
    }
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(format!("it has {} bytes, and its head alone 12", bytes.len()));
    };
    if version != 2 {
        return Err(format!("it is glTF of version {version}, and version 2 is read"));
    }
    if length as usize != bytes.len() {
        return Err(format!(
            "it says that it has {length} bytes, and {} are here",
            bytes.len()
        ));
    }
    let (mut at, mut json) = (12usize, None);
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (word(at), bytes.get(at + 4..at + 8)) else {
            return Err(format!("the chunk at byte {at} has no head"));
        };
        let body = bytes.get(at + 8..).and_then(|rest| rest.get(..length as usize));
        let Some(body) = body else {
            return Err(format!(
                "the chunk at byte {at} says {length} bytes, more than are here"
            ));
        };
        if at == 12 {
            if kind != b"JSON" {
                return Err("its first chunk is not JSON".to_owned());
            }
            json = Some(serde_json::from_slice(body).map_err(|error| format!("its JSON is none: {error}"))?);
        }
        at += 8 + length as usize;
    }
    json.ok_or_else(|| "it holds no chunk".to_owned())
}

pub(super) fn mesh_detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data("mesh.yaml")?;
    let file = held.file(data.get("payload")?.as_str()?)?;
    let bytes = held.bytes("", &file, MAX_BYTES)?;
    let json = glb(&bytes).ok()?;
    let count = |key: &str| json.get(key).and_then(Value::as_array).map_or(0, Vec::len);
    Some(json!({
        "bytes": bytes.len(),
        "materials": data.get("materials"),
        "meshes": count("meshes"),
        "nodes": count("nodes"),
    }))
}

pub(super) fn splat(held: &mut Held<'_>) {
    const CODE: &str = "gaussianSplat.payload";
    let known = ["version", "payload", "convention"];
    let read = |reader: &mut Reader<'_>, keys: Keys<'_>| {
        if let Some(node) = keys.get("convention") {
            reader.word(node, "`convention`", &[("rightDownFront", ()), ("engineNative", ())]);
        }
    };
    let Some(file) = payload(held, "splat.yaml", SPLAT, CODE, &["spz", "ply"], read, &known) else {
        return;
    };
    let Some(bytes) = held.bytes(CODE, &file, MAX_BYTES) else {
        return;
    };
    let looked = match file.extension() {
        Some("ply") => ply(&bytes).map(drop),
        _ => spz(&bytes),
    };
    if let Err(message) = looked {
        held.tell(Diagnostic::error(CODE, &file, message));
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

/// That a file is an SPZ: packed by gzip (versions 1 to 3), or with its own head in the open (version 4).
fn spz(bytes: &[u8]) -> Result<(), String> {
    let is_one = bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(b"NGSP");
    match is_one {
        true => Ok(()),
        false => Err("it begins neither as gzip does nor with `NGSP`: this is no SPZ".to_owned()),
    }
}

pub(super) fn splat_detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data("splat.yaml")?;
    let file = held.file(data.get("payload")?.as_str()?)?;
    let bytes = held.bytes("", &file, MAX_BYTES)?;
    let splats = ply(&bytes).ok();
    Some(json!({ "bytes": bytes.len(), "convention": data.get("convention"), "splats": splats }))
}

const SHEET_FILE: &str = "template.pixbin";
const SHEET: &str = "pixelTemplate.broken";
const SHEET_VERSION: u64 = 1;
const MAX_SIDE: u64 = 4096;
const MAX_FRAMES: usize = 1024;

pub(super) fn pixels(held: &mut Held<'_>) {
    let Some(file) = held.file(SHEET_FILE) else { return };
    let Some(bytes) = held.bytes(SHEET, &file, MAX_BYTES) else {
        return;
    };
    match serde_json::from_slice::<Value>(&bytes) {
        Err(error) => {
            let message = format!("this is no JSON: {}", plain(&error));
            held.tell(Diagnostic::error(SHEET, &file, message).at(position(&error)));
        }
        Ok(sheet) => held.tell_all(
            wrong_in(&sheet)
                .into_iter()
                .map(|message| Diagnostic::error(SHEET, &file, message)),
        ),
    }
}

/// What of a sheet is none.
fn wrong_in(sheet: &Value) -> Vec<String> {
    let whole = |key: &str| sheet.get(key).and_then(Value::as_u64);
    match whole("version") {
        Some(1..=SHEET_VERSION) => {}
        Some(found) => {
            return vec![format!(
                "it is of version {found}; this program reads versions up to {SHEET_VERSION}"
            )];
        }
        None => return vec!["it does not say its `version`".to_owned()],
    }
    let mut wrong = Vec::new();
    for key in ["width", "height"] {
        if whole(key).is_none_or(|side| !(1..=MAX_SIDE).contains(&side)) {
            wrong.push(format!("`{key}` is 1 to {MAX_SIDE}, and {} is here", shown(sheet, key)));
        }
    }
    let number = |key: &str| sheet.get(key).and_then(Value::as_f64);
    if number("pixelSize").is_none_or(|size| !(size > 0.0 && size <= 1000.0)) {
        wrong.push(format!(
            "`pixelSize` is more than 0 and at most 1000 metres, and {} is here",
            shown(sheet, "pixelSize")
        ));
    }
    if !matches!(sheet.get("plane").and_then(Value::as_str), Some("xy" | "xz" | "yz")) {
        wrong.push(format!(
            "`plane` is one of `xy`, `xz`, `yz`, and {} is here",
            shown(sheet, "plane")
        ));
    }
    if number("rate").is_none_or(|rate| rate <= 0.0) {
        wrong.push(format!("`rate` is more than 0, and {} is here", shown(sheet, "rate")));
    }
    if !sheet.get("loop").is_some_and(Value::is_boolean) {
        wrong.push(format!("`loop` is true or false, and {} is here", shown(sheet, "loop")));
    }
    let colors = sheet
        .get("palette")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    if !(1..=256).contains(&colors.len()) {
        wrong.push(format!("`palette` has 1 to 256 colours, and {} are here", colors.len()));
    }
    let is_color = |color: &Value| {
        let digits = color.as_str().and_then(|text| text.strip_prefix('#'));
        digits.is_some_and(|digits| {
            [3, 4, 6, 8].contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
    };
    if let Some((at, color)) = colors.iter().enumerate().find(|(_, color)| !is_color(color)) {
        wrong.push(format!(
            "entry {at} of `palette` is {color}, and a colour is `#rrggbb` or `#rrggbbaa`"
        ));
    }
    if wrong.is_empty() {
        let pixels = whole("width").unwrap_or(0) * whole("height").unwrap_or(0);
        wrong.extend(frames(sheet, pixels, colors.len() as u64));
    }
    wrong
}

/// What is wrong with the pixels of a sheet and of its frames.
fn frames(sheet: &Value, pixels: u64, colors: u64) -> Option<String> {
    let check = |what: &str, frame: Option<&Value>| -> Option<String> {
        let Some(entries) = frame.and_then(Value::as_array) else {
            return Some(format!("{what} is no list of entries of the palette"));
        };
        if entries.len() as u64 != pixels {
            return Some(format!(
                "{what} holds {} pixels, and the sheet has {pixels}",
                entries.len()
            ));
        }
        let outside = |entry: &&Value| entry.as_u64().is_none_or(|entry| entry >= colors);
        let entry = entries.iter().find(outside)?;
        Some(format!(
            "{what} holds {entry}, and the palette has entries 0 to {}",
            colors - 1
        ))
    };
    if let Some(wrong) = check("`pixels`", sheet.get("pixels")) {
        return Some(wrong);
    }
    let frames = match sheet.get("frames") {
        None => return None,
        Some(Value::Array(frames)) if (1..=MAX_FRAMES).contains(&frames.len()) => frames,
        Some(_) => return Some(format!("`frames` is a list of 1 to {MAX_FRAMES} frames")),
    };
    let wrong = frames
        .iter()
        .enumerate()
        .find_map(|(at, frame)| check(&format!("frame {at}"), Some(frame)));
    if wrong.is_some() {
        return wrong;
    }
    let active = sheet.get("active").map_or(Some(0), Value::as_u64);
    let shown_frame = active.and_then(|active| frames.get(usize::try_from(active).ok()?));
    match shown_frame {
        None => Some(format!(
            "`active` is 0 to {}, and {} is here",
            frames.len() - 1,
            shown(sheet, "active")
        )),
        Some(frame) if Some(frame) != sheet.get("pixels") => {
            Some("`pixels` is not what the active frame holds".to_owned())
        }
        Some(_) => None,
    }
}

fn shown(sheet: &Value, key: &str) -> String {
    sheet.get(key).map_or_else(|| "nothing".to_owned(), Value::to_string)
}

pub(super) fn sheet_detail(held: &mut Held<'_>) -> Option<Value> {
    let file = held.file(SHEET_FILE)?;
    let bytes = held.bytes("", &file, MAX_BYTES)?;
    let sheet: Value = serde_json::from_slice(&bytes).ok()?;
    let said = |key: &str| sheet.get(key).cloned();
    let frames = sheet.get("frames").and_then(Value::as_array).map_or(1, Vec::len);
    Some(json!({
        "frames": frames,
        "height": said("height"),
        "loop": said("loop").filter(|_| frames > 1),
        "palette": said("palette"),
        "pixelSize": said("pixelSize"),
        "plane": said("plane"),
        "rate": said("rate").filter(|_| frames > 1),
        "width": said("width"),
    }))
}
