//! Elements written through an index.

use std::ops::Range;

use super::number::{Number, Summed};
use super::parallel::{CHUNK, part};
use super::{for_element, one_lane, same_length, shape};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, RangesFn,
    Recorder, Result, WholeFn, args,
};

/// What happens where elements meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scatter {
    /// The place takes the last source element that names it, the one with the highest number.
    Last,
    /// Integers are added to what stands; sums wrap.
    Add,
    /// Floats are added in fixed point, so that their order does not matter: each is rounded to a whole number of
    /// units of 2^-`fraction_bits`, half up, and held inside `i32`; the units that meet at a place are added,
    /// wrapping, and their sum is added to the float that stands with one rounding, or two where the sum is more than
    /// 2^24 units either way and is rounded to a float first. A place's sum stays right below
    /// 2^(31 - `fraction_bits`): 16 bits sum to 32 767 in steps of 0.000 015.
    AddFixed {
        /// Bits after the point, at most 30.
        fraction_bits: u32,
    },
    /// The smaller of what stands and what arrives, by total order.
    Min,
    /// The greater of what stands and what arrives, by total order.
    Max,
}

/// Changes `dst` in place: element `index[i]` (`i32`, one lane) of it takes or is folded with element `i` of `src`.
/// Both have the same kind and lanes. Elements whose index names none of `dst`, and those past the live count of
/// `index`, do nothing.
///
/// Cost: integers in 1 pass of atomic operations; `Last` in 3 passes (a fill, the claims, the winners' values); floats
/// in 3 passes (a fill, the arrivals, the settling), with one word of workspace a word of `dst`.
///
/// # Errors
/// [`Error::WrongShape`] where `index` has more than one lane or another length than `src`, or lanes differ;
/// [`Error::Invalid`] for `Add` of floats, `AddFixed` of integers or too many bits.
pub fn scatter(rec: &mut Recorder, src: &Column, index: &Column, dst: &Column, how: Scatter) -> Result<()> {
    rec.all_or_nothing(|rec| scatter_steps(rec, src, index, dst, how))
}

fn scatter_steps(rec: &mut Recorder, src: &Column, index: &Column, dst: &Column, how: Scatter) -> Result<()> {
    let domain = Domain::of(index);
    one_lane("scatter", "index", index)?;
    same_length("scatter", "src", src, &domain)?;
    if src.lanes() != dst.lanes() {
        return Err(shape(
            "scatter",
            "dst",
            format!("{} lanes, as src has", src.lanes()),
            dst,
        ));
    }
    if dst.element() != src.element() {
        return Err(Error::WrongElement {
            kernel: "scatter".to_owned(),
            binding: "dst".to_owned(),
            expected: src.element(),
            found: dst.element(),
        });
    }
    let integers = src.element() != Element::F32;
    let option = match how {
        Scatter::Last => return scatter_last(rec, src, index, dst, domain),
        Scatter::AddFixed { fraction_bits } if !integers && fraction_bits <= 30 => {
            return scatter_fixed(rec, src, index, dst, domain, fraction_bits);
        }
        Scatter::Add if integers => "add",
        Scatter::Min => "min",
        Scatter::Max => "max",
        Scatter::Add | Scatter::AddFixed { .. } => {
            return Err(Error::Invalid {
                what: "scatter".to_owned(),
                expected: "`Add` of integers, or `AddFixed` of floats with at most 30 bits".to_owned(),
                found: format!("{how:?} of {}", src.element()),
            });
        }
    };
    if dst.is_empty() {
        return Ok(());
    }
    if integers {
        let kernel = if src.element() == Element::I32 {
            &SCATTER_I32
        } else {
            &SCATTER_U32
        };
        rec.dispatch(kernel, args! { src: src, index: index, dst: dst, OP: option }, domain)?;
        return Ok(());
    }
    let start = if how == Scatter::Min { u32::MAX } else { 0 };
    let keys = workspace(rec, dst, Element::U32, start)?;
    rec.dispatch(
        &SCATTER_ORDER,
        args! { src: src, index: index, dst: &keys, OP: option },
        domain,
    )?;
    rec.dispatch(
        &ORDER_SETTLE,
        args! { arrived: &keys, dst: dst, OP: option },
        Domain::of(&dst.as_capacity()),
    )?;
    Ok(())
}

