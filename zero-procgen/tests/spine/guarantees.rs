//! Promises that take more than one play, one present or one node to break.

use crate::common::{bits, cpu, devices, play, still, whole};
use crate::graphs::{particles, tower};
use std::collections::BTreeSet;
use zero_compute::{Exec, ManualClock};
use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::{
    Clock, Float, Geo, Graph, GraphDef, Next, Play, PlayOptions, State, Step, Store, StoreOptions, Tier, Why, inputs,
    vec3,
};

const COOKED: PlayOptions = PlayOptions {
    recorded: false,
    profiled: false,
};

fn hill<'g>(g: &'g Graph, height: Float<'g>) -> Geo<'g> {
    let sheet = g.add(mesh::Grid::new().size([20.0, 1.0, 20.0]).cells_x(40).cells_z(40));
    let noise = g.add(field::Fbm::new(g.position() / 5.0).octaves(4)) * height;
    g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, noise, 0.0)))
}

#[test]
fn what_two_graphs_have_in_common_is_cooked_once() {
    for device in devices() {
        let store = Store::new(&device, StoreOptions::default());
        let named = |name: &str, with: for<'g> fn(&'g Graph, Geo<'g>) -> Geo<'g>| {
            Graph::define(name, move |g| {
                g.output("made", with(g, hill(g, g.float("height", 2.0))))
            })
            .unwrap()
        };
        let normals = named("normals", |g, hill| g.add(geometry::RecalculateNormals::new(hill)));
        let placed = named("placed", |g, hill| {
            g.add(instances::Place::new(hill, g.add(mesh::Cone::new())))
        });
        let mut first = Play::with_options(&store, &normals, inputs! {}, COOKED).unwrap();
        whole(&mut first, &device, still());
        let mut second = Play::with_options(&store, &placed, inputs! {}, COOKED).unwrap();
        let alone = bits(
            whole(&mut play(&device, &placed, inputs! {}, false), &device, still())
                .geometry("made")
                .unwrap(),
        );
        let hits = store.stats().hits;
        let frame = whole(&mut second, &device, still());
        let cooked: BTreeSet<&str> = second.report().cooked.iter().map(|node| node.node.as_str()).collect();
        let shared = ["mesh.grid", "field.fbm", "geometry.set_position"];
        assert!(shared.iter().all(|node| !cooked.contains(node)), "{cooked:?}");
        assert!(cooked.contains("instances.place"), "{cooked:?}");
        assert!(store.stats().hits > hits);
        assert_eq!(bits(frame.geometry("made").unwrap()), alone);
        // Another height is another question.
        second.set_inputs(inputs! { height: 3.0 }).unwrap();
        whole(&mut second, &device, still());
        assert!(
            second
                .report()
                .cooked
                .iter()
                .any(|node| node.node == "geometry.set_position")
        );
    }
}

#[test]
fn a_step_queues_exactly_what_it_planned() {
    for device in devices() {
        let graph = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
        let mut steps = play(&device, &graph, inputs! {}, true);
        let mut before = 0;
        for frame in 0..8 {
            let counting = device.counting();
            drop(whole(&mut steps, &device, Clock::frame(frame, 60.0)));
            let (delta, report) = (counting.delta(), steps.report());
            let step = &report.steps[0];
            assert_eq!(delta.dispatches, report.planned_dispatches, "frame {frame}");
            assert!(step.planned_dispatches > 0 && step.planned_dispatches < report.planned_dispatches);
            if frame >= 2 {
                assert_eq!(report.cooked, [], "frame {frame}");
                assert_eq!((delta.allocations, delta.created), (0, 0), "frame {frame}");
                assert_eq!(step.dispatches - before, step.planned_dispatches, "frame {frame}");
            }
            before = step.dispatches;
        }
    }
}

/// A step whose body decides by a number: how many passes a fold inside it makes.
fn deciding(by_index: bool) -> GraphDef {
    Graph::define("deciding", move |g| {
        let turns = g.int("turns", 1);
        let swirl = g.step(
            "swirl",
            Step::every(1.0 / 60.0),
            State::new(16).vec3("P"),
            |now, step| {
                let passes = if by_index { step.index() } else { turns };
                let next = g.fold(passes, now.vec3("P"), |_, place| {
                    place * 0.5 + vec3(1.0, 2.0, g.element().id() * 0.1)
                });
                Next::new().set("P", next)
            },
        );
        g.output("swirl", swirl.points());
    })
    .unwrap()
}

