//! A column folded to one element.

use super::number::{BLOCK, Number, Summed};
use super::parallel::{for_chunks, part};
use super::{for_element, one_lane};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Groups, Kernel, Recorder, Result, Rule,
    WholeFn, args,
};

/// Threads that fold side by side in the stated order.
const THREADS: usize = 256;
/// Lanes that the scratch has room for.
const MAX_LANES: u32 = 16;
/// Blocks between two checks for cancel.
const BLOCKS_PER_CHECK: usize = 64;

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", element)
        .lanes_between(1, MAX_LANES)
        .write("dst", element, Rule::OneOf("src"))
        .scratch(
            "blocks",
            element,
            Rule::DivScaled {
                per: BLOCK as u32,
                times: MAX_LANES,
            },
        )
        .specialize("OP", &["sum", "min", "max"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("partials", Groups::PerElements(BLOCK as u32), &["src", "blocks"])
        .pass("finish", Groups::One, &["src", "blocks", "dst"])
        .cpu(Cpu::Whole(twin))
}

macro_rules! source {
    ($order:literal) => {
        concat!(
            include_str!($order),
            include_str!("fold.wgsl"),
            include_str!("fold_block.wgsl"),
            include_str!("reduce.wgsl")
        )
    };
}

/// [`reduce`] of floats.
pub static REDUCE_F32: Kernel = declare("reduce_f32", Element::F32, source!("order_f32.wgsl"), twin::<f32>);
/// [`reduce`] of signed integers.
pub static REDUCE_I32: Kernel = declare("reduce_i32", Element::I32, source!("order_i32.wgsl"), twin::<i32>);
/// [`reduce`] of unsigned integers.
pub static REDUCE_U32: Kernel = declare("reduce_u32", Element::U32, source!("order_u32.wgsl"), twin::<u32>);

const fn declare_test(name: &'static str, element: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    Kernel::declare(name)
        .read_domain("src", element)
        .lanes(1)
        .write("dst", Element::U32, Rule::One)
        .scratch("blocks", Element::U32, Rule::CeilDiv(BLOCK as u32))
        .specialize("OP", &["count", "any", "all"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("partials", Groups::PerElements(BLOCK as u32), &["src", "blocks"])
        .pass("finish", Groups::One, &["blocks", "dst"])
        .cpu(Cpu::Whole(twin))
}

/// [`test()`] of floats.
pub static TEST_F32: Kernel = declare_test(
    "test_f32",
    Element::F32,
    concat!(
        "alias T = f32;\n",
        include_str!("count_block.wgsl"),
        include_str!("test_flags.wgsl")
    ),
    test_twin::<f32>,
);
/// [`test()`] of signed integers.
pub static TEST_I32: Kernel = declare_test(
    "test_i32",
    Element::I32,
    concat!(
        "alias T = i32;\n",
        include_str!("count_block.wgsl"),
        include_str!("test_flags.wgsl")
    ),
    test_twin::<i32>,
);
/// [`test()`] of unsigned integers.
pub static TEST_U32: Kernel = declare_test(
    "test_u32",
    Element::U32,
    concat!(
        "alias T = u32;\n",
        include_str!("count_block.wgsl"),
        include_str!("test_flags.wgsl")
    ),
    test_twin::<u32>,
);

/// What [`reduce`] and [`segments`](super::segments()) fold with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// The sum; of no element 0. Integers wrap.
    Sum,
    /// The smallest; of no element the greatest value there is (infinity for floats).
    Min,
    /// The greatest; of no element the smallest value there is (negative infinity for floats).
    Max,
}

impl Reduce {
    pub(super) fn option(self) -> &'static str {
        match self {
            Reduce::Sum => "sum",
            Reduce::Min => "min",
            Reduce::Max => "max",
        }
    }

    pub(super) fn of_option(option: &str) -> Reduce {
        match option {
            "min" => Reduce::Min,
            "max" => Reduce::Max,
            _ => Reduce::Sum,
        }
    }

    /// The bits of the fold of no element.
    fn empty(self, element: Element) -> u32 {
        fn bits<T: Number>(op: Reduce) -> u32 {
            let value = match op {
                Reduce::Sum => T::default(),
                Reduce::Min => T::from_key(T::GREATEST_KEY),
                Reduce::Max => T::from_key(T::LEAST_KEY),
            };
            bytemuck::cast(value)
        }
        match element {
            Element::F32 => bits::<f32>(self),
            Element::I32 => bits::<i32>(self),
            Element::U32 => bits::<u32>(self),
        }
    }
}

/// What [`test()`] asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// How many elements are not zero.
    Count,
    /// 1 if any element is not zero, else 0.
    Any,
    /// 1 if no element is zero, else 0; 1 over no element.
    All,
}

