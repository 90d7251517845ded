//! Every type of column and number: made, moved, computed with, read back, the same on both backends.

use crate::common::{devices, play, still, whole};
use zero_procgen::nodes::points;
use zero_procgen::{
    Class, Clock, Color, DocInput, Document, Error, Graph, GraphDef, HostColumn, HostGeometry, InputValue, Inputs,
    Next, Quat, State, Step, Type, UInt, Vec2, Vec4, inputs, rgba, vec2, vec3, vec4,
};

fn shown(graph: &GraphDef, given: Inputs, clock: Clock) -> HostGeometry {
    let mut found: Option<HostGeometry> = None;
    for device in devices() {
        let mut play = play(&device, graph, given.clone(), true);
        let host = whole(&mut play, &device, clock)
            .geometry("points")
            .unwrap()
            .download()
            .unwrap();
        match &found {
            None => found = Some(host),
            Some(first) => assert_eq!(*first, host, "{}", device.info().name),
        }
    }
    found.unwrap()
}

fn column<'h>(host: &'h HostGeometry, name: &str) -> &'h HostColumn {
    host.column(Class::Point, name).unwrap()
}

#[test]
fn a_column_of_every_type_is_written_and_read_back() {
    let graph = Graph::define("types", |g| {
        let id = g.element().id();
        let at = id.to_float();
        let points = g.add(points::Disc::new().count(3));
        let points = points.point().set("flat", vec2(at, 2.0));
        let points = points.point().set("four", vec4(at, 2.0, 3.0, -at));
        let points = points.point().set("turn", Quat::about([0.0, 1.0, 0.0], at * 0.0));
        let points = points.point().set("tint", rgba(at, 0.5, 0.25, 1.0));
        let points = points.point().set("whole", id.to_uint() + 4_000_000_000);
        // Read again as what they are, a lane each.
        let element = g.element();
        let sum = element.point::<Vec2>("flat").x()
            + element.point::<Vec4>("four").w()
            + element.point::<Color>("tint").b()
            + element.point::<Quat>("turn").to_vec4().w();
        let points = points.point().set("sum", sum);
        let near = element.point::<UInt>("whole") - 4_000_000_000;
        g.output("points", points.point().set("near", near.to_int()));
    })
    .unwrap();
    let host = shown(&graph, inputs! {}, still());
    assert_eq!(
        column(&host, "flat"),
        &HostColumn::Vec2(vec![[0.0, 2.0], [1.0, 2.0], [2.0, 2.0]])
    );
    let four = [[0.0, 2.0, 3.0, 0.0], [1.0, 2.0, 3.0, -1.0], [2.0, 2.0, 3.0, -2.0]];
    assert_eq!(column(&host, "four"), &HostColumn::Vec4(four.to_vec()));
    assert_eq!(column(&host, "turn"), &HostColumn::Quat(vec![[0.0, 0.0, 0.0, 1.0]; 3]));
    let tint = [[0.0, 0.5, 0.25, 1.0], [1.0, 0.5, 0.25, 1.0], [2.0, 0.5, 0.25, 1.0]];
    assert_eq!(column(&host, "tint"), &HostColumn::Color(tint.to_vec()));
    let whole = vec![4_000_000_000, 4_000_000_001, 4_000_000_002];
    assert_eq!(column(&host, "whole"), &HostColumn::UInt(whole));
    // x + w + b + 1 is the same for each.
    assert_eq!(column(&host, "sum"), &HostColumn::Float(vec![1.25; 3]));
    assert_eq!(column(&host, "near"), &HostColumn::Int(vec![0, 1, 2]));
}

