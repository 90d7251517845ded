//! Files read as geometry: what others write, what this crate wrote, and what no file may do.
#![cfg(feature = "import")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says so by panicking")]

use base64::Engine;
use proptest::prelude::*;
use zero_procgen::export::{Glb, Material, obj_text, ply_bytes};
use zero_procgen::import::{self, Scene};
use zero_procgen::{Class, Error, HostColumn, HostDetail, HostGeometry, Result};

/// A square and a triangle that share a side, with a column of every kind on the points.
fn sheet() -> HostGeometry {
    let mut host = HostGeometry::new();
    let places = vec![
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [2.0, 0.5, 0.5],
    ];
    let set = |host: &mut HostGeometry, class, name: &str, column| host.set(class, name, column).unwrap();
    set(&mut host, Class::Point, "P", HostColumn::Vec3(places));
    set(&mut host, Class::Point, "N", HostColumn::Vec3(vec![[0.0, 1.0, 0.0]; 5]));
    let uvs = (0..5).map(|index| [index as f32 * 0.25, 0.1]).collect();
    set(&mut host, Class::Point, "uv", HostColumn::Vec2(uvs));
    // Bytes of sRGB come back exactly: 0, 128 and 255 among them.
    let colors = vec![[0.0, 0.2158605, 1.0, 1.0]; 5];
    set(&mut host, Class::Point, "Cd", HostColumn::Color(colors));
    set(
        &mut host,
        Class::Point,
        "heat",
        HostColumn::Float(vec![0.1, -2.5, 3.0, 1e-7, 9e9]),
    );
    set(
        &mut host,
        Class::Point,
        "wind",
        HostColumn::Vec3(vec![[0.5, -1.0, 2.0]; 5]),
    );
    set(
        &mut host,
        Class::Point,
        "orient",
        HostColumn::Quat(vec![[0.0, 0.6, 0.0, 0.8]; 5]),
    );
    set(
        &mut host,
        Class::Vertex,
        "pt",
        HostColumn::Int(vec![0, 1, 2, 3, 3, 2, 4]),
    );
    set(&mut host, Class::Primitive, "vstart", HostColumn::Int(vec![0, 4]));
    set(&mut host, Class::Primitive, "vcount", HostColumn::Int(vec![4, 3]));
    host
}

fn without(host: &HostGeometry, left: &[(Class, &str)]) -> HostGeometry {
    let mut kept = HostGeometry::new();
    for class in [Class::Point, Class::Vertex, Class::Primitive] {
        for name in host.names(class) {
            if !left.contains(&(class, name)) {
                kept.set(class, name, host.column(class, name).unwrap().clone())
                    .unwrap();
            }
        }
    }
    kept
}

fn none(_: &str) -> Result<Vec<u8>> {
    panic!("no other file is asked for")
}

fn glb(host: &HostGeometry) -> Scene {
    let bytes = Glb::new().all_columns().add("sheet", host).unwrap().to_bytes().unwrap();
    import::gltf("sheet.glb", &bytes, none).unwrap()
}

fn refused(error: Error, file: &str, expected: &str) {
    let text = error.to_string();
    assert!(
        matches!(error, Error::Import { .. }) && text.starts_with(file) && text.contains(expected),
        "{text}"
    );
}

#[test]
fn a_ply_that_was_written_reads_back_equal_and_writes_the_same_bytes() {
    let mut host = sheet();
    host.set(Class::Point, "id", HostColumn::Int(vec![7, -8, 9, 10, i32::MIN]))
        .unwrap();
    host.set(Class::Point, "mask", HostColumn::UInt(vec![0, 1, 2, u32::MAX, 4]))
        .unwrap();
    host.set(Class::Primitive, "area", HostColumn::Float(vec![1.0, 0.5]))
        .unwrap();
    host.set(Class::Primitive, "up", HostColumn::Vec3(vec![[0.0, 1.0, 0.0]; 2]))
        .unwrap();
    let bytes = ply_bytes(&host).unwrap();
    let back = import::ply("sheet.ply", &bytes).unwrap();
    let color = |host: &HostGeometry| host.column(Class::Point, "Cd").unwrap().clone();
    let (HostColumn::Color(given), HostColumn::Color(found)) = (color(&host), color(&back)) else {
        panic!("no colour");
    };
    let off = given
        .as_flattened()
        .iter()
        .zip(found.as_flattened())
        .map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f32::max) < 1e-4, "{found:?}");
    let left = [(Class::Point, "Cd")];
    assert_eq!(without(&back, &left), without(&host, &left));
    assert_eq!(ply_bytes(&back).unwrap(), bytes);
}

