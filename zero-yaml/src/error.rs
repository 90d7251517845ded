//! What can go wrong, with file, line and column.

use std::fmt;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// A place in a text. Lines and columns count from 1; a column is a character, not a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1 };

    pub(crate) fn new(line: u64, column: u64) -> Self {
        let clamp = |n: u64| u32::try_from(n.max(1)).unwrap_or(u32::MAX);
        Self {
            line: clamp(line),
            column: clamp(column),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Everything that can go wrong in this crate. Messages begin `file:line:column:` where there is a place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is longer than its reader allows.
    #[error("{file}: {bytes} bytes of YAML are more than the {limit} allowed")]
    TooLong {
        /// The file's name.
        file: String,
        /// The length of the text.
        bytes: usize,
        /// The most allowed.
        limit: usize,
    },
    /// The bytes are not UTF-8.
    #[error("{file}:{at}: this is not UTF-8 text")]
    NotUtf8 {
        /// The file's name.
        file: String,
        /// Where the first bad byte is.
        at: Position,
    },
    /// A part of YAML that this front end does not take.
    #[error("{file}:{at}: {what}")]
    Refused {
        /// The file's name.
        file: String,
        /// Where it is.
        at: Position,
        /// What it is.
        what: Refusal,
    },
    /// The text is not YAML.
    #[error("{file}:{at}: {message}")]
    Syntax {
        /// The file's name.
        file: String,
        /// Where.
        at: Position,
        /// What is wrong.
        message: String,
    },
    /// The YAML is sound, but holds something else than was to be read: a missing or unknown field, a value
    /// of another type or out of range.
    #[error("{file}:{at}: {message}")]
    Value {
        /// The file's name.
        file: String,
        /// Where.
        at: Position,
        /// What was expected and what is there.
        message: String,
    },
    /// A value cannot be written as YAML that this front end reads.
    #[error("this value cannot be written as YAML: {message}")]
    Encode {
        /// Why.
        message: String,
    },
}

impl Error {
    /// The place in the text, if the error has one.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::NotUtf8 { at, .. } | Self::Refused { at, .. } | Self::Syntax { at, .. } | Self::Value { at, .. } => {
                Some(*at)
            }
            Self::TooLong { .. } | Self::Encode { .. } => None,
        }
    }

    /// The message without file and place, for a host that shows those itself.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::NotUtf8 { .. } => "this is not UTF-8 text".to_owned(),
            Self::Refused { what, .. } => what.to_string(),
            Self::Syntax { message, .. } | Self::Value { message, .. } => message.clone(),
            Self::TooLong { bytes, limit, .. } => {
                format!("{bytes} bytes of YAML are more than the {limit} allowed")
            }
            Self::Encode { .. } => self.to_string(),
        }
    }
}

/// The parts of YAML that are refused, because they hide what a file says, or let a small file stand for a
/// large one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// `&name`.
    Anchor,
    /// `*name`.
    Alias,
    /// `<<`, which only aliases make sense of.
    MergeKey,
    /// `!name`.
    Tag,
    /// `%YAML`, `%TAG`.
    Directive,
    /// A second document after `---`.
    SecondDocument,
    /// A tab where a line is indented.
    TabIndentation,
    /// A key that its mapping has already.
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it was first.
        first: Position,
    },
    /// A key that is a sequence or a mapping.
    KeyNotText,
    /// `.nan` or `.inf` without quotes.
    NotFinite {
        /// As it is written.
        text: String,
    },
    /// More levels than allowed.
    TooDeep {
        /// The most allowed.
        limit: usize,
    },
    /// More values than allowed.
    TooManyNodes {
        /// The most allowed.
        limit: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anchor => f.write_str("anchors (`&name`) are not taken; write the value out where it is used"),
            Self::Alias => f.write_str("aliases (`*name`) are not taken; write the value out, or quote the text"),
            Self::MergeKey => f.write_str("merge keys (`<<`) are not taken; write the keys out"),
            Self::Tag => f.write_str("tags (`!name`) are not taken; quote the text if it begins with `!`"),
            Self::Directive => f.write_str("directives (`%`) are not taken"),
            Self::SecondDocument => f.write_str("a second document begins here; a file holds one"),
            Self::TabIndentation => f.write_str("a tab cannot indent a line; use spaces"),
            Self::DuplicateKey { key, first } => {
                write!(
                    f,
                    "the key `{key}` is here a second time; it was first at line {}",
                    first.line
                )
            }
            Self::KeyNotText => f.write_str("a key must be a plain text, not a sequence or a mapping"),
            Self::NotFinite { text } => {
                write!(f, "`{text}` is no number that is taken here; quote it if it is a text")
            }
            Self::TooDeep { limit } => write!(f, "more than {limit} levels, one inside the other"),
            Self::TooManyNodes { limit } => write!(f, "more than {limit} values in one file"),
        }
    }
}
