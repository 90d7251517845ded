//! The rule as pure functions, and the radii that it runs on.

use proptest::prelude::*;
use zero_streaming::{
    CellKey, Config, Error, Layer, MAX_CELL_COORD, PROXY_BAND, PROXY_FOLLOWS, Radii, Store, Verdict, cell_bounds,
    cell_coords, cell_distance, cell_key_at, decide, proxy_decide,
};

type World = Store<u32>;

#[test]
fn key_coords_and_bounds_agree_on_one_square() {
    let check = |x, z, size, expected| {
        let key = cell_key_at(x, z, size).unwrap();
        assert_eq!(cell_coords(key), expected);
        let bounds = cell_bounds(key, size).unwrap();
        assert_eq!(bounds.min.x, f64::from(expected.0) * f64::from(size));
        assert_eq!(bounds.max.y, (f64::from(expected.1) + 1.0) * f64::from(size));
    };
    check(0.0, 0.0, 64.0, (0, 0));
    check(63.99, 64.0, 64.0, (0, 1));
    check(-0.01, -64.0, 64.0, (-1, -1));
    check(-64.01, 1e6, 64.0, (-2, 15625));
    check(1e7, -1e7, 0.1, (99_999_998, -99_999_999));
}

proptest! {
    #[test]
    fn a_point_is_within_its_cell_and_no_other(x in -1e6f32..1e6, z in -1e6f32..1e6, size in 0.05f32..1e4) {
        let key = cell_key_at(x, z, size).unwrap();
        let bounds = cell_bounds(key, size).unwrap();
        let (x64, z64) = (f64::from(x), f64::from(z));
        prop_assert!(bounds.min.x <= x64 && x64 < bounds.max.x);
        prop_assert!(bounds.min.y <= z64 && z64 < bounds.max.y);
        prop_assert_eq!(cell_distance(key, size, x, z).unwrap(), 0.0);
    }

    /// Points one step below a multiple of the size are where a quotient rounds up.
    #[test]
    fn an_edge_belongs_to_the_cell_above_it(n in -100_000i32..100_000, size in 0.05f32..1e3) {
        let edge = (f64::from(n) * f64::from(size)) as f32;
        for x in [edge.next_down(), edge, edge.next_up()] {
            let bounds = cell_bounds(cell_key_at(x, 0.0, size).unwrap(), size).unwrap();
            prop_assert!(bounds.min.x <= f64::from(x) && f64::from(x) < bounds.max.x);
        }
    }
}

#[test]
fn distance_runs_to_the_nearest_edge() {
    let check = |key: (i32, i32), x, z, expected| {
        let key = CellKey::new(key.0, key.1);
        assert_eq!(cell_distance(key, 10.0, x, z).unwrap(), expected);
    };
    check((0, 0), 5.0, 5.0, 0.0);
    check((0, 0), 0.0, 10.0, 0.0);
    check((0, 0), 13.0, 14.0, 5.0);
    check((0, 0), -7.0, 5.0, 7.0);
    check((-1, 0), 3.0, 5.0, 3.0);
    // A source on the corner of a large cell stands on it; a measure to the centre would let its ground go.
    let corner = cell_distance(CellKey::new(0, 0), 200.0, 0.0, 0.0).unwrap();
    let to_centre = f64::hypot(100.0, 100.0);
    assert_eq!(decide(corner, 50.0, 80.0).unwrap(), Verdict::Resident);
    assert_eq!(decide(to_centre, 50.0, 80.0).unwrap(), Verdict::Released);
}

#[test]
fn decide_returns_resident_hold_and_released_across_the_band() {
    for rule in [decide, proxy_decide] {
        let check = |distance, expected| assert_eq!(rule(distance, 120.0, 180.0).unwrap(), expected);
        check(0.0, Verdict::Resident);
        check(120.0, Verdict::Resident);
        check(120.001, Verdict::Hold);
        check(180.0, Verdict::Hold);
        check(180.001, Verdict::Released);
        check(f64::INFINITY, Verdict::Released);
    }
}

#[test]
fn a_radius_pair_with_no_band_is_refused() {
    for rule in [decide, proxy_decide] {
        assert!(matches!(rule(1.0, 120.0, 120.0), Err(Error::NoBand { .. })));
        assert!(matches!(rule(1.0, 120.0, 60.0), Err(Error::NoBand { .. })));
        for bad in [f32::NAN, f32::INFINITY, -1.0] {
            assert!(matches!(rule(1.0, bad, 180.0), Err(Error::Value { .. })));
            assert!(matches!(rule(1.0, 120.0, bad), Err(Error::Value { .. })));
        }
        assert!(matches!(rule(f64::NAN, 120.0, 180.0), Err(Error::Value { .. })));
    }
    assert_eq!(
        decide(1.0, 120.0, 60.0).unwrap_err().to_string(),
        "the radius pair: the unload radius 60 must exceed the load radius 120"
    );
}

