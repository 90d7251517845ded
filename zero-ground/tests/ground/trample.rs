//! Trampled ground: the callback times the clearings.

use crate::{grass, painted, rocks};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use zero_ground::glam::Vec2;
use zero_ground::{
    Candidate, Chunk, ChunkGrid, Clearing, Clearings, Density, DensityShape, Error, GroundFill, GroundSolids, Grown,
    Layer, Texel, Trample,
};

fn fill(layer: &Layer, trample: &Trample<'_>) -> Vec<Candidate> {
    let mut grown = Grown::new();
    layer
        .fill(&painted(1.0), trample, Chunk::new(0, 0), 0, &mut grown)
        .unwrap();
    grown.as_slice().to_vec()
}

fn clearings(list: &[Clearing]) -> Clearings {
    list.to_vec().try_into().unwrap()
}

#[test]
fn a_clearing_is_its_floor_inside_full_outside_and_a_smoothstep_between() {
    let camp = Clearing::new(10.0, -5.0, 4.0, 12.0).with_floor(0.25);
    let at = |distance: f32| camp.factor(Vec2::new(10.0 + distance, -5.0));
    assert_eq!([at(0.0), at(4.0), at(12.0), at(1e6)], [0.25, 0.25, 1.0, 1.0]);
    for (distance, t) in [(6.0, 0.25_f64), (8.0, 0.5), (10.0, 0.75)] {
        let expected = 0.25 + 0.75 * t * t * (3.0 - 2.0 * t);
        assert!((f64::from(at(distance)) - expected).abs() < 1e-6, "{distance}");
    }
    let rising: Vec<f32> = (0..=160).map(|step| at(step as f32 * 0.1)).collect();
    assert!(rising.is_sorted());
    // As wide as it is deep: an edge without a ramp.
    let hole = Clearing::new(0.0, 0.0, 3.0, 3.0);
    assert_eq!(
        [hole.factor(Vec2::new(3.0, 0.0)), hole.factor(Vec2::new(3.01, 0.0))],
        [0.0, 1.0]
    );
}

#[test]
fn chances_are_multiplied_by_the_callback_and_then_by_every_clearing() {
    let list = [
        Clearing::new(8.0, 8.0, 1.0, 20.0).with_floor(0.3),
        Clearing::new(20.0, 12.0, 0.0, 18.0),
    ];
    let held = clearings(&list);
    let callback = |at_m: Vec2| 0.5 + at_m.x / 64.0;
    let trample = Trample::NONE.with_clearings(&held).with_callback(&callback);
    let layer = grass();
    let mut expected = fill(&layer, &Trample::NONE);
    assert_eq!(expected.len(), 1024);
    expected.retain(|thing| {
        let cell = zero_ground::steps::Cell {
            layer: 1,
            chunk: Chunk::new(0, 0),
            band: 0,
            i: thing.i,
            j: thing.j,
        };
        let at_m = thing.pos_m();
        let chance = callback(at_m) * list[0].factor(at_m) * list[1].factor(at_m);
        cell.draw(zero_ground::steps::Draw::Keep) < chance
    });
    assert_eq!(fill(&layer, &trample), expected);
    assert!(expected.len() > 100 && expected.len() < 600, "{}", expected.len());
}

#[test]
fn only_a_layer_with_trample_heeds_it() {
    let held = clearings(&[Clearing::new(16.0, 16.0, 100.0, 100.0)]);
    let trample = Trample::NONE.with_clearings(&held).with_callback(&|_| f32::NAN);
    let firm = Layer::new(1, ChunkGrid::default(), GroundFill::default()).unwrap();
    assert_eq!(fill(&firm, &trample), fill(&firm, &Trample::NONE));
    let trample = Trample::NONE.with_clearings(&held);
    assert!(fill(&grass(), &trample).is_empty());
}

/// A fill leaves out clearings that do not reach the chunk; asking for one cell leaves out none.
#[test]
fn clearings_left_out_change_nothing() {
    let mut held = Clearings::new();
    for step in 0..400_u32 {
        let draw = |number: u32| zero_noise::Scope::new(step).uint(number).unit();
        let inner = draw(2) * 4.0;
        let (x, z) = (draw(0) * 200.0 - 80.0, draw(1) * 200.0 - 80.0);
        held.add(Clearing::new(x, z, inner, inner + draw(3) * 20.0).with_floor(0.9))
            .unwrap();
    }
    let trample = Trample::NONE.with_clearings(&held);
    let (layer, density, mut grown) = (grass(), painted(1.0), Grown::new());
    let (mut stand, mut single) = (0, Vec::new());
    for chunk in [Chunk::new(0, 0), Chunk::new(-2, 1), Chunk::new(2, 2)] {
        layer.fill(&density, &trample, chunk, 0, &mut grown).unwrap();
        single.clear();
        for (i, j) in (0..32).flat_map(|i| (0..32).map(move |j| (i, j))) {
            single.extend(layer.candidate(&density, &trample, chunk, 0, (i, j)).unwrap());
        }
        assert_eq!(grown.as_slice(), single);
        stand += single.len();
    }
    assert!(stand > 300 && stand < 2800, "{stand}");
}

