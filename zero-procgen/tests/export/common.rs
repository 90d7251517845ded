//! Graphs and geometries that the tests share.

use crate::check::{Checked, check};
use zero_compute::{CpuOptions, Device};
use zero_procgen::export::Glb;
use zero_procgen::nodes::{geometry, instances, mesh, points};
use zero_procgen::values::Geometry;
use zero_procgen::{
    Class, Clock, Geo, Graph, HostColumn, HostGeometry, Inputs, Play, PlayOptions, Present, Store, StoreOptions,
};

pub(crate) fn cpu() -> Device {
    Device::cpu(CpuOptions::default())
}

/// Cooks a graph of one output and hands it to `look`.
pub(crate) fn cook<T>(
    device: &Device,
    body: impl for<'g> Fn(&'g Graph) -> Geo<'g> + Send + Sync + 'static,
    look: impl FnOnce(&Geometry) -> T,
) -> T {
    let graph = Graph::define("export", move |g| g.output("out", body(g))).unwrap();
    let store = Store::new(device, StoreOptions::default());
    let mut play = Play::with_options(
        &store,
        &graph,
        Inputs::default(),
        PlayOptions {
            recorded: false,
            ..PlayOptions::default()
        },
    )
    .unwrap();
    for _ in 0..10_000 {
        if let Present::Whole(frame) = play.present(Clock::default(), &zero_compute::Exec::default()).unwrap() {
            return look(frame.geometry("out").unwrap());
        }
    }
    panic!("the present did not settle");
}

pub(crate) fn downloaded(body: impl for<'g> Fn(&'g Graph) -> Geo<'g> + Send + Sync + 'static) -> HostGeometry {
    cook(&cpu(), body, |geometry| geometry.download().unwrap())
}

pub(crate) fn tower(g: &Graph) -> Geo<'_> {
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

pub(crate) fn grove(g: &Graph) -> Geo<'_> {
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
pub(crate) fn dots(places: &[[f32; 3]]) -> HostGeometry {
    let mut host = HostGeometry::new();
    host.set(Class::Point, "P", HostColumn::Vec3(places.to_vec())).unwrap();
    host
}

/// A mesh of faces over points.
pub(crate) fn faces(places: &[[f32; 3]], faces: &[&[i32]]) -> HostGeometry {
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

pub(crate) const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];

pub(crate) fn square() -> HostGeometry {
    faces(&SQUARE, &[&[0, 1, 2, 3]])
}

pub(crate) fn file(name: &str, host: &HostGeometry) -> Checked {
    check(&Glb::new().add(name, host).unwrap().to_bytes().unwrap())
}
