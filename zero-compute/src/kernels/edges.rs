//! The edge table of primitives: every distinct side once, with the primitives along it.

use std::ops::Range;

use super::compact::compact;
use super::gather::gather;
use super::number::Form;
use super::parallel::part;
use super::reduce::{Test, test};
use super::scan::scan;
use super::scatter::{Scatter, scatter};
use super::sort::{Order, sort_columns};
use super::{numbered, one_lane, same_length};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Kernel, Param, PerElement, Recorder,
    Result, Rule, args,
};

/// The point of what is no side, in the keys that sides are sorted by.
const NONE: u32 = u32::MAX;

/// First part of [`edges`]: the primitive of each vertex slot (`owner`), and the slot that its side runs to (`next`);
/// -1 where there is none. `primitives[0]` (at most `capacity`) is how many primitives there are; `closed` is not
/// looked at where `always` is not 0.
pub static EDGES_SLOTS: Kernel = Kernel::declare("edges_slots")
    .read("starts", Element::I32)
    .lanes(1)
    .read("counts", Element::I32)
    .lanes(1)
    .read("closed", Element::I32)
    .lanes(1)
    .read("primitives", Element::U32)
    .lanes(1)
    .write("owner", Element::I32, Rule::Domain)
    .write("next", Element::I32, Rule::Domain)
    .param("always", Param::U32(1))
    .param("capacity", Param::U32(u32::MAX))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("edges_slots.wgsl"))
    .cpu(Cpu::Ranges(slots_twin));

/// Second part of [`edges`]: the two points of the side of each vertex slot, the lower first (`u32::MAX` where there is
/// no side), and whether it runs from the higher to the lower.
pub static EDGES: Kernel = Kernel::declare("edges")
    .read_domain("next", Element::I32)
    .lanes(1)
    .read_domain("points", Element::I32)
    .lanes(1)
    .write("low", Element::U32, Rule::Domain)
    .write("high", Element::U32, Rule::Domain)
    .write("reversed", Element::I32, Rule::Domain)
    .write("side", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("edges.wgsl"))
    .cpu(Cpu::Ranges(edges_twin));

