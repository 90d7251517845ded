//! A step with nothing to do and a step that walks, over 100 and 100 000 cells. What is near the source is the same.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot be set up has nothing to measure"
)]

#[path = "../tests/streaming/hecs_host.rs"]
#[expect(dead_code, reason = "the host is written for the tests, which use more of it")]
mod hecs_host;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hecs::Entity;
use hecs_host::{HecsHost, Thing};
use zero_streaming::glam::Vec3;
use zero_streaming::{Config, Filing, Silhouettes, Source, Store, Transform};

const CELL: f32 = 64.0;

/// A square of cells around the origin, each with one group of four entities and a silhouette.
fn world(side: i32) -> (HecsHost, Store<Entity>) {
    // All that a source reaches is among the 100 cells, so that both worlds have as much to do.
    let config = Config {
        cell_size: CELL,
        proxy_radius: 190.0,
        proxy_unload_radius: 220.0,
        ..Config::default()
    };
    let mut store = Store::new(config).unwrap();
    for x in -side / 2..side - side / 2 {
        for z in -side / 2..side - side / 2 {
            let place = Vec3::new((x as f32 + 0.5) * CELL, 0.0, (z as f32 + 0.5) * CELL);
            let child = |n: u64| Thing::new(n).record(Transform::at(Vec3::Y * n as f32)).below(0);
            let root = Thing::new(0).record(Transform::at(place));
            store
                .add(&[root, child(1), child(2), child(3)], &Filing::default())
                .unwrap();
        }
    }
    let look = Silhouettes {
        data: Thing::new(9).to_bytes(),
        ..Silhouettes::default()
    };
    assert_eq!(store.derive_proxies(&look).unwrap().cells, (side * side) as u64);
    (HecsHost::new(usize::MAX), store)
}

fn step(host: &mut HecsHost, store: &mut Store<Entity>, x: f32) -> u64 {
    host.log.clear();
    host.next_frame();
    let step = store.tick(host, &[Source::at(Vec3::new(x, 0.0, 0.0))]).unwrap();
    assert!(step.failures.is_empty());
    step.spent
}

fn steps(c: &mut Criterion) {
    for (cells, side) in [("100", 10), ("100000", 317)] {
        let (mut host, mut store) = world(side);
        for _ in 0..500 {
            step(&mut host, &mut store, 0.0);
        }
        assert_eq!(store.stats().cells_pending, 0);
        println!("{cells} cells: {} visited by an idle step", store.stats().cells_visited);
        c.bench_with_input(BenchmarkId::new("idle step", cells), &(), |b, ()| {
            b.iter(|| assert_eq!(step(&mut host, &mut store, 0.0), 0));
        });
        // To and fro over 8 m a step; what is met stays within the square of 100 cells.
        let mut at = 0u32;
        c.bench_with_input(BenchmarkId::new("walking step", cells), &(), |b, ()| {
            b.iter(|| {
                at = (at + 1) % 40;
                let x = if at < 20 { at } else { 40 - at };
                step(&mut host, &mut store, x as f32 * 8.0 - 80.0)
            });
        });
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
