//! The kernel families that everything else is built from, each one contract on both backends.
//!
//! | family | functions | GPU passes |
//! |---|---|---|
//! | make | [`ramp`], [`lattice`], [`grid_faces`], [`fan`] | 1 |
//! | copy | [`copy_lanes`] | 1 |
//! | field | [`proc_field_scale`], [`proc_field_noise`] | 1 |
//! | gather | [`gather`] | 1 |
//! | scatter | [`scatter`] (last, add, min, max) | 1, or 3 for `last` and for floats |
//! | scan | [`scan`], [`offsets`], [`scan_segments`] | 3 |
//! | reduce | [`reduce`] (sum, min, max), [`test()`] (count, any, all), [`mean`] | 2, or 3 for `mean` |
//! | segments | [`segments`] (sum, min, max of runs), [`segments_test`], [`segments_mean`] | 2, or 3 for `segments_mean` |
//! | compact | [`compact`] | 3 |
//! | expand | [`expand`] | 4 |
//! | sort | [`sort`], [`sort_by`], [`sort_columns`] | 25, or 26 without values; 27 a further column |
//! | concat | [`concat()`] | 1 a column, 3 with live counts |
//! | hash grid | [`hash_grid()`]; [`hash_gather`], [`hash_measure`], [`hash_repel`], [`hash_average`], [`hash_nearest`] | 28; 6, or 1 |
//! | lattice field | [`grid_sample`], [`grid_splat`] | 1, 3 |
//! | lattice field in tiles | [`grid_sample_tiles`], [`grid_splat_tiles`] | 1, and 1 a tile; 3 a tile |
//! | tree of boxes | [`bvh_triangles()`], [`bvh_boxes()`], [`bvh_points()`], [`bvh_balls`]; [`bvh_ray()`], [`bvh_nearest()`]; [`bvh_overlap`] | 42; 1; 6 |
//! | jump | [`jump_rank`], [`jump_min`] | 1, and 1 for each doubling of the length |
//! | edges | [`edges()`], with [`edges_runs`] and [`open_edges`] | 71; 5 or 6, 6 |
//! | loops | [`loops()`]: rings and chains of edges | 70, and 2 for each doubling of the length |
//! | raster | [`raster_stencil`]; [`raster_exchange`], [`raster_resolve`]; [`raster_accumulate`], [`raster_splat`] | 1; 1 a pair of tiles, or 2 |
//! | raster at points | [`raster_sample`]; [`raster_sample_all`] | 1; 1, and 1 a tile |
//! | raster, kept | [`raster_copy`], [`raster_restore`], [`raster_clear`] | 1 a layer |
//! | walk | [`Recorder::walk`](crate::Recorder::walk): a field of a state, taken step after step | 1 |
//! | fft | [`fft`], [`fft_2d`] | 1, or 2 |
//!
//! Each function records its dispatches into a [`Recorder`] and answers the columns that they write;
//! the kernels themselves are the `pub static`s beside them, for those who bind columns by hand. Over an empty domain
//! nothing is dispatched.
//!
//! *Indices* are `i32` columns; -1, or any index outside the column it points into, names no element.
//! *Live counts*: a function over a live column runs over its live front, and what it answers for each element is live
//! with the same count. Slots past the count read nothing and hold the inert value that the function states. What works
//! on tiles ([`raster_stencil`], [`raster_apply`], and what copies or adds between them) takes every cell whatever the
//! count, and answers columns without one; [`lattice`], [`grid_faces`] and [`fan`] are made of numbers and have none;
//! [`fft`] refuses it.
//! *Fusion*: what is made from nothing, a field, and [`gather`] at its own index, is computed per element, and runs in one
//! dispatch with others where [`Recorder::fuse`](crate::Recorder::fuse) is asked. [`copy_lanes`] changes a column in
//! place, so it is not.
//! *Determinism*: every family is exact. Sums of floats are taken in one stated order on every device and for every
//! number of threads, and floats are compared by IEEE 754's total order, so that even the sign of a zero is the same.
//!
//! ```
//! use zero_compute::{kernels, CpuOptions, Device};
//!
//! let device = Device::cpu(CpuOptions::default());
//! let heights = device.upload(&[3.0f32, 9.0, 1.0, 7.0, 5.0], 1)?;
//! let is_land = device.upload(&[1, 1, 0, 1, 0], 1)?;
//!
//! let mut rec = device.record("land");
//! let land = kernels::compact(&mut rec, &is_land)?.indices; // how many there are stays on the device
//! let land_heights = kernels::gather(&mut rec, &heights, &land)?;
//! let ascending = kernels::sort(&mut rec, &land_heights, None)?;
//! let highest = kernels::reduce(&mut rec, &land_heights, kernels::Reduce::Max)?;
//! let list = rec.finish()?;
//!
//! list.submit()?;
//! assert_eq!(ascending.keys.read::<f32>()?.wait()?, [3.0, 7.0, 9.0]);
//! assert_eq!(highest.read::<f32>()?.wait()?, [9.0]);
//! # Ok::<(), zero_compute::Error>(())
//! ```

