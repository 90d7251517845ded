use glam::{DQuat, DVec3, Quat, Vec3};

use crate::math::{self, degrees};
use crate::{Error, Result, trig};

/// How far past a limit a turn counts as on it, in the sine of half the angle. A turn that was brought onto its limit and
/// stored in f32 lies within this, so that applying the limit again changes no bit.
const SLACK: f64 = 1e-6;

/// How far a bone may turn from its rest pose.
///
/// The turn away from rest is split in two: the *twist* about an axis, and the *swing* that tips that axis. Angles are
/// degrees, as people author them.
///
/// ```
/// use glam::{Quat, Vec3};
/// use zero_ik::Limit;
///
/// let rest = Quat::IDENTITY;
/// let knee = Limit::hinge(Vec3::X, 0.0, 150.0)?;
/// // Bent too far, and a little sideways: back to 150 degrees about the hinge, and to nothing beside it.
/// let strained = Quat::from_rotation_z(0.2) * Quat::from_rotation_x(170f32.to_radians());
/// let held = knee.apply(rest, strained);
/// assert!(held.angle_between(Quat::from_rotation_x(150f32.to_radians())) < 1e-3);
/// // What is inside stays as it is, to the bit.
/// let bent = Quat::from_rotation_x(1.0);
/// assert_eq!(knee.apply(rest, bent), bent);
/// # Ok::<(), zero_ik::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "LimitFile", into = "LimitFile"))]
pub struct Limit {
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Cone {
        axis: DVec3,
        swing: Half,
        twist: Half,
        degrees: [f32; 2],
    },
    Hinge {
        axis: DVec3,
        min: Half,
        max: Half,
        degrees: [f32; 2],
    },
}

/// Sine and cosine of half an angle: all that a quaternion needs to be held to it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Half {
    sine: f64,
    cosine: f64,
}

impl Half {
    fn of_degrees(angle: f32) -> Self {
        let (sine, cosine) = trig::sin_cos(math::radians(angle) * 0.5);
        Self { sine, cosine }
    }

    /// The sine of how far a half-angle (as its sine and cosine) lies past this one.
    fn past(self, sine: f64, cosine: f64) -> f64 {
        sine * self.cosine - cosine * self.sine
    }
}

impl Limit {
    /// A ball joint: the bone's `axis` (a direction of the bone's own space, such as the one its child lies along) may tip
    /// by at most `swing_degrees` from where it rests, and the bone may twist about it by at most `twist_degrees` to either
    /// side.
    ///
    /// # Errors
    /// [`Error::BadLimit`] for an angle that is not within 0 to 180, [`Error::BadAxis`] for an axis without direction.
    pub fn cone(axis: Vec3, swing_degrees: f32, twist_degrees: f32) -> Result<Self> {
        for (field, value) in [("swing", swing_degrees), ("twist", twist_degrees)] {
            if !(0.0..=180.0).contains(&value) {
                return Err(Error::BadLimit {
                    limit: "cone",
                    field,
                    value,
                    expected: "0 to 180",
                });
            }
        }
        Ok(Self {
            kind: Kind::Cone {
                axis: direction(axis)?,
                swing: Half::of_degrees(swing_degrees),
                twist: Half::of_degrees(twist_degrees),
                degrees: [swing_degrees, twist_degrees],
            },
        })
    }

    /// A hinge: the bone turns about `axis` (a direction of the bone's own space) from `min_degrees` to `max_degrees`
    /// away from rest, and every other turn is taken off.
    ///
    /// # Errors
    /// [`Error::BadLimit`] unless -180 <= min <= max <= 180, [`Error::BadAxis`] for an axis without direction.
    pub fn hinge(axis: Vec3, min_degrees: f32, max_degrees: f32) -> Result<Self> {
        for (field, value) in [("min", min_degrees), ("max", max_degrees)] {
            if !(-180.0..=180.0).contains(&value) {
                return Err(Error::BadLimit {
                    limit: "hinge",
                    field,
                    value,
                    expected: "-180 to 180",
                });
            }
        }
        if min_degrees > max_degrees {
            return Err(Error::BadLimit {
                limit: "hinge",
                field: "min",
                value: min_degrees,
                expected: "at most max",
            });
        }
        Ok(Self {
            kind: Kind::Hinge {
                axis: direction(axis)?,
                min: Half::of_degrees(min_degrees),
                max: Half::of_degrees(max_degrees),
                degrees: [min_degrees, max_degrees],
            },
        })
    }

    /// The turn `local` held to this limit, where the bone rests at `rest`; both in the parent's space. A turn inside
    /// the limit comes back as it is, to the bit, and so does one that this function gave.
    #[must_use]
    pub fn apply(&self, rest: Quat, local: Quat) -> Quat {
        match self.held(math::wide(rest), math::wide(local)) {
            Some(held) => held.as_quat(),
            None => local,
        }
    }

    /// The same in f64: nothing where the turn is inside.
    pub(crate) fn held(&self, rest: DQuat, local: DQuat) -> Option<DQuat> {
        let from_rest = rest.conjugate() * local;
        let held = match self.kind {
            Kind::Cone { axis, swing, twist, .. } => hold_in_cone(from_rest, axis, swing, twist),
            Kind::Hinge { axis, min, max, .. } => hold_on_hinge(from_rest, axis, min, max),
        }?;
        Some(math::normalized(rest * held))
    }

