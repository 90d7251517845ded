//! The constructs: what the cook itself knows of geometry.

use super::{Cook, Holds, Operation, Over};
use crate::error::{Error, Result, Site};
use crate::graph::wire::{Class, Type};
use crate::value::{Count, Geometry, KeyHasher, Number, Value};
use std::sync::Arc;
use zero_compute::{Column, Element, kernels};

/// The most elements of one class. A device whose bindings are smaller refuses the first column that does not fit,
/// naming both numbers.
pub(crate) const MAX_ELEMENTS: u32 = 1 << 25;

fn input(inputs: &[Value], index: usize) -> Result<&Value> {
    inputs
        .get(index)
        .ok_or_else(|| Error::Refused(format!("input {} is missing", index + 1)))
}

/// `geometry` to a column of it.
#[derive(Debug)]
pub(crate) struct ReadColumn {
    pub(crate) class: Class,
    pub(crate) name: Arc<str>,
}

impl Operation for ReadColumn {
    fn id(&self) -> &'static str {
        "construct.column"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name()).text(&self.name);
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let geometry = input(inputs, 0)?.geometry()?;
        Ok(vec![Value::Column(
            geometry.column(self.class, &self.name)?.column.clone(),
        )])
    }
}

/// `geometry` to how many elements a class has room for.
#[derive(Debug)]
pub(crate) struct CountOf {
    pub(crate) class: Class,
}

impl Operation for CountOf {
    fn id(&self) -> &'static str {
        "construct.count"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name());
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let count = input(inputs, 0)?.geometry()?.count(self.class).capacity();
        Ok(vec![Value::Number(Number::int(count.cast_signed()))])
    }
}

/// `count...` to as many points as the product of the counts, that hold nothing yet.
#[derive(Debug)]
pub(crate) struct NewPoints;

impl Operation for NewPoints {
    fn id(&self) -> &'static str {
        "construct.points"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn holds(&self, _class: Class, _name: &str) -> Holds {
        Holds::No
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let mut count: u64 = 1;
        for side in inputs {
            count = count.saturating_mul(cx.decide_int(side)?.max(0) as u64);
        }
        let count = u32::try_from(count)
            .ok()
            .filter(|count| *count <= MAX_ELEMENTS)
            .ok_or_else(|| Error::Refused(format!("points: expected at most {MAX_ELEMENTS} elements, got {count}")))?;
        let mut geometry = Geometry::new();
        geometry.set_count(Class::Point, Count::Known(count))?;
        Ok(vec![Value::Geometry(geometry)])
    }
}

/// Nothing to a geometry of no elements.
#[derive(Debug)]
pub(crate) struct Empty;

impl Operation for Empty {
    fn id(&self) -> &'static str {
        "construct.empty"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn holds(&self, _class: Class, _name: &str) -> Holds {
        Holds::No
    }
    fn cook(&self, _cx: &mut Cook<'_>, _inputs: &[Value]) -> Result<Vec<Value>> {
        Ok(vec![Value::Geometry(Geometry::new())])
    }
}

/// `geometry` to whether a class holds a column.
#[derive(Debug)]
pub(crate) struct HasColumn {
    pub(crate) class: Class,
    pub(crate) name: Arc<str>,
}

impl Operation for HasColumn {
    fn id(&self) -> &'static str {
        "construct.has"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name()).text(&self.name);
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let names = input(inputs, 0)?.geometry()?.names(self.class);
        let has = names.iter().any(|name| **name == *self.name);
        Ok(vec![Value::Number(Number::truth(has))])
    }
}

/// `geometry, count` to the geometry with so many elements of a class that holds no column: a number, or as many as a
/// run has.
#[derive(Debug)]
pub(crate) struct SetCount {
    pub(crate) class: Class,
}

impl Operation for SetCount {
    fn id(&self) -> &'static str {
        "construct.count_set"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name());
    }
    fn holds(&self, _class: Class, _name: &str) -> Holds {
        Holds::AsInput(0)
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let mut geometry = input(inputs, 0)?.geometry()?.clone();
        let count = match input(inputs, 1)? {
            Value::Column(run) => Count::of(run),
            number => Count::Known(cx.decide_count("count", number, MAX_ELEMENTS)?),
        };
        geometry.set_count(self.class, count)?;
        Ok(vec![Value::Geometry(geometry)])
    }
}

/// `geometry` to a value that stands for the whole of it.
#[derive(Debug)]
pub(crate) struct ReadDetail {
    pub(crate) name: Arc<str>,
    pub(crate) ty: Type,
}