#[test]
fn a_face_of_more_than_255_corners_is_written_and_read() {
    let mut host = HostGeometry::new();
    let places = (0..300).map(|index| [index as f32, 0.0, 0.0]).collect();
    host.set(Class::Point, "P", HostColumn::Vec3(places)).unwrap();
    host.set(Class::Vertex, "pt", HostColumn::Int((0..300).collect()))
        .unwrap();
    host.set(Class::Primitive, "vstart", HostColumn::Int(vec![0])).unwrap();
    host.set(Class::Primitive, "vcount", HostColumn::Int(vec![300]))
        .unwrap();
    assert_eq!(import::ply("wide.ply", &ply_bytes(&host).unwrap()).unwrap(), host);
}

const ASCII: &str = "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 3\nproperty double x\nproperty double y\n\
    property double z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nproperty short level\n\
    element face 1\nproperty list uchar uint vertex_index\nend_header\n0 0 0 255 0 0 -3\n0 0 1 0 255 0 4\n\
    1 0 0 0 0 188 5\n3 0 1 2\n";

#[test]
fn a_ply_of_text_is_read_with_its_conventions() {
    let host = import::ply("hand.ply", ASCII.as_bytes()).unwrap();
    assert_eq!(host.vec3s(Class::Point, "P").unwrap()[1], [0.0, 0.0, 1.0]);
    assert_eq!(host.ints(Class::Point, "level").unwrap(), [-3, 4, 5]);
    let HostColumn::Color(colors) = host.column(Class::Point, "Cd").unwrap() else {
        panic!("no colour");
    };
    assert_eq!(colors[0], [1.0, 0.0, 0.0, 1.0]);
    // 188 of 255 is half of the light.
    assert!((colors[2][2] - 0.5).abs() < 0.003, "{colors:?}");
    assert_eq!(host.ints(Class::Vertex, "pt").unwrap(), [0, 1, 2]);
    assert_eq!(host.ints(Class::Primitive, "vcount").unwrap(), [3]);
}

#[test]
fn edges_are_faces_of_two_corners() {
    let text = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n\
        element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n0 0 0\n1 0 0\n1 0\n";
    let host = import::ply("edge.ply", text.as_bytes()).unwrap();
    assert_eq!(host.ints(Class::Vertex, "pt").unwrap(), [1, 0]);
    assert_eq!(host.ints(Class::Primitive, "vcount").unwrap(), [2]);
}

#[test]
fn a_ply_is_refused_for_what_it_says_wrong() {
    let change = |from: &str, to: &str| {
        assert!(ASCII.contains(from));
        import::ply("bad.ply", ASCII.replacen(from, to, 1).as_bytes()).unwrap_err()
    };
    refused(change("3 0 1 2", "3 0 1 3"), "bad.ply", "expected one of 3 vertices");
    refused(
        change("0 0 1 0 255", "0 nan 1 0 255"),
        "bad.ply",
        "vertex 1: P is not a finite number",
    );
    refused(
        change("vertex_index", "corners"),
        "bad.ply",
        "expected a list vertex_indices",
    );
    refused(change("ply\n", "plx\n"), "bad.ply", "");
    refused(change("3 0 1 2\n", ""), "bad.ply", "face");
    // A header that promises more than the file holds costs no more than the file.
    refused(change("element vertex 3", "element vertex 4000000000"), "bad.ply", "");
    refused(import::ply("bad.ply", b"").unwrap_err(), "bad.ply", "");
    let missing = import::open_ply("/nowhere/at/all.ply").unwrap_err();
    assert!(matches!(missing, Error::File { .. }), "{missing}");
}

