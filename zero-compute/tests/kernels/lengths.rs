//! What a kernel reads at its own element is as long as the domain, or refused when the dispatch is recorded.

use std::collections::BTreeSet;

use zero_compute::kernels::{
    ALL, BVH_INTERNAL, BVH_KEYS, BVH_LIST, BVH_PYRAMID, BVH_RAY, REDUCE_F32, REDUCE_I32, REDUCE_U32,
    SEGMENTS_COUNTS_F32, SEGMENTS_COUNTS_I32, SEGMENTS_COUNTS_U32, TEST_F32, TEST_I32, TEST_U32,
};
use zero_compute::{Access, Args, Binding, Device, Domain, Error, Kernel, Rule};

use crate::devices_once;

/// Families, and bindings of theirs.
type Reads = &'static [(&'static str, &'static [&'static str])];

/// What is read elsewhere than at one's own element, and how: its length is its own.
const FREE: &[(&str, Reads)] = &[
    (
        "through an index that another column holds",
        &[
            ("gather", &["src"]),
            ("scatter_settle", &["src"]),
            ("edges_heads", &["low", "high"]),
            ("edges_table", &["order", "low", "high"]),
            ("edges_ends", &["a", "b", "starts", "reversed"]),
            ("loops_lengths", &["root", "rank"]),
            ("loops_place", &["ring_of_end", "length"]),
            ("loops_order", &["starts"]),
            ("loops_closed", &["root", "from_points", "to_points"]),
            ("bvh_triangles", &["positions"]),
        ],
    ),
    (
        "by a search, from its front to its end",
        &[
            ("expand", &["offsets"]),
            ("edges_slots", &["starts", "counts", "closed", "primitives"]),
            ("hash_starts", &["keys"]),
        ],
    ),
    (
        "over the run or the block that is an element's",
        &[
            ("segments", &["src", "blocks"]),
            ("segments_test", &["src", "blocks"]),
            ("bvh_pyramid", &["leaves"]),
            ("bvh_internal", &["pyramid"]),
        ],
    ),
    (
        "as a grid, a tree or a lattice that a place is looked up in",
        &[
            ("hash_count", &["points", "starts", "order"]),
            ("hash_list", &["points", "starts", "order"]),
            ("hash_measure", &["points", "starts", "order"]),
            ("hash_repel", &["points", "starts", "order"]),
            ("hash_average", &["points", "starts", "order"]),
            ("hash_nearest", &["points", "starts", "order"]),
            ("bvh_ray", &["nodes", "leaves"]),
            ("bvh_nearest", &["nodes", "leaves"]),
            ("bvh_count", &["nodes", "leaves"]),
            ("bvh_list", &["nodes", "leaves"]),
            ("grid_sample", &["values"]),
            ("grid_sample_tile", &["values"]),
            ("raster_sample", &["layer"]),
            ("proc_raster_apron", &["src"]),
            ("proc_raster_edge_add", &["src"]),
        ],
    ),
    (
        "one number, or a table of them, for all elements",
        &[
            ("mean", &["sum", "count"]),
            ("concat", &["start"]),
            ("concat_count", &["before", "added"]),
            ("hash_starts", &["count"]),
            ("bvh_keys", &["least", "greatest"]),
            ("raster_stencil", &["weights"]),
            ("fft", &["twiddles"]),
        ],
    ),
];

/// The name of a kernel without that of its element.
fn family(kernel: &Kernel) -> &'static str {
    let name = kernel.name();
    let ends = ["_f32", "_i32", "_u32"];
    ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn reads(kernel: &Kernel) -> impl Iterator<Item = &Binding> {
    kernel.bindings().filter(|binding| binding.access == Access::Read)
}

