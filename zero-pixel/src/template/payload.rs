//! `template.pixbin`: the sheet as JSON.
//!
//! ```json
//! {"version": 1, "width": 2, "height": 1, "pixelSize": 0.0625, "plane": "xy", "palette": ["#00000000", "#f4a13b"],
//!  "pixels": [0, 1], "frames": [[0, 1], [1, 0]], "active": 0, "rate": 8, "loop": true}
//! ```
//! `pixels` is the active frame. `frames` and `active` are there when the sheet has more than one.

use super::{PAYLOAD_FILE, PAYLOAD_VERSION};
use crate::canvas::{Canvas, MAX_FRAMES, MAX_PIXELS, check_frames, check_pixel_size, check_pixels, check_size};
use crate::color::Color;
use crate::error::{Error, Result};
use crate::frame::index;
use crate::palette::Palette;
use crate::plane::Plane;
use crate::playback::{Playback, Repeat, check_rate};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

const FIELDS: &[&str] = &[
    "version",
    "width",
    "height",
    "pixelSize",
    "plane",
    "palette",
    "pixels",
    "frames",
    "active",
    "rate",
    "loop",
];

pub(crate) fn write(canvas: &Canvas) -> Vec<u8> {
    let colors: Vec<String> = canvas
        .palette
        .colors()
        .iter()
        .map(|color| format!("\"{color}\""))
        .collect();
    let mut text = format!(
        "{{\n\"version\": {PAYLOAD_VERSION},\n\"width\": {},\n\"height\": {},\n\"pixelSize\": {},\n\"plane\": \"{}\",\n\"palette\": [{}],\n\"pixels\": ",
        canvas.width,
        canvas.height,
        canvas.pixel_size_m,
        canvas.plane,
        colors.join(", "),
    );
    write_pixels(canvas.pixels(), canvas.width, &mut text);
    if canvas.frames.len() > 1 {
        text.push_str(",\n\"frames\": [\n");
        for (at, frame) in canvas.frames.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { ",\n" });
            write_pixels(frame.pixels(), canvas.width, &mut text);
        }
        text.push_str("\n],\n\"active\": ");
        text.push_str(&canvas.active.to_string());
    }
    let repeats = canvas.repeat() == Repeat::Loop;
    text.push_str(&format!(
        ",\n\"rate\": {},\n\"loop\": {repeats}\n}}\n",
        canvas.rate_fps()
    ));
    text.into_bytes()
}

fn write_pixels(pixels: &[u8], width: u32, text: &mut String) {
    text.push('[');
    for (y, row) in pixels.chunks(index(width).max(1)).enumerate() {
        text.push_str(if y == 0 { "\n" } else { ",\n" });
        for (x, entry) in row.iter().enumerate() {
            text.push_str(if x == 0 { "" } else { "," });
            push_number(*entry, text);
        }
    }
    text.push_str("\n]");
}

/// A byte in decimal digits; `format!` takes most of the time of saving a large sheet.
fn push_number(n: u8, text: &mut String) {
    let digit = |n: u8| char::from(b'0' + n % 10);
    if n >= 100 {
        text.push(digit(n / 100));
    }
    if n >= 10 {
        text.push(digit(n / 10));
    }
    text.push(digit(n));
}

pub(crate) fn read(bytes: &[u8]) -> Result<Canvas> {
    let refused = |problem: String| Error::Template {
        file: PAYLOAD_FILE,
        problem,
    };
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let payload = reader
        .deserialize_map(PayloadVisitor)
        .map_err(|error| refused(error.to_string()))?;
    reader
        .end()
        .map_err(|error| refused(format!("after the object: {error}")))?;
    payload.into_canvas().map_err(refused)
}

/// The fields as they are written; what depends on more than one is checked when all are there.
#[derive(Default)]
pub(crate) struct Payload {
    version: Option<u32>,
    width: Option<u32>,
    height: Option<u32>,
    pixel_size: Option<f32>,
    plane: Option<String>,
    palette: Option<Vec<String>>,
    pixels: Option<Vec<u8>>,
    frames: Option<Vec<Vec<u8>>>,
    active: Option<u32>,
    rate: Option<f32>,
    repeats: Option<bool>,
}

