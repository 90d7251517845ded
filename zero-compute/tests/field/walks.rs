//! A walk promises what a field does: three evaluators, bit for bit, in one dispatch.

use std::sync::Arc;

use zero_compute::field::{
    BLOCK, Binary, DIRECT_WALK_LEAVES, Inputs, Isa, Kind, LeafView, MAX_STATE, MapDomain, Mode, Prelude, Program, Reg,
    Scratch, Tape, Unary, Walk, WalkOut,
};
use zero_compute::{Column, Device, Error, MAX_WALK_STEPS, WalkOptions};

use crate::common::devices;
use crate::random::Random;
use crate::scale;

/// Columns of floats that a walk may read: elements and lanes.
const LEAVES: [(usize, u32); 4] = [(1, 1), (700, 2), (97, 3), (700, 1)];

/// What a walk runs over.
struct Data {
    leaves: Vec<Vec<u32>>,
    numbers: Vec<u32>,
}

impl Data {
    fn new(random: &mut Random) -> Data {
        let mut floats = |n: usize| (0..n).map(|_| random.float(-2.0, 2.0).to_bits()).collect();
        Data {
            leaves: LEAVES
                .iter()
                .map(|(elements, lanes)| floats(elements * *lanes as usize))
                .collect(),
            numbers: floats(2),
        }
    }

    /// What the walk reads of these, in its own order.
    fn views(&self, walk: &Walk) -> (Vec<LeafView<'_>>, Vec<u32>) {
        let leaves = walk.leaves().iter().map(|leaf| LeafView {
            words: &self.leaves[leaf.slot as usize],
            lanes: LEAVES[leaf.slot as usize].1,
        });
        let numbers = walk.numbers().iter().map(|number| self.numbers[number.slot as usize]);
        (leaves.collect(), numbers.collect())
    }
}

/// A step of random operators over the state, kept between -0.7 and 1.3 by a sine, and what ends it.
fn random_walk(random: &mut Random, width: u32, can_stop: bool, mode: Mode) -> Walk {
    let mut tape = Tape::new();
    let mut values: Vec<Reg> = (0..width).map(|lane| tape.walk_state(lane)).collect();
    let (step, id) = (tape.walk_step(), tape.id());
    let float = |tape: &mut Tape, reg, by: f32| {
        let value = tape.unary(Unary::ToF32, reg).unwrap();
        let by = tape.const_f32(by);
        tape.binary(Binary::Mul, value, by).unwrap()
    };
    values.push(float(&mut tape, step, 0.25));
    values.push(float(&mut tape, id, 0.01));
    values.extend([tape.number(0, Kind::F32), tape.const_f32(0.7)]);
    for slot in 0..random.below(5) as u32 {
        values.push(tape.leaf(slot % 4, slot % 2, Kind::F32));
    }
    for _ in 0..random.below(14) + 3 {
        let mut pick = || values[random.below(values.len() as u64) as usize];
        let (a, b, c) = (pick(), pick(), pick());
        let value = match random.below(12) {
            0 | 1 => tape.binary(Binary::Add, a, b),
            2 => tape.binary(Binary::Sub, a, b),
            3 | 4 => tape.binary(Binary::Mul, a, b),
            5 => tape.binary(Binary::Max, a, b),
            6 => {
                let less = tape.binary(Binary::Lt, a, b).unwrap();
                tape.select(less, b, c)
            }
            7 => tape.unary(Unary::Fract, a),
            8 => {
                let (seed, two) = (tape.const_u32(9), tape.const_u32(2));
                let noises = [
                    (Prelude::Gradient2, vec![seed, a, b]),
                    (Prelude::Simplex2, vec![seed, a, b]),
                    (Prelude::Gradient2SlopeY, vec![seed, a, b]),
                    (Prelude::Ridged2, vec![seed, a, b, two]),
                    (Prelude::Cellular2F2, vec![seed, a, b, two]),
                    (Prelude::Warp2X, vec![seed, a, b, two, c]),
                    (Prelude::Value2Tiled, vec![seed, a, b, two, two]),
                ];
                let (noise, args) = &noises[random.below(noises.len() as u64) as usize];
                tape.call(*noise, args)
            }
            9 => {
                let unit = tape.call(Prelude::Draw, &[id, step]).unwrap();
                tape.binary(Binary::Mul, unit, a)
            }
            10 => {
                let hundred = tape.const_f32(100.0);
                let at = tape.binary(Binary::Mul, a, hundred).unwrap();
                let at = tape.unary(Unary::ToI32, at).unwrap();
                tape.gather(random.below(4) as u32, 0, Kind::F32, at)
            }
            _ => tape.binary(Binary::Mod, a, b),
        };
        // Products of products must run away neither to infinity nor to the subnormal numbers.
        let bounded = tape.unary(Unary::Sin, value.unwrap()).unwrap();
        let away = tape.const_f32(0.3);
        values.push(tape.binary(Binary::Add, bounded, away).unwrap());
    }
    let next: Vec<Reg> = (0..width as usize)
        .map(|lane| values[values.len() - 1 - lane % 6])
        .collect();
    let done = can_stop.then(|| {
        let limit = tape.number(1, Kind::F32);
        let past = tape.binary(Binary::Gt, next[0], limit).unwrap();
        match random.below(2) {
            0 => past,
            _ => tape.unary(Unary::ToF32, past).unwrap(),
        }
    });
    Walk::compile(&tape, &next, done, mode).unwrap()
}

