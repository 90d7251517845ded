//! What the nodes make and what they refuse.

use crate::common::{cook, cpu, rugged};
use zero_procgen::{Class, Graph, Registry, inputs};
use zero_terrain::nodes as terrain;
use zero_terrain::{Heightfield, upload_heights};

#[test]
fn bad_heights_are_refused_by_name_and_place() {
    let device = cpu();
    let refused = |width, height, spacing, origin, heights: &[f32]| {
        upload_heights(&device, width, height, spacing, origin, heights)
            .unwrap_err()
            .to_string()
    };
    let one = [1.0, 1.0];
    assert_eq!(
        refused(0, 0, one, one, &[]),
        "the grid: expected at least one sample a side, got 0 x 0"
    );
    assert_eq!(
        refused(2, 2, one, one, &[0.0; 3]),
        "heights: expected 4 numbers for 2 x 2 samples, got 3"
    );
    assert_eq!(
        refused(2, 2, one, one, &[0.0, 1.0, f32::NAN, 2.0]),
        "heights, number 2 (column 0, row 1): expected a number from -16383 to 16383, got NaN"
    );
    assert!(refused(1, 2, one, one, &[0.0, f32::INFINITY]).contains("got inf"));
    assert!(refused(1, 1, one, one, &[20_000.0]).contains("got 20000"));
    assert!(refused(1, 1, [0.0, 1.0], one, &[0.0]).contains("spacing along X: expected metres above 0, got 0"));
    assert!(refused(1, 1, one, [0.0, f32::NAN], &[0.0]).contains("origin along Z: expected finite metres, got NaN"));
    assert!(refused(u32::MAX, u32::MAX, one, one, &[]).contains("got 0"));
}

#[test]
fn a_window_is_the_samples_inside_it_where_they_stand() {
    let device = cpu();
    let heights = rugged(20, 16);
    let dem = upload_heights(&device, 20, 16, [10.0, 5.0], [100.0, -40.0], &heights).unwrap();
    for (unit, [x, z, width, depth]) in [
        (terrain::Unit::Cells, [3.0, 4.0, 6.0, 5.0]),
        // The samples at 135 to 185 m and at -17.5 to 2.5 m; the window's first edge lies on one of them.
        (terrain::Unit::Metres, [135.0, -20.0, 60.0, 25.0]),
    ] {
        let graph = Graph::define("cut", move |g| {
            g.output(
                "cut",
                g.add(terrain::Window::new(g.raster("dem"), x, z, width, depth).unit(unit)),
            );
        })
        .unwrap();
        let frame = cook(&device, &graph, inputs! { dem: dem.clone() }).unwrap();
        let cut = Heightfield::download(frame.raster("cut").unwrap()).unwrap();
        assert_eq!((cut.grid().width, cut.grid().height), (6, 5), "{unit:?}");
        assert_eq!(cut.grid().origin_m, [130.0, -20.0]);
        for (i, height) in cut.heights_m().iter().enumerate() {
            assert_eq!(*height, heights[(i / 6 + 4) * 20 + i % 6 + 3]);
        }
    }
}

