//! A host and a storage that fail: everything is reported, and nothing is lost or doubled.

use crate::hecs_host::{Change, Thing};
use crate::support::{NOTHING, Scene, WIDE, at, fail_from, row, spot, thing};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use zero_streaming::glam::{Quat, Vec3};
use zero_streaming::{
    BoxError, CellKey, CellState, Config, Error, Filing, FolderStorage, GroupState, HostAction, MemoryStorage, Record,
    Storage, StorageAction, Transform, decode_records, encode_records, encoded_len,
};

const CELL: CellKey = CellKey::new(0, 0);

fn fail_always(action: HostAction) -> Option<Box<dyn FnMut(HostAction) -> bool>> {
    Some(Box::new(move |asked| asked == action))
}

#[test]
fn a_spawn_that_fails_half_way_is_reported_and_finished_later() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&row(1, 5.0, 4), &Filing::default()).unwrap();
    scene.host.fault = fail_from(HostAction::Spawn, 2);
    let step = scene.try_step(&[at(5.0)]);
    let [failure] = &step.failures[..] else {
        panic!("{:?}", step.failures)
    };
    assert_eq!(
        (failure.layer.as_str(), failure.key, failure.group),
        ("default", CELL, Some(group))
    );
    assert!(matches!(
        failure.error,
        Error::Host {
            action: HostAction::Spawn,
            ..
        }
    ));
    assert_eq!(
        failure.to_string(),
        "cell (0, 0) of layer \"default\", group 0.0: the host failed to spawn record 2 of 5: this spawn was \
         made to fail"
    );
    assert_eq!(step.spent, 3, "an attempt costs what it tried");
    assert_eq!(scene.store.group(group).unwrap().state, GroupState::Loading);
    scene.host.fault = None;
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 2, 3, 4, 5]);
    let spawned = scene
        .host
        .log
        .iter()
        .filter(|(change, _)| *change == Change::Spawned)
        .count();
    assert_eq!(spawned, 5, "what stood already was not asked for again");
}

#[test]
fn a_group_that_stood_by_half_goes_as_it_came_when_the_source_leaves() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&row(1, 5.0, 4), &Filing::default()).unwrap();
    scene.host.fault = fail_from(HostAction::Spawn, 2);
    drop(scene.try_step(&[at(5.0)]));
    scene.host.fault = None;
    scene.run(500.0);
    assert_eq!((scene.labels(), scene.state(0)), (vec![], CellState::Released));
    assert_eq!(scene.store.records(group).unwrap(), row(1, 5.0, 4));
}

#[test]
fn a_despawn_that_fails_half_way_is_finished_before_the_group_comes_back() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&row(1, 5.0, 4), &Filing::default()).unwrap();
    scene.run(5.0);
    scene.host.fault = fail_from(HostAction::Despawn, 2);
    let step = scene.try_step(&[at(500.0)]);
    assert!(matches!(
        step.failures[0].error,
        Error::Host {
            action: HostAction::Despawn,
            ..
        }
    ));
    assert_eq!(
        (scene.labels(), scene.store.group(group).unwrap().state),
        (vec![1, 2, 3], GroupState::Releasing)
    );
    // The source is back; what is left has to go first, or it would stand twice.
    drop(scene.try_step(&[at(5.0)]));
    assert_eq!(scene.labels(), [1, 2, 3]);
    scene.host.fault = None;
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 2, 3, 4, 5]);
}

#[test]
fn a_root_destroyed_half_way_out_is_not_resurrected() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&row(1, 5.0, 4), &Filing::default()).unwrap();
    scene.run(5.0);
    scene.host.fault = fail_from(HostAction::Despawn, 2);
    drop(scene.try_step(&[at(500.0)]));
    assert_eq!(scene.store.group(group).unwrap().state, GroupState::Releasing);
    scene.host.fault = None;
    scene.host.destroy(scene.host.find(1).unwrap());
    scene.run(500.0);
    scene.run(5.0);
    assert_eq!((scene.labels(), scene.store.group(group)), (vec![], None));
}

