//! Where a document's text states its parts, so that an error names the line.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The text that a document was read from: its file's name and the lines of its parts. Two documents that say the same
/// are equal wherever they stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    pub(super) file: Option<Arc<str>>,
    lines: Arc<BTreeMap<(String, String), u32>>,
}

impl PartialEq for Origin {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Origin {
    /// Of a text that has been read as a document.
    pub(super) fn of(file: Option<&str>, text: &str) -> Origin {
        Origin {
            file: file.map(Arc::from),
            lines: Arc::new(lines(text)),
        }
    }

    /// The line of a part of a section, from 1; 0 where the text does not state it, or there is none.
    pub(super) fn line(&self, section: &str, name: &str) -> u32 {
        let key = (section.to_owned(), name.to_owned());
        self.lines.get(&key).copied().unwrap_or(0)
    }
}

/// The lines of the keys two levels deep, by the key around them, and of the nodes within bodies, by the path of their names
/// and parts. The text is JSON, so a string before a colon is a key
/// and no string holds a line's end.
fn lines(text: &str) -> BTreeMap<(String, String), u32> {
    let bytes = text.as_bytes();
    let (mut found, mut keys): (_, Vec<String>) = (BTreeMap::new(), Vec::new());
    let (mut at, mut line, mut depth) = (0, 1u32, 0usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' => line += 1,
            b'{' | b'[' => {
                keys.truncate(depth);
                depth += 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at;
                at += 1;
                while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                let after = text.get(at + 1..).unwrap_or_default().trim_start();
                let key = text.get(start..=at).filter(|_| after.starts_with(':'));
                if let Some(key) = key.and_then(|key| serde_json::from_str::<String>(key).ok()) {
                    keys.resize(depth.saturating_sub(1), String::new());
                    keys.push(key);
                    if let Some(part) = part(&keys) {
                        found.insert(part, line);
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// What the keys around a value name, where that is a part of the document.
fn part(keys: &[String]) -> Option<(String, String)> {
    let [section, name, rest @ ..] = keys else { return None };
    let mut path = name.clone();
    let within = rest.chunks_exact(3);
    if !within.remainder().is_empty() || (!rest.is_empty() && section != "nodes") {
        return None;
    }
    for keys in within {
        let [part, nodes, name] = keys else { return None };
        if !matches!(part.as_str(), "body" | "stop") || nodes != "nodes" {
            return None;
        }
        path = format!("{path}/{part}/{name}");
    }
    Some((section.clone(), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_by_its_section_and_name() {
        let text = "{ \"nodes\": {\n  \"a \\\"b\\\"\": { \"node\": \"x\",\n \"inputs\": { \"c\": 1 } },\n\"c\"\n: [\"d\", {\"e\": \"f:\"}]\n}, \"outputs\": { \"c\" : {} } }";
        let origin = Origin::of(None, text);
        assert_eq!(origin.line("nodes", "a \"b\""), 2);
        assert_eq!(origin.line("nodes", "c"), 4);
        assert_eq!(origin.line("outputs", "c"), 6);
        assert_eq!(origin.line("nodes", "e"), 0);
        assert_eq!(
            origin.line("inputs", "c"),
            0,
            "a key of a node is no part of the document"
        );
    }

    #[test]
    fn a_node_within_a_body_is_found_by_its_path() {
        let text = "{ \"nodes\": { \"a\": { \"inputs\": { \"nodes\": [{ \"x\": 1 }] },\n\"body\": { \"nodes\": {\n\"b\": { \"stop\":\n{ \"nodes\": {\n\"c\": {} } } } },\n\"results\": { \"b\": 1 } } } } }";
        let origin = Origin::of(None, text);
        assert_eq!(origin.line("nodes", "a"), 1);
        assert_eq!(origin.line("nodes", "a/body/b"), 3);
        assert_eq!(origin.line("nodes", "a/body/b/stop/c"), 5);
        assert_eq!(origin.line("nodes", "a/inputs/x"), 0);
        assert_eq!(origin.line("nodes", "a/body/c"), 0);
    }
}