#[test]
fn six_sets_of_step_values_replay_and_a_seventh_cooks_and_says_why() {
    for device in devices() {
        let graph = deciding(false);
        let mut steps = play(&device, &graph, inputs! {}, true);
        let mut turn = |turns: i32| {
            steps.set_inputs(inputs! { turns: turns }).unwrap();
            let found = bits(
                whole(&mut steps, &device, Clock::frame(3, 60.0))
                    .geometry("swirl")
                    .unwrap(),
            );
            let mut cold = play(&device, &graph, inputs! { turns: turns }, false);
            let expected = bits(
                whole(&mut cold, &device, Clock::frame(3, 60.0))
                    .geometry("swirl")
                    .unwrap(),
            );
            assert_eq!(found, expected, "turns {turns}");
            let report = steps.report().steps[0].clone();
            (report.recorded, report.reason)
        };
        for turns in 1..=6 {
            assert_eq!(turn(turns), (turns as u64, None), "turns {turns}");
        }
        // Each of the six has a list.
        for turns in [3, 1, 6, 2, 5, 4] {
            assert_eq!(turn(turns), (6, None), "turns {turns} again");
        }
        let (recorded, reason) = turn(7);
        assert!(recorded > 6, "the seventh is cooked");
        let reason = reason.unwrap();
        assert!(
            reason.contains("the input 'turns'") && reason.contains("6 sets"),
            "{reason}"
        );
        // What has a list keeps it.
        assert_eq!(turn(2).0, recorded);
    }
}

#[test]
fn a_body_that_cannot_replay_says_why() {
    let device = cpu();
    let mut steps = play(&device, &deciding(true), inputs! {}, true);
    for frame in 0..9 {
        let shown = bits(
            whole(&mut steps, &device, Clock::frame(frame, 60.0))
                .geometry("swirl")
                .unwrap(),
        );
        let mut cold = play(&device, &deciding(true), inputs! {}, false);
        let expected = bits(
            whole(&mut cold, &device, Clock::frame(frame, 60.0))
                .geometry("swirl")
                .unwrap(),
        );
        assert_eq!(shown, expected, "frame {frame}");
    }
    let report = steps.report().steps[0].clone();
    assert_eq!((report.recorded, report.replays), (9, 0));
    assert!(report.reason.unwrap().contains("step.index"));
    let mut cooked = play(&device, &deciding(false), inputs! {}, false);
    whole(&mut cooked, &device, Clock::frame(2, 60.0));
    assert_eq!(
        cooked.report().steps[0].reason.as_deref(),
        Some("recorded cooks are off")
    );
}

#[test]
fn an_output_that_fails_leaves_everything_standing() {
    for device in devices() {
        let graph = Graph::define("two", |g| {
            let count = g.int("count", 8);
            g.output(
                "ring",
                g.add(points::Disc::new().count(12).radius(g.float("radius", 1.0))),
            );
            g.output("many", g.add(points::Disc::new().count(count)));
        })
        .unwrap();
        let store = Store::new(&device, StoreOptions::default());
        let mut two = Play::new(&store, &graph, inputs! {}).unwrap();
        let stood = whole(&mut two, &device, still());
        let (ring, many) = (
            bits(stood.geometry("ring").unwrap()),
            bits(stood.geometry("many").unwrap()),
        );
        let filed = store.stats().filed;
        two.set_inputs(inputs! { radius: 5.0, count: i32::MAX }).unwrap();
        for _ in 0..2 {
            let refused = two.present(still(), &Exec::default()).unwrap_err().to_string();
            assert!(refused.contains("points.disc failed"), "{refused}");
            let shown = two.shown().unwrap();
            assert_eq!(bits(shown.geometry("ring").unwrap()), ring);
            assert_eq!(bits(shown.geometry("many").unwrap()), many);
            assert_eq!(store.stats().filed, filed, "nothing of a failed present is filed");
        }
        two.set_inputs(inputs! { count: 9 }).unwrap();
        let frame = whole(&mut two, &device, still());
        let mut fresh = play(&device, &graph, inputs! { radius: 5.0, count: 9 }, false);
        let expected = whole(&mut fresh, &device, still());
        for name in ["ring", "many"] {
            assert_eq!(
                bits(frame.geometry(name).unwrap()),
                bits(expected.geometry(name).unwrap())
            );
        }
    }
}

/// A clock that moves on by a millisecond each time it is read.
struct Ticking(ManualClock);

impl zero_compute::Clock for Ticking {
    fn now_ms(&self) -> f64 {
        self.0.advance_ms(1.0);
        self.0.now_ms()
    }
}

