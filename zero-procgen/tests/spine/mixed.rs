//! Where promises meet: steps with inputs and clocks that move, numbers as outputs, plays that feed plays.

use crate::common::{bits, cpu, devices, floats, play, still, whole};
use crate::graphs::particles;
use zero_compute::{Device, Exec, ManualClock};
use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::{
    Class, Clock, Float, Graph, GraphDef, Inputs, Int, Next, Play, PlayOptions, Present, State, Step, Store,
    StoreOptions, Vec3, inputs, vec3,
};

/// Presents each of the moments twice over: in one play that records, and each cold in a play of its own.
fn agrees(graph: &GraphDef, moments: &[(i32, Inputs)]) {
    for device in devices() {
        let mut recorded = play(&device, graph, moments[0].1.clone(), true);
        for (index, (frame, inputs)) in moments.iter().enumerate() {
            recorded.set_inputs(inputs.clone()).unwrap();
            let clock = Clock::frame(*frame, 60.0);
            let found = whole(&mut recorded, &device, clock);
            assert!(!recorded.report().mismatched, "moment {index}");
            let mut cold = play(&device, graph, inputs.clone(), false);
            let expected = whole(&mut cold, &device, clock);
            for ((name, found), (_, expected)) in found.outputs().zip(expected.outputs()) {
                match (found.geometry(), expected.geometry()) {
                    (Ok(found), Ok(expected)) => assert_eq!(bits(found), bits(expected), "moment {index}, {name}"),
                    _ => assert_eq!(
                        found.number().unwrap().lanes(),
                        expected.number().unwrap().lanes(),
                        "moment {index}, {name}"
                    ),
                }
            }
        }
    }
}

#[test]
fn a_step_follows_an_input_that_moves_again_and_again() {
    let graph = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
    let spread = |value: f32| inputs! { spread: value };
    agrees(
        &graph,
        &[
            (0, spread(2.0)),
            (1, spread(3.0)),
            (2, spread(3.0)),
            (3, spread(4.0)),
            (4, spread(4.0)),
            (5, spread(5.0)),
            (6, spread(5.5)),
            (3, spread(5.5)),
            (4, spread(2.0)),
        ],
    );
}

/// The count moves once and decides what is recorded, so it no longer moves when the first replay is held to a cook.
#[test]
fn a_number_that_decided_spoils_no_comparison() {
    let graph = Graph::define("decided", |g| {
        g.output("disc", g.add(points::Disc::new().count(g.int("count", 8))));
        let drift = vec3(g.clock().time(), 0.0, 0.0);
        g.output(
            "drift",
            g.add(geometry::Transform::new(g.add(points::Grid::new())).translate(drift)),
        );
    })
    .unwrap();
    let count = |count: i32| inputs! { count: count };
    agrees(
        &graph,
        &[
            (0, count(8)),
            (0, count(5)),
            (1, count(5)),
            (2, count(5)),
            (2, count(8)),
        ],
    );
    for device in devices() {
        let mut moved = play(&device, &graph, count(8), true);
        drop(whole(&mut moved, &device, still()));
        moved.set_inputs(count(5)).unwrap();
        for frame in 0..4 {
            drop(whole(&mut moved, &device, Clock::frame(frame, 60.0)));
        }
        // The recording made for the count of 5 outlives its first replay.
        assert_eq!(moved.report().cooked, []);
        assert!(moved.report().replayed > 0);
    }
}

/// The clock's rate and duration are numbers like its time: where they stay, nothing is cooked.
#[test]
fn the_timeline_is_read_and_cooks_nothing_while_it_stands() {
    let graph = Graph::define("timeline", |g| {
        let clock = g.clock();
        g.output("rate", clock.fps());
        g.output("frame", clock.delta());
        g.output("left", clock.duration() - clock.time());
        let grid = g.add(points::Grid::new());
        g.output("still", grid.point().set("span", clock.duration() * clock.delta()));
    })
    .unwrap();
    for device in devices() {
        let mut timed = play(&device, &graph, inputs! {}, true);
        let frame = whole(&mut timed, &device, Clock::frame(12, 24.0).lasting(8.0));
        assert_eq!(frame.number("rate").unwrap(), [24.0]);
        assert_eq!(frame.number("frame").unwrap(), [1.0 / 24.0]);
        assert_eq!(frame.number("left").unwrap(), [7.5]);
        assert_eq!(floats(frame.geometry("still").unwrap(), "span")[0], 8.0 * (1.0 / 24.0));
        // Another length moves the words of a list, from the second one on.
        for seconds in [9.0, 10.0, 11.0f32] {
            let frame = whole(&mut timed, &device, Clock::frame(12, 24.0).lasting(seconds.into()));
            assert!(!timed.report().mismatched);
            assert_eq!(
                floats(frame.geometry("still").unwrap(), "span")[0],
                seconds * (1.0 / 24.0)
            );
        }
        assert_eq!(timed.report().cooked, []);
        // A clock that counts no frames says so.
        let frame = whole(&mut timed, &device, still());
        assert_eq!(frame.number("rate").unwrap(), [0.0]);
        assert_eq!(frame.number("frame").unwrap(), [0.0]);
    }
    for (clock, expected) in [
        (
            Clock::frame(1, 24.0).lasting(f64::NAN),
            "the clock's duration must be finite, got NaN s",
        ),
        (
            Clock::at(1.0, f64::INFINITY),
            "the clock's rate must be finite, got inf frames a second",
        ),
    ] {
        let mut timed = play(&cpu(), &graph, inputs! {}, true);
        let said = timed.present(clock, &Exec::default()).unwrap_err().to_string();
        assert_eq!(said, expected);
    }
}

