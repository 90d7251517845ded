//! Holds kernels to their declaration: the same inputs on every device, the results compared.
//!
//! ```
//! use zero_compute::{parity::{Input, Parity}, *};
//!
//! static LERP: Kernel = Kernel::declare("lerp")
//!     .read("a", Element::F32)
//!     .read("b", Element::F32)
//!     .write("dst", Element::F32, Rule::same_as("a"))
//!     .param("t", Param::F32(0.5))
//!     .determinism(Determinism::Pointwise { ulps: 4 })
//!     .wgsl(
//!         "@compute @workgroup_size(256)
//!          fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
//!              let i = zero_index(gid, nw);
//!              if (i >= zero_n()) { return; }
//!              dst[i] = select(0.0, a[i] + (b[i] - a[i]) * params.t, i < zero_live());
//!          }",
//!     )
//!     .cpu(Cpu::Ranges(|range, b, p, _| {
//!         let (dst, t, live) = (b.write::<f32>("dst")?, p.f32("t")?, p.live() as usize);
//!         let (x, y) = (b.read::<f32>("a")?, b.read::<f32>("b")?);
//!         for (d, i) in dst.iter_mut().zip(range) {
//!             *d = if i < live { x[i] + (y[i] - x[i]) * t } else { 0.0 };
//!         }
//!         Ok(())
//!     }));
//!
//! // The CPU in all its forms and the software adapter; the CPU alone where there is none.
//! let parity = Parity::open().unwrap_or_else(|missing| {
//!     eprintln!("{missing}");
//! #   assert!(std::env::var_os("CI").is_none(), "CI needs a software adapter: {missing}");
//!     Parity::cpu()
//! });
//! let report = parity
//!     .kernel(&LERP)
//!     .input("a", Input::floats(-1e3..=1e3))
//!     .input("b", Input::floats(-1e3..=1e3))
//!     .param("t", 0.25)
//!     .largest(2e3) // what the bound in ulps is measured at
//!     .check()?;
//! assert_eq!(report.devices, parity.devices().len());
//! # assert!(report.words > 100_000 && report.cases > 30);
//! # Ok::<(), Error>(())
//! ```
//!
//! [`Parity::kernel`] draws a kernel's inputs by seed over edge sizes and live counts, for every option, and compares
//! what it writes. [`Parity::work`] does the same for a closure that records whatever it likes, with an oracle beside it
//! if there is one. The first device is the reference: the CPU's baseline instructions on one thread.
//!
//! The other forms of the CPU must give the same bits whatever a kernel declares. A GPU is held to the declaration:
//! [`Determinism::Exact`] is the same bits, and of an append binding the same elements in any
//! order; `Pointwise` is that many ulps of [`largest`](KernelCheck::largest), or of the larger of the two numbers where
//! none is given; `FloatOrder` is its bound over the elements of the domain and the largest input. Integers are equal in
//! every class. A difference is [`Error::Differs`](crate::Error::Differs), with the first word that differs.
//!
//! `ZERO_TEST_ADAPTER` names an adapter that takes part besides: hold a kernel on hardware with it.

mod compare;
mod draws;
mod kernel;
mod work;

pub use compare::{Difference, Part};
pub use draws::{Case, Draws, EDGE_SIZES, live_counts};
pub use kernel::{Input, KernelCheck};
pub use work::{Inputs, WorkCheck};

use std::sync::Arc;

use crate::{CpuOptions, Determinism, Device, Isa, Kernel, Result};

/// The devices that kernels are held on, the reference first. Keep it in a `static`: opening devices takes long, and a
/// GPU device must not be dropped with a thread's storage.
#[derive(Clone, Debug)]
pub struct Parity {
    devices: Vec<(String, Device)>,
}

/// What a check went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Devices, the reference among them.
    pub devices: usize,
    /// Inputs that were drawn: one a size, live count and option.
    pub cases: u64,
    /// Words of the reference that every other device was compared with.
    pub words: u64,
}

impl Parity {
    /// The CPU as [`cpu`](Self::cpu) has it, the software adapter, and the adapter that `ZERO_TEST_ADAPTER` names, if it
    /// is set; the software adapter may then be missing. Without the feature `gpu`, and in a browser, the CPU alone.
    ///
    /// # Errors
    /// [`Error::NoAdapter`](crate::Error::NoAdapter) where there is no such adapter, and what opening one fails with.
    #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
    pub fn open() -> Result<Parity> {
        use crate::GpuOptions;
        let named = std::env::var("ZERO_TEST_ADAPTER").ok();
        let mut parity = Self::cpu();
        let is_named = named.is_some();
        let mut has_software = false;
        if let Some(name) = named {
            let device = Device::gpu_blocking(GpuOptions {
                adapter_name: Some(name),
                ..GpuOptions::default()
            })?;
            has_software = device.info().software;
            parity.devices.push((format!("gpu {}", device.info().name), device));
        }
        let software = || {
            Device::gpu_blocking(GpuOptions {
                software: true,
                ..GpuOptions::default()
            })
        };
        if !has_software {
            match software() {
                Ok(device) => parity.devices.push(("software gpu".to_owned(), device)),
                Err(error) if !is_named => return Err(error),
                Err(_) => {}
            }
        }
        Ok(parity)
    }

    /// The CPU as [`cpu`](Self::cpu) has it: this build has no other backend.
    ///
    /// # Errors
    /// None.
    #[cfg(not(all(feature = "gpu", not(target_arch = "wasm32"))))]
    pub fn open() -> Result<Parity> {
        Ok(Self::cpu())
    }

    /// The CPU on both instruction sets, on the calling thread and on 2 and 16 threads. A machine that refuses threads
    /// has those forms that it gave.
    pub fn cpu() -> Parity {
        let forms = [
            ("cpu baseline", Isa::Baseline, 1),
            ("cpu", Isa::Auto, 1),
            ("cpu of 2 threads", Isa::Auto, 2),
            ("cpu of 16 threads", Isa::Auto, 16),
            ("cpu baseline of 16 threads", Isa::Baseline, 16),
        ];
        let open = |(name, isa, threads): (&str, Isa, usize)| {
            let pool = match threads {
                1 => None,
                _ => Some(Arc::new(
                    rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?,
                )),
            };
            Some((name.to_owned(), Device::cpu(CpuOptions { pool, isa })))
        };
        Self {
            devices: forms.into_iter().filter_map(open).collect(),
        }
    }

    /// These devices under these names, the first of them the reference.
    pub fn of(devices: impl IntoIterator<Item = (String, Device)>) -> Parity {
        Self {
            devices: devices.into_iter().collect(),
        }
    }

    /// The devices with their names, the reference first.
    pub fn devices(&self) -> &[(String, Device)] {
        &self.devices
    }

    /// Holds a kernel to its declaration.
    pub fn kernel(&self, kernel: &'static Kernel) -> KernelCheck<'_> {
        KernelCheck::new(self, kernel)
    }

    /// Holds what a closure records to a class. `what` names it in a difference.
    pub fn work(&self, what: &str, class: Determinism) -> WorkCheck<'_> {
        WorkCheck::new(self, what, class)
    }
}
