//! The playhead of a timeline, and what a step reads of the time between two presents.

use crate::common::{bits, cpu, devices, floats, play, whole};
use zero_compute::Exec;
use zero_procgen::{
    Bool, Clock, Ending, Float, Frame, Graph, GraphDef, Next, Now, Pace, Play, PlayOn, Present, State, Step, Timeline,
    Transport, inputs, vec3,
};

fn transport(timeline: Timeline, play_on: PlayOn) -> Transport {
    Transport::new(timeline, play_on).unwrap()
}

/// The frames that pass as ticks of a length do.
fn frames(transport: &mut Transport, tick_secs: f64, ticks: usize) -> Vec<i32> {
    let tick = |_| {
        transport.advance(tick_secs).unwrap();
        transport.frame()
    };
    (0..ticks).map(tick).collect()
}

#[test]
fn a_timeline_holds_its_last_frame_or_begins_again() {
    let four = Timeline::new(10.0).frames(4);
    let mut held = transport(four, PlayOn::Load);
    assert_eq!(frames(&mut held, 0.1, 5), [1, 2, 3, 3, 3]);
    assert!(held.take_finished() && !held.take_finished() && !held.is_playing());
    held.play();
    assert_eq!(
        (held.frame(), held.is_playing()),
        (0, true),
        "a held one plays from its start"
    );
    assert_eq!(held.clock(), Clock::frame(0, 10.0).lasting(0.4));
    let mut looped = transport(four.looping(), PlayOn::Load);
    assert_eq!(frames(&mut looped, 0.1, 6), [1, 2, 3, 0, 1, 2]);
    assert!(!looped.take_finished());
    // What the host says goes before what the graph states.
    looped.set_ending(Ending::Hold);
    assert_eq!(frames(&mut looped, 0.1, 2), [3, 3]);
    looped.clear_ending();
    looped.play();
    assert_eq!(frames(&mut looped, 0.1, 5), [1, 2, 3, 0, 1]);
    // Sixtieths of a second add up to whole frames.
    let mut long = transport(Timeline::new(60.0).frames(100_000), PlayOn::Load);
    assert_eq!(frames(&mut long, 1.0 / 60.0, 5000), (1..=5000).collect::<Vec<i32>>());
}