#[test]
fn what_ply_and_obj_cannot_hold_is_refused() {
    let mut host = sheet();
    host.set(Class::Vertex, "uv", HostColumn::Vec2(vec![[0.0; 2]; 7]))
        .unwrap();
    let error = ply_bytes(&host).unwrap_err().to_string();
    assert!(error.contains("vertex.uv stands on corners"), "{error}");
    let mut crowd = sheet();
    crowd.set_detail("Mesh", HostDetail::Geometry(sheet()));
    assert!(ply_bytes(&crowd).unwrap_err().to_string().contains("population"));
    assert!(
        obj_text([("a", &crowd)])
            .unwrap_err()
            .to_string()
            .contains("population")
    );
    assert!(
        obj_text([("a\nb", &sheet())])
            .unwrap_err()
            .to_string()
            .contains("can't stand")
    );
    let mut broken = sheet();
    broken
        .set(Class::Vertex, "pt", HostColumn::Int(vec![0, 1, 2, 3, 3, 2, 5]))
        .unwrap();
    for error in [ply_bytes(&broken).unwrap_err(), obj_text([("a", &broken)]).unwrap_err()] {
        assert!(error.to_string().contains("expected one of 5 points, got 5"), "{error}");
    }
}

#[test]
fn an_obj_that_was_written_reads_back_with_its_polygons() {
    let host = sheet();
    let text = obj_text([("first", &host), ("second", &host)]).unwrap();
    let scene = import::obj("sheet.obj", text.as_bytes(), |_| None).unwrap();
    let names: Vec<&str> = scene.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
    for part in &scene.parts {
        let found = &part.geometry;
        assert_eq!(
            found.vec3s(Class::Point, "P").unwrap(),
            host.vec3s(Class::Point, "P").unwrap()
        );
        for (class, name) in [
            (Class::Vertex, "pt"),
            (Class::Primitive, "vstart"),
            (Class::Primitive, "vcount"),
        ] {
            assert_eq!(found.ints(class, name).unwrap(), host.ints(class, name).unwrap());
        }
        assert_eq!(found.vec3s(Class::Vertex, "N").unwrap(), [[0.0, 1.0, 0.0]; 7]);
        let HostColumn::Vec2(uvs) = found.column(Class::Vertex, "uv").unwrap() else {
            panic!("no coordinates");
        };
        assert_eq!(uvs[6], [1.0, 0.1]);
        assert_eq!(
            found.column(Class::Point, "Cd").unwrap(),
            host.column(Class::Point, "Cd").unwrap()
        );
    }
    assert_eq!(scene.whole().unwrap().count(Class::Primitive), 4);
}

#[test]
fn an_obj_has_materials_and_says_the_line_it_stumbles_over() {
    let text = "mtllib wood.mtl\nv 0 0 0\nv 0 0 1\nv 1 0 0\no plank\nusemtl oak\nf -3 -2 -1\n";
    let mtl = "newmtl oak\nKd 0.5 0.25 0.125\nd 0.5\n";
    let scene = import::obj("plank.obj", text.as_bytes(), |name| {
        assert_eq!(name, "wood.mtl");
        Some(mtl.as_bytes().to_vec())
    })
    .unwrap();
    assert_eq!(scene.materials[0].name, "oak");
    assert_eq!(scene.materials[0].material.base_color, [0.5, 0.25, 0.125, 0.5]);
    assert_eq!(scene.part("plank").unwrap().material, Some(0));
    let unknown = scene.part("plonk").unwrap_err().to_string();
    assert!(unknown.contains("plank"), "{unknown}");
    let bad = import::obj("bad.obj", b"v 0 0 0\nv 1 x 0\n", |_| None).unwrap_err();
    refused(bad, "bad.obj:2", "position");
    let past = import::obj("bad.obj", b"v 0 0 0\nf 1 2 3\n", |_| None).unwrap_err();
    refused(past, "bad.obj", "");
}

