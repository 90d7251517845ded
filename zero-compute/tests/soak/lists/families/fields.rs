//! What calculates over a lattice or a line, and field programs.

use std::sync::Arc;

use zero_compute::field::{Binary, Kind, Mode, Prelude, Program, Reg, Tape, Walk};
use zero_compute::kernels::{self, Direction, MAX_FFT};
use zero_compute::{Column, Domain, Element, Result, WalkOptions};

use super::super::world::{Vary, Want, World};
use super::made::{counts, lattice_of};

/// The most elements of what is transformed: it costs some ten operations an element and stage.
pub(super) const MOST: u32 = 1 << 20;

/// `a * number + b`, of two leaves and a number that a slot sets.
pub(super) fn map(w: &mut World<'_>) -> Result<()> {
    let a = w.any(Want::of(Element::F32).lanes(1).tame())?;
    let b = w.any(Want::of(Element::F32).lanes(1).tame())?;
    let mut tape = Tape::new();
    let (left, right) = (tape.leaf(0, 0, Kind::F32), tape.leaf(1, 0, Kind::F32));
    let number = tape.number(0, Kind::F32);
    let scaled = tape.binary(Binary::Mul, left, number)?;
    let op = w
        .random
        .of(&[Binary::Add, Binary::Sub, Binary::Min])
        .unwrap_or(Binary::Add);
    let out = tape.binary(op, scaled, right)?;
    let program = Arc::new(Program::compile(&tape, &[out], Mode::Exact)?);
    let scale = w.random.tame();
    let mapped = w
        .rec
        .map(&program, &[a.clone(), b], &[scale.to_bits()], Domain::of(&a))?;
    w.slots.push((mapped.number_slot(0)?, Vary::Tame));
    let column = mapped.column("dst")?;
    w.keep(&column);
    Ok(())
}

/// A noise at points: its seed is a number that a slot sets, and all else of it is drawn.
pub(super) fn noise(w: &mut World<'_>) -> Result<()> {
    let points = w.any(Want::of(Element::F32).lanes(3).tame())?;
    let prelude = w.random.of(&Prelude::ALL).unwrap_or(Prelude::Fbm3);
    let mut tape = Tape::new();
    // Cells of some 64 points an axis, and points on the lattice among them.
    let scale = tape.const_f32(1.0 / 64.0);
    let mut at = |lane: u32| -> Result<Reg> {
        let coordinate = tape.leaf(0, lane, Kind::F32);
        tape.binary(Binary::Mul, coordinate, scale)
    };
    let at = [at(0)?, at(1)?, at(2)?];
    let arguments = operands(w, &mut tape, prelude, at);
    let out = tape.call(prelude, &arguments)?;
    let program = Arc::new(Program::compile(&tape, &[out], Mode::Exact)?);
    let seed = w.random.word();
    // A draw has no place: nothing of a leaf is left in its program.
    let leaves: &[Column] = match prelude {
        Prelude::Draw => &[],
        _ => std::slice::from_ref(&points),
    };
    let mapped = w.rec.map(&program, leaves, &[seed], Domain::of(&points))?;
    w.slots.push((mapped.number_slot(0)?, Vary::Bits));
    let column = mapped.column("dst")?;
    w.keep(&column);
    Ok(())
}

/// A column scaled, and value noise at coordinates, by the kernels of the two.
pub(super) fn proc_field(w: &mut World<'_>) -> Result<()> {
    let src = w.any(Want::of(Element::F32).tame())?;
    let scale = w.random.tame();
    let scaled = kernels::proc_field_scale(&mut w.rec, &src, scale)?;
    w.keep(&scaled);
    let coords = w.any(Want::of(Element::F32).lanes(2).tame())?;
    let (seed, freq) = (w.random.word() as i32, w.random.tame() / 64.0);
    let noise = kernels::proc_field_noise(&mut w.rec, &coords, seed, freq)?;
    w.keep(&noise);
    Ok(())
}

/// What a noise takes, in the order of its documentation.
fn operands(w: &mut World<'_>, tape: &mut Tape, prelude: Prelude, at: [Reg; 3]) -> Vec<Reg> {
    let name = prelude.name();
    let mut arguments = vec![tape.number(0, Kind::U32)];
    if prelude == Prelude::Draw {
        arguments.push(tape.const_u32(w.random.below(9)));
        return arguments;
    }
    let axes = if name.contains('3') { 3 } else { 2 };
    arguments.extend(&at[..axes]);
    if ["fbm", "ridged", "warp"].iter().any(|kind| name.starts_with(kind)) {
        arguments.push(tape.const_u32(1 + w.random.below(5)));
    }
    if name.starts_with("warp") {
        arguments.push(tape.const_f32(w.random.below(64) as f32 / 16.0));
    }
    if name.starts_with("cellular") {
        arguments.push(tape.const_u32(w.random.below(3)));
    }
    if name.contains("tiled") {
        arguments.extend((0..axes).map(|_| tape.const_u32(1 + w.random.below(8))));
    }
    arguments
}

