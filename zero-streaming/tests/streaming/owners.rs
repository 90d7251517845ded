//! What the game takes from one group and puts elsewhere is never two groups'.

use crate::hecs_host::{HecsHost, Thing};
use crate::support::{NOTHING, Scene, WIDE, at, row, spot, thing};
use hecs::Entity;
use zero_streaming::glam::Vec3;
use zero_streaming::{
    BoxError, CellKey, EntityState, Error, Filing, Host, HostAction, MemoryStorage, Record, Storage, Store, Transform,
};

/// The labels in the records of every group, by group.
fn written<S: Storage>(scene: &Scene<S>) -> Vec<Vec<u64>> {
    let labels = |records: Vec<Record>| {
        let mut labels: Vec<u64> = records
            .iter()
            .map(|r| Thing::from_bytes(&r.data).unwrap().label)
            .collect();
        labels.sort_unstable();
        labels
    };
    let groups = scene.store.groups();
    groups.map(|(id, _)| labels(scene.store.records(id).unwrap())).collect()
}

/// Every entity that the store reports is reported once, and the sums are those of the groups.
fn check_sums<S: Storage>(scene: &Scene<S>) {
    let mut ids = scene.store.resident_ids(&scene.host);
    let (count, stats) = (ids.len(), scene.store.stats());
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(
        (ids.len() as u64, count as u64),
        (stats.entities_resident, stats.entities_resident)
    );
    let (entities, bytes) = scene.store.groups().fold((0, 0), |(entities, bytes), (_, info)| {
        (entities + info.entities, bytes + info.bytes)
    });
    assert_eq!((stats.entities_total, stats.bytes_stored), (entities, bytes));
}

#[test]
fn a_child_captured_as_a_root_of_its_own_is_its_old_groups_no_longer() {
    for in_files in [false, true] {
        let mut scene = Scene::with_storage(WIDE, MemoryStorage::default());
        let filing = if in_files {
            Filing::default().in_files("world")
        } else {
            Filing::default()
        };
        let cart = scene.store.add(&row(1, 5.0, 3), &filing).unwrap();
        scene.run(5.0);
        // The wheel comes off, with what is below it.
        let [wheel, hub, nut] = [2, 3, 4].map(|label| scene.host.find(label).unwrap());
        scene.host.detach(wheel);
        scene.host.move_to(wheel, spot(15.0));
        let wheels = scene.capture(wheel);
        assert_eq!(scene.store.group_entities(wheels), [wheel, hub, nut]);
        assert_eq!(scene.store.group_entities(cart), [scene.host.find(1).unwrap()]);
        assert_eq!(written(&scene), [vec![1], vec![2, 3, 4]]);
        assert_eq!(scene.store.group_of(wheel), Some(wheels));
        check_sums(&scene);
        let stats = scene.store.stats();
        assert_eq!((stats.entities_total, stats.entities_resident), (4, 4));
        assert_eq!(
            scene
                .store
                .cell("default", CellKey::new(0, 0))
                .unwrap()
                .entities_resident,
            1
        );
        // Both leave and come back, each with its own.
        scene.run(500.0);
        assert_eq!(
            (scene.labels(), written(&scene)),
            (vec![], vec![vec![1], vec![2, 3, 4]])
        );
        scene.run(15.0);
        assert_eq!(scene.labels(), [1, 2, 3, 4]);
        check_sums(&scene);
    }
}

#[test]
fn a_part_that_the_game_hung_below_another_groups_goes_with_that_one() {
    let mut scene = Scene::with_storage(WIDE, MemoryStorage::default());
    let filing = Filing::default().in_files("world");
    // The second leaves first, while the first stands.
    let first = scene.store.add(&row(1, 5.0, 2), &filing).unwrap();
    scene.store.add(&row(11, 25.0, 1), &filing).unwrap();
    scene.run(15.0);
    let [tip, other] = [3, 12].map(|label| scene.host.find(label).unwrap());
    scene.host.attach(tip, other);
    scene.run(-15.5);
    assert_eq!(
        (scene.labels(), written(&scene)),
        (vec![1, 2], vec![vec![1, 2], vec![3, 11, 12]])
    );
    assert_eq!(scene.store.group_entities(first).len(), 2);
    check_sums(&scene);
    scene.run(500.0);
    scene.run(15.0);
    assert_eq!(scene.labels(), [1, 2, 3, 11, 12]);
    let parent = scene.host.parent(scene.host.find(3).unwrap());
    assert_eq!(parent, scene.host.find(12));
    check_sums(&scene);
}