mod bvh;
mod bvh_leaf;
mod bvh_nearest;
mod bvh_overlap;
mod bvh_ray;
mod bvh_shapes;
mod bvh_tree;
mod bvh_walk;
mod compact;
mod concat;
mod edges;
mod expand;
mod fft;
mod gather;
mod grid_sample;
mod grid_tiles;
mod hash_gather;
mod hash_grid;
mod hash_near;
mod jump;
mod lanes;
mod loops;
mod make;
mod mean;
mod number;
mod parallel;
mod positions;
mod proc_field;
mod raster;
mod raster_exchange;
mod raster_place;
mod raster_sample;
mod raster_splat;
mod raster_stencil;
mod reduce;
#[cfg(test)]
mod reference;
mod scan;
mod scan_segments;
mod scatter;
mod segments;
mod segments_blocks;
mod segments_test;
mod sort;

pub use bvh::{Bvh, BvhShape, bvh_balls, bvh_boxes, bvh_points, bvh_triangles};
pub use bvh_nearest::{BVH_NEAREST, BvhNearest, bvh_nearest};
pub use bvh_overlap::{BVH_COUNT, BVH_LIST, BvhBoxes, BvhOverlaps, bvh_overlap};
pub use bvh_ray::{BVH_RAY, BvhHits, RayMode, bvh_ray};
pub use bvh_shapes::{BVH_BOXES, BVH_POINTS, BVH_TRIANGLES};
pub use bvh_tree::{BVH_INTERNAL, BVH_KEYS, BVH_PYRAMID};
pub use compact::{COMPACT_F32, COMPACT_I32, COMPACT_U32, Compacted, compact};
pub use concat::{CONCAT_COUNT, CONCAT_F32, CONCAT_I32, CONCAT_U32, concat};
pub use edges::{
    EDGES, EDGES_ENDS, EDGES_HEADS, EDGES_KINDS, EDGES_SIDES, EDGES_SLOTS, EDGES_TABLE, EdgeRuns, Edges, OpenEdges,
    Primitives, edges, edges_runs, open_edges,
};
pub use expand::{EXPAND, Expanded, expand};
pub use fft::{Direction, FFT, MAX_FFT, fft, fft_2d};
pub use gather::{GATHER_F32, GATHER_I32, GATHER_U32, gather};
pub use grid_sample::{GRID_SAMPLE, GRID_SPLAT, grid_sample, grid_splat};
pub use grid_tiles::{GRID_SAMPLE_TILE, GRID_SPLAT_TILE, LatticeTiles, grid_sample_tiles, grid_splat_tiles};
pub use hash_gather::{HASH_COUNT, HASH_LIST, HashGathered, hash_gather};
pub use hash_grid::{HASH_KEYS, HASH_STARTS, HashGrid, hash_grid};
pub use hash_near::{
    HASH_AVERAGE, HASH_MEASURE, HASH_NEAREST, HASH_REPEL, MAX_NEAREST, Measured, Nearest, hash_average, hash_measure,
    hash_nearest, hash_repel,
};
pub use jump::{JUMP, JUMP_BEGIN, Jumped, jump_min, jump_rank};
pub use lanes::{COPY_LANES_F32, COPY_LANES_I32, COPY_LANES_U32, copy_lanes};
pub use loops::{LOOPS, LOOPS_CLOSED, LOOPS_CUT, LOOPS_LENGTHS, LOOPS_ORDER, LOOPS_PLACE, Loops, loops};
pub use make::{FAN, GRID_FACES, LATTICE, Lattice, RAMP, fan, grid_faces, lattice, ramp};
pub use mean::{MEAN, SEGMENTS_MEAN, mean, segments_mean};
pub use number::Form;
pub use proc_field::{PROC_FIELD_NOISE, PROC_FIELD_SCALE, proc_field_noise, proc_field_scale};
pub use raster::{Neighbour, PROC_RASTER_COPY, Raster, Tile, raster_clear, raster_copy, raster_restore};
pub use raster_exchange::{
    PROC_RASTER_APPLY_ACCUMULATOR, PROC_RASTER_APRON, PROC_RASTER_EDGE_ADD, raster_apply, raster_apron,
    raster_edge_add, raster_exchange, raster_resolve,
};
pub use raster_place::Share;
pub use raster_sample::{RASTER_SAMPLE, raster_sample, raster_sample_all};
pub use raster_splat::{RASTER_SPLAT, raster_accumulate, raster_splat};
pub use raster_stencil::{Edge, MAX_STENCIL, RASTER_STENCIL, raster_stencil};
pub use reduce::{REDUCE_F32, REDUCE_I32, REDUCE_U32, Reduce, TEST_F32, TEST_I32, TEST_U32, Test, reduce, test};
pub use scan::{OFFSETS, OFFSETS_U32, SCAN_F32, SCAN_I32, SCAN_U32, Scanned, offsets, scan};
pub use scan_segments::{SCAN_SEGMENTS_F32, SCAN_SEGMENTS_I32, SCAN_SEGMENTS_U32, scan_segments};
pub use scatter::{
    FIXED_SETTLE, ORDER_SETTLE, SCATTER_CLAIM, SCATTER_FIXED, SCATTER_I32, SCATTER_ORDER, SCATTER_SETTLE_F32,
    SCATTER_SETTLE_I32, SCATTER_SETTLE_U32, SCATTER_U32, Scatter, scatter,
};
pub use segments::{SEGMENTS_F32, SEGMENTS_I32, SEGMENTS_U32, segments};
pub use segments_blocks::{
    SEGMENTS_BLOCKS_F32, SEGMENTS_BLOCKS_I32, SEGMENTS_BLOCKS_U32, SEGMENTS_COUNTS_F32, SEGMENTS_COUNTS_I32,
    SEGMENTS_COUNTS_U32,
};
pub use segments_test::{SEGMENTS_TEST_F32, SEGMENTS_TEST_I32, SEGMENTS_TEST_U32, segments_test};
pub use sort::{Order, SORT_F32, SORT_I32, SORT_U32, Sorted, sort, sort_by, sort_columns};