#[test]
fn a_serialize_that_fails_leaves_the_group_standing() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&row(1, 5.0, 2), &Filing::default()).unwrap();
    scene.run(5.0);
    scene.host.fault = fail_from(HostAction::Serialize, 1);
    let step = scene.try_step(&[at(500.0)]);
    assert!(matches!(
        step.failures[0].error,
        Error::Host {
            action: HostAction::Serialize,
            ..
        }
    ));
    assert_eq!(
        (scene.labels().len(), scene.store.group(group).unwrap().state),
        (3, GroupState::Standing)
    );
    scene.host.fault = None;
    scene.run(500.0);
    assert_eq!(scene.labels(), NOTHING);
    // The same on the way in.
    let root = scene.host.make(Transform::at(spot(5.0)), Thing::new(9));
    scene.host.fault = fail_from(HostAction::Serialize, 0);
    let captured = scene
        .store
        .capture(&mut scene.host, &[root], &Filing::default())
        .unwrap();
    assert!(matches!(captured.refused[0].1, Error::Host { .. }));
    assert_eq!((scene.store.stats().groups_total, scene.labels()), (1, vec![9]));
}

#[test]
fn a_link_that_fails_keeps_the_group_pending_and_is_made_later() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&row(1, 5.0, 2), &Filing::default()).unwrap();
    scene.host.fault = fail_always(HostAction::Link);
    drop(scene.try_step(&[at(5.0)]));
    let step = scene.try_step(&[at(5.0)]);
    assert!(matches!(
        step.failures[0].error,
        Error::Host {
            action: HostAction::Link,
            ..
        }
    ));
    // It is not released either: it would be stored without its children.
    for _ in 0..4 {
        drop(scene.try_step(&[at(500.0)]));
    }
    assert_eq!((scene.labels(), scene.state(0)), (vec![1, 2, 3], CellState::Pending));
    scene.host.fault = None;
    scene.run(500.0);
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 2, 3]);
}

#[test]
fn content_waits_for_a_stand_in_that_cannot_be_raised() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene
        .store
        .set_proxy("default", CELL, &[thing(100, 5.0), thing(101, 5.0)])
        .unwrap();
    scene.run(5.0);
    scene.host.fault = fail_from(HostAction::Spawn, 1);
    let step = scene.try_step(&[at(60.0)]);
    assert_eq!((step.failures.len(), step.failures[0].group), (1, None));
    for _ in 0..10 {
        drop(scene.try_step(&[at(60.0)]));
        assert_eq!(scene.labels(), [1, 100]);
    }
    scene.host.fault = None;
    scene.run(60.0);
    assert_eq!(scene.labels(), [100, 101]);
}

#[test]
fn a_proxy_that_cannot_be_cleared_is_gone_from_the_store_and_taken_out_later() {
    let mut scene = Scene::new(WIDE);
    scene
        .store
        .set_proxy("default", CELL, &[thing(100, 5.0), thing(101, 5.0)])
        .unwrap();
    scene.run(60.0);
    scene.host.fault = fail_always(HostAction::Despawn);
    assert!(scene.store.clear_proxy(&mut scene.host, "default", CELL).is_err());
    assert_eq!((scene.store.stats().proxies_total, scene.labels()), (0, vec![100, 101]));
    assert!(scene.store.reset(&mut scene.host).is_ok());
    scene.host.fault = None;
    scene.run(60.0);
    assert_eq!((scene.labels(), scene.store.cells()), (vec![], vec![]));
}

#[test]
fn reset_takes_proxies_down_and_leaves_content_to_the_game() {
    let mut scene = Scene::new(WIDE);
    let group = scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.store.add(&[thing(2, 65.0)], &Filing::default()).unwrap();
    scene
        .store
        .set_proxy("default", CellKey::new(6, 0), &[thing(100, 5.0)])
        .unwrap();
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 100]);
    scene.store.reset(&mut scene.host).unwrap();
    assert_eq!((scene.labels(), scene.store.cells()), (vec![1], vec![]));
    let stats = scene.store.stats();
    assert_eq!(
        (
            stats.cells_total,
            stats.groups_total,
            stats.bytes_stored,
            stats.entities_proxy
        ),
        (0, 0, 0, 0)
    );
    scene.run(500.0);
    assert_eq!((scene.labels(), scene.store.group(group)), (vec![1], None));
    let again = scene.host.find(1).unwrap();
    assert_ne!(scene.capture(again), group);
}

