//! Cellular noise finds the nearest two of all feature points.

use zero_noise::*;

const METRICS: [Metric; 3] = [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev];

/// The feature point of a cell, as the documentation places it, and its id.
fn feature<const D: usize>(seed: u32, cell: [i32; D]) -> ([f32; D], u32) {
    let scope = cell.iter().fold(Scope::new(seed).text("cel"), |scope, &x| scope.int(x));
    let (plane, height) = (scope.text("").hash(), scope.text("").text("").hash());
    let digits = [plane & 0xffff, plane >> 16, height >> 16];
    (std::array::from_fn(|d| digits[d] as f32 / 65_536.0), scope.hash())
}

fn distance<const D: usize>(metric: Metric, way: [f32; D]) -> f32 {
    match metric {
        Metric::Euclidean => sqrt(way.iter().skip(1).fold(way[0] * way[0], |sum, x| sum + x * x)),
        Metric::Manhattan => way.iter().fold(0.0, |sum, x| sum + x.abs()),
        Metric::Chebyshev => way.iter().fold(0.0, |longest, x| x.abs().max(longest)),
    }
}

/// Every cell within so many rings, none left out.
fn by_force<const D: usize>(seed: u32, at: [f32; D], metric: Metric, rings: i32) -> Cellular {
    let side = 2 * rings + 1;
    let cell = at.map(|x| x.floor());
    let mut found: Vec<(f32, u32)> = (0..side.pow(D as u32))
        .map(|k| {
            let step: [i32; D] = std::array::from_fn(|d| k / side.pow(d as u32) % side - rings);
            let (point, id): ([f32; D], u32) = feature(seed, std::array::from_fn(|d| cell[d] as i32 + step[d]));
            let way: [f32; D] = std::array::from_fn(|d| (step[d] as f32 - (at[d] - cell[d])) + point[d]);
            (distance(metric, way), id)
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    Cellular {
        f1: found[0].0,
        f2: found[1].0,
        id: found[0].1,
    }
}

/// The two nearest distances in f64.
fn precisely<const D: usize>(seed: u32, at: [f32; D], metric: Metric) -> [f64; 2] {
    let mut nearest = [f64::MAX; 2];
    for k in 0..7_i32.pow(D as u32) {
        let step: [i32; D] = std::array::from_fn(|d| k / 7_i32.pow(d as u32) % 7 - 3);
        let (point, _): ([f32; D], u32) = feature(seed, std::array::from_fn(|d| at[d].floor() as i32 + step[d]));
        let way: [f64; D] = std::array::from_fn(|d| {
            let cell = f64::from(at[d].floor()) + f64::from(step[d]);
            cell + f64::from(point[d]) - f64::from(at[d])
        });
        let distance = match metric {
            Metric::Euclidean => way.iter().map(|x| x * x).sum::<f64>().sqrt(),
            Metric::Manhattan => way.iter().map(|x| x.abs()).sum(),
            Metric::Chebyshev => way.iter().fold(0.0, |longest: f64, x| longest.max(x.abs())),
        };
        if distance < nearest[0] {
            nearest = [distance, nearest[0]];
        } else if distance < nearest[1] {
            nearest[1] = distance;
        }
    }
    nearest
}

#[test]
fn distances_err_by_less_than_stated() {
    let mut worst = 0.0_f64;
    for (i, [x, y, z]) in places(6_000).enumerate() {
        let metric = METRICS[i % 3];
        let (plane, space) = (cellular2(2, x, y, metric), cellular3(2, x, y, z, metric));
        let wide = [precisely(2, [x, y], metric), precisely(2, [x, y, z], metric)];
        for (got, want) in [plane, space].iter().zip(wide) {
            let errors = [f64::from(got.f1) - want[0], f64::from(got.f2) - want[1]];
            worst = errors.iter().fold(worst, |worst, error| worst.max(error.abs()));
        }
    }
    println!("cellular: errs by 2^{:.2}", worst.log2());
    assert!((2_f64.powi(-24)..2_f64.powi(-22)).contains(&worst), "{worst:e}");
}

/// Places of every kind: anywhere, at the middle of cells, at their borders and corners.
fn places(count: u32) -> impl Iterator<Item = [f32; 3]> {
    let state = Scope::new(3).text("cells").state();
    (0..count).map(move |i| {
        std::array::from_fn(|d| {
            let x = draw(state, 3 * i + d as u32) * 256.0 - 128.0;
            match finish(i * 3 + d as u32) % 6 {
                0 => x.floor(),
                1 => x.floor() + 0.5,
                2 => x.floor().next_down(),
                _ => x,
            }
        })
    })
}

/// Bit by bit, the id where no other point is as near.
fn same(got: Cellular, want: Cellular, what: std::fmt::Arguments<'_>) {
    assert_eq!(
        (got.f1.to_bits(), got.f2.to_bits()),
        (want.f1.to_bits(), want.f2.to_bits()),
        "{what}"
    );
    assert!(got.id == want.id || got.f1 == got.f2, "{what}: another nearest point");
}

#[test]
fn the_nearest_two_of_the_plane_are_found() {
    for (i, [x, y, _]) in places(20_000 * crate::scale::scale().min(100)).enumerate() {
        let (seed, metric) = (i as u32, METRICS[i % 3]);
        let want = by_force(seed, [x, y], metric, 4);
        same(
            cellular2(seed, x, y, metric),
            want,
            format_args!("{metric:?} at {x} {y}, seed {seed}"),
        );
    }
}

#[test]
fn the_nearest_two_of_space_are_found() {
    for (i, [x, y, z]) in places(4_000 * crate::scale::scale().min(100)).enumerate() {
        let (seed, metric) = (i as u32, METRICS[i % 3]);
        let want = by_force(seed, [x, y, z], metric, 4);
        same(
            cellular3(seed, x, y, z, metric),
            want,
            format_args!("{metric:?} at {x} {y} {z}, seed {seed}"),
        );
    }
}

/// The rings behind the first are there for a reason: without them some of these would be wrong, but by the Chebyshev
/// metric, which needs none.
#[test]
fn the_first_ring_is_not_enough() {
    for metric in METRICS {
        let missed = places(20_000)
            .filter(|&[x, y, _]| by_force(1, [x, y], metric, 1) != cellular2(1, x, y, metric))
            .count();
        assert_eq!(
            missed == 0,
            metric == Metric::Chebyshev,
            "{metric:?}: {missed} are farther"
        );
    }
}

/// The id is that of one cell, and the distances vary without jumps.
#[test]
fn ids_are_constant_where_the_nearest_point_is() {
    let step = 1.0 / 512.0;
    let mut before: Option<Cellular> = None;
    for i in 0..40_000 {
        let (x, y) = (i as f32 * step, 0.37 + i as f32 * step * 0.25);
        let here = cellular2(9, x, y, Metric::Euclidean);
        if let Some(before) = before {
            assert!(
                (here.f1 - before.f1).abs() < 1.1 * step && (here.f2 - before.f2).abs() < 1.1 * step,
                "{x} {y}"
            );
            assert!(
                here.id == before.id || here.f2 - here.f1 < 3.0 * step,
                "the id changes within a cell at {x} {y}"
            );
        }
        before = Some(here);
    }
}
