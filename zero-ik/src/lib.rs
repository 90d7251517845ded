#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod chain;
mod error;
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
pub use error::{Error, Result};
pub use glam;
pub use limits::Limit;
pub use pose::Pose;
pub use rig::{Bone, BoneId, Rig};
pub use role::{ChainRole, Role};
pub use solve::{
    AimParams, IterateParams, LookAtParams, Solve, Solver, Turn, TwoBoneParams, aim, ccd, fabrik, look_at, two_bone,
};
pub use status::Status;
pub use transform::{Placement, Transform};
