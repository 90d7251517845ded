//! The same bytes, whatever runs them.

use crate::common::{bits, cpu_with, devices, play, still, whole};
use crate::graphs::{particles, tower};
use zero_compute::{Device, Isa};
use zero_procgen::nodes::{field, geometry, mesh, points};
use zero_procgen::{Clock, Frame, Graph, GraphDef, inputs};

fn shown(device: &Device, graph: &GraphDef, clock: Clock) -> Frame {
    whole(&mut play(device, graph, inputs! {}, true), device, clock)
}

pub(crate) fn all_devices() -> Vec<Device> {
    let mut all = devices();
    for threads in [1, 2, 16] {
        all.push(cpu_with(threads, Isa::Auto));
        all.push(cpu_with(threads, Isa::Baseline));
    }
    all
}

fn agree(graph: &GraphDef, clock: Clock) {
    let mut first: Option<Vec<u32>> = None;
    for device in all_devices() {
        let frame = shown(&device, graph, clock);
        let found: Vec<u32> = frame
            .outputs()
            .flat_map(|(_, value)| bits(value.geometry().unwrap()))
            .collect();
        assert!(!found.is_empty());
        match &first {
            None => first = Some(found),
            Some(first) => {
                let differs = first.iter().zip(&found).position(|(a, b)| a != b);
                let words = differs.map(|at| format!("word {at}: {:08x} and {:08x}", first[at], found[at]));
                assert!(
                    *first == found,
                    "{} differs: {words:?} of {}",
                    device.info().name,
                    found.len()
                );
            }
        }
    }
}

#[test]
fn gpu_and_threads_give_a_tower_the_same_bytes() {
    agree(
        &Graph::define("tower", |g| g.output("tower", tower(g))).unwrap(),
        still(),
    );
}

#[test]
fn gpu_and_threads_give_particles_the_same_bytes() {
    agree(
        &Graph::define("particles", |g| g.output("sparks", particles(g))).unwrap(),
        Clock::frame(20, 60.0),
    );
}

#[test]
fn gpu_and_threads_give_noise_normals_and_filtered_points_the_same_bytes() {
    let graph = Graph::define("hills", |g| {
        let sheet = g.add(mesh::Grid::new().size([40.0, 1.0, 40.0]).cells_x(96).cells_z(64));
        let height = g.add(field::Fbm::new(g.position() / 7.0).octaves(5)) * 3.0;
        let lifted = g.add(geometry::SetPosition::new(
            sheet,
            g.position() + zero_procgen::vec3(0.0, height, 0.0),
        ));
        g.output("hills", g.add(geometry::RecalculateNormals::new(lifted)));
        let cloud = g.add(
            points::Disc::new()
                .count(70_000)
                .radius(20.0)
                .fill(points::Fill::Random),
        );
        let density = g.add(field::Noise::new(g.position() * 0.3)) + 0.5;
        g.output("kept", g.add(points::Filter::new(cloud, density)));
    })
    .unwrap();
    agree(&graph, still());
}
