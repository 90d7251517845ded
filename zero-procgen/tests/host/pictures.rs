//! Rasters and previews as pictures.

use crate::common::{play, present, stones};
use zero_compute::{CpuOptions, Device, Exec};
use zero_procgen::export::{exr_bytes, png_bytes};
use zero_procgen::values::Value;
use zero_procgen::{
    Clock, Folder, Graph, HostRaster, Inputs, Picture, Play, Present, Previewer, Result, Stage, Store, StoreOptions,
    inputs,
};

#[test]
fn a_raster_is_a_picture_stretched_or_of_a_range_or_every_sample() {
    let kept = tempfile::tempdir().unwrap();
    let raster = HostRaster {
        width: 2,
        height: 2,
        spacing_m: [1.0, 1.0],
        origin_m: [0.0, 0.0],
        samples: vec![-1.0, 0.0, 2.0, 3.0],
    };
    let device = Device::cpu(CpuOptions::default());
    let graph = Graph::define("heights", |g| g.output("height", g.raster("height"))).unwrap();
    let store = Store::new(&device, StoreOptions::default());
    let height = raster.upload(&device).unwrap();
    let mut play = Play::new(&store, &graph, inputs! { height: height }).unwrap();
    let Present::Whole(frame) = play.present(Clock::default(), &Exec::default()).unwrap() else {
        panic!("no budget");
    };
    Stage::new(Folder::new(kept.path())).stand(&frame).unwrap();
    let folder = Folder::new(kept.path())
        .file("stretched.png", ["height"])
        .unwrap()
        .grey("of a range.png", "height", 0.0..=4.0)
        .unwrap();
    Stage::new(folder).stand(&frame).unwrap();
    let read = |name: &str| std::fs::read(kept.path().join(name)).unwrap();
    assert_eq!(read("height.exr"), exr_bytes(&raster).unwrap());
    assert_eq!(read("stretched.png"), png_bytes(&raster, -1.0..=3.0).unwrap());
    assert_eq!(read("of a range.png"), png_bytes(&raster, 0.0..=4.0).unwrap());
}

#[test]
fn what_is_no_raster_is_drawn_by_the_previewer() {
    struct Red;
    impl Previewer for Red {
        fn picture(&mut self, value: &Value, [width, _]: [u32; 2]) -> Result<Option<Picture>> {
            match value {
                Value::Geometry(_) => Picture::new(width, 1, [255, 0, 0, 255].repeat(width as usize)).map(Some),
                _ => Ok(None),
            }
        }
    }
    let kept = tempfile::tempdir().unwrap();
    let frame = present(&mut play(&stones(), Inputs::default()));
    let folder = || Folder::new(kept.path()).file("floor.png", ["floor"]).unwrap();
    let message = Stage::new(folder()).stand(&frame).unwrap_err().to_string();
    assert!(
        message.contains("a Raster, or a previewer that has a picture of it, got a Geometry"),
        "{message}"
    );
    Stage::new(folder().previewer(Red, [3, 3])).stand(&frame).unwrap();
    let picture = image::open(kept.path().join("floor.png")).unwrap().into_rgba8();
    assert_eq!(
        (picture.dimensions(), picture.into_raw()),
        ((3, 1), [255, 0, 0, 255].repeat(3))
    );
}
