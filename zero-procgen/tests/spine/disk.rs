//! Outputs kept on disk: found again by another run, never half written, never trusted where they were damaged.

use crate::common::{cpu, devices, still, whole};
use std::path::{Path, PathBuf};
use zero_compute::{Device, Exec};
use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::values::Geometry;
use zero_procgen::{
    Clock, DiskCache, DiskReport, Document, Graph, GraphDef, HostGeometry, Inputs, Play, Registry, Store, StoreOptions,
    inputs, vec3,
};

fn land() -> GraphDef {
    Graph::define("land", |g| {
        let sheet = g.add(mesh::Grid::new().cells_x(12).cells_z(9));
        let height = g.add(field::Fbm::new(g.position() * 3.0)) * g.float("height", 2.0);
        let land = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
        g.output("land", land.point().set("high", g.position().y().gt(0.0)));
        // A count that the device holds, a population, and a type that words alone don't tell.
        let strewn = g.add(points::OnSurface::new(land).count(200).density(0.4));
        let crowd = g.add(instances::Place::new(strewn, g.add(mesh::Cone::new())).stand(instances::Stand::Normal));
        g.output("crowd", crowd);
        g.output("other", g.add(points::Disc::new().radius(g.float("radius", 1.0))));
        g.output("number", g.float("height", 2.0) * 2.0);
        ["land", "crowd", "number"].iter().for_each(|name| g.cache(name));
    })
    .unwrap()
}

struct Run {
    cooked: Vec<String>,
    disk: DiskReport,
    shown: Vec<HostGeometry>,
    kinds: Vec<String>,
}

/// A program that starts, shows the graph and ends.
fn run(device: &Device, folder: &Path, graph: &GraphDef, given: Inputs) -> Run {
    let disk = DiskCache::open(folder, "1").unwrap();
    let store = Store::with_disk(device, StoreOptions::default(), disk);
    let mut play = Play::new(&store, graph, given).unwrap();
    let frame = whole(&mut play, device, still());
    play.flush_disk(&Exec::default()).unwrap();
    let geometries: Vec<&Geometry> = frame.outputs().filter_map(|(_, value)| value.geometry().ok()).collect();
    let kinds = geometries.iter().flat_map(|geometry| {
        let class = zero_procgen::Class::Point;
        let names = geometry.names(class);
        names
            .into_iter()
            .map(move |name| format!("{name} {:?}", geometry.column(class, &name).unwrap().ty))
    });
    Run {
        cooked: play.report().cooked.iter().map(|node| node.node.clone()).collect(),
        disk: play.report().disk.clone(),
        shown: geometries.iter().map(|geometry| geometry.download().unwrap()).collect(),
        kinds: kinds.collect(),
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn a_second_run_finds_what_the_first_one_kept() {
    for device in devices() {
        let folder = tempfile::tempdir().unwrap();
        let graph = land();
        let first = run(&device, folder.path(), &graph, inputs! {});
        assert_eq!(first.disk.written, ["land", "crowd"], "a number is not kept");
        assert!(
            first.disk.loaded.is_empty() && first.disk.refused.is_empty(),
            "{:?}",
            first.disk
        );
        assert!(
            files(folder.path())
                .iter()
                .all(|file| file.extension().is_some_and(|ext| ext == "zpo"))
        );
        let second = run(&device, folder.path(), &graph, inputs! {});
        assert_eq!(second.disk.loaded, ["land", "crowd"]);
        assert!(second.disk.written.is_empty());
        assert!(
            second
                .cooked
                .iter()
                .all(|node| node == "points.disc" || node.starts_with("math.")),
            "{:?}",
            second.cooked
        );
        assert_eq!((second.shown, second.kinds), (first.shown, first.kinds));
        // Another number is another question.
        let other = run(&device, folder.path(), &graph, inputs! { height: 3.0 });
        assert_eq!((other.disk.loaded.len(), other.disk.written.len()), (0, 2));
        // An input that it doesn't stand on is none.
        let beside = run(&device, folder.path(), &graph, inputs! { radius: 3.0 });
        assert_eq!(beside.disk.loaded.len(), 2);
    }
}

#[test]
fn a_damaged_file_is_a_miss_that_the_report_tells_of() {
    let device = cpu();
    let folder = tempfile::tempdir().unwrap();
    let graph = land();
    let first = run(&device, folder.path(), &graph, inputs! {});
    let whole: Vec<(PathBuf, Vec<u8>)> = files(folder.path())
        .into_iter()
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 7] = [
        ("ends", |bytes| bytes.truncate(20)),
        ("ends", Vec::clear),
        ("bytes after the head", |bytes| bytes.truncate(bytes.len() - 1)),
        ("bytes after the head", |bytes| bytes.push(0)),
        ("not those that were written", |bytes| bytes[60] ^= 1),
        ("version", |bytes| bytes[8] += 1),
        ("no output of a graph", |bytes| bytes[0] = 0),
    ];
    for (expected, damage) in damages {
        for (path, bytes) in &whole {
            let mut bytes = bytes.clone();
            damage(&mut bytes);
            std::fs::write(path, bytes).unwrap();
        }
        let again = run(&device, folder.path(), &graph, inputs! {});
        assert_eq!(again.disk.refused.len(), 2, "{:?}", again.disk);
        assert!(
            again.disk.refused.iter().all(|why| why.contains(expected)),
            "{:?}",
            again.disk
        );
        assert_eq!(again.disk.written.len(), 2, "it is written anew");
        assert_eq!(again.shown, first.shown);
        assert_eq!(run(&device, folder.path(), &graph, inputs! {}).disk.loaded.len(), 2);
    }
    // One that was moved under another's name.
    let [(one, _), (_, other)] = &whole[..] else {
        panic!("two files")
    };
    std::fs::write(one, other).unwrap();
    let moved = run(&device, folder.path(), &graph, inputs! {});
    assert!(moved.disk.refused[0].contains("another key"), "{:?}", moved.disk);
}

#[test]
fn any_byte_that_was_changed_is_seen() {
    let device = cpu();
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::define("dots", |g| {
        g.output("dots", g.add(points::Grid::new()));
        g.cache("dots");
    })
    .unwrap();
    run(&device, folder.path(), &graph, inputs! {});
    let path = files(folder.path()).remove(0);
    let bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        std::fs::write(&path, damaged).unwrap();
        let disk = run(&device, folder.path(), &graph, inputs! {}).disk;
        assert_eq!((disk.loaded.len(), disk.refused.len()), (0, 1), "byte {at}");
    }
}

