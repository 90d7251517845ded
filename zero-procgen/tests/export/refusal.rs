//! What a file can't hold is refused, and the refusal names it.

use crate::common::{SQUARE, dots, faces, square};
use zero_procgen::export::{Glb, Material};
use zero_procgen::{Class, HostColumn, HostDetail, HostGeometry};

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