#[test]
fn a_range_and_a_speed_say_which_frames_pass() {
    let mut ranged = transport(Timeline::new(10.0).frames(100).looping(), PlayOn::Load);
    ranged.set_range(5, 7).unwrap();
    assert_eq!(ranged.frame(), 5);
    assert_eq!(frames(&mut ranged, 0.1, 4), [6, 7, 5, 6]);
    ranged.set_speed(-1.0).unwrap();
    assert_eq!(frames(&mut ranged, 0.1, 3), [5, 7, 6]);
    ranged.set_ending(Ending::Hold);
    assert_eq!(frames(&mut ranged, 0.1, 3), [5, 5, 5]);
    assert!(ranged.take_finished());
    ranged.play();
    assert_eq!(ranged.frame(), 7);
    ranged.set_speed(0.0).unwrap();
    assert_eq!(frames(&mut ranged, 0.1, 2), [7, 7]);
    ranged.seek_frame(50);
    assert_eq!(ranged.frame(), 7, "outside the range to the nearest frame of it");
    ranged.clear_range();
    ranged.seek(2.05).unwrap();
    assert_eq!((ranged.frame(), ranged.last()), (20, Some(99)));
    // A timeline without an end gets one from a range alone.
    let mut endless = transport(Timeline::default(), PlayOn::Auto);
    assert!(endless.is_playing() && !endless.ends());
    let said = endless.set_speed(-1.0).unwrap_err().to_string();
    assert!(
        said.contains("without an end is not played backwards; give it a range"),
        "{said}"
    );
    endless.set_range(0, 29).unwrap();
    endless.set_speed(-1.0).unwrap();
    assert_eq!(endless.clock().duration_secs, 0.5);
    assert!(!transport(Timeline::new(10.0).frames(3), PlayOn::Auto).is_playing());
    for (refused, expected) in [
        (endless.set_range(3, 2), "got 3 to 2"),
        (endless.set_fps(0.0), "above 0, got 0"),
        (endless.seek(f64::NAN), "a time to seek: expected a finite number"),
        (endless.advance(-1.0), "expected 0 or more, got -1 s"),
        (
            Transport::new(Timeline::new(10.0).frames(0), PlayOn::Auto).map(drop),
            "frames, got 0",
        ),
    ] {
        let said = refused.unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn real_time_leaves_frames_out_and_frames_do_not() {
    let timeline = Timeline::new(10.0).frames(20);
    let mut by_frames = transport(timeline, PlayOn::Load);
    assert_eq!(frames(&mut by_frames, 0.35, 3), [1, 2, 3]);
    let mut real = transport(timeline.real_time(), PlayOn::Load);
    assert_eq!(frames(&mut real, 0.35, 3), [3, 7, 10]);
    assert!((real.time_secs() - 1.05).abs() < 1e-9, "{}", real.time_secs());
    assert_eq!(frames(&mut real, 5.0, 1), [19]);
    assert_eq!(real.time_secs(), 1.9, "it holds on its last frame");
    real.set_pace(Pace::Frames);
    real.seek(0.55).unwrap();
    assert_eq!(real.time_secs(), 0.5);
}

/// A count of steps, with a timeline of six frames.
fn counted() -> GraphDef {
    Graph::define("counted", |g| {
        g.timeline(Timeline::new(10.0).frames(6).looping());
        assert_eq!(g.clock().timeline().unwrap().frames, Some(6));
        let count = g.step("count", Step::every(0.1), State::new(1).float("n"), |now, _| {
            Next::new().set("n", now.float("n") + 1.0)
        });
        g.output("count", count.points());
        g.output("at", g.clock().time() / g.clock().duration());
    })
    .unwrap()
}

fn shown(frame: &Frame) -> (f32, f32) {
    (
        floats(frame.geometry("count").unwrap(), "n")[0],
        frame.number("at").unwrap()[0],
    )
}

fn ticked(play: &mut Play) -> (f32, f32) {
    let present = play.tick(0.1, &Exec::default()).unwrap();
    let frame = match present {
        Present::Whole(frame) => frame,
        Present::Pending => {
            let (device, clock) = (play.device().clone(), play.transport().clock());
            whole(play, &device, clock)
        }
    };
    shown(&frame)
}

#[test]
fn a_play_loops_its_timeline_with_a_fresh_simulation_and_no_cook() {
    let graph = counted();
    assert_eq!(graph.timeline(), Some(Timeline::new(10.0).frames(6).looping()));
    for device in devices() {
        let mut looped = play(&device, &graph, inputs! {}, true);
        assert!(!looped.transport().is_playing(), "one with an end waits");
        looped.transport_mut().play();
        let expected = |frame: i32| (frame as f32 + 1.0, (f64::from(frame) / 10.0) as f32 / 0.6);
        for tick in 1..=14 {
            assert_eq!(ticked(&mut looped), expected(tick % 6), "tick {tick}");
            if tick > 6 {
                assert!(
                    looped.report().cooked.is_empty(),
                    "tick {tick}: {:?}",
                    looped.report().cooked
                );
                assert_eq!(looped.report().device.allocations, 0, "tick {tick}");
            }
        }
        looped.seek(0.3, &Exec::default()).unwrap();
        let clock = looped.transport().clock();
        assert_eq!(shown(&whole(&mut looped, &device, clock)), expected(3));
    }
    // A timeline is part of what a graph says.
    let other = Graph::define("counted", |g| g.output("at", g.clock().time())).unwrap();
    let stated = Graph::define("counted", |g| {
        g.timeline(Timeline::new(10.0));
        g.output("at", g.clock().time());
    });
    assert_ne!(other.hash().unwrap(), stated.unwrap().hash().unwrap());
    let refused = Graph::define("refused", |g| {
        g.timeline(Timeline::new(10.0));
        g.timeline(Timeline::new(20.0));
    });
    assert!(refused.unwrap_err().to_string().contains("two timelines are stated"));
}

/// A value at the element that a substep is the number of; what the others hold.
fn kept<'g>(mine: Bool<'g>, now: Now<'g>, name: &str, value: Float<'g>) -> Float<'g> {
    mine.choose(value, now.float(name))
}

/// What each substep of a step reads of the present's span, kept in the slot of its number.
fn sampled() -> GraphDef {
    Graph::define("sampled", |g| {
        let moved = (g.clock().time() * 3.0 + 1.0) * g.float("wide", 2.0);
        let frame = g.clock().frame().to_float();
        let state = State::new(16)
            .float("moved")
            .float("frame")
            .float("progress")
            .float("next")
            .float("start");
        let kept = g.step("kept", Step::every(0.1).substeps(2), state, |now, step| {
            let mine = step.index().equals(g.element().id());
            Next::new()
                .set("moved", kept(mine, now, "moved", step.sample(moved)))
                .set("frame", kept(mine, now, "frame", step.sample(frame)))
                .set("progress", kept(mine, now, "progress", step.progress()))
                .set("next", kept(mine, now, "next", step.between(step.index() + 1)))
                .set("start", kept(mine, now, "start", step.start()))
        });
        g.output("kept", kept.points());
    })
    .unwrap()
}

