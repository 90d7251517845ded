//! Folds: when they end, and when a list runs their passes.

use crate::common::{bits, cpu, devices, floats, play, still, whole};
use zero_compute::Exec;
use zero_procgen::nodes::{geometry, mesh, points};
use zero_procgen::{
    Col, Float, FoldReport, Geo, Graph, GraphDef, Int, Next, Play, Socket, State, Step, Vec3, inputs, vec3,
};

/// A grid whose points are drawn half of the way to the ground and turned a little, pass by pass.
fn settling() -> GraphDef {
    Graph::define("settling", |g| {
        let grid = g.add(points::Grid::new().count_x(8).count_z(8));
        let raised = grid
            .point()
            .set("P", g.position() + vec3(0.0, g.float("height", 8.0), 0.0));
        let share = g.float("share", 0.5);
        let settled = g.fold(g.int("passes", 6), raised, |_, so_far| {
            let place = so_far.point().set("P", g.position() * vec3(1.0, share, 1.0));
            g.add(geometry::Transform::new(place).yaw_deg(3.0))
        });
        g.output("settled", settled);
    })
    .unwrap()
}

fn only(play: &Play) -> FoldReport {
    assert_eq!(play.report().folds.len(), 1, "{:?}", play.report().folds);
    play.report().folds[0].clone()
}

fn of_bodies(play: &Play) -> usize {
    play.report().cooked.iter().filter(|node| node.place.is_none()).count()
}

#[test]
fn three_passes_or_more_over_the_device_are_recorded_once() {
    for device in devices() {
        let heights = |passes: i32| {
            let mut play = play(&device, &settling(), inputs! { passes: passes }, false);
            let frame = whole(&mut play, &device, still());
            (bits(frame.geometry("settled").unwrap()), only(&play), of_bodies(&play))
        };
        let (two, by_pass, cooked) = heights(2);
        assert_eq!((by_pass.passes, by_pass.recorded, by_pass.replayed), (2, 0, 0));
        let of_two = cooked;
        for passes in [3, 6, 40] {
            let (found, report, cooked) = heights(passes);
            assert_eq!((report.passes, report.recorded), (passes as u32, 1));
            assert_eq!(report.replayed, passes as u64 - 1);
            assert_eq!(report.reason, None);
            assert!(cooked < of_two, "{cooked} nodes for {passes} passes, {of_two} for two");
            assert_eq!(report.cooked, cooked as u64);
            // The same as passes written one after the other.
            let unrolled = Graph::define("unrolled", move |g| {
                let grid = g.add(points::Grid::new().count_x(8).count_z(8));
                let mut so_far = grid.point().set("P", g.position() + vec3(0.0, 8.0, 0.0));
                for _ in 0..passes {
                    let place = so_far.point().set("P", g.position() * vec3(1.0, 0.5, 1.0));
                    so_far = g.add(geometry::Transform::new(place).yaw_deg(3.0));
                }
                g.output("settled", so_far);
            })
            .unwrap();
            let mut play = play(&device, &unrolled, inputs! {}, false);
            let expected = whole(&mut play, &device, still());
            assert_eq!(found, bits(expected.geometry("settled").unwrap()), "{passes} passes");
            assert_ne!(found, two);
        }
    }
}

#[test]
fn a_recorded_fold_replays_in_a_recorded_cook() {
    for device in devices() {
        let mut moved = play(&device, &settling(), inputs! {}, true);
        whole(&mut moved, &device, still());
        for (turn, share) in [0.4f32, 0.3, 0.6, 0.7, 0.2].into_iter().enumerate() {
            moved
                .set_inputs(inputs! { share: share, height: share * 10.0 })
                .unwrap();
            let counting = device.counting();
            let frame = whole(&mut moved, &device, still());
            assert!(!moved.report().mismatched);
            if turn >= 2 {
                assert_eq!(moved.report().cooked, [], "share {share}");
            }
            if turn >= 3 {
                assert_eq!(counting.delta().allocations, 0, "share {share}");
            }
            let given = inputs! { share: share, height: share * 10.0 };
            let mut fresh = play(&device, &settling(), given, false);
            let expected = whole(&mut fresh, &device, still());
            assert_eq!(
                bits(frame.geometry("settled").unwrap()),
                bits(expected.geometry("settled").unwrap())
            );
        }
    }
}

