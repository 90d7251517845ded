//! A compiled expression: what is live, what it reads, what it costs and its key.

use std::collections::HashMap;

use super::key;
use super::kind::Kind;
use super::lower::{self, Code};
use super::op::{Binary, Unary, wrong_kind};
use super::tape::{Line, Node, Reg, Tape};
use crate::column::Element;
use crate::error::{Error, Result};

/// The largest [`Cost::weight`] of one program.
///
/// A GPU driver inlines a program into one function and takes longer than linear time over it, so a longer one is
/// refused, on every device alike; the caller writes a part of it into a column and goes on from that.
pub const MAX_COST: u32 = 4096;

/// The most numbers one program reads: they travel in a uniform block.
pub const MAX_NUMBERS: usize = 1024;

/// How the arithmetic is held to its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Equal bits on every CPU and on the software adapter. A GPU may fuse a product into the sum that it feeds, within
    /// the stated bound, and convert large integers to floats with another rounding; nothing else may differ.
    #[default]
    Pointwise,
    /// The same bits on every device, at one more instruction a product that feeds sums only.
    Exact,
}

/// A column that a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafUse {
    /// The place that [`Tape::leaf`] named.
    pub slot: u32,
    /// The element that the column must have.
    pub element: Element,
    /// The highest lane read, plus one. A column of fewer lanes reads 0 in the others.
    pub lanes: u32,
}

/// A number that a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberUse {
    /// The place that [`Tape::number`] named.
    pub slot: u32,
    /// What the word is read as.
    pub kind: Kind,
}

/// What one element costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cost {
    /// Operators, a call being one.
    pub operators: u32,
    /// Words read from columns.
    pub leaf_reads: u32,
    /// Operators weighed by how many instructions a GPU driver makes of them; at most [`MAX_COST`].
    pub weight: u32,
}

/// A column as the CPU evaluators see it.
#[derive(Clone, Copy, Debug)]
pub struct LeafView<'a> {
    /// The words, interleaved.
    pub words: &'a [u32],
    /// Words an element.
    pub lanes: u32,
}

impl LeafView<'_> {
    pub(super) fn elements(&self) -> usize {
        self.words.len().checked_div(self.lanes as usize).unwrap_or(0)
    }
}

/// What the CPU evaluators read.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// A view for each of [`Program::leaves`], in their order.
    pub leaves: &'a [LeafView<'a>],
    /// A word for each of [`Program::numbers`], in their order.
    pub numbers: &'a [u32],
}

/// A compiled field expression. See the [module](super).
#[derive(Clone, Debug)]
pub struct Program {
    /// The live lines, operands first; leaf and number places are indices into `leaves` and `numbers`.
    lines: Vec<Line>,
    roots: Vec<Reg>,
    element: Element,
    mode: Mode,
    leaves: Vec<LeafUse>,
    numbers: Vec<NumberUse>,
    code: Code,
    cost: Cost,
    key: u128,
}

impl Program {
    /// Compiles what `roots` need of `tape`; each root is a lane of the output, in order. Takes time in proportion to
    /// the live lines.
    ///
    /// # Errors
    /// [`Error::Invalid`] without roots, with values of another tape, or where a place is read as two kinds;
    /// [`Error::WrongKind`] where the roots do not share one element; [`Error::TooMany`] past [`MAX_COST`] or
    /// [`MAX_NUMBERS`].
    pub fn compile(tape: &Tape, roots: &[Reg], mode: Mode) -> Result<Program> {
        Program::compile_within(tape, roots, mode, MAX_COST)
    }

    pub(super) fn compile_within(tape: &Tape, roots: &[Reg], mode: Mode, max_cost: u32) -> Result<Program> {
        tape.check("compile", roots)?;
        let program = Program::compile_roots(tape, roots, root_element(roots)?, mode, max_cost)?;
        let of_a_walk = |line: &Line| matches!(line.node, Node::State { .. } | Node::Step);
        if program.lines.iter().any(of_a_walk) {
            return Err(Error::Invalid {
                what: "a field program".to_owned(),
                expected: "values of an element".to_owned(),
                found: "the state or the step of a walk, which `Walk::compile` takes".to_owned(),
            });
        }
        Ok(program)
    }