impl Payload {
    /// The canvas, or the field and what is wrong with it.
    pub(crate) fn into_canvas(self) -> std::result::Result<Canvas, String> {
        let version = required("version", self.version)?;
        if version != PAYLOAD_VERSION {
            return Err(format!("`version`: expected {PAYLOAD_VERSION}, found {version}"));
        }
        let (width, height) = (required("width", self.width)?, required("height", self.height)?);
        check_size(width, height).map_err(|error| error.to_string())?;
        let pixel_size = required("pixelSize", self.pixel_size)?;
        check_pixel_size(pixel_size).map_err(in_field("pixelSize"))?;
        let plane: Plane = required("plane", self.plane)?.parse().map_err(in_field("plane"))?;
        let palette = read_palette(required("palette", self.palette)?)?;
        let pixels = required("pixels", self.pixels)?;
        check_pixels("`pixels`", width, height, &palette, &pixels).map_err(|error| error.to_string())?;
        let rate = required("rate", self.rate)?;
        check_rate(rate).map_err(in_field("rate"))?;
        let repeat = match required("loop", self.repeats)? {
            true => Repeat::Loop,
            false => Repeat::Once,
        };
        let (frames, active) = read_frames(self.frames, self.active, pixels, (width, height), &palette)?;
        let mut canvas = Canvas::with_frames(width, height, palette, frames);
        canvas.pixel_size_m = pixel_size;
        canvas.plane = plane;
        canvas.active = active;
        canvas.playback = Playback::new(rate, repeat);
        Ok(canvas)
    }
}

fn required<T>(field: &str, value: Option<T>) -> std::result::Result<T, String> {
    value.ok_or_else(|| format!("`{field}` is missing"))
}

fn in_field(field: &'static str) -> impl Fn(Error) -> String {
    move |error| format!("`{field}`: {error}")
}

fn read_palette(colors: Vec<String>) -> std::result::Result<Palette, String> {
    let color = |(at, text): (usize, &String)| -> std::result::Result<Color, String> {
        text.parse().map_err(|error: Error| format!("`palette[{at}]`: {error}"))
    };
    let colors: std::result::Result<Vec<Color>, String> = colors.iter().enumerate().map(color).collect();
    Palette::new(colors?).map_err(in_field("palette"))
}

type Frames = (Vec<Vec<u8>>, usize);

fn read_frames(
    frames: Option<Vec<Vec<u8>>>,
    active: Option<u32>,
    pixels: Vec<u8>,
    (width, height): (u32, u32),
    palette: &Palette,
) -> std::result::Result<Frames, String> {
    let Some(frames) = frames else {
        return match active {
            None | Some(0) => Ok((vec![pixels], 0)),
            Some(active) => Err(format!(
                "`active`: expected 0 where there are no `frames`, found {active}"
            )),
        };
    };
    check_frames(width, height, frames.len()).map_err(in_field("frames"))?;
    for (at, frame) in frames.iter().enumerate() {
        let what = format!("`frames[{at}]`");
        check_pixels(&what, width, height, palette, frame).map_err(|error| error.to_string())?;
    }
    let active = index(active.unwrap_or(0));
    match frames.get(active) {
        None => Err(format!("`active`: expected 0 to {}, found {active}", frames.len() - 1)),
        Some(shown) if *shown != pixels => Err(format!(
            "`pixels`: expected what `frames[{active}]` holds, found other pixels"
        )),
        Some(_) => Ok((frames, active)),
    }
}

/// Reads the object field by field, so that an error can say in which one it is.
pub(crate) struct PayloadVisitor;