#[test]
fn a_body_says_why_it_is_not_recorded() {
    let device = cpu();
    let graph = Graph::define("unlisted", |g| {
        let start = g.add(points::Grid::new());
        let numbered = g.fold(4, start, |pass, so_far: Geo<'_>| {
            so_far.point().set("n", pass.to_float())
        });
        let grown = g.fold(3, start, |_, so_far| g.add(geometry::Merge::new([so_far, start])));
        let (_, counted) = g.fold(5, (start, Float::from(0.0)), |_, (so_far, sum)| (so_far, sum + 1.0));
        let until = g.fold_until(9, start, |_, after| after.point().count().gt(3), |_, so_far| so_far);
        g.output("a", numbered);
        g.output("b", grown);
        g.output("c", counted);
        g.output("d", until);
    })
    .unwrap();
    let mut play = play(&device, &graph, inputs! {}, true);
    let frame = whole(&mut play, &device, still());
    let folds = &play.report().folds;
    let why: Vec<&str> = folds.iter().filter_map(|fold| fold.reason.as_deref()).collect();
    let expected = [
        "its body reads the number of the pass",
        "a pass leaves a state of another shape",
        "its state holds more than geometry, rasters and columns",
        "it ends by a function of its state",
    ];
    assert_eq!(why, expected);
    assert!(folds.iter().all(|fold| fold.recorded == 0 && fold.replayed == 0));
    assert_eq!(floats(frame.geometry("a").unwrap(), "n"), [4.0; 16]);
    assert_eq!(floats(frame.geometry("b").unwrap(), "P").len(), 3 * 16 * 4);
    assert_eq!(frame.number("c").unwrap(), [5.0]);
    assert_eq!(
        (folds[3].passes, folds[3].stop, folds[3].stopped),
        (1, Some("function"), true)
    );
}

#[test]
fn a_function_of_the_state_ends_a_fold() {
    let device = cpu();
    let graph = Graph::define("halves", |g| {
        let small = g.fold_until(
            g.int("passes", 20),
            g.float("from", 32.0),
            |before, after| (before - after).lt(g.float("step", 1.0)),
            |_, so_far| so_far * 0.5,
        );
        g.output("small", small);
    })
    .unwrap();
    let mut play = play(&device, &graph, inputs! {}, true);
    // The first pass that moves by less than the step: 1 to 0.5.
    for (given, expected, passes) in [
        (inputs! {}, 0.5, 6),
        (inputs! { step: 5.0 }, 4.0, 3),
        (inputs! { step: 5.0, from: 320.0 }, 2.5, 7),
        (inputs! { step: 1.0, from: 32.0, passes: 2 }, 8.0, 2),
        (inputs! { passes: 0 }, 32.0, 0),
    ] {
        play.set_inputs(given).unwrap();
        let frame = whole(&mut play, &device, still());
        assert_eq!(frame.number("small").unwrap(), [expected]);
        let report = only(&play);
        assert_eq!((report.passes, report.stopped), (passes, passes > 2));
    }
}

