//! The block machine: a program over blocks of 512 elements, whose registers stay in the first-level cache.
//!
//! One loop an instruction, written once over words and inlined into a clone for each instruction set; the compiler
//! vectorises it. AVX2 is taken where the processor has it, and never its fused multiply-add: every result rounds as
//! the scalar reference rounds.

use zero_noise::math;

use super::Isa;
use super::calls;
use super::kind::Kind;
use super::loops::{Source, choose, compare, floats1, floats2, floats3, map1, map2, select, signed2};
use super::lower::{Fused, Instr, Operand, Target, Work};
use super::op::{Binary, Unary};
use super::prelude::MAX_RESULTS;
use super::program::{Inputs, LeafView, Program};
use super::reference::{clean_zero, fill_uniform};
use super::scalar::num;
use crate::column::Element;
use crate::error::{Error, Result};

/// Elements of a block. A register of 2 KiB leaves room for about sixteen in a first-level cache of 32 KiB.
pub const BLOCK: usize = 512;

/// Workspace of [`Program::run`], kept between runs so that none of them allocates once it is large enough.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    registers: Vec<u32>,
    /// The results of the last call that had several, a block each.
    results: Vec<u32>,
    uniforms: Vec<u32>,
}

impl Program {
    /// Computes the elements `first..`, as many as `out` holds, on the calling thread. `out` is interleaved:
    /// [`Program::lanes`] words an element.
    ///
    /// # Errors
    /// [`Error::Invalid`] where `inputs` or `out` are not of this program's shape, or an element's number is past
    /// `u32`.
    pub fn run(&self, inputs: &Inputs<'_>, first: u32, out: &mut [u32], isa: Isa, scratch: &mut Scratch) -> Result<()> {
        self.run_over(inputs, &[], first, out, isa, scratch)
    }

    /// As [`run`](Self::run), where a leaf's view begins at the element that `starts` says; 0 where it says nothing. Such
    /// a leaf holds every element that is computed, and is not gathered from.
    pub(crate) fn run_over(
        &self,
        inputs: &Inputs<'_>,
        starts: &[usize],
        first: u32,
        out: &mut [u32],
        isa: Isa,
        scratch: &mut Scratch,
    ) -> Result<()> {
        self.check_inputs(inputs)?;
        let lanes = self.roots().len();
        let count = out.len() / lanes;
        if count * lanes != out.len() || u32::try_from(first as usize + count).is_err() {
            return Err(Error::Invalid {
                what: "the output of a field program".to_owned(),
                expected: format!("whole elements of {lanes} words, numbered below 2^32"),
                found: format!("{} words from element {first}", out.len()),
            });
        }
        let place = Place {
            first,
            step: 0,
            state: &[],
            starts,
        };
        self.run_blocks(inputs, &place, out, isa, scratch);
        Ok(())
    }

    /// As [`run`](Self::run), of walkers too. The inputs and the output are of this program's shape, and the state of
    /// walkers, of which there are no more than a block, has a word for each of them and each lane that is read.
    pub(super) fn run_blocks(
        &self,
        inputs: &Inputs<'_>,
        place: &Place<'_>,
        out: &mut [u32],
        isa: Isa,
        scratch: &mut Scratch,
    ) {
        let (code, lanes, first) = (self.code(), self.roots().len(), place.first);
        let count = out.len() / lanes;
        scratch.registers.resize(code.registers as usize * BLOCK, 0);
        scratch.results.resize(MAX_RESULTS * BLOCK, 0);
        scratch.uniforms.resize(self.lines().len(), 0);
        fill_uniform(self, &code.uniform, inputs, place, &mut scratch.uniforms);
        let columns: Vec<_> = code
            .columns
            .iter()
            .map(|c| match c.leaf {
                Some(leaf) => {
                    let start = place.starts.get(leaf as usize).copied().unwrap_or(0);
                    Column::new(inputs.leaves[leaf as usize], c.lane, start, first as usize, count)
                }
                None => Column::InPlace(&place.state[c.lane as usize * count..][..count]),
            })
            .collect();
        let run = Run {
            code: &code.instrs,
            columns: &columns,
            leaves: inputs.leaves,
            uniforms: &scratch.uniforms,
            lanes,
            isa: noise_isa(isa),
        };
        let block = match isa {
            Isa::Auto => block_auto,
            Isa::Baseline => block_baseline,
        };
        let mut at = 0;
        for part in out.chunks_mut(BLOCK * lanes) {
            block(&run, &mut scratch.registers, &mut scratch.results, first, at, part);
            if self.element() == Element::F32 {
                for word in part {
                    *word = clean_zero(Kind::F32, *word);
                }
            }
            at += BLOCK;
        }
    }
}

