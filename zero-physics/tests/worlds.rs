//! What a user of worlds relies on.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]

use glam::{Quat, Vec3};
use zero_physics::rapier3d::prelude::{QueryFilter, Ray};
use zero_physics::{Body, BodyId, BodyState, Error, HeightGrid, Surface, World, WorldOptions};

const COLUMNS: u32 = 41;
const ROWS: u32 = 33;
const SPACING_M: [f32; 2] = [1.5, 2.0];
const ORIGIN_M: [f32; 2] = [-30.0, 12.0];

/// The middle of sample (i, j).
fn place(column: u32, row: u32) -> [f32; 2] {
    [(column, 0), (row, 1)].map(|(at, side)| ORIGIN_M[side] + (at as f32 + 0.5) * SPACING_M[side])
}

/// Heights of a function of the place.
fn heights(height: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    let samples = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| place(column, row)));
    samples.map(|[x, z]| height(x, z)).collect()
}

fn grid(heights_m: &[f32]) -> HeightGrid<'_> {
    HeightGrid {
        columns: COLUMNS,
        rows: ROWS,
        spacing_m: SPACING_M,
        origin_m: ORIGIN_M,
        heights_m,
    }
}

fn world_on(heights_m: &[f32]) -> World {
    let mut world = World::new(WorldOptions::default()).unwrap();
    world.add_ground(&grid(heights_m), Surface::default()).unwrap();
    world
}

/// Rough ground without any symmetry: rows and columns exchanged, or either turned about, it is another. Of sums and
/// products alone, so that it is the same on every machine.
fn rough(x: f32, z: f32) -> f32 {
    let wave = |turns: f32| 8.0 * (turns - turns.round()).abs() - 2.0;
    0.3 * x - 0.7 * z + 0.01 * x * x + wave(0.064 * x + 0.032 * z) + 0.5 * wave(0.143 * z)
}

/// The ground as the documentation says it is: two triangles between four samples.
fn triangle_height(heights_m: &[f32], x: f32, z: f32) -> f32 {
    let cell = |place: f32, side: usize, count: u32| {
        let at = (place - ORIGIN_M[side]) / SPACING_M[side] - 0.5;
        let before = at.floor().clamp(0.0, (count - 2) as f32);
        (before as usize, at - before)
    };
    let ((column, u), (row, v)) = (cell(x, 0, COLUMNS), cell(z, 1, ROWS));
    let at = |i: usize, j: usize| heights_m[(row + j) * COLUMNS as usize + column + i];
    match u + v <= 1.0 {
        true => at(0, 0) + u * (at(1, 0) - at(0, 0)) + v * (at(0, 1) - at(0, 0)),
        false => at(1, 1) + (1.0 - u) * (at(0, 1) - at(1, 1)) + (1.0 - v) * (at(1, 0) - at(1, 1)),
    }
}

/// Numbers from 0 to 1 that look random: a multiplicative generator.
fn shares() -> impl Iterator<Item = f32> {
    let mut state = 0x2545_f491_u32;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 8) as f32 / 16_777_216.0
    })
}

#[test]
fn a_ray_meets_each_sample_where_it_stands() {
    let heights_m = heights(rough);
    let world = world_on(&heights_m);
    let mut met = 0;
    for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
        let [x, z] = place(column, row);
        let hit = world
            .ray_cast(Vec3::new(x, 500.0, z), Vec3::NEG_Y, 1000.0)
            .unwrap()
            .unwrap();
        let expected = heights_m[(row * COLUMNS + column) as usize];
        assert!(
            (hit.pos_world.y - expected).abs() < 2e-4,
            "({column}, {row}): {hit:?} for {expected}"
        );
        assert!((hit.distance_m - (500.0 - expected)).abs() < 2e-4);
        assert_eq!(hit.body, None);
        met += 1;
    }
    assert_eq!(met, ROWS * COLUMNS);
}

