//! The store against a live scene.

use crate::hecs_host::Thing;
use crate::support::{NOTHING, Scene, WIDE, at, row, spot, thing};
use zero_streaming::glam::{Quat, Vec3};
use zero_streaming::{
    CellKey, CellState, Config, EntityState, Error, Filing, FolderStorage, GroupState, Host, Layer, MemoryStorage,
    Radii, Source, Storage, Transform, encoded_len,
};

#[test]
fn a_capture_takes_roots_counts_branches_and_refuses_a_root_it_holds() {
    let mut scene = Scene::new(WIDE);
    let root = scene.host.make(Transform::at(spot(5.0)), Thing::new(1));
    let branch = scene.host.make_below(root, Transform::default(), Thing::new(2));
    let twig = scene.host.make_below(branch, Transform::default(), Thing::new(3));
    let other = scene.host.make(Transform::at(spot(15.0)), Thing::new(4));
    let gone = scene.host.make(Transform::default(), Thing::new(5));
    scene.host.destroy(gone);

    let targets = [root, branch, twig, other, root, gone];
    let captured = scene
        .store
        .capture(&mut scene.host, &targets, &Filing::default())
        .unwrap();
    assert_eq!((captured.groups.len(), captured.entities), (2, 4));
    assert_eq!(captured.branches, [branch, twig]);
    let refused: Vec<_> = captured
        .refused
        .iter()
        .map(|(entity, error)| (*entity, error))
        .collect();
    assert!(matches!(refused[..], [(a, Error::Held { .. }), (b, Error::Gone { .. })] if a == root && b == gone));
    assert!(captured.groups().is_err());
    // Nothing left the scene.
    assert_eq!(scene.labels(), [1, 2, 3, 4]);
    let stats = scene.store.stats();
    assert_eq!(
        (stats.cells_resident, stats.entities_resident, stats.entities_total),
        (2, 4, 4)
    );
    assert_eq!(stats.bytes_resident, stats.bytes_stored);
}

#[test]
fn content_past_the_unload_radius_leaves_the_scene_and_returns_as_it_was_last() {
    let mut scene = Scene::new(WIDE);
    let entity = scene.host.make(Transform::at(spot(5.0)), Thing::new(1));
    scene.capture(entity);
    scene.go(&[at(0.0)]);
    // Written while it was resident.
    scene.host.edit(entity, |thing| {
        thing.tint = 0x00ff_8800;
        thing.attribute = "opened by the player".to_owned();
    });
    scene.host.move_to(entity, Vec3::new(7.0, 3.0, 2.0));
    scene.run(40.1);
    assert_eq!(scene.labels(), NOTHING);
    assert_eq!(scene.host.state(entity), EntityState::Gone);
    assert_eq!(scene.store.resident_ids(&scene.host), []);

    scene.run(15.0);
    let back = scene.host.find(1).unwrap();
    assert_eq!(scene.store.resident_ids(&scene.host), [back]);
    let thing = scene.host.thing(back);
    assert_eq!(
        (thing.tint, thing.attribute.as_str()),
        (0x00ff_8800, "opened by the player")
    );
    assert_eq!(scene.host.transform(back).position, Vec3::new(7.0, 3.0, 2.0));
}

#[test]
fn the_hold_band_keeps_a_cell_as_it_is() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    // The cell ends at x = 10: loaded up to 30, held up to 40, released past it.
    for (x, expected) in [
        (50.0, CellState::Released),
        (35.0, CellState::Released),
        (30.0, CellState::Resident),
        (35.0, CellState::Resident),
        (40.0, CellState::Resident),
        (40.1, CellState::Released),
        (31.0, CellState::Released),
    ] {
        scene.run(x);
        assert_eq!(scene.state(0), expected, "at {x}");
    }
}

