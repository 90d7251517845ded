//! Typed sockets: what a graph's author holds.
//!
//! A socket is `Copy` and borrows the graph. It stands for a number, a number that moves with the clock, or a value
//! for every element; which of them is decided by what it was made from, and an author rarely needs to know.

use super::Graph;
use super::math::MathOp;
use super::wire::{Class, Type, Wire};

/// A value of a graph under construction.
pub trait Socket<'g>: Copy + Sized + 'g {
    /// What travels along it.
    const TYPE: Type;
    /// The socket of a wire; a constant needs no graph.
    fn from_parts(graph: Option<&'g Graph>, wire: Wire) -> Self;
    /// The socket of a wire of a graph.
    fn from_wire(graph: &'g Graph, wire: Wire) -> Self {
        Self::from_parts(Some(graph), wire)
    }
    /// The wire beneath.
    fn wire(self) -> Wire;
    /// The graph it belongs to; a constant belongs to none.
    fn graph(self) -> Option<&'g Graph>;
}

/// One socket or several: what a call answers, what a fold carries.
pub trait Sockets<'g>: Sized {
    /// The types, in order.
    fn types() -> Vec<Type>;
    /// The names, in the same order: how a document reads one of several.
    fn names() -> Vec<String>;
    /// The wires, in the same order.
    fn wires(&self) -> Vec<Wire>;
    /// Built back from the wires of that order; a missing one stands refused.
    fn from_wires(graph: &'g Graph, wires: &[Wire]) -> Self;
    /// Stands for the answer of a refused call.
    fn refused(graph: &'g Graph) -> Self {
        Self::from_wires(graph, &[])
    }
}

impl<'g, S: Socket<'g>> Sockets<'g> for S {
    fn types() -> Vec<Type> {
        vec![S::TYPE]
    }
    fn names() -> Vec<String> {
        vec!["value".to_owned()]
    }
    fn wires(&self) -> Vec<Wire> {
        vec![self.wire()]
    }
    fn from_wires(graph: &'g Graph, wires: &[Wire]) -> Self {
        S::from_wire(graph, wires.first().copied().unwrap_or(Wire::Refused))
    }
}

/// Nothing: what a call without an answer gives.
impl<'g> Sockets<'g> for () {
    fn types() -> Vec<Type> {
        Vec::new()
    }
    fn names() -> Vec<String> {
        Vec::new()
    }
    fn wires(&self) -> Vec<Wire> {
        Vec::new()
    }
    fn from_wires(_graph: &'g Graph, _wires: &[Wire]) -> Self {}
}

macro_rules! tuples {
    ($($name:ident . $index:tt),*) => {
        impl<'g, $($name: Socket<'g>),*> Sockets<'g> for ($($name,)*) {
            fn types() -> Vec<Type> {
                vec![$($name::TYPE),*]
            }
            fn names() -> Vec<String> {
                vec![$($index.to_string()),*]
            }
            fn wires(&self) -> Vec<Wire> {
                vec![$(self.$index.wire()),*]
            }
            fn from_wires(graph: &'g Graph, wires: &[Wire]) -> Self {
                ($($name::from_wire(graph, wires.get($index).copied().unwrap_or(Wire::Refused)),)*)
            }
        }
    };
}
tuples!(A.0, B.1);
tuples!(A.0, B.1, C.2);
tuples!(A.0, B.1, C.2, D.3);

macro_rules! sockets {
    ($($(#[$doc:meta])* $name:ident = $ty:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'g> {
            graph: Option<&'g Graph>,
            wire: Wire,
        }
        impl<'g> Socket<'g> for $name<'g> {
            const TYPE: Type = Type::$ty;
            fn from_parts(graph: Option<&'g Graph>, wire: Wire) -> Self {
                $name { graph, wire }
            }
            fn wire(self) -> Wire {
                self.wire
            }
            fn graph(self) -> Option<&'g Graph> {
                self.graph
            }
        }
        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.wire).finish()
            }
        }
    )*};
}

