//! Files of an asset that hold data: JSON by its extension, YAML otherwise.

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Node, Position};

use crate::error::{Error, Result};
use crate::format::Format;
use crate::value::{self, Value};

/// The data in a file; `None` where there is no such file.
pub(crate) fn read(vfs: &Vfs, path: &VfsPath) -> Result<Option<Value>> {
    match vfs.read_bounded(path, Format::UNVERSIONED.max_bytes as u64) {
        Ok(bytes) => parse(path, &bytes).map(Some),
        Err(zero_vfs::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The places of what JSON holds. It is YAML but for the tabs that may indent it; where YAML's rules do not take it, nothing
/// is known of them.
pub(crate) fn json_places(path: &VfsPath, bytes: &[u8]) -> Option<Node> {
    let untabbed: Vec<u8> = bytes
        .iter()
        .map(|byte| if *byte == b'\t' { b' ' } else { *byte })
        .collect();
    Format::UNVERSIONED.parse(path, &untabbed).ok()
}

/// Where JSON is broken.
pub(crate) fn json_position(error: &serde_json::Error) -> Position {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    Position {
        line: number(error.line()),
        column: number(error.column()),
    }
}

/// What is wrong with JSON, without the place, which is told beside it.
pub(crate) fn json_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).map_or(text.clone(), str::to_owned)
}

/// The data in the bytes of a file; `path` says which form they are in, and is for messages.
pub(crate) fn parse(path: &VfsPath, bytes: &[u8]) -> Result<Value> {
    if path.extension() == Some("json") {
        return serde_json::from_slice(bytes).map_err(|source| Error::Json {
            file: path.clone(),
            source,
        });
    }
    Ok(value::of_node(&Format::UNVERSIONED.parse(path, bytes)?))
}