/// What a walk answers.
#[derive(Debug, PartialEq)]
struct Answer {
    last: Vec<u32>,
    taken: Vec<u32>,
    path: Vec<u32>,
}

/// By the scalar reference; walkers from `live` on are zeros.
fn expected(walk: &Walk, data: &Data, start: &[u32], live: usize, options: WalkOptions) -> Answer {
    let (leaves, numbers) = data.views(walk);
    let inputs = Inputs {
        leaves: &leaves,
        numbers: &numbers,
    };
    let (width, lanes) = (walk.width() as usize, options.path_lanes as usize);
    let mut answer = Answer {
        last: Vec::new(),
        taken: Vec::new(),
        path: Vec::new(),
    };
    for (walker, start) in start.chunks(width).enumerate() {
        let mut state = start.to_vec();
        if walker >= live {
            answer.last.extend(vec![0; width]);
            answer.taken.push(0);
            answer.path.extend(vec![0; (options.steps as usize + 1) * lanes]);
            continue;
        }
        let mut way = start[..lanes].to_vec();
        let taken = walk
            .reference(&inputs, walker as u32, &mut state, options.steps, |state| {
                way.extend(&state[..lanes]);
            })
            .unwrap();
        for _ in taken..options.steps {
            way.extend(&state[..lanes]);
        }
        answer.last.extend(&state);
        answer.taken.push(taken);
        answer.path.extend(way);
    }
    answer
}

/// By the block machine, in pieces.
fn machine(walk: &Walk, data: &Data, start: &[u32], options: WalkOptions, isa: Isa, pieces: usize) -> Answer {
    let (leaves, numbers) = data.views(walk);
    let inputs = Inputs {
        leaves: &leaves,
        numbers: &numbers,
    };
    let (width, way) = (
        walk.width() as usize,
        (options.steps as usize + 1) * options.path_lanes as usize,
    );
    let walkers = start.len() / width;
    let mut answer = Answer {
        last: vec![7; start.len()],
        taken: vec![7; walkers],
        path: vec![7; walkers * way],
    };
    let size = walkers.div_ceil(pieces).max(1);
    for first in (0..walkers).step_by(size) {
        let own = first..(first + size).min(walkers);
        let mut out = WalkOut {
            last: &mut answer.last[own.start * width..own.end * width],
            taken: &mut answer.taken[own.clone()],
            path: &mut answer.path[own.start * way..own.end * way],
            path_lanes: options.path_lanes,
        };
        let start = &start[own.start * width..own.end * width];
        walk.run(
            &inputs,
            first as u32,
            start,
            options.steps,
            &mut out,
            isa,
            &mut Scratch::default(),
            &|| Ok(()),
        )
        .unwrap();
    }
    answer
}

fn floats(device: &Device, words: &[u32], lanes: u32) -> Column {
    device.upload::<f32>(bytemuck::cast_slice(words), lanes).unwrap()
}

