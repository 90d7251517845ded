//! [`Document`]: a text that has been checked, from which values are read.

use serde::de::DeserializeOwned;
use serde_saphyr::options::DuplicateKeyPolicy;

use crate::error::{Error, Position, Result};
use crate::scan::{Label, Node, scan};

/// The most a text may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of text. 4 MiB by default.
    pub max_bytes: usize,
    /// Levels of sequences and mappings, one inside the other. 64 by default; reading uses the stack, so
    /// a higher number needs a larger one.
    pub max_depth: usize,
    /// Values (texts, numbers, sequences, mappings). 250 000 by default.
    pub max_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 4 << 20,
            max_depth: 64,
            max_nodes: 250_000,
        }
    }
}

impl Limits {
    /// The same with another length in bytes.
    #[must_use]
    pub fn max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// The same with another number of levels.
    #[must_use]
    pub fn max_depth(self, max_depth: usize) -> Self {
        Self { max_depth, ..self }
    }

    /// The same with another number of values.
    #[must_use]
    pub fn max_nodes(self, max_nodes: usize) -> Self {
        Self { max_nodes, ..self }
    }
}

/// One YAML document that holds nothing this front end refuses. It knows where each of its values is.
///
/// ```
/// use zero_yaml::Document;
/// let document = Document::parse("size.yaml", "width: 4\nheight: wide\n")?;
/// # #[derive(serde::Deserialize, Debug)]
/// # #[allow(dead_code)]
/// # struct Size { width: u32, height: u32 }
/// let error = document.read::<Size>().unwrap_err();
/// assert!(error.to_string().starts_with("size.yaml:2:9: "));
/// assert_eq!(document.position_of(&["width"]).unwrap().column, 8);
/// # Ok::<(), zero_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct Document {
    file: String,
    text: String,
    limits: Limits,
    nodes: Vec<Node>,
}

impl Document {
    /// Checks `text` within the default limits. `file` is what errors call it.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Refused`], [`Error::Syntax`].
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        Self::parse_within(file, text.as_bytes(), &Limits::default())
    }

    /// Checks `bytes`, which must be UTF-8 text, within `limits`. The length is checked first. Cost: one pass
    /// and a copy of the text.
    ///
    /// # Errors
    /// As [`Document::parse`], and [`Error::NotUtf8`].
    pub fn parse_within(file: &str, bytes: &[u8], limits: &Limits) -> Result<Self> {
        if bytes.len() > limits.max_bytes {
            return Err(Error::TooLong {
                file: file.to_owned(),
                bytes: bytes.len(),
                limit: limits.max_bytes,
            });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(file, bytes, error.valid_up_to()))?;
        let nodes = scan(file, text, limits)?;
        Ok(Self {
            file: file.to_owned(),
            text: text.to_owned(),
            limits: limits.clone(),
            nodes,
        })
    }

    /// The name that errors give the text.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the document as a `T`. `true` and `false` are the only booleans; numbers out of a type's range
    /// are errors.
    ///
    /// # Errors
    /// [`Error::Value`] with the place of what does not fit.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        let Limits {
            max_depth, max_nodes, ..
        } = self.limits;
        let options = serde_saphyr::options! {
            // What these limit has been counted by the scan; the reader needs no less.
            budget: serde_saphyr::budget! {
                max_depth: max_depth.saturating_add(1),
                max_nodes: max_nodes.saturating_mul(2).saturating_add(16),
                max_events: max_nodes.saturating_mul(4).saturating_add(16),
                max_total_scalar_bytes: self.text.len(),
                flow_nesting_limit: max_depth.saturating_add(1),
            },
            duplicate_keys: DuplicateKeyPolicy::Error,
            strict_booleans: true,
            with_snippet: false,
        };
        serde_saphyr::from_str_with_options(&self.text, options).map_err(|error| self.value_error(&error))
    }

    /// Where the value at `steps` begins, from the document's own value down: a key, or an item's number
    /// from 0. `None` if there is none. Cost: a pass over the values.
    #[must_use]
    pub fn position_of(&self, steps: &[&str]) -> Option<Position> {
        self.find(steps).map(|node| self.nodes[node].at)
    }

    /// The keys of the mapping at `steps`, in the order of the text, each with its place; empty if that is no
    /// mapping.
    pub fn keys_of<'a>(&'a self, steps: &[&str]) -> impl Iterator<Item = (&'a str, Position)> {
        let parent = self.find(steps);
        self.nodes.iter().filter_map(move |node| match &node.label {
            Label::Key { text, at } if parent.is_some() && node.parent == parent => Some((&**text, *at)),
            _ => None,
        })
    }

    /// An [`Error::Value`] at the value at `steps`, for a check that types cannot express. If there is no
    /// such value, at the nearest one around it.
    #[must_use]
    pub fn error_at(&self, steps: &[&str], message: impl Into<String>) -> Error {
        let around = (0..=steps.len()).rev().find_map(|len| self.position_of(&steps[..len]));
        Error::Value {
            file: self.file.clone(),
            at: around.unwrap_or(Position::START),
            message: message.into(),
        }
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn find(&self, steps: &[&str]) -> Option<usize> {
        let mut found = if self.nodes.is_empty() { return None } else { 0 };
        for step in steps {
            found = self.nodes.iter().position(|node| {
                node.parent == Some(found)
                    && match &node.label {
                        Label::Root => false,
                        Label::Key { text, .. } => text == step,
                        Label::Item(number) => number.to_string() == **step,
                    }
            })?;
        }
        Some(found)
    }

    fn value_error(&self, error: &serde_saphyr::Error) -> Error {
        let place = error
            .location()
            .map(|place| Position::new(place.line(), place.column()));
        let at = place.unwrap_or(Position::START);
        let mut message = plain_message(error);
        // The reader says what was expected ("invalid u8"); what is there makes the message whole.
        if let Some(found) = self
            .scalar_at(at)
            .filter(|found| !found.is_empty() && !message.contains(*found))
        {
            message = format!("{message}, found `{found}`");
        }
        Error::Value {
            file: self.file.clone(),
            at,
            message,
        }
    }

    /// The first line of the scalar at a place, as written, up to forty characters.
    fn scalar_at(&self, at: Position) -> Option<&str> {
        let node = self.nodes.iter().find(|node| node.at == at)?;
        let line = self.text.get(node.scalar.clone()?)?.lines().next()?;
        Some(line.char_indices().nth(40).map_or(line, |(end, _)| &line[..end]))
    }
}

/// Reads `text` as a `T` within the default limits; `file` is what errors call it.
///
/// # Errors
/// As [`Document::parse`] and [`Document::read`].
pub fn from_str<T: DeserializeOwned>(file: &str, text: &str) -> Result<T> {
    Document::parse(file, text)?.read()
}

/// The reader's message without the place that it appends, which our errors say in front.
fn plain_message(error: &serde_saphyr::Error) -> String {
    let message = error.without_snippet().to_string();
    match error.location() {
        None => message,
        Some(place) => {
            let suffix = format!(" at line {}, column {}", place.line(), place.column());
            message.strip_suffix(&suffix).map_or(message.clone(), str::to_owned)
        }
    }
}

fn not_utf8(file: &str, bytes: &[u8], valid: usize) -> Error {
    let before = String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default());
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() as u64 + 1;
    Error::NotUtf8 {
        file: file.to_owned(),
        at: Position::new(line, column),
    }
}