#[test]
fn ground_is_two_triangles_between_four_samples_from_either_side() {
    let heights_m = heights(rough);
    let world = world_on(&heights_m);
    let [low, high] = [place(0, 0), place(COLUMNS - 1, ROWS - 1)];
    let mut shares = shares();
    let mut share = || shares.next().unwrap();
    for _ in 0..20_000 {
        let [x, z] = [0, 1].map(|side| low[side] + (0.001 + 0.998 * share()) * (high[side] - low[side]));
        let expected = triangle_height(&heights_m, x, z);
        for (from, toward, up) in [(300.0, Vec3::NEG_Y, 1.0), (-300.0, Vec3::Y, -1.0)] {
            let hit = world.ray_cast(Vec3::new(x, from, z), toward, 1000.0).unwrap().unwrap();
            assert!(
                (hit.pos_world.y - expected).abs() < 5e-4,
                "{x} {z}: {hit:?} for {expected}"
            );
            // The collider itself, which bodies stand on, is asked through rapier.
            let ray = Ray::new(Vec3::new(x, from, z), toward);
            let (collider, distance_m) = world
                .rapier()
                .cast_ray(&ray, 1000.0, true, QueryFilter::default())
                .unwrap();
            assert_eq!(collider, hit.collider);
            assert!(
                (distance_m - hit.distance_m).abs() < 5e-4,
                "{x} {z}: {hit:?}, rapier's {distance_m}"
            );
            assert!(
                hit.normal.y * up > 0.0 && (hit.normal.length() - 1.0).abs() < 1e-5,
                "{hit:?}"
            );
        }
    }
}

#[test]
fn a_slanted_ray_meets_the_first_ground_on_its_way() {
    let heights_m = heights(rough);
    let world = world_on(&heights_m);
    let [x, z] = place(20, 16);
    let eye = Vec3::new(x - 6.0, triangle_height(&heights_m, x, z) + 30.0, z + 4.0);
    let toward = Vec3::new(x, triangle_height(&heights_m, x, z), z) - eye;
    let hit = world.ray_cast(eye, toward, 1000.0).unwrap().unwrap();
    let below = triangle_height(&heights_m, hit.pos_world.x, hit.pos_world.z);
    assert!((hit.pos_world.y - below).abs() < 1e-3, "{hit:?} over {below}");
    // Before the hit the ray is above the ground all the way.
    for step in 0..200 {
        let on = eye + toward.normalize() * (hit.distance_m - 0.01) * step as f32 / 200.0;
        assert!(on.y > triangle_height(&heights_m, on.x, on.z), "{on}");
    }
    assert_eq!(world.ray_cast(eye, toward, hit.distance_m - 0.1).unwrap(), None);
}

#[test]
fn a_ray_that_starts_on_ground_meets_it_only_where_it_goes_beneath() {
    // A valley along Z of two slopes of 1 in 3, whose bottom is a row of samples.
    let [bottom, z] = place(20, 10);
    let heights_m = heights(|x, _| (x - bottom).abs() / 3.0);
    let world = world_on(&heights_m);
    let cast = |y: f32, toward: Vec3| {
        let hit = world.ray_cast(Vec3::new(bottom - 3.0, y, z), toward, 100.0).unwrap();
        hit.map(|hit| (hit.distance_m, hit.normal.y > 0.0))
    };
    assert_eq!(cast(1.0, Vec3::Y), None);
    assert_eq!(cast(1.0, Vec3::NEG_Y), Some((0.0, true)));
    assert_eq!(cast(1.0, Vec3::NEG_X), Some((0.0, true)));
    // Over the valley to the other side.
    assert_eq!(cast(1.0, Vec3::X), Some((6.0, true)));
    // From beneath it is met on the way up.
    assert_eq!(cast(0.5, Vec3::Y), Some((0.5, false)));
    assert_eq!(cast(0.5, Vec3::NEG_Y), None);
    // Along flat ground nothing is met.
    let world = world_on(&heights(|_, _| 2.0));
    assert_eq!(world.ray_cast(Vec3::new(bottom, 2.0, z), Vec3::X, 100.0).unwrap(), None);
}

