//! What was on its way out when its cell is to be seen again, because it could not be taken out before.

use crate::hecs_host::{Change, Thing};
use crate::support::{Scene, WIDE, at, fail_from, row, spot, thing};
use zero_streaming::{
    BoxError, CellKey, CellState, Error, Filing, GroupState, Host, HostAction, MemoryStorage, Record, Storage,
    StorageAction, Transform,
};

const CELL: CellKey = CellKey::new(0, 0);
/// Labels from here on are those of proxies.
const STAND_IN: u64 = 1000;
/// Where the cell is in the far field, and where it is past that and its band.
const FAR: f32 = 60.0;
const PAST: f32 = 200.0;

/// A cell of one group, with this proxy.
fn scene_of(group: &[Record], proxy: &[Record]) -> Scene {
    let mut scene = Scene::new(WIDE);
    scene.store.add(group, &Filing::default()).unwrap();
    scene.store.set_proxy("default", CELL, proxy).unwrap();
    scene
}

/// A step in which one failure, after so many entities were taken out, keeps the rest in the scene.
fn step_that_fails_to_despawn<S: Storage>(scene: &mut Scene<S>, x: f32, after: u32) {
    scene.host.fault = fail_from(HostAction::Despawn, after);
    let step = scene.try_step(&[at(x)]);
    let action = HostAction::Despawn;
    assert!(
        matches!(&step.failures[..], [failure] if matches!(failure.error, Error::Host { action: failed, .. } if failed == action))
    );
    scene.host.fault = None;
}

/// How often entities of this label were asked for.
fn spawned(scene: &Scene, label: u64) -> usize {
    let spawned = |entry: &&(Change, u64)| **entry == (Change::Spawned, label);
    scene.host.log.iter().filter(spawned).count()
}

#[test]
fn a_stand_in_that_could_not_be_taken_down_stays_where_its_cell_is_seen_again() {
    let mut scene = scene_of(&[thing(1, 5.0)], &[thing(STAND_IN, 5.0)]);
    scene.run(FAR);
    step_that_fails_to_despawn(&mut scene, PAST, 0);
    for _ in 0..10 {
        scene.go(&[at(FAR)]);
        assert_eq!(scene.labels(), [STAND_IN], "the cell is represented by nothing");
    }
    assert_eq!(spawned(&scene, STAND_IN), 1);
    assert!(scene.store.cell("default", CELL).unwrap().proxy_resident);
    // And it goes once it is to.
    scene.run(PAST);
    assert_eq!(scene.labels(), [0; 0]);
}

#[test]
fn a_stand_in_half_way_down_is_completed_where_its_cell_is_seen_again() {
    let mut scene = scene_of(&[thing(1, 5.0)], &row(STAND_IN, 5.0, 2));
    scene.run(FAR);
    step_that_fails_to_despawn(&mut scene, PAST, 1);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 1]);
    let linked = scene.step(&[at(FAR)]).linked;
    assert_eq!(scene.labels()[..2], [STAND_IN, STAND_IN + 1]);
    let linked = linked + scene.step(&[at(FAR)]).linked;
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 1, STAND_IN + 2]);
    assert_eq!(linked, 1, "what was linked is not linked again");
    assert_eq!([0, 1, 2].map(|n| spawned(&scene, STAND_IN + n)), [1, 1, 2]);
    let ids = scene.store.proxy_ids(&scene.host);
    assert_eq!(scene.host.parent(ids[2]), Some(ids[1]));
}

#[test]
fn a_stand_in_that_lost_an_entity_is_taken_down_whole_though_that_fails_half_way() {
    let proxy = [0, 1, 2].map(|n| thing(STAND_IN + n, 5.0));
    let mut scene = scene_of(&[thing(1, 5.0)], &proxy);
    scene.run(FAR);
    let second = scene.host.find(STAND_IN + 1).unwrap();
    scene.host.destroy(second);
    step_that_fails_to_despawn(&mut scene, FAR, 1);
    assert_eq!(scene.labels(), [STAND_IN]);
    scene.run(FAR);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 1, STAND_IN + 2]);
    assert_eq!([0, 1, 2].map(|n| spawned(&scene, STAND_IN + n)), [2, 2, 2]);
}

