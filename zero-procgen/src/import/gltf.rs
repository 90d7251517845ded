//! glTF 2.0, as JSON or in its binary form.

use super::accessor::{Buffers, called, lanes};
use super::scene::{ImportedMaterial, Part, Scene, population};
use super::{read, refuse};
use crate::cook::construct::MAX_ELEMENTS;
use crate::download::{HostColumn, HostGeometry};
use crate::error::Result;
use crate::export::Material;
use crate::graph::wire::{Class, Type};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::{Document, Semantic};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

const INSTANCING: &str = "EXT_mesh_gpu_instancing";
/// Extensions that a file may require: what is read here, and what changes no geometry.
const READ: [&str; 2] = [INSTANCING, "KHR_mesh_quantization"];
const LOOKS: &str = "KHR_materials_";

/// Opens a `.glb`, or a `.gltf` with the buffers beside it.
///
/// # Errors
/// [`Error::File`](crate::Error::File) where a file can't be read, else as [`gltf()`].
pub fn open_gltf(path: impl AsRef<Path>) -> Result<Scene> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    gltf(&path.display().to_string(), &read(path)?, |uri| read(&folder.join(uri)))
}

/// Reads a glTF 2.0 document: the meshes of its default scene, or of the first, or all nodes where it has none.
///
/// Triangles in every arrangement, lines and points are read; attributes in every packing, sparse ones too. `POSITION`,
/// `NORMAL`, `TANGENT`, `TEXCOORD_0`, `COLOR_0`, `JOINTS_0` and `WEIGHTS_0` become `P`, `N`, `tangent`, `uv`, `Cd`,
/// `joints` and `weights`; `TEXCOORD_1` becomes `uv1` and so on; an attribute of the file's own, `_HEAT`, becomes `heat`.
/// Instances of `EXT_mesh_gpu_instancing` are a population. Morph targets, skins, animations, cameras and textures are left.
///
/// `resolve` gives the bytes of a buffer in another file; it is asked for relative paths that stay in the folder alone.
///
/// # Errors
/// [`Error::Import`](crate::Error::Import) for a document that is no glTF 2.0, requires an extension that is not read here (compressed meshes,
/// for one), or whose numbers lie outside its buffers, and what `resolve` answers.
pub fn gltf(file: &str, bytes: &[u8], resolve: impl Fn(&str) -> Result<Vec<u8>>) -> Result<Scene> {
    let (json, blob) = match bytes.starts_with(b"glTF") {
        true => chunks(file, bytes)?,
        false => (bytes, None),
    };
    let document = document(file, json)?;
    let mut buffers = Vec::new();
    for buffer in document.buffers() {
        buffers.push(bytes_of(file, &buffer, blob, &resolve)?);
    }
    let mut reader = Reader {
        file,
        buffers: Buffers(buffers),
        scene: Scene {
            file: file.to_owned(),
            ..Scene::default()
        },
        names: BTreeSet::new(),
        points: 0,
    };
    reader.scene.materials = document.materials().map(|material| look(&material)).collect();
    reader.nodes(&document)?;
    Ok(reader.scene)
}

/// The two chunks of a GLB: section 4.4 of glTF 2.0. The library's own reader subtracts a stranger's lengths unchecked.
fn chunks<'a>(file: &str, bytes: &'a [u8]) -> Result<(&'a [u8], Option<&'a [u8]>)> {
    const JSON: u32 = 0x4E4F_534A;
    const BIN: u32 = 0x004E_4942;
    let word = |at: usize| {
        let word = bytes.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*word))
    };
    let chunk = |at: usize| {
        let (length, ty) = (word(at)? as usize, word(at + 4)?);
        let content = bytes.get(at + 8..)?.get(..length)?;
        Some((ty, content, at + 8 + length))
    };
    match word(4) {
        Some(2) => {}
        Some(version) => return refuse(file, format!("expected GLB version 2, got {version}")),
        None => return refuse(file, "the GLB ends in its header"),
    }
    let Some((JSON, json, next)) = chunk(12) else {
        return refuse(file, "the GLB does not begin with a whole chunk of JSON");
    };
    match chunk(next) {
        Some((BIN, content, _)) => Ok((json, Some(content))),
        None if word(next).is_some() => refuse(file, "the GLB ends in its second chunk"),
        _ => Ok((json, None)),
    }
}

