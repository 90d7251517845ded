//! What a family costs, in counts.

use zero_compute::kernels::{ALL, SORT_F32};
use zero_compute::kernels::{
    Direction, Edge, Form, Lattice, Order, Primitives, Raster, Reduce, Scatter, Share, Test, Tile, compact, concat,
    copy_lanes, edges, expand, fan, fft, fft_2d, gather, grid_faces, grid_sample, grid_splat, hash_gather, hash_grid,
    hash_measure, hash_nearest, hash_repel, jump_rank, lattice, loops, mean, offsets, open_edges, proc_field_scale,
    ramp, raster_accumulate, raster_copy, raster_resolve, raster_restore, raster_sample, raster_sample_all,
    raster_splat, raster_stencil, reduce, scan, scan_segments, scatter, segments, segments_mean, segments_test, sort,
    sort_columns, test,
};
use zero_compute::kernels::{RayMode, bvh_nearest, bvh_overlap, bvh_points, bvh_ray, bvh_triangles};
use zero_compute::{Column, Device, Domain, Kernel, Recorder};

use crate::common::devices;

struct Inputs {
    floats: Column,
    ints: Column,
    index: Column,
    starts: Column,
    /// What the families that work in place change.
    places: Column,
    float_places: Column,
    waves: Column,
    spots: Column,
    lattice_values: Column,
    corners: Column,
    rays: Column,
    boxes: Column,
    weights: Column,
    values: Column,
}

impl Inputs {
    fn on(device: &Device) -> Inputs {
        let numbers: Vec<i32> = (0..N).map(|i| i * 7919 % N).collect();
        let floats: Vec<f32> = numbers.iter().map(|n| *n as f32).collect();
        let starts: Vec<u32> = (0..N as u32).collect();
        Inputs {
            floats: device.upload(&floats, 1).unwrap(),
            ints: device.upload(&vec![1i32; N as usize], 1).unwrap(),
            index: device.upload(&numbers, 1).unwrap(),
            starts: device.upload(&starts, 1).unwrap(),
            places: device.upload(&numbers, 1).unwrap(),
            float_places: device.upload(&floats, 1).unwrap(),
            spots: device.upload(&[0.25f32; 900], 3).unwrap(),
            lattice_values: device.upload(&[0.5f32; 3 * 24], 3).unwrap(),
            corners: device.upload(&[0i32; 300], 3).unwrap(),
            rays: device.upload(&[0.5f32; 800], 8).unwrap(),
            boxes: device.upload(&[0.5f32; 600], 6).unwrap(),
            weights: device.upload(&[0.1f32; 9], 1).unwrap(),
            values: device.upload(&[0.5f32; 300], 1).unwrap(),
            waves: device.upload(&[0.5f32; 2 * 5 * 8 * 16], 2).unwrap(),
        }
    }
}

const N: i32 = 5000;
/// As many points as there are floats, and as there are in the box.
const SHEET: Lattice = Lattice {
    counts: [50, 1, 100],
    origin: [0.0; 3],
    spacing: [1.0; 3],
};
const BOX: Lattice = Lattice {
    counts: [4, 3, 2],
    ..SHEET
};

/// Primitives of one vertex each, which is enough for what is counted.
fn primitives(inputs: &Inputs) -> Primitives<'_> {
    Primitives {
        starts: &inputs.places,
        counts: &inputs.ints,
        points: &inputs.index,
        closed: None,
    }
}

/// Two tiles of as many stored cells as there are floats.
const SHEET_OF_CELLS: Raster = Raster {
    tile: Tile {
        wide: 48,
        high: 98,
        apron: 1,
    },
    across: 2,
    down: 1,
    origin: [0.0; 2],
    cell: [1.0; 2],
};

type Record = fn(&mut Recorder, &Inputs) -> zero_compute::Result<()>;

