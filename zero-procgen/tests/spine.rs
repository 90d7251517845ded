//! The guarantees of a play, each on counts.

use zero_compute::{CancelToken, CpuOptions, Device, Exec};
use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::values::Geometry;
use zero_procgen::{
    Class, Clock, Float, Frame, Geo, Graph, GraphDef, Inputs, Next, Play, PlayOptions, Present, Socket, State, Step,
    Store, StoreOptions, Vec3, inputs, vec3,
};

fn cpu() -> Device {
    Device::cpu(CpuOptions::default())
}

fn play(device: &Device, graph: &GraphDef, inputs: Inputs, recorded: bool) -> Play {
    let store = Store::new(device, StoreOptions::default());
    Play::with_options(&store, graph, inputs, PlayOptions { recorded }).unwrap()
}

/// Presents until the frame is whole.
fn whole(play: &mut Play, clock: Clock) -> Frame {
    for _ in 0..10_000 {
        match play.present(clock, &Exec::default()).unwrap() {
            Present::Whole(frame) => return frame,
            Present::Pending => {
                play.shown();
            }
        }
    }
    panic!("the present did not settle");
}

fn floats(geometry: &Geometry, name: &str) -> Vec<f32> {
    geometry
        .column(Class::Point, name)
        .unwrap()
        .column
        .read::<f32>()
        .unwrap()
        .wait()
        .unwrap()
}

fn tower(g: &Graph) -> Geo<'_> {
    let storeys = g.plain("storeys", 5);
    let width = g.float("width", 8.0);
    let mut tower = g.add(mesh::Box::new().size([9.0, 0.4, 9.0]));
    for s in 0..storeys {
        let _pass = g.scope("storey", s);
        let slab = g.add(mesh::Box::new().size([1.0, 3.0, 1.0]));
        let slab = g.add(
            geometry::Transform::new(slab)
                .scale(width * (1.0 - 0.08 * s as f32))
                .yaw_deg(7.5 * s as f32),
        );
        tower = g.add(geometry::Merge::new([tower, slab]));
    }
    g.fold(g.int("rings", 4), tower, |i, so_far| {
        let ring = g.add(mesh::Cone::new().radius(width * 0.5 + i * 0.25).height(0.3));
        g.add(geometry::Merge::new([so_far, ring]))
    })
}

#[test]
fn a_chain_of_a_hundred_operators_is_one_dispatch() {
    let device = cpu();
    let graph = Graph::define("chain", |g| {
        let points = g.add(points::Grid::new().count_x(16).count_z(16));
        let mut value: Float<'_> = g.position().x();
        for step in 0..100 {
            value = value * 1.01 + step as f32;
        }
        g.output("points", points.point().set("value", value));
    })
    .unwrap();
    let expr = graph.plan().unwrap().nodes().map(|node| node.operators).max().unwrap();
    assert!(expr >= 200, "{expr} operators gathered");
    let mut play = play(&device, &graph, inputs! {}, false);
    let counting = device.counting();
    let frame = whole(&mut play, Clock::default());
    // One for P and one for the chain.
    assert_eq!(counting.delta().dispatches, 2);
    let values = floats(frame.geometry("points").unwrap(), "value");
    let x = floats(frame.geometry("points").unwrap(), "P")[0];
    let expected = (0..100).fold(x, |value, step| value * 1.01 + step as f32);
    assert_eq!(values[0].to_bits(), expected.to_bits());
}

#[test]
fn an_unchanged_present_does_nothing() {
    let device = cpu();
    let graph = Graph::define("tower", |g| g.output("tower", tower(g))).unwrap();
    let mut play = play(&device, &graph, inputs! {}, true);
    whole(&mut play, Clock::default());
    let counting = device.counting();
    whole(&mut play, Clock::default());
    assert_eq!(counting.delta(), zero_compute::Stats::default());
    assert!(play.report().cooked.is_empty());
}

#[test]
fn a_moved_number_replays() {
    let device = cpu();
    let graph = Graph::define("tower", |g| g.output("tower", tower(g))).unwrap();
    let mut moved = play(&device, &graph, inputs! {}, true);
    whole(&mut moved, Clock::default());
    for (index, width) in [6.0f32, 7.0, 7.5, 9.0].into_iter().enumerate() {
        moved.set_inputs(inputs! { width: width }).unwrap();
        let frame = whole(&mut moved, Clock::default());
        assert!(!moved.report().mismatched);
        if index >= 2 {
            assert!(moved.report().cooked.is_empty(), "{:?}", moved.report().cooked);
            assert!(moved.report().replayed > 0);
        }
        let mut cold = play(&cpu(), &graph, inputs! { width: width }, false);
        let expected = whole(&mut cold, Clock::default());
        assert_eq!(
            floats(frame.geometry("tower").unwrap(), "P"),
            floats(expected.geometry("tower").unwrap(), "P"),
            "width {width}"
        );
    }
}

fn particles(g: &Graph) -> Geo<'_> {
    let spread = g.float("spread", 2.0);
    let cloud = g.step(
        "sparks",
        Step::every(1.0 / 60.0),
        State::new(500).vec3("P").vec3("v").float("age"),
        |now, step| {
            let id = g.element().id();
            let angle = g.draw(7, "emit", "angle", id) * std::f32::consts::TAU;
            let speed = g.draw(7, "emit", "speed", id) * spread;
            let launch = vec3(angle.cos() * speed, 4.0, angle.sin() * speed);
            let v: Vec3<'_> = step
                .first()
                .choose(launch, now.vec3("v") + vec3(0.0, -9.81, 0.0) * step.dt());
            Next::new()
                .set("v", v)
                .set("P", now.vec3("P") + v * step.dt())
                .set("age", now.float("age") + step.dt())
        },
    );
    let spark = g.add(mesh::Cone::new().radius(0.05).height(0.1));
    let points = cloud.points();
    let fade: Float<'_> = cloud.column("age").read();
    g.add(instances::Place::new(points, spark).scale(1.0 - fade * 0.2))
}

#[test]
fn a_step_cooks_and_allocates_nothing_from_the_third_on() {
    let device = cpu();
    let graph = Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap();
    let mut steps = play(&device, &graph, inputs! {}, true);
    for frame in 0..8 {
        let counting = device.counting();
        let shown = whole(&mut steps, Clock::frame(frame, 60.0));
        let delta = counting.delta();
        drop(shown);
        if frame >= 2 {
            assert_eq!(
                steps.report().cooked.len(),
                0,
                "frame {frame}: {:?}",
                steps.report().cooked
            );
            assert_eq!((delta.allocations, delta.uploads), (0, 0), "frame {frame}");
            assert_eq!(steps.report().steps[0].reason, None);
        }
    }
    assert_eq!(steps.report().steps[0].steps, 8);
    assert_eq!(steps.report().steps[0].recorded, 1);
    let replayed = floats(
        whole(&mut steps, Clock::frame(7, 60.0)).geometry("sparks").unwrap(),
        "P",
    );
    let mut cooked = play(&cpu(), &graph, inputs! {}, false);
    let expected = floats(
        whole(&mut cooked, Clock::frame(7, 60.0)).geometry("sparks").unwrap(),
        "P",
    );
    assert_eq!(replayed, expected);
    assert!(expected.iter().any(|value| *value != 0.0));
}
