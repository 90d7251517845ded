//! Filling a chunk allocates nothing on the heap after the first, counted.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a refusal is a failure")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use zero_ground::{
    Band, Chunk, ChunkGrid, Clearing, Clearings, Density, DensityShape, GroundFill, GroundSolids, Grown, Layer, Texel,
    Trample,
};

/// The system's allocator, counting what each thread asks of it.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more, and is not the one that is measured.
    let _ = ALLOCATIONS.try_with(|counter| counter.set(counter.get() + 1));
}

// Safety: every call is passed on unchanged to the system's allocator, which keeps the contract; counting touches a
// `Cell` of the thread that needs neither allocation nor a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // Safety: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // Safety: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // Safety: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Ever more paint along x: bare at the first chunks, a thing in every cell at the last.
fn ramp() -> Density {
    Density::from_fn(DensityShape::new(256, 32), |at_m| {
        Texel::new((at_m.x / 400.0 - 0.2).clamp(0.0, 1.0), 1.0)
    })
    .unwrap()
}

#[test]
fn filling_allocates_nothing_after_the_first_chunk() {
    let density = ramp();
    let row = GroundFill {
        bands: vec![Band::new(2.0), Band::new(4.0)],
        trample: true,
        ..GroundFill::default()
    };
    let grass = Layer::new(0, ChunkGrid::default(), row.clone()).unwrap();
    let rocks = Layer::new(1, ChunkGrid::default(), GroundFill { solid: true, ..row }).unwrap();
    let mut clearings = Clearings::new();
    for step in 0..20_u8 {
        clearings
            .add(Clearing::new(f32::from(step) * 25.0, 30.0, 2.0, 20.0))
            .unwrap();
    }
    let trample = Trample::NONE.with_clearings(&clearings).with_callback(&|_| 0.9);
    let (mut grown, mut solids) = (Grown::new(), GroundSolids::new());

    let first = allocations(|| {
        grass.fill(&density, &trample, Chunk::new(0, 0), 1, &mut grown).unwrap();
        rocks
            .solid_list(&density, &trample, Chunk::new(0, 0), &mut solids)
            .unwrap();
    });
    assert!(first > 0, "the counter counts");
    assert!(
        grown.is_empty() && solids.is_empty(),
        "the first chunk is bare, and room is made all the same"
    );

    let mut things = 0;
    let later = allocations(|| {
        for (cx, cz) in (0..16).flat_map(|cx| [(cx, 0), (cx, 1)]) {
            for band in 0..2 {
                grass
                    .fill(&density, &trample, Chunk::new(cx, cz), band, &mut grown)
                    .unwrap();
                things += grown.len();
                rocks
                    .fill(&density, &trample, Chunk::new(cx, cz), band, &mut grown)
                    .unwrap();
                things += grown.len();
            }
            rocks
                .solid_list(&density, &trample, Chunk::new(cx, cz), &mut solids)
                .unwrap();
            for solid in &solids {
                things += usize::from(rocks.solid_at(&density, &trample, solid.id).unwrap().is_some());
            }
        }
    });
    assert!(things > 5_000, "{things}");
    assert_eq!(later, 0, "allocations after the first chunk");
}
