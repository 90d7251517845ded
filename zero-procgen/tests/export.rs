//! Geometry read back to the host, and the files it is written to: what a reader finds is what was there.

mod glb_check;

use glb_check::{Checked, check};
use std::fs;
use zero_compute::{CpuOptions, Device};
use zero_procgen::export::{Glb, Material};
use zero_procgen::nodes::{geometry, instances, mesh, points};
use zero_procgen::values::Geometry;
use zero_procgen::{
    Class, Clock, Error, Geo, Graph, HostColumn, HostDetail, HostGeometry, Inputs, Play, PlayOptions, Present, Store,
    StoreOptions,
};

fn cpu() -> Device {
    Device::cpu(CpuOptions::default())
}

/// Cooks a graph of one output and hands it to `look`.
fn cook<T>(
    device: &Device,
    body: impl for<'g> Fn(&'g Graph) -> Geo<'g> + Send + Sync + 'static,
    look: impl FnOnce(&Geometry) -> T,
) -> T {
    let graph = Graph::define("export", move |g| g.output("out", body(g))).unwrap();
    let store = Store::new(device, StoreOptions::default());
    let mut play = Play::with_options(&store, &graph, Inputs::default(), PlayOptions { recorded: false }).unwrap();
    for _ in 0..10_000 {
        if let Present::Whole(frame) = play.present(Clock::default(), &zero_compute::Exec::default()).unwrap() {
            return look(frame.geometry("out").unwrap());
        }
    }
    panic!("the present did not settle");
}

fn downloaded(body: impl for<'g> Fn(&'g Graph) -> Geo<'g> + Send + Sync + 'static) -> HostGeometry {
    cook(&cpu(), body, |geometry| geometry.download().unwrap())
}

fn tower(g: &Graph) -> Geo<'_> {
    let mut tower = g.add(mesh::Box::new().size([9.0, 0.4, 9.0]));
    for storey in 0..5 {
        let slab = g.add(mesh::Box::new().size([1.0, 3.0, 1.0]));
        let slab = geometry::Transform::new(slab)
            .translate([0.0, 3.0 * storey as f32, 0.0])
            .scale(8.0 - storey as f32)
            .yaw_deg(7.5 * storey as f32);
        tower = g.add(geometry::Merge::new([tower, g.add(slab)]));
    }
    tower
}

fn grove(g: &Graph) -> Geo<'_> {
    let spots = g.add(points::Grid::new().count_x(9).count_z(7).spacing(2.0));
    let tree = g.add(mesh::Cone::new().radius(0.5).height(2.0));
    let kept = g.add(points::Filter::new(spots, g.position().x()).threshold(0.5));
    let lean = g.position().z();
    g.add(
        instances::Place::new(kept, tree)
            .scale(lean * 0.05 + 1.0)
            .yaw_deg(lean * 40.0),
    )
}

/// Points from nothing but their places.
fn dots(places: &[[f32; 3]]) -> HostGeometry {
    let mut host = HostGeometry::new();
    host.set(Class::Point, "P", HostColumn::Vec3(places.to_vec())).unwrap();
    host
}

/// A mesh of faces over points.
fn faces(places: &[[f32; 3]], faces: &[&[i32]]) -> HostGeometry {
    let mut host = dots(places);
    let counts: Vec<i32> = faces.iter().map(|face| face.len() as i32).collect();
    let starts = counts.iter().scan(0, |next, count| {
        *next += count;
        Some(*next - count)
    });
    let starts = starts.collect();
    host.set(Class::Vertex, "pt", HostColumn::Int(faces.concat())).unwrap();
    host.set(Class::Primitive, "vstart", HostColumn::Int(starts)).unwrap();
    host.set(Class::Primitive, "vcount", HostColumn::Int(counts)).unwrap();
    host
}

const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];

fn square() -> HostGeometry {
    faces(&SQUARE, &[&[0, 1, 2, 3]])
}

fn file(name: &str, host: &HostGeometry) -> Checked {
    check(&Glb::new().add(name, host).unwrap().to_bytes().unwrap())
}