    /// As `compile`, with roots that may read what only a walk has, and that are words of any kind.
    pub(super) fn compile_roots(
        tape: &Tape,
        roots: &[Reg],
        element: Element,
        mode: Mode,
        max_cost: u32,
    ) -> Result<Program> {
        tape.check("compile", roots)?;
        let (mut lines, roots) = live(tape, roots);
        let key = digest(&lines, &roots, mode);
        let leaves = take_leaves(&mut lines)?;
        let numbers = take_numbers(&mut lines)?;
        if numbers.len() > MAX_NUMBERS {
            return Err(Error::TooMany {
                what: "the numbers of one field program".to_owned(),
                found: numbers.len() as u64,
                limit: MAX_NUMBERS as u64,
            });
        }
        let cost = cost(&lines, roots.len(), mode);
        if cost.weight > max_cost {
            return Err(Error::TooMany {
                what: format!(
                    "a field program of {} operators weighs too much for one dispatch",
                    cost.operators
                ),
                found: u64::from(cost.weight),
                limit: u64::from(max_cost),
            });
        }
        let code = lower::lower(&lines, &roots);
        Ok(Program {
            lines,
            roots,
            element,
            mode,
            leaves,
            numbers,
            code,
            cost,
            key,
        })
    }

    /// The columns it reads, by ascending slot.
    pub fn leaves(&self) -> &[LeafUse] {
        &self.leaves
    }

    /// Whether the column in that place of [`leaves`](Self::leaves) is read at the element's own number, and not only
    /// through an index.
    pub(crate) fn reads_own_element(&self, place: usize) -> bool {
        let reads = |line: &Line| matches!(line.node, Node::Leaf { slot, .. } if slot as usize == place);
        self.lines.iter().any(reads)
    }

    /// The numbers it reads, by ascending slot.
    pub fn numbers(&self) -> &[NumberUse] {
        &self.numbers
    }

    /// Lanes of the output: one a root.
    pub fn lanes(&self) -> u32 {
        self.roots.len() as u32
    }

    /// The element of the output. Bools are written as `u32`, 0 or 1.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The mode it was compiled for.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What one element costs.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// A stable 128-bit hash of what it computes: equal for equal expressions however their tapes were written, on
    /// every machine and in every run. Leaf and number places enter it, their contents do not.
    pub fn key(&self) -> u128 {
        self.key
    }

    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(super) fn roots(&self) -> &[Reg] {
        &self.roots
    }

    pub(super) fn code(&self) -> &Code {
        &self.code
    }

    pub(super) fn check_inputs(&self, inputs: &Inputs<'_>) -> Result<()> {
        self.check_words("the leaves of a field program", inputs.leaves.len(), self.leaves.len())?;
        self.check_words(
            "the numbers of a field program",
            inputs.numbers.len(),
            self.numbers.len(),
        )
    }

    pub(super) fn check_words(&self, what: &str, found: usize, expected: usize) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        Err(Error::Invalid {
            what: what.to_owned(),
            expected: expected.to_string(),
            found: found.to_string(),
        })
    }
}

fn root_element(roots: &[Reg]) -> Result<Element> {
    let Some(first) = roots.first() else {
        return Err(Error::Invalid {
            what: "the roots of a field program".to_owned(),
            expected: "at least one".to_owned(),
            found: "none".to_owned(),
        });
    };
    let element = first.kind.element();
    if roots.iter().all(|r| r.kind.element() == element) {
        return Ok(element);
    }
    let kinds: Vec<_> = roots.iter().map(|r| r.kind).collect();
    Err(wrong_kind("compile", "roots of one element", &kinds))
}

/// The lines that the roots need, renumbered in their old order. Walks only those, however long the tape is.
fn live(tape: &Tape, roots: &[Reg]) -> (Vec<Line>, Vec<Reg>) {
    let mut renumbered: HashMap<u32, u32> = HashMap::new();
    let mut open: Vec<u32> = Vec::new();
    let mut found: Vec<u32> = Vec::new();
    open.extend(roots.iter().map(|r| r.index));
    while let Some(index) = open.pop() {
        if renumbered.insert(index, 0).is_none() {
            found.push(index);
            tape.lines()[index as usize].node.operands(|r| open.push(r.index));
        }
    }
    found.sort_unstable();
    for (new, old) in found.iter().enumerate() {
        renumbered.insert(*old, new as u32);
    }
    let moved = |r: Reg| Reg {
        index: renumbered[&r.index],
        kind: r.kind,
    };
    let lines = found
        .iter()
        .map(|&old| {
            let line = tape.lines()[old as usize];
            Line {
                node: line.node.map(moved),
                kind: line.kind,
            }
        })
        .collect();
    (lines, roots.iter().map(|&r| moved(r)).collect())
}