#[test]
fn places_and_sizes_that_are_none_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        assert!(cell_key_at(bad, 0.0, 64.0).is_err());
        assert!(cell_key_at(0.0, bad, 64.0).is_err());
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(cell_distance(CellKey::default(), 64.0, bad, 0.0).is_err());
        assert!(cell_distance(CellKey::default(), 64.0, 0.0, bad).is_err());
    }
    for size in [0.0, -64.0, f32::NAN, f32::INFINITY, 1e-9, 1e9] {
        assert!(cell_key_at(0.0, 0.0, size).is_err());
        assert!(cell_bounds(CellKey::default(), size).is_err());
        assert!(
            World::new(Config {
                cell_size: size,
                ..Config::default()
            })
            .is_err()
        );
    }
    assert!(cell_bounds(CellKey::new(MAX_CELL_COORD, -MAX_CELL_COORD), 64.0).is_ok());
    assert!(cell_bounds(CellKey::new(i32::MIN, 0), 64.0).is_err());
    assert!(
        World::new(Config {
            budget: 0,
            ..Config::default()
        })
        .is_err()
    );
    let error = cell_key_at(f32::NAN, 0.0, 64.0).unwrap_err().to_string();
    assert!(
        error.starts_with("position x: expected a finite number") && error.ends_with("got NaN"),
        "{error}"
    );
}

fn reach(store: &World, layer: &str, source: Radii) -> [f32; 4] {
    let reach = store.reach(layer, &source).unwrap();
    [reach.load, reach.unload, reach.proxy, reach.proxy_unload]
}

#[test]
fn a_source_has_its_own_radii_else_its_layers_else_the_configurations() {
    let mut store = World::new(Config {
        load_radius: 10.0,
        unload_radius: 20.0,
        ..Config::default()
    })
    .unwrap();
    let radii = Radii {
        load: Some(30.0),
        unload: Some(40.0),
        ..Radii::default()
    };
    store
        .set_layer(
            "far",
            Layer {
                radii,
                ..Layer::default()
            },
        )
        .unwrap();
    assert_eq!(reach(&store, "near", Radii::default())[..2], [10.0, 20.0]);
    assert_eq!(reach(&store, "far", Radii::default())[..2], [30.0, 40.0]);
    let own = Radii {
        load: Some(35.0),
        ..Radii::default()
    };
    assert_eq!(reach(&store, "far", own)[..2], [35.0, 40.0]);
    // What makes a band over one layer may make none over another.
    assert!(store.reach("near", &own).is_err());
}

/// Accepted by a configure and a set_layer that name only a wide unload radius.
#[test]
fn a_proxy_pair_left_alone_follows_the_content_radii() {
    let mut store = World::new(Config::default()).unwrap();
    store
        .configure(Config {
            unload_radius: 1000.0,
            ..Config::default()
        })
        .unwrap();
    let far = 1000.0 * PROXY_FOLLOWS;
    assert_eq!(
        reach(&store, "any", Radii::default()),
        [120.0, 1000.0, far, far * PROXY_BAND]
    );
    let radii = Radii {
        unload: Some(5000.0),
        ..Radii::default()
    };
    store
        .set_layer(
            "hills",
            Layer {
                radii,
                ..Layer::default()
            },
        )
        .unwrap();
    let far = 5000.0 * PROXY_FOLLOWS;
    assert_eq!(
        reach(&store, "hills", Radii::default()),
        [120.0, 5000.0, far, far * PROXY_BAND]
    );
    let radii = Radii {
        unload: Some(7000.0),
        ..Radii::default()
    };
    assert_eq!(reach(&store, "hills", radii)[2], 7000.0 * PROXY_FOLLOWS);
}

#[test]
fn a_scope_that_names_an_unload_radius_is_measured_from_it_whatever_is_pinned_outside() {
    let pinned = Config {
        proxy_radius: 400.0,
        proxy_unload_radius: 900.0,
        ..Config::default()
    };
    let mut store = World::new(pinned).unwrap();
    assert_eq!(reach(&store, "any", Radii::default())[2..], [400.0, 900.0]);
    let radii = Radii {
        unload: Some(1000.0),
        ..Radii::default()
    };
    store
        .set_layer(
            "hills",
            Layer {
                radii,
                ..Layer::default()
            },
        )
        .unwrap();
    let far = 1000.0 * PROXY_FOLLOWS;
    assert_eq!(reach(&store, "hills", Radii::default())[2..], [far, far * PROXY_BAND]);
    // A pin of its own has a band of its own, too.
    let own = Radii {
        proxy: Some(2000.0),
        ..Radii::default()
    };
    assert_eq!(reach(&store, "any", own)[2..], [2000.0, 2000.0 * PROXY_BAND]);
}