#[test]
fn a_download_brings_what_lives_and_drives_once() {
    let device = cpu();
    cook(&device, grove, |geometry| {
        let counting = device.counting();
        let download = geometry.start_download().unwrap();
        // P, scale and yaw and the live count; P, N, pt, vstart and vcount of the tree.
        assert_eq!(
            device.queued(),
            9,
            "every read-back is asked for before one is waited for"
        );
        let host = download.wait().unwrap();
        assert_eq!((device.queued(), counting.delta().readbacks), (0, 9));
        assert_eq!(counting.delta().dispatches, 0);
        // Of 9 columns from -8 m to 8 m those above 0.5 m stay: 4 of them, by 7 rows.
        assert_eq!(geometry.count(Class::Point).capacity(), 63);
        assert_eq!(host.count(Class::Point), 28);
        let places = host.vec3s(Class::Point, "P").unwrap();
        let expected = (0..7).flat_map(|z| (1..5).map(move |x| [2.0 * x as f32, 0.0, 2.0 * z as f32 - 6.0]));
        assert_eq!(places, expected.collect::<Vec<_>>());
        for (place, scale) in places.iter().zip(host.floats(Class::Point, "scale").unwrap()) {
            assert_eq!(*scale, place[2] * 0.05 + 1.0);
        }
        let tree = host.mesh().unwrap();
        assert_eq!((tree.count(Class::Point), tree.count(Class::Primitive)), (49, 24));
        assert_eq!(tree.ints(Class::Vertex, "pt").unwrap().len(), 72);
    });
}

#[test]
fn an_awaited_download_is_the_waited_one() {
    cook(&cpu(), grove, |geometry| {
        let waited = geometry.download().unwrap();
        let mut arriving = std::pin::pin!(geometry.start_download().unwrap().arrive());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let arrived = loop {
            if let std::task::Poll::Ready(arrived) = arriving.as_mut().poll(&mut context) {
                break arrived.unwrap();
            }
        };
        assert_eq!(waited, arrived);
    });
}

#[test]
fn a_host_geometry_refuses_what_does_not_fit() {
    let mut host = dots(&SQUARE);
    let short = host
        .set(Class::Point, "N", HostColumn::Vec3(vec![[0.0; 3]; 3]))
        .unwrap_err();
    assert_eq!(short.to_string(), "point.N: expected 4 elements, got 3");
    let kind = host.floats(Class::Point, "P").unwrap_err();
    assert_eq!(kind.to_string(), "point.P: expected Float, got Vec3");
    assert!(matches!(host.column(Class::Vertex, "pt"), Err(Error::Unknown { .. })));
    assert!(host.set(Class::Detail, "x", HostColumn::Int(vec![1])).is_err());
}

#[test]
fn a_tower_comes_back_as_it_was() {
    let host = downloaded(tower);
    let file = file("tower", &host);
    let mesh = file.mesh("tower");
    assert_eq!(mesh.mode, gltf::mesh::Mode::Triangles);
    assert_eq!(mesh.positions, host.vec3s(Class::Point, "P").unwrap());
    let corners = host.ints(Class::Vertex, "pt").unwrap();
    let indices: Vec<i32> = mesh.indices.iter().map(|index| *index as i32).collect();
    // Five slabs and a base of six sides, two triangles each; not one is degenerate.
    assert_eq!((corners.len(), indices.as_slice()), (6 * 12 * 3, corners));
    for (written, given) in mesh.normals.iter().zip(host.vec3s(Class::Point, "N").unwrap()) {
        assert!(written.iter().zip(given).all(|(a, b)| (a - b).abs() < 1e-6));
    }
    assert_eq!((mesh.min[1], mesh.max[1]), (-12.0, 18.0));
    assert!(file.root.extensions_used.is_empty() && file.root.extensions_required.is_empty());
}

#[test]
fn a_population_comes_back_as_instances() {
    let host = downloaded(grove);
    let file = file("trees", &host);
    assert_eq!(file.root.extensions_used, ["EXT_mesh_gpu_instancing"]);
    assert_eq!(file.root.extensions_required, ["EXT_mesh_gpu_instancing"]);
    let mesh = file.mesh("trees");
    assert_eq!(mesh.positions, host.mesh().unwrap().vec3s(Class::Point, "P").unwrap());
    let poses = file.instances("trees");
    assert_eq!(poses.len(), 28);
    let (places, scales, yaws) = (
        host.vec3s(Class::Point, "P").unwrap(),
        host.floats(Class::Point, "scale").unwrap(),
        host.floats(Class::Point, "yaw").unwrap(),
    );
    for (index, pose) in poses.iter().enumerate() {
        let expected = glam::Affine3A::from_scale_rotation_translation(
            glam::Vec3::splat(scales[index]),
            glam::Quat::from_rotation_y(yaws[index]),
            glam::Vec3::from(places[index]),
        );
        assert!(
            pose.abs_diff_eq(expected, 1e-5),
            "instance {index}: {pose:?}, expected {expected:?}"
        );
    }
}

