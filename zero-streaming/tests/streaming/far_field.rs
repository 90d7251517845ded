//! The stand-ins of released cells.

use crate::hecs_host::Thing;
use crate::support::{NOTHING, Scene, WIDE, at, row, spot, thing};
use proptest::prelude::*;
use zero_streaming::glam::{DMat4, DVec3, EulerRot, Quat, Vec3};
use zero_streaming::{
    BoxPer, CellKey, CellState, Config, Error, Filing, Host, Layer, MemoryStorage, Radii, Record, Silhouettes, Store,
    Transform, measure,
};

const CELL: CellKey = CellKey::new(0, 0);
/// Labels from here on are those of proxies.
const STAND_IN: u64 = 1000;

fn stand_in(n: u64) -> Record {
    thing(STAND_IN + n, 5.0)
}

/// A cell of one thing, with a proxy of one.
fn scene_with_proxy(config: Config) -> Scene {
    let mut scene = Scene::new(config);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.store.set_proxy("default", CELL, &[stand_in(0)]).unwrap();
    scene
}

#[test]
fn a_proxy_stands_in_the_far_field_and_nowhere_else() {
    let mut scene = scene_with_proxy(WIDE);
    // The cell ends at x = 10: content up to 30 and 40, a proxy up to 100 and 122.5.
    for (x, expected) in [
        (200.0, &[][..]),
        (110.0, &[]),
        (100.0, &[STAND_IN]),
        (122.5, &[STAND_IN]),
        (122.6, &[]),
        (60.0, &[STAND_IN]),
        (35.0, &[STAND_IN]),
        (30.0, &[1]),
        (35.0, &[1]),
        (41.0, &[STAND_IN]),
    ] {
        scene.run(x);
        assert_eq!(scene.labels(), expected, "at {x}");
    }
}

/// With a budget that cannot move a cell in one step, and entities that land late.
#[test]
fn a_walk_never_takes_a_cell_in_the_proxy_band_from_covered_to_uncovered() {
    let mut scene = Scene::new(Config { budget: 2, ..WIDE });
    scene.host.drain = 1;
    let groups = 5;
    for cell in 0..8 {
        for n in 0..groups {
            scene
                .store
                .add(&row(cell * 10 + n * 2, cell as f32 * 20.0 + 5.0, 1), &Filing::default())
                .unwrap();
        }
        let key = CellKey::new(cell as i32 * 2, 0);
        let proxy = [thing(STAND_IN + cell * 2, 5.0), thing(STAND_IN + cell * 2 + 1, 5.0)];
        scene.store.set_proxy("default", key, &proxy).unwrap();
    }
    let (mut by_content, mut by_proxy, mut both) = (0, 0, 0);
    let mut covered_before = [false; 8];
    for step in 0..1500 {
        let x = 80.0 - 80.0 * (step as f32 / 120.0).cos();
        scene.go(&[at(x)]);
        let labels = scene.labels();
        let landed = |label| labels.binary_search(&label).is_ok();
        for cell in 0..8 {
            // What is in the scene, not what the store says is.
            let mut parts = (0..groups * 2).map(|n| landed(cell * 10 + n));
            let content = parts.clone().all(|landed| landed);
            let proxy = landed(STAND_IN + cell * 2) && landed(STAND_IN + cell * 2 + 1);
            let (low, high) = (cell as f32 * 20.0, cell as f32 * 20.0 + 10.0);
            let distance = (low - x).max(x - high).max(0.0);
            let covered = content || proxy;
            if distance <= 90.0 {
                assert!(covered || !covered_before[cell as usize], "cell {cell} at step {step}");
            }
            covered_before[cell as usize] = covered;
            by_content += u32::from(content && !proxy);
            by_proxy += u32::from(proxy && !content);
            both += u32::from(proxy && parts.any(|landed| landed));
        }
    }
    assert!(
        by_content > 500 && by_proxy > 500 && both > 20,
        "{by_content} {by_proxy} {both}"
    );
}

#[test]
fn a_proxy_is_raised_before_the_first_group_goes_and_content_waits_until_it_has_landed() {
    let mut scene = scene_with_proxy(WIDE);
    scene.run(5.0);
    assert_eq!(scene.labels(), [1]);
    let step = scene.step(&[at(60.0)]);
    assert_eq!((step.proxies_raised, step.released), (1, 0));
    assert_eq!(scene.labels(), [1]);
    let step = scene.step(&[at(60.0)]);
    assert_eq!((step.proxies_raised, step.released), (0, 1));
    assert_eq!(scene.labels(), [STAND_IN]);
}

