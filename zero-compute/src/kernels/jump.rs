//! Pointer jumping: what lies between each element and its root, in a logarithmic number of rounds.

use std::ops::Range;

use super::parallel::part;
use super::{numbered, one_lane, same_length};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Recorder, Result, Rule,
    args,
};

/// First part of [`jump_rank`] and [`jump_min`]: parents that name an element, and the steps to each.
pub static JUMP_BEGIN: Kernel = Kernel::declare("jump_begin")
    .read_domain("parent", Element::I32)
    .lanes(1)
    .write("parent_out", Element::I32, Rule::Domain)
    .write("value_out", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("jump_begin.wgsl"))
    .cpu(Cpu::Ranges(begin_twin));

/// One round of [`jump_rank`] and [`jump_min`]: every parent names an element.
pub static JUMP: Kernel = Kernel::declare("jump")
    .read_domain("parent", Element::I32)
    .lanes(1)
    .read_domain("value", Element::I32)
    .lanes(1)
    .write("parent_out", Element::I32, Rule::Domain)
    .write("value_out", Element::I32, Rule::Domain)
    .specialize("OP", &["rank", "min"])
    .determinism(Determinism::Exact)
    .wgsl(include_str!("jump.wgsl"))
    .cpu(Cpu::Ranges(twin));

/// What [`jump_rank`] and [`jump_min`] answer.
#[derive(Clone, Debug)]
pub struct Jumped {
    /// The root of each element (`i32`); on a cycle some element of it.
    pub parent: Column,
    /// What was gathered on the way (`i32`).
    pub value: Column,
}

/// How many steps each element is from its root, and which that is. `parent` (`i32`, one lane) names each element's
/// parent; one that names itself, or no live element, is a root. On a cycle, or below one, the rank means nothing.
///
/// A slot past the live count is its own root, at 0.
///
/// Cost: 1 pass and one more for each doubling: `1 + ceil(log2(capacity))`.
///
/// # Errors
/// [`Error::WrongShape`] for more than one lane, [`Error::WrongElement`] for other than `i32`.
pub fn jump_rank(rec: &mut Recorder, parent: &Column) -> Result<Jumped> {
    rec.all_or_nothing(|rec| jump_rank_steps(rec, parent))
}

fn jump_rank_steps(rec: &mut Recorder, parent: &Column) -> Result<Jumped> {
    one_lane(JUMP_BEGIN.name(), "parent", parent)?;
    let begun = begin(rec, parent)?;
    rounds(rec, begun, "rank")
}

/// The smallest of `values` (`i32`, one lane) among each element and all above it up to its root, and which that is. On a
/// cycle the smallest of the whole cycle: with element numbers for values each cycle gets one name.
///
/// `parent` is that of [`jump_rank`]. A slot past the live count of `parent` is its own root, with the value 0.
///
/// Cost: that of [`jump_rank`].
///
/// # Errors
/// [`Error::WrongShape`] for more than one lane or lengths that differ, [`Error::WrongElement`] for other than `i32`.
pub fn jump_min(rec: &mut Recorder, parent: &Column, values: &Column) -> Result<Jumped> {
    rec.all_or_nothing(|rec| jump_min_steps(rec, parent, values))
}

fn jump_min_steps(rec: &mut Recorder, parent: &Column, values: &Column) -> Result<Jumped> {
    one_lane(JUMP_BEGIN.name(), "parent", parent)?;
    one_lane(JUMP.name(), "value", values)?;
    same_length(JUMP.name(), "value", values, &Domain::of(parent))?;
    if values.element() != Element::I32 {
        return Err(Error::WrongElement {
            kernel: JUMP.name().to_owned(),
            binding: "value".to_owned(),
            expected: Element::I32,
            found: values.element(),
        });
    }
    let begun = begin(rec, parent)?;
    let begun = Jumped {
        value: values.clone(),
        ..begun
    };
    rounds(rec, begun, "min")
}

fn begin(rec: &mut Recorder, parent: &Column) -> Result<Jumped> {
    numbered(JUMP_BEGIN.name(), "parent", parent.capacity())?;
    let done = rec.dispatch(&JUMP_BEGIN, args! { parent: parent }, Domain::of(parent))?;
    Ok(Jumped {
        parent: done.column("parent_out")?,
        value: done.column("value_out")?,
    })
}

/// At least one round, so that what comes out is never a column that came in.
fn rounds(rec: &mut Recorder, mut at: Jumped, op: &str) -> Result<Jumped> {
    let capacity = at.parent.capacity();
    let count = (u32::BITS - capacity.saturating_sub(1).leading_zeros()).max(1);
    for _ in 0..count {
        let arguments = args! { parent: &at.parent, value: &at.value, OP: op };
        let done = rec.dispatch(&JUMP, arguments, Domain::of(&at.parent))?;
        at = Jumped {
            parent: done.column("parent_out")?,
            value: done.column("value_out")?,
        };
    }
    Ok(at)
}

fn begin_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let parent = part(b.kernel, "parent", b.read::<i32>("parent")?, range.clone())?;
    let outputs = b
        .write::<i32>("parent_out")?
        .iter_mut()
        .zip(b.write::<i32>("value_out")?);
    for (((to, value), &own), i) in outputs.zip(parent).zip(range) {
        let named = usize::try_from(own).ok().filter(|&own| own < live && i < live);
        let up = named.unwrap_or(i);
        (*to, *value) = (up as i32, i32::from(up != i));
    }
    Ok(())
}

fn twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let parent = part(b.kernel, "parent", b.read::<i32>("parent")?, 0..live)?;
    let value = part(b.kernel, "value", b.read::<i32>("value")?, 0..live)?;
    let is_rank = p.option("OP")? == "rank";
    let outputs = b
        .write::<i32>("parent_out")?
        .iter_mut()
        .zip(b.write::<i32>("value_out")?);
    for ((to, value_out), i) in outputs.zip(range) {
        (*to, *value_out) = (i as i32, 0);
        let Some((&up, &own)) = parent.get(i).zip(value.get(i)) else {
            continue;
        };
        if let Some((&next, &above)) = usize::try_from(up)
            .ok()
            .and_then(|up| parent.get(up).zip(value.get(up)))
        {
            *to = next;
            *value_out = if is_rank {
                own.wrapping_add(above)
            } else {
                own.min(above)
            };
        }
    }
    Ok(())
}
