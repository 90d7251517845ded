//! Random expressions over every operator, with inputs for them.

use proptest::prelude::*;
use zero_compute::field::{Binary, Inputs, Kind, LeafView, Mode, Prelude, Program, Reg, Tape, Unary};

/// One random choice of an operator and its operands.
type Choice = (u16, u16, u16, u16);

/// What a random expression is made from: shrinking it drops operators.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) choices: Vec<Choice>,
    pub(crate) data_seed: u32,
}

pub(crate) fn recipe(most: usize) -> impl Strategy<Value = Recipe> {
    (prop::collection::vec(any::<Choice>(), 1..most), any::<u32>())
        .prop_map(|(choices, data_seed)| Recipe { choices, data_seed })
}

/// The leaves of every random expression: kind and lanes.
pub(crate) const LEAVES: [(Kind, u32); 5] = [
    (Kind::F32, 1),
    (Kind::F32, 3),
    (Kind::I32, 1),
    (Kind::U32, 2),
    (Kind::Bool, 1),
];

/// The kinds of its numbers.
pub(crate) const NUMBERS: [Kind; 4] = [Kind::F32, Kind::I32, Kind::U32, Kind::Bool];

/// An expression of one operator a choice, with every value on its tape.
pub(crate) struct Expression {
    pub(crate) tape: Tape,
    pub(crate) values: Vec<Reg>,
}

impl Expression {
    pub(crate) fn build(recipe: &Recipe) -> Expression {
        let mut tape = Tape::new();
        let mut values = Vec::new();
        for (slot, (kind, lanes)) in LEAVES.into_iter().enumerate() {
            values.extend((0..lanes).map(|lane| tape.leaf(slot as u32, lane, kind)));
        }
        for (slot, kind) in NUMBERS.into_iter().enumerate() {
            values.push(tape.number(slot as u32, kind));
        }
        values.extend([
            tape.id(),
            tape.const_f32(0.5),
            tape.const_f32(-3.0),
            tape.const_i32(-7),
            tape.const_u32(5),
        ]);
        values.extend([tape.const_f32(0.0), tape.const_i32(0), tape.const_bool(true)]);
        for &choice in &recipe.choices {
            if let Some(value) = operator(&mut tape, &values, choice) {
                values.push(value);
            }
        }
        Expression { tape, values }
    }

    /// The values of one element kind; Bools go with `u32`.
    pub(crate) fn group(&self, kind: Kind) -> Vec<Reg> {
        let element = kind.element();
        self.values
            .iter()
            .copied()
            .filter(|&r| self.tape.kind(r).element() == element)
            .collect()
    }

    /// A program of every value of a group.
    pub(crate) fn program(&self, kind: Kind, mode: Mode) -> Program {
        Program::compile(&self.tape, &self.group(kind), mode).unwrap()
    }
}

/// The first value from place `from` on, round the list, that `takes` accepts.
fn pick(tape: &Tape, values: &[Reg], from: u16, takes: impl Fn(Kind) -> bool) -> Option<Reg> {
    let start = usize::from(from) % values.len();
    // Later values first, so that expressions grow deep.
    let order = values[..=start].iter().rev().chain(values[start..].iter().rev());
    order.copied().find(|&r| takes(tape.kind(r)))
}

fn operator(tape: &mut Tape, values: &[Reg], (op, x, y, z): Choice) -> Option<Reg> {
    // Calls weigh a hundred operators and more, so there are few of them however many functions there are.
    let (unaries, binaries, calls) = (Unary::ALL.len(), Binary::ALL.len(), 6);
    // Operators of two operands twice: they make expressions, the rest make chains.
    let mut at = usize::from(op) % (unaries + 2 * binaries + calls + 6);
    if at < unaries {
        let op = Unary::ALL[at];
        let a = pick(tape, values, x, |kind| op.result(kind).is_ok())?;
        return tape.unary(op, a).ok();
    }
    at -= unaries;
    if at < 2 * binaries {
        let op = Binary::ALL[at % binaries];
        let a = pick(tape, values, x, |kind| op.result(kind, kind).is_ok())?;
        let first = tape.kind(a);
        let b = pick(tape, values, y, |kind| op.result(first, kind).is_ok())?;
        return tape.binary(op, a, b).ok();
    }
    at -= 2 * binaries;
    if at < calls {
        let call = Prelude::ALL[usize::from(x ^ z) % Prelude::ALL.len()];
        let places = [x, y, z, x ^ y, y ^ z, x ^ z, y, z];
        let args: Option<Vec<_>> = call
            .takes()
            .iter()
            .zip(places)
            .map(|(&takes, from)| pick(tape, values, from, |kind| kind == takes))
            .collect();
        return tape.call(call, &args?).ok();
    }
    if at - calls < 4 {
        let cond = pick(tape, values, x, |kind| kind == Kind::Bool)?;
        let a = pick(tape, values, y, |_| true)?;
        let kind = tape.kind(a);
        let b = pick(tape, values, z, |other| other == kind)?;
        return tape.select(cond, a, b).ok();
    }
    let index = pick(tape, values, x, |kind| matches!(kind, Kind::I32 | Kind::U32))?;
    let slot = usize::from(y) % LEAVES.len();
    let (kind, lanes) = LEAVES[slot];
    // One lane too many now and then: it reads 0.
    tape.gather(slot as u32, u32::from(z) % (lanes + 1), kind, index).ok()
}

