//! Where a graph stands: read as numbers that move without a cook.

use crate::common::{devices, floats, play, still, whole};
use glam::{Mat4, Quat, Vec3};
use zero_procgen::nodes::points;
use zero_procgen::{Clock, Graph, GraphDef, Next, Placement, Socket, State, Step, inputs, vec3};

fn compass() -> GraphDef {
    Graph::define("compass", |g| {
        let (clock, world) = (g.clock(), g.transform());
        let points = g.add(points::Disc::new().count(2));
        let points = points.point().set("point", world.point(vec3(1.0, 2.0, 3.0)));
        let points = points
            .point()
            .set("wind", world.direction(g.position() + vec3(0.0, 0.0, 2.0)));
        let points = points
            .point()
            .set("turn", world.rotation(Quat::from_rotation_y(0.5)).to_vec4());
        let points = points.point().set("origin", clock.placement()[3].xyz());
        let points = points.point().set("entity", clock.entity().to_float());
        g.output("points", points);
        let home = clock.stands().choose::<zero_procgen::Float<'_>>(1.0, -1.0);
        g.output("home", home);
        assert_eq!(
            clock.rotation().wire(),
            zero_procgen::Wire::Clock(zero_procgen::ClockField::Rotation)
        );
    })
    .unwrap()
}

fn near(found: &[f32], expected: &[f32]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5)
}

#[test]
fn a_placement_that_moves_cooks_nothing_and_carries_the_world_in() {
    for device in devices() {
        let graph = compass();
        let mut moved = play(&device, &graph, inputs! {}, true);
        let frame = whole(&mut moved, &device, still());
        let points = frame.geometry("points").unwrap();
        assert_eq!(
            floats(points, "point")[..3],
            [1.0, 2.0, 3.0],
            "the identity where nothing is said"
        );
        assert_eq!(frame.number("home").unwrap(), [-1.0]);
        for turn in 1..6u32 {
            let matrix = Mat4::from_scale_rotation_translation(
                Vec3::new(2.0, 1.0, 0.5),
                Quat::from_rotation_y(turn as f32 * 0.7),
                Vec3::new(turn as f32, 5.0, -2.0),
            );
            let placement = Placement::new(matrix).unwrap().on_entity(40 + turn);
            let frame = whole(&mut moved, &device, still().placed(placement));
            assert!(!moved.report().mismatched);
            if turn >= 2 {
                assert_eq!(moved.report().cooked, [], "move {turn}");
            }
            let points = frame.geometry("points").unwrap();
            let inverse = matrix.inverse();
            let expected = inverse.transform_point3(Vec3::new(1.0, 2.0, 3.0)).to_array();
            assert!(near(&floats(points, "point")[..3], &expected));
            for (place, wind) in floats(points, "P").chunks(3).zip(floats(points, "wind").chunks(3)) {
                let world = Vec3::from_slice(place) + Vec3::new(0.0, 0.0, 2.0);
                assert!(near(wind, &inverse.transform_vector3(world).to_array()));
            }
            let turned = Quat::from_rotation_y(0.5 - turn as f32 * 0.7);
            let found = Quat::from_slice(&floats(points, "turn")[..4]);
            assert!(found.dot(turned).abs() > 1.0 - 1e-5, "{found} and {turned}");
            assert_eq!(floats(points, "origin")[..3], [turn as f32, 5.0, -2.0]);
            assert_eq!(floats(points, "entity"), [40.0 + turn as f32; 2]);
            assert_eq!(frame.number("home").unwrap(), [1.0]);
        }
        let counting = device.counting();
        let placement = moved.shown().cloned().unwrap();
        let last = Placement::new(Mat4::from_translation(Vec3::X)).unwrap();
        whole(&mut moved, &device, still().placed(last));
        let moved_once = counting.delta().dispatches;
        assert!(moved_once > 0);
        whole(&mut moved, &device, still().placed(last));
        assert_eq!(
            counting.delta().dispatches,
            moved_once,
            "where nothing moves nothing is done"
        );
        assert!(placement.geometry("points").is_ok());
    }
}

#[test]
fn a_simulation_takes_no_step_for_a_move_alone() {
    for device in devices() {
        let graph = Graph::define("falling", |g| {
            let down = g.transform().direction(vec3(0.0, -1.0, 0.0));
            let drops = g.step("falling", Step::every(0.1), State::new(3).vec3("P"), |now, step| {
                Next::new().set("P", now.vec3("P") + down * step.dt())
            });
            g.output("drops", drops.points());
        })
        .unwrap();
        let mut play = play(&device, &graph, inputs! {}, true);
        let upside = Placement::new(Mat4::from_rotation_x(std::f32::consts::PI)).unwrap();
        whole(&mut play, &device, Clock::frame(4, 10.0));
        let frame = whole(&mut play, &device, Clock::frame(9, 10.0).placed(upside));
        assert_eq!(play.report().steps[0].steps, 10);
        // Five steps down, then five the other way in the graph's own space.
        assert!(
            floats(frame.geometry("drops").unwrap(), "P")
                .iter()
                .all(|lane| lane.abs() < 1e-5)
        );
        whole(&mut play, &device, Clock::frame(9, 10.0));
        assert_eq!(play.report().steps[0].steps, 10);
    }
}
