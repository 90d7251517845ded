//! The constructs of a document: nodes that the graph itself knows, by the ids `construct.*` and `math.*`.

use super::body::{Passes, refuse_parts};
use super::build::{Env, Outputs, source_of};
use super::{DocArgument, DocNode};
use crate::cook::Operation;
use crate::cook::construct::{
    CountOf, Evaluate, FromColumns, HasColumn, ReadColumn, ReadDetail, RemoveColumn, SetCount, SetDetail, WriteColumn,
};
use crate::cook::list::{CountItems, MergeItems};
use crate::cook::raster::{EvaluateOver, RasterSamples, RasterShape, WithSamples};
use crate::error::{Error, Result, Site};
use crate::graph::input::InputValue;
use crate::graph::math::MathOp;
use crate::graph::ops::apply_any;
use crate::graph::scope::StepInfo;
use crate::graph::socket::{AnySocket, Bool, Int, Socket};
use crate::graph::wire::{Class, ClockField, Type, Wire};
use std::collections::BTreeMap;

/// The constructs by id, with the names of what each takes.
const CONSTRUCTS: [(&str, &[&str]); 34] = [
    ("construct.pick", &["choice", "alternatives"]),
    ("construct.where", &["cond", "a", "b"]),
    ("construct.compare", &["a", "op", "b"]),
    ("construct.check", &["cond", "message"]),
    ("construct.has", &["geometry", "class", "name"]),
    ("construct.count", &["geometry", "class"]),
    ("construct.count_set", &["geometry", "class", "count"]),
    ("construct.column", &["geometry", "class", "name"]),
    ("construct.column_set", &["geometry", "class", "name", "value"]),
    ("construct.column_remove", &["geometry", "class", "name"]),
    ("construct.detail", &["geometry", "name", "type"]),
    ("construct.detail_set", &["geometry", "name", "value"]),
    ("construct.element", &["class", "name", "type"]),
    ("construct.clock", &["field"]),
    ("construct.list", &["items"]),
    ("construct.item", &["list", "index", "type"]),
    ("construct.list_count", &["list"]),
    ("construct.list_merge", &["list"]),
    ("construct.fold", &["count", "init"]),
    ("construct.for", &["list", "type", "count", "carry"]),
    ("construct.step", &["dt", "substeps", "count"]),
    ("construct.step_sample", &["step", "value"]),
    ("construct.step_between", &["step", "index"]),
    ("construct.constant", &["type", "value"]),
    ("construct.draw", &["seed", "scope", "channel", "element"]),
    ("construct.read", &["column", "type"]),
    ("construct.gather", &["column", "index", "type"]),
    ("construct.evaluate", &["count", "value", "exact"]),
    ("construct.empty", &[]),
    ("construct.from_columns", &["count", "columns", "types"]),
    ("construct.raster_samples", &["raster"]),
    ("construct.raster_shape", &["raster"]),
    ("construct.raster_with_samples", &["raster", "samples"]),
    ("construct.raster_evaluate", &["geometry", "class", "value"]),
];

/// The operators by name, with how many operands each takes: `a`, `b` and `c`.
pub(super) const OPERATORS: [(MathOp, usize); 53] = [
    (MathOp::Add, 2),
    (MathOp::Sub, 2),
    (MathOp::Mul, 2),
    (MathOp::Div, 2),
    (MathOp::Mod, 2),
    (MathOp::Min, 2),
    (MathOp::Max, 2),
    (MathOp::Pow, 2),
    (MathOp::Atan2, 2),
    (MathOp::Neg, 1),
    (MathOp::Abs, 1),
    (MathOp::Sign, 1),
    (MathOp::Floor, 1),
    (MathOp::Ceil, 1),
    (MathOp::Fract, 1),
    (MathOp::Sqrt, 1),
    (MathOp::Sin, 1),
    (MathOp::Cos, 1),
    (MathOp::Exp2, 1),
    (MathOp::Log2, 1),
    (MathOp::Tanh, 1),
    (MathOp::Not, 1),
    (MathOp::And, 2),
    (MathOp::Or, 2),
    (MathOp::Lerp, 3),
    (MathOp::Smoothstep, 3),
    (MathOp::Dot, 2),
    (MathOp::Cross, 2),
    (MathOp::Length, 1),
    (MathOp::Normalize, 1),
    (MathOp::ToFloat, 1),
    (MathOp::ToInt, 1),
    (MathOp::Make(Type::Vec2), 2),
    (MathOp::Make(Type::Vec3), 3),
    (MathOp::Make(Type::Vec4), 4),
    (MathOp::Make(Type::Color), 4),
    (MathOp::As(Type::Vec2), 1),
    (MathOp::As(Type::Vec3), 1),
    (MathOp::As(Type::Vec4), 1),
    (MathOp::As(Type::Quat), 1),
    (MathOp::As(Type::Color), 1),
    (MathOp::Lane(0), 1),
    (MathOp::Lane(1), 1),
    (MathOp::Lane(2), 1),
    (MathOp::Lane(3), 1),
    (MathOp::Same, 1),
    (MathOp::ToUInt, 1),
    (MathOp::Rotate, 2),
    (MathOp::Compose, 2),
    (MathOp::Conjugate, 1),
    (MathOp::AxisAngle, 2),
    (MathOp::Slerp, 3),
    (MathOp::Make(Type::Quat), 4),
];