#[test]
fn a_glb_that_was_written_reads_back_with_every_column() {
    let mut host = sheet();
    host.set(Class::Point, "minDist", HostColumn::Vec2(vec![[1.0, 2.0]; 5]))
        .unwrap();
    host.set(Class::Point, "id", HostColumn::Int(vec![0, 1, 2, 3, -16_777_216]))
        .unwrap();
    let scene = glb(&host);
    let found = &scene.part("sheet").unwrap().geometry;
    for name in ["P", "N", "uv", "Cd", "heat", "wind", "minDist"] {
        assert_eq!(
            found.column(Class::Point, name).unwrap(),
            host.column(Class::Point, name).unwrap(),
            "{name}"
        );
    }
    assert_eq!(
        found.floats(Class::Point, "id").unwrap(),
        [0.0, 1.0, 2.0, 3.0, -16_777_216.0]
    );
    // The square is a fan of two triangles.
    assert_eq!(found.ints(Class::Vertex, "pt").unwrap(), [0, 1, 2, 0, 2, 3, 3, 2, 4]);
    host.set(Class::Point, "id", HostColumn::Int(vec![16_777_217; 5]))
        .unwrap();
    let error = Glb::new().all_columns().add("sheet", &host).unwrap_err().to_string();
    assert!(error.contains("16777217") && error.contains("point.id"), "{error}");
    assert!(
        Glb::new().add("sheet", &host).is_ok(),
        "left out unless it is asked for"
    );
}

#[test]
fn a_population_that_was_written_reads_back_as_one() {
    let mut host = HostGeometry::new();
    host.set(
        Class::Point,
        "P",
        HostColumn::Vec3(vec![[1.0, 2.0, 3.0], [-4.0, 0.0, 0.0]]),
    )
    .unwrap();
    let turn = glam::Quat::from_rotation_z(0.5).to_array();
    host.set(
        Class::Point,
        "orient",
        HostColumn::Quat(vec![turn, [0.0, 0.0, 0.0, 1.0]]),
    )
    .unwrap();
    host.set(
        Class::Point,
        "scale",
        HostColumn::Vec3(vec![[2.0, 2.0, 2.0], [1.0, 3.0, 1.0]]),
    )
    .unwrap();
    host.set(Class::Point, "age", HostColumn::Float(vec![12.0, 60.0]))
        .unwrap();
    host.set_detail(
        "Mesh",
        HostDetail::Geometry(without(&sheet(), &[(Class::Point, "orient")])),
    );
    let scene = glb(&host);
    let found = &scene.part("sheet").unwrap().geometry;
    for name in ["P", "scale", "age"] {
        assert_eq!(
            found.column(Class::Point, name).unwrap(),
            host.column(Class::Point, name).unwrap()
        );
    }
    assert_eq!(found.mesh().unwrap().count(Class::Point), 5);
    // Written out, each copy stands where its instance did.
    let whole = scene.whole().unwrap();
    assert_eq!((whole.count(Class::Point), whole.count(Class::Primitive)), (10, 6));
    let places = whole.vec3s(Class::Point, "P").unwrap();
    let expected = glam::Quat::from_rotation_z(0.5) * (glam::vec3(2.0, 0.5, 0.5) * 2.0) + glam::vec3(1.0, 2.0, 3.0);
    assert!(
        glam::Vec3::from(places[4]).abs_diff_eq(expected, 1e-5),
        "{:?}",
        places[4]
    );
    assert_eq!(places[9], [-2.0, 1.5, 0.5]);
    assert_eq!(&whole.ints(Class::Vertex, "pt").unwrap()[9..12], [5, 6, 7]);
}

/// A document by hand: buffers as base64, everything else as the test says.
fn by_hand(bytes: &[u8], rest: &str) -> String {
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!(
        r#"{{ "asset": {{ "version": "2.0" }},
            "buffers": [{{ "byteLength": {}, "uri": "data:application/octet-stream;base64,{data}" }}], {rest} }}"#,
        bytes.len()
    )
}

