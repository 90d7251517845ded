//! Reading and writing the settings of assets.

use zero_vfs::VfsPath;

use super::Workspace;
use super::behaviors::Attached;
use crate::asset::Asset;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::settings::{self, Request, Values};
use crate::types::{AssetType, Schema, SchemaSource, SettingsBlock};
use crate::value::Value;

/// The settings of an asset, and what is wrong with what its file holds.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// A value for every setting that has one.
    pub values: Values,
    /// Stored values that do not fit, which the default stands in for, and settings that there are none of.
    pub diagnostics: Vec<Diagnostic>,
}

impl Workspace {
    /// What settings an asset has; `None` where its type declares none.
    ///
    /// # Errors
    /// [`Error::Broken`] for a schema that does not stand up or that the type's behaviour refuses; [`Error::Vfs`].
    pub fn settings_schema(&self, path: &VfsPath) -> Result<Option<Schema>> {
        let asset = self.asset(path)?;
        let Some(kind) = self.assets.type_of(asset) else {
            return Ok(None);
        };
        let attached = self.behavior_of(asset);
        self.schema_of(kind, Some(asset), attached.as_deref())
    }

    /// The schema of a type, or of an asset that has its own. `None` where there is none, or an asset would have to be
    /// there to have one.
    pub(super) fn schema_of(
        &self,
        kind: &AssetType,
        asset: Option<&Asset>,
        attached: Option<&Attached>,
    ) -> Result<Option<Schema>> {
        let Some(block) = &kind.settings else {
            return Ok(None);
        };
        let file = match (&block.schema, asset) {
            (SchemaSource::Inline(schema), _) => return Ok(Some(schema.clone())),
            (SchemaSource::TypeFile(file), _) => kind.path.join(file)?,
            (SchemaSource::InstanceFile(file), Some(asset)) => asset.path.join(file)?,
            (SchemaSource::InstanceFile(_), None) => return Ok(None),
        };
        let bytes = self.vfs.read(&file)?;
        let (schema, diagnostics) = Schema::parse(&file, &bytes, block.export.as_deref());
        let schema = schema.ok_or(Error::Broken { diagnostics })?;
        let refused = match (&block.schema, asset, attached) {
            (SchemaSource::InstanceFile(_), Some(asset), Some(attached)) => {
                attached.behavior.settings_schema_problem(&schema, asset)
            }
            _ => None,
        };
        match refused {
            None => Ok(Some(schema)),
            Some(why) => Err(Error::Broken {
                diagnostics: vec![Diagnostic::error("settings.schema", &file, why)],
            }),
        }
    }

    /// The settings of an asset; `None` where its type declares none. What is stored is brought to its present spelling
    /// and repaired by the type's behaviour; what does not fit is told, and the default stands.
    ///
    /// # Errors
    /// As [`Workspace::settings_schema`]; [`Error::Hook`].
    pub fn settings(&self, path: &VfsPath) -> Result<Option<Settings>> {
        let asset = self.asset(path)?;
        let Some((kind, block)) = self.block_of(asset) else {
            return Ok(None);
        };
        let attached = self.behavior_of(asset);
        let Some(schema) = self.schema_of(kind, Some(asset), attached.as_deref())? else {
            return Ok(None);
        };
        let file = asset.path.join(&block.values)?;
        let stored = settings::read(&self.vfs, &file)?;
        let (fitting, diagnostics) = fitting(&file, &schema, self.normal(asset, stored.clone(), attached.as_deref())?);
        let said = schema.fields.iter().filter(|(_, setting)| !setting.default.is_null());
        let mut values: Values = said
            .map(|(name, setting)| (name.clone(), setting.default.clone()))
            .collect();
        values.extend(fitting);
        if let Some(attached) = &attached {
            let healed = attached.behavior.settings_healed(values, &stored);
            values = healed.map_err(|source| hook_error(asset, "settingsHealed", source))?;
        }
        Ok(Some(Settings { values, diagnostics }))
    }