fn scatter_last(rec: &mut Recorder, src: &Column, index: &Column, dst: &Column, domain: Domain) -> Result<()> {
    if dst.is_empty() {
        return Ok(());
    }
    let winner = rec.output(Element::U32, 1, dst.capacity(), SCATTER_CLAIM.name(), "winner")?;
    rec.fill(&winner, 0)?;
    rec.dispatch(&SCATTER_CLAIM, args! { index: index, winner: &winner }, domain)?;
    let settle = for_element(
        src.element(),
        &SCATTER_SETTLE_F32,
        &SCATTER_SETTLE_I32,
        &SCATTER_SETTLE_U32,
    );
    rec.dispatch(
        settle,
        args! { src: src, winner: &winner, dst: dst },
        Domain::of(&dst.as_capacity()),
    )?;
    Ok(())
}

fn scatter_fixed(
    rec: &mut Recorder,
    src: &Column,
    index: &Column,
    dst: &Column,
    domain: Domain,
    fraction_bits: u32,
) -> Result<()> {
    if dst.is_empty() {
        return Ok(());
    }
    let scale = (1u32 << fraction_bits) as f32;
    let sums = workspace(rec, dst, Element::I32, 0)?;
    rec.dispatch(
        &SCATTER_FIXED,
        args! { src: src, index: index, dst: &sums, scale: scale },
        domain,
    )?;
    rec.dispatch(
        &FIXED_SETTLE,
        args! { arrived: &sums, dst: dst, unit: 1.0 / scale },
        Domain::of(&dst.as_capacity()),
    )?;
    Ok(())
}

/// One word a word of `dst`, filled in the list each time it runs. It is the list's own, so that fusion drops it with what
/// it is for.
pub(super) fn workspace(rec: &mut Recorder, dst: &Column, element: Element, bits: u32) -> Result<Column> {
    let column = rec.output(element, dst.lanes(), dst.capacity(), "scatter", "workspace")?;
    rec.fill(&column, bits)?;
    Ok(column)
}

/// First half of [`Scatter::Last`]: `winner` (filled with 0) holds, for each place, the number of the last element
/// that names it plus one.
pub static SCATTER_CLAIM: Kernel = Kernel::declare("scatter_claim")
    .read_domain("index", Element::I32)
    .lanes(1)
    .atomic("winner", Element::U32)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("scatter_claim.wgsl"))
    .cpu(Cpu::Whole(claim_twin));

fn claim_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let index = part(b.kernel, "index", b.read::<i32>("index")?, 0..p.live() as usize)?;
    let winner = b.write::<u32>("winner")?;
    let mut own = 0u32;
    for index in index.chunks(CHUNK) {
        x.checkpoint()?;
        for &to in index {
            own += 1;
            if let Some(winner) = usize::try_from(to).ok().and_then(|to| winner.get_mut(to)) {
                *winner = own.max(*winner);
            }
        }
    }
    Ok(())
}

const fn declare_settle(name: &'static str, element: Element, twin: RangesFn) -> Kernel {
    Kernel::declare(name)
        .read("src", element)
        .read_domain("winner", Element::U32)
        .lanes(1)
        .inout("dst", element)
        .determinism(Determinism::Exact)
        .wgsl(include_str!("scatter_settle.wgsl"))
        .cpu(Cpu::Ranges(twin))
}

/// Second half of [`Scatter::Last`], of floats.
pub static SCATTER_SETTLE_F32: Kernel = declare_settle("scatter_settle_f32", Element::F32, settle_twin::<f32>);
/// Second half of [`Scatter::Last`], of signed integers.
pub static SCATTER_SETTLE_I32: Kernel = declare_settle("scatter_settle_i32", Element::I32, settle_twin::<i32>);
/// Second half of [`Scatter::Last`], of unsigned integers.
pub static SCATTER_SETTLE_U32: Kernel = declare_settle("scatter_settle_u32", Element::U32, settle_twin::<u32>);

fn settle_twin<T: Number>(
    range: Range<usize>,
    b: &mut CpuBindings<'_>,
    _p: &CpuParams<'_>,
    _x: &CpuExec<'_>,
) -> Result<()> {
    let lanes = (b.lanes("dst") as usize).max(1);
    let src = b.read::<T>("src")?;
    let winner = part(b.kernel, "winner", b.read::<u32>("winner")?, range)?;
    for (to, &won) in b.write::<T>("dst")?.chunks_exact_mut(lanes).zip(winner) {
        if let Some(own) = (won as usize).checked_sub(1) {
            let words = row(own, lanes).unwrap_or(src.len()..usize::MAX);
            to.copy_from_slice(part(b.kernel, "src", src, words)?);
        }
    }
    Ok(())
}