#[test]
fn a_stand_in_comes_down_once_the_content_it_covered_has_landed_and_no_later() {
    let mut scene = scene_with_proxy(WIDE);
    scene.run(60.0);
    scene.host.drain = 0;
    for _ in 0..5 {
        scene.go(&[at(5.0)]);
        assert_eq!(scene.labels(), [STAND_IN], "the content has yet to land");
    }
    scene.host.drain = 1;
    let step = scene.step(&[at(5.0)]);
    assert_eq!((scene.labels(), step.proxies_dropped), (vec![1], 1));
}

#[test]
fn a_cell_on_its_way_in_raises_no_stand_in() {
    let mut scene = scene_with_proxy(WIDE);
    scene.host.drain = 0;
    for _ in 0..3 {
        assert_eq!(scene.step(&[at(5.0)]).proxies_raised, 0);
    }
}

#[test]
fn a_proxy_costs_a_fraction_of_the_content_it_stands_in_for() {
    let mut scene = Scene::new(WIDE);
    for n in 0..40 {
        scene.store.add(&row(n * 10, 5.0, 4), &Filing::default()).unwrap();
    }
    let look = Silhouettes {
        data: Thing::new(STAND_IN).to_bytes(),
        ..Silhouettes::default()
    };
    let derived = scene.store.derive_proxies(&look).unwrap();
    assert_eq!((derived.cells, derived.boxes), (1, 1));
    assert_eq!(scene.store.stats().bytes_proxy, 0);
    scene.run(60.0);
    let stats = scene.store.stats();
    assert_eq!(
        (stats.proxies_total, stats.proxies_resident, stats.entities_proxy),
        (1, 1, 1)
    );
    assert_eq!(stats.entities_total, 200);
    assert!(
        stats.bytes_proxy > 0 && stats.bytes_proxy * 50 < stats.bytes_stored,
        "{stats:?}"
    );
    assert_eq!((stats.entities_resident, stats.bytes_resident), (0, 0));
    let proxies = scene.store.proxies();
    assert_eq!(
        (proxies[0].records, proxies[0].entities, proxies[0].derived),
        (1, 1, true)
    );
    assert_eq!(scene.store.proxy_ids(&scene.host), [scene.host.find(STAND_IN).unwrap()]);
    assert_eq!(scene.store.resident_ids(&scene.host), []);
    let cell = scene.store.cell("default", CELL).unwrap();
    assert!(cell.proxy && cell.proxy_resident && cell.state == CellState::Released);
    scene.run(5.0);
    assert_eq!(scene.store.stats().bytes_proxy, 0);
    assert_eq!(scene.store.proxies()[0].entities, 0);
}

#[test]
fn clearing_a_proxy_takes_down_what_it_had_standing_and_its_empty_cell() {
    let mut scene = scene_with_proxy(WIDE);
    let alone = CellKey::new(1, 0);
    scene.store.set_proxy("default", alone, &[stand_in(1)]).unwrap();
    scene.run(60.0);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 1]);
    assert!(scene.store.clear_proxy(&mut scene.host, "default", alone).unwrap());
    assert!(scene.store.clear_proxy(&mut scene.host, "default", CELL).unwrap());
    assert_eq!(scene.labels(), NOTHING);
    assert_eq!(scene.store.cell("default", alone), None);
    assert!(!scene.store.cell("default", CELL).unwrap().proxy);
    assert!(!scene.store.clear_proxy(&mut scene.host, "default", CELL).unwrap());
    assert!(!scene.store.clear_proxy(&mut scene.host, "unknown", CELL).unwrap());
    scene.run(60.0);
    assert_eq!(scene.labels(), NOTHING);
}

#[test]
fn a_disabled_layer_holds_no_stand_in() {
    let mut scene = scene_with_proxy(WIDE);
    scene.store.set_proxy("rocks", CELL, &[stand_in(1)]).unwrap();
    scene.run(60.0);
    scene.store.disable_layer("default").unwrap();
    scene.run(60.0);
    assert_eq!(scene.labels(), [STAND_IN + 1]);
    scene.store.enable_layer("default").unwrap();
    scene.run(60.0);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 1]);
    // One that stands is released without a stand-in.
    scene.run(5.0);
    scene.store.disable_layer("default").unwrap();
    scene.run(5.0);
    assert_eq!(scene.labels(), NOTHING);
}

