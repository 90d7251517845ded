//! Rasters as pictures: every sample is where it was.

use zero_procgen::HostRaster;
use zero_procgen::export::{write_exr, write_png};

fn ramp() -> HostRaster {
    HostRaster {
        width: 3,
        height: 2,
        spacing_m: [1.0, 1.0],
        origin_m: [0.0, 0.0],
        samples: vec![-1.0, 0.0, 1.0, 2.0, 3.5, 9e6],
    }
}

#[test]
fn a_png_has_the_range_in_16_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ramp.png");
    write_png(&path, &ramp(), 0.0..=2.0).unwrap();
    let picture = image::open(&path).unwrap().into_luma16();
    assert_eq!(picture.dimensions(), (3, 2));
    assert_eq!(picture.into_raw(), [0, 0, 32_768, 65_535, 65_535, 65_535]);
    for range in [1.0..=1.0, 2.0..=1.0, f32::NAN..=1.0, 0.0..=f32::INFINITY] {
        assert!(write_png(&path, &ramp(), range).is_err());
    }
}

#[test]
fn an_exr_has_every_sample_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ramp.exr");
    write_exr(&path, &ramp()).unwrap();
    let picture = image::open(&path).unwrap().into_rgb32f();
    let first: Vec<f32> = picture.pixels().map(|pixel| pixel.0[0]).collect();
    assert_eq!(first, ramp().samples);
}

#[test]
fn a_raster_that_is_empty_short_or_not_finite_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ramp.exr");
    let mut short = ramp();
    short.samples.pop();
    let mut bad = ramp();
    bad.samples[4] = f32::NAN;
    let empty = HostRaster {
        width: 0,
        samples: Vec::new(),
        ..ramp()
    };
    for (raster, expected) in [(short, "3 x 2 samples"), (bad, "sample 4"), (empty, "0 x 2 samples")] {
        let error = write_exr(&path, &raster).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(write_png(&path, &raster, 0.0..=1.0).is_err());
    }
    assert!(!path.exists());
}
