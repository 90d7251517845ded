//! A node: a struct whose fields are its inputs and whose `compose` builds what it is made of.

use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::input::InputValue;
use crate::graph::socket::{AnySocket, Socket, Sockets};
use crate::graph::wire::{Type, Wire};
use std::collections::BTreeMap;

/// What a node states about itself, as data: the registry, the reference page and tools read it.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// The name it is called by, `family.name`.
    pub id: &'static str,
    /// What it makes.
    pub description: &'static str,
    /// What it takes, in the order of a positional call.
    pub inputs: &'static [InputSchema],
    /// What it costs, in words: of its description the paragraph that begins with `Cost:`; empty where there is none.
    pub cost: &'static str,
}

impl Schema {
    /// A schema of these parts; the derive writes it.
    pub const fn new(id: &'static str, description: &'static str, inputs: &'static [InputSchema]) -> Schema {
        Schema {
            id,
            description,
            inputs,
            cost: "",
        }
    }
    /// With what it costs.
    pub const fn cost(mut self, cost: &'static str) -> Schema {
        self.cost = cost;
        self
    }

    /// The family it is of: what its id begins with, `points` of `points.disc`.
    pub fn family(&self) -> &'static str {
        self.id.split_once('.').map_or("", |(family, _)| family)
    }
}

/// One input of a node.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct InputSchema {
    /// The name in documents, scripts and errors, such as `minDist`.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// What it takes.
    pub kind: InputKind,
    /// What it is where a call leaves it out; nothing for a required or an optional input.
    pub default: Option<Default>,
    /// Whether a call must state it.
    pub required: bool,
    /// The least number it takes.
    pub min: Option<f64>,
    /// The greatest number it takes.
    pub max: Option<f64>,
    /// The unit of its numbers, such as `m`.
    pub unit: &'static str,
    /// The names it takes, where it is a choice.
    pub options: &'static [&'static str],
    /// Whether one value an element is refused.
    pub uniform: bool,
}

impl InputSchema {
    /// An input that takes anything of its kind; the derive fills in the rest.
    pub const fn new(name: &'static str, description: &'static str, kind: InputKind) -> InputSchema {
        InputSchema {
            name,
            description,
            kind,
            default: None,
            required: false,
            min: None,
            max: None,
            unit: "",
            options: &[],
            uniform: false,
        }
    }
    /// With a default.
    pub const fn default(mut self, default: Default) -> InputSchema {
        self.default = Some(default);
        self
    }
    /// Stated by every call.
    pub const fn required(mut self) -> InputSchema {
        self.required = true;
        self
    }
    /// Numbers from here on.
    pub const fn min(mut self, min: f64) -> InputSchema {
        self.min = Some(min);
        self
    }
    /// Numbers up to here.
    pub const fn max(mut self, max: f64) -> InputSchema {
        self.max = Some(max);
        self
    }
    /// In this unit.
    pub const fn unit(mut self, unit: &'static str) -> InputSchema {
        self.unit = unit;
        self
    }
    /// One of these names.
    pub const fn options(mut self, options: &'static [&'static str]) -> InputSchema {
        self.options = options;
        self
    }
    /// One value for the whole node.
    pub const fn uniform(mut self) -> InputSchema {
        self.uniform = true;
        self
    }
}

/// What an input takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputKind {
    /// A socket of this type.
    Socket(Type),
    /// Any number of sockets of this type.
    List(Type),
    /// A value the build reads: a whole number.
    PlainInt,
    /// A value the build reads: a number.
    PlainFloat,
    /// A value the build reads: a truth.
    PlainBool,
    /// A value the build reads: a text.
    PlainText,
    /// A value the build reads: one of the input's options.
    Choice,
}

