//! Shades a real elevation model with one kernel and writes `hillshade.png`.

use std::process::ExitCode;
use zero_examples::hillshade::{Sun, png, shade};
use zero_examples::{Elevation, Host};

fn main() -> ExitCode {
    Host::run(|host| {
        let land = Elevation::jacksboro()?;
        let light = shade(&host.device, &land, Sun::default())?;
        host.write("hillshade.png", &png(&land, &light)?)
    })
}
