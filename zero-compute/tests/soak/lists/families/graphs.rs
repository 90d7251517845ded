//! What follows elements from one to the next.

use zero_compute::kernels::{self, Primitives};
use zero_compute::{Column, Element, Result};

use super::super::world::{Want, World};

/// The most primitives: their table is two sorts of some elements each.
pub(super) const MOST_PRIMITIVES: u32 = 1 << 18;

/// Trees: each element's parent is one before it, itself, or none. At times any element, so that there are cycles.
fn forest(w: &mut World<'_>) -> Result<Column> {
    let n = w.size();
    let (is_chain, has_cycles) = (w.random.one_in(4), w.random.one_in(4));
    let parent = |w: &mut World<'_>, i: u32| match w.random.below(64) {
        0 => -1,
        1 => i as i32,
        _ if has_cycles => w.random.below(n) as i32,
        _ if is_chain => i as i32 - 1,
        _ => w.random.below(i) as i32,
    };
    let words: Vec<i32> = (0..n).map(|i| parent(w, i)).collect();
    let column = w.upload(&words, 1)?;
    w.keep(&column);
    if w.random.one_in(4) {
        w.with_live(&column)
    } else {
        Ok(column)
    }
}

pub(super) fn jump_rank(w: &mut World<'_>) -> Result<()> {
    let parent = forest(w)?;
    let jumped = kernels::jump_rank(&mut w.rec, &parent)?;
    w.keep(&jumped.parent);
    w.keep(&jumped.value);
    Ok(())
}

pub(super) fn jump_min(w: &mut World<'_>) -> Result<()> {
    let parent = forest(w)?;
    let values = w.any(Want::of(Element::I32).lanes(1).elements(parent.capacity()))?;
    let jumped = kernels::jump_min(&mut w.rec, &parent, &values)?;
    w.keep(&jumped.parent);
    w.keep(&jumped.value);
    Ok(())
}

pub(super) fn edges(w: &mut World<'_>) -> Result<()> {
    let n = w.size_to(MOST_PRIMITIVES);
    let (mut starts, mut counts, mut slots) = (Vec::new(), Vec::new(), 0i32);
    for _ in 0..n {
        let count = w.random.below(5) as i32;
        starts.push(slots);
        counts.push(count);
        slots += count + i32::from(w.random.one_in(50));
    }
    let sharing = 1 + w.random.below(4);
    let most_points = slots as u32 / sharing + 2;
    let points: Vec<i32> = (0..slots).map(|_| w.random.below(most_points) as i32 - 1).collect();
    let closed: Vec<i32> = (0..n).map(|_| i32::from(!w.random.one_in(5))).collect();
    let (starts, counts) = (w.upload(&starts, 1)?, w.upload(&counts, 1)?);
    let (points, closed) = (w.upload(&points, 1)?, w.upload(&closed, 1)?);
    let starts = if w.random.one_in(4) {
        w.with_live(&starts)?
    } else {
        starts
    };
    let is_closed = w.random.one_in(2);
    let table = kernels::edges(
        &mut w.rec,
        Primitives {
            starts: &starts,
            counts: &counts,
            points: &points,
            closed: (!is_closed).then_some(&closed),
        },
    )?;
    // The vertex slots past the live count are unspecified, and kept by nobody.
    for column in [
        &table.a,
        &table.b,
        &table.face_start,
        &table.face_count,
        &table.faces,
        &table.reversed,
        &table.open,
        &table.manifold,
        &table.side_edge,
        &table.count,
    ] {
        w.keep(column);
    }
    let open = kernels::open_edges(&mut w.rec, &table)?;
    for column in [&open.source, &open.a, &open.b, &open.from, &open.to, &open.count] {
        w.keep(column);
    }
    if w.random.one_in(2) {
        rings(w, &open.from, &open.to)?;
    }
    Ok(())
}

fn rings(w: &mut World<'_>, from: &Column, to: &Column) -> Result<()> {
    let rings = kernels::loops(&mut w.rec, from, to)?;
    for column in [
        &rings.ring,
        &rings.position,
        &rings.order,
        &rings.starts,
        &rings.lengths,
        &rings.closed,
        &rings.count,
    ] {
        w.keep(column);
    }
    Ok(())
}

pub(super) fn loops(w: &mut World<'_>) -> Result<()> {
    let n = w.size_to(MOST_PRIMITIVES);
    let most_points = n + 2;
    let mut ends = || -> Vec<i32> { (0..n).map(|_| w.random.below(most_points) as i32 - 1).collect() };
    let (from, to) = (ends(), ends());
    let (from, to) = (w.upload(&from, 1)?, w.upload(&to, 1)?);
    let from = if w.random.one_in(3) { w.with_live(&from)? } else { from };
    rings(w, &from, &to)
}