/// Where a program is computed: the number of the first element, and of a walk the step and the state before it, lane
/// after lane with a word an element.
pub(super) struct Place<'a> {
    pub(super) first: u32,
    pub(super) step: u32,
    pub(super) state: &'a [u32],
    /// The element that the view of each leaf begins at; 0 where it says nothing.
    pub(super) starts: &'a [usize],
}

fn noise_isa(isa: Isa) -> zero_noise::Isa {
    match isa {
        Isa::Auto => zero_noise::Isa::Auto,
        Isa::Baseline => zero_noise::Isa::Baseline,
    }
}

/// What stays the same from block to block.
struct Run<'a> {
    code: &'a [Instr],
    columns: &'a [Column<'a>],
    leaves: &'a [LeafView<'a>],
    uniforms: &'a [u32],
    lanes: usize,
    isa: zero_noise::Isa,
}

/// One lane of one leaf over the elements of a run.
enum Column<'a> {
    /// Read where it lies: the run's own words, one an element.
    InPlace(&'a [u32]),
    /// Picked out into the column's register, block by block.
    Picked {
        leaf: LeafView<'a>,
        lane: u32,
        start: usize,
    },
}

impl<'a> Column<'a> {
    /// `start` is the element that the leaf's view begins at.
    fn new(leaf: LeafView<'a>, lane: u32, start: usize, first: usize, count: usize) -> Column<'a> {
        let at = first.saturating_sub(start);
        match leaf.words.get(at..at + count) {
            Some(words) if leaf.lanes == 1 && lane == 0 => Column::InPlace(words),
            _ => Column::Picked { leaf, lane, start },
        }
    }
}

#[multiversion::multiversion(targets("x86_64+avx+avx2"))]
fn block_auto(run: &Run<'_>, registers: &mut [u32], results: &mut [u32], first: u32, at: usize, out: &mut [u32]) {
    // Every loop is inlined into each clone, so the one without AVX2 calls the baseline's instead of being a third.
    multiversion::target::match_target! {
        "x86_64+avx+avx2" => block(run, registers, results, first, at, out),
        _ => block_baseline(run, registers, results, first, at, out),
    }
}

fn block_baseline(run: &Run<'_>, registers: &mut [u32], results: &mut [u32], first: u32, at: usize, out: &mut [u32]) {
    block(run, registers, results, first, at, out);
}

/// The registers that an instruction does not write, and what else it may read.
pub(super) struct Sources<'a> {
    before: &'a [u32],
    after: &'a [u32],
    run: &'a Run<'a>,
    at: usize,
    count: usize,
}

impl<'a> Sources<'a> {
    #[inline(always)]
    pub(super) fn get(&self, operand: Operand) -> Source<'a> {
        match operand {
            Operand::Uniform(line) => Source::Splat(self.run.uniforms[line as usize]),
            _ => Source::Block(self.block(operand)),
        }
    }

    /// The block of an operand that is known to be one.
    #[inline(always)]
    fn block(&self, operand: Operand) -> &'a [u32] {
        match operand {
            Operand::Block(register) => self.register(register),
            Operand::Leaf { column, register } => match &self.run.columns[column as usize] {
                Column::InPlace(words) => &words[self.at..self.at + self.count],
                Column::Picked { .. } => self.register(register),
            },
            Operand::Uniform(_) => &[],
        }
    }

    #[inline(always)]
    pub(super) fn floats(&self, operand: Operand) -> &'a [f32] {
        bytemuck::cast_slice(self.block(operand))
    }

    /// The word of an operand at one element of the block.
    #[inline(always)]
    pub(super) fn word(&self, operand: Operand, i: usize) -> u32 {
        match self.get(operand) {
            Source::Block(block) => block[i],
            Source::Splat(word) => word,
        }
    }

    pub(super) fn isa(&self) -> zero_noise::Isa {
        self.run.isa
    }

    #[inline(always)]
    fn register(&self, register: u32) -> &'a [u32] {
        let start = register as usize * BLOCK;
        match start.checked_sub(self.before.len()) {
            None => &self.before[start..start + self.count],
            // The written register lies between the two parts.
            Some(past) => &self.after[past - BLOCK..past - BLOCK + self.count],
        }
    }
}

