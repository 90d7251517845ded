//! Reads a GLB the way a strict reader does: every rule of glTF 2.0 that a writer of meshes can break is asserted, by
//! section of the specification.

use gltf::json::accessor::{ComponentType, Type};
use gltf::json::validation::{Checked as Valid, Validate};
use gltf::json::{Accessor, Index, Root};
use std::collections::BTreeSet;

/// A file that kept the rules, and what is in it.
pub(crate) struct Checked {
    pub(crate) root: Root,
    bytes: Vec<u8>,
}

/// What a mesh of one primitive holds, as the `gltf` crate reads it.
pub(crate) struct ReadMesh {
    pub(crate) mode: gltf::mesh::Mode,
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) colors: Vec<[f32; 3]>,
    pub(crate) rgba: Vec<[f32; 4]>,
    pub(crate) uvs: Vec<[f32; 2]>,
    pub(crate) indices: Vec<u32>,
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
    pub(crate) material: gltf::json::Material,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Asserts the container (section 4.4) and the document in it.
pub(crate) fn check(bytes: &[u8]) -> Checked {
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!(word(bytes, 4), 2);
    assert_eq!(word(bytes, 8) as usize, bytes.len());
    let json_len = word(bytes, 12) as usize;
    assert_eq!(&bytes[16..20], b"JSON");
    assert_eq!(json_len % 4, 0);
    let json = &bytes[20..20 + json_len];
    let root = Root::from_slice(json).unwrap();
    let rest = &bytes[20 + json_len..];
    let mut buffer = Vec::new();
    if rest.is_empty() {
        assert!(root.buffers.is_empty(), "a buffer without a chunk");
    } else {
        let bin_len = word(rest, 0) as usize;
        assert_eq!(&rest[4..8], b"BIN\0");
        assert_eq!((bin_len % 4, rest.len()), (0, 8 + bin_len));
        assert_eq!(root.buffers.len(), 1);
        let stated = root.buffers[0].byte_length.0 as usize;
        assert!(root.buffers[0].uri.is_none() && stated <= bin_len && bin_len - stated < 4);
        buffer = rest[8..8 + stated].to_vec();
    }
    let checked = Checked {
        root,
        bytes: bytes.to_vec(),
    };
    checked.document(&buffer);
    checked
}

impl Checked {
    fn document(&self, buffer: &[u8]) {
        let root = &self.root;
        assert_eq!(root.asset.version, "2.0");
        self.indices_are_in_range();
        let used: BTreeSet<_> = root.extensions_used.iter().collect();
        assert_eq!(used.len(), root.extensions_used.len());
        assert!(root.extensions_required.iter().all(|name| used.contains(name)));
        let mut end = 0;
        for view in &root.buffer_views {
            let (offset, length) = (view.byte_offset.unwrap().0 as usize, view.byte_length.0 as usize);
            assert!(
                length > 0 && offset % 4 == 0 && offset == end,
                "views follow each other, aligned"
            );
            end = offset + length;
        }
        assert_eq!(end, buffer.len(), "every byte is in a view");
        for accessor in &root.accessors {
            self.accessor(accessor, buffer);
        }
        for mesh in &root.meshes {
            assert_eq!(mesh.primitives.len(), 1);
            self.primitive(&mesh.primitives[0], buffer);
        }
        let scene = root.scene.map(|scene| &root.scenes[scene.value()]);
        let nodes: Vec<_> = scene.iter().flat_map(|scene| &scene.nodes).map(Index::value).collect();
        assert_eq!(nodes, (0..root.nodes.len()).collect::<Vec<_>>());
        for node in &root.nodes {
            if let Some(extension) = extension(node) {
                assert!(node.mesh.is_some(), "instances of nothing");
                self.instancing(extension, buffer);
            }
        }
    }

    /// The crate's own validation, but for the extension, which it does not know.
    fn indices_are_in_range(&self) {
        let mut known = self.root.clone();
        known.extensions_required.clear();
        let mut faults = Vec::new();
        known.validate(&known, gltf::json::Path::new, &mut |path, error| {
            faults.push(format!("{}: {error}", path()));
        });
        assert!(faults.is_empty(), "{faults:?}");
    }

