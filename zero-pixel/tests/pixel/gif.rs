//! Animated GIF.

use crate::ops::{edit, palette};
use gif::{DisposalMethod, Encoder, Frame};
use proptest::prelude::*;
use std::borrow::Cow;
use zero_pixel::{Alpha, Canvas, Color, Colors, Delays, GifExport, Import, Palette, Plane, Repeat};

fn read(bytes: &[u8]) -> zero_pixel::Result<Canvas> {
    Canvas::from_gif(bytes, &Import::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_gif_reads_back_equal(
        (width, height) in (1..30u32, 1..30u32),
        edits in proptest::collection::vec(edit(), 0..25),
        rate in 0.01..=50f32, size in 1e-6..1000f32,
        once in any::<bool>(), entries in 6..=256usize,
    ) {
        let mut canvas = Canvas::new(width, height, palette()).unwrap();
        for edit in &edits {
            edit.apply(&mut canvas);
        }
        while canvas.palette().len() < entries {
            canvas.add_color(Color::BLACK).unwrap();
        }
        canvas.set_rate_fps(rate).unwrap().set_pixel_size_m(size).unwrap().set_plane(Plane::Yz);
        canvas.set_repeat(if once { Repeat::Once } else { Repeat::Loop });
        canvas.activate(0).unwrap();
        let bytes = canvas.to_gif(&GifExport::default()).unwrap();
        prop_assert_eq!(read(&bytes).unwrap(), canvas.clone());
        prop_assert_eq!(canvas.to_gif(&GifExport::default()).unwrap(), bytes);
    }
}

/// What the decoder that others use sees, frame by frame.
fn decoded(bytes: &[u8]) -> (Vec<Frame<'static>>, gif::Repeat) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        frames.push(frame.clone());
    }
    (frames, decoder.repeat())
}

#[test]
fn other_readers_see_the_colours_the_times_and_the_loop() {
    let mut canvas = Canvas::from_pixels(2, 2, palette(), &[0, 1, 2, 3]).unwrap();
    for _ in 0..11 {
        canvas.duplicate_frame(0).unwrap();
    }
    canvas
        .activate(11)
        .unwrap()
        .set_pixel((0, 0), 5)
        .unwrap()
        .set_pixel((1, 1), 0)
        .unwrap();
    canvas.set_rate_fps(12.0).unwrap();
    let (frames, repeat) = decoded(&canvas.to_gif(&GifExport::default()).unwrap());
    assert_eq!(repeat, gif::Repeat::Infinite);
    // 12 frames last exactly a second, none more than half a hundredth from its time.
    let delays: Vec<u16> = frames.iter().map(|frame| frame.delay).collect();
    assert_eq!(delays, [8, 9, 8, 8, 9, 8, 8, 9, 8, 8, 9, 8]);
    for (at, frame) in frames.iter().enumerate() {
        canvas.activate(at).unwrap();
        // The decoder shows what is transparent with its colour beneath; alpha decides.
        assert_eq!(frame.buffer.as_ref(), canvas.to_rgba(), "frame {at}");
        assert_eq!(frame.dispose, DisposalMethod::Background);
    }
    canvas.set_repeat(Repeat::Once);
    assert_eq!(
        decoded(&canvas.to_gif(&GifExport::default()).unwrap()).1,
        gif::Repeat::Finite(0)
    );
}

#[test]
fn a_scaled_gif_has_squares_for_pixels() {
    let mut canvas = Canvas::from_pixels(2, 1, palette(), &[1, 0]).unwrap();
    canvas.add_frame().unwrap();
    let large = read(&canvas.to_gif(&GifExport::default().scale(2)).unwrap()).unwrap();
    assert_eq!((large.width(), large.height(), large.frame_count()), (4, 2, 2));
    assert_eq!(large.pixels(), [1, 1, 0, 0, 1, 1, 0, 0]);
    assert!(canvas.to_gif(&GifExport::default().scale(0)).is_err());
    assert!(canvas.to_gif(&GifExport::default().scale(40_000)).is_err());
}

