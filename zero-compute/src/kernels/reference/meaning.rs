//! What no declaration says of a kernel: the meaning of its params with their units and ranges, and what it writes past a
//! live count. Both are held to the declarations, and the inert values to what the kernels write.

use Past::{All, F, I, Own, Says, Stands};

/// What stands in the elements of an output past the live count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Past {
    /// This integer in every lane.
    I(i32),
    /// This float in every lane.
    F(f32),
    /// The number of the element.
    Own,
    /// What the words say.
    Says(&'static str),
    /// What stood there.
    Stands,
    /// Its elements are not those of a live domain: all are computed.
    All,
}

impl std::fmt::Display for Past {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            I(value) => write!(f, "{value}"),
            F(value) => write!(f, "{value:?}"),
            Own => f.write_str("its own number"),
            Says(words) => f.write_str(words),
            Stands => f.write_str("stands"),
            All => f.write_str("computed"),
        }
    }
}

/// What is said of kernels that differ in their elements alone, or of several whose params mean the same.
pub(super) struct Words {
    /// Their names, without the element that they end on.
    pub(super) kernels: &'static [&'static str],
    /// A param and what it means.
    pub(super) params: &'static [(&'static str, &'static str)],
    /// An output and what is past the live count.
    pub(super) past: &'static [(&'static str, Past)],
}

const fn words(
    kernels: &'static [&'static str],
    params: &'static [(&'static str, &'static str)],
    past: &'static [(&'static str, Past)],
) -> Words {
    Words { kernels, params, past }
}

