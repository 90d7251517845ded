//! The builder of a GLB.

use super::document::Document;
use super::file::write_whole;
use super::instances::Poses;
use super::material::Material;
use super::surface::{Colors, Source, Surface};
use crate::download::HostGeometry;
use crate::error::{Error, Result};
use crate::graph::wire::Class;
use gltf_json::accessor::Accessor;
use gltf_json::buffer::Target;
use gltf_json::extensions::scene::Node as NodeExtensions;
use gltf_json::material::Material as JsonMaterial;
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Index, Mesh, Node};
use std::collections::BTreeMap;
use std::path::Path;

/// The columns that an instance's pose is read from.
const POSE: [&str; 5] = ["P", "N", "scale", "yaw", "orient"];

const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// A glTF 2.0 file in its binary form, built from geometries by name.
///
/// Lengths are metres, +Y is up, faces are counter-clockwise, colours are linear: glTF's conventions and Zero's are
/// the same, so values are written as they stand. A geometry is read thus:
///
/// - **Faces.** Each primitive is a fan of triangles from its first vertex, which is exact where it is convex. A
///   triangle without area is left out. Vertex *i* of the file is point *i*, unless a column below stands on the
///   vertices: then it is vertex *i*. Indices are 32 bits.
/// - **Columns** of points or of vertices: `P` the position, a Vec3; `N` the normal, a Vec3, made unit (where it is
///   missing or has no length, the mean of the faces around the point weighted by area); `Cd` a colour, a Vec3 or a
///   Color, held to [0, 1]; `uv` a texture coordinate, a Vec2, or a Vec3 of which x and y are written.
/// - **Points alone**, where there is no primitive, are drawn as points.
/// - **A population**, which is points with a `Mesh`, is that mesh once and a pose for each point, by
///   `EXT_mesh_gpu_instancing`: at `P`, larger by `scale` (Float or Vec3, 1 where missing), turned by `orient` (a
///   Quat), or where there is none by `yaw` (radians about its own up, 0 where missing), its up then brought to `N`
///   where the points carry one. A reader that doesn't know
///   the extension would draw one copy at the origin, so the file requires it. Faces between the points of a
///   population are not drawn.
///
/// The same geometries give the same bytes, on every machine. Building holds one copy of what is written.
///
/// ```
/// use zero_procgen::export::{Glb, Material};
/// use zero_procgen::{Class, HostColumn, HostGeometry};
///
/// let mut sheet = HostGeometry::new();
/// let places = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
/// sheet.set(Class::Point, "P", HostColumn::Vec3(places))?;
/// sheet.set(Class::Vertex, "pt", HostColumn::Int(vec![0, 1, 2]))?;
/// sheet.set(Class::Primitive, "vstart", HostColumn::Int(vec![0]))?;
/// sheet.set(Class::Primitive, "vcount", HostColumn::Int(vec![3]))?;
/// let green = Material { base_color: [0.1, 0.5, 0.1, 1.0], ..Material::default() };
/// let bytes = Glb::new().add("sheet", &sheet)?.material("sheet", green)?.to_bytes()?;
/// assert_eq!(&bytes[..4], b"glTF");
/// # Ok::<(), zero_procgen::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Glb {
    document: Document,
    parts: Vec<Part>,
    /// The materials that meshes wear by name, and where each stands in the document.
    named: BTreeMap<String, Index<JsonMaterial>>,
    all_columns: bool,
}

/// A name that is taken, and the material of what bears it where there is something to see.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    material: Option<Index<JsonMaterial>>,
    /// The name of the material it shares with others.
    worn: Option<String>,
}

impl Default for Glb {
    fn default() -> Self {
        Glb {
            document: Document::new(),
            parts: Vec::new(),
            named: BTreeMap::new(),
            all_columns: false,
        }
    }
}

impl Glb {
    /// A file of nothing, which is a valid one.
    pub fn new() -> Glb {
        Glb::default()
    }

    /// Adds a geometry as a node, a mesh and a material of this name. A population without points is a node without
    /// a mesh: nothing grew, which is no mistake.
    ///
    /// # Errors
    /// Each names the mesh: [`Error::Refused`] for a name that is taken, a geometry without points, faces of which
    /// none has an area, and a population of populations; [`Error::Kind`] naming the column and the element for what
    /// is not finite or points past what it points into, and for a column of the wrong type.
    pub fn add(self, name: &str, geometry: &HostGeometry) -> Result<Glb> {
        self.add_part(name, geometry, None)
    }