#[test]
fn no_ray_slips_through_a_sample_or_an_edge() {
    let heights_m = heights(rough);
    let world = world_on(&heights_m);
    let mut shares = shares();
    let mut share = || shares.next().unwrap();
    for (row, column) in (1..ROWS - 1).flat_map(|row| (1..COLUMNS - 1).map(move |column| (row, column))) {
        let [x, z] = place(column, row);
        let [half_x, half_z] = SPACING_M.map(|spacing| 0.5 * spacing);
        // A corner of the cell, the middles of two edges, and the middle of the line between the triangles.
        for [x, z] in [[x, z], [x + half_x, z], [x, z + half_z], [x + half_x, z + half_z]] {
            let target = Vec3::new(x, triangle_height(&heights_m, x, z), z);
            let eye = Vec3::new(80.0 * share() - 40.0, 60.0 + 40.0 * share(), 80.0 * share());
            // Straight along the rows, along the columns, and from anywhere.
            for eye in [
                eye,
                Vec3::new(eye.x, eye.y, z),
                Vec3::new(x, eye.y, eye.z),
                Vec3::new(x, eye.y, z),
            ] {
                let far = eye.distance(target);
                let hit = world.ray_cast(eye, target - eye, far + 0.01).unwrap();
                assert!(hit.is_some(), "from {eye} to {target}");
            }
        }
    }
}

#[test]
fn there_is_no_ground_beyond_the_outer_samples() {
    let world = world_on(&heights(|_, _| 0.0));
    let [west, north] = place(0, 0);
    let [east, south] = place(COLUMNS - 1, ROWS - 1);
    let middle = place(20, 16);
    let met = |x: f32, z: f32| {
        world
            .ray_cast(Vec3::new(x, 9.0, z), Vec3::NEG_Y, 99.0)
            .unwrap()
            .is_some()
    };
    for inward in [0.01, -0.01] {
        let within = inward > 0.0;
        assert_eq!(met(west + inward, middle[1]), within);
        assert_eq!(met(east - inward, middle[1]), within);
        assert_eq!(met(middle[0], north + inward), within);
        assert_eq!(met(middle[0], south - inward), within);
    }
}

#[test]
fn a_ball_comes_to_rest_at_the_bottom_of_a_bowl() {
    let [bottom_x, bottom_z] = place(23, 11);
    let heights_m = heights(|x, z| 7.0 + 0.03 * (x - bottom_x).powi(2) + 0.03 * (z - bottom_z).powi(2));
    let mut world = world_on(&heights_m);
    let ball = world
        .add_body(&Body::ball(0.5, Vec3::new(bottom_x - 9.0, 16.0, bottom_z + 6.0)))
        .unwrap();
    let settled = world.settle(ball, 120.0).unwrap();
    assert!(settled.at_rest, "{settled:?}");
    let BodyState {
        pos_world,
        velocity_m_s,
        ..
    } = settled.state;
    let off = Vec3::new(pos_world.x - bottom_x, 0.0, pos_world.z - bottom_z).length();
    // It stops within the cells around the lowest sample, whose triangles are nearly level, and stands on them.
    assert!(off < 1.0, "{off} m off: {settled:?}");
    let gap = pos_world.y - 0.5 - triangle_height(&heights_m, pos_world.x, pos_world.z);
    assert!((-0.01..0.02).contains(&gap), "{gap} m over the ground: {settled:?}");
    assert_eq!(velocity_m_s, Vec3::ZERO);
    assert!(settled.secs > 1.5, "it fell and rolled: {settled:?}");
    // What sleeps takes no step.
    let again = world.settle(ball, 10.0).unwrap();
    assert_eq!((again.steps, again.state), (0, settled.state));
}