#[test]
fn a_budget_cuts_the_cook_between_nodes_and_the_next_present_goes_on_from_there() {
    let device = cpu();
    let graph = Graph::define("many", |g| {
        for place in 0..40 {
            let ring = g.add(points::Disc::new().count(8).radius(1.0 + place as f32));
            g.output(&format!("o{place}"), ring);
        }
        g.output(
            "moving",
            g.add(points::Disc::new().count(4).radius(1.0 + g.clock().time())),
        );
    })
    .unwrap();
    let mut slow = play(&device, &graph, inputs! {}, true);
    let clock = Ticking(ManualClock::default());
    let exec = Exec {
        budget_ms: Some(5.0),
        clock: &clock,
        ..Exec::default()
    };
    let (mut pending, mut cooked) = (0, 0);
    let frame = loop {
        let answer = slow.present(still(), &exec).unwrap();
        let more = slow.report().cooked.len() - cooked;
        cooked += more;
        match answer {
            zero_procgen::Present::Whole(frame) => break frame,
            zero_procgen::Present::Pending => pending += 1,
        }
        // Each look at the clock is a millisecond, and there is one before each node; a recording is not cut.
        assert!(more <= 6, "{more} nodes in a budget of 5");
        assert!(pending < 200);
    };
    let places: BTreeSet<Option<usize>> = slow.report().cooked.iter().map(|node| node.place).collect();
    assert_eq!(cooked, places.len(), "nothing is cooked twice");
    assert!(pending >= 40 / 6, "{pending} times pending");
    let expected = whole(&mut play(&device, &graph, inputs! {}, false), &device, still());
    for ((name, found), (_, expected)) in frame.outputs().zip(expected.outputs()) {
        assert_eq!(
            bits(found.geometry().unwrap()),
            bits(expected.geometry().unwrap()),
            "{name}"
        );
    }
}

#[test]
fn past_its_budget_a_store_ends_a_commit_at_four_fifths_or_with_what_stands() {
    for device in devices() {
        let graph = Graph::define("disc", |g| {
            let ring = g.add(points::Disc::new().count(1000).radius(g.float("radius", 1.0)));
            g.output("disc", ring.point().set("far", g.position().length()));
        })
        .unwrap();
        let budget = 200 * 1024;
        let store = Store::new(&device, StoreOptions { budget_bytes: budget });
        let mut discs = Play::with_options(&store, &graph, inputs! {}, COOKED).unwrap();
        let mut trims = 0;
        for step in 0..30 {
            discs.set_inputs(inputs! { radius: 1.0 + step as f32 }).unwrap();
            whole(&mut discs, &device, still());
            let (memory, stats) = (store.memory(), store.stats());
            assert!(memory.bytes() <= budget, "{memory}");
            if stats.trims > trims {
                trims = stats.trims;
                assert!(memory.bytes() <= budget / 5 * 4, "{memory}");
            }
        }
        assert!(trims > 2 && store.stats().commits == 30);
        // With no room at all only what stands is left.
        let none = Store::new(&device, StoreOptions { budget_bytes: 1 });
        let mut discs = Play::new(&none, &graph, inputs! {}).unwrap();
        for step in 0..6 {
            discs.set_inputs(inputs! { radius: 1.0 + step as f32 }).unwrap();
            whole(&mut discs, &device, still());
            let memory = none.memory();
            assert_eq!(memory.bytes(), memory.tier(Tier::Stands), "{memory}");
            assert!(memory.bytes() > 0);
        }
    }
}

#[test]
fn a_present_shows_the_same_bytes_after_each_tier_is_let_go_of() {
    for device in devices() {
        let graph = Graph::define("both", |g| {
            g.output("tower", tower(g));
            g.output("sparks", particles(g));
        })
        .unwrap();
        let store = Store::new(&device, StoreOptions::default());
        let mut both = Play::new(&store, &graph, inputs! {}).unwrap();
        let mut frames = 0;
        let mut check = |both: &mut Play, width: f32| {
            frames += 1;
            both.set_inputs(inputs! { width: width }).unwrap();
            let clock = Clock::frame(frames, 60.0);
            let found = whole(both, &device, clock);
            let mut cold = play(&device, &graph, inputs! { width: width }, false);
            let expected = whole(&mut cold, &device, clock);
            for name in ["tower", "sparks"] {
                let (found, expected) = (found.geometry(name).unwrap(), expected.geometry(name).unwrap());
                assert_eq!(bits(found), bits(expected), "{name} at {width}");
            }
        };
        for tier in Tier::ALL {
            for width in [6.0, 7.0, 8.0, 9.0] {
                check(&mut both, width);
            }
            assert!(both.report().replayed > 0);
            let before = store.stats();
            store.let_go(tier);
            if tier == Tier::Values {
                assert!(store.stats().evicted > before.evicted);
            }
            check(&mut both, 5.0);
            assert_eq!(both.report().replayed == 0, tier >= Tier::Recordings, "{tier:?}");
        }
    }
}