impl<'de> Visitor<'de> for PayloadVisitor {
    type Value = Payload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the object of a pixel template")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Payload, A::Error> {
        let mut payload = Payload::default();
        while let Some(field) = map.next_key::<String>()? {
            let name = field.as_str();
            match name {
                "version" => set(name, &mut payload.version, map.next_value())?,
                "width" => set(name, &mut payload.width, map.next_value())?,
                "height" => set(name, &mut payload.height, map.next_value())?,
                "pixelSize" => set(name, &mut payload.pixel_size, map.next_value())?,
                "plane" => set(name, &mut payload.plane, map.next_value())?,
                "palette" => set(
                    name,
                    &mut payload.palette,
                    map.next_value_seed(List(Palette::MAX, Text)),
                )?,
                "pixels" => set(name, &mut payload.pixels, map.next_value_seed(entries()))?,
                "frames" => set(
                    name,
                    &mut payload.frames,
                    map.next_value_seed(List(MAX_FRAMES, entries())),
                )?,
                "active" => set(name, &mut payload.active, map.next_value())?,
                "rate" => set(name, &mut payload.rate, map.next_value())?,
                "loop" => set(name, &mut payload.repeats, map.next_value())?,
                _ => {
                    let known = FIELDS.join(", ");
                    return Err(A::Error::custom(format!(
                        "`{name}` is no field of a pixel template, which has {known}"
                    )));
                }
            }
        }
        Ok(payload)
    }
}

fn set<T, E: serde::de::Error>(
    field: &str,
    slot: &mut Option<T>,
    value: std::result::Result<T, E>,
) -> std::result::Result<(), E> {
    let value = value.map_err(|error| E::custom(format!("`{field}`: {error}")))?;
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::custom(format!("`{field}` is there twice"))),
    }
}

fn entries() -> List<Entry> {
    List(usize::try_from(MAX_PIXELS).unwrap_or(usize::MAX), Entry)
}

/// A sequence of at most so many elements; an error names the element.
#[derive(Clone, Copy)]
struct List<S>(usize, S);

/// A number of a palette entry.
#[derive(Clone, Copy)]
struct Entry;

/// A text.
#[derive(Clone, Copy)]
struct Text;

impl<'de> DeserializeSeed<'de> for Entry {
    type Value = u8;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<u8, D::Error> {
        serde::Deserialize::deserialize(from)
    }
}

impl<'de> DeserializeSeed<'de> for Text {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<String, D::Error> {
        serde::Deserialize::deserialize(from)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for List<S> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> Visitor<'de> for List<S> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of at most {}", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let at = list.len();
            if at == self.0 {
                return match seq.next_element::<IgnoredAny>()? {
                    None => Ok(list),
                    Some(_) => Err(A::Error::custom(format!(
                        "expected at most {} elements, found more",
                        self.0
                    ))),
                };
            }
            let element = seq.next_element_seed(self.1);
            match element.map_err(|error| A::Error::custom(format!("[{at}]: {error}")))? {
                Some(element) => list.push(element),
                None => return Ok(list),
            }
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Canvas {
    /// The fields of the payload.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut object = serializer.serialize_struct("Canvas", FIELDS.len())?;
        object.serialize_field("version", &PAYLOAD_VERSION)?;
        object.serialize_field("width", &self.width)?;
        object.serialize_field("height", &self.height)?;
        object.serialize_field("pixelSize", &self.pixel_size_m)?;
        object.serialize_field("plane", &self.plane)?;
        object.serialize_field("palette", &self.palette)?;
        object.serialize_field("pixels", self.pixels())?;
        let frames: Vec<&[u8]> = self.frames.iter().map(crate::frame::Frame::pixels).collect();
        object.serialize_field("frames", &frames)?;
        object.serialize_field("active", &self.active)?;
        object.serialize_field("rate", &self.rate_fps())?;
        object.serialize_field("loop", &(self.repeat() == Repeat::Loop))?;
        object.end()
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Canvas {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let payload = from.deserialize_map(PayloadVisitor)?;
        payload.into_canvas().map_err(D::Error::custom)
    }
}
