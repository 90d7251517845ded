//! Writing YAML.

use serde::Serialize;

use crate::document::{Document, Limits};
use crate::error::{Error, Result};

/// Writes `value` in block style, two spaces a level, fields in the order of the type (a map's in its own;
/// take a `BTreeMap` for sorted keys). Long and multi-line texts are block texts where that is exact.
///
/// What is written is read back once, so that every text this returns is one that [`Document`] takes.
///
/// # Errors
/// [`Error::Encode`] for what has no such text: a number that is not finite, a key that is no plain text,
/// more levels or values than [`Limits`] allows by default.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    let text = write(value, true)?;
    if check(&text).is_ok() {
        return Ok(text);
    }
    // A block text whose lines begin with tabs cannot be read; quoted, with its tabs escaped, it can.
    let quoted = write(value, false)?;
    check(&quoted).map_err(|error| Error::Encode {
        message: error.message(),
    })?;
    Ok(quoted)
}

fn check(text: &str) -> Result<Document> {
    let limits = Limits::default().max_bytes(usize::MAX);
    Document::parse_within("encoded", text.as_bytes(), &limits)
}

fn write<T: Serialize + ?Sized>(value: &T, prefer_block_scalars: bool) -> Result<String> {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: prefer_block_scalars };
    serde_saphyr::to_string_with_options(&value, options).map_err(|error| Error::Encode {
        message: error.to_string(),
    })
}
