//! Reading and writing the settings of assets.

use zero_vfs::{Kind, VfsPath};

use super::Workspace;
use super::behaviors::Attached;
use crate::asset::Asset;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::settings::{self, Held, Request, Values};
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

    /// What settings every asset of the type in a folder has. `None` where it declares none, and where each asset declares its
    /// own, in the file that [`AssetType::settings`] names.
    ///
    /// # Errors
    /// [`Error::NoType`] for a folder of no type; as [`Workspace::settings_schema`].
    pub fn type_schema(&self, folder: &VfsPath) -> Result<Option<Schema>> {
        let kind = self.assets.types().at(folder).ok_or_else(|| Error::NoType {
            name: folder.to_string(),
            near: Vec::new(),
        })?;
        self.schema_of(kind, None, None)
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
        let bytes = self.vfs.read_bounded(&file, Schema::MAX_BYTES)?;
        let of_asset = asset.filter(|_| matches!(block.schema, SchemaSource::InstanceFile(_)));
        schema_in(&file, &bytes, block, of_asset, attached).map(Some)
    }

    /// The settings of an asset; `None` where its type declares none. What is stored is brought to its present spelling
    /// and repaired by the type's behaviour; what does not fit is told, and the default stands.
    ///
    /// # Errors
    /// As [`Workspace::settings_schema`]; [`Error::Hook`].
    pub fn settings(&self, path: &VfsPath) -> Result<Option<Settings>> {
        let asset = self.asset(path)?;
        let attached = self.behavior_of(asset);
        let Some((schema, file)) = self.schema_and_file(asset, attached.as_deref())? else {
            return Ok(None);
        };
        let held = Held::read(&self.vfs, file, request(&schema, attached.as_deref(), asset))?;
        Ok(Some(Settings {
            diagnostics: held.told(),
            values: held.values,
        }))
    }

    /// Writes settings of an asset: those in `writes`, and those that follow from them. The file is written whole, or not at
    /// all; in one of YAML, what does not change stays as it is written, in its order and with its comments. Answers what the settings are then, and what is wrong with the file still: what there is no setting for and what
    /// does not fit stays in it, unless it is written over. What the type's behaviour repairs on a read is written repaired.
    ///
    /// # Errors
    /// [`Error::NoSetting`], [`Error::Setting`] for a value that does not fit, [`Error::Corrected`] for one that the type's
    /// rules would have otherwise, [`Error::NoSettings`] for an asset that has none; as [`Workspace::settings`].
    pub fn write_settings(&mut self, path: &VfsPath, writes: &Values) -> Result<Settings> {
        let asset = self.asset(path)?.clone();
        let attached = self.behavior_of(&asset);
        let (schema, file) = self.schema_or_error(&asset, attached.as_deref())?;
        let request = request(&schema, attached.as_deref(), &asset);
        let held = Held::read(&self.vfs, file, request)?;
        let writes = settings::normal(request, writes.clone(), Some(&held.stored))?;
        let values = settings::for_write(request, &held.values, &writes)?;
        self.keep_settings(held, values, &|field| writes.contains_key(field))
    }

    /// Makes settings what they are where nobody says them: the default, or what follows from the others. What the file
    /// holds and there is no setting for is taken away where `fields` names it.
    ///
    /// # Errors
    /// [`Error::NoSetting`] for what is neither a setting nor in the file; as [`Workspace::write_settings`].
    pub fn reset_settings(&mut self, path: &VfsPath, fields: &[&str]) -> Result<Settings> {
        let asset = self.asset(path)?.clone();
        let attached = self.behavior_of(&asset);
        let (schema, file) = self.schema_or_error(&asset, attached.as_deref())?;
        let request = request(&schema, attached.as_deref(), &asset);
        let held = Held::read(&self.vfs, file, request)?;
        let is_there = |field: &str| schema.fields.contains_key(field) || held.stored.contains_key(field);
        if let Some(field) = fields.iter().find(|field| !is_there(field)) {
            return Err(Error::NoSetting {
                asset: asset.name.clone(),
                field: (*field).to_owned(),
                near: zero_vfs::nearest_names(field, schema.fields.keys().map(String::as_str)),
            });
        }
        let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        let values = settings::for_reset(request, &held.values, &fields)?;
        self.keep_settings(held, values, &|field| fields.contains(field))
    }

    /// Writes the file of settings that are `values` now, of which those that are `said` were named.
    fn keep_settings(&mut self, mut held: Held, values: Values, said: &dyn Fn(&String) -> bool) -> Result<Settings> {
        let (file, text) = held.text_with(&values, said)?;
        // What may not outlast a stop of the machine stands all the same, and is taken in before it is told.
        let written = self.vfs.write(&file, text.as_bytes());
        self.assets.apply_own(&self.vfs, [file])?;
        written?;
        Ok(Settings {
            values,
            diagnostics: held.told(),
        })
    }

    fn schema_or_error(&self, asset: &Asset, attached: Option<&Attached>) -> Result<(Schema, VfsPath)> {
        let found = self.schema_and_file(asset, attached)?;
        found.ok_or_else(|| Error::no_settings(&asset.path, &asset.kind, asset.form))
    }

    /// What settings an asset has, and the file that they live in.
    fn schema_and_file(&self, asset: &Asset, attached: Option<&Attached>) -> Result<Option<(Schema, VfsPath)>> {
        // A loose file holds no other, so there is none for settings.
        let of_folder = self.block_of(asset).filter(|_| asset.form == Kind::Folder);
        let Some((kind, block)) = of_folder else {
            return Ok(None);
        };
        let Some(schema) = self.schema_of(kind, Some(asset), attached)? else {
            return Ok(None);
        };
        Ok(Some((schema, asset.path.join(&block.values)?)))
    }

    fn block_of(&self, asset: &Asset) -> Option<(&AssetType, &SettingsBlock)> {
        let kind = self.assets.type_of(asset)?;
        Some((kind, kind.settings.as_ref()?))
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

/// The schema in the bytes of a file. One that is an asset's own is shown to the type's behaviour, which may refuse it.
pub(super) fn schema_in(
    file: &VfsPath,
    bytes: &[u8],
    block: &SettingsBlock,
    of_asset: Option<&Asset>,
    attached: Option<&Attached>,
) -> Result<Schema> {
    let (schema, mut diagnostics) = Schema::parse(file, bytes, block.export.as_deref());
    diagnostics.retain(Diagnostic::is_error);
    let schema = schema.ok_or(Error::Broken { diagnostics })?;
    let shown = of_asset.zip(attached);
    match shown.and_then(|(asset, attached)| attached.behavior.settings_schema_problem(&schema, asset)) {
        None => Ok(schema),
        Some(why) => Err(Error::Broken {
            diagnostics: vec![Diagnostic::error("settings.schema", file, why)],
        }),
    }
}

fn request<'a>(schema: &'a Schema, attached: Option<&'a Attached>, asset: &'a Asset) -> Request<'a> {
    Request {
        schema,
        behavior: attached.map(|attached| &*attached.behavior),
        name: &asset.name,
        options: &Value::Null,
    }
}

pub(super) fn hook_error(asset: &Asset, hook: &'static str, source: crate::HookError) -> Error {
    Error::Hook {
        asset: asset.name.clone(),
        hook,
        source,
    }
}
