//! [`Workspace::create`]: a new asset, from its type's template and behaviour.

use std::collections::BTreeMap;

use zero_vfs::{Kind, VfsPath};

use super::Workspace;
use super::behaviors::Attached;
use super::settings::schema_in;
use crate::behavior::{Creation, Files};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::resolve::Query;
use crate::root::Root;
use crate::settings::preset::Preset;
use crate::settings::{self, Request, SettingsLayers, Values};
use crate::types::{AssetType, Schema, SchemaSource};
use crate::value::Value;

/// An asset to make.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Create {
    /// The type: its name, or `@lib::name`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The folder below the world's source, with `/` between its parts; the source itself where none is named.
    pub folder: Option<String>,
    /// The asset that it is made in, which must be a container.
    pub into: Option<VfsPath>,
    /// What the type takes.
    pub options: BTreeMap<String, Value>,
    /// A preset of the type's settings: its name, as it is said from where the asset will be, its guid or its path. Its values
    /// are laid under those of [`SettingsLayers::preset`].
    pub preset: Option<String>,
    /// Settings, by layer.
    pub settings: SettingsLayers,
    /// What is done where an asset is already.
    pub over: Over,
}

/// What a creation does where an asset stands already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Over {
    /// It is refused.
    #[default]
    Refuse,
    /// It replaces the asset, which keeps its guid and what it holds of other assets. Its own files are those that the new one
    /// has: what an author added stays where the type's behaviour carries it along ([`crate::Behavior::on_replace`]). Each file is whole at every moment, and
    /// a failure puts back what was there; a program that is killed midway leaves some files new and some old.
    Replace,
}

impl Create {
    /// An asset of a type, by its name, in the world's source.
    #[must_use]
    pub fn new(kind: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            name: name.into(),
            ..Self::default()
        }
    }

    /// The same in a folder below the world's source, or below the asset that it is made in.
    #[must_use]
    pub fn folder(self, folder: impl Into<String>) -> Self {
        Self {
            folder: Some(folder.into()),
            ..self
        }
    }

    /// The same in an asset.
    #[must_use]
    pub fn into(self, container: &VfsPath) -> Self {
        Self {
            into: Some(container.clone()),
            ..self
        }
    }

    /// The same with an option of the type's.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.options.insert(name.into(), value.into());
        self
    }

    /// The same with a setting that the caller asks for.
    #[must_use]
    pub fn setting(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.settings.caller.insert(name.into(), value.into());
        self
    }

    /// The same with the settings of a preset, which stand above what the type gives.
    #[must_use]
    pub fn preset(self, preset: impl Into<String>) -> Self {
        Self {
            preset: Some(preset.into()),
            ..self
        }
    }

    /// The same, replacing an asset that stands there.
    #[must_use]
    pub fn replacing(self) -> Self {
        Self {
            over: Over::Replace,
            ..self
        }
    }
}

/// An asset that was made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Created {
    /// Where it is.
    pub path: VfsPath,
    /// Its identity, as it is written from anywhere.
    pub identity: String,
    /// Which asset it is.
    pub guid: Guid,
    /// What is still to be done about it, such as texts to write; and what failed as its arrival was told.
    pub diagnostics: Vec<Diagnostic>,
}

/// The parts of a creation that are known before its files are.
pub(super) struct Plan {
    pub(super) kind: AssetType,
    pub(super) folder: VfsPath,
    pub(super) path: VfsPath,
    options: Value,
    settings: Option<Values>,
}