#[test]
fn what_is_read_back_goes_up_again_as_it_was() {
    let mut host = HostGeometry::new();
    let four = vec![[0.5, -1.0, 2.0, 0.25], [1.0, 0.0, 0.0, 0.0]];
    let columns = [
        ("a", HostColumn::Float(vec![1.5, -2.5])),
        ("b", HostColumn::Int(vec![-7, 8])),
        ("c", HostColumn::UInt(vec![u32::MAX, 0])),
        ("d", HostColumn::Vec2(vec![[1.0, 2.0], [3.0, 4.0]])),
        ("e", HostColumn::Vec3(vec![[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]])),
        ("f", HostColumn::Vec4(four.clone())),
        ("g", HostColumn::Quat(four.clone())),
        ("h", HostColumn::Color(four)),
    ];
    for (name, column) in columns {
        host.set(Class::Point, name, column).unwrap();
    }
    let graph = Graph::define("same", |g| g.output("points", g.geometry("given"))).unwrap();
    for device in devices() {
        let given = host.upload(&device).unwrap();
        let mut play = play(&device, &graph, inputs! { given: given }, true);
        let frame = whole(&mut play, &device, still());
        assert_eq!(frame.geometry("points").unwrap().download().unwrap(), host);
    }
}

#[test]
fn a_shorter_vector_has_no_further_lanes_and_a_number_fills_them_all() {
    let graph = Graph::define("widen", |g| {
        let points = g.add(points::Disc::new().count(1));
        let flat = vec2(1.0, 2.0);
        let points = points.point().set("wide", vec4(1.0, 1.0, 1.0, 1.0) + 1.5);
        let points = points.point().set("least", flat.min(glam::Vec2::new(4.0, 0.5)));
        let points = points.point().set("same", vec4(1.0, 2.0, 3.0, 4.0).xyz().xy());
        let points = points.point().set("length", vec4(1.0, 2.0, 2.0, 4.0).length());
        g.output("points", points.point().set("unit", vec2(0.0, -3.0).normalize()));
    })
    .unwrap();
    let host = shown(&graph, inputs! {}, still());
    assert_eq!(column(&host, "wide"), &HostColumn::Vec4(vec![[2.5; 4]]));
    assert_eq!(column(&host, "least"), &HostColumn::Vec2(vec![[1.0, 0.5]]));
    assert_eq!(column(&host, "same"), &HostColumn::Vec2(vec![[1.0, 2.0]]));
    assert_eq!(column(&host, "length"), &HostColumn::Float(vec![5.0]));
    assert_eq!(column(&host, "unit"), &HostColumn::Vec2(vec![[0.0, -1.0]]));
}

/// Rotations that say enough: about each axis, about none of them, nearly none, half turns.
fn rotations() -> Vec<(glam::Vec3, f32)> {
    let skew = glam::Vec3::new(1.0, -2.0, 0.5).normalize();
    let axes = [glam::Vec3::X, glam::Vec3::Y, glam::Vec3::Z, skew];
    let angles = [0.0, 1e-3, 0.7, 1.570_796_4, 3.0, -2.2];
    axes.into_iter()
        .flat_map(|axis| angles.into_iter().map(move |angle| (axis, angle)))
        .collect()
}