/// What keeps failing is tried after 1, 2, 4 ... 64 steps, and leaves the budget to the rest.
#[test]
fn what_keeps_failing_starves_nothing_and_fills_no_log() {
    let mut scene = Scene::new(Config { budget: 1, ..WIDE });
    scene
        .store
        .add(&[thing(1, 5.0).with_data([0])], &Filing::default())
        .unwrap();
    scene.store.add(&[thing(2, 25.0)], &Filing::default()).unwrap();
    let mut failed_at = Vec::new();
    for step in 1..=200 {
        if !scene.try_step(&[at(5.0)]).failures.is_empty() {
            failed_at.push(step);
        }
    }
    assert_eq!(failed_at, [1, 2, 4, 8, 16, 32, 64, 128, 192]);
    assert_eq!(scene.labels(), [2]);
}

/// Files in memory, until the disk is pulled.
#[derive(Default)]
struct Disk {
    files: MemoryStorage,
    pulled: Arc<AtomicBool>,
}

impl Disk {
    fn check(&self) -> Result<(), BoxError> {
        if self.pulled.load(Ordering::Relaxed) {
            Err("the disk is not there".into())
        } else {
            Ok(())
        }
    }
}

impl Storage for Disk {
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), BoxError> {
        self.check()?;
        self.files.write(path, bytes)
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, BoxError> {
        self.check()?;
        self.files.read(path)
    }
    fn remove(&mut self, path: &str) -> Result<(), BoxError> {
        self.check()?;
        self.files.remove(path)
    }
}

#[test]
fn a_storage_that_fails_loses_nothing() {
    let disk = Disk::default();
    let pulled = Arc::clone(&disk.pulled);
    let mut scene = Scene::with_storage(WIDE, disk);
    let filing = Filing::default().in_files("world");
    let group = scene.store.add(&row(1, 5.0, 1), &filing).unwrap();
    scene.run(5.0);
    let failed = |step: zero_streaming::Step| match &step.failures[..] {
        [failure] => match &failure.error {
            Error::Storage { action, .. } => *action,
            other => panic!("{other}"),
        },
        other => panic!("{other:?}"),
    };
    // It cannot be written: it stands.
    pulled.store(true, Ordering::Relaxed);
    assert!(scene.store.add(&[thing(5, 5.0)], &filing).is_err());
    let before = scene.store.stats();
    assert_eq!(failed(scene.try_step(&[at(500.0)])), StorageAction::Write);
    assert_eq!(
        (scene.labels().len(), scene.store.group(group).unwrap().state),
        (2, GroupState::Standing)
    );
    assert_eq!(scene.store.stats().bytes_stored, before.bytes_stored);
    pulled.store(false, Ordering::Relaxed);
    scene.run(500.0);
    // It cannot be read: it is away, and known.
    pulled.store(true, Ordering::Relaxed);
    assert_eq!(failed(scene.try_step(&[at(5.0)])), StorageAction::Read);
    assert_eq!((scene.labels().len(), scene.store.stats().groups_total), (0, 1));
    pulled.store(false, Ordering::Relaxed);
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 2]);
    // Its file cannot be removed: that is done later.
    scene.host.destroy(scene.host.find(1).unwrap());
    pulled.store(true, Ordering::Relaxed);
    assert_eq!(failed(scene.try_step(&[at(5.0)])), StorageAction::Remove);
    pulled.store(false, Ordering::Relaxed);
    scene.run(5.0);
    assert_eq!(
        (scene.store.storage().files.files().len(), scene.store.cells().len()),
        (0, 0)
    );
}

#[test]
fn a_file_that_was_changed_is_refused_and_read_once_it_is_whole_again() {
    let mut scene = Scene::with_storage(WIDE, MemoryStorage::default());
    let group = scene
        .store
        .add(&[thing(1, 5.0)], &Filing::default().in_files("world"))
        .unwrap();
    let path = scene.store.group(group).unwrap().path.unwrap();
    let whole = scene.store.storage().read(&path).unwrap();
    let mut bad = whole.clone();
    bad[20] ^= 1;
    scene.store.storage_mut().write(&path, &bad).unwrap();
    let step = scene.try_step(&[at(5.0)]);
    assert!(matches!(
        step.failures[0].error,
        Error::Storage {
            action: StorageAction::Read,
            ..
        }
    ));
    scene.store.storage_mut().write(&path, &whole).unwrap();
    scene.run(5.0);
    assert_eq!(scene.labels(), [1]);
}

