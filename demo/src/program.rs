//! What both programs do around their work: read the arguments, print what came of it.

use crate::error::{Error, Result};
use std::io::Write as _;
use std::process::ExitCode;

/// The arguments after the program's name.
///
/// # Errors
/// [`Error::Usage`] for one that is not Unicode.
pub fn arguments() -> Result<Vec<String>> {
    let texts = std::env::args_os().skip(1).map(|argument| {
        let refused = |argument: std::ffi::OsString| {
            let shown = argument.to_string_lossy().into_owned();
            Error::Usage(format!("an argument is not Unicode: `{shown}`"))
        };
        argument.into_string().map_err(refused)
    });
    texts.collect()
}

/// Prints what a program ends with. A reader that went away needs nothing; an output that takes nothing is an error.
pub fn finish(outcome: Result<String>) -> ExitCode {
    let printed = match outcome {
        Ok(text) => std::io::stdout()
            .write_all(text.as_bytes())
            .map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // There is nowhere left to say that this cannot be said either.
            let _ = writeln!(std::io::stderr(), "error: {message}");
            ExitCode::FAILURE
        }
    }
}
