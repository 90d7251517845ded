//! Content by the thousand that is wrong in one way: what is told stays short, and finding it stays quick. Each of these took
//! seconds or minutes, and gigabytes, where its cost grows with the square.

use std::time::Duration;

use zero_vfs::VfsPath;

use crate::builtin::{empty, make, told};
use crate::path;

fn write(world: &zero_assets::Workspace, file: &VfsPath, text: &str) {
    world.vfs().write(file, text.as_bytes()).unwrap();
}

#[test]
fn copies_of_one_asset_are_each_told_briefly() {
    const COPIES: usize = 3000;
    let mut world = empty();
    for copy in 0..COPIES {
        let folder = path(&format!("/zero/source/copy{copy:04}.data"));
        write(&world, &folder.join("data.yaml").unwrap(), "version: 1\n");
        write(
            &world,
            &folder.join(".refs").unwrap(),
            "guid: 5f2c01fe-8f6c-4c8a-9a3e-0d8f6f1f3b52\n",
        );
    }
    world.update(Duration::from_secs(1));
    let copies = || {
        world
            .assets()
            .diagnostics()
            .iter()
            .filter(|told| told.code == "asset.copied_guid")
    };
    assert_eq!(copies().count(), COPIES);
    assert!(copies().all(|told| told.message.len() < 300 && told.message.contains("and 2994 more")));
}

#[test]
fn a_name_that_thousands_have_is_refused_in_a_line() {
    let mut world = empty();
    for copy in 0..2000 {
        let folder = path(&format!("/zero/source/box{copy:04}/same.data"));
        write(&world, &folder.join("data.yaml").unwrap(), "version: 1\n");
    }
    world.update(Duration::from_secs(1));
    let error = world.assets().find("same").unwrap_err().to_string();
    assert_eq!(
        error,
        "`same` may be any of `/zero/source/box0000/same.data`, `/zero/source/box0001/same.data`, \
         `/zero/source/box0002/same.data`, `/zero/source/box0003/same.data`, `/zero/source/box0004/same.data`, \
         and 1995 more; name it by its path, or with its type"
    );
}

/// What is told of a scene of entities, each an id and its parent.
fn scene(entities: impl Iterator<Item = (String, Option<String>)>) -> Vec<String> {
    let mut text = "version: 1\nentities:\n".to_owned();
    for (id, parent) in entities {
        let parent = parent.map(|parent| format!(", parent: {parent}")).unwrap_or_default();
        text.push_str(&format!("- {{ id: {id}{parent} }}\n"));
    }
    let mut world = empty();
    let scene = make(&mut world, "scene");
    write(&world, &scene.join("scene.yaml").unwrap(), &text);
    world.update(Duration::from_secs(1));
    told(&world, &scene)
}

#[test]
fn entities_in_a_chain_hang_on_each_other() {
    const COUNT: usize = 8000;
    let id = |number: usize| format!("e{number}");
    let chain = (0..COUNT).map(|at| (id(at), (at > 0).then(|| id(at - 1))));
    assert_eq!(scene(chain), [] as [String; 0]);
    // The last hang on a ring of three, and are not in it.
    let ring = (0..COUNT).map(|at| (id(at), Some(id(if at == 0 { 2 } else { at - 1 }))));
    let told = scene(ring);
    let all = (0..3).map(|at| {
        told.iter()
            .filter(|told| told.contains(&format!("`e{at}` hangs on itself")))
            .count()
    });
    assert_eq!((told.len(), all.sum()), (3, 3), "{told:?}");
}

#[test]
fn entities_whose_parents_are_gone_are_each_told() {
    let orphans = (0..4000).map(|at| (format!("leaf{at}"), Some(format!("root{at}"))));
    let told = scene(orphans);
    assert_eq!(told.len(), 4000);
    assert!(
        told[7].contains("`leaf7` hangs on `root7`, which is not there"),
        "{}",
        told[7]
    );
}

#[test]
fn nodes_in_a_chain_wait_for_each_other() {
    const COUNT: usize = 8000;
    let node = |at: usize, on: Option<usize>| {
        let inputs = on.map_or("{}".to_owned(), |on| format!("{{ \"a\": {{ \"node\": \"n{on}\" }} }}"));
        format!("\"n{at}\": {{ \"node\": \"x\", \"inputs\": {inputs} }}")
    };
    let graph = |first: Option<usize>| {
        let nodes: Vec<String> = (0..COUNT)
            .map(|at| node(at, if at == 0 { first } else { Some(at - 1) }))
            .collect();
        let text = format!(
            "{{ \"version\": 1, \"name\": \"chain\", \"outputs\": {{}}, \"nodes\": {{ {} }} }}",
            nodes.join(",\n")
        );
        let mut world = empty();
        let graph = make(&mut world, "procGraph");
        for file in world.assets().files_of(world.assets().at(&graph).unwrap()) {
            if file.name().is_some_and(|name| name.ends_with(".luau")) {
                world.vfs().remove(&file).unwrap();
            }
        }
        write(&world, &graph.join("graph.json").unwrap(), &text);
        world.update(Duration::from_secs(1));
        told(&world, &graph)
    };
    assert_eq!(graph(None), [] as [String; 0]);
    let ring = graph(Some(1));
    assert_eq!(ring.len(), 1, "{ring:?}");
    assert!(
        ring[0].contains("these nodes wait for each other: `n0`, `n1`, "),
        "{}",
        ring[0]
    );
    assert!(ring[0].len() < 300, "{}", ring[0].len());
}
