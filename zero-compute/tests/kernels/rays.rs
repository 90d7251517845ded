//! Rays through trees of boxes, against every primitive in turn.

use zero_compute::kernels::{Bvh, Lattice, RayMode, bvh_balls, bvh_ray, bvh_triangles, grid_faces, lattice};
use zero_compute::{Column, Device, Error, Recorder, Result};

use crate::trees::{Make, Shape, of_every_kind, triangles_of};
use crate::vectors::{Place, along, dot, minus, quotient};
use crate::{Bits, Random, check_all, devices_once, live, live_counts, sizes};

/// Origin, direction, and the least and the greatest `t`.
pub(crate) type RayWords = [f32; 8];

/// Where a ray is between the sides of a box that is made wider by a share of its reach.
fn slabs(ray: &RayWords, (low, high): (Place, Place), wider: f32) -> Option<(f32, f32)> {
    let (origin, direction) = ([ray[0], ray[1], ray[2]], [ray[3], ray[4], ray[5]]);
    let (low, high) = (minus(low, origin), minus(high, origin));
    let reach = low.iter().chain(&high).fold(0.0f32, |a, b| a.max(b.abs()));
    let longest = direction.iter().fold(0.0f32, |a, b| a.max(b.abs()));
    let (mut near, mut far) = (f32::MIN, f32::MAX);
    for k in 0..3 {
        let (from, to) = (low[k] - reach * wider, high[k] + reach * wider);
        if direction[k].abs() < longest * 2.0f32.powi(-24) {
            if from > 0.0 || to < 0.0 {
                return None;
            }
        } else {
            let per = 1.0 / direction[k];
            let (a, b) = (from * per, to * per);
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
    }
    (near <= far).then_some((near, far))
}

/// Where a ray meets a triangle: the parameter and the shares of the second and third corner.
fn meet_triangle(ray: &RayWords, words: &[f32]) -> Option<(f32, [f32; 2])> {
    let direction = [ray[3], ray[4], ray[5]];
    let mut z = 0;
    for k in 1..3 {
        if direction[k].abs() > direction[z].abs() {
            z = k;
        }
    }
    let (x, y) = ((z + 1) % 3, (z + 2) % 3);
    let corner = |first: usize| {
        let p = minus(
            [words[first], words[first + 1], words[first + 2]],
            [ray[0], ray[1], ray[2]],
        );
        let lean = |k: usize| p[k] - quotient(direction[k], direction[z]) * p[z];
        (lean(x), lean(y), quotient(1.0, direction[z]) * p[z])
    };
    let (a, b, c) = (corner(0), corner(3), corner(6));
    let u = c.0 * b.1 - c.1 * b.0;
    let v = a.0 * c.1 - a.1 * c.0;
    let w = b.0 * a.1 - b.1 * a.0;
    let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    let whole = u + v + w;
    if !inside || whole == 0.0 {
        return None;
    }
    let (u, v, w) = (quotient(u, whole), quotient(v, whole), quotient(w, whole));
    Some((u * a.2 + v * b.2 + w * c.2, [v, w]))
}

/// Where a ray enters and leaves a ball.
fn meet_ball(ray: &RayWords, words: &[f32]) -> Option<(f32, f32)> {
    let direction = [ray[3], ray[4], ray[5]];
    let from = minus([ray[0], ray[1], ray[2]], [words[0], words[1], words[2]]);
    let square = dot(direction, direction);
    let middle = quotient(-dot(from, direction), square);
    let nearest = along(from, direction, middle);
    let rest = words[3] * words[3] - dot(nearest, nearest);
    let half = quotient(rest, square).max(0.0).sqrt();
    (rest >= 0.0).then_some((middle - half, middle + half))
}

/// A hit: the primitive, where, and the shares in a triangle.
type Hit = (usize, f32, [f32; 2]);

/// Whether there is such a ray at all.
fn is_ray(ray: &RayWords) -> bool {
    let near = |x: &f32| x.abs() <= 1_073_741_824.0;
    let longest = ray[3..6].iter().fold(0.0f32, |a, b| a.max(b.abs()));
    ray[..6].iter().all(near) && longest >= 2.0f32.powi(-30) && ray[6] <= ray[7]
}

fn meet(ray: &RayWords, shape: &Shape) -> Option<(f32, [f32; 2])> {
    let bounds = shape.bounds?;
    let (near, far) = slabs(ray, bounds, 2.0f32.powi(-19))?;
    let (enter, leave, shares) = match shape.words.len() {
        9 => {
            let (t, shares) = meet_triangle(ray, &shape.words)?;
            let t = t.max(near).min(far);
            (t, t, shares)
        }
        6 => {
            let (enter, leave) = slabs(ray, bounds, 0.0)?;
            (enter, leave, [0.0; 2])
        }
        _ => {
            let (enter, leave) = meet_ball(ray, &shape.words)?;
            (enter.max(near).min(far), leave.max(near).min(far), [0.0; 2])
        }
    };
    let t = enter.max(ray[6]);
    (t <= leave.min(ray[7])).then_some((t, shares))
}

/// The nearest hit, of equally near ones the first.
fn nearest(ray: &RayWords, shapes: &[Shape]) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for (number, shape) in shapes.iter().enumerate().filter(|_| is_ray(ray)) {
        if let Some((t, shares)) = meet(ray, shape)
            && best.is_none_or(|best| t < best.1)
        {
            best = Some((number, t, shares));
        }
    }
    best
}