/// Before the stages of [`edges_runs`] over a live order: the order, which names no side past its live count, so that stage
/// *table* finds where it ends.
pub static EDGES_SIDES: Kernel = Kernel::declare("edges_sides")
    .read_domain("order", Element::I32)
    .lanes(1)
    .write("sides", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .fusion(PerElement {
        writes: "sides",
        own: &["order"],
        inert: Param::I32(-1),
    })
    .wgsl("fn element(i: u32, lane: u32) -> i32 { return order_at(i, lane); }")
    .cpu(Cpu::Ranges(sides_twin));

/// Stage *heads* of [`edges_runs`]: 1 where a side, in their order, joins other points than the one before; 0 past the live
/// count.
pub static EDGES_HEADS: Kernel = Kernel::declare("edges_heads")
    .read_domain("order", Element::I32)
    .lanes(1)
    .read("low", Element::U32)
    .lanes(1)
    .read("high", Element::U32)
    .lanes(1)
    .write("flag", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("edges_heads.wgsl"))
    .cpu(Cpu::Ranges(heads_twin));

/// Stage *table* of [`edges_runs`]: the points of each edge and the number of sides along it; -1, -1 and 0 past the live
/// count.
pub static EDGES_TABLE: Kernel = Kernel::declare("edges_table")
    .read_domain("heads", Element::I32)
    .lanes(1)
    .read("order", Element::I32)
    .lanes(1)
    .read("low", Element::U32)
    .lanes(1)
    .read("high", Element::U32)
    .lanes(1)
    .write("a", Element::I32, Rule::Domain)
    .write("b", Element::I32, Rule::Domain)
    .write("fcount", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("edges_table.wgsl"))
    .cpu(Cpu::Ranges(table_twin));

/// Last part of [`edges`]: whether one side runs along an edge, and whether at most two do.
pub static EDGES_KINDS: Kernel = Kernel::declare("edges_kinds")
    .read_domain("fcount", Element::I32)
    .lanes(1)
    .write("open", Element::I32, Rule::Domain)
    .write("manifold", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("edges_kinds.wgsl"))
    .cpu(Cpu::Ranges(kinds_twin));

/// The points of chosen edges in the order in which the first side along each runs; see [`open_edges`].
pub static EDGES_ENDS: Kernel = Kernel::declare("edges_ends")
    .read_domain("source", Element::I32)
    .lanes(1)
    .read("a", Element::I32)
    .lanes(1)
    .read("b", Element::I32)
    .lanes(1)
    .read("starts", Element::I32)
    .lanes(1)
    .read("reversed", Element::I32)
    .lanes(1)
    .write("source_from", Element::I32, Rule::Domain)
    .write("source_to", Element::I32, Rule::Domain)
    .param("capacity", Param::U32(0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("edges_ends.wgsl"))
    .cpu(Cpu::Ranges(ends_twin));

/// The primitives of a geometry, each a run of vertex slots. All columns are `i32` of one lane.
#[derive(Clone, Copy, Debug)]
pub struct Primitives<'a> {
    /// The first vertex slot of each primitive, ascending. Runs do not overlap; there may be slots between them.
    pub starts: &'a Column,
    /// The number of vertex slots of each primitive.
    pub counts: &'a Column,
    /// The point of each vertex slot; a negative one is none.
    pub points: &'a Column,
    /// Whether a side runs from the last vertex of each primitive to its first: 0 for an open curve. `None` for
    /// faces, which all close.
    pub closed: Option<&'a Column>,
}

/// What [`edges_runs`] answers.
#[derive(Clone, Debug)]
pub struct EdgeRuns {
    /// The lower point of each edge (`i32`), live with the number of edges; -1 past it.
    pub a: Column,
    /// Its higher point (`i32`); -1 past the live count.
    pub b: Column,
    /// The place of its first side in the order (`i32`); -1 past the live count.
    pub starts: Column,
    /// The number of sides along it (`i32`); 0 past the live count.
    pub counts: Column,
    /// For each place of the order, 1 where an edge begins (`i32`); 0 past the live count.
    pub flag: Column,
}

/// What [`edges`] answers. Edges are in ascending order of their lower point, then of their higher; the sides along an
/// edge in that of their vertex slots. All columns are `i32` of one lane.
#[derive(Clone, Debug)]
pub struct Edges {
    /// The lower point of each edge, live with the number of edges; -1 past it.
    pub a: Column,
    /// Its higher point; -1 past the live count.
    pub b: Column,
    /// Where its primitives start in [`faces`](Self::faces); -1 past the live count.
    pub face_start: Column,
    /// The number of its primitives, one that runs along it twice counted twice; 0 past the live count.
    pub face_count: Column,
    /// The primitives along each edge, edge after edge, live with the number of sides; 0 past it.
    pub faces: Column,
    /// 1 where the primitive runs from `b` to `a`, one for each of `faces`; 0 past the live count.
    pub reversed: Column,
    /// The vertex slot at which each of `faces` begins its side, live with the number of sides. Past it, unspecified.
    pub slots: Column,
    /// 1 for an edge with one primitive; 0 past the live count.
    pub open: Column,
    /// 1 for an edge with one primitive or two; 0 past the live count.
    pub manifold: Column,
    /// The edge of the side that starts at each vertex slot; -1 for a slot with no side.
    pub side_edge: Column,
    /// The number of edges (one `u32`).
    pub count: Column,
}

/// The edge table: every distinct side of the primitives as a pair of points, and the primitives along it.
///
/// A side runs from the point of a vertex slot to that of the next slot of its primitive, and from the last to the first
/// where the primitive closes. One whose points are the same, or one of which is none, is no side; a primitive of one
/// vertex has none, and one of two that closes runs along its edge both ways. Both the primitives (by the live count of
/// `starts`) and the vertex slots (by that of `points`) may be live; counts stay on the device.
///
/// Cost: 71 passes, most of them two stable sorts.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane or lengths that differ,
/// [`Error::WrongElement`](crate::Error::WrongElement) for other than `i32`.
pub fn edges(rec: &mut Recorder, primitives: Primitives<'_>) -> Result<Edges> {
    rec.all_or_nothing(|rec| edges_steps(rec, primitives))
}

fn edges_steps(rec: &mut Recorder, primitives: Primitives<'_>) -> Result<Edges> {
    let Primitives {
        starts,
        counts,
        points,
        closed,
    } = primitives;
    let name = EDGES_SLOTS.name();
    let given = [("starts", Some(starts)), ("counts", Some(counts)), ("closed", closed)];
    for (binding, column) in given {
        if let Some(column) = column {
            one_lane(name, binding, column)?;
            same_length(name, binding, column, &Domain::of(starts))?;
        }
    }
    one_lane(EDGES.name(), "points", points)?;
    rec.check_column(EDGES.name(), "points", Element::I32, points)?;

    numbered(EDGES.name(), "points", points.capacity())?;
    let slots = slots_of(rec, primitives)?;
    let sides = rec.dispatch(&EDGES, args! { next: &slots.next, points: points }, Domain::of(points))?;
    let (low, high) = (sides.column("low")?, sides.column("high")?);
    let count = test(rec, &sides.column("side")?, Test::Count)?;
    let order = sort_columns(rec, &[(&low, Order::Ascending), (&high, Order::Ascending)])?;
    let order = order.as_capacity().with_live(&count)?;
    let runs = edges_runs(rec, &order, &low, &high)?;

    let kinds = rec.dispatch(&EDGES_KINDS, args! { fcount: &runs.counts }, Domain::of(&runs.counts))?;
    let numbers = scan(rec, &runs.flag, Form::Inclusive)?.dst;
    // The edge of a side is the number of heads up to its place, less one: what stands is -1.
    let side_edge = rec.output(Element::I32, 1, points.capacity(), EDGES.name(), "side_edge")?;
    rec.fill(&side_edge, u32::MAX)?;
    scatter(rec, &numbers, &order, &side_edge, Scatter::Add)?;
    let count = match runs.a.live_count() {
        Some(count) => count,
        None => rec.device.upload(&[runs.a.capacity()], 1)?,
    };
    Ok(Edges {
        faces: gather(rec, &slots.owner, &order)?,
        reversed: gather(rec, &sides.column("reversed")?, &order)?,
        a: runs.a,
        b: runs.b,
        face_start: runs.starts,
        face_count: runs.counts,
        open: kinds.column("open")?,
        manifold: kinds.column("manifold")?,
        side_edge: match points.live_count() {
            Some(live) => side_edge.with_live(&live)?,
            None => side_edge,
        },
        slots: order,
        count,
    })
}

/// The edges that runs of equal sides make: `order` (`i32`) names the sides, sorted by the points `low` and `high`
/// (`u32`, one a side; `u32::MAX` for what is no side, which is sorted last and makes no edge). Past its live count nothing
/// is read of it.
///
/// Cost: 5 passes, 6 where `order` is live.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane or lengths that differ,
/// [`Error::WrongElement`](crate::Error::WrongElement) for other kinds than those.
pub fn edges_runs(rec: &mut Recorder, order: &Column, low: &Column, high: &Column) -> Result<EdgeRuns> {
    rec.all_or_nothing(|rec| edges_runs_steps(rec, order, low, high))
}

fn edges_runs_steps(rec: &mut Recorder, order: &Column, low: &Column, high: &Column) -> Result<EdgeRuns> {
    let domain = Domain::of(order);
    for (binding, column) in [("order", order), ("low", low), ("high", high)] {
        one_lane(EDGES_HEADS.name(), binding, column)?;
        same_length(EDGES_HEADS.name(), binding, column, &domain)?;
    }
    let sides = match order.live_count() {
        Some(_) => rec
            .dispatch(&EDGES_SIDES, args! { order: order }, domain.clone())?
            .column("sides")?,
        None => order.clone(),
    };
    let flag = rec
        .dispatch(&EDGES_HEADS, args! { order: order, low: low, high: high }, domain)?
        .column("flag")?;
    let heads = compact(rec, &flag)?.indices;
    let arguments = args! { heads: &heads, order: &sides, low: low, high: high };
    let table = rec.dispatch(&EDGES_TABLE, arguments, Domain::of(&heads))?;
    Ok(EdgeRuns {
        a: table.column("a")?,
        b: table.column("b")?,
        starts: heads,
        counts: table.column("fcount")?,
        flag,
    })
}

/// What [`open_edges`] answers: columns of `i32`, all live with the number of open edges, -1 past it but for `a` and `b`,
/// which are 0 there.
#[derive(Clone, Debug)]
pub struct OpenEdges {
    /// The number of each open edge in the table, ascending.
    pub source: Column,
    /// Its lower point.
    pub a: Column,
    /// Its higher point.
    pub b: Column,
    /// The point from which its primitive runs along it.
    pub from: Column,
    /// The point to which its primitive runs along it.
    pub to: Column,
    /// The number of open edges (one `u32`).
    pub count: Column,
}

/// The open edges of a table, in their order: what [`loops`](super::loops()) makes rings of.
///
/// Cost: 6 passes.
///
/// # Errors
/// Those of [`Recorder::dispatch`].
pub fn open_edges(rec: &mut Recorder, edges: &Edges) -> Result<OpenEdges> {
    rec.all_or_nothing(|rec| open_edges_steps(rec, edges))
}

fn open_edges_steps(rec: &mut Recorder, edges: &Edges) -> Result<OpenEdges> {
    let source = compact(rec, &edges.open)?.indices;
    let arguments = args! {
        source: &source, a: &edges.a, b: &edges.b, starts: &edges.face_start, reversed: &edges.reversed,
        capacity: edges.a.capacity(),
    };
    let ends = rec.dispatch(&EDGES_ENDS, arguments, Domain::of(&source))?;
    let count = match source.live_count() {
        Some(count) => count,
        None => rec.device.upload(&[source.capacity()], 1)?,
    };
    Ok(OpenEdges {
        a: gather(rec, &edges.a, &source)?,
        b: gather(rec, &edges.b, &source)?,
        from: ends.column("source_from")?,
        to: ends.column("source_to")?,
        source,
        count,
    })
}

/// What [`EDGES_SLOTS`] writes.
struct Slots {
    owner: Column,
    next: Column,
}

fn slots_of(rec: &mut Recorder, primitives: Primitives<'_>) -> Result<Slots> {
    let Primitives {
        starts,
        counts,
        points,
        closed,
    } = primitives;
    let count = match starts.live_count() {
        Some(count) => count,
        None => points.device().upload(&[starts.capacity()], 1)?,
    };
    let arguments = args! {
        starts: starts, counts: counts, closed: closed.unwrap_or(counts), primitives: &count,
        always: closed.is_none(), capacity: starts.capacity(),
    };
    let done = rec.dispatch(&EDGES_SLOTS, arguments, Domain::of(points))?;
    Ok(Slots {
        owner: done.column("owner")?,
        next: done.column("next")?,
    })
}

fn slots_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let primitives = b.read::<u32>("primitives")?.first().copied().unwrap_or(0);
    let primitives = primitives.min(p.u32("capacity")?) as usize;
    let starts = part(b.kernel, "starts", b.read::<i32>("starts")?, 0..primitives)?;
    let counts = part(b.kernel, "counts", b.read::<i32>("counts")?, 0..primitives)?;
    let closed = part(b.kernel, "closed", b.read::<i32>("closed")?, 0..primitives)?;
    let always = p.u32("always")? != 0;
    let outputs = b.write::<i32>("owner")?.iter_mut().zip(b.write::<i32>("next")?);
    // The primitives that start at or before the slot: found once, then walked ahead.
    let mut before = starts.partition_point(|&start| start < range.start as i32);
    for ((owner, next), i) in outputs.zip(range) {
        (*owner, *next) = (-1, -1);
        if i >= live {
            continue;
        }
        while starts.get(before).is_some_and(|&start| start <= i as i32) {
            before += 1;
        }
        let Some(own) = before.checked_sub(1) else { continue };
        let (Some(&first), Some(&size), Some(&closes)) = (starts.get(own), counts.get(own), closed.get(own)) else {
            continue;
        };
        let after = (i as i32).wrapping_sub(first).wrapping_add(1);
        if first < 0 || after > size {
            continue;
        }
        *owner = own as i32;
        if after < size {
            *next = if i + 1 < live { i as i32 + 1 } else { -1 };
        } else if always || closes != 0 {
            *next = first;
        }
    }
    Ok(())
}