impl Operation for ReadDetail {
    fn id(&self) -> &'static str {
        "construct.detail"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(&self.name).text(self.ty.name());
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let geometry = input(inputs, 0)?.geometry()?;
        let Some(value) = geometry.detail(&self.name) else {
            let names = geometry.names(Class::Detail);
            return Err(Error::missing("detail", &self.name, names.iter().map(|name| &**name)));
        };
        if value.ty() != self.ty {
            return Err(Error::Kind {
                what: format!("detail.{}", self.name),
                expected: self.ty.name().to_owned(),
                found: value.describe(),
            });
        }
        Ok(vec![value.clone()])
    }
}

/// `count, column...` to points that hold the columns.
#[derive(Debug)]
pub(crate) struct FromColumns {
    pub(crate) columns: Vec<(Arc<str>, Type)>,
}

impl Operation for FromColumns {
    fn id(&self) -> &'static str {
        "construct.from_columns"
    }
    fn digest(&self, key: &mut KeyHasher) {
        for (name, ty) in &self.columns {
            key.text(name).text(ty.name());
        }
    }
    fn holds(&self, class: Class, name: &str) -> Holds {
        match class == Class::Point && self.columns.iter().any(|(held, _)| **held == *name) {
            true => Holds::Yes,
            false => Holds::No,
        }
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let mut geometry = Geometry::new();
        for (index, (name, ty)) in self.columns.iter().enumerate() {
            geometry.set(Class::Point, name, input(inputs, index + 1)?.column()?.clone(), *ty)?;
        }
        Ok(vec![Value::Geometry(geometry)])
    }
}

/// `geometry, value` to the geometry with a column written: a field over the class, a number for every element, or a
/// run of the class's length.
#[derive(Debug)]
pub(crate) struct WriteColumn {
    pub(crate) class: Class,
    pub(crate) name: Arc<str>,
    pub(crate) ty: Type,
    /// Leave the geometry alone where it holds no such column, as a transform does with normals.
    pub(crate) only_if_held: bool,
}

impl Operation for WriteColumn {
    fn id(&self) -> &'static str {
        "construct.column_set"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name())
            .text(&self.name)
            .text(self.ty.name())
            .u32(self.only_if_held.into());
    }
    fn holds(&self, class: Class, name: &str) -> Holds {
        match class == self.class && *name == *self.name && !self.only_if_held {
            true => Holds::Yes,
            false => Holds::AsInput(0),
        }
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let mut geometry = input(inputs, 0)?.geometry()?.clone();
        if self.only_if_held && geometry.attribute(self.class, &self.name).is_none() {
            return Ok(vec![Value::Geometry(geometry)]);
        }
        let value = input(inputs, 1)?;
        let ty = match value {
            Value::Column(run) if self.ty == Type::Column => run_type(run),
            _ => self.ty,
        };
        let over = Over::class(&geometry, self.class);
        let column = cx.evaluate(value, ty, &over)?;
        geometry.set(self.class, &self.name, column, ty)?;
        Ok(vec![Value::Geometry(geometry)])
    }
}

/// What a run is as a column, where nothing else says so.
pub(crate) fn run_type(run: &Column) -> Type {
    match (run.lanes(), run.element()) {
        (4.., _) => Type::Vec4,
        (3, _) => Type::Vec3,
        (2, _) => Type::Vec2,
        (_, Element::I32) => Type::Int,
        (_, Element::U32) => Type::UInt,
        (_, Element::F32) => Type::Float,
    }
}

/// `geometry` as it is, refused where it is a population.
#[derive(Debug)]
pub(crate) struct NoPopulation;

impl Operation for NoPopulation {
    fn id(&self) -> &'static str {
        "construct.no_population"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn holds(&self, _class: Class, _name: &str) -> Holds {
        Holds::AsInput(0)
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let geometry = input(inputs, 0)?.geometry()?;
        match geometry.mesh() {
            None => Ok(vec![Value::Geometry(geometry.clone())]),
            Some(_) => Err(Error::Refused("expected a mesh or points, got a population".to_owned())),
        }
    }
}

/// `geometry` to the geometry without a column.
#[derive(Debug)]
pub(crate) struct RemoveColumn {
    pub(crate) class: Class,
    pub(crate) name: Arc<str>,
}

impl Operation for RemoveColumn {
    fn id(&self) -> &'static str {
        "construct.column_remove"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.class.name()).text(&self.name);
    }
    fn holds(&self, class: Class, name: &str) -> Holds {
        match class == self.class && *name == *self.name {
            true => Holds::No,
            false => Holds::AsInput(0),
        }
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let mut geometry = input(inputs, 0)?.geometry()?.clone();
        geometry.remove(self.class, &self.name);
        Ok(vec![Value::Geometry(geometry)])
    }
}

