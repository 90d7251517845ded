//! Each operation against the words that define it, pixel by pixel, over many sizes and cut by every edge.

use crate::ops::{draw, palette};
use proptest::prelude::*;
use std::collections::BTreeSet;
use zero_pixel::glam::IVec2;
use zero_pixel::{Canvas, Error, MAX_RADIUS, MAX_SHAPE_SIDE, MAX_SIDE, Rect};

type Set = BTreeSet<(i32, i32)>;

const WIDTH: u32 = 19;
const HEIGHT: u32 = 17;

/// The pixels that an operation inks on a blank canvas of 19 x 17.
fn drawn(op: impl FnOnce(&mut Canvas)) -> Set {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, palette()).unwrap();
    op(&mut canvas);
    let all = (0..HEIGHT as i32).flat_map(|y| (0..WIDTH as i32).map(move |x| (x, y)));
    all.filter(|pos| canvas.pixel(*pos) == Some(1)).collect()
}

fn on_canvas(pixels: &Set) -> Set {
    let inside = |(x, y): &(i32, i32)| (0..WIDTH as i32).contains(x) && (0..HEIGHT as i32).contains(y);
    pixels.iter().copied().filter(inside).collect()
}

/// What has one of its four neighbours outside of the shape.
fn edge(shape: &Set) -> Set {
    let lacks = |x: i32, y: i32| !shape.contains(&(x, y));
    let on_edge = |&&(x, y): &&(i32, i32)| lacks(x - 1, y) || lacks(x + 1, y) || lacks(x, y - 1) || lacks(x, y + 1);
    shape.iter().filter(on_edge).copied().collect()
}

/// The ellipse by its words, in quarters of a pixel so that all is whole: the pixel's centre, moved half a pixel
/// towards the middle along either axis, is within the ellipse through the centres of the outermost pixels.
fn ellipse(rect: Rect) -> Set {
    let (w, h) = (i128::from(rect.width), i128::from(rect.height));
    // Half axes a = (w - 1) / 2 and b = (h - 1) / 2, and distances, all times 4.
    let (a, b) = (2 * (w - 1), 2 * (h - 1));
    let within = |x: i128, y: i128| x * x * b * b + y * y * a * a <= a * a * b * b;
    let towards = |d: i128| if d == 0 { 0 } else { d - 2 * d.signum() };
    let mut set = Set::new();
    for (row, column) in (0..h).flat_map(|row| (0..w).map(move |column| (row, column))) {
        let (x, y) = (4 * column - a, 4 * row - b);
        if within(towards(x), y) || within(x, towards(y)) {
            set.insert((rect.x + column as i32, rect.y + row as i32));
        }
    }
    set
}

fn rectangle(rect: Rect) -> Set {
    let rows = rect.y..rect.y + rect.height as i32;
    rows.flat_map(|y| (rect.x..rect.x + rect.width as i32).map(move |x| (x, y)))
        .collect()
}

/// Boxes of every size up to 24, inside, across each edge and around all of the canvas.
fn boxes() -> impl Iterator<Item = Rect> {
    let sizes = (1..=24u32).flat_map(|w| (1..=24u32).map(move |h| (w, h)));
    sizes.flat_map(|(w, h)| {
        [(2, 1), (-3, -2), (-1, 9), (11, -4), (13, 12), (-30, 3), (19, 0)].map(|(x, y)| Rect::new(x, y, w, h))
    })
}

#[test]
fn filled_and_outlined_rectangles_and_ellipses_are_their_definitions() {
    for rect in boxes() {
        let shapes = [rectangle(rect), ellipse(rect)];
        let [filled, filled_round] = shapes.each_ref().map(on_canvas);
        let [outlined, outlined_round] = shapes.each_ref().map(|shape| on_canvas(&edge(shape)));
        assert_eq!(drawn(|c| drop(c.fill_rectangle(rect, 1))), filled, "{rect}");
        assert_eq!(drawn(|c| drop(c.rectangle(rect, 1))), outlined, "{rect}");
        assert_eq!(drawn(|c| drop(c.fill_ellipse(rect, 1))), filled_round, "{rect}");
        assert_eq!(drawn(|c| drop(c.ellipse(rect, 1))), outlined_round, "{rect}");
    }
}

