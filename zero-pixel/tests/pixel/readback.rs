//! What can be read back: pixels, colours, bounds, counts, places.

use crate::ops::{draw, palette};
use proptest::prelude::*;
use zero_pixel::glam::{IVec2, Vec2, Vec3};
use zero_pixel::{Canvas, Color, Palette, Plane, Rect};

proptest! {
    #[test]
    fn bounds_and_counts_are_what_a_look_at_each_pixel_says(ops in proptest::collection::vec(draw(), 0..5)) {
        let mut canvas = Canvas::new(21, 18, palette()).unwrap();
        for op in &ops {
            canvas.draw(op).unwrap();
        }
        let all = || (0..18).flat_map(|y| (0..21).map(move |x| IVec2::new(x, y)));
        let drawn: Vec<IVec2> = all().filter(|pos| canvas.color(*pos).unwrap().a > 0).collect();
        let low = drawn.iter().copied().reduce(IVec2::min);
        let high = drawn.iter().copied().reduce(IVec2::max);
        let expected = low.zip(high).map(|(low, high)| Rect::between(low, high));
        prop_assert_eq!(canvas.bounds(), expected);
        let counts: Vec<usize> = (0..6).map(|entry| all().filter(|pos| canvas.pixel(*pos) == Some(entry)).count()).collect();
        prop_assert_eq!(canvas.counts(), counts);
    }
}

#[test]
fn every_frame_can_be_read_without_making_it_active() {
    let mut canvas = Canvas::new(3, 2, palette()).unwrap();
    canvas.add_frame().unwrap();
    canvas.activate(1).unwrap().set_pixel((2, 1), 4).unwrap();
    canvas.activate(0).unwrap();
    assert_eq!(canvas.frame_bounds(0).unwrap(), None);
    assert_eq!(canvas.frame_bounds(1).unwrap(), Some(Rect::new(2, 1, 1, 1)));
    assert_eq!(canvas.frame_counts(1).unwrap(), [5, 0, 0, 0, 1, 0]);
    assert_eq!(canvas.frame_pixels(1).unwrap(), [0, 0, 0, 0, 0, 4]);
    assert_eq!(canvas.pixels(), [0; 6]);
    assert!(canvas.frame_bounds(2).is_err() && canvas.frame_counts(2).is_err());
}

#[test]
fn beside_the_canvas_there_is_no_pixel() {
    let canvas = Canvas::new(3, 2, palette()).unwrap();
    assert_eq!(canvas.pixel((2, 1)), Some(0));
    for pos in [(-1, 0), (3, 0), (0, 2), (0, -1), (i32::MAX, i32::MAX), (i32::MIN, 0)] {
        assert_eq!(canvas.pixel(pos), None);
        assert_eq!(canvas.color(pos), None);
    }
}

#[test]
fn a_canvas_starts_with_given_pixels_or_with_a_function_of_them() {
    let canvas = Canvas::from_fn(3, 2, palette(), |x, y| (x + 3 * y) as u8).unwrap();
    assert_eq!(
        canvas,
        Canvas::from_pixels(3, 2, palette(), &[0, 1, 2, 3, 4, 5]).unwrap()
    );
    assert_eq!(
        Canvas::from_pixels(3, 2, palette(), &[0; 5]).unwrap_err().to_string(),
        "the pixels: expected 3 x 2 = 6 entries, found 5"
    );
    assert_eq!(
        Canvas::from_pixels(3, 2, palette(), &[0, 0, 0, 0, 6, 0])
            .unwrap_err()
            .to_string(),
        "the pixels, pixel 1, 1: entry 6 is not in the palette, which holds 6 (0 to 5)"
    );
}

#[test]
fn recolouring_shows_at_once_and_a_new_palette_must_hold_every_entry() {
    let mut canvas = Canvas::from_pixels(2, 1, palette(), &[1, 3]).unwrap();
    canvas.recolor(3, Color::rgb(1, 2, 3)).unwrap();
    assert_eq!(canvas.color((1, 0)), Some(Color::rgb(1, 2, 3)));
    assert!(canvas.recolor(6, Color::WHITE).is_err());
    let short = Palette::parse(["#0000", "#fff", "#000"]).unwrap();
    let before = canvas.clone();
    assert_eq!(
        canvas.set_palette(short.clone()).unwrap_err().to_string(),
        "frame 0, pixel 1, 0: entry 3 is not in the palette, which holds 3 (0 to 2)"
    );
    assert_eq!(canvas, before);
    canvas.set_pixel((1, 0), 2).unwrap().set_palette(short).unwrap();
    assert_eq!(canvas.to_rgba(), [255, 255, 255, 255, 0, 0, 0, 255]);
    // Every frame is looked at, not the active one alone.
    let entry = canvas.add_color(Color::BLACK).unwrap();
    let frame = canvas.add_frame().unwrap();
    canvas.activate(frame).unwrap().set_pixel((0, 0), entry).unwrap();
    canvas.activate(0).unwrap();
    let error = canvas
        .set_palette(Palette::parse(["#0000", "#fff", "#000"]).unwrap())
        .unwrap_err();
    assert!(error.to_string().starts_with("frame 1, pixel 0, 0: entry 3"), "{error}");
    // What alpha makes of an entry counts at once too.
    assert_eq!(canvas.bounds(), Some(Rect::new(0, 0, 2, 1)));
    canvas.recolor(1, Color::TRANSPARENT).unwrap();
    assert_eq!(canvas.bounds(), Some(Rect::new(1, 0, 1, 1)));
}

#[test]
fn pixels_are_found_from_the_entity_space_in_each_plane() {
    let mut canvas = Canvas::new(5, 4, palette()).unwrap();
    canvas.set_pixel_size_m(0.5).unwrap();
    assert_eq!(canvas.size_m(), Vec2::new(2.5, 2.0));
    let corners = [
        (Plane::Xy, Vec3::new(-1.25, 1.0, 0.0), Vec3::Z),
        (Plane::Xz, Vec3::new(-1.25, 0.0, -1.0), Vec3::Y),
        (Plane::Yz, Vec3::new(0.0, 1.0, 1.25), Vec3::X),
    ];
    for (plane, top_left, towards_viewer) in corners {
        canvas.set_plane(plane);
        assert_eq!(canvas.local_from_picture(Vec2::ZERO), top_left);
        for pos in (0..4).flat_map(|y| (0..5).map(move |x| IVec2::new(x, y))) {
            let local = canvas.local_from_picture(pos.as_vec2() + Vec2::splat(0.5));
            assert_eq!(
                canvas.pixel_from_local(local + towards_viewer * 3.0),
                Some(pos),
                "{plane}"
            );
        }
        for outside in [Vec2::new(-0.1, 0.0), Vec2::new(5.1, 0.0), Vec2::new(0.0, 4.1)] {
            assert_eq!(canvas.pixel_from_local(canvas.local_from_picture(outside)), None);
        }
        assert_eq!(canvas.pixel_from_local(Vec3::NAN), None);
    }
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1000.1] {
        assert!(canvas.set_pixel_size_m(bad).is_err(), "{bad}");
    }
    assert_eq!(canvas.pixel_size_m(), 0.5);
}