fn pulled_by_the_clock() -> GraphDef {
    Graph::define("pulled", |g| {
        let ring = g.add(points::Disc::new().count(32).radius(1.0 + g.clock().time()));
        let places = ring.point().column("P");
        let cloud = g.step(
            "pulled",
            Step::every(1.0 / 60.0),
            State::new(32).vec3("P"),
            |now, step| {
                let goal: Vec3<'_> = places.read();
                Next::new().set("P", now.vec3("P") + (goal - now.vec3("P")) * (step.dt() * 4.0))
            },
        );
        let marker = g.add(mesh::Cone::new().radius(g.float("size", 0.1)));
        g.output("cloud", g.add(instances::Place::new(cloud.points(), marker)));
    })
    .unwrap()
}

#[test]
fn a_step_reads_what_the_clock_moves_as_it_stands_at_each_present() {
    // Each present takes one step, so a cold play must take them one by one too.
    let graph = pulled_by_the_clock();
    for device in devices() {
        let run = |recorded: bool| {
            let mut play = play(&device, &graph, inputs! {}, recorded);
            (0..6)
                .map(|frame| {
                    if frame == 4 {
                        play.set_inputs(inputs! { size: 0.3 }).unwrap();
                    }
                    bits(
                        whole(&mut play, &device, Clock::frame(frame, 60.0))
                            .geometry("cloud")
                            .unwrap(),
                    )
                })
                .collect::<Vec<_>>()
        };
        let (recorded, cooked) = (run(true), run(false));
        assert_eq!(recorded[..4], cooked[..4]);
        // The first step goes 4/60 of the way to a ring that has just begun.
        let mut play = play(&device, &graph, inputs! {}, true);
        let frame = whole(&mut play, &device, Clock::default());
        let cloud = frame.geometry("cloud").unwrap().download().unwrap();
        let far = cloud
            .vec3s(Class::Point, "P")
            .unwrap()
            .iter()
            .map(|p| p[0].hypot(p[2]))
            .fold(0.0, f32::max);
        assert!((far - 4.0 / 60.0 * (31.5f32 / 32.0).sqrt()).abs() < 1e-4, "{far}");
    }
}

#[test]
fn a_number_that_is_an_output_moves_with_its_inputs() {
    let graph = Graph::define("number", |g| {
        let twice = g.float("a", 1.0) * 2.0;
        g.output("twice", twice);
        g.output("disc", g.add(points::Disc::new().count(8).radius(twice)));
    })
    .unwrap();
    let a = |value: f32| (0, inputs! { a: value });
    agrees(&graph, &[a(1.0), a(2.0), a(3.0), a(4.0), a(5.0)]);
    let alone = Graph::define("alone", |g| g.output("twice", g.float("a", 1.0) * 2.0)).unwrap();
    let device = cpu();
    let mut play = play(&device, &alone, inputs! {}, true);
    for value in [1.0f32, 2.0, 3.0, 4.0, 7.0] {
        play.set_inputs(inputs! { a: value }).unwrap();
        assert_eq!(
            whole(&mut play, &device, still()).number("twice").unwrap(),
            [2.0 * value]
        );
    }
}

#[test]
fn equal_numbers_of_two_inputs_stay_two() {
    let graph = Graph::define("two", |g| {
        let (a, b) = (g.float("a", 1.0), g.float("b", 1.0));
        let base = g.add(points::Disc::new().count(16).radius(a));
        let left = base.point().set("P", g.position() + vec3(a, 0.0, 0.0));
        let right = base.point().set("P", g.position() + vec3(b, 0.0, 0.0));
        g.output("left", left);
        g.output("right", right);
    })
    .unwrap();
    let at = |a: f32, b: f32| (0, inputs! { a: a, b: b });
    agrees(
        &graph,
        &[
            at(1.0, 1.0),
            at(2.0, 1.0),
            at(1.0, 1.0),
            at(3.0, 1.0),
            at(3.0, 3.0),
            at(3.0, 4.0),
            at(4.0, 4.0),
            at(5.0, 4.0),
        ],
    );
}

