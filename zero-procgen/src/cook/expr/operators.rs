//! The operators written onto a tape, lane by lane.

use super::{kind_of, rotation};
use crate::error::{Error, Result};
use crate::graph::math::MathOp;
use crate::graph::wire::{Type, Wire};
use zero_compute::Element;
use zero_compute::field::{Binary, Kind, Prelude, Reg, Tape, Unary};

/// Scalars of one value: as many as its type has lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    pub(super) ty: Type,
    pub(super) regs: [Reg; 4],
}

impl Lanes {
    pub(super) fn one(ty: Type, reg: Reg) -> Lanes {
        Lanes { ty, regs: [reg; 4] }
    }
    /// The scalars. One number stands for every component of a vector, since its places are all filled with it.
    pub(super) fn used(&self) -> &[Reg] {
        &self.regs[..self.ty.lanes().unwrap_or(1) as usize]
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Lanes(Lanes),
    Column { slot: u32, lanes: u32, element: Element },
}

/// Writes one operator.
pub(super) fn apply(tape: &mut Tape, op: MathOp, args: &[Operand]) -> Result<Lanes> {
    if let MathOp::Read(ty) | MathOp::Gather(ty) = op {
        return read(tape, ty, args);
    }
    let lanes: Vec<Lanes> = args
        .iter()
        .map(|arg| match arg {
            Operand::Lanes(lanes) => Ok(*lanes),
            // A run handed to an operator is read at the element's own number.
            Operand::Column { lanes, element, .. } => {
                let ty = match (lanes, element) {
                    (4.., _) => Type::Vec4,
                    (3, _) => Type::Vec3,
                    (2, _) => Type::Vec2,
                    (_, Element::I32) => Type::Int,
                    (_, Element::U32) => Type::UInt,
                    (_, Element::F32) => Type::Float,
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
        MathOp::Normalize => normalize(tape, at(0)?),
        MathOp::Make(ty) => {
            let mut regs = at(0)?.regs;
            for (lane, reg) in regs.iter_mut().enumerate().take(ty.lanes().unwrap_or(1) as usize) {
                *reg = convert(tape, at(lane)?.regs[0], Kind::F32)?;
            }
            Ok(Lanes { ty, regs })
        }
        MathOp::As(ty) => {
            let regs = lanes_as(tape, at(0)?, kind_of(ty), ty.lanes().unwrap_or(1) as usize)?;
            Ok(Lanes { ty, regs })
        }
        MathOp::Compose => rotation::compose(tape, at(0)?, at(1)?),
        MathOp::Conjugate => rotation::conjugate(tape, at(0)?),
        MathOp::Rotate => rotation::rotate(tape, at(0)?, at(1)?),
        MathOp::AxisAngle => rotation::axis_angle(tape, at(0)?, at(1)?),
        MathOp::Slerp => rotation::slerp(tape, at(0)?, at(1)?, at(2)?),
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
        MathOp::ToUInt => Ok(Lanes::one(Type::UInt, tape.unary(Unary::ToU32, at(0)?.regs[0])?)),
        MathOp::Draw(state) => {
            let state = tape.const_u32(state);
            let id = convert(tape, at(0)?.regs[0], Kind::U32)?;
            Ok(Lanes::one(Type::Float, tape.call(Prelude::Draw, &[state, id])?))
        }
        MathOp::Gradient3 => {
            let seed = convert(tape, at(0)?.regs[0], Kind::U32)?;
            let [x, y, z, _] = at(1)?.regs;
            Ok(Lanes::one(
                Type::Float,
                tape.call(Prelude::Gradient3, &[seed, x, y, z])?,
            ))
        }
        MathOp::Fbm3(octaves) => {
            let seed = convert(tape, at(0)?.regs[0], Kind::U32)?;
            let octaves = tape.const_u32(octaves.into());
            let [x, y, z, _] = at(1)?.regs;
            Ok(Lanes::one(
                Type::Float,
                tape.call(Prelude::Fbm3, &[seed, x, y, z, octaves])?,
            ))
        }
        MathOp::Call(function) => {
            let operands: Vec<Lanes> = (0..lanes.len()).map(at).collect::<Result<_>>()?;
            call(tape, ty, function, &operands)
        }
        MathOp::Read(_) | MathOp::Gather(_) => Err(Error::Refused("a column was read as a number".to_owned())),
    }
}

/// A function of zero-noise. Its coordinates, which stand behind the seed, are lanes of one vector.
fn call(tape: &mut Tape, ty: Type, function: Prelude, operands: &[Lanes]) -> Result<Lanes> {
    let lacking = || Error::Refused(format!("{} lacks an operand", function.name()));
    let mut operands = operands.iter();
    let mut kinds = function.takes().iter().peekable();
    let mut args = Vec::with_capacity(kinds.len());
    while let Some(kind) = kinds.next() {
        let operand = *operands.next().ok_or_else(lacking)?;
        let mut lanes = 1;
        while *kind == Kind::F32 && kinds.next_if_eq(&&Kind::F32).is_some() {
            lanes += 1;
        }
        if lanes == 1 {
            args.push(convert(tape, operand.regs[0], *kind)?);
        } else {
            args.extend(&lanes_as(tape, operand, Kind::F32, lanes)?[..lanes]);
        }
    }
    Ok(Lanes::one(ty, tape.call(function, &args)?))
}

pub(super) fn read(tape: &mut Tape, ty: Type, args: &[Operand]) -> Result<Lanes> {
    let Some(Operand::Column { slot, lanes, element }) = args.first().copied() else {
        return Err(Error::Refused("only a Column is read or gathered".to_owned()));
    };
    let index = match args.get(1) {
        Some(Operand::Lanes(index)) => Some(index.regs[0]),
        _ => None,
    };
    let held = match element {
        Element::F32 => Kind::F32,
        Element::I32 => Kind::I32,
        Element::U32 => Kind::U32,
    };
    let mut regs = Vec::with_capacity(4);
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

/// The lanes as scalars of a kind, for a value of `width` lanes: a number stands in every one, a shorter vector has 0
/// where it has none.
pub(super) fn lanes_as(tape: &mut Tape, lanes: Lanes, kind: Kind, width: usize) -> Result<[Reg; 4]> {
    let held = lanes.ty.lanes().unwrap_or(1) as usize;
    let mut regs = lanes.regs;
    for (lane, reg) in regs.iter_mut().enumerate() {
        *reg = if held > 1 && lane >= held && lane < width {
            let zero = tape.const_f32(0.0);
            convert(tape, zero, kind)?
        } else {
            convert(tape, *reg, kind)?
        };
    }
    Ok(regs)
}

pub(super) fn zip(tape: &mut Tape, ty: Type, op: Binary, a: Lanes, b: Lanes) -> Result<Lanes> {
    let (kind, width) = (kind_of(ty), ty.lanes().unwrap_or(1) as usize);
    let (a, b) = (lanes_as(tape, a, kind, width)?, lanes_as(tape, b, kind, width)?);
    let mut regs = a;
    for lane in 0..width {
        regs[lane] = tape.binary(op, a[lane], b[lane])?;
    }
    Ok(spread(ty, regs))
}

pub(super) fn each(tape: &mut Tape, ty: Type, op: Unary, a: Lanes) -> Result<Lanes> {
    let width = ty.lanes().unwrap_or(1) as usize;
    let a = lanes_as(tape, a, kind_of(ty), width)?;
    let mut regs = a;
    for lane in 0..width {
        regs[lane] = tape.unary(op, a[lane])?;
    }
    Ok(spread(ty, regs))
}

/// Fills the unused places of a scalar, so that it reads as every component.
fn spread(ty: Type, regs: [Reg; 4]) -> Lanes {
    if ty.is_vector() {
        Lanes { ty, regs }
    } else {
        Lanes::one(ty, regs[0])
    }
}

fn compare(tape: &mut Tape, op: Binary, a: Lanes, b: Lanes) -> Result<Lanes> {
    let kind = match (a.ty, b.ty) {
        (Type::UInt, Type::UInt) => Kind::U32,
        (Type::Int | Type::UInt, Type::Int | Type::UInt) => Kind::I32,
        _ => Kind::F32,
    };
    let (a, b) = (convert(tape, a.regs[0], kind)?, convert(tape, b.regs[0], kind)?);
    Ok(Lanes::one(Type::Bool, tape.binary(op, a, b)?))
}

pub(super) fn choose(tape: &mut Tape, ty: Type, cond: Lanes, a: Lanes, b: Lanes) -> Result<Lanes> {
    let (kind, width) = (kind_of(ty), ty.lanes().unwrap_or(1) as usize);
    let cond = convert(tape, cond.regs[0], Kind::Bool)?;
    let (a, b) = (lanes_as(tape, a, kind, width)?, lanes_as(tape, b, kind, width)?);
    let mut regs = a;
    for lane in 0..width {
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

/// The sum of the products, lane by lane from the first.
pub(super) fn dot(tape: &mut Tape, a: Lanes, b: Lanes) -> Result<Lanes> {
    let ty = if b.ty.lanes() > a.ty.lanes() { b.ty } else { a.ty };
    let products = zip(tape, ty, Binary::Mul, a, b)?;
    let used = products.used();
    let mut sum = products.regs[0];
    for product in used.iter().skip(1) {
        sum = tape.binary(Binary::Add, sum, *product)?;
    }
    Ok(Lanes::one(Type::Float, sum))
}

/// Made of length 1. Division by 0 answers 0, so the zero vector stays.
pub(super) fn normalize(tape: &mut Tape, of: Lanes) -> Result<Lanes> {
    let square = dot(tape, of, of)?;
    let length = each(tape, Type::Float, Unary::Sqrt, square)?;
    zip(tape, of.ty, Binary::Div, of, length)
}

pub(super) fn cross(tape: &mut Tape, a: Lanes, b: Lanes) -> Result<Lanes> {
    let (a, b) = (lanes_as(tape, a, Kind::F32, 3)?, lanes_as(tape, b, Kind::F32, 3)?);
    let mut regs = a;
    for (lane, reg) in regs.iter_mut().enumerate().take(3) {
        let (next, last) = ((lane + 1) % 3, (lane + 2) % 3);
        let plus = tape.binary(Binary::Mul, a[next], b[last])?;
        let minus = tape.binary(Binary::Mul, a[last], b[next])?;
        *reg = tape.binary(Binary::Sub, plus, minus)?;
    }
    Ok(Lanes { ty: Type::Vec3, regs })
}

pub(super) fn constant(tape: &mut Tape, wire: Wire) -> Result<Lanes> {
    let Some((ty, bits)) = wire.as_constant() else {
        return Err(Error::Refused(format!("{wire:?} is no constant")));
    };
    let scalar = |tape: &mut Tape, bits: u32| match kind_of(ty) {
        Kind::F32 => tape.const_f32(f32::from_bits(bits)),
        Kind::I32 => tape.const_i32(bits.cast_signed()),
        Kind::U32 => tape.const_u32(bits),
        Kind::Bool => tape.const_bool(bits != 0),
    };
    let mut regs = [scalar(tape, bits[0]); 4];
    for lane in 1..ty.lanes().unwrap_or(1) as usize {
        regs[lane] = scalar(tape, bits[lane]);
    }
    Ok(Lanes { ty, regs })
}
