//! The file that an asset's settings live in: YAML, or JSON by its extension, of a known version.

use zero_vfs::{Vfs, VfsPath};

use super::Values;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::value::{self, Value};

const FORMAT: Format = Format::FIRST;
const VERSION_KEY: &str = "version";

/// The values in a file; none where there is no such file.
pub(crate) fn read(vfs: &Vfs, path: &VfsPath) -> Result<Values> {
    let bytes = match vfs.read_bounded(path, FORMAT.max_bytes as u64) {
        Ok(bytes) => bytes,
        Err(zero_vfs::Error::NotFound { .. }) => return Ok(Values::new()),
        Err(error) => return Err(error.into()),
    };
    let value = match is_json(path) {
        true => {
            let value: Value = serde_json::from_slice(&bytes).map_err(|source| Error::Json {
                file: path.clone(),
                source,
            })?;
            check_version(path, &value)?;
            value
        }
        false => value::of_node(&FORMAT.parse(path, &bytes)?),
    };
    match value {
        Value::Null => Ok(Values::new()),
        Value::Object(mut values) => {
            values.remove(VERSION_KEY);
            Ok(values)
        }
        other => {
            let message = format!("settings are a mapping, and {} is here", value::kind(&other));
            Err(zero_yaml::Error::value(path.as_str(), zero_yaml::Position::START, message).into())
        }
    }
}

fn check_version(path: &VfsPath, value: &Value) -> Result<()> {
    let found = value.get(VERSION_KEY).map_or(Some(1), Value::as_u64);
    match found {
        Some(found) if found <= u64::from(FORMAT.version()) => Ok(()),
        _ => Err(Error::NewerVersion {
            file: path.clone(),
            found: found.map_or(u32::MAX, |found| u32::try_from(found).unwrap_or(u32::MAX)),
            known: FORMAT.version(),
        }),
    }
}

/// The text of a file of values.
pub(crate) fn to_text(path: &VfsPath, values: &Values) -> Result<String> {
    let mut all = values.clone();
    all.insert(VERSION_KEY.to_owned(), Value::from(FORMAT.version()));
    if is_json(path) {
        let text = serde_json::to_string_pretty(&all).map_err(|source| Error::Json {
            file: path.clone(),
            source,
        })?;
        return Ok(text + "\n");
    }
    Ok(zero_yaml::to_string(&all)?)
}

fn is_json(path: &VfsPath) -> bool {
    path.extension() == Some("json")
}
