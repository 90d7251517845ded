//! PNG and sprite sheets.

use crate::ops::{draw, palette};
use proptest::prelude::*;
use zero_pixel::{Canvas, Color, Colors, Error, Grid, Import, Palette, Plane, SheetLayout};

/// A canvas with something drawn on each of `frames` frames.
fn animated(width: u32, height: u32, frames: usize) -> Canvas {
    let mut canvas = Canvas::new(width, height, palette()).unwrap();
    for at in 0..frames {
        if at > 0 {
            canvas.add_frame().unwrap();
        }
        canvas
            .activate(at)
            .unwrap()
            .line((0, at as i32), (width as i32, 1), 1 + at as u8 % 5)
            .unwrap();
    }
    canvas.activate(0).unwrap();
    canvas
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_png_reads_back_with_its_palette_and_entries(
        (width, height) in (1..30u32, 1..30u32),
        ops in proptest::collection::vec(draw(), 0..8),
        alpha in any::<u8>(),
    ) {
        let mut canvas = Canvas::new(width, height, palette()).unwrap();
        for op in &ops {
            canvas.draw(op).unwrap();
        }
        canvas.recolor(2, Color::rgba(9, 8, 7, alpha)).unwrap();
        let png = canvas.to_png(1).unwrap();
        prop_assert_eq!(&png, &canvas.clone().to_png(1).unwrap());
        prop_assert_eq!(Canvas::from_png(&png, &Import::default()).unwrap(), canvas);
    }

    #[test]
    fn damaged_pictures_are_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let canvas = animated(9, 7, 3);
        for gif in [false, true] {
            let mut bytes = match gif {
                true => canvas.to_gif(&Default::default()).unwrap(),
                false => canvas.to_png(1).unwrap(),
            };
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if cut {
                bytes.truncate(at);
            }
            let read = match gif {
                true => Canvas::from_gif(&bytes, &Import::default()),
                false => Canvas::from_png(&bytes, &Import::default()),
            };
            if let Ok(canvas) = read {
                prop_assert!(canvas.pixels().iter().all(|entry| usize::from(*entry) < canvas.palette().len()));
            }
        }
    }
}

/// A PNG of colours, as any other program writes it.
fn rgba_png(width: u32, height: u32, pixels: &[Color]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let data: Vec<u8> = pixels.iter().flat_map(|color| color.to_array()).collect();
    encoder.write_header().unwrap().write_image_data(&data).unwrap();
    bytes
}

#[test]
fn an_own_palette_has_the_colours_in_the_order_in_which_they_appear() {
    let (red, blue) = (Color::rgb(255, 0, 0), Color::rgba(0, 0, 255, 100));
    let hidden = Color::rgba(7, 7, 7, 0);
    let png = rgba_png(3, 2, &[blue, Color::TRANSPARENT, red, red, hidden, blue]);
    let canvas = Canvas::from_png(&png, &Import::default().plane(Plane::Xz).pixel_size_m(2.0)).unwrap();
    assert_eq!(canvas.palette().colors(), [blue, Color::TRANSPARENT, red]);
    assert_eq!(canvas.pixels(), [0, 1, 2, 2, 1, 0]);
    assert_eq!((canvas.plane(), canvas.pixel_size_m()), (Plane::Xz, 2.0));
}

#[test]
fn more_colours_than_allowed_are_refused_with_the_first_that_is_too_many() {
    let pixels: Vec<Color> = (0..=256u32).map(|n| Color::rgb(n as u8, (n >> 8) as u8, 9)).collect();
    let png = rgba_png(257, 1, &pixels);
    let message = |how: &Import| Canvas::from_png(&png, how).unwrap_err().to_string();
    assert_eq!(
        message(&Import::default()),
        "the picture has more than the 256 colours allowed: #000109 at 256, 0 would be the next; import it with `Colors::Nearest` to map it to a palette"
    );
    assert!(message(&Import::default().colors(Colors::Own(3))).contains("3 colours allowed: #030009 at 3, 0"));
    assert!(message(&Import::default().colors(Colors::Own(0))).contains("expected 1 to 256, found 0"));
    assert!(message(&Import::default().colors(Colors::Own(257))).contains("expected 1 to 256, found 257"));
    // An indexed picture whose palette is too long counts by the colours that it shows.
    let canvas = Canvas::from_pixels(2, 1, palette(), &[5, 3]).unwrap();
    let few = Canvas::from_png(&canvas.to_png(1).unwrap(), &Import::default().colors(Colors::Own(2))).unwrap();
    assert_eq!((few.pixels(), few.palette().len()), (&[0, 1][..], 2));
    assert_eq!(few.to_rgba(), canvas.to_rgba());
}

