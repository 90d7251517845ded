//! Arithmetic: a connected set of operators as one expression, built onto a tape when it is cooked.

use crate::error::{Error, Result};
use crate::graph::math::MathOp;
use crate::graph::wire::{ElementColumn, Type, Wire};
use crate::value::{FieldLeaf, FieldNumber, FieldValue, Key, KeyHasher, Leaf, Number, Origin, Value};
use std::collections::HashMap;
use std::sync::Arc;
use zero_compute::field::{Binary, Inputs, Kind, Mode, Prelude, Program, Reg, Tape, Unary};

/// One operator of an expression.
#[derive(Clone, Debug)]
pub(crate) struct ExprStep {
    pub(crate) op: MathOp,
    pub(crate) args: Vec<ExprArg>,
}

/// What an operator reads.
#[derive(Clone, Debug)]
pub(crate) enum ExprArg {
    /// A value that the expression is given.
    Leaf(u32),
    /// An earlier step.
    Step(u32),
    /// A constant.
    Const(Wire),
    /// The number of the element.
    ElementNumber,
    /// A column of the element.
    Element(ElementColumn),
}

/// A gathered set of operators: the last step is what it answers.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) steps: Vec<ExprStep>,
    pub(crate) key: Key,
}

impl Expr {
    pub(crate) fn new(steps: Vec<ExprStep>) -> Expr {
        let mut hasher = KeyHasher::new("expr");
        for step in &steps {
            hasher.text(&format!("{:?}", step.op)).u64(step.args.len() as u64);
            for arg in &step.args {
                match arg {
                    ExprArg::Leaf(index) => hasher.u32(0).u32(*index),
                    ExprArg::Step(index) => hasher.u32(1).u32(*index),
                    ExprArg::Const(wire) => {
                        hasher.u32(2);
                        digest_constant(&mut hasher, *wire);
                        &mut hasher
                    }
                    ExprArg::ElementNumber => hasher.u32(3),
                    ExprArg::Element(column) => hasher
                        .u32(4)
                        .text(column.class.name())
                        .text(&column.name)
                        .text(column.ty.name()),
                };
            }
        }
        Expr {
            steps,
            key: hasher.finish(),
        }
    }

    /// The value of the expression: a number where everything it reads is one, else a field.
    pub(crate) fn cook(&self, inputs: &[Value]) -> Result<Value> {
        let mut writer = Writer::default();
        let operands: Vec<Operand> = inputs.iter().map(|value| writer.take(value)).collect::<Result<_>>()?;
        let mut done: Vec<Lanes> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let mut args = Vec::with_capacity(step.args.len());
            for arg in &step.args {
                args.push(match arg {
                    ExprArg::Leaf(index) => operands[*index as usize],
                    ExprArg::Step(index) => Operand::Lanes(done[*index as usize]),
                    ExprArg::Const(wire) => Operand::Lanes(constant(&mut writer.tape, *wire)?),
                    ExprArg::ElementNumber => {
                        writer.per_element = true;
                        let id = writer.tape.id();
                        let id = writer.tape.unary(Unary::ToI32, id)?;
                        Operand::Lanes(Lanes::one(Type::Int, id))
                    }
                    ExprArg::Element(column) => Operand::Lanes(writer.element(column)),
                });
            }
            writer.per_element |= matches!(step.op, MathOp::Read(_) | MathOp::Gather(_));
            done.push(apply(&mut writer.tape, step.op, &args)?);
        }
        match done.last() {
            Some(root) => writer.finish(*root),
            None => Err(Error::Refused("an expression of no operators".to_owned())),
        }
    }
}

/// Scalars of one value: as many as its type has lanes.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    ty: Type,
    regs: [Reg; 3],
}

impl Lanes {
    fn one(ty: Type, reg: Reg) -> Lanes {
        Lanes { ty, regs: [reg; 3] }
    }
    /// The scalars. One number stands for every component of a vector, since its place is filled three times.
    fn used(&self) -> &[Reg] {
        &self.regs[..self.ty.lanes().unwrap_or(1) as usize]
    }
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Lanes(Lanes),
    Column { slot: u32, lanes: u32, int: bool },
}

