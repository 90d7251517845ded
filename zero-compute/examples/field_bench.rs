//! Elements a second of the block machine on one core, against the same expression written as a Rust loop.
//!
//! `cargo run --release -p zero-compute --example field_bench --no-default-features`

mod timing;

use std::hint::black_box;

use zero_compute::Result;
use zero_compute::field::{Binary, Inputs, Isa, Kind, LeafView, Mode, Prelude, Program, Scratch, Tape};

const COUNT: usize = 1 << 20;
const ROUNDS: usize = 9;

fn main() -> Result<()> {
    println!(
        "{:<34}{:>12}{:>12}{:>12}",
        "million elements a second", "machine", "baseline", "plain loop"
    );
    let x: Vec<f32> = (0..COUNT).map(|i| i as f32 * 1e-5).collect();
    let y: Vec<f32> = (0..COUNT).map(|i| (i % 1024) as f32 * 0.01).collect();

    let program = chain()?;
    line("chain of 20 operators", &program, &[&x], |out| {
        for (to, &x) in out.iter_mut().zip(&x) {
            *to = chain_of(x);
        }
    })?;
    let program = chain_of_three()?;
    line("x * y + 1", &program, &[&x, &y], |out| {
        for ((to, &x), &y) in out.iter_mut().zip(&x).zip(&y) {
            *to = x * y + 1.0;
        }
    })?;
    let program = fbm()?;
    line("fbm3 of 6 octaves", &program, &[&x, &y], |out| {
        for ((to, &x), &y) in out.iter_mut().zip(&x).zip(&y) {
            *to = zero_noise::fbm3(7, x, y, x, 6);
        }
    })
}

fn chain() -> Result<Program> {
    let mut tape = Tape::new();
    let x = tape.leaf(0, 0, Kind::F32);
    let mut value = x;
    for k in 0..5 {
        let factor = tape.const_f32(0.5 + k as f32 * 0.125);
        let shift = tape.const_f32(0.25 - k as f32 * 0.0625);
        value = tape.binary(Binary::Mul, value, factor)?;
        value = tape.binary(Binary::Add, value, shift)?;
        value = tape.binary(Binary::Max, value, shift)?;
        value = tape.binary(Binary::Sub, value, x)?;
    }
    Program::compile(&tape, &[value], Mode::Pointwise)
}

#[inline(always)]
fn chain_of(x: f32) -> f32 {
    let mut value = x;
    for k in 0..5 {
        let (factor, shift) = (0.5 + k as f32 * 0.125, 0.25 - k as f32 * 0.0625);
        value = value * factor + shift;
        value = if value > shift { value } else { shift };
        value -= x;
    }
    value
}

fn chain_of_three() -> Result<Program> {
    let mut tape = Tape::new();
    let (x, y) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let product = tape.binary(Binary::Mul, x, y)?;
    let one = tape.const_f32(1.0);
    let root = tape.binary(Binary::Add, product, one)?;
    Program::compile(&tape, &[root], Mode::Pointwise)
}

fn fbm() -> Result<Program> {
    let mut tape = Tape::new();
    let (x, y) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let (seed, octaves) = (tape.const_u32(7), tape.const_u32(6));
    let root = tape.call(Prelude::Fbm3, &[seed, x, y, x, octaves])?;
    Program::compile(&tape, &[root], Mode::Pointwise)
}

fn line(name: &str, program: &Program, leaves: &[&[f32]], plain: impl Fn(&mut [f32])) -> Result<()> {
    let views: Vec<_> = leaves
        .iter()
        .map(|l| LeafView {
            words: bytemuck::cast_slice(l),
            lanes: 1,
        })
        .collect();
    let inputs = Inputs {
        leaves: &views,
        numbers: &[],
    };
    let mut scratch = Scratch::default();
    let mut out = vec![0u32; COUNT];
    let mut machine = |isa| -> Result<f64> {
        let run = || program.run(&inputs, 0, black_box(&mut out), isa, &mut scratch);
        timing::times(0, ROUNDS, run).map(|times| times.least_ms)
    };
    let (auto, baseline) = (machine(Isa::Auto)?, machine(Isa::Baseline)?);
    let mut floats = vec![0f32; COUNT];
    let loops = timing::times(0, ROUNDS, || {
        plain(black_box(&mut floats));
        Ok(())
    })?;
    let loops = loops.least_ms;
    let same = out.iter().zip(&floats).all(|(a, b)| *a == b.to_bits());
    let rate = |ms: f64| COUNT as f64 / ms * 1e-3;
    println!(
        "{name:<34}{:>12.0}{:>12.0}{:>12.0}{}",
        rate(auto),
        rate(baseline),
        rate(loops),
        if same { "" } else { "  BITS DIFFER" }
    );
    Ok(())
}
