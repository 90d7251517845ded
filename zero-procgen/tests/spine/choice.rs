//! One of several: what is taken, what is never cooked, what is refused.

use crate::common::{bits, cpu, devices, floats, play, still, whole};
use zero_compute::Exec;
use zero_procgen::nodes::{geometry, mesh, points};
use zero_procgen::{Bool, Clock, Float, Geo, Graph, GraphDef, Next, State, Step, Vec3, inputs, vec3};

/// A geometry whose cook is refused: the column it reads is not there.
fn failing(g: &Graph) -> Geo<'_> {
    let missing: Float<'_> = g.element().point("missing");
    g.add(points::Disc::new().count(7)).point().set("heat", missing)
}

/// A disc of 5 points, a cone of 12 sides, or nothing that can be made; the rest of the graph stands on the choice.
fn props() -> GraphDef {
    Graph::define("props", |g| {
        let disc = g.add(points::Disc::new().count(5).radius(g.float("radius", 1.0)));
        let grid = g.add(points::Grid::new().count_x(3).count_z(3));
        let taken = g.pick(g.int("kind", 0), [disc, grid, failing(g)]);
        g.output("prop", g.add(geometry::Transform::new(taken).scale(2.0)));
    })
    .unwrap()
}

#[test]
fn an_alternative_that_is_not_taken_never_cooks() {
    for device in devices() {
        for recorded in [false, true] {
            let mut play = play(&device, &props(), inputs! {}, recorded);
            let disc = whole(&mut play, &device, still());
            assert_eq!(floats(disc.geometry("prop").unwrap(), "P").len(), 15);
            let made: Vec<String> = play.report().cooked.iter().map(|node| node.node.clone()).collect();
            assert!(made.iter().all(|name| name != "points.grid"), "{made:?}");
            // The other is cooked when it is taken, and what stood is found again.
            play.set_inputs(inputs! { kind: 1 }).unwrap();
            let grid = whole(&mut play, &device, still());
            assert_eq!(floats(grid.geometry("prop").unwrap(), "P").len(), 27);
            assert!(play.report().cooked.iter().all(|node| node.node != "points.disc"));
            let refused = |play: &mut zero_procgen::Play, kind: i32| {
                play.set_inputs(inputs! { kind: kind }).unwrap();
                play.present(still(), &Exec::default()).unwrap_err().to_string()
            };
            assert!(refused(&mut play, 2).contains("no column named 'point.missing'"));
            let said = refused(&mut play, 3);
            assert!(said.contains("choice.rs:19: g.pick failed"), "{said}");
            assert!(
                said.contains("the choice: expected a place from 0 and below 3, got 3"),
                "{said}"
            );
            assert!(refused(&mut play, -1).contains("got -1"));
            let standing = play.shown().unwrap();
            assert_eq!(
                bits(standing.geometry("prop").unwrap()),
                bits(grid.geometry("prop").unwrap())
            );
            play.set_inputs(inputs! { kind: 0 }).unwrap();
            let again = whole(&mut play, &device, still());
            assert_eq!(
                bits(again.geometry("prop").unwrap()),
                bits(disc.geometry("prop").unwrap())
            );
            if !recorded {
                assert_eq!(play.report().cooked, [], "what was made stands in the store");
            }
        }
    }
}

#[test]
fn an_input_behind_what_is_not_taken_moves_nothing() {
    let device = cpu();
    let mut play = play(&device, &props(), inputs! { kind: 1 }, false);
    whole(&mut play, &device, still());
    play.set_inputs(inputs! { radius: 2.0 }).unwrap();
    let counting = device.counting();
    whole(&mut play, &device, still());
    assert_eq!(play.report().cooked, []);
    assert_eq!(counting.delta().dispatches, 0);
}

