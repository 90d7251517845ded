#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod chain;
mod drive;
mod error;
mod grounding;
mod limits;
mod math;
mod pose;
mod rig;
mod role;
mod solve;
mod status;
mod transform;
mod trig;

pub use chain::{Chain, Reach};
pub use drive::{
    AimState, Body, ChainSolver, ChainState, Driver, IkAim, IkChain, IkLimb, IkLookAt, IkNode, IkRig, LimbReport,
    LimbState, LookReport, LookState, RigState, RigTargets, Settings, Step, StepState,
};
pub use error::{Error, Result};
pub use glam;
pub use grounding::{Foothold, Footing, GroundingParams, Hit, Ray, clamp_slope, pelvis_drop, smooth};
pub use limits::Limit;
pub use pose::Pose;
pub use rig::{Bone, BoneId, Rig};
pub use role::{ChainRole, Role};
pub use solve::{
    AimParams, IterateParams, LookAtParams, Solve, Solver, Turn, TwoBoneParams, aim, ccd, fabrik, look_at, two_bone,
};
pub use status::Status;
pub use transform::{Placement, Transform};
