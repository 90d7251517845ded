//! Rules of the types whose files are checked against a schema: `data` and `preset`.

use serde_json::json;
use zero_vfs::{VfsPath, nearest_names};
use zero_yaml::Field;

use super::held::{Codes, Held};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::settings::preset::{self, PRESET_FILE, Preset};
use crate::types::{Schema, SchemaSource};
use crate::value::{self, Value};

const DATA: Codes = Codes {
    broken: "data.broken",
    unknown: "data.unknown_key",
};
const PRESET: Codes = Codes {
    broken: preset::BROKEN,
    unknown: preset::UNKNOWN_KEY,
};
const SCHEMA_FILE: &str = "schema.yaml";

/// The values of a file, each with its place.
type Entries = Vec<Field>;

pub(super) fn data(held: &mut Held<'_>) {
    let own = held.file(SCHEMA_FILE).and_then(|file| schema_in(held, &file, None));
    let read = held.yaml("data.yaml", DATA, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(tree, "a data.yaml", &["version", "contract", "values"])?;
        Some((reader.text_of(keys, "contract"), reader.entries(keys, "values")))
    });
    let (Some((contract, values)), Some(file)) = (read, held.file("data.yaml")) else {
        return;
    };
    // A contract that nothing answers to is told with the names that the asset carries.
    let followed = contract.filter(|_| held.file(SCHEMA_FILE).is_none()).and_then(|_| {
        let context = &held.context;
        let is_there = |file: &VfsPath| matches!(context.vfs.stat(file), Ok(Some(_)));
        let read = |file: &VfsPath| context.vfs.read_bounded(file, Format::FIRST.max_bytes as u64).ok();
        context.assets.data_schema(&context.asset.path, &is_there, &read)
    });
    let schema = own.or_else(|| followed.and_then(|file| schema_in(held, &file, None)));
    if let Some(schema) = schema {
        held.tell_all(misfits("data.field", &file, &schema, &values));
    }
}

pub(super) fn data_detail(held: &mut Held<'_>) -> Option<Value> {
    held.data("data.yaml")
}

pub(super) fn preset(held: &mut Held<'_>) {
    let read = held.yaml(PRESET_FILE, PRESET, &Format::FIRST, Preset::read);
    let (Some(Preset { kind, kind_at, values }), Some(file)) = (read, held.file(PRESET_FILE)) else {
        return;
    };
    let Some(kind) = held.kind("preset.no_type", &file, &kind, kind_at) else {
        return;
    };
    let block = kind.settings.as_ref();
    let schema = match block.map(|block| (&block.schema, block.export.as_deref())) {
        Some((SchemaSource::Inline(schema), _)) => Some(schema.clone()),
        Some((SchemaSource::TypeFile(inner), export)) => {
            let at = kind.path.join(inner).ok();
            at.and_then(|file| schema_in(held, &file, export))
        }
        // Every asset of such a type says for itself which settings there are.
        Some((SchemaSource::InstanceFile(_), _)) => return,
        None => Some(Schema::default()),
    };
    if let Some(schema) = schema {
        held.tell_all(misfits("preset.setting", &file, &schema, &values));
    }
}

pub(super) fn preset_detail(held: &mut Held<'_>) -> Option<Value> {
    held.data(PRESET_FILE)
}

fn schema_in(held: &mut Held<'_>, file: &VfsPath, export: Option<&str>) -> Option<Schema> {
    let bytes = held.bytes(DATA.broken, file, Format::FIRST.max_bytes as u64)?;
    let (schema, told) = Schema::parse(file, &bytes, export);
    // What is wrong with another asset's schema is told of that asset.
    if file.starts_with(held.folder()) {
        held.tell_all(told);
    }
    schema
}

/// What a schema does not have, and what does not fit it.
fn misfits(code: &'static str, file: &VfsPath, schema: &Schema, values: &Entries) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    for entry in values {
        let Some(field) = schema.fields.get(&entry.key) else {
            let near = nearest_names(&entry.key, schema.fields.keys().map(String::as_str));
            let message = format!("there is no field `{}`", entry.key);
            told.push(Diagnostic::error(code, file, message).at(entry.at).did_you_mean(&near));
            continue;
        };
        if let Err(why) = field.value_type.check(&value::of_node(&entry.node)) {
            let message = format!("`{}` does not fit: {why}", entry.key);
            told.push(Diagnostic::error(code, file, message).at(entry.node.at));
        }
    }
    told
}

/// What is reported of an importer.
pub(super) fn importer_detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data("importer.yaml")?;
    Some(json!({ "extensions": data.get("extensions"), "makes": data.get("makes") }))
}