#[test]
fn a_subtree_comes_back_parented() {
    let mut scene = Scene::new(WIDE);
    let root = scene.host.make(Transform::at(spot(5.0)), Thing::new(1));
    let branch = scene.host.make_below(root, Transform::at(Vec3::Y), Thing::new(2));
    scene.host.make_below(branch, Transform::at(Vec3::X), Thing::new(3));
    scene.host.make_below(root, Transform::at(Vec3::Z), Thing::new(4));
    scene.capture(root);
    scene.run(100.0);
    assert_eq!(scene.labels(), NOTHING);
    scene.run(5.0);
    let parent = |label| {
        let parent = scene.host.parent(scene.host.find(label).unwrap());
        parent.map(|parent| scene.host.thing(parent).label)
    };
    assert_eq!(
        [parent(1), parent(2), parent(3), parent(4)],
        [None, Some(1), Some(2), Some(1)]
    );
    assert_eq!(scene.host.transform(scene.host.find(2).unwrap()).position, Vec3::Y);
}

/// More than the 64 entities that one frame of this host admits.
#[test]
fn a_group_of_201_entities_comes_back_whole_and_releases_with_all_it_started_with() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&row(0, 5.0, 200), &Filing::default()).unwrap();
    let labels: Vec<u64> = (0..=200).collect();
    scene.go(&[at(5.0)]);
    assert_eq!(scene.store.group(group).unwrap().state, GroupState::Settling);
    // The source leaves at once: with links outstanding the group is not released, or it would be stored without what
    // was still on its way.
    let mut frames = 0;
    while scene.state(0) != CellState::Released {
        scene.go(&[at(500.0)]);
        let landed = scene.labels().len();
        assert!(landed == 0 || scene.store.group(group).unwrap().state == GroupState::Settling);
        frames += 1;
    }
    assert_eq!(frames, 4, "64 a frame");
    assert_eq!(scene.store.group(group).unwrap().entities, 201);
    assert_eq!(scene.store.records(group).unwrap(), row(0, 5.0, 200));
    scene.run(5.0);
    assert_eq!(scene.labels(), labels);
    let linked = labels
        .iter()
        .filter(|label| scene.host.parent(scene.host.find(**label).unwrap()).is_some());
    assert_eq!(linked.count(), 200);
}

#[test]
fn a_cell_is_pending_until_all_links_are_applied() {
    let mut scene = Scene::new(WIDE);
    scene.host.drain = 1;
    scene.store.add(&row(1, 5.0, 2), &Filing::default()).unwrap();
    let mut linked = Vec::new();
    for _ in 0..5 {
        linked.push((scene.step(&[at(5.0)]).linked, scene.store.stats().cells_pending));
    }
    assert_eq!(linked, [(0, 1), (0, 1), (1, 1), (1, 0), (0, 0)]);
}

#[test]
fn a_group_whose_root_was_destroyed_leaves_the_store() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&row(1, 5.0, 3), &Filing::default()).unwrap();
    scene.store.add(&[thing(9, 6.0)], &Filing::default()).unwrap();
    scene.run(5.0);
    scene.host.destroy(scene.host.find(1).unwrap());
    assert_eq!(scene.step(&[at(5.0)]).dropped, 1);
    assert_eq!(scene.store.group(group), None);
    assert!(matches!(scene.store.records(group), Err(Error::UnknownGroup { .. })));
    assert_eq!(scene.store.stats().groups_total, 1);
    // The steps that follow complete, and nothing is resurrected.
    scene.run(500.0);
    scene.run(5.0);
    assert_eq!(scene.labels(), [9]);
    // A slot that is used again is not mistaken for the one that was closed.
    let next = scene.store.add(&[thing(10, 5.0)], &Filing::default()).unwrap();
    assert_ne!(next, group);
    assert_eq!(scene.store.group(group), None);
    // The last group of a cell takes the cell with it.
    scene.run(5.0);
    for label in [9, 10] {
        scene.host.destroy(scene.host.find(label).unwrap());
    }
    scene.go(&[at(500.0)]);
    assert_eq!(scene.store.cells(), []);
}