sockets! {
    /// A number: one, or one an element.
    Float = Float,
    /// A whole number: one, or one an element.
    Int = Int,
    /// A whole number from 0 on: one, or one an element.
    UInt = UInt,
    /// A truth: one, or one an element.
    Bool = Bool,
    /// Two numbers: one pair, or one an element.
    Vec2 = Vec2,
    /// Three numbers: one triple, or one an element.
    Vec3 = Vec3,
    /// Four numbers: one quadruple, or one an element.
    Vec4 = Vec4,
    /// A rotation: one, or one an element. A unit quaternion x, y, z, w.
    Quat = Quat,
    /// A colour: one, or one an element. Red, green, blue and alpha, linear.
    Color = Color,
    /// A geometry.
    Geo = Geometry,
    /// A grid of samples.
    Raster = Raster,
    /// A run of elements on the device.
    Col = Column,
}

macro_rules! constants {
    ($($from:ty => $to:ident, |$value:ident| $wire:expr;)*) => {$(
        impl<'g> From<$from> for $to<'g> {
            fn from($value: $from) -> Self {
                $to { graph: None, wire: $wire }
            }
        }
    )*};
}
constants! {
    f32 => Float, |v| Wire::Float(v);
    i32 => Float, |v| Wire::Float(v as f32);
    i32 => Int, |v| Wire::Int(v);
    u32 => UInt, |v| Wire::UInt(v);
    bool => Bool, |v| Wire::Bool(v);
    [f32; 2] => Vec2, |v| Wire::Vec2(v);
    glam::Vec2 => Vec2, |v| Wire::Vec2(v.to_array());
    f32 => Vec2, |v| Wire::Vec2([v; 2]);
    [f32; 3] => Vec3, |v| Wire::Vec3(v);
    glam::Vec3 => Vec3, |v| Wire::Vec3(v.to_array());
    f32 => Vec3, |v| Wire::Vec3([v; 3]);
    [f32; 4] => Vec4, |v| Wire::Vec4(v);
    glam::Vec4 => Vec4, |v| Wire::Vec4(v.to_array());
    f32 => Vec4, |v| Wire::Vec4([v; 4]);
    [f32; 4] => Quat, |v| Wire::Quat(v);
    glam::Quat => Quat, |v| Wire::Quat(v.to_array());
    [f32; 3] => Color, |v| Wire::Color([v[0], v[1], v[2], 1.0]);
    [f32; 4] => Color, |v| Wire::Color(v);
}

impl<'g> From<Int<'g>> for Float<'g> {
    #[track_caller]
    fn from(value: Int<'g>) -> Self {
        value.to_float()
    }
}

macro_rules! splats {
    ($($to:ident: $lanes:literal;)*) => {$(
        /// A number as a vector of it in every component.
        impl<'g> From<Float<'g>> for $to<'g> {
            #[track_caller]
            fn from(value: Float<'g>) -> Self {
                super::ops::apply(MathOp::Make(Type::$to), &[value.into(); $lanes])
            }
        }
    )*};
}
splats! {
    Vec2: 2;
    Vec3: 3;
    Vec4: 4;
}

/// A colour without transparency.
impl<'g> From<Vec3<'g>> for Color<'g> {
    #[track_caller]
    fn from(value: Vec3<'g>) -> Self {
        let opaque: Float<'g> = 1.0.into();
        let lanes = [value.x(), value.y(), value.z(), opaque];
        super::ops::apply(MathOp::Make(Type::Color), &lanes.map(AnySocket::from))
    }
}

/// A socket of any type, for what treats them alike.
#[derive(Clone, Copy, Debug)]
pub struct AnySocket<'g> {
    pub(crate) graph: Option<&'g Graph>,
    pub(crate) wire: Wire,
    pub(crate) ty: Type,
}

impl<'g> AnySocket<'g> {
    /// What travels along it.
    pub fn ty(self) -> Type {
        self.ty
    }
    /// The wire beneath.
    pub fn wire(self) -> Wire {
        self.wire
    }
}