/// Rays of all kinds at shapes in a cube of 100.
pub(crate) fn rays_at(random: &mut Random, shapes: &[Shape], n: u32) -> Vec<RayWords> {
    let mut one = || {
        let origin = [0; 3].map(|_| random.float() * 0.1);
        let target = match shapes.get(random.below(shapes.len() as u32) as usize) {
            // A corner, the middle of an edge, or somewhere.
            Some(shape) if shape.bounds.is_some() && random.below(2) == 0 => {
                let corner = |k: usize| match shape.words.get(k * 3..k * 3 + 3) {
                    Some(&[x, y, z]) => [x, y, z],
                    _ => [shape.words[0], shape.words[1], shape.words[2]],
                };
                let (a, b) = (corner(random.below(3) as usize), corner(random.below(3) as usize));
                [0, 1, 2].map(|k: usize| (a[k] + b[k]) * 0.5)
            }
            _ => [0; 3].map(|_| random.float() * 0.05),
        };
        let mut direction = minus(target, origin);
        let mut span = [0.0, f32::INFINITY];
        match random.below(24) {
            0..3 => direction = [[0.0, -2.0, 0.0], [0.0, 0.0, 0.5], [1.0, 0.0, 0.0]][random.below(3) as usize],
            3..6 => direction[random.below(3) as usize] = 0.0,
            6..8 => span = [0.3, 0.9],
            8 => span = [-2.0, 2.0],
            9 => direction = direction.map(|d| d * 1.0e-6),
            10 => direction = direction.map(|d| d * 1.0e4),
            11 => direction = [[0.0; 3], [f32::NAN, 1.0, 0.0], [1.0e-10, 0.0, 0.0]][random.below(3) as usize],
            12 => span = [[1.0, 0.5], [f32::NAN, 1.0], [f32::NEG_INFINITY, f32::INFINITY]][random.below(3) as usize],
            _ => {}
        }
        let ([ox, oy, oz], [dx, dy, dz]) = (origin, direction);
        [ox, oy, oz, dx, dy, dz, span[0], span[1]]
    };
    (0..n).map(|_| one()).collect()
}

fn upload(device: &Device, rays: &[RayWords]) -> Column {
    device.upload(&rays.concat(), 8).unwrap()
}

