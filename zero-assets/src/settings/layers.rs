//! The layers of settings, each over those below it.

use zero_vfs::nearest_names;

use super::Values;
use crate::behavior::{Behavior, Correction, Creation};
use crate::error::{Error, Result};
use crate::types::Schema;
use crate::value::{Value, equal};

/// Settings that a creation brings, besides what the type gives. All are checked against the schema.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SettingsLayers {
    /// Of a preset that is chosen.
    pub preset: Values,
    /// Of the importer that makes the asset.
    pub importer: Values,
    /// Of whoever asks.
    pub caller: Values,
}

/// What settings are put together for.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) behavior: Option<&'a dyn Behavior>,
    /// The name of the asset, for messages and hooks.
    pub(crate) name: &'a str,
    pub(crate) options: &'a Value,
}

/// The settings of a new asset. Each layer may be in an earlier spelling.
pub(crate) fn for_creation(request: Request<'_>, new: &Creation<'_>, layers: &SettingsLayers) -> Result<Values> {
    let caller = normal(request, layers.caller.clone(), None)?;
    let named: Vec<String> = caller.keys().cloned().collect();
    let mut asked = Values::new();
    for layer in [
        normal(request, layers.preset.clone(), None)?,
        normal(request, layers.importer.clone(), None)?,
        caller,
    ] {
        check(request, &layer)?;
        asked.extend(layer);
    }
    let mut values = defaults(request.schema);
    if let Some(behavior) = request.behavior {
        let given = behavior.settings_defaults(new, &asked);
        let given = given.map_err(|source| hook(request, "settingsDefaults", source))?;
        check(request, &given)?;
        values.extend(given);
    }
    values.extend(asked);
    corrected(request, values, &named)
}

/// The settings of an asset after a write: `old` are those it has, as a read gives them, and `writes` what is written.
pub(crate) fn for_write(request: Request<'_>, old: &Values, writes: &Values) -> Result<Values> {
    check(request, writes)?;
    let mut values = old.clone();
    let changed = |(field, value): &(&String, &Value)| values.get(*field).is_none_or(|old| !equal(old, value));
    let changed: Vec<String> = writes.iter().filter(changed).map(|(field, _)| field.clone()).collect();
    values.extend(writes.clone());
    if let Some(behavior) = request.behavior {
        let is_explicit = explicit(request, behavior, old, writes)?;
        let explicit: Vec<String> = values.keys().filter(is_explicit).cloned().collect();
        let derived = derived(request, behavior, &values, &explicit, &changed)?;
        check(request, &derived)?;
        values.extend(derived.into_iter().filter(|(field, _)| !explicit.contains(field)));
    }
    let named: Vec<String> = writes.keys().cloned().collect();
    corrected(request, values, &named)
}

/// The settings of an asset once those in `fields` are what they are where nobody says them: the default, or what follows
/// from the others.
pub(crate) fn for_reset(request: Request<'_>, old: &Values, fields: &[String]) -> Result<Values> {
    let mut values = old.clone();
    let defaults = defaults(request.schema);
    for field in fields {
        match defaults.get(field) {
            Some(default) => values.insert(field.clone(), default.clone()),
            None => values.remove(field),
        };
    }
    if let Some(behavior) = request.behavior {
        let none = Values::new();
        let is_explicit = explicit(request, behavior, old, &none)?;
        let said = values
            .keys()
            .filter(|field| is_explicit(field) && !fields.contains(field));
        let said: Vec<String> = said.cloned().collect();
        // What follows from settings that did not change follows for these all the same.
        let all: Vec<String> = request.schema.fields.keys().cloned().collect();
        let derived = derived(request, behavior, &values, &said, &all)?;
        check(request, &derived)?;
        values.extend(derived.into_iter().filter(|(field, _)| !said.contains(field)));
    }
    corrected(request, values, &[])
}

/// Which settings follow nothing: what is named now, and what someone set to another value than it would have by itself.
/// That is the default, or what followed from the other values so far: a value that was derived goes on being so.
fn explicit<'a>(
    request: Request<'a>,
    behavior: &dyn Behavior,
    old: &'a Values,
    writes: &'a Values,
) -> Result<impl Fn(&&String) -> bool + 'a> {
    let all: Vec<String> = request.schema.fields.keys().cloned().collect();
    let followed = derived(request, behavior, old, &[], &all)?;
    Ok(move |field: &&String| {
        let Some(value) = old.get(*field).filter(|_| !writes.contains_key(*field)) else {
            return true;
        };
        let default = request.schema.fields.get(*field).map(|setting| &setting.default);
        let by_itself = [default, followed.get(*field)];
        !by_itself.into_iter().flatten().any(|other| equal(other, value))
    })
}

fn derived(
    request: Request<'_>,
    behavior: &dyn Behavior,
    values: &Values,
    explicit: &[String],
    changed: &[String],
) -> Result<Values> {
    let derived = behavior.settings_derived(values, explicit, changed);
    derived.map_err(|source| hook(request, "settingsDerivedDefaults", source))
}

/// Values in their present spelling. `stored` is what an asset's file holds, where they are written over it.
pub(crate) fn normal(request: Request<'_>, values: Values, stored: Option<&Values>) -> Result<Values> {
    match request.behavior {
        None => Ok(values),
        Some(behavior) => {
            let normal = behavior.normalize_settings(values, stored);
            normal.map_err(|source| hook(request, "normalizeSettings", source))
        }
    }
}

/// The values where nobody says others.
pub(crate) fn defaults(schema: &Schema) -> Values {
    let said = schema.fields.iter().filter(|(_, setting)| !setting.default.is_null());
    said.map(|(field, setting)| (field.clone(), setting.default.clone()))
        .collect()
}

/// What the behaviour corrects. A correction of a field in `named` refuses, unless it asks for what is there.
fn corrected(request: Request<'_>, mut values: Values, named: &[String]) -> Result<Values> {
    let Some(behavior) = request.behavior else {
        return Ok(values);
    };
    let corrections = behavior.settings_corrections(&values, request.name, request.options);
    let corrections = corrections.map_err(|source| hook(request, "settingsCorrections", source))?;
    for Correction { field, value, reason } in corrections {
        let is_right = values.get(&field).is_some_and(|asked| equal(asked, &value));
        if is_right {
            continue;
        }
        if named.contains(&field) {
            return Err(Error::Corrected {
                asset: request.name.to_owned(),
                asked: Box::new(values.get(&field).cloned().unwrap_or_default()),
                field,
                value: Box::new(value),
                reason,
            });
        }
        check(request, &Values::from_iter([(field.clone(), value.clone())]))?;
        values.insert(field, value);
    }
    Ok(values)
}

/// Whether every value is of a setting that there is, and fits it.
fn check(request: Request<'_>, values: &Values) -> Result<()> {
    for (field, value) in values {
        let Some(setting) = request.schema.fields.get(field) else {
            return Err(Error::NoSetting {
                asset: request.name.to_owned(),
                field: field.clone(),
                near: nearest_names(field, request.schema.fields.keys().map(String::as_str)),
            });
        };
        setting.value_type.check(value).map_err(|why| Error::Setting {
            asset: request.name.to_owned(),
            field: field.clone(),
            message: why,
        })?;
    }
    Ok(())
}

pub(crate) fn hook(request: Request<'_>, hook: &'static str, source: crate::HookError) -> Error {
    Error::Hook {
        asset: request.name.to_owned(),
        hook,
        source,
    }
}
