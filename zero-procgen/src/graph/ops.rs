//! The arithmetic that sockets take. Each operator records a node; the plan gathers them into one expression.

use super::Graph;
use super::math::MathOp;
use super::socket::{AnySocket, Bool, Color, Float, Int, Quat, Socket, UInt, Vec2, Vec3, Vec4};
use super::wire::Type;
use super::wire::Wire;
use crate::cook::expr;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// Records an operator over sockets; over constants alone it answers the constant.
#[track_caller]
pub(crate) fn apply<'g, S: Socket<'g>>(op: MathOp, inputs: &[AnySocket<'g>]) -> S {
    let graph = inputs.iter().find_map(|socket| socket.graph);
    let wires: Vec<Wire> = inputs.iter().map(|socket| socket.wire).collect();
    match (expr::fold_constants(op, &wires), graph) {
        (Some(wire), _) => S::from_parts(graph, wire),
        (None, Some(graph)) => graph.math(op, inputs),
        (None, None) => S::from_parts(None, Wire::Refused),
    }
}

/// The same for sockets whose types are known when it runs.
#[track_caller]
pub(crate) fn apply_any<'g>(graph: &'g Graph, op: MathOp, inputs: &[AnySocket<'g>]) -> AnySocket<'g> {
    let wires: Vec<Wire> = inputs.iter().map(|socket| socket.wire).collect();
    let folded = expr::fold_constants(op, &wires);
    match folded.and_then(|wire| Some((wire, wire.as_constant()?.0))) {
        Some((wire, ty)) => AnySocket {
            graph: Some(graph),
            wire,
            ty,
        },
        None => graph.math_any(op, inputs),
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $op:ident: $($left:ty, $right:ty => $out:ident;)*) => {$(
        impl<'g> $trait<$right> for $left {
            type Output = $out<'g>;
            #[track_caller]
            fn $method(self, right: $right) -> $out<'g> {
                apply(MathOp::$op, &[operand(self), operand(right)])
            }
        }
    )*};
}

/// Anything an operator takes on either side.
fn operand<'g>(value: impl Operand<'g>) -> AnySocket<'g> {
    value.socket()
}

trait Operand<'g> {
    fn socket(self) -> AnySocket<'g>;
}

macro_rules! operands {
    ($($ty:ty as $socket:ident;)*) => {$(
        impl<'g> Operand<'g> for $ty {
            fn socket(self) -> AnySocket<'g> {
                $socket::from(self).into()
            }
        }
    )*};
}
operands! {
    f32 as Float;
    i32 as Int;
    u32 as UInt;
    glam::Vec2 as Vec2;
    glam::Vec3 as Vec3;
    glam::Vec4 as Vec4;
    Float<'g> as Float;
    Int<'g> as Int;
    UInt<'g> as UInt;
    Vec2<'g> as Vec2;
    Vec3<'g> as Vec3;
    Vec4<'g> as Vec4;
    Color<'g> as Color;
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        operator! { $trait $method $op:
            Float<'g>, Float<'g> => Float;
            Float<'g>, f32 => Float;
            f32, Float<'g> => Float;
            Float<'g>, Int<'g> => Float;
            Int<'g>, Float<'g> => Float;
            Int<'g>, f32 => Float;
            f32, Int<'g> => Float;
            Int<'g>, Int<'g> => Int;
            Int<'g>, i32 => Int;
            i32, Int<'g> => Int;
            Vec3<'g>, Vec3<'g> => Vec3;
            Vec3<'g>, glam::Vec3 => Vec3;
            glam::Vec3, Vec3<'g> => Vec3;
            Vec3<'g>, Float<'g> => Vec3;
            Float<'g>, Vec3<'g> => Vec3;
            Vec3<'g>, f32 => Vec3;
            f32, Vec3<'g> => Vec3;
            Float<'g>, glam::Vec3 => Vec3;
            glam::Vec3, Float<'g> => Vec3;
            UInt<'g>, UInt<'g> => UInt;
            UInt<'g>, u32 => UInt;
            u32, UInt<'g> => UInt;
            Vec2<'g>, Vec2<'g> => Vec2;
            Vec2<'g>, glam::Vec2 => Vec2;
            glam::Vec2, Vec2<'g> => Vec2;
            Vec2<'g>, Float<'g> => Vec2;
            Float<'g>, Vec2<'g> => Vec2;
            Vec2<'g>, f32 => Vec2;
            f32, Vec2<'g> => Vec2;
            Vec4<'g>, Vec4<'g> => Vec4;
            Vec4<'g>, glam::Vec4 => Vec4;
            glam::Vec4, Vec4<'g> => Vec4;
            Vec4<'g>, Float<'g> => Vec4;
            Float<'g>, Vec4<'g> => Vec4;
            Vec4<'g>, f32 => Vec4;
            f32, Vec4<'g> => Vec4;
            Color<'g>, Color<'g> => Color;
            Color<'g>, Float<'g> => Color;
            Float<'g>, Color<'g> => Color;
            Color<'g>, f32 => Color;
            f32, Color<'g> => Color;
        }
    )*};
}
arithmetic! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div Div;
    Rem rem Mod;
}

