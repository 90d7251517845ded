//! Feature `serde`: the data types through JSON.

use crate::ops::{draw, palette};
use proptest::prelude::*;
use zero_pixel::{Canvas, Color, Draw, EntityId, Grid, Legend, Palette, Plane, Rect, Repeat};

proptest! {
    #[test]
    fn operations_read_back(op in draw()) {
        let text = serde_json::to_string(&op).unwrap();
        prop_assert_eq!(serde_json::from_str::<Draw>(&text).unwrap(), op);
    }
}

#[test]
fn as_a_tool_writes_them() {
    let op: Draw = serde_json::from_str(r#"{"op": "fillCircle", "center": [3, -4], "radius": 2, "entry": 1}"#).unwrap();
    let center = (3, -4).into();
    assert_eq!(
        op,
        Draw::FillCircle {
            center,
            radius: 2,
            entry: 1
        }
    );
    assert!(serde_json::from_str::<Draw>(r#"{"op": "fill", "entry": 1, "x": 2}"#).is_err());
    assert_eq!(serde_json::to_string(&Color::rgb(1, 2, 3)).unwrap(), "\"#010203\"");
    assert_eq!(
        serde_json::to_string(&(Plane::Xz, Repeat::Once, EntityId(4))).unwrap(),
        r#"["xz","once",4]"#
    );
    assert!(serde_json::from_str::<Palette>("[]").is_err());
    assert!(serde_json::from_str::<Legend>("{}").is_err());
    let grid = Grid::new(1, 2, 3, 4);
    assert_eq!(
        serde_json::from_str::<Grid>(&serde_json::to_string(&grid).unwrap()).unwrap(),
        grid
    );
    let rect = Rect::new(-1, 2, 3, 4);
    assert_eq!(
        serde_json::to_string(&rect).unwrap(),
        r#"{"x":-1,"y":2,"width":3,"height":4}"#
    );
}

#[test]
fn a_canvas_is_its_payload() {
    let mut canvas = Canvas::from_pixels(2, 1, palette(), &[1, 2]).unwrap();
    canvas.add_frame().unwrap();
    let text = serde_json::to_string(&canvas).unwrap();
    assert_eq!(serde_json::from_str::<Canvas>(&text).unwrap(), canvas);
    assert_eq!(Canvas::from_pixbin(text.as_bytes()).unwrap(), canvas);
    let error = serde_json::from_str::<Canvas>(&text.replacen("1,2", "1,9", 1))
        .unwrap_err()
        .to_string();
    assert!(error.contains("`pixels`, pixel 1, 0: entry 9"), "{error}");
}
