//! Where in an author's files something stands, and errors that say so.

use crate::error::Error;

/// A line of a file that an author wrote, and what errors call the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Place<'_> {
    pub(super) fn error(&self, message: impl Into<String>) -> Error {
        Error::BadSource {
            file: self.file.to_owned(),
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }
}

/// The error of a YAML file as this crate's own.
pub(super) fn of_yaml(file: &str, error: &zero_yaml::Error) -> Error {
    let at = error.position().unwrap_or(zero_yaml::Position::START);
    Place {
        file,
        line: at.line,
        column: at.column,
    }
    .error(error.message())
}
