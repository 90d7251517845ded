//! Cover and solid layers over their bands.

use crate::{grass, painted, rocks};
use zero_ground::glam::Vec2;
use zero_ground::steps::{Cell, Draw};
use zero_ground::{
    Band, Candidate, Chunk, ChunkGrid, Density, DensityShape, GroundFill, GroundSolids, Grown, Layer, Texel, Trample,
};

fn fill(layer: &Layer, density: &Density, chunk: Chunk, band: usize) -> Vec<Candidate> {
    let mut grown = Grown::new();
    layer.fill(density, &Trample::NONE, chunk, band, &mut grown).unwrap();
    grown.as_slice().to_vec()
}

/// A thing's bits, so that even the sign of a zero would count.
fn bits(thing: &Candidate) -> [u32; 8] {
    let Candidate {
        i,
        j,
        x_m,
        z_m,
        scale,
        yaw_rad,
        seed,
        wind,
        ..
    } = *thing;
    let [x, z, scale, yaw, seed, wind] = [x_m, z_m, scale, yaw_rad, seed, wind].map(f32::to_bits);
    [i, j, x, z, scale, yaw, seed, wind]
}

/// Going from any band to any other, a solid thing appears or goes, and is otherwise the same to the bit.
#[test]
fn an_lod_transition_moves_no_solid_thing() {
    let (layer, density) = (rocks(), painted(0.7));
    let mut counts = [0_usize; 4];
    for cx in -4..4 {
        for cz in -4..4 {
            let bands = [0, 1, 2, 3].map(|band| fill(&layer, &density, Chunk::new(cx, cz), band));
            for pair in bands.windows(2) {
                for far in &pair[1] {
                    assert!(
                        pair[0].iter().any(|near| bits(near) == bits(far)),
                        "{far:?} is in a far band alone"
                    );
                }
            }
            for (count, band) in counts.iter_mut().zip(&bands) {
                *count += band.len();
            }
        }
    }
    // 64 chunks of 256 cells, 7 in 10 of which keep a rock; then (2/3)^2, (2/4)^2 and (2/64)^2 of those. Six standard
    // deviations are 0.011 of the whole.
    let all = counts[0] as f64;
    assert!((all / 16384.0 - 0.7).abs() < 0.022, "{counts:?}");
    for (count, share) in counts.into_iter().zip([1.0, 4.0 / 9.0, 0.25, 1.0 / 1024.0]) {
        assert!((count as f64 / all - share).abs() < 0.03, "{counts:?}");
    }
    assert!(counts[3] > 0, "{counts:?}");
}

#[test]
fn a_far_band_draws_those_whose_draw_7_is_under_the_share() {
    let (layer, density) = (rocks(), painted(0.7));
    let chunk = Chunk::new(-1, 2);
    let near = fill(&layer, &density, chunk, 0);
    let drawn = |thing: &&Candidate| {
        let cell = Cell {
            layer: 2,
            chunk,
            band: 0,
            i: thing.i,
            j: thing.j,
        };
        cell.draw(Draw::Far) < (2.0 / 3.0) * (2.0 / 3.0)
    };
    let expected: Vec<Candidate> = near.iter().filter(drawn).copied().collect();
    assert_eq!(fill(&layer, &density, chunk, 1), expected);
    assert!(expected.len() > 50 && expected.len() < near.len());
}

/// Band 1 of the rocks grows by 5, and no rock does.
#[test]
fn grow_changes_the_scale_of_cover_and_not_of_solid_things() {
    let density = painted(1.0);
    assert!(
        fill(&rocks(), &density, Chunk::new(0, 0), 1)
            .iter()
            .all(|rock| rock.scale <= 1.2)
    );
    let far = fill(&grass(), &density, Chunk::new(0, 0), 2);
    assert!(far.iter().all(|blade| (1.6..=2.4).contains(&blade.scale)));
}

/// Every band of cover has its own step and its own draws.
#[test]
fn cover_is_sampled_anew_in_every_band() {
    let (layer, density) = (grass(), painted(1.0));
    let chunk = Chunk::new(1, -1);
    let bands = [0, 1, 2].map(|band| fill(&layer, &density, chunk, band));
    assert_eq!(bands.each_ref().map(Vec::len), [32 * 32, 16 * 16, 8 * 8]);
    for near in &bands[0] {
        assert!(
            !bands[1]
                .iter()
                .any(|far| far.seed == near.seed && far.yaw_rad == near.yaw_rad)
        );
    }
    let cell = Cell {
        layer: 1,
        chunk,
        band: 2,
        i: 3,
        j: 5,
    };
    let thing = bands[2][3 * 8 + 5];
    assert_eq!(
        (thing.seed, thing.x_m),
        (cell.draw(Draw::Seed), 32.0 + (3.0 + cell.draw(Draw::AlongX)) * 4.0)
    );
    assert_eq!(thing.z_m, -32.0 + (5.0 + cell.draw(Draw::AlongZ)) * 4.0);
}