/// The words of an element. Where `usize` has 32 bits they may not fit it, and are none of a column then.
fn row(element: usize, lanes: usize) -> Option<Range<usize>> {
    let first = element.checked_mul(lanes)?;
    Some(first..first.checked_add(lanes)?)
}

const fn declare_fold(name: &'static str, from: Element, to: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", from)
        .read_domain("index", Element::I32)
        .lanes(1)
        .atomic("dst", to)
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .cpu(Cpu::Whole(twin))
}

macro_rules! integers {
    ($t:literal) => {
        concat!(
            "fn enter(value: ",
            $t,
            ") -> ",
            $t,
            " { return value; }\nfn arrive(at: u32, value: ",
            $t,
            ") {\n",
            "// @when OP add\natomicAdd(&dst[at], value);\n// @end\n",
            "// @when OP min\natomicMin(&dst[at], value);\n// @end\n",
            "// @when OP max\natomicMax(&dst[at], value);\n// @end\n}\n",
            include_str!("scatter_fold.wgsl")
        )
    };
}

/// [`scatter`] of signed integers by adding, or by the smaller or greater.
pub static SCATTER_I32: Kernel = declare_fold(
    "scatter_i32",
    Element::I32,
    Element::I32,
    integers!("i32"),
    integer_twin::<i32>,
)
.specialize("OP", &["add", "min", "max"]);
/// [`scatter`] of unsigned integers by adding, or by the smaller or greater.
pub static SCATTER_U32: Kernel = declare_fold(
    "scatter_u32",
    Element::U32,
    Element::U32,
    integers!("u32"),
    integer_twin::<u32>,
)
.specialize("OP", &["add", "min", "max"]);
/// First half of [`Scatter::AddFixed`]: `dst` gathers units of 1 / `scale`, a power of two.
pub static SCATTER_FIXED: Kernel = declare_fold(
    "scatter_fixed",
    Element::F32,
    Element::I32,
    concat!(
        include_str!("fixed.wgsl"),
        "fn arrive(at: u32, value: i32) { atomicAdd(&dst[at], value); }\n",
        include_str!("scatter_fold.wgsl")
    ),
    fixed_twin,
)
.param("scale", Param::F32(65536.0));
/// First half of [`Scatter::Min`] and [`Scatter::Max`] of floats: `dst` gathers order keys.
pub static SCATTER_ORDER: Kernel = declare_fold(
    "scatter_order",
    Element::F32,
    Element::U32,
    concat!(
        include_str!("order_f32.wgsl"),
        "fn enter(value: f32) -> u32 { return to_key(value); }\nfn arrive(at: u32, value: u32) {\n",
        "// @when OP min\natomicMin(&dst[at], value);\n// @end\n",
        "// @when OP max\natomicMax(&dst[at], value);\n// @end\n}\n",
        include_str!("scatter_fold.wgsl")
    ),
    order_twin,
)
.specialize("OP", &["min", "max"]);

fn integer_twin<T: Number + Ord>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    match p.option("OP")? {
        "min" => fold_arrivals(b, p, x, |value: T| value, Ord::min),
        "max" => fold_arrivals(b, p, x, |value: T| value, Ord::max),
        _ => fold_arrivals(b, p, x, |value: T| value, T::plus),
    }
}

fn fixed_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let scale = p.f32("scale")?;
    fold_arrivals(b, p, x, |value| to_units(value, scale), i32::plus)
}

/// The twin of `fixed.wgsl`.
pub(super) fn to_units(value: f32, scale: f32) -> i32 {
    let units = (value * scale).clamp(-2_147_483_520.0, 2_147_483_520.0);
    let whole = zero_noise::floor(units);
    whole as i32 + i32::from(units - whole >= 0.5)
}

fn order_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    match p.option("OP")? {
        "max" => fold_arrivals(b, p, x, f32::to_key, Ord::max),
        _ => fold_arrivals(b, p, x, f32::to_key, Ord::min),
    }
}

