//! Payloads of meshes and captures that are damaged inside: told by what a reader would stumble over.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use zero_assets::serde_json::{self, Value, json};

use crate::builtin::{check_bytes, empty, make};

/// A binary glTF of a document and the bytes of its buffer.
fn glb(document: &Value, buffer: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let json = padded(&serde_json::to_vec(document).unwrap(), b' ');
    let buffer = padded(buffer, 0);
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(word(12 + 8 + json.len() + 8 + buffer.len()));
    for (kind, content) in [(b"JSON", json), (b"BIN\0", buffer)] {
        bytes.extend(word(content.len()));
        bytes.extend(kind);
        bytes.extend(content);
    }
    bytes
}

/// A square of two triangles: four positions, then six indices of two bytes.
fn square() -> (Value, Vec<u8>) {
    let positions = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let indices = [0u16, 1, 2, 0, 2, 3];
    let mut buffer: Vec<u8> = positions
        .as_flattened()
        .iter()
        .flat_map(|float| float.to_le_bytes())
        .collect();
    buffer.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    let document = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 60 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 12 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR" },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
    });
    (document, buffer)
}

fn told_of(bytes: &[u8], expected: &str) {
    let expected = format!("A/mesh.glb: error[mesh.payload]: {expected}");
    check_bytes("mesh", &[("mesh.glb", bytes)], &[&expected]);
}

/// What is told when one place of the square's document holds something else.
fn changed(place: &str, value: Value, expected: &str) {
    let (mut document, buffer) = square();
    let (holder, key) = place.rsplit_once('/').unwrap();
    match document.pointer_mut(holder).unwrap() {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        holder => holder[key] = value,
    }
    told_of(&glb(&document, &buffer), expected);
}

#[test]
fn a_whole_mesh_is_counted() {
    let (document, buffer) = square();
    let mut world = empty();
    let mesh = make(&mut world, "mesh");
    world
        .vfs()
        .write(&mesh.join("mesh.glb").unwrap(), &glb(&document, &buffer))
        .unwrap();
    let detail = world.inspect(&mesh).unwrap().detail.unwrap();
    assert_eq!((&detail["vertices"], &detail["triangles"]), (&json!(4), &json!(2)));
    assert_eq!((&detail["meshes"], &detail["nodes"]), (&json!(1), &json!(1)));
    check_bytes("mesh", &[("mesh.glb", &glb(&document, &buffer))], &[]);
}

#[test]
fn a_document_names_what_is_there() {
    changed(
        "/asset/version",
        json!("1.0"),
        "its document is of version 1.0, and version 2 is read",
    );
    changed(
        "/asset/minVersion",
        json!("3.0"),
        "its document is of version 3.0, and version 2 is read",
    );
    changed("/meshes", json!([]), "`nodes[0].mesh` names what is not there");
    changed("/meshes/0/primitives", json!([]), "mesh 0 holds no primitive");
    changed(
        "/meshes/0/primitives/0/attributes/POSITION",
        json!(9),
        "mesh 0: its POSITION is accessor 9, and 2 are here",
    );
    changed(
        "/meshes/0/primitives/0/indices",
        json!(9),
        "`meshes[0].primitives[0].indices` names what is not there",
    );
    changed(
        "/meshes/0/primitives/0/mode",
        json!(9),
        "`meshes[0].primitives[0].mode` holds what it may not",
    );
    changed(
        "/meshes/0/primitives/0/attributes",
        json!({ "NORMAL": 0 }),
        "`meshes[0].primitives[0].attributes[\"POSITION\"]` is missing",
    );
    changed(
        "/accessors/0/bufferView",
        json!(9),
        "`accessors[0].bufferView` names what is not there",
    );
    changed(
        "/images",
        json!([{ "uri": "bark.png" }]),
        "image 0 lies in `bark.png`, and a payload holds all of itself",
    );
    let (mut document, buffer) = square();
    (document["meshes"], document["nodes"], document["scenes"]) = (json!([]), json!([]), json!([]));
    told_of(&glb(&document, &buffer), "it holds no mesh");
}

