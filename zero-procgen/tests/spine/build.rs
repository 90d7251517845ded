//! What a build refuses, and where it says so.

use crate::common::{cpu, play, still};
use zero_compute::Exec;
use zero_procgen::nodes::{geometry, mesh, points};
use zero_procgen::{Error, Float, Geo, Graph, Play, Socket, Store, StoreOptions, inputs};

fn refusal(build: impl Fn(&Graph) + Send + Sync + 'static) -> String {
    Graph::define("refused", build).unwrap_err().to_string()
}

#[test]
fn every_refusal_of_a_build_comes_back_with_its_line() {
    let line = line!();
    let message = refusal(|g| {
        g.add(points::Disc::new().count(-3));
        g.output("nothing", g.add(mesh::Box::new().size([1.0, f32::NAN, 1.0])));
        g.output("disc", g.add(points::Disc::new()));
        g.output("disc", g.add(points::Disc::new()));
    });
    for (offset, expected) in [
        (2, "g.points.disc failed: count is -3, expected 0 or more"),
        (3, "g.mesh.box failed: size is NaN, expected 0 or more"),
        (5, "'disc' is declared twice"),
    ] {
        let place = format!("build.rs:{}: ", line + offset);
        let found = message
            .lines()
            .any(|said| said.contains(&place) && said.contains(expected));
        assert!(found, "no '{place}' with '{expected}' in:\n{message}");
    }
}

#[test]
fn a_value_of_a_body_stays_in_it() {
    let message = refusal(|g| {
        let mut leaked: Option<Float<'_>> = None;
        let start: Geo<'_> = g.add(mesh::Box::new());
        g.output(
            "folded",
            g.fold(3, start, |i, so_far| {
                leaked = Some(i.to_float());
                g.add(geometry::Transform::new(so_far).scale(i.to_float()))
            }),
        );
        g.output("leak", leaked.unwrap() + 1.0);
    });
    assert!(message.contains("read outside that body"), "{message}");
}

#[test]
fn inputs_are_held_to_what_they_declare() {
    let graph = Graph::define("inputs", |g| {
        let radius = g.float("radius", 1.0).range(0.5..=4.0);
        g.output("disc", g.add(points::Disc::new().radius(radius)));
    })
    .unwrap();
    let store = Store::new(&cpu(), StoreOptions::default());
    let refused = |inputs| Play::new(&store, &graph, inputs).unwrap_err().to_string();
    assert_eq!(
        refused(inputs! { radius: 9.0 }),
        "graph 'inputs', input 'radius': expected a number from 0.5 to 4, got the Float 9"
    );
    assert_eq!(
        refused(inputs! { radius: f32::NAN }),
        "graph 'inputs', input 'radius': expected finite numbers, got the Float NaN"
    );
    assert_eq!(
        refused(inputs! { radius: true }),
        "graph 'inputs', input 'radius': expected a Float, got the Bool true"
    );
    assert_eq!(
        refused(inputs! { radios: 1.0 }),
        "no input named 'radios'; the nearest are radius"
    );
    let mut play = Play::new(&store, &graph, inputs! {}).unwrap();
    assert!(play.set_inputs(inputs! { radius: 100.0 }).is_err());
    play.present(still(), &Exec::default()).unwrap();
}

#[test]
fn an_input_declared_twice_is_one_and_with_two_defaults_none() {
    assert!(Graph::define("twice", |g| g.output("sum", g.float("a", 1.0) + g.float("a", 1.0))).is_ok());
    let message = refusal(|g| g.output("sum", g.float("a", 1.0) + g.float("a", 2.0)));
    assert!(message.contains("'a' is the Float 1 at"), "{message}");
}

#[test]
fn a_failing_cook_names_the_node_and_its_line() {
    let graph = Graph::define("fails", |g| {
        let heat = g.element().point::<Float<'_>>("warmth");
        let grid = g.add(points::Grid::new());
        g.output("grid", grid.point().set("heat", heat));
    })
    .unwrap();
    let line = line!() - 3;
    let mut play = play(&cpu(), &graph, inputs! {}, true);
    let error = play.present(still(), &Exec::default()).unwrap_err();
    assert!(matches!(error, Error::Cook { .. }));
    let said = error.to_string();
    assert!(said.contains(&format!("build.rs:{line}: ")), "line {line}: {said}");
    assert!(said.contains("no column named 'point.warmth'"), "{said}");
    assert!(play.shown().is_none());
}

#[test]
fn constants_fold_at_the_build() {
    let graph = Graph::define("folded", |g| {
        let two: Float<'_> = Float::from(1.0) + 1.0;
        assert_eq!(two.wire(), zero_procgen::Wire::Float(2.0));
        g.output("disc", g.add(points::Disc::new().radius(two * 3.0)));
    })
    .unwrap();
    assert!(graph.plan().unwrap().nodes().all(|node| node.inputs.is_empty()));
}

#[test]
fn what_nothing_reads_is_left_out_of_the_plan() {
    let graph = Graph::define("dead", |g| {
        g.add(mesh::Cone::new());
        g.output("box", g.add(mesh::Box::new()));
    })
    .unwrap();
    assert!(graph.plan().unwrap().nodes().all(|node| node.name == "mesh.box"));
}

#[test]
fn a_fold_or_a_count_without_bound_is_refused_and_the_next_present_goes_on() {
    let graph = Graph::define("bounds", |g| {
        let start = g.add(mesh::Box::new());
        let folded = g.fold(g.int("passes", 1), start, |_, so_far| {
            g.add(geometry::Transform::new(so_far).scale(1.1))
        });
        g.output("folded", folded);
        g.output("disc", g.add(points::Disc::new().count(g.int("count", 4))));
    })
    .unwrap();
    let mut play = play(&cpu(), &graph, inputs! {}, true);
    for (inputs, expected) in [
        (
            inputs! { passes: i32::MAX },
            "g.fold failed: count: expected at most 65536 passes, got 2147483647",
        ),
        (
            inputs! { passes: 1, count: i32::MAX },
            "points: expected at most 33554432 elements, got 2147483647",
        ),
    ] {
        play.set_inputs(inputs).unwrap();
        let said = play.present(still(), &Exec::default()).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
    play.set_inputs(inputs! { passes: -3, count: -3 }).unwrap();
    let frame = play.present(still(), &Exec::default()).unwrap().whole().unwrap();
    assert_eq!(
        frame
            .geometry("disc")
            .unwrap()
            .count(zero_procgen::Class::Point)
            .capacity(),
        0
    );
}
