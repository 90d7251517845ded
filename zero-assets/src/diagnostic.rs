//! [`Diagnostic`]: what is wrong with content, told without stopping the rest.

use std::borrow::Cow;
use std::fmt;

use zero_vfs::VfsPath;
use zero_yaml::Position;

use crate::structured::{json_message, json_position};

/// One thing that is wrong with content. A broken asset yields these and what could be read of it, never an
/// abort of its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind of thing it is, the same across versions: `asset.missing_file`.
    pub code: Cow<'static, str>,
    /// How bad it is.
    pub severity: Severity,
    /// The file or folder.
    pub path: VfsPath,
    /// Line and column in the file, if it is a text.
    pub at: Option<Position>,
    /// What is wrong.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
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
    pub fn warning(code: impl Into<Cow<'static, str>>, path: &VfsPath, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            severity: Severity::Warning,
            path: path.clone(),
            at: None,
            message: message.into(),
            help: None,
        }
    }

    /// An error in `path`.
    #[must_use]
    pub fn error(code: impl Into<Cow<'static, str>>, path: &VfsPath, message: impl Into<String>) -> Self {
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

    /// The same, with what to do about it.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same with "did you mean" as its help, where `near` names something.
    #[must_use]
    pub(crate) fn did_you_mean(self, near: &[String]) -> Self {
        match near {
            [] => self,
            [one] => self.help(format!("did you mean `{one}`?")),
            many => self.help(format!("did you mean one of `{}`?", many.join("`, `"))),
        }
    }

    /// An error in a YAML file, with its place.
    pub(crate) fn yaml(code: &'static str, path: &VfsPath, error: &zero_yaml::Error) -> Self {
        Self {
            at: error.position(),
            ..Self::error(code, path, error.message())
        }
    }

    /// What a file could not be read for: in the file that the error names, else in `path`; with its place where that is
    /// known.
    pub(crate) fn of_error(code: &'static str, path: &VfsPath, error: &crate::Error) -> Self {
        use crate::Error;
        let file = error.file();
        let path = file.as_ref().unwrap_or(path);
        match error {
            Error::Yaml(error) => Self::yaml(code, path, error),
            Error::Json { source, .. } => {
                let message = format!("this is no JSON: {}", json_message(source));
                Self::error(code, path, message).at(json_position(source))
            }
            Error::NewerVersion { found, known, .. } => {
                let message = format!("it is of version {found}; this program reads versions up to {known}");
                Self::error(code, path, message)
            }
            other => {
                // The path stands before the message already.
                let message = other.to_string();
                let plain = message.strip_prefix(&format!("{path}: ")).map(str::to_owned);
                Self::error(code, path, plain.unwrap_or(message))
            }
        }
    }

    /// The order in which diagnostics are told: by path, place and code.
    pub(crate) fn order(one: &Self, other: &Self) -> std::cmp::Ordering {
        (&one.path, one.at, &one.code, &one.message).cmp(&(&other.path, other.at, &other.code, &other.message))
    }
}

/// `path:line:column: severity[code]: message; help`.
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
        write!(f, " {severity}[{}]: ", self.code)?;
        match &self.help {
            // A message of an author's own may be a whole sentence.
            Some(help) => write!(f, "{}; {help}", self.message.trim_end_matches('.')),
            None => f.write_str(&self.message),
        }
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
