//! A folder as a host: every output in files, all of a present or none.

use crate::common::{play, present, stones, with};
use std::collections::BTreeMap;
use std::path::Path;
use zero_procgen::export::{Glb, Material, obj_text, ply_bytes};
use zero_procgen::nodes::{geometry, mesh, points};
use zero_procgen::{Folder, Graph, GraphDef, Inputs, Stage, vec3};

/// The names of a folder's files with their bytes.
fn held(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read(entry.path()).unwrap(),
            )
        })
        .collect()
}

fn granite() -> Material {
    Material {
        base_color: [0.3, 0.3, 0.32, 1.0],
        ..Material::default()
    }
}

#[test]
fn a_glb_holds_meshes_instances_and_one_material_for_all_that_wear_it() {
    let kept = tempfile::tempdir().unwrap();
    let folder = Folder::new(kept.path().join("new/out"))
        .file("all.glb", ["floor", "stones"])
        .unwrap()
        .material("granite", granite())
        .unwrap()
        .material("unworn", Material::default())
        .unwrap()
        .wears("floor", "granite")
        .wears("stones", "granite");
    let mut stage = Stage::new(folder);
    let mut play = play(&stones(), Inputs::default());
    let frame = present(&mut play);
    stage.stand(&frame).unwrap();
    let files = held(stage.host().path());
    assert_eq!(files.keys().collect::<Vec<_>>(), ["all.glb"]);
    let document = gltf::Gltf::from_slice_without_validation(&files["all.glb"])
        .unwrap()
        .document;
    let materials: Vec<&str> = document.materials().map(|material| material.name().unwrap()).collect();
    assert_eq!(materials, ["granite"]);
    let names: Vec<&str> = document.nodes().map(|node| node.name().unwrap()).collect();
    assert_eq!(names, ["floor", "stones"]);
    for mesh in document.meshes() {
        let worn = mesh.primitives().map(|primitive| primitive.material().index());
        assert_eq!(worn.collect::<Vec<_>>(), [Some(0)]);
    }
    assert!(
        document
            .extensions_required()
            .any(|name| name == "EXT_mesh_gpu_instancing")
    );
    // It is what the writer makes of the same geometries.
    let (floor, stones) = (frame.geometry("floor").unwrap(), frame.geometry("stones").unwrap());
    let expected = Glb::new().named_material("granite", granite()).unwrap();
    let expected = expected
        .add_wearing("floor", &floor.download().unwrap(), "granite")
        .unwrap();
    let expected = expected
        .add_wearing("stones", &stones.download().unwrap(), "granite")
        .unwrap();
    assert_eq!(files["all.glb"], expected.to_bytes().unwrap());
}

#[test]
fn files_whose_outputs_changed_are_written_and_no_others() {
    let kept = tempfile::tempdir().unwrap();
    let mut stage = Stage::new(Folder::new(kept.path()));
    let mut play = play(&stones(), Inputs::default());
    stage.stand(&present(&mut play)).unwrap();
    let first = held(kept.path());
    assert_eq!(first.keys().collect::<Vec<_>>(), ["floor.glb", "stones.glb"]);
    // A file that is not to be written is not touched, whatever is in it.
    std::fs::write(kept.path().join("floor.glb"), "mine").unwrap();
    stage.stand(&with(&mut play, 5.0)).unwrap();
    let second = held(kept.path());
    assert_eq!(second["floor.glb"], b"mine");
    assert_ne!(second["stones.glb"], first["stones.glb"]);

    // An output that is gone goes from the folder, what lies beside it stays.
    std::fs::write(kept.path().join("beside.txt"), "mine").unwrap();
    let floor = Graph::define("floor", |g| g.output("floor", g.add(mesh::Box::new()))).unwrap();
    play.set_graph(&floor).unwrap();
    stage.stand(&present(&mut play)).unwrap();
    assert_eq!(
        held(kept.path()).keys().collect::<Vec<_>>(),
        ["beside.txt", "floor.glb"]
    );
    stage.release().unwrap();
    assert_eq!(held(kept.path()).keys().collect::<Vec<_>>(), ["beside.txt"]);
}

/// A mesh, points of which none is a place once the size is 1, and a number.
fn mixed() -> GraphDef {
    Graph::define("mixed", |g| {
        let size = g.float("radius", 1e-12);
        g.output("block", g.add(mesh::Box::new().size(vec3(size, size, size))));
        let spots = g.add(points::Grid::new().count_x(2).count_z(2));
        let huge = size * 1e30 * size * 1e30;
        g.output(
            "spots",
            g.add(geometry::SetPosition::new(
                spots,
                g.position() + vec3(huge * 0.0, 0.0, 0.0),
            )),
        );
        g.output("size", size);
    })
    .unwrap()
}

