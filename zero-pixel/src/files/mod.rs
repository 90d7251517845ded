//! Pictures in and out: PNG, sprite sheets, animated GIF.

mod gif;
mod note;
mod png;
mod quantise;
mod scale;
mod sheet;

pub use gif::{Alpha, Delays, GifExport};
pub use quantise::{Colors, Import};
pub use sheet::{Grid, SheetLayout};