/// Folds each element into its place, from first to last, where it stands: rows that nothing arrives at are not touched.
/// What a cancelled dispatch changed is put back by who runs it, before it begins again.
fn fold_arrivals<S: Number, T: Number>(
    b: &mut CpuBindings<'_>,
    p: &CpuParams<'_>,
    x: &CpuExec<'_>,
    enter: impl Fn(S) -> T,
    fold: impl Fn(T, T) -> T,
) -> Result<()> {
    let lanes = (b.lanes("src") as usize).max(1);
    let live = p.live() as usize;
    let src = part(b.kernel, "src", b.read::<S>("src")?, 0..live * lanes)?;
    let index = part(b.kernel, "index", b.read::<i32>("index")?, 0..live)?;
    let dst = b.write::<T>("dst")?;
    for (src, index) in src.chunks(CHUNK * lanes).zip(index.chunks(CHUNK)) {
        x.checkpoint()?;
        if lanes == 1 {
            // Short enough that the processor asks for the next places while it waits for this one. No column is so long
            // that a negative place, read without its sign, is in it.
            for (&value, &to) in src.iter().zip(index) {
                if let Some(stands) = dst.get_mut(to.cast_unsigned() as usize) {
                    *stands = fold(*stands, enter(value));
                }
            }
            continue;
        }
        for (element, &to) in src.chunks_exact(lanes).zip(index) {
            let place = usize::try_from(to)
                .ok()
                .and_then(|to| row(to, lanes))
                .and_then(|words| dst.get_mut(words));
            for (stands, &value) in place.into_iter().flatten().zip(element) {
                *stands = fold(*stands, enter(value));
            }
        }
    }
    Ok(())
}

/// Second half of [`Scatter::AddFixed`]: adds the units that arrived, each worth `unit`, to the floats that stand.
pub static FIXED_SETTLE: Kernel = Kernel::declare("fixed_settle")
    .read_domain("arrived", Element::I32)
    .inout("dst", Element::F32)
    .param("unit", Param::F32(1.0 / 65536.0))
    .determinism(Determinism::Exact)
    .wgsl(concat!(
        "fn take(at: u32) -> i32 { return arrived[at]; }\n",
        include_str!("fixed_settle.wgsl")
    ))
    .cpu(Cpu::Ranges(fixed_settle_twin));

fn fixed_settle_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let lanes = b.lanes("dst") as usize;
    let unit = p.f32("unit")?;
    let sums = part(
        b.kernel,
        "arrived",
        b.read::<i32>("arrived")?,
        range.start * lanes..range.end * lanes,
    )?;
    for (to, &units) in b.write::<f32>("dst")?.iter_mut().zip(sums) {
        settle(to, units, unit);
    }
    Ok(())
}

/// Adds units, each worth `unit`, to the float that stands: the twin of `fixed_settle.wgsl`.
pub(super) fn settle(stands: &mut f32, units: i32, unit: f32) {
    if units != 0 {
        let low = units & 255;
        *stands += ((units - low) as f32 + low as f32) * unit;
    }
}

/// Second half of [`Scatter::Min`] and [`Scatter::Max`] of floats: folds the keys that arrived with what stands.
pub static ORDER_SETTLE: Kernel = Kernel::declare("order_settle")
    .read_domain("arrived", Element::U32)
    .inout("dst", Element::F32)
    .specialize("OP", &["min", "max"])
    .determinism(Determinism::Exact)
    .wgsl(concat!(
        include_str!("order_f32.wgsl"),
        include_str!("order_settle.wgsl")
    ))
    .cpu(Cpu::Ranges(order_settle_twin));

fn order_settle_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let lanes = b.lanes("dst") as usize;
    let smaller = p.option("OP")? == "min";
    let keys = part(
        b.kernel,
        "arrived",
        b.read::<u32>("arrived")?,
        range.start * lanes..range.end * lanes,
    )?;
    for (to, &key) in b.write::<f32>("dst")?.iter_mut().zip(keys) {
        let stands = to.to_key();
        *to = f32::from_key(if smaller { stands.min(key) } else { stands.max(key) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn words_that_no_usize_counts_are_no_element_and_not_another_one() {
        assert_eq!(row(5, 3), Some(15..18));
        assert_eq!(row(usize::MAX / 2 + 1, 2), None);
        assert_eq!(row(usize::MAX / 3, 3), None, "its end alone does not fit");
    }
}
