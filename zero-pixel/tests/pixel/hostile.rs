//! Files as nobody should write them: read as their format has it, or refused, never a panic and never an unsound canvas.

use crate::ops::{edit, palette};
use gif::{DisposalMethod, Encoder, Frame};
use proptest::prelude::*;
use std::borrow::Cow;
use zero_pixel::{Canvas, Colors, Delays, Error, GifExport, Grid, Import, Palette};

const WIDTH: u16 = 7;
const HEIGHT: u16 = 5;

/// Red, green, blue for each entry of the file's own table.
const TABLE: [[u8; 3]; 4] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [9, 9, 9]];

fn frame() -> impl Strategy<Value = Frame<'static>> {
    let place = (0..9u16, 0..7u16, 1..10u16, 1..8u16);
    let dispose = prop_oneof![
        Just(DisposalMethod::Any),
        Just(DisposalMethod::Keep),
        Just(DisposalMethod::Background),
        Just(DisposalMethod::Previous),
    ];
    // Most files keep one transparent entry, some change it, and some name one that no table has.
    let transparent = prop_oneof![6 => Just(Some(3)), 2 => Just(None), 1 => any::<u8>().prop_map(Some)];
    let own = prop_oneof![4 => Just(None), 1 => any::<[u8; 12]>().prop_map(|table| Some(table.to_vec()))];
    let entries = proptest::collection::vec(prop_oneof![40 => 0..4u8, 1 => 4..8u8], 10 * 8);
    (place, dispose, transparent, own, any::<bool>(), entries).prop_map(
        |((left, top, width, height), dispose, transparent, palette, interlaced, mut entries)| {
            entries.truncate(usize::from(width) * usize::from(height));
            Frame {
                left,
                top,
                width,
                height,
                dispose,
                transparent,
                palette,
                interlaced,
                delay: 10,
                buffer: Cow::Owned(entries),
                ..Frame::default()
            }
        },
    )
}

/// The row of a picture that comes as the `nth` of an interlaced one: GIF89a, appendix E.
fn interlaced_row(nth: usize, height: usize) -> usize {
    let passes = [(0, 8), (4, 8), (2, 4), (1, 2)];
    let mut rows = passes.into_iter().flat_map(|(from, step)| (from..height).step_by(step));
    rows.nth(nth).unwrap()
}

