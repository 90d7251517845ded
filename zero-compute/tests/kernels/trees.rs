//! Trees of boxes, against one that is built from the root down.

use zero_compute::kernels::{Bvh, bvh_balls, bvh_boxes, bvh_points, bvh_triangles};
use zero_compute::{Column, Device, Error, Recorder, Result};

use crate::vectors::Place;
use crate::{Bits, Random, check_all, devices_once, live, live_counts, sizes};

/// Lower and upper bounds.
pub(crate) type Bounds = (Place, Place);

pub(crate) const NONE: u32 = u32::MAX;
pub(crate) const LEAF: u32 = 1 << 31;
const VOID: f32 = 4_294_967_296.0;

/// A primitive as a tree holds it: the words of its leaf, and its box unless it is void.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) words: Vec<f32>,
    pub(crate) bounds: Option<Bounds>,
}

fn is_near(x: f32) -> bool {
    x.abs() <= 1_073_741_824.0
}

/// The box around places.
pub(crate) fn around(places: &[Place]) -> Bounds {
    let fold =
        |from: f32, f: fn(f32, f32) -> f32| [0, 1, 2].map(|k: usize| places.iter().fold(from, |a, p| f(a, p[k])));
    (fold(f32::INFINITY, f32::min), fold(f32::NEG_INFINITY, f32::max))
}

/// The triangles of some positions; one that names no point, or one that is none, is void.
pub(crate) fn triangles_of(positions: &[Place], triangles: &[[i32; 3]]) -> Vec<Shape> {
    let shape = |corners: &[i32; 3]| {
        let corners: Vec<Place> = corners
            .iter()
            .filter_map(|corner| positions.get(usize::try_from(*corner).ok()?).copied())
            .filter(|corner| corner.iter().all(|x| is_near(*x)))
            .collect();
        match corners.len() {
            3 => Shape {
                words: corners.concat(),
                bounds: Some(around(&corners)),
            },
            _ => Shape {
                words: vec![VOID; 9],
                bounds: None,
            },
        }
    };
    triangles.iter().map(shape).collect()
}

pub(crate) fn boxes_of(boxes: &[[f32; 6]]) -> Vec<Shape> {
    let shape = |words: &[f32; 6]| {
        let [lx, ly, lz, hx, hy, hz] = *words;
        if words.iter().all(|x| is_near(*x)) && lx <= hx && ly <= hy && lz <= hz {
            Shape {
                words: words.to_vec(),
                bounds: Some(([lx, ly, lz], [hx, hy, hz])),
            }
        } else {
            Shape {
                words: vec![VOID, VOID, VOID, -VOID, -VOID, -VOID],
                bounds: None,
            }
        }
    };
    boxes.iter().map(shape).collect()
}

pub(crate) fn balls_of(balls: &[[f32; 4]]) -> Vec<Shape> {
    let shape = |words: &[f32; 4]| {
        let [x, y, z, r] = *words;
        if words.iter().all(|x| is_near(*x)) && r >= 0.0 {
            Shape {
                words: words.to_vec(),
                bounds: Some(([x - r, y - r, z - r], [x + r, y + r, z + r])),
            }
        } else {
            Shape {
                words: vec![VOID, VOID, VOID, 0.0],
                bounds: None,
            }
        }
    };
    balls.iter().map(shape).collect()
}

/// The Morton code of each shape, by halving an interval an axis.
fn codes(shapes: &[Shape]) -> Vec<u32> {
    let corners: Vec<Place> = shapes
        .iter()
        .filter_map(|s| s.bounds)
        .flat_map(|(l, h)| [l, h])
        .collect();
    let (least, greatest) = around(&corners);
    let code = |shape: &Shape| {
        let Some((low, high)) = shape.bounds else {
            return 1 << 30;
        };
        let mut length = [0, 1, 2].map(|k: usize| f64::from(greatest[k] - least[k]));
        let at = [0, 1, 2].map(|k: usize| f64::from((low[k] + high[k]) * 0.5 - least[k]));
        let mut start = [0.0f64; 3];
        let mut code = 0;
        for _ in 0..30 {
            let longest = length[0].max(length[1]).max(length[2]);
            let axis = length.iter().position(|l| *l == longest).unwrap();
            length[axis] /= 2.0;
            let is_upper = longest > 0.0 && at[axis] >= start[axis] + length[axis];
            if is_upper {
                start[axis] += length[axis];
            }
            code = code * 2 + u32::from(is_upper);
        }
        code
    };
    shapes.iter().map(code).collect()
}

