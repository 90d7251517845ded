//! A stable sort of keys with their values.

use rayon::prelude::*;

use super::gather::gather;
use super::make::ramp;
use super::number::{BLOCK, Number};
use super::parallel::{CHUNK, for_each, part};
use super::{for_element, one_lane, same_length};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Groups, Kernel, Recorder,
    Result, Rule, WholeFn, args,
};

const fn declare(name: &'static str, element: Element, wgsl: &'static str, twin: WholeFn) -> Kernel {
    let mut kernel = Kernel::declare(name)
        .read_domain("keys", element)
        .lanes(1)
        .read_domain("values", Element::I32)
        .lanes(1)
        .write("sorted_keys", element, Rule::Domain)
        .write("sorted_values", Element::I32, Rule::Domain)
        .scratch("spare_keys", element, Rule::Domain)
        .scratch("spare_values", Element::I32, Rule::Domain)
        .scratch(
            "places",
            Element::U32,
            Rule::DivScaled {
                per: BLOCK as u32,
                times: 16,
            },
        )
        .scratch("shift", Element::U32, Rule::One)
        .specialize("ORDER", &["ascending", "descending"])
        .determinism(Determinism::Exact)
        .wgsl(wgsl)
        .pass("begin", Groups::One, &["shift"])
        .cpu(Cpu::Whole(twin));
    // Eight rounds of four bits: source to spare, spare to sorted, and back and forth, ending in sorted.
    let groups = Groups::PerElements(BLOCK as u32);
    let mut round = 0;
    while round < 8 {
        kernel = if round == 0 {
            kernel.pass("count_source", groups, &["keys", "places", "shift"])
        } else if round % 2 == 1 {
            kernel.pass("count_spare", groups, &["spare_keys", "places", "shift"])
        } else {
            kernel.pass("count_sorted", groups, &["sorted_keys", "places", "shift"])
        };
        kernel = kernel.pass("place", Groups::One, &["places", "shift"]);
        kernel = if round == 0 {
            let uses = &["keys", "values", "spare_keys", "spare_values", "places", "shift"];
            kernel.pass("move_source", groups, uses)
        } else if round % 2 == 1 {
            let uses = &[
                "spare_keys",
                "spare_values",
                "sorted_keys",
                "sorted_values",
                "places",
                "shift",
            ];
            kernel.pass("move_spare", groups, uses)
        } else {
            let uses = &[
                "sorted_keys",
                "sorted_values",
                "spare_keys",
                "spare_values",
                "places",
                "shift",
            ];
            kernel.pass("move_sorted", groups, uses)
        };
        round += 1;
    }
    kernel
}

/// [`sort`] by float keys.
pub static SORT_F32: Kernel = declare(
    "sort_f32",
    Element::F32,
    concat!(include_str!("order_f32.wgsl"), include_str!("sort.wgsl")),
    twin::<f32>,
);
/// [`sort`] by signed keys.
pub static SORT_I32: Kernel = declare(
    "sort_i32",
    Element::I32,
    concat!(include_str!("order_i32.wgsl"), include_str!("sort.wgsl")),
    twin::<i32>,
);
/// [`sort`] by unsigned keys.
pub static SORT_U32: Kernel = declare(
    "sort_u32",
    Element::U32,
    concat!(include_str!("order_u32.wgsl"), include_str!("sort.wgsl")),
    twin::<u32>,
);

/// Which way keys are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The smallest first.
    #[default]
    Ascending,
    /// The greatest first; of equal keys the earlier one first all the same.
    Descending,
}

impl Order {
    /// The option of the `ORDER` specialization.
    fn option(self) -> &'static str {
        match self {
            Order::Ascending => "ascending",
            Order::Descending => "descending",
        }
    }
}

/// What [`sort`] answers.
#[derive(Clone, Debug)]
pub struct Sorted {
    /// The keys in their order.
    pub keys: Column,
    /// The values (`i32`) in the order of their keys; of equal keys the earlier one first.
    pub values: Column,
}