/// A box laid onto a slope along Z, its sides along it, and how far it has moved after five seconds.
fn slid_on(slope_degrees: f32, friction: f32) -> f32 {
    let rise = slope_degrees.to_radians().tan();
    let surface = Surface {
        friction,
        restitution: 0.0,
    };
    let mut world = World::new(WorldOptions::default()).unwrap();
    let [x, z] = place(20, 16);
    let heights_m = heights(|_, at| (at - z) * rise);
    world.add_ground(&grid(&heights_m), surface).unwrap();
    let turned = Quat::from_rotation_x(-slope_degrees.to_radians());
    let start = Vec3::new(x, 0.0, z) + turned * Vec3::new(0.0, 0.5, 0.0);
    let body = Body {
        rotation: turned,
        surface,
        ..Body::cuboid(Vec3::new(1.2, 1.0, 1.4), start)
    };
    let body = world.add_body(&body).unwrap();
    for _ in 0..300 {
        world.step().unwrap();
    }
    world.body(body).unwrap().pos_world.distance(start)
}

#[test]
fn a_box_stays_below_the_angle_of_friction_and_slides_above_it() {
    // arctan 0.5 is 26.6 degrees.
    assert!(slid_on(20.0, 0.5) < 0.02, "{}", slid_on(20.0, 0.5));
    assert!(slid_on(25.0, 0.5) < 0.02, "{}", slid_on(25.0, 0.5));
    assert!(slid_on(29.0, 0.5) > 1.0, "{}", slid_on(29.0, 0.5));
    assert!(slid_on(20.0, 0.1) > 1.0, "{}", slid_on(20.0, 0.1));
}

#[test]
fn what_slides_over_level_ground_does_not_stumble_on_its_edges() {
    let ice = Surface {
        friction: 0.0,
        restitution: 0.0,
    };
    let heights_m = heights(|_, _| 3.0);
    let [x, z] = place(2, 3);
    let at = Vec3::new(x, 3.5, z);
    for body in [Body::cuboid(Vec3::ONE, at), Body::ball(0.5, at)] {
        let mut world = World::new(WorldOptions::default()).unwrap();
        world.add_ground(&grid(&heights_m), ice).unwrap();
        let velocity_m_s = Vec3::new(17.0, 0.0, 11.0);
        let sliding = Body {
            velocity_m_s,
            surface: ice,
            ..body
        };
        let sliding = world.add_body(&sliding).unwrap();
        for _ in 0..180 {
            world.step().unwrap();
            let state = world.body(sliding).unwrap();
            assert!((state.pos_world.y - 3.5).abs() < 0.005, "{state:?}");
            assert!(state.velocity_m_s.distance(velocity_m_s) < 0.05, "{state:?}");
        }
        assert!(world.body(sliding).unwrap().pos_world.distance(at) > 55.0);
    }
}

#[test]
fn something_small_and_fast_does_not_pass_through() {
    let heights_m = heights(|_, _| 3.0);
    let mut world = world_on(&heights_m);
    let [x, z] = place(10, 10);
    let bullet = Body {
        velocity_m_s: Vec3::new(0.0, -400.0, 0.0),
        ..Body::ball(0.02, Vec3::new(x, 60.0, z))
    };
    let bullet = world.add_body(&bullet).unwrap();
    for _ in 0..120 {
        world.step().unwrap();
        assert!(world.body(bullet).unwrap().pos_world.y > 3.0);
    }
    assert!(world.body(bullet).unwrap().pos_world.y < 3.1);
}

/// A pile falls onto rough ground; every bit of where it is after each step. `between` is called between the steps.
fn fall(between: impl Fn(&World, &[BodyId])) -> Vec<u32> {
    let mut world = world_on(&heights(|x, z| 0.2 * rough(x, z)));
    let [x, z] = place(20, 16);
    let bodies: Vec<BodyId> = (0..24_u32)
        .map(|i| {
            let at = Vec3::new(x + (i % 3) as f32 * 0.4, 8.0 + i as f32 * 0.9, z + (i % 4) as f32 * 0.3);
            let body = match i % 2 {
                0 => Body::ball(0.4, at),
                _ => Body::cuboid(Vec3::new(0.8, 0.6, 1.0), at),
            };
            world.add_body(&body).unwrap()
        })
        .collect();
    let mut bits = Vec::new();
    for _ in 0..240 {
        between(&world, &bodies);
        world.step().unwrap();
        for body in &bodies {
            let state = world.body(*body).unwrap();
            bits.extend(state.pos_world.to_array().map(f32::to_bits));
            bits.extend(state.rotation.to_array().map(f32::to_bits));
        }
    }
    bits
}