#[test]
fn another_tag_is_another_cache() {
    let device = cpu();
    let folder = tempfile::tempdir().unwrap();
    run(&device, folder.path(), &land(), inputs! {});
    let disk = DiskCache::open(folder.path(), "2").unwrap();
    let store = Store::with_disk(&device, StoreOptions::default(), disk);
    let mut play = Play::new(&store, &land(), inputs! {}).unwrap();
    whole(&mut play, &device, still());
    assert!(play.report().disk.loaded.is_empty());
}

#[test]
fn what_moves_or_stands_on_what_the_host_gives_is_not_kept() {
    let device = cpu();
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::define("moving", |g| {
        g.output("moving", g.add(points::Disc::new().radius(1.0 + g.clock().time())));
        g.output(
            "given",
            g.add(geometry::Transform::new(g.geometry("given")).yaw_deg(30.0)),
        );
        ["moving", "given"].iter().for_each(|name| g.cache(name));
    })
    .unwrap();
    let disk = DiskCache::open(folder.path(), "1").unwrap();
    let store = Store::with_disk(&device, StoreOptions::default(), disk);
    let mut given = HostGeometry::new();
    let place = zero_procgen::HostColumn::Vec3(vec![[1.0, 2.0, 3.0]]);
    given.set(zero_procgen::Class::Point, "P", place).unwrap();
    let given = inputs! { given: given.upload(&device).unwrap() };
    let mut play = Play::new(&store, &graph, given).unwrap();
    for frame in 0..5 {
        whole(&mut play, &device, Clock::frame(frame, 30.0));
        play.flush_disk(&Exec::default()).unwrap();
        let told = &play.report().disk.refused;
        assert!(
            frame > 0 || told.iter().any(|why| why.contains("stands on the Geometry 'given'")),
            "{told:?}"
        );
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_leaves_the_output_whole() {
    let device = cpu();
    let folder = tempfile::tempdir().unwrap();
    let disk = DiskCache::open(folder.path().join("gone"), "1").unwrap();
    std::fs::remove_dir(disk.folder()).unwrap();
    let store = Store::with_disk(&device, StoreOptions::default(), disk);
    let mut play = Play::new(&store, &land(), inputs! {}).unwrap();
    let frame = whole(&mut play, &device, still());
    play.flush_disk(&Exec::default()).unwrap();
    assert_eq!(frame.outputs().count(), 4);
    assert_eq!(play.report().disk.refused.len(), 2, "{:?}", play.report().disk);
    std::fs::write(folder.path().join("file"), "").unwrap();
    assert!(DiskCache::open(folder.path().join("file"), "1").is_err());
}

#[test]
fn a_mark_for_no_output_is_refused_and_a_document_carries_marks() {
    let refused = Graph::define("marked", |g| {
        g.output("land", g.add(points::Grid::new()));
        g.cache("lamd");
    });
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("no output named 'lamd'; the nearest are land"),
        "{refused}"
    );
    let text = r#"{ "version": 1, "name": "marked", "nodes": { "dots": { "node": "points.grid" } },
        "outputs": { "dots": { "node": "dots" } }, "cached": ["dots"] }"#;
    let document = Document::from_json(text).unwrap();
    let graph = document.define(&Registry::standard()).unwrap();
    assert!(graph.outputs()[0].cached);
    let again = Document::from_json(&document.to_json().unwrap()).unwrap();
    assert_eq!((again.hash(), &again), (document.hash(), &document));
    let unmarked = Document::from_json(&text.replace(r#", "cached": ["dots"]"#, "")).unwrap();
    assert!(
        !unmarked.to_json().unwrap().contains("cached"),
        "old documents keep their text and their hash"
    );
}
