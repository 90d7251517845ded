//! The tape: scalar operators in single-assignment form, shared by value.

use std::collections::HashMap;

use super::kind::Kind;
use super::op::{Binary, Unary, wrong_kind};
use super::prelude::{MAX_ARGS, Prelude};
use super::simplify::{self, Simple};
use crate::error::{Error, Result};

/// A value on a [`Tape`]. It means something only on the tape that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg {
    pub(crate) index: u32,
    pub(crate) kind: Kind,
}

/// One line of a tape. Operands stand on earlier lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Const {
        bits: u32,
    },
    Id,
    Number {
        slot: u32,
    },
    Leaf {
        slot: u32,
        lane: u32,
    },
    Gather {
        slot: u32,
        lane: u32,
        index: Reg,
    },
    /// A lane of a walker's state.
    State {
        lane: u32,
    },
    /// The number of a walk's step.
    Step,
    Unary {
        op: Unary,
        a: Reg,
    },
    Binary {
        op: Binary,
        a: Reg,
        b: Reg,
    },
    Select {
        cond: Reg,
        a: Reg,
        b: Reg,
    },
    Call {
        prelude: Prelude,
        args: Args,
    },
}

/// The operands of a call; the places past [`Prelude::takes`] repeat the first operand.
pub(crate) type Args = [Reg; MAX_ARGS];

impl Node {
    /// Calls `f` for each operand, in order.
    pub(crate) fn operands(&self, mut f: impl FnMut(Reg)) {
        match *self {
            Node::Const { .. }
            | Node::Id
            | Node::Number { .. }
            | Node::Leaf { .. }
            | Node::State { .. }
            | Node::Step => {}
            Node::Gather { index, .. } => f(index),
            Node::Unary { a, .. } => f(a),
            Node::Binary { a, b, .. } => {
                f(a);
                f(b);
            }
            Node::Select { cond, a, b } => {
                f(cond);
                f(a);
                f(b);
            }
            Node::Call { prelude, args } => args.iter().take(prelude.takes().len()).for_each(|&r| f(r)),
        }
    }

    /// The same line with every operand passed through `f`.
    pub(crate) fn map(&self, f: impl Fn(Reg) -> Reg) -> Node {
        match *self {
            Node::Const { .. }
            | Node::Id
            | Node::Number { .. }
            | Node::Leaf { .. }
            | Node::State { .. }
            | Node::Step => *self,
            Node::Gather { slot, lane, index } => Node::Gather {
                slot,
                lane,
                index: f(index),
            },
            Node::Unary { op, a } => Node::Unary { op, a: f(a) },
            Node::Binary { op, a, b } => Node::Binary { op, a: f(a), b: f(b) },
            Node::Select { cond, a, b } => Node::Select {
                cond: f(cond),
                a: f(a),
                b: f(b),
            },
            Node::Call { prelude, args } => Node::Call {
                prelude,
                args: args.map(f),
            },
        }
    }
}

/// A line with the kind of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub(crate) node: Node,
    pub(crate) kind: Kind,
}