#[test]
fn a_stand_in_on_its_way_that_could_not_be_taken_down_is_linked() {
    let mut scene = scene_of(&[thing(1, 5.0)], &row(STAND_IN, 5.0, 2));
    scene.host.drain = 0;
    scene.go(&[at(FAR)]);
    step_that_fails_to_despawn(&mut scene, PAST, 1);
    scene.host.drain = 64;
    scene.run(FAR);
    let ids = scene.store.proxy_ids(&scene.host);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 1, STAND_IN + 2]);
    assert_eq!(scene.host.parent(ids[1]), Some(ids[0]));
    assert_eq!(scene.host.parent(ids[2]), Some(ids[1]));
    assert_eq!([0, 1, 2].map(|n| spawned(&scene, STAND_IN + n)), [1, 1, 2]);
}

#[test]
fn content_that_could_not_be_taken_out_waits_for_cover_where_its_cell_is_seen_again() {
    let mut scene = scene_of(&row(1, 5.0, 2), &[thing(STAND_IN, 5.0)]);
    scene.run(5.0);
    step_that_fails_to_despawn(&mut scene, PAST, 0);
    assert_eq!(scene.state(0), CellState::Resident);
    scene.host.drain = 0;
    for _ in 0..10 {
        scene.go(&[at(FAR)]);
        assert_eq!(scene.labels(), [1, 2, 3], "the cell is represented by nothing");
    }
    scene.host.drain = 64;
    scene.run(FAR);
    assert_eq!(scene.labels(), [STAND_IN]);
}

#[test]
fn content_that_could_not_be_taken_out_stands_where_a_source_is_back() {
    let mut scene = scene_of(&row(1, 5.0, 2), &[thing(STAND_IN, 5.0)]);
    scene.run(5.0);
    step_that_fails_to_despawn(&mut scene, PAST, 0);
    let (group, info) = scene.store.groups().next().unwrap();
    assert_eq!(info.state, GroupState::Standing);
    // It is the game's to change, and comes back as it was last.
    let root = scene.store.group_entities(group)[0];
    scene.host.edit(root, |thing| thing.tint = 7);
    for _ in 0..10 {
        scene.go(&[at(5.0)]);
        assert_eq!(scene.labels(), [1, 2, 3]);
    }
    assert_eq!(spawned(&scene, 1), 1);
    scene.run(PAST);
    scene.run(5.0);
    let root = scene.store.group_entities(group)[0];
    assert_eq!((spawned(&scene, 1), scene.host.thing(root).tint), (2, 7));
}

/// A disk to which nothing can be written.
struct Full;

impl Storage for Full {
    fn write(&mut self, _: &str, _: &[u8]) -> Result<(), BoxError> {
        Err("the disk is full".into())
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, BoxError> {
        MemoryStorage::default().read(path)
    }
    fn remove(&mut self, path: &str) -> Result<(), BoxError> {
        MemoryStorage::default().remove(path)
    }
}

#[test]
fn a_capture_that_is_refused_leaves_the_hold_band_as_it_was() {
    let mut scene = Scene::with_storage(WIDE, Full);
    scene.store.set_proxy("default", CELL, &[thing(STAND_IN, 5.0)]).unwrap();
    scene.run(35.0);
    assert_eq!(scene.labels(), [STAND_IN]);
    let root = scene.host.make(Transform::at(spot(5.0)), Thing::new(1));
    let filing = Filing::default().in_files("full");
    let captured = scene.store.capture(&mut scene.host, &[root], &filing).unwrap();
    let action = StorageAction::Write;
    assert!(
        matches!(&captured.refused[..], [(_, Error::Storage { action: failed, .. })] if *failed == action),
        "{captured:?}"
    );
    scene.run(35.0);
    assert_eq!(
        scene.labels(),
        [1, STAND_IN],
        "the proxy of a cell that nothing came into"
    );
}