impl Test {
    /// The option of the `OP` specialization.
    pub(super) fn option(self) -> &'static str {
        match self {
            Test::Count => "count",
            Test::Any => "any",
            Test::All => "all",
        }
    }
}

/// Folds a column to one element, lane by lane: a sum, or the smallest or greatest by total order.
///
/// Floats are summed in one order on every device: blocks of 1024, in which 256 running sums take every 256th
/// element and are then folded in halves; the sums of the blocks likewise. The error is that of some 20 additions
/// and one more for each 256 blocks.
///
/// Cost: 2 passes; each element is read once.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than 16 lanes.
pub fn reduce(rec: &mut Recorder, src: &Column, op: Reduce) -> Result<Column> {
    rec.all_or_nothing(|rec| reduce_steps(rec, src, op))
}

fn reduce_steps(rec: &mut Recorder, src: &Column, op: Reduce) -> Result<Column> {
    let kernel = for_element(src.element(), &REDUCE_F32, &REDUCE_I32, &REDUCE_U32);
    if src.lanes() > MAX_LANES {
        return Err(super::shape(
            kernel.name(),
            "src",
            format!("at most {MAX_LANES} lanes"),
            src,
        ));
    }
    let done = rec.dispatch(kernel, args! { src: src, OP: op.option() }, Domain::of(src))?;
    let dst = done.column("dst")?;
    if src.is_empty() {
        rec.fill(&dst, op.empty(src.element()))?;
    }
    Ok(dst)
}

/// Asks a column of one lane how many of its elements are not zero, whether any is, or whether all are: one `u32`.
///
/// Cost: 2 passes; each element is read once.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane.
pub fn test(rec: &mut Recorder, src: &Column, question: Test) -> Result<Column> {
    rec.all_or_nothing(|rec| test_steps(rec, src, question))
}

fn test_steps(rec: &mut Recorder, src: &Column, question: Test) -> Result<Column> {
    let kernel = for_element(src.element(), &TEST_F32, &TEST_I32, &TEST_U32);
    one_lane(kernel.name(), "src", src)?;
    let done = rec.dispatch(kernel, args! { src: src, OP: question.option() }, Domain::of(src))?;
    let dst = done.column("dst")?;
    if src.is_empty() {
        rec.fill(&dst, u32::from(question == Test::All))?;
    }
    Ok(dst)
}

/// A fold: how values enter it, join and leave it.
pub(super) trait Fold<T> {
    /// What is folded.
    type Key: Copy + Send + Sync;
    /// The fold of nothing.
    const NOTHING: Self::Key;
    fn enter(value: T) -> Self::Key;
    fn fold(a: Self::Key, b: Self::Key) -> Self::Key;
    fn leave(key: Self::Key) -> T;
}

pub(super) struct Sum;
pub(super) struct Min;
pub(super) struct Max;

macro_rules! sum_of {
    ($($t:ty => $zero:literal),*) => {$(
        impl Fold<$t> for Sum {
            type Key = $t;
            const NOTHING: $t = $zero;
            fn enter(value: $t) -> $t { value }
            fn fold(a: $t, b: $t) -> $t { a.plus(b) }
            fn leave(key: $t) -> $t { key }
        }
    )*};
}
sum_of!(f32 => 0.0, i32 => 0, u32 => 0);

impl<T: Number> Fold<T> for Min {
    type Key = u32;
    const NOTHING: u32 = T::GREATEST_KEY;
    fn enter(value: T) -> u32 {
        value.to_key()
    }
    fn fold(a: u32, b: u32) -> u32 {
        a.min(b)
    }
    fn leave(key: u32) -> T {
        T::from_key(key)
    }
}