#[inline(always)]
fn block(run: &Run<'_>, registers: &mut [u32], results: &mut [u32], first: u32, at: usize, out: &mut [u32]) {
    let count = out.len() / run.lanes;
    let id = first.wrapping_add(at as u32);
    for instr in run.code {
        // One call for both targets: its loops are inlined here, and twice would be twice the code.
        let (sources, to) = match instr.target {
            Target::Register(register) => {
                let (before, rest) = registers.split_at_mut(register as usize * BLOCK);
                let (target, after) = rest.split_at_mut(BLOCK);
                let sources = Sources {
                    before,
                    after,
                    run,
                    at,
                    count,
                };
                (sources, &mut target[..count])
            }
            Target::Out => {
                let sources = Sources {
                    before: registers,
                    after: &[],
                    run,
                    at,
                    count,
                };
                (sources, &mut *out)
            }
        };
        step(instr, &sources, id, to, results);
    }
}

#[inline(always)]
fn step(instr: &Instr, s: &Sources<'_>, id: u32, to: &mut [u32], results: &mut [u32]) {
    let [a, b, c, d, ..] = instr.args;
    match instr.work {
        Work::Iota => {
            for (word, i) in to.iter_mut().zip(0u32..) {
                *word = id.wrapping_add(i);
            }
        }
        Work::Load { column } => load(&s.run.columns[column as usize], id, to),
        Work::Copy => map1(to, s.get(a), |word| word),
        Work::Gather { leaf, lane, signed } => gather(to, s.block(a), s.run.leaves[leaf as usize], lane, signed),
        Work::Unary(op, kind) => unary(op, kind, to, s, a),
        Work::Binary(op, kind) => binary(op, kind, to, s, a, b),
        Work::Fused(op) => fused(op, to, s.block(a), s.get(b), s.get(c)),
        Work::Select => select(to, s.block(a), s.get(b), s.get(c)),
        Work::CompareSelect(op) => compare_select(op, to, s.block(a), s.get(b), s.get(c), s.get(d)),
        Work::Call { function, result } => calls::call(function, result, to, results, s, instr.args),
        Work::Result(result) => calls::copy(result, to, results),
        Work::Store { lane } => {
            let words = to.iter_mut().skip(lane as usize).step_by(s.run.lanes);
            match s.get(a) {
                Source::Block(block) => words.zip(block).for_each(|(to, &word)| *to = word),
                Source::Splat(word) => words.for_each(|to| *to = word),
            }
        }
    }
}

#[inline(always)]
fn load(column: &Column<'_>, id: u32, to: &mut [u32]) {
    let Column::Picked { leaf, lane, start } = *column else {
        return;
    };
    let (lanes, first) = (leaf.lanes as usize, (id as usize).saturating_sub(start));
    let whole = leaf.words.get(first * lanes..(first + to.len()) * lanes);
    match whole {
        // The block lies inside the leaf, so no element's number has to be clamped.
        Some(words) if lane < leaf.lanes => {
            let picked = words.iter().skip(lane as usize).step_by(lanes);
            to.iter_mut().zip(picked).for_each(|(to, &word)| *to = word);
        }
        _ if leaf.elements() <= 1 => to.fill(leaf.at(0, lane)),
        _ => {
            for (to, i) in to.iter_mut().zip(first as u64..) {
                *to = leaf.at(i, lane);
            }
        }
    }
}

#[inline(always)]
fn gather(to: &mut [u32], index: &[u32], leaf: LeafView<'_>, lane: u32, signed: bool) {
    let Some(last) = leaf.elements().checked_sub(1).filter(|_| lane < leaf.lanes) else {
        to.fill(0);
        return;
    };
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    let (lanes, lane) = (leaf.lanes as usize, lane as usize);
    for (to, &at) in to.iter_mut().zip(index) {
        let at = if signed && at.cast_signed() < 0 { 0 } else { at };
        *to = leaf.words[at.min(last) as usize * lanes + lane];
    }
}