#[test]
fn a_proxy_despawned_from_outside_is_taken_down_whole_and_raised_again() {
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene
        .store
        .set_proxy("default", CELL, &[stand_in(0), stand_in(1), stand_in(2).below(1)])
        .unwrap();
    scene.run(60.0);
    let [first, second, third] = [0, 1, 2].map(|n| scene.host.find(STAND_IN + n).unwrap());
    scene.host.despawn(second).unwrap();
    let step = scene.step(&[at(60.0)]);
    assert_eq!((step.proxies_dropped, step.proxies_raised), (1, 1));
    scene.run(60.0);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 1, STAND_IN + 2]);
    let again = scene.store.proxy_ids(&scene.host);
    assert!([first, second, third].iter().all(|entity| !again.contains(entity)));
    assert_eq!(scene.host.parent(again[2]), Some(again[1]));
}

#[test]
fn a_proxy_that_takes_anothers_place_stands_before_that_one_goes() {
    let mut scene = scene_with_proxy(WIDE);
    scene.run(60.0);
    scene.store.set_proxy("default", CELL, &[stand_in(7)]).unwrap();
    scene.go(&[at(60.0)]);
    assert_eq!(scene.labels(), [STAND_IN]);
    scene.go(&[at(60.0)]);
    assert_eq!(scene.labels(), [STAND_IN + 7]);
    assert_eq!(scene.store.proxy_ids(&scene.host).len(), 1);
}

#[test]
fn a_store_that_was_never_given_a_proxy_streams_exactly_as_it_did() {
    let walk = |far: &Radii, proxies: bool| {
        let mut scene = Scene::new(Config { budget: 3, ..WIDE });
        scene
            .store
            .set_layer(
                "default",
                Layer {
                    radii: *far,
                    ..Layer::default()
                },
            )
            .unwrap();
        for n in 0..30 {
            scene
                .store
                .add(&row(n * 10, n as f32 * 9.0, n % 4), &Filing::default())
                .unwrap();
        }
        if proxies {
            // In a layer that is off.
            scene
                .store
                .set_layer(
                    "off",
                    Layer {
                        enabled: false,
                        ..Layer::default()
                    },
                )
                .unwrap();
            scene.store.set_proxy("off", CELL, &[stand_in(0)]).unwrap();
        }
        let step = |n: u32| {
            let step = scene.step(&[at(135.0 - 135.0 * (n as f32 / 60.0).cos())]);
            (scene.labels(), step.spent, step.loaded, step.released, step.linked)
        };
        (0..400).map(step).collect::<Vec<_>>()
    };
    let plain = walk(&Radii::default(), false);
    assert!(plain.iter().any(|step| step.3 > 0));
    assert_eq!(
        walk(
            &Radii {
                proxy: Some(1e6),
                ..Radii::default()
            },
            true
        ),
        plain
    );
}

#[test]
fn proxies_spend_the_budget_too() {
    let mut scene = Scene::new(Config { budget: 2, ..WIDE });
    for x in 0..4 {
        scene
            .store
            .set_proxy("default", CellKey::new(x, 0), &[stand_in(0), stand_in(1)])
            .unwrap();
    }
    let spent: Vec<u64> = (0..5).map(|_| scene.step(&[at(75.0)]).spent).collect();
    assert_eq!(spent, [2, 2, 2, 2, 0]);
    let spent: Vec<u64> = (0..5).map(|_| scene.step(&[at(1000.0)]).spent).collect();
    assert_eq!(spent, [2, 2, 2, 2, 0]);
}

#[test]
fn records_that_make_no_proxy_are_refused() {
    let mut store = Store::<u32>::new(WIDE).unwrap();
    assert!(matches!(
        store.set_proxy("default", CELL, &[]),
        Err(Error::Record { .. })
    ));
    assert!(matches!(
        store.set_proxy("default", CELL, &[thing(1, f32::NAN)]),
        Err(Error::Record { .. })
    ));
    assert!(
        store
            .set_proxy("default", CellKey::new(i32::MAX, 0), &[thing(1, 0.0)])
            .is_err()
    );
    for padding in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(
            store
                .derive_proxies(&Silhouettes {
                    padding,
                    ..Silhouettes::default()
                })
                .is_err()
        );
    }
    assert_eq!(store.cells(), []);
}