fn edges_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let next = part(b.kernel, "next", b.read::<i32>("next")?, 0..live)?;
    let points = part(b.kernel, "points", b.read::<i32>("points")?, 0..live)?;
    let ends = b.write::<u32>("low")?.iter_mut().zip(b.write::<u32>("high")?);
    let kinds = b.write::<i32>("reversed")?.iter_mut().zip(b.write::<i32>("side")?);
    for (((low, high), (reversed, side)), i) in ends.zip(kinds).zip(range) {
        (*low, *high, *reversed, *side) = (NONE, NONE, 0, 0);
        let to = next.get(i).and_then(|&to| points.get(usize::try_from(to).ok()?));
        let (Some(&p), Some(&q)) = (points.get(i), to) else {
            continue;
        };
        if p >= 0 && q >= 0 && p != q {
            (*low, *high) = (p.min(q).cast_unsigned(), p.max(q).cast_unsigned());
            (*reversed, *side) = (i32::from(p > q), 1);
        }
    }
    Ok(())
}

/// The points of the side at a place of the order; `None` where it names no side.
fn side_at(order: &[i32], low: &[u32], high: &[u32], place: usize) -> Option<(u32, u32)> {
    let own = usize::try_from(*order.get(place)?).ok()?;
    let points = (*low.get(own)?, *high.get(own)?);
    (points.0 != NONE).then_some(points)
}