#[inline(always)]
fn fused(op: Fused, to: &mut [u32], a: &[u32], b: Source<'_>, c: Source<'_>) {
    match op {
        Fused::MulAdd => floats3(to, a, b, c, |a, b, c| a * b + c),
        Fused::MulSub => floats3(to, a, b, c, |a, b, c| a * b - c),
        Fused::SubMul => floats3(to, a, b, c, |a, b, c| c - a * b),
        Fused::AddMul => floats3(to, a, b, c, |a, b, c| (a + b) * c),
        Fused::DiffMul => floats3(to, a, b, c, |a, b, c| (a - b) * c),
    }
}

#[inline(always)]
fn compare_select(op: Binary, to: &mut [u32], a: &[u32], b: Source<'_>, yes: Source<'_>, no: Source<'_>) {
    match op {
        Binary::Lt => choose(to, a, b, yes, no, |a, b| a < b),
        Binary::Le => choose(to, a, b, yes, no, |a, b| a <= b),
        Binary::Gt => choose(to, a, b, yes, no, |a, b| a > b),
        Binary::Ge => choose(to, a, b, yes, no, |a, b| a >= b),
        // Lowering leaves no other comparison.
        _ => choose(to, a, b, yes, no, |a, b| a == b),
    }
}

#[inline(always)]
fn unary(op: Unary, kind: Kind, to: &mut [u32], s: &Sources<'_>, operand: Operand) {
    let isa = s.run.isa;
    let a = s.get(operand);
    let floats = |to: &mut [u32], f: fn(zero_noise::Isa, &[f32], &mut [f32])| {
        f(isa, s.floats(operand), bytemuck::cast_slice_mut(to));
    };
    match (op, kind) {
        (Unary::Neg, Kind::F32) => floats1(to, a, |a| -a),
        (Unary::Neg, _) => map1(to, a, u32::wrapping_neg),
        (Unary::Abs, Kind::F32) => floats1(to, a, f32::abs),
        (Unary::Abs, _) => map1(to, a, |a| a.cast_signed().wrapping_abs().cast_unsigned()),
        (Unary::Sign, Kind::F32) => floats1(to, a, num::sign_f32),
        (Unary::Sign, _) => map1(to, a, |a| a.cast_signed().signum().cast_unsigned()),
        (Unary::Floor, _) => floats1(to, a, math::floor),
        (Unary::Ceil, _) => floats1(to, a, |x| -math::floor(-x)),
        (Unary::Round, _) => floats1(to, a, math::round),
        (Unary::Fract, _) => floats(to, math::fract_block),
        (Unary::Sqrt, _) => floats(to, math::sqrt_block),
        (Unary::Sin, _) => floats(to, math::sin_block),
        (Unary::Cos, _) => floats(to, math::cos_block),
        (Unary::Exp2, _) => floats(to, math::exp2_block),
        (Unary::Log2, _) => floats(to, math::log2_block),
        (Unary::Tanh, _) => floats(to, math::tanh_block),
        (Unary::Not, Kind::Bool) => map1(to, a, |a| a ^ 1),
        (Unary::Not, _) => map1(to, a, |a| !a),
        (Unary::ToF32, Kind::I32) => map1(to, a, |a| (a.cast_signed() as f32).to_bits()),
        (Unary::ToF32, Kind::U32 | Kind::Bool) => map1(to, a, |a| (a as f32).to_bits()),
        (Unary::ToI32, Kind::F32) => map1(to, a, |a| (f32::from_bits(a) as i32).cast_unsigned()),
        (Unary::ToU32, Kind::F32) => map1(to, a, |a| f32::from_bits(a) as u32),
        (Unary::ToBool, Kind::F32) => map1(to, a, |a| u32::from(f32::from_bits(a) != 0.0)),
        (Unary::ToBool, _) => map1(to, a, |a| u32::from(a != 0)),
        (Unary::ToF32 | Unary::ToI32 | Unary::ToU32, _) => map1(to, a, |a| a),
        (Unary::BitsToI32 | Unary::BitsToU32, Kind::F32) => map1(to, a, |a| num::bits_f32(f32::from_bits(a))),
        (Unary::BitsToF32 | Unary::BitsToI32 | Unary::BitsToU32, _) => map1(to, a, |a| a),
    }
}

#[inline(always)]
fn binary(op: Binary, kind: Kind, to: &mut [u32], s: &Sources<'_>, a: Operand, b: Operand) {
    match kind {
        Kind::F32 => binary_f32(op, to, s, a, b),
        Kind::I32 => binary_i32(op, to, s.get(a), s.get(b)),
        Kind::U32 | Kind::Bool => binary_u32(op, to, s.get(a), s.get(b)),
    }
}

