//! Cancellation, budgets and refusals leave what stood standing.

use crate::common::{bits, cpu, devices, play, still, whole};
use crate::graphs::tower;
use zero_compute::{CancelToken, Exec, ManualClock, SLICE};
use zero_procgen::nodes::{field, points};
use zero_procgen::{Graph, GraphDef, Present, inputs};

fn heavy() -> GraphDef {
    Graph::define("heavy", |g| {
        let points = g.add(
            points::Grid::new()
                .count_x(1024)
                .count_z(1024)
                .spacing(g.float("spacing", 1.0)),
        );
        let noise = g.add(field::Fbm::new(g.position() * 0.01).octaves(6));
        g.output("points", points.point().set("noise", noise));
    })
    .unwrap()
}

#[test]
fn a_cancelled_present_stops_and_the_next_one_finishes() {
    for device in devices() {
        let graph = Graph::define("tower", |g| g.output("tower", tower(g))).unwrap();
        let mut stopped = play(&device, &graph, inputs! {}, true);
        let before = bits(whole(&mut stopped, &device, still()).geometry("tower").unwrap());
        stopped.set_inputs(inputs! { width: 3.0 }).unwrap();
        let cancel = CancelToken::new();
        cancel.cancel();
        let exec = Exec {
            cancel: &cancel,
            ..Exec::default()
        };
        assert!(stopped.present(still(), &exec).unwrap_err().is_cancelled());
        let standing = bits(stopped.shown().unwrap().geometry("tower").unwrap());
        assert_eq!(standing, before);
        let after = bits(whole(&mut stopped, &device, still()).geometry("tower").unwrap());
        let mut fresh = play(&device, &graph, inputs! { width: 3.0 }, false);
        assert_eq!(
            after,
            bits(whole(&mut fresh, &device, still()).geometry("tower").unwrap())
        );
    }
}

/// A clock that moves on by itself each time it is read, so that a budget runs out after a known number of looks.
struct Ticking(ManualClock);

impl zero_compute::Clock for Ticking {
    fn now_ms(&self) -> f64 {
        self.0.advance_ms(1.0);
        self.0.now_ms()
    }
}

#[test]
fn a_budget_hands_back_between_slices_and_the_present_goes_on() {
    let device = cpu();
    let graph = heavy();
    let mut slow = play(&device, &graph, inputs! {}, true);
    let clock = Ticking(ManualClock::default());
    let exec = Exec {
        budget_ms: Some(3.0),
        clock: &clock,
        ..Exec::default()
    };
    let mut pending = 0;
    let frame = loop {
        match slow.present(still(), &exec).unwrap() {
            Present::Whole(frame) => break frame,
            Present::Pending => pending += 1,
        }
        assert!(pending < 1000);
    };
    // Two dispatches over 2^20 elements are 32 slices, of which a budget of three looks at the clock lets few pass.
    assert!(pending >= (2 << 20) / SLICE as usize / 4, "{pending} times pending");
    let mut quick = play(&device, &graph, inputs! {}, true);
    let expected = whole(&mut quick, &device, still());
    assert_eq!(
        bits(frame.geometry("points").unwrap()),
        bits(expected.geometry("points").unwrap())
    );
}

#[test]
fn other_inputs_let_go_of_what_is_pending() {
    let device = cpu();
    let graph = heavy();
    let mut play = play(&device, &graph, inputs! {}, true);
    let clock = Ticking(ManualClock::default());
    let exec = Exec {
        budget_ms: Some(2.0),
        clock: &clock,
        ..Exec::default()
    };
    assert!(matches!(play.present(still(), &exec).unwrap(), Present::Pending));
    play.set_inputs(inputs! { spacing: 2.0 }).unwrap();
    let frame = whole(&mut play, &device, still());
    let mut fresh = crate::common::play(&device, &graph, inputs! { spacing: 2.0 }, true);
    let expected = whole(&mut fresh, &device, still());
    assert_eq!(
        bits(frame.geometry("points").unwrap()),
        bits(expected.geometry("points").unwrap())
    );
    assert_eq!(device.queued(), 0);
}