/// Each family with the dispatches that its list holds.
const FAMILIES: &[(&str, u64, Record)] = &[
    ("ramp", 1, |rec, _| ramp(rec, Domain::count(5000), 0, 1).map(drop)),
    ("lattice", 1, |rec, _| {
        lattice(
            rec,
            Lattice {
                counts: [20, 20, 20],
                ..Lattice::default()
            },
        )
        .map(drop)
    }),
    ("grid_faces", 1, |rec, _| grid_faces(rec, 70, 70).map(drop)),
    ("fan", 1, |rec, _| fan(rec, 0, 1, 600).map(drop)),
    ("copy_lanes", 1, |rec, i| copy_lanes(rec, &i.ints, 0, &i.places, 0, 1)),
    ("field, scaled", 1, |rec, i| {
        proc_field_scale(rec, &i.floats, 0.5).map(drop)
    }),
    ("gather", 1, |rec, i| gather(rec, &i.floats, &i.index).map(drop)),
    ("scatter last", 3, |rec, i| {
        scatter(rec, &i.ints, &i.index, &i.places, Scatter::Last)
    }),
    ("scatter add", 1, |rec, i| {
        scatter(rec, &i.ints, &i.index, &i.places, Scatter::Add)
    }),
    ("scatter fixed", 3, |rec, i| {
        scatter(
            rec,
            &i.floats,
            &i.index,
            &i.float_places,
            Scatter::AddFixed { fraction_bits: 8 },
        )
    }),
    ("scatter floats", 3, |rec, i| {
        scatter(rec, &i.floats, &i.index, &i.float_places, Scatter::Max)
    }),
    ("scan", 1, |rec, i| scan(rec, &i.floats, Form::Inclusive).map(drop)),
    ("offsets", 1, |rec, i| offsets(rec, &i.ints).map(drop)),
    ("reduce", 1, |rec, i| reduce(rec, &i.floats, Reduce::Sum).map(drop)),
    ("test", 1, |rec, i| test(rec, &i.ints, Test::Any).map(drop)),
    ("segments", 2, |rec, i| {
        segments(rec, &i.floats, &i.starts, Reduce::Sum).map(drop)
    }),
    ("scan of runs", 1, |rec, i| {
        scan_segments(rec, &i.floats, &i.ints, Form::Inclusive).map(drop)
    }),
    ("mean", 2, |rec, i| mean(rec, &i.floats).map(drop)),
    ("means of runs", 3, |rec, i| {
        segments_mean(rec, &i.floats, &i.starts).map(drop)
    }),
    ("test of runs", 2, |rec, i| {
        segments_test(rec, &i.ints, &i.starts, Test::All).map(drop)
    }),
    ("compact", 2, |rec, i| compact(rec, &i.ints).map(drop)),
    ("expand", 2, |rec, i| expand(rec, &i.ints, 9000).map(drop)),
    ("sort", 1, |rec, i| sort(rec, &i.floats, Some(&i.index)).map(drop)),
    ("fft", 1, |rec, i| fft(rec, &i.waves, 8, Direction::Forward).map(drop)),
    ("fft of grids", 2, |rec, i| {
        fft_2d(rec, &i.waves, 8, 16, Direction::Forward).map(drop)
    }),
    ("sort of two columns", 4, |rec, i| {
        sort_columns(rec, &[(&i.floats, Order::Descending), (&i.ints, Order::Ascending)]).map(drop)
    }),
    ("concat", 2, |rec, i| concat(rec, &[&i.ints, &i.index]).map(drop)),
    ("concat of live columns", 7, |rec, i| {
        let live = compact(rec, &i.ints)?.indices;
        concat(rec, &[&i.ints, &live]).map(drop)
    }),
    ("hash grid", 4, |rec, i| hash_grid(rec, &i.spots, 0.5).map(drop)),
    ("hash grid, listed", 8, |rec, i| {
        let grid = hash_grid(rec, &i.spots, 0.5)?;
        hash_gather(rec, &grid, &i.spots, 0.5, 1000).map(drop)
    }),
    ("hash grid, measured", 7, |rec, i| {
        let grid = hash_grid(rec, &i.spots, 0.5)?;
        hash_measure(rec, &grid, 0.5)?;
        hash_repel(rec, &grid, 0.5)?;
        hash_nearest(rec, &grid, &i.spots, 4, 0.5).map(drop)
    }),
    ("grid_sample", 1, |rec, i| {
        grid_sample(rec, &i.floats, SHEET, &i.spots).map(drop)
    }),
    ("grid_splat", 3, |rec, i| {
        grid_splat(rec, &i.spots, &i.spots, BOX, &i.lattice_values, 8)
    }),
    ("tree of triangles", 9, |rec, i| {
        bvh_triangles(rec, &i.spots, &i.corners).map(drop)
    }),
    ("tree of points, asked", 15, |rec, i| {
        let tree = bvh_points(rec, &i.spots, 0.5)?;
        bvh_ray(rec, &tree, &i.rays, RayMode::Nearest)?;
        bvh_nearest(rec, &tree, &i.spots, 1.0)?;
        bvh_overlap(rec, &tree, &i.boxes, 100).map(drop)
    }),
    // 5000 elements are 13 doublings.
    ("jump", 14, |rec, i| jump_rank(rec, &i.index).map(drop)),
    ("edges", 18, |rec, i| edges(rec, primitives(i)).map(drop)),
    ("open edges", 23, |rec, i| {
        let table = edges(rec, primitives(i))?;
        open_edges(rec, &table).map(drop)
    }),
    ("loops", 17 + 2 * 13, |rec, i| loops(rec, &i.index, &i.places).map(drop)),
    ("raster stencil", 1, |rec, i| {
        raster_stencil(rec, &i.floats, SHEET_OF_CELLS.tile, &i.weights, 1, Edge::Apron).map(drop)
    }),
    ("raster splat", 1, |rec, i| {
        raster_splat(rec, &i.values, &i.spots, &SHEET_OF_CELLS, 0, &i.places, Share::Bilinear)
    }),
    ("raster sample", 1, |rec, i| {
        let (layer, dst) = (&i.floats, &i.values);
        raster_sample(rec, layer, &i.spots, &SHEET_OF_CELLS, 0, dst, Share::Bilinear)
    }),
    ("raster sample, two tiles", 1 + 2, |rec, i| {
        let layers = [i.floats.clone(), i.float_places.clone()];
        raster_sample_all(rec, &layers, &i.spots, &SHEET_OF_CELLS, Share::Cell).map(drop)
    }),
    ("raster accumulate", 1, |rec, i| {
        raster_accumulate(rec, &i.floats, &i.index, &i.places)
    }),
    // Two tiles: each has a band of the other's, once to add and once to show.
    ("raster resolve", 2 + 2 + 2, |rec, i| {
        let (layer, delta) = (
            [i.floats.clone(), i.float_places.clone()],
            [i.places.clone(), i.ints.clone()],
        );
        raster_resolve(rec, &SHEET_OF_CELLS, &layer, &delta, None).map(drop)
    }),
    ("raster copies", 4, |rec, i| {
        let layers = [i.floats.clone(), i.float_places.clone()];
        let kept = raster_copy(rec, &layers)?;
        raster_restore(rec, &kept, &layers)
    }),
    ("sort of numbers", 2, |rec, i| sort(rec, &i.floats, None).map(drop)),
];

