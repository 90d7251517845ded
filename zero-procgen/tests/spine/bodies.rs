//! Bodies that run more than once, in documents.

use crate::common::{bits, devices, floats, play, still, whole};
use zero_procgen::nodes::{geometry, mesh, points};
use zero_procgen::{Clock, Document, Float, Frame, Geo, Graph, Next, Registry, State, Step, Timeline, inputs, vec3};

/// Passes that build on each other, passes over a list that carry something, and passes that follow time.
const PASSES: &str = r#"{
  "version": 1, "name": "passes",
  "inputs": { "turn": { "type": "Float", "default": 10.0 }, "storeys": { "type": "Int", "default": 3 } },
  "timeline": { "fps": 10.0, "frames": 20, "loop": true },
  "nodes": {
    "slab": { "node": "mesh.box" },
    "tower": { "node": "construct.fold",
      "inputs": { "count": { "input": "storeys" }, "init": { "height": { "node": "zero" }, "stack": { "node": "slab" } } },
      "body": {
        "nodes": {
          "higher": { "node": "math.add", "inputs": { "a": { "body": "tower", "value": "height" }, "b": 1.5 } },
          "up": { "node": "math.vec3", "inputs": { "a": 0.0, "b": { "node": "higher" }, "c": 0.0 } },
          "yaw": { "node": "math.mul", "inputs": { "a": { "input": "turn" }, "b": { "body": "tower", "value": "index" } } },
          "floor": { "node": "geometry.transform", "inputs":
            { "geometry": { "node": "slab" }, "translate": { "node": "up" }, "yawDeg": { "node": "yaw" } } },
          "both": { "node": "geometry.merge", "inputs":
            { "geometries": [{ "body": "tower", "value": "stack" }, { "node": "floor" }] } }
        },
        "results": { "height": { "node": "higher" }, "stack": { "node": "both" } }
      },
      "stop": {
        "nodes": {
          "tall": { "node": "construct.compare", "inputs": { "a": { "body": "tower", "value": "after.height" }, "op": "ge", "b": 6.0 } }
        },
        "results": { "stop": { "node": "tall" } }
      }
    },
    "zero": { "node": "math.mul", "inputs": { "a": { "input": "turn" }, "b": 0.0 } },
    "wide": { "node": "points.disc", "inputs": { "count": 4, "radius": 2.0 } },
    "narrow": { "node": "points.disc", "inputs": { "count": 3, "radius": 0.5 } },
    "discs": { "node": "construct.list", "inputs": { "items": [{ "node": "wide" }, { "node": "narrow" }] } },
    "row": { "node": "construct.for",
      "inputs": { "list": { "node": "discs" }, "type": "Geometry", "carry": { "x": { "node": "zero" } } },
      "body": {
        "nodes": {
          "along": { "node": "math.vec3", "inputs": { "a": { "body": "row", "value": "x" }, "b": 0.0, "c": 0.0 } },
          "moved": { "node": "geometry.transform", "inputs":
            { "geometry": { "body": "row", "value": "item" }, "translate": { "node": "along" } } },
          "posts": { "node": "construct.for", "inputs": { "count": 2 },
            "body": {
              "nodes": {
                "away": { "node": "math.vec3", "inputs":
                  { "a": { "body": "posts", "value": "index" }, "b": 0.0, "c": { "body": "row", "value": "x" } } },
                "post": { "node": "geometry.transform", "inputs": { "geometry": { "node": "moved" }, "translate": { "node": "away" } } }
              },
              "results": { "item": { "node": "post" } }
            } },
          "all": { "node": "construct.list_merge", "inputs": { "list": { "node": "posts" } } },
          "next": { "node": "math.add", "inputs": { "a": { "body": "row", "value": "x" }, "b": 5.0 } }
        },
        "results": { "item": { "node": "all" }, "x": { "node": "next" } }
      }
    },
    "merged": { "node": "construct.list_merge", "inputs": { "list": { "node": "row", "output": "list" } } },
    "time": { "node": "construct.clock", "inputs": { "field": "time" } },
    "swing": { "node": "math.sin", "inputs": { "a": { "node": "time" } } },
    "rain": { "node": "construct.step", "inputs": { "dt": 0.1, "substeps": 2, "count": 4 },
      "state": { "P": "Vec3", "seen": "Float" },
      "body": {
        "nodes": {
          "fall": { "node": "math.mul", "inputs": { "a": { "body": "rain", "value": "dt" }, "b": -2.0 } },
          "aside": { "node": "construct.step_sample", "inputs": { "step": "rain", "value": { "node": "swing" } } },
          "by": { "node": "math.vec3", "inputs": { "a": { "node": "aside" }, "b": { "node": "fall" }, "c": 0.0 } },
          "on": { "node": "math.add", "inputs": { "a": { "body": "rain", "value": "state.P" }, "b": { "node": "by" } } },
          "share": { "node": "construct.step_between", "inputs": { "step": "rain", "index": { "body": "rain", "value": "index" } } }
        },
        "results": { "P": { "node": "on" }, "seen": { "node": "share" } }
      }
    }
  },
  "outputs": { "tower": { "node": "tower", "output": "stack" }, "height": { "node": "tower" }, "row": { "node": "merged" },
    "x": { "node": "row", "output": "x" }, "rain": { "node": "rain" } }
}"#;

