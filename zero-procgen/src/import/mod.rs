//! Geometry from files: glTF 2.0, PLY and Wavefront OBJ.
//!
//! What comes in is a [`HostGeometry`](crate::HostGeometry), which goes to a graph as an input:
//!
//! ```
//! use zero_compute::{CpuOptions, Device, Exec};
//! use zero_procgen::{Class, Clock, Graph, Play, Present, Store, StoreOptions, import, inputs};
//! use zero_procgen::nodes::points;
//!
//! let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
//!     element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n0 0 1\n1 0 0\n3 0 1 2\n";
//! let rock = import::ply("rock.ply", ply.as_bytes())?;
//!
//! let device = Device::cpu(CpuOptions::default());
//! let graph = Graph::define("moss", |g| g.output("moss", g.add(points::OnSurface::new(g.geometry("rock")).count(40))))?;
//! let store = Store::new(&device, StoreOptions::default());
//! let mut play = Play::new(&store, &graph, inputs! { rock: rock.upload(&device)? })?;
//! let Present::Whole(frame) = play.present(Clock::default(), &Exec::default())? else { unreachable!("no budget") };
//! assert_eq!(frame.geometry("moss")?.download()?.count(Class::Point), 40);
//! # Ok::<(), zero_procgen::Error>(())
//! ```
//!
//! Columns have the names that the nodes and [`export`](crate::export) use: `P` the position (Vec3, metres), `N` the
//! normal (Vec3), `uv` the texture coordinate (Vec2), `Cd` the colour (Color, linear), and any other attribute of the
//! file under its own name. A file that is cut short, contradicts itself or holds a number that is not finite is an error
//! that names the file and the place; nothing in a file makes an import panic or take memory that the file's own length
//! doesn't justify.

mod accessor;
mod gltf;
mod obj;
mod ply;
mod scene;

pub use gltf::{gltf, open_gltf};
pub use obj::{obj, open_obj};
pub use ply::{open_ply, ply};
pub use scene::{ImportedMaterial, Part, Scene};

use crate::error::{Error, Result};
use std::path::Path;

/// The whole of a file.
fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| Error::File {
        path: path.display().to_string(),
        source,
    })
}

/// A refusal of a file's content.
fn refuse<T>(file: &str, message: impl std::fmt::Display) -> Result<T> {
    Err(Error::Import {
        file: file.to_owned(),
        message: message.to_string(),
    })
}