fn le(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Four places, indices of 16 bits, colours of bytes, and two places moved by a sparse list.
fn packed(mode: u32) -> String {
    let mut bytes = le(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]);
    bytes.extend([0u16, 1, 2, 3].iter().flat_map(|index| index.to_le_bytes()));
    bytes.extend([255u8, 0, 51, 255].repeat(4));
    bytes.extend([3u8, 0, 0, 0]);
    bytes.extend(le(&[5.0, 6.0, 7.0]));
    by_hand(
        &bytes,
        &format!(
            r#""bufferViews": [
                {{ "buffer": 0, "byteLength": 48 }}, {{ "buffer": 0, "byteOffset": 48, "byteLength": 8 }},
                {{ "buffer": 0, "byteOffset": 56, "byteLength": 16 }},
                {{ "buffer": 0, "byteOffset": 72, "byteLength": 4 }},
                {{ "buffer": 0, "byteOffset": 76, "byteLength": 12 }}],
            "accessors": [
                {{ "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                   "min": [0, 0, 0], "max": [5, 6, 7],
                   "sparse": {{ "count": 1, "indices": {{ "bufferView": 3, "componentType": 5121 }},
                               "values": {{ "bufferView": 4 }} }} }},
                {{ "bufferView": 1, "componentType": 5123, "count": 4, "type": "SCALAR" }},
                {{ "bufferView": 2, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC4" }}],
            "materials": [{{ "name": "red", "pbrMetallicRoughness": {{ "baseColorFactor": [1, 0, 0, 1] }} }}],
            "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0, "COLOR_0": 2 }}, "indices": 1,
                                          "material": 0, "mode": {mode} }}] }}],
            "nodes": [{{ "name": "turned", "children": [1], "translation": [10, 0, 0] }},
                      {{ "name": "leaf", "mesh": 0, "scale": [1, -1, 1] }}],
            "scenes": [{{ "nodes": [0] }}], "scene": 0"#
        ),
    )
}

#[test]
fn a_document_by_others_is_read_in_every_packing_and_mode() {
    let corners = |mode| {
        let scene = import::gltf("hand.gltf", packed(mode).as_bytes(), none).unwrap();
        let part = scene.part("leaf").unwrap().clone();
        let faces = part
            .geometry
            .ints(Class::Vertex, "pt")
            .map(<[i32]>::to_vec)
            .unwrap_or_default();
        (scene, part, faces)
    };
    let (scene, part, faces) = corners(5);
    assert_eq!(faces, [0, 1, 2, 2, 1, 3], "a strip turns every second triangle");
    assert_eq!(corners(4).2, [0, 1, 2], "what is left of a list is no triangle");
    assert_eq!(corners(6).2, [0, 1, 2, 0, 2, 3]);
    assert_eq!(corners(1).2, [0, 1, 2, 3]);
    assert_eq!(corners(3).2, [0, 1, 1, 2, 2, 3]);
    assert_eq!(corners(2).2, [0, 1, 1, 2, 2, 3, 3, 0]);
    assert!(corners(0).2.is_empty());
    assert_eq!(
        part.geometry.vec3s(Class::Point, "P").unwrap()[3],
        [5.0, 6.0, 7.0],
        "the sparse place"
    );
    let HostColumn::Color(colors) = part.geometry.column(Class::Point, "Cd").unwrap() else {
        panic!("no colour");
    };
    assert_eq!(colors[0], [1.0, 0.0, 0.2, 1.0]);
    assert_eq!(part.material, Some(0));
    assert_eq!(
        scene.materials[0].material,
        Material {
            base_color: [1.0, 0.0, 0.0, 1.0],
            roughness: 1.0,
            metallic: 1.0
        }
    );
    // The leaf is mirrored in Y and moved: its faces keep their outer side.
    let whole = scene.whole().unwrap();
    assert_eq!(whole.vec3s(Class::Point, "P").unwrap()[3], [15.0, -6.0, 7.0]);
    assert_eq!(whole.ints(Class::Vertex, "pt").unwrap(), [2, 1, 0, 3, 1, 2]);
    assert_eq!(whole.ints(Class::Primitive, "material").unwrap(), [0, 0]);
}

#[test]
fn skeletons_that_others_made_are_read_whole() {
    for rig in ["mpfb_game_engine.glb", "mpfb_mixamo.glb"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../zero-ik/tests/rigs")
            .join(rig);
        assert!(import::open_gltf(path).is_ok(), "{rig}");
    }
}