/// `geometry, value` to the geometry with a value that stands for the whole.
#[derive(Debug)]
pub(crate) struct SetDetail {
    pub(crate) name: Arc<str>,
}

impl Operation for SetDetail {
    fn id(&self) -> &'static str {
        "construct.detail_set"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(&self.name);
    }
    fn holds(&self, class: Class, name: &str) -> Holds {
        match class == Class::Detail && *name == *self.name {
            true => Holds::Yes,
            false => Holds::AsInput(0),
        }
    }
    fn cook(&self, _cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let mut geometry = input(inputs, 0)?.geometry()?.clone();
        geometry.set_detail(&self.name, input(inputs, 1)?.clone());
        Ok(vec![Value::Geometry(geometry)])
    }
}

/// `cond` to nothing: a cook stops with the message where the condition does not hold.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) message: Arc<str>,
    pub(crate) site: Site,
}

impl Operation for Check {
    fn id(&self) -> &'static str {
        "construct.check"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(&self.message);
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        cx.guard(input(inputs, 0)?, &self.message, self.site)?;
        Ok(Vec::new())
    }
}

/// `count, value` to a run of that many elements.
#[derive(Debug)]
pub(crate) struct Evaluate {
    pub(crate) ty: Type,
    /// Whether the values decide something, and must have the same bits on every device.
    pub(crate) exact: bool,
}

impl Operation for Evaluate {
    fn id(&self) -> &'static str {
        "construct.evaluate"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.ty.name()).u32(self.exact.into());
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let over = match input(inputs, 0)? {
            Value::Column(column) => Over {
                count: Count::of(column),
                geometry: None,
                class: Class::Point,
            },
            count => Over::count(cx.decide_count("evaluate", count, MAX_ELEMENTS)?),
        };
        let value = input(inputs, 1)?;
        let column = match self.exact {
            true => cx.evaluate_exact(value, self.ty, &over)?,
            false => cx.evaluate(value, self.ty, &over)?,
        };
        Ok(vec![Value::Column(column)])
    }
}

/// `count, index, values` to a run of `count` elements, each the sum of the values whose index names it. The sums are
/// taken in fixed point, so that their order does not matter.
#[derive(Debug)]
pub(crate) struct SumAt {
    pub(crate) fraction_bits: u32,
}

impl Operation for SumAt {
    fn id(&self) -> &'static str {
        "construct.sum_at"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.u32(self.fraction_bits);
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let count = cx.decide_count("sum", input(inputs, 0)?, MAX_ELEMENTS)?;
        let (index, values) = (input(inputs, 1)?.column()?, input(inputs, 2)?.column()?);
        let sums = cx.device().column(values.element(), values.lanes(), count)?;
        // A recorded list runs again over the same run, so the zeros are part of the list.
        cx.recorder().fill(&sums, 0)?;
        let how = kernels::Scatter::AddFixed {
            fraction_bits: self.fraction_bits,
        };
        kernels::scatter(cx.recorder(), values, index, &sums, how)?;
        Ok(vec![Value::Column(sums)])
    }
}

/// A mesh as data, uploaded when it is cooked.
#[derive(Debug)]
pub(crate) struct MeshLiteral {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[i32; 3]>,
}

impl Operation for MeshLiteral {
    fn id(&self) -> &'static str {
        "transfer.upload"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.bytes(bytemuck::cast_slice(&self.positions));
        key.bytes(bytemuck::cast_slice(&self.normals));
        key.bytes(bytemuck::cast_slice(&self.triangles));
    }
    fn cook(&self, cx: &mut Cook<'_>, _inputs: &[Value]) -> Result<Vec<Value>> {
        let mut geometry = Geometry::new();
        let positions = cx.upload::<f32>(bytemuck::cast_slice(&self.positions), 3)?;
        let normals = cx.upload::<f32>(bytemuck::cast_slice(&self.normals), 3)?;
        geometry.set(Class::Point, "P", positions, Type::Vec3)?;
        geometry.set(Class::Point, "N", normals, Type::Vec3)?;
        let corners = cx.upload::<i32>(bytemuck::cast_slice(&self.triangles), 1)?;
        geometry.set(Class::Vertex, "pt", corners, Type::Int)?;
        let faces = self.triangles.len() as i32;
        let starts: Vec<i32> = (0..faces).map(|face| face * 3).collect();
        geometry.set(Class::Primitive, "vstart", cx.upload(&starts, 1)?, Type::Int)?;
        geometry.set(
            Class::Primitive,
            "vcount",
            cx.upload(&vec![3; starts.len()], 1)?,
            Type::Int,
        )?;
        Ok(vec![Value::Geometry(geometry)])
    }
}