/// Writes operands onto one tape, their leaves and numbers beside it.
#[derive(Default)]
struct Writer {
    tape: Tape,
    leaves: Vec<FieldLeaf>,
    numbers: Vec<FieldNumber>,
    columns: HashMap<u64, u32>,
    elements: HashMap<ElementColumn, u32>,
    per_element: bool,
}

impl Writer {
    fn take(&mut self, value: &Value) -> Result<Operand> {
        match value {
            Value::Number(number) => Ok(Operand::Lanes(self.number(number))),
            Value::Field(field) => {
                self.per_element = true;
                self.field(field).map(Operand::Lanes)
            }
            Value::Column(column) => {
                let int = column.element() != zero_compute::Element::F32;
                Ok(Operand::Column {
                    slot: self.column(column),
                    lanes: column.lanes(),
                    int,
                })
            }
            other => Err(Error::Kind {
                what: "operand".to_owned(),
                expected: "a number, a field or a Column".to_owned(),
                found: other.describe(),
            }),
        }
    }

    fn number(&mut self, number: &Number) -> Lanes {
        let kind = kind_of(number.ty);
        let mut regs = Vec::with_capacity(3);
        for lane in 0..number.ty.lanes().unwrap_or(1) as u8 {
            let bits = number.bits[usize::from(lane)];
            let origin = number.origin.as_ref().map(|origin| (origin.clone(), lane));
            regs.push(self.scalar(FieldNumber { kind, bits, origin }));
        }
        Lanes {
            ty: number.ty,
            regs: std::array::from_fn(|lane| regs[lane.min(regs.len() - 1)]),
        }
    }

    /// A number that follows a leaf is a word of the program, so that it can move; any other is part of the program.
    fn scalar(&mut self, number: FieldNumber) -> Reg {
        if number.origin.is_none() {
            return match number.kind {
                Kind::F32 => self.tape.const_f32(f32::from_bits(number.bits)),
                Kind::I32 => self.tape.const_i32(number.bits.cast_signed()),
                Kind::U32 => self.tape.const_u32(number.bits),
                Kind::Bool => self.tape.const_bool(number.bits != 0),
            };
        }
        let slot = self.numbers.len() as u32;
        let kind = number.kind;
        self.numbers.push(number);
        self.tape.number(slot, kind)
    }

    fn column(&mut self, column: &zero_compute::Column) -> u32 {
        let next = self.leaves.len() as u32;
        let slot = *self.columns.entry(column.id()).or_insert(next);
        if slot == next {
            self.leaves.push(FieldLeaf::Column(column.clone()));
        }
        slot
    }

    fn element_slot(&mut self, column: &ElementColumn) -> u32 {
        let next = self.leaves.len() as u32;
        let slot = *self.elements.entry(column.clone()).or_insert(next);
        if slot == next {
            let ElementColumn { class, name, ty } = column.clone();
            self.leaves.push(FieldLeaf::Element { class, name, ty });
        }
        slot
    }

    fn element(&mut self, column: &ElementColumn) -> Lanes {
        self.per_element = true;
        let slot = self.element_slot(column);
        let kind = kind_of(column.ty);
        let last = column.ty.lanes().unwrap_or(1) - 1;
        let regs = std::array::from_fn(|lane| self.tape.leaf(slot, (lane as u32).min(last), kind));
        Lanes { ty: column.ty, regs }
    }

    fn field(&mut self, field: &FieldValue) -> Result<Lanes> {
        let leaves: Vec<u32> = field
            .leaves
            .iter()
            .map(|leaf| match leaf {
                FieldLeaf::Column(column) => self.column(column),
                FieldLeaf::Element { class, name, ty } => self.element_slot(&ElementColumn {
                    class: *class,
                    name: name.clone(),
                    ty: *ty,
                }),
            })
            .collect();
        let base = self.numbers.len() as u32;
        self.numbers.extend(field.numbers.iter().cloned());
        let moved = self
            .tape
            .import(&field.tape, &|slot| leaves[slot as usize], &|slot| base + slot);
        let regs: Option<Vec<Reg>> = field.roots.iter().map(|root| moved.get(*root)).collect();
        match regs {
            Some(regs) if !regs.is_empty() => Ok(Lanes {
                ty: field.ty,
                regs: std::array::from_fn(|lane| regs[lane.min(regs.len() - 1)]),
            }),
            _ => Err(Error::Refused("a field without roots".to_owned())),
        }
    }