    /// Section 3.6.2: the values lie in the view, the extent is theirs, floats are finite.
    fn accessor(&self, accessor: &Accessor, buffer: &[u8]) {
        assert!(accessor.count.0 > 0 && accessor.sparse.is_none() && accessor.byte_offset.is_none());
        let view = &self.root.buffer_views[accessor.buffer_view.unwrap().value()];
        let lanes = lanes(accessor);
        assert_eq!(view.byte_length.0, accessor.count.0 * lanes as u64 * 4);
        assert!(view.byte_stride.is_none());
        if component(accessor) == ComponentType::U32 {
            return;
        }
        let values = self.floats(accessor, buffer);
        assert!(values.iter().flatten().all(|lane| lane.is_finite()));
        if let (Some(min), Some(max)) = (&accessor.min, &accessor.max) {
            for lane in 0..lanes {
                let of = |bound: &gltf::json::Value| bound[lane].as_f64().unwrap();
                let lane_values = || values.iter().map(|value| f64::from(value[lane]));
                assert_eq!(of(min), lane_values().fold(f64::INFINITY, f64::min));
                assert_eq!(of(max), lane_values().fold(f64::NEG_INFINITY, f64::max));
            }
        }
    }

    /// Section 3.7.2: attributes of one count and the right types, unit normals, indices of vertices there are.
    fn primitive(&self, primitive: &gltf::json::mesh::Primitive, buffer: &[u8]) {
        let mut vertices = None;
        for (semantic, index) in &primitive.attributes {
            let accessor = &self.root.accessors[index.value()];
            assert_eq!(component(accessor), ComponentType::F32);
            assert_eq!(self.target(accessor), Some(34_962));
            assert_eq!(*vertices.get_or_insert(accessor.count.0), accessor.count.0);
            let name = semantic.to_string();
            let allowed: &[usize] = match name.as_str() {
                "TEXCOORD_0" => &[2],
                "COLOR_0" => &[3, 4],
                _ => &[3],
            };
            assert!(allowed.contains(&lanes(accessor)), "{name}");
            let values = self.floats(accessor, buffer);
            match name.as_str() {
                "POSITION" => assert!(accessor.min.is_some() && accessor.max.is_some()),
                "NORMAL" => {
                    for normal in values {
                        let length = normal.iter().map(|lane| lane * lane).sum::<f32>().sqrt();
                        assert!((length - 1.0).abs() < 1e-6, "{normal:?}");
                    }
                }
                "COLOR_0" => assert!(values.iter().flatten().all(|lane| (0.0..=1.0).contains(lane))),
                "TEXCOORD_0" => {}
                other => panic!("an attribute {other}"),
            }
        }
        let vertices = vertices.unwrap();
        if let Some(indices) = primitive.indices {
            let accessor = &self.root.accessors[indices.value()];
            assert_eq!((component(accessor), lanes(accessor)), (ComponentType::U32, 1));
            assert_eq!(self.target(accessor), Some(34_963));
            assert_eq!(accessor.count.0 % 3, 0);
            let bytes = self.bytes_of(accessor, buffer);
            assert!(
                (0..bytes.len())
                    .step_by(4)
                    .all(|at| u64::from(word(bytes, at)) < vertices)
            );
        }
        assert!(primitive.material.is_some());
    }

    /// EXT_mesh_gpu_instancing: the types of its attributes, one count, unit quaternions.
    fn instancing(&self, extension: &gltf::json::Value, buffer: &[u8]) {
        assert!(
            self.root
                .extensions_used
                .iter()
                .any(|name| name == "EXT_mesh_gpu_instancing")
        );
        let attributes = extension["attributes"].as_object().unwrap();
        let mut counts = BTreeSet::new();
        for (semantic, index) in attributes {
            let accessor = &self.root.accessors[index.as_u64().unwrap() as usize];
            let expected = match semantic.as_str() {
                "TRANSLATION" | "SCALE" => 3,
                "ROTATION" => 4,
                other => panic!("an attribute {other}"),
            };
            assert_eq!((lanes(accessor), component(accessor)), (expected, ComponentType::F32));
            counts.insert(accessor.count.0);
            if semantic == "ROTATION" {
                for turn in self.floats(accessor, buffer) {
                    let length = turn.iter().map(|lane| lane * lane).sum::<f32>();
                    assert!((length - 1.0).abs() < 1e-6, "{turn:?}");
                }
            }
        }
        assert_eq!(counts.len(), 1, "every attribute has one count");
    }

    fn target(&self, accessor: &Accessor) -> Option<u64> {
        let view = &self.root.buffer_views[accessor.buffer_view.unwrap().value()];
        gltf::json::serialize::to_value(view).unwrap()["target"].as_u64()
    }

