//! Many threads over one layer, map and trample, a buffer each.

use crate::{grass, painted, rocks};
use zero_ground::glam::Vec2;
use zero_ground::{
    Candidate, Chunk, Clearing, Clearings, Density, Error, GroundSolids, Grown, Layer, SolidId, Trample,
};

#[test]
fn what_is_shared_and_what_is_sent_may_be() {
    fn both<T: Send + Sync + 'static>() {}
    both::<(Layer, Density, Clearings, Trample<'static>)>();
    both::<(Grown, GroundSolids, Error)>();
}

#[test]
fn threads_grow_what_one_thread_grows() {
    let (cover, solid, density) = (grass(), rocks(), painted(0.6));
    let mut clearings = Clearings::new();
    clearings
        .add(Clearing::new(10.0, -20.0, 8.0, 90.0).with_floor(0.2))
        .unwrap();
    let town = Vec2::new(-40.0, 30.0);
    let callback = |at_m: Vec2| if at_m.distance(town) < 25.0 { 0.1 } else { 1.0 };
    let trample = Trample::NONE.with_clearings(&clearings).with_callback(&callback);
    let chunks: Vec<Chunk> = (-4..4)
        .flat_map(|cx| (-4..4).map(move |cz| Chunk::new(cx, cz)))
        .collect();

    let work = |chunks: &[Chunk]| -> Vec<(Vec<Candidate>, Vec<SolidId>)> {
        let (mut grown, mut solids) = (Grown::new(), GroundSolids::new());
        let one = |&chunk: &Chunk| {
            cover.fill(&density, &trample, chunk, 1, &mut grown).unwrap();
            solid.solid_list(&density, &trample, chunk, &mut solids).unwrap();
            (grown.as_slice().to_vec(), solids.iter().map(|solid| solid.id).collect())
        };
        chunks.iter().map(one).collect()
    };
    let alone = work(&chunks);
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = chunks.chunks(9).map(|part| scope.spawn(|| work(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
    assert!(alone.iter().map(|(grown, _)| grown.len()).sum::<usize>() > 2000);
}
