//! The elements that a flag keeps, in order.

use super::number::{BLOCK, Number};
use super::parallel::{CHUNK, for_each, part};
use super::{for_element, numbered, one_lane};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Groups, Kernel, Param, Recorder,
    Result, Rule, WholeFn, args,
};

const fn declare(name: &'static str, flags: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("flags", flags)
        .lanes(1)
        .append("indices", Element::I32, Rule::Domain)
        .fills(Param::I32(-1))
        .write("inverse", Element::I32, Rule::Domain)
        // A word a block, and one for the number kept.
        .scratch(
            "blocks",
            Element::U32,
            Rule::DivScaled {
                per: BLOCK as u32,
                times: 2,
            },
        )
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("sums", Groups::PerElements(BLOCK as u32), &["flags", "blocks"])
        .pass("carry", Groups::One, &["blocks", "indices_count"])
        .pass(
            "place",
            Groups::PerElements(BLOCK as u32),
            &["flags", "blocks", "indices_items", "inverse"],
        )
        .cpu(Cpu::Whole(twin))
}

macro_rules! source {
    ($flag:literal) => {
        concat!(
            "alias T = u32;\nfn plus(a: T, b: T) -> T { return a + b; }\nalias F = ",
            $flag,
            ";\n",
            include_str!("group_scan.wgsl"),
            include_str!("carry.wgsl"),
            include_str!("compact.wgsl")
        )
    };
}

/// [`compact`] by float flags.
pub static COMPACT_F32: Kernel = declare("compact_f32", Element::F32, source!("f32"), twin::<f32>);
/// [`compact`] by signed flags.
pub static COMPACT_I32: Kernel = declare("compact_i32", Element::I32, source!("i32"), twin::<i32>);
/// [`compact`] by unsigned flags.
pub static COMPACT_U32: Kernel = declare("compact_u32", Element::U32, source!("u32"), twin::<u32>);

/// What [`compact`] answers.
#[derive(Clone, Debug)]
pub struct Compacted {
    /// The kept elements' numbers, ascending (`i32`), live with the number kept; -1 past it.
    pub indices: Column,
    /// Each element's place among the kept (`i32`), whether or not `indices` has room for it; -1 for one that is not kept and past the live count.
    pub inverse: Column,
}

/// Keeps the elements whose flag is not zero. `flags` has one lane of any kind.
///
/// The number kept stays on the device, as the live count of `indices`: gather by `indices` to have the kept
/// elements of any column.
///
/// Cost: 3 passes; each flag is read twice.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane.
pub fn compact(rec: &mut Recorder, flags: &Column) -> Result<Compacted> {
    let kernel = for_element(flags.element(), &COMPACT_F32, &COMPACT_I32, &COMPACT_U32);
    one_lane(kernel.name(), "flags", flags)?;
    numbered(kernel.name(), "flags", flags.capacity())?;
    let domain = Domain::of(flags);
    let done = rec.dispatch(kernel, args! { flags: flags }, domain)?;
    Ok(Compacted {
        indices: done.column("indices")?,
        inverse: done.column("inverse")?,
    })
}

/// One chunk of flags with the parts of the outputs that are its own.
struct Job<'a, T> {
    first: usize,
    flags: &'a [T],
    indices: &'a mut [i32],
    inverse: &'a mut [i32],
    /// Elements kept by the chunks before.
    before: usize,
}

fn twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let flags = part(b.kernel, "flags", b.read::<T>("flags")?, 0..p.live() as usize)?;
    let indices = b.append::<i32>("indices")?;
    let inverse = b.write::<i32>("inverse")?;

    let mut counts: Vec<(&[T], usize)> = flags.chunks(CHUNK).map(|flags| (flags, 0)).collect();
    for_each(x, &mut counts, |(flags, count)| {
        *count = flags.iter().map(|&flag| u32::from(flag != T::default())).sum::<u32>() as usize;
        Ok(())
    })?;

    let (mut free_indices, mut free_inverse, mut kept) = (indices.items, inverse, 0);
    let mut jobs = Vec::with_capacity(counts.len());
    for (chunk, (flags, count)) in counts.into_iter().enumerate() {
        let (own_indices, rest) = free_indices.split_at_mut(count.min(free_indices.len()));
        free_indices = rest;
        let (own_inverse, rest) = free_inverse.split_at_mut(flags.len().min(free_inverse.len()));
        free_inverse = rest;
        jobs.push(Job {
            first: chunk * CHUNK,
            flags,
            indices: own_indices,
            inverse: own_inverse,
            before: kept,
        });
        kept += count;
    }
    free_indices.fill(-1);
    free_inverse.fill(-1);
    *indices.count = kept as u32;
    for_each(x, &mut jobs, |job| {
        // Nothing branches on a flag: where those are like chance half of the branches would be foreseen wrongly. What is
        // not kept is written too, and over it the next that is.
        let (mut own, mut next) = (0, job.before as i32);
        for (at, (&flag, inverse)) in (job.first as i32..).zip(job.flags.iter().zip(job.inverse.iter_mut())) {
            let keep = i32::from(flag != T::default());
            *inverse = next | (keep - 1);
            if let Some(index) = job.indices.get_mut(own) {
                *index = at;
            }
            own += keep as usize;
            next += keep;
        }
        Ok(())
    })
}