#[test]
fn a_root_destroyed_while_its_children_are_on_their_way_leaves_none_of_them() {
    for recursive in [true, false] {
        let mut scene = Scene::new(WIDE);
        scene.host.drain = 3;
        scene.store.add(&row(1, 5.0, 9), &Filing::default()).unwrap();
        scene.go(&[at(5.0)]);
        scene.go(&[at(5.0)]);
        let root = scene.host.find(1).unwrap();
        if recursive {
            scene.host.destroy(root);
        } else {
            scene.host.despawn(root).unwrap();
        }
        scene.run(5.0);
        scene.run(5.0);
        // In a host that keeps children, what was linked already is the game's to keep.
        assert!(
            scene.labels().iter().all(|label| !recursive && *label <= 3),
            "{:?}",
            scene.labels()
        );
        assert_eq!(scene.store.stats().groups_total, 0);
    }
}

#[test]
fn a_branch_destroyed_before_its_children_landed_takes_them_with_it() {
    let mut scene = Scene::new(WIDE);
    scene.host.drain = 2;
    let mut records = row(1, 5.0, 5);
    records[5].parent = Some(0);
    scene.store.add(&records, &Filing::default()).unwrap();
    scene.go(&[at(5.0)]);
    scene.go(&[at(5.0)]);
    scene.host.destroy(scene.host.find(2).unwrap());
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 6]);
    scene.run(500.0);
    assert_eq!(scene.labels(), NOTHING);
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 6]);
}

#[test]
fn a_root_that_moved_streams_from_where_it_ended_up() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.run(5.0);
    scene.host.move_to(scene.host.find(1).unwrap(), spot(205.0));
    scene.run(100.0);
    assert_eq!(scene.store.group(group).unwrap().key, CellKey::new(20, 0));
    assert_eq!(scene.labels(), NOTHING);
    scene.run(5.0);
    assert_eq!(scene.labels(), NOTHING);
    scene.run(200.0);
    assert_eq!(scene.labels(), [1]);
    assert_eq!(scene.store.cells().len(), 1);
}

#[test]
fn a_root_that_followed_the_source_is_filed_anew_without_leaving_the_scene() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.run(5.0);
    let entity = scene.host.find(1).unwrap();
    scene.host.move_to(entity, spot(205.0));
    assert_eq!(scene.step(&[at(210.0)]).moved, 1);
    scene.run(210.0);
    assert_eq!(scene.host.state(entity), EntityState::Live);
    assert_eq!(scene.store.group(group).unwrap().key, CellKey::new(20, 0));
}

#[test]
fn a_root_that_the_game_carries_stays_until_it_is_let_go() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.run(5.0);
    let (crate_, player) = (
        scene.host.find(1).unwrap(),
        scene.host.make(Transform::default(), Thing::new(2)),
    );
    scene.host.attach(crate_, player);
    for _ in 0..5 {
        scene.go(&[at(500.0)]);
    }
    assert_eq!(scene.labels(), [1, 2]);
    scene.host.detach(crate_);
    scene.run(500.0);
    assert_eq!(scene.labels(), [2]);
}

#[test]
fn a_root_put_below_another_groups_streams_with_that_one() {
    let mut scene = Scene::with_storage(WIDE, MemoryStorage::default());
    let filing = Filing::default().in_files("world");
    let cart = scene.store.add(&[thing(1, 5.0)], &filing).unwrap();
    let barrel = scene.store.add(&[thing(2, 25.0)], &filing).unwrap();
    scene.run(15.0);
    scene
        .host
        .attach(scene.host.find(2).unwrap(), scene.host.find(1).unwrap());
    scene.run(500.0);
    assert_eq!(scene.labels(), NOTHING);
    assert_eq!(
        (scene.store.group(cart).unwrap().entities, scene.store.group(barrel)),
        (2, None)
    );
    assert_eq!(scene.store.storage().files().len(), 1);
    scene.run(15.0);
    assert_eq!(scene.labels(), [1, 2]);
    assert_eq!(scene.host.parent(scene.host.find(2).unwrap()), scene.host.find(1));
}

