//! `template.pixbin`: what is written, what is read, and what is refused by name.

use crate::ops::{edit, palette};
use proptest::prelude::*;
use zero_pixel::{Canvas, Metadata, Palette, Plane, Repeat, Template};

#[test]
fn the_payload_is_json_with_a_pixel_row_a_line() {
    let mut canvas = Canvas::from_pixels(
        3,
        2,
        Palette::parse(["#0000", "#f4a13b", "#fff8"]).unwrap(),
        &[0, 1, 2, 2, 1, 0],
    )
    .unwrap();
    let one = "{\n\"version\": 1,\n\"width\": 3,\n\"height\": 2,\n\"pixelSize\": 0.0625,\n\"plane\": \"xy\",\n\
        \"palette\": [\"#00000000\", \"#f4a13b\", \"#ffffff88\"],\n\"pixels\": [\n0,1,2,\n2,1,0\n],\n\
        \"rate\": 8,\n\"loop\": true\n}\n";
    assert_eq!(String::from_utf8(canvas.to_pixbin()).unwrap(), one);
    canvas.add_frame().unwrap();
    canvas
        .activate(1)
        .unwrap()
        .set_pixel_size_m(0.1)
        .unwrap()
        .set_plane(Plane::Xz)
        .set_repeat(Repeat::Once);
    canvas.set_rate_fps(12.5).unwrap();
    let two = "{\n\"version\": 1,\n\"width\": 3,\n\"height\": 2,\n\"pixelSize\": 0.1,\n\"plane\": \"xz\",\n\
        \"palette\": [\"#00000000\", \"#f4a13b\", \"#ffffff88\"],\n\"pixels\": [\n0,0,0,\n0,0,0\n],\n\
        \"frames\": [\n[\n0,1,2,\n2,1,0\n],\n[\n0,0,0,\n0,0,0\n]\n],\n\"active\": 1,\n\
        \"rate\": 12.5,\n\"loop\": false\n}\n";
    assert_eq!(String::from_utf8(canvas.to_pixbin()).unwrap(), two);
    assert_eq!(Canvas::from_pixbin(two.as_bytes()).unwrap(), canvas);
}

proptest! {
    #[test]
    fn a_canvas_reads_back_equal_and_writes_the_same_bytes(
        (width, height) in (1..20u32, 1..20u32),
        edits in proptest::collection::vec(edit(), 0..20),
        rate in 0.01..1000f32, size in 1e-6..1000f32,
        once in any::<bool>(),
    ) {
        let mut canvas = Canvas::new(width, height, palette()).unwrap();
        for edit in &edits {
            edit.apply(&mut canvas);
        }
        canvas.set_rate_fps(rate).unwrap().set_pixel_size_m(size).unwrap();
        canvas.set_repeat(if once { Repeat::Once } else { Repeat::Loop });
        let bytes = canvas.to_pixbin();
        let back = Canvas::from_pixbin(&bytes).unwrap();
        prop_assert_eq!(&back, &canvas);
        prop_assert_eq!(back.to_pixbin(), bytes);
    }

    /// Whatever one byte becomes: read or refused, never a panic, and what is read is a sound canvas.
    #[test]
    fn a_damaged_payload_is_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut canvas = Canvas::from_pixels(3, 2, palette(), &[0, 1, 2, 3, 4, 5]).unwrap();
        canvas.add_frame().unwrap();
        let mut bytes = canvas.to_pixbin();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if cut {
            bytes.truncate(at);
        }
        if let Ok(canvas) = Canvas::from_pixbin(&bytes) {
            prop_assert_eq!(Canvas::from_pixbin(&canvas.to_pixbin()).unwrap(), canvas);
        }
    }
}

/// A sound payload of 2 x 1 with one field's text replaced (or left out).
fn with(field: &str, value: Option<&str>) -> String {
    let fields = [
        ("version", "1"),
        ("width", "2"),
        ("height", "1"),
        ("pixelSize", "0.1"),
        ("plane", "\"xy\""),
        ("palette", "[\"#0000\", \"#fff\"]"),
        ("pixels", "[0, 1]"),
        ("frames", "[[0, 0], [0, 1]]"),
        ("active", "1"),
        ("rate", "8"),
        ("loop", "true"),
    ];
    let mut lines: Vec<String> = Vec::new();
    for (name, sound) in fields {
        let value = if name == field { value } else { Some(sound) };
        lines.extend(value.map(|value| format!("\"{name}\": {value}")));
    }
    if !fields.iter().any(|(name, _)| *name == field) {
        lines.extend(value.map(|value| format!("\"{field}\": {value}")));
    }
    format!("{{{}}}", lines.join(",\n"))
}