/// The same in Rust.
fn passes(g: &Graph) {
    g.timeline(Timeline::new(10.0).frames(20).looping());
    let turn = g.float("turn", 10.0);
    let (slab, zero) = (g.add(mesh::Box::new()), turn * 0.0);
    let tower = g.fold_until(
        g.int("storeys", 3),
        (zero, slab),
        |_, (height, _): (Float<'_>, Geo<'_>)| height.ge(6.0),
        |index, (height, stack)| {
            let higher = height + 1.5;
            let floor = g.add(
                geometry::Transform::new(slab)
                    .translate(vec3(0.0, higher, 0.0))
                    .yaw_deg(turn * index),
            );
            (higher, g.add(geometry::Merge::new([stack, floor])))
        },
    );
    let wide = g.add(points::Disc::new().count(4).radius(2.0));
    let narrow = g.add(points::Disc::new().count(3).radius(0.5));
    let (row, x) = g.list([wide, narrow]).each_carrying(zero, |item, _, x: Float<'_>| {
        let moved = g.add(geometry::Transform::new(item).translate(vec3(x, 0.0, 0.0)));
        let posts = g.times(2, |index| {
            g.add(geometry::Transform::new(moved).translate(vec3(index.to_float(), 0.0, x)))
        });
        (posts.merge(), x + 5.0)
    });
    let swing = g.clock().time().sin();
    let state = State::new(4).vec3("P").float("seen");
    let rain = g.step("rain", Step::every(0.1).substeps(2), state, |now, step| {
        let by = vec3(step.sample(swing), step.dt() * -2.0, 0.0);
        Next::new()
            .set("P", now.vec3("P") + by)
            .set("seen", step.between(step.index()))
    });
    g.output("tower", tower.1);
    g.output("height", tower.0);
    g.output("row", row.merge());
    g.output("x", x);
    g.output("rain", rain.points());
}

fn shown(frame: &Frame) -> Vec<Vec<u32>> {
    let geometries = ["tower", "row", "rain"]
        .iter()
        .map(|name| bits(frame.geometry(name).unwrap()));
    let numbers = ["height", "x"].iter().map(|name| {
        let number = frame.number(name).unwrap();
        number.iter().map(|lane| lane.to_bits()).collect()
    });
    geometries.chain(numbers).collect()
}

