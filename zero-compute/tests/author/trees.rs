//! The modules of trees of boxes: what a kernel of files includes, and its Rust function calls, finds what the kernels of
//! this crate find.

use zero_compute::author::Loader;
use zero_compute::kernels::{self, Bvh, BvhBoxes};
use zero_compute::{Column, Cpu, CpuBindings, CpuExec, Device, Domain, Error, Recorder, Result, args};

use crate::common::cpu_devices;
use crate::{body, floats, folder, gpu, load, sample, words};

/// Numbers from 0 to 1 that look like chance.
fn units(n: u32, seed: u32) -> Vec<f32> {
    (0..n)
        .map(|i| zero_noise::unit(zero_noise::finish(i ^ seed << 20)))
        .collect()
}

/// A tree of each kind of leaf, of that many primitives, some of them void.
fn trees(device: &Device, rec: &mut Recorder, n: u32) -> Vec<Bvh> {
    let mut points = units(3 * n.max(3), 1);
    points[2] = f32::NAN;
    let points_on = device.upload(&points, 3).unwrap();
    let corners: Vec<i32> = (0..3 * n as i32).map(|i| (i * 7) % n.max(3) as i32).collect();
    let boxes: Vec<f32> = units(3 * n, 2)
        .chunks(3)
        .zip(units(3 * n, 3).chunks(3))
        .flat_map(|(low, size)| {
            [0, 1, 2, 3, 4, 5].map(|k: usize| low[k % 3] + if k < 3 { 0.0 } else { 0.2 * size[k - 3] })
        })
        .collect();
    let balls: Vec<f32> = units(4 * n, 4)
        .chunks(4)
        .flat_map(|v| [v[0], v[1], v[2], 0.1 * v[3] - 0.01])
        .collect();
    let up = |words: &[f32], lanes| device.upload(words, lanes).unwrap();
    let corners = device.upload(&corners, 3).unwrap();
    vec![
        kernels::bvh_triangles(rec, &points_on, &corners).unwrap(),
        kernels::bvh_boxes(rec, &up(&boxes, 6)).unwrap(),
        kernels::bvh_balls(rec, &up(&balls, 4)).unwrap(),
        kernels::bvh_boxes(
            rec,
            &up(&boxes, 6).with_live(&device.upload(&[n / 2], 1).unwrap()).unwrap(),
        )
        .unwrap(),
    ]
}

