//! Sizes at which a dispatch needs a second dimension, and one past 2^24, above which a float no longer holds every whole
//! number: on one CPU device and the software adapter. A family of each kind of dispatch runs at one of them always, and
//! every family at all of them at the full scale. What is too large for a binding is refused with both numbers.

use zero_compute::kernels::{
    BvhShape, Form, Lattice, Primitives, RayMode, Reduce, Scatter, Test, bvh_balls, bvh_boxes, bvh_nearest,
    bvh_overlap, bvh_points, bvh_ray, bvh_triangles, compact, concat, copy_lanes, edges, expand, fan, gather,
    grid_faces, grid_sample, grid_splat, hash_grid, jump_min, jump_rank, lattice, loops, mean, offsets, ramp, reduce,
    scan, scan_segments, scatter, segments, segments_mean, segments_test, sort, test,
};
use zero_compute::{Column, Device, Domain, Element, Error, Recorder, Result};

use crate::large_fields::{self, QUERIES};
use crate::{Bits, bits, devices_once, live, scale};

/// Workgroups of a dimension, times the threads of one: the most elements of a dispatch in a single dimension.
const ROW: u32 = 65_535 * 256;
const SIZES: [u32; 3] = [ROW - 1, ROW + 1, (1 << 24) + 1];

/// A family over `n` elements, and the words that its outputs must have.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// Whether it is run at the small scale too.
    pub(crate) is_quick: bool,
    pub(crate) record: fn(&Device, &mut Recorder, u32) -> Result<Vec<Column>>,
    pub(crate) expect: fn(u32) -> Vec<Vec<u32>>,
}

/// One of the two devices: the rest of them only cut the same work in other pieces.
fn two_devices() -> Vec<&'static (&'static str, Device)> {
    let chosen = ["cpu of 2 threads", "software gpu"];
    devices_once()
        .iter()
        .filter(|(name, _)| chosen.contains(name))
        .collect()
}

pub(crate) fn up<T: zero_compute::Word>(device: &Device, n: u32, f: impl Fn(u32) -> T) -> Result<Column> {
    device.upload(&(0..n).map(f).collect::<Vec<T>>(), 1)
}

pub(crate) fn words(n: u32, f: impl FnMut(u32) -> u32) -> Vec<u32> {
    (0..n).map(f).collect()
}

/// A number that looks like chance.
fn mixed(i: u32) -> u32 {
    (i ^ i >> 15).wrapping_mul(0x2c1b_3c6d) ^ i
}

fn mixed_int(i: u32) -> i32 {
    mixed(i) as i32
}

