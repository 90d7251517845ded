//! What the tests of hosts share.

use zero_compute::{CpuOptions, Device, Exec};
use zero_procgen::nodes::{instances, mesh, points};
use zero_procgen::{Clock, Frame, Graph, GraphDef, Inputs, Play, Present, Store, StoreOptions, inputs};

pub(crate) fn play(graph: &GraphDef, inputs: Inputs) -> Play {
    let store = Store::new(&Device::cpu(CpuOptions::default()), StoreOptions::default());
    Play::new(&store, graph, inputs).unwrap()
}

pub(crate) fn present(play: &mut Play) -> Frame {
    for _ in 0..10_000 {
        if let Present::Whole(frame) = play.present(Clock::default(), &Exec::default()).unwrap() {
            return frame;
        }
    }
    panic!("the present did not settle");
}

/// The frame for another value of one input.
pub(crate) fn with(play: &mut Play, radius: f32) -> Frame {
    play.set_inputs(inputs! { radius: radius }).unwrap();
    present(play)
}

/// A population whose places follow `radius`, and a floor that doesn't.
pub(crate) fn stones() -> GraphDef {
    Graph::define("stones", |g| {
        let spots = g.add(points::Disc::new().count(12).radius(g.float("radius", 3.0)));
        let stone = g.add(mesh::Box::new().size([0.4, 1.2, 0.3]));
        g.output("stones", g.add(instances::Place::new(spots, stone)));
        g.output("floor", g.add(mesh::Grid::new().size([9.0, 1.0, 9.0])));
    })
    .unwrap()
}