/// A default as data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each holds the value of its name")]
pub enum Default {
    Float(f32),
    Int(i32),
    Bool(bool),
    UInt(u32),
    Vec2([f32; 2]),
    Vec3([f32; 3]),
    Vec4([f32; 4]),
    Quat([f32; 4]),
    Color([f32; 4]),
    Text(&'static str),
}

/// What the derive states of a node's struct.
pub trait NodeInfo {
    /// The node as data.
    fn schema() -> &'static Schema;
    /// Whether the constants it was given are within its ranges.
    fn check(&self) -> Result<()>;
    /// What it was given, by the names of its inputs, in their order, without the optional ones that were left out:
    /// what a document states of it. Nothing of a node that can't say.
    fn given(&self) -> Option<Vec<(&'static str, Given)>> {
        None
    }
}

/// What an input of a node was given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Given {
    /// A socket.
    Wire(Wire),
    /// Several.
    Wires(Vec<Wire>),
    /// A value that the build reads; of a choice its name.
    Plain(Box<InputValue>),
}

/// What a node's author writes: the node in terms of other nodes and the four ops.
pub trait Compose<'g>: NodeInfo + Sized {
    /// What the node answers: a socket, or several.
    type Out: Sockets<'g>;
    /// Builds it. A refusal is reported at the line of the call.
    fn compose(self, g: &'g Graph) -> Result<Self::Out>;
}

/// A choice among names, such as an arrangement: `#[derive(Choice)]` on an enum without fields.
pub trait Choice: Sized + Copy + 'static {
    /// The names, in the order of declaration, in snake_case.
    const OPTIONS: &'static [&'static str];
    /// The value of a name.
    fn from_name(name: &str) -> Option<Self>;
    /// The name of a value.
    fn name(self) -> &'static str;
}

/// A node that can be made from wires: by a document or a script.
pub trait FromWires<'g>: Sized {
    /// The node with the given inputs, the rest by default. Every name must be one of its inputs.
    fn from_wires(wires: Wires<'g>) -> Result<Self>;
}

/// A node's struct whatever graph it borrows; the derive writes it.
pub trait NodeType {
    /// The struct for a graph's lifetime.
    type On<'g>: Compose<'g> + FromWires<'g>;
}

/// One argument of an untyped call.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "a call has a handful of them, for as long as it takes to read them"
)]
pub enum Argument<'g> {
    /// A socket.
    Socket(AnySocket<'g>),
    /// Several.
    List(Vec<AnySocket<'g>>),
    /// A value the build reads, or a constant for a socket.
    Plain(InputValue),
}

impl Argument<'_> {
    fn describe(&self) -> String {
        match self {
            Argument::Socket(socket) => format!("a {}", socket.ty.name()),
            Argument::List(list) => format!("a list of {}", list.len()),
            Argument::Plain(value) => value.describe(),
        }
    }
}

/// The arguments of an untyped call, by input name.
#[derive(Clone, Debug)]
pub struct Wires<'g> {
    schema: &'static Schema,
    given: BTreeMap<String, Argument<'g>>,
}

