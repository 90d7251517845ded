//! Values on lattices: read and added to at points.

use zero_compute::kernels::{
    Lattice, LatticeTiles, grid_sample, grid_sample_tiles, grid_splat, grid_splat_tiles, lattice,
};
use zero_compute::{Column, CpuOptions, Device, Element, Error, Result};

use crate::{Bits, Random, check_all, check_once, devices_once, live, live_counts, sizes};

/// A lattice whose numbers are short in binary, so that positions are exact in 64 bits, and values over it.
fn field(counts: [u32; 3], lanes: u32, random: &mut Random) -> (Lattice, Vec<f32>) {
    let lattice = Lattice {
        counts,
        origin: [-1.5, 0.25, 8.0],
        spacing: [0.5, 2.0, 0.125],
    };
    (lattice, random.floats(counts.iter().product::<u32>() * lanes))
}

/// The lattice points around a place along an axis, with their weights, in 64 bits.
fn around(x: f32, origin: f32, spacing: f32, count: u32) -> [(usize, f64); 2] {
    let last = f64::from(count - 1);
    let u = ((f64::from(x) - f64::from(origin)) / f64::from(spacing)).clamp(0.0, last);
    let low = u.floor();
    [
        (low as usize, 1.0 - (u - low)),
        ((low + 1.0).min(last) as usize, u - low),
    ]
}

fn corners(lattice: Lattice, place: &[f32]) -> Vec<(usize, f64)> {
    let [x, y, z] =
        [0, 1, 2].map(|k: usize| around(place[k], lattice.origin[k], lattice.spacing[k], lattice.counts[k]));
    let [count_x, count_y, _] = lattice.counts.map(|count| count as usize);
    let mut corners = Vec::new();
    for (z, share_z) in z {
        for (y, share_y) in y {
            for (x, share_x) in x {
                corners.push(((z * count_y + y) * count_x + x, share_x * share_y * share_z));
            }
        }
    }
    corners
}

/// Places in and around the lattice, to the left and right of it too.
fn places(random: &mut Random, lattice: Lattice, n: u32) -> Vec<f32> {
    let mut one = |k: usize| {
        let width = lattice.spacing[k] * lattice.counts[k] as f32;
        lattice.origin[k] + width * (random.float() * 0.0008 + 0.4)
    };
    (0..3 * n as usize).map(|word| one(word % 3)).collect()
}

const COUNTS: [[u32; 3]; 5] = [[5, 4, 3], [17, 1, 9], [1, 1, 1], [40, 1, 1], [2, 33, 2]];

#[test]
pub(crate) fn at_a_lattice_point_is_its_value() {
    let mut random = Random(91);
    for counts in COUNTS {
        // Numbers that have no short form in binary, too: rounding must not move a point off the lattice.
        for (origin, spacing) in [
            ([-1.5, 0.25, 8.0], [0.5, 2.0, 0.125]),
            ([0.1, -77.7, 1.0e4], [0.3, 0.07, 1.1]),
        ] {
            let shape = Lattice {
                counts,
                origin,
                spacing,
            };
            let values = random.floats(counts.iter().product::<u32>() * 2);
            check_all(&format!("centres of {shape:?}"), &[values.to_words()], |device, rec| {
                let points = lattice(rec, shape).unwrap();
                vec![grid_sample(rec, &device.upload(&values, 2).unwrap(), shape, &points).unwrap()]
            });
        }
    }
}