/// Sorts keys of one lane, ascending and stable, with a value (`i32`, one lane) each. Without `values` each key's own
/// number is its value, so that `sorted.values` is the order by which to [`gather`](super::gather()) anything else.
///
/// Floats are in IEEE 754's total order: -0 before +0, infinities at the ends, and past them what is no number, one
/// with its sign bit set before negative infinity, any other after positive infinity. (A GPU's driver may write another
/// pattern of a NaN than it read; the values that come out say which it was.) Past the live count a key is 0 and a
/// value -1. For keys of several columns see [`sort_columns`].
///
/// Cost: 25 passes (a radix sort, 4 bits a round) and one more without `values`; workspace of two words an element.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane or lengths that differ,
/// [`Error::WrongElement`](crate::Error::WrongElement) where `values` is not `i32`.
pub fn sort(rec: &mut Recorder, keys: &Column, values: Option<&Column>) -> Result<Sorted> {
    sort_by(rec, keys, values, Order::Ascending)
}

/// As [`sort`], in either order. Descending is stable too: it is not the ascending order read backwards.
///
/// Cost: that of [`sort`].
///
/// # Errors
/// Those of [`sort`].
pub fn sort_by(rec: &mut Recorder, keys: &Column, values: Option<&Column>, order: Order) -> Result<Sorted> {
    rec.all_or_nothing(|rec| sort_by_steps(rec, keys, values, order))
}

fn sort_by_steps(rec: &mut Recorder, keys: &Column, values: Option<&Column>, order: Order) -> Result<Sorted> {
    let kernel = for_element(keys.element(), &SORT_F32, &SORT_I32, &SORT_U32);
    one_lane(kernel.name(), "keys", keys)?;
    let domain = Domain::of(keys);
    let values = match values {
        Some(values) => {
            one_lane(kernel.name(), "values", values)?;
            same_length(kernel.name(), "values", values, &domain)?;
            values.clone()
        }
        None => ramp(rec, Domain::count(domain.elements()), 0, 1)?,
    };
    let arguments = args! { keys: keys, values: &values, ORDER: order.option() };
    let done = rec.dispatch(kernel, arguments, domain)?;
    Ok(Sorted {
        keys: done.column("sorted_keys")?,
        values: done.column("sorted_values")?,
    })
}

/// The order of elements by keys of several columns of one lane each, the one that decides first in front: element
/// numbers (`i32`), of equal keys the earlier one first; -1 past the live count, which is that of the first column.
/// Columns may be of different kinds, and each has an order of its own.
///
/// Cost: a [`sort`] a column and a gather more for each after the first (26 passes, then 27 each time).
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) for no columns, [`Error::WrongShape`](crate::Error::WrongShape) for more
/// than one lane or lengths that differ.
pub fn sort_columns(rec: &mut Recorder, columns: &[(&Column, Order)]) -> Result<Column> {
    rec.all_or_nothing(|rec| sort_columns_steps(rec, columns))
}

fn sort_columns_steps(rec: &mut Recorder, columns: &[(&Column, Order)]) -> Result<Column> {
    let (Some((first, _)), Some((last, last_order))) = (columns.first(), columns.last()) else {
        return Err(Error::Invalid {
            what: "keys of a sort".to_owned(),
            expected: "at least one column".to_owned(),
            found: "none".to_owned(),
        });
    };
    let domain = Domain::of(first);
    for (keys, _) in columns {
        one_lane("sort_columns", "keys", keys)?;
        same_length("sort_columns", "keys", keys, &domain)?;
    }
    // From the column that decides last to the one that decides first: a stable sort keeps what stands of the others.
    let last = match first.live_count() {
        Some(count) => last.with_live(&count)?,
        None => last.as_capacity(),
    };
    let mut sorted = sort_by(rec, &last, None, *last_order)?.values;
    for (keys, order) in columns.iter().rev().skip(1) {
        let keys = gather(rec, keys, &sorted)?;
        sorted = sort_by(rec, &keys, Some(&sorted), *order)?.values;
    }
    Ok(sorted)
}

/// An order key and its value. A stable sort has one answer only, so every way to it gives the same bytes.
type Pair = (u32, i32);

