//! What folds elements: scans, reductions, runs.

use zero_compute::kernels::{self, Form, Reduce, Test};
use zero_compute::{Column, Element, Result};

use super::super::world::{Want, World};
use super::moved::run_counts;

fn form(w: &mut World<'_>) -> Form {
    if w.random.one_in(2) {
        Form::Exclusive
    } else {
        Form::Inclusive
    }
}

fn question(w: &mut World<'_>) -> Test {
    w.random.of(&[Test::Count, Test::Any, Test::All]).unwrap_or(Test::Any)
}

pub(super) fn scan(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything().lanes(1).tame())?;
    let form = form(w);
    let scanned = kernels::scan(&mut w.rec, &src, form)?;
    w.keep(&scanned.dst);
    w.keep(&scanned.total);
    Ok(())
}

pub(super) fn offsets(w: &mut World<'_>) -> Result<()> {
    let counts = run_counts(w)?;
    let scanned = kernels::offsets(&mut w.rec, &counts)?;
    w.keep(&scanned.dst);
    w.keep(&scanned.total);
    Ok(())
}

pub(super) fn scan_segments(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything().lanes(1).tame())?;
    let one_in = 1 + w.random.log_uniform(5000);
    let words: Vec<i32> = (0..src.capacity())
        .map(|_| i32::from(w.random.one_in(one_in)))
        .collect();
    let heads = w.upload(&words, 1)?;
    w.keep(&heads);
    let form = form(w);
    let scanned = kernels::scan_segments(&mut w.rec, &src, &heads, form)?;
    w.keep(&scanned.dst);
    Ok(())
}

/// A fold, and a column that it may be taken of.
fn fold(w: &mut World<'_>) -> Result<(Column, Reduce)> {
    let op = w
        .random
        .of(&[Reduce::Sum, Reduce::Min, Reduce::Max])
        .unwrap_or(Reduce::Sum);
    let src = match op {
        Reduce::Sum => w.any(Want::anything().tame())?,
        Reduce::Min | Reduce::Max => w.any(Want::anything())?,
    };
    Ok((src, op))
}

pub(super) fn reduce(w: &mut World<'_>) -> Result<()> {
    let (src, op) = fold(w)?;
    let reduced = kernels::reduce(&mut w.rec, &src, op)?;
    w.keep(&reduced);
    Ok(())
}

pub(super) fn test(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything().lanes(1))?;
    let question = question(w);
    let answer = kernels::test(&mut w.rec, &src, question)?;
    w.keep(&answer);
    Ok(())
}

pub(super) fn mean(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::of(Element::F32).tame())?;
    let mean = kernels::mean(&mut w.rec, &src)?;
    w.keep(&mean);
    Ok(())
}

/// Where runs of a column start, ascending; some runs are empty, and some the whole of the column.
fn starts(w: &mut World<'_>, src: &Column) -> Result<Column> {
    let n = src.capacity();
    let mut words: Vec<u32> = (0..w.size()).map(|_| w.random.below(n.saturating_add(1))).collect();
    if w.random.one_in(4) {
        words.truncate(2);
    }
    words.sort_unstable();
    let starts = w.upload(&words, 1)?;
    w.keep(&starts);
    if w.random.one_in(4) {
        w.with_live(&starts)
    } else {
        Ok(starts)
    }
}

pub(super) fn segments(w: &mut World<'_>) -> Result<()> {
    let (src, op) = fold(w)?;
    let starts = starts(w, &src)?;
    let folded = kernels::segments(&mut w.rec, &src, &starts, op)?;
    w.keep(&folded);
    Ok(())
}

pub(super) fn segments_test(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::anything().lanes(1))?;
    let starts = starts(w, &src)?;
    let question = question(w);
    let answers = kernels::segments_test(&mut w.rec, &src, &starts, question)?;
    w.keep(&answers);
    Ok(())
}

pub(super) fn segments_mean(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::of(Element::F32).tame())?;
    let starts = starts(w, &src)?;
    let means = kernels::segments_mean(&mut w.rec, &src, &starts)?;
    w.keep(&means);
    Ok(())
}