#[test]
fn a_given_palette_is_kept_and_refuses_or_maps() {
    let given = Palette::parse(["#fff", "#0f00", "#000", "#f00"]).unwrap();
    let png = rgba_png(3, 1, &[Color::rgb(250, 10, 0), Color::rgba(1, 2, 3, 0), Color::WHITE]);
    let exact = Canvas::from_png(&png, &Import::default().colors(Colors::Exact(given.clone())));
    assert_eq!(
        exact.unwrap_err().to_string(),
        "the picture: #fa0a00 at 0, 0 is not in the palette given; import it with `Colors::Nearest` to map it"
    );
    let nearest = Canvas::from_png(&png, &Import::default().colors(Colors::Nearest(given.clone()))).unwrap();
    assert_eq!((nearest.pixels(), nearest.palette()), (&[3, 1, 0][..], &given));
    let png = rgba_png(2, 1, &[Color::rgb(255, 0, 0), Color::rgba(1, 2, 3, 0)]);
    let exact = Canvas::from_png(&png, &Import::default().colors(Colors::Exact(given.clone()))).unwrap();
    assert_eq!((exact.pixels(), exact.palette()), (&[3, 1][..], &given));
}

#[test]
fn every_kind_of_png_is_read() {
    use png::{BitDepth, ColorType};
    let check = |color, depth, data: &[u8], expected: [Color; 3]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 3, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            encoder.set_palette(vec![10, 20, 30, 40, 50, 60, 70, 80, 90]);
            encoder.set_trns(vec![0, 128]);
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        let canvas = Canvas::from_png(&bytes, &Import::default()).unwrap();
        let colors: Vec<Color> = (0..3).map(|x| canvas.color((x, 0)).unwrap()).collect();
        assert_eq!(colors, expected, "{color:?} {depth:?}");
    };
    let grey = |n| Color::rgb(n, n, n);
    let entries = [
        Color::rgba(10, 20, 30, 0),
        Color::rgba(40, 50, 60, 128),
        Color::rgb(70, 80, 90),
    ];
    check(ColorType::Indexed, BitDepth::Two, &[0b00_01_10_00], entries);
    check(ColorType::Indexed, BitDepth::Four, &[0x01, 0x20], entries);
    check(
        ColorType::Indexed,
        BitDepth::One,
        &[0b0110_0000],
        [entries[0], entries[1], entries[1]],
    );
    check(
        ColorType::Grayscale,
        BitDepth::One,
        &[0b0110_0000],
        [grey(0), grey(255), grey(255)],
    );
    check(
        ColorType::Grayscale,
        BitDepth::Two,
        &[0b00_01_11_00],
        [grey(0), grey(85), grey(255)],
    );
    check(
        ColorType::Grayscale,
        BitDepth::Eight,
        &[1, 2, 3],
        [grey(1), grey(2), grey(3)],
    );
    check(
        ColorType::Grayscale,
        BitDepth::Sixteen,
        &[1, 9, 2, 9, 3, 9],
        [grey(1), grey(2), grey(3)],
    );
    let faint = [Color::rgba(1, 1, 1, 9), grey(2), Color::rgba(3, 3, 3, 1)];
    check(ColorType::GrayscaleAlpha, BitDepth::Eight, &[1, 9, 2, 255, 3, 1], faint);
    let rgb = [Color::rgb(1, 2, 3), Color::rgb(4, 5, 6), Color::rgb(7, 8, 9)];
    check(ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 4, 5, 6, 7, 8, 9], rgb);
}

