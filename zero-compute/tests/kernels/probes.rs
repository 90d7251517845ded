//! What is nearest to places and what overlaps boxes, asked of trees of boxes and of every primitive in turn.

use zero_compute::kernels::{
    bvh_balls, bvh_boxes, bvh_nearest, bvh_overlap, bvh_triangles, expand, hash_grid, hash_nearest,
};
use zero_compute::{Column, Error};

use crate::rays::{globe, large_scenes};
use crate::trees::{Bounds, Make, Shape, of_every_kind, soup, tree_of, triangles_of};
use crate::vectors::{Place, along, dot, minus, quotient};
use crate::{Bits, Random, check_all, devices_once, live, live_counts, sizes};

/// The points of a triangle that may be the nearest.
fn candidates(words: &[f32], place: Place) -> Vec<Place> {
    let corner = |k: usize| [words[k], words[k + 1], words[k + 2]];
    let (a, b, c) = (corner(0), corner(3), corner(6));
    let mut points = Vec::new();
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let edge = minus(q, p);
        let share = quotient(dot(minus(place, p), edge), dot(edge, edge));
        points.push(along(p, edge, share.clamp(0.0, 1.0)));
    }
    let (ab, ac, from) = (minus(b, a), minus(c, a), minus(place, a));
    let whole = dot(ab, ab) * dot(ac, ac) - dot(ab, ac) * dot(ab, ac);
    let v = quotient(dot(ac, ac) * dot(from, ab) - dot(ab, ac) * dot(from, ac), whole);
    let w = quotient(dot(ab, ab) * dot(from, ac) - dot(ab, ac) * dot(from, ab), whole);
    if whole > 0.0 && v > 0.0 && w > 0.0 && v + w < 1.0 {
        points.push(along(along(a, ab, v), ac, w));
    }
    points
}

/// The nearest point of a shape and the square of its distance.
fn nearest_point(shape: &Shape, place: Place) -> Option<(f32, Place)> {
    let (low, high) = shape.bounds?;
    let points = match shape.words.len() {
        9 => candidates(&shape.words, place),
        6 => vec![place],
        _ => {
            let centre = [shape.words[0], shape.words[1], shape.words[2]];
            let out = minus(place, centre);
            let far = dot(out, out).sqrt();
            match far <= shape.words[3] {
                true => vec![place],
                false => vec![along(centre, out, quotient(shape.words[3], far))],
            }
        }
    };
    let mut best: Option<(f32, Place)> = None;
    for point in points {
        let point = [0, 1, 2].map(|k: usize| point[k].max(low[k]).min(high[k]));
        let away = minus(place, point);
        let square = dot(away, away);
        if best.is_none_or(|best| square < best.0) {
            best = Some((square, point));
        }
    }
    best
}

type Found = (usize, f32, Place);

fn nearest(shapes: &[Shape], place: Place, radius: f32) -> Option<Found> {
    let mut best: Option<Found> = None;
    let is_place = place.iter().all(|x| x.abs() <= 1_073_741_824.0);
    for (number, shape) in shapes.iter().enumerate().filter(|_| is_place) {
        if let Some((square, point)) = nearest_point(shape, place)
            && square <= (radius * radius).min(f32::MAX)
            && best.is_none_or(|best| square < best.1)
        {
            best = Some((number, square, point));
        }
    }
    best
}

/// Places in and around a cube of 100; some on a corner of a shape, some that are none.
fn places_at(random: &mut Random, shapes: &[Shape], n: u32) -> Vec<Place> {
    let mut one = || {
        let place = [0; 3].map(|_| random.float() * 0.07);
        match (random.below(20), shapes.get(random.below(shapes.len() as u32) as usize)) {
            (0..4, Some(shape)) if shape.bounds.is_some() => [shape.words[0], shape.words[1], shape.words[2]],
            (4, _) => place.map(|x| x * 1.0e4),
            (5, _) => [
                place[0],
                [f32::NAN, f32::INFINITY, -2.0e9][random.below(3) as usize],
                place[2],
            ],
            _ => place,
        }
    };
    (0..n).map(|_| one()).collect()
}