/// As one dispatch, over a live front where there is a count.
fn dispatched(
    device: &Device,
    walk: &Walk,
    data: &Data,
    start: &[u32],
    live: Option<u32>,
    options: WalkOptions,
) -> Answer {
    let (leaves, numbers) = data.views(walk);
    let leaves: Vec<Column> = leaves
        .iter()
        .map(|leaf| floats(device, leaf.words, leaf.lanes))
        .collect();
    let mut start = floats(device, start, walk.width());
    if let Some(count) = live {
        start = start.with_live(&device.upload(&[count], 1).unwrap()).unwrap();
    }
    let mut rec = device.record("walk");
    let walked = rec
        .walk(&Arc::new(walk.clone()), &start, &leaves, &numbers, options)
        .unwrap();
    let list = rec.finish().unwrap();
    list.submit().unwrap();
    list.submit().unwrap();
    let read = |column: &Column| column.as_capacity().read::<f32>().unwrap().wait().unwrap();
    Answer {
        last: bytemuck::cast_vec(read(&walked.last)),
        taken: walked.taken.as_capacity().read::<u32>().unwrap().wait().unwrap(),
        path: bytemuck::cast_vec(if options.path_lanes == 0 {
            Vec::new()
        } else {
            read(&walked.path)
        }),
    }
}

fn start(random: &mut Random, walkers: usize, width: u32) -> Vec<u32> {
    (0..walkers * width as usize)
        .map(|_| random.float(-1.0, 1.0).to_bits())
        .collect()
}

#[test]
fn random_walks_agree_on_every_evaluator_and_device() {
    let mut random = Random(141);
    let devices = devices();
    let (mut stopped, mut walked_on) = (0, 0);
    for round in 0..24 * scale() {
        let width = 1 + round % MAX_STATE;
        let mode = if round % 3 == 0 { Mode::Pointwise } else { Mode::Exact };
        let walk = random_walk(&mut random, width, round % 4 != 3, mode);
        let data = Data::new(&mut random);
        let options = WalkOptions {
            steps: [0, 1, 9, 40][round as usize % 4],
            path_lanes: random.below(u64::from(width) + 1) as u32,
        };
        let walkers = [0, 1, 61, 300][random.below(4) as usize];
        let start = start(&mut random, walkers, width);
        let expected = expected(&walk, &data, &start, walkers, options);
        let all = expected.taken.iter();
        stopped += all.clone().filter(|taken| **taken < options.steps).count();
        walked_on += all.filter(|taken| **taken > 0 && **taken == options.steps).count();
        for (isa, pieces) in [(Isa::Baseline, 1), (Isa::Auto, 1), (Isa::Auto, 3)] {
            let found = machine(&walk, &data, &start, options, isa, pieces);
            assert!(found == expected, "round {round}, {isa:?} in {pieces}");
        }
        for (name, device) in &devices {
            let found = dispatched(device, &walk, &data, &start, None, options);
            assert!(found == expected, "round {round} on {name}, {options:?}\n{walk:#?}");
        }
    }
    assert!(
        stopped > 100 && walked_on > 100,
        "{stopped} stopped, {walked_on} did not"
    );
}

#[test]
fn every_size_and_live_count_agrees() {
    let mut random = Random(142);
    let (walk, data) = (random_walk(&mut random, 4, true, Mode::Exact), Data::new(&mut random));
    let options = WalkOptions {
        steps: 5,
        path_lanes: 3,
    };
    for (name, device) in devices() {
        for walkers in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 65_537] {
            let start = start(&mut random, walkers, 4);
            let all = walkers as u32;
            for live in [None, Some(0), Some(1), Some(all / 2), Some(all), Some(all + 9)] {
                let front = live.map_or(walkers, |live| live as usize).min(walkers);
                let expected = expected(&walk, &data, &start, front, options);
                let found = dispatched(&device, &walk, &data, &start, live, options);
                assert!(found == expected, "{live:?} of {walkers} on {name}");
            }
        }
    }
}

