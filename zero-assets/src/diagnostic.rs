//! [`Diagnostic`]: what is wrong with content, told without stopping the rest.

use std::fmt;

use zero_vfs::VfsPath;
use zero_yaml::Position;

/// One thing that is wrong with content. A broken asset yields these and what could be read of it, never an
/// abort of its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind of thing it is, the same across versions: `asset.missing_file`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The file or folder.
    pub path: VfsPath,
    /// Where in the file, if it is a text.
    pub at: Option<Position>,
    /// What is wrong.
    pub message: String,
}

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The asset works; someone should know.
    Warning,
    /// The asset does not work, or not as its author meant.
    Error,
}

impl Diagnostic {
    /// A warning about `path`.
    #[must_use]
    pub fn warning(code: &'static str, path: &VfsPath, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Warning,
            path: path.clone(),
            at: None,
            message: message.into(),
        }
    }

    /// An error in `path`.
    #[must_use]
    pub fn error(code: &'static str, path: &VfsPath, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            ..Self::warning(code, path, message)
        }
    }

    /// The same, at a place in the file.
    #[must_use]
    pub fn at(self, at: Position) -> Self {
        Self { at: Some(at), ..self }
    }

    /// An error in a YAML file, with its place.
    pub(crate) fn yaml(code: &'static str, path: &VfsPath, error: &zero_yaml::Error) -> Self {
        Self {
            at: error.position(),
            ..Self::error(code, path, error.message())
        }
    }
}

/// `path:line:column: severity[code]: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path)?;
        if let Some(at) = self.at {
            write!(f, "{at}:")?;
        }
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, " {severity}[{}]: {}", self.code, self.message)
    }
}

/// A value that was read and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// Warnings: an error would have left no value.
    pub diagnostics: Vec<Diagnostic>,
}