#[test]
fn one_cell_asked_for_is_what_the_fill_grows_there() {
    let density = painted(0.5);
    for (layer, bands) in [(grass(), 3), (rocks(), 4)] {
        for band in 0..bands {
            let chunk = Chunk::new(-2, 1);
            let cells = layer.cells(band).unwrap();
            let all = (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j)));
            let single: Vec<Candidate> = all
                .filter_map(|cell| layer.candidate(&density, &Trample::NONE, chunk, band, cell).unwrap())
                .collect();
            assert_eq!(single, fill(&layer, &density, chunk, band));
        }
    }
}

/// The painted chance is the share of cells that keep one, and chunks do not repeat each other.
#[test]
fn the_painted_chance_is_the_share_that_stands() {
    let layer = grass();
    for chance in [0.0, 0.1, 0.5, 0.9, 1.0] {
        let density = painted(chance);
        let chunks = (-4..4).flat_map(|cx| (-4..4).map(move |cz| Chunk::new(cx, cz)));
        let counts: Vec<usize> = chunks.map(|chunk| fill(&layer, &density, chunk, 0).len()).collect();
        let share = counts.iter().sum::<usize>() as f64 / (64.0 * 1024.0);
        // Six standard deviations of a binomial of 65 536.
        assert!(
            (share - f64::from(chance)).abs() <= 6.0 * (f64::from(chance * (1.0 - chance)) / 65536.0).sqrt() + 1e-7
        );
        if chance == 0.5 {
            assert!(counts.iter().any(|&count| count != counts[0]));
        }
    }
}

/// The painted G is a factor of the scale, and where it is 0 nothing stands.
#[test]
fn the_painted_scale_is_a_factor_and_zero_of_it_is_nothing() {
    let shape = DensityShape::new(16, 16);
    let scaled = |scale| Density::from_fn(shape, |_| Texel::new(1.0, scale)).unwrap();
    let (layer, chunk) = (grass(), Chunk::new(0, 0));
    let (whole, double) = (
        fill(&layer, &scaled(1.0), chunk, 0),
        fill(&layer, &scaled(2.0), chunk, 0),
    );
    for (whole, double) in whole.iter().zip(&double) {
        assert_eq!((whole.scale * 2.0, whole.x_m), (double.scale, double.x_m));
    }
    assert_eq!(double.len(), 1024);
    assert!(fill(&layer, &scaled(0.0), chunk, 0).is_empty());
}

/// Cells tile the chunk for a step that does not divide it: no gap and no overlap where chunks meet.
#[test]
fn a_step_that_does_not_divide_the_chunk_tiles_it_all_the_same() {
    let fill_row = GroundFill {
        bands: vec![Band::new(1.5)],
        jitter: 0.0,
        ..GroundFill::default()
    };
    let layer = Layer::new(0, ChunkGrid::default(), fill_row).unwrap();
    let density = painted(1.0);
    let mut xs: Vec<f32> = Vec::new();
    for cx in [0, 1] {
        let row = fill(&layer, &density, Chunk::new(cx, 0), 0);
        xs.extend(row.iter().filter(|thing| thing.j == 0).map(|thing| thing.x_m));
    }
    assert_eq!(xs.len(), 44);
    for pair in xs.windows(2) {
        assert!((pair[1] - pair[0] - 32.0 / 22.0).abs() < 1e-4, "{pair:?}");
    }
}

/// Nothing painted: no cell is looked at. One painted texel: all cells of its chunk are.
#[test]
fn bare_chunks_are_not_looked_at() {
    let mut density = painted(0.0);
    let (layer, mut grown) = (grass(), Grown::new());
    layer
        .fill(&density, &Trample::NONE, Chunk::new(0, 0), 0, &mut grown)
        .unwrap();
    assert_eq!((grown.looked_at(), grown.len()), (0, 0));
    density.set(70, 70, Texel::new(1.0, 1.0)).unwrap();
    layer
        .fill(&density, &Trample::NONE, Chunk::new(0, 0), 0, &mut grown)
        .unwrap();
    assert_eq!(grown.looked_at(), 1024);
    assert!(!grown.is_empty());
    layer
        .fill(&density, &Trample::NONE, Chunk::new(50, 50), 0, &mut grown)
        .unwrap();
    assert_eq!((grown.looked_at(), grown.len()), (0, 0));
}

#[test]
fn a_thing_places_its_model_s_points() {
    let density = painted(1.0);
    let mut solids = GroundSolids::new();
    rocks()
        .solid_list(&density, &Trample::NONE, Chunk::new(0, 0), &mut solids)
        .unwrap();
    for solid in &solids {
        let thing = solid.thing;
        let (c, s) = thing.cos_sin();
        let (x, z) = (0.5 * thing.scale, -2.0 * thing.scale);
        let expected = Vec2::new(thing.x_m + (c * x + s * z), thing.z_m + (-s * x + c * z));
        assert_eq!(thing.place(Vec2::new(0.5, -2.0)), expected);
        assert!(thing.variant(5) < 5 && thing.variant(0) == 0 && thing.variant(u32::MAX) < u32::MAX);
    }
    let variants: std::collections::BTreeSet<u32> = solids.iter().map(|solid| solid.thing.variant(5)).collect();
    assert_eq!(variants.len(), 5);
}
