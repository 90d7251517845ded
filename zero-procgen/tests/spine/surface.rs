//! Points on a surface: where they lie, which of them stay, and that every device agrees.

use crate::common::{bits, cpu, devices, floats, play, still, whole};
use crate::parity::all_devices;
use std::collections::BTreeMap;
use zero_compute::{Device, Exec};
use zero_procgen::nodes::{field, geometry, mesh, points};
use zero_procgen::values::{Geometry, KeyHasher, Value};
use zero_procgen::{
    Class, Cook, Float, Geo, Graph, GraphDef, Inputs, Int, Operation, Result, Type, Vec3, inputs, vec3,
};

/// A mesh of triangles, or of what `sides` says.
#[derive(Clone, Debug)]
struct Literal {
    places: Vec<[f32; 3]>,
    normals: Option<Vec<[f32; 3]>>,
    corners: Vec<i32>,
    sides: Vec<i32>,
}

impl Literal {
    fn triangles(triangles: &[[[f32; 3]; 3]]) -> Literal {
        let places: Vec<[f32; 3]> = triangles.iter().flatten().copied().collect();
        Literal {
            normals: None,
            corners: (0..places.len() as i32).collect(),
            sides: vec![3; triangles.len()],
            places,
        }
    }
    fn surface<'g>(&self, g: &'g Graph) -> Geo<'g> {
        g.operation(self.clone(), Vec::new(), vec![Type::Geometry]).single()
    }
}

impl Operation for Literal {
    fn id(&self) -> &'static str {
        "test.literal"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(&format!("{self:?}"));
    }
    fn cook(&self, cx: &mut Cook<'_>, _inputs: &[Value]) -> Result<Vec<Value>> {
        let mut mesh = Geometry::new();
        mesh.set(Class::Point, "P", cx.upload(self.places.as_flattened(), 3)?, Type::Vec3)?;
        if let Some(normals) = &self.normals {
            mesh.set(Class::Point, "N", cx.upload(normals.as_flattened(), 3)?, Type::Vec3)?;
        }
        mesh.set(Class::Vertex, "pt", cx.upload(&self.corners, 1)?, Type::Int)?;
        let starts: Vec<i32> = self
            .sides
            .iter()
            .scan(0, |next, sides| {
                *next += sides;
                Some(*next - sides)
            })
            .collect();
        mesh.set(Class::Primitive, "vstart", cx.upload(&starts, 1)?, Type::Int)?;
        mesh.set(Class::Primitive, "vcount", cx.upload(&self.sides, 1)?, Type::Int)?;
        Ok(vec![Value::Geometry(mesh)])
    }
}

fn graph(build: impl for<'g> Fn(&'g Graph) -> Geo<'g> + Send + Sync + 'static) -> GraphDef {
    Graph::define("strewn", move |g| g.output("points", build(g))).unwrap()
}

fn cooked(device: &Device, graph: &GraphDef, inputs: Inputs) -> Geometry {
    let frame = whole(&mut play(device, graph, inputs, true), device, still());
    frame.geometry("points").unwrap().clone()
}

fn vectors(points: &Geometry, name: &str) -> Vec<[f32; 3]> {
    let words = floats(points, name);
    words.as_chunks::<3>().0.to_vec()
}

fn ids(points: &Geometry) -> Vec<i32> {
    let held = points.column(Class::Point, "id").unwrap();
    held.column.read::<i32>().unwrap().wait().unwrap()
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f64 {
    let square = |lane: usize| (f64::from(a[lane]) - f64::from(b[lane])).powi(2);
    (square(0) + square(1) + square(2)).sqrt()
}

/// A sheet with hills.
fn hills(g: &Graph, size: f32) -> Geo<'_> {
    let sheet = g.add(mesh::Grid::new().size([size, 1.0, size]).cells_x(60).cells_z(40));
    let height = g.add(field::Fbm::new(g.position() / 9.0).octaves(3)) * 4.0;
    let lifted = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
    g.add(geometry::RecalculateNormals::new(lifted))
}

/// Triangles that share nothing: fixed numbers, of sides between 0.1 and some metres, all over a cube.
fn shards(count: u32) -> Vec<[[f32; 3]; 3]> {
    let draw = |element: u32| zero_noise::draw(zero_noise::Scope::new(3).text("shards").state(), element);
    let triangle = |shard: u32| {
        let size = 0.1 + 3.0 * draw(shard * 16);
        let corner = |corner: u32| {
            std::array::from_fn(|lane| {
                let at = shard * 16 + 1 + lane as u32;
                draw(at) * 20.0 + draw(at + 3 * (corner + 1)) * size
            })
        };
        [corner(0), corner(1), corner(2)]
    };
    (0..count).map(triangle).collect()
}

