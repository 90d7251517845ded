//! Work done, counted.

use crate::common::{bits, devices, floats, play, still, whole};
use crate::graphs::{particles, tower};
use zero_compute::Stats;
use zero_procgen::nodes::points;
use zero_procgen::{Clock, Float, Graph, Play, PlayOptions, Store, StoreOptions, inputs};

/// The work among the counts: what is held is no work.
fn work(stats: Stats) -> Stats {
    Stats {
        live_bytes: 0,
        pooled_bytes: 0,
        reading_bytes: 0,
        ..stats
    }
}

#[test]
fn a_chain_of_a_hundred_operators_is_one_dispatch() {
    for device in devices() {
        let graph = Graph::define("chain", |g| {
            let points = g.add(points::Grid::new().count_x(16).count_z(16));
            let mut value: Float<'_> = g.position().x();
            for step in 0..50 {
                value = value * 1.01 + step as f32;
            }
            g.output("points", points.point().set("value", value));
        })
        .unwrap();
        let gathered = graph.plan().unwrap().nodes().map(|node| node.operators).max();
        // A hundred of the chain and the read of x.
        assert_eq!(gathered, Some(101));
        let mut play = play(&device, &graph, inputs! {}, false);
        let counting = device.counting();
        let frame = whole(&mut play, &device, still());
        assert_eq!(counting.delta().dispatches, 2, "one for P, one for the chain");
        let points = frame.geometry("points").unwrap();
        let values = floats(points, "value");
        for (place, x) in floats(points, "P").chunks(3).map(|p| p[0]).enumerate() {
            let expected = (0..50).fold(x, |value, step| value * 1.01 + step as f32);
            assert_eq!(values[place].to_bits(), expected.to_bits());
        }
    }
}

#[test]
fn an_unchanged_present_does_nothing() {
    for device in devices() {
        let graph = Graph::define("tower", |g| g.output("tower", tower(g))).unwrap();
        let mut play = play(&device, &graph, inputs! {}, true);
        whole(&mut play, &device, still());
        let counting = device.counting();
        let same = play.shown().cloned().unwrap();
        let frame = whole(&mut play, &device, still());
        assert_eq!(work(counting.delta()), Stats::default());
        assert!(play.report().cooked.is_empty());
        assert_eq!(frame.geometry("tower").unwrap(), same.geometry("tower").unwrap());
    }
}

#[test]
fn a_moved_number_replays() {
    for device in devices() {
        let graph = Graph::define("tower", |g| {
            g.check(g.float("width", 8.0).gt(0.0), "the width is not above 0");
            g.output("tower", tower(g));
        })
        .unwrap();
        let mut moved = play(&device, &graph, inputs! {}, true);
        whole(&mut moved, &device, still());
        let cold = play(&device, &graph, inputs! {}, false).plan().len();
        for (index, width) in [6.0f32, 7.0, 7.5, 9.0, 4.25].into_iter().enumerate() {
            moved.set_inputs(inputs! { width: width }).unwrap();
            let counting = device.counting();
            let frame = whole(&mut moved, &device, still());
            let (report, delta) = (moved.report().clone(), counting.delta());
            assert!(!report.mismatched);
            assert!(report.replayed < cold);
            if index >= 2 {
                assert_eq!(report.cooked, [], "width {width}");
                assert!(report.replayed > 0 && delta.dispatches > 0);
                assert_eq!((delta.lists, delta.programs, delta.bind_groups), (0, 0, 0));
            }
            if index >= 3 {
                assert_eq!(delta.allocations, 0, "width {width}");
            }
            let mut fresh = play(&device, &graph, inputs! { width: width }, false);
            let expected = whole(&mut fresh, &device, still());
            let (found, expected) = (frame.geometry("tower").unwrap(), expected.geometry("tower").unwrap());
            assert_eq!(bits(found), bits(expected), "width {width}");
        }
        // A check that a replay's numbers break refuses as a cook would, and what stood stands.
        moved.set_inputs(inputs! { width: -1.0 }).unwrap();
        let refused = moved.present(still(), &zero_compute::Exec::default()).unwrap_err();
        assert!(refused.to_string().contains("the width is not above 0"), "{refused}");
        assert!(moved.shown().is_some());
        moved.set_inputs(inputs! { width: 4.5 }).unwrap();
        whole(&mut moved, &device, still());
        assert_eq!(
            moved.report().cooked,
            [],
            "a refused replay leaves the recording as it was"
        );
        assert!(moved.report().replayed > 0);
    }
}

#[test]
fn a_number_that_decides_is_cooked_each_time() {
    for device in devices() {
        let graph = Graph::define("disc", |g| {
            g.output("disc", g.add(points::Disc::new().count(g.int("count", 10))));
        })
        .unwrap();
        let mut play = play(&device, &graph, inputs! {}, true);
        for count in [10, 20, 30, 20, 5] {
            play.set_inputs(inputs! { count: count }).unwrap();
            let frame = whole(&mut play, &device, still());
            assert_eq!(floats(frame.geometry("disc").unwrap(), "P").len(), 3 * count as usize);
        }
    }
}

