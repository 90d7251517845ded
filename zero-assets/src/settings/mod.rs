//! Settings: typed values of each asset, put together in layers.
//!
//! Of a new asset, each layer overrides exactly those below it: the schema's defaults, what the type's behaviour gives,
//! a preset, an importer, the caller; and over all of them, what the behaviour corrects.

mod edit;
mod layers;
pub(crate) mod preset;
mod stored;
mod values_file;

use serde_json::Map;

use crate::value::Value;

pub use layers::SettingsLayers;
pub(crate) use layers::{Request, for_creation, for_reset, for_write, normal};
pub(crate) use stored::Held;
pub(crate) use values_file::{VERSION_KEY, to_text};

/// Settings by name.
pub type Values = Map<String, Value>;
