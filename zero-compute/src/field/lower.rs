//! From lines to the block machine's code: uniform values taken out of the loop, neighbours fused, registers reused.
//!
//! Every pass walks the lines once.

use super::kind::Kind;
use super::op::{Binary, Unary};
use super::prelude::{Function, MAX_ARGS};
use super::shared::Shared;
use super::tape::{Line, Node, Reg};

/// Where an instruction finds an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A block register.
    Block(u32),
    /// A column of the inputs, read in place where it lies contiguous and from the register where not.
    Leaf { column: u32, register: u32 },
    /// The value of a line that is the same at every element.
    Uniform(u32),
}

/// Where an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Register(u32),
    /// The output itself; only in a program of one root, and only once.
    Out,
}

/// A multiply or add with the operator that used it. Both round, as the two alone would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fused {
    /// `a * b + c`
    MulAdd,
    /// `a * b - c`
    MulSub,
    /// `c - a * b`
    SubMul,
    /// `(a + b) * c`
    AddMul,
    /// `(a - b) * c`
    DiffMul,
}

/// What an instruction does; its operands stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// The element numbers.
    Iota,
    /// Fills the register of a column that is not read in place.
    Load {
        column: u32,
    },
    /// Repeats a uniform value, or copies a block.
    Copy,
    /// A column read at computed elements.
    Gather {
        leaf: u32,
        lane: u32,
        signed: bool,
    },
    Unary(Unary, Kind),
    Binary(Binary, Kind),
    Fused(Fused),
    Select,
    /// `if a ? b { c } else { d }` of floats.
    CompareSelect(Binary),
    /// One result of a function; where it has several, all are kept for the instructions that follow.
    Call {
        function: Function,
        result: usize,
    },
    /// Another result of the call before.
    Result(usize),
    /// Writes a lane of an interleaved output.
    Store {
        lane: u32,
    },
}

/// One instruction. Operands past the ones its work takes repeat the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    pub(super) work: Work,
    pub(super) target: Target,
    pub(super) args: [Operand; MAX_ARGS],
}

/// A column of the inputs: one lane of one leaf, or of a walk's state where there is no leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnUse {
    pub(super) leaf: Option<u32>,
    pub(super) lane: u32,
}

/// The block machine's program.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) instrs: Vec<Instr>,
    pub(super) columns: Vec<ColumnUse>,
    /// Lines to be computed once a run, operands first.
    pub(super) uniform: Vec<u32>,
    /// Block registers in use at one time.
    pub(super) registers: u32,
}

pub(super) fn lower(lines: &[Line], roots: &[Reg]) -> Code {
    let uniform = uniform(lines);
    let fusion = fuse(lines, roots, &uniform);
    let draft = Draft::write(lines, roots, &uniform, &fusion);
    let (instrs, registers) = allocate(draft.steps, draft.values);
    let named = (0..lines.len() as u32).filter(|&line| uniform[line as usize]).collect();
    Code {
        instrs,
        columns: draft.columns,
        uniform: named,
        registers,
    }
}

/// Which lines are the same at every element.
fn uniform(lines: &[Line]) -> Vec<bool> {
    let mut uniform: Vec<bool> = Vec::with_capacity(lines.len());
    for line in lines {
        let mut same = !matches!(
            line.node,
            Node::Id | Node::Leaf { .. } | Node::Gather { .. } | Node::State { .. }
        );
        line.node.operands(|r| same &= uniform[r.index as usize]);
        uniform.push(same);
    }
    uniform
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Its own instruction.
    Alone,
    /// Computed inside its only user.
    Absorbed,
    /// Computes itself and the line it absorbed.
    Fused { work: Work, args: [Reg; MAX_ARGS] },
}

