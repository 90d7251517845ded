//! Graphs from documents, and what a document is refused for.

use crate::common::{bits, cpu, play, still, whole};
use zero_procgen::nodes::{geometry, points};
use zero_procgen::{Class, Document, Error, Graph, Registry, inputs, vec3};

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

/// A document of constructs: a wave over a grid, or a disc that knows its heat, as a number says.
const CHOSEN: &str = r#"{
  "version": 1, "name": "chosen",
  "inputs": { "kind": { "type": "Int", "default": 0 }, "height": { "type": "Float", "default": 2.0 } },
  "nodes": {
    "grid": { "node": "points.grid", "inputs": { "countX": 5, "countZ": 3 } },
    "place": { "node": "construct.element", "inputs": { "class": "point", "name": "P", "type": "Vec3" } },
    "id": { "node": "construct.element", "inputs": { "name": "id" } },
    "turn": { "node": "math.mul", "inputs": { "a": { "node": "id" }, "b": 0.5 } },
    "sine": { "node": "math.sin", "inputs": { "a": { "node": "turn" } } },
    "rise": { "node": "math.mul", "inputs": { "a": { "node": "sine" }, "b": { "input": "height" } } },
    "up": { "node": "math.vec3", "inputs": { "a": 0.0, "b": { "node": "rise" }, "c": 0.0 } },
    "raised": { "node": "math.add", "inputs": { "a": { "node": "place" }, "b": { "node": "up" } } },
    "wave": { "node": "construct.column_set", "inputs":
      { "geometry": { "node": "grid" }, "class": "point", "name": "P", "value": { "node": "raised" } } },
    "disc": { "node": "points.disc", "inputs": { "count": 4 } },
    "warm": { "node": "construct.column_set", "inputs":
      { "geometry": { "node": "disc" }, "class": "point", "name": "heat", "value": 3.5 } },
    "taken": { "node": "construct.pick", "inputs":
      { "choice": { "input": "kind" }, "alternatives": [{ "node": "wave" }, { "node": "warm" }] } },
    "named": { "node": "construct.pick", "inputs":
      { "choice": "warm", "alternatives": { "wave": { "node": "wave" }, "warm": { "node": "warm" } } } },
    "has": { "node": "construct.has", "inputs": { "geometry": { "node": "taken" }, "class": "point", "name": "heat" } },
    "number": { "node": "construct.where", "inputs": { "cond": { "node": "has" }, "a": 1.0, "b": 0.0 } },
    "tall": { "node": "construct.compare", "inputs": { "a": { "input": "height" }, "op": "ge", "b": 0.0 } },
    "checked": { "node": "construct.check", "inputs": { "cond": { "node": "tall" }, "message": "the height is negative" } },
    "both": { "node": "construct.list", "inputs": { "items": [{ "node": "warm" }, { "node": "wave" }] } },
    "second": { "node": "construct.item", "inputs": { "list": { "node": "both" }, "index": 1, "type": "Geometry" } },
    "merged": { "node": "construct.list_merge", "inputs": { "list": { "node": "both" } } }
  },
  "outputs": { "taken": { "node": "taken" }, "named": { "node": "named" }, "number": { "node": "number" },
    "second": { "node": "second" }, "merged": { "node": "merged" } }
}"#;

#[test]
fn a_document_carries_the_constructs() {
    let document = Document::from_json_file("chosen.json", CHOSEN).unwrap();
    let read_back = Document::from_json(&document.to_json().unwrap()).unwrap();
    assert_eq!((&read_back, read_back.hash()), (&document, document.hash()));
    let graph = document.define(&Registry::standard()).unwrap();
    assert_eq!(
        graph.hash().unwrap(),
        read_back.define(&Registry::standard()).unwrap().hash().unwrap()
    );
    let device = cpu();
    let rust = Graph::define("chosen", |g| {
        let grid = g.add(points::Grid::new().count_x(5).count_z(3));
        let rise = (g.element().id() * 0.5).sin() * g.float("height", 2.0);
        let wave = grid.point().set("P", g.position() + vec3(0.0, rise, 0.0));
        let warm = g
            .add(points::Disc::new().count(4))
            .point()
            .set("heat", zero_procgen::Float::from(3.5));
        g.output("taken", g.pick(g.int("kind", 0), [wave, warm]));
    })
    .unwrap();
    for (kind, height) in [(0, 2.0f32), (1, 2.0), (0, 4.0)] {
        let given = inputs! { kind: kind, height: height };
        let mut of_document = play(&device, &graph, given.clone(), true);
        let frame = whole(&mut of_document, &device, still());
        let mut of_rust = play(&device, &rust, given, true);
        let expected = whole(&mut of_rust, &device, still());
        let bits_of = |frame: &zero_procgen::Frame, name: &str| bits(frame.geometry(name).unwrap());
        assert_eq!(bits_of(&frame, "taken"), bits_of(&expected, "taken"));
        assert_eq!(frame.number("number").unwrap(), [kind as f32]);
        assert_eq!(bits_of(&frame, "named").len(), 4 * 4, "a place and a heat each");
        let merged = frame
            .geometry("merged")
            .unwrap()
            .count(zero_procgen::Class::Point)
            .capacity();
        assert_eq!(merged, 19);
        if kind == 0 {
            assert_eq!(bits_of(&frame, "second"), bits_of(&frame, "taken"));
        }
    }
    let mut refused = play(&device, &graph, inputs! { height: -1.0 }, true);
    let said = refused
        .present(still(), &zero_compute::Exec::default())
        .unwrap_err()
        .to_string();
    assert_eq!(said, "chosen.json:25: the height is negative");
}

