//! The operators that sockets take, as the wire layer records them.

use super::wire::Type;
use zero_compute::field::{Kind, Prelude};

/// An operator over numbers, vectors and fields of them. Vector operands widen by [`MathOp::output`]'s rules; the
/// arithmetic itself is that of `zero_compute::field`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the names are the mathematics")]
pub enum MathOp {
    Add,
    Sub,
    Mul,
    /// 0 where the divisor is 0.
    Div,
    /// Takes the divisor's sign; 0 where the divisor is 0.
    Mod,
    Min,
    Max,
    Pow,
    Atan2,
    Neg,
    Abs,
    Sign,
    Floor,
    Ceil,
    Fract,
    Sqrt,
    Sin,
    Cos,
    Exp2,
    Log2,
    Tanh,
    Not,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    /// `cond, a, b`: a where cond holds, else b.
    Where,
    /// `a, b, t`: a + (b - a) * t.
    Lerp,
    /// `x, edge0, edge1`: the cubic of Hermite from 0 at the first edge to 1 at the second.
    Smoothstep,
    Dot,
    Cross,
    Length,
    /// The zero vector stays zero.
    Normalize,
    /// As many floats as the type has lanes, as one value of it.
    Make(Type),
    /// A vector as another type: further lanes are left off, missing ones are 0.
    As(Type),
    /// `a, b`: the rotation `b` and then `a`.
    Compose,
    /// The rotation backwards.
    Conjugate,
    /// `q, v`: the vector turned.
    Rotate,
    /// `axis, angle`: the rotation by radians about an axis, which need not be of length 1.
    AxisAngle,
    /// `a, b, t`: the rotation on the shortest way from a at 0 to b at 1, at an even speed.
    Slerp,
    /// One component of a vector.
    Lane(u8),
    /// The operand as it is: how a bare read of the element becomes an expression.
    Same,
    ToFloat,
    ToInt,
    ToUInt,
    /// `id`: the unit draw of the scope and channel whose hash state this is.
    Draw(u32),
    /// `seed, p`: gradient noise in three dimensions, about 0 within [-1, 1].
    Gradient3,
    /// `seed, p`: fractal sum of gradient noise; octaves are fixed in the operator.
    Fbm3(u8),
    /// `seed, p` and what else the function takes, in its order: a function of zero-noise at the first lanes of `p`.
    Call(Prelude),
    /// `column`: the element's own value of a column, of this type.
    Read(Type),
    /// `column, index`: another element's value of a column.
    Gather(Type),
}

impl MathOp {
    /// The name of the operator in errors and reports.
    pub fn name(self) -> String {
        match self {
            MathOp::Make(ty) => format!("math.{}", ty.name().to_lowercase()),
            MathOp::As(ty) => format!("math.as_{}", ty.name().to_lowercase()),
            MathOp::Call(function) => format!("math.{}", function.name()),
            _ => format!("math.{self:?}")
                .split('(')
                .next()
                .unwrap_or("math")
                .to_lowercase(),
        }
    }

    /// The type the operator answers for operands of these types.
    pub fn output(self, inputs: &[Type]) -> Type {
        let whole = |inputs: &[Type]| inputs.iter().all(|ty| matches!(ty, Type::Int | Type::UInt));
        match self {
            MathOp::Add | MathOp::Sub | MathOp::Mul | MathOp::Div | MathOp::Mod | MathOp::Min | MathOp::Max
                if whole(inputs) =>
            {
                wholes(inputs)
            }
            MathOp::Neg | MathOp::Abs | MathOp::Sign if whole(&inputs[..inputs.len().min(1)]) => Type::Int,
            MathOp::Lt | MathOp::Le | MathOp::Gt | MathOp::Ge | MathOp::Eq | MathOp::Ne => Type::Bool,
            MathOp::And | MathOp::Or | MathOp::Not => Type::Bool,
            MathOp::Where if inputs.iter().skip(1).all(|ty| *ty == Type::Bool) => Type::Bool,
            MathOp::Where if inputs.get(1..).is_some_and(whole) => wholes(inputs.get(1..).unwrap_or_default()),
            MathOp::Where => widest(inputs.get(1..).unwrap_or_default()),
            MathOp::Dot | MathOp::Length | MathOp::Lane(_) | MathOp::ToFloat => Type::Float,
            MathOp::Draw(_) | MathOp::Gradient3 | MathOp::Fbm3(_) => Type::Float,
            MathOp::Call(function) if function.answers() == Kind::U32 => Type::UInt,
            MathOp::Call(_) => Type::Float,
            MathOp::Cross | MathOp::Rotate => Type::Vec3,
            MathOp::Compose | MathOp::Conjugate | MathOp::AxisAngle | MathOp::Slerp => Type::Quat,
            MathOp::Normalize => inputs
                .first()
                .copied()
                .filter(|ty| ty.is_vector())
                .unwrap_or(Type::Vec3),
            MathOp::Make(ty) | MathOp::As(ty) => ty,
            MathOp::ToInt => Type::Int,
            MathOp::ToUInt => Type::UInt,
            MathOp::Same => inputs.first().copied().unwrap_or(Type::Float),
            MathOp::Read(ty) | MathOp::Gather(ty) => ty,
            _ => widest(inputs),
        }
    }
}

/// Of whole numbers: signed, unless none is.
fn wholes(inputs: &[Type]) -> Type {
    if inputs.contains(&Type::Int) {
        Type::Int
    } else {
        Type::UInt
    }
}

/// The first of the operands that have the most lanes; a Float where none is a vector.
fn widest(inputs: &[Type]) -> Type {
    let mut found = Type::Float;
    for ty in inputs {
        if ty.lanes() > found.lanes() {
            found = *ty;
        }
    }
    found
}
