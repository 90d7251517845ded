//! The pages of the reference: which kernels each has, and what it says besides.

use crate::field::{DIRECT_LEAVES, DIRECT_WALK_LEAVES, MAX_STATE};
use crate::kernel::Kernel;
use crate::walk::MAX_WALK_STEPS;

/// One page.
pub(super) struct Page {
    /// Its file, in the folder `kernels`.
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    /// Its kernels, without the element that a name ends on.
    pub(super) kernels: &'static [&'static str],
    /// What follows the kernels.
    pub(super) more: fn() -> String,
}

const fn page(file: &'static str, title: &'static str, about: &'static str, kernels: &'static [&'static str]) -> Page {
    Page {
        file,
        title,
        about,
        kernels,
        more: String::new,
    }
}

/// In the order of the index.
pub(super) static PAGES: &[Page] = &[
    page(
        "make.md",
        "Columns made and copied",
        "Ramps, lattices and fans, made from numbers alone, and lanes copied from column to column.",
        &["ramp", "lattice", "grid_faces", "fan", "copy_lanes"],
    ),
    Page {
        more: programs,
        ..page(
            "fields.md",
            "Fields",
            "Two fields that are kernels by themselves, and the two dispatches whose arithmetic is given when they are recorded.",
            &["proc_field_scale", "proc_field_noise"],
        )
    },
    page(
        "move.md",
        "Elements moved",
        "Read and written through an index, kept by a flag, laid out as runs, laid end to end.",
        &[
            "gather", "scatter_claim", "scatter_settle", "scatter", "scatter_fixed", "fixed_settle", "scatter_order",
            "order_settle", "compact", "expand", "concat", "concat_count",
        ],
    ),
    page(
        "fold.md",
        "Sums and folds",
        "Prefix sums, folds to one element, folds of runs.",
        &[
            "scan", "offsets", "scan_segments", "reduce", "test", "mean", "segments_blocks", "segments",
            "segments_counts", "segments_test", "segments_mean",
        ],
    ),
    page("sort.md", "Sort", "A stable sort of keys with a value each.", &["sort"]),
    page(
        "near.md",
        "Points near points, and lattice fields",
        "A hash grid and what is asked of it; values on a lattice read and added to between its points.",
        &[
            "hash_keys", "hash_starts", "hash_count", "hash_list", "hash_measure", "hash_repel", "hash_average",
            "hash_nearest", "grid_sample", "grid_splat", "grid_sample_tile", "grid_splat_tile",
        ],
    ),
    page(
        "bvh.md",
        "Trees of boxes",
        "How a tree is built over triangles, boxes and balls, and what is asked of it.",
        &[
            "bvh_triangles", "bvh_boxes", "bvh_points", "bvh_keys", "bvh_pyramid", "bvh_internal", "bvh_ray",
            "bvh_nearest", "bvh_count", "bvh_list",
        ],
    ),
    page(
        "rings.md",
        "Roots, edges and loops",
        "Pointer jumping, the distinct sides of primitives, and the rings and chains that edges make.",
        &[
            "jump_begin", "jump", "edges_slots", "edges", "edges_sides", "edges_heads", "edges_table", "edges_kinds", "edges_ends",
            "loops", "loops_cut", "loops_lengths", "loops_place", "loops_order", "loops_closed",
        ],
    ),
    page(
        "raster.md",
        "Rasters",
        "Fields of cells in tiles, each with an apron of its neighbours' cells.",
        &["raster_stencil", "proc_raster_copy", "proc_raster_apron", "proc_raster_edge_add", "proc_raster_apply_accumulator", "raster_sample", "raster_splat"],
    ),
    page("fft.md", "Fourier transforms", "Complex lines and grids, powers of two from 2 to 512.", &["fft"]),
    page(
        "moves.md",
        "Moves and guards",
        "What a recorder dispatches of its own: for `fill`, `copy`, `copy_into` and what is appended to, for tables of columns
and the leaves past the fifth of a field program, and for guards.",
        &["fill", "empty", "copy", "pack", "pack_slices", "guard"],
    ),
];

/// KERNELS.md.
pub(super) fn index(listed_on: &dyn Fn(&Page) -> Vec<&'static Kernel>) -> String {
    let mut text = HEAD.to_owned();
    for page in PAGES {
        let mut names: Vec<String> = listed_on(page)
            .iter()
            .map(|kernel| format!("`{}`", kernel.name()))
            .collect();
        if page.file == "fields.md" {
            names.extend(["`map`".to_owned(), "`walk`".to_owned()]);
        }
        text.push_str(&format!(
            "| [{}](kernels/{}) | {} |\n",
            page.title,
            page.file,
            names.join(", ")
        ));
    }
    text
}

const HEAD: &str = "# Kernels

What each shipped kernel binds, takes and promises, written from its declaration. The functions that record them, with
what they mean and refuse, are in the documentation of `zero_compute::kernels`.

`n` is the number of elements of the domain. A binding without a number of elements is the caller's own column. Kernels that
differ in their elements alone share a section, their names and elements in the same order. *Buffers* are the storage buffers
of the widest pass, params and counters not among them. On the CPU a kernel of *ranges* is spread over the threads of the pool
in slices of 65 536 elements; a *whole* one does as it likes. *Exact* is the same bits on every device. What is computed *per
element* may be fused; what it reads of its own element only is then handed over without a buffer.

*Past the live count*, over a domain whose live count is on the device, an output holds the value that is stated; what
*stands* is not touched there, and what is *computed* has its value whatever the count.

| page | kernels |
|---|---|
";

/// What is said of field programs and of walks, which no declaration has.
fn programs() -> String {
    format!(
        "
## `map`

`Recorder::map` runs a field program as one dispatch, whatever it computes. It has no declaration: its WGSL is
written from the program.

| binding | access | element | shape | past the live count |
|---|---|---|---|---|
| leaves | read | as the program says | any, any lanes; an element past the end is the last one | |
| packed leaves | a table, read | u32 | the words of all leaves past number {DIRECT_LEAVES} | |
| `dst` | written | as the program says | `n`, the lanes of the program | 0 |

- no params by name: the program's numbers, in their order, each with a slot
- exact or pointwise, as the program is compiled. GPU: 1 pass; a buffer a leaf up to {DIRECT_LEAVES}, one for those past them
  together, 1 for `dst` and 1 for a live count. CPU: ranges. Per element up to {DIRECT_LEAVES} leaves

## `walk`

`Recorder::walk` takes a field of a state of 1 to {MAX_STATE} floats step after step, and stops early where the
walk says so.

| binding | access | element | shape | past the live count |
|---|---|---|---|---|
| leaves | read | as the walk says | any, any lanes; an element past the end is the last one | |
| packed leaves | a table, read | u32 | the words of all leaves past number {DIRECT_WALK_LEAVES} | |
| `start` | read | f32 | `n`, a lane a float of the state | |
| `last` | written | f32 | `n`, lanes of `start` | 0 |
| `taken` | written | u32 | `n` | 0 |
| `path` | written | f32 | `n * (steps + 1)`, `path_lanes` lanes | 0 |

| param | default | meaning |
|---|---|---|
| `steps` | 64 | the most steps that a walker takes, at most {MAX_WALK_STEPS}; fixed when it is recorded |
| `path_lanes` | 3 | lanes of the state, from the first, that the path holds; 0 for no path; fixed when it is recorded |

- the walk's numbers besides, in their order, each with a slot
- exact or pointwise, as the walk is compiled. GPU: 1 pass; a buffer a leaf up to {DIRECT_WALK_LEAVES}, one for those past them
  together, 4 for `start` to `path` and 1 for a live count. CPU: slices of walkers
"
    )
}