fn check_rays(what: &str, random: &mut Random, shapes: &[Shape], make: Make<'_>) {
    let n = shapes.len() as u32;
    let rays = rays_at(random, shapes, 300);
    for (front, rays_front) in live_counts(n).into_iter().zip(live_counts(300).into_iter().rev()) {
        let shapes = &shapes[..front.min(n) as usize];
        let hits: Vec<Option<Hit>> = rays
            .iter()
            .enumerate()
            .map(|(i, ray)| nearest(ray, shapes).filter(|_| (i as u32) < rays_front))
            .collect();
        let primitives: Vec<i32> = hits.iter().map(|hit| hit.map_or(-1, |hit| hit.0 as i32)).collect();
        // Zeros have no sign.
        let ts: Vec<f32> = hits.iter().map(|hit| hit.map_or(0.0, |hit| hit.1) + 0.0).collect();
        let shares: Vec<f32> = hits
            .iter()
            .flat_map(|hit| hit.map_or([0.0; 2], |hit| hit.2.map(|s| s + 0.0)))
            .collect();
        let is_met: Vec<i32> = hits.iter().map(|hit| i32::from(hit.is_some())).collect();
        let expected = [
            primitives.to_words(),
            ts.to_words(),
            shares.to_words(),
            is_met.to_words(),
        ];
        check_all(
            &format!("{rays_front} rays at {front} of {n} {what}"),
            &expected[..3],
            |device, rec| {
                let tree = make(device, rec, front).unwrap();
                let rays = live(device, &upload(device, &rays), rays_front);
                let hits = bvh_ray(rec, &tree, &rays, RayMode::Nearest).unwrap();
                vec![hits.primitive, hits.t, hits.uv]
            },
        );
        check_any(shapes, &rays, rays_front, &hits, |device, rec| make(device, rec, front));
    }
}

/// Any hit is a hit, where there is one, and the same on every device.
fn check_any(
    shapes: &[Shape],
    rays: &[RayWords],
    front: u32,
    hits: &[Option<Hit>],
    make: impl Fn(&Device, &mut Recorder) -> Result<Bvh>,
) {
    let mut first: Option<(Vec<i32>, Vec<f32>)> = None;
    for (name, device) in devices_once() {
        let mut rec = device.record("any");
        let tree = make(device, &mut rec).unwrap();
        let any = bvh_ray(
            &mut rec,
            &tree,
            &live(device, &upload(device, rays), front),
            RayMode::Any,
        )
        .unwrap();
        rec.finish().unwrap().submit().unwrap();
        let found = any.primitive.as_capacity().read::<i32>().unwrap().wait().unwrap();
        let ts = any.t.as_capacity().read::<f32>().unwrap().wait().unwrap();
        for (((found, t), ray), hit) in found.iter().zip(&ts).zip(rays).zip(hits) {
            assert_eq!(*found >= 0, hit.is_some(), "{name}: {ray:?}");
            if *found >= 0 {
                let own = meet(ray, &shapes[*found as usize]).map(|own| own.0 + 0.0);
                assert_eq!(own, Some(*t), "{name}: {ray:?} and {found}");
            }
        }
        let answer = (found, ts);
        assert_eq!(
            first.get_or_insert_with(|| answer.clone()),
            &answer,
            "{name} finds others"
        );
    }
}

#[test]
pub(crate) fn rays_meet_what_is_nearest() {
    let mut random = Random(211);
    for n in sizes().into_iter().filter(|n| *n <= 1025).chain([3_000]) {
        of_every_kind(&mut random, n, check_rays);
    }
}

/// What rays at triangles find, on every device: the primitive, `t`, the shares and how many nodes were looked at.
type Found = (Vec<i32>, Vec<f32>, Vec<f32>, Vec<u32>);

fn ask(positions: &[Place], triangles: &[[i32; 3]], rays: &[RayWords]) -> Vec<(&'static str, Found)> {
    let mut answers = Vec::new();
    for (name, device) in devices_once() {
        let mut rec = device.record("ask");
        let positions = device.upload(&positions.concat(), 3).unwrap();
        let triangles = device.upload(&triangles.concat(), 3).unwrap();
        let tree = bvh_triangles(&mut rec, &positions, &triangles).unwrap();
        let hits = bvh_ray(&mut rec, &tree, &upload(device, rays), RayMode::Nearest).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let found = (
            hits.primitive.read::<i32>().unwrap().wait().unwrap(),
            hits.t.read::<f32>().unwrap().wait().unwrap(),
            hits.uv.read::<f32>().unwrap().wait().unwrap(),
            hits.visited.read::<u32>().unwrap().wait().unwrap(),
        );
        answers.push((*name, found));
    }
    answers
}