#[test]
fn a_moved_number_behind_what_is_taken_replays() {
    for device in devices() {
        let mut moved = play(&device, &props(), inputs! {}, true);
        whole(&mut moved, &device, still());
        for (turn, radius) in [2.0f32, 3.0, 4.0, 5.0].into_iter().enumerate() {
            moved.set_inputs(inputs! { radius: radius }).unwrap();
            let frame = whole(&mut moved, &device, still());
            if turn >= 2 {
                assert_eq!(moved.report().cooked, [], "radius {radius}");
            }
            let mut fresh = play(&device, &props(), inputs! { radius: radius }, false);
            let expected = whole(&mut fresh, &device, still());
            assert_eq!(
                bits(frame.geometry("prop").unwrap()),
                bits(expected.geometry("prop").unwrap())
            );
        }
        // Another choice ends the recording, and the answer is that of a cook.
        moved.set_inputs(inputs! { kind: 1 }).unwrap();
        let frame = whole(&mut moved, &device, still());
        assert_eq!(floats(frame.geometry("prop").unwrap(), "P").len(), 27);
    }
}

#[test]
fn a_choice_may_stand_on_a_choice_and_on_what_is_cooked() {
    let device = cpu();
    let graph = Graph::define("nested", |g| {
        let disc = g.add(points::Disc::new().count(g.int("count", 2)));
        let grid = g.add(points::Grid::new());
        // The first choice is a count that the cook answers, the second what the first took.
        let inner = g.pick(disc.point().count() - 2, [disc, grid]);
        let many: Bool<'_> = inner.point().count().gt(8);
        g.output("made", g.pick(many, [inner, failing(g)]));
        let number: Float<'_> = many.choose(1.0, 2.0);
        g.output("number", number);
    })
    .unwrap();
    let mut play = play(&device, &graph, inputs! {}, true);
    let frame = whole(&mut play, &device, still());
    assert_eq!(floats(frame.geometry("made").unwrap(), "P").len(), 6);
    assert_eq!(frame.number("number").unwrap(), [2.0]);
    play.set_inputs(inputs! { count: 3 }).unwrap();
    let said = play.present(still(), &Exec::default()).unwrap_err().to_string();
    assert!(said.contains("point.missing"), "16 points are more than 8: {said}");
}

#[test]
fn several_sockets_are_picked_at_once() {
    let device = cpu();
    let graph = Graph::define("pairs", |g| {
        let near = (g.add(points::Disc::new().count(3)), Float::from(1.5));
        let far = (g.add(points::Disc::new().count(4)), g.float("far", 9.0));
        let (points, size) = g.pick(g.int("which", 1), [near, far]);
        g.output("points", points.point().set("size", size));
    })
    .unwrap();
    for (which, expected) in [(0, vec![1.5; 3]), (1, vec![9.0; 4])] {
        let mut play = play(&device, &graph, inputs! { which: which }, true);
        let frame = whole(&mut play, &device, still());
        assert_eq!(floats(frame.geometry("points").unwrap(), "size"), expected);
    }
}

#[test]
fn what_the_build_knows_leaves_the_rest_out_of_the_plan() {
    let graph = Graph::define("known", |g| {
        let style: String = g.plain("style", "round".to_owned());
        let round: Geo<'_> = g.add(points::Disc::new());
        let square: Geo<'_> = g.add(points::Grid::new());
        g.output("named", g.pick_named(&style, [("round", round), ("square", square)]));
        g.output("chosen", Bool::from(true).choose::<Geo<'_>>(round, square));
        let heat: Float<'_> = Bool::from(false).choose(square.point().column("P").read::<Vec3<'_>>().x(), 2.0);
        g.output("number", heat);
    })
    .unwrap();
    let plan = graph.plan().unwrap();
    assert!(plan.nodes().all(|node| node.name == "points.disc"), "{plan:?}");
    let store = zero_procgen::Store::new(&cpu(), Default::default());
    let refused = zero_procgen::Play::new(&store, &graph, inputs! { style: "rund" }).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("no alternative named 'rund'; the nearest are round"),
        "{refused}"
    );
}