#[test]
fn a_pin_inside_the_unload_radius_is_refused_and_changes_nothing() {
    let mut store = World::new(Config::default()).unwrap();
    let pin = |proxy| Layer {
        radii: Radii {
            proxy: Some(proxy),
            ..Radii::default()
        },
        ..Layer::default()
    };
    store.set_layer("hills", pin(300.0)).unwrap();
    let before = (*store.config(), *store.layer("hills").unwrap());

    let refused = store.set_layer("hills", pin(150.0)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "layer \"hills\": the proxy radius 150 must exceed the unload radius 180"
    );
    assert!(store.set_layer("unknown", pin(150.0)).is_err());
    assert!(store.layer("unknown").is_none());
    assert!(
        store
            .configure(Config {
                proxy_radius: 180.0,
                ..Config::default()
            })
            .is_err()
    );
    // The layer's pin would end up inside of the content.
    assert!(
        store
            .configure(Config {
                unload_radius: 350.0,
                ..Config::default()
            })
            .is_err()
    );
    assert!(
        store
            .configure(Config {
                proxy_radius: 500.0,
                proxy_unload_radius: 500.0,
                ..Config::default()
            })
            .is_err()
    );
    assert_eq!((*store.config(), *store.layer("hills").unwrap()), before);
    // The layer that a refusal was aimed at can still be switched off.
    store.disable_layer("hills").unwrap();
    assert!(!store.layer("hills").unwrap().enabled);
    assert!(matches!(
        store.disable_layer("unknown"),
        Err(Error::UnknownLayer { .. })
    ));
}

#[test]
fn zero_hands_a_pin_back_to_the_derivation() {
    let mut store = World::new(Config {
        proxy_radius: 400.0,
        ..Config::default()
    })
    .unwrap();
    let follows = 180.0 * PROXY_FOLLOWS;
    // A layer and a source that say 0 follow, though the configuration pins.
    let zero = Radii {
        proxy: Some(0.0),
        ..Radii::default()
    };
    assert_eq!(reach(&store, "any", zero)[2..], [follows, follows * PROXY_BAND]);
    store
        .set_layer(
            "hills",
            Layer {
                radii: zero,
                ..Layer::default()
            },
        )
        .unwrap();
    assert_eq!(reach(&store, "hills", Radii::default())[2], follows);
    assert_eq!(reach(&store, "any", Radii::default())[2], 400.0);
    store
        .configure(Config {
            proxy_radius: 0.0,
            ..*store.config()
        })
        .unwrap();
    assert_eq!(
        reach(&store, "any", Radii::default())[2..],
        [follows, follows * PROXY_BAND]
    );
}

#[test]
fn radii_that_are_no_number_are_refused_at_every_scope() {
    let mut store = World::new(Config::default()).unwrap();
    for bad in [f32::NAN, f32::INFINITY, -5.0] {
        type Pick = fn(&mut Radii) -> &mut Option<f32>;
        let picks: [Pick; 4] = [
            |r| &mut r.load,
            |r| &mut r.unload,
            |r| &mut r.proxy,
            |r| &mut r.proxy_unload,
        ];
        for pick in picks {
            let mut radii = Radii::default();
            *pick(&mut radii) = Some(bad);
            assert!(store.reach("any", &radii).is_err());
            assert!(
                store
                    .set_layer(
                        "hills",
                        Layer {
                            radii,
                            ..Layer::default()
                        }
                    )
                    .is_err()
            );
        }
        assert!(
            store
                .configure(Config {
                    load_radius: bad,
                    ..Config::default()
                })
                .is_err()
        );
        assert!(
            store
                .configure(Config {
                    unload_radius: bad,
                    ..Config::default()
                })
                .is_err()
        );
        assert!(
            store
                .configure(Config {
                    proxy_radius: bad,
                    ..Config::default()
                })
                .is_err()
        );
        assert!(
            store
                .configure(Config {
                    proxy_unload_radius: bad,
                    ..Config::default()
                })
                .is_err()
        );
    }
    assert_eq!(*store.config(), Config::default());
}
