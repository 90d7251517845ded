//! What a new line is worth before it is written: a constant, a value that is there already, or itself.
//!
//! An identity is taken only where every finite value keeps its bits. `a + 0.0` is none: it turns -0 into +0.

use super::kind::Kind;
use super::op::{Binary, Unary};
use super::scalar;
use super::tape::{Node, Reg, Tape};

/// What a line comes to.
pub(crate) enum Simple {
    /// An earlier value.
    Same(Reg),
    /// A constant of the line's kind.
    Const(u32),
    /// A line to write, its operands in canonical order.
    Line(Node),
}

/// Folds and simplifies one line of kind `kind`.
pub(crate) fn simplify(tape: &Tape, node: Node, kind: Kind) -> Simple {
    if let Some(bits) = fold(tape, &node) {
        return Simple::Const(bits);
    }
    let same = match node {
        Node::Unary { op, a } => unary(tape, op, a, kind),
        Node::Binary { op, a, b } => return binary(tape, op, a, b),
        Node::Select { cond, a, b } => match tape.constant(cond) {
            _ if a == b => Some(a),
            Some(0) => Some(b),
            Some(_) => Some(a),
            None => None,
        },
        _ => None,
    };
    same.map_or(Simple::Line(node), Simple::Same)
}

/// The line's value where all its operands are constants.
fn fold(tape: &Tape, node: &Node) -> Option<u32> {
    let of = |reg| tape.constant(reg);
    match *node {
        Node::Unary { op, a } => Some(scalar::unary(op, a.kind, of(a)?)),
        Node::Binary { op, a, b } => Some(scalar::binary(op, a.kind, of(a)?, of(b)?)),
        Node::Select { cond, a, b } => Some(scalar::select(of(cond)?, of(a)?, of(b)?)),
        Node::Call { prelude, args } => {
            let mut words = [0; super::prelude::MAX_ARGS];
            for (word, arg) in words.iter_mut().zip(args) {
                *word = of(arg)?;
            }
            Some(scalar::call(prelude, words))
        }
        _ => None,
    }
}

fn unary(tape: &Tape, op: Unary, a: Reg, kind: Kind) -> Option<Reg> {
    let inner = tape.node(a);
    match op {
        Unary::ToF32 | Unary::ToI32 | Unary::ToU32 | Unary::ToBool if a.kind == kind => Some(a),
        Unary::BitsToF32 | Unary::BitsToI32 | Unary::BitsToU32 if a.kind == kind => Some(a),
        Unary::Neg | Unary::Not => match inner {
            Some(Node::Unary { op: before, a }) if before == op => Some(a),
            _ => None,
        },
        Unary::Abs | Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Round => match inner {
            Some(Node::Unary { op: before, .. }) if before == op => Some(a),
            _ => None,
        },
        _ => None,
    }
}

fn binary(tape: &Tape, op: Binary, a: Reg, b: Reg) -> Simple {
    let (left, right) = (tape.constant(a), tape.constant(b));
    let one = match a.kind {
        Kind::F32 => 1f32.to_bits(),
        _ => 1,
    };
    let integer = matches!(a.kind, Kind::I32 | Kind::U32);
    let all = if a.kind == Kind::Bool { 1 } else { u32::MAX };
    match op {
        Binary::Mul if right == Some(one) => return Simple::Same(a),
        Binary::Mul if left == Some(one) => return Simple::Same(b),
        Binary::Mul if integer && (left == Some(0) || right == Some(0)) => return Simple::Const(0),
        Binary::Div if right == Some(one) => return Simple::Same(a),
        Binary::Div | Binary::Mod if right == Some(0) => return Simple::Const(0),
        Binary::Add if integer && right == Some(0) => return Simple::Same(a),
        Binary::Add if integer && left == Some(0) => return Simple::Same(b),
        // a - 0.0 is a for both zeros.
        Binary::Sub if right == Some(0) => return Simple::Same(a),
        Binary::Sub if integer && a == b => return Simple::Const(0),
        Binary::Min | Binary::Max if a == b => return Simple::Same(a),
        Binary::And | Binary::Or if a == b => return Simple::Same(a),
        Binary::And if left == Some(0) || right == Some(0) => return Simple::Const(0),
        Binary::And if right == Some(all) => return Simple::Same(a),
        Binary::And if left == Some(all) => return Simple::Same(b),
        Binary::Or if left == Some(all) || right == Some(all) => return Simple::Const(all),
        Binary::Or | Binary::Xor if right == Some(0) => return Simple::Same(a),
        Binary::Or | Binary::Xor if left == Some(0) => return Simple::Same(b),
        Binary::Xor if a == b => return Simple::Const(0),
        Binary::Shl | Binary::Shr if right.is_some_and(|by| by & 31 == 0) => return Simple::Same(a),
        Binary::Eq if a == b && a.kind != Kind::F32 => return Simple::Const(1),
        Binary::Ne if a == b && a.kind != Kind::F32 => return Simple::Const(0),
        _ => {}
    }
    let (a, b) = if op.commutes() && b < a { (b, a) } else { (a, b) };
    Simple::Line(Node::Binary { op, a, b })
}
