//! Graphs of Rust written as documents: read back, they are what they were.

use crate::common::{bits, cpu, play, still, whole};
use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::{
    Class, Clock, Document, Error, Float, Geo, Graph, GraphDef, Inputs, Int, Next, Registry, State, Step, Vec3, inputs,
    rgba, vec2, vec3, vec4,
};

/// Writes a graph, reads it back through both formats, and holds the hash, the document and what it cooks to the same.
fn check(graph: &GraphDef, given: &Inputs, clocks: &[Clock]) -> Document {
    let registry = Registry::standard();
    let document = graph.to_document(&registry).unwrap();
    let json = document.to_json().unwrap();
    assert_eq!(Document::from_json(&json).unwrap(), document, "{json}");
    let text = ron::ser::to_string_pretty(&document, ron::ser::PrettyConfig::default()).unwrap();
    assert_eq!(ron::from_str::<Document>(&text).unwrap(), document, "{text}");
    let read = Document::from_json(&json).unwrap().define(&registry).unwrap();
    assert_eq!(read.hash().unwrap(), graph.hash().unwrap(), "{json}");
    // Written again it is the same document but for the names that it gave.
    let again = read.to_document(&registry).unwrap().define(&registry).unwrap();
    assert_eq!(again.hash().unwrap(), graph.hash().unwrap());
    let device = cpu();
    let shown = |graph: &GraphDef| {
        let mut play = play(&device, graph, given.clone(), true);
        clocks
            .iter()
            .map(|clock| told(&whole(&mut play, &device, *clock)))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&read), shown(graph), "{json}");
    document
}

/// The outputs of a frame, bit by bit.
fn told(frame: &zero_procgen::Frame) -> Vec<(String, String)> {
    let outputs = frame.outputs().map(|(name, value)| {
        let held = match value.geometry() {
            Ok(geometry) => format!("{:?}", bits(geometry)),
            Err(_) => value.summary(),
        };
        (name.to_owned(), held)
    });
    outputs.collect()
}

#[test]
fn nodes_fields_and_inputs_come_back() {
    let graph = Graph::define("forest", |g| {
        let sheet = g.add(mesh::Grid::new().size([40.0, 1.0, 40.0]).cells_x(20).cells_z(20));
        let relief = g
            .float("relief", 4.0)
            .range(0.0..=9.0)
            .describe("How high the hills are.");
        let height = g.add(field::Fbm::new(g.position() / 12.0).octaves(3)) * relief;
        let raised = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
        let land = g.add(geometry::RecalculateNormals::new(raised));
        let steep = 1.0 - g.element().point::<Vec3<'_>>("N").y();
        let flat = 1.0 - steep.smoothstep(0.05, 0.25);
        let count = g.int("count", 60).range(1..=500);
        let spots = g.add(points::OnSurface::new(land).count(count).density(flat));
        let tree = g.add(mesh::Cone::new().radius(0.8).height(3.0));
        let (size, turn) = (
            0.7 + 0.6 * g.rand("scale"),
            g.draw(7, "own", "yaw", g.element().id() + 1) * 360.0,
        );
        g.output("land", land);
        g.output(
            "trees",
            g.add(instances::Place::new(spots, tree).scale(size).yaw_deg(turn)),
        );
        g.cache("land");
    })
    .unwrap();
    let document = check(&graph, &inputs! { relief: 5.0 }, &[still()]);
    let read = document.define(&Registry::standard()).unwrap();
    assert_eq!(read.inputs()[1].description, "How high the hills are.");
    assert_eq!(read.inputs()[1].range, Some((0.0, 9.0)));
    assert!(document.cached.contains("land"));
    // A call is one node, by what it was given and not by what it is made of, and its defaults are left out.
    let disc = &document.nodes["on_surface"];
    assert_eq!(disc.node, "points.on_surface");
    assert_eq!(disc.inputs.keys().collect::<Vec<_>>(), ["count", "density", "surface"]);
}

