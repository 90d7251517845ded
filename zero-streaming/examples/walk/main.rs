//! A walk over a world of houses and woods, seen from above: what stands, what is drawn as a stand-in, and what is away.
//!
//! `cargo run -p zero-streaming --example walk -- --out walk.png`

#[path = "../../tests/streaming/hecs_host.rs"]
#[expect(dead_code, reason = "the host is written for the tests, which use more of it")]
mod hecs_host;

mod canvas;

use canvas::{Canvas, Color};
use hecs::Entity;
use hecs_host::{HecsHost, Thing};
use zero_streaming::glam::{Affine3A, Quat, Vec2, Vec3};
use zero_streaming::{
    BoxError, BoxPer, CellState, Config, Filing, Host, Layer, Radii, Record, Silhouettes, Source, Store, Transform,
    cell_bounds, measure,
};

const WORLD_M: f32 = 1200.0;
const CELL_M: f32 = 50.0;
const PANEL_PX: u32 = 600;
const GAP_PX: u32 = 14;
/// The moments that are drawn, as parts of the walk.
const MOMENTS: [f32; 3] = [0.24, 0.5, 0.8];
const STEPS: u32 = 300;

// What a thing's label says it is.
const HOUSE: u64 = 0;
const TREE: u64 = 1;
const HOUSE_STAND_IN: u64 = 2;
const WOOD_STAND_IN: u64 = 3;

const GROUND: Color = [22, 27, 36];
const AWAY: Color = [58, 66, 82];
const GRID: Color = [44, 51, 65];
const RESIDENT: Color = [86, 196, 120];
const PENDING: Color = [255, 158, 64];
const WALL: Color = [250, 236, 214];
const LEAF: Color = [122, 214, 132];
const HOUSE_BOX: Color = [132, 142, 214];
const WOOD_BOX: Color = [74, 128, 152];
const WALKER: Color = [255, 221, 92];
const DRONE: Color = [98, 222, 255];

fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let out = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => "walk.png".to_owned(),
        ["--out", file] => file.to_owned(),
        _ => return Err("usage: walk [--out FILE.png]".into()),
    };
    let config = Config {
        cell_size: CELL_M,
        load_radius: 130.0,
        unload_radius: 175.0,
        budget: 22,
        ..Config::default()
    };
    let config = Config {
        proxy_radius: 400.0,
        proxy_unload_radius: 450.0,
        ..config
    };
    let mut store: Store<Entity> = Store::new(config)?;
    let woods = Radii {
        load: Some(85.0),
        unload: Some(120.0),
        proxy: Some(300.0),
        ..Radii::default()
    };
    store.set_layer(
        "woods",
        Layer {
            radii: woods,
            ..Layer::default()
        },
    )?;
    let world = build(&mut store)?;

    let mut host = HecsHost::new(32);
    let mut strip = Canvas::new(PANEL_PX * 3 + GAP_PX * 2, PANEL_PX, [10, 12, 17]);
    for step in 0..=STEPS {
        let part = step as f32 / STEPS as f32;
        host.next_frame();
        let done = store.tick(&mut host, &sources(part))?;
        if let Some(failure) = done.failures.into_iter().next() {
            return Err(failure.into());
        }
        let moment = MOMENTS
            .iter()
            .position(|moment| (moment * STEPS as f32).round() as u32 == step);
        if let Some(panel) = moment {
            let view = draw(&world, &host, &store, part)?;
            strip.place(&view, panel as u32 * (PANEL_PX + GAP_PX));
            println!("at {part}: {:?}", store.stats());
        }
    }
    Ok(strip.save(&out)?)
}

/// Where the walker is, and a drone that flies across with a small reach of its own.
fn sources(part: f32) -> [Source; 2] {
    let near = Radii {
        load: Some(60.0),
        unload: Some(90.0),
        proxy: Some(180.0),
        ..Radii::default()
    };
    [Source::at(walker(part)), Source::at(drone(part)).with_radii(near)]
}

fn walker(part: f32) -> Vec3 {
    let across = 110.0 + part * 980.0;
    Vec3::new(across, 0.0, 520.0 + 260.0 * (part * 6.6 - 0.9).sin())
}

fn drone(part: f32) -> Vec3 {
    let turn = 4.1 + part * 4.4;
    Vec3::new(690.0 + 430.0 * turn.cos(), 60.0, 600.0 + 470.0 * turn.sin())
}

