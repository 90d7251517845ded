//! Further names of an asset, read from its own files.

use zero_vfs::{Kind, Vfs, VfsPath};

use crate::diagnostic::Diagnostic;
use crate::guid::Guid;
use crate::structured;
use crate::types::AliasSource;
use crate::value::{Value, value_at};

/// The names that `source` gives the asset at `path`: a text or a list of texts. A file that is not there gives none.
pub(crate) fn read(vfs: &Vfs, path: &VfsPath, form: Kind, source: &AliasSource) -> (Vec<String>, Vec<Diagnostic>) {
    let place = match form {
        Kind::Folder => path.join(&source.file),
        Kind::File => Ok(path.clone()),
    };
    let Ok(place) = place else { return Default::default() };
    let value = match structured::read(vfs, &place) {
        Ok(Some(value)) => value,
        Ok(None) => return Default::default(),
        Err(error) => {
            let told = Diagnostic::of_error("asset.alias", &place, &error);
            return (Vec::new(), vec![told]);
        }
    };
    let held: Vec<&Value> = match value_at(&value, &source.key) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items.iter().collect(),
        Some(one) => vec![one],
    };
    let names: Vec<String> = held
        .iter()
        .filter_map(|value| Some(value.as_str()?.to_owned()))
        .collect();
    let mut told = Vec::new();
    let (names, no_names): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| may_be_an_alias(name));
    for name in &no_names {
        let message = format!("`{name}` cannot be an alias: it means something else where a name is read");
        told.push(Diagnostic::warning("asset.alias", &place, message));
    }
    if names.len() + no_names.len() < held.len() {
        let message = format!("`{}` holds names, and something else is here", source.key);
        told.push(Diagnostic::warning("asset.alias", &place, message));
    }
    (names, told)
}

/// Whether a text is read as a plain name: not as a path, a guid, a place in a library or a root, or beside the asker.
fn may_be_an_alias(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['.', '~', '@'])
        && !name.contains(['/', ':'])
        && name.trim() == name
        && Guid::parse(name).is_none()
}