    /// The axis of a hinge, in the bone's own space at rest.
    pub(crate) fn hinge_axis(&self) -> Option<DVec3> {
        match self.kind {
            Kind::Hinge { axis, .. } => Some(axis),
            Kind::Cone { .. } => None,
        }
    }

    /// What makes this limit this limit, for a fingerprint.
    pub(crate) fn numbers(&self) -> [f32; 6] {
        let (kind, axis, [first, second]) = match self.kind {
            Kind::Cone { axis, degrees, .. } => (0.0, axis.as_vec3(), degrees),
            Kind::Hinge { axis, degrees, .. } => (1.0, axis.as_vec3(), degrees),
        };
        [kind, axis.x, axis.y, axis.z, first, second]
    }

    /// By how much `local` is turned past what this limit allows, in degrees: 0 inside.
    #[must_use]
    pub fn excess_degrees(&self, rest: Quat, local: Quat) -> f32 {
        let local = math::wide(local);
        let Some(held) = self.held(math::wide(rest), local) else {
            return 0.0;
        };
        let away = held.conjugate() * local;
        degrees(2.0 * trig::atan2(away.xyz().length(), away.w.abs()))
    }
}

fn direction(axis: Vec3) -> Result<DVec3> {
    let bad = Error::BadAxis {
        x: axis.x,
        y: axis.y,
        z: axis.z,
    };
    if axis.is_finite() {
        math::unit(axis.as_dvec3()).ok_or(bad)
    } else {
        Err(bad)
    }
}

/// The twist of a turn about an axis; none where the turn is a half turn across the axis, which has no one twist.
fn twist_about(turn: DQuat, axis: DVec3) -> DQuat {
    let along = axis * turn.xyz().dot(axis);
    let twist = math::normalized(DQuat::from_xyzw(along.x, along.y, along.z, turn.w));
    if twist.w < 0.0 { -twist } else { twist }
}

fn about_half(axis: DVec3, sine: f64, cosine: f64) -> DQuat {
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

fn hold_in_cone(turn: DQuat, axis: DVec3, swing_limit: Half, twist_limit: Half) -> Option<DQuat> {
    let twist = twist_about(turn, axis);
    let swing = turn * twist.conjugate();
    let swing = if swing.w < 0.0 { -swing } else { swing };
    let (swing_sine, twist_sine) = (swing.xyz().length(), twist.xyz().dot(axis));
    let swings_past = swing_limit.past(swing_sine, swing.w) > SLACK;
    let twists_past = twist_limit.past(twist_sine.abs(), twist.w) > SLACK;
    if !swings_past && !twists_past {
        return None;
    }
    let swing = match math::unit(swing.xyz()) {
        Some(direction) if swings_past => about_half(direction, swing_limit.sine, swing_limit.cosine),
        _ => swing,
    };
    let twist = if twists_past {
        about_half(axis, twist_limit.sine * twist_sine.signum(), twist_limit.cosine)
    } else {
        twist
    };
    Some(swing * twist)
}

fn hold_on_hinge(turn: DQuat, axis: DVec3, min: Half, max: Half) -> Option<DQuat> {
    let twist = twist_about(turn, axis);
    let sine = twist.xyz().dot(axis);
    let (below, above) = (-min.past(sine, twist.w), max.past(sine, twist.w));
    let held = if below > SLACK || above > SLACK {
        // Round the circle the nearer end is the one whose half-angle differs by the smaller sine.
        let end = if below.abs() < above.abs() { min } else { max };
        about_half(axis, end.sine, end.cosine)
    } else {
        twist
    };
    let swing = turn * twist.conjugate();
    let off_axis = swing.xyz().length();
    (off_axis > SLACK || below > SLACK || above > SLACK).then_some(held)
}

/// How a limit is written: with its authored angles.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum LimitFile {
    #[serde(rename_all = "camelCase")]
    Cone {
        axis: Vec3,
        swing_degrees: f32,
        twist_degrees: f32,
    },
    #[serde(rename_all = "camelCase")]
    Hinge {
        axis: Vec3,
        min_degrees: f32,
        max_degrees: f32,
    },
}

#[cfg(feature = "serde")]
impl From<Limit> for LimitFile {
    fn from(limit: Limit) -> Self {
        match limit.kind {
            Kind::Cone {
                axis,
                degrees: [swing_degrees, twist_degrees],
                ..
            } => Self::Cone {
                axis: axis.as_vec3(),
                swing_degrees,
                twist_degrees,
            },
            Kind::Hinge {
                axis,
                degrees: [min_degrees, max_degrees],
                ..
            } => Self::Hinge {
                axis: axis.as_vec3(),
                min_degrees,
                max_degrees,
            },
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<LimitFile> for Limit {
    type Error = Error;

    fn try_from(file: LimitFile) -> Result<Self> {
        match file {
            LimitFile::Cone {
                axis,
                swing_degrees,
                twist_degrees,
            } => Self::cone(axis, swing_degrees, twist_degrees),
            LimitFile::Hinge {
                axis,
                min_degrees,
                max_degrees,
            } => Self::hinge(axis, min_degrees, max_degrees),
        }
    }
}