type Wide = [f64; 3];

fn less(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|lane| a[lane] - b[lane])
}

fn cross(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|lane| a[(lane + 1) % 3] * b[(lane + 2) % 3] - a[(lane + 2) % 3] * b[(lane + 1) % 3])
}

fn dot(a: Wide, b: Wide) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The weights of a place over a triangle's corners, and how far it lies from the triangle's plane.
fn within(triangle: [[f32; 3]; 3], at: [f32; 3]) -> ([f64; 3], f64) {
    let [a, b, c, p] = [triangle[0], triangle[1], triangle[2], at].map(|v| v.map(f64::from));
    let normal = cross(less(b, a), less(c, a));
    let share = |from, to| dot(cross(less(to, from), less(p, from)), normal) / dot(normal, normal);
    let off = dot(less(p, a), normal).abs() / dot(normal, normal).sqrt();
    ([share(b, c), share(c, a), share(a, b)], off)
}

#[test]
fn faces_are_chosen_by_area_and_samples_spread_evenly_over_each() {
    // A hundred times the side: ten thousand times the area.
    let small = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.1], [0.1, 0.0, 0.0]];
    let large = [[100.0, 5.0, 0.0], [100.0, 5.0, 10.0], [110.0, 5.0, 0.0]];
    let mesh = Literal::triangles(&[small, large]);
    let count = 1_000_000;
    let strewn = graph(move |g| g.add(points::OnSurface::new(mesh.surface(g)).count(count)));
    let at = vectors(&cooked(&cpu(), &strewn, inputs! {}), "P");
    assert_eq!(at.len(), count as usize);
    let (on_large, on_small): (Vec<[f32; 3]>, Vec<[f32; 3]>) = at.into_iter().partition(|p| p[0] > 50.0);
    // 100 expected of a binomial draw; five deviations either way.
    assert!(
        (50..=150).contains(&on_small.len()),
        "{} on the small one",
        on_small.len()
    );
    // A grid of 4 by 4 over the square: the six cells below the diagonal and the four on it, which count half.
    let mut cells = BTreeMap::new();
    for p in &on_large {
        *cells
            .entry((((p[0] - 100.0) / 2.5) as i32, (p[2] / 2.5) as i32))
            .or_insert(0) += 1;
    }
    let cell = on_large.len() as f64 / 8.0;
    assert_eq!(cells.len(), 10);
    for ((x, z), found) in cells {
        let expected = if x + z == 3 { cell / 2.0 } else { cell };
        let deviation = (f64::from(found) - expected) / expected.sqrt();
        assert!(deviation.abs() < 5.0, "cell {x} {z}: {found}, expected {expected}");
    }
}

#[test]
fn every_sample_lies_in_its_triangle_with_the_triangle_s_normal() {
    let shards = shards(300);
    let mesh = Literal::triangles(&shards);
    let strewn = graph(move |g| g.add(points::OnSurface::new(mesh.surface(g)).count(20_000).seed(9)));
    let samples = cooked(&cpu(), &strewn, inputs! {});
    let mut hit = std::collections::BTreeSet::new();
    for (at, normal) in vectors(&samples, "P").into_iter().zip(vectors(&samples, "N")) {
        let holder = shards.iter().position(|shard| {
            let (weights, off) = within(*shard, at);
            weights.iter().all(|weight| *weight > -1e-4) && off < 1e-5 * 23.0
        });
        let [a, b, c] = shards[holder.expect("a sample on no triangle")].map(glam::Vec3::from_array);
        let expected = (b - a).cross(c - a).normalize();
        assert!(expected.distance(normal.into()) < 1e-4, "{normal:?} on {holder:?}");
        hit.insert(holder);
    }
    assert!(hit.len() > 250, "{} triangles of 300 were hit", hit.len());
}