#[test]
fn a_document_carries_the_bodies_of_folds_lists_and_steps() {
    let document = Document::from_json_file("passes.json", PASSES)
        .unwrap()
        .define(&Registry::standard())
        .unwrap();
    let rust = Graph::define("passes", passes).unwrap();
    assert_eq!(document.timeline(), rust.timeline());
    for device in devices() {
        let mut of_document = play(&device, &document, inputs! {}, true);
        let mut of_rust = play(&device, &rust, inputs! {}, true);
        for (turn, storeys, at) in [(10.0f32, 3, 0.0), (25.0, 3, 0.35), (30.0, 9, 0.4), (30.0, 0, 0.2)] {
            let given = inputs! { turn: turn, storeys: storeys };
            of_document.set_inputs(given.clone()).unwrap();
            of_rust.set_inputs(given).unwrap();
            let clock = Clock::at(at, 10.0);
            let (frame, expected) = (
                whole(&mut of_document, &device, clock),
                whole(&mut of_rust, &device, clock),
            );
            assert_eq!(
                shown(&frame),
                shown(&expected),
                "turn {turn}, {storeys} storeys, at {at}"
            );
            // The stop ends a high tower at its fourth storey.
            assert_eq!(frame.number("height").unwrap(), [storeys.min(4) as f32 * 1.5]);
            assert_eq!(frame.number("x").unwrap(), [10.0]);
            assert_eq!(floats(frame.geometry("row").unwrap(), "P").len() / 3, 14);
        }
        // The bodies of a document are recorded as those of Rust are.
        let recorded = |play: &zero_procgen::Play| {
            let step = &play.report().steps[0];
            (step.recorded, step.planned_dispatches, step.reason.clone())
        };
        assert_eq!(recorded(&of_document), recorded(&of_rust));
    }
}

#[test]
fn a_document_with_bodies_reads_back_equal() {
    let document = Document::from_json(PASSES).unwrap();
    let graph = document.define(&Registry::standard()).unwrap();
    let json = document.to_json().unwrap();
    let of_json = Document::from_json(&json).unwrap();
    assert_eq!((&of_json, of_json.hash()), (&document, document.hash()));
    let again = of_json.define(&Registry::standard()).unwrap();
    assert_eq!(again.hash().unwrap(), graph.hash().unwrap());
    assert_eq!(of_json.to_json().unwrap(), json);
    // What a body says is part of what the document and the graph say.
    let other = Document::from_json(&PASSES.replace("\"b\": 1.5", "\"b\": 1.25")).unwrap();
    assert_ne!(other.hash(), document.hash());
    let other = other.define(&Registry::standard()).unwrap();
    assert_ne!(other.hash().unwrap(), graph.hash().unwrap());
}