/// A closed ball of 20 * 4^`cuts` triangles that share their corners, turned and moved so that nothing lies along an axis.
pub(crate) fn globe(cuts: u32, radius: f64, centre: [f64; 3]) -> (Vec<Place>, Vec<[i32; 3]>) {
    let golden = (1.0 + 5.0f64.sqrt()) / 2.0;
    let mut points: Vec<[f64; 3]> = Vec::new();
    for (a, b) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
        points.extend([[a, b, 0.0], [0.0, a, b], [b, 0.0, a]]);
    }
    // Corners at the distance of an edge, which is 2, are the corners of a triangle.
    let apart = |p: [f64; 3], q: [f64; 3]| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
    let mut faces: Vec<[usize; 3]> = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if [(a, b), (b, c), (a, c)]
                    .iter()
                    .all(|(p, q)| apart(points[*p], points[*q]) < 2.1)
                {
                    faces.push([a, b, c]);
                }
            }
        }
    }
    assert_eq!(faces.len(), 20);
    for _ in 0..cuts {
        let mut middles = std::collections::BTreeMap::new();
        let mut middle = |points: &mut Vec<[f64; 3]>, a: usize, b: usize| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum = [0, 1, 2].map(|k: usize| points[a][k] + points[b][k]);
                let size = apart(sum, [0.0; 3]);
                points.push(sum.map(|x| x / size * (1.0 + golden * golden).sqrt()));
                points.len() - 1
            })
        };
        let mut next = Vec::new();
        for [a, b, c] in faces {
            let (ab, bc, ca) = (
                middle(&mut points, a, b),
                middle(&mut points, b, c),
                middle(&mut points, c, a),
            );
            next.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        faces = next;
    }
    let place = |p: &[f64; 3]| {
        let size = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        let [x, y, z] = p.map(|x| x / size);
        let turned = [
            0.8 * x - 0.6 * y,
            0.6 * (0.6 * x + 0.8 * y) - 0.8 * z,
            0.8 * (0.6 * x + 0.8 * y) + 0.6 * z,
        ];
        [0, 1, 2].map(|k: usize| (turned[k] * radius + centre[k]) as f32)
    };
    let faces = faces.iter().map(|face| face.map(|corner| corner as i32)).collect();
    (points.iter().map(place).collect(), faces)
}

/// Rays from outside and inside through the corners and along edges of a closed surface, and what each must find.
fn rays_through_seams(
    random: &mut Random,
    positions: &[Place],
    triangles: &[[i32; 3]],
    centre: Place,
    n: u32,
) -> Vec<RayWords> {
    let mut one = || {
        let corners = triangles[random.below(triangles.len() as u32) as usize];
        let corner = |k: usize| positions[corners[k] as usize];
        let (a, b) = (corner(0), corner(1));
        let share = [0.0, 0.5, 0.25, 0.123][random.below(4) as usize];
        let through = [0, 1, 2].map(|k: usize| a[k] + (b[k] - a[k]) * share);
        // From the middle, and from far outside through the middle.
        let origin = match random.below(2) {
            0 => centre,
            _ => [0, 1, 2].map(|k: usize| centre[k] + (centre[k] - through[k]) * 1.5),
        };
        let [dx, dy, dz] = minus(through, origin);
        [origin[0], origin[1], origin[2], dx, dy, dz, 0.0, f32::INFINITY]
    };
    (0..n).map(|_| one()).collect()
}

#[test]
fn no_ray_slips_between_triangles_that_share_an_edge_or_a_corner() {
    let mut random = Random(213);
    for (radius, centre) in [
        (1.0, [0.0; 3]),
        (50.0, [3_000.0, -777.7, 12_345.6]),
        (0.02, [0.3, 0.1, -0.2]),
    ] {
        let (positions, triangles) = globe(3, radius, centre);
        let middle = centre.map(|x: f64| x as f32);
        let rays = rays_through_seams(&mut random, &positions, &triangles, middle, 20_000);
        for (name, (found, ..)) in ask(&positions, &triangles, &rays) {
            let missed = found.iter().position(|found| *found < 0);
            assert_eq!(
                missed.map(|at| rays[at]),
                None,
                "{name}: a globe of {radius} at {centre:?}"
            );
        }
    }
}