fn check_nearest(what: &str, random: &mut Random, shapes: &[Shape], make: Make<'_>) {
    let n = shapes.len() as u32;
    let places = places_at(random, shapes, 300);
    for (front, places_front) in live_counts(n).into_iter().zip(live_counts(300).into_iter().rev()) {
        for radius in [f32::INFINITY, 6.0] {
            let shapes = &shapes[..front.min(n) as usize];
            let found: Vec<Option<Found>> = places
                .iter()
                .enumerate()
                .map(|(i, place)| nearest(shapes, *place, radius).filter(|_| (i as u32) < places_front))
                .collect();
            let primitives: Vec<i32> = found
                .iter()
                .map(|found| found.map_or(-1, |found| found.0 as i32))
                .collect();
            let distances: Vec<f32> = found
                .iter()
                .map(|found| found.map_or(-1.0, |found| found.1.sqrt()))
                .collect();
            let points: Vec<f32> = found
                .iter()
                .flat_map(|found| found.map_or([0.0; 3], |found| found.2.map(|x| x + 0.0)))
                .collect();
            check_all(
                &format!("{places_front} places, {front} of {n} {what} within {radius}"),
                &[primitives.to_words(), distances.to_words(), points.to_words()],
                |device, rec| {
                    let tree = make(device, rec, front).unwrap();
                    let places = live(device, &device.upload(&places.concat(), 3).unwrap(), places_front);
                    let found = bvh_nearest(rec, &tree, &places, radius).unwrap();
                    vec![found.primitive, found.distance, found.point]
                },
            );
        }
    }
}

fn overlap(a: Bounds, b: Bounds) -> bool {
    (0..3).all(|k| a.0[k] <= b.1[k] && a.1[k] >= b.0[k])
}

/// Boxes that are asked about: small and large ones, without ends, and some that are none.
fn asked_boxes(random: &mut Random, shapes: &[Shape], n: u32) -> Vec<[f32; 6]> {
    let mut one = || {
        let low = [0; 3].map(|_| random.float() * 0.06);
        let size = [0; 3].map(|_| random.float().abs() * 0.02);
        let mut words = [
            low[0],
            low[1],
            low[2],
            low[0] + size[0],
            low[1] + size[1],
            low[2] + size[2],
        ];
        match (random.below(24), shapes.get(random.below(shapes.len() as u32) as usize)) {
            // Touches the box of a shape in one corner, one face or all over.
            (0, Some(shape)) => {
                if let Some((low, high)) = shape.bounds {
                    words = [high[0], high[1], high[2], high[0] + 1.0, high[1] + 1.0, high[2] + 1.0];
                    if random.below(2) == 0 {
                        words = [low[0], low[1], low[2], high[0], high[1], high[2]];
                    }
                }
            }
            (1, _) => words[random.below(6) as usize] = f32::NAN,
            (2, _) => words[3] = low[0] - 1.0,
            (3, _) => (words[1], words[4]) = (f32::NEG_INFINITY, f32::INFINITY),
            (4, _) => words = [low[0], low[1], low[2], low[0], low[1], low[2]],
            _ => {}
        }
        words
    };
    (0..n).map(|_| one()).collect()
}

