//! Whatever comes in: no panic, no NaN, nothing out of its range.

use proptest::prelude::*;
use zero_ground::glam::Vec2;
use zero_ground::{
    Band, Chunk, ChunkGrid, Clearing, Clearings, Density, DensityShape, GroundFill, GroundSolids, Grown, Layer,
    SolidId, Texel, Trample,
};

/// Mostly sensible numbers, and all the others too.
fn number(low: f32, high: f32) -> impl Strategy<Value = f32> {
    prop_oneof![12 => low..=high, 1 => Just(low), 1 => Just(high), 1 => any::<f32>()]
}

fn coordinate() -> impl Strategy<Value = f32> {
    number(-200.0, 200.0)
}

fn row() -> impl Strategy<Value = GroundFill> {
    let bands = proptest::collection::vec((number(1.0, 20.0), number(0.5, 3.0)), 1..4);
    let flags = (any::<bool>(), any::<bool>());
    let numbers = (
        number(0.0, 1.0),
        number(0.0, 1.0),
        number(0.01, 2.0),
        number(2.0, 9.0),
        number(0.0, 1.0),
        number(1.0, 2.0),
    );
    (bands, flags, numbers).prop_map(|(mut bands, (solid, trample), numbers)| {
        let (jitter, chance, scale_min, scale_max, wind_min, wind_max) = numbers;
        bands.sort_by(|a, b| a.0.total_cmp(&b.0));
        let bands = bands.into_iter().map(|(step_m, grow)| Band { step_m, grow }).collect();
        GroundFill {
            bands,
            solid,
            trample,
            jitter,
            chance,
            scale_min,
            scale_max,
            wind_min,
            wind_max,
        }
    })
}

fn grid() -> impl Strategy<Value = ChunkGrid> {
    (coordinate(), coordinate(), number(8.0, 40.0)).prop_map(|(x, z, chunk_m)| ChunkGrid {
        corner_m: Vec2::new(x, z),
        chunk_m,
    })
}

fn density() -> impl Strategy<Value = Density> {
    let texels = proptest::collection::vec((number(0.0, 1.0), number(0.0, 3.0)), 63);
    (
        1_u32..=9,
        1_u32..=7,
        number(0.5, 40.0),
        coordinate(),
        coordinate(),
        texels,
    )
        .prop_map(|(width, depth, texel_m, x, z, texels)| {
            let shape = DensityShape::new(width, depth)
                .with_texel_m(texel_m)
                .at(Vec2::new(x, z));
            let valid = if shape.validate().is_ok() {
                shape
            } else {
                DensityShape::new(width, depth)
            };
            let mut map = Density::new(valid).unwrap();
            for (at, (chance, scale)) in texels.into_iter().enumerate() {
                // Texels out of range are refused, and those outside the map.
                let _ = map.set(at as u32 % 9, at as u32 / 9, Texel::new(chance, scale));
            }
            map
        })
}

