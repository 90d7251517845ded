//! How a value is written to a file: a head of 52 bytes, then the value, all numbers little-endian.
//!
//! The head: 8 bytes that name the format, its version (u32), the key (16 bytes), the bytes that follow (u64), and their
//! BLAKE3 hash (16 bytes). A value is a byte that says what it is and then its parts; a text is its length (u32) and its
//! UTF-8; a run is its elements (u32), its lanes (u32), the kind of its words (a byte) and the words.

use crate::error::Result;
use crate::graph::wire::{Class, Type};
use crate::play::Arriving;
use crate::value::{Count, Geometry, Key, Number, Raster, Value};
use zero_compute::{Column, Device, Element};

const NAME: &[u8; 8] = b"zero-out";
/// Moves when a file that is written today could not be read as what it was.
const VERSION: u32 = 1;
const HEAD: usize = 8 + 4 + 16 + 8 + 16;

const CLASSES: [Class; 3] = [Class::Point, Class::Vertex, Class::Primitive];

/// Geometries within geometries that a file may hold: a population of populations is two.
const DEPTH: usize = 16;

/// A value on its way to a file: every run was asked for.
#[derive(Debug)]
pub(crate) struct Writing {
    value: Value,
    runs: Vec<Arriving>,
}

impl Writing {
    /// Asks for the runs of a value. A field has no values, so a value that holds one is refused.
    pub(crate) fn start(value: &Value) -> std::result::Result<Writing, String> {
        let mut columns = Vec::new();
        gather(value, &mut columns)?;
        let runs: Result<Vec<Arriving>> = columns.iter().map(Arriving::ask).collect();
        Ok(Writing {
            value: value.clone(),
            runs: runs.map_err(|error| error.to_string())?,
        })
    }

    /// The bytes of the file, once every run has landed.
    pub(crate) fn finish(&mut self, key: Key) -> Result<Option<Vec<u8>>> {
        for run in &mut self.runs {
            if !run.landed()? {
                return Ok(None);
            }
        }
        let mut runs = self.runs.iter().filter_map(Arriving::words);
        let mut body = Vec::new();
        encode(&self.value, &mut runs, &mut body);
        let mut bytes = Vec::with_capacity(HEAD + body.len());
        bytes.extend_from_slice(NAME);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&key.0);
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&hash(&body));
        bytes.extend_from_slice(&body);
        Ok(Some(bytes))
    }
}

fn hash(bytes: &[u8]) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    short
}

/// The runs of a value in the order in which they are written, each as long as its class lives.
fn gather(value: &Value, columns: &mut Vec<Column>) -> std::result::Result<(), String> {
    match value {
        Value::Number(_) => {}
        Value::Field(_) => return Err("it holds a field, which has no values".to_owned()),
        Value::List(_) => return Err("it holds a list, whose items are kept one by one".to_owned()),
        Value::Column(column) => columns.push(column.clone()),
        Value::Raster(raster) => columns.push(raster.samples().as_capacity()),
        Value::Geometry(geometry) => {
            for class in CLASSES {
                let count = geometry.count(class);
                if let Count::Live { count, .. } = &count {
                    columns.push(count.as_capacity());
                }
                for name in geometry.names(class) {
                    if let Some(held) = geometry.attribute(class, &name) {
                        columns.push(match &count {
                            Count::Live { count, .. } => {
                                held.column.with_live(count).map_err(|error| error.to_string())?
                            }
                            Count::Known(_) => held.column.as_capacity(),
                        });
                    }
                }
            }
            for name in geometry.names(Class::Detail) {
                if let Some(held) = geometry.detail(&name) {
                    gather(held, columns)?;
                }
            }
        }
    }
    Ok(())
}

fn encode<'w>(value: &Value, runs: &mut impl Iterator<Item = &'w [u32]>, out: &mut Vec<u8>) {
    match value {
        Value::Number(number) => {
            out.push(0);
            text(number.ty.name(), out);
            words(&number.bits, out);
        }
        Value::Column(column) => {
            out.push(1);
            run(column, runs.next().unwrap_or_default(), out);
        }
        Value::Raster(raster) => {
            out.push(2);
            words(&[raster.width(), raster.height()], out);
            let place = raster.spacing_m().into_iter().chain(raster.origin_m());
            place.for_each(|side| words(&[side.to_bits()], out));
            run(raster.samples(), runs.next().unwrap_or_default(), out);
        }
        Value::Geometry(geometry) => {
            out.push(3);
            for class in CLASSES {
                let count = match geometry.count(class) {
                    Count::Known(count) => count,
                    // A count may say more than there is room for, where elements did not fit.
                    Count::Live { capacity, .. } => {
                        let count = runs.next().and_then(|words| words.first().copied());
                        count.unwrap_or(0).min(capacity)
                    }
                };
                let names = geometry.names(class);
                words(&[count, names.len() as u32], out);
                for name in names {
                    if let Some(held) = geometry.attribute(class, &name) {
                        text(&name, out);
                        text(held.ty.name(), out);
                        run(&held.column, runs.next().unwrap_or_default(), out);
                    }
                }
            }
            let names = geometry.names(Class::Detail);
            words(&[names.len() as u32], out);
            for name in names {
                if let Some(held) = geometry.detail(&name) {
                    text(&name, out);
                    encode(held, runs, out);
                }
            }
        }
        // Refused before anything was asked for.
        Value::Field(_) | Value::List(_) => {}
    }
}