    fn finish(self, root: Lanes) -> Result<Value> {
        if self.per_element {
            let roots = root.used().to_vec();
            let Writer {
                tape, leaves, numbers, ..
            } = self;
            return Ok(Value::Field(Arc::new(FieldValue {
                tape,
                roots,
                ty: root.ty,
                leaves,
                numbers,
            })));
        }
        let program = Program::compile(&self.tape, root.used(), Mode::Pointwise)?;
        let words: Vec<u32> = program
            .numbers()
            .iter()
            .map(|used| self.numbers[used.slot as usize].bits)
            .collect();
        let mut bits = [0; 3];
        let lanes = root.used().len();
        program.reference(
            &Inputs {
                leaves: &[],
                numbers: &words,
            },
            0,
            &mut bits[..lanes],
        )?;
        let origin = match self.numbers.is_empty() {
            true => None,
            false => Some(Arc::new(origin_of(&self.tape, root, &self.numbers)?)),
        };
        Ok(Value::Number(Number {
            ty: root.ty,
            bits,
            origin,
        }))
    }
}

/// How a number made of others follows from the leaves those follow from.
fn origin_of(tape: &Tape, root: Lanes, numbers: &[FieldNumber]) -> Result<Origin> {
    // Each number slot of `tape` is replaced by the expression it stands for, which `compose` does by evaluating
    // the outer tape over the inner ones' roots.
    let mut composed = Tape::new();
    let mut leaves: Vec<Leaf> = Vec::new();
    let mut inner: Vec<Reg> = Vec::with_capacity(numbers.len());
    for number in numbers {
        let Some((origin, lane)) = &number.origin else {
            return Err(Error::Refused("a number with no origin took a slot".to_owned()));
        };
        let places: Vec<u32> = origin
            .leaves
            .iter()
            .map(|leaf| match leaves.iter().position(|held| held == leaf) {
                Some(place) => place as u32,
                None => {
                    leaves.push(*leaf);
                    leaves.len() as u32 - 1
                }
            })
            .collect();
        let moved = composed.import(&origin.tape, &|slot| slot, &|slot| places[slot as usize]);
        let reg = origin.roots.get(usize::from(*lane)).and_then(|root| moved.get(*root));
        inner.push(reg.ok_or_else(|| Error::Refused("an origin without its root".to_owned()))?);
    }
    let moved = composed.import_over(tape, &inner)?;
    let roots: Option<Vec<Reg>> = root.used().iter().map(|reg| moved.get(*reg)).collect();
    let roots = roots.ok_or_else(|| Error::Refused("an origin without its root".to_owned()))?;
    let program = Arc::new(Program::compile(&composed, &roots, Mode::Pointwise)?);
    Ok(Origin {
        tape: composed,
        roots,
        leaves,
        program,
    })
}

impl Origin {
    /// The number of one leaf itself.
    pub(crate) fn leaf(ty: Type, leaves: Vec<Leaf>) -> Result<Origin> {
        let mut tape = Tape::new();
        let kind = kind_of(ty);
        let roots: Vec<Reg> = (0..leaves.len() as u32).map(|slot| tape.number(slot, kind)).collect();
        let program = Arc::new(Program::compile(&tape, &roots, Mode::Pointwise)?);
        Ok(Origin {
            tape,
            roots,
            leaves,
            program,
        })
    }

    /// The lanes' bits for what the leaves hold now.
    pub(crate) fn evaluate(&self, of: &dyn Fn(Leaf) -> Option<u32>) -> Result<Vec<u32>> {
        let word = |slot: u32| {
            let leaf = self.leaves.get(slot as usize).copied();
            leaf.and_then(of)
                .ok_or_else(|| Error::Refused(format!("{leaf:?} holds no number")))
        };
        let words: Vec<u32> = self
            .program
            .numbers()
            .iter()
            .map(|used| word(used.slot))
            .collect::<Result<_>>()?;
        let mut out = vec![0; self.roots.len()];
        self.program.reference(
            &Inputs {
                leaves: &[],
                numbers: &words,
            },
            0,
            &mut out,
        )?;
        Ok(out)
    }
}

