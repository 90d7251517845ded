//! Counts laid out as runs.

use std::ops::Range;

use super::numbered;
use super::scan::offsets;
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Recorder, Result, Rule, args,
};

/// [`expand`], given the offsets: its domain is the slots.
pub static EXPAND: Kernel = Kernel::declare("expand")
    .read("offsets", Element::U32)
    .lanes(1)
    .write("owner", Element::I32, Rule::Domain)
    .write("local_index", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("expand.wgsl"))
    .cpu(Cpu::Ranges(twin));

/// What [`expand`] answers.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The element that each slot belongs to (`i32`), live with the sum of the counts; -1 past it.
    pub owner: Column,
    /// The slot's number among its owner's (`i32`), live likewise; -1 past the sum.
    pub local_index: Column,
    /// Where each element's slots start (`u32`).
    pub offsets: Column,
    /// The sum of the counts (one `u32`), which may exceed the capacity: the slots that did not fit were not written.
    pub total: Column,
}

/// Gives element `i` a run of `counts[i]` slots (`i32`, a negative count is 0, or `u32`), in order, in columns of
/// `capacity` slots. Counts that add up to 2^32 or more have a total of 2^32 - 1, which fits nowhere.
///
/// Cost: 4 passes; a slot finds its owner by a binary search, so that uneven counts cost no more than even ones.
///
/// # Errors
/// Those of [`offsets`]; [`Error::TooMany`](crate::Error::TooMany) past 2^31 counts or slots.
pub fn expand(rec: &mut Recorder, counts: &Column, capacity: u32) -> Result<Expanded> {
    numbered(EXPAND.name(), "owner", capacity)?;
    numbered(EXPAND.name(), "counts", counts.capacity())?;
    rec.all_or_nothing(|rec| expand_steps(rec, counts, capacity))
}

fn expand_steps(rec: &mut Recorder, counts: &Column, capacity: u32) -> Result<Expanded> {
    let starts = offsets(rec, counts)?;
    let domain = Domain::live(&starts.total, capacity);
    let done = rec.dispatch(&EXPAND, args! { offsets: &starts.dst }, domain)?;
    Ok(Expanded {
        owner: done.column("owner")?,
        local_index: done.column("local_index")?,
        offsets: starts.dst,
        total: starts.total,
    })
}

fn twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let offsets = b.read::<u32>("offsets")?;
    let slots = b.write::<i32>("owner")?.iter_mut().zip(b.write::<i32>("local_index")?);
    // The last element that starts at or before the first slot; from there on every slot walks ahead.
    let mut own = offsets
        .partition_point(|&start| start as usize <= range.start)
        .saturating_sub(1);
    for ((owner, local_index), slot) in slots.zip(range) {
        if slot >= p.live() as usize {
            (*owner, *local_index) = (-1, -1);
            continue;
        }
        while offsets.get(own + 1).is_some_and(|&start| start as usize <= slot) {
            own += 1;
        }
        *owner = own as i32;
        *local_index = offsets.get(own).map_or(-1, |&start| (slot - start as usize) as i32);
    }
    Ok(())
}
