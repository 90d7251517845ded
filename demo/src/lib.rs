//! The demo: a real elevation model made into a landscape, by the whole way that content takes through Zero.
//!
//! The content is mounted in a virtual file system, the model read as an asset, a script asked what to make of it. A graph
//! cuts a window out of the model, adds relief, wears it, writes masks and throws trees; the files and the picture are
//! made of what it cooked. [`run()`] is all of it, [`compare()`] holds two runs against each other; the modules are the
//! parts, to be tested and read one by one.

mod compare;
pub mod content;
pub mod cook;
mod error;
pub mod files;
pub mod graph;
pub mod look;
mod options;
pub mod picture;
pub mod program;
mod run;
mod settings;
mod stages;
mod trial;

pub use compare::{Agreement, MOST_M, compare};
pub use error::{Error, Result};
pub use options::{HELP, Options};
pub use run::run;
pub use settings::{Air, Camera, Erosion, Settings, Sun, Trees, Window};
pub use stages::{Report, Stages};
