//! Rings and chains: the walks that directed edges make, each in its order.

use std::ops::Range;

use super::compact::compact;
use super::jump::{jump_min, jump_rank};
use super::make::ramp;
use super::parallel::{CHUNK, part};
use super::scan::offsets;
use super::sort::sort;
use super::{numbered, one_lane, same_length};
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Groups, Kernel, Recorder, Result, Rule,
    args,
};

/// First part of [`loops`]: the edge that follows each one (`next`; an edge that none follows names itself), and whether
/// it follows none (`head`). It reads the edges sorted by the point that each reaches, and sorted by the one it leaves.
/// Past the live count `next` is the slot itself and `head` is 0.
pub static LOOPS: Kernel = Kernel::declare("loops")
    .read_domain("to_points", Element::I32)
    .lanes(1)
    .read_domain("to_edges", Element::I32)
    .lanes(1)
    .read_domain("from_points", Element::I32)
    .lanes(1)
    .read_domain("from_edges", Element::I32)
    .lanes(1)
    .write("next", Element::I32, Rule::Domain)
    .write("head", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("loops.wgsl"))
    .pass("clear", Groups::PerElements(256), &["next", "head"])
    .pass(
        "link",
        Groups::PerElements(256),
        &["to_points", "to_edges", "from_points", "from_edges", "next", "head"],
    )
    .cpu(Cpu::Whole(link_twin));

/// Second part of [`loops`]: rings cut before their smallest edge. `root` and `smallest` are what
/// [`jump_min`] finds of `next`. Past the live count `head` is 0 and `cut` is the slot itself.
pub static LOOPS_CUT: Kernel = Kernel::declare("loops_cut")
    .read_domain("next", Element::I32)
    .lanes(1)
    .read_domain("root", Element::I32)
    .lanes(1)
    .read_domain("smallest", Element::I32)
    .lanes(1)
    .read_domain("chain_head", Element::I32)
    .lanes(1)
    .write("cut", Element::I32, Rule::Domain)
    .write("head", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("loops_cut.wgsl"))
    .cpu(Cpu::Ranges(cut_twin));

/// Third part of [`loops`]: the number of edges of each list, and at the last edge of each list its number. Past the
/// live count `length` is 0.
pub static LOOPS_LENGTHS: Kernel = Kernel::declare("loops_lengths")
    .read_domain("heads", Element::I32)
    .lanes(1)
    .read("root", Element::I32)
    .lanes(1)
    .read("rank", Element::I32)
    .lanes(1)
    .write("length", Element::I32, Rule::Domain)
    .inout("ring_of_end", Element::I32)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("loops_lengths.wgsl"))
    .cpu(Cpu::Whole(lengths_twin));

/// Fourth part of [`loops`]: the list of each edge and its place in it; -1 and 0 past the live count.
pub static LOOPS_PLACE: Kernel = Kernel::declare("loops_place")
    .read_domain("root", Element::I32)
    .lanes(1)
    .read_domain("rank", Element::I32)
    .lanes(1)
    .read("ring_of_end", Element::I32)
    .lanes(1)
    .read("length", Element::I32)
    .lanes(1)
    .write("ring", Element::I32, Rule::Domain)
    .write("pos", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("loops_place.wgsl"))
    .cpu(Cpu::Ranges(place_twin));

/// Fifth part of [`loops`]: the edges list after list, each in the order of its walk; -1 past the live count.
pub static LOOPS_ORDER: Kernel = Kernel::declare("loops_order")
    .read_domain("ring", Element::I32)
    .lanes(1)
    .read_domain("pos", Element::I32)
    .lanes(1)
    .read("starts", Element::U32)
    .lanes(1)
    .write("order", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("loops_order.wgsl"))
    .pass("clear", Groups::PerElements(256), &["order"])
    .pass("place", Groups::PerElements(256), &["ring", "pos", "starts", "order"])
    .cpu(Cpu::Whole(order_twin));

/// Last part of [`loops`]: whether each list is a ring; 0 past the live count.
pub static LOOPS_CLOSED: Kernel = Kernel::declare("loops_closed")
    .read_domain("heads", Element::I32)
    .lanes(1)
    .read("root", Element::I32)
    .lanes(1)
    .read("from_points", Element::I32)
    .lanes(1)
    .read("to_points", Element::I32)
    .lanes(1)
    .write("closed", Element::I32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(include_str!("loops_closed.wgsl"))
    .cpu(Cpu::Ranges(closed_twin));

/// What [`loops`] answers. A list is a ring or a chain; lists are in ascending order of their first edge.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The list of each edge (`i32`), -1 past the live count.
    pub ring: Column,
    /// The place of each edge in its list, from 0 (`i32`); 0 past the live count.
    pub position: Column,
    /// The edges list after list, each in the order of its walk (`i32`); -1 past the live count.
    pub order: Column,
    /// Where each list starts in `order` (`u32`), live with the number of lists; past it, the number of edges.
    pub starts: Column,
    /// The number of edges of each list (`i32`); 0 past the live count.
    pub lengths: Column,
    /// 1 for a ring, 0 for a chain (`i32`); 0 past the live count.
    pub closed: Column,
    /// The number of lists (one `u32`).
    pub count: Column,
}

