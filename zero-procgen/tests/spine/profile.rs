//! What a report says of each node, and what a value says of itself.

use crate::common::{cpu, devices, play, still, whole};
use crate::graphs::tower;
use std::sync::atomic::{AtomicU32, Ordering};
use zero_compute::{Exec, ManualClock};
use zero_procgen::nodes::{geometry, instances, mesh, points};
use zero_procgen::{Graph, Play, PlayOptions, Present, Store, StoreOptions, Why, inputs, vec3};

/// A clock that moves on by a millisecond each time it is read.
struct Ticking(ManualClock);

impl zero_compute::Clock for Ticking {
    fn now_ms(&self) -> f64 {
        self.0.advance_ms(1.0);
        self.0.now_ms()
    }
}

fn present(play: &mut Play) {
    let clock = Ticking(ManualClock::default());
    let exec = Exec {
        clock: &clock,
        ..Exec::default()
    };
    while let Present::Pending = play.present(still(), &exec).unwrap() {
        play.device().poll();
    }
}

#[test]
fn a_profile_tells_what_each_line_took_and_why() {
    for device in devices() {
        static LINE: AtomicU32 = AtomicU32::new(0);
        let graph = Graph::define("lines", |g| {
            LINE.store(line!() + 1, Ordering::Relaxed);
            let ring = g.add(points::Disc::new().count(100).radius(g.float("radius", 1.0)));
            let cone = g.add(mesh::Cone::new().height(g.float("height", 1.0)));
            g.output("crowd", g.add(instances::Place::new(ring, cone)));
        })
        .unwrap();
        let store = Store::new(&device, StoreOptions::default());
        let options = PlayOptions {
            recorded: false,
            profiled: true,
        };
        let mut timed = Play::with_options(&store, &graph, inputs! {}, options).unwrap();
        present(&mut timed);
        let report = timed.report();
        let rows = report.profile().rows;
        let row = rows.iter().find(|row| row.node == "points.disc").unwrap();
        assert_eq!(
            (&*row.site.file, row.site.line),
            (file!(), LINE.load(Ordering::Relaxed))
        );
        // One dispatch writes a hundred points of three floats.
        assert_eq!((row.dispatches, row.bytes), (1, 1200), "{row:?}");
        assert_eq!(row.why.iter().collect::<Vec<_>>(), [&Why::First]);
        assert!(
            rows.iter().all(|row| row.time_ms.is_some_and(|time| time >= 1.0)),
            "{rows:?}"
        );
        assert!(rows.windows(2).all(|pair| pair[0].time_ms >= pair[1].time_ms));
        let each: u64 = rows.iter().map(|row| row.dispatches).sum();
        assert_eq!(each, report.planned_dispatches, "no dispatch is nobody's");
        let text = report.profile().to_string();
        assert!(
            text.contains("points.disc") && text.contains(&row.site.to_string()),
            "{text}"
        );
        // What is not measured is not made up.
        timed.set_inputs(inputs! { height: 2.0 }).unwrap();
        present(&mut timed);
        let moved = timed.report().profile().rows;
        assert!(moved.iter().all(|row| row.node != "points.disc"), "{moved:?}");
        assert!(
            moved
                .iter()
                .all(|row| row.why.contains(&Why::Inputs(vec!["height".to_owned()])))
        );
        let mut untimed = play(&device, &graph, inputs! {}, true);
        present(&mut untimed);
        assert!(untimed.report().profile().rows.iter().all(|row| row.time_ms.is_none()));
    }
}

#[test]
fn the_nodes_of_a_fold_take_what_they_take_and_the_fold_the_rest() {
    for device in devices() {
        let graph = Graph::define("tower", |g| g.output("tower", tower(g))).unwrap();
        for profiled in [false, true] {
            for recorded in [false, true] {
                let store = Store::new(&device, StoreOptions::default());
                let options = PlayOptions { recorded, profiled };
                let mut tower = Play::with_options(&store, &graph, inputs! {}, options).unwrap();
                for width in [8.0, 7.0, 6.0, 5.0] {
                    tower.set_inputs(inputs! { width: width }).unwrap();
                    present(&mut tower);
                    let report = tower.report();
                    assert!(!report.mismatched);
                    if report.replayed == 0 && !recorded {
                        let each: u64 = report.cooked.iter().map(|node| node.dispatches).sum();
                        assert_eq!(each, report.planned_dispatches);
                    }
                }
                assert_eq!(tower.report().replayed > 0, recorded);
            }
        }
    }
}

#[test]
fn a_value_says_what_it_is() {
    let device = cpu();
    let graph = Graph::define("values", |g| {
        let sheet = g.add(mesh::Grid::new().cells_x(2).cells_z(1));
        g.output("sheet", sheet);
        g.output(
            "moved",
            g.add(geometry::Transform::new(sheet).translate(vec3(0.0, 1.0, 0.0))),
        );
        let strewn = g.add(points::OnSurface::new(sheet).count(10).density(0.5));
        g.output("crowd", g.add(instances::Place::new(strewn, g.add(mesh::Box::new()))));
        g.output("number", g.float("number", 0.25) * 2.0);
    })
    .unwrap();
    let frame = whole(&mut play(&device, &graph, inputs! {}, true), &device, still());
    let text = |name: &str| frame.value(name).unwrap().summary();
    assert_eq!(
        text("sheet"),
        "Geometry: 224 B\n  6 points: N Vec3, P Vec3\n  12 vertices: pt Int\n  4 primitives: vcount Int, vstart Int"
    );
    assert_eq!(text("number"), "Float 0.5");
    let crowd = text("crowd");
    assert!(
        crowd.contains("at most 10 points, counted on the device: P Vec3"),
        "{crowd}"
    );
    assert!(crowd.contains("\n  Mesh: Geometry: "), "{crowd}");
    assert!(crowd.contains("\n    24 points: N Vec3, P Vec3"), "{crowd}");
}