#[test]
fn an_output_that_cannot_be_written_leaves_every_file_as_it_was() {
    let kept = tempfile::tempdir().unwrap();
    let folder = Folder::new(kept.path()).file("block.ply", ["block"]).unwrap();
    let mut stage = Stage::new(folder.file("all.obj", ["block", "spots"]).unwrap());
    let mut play = play(&mixed(), Inputs::default());
    let frame = present(&mut play);
    stage.stand(&frame).unwrap();
    let first = held(kept.path());
    assert_eq!(first.keys().collect::<Vec<_>>(), ["all.obj", "block.ply", "size.txt"]);
    assert_eq!(first["size.txt"], b"size: Float 0.000000000001\n");
    let block = frame.geometry("block").unwrap().download().unwrap();
    let spots = frame.geometry("spots").unwrap().download().unwrap();
    assert_eq!(first["block.ply"], ply_bytes(&block).unwrap());
    assert_eq!(
        first["all.obj"],
        obj_text([("block", &block), ("spots", &spots)]).unwrap().into_bytes()
    );

    let message = stage.stand(&with(&mut play, 2.0)).unwrap_err().to_string();
    assert!(
        message.contains("output 'spots' could not be shown") && message.contains("point.P"),
        "{message}"
    );
    assert_eq!(held(kept.path()), first);

    // So does a file that can't take its place.
    std::fs::remove_file(kept.path().join("size.txt")).unwrap();
    std::fs::create_dir(kept.path().join("size.txt")).unwrap();
    let message = stage.stand(&with(&mut play, 1e-11)).unwrap_err().to_string();
    assert!(
        message.contains("graph 'mixed'") && message.contains("size.txt"),
        "{message}"
    );
    std::fs::remove_dir(kept.path().join("size.txt")).unwrap();
    for (name, bytes) in held(kept.path()) {
        assert_eq!(bytes, first[&name], "{name}");
    }
    stage.stand(&with(&mut play, 1e-11)).unwrap();
    assert_eq!(held(kept.path())["size.txt"], b"size: Float 0.00000000001\n");
}

#[test]
fn a_file_that_cannot_be_is_refused_when_it_is_named() {
    for (name, outputs, expected) in [
        (
            "a.gltf",
            vec!["a"],
            "expected one of .glb, .ply, .obj, .png, .exr, .txt, got .gltf",
        ),
        ("a", vec!["a"], "got ."),
        ("../a.glb", vec!["a"], "a plain one"),
        ("b/a.glb", vec!["a"], "a plain one"),
        (".a.glb", vec!["a"], "a plain one"),
        ("a.glb", vec![], "expected outputs, got 0"),
        ("a.ply", vec!["a", "b"], "expected one output, got 2"),
    ] {
        let message = Folder::new("out").file(name, outputs).unwrap_err().to_string();
        assert!(message.contains(expected), "{name}: {message}");
    }
    let twice = Folder::new("out").file("a.glb", ["a"]).unwrap().file("a.glb", ["b"]);
    assert_eq!(twice.unwrap_err().to_string(), "a file 'a.glb' was already named");
    assert!(Folder::new("out").grey("a.glb", "a", 0.0..=1.0).is_err());
    assert!(Folder::new("out").grey("a.png", "a", 1.0..=1.0).is_err());
}

#[test]
fn an_output_that_its_file_cannot_hold_is_refused_with_its_line() {
    let refused = |folder: Folder, expected: &str| {
        let kept = folder.path().to_owned();
        let mut stage = Stage::new(folder);
        let frame = present(&mut play(&mixed(), Inputs::default()));
        let message = stage.stand(&frame).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert!(
            message.contains("files.rs:") || message.contains("graph 'mixed'"),
            "{message}"
        );
        assert!(!kept.exists() || held(&kept).is_empty());
    };
    let kept = tempfile::tempdir().unwrap();
    let folder = || Folder::new(kept.path().join("out"));
    refused(
        folder().file("a.glb", ["size"]).unwrap(),
        "expected a Geometry, got the Float [1e-12]",
    );
    refused(folder().wears("block", "bark"), "no material named 'bark'");
    refused(
        folder().file("a.txt", ["block", "none"]).unwrap(),
        "file 'a.txt': no output named 'none'",
    );
    refused(
        folder().file("size.txt", ["block"]).unwrap(),
        "'size.txt', which is a file of others",
    );
    // A name of an output leads nowhere else.
    let graph = Graph::define("out", |g| g.output("../out", g.add(mesh::Box::new()))).unwrap();
    let frame = present(&mut play(&graph, Inputs::default()));
    let message = Stage::new(folder()).stand(&frame).unwrap_err().to_string();
    assert!(message.contains("a plain one"), "{message}");
}
