//! Slope and samples against what planes and a sequential oracle say.

use crate::common::{cook, cpu, rugged};
use zero_procgen::{Graph, inputs};
use zero_terrain::nodes as terrain;
use zero_terrain::{Heightfield, upload_heights};

const SPACING: [f32; 2] = [4.0, 6.0];

fn degrees(width: u32, height: u32, heights: &[f32]) -> Vec<f32> {
    let device = cpu();
    let dem = upload_heights(&device, width, height, SPACING, [0.0; 2], heights).unwrap();
    let graph = Graph::define("slope", |g| {
        let dem = g.raster("dem");
        g.output("slope", dem.map(g.add(terrain::Slope::new(dem))));
    })
    .unwrap();
    let frame = cook(&device, &graph, inputs! { dem: dem }).unwrap();
    frame
        .raster("slope")
        .unwrap()
        .samples()
        .read::<f32>()
        .unwrap()
        .wait()
        .unwrap()
}

#[test]
fn a_plane_is_evenly_steep_to_its_very_edge_in_degrees() {
    for (rise_x, rise_z) in [(0.0f32, 0.0f32), (1.0, 0.0), (0.0, -0.5), (0.6, 0.8)] {
        for (width, height) in [(9u32, 6u32), (2, 2)] {
            let heights: Vec<f32> = (0..width * height)
                .map(|i| (i % width) as f32 * SPACING[0] * rise_x + (i / width) as f32 * SPACING[1] * rise_z)
                .collect();
            let expected = f64::from(rise_x).hypot(f64::from(rise_z)).atan().to_degrees();
            for slope in degrees(width, height, &heights) {
                assert!(
                    (f64::from(slope) - expected).abs() < 1e-4,
                    "{slope}, expected {expected}"
                );
            }
        }
    }
}

#[test]
fn rugged_ground_agrees_with_horns_sums_in_64_bits() {
    let (width, height) = (31i64, 22i64);
    let heights = rugged(width as u32, height as u32);
    let at = |x: i64, z: i64| {
        let (x, z) = (x.clamp(0, width - 1), z.clamp(0, height - 1));
        f64::from(heights[(z * width + x) as usize])
    };
    let found = degrees(width as u32, height as u32, &heights);
    for z in 0..height {
        for x in 0..width {
            let (mut gx, mut gz) = (0.0, 0.0);
            for (offset, weight) in [(-1, 1.0), (0, 2.0), (1, 1.0)] {
                gx += weight * (at(x + 1, z + offset) - at(x - 1, z + offset));
                gz += weight * (at(x + offset, z + 1) - at(x + offset, z - 1));
            }
            let run = |place: i64, last: i64| if place == 0 || place == last { 4.0 } else { 8.0 };
            let gx: f64 = gx / (run(x, width - 1) * f64::from(SPACING[0]));
            let gz: f64 = gz / (run(z, height - 1) * f64::from(SPACING[1]));
            let expected = gx.hypot(gz).atan().to_degrees();
            let slope = f64::from(found[(z * width + x) as usize]);
            assert!(
                (slope - expected).abs() < 1e-3,
                "({x}, {z}): {slope}, expected {expected}"
            );
        }
    }
}

#[test]
fn a_sampled_raster_is_the_hosts_heightfield() {
    let device = cpu();
    let dem = upload_heights(&device, 13, 11, SPACING, [-20.0, 3.0], &rugged(13, 11)).unwrap();
    let ground = Heightfield::download(&dem).unwrap();
    let graph = Graph::define("sampled", |g| {
        let cloud = g.add(
            zero_procgen::nodes::points::Disc::new()
                .count(2_000)
                .radius(80.0)
                .fill(zero_procgen::nodes::points::Fill::Random),
        );
        let height = g.add(terrain::Height::new(g.raster("dem")));
        g.output("cloud", cloud.point().set("height", height));
    })
    .unwrap();
    let frame = cook(&device, &graph, inputs! { dem: dem }).unwrap();
    let cloud = frame.geometry("cloud").unwrap();
    let floats = |name: &str| {
        let column = &cloud.column(zero_procgen::Class::Point, name).unwrap().column;
        column.read::<f32>().unwrap().wait().unwrap()
    };
    let (places, heights) = (floats("P"), floats("height"));
    for (place, height) in places.as_chunks::<3>().0.iter().zip(&heights) {
        assert_eq!(*height, ground.height_at(place[0], place[2]));
    }
}