#[test]
fn a_document_is_refused_for_what_it_says_wrong() {
    let change = |from: &str, to: &str| {
        let text = packed(4);
        assert!(text.contains(from), "{from}");
        import::gltf("bad.gltf", text.replacen(from, to, 1).as_bytes(), none).unwrap_err()
    };
    let required = r#""extensionsRequired": ["KHR_draco_mesh_compression"], "extensionsUsed": ["KHR_draco_mesh_compression"], "bufferViews""#;
    refused(
        change(r#""bufferViews""#, required),
        "bad.gltf",
        "KHR_draco_mesh_compression",
    );
    refused(
        change(
            r#""byteOffset": 48, "byteLength": 8"#,
            r#""byteOffset": 480, "byteLength": 8"#,
        ),
        "bad.gltf",
        "outside",
    );
    refused(
        change(
            r#""count": 4, "type": "SCALAR""#,
            r#""count": 4000000000, "type": "SCALAR""#,
        ),
        "bad.gltf",
        "outside",
    );
    refused(
        change(r#""children": [1]"#, r#""children": [0]"#),
        "bad.gltf",
        "reached twice",
    );
    refused(
        change(r#""translation": [10, 0, 0]"#, r#""translation": [1e39, 0, 0]"#),
        "bad.gltf",
        "",
    );
    refused(change(r#""version": "2.0""#, r#""version": 2"#), "bad.gltf", "");
    refused(
        change("data:application", "http://application"),
        "bad.gltf",
        "no file beside it",
    );
    refused(change(";base64,", ";text,"), "bad.gltf", "no base64");
    refused(
        import::gltf("bad.glb", b"glTF\x02\0\0\0", none).unwrap_err(),
        "bad.glb",
        "",
    );
}

#[test]
fn buffers_beside_the_document_are_asked_for_by_name() {
    let bytes = le(&[1.0, 2.0, 3.0]);
    let text = r#"{ "asset": { "version": "2.0" }, "buffers": [{ "byteLength": 12, "uri": "one%20point.bin" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 12 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3", "min": [1,2,3], "max": [1,2,3] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "mode": 0 }] }], "nodes": [{ "mesh": 0 }] }"#;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one point.bin"), bytes).unwrap();
    std::fs::write(folder.path().join("dot.gltf"), text).unwrap();
    let scene = import::open_gltf(folder.path().join("dot.gltf")).unwrap();
    assert_eq!(
        scene.part("mesh 0").unwrap().geometry.vec3s(Class::Point, "P").unwrap(),
        [[1.0, 2.0, 3.0]]
    );
    std::fs::remove_file(folder.path().join("one point.bin")).unwrap();
    let missing = import::open_gltf(folder.path().join("dot.gltf")).unwrap_err();
    assert!(matches!(missing, Error::File { .. }), "{missing}");
}

/// A file with some of its bytes changed, cut off or repeated.
fn damaged(file: &[u8], damage: &[(usize, u8)], cut: usize) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for (place, value) in damage {
        let place = place % bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(place) {
            *byte = *value;
        }
    }
    bytes.truncate(bytes.len() - cut % (bytes.len() / 4 + 1));
    bytes
}

proptest! {
    #[test]
    fn no_file_makes_an_import_panic(
        damage in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        cut in prop_oneof![Just(0usize), any::<usize>()],
    ) {
        let glb = Glb::new().all_columns().add("sheet", &sheet()).unwrap().to_bytes().unwrap();
        let gltf = packed(5).into_bytes();
        for file in [&glb, &gltf] {
            if let Ok(scene) = import::gltf("any", &damaged(file, &damage, cut), |_| Ok(Vec::new())) {
                let _ = scene.whole();
            }
        }
        for file in [ply_bytes(&sheet()).unwrap(), ASCII.as_bytes().to_vec()] {
            let _ = import::ply("any", &damaged(&file, &damage, cut));
        }
        let text = obj_text([("a", &sheet())]).unwrap();
        if let Ok(scene) = import::obj("any", &damaged(text.as_bytes(), &damage, cut), |_| None) {
            let _ = scene.whole();
        }
    }
}
