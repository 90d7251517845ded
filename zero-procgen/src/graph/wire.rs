//! The untyped layer beneath the sockets: what a document, a script and the planner see.

use super::math::MathOp;
use crate::cook::Operation;
use crate::error::Site;
use std::sync::Arc;
use zero_compute::Element;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub(crate) u32);
        impl $name {
            /// The place in the graph's list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A node of a graph, in the order the build made them: a node reads only nodes before it.
    NodeId,
    /// An input of a graph, in the order of declaration.
    InputId,
    /// A `fold`, `each` or `step` body; 0 is the graph itself.
    ScopeId,
    /// A call of a node as the person wrote it; what its composition made points back to it.
    CallId,
    /// A column of the element that a field is evaluated over.
    ElementId,
}

/// What travels along a wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Type {
    /// A number, or one a element: f32.
    Float,
    /// A whole number, or one a element: i32.
    Int,
    /// A whole number from 0 on, or one a element: u32.
    UInt,
    /// True or false, or one a element.
    Bool,
    /// Two floats, or two a element.
    Vec2,
    /// Three floats, or three a element.
    Vec3,
    /// Four floats, or four a element.
    Vec4,
    /// A rotation, or one a element: a unit quaternion x, y, z, w.
    Quat,
    /// A colour, or one a element: red, green, blue and alpha, linear.
    Color,
    /// Points, primitives and what they carry.
    Geometry,
    /// A grid of samples in metres.
    Raster,
    /// A run of elements on the device.
    Column,
    /// Several values in order.
    List,
}

impl Type {
    /// All of them.
    pub const ALL: [Type; 13] = [
        Type::Float,
        Type::Int,
        Type::UInt,
        Type::Bool,
        Type::Vec2,
        Type::Vec3,
        Type::Vec4,
        Type::Quat,
        Type::Color,
        Type::Geometry,
        Type::Raster,
        Type::Column,
        Type::List,
    ];

    /// The name that errors and documents use.
    pub fn name(self) -> &'static str {
        match self {
            Type::Float => "Float",
            Type::Int => "Int",
            Type::UInt => "UInt",
            Type::Bool => "Bool",
            Type::Vec2 => "Vec2",
            Type::Vec3 => "Vec3",
            Type::Vec4 => "Vec4",
            Type::Quat => "Quat",
            Type::Color => "Color",
            Type::Geometry => "Geometry",
            Type::Raster => "Raster",
            Type::Column => "Column",
            Type::List => "List",
        }
    }

    /// How many scalars a value of a numeric type has; nothing for the others.
    pub fn lanes(self) -> Option<u32> {
        match self {
            Type::Float | Type::Int | Type::UInt | Type::Bool => Some(1),
            Type::Vec2 => Some(2),
            Type::Vec3 => Some(3),
            Type::Vec4 | Type::Quat | Type::Color => Some(4),
            Type::Geometry | Type::Raster | Type::Column | Type::List => None,
        }
    }

    /// What the words of a column of it are; nothing for what is no number. A truth is held as the whole numbers 0 and 1.
    pub fn element(self) -> Option<Element> {
        match self {
            Type::Int | Type::Bool => Some(Element::I32),
            Type::UInt => Some(Element::U32),
            _ => self.lanes().map(|_| Element::F32),
        }
    }

    /// Whether it has several lanes.
    pub fn is_vector(self) -> bool {
        self.lanes().is_some_and(|lanes| lanes > 1)
    }
}

/// The fields of the graph's clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ClockField {
    /// Seconds since the timeline began.
    Time,
    /// Frames since the timeline began.
    Frame,
    /// Seconds that a frame lasts, 0 where the clock counts none.
    Delta,
    /// Frames a second, 0 where the clock counts none.
    Fps,
    /// Seconds that the timeline lasts, 0 where it has no end.
    Duration,
    /// A column of the matrix that carries the graph's space into the world.
    Placement(u8),
    /// A column of the matrix that carries the world into the graph's space.
    Inverse(u8),
    /// How the graph's space is turned in the world.
    Rotation,
    /// The entity the graph stands on, 0 where there is none.
    Entity,
    /// 1 where the graph stands on an entity, else 0.
    Stands,
}

impl ClockField {
    /// All of them.
    pub const ALL: [ClockField; 16] = [
        ClockField::Time,
        ClockField::Frame,
        ClockField::Delta,
        ClockField::Fps,
        ClockField::Duration,
        ClockField::Placement(0),
        ClockField::Placement(1),
        ClockField::Placement(2),
        ClockField::Placement(3),
        ClockField::Inverse(0),
        ClockField::Inverse(1),
        ClockField::Inverse(2),
        ClockField::Inverse(3),
        ClockField::Rotation,
        ClockField::Entity,
        ClockField::Stands,
    ];