#[test]
fn what_a_document_counts_on_is_in_its_bytes() {
    changed(
        "/buffers/0/byteLength",
        json!(64),
        "buffer 0 has 64 bytes, and 60 are here",
    );
    changed(
        "/buffers/0/uri",
        json!("mesh.bin"),
        "buffer 0 lies in `mesh.bin`, and a payload holds all of itself",
    );
    changed("/buffers/0/uri", json!("data:x;base64,?"), "buffer 0 is no base64");
    changed(
        "/buffers",
        json!([{ "byteLength": 60 }, { "byteLength": 1 }]),
        "buffer 1 is the binary chunk, and there is none",
    );
    changed(
        "/bufferViews/1/byteOffset",
        json!(52),
        "view 1 has 12 bytes from byte 52, and its buffer has 60",
    );
    changed(
        "/bufferViews/1/byteOffset",
        json!(u64::MAX),
        &format!("view 1 has 12 bytes from byte {}, and its buffer has 60", u64::MAX),
    );
    changed(
        "/accessors/0/count",
        json!(5),
        "accessor 0: 5 elements from byte 0 on do not fit the 48 bytes of view 0",
    );
    changed(
        "/accessors/0/count",
        json!(u64::MAX),
        &format!(
            "accessor 0: {} elements from byte 0 on do not fit the 48 bytes of view 0",
            u64::MAX
        ),
    );
    changed(
        "/bufferViews/0/byteStride",
        json!(8),
        "accessor 0: its elements of 12 bytes are 8 bytes apart",
    );
    let sparse = |count: u64, values: u64| {
        json!({
            "count": count,
            "indices": { "bufferView": 1, "componentType": 5123 },
            "values": { "bufferView": 0, "byteOffset": values },
        })
    };
    changed(
        "/accessors/0/sparse",
        sparse(5, 0),
        "accessor 0: 5 of its 4 elements are given apart",
    );
    changed(
        "/accessors/0/sparse",
        sparse(4, 4),
        "accessor 0: 4 elements from byte 4 on do not fit the 48 bytes of view 0",
    );
}

#[test]
fn what_is_drawn_can_be_drawn() {
    let (document, buffer) = square();
    let with = |at: usize, bytes: &[u8]| {
        let mut buffer = buffer.clone();
        buffer[at..at + bytes.len()].copy_from_slice(bytes);
        glb(&document, &buffer)
    };
    told_of(
        &with(16, &f32::NAN.to_le_bytes()),
        "mesh 0, primitive 0: vertex 1 stands at NaN",
    );
    told_of(
        &with(44, &f32::NEG_INFINITY.to_le_bytes()),
        "mesh 0, primitive 0: vertex 3 stands at -inf",
    );
    told_of(
        &with(58, &4u16.to_le_bytes()),
        "mesh 0, primitive 0: index 5 names vertex 4, and 4 are here",
    );
    changed(
        "/accessors/1/componentType",
        json!(5122),
        "mesh 0, primitive 0: its indices are no whole numbers",
    );
    let (mut document, buffer) = square();
    document["accessors"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "componentType": 5126, "count": 3, "type": "VEC3" }));
    document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(2);
    told_of(
        &glb(&document, &buffer),
        "mesh 0, primitive 0: it has 4 of POSITION and 3 of NORMAL",
    );
}