#[test]
fn a_window_past_the_raster_and_one_of_nothing_are_refused() {
    let device = cpu();
    let dem = upload_heights(&device, 20, 16, [10.0, 5.0], [0.0, 0.0], &rugged(20, 16)).unwrap();
    for (place, expected) in [
        (
            [15.0, 0.0, 6.0, 2.0],
            "g.terrain.window failed: expected samples within the raster's 20 along X, got 15 to 21",
        ),
        (
            [0.0, -1.0, 6.0, 2.0],
            "g.terrain.window failed: expected samples within the raster's 16 along Z, got -1 to 1",
        ),
        (
            [0.0, 3.0, 6.0, 0.0],
            "g.terrain.window failed: expected samples within the raster's 16 along Z, got 3 to 3",
        ),
    ] {
        let [x, z, width, depth] = place;
        let graph = Graph::define("cut", move |g| {
            let window = terrain::Window::new(g.raster("dem"), x, z, width, depth);
            g.output("cut", g.add(window.unit(terrain::Unit::Cells)));
        })
        .unwrap();
        let message = cook(&device, &graph, inputs! { dem: dem.clone() })
            .unwrap_err()
            .to_string();
        assert!(message.contains("graph.rs:") && message.contains(expected), "{message}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_at_their_line() {
    let message = Graph::define("bad", |g| {
        let dem = g.raster("dem");
        g.add(terrain::Thermal::new(dem).talus_deg(90.0));
        g.add(terrain::Thermal::new(dem).steps(-1));
        g.add(terrain::Resample::new(dem).spacing_m(-2.0));
    })
    .unwrap_err()
    .to_string();
    for expected in [
        "g.terrain.thermal failed: talusDeg is 90, expected 0 to 89",
        "g.terrain.thermal failed: steps is -1, expected 0 to 10000",
        "g.terrain.resample failed: spacingM is -2, expected 0 or more",
    ] {
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn the_surface_faces_up_and_covers_the_samples() {
    let device = cpu();
    let heights = rugged(9, 7);
    let dem = upload_heights(&device, 9, 7, [2.0, 3.0], [-5.0, 4.0], &heights).unwrap();
    let graph = Graph::define("surface", |g| {
        g.output("surface", g.add(terrain::Surface::new(g.raster("dem"))));
    })
    .unwrap();
    let frame = cook(&device, &graph, inputs! { dem: dem.clone() }).unwrap();
    let mesh = frame.geometry("surface").unwrap();
    let floats = |name: &str| -> Vec<[f32; 3]> {
        let column = &mesh.column(Class::Point, name).unwrap().column;
        column
            .read::<f32>()
            .unwrap()
            .wait()
            .unwrap()
            .as_chunks::<3>()
            .0
            .to_vec()
    };
    let ints = |class: Class, name: &str| -> Vec<i32> {
        mesh.column(class, name)
            .unwrap()
            .column
            .read::<i32>()
            .unwrap()
            .wait()
            .unwrap()
    };
    let (places, normals) = (floats("P"), floats("N"));
    for (i, place) in places.iter().enumerate() {
        let (column, row) = ((i % 9) as f32, (i / 9) as f32);
        assert_eq!(
            *place,
            [(column + 0.5) * 2.0 - 5.0, heights[i], (row + 0.5) * 3.0 + 4.0]
        );
    }
    let ground = Heightfield::download(&dem).unwrap();
    for (place, normal) in places.iter().zip(&normals) {
        let expected = ground.normal_at(place[0], place[2]);
        assert!(
            (expected - glam::Vec3::from_array(*normal)).length() < 1e-5,
            "{normal:?} {expected}"
        );
    }
    let corners = ints(Class::Vertex, "pt");
    assert_eq!(corners.len(), 8 * 6 * 6);
    let mut area = 0.0;
    for face in corners.as_chunks::<3>().0 {
        let [a, b, c] = face.map(|point| glam::Vec3::from_array(places[point as usize]));
        let up = (b - a).cross(c - a).y;
        assert!(up > 0.0, "a face looks down");
        area += up / 2.0;
    }
    // Seen from above the faces cover the samples' rectangle once.
    assert_eq!(area, (8.0 * 2.0) * (6.0 * 3.0));
    assert_eq!(
        ints(Class::Primitive, "vstart"),
        (0..96).map(|face| face * 3).collect::<Vec<_>>()
    );
    assert_eq!(ints(Class::Primitive, "vcount"), vec![3; 96]);
}

#[test]
fn a_raster_of_one_row_has_a_surface_of_points() {
    let device = cpu();
    let dem = upload_heights(&device, 5, 1, [2.0, 3.0], [0.0, 0.0], &[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let graph = Graph::define("surface", |g| {
        g.output("surface", g.add(terrain::Surface::new(g.raster("dem"))));
    })
    .unwrap();
    let frame = cook(&device, &graph, inputs! { dem: dem }).unwrap();
    let mesh = frame.geometry("surface").unwrap();
    assert_eq!(mesh.count(Class::Point).capacity(), 5);
    assert_eq!(mesh.count(Class::Vertex).capacity(), 0);
}

#[test]
fn the_registry_takes_the_family_by_name() {
    let mut registry = Registry::standard();
    terrain::register(&mut registry);
    let ids: Vec<&str> = registry
        .schemas()
        .map(|schema| schema.id)
        .filter(|id| id.starts_with("terrain."))
        .collect();
    assert_eq!(
        ids,
        [
            "terrain.add_height",
            "terrain.height",
            "terrain.mask",
            "terrain.resample",
            "terrain.sample",
            "terrain.slope",
            "terrain.surface",
            "terrain.thermal",
            "terrain.window"
        ]
    );
    let resample = registry.schema("terrain.resample").unwrap();
    assert_eq!(resample.inputs[1].name, "spacingM");
}
