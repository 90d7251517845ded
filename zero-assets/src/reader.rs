//! [`Reader`]: takes what a YAML tree should hold out of it, telling all that does not fit and going on.

use zero_vfs::{VfsPath, nearest_names};
use zero_yaml::{Field, Node, Position, Value};

use crate::diagnostic::Diagnostic;

/// Reads one file's tree. What does not fit is told under `broken`; a key that is not read is a warning under
/// `unknown_key`.
pub(crate) struct Reader<'a> {
    pub(crate) file: &'a VfsPath,
    broken: &'static str,
    unknown_key: &'static str,
    pub(crate) told: Vec<Diagnostic>,
}

/// The keys of a mapping, by name.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'n>(&'n Node);

impl<'n> Keys<'n> {
    /// The value of a key; none where it says nothing.
    pub(crate) fn get(self, key: &str) -> Option<&'n Node> {
        self.0.get(key).filter(|node| node.value != Value::Null)
    }

    /// Where the mapping begins.
    pub(crate) fn at(self) -> Position {
        self.0.at
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: &'a VfsPath, broken: &'static str, unknown_key: &'static str) -> Self {
        Self {
            file,
            broken,
            unknown_key,
            told: Vec::new(),
        }
    }

    /// Tells an error at a place.
    pub(crate) fn wrong(&mut self, at: Position, message: impl Into<String>) {
        self.told
            .push(Diagnostic::error(self.broken, self.file, message).at(at));
    }

    /// Tells a warning at a place, under a code of its own.
    pub(crate) fn warn(&mut self, code: &'static str, at: Position, message: impl Into<String>) {
        self.told.push(Diagnostic::warning(code, self.file, message).at(at));
    }

    /// Whether an error was told.
    pub(crate) fn has_errors(&self) -> bool {
        self.told.iter().any(Diagnostic::is_error)
    }

    /// A mapping whose keys are among `known`; others are warned of.
    pub(crate) fn keys<'n>(&mut self, node: &'n Node, what: &str, known: &[&str]) -> Option<Keys<'n>> {
        if !matches!(node.value, Value::Map(_)) {
            self.expected(node, &format!("{what} is a mapping"));
            return None;
        }
        for field in node
            .fields()
            .iter()
            .filter(|field| !known.contains(&field.key.as_str()))
        {
            let near = nearest_names(&field.key, known.iter().copied());
            let message = format!("the key `{}` is not read", field.key);
            let told = Diagnostic::warning(self.unknown_key, self.file, message).at(field.at);
            self.told.push(told.did_you_mean(&near));
        }
        Some(Keys(node))
    }

    fn expected(&mut self, node: &Node, what: &str) {
        self.wrong(node.at, format!("{what}, and {} is here", node.value.kind()));
    }

    /// A text that is not empty.
    pub(crate) fn text(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.value {
            Value::Text(text) if !text.is_empty() => Some(text.clone()),
            Value::Text(_) => {
                self.wrong(node.at, format!("{what} is a text that is not empty"));
                None
            }
            _ => {
                self.expected(node, &format!("{what} is a text"));
                None
            }
        }
    }

    /// The text of a key, where it is there.
    pub(crate) fn text_of(&mut self, keys: Keys<'_>, key: &str) -> Option<String> {
        let node = keys.get(key)?;
        self.text(node, &format!("`{key}`"))
    }

    /// The text of a key that must be there.
    pub(crate) fn needed_text(&mut self, keys: Keys<'_>, key: &str) -> Option<String> {
        if keys.get(key).is_none() {
            self.wrong(keys.at(), format!("the key `{key}` is missing"));
        }
        self.text_of(keys, key)
    }

    /// A boolean; `otherwise` where the key is not there.
    pub(crate) fn flag(&mut self, keys: Keys<'_>, key: &str, otherwise: bool) -> bool {
        match keys.get(key) {
            None => otherwise,
            Some(Node {
                value: Value::Bool(value),
                ..
            }) => *value,
            Some(node) => {
                self.expected(node, &format!("`{key}` is true or false"));
                otherwise
            }
        }
    }

    /// A whole number of at least 0.
    pub(crate) fn count(&mut self, keys: Keys<'_>, key: &str) -> Option<u64> {
        let node = keys.get(key)?;
        match &node.value {
            Value::Integer(value @ 0..) => Some(*value as u64),
            Value::Unsigned(value) => Some(*value),
            _ => {
                self.expected(node, &format!("`{key}` is a whole number of at least 0"));
                None
            }
        }
    }

    /// A whole number.
    pub(crate) fn integer(&mut self, keys: Keys<'_>, key: &str) -> Option<i64> {
        let node = keys.get(key)?;
        match &node.value {
            Value::Integer(value) => Some(*value),
            _ => {
                self.expected(node, &format!("`{key}` is a whole number"));
                None
            }
        }
    }

    /// A number.
    pub(crate) fn number(&mut self, keys: Keys<'_>, key: &str) -> Option<f64> {
        let node = keys.get(key)?;
        let number = node.number();
        if number.is_none() {
            self.expected(node, &format!("`{key}` is a number"));
        }
        number
    }

    /// One text or a list of them.
    pub(crate) fn texts(&mut self, keys: Keys<'_>, key: &str) -> Vec<String> {
        let what = format!("`{key}`");
        match keys.get(key) {
            None => Vec::new(),
            Some(node) if matches!(node.value, Value::List(_)) => {
                let items = node.items().iter();
                items
                    .filter_map(|item| self.text(item, &format!("an item of {what}")))
                    .collect()
            }
            Some(node) => self.text(node, &what).into_iter().collect(),
        }
    }

    /// The items of a list.
    pub(crate) fn items<'n>(&mut self, keys: Keys<'n>, key: &str) -> &'n [Node] {
        match keys.get(key) {
            None => &[],
            Some(node) => {
                if !matches!(node.value, Value::List(_)) {
                    self.expected(node, &format!("`{key}` is a list"));
                }
                node.items()
            }
        }
    }

    /// The entries of a mapping whose keys are anyone's.
    pub(crate) fn entries(&mut self, keys: Keys<'_>, key: &str) -> Vec<Field> {
        match keys.get(key) {
            None => Vec::new(),
            Some(node) => {
                if !matches!(node.value, Value::Map(_)) {
                    self.expected(node, &format!("`{key}` is a mapping"));
                }
                node.fields().to_vec()
            }
        }
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(&mut self, node: &Node, what: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, what)?;
        let found = words.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let near = nearest_names(&text, words.iter().map(|(word, _)| *word));
            let message = format!("{what} is one of {}, and `{text}` is here", all.join(", "));
            let told = Diagnostic::error(self.broken, self.file, message).at(node.at);
            self.told.push(told.did_you_mean(&near));
        }
        found.map(|(_, value)| *value)
    }

    /// One of a few words under a key that must be there.
    pub(crate) fn needed_word<T: Copy>(&mut self, keys: Keys<'_>, key: &str, words: &[(&str, T)]) -> Option<T> {
        match keys.get(key) {
            Some(node) => self.word(node, &format!("`{key}`"), words),
            None => {
                self.wrong(keys.at(), format!("the key `{key}` is missing"));
                None
            }
        }
    }
}
