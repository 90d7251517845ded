//! The CPU backend: kernels are Rust functions over slices.

mod bindings;
mod fused;
mod map;
mod run;
mod twin;
mod walk;

pub use bindings::{Append, CpuBindings, CpuExec, CpuParams};
pub(crate) use run::{Place, run_list};
pub(crate) use twin::said;

use std::sync::Arc;

/// Which instructions the CPU backend uses. Both give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isa {
    /// The best that the processor has.
    #[default]
    Auto,
    /// What every processor of the target has; tests run both.
    Baseline,
}

/// How a CPU device is made.
#[derive(Clone, Debug, Default)]
pub struct CpuOptions {
    /// Threads to share work among; `None` runs on the thread that drives the device.
    pub pool: Option<Arc<rayon::ThreadPool>>,
    /// Which instructions to use.
    pub isa: Isa,
}
