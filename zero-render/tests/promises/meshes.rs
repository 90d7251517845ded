//! Bad meshes are refused by name, before any device sees them.

use zero_render::{MeshData, glam::Vec3};

fn triangle() -> MeshData {
    MeshData {
        name: "fin".to_owned(),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        indices: vec![0, 1, 2],
        ..MeshData::default()
    }
}

fn refusal(change: impl FnOnce(&mut MeshData)) -> String {
    let mut mesh = triangle();
    change(&mut mesh);
    mesh.check().unwrap_err().to_string()
}

#[test]
fn a_good_triangle_passes() {
    triangle().check().unwrap();
}

#[test]
fn each_fault_is_named_with_what_arrived() {
    for (message, says) in [
        (refusal(|m| m.indices.clear()), "0 indices"),
        (
            refusal(|m| {
                *m = MeshData {
                    name: "fin".into(),
                    ..MeshData::default()
                }
            }),
            "empty",
        ),
        (refusal(|m| m.indices.extend([0, 1])), "5 indices"),
        (refusal(|m| m.indices[1] = 3), "index 3 at position 1"),
        (
            refusal(|m| m.positions[2].y = f32::NAN),
            "`positions` of element 2 is NaN",
        ),
        (refusal(|m| m.positions[0].z = f32::INFINITY), "is inf"),
        (refusal(|m| m.normals[1] = Vec3::ZERO), "normal of vertex 1"),
        (refusal(|m| m.normals[1].x = f32::NAN), "`normals` of element 1"),
        (refusal(|m| m.masks = vec![[0.0; 2]; 2]), "`masks` has 2 values for 3"),
        (refusal(|m| m.colors = vec![[f32::NAN; 4]; 3]), "`colors` of element 0"),
    ] {
        assert!(
            message.contains("fin") && message.contains(says),
            "{message}: expected {says}"
        );
    }
}

#[test]
fn normals_are_area_weighted_and_a_degenerate_triangle_poisons_none() {
    let mut mesh = triangle();
    mesh.positions.extend([Vec3::Z, Vec3::Z]);
    mesh.indices.extend([0, 3, 4, 4, 4, 4]);
    mesh.compute_normals();
    assert_eq!(mesh.normals, [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y, Vec3::Y]);
}

#[test]
fn appending_fills_what_one_side_lacks() {
    let mut mesh = triangle();
    let colored = MeshData {
        colors: vec![[0.5; 4]; 3],
        ..triangle()
    };
    mesh.append(&colored);
    mesh.append(&triangle());
    mesh.check().unwrap();
    assert_eq!(mesh.colors[2], [1.0; 4]);
    assert_eq!(mesh.colors[3], [0.5; 4]);
    assert_eq!(mesh.colors[8], [1.0; 4]);
    assert_eq!(mesh.indices[3..6], [3, 4, 5]);
}