/// The midpoint circle by its words: on each row of an octant the column nearest to the true circle, and mirrored.
fn circle(center: IVec2, radius: i32) -> Set {
    let mut octant = Set::new();
    for y in 0..=radius {
        let off = |x: i32| {
            // |sqrt(r^2 - y^2) - x| compared in f64: no two are equal, since r^2 - y^2 = (n + 1/2)^2 has no solution.
            (f64::from(radius * radius - y * y).sqrt() - f64::from(x)).abs()
        };
        let nearest = (0..=radius).min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap();
        if nearest >= y {
            octant.insert((nearest, y));
        }
    }
    let mirrored = octant.into_iter().flat_map(|(x, y)| [(x, y), (y, x)]);
    let all = mirrored.flat_map(|(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)]);
    all.map(|(x, y)| (x + center.x, y + center.y)).collect()
}

#[test]
fn circles_are_midpoint_circles_at_every_radius() {
    for radius in 0..40u32 {
        for center in [(9, 8), (0, 0), (18, 3), (-4, 20), (-30, 8)] {
            let center = IVec2::from(center);
            let outline = circle(center, radius as i32);
            assert_eq!(
                drawn(|c| drop(c.circle(center, radius, 1))),
                on_canvas(&outline),
                "{radius} {center}"
            );
            let mut filled = outline.clone();
            for y in center.y - radius as i32..=center.y + radius as i32 {
                let on_row = || outline.iter().filter(|pos| pos.1 == y).map(|pos| pos.0);
                filled.extend((on_row().min().unwrap()..=on_row().max().unwrap()).map(|x| (x, y)));
            }
            assert_eq!(
                drawn(|c| drop(c.fill_circle(center, radius, 1))),
                on_canvas(&filled),
                "{radius} {center}"
            );
        }
    }
}

#[test]
fn a_row_of_entries_and_a_filled_row_are_cut_at_the_edges() {
    for start in -30..30 {
        for y in [-1, 0, 8, 16, 17] {
            let entries = [1u8; 7];
            let expected: Set = (start..start + 7).map(|x| (x, y)).collect();
            assert_eq!(
                drawn(|c| drop(c.row((start, y), &entries))),
                on_canvas(&expected),
                "{start} {y}"
            );
        }
    }
    let expected: Set = (0..WIDTH as i32).map(|x| (x, 5)).collect();
    assert_eq!(drawn(|c| drop(c.fill_row(5, 1))), expected);
    assert_eq!(drawn(|c| drop(c.fill_row(17, 1))), Set::new());
    let mut canvas = Canvas::new(4, 1, palette()).unwrap();
    canvas.row((-1, 0), &[5, 4, 3, 2, 1]).unwrap();
    assert_eq!(canvas.pixels(), [4, 3, 2, 1]);
    canvas.row((2, 0), &[1, 2, 3]).unwrap();
    assert_eq!(canvas.pixels(), [4, 3, 1, 2]);
}

