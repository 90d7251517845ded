//! Makes the landscape: `demo --help` says how.

use std::process::ExitCode;
use zero_demo::program::{arguments, finish};
use zero_demo::{HELP, Options, Result, run};

fn main() -> ExitCode {
    finish(told())
}

fn told() -> Result<String> {
    match Options::parse(arguments()?)? {
        None => Ok(HELP.to_owned()),
        Some(options) => Ok(run(&options)?.table()),
    }
}
