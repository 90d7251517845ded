//! [`AssetType`]: a kind of asset, declared as data in the `type.yaml` of its folder.
//!
//! The declaration is one struct; each block of the file has a file of its own here, with its types and how it is read.

mod about;
mod content;
mod files;
mod indexing;
mod inspector;
mod pattern;
mod preview;
mod read;
mod references;
mod schema_data;
mod settings;

use zero_vfs::VfsPath;

pub use about::{ABOUT_LIMITS, About, UNWRITTEN};
pub use content::{ContentCheck, ContentTest, DescribedKey, FieldTest, ValueType};
pub use files::FileRule;
pub use indexing::{ContentEntry, DataEntry, Extractor, Facet, FacetFrom, FacetType, Facets, Indexing, Recipe, Role};
pub use inspector::{Inspector, InspectorFiles, Page, Row, Section, SectionKind, Title};
pub use preview::{Preview, PreviewKind};
pub use references::{ArgReference, CallReference, FieldReference, KeyReference, References};
pub use settings::{FieldType, Schema, SchemaSource, SettingField, SettingsBlock};

pub(crate) use content::{UNDESCRIBED, unwritten};
pub(crate) use files::{METADATA_FILE, with_article};
pub(crate) use pattern::matches;
pub(crate) use read::FORMAT as TYPE_FORMAT;

/// How the folders of types end. All other suffixes are read from types.
pub(crate) const TYPE_SUFFIX: &str = ".assetType";
/// The file of a type folder that declares it.
pub(crate) const TYPE_FILE: &str = "type.yaml";
/// The file of a type folder that says what the type is for.
pub(crate) const ABOUT_FILE: &str = "about.yaml";
/// The folder of a type folder that a new asset is copied from.
pub(crate) const TEMPLATE: &str = "template";

/// A kind of asset, as its `type.yaml` declares it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AssetType {
    /// The type's name: that of its folder without `.assetType`.
    pub name: String,
    /// The type's folder.
    pub path: VfsPath,
    /// How the folders of its assets end, with the dot. `.<name>` where the file does not say.
    pub suffix: String,
    /// The files that are an asset's content, the first that is there.
    pub primary: Vec<String>,
    /// Further files that load as the asset.
    pub entry_files: Vec<String>,
    /// Further files that share the asset's identity: their path names the asset, and a name that they carry is said where
    /// the asset lies.
    pub primary_aliases: Vec<String>,
    /// Whether what an asset holds is named without the asset's suffix (`dunes.height`), as in a package.
    pub is_container: bool,
    /// Whether a walk stops at an asset: what looks like an asset inside it is none.
    pub is_opaque_walker: bool,
    /// A folder of this name holds loose files that are assets of the type.
    pub plural_dir: Option<String>,
    /// Loose files with one of these extensions (without the dot) are assets of the type, wherever they lie.
    pub classify_exts: Vec<String>,
    /// Whether the asset's files are text unless stated otherwise. True where the file does not say.
    pub is_text_default: bool,
    /// Whether assets inside an asset of the type are found by their own short name.
    pub broadcasts_subassets: bool,
    /// Whether every asset of the type is a root: `~.x` inside one names that asset's own `x`.
    pub root: bool,
    /// Whether what an asset holds is parts of one working whole.
    pub system: bool,
    /// A key of the primary file that names another asset, which this one is built on.
    pub contract_ref: Option<ContractRef>,
    /// The files an asset must hold. What an optional rule spells out more of the name of counts for that rule
    /// alone: where `*.png` is required and `preview.png` optional, a preview is none of what must be there.
    pub required: Vec<FileRule>,
    /// The files an asset may hold.
    pub optional: Vec<FileRule>,
    /// Whether an asset may hold files that are in neither list.
    pub allow_unlisted: bool,
    /// Where further names of an asset are read.
    pub aliases_from: Vec<AliasSource>,
    /// The typed settings of each asset.
    pub settings: Option<SettingsBlock>,
    /// Where the interface that people use is declared.
    pub inspector: Option<InspectorFiles>,
    /// How an asset is pictured.
    pub preview: Option<Preview>,
    /// Names of other assets that the type's files carry.
    pub references: References,
    /// What search reads of an asset; `None` where the file does not say.
    pub indexing: Option<Indexing>,
    /// How a missing description is generated.
    pub describe: Option<Describe>,
    /// A file that is computed from an asset when it is committed.
    pub derive: Option<Derive>,
}

/// A key of an asset's primary file that names the asset it is built on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContractRef {
    /// The key, dotted for nesting.
    pub field: String,
    /// The type that the name resolves in.
    pub category: String,
}

/// A key of one of an asset's files that holds further names of it: a text or a list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AliasSource {
    /// The file, YAML or JSON.
    pub file: String,
    /// The key, dotted for nesting.
    pub key: String,
}

/// How a missing description of an asset is generated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Describe {
    /// What a description covers.
    pub guidance: String,
    /// Identities of assets whose description reads well.
    pub examples: Vec<String>,
}

/// A file that is computed from an asset when it is committed. A type's behaviour computes it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Derive {
    /// The file that is written, below the asset.
    pub output: String,
    /// The module that computes it, for a behaviour that is a script.
    pub module: Option<String>,
    /// The function of the module that computes it.
    pub compute: Option<String>,
    /// The function of the module that says what the file was made of.
    pub fingerprint: Option<String>,
    /// The asset's files that it is made of, as patterns; all of them where none is named.
    pub matches: Vec<String>,
    /// Whether a commit waits for it.
    pub required: bool,
    /// How long a host lets it run, in seconds.
    pub timeout_secs: Option<f64>,
}
