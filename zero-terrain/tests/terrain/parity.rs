//! The same bytes on every device.

use crate::common::{cook, devices, rugged};
use zero_procgen::nodes::{field, points};
use zero_procgen::{Class, Frame, Graph, GraphDef, inputs};
use zero_terrain::nodes as terrain;
use zero_terrain::upload_heights;

fn graph() -> GraphDef {
    Graph::define("ground", |g| {
        let dem = g.add(terrain::Window::new(g.raster("dem"), 2.0, 1.0, 40.0, 37.0).unit(terrain::Unit::Cells));
        let fine = g.add(terrain::Resample::new(dem).spacing_m(7.0));
        let lines = g.add(
            terrain::Resample::new(dem)
                .spacing_m(11.3)
                .filter(terrain::Filter::Bilinear),
        );
        let rough = g.add(terrain::Height::new(fine)).smoothstep(20.0, 90.0) * 6.0;
        let detail = g.add(field::Fbm::new(g.position() / 40.0).octaves(5)) * rough;
        let raised = g.add(terrain::AddHeight::new(fine).by(detail));
        let land = g.add(terrain::Thermal::new(raised).steps(9).talus_deg(33.0));
        let steep = g.add(terrain::Slope::new(land)).smoothstep(20.0, 40.0);
        let cloud = g.add(
            points::Disc::new()
                .count(5_000)
                .radius(300.0)
                .fill(points::Fill::Random),
        );
        g.output("lines", lines);
        g.output("land", land);
        g.output("rock", g.add(terrain::Mask::new(land, steep)));
        g.output("surface", g.add(terrain::Surface::new(land)));
        g.output("kept", g.add(points::Filter::new(cloud, 1.0 - steep)));
    })
    .unwrap()
}

/// Every word of every output.
fn words(frame: &Frame) -> Vec<u32> {
    let mut all = Vec::new();
    for name in ["lines", "land", "rock"] {
        let raster = frame.raster(name).unwrap();
        all.extend([raster.width(), raster.height()]);
        all.extend(
            raster
                .spacing_m()
                .iter()
                .chain(&raster.origin_m())
                .map(|side| side.to_bits()),
        );
        let samples = raster.samples().read::<f32>().unwrap().wait().unwrap();
        all.extend(samples.iter().map(|sample| sample.to_bits()));
    }
    for name in ["surface", "kept"] {
        let geometry = frame.geometry(name).unwrap();
        for class in [Class::Point, Class::Vertex, Class::Primitive] {
            for name in geometry.names(class) {
                let column = &geometry.column(class, &name).unwrap().column;
                match column.element() {
                    zero_compute::Element::F32 => {
                        all.extend(
                            column
                                .read::<f32>()
                                .unwrap()
                                .wait()
                                .unwrap()
                                .iter()
                                .map(|value| value.to_bits()),
                        );
                    }
                    _ => all.extend(
                        column
                            .read::<i32>()
                            .unwrap()
                            .wait()
                            .unwrap()
                            .iter()
                            .map(|value| *value as u32),
                    ),
                }
            }
        }
    }
    all
}

#[test]
fn gpu_threads_and_instruction_sets_give_a_landscape_the_same_bytes() {
    let graph = graph();
    let mut first: Option<Vec<u32>> = None;
    for (name, device) in devices() {
        let dem = upload_heights(&device, 48, 41, [13.4, 9.7], [-310.0, -200.0], &rugged(48, 41)).unwrap();
        let found = words(&cook(&device, &graph, inputs! { dem: dem }).unwrap());
        assert!(found.len() > 50_000, "{}", found.len());
        match &first {
            None => first = Some(found),
            Some(first) => {
                let differ = first.iter().zip(&found).filter(|(a, b)| a != b).count();
                assert_eq!((differ, found.len()), (0, first.len()), "{name}");
            }
        }
    }
}
