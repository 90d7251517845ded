//! Builds a tower and writes `tower.glb`.

use std::process::ExitCode;
use zero_examples::graphs::tower;
use zero_examples::{Host, whole};
use zero_procgen::export::Glb;
use zero_procgen::{Clock, Play, Store, StoreOptions, inputs};

fn main() -> ExitCode {
    Host::run(|host| {
        let graph = tower()?;
        let store = Store::new(&host.device, StoreOptions::default());
        let mut play = Play::new(&store, &graph, inputs! { storeys: 7 })?;
        let frame = whole(&mut play, Clock::default())?;
        let glb = Glb::new().add("tower", &frame.geometry("tower")?.download()?)?;
        host.write("tower.glb", &glb.to_bytes()?)?;
        // A number that moves is no cook: from its third move on the recorded list runs alone.
        for width in [7.0, 6.0, 5.0] {
            play.set_inputs(inputs! { width: width })?;
            whole(&mut play, Clock::default())?;
        }
        println!(
            "{} nodes cooked, {} replayed",
            play.report().cooked.len(),
            play.report().replayed
        );
        Ok(())
    })
}
