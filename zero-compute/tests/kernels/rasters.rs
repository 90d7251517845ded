//! Tiles of rasters against one whole field.

use zero_compute::kernels::{
    Edge, Raster, Share, Tile, raster_accumulate, raster_apply, raster_apron, raster_clear, raster_copy,
    raster_edge_add, raster_exchange, raster_resolve, raster_restore, raster_sample, raster_sample_all, raster_splat,
    raster_stencil,
};
use zero_compute::{Column, Device, Element, Error, Result};

use crate::{Bits, Random, bits, check_all, check_once, devices_once, live, live_counts, sizes};

const TILES: [Tile; 6] = [
    tile(1, 1, 0),
    tile(1, 1, 1),
    tile(5, 3, 2),
    tile(3, 7, 3),
    tile(16, 16, 1),
    tile(64, 33, 4),
];

pub(crate) const fn tile(wide: u32, high: u32, apron: u32) -> Tile {
    Tile { wide, high, apron }
}

pub(crate) fn raster(tile: Tile, across: u32, down: u32) -> Raster {
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

pub(crate) fn upload(device: &Device, layers: &[Vec<f32>], lanes: u32) -> Vec<Column> {
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

/// The names that the specification gives the kernels of rasters.
#[test]
fn kernels_of_rasters_run_under_the_names_of_the_specification() {
    let shape = Tile {
        wide: 2,
        high: 1,
        apron: 1,
    };
    let device = Device::cpu(zero_compute::CpuOptions::default());
    let layer = device.upload(&[[1.5f32, -2.0]; 12].concat(), 2).unwrap();
    let (units, other) = (
        device.column(Element::I32, 2, 12).unwrap(),
        device.column(Element::I32, 2, 12).unwrap(),
    );
    let profiling = device.profile();
    let mut rec = device.record("names");
    let kept = raster_copy(&mut rec, std::slice::from_ref(&layer)).unwrap();
    raster_edge_add(&mut rec, &other, &units, shape, [1, 0]).unwrap();
    raster_apply(&mut rec, &units, &layer).unwrap();
    raster_apron(&mut rec, &kept[0], &layer, shape, [1, 0]).unwrap();
    raster_restore(&mut rec, &kept, std::slice::from_ref(&layer)).unwrap();
    rec.finish().unwrap().submit().unwrap();
    assert_eq!(
        layer.read::<f32>().unwrap().wait().unwrap(),
        [[1.5f32, -2.0]; 12].concat()
    );
    let report = profiling.report(&zero_compute::Exec::default()).unwrap();
    for (name, dispatches) in [
        ("proc_raster_copy", 2),
        ("proc_raster_edge_add", 1),
        ("proc_raster_apply_accumulator", 1),
        ("proc_raster_apron", 1),
    ] {
        let found = report.kernel(name).map(|kernel| kernel.dispatches);
        assert_eq!(found, Some(dispatches), "{name}");
    }
    let mut rec = device.record("refused");
    let error = raster_restore(&mut rec, std::slice::from_ref(&units), std::slice::from_ref(&layer)).unwrap_err();
    assert!(matches!(error, Error::WrongElement { .. }), "{error}");
}
