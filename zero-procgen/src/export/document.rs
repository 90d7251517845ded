//! The parts of a glTF document: one buffer, its views and accessors, and the container around them.

use crate::error::{Error, Result};
use gltf_json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Buffer, Target, View};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Asset, Index, Root, Scene};
use std::io::{self, Write};

/// A document and the bytes its one buffer holds. Every value is 4 bytes, so every view and accessor is aligned.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) root: Root,
    bytes: Vec<u8>,
}

/// A document ready to be written: the chunks of a GLB, padded, and the length of the whole.
pub(super) struct Container<'a> {
    json: Vec<u8>,
    bytes: &'a [u8],
    length: u32,
}

/// "glTF" and the version, glTF 2.0 section 4.4.2.
const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
/// Chunk types, glTF 2.0 section 4.4.3.
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

impl Document {
    pub(super) fn new() -> Document {
        Document {
            root: Root {
                asset: Asset {
                    generator: Some(concat!("zero-procgen ", env!("CARGO_PKG_VERSION")).to_owned()),
                    ..Asset::default()
                },
                ..Root::default()
            },
            bytes: Vec::new(),
        }
    }

    /// Floats as an accessor on a view of its own. `bounds` states the least and the most of each lane, as POSITION
    /// must.
    pub(super) fn floats<const LANES: usize>(
        &mut self,
        values: &[[f32; LANES]],
        target: Option<Target>,
        bounds: bool,
    ) -> Index<Accessor> {
        let ty = match LANES {
            1 => Type::Scalar,
            2 => Type::Vec2,
            3 => Type::Vec3,
            _ => Type::Vec4,
        };
        let words = values.iter().flatten().map(|value| value.to_le_bytes());
        let view = self.view(words, target);
        let (min, max) = if bounds { extent(values) } else { (None, None) };
        self.root.push(Accessor {
            min,
            max,
            ..accessor(view, values.len(), ComponentType::F32, ty)
        })
    }

    /// Interleaved floats of one to four lanes; nothing for any other number of them.
    pub(super) fn words(&mut self, words: &[f32], lanes: usize, target: Option<Target>) -> Option<Index<Accessor>> {
        Some(match lanes {
            1 => self.floats(words.as_chunks::<1>().0, target, false),
            2 => self.floats(words.as_chunks::<2>().0, target, false),
            3 => self.floats(words.as_chunks::<3>().0, target, false),
            4 => self.floats(words.as_chunks::<4>().0, target, false),
            _ => return None,
        })
    }

    /// The indices of a mesh.
    pub(super) fn indices(&mut self, indices: &[u32]) -> Index<Accessor> {
        let words = indices.iter().map(|index| index.to_le_bytes());
        let view = self.view(words, Some(Target::ElementArrayBuffer));
        self.root
            .push(accessor(view, indices.len(), ComponentType::U32, Type::Scalar))
    }

    fn view(&mut self, words: impl Iterator<Item = [u8; 4]>, target: Option<Target>) -> Index<View> {
        let from = self.bytes.len();
        self.bytes.extend(words.flatten());
        self.root.push(View {
            // There is one buffer, stated when the document is closed.
            buffer: Index::new(0),
            byte_length: USize64::from(self.bytes.len() - from),
            byte_offset: Some(USize64::from(from)),
            byte_stride: None,
            name: None,
            target: target.map(Checked::Valid),
            extensions: None,
            extras: None,
        })
    }

    /// Closes the document as a GLB: a scene over all nodes, the header, the JSON chunk, and the buffer's chunk where
    /// there is a buffer.
    pub(super) fn container(&self) -> Result<Container<'_>> {
        let mut root = self.root.clone();
        // A scene states at least one node, and a document need not have a scene.
        if !root.nodes.is_empty() {
            let nodes = (0..).map(Index::new).take(root.nodes.len()).collect();
            root.scene = Some(root.push(Scene {
                extensions: None,
                extras: None,
                name: None,
                nodes,
            }));
        }
        if !self.bytes.is_empty() {
            root.push(Buffer {
                byte_length: USize64::from(self.bytes.len()),
                name: None,
                uri: None,
                extensions: None,
                extras: None,
            });
        }
        let mut json = root
            .to_vec()
            .map_err(|error| Error::Document(format!("glTF could not be written: {error}")))?;
        // A chunk is a multiple of 4 bytes; JSON is padded with spaces.
        json.resize(json.len().next_multiple_of(4), b' ');
        let chunk = if self.bytes.is_empty() { 0 } else { 8 + self.bytes.len() };
        let length = 12 + 8 + json.len() + chunk;
        Ok(Container {
            json,
            bytes: &self.bytes,
            length: u32::try_from(length).map_err(|_| Error::Kind {
                what: "GLB".to_owned(),
                expected: format!("at most {} bytes", u32::MAX),
                found: format!("{length} bytes"),
            })?,
        })
    }
}

impl Container<'_> {
    pub(super) fn len(&self) -> usize {
        self.length as usize
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for word in [MAGIC, VERSION, self.length] {
            out.write_all(&word.to_le_bytes())?;
        }
        chunk(out, JSON, &self.json)?;
        if self.bytes.is_empty() {
            return Ok(());
        }
        chunk(out, BIN, self.bytes)
    }
}

fn chunk(out: &mut dyn Write, ty: u32, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&ty.to_le_bytes())?;
    out.write_all(bytes)
}

fn accessor(view: Index<View>, count: usize, component: ComponentType, ty: Type) -> Accessor {
    Accessor {
        buffer_view: Some(view),
        byte_offset: None,
        count: USize64::from(count),
        component_type: Checked::Valid(GenericComponentType(component)),
        extensions: None,
        extras: None,
        type_: Checked::Valid(ty),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}

/// The least and the most of each lane. JSON carries them as the floats' exact values.
fn extent<const LANES: usize>(values: &[[f32; LANES]]) -> (Option<gltf_json::Value>, Option<gltf_json::Value>) {
    let (mut least, mut most) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for value in values {
        for lane in 0..LANES {
            // Compared rather than min and max, which may answer either zero of -0 and 0.
            if value[lane] < least[lane] {
                least[lane] = value[lane];
            }
            if value[lane] > most[lane] {
                most[lane] = value[lane];
            }
        }
    }
    let json = |lanes: [f32; LANES]| Some(gltf_json::Value::from(lanes.to_vec()));
    (json(least), json(most))
}
