//! Prefix sums that begin anew at every head.

use super::number::{BLOCK, Form, Number};
use super::parallel::{CHUNK, for_each, part};
use super::scan::Scanned;
use super::{for_element, one_lane, same_length};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Groups, Kernel, Recorder, Result, Rule,
    WholeFn, args,
};

/// Neighbouring elements that one thread of the WGSL holds, and elements in a row of its threads.
const OWN: usize = 4;
const ROW: usize = 64;

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    let groups = Groups::PerElements(BLOCK as u32);
    Kernel::declare(name)
        .read_domain("src", element)
        .lanes(1)
        .read_domain("heads", Element::I32)
        .lanes(1)
        .write("dst", element, Rule::Domain)
        .write("total", element, Rule::One)
        .scratch("block_sums", element, Rule::CeilDiv(BLOCK as u32))
        .scratch("block_heads", Element::U32, Rule::CeilDiv(BLOCK as u32))
        .specialize("FORM", &["exclusive", "inclusive"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("sums", groups, &["src", "heads", "block_sums", "block_heads"])
        .pass("carry", Groups::One, &["block_sums", "block_heads", "total"])
        .pass("place", groups, &["src", "heads", "block_sums", "dst"])
        .cpu(Cpu::Whole(twin))
}

/// [`scan_segments`] of floats. Exact: the order of the sums is stated there.
pub static SCAN_SEGMENTS_F32: Kernel = declare(
    "scan_segments_f32",
    Element::F32,
    concat!("alias T = f32;\n", include_str!("scan_segments.wgsl")),
    twin::<f32>,
);
/// [`scan_segments`] of signed integers; sums wrap.
pub static SCAN_SEGMENTS_I32: Kernel = declare(
    "scan_segments_i32",
    Element::I32,
    concat!("alias T = i32;\n", include_str!("scan_segments.wgsl")),
    twin::<i32>,
);
/// [`scan_segments`] of unsigned integers; sums wrap.
pub static SCAN_SEGMENTS_U32: Kernel = declare(
    "scan_segments_u32",
    Element::U32,
    concat!("alias T = u32;\n", include_str!("scan_segments.wgsl")),
    twin::<u32>,
);

/// Prefix sums of a column of one lane that begin anew at every element whose `heads` (`i32`, one lane) is not 0:
/// `dst[i]` is the sum of the elements of its run before `i` ([`Exclusive`](Form::Exclusive), 0 at a head) or up to it
/// ([`Inclusive`](Form::Inclusive)). The first element begins a run whatever its flag. `total[0]` is the sum of the last
/// run.
///
/// A slot past the live count of `src` is the total too; over no element that is 0. Integers wrap.
///
/// Floats are summed in the order of [`scan`](super::scan()), of which each level begins anew at a head too: sums depend
/// on where a run lies, by their rounding, and are the same bits on every device.
///
/// Cost: 3 passes; each element and flag is read twice, each element written once.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane or lengths that differ,
/// [`Error::WrongElement`](crate::Error::WrongElement) where `heads` is not `i32`.
pub fn scan_segments(rec: &mut Recorder, src: &Column, heads: &Column, form: Form) -> Result<Scanned> {
    rec.all_or_nothing(|rec| scan_segments_steps(rec, src, heads, form))
}

fn scan_segments_steps(rec: &mut Recorder, src: &Column, heads: &Column, form: Form) -> Result<Scanned> {
    let kernel = for_element(
        src.element(),
        &SCAN_SEGMENTS_F32,
        &SCAN_SEGMENTS_I32,
        &SCAN_SEGMENTS_U32,
    );
    let domain = Domain::of(src);
    one_lane(kernel.name(), "src", src)?;
    one_lane(kernel.name(), "heads", heads)?;
    same_length(kernel.name(), "heads", heads, &domain)?;
    let arguments = args! { src: src, heads: heads, FORM: form.option() };
    let done = rec.dispatch(kernel, arguments, domain)?;
    Ok(Scanned {
        dst: done.column("dst")?,
        total: done.column("total")?,
    })
}

/// What a stretch of elements adds to the sum that comes in: its own sum, which replaces the other where a head stands
/// in the stretch.
#[derive(Clone, Copy, Default)]
struct Run<T> {
    head: bool,
    sum: T,
}

impl<T: Number> Run<T> {
    fn join(self, next: Self) -> Self {
        if next.head {
            return next;
        }
        Self {
            head: self.head,
            sum: self.sum.plus(next.sum),
        }
    }
}

/// Elements of several blocks with the runs of each block, later the runs before it.
struct Job<'a, T> {
    src: &'a [T],
    heads: &'a [i32],
    dst: &'a mut [T],
    blocks: Vec<Run<T>>,
}

