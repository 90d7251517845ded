//! Candidates a second on one core.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zero_ground::glam::Vec2;
use zero_ground::{
    Band, Chunk, ChunkGrid, Clearing, Clearings, Density, DensityShape, GroundFill, GroundSolids, Grown, Layer, Texel,
    Trample,
};

fn painted(paint: impl FnMut(Vec2) -> Texel) -> Density {
    Density::from_fn(DensityShape::new(128, 128), paint).unwrap_or_else(|error| unreachable!("{error}"))
}

fn layer(number: u32, step_m: f32, solid: bool, trample: bool) -> Layer {
    let bands = vec![Band::new(step_m), Band::new(step_m * 2.0)];
    let row = GroundFill {
        bands,
        solid,
        trample,
        ..GroundFill::default()
    };
    Layer::new(number, ChunkGrid::default(), row).unwrap_or_else(|error| unreachable!("{error}"))
}

fn fills(c: &mut Criterion) {
    let mut clearings = Clearings::new();
    for step in 0..100_u8 {
        let clearing = Clearing::new(f32::from(step % 10) * 25.0, f32::from(step / 10) * 25.0, 2.0, 8.0);
        clearings.add(clearing).unwrap_or_else(|error| unreachable!("{error}"));
    }
    let (firm, camps) = (Trample::NONE, Trample::NONE.with_clearings(&clearings));
    let half = painted(|_| Texel::new(0.5, 1.0));
    let rolling = painted(|at_m| Texel::new(zero_noise::value2(3, at_m.x * 0.05, at_m.y * 0.05), 1.0));
    let cases = [
        (
            "cover, nothing kept of much paint",
            layer(0, 0.5, false, false),
            painted(|_| Texel::new(1e-6, 1.0)),
            firm,
        ),
        ("cover, half kept", layer(0, 0.5, false, false), half.clone(), firm),
        (
            "cover, all kept",
            layer(0, 0.5, false, false),
            painted(|_| Texel::new(1.0, 1.0)),
            firm,
        ),
        (
            "cover, rolling paint, 100 clearings",
            layer(0, 0.5, false, true),
            rolling,
            camps,
        ),
        ("solid, half kept", layer(0, 2.0, true, false), half, firm),
    ];
    let mut group = c.benchmark_group("fill");
    for (name, layer, density, trample) in &cases {
        let cells = layer.cells(0).unwrap_or_else(|error| unreachable!("{error}"));
        let mut grown = Grown::new();
        let mut at = 0;
        group.throughput(Throughput::Elements(u64::from(cells * cells)));
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                at = (at + 1) % 64;
                let filled = layer.fill(density, trample, Chunk::new(at % 8, at / 8), 0, &mut grown);
                black_box((filled.is_ok(), grown.len()))
            });
        });
    }
    group.finish();
}

fn solids(c: &mut Criterion) {
    let (layer, density) = (layer(1, 2.0, true, false), painted(|_| Texel::new(0.5, 1.0)));
    let mut solids = GroundSolids::new();
    let listed = layer.solid_list(&density, &Trample::NONE, Chunk::new(1, 1), &mut solids);
    let ids: Vec<_> = solids.iter().map(|solid| solid.id).collect();
    assert!(listed.is_ok() && !ids.is_empty());
    let mut group = c.benchmark_group("solid");
    group.throughput(Throughput::Elements(ids.len() as u64));
    group.bench_function("solid_at", |bencher| {
        bencher.iter(|| {
            ids.iter()
                .filter(|&&id| layer.solid_at(&density, &Trample::NONE, id).is_ok())
                .count()
        });
    });
    group.finish();
}

criterion_group!(benches, fills, solids);
criterion_main!(benches);