#[test]
fn a_callback_that_answers_no_factor_is_refused_and_nothing_is_left() {
    let (mut grown, mut solids) = (Grown::new(), GroundSolids::new());
    for answer in [f32::NAN, f32::INFINITY, -0.5] {
        let callback = move |at_m: Vec2| if at_m.x > 20.0 { answer } else { 1.0 };
        let trample = Trample::NONE.with_callback(&callback);
        let density = painted(1.0);
        grass()
            .fill(&density, &Trample::NONE, Chunk::new(0, 0), 0, &mut grown)
            .unwrap();
        let error = grass()
            .fill(&density, &trample, Chunk::new(0, 0), 0, &mut grown)
            .unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("the trample callback at (20."), "{text}");
        assert!(
            text.ends_with(&format!("expected a finite number of 0 or more, got {answer}")),
            "{text}"
        );
        assert_eq!((grown.len(), grown.looked_at()), (0, 0));
        assert!(
            rocks()
                .solid_list(&density, &trample, Chunk::new(0, 0), &mut solids)
                .is_err()
        );
        assert!(solids.is_empty());
        assert!(
            rocks()
                .candidate(&density, &trample, Chunk::new(0, 0), 0, (15, 0))
                .is_err()
        );
    }
    // Above 1 more stands: the painted half of the chance becomes all of it.
    let half = painted(0.5);
    grass()
        .fill(
            &half,
            &Trample::NONE.with_callback(&|_| 2.0),
            Chunk::new(0, 0),
            0,
            &mut grown,
        )
        .unwrap();
    assert_eq!(grown.len(), 1024);
}

#[test]
fn clearings_are_checked_replaced_and_removed() {
    let camp = Clearing::new(1.0, 2.0, 3.0, 4.0);
    let mut held = clearings(&[camp]);
    for (bad, name) in [
        (Clearing::new(f32::NAN, 0.0, 1.0, 2.0), "clearing.center_m.x"),
        (Clearing::new(0.0, 2e6, 1.0, 2.0), "clearing.center_m.z"),
        (Clearing::new(0.0, 0.0, -1.0, 2.0), "clearing.inner_m"),
        (
            Clearing::new(0.0, 0.0, 3.0, 2.0),
            "clearing.outer_m (from inner_m on): expected 3 to",
        ),
        (Clearing::new(0.0, 0.0, 1.0, f32::INFINITY), "clearing.outer_m"),
        (camp.with_floor(1.5), "clearing.floor"),
    ] {
        let error = held.add(bad).unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
        assert!(matches!(held.replace(0, bad), Err(Error::Value { .. })));
        assert!(Clearings::try_from(vec![camp, bad]).is_err());
    }
    assert_eq!(held.as_slice(), [camp]);
    let moved = Clearing::new(9.0, 2.0, 3.0, 4.0);
    assert_eq!(
        (held.add(moved), held.replace(0, moved), held.replace(7, moved)),
        (Ok(1), Ok(Some(camp)), Ok(None))
    );
    assert_eq!((held.remove(0), held.remove(5)), (Some(moved), None));
    assert_eq!(held.factor(moved.center_m), 0.0);
    held.clear();
    assert_eq!(held.factor(moved.center_m), 1.0);
}

/// A bare chunk is left out as a whole, so its cells one by one must not ask either: the same map has one answer.
#[test]
fn where_nothing_is_painted_nobody_is_asked() {
    let shape = DensityShape::new(64, 16);
    let density = Density::from_fn(shape, |at_m| Texel::new(if at_m.x < 48.0 { 1.0 } else { 0.0 }, 1.0)).unwrap();
    let asked = AtomicUsize::new(0);
    // The last painted middle is at 47 m and the first bare one at 49.
    let callback = |at_m: Vec2| {
        asked.fetch_add(1, Ordering::Relaxed);
        if at_m.x < 49.0 { 1.0 } else { f32::NAN }
    };
    let trample = Trample::NONE.with_callback(&callback);
    let (layer, mut grown) = (grass(), Grown::new());
    for cx in 0..4 {
        let chunk = Chunk::new(cx, 0);
        layer.fill(&density, &trample, chunk, 0, &mut grown).unwrap();
        let cells = (0..32).flat_map(|i| (0..32).map(move |j| (i, j)));
        let single: Vec<Candidate> = cells
            .filter_map(|cell| layer.candidate(&density, &trample, chunk, 0, cell).unwrap())
            .collect();
        assert_eq!(grown.as_slice(), single, "{chunk:?}");
    }
    // By the fill and by the cell: all of the first chunk, and what of the second has paint.
    let asked = asked.into_inner();
    assert!((2 * 1024 * 3 / 2..2 * 1024 * 8 / 5).contains(&asked), "{asked}");
}

/// A panic passes through; the buffers are empty then and as good as before.
#[test]
fn a_callback_that_panics_leaves_the_buffers_empty() {
    let (density, chunk) = (painted(1.0), Chunk::new(0, 0));
    let asked = AtomicUsize::new(0);
    let callback = |_: Vec2| {
        assert!(
            asked.fetch_add(1, Ordering::Relaxed) % 100 < 50,
            "the callback's own fault"
        );
        1.0
    };
    let trample = Trample::NONE.with_callback(&callback);
    let (mut grown, mut solids) = (Grown::new(), GroundSolids::new());
    let filled = catch_unwind(AssertUnwindSafe(|| {
        grass().fill(&density, &trample, chunk, 0, &mut grown)
    }));
    assert!(filled.is_err());
    assert_eq!((grown.len(), grown.looked_at()), (0, 0));
    asked.store(0, Ordering::Relaxed);
    let listed = catch_unwind(AssertUnwindSafe(|| {
        rocks().solid_list(&density, &trample, chunk, &mut solids)
    }));
    assert!(listed.is_err());
    assert!(solids.is_empty());

    grass().fill(&density, &Trample::NONE, chunk, 0, &mut grown).unwrap();
    rocks()
        .solid_list(&density, &Trample::NONE, chunk, &mut solids)
        .unwrap();
    assert_eq!((grown.len(), solids.len()), (1024, 256));
}
