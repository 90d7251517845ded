//! What stands on ground asks it.

use crate::common::rugged;
use glam::Vec3;
use zero_terrain::{Grid, Heightfield};

fn grid(width: u32, height: u32) -> Grid {
    Grid {
        width,
        height,
        spacing_m: [2.0, 3.0],
        origin_m: [10.0, -20.0],
    }
}

#[test]
fn heights_are_the_samples_at_the_samples_and_straight_between_them() {
    let ground = Heightfield::new(grid(2, 2), vec![0.0, 10.0, 20.0, 50.0]).unwrap();
    for (x, z, height) in [
        (11.0, -18.5, 0.0),
        (13.0, -18.5, 10.0),
        (11.0, -15.5, 20.0),
        (13.0, -15.5, 50.0),
        (12.0, -17.0, 20.0),
        // Past the outer samples, and past the edge.
        (10.0, -20.0, 0.0),
        (99.0, 99.0, 50.0),
    ] {
        assert_eq!(ground.height_at(x, z), height, "({x}, {z})");
    }
    assert_eq!(ground.range_m(), [0.0, 50.0]);
    assert!(ground.height_at(f32::NAN, f32::INFINITY).is_finite());
}

#[test]
fn a_plane_has_one_normal_and_one_slope_in_radians() {
    let heights = (0..8 * 8).map(|i| (i % 8) as f32 * 2.0).collect();
    let ground = Heightfield::new(grid(8, 8), heights).unwrap();
    for (x, z) in [(10.0, -20.0), (17.3, -8.1), (25.9, 3.9)] {
        assert!((ground.slope_at(x, z) - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!((ground.normal_at(x, z) - Vec3::new(-half, half, 0.0)).length() < 1e-6);
    }
}

#[test]
fn a_sample_grid_has_both_edges() {
    let ground = Heightfield::new(grid(6, 5), rugged(6, 5)).unwrap();
    let heights = ground.sample_grid(13, 11).unwrap();
    assert_eq!(heights.len(), 13 * 11);
    for (i, height) in heights.iter().enumerate() {
        let (x, z) = (10.0 + (i % 13) as f32, -20.0 + (i / 13) as f32 * 1.5);
        assert_eq!(*height, ground.height_at(x, z), "({x}, {z})");
    }
    assert_eq!(ground.sample_grid(1, 1).unwrap(), [ground.height_at(16.0, -12.5)]);
    assert!(ground.sample_grid(0, 3).unwrap_err().to_string().contains("0 x 3"));
}

#[test]
fn a_ray_that_starts_on_the_ground_meets_it_only_where_it_goes_beneath() {
    // A valley of 45 degrees along Z, whose bottom is the line x = 15.
    let valley = Grid {
        width: 4,
        height: 2,
        spacing_m: [10.0, 10.0],
        origin_m: [-5.0, 0.0],
    };
    let ground = Heightfield::new(valley, [20.0, 10.0, 10.0, 20.0].repeat(2)).unwrap();
    let cast = |x: f32, y: f32, toward: Vec3| {
        let hit = ground.ray_cast(Vec3::new(x, y, 10.0), toward, 100.0).unwrap();
        hit.map(|hit| hit.distance_m)
    };
    assert_eq!(ground.height_at(5.0, 10.0), 15.0);
    assert_eq!(cast(5.0, 15.0, Vec3::Y), None);
    assert_eq!(cast(5.0, 15.0, Vec3::NEG_Y), Some(0.0));
    assert_eq!(cast(5.0, 15.0, Vec3::NEG_X), Some(0.0));
    // Over the valley to the other side, and along the flat bottom up to where the ground rises.
    assert_eq!(cast(5.0, 15.0, Vec3::X), Some(20.0));
    assert_eq!(cast(12.0, 10.0, Vec3::X), Some(8.0));
    // From beneath it passes on its way up.
    assert_eq!(cast(5.0, 14.0, Vec3::Y), Some(1.0));
    assert_eq!(cast(5.0, 14.0, Vec3::NEG_Y), None);
    let flat = Heightfield::new(valley, vec![3.0; 8]).unwrap();
    assert_eq!(flat.ray_cast(Vec3::new(1.0, 3.0, 10.0), Vec3::X, 100.0).unwrap(), None);
    // A twisted cell, along whose diagonal the ground is a parabola: from its foot up and down onto it again.
    let twisted = Grid { width: 2, ..valley };
    let ground = Heightfield::new(twisted, vec![0.0, 4.0, 4.0, 0.0]).unwrap();
    let hit = ground
        .ray_cast(Vec3::new(0.0, 0.0, 5.0), Vec3::new(1.0, 0.05, 1.0), 100.0)
        .unwrap();
    assert_eq!(hit.map(|hit| hit.distance_m), Some(0.0));
    let hit = ground
        .ray_cast(Vec3::new(0.0, 4.0, 15.0), Vec3::new(1.0, -0.5, -1.0), 100.0)
        .unwrap();
    let back = hit.unwrap();
    assert!(
        back.distance_m > 3.0
            && (back.position_m.y - ground.height_at(back.position_m.x, back.position_m.z)).abs() < 1e-4
    );
}

#[test]
fn a_ray_meets_the_ground_where_a_fine_march_says() {
    let ground = Heightfield::new(grid(16, 14), rugged(16, 14)).unwrap();
    let mut met = 0;
    for i in 0..120u32 {
        let draw = |k: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(k * 40_503) >> 8 & 0xffff) as f32 / 65_536.0;
        let origin = Vec3::new(draw(1) * 60.0 - 4.0, 230.0, draw(2) * 70.0 - 36.0);
        let direction = Vec3::new(draw(3) - 0.5, -0.9, draw(4) - 0.5);
        let hit = ground.ray_cast(origin, direction, 1_000.0).unwrap();
        let length = f64::from(direction.length());
        let place = |at: f64| [0, 1, 2].map(|axis| f64::from(origin[axis]) + f64::from(direction[axis]) / length * at);
        let inside = |p: [f64; 3]| (10.0..=42.0).contains(&p[0]) && (-20.0..=22.0).contains(&p[2]);
        let marched = (0..400_000).map(|step| f64::from(step) * 0.001).find(|at| {
            let p = place(*at);
            inside(p) && p[1] <= f64::from(ground.height_at(p[0] as f32, p[2] as f32))
        });
        match (hit, marched) {
            (Some(hit), Some(at)) => {
                met += 1;
                assert!(
                    (f64::from(hit.distance_m) - at).abs() < 0.003,
                    "ray {i}: {} and {at}",
                    hit.distance_m
                );
                let height = ground.height_at(hit.position_m.x, hit.position_m.z);
                assert!((hit.position_m.y - height).abs() < 0.01, "ray {i}");
                assert!(hit.normal.y > 0.0);
            }
            (None, None) => {}
            // A ray that enters beneath the ground passes no surface.
            (None, Some(at)) => {
                assert!(!inside(place(at - 0.001)), "ray {i} passed through at {at}");
            }
            (Some(hit), None) => panic!("ray {i} met nothing at {}", hit.distance_m),
        }
    }
    assert!(met > 30, "{met}");
    let down = ground
        .ray_cast(Vec3::new(20.0, 500.0, 0.0), Vec3::NEG_Y, 10_000.0)
        .unwrap()
        .unwrap();
    assert!((down.position_m.y - ground.height_at(20.0, 0.0)).abs() < 1e-4);
    assert_eq!(
        ground.ray_cast(Vec3::new(20.0, 500.0, 0.0), Vec3::Y, 10_000.0).unwrap(),
        None
    );
    assert_eq!(
        ground.ray_cast(Vec3::new(20.0, 500.0, 0.0), Vec3::NEG_Y, 10.0).unwrap(),
        None
    );
    assert!(ground.ray_cast(Vec3::ZERO, Vec3::ZERO, 1.0).is_err());
    assert!(ground.ray_cast(Vec3::ZERO, Vec3::NAN, 1.0).is_err());
}