/// The order, the leaves and the nodes of the tree over the first `front` shapes of `capacity`.
pub(crate) fn tree_of(shapes: &[Shape], lanes: usize, capacity: u32, front: u32) -> (Vec<i32>, Vec<f32>, Vec<u32>) {
    let shapes = &shapes[..front.min(capacity) as usize];
    let codes = codes(shapes);
    let mut order: Vec<i32> = (0..shapes.len() as i32).collect();
    order.sort_by_key(|i| codes[*i as usize]);
    let sorted: Vec<(u32, Option<Bounds>)> = order
        .iter()
        .map(|&i| (codes[i as usize], shapes[i as usize].bounds))
        .collect();
    let mut leaves: Vec<f32> = order.iter().flat_map(|i| shapes[*i as usize].words.clone()).collect();
    leaves.resize(capacity as usize * lanes, 0.0);
    let mut nodes = vec![[0, 0, 0, 0, 0, 0, NONE, NONE, NONE]; capacity as usize];
    for (node, primitive) in nodes.iter_mut().zip(&order) {
        node[8] = *primitive as u32;
    }
    if let [(_, bounds)] = sorted[..] {
        nodes[0][..6].copy_from_slice(&bounds_words(bounds));
        nodes[0][6] = LEAF;
    } else if sorted.len() > 1 {
        link(&sorted, 0, sorted.len() - 1, 0, &mut nodes);
    }
    order.resize(capacity as usize, -1);
    (order, leaves, nodes.concat())
}

fn bounds_words(bounds: Option<Bounds>) -> [u32; 6] {
    let (low, high) = bounds.unwrap_or(([VOID; 3], [-VOID; 3]));
    [low[0], low[1], low[2], high[0], high[1], high[2]].map(f32::to_bits)
}

/// Links the leaves from `first` to `last` below node `number`; answers the box around them.
fn link(
    sorted: &[(u32, Option<Bounds>)],
    first: usize,
    last: usize,
    number: usize,
    nodes: &mut [[u32; 9]],
) -> Option<Bounds> {
    let (a, b) = (sorted[first].0, sorted[last].0);
    let middle = if a == b {
        // Places part at the highest bit in which the ends differ.
        let bit = usize::BITS - 1 - (first ^ last).leading_zeros();
        (last >> bit << bit) - 1
    } else {
        let bit = 31 - (a ^ b).leading_zeros();
        first + sorted[first..=last].partition_point(|(code, _)| code >> bit & 1 == 0) - 1
    };
    let child = |from: usize, to: usize, own: usize, nodes: &mut [[u32; 9]]| {
        if from == to {
            (LEAF | own as u32, sorted[own].1)
        } else {
            (own as u32, link(sorted, from, to, own, nodes))
        }
    };
    let (left, left_box) = child(first, middle, middle, nodes);
    let (right, right_box) = child(middle + 1, last, middle + 1, nodes);
    let bounds = match (left_box, right_box) {
        (Some(a), Some(b)) => Some(around(&[a.0, a.1, b.0, b.1])),
        (one, other) => one.or(other),
    };
    nodes[number][..6].copy_from_slice(&bounds_words(bounds));
    nodes[number][6..8].copy_from_slice(&[left, right]);
    bounds
}

/// Triangles of up to some metres in a cube of 100; some stand twice, some have no area, and some are void.
pub(crate) fn soup(random: &mut Random, n: u32) -> (Vec<Place>, Vec<[i32; 3]>) {
    let (mut positions, mut triangles): (Vec<Place>, Vec<[i32; 3]>) = (Vec::new(), Vec::new());
    for i in 0..n {
        let first = positions.len() as i32;
        let middle = [0; 3].map(|_| random.float() * 0.05);
        let size = 0.001 + 0.003 * random.below(3) as f32;
        positions.extend([[0u8; 3]; 3].map(|corner| {
            let mut at = middle;
            at.iter_mut().zip(corner).for_each(|(x, _)| *x += random.float() * size);
            at
        }));
        let own = [first, first + 1, first + 2];
        triangles.push(match random.below(40) {
            0 => [first, first + 1, -1],
            1 => [first, first + 1, 3 * n as i32 + 5],
            2 => [first, first, first + 1],
            3 => [first; 3],
            4 => {
                positions[first as usize + 1][1] = [f32::NAN, f32::INFINITY, -2.0e9][random.below(3) as usize];
                own
            }
            // The edge of another triangle, and a whole other triangle.
            5..10 => [
                random.below(i + 1) as i32 * 3,
                random.below(i + 1) as i32 * 3 + 1,
                first,
            ],
            10..13 => triangles.get(random.below(i.max(1)) as usize).copied().unwrap_or(own),
            _ => own,
        });
    }
    (positions, triangles)
}

