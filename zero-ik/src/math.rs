//! Turns and directions in f64, where no finite f32 input can overflow a square.

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use crate::trig;

/// Below this length a vector has no direction. It lies under every length that f32 data with clamped scales can have.
const SHORTEST: f64 = 1e-120;

/// The direction of `vector`, or nothing where it has none.
#[inline]
pub(crate) fn unit(vector: DVec3) -> Option<DVec3> {
    let length = vector.length();
    (length > SHORTEST && length.is_finite()).then(|| vector / length)
}

/// The part of `vector` across `axis` (a unit vector), as a direction; nothing where they are parallel to 1e-9.
#[inline]
pub(crate) fn across(vector: DVec3, axis: DVec3) -> Option<DVec3> {
    let direction = unit(vector)?;
    let part = direction - axis * direction.dot(axis);
    (part.length_squared() > 1e-18).then(|| part / part.length())
}

/// Any direction across `axis`, the same one each time: the coordinate axis that `axis` leans on least, turned into the
/// plane.
pub(crate) fn any_across(axis: DVec3) -> DVec3 {
    let size = axis.abs();
    let least = if size.x <= size.y && size.x <= size.z {
        DVec3::X
    } else if size.z <= size.y {
        DVec3::Z
    } else {
        DVec3::Y
    };
    across(least, axis).unwrap_or(DVec3::X)
}

/// The shortest turn that brings one direction onto another. Opposite directions have no shortest turn: then it goes half
/// round about the part of `preferred` across `from`, or any axis across it.
#[inline]
pub(crate) fn arc(from: DVec3, to: DVec3, preferred: DVec3) -> DQuat {
    let real = 1.0 + from.dot(to);
    if real < 1e-12 {
        let axis = across(preferred, from).unwrap_or_else(|| any_across(from));
        return DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let axis = from.cross(to);
    normalized(DQuat::from_xyzw(axis.x, axis.y, axis.z, real))
}

/// The turn about `axis` alone that brings `from` closest to `to`; nothing where either runs along the axis.
pub(crate) fn arc_about(axis: DVec3, from: DVec3, to: DVec3) -> Option<DQuat> {
    Some(arc(across(from, axis)?, across(to, axis)?, axis))
}

/// The turn that brings one right-angled pair of directions onto another.
#[inline]
pub(crate) fn frame_turn(from: (DVec3, DVec3), to: (DVec3, DVec3)) -> DQuat {
    let basis = |(first, second): (DVec3, DVec3)| DMat3::from_cols(first, second, first.cross(second));
    normalized(DQuat::from_mat3(&(basis(to) * basis(from).transpose())))
}

/// A share of a turn, taken along its shorter way round: 0 is none of it and 1 all of it.
pub(crate) fn share_of_turn(turn: DQuat, share: f64) -> DQuat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let imaginary = turn.xyz();
    let Some(axis) = unit(imaginary) else {
        return DQuat::IDENTITY;
    };
    let half_rad = trig::atan2(imaginary.length(), turn.w);
    about(axis, 2.0 * half_rad * share)
}

/// The turn about `axis` (a unit vector) by an angle in radians.
pub(crate) fn about(axis: DVec3, angle_rad: f64) -> DQuat {
    let (sine, cosine) = trig::sin_cos(angle_rad * 0.5);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The angle between two directions, in radians: accurate at 0 and at pi, where the arc cosine is not.
pub(crate) fn angle_between(first: DVec3, second: DVec3) -> f64 {
    trig::atan2(first.cross(second).length(), first.dot(second))
}

/// Part of the way from one turn to another along the shorter way, by the normalized mean. It needs no sine, cannot
/// divide by nothing, and differs from the even way by less than a degree up to right angles.
pub(crate) fn blend(from: DQuat, to: DQuat, weight: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    normalized(from * (1.0 - weight) + to * weight)
}

/// The turn scaled to unit length, or no turn where it has no length.
#[inline]
pub(crate) fn normalized(turn: DQuat) -> DQuat {
    let length = turn.length();
    if length > SHORTEST && length.is_finite() {
        turn * (1.0 / length)
    } else {
        DQuat::IDENTITY
    }
}

/// A stored turn in f64 and at unit length.
#[inline]
pub(crate) fn wide(turn: Quat) -> DQuat {
    normalized(turn.as_dquat())
}

/// A position in f32: a finite one past its range ends at its edge, so that no infinity comes out of finite numbers. What
/// is infinite or NaN stays that, for a solver to refuse: a target must not become a far one by being NaN.
#[inline]
pub(crate) fn narrow(position: DVec3) -> Vec3 {
    Vec3::new(
        narrow_number(position.x),
        narrow_number(position.y),
        narrow_number(position.z),
    )
}

/// A number in f32; see [`narrow`].
#[inline]
pub(crate) fn narrow_number(number: f64) -> f32 {
    if number.is_finite() {
        number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
    } else {
        number as f32
    }
}

/// A length in f32, ending at the edge of its range.
#[inline]
pub(crate) fn narrow_length(length: f64) -> f32 {
    narrow_number(length)
}

/// Degrees, as people write angles, to radians.
#[inline]
pub(crate) fn radians(degrees: f32) -> f64 {
    f64::from(degrees) * (std::f64::consts::PI / 180.0)
}

/// Radians to degrees.
#[inline]
pub(crate) fn degrees(radians: f64) -> f32 {
    (radians * (180.0 / std::f64::consts::PI)) as f32
}

/// A weight as a solver takes it: 0 to 1, and nothing for what is not finite.
#[inline]
pub(crate) fn weight(weight: f32) -> Option<f64> {
    weight.is_finite().then(|| f64::from(weight).clamp(0.0, 1.0))
}

/// A weight as a state tells it: the one a solver ran with, and 0 where it refused.
#[inline]
pub(crate) fn weight_run(weight_given: f32) -> f32 {
    weight(weight_given).map_or(0.0, |weight| weight as f32)
}
