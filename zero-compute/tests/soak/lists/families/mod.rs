//! The families that lists are made of, a row each. A family takes columns that stand or draws new ones, records itself,
//! and keeps what it wrote for those to come.

mod called;
mod fields;
mod folded;
mod graphs;
mod made;
mod moved;
mod near;
mod rasters;
mod trees;

use zero_compute::Result;

use super::world::World;

/// Families whose elements cost much, and the most of them: cells of a tile's interior, primitives and questions, points.
#[allow(
    dead_code,
    reason = "the example does not ask; the test that holds the README to it does"
)]
pub(crate) const MOST: [(&str, u32); 5] = [
    ("transforms and lattices", fields::MOST),
    ("edges and loops", graphs::MOST_PRIMITIVES),
    ("hash grids", near::MOST_POINTS),
    ("trees of boxes", trees::MOST),
    ("tiles of rasters", rasters::MOST),
];

/// One family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) record: fn(&mut World<'_>) -> Result<()>,
}

const fn row(name: &'static str, record: fn(&mut World<'_>) -> Result<()>) -> Family {
    Family { name, record }
}

/// All of them; a list begins with the row of its number and draws the others with equal chances.
pub(crate) static FAMILIES: &[Family] = &[
    row("ramp", made::ramp),
    row("lattice", made::lattice),
    row("grid_faces", made::grid_faces),
    row("fan", made::fan),
    row("slots", made::slots),
    row("copy", moved::copy),
    row("copy_lanes", moved::copy_lanes),
    row("gather", moved::gather),
    row("scatter", moved::scatter),
    row("compact", moved::compact),
    row("expand", moved::expand),
    row("concat", moved::concat),
    row("sort", moved::sort),
    row("sort_columns", moved::sort_columns),
    row("scan", folded::scan),
    row("offsets", folded::offsets),
    row("scan_segments", folded::scan_segments),
    row("reduce", folded::reduce),
    row("test", folded::test),
    row("mean", folded::mean),
    row("segments", folded::segments),
    row("segments_test", folded::segments_test),
    row("segments_mean", folded::segments_mean),
    row("hash_gather", near::hash_gather),
    row("hash_measure", near::hash_measure),
    row("hash_repel", near::hash_repel),
    row("hash_average", near::hash_average),
    row("hash_nearest", near::hash_nearest),
    row("map", fields::map),
    row("walk", fields::walk),
    row("grid_sample", fields::grid_sample),
    row("grid_splat", fields::grid_splat),
    row("fft", fields::fft),
    row("fft_2d", fields::fft_2d),
    row("jump_rank", graphs::jump_rank),
    row("jump_min", graphs::jump_min),
    row("edges", graphs::edges),
    row("loops", graphs::loops),
    row("bvh_ray", trees::bvh_ray),
    row("bvh_nearest", trees::bvh_nearest),
    row("bvh_overlap", trees::bvh_overlap),
    row("raster_stencil", rasters::stencil),
    row("raster_exchange", rasters::exchange),
    row("raster_resolve", rasters::resolve),
    row("raster_accumulate", rasters::accumulate),
    row("raster_sample", rasters::sample),
    row("raster_splat", rasters::splat),
    row("raster_restore", rasters::restore),
    row("noise", fields::noise),
    row("cast", called::cast),
    row("pack", called::pack),
    row("call", called::call),
    row("author", called::author),
    row("guard", called::guard),
    row("proc_field", fields::proc_field),
];