    /// Writes settings of an asset: those in `writes`, and those that follow from them. The file is written whole, or not at
    /// all. Answers what the settings are then.
    ///
    /// # Errors
    /// [`Error::NoSetting`], [`Error::Setting`] for a value that does not fit, [`Error::Corrected`] for one that the type's
    /// rules would have otherwise, [`Error::NoSettings`] for an asset that has none; as [`Workspace::settings`].
    pub fn write_settings(&mut self, path: &VfsPath, writes: &Values) -> Result<Values> {
        let asset = self.asset(path)?.clone();
        let no_settings = || Error::NoSettings {
            asset: asset.path.clone(),
            kind: asset.kind.clone(),
        };
        let (kind, block) = self.block_of(&asset).ok_or_else(no_settings)?;
        let attached = self.behavior_of(&asset);
        let schema = self
            .schema_of(kind, Some(&asset), attached.as_deref())?
            .ok_or_else(no_settings)?;
        let file = asset.path.join(&block.values)?;
        let stored = settings::read(&self.vfs, &file)?;
        let (stored, _) = fitting(&file, &schema, self.normal(&asset, stored, attached.as_deref())?);
        let writes = self.normal(&asset, writes.clone(), attached.as_deref())?;
        let request = Request {
            schema: &schema,
            behavior: attached.as_deref().map(|attached| &*attached.behavior),
            name: &asset.name,
            options: &Value::Null,
        };
        let values = settings::for_write(request, &stored, &writes)?;
        self.vfs.write(&file, settings::to_text(&file, &values)?.as_bytes())?;
        self.assets.apply_own(&self.vfs, [file])?;
        Ok(values)
    }

    fn block_of(&self, asset: &Asset) -> Option<(&AssetType, &SettingsBlock)> {
        let kind = self.assets.type_of(asset)?;
        Some((kind, kind.settings.as_ref()?))
    }

    fn normal(&self, asset: &Asset, values: Values, attached: Option<&Attached>) -> Result<Values> {
        match attached {
            None => Ok(values),
            Some(attached) => {
                let normal = attached.behavior.normalize_settings(values);
                normal.map_err(|source| hook_error(asset, "normalizeSettings", source))
            }
        }
    }

    /// What is wrong with the settings of an asset, for [`Workspace::validate`].
    pub(super) fn check_settings(&self, asset: &Asset) -> Vec<Diagnostic> {
        match self.settings(&asset.path) {
            Ok(settings) => settings.map(|settings| settings.diagnostics).unwrap_or_default(),
            Err(Error::Broken { diagnostics }) => diagnostics,
            Err(error) => vec![Diagnostic::of_error("settings.broken", &asset.path, &error)],
        }
    }
}

/// The stored values that fit, and what is told of the rest.
fn fitting(file: &VfsPath, schema: &Schema, stored: Values) -> (Values, Vec<Diagnostic>) {
    let (mut values, mut told) = (Values::new(), Vec::new());
    for (field, value) in stored {
        match schema.fields.get(&field) {
            None => {
                let near = zero_vfs::nearest_names(&field, schema.fields.keys().map(String::as_str));
                let message = format!("there is no setting `{field}`");
                told.push(Diagnostic::warning("settings.unknown", file, message).did_you_mean(&near));
            }
            Some(setting) => match setting.value_type.check(&value) {
                Ok(()) => {
                    values.insert(field, value);
                }
                Err(why) => {
                    let message = format!("`{field}` does not fit: {why}");
                    let told_now =
                        Diagnostic::error("settings.value", file, message).help("the default stands in for it");
                    told.push(told_now);
                }
            },
        }
    }
    (values, told)
}

pub(super) fn hook_error(asset: &Asset, hook: &'static str, source: crate::HookError) -> Error {
    Error::Hook {
        asset: asset.name.clone(),
        hook,
        source,
    }
}
