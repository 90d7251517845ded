//! Tiles of rasters: what weighs their cells, what tells neighbours of each other, and what they gather.

use zero_compute::kernels::{self, Edge, Raster, Share, Tile};
use zero_compute::{Column, Element, Result};

use super::super::world::{Want, World};
use super::moved::copy_of;

/// The most cells of the interior of a tile: a stencil costs up to 49 products a cell, and a raster has up to 9 tiles.
pub(super) const MOST: u32 = 1 << 15;

/// A tile of some of the list's size, its apron no wider than its interior.
fn tile(w: &mut World<'_>, least_apron: u32) -> Tile {
    let n = w.size_to(MOST);
    let wide = 1 + w.random.log_uniform(n.saturating_sub(1).min(4095));
    let high = (n / wide).clamp(1, 4095);
    let most_apron = wide.min(high).min(4);
    let apron = least_apron + w.random.below(most_apron + 1 - least_apron);
    Tile { wide, high, apron }
}

/// Up to three by three tiles, their numbers tame.
fn raster(w: &mut World<'_>, tile: Tile) -> Raster {
    Raster {
        tile,
        across: 1 + w.random.below(3),
        down: 1 + w.random.below(3),
        origin: [0; 2].map(|_: i32| w.random.tame()),
        cell: [0; 2].map(|_: i32| (1 + w.random.below(4096)) as f32 / 256.0),
    }
}

fn cells(tile: Tile) -> u32 {
    u32::try_from(tile.cells()).unwrap_or(u32::MAX)
}

/// A layer for each tile, to change in place.
fn layers(w: &mut World<'_>, raster: &Raster, want: Want) -> Result<Vec<Column>> {
    let mut layers = Vec::new();
    for _ in 0..raster.tiles() {
        let layer = w.any(want.elements(cells(raster.tile)))?.as_capacity();
        layers.push(copy_of(w, &layer)?);
    }
    Ok(layers)
}

/// Some of the tiles, or all.
fn work(w: &mut World<'_>, raster: &Raster) -> Option<Vec<u32>> {
    let tiles = raster.across * raster.down;
    w.random
        .one_in(2)
        .then(|| (0..tiles).filter(|_| w.random.one_in(2)).collect())
}

pub(super) fn stencil(w: &mut World<'_>) -> Result<()> {
    let tile = tile(w, 0);
    let edge = w.random.of(&[Edge::Apron, Edge::Clamp]).unwrap_or(Edge::Clamp);
    let radius = match edge {
        Edge::Apron => w.random.below(tile.apron.min(3) + 1),
        Edge::Clamp => w.random.below(4),
    };
    let src = w.any(Want::of(Element::F32).elements(cells(tile)).tame())?;
    let side = 2 * radius + 1;
    let weights = w.any(Want::of(Element::F32).lanes(1).elements(side * side).tame())?;
    let sums = kernels::raster_stencil(&mut w.rec, &src, tile, &weights, radius, edge)?;
    w.keep(&sums);
    Ok(())
}

pub(super) fn exchange(w: &mut World<'_>) -> Result<()> {
    let tile = tile(w, 0);
    let raster = raster(w, tile);
    let want = Want::of(w.element()).lanes(1 + w.random.below(3)).tame();
    let layer = layers(w, &raster, want)?;
    let work = work(w, &raster);
    kernels::raster_exchange(&mut w.rec, &raster, &layer, work.as_deref())?;
    layer.iter().for_each(|layer| w.keep_tame(layer));
    Ok(())
}

pub(super) fn resolve(w: &mut World<'_>) -> Result<()> {
    let tile = tile(w, 0);
    let raster = raster(w, tile);
    let lanes = 1 + w.random.below(3);
    let layer = layers(w, &raster, Want::of(Element::F32).lanes(lanes).tame())?;
    let delta = layers(w, &raster, Want::of(Element::I32).lanes(lanes))?;
    let work = work(w, &raster);
    kernels::raster_resolve(&mut w.rec, &raster, &layer, &delta, work.as_deref())?;
    layer.iter().chain(&delta).for_each(|column| w.keep(column));
    Ok(())
}