/// Boxes to ask for; the last four are all of space, a point, one that is no box and one with a bound that is no number.
fn asked(n: u32) -> Vec<f32> {
    let mut boxes: Vec<f32> = units(3 * n, 5)
        .chunks(3)
        .flat_map(|low| [low[0], low[1], low[2], low[0] + 0.15, low[1] + 0.1, low[2] + 0.2])
        .collect();
    let (all, none) = (f32::INFINITY, f32::NAN);
    boxes.extend([-all, -all, -all, all, all, all, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    boxes.extend([1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, none, 1.0, 1.0, 1.0]);
    boxes
}

/// Counts and marks of the boxes, of what `bvh_overlap` lists.
fn expected(rec: &mut Recorder, tree: &Bvh, boxes: &Column) -> impl FnOnce() -> (Vec<u32>, Vec<u32>) + use<> {
    let found = kernels::bvh_overlap(rec, tree, boxes, 1_000_000).unwrap();
    move || {
        let (counts, starts) = (words(&found.counts), words(&found.offsets));
        let items = found.items.read::<i32>().unwrap().wait().unwrap();
        let mark = |(start, count): (&u32, &u32)| {
            let own = &items[*start as usize..(start + count) as usize];
            let fold = |mark: u32, item: &i32| mark.wrapping_mul(31).wrapping_add(item.cast_unsigned() + 1);
            own.iter().fold(0, fold)
        };
        let marks = starts.iter().zip(&counts).map(mark).collect();
        (counts, marks)
    }
}

fn boxed(b: &mut CpuBindings<'_>, x: &CpuExec<'_>) -> Result<()> {
    let mut tree = BvhBoxes::of(b, x)?;
    let boxes = b.read::<f32>("boxes")?;
    let (mut counts, mut marks) = (Vec::new(), Vec::new());
    for bounds in boxes.chunks_exact(6) {
        let (mut found, mut mark) = (0, 0u32);
        tree.overlapping([0, 1, 2, 3, 4, 5].map(|k: usize| bounds[k]), |primitive| {
            found += 1;
            mark = mark.wrapping_mul(31).wrapping_add(primitive + 1);
            true
        })?;
        counts.push(found);
        marks.push(mark);
    }
    b.write::<u32>("counts")?.copy_from_slice(&counts);
    b.write::<u32>("marks")?.copy_from_slice(&marks);
    Ok(())
}

#[test]
fn the_overlap_module_finds_what_the_kernel_lists() {
    let twin = Loader::new().twin("boxed", Cpu::Whole(|b, _, x| boxed(b, x)));
    let twin = twin.load_folder(&folder("boxed")).unwrap();
    let mut devices: Vec<_> = cpu_devices()
        .into_iter()
        .map(|(_, device)| (device, twin.clone()))
        .collect();
    devices.extend(gpu().map(|device| (device.clone(), sample("boxed"))));
    for (device, kernel) in devices {
        for n in [0u32, 1, 2, 257, 3_000] {
            let mut rec = device.record("overlaps");
            let boxes = device.upload(&asked(300), 6).unwrap();
            let trees = trees(&device, &mut rec, n);
            let mut checks = Vec::new();
            for tree in &trees {
                let arguments = tree.bindings().with("boxes", &boxes);
                let done = rec.dispatch(&kernel, arguments, Domain::of(&boxes)).unwrap();
                checks.push((done, expected(&mut rec, tree, &boxes), tree.shape));
            }
            rec.finish().unwrap().submit().unwrap();
            for (done, expected, shape) in checks {
                let (counts, marks) = expected();
                let what = format!("{shape:?}, {n} primitives");
                assert_eq!(words(&done.column("counts").unwrap()), counts, "{what}");
                assert_eq!(words(&done.column("marks").unwrap()), marks, "{what}");
                let found: u32 = counts.iter().sum();
                assert!(
                    n < 257 || found > counts.len() as u32,
                    "{what}: {found} found in all show nothing"
                );
                assert_eq!(counts[302..], [0, 0], "{what}: what is no box");
            }
        }
    }
}

/// The box module binds nothing: a kernel with other bindings folds boxes with it.
#[test]
fn the_box_module_is_included_by_any_kernel() {
    let Some(device) = gpu() else { return };
    let bindings = "version: 1
bindings:
- { name: points, access: read, element: f32 }
- { name: dst, access: write, element: f32, count: 1, lanes: 8 }
";
    let inner = "if (i == 0u) {
        var all = zero_empty_box();
        dst[7] = f32(zero_is_empty(all));
        for (var k = 0u; k < arrayLength(&points); k += 3u) {
            let at = vec3<f32>(points[k], points[k + 1u], points[k + 2u]);
            all = zero_grow(all, ZeroBox(at, at));
        }
        dst[6] = f32(zero_overlaps(all, ZeroBox(all.high, all.high + 1.0))) + 2.0 * f32(zero_overlaps(all, zero_empty_box()));
        for (var axis = 0u; axis < 3u; axis += 1u) {
            dst[axis] = all.low[axis];
            dst[3u + axis] = all.high[axis];
        }
    }";
    let text = format!("#include \"@builtin::systems.procgen.bvh_box\"\n{}", body(inner));
    let kernel = load(bindings, &text).unwrap();
    let points = device.upload(&[1.0f32, -2.0, 3.0, 0.5, 7.0, -1.0], 3).unwrap();
    let mut rec = device.record("fold");
    let done = rec
        .dispatch(&kernel, args! { points: &points }, Domain::count(1))
        .unwrap();
    rec.finish().unwrap().submit().unwrap();
    let found = floats(&done.column("dst").unwrap());
    assert_eq!(found, [0.5, -2.0, -1.0, 1.0, 7.0, 3.0, 1.0, 1.0]);
}

#[test]
fn leaves_that_are_of_no_tree_are_told() {
    let device = Device::cpu(zero_compute::CpuOptions::default());
    let loader = Loader::new().twin("boxed", Cpu::Whole(|b, _, x| boxed(b, x)));
    let kernel = loader.load_folder(&folder("boxed")).unwrap();
    let (nodes, boxes) = (
        device.upload(&[0u32; 9], 9).unwrap(),
        device.upload(&[0.0f32; 6], 6).unwrap(),
    );
    let leaves = device.upload(&[0.0f32; 5], 5).unwrap();
    let mut rec = device.record("wrong");
    let arguments = args! { nodes: &nodes, leaves: &leaves, boxes: &boxes };
    let done = rec.dispatch(&kernel, arguments, Domain::count(1)).unwrap();
    rec.finish().unwrap().submit().unwrap();
    let error = done
        .column("counts")
        .unwrap()
        .read::<u32>()
        .unwrap()
        .wait()
        .unwrap_err();
    assert!(matches!(error, Error::WrongShape { .. }), "{error}");
    assert!(error.to_string().contains("9, 6 or 4 lanes"), "{error}");
}