#[test]
fn a_scaled_png_has_squares_for_pixels() {
    let canvas = Canvas::from_pixels(2, 2, palette(), &[1, 2, 3, 4]).unwrap();
    let large = Canvas::from_png(&canvas.to_png(3).unwrap(), &Import::default()).unwrap();
    assert_eq!((large.width(), large.height()), (6, 6));
    for pos in (0..6).flat_map(|y| (0..6).map(move |x| (x, y))) {
        assert_eq!(large.pixel(pos), canvas.pixel((pos.0 / 3, pos.1 / 3)));
    }
    for scale in [0, 1 << 30, u32::MAX, 1 << 15] {
        let error = canvas.to_png(scale).unwrap_err();
        assert!(
            error.to_string().starts_with("this canvas cannot be written as PNG: "),
            "{error}"
        );
    }
    assert_eq!(
        canvas.to_png(0).unwrap_err().to_string(),
        "this canvas cannot be written as PNG: 2 x 2 pixels magnified 0 times are not within 1 to 2147483647 a side"
    );
}

/// The chunk of a PNG, with its length and checksum.
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    // The cyclic redundancy check of the PNG specification (annex D), a bit at a time.
    let bits = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    };
    let crc = !kind.iter().chain(data).fold(u32::MAX, bits);
    let length = u32::try_from(data.len()).unwrap();
    [&length.to_be_bytes()[..], kind, data, &crc.to_be_bytes()].concat()
}

/// What a PNG of that size begins with, up to the data that never comes: 8 bits, of colours or of palette entries.
fn header_only(width: u32, height: u32, kind: u8) -> Vec<u8> {
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, kind, 0, 0, 0]].concat();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend(chunk(b"IHDR", &head));
    bytes.extend(chunk(b"PLTE", &[1, 2, 3]));
    bytes
}

#[test]
fn a_picture_larger_than_a_canvas_is_refused_before_it_is_unpacked() {
    for (kind, width, height) in [
        (3, 4097, 1),
        (6, 1, 4097),
        (6, 8192, 8192),
        (2, u32::MAX >> 1, u32::MAX >> 1),
    ] {
        let error = Canvas::from_png(&header_only(width, height, kind), &Import::default()).unwrap_err();
        assert!(matches!(error, Error::Range { .. }), "{width} x {height}: {error}");
    }
    // Of a size that is allowed, the missing data is what is wrong.
    let error = Canvas::from_png(&header_only(4096, 4096, 6), &Import::default()).unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error}");
    // A sheet is looked at no further than its size either, and a grid before any sheet.
    let sheet = |grid: &Grid, bytes: &[u8]| Canvas::from_sheet_png(bytes, grid, &Import::default()).unwrap_err();
    let error = sheet(&Grid::new(2, 2, 8, 8), &header_only(17, 16, 6));
    assert!(matches!(error, Error::SheetSize { found_width: 17, .. }), "{error}");
    for grid in [
        Grid::new(1, 1, 4097, 1),
        Grid::new(1025, 1, 1, 1),
        Grid::new(5, 1, 4096, 4096),
    ] {
        let error = sheet(&grid, b"");
        assert!(matches!(error, Error::Range { .. }), "{error}");
    }
    let wide = Grid {
        padding: 40_000,
        ..Grid::new(2, 2, 8, 8)
    };
    let error = sheet(&wide, &header_only(40_016, 40_016, 3)).to_string();
    assert_eq!(
        error,
        "the pixels of a picture: expected at most 268435456, found 40016 x 40016"
    );
    let wide = Grid {
        padding: 9_000,
        ..Grid::new(2, 2, 8, 8)
    };
    let error = sheet(&wide, &header_only(9_016, 9_016, 6)).to_string();
    assert_eq!(
        error,
        "the pixels of a picture: expected at most 67108864, found 9016 x 9016"
    );
}