const FAMILIES: &[Family] = &[
    Family {
        name: "ramp",
        is_quick: false,
        record: |_, rec, n| Ok(vec![ramp(rec, Domain::count(n), 5, -3)?]),
        expect: |n| vec![words(n, |i| 5u32.wrapping_sub(i.wrapping_mul(3)))],
    },
    Family {
        name: "copy_lanes",
        is_quick: false,
        record: |device, rec, n| {
            let dst = device.column(Element::U32, 1, n)?;
            copy_lanes(rec, &up(device, n, mixed)?, 0, &dst, 0, 1)?;
            Ok(vec![dst])
        },
        expect: |n| vec![words(n, mixed)],
    },
    Family {
        name: "gather",
        is_quick: true,
        record: |device, rec, n| {
            let index = up(device, n, |i| (n - 1 - i) as i32)?;
            Ok(vec![gather(rec, &up(device, n, mixed)?, &index)?])
        },
        expect: |n| vec![words(n, |i| mixed(n - 1 - i))],
    },
    Family {
        name: "scatter last",
        is_quick: false,
        record: |device, rec, n| {
            let dst = device.column(Element::U32, 1, n)?;
            let index = up(device, n, |i| (i / 2) as i32)?;
            scatter(rec, &up(device, n, mixed)?, &index, &dst, Scatter::Last)?;
            Ok(vec![dst])
        },
        expect: |n| vec![words(n, |i| if 2 * i < n { mixed((2 * i + 1).min(n - 1)) } else { 0 })],
    },
    Family {
        name: "scatter add",
        is_quick: false,
        record: |device, rec, n| {
            let dst = device.column(Element::U32, 1, n)?;
            scatter(
                rec,
                &up(device, n, mixed)?,
                &up(device, n, |i| (i % 7) as i32)?,
                &dst,
                Scatter::Add,
            )?;
            Ok(vec![dst])
        },
        expect: |n| {
            let mut sums = vec![0u32; n as usize];
            (0..n).for_each(|i| sums[i as usize % 7] = sums[i as usize % 7].wrapping_add(mixed(i)));
            vec![sums]
        },
    },
    Family {
        name: "scatter of the least float",
        is_quick: false,
        record: |device, rec, n| {
            let dst = up(device, n, |_| 0.0f32)?;
            let src = up(device, n, |i| -((i % 1_000) as f32))?;
            scatter(rec, &src, &up(device, n, |i| (n - 1 - i) as i32)?, &dst, Scatter::Min)?;
            Ok(vec![dst])
        },
        expect: |n| {
            let value = |i: u32| 0.0 - ((n - 1 - i) % 1_000) as f32;
            // The least of 0 and -0 is -0.
            vec![words(n, |i| {
                if value(i) == 0.0 {
                    (-0.0f32).to_bits()
                } else {
                    value(i).to_bits()
                }
            })]
        },
    },
    Family {
        name: "scan",
        is_quick: true,
        record: |device, rec, n| {
            let scanned = scan(rec, &up(device, n, mixed_int)?, Form::Inclusive)?;
            Ok(vec![scanned.dst, scanned.total])
        },
        expect: |n| {
            let mut sum = 0u32;
            let sums = words(n, |i| {
                sum = sum.wrapping_add(mixed(i));
                sum
            });
            vec![sums, vec![sum]]
        },
    },
    Family {
        // Sums that are whole numbers below 2^24 are the same in any order.
        name: "scan of floats",
        is_quick: false,
        record: |device, rec, n| {
            let scanned = scan(rec, &up(device, n, |i| (i % 2) as f32)?, Form::Exclusive)?;
            Ok(vec![scanned.dst, scanned.total])
        },
        expect: |n| {
            vec![
                words(n, |i| ((i / 2) as f32).to_bits()),
                vec![((n / 2) as f32).to_bits()],
            ]
        },
    },
    Family {
        name: "offsets",
        is_quick: false,
        record: |device, rec, n| {
            let found = offsets(rec, &up(device, n, |i| i % 3)?)?;
            Ok(vec![found.dst, found.total])
        },
        expect: |n| {
            let before = |i: u32| i / 3 * 3 + [0, 0, 1][i as usize % 3];
            vec![words(n, before), vec![before(n)]]
        },
    },
    Family {
        name: "scan_segments",
        is_quick: false,
        record: |device, rec, n| {
            let heads = up(device, n, |i| i32::from(i % 70_000 == 3))?;
            let scanned = scan_segments(rec, &up(device, n, mixed)?, &heads, Form::Inclusive)?;
            Ok(vec![scanned.dst])
        },
        expect: |n| {
            let mut sum = 0u32;
            vec![words(n, |i| {
                sum = if i % 70_000 == 3 {
                    mixed(i)
                } else {
                    sum.wrapping_add(mixed(i))
                };
                sum
            })]
        },
    },
    Family {
        name: "reduce",
        is_quick: true,
        record: |device, rec, n| {
            let src = up(device, n, mixed)?;
            [Reduce::Sum, Reduce::Min, Reduce::Max]
                .into_iter()
                .map(|op| reduce(rec, &src, op))
                .collect()
        },
        expect: |n| {
            let sum = (0..n).fold(0u32, |sum, i| sum.wrapping_add(mixed(i)));
            vec![
                vec![sum],
                vec![(0..n).map(mixed).min().unwrap()],
                vec![(0..n).map(mixed).max().unwrap()],
            ]
        },
    },
    Family {
        name: "test",
        is_quick: false,
        record: |device, rec, n| {
            let src = up(device, n, |i| i32::from(i == n - 1))?;
            [Test::Count, Test::Any, Test::All]
                .into_iter()
                .map(|ask| test(rec, &src, ask))
                .collect()
        },
        expect: |_| vec![vec![1], vec![1], vec![0]],
    },
    Family {
        name: "mean",
        is_quick: false,
        record: |device, rec, n| Ok(vec![mean(rec, &up(device, n, |_| 0.5f32)?)?]),
        expect: |_| vec![vec![0.5f32.to_bits()]],
    },
    Family {
        // As many runs as elements: the first has two, the second none, and so on.
        name: "segments",
        is_quick: false,
        record: |device, rec, n| {
            let starts = up(device, n, |i| i.div_ceil(2) * 2)?;
            let (src, flags) = (up(device, n, mixed)?, up(device, n, |i| i % 2)?);
            let floats = up(device, n, |i| (i % 2) as f32)?;
            Ok(vec![
                segments(rec, &src, &starts, Reduce::Sum)?,
                segments_test(rec, &flags, &starts, Test::Count)?,
                segments_mean(rec, &floats, &starts)?,
            ])
        },
        expect: |n| {
            let run = |i: u32| {
                let start = (i.div_ceil(2) * 2).min(n);
                let end = if i + 1 < n { ((i + 1).div_ceil(2) * 2).min(n) } else { n };
                start..end.max(start)
            };
            vec![
                words(n, |i| run(i).fold(0, |sum: u32, k| sum.wrapping_add(mixed(k)))),
                words(n, |i| run(i).map(|k| k % 2).sum()),
                words(n, |i| match run(i).len() {
                    0 => 0,
                    len => (run(i).map(|k| (k % 2) as f32).sum::<f32>() / len as f32).to_bits(),
                }),
            ]
        },
    },
    Family {
        name: "compact",
        is_quick: true,
        record: |device, rec, n| {
            let kept = compact(rec, &up(device, n, |i| i32::from(i % 3 == 1))?)?;
            let count = kept.indices.live_count().unwrap();
            Ok(vec![kept.indices, kept.inverse, count])
        },
        expect: |n| {
            let count = (n + 1) / 3;
            vec![
                words(n, |i| if i < count { 3 * i + 1 } else { u32::MAX }),
                words(n, |i| if i % 3 == 1 { i / 3 } else { u32::MAX }),
                vec![count],
            ]
        },
    },
    Family {
        name: "expand",
        is_quick: false,
        record: |device, rec, n| {
            let slots = expand(rec, &up(device, n, |i| (i % 2) as i32 * 3)?, n)?;
            Ok(vec![slots.owner, slots.local_index, slots.total])
        },
        // Half as many again as there is room for.
        expect: |n| vec![words(n, |i| i / 3 * 2 + 1), words(n, |i| i % 3), vec![n / 2 * 3]],
    },
    Family {
        name: "concat",
        is_quick: false,
        record: |device, rec, n| {
            let (front, back) = (up(device, n / 3, mixed)?, up(device, n - n / 3, |i| mixed(i + n / 3))?);
            Ok(vec![concat(rec, &[&front, &back])?])
        },
        expect: |n| vec![words(n, mixed)],
    },
    Family {
        name: "sort",
        is_quick: false,
        record: |device, rec, n| {
            let sorted = sort(rec, &up(device, n, |i| (n - 1 - i) / 2)?, None)?;
            Ok(vec![sorted.keys, sorted.values])
        },
        expect: |n| {
            // Of two equal keys the earlier one first.
            let value = |i: u32| {
                if i % 2 == 1 {
                    n - i
                } else {
                    (n - 1 - i).saturating_sub(1)
                }
            };
            vec![words(n, |i| i / 2), words(n, value)]
        },
    },
    Family {
        name: "jump",
        is_quick: false,
        record: |device, rec, n| {
            let parent = up(device, n, |i| i as i32 - 1)?;
            let ranked = jump_rank(rec, &parent)?;
            let least = jump_min(rec, &parent, &up(device, n, |i| -(i as i32))?)?;
            Ok(vec![ranked.parent, ranked.value, least.value])
        },
        expect: |n| vec![vec![0; n as usize], words(n, |i| i), words(n, |i| i.wrapping_neg())],
    },
    Family {
        // One polygon with a corner a point.
        name: "edges",
        is_quick: false,
        record: |device, rec, n| {
            let points = up(device, n, |i| i as i32)?;
            let (starts, counts) = (device.upload(&[0], 1)?, device.upload(&[n as i32], 1)?);
            let table = edges(
                rec,
                Primitives {
                    starts: &starts,
                    counts: &counts,
                    points: &points,
                    closed: None,
                },
            )?;
            Ok(vec![table.count, table.side_edge])
        },
        // The last side is the second edge: from the last point to point 0.
        expect: |n| {
            vec![
                vec![n],
                words(n, |i| {
                    if i == 0 {
                        0
                    } else if i == n - 1 {
                        1
                    } else {
                        i + 1
                    }
                }),
            ]
        },
    },
    Family {
        name: "loops",
        is_quick: false,
        record: |device, rec, n| {
            let (from, to) = (up(device, n, |i| i as i32)?, up(device, n, |i| i as i32 + 1)?);
            let found = loops(rec, &from, &to)?;
            Ok(vec![found.ring, found.position, found.order, found.count])
        },
        expect: |n| vec![vec![0; n as usize], words(n, |i| i), words(n, |i| i), vec![1]],
    },
    Family {
        // A field of one row; a point on each of some of its values.
        name: "lattice field",
        is_quick: false,
        record: |device, rec, n| {
            let row = Lattice {
                counts: [n, 1, 1],
                ..Lattice::default()
            };
            let points = device.upload(&[0.0f32, 0.0, 0.0, 65_536.0, 0.0, 0.0, 3.0e7, 0.0, 0.0], 3)?;
            let values = up(device, n, |i| (i % 1_000) as f32)?;
            let read = grid_sample(rec, &values, row, &points)?;
            let dst = device.column(Element::F32, 1, n)?;
            grid_splat(rec, &device.upload(&[1.0f32, 2.0, 4.0], 1)?, &points, row, &dst, 8)?;
            Ok(vec![read, dst])
        },
        expect: |n| {
            let value = |i: u32| ((i % 1_000) as f32).to_bits();
            let mut splats = vec![0.0f32; n as usize];
            (splats[0], splats[65_536], splats[n as usize - 1]) = (1.0, 2.0, 4.0);
            vec![vec![value(0), value(65_536), value(n - 1)], splats.to_words()]
        },
    },
];

