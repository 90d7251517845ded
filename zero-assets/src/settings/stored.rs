//! [`Held`]: the settings that an asset has, as they are read from its file.

use std::collections::BTreeMap;

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Node, Position};

use super::Values;
use super::layers::{Request, defaults, hook, normal};
use super::values_file::{self, Stored, to_text_over};
use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::value::{Value, equal};

/// The settings that an asset has.
pub(crate) struct Held {
    /// The file that they live in.
    file: VfsPath,
    /// What the file holds, as it stands.
    pub(crate) stored: Values,
    /// A value for every setting that has one.
    pub(crate) values: Values,
    /// What the file holds and is read for nothing, with what is told of it: what there is no setting for, and what does
    /// not fit its setting, for which the default stands in.
    left: BTreeMap<String, (Option<Value>, Diagnostic)>,
    /// The text of the file and its tree, where it is there.
    written: Option<(String, Node)>,
}

impl Held {
    /// Reads them: in their present spelling, over the defaults, repaired by the type's behaviour.
    pub(crate) fn read(vfs: &Vfs, file: VfsPath, request: Request<'_>) -> Result<Self> {
        let Stored {
            values: stored,
            places,
            written,
        } = values_file::read(vfs, &file)?;
        let defaults = defaults(request.schema);
        let (mut values, mut left) = (defaults.clone(), BTreeMap::new());
        for (field, value) in normal(request, stored.clone(), None)? {
            match request
                .schema
                .fields
                .get(&field)
                .map(|setting| setting.value_type.check(&value))
            {
                Some(Err(why)) => {
                    let message = format!("`{field}` does not fit: {why}");
                    let told = Diagnostic::error("settings.value", &file, message);
                    let told = at(told.help("the default stands in for it"), &places, &field);
                    left.insert(field, (Some(value), told));
                }
                // What there is no setting for is shown to the repair, which may take it away.
                Some(Ok(())) | None => drop(values.insert(field, value)),
            }
        }
        if let Some(behavior) = request.behavior {
            let healed = behavior.settings_healed(values, &stored);
            values = healed.map_err(|source| hook(request, "settingsHealed", source))?;
            // A repair that fits no better than what it repairs is none.
            for (field, setting) in &request.schema.fields {
                let Some(Err(why)) = values.get(field).map(|value| setting.value_type.check(value)) else {
                    continue;
                };
                let message = format!("what the type's repair makes of `{field}` does not fit: {why}");
                let told = Diagnostic::error("settings.value", &file, message);
                let told = at(told.help("the default stands in for it"), &places, field);
                left.insert(field.clone(), (stored.get(field).cloned(), told));
                match defaults.get(field) {
                    Some(default) => values.insert(field.clone(), default.clone()),
                    None => values.remove(field),
                };
            }
        }
        // What was repaired is no longer left.
        left.retain(|field, _| is_same(values.get(field), defaults.get(field)));
        let is_known = |field: &String| request.schema.fields.contains_key(field);
        let (values, unknown): (Values, Values) = values.into_iter().partition(|(field, _)| is_known(field));
        for (field, value) in unknown {
            let near = zero_vfs::nearest_names(&field, request.schema.fields.keys().map(String::as_str));
            let message = format!("there is no setting `{field}`");
            let told = Diagnostic::warning("settings.unknown", &file, message).did_you_mean(&near);
            let told = at(told, &places, &field);
            left.insert(field, (Some(value), told));
        }
        Ok(Self {
            file,
            stored,
            values,
            left,
            written,
        })
    }

    /// What is wrong with what the file holds, by setting.
    pub(crate) fn told(&self) -> Vec<Diagnostic> {
        self.left.values().map(|(_, told)| told.clone()).collect()
    }

    /// The text of the file once the settings are `values`, of which those that `is_written` tells of were named. What is
    /// left stays as it stands, unless it was named, or something else follows for it.
    pub(crate) fn text_with(
        &mut self,
        values: &Values,
        is_written: &dyn Fn(&String) -> bool,
    ) -> Result<(VfsPath, String)> {
        let old = &self.values;
        self.left
            .retain(|field, _| !is_written(field) && is_same(old.get(field), values.get(field)));
        let mut all = values.clone();
        all.extend(
            self.left
                .iter()
                .filter_map(|(field, (value, _))| Some((field.clone(), value.clone()?))),
        );
        Ok((
            self.file.clone(),
            to_text_over(&self.file, &all, self.written.as_ref())?,
        ))
    }
}

fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => equal(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// What is told of a value, at its place where it stands under its present name.
fn at(told: Diagnostic, places: &BTreeMap<String, Position>, field: &str) -> Diagnostic {
    Diagnostic {
        at: places.get(field).copied(),
        ..told
    }
}