    fn bytes_of<'b>(&self, accessor: &Accessor, buffer: &'b [u8]) -> &'b [u8] {
        let view = &self.root.buffer_views[accessor.buffer_view.unwrap().value()];
        let from = view.byte_offset.unwrap().0 as usize;
        &buffer[from..from + view.byte_length.0 as usize]
    }

    fn floats(&self, accessor: &Accessor, buffer: &[u8]) -> Vec<Vec<f32>> {
        let bytes = self.bytes_of(accessor, buffer);
        let lanes = bytes.chunks(4).map(|word| f32::from_le_bytes(word.try_into().unwrap()));
        let lanes: Vec<f32> = lanes.collect();
        let width = self::lanes(accessor);
        lanes.chunks(width).map(<[f32]>::to_vec).collect()
    }

    /// A mesh by name, through the `gltf` crate's readers.
    pub(crate) fn mesh(&self, name: &str) -> ReadMesh {
        let gltf = gltf::Gltf::from_slice_without_validation(&self.bytes).unwrap();
        let blob = gltf.blob.clone().unwrap();
        let mesh = gltf.meshes().find(|mesh| mesh.name() == Some(name)).unwrap();
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(&blob));
        let bounds = primitive.bounding_box();
        ReadMesh {
            mode: primitive.mode(),
            positions: reader.read_positions().unwrap().collect(),
            normals: reader.read_normals().map(Iterator::collect).unwrap_or_default(),
            rgba: reader
                .read_colors(0)
                .map(|colors| colors.into_rgba_f32().collect())
                .unwrap_or_default(),
            colors: reader
                .read_colors(0)
                .map(|colors| colors.into_rgb_f32().collect())
                .unwrap_or_default(),
            uvs: reader
                .read_tex_coords(0)
                .map(|uvs| uvs.into_f32().collect())
                .unwrap_or_default(),
            indices: reader
                .read_indices()
                .map(|indices| indices.into_u32().collect())
                .unwrap_or_default(),
            min: bounds.min,
            max: bounds.max,
            material: self.root.materials[primitive.material().index().unwrap()].clone(),
        }
    }

    /// The poses of a node's instances, through the `gltf` crate's readers.
    pub(crate) fn instances(&self, name: &str) -> Vec<glam::Affine3A> {
        let gltf = gltf::Gltf::from_slice_without_validation(&self.bytes).unwrap();
        let blob = gltf.blob.clone().unwrap();
        let node = gltf.nodes().find(|node| node.name() == Some(name)).unwrap();
        let extension = node.extension_value("EXT_mesh_gpu_instancing").unwrap();
        let read = |semantic: &str| {
            let index = extension["attributes"][semantic].as_u64().unwrap() as usize;
            gltf.accessors().nth(index).unwrap()
        };
        fn values<T: gltf::accessor::Item>(accessor: gltf::Accessor<'_>, blob: &[u8]) -> Vec<T> {
            gltf::accessor::Iter::<T>::new(accessor, |_| Some(blob))
                .unwrap()
                .collect()
        }
        let translations: Vec<[f32; 3]> = values(read("TRANSLATION"), &blob);
        let rotations: Vec<[f32; 4]> = values(read("ROTATION"), &blob);
        let scales: Vec<[f32; 3]> = values(read("SCALE"), &blob);
        let poses = translations.into_iter().zip(rotations).zip(scales);
        poses
            .map(|((translation, rotation), scale)| {
                glam::Affine3A::from_scale_rotation_translation(
                    scale.into(),
                    glam::Quat::from_array(rotation),
                    translation.into(),
                )
            })
            .collect()
    }
}

fn extension(node: &gltf::json::Node) -> Option<&gltf::json::Value> {
    node.extensions
        .as_ref()
        .and_then(|extensions| extensions.others.get("EXT_mesh_gpu_instancing"))
}

fn lanes(accessor: &Accessor) -> usize {
    match accessor.type_ {
        Valid::Valid(Type::Scalar) => 1,
        Valid::Valid(Type::Vec2) => 2,
        Valid::Valid(Type::Vec3) => 3,
        Valid::Valid(Type::Vec4) => 4,
        _ => panic!("an accessor of another shape"),
    }
}

fn component(accessor: &Accessor) -> ComponentType {
    match accessor.component_type {
        Valid::Valid(component) => component.0,
        Valid::Invalid => panic!("an accessor of no component"),
    }
}
