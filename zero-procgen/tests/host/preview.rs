//! A value in words and in a picture.

use crate::common::{play, present, stones};
use zero_procgen::values::Value;
use zero_procgen::{Error, Inputs, Picture, Preview, Previewer, Result};

/// One white pixel for a geometry, nothing for anything else, and a failure for nothing a side.
struct White;

impl Previewer for White {
    fn picture(&mut self, value: &Value, _: [u32; 2]) -> Result<Option<Picture>> {
        match value {
            Value::Geometry(geometry) if geometry.mesh().is_some() => Err(Error::Refused("no adapter".to_owned())),
            Value::Geometry(_) => Picture::new(1, 1, vec![255; 4]).map(Some),
            _ => Ok(None),
        }
    }
}

#[test]
fn the_summary_is_there_whatever_becomes_of_the_picture() {
    let frame = present(&mut play(&stones(), Inputs::default()));
    let (floor, stones) = (frame.value("floor").unwrap(), frame.value("stones").unwrap());
    let drawn = Preview::of(floor, &mut White, [8, 8]);
    assert_eq!(
        (drawn.summary, drawn.picture.unwrap().unwrap().rgba),
        (floor.summary(), vec![255; 4])
    );
    let failed = Preview::of(stones, &mut White, [8, 8]);
    assert_eq!(failed.summary, stones.summary());
    assert_eq!(failed.picture.unwrap_err().to_string(), "no adapter");
    let nothing = Preview::of(floor, &mut White, [8, 0]);
    assert_eq!(nothing.summary, floor.summary());
    assert!(nothing.picture.unwrap_err().to_string().contains("8 x 0"));
}

#[test]
fn a_picture_has_a_pixel_for_each_place() {
    assert!(Picture::new(2, 1, vec![0; 8]).is_ok());
    for (width, height, bytes) in [(2, 1, 7), (0, 1, 0), (1, 0, 0), (1, 1, 8)] {
        assert!(Picture::new(width, height, vec![0; bytes]).is_err());
    }
}
