//! Points that read the tiles of a raster.

use zero_compute::kernels::{Lattice, Raster, Share, Tile, grid_sample, raster_sample, raster_sample_all};

use crate::rasters::{raster, tile, upload};
use crate::{Bits, Random, bits, check_all, check_once, devices_once, live, live_counts, sizes};

/// The tiles of a layer of which `whole` holds every cell of the raster, without a border. Past the raster's edge the
/// aprons hold what nobody may read.
fn tiles_of(raster: &Raster, whole: &[f32], lanes: usize) -> Vec<Vec<f32>> {
    let Tile { wide, high, apron } = raster.tile;
    let [count_x, count_z] = [raster.across * wide, raster.down * high].map(i64::from);
    let tile = |number: u32| {
        let first = [number % raster.across * wide, number / raster.across * high].map(i64::from);
        let mut words = Vec::new();
        for z in 0..i64::from(raster.tile.rows()) {
            for x in 0..i64::from(raster.tile.stride()) {
                let (x, z) = (first[0] + x - i64::from(apron), first[1] + z - i64::from(apron));
                let is_there = (0..count_x).contains(&x) && (0..count_z).contains(&z);
                let cell = is_there.then(|| (z * count_x + x) as usize * lanes);
                words.extend((0..lanes).map(|lane| cell.map_or(f32::NAN, |cell| whole[cell + lane])));
            }
        }
        words
    };
    (0..raster.across * raster.down).map(tile).collect()
}

/// Where a point stands on a raster along an axis, in cells, in 64 bits.
fn cells_along(raster: &Raster, axis: usize, position: f32) -> f64 {
    (f64::from(position) - f64::from(raster.origin[axis])) / f64::from(raster.cell[axis])
}

/// What points read of a whole raster, by the definition: where each stands in 64 bits, the blends in 32. And the tile
/// whose interior each stands in.
fn sample(raster: &Raster, whole: &[f32], lanes: usize, points: &[[f32; 2]], share: Share) -> Vec<(u32, Vec<f32>)> {
    let Tile { wide, high, .. } = raster.tile;
    let last = [raster.across * wide - 1, raster.down * high - 1];
    let read = |point: &[f32; 2]| {
        let u = [0, 1].map(|axis: usize| cells_along(raster, axis, point[axis]));
        let own = [0, 1].map(|axis: usize| u[axis].floor().clamp(0.0, f64::from(last[axis])));
        let [x, z] = [0, 1].map(|axis: usize| match share {
            Share::Cell => (own[axis] as usize, own[axis] as usize, 0.0),
            Share::Bilinear => {
                let centre = (u[axis] - 0.5).clamp(0.0, f64::from(last[axis]));
                let low = centre.floor();
                let high = (low + 1.0).min(f64::from(last[axis]));
                (low as usize, high as usize, (centre - low) as f32)
            }
        });
        let value = |x: usize, z: usize, lane: usize| whole[(z * (last[0] as usize + 1) + x) * lanes + lane];
        let blend = |a: f32, b: f32, part: f32| a + (b - a) * part;
        let values = (0..lanes).map(|lane| {
            let row = |z: usize| blend(value(x.0, z, lane), value(x.1, z, lane), x.2);
            blend(row(z.0), row(z.1), z.2)
        });
        let tile = own[1] as u32 / high * raster.across + own[0] as u32 / wide;
        (tile, values.collect())
    };
    points.iter().map(read).collect()
}

/// Points an eighth of a cell apart, so that where they stand is exact; some past the raster on every side.
fn eighths(random: &mut Random, raster: &Raster, n: u32) -> Vec<[f32; 2]> {
    let cells = [raster.across * raster.tile.wide, raster.down * raster.tile.high];
    let mut one = |axis: usize| {
        let eighths = random.below(8 * cells[axis] + 32) as f32 - 16.0;
        raster.origin[axis] + raster.cell[axis] * eighths / 8.0
    };
    (0..n).map(|_| [one(0), one(1)]).collect()
}

/// Two or three lanes of each point: the height between is read by nobody.
fn in_lanes(points: &[[f32; 2]], lanes: u32) -> Vec<f32> {
    let one = |&[x, z]: &[f32; 2]| if lanes == 2 { vec![x, z] } else { vec![x, f32::NAN, z] };
    points.iter().flat_map(one).collect()
}