#[test]
fn what_a_gif_cannot_hold_is_refused_or_rounded_as_asked() {
    let mut canvas = Canvas::from_pixels(4, 1, palette(), &[0, 1, 2, 3]).unwrap();
    canvas.set_rate_fps(60.0).unwrap();
    assert_eq!(
        canvas.to_gif(&GifExport::default()).unwrap_err().to_string(),
        "this canvas cannot be written as GIF: 60 frames a second are more than the 50 that it can show"
    );
    canvas.set_rate_fps(50.0).unwrap();
    canvas
        .recolor(1, Color::rgba(1, 2, 3, 127))
        .unwrap()
        .recolor(2, Color::rgba(4, 5, 6, 128))
        .unwrap();
    assert_eq!(
        canvas.to_gif(&GifExport::default()).unwrap_err().to_string(),
        "this canvas cannot be written as GIF: entry 1 is #0102037f, neither opaque nor transparent; `Alpha::Round` rounds it"
    );
    let rounded = read(&canvas.to_gif(&GifExport::default().alpha(Alpha::Round)).unwrap()).unwrap();
    let colors: Vec<Option<Color>> = (0..4).map(|x| rounded.color((x, 0))).collect();
    let opaque = |r, g, b| Some(Color::rgb(r, g, b));
    assert_eq!(
        colors,
        [
            Some(Color::TRANSPARENT),
            Some(Color::TRANSPARENT),
            opaque(4, 5, 6),
            opaque(0xff, 0xcd, 0x75)
        ]
    );
}

#[test]
fn a_palette_without_a_transparent_entry_stays_opaque() {
    let opaque = Palette::parse(["#123", "#fff"]).unwrap();
    let mut canvas = Canvas::from_pixels(2, 1, opaque, &[0, 1]).unwrap();
    canvas.add_frame().unwrap();
    let back = read(&canvas.to_gif(&GifExport::default()).unwrap()).unwrap();
    assert_eq!(back, canvas);
    assert_eq!(back.palette().transparent(), None);
}

/// A GIF as another program writes it: parts of frames, laid over one another.
fn foreign(global: &[u8], frames: &[Frame<'_>]) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), 3, 2, global).unwrap();
    for frame in frames {
        encoder.write_frame(frame).unwrap();
    }
    encoder.into_inner().unwrap()
}

fn part(left: u16, top: u16, width: u16, height: u16, entries: &'static [u8]) -> Frame<'static> {
    Frame {
        left,
        top,
        width,
        height,
        delay: 10,
        transparent: Some(3),
        buffer: Cow::Borrowed(entries),
        ..Frame::default()
    }
}

const TABLE: [u8; 12] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 9, 9, 9];

#[test]
fn parts_are_laid_over_one_another_and_disposed_of() {
    let mut frames = [
        part(0, 0, 3, 2, &[0, 0, 0, 1, 1, 1]),
        part(1, 0, 2, 1, &[2, 3]),
        part(0, 1, 2, 1, &[2, 2]),
        part(2, 1, 1, 1, &[2]),
    ];
    frames[1].dispose = DisposalMethod::Previous;
    frames[2].dispose = DisposalMethod::Background;
    let canvas = read(&foreign(&TABLE, &frames)).unwrap();
    let shown: Vec<&[u8]> = (0..4).map(|at| canvas.frame_pixels(at).unwrap()).collect();
    assert_eq!(shown[0], [0, 0, 0, 1, 1, 1]);
    assert_eq!(shown[1], [0, 2, 0, 1, 1, 1], "entry 3 lets what is beneath through");
    assert_eq!(shown[2], [0, 0, 0, 2, 2, 1], "frame 1 is gone without a trace");
    assert_eq!(shown[3], [0, 0, 0, 3, 3, 2], "where frame 2 was is a hole");
    assert_eq!(canvas.palette().get(3), Some(Color::rgba(9, 9, 9, 0)));
    assert_eq!((canvas.rate_fps(), canvas.repeat()), (10.0, Repeat::Once));
}

#[test]
fn palettes_of_frames_are_joined_by_colour() {
    let mut frames = [part(0, 0, 3, 2, &[0, 1, 2, 3, 3, 3]), part(0, 0, 1, 1, &[0])];
    frames[1].palette = Some(vec![0, 0, 255, 1, 1, 1]);
    frames[1].transparent = None;
    let canvas = read(&foreign(&TABLE, &frames)).unwrap();
    let colors = [
        Color::BLACK,
        Color::rgb(255, 0, 0),
        Color::rgb(0, 255, 0),
        Color::TRANSPARENT,
        Color::rgb(0, 0, 255),
    ];
    assert_eq!(canvas.palette().colors(), colors);
    assert_eq!(canvas.frame_pixels(0).unwrap(), [0, 1, 2, 3, 3, 3]);
    assert_eq!(canvas.frame_pixels(1).unwrap(), [4, 1, 2, 3, 3, 3]);
    let how = Import::default().colors(Colors::Exact(palette()));
    let error = Canvas::from_gif(&foreign(&TABLE, &frames), &how)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("the GIF, frame 0: #000000 at 0, 0 is not in the palette given"),
        "{error}"
    );
}

