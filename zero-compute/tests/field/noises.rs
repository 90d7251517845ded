//! The noises that a field calls are zero-noise's own, whatever of their operands varies and whoever computes them.

use std::collections::HashSet;
use std::sync::Arc;

use zero_compute::field::{
    Inputs, Isa, Kind, LeafView, MAX_COST, MapDomain, Mode, Prelude, Program, Reg, Scratch, Tape,
};
use zero_compute::{Device, Domain, Error};
use zero_noise::*;

use crate::common::devices;
use crate::random::Random;

/// What stands for the operands of every function, at one element.
#[derive(Clone, Copy, Debug)]
struct Given {
    seed: u32,
    at: [f32; 3],
    octaves: u32,
    strength: f32,
    metric: u32,
    periods: [u32; 3],
}

/// The answer by zero-noise's function, written out once more beside what fields make of the name.
fn oracle(prelude: Prelude, given: &Given) -> u32 {
    let Given {
        seed,
        at: [x, y, z],
        octaves: o,
        strength: s,
        metric,
        periods: [px, py, pz],
    } = *given;
    let metric = match metric {
        1 => Metric::Manhattan,
        2 => Metric::Chebyshev,
        _ => Metric::Euclidean,
    };
    let plane = || cellular2(seed, x, y, metric);
    let space = || cellular3(seed, x, y, z, metric);
    let plane_tiled = || cellular2_tiled(seed, x, y, metric, [px, py]);
    let space_tiled = || cellular3_tiled(seed, x, y, z, metric, [px, py, pz]);
    let value = match prelude {
        Prelude::Draw => draw(seed, o),
        Prelude::Value2 => value2(seed, x, y),
        Prelude::Value3 => value3(seed, x, y, z),
        Prelude::Gradient2 => gradient2(seed, x, y),
        Prelude::Gradient3 => gradient3(seed, x, y, z),
        Prelude::Fbm2 => fbm2(seed, x, y, o),
        Prelude::Fbm3 => fbm3(seed, x, y, z, o),
        Prelude::Simplex2 => simplex2(seed, x, y),
        Prelude::Simplex3 => simplex3(seed, x, y, z),
        Prelude::Ridged2 => ridged2(seed, x, y, o),
        Prelude::Ridged3 => ridged3(seed, x, y, z, o),
        Prelude::Warped2 => warped2(seed, x, y, o, s),
        Prelude::Warped3 => warped3(seed, x, y, z, o, s),
        Prelude::Value2Tiled => value2_tiled(seed, x, y, [px, py]),
        Prelude::Value3Tiled => value3_tiled(seed, x, y, z, [px, py, pz]),
        Prelude::Gradient2Tiled => gradient2_tiled(seed, x, y, [px, py]),
        Prelude::Gradient3Tiled => gradient3_tiled(seed, x, y, z, [px, py, pz]),
        Prelude::Fbm2Tiled => fbm2_tiled(seed, x, y, o, [px, py]),
        Prelude::Fbm3Tiled => fbm3_tiled(seed, x, y, z, o, [px, py, pz]),
        Prelude::Value2SlopeX => value2_slope(seed, x, y)[1],
        Prelude::Value2SlopeY => value2_slope(seed, x, y)[2],
        Prelude::Value3SlopeX => value3_slope(seed, x, y, z)[1],
        Prelude::Value3SlopeY => value3_slope(seed, x, y, z)[2],
        Prelude::Value3SlopeZ => value3_slope(seed, x, y, z)[3],
        Prelude::Gradient2SlopeX => gradient2_slope(seed, x, y)[1],
        Prelude::Gradient2SlopeY => gradient2_slope(seed, x, y)[2],
        Prelude::Gradient3SlopeX => gradient3_slope(seed, x, y, z)[1],
        Prelude::Gradient3SlopeY => gradient3_slope(seed, x, y, z)[2],
        Prelude::Gradient3SlopeZ => gradient3_slope(seed, x, y, z)[3],
        Prelude::Fbm2SlopeX => fbm2_slope(seed, x, y, o)[1],
        Prelude::Fbm2SlopeY => fbm2_slope(seed, x, y, o)[2],
        Prelude::Fbm3SlopeX => fbm3_slope(seed, x, y, z, o)[1],
        Prelude::Fbm3SlopeY => fbm3_slope(seed, x, y, z, o)[2],
        Prelude::Fbm3SlopeZ => fbm3_slope(seed, x, y, z, o)[3],
        Prelude::Warp2X => warp2(seed, x, y, o, s)[0],
        Prelude::Warp2Y => warp2(seed, x, y, o, s)[1],
        Prelude::Warp3X => warp3(seed, x, y, z, o, s)[0],
        Prelude::Warp3Y => warp3(seed, x, y, z, o, s)[1],
        Prelude::Warp3Z => warp3(seed, x, y, z, o, s)[2],
        Prelude::Cellular2F1 => plane().f1,
        Prelude::Cellular2F2 => plane().f2,
        Prelude::Cellular2Id => return plane().id,
        Prelude::Cellular3F1 => space().f1,
        Prelude::Cellular3F2 => space().f2,
        Prelude::Cellular3Id => return space().id,
        Prelude::Cellular2TiledF1 => plane_tiled().f1,
        Prelude::Cellular2TiledF2 => plane_tiled().f2,
        Prelude::Cellular2TiledId => return plane_tiled().id,
        Prelude::Cellular3TiledF1 => space_tiled().f1,
        Prelude::Cellular3TiledF2 => space_tiled().f2,
        Prelude::Cellular3TiledId => return space_tiled().id,
    };
    value.to_bits()
}

