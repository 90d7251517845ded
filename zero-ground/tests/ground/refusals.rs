//! Rows, maps, bands and cells out of range are refused by name.

use crate::{grass, painted, rocks};
use zero_ground::glam::Vec2;
use zero_ground::{
    Band, Chunk, ChunkGrid, Density, DensityShape, Error, GroundFill, Grown, Layer, MAX_BANDS, Texel, Trample,
};

fn refused(change: impl FnOnce(&mut GroundFill)) -> String {
    let mut fill = GroundFill::default();
    change(&mut fill);
    Layer::new(0, ChunkGrid::default(), fill).unwrap_err().to_string()
}

#[test]
fn a_row_out_of_range_is_refused_by_name() {
    type Change = fn(&mut GroundFill);
    let changes: [(Change, &str); 16] = [
        (|fill| fill.jitter = 1.01, "fill.jitter: expected 0 to 1, got 1.01"),
        (|fill| fill.jitter = f32::NAN, "fill.jitter: expected 0 to 1, got NaN"),
        (|fill| fill.chance = -0.1, "fill.chance: expected 0 to 1, got -0.1"),
        (
            |fill| fill.scale_min = 0.0,
            "fill.scale_min: expected 0.001 to 1000, got 0",
        ),
        (
            |fill| fill.scale_max = 0.7,
            "fill.scale_max (from scale_min on): expected 0.8 to 1000, got 0.7",
        ),
        (|fill| fill.scale_max = f32::INFINITY, "fill.scale_max"),
        (|fill| fill.wind_min = -1.0, "fill.wind_min: expected 0 to 1000, got -1"),
        (|fill| fill.wind_max = f32::NAN, "fill.wind_max"),
        (|fill| fill.bands.clear(), "fill.bands: expected 1 to 16 bands, got 0"),
        (
            |fill| fill.bands = vec![Band::new(1.0); MAX_BANDS + 1],
            "fill.bands: expected 1 to 16 bands, got 17",
        ),
        (|fill| fill.bands[0].step_m = f32::NAN, "fill.bands[0].step_m"),
        (
            |fill| fill.bands[0].step_m = 0.03,
            "fill.bands[0].step_m (from the band before on): expected 0.03125 to 32 m",
        ),
        (
            |fill| fill.bands[2].step_m = 33.0,
            "fill.bands[2].step_m (from the band before on): expected 2 to 32 m",
        ),
        (
            |fill| fill.bands[1].step_m = 0.9,
            "fill.bands[1].step_m (from the band before on): expected 1 to 32 m, got 0.9",
        ),
        (
            |fill| fill.bands[1].grow = 0.0,
            "fill.bands[1].grow: expected 0.01 to 100, got 0",
        ),
        (|fill| fill.bands[1].grow = f32::INFINITY, "fill.bands[1].grow"),
    ];
    for (change, name) in changes {
        let text = refused(change);
        assert!(text.starts_with(name), "{text}, not {name}");
    }
}

#[test]
fn a_map_s_shape_out_of_range_is_refused_by_name() {
    for (shape, name) in [
        (
            DensityShape::new(0, 0),
            "density width: expected 1 to 8192 texels, got 0",
        ),
        (
            DensityShape::new(5, 0),
            "density depth: expected 1 to 8192 texels, got 0",
        ),
        (DensityShape::new(8193, 1), "density width"),
        (DensityShape::new(1, u32::MAX), "density depth"),
        (DensityShape::new(2, 2).with_texel_m(f32::NAN), "density texel_m"),
        (
            DensityShape::new(2, 2).at(Vec2::new(0.0, f32::INFINITY)),
            "density corner_m.z",
        ),
    ] {
        for text in [
            Density::new(shape).unwrap_err().to_string(),
            Density::from_texels(shape, Vec::new()).unwrap_err().to_string(),
        ] {
            assert!(text.starts_with(name), "{text}");
        }
    }
    let texels = vec![Texel::BARE, Texel::BARE, Texel::new(0.5, f32::NAN), Texel::BARE];
    let text = Density::from_texels(DensityShape::new(2, 2), texels.clone())
        .unwrap_err()
        .to_string();
    assert_eq!(text, "scale of texel (0, 1): expected 0 to 100, got NaN");
    let text = Density::from_texels(DensityShape::new(3, 2), texels)
        .unwrap_err()
        .to_string();
    assert_eq!(text, "density texels: expected 3 by 2 = 6, got 4");
}

#[test]
fn bands_and_cells_that_are_not_there_are_refused() {
    let (density, chunk, mut grown) = (painted(1.0), Chunk::new(0, 0), Grown::new());
    let layer = grass();
    layer.fill(&density, &Trample::NONE, chunk, 0, &mut grown).unwrap();
    let error = layer.fill(&density, &Trample::NONE, chunk, 3, &mut grown).unwrap_err();
    assert_eq!(error.to_string(), "band 3: layer 1 has 3 bands, numbered from 0");
    assert!(grown.is_empty(), "a refused fill is no old fill");
    assert_eq!(
        layer.cells(usize::MAX),
        Err(Error::NoBand {
            layer: 1,
            band: usize::MAX,
            bands: 3
        })
    );
    let error = layer.candidate(&density, &Trample::NONE, chunk, 2, (0, 8)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cell (0, 8): a chunk of layer 1 has 8 by 8 cells here, numbered from 0"
    );
    // A solid layer has band 0's cells in every band.
    assert_eq!(
        (0..4).map(|band| rocks().cells(band)).collect::<Vec<_>>(),
        vec![Ok(16); 4]
    );
    assert!(rocks().candidate(&density, &Trample::NONE, chunk, 3, (15, 15)).is_ok());
    assert!(rocks().candidate(&density, &Trample::NONE, chunk, 3, (16, 0)).is_err());
}
