//! [`Behavior`]: the code of a type, as a trait of hooks that the workspace calls.

use std::collections::BTreeMap;

use zero_vfs::{Origin, Vfs, VfsPath};
use zero_yaml::Position;

use crate::asset::Asset;
use crate::assets::{Assets, is_plain_name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::error::Result;
use crate::events::{EventSchema, Events};
use crate::scene::Instantiable;
use crate::settings::Values;
use crate::types::Schema;
use crate::value::Value;

/// What a hook fails with: any error, whose text is told.
pub type HookError = Box<dyn std::error::Error + Send + Sync>;
/// The result of a hook.
pub type HookResult<T> = std::result::Result<T, HookError>;
/// The files of an asset: paths below it and their bytes. In what [`Behavior::on_create`] returns, the path `""`
/// alone makes the asset one loose file.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The code of a type. Every hook is optional: one that a type leaves out costs nothing.
///
/// It is attached by the type's identity ([`crate::Workspace::attach`]) to a type that is a folder. Hooks are called
/// one after the other, never one inside another: what a hook writes reaches the workspace as a change like any
/// other, with the next update. So a hook that writes into its own asset must come to rest by itself.
pub trait Behavior: Send + Sync {
    /// Whether an asset may have this name. A letter, then letters, digits or `_`, unless a type says otherwise.
    fn accepts_name(&self, name: &str) -> bool {
        is_plain_name(name)
    }

    /// The options that a creation takes; `None` takes any.
    fn create_options(&self) -> Option<Schema> {
        None
    }

    /// Options of a creation that are inputs to the type, though a setting has their name.
    fn creation_inputs(&self) -> &[&str] {
        &[]
    }

    /// The files of a new asset, laid over the type's `template/`.
    ///
    /// # Errors
    /// Any: the asset is not made.
    fn on_create(&self, _new: &Creation<'_>) -> HookResult<Files> {
        Ok(Files::new())
    }

    /// The files to write over the asset that is there, for those that `on_create` made: what an author added may be
    /// carried along.
    ///
    /// # Errors
    /// Any: the asset stays as it is.
    fn on_replace(&self, _old: &HookContext<'_>, files: Files) -> HookResult<Files> {
        Ok(files)
    }

    /// An asset is here: when the world is opened, when it is made, when it arrives later. Once, until it leaves.
    ///
    /// # Errors
    /// Any: it is told, and the asset stays.
    fn on_register(&self, _asset: &HookContext<'_>) -> HookResult<()> {
        Ok(())
    }

    /// A file inside an asset was written or removed. Those of one asset come in their order, each after the one before
    /// is done.
    ///
    /// # Errors
    /// Any: it is told.
    fn on_change(&self, _asset: &HookContext<'_>, _change: &AssetChange) -> HookResult<Step> {
        Ok(Step::Done)
    }

    /// Whether [`Behavior::on_dependency_change`] is to be called. The files of each asset are read for what they name, and
    /// read again when they change; one that does not ask for it is spared that.
    fn follows_names(&self) -> bool {
        true
    }

    /// Something that an asset names changed, or a name that it carries began to be answered.
    ///
    /// # Errors
    /// Any: it is told.
    fn on_dependency_change(&self, _asset: &HookContext<'_>, _change: &DependencyChange) -> HookResult<Step> {
        Ok(Step::Done)
    }

    /// An asset left: it was removed, moved away or renamed, or its world is closed. Its files are gone by then.
    ///
    /// # Errors
    /// Any: it is told.
    fn on_delete(&self, _asset: &HookContext<'_>) -> HookResult<Step> {
        Ok(Step::Done)
    }

    /// The type's own rules, after those of its `type.yaml`.
    ///
    /// # Errors
    /// Any: it is told as `validate.hook_failed`.
    fn validate(&self, _asset: &HookContext<'_>) -> HookResult<Vec<Problem>> {
        Ok(Vec::new())
    }

    /// Settings of a new asset that the schema's defaults do not give. `asked` is what the layers above name.
    ///
    /// # Errors
    /// Any: the asset is not made.
    fn settings_defaults(&self, _new: &Creation<'_>, _asked: &Values) -> HookResult<Values> {
        Ok(Values::new())
    }

    /// What must be otherwise in settings that are put together. A correction of a field that the writer named refuses
    /// the write.
    ///
    /// # Errors
    /// Any: nothing is written.
    fn settings_corrections(&self, _values: &Values, _name: &str, _options: &Value) -> HookResult<Vec<Correction>> {
        Ok(Vec::new())
    }

    /// On a write: values of fields that follow others, for fields that are not `explicit`. `changed` names the fields
    /// that the write changes.
    ///
    /// A field is explicit where the write names it, and where its value is neither the default nor what this answers for
    /// the values before the write, with every field `changed`. So it is asked twice, and depends on its arguments alone.
    ///
    /// # Errors
    /// Any: nothing is written.
    fn settings_derived(&self, _values: &Values, _explicit: &[String], _changed: &[String]) -> HookResult<Values> {
        Ok(Values::new())
    }

    /// On every read and write, those of each layer of a new asset among them: an earlier spelling of a field mapped to the
    /// present one. `stored` is what the asset's file holds, where `values` are written over it.
    ///
    /// # Errors
    /// Any: the values cannot be read.
    fn normalize_settings(&self, values: Values, _stored: Option<&Values>) -> HookResult<Values> {
        Ok(values)
    }

    /// On a read: stored values repaired. `values` are the settings over their defaults and whatever else the file holds;
    /// `stored` is the file as it stands. What comes back is written with the next write: a key that there is no setting for
    /// stays in the file unless it is taken out of `values` here, so one that a repair is made by is best taken out.
    ///
    /// # Errors
    /// Any: the values cannot be read.
    fn settings_healed(&self, values: Values, _stored: &Values) -> HookResult<Values> {
        Ok(values)
    }

    /// When the schema that an asset has of its own is read: why it is refused.
    fn settings_schema_problem(&self, _schema: &Schema, _asset: &Asset) -> Option<String> {
        None
    }

    /// How an asset becomes part of a scene. Saying it is the whole of making a type one that can.
    fn instantiable(&self) -> Option<&dyn Instantiable> {
        None
    }

    /// What [`crate::Workspace::inspect`] reports beyond what every asset has; from the asset's own files alone.
    ///
    /// # Errors
    /// Any: the report has no detail, and the error as its warning.
    fn inspect(&self, _asset: &HookContext<'_>) -> HookResult<Option<Value>> {
        Ok(None)
    }

    /// The asset's picture as bytes of a PNG, where the type makes it itself; it wins over the recipe in `type.yaml`.
    ///
    /// # Errors
    /// Any: it is handed on.
    fn preview(&self, _asset: &HookContext<'_>, _options: &Value) -> HookResult<Option<Vec<u8>>> {
        Ok(None)
    }

    /// The name of the material that a picture of kind `surface` paints.
    ///
    /// # Errors
    /// Any: it is handed on.
    fn preview_material(&self, _asset: &HookContext<'_>) -> HookResult<Option<String>> {
        Ok(None)
    }

    /// The files that hold what was edited in memory; `None` where nothing was.
    ///
    /// # Errors
    /// Any: nothing is written.
    fn save_definition(&self, _asset: &HookContext<'_>) -> HookResult<Option<Files>> {
        Ok(None)
    }

    /// What the asset's source declares, read and never run, and the parts that cannot be read.
    ///
    /// # Errors
    /// Any: it is told as `interface.unreadable`.
    fn interface(&self, _asset: &HookContext<'_>) -> HookResult<Interface> {
        Ok(Interface::default())
    }

    /// The bytes of the file that `derive:` of the type names, computed from the asset.
    ///
    /// # Errors
    /// Any: it is handed on.
    fn derive(&self, _asset: &HookContext<'_>) -> HookResult<Option<Vec<u8>>> {
        Ok(None)
    }

    /// What the file that `derive:` names is made of, as a text that differs where that does. `None` takes the names and
    /// contents of the asset's files, as far as `derive:` names them.
    ///
    /// # Errors
    /// Any: it is handed on.
    fn derive_fingerprint(&self, _asset: &HookContext<'_>) -> HookResult<Option<String>> {
        Ok(None)
    }

    /// The names of the functions that assets of the type have of their own.
    fn methods(&self) -> &[&str] {
        &[]
    }

    /// Calls one of [`Behavior::methods`].
    ///
    /// # Errors
    /// Any: it is handed on.
    fn call(&self, _asset: &HookContext<'_>, method: &str, _arguments: &[Value]) -> HookResult<Value> {
        Err(format!("the method `{method}` is declared and does nothing").into())
    }

    /// The names of modules that assets of the type reach, and what each names as the type's own files say it.
    fn modules(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// The events that an asset of the type fires.
    fn events(&self) -> Vec<EventSchema> {
        Vec::new()
    }

    /// The result types of methods for one asset, by method. The asset is read, never run.
    ///
    /// # Errors
    /// Any: it is told, and the methods keep their declared result.
    fn ref_shapes(&self, _asset: &HookContext<'_>) -> HookResult<BTreeMap<String, RefShape>> {
        Ok(BTreeMap::new())
    }
}

/// What a hook is given: the asset that it is about, and the world around it.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct HookContext<'a> {
    /// The files.
    pub vfs: &'a Vfs,
    /// All assets, as they were when the hook was called.
    pub assets: &'a Assets,
    /// The asset.
    pub asset: &'a Asset,
    pub(crate) events: &'a Events,
    pub(crate) declared: &'a [EventSchema],
}

impl std::fmt::Debug for HookContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HookContext").field("asset", &self.asset.path).finish()
    }
}