impl Workspace {
    /// Makes an asset: the type's template with `{{name}}` filled in, what the type's behaviour lays over it, the resolved
    /// settings, and a `.refs` with a new guid, the link to the type and the assets it names. It is there whole or not
    /// at all, and is found and registered when this returns.
    ///
    /// # Errors
    /// [`Error::NoType`], [`Error::Name`], [`Error::NotAContainer`], [`Error::NoPlace`] for a folder in which no assets are
    /// looked for, [`Error::Exists`], [`Error::Options`], those of settings ([`Error::NoSetting`], [`Error::Setting`],
    /// [`Error::Corrected`]) and of a preset ([`Error::NoAsset`], [`Error::Preset`]), [`Error::Broken`] for a preset or an own
    /// schema that does not stand up, for an asset that is a loose file [`Error::NotClaimed`] where it would be none of the
    /// type's and [`Error::NoSettings`] where settings are asked for, [`Error::Hook`] and [`Error::Vfs`]; where another asset is replaced, [`Error::Broken`]
    /// for one whose `.refs` cannot be read, and [`Error::NotUndone`].
    pub fn create(&mut self, new: &Create) -> Result<Created> {
        let (mut plan, attached) = self.plan(new)?;
        let creation = Creation {
            name: &new.name,
            path: &plan.path,
            options: &plan.options,
            settings: &plan.settings.clone().unwrap_or_default(),
        };
        let mut files = self.template(&plan.kind, &new.name)?;
        if let Some(attached) = &attached {
            let made = attached.behavior.on_create(&creation);
            let mut made = made.map_err(|source| hook(new, "onCreate", source))?;
            if let Some(bytes) = made.remove("") {
                return self.create_file(new, &plan, bytes, attached);
            }
            files.extend(made);
        }
        if let Some(file) = own_schema(&plan.kind) {
            let schema = self.schema_made(&plan, file, &files, attached.as_deref())?;
            plan.settings = self.settings_for(new, &plan, schema, attached.as_deref())?;
        }
        if let (Some(block), Some(values)) = (&plan.kind.settings, &plan.settings) {
            let file = plan.path.join(&block.values)?;
            files.insert(block.values.clone(), settings::to_text(&file, values)?.into_bytes());
        }
        let placed = match (self.assets.at(&plan.path).cloned(), self.vfs.stat(&plan.path)?) {
            (None, None) => self.place(&plan, files),
            (Some(old), _) if new.over == Over::Replace && old.form == Kind::Folder => {
                self.replace(&old, files, attached.as_deref())
            }
            _ => return Err(Error::Exists { path: plan.path }),
        };
        self.finish(&plan.path, placed, [])
    }

    /// Looks at all that can be wrong with a creation before anything is written.
    fn plan(&self, new: &Create) -> Result<(Plan, Option<std::sync::Arc<Attached>>)> {
        let folder = self.folder_for(new)?;
        let kind = self.assets.types().get_in(&Root::of(&folder), &new.kind)?.clone();
        let attached = self.behaviors.of_type(&kind.path);
        if !self.accepts_name(&kind.path, &new.name) {
            return Err(Error::Name {
                name: new.name.clone(),
                kind: kind.name,
            });
        }
        let path = folder.join(&format!("{}{}", new.name, kind.suffix))?;
        let options = Value::Object(new.options.clone().into_iter().collect());
        let mut plan = Plan {
            kind,
            folder,
            path,
            options,
            settings: None,
        };
        match own_schema(&plan.kind) {
            // Which settings there are is known once its files are made; until then an option may be one of them.
            Some(_) => check_options(new, attached.as_deref(), &new.options, Unknown::MayBeSettings)?,
            None => {
                let schema = self.schema_of(&plan.kind, None, attached.as_deref())?;
                plan.settings = self.settings_for(new, &plan, schema, attached.as_deref())?;
            }
        }
        Ok((plan, attached))
    }

    /// The schema that a new asset has of its own, in the files that were made for it.
    fn schema_made(
        &self,
        plan: &Plan,
        inner: &str,
        files: &Files,
        attached: Option<&Attached>,
    ) -> Result<Option<Schema>> {
        let (Some(block), Some(bytes)) = (&plan.kind.settings, files.get(inner)) else {
            return Ok(None);
        };
        let file = plan.path.join(inner)?;
        schema_in(&file, bytes, block, Some(&self.future(plan, None)), attached).map(Some)
    }

    /// The settings of the preset that a creation names.
    fn preset_for(&self, new: &Create, plan: &Plan) -> Result<Values> {
        let Some(name) = &new.preset else {
            return Ok(Values::new());
        };
        let query = Query::new(name).category("preset").from(&plan.path);
        let asset = self.assets.resolve(&query)?;
        let preset = Preset::load(&self.vfs, asset)?;
        let kind = self.assets.types().get_in(&asset.root(), &preset.kind)?;
        if kind.path != plan.kind.path {
            return Err(Error::Preset {
                preset: asset.path.clone(),
                its: preset.kind,
                made: plan.kind.name.clone(),
            });
        }
        Ok(preset.settings())
    }