#[test]
fn a_node_more_or_an_element_more_moves_no_draw() {
    let device = cpu();
    let drawn = |count: i32, also: bool| {
        let graph = Graph::define("drawn", move |g| {
            if also {
                // A node before, with draws of its own, and one between.
                let other = g.add(points::Disc::new().count(7).fill(points::Fill::Random));
                g.output("other", other.point().set("size", g.rand("size")));
            }
            let sheet = g.add(mesh::Grid::new().size([9.0, 1.0, 9.0]));
            let cloud = g.add(points::Disc::new().count(count).fill(points::Fill::Random).seed(3));
            g.output(
                "cloud",
                cloud
                    .point()
                    .set("size", g.rand("size"))
                    .point()
                    .set("yaw", g.rand("yaw")),
            );
            let strewn = g.add(points::OnSurface::new(sheet).count(count).seed(5));
            if also {
                g.output("last", g.add(points::Grid::new()).point().set("yaw", g.rand("yaw")));
            }
            g.output("strewn", strewn);
        })
        .unwrap();
        let frame = whole(&mut play(&device, &graph, inputs! {}, true), &device, still());
        ["cloud", "strewn"].map(|name| frame.geometry(name).unwrap().download().unwrap())
    };
    let (plain, with_nodes, with_elements) = (drawn(50, false), drawn(50, true), drawn(80, false));
    assert_eq!(plain, with_nodes);
    for (few, many) in plain.iter().zip(&with_elements) {
        let class = zero_procgen::Class::Point;
        assert_eq!(few.vec3s(class, "P").unwrap(), &many.vec3s(class, "P").unwrap()[..50]);
    }
    for name in ["size", "yaw"] {
        let class = zero_procgen::Class::Point;
        let (few, many) = (
            plain[0].floats(class, name).unwrap(),
            with_elements[0].floats(class, name).unwrap(),
        );
        assert_eq!(few, &many[..50]);
        assert!(few.iter().any(|value| *value != few[0]), "drawn, not constant");
    }
}

#[test]
fn an_edit_cooks_what_it_reaches_and_says_so() {
    for device in devices() {
        let graph = |steps: usize, last: f32| {
            Graph::define("chain", move |g| {
                let mut chain = hill(g, g.float("height", 2.0));
                for step in 0..steps {
                    let lift = if step + 1 == steps { last } else { 0.25 };
                    chain = g.add(geometry::Transform::new(chain).translate(vec3(0.0, lift, 0.0)));
                }
                g.output("chain", chain);
            })
            .unwrap()
        };
        let store = Store::new(&device, StoreOptions::default());
        let mut edited = Play::new(&store, &graph(20, 0.5), inputs! { height: 3.0 }).unwrap();
        whole(&mut edited, &device, still());
        let cold = edited.report().cooked.len();
        edited.set_graph(&graph(20, 0.75)).unwrap();
        let frame = whole(&mut edited, &device, still());
        let report = edited.report();
        assert!(
            report.cooked.len() * 10 <= cold,
            "{} of {cold} cooked",
            report.cooked.len()
        );
        assert!(report.cooked.iter().all(|node| node.why == Why::Edited), "{report:?}");
        // The value given to the input stays given.
        let mut fresh = play(&device, &graph(20, 0.75), inputs! { height: 3.0 }, false);
        let expected = whole(&mut fresh, &device, still());
        assert_eq!(
            bits(frame.geometry("chain").unwrap()),
            bits(expected.geometry("chain").unwrap())
        );
        // An edit taken back is in the store.
        edited.set_graph(&graph(20, 0.5)).unwrap();
        whole(&mut edited, &device, still());
        assert_eq!(edited.report().cooked, []);
    }
}

#[test]
fn a_graph_that_takes_other_inputs_lets_go_of_what_it_does_not_take() {
    let device = cpu();
    let disc = |name: &'static str, default: f32| {
        Graph::define("disc", move |g| {
            g.output("disc", g.add(points::Disc::new().radius(g.float(name, default))))
        })
        .unwrap()
    };
    let mut discs = play(&device, &disc("radius", 1.0), inputs! { radius: 4.0 }, true);
    let first = bits(whole(&mut discs, &device, still()).geometry("disc").unwrap());
    discs.set_graph(&disc("reach", 4.0)).unwrap();
    assert_eq!(
        bits(whole(&mut discs, &device, still()).geometry("disc").unwrap()),
        first
    );
    discs.set_inputs(inputs! { reach: 2.0 }).unwrap();
    assert!(discs.set_inputs(inputs! { radius: 2.0 }).is_err());
    // A graph that needs what nobody gave is refused, and the one before goes on.
    let needs = Graph::define("needs", |g| g.output("given", g.geometry("given"))).unwrap();
    assert!(discs.set_graph(&needs).is_err());
    assert_ne!(
        bits(whole(&mut discs, &device, still()).geometry("disc").unwrap()),
        first
    );
}