#[test]
fn what_the_game_put_below_a_root_and_took_from_it_is_stored_as_it_is() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&row(1, 5.0, 2), &Filing::default()).unwrap();
    scene.run(5.0);
    let [root, child, leaf] = [1, 2, 3].map(|label| scene.host.find(label).unwrap());
    scene.host.detach(leaf);
    scene.host.destroy(child);
    scene.host.make_below(root, Transform::default(), Thing::new(7));
    scene.run(500.0);
    // What was taken from the group is the game's.
    assert_eq!(scene.labels(), [3]);
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 3, 7]);
}

#[test]
fn a_step_spends_the_budget_it_was_given() {
    let mut scene = Scene::new(Config { budget: 5, ..WIDE });
    for label in 0..20 {
        scene
            .store
            .add(&[thing(label, label as f32 / 2.0)], &Filing::default())
            .unwrap();
    }
    let spent: Vec<u64> = (0..5).map(|_| scene.step(&[at(5.0)]).spent).collect();
    assert_eq!(spent, [5, 5, 5, 5, 0]);
    let spent: Vec<u64> = (0..5).map(|_| scene.step(&[at(500.0)]).spent).collect();
    assert_eq!(spent, [5, 5, 5, 5, 0]);
    // A group moves in one piece: a step overshoots by one at most.
    scene.store.add(&row(100, 1005.0, 7), &Filing::default()).unwrap();
    scene.store.add(&row(200, 1005.0, 7), &Filing::default()).unwrap();
    let spent: Vec<u64> = (0..3).map(|_| scene.step(&[at(1000.0)]).spent).collect();
    assert_eq!(spent, [8, 8, 0]);
}

#[test]
fn a_step_releases_before_it_loads() {
    let mut scene = Scene::new(Config { budget: 4, ..WIDE });
    for label in 0..4 {
        scene.store.add(&[thing(label, 5.0)], &Filing::default()).unwrap();
        scene
            .store
            .add(&[thing(10 + label, 205.0)], &Filing::default())
            .unwrap();
    }
    scene.run(5.0);
    let step = scene.step(&[at(205.0)]);
    assert_eq!((step.released, step.loaded), (4, 0));
    assert_eq!(scene.store.stats().entities_resident, 0);
    let step = scene.step(&[at(205.0)]);
    assert_eq!((step.released, step.loaded), (0, 4));
}

#[test]
fn a_step_takes_the_nearest_pending_cell_first() {
    let mut scene = Scene::new(Config {
        budget: 1,
        load_radius: 100.0,
        unload_radius: 150.0,
        ..WIDE
    });
    // Filed in another order than that of their distance.
    for x in [35.0, 5.0, -25.0, 75.0, -65.0] {
        scene
            .store
            .add(&[thing((x + 100.0) as u64, x)], &Filing::default())
            .unwrap();
    }
    let mut came = Vec::new();
    for _ in 0..6 {
        scene.go(&[at(1.0)]);
        let new = scene.labels().into_iter().find(|label| !came.contains(label));
        came.extend(new);
    }
    assert_eq!(came, [105, 75, 135, 35, 175]);
}

#[test]
fn a_transition_the_budget_cut_short_finishes_in_the_hold_band() {
    let mut scene = Scene::new(Config { budget: 2, ..WIDE });
    for label in 0..6 {
        scene.store.add(&[thing(label, 5.0)], &Filing::default()).unwrap();
    }
    // In, and out of the load radius again while half of it stands: the cell finishes coming in.
    scene.go(&[at(5.0)]);
    assert_eq!(scene.state(0), CellState::Pending);
    for _ in 0..3 {
        scene.go(&[at(35.0)]);
    }
    assert_eq!((scene.state(0), scene.labels().len()), (CellState::Resident, 6));
    // The same on its way out.
    scene.go(&[at(41.0)]);
    assert_eq!(scene.labels().len(), 4);
    for _ in 0..3 {
        scene.go(&[at(35.0)]);
    }
    assert_eq!((scene.state(0), scene.labels().len()), (CellState::Released, 0));
}

