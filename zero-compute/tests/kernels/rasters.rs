//! Tiles of rasters against one whole field.

use zero_compute::kernels::{
    Edge, Lattice, Raster, Share, Tile, grid_sample, raster_accumulate, raster_apply, raster_apron, raster_clear,
    raster_copy, raster_edge_add, raster_exchange, raster_resolve, raster_restore, raster_sample, raster_sample_all,
    raster_splat, raster_stencil,
};
use zero_compute::{Column, Device, Error, Result};

use crate::{Bits, Random, bits, check_all, check_once, devices_once, live, live_counts, sizes};

const TILES: [Tile; 6] = [
    tile(1, 1, 0),
    tile(1, 1, 1),
    tile(5, 3, 2),
    tile(3, 7, 3),
    tile(16, 16, 1),
    tile(64, 33, 4),
];

const fn tile(wide: u32, high: u32, apron: u32) -> Tile {
    Tile { wide, high, apron }
}

fn raster(tile: Tile, across: u32, down: u32) -> Raster {
    Raster {
        tile,
        across,
        down,
        origin: [-4.0, 16.0],
        cell: [0.5, 2.0],
    }
}

/// A whole field of `lanes` words a cell, its border as wide as the apron, X fastest.
struct Field {
    raster: Raster,
    lanes: usize,
}

impl Field {
    fn wide(&self) -> usize {
        (self.raster.across * self.raster.tile.wide + 2 * self.raster.tile.apron) as usize
    }
    fn high(&self) -> usize {
        (self.raster.down * self.raster.tile.high + 2 * self.raster.tile.apron) as usize
    }
    fn words(&self) -> usize {
        self.wide() * self.high() * self.lanes
    }

    /// For each word of a tile its word of the field.
    fn places(&self, number: u32) -> Vec<usize> {
        let Tile { wide, high, .. } = self.raster.tile;
        let first = [
            (number % self.raster.across * wide) as usize,
            (number / self.raster.across * high) as usize,
        ];
        let mut places = Vec::new();
        for z in 0..self.raster.tile.rows() as usize {
            for x in 0..self.raster.tile.stride() as usize {
                let cell = (first[1] + z) * self.wide() + first[0] + x;
                places.extend((0..self.lanes).map(|lane| cell * self.lanes + lane));
            }
        }
        places
    }

    /// Whether each word of a tile is of a cell that this tile, another one, or none owns.
    fn owners(&self, number: u32) -> Vec<Option<bool>> {
        let Tile { wide, high, apron } = self.raster.tile;
        let [column, row] = [number % self.raster.across, number / self.raster.across];
        let mut owners = Vec::new();
        for z in 0..self.raster.tile.rows() {
            for x in 0..self.raster.tile.stride() {
                let inside = (apron..apron + wide).contains(&x) && (apron..apron + high).contains(&z);
                let on_field = (apron..apron + self.raster.across * wide).contains(&(x + column * wide))
                    && (apron..apron + self.raster.down * high).contains(&(z + row * high));
                let owner = on_field.then_some(inside);
                owners.extend((0..self.lanes).map(|_| owner));
            }
        }
        owners
    }
}

fn upload(device: &Device, layers: &[Vec<f32>], lanes: u32) -> Vec<Column> {
    layers
        .iter()
        .map(|words| device.upload(words, lanes).unwrap())
        .collect()
}

fn upload_units(device: &Device, layers: &[Vec<i32>], lanes: u32) -> Vec<Column> {
    layers
        .iter()
        .map(|words| device.upload(words, lanes).unwrap())
        .collect()
}

