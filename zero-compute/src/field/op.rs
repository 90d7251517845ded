//! The operators, with the kinds that each takes and answers.

use super::kind::Kind;
use crate::error::{Error, Result};

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unary {
    /// `-a`, of a float or a signed integer; the least integer stays itself.
    Neg,
    /// The magnitude of a float or a signed integer; the least integer stays itself.
    Abs,
    /// -1, 0 or 1, in the operand's kind (float or signed integer).
    Sign,
    /// The largest whole number not above.
    Floor,
    /// The smallest whole number not below.
    Ceil,
    /// The nearest whole number, halves to the even one.
    Round,
    /// `a - floor(a)`.
    Fract,
    /// The square root; 0 at and below 0.
    Sqrt,
    /// The sine of an angle in radians.
    Sin,
    /// The cosine of an angle in radians.
    Cos,
    /// 2 to the power of the operand.
    Exp2,
    /// The logarithm to base 2; 0 at and below 0.
    Log2,
    /// The hyperbolic tangent.
    Tanh,
    /// Logical not of a Bool, bitwise not of an integer.
    Not,
    /// The value as a float, rounded to the nearest; a Bool is 0 or 1.
    ToF32,
    /// The value as a signed integer: a float's fraction is cut off and the ends of the range are kept, NaN is 0; an
    /// unsigned integer keeps its bits.
    ToI32,
    /// The value as an unsigned integer, by the same rules; a negative float is 0, a signed integer keeps its bits.
    ToU32,
    /// Whether the value is not 0.
    ToBool,
    /// The word read as a float.
    BitsToF32,
    /// The word read as a signed integer; a float zero of either sign is 0.
    BitsToI32,
    /// The word read as an unsigned integer; a float zero of either sign is 0.
    BitsToU32,
}

/// Operators of two operands of one kind (the amount of a shift may be unsigned whatever is shifted).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binary {
    /// `a + b`; integers wrap.
    Add,
    /// `a - b`; integers wrap.
    Sub,
    /// `a * b`; integers wrap.
    Mul,
    /// `a / b`; 0 where `b` is 0. Integers cut the fraction off.
    Div,
    /// The remainder with the sign of `b`; 0 where `b` is 0. Of floats: `a - floor(a / b) * b`.
    Mod,
    /// `a` where `a < b`, else `b`.
    Min,
    /// `a` where `a > b`, else `b`.
    Max,
    /// `a` to the power of `b`, by zero-noise's rules for a base at or below 0.
    Pow,
    /// The angle of the point (x = `b`, y = `a`), in radians.
    Atan2,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// Logical and of Bools, bitwise of integers.
    And,
    /// Logical or of Bools, bitwise of integers.
    Or,
    /// Exclusive or of Bools, bitwise of integers.
    Xor,
    /// Bits moved up by `b` modulo 32.
    Shl,
    /// Bits moved down by `b` modulo 32; a signed integer keeps its sign.
    Shr,
}

impl Unary {
    /// Every operator of one operand, in the order of their codes.
    pub const ALL: [Unary; 21] = [
        Unary::Neg,
        Unary::Abs,
        Unary::Sign,
        Unary::Floor,
        Unary::Ceil,
        Unary::Round,
        Unary::Fract,
        Unary::Sqrt,
        Unary::Sin,
        Unary::Cos,
        Unary::Exp2,
        Unary::Log2,
        Unary::Tanh,
        Unary::Not,
        Unary::ToF32,
        Unary::ToI32,
        Unary::ToU32,
        Unary::ToBool,
        Unary::BitsToF32,
        Unary::BitsToI32,
        Unary::BitsToU32,
    ];

