//! What tiles of a raster tell each other: aprons copied from those who own the cells, and what fell into an apron added
//! to the interior it belongs to.

use std::ops::Range;

use super::parallel::part;
use super::raster::{Raster, Tile};
use super::scatter::settle;
use super::shape;
use crate::{
    Args, Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Kernel, Param, Recorder,
    Result, args, moves,
};

/// Units in a metre, or whatever a layer is in, of what a raster gathers in fixed point.
pub(super) const UNITS: f32 = 65536.0;

/// A kernel over the cells of a block, which lies in two tiles of one stride.
const fn over_block(name: &'static str) -> Kernel {
    Kernel::declare(name)
        .param("stride", Param::U32(1))
        .param("wide", Param::U32(1))
        .param("from_x", Param::U32(0))
        .param("from_z", Param::U32(0))
        .param("to_x", Param::U32(0))
        .param("to_z", Param::U32(0))
        .determinism(Determinism::Exact)
}

/// [`raster_apron`], on the words of cells of whatever kind.
pub static PROC_RASTER_APRON: Kernel = over_block("proc_raster_apron")
    .read("src", Element::U32)
    .inout("dst", Element::U32)
    .param("lanes", Param::U32(1))
    .wgsl(concat!(
        include_str!("raster_block.wgsl"),
        include_str!("raster_apron.wgsl")
    ))
    .cpu(Cpu::Whole(apron_twin));

/// [`raster_edge_add`].
pub static PROC_RASTER_EDGE_ADD: Kernel = over_block("proc_raster_edge_add")
    .read("src", Element::I32)
    .atomic("dst", Element::I32)
    .wgsl(concat!(
        include_str!("raster_block.wgsl"),
        include_str!("raster_edge_add.wgsl")
    ))
    .cpu(Cpu::Whole(edge_add_twin));

/// [`raster_apply`].
pub static PROC_RASTER_APPLY_ACCUMULATOR: Kernel = Kernel::declare("proc_raster_apply_accumulator")
    .inout("delta", Element::I32)
    .inout("dst", Element::F32)
    .param("unit", Param::F32(1.0 / UNITS))
    .determinism(Determinism::Exact)
    .wgsl(concat!(
        "fn take(at: u32) -> i32 {\n    let units = delta[at];\n    delta[at] = 0;\n    return units;\n}\n",
        include_str!("fixed_settle.wgsl")
    ))
    .cpu(Cpu::Ranges(apply_twin));

/// A block of cells along an axis: where it begins in the tile that is read and in the one that is written, and how many
/// cells it is.
struct Span {
    from: u32,
    to: u32,
    cells: u32,
}

/// The part of the apron of a tile on one side of it (`to`), and where its neighbour holds the same cells (`from`).
fn apron_span(interior: u32, apron: u32, side: i32) -> Span {
    let (from, to, cells) = match side {
        -1 => (interior, 0, apron),
        0 => (apron, apron, interior),
        _ => (apron, apron.saturating_add(interior), apron),
    };
    Span { from, to, cells }
}

/// The arguments of a block, and its cells, for a tile that the layers were found to be of. `is_inward` reads the
/// neighbour's apron into the interior.
fn block(kernel: &str, tile: Tile, side: [i32; 2], is_inward: bool) -> Result<(Args, u32)> {
    let bad = |what: &str, expected: String, found: String| {
        Err(Error::Invalid {
            what: format!("{what} of `{kernel}`"),
            expected,
            found,
        })
    };
    if side == [0, 0] || side.iter().any(|side| !(-1..=1).contains(side)) {
        let expected = "-1, 0 or 1 along each axis, and not 0 along both".to_owned();
        return bad("the side", expected, format!("{side:?}"));
    }
    if tile.apron > tile.wide.min(tile.high) {
        let expected = format!("at most the interior, {} x {} cells", tile.wide, tile.high);
        return bad("the apron", expected, tile.apron.to_string());
    }
    let span = |interior, side: i32| {
        // Seen from the neighbour it is the tile that lies on the other side.
        let side = if is_inward { -side } else { side };
        let span = apron_span(interior, tile.apron, side);
        match is_inward {
            true => Span {
                from: span.to,
                to: span.from,
                ..span
            },
            false => span,
        }
    };
    let (x, z) = (span(tile.wide, side[0]), span(tile.high, side[1]));
    let arguments = args! {
        stride: tile.stride(), wide: x.cells, from_x: x.from, from_z: z.from, to_x: x.to, to_z: z.to,
    };
    Ok((arguments, x.cells.saturating_mul(z.cells)))
}