/// What extensions fill is theirs to say: a buffer without bytes, an accessor without a view.
#[test]
fn what_an_extension_fills_is_left_alone() {
    let (mut document, buffer) = square();
    document["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    document["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    for accessor in [0, 1] {
        document["accessors"][accessor]
            .as_object_mut()
            .unwrap()
            .remove("bufferView");
    }
    document["buffers"].as_array_mut().unwrap().push(json!({
        "byteLength": 400, "extensions": { "EXT_meshopt_compression": { "fallback": true } },
    }));
    check_bytes("mesh", &[("mesh.glb", &glb(&document, &buffer))], &[]);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// An SPZ of one splat in the form of a version, with harmonics of a degree, before it is packed.
fn spz(version: u32, degree: u8, body: usize) -> Vec<u8> {
    let mut bytes = b"NGSP".to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    bytes.extend([degree, 12, 0, 0]);
    bytes.resize(16 + body, 7);
    bytes
}

fn capture(bytes: &[u8], expected: &[&str]) {
    let expected: Vec<String> = expected
        .iter()
        .map(|one| format!("A/a.spz: error[gaussianSplat.payload]: {one}"))
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check_bytes(
        "gaussianSplat",
        &[("splat.yaml", b"payload: a.spz\n"), ("a.spz", bytes)],
        &expected,
    );
}

#[test]
fn a_packed_capture_has_the_size_that_it_says() {
    // Version, degree, bytes of a splat: position 6 or 9, opacity 1, colour 3, scale 3, rotation 3 or 4, harmonics.
    for (version, degree, size) in [
        (1, 0, 16),
        (2, 0, 19),
        (3, 0, 20),
        (3, 1, 29),
        (3, 2, 44),
        (3, 3, 65),
        (2, 4, 91),
    ] {
        capture(&gzip(&spz(version, degree, size)), &[]);
        // What follows are extensions.
        capture(&gzip(&spz(version, degree, size + 9)), &[]);
        let cut = size - 1;
        capture(
            &gzip(&spz(version, degree, cut)),
            &[&format!("1 splats have {size} bytes, and {cut} are here")],
        );
    }
    capture(
        &gzip(&spz(5, 0, 20)),
        &["it is SPZ of version 5, and versions 1 to 4 are read"],
    );
    capture(
        &gzip(&spz(3, 5, 20)),
        &["its harmonics are of degree 5, and 0 to 4 are read"],
    );
    capture(
        &gzip(&[b'x'; 40]),
        &["what it packs does not begin with `NGSP`: this is no SPZ"],
    );
    let packed = gzip(&spz(3, 3, 65));
    capture(&packed[..4], &["its head cannot be unpacked: unexpected end of file"]);
}

#[test]
fn an_open_capture_has_a_head() {
    let mut open = spz(4, 0, 16);
    capture(&open, &[]);
    capture(&open[..20], &["it has 20 bytes, and its head alone 32"]);
    open[4] = 9;
    capture(&open, &["it is SPZ of version 9 in the open, and version 4 is read"]);
}

/// A file of a few bytes that says it holds the most splats there can be costs what it holds.
#[test]
fn what_a_capture_says_of_itself_costs_nothing() {
    let mut bytes = spz(3, 4, 1000);
    bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let needed = u64::from(u32::MAX) * 92;
    capture(
        &gzip(&bytes),
        &[&format!("{} splats have {needed} bytes, and 1000 are here", u32::MAX)],
    );
}

/// Numbers that a document of a mesh may hold by fault or by intent.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        0..9u64,
        40..70u64,
        Just(u64::from(u32::MAX)),
        Just(u64::MAX),
        any::<u64>()
    ]
}

const PLACES: &[&str] = &[
    "/accessors/0/bufferView",
    "/accessors/0/byteOffset",
    "/accessors/0/componentType",
    "/accessors/0/count",
    "/accessors/1/bufferView",
    "/accessors/1/byteOffset",
    "/accessors/1/count",
    "/bufferViews/0/buffer",
    "/bufferViews/0/byteLength",
    "/bufferViews/0/byteOffset",
    "/bufferViews/0/byteStride",
    "/bufferViews/1/byteLength",
    "/buffers/0/byteLength",
    "/meshes/0/primitives/0/attributes/POSITION",
    "/meshes/0/primitives/0/indices",
    "/meshes/0/primitives/0/mode",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever a file says, it is read or told, and nothing is reached that is not there.
    #[test]
    fn damaged_payloads_are_read_or_told(
        edits in prop::collection::vec((prop::sample::select(PLACES), number()), 0..4),
        bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let (mut document, buffer) = square();
        for (place, value) in edits {
            let (holder, key) = place.rsplit_once('/').unwrap();
            document.pointer_mut(holder).unwrap()[key] = json!(value);
        }
        let mut mesh = glb(&document, &buffer);
        let mut splats = gzip(&spz(3, 1, 29));
        for (at, byte) in bytes {
            *at.get_mut(&mut mesh) = byte;
            *at.get_mut(&mut splats) = byte;
        }
        let mut world = empty();
        let asset = make(&mut world, "mesh");
        let capture = make(&mut world, "gaussianSplat");
        let file = asset.join("mesh.glb").unwrap();
        let whole = mesh.len();
        world.vfs().write(&file, &mesh).unwrap();
        world.vfs().write(&capture.join("splat.yaml").unwrap(), b"payload: a.spz\n").unwrap();
        world.vfs().write(&capture.join("a.spz").unwrap(), &splats).unwrap();
        world.update(std::time::Duration::from_secs(1));
        let broken = |world: &zero_assets::Workspace, asset| {
            world.validate(asset).unwrap().iter().any(|told| told.code.ends_with(".payload"))
        };
        // What is counted is what is sound.
        let counted = world.inspect(&asset).unwrap().detail.is_some_and(|detail| !detail["vertices"].is_null());
        prop_assert_eq!(counted, !broken(&world, &asset));
        let counted = world.inspect(&capture).unwrap().detail.is_some_and(|detail| !detail["splats"].is_null());
        prop_assert_eq!(counted, !broken(&world, &capture));
        let cut = cut.index(whole);
        world.vfs().write(&file, &mesh[..cut]).unwrap();
        prop_assert!(broken(&world, &asset));
    }
}