#[test]
fn rotations_turn_as_glam_s_do() {
    let near = |found: [f32; 4], expected: glam::Quat| {
        let found = glam::Quat::from_array(found);
        assert!(found.dot(expected).abs() > 1.0 - 1e-5, "{found} and {expected}");
    };
    for (axis, angle) in rotations() {
        let other = glam::Quat::from_axis_angle(glam::Vec3::new(0.6, 0.0, 0.8), 1.1);
        let vector = glam::Vec3::new(0.3, -4.0, 1.5);
        let graph = Graph::define("turn", move |g| {
            let points = g.add(points::Disc::new().count(1));
            // Twice as long an axis turns alike.
            let turn = Quat::about((axis * 2.0).to_array(), g.float("angle", 0.0));
            let other = g.quat("other", other.to_array());
            let points = points.point().set("turn", turn);
            let points = points.point().set("both", other * turn);
            let points = points.point().set("back", turn.inverse() * turn);
            let points = points.point().set("vector", turn * vec3(vector.x, vector.y, vector.z));
            let points = points.point().set("third", turn.slerp(other, 1.0 / 3.0));
            g.output("points", points.point().set("start", turn.slerp(turn, 0.4)));
        })
        .unwrap();
        let host = shown(&graph, inputs! { angle: angle }, still());
        let quat = |name: &str| match column(&host, name) {
            HostColumn::Quat(values) => values[0],
            held => panic!("{name} is {held:?}"),
        };
        let turn = glam::Quat::from_axis_angle(axis, angle);
        near(quat("turn"), turn);
        near(quat("both"), other * turn);
        near(quat("back"), glam::Quat::IDENTITY);
        near(quat("third"), turn.slerp(other, 1.0 / 3.0));
        near(quat("start"), turn);
        let HostColumn::Vec3(found) = column(&host, "vector") else {
            panic!("no vector");
        };
        let off = (glam::Vec3::from(found[0]) - turn * vector).length();
        assert!(off < 1e-5, "about {axis} by {angle}: off by {off}");
    }
}

