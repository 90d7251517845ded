//! The feed of changes: enough, no more than the tiles touched, and for each reader its own.

use crate::ops::{edit, palette};
use proptest::prelude::*;
use zero_pixel::{ActiveCursor, Canvas, Color, Cursor, Mirror, Plane, Rect};

fn canvas() -> Canvas {
    Canvas::new(37, 29, palette()).unwrap()
}

fn assert_mirrored(mirror: &Mirror, canvas: &Canvas) {
    let frames: Vec<&[u8]> = (0..canvas.frame_count())
        .map(|at| canvas.frame_pixels(at).unwrap())
        .collect();
    assert_eq!(mirror.frames().collect::<Vec<_>>(), frames);
}

/// What a renderer with one texture keeps: the active frame, by the rectangles alone.
#[derive(Default)]
struct Texture {
    cursor: ActiveCursor,
    pixels: Vec<u8>,
}

impl Texture {
    fn update(&mut self, canvas: &Canvas) {
        self.pixels.resize(canvas.pixels().len(), 255);
        for rect in canvas.active_changes(&mut self.cursor).rects {
            let mut part = Vec::new();
            canvas.copy_rect(canvas.active(), rect, &mut part).unwrap();
            for (row, source) in part.chunks(rect.width as usize).enumerate() {
                let start = (rect.y as usize + row) * canvas.width() as usize + rect.x as usize;
                self.pixels[start..start + source.len()].copy_from_slice(source);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Two readers of all frames and one of the active frame, each reading when it likes, end with the canvas.
    #[test]
    fn dirty_rectangles_alone_reproduce_the_canvas(
        edits in proptest::collection::vec((edit(), any::<[bool; 3]>()), 1..40),
    ) {
        let mut canvas = canvas();
        let (mut often, mut seldom, mut texture) = (Mirror::default(), Mirror::default(), Texture::default());
        for (edit, [read_often, read_seldom, read_active]) in edits {
            edit.apply(&mut canvas);
            if read_often {
                often.update(&canvas).unwrap();
                assert_mirrored(&often, &canvas);
            }
            if read_seldom && read_active {
                seldom.update(&canvas).unwrap();
                assert_mirrored(&seldom, &canvas);
            }
            if read_active {
                texture.update(&canvas);
                prop_assert_eq!(&texture.pixels, canvas.pixels());
            }
        }
        often.update(&canvas).unwrap();
        seldom.update(&canvas).unwrap();
        texture.update(&canvas);
        assert_mirrored(&often, &canvas);
        assert_mirrored(&seldom, &canvas);
        prop_assert_eq!(&texture.pixels, canvas.pixels());
        // A reader that is up to date copies nothing.
        prop_assert_eq!(often.update(&canvas).unwrap(), 0);
    }

    /// Rectangles of one frame share no pixel, lie on the canvas, and cover just the tiles of 8 x 8 that changed.
    #[test]
    fn rectangles_are_disjoint_and_no_more_than_the_tiles_that_changed(
        edits in proptest::collection::vec(edit(), 1..6),
    ) {
        let mut canvas = canvas();
        for _ in 0..2 {
            canvas.add_frame().unwrap();
        }
        let mut cursor = Cursor::default();
        canvas.changes(&mut cursor);
        let ids: Vec<_> = (0..3).map(|at| canvas.frame_id(at).unwrap()).collect();
        let before: Vec<Vec<u8>> = (0..3).map(|at| canvas.frame_pixels(at).unwrap().to_vec()).collect();
        let mut touched = [[[false; 5]; 4]; 3];
        let mut mark = |canvas: &Canvas, from: &[Vec<u8>]| {
            for (at, id) in ids.iter().enumerate() {
                let Ok(frame) = canvas.frame_index(*id) else { continue };
                for (place, (old, new)) in from[at].iter().zip(canvas.frame_pixels(frame).unwrap()).enumerate() {
                    touched[at][place / 37 / 8][place % 37 / 8] |= old != new;
                }
            }
        };
        let mut last = before;
        for edit in &edits {
            edit.apply(&mut canvas);
            mark(&canvas, &last);
            for (at, id) in ids.iter().enumerate() {
                if let Ok(frame) = canvas.frame_index(*id) {
                    last[at] = canvas.frame_pixels(frame).unwrap().to_vec();
                }
            }
        }
        let changes = canvas.changes(&mut cursor);
        let mut covered = std::collections::BTreeMap::new();
        for dirty in &changes.rects {
            prop_assert_eq!(canvas.frame_index(dirty.id).unwrap(), dirty.frame);
            for y in dirty.rect.y..dirty.rect.y + dirty.rect.height as i32 {
                for x in dirty.rect.x..dirty.rect.x + dirty.rect.width as i32 {
                    prop_assert!(canvas.rect().contains((x, y)));
                    prop_assert!(covered.insert((dirty.id, x, y), ()).is_none(), "twice: {} {} {}", dirty.id, x, y);
                }
            }
        }
        for (at, id) in ids.iter().enumerate().filter(|(_, id)| canvas.frame_index(**id).is_ok()) {
            for (x, y) in (0..29).flat_map(|y| (0..37).map(move |x| (x, y))) {
                let expected = touched[at][y / 8][x / 8];
                prop_assert_eq!(covered.contains_key(&(*id, x as i32, y as i32)), expected, "{} {}", x, y);
            }
        }
    }
}

#[test]
fn a_pixel_costs_its_tile_and_the_same_pixel_again_nothing() {
    let mut canvas = Canvas::new(100, 100, palette()).unwrap();
    let mut cursor = Cursor::default();
    assert_eq!(canvas.changes(&mut cursor).rects[0].rect, Rect::new(0, 0, 100, 100));
    assert!(canvas.changes(&mut cursor).is_empty());
    canvas.set_pixel((50, 99), 1).unwrap();
    let changes = canvas.changes(&mut cursor);
    assert_eq!(
        changes.rects.iter().map(|dirty| dirty.rect).collect::<Vec<_>>(),
        [Rect::new(48, 96, 8, 4)]
    );
    assert!(!changes.palette && !changes.place && changes.frames.is_none());
    canvas
        .set_pixel((50, 99), 1)
        .unwrap()
        .fill_row(-1, 3)
        .unwrap()
        .clear()
        .flood_fill((0, 0), 0)
        .unwrap();
    let rects: Vec<Rect> = canvas
        .changes(&mut cursor)
        .rects
        .iter()
        .map(|dirty| dirty.rect)
        .collect();
    assert_eq!(rects, [Rect::new(48, 96, 8, 4)], "clear alone changed a pixel");
    canvas.clear();
    assert!(canvas.changes(&mut cursor).is_empty());
}

#[test]
fn tiles_side_by_side_are_one_rectangle() {
    let mut canvas = Canvas::new(64, 64, palette()).unwrap();
    let mut cursor = ActiveCursor::default();
    canvas.active_changes(&mut cursor);
    canvas.fill_rectangle(Rect::new(9, 9, 30, 30), 2).unwrap();
    assert_eq!(canvas.active_changes(&mut cursor).rects, [Rect::new(8, 8, 32, 32)]);
    // A diagonal is a tile a step, not the square around it.
    canvas.line((0, 0), (63, 63), 3).unwrap();
    let area: u64 = canvas.active_changes(&mut cursor).rects.iter().map(Rect::area).sum();
    assert_eq!(area, 8 * 64);
}

#[test]
fn palette_and_place_are_told_apart_from_pixels() {
    let mut canvas = canvas();
    let (mut all, mut active) = (Cursor::default(), ActiveCursor::default());
    canvas.changes(&mut all);
    canvas.active_changes(&mut active);
    canvas.recolor(1, Color::WHITE).unwrap();
    let changes = canvas.changes(&mut all);
    assert!(changes.palette && !changes.place && changes.rects.is_empty());
    canvas.set_plane(Plane::Yz);
    let changes = canvas.active_changes(&mut active);
    assert!(changes.palette && changes.place && changes.rects.is_empty());
    canvas.set_pixel_size_m(2.0).unwrap();
    assert!(canvas.changes(&mut all).place);
    // Another active frame is uploaded whole, by the reader that shows it alone.
    canvas.duplicate_frame(0).unwrap();
    canvas.activate(1).unwrap();
    assert_eq!(canvas.active_changes(&mut active).rects, [canvas.rect()]);
    let changes = canvas.changes(&mut all);
    assert_eq!(changes.frames.unwrap().len(), 2);
    assert_eq!(changes.rects.iter().map(|dirty| dirty.frame).collect::<Vec<_>>(), [1]);
}

#[test]
fn parts_are_copied_as_entries_and_as_colours_and_never_beyond_the_edge() {
    let mut canvas = Canvas::new(4, 3, palette()).unwrap();
    canvas.row((0, 1), &[1, 2, 3, 4]).unwrap();
    let mut entries = Vec::new();
    canvas.copy_rect(0, Rect::new(1, 1, 2, 2), &mut entries).unwrap();
    assert_eq!(entries, [2, 3, 0, 0]);
    let mut rgba = Vec::new();
    canvas.copy_rect_rgba(0, Rect::new(1, 1, 2, 1), &mut rgba).unwrap();
    assert_eq!(rgba, [0xb1, 0x3e, 0x53, 0xff, 0xff, 0xcd, 0x75, 0xff]);
    for (x, y, w, h) in [(-1, 0, 1, 1), (0, 0, 5, 1), (3, 2, 1, 2), (i32::MAX, 0, u32::MAX, 1)] {
        let error = canvas.copy_rect(0, Rect::new(x, y, w, h), &mut entries).unwrap_err();
        assert!(
            error.to_string().contains("reaches beyond the canvas of 4 x 3"),
            "{error}"
        );
    }
    assert!(canvas.copy_rect(1, Rect::new(0, 0, 1, 1), &mut entries).is_err());
}
