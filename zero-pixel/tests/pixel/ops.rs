//! Random drawing operations and edits for property tests.

use proptest::prelude::*;
use zero_pixel::glam::IVec2;
use zero_pixel::{Canvas, Color, Draw, Legend, Palette, Plane, Rect};

/// How many entries [`palette`] holds.
pub(crate) const ENTRIES: u8 = 6;

pub(crate) fn palette() -> Palette {
    Palette::parse(["#0000", "#1a1c2c", "#b13e53", "#ffcd75", "#38b764", "#f4f4f4"]).unwrap()
}

fn pos() -> impl Strategy<Value = IVec2> {
    let near = -8..40i32;
    let far = prop_oneof![Just(i32::MIN), Just(i32::MAX), -20_000..20_000i32];
    let axis = prop_oneof![12 => near, 1 => far];
    (axis.clone(), axis).prop_map(|(x, y)| IVec2::new(x, y))
}

fn rect() -> impl Strategy<Value = Rect> {
    (pos(), 1..40u32, 1..40u32).prop_map(|(pos, w, h)| Rect::new(pos.x.clamp(-20_000, 20_000), pos.y, w, h))
}

/// Any operation; all of them succeed on a canvas with [`palette`].
pub(crate) fn draw() -> impl Strategy<Value = Draw> {
    let entry = 0..ENTRIES;
    let center = (-8..40i32, -8..40i32).prop_map(IVec2::from);
    let art = proptest::collection::vec(proptest::string::string_regex("[.0-5]{4}").unwrap(), 1..5);
    prop_oneof![
        (pos(), entry.clone()).prop_map(|(pos, entry)| Draw::Pixel { pos, entry }),
        (pos(), pos(), entry.clone()).prop_map(|(from, to, entry)| Draw::Line { from, to, entry }),
        (rect(), entry.clone()).prop_map(|(rect, entry)| Draw::Rectangle { rect, entry }),
        (rect(), entry.clone()).prop_map(|(rect, entry)| Draw::FillRectangle { rect, entry }),
        (center.clone(), 0..20u32, entry.clone()).prop_map(|(center, radius, entry)| Draw::Circle {
            center,
            radius,
            entry
        }),
        (center, 0..20u32, entry.clone()).prop_map(|(center, radius, entry)| Draw::FillCircle {
            center,
            radius,
            entry
        }),
        (rect(), entry.clone()).prop_map(|(rect, entry)| Draw::Ellipse { rect, entry }),
        (rect(), entry.clone()).prop_map(|(rect, entry)| Draw::FillEllipse { rect, entry }),
        (pos(), proptest::collection::vec(entry.clone(), 0..50))
            .prop_map(|(start, entries)| Draw::Row { start, entries }),
        (-4..40i32, entry.clone()).prop_map(|(y, entry)| Draw::FillRow { y, entry }),
        (pos(), entry.clone()).prop_map(|(pos, entry)| Draw::FloodFill { pos, entry }),
        entry.prop_map(|entry| Draw::Fill { entry }),
        Just(Draw::Clear),
        (pos(), art).prop_map(|(pos, rows)| Draw::Art {
            pos,
            rows,
            legend: Legend::digits(&palette()).unwrap()
        }),
    ]
}

/// Anything that may happen to a canvas.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Draw(Draw),
    Add,
    Duplicate(usize),
    Remove(usize),
    Move(usize, usize),
    Activate(usize),
    Recolor(u8, [u8; 3]),
    Place(Plane),
}

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        12 => draw().prop_map(Edit::Draw),
        1 => Just(Edit::Add),
        1 => any::<usize>().prop_map(Edit::Duplicate),
        1 => any::<usize>().prop_map(Edit::Remove),
        1 => any::<(usize, usize)>().prop_map(|(from, to)| Edit::Move(from, to)),
        2 => any::<usize>().prop_map(Edit::Activate),
        1 => (0..ENTRIES, any::<[u8; 3]>()).prop_map(|(entry, rgb)| Edit::Recolor(entry, rgb)),
        1 => prop_oneof![Just(Plane::Xy), Just(Plane::Xz), Just(Plane::Yz)].prop_map(Edit::Place),
    ]
}

impl Edit {
    /// Does it; frame numbers wrap, and a canvas keeps 1 to 6 frames.
    pub(crate) fn apply(&self, canvas: &mut Canvas) {
        let frames = canvas.frame_count();
        match self {
            Edit::Draw(op) => drop(canvas.draw(op).unwrap()),
            Edit::Add if frames < 6 => drop(canvas.add_frame().unwrap()),
            Edit::Duplicate(at) if frames < 6 => drop(canvas.duplicate_frame(at % frames).unwrap()),
            Edit::Remove(at) if frames > 1 => drop(canvas.remove_frame(at % frames).unwrap()),
            Edit::Move(from, to) => drop(canvas.move_frame(from % frames, to % frames).unwrap()),
            Edit::Activate(at) => drop(canvas.activate(at % frames).unwrap()),
            Edit::Recolor(entry, [r, g, b]) => drop(canvas.recolor(*entry, Color::rgb(*r, *g, *b)).unwrap()),
            Edit::Place(plane) => drop(canvas.set_plane(*plane)),
            _ => {}
        }
    }
}