/// An expression under construction.
///
/// Equal operators over equal operands are one line; operators over constants are folded by the scalar reference;
/// identities are taken out where the bits stay the same for every finite value. Adding a line costs a constant time
/// and nothing here recurses, so a chain may be as long as memory allows.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    lines: Vec<Line>,
    known: HashMap<Line, Reg>,
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Tape {
        Tape::default()
    }

    /// Lines on the tape, the unused ones too.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing is on the tape.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The kind of a value.
    pub fn kind(&self, reg: Reg) -> Kind {
        reg.kind
    }

    /// The bits of a value that is the same at every element whatever the numbers, where `reg` is one.
    pub fn constant(&self, reg: Reg) -> Option<u32> {
        match self.node(reg)? {
            Node::Const { bits } => Some(bits),
            _ => None,
        }
    }

    /// A constant float.
    pub fn const_f32(&mut self, value: f32) -> Reg {
        self.const_bits(Kind::F32, value.to_bits())
    }

    /// A constant signed integer.
    pub fn const_i32(&mut self, value: i32) -> Reg {
        self.const_bits(Kind::I32, value.cast_unsigned())
    }

    /// A constant unsigned integer.
    pub fn const_u32(&mut self, value: u32) -> Reg {
        self.const_bits(Kind::U32, value)
    }

    /// A constant truth value.
    pub fn const_bool(&mut self, value: bool) -> Reg {
        self.const_bits(Kind::Bool, u32::from(value))
    }

    /// The number of the element, from 0, as a `u32`.
    pub fn id(&mut self) -> Reg {
        self.push(Node::Id, Kind::U32)
    }

    /// The number that the caller passes in place `slot` when the program runs: the same at every element, and free
    /// to change without compiling anything.
    pub fn number(&mut self, slot: u32, kind: Kind) -> Reg {
        self.word(kind, Node::Number { slot })
    }

    /// Lane `lane` of the column in place `slot`, at the element's own number; past the column's end its last
    /// element. A lane that the column does not have reads 0.
    pub fn leaf(&mut self, slot: u32, lane: u32, kind: Kind) -> Reg {
        self.word(kind, Node::Leaf { slot, lane })
    }

    /// Lane `lane` of the column in place `slot`, at the element `index` (`u32`, or `i32` whose negative values read
    /// element 0); past the column's end its last element.
    ///
    /// # Errors
    /// [`Error::WrongKind`] where `index` is no integer, [`Error::Invalid`] where it is no value of this tape.
    pub fn gather(&mut self, slot: u32, lane: u32, kind: Kind, index: Reg) -> Result<Reg> {
        self.check("gather", &[index])?;
        if !matches!(index.kind, Kind::I32 | Kind::U32) {
            return Err(wrong_kind("gather", "an index of i32 or u32", &[index.kind]));
        }
        Ok(self.word(kind, Node::Gather { slot, lane, index }))
    }

    /// Lane `lane` of a walker's state, a float. Only a [`Walk`](super::Walk) has one.
    pub fn walk_state(&mut self, lane: u32) -> Reg {
        self.push(Node::State { lane }, Kind::F32)
    }

    /// The number of a walk's step, from 0, as a `u32`: the same for every walker. Only a [`Walk`](super::Walk) has one.
    pub fn walk_step(&mut self) -> Reg {
        self.push(Node::Step, Kind::U32)
    }

    /// An operator of one operand.
    ///
    /// # Errors
    /// [`Error::WrongKind`] where it does not take `a`'s kind, [`Error::Invalid`] where `a` is no value of this tape.
    pub fn unary(&mut self, op: Unary, a: Reg) -> Result<Reg> {
        self.check(op.name(), &[a])?;
        let kind = op.result(a.kind)?;
        Ok(self.simplified(Node::Unary { op, a }, kind))
    }

    /// An operator of two operands.
    ///
    /// # Errors
    /// [`Error::WrongKind`] where it does not take these kinds, [`Error::Invalid`] where an operand is no value of
    /// this tape.
    pub fn binary(&mut self, op: Binary, a: Reg, b: Reg) -> Result<Reg> {
        self.check(op.name(), &[a, b])?;
        let kind = op.result(a.kind, b.kind)?;
        Ok(self.simplified(Node::Binary { op, a, b }, kind))
    }

    /// `a` where `cond` holds, else `b`. Both are computed.
    ///
    /// # Errors
    /// [`Error::WrongKind`] unless `cond` is a Bool and `a` and `b` are of one kind, [`Error::Invalid`] where an
    /// operand is no value of this tape.
    pub fn select(&mut self, cond: Reg, a: Reg, b: Reg) -> Result<Reg> {
        self.check("select", &[cond, a, b])?;
        if cond.kind != Kind::Bool || a.kind != b.kind {
            return Err(wrong_kind(
                "select",
                "a bool and two of one kind",
                &[cond.kind, a.kind, b.kind],
            ));
        }
        Ok(self.simplified(Node::Select { cond, a, b }, a.kind))
    }

    /// A function of zero-noise; [`Prelude::takes`] says which operands it needs.
    ///
    /// # Errors
    /// [`Error::WrongKind`] where the operands are not those, [`Error::Invalid`] where one is no value of this tape or a
    /// constant metric that is none, [`Error::TooMany`] for a constant count of octaves past zero-noise's `MAX_OCTAVES`.
    pub fn call(&mut self, prelude: Prelude, args: &[Reg]) -> Result<Reg> {
        self.check(prelude.name(), args)?;
        let kinds: Vec<_> = args.iter().map(|r| r.kind).collect();
        let takes = prelude.takes();
        let (true, Some(&first)) = (kinds == takes, args.first()) else {
            let expected: Vec<_> = takes.iter().map(|k| k.name()).collect();
            return Err(wrong_kind(prelude.name(), &expected.join(", "), &kinds));
        };
        let mut all = [first; MAX_ARGS];
        for (place, &arg) in all.iter_mut().zip(args) {
            *place = arg;
        }
        for (place, &arg) in args.iter().enumerate() {
            self.constant(arg)
                .map_or(Ok(()), |bits| prelude.check_constant(place, bits))?;
        }
        Ok(self.simplified(Node::Call { prelude, args: all }, prelude.answers()))
    }

    /// Writes every line of `other` onto this tape, its leaf and number places renamed. Answers where each line of
    /// `other` now stands: [`Imported::get`] takes one of `other`'s values. Takes time linear in `other`.
    pub fn import(&mut self, other: &Tape, map_leaf: &dyn Fn(u32) -> u32, map_number: &dyn Fn(u32) -> u32) -> Imported {
        let mut moved: Vec<Reg> = Vec::with_capacity(other.lines.len());
        for line in &other.lines {
            // Operands stand on earlier lines, so they have all moved already.
            let node = line.node.map(|r| moved.get(r.index as usize).copied().unwrap_or(r));
            let reg = match node {
                Node::Number { slot } => self.push(Node::Number { slot: map_number(slot) }, line.kind),
                Node::Leaf { slot, lane } => self.push(
                    Node::Leaf {
                        slot: map_leaf(slot),
                        lane,
                    },
                    line.kind,
                ),
                Node::Gather { slot, lane, index } => self.push(
                    Node::Gather {
                        slot: map_leaf(slot),
                        lane,
                        index,
                    },
                    line.kind,
                ),
                _ => self.simplified(node, line.kind),
            };
            moved.push(reg);
        }
        Imported { moved }
    }

    /// Writes every line of `other` onto this tape with a value of this tape in place of each of its numbers: slot `k`
    /// becomes `numbers[k]`. What `other` computes of numbers is then computed of what they stand for. Takes time
    /// linear in `other`.
    ///
    /// # Errors
    /// [`Error::Invalid`] where a slot has no value, where one is no value of this tape, or where `other` reads a
    /// column; [`Error::WrongKind`] where a value is of another kind than its number.
    pub fn import_over(&mut self, other: &Tape, numbers: &[Reg]) -> Result<Imported> {
        self.check("import_over", numbers)?;
        let mut moved: Vec<Reg> = Vec::with_capacity(other.lines.len());
        for line in &other.lines {
            let node = line.node.map(|r| moved.get(r.index as usize).copied().unwrap_or(r));
            let reg = match node {
                Node::Number { slot } => {
                    let value = numbers.get(slot as usize).copied().ok_or_else(|| Error::Invalid {
                        what: format!("number {slot} of an imported tape"),
                        expected: "a value to stand for it".to_owned(),
                        found: format!("{} values", numbers.len()),
                    })?;
                    match (value.kind, line.kind) {
                        (from, to) if from == to => value,
                        // A Bool number is held as a word and compared with 0 by the line after it.
                        (Kind::Bool, Kind::U32) => self.unary(Unary::ToU32, value)?,
                        (from, to) => return Err(wrong_kind("import_over", to.name(), &[from])),
                    }
                }
                Node::Leaf { .. } | Node::Gather { .. } => {
                    return Err(Error::Invalid {
                        what: "an imported tape".to_owned(),
                        expected: "numbers alone".to_owned(),
                        found: "a read of a column".to_owned(),
                    });
                }
                _ => self.simplified(node, line.kind),
            };
            moved.push(reg);
        }
        Ok(Imported { moved })
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(crate) fn node(&self, reg: Reg) -> Option<Node> {
        self.lines.get(reg.index as usize).map(|line| line.node)
    }

    /// Refuses values that this tape did not make, as far as they can be told.
    pub(crate) fn check(&self, op: &str, regs: &[Reg]) -> Result<()> {
        match regs
            .iter()
            .find(|r| self.lines.get(r.index as usize).is_none_or(|line| line.kind != r.kind))
        {
            None => Ok(()),
            Some(r) => Err(Error::Invalid {
                what: format!("an operand of `{op}`"),
                expected: format!("a value of this tape of {} lines", self.lines.len()),
                found: format!("a {} of line {} of another tape", r.kind.name(), r.index),
            }),
        }
    }

    pub(crate) fn const_bits(&mut self, kind: Kind, bits: u32) -> Reg {
        self.push(Node::Const { bits }, kind)
    }

    /// Pushes a word that comes from outside. A Bool arrives as a `u32` of any value, so it is compared with 0 here
    /// and every Bool on the tape is 0 or 1.
    fn word(&mut self, kind: Kind, node: Node) -> Reg {
        if kind != Kind::Bool {
            return self.push(node, kind);
        }
        let a = self.push(node, Kind::U32);
        self.push(Node::Unary { op: Unary::ToBool, a }, Kind::Bool)
    }

    fn simplified(&mut self, node: Node, kind: Kind) -> Reg {
        match simplify::simplify(self, node, kind) {
            Simple::Same(reg) => reg,
            Simple::Const(bits) => self.const_bits(kind, bits),
            Simple::Line(node) => self.push(node, kind),
        }
    }

    fn push(&mut self, node: Node, kind: Kind) -> Reg {
        let line = Line { node, kind };
        let next = Reg {
            index: u32::try_from(self.lines.len()).unwrap_or(u32::MAX),
            kind,
        };
        let lines = &mut self.lines;
        *self.known.entry(line).or_insert_with(|| {
            lines.push(line);
            next
        })
    }
}

/// Where the lines of an imported tape stand now.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    moved: Vec<Reg>,
}

impl Imported {
    /// The value on the importing tape that `reg` of the imported one became.
    pub fn get(&self, reg: Reg) -> Option<Reg> {
        self.moved.get(reg.index as usize).copied()
    }
}