/// The operands of every function as values of a tape, in the order of their documentation.
struct Operands {
    seed: Reg,
    at: [Reg; 3],
    octaves: Reg,
    strength: Reg,
    metric: Reg,
    periods: [Reg; 3],
}

impl Operands {
    /// Constants and numbers for what is the same everywhere, where `given` says so; else columns, beginning with the
    /// coordinates: 0 of floats (3 lanes and the strength), 1 of integers (seed, octaves, metric and periods).
    fn of(tape: &mut Tape, given: Option<&Given>) -> Operands {
        let at = [0, 1, 2].map(|lane| tape.leaf(0, lane, Kind::F32));
        match given {
            Some(given) => Operands {
                at,
                seed: tape.number(0, Kind::U32),
                octaves: tape.const_u32(given.octaves),
                strength: tape.const_f32(given.strength),
                metric: tape.const_u32(given.metric),
                periods: given.periods.map(|period| tape.const_u32(period)),
            },
            None => Operands {
                at,
                seed: tape.leaf(1, 0, Kind::U32),
                octaves: tape.leaf(1, 1, Kind::U32),
                strength: tape.leaf(0, 3, Kind::F32),
                metric: tape.leaf(1, 2, Kind::U32),
                periods: [3, 4, 5].map(|lane| tape.leaf(1, lane, Kind::U32)),
            },
        }
    }

    fn call(&self, tape: &mut Tape, prelude: Prelude) -> Reg {
        let name = prelude.name();
        if prelude == Prelude::Draw {
            return tape.call(prelude, &[self.seed, self.octaves]).unwrap();
        }
        let axes = if name.contains('3') { 3 } else { 2 };
        let mut args = vec![self.seed];
        args.extend(&self.at[..axes]);
        if ["fbm", "ridged", "warp"].iter().any(|kind| name.starts_with(kind)) {
            args.push(self.octaves);
        }
        if name.starts_with("warp") {
            args.push(self.strength);
        }
        if name.starts_with("cellular") {
            args.push(self.metric);
        }
        if name.contains("tiled") {
            args.extend(&self.periods[..axes]);
        }
        tape.call(prelude, &args).unwrap()
    }
}

