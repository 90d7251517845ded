//! What records several dispatches records all of them or, where it fails on its way, none.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of tests fails as a test does"
)]

use zero_compute::call::Call;
use zero_compute::kernels::*;
use zero_compute::*;

const N: u32 = 96;

/// What the operations below are given.
struct Given {
    points: Column,
    floats: Column,
    ints: Column,
    flags: Column,
    counts: Column,
    triangles: Column,
    starts: Column,
    live: Column,
    complex: Column,
    delta: Column,
    face_starts: Column,
    face_counts: Column,
    target: Column,
    boxes: Column,
    rays: Column,
    lattice: Lattice,
    cells: Column,
    raster: Raster,
    layers: Vec<Column>,
    deltas: Vec<Column>,
    weights: Column,
    grid: HashGrid,
    tree: Bvh,
    table: Edges,
}

impl Given {
    fn primitives(&self) -> Primitives<'_> {
        Primitives {
            starts: &self.face_starts,
            counts: &self.face_counts,
            points: &self.ints,
            closed: None,
        }
    }
}

/// Uploads, and the dispatches of a grid and of a tree.
fn given(device: &Device, rec: &mut Recorder) -> Given {
    let floats: Vec<f32> = (0..N).map(|i| (i * 37 % N) as f32).collect();
    let ints: Vec<i32> = (0..N as i32).map(|i| i * 29 % N as i32).collect();
    let flags: Vec<i32> = (0..N as i32).map(|i| i % 3 - 1).collect();
    let counts: Vec<u32> = (0..N).map(|i| i % 3).collect();
    let starts: Vec<u32> = (0..=N / 8).map(|i| i * 8).collect();
    let places: Vec<f32> = (0..3 * N).map(|i| (i * 13 % 41) as f32 * 0.5).collect();
    let points = device.upload(&places, 3).unwrap();
    let floats = device.upload(&floats, 1).unwrap();
    let triangles = device.upload(&ints, 3).unwrap();
    let ints = device.upload(&ints, 1).unwrap();
    let face_starts = Vec::from_iter((0..N as i32 / 3).map(|i| i * 3));
    let face_starts = device.upload(&face_starts, 1).unwrap();
    let face_counts = device.upload(&[3i32; N as usize / 3], 1).unwrap();
    let primitives = Primitives {
        starts: &face_starts,
        counts: &face_counts,
        points: &ints,
        closed: None,
    };
    let tile = Tile {
        wide: 4,
        high: 4,
        apron: 1,
    };
    let layers = |element| {
        (0..2)
            .map(|_| device.column(element, 1, tile.cells() as u32).unwrap())
            .collect()
    };
    Given {
        boxes: device.upload(&places[..6 * 16], 6).unwrap(),
        lattice: Lattice {
            counts: [4, 4, 4],
            origin: [0.0; 3],
            spacing: [2.0; 3],
        },
        cells: device.column(Element::F32, 1, 64).unwrap(),
        raster: Raster {
            tile,
            across: 2,
            down: 1,
            origin: [0.0; 2],
            cell: [1.0; 2],
        },
        layers: layers(Element::F32),
        deltas: layers(Element::I32),
        weights: device.upload(&[0.5f32; 9], 1).unwrap(),
        table: edges(rec, primitives).unwrap(),
        live: floats.with_live(&device.upload(&[N / 2], 1).unwrap()).unwrap(),
        floats,
        triangles,
        rays: device.upload(&places[..8 * 12], 8).unwrap(),
        ints,
        flags: device.upload(&flags, 1).unwrap(),
        counts: device.upload(&counts, 1).unwrap(),
        starts: device.upload(&starts, 1).unwrap(),
        complex: device.upload(&places[..128], 2).unwrap(),
        delta: device.column(Element::I32, 1, N).unwrap(),
        face_starts,
        face_counts,
        target: device.column(Element::F32, 1, N).unwrap(),
        grid: hash_grid(rec, &points, 2.0).unwrap(),
        tree: bvh_points(rec, &points, 0.5).unwrap(),
        points,
    }
}