fn check(family: &Family, n: u32) {
    let expected = (family.expect)(n);
    for (name, device) in two_devices() {
        let what = format!("{} of {n} on {name}", family.name);
        let mut rec = device.record(&what);
        let outputs = (family.record)(device, &mut rec, n).unwrap_or_else(|error| panic!("{what}: {error}"));
        rec.finish().unwrap().submit().unwrap();
        assert_eq!(outputs.len(), expected.len(), "{what}: outputs");
        for (output, (column, expected)) in outputs.iter().zip(&expected).enumerate() {
            let found = bits(column);
            assert_eq!(found.len(), expected.len(), "{what}, output {output}: length");
            if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
                let (found, expected) = (found[at], expected[at]);
                panic!("{what}, output {output}: word {at} is {found:#x}, expected {expected:#x}");
            }
        }
        drop(outputs);
        // What this leaves in the pool is of no use to the next.
        device.trim(0);
    }
}

#[test]
fn families_work_past_a_row_of_workgroups() {
    let is_full = scale() >= 4;
    let families = FAMILIES.iter().chain(large_fields::FAMILIES);
    for family in families.filter(|family| is_full || family.is_quick) {
        for n in if is_full { &SIZES[..] } else { &SIZES[1..2] } {
            check(family, *n);
        }
    }
}