/// The region by its words: spread to neighbours of the same entry until nothing is added.
fn region(canvas: &Canvas, start: (i32, i32)) -> Set {
    let target = canvas.pixel(start);
    let mut region = Set::from([start]);
    let mut edge = vec![start];
    while let Some((x, y)) = edge.pop() {
        for next in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            if canvas.pixel(next) == target && region.insert(next) {
                edge.push(next);
            }
        }
    }
    region
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn flood_fill_inks_the_region_and_nothing_else(
        pixels in proptest::collection::vec(prop_oneof![3 => Just(0u8), 2 => Just(2u8), 1 => Just(1u8)], 23 * 13),
        x in 0..23i32, y in 0..13i32,
    ) {
        let before = Canvas::from_pixels(23, 13, palette(), &pixels).unwrap();
        let mut after = before.clone();
        after.flood_fill((x, y), 1).unwrap();
        let region = region(&before, (x, y));
        for pos in (0..13).flat_map(|y| (0..23).map(move |x| (x, y))) {
            let expected = if region.contains(&pos) { Some(1) } else { before.pixel(pos) };
            prop_assert_eq!(after.pixel(pos), expected);
        }
    }

    /// What an operation draws on a part of a canvas is what it draws there on the whole: cutting moves no pixel.
    #[test]
    fn an_operation_draws_the_same_whatever_is_cut_off(ops in proptest::collection::vec(draw(), 1..6), dx in 0..12i32, dy in 0..12i32) {
        use zero_pixel::Draw;
        let mut large = Canvas::new(48, 48, palette()).unwrap();
        let mut part = Canvas::new(24, 24, palette()).unwrap();
        let shift = IVec2::new(dx, dy);
        for op in &ops {
            // Regions and whole rows and frames depend on what else there is; all others are moved by the shift.
            let moved = |rect: &Rect| Rect::new(rect.x - dx, rect.y.saturating_sub(dy), rect.width, rect.height);
            let op_in_part = match op {
                Draw::Pixel { pos, entry } => Draw::Pixel { pos: pos.saturating_sub(shift), entry: *entry },
                Draw::Line { from, to, entry }
                    if [from.x, from.y, to.x, to.y].iter().all(|n| n.unsigned_abs() < 30_000) =>
                {
                    Draw::Line { from: from - shift, to: to - shift, entry: *entry }
                }
                Draw::Rectangle { rect, entry } => Draw::Rectangle { rect: moved(rect), entry: *entry },
                Draw::FillRectangle { rect, entry } => Draw::FillRectangle { rect: moved(rect), entry: *entry },
                Draw::Circle { center, radius, entry } => Draw::Circle { center: center - shift, radius: *radius, entry: *entry },
                Draw::FillCircle { center, radius, entry } => Draw::FillCircle { center: center - shift, radius: *radius, entry: *entry },
                Draw::Ellipse { rect, entry } => Draw::Ellipse { rect: moved(rect), entry: *entry },
                Draw::FillEllipse { rect, entry } => Draw::FillEllipse { rect: moved(rect), entry: *entry },
                _ => continue,
            };
            large.draw(op).unwrap();
            part.draw(&op_in_part).unwrap();
        }
        for pos in (0..24).flat_map(|y| (0..24).map(move |x| (x, y))) {
            prop_assert_eq!(part.pixel(pos), large.pixel(IVec2::from(pos) + shift));
        }
    }
}

#[test]
fn shapes_at_the_ends_of_the_number_range_are_beside_the_canvas_and_no_error() {
    let mut canvas = Canvas::new(4, 4, palette()).unwrap();
    let before = canvas.clone();
    let ends = [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX];
    for (x, y) in ends.into_iter().flat_map(|x| ends.map(|y| (x, y))) {
        for reach in [0, 1, MAX_RADIUS] {
            canvas
                .circle((x, y), reach, 1)
                .unwrap()
                .fill_circle((x, y), reach, 1)
                .unwrap();
            let rect = Rect::new(x, y, 2 * reach + 1, MAX_SHAPE_SIDE);
            canvas.rectangle(rect, 1).unwrap().fill_rectangle(rect, 1).unwrap();
            canvas.ellipse(rect, 1).unwrap().fill_ellipse(rect, 1).unwrap();
        }
        canvas.set_pixel((x, y), 1).unwrap().flood_fill((x, y), 1).unwrap();
        canvas.row((x, y), &[1; 9]).unwrap().fill_row(y, 1).unwrap();
    }
    assert_eq!(canvas, before);
    // One that reaches in from a centre far away does so.
    canvas.fill_circle((-8000, 2), 8001, 1).unwrap();
    let drawn: Vec<u8> = (0..4).map(|x| canvas.pixel((x, 2)).unwrap()).collect();
    assert_eq!(drawn, [1, 1, 0, 0]);
}

#[test]
fn fill_and_clear_write_every_pixel() {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, palette()).unwrap();
    canvas.add_frame().unwrap();
    canvas.fill(3).unwrap();
    assert!(canvas.pixels().iter().all(|entry| *entry == 3));
    assert!(canvas.frame_pixels(1).unwrap().iter().all(|entry| *entry == 0));
    canvas.clear();
    assert!(canvas.pixels().iter().all(|entry| *entry == 0));
    // The background is the first transparent entry, wherever it stands.
    let palette = zero_pixel::Palette::parse(["#fff", "#000", "#0000"]).unwrap();
    let mut canvas = Canvas::new(2, 2, palette).unwrap();
    assert_eq!(canvas.pixels(), [2; 4]);
    assert_eq!(canvas.fill(1).unwrap().clear().pixels(), [2; 4]);
}

