//! The hash grid and what it answers, against every pair.

use zero_compute::kernels::{HashGrid, hash_average, hash_gather, hash_grid, hash_measure, hash_nearest, hash_repel};
use zero_compute::{Column, Device, Error, Recorder, Result};

use crate::vectors::{Place, quotient};
use crate::{Bits, Random, check_all, devices_once, live, live_counts, sizes};

/// Sizes of which all pairs can be asked, with and without the edges of blocks.
fn pair_sizes() -> Vec<u32> {
    sizes().into_iter().filter(|n| *n <= 1025).chain([3_000]).collect()
}

/// Places in a cube in which a radius of a half finds some ten neighbours; one in ten stands on another.
fn places(random: &mut Random, n: u32) -> Vec<Place> {
    let edge = (n as f32 / 16.0).cbrt().max(0.5);
    let mut places: Vec<Place> = Vec::new();
    for at in 0..n {
        let other = random.below(at.max(1)) as usize;
        match places.get(other) {
            Some(twice) if random.below(10) == 0 => places.push(*twice),
            _ => places.push([0; 3].map(|_| random.float() * edge / 2000.0)),
        }
    }
    places
}

fn square(p: Place, q: Place) -> f32 {
    let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

/// The cell of a place, whose edge is a power of two, in the order in which cells are walked.
fn cell(p: Place, edge: f32) -> [i64; 3] {
    [p[2], p[1], p[0]].map(|x| (f64::from(x) / f64::from(edge)).floor() as i64)
}

/// Every point within the radius with its squared distance, in the stated order.
fn near(points: &[Place], place: Place, radius: f32, edge: f32) -> Vec<(usize, f32)> {
    let mut near: Vec<(usize, f32)> = points.iter().map(|&p| square(place, p)).enumerate().collect();
    near.retain(|(_, square)| *square <= radius * radius);
    near.sort_by_key(|(number, _)| (cell(points[*number], edge), *number));
    near
}

fn upload(device: &Device, places: &[Place]) -> Column {
    device.upload(&places.concat(), 3).unwrap()
}

/// A grid over the live front of the points.
fn grid(device: &Device, rec: &mut Recorder, points: &[Place], front: u32, edge: f32) -> HashGrid {
    hash_grid(rec, &live(device, &upload(device, points), front), edge).unwrap()
}

#[test]
pub(crate) fn points_near_places_are_listed_in_order() {
    let mut random = Random(81);
    for n in pair_sizes() {
        let (points, asked) = (places(&mut random, n), places(&mut random, n / 2 + 3));
        for (front, asked_front) in live_counts(n)
            .into_iter()
            .zip(live_counts(asked.len() as u32).into_iter().rev())
        {
            for radius in [0.5, 0.3, 1.25] {
                let (mut items, mut offsets, mut counts) = (Vec::new(), Vec::new(), Vec::new());
                for (i, &place) in asked.iter().enumerate() {
                    offsets.push(items.len() as u32);
                    let mut own = near(&points[..front.min(n) as usize], place, radius, 0.5);
                    own.truncate(if (i as u32) < asked_front { own.len() } else { 0 });
                    counts.push(own.len() as u32);
                    items.extend(own.iter().map(|(number, _)| *number as i32));
                }
                let total = items.len() as u32;
                // Room for all, and for about half: the true count is stated, the first items are written.
                for capacity in [total + 5, total / 2] {
                    let mut expected = items.clone();
                    expected.resize(capacity as usize, 0);
                    check_all(
                        &format!("{capacity} of {total} items of {asked_front} places near {front} of {n} points"),
                        &[expected.to_words(), offsets.clone(), counts.clone(), vec![total]],
                        |device, rec| {
                            let grid = grid(device, rec, &points, front, 0.5);
                            let asked = live(device, &upload(device, &asked), asked_front);
                            let found = hash_gather(rec, &grid, &asked, radius, capacity).unwrap();
                            let counted = found.items.live_count().unwrap();
                            vec![found.items, found.offsets, found.counts, counted]
                        },
                    );
                }
            }
        }
    }
}

#[test]
fn an_edge_that_is_no_power_of_two_misses_nothing() {
    let mut random = Random(82);
    let points = places(&mut random, 2_000);
    for (edge, radius) in [
        (0.3f32, 0.3f32),
        (0.1, 0.4),
        (0.7, 0.35),
        (5.0, 0.2),
        (0.333_333, 0.333_333),
    ] {
        let counts: Vec<u32> = points
            .iter()
            .map(|&p| near(&points, p, radius, 1.0).len() as u32)
            .collect();
        check_all(&format!("edge {edge}"), &[counts], |device, rec| {
            let grid = grid(device, rec, &points, 2_000, edge);
            vec![hash_gather(rec, &grid, &grid.points, radius, 0).unwrap().counts]
        });
    }
    // Points of a lattice at just the radius, and far from the origin, where floats are coarse.
    for shift in [0.0f32, 1.0e3, -3.0e5, 4.0e7, 1.0e20] {
        let points: Vec<Place> = (0..512u16)
            .map(|i| [i % 8, i / 8 % 8, i / 64].map(|x| f32::from(x) * 0.1 + shift))
            .collect();
        let counts: Vec<u32> = points
            .iter()
            .map(|&p| near(&points, p, 0.1, 1.0).len() as u32)
            .collect();
        check_all(&format!("lattice at {shift}"), &[counts], |device, rec| {
            let grid = grid(device, rec, &points, 512, 0.1);
            vec![hash_gather(rec, &grid, &grid.points, 0.1, 0).unwrap().counts]
        });
    }
}

fn add(a: Place, b: Place) -> Place {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[test]
pub(crate) fn points_learn_from_those_near_them() {
    let mut random = Random(83);
    for n in pair_sizes() {
        let points = places(&mut random, n);
        let values = random.floats(2 * n);
        for front in live_counts(n) {
            let radius = 0.5f32;
            let (mut counted, mut nearest, mut centroid) = (Vec::new(), Vec::new(), Vec::new());
            let (mut pushes, mut averages) = (Vec::new(), Vec::new());
            for (i, &own) in points.iter().enumerate() {
                if i as u32 >= front {
                    counted.push(0);
                    nearest.push(-1.0);
                    centroid.extend([0.0f32; 3]);
                    pushes.extend([0.0f32; 3]);
                    averages.extend([0.0f32; 2]);
                    continue;
                }
                let mut others = near(&points[..front.min(n) as usize], own, radius, 0.5);
                others.retain(|(number, _)| *number != i);
                let count = others.len() as f32;
                counted.push(others.len() as u32);
                nearest.push(others.iter().map(|(_, s)| s.sqrt()).reduce(f32::min).unwrap_or(-1.0));
                let sum = others.iter().fold([0.0; 3], |sum, (j, _)| add(sum, points[*j]));
                centroid.extend(if others.is_empty() {
                    own
                } else {
                    sum.map(|sum| quotient(sum, count))
                });
                let push = others.iter().fold([0.0; 3], |sum, (j, square)| {
                    let (other, far) = (points[*j], square.sqrt());
                    let weight = quotient(radius - far, radius).max(0.0);
                    let away = [own[0] - other[0], own[1] - other[1], own[2] - other[2]];
                    add(sum, away.map(|away| quotient(away, far) * weight))
                });
                pushes.extend(push.map(|push| quotient(push, count)));
                for lane in 0..2 {
                    let sum = others.iter().fold(0.0, |sum, (j, _)| sum + values[j * 2 + lane]);
                    averages.push(if others.is_empty() {
                        values[i * 2 + lane]
                    } else {
                        quotient(sum, count)
                    });
                }
            }
            let expected = [
                counted,
                nearest.to_words(),
                centroid.to_words(),
                pushes.to_words(),
                averages.to_words(),
            ];
            check_all(&format!("{front} of {n} points"), &expected, |device, rec| {
                let grid = grid(device, rec, &points, front, 0.5);
                let measured = hash_measure(rec, &grid, radius).unwrap();
                let pushes = hash_repel(rec, &grid, radius).unwrap();
                let averages = hash_average(rec, &grid, &device.upload(&values, 2).unwrap(), radius).unwrap();
                vec![measured.count, measured.nearest, measured.centroid, pushes, averages]
            });
        }
    }
}

#[test]
pub(crate) fn the_nearest_come_first() {
    let mut random = Random(84);
    for n in pair_sizes() {
        let (points, asked) = (places(&mut random, n), places(&mut random, n / 3 + 2));
        for (front, k) in live_counts(n).into_iter().zip([1u32, 3, 8, 16, 2, 5]) {
            let asked_front = asked.len() as u32 - 1;
            let (mut items, mut distances) = (Vec::new(), Vec::new());
            for (i, &place) in asked.iter().enumerate() {
                let mut own = near(&points[..front.min(n) as usize], place, 0.75, 0.5);
                own.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                own.truncate(if (i as u32) < asked_front { k as usize } else { 0 });
                let missing = k as usize - own.len();
                items.extend(own.iter().map(|(number, _)| *number as i32).chain(vec![-1; missing]));
                distances.extend(own.iter().map(|(_, square)| square.sqrt()).chain(vec![-1.0; missing]));
            }
            check_all(
                &format!("{k} nearest of {front} of {n}"),
                &[items.to_words(), distances.to_words()],
                |device, rec| {
                    let grid = grid(device, rec, &points, front, 0.5);
                    let asked = live(device, &upload(device, &asked), asked_front);
                    let found = hash_nearest(rec, &grid, &asked, k, 0.75).unwrap();
                    vec![found.items, found.distances]
                },
            );
        }
    }
}

#[test]
fn a_crowd_in_one_place_is_found_whole() {
    let points = [[0.25f32, -3.0, 7.5]; 700];
    let counts = vec![699u32; 700];
    let pushes = vec![0u32; 2100];
    check_all("crowd", &[counts, vec![0u32; 700], pushes], |device, rec| {
        let grid = grid(device, rec, &points, 700, 1.0);
        let measured = hash_measure(rec, &grid, 0.1).unwrap();
        vec![measured.count, measured.nearest, hash_repel(rec, &grid, 0.1).unwrap()]
    });
}

#[test]
fn what_no_grid_can_answer_is_refused() {
    fn refuses<T: std::fmt::Debug>(what: &str, result: Result<T>) {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{what}: {error:?}");
    }
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let points = upload(device, &[[0.0; 3]; 5]);
        for edge in [0.0, -1.0, f32::NAN, f32::INFINITY, 1.0e-40] {
            refuses(name, hash_grid(&mut rec, &points, edge));
        }
        let grid = hash_grid(&mut rec, &points, 2.0).unwrap();
        for radius in [0.0, -0.5, 8.5, f32::NAN, f32::INFINITY] {
            refuses(name, hash_gather(&mut rec, &grid, &points, radius, 9));
            refuses(name, hash_measure(&mut rec, &grid, radius));
        }
        for k in [0, 17] {
            refuses(name, hash_nearest(&mut rec, &grid, &points, k, 1.0));
        }
        let pairs = device.upload(&[0.0f32; 10], 2).unwrap();
        let error = hash_grid(&mut rec, &pairs, 1.0);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let error = hash_average(&mut rec, &grid, &device.upload(&[0.0f32; 4], 1).unwrap(), 1.0);
        assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        let integers = device.upload(&[0i32; 15], 3).unwrap();
        let error = hash_gather(&mut rec, &grid, &integers, 1.0, 9);
        assert!(matches!(error, Err(Error::WrongElement { .. })), "{name}: {error:?}");
    }
}