fn digest(lines: &[Line], roots: &[Reg], mode: Mode) -> u128 {
    let mut digests: Vec<u128> = Vec::with_capacity(lines.len());
    for line in lines {
        let digest = key::line(line, |r| digests[r.index as usize]);
        digests.push(digest);
    }
    key::program(
        roots.iter().map(|r| (digests[r.index as usize], r.kind)),
        mode == Mode::Exact,
    )
}

/// Collects the columns that are read and makes the lines' places indices into them.
fn take_leaves(lines: &mut [Line]) -> Result<Vec<LeafUse>> {
    let mut uses: Vec<LeafUse> = Vec::new();
    for line in lines.iter() {
        if let Node::Leaf { slot, lane } | Node::Gather { slot, lane, .. } = line.node {
            uses.push(LeafUse {
                slot,
                element: line.kind.element(),
                lanes: lane.saturating_add(1),
            });
        }
    }
    uses.sort_by_key(|u| (u.slot, u.lanes));
    if let Some([a, b]) = uses
        .array_windows()
        .find(|[a, b]| a.slot == b.slot && a.element != b.element)
    {
        return Err(two_kinds("leaf", a.slot, a.element.to_string(), b.element.to_string()));
    }
    // Of one slot the last has the most lanes.
    uses.reverse();
    uses.dedup_by_key(|u| u.slot);
    uses.reverse();
    for line in lines {
        if let Node::Leaf { slot, .. } | Node::Gather { slot, .. } = &mut line.node {
            *slot = uses.partition_point(|u| u.slot < *slot) as u32;
        }
    }
    Ok(uses)
}

/// Collects the numbers that are read and makes the lines' places indices into them.
fn take_numbers(lines: &mut [Line]) -> Result<Vec<NumberUse>> {
    let mut uses: Vec<NumberUse> = Vec::new();
    for line in lines.iter() {
        if let Node::Number { slot } = line.node {
            uses.push(NumberUse { slot, kind: line.kind });
        }
    }
    uses.sort_by_key(|u| (u.slot, u.kind));
    if let Some([a, b]) = uses.array_windows().find(|[a, b]| a.slot == b.slot && a.kind != b.kind) {
        return Err(two_kinds(
            "number",
            a.slot,
            a.kind.name().to_owned(),
            b.kind.name().to_owned(),
        ));
    }
    for line in lines {
        if let Node::Number { slot } = &mut line.node {
            *slot = uses.partition_point(|u| u.slot < *slot) as u32;
        }
    }
    Ok(uses)
}

fn two_kinds(what: &str, slot: u32, a: String, b: String) -> Error {
    Error::Invalid {
        what: format!("{what} {slot}"),
        expected: format!("{a} everywhere"),
        found: format!("{b} too"),
    }
}

fn cost(lines: &[Line], roots: usize, mode: Mode) -> Cost {
    let mut cost = Cost {
        weight: roots as u32,
        ..Cost::default()
    };
    for line in lines {
        let weight = match line.node {
            Node::Const { .. } | Node::Id | Node::Number { .. } | Node::State { .. } | Node::Step => continue,
            Node::Leaf { .. } => {
                cost.leaf_reads += 1;
                cost.weight = cost.weight.saturating_add(4);
                continue;
            }
            Node::Gather { .. } => {
                cost.leaf_reads += 1;
                4
            }
            Node::Unary { op, .. } => unary_weight(op),
            Node::Binary { op, a, .. } => binary_weight(op, a.kind, mode),
            Node::Select { .. } => 1,
            Node::Call { prelude, .. } => prelude.function().weight(),
        };
        cost.operators = cost.operators.saturating_add(1);
        cost.weight = cost.weight.saturating_add(weight);
    }
    cost
}

// The weights are the sizes of the functions in WGSL, counted roughly in operators.
const fn unary_weight(op: Unary) -> u32 {
    match op {
        Unary::Sin | Unary::Cos | Unary::Exp2 | Unary::Log2 => 24,
        Unary::Tanh => 32,
        Unary::Sqrt => 12,
        Unary::ToI32 | Unary::ToU32 => 4,
        _ => 1,
    }
}

const fn binary_weight(op: Binary, kind: Kind, mode: Mode) -> u32 {
    match (op, kind, mode) {
        (Binary::Pow, ..) => 64,
        (Binary::Atan2, ..) => 40,
        (Binary::Div, Kind::F32, _) => 12,
        (Binary::Mod, Kind::F32, _) => 16,
        (Binary::Div | Binary::Mod, ..) => 4,
        (Binary::Mul, Kind::F32, Mode::Exact) => 2,
        _ => 1,
    }
}