#[test]
fn a_cell_stands_while_any_one_source_holds_it() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    let settle = |scene: &mut Scene, sources: &[Source]| {
        for _ in 0..4 {
            scene.go(sources);
        }
        scene.labels().len()
    };
    assert_eq!(settle(&mut scene, &[at(500.0), at(5.0)]), 1);
    // One in the hold band and one far off: not every source says released.
    assert_eq!(settle(&mut scene, &[at(500.0), at(35.0)]), 1);
    assert_eq!(settle(&mut scene, &[at(500.0), at(60.0)]), 0);
    // A source with a wide radius of its own.
    let wide = Radii {
        load: Some(600.0),
        unload: Some(700.0),
        ..Radii::default()
    };
    assert_eq!(settle(&mut scene, &[at(500.0).with_radii(wide), at(60.0)]), 1);
    // Where there is no source, nothing begins.
    assert_eq!(settle(&mut scene, &[]), 1);
}

#[test]
fn a_disabled_layer_releases_its_own_content_and_nothing_else() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::layer("trees")).unwrap();
    scene.store.add(&[thing(2, 5.0)], &Filing::layer("rocks")).unwrap();
    scene.run(5.0);
    scene.store.disable_layer("trees").unwrap();
    scene.run(5.0);
    assert_eq!(scene.labels(), [2]);
    scene.store.enable_layer("trees").unwrap();
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 2]);
    // Off without any source, too.
    scene.store.disable_layer("rocks").unwrap();
    scene.go(&[]);
    assert_eq!(scene.labels(), [1]);
}

#[test]
fn a_layer_streams_by_its_own_radii() {
    let mut scene = Scene::new(WIDE);
    let radii = Radii {
        load: Some(200.0),
        unload: Some(250.0),
        ..Radii::default()
    };
    scene
        .store
        .set_layer(
            "towers",
            Layer {
                radii,
                ..Layer::default()
            },
        )
        .unwrap();
    scene.store.add(&[thing(1, 5.0)], &Filing::layer("towers")).unwrap();
    scene.store.add(&[thing(2, 5.0)], &Filing::default()).unwrap();
    scene.run(100.0);
    assert_eq!(scene.labels(), [1]);
    scene.run(261.0);
    assert_eq!(scene.labels(), NOTHING);
}

fn check_file_backed<S: Storage>(storage: S) {
    let mut scene = Scene::with_storage(WIDE, storage);
    let root = scene.host.make(Transform::at(spot(5.0)), Thing::new(1));
    scene.host.make_below(root, Transform::at(Vec3::Y), Thing::new(2));
    let filing = Filing::default().in_files("world/tiles");
    let captured = scene.store.capture(&mut scene.host, &[root], &filing).unwrap();
    let group = captured.groups().unwrap()[0];
    scene.run(5.0);
    scene.host.edit(root, |thing| thing.attribute = "lit".to_owned());
    scene.run(500.0);

    let cell = scene.store.cell("default", CellKey::new(0, 0)).unwrap();
    assert_eq!((cell.bytes_resident, cell.bytes_in_memory), (0, 0));
    assert_eq!(scene.store.stats().bytes_resident, 0);
    let manifest = scene.store.group(group).unwrap();
    assert_eq!(
        (manifest.key, manifest.layer.as_str(), manifest.entities),
        (CellKey::new(0, 0), "default", 2)
    );
    let file = scene.store.storage().read(manifest.path.as_deref().unwrap()).unwrap();
    assert_eq!(file.len() as u64, manifest.bytes);
    assert_eq!(encoded_len(&scene.store.records(group).unwrap()), file.len());

    scene.run(5.0);
    assert_eq!(scene.host.thing(scene.host.find(1).unwrap()).attribute, "lit");
    assert_eq!(scene.store.stats().bytes_resident, manifest.bytes);
    // A destroyed root takes its file along.
    scene.host.destroy(scene.host.find(1).unwrap());
    scene.run(5.0);
    assert!(scene.store.storage().read(manifest.path.as_deref().unwrap()).is_err());
    assert_eq!(scene.store.cells(), []);
}

