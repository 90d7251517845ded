//! [`Workspace::create`]: a new asset, from its type's template and behaviour.

use std::collections::BTreeMap;

use zero_vfs::{Kind, Vfs, VfsPath, WriteOptions};

use super::Workspace;
use super::behaviors::Attached;
use super::settings::{hook_error, schema_in};
use crate::asset::Asset;
use crate::behavior::{Creation, Files};
use crate::deps::Trust;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::refs::{REFS_FILE, Refs};
use crate::resolve::Query;
use crate::root::Root;
use crate::settings::preset::Preset;
use crate::settings::{self, Request, SettingsLayers, Values};
use crate::types::{AssetType, Schema, SchemaSource, TEMPLATE};
use crate::value::Value;

/// What stands in the texts of a template for the name of the asset.
const NAME_MARK: &str = "{{name}}";

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
    /// It replaces the asset, which keeps its guid and what it holds of other assets. Each file is whole at every moment, and
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
struct Plan {
    kind: AssetType,
    folder: VfsPath,
    path: VfsPath,
    options: Value,
    settings: Option<Values>,
}

impl Workspace {
    /// Makes an asset: the type's template with `{{name}}` filled in, what the type's behaviour lays over it, the resolved
    /// settings, and a `.refs` with a new guid, the link to the type and the assets it names. It is there whole or not
    /// at all, and is found and registered when this returns.
    ///
    /// # Errors
    /// [`Error::NoType`], [`Error::Name`], [`Error::NotAContainer`], [`Error::Exists`], [`Error::Options`], those of settings
    /// ([`Error::NoSetting`], [`Error::Setting`], [`Error::Corrected`]) and of a preset ([`Error::NoAsset`],
    /// [`Error::Preset`]), [`Error::Broken`] for a preset or an own schema that does not stand up, [`Error::Hook`] and
    /// [`Error::Vfs`].
    pub fn create(&mut self, new: &Create) -> Result<Created> {
        let (mut plan, attached) = self.plan(new)?;
        let creation = Creation {
            name: &new.name,
            path: &plan.path,
            options: &plan.options,
            settings: &plan.settings.clone().unwrap_or_default(),
        };
        let mut files = template(&self.vfs, &plan.kind, &new.name)?;
        if let Some(attached) = &attached {
            let made = attached.behavior.on_create(&creation);
            let mut made = made.map_err(|source| hook(new, "onCreate", source))?;
            if let Some(bytes) = made.remove("") {
                return self.create_file(new, &plan, bytes);
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
        let guid = match (self.assets.at(&plan.path).cloned(), self.vfs.stat(&plan.path)?) {
            (None, None) => self.place(&plan, files)?,
            (Some(old), _) if new.over == Over::Replace && old.form == Kind::Folder => {
                self.replace(&old, files, attached.as_deref())?
            }
            _ => return Err(Error::Exists { path: plan.path }),
        };
        self.finish(&plan.path, guid)
    }

    /// Looks at all that can be wrong with a creation before anything is written.
    fn plan(&self, new: &Create) -> Result<(Plan, Option<std::sync::Arc<Attached>>)> {
        let folder = self.folder_for(new)?;
        let kind = self.assets.types().get_in(&Root::of(&folder), &new.kind)?.clone();
        let attached = self.behaviors.of_type(&kind.path);
        let accepts = match &attached {
            Some(attached) => attached.behavior.accepts_name(&new.name),
            None => crate::assets::is_plain_name(&new.name),
        };
        if !accepts {
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
        let folder = match &new.folder {
            None => base,
            Some(folder) => base.join(folder)?,
        };
        let holders = folder.ancestors().filter_map(|path| self.assets.at(&path).cloned());
        for holder in holders {
            if self.assets.type_of(&holder).is_some_and(|kind| kind.is_opaque_walker) {
                return Err(Error::NotAContainer {
                    path: holder.path,
                    kind: holder.kind,
                });
            }
        }
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

    /// Writes a new asset, whole.
    fn place(&mut self, plan: &Plan, mut files: Files) -> Result<Guid> {
        let guid = Guid::random();
        let refs = self.refs_for(&self.future(plan, Some(guid)), &files);
        files.insert(REFS_FILE.to_owned(), refs.to_text()?.into_bytes());
        self.vfs
            .write_tree(&plan.path, tree(files)?, &WriteOptions::default())?;
        Ok(guid)
    }

    /// What a new asset's `.refs` holds, by what its files name.
    fn refs_for(&self, asset: &Asset, files: &Files) -> Refs {
        let placed = files.iter();
        let placed = placed.filter_map(|(inner, bytes)| Some((asset.path.join(inner).ok()?, bytes.as_slice())));
        let deps = self.assets.deps_of(&self.vfs, asset, &placed.collect::<Vec<_>>());
        self.assets.recorded(asset, &deps, Trust::Pins)
    }

    /// A new asset as the index will have it.
    fn future(&self, plan: &Plan, guid: Option<Guid>) -> Asset {
        let name = plan.path.name().unwrap_or_default();
        let name = name.strip_suffix(&plan.kind.suffix).unwrap_or(name);
        Asset {
            path: plan.path.clone(),
            form: Kind::Folder,
            name: name.to_owned(),
            kind: plan.kind.name.clone(),
            type_path: plan.kind.path.clone(),
            guid,
            library: Root::of(&plan.path).library().map(str::to_owned),
            identity: crate::assets::join(&self.assets.prefix_of(&plan.folder), name),
            aliases: Vec::new(),
        }
    }

    /// Makes an asset that is one loose file, beside its sidecar.
    fn create_file(&mut self, new: &Create, plan: &Plan, bytes: Vec<u8>) -> Result<Created> {
        let Some(extension) = plan.kind.classify_exts.first() else {
            let source = format!(
                "`{}` claims no extension, so a loose file is none of its assets",
                plan.kind.name
            );
            return Err(hook(new, "onCreate", source.into()));
        };
        let path = plan.folder.join(&format!("{}.{extension}", new.name))?;
        if self.vfs.stat(&path)?.is_some() {
            return Err(Error::Exists { path });
        }
        let guid = Guid::random();
        let asset = Asset {
            path: path.clone(),
            form: Kind::File,
            ..self.future(plan, Some(guid))
        };
        let place = Refs::place(&path, Kind::File)?;
        let mut refs = Refs {
            guid: Some(guid),
            ..Refs::default()
        };
        self.assets.pin_type(&asset, &mut refs);
        // The sidecar first: without its file it is nothing, and the file is never there without it.
        self.vfs.write(&place, refs.to_text()?.as_bytes())?;
        if let Err(error) = self.vfs.write(&path, &bytes) {
            self.vfs.remove(&place)?;
            return Err(error.into());
        }
        self.assets.apply_own(&self.vfs, [place])?;
        self.finish(&path, guid)
    }

    /// Writes `files` over an asset. It keeps its guid, and the assets in it stay.
    fn replace(&mut self, old: &Asset, files: Files, attached: Option<&Attached>) -> Result<Guid> {
        let mut files = match attached {
            None => files,
            Some(attached) => {
                let files = attached.behavior.on_replace(&self.context(old, attached), files);
                files.map_err(|source| hook_error(old, "onReplace", source))?
            }
        };
        let guid = old.guid.unwrap_or_else(Guid::random);
        let asset = Asset {
            guid: Some(guid),
            ..old.clone()
        };
        let refs = self.refs_for(&asset, &files);
        files.insert(REFS_FILE.to_owned(), refs.to_text()?.into_bytes());
        self.write_over(old, files)?;
        Ok(guid)
    }

    /// Takes a new asset into the index and calls up its arrival.
    fn finish(&mut self, path: &VfsPath, guid: Guid) -> Result<Created> {
        let changes = self.assets.apply_own(&self.vfs, [path.clone()])?;
        if changes.types_changed {
            self.types_changed();
        }
        self.arrive(path);
        self.watch([path.clone()]);
        self.unsettled.insert(path.clone());
        // It takes effect the moment it is there; what waits for other assets waits for the next update.
        let (_, mut diagnostics) = self.run_jobs_of(|other| other == path);
        diagnostics.extend(self.validate(path)?);
        Ok(Created {
            path: path.clone(),
            identity: self.asset(path)?.full_identity(),
            guid,
            diagnostics,
        })
    }
}

/// Files as the file system takes a tree of them.
fn tree(files: Files) -> Result<Vec<(VfsPath, Vec<u8>)>> {
    let entries = files.into_iter();
    entries
        .map(|(inner, bytes)| Ok((VfsPath::parse(&format!("/{inner}"))?, bytes)))
        .collect()
}

/// The files of a type's template, with the name filled into those that are text.
fn template(vfs: &Vfs, kind: &AssetType, name: &str) -> Result<Files> {
    let folder = kind.path.join(TEMPLATE)?;
    if vfs.stat(&folder)?.is_none() {
        return Ok(Files::new());
    }
    let mut files = Files::new();
    for file in vfs.walk(&folder)?.files {
        let bytes = vfs.read(&file)?;
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => text.replace(NAME_MARK, name).into_bytes(),
            Err(error) => error.into_bytes(),
        };
        if let Some(inner) = file.relative_to(&folder) {
            files.insert(inner.as_str()[1..].to_owned(), bytes);
        }
    }
    Ok(files)
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

fn hook(new: &Create, hook: &'static str, source: crate::HookError) -> Error {
    Error::Hook {
        asset: new.name.clone(),
        hook,
        source,
    }
}