fn sides_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = range.start.max(range.end.min(p.live() as usize));
    let order = b.part::<i32>("order", range.start..live)?;
    let sides = b.write::<i32>("sides")?;
    let (listed, past) = sides.split_at_mut(order.len().min(sides.len()));
    listed.copy_from_slice(order);
    past.fill(-1);
    Ok(())
}

fn heads_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let order = part(b.kernel, "order", b.read::<i32>("order")?, 0..live)?;
    let (low, high) = (b.read::<u32>("low")?, b.read::<u32>("high")?);
    for (flag, i) in b.write::<i32>("flag")?.iter_mut().zip(range) {
        let before = i.checked_sub(1).and_then(|before| side_at(order, low, high, before));
        let own = side_at(order, low, high, i);
        *flag = i32::from(own.is_some() && own != before);
    }
    Ok(())
}

fn table_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let heads = part(b.kernel, "heads", b.read::<i32>("heads")?, 0..live)?;
    let order = b.read::<i32>("order")?;
    let (low, high) = (b.read::<u32>("low")?, b.read::<u32>("high")?);
    let ends = b.write::<i32>("a")?.iter_mut().zip(b.write::<i32>("b")?);
    for (((a, b), fcount), i) in ends.zip(b.write::<i32>("fcount")?).zip(range) {
        (*a, *b, *fcount) = (-1, -1, 0);
        let Some(&head) = heads.get(i) else { continue };
        let place = head.max(0) as usize;
        if let Some((low, high)) = side_at(order, low, high, place) {
            (*a, *b) = (low.cast_signed(), high.cast_signed());
        }
        let end = match heads.get(i + 1) {
            Some(&next) => next.max(0) as usize,
            // The sides stand in front of what is none.
            None => order.partition_point(|&own| {
                let own = usize::try_from(own).ok().and_then(|own| low.get(own));
                own.is_some_and(|&low| low != NONE)
            }),
        };
        *fcount = end.saturating_sub(place) as i32;
    }
    Ok(())
}

