//! Solid things by id.

use crate::{grass, painted, rocks};
use zero_ground::glam::Vec2;
use zero_ground::{
    Band, Candidate, Chunk, ChunkGrid, Clearing, Clearings, Density, DensityShape, Error, GroundFill, GroundSolids,
    Grown, Layer, Solid, SolidId, Texel, Trample,
};

fn list(layer: &Layer, density: &Density, trample: &Trample<'_>, chunk: Chunk) -> Vec<Solid> {
    let mut solids = GroundSolids::new();
    layer.solid_list(density, trample, chunk, &mut solids).unwrap();
    solids.as_slice().to_vec()
}

#[test]
fn the_list_is_band_0_with_ids_and_each_id_answers_its_thing() {
    let (layer, density) = (rocks(), painted(0.4));
    let chunk = Chunk::new(-3, 2);
    let listed = list(&layer, &density, &Trample::NONE, chunk);
    let mut grown = Grown::new();
    layer.fill(&density, &Trample::NONE, chunk, 0, &mut grown).unwrap();
    let things: Vec<Candidate> = listed.iter().map(|solid| solid.thing).collect();
    assert_eq!(things, grown.as_slice());
    assert!(listed.len() > 50);
    assert!(listed.is_sorted_by(|a, b| a.id < b.id));
    for Solid { id, thing, .. } in listed {
        assert_eq!(layer.solid_at(&density, &Trample::NONE, id).unwrap(), Some(thing));
        assert_eq!(layer.solid_id(chunk, (thing.i, thing.j)).unwrap(), id);
        let cell = id.cell(16).unwrap();
        assert_eq!(
            (cell.layer, cell.chunk, cell.band, cell.i, cell.j),
            (2, chunk, 0, thing.i, thing.j)
        );
        assert_eq!((id.layer(), id.chunk()), (2, chunk));
    }
}

#[test]
fn an_id_where_nothing_stands_answers_none() {
    let (layer, density) = (rocks(), painted(0.4));
    let listed = list(&layer, &density, &Trample::NONE, Chunk::new(0, 0));
    let mut none = 0;
    for (i, j) in (0..16).flat_map(|i| (0..16).map(move |j| (i, j))) {
        let id = layer.solid_id(Chunk::new(0, 0), (i, j)).unwrap();
        let stands = listed.iter().any(|solid| solid.id == id);
        assert_eq!(layer.solid_at(&density, &Trample::NONE, id).unwrap().is_some(), stands);
        none += usize::from(!stands);
    }
    assert!(none > 50);
}

/// Paint anywhere else, and the ids and things under untouched paint stay.
#[test]
fn ids_are_stable_while_the_painting_under_them_is() {
    let (layer, mut density) = (rocks(), painted(0.5));
    let before = list(&layer, &density, &Trample::NONE, Chunk::new(0, 0));
    // Texels 64 to 79 lie under chunk 0. These are the eight columns of its far end, x from 16 m.
    for (x, z) in (72..80).flat_map(|x| (64..80).map(move |z| (x, z))) {
        density.set(x, z, Texel::new(1.0, 2.0)).unwrap();
    }
    let after = list(&layer, &density, &Trample::NONE, Chunk::new(0, 0));
    let untouched =
        |solids: &[Solid]| -> Vec<Solid> { solids.iter().filter(|solid| solid.thing.x_m < 14.0).copied().collect() };
    assert_eq!(untouched(&before), untouched(&after));
    assert!(after.len() > before.len() + 20 && untouched(&before).len() > 30);
}

#[test]
fn layer_63_has_ids_and_64_none() {
    let row = rocks().row().clone();
    let density = painted(1.0);
    let layer = Layer::new(63, ChunkGrid::default(), row.clone()).unwrap();
    let listed = list(&layer, &density, &Trample::NONE, Chunk::new(3, 3));
    assert_eq!(listed.len(), 256);
    assert!(listed.iter().all(|solid| i32::from(solid.id) > 63 << 25));
    let refused = Layer::new(64, ChunkGrid::default(), row).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "solid id: the number of a solid layer must be 0 to 63, got 64"
    );
    // Cover has no ids, so its numbers go on.
    assert!(Layer::new(u32::MAX, ChunkGrid::default(), GroundFill::default()).is_ok());
}