#[test]
pub(crate) fn aprons_are_what_their_owners_hold() {
    let mut random = Random(131);
    for shape in TILES {
        for (across, down, lanes) in [(1, 1, 1), (2, 1, 3), (3, 4, 2)] {
            let field = Field {
                raster: raster(shape, across, down),
                lanes,
            };
            let whole = random.floats(field.words() as u32);
            let tiles = 0..across * down;
            // Interiors of one field, aprons of anything; past the field's edge they stand.
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for number in tiles {
                let (places, owners) = (field.places(number), field.owners(number));
                let stale = random.floats(places.len() as u32);
                let pick = |keep: &dyn Fn(Option<bool>) -> bool| -> Vec<f32> {
                    let words = places.iter().zip(&owners).zip(&stale);
                    words
                        .map(|((&at, &owner), &stale)| if keep(owner) { whole[at] } else { stale })
                        .collect()
                };
                before.push(pick(&|owner| owner == Some(true)));
                after.push(pick(&|owner| owner.is_some()));
            }
            let expected: Vec<Vec<u32>> = after.iter().map(|words| words.to_words()).collect();
            check_all(&format!("aprons of {:?}", field.raster), &expected, |device, rec| {
                let layer = upload(device, &before, lanes as u32);
                let pairs = raster_exchange(rec, &field.raster, &layer, None).unwrap();
                assert_eq!(pairs, field.raster.pairs(None).unwrap().len());
                layer
            });
        }
    }
}