#[test]
fn what_no_frame_covers_is_transparent() {
    let mut frame = part(1, 1, 1, 1, &[1]);
    frame.transparent = None;
    let canvas = read(&foreign(&TABLE, &[frame])).unwrap();
    let clear = Color::TRANSPARENT;
    let colors: Vec<Color> = (0..6).map(|at| canvas.color((at % 3, at / 3)).unwrap()).collect();
    assert_eq!(colors, [clear, clear, clear, clear, Color::rgb(255, 0, 0), clear]);
}

#[test]
fn uneven_delays_are_refused_or_evened_out_as_asked() {
    let mut frames = [
        part(0, 0, 3, 2, &[0; 6]),
        part(0, 0, 1, 1, &[1]),
        part(0, 0, 1, 1, &[2]),
    ];
    frames[1].delay = 0;
    frames[2].delay = 40;
    let bytes = foreign(&TABLE, &frames);
    assert_eq!(
        read(&bytes).unwrap_err().to_string(),
        "this GIF cannot be read: frame 2 is shown for 40 hundredths of a second and frame 0 for 10; `Delays::Mean` gives all the mean"
    );
    let mean = Canvas::from_gif(&bytes, &Import::default().delays(Delays::Mean)).unwrap();
    assert_eq!(mean.rate_fps(), 5.0, "3 frames in 10 + 10 + 40 hundredths");
}

#[test]
fn a_note_that_does_not_agree_with_the_file_is_not_believed() {
    let mut canvas = Canvas::from_pixels(2, 1, palette(), &[1, 5]).unwrap();
    canvas.set_rate_fps(7.0).unwrap().set_pixel_size_m(3.0).unwrap();
    let bytes = canvas.to_gif(&GifExport::default()).unwrap();
    let note = bytes.windows(11).position(|name| name == b"ZEROPIXL001").unwrap() + 12;
    let check = |at: usize, value: &[u8]| {
        let mut changed = bytes.clone();
        changed[note + at..][..value.len()].copy_from_slice(value);
        let back = read(&changed).unwrap();
        assert_eq!(back.to_rgba(), canvas.to_rgba());
        assert_eq!(back.pixel_size_m(), Canvas::DEFAULT_PIXEL_SIZE_M, "{at}");
        assert_eq!(back.palette().len(), 8, "{at}");
        assert_eq!(back.rate_fps(), 100.0 / 14.0);
    };
    check(0, &[4]);
    check(0, &[8]);
    check(1, &[3]);
    check(2, &9.0f32.to_le_bytes());
    check(2, &f32::NAN.to_le_bytes());
    check(6, &(-1.0f32).to_le_bytes());
    // What is asked for goes before what the file says.
    let how = Import::default().pixel_size_m(0.5).plane(Plane::Xz);
    let asked = Canvas::from_gif(&bytes, &how).unwrap();
    assert_eq!(
        (asked.pixel_size_m(), asked.plane(), asked.rate_fps()),
        (0.5, Plane::Xz, 7.0)
    );
}

#[test]
fn what_is_no_gif_is_refused() {
    for bytes in [&b""[..], b"GIF89a", b"not a picture at all", &palette_only()] {
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.starts_with("this GIF cannot be read: "), "{error}");
    }
}

fn palette_only() -> Vec<u8> {
    Encoder::new(Vec::new(), 3, 2, &TABLE).unwrap().into_inner().unwrap()
}