    /// Adds a geometry as [`add`](Self::add) does, wearing a [`named_material`](Self::named_material): the file holds it
    /// once, and every mesh that wears it refers to it.
    ///
    /// # Errors
    /// As [`add`](Self::add), and [`Error::Unknown`] for a material that was not named.
    pub fn add_wearing(self, name: &str, geometry: &HostGeometry, material: &str) -> Result<Glb> {
        self.add_part(name, geometry, Some(material))
    }

    /// A material for several meshes, under a name.
    ///
    /// # Errors
    /// [`Error::Kind`] for a factor that isn't in [0, 1], [`Error::Refused`] for a name that is taken.
    pub fn named_material(mut self, name: &str, material: Material) -> Result<Glb> {
        material.check(name)?;
        if self.named.contains_key(name) {
            return Err(Error::Refused(format!("a material '{name}' was already named")));
        }
        let index = self.document.root.push(material.to_json(name));
        self.named.insert(name.to_owned(), index);
        Ok(self)
    }

    fn add_part(mut self, name: &str, geometry: &HostGeometry, worn: Option<&str>) -> Result<Glb> {
        if self.parts.iter().any(|part| part.name == name) {
            return Err(Error::Refused(format!("a mesh '{name}' was already added")));
        }
        let shared = match worn {
            None => None,
            Some(worn) => match self.named.get(worn) {
                Some(index) => Some(*index),
                None => return Err(Error::unknown("material", worn, self.named.keys().map(String::as_str))),
            },
        };
        let node = match geometry.mesh() {
            Some(_) if geometry.count(Class::Point) == 0 => Node::default(),
            Some(mesh) => self.population(name, geometry, mesh, shared)?,
            None => {
                let surface = Surface::read(Source { name, geometry }, self.all_columns)?;
                Node {
                    mesh: Some(self.mesh(name, &surface, shared)),
                    ..Node::default()
                }
            }
        };
        let root = &self.document.root;
        let material = node.mesh.and_then(|mesh| root.get(mesh)?.primitives.first()?.material);
        self.parts.push(Part {
            name: name.to_owned(),
            material,
            worn: worn.map(str::to_owned),
        });
        self.document.root.push(Node {
            name: Some(name.to_owned()),
            ..node
        });
        Ok(self)
    }

    /// What is added from here on carries its other numeric columns too, as attributes of the file's own: `heat` is
    /// `_heat`, of instances as well. Whole numbers are written as floats, which hold them exactly to 2^24; a column of
    /// faces has no place in glTF and is left out.
    pub fn all_columns(mut self) -> Glb {
        self.all_columns = true;
        self
    }

    /// Says how a mesh that was added looks; without it, as [`Material::default`].
    ///
    /// # Errors
    /// [`Error::Unknown`] for a mesh that was not added, [`Error::Refused`] for one that wears a material it shares,
    /// [`Error::Kind`] for a factor that isn't in [0, 1].
    pub fn material(mut self, name: &str, material: Material) -> Result<Glb> {
        material.check(name)?;
        let Some(part) = self.parts.iter().find(|part| part.name == name) else {
            let known = self.parts.iter().map(|part| &*part.name);
            return Err(Error::unknown("mesh", name, known));
        };
        if let Some(worn) = &part.worn {
            let message = format!("mesh '{name}' wears the material '{worn}', which others may wear too");
            return Err(Error::Refused(message));
        }
        let held = part
            .material
            .and_then(|index| self.document.root.materials.get_mut(index.value()));
        if let Some(held) = held {
            *held = material.to_json(name);
        }
        Ok(self)
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// [`Error::Kind`] past the 4 GiB that a GLB can state.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let container = self.document.container()?;
        let mut bytes = Vec::with_capacity(container.len());
        container
            .write(&mut bytes)
            .map_err(|error| Error::Document(format!("glTF could not be written: {error}")))?;
        Ok(bytes)
    }

