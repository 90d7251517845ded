//! Each kind of error: where it says it is, of which node, and what it says. A graph of Rust and a document say it alike.

use crate::common::{cpu, play, still};
use zero_compute::Exec;
use zero_procgen::nodes::{field, geometry, mesh, points};
use zero_procgen::{Document, Error, Float, Graph, GraphDef, Play, Registry, Store, inputs, vec3};

/// What a document is refused for: as a file of this name, whose nodes are these, one a line from line 3 on.
fn document(nodes: &str) -> Result<GraphDef, Error> {
    let text = format!(
        "{{ \"version\": 1, \"name\": \"scatter\", \"inputs\": {{ \"count\": {{ \"type\": \"Int\", \"default\": 4 }} }},\n\
         \"nodes\": {{\n{nodes}\n}},\n\"outputs\": {{ \"out\": {{ \"node\": \"a\" }} }} }}"
    );
    let document = Document::from_json_file("graphs/scatter.json", &text)?;
    assert_eq!(
        document,
        Document::from_json(&document.to_json()?)?,
        "where it stands is no part of it"
    );
    document.define(&Registry::standard())
}

fn refused(nodes: &str) -> String {
    document(nodes).map(drop).unwrap_err().to_string()
}

fn presented(graph: &GraphDef, given: zero_procgen::Inputs) -> String {
    let mut play = play(&cpu(), graph, given, true);
    play.present(still(), &Exec::default()).unwrap_err().to_string()
}