/// The corners of a record's unit box, through the whole of its parents: by matrices of another make.
fn corners(records: &[Record], index: usize) -> Vec<DVec3> {
    let mut world = DMat4::IDENTITY;
    let mut next = Some(index as u32);
    while let Some(at) = next {
        let Record { transform, parent, .. } = &records[at as usize];
        let turn = DMat4::from_quat(transform.rotation.as_dquat().normalize());
        let place = DMat4::from_translation(transform.position.as_dvec3());
        world = place * turn * DMat4::from_scale(transform.scale.as_dvec3()) * world;
        next = *parent;
    }
    let sides = [-0.5, 0.5];
    let corner = |x: f64, y: f64, z: f64| world.transform_point3(DVec3::new(x, y, z));
    sides
        .iter()
        .flat_map(|x| sides.iter().flat_map(move |y| sides.map(|z| corner(*x, *y, z))))
        .collect()
}

fn encloses(box_: &Record, point: DVec3, slack: f64) -> bool {
    let Transform {
        position,
        scale,
        rotation,
    } = box_.transform;
    assert_eq!(rotation, Quat::IDENTITY);
    let reach = scale.as_dvec3() * 0.5 + slack;
    (point - position.as_dvec3()).abs().cmple(reach).all()
}

fn derive(records: &[Vec<Record>], look: &Silhouettes) -> Vec<Record> {
    let mut scene = Scene::new(Config {
        cell_size: 10_000.0,
        load_radius: 1.0,
        unload_radius: 2.0,
        ..WIDE
    });
    for group in records {
        scene.store.add(group, &Filing::default()).unwrap();
    }
    let look = Silhouettes {
        data: Thing::new(STAND_IN).to_bytes(),
        ..look.clone()
    };
    assert_eq!(scene.store.derive_proxies(&look).unwrap().cells, 1);
    scene.run(-5.0);
    let boxes = scene.store.proxy_ids(&scene.host);
    boxes.into_iter().map(|id| scene.host.serialize(id).unwrap()).collect()
}

/// A hall of 4 by 1 by 1 turned by a quarter and doubled, so that its offset of 10 along X is one of 20 along -Z.
#[test]
fn a_silhouette_encloses_a_group_that_stands_rotated_and_scaled_where_it_stands() {
    let turned = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let root = Transform::at(Vec3::new(100.0, 0.0, 100.0))
        .with_rotation(turned)
        .with_scale(Vec3::splat(2.0));
    let hall = Transform::at(Vec3::X * 10.0).with_scale(Vec3::new(4.0, 1.0, 1.0));
    let records = vec![Thing::new(1).record(root), Thing::new(2).record(hall).below(0)];
    let bounds = measure(&records).unwrap();
    let expected = [DVec3::new(99.0, -1.0, 76.0), DVec3::new(101.0, 1.0, 101.0)];
    assert!(
        (bounds.min - expected[0]).length() < 1e-5 && (bounds.max - expected[1]).length() < 1e-5,
        "{bounds:?}"
    );
    // The raw offsets name a place that the hall is not at.
    let raw = DVec3::new(110.0, 0.0, 100.0);
    let boxes = derive(std::slice::from_ref(&records), &Silhouettes::default());
    assert_eq!(boxes.len(), 1);
    assert!(!encloses(&boxes[0], raw, 1.0));
    for index in 0..2 {
        assert!(
            corners(&records, index)
                .into_iter()
                .all(|corner| encloses(&boxes[0], corner, 1e-9))
        );
    }
}

fn any_transform() -> impl Strategy<Value = Transform> {
    let position = prop::array::uniform3(-100f32..100.0);
    let scale = prop::array::uniform3(prop_oneof![-4f32..4.0, Just(0.0)]);
    (position, prop::array::uniform3(-3f32..3.0), scale).prop_map(|(position, turn, scale)| Transform {
        position: Vec3::from_array(position),
        rotation: Quat::from_euler(EulerRot::YXZ, turn[0], turn[1], turn[2]),
        scale: Vec3::from_array(scale),
    })
}