fn words(words: &[u32], out: &mut Vec<u8>) {
    words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
}

fn text(text: &str, out: &mut Vec<u8>) {
    words(&[text.len() as u32], out);
    out.extend_from_slice(text.as_bytes());
}

fn run(column: &Column, held: &[u32], out: &mut Vec<u8>) {
    let lanes = column.lanes();
    words(&[held.len() as u32 / lanes.max(1), lanes], out);
    out.push(match column.element() {
        Element::F32 => 0,
        Element::I32 => 1,
        Element::U32 => 2,
    });
    words(held, out);
}

/// The value of a file, on the device; or what is wrong with the file.
pub(crate) fn decode(bytes: &[u8], key: Key, device: &Device) -> std::result::Result<Value, String> {
    let mut input = Input { rest: bytes, device };
    if input.take(NAME.len())? != NAME {
        return Err("it is no output of a graph".to_owned());
    }
    let version = input.word()?;
    if version != VERSION {
        return Err(format!("it is of version {version} of the format, expected {VERSION}"));
    }
    if input.take(16)? != key.0 {
        return Err("it is filed under another key".to_owned());
    }
    let length = u64::from(input.word()?) | u64::from(input.word()?) << 32;
    let stated = input.take(16)?.to_vec();
    if input.rest.len() as u64 != length {
        return Err(format!(
            "expected {length} bytes after the head, found {}",
            input.rest.len()
        ));
    }
    if hash(input.rest).as_slice() != stated {
        return Err("its bytes are not those that were written".to_owned());
    }
    let value = input.value(0)?;
    match input.rest.len() {
        0 => Ok(value),
        more => Err(format!("{more} bytes follow the value")),
    }
}

/// What is left of a file.
struct Input<'b> {
    rest: &'b [u8],
    device: &'b Device,
}

impl<'b> Input<'b> {
    fn take(&mut self, count: usize) -> std::result::Result<&'b [u8], String> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(format!("it ends {} bytes early", count - self.rest.len()));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> std::result::Result<u8, String> {
        Ok(self.take(1)?.first().copied().unwrap_or(0))
    }

    fn word(&mut self) -> std::result::Result<u32, String> {
        let bytes = self.take(4)?.first_chunk().copied().unwrap_or_default();
        Ok(u32::from_le_bytes(bytes))
    }

    fn text(&mut self) -> std::result::Result<&'b str, String> {
        let length = self.word()? as usize;
        std::str::from_utf8(self.take(length)?).map_err(|error| error.to_string())
    }

    fn ty(&mut self) -> std::result::Result<Type, String> {
        let name = self.text()?;
        let known = Type::ALL.into_iter().find(|ty| ty.name() == name);
        known.ok_or_else(|| format!("there is no type '{name}'"))
    }

    fn value(&mut self, depth: usize) -> std::result::Result<Value, String> {
        if depth > DEPTH {
            return Err(format!("its geometries lie more than {DEPTH} deep in each other"));
        }
        Ok(match self.byte()? {
            0 => {
                let (ty, mut bits) = (self.ty()?, [0; 4]);
                for lane in &mut bits {
                    *lane = self.word()?;
                }
                Value::Number(Number { ty, bits, origin: None })
            }
            1 => Value::Column(self.run()?),
            2 => {
                let (width, height) = (self.word()?, self.word()?);
                let mut place = [0.0; 4];
                for side in &mut place {
                    *side = f32::from_bits(self.word()?);
                }
                let [x, z, left, near] = place;
                let raster = Raster::new(self.run()?, width, height, [x, z], [left, near]);
                Value::Raster(raster.map_err(|error| error.to_string())?)
            }
            3 => Value::Geometry(self.geometry(depth)?),
            other => return Err(format!("there is no value of kind {other}")),
        })
    }

    fn geometry(&mut self, depth: usize) -> std::result::Result<Geometry, String> {
        let mut geometry = Geometry::new();
        for class in CLASSES {
            let (count, columns) = (self.word()?, self.word()?);
            let counted = geometry.set_count(class, Count::Known(count));
            counted.map_err(|error| error.to_string())?;
            for _ in 0..columns {
                let (name, ty) = (self.text()?, self.ty()?);
                let column = self.run()?;
                let set = geometry.set(class, name, column, ty);
                set.map_err(|error| error.to_string())?;
            }
        }
        for _ in 0..self.word()? {
            let name = self.text()?;
            let value = self.value(depth + 1)?;
            geometry.set_detail(name, value);
        }
        Ok(geometry)
    }

    fn run(&mut self) -> std::result::Result<Column, String> {
        let (count, lanes, element) = (self.word()?, self.word()?, self.byte()?);
        let length = (count as usize).checked_mul(lanes as usize);
        let bytes = length.and_then(|length| length.checked_mul(4));
        let bytes = self.take(bytes.ok_or_else(|| format!("a run of {count} times {lanes} words"))?)?;
        let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let column = match element {
            0 => self
                .device
                .upload(&words.map(f32::from_bits).collect::<Vec<f32>>(), lanes),
            1 => self
                .device
                .upload(&words.map(u32::cast_signed).collect::<Vec<i32>>(), lanes),
            2 => self.device.upload(&words.collect::<Vec<u32>>(), lanes),
            other => return Err(format!("there are no words of kind {other}")),
        };
        column.map_err(|error| error.to_string())
    }
}