/// A small deterministic draw: an integer hash of two numbers.
fn draw_of(a: u32, b: u32) -> f32 {
    let mut x = a.wrapping_mul(0x9e37_79b9) ^ b.wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    (x ^ (x >> 16)) as f32 / u32::MAX as f32
}

/// Houses along streets and woods in patches, as records that were never spawned; and silhouettes over them. Returns all
/// records, to show what is away.
fn build(store: &mut Store<Entity>) -> Result<Vec<Vec<Record>>, BoxError> {
    let mut world = Vec::new();
    for n in 0..5200u32 {
        let place = Vec2::new(draw_of(n, 1), draw_of(n, 2)) * WORLD_M;
        let town = (place - Vec2::new(330.0, 500.0))
            .length()
            .min((place - Vec2::new(880.0, 300.0)).length() * 1.15);
        let patch = (place.x * 0.011).sin() + (place.y * 0.013 + place.x * 0.004).cos();
        let street = |along: f32| (along.rem_euclid(80.0) - 40.0).abs() > 30.0;
        let (records, layer) = if town < 250.0 && n % 2 == 0 && !street(place.x) && !street(place.y) {
            (house(n, place), "houses")
        } else if town > 230.0 && n % 2 == 0 && patch > 0.45 {
            (wood(n, place), "woods")
        } else {
            continue;
        };
        store.add(&records, &Filing::layer(layer))?;
        world.push(records);
    }
    for (layer, per, label) in [
        ("houses", BoxPer::Group, HOUSE_STAND_IN),
        ("woods", BoxPer::Cell, WOOD_STAND_IN),
    ] {
        let data = Thing::new(label).to_bytes();
        let look = Silhouettes {
            layer: Some(layer.to_owned()),
            per,
            padding: 1.0,
            data,
        };
        println!("{layer}: {:?}", store.derive_proxies(&look)?);
    }
    Ok(world)
}

fn house(n: u32, place: Vec2) -> Vec<Record> {
    let turn = Quat::from_rotation_y((draw_of(n, 3) - 0.5) * 0.5);
    let size = Vec3::new(11.0 + 9.0 * draw_of(n, 4), 8.0, 10.0 + 6.0 * draw_of(n, 5));
    let root = Transform::at(Vec3::new(place.x, 0.0, place.y))
        .with_rotation(turn)
        .with_scale(size);
    // In the root's own frame, which is scaled: a wing of half its size beside it.
    let wing = Transform::at(Vec3::new(0.55, 0.0, 0.45)).with_scale(Vec3::new(0.45, 0.8, 0.7));
    let thing = Thing::new(HOUSE);
    vec![thing.record(root), thing.record(wing).below(0)]
}

fn wood(n: u32, place: Vec2) -> Vec<Record> {
    let thing = Thing::new(TREE);
    let root = thing.record(Transform::at(Vec3::new(place.x, 0.0, place.y)).with_scale(Vec3::splat(6.0)));
    let tree = |k: u32| {
        let (angle, far) = (k as f32 * 2.4 + draw_of(n, 6) * 6.0, 0.7 + 0.55 * k as f32);
        let at = Vec3::new(angle.cos() * far, 0.0, angle.sin() * far);
        let size = Vec3::splat(0.6 + 0.6 * draw_of(n, 7 + k));
        thing.record(Transform::at(at).with_scale(size)).below(0)
    };
    std::iter::once(root).chain((0..4).map(tree)).collect()
}

/// Where an entity is through all of its parents.
fn world_from(host: &HecsHost, entity: Entity) -> Affine3A {
    let Transform {
        position,
        rotation,
        scale,
    } = host.transform(entity);
    let own = Affine3A::from_scale_rotation_translation(scale, rotation, position);
    host.parent(entity).map_or(own, |parent| world_from(host, parent) * own)
}

const PX_PER_M: f32 = PANEL_PX as f32 / WORLD_M;

fn px(place: Vec3) -> Vec2 {
    Vec2::new(place.x, place.z) * PX_PER_M
}