pub(crate) fn kind_of(ty: Type) -> Kind {
    match ty {
        Type::Int => Kind::I32,
        Type::Bool => Kind::Bool,
        _ => Kind::F32,
    }
}

pub(crate) fn digest_constant(hasher: &mut KeyHasher, wire: Wire) {
    match wire {
        Wire::Float(value) => hasher.text("f").f32(value),
        Wire::Int(value) => hasher.text("i").u32(value.cast_unsigned()),
        Wire::Bool(value) => hasher.text("b").u32(value.into()),
        Wire::Vec3(value) => hasher.text("v").f32(value[0]).f32(value[1]).f32(value[2]),
        other => hasher.text(&format!("{other:?}")),
    };
}

fn constant(tape: &mut Tape, wire: Wire) -> Result<Lanes> {
    Ok(match wire {
        Wire::Float(value) => Lanes::one(Type::Float, tape.const_f32(value)),
        Wire::Int(value) => Lanes::one(Type::Int, tape.const_i32(value)),
        Wire::Bool(value) => Lanes::one(Type::Bool, tape.const_bool(value)),
        Wire::Vec3(value) => Lanes {
            ty: Type::Vec3,
            regs: value.map(|lane| tape.const_f32(lane)),
        },
        other => return Err(Error::Refused(format!("{other:?} is no constant"))),
    })
}

/// The answer of an operator over constants alone, so that such a node is never made.
pub(crate) fn fold_constants(op: MathOp, wires: &[Wire]) -> Option<Wire> {
    if matches!(op, MathOp::Read(_) | MathOp::Gather(_)) {
        return None;
    }
    let mut tape = Tape::new();
    let args: Vec<Operand> = wires
        .iter()
        .map(|wire| constant(&mut tape, *wire).ok().map(Operand::Lanes))
        .collect::<Option<_>>()?;
    let lanes = apply(&mut tape, op, &args).ok()?;
    let bits: Vec<u32> = lanes
        .used()
        .iter()
        .map(|reg| tape.constant(*reg))
        .collect::<Option<_>>()?;
    Some(match lanes.ty {
        Type::Int => Wire::Int(bits[0].cast_signed()),
        Type::Bool => Wire::Bool(bits[0] != 0),
        Type::Vec3 => Wire::Vec3([
            f32::from_bits(bits[0]),
            f32::from_bits(bits[1]),
            f32::from_bits(bits[2]),
        ]),
        _ => Wire::Float(f32::from_bits(bits[0])),
    })
}