pub(crate) fn random_boxes(random: &mut Random, n: u32) -> Vec<[f32; 6]> {
    let mut one = || {
        let low = [0; 3].map(|_| random.float() * 0.05);
        let size = [0; 3].map(|_| random.below(5) as f32 * random.float().abs() * 0.001);
        let mut words = [
            low[0],
            low[1],
            low[2],
            low[0] + size[0],
            low[1] + size[1],
            low[2] + size[2],
        ];
        match random.below(30) {
            0 => words[4] = low[1] - 1.0,
            1 => words[random.below(6) as usize] = f32::NAN,
            2 => words[5] = f32::INFINITY,
            _ => {}
        }
        words
    };
    (0..n).map(|_| one()).collect()
}

pub(crate) fn random_balls(random: &mut Random, n: u32) -> Vec<[f32; 4]> {
    let mut one = || {
        let [x, y, z] = [0; 3].map(|_| random.float() * 0.05);
        let radius = random.below(4) as f32 * random.float().abs() * 0.002;
        match random.below(30) {
            0 => [x, y, z, -0.5],
            1 => [x, f32::NAN, z, radius],
            2 => [x, y, z, f32::INFINITY],
            _ => [x, y, z, radius],
        }
    };
    (0..n).map(|_| one()).collect()
}

/// The columns of a tree.
fn parts(bvh: Bvh) -> Vec<Column> {
    vec![bvh.order, bvh.leaves, bvh.nodes]
}

fn check_tree(what: &str, shapes: &[Shape], lanes: usize, make: impl Fn(&Device, &mut Recorder, u32) -> Result<Bvh>) {
    let n = shapes.len() as u32;
    for front in live_counts(n) {
        let (order, leaves, nodes) = tree_of(shapes, lanes, n, front);
        check_all(
            &format!("tree of {front} of {n} {what}"),
            &[order.to_words(), leaves.to_words(), nodes],
            |device, rec| parts(make(device, rec, front).unwrap()),
        );
    }
}

/// Records a tree of the front of some shapes.
pub(crate) type Make<'a> = &'a dyn Fn(&Device, &mut Recorder, u32) -> Result<Bvh>;