/// A state that doubles and one that counts down to the walker's own number of steps.
#[test]
fn each_walker_stops_where_its_state_says() {
    let mut tape = Tape::new();
    let (value, left) = (tape.walk_state(0), tape.walk_state(1));
    let (one, zero) = (tape.const_f32(1.0), tape.const_f32(0.0));
    let doubled = tape.binary(Binary::Add, value, value).unwrap();
    let less = tape.binary(Binary::Sub, left, one).unwrap();
    let done = tape.binary(Binary::Le, left, zero).unwrap();
    let walk = Walk::compile(&tape, &[doubled, less], Some(done), Mode::Exact).unwrap();
    assert!(walk.can_stop() && walk.width() == 2);
    let start: Vec<u32> = (0..20u8)
        .flat_map(|walker| [1.0, f32::from(walker)].map(f32::to_bits))
        .collect();
    let data = Data {
        leaves: Vec::new(),
        numbers: Vec::new(),
    };
    for (name, device) in devices() {
        let options = WalkOptions {
            steps: 12,
            path_lanes: 1,
        };
        let found = dispatched(&device, &walk, &data, &start, None, options);
        for (walker, way) in found.path.chunks(13).enumerate() {
            let taken = walker.min(12);
            assert_eq!(found.taken[walker], taken as u32, "{name}");
            assert_eq!(f32::from_bits(found.last[2 * walker]), (1 << taken) as f32, "{name}");
            let expected: Vec<f32> = (0..13).map(|place| (1 << taken.min(place)) as f32).collect();
            let way: Vec<f32> = way.iter().map(|&word| f32::from_bits(word)).collect();
            assert_eq!(way, expected, "walker {walker} on {name}");
        }
    }
}

#[test]
fn a_walk_is_one_dispatch_and_its_numbers_may_change() {
    let mut tape = Tape::new();
    let (state, by) = (tape.walk_state(0), tape.number(5, Kind::F32));
    let next = tape.binary(Binary::Add, state, by).unwrap();
    let walk = Arc::new(Walk::compile(&tape, &[next], None, Mode::Exact).unwrap());
    for (name, device) in devices() {
        let start = device.upload(&[0.0f32; 1000], 1).unwrap();
        let mut rec = device.record("one");
        let options = WalkOptions {
            steps: 4,
            path_lanes: 0,
        };
        let walked = rec.walk(&walk, &start, &[], &[2.0f32.to_bits()], options).unwrap();
        let list = rec.finish().unwrap();
        assert_eq!(list.dispatches(), 1, "{name}");
        let counting = device.counting();
        list.submit().unwrap();
        assert_eq!(
            walked.last.read::<f32>().unwrap().wait().unwrap(),
            [8.0; 1000],
            "{name}"
        );
        assert_eq!(counting.delta().dispatches, 1, "{name}");
        assert!(walked.path.is_empty(), "{name}");
        list.set(walked.dispatch.number_slot(0).unwrap(), 0.5).unwrap();
        list.submit().unwrap();
        assert_eq!(
            walked.last.read::<f32>().unwrap().wait().unwrap(),
            [2.0; 1000],
            "{name}"
        );
    }
}

/// An adapter that ends a loop early would answer fewer steps.
#[test]
fn the_longest_walk_takes_every_step() {
    let mut tape = Tape::new();
    let (state, one) = (tape.walk_state(0), tape.const_f32(1.0));
    let next = tape.binary(Binary::Add, state, one).unwrap();
    let walk = Arc::new(Walk::compile(&tape, &[next], None, Mode::Exact).unwrap());
    let options = WalkOptions {
        steps: MAX_WALK_STEPS,
        path_lanes: 0,
    };
    for (name, device) in devices() {
        let start = device.upload(&[0.0f32, 7.0, -3.0], 1).unwrap();
        let mut rec = device.record("longest");
        let walked = rec.walk(&walk, &start, &[], &[], options).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let taken = walked.taken.read::<u32>().unwrap().wait().unwrap();
        assert_eq!(taken, [MAX_WALK_STEPS; 3], "{name}");
        let last = walked.last.read::<f32>().unwrap().wait().unwrap();
        let expected = [0.0, 7.0, -3.0].map(|start| start + MAX_WALK_STEPS as f32);
        assert_eq!(last, expected, "{name}");
    }
}