macro_rules! negation {
    ($($socket:ident)*) => {$(
        impl<'g> Neg for $socket<'g> {
            type Output = $socket<'g>;
            #[track_caller]
            fn neg(self) -> $socket<'g> {
                apply(MathOp::Neg, &[self.into()])
            }
        }
    )*};
}
negation!(Float Int Vec2 Vec3 Vec4);

macro_rules! methods {
    ($socket:ident: $($(#[$doc:meta])* $method:ident($($arg:ident: $ty:ident),*) -> $out:ident = $op:expr;)*) => {
        impl<'g> $socket<'g> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $method(self, $($arg: impl Into<$ty<'g>>),*) -> $out<'g> {
                apply($op, &[self.into(), $($arg.into().into()),*])
            }
        )*}
    };
}

methods! { Float:
    /// The smaller of the two.
    min(other: Float) -> Float = MathOp::Min;
    /// The larger of the two.
    max(other: Float) -> Float = MathOp::Max;
    /// The power; of a negative base as zero-noise's `pow` states.
    pow(exponent: Float) -> Float = MathOp::Pow;
    /// The angle of the point (x, self), in radians within [-pi, pi].
    atan2(x: Float) -> Float = MathOp::Atan2;
    /// Without its sign.
    abs() -> Float = MathOp::Abs;
    /// -1, 0 or 1.
    sign() -> Float = MathOp::Sign;
    /// The whole number at or below.
    floor() -> Float = MathOp::Floor;
    /// The whole number at or above.
    ceil() -> Float = MathOp::Ceil;
    /// What is above the floor, within [0, 1).
    fract() -> Float = MathOp::Fract;
    /// The square root; 0 at and below 0.
    sqrt() -> Float = MathOp::Sqrt;
    /// The sine of radians.
    sin() -> Float = MathOp::Sin;
    /// The cosine of radians.
    cos() -> Float = MathOp::Cos;
    /// Two to the power.
    exp2() -> Float = MathOp::Exp2;
    /// The binary logarithm; 0 at and below 0.
    log2() -> Float = MathOp::Log2;
    /// The hyperbolic tangent.
    tanh() -> Float = MathOp::Tanh;
    /// Whether it is below the other.
    lt(other: Float) -> Bool = MathOp::Lt;
    /// Whether it is at or below the other.
    le(other: Float) -> Bool = MathOp::Le;
    /// Whether it is above the other.
    gt(other: Float) -> Bool = MathOp::Gt;
    /// Whether it is at or above the other.
    ge(other: Float) -> Bool = MathOp::Ge;
    /// Whether they are equal.
    equals(other: Float) -> Bool = MathOp::Eq;
    /// Whether they differ.
    differs(other: Float) -> Bool = MathOp::Ne;
    /// From self at 0 to `to` at 1, in a straight line.
    lerp(to: Float, t: Float) -> Float = MathOp::Lerp;
    /// 0 below the first edge, 1 above the second, a smooth cubic between; the edges may stand in either order.
    smoothstep(edge0: Float, edge1: Float) -> Float = MathOp::Smoothstep;
    /// The whole number towards 0, at the ends of i32 where it lies past them.
    to_int() -> Int = MathOp::ToInt;
}

methods! { Int:
    /// The smaller of the two.
    min(other: Int) -> Int = MathOp::Min;
    /// The larger of the two.
    max(other: Int) -> Int = MathOp::Max;
    /// Without its sign.
    abs() -> Int = MathOp::Abs;
    /// Whether it is below the other.
    lt(other: Int) -> Bool = MathOp::Lt;
    /// Whether it is at or below the other.
    le(other: Int) -> Bool = MathOp::Le;
    /// Whether it is above the other.
    gt(other: Int) -> Bool = MathOp::Gt;
    /// Whether it is at or above the other.
    ge(other: Int) -> Bool = MathOp::Ge;
    /// Whether they are equal.
    equals(other: Int) -> Bool = MathOp::Eq;
    /// Whether they differ.
    differs(other: Int) -> Bool = MathOp::Ne;
    /// The nearest float.
    to_float() -> Float = MathOp::ToFloat;
    /// The number with the same bits: a negative one is 2^32 more.
    to_uint() -> UInt = MathOp::ToUInt;
}

methods! { UInt:
    /// The smaller of the two.
    min(other: UInt) -> UInt = MathOp::Min;
    /// The larger of the two.
    max(other: UInt) -> UInt = MathOp::Max;
    /// Whether it is below the other.
    lt(other: UInt) -> Bool = MathOp::Lt;
    /// Whether it is at or below the other.
    le(other: UInt) -> Bool = MathOp::Le;
    /// Whether it is above the other.
    gt(other: UInt) -> Bool = MathOp::Gt;
    /// Whether it is at or above the other.
    ge(other: UInt) -> Bool = MathOp::Ge;
    /// Whether they are equal.
    equals(other: UInt) -> Bool = MathOp::Eq;
    /// Whether they differ.
    differs(other: UInt) -> Bool = MathOp::Ne;
    /// The nearest float.
    to_float() -> Float = MathOp::ToFloat;
    /// The number with the same bits: one from 2^31 on is 2^32 less.
    to_int() -> Int = MathOp::ToInt;
}

methods! { Vec2:
    /// The scalar product.
    dot(other: Vec2) -> Float = MathOp::Dot;
    /// The length.
    length() -> Float = MathOp::Length;
    /// Of length 1; the zero vector stays zero.
    normalize() -> Vec2 = MathOp::Normalize;
    /// The smaller of the two, component by component.
    min(other: Vec2) -> Vec2 = MathOp::Min;
    /// The larger of the two, component by component.
    max(other: Vec2) -> Vec2 = MathOp::Max;
    /// From self at 0 to `to` at 1, in a straight line.
    lerp(to: Vec2, t: Float) -> Vec2 = MathOp::Lerp;
    /// The first component.
    x() -> Float = MathOp::Lane(0);
    /// The second component.
    y() -> Float = MathOp::Lane(1);
}

methods! { Vec4:
    /// The scalar product.
    dot(other: Vec4) -> Float = MathOp::Dot;
    /// The length.
    length() -> Float = MathOp::Length;
    /// Of length 1; the zero vector stays zero.
    normalize() -> Vec4 = MathOp::Normalize;
    /// The smaller of the two, component by component.
    min(other: Vec4) -> Vec4 = MathOp::Min;
    /// The larger of the two, component by component.
    max(other: Vec4) -> Vec4 = MathOp::Max;
    /// From self at 0 to `to` at 1, in a straight line.
    lerp(to: Vec4, t: Float) -> Vec4 = MathOp::Lerp;
    /// The first component.
    x() -> Float = MathOp::Lane(0);
    /// The second component.
    y() -> Float = MathOp::Lane(1);
    /// The third component.
    z() -> Float = MathOp::Lane(2);
    /// The fourth component.
    w() -> Float = MathOp::Lane(3);
    /// The first three components.
    xyz() -> Vec3 = MathOp::As(Type::Vec3);
}

methods! { Quat:
    /// This rotation backwards.
    inverse() -> Quat = MathOp::Conjugate;
    /// A vector turned by this rotation.
    rotate(vector: Vec3) -> Vec3 = MathOp::Rotate;
    /// On the shortest way from self at 0 to `to` at 1, at an even speed.
    slerp(to: Quat, t: Float) -> Quat = MathOp::Slerp;
    /// Of length 1 again, after many products.
    normalize() -> Quat = MathOp::Normalize;
    /// Its four numbers x, y, z, w.
    to_vec4() -> Vec4 = MathOp::As(Type::Vec4);
}

methods! { Color:
    /// From self at 0 to `to` at 1, in a straight line.
    lerp(to: Color, t: Float) -> Color = MathOp::Lerp;
    /// Red.
    r() -> Float = MathOp::Lane(0);
    /// Green.
    g() -> Float = MathOp::Lane(1);
    /// Blue.
    b() -> Float = MathOp::Lane(2);
    /// Alpha: 1 is opaque.
    a() -> Float = MathOp::Lane(3);
    /// Red, green and blue.
    rgb() -> Vec3 = MathOp::As(Type::Vec3);
}

impl<'g> Quat<'g> {
    /// A turn by radians about an axis, counter-clockwise seen against it. The axis need not be of length 1,
    /// but must not be the zero vector, which gives no rotation.
    #[track_caller]
    pub fn about(axis: impl Into<Vec3<'g>>, radians: impl Into<Float<'g>>) -> Quat<'g> {
        apply(MathOp::AxisAngle, &[axis.into().into(), radians.into().into()])
    }

    /// Four numbers as a rotation, made of length 1.
    #[track_caller]
    pub fn from_vec4(value: impl Into<Vec4<'g>>) -> Quat<'g> {
        let quat: Quat<'g> = apply(MathOp::As(Type::Quat), &[value.into().into()]);
        quat.normalize()
    }
}

/// `a * b` turns by `b` and then by `a`.
impl<'g> Mul<Quat<'g>> for Quat<'g> {
    type Output = Quat<'g>;
    #[track_caller]
    fn mul(self, then: Quat<'g>) -> Quat<'g> {
        apply(MathOp::Compose, &[self.into(), then.into()])
    }
}

/// A vector turned.
impl<'g> Mul<Vec3<'g>> for Quat<'g> {
    type Output = Vec3<'g>;
    #[track_caller]
    fn mul(self, vector: Vec3<'g>) -> Vec3<'g> {
        self.rotate(vector)
    }
}

methods! { Bool:
    /// Whether both hold.
    and(other: Bool) -> Bool = MathOp::And;
    /// Whether either holds.
    or(other: Bool) -> Bool = MathOp::Or;
}

methods! { Vec3:
    /// The scalar product.
    dot(other: Vec3) -> Float = MathOp::Dot;
    /// The vector product.
    cross(other: Vec3) -> Vec3 = MathOp::Cross;
    /// The length.
    length() -> Float = MathOp::Length;
    /// Of length 1; the zero vector stays zero.
    normalize() -> Vec3 = MathOp::Normalize;
    /// The smaller of the two, component by component.
    min(other: Vec3) -> Vec3 = MathOp::Min;
    /// The larger of the two, component by component.
    max(other: Vec3) -> Vec3 = MathOp::Max;
    /// From self at 0 to `to` at 1, in a straight line.
    lerp(to: Vec3, t: Float) -> Vec3 = MathOp::Lerp;
    /// The first component.
    x() -> Float = MathOp::Lane(0);
    /// The second component.
    y() -> Float = MathOp::Lane(1);
    /// The third component.
    z() -> Float = MathOp::Lane(2);
    /// The first two components.
    xy() -> Vec2 = MathOp::As(Type::Vec2);
}

impl<'g> Float<'g> {
    /// Within the bounds: `max(low)` and then `min(high)`.
    #[track_caller]
    pub fn clamp(self, low: impl Into<Float<'g>>, high: impl Into<Float<'g>>) -> Float<'g> {
        self.max(low).min(high)
    }
}

impl<'g> std::ops::Not for Bool<'g> {
    type Output = Bool<'g>;
    #[track_caller]
    fn not(self) -> Bool<'g> {
        apply(MathOp::Not, &[self.into()])
    }
}