use crate::{Column, Domain, Element, Error, Kernel, Recorder, Result};

/// Every kernel of the families, in the order of the table above: for references, warm-up and tests.
pub static ALL: &[&Kernel] = &[
    &RAMP,
    &LATTICE,
    &GRID_FACES,
    &FAN,
    &COPY_LANES_F32,
    &COPY_LANES_I32,
    &COPY_LANES_U32,
    &PROC_FIELD_SCALE,
    &PROC_FIELD_NOISE,
    &GATHER_F32,
    &GATHER_I32,
    &GATHER_U32,
    &SCATTER_CLAIM,
    &SCATTER_SETTLE_F32,
    &SCATTER_SETTLE_I32,
    &SCATTER_SETTLE_U32,
    &SCATTER_I32,
    &SCATTER_U32,
    &SCATTER_FIXED,
    &FIXED_SETTLE,
    &SCATTER_ORDER,
    &ORDER_SETTLE,
    &SCAN_F32,
    &SCAN_I32,
    &SCAN_U32,
    &OFFSETS,
    &OFFSETS_U32,
    &SCAN_SEGMENTS_F32,
    &SCAN_SEGMENTS_I32,
    &SCAN_SEGMENTS_U32,
    &REDUCE_F32,
    &REDUCE_I32,
    &REDUCE_U32,
    &TEST_F32,
    &TEST_I32,
    &TEST_U32,
    &MEAN,
    &SEGMENTS_BLOCKS_F32,
    &SEGMENTS_BLOCKS_I32,
    &SEGMENTS_BLOCKS_U32,
    &SEGMENTS_F32,
    &SEGMENTS_I32,
    &SEGMENTS_U32,
    &SEGMENTS_COUNTS_F32,
    &SEGMENTS_COUNTS_I32,
    &SEGMENTS_COUNTS_U32,
    &SEGMENTS_TEST_F32,
    &SEGMENTS_TEST_I32,
    &SEGMENTS_TEST_U32,
    &SEGMENTS_MEAN,
    &COMPACT_F32,
    &COMPACT_I32,
    &COMPACT_U32,
    &EXPAND,
    &SORT_F32,
    &SORT_I32,
    &SORT_U32,
    &CONCAT_F32,
    &CONCAT_I32,
    &CONCAT_U32,
    &CONCAT_COUNT,
    &HASH_KEYS,
    &HASH_STARTS,
    &HASH_COUNT,
    &HASH_LIST,
    &HASH_MEASURE,
    &HASH_REPEL,
    &HASH_AVERAGE,
    &HASH_NEAREST,
    &GRID_SAMPLE,
    &GRID_SPLAT,
    &GRID_SAMPLE_TILE,
    &GRID_SPLAT_TILE,
    &BVH_TRIANGLES,
    &BVH_BOXES,
    &BVH_POINTS,
    &BVH_KEYS,
    &BVH_PYRAMID,
    &BVH_INTERNAL,
    &BVH_RAY,
    &BVH_NEAREST,
    &BVH_COUNT,
    &BVH_LIST,
    &JUMP_BEGIN,
    &JUMP,
    &EDGES_SLOTS,
    &EDGES,
    &EDGES_SIDES,
    &EDGES_HEADS,
    &EDGES_TABLE,
    &EDGES_KINDS,
    &EDGES_ENDS,
    &LOOPS,
    &LOOPS_CUT,
    &LOOPS_LENGTHS,
    &LOOPS_PLACE,
    &LOOPS_ORDER,
    &LOOPS_CLOSED,
    &RASTER_STENCIL,
    &PROC_RASTER_COPY,
    &PROC_RASTER_APRON,
    &PROC_RASTER_EDGE_ADD,
    &PROC_RASTER_APPLY_ACCUMULATOR,
    &RASTER_SAMPLE,
    &RASTER_SPLAT,
    &FFT,
];