/// Writes one operator.
fn apply(tape: &mut Tape, op: MathOp, args: &[Operand]) -> Result<Lanes> {
    if let MathOp::Read(ty) | MathOp::Gather(ty) = op {
        return read(tape, ty, args);
    }
    let lanes: Vec<Lanes> = args
        .iter()
        .map(|arg| match arg {
            Operand::Lanes(lanes) => Ok(*lanes),
            // A run handed to an operator is read at the element's own number.
            Operand::Column { lanes, int, .. } => {
                let ty = if *lanes >= 3 {
                    Type::Vec3
                } else if *int {
                    Type::Int
                } else {
                    Type::Float
                };
                read(tape, ty, std::slice::from_ref(arg))
            }
        })
        .collect::<Result<_>>()?;
    let types: Vec<Type> = lanes.iter().map(|lanes| lanes.ty).collect();
    let ty = op.output(&types);
    let at = |index: usize| {
        lanes
            .get(index)
            .copied()
            .ok_or_else(|| Error::Refused(format!("{} lacks an operand", op.name())))
    };
    match op {
        MathOp::Add => zip(tape, ty, Binary::Add, at(0)?, at(1)?),
        MathOp::Sub => zip(tape, ty, Binary::Sub, at(0)?, at(1)?),
        MathOp::Mul => zip(tape, ty, Binary::Mul, at(0)?, at(1)?),
        MathOp::Div => zip(tape, ty, Binary::Div, at(0)?, at(1)?),
        MathOp::Mod => zip(tape, ty, Binary::Mod, at(0)?, at(1)?),
        MathOp::Min => zip(tape, ty, Binary::Min, at(0)?, at(1)?),
        MathOp::Max => zip(tape, ty, Binary::Max, at(0)?, at(1)?),
        MathOp::Pow => zip(tape, ty, Binary::Pow, at(0)?, at(1)?),
        MathOp::Atan2 => zip(tape, ty, Binary::Atan2, at(0)?, at(1)?),
        MathOp::Neg => each(tape, ty, Unary::Neg, at(0)?),
        MathOp::Abs => each(tape, ty, Unary::Abs, at(0)?),
        MathOp::Sign => each(tape, ty, Unary::Sign, at(0)?),
        MathOp::Floor => each(tape, ty, Unary::Floor, at(0)?),
        MathOp::Ceil => each(tape, ty, Unary::Ceil, at(0)?),
        MathOp::Fract => each(tape, ty, Unary::Fract, at(0)?),
        MathOp::Sqrt => each(tape, ty, Unary::Sqrt, at(0)?),
        MathOp::Sin => each(tape, ty, Unary::Sin, at(0)?),
        MathOp::Cos => each(tape, ty, Unary::Cos, at(0)?),
        MathOp::Exp2 => each(tape, ty, Unary::Exp2, at(0)?),
        MathOp::Log2 => each(tape, ty, Unary::Log2, at(0)?),
        MathOp::Tanh => each(tape, ty, Unary::Tanh, at(0)?),
        MathOp::Not => each(tape, Type::Bool, Unary::Not, at(0)?),
        MathOp::Lt => compare(tape, Binary::Lt, at(0)?, at(1)?),
        MathOp::Le => compare(tape, Binary::Le, at(0)?, at(1)?),
        MathOp::Gt => compare(tape, Binary::Gt, at(0)?, at(1)?),
        MathOp::Ge => compare(tape, Binary::Ge, at(0)?, at(1)?),
        MathOp::Eq => compare(tape, Binary::Eq, at(0)?, at(1)?),
        MathOp::Ne => compare(tape, Binary::Ne, at(0)?, at(1)?),
        MathOp::And => zip(tape, Type::Bool, Binary::And, at(0)?, at(1)?),
        MathOp::Or => zip(tape, Type::Bool, Binary::Or, at(0)?, at(1)?),
        MathOp::Where => choose(tape, ty, at(0)?, at(1)?, at(2)?),
        MathOp::Lerp => {
            let span = zip(tape, ty, Binary::Sub, at(1)?, at(0)?)?;
            let moved = zip(tape, ty, Binary::Mul, span, at(2)?)?;
            zip(tape, ty, Binary::Add, at(0)?, moved)
        }
        MathOp::Smoothstep => smoothstep(tape, ty, at(0)?, at(1)?, at(2)?),
        MathOp::Dot => dot(tape, at(0)?, at(1)?),
        MathOp::Cross => cross(tape, at(0)?, at(1)?),
        MathOp::Length => {
            let square = dot(tape, at(0)?, at(0)?)?;
            each(tape, Type::Float, Unary::Sqrt, square)
        }
        MathOp::Normalize => {
            let square = dot(tape, at(0)?, at(0)?)?;
            let length = each(tape, Type::Float, Unary::Sqrt, square)?;
            // Division by 0 answers 0, so the zero vector stays.
            zip(tape, Type::Vec3, Binary::Div, at(0)?, length)
        }
        MathOp::MakeVec3 => {
            let mut regs = [at(0)?.regs[0]; 3];
            for (lane, reg) in regs.iter_mut().enumerate() {
                *reg = convert(tape, at(lane)?.regs[0], Kind::F32)?;
            }
            Ok(Lanes { ty: Type::Vec3, regs })
        }
        MathOp::Lane(lane) => {
            let of = at(0)?;
            match of.used().get(usize::from(lane)) {
                Some(reg) => Ok(Lanes::one(Type::Float, *reg)),
                None => Ok(Lanes::one(Type::Float, tape.const_f32(0.0))),
            }
        }
        MathOp::Same => at(0),
        MathOp::ToFloat => Ok(Lanes::one(Type::Float, convert(tape, at(0)?.regs[0], Kind::F32)?)),
        MathOp::ToInt => Ok(Lanes::one(Type::Int, convert(tape, at(0)?.regs[0], Kind::I32)?)),
        MathOp::Draw(state) => {
            let state = tape.const_u32(state);
            let id = convert(tape, at(0)?.regs[0], Kind::U32)?;
            Ok(Lanes::one(Type::Float, tape.call(Prelude::Draw, &[state, id])?))
        }
        MathOp::Gradient3 => {
            let seed = convert(tape, at(0)?.regs[0], Kind::U32)?;
            let [x, y, z] = at(1)?.regs;
            Ok(Lanes::one(
                Type::Float,
                tape.call(Prelude::Gradient3, &[seed, x, y, z])?,
            ))
        }
        MathOp::Fbm3(octaves) => {
            let seed = convert(tape, at(0)?.regs[0], Kind::U32)?;
            let octaves = tape.const_u32(octaves.into());
            let [x, y, z] = at(1)?.regs;
            Ok(Lanes::one(
                Type::Float,
                tape.call(Prelude::Fbm3, &[seed, x, y, z, octaves])?,
            ))
        }
        MathOp::Read(_) | MathOp::Gather(_) => Err(Error::Refused("a column was read as a number".to_owned())),
    }
}