fn check_overlaps(what: &str, random: &mut Random, shapes: &[Shape], make: Make<'_>) {
    let n = shapes.len() as u32;
    let boxes = asked_boxes(random, shapes, 130);
    for (front, boxes_front) in live_counts(n).into_iter().zip(live_counts(130).into_iter().rev()) {
        let (order, ..) = tree_of(shapes, shapes.first().map_or(9, |shape| shape.words.len()), n, front);
        let order: Vec<i32> = order.into_iter().take(front as usize).collect();
        let (mut items, mut owners, mut offsets, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, words) in boxes.iter().enumerate() {
            let [lx, ly, lz, hx, hy, hz] = *words;
            // No comparison with what is no number holds.
            let is_box = (i as u32) < boxes_front && lx <= hx && ly <= hy && lz <= hz;
            let asked = ([lx, ly, lz], [hx, hy, hz]);
            let is_near = |number: &&i32| {
                shapes[**number as usize]
                    .bounds
                    .is_some_and(|own| is_box && overlap(own, asked))
            };
            offsets.push(items.len() as u32);
            items.extend(order.iter().filter(is_near));
            owners.resize(items.len(), i as i32);
            counts.push(items.len() as u32 - offsets[i]);
        }
        let total = items.len() as u32;
        for capacity in [total + 5, total / 2] {
            let mut expected = items.clone();
            expected.resize(capacity as usize, 0);
            let mut owners = owners.clone();
            owners.resize(capacity as usize, -1);
            check_all(
                &format!("{capacity} of {total} items of {boxes_front} boxes over {front} of {n} {what}"),
                &[
                    expected.to_words(),
                    offsets.clone(),
                    counts.clone(),
                    vec![total],
                    owners.to_words(),
                ],
                |device, rec| {
                    let tree = make(device, rec, front).unwrap();
                    let boxes = live(device, &device.upload(&boxes.concat(), 6).unwrap(), boxes_front);
                    let found = bvh_overlap(rec, &tree, &boxes, capacity).unwrap();
                    let owners = expand(rec, &found.counts, capacity).unwrap().owner;
                    let counted = found.items.live_count().unwrap();
                    vec![found.items, found.offsets, found.counts, counted, owners]
                },
            );
        }
    }
}

/// Checks a question over shapes of every kind.
fn check_shapes(check: fn(&str, &mut Random, &[Shape], Make<'_>), seed: u64) {
    let mut random = Random(seed);
    for n in sizes().into_iter().filter(|n| *n <= 1025) {
        of_every_kind(&mut random, n, check);
    }
}

#[test]
pub(crate) fn places_find_what_is_nearest() {
    check_shapes(check_nearest, 221);
}

#[test]
pub(crate) fn boxes_find_what_they_overlap() {
    check_shapes(check_overlaps, 222);
}

/// What is found near places, on every device: the primitive, the distance, the point and the nodes looked at.
type Answer = (Vec<i32>, Vec<f32>, Vec<f32>, Vec<u32>);

fn ask(positions: &[Place], triangles: &[[i32; 3]], places: &[Place]) -> Vec<(&'static str, Answer)> {
    let mut answers = Vec::new();
    for (name, device) in devices_once() {
        let mut rec = device.record("ask");
        let positions = device.upload(&positions.concat(), 3).unwrap();
        let triangles = device.upload(&triangles.concat(), 3).unwrap();
        let tree = bvh_triangles(&mut rec, &positions, &triangles).unwrap();
        let found = bvh_nearest(
            &mut rec,
            &tree,
            &device.upload(&places.concat(), 3).unwrap(),
            f32::INFINITY,
        )
        .unwrap();
        rec.finish().unwrap().submit().unwrap();
        let read = |column: &Column| column.read::<f32>().unwrap().wait().unwrap();
        let answer = (
            found.primitive.read::<i32>().unwrap().wait().unwrap(),
            read(&found.distance),
            read(&found.point),
            found.visited.read::<u32>().unwrap().wait().unwrap(),
        );
        answers.push((*name, answer));
    }
    answers
}

#[test]
fn the_nearest_point_of_a_globe_is_straight_below() {
    let mut random = Random(223);
    let (positions, triangles) = globe(5, 10.0, [1.0, -2.0, 3.0]);
    let places: Vec<Place> = (0..2_000).map(|_| [0; 3].map(|_| random.float() * 0.03)).collect();
    for (name, (_, distances, points, _)) in ask(&positions, &triangles, &places) {
        for ((place, distance), point) in places.iter().zip(distances).zip(points.chunks(3)) {
            let from_middle = [place[0] - 1.0, place[1] + 2.0, place[2] - 3.0].map(f64::from);
            let height = from_middle.iter().map(|x| x * x).sum::<f64>().sqrt();
            // The flat faces are up to 10 (1 - cos(edge / 20)) below the round surface.
            let error = (f64::from(distance) - (height - 10.0).abs()).abs();
            assert!(error < 0.01, "{name}: {place:?}: {distance} for {height}");
            let own: f64 = place
                .iter()
                .zip(point)
                .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2))
                .sum();
            assert!(
                (own.sqrt() - f64::from(distance)).abs() < 1.0e-4,
                "{name}: {place:?}: {point:?}"
            );
        }
    }
}