#[test]
fn between_lattice_points_values_are_blended() {
    let mut random = Random(92);
    for counts in COUNTS {
        let lanes = 1 + random.below(3);
        let (shape, values) = field(counts, lanes, &mut random);
        let points = places(&mut random, shape, 5_000);
        let mut answers: Option<Vec<f32>> = None;
        for (name, device) in devices_once() {
            let mut rec = device.record("blend");
            let (values_on, points_on) = (
                device.upload(&values, lanes).unwrap(),
                device.upload(&points, 3).unwrap(),
            );
            let read = grid_sample(&mut rec, &values_on, shape, &points_on).unwrap();
            rec.finish().unwrap().submit().unwrap();
            let read = read.read::<f32>().unwrap().wait().unwrap();
            for (i, (own, place)) in read.chunks(lanes as usize).zip(points.chunks(3)).enumerate() {
                for (lane, &found) in own.iter().enumerate() {
                    let at = |corner: usize| f64::from(values[corner * lanes as usize + lane]);
                    let expected: f64 = corners(shape, place).iter().map(|&(c, share)| at(c) * share).sum();
                    let error = (f64::from(found) - expected).abs();
                    // A point within the rounding of its position of a lattice point counts as it.
                    let moved = |k: usize| (place[k].abs() + shape.origin[k].abs()) / shape.spacing[k] / 4.0e6;
                    let bound = 2.0e-3 + 2_000.0 * (moved(0) + moved(1) + moved(2));
                    assert!(
                        error < f64::from(bound),
                        "{name}: {i} at {place:?}: {found} for {expected}"
                    );
                }
            }
            match &answers {
                None => answers = Some(read),
                Some(first) => assert_eq!(first.as_slice().to_words(), read.to_words(), "{name} gives other bits"),
            }
        }
    }
}

#[test]
fn outside_the_nearest_lattice_point_counts() {
    let shape = Lattice {
        counts: [2, 2, 2],
        origin: [0.0; 3],
        spacing: [1.0; 3],
    };
    let values: Vec<f32> = (0..8u8).map(f32::from).collect();
    let points = [
        [-5.0, -5.0, -5.0],
        [9.0, -1.0, -1.0],
        [-1.0e30, 1.0e30, 0.0],
        [f32::INFINITY, f32::INFINITY, f32::INFINITY],
        [f32::NAN, 1.0, f32::NEG_INFINITY],
        [0.5, 7.0, 0.0],
    ];
    let expected = [0.0f32, 1.0, 2.0, 7.0, 2.0, 2.5];
    check_all("outside", &[expected.to_words()], |device, rec| {
        let points = device.upload(&points.concat(), 3).unwrap();
        vec![grid_sample(rec, &device.upload(&values, 1).unwrap(), shape, &points).unwrap()]
    });
}

#[test]
fn slots_past_the_live_count_read_and_add_nothing() {
    let mut random = Random(93);
    for n in sizes() {
        // Values that are all the same: any blend of them is exact.
        let shape = Lattice {
            counts: [4, 3, 2],
            ..Lattice::default()
        };
        let points = places(&mut random, shape, n);
        for count in live_counts(n) {
            let read: Vec<f32> = (0..n).map(|i| if i < count { 2.5 } else { 0.0 }).collect();
            check_all(&format!("sample {count} of {n}"), &[read.to_words()], |device, rec| {
                let points = live(device, &device.upload(&points, 3).unwrap(), count);
                vec![grid_sample(rec, &device.upload(&[2.5f32; 24], 1).unwrap(), shape, &points).unwrap()]
            });
        }
    }
}

/// The unit of fixed point that a share rounds to, by its definition: half up.
fn units(share: f32, bits: u32) -> i32 {
    (f64::from(share) * f64::from(1u32 << bits) + 0.5).floor() as i32
}

#[test]
pub(crate) fn splats_are_shared_among_the_points_around() {
    let mut random = Random(94);
    for n in sizes() {
        for counts in [[5, 4, 3], [9, 1, 7]] {
            let lanes = 1 + random.below(2);
            let (shape, before) = field(counts, lanes, &mut random);
            // Eighths of a cell: weights and shares are exact, so that the oracle is.
            let points: Vec<f32> = (0..3 * n as usize)
                .map(|word| {
                    let k = word % 3;
                    shape.origin[k] + shape.spacing[k] * (random.below(8 * counts[k] + 16) as f32 - 8.0) / 8.0
                })
                .collect();
            let values: Vec<f32> = (0..n * lanes)
                .map(|_| random.below(2000) as f32 / 8.0 - 125.0)
                .collect();
            for count in live_counts(n) {
                let mut arrived = vec![0i32; before.len()];
                for (i, place) in points.chunks(3).enumerate().take(count as usize) {
                    for (corner, share) in corners(shape, place) {
                        for lane in 0..lanes as usize {
                            let value = values[i * lanes as usize + lane] * share as f32;
                            arrived[corner * lanes as usize + lane] += units(value, 6);
                        }
                    }
                }
                let after: Vec<f32> = before
                    .iter()
                    .zip(&arrived)
                    .map(|(&stands, &units)| {
                        if units == 0 {
                            stands
                        } else {
                            stands + units as f32 / 64.0
                        }
                    })
                    .collect();
                check_once(&format!("splat {count} of {n}"), &[after.to_words()], |device, rec| {
                    let dst = device.upload(&before, lanes).unwrap();
                    let points = live(device, &device.upload(&points, 3).unwrap(), count);
                    let values = device.upload(&values, lanes).unwrap();
                    grid_splat(rec, &values, &points, shape, &dst, 6).unwrap();
                    vec![dst]
                });
            }
        }
    }
}

