//! A host with its own window, loop, device and camera: it plays a graph and draws what it gives with zero-render.

mod error;
mod film;
mod island;
mod options;
mod orbit;
mod window;
mod world;

use error::Result;
use options::{HELP, Options};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let Some(options) = Options::parse(std::env::args().skip(1))? else {
        print!("{HELP}");
        return Ok(());
    };
    let device = options.device.open()?;
    println!("cooked on: {}", device.info().name);
    match &options.headless {
        Some(film) => film::run(&device, film, options.size),
        None => window::run(&device, options.size),
    }
}