/// Follows directed edges, `from` one point `to` another (`i32`, one lane), into rings and chains.
///
/// An edge is followed by one that leaves the point it reaches. Where several reach a point and several leave it, the
/// first to reach it (by number) is followed by the first to leave it, and so on, so that every edge follows one and is
/// followed by one at most; what is left over begins or ends a chain. An edge from a point to itself that pairs with
/// itself is a ring of one. A negative point joins nothing. A ring begins with its smallest edge, a chain with the one
/// that follows none. The live count is that of `from`.
///
/// For the rings of a surface give the open edges of its table: [`open_edges`](super::open_edges()).
///
/// Cost: 70 passes and two for each doubling of the number of edges, most of them two stable sorts.
///
/// # Errors
/// [`Error::WrongShape`](crate::Error::WrongShape) for more than one lane or lengths that differ,
/// [`Error::WrongElement`](crate::Error::WrongElement) for other than `i32`.
pub fn loops(rec: &mut Recorder, from: &Column, to: &Column) -> Result<Loops> {
    rec.all_or_nothing(|rec| loops_steps(rec, from, to))
}

fn loops_steps(rec: &mut Recorder, from: &Column, to: &Column) -> Result<Loops> {
    let domain = Domain::of(from);
    for (binding, column) in [("from_points", from), ("to_points", to)] {
        one_lane(LOOPS.name(), binding, column)?;
        rec.check_column(LOOPS.name(), binding, Element::I32, column)?;
        same_length(LOOPS.name(), binding, column, &domain)?;
    }
    numbered(LOOPS.name(), "from_points", from.capacity())?;
    let to = match from.live_count() {
        Some(count) => to.with_live(&count)?,
        None => to.as_capacity(),
    };
    let (leaving, reaching) = (sort(rec, from, None)?, sort(rec, &to, None)?);
    let arguments = args! {
        to_points: &reaching.keys, to_edges: &reaching.values,
        from_points: &leaving.keys, from_edges: &leaving.values,
    };
    let linked = rec.dispatch(&LOOPS, arguments, domain.clone())?;
    let next = linked.column("next")?;

    let numbers = ramp(rec, domain.clone(), 0, 1)?;
    let reach = jump_min(rec, &next, &numbers)?;
    let arguments = args! {
        next: &next, root: &reach.parent, smallest: &reach.value, chain_head: &linked.column("head")?,
    };
    let cut = rec.dispatch(&LOOPS_CUT, arguments, domain.clone())?;
    let heads = compact(rec, &cut.column("head")?)?.indices;
    let ends = jump_rank(rec, &cut.column("cut")?)?;

    let ring_of_end = rec.output(Element::I32, 1, from.capacity(), LOOPS_LENGTHS.name(), "ring_of_end")?;
    rec.fill(&ring_of_end, u32::MAX)?;
    let arguments = args! { heads: &heads, root: &ends.parent, rank: &ends.value, ring_of_end: &ring_of_end };
    let lengths = rec
        .dispatch(&LOOPS_LENGTHS, arguments, Domain::of(&heads))?
        .column("length")?;
    let arguments = args! { root: &ends.parent, rank: &ends.value, ring_of_end: &ring_of_end, length: &lengths };
    let placed = rec.dispatch(&LOOPS_PLACE, arguments, domain.clone())?;
    let (ring, position) = (placed.column("ring")?, placed.column("pos")?);
    let starts = offsets(rec, &lengths)?.dst;
    let arguments = args! { ring: &ring, pos: &position, starts: &starts };
    let order = rec.dispatch(&LOOPS_ORDER, arguments, domain)?.column("order")?;
    let arguments = args! { heads: &heads, root: &ends.parent, from_points: from, to_points: &to };
    let closed = rec.dispatch(&LOOPS_CLOSED, arguments, Domain::of(&heads))?;
    let count = match heads.live_count() {
        Some(count) => count,
        None => rec.device.upload(&[heads.capacity()], 1)?,
    };
    Ok(Loops {
        ring,
        position,
        order,
        starts,
        lengths,
        closed: closed.column("closed")?,
        count,
    })
}

/// The element that an index names, or what stands for none.
fn named<T: Copy>(words: &[T], index: i32) -> Option<T> {
    words.get(usize::try_from(index).ok()?).copied()
}

