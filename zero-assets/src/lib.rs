//! Assets: content as folders that say what they are.
//!
//! An asset is a folder `<name>.<type>` in a [`zero_vfs::Vfs`]. Its type is data too: a folder
//! `<type>.assetType` with a `type.yaml`, read by the same loader whether it is built in or anyone's own.
//!
//! **Priorities**: broken content is told with file, line and column and stops nothing else; a name that
//! could mean two things is an error, never a guess. **Non-goals**: an entity store, a renderer's view of an
//! asset.
//!
//! # A tour
//!
//! [`Assets::load`] reads the types and finds the assets; a world may bring types of its own:
//!
//! ```
//! use zero_assets::{Assets, builtin};
//! use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
//!
//! let mut vfs = Vfs::new();
//! vfs.mount(builtin()?)?;
//! let world = MemorySource::with_files("world", [
//!     ("/types/note.assetType/type.yaml", &b"primary: note.txt\nfiles:\n  required:\n    - { path: note.txt, kind: file }\n"[..]),
//!     ("/types/note.assetType/README.md", b"# note"),
//!     ("/diary/monday.note/note.txt", b"rain"),
//!     ("/diary/tuesday.note/note.text", b"sun"),
//! ])?;
//! vfs.mount(Mount::new(VfsPath::parse("/zero/source")?, world))?;
//!
//! let assets = Assets::load(&vfs)?;
//! assert_eq!(assets.find("diary.monday")?.kind, "note");
//! assert_eq!(
//!     assets.diagnostics()[0].to_string(),
//!     "/zero/source/diary/tuesday.note: error[asset.missing_file]: a note needs `note.txt`"
//! );
//! # Ok::<(), zero_assets::Error>(())
//! ```
//!
//! A [`Texture`] is a `texture.yaml` and one payload that an ordinary viewer opens. It is written and read
//! whole, within [`TextureLimits`]:
//!
//! ```
//! use zero_assets::{Format, Texels, Texture, TextureInfo, TextureLimits};
//! # use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};
//! # let mut vfs = Vfs::new();
//! # vfs.mount(Mount::new(VfsPath::parse("/zero/source")?, MemorySource::new("world")))?;
//! let folder = VfsPath::parse("/zero/source/ramp.texture")?;
//! let info = TextureInfo::new(Format::R16, [4, 1]);
//! Texture::new(info, Texels::U16(vec![0, 1000, 2000, 3000]))?.save(&vfs, &folder)?;
//!
//! let loaded = Texture::load(&vfs, &folder, &TextureLimits::default())?;
//! assert_eq!(loaded.value.texels, Texels::U16(vec![0, 1000, 2000, 3000]));
//! # Ok::<(), zero_assets::Error>(())
//! ```
//!
//! # What is where
//!
//! | file | what it holds |
//! |---|---|
//! | [`types`] | [`AssetType`], the declaration in a `type.yaml`: a file here for each block of it |
//! | `registry`, `opaque` | which types are registered, and what a name or suffix means where |
//! | `assets`, `asset`, `tree` | [`Assets`], the index: loaded once, then told which paths changed |
//! | `classify` | which type a folder or a loose file is of |
//! | `resolve`, `root`, `aliases` | [`Query`]: every form of name; [`Root`], in which it is asked; further names of an asset |
//! | `guid`, `refs`, `sidecars`, `settle` | [`Guid`], the `.refs` sidecar, and guids for what has none |
//! | `copies` | assets that share a guid |
//! | `deps`, `named`, `calls`, `luau` | [`Dependency`]: the names of other assets that an asset carries |
//! | `answers` | which of those names a change may answer otherwise |
//! | `search` | [`SearchIndex`]: assets found by what their types' `indexing:` reads of them |
//! | `package` | [`Package`]: assets that travel together from world to world |
//! | `workspace` | [`Workspace`]: what is done with assets: a file here for each thing, and for the calling of hooks |
//! | `behavior`, `events` | [`Behavior`]: the code of a type, as hooks; [`EventSchema`], what its assets fire |
//! | `settings` | [`SettingsLayers`]: typed settings, layer over layer, and the file that they live in |
//! | `scene` | [`SceneHost`], [`Instantiable`]: what a host and a type do to put an asset into a scene |
//! | `validate`, `examples`, `categories` | [`Assets::check`]: an asset against its type, a type against what is asked of types |
//! | `diagnostic`, `error` | [`Diagnostic`]: what is wrong with content; [`Error`]: why something was not done |
//! | `format`, `reader`, `structured`, `value` | reading YAML and JSON: versions, and all that is wrong at once |
//! | `builtin` | the content that comes with the crate, from `content/`, and the rules of its types |
//! | `texture` | [`Texture`] |
//!
//! # Threads and cost
//! Everything is plain data, made and read on the calling thread. [`Assets::load`] lists every folder and
//! reads every `type.yaml`, every `.refs` and the files that hold aliases; it reads no other file. A [`Workspace`] reads every
//! file once when it is opened, to know later which are others, and keeps a hash of each. Finding by path, identity, guid or
//! name is a search in an ordered map.

mod aliases;
mod answers;
mod asset;
mod assets;
mod behavior;
mod builtin;
mod calls;
mod categories;
mod classify;
mod component;
mod copies;
mod deps;
mod diagnostic;
mod error;
mod events;
mod examples;
mod format;
mod guid;
mod luau;
mod named;
mod opaque;
mod package;
mod reader;
mod refs;
mod registry;
mod resolve;
mod root;
mod scene;
mod search;
mod settings;
mod settle;
mod sidecars;
mod structured;
mod texture;
mod tree;
pub mod types;
mod validate;
mod value;
mod workspace;
mod yaml_file;

pub use asset::Asset;
pub use assets::{Assets, Changes, SOURCE};
pub use behavior::{
    AssetChange, AssetChangeKind, Behavior, Correction, Creation, DependencyChange, Files, HookContext, HookError,
    HookResult, Interface, Problem, RESERVED_METHODS, RefShape, Step, Unreadable,
};
pub use builtin::{BUILTIN_PREFIX, builtin, builtin_behaviors};
pub use deps::{Dependency, Target};
pub use diagnostic::{Diagnostic, Loaded, Severity};
pub use error::{Error, Result};
pub use events::{EventSchema, Subscription};
pub use guid::Guid;
/// The image library whose errors are in ours.
pub use image;
pub use package::{
    Action, Conflict, Downgrade, Edits, FileEntry, InstallOptions, Installation, Installed, Manifest, Need, Package,
    PackageId, PackageInfo, PackageLimits, PackageProblem, Part, PlannedPart, Preview, Requirement,
};
pub use refs::{Pin, Refs};
pub use registry::TypeRegistry;
pub use resolve::Query;
pub use root::Root;
pub use scene::{BadOption, EntityId, Instance, Instantiable, InstantiateOptions, Rotation, SceneHost};
pub use search::{FacetValue, Filter, Hit, Search, SearchIndex, SearchStats, Slot};
/// The versions of packages.
pub use semver;
pub use settings::{SettingsLayers, Values};
pub use settle::Settled;
pub use texture::{
    Bounds, ColorSpace, Elevation, Format, Rows, Texels, Texture, TextureInfo, TextureLimits, Unit, Wrap,
};
#[doc(inline)]
pub use types::{AssetType, FileRule};
pub use value::{Value, value_at};
pub use workspace::{Create, Created, Kept, Over, Picture, Record, Settings, Shapes, Shown, Update, Workspace};
/// The file system that assets lie in, the texts they are written in, and the values in those.
pub use {serde_json, zero_vfs, zero_yaml};

/// The README's programs, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
