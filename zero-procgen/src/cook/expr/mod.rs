//! Arithmetic: a connected set of operators as one expression, built onto a tape when it is cooked.

mod operators;
mod rotation;

use crate::error::{Error, Result};
use crate::graph::math::MathOp;
use crate::graph::wire::{ElementColumn, Type, Wire};
use crate::value::{FieldLeaf, FieldNumber, FieldValue, Key, KeyHasher, Leaf, Number, Origin, Value};
use operators::{Lanes, Operand, apply, constant, lanes_as, read};
use std::collections::HashMap;
use std::sync::Arc;
use zero_compute::field::{Inputs, Kind, Mode, Program, Reg, Tape, Unary};

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
            Value::Column(column) => Ok(Operand::Column {
                slot: self.column(column),
                lanes: column.lanes(),
                element: column.element(),
            }),
            other => Err(Error::Kind {
                what: "operand".to_owned(),
                expected: "a number, a field or a Column".to_owned(),
                found: other.describe(),
            }),
        }
    }

    fn number(&mut self, number: &Number) -> Lanes {
        let kind = kind_of(number.ty);
        let mut regs = Vec::with_capacity(4);
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
        let mut bits = [0; 4];
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
        Type::UInt => Kind::U32,
        Type::Bool => Kind::Bool,
        _ => Kind::F32,
    }
}

pub(crate) fn digest_constant(hasher: &mut KeyHasher, wire: Wire) {
    match wire.as_constant() {
        Some((ty, bits)) => {
            hasher.text(ty.name());
            bits.iter().take(ty.lanes().unwrap_or(0) as usize).for_each(|bits| {
                hasher.u32(*bits);
            });
        }
        None => {
            hasher.text(&format!("{wire:?}"));
        }
    }
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
    Wire::constant(lanes.ty, &bits)
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
    let count = ty.lanes().unwrap_or(1) as usize;
    let regs = lanes_as(&mut writer.tape, lanes, kind, count)?;
    if lanes.ty.lanes() > ty.lanes() {
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
