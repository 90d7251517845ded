#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod art;
mod canvas;
mod color;
mod command;
mod dirty;
mod draw;
mod error;
mod files;
mod frame;
mod frames;
mod palette;
mod plane;
mod playback;
mod raster;
mod rect;
mod registry;
mod template;

pub use art::Legend;
pub use canvas::{Canvas, MAX_FRAMES, MAX_PIXEL_SIZE_M, MAX_PIXELS, MAX_SIDE};
pub use color::Color;
pub use command::Draw;
pub use dirty::{ActiveChanges, ActiveCursor, Changes, Cursor, DirtyRect, Mirror};
pub use draw::{MAX_RADIUS, MAX_SHAPE_SIDE};
pub use error::{Error, Result};
pub use files::{Alpha, Colors, Delays, GifExport, Grid, Import, SheetLayout};
pub use frame::FrameId;
pub use glam;
pub use palette::Palette;
pub use plane::Plane;
pub use playback::{MAX_RATE_FPS, MIN_RATE_FPS, Repeat, Step};
pub use rect::Rect;
pub use registry::{CanvasHandle, Canvases, EntityId, Target};
pub use template::{
    FOLDER_SUFFIX, Files, FolderStore, Library, METADATA_FILE, MemoryStore, Metadata, PAYLOAD_FILE, PAYLOAD_VERSION,
    Template, TemplateStore,
};