#[test]
fn a_step_keeps_a_state_of_every_type() {
    let graph = Graph::define("spin", |g| {
        let state = State::new(4)
            .quat("turn")
            .color("tint")
            .vec2("flat")
            .vec4("four")
            .uint("n");
        let spin = g.step("spin", Step::every(0.1), state, |now, step| {
            let first = step.first();
            let begun: Quat<'_> = first.choose([0.0, 0.0, 0.0, 1.0], now.get::<Quat<'_>>("turn"));
            let turned = Quat::about([0.0, 1.0, 0.0], 0.25) * begun;
            Next::new()
                .set("turn", turned)
                .set("tint", now.get::<Color<'_>>("tint") + rgba(0.25, 0.0, 0.0, 0.0))
                .set("flat", now.get::<Vec2<'_>>("flat") + vec2(1.0, 2.0))
                .set("four", now.get::<Vec4<'_>>("four") - 1.0)
                .set("n", now.get::<UInt<'_>>("n") + 3)
        });
        g.output("points", spin.points());
    })
    .unwrap();
    let host = shown(&graph, inputs! {}, Clock::frame(3, 10.0));
    let steps = 4.0f32;
    let HostColumn::Quat(turns) = column(&host, "turn") else {
        panic!("no rotation");
    };
    let expected = glam::Quat::from_rotation_y(0.25 * steps);
    assert!(glam::Quat::from_array(turns[3]).dot(expected) > 1.0 - 1e-6, "{turns:?}");
    assert_eq!(column(&host, "tint"), &HostColumn::Color(vec![[1.0, 0.0, 0.0, 0.0]; 4]));
    assert_eq!(column(&host, "flat"), &HostColumn::Vec2(vec![[4.0, 8.0]; 4]));
    assert_eq!(column(&host, "four"), &HostColumn::Vec4(vec![[-4.0; 4]; 4]));
    assert_eq!(column(&host, "n"), &HostColumn::UInt(vec![12; 4]));
}

#[test]
fn an_input_of_every_type_moves_and_refuses_what_it_cannot_hold() {
    let graph = Graph::define("inputs", |g| {
        let points = g.add(points::Disc::new().count(1));
        let points = points.point().set("tint", g.color("tint", [1.0, 1.0, 1.0, 1.0]));
        let points = points.point().set("flat", g.vec2("flat", [0.0, 0.0]));
        let points = points.point().set("four", g.vec4("four", [0.0; 4]));
        let points = points.point().set("turn", g.quat("turn", [0.0, 0.0, 0.0, 1.0]));
        g.output("points", points.point().set("n", g.uint("n", 7)));
    })
    .unwrap();
    let device = zero_compute::Device::cpu(Default::default());
    let mut play = play(&device, &graph, inputs! {}, true);
    // The first is cooked, the second recorded, the third held to a cook; the fourth is a replay alone.
    for shade in [0.25, 0.5, 0.75, 1.0] {
        let given = inputs! {
            tint: [shade, 0.0, 0.0], flat: [shade, 2.0], four: [1.0, 2.0, 3.0, shade],
            turn: glam::Quat::from_rotation_x(shade), n: 12,
        };
        play.set_inputs(given).unwrap();
        let frame = whole(&mut play, &device, still());
        let host = frame.geometry("points").unwrap().download().unwrap();
        assert_eq!(column(&host, "tint"), &HostColumn::Color(vec![[shade, 0.0, 0.0, 1.0]]));
        assert_eq!(column(&host, "flat"), &HostColumn::Vec2(vec![[shade, 2.0]]));
        assert_eq!(column(&host, "four"), &HostColumn::Vec4(vec![[1.0, 2.0, 3.0, shade]]));
        let turn = glam::Quat::from_rotation_x(shade).to_array();
        assert_eq!(column(&host, "turn"), &HostColumn::Quat(vec![turn]));
        assert_eq!(column(&host, "n"), &HostColumn::UInt(vec![12]));
    }
    assert!(play.report().cooked.is_empty(), "a replay cooks nothing");
    let refusals: [(Inputs, &str); 5] = [
        (inputs! { n: -1 }, "expected a UInt, got the Int -1"),
        (inputs! { flat: [1.0, 2.0, 3.0] }, "expected a Vec2, got the Vec3"),
        (
            inputs! { turn: [0.0, 0.0, 0.0, 2.0] },
            "expected a quaternion of length 1",
        ),
        (inputs! { tint: [f32::NAN, 0.0, 0.0, 1.0] }, "expected finite numbers"),
        (inputs! { four: 1.0 }, "expected a Vec4, got the Float 1"),
    ];
    for (given, expected) in refusals {
        let error = play.set_inputs(given).unwrap_err();
        assert!(matches!(error, Error::Input { .. }));
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn a_document_states_inputs_of_every_type_and_reads_back_equal() {
    let mut document = Document::from_json(
        r#"{ "version": 1, "name": "d", "nodes": { "p": { "node": "points.disc", "inputs": { "count": 1 } } },
             "outputs": { "points": { "node": "p" } } }"#,
    )
    .unwrap();
    let told = str::to_owned;
    let inputs = [
        (
            "a",
            DocInput::UInt {
                default: 3,
                min: Some(1),
                max: None,
                description: told("how many"),
            },
        ),
        (
            "b",
            DocInput::Vec2 {
                default: [1.0, 2.0],
                description: told("how far"),
            },
        ),
        (
            "c",
            DocInput::Vec4 {
                default: [1.0; 4],
                description: told("four"),
            },
        ),
        (
            "d",
            DocInput::Quat {
                default: [0.0, 0.0, 0.0, 1.0],
                description: told("what it is"),
            },
        ),
        (
            "e",
            DocInput::Color {
                default: [0.1, 0.2, 0.3, 1.0],
                description: told("what it is"),
            },
        ),
    ];
    document.inputs = inputs
        .into_iter()
        .map(|(name, input)| (name.to_owned(), input))
        .collect();
    assert_eq!(Document::from_json(&document.to_json().unwrap()).unwrap(), document);
    let graph = document.define(&zero_procgen::Registry::standard()).unwrap();
    let types: Vec<Type> = graph.inputs().iter().map(|input| input.ty).collect();
    assert_eq!(types, [Type::UInt, Type::Vec2, Type::Vec4, Type::Quat, Type::Color]);
    assert_eq!(graph.inputs()[4].default, Some(InputValue::Color([0.1, 0.2, 0.3, 1.0])));
    let said: Vec<&str> = graph.inputs().iter().map(|input| input.description.as_str()).collect();
    assert_eq!(said, ["how many", "how far", "four", "what it is", "what it is"]);
    assert_eq!(graph.inputs()[0].range, Some((1.0, f64::from(u32::MAX))));
}
