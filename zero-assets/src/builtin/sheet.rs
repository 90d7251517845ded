//! Rules of `pixelTemplate`: a sheet whose pixels, palette and frames fit each other.

use serde_json::json;

use super::held::Held;
use super::payload::MAX_BYTES;
use crate::diagnostic::Diagnostic;
use crate::structured::{json_message, json_position};
use crate::value::Value;

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
            let message = format!("this is no JSON: {}", json_message(&error));
            held.tell(Diagnostic::error(SHEET, &file, message).at(json_position(&error)));
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

pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
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