#[test]
fn two_graphs_on_one_store_keep_their_own_inputs() {
    for device in devices() {
        let store = Store::new(&device, StoreOptions::default());
        let first = Graph::define("first", |g| {
            let r = g.float("r", 1.0) * 1.5;
            g.output("disc", g.add(points::Disc::new().count(8).radius(r)));
        })
        .unwrap();
        let second = Graph::define("second", |g| {
            let _land = g.geometry("land");
            let other = g.float("other", 2.0);
            let r = g.float("r", 1.0) * 1.5;
            let disc = g.add(points::Disc::new().count(8).radius(r));
            g.output("disc", disc.point().set("P", g.position() * other));
        })
        .unwrap();
        let mut one = Play::new(&store, &first, inputs! {}).unwrap();
        let land = whole(&mut one, &device, still()).geometry("disc").unwrap().clone();
        let mut two = Play::new(&store, &second, inputs! { land: land.clone() }).unwrap();
        for value in [2.0f32, 3.0, 4.0, 5.0] {
            two.set_inputs(inputs! { other: value }).unwrap();
            let found = bits(whole(&mut two, &device, still()).geometry("disc").unwrap());
            let mut cold = play(&device, &second, inputs! { other: value, land: land.clone() }, false);
            assert_eq!(
                found,
                bits(whole(&mut cold, &device, still()).geometry("disc").unwrap())
            );
        }
    }
}