#[test]
fn no_ray_slips_through_a_sheet_along_the_axes() {
    let shape = Lattice {
        counts: [33, 1, 33],
        origin: [-1.6, 0.7, 3.3],
        spacing: [0.1, 1.0, 0.1],
    };
    for (name, device) in devices_once() {
        let mut rec = device.record("sheet");
        let points = lattice(&mut rec, shape).unwrap();
        let faces = grid_faces(&mut rec, 33, 33).unwrap();
        let tree = bvh_triangles(&mut rec, &points, &faces).unwrap();
        // Straight down and askew, at every point of the sheet, its outermost too, and in the middle of every edge.
        let mut rays: Vec<RayWords> = Vec::new();
        for at in 0..65u16 {
            for along in 0..65u16 {
                let [x, z] = [-1.6 + f32::from(at) * 0.05, 3.3 + f32::from(along) * 0.05];
                rays.push([x, 5.0, z, 0.0, -1.0, 0.0, 0.0, 10.0]);
                let inside = |k: u16| (1..64).contains(&k);
                if inside(at) && inside(along) {
                    rays.push([x - 4.3, 5.0, z, 4.3, -4.3, 0.0, 0.0, 10.0]);
                }
            }
        }
        let edge = |ray: &RayWords| {
            (ray[0] - -1.6).abs() < 0.01
                || (ray[0] - 1.6).abs() < 0.01
                || (ray[2] - 3.3).abs() < 0.01
                || (ray[2] - 6.5).abs() < 0.01
        };
        let hits = bvh_ray(&mut rec, &tree, &upload(device, &rays), RayMode::Nearest).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let found = hits.primitive.read::<i32>().unwrap().wait().unwrap();
        let ts = hits.t.read::<f32>().unwrap().wait().unwrap();
        for ((ray, found), t) in rays.iter().zip(found).zip(ts) {
            // At the rim the ray's own rounding decides.
            assert!(found >= 0 || edge(ray), "{name}: {ray:?}");
            let expected = (0.7 - ray[1]) / ray[4];
            assert!(found < 0 || (t - expected).abs() < 1.0e-5, "{name}: {ray:?} at {t}");
        }
    }
}

#[test]
fn hits_are_where_rays_meet_triangles() {
    let mut random = Random(214);
    let (positions, triangles) = globe(4, 10.0, [1.0, 2.0, 3.0]);
    let rays = rays_at(&mut random, &triangles_of(&positions, &triangles), 4_000);
    for (name, (found, ts, shares, _)) in ask(&positions, &triangles, &rays) {
        for (((ray, found), t), shares) in rays.iter().zip(found).zip(ts).zip(shares.chunks(2)) {
            let Some(corners) = triangles.get(found as usize) else {
                continue;
            };
            let [a, b, c] = corners.map(|corner| positions[corner as usize].map(f64::from));
            for k in 0..3 {
                let on_ray = f64::from(ray[k]) + f64::from(ray[k + 3]) * f64::from(t);
                let (v, w) = (f64::from(shares[0]), f64::from(shares[1]));
                let on_triangle = a[k] * (1.0 - v - w) + b[k] * v + c[k] * w;
                assert!(
                    (on_ray - on_triangle).abs() < 2.0e-4,
                    "{name}: {ray:?}: {on_ray} {on_triangle}"
                );
            }
        }
    }
}

