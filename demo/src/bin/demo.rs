//! Makes the landscape: `demo --help` says how.

use std::process::ExitCode;
use zero_demo::{HELP, Options, run};

fn main() -> ExitCode {
    let outcome = Options::parse(std::env::args().skip(1)).and_then(|options| match options {
        None => Ok(HELP.to_owned()),
        Some(options) => Ok(run(&options)?.table()),
    });
    match outcome {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
