//! A file read again holds the geometry that was written.

use crate::check::check;
use crate::common::{SQUARE, dots, downloaded, faces, file, grove, square, tower};
use zero_procgen::export::{Glb, Material};
use zero_procgen::nodes::{geometry, instances, mesh, points};
use zero_procgen::{Class, HostColumn, HostDetail, HostGeometry};

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
fn an_orientation_stands_for_yaw_and_normal() {
    let mut host = dots(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    host.set_detail("Mesh", HostDetail::Geometry(square()));
    let turn = glam::Quat::from_rotation_z(0.5);
    // Twice as long is made unit, and no length turns nothing.
    let turns = vec![(turn * 2.0).to_array(), [0.0; 4]];
    host.set(Class::Point, "orient", HostColumn::Quat(turns)).unwrap();
    host.set(Class::Point, "yaw", HostColumn::Float(vec![9.0; 2])).unwrap();
    let poses = file("squares", &host).instances("squares");
    let expected = glam::Affine3A::from_rotation_translation(turn, glam::vec3(1.0, 2.0, 3.0));
    assert!(poses[0].abs_diff_eq(expected, 1e-6), "{:?}", poses[0]);
    assert_eq!(poses[1], glam::Affine3A::from_translation(glam::vec3(4.0, 5.0, 6.0)));
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
fn colours_keep_their_alpha_and_coordinates_are_pairs() {
    let mut host = square();
    let colors = vec![[0.25, 0.5, 2.0, 0.5], [-1.0, 0.0, 1.0, 7.0], [0.0; 4], [1.0; 4]];
    host.set(Class::Point, "Cd", HostColumn::Color(colors)).unwrap();
    host.set(Class::Point, "uv", HostColumn::Vec2(vec![[0.5, 2.0]; 4]))
        .unwrap();
    let mesh = file("sheet", &host).mesh("sheet");
    let held = [[0.25, 0.5, 1.0, 0.5], [0.0, 0.0, 1.0, 1.0], [0.0; 4], [1.0; 4]];
    assert_eq!(mesh.rgba, held);
    assert_eq!(mesh.uvs, [[0.5, 2.0]; 4]);
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