#[test]
fn twenty_two_cells_a_side_fit_and_23_do_not() {
    let solid = |step_m| {
        let bands = vec![Band::new(step_m)];
        Layer::new(
            5,
            ChunkGrid::default(),
            GroundFill {
                bands,
                solid: true,
                ..GroundFill::default()
            },
        )
    };
    let density = painted(1.0);
    let layer = solid(32.0 / 22.0).unwrap();
    let listed = list(&layer, &density, &Trample::NONE, Chunk::new(0, 0));
    assert_eq!(listed.len(), 484);
    let ids: std::collections::BTreeSet<SolidId> = listed.iter().map(|solid| solid.id).collect();
    assert_eq!(ids.len(), 484);
    assert!(ids.iter().all(|id| id.chunk() == Chunk::new(0, 0)));
    for step_m in [32.0 / 23.0, 32.0 / 22.0 * 0.999, 0.5] {
        let text = solid(step_m).unwrap_err().to_string();
        assert!(
            text.contains("at most 22 cells a side of a chunk, a step of at least 1.4545455 m"),
            "{text}"
        );
    }
}

/// Past the last chunk with ids nothing solid is grown, and cover is.
#[test]
fn past_chunk_127_nothing_solid_is_grown() {
    let shape = DensityShape::new(64, 64).with_texel_m(1024.0).at(Vec2::splat(-32768.0));
    let density = Density::from_fn(shape, |_| Texel::new(1.0, 1.0)).unwrap();
    let (solid, cover, mut grown) = (rocks(), grass(), Grown::new());
    for (chunk, expected) in [
        (Chunk::new(127, 127), 256),
        (Chunk::new(128, 0), 0),
        (Chunk::new(0, 128), 0),
        (Chunk::new(-128, -128), 256),
        (Chunk::new(-129, 0), 0),
        (Chunk::new(0, -129), 0),
    ] {
        solid.fill(&density, &Trample::NONE, chunk, 0, &mut grown).unwrap();
        assert_eq!(grown.len(), expected, "{chunk:?}");
        assert_eq!(list(&solid, &density, &Trample::NONE, chunk).len(), expected);
        let one = solid.candidate(&density, &Trample::NONE, chunk, 0, (3, 4)).unwrap();
        assert_eq!(one.is_some(), expected > 0);
        assert_eq!(solid.solid_id(chunk, (3, 4)).is_ok(), expected > 0);
        cover.fill(&density, &Trample::NONE, chunk, 0, &mut grown).unwrap();
        assert_eq!(grown.len(), 1024, "{chunk:?}");
    }
}

#[test]
fn a_clearing_takes_solid_things_from_list_and_id() {
    let (layer, density) = (rocks(), painted(1.0));
    let mut clearings = Clearings::new();
    clearings.add(Clearing::new(16.0, 16.0, 8.0, 8.0)).unwrap();
    let camp = Trample::NONE.with_clearings(&clearings);
    let (all, left) = (
        list(&layer, &density, &Trample::NONE, Chunk::new(0, 0)),
        list(&layer, &density, &camp, Chunk::new(0, 0)),
    );
    for solid in &all {
        let cleared = solid.thing.pos_m().distance(Vec2::splat(16.0)) <= 8.0;
        assert_eq!(left.contains(solid), !cleared);
        assert_eq!(layer.solid_at(&density, &camp, solid.id).unwrap().is_none(), cleared);
    }
    assert!(left.len() < all.len() - 30);
}

#[test]
fn ids_of_cover_and_of_another_layer_are_refused() {
    let density = painted(1.0);
    let id = rocks().solid_id(Chunk::new(0, 0), (1, 1)).unwrap();
    let mut solids = GroundSolids::new();
    rocks()
        .solid_list(&density, &Trample::NONE, Chunk::new(0, 0), &mut solids)
        .unwrap();
    let cover = grass();
    let refused = cover.solid_list(&density, &Trample::NONE, Chunk::new(0, 0), &mut solids);
    assert_eq!(refused, Err(Error::NotSolid { layer: 1 }));
    assert!(solids.is_empty(), "a refused list is no old list");
    assert_eq!(
        cover.solid_at(&density, &Trample::NONE, id),
        Err(Error::NotSolid { layer: 1 })
    );
    assert_eq!(
        cover.solid_id(Chunk::new(0, 0), (1, 1)),
        Err(Error::NotSolid { layer: 1 })
    );
    let other = SolidId::new(9, Chunk::new(0, 0), (1, 1), 16).unwrap();
    let text = rocks()
        .solid_at(&density, &Trample::NONE, other)
        .unwrap_err()
        .to_string();
    assert_eq!(
        text,
        format!("solid id {other} belongs to layer 9, and layer 2 was asked")
    );
    // 16 by 16 cells are 256; the 257th place of the chunk is no cell of this layer.
    let beyond = SolidId::try_from(rocks().solid_id(Chunk::new(0, 0), (15, 15)).unwrap().get() + 1).unwrap();
    assert!(matches!(
        rocks().solid_at(&density, &Trample::NONE, beyond),
        Err(Error::IdLimit { .. })
    ));
}