impl HookContext<'_> {
    /// The bytes of one of the asset's files.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`].
    pub fn read(&self, inner: &str) -> Result<Vec<u8>> {
        Ok(self.vfs.read(&self.asset.path.join(inner)?)?)
    }

    /// Writes one of the asset's files. The change comes round with a later update.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`].
    pub fn write(&self, inner: &str, bytes: &[u8]) -> Result<()> {
        Ok(self.vfs.write(&self.asset.path.join(inner)?, bytes)?)
    }

    /// Fires an event of the asset to all who subscribed to it.
    ///
    /// # Errors
    /// [`crate::Error::Event`] for an event that the type does not declare, a payload that does not fit, or an asset
    /// without a guid.
    pub fn fire(&self, event: &str, payload: Value) -> Result<()> {
        self.events.fire(self.asset, self.declared, event, payload)
    }
}

/// An asset that is being made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Creation<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it will be.
    pub path: &'a VfsPath,
    /// The caller's options, which fit [`Behavior::create_options`].
    pub options: &'a Value,
    /// Its settings, put together; empty while they are, and where each asset of the type declares its own: those are known
    /// once its files are made.
    pub settings: &'a Values,
}

/// Whether a hook is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is done with what it was called for.
    Done,
    /// It waits for something: it is called again for the same with the next update, and what came after waits too.
    Wait,
}

