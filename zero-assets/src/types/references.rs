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
}

/// A top-level key of a type's own files that holds a name, a list or a table of names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyReference {
    /// The key.
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

impl References {
    /// Takes what `other` declares besides. A key or a field holds one type: the later one. An argument holds as
    /// many as are declared.
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
    }

    /// Whether nothing is declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.args.is_empty() && self.fields.is_empty()
    }
}

pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> References {
    let mut read = References::default();
    let Some(keys) = reader.keys(node, "`references`", &["keys", "args", "fields"]) else {
        return read;
    };
    for item in reader.items(keys, "keys") {
        let entry = |reader: &mut Reader<'_>| {
            let keys = reader.keys(item, "an entry of `keys`", &["key", "type"])?;
            Some(KeyReference {
                key: reader.needed_text(keys, "key")?,
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
    // Within one file, too, the later of two entries for one key holds.
    let mut merged = References::default();
    merged.extend(&read);
    merged
}