fn twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let src = part(b.kernel, "src", b.read::<T>("src")?, 0..live)?;
    let heads = part(b.kernel, "heads", b.read::<i32>("heads")?, 0..live)?;
    let form = Form::of_option(p.option("FORM")?);
    let dst = b.write::<T>("dst")?;
    let (dst, past) = dst.split_at_mut(live.min(dst.len()));

    let chunks = src.chunks(CHUNK).zip(heads.chunks(CHUNK)).zip(dst.chunks_mut(CHUNK));
    let mut jobs: Vec<Job<'_, T>> = chunks
        .map(|((src, heads), dst)| Job {
            src,
            heads,
            dst,
            blocks: Vec::with_capacity(src.len().div_ceil(BLOCK)),
        })
        .collect();
    for_each(x, &mut jobs, |job| {
        let blocks = job
            .src
            .chunks(BLOCK)
            .zip(job.heads.chunks(BLOCK))
            .zip(job.dst.chunks_mut(BLOCK));
        job.blocks
            .extend(blocks.map(|((src, heads), dst)| scan_block(src, heads, dst, form)));
        Ok(())
    })?;
    let mut before = Run::default();
    for block in jobs.iter_mut().flat_map(|job| &mut job.blocks) {
        let after = before.join(*block);
        *block = before;
        before = after;
    }
    past.fill(before.sum);
    b.write::<T>("total")?.fill(before.sum);
    for_each(x, &mut jobs, |job| {
        let blocks = job.heads.chunks(BLOCK).zip(job.dst.chunks_mut(BLOCK)).zip(&job.blocks);
        for ((heads, dst), before) in blocks {
            for (to, _) in dst.iter_mut().zip(heads).take_while(|(_, head)| **head == 0) {
                *to = before.sum.plus(*to);
            }
        }
        Ok(())
    })
}

/// The sums of one block by itself, in the order of `scan_segments.wgsl`. Answers the run of the block.
fn scan_block<T: Number>(src: &[T], heads: &[i32], dst: &mut [T], form: Form) -> Run<T> {
    let mut rows = Run::default();
    for ((src, heads), dst) in src.chunks(ROW).zip(heads.chunks(ROW)).zip(dst.chunks_mut(ROW)) {
        let mut threads = Run::default();
        for ((src, heads), dst) in src.chunks(OWN).zip(heads.chunks(OWN)).zip(dst.chunks_mut(OWN)) {
            let mut part: Option<Run<T>> = None;
            for ((&sum, &head), to) in src.iter().zip(heads).zip(dst) {
                let element = Run { head: head != 0, sum };
                // The first element stands as it is: a part starts from no zero.
                let after = part.map_or(element, |part| part.join(element));
                let own = match form {
                    Form::Inclusive => after,
                    Form::Exclusive if element.head => Run {
                        head: true,
                        sum: T::default(),
                    },
                    Form::Exclusive => part.unwrap_or_default(),
                };
                *to = rows.join(threads.join(own)).sum;
                part = Some(after);
            }
            threads = threads.join(part.unwrap_or_default());
        }
        rows = rows.join(threads);
    }
    rows
}
