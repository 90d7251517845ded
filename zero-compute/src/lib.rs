//! Compute kernels with one contract and two backends: a GPU through wgpu, and native CPU code.
//!
//! # The smallest program
//!
//! ```
//! use zero_compute::*;
//!
//! static ADD: Kernel = Kernel::declare("add")
//!     .read("src", Element::F32)
//!     .write("dst", Element::F32, Rule::same_as("src"))
//!     .param("delta", Param::F32(1.0))
//!     .wgsl(
//!         "@compute @workgroup_size(256)
//!          fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
//!              let i = zero_index(gid, nw);
//!              if (i < zero_n()) { dst[i] = src[i] + params.delta; }
//!          }",
//!     )
//!     .cpu(Cpu::Ranges(|range, b, p, _| {
//!         let (src, dst, delta) = (b.read::<f32>("src")?, b.write::<f32>("dst")?, p.f32("delta")?);
//!         for (d, s) in dst.iter_mut().zip(&src[range]) {
//!             *d = s + delta;
//!         }
//!         Ok(())
//!     }));
//!
//! let device = Device::cpu(CpuOptions::default()); // or Device::auto_blocking()
//! let src = device.upload(&[1.0f32, 2.0], 1)?;
//! let mut recorder = device.record("quick start");
//! let add = recorder.dispatch(&ADD, args! { src: &src, delta: 0.5 }, Domain::of(&src))?;
//! recorder.finish()?.submit()?;
//! assert_eq!(add.column("dst")?.read::<f32>()?.wait()?, [1.5, 2.5]);
//! # Ok::<(), Error>(())
//! ```
//!
//! # A tour
//!
//! **A [`Device`]** is where columns live and kernels run. Its [`class`](Device::class) says what a result may depend
//! on besides its inputs; [`stats`](Device::stats) counts what it did, so that a promise about work is a test.
//!
//! **A [`Column`]** is a handle on interleaved 4-byte words: a position is three `f32` words, a *lane* each. Its length
//! is a number, or a *live count* that a kernel made and that stays on the device ([`Len`]).
//!
//! ```
//! use zero_compute::*;
//! let device = Device::cpu(CpuOptions::default());
//! let positions = device.upload(&[0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0], 3)?;
//! assert_eq!((positions.capacity(), positions.lanes()), (2, 3));
//! let first = positions.with_live(&device.upload(&[1u32], 1)?)?;
//! assert_eq!(first.read::<f32>()?.wait()?, [0.0, 1.0, 2.0]);
//! # Ok::<(), Error>(())
//! ```
//!
//! **A [`Kernel`]** is one declaration, a constant that documents itself: bindings with the shape of what is written
//! ([`Rule`]), params, specializations, what may differ between devices ([`Determinism`]), a WGSL source and a Rust
//! function. A function over ranges ([`Cpu::Ranges`]) is spread over threads; a whole one ([`Cpu::Whole`]) does as it
//! likes. [`kernels`] holds those that everything is built from: scan, sort, compact, gather and their kin.
//!
//! **A [`Recorder`]** takes dispatches over a [`Domain`] and checks their arguments; [`Recorder::finish`] makes a
//! [`CommandList`], which is submitted as often as wanted. A [`Slot`] is a number that may change in between.
//!
//! **A [`call::Call`]** is a dispatch for callers who know names and values only at run time: it casts, packs and copies
//! what it is given until it fits the declaration. [`call::transfer`] moves records of values to a device and back.
//!
//! [`Recorder::fuse`] lets the list run with fewer dispatches and the same bytes; [`Recorder::guard`] has it say which
//! counts outgrew the rooms that it was recorded for.
//!
//! **A [`field::Program`]** is an arithmetic expression over an element. [`Recorder::map`] runs it as one dispatch, and
//! [`Recorder::walk`] a [`field::Walk`], which is one taken step after step.
//!
//! **[`Exec`]** is how one call may run: its budget, its [`CancelToken`], its [`Progress`] and its [`Clock`].
//!
//! ```
//! use zero_compute::*;
//! let device = Device::cpu(CpuOptions::default());
//! let column = device.column(Element::U32, 1, 1_000_000)?;
//! let mut recorder = device.record("fill");
//! recorder.fill(&column, 7)?;
//! recorder.finish()?.submit()?;
//! // At most 2 ms a frame, and one slice of 65 536 elements however short that is.
//! while device.drive(&Exec { budget_ms: Some(2.0), ..Exec::default() })? == Drive::Budget {}
//! assert_eq!(device.stats().dispatches, 1);
//! # Ok::<(), Error>(())
//! ```
//!
//! # Features, threads, limits and costs
//!
//! The README, which follows, says what each is.
//!
//! ---
#![doc = include_str!("../README.md")]

mod args;
#[cfg(feature = "author")]
pub mod author;
mod build;
pub mod call;
mod column;
mod cpu;
mod device;
mod error;
mod exec;
pub mod field;
mod first_run;
mod fusion;
#[cfg(feature = "gpu")]
mod gpu;
mod guard;
mod kernel;
mod kernel_ref;
pub mod kernels;
mod list;
mod map;
mod moves;
mod names;
#[cfg(feature = "parity")]
pub mod parity;
mod pool;
mod profile;
mod programs;
mod queue;
mod readback;
mod record;
mod sent;
mod shader;
mod spoil;
mod stats;
mod submission;
mod table;
mod walk;

pub use args::{Arg, Args, Domain, Number};
pub use build::{Building, Finishing};
pub use column::{Column, Element, Len, Word};
pub use cpu::{Append, CpuBindings, CpuExec, CpuOptions, CpuParams};
pub use device::{
    Device, DeviceClass, DeviceInfo, DeviceLimits, Drive, Isa, KEPT_FAILURES, PART_DISPATCHES, PART_ELEMENTS, SLICE,
};
pub use error::{Error, Result};
pub use exec::{CancelToken, Clock, Exec, ManualClock, NoProgress, Progress, SystemClock};
pub use fusion::{Fusion, FusionCounts};
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
pub use gpu::adapters_blocking;
#[cfg(feature = "gpu")]
pub use gpu::{Adapter, GpuOptions, Lack, Limits, REQUIRED_FEATURES, REQUIRED_LIMITS, adapters};
pub use guard::{GuardAnswer, MAX_GUARDS, Outgrown};
pub use kernel::{
    Access, Binding, Columns, Cpu, Determinism, Extent, Groups, Kernel, Lanes, Param, Pass, PerElement, RangesFn, Rule,
    Specialization, WORKGROUP, WholeFn, Width,
};
pub use kernel_ref::KernelRef;
pub use list::{CommandList, Slot};
pub use pool::Trimmed;
pub use profile::{KernelProfile, Profile, Profiling, TimeSource};
pub use programs::MAX_RUN_TIME_PROGRAMS;
pub use readback::Readback;
pub use record::{Dispatch, Recorder};
pub use stats::{Counting, Stats};
pub use submission::{Ending, Submission};
pub use table::{CpuTable, PackedTable};
pub use walk::{MAX_WALK_STEPS, WalkOptions, Walked};
#[cfg(feature = "gpu")]
pub use wgpu;