#[test]
fn families_cost_what_they_say_and_replay_for_nothing() {
    for (name, device) in devices() {
        for (family, dispatches, record) in FAMILIES {
            let inputs = Inputs::on(&device);
            let mut rec = device.record(family);
            record(&mut rec, &inputs).unwrap();
            let list = rec.finish().unwrap();
            assert_eq!(list.dispatches() as u64, *dispatches, "{family} on {name}");
            list.submit().unwrap();
            device.poll();

            let counting = device.counting();
            list.submit().unwrap();
            device.poll();
            let spent = counting.delta();
            assert_eq!(spent.dispatches, *dispatches, "{family} on {name}");
            let made = (
                spent.allocations,
                spent.created,
                spent.uploads,
                spent.programs,
                spent.bind_groups,
            );
            assert_eq!(made, (0, 0, 0, 0, 0), "{family} on {name}: a replay makes nothing");
        }
    }
}

#[test]
fn nothing_is_dispatched_over_no_elements() {
    for (name, device) in devices() {
        let mut rec = device.record("nothing");
        let none = device.upload::<i32>(&[], 1).unwrap();
        gather(&mut rec, &none, &none).unwrap();
        segments(&mut rec, &none, &device.upload::<u32>(&[], 1).unwrap(), Reduce::Sum).unwrap();
        sort(&mut rec, &none, None).unwrap();
        fan(&mut rec, 0, 1, 0).unwrap();
        let list = rec.finish().unwrap();
        let counting = device.counting();
        list.submit().unwrap();
        device.poll();
        assert_eq!(counting.delta().dispatches, 0, "{name}");
    }
}

#[test]
fn kernels_have_the_passes_that_their_pages_state() {
    let passes = |kernel: &Kernel| kernel.passes().count().max(1);
    assert_eq!(passes(&SORT_F32), 25);
    for kernel in ALL {
        let family = kernel.name().split('_').next().unwrap_or_default();
        let expected = match family {
            "loops" => 1 + usize::from(["loops", "loops_order"].contains(&kernel.name())),
            "scan" | "offsets" | "compact" => 3,
            "reduce" | "test" => 2,
            "sort" => 25,
            "bvh" if kernel.name() == "bvh_pyramid" => 8,
            _ => 1,
        };
        assert_eq!(passes(kernel), expected, "{}", kernel.name());
    }
}