/// Other bits on a machine mean that the feature's promise is broken there; other bits everywhere, that rapier changed.
#[cfg(feature = "enhanced-determinism")]
const PINNED_PILE: u64 = 0xc105d23dd318263a;

/// FNV-1a of 64 bits.
#[cfg(feature = "enhanced-determinism")]
fn hash(words: &[u32]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn two_runs_have_the_same_bits_and_queries_change_none() {
    let first = fall(|_, _| ());
    let second = fall(|world, bodies| {
        let above = world.body(bodies[3]).unwrap().pos_world + Vec3::new(0.0, 50.0, 0.0);
        assert!(world.ray_cast(above, Vec3::NEG_Y, 100.0).unwrap().is_some());
    });
    assert!(first == second);
    #[cfg(feature = "enhanced-determinism")]
    assert_eq!(hash(&first), PINNED_PILE, "{:#018x}", hash(&first));
    // The pile did fall apart, so that there was something to differ in.
    let (begun, ended) = (&first[..7], &first[first.len() - 24 * 7..][..7]);
    assert!((f32::from_bits(begun[1]) - f32::from_bits(ended[1])).abs() > 1.0);
}

#[test]
fn rays_see_what_was_added_what_moved_and_not_what_was_removed() {
    let mut world = World::new(WorldOptions::default()).unwrap();
    let down = |world: &World| world.ray_cast(Vec3::new(0.0, 40.0, 0.0), Vec3::NEG_Y, 100.0).unwrap();
    assert_eq!(down(&world), None);
    let flat = HeightGrid {
        columns: 2,
        rows: 2,
        spacing_m: [20.0; 2],
        origin_m: [-20.0; 2],
        heights_m: &[1.0; 4],
    };
    let ground = world.add_ground(&flat, Surface::default()).unwrap();
    assert_eq!(down(&world).unwrap().pos_world.y, 1.0);
    let ball = world.add_body(&Body::ball(1.0, Vec3::new(0.0, 20.0, 0.0))).unwrap();
    let hit = down(&world).unwrap();
    assert_eq!((hit.body, hit.pos_world.y, hit.normal), (Some(ball), 21.0, Vec3::Y));
    let settled = world.settle(ball, 20.0).unwrap();
    assert!((down(&world).unwrap().pos_world.y - settled.state.pos_world.y - 1.0).abs() < 1e-4);
    assert!((settled.state.pos_world.y - 2.0).abs() < 0.01);
    // A ray that begins inside is there already.
    let inside = world.ray_cast(settled.state.pos_world, Vec3::X, 5.0).unwrap().unwrap();
    assert_eq!(
        (inside.body, inside.distance_m, inside.normal),
        (Some(ball), 0.0, Vec3::ZERO)
    );
    world.remove_body(ball).unwrap();
    assert_eq!(down(&world).unwrap().pos_world.y, 1.0);
    world.remove_ground(ground).unwrap();
    assert_eq!(down(&world), None);
}

#[test]
fn what_lost_its_ground_falls_and_says_that_it_never_rested() {
    let mut world = World::new(WorldOptions::default()).unwrap();
    let heights_m = heights(|_, _| 0.0);
    let ground = world.add_ground(&grid(&heights_m), Surface::default()).unwrap();
    let [x, z] = place(5, 5);
    let body = world.add_body(&Body::cuboid(Vec3::ONE, Vec3::new(x, 1.0, z))).unwrap();
    assert!(world.settle(body, 10.0).unwrap().at_rest);
    world.remove_ground(ground).unwrap();
    let fallen = world.settle(body, 2.0).unwrap();
    assert_eq!((fallen.at_rest, fallen.steps), (false, 120));
    assert!(
        (fallen.secs - 2.0).abs() < 1e-6 && fallen.state.pos_world.y < -15.0,
        "{fallen:?}"
    );
}

#[test]
fn what_lay_on_a_body_that_was_taken_away_falls() {
    let mut world = world_on(&heights(|_, _| 0.0));
    let [x, z] = place(5, 5);
    let [lower, upper] = [0.5, 1.5].map(|y| world.add_body(&Body::cuboid(Vec3::ONE, Vec3::new(x, y, z))).unwrap());
    assert!(world.settle(upper, 10.0).unwrap().at_rest);
    world.remove_body(lower).unwrap();
    let fallen = world.settle(upper, 10.0).unwrap();
    assert!(
        fallen.at_rest && (fallen.state.pos_world.y - 0.5).abs() < 0.02,
        "{fallen:?}"
    );
}

#[test]
fn more_sub_steps_come_closer_to_a_free_fall() {
    let off = |sub_steps: u32| {
        let options = WorldOptions {
            sub_steps,
            ..WorldOptions::default()
        };
        let mut world = World::new(options).unwrap();
        let body = world.add_body(&Body::ball(1.0, Vec3::ZERO)).unwrap();
        for _ in 0..60 {
            world.step().unwrap();
        }
        (world.body(body).unwrap().pos_world.y + 0.5 * 9.81).abs()
    };
    let (one, eight) = (off(1), off(8));
    assert!(eight < one / 6.0 && one < 0.1, "{one} and {eight}");
}

#[test]
fn things_of_nowhere_are_named() {
    let mut world = World::new(WorldOptions::default()).unwrap();
    let body = world.add_body(&Body::ball(1.0, Vec3::ZERO)).unwrap();
    world.remove_body(body).unwrap();
    let expected = "body 0.0 is not in this world; it was removed, or comes from another world";
    for error in [
        world.body(body).unwrap_err(),
        world.remove_body(body).unwrap_err(),
        world.settle(body, 1.0).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), expected);
    }
    let ground = world.add_ground(&grid(&heights(rough)), Surface::default()).unwrap();
    world.remove_ground(ground).unwrap();
    assert!(matches!(world.remove_ground(ground), Err(Error::Missing { .. })));
}

