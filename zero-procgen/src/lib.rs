//! Procedural graphs: written once, cooked on a GPU or on CPU threads, recooked only where they changed.

extern crate self as zero_procgen;

mod cook;
mod document;
mod download;
mod error;
pub mod export;
mod graph;
mod node;
pub mod nodes;
mod plan;
mod play;
mod registry;
mod store;
mod value;

pub use cook::kernel::KernelCall;
pub use cook::{Cook, Operation, Over};
pub use document::{DOCUMENT_VERSION, DocArgument, DocInput, DocNode, DocSource, Document};
pub use download::{Download, HostColumn, HostDetail, HostGeometry, HostRaster};
pub use error::{BuildError, Error, Result, Site};
pub use graph::definition::{Built, GraphDef};
pub use graph::input::{InputDecl, InputValue, Inputs, Plain, PlainDecl};
pub use graph::math::MathOp;
pub use graph::ops::vec3;
pub use graph::raster::RasterParts;
pub use graph::scope::{Next, Now, State, Step, StepInfo, Stepped};
pub use graph::socket::{AnySocket, Bool, ClassOf, Col, Float, Geo, Int, Raster, Socket, Sockets, Vec3};
pub use graph::wire::{Call, Class, ClockField, Node as WireNode, NodeOp, StepField, Type, Wire};
pub use graph::{ClockSockets, Element, Graph, OperationOut, Output, Pass};
pub use node::{
    Argument, Choice, Compose, Default as InputDefault, FromWires, InputKind, InputSchema, NodeInfo, NodeType, Schema,
    Wires, check_range,
};
pub use plan::{Plan, PlanNode};
pub use play::{Clock, CookedReport, Frame, Play, PlayOptions, Present, Report, StepReport, Why};
pub use registry::Registry;
pub use store::{Store, StoreOptions, StoreStats};
pub use zero_compute as compute;
pub use zero_procgen_derive::{Choice, Node, Outputs};

/// What nodes give each other, as the cook holds it.
pub mod values {
    pub use crate::value::{Attribute, Count, FieldValue, Geometry, Key, KeyHasher, Leaf, Number, Raster, Value};
}