#[test]
fn operators_columns_and_constants_of_every_type_come_back() {
    let graph = Graph::define("types", |g| {
        let spots = g.add(points::Grid::new().count_x(3).count_z(2));
        let (p, id) = (g.position(), g.element().id());
        let turn = zero_procgen::Quat::about([0.0, 1.0, 0.0], g.float("angle", 0.5));
        let tint = g.color("tint", [0.2, 0.4, 0.6, 1.0]);
        let spots = spots.point().set("heat", p.x().max(p.z()).pow(2.0) % 3.0);
        let spots = spots.point().set("turned", turn.rotate(p).cross([0.0, 1.0, 0.0]));
        let spots = spots
            .point()
            .set("flat", vec2(p.x(), p.z()) * g.vec2("scale", [1.0, 2.0]));
        let spots = spots.point().set("four", vec4(p.x(), 1.0, 2.0, p.z()).normalize());
        let spots = spots.point().set("Cd", tint.lerp(rgba(1.0, p.x(), 0.0, 1.0), 0.25));
        let spots = spots.point().set("orient", turn.slerp([0.0, 0.0, 0.0, 1.0], 0.5));
        let spots = spots
            .point()
            .set("id", id.to_uint() % 4_000_000_000u32 + g.uint("from", 3_000_000_000));
        let near = p.length().lt(1.5).and(!id.equals(2));
        let spots = spots.point().set("near", near.choose::<Float<'_>>(1.0, p.y() - 1.0));
        let heat = spots.point().column("heat");
        let spots = spots.point().set("next", heat.gather::<Float<'_>>((id + 1) % 6));
        let spots = spots
            .point()
            .set("squares", g.exact_column_of(6, id * id).read::<Int<'_>>());
        let spots = spots.point().remove("flat");
        let spots = spots.set_detail("tag", g.clock().time() + spots.point().count().to_float());
        let spots = spots.point().set("age", spots.detail::<Float<'_>>("tag"));
        g.check(g.float("angle", 0.5).ge(0.0), "the angle is below 0");
        g.output("spots", spots.point().has("heat").choose::<Geo<'_>>(spots, g.empty()));
    })
    .unwrap();
    check(&graph, &inputs! { angle: 0.75 }, &[still(), Clock::frame(3, 10.0)]);
}

#[test]
fn bodies_lists_and_picks_come_back() {
    let graph = Graph::define("bodies", |g| {
        let base = g.add(mesh::Box::new());
        let stairs = g.fold(g.int("count", 4), base, |index, so_far| {
            let next = g.add(geometry::Transform::new(base).translate(vec3(0.0, index * 0.2, 0.3)));
            g.add(geometry::Merge::new([so_far, next]))
        });
        let (halved, passes) = g.fold_until(
            50,
            (g.float("from", 10.0), Int::from(0)),
            |_: (Float<'_>, Int<'_>), after: (Float<'_>, Int<'_>)| after.0.lt(1.0),
            |_, (so_far, passes)| (so_far * 0.5, passes + 1),
        );
        let still = g.fold_until_unchanged(9, halved, |_, so_far: Float<'_>| so_far.floor());
        let heights: [Float<'_>; 3] = [1.0.into(), 2.5.into(), g.float("third", 4.0)];
        let (steles, total) = g
            .list(heights)
            .each_carrying(Float::from(0.0), |height, number, total| {
                let stele = g.add(mesh::Cone::new().height(height));
                let moved = geometry::Transform::new(stele).translate(vec3(total, 0.0, number.to_float()));
                (g.add(moved), total + height)
            });
        let rows = g.times(3, |row| {
            let inner = g.fold(row, Float::from(1.0), |index, so_far| so_far * 2.0 + index * total);
            g.add(geometry::Transform::new(base).translate(vec3(inner, 0.0, 0.0)))
        });
        let third = g.item(steles, 2);
        g.output("stairs", stairs);
        g.output("halved", halved + passes.to_float() + still);
        g.output("steles", steles.merge());
        g.output("rows", rows.merge());
        g.output("count", steles.count());
        g.output("picked", g.pick(g.int("which", 1), [stairs, third, base]));
    })
    .unwrap();
    let document = check(&graph, &inputs! { from: 12.0, which: 1 }, &[still()]);
    assert!(document.nodes["fold"].body.is_some());
}

#[test]
fn a_step_comes_back() {
    let graph = Graph::define("rain", |g| {
        let wind = g.float("wind", 0.5);
        let rain = g.step(
            "rain",
            Step::every(0.1).substeps(2),
            State::new(6).vec3("v").vec3("P").int("age"),
            |now, step| {
                let start = vec3(g.rand("x"), 2.0, g.rand("z"));
                let p = step.first().choose::<Vec3<'_>>(start, now.vec3("P"));
                let gust = step.sample(g.clock().time().sin()) * wind * step.progress();
                let v = now.vec3("v") + vec3(gust, -9.81, step.between(step.index() + 1)) * step.dt();
                let behind = now.column("P").gather::<Vec3<'_>>((g.element().id() + 5) % 6);
                Next::new().set("v", v).set("P", p + v * step.dt() + behind * 0.01)
            },
        );
        g.output("rain", rain.points());
        g.output("ages", rain.column("age").read::<Int<'_>>().to_float() * 0.0 + 1.0);
    });
    let Ok(graph) = graph else { panic!("{graph:?}") };
    let clocks = [0, 1, 2, 5].map(|frame| Clock::frame(frame, 10.0));
    let document = check(&graph, &Inputs::default(), &clocks);
    assert_eq!(document.nodes["rain"].state.len(), 3);
}

#[test]
fn what_no_document_can_state_is_named_with_its_line() {
    use zero_procgen::compute::{Cpu, Determinism, Element, Kernel, Rule};
    static DOUBLE: Kernel = Kernel::declare("written_double")
        .read("src", Element::F32)
        .write("dst", Element::F32, Rule::same_as("src"))
        .determinism(Determinism::Exact)
        .wgsl("")
        .cpu(Cpu::Whole(|_, _, _| Ok(())));
    let line = line!() + 2;
    let graph = Graph::define("kernels", |g| {
        let storeys = g.plain("storeys", 5);
        let src = g.column_of(storeys, g.element().id().to_float());
        let [dst] = g.kernel(&DOUBLE).bind("src", src).over(src, ["dst"]);
        g.output("dst", dst);
    })
    .unwrap();
    let error = graph.to_document(&Registry::standard()).unwrap_err();
    let Error::Unwritable { graph: name, errors } = &error else {
        panic!("{error}")
    };
    let told: Vec<(u32, &str)> = errors
        .iter()
        .map(|error| (error.site.line, error.what.as_str()))
        .collect();
    assert_eq!(
        (name.as_str(), told),
        ("kernels", vec![(line, "plain"), (line + 2, "device.kernel")])
    );
    let text = error.to_string();
    assert!(
        text.contains(&format!(
            "written.rs:{}: g.device.kernel failed: its work is Rust code",
            line + 2
        )),
        "{text}"
    );

    let unheld = Graph::define("box", |g| g.output("box", g.add(mesh::Box::new()))).unwrap();
    let text = unheld.to_document(&Registry::new()).unwrap_err().to_string();
    assert!(
        text.contains("g.mesh.box failed: the registry holds no node named 'mesh.box'"),
        "{text}"
    );
}

#[test]
fn a_graph_of_plain_values_is_written_for_them() {
    let graph = Graph::define("tower", |g| {
        let mut tower = g.add(mesh::Box::new());
        for storey in 0..g.plain("storeys", 2) {
            let _pass = g.scope("storey", storey);
            let slab = geometry::Transform::new(g.add(mesh::Box::new())).translate([0.0, storey as f32, 0.0]);
            tower = g.add(geometry::Merge::new([tower, g.add(slab)]));
        }
        g.output("tower", tower);
    })
    .unwrap();
    let registry = Registry::standard();
    for storeys in [2, 5] {
        let document = graph.to_document_for(&registry, &inputs! { storeys: storeys }).unwrap();
        let device = cpu();
        let shown = |graph: &GraphDef, given: Inputs| {
            let frame = whole(&mut play(&device, graph, given, true), &device, still());
            bits(frame.geometry("tower").unwrap())
        };
        let read = document.define(&registry).unwrap();
        assert!(read.plain().is_empty());
        assert_eq!(
            shown(&read, Inputs::default()),
            shown(&graph, inputs! { storeys: storeys })
        );
    }
    let text = graph
        .to_document_for(&registry, &inputs! { storey: 1 })
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("no plain input named 'storey'; the nearest are storeys"),
        "{text}"
    );
}

fn difference(x: Float<'_>, sine_first: bool) -> Float<'_> {
    match sine_first {
        true => {
            let sine = x.sin();
            sine - x.cos() * 2.0
        }
        false => {
            let twice = x.cos() * 2.0;
            x.sin() - twice
        }
    }
}

#[test]
fn the_order_in_which_operators_were_made_moves_no_hash() {
    let made = |sine_first: bool| {
        let graph = Graph::define("order", move |g| {
            let x = g.float("x", 1.0);
            let places = g.fold(3, g.position(), |_, p: Vec3<'_>| match sine_first {
                true => {
                    let turned = p.cross([0.0, 1.0, 0.0]);
                    turned + p.normalize() * x
                }
                false => {
                    let unit = p.normalize() * x;
                    p.cross([0.0, 1.0, 0.0]) + unit
                }
            });
            g.output("one", difference(x, sine_first));
            let spots = g.add(points::Disc::new());
            g.output(
                "spots",
                spots
                    .point()
                    .set("q", places * difference(g.position().x(), sine_first)),
            );
        });
        graph.unwrap().hash().unwrap()
    };
    assert_eq!(made(true), made(false));
}

#[test]
fn points_keep_their_columns() {
    let graph = Graph::define("columns", |g| {
        let spots = g.add(points::Disc::new().count(4));
        g.output("spots", spots.class(Class::Point).set("k", g.element().id()));
    })
    .unwrap();
    check(&graph, &Inputs::default(), &[still()]);
}