#[test]
fn every_read_is_of_ones_own_element_or_says_how_it_is_read() {
    let free: BTreeSet<(&str, &str)> = ALL
        .iter()
        .flat_map(|kernel| reads(kernel).map(|binding| (family(kernel), binding)))
        .filter(|(_, binding)| binding.rule.is_none())
        .map(|(family, binding)| (family, binding.name))
        .collect();
    let stated = FREE.iter().flat_map(|(_, reads)| {
        let of = |(family, bindings): &(&'static str, &'static [&'static str])| {
            let family = *family;
            bindings.iter().map(move |binding| (family, *binding))
        };
        reads.iter().flat_map(of)
    });
    assert_eq!(free, stated.collect());
}

/// Columns of five elements for all that must be bound, but for one of four.
fn columns(device: &Device, kernel: &Kernel, short: Option<&str>) -> Args {
    let bound = kernel
        .bindings()
        .filter(|binding| matches!(binding.access, Access::Read | Access::InOut));
    bound.fold(Args::new(), |args, binding| {
        let n = if Some(binding.name) == short { 4 } else { 5 };
        let takes = |lanes: &u32| binding.lanes.as_ref().is_none_or(|takes| takes.take(*lanes));
        let lanes = (1..).find(takes).unwrap();
        args.with(binding.name, device.column(binding.element, lanes, n).unwrap())
    })
}

#[test]
fn a_column_shorter_than_the_domain_is_refused_by_every_kernel_that_reads_its_own_element() {
    let mut refused = 0;
    for (name, device) in devices_once() {
        for kernel in ALL {
            let own = reads(kernel).filter(|binding| binding.rule == Some(Rule::Domain));
            for binding in own {
                let what = format!("{name}: `{}` of {}", binding.name, kernel.name());
                let mut rec = device.record("short");
                let fits = rec.dispatch(*kernel, columns(device, kernel, None), Domain::count(5));
                assert!(fits.is_ok(), "{what}: {:?}", fits.err());
                match rec.dispatch(*kernel, columns(device, kernel, Some(binding.name)), Domain::count(5)) {
                    Err(Error::WrongShape {
                        kernel: of,
                        binding: at,
                        expected,
                        found,
                    }) => {
                        assert_eq!((of.as_str(), at.as_str()), (kernel.name(), binding.name), "{what}");
                        assert!(
                            expected.contains('5') && found.contains('4'),
                            "{what}: {expected}, {found}"
                        );
                    }
                    other => panic!("{what}: {other:?}"),
                }
                refused += 1;
            }
        }
    }
    assert!(refused > 80 * devices_once().len(), "{refused} columns refused");
}

/// Columns of lanes that the WGSL would read as mixed-up words, or that its workspace has no room for.
#[test]
fn a_column_of_lanes_that_a_kernel_does_not_take_is_refused() {
    let refused: &[(&'static Kernel, &str, &[u32], &[u32])] = &[
        (&REDUCE_F32, "src", &[1, 3, 16], &[17, 20]),
        (&REDUCE_I32, "src", &[16], &[17]),
        (&REDUCE_U32, "src", &[16], &[17]),
        (&TEST_F32, "src", &[1], &[2]),
        (&TEST_I32, "src", &[1], &[2]),
        (&TEST_U32, "src", &[1], &[2]),
        (&SEGMENTS_COUNTS_F32, "src", &[1], &[2]),
        (&SEGMENTS_COUNTS_I32, "src", &[1], &[2]),
        (&SEGMENTS_COUNTS_U32, "src", &[1], &[2]),
        (&BVH_KEYS, "lows", &[3], &[1, 2, 4]),
        (&BVH_KEYS, "highs", &[3], &[1, 2, 4]),
        (&BVH_KEYS, "least", &[3], &[1]),
        (&BVH_KEYS, "greatest", &[3], &[1]),
        (&BVH_PYRAMID, "leaves", &[4, 6, 9], &[3, 10]),
        (&BVH_INTERNAL, "codes", &[1], &[2]),
        (&BVH_INTERNAL, "order", &[1], &[2]),
        (&BVH_INTERNAL, "leaves", &[4, 6, 9], &[3, 10]),
        (&BVH_INTERNAL, "pyramid", &[1], &[6]),
        (&BVH_RAY, "nodes", &[9], &[1, 8]),
        (&BVH_RAY, "leaves", &[4, 6, 9], &[3, 10]),
        (&BVH_LIST, "nodes", &[9], &[10]),
    ];
    let device = &devices_once()[0].1;
    for (kernel, name, taken, refused) in refused {
        let binding = kernel.bindings().find(|binding| binding.name == *name).unwrap();
        let lanes = binding.lanes.as_ref();
        let takes = |of: &u32| lanes.is_some_and(|lanes| lanes.take(*of));
        let what = format!("`{name}` of {}", kernel.name());
        assert!(
            taken.iter().all(takes) && !refused.iter().any(takes),
            "{what}: {lanes:?}"
        );
        let others = columns(device, kernel, None);
        let mut args = Args::new().with(*name, device.column(binding.element, refused[0], 5).unwrap());
        for (other, arg) in others.iter().filter(|(other, _)| other != name) {
            args = args.with(other.to_owned(), arg.clone());
        }
        let error = device
            .record("lanes")
            .dispatch(*kernel, args, Domain::count(5))
            .unwrap_err();
        assert!(matches!(error, Error::WrongShape { .. }), "{what}: {error}");
    }
}