#[test]
fn an_instance_is_turned_as_a_transform_turns() {
    let turned = downloaded(|g| {
        let block = g.add(mesh::Box::new().size([3.0, 1.0, 2.0]));
        g.add(geometry::Transform::new(block).yaw_deg(33.0).scale(1.5))
    });
    let placed = downloaded(|g| {
        let block = g.add(mesh::Box::new().size([3.0, 1.0, 2.0]));
        let spot = g.add(points::Grid::new().count_x(1).count_z(1));
        g.add(instances::Place::new(spot, block).yaw_deg(33.0).scale(1.5))
    });
    let file = file("block", &placed);
    let pose = file.instances("block")[0];
    let expected = turned.vec3s(Class::Point, "P").unwrap();
    for (place, expected) in file.mesh("block").positions.iter().zip(expected) {
        let found = pose.transform_point3(glam::Vec3::from(*place));
        assert!(
            found.abs_diff_eq(glam::Vec3::from(*expected), 1e-5),
            "{found} {expected:?}"
        );
    }
}

#[test]
fn a_population_without_poses_stands_upright_and_whole() {
    let mut host = dots(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    host.set_detail("Mesh", HostDetail::Geometry(square()));
    let poses = file("squares", &host).instances("squares");
    let at = |x, y, z| glam::Affine3A::from_translation(glam::vec3(x, y, z));
    assert_eq!(poses, [at(1.0, 2.0, 3.0), at(4.0, 5.0, 6.0)]);
    host.set(
        Class::Point,
        "N",
        HostColumn::Vec3(vec![[2.0, 0.0, 0.0], [0.0, 0.0, -0.5]]),
    )
    .unwrap();
    host.set(Class::Point, "scale", HostColumn::Vec3(vec![[1.0, 2.0, 3.0]; 2]))
        .unwrap();
    let poses = file("squares", &host).instances("squares");
    let up = |pose: &glam::Affine3A| pose.transform_vector3(glam::Vec3::Y);
    assert!(up(&poses[0]).abs_diff_eq(glam::vec3(2.0, 0.0, 0.0), 1e-6));
    assert!(up(&poses[1]).abs_diff_eq(glam::vec3(0.0, 0.0, -2.0), 1e-6));
}

#[test]
fn polygons_are_fans_and_what_has_no_area_is_left_out() {
    let places = [SQUARE.as_slice(), &[[0.5, 0.0, 0.0], [0.0, 0.0, 0.0]]].concat();
    let host = faces(
        &places,
        &[
            &[0, 1, 2, 3],
            &[0, 1],
            &[],
            &[2, 2, 3],
            &[0, 4, 3],
            &[0, 5, 1],
            &[1, 2, 3],
        ],
    );
    assert_eq!(file("sheet", &host).mesh("sheet").indices, [0, 1, 2, 0, 2, 3, 1, 2, 3]);
}

#[test]
fn missing_normals_are_the_mean_of_the_faces_by_area() {
    // A floor of 2 square metres and a wall of half a square metre meet along z, at points 0 and 1; 5 stands alone.
    let places = [
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [2.0, 0.0, 1.0],
        [2.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [9.0, 9.0, 9.0],
    ];
    let mut host = faces(&places, &[&[0, 1, 2, 3], &[0, 4, 1]]);
    let computed = file("corner", &host).mesh("corner").normals;
    let near = |found: [f32; 3], expected: glam::Vec3| {
        assert!(
            glam::Vec3::from(found).abs_diff_eq(expected.normalize(), 1e-6),
            "{found:?} {expected}"
        );
    };
    near(computed[0], glam::vec3(1.0, 4.0, 0.0));
    near(computed[1], glam::vec3(1.0, 2.0, 0.0));
    near(computed[2], glam::Vec3::Y);
    near(computed[4], glam::Vec3::X);
    near(computed[5], glam::Vec3::Y);
    let mut given = vec![[0.0, 0.0, -7.0]; 6];
    given[1] = [0.0; 3];
    host.set(Class::Point, "N", HostColumn::Vec3(given)).unwrap();
    let mixed = file("corner", &host).mesh("corner").normals;
    near(mixed[0], glam::Vec3::NEG_Z);
    assert_eq!(mixed[1], computed[1], "a normal without length is the computed one");
}

#[test]
fn columns_of_points_and_vertices_become_attributes() {
    let mut host = square();
    let colors = vec![[0.25, 0.5, 2.0], [-1.0, 0.0, 1.0], [0.0; 3], [1.0; 3]];
    host.set(Class::Point, "Cd", HostColumn::Vec3(colors)).unwrap();
    let mesh = file("sheet", &host).mesh("sheet");
    assert_eq!(mesh.colors, [[0.25, 0.5, 1.0], [0.0, 0.0, 1.0], [0.0; 3], [1.0; 3]]);
    assert!(mesh.uvs.is_empty());

    // Two faces share points 0 and 2; their vertices do not share a coordinate.
    let mut host = faces(&SQUARE, &[&[0, 1, 2], &[0, 2, 3]]);
    let uvs: Vec<[f32; 3]> = (0..6).map(|corner| [corner as f32, 0.5, 9.0]).collect();
    host.set(Class::Vertex, "uv", HostColumn::Vec3(uvs)).unwrap();
    let mesh = file("sheet", &host).mesh("sheet");
    assert_eq!(mesh.indices, [0, 1, 2, 3, 4, 5]);
    assert_eq!(mesh.positions, [0, 1, 2, 0, 2, 3].map(|point: usize| SQUARE[point]));
    assert_eq!(mesh.uvs, [0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0].map(|u| [u, 0.5]));
    assert_eq!(mesh.normals, [[0.0, 1.0, 0.0]; 6]);
}

#[test]
fn points_alone_are_points() {
    let mut host = dots(&SQUARE);
    host.set(Class::Point, "Cd", HostColumn::Vec3(vec![[0.5; 3]; 4]))
        .unwrap();
    let mesh = file("dots", &host).mesh("dots");
    assert_eq!(mesh.mode, gltf::mesh::Mode::Points);
    assert_eq!((mesh.positions, mesh.colors), (SQUARE.to_vec(), vec![[0.5; 3]; 4]));
    assert!(mesh.indices.is_empty() && mesh.normals.is_empty());
}

#[test]
fn several_meshes_keep_their_names_and_materials() {
    let water = Material {
        base_color: [0.1, 0.2, 0.3, 0.5],
        roughness: 0.05,
        metallic: 1.0,
    };
    let mut none = HostGeometry::new();
    none.set_detail("Mesh", HostDetail::Geometry(square()));
    let glb = Glb::new()
        .add("ground", &square())
        .unwrap()
        .add("no trees", &none)
        .unwrap();
    let glb = glb.add("water", &square()).unwrap().material("water", water).unwrap();
    let file = check(&glb.to_bytes().unwrap());
    let names: Vec<_> = file
        .root
        .nodes
        .iter()
        .map(|node| node.name.as_deref().unwrap())
        .collect();
    assert_eq!(names, ["ground", "no trees", "water"]);
    assert!(file.root.nodes[1].mesh.is_none() && file.root.extensions_used.is_empty());
    let material = file.mesh("water").material;
    assert_eq!(material.name.as_deref(), Some("water"));
    assert_eq!(material.pbr_metallic_roughness.base_color_factor.0, water.base_color);
    assert_eq!(material.pbr_metallic_roughness.roughness_factor.0, 0.05);
    assert_eq!(material.pbr_metallic_roughness.metallic_factor.0, 1.0);
    let blend = gltf::material::AlphaMode::Blend;
    assert_eq!(material.alpha_mode, gltf::json::validation::Checked::Valid(blend));
    let ground = file.mesh("ground").material;
    assert_eq!(
        ground.pbr_metallic_roughness.base_color_factor.0,
        Material::default().base_color
    );
}

#[test]
fn nothing_is_a_file() {
    let file = check(&Glb::new().to_bytes().unwrap());
    assert!(file.root.buffers.is_empty() && file.root.nodes.is_empty());
}

#[test]
fn two_runs_write_the_same_bytes() {
    let run = || {
        let glb = Glb::new().add("tower", &downloaded(tower)).unwrap();
        glb.add("trees", &downloaded(grove)).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.glb");
    run().write_to(&path).unwrap();
    let written = fs::read(&path).unwrap();
    check(&written);
    assert_eq!(written, run().to_bytes().unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the file is left");
}

#[test]
fn a_write_that_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let glb = Glb::new().add("sheet", &square()).unwrap();
    // A folder that holds something is not replaced by a file.
    let taken = folder.path().join("taken.glb");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("kept"), b"kept").unwrap();
    let error = glb.write_to(&taken).unwrap_err();
    assert!(
        matches!(error, Error::File { .. }) && error.to_string().contains("taken.glb"),
        "{error}"
    );
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["taken.glb"]);
    let missing = folder.path().join("nowhere").join("a.glb");
    assert!(glb.write_to(&missing).unwrap_err().to_string().contains("nowhere"));
    assert!(glb.write_to(folder.path().join("..")).is_err());
}

/// The message of a refusal names these.
fn refused(host: &HostGeometry, parts: &[&str]) {
    let message = Glb::new().add("tower", host).unwrap_err().to_string();
    for part in parts.iter().chain(&["tower"]) {
        assert!(message.contains(part), "'{message}' does not say '{part}'");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut places = SQUARE;
        places[2][1] = bad;
        refused(
            &faces(&places, &[&[0, 1, 2, 3]]),
            &["point.P", "element 2", "finite", &format!("{bad}")],
        );
        for column in ["N", "Cd", "uv"] {
            let mut host = square();
            host.set(Class::Point, column, HostColumn::Vec3(vec![[bad; 3]; 4]))
                .unwrap();
            refused(&host, &[&format!("point.{column}"), "element 0"]);
        }
        for column in ["yaw", "scale"] {
            let mut host = dots(&SQUARE);
            host.set_detail("Mesh", HostDetail::Geometry(square()));
            host.set(Class::Point, column, HostColumn::Float(vec![0.0, 1.0, 2.0, bad]))
                .unwrap();
            refused(&host, &[&format!("point.{column}"), "element 3"]);
        }
    }
    refused(&HostGeometry::new(), &["no points"]);
    refused(&faces(&SQUARE, &[&[0, 1], &[2, 2, 2]]), &["no face with an area"]);
    refused(
        &faces(&SQUARE, &[&[0, 1, 4]]),
        &["vertex.pt", "element 2", "4 points", "4"],
    );
    refused(&faces(&SQUARE, &[&[0, -1, 2]]), &["vertex.pt", "element 1", "-1"]);
    for (start, count) in [(2, 3), (-1, 3), (0, -3), (i32::MAX, i32::MAX)] {
        let mut host = square();
        host.set(Class::Primitive, "vstart", HostColumn::Int(vec![start]))
            .unwrap();
        host.set(Class::Primitive, "vcount", HostColumn::Int(vec![count]))
            .unwrap();
        refused(&host, &["primitive 0", &format!("{count} from {start}"), "4 vertices"]);
    }
    let mut host = square();
    host.set(Class::Point, "Cd", HostColumn::Float(vec![0.0; 4])).unwrap();
    refused(&host, &["point.Cd", "Vec3", "Float"]);
    let mut host = dots(&SQUARE);
    let mut grove = dots(&SQUARE);
    grove.set_detail("Mesh", HostDetail::Geometry(square()));
    host.set_detail("Mesh", HostDetail::Geometry(grove));
    refused(&host, &["population of populations"]);
    host.set_detail("Mesh", HostDetail::Geometry(HostGeometry::new()));
    refused(&host, &["tower.Mesh", "no points"]);
}

#[test]
fn names_and_factors_are_checked_where_they_enter() {
    let glb = Glb::new().add("tower", &square()).unwrap();
    let twice = glb.clone().add("tower", &square()).unwrap_err().to_string();
    assert!(twice.contains("'tower'") && twice.contains("already"), "{twice}");
    let unknown = glb
        .clone()
        .material("towr", Material::default())
        .unwrap_err()
        .to_string();
    assert!(
        unknown.contains("towr") && unknown.contains("nearest are tower"),
        "{unknown}"
    );
    for bad in [f32::NAN, -0.1, 1.5] {
        let material = Material {
            roughness: bad,
            ..Material::default()
        };
        let error = glb.clone().material("tower", material).unwrap_err().to_string();
        assert!(error.contains("roughness") && error.contains("'tower'"), "{error}");
    }
}