fn clearings() -> impl Strategy<Value = Clearings> {
    let clearing = (
        coordinate(),
        coordinate(),
        number(0.0, 20.0),
        number(20.0, 50.0),
        number(0.0, 1.0),
    );
    proptest::collection::vec(clearing, 0..4).prop_map(|list| {
        let mut held = Clearings::new();
        for (x, z, inner, outer, floor) in list {
            let _ = held.add(Clearing::new(x, z, inner, outer).with_floor(floor));
        }
        held
    })
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let far = || prop_oneof![8 => -5..5, 1 => -140..140, 1 => any::<i32>()];
    (far(), far()).prop_map(|(cx, cz)| Chunk::new(cx, cz))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_grows_is_finite_and_within_its_ranges(
        number in 0_u32..70, grid in grid(), row in row(), density in density(), clearings in clearings(),
        chunk in chunk(), band in 0_usize..4, answer in number(0.0, 2.0),
    ) {
        let Ok(layer) = Layer::new(number, grid, row) else { return Ok(()) };
        let callback = move |_: Vec2| answer;
        let trample = Trample::NONE.with_clearings(&clearings).with_callback(&callback);
        let mut grown = Grown::new();
        if layer.fill(&density, &trample, chunk, band, &mut grown).is_err() {
            prop_assert!(grown.is_empty());
            return Ok(());
        }
        let (row, origin) = (layer.row(), grid.origin_m(chunk));
        let cells = layer.cells(band).unwrap();
        // Where a coordinate is rounded, a thing may stand this far out of its chunk.
        let slack = (origin.x.abs().max(origin.y.abs()) + grid.chunk_m) * 4.0 * f32::EPSILON;
        let inside = |at: f32, low: f32| at >= low - slack && at <= low + grid.chunk_m + slack;
        for thing in &grown {
            prop_assert!(thing.i < cells && thing.j < cells);
            prop_assert!(inside(thing.x_m, origin.x) && inside(thing.z_m, origin.y), "{thing:?} of {origin}");
            prop_assert!(thing.scale > 0.0 && thing.scale.is_finite());
            prop_assert!((0.0..zero_ground::steps::TURN_RAD).contains(&thing.yaw_rad));
            prop_assert!((0.0..1.0).contains(&thing.seed));
            prop_assert!(thing.wind >= row.wind_min && thing.wind <= row.wind_max * (1.0 + f32::EPSILON));
            let same = layer.candidate(&density, &trample, chunk, band, (thing.i, thing.j)).unwrap();
            prop_assert_eq!(same, Some(*thing));
        }
    }

    #[test]
    fn solid_things_and_ids_go_both_ways(
        number in 0_u32..64, grid in grid(), row in row(), density in density(), chunk in chunk(),
    ) {
        let Ok(layer) = Layer::new(number, grid, GroundFill { solid: true, ..row }) else { return Ok(()) };
        let mut solids = GroundSolids::new();
        layer.solid_list(&density, &Trample::NONE, chunk, &mut solids).unwrap();
        for solid in &solids {
            prop_assert_eq!(layer.solid_at(&density, &Trample::NONE, solid.id), Ok(Some(solid.thing)));
        }
    }

    #[test]
    fn an_id_round_trips(layer in 0_u32..64, cx in -128..128, cz in -128..128, cells in 1_u32..=22, at in 0_u32..484) {
        let at = at % (cells * cells);
        let id = SolidId::new(layer, Chunk::new(cx, cz), (at / cells, at % cells), cells).unwrap();
        let cell = id.cell(cells).unwrap();
        prop_assert_eq!((cell.layer, cell.chunk, cell.i, cell.j), (layer, Chunk::new(cx, cz), at / cells, at % cells));
        prop_assert_eq!(SolidId::try_from(i32::from(id)), Ok(id));
        prop_assert_eq!(SolidId::try_from(u32::from(id)), Ok(id));
    }

    #[test]
    fn any_number_is_an_id_or_refused(number: u32, cells: u32, layer: u32, cx: i32, cz: i32, i: u32, j: u32) {
        match SolidId::try_from(number) {
            Ok(id) => {
                let _ = id.cell(cells);
                if let Ok(cell) = id.cell(22) {
                    let back = SolidId::new(cell.layer, cell.chunk, (cell.i, cell.j), 22);
                    prop_assert_eq!(back, Ok(id));
                }
            }
            Err(_) => prop_assert!(number > i32::MAX.cast_unsigned()),
        }
        let _ = SolidId::new(layer, Chunk::new(cx, cz), (i, j), cells);
    }

    #[test]
    fn samples_are_within_what_is_painted(density in density(), x in coordinate(), z in coordinate()) {
        let texel = density.sample(Vec2::new(x, z));
        prop_assert!((0.0..=1.0 + f32::EPSILON).contains(&texel.chance));
        prop_assert!((0.0..=100.0 * (1.0 + f32::EPSILON)).contains(&texel.scale));
    }

    #[test]
    fn a_clearing_s_factor_is_between_its_floor_and_1(clearings in clearings(), x in any::<f32>(), z in coordinate()) {
        for clearing in clearings.as_slice() {
            let factor = clearing.factor(Vec2::new(x, z));
            prop_assert!(x.is_nan() || z.is_nan() || (clearing.floor..=1.0 + f32::EPSILON).contains(&factor), "{factor}");
        }
    }

    #[test]
    fn a_grid_answers_a_chunk_for_any_point(grid in grid(), x in any::<f32>(), z in any::<f32>()) {
        let _ = grid.chunk_at(Vec2::new(x, z));
    }
}