fn twin<T: Number>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let keys = part(b.kernel, "keys", b.read::<T>("keys")?, 0..live)?;
    let values = part(b.kernel, "values", b.read::<i32>("values")?, 0..live)?;
    // Complemented keys ascend where the keys descend.
    let flip = if p.option("ORDER")? == "descending" {
        u32::MAX
    } else {
        0
    };
    let mut pairs: Vec<Pair> = keys
        .iter()
        .zip(values)
        .map(|(&key, &value)| (key.to_key() ^ flip, value))
        .collect();
    let mut spare = vec![(0, 0); pairs.len()];
    let pieces = x.pool.map_or(1, rayon::ThreadPool::current_num_threads);
    let size = pairs.len().div_ceil(pieces).max(CHUNK);
    let mut runs: Vec<_> = pairs.chunks_mut(size).zip(spare.chunks_mut(size)).collect();
    for_each(x, &mut runs, |(pairs, spare)| radix_sort(pairs, spare, x))?;
    merge_runs(&mut pairs, &mut spare, size, x)?;

    let (sorted_keys, sorted_values) = (b.write::<T>("sorted_keys")?, b.write::<i32>("sorted_values")?);
    for ((key, value), &(from_key, from_value)) in sorted_keys.iter_mut().zip(sorted_values.iter_mut()).zip(&pairs) {
        (*key, *value) = (T::from_key(from_key ^ flip), from_value);
    }
    sorted_keys.iter_mut().skip(live).for_each(|key| *key = T::default());
    sorted_values.iter_mut().skip(live).for_each(|value| *value = -1);
    Ok(())
}

/// Sorts by one byte after the other, from the lowest; a byte that all keys share is passed over.
fn radix_sort(pairs: &mut [Pair], spare: &mut [Pair], x: &CpuExec<'_>) -> Result<()> {
    let mut counts = [[0usize; 256]; 4];
    for chunk in pairs.chunks(CHUNK) {
        x.checkpoint()?;
        for (key, _) in chunk {
            for (counts, byte) in counts.iter_mut().zip(key.to_le_bytes()) {
                counts[usize::from(byte)] += 1;
            }
        }
    }
    let (mut from, mut to) = (&mut *pairs, &mut *spare);
    let mut moves = 0;
    for (byte, counts) in counts.iter_mut().enumerate() {
        if counts.contains(&from.len()) {
            continue;
        }
        let mut before = 0;
        for count in counts.iter_mut() {
            (*count, before) = (before, before + *count);
        }
        for chunk in from.chunks(CHUNK) {
            x.checkpoint()?;
            for &pair in chunk {
                let place = &mut counts[usize::from(pair.0.to_le_bytes()[byte])];
                to[*place] = pair;
                *place += 1;
            }
        }
        (from, to) = (to, from);
        moves += 1;
    }
    if moves % 2 == 1 {
        pairs.copy_from_slice(spare);
    }
    Ok(())
}

/// Merges sorted runs of `size` two by two until one is left, in `pairs`.
fn merge_runs(pairs: &mut Vec<Pair>, spare: &mut Vec<Pair>, mut size: usize, x: &CpuExec<'_>) -> Result<()> {
    while size < pairs.len() {
        let merge = |(from, to): (&[Pair], &mut [Pair])| {
            let (left, right) = from.split_at(size.min(from.len()));
            merge_two(left, right, to, x)
        };
        match x.pool {
            Some(pool) => pool.install(|| {
                pairs
                    .par_chunks(2 * size)
                    .zip(spare.par_chunks_mut(2 * size))
                    .try_for_each(merge)
            })?,
            None => pairs
                .chunks(2 * size)
                .zip(spare.chunks_mut(2 * size))
                .try_for_each(merge)?,
        }
        std::mem::swap(pairs, spare);
        size *= 2;
    }
    Ok(())
}

/// Of equal keys the left run's come first.
fn merge_two(left: &[Pair], right: &[Pair], to: &mut [Pair], x: &CpuExec<'_>) -> Result<()> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    for chunk in to.chunks_mut(CHUNK) {
        x.checkpoint()?;
        for to in chunk {
            let from_left = match (left.peek(), right.peek()) {
                (Some(l), Some(r)) => l.0 <= r.0,
                (Some(_), None) => true,
                (None, _) => false,
            };
            if let Some(&pair) = if from_left { left.next() } else { right.next() } {
                *to = pair;
            }
        }
    }
    Ok(())
}