pub(super) const OPERANDS: [&str; 4] = ["a", "b", "c", "d"];

/// What a document calls an operator.
pub(super) fn operator_id(op: MathOp) -> String {
    match op {
        MathOp::Lane(lane) => format!(
            "math.{}",
            ["x", "y", "z", "w"].get(usize::from(lane)).unwrap_or(&"lane")
        ),
        _ => op.name(),
    }
}

/// Whether the id is of a construct and not of a node of the registry.
pub(super) fn is_construct(id: &str) -> bool {
    id.starts_with("construct.") || id.starts_with("math.")
}

/// What a construct of a document is given.
pub(super) struct Given<'a, 'd, 'g> {
    pub(super) env: &'a Env<'d, 'g>,
    pub(super) arguments: &'a BTreeMap<String, DocArgument>,
}

/// Adds a construct and answers its outputs.
pub(super) fn call<'d, 'g>(
    env: &Env<'d, 'g>,
    name: &str,
    node: &'d DocNode,
    path: &str,
    arguments: &BTreeMap<String, DocArgument>,
) -> Result<Outputs<'g>> {
    let (given, id) = (Given { env, arguments }, node.node.as_str());
    let operator = OPERATORS.iter().find(|(op, _)| operator_id(*op) == id);
    let construct = CONSTRUCTS.iter().find(|(name, _)| *name == id);
    let taken: &[&str] = match (construct, operator) {
        (Some((_, taken)), _) => taken,
        (None, Some((_, operands))) => &OPERANDS[..*operands],
        (None, None) => {
            let names: Vec<String> = OPERATORS.iter().map(|(op, _)| operator_id(*op)).collect();
            let known = CONSTRUCTS.iter().map(|(name, _)| *name);
            return Err(Error::unknown(
                "node",
                id,
                known.chain(names.iter().map(String::as_str)),
            ));
        }
    };
    if let Some(name) = arguments.keys().find(|name| !taken.contains(&name.as_str())) {
        return Err(Error::unknown("input", name, taken.iter().copied()));
    }
    let passes = Passes {
        given: &given,
        name,
        node,
        path,
    };
    match id {
        "construct.fold" => return passes.fold(),
        "construct.for" => return passes.each(),
        "construct.step" => return passes.step(),
        "construct.raster_shape" => {
            refuse_parts(node, &[])?;
            return given.raster_shape();
        }
        _ => refuse_parts(node, &[])?,
    }
    let value = match operator {
        Some((op, operands)) => {
            let operands = OPERANDS.iter().take(*operands);
            let operands: Vec<AnySocket<'g>> = operands.map(|name| given.number(name)).collect::<Result<_>>()?;
            Some(apply_any(env.g, *op, &operands))
        }
        None => given.construct(id)?,
    };
    Ok(value.map(|socket| ("value".to_owned(), socket)).into_iter().collect())
}