#[test]
fn a_body_that_a_host_breaks_is_named_and_the_rest_goes_on() {
    let mut world = World::new(WorldOptions::default()).unwrap();
    let broken = world.add_body(&Body::ball(1.0, Vec3::ZERO)).unwrap();
    let sound = world.add_body(&Body::ball(1.0, Vec3::new(9.0, 0.0, 0.0))).unwrap();
    let bodies = &mut world.rapier_mut().bodies;
    bodies.get_mut(broken.handle()).unwrap().set_linvel(Vec3::NAN, true);
    let error = world.step().unwrap_err();
    assert_eq!(
        error.to_string(),
        "body 0.0 has a place or a velocity that is no finite number, and was switched off"
    );
    world.step().unwrap();
    assert!(world.body(broken).unwrap().pos_world.is_finite());
    assert!(world.body(sound).unwrap().pos_world.y < 0.0);
}

#[test]
fn bad_ground_is_refused_by_name() {
    let mut world = World::new(WorldOptions::default()).unwrap();
    let mut check = |grid: HeightGrid<'_>, message: &str| {
        assert_eq!(
            world.add_ground(&grid, Surface::default()).unwrap_err().to_string(),
            message
        );
        assert_eq!(world.rapier().colliders.len(), 0);
    };
    let good = HeightGrid {
        columns: 3,
        rows: 2,
        spacing_m: [1.0; 2],
        origin_m: [0.0; 2],
        heights_m: &[0.0; 6],
    };
    let none = HeightGrid {
        columns: 0,
        rows: 0,
        heights_m: &[],
        ..good
    };
    check(none, "the height grid: expected at least 2 samples a side, got 0 x 0");
    let line = HeightGrid {
        columns: 6,
        rows: 1,
        ..good
    };
    check(line, "the height grid: expected at least 2 samples a side, got 6 x 1");
    let huge = HeightGrid {
        columns: u32::MAX,
        rows: u32::MAX,
        ..good
    };
    check(
        huge,
        "the height grid: expected at most 536870912 samples, got 4294967295 x 4294967295",
    );
    let short = HeightGrid {
        heights_m: &[0.0; 5],
        ..good
    };
    check(
        short,
        "the height grid's heights: expected 6 numbers for 3 x 2 samples, got 5",
    );
    let nan = HeightGrid {
        heights_m: &[0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0],
        ..good
    };
    check(
        nan,
        "the height grid's height at column 1, row 1: expected -100000 to 100000 m, got NaN",
    );
    let flat = HeightGrid {
        spacing_m: [1.0, 0.0],
        ..good
    };
    check(
        flat,
        "the height grid's spacing along Z: expected 0.001 to 10000 m, got 0",
    );
    let lost = HeightGrid {
        origin_m: [f32::INFINITY, 0.0],
        ..good
    };
    check(
        lost,
        "the height grid's origin along X: expected -100000 to 100000 m, got inf",
    );
    let far = HeightGrid {
        spacing_m: [1.0, 1e4],
        origin_m: [0.0, 9e4],
        ..good
    };
    check(
        far,
        "the height grid's far end along Z: expected -100000 to 100000 m, got 110000",
    );
}

