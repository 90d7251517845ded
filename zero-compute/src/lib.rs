//! Compute kernels with one contract and two backends.

mod args;
mod column;
mod cpu;
mod device;
mod error;
mod exec;
pub mod field;
#[cfg(feature = "gpu")]
mod gpu;
mod kernel;
pub mod kernels;
mod list;
mod map;
mod moves;
mod pool;
mod queue;
mod readback;
mod record;
mod shader;
mod stats;

pub use args::{Arg, Args, Domain, Number};
pub use column::{Column, Element, Len, Word};
pub use cpu::{Append, CpuBindings, CpuExec, CpuOptions, CpuParams};
pub use device::{Device, DeviceClass, DeviceInfo, DeviceLimits, Drive, Isa, SLICE};
pub use error::{Error, Result};
pub use exec::{CancelToken, Clock, Exec, ManualClock, NoProgress, Progress, SystemClock};
#[cfg(feature = "gpu")]
pub use gpu::{GpuOptions, Limits, REQUIRED_FEATURES, REQUIRED_LIMITS};
pub use kernel::{
    Access, Binding, Cpu, Determinism, Groups, Kernel, Param, Pass, RangesFn, Rule, Specialization, WORKGROUP, WholeFn,
};
pub use list::{CommandList, Slot, Submission};
pub use readback::Readback;
pub use record::{Dispatch, Recorder};
pub use stats::{Counting, Stats};
#[cfg(feature = "gpu")]
pub use wgpu;