fn draw(world: &[Vec<Record>], host: &HecsHost, store: &Store<Entity>, part: f32) -> Result<Canvas, BoxError> {
    let mut canvas = Canvas::new(PANEL_PX, PANEL_PX, GROUND);
    for records in world {
        let bounds = measure(records)?;
        let at = px(((bounds.min + bounds.max) * 0.5).as_vec3());
        canvas.disc(at, 1.2, AWAY, 0.9);
    }
    draw_cells(&mut canvas, store)?;
    // Stand-ins beneath what stands.
    let entities = host.find_all();
    let kind = |entity: &Entity| host.thing(*entity).label;
    for entity in entities.iter().filter(|entity| kind(entity) >= HOUSE_STAND_IN) {
        let color = if kind(entity) == HOUSE_STAND_IN {
            HOUSE_BOX
        } else {
            WOOD_BOX
        };
        draw_box(&mut canvas, &world_from(host, *entity), color, 0.38, 0.95);
    }
    for entity in entities.iter().filter(|entity| kind(entity) < HOUSE_STAND_IN) {
        let place = world_from(host, *entity);
        if kind(entity) == HOUSE {
            draw_box(&mut canvas, &place, WALL, 1.0, 0.0);
        } else {
            let radius = place.matrix3.x_axis.length() * 0.6 * PX_PER_M;
            canvas.disc(px(place.translation.into()), radius.max(1.2), LEAF, 1.0);
        }
    }
    draw_source(&mut canvas, store, walker, part, WALKER, &Radii::default())?;
    let own = sources(part)[1].radii;
    draw_source(&mut canvas, store, drone, part, DRONE, &own)?;
    Ok(canvas)
}

fn draw_cells(canvas: &mut Canvas, store: &Store<Entity>) -> Result<(), BoxError> {
    for line in 1..(WORLD_M / CELL_M) as u32 {
        let at = line as f32 * CELL_M * PX_PER_M;
        canvas.line(Vec2::new(at, 0.0), Vec2::new(at, PANEL_PX as f32), 0.8, GRID, 0.6);
        canvas.line(Vec2::new(0.0, at), Vec2::new(PANEL_PX as f32, at), 0.8, GRID, 0.6);
    }
    for cell in store.cells().iter().filter(|cell| cell.state != CellState::Released) {
        let color = if cell.state == CellState::Resident {
            RESIDENT
        } else {
            PENDING
        };
        let bounds = cell_bounds(cell.key, CELL_M)?;
        let (min, max) = (bounds.min.as_vec2() * PX_PER_M, bounds.max.as_vec2() * PX_PER_M);
        canvas.quad((min + max) * 0.5, (max - min) * 0.5 - 1.0, 0.0, color, 0.16);
        canvas.frame((min + max) * 0.5, (max - min) * 0.5 - 1.0, 1.2, color, 0.75);
    }
    Ok(())
}

fn draw_box(canvas: &mut Canvas, world: &Affine3A, color: Color, fill: f32, edge: f32) {
    let (along, across) = (world.matrix3.x_axis, world.matrix3.z_axis);
    let half = Vec2::new(along.length(), across.length()) * 0.5 * PX_PER_M;
    let center = px(world.translation.into());
    canvas.quad(center, half, along.z.atan2(along.x), color, fill);
    if edge > 0.0 {
        canvas.frame(center, half, 1.0, color, edge);
    }
}

fn draw_source(
    canvas: &mut Canvas,
    store: &Store<Entity>,
    path: fn(f32) -> Vec3,
    part: f32,
    color: Color,
    own: &Radii,
) -> Result<(), BoxError> {
    let points = 160;
    for n in 0..points {
        let (from, to) = (n as f32 / points as f32, (n + 1) as f32 / points as f32);
        // What was walked is bright, what is to come is dotted.
        if to <= part {
            canvas.line(px(path(from)), px(path(to)), 2.2, color, 0.95);
        } else if n % 2 == 0 {
            canvas.line(px(path(from)), px(path(to)), 1.4, color, 0.4);
        }
    }
    let reach = store.reach("houses", own)?;
    let at = px(path(part));
    canvas.ring(at, reach.load * PX_PER_M, 1.8, color, 0.95, 0);
    canvas.ring(at, reach.unload * PX_PER_M, 1.1, color, 0.6, 0);
    canvas.ring(at, reach.proxy * PX_PER_M, 1.4, color, 0.7, 72);
    canvas.disc(at, 7.5, GROUND, 1.0);
    canvas.disc(at, 5.5, color, 1.0);
    Ok(())
}