type Operation = (&'static str, fn(&mut Recorder, &Given) -> Result<()>);

/// Everything that records more than one dispatch.
const OPERATIONS: &[Operation] = &[
    ("copy", |r, g| r.copy(&g.live).map(drop)),
    ("pack", |r, g| r.pack(&[("a", &g.floats), ("b", &g.ints)]).map(drop)),
    ("cast", |r, g| r.cast(&g.live, Element::I32).map(drop)),
    ("guard", |r, g| r.guard("counts", &g.counts, 3).map(drop)),
    ("a call", |r, g| {
        let call = Call::new(&SCAN_F32, &g.ints).bind("src", &g.ints);
        call.record(r).map(drop)
    }),
    ("a dispatch", |r, g| {
        let args = args! { src: &g.floats, index: &g.ints };
        r.dispatch(&GATHER_F32, args, Domain::of(&g.ints)).map(drop)
    }),
    ("gather", |r, g| gather(r, &g.points, &g.ints).map(drop)),
    ("scatter last", |r, g| {
        scatter(r, &g.floats, &g.ints, &g.target, Scatter::Last)
    }),
    ("scatter add", |r, g| {
        scatter(
            r,
            &g.floats,
            &g.ints,
            &g.target,
            Scatter::AddFixed { fraction_bits: 16 },
        )
    }),
    ("mean", |r, g| mean(r, &g.live).map(drop)),
    ("reduce", |r, g| reduce(r, &g.points, Reduce::Sum).map(drop)),
    ("test", |r, g| test(r, &g.flags, Test::Any).map(drop)),
    ("scan", |r, g| scan(r, &g.floats, Form::Inclusive).map(drop)),
    ("offsets", |r, g| offsets(r, &g.counts).map(drop)),
    ("scan_segments", |r, g| {
        scan_segments(r, &g.floats, &g.flags, Form::Exclusive).map(drop)
    }),
    ("segments", |r, g| {
        segments(r, &g.floats, &g.starts, Reduce::Max).map(drop)
    }),
    ("segments_mean", |r, g| segments_mean(r, &g.floats, &g.starts).map(drop)),
    ("segments_test", |r, g| {
        segments_test(r, &g.flags, &g.starts, Test::All).map(drop)
    }),
    ("compact", |r, g| compact(r, &g.flags).map(drop)),
    ("expand", |r, g| expand(r, &g.counts, 2 * N).map(drop)),
    ("concat", |r, g| concat(r, &[&g.floats, &g.floats]).map(drop)),
    ("concat of live columns", |r, g| {
        concat(r, &[&g.floats, &g.live]).map(drop)
    }),
    ("sort", |r, g| sort(r, &g.floats, None).map(drop)),
    ("sort_by", |r, g| {
        sort_by(r, &g.floats, Some(&g.ints), Order::Descending).map(drop)
    }),
    ("sort_columns", |r, g| {
        sort_columns(r, &[(&g.floats, Order::Ascending), (&g.ints, Order::Descending)]).map(drop)
    }),
    ("hash_grid", |r, g| hash_grid(r, &g.points, 1.0).map(drop)),
    ("hash_gather", |r, g| {
        hash_gather(r, &g.grid, &g.points, 2.0, 4 * N).map(drop)
    }),
    ("hash_measure", |r, g| hash_measure(r, &g.grid, 2.0).map(drop)),
    ("hash_repel", |r, g| hash_repel(r, &g.grid, 2.0).map(drop)),
    ("hash_average", |r, g| {
        hash_average(r, &g.grid, &g.floats, 2.0).map(drop)
    }),
    ("hash_nearest", |r, g| {
        hash_nearest(r, &g.grid, &g.points, 3, 2.0).map(drop)
    }),
    ("bvh_points", |r, g| bvh_points(r, &g.points, 0.5).map(drop)),
    ("bvh_triangles", |r, g| {
        bvh_triangles(r, &g.points, &g.triangles).map(drop)
    }),
    ("bvh_nearest", |r, g| bvh_nearest(r, &g.tree, &g.points, 2.0).map(drop)),
    ("bvh_ray", |r, g| {
        bvh_ray(r, &g.tree, &g.rays, RayMode::Nearest).map(drop)
    }),
    ("bvh_overlap", |r, g| bvh_overlap(r, &g.tree, &g.boxes, 2 * N).map(drop)),
    ("grid_sample", |r, g| {
        grid_sample(r, &g.cells, g.lattice, &g.points).map(drop)
    }),
    ("grid_splat", |r, g| {
        grid_splat(r, &g.floats, &g.points, g.lattice, &g.cells, 8)
    }),
    ("jump_rank", |r, g| jump_rank(r, &g.ints).map(drop)),
    ("jump_min", |r, g| jump_min(r, &g.ints, &g.ints).map(drop)),
    ("edges", |r, g| edges(r, g.primitives()).map(drop)),
    ("edges_runs", |r, g| {
        edges_runs(r, &g.ints, &g.counts, &g.counts).map(drop)
    }),
    ("open_edges", |r, g| open_edges(r, &g.table).map(drop)),
    ("loops", |r, g| loops(r, &g.ints, &g.flags).map(drop)),
    ("raster_stencil", |r, g| {
        raster_stencil(r, &g.layers[0], g.raster.tile, &g.weights, 1, Edge::Apron).map(drop)
    }),
    ("raster_exchange", |r, g| {
        raster_exchange(r, &g.raster, &g.layers, None).map(drop)
    }),
    ("raster_resolve", |r, g| {
        raster_resolve(r, &g.raster, &g.layers, &g.deltas, None).map(drop)
    }),
    ("raster_sample_all", |r, g| {
        raster_sample_all(r, &g.layers, &g.points, &g.raster, Share::Bilinear).map(drop)
    }),
    ("raster_splat", |r, g| {
        raster_splat(r, &g.floats, &g.points, &g.raster, 1, &g.deltas[1], Share::Cell)
    }),
    ("raster_copy", |r, g| raster_copy(r, &g.layers).map(drop)),
    ("raster_restore", |r, g| {
        raster_restore(r, &g.layers[..1], &g.layers[1..])
    }),
    ("raster_clear", |r, g| raster_clear(r, &g.layers)),
    ("raster_accumulate", |r, g| {
        raster_accumulate(r, &g.floats, &g.ints, &g.delta)
    }),
    ("fft", |r, g| fft(r, &g.complex, 64, Direction::Forward).map(drop)),
    ("fft_2d", |r, g| {
        fft_2d(r, &g.complex, 8, 8, Direction::Forward).map(drop)
    }),
];

/// Tries an operation with memory for one allocation more each time, until it has enough. Answers how often it failed.
fn starve(name: &str, operation: fn(&mut Recorder, &Given) -> Result<()>) -> u32 {
    let device = Device::cpu(CpuOptions::default());
    let mut limit = 0;
    for failures in 0..1000 {
        device.set_memory_limit(u64::MAX);
        let mut rec = device.record("starved");
        let given = given(&device, &mut rec);
        let mut before = device.record("before");
        let _given = self::given(&device, &mut before);
        let before = before.finish().unwrap().dispatches();
        device.trim(0);
        let stands = device.stats().live_bytes;
        device.set_memory_limit(stands + limit);
        let end = operation(&mut rec, &given);
        device.set_memory_limit(u64::MAX);
        let (list, guards) = (rec.finish().unwrap(), usize::from(name == "guard"));
        match end {
            Ok(()) => {
                assert!(list.dispatches() > before, "{name}");
                assert_eq!(list.guards(), guards, "{name}");
                return failures;
            }
            Err(Error::OutOfMemory { bytes, live, .. }) => {
                assert_eq!(list.dispatches(), before, "{name}, failure {failures}");
                assert_eq!(list.guards(), 0, "{name}, failure {failures}");
                limit = live + bytes - stands;
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
    panic!("{name}: it never had enough");
}

#[test]
fn an_operation_that_fails_on_its_way_leaves_the_list_as_it_was() {
    let failures: u32 = OPERATIONS
        .iter()
        .map(|(name, operation)| starve(name, *operation))
        .sum();
    assert!(failures > 150, "{failures}");
}

#[test]
fn what_was_recorded_before_stands_and_what_comes_after_is_recorded() {
    let device = Device::cpu(CpuOptions::default());
    let column = device.upload(&[1u32, 2, 3], 1).unwrap();
    let read = |column: &Column| column.read::<u32>().unwrap().wait().unwrap();
    let mut rec = device.record("t");
    rec.guard("first", &column, 9).unwrap();
    let failed = rec.all_or_nothing(|rec| -> Result<()> {
        rec.fill(&column, 5)?;
        rec.guard("second", &column, 0)?;
        // An operation in it that succeeds is taken back with it.
        rec.all_or_nothing(|rec| rec.fill(&column, 6))?;
        Err(Error::Cancelled)
    });
    assert_eq!(failed, Err(Error::Cancelled));
    let set = rec.all_or_nothing(|rec| rec.copy(&column)).unwrap();
    assert_eq!(rec.guard("third", &column, 0).unwrap(), 1);
    let list = rec.finish().unwrap();
    assert_eq!((list.dispatches(), list.guards()), (3, 2));
    list.submit().unwrap();
    assert_eq!((read(&column), read(&set)), (vec![1, 2, 3], vec![1, 2, 3]));
    let outgrown = list.outgrown().unwrap().wait().unwrap();
    assert_eq!(outgrown.iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["third"]);
}