/// Whole by itself, but not what was written there.
#[test]
fn another_groups_file_and_an_older_one_are_refused() {
    let mut scene = Scene::with_storage(WIDE, MemoryStorage::default());
    let filing = Filing::default().in_files("world");
    let [first, second] = [1, 2].map(|label| scene.store.add(&[thing(label, 5.0)], &filing).unwrap());
    let path = |scene: &Scene<MemoryStorage>, group| scene.store.group(group).unwrap().path.unwrap();
    let [one, two] = [first, second].map(|group| path(&scene, group));
    let older = scene.store.storage().read(&one).unwrap();
    let another = scene.store.storage().read(&two).unwrap();
    assert_eq!(older.len(), another.len());
    let refused = |scene: &mut Scene<MemoryStorage>, bytes: &[u8]| {
        let right = scene.store.storage().read(&one).unwrap();
        scene.store.storage_mut().write(&one, bytes).unwrap();
        let failures = scene.try_step(&[at(5.0)]).failures;
        let [failure] = &failures[..] else {
            panic!("{failures:?}")
        };
        let Error::Storage {
            action: StorageAction::Read,
            source,
            ..
        } = &failure.error
        else {
            panic!("{failure}")
        };
        assert!(
            source
                .to_string()
                .starts_with("expected the file that was written there last"),
            "{source}"
        );
        assert!(scene.store.records(first).is_err());
        assert!(!scene.labels().contains(&1));
        scene.store.storage_mut().write(&one, &right).unwrap();
        scene.run(5.0);
        assert_eq!(scene.labels(), [1, 2]);
    };
    refused(&mut scene, &another);
    let entity = scene.host.find(1).unwrap();
    scene.host.edit(entity, |thing| thing.tint = 7);
    scene.run(500.0);
    refused(&mut scene, &older);
    assert_eq!(scene.host.thing(scene.host.find(1).unwrap()).tint, 7);
}

#[test]
fn a_folder_writes_whole_files_or_none_and_stays_within() {
    let folder = tempfile::tempdir().unwrap();
    let mut storage = FolderStorage::new(folder.path().join("tiles"));
    storage.write("a/b.zstr", b"first").unwrap();
    storage.write("a/b.zstr", b"second, longer").unwrap();
    assert_eq!(storage.read("a/b.zstr").unwrap(), b"second, longer");
    assert_eq!(
        std::fs::read_dir(folder.path().join("tiles/a")).unwrap().count(),
        1,
        "nothing is left beside it"
    );
    // A folder is in the way of the file: what was there stays, and nothing half-written does.
    std::fs::create_dir(folder.path().join("tiles/a/taken.zstr")).unwrap();
    assert!(storage.write("a/taken.zstr", b"third").is_err());
    assert_eq!(std::fs::read_dir(folder.path().join("tiles/a")).unwrap().count(), 2);
    assert!(storage.read("a/none").is_err());
    storage.remove("a/none").unwrap();
    storage.remove("a/b.zstr").unwrap();
    assert!(storage.read("a/b.zstr").is_err());
    for path in [
        "",
        "/etc/passwd",
        "..",
        "a/../../b",
        "a//b",
        "./a",
        "a\\b",
        "C:/a",
        "a/b.part",
        "a\0b",
    ] {
        assert!(storage.write(path, b"x").is_err(), "{path:?}");
        assert!(storage.read(path).is_err(), "{path:?}");
        assert!(storage.remove(path).is_err(), "{path:?}");
    }
}

fn sample() -> Vec<Record> {
    let turned = Transform::at(Vec3::ONE)
        .with_rotation(Quat::from_rotation_x(1.0))
        .with_scale(Vec3::splat(-2.0));
    vec![
        thing(1, 5.0),
        Thing::new(2).record(turned).below(0),
        Record::new(turned).below(1),
    ]
}