/// Chooses which lines are computed inside their only user.
fn fuse(lines: &[Line], roots: &[Reg], uniform: &[bool]) -> Vec<Fate> {
    let mut users = vec![0u32; lines.len()];
    for line in lines {
        line.node.operands(|r| users[r.index as usize] += 1);
    }
    for root in roots {
        users[root.index as usize] += 1;
    }
    let mut fates = vec![Fate::Alone; lines.len()];
    for (index, line) in lines.iter().enumerate() {
        let free = |r: Reg| {
            let at = r.index as usize;
            (users[at] == 1 && !uniform[at] && fates[at] == Fate::Alone).then(|| lines[at].node)
        };
        if uniform[index] {
            continue;
        }
        let varies = |r: Reg| !uniform[r.index as usize];
        if let Some((absorbed, work, args)) = fuse_line(line, free, varies) {
            fates[absorbed.index as usize] = Fate::Absorbed;
            fates[index] = Fate::Fused { work, args };
        }
    }
    fates
}

/// The line that `line` can absorb, if any. The first operand of what comes of it varies over the elements, which
/// keeps the number of loops down.
fn fuse_line(
    line: &Line,
    free: impl Fn(Reg) -> Option<Node>,
    varies: impl Fn(Reg) -> bool,
) -> Option<(Reg, Work, [Reg; MAX_ARGS])> {
    let product = |r: Reg| match free(r)? {
        Node::Binary { op: Binary::Mul, a, b } if varies(a) => Some((a, b)),
        Node::Binary { op: Binary::Mul, a, b } => Some((b, a)),
        _ => None,
    };
    let three = |work, a, b, c| (Work::Fused(work), padded([a, b, c]));
    match line.node {
        Node::Binary { op: Binary::Add, a, b } if line.kind == Kind::F32 => {
            let (absorbed, (x, y), rest) = match product(b) {
                Some(factors) => (b, factors, a),
                None => (a, product(a)?, b),
            };
            let (work, args) = three(Fused::MulAdd, x, y, rest);
            Some((absorbed, work, args))
        }
        Node::Binary { op: Binary::Sub, a, b } if line.kind == Kind::F32 => {
            let (absorbed, (work, args)) = match product(b) {
                Some((x, y)) => (b, three(Fused::SubMul, x, y, a)),
                None => product(a).map(|(x, y)| (a, three(Fused::MulSub, x, y, b)))?,
            };
            Some((absorbed, work, args))
        }
        Node::Binary { op: Binary::Mul, a, b } if line.kind == Kind::F32 => {
            let sum = |r: Reg, factor: Reg| match free(r)? {
                Node::Binary { op: Binary::Add, a, b } if varies(a) => Some((r, three(Fused::AddMul, a, b, factor))),
                Node::Binary { op: Binary::Add, a, b } => Some((r, three(Fused::AddMul, b, a, factor))),
                Node::Binary { op: Binary::Sub, a, b } if varies(a) => Some((r, three(Fused::DiffMul, a, b, factor))),
                _ => None,
            };
            let (absorbed, (work, args)) = sum(a, b).or_else(|| sum(b, a))?;
            Some((absorbed, work, args))
        }
        Node::Select { cond, a: yes, b: no } => match free(cond)? {
            Node::Binary { op, a, b } if a.kind == Kind::F32 => {
                let (op, a, b, yes, no) = compare(op, a, b, yes, no, varies)?;
                Some((cond, Work::CompareSelect(op), padded([a, b, yes, no])))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A comparison whose first operand varies, with the choice that follows it.
fn compare(
    op: Binary,
    a: Reg,
    b: Reg,
    yes: Reg,
    no: Reg,
    varies: impl Fn(Reg) -> bool,
) -> Option<(Binary, Reg, Reg, Reg, Reg)> {
    let (op, yes, no) = match op {
        Binary::Ne => (Binary::Eq, no, yes),
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq => (op, yes, no),
        _ => return None,
    };
    if varies(a) {
        return Some((op, a, b, yes, no));
    }
    let turned = match op {
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        other => other,
    };
    Some((turned, b, a, yes, no))
}

/// An operand before registers are chosen.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// The value of that number, a line's or a copy's.
    Block(u32),
    /// A column; its register is the value of that number.
    Leaf {
        column: u32,
        value: u32,
    },
    Uniform(u32),
}

#[derive(Clone, Copy, Debug)]
struct Step {
    work: Work,
    /// The value written; `None` writes the output.
    value: Option<u32>,
    args: [Value; MAX_ARGS],
}

/// Instructions over values without end, before registers are chosen.
struct Draft<'a> {
    lines: &'a [Line],
    uniform: &'a [bool],
    shared: Shared,
    steps: Vec<Step>,
    columns: Vec<ColumnUse>,
    /// The column of each line that is a leaf and was loaded.
    loaded: Vec<Option<u32>>,
    /// Values so far: one a line, then the copies.
    values: u32,
}

impl<'a> Draft<'a> {
    fn write(lines: &'a [Line], roots: &[Reg], uniform: &'a [bool], fates: &[Fate]) -> Draft<'a> {
        let mut draft = Draft {
            lines,
            uniform,
            shared: Shared::of(lines),
            steps: Vec::with_capacity(lines.len()),
            columns: Vec::new(),
            loaded: vec![None; lines.len()],
            values: lines.len() as u32,
        };
        let only = match roots {
            [root] => Some(root.index),
            _ => None,
        };
        let mut lanes: Vec<Vec<u32>> = Vec::new();
        if only.is_none() {
            lanes.resize(lines.len(), Vec::new());
            for (lane, root) in roots.iter().enumerate() {
                lanes[root.index as usize].push(lane as u32);
            }
        }
        for (index, line) in lines.iter().enumerate() {
            let at = index as u32;
            let written = (only != Some(at)).then_some(at);
            if !uniform[index] && !matches!(line.node, Node::Leaf { .. } | Node::State { .. }) {
                draft.line(at, line, fates[index], written);
            } else if only == Some(at) {
                // A root that no instruction computes.
                draft.step(
                    Work::Copy,
                    None,
                    [Reg {
                        index: at,
                        kind: line.kind,
                    }; MAX_ARGS],
                );
            }
            for &lane in lanes.get(index).into_iter().flatten() {
                draft.step(
                    Work::Store { lane },
                    None,
                    [Reg {
                        index: at,
                        kind: line.kind,
                    }; MAX_ARGS],
                );
            }
        }
        draft
    }

    fn line(&mut self, at: u32, line: &Line, fate: Fate, written: Option<u32>) {
        if self.shared.first[at as usize] != at {
            return; // It was written with the first.
        }
        let (work, args) = match (fate, line.node) {
            (Fate::Absorbed, _) => return,
            (Fate::Fused { work, args }, _) => (work, args),
            (Fate::Alone, node) => match own_work(node, line.kind) {
                Some(own) => own,
                None => return,
            },
        };
        self.step(work, written, args);
        for other in self.shared.others.remove(&at).unwrap_or_default() {
            if let Node::Call { prelude, args } = self.lines[other as usize].node {
                self.step(Work::Result(prelude.result()), Some(other), args);
            }
        }
    }

    fn step(&mut self, work: Work, value: Option<u32>, args: [Reg; MAX_ARGS]) {
        let count = work.operands();
        let mut values = [Value::Uniform(0); MAX_ARGS];
        for (place, &reg) in args.iter().enumerate().take(count) {
            values[place] = self.value(reg, work.wants_block(place));
        }
        self.steps.push(Step {
            work,
            value,
            args: values,
        });
    }

    fn value(&mut self, reg: Reg, as_block: bool) -> Value {
        let at = reg.index as usize;
        if self.uniform[at] {
            if !as_block {
                return Value::Uniform(reg.index);
            }
            let copy = self.values;
            self.values += 1;
            self.steps.push(Step {
                work: Work::Copy,
                value: Some(copy),
                args: [Value::Uniform(reg.index); MAX_ARGS],
            });
            return Value::Block(copy);
        }
        let (leaf, lane) = match self.lines[at].node {
            Node::Leaf { slot, lane } => (Some(slot), lane),
            Node::State { lane } => (None, lane),
            _ => return Value::Block(reg.index),
        };
        let column = *self.loaded[at].get_or_insert_with(|| {
            let column = self.columns.len() as u32;
            self.columns.push(ColumnUse { leaf, lane });
            self.steps.push(Step {
                work: Work::Load { column },
                value: Some(reg.index),
                args: [Value::Uniform(0); MAX_ARGS],
            });
            column
        });
        Value::Leaf {
            column,
            value: reg.index,
        }
    }
}

/// Operands in as many places as any work has.
fn padded<const N: usize>(args: [Reg; N]) -> [Reg; MAX_ARGS] {
    std::array::from_fn(|at| *args.get(at).unwrap_or(&args[0]))
}

/// What a line does when nothing is fused with it; `None` for what is no instruction.
fn own_work(node: Node, kind: Kind) -> Option<(Work, [Reg; MAX_ARGS])> {
    let pad = Reg { index: 0, kind };
    Some(match node {
        Node::Const { .. } | Node::Number { .. } | Node::Leaf { .. } | Node::State { .. } | Node::Step => {
            return None;
        }
        Node::Id => (Work::Iota, [pad; MAX_ARGS]),
        Node::Gather { slot, lane, index } => (
            Work::Gather {
                leaf: slot,
                lane,
                signed: index.kind == Kind::I32,
            },
            [index; MAX_ARGS],
        ),
        Node::Unary { op, a } => (Work::Unary(op, a.kind), [a; MAX_ARGS]),
        Node::Binary { op, a, b } => (Work::Binary(op, a.kind), padded([a, b])),
        Node::Select { cond, a, b } => (Work::Select, padded([cond, a, b])),
        Node::Call { prelude, args } => {
            let (function, result) = (prelude.function(), prelude.result());
            (Work::Call { function, result }, args)
        }
    })
}

impl Work {
    fn operands(self) -> usize {
        match self {
            Work::Iota | Work::Load { .. } | Work::Result(_) => 0,
            Work::Copy | Work::Gather { .. } | Work::Unary(..) | Work::Store { .. } => 1,
            Work::Binary(..) => 2,
            Work::Fused(_) | Work::Select => 3,
            Work::CompareSelect(_) => 4,
            Work::Call { function, .. } => function.takes().len(),
        }
    }

    /// Whether the operand in that place is read as a block even where it is the same at every element.
    fn wants_block(self, place: usize) -> bool {
        match self {
            Work::Gather { .. } => true,
            Work::Call { function, .. } => (1..=function.axes()).contains(&place),
            Work::Binary(Binary::Pow | Binary::Atan2, _) | Work::Binary(Binary::Mod, Kind::F32) => true,
            // A choice between two uniform values by a varying condition is common; the condition itself varies.
            Work::Select => place == 0,
            _ => false,
        }
    }
}

/// Gives every value a register from its first write to its last read. A target never shares the register of an
/// operand: it is taken before the operands' registers are given back.
fn allocate(steps: Vec<Step>, values: u32) -> (Vec<Instr>, u32) {
    const NEVER: usize = usize::MAX;
    let mut last = vec![NEVER; values as usize];
    for (at, step) in steps.iter().enumerate() {
        for value in step.args.iter().filter_map(Value::register) {
            last[value as usize] = at;
        }
    }
    let mut registers: Vec<u32> = vec![0; values as usize];
    let mut free: Vec<u32> = Vec::new();
    let mut used = 0;
    let mut instrs = Vec::with_capacity(steps.len());
    for (at, step) in steps.into_iter().enumerate() {
        let target = match step.value {
            None => Target::Out,
            Some(value) => {
                // The register freed last is the likeliest to be in the cache.
                let register = free.pop().unwrap_or_else(|| {
                    used += 1;
                    used - 1
                });
                registers[value as usize] = register;
                Target::Register(register)
            }
        };
        let args = step.args.map(|value| match value {
            Value::Block(value) => Operand::Block(registers[value as usize]),
            Value::Leaf { column, value } => Operand::Leaf {
                column,
                register: registers[value as usize],
            },
            Value::Uniform(line) => Operand::Uniform(line),
        });
        for value in step.args.iter().filter_map(Value::register) {
            if last[value as usize] == at {
                free.push(registers[value as usize]);
                // An operand may stand in two places; it is given back once.
                last[value as usize] = NEVER;
            }
        }
        instrs.push(Instr {
            work: step.work,
            target,
            args,
        });
    }
    (instrs, used)
}

impl Value {
    fn register(&self) -> Option<u32> {
        match *self {
            Value::Block(value) | Value::Leaf { value, .. } => Some(value),
            Value::Uniform(_) => None,
        }
    }
}