/// A write to a file inside an asset.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AssetChange {
    /// The file.
    pub path: VfsPath,
    /// The asset.
    pub asset: VfsPath,
    /// The name of its type.
    pub kind_of_asset: String,
    /// What happened.
    pub kind: AssetChangeKind,
    /// Where it was made.
    pub origin: Origin,
    /// The settings, where the file is that of their values.
    pub settings: Option<Values>,
    /// The settings that are others than before, sorted.
    pub settings_changed: Vec<String>,
}

/// What happened to a file of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AssetChangeKind {
    /// Someone wrote it.
    Edited,
    /// It came with something as a whole.
    Seeded,
    /// It is gone.
    Removed,
}

/// Something that an asset names changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DependencyChange {
    /// The asset that is named.
    pub dependency: VfsPath,
    /// The name that began to be answered; `None` where what it names changed.
    pub resolved: Option<String>,
}

/// What a type's own rules find wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// What kind of thing it is: `terrain.gradient`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// How bad it is.
    pub severity: Severity,
    /// The file below the asset; the asset itself where none is named.
    pub path: Option<String>,
    /// Line and column in the file, if it is a text.
    pub at: Option<Position>,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

impl Problem {
    /// An error in the asset itself.
    #[must_use]
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            severity: Severity::Error,
            path: None,
            at: None,
            help: None,
        }
    }

    /// The same, as a warning.
    #[must_use]
    pub fn warning(self) -> Self {
        Self {
            severity: Severity::Warning,
            ..self
        }
    }

    /// The same, in a file below the asset.
    #[must_use]
    pub fn in_file(self, path: impl Into<String>) -> Self {
        Self {
            path: Some(path.into()),
            ..self
        }
    }

    /// The same, at a place in the file.
    #[must_use]
    pub fn at(self, at: Position) -> Self {
        Self { at: Some(at), ..self }
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// As it is told of the asset in `folder`. A path that leads nowhere is told of the asset.
    pub(crate) fn told_of(self, folder: &VfsPath) -> Diagnostic {
        let file = self.path.as_deref().and_then(|inner| folder.join(inner).ok());
        Diagnostic {
            severity: self.severity,
            at: self.at,
            help: self.help,
            ..Diagnostic::error(self.code, file.as_ref().unwrap_or(folder), self.message)
        }
    }

    /// What is told of a file of the asset in `folder`, as a rule of its type.
    pub(crate) fn of(told: Diagnostic, folder: &VfsPath) -> Self {
        let inner = told.path.relative_to(folder).filter(|inner| !inner.is_root());
        Self {
            code: told.code.into_owned(),
            message: told.message,
            severity: told.severity,
            path: inner.map(|inner| inner.as_str()[1..].to_owned()),
            at: told.at,
            help: told.help,
        }
    }
}