/// A name, positions and triangles.
pub(crate) type Scene = (&'static str, Vec<Place>, Vec<[i32; 3]>);

/// A wavy sheet, and a cloud of small triangles: some 100 000 each.
pub(crate) fn large_scenes(random: &mut Random) -> Vec<Scene> {
    let sheet: Vec<Place> = (0..225 * 225u16)
        .map(|i| {
            [
                f32::from(i % 225),
                f32::from(i % 225 * (i / 225) % 97) * 0.02,
                f32::from(i / 225),
            ]
        })
        .map(|[x, y, z]| [x * 0.4 - 45.0, y, z * 0.4 - 45.0])
        .collect();
    let faces = (0..224 * 224i32).flat_map(|i| {
        let a = i / 224 * 225 + i % 224;
        [[a, a + 225, a + 1], [a + 1, a + 225, a + 226]]
    });
    let mut cloud: Vec<Place> = Vec::new();
    for _ in 0..100_000 {
        let middle = [0; 3].map(|_| random.float() * 0.05);
        cloud.extend([0; 3].map(|_| middle.map(|x| x + random.float() * 0.000_5)));
    }
    let own = (0..100_000).map(|i| [i * 3, i * 3 + 1, i * 3 + 2]);
    vec![("sheet", sheet, faces.collect()), ("cloud", cloud, own.collect())]
}

/// The tree keeps a ray from most of a scene, and every device walks alike.
#[test]
fn walks_are_short_and_the_same_everywhere() {
    let mut random = Random(215);
    for (scene, positions, triangles) in large_scenes(&mut random) {
        let rays = rays_at(&mut random, &triangles_of(&positions, &triangles), 2_000);
        let mut first: Option<Found> = None;
        for (name, answer) in ask(&positions, &triangles, &rays) {
            let met = answer.0.iter().filter(|found| **found >= 0).count();
            assert!(met > 200, "{scene} on {name}: {met} hits");
            let mean = answer.3.iter().map(|visited| u64::from(*visited)).sum::<u64>() / 2_000;
            assert!((20..300).contains(&mean), "{scene} on {name}: {mean} nodes a ray");
            let first = first.get_or_insert_with(|| answer.clone());
            assert!(*first == answer, "{scene}: {name} walks another way");
        }
    }
}

#[test]
fn codes_that_tell_nothing_apart_still_part_by_boxes() {
    // A far triangle makes one code of all the others, which stand in a row.
    let mut positions: Vec<Place> = (0..12_000u16)
        .map(|i| [f32::from(i / 3), f32::from(i % 3 / 2), f32::from(i % 3 % 2)])
        .collect();
    positions.extend([[1.0e9; 3]; 3]);
    let triangles: Vec<[i32; 3]> = (0..4_001).map(|i| [i * 3, i * 3 + 1, i * 3 + 2]).collect();
    let rays: Vec<RayWords> = (0..4_000u16)
        .map(|i| [f32::from(i) - 0.5, 0.25, 0.25, 1.0, 0.0, 0.0, 0.0, 1.0])
        .collect();
    for (name, (found, _, _, visited)) in ask(&positions, &triangles, &rays) {
        assert!(found.iter().enumerate().all(|(i, found)| *found == i as i32), "{name}");
        // Twelve levels, two nodes each, and what a ray of length 1 touches besides.
        let most = visited.iter().max().copied().unwrap();
        assert!(most <= 50, "{name}: {most}");
    }
}

#[test]
fn rays_over_nothing_and_at_nothing_find_nothing() {
    let ray = [[0.0, 5.0, 0.0, 0.0, -1.0, 0.0, 0.0, 9.0]; 3];
    check_all(
        "no tree",
        &[[-1i32; 3].to_words(), vec![0; 3], vec![0; 6], vec![0; 3]],
        |device, rec| {
            let tree = bvh_balls(rec, &device.upload::<f32>(&[], 4).unwrap()).unwrap();
            let hits = bvh_ray(rec, &tree, &upload(device, &ray), RayMode::Nearest).unwrap();
            vec![hits.primitive, hits.t, hits.uv, hits.visited]
        },
    );
    check_all("no rays", &[vec![]], |device, rec| {
        let tree = bvh_balls(rec, &device.upload(&[0.0f32, 0.0, 0.0, 1.0], 4).unwrap()).unwrap();
        vec![
            bvh_ray(rec, &tree, &device.upload::<f32>(&[], 8).unwrap(), RayMode::Any)
                .unwrap()
                .primitive,
        ]
    });
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let tree = bvh_balls(&mut rec, &device.upload(&[0.0f32; 4], 4).unwrap()).unwrap();
        let short = bvh_ray(&mut rec, &tree, &device.upload(&[0.0f32; 7], 7).unwrap(), RayMode::Any);
        assert!(matches!(short, Err(Error::WrongShape { .. })), "{name}: {short:?}");
        let ints = bvh_ray(&mut rec, &tree, &device.upload(&[0i32; 8], 8).unwrap(), RayMode::Any);
        assert!(matches!(ints, Err(Error::WrongElement { .. })), "{name}: {ints:?}");
    }
}
