//! Prefix sums.

use rayon::prelude::*;

use super::number::{BLOCK, Count, Form, Number, Summed};
use super::parallel::{CHUNK, for_chunks, part};
use super::{for_element, one_lane};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Groups, Kernel, Recorder, Result, Rule,
    WholeFn, Word, args,
};

const fn declare(name: &'static str, from: Element, to: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", from)
        .lanes(1)
        .write("dst", to, Rule::Domain)
        .write("total", to, Rule::One)
        .scratch("blocks", to, Rule::CeilDiv(BLOCK as u32))
        .specialize("FORM", &["exclusive", "inclusive"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("sums", Groups::PerElements(BLOCK as u32), &["src", "blocks"])
        .pass("carry", Groups::One, &["blocks", "total"])
        .pass(
            "place",
            Groups::PerElements(BLOCK as u32),
            &["src", "blocks", "total", "dst"],
        )
        .cpu(Cpu::Whole(twin))
}

macro_rules! source {
    ($($head:literal),+) => {
        concat!(
            $($head,)+
            include_str!("group_scan.wgsl"),
            include_str!("carry.wgsl"),
            include_str!("scan.wgsl")
        )
    };
}

/// [`scan`] of floats. Exact: the order of the sums is stated there.
pub static SCAN_F32: Kernel = declare(
    "scan_f32",
    Element::F32,
    Element::F32,
    source!(
        "alias T = f32;\nfn enter(value: f32) -> T { return value; }\nfn plus(a: T, b: T) -> T { return a + b; }\n"
    ),
    twin::<f32, f32, f32>,
);
/// [`scan`] of signed integers; sums wrap.
pub static SCAN_I32: Kernel = declare(
    "scan_i32",
    Element::I32,
    Element::I32,
    source!(
        "alias T = i32;\nfn enter(value: i32) -> T { return value; }\nfn plus(a: T, b: T) -> T { return a + b; }\n"
    ),
    twin::<i32, i32, i32>,
);
/// [`scan`] of unsigned integers; sums wrap.
pub static SCAN_U32: Kernel = declare(
    "scan_u32",
    Element::U32,
    Element::U32,
    source!(
        "alias T = u32;\nfn enter(value: u32) -> T { return value; }\nfn plus(a: T, b: T) -> T { return a + b; }\n"
    ),
    twin::<u32, u32, u32>,
);
/// [`offsets`] of signed counts: the exclusive form sums as `u32`, a negative count is 0, 2^32 - 1 stands for more.
pub static OFFSETS: Kernel = declare(
    "offsets",
    Element::I32,
    Element::U32,
    source!(
        "alias T = u32;\nfn enter(value: i32) -> T { return u32(max(value, 0)); }\n",
        "fn plus(a: T, b: T) -> T { return a + min(b, 0xffffffffu - a); }\n"
    ),
    twin::<i32, Count, u32>,
);
/// [`offsets`] of unsigned counts.
pub static OFFSETS_U32: Kernel = declare(
    "offsets_u32",
    Element::U32,
    Element::U32,
    source!(
        "alias T = u32;\nfn enter(value: u32) -> T { return value; }\n",
        "fn plus(a: T, b: T) -> T { return a + min(b, 0xffffffffu - a); }\n"
    ),
    twin::<u32, Count, u32>,
);

/// What [`scan`], [`offsets`] and [`scan_segments`](super::scan_segments()) answer.
#[derive(Clone, Debug)]
pub struct Scanned {
    /// The sums, one an element.
    pub dst: Column,
    /// The sum of all elements, of a scan of runs that of the last run: one word. A `u32` total is a count, good for [`Domain::live`].
    pub total: Column,
}

/// Prefix sums of a column of one lane: `dst[i]` is the sum of the elements before `i`
/// ([`Exclusive`](Form::Exclusive)) or up to it ([`Inclusive`](Form::Inclusive)), `total[0]` the sum of all.
///
/// A slot past the live count is the total; over no element the total is 0. Integers wrap.
///
/// Floats are summed in one order on every device, in levels of 4, 16, 16 elements and then blocks of 1024, each
/// from left to right. The sums of non-negative floats therefore never decrease, and the inclusive form ends on
/// `total`: a cumulative weight can be searched. The error is that of some 40 additions and one more for each block.
///
/// Cost: 3 passes; each element is read twice and written once.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane.
pub fn scan(rec: &mut Recorder, src: &Column, form: Form) -> Result<Scanned> {
    let kernel = for_element(src.element(), &SCAN_F32, &SCAN_I32, &SCAN_U32);
    rec.all_or_nothing(|rec| record(rec, kernel, src, form))
}

/// Where each run of a packed list starts: the exclusive sums of a column of counts (`i32`, of which a negative one
/// is 0, or `u32`), as `u32`, with the total.
///
/// A slot past the live count is the total. A sum of 2^32 or more is 2^32 - 1, which is more than any column holds: what
/// is listed from such offsets does not fit, and says so.
///
/// Cost: 3 passes.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane,
/// [`Error::WrongElement`](crate::Error::WrongElement) for floats.
pub fn offsets(rec: &mut Recorder, counts: &Column) -> Result<Scanned> {
    let kernel = if counts.element() == Element::U32 {
        &OFFSETS_U32
    } else {
        &OFFSETS
    };
    rec.all_or_nothing(|rec| record(rec, kernel, counts, Form::Exclusive))
}

fn record(rec: &mut Recorder, kernel: &'static Kernel, src: &Column, form: Form) -> Result<Scanned> {
    one_lane(kernel.name(), "src", src)?;
    let done = rec.dispatch(kernel, args! { src: src, FORM: form.option() }, Domain::of(src))?;
    let scanned = Scanned {
        dst: done.column("dst")?,
        total: done.column("total")?,
    };
    if src.is_empty() {
        rec.fill(&scanned.total, 0)?;
    }
    Ok(scanned)
}

/// How an element enters the sum: a signed count as an unsigned one, any other as it is.
trait Enter<T>: Word {
    /// The elements as they are summed; `room` holds them where they must change.
    fn enter<'a>(src: &'a [Self], room: &'a mut Vec<T>) -> &'a [T];
}
impl<T: Number> Enter<T> for T {
    fn enter<'a>(src: &'a [T], _room: &'a mut Vec<T>) -> &'a [T] {
        src
    }
}
impl Enter<Count> for u32 {
    fn enter<'a>(src: &'a [u32], _room: &'a mut Vec<Count>) -> &'a [Count] {
        bytemuck::cast_slice(src)
    }
}
impl Enter<Count> for i32 {
    fn enter<'a>(src: &'a [i32], room: &'a mut Vec<Count>) -> &'a [Count] {
        room.clear();
        room.extend(src.iter().map(|&count| Count(count.max(0).cast_unsigned())));
        room
    }
}

/// Sums `S` as `T`, which a column holds as `W`.
fn twin<S: Enter<T>, T: Summed, W: Word>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let src = part(b.kernel, "src", b.read::<S>("src")?, 0..live)?;
    let form = Form::of_option(p.option("FORM")?);
    let dst: &mut [T] = bytemuck::cast_slice_mut(b.write::<W>("dst")?);
    let len = live.min(dst.len());
    let (sums, past) = dst.split_at_mut(len);
    let total = match x.pool {
        Some(pool) => scan_parallel(src, sums, form, x, pool)?,
        None => scan_in_order(src, sums, form, x)?,
    };
    past.fill(total);
    bytemuck::cast_slice_mut::<W, T>(b.write::<W>("total")?).fill(total);
    Ok(())
}

fn scan_in_order<S: Enter<T>, T: Summed>(src: &[S], dst: &mut [T], form: Form, x: &CpuExec<'_>) -> Result<T> {
    let mut before = T::default();
    let mut room = Vec::new();
    for (src, dst) in src.chunks(CHUNK).zip(dst.chunks_mut(CHUNK)) {
        x.checkpoint()?;
        for (src, dst) in src.chunks(BLOCK).zip(dst.chunks_mut(BLOCK)) {
            let sum = T::scan_block(S::enter(src, &mut room), dst, form);
            add_before(before, dst);
            before = before.plus(sum);
        }
    }
    Ok(before)
}

/// Every block by itself, the sums of the blocks in order, then the sum before each block onto its elements.
fn scan_parallel<S: Enter<T>, T: Summed>(
    src: &[S],
    dst: &mut [T],
    form: Form,
    x: &CpuExec<'_>,
    pool: &rayon::ThreadPool,
) -> Result<T> {
    let per_chunk = CHUNK / BLOCK;
    let mut sums = vec![T::default(); src.len().div_ceil(BLOCK)];
    pool.install(|| {
        let chunks = src
            .par_chunks(CHUNK)
            .zip(dst.par_chunks_mut(CHUNK))
            .zip(sums.par_chunks_mut(per_chunk));
        chunks.try_for_each(|((src, dst), sums)| {
            x.checkpoint()?;
            let mut room = Vec::new();
            for ((src, dst), sum) in src.chunks(BLOCK).zip(dst.chunks_mut(BLOCK)).zip(sums) {
                *sum = T::scan_block(S::enter(src, &mut room), dst, form);
            }
            Ok(())
        })
    })?;
    let mut before = T::default();
    for sum in &mut sums {
        let after = before.plus(*sum);
        *sum = before;
        before = after;
    }
    for_chunks(x, dst, CHUNK, |first, dst| {
        for (dst, &before) in dst.chunks_mut(BLOCK).zip(sums.iter().skip(first / BLOCK)) {
            add_before(before, dst);
        }
        Ok(())
    })?;
    Ok(before)
}

fn add_before<T: Summed>(before: T, dst: &mut [T]) {
    for to in dst {
        *to = before.plus(*to);
    }
}