/// A state of two floats: one that a number which a slot sets is added to, and one that follows it and a leaf. Some
/// walkers stop where the first passes the leaf.
pub(super) fn walk(w: &mut World<'_>) -> Result<()> {
    let start = w.any(Want::of(Element::F32).lanes(2).tame())?;
    let leaf = w.any(Want::of(Element::F32).lanes(1).tame())?;
    let mut tape = Tape::new();
    let (first, second) = (tape.walk_state(0), tape.walk_state(1));
    let (number, target) = (tape.number(0, Kind::F32), tape.leaf(0, 0, Kind::F32));
    let moved = tape.binary(Binary::Add, first, number)?;
    let op = w.random.of(&[Binary::Add, Binary::Max]).unwrap_or(Binary::Add);
    let follower = tape.binary(op, second, first)?;
    let follower = tape.binary(Binary::Sub, follower, target)?;
    let done = match w.random.one_in(3) {
        true => None,
        false => Some(tape.binary(Binary::Gt, first, target)?),
    };
    let walk = Arc::new(Walk::compile(&tape, &[moved, follower], done, Mode::Exact)?);
    let steps = w.random.below(20);
    let places = u64::from(start.capacity()) * u64::from(steps + 1);
    let options = WalkOptions {
        steps,
        path_lanes: if places > u64::from(MOST) { 0 } else { w.random.below(3) },
    };
    let scale = w.random.tame();
    let walked = w.rec.walk(&walk, &start, &[leaf], &[scale.to_bits()], options)?;
    w.slots.push((walked.dispatch.number_slot(0)?, Vary::Tame));
    w.keep(&walked.last);
    w.keep(&walked.taken);
    if options.path_lanes > 0 {
        w.keep(&walked.path);
    }
    Ok(())
}

pub(super) fn grid_sample(w: &mut World<'_>) -> Result<()> {
    let n = w.size_to(MOST);
    let counts = counts(w, n);
    let lattice = lattice_of(w, counts);
    let points = w.any(Want::of(Element::F32).lanes(3).tame())?;
    let cells = counts.iter().product();
    let values = w.any(Want::of(Element::F32).elements(cells).tame())?;
    let sampled = kernels::grid_sample(&mut w.rec, &values, lattice, &points)?;
    w.keep(&sampled);
    Ok(())
}

pub(super) fn grid_splat(w: &mut World<'_>) -> Result<()> {
    let n = w.size_to(MOST);
    let counts = counts(w, n);
    let lattice = lattice_of(w, counts);
    let points = w.any(Want::of(Element::F32).lanes(3).tame())?;
    let values = w.any(Want::of(Element::F32).elements(points.capacity()).tame())?;
    let cells = counts.iter().product();
    let dst = w.fresh(Element::F32, values.lanes(), cells)?;
    let dst = w.rec.copy(&dst)?;
    let fraction_bits = w.random.below(10);
    kernels::grid_splat(&mut w.rec, &values, &points, lattice, &dst, fraction_bits)?;
    w.keep(&dst);
    Ok(())
}

fn direction(w: &mut World<'_>) -> Direction {
    if w.random.one_in(2) {
        Direction::Forward
    } else {
        Direction::Inverse
    }
}

/// How many of that many elements make up the list's size: mostly one or more.
fn at_least_one(w: &mut World<'_>, elements: u32) -> u32 {
    let least = u32::from(!w.random.one_in(8));
    (w.size_to(MOST) / elements).max(least)
}

fn side(w: &mut World<'_>) -> u32 {
    2 << w.random.below(MAX_FFT.ilog2())
}

pub(super) fn fft(w: &mut World<'_>) -> Result<()> {
    let size = side(w);
    let lines = at_least_one(w, size);
    let src = w.fresh(Element::F32, 2, lines * size)?;
    let direction = direction(w);
    let lines = kernels::fft(&mut w.rec, &src, size, direction)?;
    w.keep(&lines);
    Ok(())
}

pub(super) fn fft_2d(w: &mut World<'_>) -> Result<()> {
    let (width, height) = (side(w), side(w));
    let grids = at_least_one(w, width * height);
    let src = w.fresh(Element::F32, 2, grids * width * height)?;
    let direction = direction(w);
    let grids = kernels::fft_2d(&mut w.rec, &src, width, height, direction)?;
    w.keep(&grids);
    Ok(())
}
