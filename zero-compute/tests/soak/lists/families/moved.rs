//! What moves words, and decides which.

use zero_compute::kernels::{self, Order, Scatter};
use zero_compute::{Column, Element, Result};

use super::super::world::{Want, World};

/// A copy of the column to change in place, so that every run begins from the same.
pub(super) fn copy_of(w: &mut World<'_>, column: &Column) -> Result<Column> {
    w.rec.copy(column)
}

pub(super) fn copy(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything())?;
    let copy = copy_of(w, &src)?;
    if w.random.one_in(3) {
        let filled = copy_of(w, &copy)?;
        let bits = w.random.word() >> 1 & 0x7f7f_ffff;
        w.rec.fill(&filled.as_capacity(), bits)?;
        w.rec.copy_into(&copy, &filled)?;
        w.keep_moved(&src, &filled);
    }
    w.keep_moved(&src, &copy);
    Ok(())
}

pub(super) fn copy_lanes(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything())?;
    let dst = w.any(Want::of(src.element()).elements(src.capacity()))?;
    let dst = copy_of(w, &dst.as_capacity())?;
    let lanes = 1 + w.random.below(src.lanes().min(dst.lanes()));
    let from = w.random.below(src.lanes() - lanes + 1);
    let to = w.random.below(dst.lanes() - lanes + 1);
    kernels::copy_lanes(&mut w.rec, &src, from, &dst, to, lanes)?;
    w.keep(&dst);
    Ok(())
}

pub(super) fn gather(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything())?;
    let index = if w.random.one_in(2) {
        let count = w.size();
        let index = w.indices(count, src.capacity())?;
        if w.random.one_in(4) {
            w.with_live(&index)?
        } else {
            index
        }
    } else {
        w.any(Want::of(Element::I32).lanes(1))?
    };
    let gathered = kernels::gather(&mut w.rec, &src, &index)?;
    w.keep_moved(&src, &gathered);
    Ok(())
}

pub(super) fn scatter(w: &mut World<'_>) -> Result<()> {
    let dst = w.any(Want::anything().tame())?.as_capacity();
    let want = Want::of(dst.element()).lanes(dst.lanes()).tame();
    let src = w.any(want)?;
    let index = w.indices(src.capacity(), dst.capacity())?;
    let index = if w.random.one_in(4) {
        w.with_live(&index)?
    } else {
        index
    };
    let fraction_bits = w.random.below(8);
    let hows = match dst.element() {
        Element::F32 => [
            Scatter::Last,
            Scatter::AddFixed { fraction_bits },
            Scatter::Min,
            Scatter::Max,
        ],
        _ => [Scatter::Last, Scatter::Add, Scatter::Min, Scatter::Max],
    };
    let how = w.random.of(&hows).unwrap_or(Scatter::Last);
    let dst = copy_of(w, &dst)?;
    kernels::scatter(&mut w.rec, &src, &index, &dst, how)?;
    w.keep(&dst);
    Ok(())
}

pub(super) fn compact(w: &mut World<'_>) -> Result<()> {
    let flags = w.any(Want::anything().lanes(1))?;
    let kept = kernels::compact(&mut w.rec, &flags)?;
    w.keep(&kept.indices);
    w.keep(&kept.inverse);
    Ok(())
}

/// Counts of runs, small.
pub(super) fn run_counts(w: &mut World<'_>) -> Result<Column> {
    let n = w.size();
    let most = 2 + w.random.below(5);
    let counts = if w.random.one_in(2) {
        let words: Vec<u32> = (0..n).map(|_| w.random.below(most)).collect();
        w.upload(&words, 1)?
    } else {
        let words: Vec<i32> = (0..n).map(|_| w.random.below(most + 1) as i32 - 1).collect();
        w.upload(&words, 1)?
    };
    w.keep(&counts);
    if w.random.one_in(3) {
        w.with_live(&counts)
    } else {
        Ok(counts)
    }
}

pub(super) fn expand(w: &mut World<'_>) -> Result<()> {
    let counts = run_counts(w)?;
    let n = counts.capacity();
    let capacity = w.random.of(&[n, n / 2, n.saturating_mul(2), n + 100]).unwrap_or(n);
    let expanded = kernels::expand(&mut w.rec, &counts, capacity)?;
    for column in [
        &expanded.owner,
        &expanded.local_index,
        &expanded.offsets,
        &expanded.total,
    ] {
        w.keep(column);
    }
    Ok(())
}

pub(super) fn concat(w: &mut World<'_>) -> Result<()> {
    let first = w.any(Want::anything())?;
    let want = Want::of(first.element()).lanes(first.lanes());
    let mut columns = vec![first];
    for _ in 0..w.random.below(3) {
        columns.push(w.any(want)?);
    }
    let together: u64 = columns.iter().map(|column| u64::from(column.capacity())).sum();
    if together > 2 * u64::from(w.most) {
        columns.truncate(1);
    }
    let joined = kernels::concat(&mut w.rec, &columns.iter().collect::<Vec<_>>())?;
    w.keep(&joined);
    Ok(())
}

fn order(w: &mut World<'_>) -> Order {
    if w.random.one_in(2) {
        Order::Ascending
    } else {
        Order::Descending
    }
}

pub(super) fn sort(w: &mut World<'_>) -> Result<()> {
    let keys = w.any(Want::anything().lanes(1))?;
    let values = match w.random.one_in(2) {
        true => Some(w.any(Want::of(Element::I32).lanes(1).elements(keys.capacity()))?),
        false => None,
    };
    let order = order(w);
    let sorted = kernels::sort_by(&mut w.rec, &keys, values.as_ref(), order)?;
    w.keep_moved(&keys, &sorted.keys);
    w.keep(&sorted.values);
    Ok(())
}

pub(super) fn sort_columns(w: &mut World<'_>) -> Result<()> {
    let first = w.any(Want::anything().lanes(1))?;
    let second = w.any(Want::anything().lanes(1).elements(first.capacity()))?;
    let orders = (order(w), order(w));
    let sorted = kernels::sort_columns(&mut w.rec, &[(&first, orders.0), (&second, orders.1)])?;
    w.keep(&sorted);
    Ok(())
}