    /// Writes the file, whole or not at all: into a hidden file in the same folder, which takes the path's place once
    /// it is on the disk. On an error the path holds what it held before and nothing else is left behind.
    ///
    /// # Errors
    /// [`Error::File`] naming the path, and as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<()> {
        let container = self.document.container()?;
        write_whole(path.as_ref(), |out| container.write(out))
    }

    fn population(
        &mut self,
        name: &str,
        points: &HostGeometry,
        mesh: &HostGeometry,
        worn: Option<Index<JsonMaterial>>,
    ) -> Result<Node> {
        if mesh.mesh().is_some() {
            return Err(Error::Refused(format!(
                "mesh '{name}' is a population of populations, which glTF instances can't say"
            )));
        }
        let source = format!("{name}.Mesh");
        let surface = Surface::read(
            Source {
                name: &source,
                geometry: mesh,
            },
            self.all_columns,
        )?;
        let poses = Poses::read(name, points)?;
        let mesh = self.mesh(name, &surface, worn);
        let attributes = [
            ("TRANSLATION", self.document.floats(&poses.translations, None, false)),
            ("ROTATION", self.document.floats(&poses.rotations, None, false)),
            ("SCALE", self.document.floats(&poses.scales, None, false)),
        ];
        let mut attributes: serde_json::Map<String, serde_json::Value> = attributes
            .into_iter()
            .map(|(semantic, accessor)| (semantic.to_owned(), accessor.value().into()))
            .collect();
        if self.all_columns {
            let source = Source { name, geometry: points };
            for column in points
                .names(Class::Point)
                .into_iter()
                .filter(|column| !POSE.contains(column))
            {
                let lanes = points
                    .attribute(Class::Point, column)
                    .and_then(|held| held.ty().lanes());
                let words = source.words(Class::Point, column)?;
                if let Some(accessor) = self.document.words(&words, lanes.unwrap_or(1) as usize, None) {
                    attributes.insert(format!("_{column}"), accessor.value().into());
                }
            }
        }
        let mut extensions = NodeExtensions::default();
        let instancing = serde_json::json!({ "attributes": attributes });
        extensions.others.insert(INSTANCING.to_owned(), instancing);
        for list in [
            &mut self.document.root.extensions_used,
            &mut self.document.root.extensions_required,
        ] {
            if list.is_empty() {
                list.push(INSTANCING.to_owned());
            }
        }
        Ok(Node {
            mesh: Some(mesh),
            extensions: Some(extensions),
            ..Node::default()
        })
    }

    fn mesh(&mut self, name: &str, surface: &Surface, worn: Option<Index<JsonMaterial>>) -> Index<Mesh> {
        let target = Some(Target::ArrayBuffer);
        let document = &mut self.document;
        let mut attributes: BTreeMap<Checked<Semantic>, Index<Accessor>> = BTreeMap::new();
        let mut attribute = |semantic, accessor| attributes.insert(Checked::Valid(semantic), accessor);
        attribute(Semantic::Positions, document.floats(&surface.positions, target, true));
        if let Some(normals) = &surface.normals {
            attribute(Semantic::Normals, document.floats(normals, target, false));
        }
        if let Some(colors) = &surface.colors {
            let colors = match colors {
                Colors::Rgb(values) => document.floats(values, target, false),
                Colors::Rgba(values) => document.floats(values, target, false),
            };
            attribute(Semantic::Colors(0), colors);
        }
        if let Some(uvs) = &surface.uvs {
            attribute(Semantic::TexCoords(0), document.floats(uvs, target, false));
        }
        for other in &surface.others {
            if let Some(accessor) = document.words(&other.words, other.lanes, target) {
                attribute(Semantic::Extras(other.name.clone()), accessor);
            }
        }
        let material = worn.unwrap_or_else(|| document.root.push(Material::default().to_json(name)));
        let indices = surface.faces.as_ref().map(|faces| document.indices(faces));
        let mode = if indices.is_some() {
            Mode::Triangles
        } else {
            Mode::Points
        };
        document.root.push(Mesh {
            extensions: None,
            extras: None,
            name: Some(name.to_owned()),
            primitives: vec![Primitive {
                attributes,
                extensions: None,
                extras: None,
                indices,
                material: Some(material),
                mode: Checked::Valid(mode),
                targets: None,
            }],
            weights: None,
        })
    }
}
