//! Procedural graphs: written once, cooked on a GPU or on CPU threads, cooked again only where they changed.
//!
//! # A tour
//!
//! A graph is a function of `g`. Its sockets stand for numbers, for values at every element, and for geometry:
//!
//! ```
//! use zero_procgen::nodes::{field, geometry, mesh};
//! use zero_procgen::{Graph, vec3};
//!
//! let hills = Graph::define("hills", |g| {
//!     let sheet = g.add(mesh::Grid::new().size([50.0, 1.0, 50.0]).cells_x(64).cells_z(64));
//!     let height = g.add(field::Fbm::new(g.position() / 12.0).octaves(5)) * g.float("relief", 4.0);
//!     let raised = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
//!     g.output("land", g.add(geometry::RecalculateNormals::new(raised)));
//! })?;
//! assert_eq!(hills.inputs()[0].name, "relief");
//! # Ok::<(), zero_procgen::Error>(())
//! ```
//!
//! Nothing fails while it is built: every refusal of the build comes back together, each with its file and line.
//!
//! ```
//! use zero_procgen::nodes::points;
//! use zero_procgen::Graph;
//!
//! let refused = Graph::define("refused", |g| g.output("disc", g.add(points::Disc::new().count(-1)))).unwrap_err();
//! assert!(refused.to_string().contains("g.points.disc failed: count is -1, expected 0 or more"));
//! ```
//!
//! A [`Play`] brings a graph to a [`Clock`] with [`Play::present`] and says in its [`Report`] what that took. A state
//! that moves with time is a [`Graph::step`]:
//!
//! ```
//! use zero_compute::{CpuOptions, Device, Exec};
//! use zero_procgen::{Clock, Graph, Next, Play, State, Step, Store, StoreOptions, inputs, vec3};
//!
//! let falling = Graph::define("falling", |g| {
//!     let rain = g.step("rain", Step::every(0.1), State::new(8).vec3("P").vec3("v"), |now, step| {
//!         let v = now.vec3("v") + vec3(0.0, -9.81, 0.0) * step.dt();
//!         Next::new().set("v", v).set("P", now.vec3("P") + v * step.dt())
//!     });
//!     g.output("rain", rain.points());
//! })?;
//! let store = Store::new(&Device::cpu(CpuOptions::default()), StoreOptions::default());
//! let mut play = Play::new(&store, &falling, inputs! {})?;
//! for frame in 0..5 {
//!     play.present(Clock::frame(frame, 10.0), &Exec::default())?;
//! }
//! assert_eq!(play.report().steps[0].steps, 5);
//! assert!(play.report().cooked.is_empty());
//! # Ok::<(), zero_procgen::Error>(())
//! ```
//!
//! A node of one's own is a struct; the derive makes its constructor, its setters, its registry entry and its schema:
//!
//! ```
//! use zero_procgen::{Compose, Float, Geo, Graph, Node, Result, vec3};
//! use zero_procgen::nodes::{geometry, mesh};
//!
//! /// A table with four legs.
//! #[derive(Clone, Debug, Node)]
//! #[node(id = "furniture.table")]
//! pub struct Table<'g> {
//!     /// How high its top stands.
//!     #[input(default = 0.75, min = 0.1, max = 3.0, unit = "m")]
//!     pub height: Float<'g>,
//! }
//!
//! impl<'g> Compose<'g> for Table<'g> {
//!     type Out = Geo<'g>;
//!     fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
//!         let top = g.add(mesh::Box::new().size([1.2, 0.04, 0.8]));
//!         let mut table = vec![g.add(geometry::Transform::new(top).translate(vec3(0.0, self.height, 0.0)))];
//!         for (x, z) in [(-0.55, -0.35), (0.55, -0.35), (-0.55, 0.35), (0.55, 0.35)] {
//!             let leg = g.add(mesh::Box::new().size(vec3(0.05, self.height, 0.05)));
//!             table.push(g.add(geometry::Transform::new(leg).translate(vec3(x, self.height * 0.5, z))));
//!         }
//!         Ok(g.add(geometry::Merge::new(table)))
//!     }
//! }
//!
//! let graph = Graph::define("room", |g| g.output("table", g.add(Table::new().height(g.float("height", 0.75)))))?;
//! # Ok::<(), zero_procgen::Error>(())
//! ```
//!
//! # Modules
//!
//! The vocabulary is one flat list. [`nodes`] holds the node library by family, [`values`] what the cook holds,
//! [`export`] writes geometry to files. A [`Stage`] stands what a play presents in a [`Host`]; [`Folder`] is one of files.

extern crate self as zero_procgen;

mod cook;
mod document;
mod download;
mod error;
pub mod export;
mod graph;
mod host;
#[cfg(feature = "import")]
pub mod import;
mod node;
pub mod nodes;
mod plan;
mod play;
mod reference;
mod registry;
mod store;
mod value;

pub use cook::kernel::KernelCall;
pub use cook::{Cook, Holds, Operation, Over};
pub use document::{
    DOCUMENT_VERSION, DocArgument, DocBody, DocInput, DocNode, DocOutput, DocSource, DocStop, DocTimeline, Document,
};
pub use download::{Download, HostColumn, HostDetail, HostGeometry, HostRaster};
pub use error::{BuildError, Error, Location, Result, Site};
pub use graph::choice::ChoiceSocket;
pub use graph::clock::{ClockSockets, TransformSockets};
pub use graph::definition::{Built, GraphDef};
pub use graph::input::{InputDecl, InputValue, Inputs, Plain, PlainDecl};
pub use graph::list::List;
pub use graph::math::MathOp;
pub use graph::ops::{rgba, vec2, vec3, vec4};
pub use graph::raster::RasterParts;
pub use graph::scope::{Next, Now, State, Step, StepInfo, Stepped};
pub use graph::socket::{
    AnySocket, Bool, ClassOf, Col, Color, Float, Geo, Int, Quat, Raster, Socket, Sockets, UInt, Vec2, Vec3, Vec4,
};
pub use graph::timeline::{Ending, Pace, Timeline};
pub use graph::wire::{Call, Class, ClockField, FoldStop, Node as WireNode, NodeOp, StepField, Type, Wire};
pub use graph::{Element, Graph, OperationOut, Output, Pass};
pub use host::{Downloaded, Folder, Host, HostResult, Picture, Preview, Previewer, Stage, Stand, Stood};
pub use node::{
    Argument, Choice, Compose, Default as InputDefault, FromWires, Given, InputKind, InputSchema, NodeInfo, NodeType,
    Schema, Wires, check_range,
};
pub use plan::{Plan, PlanNode};
pub use play::{
    Clock, CookedReport, DiskReport, FoldReport, Frame, Placement, Play, PlayOn, PlayOptions, Present, Profile,
    ProfileRow, Report, StepReport, Transport, Why,
};
pub use registry::{NodeEntry, Registry};
pub use store::memory::{Memory, Part};
pub use store::{DiskCache, Store, StoreOptions, StoreStats, Tier};
pub use zero_compute as compute;
pub use zero_procgen_derive::{Choice, Node, Outputs};

/// What nodes give each other, as the cook holds it.
pub mod values {
    pub use crate::value::{Attribute, Count, FieldValue, Geometry, Key, KeyHasher, Leaf, List, Number, Raster, Value};
}

/// The README's program is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
