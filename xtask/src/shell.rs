//! Running other programs, with the command line in every error.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// What went wrong, as a person reads it.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// A program about to run; its output goes to the terminal unless it is read.
pub(crate) struct Run {
    command: Command,
    shown: String,
}

impl Run {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let shown = program.as_ref().to_string_lossy().into_owned();
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        Self { command, shown }
    }

    /// `cargo` as the person would call it: through the PATH, so that a toolchain manager's proxy is found.
    pub(crate) fn cargo(root: &Path) -> Self {
        Self::new("cargo").within(root)
    }

    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.shown.push(' ');
        self.shown.push_str(&argument.as_ref().to_string_lossy());
        self.command.arg(argument);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(self, arguments: impl IntoIterator<Item = A>) -> Self {
        arguments.into_iter().fold(self, Self::arg)
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.shown = format!("{name}={value:?} {}", self.shown);
        self.command.env(name, value);
        self
    }

    /// Runs it with its output on the terminal.
    pub(crate) fn go(mut self) -> Result<()> {
        let status = self
            .command
            .status()
            .map_err(|error| format!("cannot run `{}`: {error}", self.shown))?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("`{}` failed: {status}", self.shown)),
        }
    }

    /// Runs it and answers its standard output; standard error is shown when it fails.
    pub(crate) fn read(self) -> Result<String> {
        self.read_both().map(|(output, _)| output)
    }

    /// Runs it and answers its standard output and standard error.
    pub(crate) fn read_both(mut self) -> Result<(String, String)> {
        let output = self
            .command
            .output()
            .map_err(|error| format!("cannot run `{}`: {error}", self.shown))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match output.status.success() {
            true => Ok((text(&output.stdout), text(&output.stderr))),
            false => Err(format!(
                "`{}` failed: {}\n{}{}",
                self.shown,
                output.status,
                text(&output.stdout),
                text(&output.stderr)
            )),
        }
    }

    /// Whether it runs and succeeds; its output is dropped.
    pub(crate) fn succeeds(mut self) -> bool {
        self.command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }
}

/// Whether a program of this name is on the PATH.
pub(crate) fn on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}
