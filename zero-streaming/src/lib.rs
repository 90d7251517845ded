#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod body;
mod capture;
mod cell;
mod codec;
mod error;
mod folder;
mod grid;
mod host;
mod moves;
mod owners;
mod radii;
mod record;
mod report;
mod rule;
mod silhouette;
mod slots;
mod step;
mod storage;
mod store;

pub use capture::{DEFAULT_LAYER, Filing};
pub use codec::{decode_records, encode_records, encoded_len};
pub use error::{BoxError, Error, HostAction, Result, StorageAction};
pub use folder::FolderStorage;
pub use glam;
pub use host::{EntityId, EntityState, Host};
pub use radii::{Config, Layer, PROXY_BAND, PROXY_FOLLOWS, Radii, Reach, Source};
pub use record::{Record, Transform};
pub use report::{Captured, CellInfo, CellState, Failure, GroupId, GroupInfo, GroupState, ProxyInfo, Stats, Step};
pub use rule::{
    CellBounds, CellKey, MAX_CELL_COORD, Verdict, cell_bounds, cell_coords, cell_distance, cell_key_at, decide,
    proxy_decide,
};
pub use silhouette::{Bounds, BoxPer, Derived, Silhouettes, measure};
pub use storage::{MemoryStorage, NoStorage, Storage};
pub use store::Store;