fn read(tape: &mut Tape, ty: Type, args: &[Operand]) -> Result<Lanes> {
    let Some(Operand::Column { slot, lanes, int }) = args.first().copied() else {
        return Err(Error::Refused("only a Column is read or gathered".to_owned()));
    };
    let index = match args.get(1) {
        Some(Operand::Lanes(index)) => Some(index.regs[0]),
        _ => None,
    };
    let held = if int { Kind::I32 } else { Kind::F32 };
    let mut regs = Vec::with_capacity(3);
    for lane in 0..ty.lanes().unwrap_or(1) {
        let lane = if lanes == 1 { 0 } else { lane };
        let word = match index {
            Some(index) => tape.gather(slot, lane, held, index)?,
            None => tape.leaf(slot, lane, held),
        };
        regs.push(convert(tape, word, kind_of(ty))?);
    }
    Ok(Lanes {
        ty,
        regs: std::array::from_fn(|lane| regs[lane.min(regs.len() - 1)]),
    })
}

/// A scalar as another kind, by value.
fn convert(tape: &mut Tape, reg: Reg, to: Kind) -> Result<Reg> {
    if tape.kind(reg) == to {
        return Ok(reg);
    }
    Ok(match to {
        Kind::F32 => tape.unary(Unary::ToF32, reg)?,
        Kind::I32 => tape.unary(Unary::ToI32, reg)?,
        // An element's number travels as an i32 with the bits of its u32.
        Kind::U32 if tape.kind(reg) == Kind::I32 => tape.unary(Unary::BitsToU32, reg)?,
        Kind::U32 => tape.unary(Unary::ToU32, reg)?,
        Kind::Bool => tape.unary(Unary::ToBool, reg)?,
    })
}

fn lanes_as(tape: &mut Tape, lanes: Lanes, kind: Kind) -> Result<[Reg; 3]> {
    let mut regs = lanes.regs;
    for reg in &mut regs {
        *reg = convert(tape, *reg, kind)?;
    }
    Ok(regs)
}

fn zip(tape: &mut Tape, ty: Type, op: Binary, a: Lanes, b: Lanes) -> Result<Lanes> {
    let kind = kind_of(ty);
    let (a, b) = (lanes_as(tape, a, kind)?, lanes_as(tape, b, kind)?);
    let mut regs = a;
    for lane in 0..ty.lanes().unwrap_or(1) as usize {
        regs[lane] = tape.binary(op, a[lane], b[lane])?;
    }
    Ok(spread(ty, regs))
}

fn each(tape: &mut Tape, ty: Type, op: Unary, a: Lanes) -> Result<Lanes> {
    let a = lanes_as(tape, a, kind_of(ty))?;
    let mut regs = a;
    for lane in 0..ty.lanes().unwrap_or(1) as usize {
        regs[lane] = tape.unary(op, a[lane])?;
    }
    Ok(spread(ty, regs))
}

/// Fills the unused places of a scalar, so that it reads as every component.
fn spread(ty: Type, regs: [Reg; 3]) -> Lanes {
    if ty == Type::Vec3 {
        Lanes { ty, regs }
    } else {
        Lanes::one(ty, regs[0])
    }
}