impl<'g> Wires<'g> {
    /// Arguments for a node; a name it does not take is refused naming the nearest.
    pub fn new(schema: &'static Schema, given: BTreeMap<String, Argument<'g>>) -> Result<Wires<'g>> {
        for name in given.keys() {
            if !schema.inputs.iter().any(|input| input.name == name) {
                let error = Error::unknown("input", name, schema.inputs.iter().map(|input| input.name));
                return Err(Error::Refused(format!("{}: {error}", schema.id)));
            }
        }
        Ok(Wires { schema, given })
    }

    fn refuse(&self, name: &str, expected: &str, found: &str) -> Error {
        Error::Refused(format!("{}.{name}: expected {expected}, got {found}", self.schema.id))
    }

    /// A socket, where the call gives one. A constant becomes one; a whole number widens to a Float.
    pub fn socket<S: Socket<'g>>(&mut self, name: &str) -> Result<Option<S>> {
        let Some(argument) = self.given.remove(name) else {
            return Ok(None);
        };
        let graph = match &argument {
            Argument::Socket(socket) => socket.graph,
            _ => None,
        };
        let constant = |value: &InputValue| value.held_as(S::TYPE).and_then(|held| held.constant());
        let wire = match (&argument, S::TYPE) {
            (Argument::Socket(socket), ty) if socket.ty == ty => socket.wire,
            (Argument::Plain(InputValue::Float(value)), Type::Vec2) => Wire::Vec2([*value; 2]),
            (Argument::Plain(InputValue::Float(value)), Type::Vec3) => Wire::Vec3([*value; 3]),
            (Argument::Plain(InputValue::Float(value)), Type::Vec4) => Wire::Vec4([*value; 4]),
            (found, ty) => match found {
                Argument::Plain(value) if constant(value).is_some() => constant(value).unwrap_or(Wire::Refused),
                _ => return Err(self.refuse(name, &format!("a {}", ty.name()), &found.describe())),
            },
        };
        Ok(Some(S::from_parts(graph, wire)))
    }

    /// A socket that every call must give.
    pub fn required<S: Socket<'g>>(&mut self, name: &str) -> Result<S> {
        self.socket(name)?
            .ok_or_else(|| self.refuse(name, &format!("a {}", S::TYPE.name()), "nothing"))
    }

    /// Any number of sockets; one alone is a list of one.
    pub fn list<S: Socket<'g>>(&mut self, name: &str) -> Result<Option<Vec<S>>> {
        let sockets = match self.given.remove(name) {
            None => return Ok(None),
            Some(Argument::List(sockets)) => sockets,
            Some(Argument::Socket(socket)) => vec![socket],
            Some(other) => return Err(self.refuse(name, &format!("a list of {}", S::TYPE.name()), &other.describe())),
        };
        let typed = |socket: AnySocket<'g>| match socket.ty == S::TYPE {
            true => Ok(S::from_parts(socket.graph, socket.wire)),
            false => Err(self.refuse(name, &format!("a list of {}", S::TYPE.name()), socket.ty.name())),
        };
        sockets.into_iter().map(typed).collect::<Result<Vec<S>>>().map(Some)
    }

    /// A value the build reads, where the call gives one.
    pub fn plain<T: crate::Plain>(&mut self, name: &str) -> Result<Option<T>> {
        match self.given.remove(name) {
            None => Ok(None),
            Some(Argument::Plain(value)) => match T::read(&value) {
                Some(read) => Ok(Some(read)),
                None => Err(self.refuse(name, &format!("a {}", T::NAME), &value.describe())),
            },
            Some(other) => Err(self.refuse(name, &format!("a plain {}", T::NAME), &other.describe())),
        }
    }

    /// One of the input's options, where the call gives one.
    pub fn choice<C: Choice>(&mut self, name: &str) -> Result<Option<C>> {
        let Some(text) = self.plain::<String>(name)? else {
            return Ok(None);
        };
        match C::from_name(&text) {
            Some(choice) => Ok(Some(choice)),
            None => Err(self.refuse(name, &format!("one of {}", C::OPTIONS.join(", ")), &format!("{text:?}"))),
        }
    }
}

/// What the derive's range check calls for one input: a constant outside the range is refused by name. A value that
/// is no constant is not known yet and passes.
pub fn check_range(schema: &Schema, input: &InputSchema, wire: Wire) -> Result<()> {
    for lane in wire.numbers().unwrap_or_default() {
        let low = input.min.is_some_and(|min| lane < min);
        let high = input.max.is_some_and(|max| lane > max);
        if low || high || !lane.is_finite() {
            let bounds = match (input.min, input.max) {
                (Some(min), Some(max)) => format!("{min} to {max}"),
                (Some(min), None) => format!("{min} or more"),
                (None, Some(max)) => format!("{max} or less"),
                (None, None) => "a finite number".to_owned(),
            };
            return Err(Error::Refused(format!(
                "{}.{} is {lane}, expected {bounds}",
                schema.id, input.name
            )));
        }
    }
    Ok(())
}
