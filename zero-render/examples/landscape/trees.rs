//! Trees of few triangles, and where they stand.

use std::f32::consts::TAU;

use zero_render::{
    Instance, Material, MeshData,
    glam::{Vec3, Vec4},
    linear_from_srgb,
};

use crate::ground::{Ground, LAKE_M, hash, noise, smooth};

pub(crate) struct Species {
    pub(crate) mesh: MeshData,
    pub(crate) material: Material,
    /// Metres above the lake between which it grows.
    altitude_m: [f32; 2],
    /// Chance that a place in a grove holds one.
    density: f32,
    tints: [Vec3; 2],
    seed: i32,
}

pub(crate) fn species() -> [Species; 2] {
    let leaves = |name: &str| {
        Material::new(name, Vec3::splat(0.9), 0.85)
            .translucent(0.5)
            .varied(0.35, 2.5)
    };
    [
        Species {
            mesh: conifer(),
            material: leaves("needles"),
            altitude_m: [5.0, 430.0],
            density: 0.62,
            tints: [linear_from_srgb(0x3f5a33), linear_from_srgb(0x2c4630)],
            seed: 3,
        },
        Species {
            mesh: broadleaf(),
            material: leaves("leaves"),
            altitude_m: [2.5, 150.0],
            density: 0.10,
            tints: [linear_from_srgb(0x6d7f35), linear_from_srgb(0x4c6a2f)],
            seed: 5,
        },
    ]
}

/// One candidate a cell of a jittered grid, thinned by groves, slope and altitude.
pub(crate) fn scatter(ground: &Ground, species: &Species) -> Vec<Instance> {
    const CELL_M: f32 = 11.0;
    let side = (5900.0 / CELL_M) as i32;
    let mut places = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let draw = |channel: i32| hash(column, row, species.seed * 100 + channel);
            let x = (column as f32 + draw(0)) * CELL_M - 2950.0;
            let z = (row as f32 + draw(1)) * CELL_M - 2950.0;
            let (height, slope) = ground.sample(x, z);
            let above = height - LAKE_M;
            let grove = smooth(
                -0.32,
                0.25,
                noise(x / 330.0, z / 330.0, 77).0 + 0.5 * noise(x / 90.0, z / 90.0, 78).0,
            );
            let [low, high] = species.altitude_m;
            let grows = smooth(low, low + 4.0, above) * smooth(high, high * 0.55, above) * smooth(0.62, 0.4, slope);
            if draw(2) >= species.density * grove * grows {
                continue;
            }
            let size = 0.7 + 0.6 * draw(3) - 0.25 * smooth(0.4 * high, high, above);
            let tint = species.tints[0].lerp(species.tints[1], draw(5)) * (0.85 + 0.3 * draw(6));
            let place = Vec3::new(x, height - 0.3, z);
            places.push(Instance::standing(place, draw(4) * TAU, size).tinted(tint));
        }
    }
    places
}

/// Four skirts of branches on a trunk, 15 m high.
fn conifer() -> MeshData {
    let mut tree = MeshData {
        name: "conifer".to_owned(),
        ..MeshData::default()
    };
    tree.append(&cone(5, 0.35, 0.0, 3.0, [0.30, 0.22, 0.16, 0.7], 0.9));
    for (radius, base, top) in [(3.1, 1.6, 7.0), (2.6, 4.2, 9.8), (2.0, 7.0, 12.4), (1.35, 9.8, 15.2)] {
        tree.append(&cone(9, radius, base, top, [1.0, 1.0, 1.0, 1.0], 0.45));
    }
    tree
}

/// A cone whose base is darker, as if shut off from the sky, with a ragged rim and a closed underside.
fn cone(sides: u32, radius: f32, base: f32, top: f32, color: [f32; 4], base_open: f32) -> MeshData {
    let mut mesh = MeshData::default();
    let height = top - base;
    for i in 0..sides {
        let ring = |k: u32, lift: f32| {
            let angle = k as f32 / sides as f32 * TAU;
            let reach = radius * (0.82 + 0.36 * hash(k as i32, (base * 10.0) as i32, 9));
            Vec3::new(angle.cos() * reach, base + lift, angle.sin() * reach)
        };
        let (a, b) = (ring(i, 0.0), ring((i + 1) % sides, 0.0));
        let apex = Vec3::new(0.0, top, 0.0);
        let out = |p: Vec3| Vec3::new(p.x * height, radius * radius * 0.9, p.z * height).normalize_or(Vec3::Y);
        let first = mesh.positions.len() as u32;
        mesh.positions
            .extend([apex, b, a, Vec3::new(0.0, base + 0.15 * height, 0.0)]);
        mesh.normals
            .extend([(out(a) + out(b)).normalize_or(Vec3::Y), out(b), out(a), Vec3::NEG_Y]);
        let [r, g, blue, open] = color;
        let dark = Vec4::new(r * 0.75, g * 0.75, blue * 0.75, open * base_open).to_array();
        mesh.colors.extend([color, dark, dark, dark]);
        mesh.indices
            .extend([first, first + 1, first + 2, first + 3, first + 2, first + 1]);
    }
    mesh
}

/// Three lumps of leaves on a trunk, 9 m high.
fn broadleaf() -> MeshData {
    let mut tree = MeshData {
        name: "broadleaf".to_owned(),
        ..MeshData::default()
    };
    tree.append(&cone(5, 0.45, 0.0, 5.0, [0.33, 0.27, 0.2, 0.7], 0.9));
    for (centre, radius) in [
        (Vec3::new(0.0, 5.6, 0.0), 3.3),
        (Vec3::new(1.5, 4.4, 0.8), 2.3),
        (Vec3::new(-1.4, 4.7, -1.0), 2.4),
    ] {
        tree.append(&lump(centre, radius));
    }
    tree
}

/// A sphere of 6 x 8 patches, pushed in and out.
fn lump(centre: Vec3, radius: f32) -> MeshData {
    const RINGS: u32 = 6;
    const SIDES: u32 = 8;
    let mut mesh = MeshData::default();
    for ring in 0..=RINGS {
        for side in 0..=SIDES {
            let (polar, turn) = (ring as f32 / RINGS as f32 * TAU * 0.5, side as f32 / SIDES as f32 * TAU);
            let out = Vec3::new(polar.sin() * turn.cos(), polar.cos(), polar.sin() * turn.sin());
            let pole = ring == 0 || ring == RINGS;
            let push = if pole {
                1.0
            } else {
                0.86 + 0.28 * hash((side % SIDES) as i32, ring as i32, centre.y as i32)
            };
            mesh.positions
                .push(centre + out * (radius * push) * Vec3::new(1.0, 0.85, 1.0));
            mesh.normals.push(out);
            let open = 0.5 + 0.5 * smooth(-1.0, 0.6, out.y);
            mesh.colors
                .push([0.75 + 0.25 * open, 0.75 + 0.25 * open, 0.75 + 0.25 * open, open]);
        }
    }
    for ring in 0..RINGS {
        for side in 0..SIDES {
            let a = ring * (SIDES + 1) + side;
            let (b, c, d) = (a + 1, a + SIDES + 1, a + SIDES + 2);
            mesh.indices.extend([a, b, c, b, d, c]);
        }
    }
    mesh
}