#[test]
fn a_file_backed_cell_reports_zero_resident_bytes_while_away_and_reads_them_back() {
    check_file_backed(MemoryStorage::default());
    let folder = tempfile::tempdir().unwrap();
    check_file_backed(FolderStorage::new(folder.path()));
}

#[test]
fn a_second_tick_in_one_frame_changes_nothing() {
    let mut scene = Scene::new(Config { budget: 1, ..WIDE });
    for label in 0..3 {
        scene.store.add(&[thing(label, 5.0)], &Filing::default()).unwrap();
    }
    scene.go(&[at(5.0)]);
    let (stats, things) = (scene.store.stats(), scene.host.world.len());
    let again = scene.store.tick(&mut scene.host, &[at(500.0)]).unwrap();
    assert!(!again.stepped);
    assert_eq!(again.spent, 0);
    assert_eq!((scene.store.stats(), scene.host.world.len()), (stats, things));
    assert!(scene.step(&[at(5.0)]).stepped);
}

#[test]
fn a_source_at_no_place_is_refused_and_the_frame_still_has_its_step() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.host.next_frame();
    let nowhere = Source::at(Vec3::new(f32::NAN, 0.0, 0.0));
    let error = scene.store.tick(&mut scene.host, &[at(5.0), nowhere]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the position of source 1: expected finite numbers"),
        "{error}"
    );
    let no_band = Radii {
        load: Some(200.0),
        ..Radii::default()
    };
    assert!(matches!(
        scene.store.tick(&mut scene.host, &[at(5.0).with_radii(no_band)]),
        Err(Error::NoBand { .. })
    ));
    assert_eq!(scene.store.stats().steps, 0);
    assert!(scene.store.tick(&mut scene.host, &[at(5.0)]).unwrap().stepped);
}

/// A band that a source has over the layers that there are is one, whatever the configuration alone would make of it.
#[test]
fn a_source_is_refused_for_the_layers_that_are_on_and_for_no_other() {
    let mut scene = Scene::new(WIDE);
    let far = Radii {
        load: Some(100.0),
        unload: Some(700.0),
        ..Radii::default()
    };
    let layer = Layer {
        radii: far,
        ..Layer::default()
    };
    scene.store.set_layer("default", layer).unwrap();
    scene.store.add(&[thing(1, 405.0)], &Filing::default()).unwrap();
    // No band over the configuration, which is released at 30.
    let source = at(5.0).with_radii(Radii {
        load: Some(500.0),
        ..Radii::default()
    });
    scene.go(&[source]);
    scene.go(&[source]);
    assert_eq!(scene.labels(), [1]);
    // A layer over which it has none is in the way only while it is on.
    scene.store.set_layer("near", Layer::default()).unwrap();
    scene.host.next_frame();
    let error = scene.store.tick(&mut scene.host, &[source]).unwrap_err();
    assert!(error.to_string().starts_with("source 0 over layer \"near\""), "{error}");
    scene.store.disable_layer("near").unwrap();
    scene.go(&[source]);
    // Where there is no layer, the configuration is what there is.
    assert!(Scene::new(WIDE).store.tick(&mut scene.host, &[source]).is_err());
}