    /// What it is read as.
    pub fn ty(self) -> Type {
        match self {
            ClockField::Time | ClockField::Delta | ClockField::Fps | ClockField::Duration => Type::Float,
            ClockField::Frame => Type::Int,
            ClockField::Placement(_) | ClockField::Inverse(_) => Type::Vec4,
            ClockField::Rotation => Type::Quat,
            ClockField::Entity | ClockField::Stands => Type::UInt,
        }
    }
}

/// What a step's body may read about the step being taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[non_exhaustive]
pub enum StepField {
    /// Seconds a substep covers.
    Dt,
    /// Simulated seconds before this substep.
    Time,
    /// Substeps taken before this one.
    Index,
    /// 1 in the first substep, 0 after it.
    First,
    /// Simulated seconds before the step that the substep is of.
    Start,
    /// The frame of the graph's clock as the substep begins.
    Frame,
    /// How far the substep is through what the present covers; past its ends too.
    Progress,
    /// How much of that a substep covers.
    Share,
}

/// Where a value comes from. Constants are held in place, so a socket stays `Copy`.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Wire {
    /// A constant.
    Float(f32),
    /// A constant.
    Int(i32),
    /// A constant.
    UInt(u32),
    /// A constant.
    Bool(bool),
    /// A constant.
    Vec2([f32; 2]),
    /// A constant.
    Vec3([f32; 3]),
    /// A constant.
    Vec4([f32; 4]),
    /// A constant.
    Quat([f32; 4]),
    /// A constant.
    Color([f32; 4]),
    /// An input of the graph.
    Input(InputId),
    /// An output of a node.
    Node(NodeId, u16),
    /// A value that a pass of a fold or an each starts with: of a fold the state, of an each the fields of the item and
    /// then what is carried. In a fold's stop: the state before the pass and then the state after it.
    FoldValue(ScopeId, u16),
    /// The number of a fold's or an each's pass, from 1.
    FoldIndex(ScopeId),
    /// A column of a step's state as the step begins.
    State(ScopeId, u16),
    /// Something about the step being taken.
    Step(ScopeId, StepField),
    /// The graph's clock.
    Clock(ClockField),
    /// The number of the element that a field is evaluated over.
    ElementNumber,
    /// A column of that element.
    Element(ElementId),
    /// Stands for the answer of a call that was refused, so that the build can go on and find the next refusal.
    Refused,
}

impl Wire {
    /// A constant of a type, from the bits of its lanes; those that are missing read 0.
    pub(crate) fn constant(ty: Type, bits: &[u32]) -> Option<Wire> {
        let word = |lane: usize| bits.get(lane).copied().unwrap_or(0);
        let four = || std::array::from_fn(|lane| f32::from_bits(word(lane)));
        Some(match ty {
            Type::Float => Wire::Float(f32::from_bits(word(0))),
            Type::Int => Wire::Int(word(0).cast_signed()),
            Type::UInt => Wire::UInt(word(0)),
            Type::Bool => Wire::Bool(word(0) != 0),
            Type::Vec2 => Wire::Vec2(std::array::from_fn(|lane| f32::from_bits(word(lane)))),
            Type::Vec3 => Wire::Vec3(std::array::from_fn(|lane| f32::from_bits(word(lane)))),
            Type::Vec4 => Wire::Vec4(four()),
            Type::Quat => Wire::Quat(four()),
            Type::Color => Wire::Color(four()),
            Type::Geometry | Type::Raster | Type::Column | Type::List => return None,
        })
    }

    /// The type of a constant and the bits of its lanes; nothing for any other wire.
    pub(crate) fn as_constant(self) -> Option<(Type, [u32; 4])> {
        fn bits<const LANES: usize>(value: [f32; LANES]) -> [u32; 4] {
            std::array::from_fn(|lane| value.get(lane).map_or(0, |value| value.to_bits()))
        }
        Some(match self {
            Wire::Float(value) => (Type::Float, bits([value])),
            Wire::Int(value) => (Type::Int, [value.cast_unsigned(), 0, 0, 0]),
            Wire::UInt(value) => (Type::UInt, [value, 0, 0, 0]),
            Wire::Bool(value) => (Type::Bool, [value.into(), 0, 0, 0]),
            Wire::Vec2(value) => (Type::Vec2, bits(value)),
            Wire::Vec3(value) => (Type::Vec3, bits(value)),
            Wire::Vec4(value) => (Type::Vec4, bits(value)),
            Wire::Quat(value) => (Type::Quat, bits(value)),
            Wire::Color(value) => (Type::Color, bits(value)),
            _ => return None,
        })
    }

    /// The lanes of a constant as numbers; nothing for a truth and for any other wire.
    pub(crate) fn numbers(self) -> Option<Vec<f64>> {
        let (ty, bits) = self.as_constant()?;
        let lanes = bits.iter().take(ty.lanes()? as usize);
        Some(match ty {
            Type::Int => lanes.map(|bits| f64::from(bits.cast_signed())).collect(),
            Type::UInt => lanes.map(|bits| f64::from(*bits)).collect(),
            Type::Bool => return None,
            _ => lanes.map(|bits| f64::from(f32::from_bits(*bits))).collect(),
        })
    }