#[test]
fn a_step_samples_what_follows_the_clock_at_its_own_time() {
    for device in devices() {
        let mut kept = play(&device, &sampled(), inputs! {}, true);
        // The first present covers no time, the next 0.35 s, the one after 0.2 s.
        for time in [0.0, 0.35, 0.55] {
            whole(&mut kept, &device, Clock::at(time, 20.0));
        }
        let frame = whole(&mut kept, &device, Clock::at(0.55, 20.0));
        let geometry = frame.geometry("kept").unwrap();
        let near = |name: &str, expected: [f32; 12]| {
            let held = floats(geometry, name);
            for (at, expected) in expected.iter().enumerate() {
                assert!((held[at] - expected).abs() < 1e-5, "{name} {at}: {held:?}");
            }
        };
        let times: [f32; 12] = std::array::from_fn(|at| at as f32 * 0.05);
        near("moved", times.map(|time| (time * 3.0 + 1.0) * 2.0));
        near("frame", std::array::from_fn(|at| at as f32));
        near("start", std::array::from_fn(|at| (at / 2) as f32 * 0.1));
        let through = |time: f32| match time {
            _ if time < 0.09 => 1.0,
            _ if time < 0.36 => (time / 0.35).min(1.0),
            _ => ((time - 0.35) / 0.2).min(1.0),
        };
        near("progress", times.map(through));
        // By the next substep the last of each present is past its end.
        let next = |at: usize| match at {
            0 | 1 => 1.0,
            2..=7 => (times[at] + 0.05) / 0.35,
            _ => (times[at] + 0.05 - 0.35) / 0.2,
        };
        near("next", std::array::from_fn(|at| next(at).min(1.0)));
        // Substeps that differ by their time alone are one list.
        let step = &kept.report().steps[0];
        assert_eq!((step.recorded, step.reason.as_deref()), (1, None), "{step:?}");
        // A present that replays it reads the span of its own.
        whole(&mut kept, &device, Clock::at(0.6, 20.0));
        assert!(kept.report().cooked.is_empty());
        // Beginning again covers the time from 0 on.
        let again = whole(&mut kept, &device, Clock::at(0.2, 20.0));
        let progress = floats(again.geometry("kept").unwrap(), "progress");
        assert!((progress[2] - 0.5).abs() < 1e-5 && progress[0] == 0.0, "{progress:?}");
        let mut cold = play(&device, &sampled(), inputs! {}, false);
        let cold = whole(&mut cold, &device, Clock::at(0.2, 20.0));
        assert_eq!(
            bits(cold.geometry("kept").unwrap()),
            bits(again.geometry("kept").unwrap())
        );
    }
}

#[test]
fn what_is_cooked_once_a_present_is_not_sampled() {
    let refused = Graph::define("refused", |g| {
        let ring = g.add(zero_procgen::nodes::points::Disc::new().radius(g.clock().time() + 1.0));
        let wide = ring.point().count();
        let kept = g.step("kept", Step::every(0.1), State::new(1).float("n"), |_, step| {
            Next::new().set("n", step.sample(wide.to_float()))
        });
        g.output("kept", kept.points());
    });
    let said = refused.unwrap_err().to_string();
    assert!(
        said.contains("operators over the clock; construct.count reads the clock too"),
        "{said}"
    );
    // What stands still may come from anywhere.
    let fine = Graph::define("fine", |g| {
        let wide = g.add(zero_procgen::nodes::points::Disc::new().count(7)).point().count();
        let kept = g.step("kept", Step::every(0.1), State::new(1).vec3("P"), |_, step| {
            let by = step.sample(wide.to_float() + g.clock().time());
            Next::new().set("P", vec3(by, 0.0, 0.0))
        });
        g.output("kept", kept.points());
    });
    let device = cpu();
    let mut kept = play(&device, &fine.unwrap(), inputs! {}, true);
    let frame = whole(&mut kept, &device, Clock::at(0.25, 10.0));
    let [x, ..] = floats(frame.geometry("kept").unwrap(), "P")[..] else {
        panic!("no place")
    };
    assert!((x - 7.2).abs() < 1e-5, "{x}");
}

#[test]
fn the_live_digest_is_of_what_the_graph_reads() {
    let device = cpu();
    let graph = Graph::define("live", |g| {
        g.output("at", g.clock().frame().to_float() * g.float("by", 2.0));
        g.output("still", g.float("by", 2.0) * 3.0);
    });
    let live = play(&device, &graph.unwrap(), inputs! {}, true);
    let at = |clock: Clock| live.live_digest(&clock);
    assert_eq!(
        at(Clock::at(0.11, 10.0)),
        at(Clock::at(0.19, 10.0)),
        "the frame alone is read"
    );
    assert_ne!(at(Clock::at(0.11, 10.0)), at(Clock::at(0.21, 10.0)));
}