fn link_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let read = |name| part(b.kernel, name, b.read::<i32>(name)?, 0..live);
    let (to_points, to_edges) = (read("to_points")?, read("to_edges")?);
    let (from_points, from_edges) = (read("from_points")?, read("from_edges")?);
    let (next, head) = (b.write::<i32>("next")?, b.write::<i32>("head")?);
    for ((next, head), i) in next.iter_mut().zip(head.iter_mut()).zip(0..) {
        (*next, *head) = (i, i32::from((i as usize) < live));
    }
    // Both lists ascend, so one walk along them finds the pairs.
    let mut leaving = 0;
    let mut last = None;
    for (i, (&point, &before)) in to_points.iter().zip(to_edges).enumerate() {
        if i % CHUNK == 0 {
            x.checkpoint()?;
        }
        if last != Some(point) {
            leaving += from_points
                .get(leaving..)
                .unwrap_or_default()
                .partition_point(|&from| from < point);
            last = Some(point);
        }
        if point < 0 || from_points.get(leaving) != Some(&point) {
            continue;
        }
        let after = from_edges.get(leaving).copied().unwrap_or(before);
        leaving += 1;
        if before != after {
            let places = (usize::try_from(before).ok(), usize::try_from(after).ok());
            if let (Some(next), Some(head)) = (
                places.0.and_then(|at| next.get_mut(at)),
                places.1.and_then(|at| head.get_mut(at)),
            ) {
                (*next, *head) = (after, 0);
            }
        }
    }
    Ok(())
}

fn cut_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let read = |name| part(b.kernel, name, b.read::<i32>(name)?, 0..live);
    let (next, root) = (read("next")?, read("root")?);
    let (smallest, chain_head) = (read("smallest")?, read("chain_head")?);
    let outputs = b.write::<i32>("cut")?.iter_mut().zip(b.write::<i32>("head")?);
    for ((cut, head), i) in outputs.zip(range) {
        let own = i as i32;
        (*cut, *head) = (own, 0);
        let (Some(&after), Some(&end), Some(&smallest)) = (next.get(i), root.get(i), smallest.get(i)) else {
            continue;
        };
        if named(next, end) == Some(end) {
            (*cut, *head) = (after, chain_head.get(i).copied().unwrap_or(0));
        } else {
            *head = i32::from(smallest == own);
            *cut = if after == smallest { own } else { after };
        }
    }
    Ok(())
}

fn lengths_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let heads = part(b.kernel, "heads", b.read::<i32>("heads")?, 0..live)?;
    let (root, rank) = (b.read::<i32>("root")?, b.read::<i32>("rank")?);
    let (length, ring_of_end) = (b.write::<i32>("length")?, b.write::<i32>("ring_of_end")?);
    length.iter_mut().skip(live).for_each(|length| *length = 0);
    for (i, (&head, length)) in heads.iter().zip(length).enumerate() {
        if i % CHUNK == 0 {
            x.checkpoint()?;
        }
        *length = named(rank, head).map_or(0, |rank| rank.wrapping_add(1));
        let end = named(root, head).and_then(|end| usize::try_from(end).ok());
        if let Some(ring) = end.and_then(|end| ring_of_end.get_mut(end)) {
            *ring = i as i32;
        }
    }
    Ok(())
}

fn place_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let read = |name| part(b.kernel, name, b.read::<i32>(name)?, 0..live);
    let (root, rank) = (read("root")?, read("rank")?);
    let (ring_of_end, length) = (b.read::<i32>("ring_of_end")?, b.read::<i32>("length")?);
    let outputs = b.write::<i32>("ring")?.iter_mut().zip(b.write::<i32>("pos")?);
    for ((ring, pos), i) in outputs.zip(range) {
        (*ring, *pos) = (-1, 0);
        let (Some(&end), Some(&rank)) = (root.get(i), rank.get(i)) else {
            continue;
        };
        let own = named(ring_of_end, end).unwrap_or(-1);
        let length = named(length, own).unwrap_or(0);
        (*ring, *pos) = (own, length.wrapping_sub(1).wrapping_sub(rank));
    }
    Ok(())
}

fn order_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let ring = part(b.kernel, "ring", b.read::<i32>("ring")?, 0..live)?;
    let pos = part(b.kernel, "pos", b.read::<i32>("pos")?, 0..live)?;
    let starts = b.read::<u32>("starts")?;
    let order = b.write::<i32>("order")?;
    order.iter_mut().skip(live).for_each(|order| *order = -1);
    for (i, (&ring, &pos)) in ring.iter().zip(pos).enumerate() {
        if i % CHUNK == 0 {
            x.checkpoint()?;
        }
        let place = named(starts, ring).map(|start| start.wrapping_add(pos.cast_unsigned()) as usize);
        if let Some(order) = place.and_then(|place| order.get_mut(place)) {
            *order = i as i32;
        }
    }
    Ok(())
}

fn closed_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let live = p.live() as usize;
    let heads = part(b.kernel, "heads", b.read::<i32>("heads")?, 0..live)?;
    let root = b.read::<i32>("root")?;
    let (from, to) = (b.read::<i32>("from_points")?, b.read::<i32>("to_points")?);
    for (closed, i) in b.write::<i32>("closed")?.iter_mut().zip(range) {
        let Some(&head) = heads.get(i) else {
            *closed = 0;
            continue;
        };
        let begins = named(from, head).filter(|&from| from >= 0);
        let ends = named(root, head).and_then(|end| named(to, end));
        *closed = i32::from(begins.is_some() && begins == ends);
    }
    Ok(())
}
