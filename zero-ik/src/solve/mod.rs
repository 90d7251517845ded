//! The solvers, each a function over a loaded [`Chain`].

mod aim;
mod iterate;
mod look_at;
mod two_bone;

use std::fmt;
use std::str::FromStr;

pub use aim::{AimParams, aim};
pub use iterate::{IterateParams, ccd, fabrik};
pub use look_at::{LookAtParams, look_at};
pub use two_bone::{TwoBoneParams, two_bone};

use crate::role::join;
use crate::{Chain, Error, Result, Status, math};
use glam::{DVec3, Vec3};

/// How a solve toward a position ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Solve {
    /// What happened.
    pub status: Status,
    /// How far the tip still is from the target after the solve, in the rig's units; NaN never, 0 where there is no
    /// finite target.
    pub distance_to_target: f32,
    /// Rounds of iteration done; 0 for the solver without any, and where the chain was on its target already.
    pub iterations: u32,
}

/// How a solve toward a direction ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Turn {
    /// What happened.
    pub status: Status,
    /// The angle still between the tip's axis and the target, in degrees.
    pub error_degrees: f32,
    /// Rounds of iteration done; 0 where the axis was on the target already.
    pub iterations: u32,
}

/// The solvers by name, for one that is chosen in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum Solver {
    /// [`two_bone`], named `twoBone`.
    TwoBone,
    /// [`ccd`].
    #[default]
    Ccd,
    /// [`fabrik`].
    Fabrik,
    /// [`aim`].
    Aim,
    /// [`look_at`], named `lookAt`.
    LookAt,
}

impl Solver {
    /// Every solver, in the order of the enum.
    pub const ALL: [Self; 5] = [Self::TwoBone, Self::Ccd, Self::Fabrik, Self::Aim, Self::LookAt];

    /// The solver's name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TwoBone => "twoBone",
            Self::Ccd => "ccd",
            Self::Fabrik => "fabrik",
            Self::Aim => "aim",
            Self::LookAt => "lookAt",
        }
    }

    /// Every name, in the order of the enum.
    pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
        Self::ALL.into_iter().map(Self::name)
    }

    /// The solver of a name.
    ///
    /// # Errors
    /// [`Error::UnknownName`], with the names there are.
    pub fn by_name(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|solver| solver.name() == name)
            .ok_or_else(|| Error::UnknownName {
                kind: "solver",
                name: name.to_owned(),
                known: join(Self::names()),
            })
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Solver {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::by_name(name)
    }
}

/// What stands in the way of a solve, before any work is done; otherwise the weight.
fn ready(chain: &Chain, target: Vec3, weight: f32) -> Result<f64, Status> {
    let weight = math::weight(weight).ok_or(Status::NotFinite)?;
    if weight == 0.0 {
        return Err(Status::PassThrough);
    }
    if !chain.fits() {
        return Err(Status::PoseMismatch);
    }
    if !target.is_finite() || !chain.is_finite() {
        return Err(Status::NotFinite);
    }
    Ok(weight)
}

/// The end of a solve toward a position that did nothing.
fn untouched(chain: &Chain, target: Vec3, status: Status) -> Solve {
    let measurable = target.is_finite() && chain.is_finite();
    let distance_to_target = if measurable {
        distance(chain, target.as_dvec3())
    } else {
        0.0
    };
    Solve {
        status,
        distance_to_target,
        iterations: 0,
    }
}

fn distance(chain: &Chain, target: DVec3) -> f32 {
    math::narrow_length((target - chain.tip()).length())
}

/// Where a point lies that a chain cannot touch; nothing where it can.
fn beyond(chain: &Chain, target: DVec3) -> Option<Status> {
    let (distance, reach) = ((target - chain.root()).length(), chain.total());
    let room = reach * 1e-9;
    if distance > reach + room {
        Some(Status::OutOfReach)
    } else if distance < chain.dead_zone() - room {
        Some(Status::TooClose)
    } else {
        None
    }
}