#[test]
fn records_read_back_as_they_were_written_and_nothing_else_does() {
    let bytes = encode_records(&sample()).unwrap();
    assert_eq!(
        (decode_records(&bytes).unwrap(), bytes.len()),
        (sample(), encoded_len(&sample()))
    );
    // The form of a file is fixed.
    assert_eq!(&bytes[..10], b"ZSTR\x01\0\x03\0\0\0");
    assert_eq!(bytes.len(), 10 + 3 * 48 + 12 + 12 + 8);
    for cut in 0..bytes.len() {
        assert!(
            matches!(decode_records(&bytes[..cut]), Err(Error::Encoding { .. })),
            "{cut}"
        );
    }
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 0x40;
        assert!(matches!(decode_records(&bad), Err(Error::Encoding { .. })), "{at}");
    }
    let mut long = bytes.clone();
    long.push(0);
    assert!(decode_records(&long).is_err());
    let mut newer = bytes;
    newer[4] = 2;
    let error = decode_records(&newer).unwrap_err().to_string();
    assert_eq!(error, "encoded records, at byte 4: expected version 1, got version 2");
    assert!(encode_records(&[]).is_err());
}

/// Bytes whose hash is right, so that what is behind it is met.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    bytes.extend(hash.to_le_bytes());
    bytes
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(body in prop::collection::vec(any::<u8>(), 0..300), count in any::<u32>()) {
        let _ = decode_records(&body);
        let mut bytes = b"ZSTR\x01\0".to_vec();
        bytes.extend(count.to_le_bytes());
        bytes.extend(&body);
        let _ = decode_records(&sealed(bytes));
    }

    #[test]
    fn a_changed_record_is_refused_or_read_as_what_it_says(at in 10usize..150, to in any::<u8>()) {
        let mut bytes = encode_records(&sample()).unwrap();
        bytes.truncate(bytes.len() - 8);
        bytes[at] = to;
        let bytes = sealed(bytes);
        if let Ok(records) = decode_records(&bytes) {
            prop_assert_eq!(encode_records(&records).unwrap(), bytes);
        }
    }
}

#[test]
fn a_layer_switched_off_while_it_loads_goes_as_it_came() {
    let mut scene = Scene::new(Config { budget: 2, ..WIDE });
    scene.host.drain = 1;
    for label in 0..6 {
        scene.store.add(&row(label * 10, 5.0, 2), &Filing::default()).unwrap();
    }
    scene.go(&[at(5.0)]);
    scene.go(&[at(5.0)]);
    assert!(!scene.labels().is_empty());
    scene.store.disable_layer("default").unwrap();
    scene.run(5.0);
    assert_eq!((scene.labels(), scene.state(0)), (vec![], CellState::Released));
    scene.store.enable_layer("default").unwrap();
    scene.run(5.0);
    assert_eq!(scene.labels().len(), 18);
}

/// A spawn that never lands holds its own group up, and a frame that goes back is a frame.
#[test]
fn what_never_lands_waits_alone() {
    let mut scene = Scene::new(WIDE);
    scene.host.drain = 1;
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    let stuck = scene.store.add(&row(2, 5.0, 1), &Filing::default()).unwrap();
    scene.go(&[at(5.0)]);
    scene.go(&[at(5.0)]);
    scene.host.drain = 0;
    for n in 0..50 {
        scene.host.frame = 1000 - 2 * n;
        scene.go(&[at(500.0)]);
    }
    assert_eq!(
        (scene.labels(), scene.store.group(stuck).unwrap().state),
        (vec![], GroupState::Settling)
    );
    assert_eq!(scene.store.stats().groups_resident, 1);
    scene.host.drain = 64;
    scene.run(500.0);
    scene.run(5.0);
    assert_eq!(scene.labels(), [1, 2, 3]);
}

/// Each costs a look at itself, not at those that were there.
#[test]
fn many_groups_in_one_cell_add_up() {
    let mut scene = Scene::new(WIDE);
    scene.run(5.0);
    let bytes = encoded_len(&[thing(1, 5.0)]) as u64;
    for n in 1..=50_000 {
        scene.store.add(&[thing(n, 5.0)], &Filing::default()).unwrap();
        let stats = scene.store.stats();
        assert_eq!(
            (stats.entities_total, stats.bytes_stored, stats.groups_resident),
            (n, n * bytes, 0)
        );
    }
    assert_eq!(scene.store.cell("default", CELL).unwrap().groups, 50_000);
}