/// The same families over few elements, so that what the large sizes expect is known to be right.
#[test]
fn families_work_at_the_edges_of_workgroups() {
    for family in FAMILIES.iter().filter(|family| family.name != "lattice field") {
        for n in [255, 256, 257, 65_535, 65_537] {
            check(family, n);
        }
    }
    for family in large_fields::FAMILIES.iter().chain(QUERIES) {
        for n in [0, 1, 255, 256, 257, 65_535, 65_537] {
            check(family, n);
        }
    }
}

/// What takes three words an element or more does not fit a binding of 128 MiB.
#[test]
fn what_no_binding_holds_is_refused_with_both_numbers() {
    type Refuse = fn(&Device, &mut Recorder, u32) -> Result<()>;
    let families: &[(&str, u64, Refuse)] = &[
        ("points of a hash grid", 12, |device, rec, n| {
            hash_grid(rec, &device.column(Element::F32, 3, n)?, 1.0).map(drop)
        }),
        ("lattice", 12, |_, rec, n| {
            let counts = [n, 1, 1];
            lattice(
                rec,
                Lattice {
                    counts,
                    ..Lattice::default()
                },
            )
            .map(drop)
        }),
        ("grid_faces", 24, |_, rec, n| grid_faces(rec, n + 1, 2).map(drop)),
        ("fan", 12, |_, rec, n| fan(rec, 0, 1, n).map(drop)),
        ("tree of triangles", 12, |device, rec, n| {
            let positions = device.column(Element::F32, 3, 1)?;
            bvh_triangles(rec, &positions, &device.column(Element::I32, 3, n)?).map(drop)
        }),
        ("tree of boxes", 24, |device, rec, n| {
            bvh_boxes(rec, &device.column(Element::F32, 6, n)?).map(drop)
        }),
        ("tree of balls", 16, |device, rec, n| {
            bvh_balls(rec, &device.column(Element::F32, 4, n)?).map(drop)
        }),
        ("tree of points", 12, |device, rec, n| {
            bvh_points(rec, &device.column(Element::F32, 3, n)?, 0.0).map(drop)
        }),
        ("rays", 32, |device, rec, n| {
            let tree = bvh_points(rec, &device.column(Element::F32, 3, 1)?, 1.0)?;
            bvh_ray(rec, &tree, &device.column(Element::F32, 8, n)?, RayMode::Any).map(drop)
        }),
        ("nearest", 12, |device, rec, n| {
            let tree = bvh_points(rec, &device.column(Element::F32, 3, 1)?, 1.0)?;
            bvh_nearest(rec, &tree, &device.column(Element::F32, 3, n)?, 1.0).map(drop)
        }),
        ("overlap", 24, |device, rec, n| {
            let tree = bvh_points(rec, &device.column(Element::F32, 3, 1)?, 1.0)?;
            bvh_overlap(rec, &tree, &device.column(Element::F32, 6, n)?, n).map(drop)
        }),
    ];
    for (name, device) in two_devices() {
        if device.limits().max_binding_bytes > 1 << 27 {
            continue;
        }
        for (family, bytes, refuse) in families {
            for n in SIZES {
                let mut rec = device.record("too large");
                let error = refuse(device, &mut rec, n).unwrap_err();
                let expected = u64::from(n) * bytes;
                assert!(
                    matches!(&error, Error::TooLarge { bytes, limit, .. } if (*bytes, *limit) == (expected, 1 << 27)),
                    "{family} of {n} on {name}: {error:?}"
                );
            }
        }
    }
}

