//! The operators that sockets take, as the wire layer records them.

use super::wire::Type;

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
    /// Three floats as one vector.
    MakeVec3,
    /// One component of a vector.
    Lane(u8),
    /// The operand as it is: how a bare read of the element becomes an expression.
    Same,
    ToFloat,
    ToInt,
    /// `id`: the unit draw of the scope and channel whose hash state this is.
    Draw(u32),
    /// `seed, p`: gradient noise in three dimensions, about 0 within [-1, 1].
    Gradient3,
    /// `seed, p`: fractal sum of gradient noise; octaves are fixed in the operator.
    Fbm3(u8),
    /// `column`: the element's own value of a column, of this type.
    Read(Type),
    /// `column, index`: another element's value of a column.
    Gather(Type),
}

impl MathOp {
    /// The name of the operator in errors and reports.
    pub fn name(self) -> String {
        format!("math.{self:?}")
            .split('(')
            .next()
            .unwrap_or("math")
            .to_lowercase()
    }

    /// The type the operator answers for operands of these types.
    pub fn output(self, inputs: &[Type]) -> Type {
        let widest = || {
            if inputs.contains(&Type::Vec3) {
                Type::Vec3
            } else {
                Type::Float
            }
        };
        match self {
            MathOp::Add | MathOp::Sub | MathOp::Mul | MathOp::Div | MathOp::Mod | MathOp::Min | MathOp::Max
                if inputs.iter().all(|ty| *ty == Type::Int) =>
            {
                Type::Int
            }
            MathOp::Neg | MathOp::Abs | MathOp::Sign if inputs.first() == Some(&Type::Int) => Type::Int,
            MathOp::Lt | MathOp::Le | MathOp::Gt | MathOp::Ge | MathOp::Eq | MathOp::Ne => Type::Bool,
            MathOp::And | MathOp::Or | MathOp::Not => Type::Bool,
            MathOp::Where if inputs.iter().skip(1).all(|ty| *ty == Type::Int) => Type::Int,
            MathOp::Where if inputs.iter().skip(1).all(|ty| *ty == Type::Bool) => Type::Bool,
            MathOp::Dot | MathOp::Length | MathOp::Lane(_) | MathOp::ToFloat => Type::Float,
            MathOp::Draw(_) | MathOp::Gradient3 | MathOp::Fbm3(_) => Type::Float,
            MathOp::Cross | MathOp::Normalize | MathOp::MakeVec3 => Type::Vec3,
            MathOp::ToInt => Type::Int,
            MathOp::Same => inputs.first().copied().unwrap_or(Type::Float),
            MathOp::Read(ty) | MathOp::Gather(ty) => ty,
            _ => widest(),
        }
    }
}