#[inline(always)]
fn binary_f32(op: Binary, to: &mut [u32], s: &Sources<'_>, left: Operand, right: Operand) {
    let (a, b) = (s.get(left), s.get(right));
    let floats = |to: &mut [u32], f: fn(zero_noise::Isa, &[f32], &[f32], &mut [f32])| {
        f(s.run.isa, s.floats(left), s.floats(right), bytemuck::cast_slice_mut(to));
    };
    match op {
        Binary::Add => floats2(to, a, b, |a, b| a + b),
        Binary::Sub => floats2(to, a, b, |a, b| a - b),
        Binary::Mul => floats2(to, a, b, |a, b| a * b),
        Binary::Div => floats2(to, a, b, num::div_f32),
        Binary::Mod => floats(to, math::modulo_block),
        Binary::Min => floats2(to, a, b, num::min_f32),
        Binary::Max => floats2(to, a, b, num::max_f32),
        Binary::Pow => floats(to, math::pow_block),
        Binary::Atan2 => floats(to, math::atan2_block),
        Binary::Lt => compare(to, a, b, |a, b| a < b),
        Binary::Le => compare(to, a, b, |a, b| a <= b),
        Binary::Gt => compare(to, a, b, |a, b| a > b),
        Binary::Ge => compare(to, a, b, |a, b| a >= b),
        Binary::Eq => compare(to, a, b, |a, b| a == b),
        Binary::Ne => compare(to, a, b, |a, b| a != b),
        // Binary::result refuses bits of floats, so that no tape holds one.
        Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => to.fill(0),
    }
}

#[inline(always)]
fn binary_i32(op: Binary, to: &mut [u32], a: Source<'_>, b: Source<'_>) {
    match op {
        Binary::Div => signed2(to, a, b, num::div_i32),
        Binary::Mod => signed2(to, a, b, num::mod_i32),
        Binary::Min => signed2(to, a, b, i32::min),
        Binary::Max => signed2(to, a, b, i32::max),
        Binary::Lt => signed2(to, a, b, |a, b| i32::from(a < b)),
        Binary::Le => signed2(to, a, b, |a, b| i32::from(a <= b)),
        Binary::Gt => signed2(to, a, b, |a, b| i32::from(a > b)),
        Binary::Ge => signed2(to, a, b, |a, b| i32::from(a >= b)),
        Binary::Shr => map2(to, a, b, |a, b| a.cast_signed().wrapping_shr(b).cast_unsigned()),
        // The rest does not see the sign.
        _ => binary_u32(op, to, a, b),
    }
}

#[inline(always)]
fn binary_u32(op: Binary, to: &mut [u32], a: Source<'_>, b: Source<'_>) {
    match op {
        Binary::Add => map2(to, a, b, u32::wrapping_add),
        Binary::Sub => map2(to, a, b, u32::wrapping_sub),
        Binary::Mul => map2(to, a, b, u32::wrapping_mul),
        Binary::Div => map2(to, a, b, num::div_u32),
        Binary::Mod => map2(to, a, b, num::mod_u32),
        Binary::Min => map2(to, a, b, u32::min),
        Binary::Max => map2(to, a, b, u32::max),
        Binary::Lt => map2(to, a, b, |a, b| u32::from(a < b)),
        Binary::Le => map2(to, a, b, |a, b| u32::from(a <= b)),
        Binary::Gt => map2(to, a, b, |a, b| u32::from(a > b)),
        Binary::Ge => map2(to, a, b, |a, b| u32::from(a >= b)),
        Binary::Eq => map2(to, a, b, |a, b| u32::from(a == b)),
        Binary::Ne => map2(to, a, b, |a, b| u32::from(a != b)),
        Binary::And => map2(to, a, b, |a, b| a & b),
        Binary::Or => map2(to, a, b, |a, b| a | b),
        Binary::Xor => map2(to, a, b, |a, b| a ^ b),
        Binary::Shl => map2(to, a, b, u32::wrapping_shl),
        Binary::Shr => map2(to, a, b, u32::wrapping_shr),
        // Binary::result refuses these for integers, so that no tape holds one.
        Binary::Pow | Binary::Atan2 => to.fill(0),
    }
}
