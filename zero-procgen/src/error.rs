//! What can go wrong, from the build of a graph to the frame it shows.

use std::fmt;
use std::sync::Arc;

/// A line of source: where a node was made, and where its failure is reported.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
}

impl Site {
    /// The caller's line.
    #[track_caller]
    pub fn caller() -> Site {
        let at = std::panic::Location::caller();
        Site {
            file: at.file(),
            line: at.line(),
        }
    }
}

impl Site {
    /// A line of the document that the graph is read from.
    pub(crate) fn in_document(line: u32) -> Site {
        Site { file: "", line }
    }

    /// The line as errors state it, for a graph that may be read from a document.
    pub(crate) fn located(self, document: Option<&Arc<str>>) -> Location {
        match document {
            Some(file) if self.file.is_empty() => Location {
                file: file.clone(),
                line: self.line,
            },
            _ => self.into(),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A line as errors and reports state it: of the code that wrote a graph, or of the document it was read from.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file: as the compiler names it, or as the document was named.
    pub file: Arc<str>,
    /// The line, from 1; 0 for a document that was not read from a text.
    pub line: u32,
}

impl From<Site> for Location {
    fn from(site: Site) -> Location {
        Location {
            file: site.file.into(),
            line: site.line,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One thing that a graph's build refused, at the line of the person who wrote it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BuildError {
    /// The line of the call that was refused.
    pub site: Location,
    /// The node or the construct, such as `points.disc` or `fold`.
    pub what: String,
    /// What was expected and what arrived.
    pub message: String,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: g.{} failed: {}", self.site, self.what, self.message)
    }
}

/// Everything that can go wrong in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The build of a graph refused something; every refusal of the build is here, in the order it was met.
    #[error("graph '{graph}' could not be built:{}", listed(.errors))]
    Build {
        /// The graph.
        graph: String,
        /// The refusals, at least one.
        errors: Vec<BuildError>,
    },
    /// A node refused what it was given. Node authors return it from `compose` and from operations; the graph adds
    /// the node and the line.
    #[error("{0}")]
    Refused(String),
    /// A node failed while it was cooked.
    #[error("{site}: g.{node} failed: {source}")]
    Cook {
        /// The node as the person wrote it.
        node: String,
        /// The line of that call.
        site: Location,
        /// Why.
        #[source]
        source: Box<Error>,
    },
    /// A `check` of the graph did not hold.
    #[error("{site}: {message}")]
    Check {
        /// The line of the check.
        site: Location,
        /// The message the check states.
        message: String,
    },
    /// A graph input was given something it does not take.
    #[error("graph '{graph}', input '{input}': expected {expected}, got {found}")]
    Input {
        /// The graph.
        graph: String,
        /// The input.
        input: String,
        /// What it takes.
        expected: String,
        /// What arrived.
        found: String,
    },
    /// A file holds something that is no geometry, or contradicts itself.
    #[error("{file}: {message}")]
    Import {
        /// The file, with the line where it has lines.
        file: String,
        /// What was expected and what is there.
        message: String,
    },
    /// A name that nothing answers to.
    #[error("no {kind} named '{name}'{}", suggestions(.near))]
    Unknown {
        /// What was looked for: a node, an input, an output, a column.
        kind: &'static str,
        /// The name.
        name: String,
        /// The nearest names there are.
        near: Vec<String>,
    },
    /// A short name that several nodes answer to.
    #[error("several nodes are named '{name}': {}", .candidates.join(", "))]
    Ambiguous {
        /// The name.
        name: String,
        /// The ids of those nodes, sorted.
        candidates: Vec<String>,
    },
    /// A column or a detail that a geometry does not hold.
    #[error("no {kind} named '{name}'; {}", there_are(.held))]
    Missing {
        /// What was looked for: a column or a detail.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names there are, sorted.
        held: Vec<String>,
    },
    /// The nodes of a document feed each other in a circle.
    #[error("{site}: the graph is cyclic: {}", .nodes.join(" -> "))]
    Cycle {
        /// The line of the first of them.
        site: Location,
        /// The nodes of one circle, the first repeated at the end.
        nodes: Vec<String>,
    },
    /// A document that could not be read.
    #[error("graph document: {0}")]
    Document(String),
    /// What is asked of a value is not what the value is.
    #[error("{what}: expected {expected}, got {found}")]
    Kind {
        /// The thing that was read.
        what: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A graph holds what no document can state.
    #[error("graph '{graph}' can't be written as a document:{}", listed(.errors))]
    Unwritable {
        /// The graph.
        graph: String,
        /// Everything that can't be stated, at least one.
        errors: Vec<BuildError>,
    },
    /// A host could not be shown an output of a graph: what stood stands.
    #[error("{site}: output '{output}' could not be shown: {source}")]
    Show {
        /// The output.
        output: String,
        /// The line that declared it.
        site: Location,
        /// What the host said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A host could not stand what it was shown: what stood stands.
    #[error("the outputs of graph '{graph}' could not stand: {source}")]
    Stand {
        /// The graph.
        graph: String,
        /// What the host said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Written by the device layer.
    #[error(transparent)]
    Compute(#[from] zero_compute::Error),
    /// A file could not be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// The result of anything in this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Whether the failure is a cancellation, at any depth.
    pub fn is_cancelled(&self) -> bool {
        match self {
            Error::Compute(zero_compute::Error::Cancelled) => true,
            Error::Cook { source, .. } => source.is_cancelled(),
            _ => false,
        }
    }

    /// The same with the file of the document that the graph was read from, where a check of it was not met.
    pub(crate) fn of_document(self, document: Option<&Arc<str>>) -> Error {
        match (self, document) {
            (Error::Check { site, message }, Some(file)) if site.file.is_empty() => Error::Check {
                site: Location {
                    file: file.clone(),
                    line: site.line,
                },
                message,
            },
            (other, _) => other,
        }
    }

    pub(crate) fn missing<'a>(kind: &'static str, name: &str, held: impl IntoIterator<Item = &'a str>) -> Error {
        Error::Missing {
            kind,
            name: name.to_owned(),
            held: held.into_iter().map(str::to_owned).collect(),
        }
    }

    pub(crate) fn unknown<'a>(kind: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Error {
        Error::Unknown {
            kind,
            name: name.to_owned(),
            near: nearest(name, known),
        }
    }
}

fn listed(errors: &[BuildError]) -> String {
    errors.iter().map(|error| format!("\n  {error}")).collect()
}

fn there_are(held: &[String]) -> String {
    match held {
        [] => "there is none".to_owned(),
        names => format!("there are {}", names.join(", ")),
    }
}

fn suggestions(near: &[String]) -> String {
    if near.is_empty() {
        String::new()
    } else {
        format!("; the nearest are {}", near.join(", "))
    }
}

/// Up to three names that are within a third of the length in edits of `name`, or that contain it, nearest first.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= name.len().max(3) / 3 + 1 || (name.len() > 2 && candidate.contains(name))
        })
        .collect();
    scored.sort();
    scored
        .into_iter()
        .take(3)
        .map(|(_, candidate)| candidate.to_owned())
        .collect()
}

/// The Levenshtein distance, by the row-at-a-time form of Wagner and Fischer (1974).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_nearest_first() {
        let known = ["points.disc", "points.grid", "mesh.box", "points.discs"];
        assert_eq!(nearest("points.disk", known)[0], "points.disc");
        assert!(nearest("zzzzzzzz", known).is_empty());
    }

    #[test]
    fn an_edit_is_an_insertion_a_removal_or_a_replacement() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", "abc"), 0);
    }
}