#[test]
fn an_error_on_the_way_out_of_a_group_leaves_a_part_with_the_game() {
    let mut scene = Scene::new(WIDE);
    let cart = scene.store.add(&row(1, 5.0, 2), &Filing::default()).unwrap();
    scene.run(5.0);
    let tip = scene.host.find(3).unwrap();
    scene.host.detach(tip);
    // The tip is written down, its old group is not.
    let mut seen = 0;
    scene.host.fault = Some(Box::new(move |action| {
        seen += u32::from(action == HostAction::Serialize);
        seen > 1
    }));
    let captured = scene
        .store
        .capture(&mut scene.host, &[tip], &Filing::default())
        .unwrap();
    assert!(matches!(captured.refused[..], [(entity, Error::Host { .. })] if entity == tip));
    scene.host.fault = None;
    assert_eq!(
        (scene.store.stats().groups_total, scene.store.group_entities(cart).len()),
        (1, 3)
    );
    let tip = scene.capture(tip);
    assert_eq!(
        (
            scene.store.group_entities(tip).len(),
            scene.store.group_entities(cart).len()
        ),
        (1, 2)
    );
    check_sums(&scene);
}

#[test]
fn a_part_of_a_group_that_is_on_its_way_is_not_captured() {
    // Coming in: it has landed, but has yet to be linked to a parent that has not.
    let mut scene = Scene::new(WIDE);
    let mut records = row(1, 5.0, 1);
    records.push(thing(3, 1.0).below(1));
    let group = scene.store.add(&records, &Filing::default()).unwrap();
    scene.host.drain = 1;
    scene.go(&[at(5.0)]);
    scene.go(&[at(5.0)]);
    let second = scene.store.group_entities(group)[1];
    scene.host.next_frame();
    assert_eq!(
        (scene.host.state(second), scene.host.parent(second)),
        (EntityState::Live, None)
    );
    let refuse = |scene: &mut Scene, entity: Entity| {
        let captured = scene
            .store
            .capture(&mut scene.host, &[entity], &Filing::default())
            .unwrap();
        assert!(matches!(captured.refused[..], [(_, Error::OnItsWay { group: at, .. })] if at == group));
    };
    refuse(&mut scene, second);
    scene.run(5.0);
    // Going out, half way: it is written down already.
    let mut calls = 0;
    scene.host.fault = Some(Box::new(move |action| {
        calls += u32::from(action == HostAction::Despawn);
        action == HostAction::Despawn && calls > 1
    }));
    drop(scene.try_step(&[at(500.0)]));
    let second = scene.host.find(2).unwrap();
    scene.host.detach(second);
    refuse(&mut scene, second);
    // Nor is it written down with another group, though the game hung it there.
    let other = scene.host.make(Transform::at(spot(5.0)), Thing::new(9));
    scene.host.attach(second, other);
    let captured = scene
        .store
        .capture(&mut scene.host, &[other], &Filing::default())
        .unwrap();
    assert!(matches!(captured.refused[..], [(_, Error::OnItsWay { .. })]));
    scene.host.fault = None;
    scene.run(500.0);
    assert_eq!(scene.labels(), [9]);
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 2, 3, 9]);
}

#[test]
fn a_stand_in_is_not_captured() {
    let mut scene = Scene::new(WIDE);
    let key = CellKey::new(0, 0);
    scene.store.set_proxy("default", key, &[thing(100, 5.0)]).unwrap();
    scene.run(60.0);
    let proxy = scene.host.find(100).unwrap();
    let refused = |scene: &mut Scene| {
        let captured = scene
            .store
            .capture(&mut scene.host, &[proxy], &Filing::default())
            .unwrap();
        assert!(captured.groups.is_empty());
        matches!(captured.refused[..], [(entity, Error::StandIn { .. })] if entity == proxy)
    };
    assert!(refused(&mut scene));
    // Nor one that another took the place of, nor what could not be taken out.
    scene.store.set_proxy("default", key, &[thing(101, 5.0)]).unwrap();
    assert!(refused(&mut scene));
    scene.host.fault = Some(Box::new(|action| action == HostAction::Despawn));
    assert!(scene.store.clear_proxy(&mut scene.host, "default", key).is_err());
    assert!(refused(&mut scene));
    scene.host.fault = None;
    scene.run(60.0);
    assert_eq!(scene.labels(), NOTHING);
}

