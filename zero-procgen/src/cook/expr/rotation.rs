//! Rotations as unit quaternions x, y, z, w.

use super::operators::{Lanes, choose, constant, cross, dot, each, lanes_as, normalize, zip};
use crate::error::Result;
use crate::graph::wire::{Type, Wire};
use zero_compute::field::{Binary, Kind, Reg, Tape, Unary};

fn axis(of: [Reg; 4]) -> Lanes {
    Lanes {
        ty: Type::Vec3,
        regs: of,
    }
}

fn quat(axis: Lanes, w: Reg) -> Lanes {
    let [x, y, z, _] = axis.regs;
    Lanes {
        ty: Type::Quat,
        regs: [x, y, z, w],
    }
}

fn float(tape: &mut Tape, value: f32) -> Result<Lanes> {
    constant(tape, Wire::Float(value))
}

/// Hamilton's product: `b` and then `a`.
pub(super) fn compose(tape: &mut Tape, a: Lanes, b: Lanes) -> Result<Lanes> {
    let (a, b) = (lanes_as(tape, a, Kind::F32, 4)?, lanes_as(tape, b, Kind::F32, 4)?);
    let (aw, bw) = (Lanes::one(Type::Float, a[3]), Lanes::one(Type::Float, b[3]));
    // (aw bv + bw av + av x bv, aw bw - av . bv)
    let first = zip(tape, Type::Vec3, Binary::Mul, axis(b), aw)?;
    let second = zip(tape, Type::Vec3, Binary::Mul, axis(a), bw)?;
    let sum = zip(tape, Type::Vec3, Binary::Add, first, second)?;
    let turned = cross(tape, axis(a), axis(b))?;
    let vector = zip(tape, Type::Vec3, Binary::Add, sum, turned)?;
    let along = dot(tape, axis(a), axis(b))?;
    let both = tape.binary(Binary::Mul, a[3], b[3])?;
    let w = tape.binary(Binary::Sub, both, along.regs[0])?;
    Ok(quat(vector, w))
}

/// The rotation backwards.
pub(super) fn conjugate(tape: &mut Tape, of: Lanes) -> Result<Lanes> {
    let of = lanes_as(tape, of, Kind::F32, 4)?;
    let back = each(tape, Type::Vec3, Unary::Neg, axis(of))?;
    Ok(quat(back, of[3]))
}

/// v + 2 q.xyz x (q.xyz x v + w v), which needs no product of quaternions.
pub(super) fn rotate(tape: &mut Tape, by: Lanes, of: Lanes) -> Result<Lanes> {
    let by = lanes_as(tape, by, Kind::F32, 4)?;
    let of = axis(lanes_as(tape, of, Kind::F32, 3)?);
    let w = Lanes::one(Type::Float, by[3]);
    let turned = cross(tape, axis(by), of)?;
    let scaled = zip(tape, Type::Vec3, Binary::Mul, of, w)?;
    let inner = zip(tape, Type::Vec3, Binary::Add, turned, scaled)?;
    let outer = cross(tape, axis(by), inner)?;
    let two = float(tape, 2.0)?;
    let moved = zip(tape, Type::Vec3, Binary::Mul, outer, two)?;
    zip(tape, Type::Vec3, Binary::Add, of, moved)
}

/// (axis sin(angle / 2), cos(angle / 2)), the axis made of length 1.
pub(super) fn axis_angle(tape: &mut Tape, about: Lanes, angle: Lanes) -> Result<Lanes> {
    let about = axis(lanes_as(tape, about, Kind::F32, 3)?);
    let about = normalize(tape, about)?;
    let half = float(tape, 0.5)?;
    let half = zip(tape, Type::Float, Binary::Mul, angle, half)?;
    let (sin, cos) = (
        each(tape, Type::Float, Unary::Sin, half)?,
        each(tape, Type::Float, Unary::Cos, half)?,
    );
    let vector = zip(tape, Type::Vec3, Binary::Mul, about, sin)?;
    Ok(quat(vector, cos.regs[0]))
}

/// Spherical linear interpolation (Shoemake 1985): weights sin((1 - t) h) / sin(h) and sin(t h) / sin(h) of the angle h
/// between the two, `b` turned to the nearer of its two signs. Where the sine is too small to divide by, the straight
/// line made of length 1 is as good.
pub(super) fn slerp(tape: &mut Tape, a: Lanes, b: Lanes, t: Lanes) -> Result<Lanes> {
    let one = float(tape, 1.0)?;
    let zero = float(tape, 0.0)?;
    let between = dot(tape, a, b)?;
    let opposite = Lanes::one(Type::Bool, tape.binary(Binary::Lt, between.regs[0], zero.regs[0])?);
    let negated = each(tape, Type::Quat, Unary::Neg, b)?;
    let b = choose(tape, Type::Quat, opposite, negated, b)?;
    let cos = each(tape, Type::Float, Unary::Abs, between)?;
    let square = zip(tape, Type::Float, Binary::Mul, cos, cos)?;
    let rest = zip(tape, Type::Float, Binary::Sub, one, square)?;
    let sin = each(tape, Type::Float, Unary::Sqrt, rest)?;
    let angle = zip(tape, Type::Float, Binary::Atan2, sin, cos)?;
    let left = zip(tape, Type::Float, Binary::Sub, one, t)?;
    let weigh = |tape: &mut Tape, share: Lanes| -> Result<Lanes> {
        let part = zip(tape, Type::Float, Binary::Mul, share, angle)?;
        let part = each(tape, Type::Float, Unary::Sin, part)?;
        zip(tape, Type::Float, Binary::Div, part, sin)
    };
    let least = float(tape, 1e-3)?;
    let near = Lanes::one(Type::Bool, tape.binary(Binary::Lt, sin.regs[0], least.regs[0])?);
    let (from, to) = (weigh(tape, left)?, weigh(tape, t)?);
    let from = choose(tape, Type::Float, near, left, from)?;
    let to = choose(tape, Type::Float, near, t, to)?;
    let from = zip(tape, Type::Quat, Binary::Mul, a, from)?;
    let to = zip(tape, Type::Quat, Binary::Mul, b, to)?;
    let sum = zip(tape, Type::Quat, Binary::Add, from, to)?;
    normalize(tape, sum)
}