pub(super) fn accumulate(w: &mut World<'_>) -> Result<()> {
    let values = w.any(Want::of(Element::F32).tame())?;
    let delta = w.any(Want::of(Element::I32).lanes(values.lanes()))?.as_capacity();
    let delta = copy_of(w, &delta)?;
    let cells = w.indices(values.capacity(), delta.capacity())?;
    let cells = if w.random.one_in(4) {
        w.with_live(&cells)?
    } else {
        cells
    };
    kernels::raster_accumulate(&mut w.rec, &values, &cells, &delta)?;
    w.keep(&delta);
    Ok(())
}

/// All tiles into a new column, or one of them into a column that stands.
pub(super) fn sample(w: &mut World<'_>) -> Result<()> {
    let share = w.random.of(&[Share::Cell, Share::Bilinear]).unwrap_or(Share::Cell);
    let tile = tile(w, u32::from(share == Share::Bilinear));
    let raster = raster(w, tile);
    let lanes = 2 + w.random.below(2);
    let points = w.any(Want::of(Element::F32).lanes(lanes).tame())?;
    let want = Want::of(Element::F32).lanes(1 + w.random.below(3)).tame();
    if w.random.one_in(2) {
        let layers = layers(w, &raster, want)?;
        let read = kernels::raster_sample_all(&mut w.rec, &layers, &points, &raster, share)?;
        w.keep(&read);
        return Ok(());
    }
    let layer = w.any(want.elements(cells(tile)))?.as_capacity();
    let stands = Want::of(Element::F32)
        .lanes(layer.lanes())
        .elements(points.capacity())
        .tame();
    let dst = w.any(stands)?.as_capacity();
    let dst = copy_of(w, &dst)?;
    let number = w.random.below(raster.across * raster.down);
    kernels::raster_sample(&mut w.rec, &layer, &points, &raster, number, &dst, share)?;
    w.keep(&dst);
    Ok(())
}

pub(super) fn splat(w: &mut World<'_>) -> Result<()> {
    let share = w.random.of(&[Share::Cell, Share::Bilinear]).unwrap_or(Share::Cell);
    let tile = tile(w, u32::from(share == Share::Bilinear));
    let raster = raster(w, tile);
    let lanes = 2 + w.random.below(2);
    let points = w.any(Want::of(Element::F32).lanes(lanes).tame())?;
    let values = w.any(Want::of(Element::F32).elements(points.capacity()).tame())?;
    let want = Want::of(Element::I32).lanes(values.lanes()).elements(cells(tile));
    let delta = w.any(want)?.as_capacity();
    let delta = copy_of(w, &delta)?;
    let number = w.random.below(raster.across * raster.down);
    kernels::raster_splat(&mut w.rec, &values, &points, &raster, number, &delta, share)?;
    w.keep(&delta);
    Ok(())
}

/// Layers kept, cleared and put back, of which some stay clear.
pub(super) fn restore(w: &mut World<'_>) -> Result<()> {
    let tile = tile(w, 0);
    let raster = raster(w, tile);
    let want = Want::of(w.element()).lanes(1 + w.random.below(3)).tame();
    let layer = layers(w, &raster, want)?;
    let kept = kernels::raster_copy(&mut w.rec, &layer)?;
    kernels::raster_clear(&mut w.rec, &layer)?;
    let some = w.random.below(layer.len() as u32 + 1) as usize;
    let (from, _) = kept.split_at(some);
    let (to, _) = layer.split_at(some);
    kernels::raster_restore(&mut w.rec, from, to)?;
    layer.iter().chain(&kept).for_each(|column| w.keep_tame(column));
    Ok(())
}