#[test]
fn records_that_make_no_group_are_refused() {
    let mut scene = Scene::new(WIDE);
    let mut refuse = |records: &[zero_streaming::Record], with: &str| {
        let error = scene.store.add(records, &Filing::default()).unwrap_err().to_string();
        assert!(error.contains(with), "{error}");
        assert_eq!(scene.store.stats().groups_total, 0);
        assert_eq!(scene.store.cells(), []);
    };
    refuse(&[], "at least one is needed");
    refuse(
        &[thing(1, 5.0), thing(2, 5.0)],
        "record 1 of the group: a second record without parent",
    );
    refuse(
        &[thing(1, 5.0), thing(2, 5.0).below(1)],
        "its parent must come before it, got record 1",
    );
    refuse(&[thing(1, f32::NAN)], "the position must be finite");
    refuse(&[thing(1, f32::INFINITY)], "the position must be finite");
    refuse(&[thing(1, 1e30)], "position x: expected a finite number within");
    let turned = |rotation| Thing::new(1).record(Transform::default().with_rotation(rotation));
    refuse(
        &[turned(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))],
        "the rotation must be finite and not 0",
    );
    refuse(
        &[turned(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0))],
        "the rotation must be finite and not 0",
    );
    let scaled = |scale| Thing::new(1).record(Transform::default().with_scale(scale));
    refuse(
        &[scaled(Vec3::new(1.0, f32::INFINITY, 1.0))],
        "the scale must be finite",
    );
    let out = Filing::default().in_files("../elsewhere");
    assert!(matches!(
        scene.store.add(&[thing(1, 5.0)], &out),
        Err(Error::Path { .. })
    ));
    // No storage was given.
    let error = scene
        .store
        .add(&[thing(1, 5.0)], &Filing::default().in_files("world"))
        .unwrap_err();
    assert!(matches!(error, Error::Storage { .. }));
    assert_eq!(scene.store.cells(), []);
}

#[test]
fn what_stands_nowhere_is_not_captured_and_not_released() {
    let mut scene = Scene::new(WIDE);
    let lost = scene.host.make(Transform::at(spot(f32::NAN)), Thing::new(1));
    let captured = scene
        .store
        .capture(&mut scene.host, &[lost], &Filing::default())
        .unwrap();
    assert!(matches!(captured.refused[0].1, Error::Record { .. }));

    let entity = scene.host.make(Transform::at(spot(5.0)), Thing::new(2));
    let group = scene.capture(entity);
    scene.host.move_to(entity, spot(f32::INFINITY));
    let step = scene.try_step(&[at(500.0)]);
    assert_eq!((step.failures.len(), step.failures[0].group), (1, Some(group)));
    assert_eq!(scene.host.state(entity), EntityState::Live);
    scene.host.move_to(entity, spot(5.0));
    scene.go(&[at(500.0)]);
    scene.run(500.0);
    assert_eq!(scene.labels(), [1]);
}

#[test]
fn what_has_yet_to_land_is_not_captured() {
    let mut scene = Scene::new(WIDE);
    let root = scene.host.spawn(&thing(1, 5.0)).unwrap();
    let captured = scene
        .store
        .capture(&mut scene.host, &[root], &Filing::default())
        .unwrap();
    assert!(matches!(captured.refused[0].1, Error::NotLanded { .. }));
    scene.host.next_frame();
    assert_eq!(scene.capture(root), scene.store.group_of(root).unwrap());
}

#[test]
fn the_cell_size_changes_only_while_there_is_no_cell() {
    let mut scene = Scene::new(WIDE);
    scene
        .store
        .configure(Config {
            cell_size: 50.0,
            ..WIDE
        })
        .unwrap();
    scene.store.add(&[thing(1, 45.0)], &Filing::default()).unwrap();
    assert_eq!(scene.state(0), CellState::Released);
    let refused = scene.store.configure(WIDE).unwrap_err();
    assert!(matches!(refused, Error::CellSizeInUse { cells: 1, .. }));
    assert_eq!(scene.store.config().cell_size, 50.0);
    scene.store.reset(&mut scene.host).unwrap();
    scene.store.configure(WIDE).unwrap();
}