/// The distance of a place to a triangle in double precision: to the plane where it is above the inside, else to edges.
fn distance(corners: [Place; 3], place: Place) -> f64 {
    let [a, b, c, p] = [corners[0], corners[1], corners[2], place].map(|v| v.map(f64::from));
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let normal = cross(minus(b, a), minus(c, a));
    let mut least = f64::INFINITY;
    let mut is_above = dot(normal, normal) > 0.0;
    for (p0, p1) in [(a, b), (b, c), (c, a)] {
        let (edge, from) = (minus(p1, p0), minus(p, p0));
        is_above &= dot(cross(edge, from), normal) >= 0.0;
        let share = if dot(edge, edge) > 0.0 {
            (dot(from, edge) / dot(edge, edge)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let away = minus(from, edge.map(|x| x * share));
        least = least.min(dot(away, away).sqrt());
    }
    if is_above {
        least = least.min(dot(minus(p, a), normal).abs() / dot(normal, normal).sqrt());
    }
    least
}

#[test]
fn distances_are_those_of_double_precision() {
    let mut random = Random(224);
    let (positions, triangles) = soup(&mut random, 600);
    let shapes = triangles_of(&positions, &triangles);
    let places = places_at(&mut random, &shapes, 400);
    for (name, (found, distances, ..)) in ask(&positions, &triangles, &places) {
        for ((place, found), own) in places.iter().zip(found).zip(distances) {
            if found < 0 {
                continue;
            }
            let is_void = |corners: &[Place; 3]| corners.iter().flatten().any(|x| x.is_nan() || x.abs() > 1.0e9);
            let least = triangles
                .iter()
                .filter_map(|corners| {
                    let [a, b, c] = corners.map(|corner| positions.get(usize::try_from(corner).ok()?).copied());
                    Some([a?, b?, c?])
                })
                .filter(|corners| !is_void(corners))
                .map(|corners| distance(corners, *place))
                .fold(f64::INFINITY, f64::min);
            let bound = 2.0e-5 * (1.0 + place.iter().map(|x| f64::from(x.abs())).sum::<f64>());
            assert!(
                (f64::from(own) - least).abs() < bound,
                "{name}: {place:?}: {own} for {least}"
            );
        }
    }
}

#[test]
fn points_of_no_size_are_found_as_by_a_hash_grid() {
    let mut random = Random(225);
    let points: Vec<Place> = (0..3_000).map(|_| [0; 3].map(|_| random.float() * 0.001)).collect();
    let places: Vec<Place> = (0..500).map(|_| [0; 3].map(|_| random.float() * 0.001)).collect();
    for (name, device) in devices_once() {
        let mut rec = device.record("two ways");
        let points = device.upload(&points.concat(), 3).unwrap();
        let places = device.upload(&places.concat(), 3).unwrap();
        let grid = hash_grid(&mut rec, &points, 0.2).unwrap();
        let by_grid = hash_nearest(&mut rec, &grid, &places, 1, 0.25).unwrap();
        let tree = zero_compute::kernels::bvh_points(&mut rec, &points, 0.0).unwrap();
        let by_tree = bvh_nearest(&mut rec, &tree, &places, 0.25).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let items = |column: &Column| column.read::<i32>().unwrap().wait().unwrap();
        assert_eq!(items(&by_grid.items), items(&by_tree.primitive), "{name}");
        let far = |column: &Column| column.read::<f32>().unwrap().wait().unwrap();
        assert_eq!(far(&by_grid.distances), far(&by_tree.distance), "{name}");
    }
}

/// The tree keeps a question from most of a scene, and every device walks alike.
#[test]
fn walks_are_short_and_the_same_everywhere() {
    let mut random = Random(226);
    for (scene, positions, triangles) in large_scenes(&mut random) {
        let shapes = triangles_of(&positions, &triangles);
        let places: Vec<Place> = (0..1_000)
            .map(|_| shapes[random.below(shapes.len() as u32) as usize].words[..3].to_vec())
            .map(|corner| [corner[0] + 0.3, corner[1] + 0.5, corner[2] - 0.2])
            .collect();
        let boxes: Vec<f32> = places
            .iter()
            .flat_map(|p| [p[0] - 1.0, p[1] - 1.0, p[2] - 1.0, p[0], p[1], p[2]])
            .collect();
        let mut first: Option<(Answer, Vec<u32>)> = None;
        for ((name, answer), (_, device)) in ask(&positions, &triangles, &places).into_iter().zip(devices_once()) {
            let mut rec = device.record("overlaps");
            let positions = device.upload(&positions.concat(), 3).unwrap();
            let tree = bvh_triangles(&mut rec, &positions, &device.upload(&triangles.concat(), 3).unwrap()).unwrap();
            let found = bvh_overlap(&mut rec, &tree, &device.upload(&boxes, 6).unwrap(), 0).unwrap();
            rec.finish().unwrap().submit().unwrap();
            let visited = found.visited.read::<u32>().unwrap().wait().unwrap();
            let mean = |visited: &[u32]| visited.iter().map(|visited| u64::from(*visited)).sum::<u64>() / 1_000;
            assert!(
                (20..300).contains(&mean(&answer.3)),
                "{scene} on {name}: {} nodes a place",
                mean(&answer.3)
            );
            assert!(
                (15..300).contains(&mean(&visited)),
                "{scene} on {name}: {} nodes a box",
                mean(&visited)
            );
            let answer = (answer, visited);
            let first = first.get_or_insert_with(|| answer.clone());
            assert!(*first == answer, "{scene}: {name} walks another way");
        }
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let tree = bvh_balls(&mut rec, &device.upload(&[0.0f32; 4], 4).unwrap()).unwrap();
        let (three, six) = (
            device.upload(&[0.0f32; 6], 3).unwrap(),
            device.upload(&[0.0f32; 6], 6).unwrap(),
        );
        for radius in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY, 1.0e-30] {
            let found = bvh_nearest(&mut rec, &tree, &three, radius);
            assert!(
                matches!(found, Err(Error::Invalid { .. })),
                "{name}: {radius}: {found:?}"
            );
        }
        let found = bvh_nearest(&mut rec, &tree, &six, 1.0);
        assert!(matches!(found, Err(Error::WrongShape { .. })), "{name}: {found:?}");
        let found = bvh_overlap(&mut rec, &tree, &three, 1);
        assert!(matches!(found, Err(Error::WrongShape { .. })), "{name}: {found:?}");
        let ints = device.upload(&[0i32; 6], 6).unwrap();
        let found = bvh_overlap(&mut rec, &tree, &ints, 1);
        assert!(matches!(found, Err(Error::WrongElement { .. })), "{name}: {found:?}");
        let ints = device.upload(&[0i32; 6], 3).unwrap();
        let found = bvh_nearest(&mut rec, &tree, &ints, 1.0);
        assert!(matches!(found, Err(Error::WrongElement { .. })), "{name}: {found:?}");
    }
}

#[test]
fn over_nothing_nothing_is_near_and_nothing_overlaps() {
    let nowhere = [[-1i32; 2].to_words(), [-1.0f32; 2].to_words(), vec![0; 6], vec![0; 2]];
    check_all(
        "no tree",
        &[nowhere.as_slice(), &[vec![0; 3], vec![0], vec![0; 1], vec![0]]].concat(),
        |device, rec| {
            let tree = bvh_boxes(rec, &device.upload::<f32>(&[], 6).unwrap()).unwrap();
            let found = bvh_nearest(rec, &tree, &device.upload(&[0.0f32; 6], 3).unwrap(), 9.0).unwrap();
            let boxes = device.upload(&[-1.0f32, -1.0, -1.0, 1.0, 1.0, 1.0], 6).unwrap();
            let overlaps = bvh_overlap(rec, &tree, &boxes, 3).unwrap();
            let total = overlaps.items.live_count().unwrap();
            vec![
                found.primitive,
                found.distance,
                found.point,
                found.visited,
                overlaps.items,
                overlaps.counts,
                total,
                overlaps.visited,
            ]
        },
    );
}
