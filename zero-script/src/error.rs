//! What can go wrong in a script, with the file and line it went wrong at.

use std::fmt;
use std::time::Duration;

use zero_vfs::VfsPath;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: VfsPath,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Everything that can go wrong in this crate. Messages begin `file:line:` where there is a place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The virtual file system refused something.
    #[error(transparent)]
    Vfs(#[from] zero_vfs::Error),
    /// The file is compiled bytecode.
    #[error("{file}: this is bytecode; only Luau text is run")]
    Bytecode {
        /// The file.
        file: VfsPath,
    },
    /// The text is not Luau.
    #[error("{at}: {message}")]
    Syntax {
        /// Where.
        at: Place,
        /// What is wrong.
        message: String,
    },
    /// The script failed, by `error` or by something it may not do.
    #[error("{}{message}", prefix(at.as_ref()))]
    Runtime {
        /// Where, if it was in a script.
        at: Option<Place>,
        /// What the script said.
        message: String,
        /// The calls that led there, innermost first; empty where there were none.
        traceback: String,
    },
    /// A `require` found no module.
    #[error("{}`{folder}` has no module `{name}`{}", prefix(at.as_ref()), hint(near))]
    NoModule {
        /// Where the `require` is.
        at: Option<Place>,
        /// The folder that was looked in.
        folder: VfsPath,
        /// The name.
        name: String,
        /// Modules that may have been meant, closest first.
        near: Vec<String>,
    },
    /// A name in a `require` fits two files.
    #[error("{}a module `{name}` in `{folder}` may be any of `{}`", prefix(at.as_ref()), candidates.join("`, `"))]
    AmbiguousModule {
        /// Where the `require` is.
        at: Option<Place>,
        /// The folder that was looked in.
        folder: VfsPath,
        /// The name.
        name: String,
        /// The files it fits.
        candidates: Vec<String>,
    },
    /// Modules require one another in a circle.
    #[error("{}modules require one another in a circle: {}", prefix(at.as_ref()), arrows(chain))]
    Cycle {
        /// Where the `require` is that closes the circle.
        at: Option<Place>,
        /// From the module that is required again to itself.
        chain: Vec<VfsPath>,
    },
    /// The script ran for longer than it may.
    #[error("{file}: it was stopped after the {} ms it may run", limit.as_millis())]
    Deadline {
        /// The file that was run.
        file: VfsPath,
        /// How long it may run.
        limit: Duration,
    },
    /// The scripts of a machine hold more than they may.
    #[error("{file}: its machine is at the {limit} bytes that it may hold")]
    Memory {
        /// The file that was run.
        file: VfsPath,
        /// Bytes it may hold.
        limit: usize,
    },
    /// A value that a script returned is not what was asked for.
    #[error("{file}: what it returns does not fit: {message}")]
    Returned {
        /// The file that was run.
        file: VfsPath,
        /// What was asked for and what came.
        message: String,
    },
    /// The machine could not be set up.
    #[error("the script machine could not be set up: {source}")]
    Setup {
        /// Why.
        source: mlua::Error,
    },
}

fn prefix(at: Option<&Place>) -> String {
    at.map(|at| format!("{at}: ")).unwrap_or_default()
}

fn hint(near: &[String]) -> String {
    match near {
        [] => String::new(),
        [one] => format!("; did you mean `{one}`?"),
        many => format!("; did you mean one of `{}`?", many.join("`, `")),
    }
}

fn arrows(chain: &[VfsPath]) -> String {
    chain.iter().map(VfsPath::as_str).collect::<Vec<_>>().join(" -> ")
}
