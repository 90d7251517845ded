//! Graphs from documents, and what a document is refused for.

use crate::common::{bits, cpu, play, still, whole};
use zero_procgen::nodes::{geometry, points};
use zero_procgen::{Document, Error, Graph, Registry, inputs, vec3};

const RING: &str = r#"{
  "version": 1,
  "name": "ring",
  "inputs": { "radius": { "type": "Float", "default": 3.0 } },
  "nodes": {
    "lifted": {
      "node": "geometry.transform",
      "inputs": { "geometry": { "node": "spots" }, "translate": [0.0, 2.0, 0.0], "yawDeg": 30 }
    },
    "spots": {
      "node": "points.disc",
      "inputs": { "count": 12, "radius": { "input": "radius" }, "fill": "sunflower" }
    }
  },
  "outputs": { "spots": { "node": "lifted" } }
}"#;

fn refused(change: impl Fn(&str) -> String) -> Error {
    let text = change(RING);
    match Document::from_json(&text) {
        Err(error) => error,
        Ok(document) => document.define(&Registry::standard()).map(drop).unwrap_err(),
    }
}

#[test]
fn a_document_is_the_graph_it_describes() {
    let document = Document::from_json(RING).unwrap();
    let read_back = Document::from_json(&document.to_json().unwrap()).unwrap();
    assert_eq!(document, read_back);
    let device = cpu();
    let from_document = document.define(&Registry::standard()).unwrap();
    let from_rust = Graph::define("ring", |g| {
        let spots = g.add(points::Disc::new().count(12).radius(g.float("radius", 3.0)));
        let lifted = g.add(
            geometry::Transform::new(spots)
                .translate(vec3(0.0, 2.0, 0.0))
                .yaw_deg(30.0),
        );
        g.output("spots", lifted);
    })
    .unwrap();
    for radius in [3.0, 5.0] {
        let shown = |graph| {
            let frame = whole(
                &mut play(&device, graph, inputs! { radius: radius }, true),
                &device,
                still(),
            );
            bits(frame.geometry("spots").unwrap())
        };
        assert_eq!(shown(&from_document), shown(&from_rust));
    }
}

#[test]
fn a_document_is_refused_by_name() {
    let check = |from: &str, to: &str, expected: &str| {
        assert!(RING.contains(from), "{from}");
        let said = refused(|text| text.replace(from, to)).to_string();
        assert!(said.contains(expected), "{from} -> {to}: {said}");
    };
    check(
        "\"points.disc\"",
        "\"points.disk\"",
        "ring:10: g.points.disk failed: no node named 'points.disk'; the nearest are points.disc",
    );
    check(
        "\"count\": 12",
        "\"coutn\": 12",
        "no input named 'coutn'; the nearest are count",
    );
    check(
        "\"count\": 12",
        "\"count\": true",
        "ring:10: g.points.disc failed: count: expected a Int, got the Bool true",
    );
    check(
        "\"count\": 12",
        "\"count\": -1",
        "ring:10: g.points.disc failed: count is -1, expected 0 or more",
    );
    check(
        "\"sunflower\"",
        "\"spiral\"",
        "fill: expected one of sunflower, random, got \"spiral\"",
    );
    check(
        "{ \"input\": \"radius\" }",
        "{ \"input\": \"radios\" }",
        "no input named 'radios'; the nearest are radius",
    );
    check(
        "{ \"node\": \"spots\" }",
        "{ \"node\": \"sports\" }",
        "ring:6: g.geometry.transform failed: no node named 'sports'; the nearest are spots",
    );
    check(
        "{ \"node\": \"spots\" }",
        "{ \"node\": \"spots\", \"output\": 3 }",
        "expected an output below 1, got 3",
    );
    check("\"version\": 1", "\"version\": 9", "expected version 1, got 9");
    check("\"name\": \"ring\",", "", "missing field `name`");
    check(
        "{ \"node\": \"spots\" }",
        "{ \"node\": \"lifted\" }",
        "ring:6: the graph is cyclic: lifted -> lifted",
    );
}

#[test]
fn a_circle_is_named_node_by_node() {
    let text = r#"{ "version": 1, "name": "circle", "outputs": {}, "nodes": {
        "a": { "node": "geometry.merge", "inputs": { "geometries": [{ "node": "c" }] } },
        "b": { "node": "geometry.merge", "inputs": { "geometries": [{ "node": "a" }] } },
        "c": { "node": "geometry.merge", "inputs": { "geometries": [{ "node": "b" }] } } } }"#;
    let error = Document::from_json(text)
        .unwrap()
        .define(&Registry::standard())
        .map(drop)
        .unwrap_err();
    let Error::Cycle { nodes, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(nodes.len(), 4);
    assert_eq!(nodes.first(), nodes.last());
}

#[test]
fn every_standard_node_describes_itself() {
    let registry = Registry::standard();
    for schema in registry.schemas() {
        assert!(
            !schema.description.is_empty() && schema.id.contains('.'),
            "{}",
            schema.id
        );
        for input in schema.inputs {
            assert!(!input.description.is_empty(), "{}.{}", schema.id, input.name);
        }
    }
    assert!(registry.schemas().count() >= 12);
}