/// The hold band keeps what is captured there, whether the cell had a proxy before it or not.
#[test]
fn what_is_captured_in_the_hold_band_goes_on_standing() {
    for proxy_first in [true, false] {
        let mut scene = Scene::new(WIDE);
        let key = CellKey::new(0, 0);
        let root = scene.host.make(Transform::at(spot(5.0)), Thing::new(1));
        if proxy_first {
            scene.store.set_proxy("default", key, &[thing(100, 5.0)]).unwrap();
            scene.run(35.0);
        }
        scene.capture(root);
        if !proxy_first {
            scene.store.set_proxy("default", key, &[thing(100, 5.0)]).unwrap();
        }
        scene.run(35.0);
        assert_eq!(scene.labels(), [1], "proxy first: {proxy_first}");
    }
}

/// A host that answers what it was told to, some of the time.
struct Liar {
    inner: HecsHost,
    answers: Vec<Entity>,
}

impl Host for Liar {
    type Entity = Entity;
    fn frame(&self) -> u64 {
        self.inner.frame()
    }
    fn spawn(&mut self, record: &Record) -> Result<Entity, BoxError> {
        match self.answers.pop() {
            Some(entity) => Ok(entity),
            None => self.inner.spawn(record),
        }
    }
    fn despawn(&mut self, entity: Entity) -> Result<(), BoxError> {
        self.inner.despawn(entity)
    }
    fn state(&self, entity: Entity) -> EntityState {
        self.inner.state(entity)
    }
    fn link(&mut self, child: Entity, parent: Entity) -> Result<(), BoxError> {
        self.inner.link(child, parent)
    }
    fn parent(&self, entity: Entity) -> Option<Entity> {
        self.inner.parent(entity)
    }
    fn children(&self, entity: Entity, out: &mut Vec<Entity>) {
        self.inner.children(entity, out);
    }
    fn serialize(&mut self, entity: Entity) -> Result<Record, BoxError> {
        self.inner.serialize(entity)
    }
}

#[test]
fn an_id_that_is_anothers_or_nobodys_is_refused_and_asked_for_again() {
    let (inner, answers) = (HecsHost::new(64), Vec::new());
    let (mut host, mut store) = (Liar { inner, answers }, Store::new(WIDE).unwrap());
    let held = store.add(&row(1, 5.0, 1), &Filing::default()).unwrap();
    let step = |host: &mut Liar, store: &mut Store<Entity>, x: f32| {
        host.inner.next_frame();
        store.tick(host, &[at(x)]).unwrap()
    };
    for _ in 0..3 {
        drop(step(&mut host, &mut store, 5.0));
    }
    let gone = host.inner.make(Transform::default(), Thing::new(0));
    host.inner.destroy(gone);
    let known = store.group_entities(held).to_vec();
    for (wrong, why) in [
        (known[0], "already holds"),
        (known[1], "already holds"),
        (gone, "not in the scene"),
    ] {
        let group = store.add(&[thing(10, 7.0)], &Filing::default()).unwrap();
        host.answers = vec![wrong];
        let failures = step(&mut host, &mut store, 5.0).failures;
        let [failure] = &failures[..] else {
            panic!("{failures:?}")
        };
        assert_eq!(failure.group, Some(group));
        let Error::Host { source, .. } = &failure.error else {
            panic!("{failure}")
        };
        assert!(source.to_string().contains(why), "{source}");
        assert_eq!(
            (store.group_of(known[0]), store.group_entities(held)),
            (Some(held), &known[..])
        );
        for _ in 0..4 {
            drop(step(&mut host, &mut store, 5.0));
        }
        assert_eq!((store.group_entities(group).len(), store.stats().cells_pending), (1, 0));
        for entity in store.forget(group).unwrap() {
            host.inner.destroy(entity);
        }
    }
    // A proxy's, too.
    store
        .set_proxy("default", CellKey::new(8, 0), &[thing(100, 85.0)])
        .unwrap();
    host.answers = vec![known[0]];
    let failures = step(&mut host, &mut store, 5.0).failures;
    assert!(
        matches!(failures[..], [zero_streaming::Failure { group: None, .. }]),
        "{failures:?}"
    );
    for _ in 0..4 {
        drop(step(&mut host, &mut store, 5.0));
    }
    assert_eq!(store.stats().proxies_resident, 1);
    assert_eq!(host.inner.find_all().len(), 3);
    assert_eq!(host.inner.transform(known[1]).position, Vec3::X);
}