fn any_group() -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec((any_transform(), any::<prop::sample::Index>()), 1..12).prop_map(|all| {
        let record = |(n, (transform, parent)): (usize, &(Transform, prop::sample::Index))| {
            let record = Thing::new(n as u64).record(*transform);
            if n == 0 {
                record
            } else {
                record.below(parent.index(n) as u32)
            }
        };
        let mut records: Vec<Record> = all.iter().enumerate().map(record).collect();
        records[0].transform.position = records[0].transform.position.abs();
        records
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_derived_silhouette_contains_every_record_it_stands_for(
        groups in prop::collection::vec(any_group(), 1..5),
        padding in prop_oneof![Just(0.0f32), 0f32..5.0],
    ) {
        for per in [BoxPer::Cell, BoxPer::Group] {
            let look = Silhouettes { per, padding, ..Silhouettes::default() };
            let boxes = derive(&groups, &look);
            prop_assert_eq!(boxes.len(), if per == BoxPer::Cell { 1 } else { groups.len() });
            for (n, group) in groups.iter().enumerate() {
                let around = &boxes[n.min(boxes.len() - 1)];
                // Two ways through f64 may differ in the last bits of numbers of up to 1e9.
                let size = corners(group, group.len() - 1).iter().fold(1.0, |most: f64, c| most.max(c.abs().max_element()));
                for index in 0..group.len() {
                    for corner in corners(group, index) {
                        prop_assert!(encloses(around, corner, size * 1e-12 - f64::from(padding)), "{corner} {around:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn padding_reaches_further_on_every_side_and_hugs_without() {
    let group = vec![Thing::new(1).record(Transform::at(spot(5.0)).with_scale(Vec3::new(2.0, 4.0, 6.0)))];
    let size = |padding| {
        derive(
            std::slice::from_ref(&group),
            &Silhouettes {
                padding,
                ..Silhouettes::default()
            },
        )[0]
        .transform
    };
    assert!((size(0.0).scale - Vec3::new(2.0, 4.0, 6.0)).length() < 1e-5);
    assert!((size(1.5).scale - Vec3::new(5.0, 7.0, 9.0)).length() < 1e-5);
    assert_eq!(size(1.5).position, spot(5.0));
}

#[test]
fn deriving_again_replaces_what_was_derived_and_keeps_what_was_set_by_hand() {
    let mut scene = Scene::with_storage(WIDE, MemoryStorage::default());
    let filing = Filing::default().in_files("world");
    for x in [5.0, 25.0, 45.0] {
        scene.store.add(&[thing(x as u64, x)], &filing).unwrap();
    }
    scene.store.add(&[thing(9, 5.0)], &Filing::layer("rocks")).unwrap();
    scene.store.set_proxy("default", CELL, &[stand_in(0)]).unwrap();
    let look = Silhouettes {
        layer: Some("default".to_owned()),
        ..Silhouettes::default()
    };
    let derived = scene.store.derive_proxies(&look).unwrap();
    assert_eq!((derived.cells, derived.kept), (2, 1));
    let derived = scene.store.derive_proxies(&Silhouettes::default()).unwrap();
    assert_eq!((derived.cells, derived.kept), (3, 1));
    let hands: Vec<bool> = scene.store.proxies().iter().map(|proxy| !proxy.derived).collect();
    assert_eq!(hands, [true, false, false, false]);
}

/// A house that was torn down has no silhouette.
#[test]
fn deriving_again_takes_away_what_stood_for_content_that_is_gone() {
    let mut scene = Scene::new(WIDE);
    let house = scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.store.add(&[thing(2, 105.0)], &Filing::default()).unwrap();
    let by_hand = CellKey::new(12, 0);
    scene.store.set_proxy("default", by_hand, &[stand_in(5)]).unwrap();
    let look = Silhouettes {
        data: Thing::new(STAND_IN).to_bytes(),
        ..Silhouettes::default()
    };
    assert_eq!(scene.store.derive_proxies(&look).unwrap().cells, 2);
    scene.run(60.0);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN, STAND_IN + 5]);
    assert!(scene.store.forget(house).unwrap().is_empty());
    let again = scene.store.derive_proxies(&look).unwrap();
    assert_eq!((again.cells, again.cleared, again.kept), (1, 1, 0));
    scene.run(60.0);
    assert_eq!(scene.labels(), [STAND_IN, STAND_IN + 5]);
    assert_eq!(scene.store.cell("default", CELL), None);
    assert_eq!(scene.store.proxies().len(), 2);
}