fn compare(tape: &mut Tape, op: Binary, a: Lanes, b: Lanes) -> Result<Lanes> {
    let kind = if a.ty == Type::Int && b.ty == Type::Int {
        Kind::I32
    } else {
        Kind::F32
    };
    let (a, b) = (convert(tape, a.regs[0], kind)?, convert(tape, b.regs[0], kind)?);
    Ok(Lanes::one(Type::Bool, tape.binary(op, a, b)?))
}

fn choose(tape: &mut Tape, ty: Type, cond: Lanes, a: Lanes, b: Lanes) -> Result<Lanes> {
    let kind = kind_of(ty);
    let cond = convert(tape, cond.regs[0], Kind::Bool)?;
    let (a, b) = (lanes_as(tape, a, kind)?, lanes_as(tape, b, kind)?);
    let mut regs = a;
    for lane in 0..ty.lanes().unwrap_or(1) as usize {
        regs[lane] = tape.select(cond, a[lane], b[lane])?;
    }
    Ok(spread(ty, regs))
}

/// t * t * (3 - 2 t) over the clamped share of the way from one edge to the other.
fn smoothstep(tape: &mut Tape, ty: Type, x: Lanes, edge0: Lanes, edge1: Lanes) -> Result<Lanes> {
    let (zero, one) = (Wire::Float(0.0), Wire::Float(1.0));
    let (zero, one) = (constant(tape, zero)?, constant(tape, one)?);
    let (two, three) = (constant(tape, Wire::Float(2.0))?, constant(tape, Wire::Float(3.0))?);
    let span = zip(tape, ty, Binary::Sub, edge1, edge0)?;
    // One over the span, so that edges that are constants leave a product and no quotient.
    let inverse = zip(tape, ty, Binary::Div, one, span)?;
    let above = zip(tape, ty, Binary::Sub, x, edge0)?;
    let t = zip(tape, ty, Binary::Mul, above, inverse)?;
    let t = zip(tape, ty, Binary::Max, t, zero)?;
    let t = zip(tape, ty, Binary::Min, t, one)?;
    let square = zip(tape, ty, Binary::Mul, t, t)?;
    let twice = zip(tape, ty, Binary::Mul, two, t)?;
    let rest = zip(tape, ty, Binary::Sub, three, twice)?;
    zip(tape, ty, Binary::Mul, square, rest)
}

fn dot(tape: &mut Tape, a: Lanes, b: Lanes) -> Result<Lanes> {
    let products = zip(tape, Type::Vec3, Binary::Mul, a, b)?.regs;
    let sum = tape.binary(Binary::Add, products[0], products[1])?;
    Ok(Lanes::one(Type::Float, tape.binary(Binary::Add, sum, products[2])?))
}

fn cross(tape: &mut Tape, a: Lanes, b: Lanes) -> Result<Lanes> {
    let mut regs = a.regs;
    for (lane, reg) in regs.iter_mut().enumerate() {
        let (next, last) = ((lane + 1) % 3, (lane + 2) % 3);
        let plus = tape.binary(Binary::Mul, a.regs[next], b.regs[last])?;
        let minus = tape.binary(Binary::Mul, a.regs[last], b.regs[next])?;
        *reg = tape.binary(Binary::Sub, plus, minus)?;
    }
    Ok(Lanes { ty: Type::Vec3, regs })
}

/// Any value that is one an element, as a field of this type.
pub(crate) fn as_field(value: &Value, ty: Type) -> Result<FieldValue> {
    let mut writer = Writer::default();
    let operand = writer.take(value)?;
    let lanes = match operand {
        Operand::Lanes(lanes) => lanes,
        Operand::Column { .. } => read(&mut writer.tape, ty, &[operand])?,
    };
    // A truth is held in a column as the whole numbers 0 and 1.
    let kind = if ty == Type::Bool { Kind::I32 } else { kind_of(ty) };
    let regs = lanes_as(&mut writer.tape, lanes, kind)?;
    let count = ty.lanes().unwrap_or(1) as usize;
    if lanes.ty == Type::Vec3 && ty != Type::Vec3 {
        return Err(Error::Kind {
            what: "value".to_owned(),
            expected: format!("a {}", ty.name()),
            found: value.describe(),
        });
    }
    let Writer {
        tape, leaves, numbers, ..
    } = writer;
    Ok(FieldValue {
        tape,
        roots: regs[..count].to_vec(),
        ty,
        leaves,
        numbers,
    })
}