    /// The body the wire belongs to, where it is of one.
    pub(crate) fn body(self, nodes: &[Node]) -> Option<ScopeId> {
        match self {
            Wire::Node(id, _) => nodes.get(id.index()).map(|node| node.scope),
            Wire::FoldValue(scope, _) | Wire::FoldIndex(scope) | Wire::State(scope, _) | Wire::Step(scope, _) => {
                Some(scope)
            }
            _ => None,
        }
    }
}

/// A class of a geometry's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Class {
    /// Positions in space.
    Point,
    /// Corners of primitives.
    Vertex,
    /// Faces and curves.
    Primitive,
    /// The geometry as a whole: one element.
    Detail,
}

impl Class {
    /// All of them, in the order that reports list them.
    pub const ALL: [Class; 4] = [Class::Point, Class::Vertex, Class::Primitive, Class::Detail];

    /// The name that errors and documents use.
    pub fn name(self) -> &'static str {
        match self {
            Class::Point => "point",
            Class::Vertex => "vertex",
            Class::Primitive => "primitive",
            Class::Detail => "detail",
        }
    }
}

/// A column of the element a field is evaluated over.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ElementColumn {
    /// The class the column belongs to.
    pub class: Class,
    /// Its name.
    pub name: Arc<str>,
    /// What it is read as.
    pub ty: Type,
}

/// What a node does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NodeOp {
    /// An operator over numbers and fields.
    Math(MathOp),
    /// Something that the cook runs: one of the four ops or a construct.
    Operation(Arc<dyn Operation>),
    /// A fold; its inputs are the count and then the state it starts from.
    Fold(ScopeId, FoldStop),
    /// A step; its input is the count of the state's elements.
    Step(ScopeId),
    /// One of several alternatives; its inputs are the choice and then each alternative's outputs, of which there are
    /// so many.
    Pick(u16),
    /// A list; its inputs are the items, each of so many fields.
    List(u16),
    /// An item of a list; its inputs are the list and the place, from 0.
    Item,
    /// A body run for every item of a list, or so many times; its inputs are the list or the count and then what is
    /// carried from the first pass on. Each pass leaves so many fields of an item and then what it carries on.
    Each(ScopeId, u16),
}

impl NodeOp {
    /// The name in reports.
    pub fn name(&self) -> String {
        match self {
            NodeOp::Math(op) => op.name(),
            NodeOp::Operation(op) => op.id().to_owned(),
            NodeOp::Fold(..) => "fold".to_owned(),
            NodeOp::Step(_) => "step".to_owned(),
            NodeOp::Pick(_) => "pick".to_owned(),
            NodeOp::List(_) => "list".to_owned(),
            NodeOp::Item => "item".to_owned(),
            NodeOp::Each(..) => "each".to_owned(),
        }
    }
}

impl NodeOp {
    /// The operation that the plan makes of it: of an operator the expression that it is gathered into.
    pub(crate) fn operation(&self) -> String {
        match self {
            NodeOp::Math(_) => "construct.expr".to_owned(),
            NodeOp::Operation(op) => op.id().to_owned(),
            other => format!("construct.{}", other.name()),
        }
    }
}

/// When a fold ends before its last pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FoldStop {
    /// It does not.
    Never,
    /// After a pass that left the state as it was.
    Unchanged,
    /// After a pass that this body answers true for.
    When(ScopeId),
}

/// One node as the build made it.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it does.
    pub op: NodeOp,
    /// What it reads, in the operation's order.
    pub inputs: Vec<Wire>,
    /// What its outputs are.
    pub outputs: Vec<Type>,
    /// The body it was made in.
    pub scope: ScopeId,
    /// The call it was made for, if a composition made it.
    pub call: Option<CallId>,
    /// The line that made it.
    pub site: Site,
}

/// A call of a node: what the person wrote.
#[derive(Clone, Debug)]
pub struct Call {
    /// The node's id, such as `points.disc`.
    pub node: &'static str,
    /// The line of the call.
    pub site: Site,
    /// The call whose composition made this one.
    pub parent: Option<CallId>,
    /// The labels of the loops the call was made in.
    pub pass: String,
}

/// A body that runs more than once.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// What kind of body it is.
    pub kind: ScopeKind,
    /// What a pass leaves: the fold's next state, or the values of the state's columns.
    pub results: Vec<Wire>,
}

/// The kinds of bodies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub(crate) enum ScopeKind {
    /// The graph itself.
    Graph,
    /// A fold.
    Fold,
    /// A body run for every item of a list.
    Each,
    /// Whether a fold ends after a pass.
    Stop,
    /// A step over a state of these columns.
    Step(StepDecl),
}

/// What a step declares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepDecl {
    /// The name reports use.
    pub name: String,
    /// Seconds a step covers, above 0.
    pub dt_secs: f32,
    /// Passes of the body a step, at least 1.
    pub substeps: u32,
    /// The columns of the state: name and type.
    pub columns: Vec<(Arc<str>, Type)>,
}
