//! Rules of `texture`: an image that is what its `texture.yaml` says.

use serde_json::json;
use zero_vfs::VfsPath;

use super::held::Held;
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::texture::{Texture, TextureLimits};
use crate::value::Value;

const FILE: &str = "texture.yaml";

/// Reads the texture whole: a payload that is cut short shows only when it is decoded.
pub(super) fn texture(held: &mut Held<'_>) {
    const CODE: &str = "texture.broken";
    let Some(file) = held.file(FILE) else { return };
    match Texture::load(held.context.vfs, held.folder(), &TextureLimits::default()) {
        Ok(loaded) => held.tell_all(loaded.diagnostics),
        Err(error) => {
            let about = named_in(&error).unwrap_or(file);
            held.tell(Diagnostic::of_error(CODE, &about, &error));
        }
    }
}

/// The file that an error is about, where it names one.
fn named_in(error: &Error) -> Option<VfsPath> {
    match error {
        Error::Image { file, .. }
        | Error::Payload { file, .. }
        | Error::NotFinite { file, .. }
        | Error::TooLarge { file, .. } => Some(file.clone()),
        _ => None,
    }
}

pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
    let mut detail = held.data(FILE)?;
    let size = detail.get("payload")?.as_str().map(str::to_owned);
    let payload = size.and_then(|inner| held.file(&inner));
    let bytes = payload
        .and_then(|file| held.context.vfs.read(&file).ok())
        .map(|bytes| bytes.len());
    if let Value::Object(fields) = &mut detail {
        fields.insert("payloadBytes".to_owned(), json!(bytes));
    }
    Some(detail)
}