/// Hands `check` triangles, boxes and balls, `n` of each, with how a tree of them is recorded.
pub(crate) fn of_every_kind(random: &mut Random, n: u32, check: fn(&str, &mut Random, &[Shape], Make<'_>)) {
    let (positions, triangles) = soup(random, n);
    let shapes = triangles_of(&positions, &triangles);
    check("triangles", random, &shapes, &|device, rec, front| {
        let positions = device.upload(&positions.concat(), 3)?;
        let triangles = live(device, &device.upload(&triangles.concat(), 3)?, front);
        bvh_triangles(rec, &positions, &triangles)
    });
    let boxes = random_boxes(random, n);
    check("boxes", random, &boxes_of(&boxes), &|device, rec, front| {
        bvh_boxes(rec, &live(device, &device.upload(&boxes.concat(), 6)?, front))
    });
    let balls = random_balls(random, n);
    check("balls", random, &balls_of(&balls), &|device, rec, front| {
        bvh_balls(rec, &live(device, &device.upload(&balls.concat(), 4)?, front))
    });
}

#[test]
pub(crate) fn trees_are_those_built_from_the_root_down() {
    let mut random = Random(201);
    for n in sizes() {
        let (positions, triangles) = soup(&mut random, n);
        check_tree(
            "triangles",
            &triangles_of(&positions, &triangles),
            9,
            |device, rec, front| {
                let positions = device.upload(&positions.concat(), 3)?;
                let triangles = live(device, &device.upload(&triangles.concat(), 3)?, front);
                bvh_triangles(rec, &positions, &triangles)
            },
        );
        let boxes = random_boxes(&mut random, n.min(3_000));
        check_tree("boxes", &boxes_of(&boxes), 6, |device, rec, front| {
            bvh_boxes(rec, &live(device, &device.upload(&boxes.concat(), 6)?, front))
        });
        let balls = random_balls(&mut random, n.min(3_000));
        check_tree("balls", &balls_of(&balls), 4, |device, rec, front| {
            bvh_balls(rec, &live(device, &device.upload(&balls.concat(), 4)?, front))
        });
    }
}

/// The longest path from the root to a leaf, in inner nodes.
fn depth(nodes: &[u32]) -> usize {
    let (mut deepest, mut waiting) = (0, vec![(0u32, 1usize)]);
    while let Some((node, depth)) = waiting.pop() {
        deepest = deepest.max(depth);
        let children = &nodes[node as usize * 9 + 6..node as usize * 9 + 8];
        waiting.extend(
            children
                .iter()
                .filter(|child| **child & LEAF == 0)
                .map(|child| (*child, depth + 1)),
        );
    }
    deepest
}

/// Scenes in which codes tell nothing apart, or only the last bits do.
fn hard_scenes() -> Vec<(&'static str, Vec<[f32; 4]>)> {
    let ball = |x: f32| [x, 0.0, 0.0, 0.25];
    vec![
        ("one ball", vec![ball(1.0)]),
        ("one code", vec![ball(3.0); 4_097]),
        ("two codes", (0..4_099u16).map(|i| ball(f32::from(i % 2))).collect()),
        ("a line", (0..5_000u16).map(|i| ball(f32::from(i))).collect()),
        // Each half holds one: a code of another length each, then one code for what the 30 bits do not tell apart.
        (
            "halves of halves",
            (0..2_000i32).map(|i| ball(0.5f32.powi(i % 40))).collect(),
        ),
        (
            "a far one",
            (0..3_000u16)
                .map(|i| ball(if i == 1_500 { 1.0e9 } else { f32::from(i) * 0.01 }))
                .collect(),
        ),
        ("all void", vec![[f32::NAN; 4]; 300]),
        (
            "a plane",
            (0..3_000u16)
                .map(|i| [f32::from(i % 50), 7.0, f32::from(i / 50), 0.0])
                .collect(),
        ),
        (
            "far out",
            (0..3_000u16)
                .map(|i| [f32::from(i % 50) - 1.0e9, 1.0e9, f32::from(i / 50), 1.0])
                .collect(),
        ),
    ]
}

#[test]
fn no_path_is_long_whatever_the_codes() {
    for (name, balls) in hard_scenes() {
        let shapes = balls_of(&balls);
        let n = balls.len() as u32;
        let (order, leaves, nodes) = tree_of(&shapes, 4, n, n);
        // 31 bits of a code, and those of the places.
        let most = 31 + (u32::BITS - n.leading_zeros()) as usize;
        assert!(depth(&nodes) <= most, "{name}: {}", depth(&nodes));
        check_all(name, &[order.to_words(), leaves.to_words(), nodes], |device, rec| {
            parts(bvh_balls(rec, &device.upload(&balls.concat(), 4).unwrap()).unwrap())
        });
    }
    // Equal codes part by places: as deep as the bits of their number.
    let (_, _, nodes) = tree_of(&balls_of(&[[1.0; 4]; 4_097]), 4, 4_097, 4_097);
    assert_eq!(depth(&nodes), 13);
}

#[test]
pub(crate) fn points_are_balls_of_one_radius() {
    let mut random = Random(203);
    let points: Vec<Place> = (0..700).map(|_| [0; 3].map(|_| random.float())).collect();
    for radius in [0.0f32, 2.5] {
        let balls: Vec<[f32; 4]> = points.iter().map(|[x, y, z]| [*x, *y, *z, radius]).collect();
        let (order, leaves, nodes) = tree_of(&balls_of(&balls), 4, 700, 700);
        check_all(
            "points",
            &[order.to_words(), leaves.to_words(), nodes],
            |device, rec| parts(bvh_points(rec, &device.upload(&points.concat(), 3).unwrap(), radius).unwrap()),
        );
    }
}

#[test]
fn what_makes_no_tree_is_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let misfit = |found: Result<Bvh>| assert!(matches!(found, Err(Error::WrongShape { .. })), "{name}: {found:?}");
        let (two, three, four) = (
            device.upload(&[0.0f32; 4], 2).unwrap(),
            device.upload(&[0.0f32; 6], 3).unwrap(),
            device.upload(&[0.0f32; 8], 4).unwrap(),
        );
        let corners = device.upload(&[0i32; 6], 3).unwrap();
        misfit(bvh_triangles(&mut rec, &two, &corners));
        misfit(bvh_triangles(&mut rec, &three, &device.upload(&[0i32; 6], 2).unwrap()));
        misfit(bvh_boxes(&mut rec, &three));
        misfit(bvh_points(&mut rec, &four, 1.0));
        misfit(bvh_balls(&mut rec, &three));
        for radius in [-1.0, f32::NAN, f32::INFINITY] {
            let found = bvh_points(&mut rec, &three, radius);
            assert!(matches!(found, Err(Error::Invalid { .. })), "{name}: {found:?}");
        }
        let floats = bvh_triangles(&mut rec, &three, &three);
        assert!(matches!(floats, Err(Error::WrongElement { .. })), "{name}: {floats:?}");
        let ints = bvh_balls(&mut rec, &device.upload(&[0i32; 8], 4).unwrap());
        assert!(matches!(ints, Err(Error::WrongElement { .. })), "{name}: {ints:?}");
    }
}