impl<'g, S: Socket<'g>> From<S> for AnySocket<'g> {
    fn from(socket: S) -> Self {
        AnySocket {
            graph: socket.graph(),
            wire: socket.wire(),
            ty: S::TYPE,
        }
    }
}

impl<'g> Geo<'g> {
    /// The points, to read columns of.
    pub fn point(self) -> ClassOf<'g> {
        self.class(Class::Point)
    }
    /// The vertices, to read columns of.
    pub fn vertex(self) -> ClassOf<'g> {
        self.class(Class::Vertex)
    }
    /// The primitives, to read columns of.
    pub fn primitive(self) -> ClassOf<'g> {
        self.class(Class::Primitive)
    }
    /// A class, to read columns of.
    pub fn class(self, class: Class) -> ClassOf<'g> {
        ClassOf { geometry: self, class }
    }
}

/// A class of a geometry that is being built.
#[derive(Clone, Copy, Debug)]
pub struct ClassOf<'g> {
    pub(super) geometry: Geo<'g>,
    pub(super) class: Class,
}

impl<'g> ClassOf<'g> {
    /// A column, as a run on the device. The cook refuses a name the class does not hold.
    #[track_caller]
    pub fn column(self, name: &str) -> Col<'g> {
        let Some(graph) = self.geometry.graph else {
            return Col {
                graph: None,
                wire: Wire::Refused,
            };
        };
        let op = crate::cook::construct::ReadColumn {
            class: self.class,
            name: name.into(),
        };
        graph
            .operation(op, vec![self.geometry.into()], vec![Type::Column])
            .single()
    }

    /// The geometry with a column written: a field over the class, one value for every element, or a run of the class's
    /// length. The first column of a class without elements sets its count.
    #[track_caller]
    pub fn set(self, name: &str, value: impl Into<AnySocket<'g>>) -> Geo<'g> {
        self.write(name, value.into(), false)
    }

    /// The same where the class holds such a column already; else the geometry as it is.
    #[track_caller]
    pub(crate) fn set_if_held(self, name: &str, value: impl Into<AnySocket<'g>>) -> Geo<'g> {
        self.write(name, value.into(), true)
    }

    #[track_caller]
    fn write(self, name: &str, value: AnySocket<'g>, only_if_held: bool) -> Geo<'g> {
        let Some(graph) = self.geometry.graph else {
            return self.geometry;
        };
        let op = crate::cook::construct::WriteColumn {
            class: self.class,
            name: name.into(),
            ty: value.ty,
            only_if_held,
        };
        graph
            .operation(op, vec![self.geometry.into(), value], vec![Type::Geometry])
            .single()
    }

    /// The geometry without a column; as it is where the class holds none of that name.
    #[track_caller]
    pub fn remove(self, name: &str) -> Geo<'g> {
        let Some(graph) = self.geometry.graph else {
            return self.geometry;
        };
        let op = crate::cook::construct::RemoveColumn {
            class: self.class,
            name: name.into(),
        };
        graph
            .operation(op, vec![self.geometry.into()], vec![Type::Geometry])
            .single()
    }

    /// How many elements there are, as a number the cook knows. A geometry whose count lives on the device answers
    /// its capacity.
    #[track_caller]
    pub fn count(self) -> Int<'g> {
        let Some(graph) = self.geometry.graph else {
            return Int {
                graph: None,
                wire: Wire::Refused,
            };
        };
        let op = crate::cook::construct::CountOf { class: self.class };
        graph
            .operation(op, vec![self.geometry.into()], vec![Type::Int])
            .single()
    }
}

impl<'g> Col<'g> {
    /// The column's value at the element it is read for, past its end the last one.
    #[track_caller]
    pub fn read<S: Socket<'g>>(self) -> S {
        super::ops::apply(MathOp::Read(S::TYPE), &[self.into()])
    }
    /// The column's value at another element; past either end the nearest one.
    #[track_caller]
    pub fn gather<S: Socket<'g>>(self, index: impl Into<Int<'g>>) -> S {
        super::ops::apply(MathOp::Gather(S::TYPE), &[self.into(), index.into().into()])
    }
}