/// Points on the lattice and off it, near and far, on both sides of 0 and where coordinates wrap.
fn points(count: usize) -> Vec<Given> {
    let mut random = Random(77);
    let mut coordinate = |i: usize| match i % 7 {
        0 => (random.below(17) as f32) - 8.0,
        1 => random.float(-1e6, 1e6),
        2 => [4_194_304.0, -4_194_305.0, 1e30, 0.0, -0.0, 0.5, 2.0f32.powi(-41)][random.below(7) as usize],
        _ => random.float(-20.0, 20.0),
    };
    let mut given: Vec<Given> = (0..count)
        .map(|i| Given {
            seed: i as u32 % 5,
            at: [coordinate(i), coordinate(i / 2), coordinate(i / 3)],
            octaves: i as u32 % 19,
            strength: coordinate(i / 5),
            metric: i as u32 % 4,
            periods: [i as u32 % 4, i as u32 % 7 * 9, i as u32 % 3 * 2_000_000],
        })
        .collect();
    given[0].periods = [u32::MAX, 1, 4_194_305];
    given
}

/// The functions in groups of one element that weigh no more than a program may.
fn groups() -> Vec<Vec<Prelude>> {
    let mut groups: Vec<(u32, Vec<Prelude>)> = Vec::new();
    for prelude in Prelude::ALL {
        let mut tape = Tape::new();
        let operands = Operands::of(&mut tape, None);
        let root = operands.call(&mut tape, prelude);
        let weight = Program::compile(&tape, &[root], Mode::Exact).unwrap().cost().weight;
        let fits = |(sum, group): &&mut (u32, Vec<Prelude>)| {
            group[0].answers() == prelude.answers() && *sum + weight < MAX_COST / 2
        };
        match groups.iter_mut().find(fits) {
            Some((sum, group)) => {
                *sum += weight;
                group.push(prelude);
            }
            None => groups.push((weight, vec![prelude])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// A group's answers at every point, on a device; `settings` where the operands other than coordinates are the same.
fn on(device: &Device, group: &[Prelude], points: &[Given], settings: Option<&Given>) -> Vec<u32> {
    let mut tape = Tape::new();
    let operands = Operands::of(&mut tape, settings);
    let roots: Vec<Reg> = group.iter().map(|&prelude| operands.call(&mut tape, prelude)).collect();
    let program = Arc::new(Program::compile(&tape, &roots, Mode::Exact).unwrap());
    let (floats, words) = columns(points);
    let floats = device.upload::<f32>(&floats, 4).unwrap();
    let words = device.upload::<u32>(&words, 6).unwrap();
    let leaves: Vec<_> = program
        .leaves()
        .iter()
        .map(|leaf| [&floats, &words][leaf.slot as usize].clone())
        .collect();
    let numbers: Vec<u32> = program.numbers().iter().map(|_| settings.unwrap().seed).collect();
    let mut rec = device.record("noises");
    let map = rec.map(&program, &leaves, &numbers, Domain::count(points.len() as u32));
    let dst = map.unwrap().column("dst").unwrap();
    rec.finish().unwrap().submit().unwrap();
    match group[0].answers() {
        Kind::F32 => bytemuck::cast_vec(dst.read::<f32>().unwrap().wait().unwrap()),
        _ => dst.read::<u32>().unwrap().wait().unwrap(),
    }
}

fn columns(points: &[Given]) -> (Vec<f32>, Vec<u32>) {
    let floats = points
        .iter()
        .flat_map(|p| [p.at[0], p.at[1], p.at[2], p.strength])
        .collect();
    let words = points
        .iter()
        .flat_map(|p| [p.seed, p.octaves, p.metric, p.periods[0], p.periods[1], p.periods[2]])
        .collect();
    (floats, words)
}

#[test]
fn every_noise_is_zero_noise_s_on_every_device() {
    // Two blocks and a bit.
    let points = points(1100);
    let settings = [
        Given {
            seed: 7,
            at: [0.0; 3],
            octaves: 5,
            strength: 0.75,
            metric: 0,
            periods: [4, 0, 300],
        },
        Given {
            seed: u32::MAX,
            at: [0.0; 3],
            octaves: MAX_OCTAVES,
            strength: -3.5,
            metric: 1,
            periods: [0, 1, 70_000],
        },
        Given {
            seed: 0,
            at: [0.0; 3],
            octaves: 0,
            strength: 1e9,
            metric: 2,
            periods: [u32::MAX, 3, 0],
        },
    ];
    let cases: Vec<Option<&Given>> = settings.iter().map(Some).chain([None]).collect();
    let mut seen = HashSet::new();
    for group in groups() {
        for case in &cases {
            let wanted: Vec<u32> = points
                .iter()
                .flat_map(|point| {
                    let given = case.map_or(*point, |same| Given { at: point.at, ..*same });
                    group.iter().map(move |&prelude| oracle(prelude, &given))
                })
                .collect();
            for (name, device) in devices() {
                let found = on(&device, &group, &points, *case);
                for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                    let prelude = group[i % group.len()];
                    let point = points[i / group.len()];
                    assert_eq!(
                        found,
                        wanted,
                        "{name}: {} of {case:?} at {point:?} is {} and not {}",
                        prelude.name(),
                        f32::from_bits(*found),
                        f32::from_bits(*wanted)
                    );
                }
            }
            // The points tell the functions apart: an operand that is left out, or another result, would show.
            if case.is_none() {
                for (k, prelude) in group.iter().enumerate() {
                    let words: Vec<u32> = wanted.iter().skip(k).step_by(group.len()).copied().collect();
                    assert!(seen.insert(words), "{} has the answers of another", prelude.name());
                }
            }
        }
    }
    assert_eq!(seen.len(), Prelude::ALL.len());
}

/// The block machine in all lengths, where the results of a call stand in a block of their own.
#[test]
fn blocks_of_several_results_agree_with_the_reference() {
    let mut tape = Tape::new();
    let operands = Operands::of(&mut tape, Some(&points(6)[5]));
    let asked = [
        Prelude::Fbm2SlopeY,
        Prelude::Cellular3F2,
        Prelude::Fbm2SlopeX,
        Prelude::Warp3Z,
        Prelude::Cellular3F1,
        Prelude::Warp3X,
        Prelude::Fbm2,
    ];
    let roots: Vec<Reg> = asked.iter().map(|&prelude| operands.call(&mut tape, prelude)).collect();
    let program = Program::compile(&tape, &roots, Mode::Exact).unwrap();
    for count in [1, 2, 63, 511, 512, 513, 1025] {
        let floats: Vec<u32> = columns(&points(count)).0.iter().map(|x| x.to_bits()).collect();
        let view = [LeafView {
            words: &floats,
            lanes: 4,
        }];
        let inputs = Inputs {
            leaves: &view,
            numbers: &[3],
        };
        let mut wanted = vec![0; count * roots.len()];
        for (i, words) in wanted.chunks_mut(roots.len()).enumerate() {
            program.reference(&inputs, i as u32, words).unwrap();
        }
        for isa in [Isa::Auto, Isa::Baseline] {
            let mut found = vec![7; wanted.len()];
            program
                .run(&inputs, 0, &mut found, isa, &mut Scratch::default())
                .unwrap();
            assert!(found == wanted, "{count} elements, {isa:?}");
        }
    }
}

#[test]
fn several_results_of_one_function_are_one_call() {
    let mut tape = Tape::new();
    let operands = Operands::of(&mut tape, None);
    let slopes = [Prelude::Fbm3SlopeX, Prelude::Fbm3SlopeY, Prelude::Fbm3SlopeZ];
    let mut roots: Vec<Reg> = slopes.map(|prelude| operands.call(&mut tape, prelude)).to_vec();
    let calls = |roots: &[Reg], tape: &Tape| {
        let text = Program::compile(tape, roots, Mode::Exact)
            .unwrap()
            .wgsl(MapDomain::Known);
        // The noises themselves call it too.
        let count = |text: &str| text.matches("= zn_fbm3_slope(").count();
        count(&text) - count(zero_noise::WGSL)
    };
    assert_eq!(calls(&roots, &tape), 1);
    // Another seed is another call.
    let seed = tape.const_u32(99);
    let other = Operands { seed, ..operands };
    roots.push(other.call(&mut tape, Prelude::Fbm3SlopeY));
    assert_eq!(calls(&roots, &tape), 2);
}

#[test]
fn constants_are_folded_to_the_same_bits() {
    let given = points(42)[41];
    for prelude in Prelude::ALL {
        let mut tape = Tape::new();
        let at = given.at.map(|x| tape.const_f32(x));
        let seed = tape.const_u32(given.seed);
        let operands = Operands {
            at,
            seed,
            ..Operands::of(&mut tape, Some(&given))
        };
        let root = operands.call(&mut tape, prelude);
        assert_eq!(tape.constant(root), Some(oracle(prelude, &given)), "{}", prelude.name());
        assert_eq!(tape.kind(root), prelude.answers());
    }
}

#[test]
fn the_hash_of_a_cell_draws_numbers_for_it() {
    let mut tape = Tape::new();
    let operands = Operands::of(&mut tape, None);
    let cell = operands.call(&mut tape, Prelude::Cellular2Id);
    let which = tape.const_u32(3);
    let tint = tape.call(Prelude::Draw, &[cell, which]).unwrap();
    let program = Program::compile(&tape, &[tint], Mode::Exact).unwrap();
    let points = points(9);
    let (floats, words) = columns(&points);
    let floats: Vec<u32> = floats.iter().map(|x| x.to_bits()).collect();
    let views = [(&floats, 4), (&words, 6)].map(|(words, lanes)| LeafView { words, lanes });
    let inputs = Inputs {
        leaves: &views,
        numbers: &[],
    };
    for (i, given) in points.iter().enumerate() {
        let mut found = [0];
        program.reference(&inputs, i as u32, &mut found).unwrap();
        let wanted = draw(oracle(Prelude::Cellular2Id, given), 3);
        assert_eq!(found, [wanted.to_bits()]);
    }
}

#[test]
fn octaves_and_metrics_that_are_none_are_refused() {
    let mut tape = Tape::new();
    let base = Given {
        seed: 1,
        at: [0.0; 3],
        octaves: MAX_OCTAVES,
        strength: 1.0,
        metric: 2,
        periods: [3; 3],
    };
    let check = |tape: &mut Tape, prelude: Prelude, args: &[Reg], parts: &[&str]| -> Error {
        let error = tape.call(prelude, args).unwrap_err();
        let text = error.to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        error
    };
    let good = Operands::of(&mut tape, Some(&base));
    let [x, y, z] = good.at;
    let (seed, many, none) = (good.seed, tape.const_u32(MAX_OCTAVES + 1), tape.const_u32(3));
    for prelude in Prelude::ALL {
        good.call(&mut tape, prelude);
    }
    let error = check(
        &mut tape,
        Prelude::Ridged2,
        &[seed, x, y, many],
        &["`ridged2`", "17", "16"],
    );
    assert!(matches!(
        error,
        Error::TooMany {
            found: 17,
            limit: 16,
            ..
        }
    ));
    let strength = good.strength;
    let warp = [seed, x, y, z, many, strength];
    check(&mut tape, Prelude::Warp3Y, &warp, &["octaves of `warp3_y`", "17", "16"]);
    let tiled = [seed, x, y, many, none, none];
    check(&mut tape, Prelude::Fbm2Tiled, &tiled, &["octaves of `fbm2_tiled`"]);
    let cells = [seed, x, y, z, none];
    let error = check(
        &mut tape,
        Prelude::Cellular3Id,
        &cells,
        &["metric of `cellular3_id`", "Chebyshev", "3"],
    );
    assert!(matches!(error, Error::Invalid { .. }));
    // Kinds: octaves are whole, a strength is a float, and a tile needs a period for each axis.
    let error = check(
        &mut tape,
        Prelude::Ridged2,
        &[seed, x, y, x],
        &["u32, f32, f32, u32", "u32, f32, f32, f32"],
    );
    assert!(matches!(error, Error::WrongKind { .. }));
    check(
        &mut tape,
        Prelude::Warped2,
        &[seed, x, y, none, none],
        &["u32, f32, f32, u32, f32"],
    );
    check(
        &mut tape,
        Prelude::Value3Tiled,
        &[seed, x, y, z, none, none],
        &["`value3_tiled`"],
    );
    check(
        &mut tape,
        Prelude::Simplex2,
        &[seed, x],
        &["`simplex2`", "u32, f32, f32"],
    );
    // What only the run knows is brought into range instead, as `every_noise_is_zero_noise_s_on_every_device` holds.
    let number = tape.number(1, Kind::U32);
    assert!(tape.call(Prelude::Ridged2, &[seed, x, y, number]).is_ok());
}