#[test]
fn a_surface_with_normals_hands_them_on_as_unit_vectors() {
    let mut mesh = Literal::triangles(&[[[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]]]);
    mesh.normals = Some(vec![[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    let strewn = graph(move |g| g.add(points::OnSurface::new(mesh.surface(g)).count(500)));
    let samples = cooked(&cpu(), &strewn, inputs! {});
    for (at, normal) in vectors(&samples, "P").into_iter().zip(vectors(&samples, "N")) {
        let (along, across) = (at[0] / 4.0, at[2] / 4.0);
        let expected = glam::vec3(3.0 * along, 2.0 * (1.0 - along - across), 0.0).normalize();
        assert!(
            expected.distance(normal.into()) < 1e-4,
            "{normal:?}, expected {expected}"
        );
        assert!((glam::Vec3::from(normal).length() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn kept_points_keep_their_distance_and_cover_what_was_let_go() {
    // Few and many samples to a distance; a small one far from the origin, where a float has few digits left.
    for (size, offset, min_dist, least) in [
        (60.0, 0.0, 0.3, 3_000),
        (60.0, 0.0, 2.0, 300),
        (60.0, 0.0, 9.0, 15),
        (60.0, 0.0, 500.0, 1),
        (60.0, 900_000.0, 1.0, 800),
        (8_000.0, 0.0, 0.001, 3_999),
    ] {
        let strewn = |apart: f32| {
            let strewn = graph(move |g| {
                let land = g.add(geometry::Transform::new(hills(g, size)).translate([offset, 0.0, -offset]));
                g.add(points::OnSurface::new(land).count(4_000).min_dist(apart))
            });
            cooked(&cpu(), &strewn, inputs! {})
        };
        let (all, apart) = (strewn(0.0), strewn(min_dist));
        let (thrown, kept) = (vectors(&all, "P"), vectors(&apart, "P"));
        assert!(
            kept.len() >= least && kept.len() <= thrown.len(),
            "{} kept of {min_dist} m",
            kept.len()
        );
        for (index, a) in kept.iter().enumerate() {
            let nearest = kept[index + 1..]
                .iter()
                .map(|b| distance(*a, *b))
                .fold(f64::MAX, f64::min);
            assert!(
                nearest >= f64::from(min_dist),
                "{nearest} between two kept points, expected {min_dist}"
            );
        }
        let reach = f64::from(min_dist) * (1.0 + 2e-6);
        for p in &thrown {
            assert!(
                kept.iter().any(|q| distance(*p, *q) <= reach),
                "{p:?} has no kept point within {min_dist}"
            );
        }
        // What is kept is as it was thrown, in that order.
        let ids = ids(&apart);
        assert!(ids.is_sorted_by(|a, b| a < b));
        assert!(ids.iter().zip(&kept).all(|(id, at)| thrown[*id as usize] == *at));
    }
}

#[test]
fn a_crowd_far_past_what_is_asked_of_a_cell_is_kept_apart_all_the_same() {
    let strewn = graph(|g| g.add(points::OnSurface::new(hills(g, 10.0)).count(30_000).min_dist(3.0)));
    let kept = vectors(&cooked(&cpu(), &strewn, inputs! {}), "P");
    assert!((8..=30).contains(&kept.len()), "{} kept", kept.len());
    for (index, a) in kept.iter().enumerate() {
        assert!(kept[index + 1..].iter().all(|b| distance(*a, *b) >= 3.0));
    }
}

#[test]
fn density_is_the_chance_to_stay_at_each_sample() {
    let build = |density: &'static (dyn for<'g> Fn(&'g Graph) -> Float<'g> + Send + Sync)| {
        let strewn = graph(move |g| g.add(points::OnSurface::new(hills(g, 60.0)).count(20_000).density(density(g))));
        cooked(&cpu(), &strewn, inputs! {})
    };
    assert_eq!(ids(&build(&|_| 1.0f32.into())).len(), 20_000);
    assert_eq!(ids(&build(&|g| g.float("chance", 1.0))).len(), 20_000);
    assert_eq!(ids(&build(&|_| 0.0f32.into())).len(), 0);
    let third = ids(&build(&|_| 0.3f32.into())).len();
    assert!((5_600..6_400).contains(&third), "{third} stayed of 6000 expected");
    let level = build(&|g| g.element().point::<Vec3<'_>>("N").y().gt(0.97).choose(1.0f32, 0.0f32));
    let (all, kept) = (build(&|_| 1.0f32.into()), ids(&level));
    let expected: Vec<i32> = (0..)
        .zip(vectors(&all, "N"))
        .filter(|(_, n)| n[1] > 0.97)
        .map(|(id, _)| id)
        .collect();
    assert_eq!(kept, expected);
    assert!((2_000..18_000).contains(&kept.len()), "{} stayed", kept.len());
    let west = build(&|g| (g.position().x() * -1.0).sign());
    assert!(vectors(&west, "P").iter().all(|p| p[0] < 0.0) && !ids(&west).is_empty());
}

#[test]
fn a_sample_keeps_its_place_and_its_draws_whatever_becomes_of_others() {
    let strewn = |count: i32, density: f32, min_dist: f32| {
        let strewn = graph(move |g| {
            let land = hills(g, 60.0);
            let spots = points::OnSurface::new(land)
                .count(count)
                .density(density)
                .min_dist(min_dist);
            let own: Int<'_> = g.element().point("id");
            g.add(spots).point().set("size", g.draw(0, "test", "size", own))
        });
        let points = cooked(&cpu(), &strewn, inputs! {});
        let places = vectors(&points, "P").into_iter().zip(floats(&points, "size"));
        ids(&points).into_iter().zip(places).collect::<BTreeMap<_, _>>()
    };
    let all = strewn(9_000, 1.0, 0.0);
    for (count, density, min_dist, least) in [
        (2_000, 1.0, 0.0, 2_000),
        (9_000, 0.5, 0.0, 4_000),
        (9_000, 0.7, 1.0, 500),
    ] {
        let some = strewn(count, density, min_dist);
        assert!(some.len() >= least, "{}", some.len());
        assert!(some.iter().all(|(id, held)| all[id] == *held));
    }
    // Who stays is each one's own draw: a higher chance lets go of nobody that a lower one keeps.
    let (few, more) = (strewn(9_000, 0.3, 0.0), strewn(9_000, 0.6, 0.0));
    assert!(few.keys().all(|id| more.contains_key(id)) && few.len() < more.len());
}

fn everything(g: &Graph) -> Geo<'_> {
    let steep = 1.0 - g.element().point::<Vec3<'_>>("N").y();
    let density = (1.0 - steep.smoothstep(0.05, 0.5)) * g.add(field::Noise::new(g.position() * 0.1)).abs();
    let min_dist = g.float("min_dist", 0.4);
    g.add(
        points::OnSurface::new(hills(g, 90.0))
            .count(30_000)
            .min_dist(min_dist)
            .density(density),
    )
}

#[test]
fn gpu_and_threads_strew_the_same_bytes() {
    let of_mesh = graph(everything);
    let shards = Literal::triangles(&shards(2_000));
    let of_shards = graph(move |g| g.add(points::OnSurface::new(shards.surface(g)).count(20_000).min_dist(0.05)));
    for strewn in [of_mesh, of_shards] {
        let mut first: Option<(Vec<i32>, Vec<u32>)> = None;
        for device in all_devices() {
            let points = cooked(&device, &strewn, inputs! {});
            let found = (ids(&points), bits(&points));
            assert!(found.0.len() > 2_000, "{}", found.0.len());
            match &first {
                None => first = Some(found),
                Some(first) => assert!(*first == found, "{} differs", device.info().name),
            }
        }
    }
}

#[test]
fn the_work_is_what_the_node_states() {
    let dispatches = |device: &Device, density: f32, min_dist: f32| {
        let land = Literal::triangles(&shards(20));
        let strewn = graph(move |g| {
            g.add(
                points::OnSurface::new(land.surface(g))
                    .count(300)
                    .density(density)
                    .min_dist(min_dist),
            )
        });
        let mut play = play(device, &strewn, inputs! {}, false);
        let counting = device.counting();
        whole(&mut play, device, still());
        let delta = counting.delta();
        assert_eq!(delta.readbacks, 0);
        delta.dispatches
    };
    for device in devices() {
        assert_eq!(dispatches(&device, 1.0, 0.0), SAMPLES);
        assert_eq!(dispatches(&device, 0.5, 0.0), SAMPLES + DENSITY);
        assert_eq!(dispatches(&device, 1.0, 0.1), SAMPLES + DISTANCE);
        assert_eq!(dispatches(&device, 0.5, 0.1), SAMPLES + DENSITY + DISTANCE);
    }
}

/// What the node's doc states.
const SAMPLES: u64 = 7;
const DENSITY: u64 = 6;
const DISTANCE: u64 = 30;

#[test]
fn a_distance_that_moves_replays() {
    for device in devices() {
        let strewn = graph(everything);
        let mut moved = play(&device, &strewn, inputs! {}, true);
        for (index, min_dist) in [0.4f32, 1.0, 0.0, 3.0, 0.7].into_iter().enumerate() {
            moved.set_inputs(inputs! { min_dist: min_dist }).unwrap();
            let frame = whole(&mut moved, &device, still());
            assert!(!moved.report().mismatched);
            // Cooked, recorded and checked in the first three.
            if index >= 3 {
                assert_eq!(moved.report().cooked, [], "{min_dist} m");
            }
            let expected = cooked(&device, &strewn, inputs! { min_dist: min_dist });
            let found = frame.geometry("points").unwrap();
            assert_eq!(
                (ids(found), bits(found)),
                (ids(&expected), bits(&expected)),
                "{min_dist} m"
            );
        }
    }
}

#[test]
fn faces_that_nothing_can_lie_on_are_passed_over() {
    let good = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let bad = [
        [[5.0; 3]; 3],
        [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [9.0, 0.0, 0.0]],
        [[5.0, 0.0, 0.0], [f32::NAN, 0.0, 0.0], [5.0, 0.0, 9.0]],
        [[5.0, 0.0, 0.0], [f32::INFINITY, 0.0, 0.0], [5.0, 0.0, 9.0]],
        [[3e38, 0.0, 0.0], [-3e38, 0.0, 0.0], [5.0, 0.0, 3e38]],
    ];
    let mut mesh = Literal::triangles(&[&bad[..], &[good], &bad[..]].concat());
    // Corners on points that are not there, and faces that are no triangles but three corners each on the whole.
    mesh.corners.extend([0, 1, 99, 15, 16, 17, 15, -1, 15]);
    mesh.sides.extend([3, 4, 2]);
    let none = Literal {
        sides: mesh.sides[..5].to_vec(),
        corners: mesh.corners[..15].to_vec(),
        ..mesh.clone()
    };
    for device in devices() {
        for apart in [0.0, 0.01] {
            for (mesh, expected) in [(&mesh, true), (&none, false)] {
                let mesh = mesh.clone();
                let strewn = graph(move |g| g.add(points::OnSurface::new(mesh.surface(g)).count(400).min_dist(apart)));
                let at = vectors(&cooked(&device, &strewn, inputs! {}), "P");
                assert_eq!(!at.is_empty(), expected);
                assert!(at.iter().all(|p| p[0] <= 1.0 && p[1] == 0.0 && p[2] <= 1.0), "{at:?}");
            }
        }
    }
}

#[test]
fn nothing_to_strew_over_and_nothing_to_strew_give_no_points() {
    for device in devices() {
        let no_faces = Literal {
            places: vec![[0.0; 3]],
            normals: None,
            corners: vec![],
            sides: vec![],
        };
        let strewn = graph(move |g| {
            let spots = points::OnSurface::new(no_faces.surface(g)).min_dist(1.0).density(0.5);
            g.add(spots)
                .point()
                .set("steep", g.element().point::<Vec3<'_>>("N").y())
        });
        assert_eq!(cooked(&device, &strewn, inputs! {}).count(Class::Point).capacity(), 0);
        let strewn = graph(|g| {
            let spots = points::OnSurface::new(hills(g, 10.0)).count(g.int("count", 0));
            g.add(spots.min_dist(1.0).density(0.5))
        });
        assert_eq!(ids(&cooked(&device, &strewn, inputs! {})), [] as [i32; 0]);
        assert_eq!(ids(&cooked(&device, &strewn, inputs! { count: -5 })), [] as [i32; 0]);
        assert_eq!(ids(&cooked(&device, &strewn, inputs! { count: 1 })).len() / 2, 0);
    }
}

#[test]
fn what_can_t_be_strewn_over_is_refused_by_name() {
    let refused = |strewn: &GraphDef, inputs: Inputs| {
        let error = play(&cpu(), strewn, inputs, true)
            .present(still(), &Exec::default())
            .unwrap_err();
        error.to_string()
    };
    let mut quad = Literal::triangles(&[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]);
    quad.places.push([1.0, 0.0, 1.0]);
    (quad.corners, quad.sides) = (vec![0, 1, 3, 2], vec![4]);
    let strewn = graph(move |g| g.add(points::OnSurface::new(quad.surface(g))));
    let said = refused(&strewn, inputs! {});
    assert!(
        said.contains("g.points.on_surface failed: surface: expected triangles") && said.contains("4 vertices"),
        "{said}"
    );
    let strewn = graph(|g| g.add(points::OnSurface::new(hills(g, 10.0)).count(g.int("count", 1))));
    let said = refused(&strewn, inputs! { count: i32::MAX });
    assert!(
        said.contains("g.points.on_surface failed: count: expected at most"),
        "{said}"
    );
    let strewn = graph(|g| g.add(points::OnSurface::new(hills(g, 10.0)).min_dist(g.position().x())));
    let said = refused(&strewn, inputs! {});
    assert!(said.contains("expected one number"), "{said}");
    let strewn = graph(|g| {
        let heat: Float<'_> = g.element().point("heat");
        g.add(points::OnSurface::new(hills(g, 10.0)).density(heat))
    });
    assert!(refused(&strewn, inputs! {}).contains("no column named 'point.heat'"));
}