/// A tree as large as a binding of its nodes holds is built, and one larger is refused where its nodes are made.
#[test]
fn the_largest_tree_is_that_whose_nodes_fit() {
    for (name, device) in two_devices() {
        let limit = device.limits().max_binding_bytes;
        if limit > 1 << 27 {
            continue;
        }
        let most = (limit / 36) as u32;
        let mut rec = device.record("largest");
        let over = bvh_balls(&mut rec, &device.column(Element::F32, 4, most + 1).unwrap());
        let bytes = u64::from(most + 1) * 36;
        assert!(
            matches!(&over, Err(Error::TooLarge { bytes: found, .. }) if *found == bytes),
            "{name}: {over:?}"
        );
        if scale() < 4 {
            continue;
        }
        // Balls in a row: the last of the order is the last of the row.
        let balls: Vec<f32> = (0..most).flat_map(|i| [i as f32, 0.0, 0.0, 0.25]).collect();
        let mut rec = device.record("largest");
        let tree = bvh_balls(&mut rec, &device.upload(&balls, 4).unwrap()).unwrap();
        assert_eq!(tree.shape, BvhShape::Balls);
        rec.finish().unwrap().submit().unwrap();
        let nodes = bits(&tree.nodes);
        let bounds: Vec<f32> = nodes[..6].iter().map(|word| f32::from_bits(*word)).collect();
        assert_eq!(bounds, [-0.25, -0.25, -0.25, most as f32 - 0.75, 0.25, 0.25], "{name}");
        assert_eq!(nodes[nodes.len() - 1], most - 1, "{name}");
        device.trim(0);
    }
}

#[test]
fn a_scan_over_a_live_count_of_none_and_of_all() {
    for n in [1u32, 1_024, 70_000] {
        for count in [0, n] {
            let sum = |upto: u32| (0..upto).fold(0u32, |sum, i| sum.wrapping_add(mixed(i)));
            let total = sum(count);
            let slots = (0..count).fold(0u32, |sum, i| sum.saturating_add(mixed(i)));
            for (name, device) in devices_once() {
                let mut rec = device.record("scan");
                let src = live(device, &up(device, n, mixed).unwrap(), count);
                let scanned = scan(&mut rec, &src, Form::Exclusive).unwrap();
                let longer = expand(&mut rec, &src, 3).unwrap();
                rec.finish().unwrap().submit().unwrap();
                assert_eq!(bits(&scanned.total), [total], "{name}: {count} of {n}");
                assert_eq!(
                    bits(&scanned.dst).last(),
                    Some(&if count == 0 { 0 } else { sum(n - 1) }),
                    "{name}"
                );
                // A count made by a scan of nothing is a live count of 0, and one past a word stays at its greatest.
                assert_eq!(bits(&longer.total), [slots], "{name}: {count} of {n}");
            }
        }
    }
}
