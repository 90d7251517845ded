//! A walk handed to a kernel of files is the walk that the recorder takes, bit for bit.

use std::sync::Arc;

use zero_compute::call::Call;
use zero_compute::field::{Binary, Kind, Mode, Prelude, Reg, Tape, Unary, Walk};
use zero_compute::{Column, CpuOptions, Device, Error, WalkOptions};

use crate::{gpu, sample, words};

const STEPS: u32 = 24;

/// A step of every kind of leaf: the state, a value a walker, one at a computed element, integers, numbers, the walker's
/// number, the step's, and noise. The sine keeps it where numbers are tame.
fn walk(width: u32, can_stop: bool) -> Arc<Walk> {
    let mut tape = Tape::new();
    let state: Vec<Reg> = (0..width).map(|lane| tape.walk_state(lane)).collect();
    let own = tape.leaf(0, 1, Kind::F32);
    let count = tape.leaf(1, 0, Kind::I32);
    let count = tape.unary(Unary::ToF32, count).unwrap();
    let (scale, offset) = (tape.number(0, Kind::F32), tape.number(1, Kind::I32));
    let (id, step) = (tape.id(), tape.walk_step());
    let at = tape.unary(Unary::ToI32, id).unwrap();
    let at = tape.binary(Binary::Add, at, offset).unwrap();
    let far = tape.gather(2, 0, Kind::F32, at).unwrap();
    let draw = tape.call(Prelude::Draw, &[id, step]).unwrap();
    // Two results of one function, which the low and the high lanes share.
    let seed = tape.const_u32(5);
    let slopes = [Prelude::Gradient2SlopeX, Prelude::Gradient2SlopeY];
    let [slope_x, slope_y] = slopes.map(|slope| tape.call(slope, &[seed, own, far]).unwrap());
    let mut all = own;
    for value in [count, far, draw, slope_x] {
        all = tape.binary(Binary::Add, all, value).unwrap();
    }
    let others = [all, own, far, draw];
    let mut next = Vec::new();
    for (lane, state) in state.iter().enumerate() {
        let product = tape.binary(Binary::Mul, *state, scale).unwrap();
        let other = if lane == 5 { slope_y } else { others[lane % 4] };
        let sum = tape.binary(Binary::Add, product, other).unwrap();
        let before = *next.last().unwrap_or(state);
        let both = tape.binary(Binary::Add, sum, before).unwrap();
        next.push(tape.unary(Unary::Sin, both).unwrap());
    }
    let done = can_stop.then(|| {
        let limit = tape.const_f32(0.9);
        tape.binary(Binary::Gt, state[width as usize - 1], limit).unwrap()
    });
    Arc::new(Walk::compile(&tape, &next, done, Mode::Exact).unwrap())
}

/// The three columns that it reads, of other lengths than the walkers.
fn leaves(device: &Device, n: u32) -> Vec<Column> {
    let floats = |n: u32, by: f32| (0..n).map(|i| (i % 97) as f32 * by - 0.7).collect::<Vec<f32>>();
    let counts: Vec<i32> = (0..n as i32).map(|i| i % 7 - 3).collect();
    vec![
        device.upload(&floats(2 * n, 0.013), 2).unwrap(),
        device.upload(&counts, 1).unwrap(),
        device.upload(&floats(51, 0.031), 1).unwrap(),
    ]
}

fn numbers() -> [u32; 2] {
    [1.3f32.to_bits(), (-4i32).cast_unsigned()]
}

#[test]
fn a_kernel_of_files_walks_as_the_recorder_does() {
    let Some(device) = gpu() else { return };
    let kernel = sample("walker");
    for (width, can_stop) in [(1, true), (3, false), (4, true), (5, true), (8, false), (8, true)] {
        let walk = walk(width, can_stop);
        for n in [1u32, 255, 256, 257, 1_000] {
            let start: Vec<f32> = (0..n * width).map(|i| (i % 31) as f32 / 32.0 + 0.1).collect();
            let start = device.upload(&start, width).unwrap();
            let leaves = leaves(device, n);
            let mut rec = device.record("both");
            let options = WalkOptions {
                steps: STEPS,
                path_lanes: 0,
            };
            let expected = rec.walk(&walk, &start, &leaves, &numbers(), options).unwrap();
            let call = Call::new(&kernel, &start).bind("start", &start).bind("steps", STEPS);
            let found = call.walk(&walk, &leaves, &numbers()).record(&mut rec).unwrap();
            rec.finish().unwrap().submit().unwrap();
            let taken = words(&expected.taken);
            assert_eq!(
                words(&found.column("taken").unwrap()),
                taken,
                "{width} lanes, {n} walkers"
            );
            let bits = |column: &Column| -> Vec<u32> {
                let states = column.read::<f32>().unwrap().wait().unwrap();
                states.iter().map(|lane| lane.to_bits()).collect()
            };
            let (last, own) = (bits(&expected.last), bits(&found.column("last").unwrap()));
            assert_eq!(own, last, "{width} lanes, {n} walkers");
            if can_stop && n > 100 {
                assert!(taken.iter().any(|taken| *taken < STEPS), "some stop");
            }
        }
    }
}

#[test]
fn the_texts_are_those_of_the_rule() {
    let chain = walk(8, true).chain();
    let names: Vec<&str> = chain.specialize().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["WALK_STEP", "WALK_STEP_HI", "WALK_DONE", "WALK_PRELUDE"]);
    assert_eq!(chain.step, "zero_walk_chain_step(s, s_hi, k, id)");
    assert_eq!(chain.step_hi, "zero_walk_chain_step_hi(s, s_hi, k, id)");
    assert_eq!(chain.done, "zero_walk_chain_done(s, s_hi, k, id)");
    let narrow = walk(4, false).chain();
    assert_eq!((narrow.step_hi.as_str(), narrow.done.as_str()), ("s_hi", "false"));
    assert!(!narrow.prelude.contains("zero_walk_chain_done"), "{}", narrow.prelude);
}

#[test]
fn what_does_not_fit_a_walk_is_refused() {
    let device = gpu().cloned().unwrap_or_else(|| Device::cpu(CpuOptions::default()));
    let walk = walk(2, true);
    let start = device.upload(&[0.5f32; 6], 2).unwrap();
    let leaves = leaves(&device, 3);
    let refused = |kernel: &str, leaves: &[Column], numbers: &[u32]| {
        let call = Call::new(sample(kernel), &start).bind(if kernel == "walker" { "start" } else { "src" }, &start);
        call.walk(&walk, leaves, numbers).run(&device).unwrap_err()
    };
    let error = refused("walker", &leaves[..2], &numbers());
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
    let error = refused("walker", &leaves, &numbers()[..1]);
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
    let swapped = [leaves[1].clone(), leaves[0].clone(), leaves[2].clone()];
    let error = refused("walker", &swapped, &numbers());
    assert!(matches!(error, Error::WrongElement { .. }), "{error}");
    let error = refused("abi_add", &leaves, &numbers()).to_string();
    assert!(error.contains("WALK_STEP"), "{error}");
}

/// A Rust function knows of no text: on a CPU device a kernel that walks answers that it needs a GPU.
#[test]
fn a_kernel_that_walks_is_for_a_gpu() {
    let device = Device::cpu(CpuOptions::default());
    let start = device.upload(&[0.5f32; 6], 2).unwrap();
    let call = Call::new(sample("walker"), &start).bind("start", &start);
    let error = call
        .walk(&walk(2, true), &leaves(&device, 3), &numbers())
        .run(&device)
        .unwrap_err();
    assert!(matches!(error, Error::GpuOnly { .. }), "{error}");
}
