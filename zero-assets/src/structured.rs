//! Files of an asset that hold data: JSON by its extension, YAML otherwise.

use zero_vfs::{Vfs, VfsPath};

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