impl<'g> Given<'_, '_, 'g> {
    fn construct(&self, id: &str) -> Result<Option<AnySocket<'g>>> {
        let g = self.env.g;
        Ok(Some(match id {
            "construct.pick" => self.pick()?,
            "construct.where" => self.choose()?,
            "construct.compare" => {
                let op = match self.text("op")? {
                    "eq" => MathOp::Eq,
                    "neq" => MathOp::Ne,
                    "lt" => MathOp::Lt,
                    "le" => MathOp::Le,
                    "gt" => MathOp::Gt,
                    "ge" => MathOp::Ge,
                    other => return Err(kind("op", "one of eq, neq, lt, le, gt, ge", other)),
                };
                apply_any(g, op, &[self.number("a")?, self.number("b")?])
            }
            "construct.check" => {
                let cond = self.of("cond", Type::Bool)?;
                g.check(Bool::from_parts(Some(g), cond.wire), self.text("message")?);
                return Ok(None);
            }
            "construct.has" => {
                let (class, name) = (self.class()?, self.text("name")?);
                let geometry = self.of("geometry", Type::Geometry)?;
                match g.holds(geometry.wire, class, name) {
                    Some(known) => self.constant(Wire::Bool(known), Type::Bool),
                    None => {
                        let name = name.into();
                        self.operation(HasColumn { class, name }, vec![geometry], Type::Bool)
                    }
                }
            }
            "construct.count" => self.edit(CountOf { class: self.class()? }, None, Type::Int)?,
            "construct.count_set" => {
                let count = self.socket("count")?;
                self.edit(SetCount { class: self.class()? }, Some(count), Type::Geometry)?
            }
            "construct.column" => {
                let (class, name) = (self.class()?, self.text("name")?.into());
                self.edit(ReadColumn { class, name }, None, Type::Column)?
            }
            "construct.column_set" => {
                let (class, name, value) = (self.class()?, self.text("name")?.into(), self.socket("value")?);
                let op = WriteColumn {
                    class,
                    name,
                    ty: value.ty,
                    only_if_held: false,
                };
                self.edit(op, Some(value), Type::Geometry)?
            }
            "construct.column_remove" => {
                let (class, name) = (self.class()?, self.text("name")?.into());
                self.edit(RemoveColumn { class, name }, None, Type::Geometry)?
            }
            "construct.detail" => {
                let (name, ty) = (self.text("name")?.into(), self.ty()?);
                self.edit(ReadDetail { name, ty }, None, ty)?
            }
            "construct.detail_set" => {
                let value = self.socket("value")?;
                let name = self.text("name")?.into();
                self.edit(SetDetail { name }, Some(value), Type::Geometry)?
            }
            "construct.element" => self.element()?,
            "construct.clock" => {
                let name = self.text("field")?;
                let Some(field) = ClockField::ALL.into_iter().find(|field| clock_name(*field) == name) else {
                    let known = "one of time, frame, delta, fps, duration, rotation, entity, stands, placement0 to \
                                 placement3, inverse0 to inverse3";
                    return Err(kind("field", known, name));
                };
                self.constant(Wire::Clock(field), field.ty())
            }
            "construct.list" => {
                let (items, _) = self.list("items")?;
                self.constant(
                    g.list_wire(1, items.iter().map(|item| item.wire).collect(), Site::caller()),
                    Type::List,
                )
            }
            "construct.item" => {
                let (list, index, ty) = (self.of("list", Type::List)?, self.of("index", Type::Int)?, self.ty()?);
                let wires = g.item_wires(list, index, &[ty], Site::caller());
                self.constant(wires.first().copied().unwrap_or(Wire::Refused), ty)
            }
            "construct.step_sample" => {
                let (step, value) = (self.open_step()?, self.number("value")?);
                self.constant(g.sampled(step.scope(), value.wire, Site::caller()), value.ty)
            }
            "construct.step_between" => {
                let index = self.of("index", Type::Int)?;
                self.open_step()?.between(Int::from_parts(Some(g), index.wire)).into()
            }
            "construct.constant" => self.typed_constant()?,
            "construct.draw" => {
                let seed = match self.arguments.get("seed") {
                    None => 0,
                    Some(DocArgument::Int(seed)) if *seed >= 0 => seed.cast_unsigned(),
                    Some(DocArgument::UInt(seed)) => *seed,
                    Some(_) => return Err(kind("seed", "a whole number from 0 on", "another value")),
                };
                let scope = if self.has("scope") {
                    self.text("scope")?
                } else {
                    "graph"
                };
                let element = match self.has("element") {
                    true => Int::from_parts(Some(g), self.of("element", Type::Int)?.wire),
                    false => g.element().id(),
                };
                g.draw(seed, scope, self.text("channel")?, element).into()
            }
            "construct.read" => apply_any(
                g,
                MathOp::Read(self.column_type()?),
                &[self.of("column", Type::Column)?],
            ),
            "construct.gather" => {
                let operands = [self.of("column", Type::Column)?, self.of("index", Type::Int)?];
                apply_any(g, MathOp::Gather(self.column_type()?), &operands)
            }
            "construct.evaluate" => {
                let exact = match self.arguments.get("exact") {
                    None => false,
                    Some(DocArgument::Bool(exact)) => *exact,
                    Some(_) => return Err(kind("exact", "a truth that the build knows", "another value")),
                };
                let value = self.socket("value")?;
                let count = self.socket("count")?;
                if !matches!(count.ty, Type::Int | Type::Column) {
                    return Err(kind("count", "an Int or a Column", &format!("a {}", count.ty.name())));
                }
                self.operation(Evaluate { ty: value.ty, exact }, vec![count, value], Type::Column)
            }
            "construct.empty" => g.empty().into(),
            "construct.from_columns" => self.points_of_columns()?,
            "construct.raster_samples" => {
                self.operation(RasterSamples, vec![self.of("raster", Type::Raster)?], Type::Column)
            }
            "construct.raster_with_samples" => {
                let inputs = vec![self.of("raster", Type::Raster)?, self.of("samples", Type::Column)?];
                self.operation(WithSamples, inputs, Type::Raster)
            }
            "construct.raster_evaluate" => {
                let (class, value) = (self.class()?, self.socket("value")?);
                self.edit(EvaluateOver { class, ty: value.ty }, Some(value), Type::Column)?
            }
            "construct.list_count" => self.operation(CountItems, vec![self.of("list", Type::List)?], Type::Int),
            _ => self.operation(MergeItems, vec![self.of("list", Type::List)?], Type::Geometry),
        }))
    }

    /// By a name among named alternatives, or by a place among listed ones.
    fn pick(&self) -> Result<AnySocket<'g>> {
        if let Some(DocArgument::Named(alternatives)) = self.arguments.get("alternatives") {
            let name = self.text("choice")?;
            return match alternatives.get(name) {
                Some(source) => source_of(source, self.env),
                None => Err(Error::unknown(
                    "alternative",
                    name,
                    alternatives.keys().map(String::as_str),
                )),
            };
        }
        let choice = self.socket("choice")?;
        if !matches!(choice.ty, Type::Int | Type::Bool) {
            return Err(kind("choice", "an Int or a Bool", &format!("a {}", choice.ty.name())));
        }
        let (alternatives, ty) = self.list("alternatives")?;
        let wires: Vec<Vec<Wire>> = alternatives.iter().map(|held| vec![held.wire]).collect();
        let taken = self.env.g.pick_wires(choice, &[ty], &wires, Site::caller());
        Ok(self.constant(taken.first().copied().unwrap_or(Wire::Refused), ty))
    }

    fn choose(&self) -> Result<AnySocket<'g>> {
        let (cond, a, b) = (self.of("cond", Type::Bool)?, self.socket("a")?, self.socket("b")?);
        match cond.wire {
            Wire::Bool(true) => Ok(a),
            Wire::Bool(false) => Ok(b),
            _ if a.ty.lanes().is_some() && b.ty.lanes().is_some() => {
                Ok(apply_any(self.env.g, MathOp::Where, &[cond, a, b]))
            }
            _ if a.ty == b.ty => {
                let taken = self
                    .env
                    .g
                    .pick_wires(cond, &[a.ty], &[vec![b.wire], vec![a.wire]], Site::caller());
                Ok(self.constant(taken.first().copied().unwrap_or(Wire::Refused), a.ty))
            }
            _ => Err(kind("b", &format!("a {}", a.ty.name()), &format!("a {}", b.ty.name()))),
        }
    }

    /// A column of the element, its number where it is called `id`.
    fn element(&self) -> Result<AnySocket<'g>> {
        let name = self.text("name")?;
        if name == "id" && !self.arguments.contains_key("class") {
            return Ok(self.env.g.element().id().into());
        }
        let ty = self.ty()?;
        if ty.lanes().is_none() {
            return Err(kind("type", "a type of numbers", ty.name()));
        }
        Ok(self.constant(self.env.g.element_wire(self.class()?, name, ty), ty))
    }

    /// A constant of a stated type, for those that a number alone doesn't say.
    fn typed_constant(&self) -> Result<AnySocket<'g>> {
        let (ty, value) = (self.ty()?, self.argument("value")?);
        let given = match value {
            DocArgument::Bool(value) => Some(InputValue::Bool(*value)),
            DocArgument::Int(value) => Some(InputValue::Int(*value)),
            DocArgument::UInt(value) => Some(InputValue::UInt(*value)),
            DocArgument::Float(value) => Some(InputValue::Float(*value)),
            DocArgument::Vec2(value) => Some(InputValue::Vec2(*value)),
            DocArgument::Vec3(value) => Some(InputValue::Vec3(*value)),
            DocArgument::Vec4(value) => Some(InputValue::Vec4(*value)),
            _ => None,
        };
        let held = given.and_then(|given| given.held_as(ty)?.constant());
        match held {
            Some(wire) => Ok(self.constant(wire, ty)),
            None => Err(kind("value", &format!("a {}", ty.name()), "another value")),
        }
    }

    /// What a column is read as.
    fn column_type(&self) -> Result<Type> {
        let ty = self.ty()?;
        match ty.lanes() {
            Some(_) => Ok(ty),
            None => Err(kind("type", "a type of numbers", ty.name())),
        }
    }

    fn points_of_columns(&self) -> Result<AnySocket<'g>> {
        let Some(DocArgument::Named(named)) = self.arguments.get("columns") else {
            return Err(kind("columns", "columns by name", "another value"));
        };
        let types = self.text("types")?.split_whitespace().map(|name| self.numeric(name));
        let types: Vec<Type> = types.collect::<Result<_>>()?;
        if types.len() != named.len() {
            let expected = format!("{} types, in the order of the names", named.len());
            return Err(kind("types", &expected, &types.len().to_string()));
        }
        let mut inputs = vec![self.of("count", Type::Int)?];
        for (name, source) in named {
            let column = source_of(source, self.env)?;
            if column.ty != Type::Column {
                return Err(kind(
                    &format!("columns.{name}"),
                    "a Column",
                    &format!("a {}", column.ty.name()),
                ));
            }
            inputs.push(column);
        }
        let columns = named.keys().zip(types).map(|(name, ty)| (name.as_str().into(), ty));
        let op = FromColumns {
            columns: columns.collect(),
        };
        Ok(self.operation(op, inputs, Type::Geometry))
    }

    /// The parts of a raster, by name.
    fn raster_shape(&self) -> Result<Outputs<'g>> {
        let inputs = vec![self.of("raster", Type::Raster)?];
        let types = RasterShape::OUTPUTS;
        let out = self.env.g.operation(RasterShape, inputs, types.to_vec());
        let parts = RASTER_PARTS.iter().zip(types).enumerate();
        Ok(parts
            .map(|(place, (name, ty))| ((*name).to_owned(), self.constant(out.wire(place), ty)))
            .collect())
    }

    fn edit(&self, op: impl Operation, value: Option<AnySocket<'g>>, out: Type) -> Result<AnySocket<'g>> {
        let mut inputs = vec![self.of("geometry", Type::Geometry)?];
        inputs.extend(value);
        Ok(self.operation(op, inputs, out))
    }

    fn operation(&self, op: impl Operation, inputs: Vec<AnySocket<'g>>, out: Type) -> AnySocket<'g> {
        self.env.g.operation(op, inputs, vec![out]).any()
    }

    pub(super) fn constant(&self, wire: Wire, ty: Type) -> AnySocket<'g> {
        AnySocket {
            graph: Some(self.env.g),
            wire,
            ty,
        }
    }

    /// The step in whose body the construct stands.
    fn open_step(&self) -> Result<StepInfo<'g>> {
        let name = self.text("step")?;
        let step = self.env.g.open_step(name);
        step.ok_or_else(|| {
            kind(
                "step",
                "the node of a step in whose body this stands",
                &format!("'{name}'"),
            )
        })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.arguments.contains_key(name)
    }

    fn argument(&self, name: &str) -> Result<&DocArgument> {
        self.arguments
            .get(name)
            .ok_or_else(|| Error::Refused(format!("{name}: expected a value, got nothing")))
    }

    pub(super) fn socket(&self, name: &str) -> Result<AnySocket<'g>> {
        let (wire, ty) = match self.argument(name)? {
            DocArgument::Bool(value) => (Wire::Bool(*value), Type::Bool),
            DocArgument::Int(value) => (Wire::Int(*value), Type::Int),
            DocArgument::UInt(value) => (Wire::UInt(*value), Type::UInt),
            DocArgument::Float(value) => (Wire::Float(*value), Type::Float),
            DocArgument::Vec2(value) => (Wire::Vec2(*value), Type::Vec2),
            DocArgument::Vec3(value) => (Wire::Vec3(*value), Type::Vec3),
            DocArgument::Vec4(value) => (Wire::Vec4(*value), Type::Vec4),
            DocArgument::Source(source) => {
                return source_of(source, self.env).map_err(|error| Error::Refused(format!("{name}: {error}")));
            }
            DocArgument::Text(text) => return Err(kind(name, "a value", &format!("the text {text:?}"))),
            DocArgument::Sources(list) => return Err(kind(name, "a value", &format!("a list of {}", list.len()))),
            DocArgument::Named(named) => return Err(kind(name, "a value", &format!("{} named values", named.len()))),
        };
        Ok(self.constant(wire, ty))
    }

    pub(super) fn of(&self, name: &str, ty: Type) -> Result<AnySocket<'g>> {
        let socket = self.socket(name)?;
        match socket.ty == ty {
            true => Ok(socket),
            false => Err(kind(
                name,
                &format!("a {}", ty.name()),
                &format!("a {}", socket.ty.name()),
            )),
        }
    }

    fn number(&self, name: &str) -> Result<AnySocket<'g>> {
        let socket = self.socket(name)?;
        match socket.ty.lanes() {
            Some(_) => Ok(socket),
            None => Err(kind(name, "a number or a vector", &format!("a {}", socket.ty.name()))),
        }
    }

    /// Values of one type.
    fn list(&self, name: &str) -> Result<(Vec<AnySocket<'g>>, Type)> {
        let DocArgument::Sources(sources) = self.argument(name)? else {
            return Err(kind(name, "a list of nodes", "one value"));
        };
        let values: Vec<AnySocket<'g>> = sources
            .iter()
            .map(|source| source_of(source, self.env))
            .collect::<Result<_>>()?;
        let Some(ty) = values.first().map(|value| value.ty) else {
            return Err(kind(name, "at least one value", "none"));
        };
        match values.iter().find(|value| value.ty != ty) {
            None => Ok((values, ty)),
            Some(other) => Err(kind(
                name,
                &format!("values of type {}", ty.name()),
                &format!("a {}", other.ty.name()),
            )),
        }
    }

    fn text(&self, name: &str) -> Result<&str> {
        match self.argument(name)? {
            DocArgument::Text(text) => Ok(text),
            _ => Err(kind(name, "a text", "another value")),
        }
    }

    fn class(&self) -> Result<Class> {
        let name = self.text("class")?;
        let found = Class::ALL.into_iter().find(|class| class.name() == name);
        found.ok_or_else(|| Error::unknown("class", name, Class::ALL.map(Class::name)))
    }

    pub(super) fn ty(&self) -> Result<Type> {
        named_type(self.text("type")?)
    }

    /// A type of numbers by its name.
    pub(super) fn numeric(&self, name: &str) -> Result<Type> {
        let ty = named_type(name)?;
        match ty.lanes() {
            Some(_) if ty != Type::Bool => Ok(ty),
            _ => Err(kind("state", "a type of numbers", ty.name())),
        }
    }
}

/// The parts of a raster, in the order of [`RasterShape::OUTPUTS`].
pub(super) const RASTER_PARTS: [&str; 6] = ["width", "height", "spacingX", "spacingZ", "originX", "originZ"];

/// What a document calls a field of the clock.
pub(super) fn clock_name(field: ClockField) -> String {
    match field {
        ClockField::Placement(column) => format!("placement{column}"),
        ClockField::Inverse(column) => format!("inverse{column}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn named_type(name: &str) -> Result<Type> {
    let found = Type::ALL.into_iter().find(|ty| ty.name() == name);
    found.ok_or_else(|| Error::unknown("type", name, Type::ALL.map(Type::name)))
}

pub(super) fn kind(what: &str, expected: &str, found: &str) -> Error {
    Error::Kind {
        what: what.to_owned(),
        expected: expected.to_owned(),
        found: found.to_owned(),
    }
}