    /// The operator's name, as errors write it.
    pub const fn name(self) -> &'static str {
        match self {
            Unary::Neg => "neg",
            Unary::Abs => "abs",
            Unary::Sign => "sign",
            Unary::Floor => "floor",
            Unary::Ceil => "ceil",
            Unary::Round => "round",
            Unary::Fract => "fract",
            Unary::Sqrt => "sqrt",
            Unary::Sin => "sin",
            Unary::Cos => "cos",
            Unary::Exp2 => "exp2",
            Unary::Log2 => "log2",
            Unary::Tanh => "tanh",
            Unary::Not => "not",
            Unary::ToF32 => "to_f32",
            Unary::ToI32 => "to_i32",
            Unary::ToU32 => "to_u32",
            Unary::ToBool => "to_bool",
            Unary::BitsToF32 => "bits_to_f32",
            Unary::BitsToI32 => "bits_to_i32",
            Unary::BitsToU32 => "bits_to_u32",
        }
    }

    /// The kind that the operator answers for an operand of kind `a`.
    ///
    /// # Errors
    /// [`Error::WrongKind`] where the operator does not take that kind.
    pub fn result(self, a: Kind) -> Result<Kind> {
        use Kind::{Bool, F32, I32, U32};
        let (answer, takes): (Kind, &[Kind]) = match self {
            Unary::Neg | Unary::Abs | Unary::Sign => (a, &[F32, I32]),
            Unary::Floor
            | Unary::Ceil
            | Unary::Round
            | Unary::Fract
            | Unary::Sqrt
            | Unary::Sin
            | Unary::Cos
            | Unary::Exp2
            | Unary::Log2
            | Unary::Tanh => (F32, &[F32]),
            Unary::Not => (a, &[I32, U32, Bool]),
            Unary::ToF32 => (F32, &[F32, I32, U32, Bool]),
            Unary::ToI32 => (I32, &[F32, I32, U32, Bool]),
            Unary::ToU32 => (U32, &[F32, I32, U32, Bool]),
            Unary::ToBool => (Bool, &[F32, I32, U32, Bool]),
            Unary::BitsToF32 => (F32, &[F32, I32, U32]),
            Unary::BitsToI32 => (I32, &[F32, I32, U32]),
            Unary::BitsToU32 => (U32, &[F32, I32, U32]),
        };
        if takes.contains(&a) {
            Ok(answer)
        } else {
            Err(wrong_kind(self.name(), &one_of(takes), &[a]))
        }
    }
}

impl Binary {
    /// Every operator of two operands, in the order of their codes.
    pub const ALL: [Binary; 20] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Mod,
        Binary::Min,
        Binary::Max,
        Binary::Pow,
        Binary::Atan2,
        Binary::Lt,
        Binary::Le,
        Binary::Gt,
        Binary::Ge,
        Binary::Eq,
        Binary::Ne,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::Shl,
        Binary::Shr,
    ];

    /// The operator's name, as errors write it.
    pub const fn name(self) -> &'static str {
        match self {
            Binary::Add => "add",
            Binary::Sub => "sub",
            Binary::Mul => "mul",
            Binary::Div => "div",
            Binary::Mod => "mod",
            Binary::Min => "min",
            Binary::Max => "max",
            Binary::Pow => "pow",
            Binary::Atan2 => "atan2",
            Binary::Lt => "lt",
            Binary::Le => "le",
            Binary::Gt => "gt",
            Binary::Ge => "ge",
            Binary::Eq => "eq",
            Binary::Ne => "ne",
            Binary::And => "and",
            Binary::Or => "or",
            Binary::Xor => "xor",
            Binary::Shl => "shl",
            Binary::Shr => "shr",
        }
    }

    /// Whether the operands may change places without changing a bit of the answer.
    pub(crate) const fn commutes(self) -> bool {
        matches!(
            self,
            Binary::Add | Binary::Mul | Binary::Eq | Binary::Ne | Binary::And | Binary::Or | Binary::Xor
        )
    }

    /// The kind that the operator answers for operands of kinds `a` and `b`.
    ///
    /// # Errors
    /// [`Error::WrongKind`] where the operator does not take those kinds.
    pub fn result(self, a: Kind, b: Kind) -> Result<Kind> {
        use Kind::{Bool, F32, I32, U32};
        let (answer, takes): (Kind, &[Kind]) = match self {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Mod | Binary::Min | Binary::Max => {
                (a, &[F32, I32, U32])
            }
            Binary::Pow | Binary::Atan2 => (F32, &[F32]),
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => (Bool, &[F32, I32, U32]),
            Binary::Eq | Binary::Ne => (Bool, &[F32, I32, U32, Bool]),
            Binary::And | Binary::Or | Binary::Xor => (a, &[I32, U32, Bool]),
            Binary::Shl | Binary::Shr => (a, &[I32, U32]),
        };
        let shift = matches!(self, Binary::Shl | Binary::Shr);
        if takes.contains(&a) && (a == b || (shift && b == U32)) {
            Ok(answer)
        } else {
            Err(wrong_kind(self.name(), &format!("two of {}", one_of(takes)), &[a, b]))
        }
    }
}

pub(crate) fn wrong_kind(op: &str, expected: &str, found: &[Kind]) -> Error {
    let found: Vec<_> = found.iter().map(|k| k.name()).collect();
    let found = if found.is_empty() {
        "nothing".to_owned()
    } else {
        found.join(", ")
    };
    Error::WrongKind {
        op: op.to_owned(),
        expected: expected.to_owned(),
        found,
    }
}

fn one_of(kinds: &[Kind]) -> String {
    let names: Vec<_> = kinds.iter().map(|k| k.name()).collect();
    names.join(" or ")
}
