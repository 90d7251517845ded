//! Simulates two seconds of a fountain of sparks and writes `particles.glb`.

use std::process::ExitCode;
use zero_examples::graphs::particles;
use zero_examples::{Host, whole};
use zero_procgen::export::Glb;
use zero_procgen::{Clock, Play, Store, StoreOptions, inputs};

fn main() -> ExitCode {
    Host::run(|host| {
        let graph = particles()?;
        let store = Store::new(&host.device, StoreOptions::default());
        let mut play = Play::new(&store, &graph, inputs! { spread: 3.0 })?;
        let mut frame = whole(&mut play, Clock::default())?;
        for number in 1..120 {
            frame = whole(&mut play, Clock::frame(number, 60.0))?;
        }
        let step = &play.report().steps[0];
        println!(
            "{} steps, {} from a list of {} dispatches",
            step.steps, step.replays, step.planned_dispatches
        );
        let glb = Glb::new().add("sparks", &frame.geometry("sparks")?.download()?)?;
        host.write("particles.glb", &glb.to_bytes()?)?;
        Ok(())
    })
}
