//! [`Format`]: a file format with a version. Newer files are refused with both numbers, older ones brought up to date.

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Document, Limits, Node, Value};

use crate::error::{Error, Result};
use crate::{structured, value};

/// A YAML format. Its files say `version: N` at the top, or nothing for version 1.
pub(crate) struct Format {
    /// What each older version needs to become the next: the first turns version 1 into 2.
    pub(crate) migrations: &'static [fn(&mut Node)],
    /// Whether `version` is the format's; a file that is the author's own may use the word as it likes.
    pub(crate) is_versioned: bool,
    /// The most a file may hold.
    pub(crate) max_bytes: usize,
    /// The most values a file may hold.
    pub(crate) max_nodes: usize,
}

impl Format {
    /// A format that is still of its first version, for files that people write.
    pub(crate) const FIRST: Self = Self {
        migrations: &[],
        is_versioned: true,
        max_bytes: 1 << 20,
        max_nodes: 50_000,
    };
    /// YAML of any kind, of which nothing is known but what a type asks of it.
    pub(crate) const UNVERSIONED: Self = Self {
        is_versioned: false,
        ..Self::FIRST
    };

    /// The version that is written.
    pub(crate) fn version(&self) -> u32 {
        self.migrations.len() as u32 + 1
    }

    /// Reads a file and brings it to the newest version.
    pub(crate) fn read(&self, vfs: &Vfs, path: &VfsPath) -> Result<Node> {
        let bytes = vfs.read_bounded(path, self.max_bytes as u64)?;
        self.parse(path, &bytes)
    }

    /// The same for bytes; `path` is for messages.
    pub(crate) fn parse(&self, path: &VfsPath, bytes: &[u8]) -> Result<Node> {
        let limits = Limits::default().max_bytes(self.max_bytes).max_nodes(self.max_nodes);
        let tree = Document::parse_within(path.as_str(), bytes, &limits)?.tree()?;
        self.upgraded(path, tree)
    }

    /// The same for JSON, whose values are taken as JSON has them and whose places are known where YAML's rules give them.
    pub(crate) fn parse_json(&self, path: &VfsPath, bytes: &[u8]) -> Result<Node> {
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|source| Error::Json {
            file: path.clone(),
            source,
        })?;
        let places = structured::json_places(path, bytes);
        self.upgraded(path, value::to_node(&value, places.as_ref()))
    }

    fn upgraded(&self, path: &VfsPath, mut tree: Node) -> Result<Node> {
        if !self.is_versioned {
            return Ok(tree);
        }
        let version = match tree.get("version") {
            None => 1,
            Some(Node { at, value }) => match value {
                Value::Integer(version @ 1..) => u32::try_from(*version).unwrap_or(u32::MAX),
                Value::Integer(_) => {
                    return Err(zero_yaml::Error::value(path.as_str(), *at, "versions count from 1").into());
                }
                other => {
                    let message = format!("a version is a whole number, and {} is here", other.kind());
                    return Err(zero_yaml::Error::value(path.as_str(), *at, message).into());
                }
            },
        };
        if version > self.version() {
            return Err(Error::NewerVersion {
                file: path.clone(),
                found: version,
                known: self.version(),
            });
        }
        for migration in &self.migrations[version as usize - 1..] {
            migration(&mut tree);
        }
        Ok(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename(node: &mut Node, from: &str, to: &str) {
        if let Value::Map(fields) = &mut node.value {
            fields
                .iter_mut()
                .filter(|field| field.key == from)
                .for_each(|field| field.key = to.to_owned());
        }
    }

    const THIRD: Format = Format {
        migrations: &[|node| rename(node, "a", "b"), |node| rename(node, "b", "c")],
        ..Format::FIRST
    };

    #[test]
    fn json_is_held_to_the_same_versions_and_migrated_the_same_way() {
        let path = VfsPath::parse("/x.json").unwrap();
        let check = |text: &str, key: &str| {
            let tree = THIRD.parse_json(&path, text.as_bytes()).unwrap();
            assert!(tree.get(key).is_some(), "{text}: {tree:?}");
        };
        check("{\"a\": 1}", "c");
        check("{\"version\": 2, \"b\": 1}", "c");
        check("{\"version\": 3, \"a\": 1}", "a");
        let fails = |text: &str, expected: &str| {
            let error = THIRD.parse_json(&path, text.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), expected);
        };
        fails(
            "{\"version\": 4}",
            "/x.json: it is of version 4; this program reads versions up to 3",
        );
        fails("{\n\t\"version\": 0\n}", "/x.json:2:13: versions count from 1");
        fails(
            "{\"version\": \"one\"}",
            "/x.json:1:13: a version is a whole number, and a text is here",
        );
        assert!(matches!(THIRD.parse_json(&path, b"{"), Err(Error::Json { .. })));
    }

    #[test]
    fn older_files_are_migrated_step_by_step_and_newer_ones_refused_with_both_numbers() {
        let path = VfsPath::parse("/x.yaml").unwrap();
        let check = |text: &str, key: &str| {
            let tree = THIRD.parse(&path, text.as_bytes()).unwrap();
            assert!(tree.get(key).is_some(), "{text}: {tree:?}");
        };
        check("a: 1\n", "c");
        check("version: 1\na: 1\n", "c");
        check("version: 2\nb: 1\n", "c");
        check("version: 2\na: 1\n", "a");
        check("version: 3\nc: 1\n", "c");
        check("version: 3\na: 1\n", "a");
        let error = THIRD.parse(&path, b"version: 4\nnothing: known\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "/x.yaml: it is of version 4; this program reads versions up to 3"
        );
        for (text, expected) in [
            ("version: 0\n", "/x.yaml:1:10: versions count from 1"),
            (
                "version: one\n",
                "/x.yaml:1:10: a version is a whole number, and a text is here",
            ),
        ] {
            assert_eq!(THIRD.parse(&path, text.as_bytes()).unwrap_err().to_string(), expected);
        }
    }
}