#[test]
fn bad_numbers_are_refused_by_name() {
    fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
        result.unwrap_err().to_string()
    }
    let still = WorldOptions {
        step_secs: f32::NAN,
        ..WorldOptions::default()
    };
    assert_eq!(
        message(World::new(still)),
        "the world's step: expected 0.0001 to 1 s, got NaN"
    );
    let none = WorldOptions {
        sub_steps: 0,
        ..WorldOptions::default()
    };
    assert_eq!(
        message(World::new(none)),
        "the world's sub-steps: expected 1 to 1000, got 0"
    );
    let pull = WorldOptions {
        gravity_m_s2: Vec3::new(0.0, f32::INFINITY, 0.0),
        ..WorldOptions::default()
    };
    assert_eq!(
        message(World::new(pull)),
        "the world's gravity, y: expected -1000 to 1000 m/s², got inf"
    );

    let mut world = World::new(WorldOptions::default()).unwrap();
    let ball = Body::ball(1.0, Vec3::ZERO);
    let mut refused = |body: Body, expected: &str| assert_eq!(message(world.add_body(&body)), expected);
    refused(
        Body::ball(0.0, Vec3::ZERO),
        "the ball's radius: expected 0.001 to 1000 m, got 0",
    );
    refused(
        Body::cuboid(Vec3::new(1.0, f32::NAN, 1.0), Vec3::ZERO),
        "half the box's side along y: expected 0.001 to 1000 m, got NaN",
    );
    refused(
        Body {
            pos_world: Vec3::new(0.0, 0.0, f32::NAN),
            ..ball
        },
        "the body's place, z: expected -100000 to 100000 m, got NaN",
    );
    refused(
        Body {
            rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            ..ball
        },
        "the body's rotation: expected a quaternion of length 1, got [0, 0, 0, 0]",
    );
    refused(
        Body {
            density_kg_m3: 0.0,
            ..ball
        },
        "the body's density: expected 0.01 to 100000 kg/m³, got 0",
    );
    refused(
        Body {
            angular_damping_1_s: -1.0,
            ..ball
        },
        "the body's angular damping: expected 0 to 1000 1/s, got -1",
    );
    refused(
        Body {
            surface: Surface {
                friction: -0.5,
                restitution: 0.0,
            },
            ..ball
        },
        "the body's friction: expected 0 to 10, got -0.5",
    );

    let body = world.add_body(&ball).unwrap();
    let forever = message(world.settle(body, f32::INFINITY));
    assert_eq!(
        forever,
        "the longest time to settle: expected finite seconds from 0 up, got inf"
    );
    let nowhere = message(world.ray_cast(Vec3::ZERO, Vec3::ZERO, 1.0));
    assert_eq!(
        nowhere,
        "the ray's direction: expected a finite vector of some length, got [0, 0, 0]"
    );
    let back = message(world.ray_cast(Vec3::ZERO, Vec3::X, -1.0));
    assert_eq!(back, "the ray's reach: expected 0 to 1000000 m, got -1");
}