/// Refuses two layers that are not of that tile and of the same lanes.
fn check_two(kernel: &str, tile: Tile, src: &Column, dst: &Column) -> Result<()> {
    tile.check(kernel, "src", src)?;
    tile.check(kernel, "dst", dst)?;
    if src.lanes() == dst.lanes() {
        return Ok(());
    }
    Err(shape(kernel, "dst", format!("{} lanes, as src has", src.lanes()), dst))
}

/// Copies what a tile's apron (`dst`) holds of the neighbour on one `side` (X and Z, -1, 0 or 1 each) from the layer of
/// that neighbour (`src`): an edge band or a corner. Layers of any kind and lanes.
///
/// Cost: 1 pass over the cells of the band.
///
/// # Errors
/// [`Error::Invalid`] for no side, or an apron wider than the interior; [`Error::WrongShape`] where a layer is not of
/// that tile, or lanes differ; [`Error::WrongElement`] where the kinds differ.
pub fn raster_apron(rec: &mut Recorder, src: &Column, dst: &Column, tile: Tile, side: [i32; 2]) -> Result<()> {
    let name = PROC_RASTER_APRON.name();
    check_two(name, tile, src, dst)?;
    let (arguments, cells) = block(name, tile, side, false)?;
    rec.check_column(name, "dst", src.element(), dst)?;
    let (from, to) = (moves::words_of(src)?, moves::words_of(dst)?);
    let arguments = arguments.with("src", &from).with("dst", &to).with("lanes", src.lanes());
    rec.dispatch(&PROC_RASTER_APRON, arguments, Domain::count(cells))
        .map(drop)
}

/// Adds the units that fell into a neighbour's apron (`src`, `i32`), where that lies over this tile's interior, to those
/// of this tile (`dst`). `side` says where the neighbour lies, as in [`raster_apron`].
///
/// Cost: 1 pass over the cells of the band.
///
/// # Errors
/// Those of [`raster_apron`], [`Error::WrongElement`] for other than `i32`.
pub fn raster_edge_add(rec: &mut Recorder, src: &Column, dst: &Column, tile: Tile, side: [i32; 2]) -> Result<()> {
    let name = PROC_RASTER_EDGE_ADD.name();
    check_two(name, tile, src, dst)?;
    let (arguments, cells) = block(name, tile, side, true)?;
    let arguments = arguments.with("src", src).with("dst", dst);
    rec.dispatch(&PROC_RASTER_EDGE_ADD, arguments, Domain::count(cells))
        .map(drop)
}

/// Adds the units that a tile gathered (`delta`, `i32`, 1 / 65 536 each) to its layer (`dst`, `f32`, as many elements and
/// lanes), and clears them: with one rounding a cell, or two where the units are more than 2^24 either way, which are
/// rounded to a float first.
///
/// Cost: 1 pass.
///
/// # Errors
/// [`Error::WrongShape`] where the columns differ, [`Error::WrongElement`] for other kinds.
pub fn raster_apply(rec: &mut Recorder, delta: &Column, dst: &Column) -> Result<()> {
    if (delta.capacity(), delta.lanes()) != (dst.capacity(), dst.lanes()) {
        let expected = format!("{} elements of {} lanes, as dst has", dst.capacity(), dst.lanes());
        return Err(shape(PROC_RASTER_APPLY_ACCUMULATOR.name(), "delta", expected, delta));
    }
    let domain = Domain::of(&dst.as_capacity());
    rec.dispatch(&PROC_RASTER_APPLY_ACCUMULATOR, args! { delta: delta, dst: dst }, domain)
        .map(drop)
}

/// Refreshes aprons of a layer (one column a tile, X fastest): every part of an apron whose tile or whose neighbour is in
/// `work`, or all. The apron past the raster's edge stands.
///
/// A kernel that reads a neighbourhood must see what the neighbours computed: run this after each step that is no pure
/// function of a cell's place.
///
/// Cost: 1 pass a pair of neighbours, at most 8 a tile. Answers how many.
///
/// # Errors
/// Those of [`raster_apron`] and of [`Raster::pairs`]; [`Error::Invalid`] for another number of columns than tiles.
pub fn raster_exchange(rec: &mut Recorder, raster: &Raster, layer: &[Column], work: Option<&[u32]>) -> Result<usize> {
    rec.all_or_nothing(|rec| raster_exchange_steps(rec, raster, layer, work))
}

fn raster_exchange_steps(rec: &mut Recorder, raster: &Raster, layer: &[Column], work: Option<&[u32]>) -> Result<usize> {
    raster.check_layers(PROC_RASTER_APRON.name(), "layer", layer)?;
    let pairs = raster.pairs(work)?;
    for pair in &pairs {
        if let (Some(dst), Some(src)) = (layer.get(pair.tile as usize), layer.get(pair.neighbour as usize)) {
            raster_apron(rec, src, dst, raster.tile, pair.side)?;
        }
    }
    Ok(pairs.len())
}