#[test]
fn a_construct_is_refused_by_name_and_line() {
    let check = |from: &str, to: &str, expected: &str| {
        assert!(CHOSEN.contains(from), "{from}");
        let document = Document::from_json_file("chosen.json", &CHOSEN.replace(from, to)).unwrap();
        let said = document
            .define(&Registry::standard())
            .map(drop)
            .unwrap_err()
            .to_string();
        assert!(said.contains(expected), "{from} -> {to}: {said}");
    };
    check(
        "math.sin",
        "math.sinus",
        "chosen.json:9: g.math.sinus failed: no node named 'math.sinus'; the nearest are math.sin",
    );
    check(
        "\"ge\"",
        "\"over\"",
        "g.construct.compare failed: op: expected one of eq, neq, lt, le, gt, ge, got over",
    );
    check(
        "\"choice\": \"warm\"",
        "\"choice\": \"worm\"",
        "g.construct.pick failed: no alternative named 'worm'; the nearest are warm",
    );
    check(
        "[{ \"node\": \"wave\" }, { \"node\": \"warm\" }]",
        "[{ \"node\": \"wave\" }, { \"node\": \"rise\" }]",
        "alternatives: expected values of type Geometry, got a Float",
    );
    check(
        "\"class\": \"point\", \"name\": \"heat\", \"value\"",
        "\"class\": \"pint\", \"name\": \"heat\", \"value\"",
        "no class named 'pint'; the nearest are point",
    );
    check(
        "{ \"node\": \"turn\" }",
        "{ \"node\": \"grid\" }",
        "chosen.json:9: g.math.sin failed: a: expected a number or a vector, got a Geometry",
    );
}

/// The choices are of the build: what is not chosen is in no plan.
#[test]
fn plain_inputs_of_a_document_choose_its_structure() {
    let text = r#"{
      "version": 1,
      "name": "stand",
      "inputs": {
        "count": { "type": "Int", "default": 5, "plain": true },
        "fill": { "type": "String", "default": "sunflower", "options": ["random", "sunflower"] },
        "kind": { "type": "String", "default": "spots" },
        "lift": { "type": "Float", "default": 0.5, "plain": true },
        "solid": { "type": "Bool", "default": false }
      },
      "nodes": {
        "solid": { "node": "mesh.box" },
        "spots": {
          "node": "points.disc",
          "inputs": { "count": { "input": "count" }, "fill": { "input": "fill" } }
        },
        "taken": {
          "node": "construct.pick",
          "inputs": { "choice": { "input": "solid" }, "alternatives": [{ "node": "spots" }, { "node": "solid" }] }
        },
        "named": {
          "node": "construct.pick",
          "inputs": { "choice": { "input": "kind" }, "alternatives": { "spots": { "node": "spots" }, "taken": { "node": "taken" } } }
        }
      },
      "outputs": { "taken": { "node": "taken" }, "named": { "node": "named" }, "lift": { "input": "lift" } }
    }"#;
    let document = Document::from_json(text).unwrap();
    let written = document.to_json().unwrap();
    assert_eq!(Document::from_json(&written).unwrap(), document);
    assert_eq!(Document::from_json(&written).unwrap().hash(), document.hash());
    // A number that moves says nothing of being plain.
    assert!(!Document::from_json(RING).unwrap().to_json().unwrap().contains("plain"));
    let graph = document.define(&Registry::standard()).unwrap();
    let device = cpu();
    let mut stand = play(&device, &graph, inputs! {}, true);
    let names = |stand: &zero_procgen::Play| -> Vec<String> { stand.plan().nodes().map(|node| node.name).collect() };
    let points =
        |frame: &zero_procgen::Frame, name: &str| frame.geometry(name).unwrap().download().unwrap().count(Class::Point);
    let frame = whole(&mut stand, &device, still());
    assert_eq!((points(&frame, "taken"), points(&frame, "named")), (5, 5));
    assert_eq!(frame.number("lift").unwrap(), [0.5]);
    assert!(!names(&stand).contains(&"mesh.box".to_owned()), "{:?}", names(&stand));
    let sunflower = bits(frame.geometry("taken").unwrap());
    stand.set_inputs(inputs! { fill: "random" }).unwrap();
    let frame = whole(&mut stand, &device, still());
    assert_ne!(bits(frame.geometry("taken").unwrap()), sunflower);
    stand.set_inputs(inputs! { solid: true, count: 7, lift: 2.0 }).unwrap();
    let frame = whole(&mut stand, &device, still());
    assert_eq!((points(&frame, "taken"), points(&frame, "named")), (24, 7));
    assert_eq!(frame.number("lift").unwrap(), [2.0]);
    stand.set_inputs(inputs! { kind: "taken" }).unwrap();
    let frame = whole(&mut stand, &device, still());
    assert_eq!(points(&frame, "named"), 24);
    assert!(
        !names(&stand).contains(&"points.disc".to_owned()),
        "{:?}",
        names(&stand)
    );
    // What an input does not take is refused, and what stood stands.
    for (given, expected) in [
        (
            inputs! { fill: "spiral" },
            "stand:6: g.input failed: 'fill': expected one of random, sunflower, got spiral",
        ),
        (
            inputs! { kind: "spot" },
            "g.construct.pick failed: no alternative named 'spot'; the nearest are spots",
        ),
        (inputs! { count: 1.5 }, "plain input 'count': expected a Int, got"),
    ] {
        let said = stand.set_inputs(given).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
        assert!(said.matches("failed").count() <= 1, "{said}");
    }
    assert_eq!(points(&whole(&mut stand, &device, still()), "named"), 24);
}