fn kinds_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let along = part(b.kernel, "fcount", b.read::<i32>("fcount")?, range.clone())?;
    let outputs = b.write::<i32>("open")?.iter_mut().zip(b.write::<i32>("manifold")?);
    for (((open, manifold), &along), i) in outputs.zip(along).zip(range) {
        let is_edge = i < live && along > 0;
        *open = i32::from(is_edge && along == 1);
        *manifold = i32::from(is_edge && along <= 2);
    }
    Ok(())
}

fn ends_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let capacity = p.u32("capacity")? as usize;
    let source = part(b.kernel, "source", b.read::<i32>("source")?, 0..live)?;
    let (low, high) = (b.read::<i32>("a")?, b.read::<i32>("b")?);
    let (starts, reversed) = (b.read::<i32>("starts")?, b.read::<i32>("reversed")?);
    let ends = |edge: i32| {
        let edge = usize::try_from(edge).ok().filter(|&edge| edge < capacity)?;
        let place = usize::try_from(*starts.get(edge)?).ok()?;
        let (p, q) = (*low.get(edge)?, *high.get(edge)?);
        Some(if *reversed.get(place)? != 0 { (q, p) } else { (p, q) })
    };
    let outputs = b
        .write::<i32>("source_from")?
        .iter_mut()
        .zip(b.write::<i32>("source_to")?);
    for ((from, to), i) in outputs.zip(range) {
        (*from, *to) = source.get(i).and_then(|&edge| ends(edge)).unwrap_or((-1, -1));
    }
    Ok(())
}