fn document(file: &str, json: &[u8]) -> Result<Document> {
    let mut root: gltf::json::Root = match gltf::json::deserialize::from_slice(json) {
        Ok(root) => root,
        Err(error) => return refuse(file, error),
    };
    let unread = |name: &&String| !READ.contains(&name.as_str()) && !name.starts_with(LOOKS);
    if let Some(name) = root.extensions_required.iter().find(unread) {
        let message = format!("it requires {name}; read are {} and {LOOKS}*", READ.join(", "));
        return refuse(file, message);
    }
    // The library's own check of positions takes their accessor to be there.
    for (mesh, held) in root.meshes.iter().enumerate() {
        let named = held
            .primitives
            .iter()
            .flat_map(|primitive| primitive.attributes.values());
        if let Some(index) = named
            .map(gltf::json::Index::value)
            .find(|index| *index >= root.accessors.len())
        {
            let message = format!(
                "mesh {mesh}: expected one of {} accessors, got {index}",
                root.accessors.len()
            );
            return refuse(file, message);
        }
    }
    // The library knows none of them and would refuse the document for it.
    root.extensions_required.clear();
    match Document::from_json(root) {
        Ok(document) => Ok(document),
        Err(error) => refuse(file, error),
    }
}

fn bytes_of<'a>(
    file: &str,
    buffer: &gltf::Buffer<'_>,
    blob: Option<&'a [u8]>,
    resolve: &impl Fn(&str) -> Result<Vec<u8>>,
) -> Result<Cow<'a, [u8]>> {
    let index = buffer.index();
    let bytes = match buffer.source() {
        gltf::buffer::Source::Bin => match blob {
            Some(blob) => Cow::Borrowed(blob),
            None => return refuse(file, format!("buffer {index} is the binary chunk, and there is none")),
        },
        gltf::buffer::Source::Uri(uri) => match uri.strip_prefix("data:") {
            Some(data) => {
                let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
                match encoded.map(|encoded| STANDARD.decode(encoded)) {
                    Some(Ok(bytes)) => Cow::Owned(bytes),
                    _ => return refuse(file, format!("buffer {index} is no base64")),
                }
            }
            None => Cow::Owned(resolve(&inside(file, uri)?)?),
        },
    };
    if bytes.len() < buffer.length() {
        let message = format!(
            "buffer {index}: expected {} bytes, got {}",
            buffer.length(),
            bytes.len()
        );
        return refuse(file, message);
    }
    Ok(bytes)
}

/// A path that stays in the document's folder, percent signs decoded.
fn inside(file: &str, uri: &str) -> Result<String> {
    let mut decoded = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match (*first, digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            (byte, _) => {
                decoded.push(byte);
                rest = tail;
            }
        }
    }
    let path = String::from_utf8(decoded).unwrap_or_default();
    let leaves = path.split(['/', '\\']).any(|part| part == ".." || part.is_empty());
    if leaves || path.contains(':') || path.contains('\0') {
        return refuse(file, format!("the buffer {uri:?} is no file beside it"));
    }
    Ok(path)
}

fn look(material: &gltf::Material<'_>) -> ImportedMaterial {
    let pbr = material.pbr_metallic_roughness();
    ImportedMaterial {
        name: material.name().unwrap_or_default().to_owned(),
        material: Material {
            base_color: pbr.base_color_factor(),
            roughness: pbr.roughness_factor(),
            metallic: pbr.metallic_factor(),
        },
    }
}

struct Reader<'a> {
    file: &'a str,
    buffers: Buffers<'a>,
    scene: Scene,
    names: BTreeSet<String>,
    points: usize,
}