#[test]
fn only_pairs_that_touch_the_work_are_exchanged() {
    let raster = raster(tile(4, 4, 1), 3, 3);
    assert_eq!(raster.pairs(None).unwrap().len(), 4 * 3 + 4 * 5 + 8);
    // The middle tile has eight neighbours, and each of them has it; a corner tile has three.
    assert_eq!(raster.pairs(Some(&[4])).unwrap().len(), 16);
    assert_eq!(raster.pairs(Some(&[0])).unwrap().len(), 6);
    assert_eq!(raster.pairs(Some(&[])).unwrap().len(), 0);
    let error = raster.pairs(Some(&[9])).unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    let vast = Raster {
        across: 1 << 12,
        down: (1 << 12) + 1,
        ..raster
    };
    let error = vast.pairs(Some(&[])).unwrap_err();
    let Error::TooMany { found, limit, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!((found, limit), ((1 << 24) + (1 << 12), 1 << 24));
    for (name, device) in devices_once() {
        let layers: Vec<Vec<f32>> = (0..9u8).map(|tile| vec![f32::from(tile); 36]).collect();
        let layer = upload(device, &layers, 1);
        let mut rec = device.record("work");
        assert_eq!(raster_exchange(&mut rec, &raster, &layer, Some(&[0])).unwrap(), 6);
        rec.finish().unwrap().submit().unwrap();
        let [first, second, last] = [0, 1, 8].map(|at: usize| layer[at].read::<f32>().unwrap().wait().unwrap());
        // The right band of the first tile is the second's, the left band of the second the first's.
        assert_eq!((first[11], second[6], second[11]), (1.0, 0.0, 1.0), "{name}");
        assert_eq!(last, layers[8], "{name}");
    }
}

#[test]
pub(crate) fn what_falls_into_aprons_reaches_the_owner_once() {
    let mut random = Random(132);
    for shape in TILES {
        for (across, down, lanes) in [(1, 1, 1), (3, 2, 2)] {
            let field = Field {
                raster: raster(shape, across, down),
                lanes,
            };
            let ground = random.floats(field.words() as u32);
            // Units that each tile gathered for a cell of the field, its own or one of its apron.
            let (mut gathered, mut sums) = (Vec::new(), vec![0i32; field.words()]);
            for number in 0..across * down {
                let units: Vec<i32> = (0..field.places(number).len())
                    .map(|_| (random.word() as i32 >> random.below(20)) * i32::from(random.below(3) > 0))
                    .collect();
                for (&at, &units) in field.places(number).iter().zip(&units) {
                    sums[at] = sums[at].wrapping_add(units);
                }
                gathered.push(units);
            }
            let settled = |stands: f32, units: i32| {
                if units == 0 {
                    stands
                } else {
                    stands + (f64::from(units) as f32) / 65536.0
                }
            };
            let mut expected = Vec::new();
            let mut layers = Vec::new();
            for number in 0..across * down {
                let (places, owners) = (field.places(number), field.owners(number));
                layers.push(places.iter().map(|&at| ground[at]).collect::<Vec<f32>>());
                let words = places.iter().zip(&owners).zip(&gathered[number as usize]);
                let after: Vec<f32> = words
                    .map(|((&at, owner), &own)| settled(ground[at], if owner.is_some() { sums[at] } else { own }))
                    .collect();
                expected.push(after.to_words());
            }
            let cleared = gathered.iter().map(|units| vec![0; units.len()]);
            let expected: Vec<Vec<u32>> = expected.into_iter().chain(cleared).collect();
            check_once(&format!("resolved {:?}", field.raster), &expected, |device, rec| {
                let layer = upload(device, &layers, lanes as u32);
                let delta = upload_units(device, &gathered, lanes as u32);
                raster_resolve(rec, &field.raster, &layer, &delta, None).unwrap();
                layer.into_iter().chain(delta).collect()
            });
        }
    }
}

#[test]
fn resolving_some_tiles_takes_their_neighbours_along() {
    let raster = raster(tile(4, 4, 1), 3, 1);
    for (name, device) in devices_once() {
        let layer = upload(device, &vec![vec![0.0; 36]; 3], 1);
        let mut units = vec![vec![0; 36]; 3];
        // A cell of the first tile's right apron, which is the second's first column.
        units[0][2 * 6 + 5] = 65536;
        let delta = upload_units(device, &units, 1);
        let mut rec = device.record("some");
        // A pair each way to add, two tiles to settle, and the four pairs that touch them.
        assert_eq!(
            raster_resolve(&mut rec, &raster, &layer, &delta, Some(&[0])).unwrap(),
            2 + 2 + 4
        );
        rec.finish().unwrap().submit().unwrap();
        let read = |at: usize| layer[at].read::<f32>().unwrap().wait().unwrap();
        let (first, second) = (read(0), read(1));
        assert_eq!((first[2 * 6 + 5], second[2 * 6 + 1]), (1.0, 1.0), "{name}");
        assert_eq!(second.iter().sum::<f32>(), 1.0, "{name}");
    }
}

/// The sums of a stencil by its definition, in the order that its page states.
fn stencil(src: &[f32], lanes: usize, shape: Tile, weights: &[f32], radius: i32, edge: Edge) -> Vec<f32> {
    let (stride, rows, apron) = (shape.stride() as i32, shape.rows() as i32, shape.apron as i32);
    let mut dst = src.to_vec();
    for z in apron..rows - apron {
        for x in apron..stride - apron {
            for lane in 0..lanes {
                let mut sum = 0.0f32;
                let mut weights = weights.iter();
                for down in -radius..=radius {
                    for across in -radius..=radius {
                        let (mut x, mut z) = (x + across, z + down);
                        if edge == Edge::Clamp {
                            x = x.clamp(apron, stride - apron - 1);
                            z = z.clamp(apron, rows - apron - 1);
                        }
                        sum += weights.next().unwrap() * src[(z * stride + x) as usize * lanes + lane];
                    }
                }
                dst[(z * stride + x) as usize * lanes + lane] = sum;
            }
        }
    }
    dst
}

#[test]
pub(crate) fn stencils_weigh_the_cells_around() {
    let mut random = Random(133);
    let wide = [tile(200, 170, 2), tile(700, 5, 1)];
    for shape in TILES.into_iter().chain(wide) {
        for (lanes, radius, edge) in [
            (1, 0, Edge::Apron),
            (1, 1, Edge::Apron),
            (3, 2, Edge::Apron),
            (1, 1, Edge::Clamp),
            (2, 3, Edge::Clamp),
            (1, 9, Edge::Clamp),
        ] {
            if edge == Edge::Apron && radius > shape.apron {
                continue;
            }
            let src = random.floats(shape.cells() as u32 * lanes);
            let weights = random.floats((2 * radius + 1) * (2 * radius + 1));
            let expected = stencil(&src, lanes as usize, shape, &weights, radius as i32, edge);
            let what = format!("stencil of {radius}, {edge:?}, {shape:?}");
            check_all(&what, &[expected.to_words()], |device, rec| {
                let (src, weights) = (device.upload(&src, lanes).unwrap(), device.upload(&weights, 1).unwrap());
                vec![raster_stencil(rec, &src, shape, &weights, radius, edge).unwrap()]
            });
        }
    }
}

#[test]
fn a_stencil_over_tiles_is_that_over_the_whole_field() {
    let mut random = Random(134);
    let field = Field {
        raster: raster(tile(9, 8, 2), 3, 2),
        lanes: 1,
    };
    let whole = random.floats(field.words() as u32);
    let weights = random.floats(25);
    let all = tile(27, 16, 2);
    let steps = 3;
    let mut expected = whole.clone();
    for _ in 0..steps {
        expected = stencil(&expected, 1, all, &weights, 2, Edge::Apron);
    }
    let pick = |from: &[f32], number| field.places(number).iter().map(|&at| from[at]).collect::<Vec<f32>>();
    let layers: Vec<Vec<f32>> = (0..6).map(|number| pick(&whole, number)).collect();
    let expected: Vec<Vec<u32>> = (0..6).map(|number| pick(&expected, number).to_words()).collect();
    check_all("steps over tiles", &expected, |device, rec| {
        let mut layer = upload(device, &layers, 1);
        let weights = device.upload(&weights, 1).unwrap();
        for _ in 0..steps {
            let next = layer
                .iter()
                .map(|src| raster_stencil(rec, src, field.raster.tile, &weights, 2, Edge::Apron));
            layer = next.collect::<Result<_>>().unwrap();
            raster_exchange(rec, &field.raster, &layer, None).unwrap();
        }
        layer
    });
}

/// A unit of fixed point by its definition: half up.
fn units(value: f64) -> i32 {
    (value * 65536.0 + 0.5).floor() as i32
}

#[test]
pub(crate) fn values_gather_in_the_cells_they_name() {
    let mut random = Random(135);
    for n in sizes() {
        let (cells, lanes) = (50u32, 1 + random.below(2));
        let values: Vec<f32> = (0..n * lanes)
            .map(|_| random.below(4000) as f32 / 64.0 - 30.0)
            .collect();
        let index: Vec<i32> = (0..n).map(|_| random.below(cells + 2) as i32 - 1).collect();
        let before = random.ints(cells * lanes);
        for count in live_counts(n) {
            let mut after = before.clone();
            for (i, &cell) in index.iter().enumerate().take(count as usize) {
                for lane in 0..lanes as usize {
                    if (0..cells as i32).contains(&cell) {
                        let at = cell as usize * lanes as usize + lane;
                        let value = values[i * lanes as usize + lane];
                        after[at] = after[at].wrapping_add(units(f64::from(value)));
                    }
                }
            }
            check_once(&format!("cells {count} of {n}"), &[after.to_words()], |device, rec| {
                let delta = device.upload(&before, lanes).unwrap();
                let index = live(device, &device.upload(&index, 1).unwrap(), count);
                raster_accumulate(rec, &device.upload(&values, lanes).unwrap(), &index, &delta).unwrap();
                vec![delta]
            });
        }
    }
}

#[test]
fn a_tile_of_no_cells_gathers_nothing() {
    for (name, device) in devices_once() {
        let mut rec = device.record("nothing");
        let values = device.upload(&[1.0f32, 2.0, 3.0], 1).unwrap();
        let cells = device.upload(&[0, 1, -1], 1).unwrap();
        let delta = device.upload::<i32>(&[], 1).unwrap();
        raster_accumulate(&mut rec, &values, &cells, &delta).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!(list.dispatches(), 0, "{name}");
        list.submit().unwrap();
        assert!(delta.read::<i32>().unwrap().wait().unwrap().is_empty(), "{name}");
    }
}

/// What points give to each stored cell of a tile, by the definition, in 64 bits.
fn splat(raster: &Raster, number: u32, points: &[f32], values: &[f32], lanes: usize, share: Share) -> Vec<i32> {
    let Tile { wide, high, apron } = raster.tile;
    let first = [number % raster.across * wide, number / raster.across * high].map(f64::from);
    let (stride, rows) = (i64::from(raster.tile.stride()), i64::from(raster.tile.rows()));
    let mut delta = vec![0i32; raster.tile.cells() as usize * lanes];
    for (point, values) in points.chunks(3).zip(values.chunks(lanes)) {
        let u = [0, 1].map(|axis: usize| {
            (f64::from(point[2 * axis]) - f64::from(raster.origin[axis])) / f64::from(raster.cell[axis])
        });
        let own = [u[0] - first[0], u[1] - first[1]];
        if own[0] < 0.0 || own[1] < 0.0 || own[0] >= f64::from(wide) || own[1] >= f64::from(high) {
            continue;
        }
        let around = |at: f64| match share {
            Share::Cell => vec![(at.floor(), 1.0)],
            Share::Bilinear => {
                let low = (at - 0.5).floor();
                vec![(low, low + 1.5 - at), (low + 1.0, at - 0.5 - low)]
            }
        };
        for (z, share_z) in around(own[1]) {
            for (x, share_x) in around(own[0]) {
                let (x, z) = (x as i64 + i64::from(apron), z as i64 + i64::from(apron));
                if x < 0 || z < 0 || x >= stride || z >= rows {
                    continue;
                }
                for (lane, value) in values.iter().enumerate() {
                    let at = (z * stride + x) as usize * lanes + lane;
                    delta[at] = delta[at].wrapping_add(units(f64::from(*value) * share_x * share_z));
                }
            }
        }
    }
    delta
}

#[test]
pub(crate) fn points_give_to_the_cells_around_them() {
    let mut random = Random(136);
    for n in sizes() {
        for (shape, share) in [
            (tile(7, 5, 0), Share::Cell),
            (tile(7, 5, 2), Share::Cell),
            (tile(7, 5, 1), Share::Bilinear),
            (tile(1, 1, 1), Share::Bilinear),
        ] {
            let (raster, lanes) = (raster(shape, 3, 2), 1 + random.below(2));
            // Eighths of a cell, so that the oracle is exact; some past the raster.
            let points: Vec<f32> = (0..n)
                .flat_map(|_| {
                    let mut along = |axis: usize, cells: u32| {
                        let eighths = random.below(8 * cells + 32) as f32 - 16.0;
                        raster.origin[axis] + raster.cell[axis] * eighths / 8.0
                    };
                    [along(0, 3 * shape.wide), 1.0e9, along(1, 2 * shape.high)]
                })
                .collect();
            let values: Vec<f32> = (0..n * lanes)
                .map(|_| random.below(2000) as f32 / 8.0 - 125.0)
                .collect();
            for count in live_counts(n) {
                let front = count.min(n) as usize;
                let expected: Vec<Vec<u32>> = (0..6)
                    .map(|number| {
                        let (points, values) = (&points[..3 * front], &values[..front * lanes as usize]);
                        splat(&raster, number, points, values, lanes as usize, share).to_words()
                    })
                    .collect();
                check_once(&format!("{share:?} {count} of {n}"), &expected, |device, rec| {
                    let points = live(device, &device.upload(&points, 3).unwrap(), count);
                    let values = device.upload(&values, lanes).unwrap();
                    let zeros = vec![vec![0; (shape.cells() as u32 * lanes) as usize]; 6];
                    let delta = upload_units(device, &zeros, lanes);
                    for (number, delta) in (0..).zip(&delta) {
                        raster_splat(rec, &values, &points, &raster, number, delta, share).unwrap();
                    }
                    delta
                });
            }
        }
    }
}

/// Numbers with no short form in binary: every point of the field counts in one tile, and all of it arrives.
#[test]
fn every_point_counts_once_whatever_the_rounding() {
    let mut random = Random(137);
    let raster = Raster {
        origin: [0.1, -77.7],
        cell: [0.3, 0.07],
        ..raster(tile(3, 5, 1), 4, 3)
    };
    // Points on the seams too, and 4 000 anywhere on the raster, in 2 lanes.
    let mut points = Vec::new();
    for i in 0..4_000 {
        for (axis, cells) in [(0, 12), (1, 15)] {
            let along = if i % 2 == 0 {
                random.below(cells) as f32
            } else {
                random.below(1 << 20) as f32 / (1 << 20) as f32 * (cells as f32 - 0.01)
            };
            points.push(raster.origin[axis] + raster.cell[axis] * along + 1e-4 * raster.cell[axis]);
        }
    }
    for share in [Share::Cell, Share::Bilinear] {
        let mut answers: Option<Vec<Vec<u32>>> = None;
        for (name, device) in devices_once() {
            let mut rec = device.record("once");
            let points = device.upload(&points, 2).unwrap();
            let values = device.upload(&[16.0f32; 4_000], 1).unwrap();
            let delta = upload_units(device, &vec![vec![0; 5 * 7]; 12], 1);
            for (number, delta) in (0..).zip(&delta) {
                raster_splat(&mut rec, &values, &points, &raster, number, delta, share).unwrap();
            }
            rec.finish().unwrap().submit().unwrap();
            let found: Vec<Vec<u32>> = delta.iter().map(bits).collect();
            let sum: i64 = found.iter().flatten().map(|&units| i64::from(units as i32)).sum();
            let all = 4_000 * 16 * 65536i64;
            // Each of four shares rounds to half a unit.
            let slack = if share == Share::Cell { 0 } else { 4_000 * 2 };
            assert!((sum - all).abs() <= slack, "{share:?} on {name}: {sum} of {all}");
            match &answers {
                None => answers = Some(found),
                Some(first) => assert!(*first == found, "{name} gives other bits"),
            }
        }
    }
}

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

#[test]
pub(crate) fn layers_are_kept_put_back_and_cleared() {
    for (name, device) in devices_once() {
        let layers = upload(device, &[vec![1.0; 35], vec![2.0; 35]], 1);
        let mut rec = device.record("keep");
        let kept = raster_copy(&mut rec, &layers).unwrap();
        raster_clear(&mut rec, &layers).unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert!(layers.iter().all(|layer| bits(layer) == vec![0; 35]), "{name}");
        let mut rec = device.record("restore");
        raster_restore(&mut rec, &kept, &layers).unwrap();
        let short = device.upload(&[0.0f32; 34], 1).unwrap();
        let error = raster_restore(&mut rec, &[short], &kept[..1]);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let error = raster_restore(&mut rec, &kept, &layers[..1]);
        assert!(matches!(error, Err(Error::Invalid { .. })), "{name}: {error:?}");
        rec.finish().unwrap().submit().unwrap();
        let read = |column: &Column| column.read::<f32>().unwrap().wait().unwrap();
        assert_eq!(
            (read(&layers[0]), read(&layers[1])),
            (vec![1.0; 35], vec![2.0; 35]),
            "{name}"
        );
    }
}

#[test]
fn tiles_that_do_not_fit_are_refused() {
    fn invalid<T: std::fmt::Debug>(result: Result<T>) {
        assert!(matches!(result, Err(Error::Invalid { .. })), "{result:?}");
    }
    fn misfit<T: std::fmt::Debug>(result: Result<T>) {
        assert!(matches!(result, Err(Error::WrongShape { .. })), "{result:?}");
    }
    fn other<T: std::fmt::Debug>(result: Result<T>) {
        assert!(matches!(result, Err(Error::WrongElement { .. })), "{result:?}");
    }
    for (_, device) in devices_once() {
        let rec = &mut device.record("refused");
        let (shape, two) = (tile(3, 2, 1), raster(tile(3, 2, 1), 2, 1));
        let floats = |n: usize, lanes| device.upload(&vec![0.0f32; n], lanes).unwrap();
        let ints = |n: usize, lanes| device.upload(&vec![0i32; n], lanes).unwrap();
        let (a, b) = (floats(20, 1), floats(20, 1));
        for side in [[0, 0], [2, 0], [0, -2]] {
            invalid(raster_apron(rec, &a, &b, shape, side));
        }
        let thin = tile(1, 1, 2);
        invalid(raster_apron(rec, &floats(25, 1), &floats(25, 1), thin, [1, 0]));
        misfit(raster_apron(rec, &a, &floats(19, 1), shape, [1, 0]));
        misfit(raster_apron(rec, &a, &floats(40, 2), shape, [1, 0]));
        other(raster_apron(rec, &a, &ints(20, 1), shape, [1, 0]));
        other(raster_edge_add(rec, &a, &b, shape, [1, 0]));
        misfit(raster_apply(rec, &ints(19, 1), &a));
        other(raster_apply(rec, &b, &a));
        invalid(raster_exchange(rec, &two, std::slice::from_ref(&a), None));
        invalid(raster_exchange(rec, &two, &[a.clone(), b.clone()], Some(&[2])));
        misfit(raster_resolve(
            rec,
            &two,
            &[a.clone(), b.clone()],
            &[ints(20, 1), ints(21, 1)],
            None,
        ));

        let weights = floats(9, 1);
        misfit(raster_stencil(rec, &a, shape, &floats(8, 1), 1, Edge::Apron));
        misfit(raster_stencil(rec, &floats(21, 1), shape, &weights, 1, Edge::Apron));
        invalid(raster_stencil(rec, &a, shape, &floats(25, 1), 2, Edge::Apron));
        invalid(raster_stencil(rec, &a, shape, &weights, 33, Edge::Clamp));
        other(raster_stencil(rec, &ints(20, 1), shape, &weights, 1, Edge::Apron));

        // Tiles of more cells than 32 bits count.
        for huge in [tile(70_000, 70_000, 70_000), tile(u32::MAX, u32::MAX, u32::MAX)] {
            for side in [[1, 1], [-1, 0], [0, 1]] {
                misfit(raster_apron(rec, &a, &b, huge, side));
                misfit(raster_edge_add(rec, &ints(20, 1), &ints(20, 1), huge, side));
            }
            misfit(raster_stencil(rec, &a, huge, &weights, 1, Edge::Apron));
        }

        misfit(raster_accumulate(rec, &floats(4, 1), &ints(3, 1), &ints(20, 1)));
        misfit(raster_accumulate(rec, &floats(6, 2), &ints(3, 1), &ints(20, 1)));
        other(raster_accumulate(rec, &floats(3, 1), &ints(3, 1), &floats(0, 1)));
        other(raster_accumulate(rec, &ints(3, 1), &ints(3, 1), &ints(0, 1)));
        other(raster_accumulate(rec, &floats(3, 1), &floats(3, 1), &ints(0, 1)));
        let (values, points, delta) = (floats(3, 1), floats(9, 3), ints(20, 1));
        for bad in [
            Raster {
                origin: [f32::NAN, 0.0],
                ..two
            },
            Raster {
                cell: [0.0, 1.0],
                ..two
            },
            Raster {
                cell: [1.0, -1.0],
                ..two
            },
            Raster { across: 1 << 23, ..two },
        ] {
            invalid(raster_splat(rec, &values, &points, &bad, 0, &delta, Share::Cell));
        }
        invalid(raster_splat(rec, &values, &points, &two, 2, &delta, Share::Cell));
        let bare = raster(tile(3, 2, 0), 2, 1);
        invalid(raster_splat(
            rec,
            &values,
            &points,
            &bare,
            0,
            &ints(6, 1),
            Share::Bilinear,
        ));
        misfit(raster_splat(rec, &values, &floats(3, 1), &two, 0, &delta, Share::Cell));
        misfit(raster_splat(rec, &values, &points, &two, 0, &ints(19, 1), Share::Cell));
        misfit(raster_splat(rec, &floats(6, 2), &points, &two, 0, &delta, Share::Cell));
        other(raster_splat(rec, &values, &points, &two, 0, &a, Share::Cell));

        let sample = |rec: &mut _, layer: &Column, points: &Column, of: &Raster, number, dst: &Column| {
            raster_sample(rec, layer, points, of, number, dst, Share::Bilinear)
        };
        let vast = Raster { across: 1 << 23, ..two };
        for bad in [
            Raster {
                origin: [0.0, f32::INFINITY],
                ..two
            },
            Raster {
                cell: [f32::NAN, 1.0],
                ..two
            },
            vast,
        ] {
            invalid(sample(rec, &a, &points, &bad, 0, &values));
        }
        invalid(sample(rec, &a, &points, &two, 2, &values));
        invalid(sample(rec, &floats(6, 1), &points, &bare, 0, &values));
        misfit(sample(rec, &a, &floats(3, 1), &two, 0, &values));
        misfit(sample(rec, &floats(19, 1), &points, &two, 0, &values));
        misfit(sample(rec, &a, &points, &two, 0, &floats(4, 1)));
        misfit(sample(rec, &a, &points, &two, 0, &floats(6, 2)));
        other(sample(rec, &ints(20, 1), &points, &two, 0, &values));
        other(sample(rec, &a, &ints(9, 3), &two, 0, &values));
        other(sample(rec, &a, &points, &two, 0, &ints(3, 1)));
        let all =
            |rec: &mut _, layers: &[Column], of: &Raster| raster_sample_all(rec, layers, &points, of, Share::Bilinear);
        invalid(all(rec, std::slice::from_ref(&a), &two));
        invalid(all(rec, &[], &Raster { down: 0, ..two }));
        misfit(all(rec, &[a.clone(), floats(21, 1)], &two));
        misfit(all(rec, &[a.clone(), floats(40, 2)], &two));
        other(all(rec, &[a.clone(), ints(20, 1)], &two));
    }
}

#[test]
fn tiles_take_every_cell_whatever_the_live_count() {
    let shape = tile(3, 2, 1);
    for (name, device) in devices_once() {
        let mut rec = device.record("every cell");
        let words: Vec<f32> = (0..20u8).map(f32::from).collect();
        let layer = live(device, &device.upload(&words, 1).unwrap(), 2);
        let twice = device.upload(&[2.0f32], 1).unwrap();
        let sums = raster_stencil(&mut rec, &layer, shape, &twice, 0, Edge::Apron).unwrap();
        let ground = live(device, &device.upload(&words, 1).unwrap(), 2);
        let delta = live(device, &device.upload(&[65536; 20], 1).unwrap(), 2);
        raster_apply(&mut rec, &delta, &ground).unwrap();
        let apron = live(device, &device.upload(&[0.0f32; 20], 1).unwrap(), 2);
        raster_apron(&mut rec, &layer, &apron, shape, [1, 0]).unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert!(sums.live_count().is_none(), "{name}");
        let read = |column: &Column| column.as_capacity().read::<f32>().unwrap().wait().unwrap();
        let is_inside = |cell: usize| (1..4).contains(&(cell % 5)) && (1..3).contains(&(cell / 5));
        let doubled = words.iter().enumerate();
        let doubled: Vec<f32> = doubled
            .map(|(cell, word)| if is_inside(cell) { 2.0 * word } else { *word })
            .collect();
        assert_eq!(read(&sums), doubled, "{name}");
        let raised: Vec<f32> = words.iter().map(|word| word + 1.0).collect();
        assert_eq!(read(&ground), raised, "{name}");
        // The right band is the first column of the neighbour's interior.
        let band = read(&apron);
        assert_eq!((band[9], band[14]), (words[6], words[11]), "{name}");
    }
}
