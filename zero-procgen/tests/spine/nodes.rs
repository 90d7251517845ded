//! What each node makes, against what its description says.

use crate::common::{devices, floats, play, still, whole};
use zero_compute::Device;
use zero_procgen::nodes::instances::Stand;
use zero_procgen::nodes::{geometry, instances, mesh, points};
use zero_procgen::{Class, Float, Geo, Graph, HostGeometry, Vec3, inputs, vec3};

fn made(device: &Device, build: impl for<'g> Fn(&'g Graph) -> Geo<'g> + Send + Sync + 'static) -> HostGeometry {
    let graph = Graph::define("made", move |g| g.output("made", build(g))).unwrap();
    let frame = whole(&mut play(device, &graph, inputs! {}, true), device, still());
    frame.geometry("made").unwrap().download().unwrap()
}

fn places(geometry: &HostGeometry) -> Vec<[f32; 3]> {
    geometry.vec3s(Class::Point, "P").unwrap().to_vec()
}

fn bounds(places: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let mut low = [f32::MAX; 3];
    let mut high = [f32::MIN; 3];
    for place in places {
        for lane in 0..3 {
            low[lane] = low[lane].min(place[lane]);
            high[lane] = high[lane].max(place[lane]);
        }
    }
    (low, high)
}

fn close(a: [f32; 3], b: [f32; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
}

/// The unit normals of the triangles, and whether each points the way its corners' normals do.
fn faces_agree_with_normals(geometry: &HostGeometry) {
    let (place, normal) = (places(geometry), geometry.vec3s(Class::Point, "N").unwrap().to_vec());
    let corners = geometry.ints(Class::Vertex, "pt").unwrap().to_vec();
    assert_eq!(corners.len() % 3, 0);
    for face in corners.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| glam::Vec3::from(place[face[corner] as usize]));
        let wound = (b - a).cross(c - a);
        assert!(wound.length() > 0.0);
        for corner in face {
            assert!(wound.dot(glam::Vec3::from(normal[*corner as usize])) > 0.0, "{face:?}");
        }
    }
}

#[test]
fn a_box_fills_its_size_and_faces_out() {
    for device in devices() {
        let cube = made(&device, |g| g.add(mesh::Box::new().size([2.0, 4.0, 6.0])));
        let (low, high) = bounds(&places(&cube));
        assert!(close(low, [-1.0, -2.0, -3.0]) && close(high, [1.0, 2.0, 3.0]));
        assert_eq!(cube.count(Class::Primitive), 12);
        faces_agree_with_normals(&cube);
        for (place, normal) in places(&cube).iter().zip(cube.vec3s(Class::Point, "N").unwrap()) {
            assert!(glam::Vec3::from(*place).dot(glam::Vec3::from(*normal)) > 0.0);
        }
    }
}

#[test]
fn a_cone_stands_on_the_ground_and_faces_out() {
    for device in devices() {
        let cone = made(&device, |g| {
            g.add(mesh::Cone::new().radius(2.0).height(3.0).segments(24))
        });
        let (low, high) = bounds(&places(&cone));
        assert!(low[1] == 0.0 && close(high, [2.0, 3.0, 2.0]));
        assert_eq!(cone.count(Class::Primitive), 48);
        faces_agree_with_normals(&cone);
    }
}

#[test]
fn a_sheet_faces_up_and_its_normals_are_read_off_its_slope() {
    for device in devices() {
        let sheet = made(&device, |g| {
            let flat = g.add(mesh::Grid::new().size([8.0, 1.0, 8.0]).cells_x(8).cells_z(5));
            let raised = g.add(geometry::SetPosition::new(
                flat,
                g.position() + vec3(0.0, g.position().x() * 0.5, 0.0),
            ));
            g.add(geometry::RecalculateNormals::new(raised))
        });
        assert_eq!((sheet.count(Class::Point), sheet.count(Class::Primitive)), (9 * 6, 80));
        faces_agree_with_normals(&sheet);
        let expected = glam::Vec3::new(-0.5, 1.0, 0.0).normalize().to_array();
        for normal in sheet.vec3s(Class::Point, "N").unwrap() {
            assert!(close(*normal, expected), "{normal:?}");
        }
    }
}

#[test]
fn a_disc_and_a_grid_are_where_they_say() {
    for device in devices() {
        let disc = places(&made(&device, |g| g.add(points::Disc::new().count(1000).radius(5.0))));
        let mut nearest = f32::MAX;
        for (index, place) in disc.iter().enumerate() {
            let radius = (place[0] * place[0] + place[2] * place[2]).sqrt();
            let expected = 5.0 * ((index as f32 + 0.5) / 1000.0).sqrt();
            assert!((radius - expected).abs() < 1e-3 && place[1] == 0.0);
            for other in &disc[..index] {
                nearest = nearest.min((place[0] - other[0]).hypot(place[2] - other[2]));
            }
        }
        // Evenly spread: a thousand points on 78.5 square metres are 0.28 m apart in the mean.
        assert!(nearest > 0.15, "{nearest}");
        let drawn = |seed| {
            places(&made(&device, move |g| {
                g.add(
                    points::Disc::new()
                        .count(500)
                        .radius(5.0)
                        .fill(points::Fill::Random)
                        .seed(seed),
                )
            }))
        };
        assert!(drawn(1).iter().all(|place| place[0].hypot(place[2]) <= 5.001));
        assert_ne!(drawn(1), drawn(2));
        let grid = places(&made(&device, |g| {
            g.add(points::Grid::new().count_x(3).count_z(2).spacing(2.0))
        }));
        let expected = [
            [-2.0, 0.0, -1.0],
            [0.0, 0.0, -1.0],
            [2.0, 0.0, -1.0],
            [-2.0, 0.0, 1.0],
            [0.0, 0.0, 1.0],
            [2.0, 0.0, 1.0],
        ];
        assert_eq!(grid, expected);
    }
}

