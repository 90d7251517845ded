//! What a game would ask of the landscape: whether something stands on it, and what waves its lake has.

use crate::cook::Landscape;
use crate::error::Result;
use crate::settings::Settings;
use zero_ocean::Spectrum;
use zero_physics::glam::Vec3;
use zero_physics::{Body, HeightGrid, Surface, World, WorldOptions};

/// The sides of the crate that is dropped, in metres.
const CRATE_M: f32 = 2.0;

/// How far above the ground it is let go, in metres.
const DROP_M: f32 = 10.0;

/// The longest it may take to come to rest, in seconds.
const REST_SECS: f32 = 60.0;

/// The wind that the lake's waves are told for, in metres a second.
const WIND_M_S: f64 = 8.0;

/// Drops a crate in the middle of the ground and tells where it rests, and how high the waves of a sea that has grown
/// in such a wind are.
pub(crate) fn tell(landscape: &Landscape, settings: &Settings) -> Result<Vec<String>> {
    let ground = &landscape.ground;
    let grid = ground.grid();
    let middle = |side: usize, count: u32| grid.origin_m[side] + count as f32 * grid.spacing_m[side] * 0.5;
    let (x, z) = (middle(0, grid.width), middle(1, grid.height));
    let height = ground.height_at(x, z);
    let mut world = World::new(WorldOptions::default())?;
    world.add_ground(
        &HeightGrid {
            columns: grid.width,
            rows: grid.height,
            spacing_m: grid.spacing_m,
            origin_m: grid.origin_m,
            heights_m: ground.heights_m(),
        },
        Surface::default(),
    )?;
    let dropped = world.add_body(&Body::cuboid(Vec3::splat(CRATE_M), Vec3::new(x, height + DROP_M, z)))?;
    let settled = world.settle(dropped, REST_SECS)?;
    let rest = settled.state.pos_world;
    let above = rest.y - ground.height_at(rest.x, rest.z);
    let how = if settled.at_rest { "rests" } else { "still moves" };
    let waves = Spectrum::pierson_moskowitz(WIND_M_S)?.significant_height_m();
    Ok(vec![
        format!(
            "physics: a box of {CRATE_M} m dropped at ({x:.0}, {z:.0}) {how} after {:.1} s, {:.1} m from there, its middle \
             {above:.2} m above the ground",
            settled.secs,
            (rest.x - x).hypot(rest.z - z)
        ),
        format!(
            "ocean: a sea grown in a wind of {WIND_M_S} m/s has waves of {waves:.2} m; the lake stands still at {:.1} m",
            settings.water_m
        ),
    ])
}