#[test]
fn lattices_that_do_not_fit_are_refused() {
    fn invalid<T: std::fmt::Debug>(result: Result<T>) {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    }
    fn misfit<T: std::fmt::Debug>(result: Result<T>) {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::WrongShape { .. }), "{error:?}");
    }
    for (_, device) in devices_once() {
        let mut rec = device.record("refused");
        let shape = Lattice {
            counts: [2, 2, 1],
            ..Lattice::default()
        };
        let (values, points) = (
            device.upload(&[0.0f32; 4], 1).unwrap(),
            device.upload(&[0.0f32; 12], 3).unwrap(),
        );
        for bad in [
            Lattice {
                spacing: [1.0, 0.0, 1.0],
                ..shape
            },
            Lattice {
                spacing: [-1.0, 1.0, 1.0],
                ..shape
            },
            Lattice {
                origin: [f32::NAN, 0.0, 0.0],
                ..shape
            },
            Lattice {
                counts: [4, 0, 1],
                ..shape
            },
        ] {
            invalid(grid_sample(&mut rec, &values, bad, &points));
        }
        invalid(grid_splat(&mut rec, &values, &points, shape, &values.clone(), 31));
        misfit(grid_sample(
            &mut rec,
            &values,
            Lattice {
                counts: [5, 1, 1],
                ..shape
            },
            &points,
        ));
        misfit(grid_sample(&mut rec, &values, shape, &values));
        let (pairs, dst) = (
            device.upload(&[0.0f32; 8], 2).unwrap(),
            device.upload(&[0.0f32; 4], 1).unwrap(),
        );
        misfit(grid_splat(&mut rec, &pairs, &points, shape, &dst, 8));
        let short = device.upload(&[0.0f32; 3], 1).unwrap();
        misfit(grid_splat(&mut rec, &short, &points, shape, &dst, 8));
    }
}

/// The words of each tile, of a field over the whole lattice.
fn cut(tiles: &LatticeTiles, values: &[f32], lanes: u32) -> Vec<Vec<f32>> {
    let [wide, high, _] = tiles.whole.counts;
    let of = |tile: u32| {
        let ([x, y, z], [size_x, size_y, size_z]) = (tiles.first(tile), tiles.points(tile));
        let mut words = Vec::new();
        for row in (z..z + size_z).flat_map(|z| (y..y + size_y).map(move |y| z * high + y)) {
            let first = ((row * wide + x) * lanes) as usize;
            words.extend_from_slice(&values[first..first + (size_x * lanes) as usize]);
        }
        words
    };
    (0..tiles.tiles() as u32).map(of).collect()
}

const CUTS: [([u32; 3], [u32; 3]); 6] = [
    ([5, 4, 3], [2, 2, 2]),
    ([5, 4, 3], [4, 3, 2]),
    ([9, 1, 7], [3, 1, 4]),
    ([2, 2, 2], [7, 7, 7]),
    ([1, 1, 1], [1, 1, 1]),
    ([6, 5, 4], [1, 1, 1]),
];

#[test]
fn a_lattice_in_tiles_has_each_point_in_the_tiles_whose_cells_touch_it() {
    let tiles = LatticeTiles {
        whole: Lattice {
            counts: [6, 3, 1],
            ..Lattice::default()
        },
        cells: [2, 2, 5],
    };
    assert_eq!((tiles.across(), tiles.tiles()), ([3, 1, 1], 3));
    let firsts: Vec<_> = (0..3).map(|tile| (tiles.first(tile), tiles.points(tile))).collect();
    assert_eq!(
        firsts,
        [([0, 0, 0], [3, 3, 1]), ([2, 0, 0], [3, 3, 1]), ([4, 0, 0], [2, 3, 1])]
    );
}