#[test]
fn a_choice_is_refused_where_it_is_made() {
    let refused = Graph::define("refused", |g| {
        let two = [Float::from(1.0), g.float("b", 2.0)];
        g.output("past", g.pick(2, two));
        let three = [two[0], two[1], two[0]];
        g.output("truth", g.pick(g.float("a", 1.0).gt(0.5), three));
    });
    let said = refused.unwrap_err().to_string();
    assert!(
        said.contains("the choice: expected a place from 0 and below 2, got 2"),
        "{said}"
    );
    assert!(said.contains("a truth chooses between 2 alternatives, got 3"), "{said}");
    // A condition an element chooses between numbers, not between geometries.
    let graph = Graph::define("elements", |g| {
        let left: Bool<'_> = g.position().x().lt(0.0);
        let (disc, grid) = (g.add(points::Disc::new()), g.add(points::Grid::new()));
        g.output("chosen", left.choose::<Geo<'_>>(disc, grid));
    })
    .unwrap();
    let mut play = play(&cpu(), &graph, inputs! {}, true);
    let said = play.present(still(), &Exec::default()).unwrap_err().to_string();
    assert!(said.contains("expected one number, got a field of Bool"), "{said}");
}

#[test]
fn a_simulation_that_is_not_taken_waits_and_begins_anew() {
    for device in devices() {
        let graph = Graph::define("rain", |g| {
            let rain = g.step("rain", Step::every(0.1), State::new(4).vec3("P"), |now, step| {
                Next::new().set("P", now.vec3("P") + vec3(0.0, -1.0, 0.0) * step.dt())
            });
            let wet: Bool<'_> = g.int("wet", 0).gt(0);
            g.output(
                "drops",
                g.pick(wet, [g.add(points::Disc::new().count(2)), rain.points()]),
            );
        })
        .unwrap();
        let mut play = play(&device, &graph, inputs! {}, true);
        whole(&mut play, &device, Clock::frame(3, 10.0));
        assert!(play.report().steps.is_empty());
        let counting = device.counting();
        whole(&mut play, &device, Clock::frame(4, 10.0));
        assert_eq!(counting.delta().dispatches, 0, "what waits takes no step");
        play.set_inputs(inputs! { wet: 1 }).unwrap();
        let frame = whole(&mut play, &device, Clock::frame(4, 10.0));
        assert_eq!(play.report().steps[0].steps, 5);
        let height = floats(frame.geometry("drops").unwrap(), "P")[1];
        assert!((height + 0.5).abs() < 1e-5, "{height}");
        let frame = whole(&mut play, &device, Clock::frame(5, 10.0));
        assert!((floats(frame.geometry("drops").unwrap(), "P")[1] + 0.6).abs() < 1e-5);
        play.set_inputs(inputs! { wet: 0 }).unwrap();
        whole(&mut play, &device, Clock::frame(6, 10.0));
        play.set_inputs(inputs! { wet: 1 }).unwrap();
        let frame = whole(&mut play, &device, Clock::frame(6, 10.0));
        assert!((floats(frame.geometry("drops").unwrap(), "P")[1] + 0.7).abs() < 1e-5);
    }
}

#[test]
fn a_pick_in_a_fold_goes_by_the_pass() {
    let device = cpu();
    let graph = Graph::define("stripes", |g| {
        let start = g.add(mesh::Box::new());
        let stacked = g.fold(4, start, |pass, so_far| {
            let even: Bool<'_> = (pass % 2).equals(0);
            let (ball, cube) = (g.add(mesh::Cone::new().segments(4)), g.add(mesh::Box::new()));
            g.add(geometry::Merge::new([so_far, g.pick(even, [cube, ball])]))
        });
        g.output("stacked", stacked);
    })
    .unwrap();
    let frame = whole(&mut play(&device, &graph, inputs! {}, true), &device, still());
    let points = floats(frame.geometry("stacked").unwrap(), "P").len() / 3;
    // A box of 24 points at first; then two cones of 4 sides, 3 points a side and 5 below, and two boxes.
    assert_eq!(points, 24 + 2 * (4 * 3 + 5) + 2 * 24);
}

/// What a pass does not take is not cooked, wherever it was made: outside the body, behind an operator, behind a node of
/// the body.
#[test]
fn a_pick_by_the_pass_cooks_of_what_is_outside_what_a_pass_takes() {
    let device = cpu();
    let graph = Graph::define("passes", |g| {
        let spots = g.add(points::Disc::new().count(3).radius(g.float("radius", 1.0)));
        let (never, start) = (failing(g), g.add(points::Disc::new().count(2)));
        let (past, bare): (Float<'_>, Float<'_>) = (never.point().count().to_float() * 2.0, 4.0.into());
        let merged = g.fold(3, start, |pass, so_far| {
            let behind = g.add(geometry::Transform::new(never).translate(vec3(1.0, 0.0, 0.0)));
            let taken = g.pick(pass / 10, [spots, never, behind]);
            let lift = g.pick(pass / 10, [bare, past]);
            let raised = g.add(geometry::Transform::new(taken).translate(vec3(0.0, lift, 0.0)));
            g.add(geometry::Merge::new([so_far, raised]))
        });
        let each = g.list([Float::from(1.0), Float::from(2.0)]).each(|height, number| {
            let taken = g.pick(number / 10, [spots, never]);
            g.add(geometry::Transform::new(taken).translate(vec3(0.0, height, 0.0)))
        });
        g.output("merged", merged);
        g.output("each", each.merge());
        g.output("spots", spots);
    })
    .unwrap();
    for recorded in [true, false] {
        let mut play = play(&device, &graph, inputs! {}, recorded);
        let frame = whole(&mut play, &device, still());
        assert_eq!(floats(frame.geometry("merged").unwrap(), "P").len() / 3, 2 + 3 * 3);
        assert_eq!(floats(frame.geometry("each").unwrap(), "P").len() / 3, 2 * 3);
        // It is cooked once, whoever takes it and however often.
        let cooked = |play: &zero_procgen::Play| -> usize {
            let discs = play.report().cooked.iter().filter(|node| node.node == "points.disc");
            let ids: std::collections::BTreeSet<u32> = discs.clone().map(|node| node.site.line).collect();
            assert_eq!(ids.len(), 2, "{:?}", play.report().cooked);
            discs.count()
        };
        let first = cooked(&play);
        for radius in [2.0f32, 3.0, 4.0, 5.0] {
            play.set_inputs(inputs! { radius: radius }).unwrap();
            let moved = whole(&mut play, &device, still());
            let mut fresh = crate::common::play(&device, &graph, inputs! { radius: radius }, false);
            let expected = whole(&mut fresh, &device, still());
            assert_eq!(cooked(&fresh), first);
            for name in ["merged", "each"] {
                assert_eq!(
                    bits(moved.geometry(name).unwrap()),
                    bits(expected.geometry(name).unwrap())
                );
            }
        }
        if recorded {
            assert_eq!(play.report().cooked, [], "moved numbers behind what is taken replay");
        }
    }
}

#[test]
fn a_body_that_reads_a_choice_from_outside_cooks_what_is_taken_alone() {
    let device = cpu();
    let graph = Graph::define("outside", |g| {
        let alternatives = [g.add(points::Disc::new().count(3)), failing(g)];
        let kind = g.int("kind", 0);
        let start = g.add(points::Disc::new().count(2));
        let merged = g.fold(2, start, |_, so_far| {
            g.add(geometry::Merge::new([so_far, g.pick(kind, alternatives)]))
        });
        g.output("merged", merged);
    })
    .unwrap();
    let mut play = play(&device, &graph, inputs! {}, true);
    let frame = whole(&mut play, &device, still());
    assert_eq!(floats(frame.geometry("merged").unwrap(), "P").len() / 3, 8);
    play.set_inputs(inputs! { kind: 1 }).unwrap();
    let said = play.present(still(), &Exec::default()).unwrap_err().to_string();
    assert!(said.contains("point.missing"), "{said}");
}
