//! A binary glTF as a payload: what a reader would stumble over is told before one does. Numbers of sections are those of
//! the glTF 2.0 specification (Khronos Group).

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gltf_json::accessor::{Accessor, ComponentType, Type};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::{Checked, Error, Validate as _};
use gltf_json::{Path, Root};

/// What a payload holds.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) meshes: usize,
    pub(super) nodes: usize,
    pub(super) vertices: u64,
    /// Lines and points make none.
    pub(super) triangles: u64,
}

/// Reads all of a payload but its pictures and its motion.
///
/// Costs a pass over the positions and indices that the meshes draw.
pub(super) fn read(bytes: &[u8]) -> Result<Counts, String> {
    let (text, blob) = chunks(bytes)?;
    let root = document(text)?;
    let model = Model {
        buffers: buffers(&root, blob)?,
        root: &root,
    };
    model.views()?;
    for (at, accessor) in root.accessors.iter().enumerate() {
        model
            .accessor(accessor)
            .map_err(|message| format!("accessor {at}: {message}"))?;
    }
    for (at, image) in root.images.iter().enumerate() {
        if let Some(uri) = image.uri.as_ref().filter(|uri| !uri.starts_with("data:")) {
            return Err(format!("image {at} lies in `{uri}`, and a payload holds all of itself"));
        }
    }
    let mut counts = Counts {
        meshes: root.meshes.len(),
        nodes: root.nodes.len(),
        ..Counts::default()
    };
    if root.meshes.is_empty() {
        return Err("it holds no mesh".to_owned());
    }
    for (mesh, held) in root.meshes.iter().enumerate() {
        if held.primitives.is_empty() {
            return Err(format!("mesh {mesh} holds no primitive"));
        }
        for (at, primitive) in held.primitives.iter().enumerate() {
            let counted = model.primitive(primitive);
            let (vertices, triangles) = counted.map_err(|message| format!("mesh {mesh}, primitive {at}: {message}"))?;
            counts.vertices += vertices;
            counts.triangles += triangles;
        }
    }
    Ok(counts)
}

/// The JSON and the binary chunk of a binary glTF (section 4.4): a head of 12 bytes, then chunks, of which the first is JSON.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
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
        let here = bytes.len();
        return Err(format!("it says that it has {length} bytes, and {here} are here"));
    }
    let (mut at, mut json, mut blob) = (12usize, None, None);
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (word(at), bytes.get(at + 4..at + 8)) else {
            return Err(format!("the chunk at byte {at} has no head"));
        };
        let Some(body) = bytes.get(at + 8..).and_then(|rest| rest.get(..length as usize)) else {
            return Err(format!(
                "the chunk at byte {at} says {length} bytes, more than are here"
            ));
        };
        match (kind, json.is_some()) {
            (b"JSON", false) => json = Some(body),
            (_, false) => return Err("its first chunk is not JSON".to_owned()),
            (b"BIN\0", true) if blob.is_none() => blob = Some(body),
            // Chunks of kinds to come are left alone, as the section says.
            _ => {}
        }
        at += 8 + length as usize;
    }
    Ok((json.ok_or("it holds no chunk")?, blob))
}

/// The document, all of its numbers naming what is there.
fn document(text: &[u8]) -> Result<Root, String> {
    let mut root: Root =
        gltf_json::deserialize::from_slice(text).map_err(|error| format!("its JSON is no glTF: {error}"))?;
    for version in [Some(&root.asset.version), root.asset.min_version.as_ref()]
        .into_iter()
        .flatten()
    {
        if !version.starts_with("2.") {
            return Err(format!("its document is of version {version}, and version 2 is read"));
        }
    }
    // The library's own check of positions takes their accessor to be there.
    for (mesh, held) in root.meshes.iter().enumerate() {
        let named = held.primitives.iter().flat_map(|primitive| &primitive.attributes);
        if let Some((name, index)) = named
            .into_iter()
            .find(|(_, index)| index.value() >= root.accessors.len())
        {
            let (name, here) = (name.to_string(), root.accessors.len());
            return Err(format!(
                "mesh {mesh}: its {name} is accessor {}, and {here} are here",
                index.value()
            ));
        }
    }
    // Which extensions are read is for the system to say that draws it.
    root.extensions_required.clear();
    let mut wrong = None;
    root.validate(&root, Path::new, &mut |path, error| {
        let path = path();
        // An accessor of no view holds zeros (section 5.1), or what an extension unpacks.
        let is_filled_in = error == Error::Missing && path.as_str().ends_with(".bufferView");
        if !is_filled_in && wrong.is_none() {
            wrong = Some(format!("`{}` {}", path.as_str(), why(error)));
        }
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(root),
    }
}

fn why(error: Error) -> &'static str {
    match error {
        Error::IndexOutOfBounds => "names what is not there",
        Error::Missing => "is missing",
        Error::Oversize => "is larger than this machine counts",
        Error::Invalid | Error::Unsupported => "holds what it may not",
    }
}