impl Reader<'_> {
    /// Every node beneath the roots, depth first. glTF's nodes are trees: one that is met twice is refused.
    fn nodes(&mut self, document: &Document) -> Result<()> {
        let scene = document.default_scene().or_else(|| document.scenes().next());
        let mut open: Vec<(gltf::Node<'_>, glam::Mat4)> = match scene {
            Some(scene) => scene.nodes().map(|node| (node, glam::Mat4::IDENTITY)).collect(),
            None => {
                let children: BTreeSet<usize> = document
                    .nodes()
                    .flat_map(|node| node.children().map(|child| child.index()).collect::<Vec<_>>())
                    .collect();
                let root = |node: &gltf::Node<'_>| !children.contains(&node.index());
                document
                    .nodes()
                    .filter(root)
                    .map(|node| (node, glam::Mat4::IDENTITY))
                    .collect()
            }
        };
        open.reverse();
        let mut seen = BTreeSet::new();
        while let Some((node, parent)) = open.pop() {
            if !seen.insert(node.index()) {
                return refuse(self.file, format!("node {} is reached twice", node.index()));
            }
            let placement = parent * glam::Mat4::from_cols_array_2d(&node.transform().matrix());
            if !placement.is_finite() {
                return refuse(self.file, format!("node {}: its placement is not finite", node.index()));
            }
            if let Some(mesh) = node.mesh() {
                self.mesh(document, &node, &mesh, placement)?;
            }
            let below: Vec<_> = node.children().map(|child| (child, placement)).collect();
            open.extend(below.into_iter().rev());
        }
        Ok(())
    }

    fn mesh(
        &mut self,
        document: &Document,
        node: &gltf::Node<'_>,
        mesh: &gltf::Mesh<'_>,
        placement: glam::Mat4,
    ) -> Result<()> {
        let unnamed = || format!("mesh {}", mesh.index());
        let name = node.name().or(mesh.name()).map_or_else(unnamed, str::to_owned);
        let instances = self.instances(document, node)?;
        for primitive in mesh.primitives() {
            let at = format!("mesh {}, primitive {}", mesh.index(), primitive.index());
            let Some(geometry) = self.primitive(&at, &primitive)? else {
                continue;
            };
            let geometry = match &instances {
                Some(points) => population(geometry, points.clone()),
                None => geometry,
            };
            let name = self.unique(&name);
            self.scene.parts.push(Part {
                name,
                geometry,
                placement,
                material: primitive.material().index(),
            });
        }
        Ok(())
    }

    fn unique(&mut self, name: &str) -> String {
        let mut found = name.to_owned();
        let mut number = 1;
        while !self.names.insert(found.clone()) {
            number += 1;
            found = format!("{name} {number}");
        }
        found
    }

    /// An accessor's numbers as a column of floats, refused where one is not finite.
    fn floats(&self, at: &str, what: &str, accessor: &gltf::Accessor<'_>) -> Result<Vec<f32>> {
        let numbers = match self.buffers.numbers(accessor) {
            Ok(numbers) => numbers,
            Err(fault) => return refuse(self.file, format!("{at}, {what}: {fault}")),
        };
        let floats: Vec<f32> = numbers.into_iter().map(|number| number as f32).collect();
        match floats.iter().position(|value| !value.is_finite()) {
            None => Ok(floats),
            Some(place) => {
                let element = place / lanes(accessor).max(1);
                let message = format!(
                    "{at}, {what} of element {element}: expected finite numbers, got {}",
                    floats[place]
                );
                refuse(self.file, message)
            }
        }
    }

    /// The poses of a node's instances.
    fn instances(&self, document: &Document, node: &gltf::Node<'_>) -> Result<Option<HostGeometry>> {
        let Some(extension) = node.extension_value(INSTANCING) else {
            return Ok(None);
        };
        let at = format!("node {}, {INSTANCING}", node.index());
        let Some(attributes) = extension.get("attributes").and_then(|held| held.as_object()) else {
            return refuse(self.file, format!("{at}: expected attributes"));
        };
        let mut points = HostGeometry::new();
        let mut count = None;
        for (name, index) in attributes {
            let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
            let Some(accessor) = index.and_then(|index| document.accessors().nth(index)) else {
                return refuse(self.file, format!("{at}, {name}: expected an accessor"));
            };
            let words = self.floats(&at, name, &accessor)?;
            let (column, ty) = match (name.as_str(), lanes(&accessor)) {
                ("TRANSLATION", 3) => ("P".to_owned(), Type::Vec3),
                ("ROTATION", 4) => ("orient".to_owned(), Type::Quat),
                ("SCALE", 3) => ("scale".to_owned(), Type::Vec3),
                ("TRANSLATION" | "ROTATION" | "SCALE", found) => {
                    return refuse(self.file, format!("{at}, {name}: {found} numbers an instance"));
                }
                (other, found) => (own(other), sized(found)),
            };
            count = Some(accessor.count());
            self.set(&mut points, &at, &column, HostColumn::floats(ty, words))?;
        }
        if let (Some(count), None) = (count, points.attribute(Class::Point, "P")) {
            self.set(&mut points, &at, "P", HostColumn::Vec3(vec![[0.0; 3]; count]))?;
        }
        Ok(Some(points))
    }

    fn set(&self, geometry: &mut HostGeometry, at: &str, name: &str, column: HostColumn) -> Result<()> {
        match geometry.set(Class::Point, name, column) {
            Ok(()) => Ok(()),
            Err(error) => refuse(self.file, format!("{at}: {error}")),
        }
    }

    /// Nothing for a primitive without positions, which glTF lets a file have and nobody can draw.
    fn primitive(&mut self, at: &str, primitive: &gltf::Primitive<'_>) -> Result<Option<HostGeometry>> {
        let Some(positions) = primitive.get(&Semantic::Positions) else {
            return Ok(None);
        };
        let count = positions.count();
        self.points = self.points.saturating_add(count);
        if self.points > MAX_ELEMENTS as usize {
            return refuse(self.file, format!("more than {MAX_ELEMENTS} points"));
        }
        let mut geometry = HostGeometry::new();
        for (semantic, accessor) in primitive.attributes() {
            let what = called(&semantic);
            let words = self.floats(at, &what, &accessor)?;
            let found = lanes(&accessor);
            let (name, ty) = match (&semantic, found) {
                (Semantic::Positions, 3) => ("P".to_owned(), Type::Vec3),
                (Semantic::Normals, 3) => ("N".to_owned(), Type::Vec3),
                (Semantic::Tangents, 4) => ("tangent".to_owned(), Type::Vec4),
                (Semantic::TexCoords(set), 2) => (numbered("uv", *set), Type::Vec2),
                (Semantic::Colors(set), 3 | 4) => (numbered("Cd", *set), Type::Color),
                (Semantic::Joints(set), 4) => (numbered("joints", *set), Type::Vec4),
                (Semantic::Weights(set), 4) => (numbered("weights", *set), Type::Vec4),
                (Semantic::Extras(name), 1..=4) => (own(name), sized(found)),
                _ => return refuse(self.file, format!("{at}, {what}: {found} numbers an element")),
            };
            let words = match (&semantic, found) {
                (Semantic::Colors(_), 3) => words
                    .as_chunks::<3>()
                    .0
                    .iter()
                    .flat_map(|[r, g, b]| [*r, *g, *b, 1.0])
                    .collect(),
                _ => words,
            };
            self.set(&mut geometry, at, &name, HostColumn::floats(ty, words))?;
        }
        self.faces(at, primitive, count, &mut geometry)?;
        Ok(Some(geometry))
    }

    /// The corners and runs that a mode says: section 3.7.2.1.
    fn faces(
        &self,
        at: &str,
        primitive: &gltf::Primitive<'_>,
        count: usize,
        geometry: &mut HostGeometry,
    ) -> Result<()> {
        use gltf::mesh::Mode;
        let places: Vec<u32> = match primitive.indices() {
            None => (0..count as u32).collect(),
            Some(accessor) => {
                let numbers = match self.buffers.numbers(&accessor) {
                    Ok(numbers) => numbers,
                    Err(fault) => return refuse(self.file, format!("{at}, indices: {fault}")),
                };
                if let Some(past) = numbers.iter().find(|place| **place >= count as f64 || **place < 0.0) {
                    let message = format!("{at}, indices: expected one of {count} vertices, got {past}");
                    return refuse(self.file, message);
                }
                numbers.into_iter().map(|place| place as u32).collect()
            }
        };
        let last = places.len();
        let (corners, sides): (Vec<u32>, usize) = match primitive.mode() {
            Mode::Points => return Ok(()),
            Mode::Triangles => (places[..last - last % 3].to_vec(), 3),
            Mode::TriangleStrip => {
                // Every second triangle of a strip is stated the other way round.
                let triangle = |(index, run): (usize, &[u32])| match index % 2 {
                    0 => [run[0], run[1], run[2]],
                    _ => [run[1], run[0], run[2]],
                };
                (places.windows(3).enumerate().flat_map(triangle).collect(), 3)
            }
            Mode::TriangleFan => {
                let rest = places.get(1..).unwrap_or_default();
                (
                    rest.windows(2).flat_map(|pair| [places[0], pair[0], pair[1]]).collect(),
                    3,
                )
            }
            Mode::Lines => (places[..last - last % 2].to_vec(), 2),
            Mode::LineStrip => (places.windows(2).flatten().copied().collect(), 2),
            Mode::LineLoop => {
                let closing = places.last().into_iter().chain(places.first()).copied();
                let pairs = places.windows(2).flatten().copied();
                (pairs.chain(closing.filter(|_| last > 1)).collect(), 2)
            }
        };
        if corners.len() > MAX_ELEMENTS as usize {
            return refuse(self.file, format!("{at}: more than {MAX_ELEMENTS} corners"));
        }
        let faces = corners.len() / sides;
        let corners = corners.into_iter().map(u32::cast_signed).collect();
        geometry.set(Class::Vertex, "pt", HostColumn::Int(corners))?;
        let starts = (0..faces).map(|face| (face * sides) as i32).collect();
        geometry.set(Class::Primitive, "vstart", HostColumn::Int(starts))?;
        geometry.set(Class::Primitive, "vcount", HostColumn::Int(vec![sides as i32; faces]))
    }
}