/// Words for the leaves and numbers.
pub(crate) struct Data {
    pub(crate) leaves: Vec<Vec<u32>>,
    pub(crate) numbers: Vec<u32>,
}

impl Data {
    /// Leaves for `count` elements: whole ones, of one element, too short and empty, as the seed has it.
    pub(crate) fn new(seed: u32, count: usize) -> Data {
        let mut random = Random(u64::from(seed));
        let leaves = LEAVES
            .into_iter()
            .map(|(kind, lanes)| {
                let elements = match random.below(8) {
                    0 => 1,
                    1 => count / 2 + 1,
                    2 if count > 3 => 0,
                    _ => count,
                };
                (0..elements * lanes as usize).map(|_| random.word(kind)).collect()
            })
            .collect();
        Data {
            leaves,
            numbers: NUMBERS.into_iter().map(|kind| random.word(kind)).collect(),
        }
    }

    /// What a program reads of these, in its own order.
    pub(crate) fn views(&self, program: &Program) -> (Vec<LeafView<'_>>, Vec<u32>) {
        let leaves = program
            .leaves()
            .iter()
            .map(|l| LeafView {
                words: &self.leaves[l.slot as usize],
                lanes: LEAVES[l.slot as usize].1,
            })
            .collect();
        (
            leaves,
            program
                .numbers()
                .iter()
                .map(|n| self.numbers[n.slot as usize])
                .collect(),
        )
    }
}

/// Computes `count` elements by the reference, interleaved.
pub(crate) fn reference(program: &Program, data: &Data, count: usize) -> Vec<u32> {
    let (leaves, numbers) = data.views(program);
    let inputs = Inputs {
        leaves: &leaves,
        numbers: &numbers,
    };
    let mut out = vec![0; count * program.lanes() as usize];
    for (element, words) in out.chunks_mut(program.lanes() as usize).enumerate() {
        program.reference(&inputs, element as u32, words).unwrap();
    }
    out
}

/// Which elements keep to what bit equality is promised for: all floats finite, none subnormal.
pub(crate) fn held(expression: &Expression, data: &Data, count: usize) -> Vec<bool> {
    let floats = expression.program(Kind::F32, Mode::Pointwise);
    let words = reference(&floats, data, count);
    let fine = |&word: &u32| f32::from_bits(word) == 0.0 || f32::from_bits(word).is_normal();
    words
        .chunks(floats.lanes() as usize)
        .map(|element| element.iter().all(fine))
        .collect()
}

/// A small generator (splitmix64, Steele, Lea and Flood 2014), so that data depends on its seed alone.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn float(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.next() >> 40) as f32 / (1u32 << 24) as f32)
    }

    /// A word of a kind: everyday values mostly, and the ones at the edges.
    pub(crate) fn word(&mut self, kind: Kind) -> u32 {
        let choice = self.below(8);
        match kind {
            Kind::F32 => match choice {
                0 => (self.below(21) as f32 - 10.0).to_bits(),
                1 => self.float(-1000.0, 1000.0).to_bits(),
                2 => self.float(-1e-5, 1e-5).to_bits(),
                3 => [
                    0.0f32,
                    1.0,
                    -1.0,
                    0.5,
                    1e6,
                    -1e9,
                    2147483648.0,
                    -2147483648.0,
                    4294967296.0,
                    2147483520.0,
                ][self.below(10) as usize]
                    .to_bits(),
                _ => self.float(-4.0, 4.0).to_bits(),
            },
            Kind::I32 | Kind::U32 => match choice {
                0 => [
                    0,
                    1,
                    u32::MAX,
                    i32::MAX as u32,
                    i32::MIN as u32,
                    31,
                    32,
                    0x00ff_ffff,
                    0x0100_0001,
                ][self.below(9) as usize],
                1 => self.next() as u32,
                _ if kind == Kind::I32 => (self.below(81) as i32 - 40).cast_unsigned(),
                _ => self.below(81) as u32,
            },
            Kind::Bool => (self.below(3) as u32).wrapping_mul(0x8000_0001),
        }
    }
}
