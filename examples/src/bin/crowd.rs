//! Reads a model that others made, stands copies of it on rolling ground and writes `crowd.glb`.

use std::process::ExitCode;
use zero_examples::graphs::crowd;
use zero_examples::{Host, whole};
use zero_procgen::export::Glb;
use zero_procgen::{Class, Clock, Play, Store, StoreOptions, import, inputs};

/// A `.glb` of somebody else's: `content/head.mesh` says whose.
const MODEL: &[u8] = include_bytes!("../../content/head.mesh/head.glb");

fn main() -> ExitCode {
    Host::run(|host| {
        let scene = import::gltf("head.glb", MODEL, |_| Ok(Vec::new()))?;
        let model = scene.whole()?;
        let lowest = model
            .vec3s(Class::Point, "P")?
            .iter()
            .map(|place| place[1])
            .fold(0.0, f32::min);
        println!("{} triangles a copy", model.count(Class::Primitive));

        let graph = crowd()?;
        let store = Store::new(&host.device, StoreOptions::default());
        let given = inputs! { model: model.upload(&host.device)?, foot: -lowest };
        let mut play = Play::new(&store, &graph, given)?;
        let frame = whole(&mut play, Clock::default())?;

        let (ground, crowd) = (
            frame.geometry("ground")?.download()?,
            frame.geometry("crowd")?.download()?,
        );
        println!("{} copies", crowd.count(Class::Point));
        let mut glb = Glb::new().add("ground", &ground)?.add("crowd", &crowd)?;
        if let Some(worn) = scene.materials.first() {
            glb = glb.material("crowd", worn.material)?;
        }
        host.write("crowd.glb", &glb.to_bytes()?)
    })
}