/// What is shown while each frame is, red, green, blue, or nothing, by the words of the format, a pixel at a time. `None`
/// where a pixel that is shown has an entry that no table holds.
fn shown(frames: &[Frame<'static>]) -> Option<Vec<Vec<Option<[u8; 3]>>>> {
    let mut screen = vec![None; usize::from(WIDTH) * usize::from(HEIGHT)];
    let mut all = Vec::new();
    for frame in frames {
        let before = screen.clone();
        let mut covered = Vec::new();
        let (width, height) = (usize::from(frame.width), usize::from(frame.height));
        for (at, entry) in frame.buffer.iter().enumerate() {
            let row = if frame.interlaced {
                interlaced_row(at / width, height)
            } else {
                at / width
            };
            let (x, y) = (usize::from(frame.left) + at % width, usize::from(frame.top) + row);
            if x >= usize::from(WIDTH) || y >= usize::from(HEIGHT) {
                continue;
            }
            let place = y * usize::from(WIDTH) + x;
            covered.push(place);
            if frame.transparent != Some(*entry) {
                let own = frame.palette.as_ref().map(|table| table.as_chunks::<3>().0);
                screen[place] = Some(*own.unwrap_or(&TABLE).get(usize::from(*entry))?);
            }
        }
        all.push(screen.clone());
        match frame.dispose {
            DisposalMethod::Background => covered.into_iter().for_each(|place| screen[place] = None),
            DisposalMethod::Previous => screen = before,
            DisposalMethod::Any | DisposalMethod::Keep => {}
        }
    }
    Some(all)
}

fn written(frames: &[Frame<'static>]) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), WIDTH, HEIGHT, TABLE.as_flattened()).unwrap();
    for frame in frames {
        encoder.write_frame(frame).unwrap();
    }
    encoder.into_inner().unwrap()
}

/// Every entry is in the palette, and the canvas can be saved and read again.
fn assert_sound(canvas: &Canvas) {
    for at in 0..canvas.frame_count() {
        let pixels = canvas.frame_pixels(at).unwrap();
        assert_eq!(pixels.len(), canvas.width() as usize * canvas.height() as usize);
        assert!(pixels.iter().all(|entry| usize::from(*entry) < canvas.palette().len()));
    }
    assert_eq!(Canvas::from_pixbin(&canvas.to_pixbin()).unwrap(), *canvas);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Parts beside and beyond the screen, interlaced ones, every disposal, tables of their own, transparent entries that
    /// change or that no table has: each frame shows what the words of the format say.
    #[test]
    fn gifs_of_odd_frames_show_what_the_format_says(frames in proptest::collection::vec(frame(), 1..7)) {
        let read = Canvas::from_gif(&written(&frames), &Import::default());
        let Some(expected) = shown(&frames) else {
            let error = read.unwrap_err().to_string();
            prop_assert!(error.contains("which its palette lacks"), "{}", error);
            return Ok(());
        };
        let mut canvas = read.unwrap();
        prop_assert_eq!(canvas.frame_count(), frames.len());
        assert_sound(&canvas);
        for (at, pixels) in expected.iter().enumerate() {
            canvas.activate(at).unwrap();
            let rgba = canvas.to_rgba();
            let colors: Vec<_> = rgba.as_chunks::<4>().0.iter().map(|&[r, g, b, a]| (a > 0).then_some([r, g, b])).collect();
            prop_assert_eq!(&colors, pixels, "frame {}", at);
        }
    }

    /// Several bytes changed, cut out, doubled: read or refused.
    #[test]
    fn mangled_files_are_read_or_refused(
        edits in proptest::collection::vec(edit(), 0..6),
        wounds in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..8),
        kind in 0..3u8,
    ) {
        let mut canvas = Canvas::new(9, 7, palette()).unwrap();
        for edit in &edits {
            edit.apply(&mut canvas);
        }
        let mut bytes = match kind {
            0 => canvas.to_pixbin(),
            1 => canvas.to_gif(&GifExport::default()).unwrap(),
            _ => canvas.to_png(1).unwrap(),
        };
        for (at, byte, wound) in wounds {
            let at = at.index(bytes.len().max(1));
            match wound {
                _ if at >= bytes.len() => {}
                0 => bytes[at] = byte,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(bytes.len() / 2)),
            }
        }
        let how = Import::default().colors(Colors::Nearest(Palette::default())).delays(Delays::Mean);
        let grid = Grid::new(3, 1, 3, 7);
        let read = match kind {
            0 => vec![Canvas::from_pixbin(&bytes)],
            1 => vec![Canvas::from_gif(&bytes, &Import::default()), Canvas::from_gif(&bytes, &how)],
            _ => vec![Canvas::from_png(&bytes, &how), Canvas::from_sheet_png(&bytes, &grid, &Import::default())],
        };
        read.iter().flatten().for_each(assert_sound);
    }
}

#[test]
fn a_gif_of_more_or_larger_frames_than_a_canvas_has_is_refused() {
    let frames = vec![
        Frame {
            width: 1,
            height: 1,
            buffer: Cow::Borrowed(&[1]),
            ..Frame::default()
        };
        1025
    ];
    assert_eq!(
        Canvas::from_gif(&written(&frames[..1024]), &Import::default())
            .unwrap()
            .frame_count(),
        1024
    );
    let error = Canvas::from_gif(&written(&frames), &Import::default()).unwrap_err();
    assert!(error.to_string().ends_with("found 1025 frames of 7 x 5"), "{error}");

    // A screen, or a part, of 65 535 x 65 535 in a few bytes: refused before anything is unpacked.
    let mut screen = written(&frames[..1]);
    screen[6..10].fill(0xff);
    let error = Canvas::from_gif(&screen, &Import::default()).unwrap_err();
    assert!(matches!(error, Error::Range { .. }), "{error}");
    let mut part = written(&frames[..1]);
    let place = part.iter().rposition(|byte| *byte == 0x2c).unwrap();
    part[place + 5..place + 9].fill(0xff);
    let error = Canvas::from_gif(&part, &Import::default()).unwrap_err();
    assert!(matches!(error, Error::Range { .. } | Error::Decode { .. }), "{error}");
}

#[test]
fn a_gif_that_ends_too_early_is_refused_wherever_it_ends() {
    let mut canvas = Canvas::from_pixels(3, 1, palette(), &[1, 2, 3]).unwrap();
    canvas.duplicate_frame(0).unwrap();
    let bytes = canvas.to_gif(&GifExport::default()).unwrap();
    for length in 0..bytes.len() {
        let read = Canvas::from_gif(&bytes[..length], &Import::default());
        assert!(
            matches!(read, Err(Error::Decode { .. })),
            "{length} of {}: {read:?}",
            bytes.len()
        );
    }
}