/// A vector of three numbers.
#[track_caller]
pub fn vec3<'g>(x: impl Into<Float<'g>>, y: impl Into<Float<'g>>, z: impl Into<Float<'g>>) -> Vec3<'g> {
    apply(
        MathOp::Make(Type::Vec3),
        &[x.into().into(), y.into().into(), z.into().into()],
    )
}

/// A vector of two numbers.
#[track_caller]
pub fn vec2<'g>(x: impl Into<Float<'g>>, y: impl Into<Float<'g>>) -> Vec2<'g> {
    apply(MathOp::Make(Type::Vec2), &[x.into().into(), y.into().into()])
}

/// A vector of four numbers.
#[track_caller]
pub fn vec4<'g>(
    x: impl Into<Float<'g>>,
    y: impl Into<Float<'g>>,
    z: impl Into<Float<'g>>,
    w: impl Into<Float<'g>>,
) -> Vec4<'g> {
    let lanes = [x.into(), y.into(), z.into(), w.into()];
    apply(MathOp::Make(Type::Vec4), &lanes.map(AnySocket::from))
}

/// A colour of red, green, blue and alpha, linear, each within [0, 1] where it is drawn.
#[track_caller]
pub fn rgba<'g>(
    red: impl Into<Float<'g>>,
    green: impl Into<Float<'g>>,
    blue: impl Into<Float<'g>>,
    alpha: impl Into<Float<'g>>,
) -> Color<'g> {
    let lanes = [red.into(), green.into(), blue.into(), alpha.into()];
    apply(MathOp::Make(Type::Color), &lanes.map(AnySocket::from))
}