#[test]
fn a_step_cooks_and_allocates_nothing_from_the_third_on() {
    for device in devices() {
        let graph = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
        let mut steps = play(&device, &graph, inputs! {}, true);
        for frame in 0..8 {
            let counting = device.counting();
            let shown = whole(&mut steps, &device, Clock::frame(frame, 60.0));
            let delta = counting.delta();
            drop(shown);
            if frame >= 2 {
                assert_eq!(steps.report().cooked, [], "frame {frame}");
                assert_eq!((delta.allocations, delta.uploads), (0, 0), "frame {frame}");
                assert_eq!(
                    (delta.lists, delta.programs, delta.bind_groups),
                    (0, 0, 0),
                    "frame {frame}"
                );
                assert_eq!(steps.report().steps[0].reason, None);
            }
        }
        let report = steps.report().steps[0].clone();
        assert_eq!((report.steps, report.recorded, report.replays), (8, 1, 7));
        let found = bits(
            whole(&mut steps, &device, Clock::frame(7, 60.0))
                .geometry("sparks")
                .unwrap(),
        );
        let mut cooked = play(&device, &graph, inputs! {}, false);
        let expected = bits(
            whole(&mut cooked, &device, Clock::frame(7, 60.0))
                .geometry("sparks")
                .unwrap(),
        );
        assert_eq!(found, expected);
        assert!(expected.iter().any(|value| *value != 0));
    }
}

#[test]
fn a_frame_that_is_held_keeps_what_it_showed() {
    for device in devices() {
        let graph = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
        let mut steps = play(&device, &graph, inputs! {}, true);
        let held: Vec<_> = (0..6)
            .map(|frame| whole(&mut steps, &device, Clock::frame(frame, 60.0)))
            .collect();
        for (frame, shown) in held.iter().enumerate() {
            let mut alone = play(&device, &graph, inputs! {}, false);
            let expected = whole(&mut alone, &device, Clock::frame(frame as i32, 60.0));
            let (found, expected) = (shown.geometry("sparks").unwrap(), expected.geometry("sparks").unwrap());
            assert_eq!(bits(found), bits(expected), "frame {frame}");
        }
    }
}

#[test]
fn a_step_begins_again_when_the_clock_goes_back_or_what_it_reads_moves() {
    for device in devices() {
        let graph = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
        let mut steps = play(&device, &graph, inputs! {}, true);
        let early = bits(
            whole(&mut steps, &device, Clock::frame(3, 60.0))
                .geometry("sparks")
                .unwrap(),
        );
        whole(&mut steps, &device, Clock::frame(9, 60.0));
        let back = bits(
            whole(&mut steps, &device, Clock::frame(3, 60.0))
                .geometry("sparks")
                .unwrap(),
        );
        assert_eq!(early, back);
        assert_eq!(steps.report().steps[0].restarts, 1);
        assert_eq!(steps.report().steps[0].recorded, 1, "a restart cooks nothing");
        steps.set_inputs(inputs! { spread: 3.0 }).unwrap();
        let wide = bits(
            whole(&mut steps, &device, Clock::frame(3, 60.0))
                .geometry("sparks")
                .unwrap(),
        );
        let mut fresh = play(&device, &graph, inputs! { spread: 3.0 }, false);
        let expected = bits(
            whole(&mut fresh, &device, Clock::frame(3, 60.0))
                .geometry("sparks")
                .unwrap(),
        );
        assert_eq!(wide, expected);
        assert_ne!(wide, early);
    }
}

#[test]
fn equal_nodes_of_two_graphs_cook_once() {
    for device in devices() {
        let store = Store::new(&device, StoreOptions::default());
        let options = PlayOptions {
            recorded: false,
            ..PlayOptions::default()
        };
        let define = |name: &str| Graph::define(name, |g| g.output("tower", tower(g))).unwrap();
        let mut first = Play::with_options(&store, &define("one"), inputs! {}, options).unwrap();
        let mut second = Play::with_options(&store, &define("two"), inputs! {}, options).unwrap();
        whole(&mut first, &device, still());
        let counting = device.counting();
        whole(&mut second, &device, still());
        assert_eq!(second.report().cooked, []);
        assert_eq!(counting.delta().dispatches, 0);
    }
}

#[test]
fn the_store_keeps_to_its_budget() {
    for device in devices() {
        let graph = Graph::define("disc", |g| {
            g.output(
                "disc",
                g.add(points::Disc::new().count(1000).radius(g.float("radius", 1.0))),
            );
        })
        .unwrap();
        let budget = 64 * 1024;
        let store = Store::new(&device, StoreOptions { budget_bytes: budget });
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
        for step in 0..20 {
            play.set_inputs(inputs! { radius: 1.0 + step as f32 }).unwrap();
            whole(&mut play, &device, still());
            assert!(store.stats().bytes <= budget);
        }
        assert!(store.stats().evicted > 0);
        // A value that was let go of is made again, and says so.
        play.set_inputs(inputs! { radius: 1.0 }).unwrap();
        whole(&mut play, &device, still());
        assert!(!play.report().cooked.is_empty());
    }
}
