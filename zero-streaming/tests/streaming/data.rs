//! The data types as serde sees them.

use crate::support::{Scene, WIDE, at, row, thing};
use zero_streaming::{Config, Filing, Layer, Radii, Record, Source};

/// The fields of a `StreamingSource`, under the names that a world's file has for them.
#[test]
fn a_configuration_reads_by_the_names_of_its_fields() {
    let read = |text: &str| serde_json::from_str::<Config>(text);
    let config = read(r#"{ "cellSize": 32, "loadRadius": 100, "unloadRadius": 150, "budget": 8 }"#).unwrap();
    let expected = Config {
        cell_size: 32.0,
        load_radius: 100.0,
        unload_radius: 150.0,
        budget: 8,
        ..Config::default()
    };
    assert_eq!(config, expected);
    assert_eq!(read("{}").unwrap(), Config::default());
    assert!(
        read(r#"{ "loadradius": 100 }"#)
            .unwrap_err()
            .to_string()
            .contains("unknown field `loadradius`")
    );
    let text = serde_json::to_string(&Config::default()).unwrap();
    assert_eq!(
        text,
        "{\"cellSize\":64.0,\"loadRadius\":120.0,\"unloadRadius\":180.0,\"proxyRadius\":0.0,\"proxyUnloadRadius\":0.0,\
         \"budget\":32}"
    );
}

#[test]
fn radii_that_are_left_out_are_not_those_that_are_zero() {
    let radii: Radii = serde_json::from_str(r#"{ "unloadRadius": 500, "proxyRadius": 0 }"#).unwrap();
    assert_eq!(
        radii,
        Radii {
            unload: Some(500.0),
            proxy: Some(0.0),
            ..Radii::default()
        }
    );
    let layer: Layer = serde_json::from_str(r#"{ "radii": { "loadRadius": 5 } }"#).unwrap();
    assert!(layer.enabled && layer.radii.load == Some(5.0));
    let source: Source = serde_json::from_str(r#"{ "position": [1, 2, 3] }"#).unwrap();
    assert_eq!(source.position.to_array(), [1.0, 2.0, 3.0]);
}

#[test]
fn records_and_reports_survive_json() {
    let records = row(1, 5.0, 3);
    let text = serde_json::to_string(&records).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Record>>(&text).unwrap(), records);
    let mut scene = Scene::new(WIDE);
    scene.store.add(&[thing(1, 5.0)], &Filing::default()).unwrap();
    scene.run(at(5.0).position.x);
    let text = serde_json::to_string(&(scene.store.stats(), scene.store.cells(), scene.store.proxies())).unwrap();
    assert!(text.contains("\"state\":\"resident\""), "{text}");
    assert_eq!(
        serde_json::from_str(&text).ok(),
        Some((scene.store.stats(), scene.store.cells(), scene.store.proxies()))
    );
}
