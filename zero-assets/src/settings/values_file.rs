//! The file that an asset's settings live in: YAML, or JSON by its extension, of a known version.

use std::collections::BTreeMap;

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Node, Position};

use super::{Values, edit};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::value::{self, Value};

const FORMAT: Format = Format::FIRST;
/// The key under which the file says its own version, which no setting can be called.
pub(crate) const VERSION_KEY: &str = "version";

/// What a file of values holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stored {
    pub(crate) values: Values,
    /// Where each value stands.
    pub(crate) places: BTreeMap<String, Position>,
    /// The text of a file that is there, and its tree.
    pub(crate) written: Option<(String, Node)>,
}

/// The values in a file; none where there is no such file.
pub(crate) fn read(vfs: &Vfs, path: &VfsPath) -> Result<Stored> {
    let bytes = match vfs.read_bounded(path, FORMAT.max_bytes as u64) {
        Ok(bytes) => bytes,
        Err(zero_vfs::Error::NotFound { .. }) => return Ok(Stored::default()),
        Err(error) => return Err(error.into()),
    };
    let tree = match is_json(path) {
        true => FORMAT.parse_json(path, &bytes)?,
        false => FORMAT.parse(path, &bytes)?,
    };
    let places = tree.fields().iter().map(|field| (field.key.clone(), field.node.at));
    let places = places.collect();
    match value::of_node(&tree) {
        Value::Null => Ok(Stored {
            written: written(bytes, tree),
            ..Stored::default()
        }),
        Value::Object(mut values) => {
            values.remove(VERSION_KEY);
            Ok(Stored {
                values,
                places,
                written: written(bytes, tree),
            })
        }
        other => {
            let message = format!("settings are a mapping, and {} is here", value::kind(&other));
            Err(zero_yaml::Error::value(path.as_str(), tree.at, message).into())
        }
    }
}

fn written(bytes: Vec<u8>, tree: Node) -> Option<(String, Node)> {
    String::from_utf8(bytes).ok().map(|text| (text, tree))
}

/// The text of a file of values over the one that is there: in YAML, what does not change stays as it is written.
pub(crate) fn to_text_over(path: &VfsPath, values: &Values, old: Option<&(String, Node)>) -> Result<String> {
    let mut all = values.clone();
    all.insert(VERSION_KEY.to_owned(), Value::from(FORMAT.version()));
    let text = match old.filter(|_| !is_json(path)) {
        Some((text, tree)) => edit::edited(text, tree, &all),
        None => None,
    };
    // Only a text that says what it is to say is taken.
    let says = |text: &String| {
        let tree = FORMAT.parse(path, text.as_bytes());
        tree.is_ok_and(|tree| value::equal(&value::of_node(&tree), &Value::Object(all.clone())))
    };
    match text.filter(|text| text.len() <= FORMAT.max_bytes).filter(says) {
        Some(text) => Ok(text),
        None => to_text(path, values),
    }
}

/// The text of a file of values: one that is read again.
pub(crate) fn to_text(path: &VfsPath, values: &Values) -> Result<String> {
    let mut all = values.clone();
    all.insert(VERSION_KEY.to_owned(), Value::from(FORMAT.version()));
    // What could not be read again is refused now: the file could not even be mended by another write.
    if is_json(path) {
        let text = serde_json::to_string_pretty(&all).map_err(|source| Error::Json {
            file: path.clone(),
            source,
        })?;
        let text = text + "\n";
        fits(path, &text)?;
        FORMAT.parse_json(path, text.as_bytes())?;
        return Ok(text);
    }
    let text = zero_yaml::to_string(&all)?;
    fits(path, &text)?;
    FORMAT.parse(path, text.as_bytes())?;
    Ok(text)
}

fn fits(path: &VfsPath, text: &str) -> Result<()> {
    if text.len() <= FORMAT.max_bytes {
        return Ok(());
    }
    Err(zero_vfs::Error::TooLarge {
        path: path.clone(),
        bytes: text.len() as u64,
        limit: FORMAT.max_bytes as u64,
    }
    .into())
}

fn is_json(path: &VfsPath) -> bool {
    path.extension() == Some("json")
}