/// The first set has the name alone.
fn numbered(name: &str, set: u32) -> String {
    if set == 0 {
        name.to_owned()
    } else {
        format!("{name}{set}")
    }
}

/// The name of an attribute of the file's own: `_HEAT` is `heat`, `_minDist` is `minDist`.
fn own(name: &str) -> String {
    let name = name.trim_start_matches('_');
    match name.contains(char::is_lowercase) {
        true => name.to_owned(),
        false => name.to_lowercase(),
    }
}

fn sized(lanes: usize) -> Type {
    match lanes {
        2 => Type::Vec2,
        3 => Type::Vec3,
        4 => Type::Vec4,
        _ => Type::Float,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn a_buffer_stays_in_the_folder() {
        assert_eq!(inside("a", "tree%20bark.bin").unwrap(), "tree bark.bin");
        assert_eq!(inside("a", "data/tree.bin").unwrap(), "data/tree.bin");
        for uri in [
            "../x.bin",
            "/etc/passwd",
            "a/../../x",
            "%2e%2e/x",
            "c:x",
            "http://x/y",
            "a//b",
            "a%00",
            "..\\x",
            "",
        ] {
            let refused = inside("tree.gltf", uri);
            assert!(matches!(refused, Err(Error::Import { .. })), "{uri}: {refused:?}");
        }
    }
}