#[test]
fn whatever_is_wrong_is_refused_with_its_field() {
    assert!(Canvas::from_pixbin(with("", None).as_bytes()).is_ok());
    let check = |field: &str, value: &str, expected: &str| {
        let error = Canvas::from_pixbin(with(field, Some(value)).as_bytes())
            .unwrap_err()
            .to_string();
        let message = error.strip_prefix("template.pixbin: ").unwrap();
        assert!(message.starts_with(expected), "{field} = {value}: {message}");
    };
    check("version", "2", "`version`: expected 1, found 2");
    check(
        "version",
        "\"1\"",
        "`version`: invalid type: string \"1\", expected u32 at line 1",
    );
    check(
        "width",
        "0",
        "the width of a canvas: expected 1 to 4096 pixels, found 0",
    );
    check("width", "-2", "`width`: invalid value: integer `-2`, expected u32");
    check(
        "height",
        "5000",
        "the height of a canvas: expected 1 to 4096 pixels, found 5000",
    );
    check("height", "2", "`pixels`: expected 2 x 2 = 4 entries, found 2");
    check(
        "pixelSize",
        "0",
        "`pixelSize`: the side of a pixel: expected above 0 and at most 1000 m, found 0",
    );
    check(
        "pixelSize",
        "1e99",
        "`pixelSize`: the side of a pixel: expected above 0 and at most 1000 m, found inf",
    );
    check("plane", "\"zx\"", "`plane`: plane: expected xy, xz or yz, found \"zx\"");
    check(
        "palette",
        "[]",
        "`palette`: the colours of a palette: expected 1 to 256, found none",
    );
    check("palette", "[\"#fff\", \"red\"]", "`palette[1]`: \"red\" is no colour");
    check(
        "palette",
        "[\"#fff\", 3]",
        "`palette`: [1]: invalid type: integer `3`, expected a string",
    );
    check(
        "palette",
        "[\"#fff\"]",
        "`pixels`, pixel 1, 0: entry 1 is not in the palette, which holds 1 (0 to 0)",
    );
    check("pixels", "[0]", "`pixels`: expected 2 x 1 = 2 entries, found 1");
    check("pixels", "[0, 1, 1]", "`pixels`: expected 2 x 1 = 2 entries, found 3");
    check(
        "pixels",
        "[0, 2]",
        "`pixels`, pixel 1, 0: entry 2 is not in the palette, which holds 2 (0 to 1)",
    );
    check(
        "pixels",
        "[0, 256]",
        "`pixels`: [1]: invalid value: integer `256`, expected u8",
    );
    check(
        "pixels",
        "[0, -1]",
        "`pixels`: [1]: invalid value: integer `-1`, expected u8",
    );
    check(
        "pixels",
        "[0, 0.5]",
        "`pixels`: [1]: invalid type: floating point `0.5`, expected u8",
    );
    check(
        "pixels",
        "[1, 1]",
        "`pixels`: expected what `frames[1]` holds, found other pixels",
    );
    check(
        "pixels",
        "7",
        "`pixels`: invalid type: integer `7`, expected an array of at most 67108864",
    );
    check(
        "frames",
        "[]",
        "`frames`: the frames of a canvas: expected 1 to 1024 frames",
    );
    check(
        "frames",
        "[[0, 0], [0]]",
        "`frames[1]`: expected 2 x 1 = 2 entries, found 1",
    );
    check(
        "frames",
        "[[0, 9], [0, 1]]",
        "`frames[0]`, pixel 1, 0: entry 9 is not in the palette",
    );
    check(
        "frames",
        "[[0, 0], [0, 999]]",
        "`frames`: [1]: [1]: invalid value: integer `999`, expected u8",
    );
    check("active", "2", "`active`: expected 0 to 1, found 2");
    check(
        "rate",
        "0",
        "`rate`: the rate of a canvas: expected 0.01 to 1000 frames a second, found 0",
    );
    check("loop", "1", "`loop`: invalid type: integer `1`, expected a boolean");
    check(
        "colour",
        "1",
        "`colour` is no field of a pixel template, which has version, width,",
    );
}

#[test]
fn fields_that_are_missing_or_there_twice_are_named() {
    for field in [
        "version",
        "width",
        "height",
        "pixelSize",
        "plane",
        "palette",
        "pixels",
        "rate",
        "loop",
    ] {
        let error = Canvas::from_pixbin(with(field, None).as_bytes())
            .unwrap_err()
            .to_string();
        assert_eq!(error, format!("template.pixbin: `{field}` is missing"));
        let twice = with("", None).replacen('{', &format!("{{\"{field}\": {},", sound_value(field)), 1);
        let error = Canvas::from_pixbin(twice.as_bytes()).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("template.pixbin: `{field}` is there twice at line ")),
            "{error}"
        );
    }
    // Without frames the pixels are the only frame, and only frame 0 can be active.
    let error = Canvas::from_pixbin(with("frames", None).as_bytes())
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "template.pixbin: `active`: expected 0 where there are no `frames`, found 1"
    );
    for (text, expected) in [
        ("", "EOF while parsing a value"),
        ("[1]", "invalid type: sequence, expected the object of a pixel template"),
        ("{\"width\": 1", "EOF while parsing an object"),
    ] {
        let error = Canvas::from_pixbin(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let trailing = format!("{} x", with("", None));
    assert!(
        Canvas::from_pixbin(trailing.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("after the object")
    );
    assert!(Canvas::from_pixbin(b"{\"width\": \xff").is_err());
}

fn sound_value(field: &str) -> &'static str {
    match field {
        "plane" => "\"xy\"",
        "palette" => "[\"#0000\", \"#fff\"]",
        "pixels" => "[0, 1]",
        "loop" => "true",
        _ => "1",
    }
}

#[test]
fn a_template_is_a_copy_that_stands_still() {
    let mut canvas = Canvas::new(2, 2, palette()).unwrap();
    canvas.add_frame().unwrap();
    canvas.play();
    let template = Template::new(&canvas, Metadata::new("two frames", ["test"]));
    canvas.fill(3).unwrap();
    assert_eq!(template.sheet().pixels(), [0; 4]);
    let mut instance = template.instantiate();
    assert!(!instance.is_playing());
    assert_eq!(&instance, template.sheet());
    instance.fill(5).unwrap().recolor(1, zero_pixel::Color::WHITE).unwrap();
    assert_eq!(template.sheet().pixels(), [0; 4]);
    assert_eq!(template.sheet().palette(), &palette());
    assert_eq!(template.instantiate().pixels(), [0; 4]);
}
