//! Packages: assets that travel together from world to world.

mod bundle;
mod content;
mod info;
mod install;
mod manifest;
mod pack;
mod preview;
mod problem;
mod record;
mod staging;
mod steps;

pub use bundle::{Package, PackageLimits};
pub use info::{PackageInfo, Requirement};
pub use install::Installation;
pub(crate) use install::go_on;
pub use manifest::{FileEntry, Manifest, Need, PackageId, Part};
pub use preview::{Action, Downgrade, Edits, InstallOptions, PlannedPart, Preview};
pub use problem::{Conflict, PackageProblem};
pub use record::Installed;
pub(crate) use staging::is_of_installs;