/// What each buffer holds; `None` for one that an extension fills.
fn buffers<'a>(root: &Root, blob: Option<&'a [u8]>) -> Result<Vec<Option<Cow<'a, [u8]>>>, String> {
    let mut buffers = Vec::with_capacity(root.buffers.len());
    for (at, buffer) in root.buffers.iter().enumerate() {
        let bytes = match (&buffer.uri, blob) {
            (Some(uri), _) => Cow::Owned(embedded(uri).map_err(|message| format!("buffer {at} {message}"))?),
            (None, Some(blob)) if at == 0 => Cow::Borrowed(blob),
            (None, _) if buffer.extensions.is_some() => {
                buffers.push(None);
                continue;
            }
            (None, _) => return Err(format!("buffer {at} is the binary chunk, and there is none")),
        };
        if (bytes.len() as u64) < buffer.byte_length.0 {
            let (says, here) = (buffer.byte_length.0, bytes.len());
            return Err(format!("buffer {at} has {says} bytes, and {here} are here"));
        }
        buffers.push(Some(bytes));
    }
    Ok(buffers)
}

fn embedded(uri: &str) -> Result<Vec<u8>, String> {
    let Some(data) = uri.strip_prefix("data:") else {
        return Err(format!("lies in `{uri}`, and a payload holds all of itself"));
    };
    let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
    let decoded = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
    decoded.ok_or_else(|| "is no base64".to_owned())
}

/// A document and its bytes.
struct Model<'a> {
    root: &'a Root,
    buffers: Vec<Option<Cow<'a, [u8]>>>,
}