impl<T: Number> Fold<T> for Max {
    type Key = u32;
    const NOTHING: u32 = T::LEAST_KEY;
    fn enter(value: T) -> u32 {
        value.to_key()
    }
    fn fold(a: u32, b: u32) -> u32 {
        a.max(b)
    }
    fn leave(key: u32) -> T {
        T::from_key(key)
    }
}

/// Calls `$run::<T, F>` with the fold that the option names.
macro_rules! for_fold {
    ($option:expr, $run:ident::<$t:ty>($($argument:expr),*)) => {
        match Reduce::of_option($option) {
            Reduce::Sum => $run::<$t, Sum>($($argument),*),
            Reduce::Min => $run::<$t, Min>($($argument),*),
            Reduce::Max => $run::<$t, Max>($($argument),*),
        }
    };
}
pub(super) use for_fold;

fn twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()>
where
    Sum: Fold<T>,
{
    for_fold!(p.option("OP")?, fold_column::<T>(b, p, x))
}

/// The words of the live elements of `src`, and its lanes.
pub(super) fn live_words<'a, T: Number>(b: &CpuBindings<'a>, p: &CpuParams<'_>) -> Result<(&'a [T], usize)> {
    let lanes = (b.lanes("src") as usize).max(1);
    let words = part(b.kernel, "src", b.read::<T>("src")?, 0..p.live() as usize * lanes)?;
    Ok((words, lanes))
}

fn fold_column<T: Number, F: Fold<T>>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (src, lanes) = live_words::<T>(b, p)?;
    let mut partials = vec![T::default(); src.len().div_ceil(BLOCK * lanes) * lanes];
    fold_blocks::<T, F>(src, lanes, &mut partials, x)?;
    fold_lanes::<T, F>(&partials, b.write::<T>("dst")?);
    Ok(())
}

/// Folds each block of elements to one.
pub(super) fn fold_blocks<T: Number, F: Fold<T>>(
    src: &[T],
    lanes: usize,
    blocks: &mut [T],
    x: &CpuExec<'_>,
) -> Result<()> {
    for_chunks(x, blocks, BLOCKS_PER_CHECK * lanes, |first, blocks| {
        let sources = src.chunks(BLOCK * lanes).skip(first / lanes);
        for (block, src) in blocks.chunks_mut(lanes).zip(sources) {
            fold_lanes::<T, F>(src, block);
        }
        Ok(())
    })
}

/// Folds elements of `out.len()` lanes to one: thread `t` of 256 takes every 256th, then halves join.
fn fold_lanes<T: Number, F: Fold<T>>(src: &[T], out: &mut [T]) {
    let lanes = out.len().max(1);
    for (lane, to) in out.iter_mut().enumerate() {
        let mut threads = [F::NOTHING; THREADS];
        for row in src.chunks(THREADS * lanes) {
            if lanes == 1 {
                join(&mut threads, row.iter().map(|&value| F::enter(value)), F::fold);
            } else {
                join(
                    &mut threads,
                    row.iter().skip(lane).step_by(lanes).map(|&value| F::enter(value)),
                    F::fold,
                );
            }
        }
        let mut half = THREADS / 2;
        while half > 0 {
            let (low, high) = threads.split_at_mut(half);
            join(low, high.iter().copied(), F::fold);
            half /= 2;
        }
        *to = F::leave(threads[0]);
    }
}

fn join<K: Copy>(into: &mut [K], values: impl Iterator<Item = K>, fold: impl Fn(K, K) -> K) {
    for (to, value) in into.iter_mut().zip(values) {
        *to = fold(*to, value);
    }
}

fn test_twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live();
    let src = part(b.kernel, "src", b.read::<T>("src")?, 0..live as usize)?;
    let size = BLOCK * BLOCKS_PER_CHECK;
    let mut counts = vec![0u32; src.len().div_ceil(size)];
    for_chunks(x, &mut counts, 1, |first, counts| {
        for (count, src) in counts.iter_mut().zip(src.chunks(size).skip(first)) {
            *count = src.iter().map(|&value| u32::from(value != T::default())).sum();
        }
        Ok(())
    })?;
    let set: u32 = counts.iter().sum();
    let answer = match p.option("OP")? {
        "any" => u32::from(set > 0),
        "all" => u32::from(set == live),
        _ => set,
    };
    b.write::<u32>("dst")?.fill(answer);
    Ok(())
}