/// Brings what tiles gathered (`delta`, `i32`, one column a tile) into their layer (`f32`): what fell into an apron is
/// added to the tile that owns the cell, the units are added to the layer and cleared, and the layer's aprons are
/// refreshed. `work` names the tiles that gathered, or all; their neighbours take part.
///
/// An apron past the raster's edge keeps its own units, so that the border goes on as the tile does.
///
/// Cost: 2 passes a pair of neighbours and 1 a tile. Answers how many dispatches it recorded.
///
/// # Errors
/// Those of [`raster_edge_add`], [`raster_apply`] and [`raster_exchange`].
pub fn raster_resolve(
    rec: &mut Recorder,
    raster: &Raster,
    layer: &[Column],
    delta: &[Column],
    work: Option<&[u32]>,
) -> Result<usize> {
    rec.all_or_nothing(|rec| raster_resolve_steps(rec, raster, layer, delta, work))
}

fn raster_resolve_steps(
    rec: &mut Recorder,
    raster: &Raster,
    layer: &[Column],
    delta: &[Column],
    work: Option<&[u32]>,
) -> Result<usize> {
    raster.check_layers(PROC_RASTER_APPLY_ACCUMULATOR.name(), "layer", layer)?;
    raster.check_layers(PROC_RASTER_APPLY_ACCUMULATOR.name(), "delta", delta)?;
    let pairs = raster.pairs(work)?;
    let mut takes_part = vec![work.is_none(); layer.len()];
    for &tile in work.unwrap_or_default() {
        takes_part
            .get_mut(tile as usize)
            .into_iter()
            .for_each(|takes| *takes = true);
    }
    for pair in &pairs {
        if let (Some(dst), Some(src)) = (delta.get(pair.tile as usize), delta.get(pair.neighbour as usize)) {
            raster_edge_add(rec, src, dst, raster.tile, pair.side)?;
        }
        takes_part
            .get_mut(pair.tile as usize)
            .into_iter()
            .for_each(|takes| *takes = true);
    }
    let mut applied = Vec::new();
    for (tile, ((layer, delta), takes)) in (0u32..).zip(layer.iter().zip(delta).zip(takes_part)) {
        if takes {
            raster_apply(rec, delta, layer)?;
            applied.push(tile);
        }
    }
    // Every tile whose layer changed shows in its neighbours' aprons.
    let exchanged = raster_exchange(rec, raster, layer, Some(&applied))?;
    Ok(pairs.len() + applied.len() + exchanged)
}

/// The params of a block, and its rows as ranges of cells: read from, written to.
fn rows(p: &CpuParams<'_>) -> Result<impl Iterator<Item = (Range<usize>, Range<usize>)>> {
    let of = |name| Ok::<usize, Error>(p.u32(name)? as usize);
    let (stride, wide) = (of("stride")?, of("wide")?.max(1));
    let (from_x, from_z, to_x, to_z) = (of("from_x")?, of("from_z")?, of("to_x")?, of("to_z")?);
    let high = p.n() as usize / wide;
    Ok((0..high).map(move |z| {
        let (from, to) = ((from_z + z) * stride + from_x, (to_z + z) * stride + to_x);
        (from..from + wide, to..to + wide)
    }))
}

fn words(cells: Range<usize>, lanes: usize) -> Range<usize> {
    cells.start * lanes..cells.end * lanes
}

fn apron_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let lanes = p.u32("lanes")? as usize;
    let src = b.read::<u32>("src")?;
    let dst = b.write::<u32>("dst")?;
    for (from, to) in rows(p)? {
        x.checkpoint()?;
        let from = part(b.kernel, "src", src, words(from, lanes))?;
        if let Some(to) = dst.get_mut(words(to, lanes)) {
            to.copy_from_slice(from);
        }
    }
    Ok(())
}

fn edge_add_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let lanes = b.lanes("src") as usize;
    let src = b.read::<i32>("src")?;
    let dst = b.write::<i32>("dst")?;
    for (from, to) in rows(p)? {
        x.checkpoint()?;
        let from = part(b.kernel, "src", src, words(from, lanes))?;
        for (to, units) in dst.get_mut(words(to, lanes)).into_iter().flatten().zip(from) {
            *to = to.wrapping_add(*units);
        }
    }
    Ok(())
}

fn apply_twin(_range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let unit = p.f32("unit")?;
    for (to, units) in b.write::<f32>("dst")?.iter_mut().zip(b.write::<i32>("delta")?) {
        settle(to, *units, unit);
        *units = 0;
    }
    Ok(())
}