    /// The folder that a new asset goes to. It is one in which assets are looked for.
    fn folder_for(&self, new: &Create) -> Result<VfsPath> {
        let base = match &new.into {
            None => Root::World.folder()?,
            Some(container) => {
                let asset = self.asset(container)?;
                let is_container = self.assets.type_of(asset).is_some_and(|kind| kind.is_container);
                if !is_container {
                    return Err(Error::NotAContainer {
                        path: container.clone(),
                        kind: asset.kind.clone(),
                    });
                }
                asset.path.clone()
            }
        };
        let folder = match new.folder.as_deref() {
            None | Some("") => base,
            Some(folder) => base.join(folder)?,
        };
        self.check_folder(&folder)?;
        Ok(folder)
    }

    /// The settings of a new asset, put together; `None` where it has none.
    fn settings_for(
        &self,
        new: &Create,
        plan: &Plan,
        schema: Option<Schema>,
        attached: Option<&Attached>,
    ) -> Result<Option<Values>> {
        let behavior = attached.map(|attached| &*attached.behavior);
        let inputs = behavior.map(|behavior| behavior.creation_inputs()).unwrap_or_default();
        let mut layers = new.settings.clone();
        layers.preset = self.preset_for(new, plan)?;
        layers.preset.extend(new.settings.preset.clone());
        let mut own_options = new.options.clone();
        if let Some(schema) = &schema {
            // An option that is called as a setting is, is one, unless the type says that it is an input.
            for (name, value) in &new.options {
                if schema.fields.contains_key(name) && !inputs.contains(&name.as_str()) {
                    layers.caller.entry(name.clone()).or_insert_with(|| value.clone());
                    own_options.remove(name);
                }
            }
        }
        check_options(new, attached, &own_options, Unknown::Refused)?;
        let Some(schema) = schema else {
            let asked = [&layers.preset, &layers.importer, &layers.caller];
            return match asked.into_iter().find_map(|layer| layer.keys().next()) {
                None => Ok(None),
                Some(field) => Err(Error::NoSetting {
                    asset: new.name.clone(),
                    field: field.clone(),
                    near: Vec::new(),
                }),
            };
        };
        let none = Values::new();
        let creation = Creation {
            name: &new.name,
            path: &plan.path,
            options: &plan.options,
            settings: &none,
        };
        let request = Request {
            schema: &schema,
            behavior,
            name: &new.name,
            options: &plan.options,
        };
        settings::for_creation(request, &creation, &layers).map(Some)
    }
}

/// The file of an asset that declares its settings, for a type whose assets each declare their own.
fn own_schema(kind: &AssetType) -> Option<&str> {
    match &kind.settings.as_ref()?.schema {
        SchemaSource::InstanceFile(file) => Some(file),
        _ => None,
    }
}

/// What becomes of options that a type does not take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknown {
    Refused,
    MayBeSettings,
}

fn check_options(
    new: &Create,
    attached: Option<&Attached>,
    options: &BTreeMap<String, Value>,
    unknown: Unknown,
) -> Result<()> {
    let Some(taken) = attached.and_then(|attached| attached.behavior.create_options()) else {
        return Ok(());
    };
    let bad = |option: &str, message: String| Error::Options {
        kind: new.kind.clone(),
        option: option.to_owned(),
        message,
    };
    for (name, value) in options {
        match taken.fields.get(name) {
            Some(field) => field.value_type.check(value).map_err(|why| bad(name, why))?,
            None if unknown == Unknown::MayBeSettings => {}
            None => {
                let near = zero_vfs::nearest_names(name, taken.fields.keys().map(String::as_str));
                let hint = near
                    .first()
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                return Err(bad(name, format!("there is no such option{hint}")));
            }
        }
    }
    Ok(())
}

pub(super) fn hook(new: &Create, hook: &'static str, source: crate::HookError) -> Error {
    Error::Hook {
        asset: new.name.clone(),
        hook,
        source,
    }
}