#[test]
pub(crate) fn points_read_the_cells_around_them_over_tiles() {
    let mut random = Random(138);
    for n in sizes() {
        for (shape, share, across, down) in [
            (tile(7, 5, 0), Share::Cell, 3, 2),
            (tile(7, 5, 0), Share::Bilinear, 1, 1),
            (tile(7, 5, 1), Share::Bilinear, 3, 2),
            (tile(1, 1, 1), Share::Bilinear, 4, 3),
        ] {
            let (raster, lanes, places) = (raster(shape, across, down), 1 + random.below(3), 2 + random.below(2));
            let cells = across * down * shape.wide * shape.high;
            let whole = random.floats(cells * lanes);
            let points = eighths(&mut random, &raster, n);
            let read = sample(&raster, &whole, lanes as usize, &points, share);
            let layers = tiles_of(&raster, &whole, lanes as usize);
            for count in live_counts(n) {
                let zeros = vec![0.0; lanes as usize];
                let expected = read.iter().enumerate();
                let expected: Vec<f32> = expected
                    .flat_map(|(i, (_, own))| if i < count as usize { own } else { &zeros }.clone())
                    .collect();
                let what = format!("{share:?} of {raster:?}, {count} of {n}");
                check_all(&what, &[expected.to_words()], |device, rec| {
                    let layers = upload(device, &layers, lanes);
                    let points = device.upload(&in_lanes(&points, places), places).unwrap();
                    let points = live(device, &points, count);
                    vec![raster_sample_all(rec, &layers, &points, &raster, share).unwrap()]
                });
            }
        }
    }
}

#[test]
fn a_tile_is_read_by_the_points_in_its_interior_alone() {
    let mut random = Random(139);
    let raster = raster(tile(4, 3, 2), 3, 2);
    let whole = random.floats(3 * 2 * 4 * 3 * 2);
    let points = eighths(&mut random, &raster, 3_000);
    for share in [Share::Cell, Share::Bilinear] {
        let read = sample(&raster, &whole, 2, &points, share);
        let layers = tiles_of(&raster, &whole, 2);
        for (number, layer) in (0..).zip(&layers) {
            let before = random.floats(2 * 3_000);
            let expected = read.iter().zip(before.chunks(2)).enumerate();
            let expected: Vec<f32> = expected
                .flat_map(|(i, ((tile, own), stands))| if *tile == number && i < 2_500 { own } else { stands }.to_vec())
                .collect();
            check_once(
                &format!("{share:?} of tile {number}"),
                &[expected.to_words()],
                |device, rec| {
                    let (layer, dst) = (device.upload(layer, 2).unwrap(), device.upload(&before, 2).unwrap());
                    let points = live(device, &device.upload(&points.concat(), 2).unwrap(), 2_500);
                    raster_sample(rec, &layer, &points, &raster, number, &dst, share).unwrap();
                    vec![dst]
                },
            );
        }
    }
}

/// Numbers that have no short form in binary: rounding moves no point off the centre of a cell.
#[test]
fn at_the_centre_of_a_cell_is_its_value() {
    let mut random = Random(140);
    for (origin, cell) in [
        ([-4.0, 16.0], [0.5, 2.0]),
        ([0.1, -77.7], [0.3, 0.07]),
        ([1.0e4, -3.3e3], [1.1, 0.9]),
    ] {
        let raster = Raster {
            origin,
            cell,
            ..raster(tile(5, 6, 1), 4, 3)
        };
        let whole = random.floats(20 * 18);
        let centre = |axis: usize, at: u16| origin[axis] + cell[axis] * (f32::from(at) + 0.5);
        let points: Vec<[f32; 2]> = (0..20 * 18).map(|i| [centre(0, i % 20), centre(1, i / 20)]).collect();
        let layers = tiles_of(&raster, &whole, 1);
        for share in [Share::Cell, Share::Bilinear] {
            check_all(
                &format!("{share:?} at centres of {raster:?}"),
                &[whole.to_words()],
                |device, rec| {
                    let points = device.upload(&points.concat(), 2).unwrap();
                    vec![raster_sample_all(rec, &upload(device, &layers, 1), &points, &raster, share).unwrap()]
                },
            );
        }
    }
}