#[test]
fn what_a_body_is_refused_for_names_the_line_within_it() {
    let check = |from: &str, to: &str, expected: &str| {
        assert!(PASSES.contains(from), "{from}");
        let changed = PASSES.replacen(from, to, 1);
        let refused = Document::from_json_file("passes.json", &changed)
            .and_then(|document| document.define(&Registry::standard()));
        let said = refused.map(drop).unwrap_err().to_string();
        assert!(said.contains(expected), "{from} -> {to}: {said}");
    };
    let above = |part: &str| PASSES[..PASSES.find(part).unwrap()].matches('\n').count() + 1;
    let floor = above("\"floor\": {");
    check(
        "\"value\": \"height\" }, \"b\": 1.5",
        "\"value\": \"heigth\" }, \"b\": 1.5",
        &format!(
            "passes.json:{}: g.math.add failed: a: no value named 'heigth'; the nearest are height",
            above("\"higher\"")
        ),
    );
    check(
        "{ \"body\": \"tower\", \"value\": \"stack\" }",
        "{ \"body\": \"towre\", \"value\": \"stack\" }",
        "no body named 'towre'",
    );
    check(
        "{ \"geometry\": { \"node\": \"slab\" }",
        "{ \"geometry\": { \"node\": \"slob\" }",
        &format!("passes.json:{floor}: g.geometry.transform failed: no node named 'slob'; the nearest are slab"),
    );
    check(
        "\"translate\": { \"node\": \"up\" }",
        "\"translate\": { \"node\": \"both\" }",
        &format!("passes.json:{floor}: the graph is cyclic: floor -> both -> floor"),
    );
    check(
        "\"results\": { \"height\": { \"node\": \"higher\" }, ",
        "\"results\": { ",
        "g.construct.fold failed: height: expected a value, got nothing",
    );
    check(
        "\"height\": { \"node\": \"higher\" }, \"stack\"",
        "\"height\": { \"node\": \"both\" }, \"stack\"",
        "results.height: expected a Float, got a Geometry",
    );
    check(
        "\"results\": { \"stop\"",
        "\"results\": { \"stopp\"",
        "no result named 'stopp'; the nearest are stop",
    );
    check(
        "\"results\": { \"P\": { \"node\": \"on\" }",
        "\"results\": { \"Q\": { \"node\": \"on\" }",
        "no result named 'Q'",
    );
    check("\"P\": \"Vec3\"", "\"P\": \"Vec9\"", "no type named 'Vec9'");
    check(
        "\"dt\": 0.1",
        "\"dt\": -0.1",
        "expected seconds above 0 a step, got -0.1",
    );
    check(
        "\"dt\": 0.1",
        "\"dt\": { \"input\": \"turn\" }",
        "dt: expected a number that the build knows",
    );
    check(
        "\"step\": \"rain\", \"value\"",
        "\"step\": \"rian\", \"value\"",
        "step: expected the node of a step in whose body this stands, got 'rian'",
    );
    check(
        "\"narrow\": { \"node\": \"points.disc\",",
        "\"narrow\": { \"node\": \"points.disc\", \"stop\": \"changed\",",
        "it takes no stop; only a construct with passes does",
    );
    check(
        "\"along\": {",
        "\"wide\": { \"node\": \"mesh.box\" }, \"along\": {",
        "'wide' is the name of a node around the body too",
    );
    check(
        "\"stop\": {\n        \"nodes\"",
        "\"stop\": {\n        \"knots\"",
        "did not match any variant",
    );
}

/// A name of what a pass begins with stands for the state of a fold of one value.
#[test]
fn a_fold_of_one_value_ends_where_nothing_changes() {
    let text = r#"{ "version": 1, "name": "halves",
      "nodes": {
        "low": { "node": "construct.fold", "inputs": { "count": 50, "init": 40 },
          "body": {
            "nodes": { "half": { "node": "math.div", "inputs": { "a": { "body": "low", "value": "value" }, "b": 2 } } },
            "results": { "value": { "node": "half" } }
          },
          "stop": "changed" }
      },
      "outputs": { "low": { "node": "low" } } }"#;
    let graph = Document::from_json(text)
        .unwrap()
        .define(&Registry::standard())
        .unwrap();
    for device in devices() {
        let mut halves = play(&device, &graph, inputs! {}, true);
        assert_eq!(whole(&mut halves, &device, still()).number("low").unwrap(), [0.0]);
        // 40, 20, 10, 5, 2, 1, 0 and 0 again.
        assert_eq!(halves.report().folds[0].passes, 7);
    }
    let other = text.replace("\"changed\"", "\"never\"");
    let said = Document::from_json(&other)
        .unwrap()
        .define(&Registry::standard())
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("stop: expected \"changed\" or a body, got never"),
        "{said}"
    );
}

/// Any format that describes itself carries a document, by serde alone.
#[test]
fn a_document_reads_back_equal_through_ron() {
    let document = Document::from_json(PASSES).unwrap();
    let text = ron::ser::to_string_pretty(&document, ron::ser::PrettyConfig::default()).unwrap();
    let of_ron: Document = ron::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((&of_ron, of_ron.hash()), (&document, document.hash()));
    let registry = Registry::standard();
    let (one, other) = (document.define(&registry).unwrap(), of_ron.define(&registry).unwrap());
    assert_eq!(one.hash().unwrap(), other.hash().unwrap());
    // What is written in it is read: another number is another document.
    let changed = text.replacen("1.5", "1.25", 1);
    assert_ne!(changed, text);
    let changed: Document = ron::from_str(&changed).unwrap();
    assert_ne!(changed.hash(), document.hash());
}
