//! Scatters trees over hills and writes `scatter.glb`.

use std::process::ExitCode;
use zero_examples::graphs::forest;
use zero_examples::{Host, whole};
use zero_procgen::export::Glb;
use zero_procgen::{Class, Clock, Play, Store, StoreOptions, inputs};

fn main() -> ExitCode {
    Host::run(|host| {
        let graph = forest()?;
        let store = Store::new(&host.device, StoreOptions::default());
        let mut play = Play::new(&store, &graph, inputs! { tree_height: 4.0 })?;
        let frame = whole(&mut play, Clock::default())?;
        let (land, trees) = (
            frame.geometry("land")?.download()?,
            frame.geometry("trees")?.download()?,
        );
        println!("{} trees", trees.count(Class::Point));
        let glb = Glb::new().add("land", &land)?.add("trees", &trees)?;
        host.write("scatter.glb", &glb.to_bytes()?)?;
        Ok(())
    })
}
