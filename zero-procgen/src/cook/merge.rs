//! Geometries as one.

use super::{Cook, Operation};
use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::{Count, Geometry, KeyHasher, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use zero_compute::{
    Args, Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, SLICE, Word,
};

/// Copies a run of words into another from an offset on, each with a number added.
static PART_I32: Kernel = Kernel::declare("merge_part_i32")
    .read("src", Element::I32)
    .inout("dst", Element::I32)
    .param("offset", Param::U32(0))
    .param("add", Param::I32(0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("merge_part_add.wgsl"))
    .cpu(Cpu::Whole(part_i32));

/// The same with nothing added.
static PART_F32: Kernel = part("merge_part_f32", Element::F32).cpu(Cpu::Whole(copied::<f32>));
static PART_U32: Kernel = part("merge_part_u32", Element::U32).cpu(Cpu::Whole(copied::<u32>));

const fn part(name: &'static str, element: Element) -> Kernel {
    Kernel::declare(name)
        .read("src", element)
        .inout("dst", element)
        .param("offset", Param::U32(0))
        .determinism(Determinism::Exact)
        .wgsl(include_str!("merge_part.wgsl"))
}

fn part_i32(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> zero_compute::Result<()> {
    let (offset, add) = (p.u32("offset")? as usize, p.i32("add")?);
    let (src, dst) = (b.read::<i32>("src")?, b.write::<i32>("dst")?);
    let places = dst.get_mut(offset..).unwrap_or_default();
    for (to, from) in places.chunks_mut(SLICE as usize).zip(src.chunks(SLICE as usize)) {
        x.checkpoint()?;
        to.iter_mut()
            .zip(from)
            .for_each(|(to, from)| *to = from.wrapping_add(add));
    }
    Ok(())
}

fn copied<T: Word>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> zero_compute::Result<()> {
    let offset = p.u32("offset")? as usize;
    let (src, dst) = (b.read::<T>("src")?, b.write::<T>("dst")?);
    let places = dst.get_mut(offset..).unwrap_or_default();
    for (to, from) in places.chunks_mut(SLICE as usize).zip(src.chunks(SLICE as usize)) {
        x.checkpoint()?;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
    Ok(())
}

/// `geometry...` to all of them as one, in order. A column that only some hold is 0 in the others; one that they hold
/// as different types is refused. Details are those of the first that has them.
#[derive(Debug)]
pub(crate) struct Merge;

impl Operation for Merge {
    fn id(&self) -> &'static str {
        "construct.merge"
    }
    fn digest(&self, _key: &mut KeyHasher) {}
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let parts: Vec<&Geometry> = inputs.iter().map(Value::geometry).collect::<Result<_>>()?;
        if let Some(index) = parts
            .iter()
            .position(|part| part.mesh().is_some())
            .filter(|_| parts.len() > 1)
        {
            let message = format!(
                "merge: geometry {} is a population, whose points stand for copies",
                index + 1
            );
            return Err(Error::Refused(message));
        }
        let mut merged = Geometry::new();
        for class in [Class::Point, Class::Vertex, Class::Primitive] {
            merge_class(cx, &parts, class, &mut merged)?;
        }
        for part in parts.iter().rev() {
            for name in part.names(Class::Detail) {
                if let Some(value) = part.detail(&name) {
                    merged.set_detail(&name, value.clone());
                }
            }
        }
        Ok(vec![Value::Geometry(merged)])
    }
}

fn merge_class(cx: &mut Cook<'_>, parts: &[&Geometry], class: Class, merged: &mut Geometry) -> Result<()> {
    let mut total: u32 = 0;
    let mut types: BTreeMap<Arc<str>, Type> = BTreeMap::new();
    for (index, part) in parts.iter().enumerate() {
        let Count::Known(count) = part.count(class) else {
            let class = class.name();
            let message = format!("merge: the {class} count of geometry {} lives on the device", index + 1);
            return Err(Error::Refused(message));
        };
        total = total
            .checked_add(count)
            .filter(|sum| *sum <= super::construct::MAX_ELEMENTS)
            .ok_or_else(|| {
                let limit = super::construct::MAX_ELEMENTS;
                Error::Refused(format!(
                    "merge: more than {limit} elements of the {} class",
                    class.name()
                ))
            })?;
        for name in part.names(class) {
            let ty = part.column(class, &name)?.ty;
            let known = *types.entry(name.clone()).or_insert(ty);
            if known != ty {
                return Err(Error::Kind {
                    what: format!("merge: {}.{name} of geometry {}", class.name(), index + 1),
                    expected: known.name().to_owned(),
                    found: ty.name().to_owned(),
                });
            }
        }
    }
    if types.is_empty() {
        return merged.set_count(class, Count::Known(total));
    }
    for (name, ty) in types {
        let column = merge_column(cx, parts, class, &name, ty, total)?;
        merged.set(class, &name, column, ty)?;
    }
    Ok(())
}

fn merge_column(
    cx: &mut Cook<'_>,
    parts: &[&Geometry],
    class: Class,
    name: &str,
    ty: Type,
    total: u32,
) -> Result<Column> {
    let lanes = ty.lanes().unwrap_or(1);
    let element = ty.element().unwrap_or(Element::F32);
    let merged = cx.device().column(element, lanes, total)?;
    let flat = merged.reinterpret(1)?;
    let (mut offset, mut points, mut vertices) = (0, 0, 0);
    for part in parts {
        if let Some(held) = part.attribute(class, name) {
            let src = held.column.reinterpret(1)?;
            let add = match (class, name) {
                (Class::Vertex, "pt") => points,
                (Class::Primitive, "vstart") => vertices,
                _ => 0,
            };
            let args = Args::new()
                .with("src", &src)
                .with("dst", &flat)
                .with("offset", offset * lanes);
            let domain = Domain::of(&src);
            match element {
                Element::F32 => cx.recorder().dispatch(&PART_F32, args, domain)?,
                Element::U32 => cx.recorder().dispatch(&PART_U32, args, domain)?,
                Element::I32 => cx.recorder().dispatch(&PART_I32, args.with("add", add), domain)?,
            };
        }
        offset += part.count(class).capacity();
        points += part.count(Class::Point).capacity() as i32;
        vertices += part.count(Class::Vertex).capacity() as i32;
    }
    Ok(merged)
}