#[test]
fn a_state_that_no_longer_changes_ends_a_fold() {
    for device in devices() {
        let graph = Graph::define("rest", |g| {
            let line = g.add(
                points::Grid::new()
                    .count_x(9)
                    .count_z(1)
                    .spacing(g.float("spacing", 1.0)),
            );
            // Whole steps towards 3: from -4 it takes 7 of them, and an eighth to see that it rests.
            let settled = g.fold_until_unchanged(g.int("passes", 50), line, |_, so_far| {
                let x = g.position().x();
                so_far.point().set("P", vec3(x + (3.0 - x).sign(), 0.0, 0.0))
            });
            g.output("line", settled);
            let number = g.fold_until_unchanged(50, Int::from(1), |_, so_far: Int<'_>| (so_far * 2).min(37));
            g.output("number", number);
        })
        .unwrap();
        let mut play = play(&device, &graph, inputs! {}, true);
        let frame = whole(&mut play, &device, still());
        let rested = |frame: &zero_procgen::Frame| {
            let places = floats(frame.geometry("line").unwrap(), "P");
            assert!(places.chunks(3).all(|p| p[0] == 3.0), "{places:?}");
        };
        rested(&frame);
        assert_eq!(frame.number("number").unwrap(), [37.0]);
        let folds = &play.report().folds;
        assert_eq!(
            (folds[0].passes, folds[0].stop, folds[0].stopped),
            (8, Some("unchanged"), true)
        );
        assert_eq!((folds[0].recorded, folds[0].replayed), (1, 7));
        // 2, 4, 8, 16, 32, 37 and 37.
        assert_eq!((folds[1].passes, folds[1].stopped), (7, true));
        // A moved number is cooked anew, since how many passes it takes shows only on the device.
        for spacing in [2.0f32, 3.0, 1.0, 2.0] {
            play.set_inputs(inputs! { spacing: spacing }).unwrap();
            rested(&whole(&mut play, &device, still()));
            if spacing != 1.0 {
                assert!(play.report().folds[0].stopped);
            }
        }
        play.set_inputs(inputs! { passes: 3, spacing: 1.0 }).unwrap();
        let places = floats(whole(&mut play, &device, still()).geometry("line").unwrap(), "P");
        assert_eq!(places[0], -1.0);
        assert!(!play.report().folds[0].stopped);
    }
}

#[test]
fn columns_that_swap_places_are_recorded_as_they_stood() {
    for device in devices() {
        let graph = Graph::define("swap", |g| {
            let id = g.element().id().to_float();
            let (a, b): (Col<'_>, Col<'_>) = (g.column_of(4, id), g.column_of(4, id * 10.0));
            let (a, b) = g.fold(5, (a, b), |_, (a, b)| {
                let sum: Float<'_> = a.read::<Float<'_>>() + b.read::<Float<'_>>();
                (b, g.column_of(4, sum))
            });
            let points = g.empty().point().set_count(4).point().set("a", a);
            g.output("points", points.point().set("b", b));
        })
        .unwrap();
        let mut play = play(&device, &graph, inputs! {}, false);
        let frame = whole(&mut play, &device, still());
        assert_eq!(only(&play).recorded, 1);
        let points = frame.geometry("points").unwrap();
        let (mut a, mut b): (Vec<f32>, Vec<f32>) = (
            (0..4).map(|n| n as f32).collect(),
            (0..4).map(|n| n as f32 * 10.0).collect(),
        );
        for _ in 0..5 {
            let sum = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            a = std::mem::replace(&mut b, sum);
        }
        assert_eq!((floats(points, "a"), floats(points, "b")), (a, b));
    }
}

#[test]
fn a_fold_in_a_step_is_part_of_the_step_s_list() {
    for device in devices() {
        let graph = Graph::define("relaxed", |g| {
            let state = State::new(16).float("x");
            let relaxed = g.step("relaxed", Step::every(0.1), state, |now, _| {
                let start = now.column("x");
                let moved = g.fold(4, start, |_, so_far: Col<'_>| {
                    let x: Float<'_> = so_far.read();
                    g.column_of(16, x * 0.5 + 1.0)
                });
                Next::new().set("x", moved.read::<Float<'_>>())
            });
            g.output("points", relaxed.points());
        })
        .unwrap();
        let mut play = play(&device, &graph, inputs! {}, true);
        for frame in 0..4 {
            let shown = whole(&mut play, &device, zero_procgen::Clock::frame(frame, 10.0));
            let expected = (0..4 * (frame + 1)).fold(0.0f32, |x, _| x * 0.5 + 1.0);
            assert!(
                floats(shown.geometry("points").unwrap(), "x")
                    .iter()
                    .all(|x| *x == expected)
            );
        }
        assert_eq!(play.report().steps[0].recorded, 1);
    }
}

#[test]
fn what_a_geometry_holds_is_asked_at_the_build_where_it_is_known() {
    let device = cpu();
    let graph = Graph::define("holds", |g| {
        let given = g.geometry("given");
        let warm = given.point().set("heat", Float::from(20.0));
        let cold = warm.point().remove("heat");
        // Known from the write, the removal and past a write of another column.
        let known = |socket: zero_procgen::Bool<'_>| socket.wire() == zero_procgen::Wire::Bool(true);
        assert!(known(warm.point().has("heat")));
        assert!(known(warm.point().set("P", g.position()).point().has("heat")));
        assert!(known(!cold.point().has("heat")));
        assert!(known(!g.empty().point().has("P")));
        assert!(known(
            !warm
                .primitive()
                .remove("heat")
                .vertex()
                .remove("heat")
                .point()
                .remove("heat")
                .point()
                .has("heat")
        ));
        // Asked of the cook.
        g.output("warm", given.point().has("heat").choose::<Geo<'_>>(given, warm));
        let weight: Float<'_> = given.detail("weight");
        g.output("weight", weight * 2.0);
        let line = g
            .empty()
            .point()
            .set_count(g.int("count", 3))
            .point()
            .set("x", g.element().id().to_float());
        g.output("line", line.set_detail("unit", Vec3::from([0.0, 1.0, 0.0])));
    })
    .unwrap();
    let mut host = zero_procgen::HostGeometry::new();
    host.set(
        zero_procgen::Class::Point,
        "P",
        zero_procgen::HostColumn::Vec3(vec![[1.0; 3]]),
    )
    .unwrap();
    host.set_detail(
        "weight",
        zero_procgen::HostDetail::Number(zero_procgen::HostColumn::Float(vec![4.5])),
    );
    let given = host.upload(&device).unwrap();
    let mut play = play(&device, &graph, inputs! { given: given }, true);
    let frame = whole(&mut play, &device, still());
    assert_eq!(floats(frame.geometry("warm").unwrap(), "heat"), [20.0]);
    assert_eq!(frame.number("weight").unwrap(), [9.0]);
    assert_eq!(floats(frame.geometry("line").unwrap(), "x"), [0.0, 1.0, 2.0]);
    host.set(
        zero_procgen::Class::Point,
        "heat",
        zero_procgen::HostColumn::Float(vec![7.0]),
    )
    .unwrap();
    play.set_inputs(inputs! { given: host.upload(&device).unwrap() })
        .unwrap();
    let frame = whole(&mut play, &device, still());
    assert_eq!(floats(frame.geometry("warm").unwrap(), "heat"), [7.0]);
    // A count stands where columns hang on it; a detail that is not there is told with those that are.
    let refused = Graph::define("refused", |g| {
        let boxed = g.add(mesh::Box::new()).set_detail("mass", Float::from(1.0));
        let weight: Float<'_> = boxed.detail("weight");
        g.output("weight", weight);
    })
    .unwrap();
    let mut play = crate::common::play(&device, &refused, inputs! {}, true);
    let said = play.present(still(), &Exec::default()).unwrap_err().to_string();
    assert!(said.contains("no detail named 'weight'; there are mass"), "{said}");
}