#[test]
fn a_group_that_is_forgotten_is_the_games_or_gone() {
    let mut scene = Scene::with_storage(WIDE, MemoryStorage::default());
    let filing = Filing::default().in_files("world");
    let [near, far] = [5.0, 505.0].map(|x| scene.store.add(&row(x as u64, x, 1), &filing).unwrap());
    scene.run(5.0);
    assert_eq!(scene.store.forget(near).unwrap().len(), 2);
    assert_eq!(scene.store.forget(far).unwrap(), []);
    assert!(matches!(scene.store.forget(far), Err(Error::UnknownGroup { .. })));
    assert_eq!(scene.store.storage().files().len(), 0);
    scene.run(505.0);
    assert_eq!(scene.labels(), [5, 6]);
    assert_eq!(scene.store.cells(), []);
}

#[test]
fn the_reports_add_up() {
    let mut scene = Scene::new(WIDE);
    for (label, x) in [(10, 5.0), (20, 7.0), (30, 105.0)] {
        scene.store.add(&row(label, x, 2), &Filing::default()).unwrap();
    }
    scene.store.add(&[thing(40, 6.0)], &Filing::layer("rocks")).unwrap();
    scene.run(5.0);
    let (stats, cells) = (scene.store.stats(), scene.store.cells());
    let keys: Vec<(&str, i32)> = cells.iter().map(|cell| (cell.layer.as_str(), cell.key.x)).collect();
    assert_eq!(keys, [("default", 0), ("default", 10), ("rocks", 0)]);
    assert_eq!(
        (stats.cells_total, stats.cells_resident, stats.cells_pending),
        (3, 2, 0)
    );
    assert_eq!((stats.groups_total, stats.groups_resident), (4, 3));
    assert_eq!((stats.entities_total, stats.entities_resident), (10, 7));
    let sizes = [
        row(10, 5.0, 2),
        row(20, 7.0, 2),
        row(30, 105.0, 2),
        vec![thing(40, 6.0)],
    ]
    .map(|r| encoded_len(&r));
    assert_eq!(stats.bytes_stored, sizes.iter().sum::<usize>() as u64);
    assert_eq!(stats.bytes_resident, stats.bytes_stored - sizes[2] as u64);
    assert_eq!(scene.store.resident_ids(&scene.host).len(), 7);
    assert_eq!(scene.store.groups().count(), 4);
    assert_eq!(cells.iter().map(|cell| cell.bytes).sum::<u64>(), stats.bytes_stored);
}

/// The look around a source meets what is near it, not what there is.
#[test]
fn a_step_with_nothing_to_do_visits_as_many_cells_with_100_000_cells_as_with_100() {
    let idle = |side: i32| {
        let mut scene = Scene::new(Config {
            budget: u32::MAX,
            ..WIDE
        });
        for x in -side / 2..side - side / 2 {
            for z in -side / 2..side - side / 2 {
                let place = Vec3::new(x as f32 * 10.0 + 5.0, 0.0, z as f32 * 10.0 + 5.0);
                let record = Thing::new(0).record(Transform::at(place));
                scene
                    .store
                    .add(std::slice::from_ref(&record), &Filing::default())
                    .unwrap();
            }
        }
        for _ in 0..5 {
            scene.go(&[at(5.0)]);
        }
        let step = scene.step(&[at(5.0)]);
        assert_eq!((step.spent, scene.store.stats().cells_pending), (0, 0));
        (scene.store.stats().cells_total, scene.store.stats().cells_visited)
    };
    let (few, many) = (idle(10), idle(317));
    assert_eq!((few.0, many.0), (100, 100_489));
    assert_eq!(few.1, many.1);
    assert!((20..40).contains(&few.1), "{few:?}");
}