#[test]
fn a_stamp_leaves_what_is_beneath_its_holes() {
    let mut canvas = Canvas::new(4, 3, palette()).unwrap();
    canvas.fill(5).unwrap();
    let stamp = Canvas::from_pixels(3, 2, palette(), &[1, 0, 2, 0, 3, 0]).unwrap();
    canvas.stamp(&stamp, (2, 1)).unwrap().stamp(&stamp, (-2, 0)).unwrap();
    assert_eq!(canvas.pixels(), [2, 5, 5, 5, 5, 5, 1, 5, 5, 5, 5, 3]);
    let short = zero_pixel::Palette::parse(["#0000", "#fff", "#000"]).unwrap();
    let mut other = Canvas::new(4, 3, short).unwrap();
    let before = other.clone();
    let error = other.stamp(&stamp, (0, 0)).unwrap_err().to_string();
    assert_eq!(error, "stamp: entry 3 is not in the palette, which holds 3 (0 to 2)");
    assert_eq!(other, before);
}

#[test]
fn sizes_of_0_and_beyond_the_maximum_are_refused_and_change_nothing() {
    for (width, height) in [
        (0, 1),
        (1, 0),
        (MAX_SIDE + 1, 1),
        (1, MAX_SIDE + 1),
        (u32::MAX, u32::MAX),
    ] {
        assert!(matches!(
            Canvas::new(width, height, palette()),
            Err(Error::Range { .. })
        ));
    }
    assert!(Canvas::new(MAX_SIDE, 1, palette()).is_ok());
    let mut canvas = Canvas::new(4, 4, palette()).unwrap();
    let before = canvas.clone();
    for (w, h) in [(0, 1), (1, 0), (MAX_SHAPE_SIDE + 1, 1), (1, u32::MAX)] {
        let rect = Rect::new(0, 0, w, h);
        assert!(canvas.rectangle(rect, 1).is_err());
        assert!(canvas.fill_rectangle(rect, 1).is_err());
        assert!(canvas.ellipse(rect, 1).is_err());
        assert!(canvas.fill_ellipse(rect, 1).is_err());
    }
    assert!(canvas.circle((0, 0), MAX_RADIUS + 1, 1).is_err());
    assert_eq!(
        canvas.rectangle(Rect::new(0, 0, 3, 0), 1).unwrap_err().to_string(),
        "the height of a rectangle: expected 1 to 16384 pixels, found 0"
    );
    assert_eq!(canvas, before);
    canvas.fill_circle((0, 0), MAX_RADIUS, 1).unwrap();
    assert!(canvas.pixels().iter().all(|entry| *entry == 1));
}

#[test]
fn an_entry_that_the_palette_lacks_is_refused_by_every_operation() {
    let mut canvas = Canvas::new(4, 4, palette()).unwrap();
    let before = canvas.clone();
    let rect = Rect::new(0, 0, 2, 2);
    let expected = |what: &str| format!("{what}: entry 6 is not in the palette, which holds 6 (0 to 5)");
    assert_eq!(canvas.set_pixel((0, 0), 6).unwrap_err().to_string(), expected("pixel"));
    assert_eq!(
        canvas.line((0, 0), (1, 1), 6).unwrap_err().to_string(),
        expected("line")
    );
    assert_eq!(
        canvas.rectangle(rect, 6).unwrap_err().to_string(),
        expected("rectangle")
    );
    assert_eq!(
        canvas.fill_rectangle(rect, 6).unwrap_err().to_string(),
        expected("rectangle")
    );
    assert_eq!(canvas.circle((0, 0), 1, 6).unwrap_err().to_string(), expected("circle"));
    assert_eq!(
        canvas.fill_circle((0, 0), 1, 6).unwrap_err().to_string(),
        expected("circle")
    );
    assert_eq!(canvas.ellipse(rect, 6).unwrap_err().to_string(), expected("ellipse"));
    assert_eq!(
        canvas.fill_ellipse(rect, 6).unwrap_err().to_string(),
        expected("ellipse")
    );
    assert_eq!(
        canvas.row((0, 2), &[1, 6]).unwrap_err().to_string(),
        expected("row 2, column 1")
    );
    assert_eq!(canvas.fill_row(0, 6).unwrap_err().to_string(), expected("row"));
    assert_eq!(
        canvas.flood_fill((0, 0), 6).unwrap_err().to_string(),
        expected("flood fill")
    );
    assert_eq!(canvas.fill(6).unwrap_err().to_string(), expected("fill"));
    assert_eq!(canvas, before);
}