#[test]
fn a_number_out_of_range() {
    let said = refused(r#""a": { "node": "points.disc", "inputs": { "radius": -2 } }"#);
    assert!(
        said.ends_with("\n  graphs/scatter.json:3: g.points.disc failed: radius is -2, expected 0 or more"),
        "{said}"
    );
    let line = line!() + 1;
    let rust = Graph::define("scatter", |g| g.output("out", g.add(points::Disc::new().radius(-2.0))));
    let said = rust.unwrap_err().to_string();
    let expected = format!(
        "{}:{line}: g.points.disc failed: radius is -2, expected 0 or more",
        file!()
    );
    assert!(said.ends_with(&expected), "{said}");
}

#[test]
fn an_unknown_node_and_an_ambiguous_name() {
    let said = refused("\"b\": { \"node\": \"mesh.box\" },\n\"a\": { \"node\": \"points.dusc\" }");
    assert!(
        said.contains(
            "graphs/scatter.json:4: g.points.dusc failed: no node named 'points.dusc'; the nearest are points.disc"
        ),
        "{said}"
    );
    // A name without its family is enough where one node alone has it.
    assert!(document(r#""a": { "node": "disc" }"#).is_ok());
    let said = refused(r#""a": { "node": "grid" }"#);
    assert!(
        said.ends_with("graphs/scatter.json:3: g.grid failed: several nodes are named 'grid': mesh.grid, points.grid"),
        "{said}"
    );
}

#[test]
fn a_wrong_type() {
    let said = refused(
        "\"b\": { \"node\": \"mesh.box\" },\n\"a\": { \"node\": \"points.disc\", \"inputs\": { \"radius\": { \"node\": \"b\" } } }",
    );
    assert!(
        said.ends_with("graphs/scatter.json:4: g.points.disc failed: radius: expected a Float, got a Geometry"),
        "{said}"
    );
    let said = refused(r#""a": { "node": "points.disc", "inputs": { "radus": 2 } }"#);
    assert!(
        said.ends_with("graphs/scatter.json:3: g.points.disc failed: no input named 'radus'; the nearest are radius"),
        "{said}"
    );
}

#[test]
fn a_missing_column_names_those_there_are() {
    let line = line!() + 4;
    let graph = Graph::define("warm", |g| {
        let heat: Float<'_> = g.element().point("heat");
        let moved = geometry::SetPosition::new(g.add(mesh::Box::new()), vec3(0.0, heat, 0.0));
        g.output("out", g.add(moved));
    })
    .unwrap();
    let expected = format!(
        "{}:{line}: g.geometry.set_position failed: no column named 'point.heat'; there are N, P",
        file!()
    );
    assert_eq!(presented(&graph, inputs! {}), expected);
    // The same of a document, at the line of its node.
    let nodes = "\"a\": { \"node\": \"geometry.recalculate_normals\",\n\"inputs\": { \"geometry\": { \"node\": \"b\" } } },\n\"b\": { \"node\": \"points.grid\" }";
    assert_eq!(
        presented(&document(nodes).unwrap(), inputs! {}),
        "graphs/scatter.json:3: g.geometry.recalculate_normals failed: no column named 'vertex.pt'; there is none"
    );
}

#[test]
fn a_cycle_names_its_nodes() {
    let merge = |name: &str, of: &str| {
        format!(r#""{name}": {{ "node": "geometry.merge", "inputs": {{ "geometries": [{{ "node": "{of}" }}] }} }}"#)
    };
    let nodes = [merge("a", "c"), merge("b", "a"), merge("c", "b")].join(",\n");
    let said = refused(&nodes);
    let (place, circle) = said.split_once(": the graph is cyclic: ").unwrap();
    let first = circle.split(" -> ").next().unwrap();
    let line = 3 + ["a", "b", "c"].iter().position(|name| *name == first).unwrap();
    assert_eq!(place, format!("graphs/scatter.json:{line}"));
    for link in ["a -> b", "b -> c", "c -> a"] {
        // The circle may begin at any of them.
        let twice = format!("{circle}{}", circle.trim_start_matches(first));
        assert!(twice.contains(link), "{circle}");
    }
}

#[test]
fn a_refused_plain_value() {
    let line = line!() + 2;
    let graph = Graph::define("storeys", |g| {
        let storeys: i32 = g.plain("storeys", 2);
        g.output("out", g.add(points::Disc::new().count(storeys)));
    })
    .unwrap();
    let store = Store::new(&cpu(), Default::default());
    let said = Play::new(&store, &graph, inputs! { storeys: "many" })
        .unwrap_err()
        .to_string();
    let expected = format!(
        "{}:{line}: g.input failed: plain input 'storeys': expected a Int, got the text \"many\"",
        file!()
    );
    assert!(said.ends_with(&expected), "{said}");
    let said = refused(r#""a": { "node": "field.noise", "inputs": { "position": [0, 0, 0], "seed": 1.5 } }"#);
    assert!(
        said.ends_with("graphs/scatter.json:3: g.field.noise failed: seed: expected a Int, got the Float 1.5"),
        "{said}"
    );
    // What the build alone reads is no socket.
    let said =
        refused(r#""a": { "node": "field.noise", "inputs": { "position": [0, 0, 0], "seed": { "input": "count" } } }"#);
    assert!(said.ends_with("seed: expected a plain Int, got a Int"), "{said}");
}

#[test]
fn a_device_limit_is_told_with_both_numbers() {
    let nodes = r#""a": { "node": "points.disc", "inputs": { "count": { "input": "count" } } }"#;
    let said = presented(&document(nodes).unwrap(), inputs! { count: 40_000_000 });
    assert_eq!(
        said,
        "graphs/scatter.json:3: g.points.disc failed: points: expected at most 33554432 elements, got 40000000"
    );
}

#[test]
fn a_check_and_a_failure_in_a_composition_name_the_line_that_can_be_edited() {
    let line = line!() + 2;
    let graph = Graph::define("checked", |g| {
        g.check(g.float("size", 1.0).gt(0.0), "the size is not above 0");
        let noise = g.add(field::Noise::new(g.position()));
        g.output("out", g.add(points::Disc::new()).point().set("noise", noise));
    })
    .unwrap();
    let said = presented(&graph, inputs! { size: 0.0 });
    assert_eq!(said, format!("{}:{line}: the size is not above 0", file!()));
}