/// The kernel for a column's element.
fn for_element(element: Element, f32: &'static Kernel, i32: &'static Kernel, u32: &'static Kernel) -> &'static Kernel {
    match element {
        Element::F32 => f32,
        Element::I32 => i32,
        Element::U32 => u32,
    }
}

/// Refuses a column of more than one lane.
fn one_lane(kernel: &str, binding: &str, column: &Column) -> Result<()> {
    if column.lanes() == 1 {
        Ok(())
    } else {
        Err(shape(kernel, binding, "one lane".to_owned(), column))
    }
}

/// Rounds of loops after which Mesa's software adapter ends an invocation.
const SOFTWARE_ROUNDS: u64 = 65_535;

/// Refuses work that could need more rounds of loops than a software adapter runs in one invocation: it would answer
/// wrong and say nothing.
fn runs_to_its_end(rec: &Recorder, kernel: &str, rounds: u64) -> Result<()> {
    if !rec.device.info().software || rounds <= SOFTWARE_ROUNDS {
        return Ok(());
    }
    Err(Error::TooMany {
        what: format!("rounds of loops that an invocation of kernel `{kernel}` may take on a software adapter"),
        found: rounds,
        limit: SOFTWARE_ROUNDS,
    })
}

/// Elements that an `i32` numbers.
const NUMBERED: u32 = 1 << 31;

/// Refuses more elements than an `i32` numbers, where a kernel answers numbers of elements.
fn numbered(kernel: &str, binding: &str, elements: u32) -> Result<()> {
    if elements <= NUMBERED {
        return Ok(());
    }
    Err(Error::TooMany {
        what: format!("elements of `{binding}` of kernel `{kernel}`, which an i32 numbers"),
        found: u64::from(elements),
        limit: u64::from(NUMBERED),
    })
}

/// Refuses a column of another number of elements than the domain.
fn same_length(kernel: &str, binding: &str, column: &Column, domain: &Domain) -> Result<()> {
    if column.capacity() == domain.elements() {
        return Ok(());
    }
    Err(shape(
        kernel,
        binding,
        format!("{} elements", domain.elements()),
        column,
    ))
}

fn shape(kernel: &str, binding: &str, expected: String, column: &Column) -> Error {
    Error::WrongShape {
        kernel: kernel.to_owned(),
        binding: binding.to_owned(),
        expected,
        found: format!("{} elements of {} lanes", column.capacity(), column.lanes()),
    }
}