#[test]
pub(crate) fn tiles_are_read_and_added_to_as_the_whole_lattice_is() {
    let mut random = Random(95);
    let reference = Device::cpu(CpuOptions::default());
    for n in [1, 257, 1_000] {
        for (counts, cells) in CUTS {
            let lanes = 1 + random.below(3);
            let (whole, before) = field(counts, lanes, &mut random);
            let tiles = LatticeTiles { whole, cells };
            // Half of the places are lattice points, those between tiles among them.
            let points: Vec<f32> = places(&mut random, whole, n)
                .into_iter()
                .enumerate()
                .map(|(word, place)| match random.below(2) {
                    0 => place,
                    _ => whole.origin[word % 3] + whole.spacing[word % 3] * random.below(counts[word % 3]) as f32,
                })
                .collect();
            let values = random.floats(n * lanes);
            for count in live_counts(n) {
                // What the whole lattice answers is held to an oracle above.
                let mut rec = reference.record("whole");
                let places = live(&reference, &reference.upload(&points, 3).unwrap(), count);
                let (field, dst) = (
                    reference.upload(&before, lanes).unwrap(),
                    reference.upload(&before, lanes).unwrap(),
                );
                let read = grid_sample(&mut rec, &field, whole, &places).unwrap();
                grid_splat(
                    &mut rec,
                    &reference.upload(&values, lanes).unwrap(),
                    &places,
                    whole,
                    &dst,
                    12,
                )
                .unwrap();
                rec.finish().unwrap().submit().unwrap();
                let sum: Vec<f32> = dst.read().unwrap().wait().unwrap();
                let mut expected = vec![crate::bits(&read)];
                expected.extend(cut(&tiles, &sum, lanes).iter().map(|words| words.to_words()));
                check_once(
                    &format!("{count} of {n} in {counts:?} by {cells:?}"),
                    &expected,
                    |device, rec| {
                        let up = |words: &Vec<f32>| device.upload(words, lanes).unwrap();
                        let layers: Vec<Column> = cut(&tiles, &before, lanes).iter().map(up).collect();
                        let places = live(device, &device.upload(&points, 3).unwrap(), count);
                        let read = grid_sample_tiles(rec, &layers, &tiles, &places).unwrap();
                        grid_splat_tiles(rec, &up(&values), &places, &tiles, &layers, 12).unwrap();
                        let mut answers = vec![read];
                        answers.extend(layers);
                        answers
                    },
                );
            }
        }
    }
}

#[test]
fn tiles_that_do_not_fit_are_refused() {
    let device = Device::cpu(CpuOptions::default());
    let whole = Lattice {
        counts: [3, 2, 1],
        ..Lattice::default()
    };
    let tiles = LatticeTiles {
        whole,
        cells: [1, 1, 1],
    };
    let column = |n: u32, lanes: u32| device.column(Element::F32, lanes, n).unwrap();
    let points = column(4, 3);
    let mut rec = device.record("refused");
    let mut of = |tiles: LatticeTiles, layers: &[Column]| {
        let values = column(4, layers.first().map_or(1, Column::lanes));
        let read = grid_sample_tiles(&mut rec, layers, &tiles, &points).map(drop);
        let splat = grid_splat_tiles(&mut rec, &values, &points, &tiles, layers, 8);
        assert_eq!(read.is_ok(), splat.is_ok());
        read
    };
    assert_eq!(of(tiles, &[column(4, 1), column(4, 1)]), Ok(()));
    let invalid = |error: Result<()>| assert!(matches!(error, Err(Error::Invalid { .. })), "{error:?}");
    invalid(of(tiles, &[column(4, 1)]));
    invalid(of(tiles, &[]));
    invalid(of(
        LatticeTiles {
            cells: [1, 0, 1],
            ..tiles
        },
        &[column(4, 1), column(4, 1)],
    ));
    for layers in [[column(4, 1), column(3, 1)], [column(4, 1), column(4, 2)]] {
        let error = of(tiles, &layers);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{error:?}");
    }
}