/// In the order of the kernels; a kernel may be in several rows.
pub(super) static WORDS: &[Words] = &[
    words(
        &["ramp"],
        &[
            ("start", "the first number"),
            ("step", "what is added from an element to the next; sums wrap"),
        ],
        &[],
    ),
    words(
        &[
            "lattice",
            "grid_sample",
            "grid_splat",
            "grid_sample_tile",
            "grid_splat_tile",
        ],
        &[
            ("count_x", "points along X, which runs fastest; 0 counts as 1"),
            ("count_y", "points along Y; 0 counts as 1"),
            ("count_z", "points along Z; 0 counts as 1"),
            ("origin_x", "the first point's X, in the unit of positions"),
            ("origin_y", "the first point's Y, likewise"),
            ("origin_z", "the first point's Z, likewise"),
            (
                "spacing_x",
                "from a point to the next along X, in the unit of positions",
            ),
            ("spacing_y", "from a point to the next along Y, likewise"),
            ("spacing_z", "from a point to the next along Z, likewise"),
        ],
        &[],
    ),
    words(
        &["grid_faces"],
        &[("count_x", "points along X; below 2 counts as 2")],
        &[],
    ),
    words(
        &["fan"],
        &[
            ("hub", "number of the point that all triangles share"),
            ("first", "number of the ring's first point"),
            ("ring", "points in the ring; 0 counts as 1"),
        ],
        &[],
    ),
    words(
        &["copy_lanes"],
        &[
            ("src_lane", "first lane that is read"),
            ("dst_lane", "first lane that is written"),
            ("lanes", "lanes that are copied"),
        ],
        &[("dst", Says("0 in the lanes that are copied"))],
    ),
    words(&["proc_field_scale"], &[("scale", "factor")], &[]),
    words(
        &["proc_field_noise"],
        &[
            ("seed", "its bits choose the noise"),
            ("freq", "cells of the noise a unit of `coords`"),
        ],
        &[],
    ),
    words(
        &["scatter_fixed", "grid_splat", "grid_splat_tile", "raster_splat"],
        &[("scale", "units in 1, a power of two up to 2^30")],
        &[],
    ),
    words(
        &["fixed_settle", "proc_raster_apply_accumulator"],
        &[("unit", "what a unit is worth: 1 / the scale that it was counted in")],
        &[("dst", All), ("delta", All)],
    ),
    words(
        &[
            "scatter_claim",
            "scatter",
            "scatter_fixed",
            "scatter_order",
            "grid_splat",
        ],
        &[],
        &[("winner", Stands), ("dst", Stands), ("arrived", Stands)],
    ),
    words(&["scatter_settle", "order_settle"], &[], &[("dst", All)]),
    words(
        &["grid_sample_tile", "grid_splat_tile"],
        &[
            ("first_x", "number of the tile's first point along X"),
            ("first_y", "number of the tile's first point along Y"),
            ("first_z", "number of the tile's first point along Z"),
            ("size_x", "points that the tile holds along X"),
            ("size_y", "points that the tile holds along Y"),
            ("size_z", "points that the tile holds along Z"),
        ],
        &[("dst", Stands), ("arrived", Stands)],
    ),
    words(&["raster_splat"], &[], &[("delta", Stands)]),
    words(&["compact"], &[], &[("inverse", I(-1))]),
    words(&["expand"], &[], &[("owner", I(-1)), ("local_index", I(-1))]),
    words(
        &["concat"],
        &[("at", "first element of `dst`, besides `start`")],
        &[("dst", Stands)],
    ),
    words(
        &["concat_count"],
        &[("capacity", "most that `added` may say")],
        &[("dst", All)],
    ),
    words(&["scan", "offsets"], &[], &[("dst", Says("the total"))]),
    words(&["scan_segments"], &[], &[("dst", Says("the total of the last run"))]),
    words(
        &["mean"],
        &[("capacity", "most elements that `count` may say")],
        &[("dst", All)],
    ),
    words(
        &["segments", "segments_test", "segments_mean"],
        &[("count", "elements of the column that has the runs")],
        &[("dst", I(0))],
    ),
    words(&["sort"], &[], &[("sorted_keys", I(0)), ("sorted_values", I(-1))]),
    words(
        &[
            "hash_keys",
            "hash_count",
            "hash_list",
            "hash_measure",
            "hash_repel",
            "hash_average",
            "hash_nearest",
        ],
        &[
            ("per_cell", "1 / the edge of a cell, which is in the unit of positions"),
            ("bits", "there are 2^`bits` buckets; 1 to 31"),
        ],
        &[],
    ),
    words(
        &[
            "hash_count",
            "hash_list",
            "hash_measure",
            "hash_repel",
            "hash_average",
            "hash_nearest",
        ],
        &[
            ("radius", "in the unit of positions, at most 4 cells"),
            (
                "reach",
                "how far cells are looked at: the radius and what rounding takes from it",
            ),
            ("square", "the greatest squared distance that is near"),
        ],
        &[],
    ),
    words(&["hash_keys"], &[], &[("keys", I(0))]),
    words(
        &["hash_starts"],
        &[("capacity", "most keys that `count` may say")],
        &[("starts", All)],
    ),
    words(&["hash_count"], &[], &[("written", I(0))]),
    words(
        &["hash_list"],
        &[("capacity", "items that `written` has room for")],
        &[("written", Stands)],
    ),
    words(
        &["hash_measure"],
        &[],
        &[("counted", I(0)), ("nearest", F(-1.0)), ("centroid", F(0.0))],
    ),
    words(&["hash_repel", "hash_average", "grid_sample"], &[], &[("dst", F(0.0))]),
    words(&["hash_nearest"], &[], &[("items", I(-1)), ("distances", F(-1.0))]),
    words(
        &["bvh_triangles", "bvh_boxes", "bvh_points"],
        &[(
            "radius",
            "of every ball where `points` has 3 lanes, in the unit of positions",
        )],
        &[("shapes", F(0.0)), ("lows", F(0.0)), ("highs", F(0.0))],
    ),
    words(&["bvh_keys"], &[], &[("codes", I(0))]),
    words(
        &["bvh_internal"],
        &[],
        &[("nodes", Says("a box of zeros, no child (`u32::MAX`), the primitive -1"))],
    ),
    words(
        &["bvh_ray", "bvh_nearest", "bvh_count", "bvh_list"],
        &[("capacity", "primitives that the tree was built for")],
        &[("visited", I(0))],
    ),
    words(
        &["bvh_ray"],
        &[],
        &[("primitive", I(-1)), ("t", F(0.0)), ("uv", F(0.0))],
    ),
    words(
        &["bvh_nearest"],
        &[("square", "the greatest squared distance that counts")],
        &[("primitive", I(-1)), ("point", F(0.0)), ("distances", F(-1.0))],
    ),
    words(&["bvh_count"], &[], &[("written", I(0))]),
    words(
        &["bvh_list"],
        &[("room", "items that `written` has room for")],
        &[("written", Stands)],
    ),
    words(
        &["jump_begin", "jump"],
        &[],
        &[("parent_out", Own), ("value_out", I(0))],
    ),
    words(
        &["edges_slots"],
        &[
            ("always", "not 0 where every primitive closes, whatever `closed` says"),
            ("capacity", "most that `primitives` may say"),
        ],
        &[("owner", I(-1)), ("next", I(-1))],
    ),
    words(
        &["edges"],
        &[],
        &[("low", I(-1)), ("high", I(-1)), ("reversed", I(0)), ("side", I(0))],
    ),
    words(&["edges_heads"], &[], &[("flag", I(0))]),
    words(&["edges_table"], &[], &[("a", I(-1)), ("b", I(-1)), ("fcount", I(0))]),
    words(&["edges_kinds"], &[], &[("open", I(0)), ("manifold", I(0))]),
    words(
        &["edges_ends"],
        &[("capacity", "edges of the table")],
        &[("source_from", I(-1)), ("source_to", I(-1))],
    ),
    words(&["loops"], &[], &[("next", Own), ("head", I(0))]),
    words(&["loops_cut"], &[], &[("cut", Own), ("head", I(0))]),
    words(&["loops_lengths"], &[], &[("length", I(0)), ("ring_of_end", Stands)]),
    words(&["loops_place"], &[], &[("ring", I(-1)), ("pos", I(0))]),
    words(&["loops_order"], &[], &[("order", I(-1))]),
    words(&["loops_closed"], &[], &[("closed", I(0))]),
    words(
        &["raster_stencil", "raster_sample", "raster_splat"],
        &[
            ("stride", "stored cells of a tile along X"),
            ("wide", "cells of a tile's interior along X"),
            ("high", "cells of a tile's interior along Z"),
            ("apron", "cells of the apron on each side"),
        ],
        &[],
    ),
    words(
        &["raster_stencil"],
        &[("radius", "cells that the stencil reaches to each side, at most 32")],
        &[("dst", All)],
    ),
    words(
        &["proc_raster_apron", "proc_raster_edge_add"],
        &[
            ("stride", "stored cells of a tile along X"),
            (
                "wide",
                "cells of the block along X; its cells along Z are the domain's elements by it",
            ),
            ("from_x", "the block's first column in the tile that is read"),
            ("from_z", "the block's first row in the tile that is read"),
            ("to_x", "the block's first column in the tile that is written"),
            ("to_z", "the block's first row in the tile that is written"),
            ("lanes", "words of a cell"),
        ],
        &[("dst", All)],
    ),
    words(
        &["raster_sample", "raster_splat"],
        &[
            (
                "origin_x",
                "where the raster's first cell begins along X, in the unit of positions",
            ),
            ("origin_z", "where it begins along Z, likewise"),
            ("size_x", "the edge of a cell along X, in the unit of positions"),
            ("size_z", "the edge of a cell along Z, likewise"),
            ("first_x", "cells of the raster before the tile's interior along X"),
            ("first_z", "cells of the raster before the tile's interior along Z"),
            ("count_x", "cells of the whole raster along X"),
            ("count_z", "cells of the whole raster along Z"),
        ],
        &[],
    ),
    words(&["raster_sample"], &[], &[("dst", Stands)]),
    words(
        &["fft"],
        &[
            ("bits", "a line has 2^`bits` elements; 1 to 9"),
            ("inner", "elements from one of a line to its next"),
            ("scale", "factor of what is written"),
        ],
        &[("dst", All)],
    ),
    words(&["fill"], &[("bits", "what every word is set to")], &[("dst", All)]),
    words(
        &["empty"],
        &[("inert", "what every word of the slots is set to")],
        &[("items", All)],
    ),
    words(&["copy", "proc_raster_copy"], &[], &[("dst", All)]),
    words(
        &["pack", "pack_slices"],
        &[("at", "first word of `table`")],
        &[("table", All)],
    ),
    words(
        &["guard"],
        &[("at", "the guard's word"), ("room", "the most that `count` may say")],
        &[("words", All)],
    ),
];