#[test]
fn the_largest_canvas_reads_back_from_a_sheet_whose_cells_stand_apart() {
    let mut canvas = Canvas::new(4096, 4096, palette()).unwrap();
    for at in 0..4 {
        if at > 0 {
            canvas.add_frame().unwrap();
        }
        canvas
            .activate(at)
            .unwrap()
            .circle((2000, 2000), 90 * at as u32, 3)
            .unwrap();
    }
    canvas.activate(0).unwrap();
    let (png, grid) = canvas.to_sheet_png(&SheetLayout::default().padding(1)).unwrap();
    assert!(grid.size().0 * grid.size().1 > 1 << 26);
    assert_eq!(Canvas::from_sheet_png(&png, &grid, &Import::default()).unwrap(), canvas);
}

#[test]
fn sheets_of_every_layout_read_back() {
    for frames in [1, 2, 3, 4, 5, 7, 12] {
        let canvas = animated(5, 4, frames);
        for columns in [None, Some(1), Some(3), Some(50)] {
            for (padding, margin) in [(0, 0), (2, 0), (1, 3)] {
                let mut layout = SheetLayout::default().padding(padding).margin(margin);
                layout.columns = columns;
                let (png, grid) = canvas.to_sheet_png(&layout).unwrap();
                assert_eq!(
                    Canvas::from_sheet_png(&png, &grid, &Import::default()).unwrap(),
                    canvas,
                    "{grid:?}"
                );
            }
        }
    }
}

#[test]
fn the_grid_says_where_each_frame_is() {
    let canvas = animated(5, 4, 7);
    let layout = SheetLayout::default().columns(3).padding(2).margin(1);
    let (png, grid) = canvas.to_sheet_png(&layout).unwrap();
    assert_eq!((grid.columns, grid.rows, grid.count), (3, 3, 7));
    assert_eq!(grid.size(), (1 + 5 + 2 + 5 + 2 + 5 + 1, 1 + 4 + 2 + 4 + 2 + 4 + 1));
    let sheet = Canvas::from_png(&png, &Import::default()).unwrap();
    let mut inside = vec![false; sheet.pixels().len()];
    for frame in 0..7u32 {
        let cell = grid.cell(frame).unwrap();
        let mut entries = Vec::new();
        sheet.copy_rect(0, cell, &mut entries).unwrap();
        assert_eq!(entries, canvas.frame_pixels(frame as usize).unwrap());
        for y in cell.y..cell.y + 4 {
            inside[y as usize * 21 + cell.x as usize..][..5].fill(true);
        }
    }
    assert_eq!(grid.cell(7), None);
    let between = sheet.pixels().iter().zip(&inside).filter(|(_, inside)| !**inside);
    assert!(
        between.into_iter().all(|(entry, _)| *entry == 0),
        "background lies between the cells"
    );
    assert_eq!(SheetLayout::default().columns(0).columns, Some(0));
    assert!(canvas.to_sheet_png(&SheetLayout::default().columns(0)).is_err());
    assert!(canvas.to_sheet_png(&SheetLayout::default().margin(u32::MAX)).is_err());
    assert_eq!(canvas.sheet_grid(&SheetLayout::default()).unwrap().columns, 3);
}

#[test]
fn a_sheet_that_is_not_as_its_grid_says_is_refused() {
    let (png, grid) = animated(5, 4, 4).to_sheet_png(&SheetLayout::default()).unwrap();
    let read = |grid: &Grid| Canvas::from_sheet_png(&png, grid, &Import::default());
    assert_eq!(
        read(&Grid::new(3, 2, 5, 4)).unwrap_err().to_string(),
        "the sheet is 10 x 8 pixels; its grid takes 15 x 8"
    );
    for bad in [
        Grid { count: 0, ..grid },
        Grid { count: 5, ..grid },
        Grid::new(0, 0, 5, 4),
        Grid::new(2, 2, 0, 4),
        Grid::new(u32::MAX, u32::MAX, u32::MAX, u32::MAX),
    ] {
        assert!(
            matches!(read(&bad), Err(Error::Range { .. } | Error::SheetSize { .. })),
            "{bad:?}"
        );
    }
    // Fewer cells than there are can be asked for.
    assert_eq!(read(&Grid { count: 3, ..grid }).unwrap().frame_count(), 3);
}