impl Model<'_> {
    fn views(&self) -> Result<(), String> {
        for (at, view) in self.root.buffer_views.iter().enumerate() {
            let here = self
                .root
                .buffers
                .get(view.buffer.value())
                .map_or(0, |buffer| buffer.byte_length.0);
            let begins = view.byte_offset.map_or(0, |offset| offset.0);
            if begins.checked_add(view.byte_length.0).is_none_or(|end| end > here) {
                let length = view.byte_length.0;
                return Err(format!(
                    "view {at} has {length} bytes from byte {begins}, and its buffer has {here}"
                ));
            }
        }
        Ok(())
    }

    /// That all elements of an accessor lie in its views (section 3.6.2.4).
    fn accessor(&self, accessor: &Accessor) -> Result<(), String> {
        let Some((size, _)) = element(accessor) else {
            return Err("its elements are of no kind".to_owned());
        };
        let begins = accessor.byte_offset.map_or(0, |offset| offset.0);
        let view = accessor.buffer_view.map(|view| view.value());
        if let Some(view) = view {
            self.fits(view, begins, accessor.count.0, size)?;
        }
        if let Some(sparse) = &accessor.sparse {
            let Checked::Valid(kind) = sparse.indices.component_type else {
                return Err("its sparse indices are of no kind".to_owned());
            };
            if sparse.count.0 > accessor.count.0 {
                let (count, of) = (sparse.count.0, accessor.count.0);
                return Err(format!("{count} of its {of} elements are given apart"));
            }
            let (indices, values) = (&sparse.indices, &sparse.values);
            self.fits(
                indices.buffer_view.value(),
                indices.byte_offset.0,
                sparse.count.0,
                kind.0.size() as u64,
            )?;
            self.fits(values.buffer_view.value(), values.byte_offset.0, sparse.count.0, size)?;
        }
        Ok(())
    }

    /// That so many elements of a size lie in a view.
    fn fits(&self, view: usize, begins: u64, count: u64, size: u64) -> Result<(), String> {
        let Some(held) = self.root.buffer_views.get(view) else {
            return Err(format!("it lies in view {view}, which is not there"));
        };
        let stride = held.byte_stride.map_or(size, |stride| stride.0 as u64);
        if stride < size {
            return Err(format!("its elements of {size} bytes are {stride} bytes apart"));
        }
        let end = count.checked_sub(1).map_or(Some(begins), |last| {
            last.checked_mul(stride)?.checked_add(size)?.checked_add(begins)
        });
        match end {
            Some(end) if end <= held.byte_length.0 => Ok(()),
            _ => Err(format!(
                "{count} elements from byte {begins} on do not fit the {} bytes of view {view}",
                held.byte_length.0
            )),
        }
    }

    /// The vertices and triangles of a primitive (section 3.7.2), after what it draws was looked at.
    fn primitive(&self, primitive: &Primitive) -> Result<(u64, u64), String> {
        let accessor = |index: usize| self.root.accessors.get(index);
        let counts: BTreeMap<String, u64> = primitive
            .attributes
            .iter()
            .filter_map(|(name, index)| Some((name.to_string(), accessor(index.value())?.count.0)))
            .collect();
        let positions = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
        let Some(positions) = positions.and_then(|index| accessor(index.value())) else {
            return Err("it has no POSITION".to_owned());
        };
        let vertices = positions.count.0;
        if let Some((name, count)) = counts.iter().find(|(_, count)| **count != vertices) {
            return Err(format!("it has {vertices} of POSITION and {count} of {name}"));
        }
        if let Some((at, found)) = self.not_finite(positions) {
            return Err(format!("vertex {at} stands at {found}"));
        }
        let mut drawn = vertices;
        if let Some(indices) = primitive.indices.and_then(|index| accessor(index.value())) {
            drawn = indices.count.0;
            if !matches!(element(indices), Some((_, 1))) || !self.are_indices(indices) {
                return Err("its indices are no whole numbers".to_owned());
            }
            let outside = self.words(indices).find(|(_, index)| *index >= vertices);
            if let Some((at, index)) = outside {
                return Err(format!("index {at} names vertex {index}, and {vertices} are here"));
            }
        }
        let triangles = match primitive.mode {
            Checked::Valid(Mode::Triangles) => drawn / 3,
            Checked::Valid(Mode::TriangleStrip | Mode::TriangleFan) => drawn.saturating_sub(2),
            _ => 0,
        };
        Ok((vertices, triangles))
    }

    fn are_indices(&self, accessor: &Accessor) -> bool {
        use ComponentType::{U8, U16, U32};
        matches!(accessor.component_type, Checked::Valid(kind) if matches!(kind.0, U8 | U16 | U32))
    }

    /// The elements of an accessor, each with its number; none of one that is sparse or that an extension fills.
    fn elements(&self, accessor: &Accessor) -> impl Iterator<Item = (u64, &[u8])> {
        let size = element(accessor).map_or(1, |(size, _)| size);
        let view = accessor.buffer_view.filter(|_| accessor.sparse.is_none());
        let view = view.and_then(|view| self.root.buffer_views.get(view.value()));
        let begins = accessor.byte_offset.map_or(0, |offset| offset.0);
        let found = view.and_then(|view| {
            let bytes = self.buffers.get(view.buffer.value())?.as_deref()?;
            let stride = view.byte_stride.map_or(size, |stride| stride.0 as u64);
            Some((bytes, view.byte_offset.map_or(0, |offset| offset.0) + begins, stride))
        });
        let count = accessor.count.0;
        found.into_iter().flat_map(move |(bytes, begins, stride)| {
            (0..count).map_while(move |at| {
                let from = usize::try_from(begins + at * stride).ok()?;
                Some((at, bytes.get(from..)?.get(..size as usize)?))
            })
        })
    }

    fn words(&self, accessor: &Accessor) -> impl Iterator<Item = (u64, u64)> {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        self.elements(accessor).map(move |(at, bytes)| (at, word(bytes)))
    }

    /// The first coordinate that is no number, or endless, with the number of its vertex.
    fn not_finite(&self, accessor: &Accessor) -> Option<(u64, f32)> {
        let is_float = matches!(accessor.component_type, Checked::Valid(kind) if kind.0 == ComponentType::F32);
        self.elements(accessor).filter(|_| is_float).find_map(|(at, bytes)| {
            let floats = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
            floats
                .into_iter()
                .find(|float| !float.is_finite())
                .map(|float| (at, float))
        })
    }
}

/// The bytes and the lanes of an element. Columns of matrices begin at words (section 3.6.2.4).
fn element(accessor: &Accessor) -> Option<(u64, u64)> {
    let (Checked::Valid(kind), Checked::Valid(shape)) = (accessor.component_type, accessor.type_) else {
        return None;
    };
    let width = kind.0.size() as u64;
    let (columns, rows) = match shape {
        Type::Scalar => (1, 1),
        Type::Vec2 => (1, 2),
        Type::Vec3 => (1, 3),
        Type::Vec4 => (1, 4),
        Type::Mat2 => (2, 2),
        Type::Mat3 => (3, 3),
        Type::Mat4 => (4, 4),
    };
    let column = match columns {
        1 => rows * width,
        _ => (rows * width).next_multiple_of(4),
    };
    Some((columns * column, columns * rows))
}