#[test]
fn a_transform_scales_then_turns_then_moves_and_keeps_normals_square() {
    for device in devices() {
        let moved = made(&device, |g| {
            let slab = g.add(mesh::Box::new().size([2.0, 2.0, 2.0]));
            g.add(
                geometry::Transform::new(slab)
                    .scale([1.0, 2.0, 3.0])
                    .yaw_deg(90.0)
                    .translate([10.0, 0.0, 0.0]),
            )
        });
        let (low, high) = bounds(&places(&moved));
        // A quarter turn about +Y carries +X to -Z and +Z to +X.
        assert!(
            close(low, [7.0, -2.0, -1.0]) && close(high, [13.0, 2.0, 1.0]),
            "{low:?} {high:?}"
        );
        faces_agree_with_normals(&moved);
        for normal in moved.vec3s(Class::Point, "N").unwrap() {
            assert!((glam::Vec3::from(*normal).length() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn merged_meshes_keep_their_faces_and_miss_no_column() {
    for device in devices() {
        let merged = made(&device, |g| {
            let cone = g.add(mesh::Cone::new().segments(8));
            let cube = g.add(mesh::Box::new()).point().set("heat", Float::from(2.5));
            g.add(geometry::Merge::new([cone, cube]))
        });
        let cone_points = 8 * 3 + 9;
        assert_eq!(merged.count(Class::Point), cone_points + 24);
        let heat = merged.floats(Class::Point, "heat").unwrap();
        assert!(heat[..cone_points as usize].iter().all(|value| *value == 0.0));
        assert!(heat[cone_points as usize..].iter().all(|value| *value == 2.5));
        let starts = merged.ints(Class::Primitive, "vstart").unwrap();
        assert!(starts.iter().enumerate().all(|(face, start)| *start == 3 * face as i32));
        faces_agree_with_normals(&merged);
    }
}

#[test]
fn a_filter_keeps_what_is_above_in_order_with_what_it_carries() {
    for device in devices() {
        let kept = made(&device, |g| {
            let line = g.add(points::Grid::new().count_x(100).count_z(1));
            let id = g.element().id().to_float();
            g.add(points::Filter::new(line.point().set("n", id), (id / 7.0).fract()).threshold(0.5))
        });
        let expected: Vec<f32> = (0..100).map(|n| n as f32).filter(|n| (n / 7.0).fract() > 0.5).collect();
        assert_eq!(kept.floats(Class::Point, "n").unwrap(), expected);
    }
}

#[test]
fn copies_stand_upright_unless_they_are_told_to_follow_the_normal() {
    for device in devices() {
        for (stand, tilted) in [(Stand::Upright, false), (Stand::Normal, true)] {
            let copies = made(&device, move |g| {
                let spots = g
                    .add(points::Disc::new().count(6))
                    .point()
                    .set("N", Vec3::from([0.6, 0.8, 0.0]));
                // The field reads the normal that an upright copy does not keep.
                let lean = g.element().point::<Vec3<'_>>("N").y();
                g.add(
                    instances::Place::new(spots, g.add(mesh::Cone::new()))
                        .scale(lean)
                        .yaw_deg(180.0)
                        .stand(stand),
                )
            });
            assert_eq!(copies.attribute(Class::Point, "N").is_some(), tilted);
            assert!(
                copies
                    .floats(Class::Point, "scale")
                    .unwrap()
                    .iter()
                    .all(|scale| *scale == 0.8)
            );
            let half = std::f32::consts::PI;
            assert!(
                copies
                    .floats(Class::Point, "yaw")
                    .unwrap()
                    .iter()
                    .all(|yaw| (yaw - half).abs() < 1e-5)
            );
            assert!(copies.mesh().is_some());
        }
    }
}

#[test]
fn draws_are_the_scoped_hash() {
    for device in devices() {
        let graph = Graph::define("draws", |g| {
            let line = g.add(points::Grid::new().count_x(50).count_z(1));
            g.output(
                "line",
                line.point().set("draw", g.draw(9, "test", "channel", g.element().id())),
            );
        })
        .unwrap();
        let frame = whole(&mut play(&device, &graph, inputs! {}, true), &device, still());
        let found = floats(frame.geometry("line").unwrap(), "draw");
        let state = zero_noise::Scope::new(9).text("test").text("channel");
        let expected: Vec<f32> = (0..50).map(|id| state.uint(id).unit()).collect();
        assert_eq!(found, expected);
    }
}