/// A setting that must have another value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Correction {
    /// The setting.
    pub field: String,
    /// The value that it must have.
    pub value: Value,
    /// Why, for a writer who asked for another.
    pub reason: String,
}

impl Correction {
    /// One of a field, with the value it must have and the reason.
    #[must_use]
    pub fn new(field: impl Into<String>, value: impl Into<Value>, reason: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            value: value.into(),
            reason: reason.into(),
        }
    }
}

/// What the source of an asset declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// What it declares, in the form that its type says.
    pub value: Value,
    /// What of it cannot be read.
    pub unreadable: Vec<Unreadable>,
}

/// A part of a source that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The file below the asset; the asset itself where none is named.
    pub path: Option<String>,
    /// Line and column in the file, where that is known.
    pub at: Option<Position>,
    /// Why.
    pub message: String,
}

/// The result type of a method, for one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefShape {
    /// A type expression, in the language that the scripts are in.
    pub type_expression: String,
    /// The module whose types it uses.
    pub source: Option<String>,
}

impl RefShape {
    /// A result of this type.
    #[must_use]
    pub fn new(type_expression: impl Into<String>) -> Self {
        Self {
            type_expression: type_expression.into(),
            source: None,
        }
    }

    /// The same, by the types of a module.
    #[must_use]
    pub fn with_source(self, source: impl Into<String>) -> Self {
        Self {
            source: Some(source.into()),
            ..self
        }
    }
}

/// The names that every asset answers to before its type is asked: a method of this name is never reached.
pub const RESERVED_METHODS: &[&str] = &[
    "canInstantiate",
    "canPreview",
    "cpu_resident",
    "deps",
    "events",
    "exists",
    "getBytes",
    "getSource",
    "getText",
    "gpu_resident",
    "has_backing_asset",
    "has_runtime_changes",
    "meta",
    "modules",
    "preview",
    "runtime",
    "typeRef",
];
