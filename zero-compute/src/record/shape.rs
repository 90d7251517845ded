//! The shapes of what a dispatch writes, by the rules of its kernel.

use std::sync::Arc;

use super::given::Given;
use crate::column::Column;
use crate::column::Element;
use crate::error::{Error, Result};
use crate::kernel::{Access, Binding, Extent, Kernel, PerElement, Rule, Width};
use crate::pool::Buffer;

/// Elements and lanes, and the count that goes with them.
pub(super) struct Shape {
    pub(super) elements: u32,
    pub(super) lanes: u32,
    pub(super) count: Option<Arc<Buffer>>,
}

/// The shape that `rule` gives, with the columns before it made.
pub(super) fn shape_of(
    kernel: &Kernel,
    given: &Given<'_>,
    made: &[Column],
    rule: Rule,
    n: u32,
    count: Option<&Arc<Buffer>>,
) -> Result<Shape> {
    let named = |name: &str| {
        let at = kernel.bindings().position(|b| b.name == name);
        let column = at.and_then(|at| made.get(at).or(given.columns.get(at).copied().flatten()));
        column.ok_or_else(|| Error::BadKernel {
            kernel: kernel.name().to_owned(),
            message: format!("a rule names `{name}`, which is not given or declared before it"),
        })
    };
    let over_domain = |lanes| Shape {
        elements: n,
        lanes,
        count: count.cloned(),
    };
    let plain = |elements| Shape {
        elements,
        lanes: 1,
        count: None,
    };
    Ok(match rule {
        Rule::Domain => over_domain(1),
        Rule::Lanes(lanes) => over_domain(lanes),
        Rule::LanesOf(name) => over_domain(named(name)?.lanes()),
        Rule::Same(name) => {
            let column = named(name)?;
            let (elements, lanes) = (column.capacity(), column.lanes());
            Shape {
                elements,
                lanes,
                count: column.count_buffer().cloned(),
            }
        }
        Rule::One => plain(1),
        Rule::OneOf(name) => Shape {
            lanes: named(name)?.lanes(),
            ..plain(1)
        },
        Rule::CeilDiv(k) => plain(n.div_ceil(k.max(1))),
        Rule::DivScaled { per, times } => plain(scaled(kernel, n.div_ceil(per.max(1)), times)?),
        Rule::Sized { elements, lanes } => {
            let shape = match elements {
                Extent::Domain { per: 0 | 1, times: 1 } => over_domain(1),
                Extent::Domain { per, times } => plain(scaled(kernel, n.div_ceil(per.max(1)), times)?),
                Extent::Count(count) => plain(count),
                Extent::Of(name) => Shape {
                    count: named(name)?.count_buffer().cloned(),
                    ..plain(named(name)?.capacity())
                },
                Extent::Param(name) => plain(whole(kernel, given, name)?),
                Extent::TimesParam(name) => plain(scaled(kernel, n, whole(kernel, given, name)?)?),
            };
            let lanes = match lanes {
                Width::Lanes(lanes) => lanes,
                Width::Of(name) => named(name)?.lanes(),
            };
            Shape { lanes, ..shape }
        }
    })
}

/// A product of elements, where it is a number of elements still.
fn scaled(kernel: &Kernel, groups: u32, times: u32) -> Result<u32> {
    let elements = u64::from(groups) * u64::from(times);
    u32::try_from(elements).map_err(|_| Error::TooMany {
        what: format!("kernel `{}`: elements of an output", kernel.name()),
        found: elements,
        limit: u64::from(u32::MAX),
    })
}

/// What an integer param says; below 0 it says nothing.
fn whole(kernel: &Kernel, given: &Given<'_>, name: &str) -> Result<u32> {
    let at = kernel.params().position(|(known, _)| *known == name);
    let param = at.and_then(|at| Some((kernel.params().nth(at)?.1.element(), *given.params.get(at)?)));
    match param {
        Some((Element::U32, bits)) => Ok(bits),
        Some((Element::I32, bits)) => u32::try_from(bits.cast_signed()).map_err(|_| Error::WrongArg {
            kernel: kernel.name().to_owned(),
            name: name.to_owned(),
            expected: "a number of elements".to_owned(),
            found: bits.cast_signed().to_string(),
        }),
        _ => Err(Error::BadKernel {
            kernel: kernel.name().to_owned(),
            message: format!("a rule names `{name}`, which is no integer param"),
        }),
    }
}

pub(super) fn shape_text(elements: u32, lanes: u32) -> String {
    format!("{elements} elements of {lanes} lanes")
}

/// Refuses a column that is read at the elements of the domain and has fewer.
pub(super) fn check_domain(kernel: &Kernel, binding: &Binding, column: &Column, n: u32) -> Result<()> {
    let is_own = |per_element: &PerElement| per_element.own.contains(&binding.name);
    let is_whole = binding.rule.is_some() || kernel.per_element().is_some_and(is_own);
    if !is_whole || column.capacity() >= n {
        return Ok(());
    }
    Err(Error::WrongShape {
        kernel: kernel.name().to_owned(),
        binding: binding.name.to_owned(),
        expected: format!("at least {n} elements, as the domain has"),
        found: shape_text(column.capacity(), column.lanes()),
    })
}

/// Refuses a column of lanes that the kernel does not take.
pub(super) fn check_lanes(kernel: &Kernel, binding: &Binding, column: &Column) -> Result<()> {
    match binding.lanes.filter(|lanes| !lanes.take(column.lanes())) {
        None => Ok(()),
        Some(lanes) => Err(Error::WrongShape {
            kernel: kernel.name().to_owned(),
            binding: binding.name.to_owned(),
            expected: lanes.to_string(),
            found: shape_text(column.capacity(), column.lanes()),
        }),
    }
}

/// Refuses a column that a rule gives another shape.
pub(super) fn check_shape(kernel: &Kernel, binding: &Binding, column: &Column, shape: &Shape) -> Result<()> {
    let wrong = |expected: String| {
        Err(Error::WrongShape {
            kernel: kernel.name().to_owned(),
            binding: binding.name.to_owned(),
            expected,
            found: shape_text(column.capacity(), column.lanes()),
        })
    };
    if binding.access == Access::Append {
        if column.live_count().is_none() {
            return wrong("a live column, such as Device::live_column makes".to_owned());
        }
        if column.lanes() != shape.lanes {
            return wrong(format!("elements of {} lanes", shape.lanes));
        }
    } else if (column.capacity(), column.lanes()) != (shape.elements, shape.lanes) {
        return wrong(shape_text(shape.elements, shape.lanes));
    }
    Ok(())
}
