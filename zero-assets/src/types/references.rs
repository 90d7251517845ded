//! [`References`]: where a type's files and calls carry the names of other assets.

use zero_yaml::Node;

use crate::reader::Reader;

/// Where names of other assets are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct References {
    /// Keys of the type's files.
    pub keys: Vec<KeyReference>,
    /// Arguments of calls, wherever the call is written.
    pub args: Vec<ArgReference>,
    /// Fields of the options table of a call.
    pub fields: Vec<FieldReference>,
    /// Calls that are named by what they call.
    pub calls: Vec<CallReference>,
}

/// A key of a type's own files that holds a name, a list or a table of names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyReference {
    /// The key: one at the top of the file, or the way to one below it with dots between, in which `*` is every item of a
    /// list and every value of a mapping (`pieces.*.mesh`).
    pub key: String,
    /// The type that the name resolves in.
    pub category: String,
}

/// An argument of a call that is a name. One that is declared for several types takes the name from whichever
/// answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArgReference {
    /// The call, as it is written: `g:node`, `fx.beam`.
    pub call: String,
    /// Which argument, from 1.
    pub position: usize,
    /// The type that the name resolves in.
    pub category: String,
}

/// A field of the options table that a call takes, which is a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldReference {
    /// The call, as it is written.
    pub call: String,
    /// The field.
    pub field: String,
    /// The type that the name resolves in.
    pub category: String,
}

/// A call that is a name: `g.points.disc(...)` names `points.disc`, and so does `g["points.disc"](...)`, where `g.*` is
/// declared. It holds in the scripts of the type that declares it. One that is declared for several types takes the name from
/// the one that answers; where several do, it means neither. What no asset answers to is a function of the host's. A script that calls its builder otherwise,
/// `proc.define(function(b) ... end)`, is read as if it called it `g`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallReference {
    /// What the call begins with, and `.*` for the name: `g.*`.
    pub call: String,
    /// The type that the name resolves in.
    pub category: String,
}

impl CallReference {
    /// What the call begins with.
    pub(crate) fn base(&self) -> &str {
        self.call.strip_suffix(CALL_END).unwrap_or(&self.call)
    }
}

/// How the call of a [`CallReference`] ends.
const CALL_END: &str = ".*";

impl References {
    /// The same with a key of files whose value is a name; see [`KeyReference`].
    #[must_use]
    pub fn key(mut self, key: impl Into<String>, category: impl Into<String>) -> Self {
        let (key, category) = (key.into(), category.into());
        self.keys.push(KeyReference { key, category });
        self
    }

    /// The same with an argument of a call, from 1, that is a name.
    #[must_use]
    pub fn arg(mut self, call: impl Into<String>, position: usize, category: impl Into<String>) -> Self {
        let (call, category) = (call.into(), category.into());
        self.args.push(ArgReference {
            call,
            position,
            category,
        });
        self
    }

    /// The same with a field of a call's options that is a name.
    #[must_use]
    pub fn field(mut self, call: impl Into<String>, field: impl Into<String>, category: impl Into<String>) -> Self {
        let (call, field, category) = (call.into(), field.into(), category.into());
        self.fields.push(FieldReference { call, field, category });
        self
    }

    /// Takes what `other` declares besides. A key or a field holds one type: the later one. An argument and a call
    /// hold as many as are declared.
    pub fn extend(&mut self, other: &References) {
        for new in &other.keys {
            self.keys.retain(|old| old.key != new.key);
            self.keys.push(new.clone());
        }
        for new in &other.fields {
            self.fields
                .retain(|old| (&old.call, &old.field) != (&new.call, &new.field));
            self.fields.push(new.clone());
        }
        for new in &other.args {
            if !self.args.contains(new) {
                self.args.push(new.clone());
            }
        }
        for new in &other.calls {
            if !self.calls.contains(new) {
                self.calls.push(new.clone());
            }
        }
    }

    /// Whether nothing is declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.args.is_empty() && self.fields.is_empty() && self.calls.is_empty()
    }
}

pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> References {
    let mut read = References::default();
    let Some(keys) = reader.keys(node, "`references`", &["keys", "args", "fields", "calls"]) else {
        return read;
    };
    for item in reader.items(keys, "keys") {
        let entry = |reader: &mut Reader<'_>| {
            let keys = reader.keys(item, "an entry of `keys`", &["key", "type"])?;
            let key = reader.needed_text(keys, "key")?;
            if key.split('.').any(str::is_empty) {
                reader.wrong(
                    item.at,
                    format!("`{key}` is no way to a key: names with dots between, or `*`"),
                );
                return None;
            }
            Some(KeyReference {
                key,
                category: reader.needed_text(keys, "type")?,
            })
        };
        read.keys.extend(entry(reader));
    }
    for item in reader.items(keys, "args") {
        let entry = |reader: &mut Reader<'_>| {
            let keys = reader.keys(item, "an entry of `args`", &["call", "position", "type"])?;
            let call = reader.needed_text(keys, "call")?;
            let Some(position @ 1..) = reader.count(keys, "position") else {
                reader.wrong(item.at, "`position` says which argument it is, from 1");
                return None;
            };
            Some(ArgReference {
                call,
                position: position as usize,
                category: reader.needed_text(keys, "type")?,
            })
        };
        read.args.extend(entry(reader));
    }
    for item in reader.items(keys, "fields") {
        let entry = |reader: &mut Reader<'_>| {
            let keys = reader.keys(item, "an entry of `fields`", &["call", "field", "type"])?;
            Some(FieldReference {
                call: reader.needed_text(keys, "call")?,
                field: reader.needed_text(keys, "field")?,
                category: reader.needed_text(keys, "type")?,
            })
        };
        read.fields.extend(entry(reader));
    }
    for item in reader.items(keys, "calls") {
        let entry = |reader: &mut Reader<'_>| {
            let keys = reader.keys(item, "an entry of `calls`", &["call", "type"])?;
            let call = reader.needed_text(keys, "call")?;
            let base = call.strip_suffix(CALL_END).unwrap_or_default();
            if base.is_empty() || base.contains('*') {
                reader.wrong(
                    item.at,
                    format!("`{call}` does not end in a name as `g{CALL_END}` does"),
                );
                return None;
            }
            Some(CallReference {
                call,
                category: reader.needed_text(keys, "type")?,
            })
        };
        read.calls.extend(entry(reader));
    }
    // Within one file, too, the later of two entries for one key holds.
    let mut merged = References::default();
    merged.extend(&read);
    merged
}