#[test]
fn a_play_that_feeds_a_play_hands_on_what_it_shows_now() {
    let source = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
    let sink = Graph::define("raised", |g| {
        let given = g.geometry("given");
        g.output("raised", given.point().set("P", g.position() + vec3(0.0, 10.0, 0.0)));
    })
    .unwrap();
    for device in devices() {
        let mut first = play(&device, &source, inputs! {}, true);
        let mut second: Option<Play> = None;
        let mut kept = None;
        for frame in 0..8 {
            let clock = Clock::frame(frame, 60.0);
            let given = whole(&mut first, &device, clock).geometry("sparks").unwrap().clone();
            let expected: Vec<u32> = given
                .download()
                .unwrap()
                .vec3s(Class::Point, "P")
                .unwrap()
                .iter()
                .flat_map(|p| [p[0] + 0.0, p[1] + 10.0, p[2] + 0.0])
                .map(|lane| (lane + 0.0).to_bits())
                .collect();
            if frame == 1 {
                // Taken out of a frame that is dropped: it stays what it was.
                kept = Some((given.clone(), bits(&given)));
            }
            let handed = inputs! { given: given };
            match &mut second {
                Some(play) => play.set_inputs(handed).unwrap(),
                None => second = Some(play(&device, &sink, handed, true)),
            }
            let shown = whole(second.as_mut().unwrap(), &device, clock);
            let found = shown.geometry("raised").unwrap().download().unwrap();
            let found: Vec<u32> = found
                .vec3s(Class::Point, "P")
                .unwrap()
                .iter()
                .flatten()
                .map(|lane| lane.to_bits())
                .collect();
            assert_eq!(found, expected, "frame {frame}");
        }
        let (geometry, was) = kept.unwrap();
        assert_eq!(bits(&geometry), was);
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
fn work_that_was_let_go_of_is_not_found_in_the_store() {
    let graph = Graph::define("two", |g| {
        let fixed = g.add(points::Grid::new().count_x(512).count_z(512));
        let noise = g.add(field::Fbm::new(g.position() * 0.01).octaves(6)) + 2.0;
        g.output("fixed", fixed.point().set("noise", noise));
        g.output(
            "moved",
            g.add(points::Grid::new().count_x(512).count_z(512).spacing(g.float("s", 1.0))),
        );
    })
    .unwrap();
    let device = cpu();
    let mut stopped = play(&device, &graph, inputs! {}, true);
    let clock = Ticking(ManualClock::default());
    let exec = Exec {
        budget_ms: Some(2.0),
        clock: &clock,
        ..Exec::default()
    };
    assert!(matches!(stopped.present(still(), &exec).unwrap(), Present::Pending));
    stopped.set_inputs(inputs! { s: 2.0 }).unwrap();
    let frame = whole(&mut stopped, &device, still());
    let mut cold = play(&device, &graph, inputs! { s: 2.0 }, false);
    let expected = whole(&mut cold, &device, still());
    for name in ["fixed", "moved"] {
        assert_eq!(
            bits(frame.geometry(name).unwrap()),
            bits(expected.geometry(name).unwrap()),
            "{name}"
        );
    }
}

fn presented(graph: &GraphDef, clock: Clock) -> Result<Present, zero_procgen::Error> {
    play(&cpu(), graph, inputs! {}, true).present(clock, &Exec::default())
}

#[test]
fn a_clock_that_no_step_can_reach_is_refused() {
    let graph = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
    for (clock, expected) in [
        (Clock::frame(1, 0.0), "the clock's time must be finite"),
        (Clock::at(f64::NAN, 60.0), "the clock's time must be finite"),
        (Clock::at(1e300, 60.0), "steps of"),
        (Clock::at(1e6, 60.0), "one present takes at most"),
    ] {
        let said = presented(&graph, clock).unwrap_err().to_string();
        assert!(said.contains(expected), "{clock:?}: {said}");
    }
    assert!(presented(&graph, Clock::at(-5.0, 60.0)).is_ok());
}

#[test]
fn a_minute_of_frames_is_a_step_a_frame() {
    let graph = Graph::define("count", |g| {
        let counted = g.step("count", Step::every(1.0 / 60.0), State::new(1).float("n"), |now, _| {
            Next::new().set("n", now.float("n") + 1.0)
        });
        g.output("n", counted.points());
    })
    .unwrap();
    let device: Device = cpu();
    let mut play = play(&device, &graph, inputs! {}, true);
    for frame in 0..4000 {
        whole(&mut play, &device, Clock::frame(frame, 60.0));
        assert_eq!(play.report().steps[0].steps, frame as u64 + 1, "frame {frame}");
    }
}

#[test]
fn numbers_alone_do_not_gather_in_the_store() {
    let graph = Graph::define("number", |g| g.output("n", g.float("a", 1.0) + 1.0)).unwrap();
    let device = cpu();
    let store = Store::new(
        &device,
        StoreOptions {
            budget_bytes: 64 * 1024,
        },
    );
    let mut play = Play::with_options(
        &store,
        &graph,
        inputs! {},
        PlayOptions {
            recorded: false,
            ..PlayOptions::default()
        },
    )
    .unwrap();
    for step in 0..500 {
        play.set_inputs(inputs! { a: step as f32 }).unwrap();
        whole(&mut play, &device, still());
    }
    assert!(store.stats().entries <= 64, "{:?}", store.stats());
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    let refused = |graph: &GraphDef| presented(graph, still()).unwrap_err().to_string();
    let merged = Graph::define("merged", |g| {
        let copies = g.add(instances::Place::new(
            g.add(points::Disc::new()),
            g.add(mesh::Box::new()),
        ));
        g.output("both", g.add(geometry::Merge::new([g.add(mesh::Box::new()), copies])));
    })
    .unwrap();
    assert!(
        refused(&merged).contains("geometry 2 is a population"),
        "{}",
        refused(&merged)
    );
    let turned = Graph::define("turned", |g| {
        let copies = g.add(instances::Place::new(
            g.add(points::Disc::new()),
            g.add(mesh::Box::new()),
        ));
        g.output("turned", g.add(geometry::Transform::new(copies).yaw_deg(10.0)));
    })
    .unwrap();
    assert!(refused(&turned).contains("got a population"), "{}", refused(&turned));
    let wide = Graph::define("wide", |g| {
        g.output(
            "wide",
            g.add(points::Grid::new().count_x(g.int("x", 65_536)).count_z(65_536)),
        );
    })
    .unwrap();
    assert!(
        refused(&wide).contains("expected at most 33554432 elements, got 4294967296"),
        "{}",
        refused(&wide)
    );
    let checked = Graph::define("checked", |g| {
        let start = g.add(mesh::Box::new());
        g.output(
            "folded",
            g.fold(3, start, |i: Int<'_>, so_far| {
                g.check(i.lt(2), "too far");
                so_far
            }),
        );
    });
    assert!(
        checked
            .unwrap_err()
            .to_string()
            .contains("'too far' is checked in a body")
    );
    let mirrored = Graph::define("mirrored", |g| {
        g.output(
            "m",
            g.add(geometry::Transform::new(g.add(mesh::Box::new())).scale([-1.0, 1.0, 1.0])),
        );
    });
    assert!(
        mirrored
            .unwrap_err()
            .to_string()
            .contains("g.geometry.transform failed: scale is ")
    );
    let bare = Graph::define("bare", |g| {
        let sums: Float<'_> = g.element().point("warmth");
        g.output("b", g.add(points::Grid::new()).point().set("heat", sums));
    })
    .unwrap();
    assert!(refused(&bare).contains("mixed.rs"), "{}", refused(&bare));
}