/// Of a plane, which blends give back, a sample is near the plane wherever it is, on the seams too: no point is left out.
#[test]
fn every_point_is_read_whatever_the_rounding() {
    let mut random = Random(141);
    let raster = Raster {
        origin: [0.1, -77.7],
        cell: [0.3, 0.07],
        ..raster(tile(3, 5, 1), 4, 3)
    };
    let plane = |u: f64, v: f64| 1_000.0 + 10.0 * u + v;
    let whole: Vec<f32> = (0..12 * 15)
        .map(|cell| plane(f64::from(cell % 12), f64::from(cell / 12)) as f32)
        .collect();
    let layers = tiles_of(&raster, &whole, 1);
    let points: Vec<[f32; 2]> = (0..4_000)
        .map(|i| {
            [(0, 12), (1, 15)].map(|(axis, cells): (usize, u32)| {
                let along = match i % 2 {
                    0 => random.below(cells + 1) as f32,
                    _ => random.below(1 << 20) as f32 / (1 << 20) as f32 * cells as f32,
                };
                raster.origin[axis] + raster.cell[axis] * along
            })
        })
        .collect();
    let mut answers: Option<Vec<u32>> = None;
    for (name, device) in devices_once() {
        let mut rec = device.record("every point");
        let points_on = device.upload(&points.concat(), 2).unwrap();
        let layers = upload(device, &layers, 1);
        let read = raster_sample_all(&mut rec, &layers, &points_on, &raster, Share::Bilinear).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let values = read.read::<f32>().unwrap().wait().unwrap();
        for (found, point) in values.iter().zip(&points) {
            let [u, v] = [(0, 11.0), (1, 14.0)]
                .map(|(axis, last): (usize, f64)| (cells_along(&raster, axis, point[axis]) - 0.5).clamp(0.0, last));
            let error = (f64::from(*found) - plane(u, v)).abs();
            assert!(error < 2e-3, "{name}: {found} at {point:?}, {error} off");
        }
        match &answers {
            None => answers = Some(bits(&read)),
            Some(first) => assert!(*first == bits(&read), "{name} gives other bits"),
        }
    }
}

#[test]
fn outside_the_raster_the_nearest_cell_counts() {
    let raster = raster(tile(2, 2, 1), 2, 1); // from -4 to -2 along X, from 16 to 20 along Z
    let whole: Vec<f32> = (0..8u8).map(f32::from).collect();
    let layers = tiles_of(&raster, &whole, 1);
    let points = [
        [-5.0, 0.0],
        [-2.0, 20.0],
        [1.0e30, 17.0],
        [f32::NEG_INFINITY, f32::INFINITY],
        [-3.75, -1.0e30],
        [f32::NAN, f32::NAN],
        [-3.0, 99.0],
    ];
    // Between the two tiles, on their seam, half of each; of the cell the right one.
    for (share, seam) in [(Share::Bilinear, 5.5), (Share::Cell, 6.0)] {
        let expected = [0.0f32, 7.0, 3.0, 4.0, 0.0, 3.0, seam];
        check_all(&format!("{share:?} outside"), &[expected.to_words()], |device, rec| {
            let points = device.upload(&points.concat(), 2).unwrap();
            vec![raster_sample_all(rec, &upload(device, &layers, 1), &points, &raster, share).unwrap()]
        });
    }
}

/// One tile without an apron is the lattice of the centres of its cells.
#[test]
fn a_single_tile_is_read_as_a_lattice_is() {
    let mut random = Random(142);
    let raster = raster(tile(9, 7, 0), 1, 1);
    let whole = random.floats(9 * 7 * 3);
    let points = eighths(&mut random, &raster, 5_000);
    let centres = Lattice {
        counts: [9, 1, 7],
        origin: [raster.origin[0] + 0.25, 0.0, raster.origin[1] + 1.0],
        spacing: [raster.cell[0], 1.0, raster.cell[1]],
    };
    for (name, device) in devices_once() {
        let mut rec = device.record("both");
        let layer = device.upload(&whole, 3).unwrap();
        let points = device.upload(&in_lanes(&points, 3), 3).unwrap();
        let tiles = raster_sample_all(
            &mut rec,
            std::slice::from_ref(&layer),
            &points,
            &raster,
            Share::Bilinear,
        );
        let lattice = grid_sample(&mut rec, &layer, centres, &points).unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert!(bits(&tiles.unwrap()) == bits(&lattice), "{name}");
    }
}