#[test]
fn the_shader_of_a_walk_binds_at_most_eight_storage_buffers() {
    let mut tape = Tape::new();
    let mut next = tape.walk_state(7);
    for slot in 0..DIRECT_WALK_LEAVES as u32 + 3 {
        let leaf = tape.leaf(slot, 0, Kind::F32);
        next = tape.binary(Binary::Add, next, leaf).unwrap();
    }
    let walk = Walk::compile(&tape, &[next; 8], None, Mode::Exact).unwrap();
    for (domain, most) in [(MapDomain::Known, 7), (MapDomain::Live, 8)] {
        let source = walk.wgsl(domain);
        let module = naga::front::wgsl::parse_str(&source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&source)));
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|e| panic!("{}", e.emit_to_string(&source)));
        let storage = module.global_variables.iter();
        let storage = storage.filter(|(_, v)| matches!(v.space, naga::AddressSpace::Storage { .. }));
        assert_eq!(storage.count(), most, "{domain:?}");
    }
}

#[test]
fn the_key_tells_walks_apart() {
    let mut tape = Tape::new();
    let (a, b) = (tape.walk_state(0), tape.walk_state(1));
    let step = tape.walk_step();
    let step = tape.unary(Unary::ToF32, step).unwrap();
    let key = |roots: &[Reg], done| Walk::compile(&tape, roots, done, Mode::Exact).unwrap().key();
    let keys = [
        key(&[a, a], None),
        key(&[a, b], None),
        key(&[a], Some(a)),
        key(&[step, a], None),
    ];
    for (at, one) in keys.iter().enumerate() {
        assert!(keys[at + 1..].iter().all(|other| other != one), "{keys:x?}");
    }
    assert_eq!(key(&[a, b], None), key(&[a, b], None));
}

#[test]
fn what_is_no_walk_is_refused() {
    let mut tape = Tape::new();
    let (state, far, step) = (tape.walk_state(0), tape.walk_state(3), tape.walk_step());
    let invalid = |roots: &[Reg], done| {
        let error = Walk::compile(&tape, roots, done, Mode::Exact).unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    };
    invalid(&[], None);
    invalid(&[state; 9], None);
    // A lane that the state does not have.
    invalid(&[far], None);
    invalid(&[state], Some(far));
    for (roots, done) in [(vec![step], None), (vec![state], Some(step))] {
        let error = Walk::compile(&tape, &roots, done, Mode::Exact).unwrap_err();
        assert!(matches!(error, Error::WrongKind { .. }), "{error:?}");
    }
    // A field has neither a state nor a step.
    for root in [state, step] {
        let error = Program::compile(&tape, &[root], Mode::Exact).unwrap_err();
        assert!(error.to_string().contains("Walk::compile"), "{error}");
    }

    let leaf = tape.leaf(0, 0, Kind::F32);
    let walk = Arc::new(Walk::compile(&tape, &[state, leaf], None, Mode::Exact).unwrap());
    for (name, device) in devices() {
        let (start, leaf) = (
            device.upload(&[0.0f32; 8], 2).unwrap(),
            device.upload(&[0.0f32; 4], 1).unwrap(),
        );
        let options = WalkOptions {
            steps: 3,
            path_lanes: 2,
        };
        let refused = |start: &Column, leaves: &[Column], numbers: &[u32], options| {
            device
                .record("refused")
                .walk(&walk, start, leaves, numbers, options)
                .map(drop)
                .unwrap_err()
        };
        let leaves = [leaf.clone()];
        let error = refused(&start, &[], &[], options);
        assert!(matches!(error, Error::Invalid { .. }), "{name}: {error:?}");
        let error = refused(&start, &leaves, &[1], options);
        assert!(matches!(error, Error::Invalid { .. }), "{name}: {error:?}");
        let error = refused(
            &start,
            &leaves,
            &[],
            WalkOptions {
                path_lanes: 3,
                ..options
            },
        );
        assert!(matches!(error, Error::Invalid { .. }), "{name}: {error:?}");
        let error = refused(&leaf, &leaves, &[], options);
        assert!(matches!(error, Error::WrongShape { .. }), "{name}: {error:?}");
        let ints = device.upload(&[0i32; 8], 2).unwrap();
        let error = refused(&ints, &leaves, &[], options);
        assert!(matches!(error, Error::WrongElement { .. }), "{name}: {error:?}");
        let error = refused(&start, &[ints], &[], options);
        assert!(matches!(error, Error::WrongElement { .. }), "{name}: {error:?}");
        let steps = MAX_WALK_STEPS + 1;
        let error = refused(&start, &leaves, &[], WalkOptions { steps, ..options });
        assert!(matches!(error, Error::TooMany { .. }), "{name}: {error:?}");
    }
}
