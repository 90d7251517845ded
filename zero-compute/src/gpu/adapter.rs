//! The adapters of a machine: what each is, what it lacks, and which of them fits the options.

use std::fmt;

use crate::device::{Device, DeviceInfo};
use crate::error::{Error, Result};
use crate::gpu::open;
use crate::gpu::{GpuOptions, Limits, REQUIRED_FEATURES, REQUIRED_LIMITS};

/// Something that an adapter does not have and this crate needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lack {
    /// A feature.
    Feature {
        /// Its name.
        name: String,
    },
    /// A limit that is worse than needed: most are lower, an alignment is higher.
    Limit {
        /// Its name in [`wgpu::Limits`].
        name: &'static str,
        /// What is needed.
        needed: u64,
        /// What the adapter has.
        found: u64,
    },
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Feature { name } => write!(f, "{name}"),
            Lack::Limit { name, needed, found } => write!(f, "{name} of {needed} (it has {found})"),
        }
    }
}

/// An adapter of this machine, as [`adapters`] found it.
///
/// ```no_run
/// use zero_compute::{Limits, adapters_blocking};
///
/// let adapters = adapters_blocking();
/// for adapter in &adapters {
///     println!("{adapter}");
/// }
/// let chosen = adapters.iter().find(|adapter| adapter.is_suitable() && adapter.info().backend == "vulkan");
/// let device = chosen.map(|adapter| adapter.open_blocking(Limits::WebGpuDefault)).transpose()?;
/// # Ok::<(), zero_compute::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Adapter {
    adapter: wgpu::Adapter,
    seen: Seen,
}

/// What is known of an adapter without opening it.
#[derive(Clone, Debug)]
struct Seen {
    info: DeviceInfo,
    kind: wgpu::DeviceType,
    lacks: Vec<Lack>,
}

/// Every adapter of every backend that this build has, in the order in which the drivers list them, those that cannot be
/// used among them. It asks the drivers anew, which may take a tenth of a second.
pub async fn adapters() -> Vec<Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let found = instance.enumerate_adapters(wgpu::Backends::all()).await;
    found.into_iter().map(Adapter::new).collect()
}

/// [`adapters`], waiting for them. There is none in a browser, where nothing may wait.
#[cfg(not(target_arch = "wasm32"))]
pub fn adapters_blocking() -> Vec<Adapter> {
    pollster::block_on(adapters())
}

impl Adapter {
    fn new(adapter: wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let computes = adapter
            .get_downlevel_capabilities()
            .flags
            .contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
        let seen = Seen {
            kind: info.device_type,
            lacks: lacks(&adapter.limits(), adapter.features(), computes),
            info: open::describe(info),
        };
        Self { adapter, seen }
    }

    /// What it is: name, driver, backend, whether it is a software adapter.
    pub fn info(&self) -> &DeviceInfo {
        &self.seen.info
    }

    /// A discrete, an integrated or a virtual GPU, or a CPU.
    pub fn kind(&self) -> wgpu::DeviceType {
        self.seen.kind
    }

    /// What it lacks of [`REQUIRED_FEATURES`], [`REQUIRED_LIMITS`] and compute shaders; empty where it can be used.
    pub fn lacks(&self) -> &[Lack] {
        &self.seen.lacks
    }

    /// Whether it lacks nothing.
    pub fn is_suitable(&self) -> bool {
        self.seen.lacks.is_empty()
    }

    /// Opens it.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] with what it lacks, [`Error::Gpu`] where the driver refuses.
    pub async fn open(&self, limits: Limits) -> Result<Device> {
        if !self.is_suitable() {
            return Err(Error::NoAdapter {
                wanted: format!("adapter `{}`", self.seen.info.name),
                found: self.seen.to_string(),
            });
        }
        open::open(&self.adapter, limits).await
    }

    /// [`open`](Self::open), waiting for it. There is none in a browser, where nothing may wait.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_blocking(&self, limits: Limits) -> Result<Device> {
        pollster::block_on(self.open(limits))
    }
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seen.fmt(f)
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        };
        write!(f, "`{}` ({kind}, {})", self.info.name, self.info.backend)?;
        for (at, lack) in self.lacks.iter().enumerate() {
            write!(f, "{}{lack}", if at == 0 { ", which lacks " } else { ", " })?;
        }
        Ok(())
    }
}

/// What an adapter or a device of these limits and features lacks.
pub(super) fn lacks(limits: &wgpu::Limits, features: wgpu::Features, computes: bool) -> Vec<Lack> {
    let missing = REQUIRED_FEATURES - features;
    let features = missing.iter_names().map(|(name, _)| name.to_owned());
    let shaders = (!computes).then(|| "compute shaders".to_owned());
    let mut lacks: Vec<_> = shaders
        .into_iter()
        .chain(features)
        .map(|name| Lack::Feature { name })
        .collect();
    REQUIRED_LIMITS.check_limits_with_fail_fn(limits, false, |name, needed, found| {
        lacks.push(Lack::Limit { name, needed, found });
    });
    lacks
}

/// The adapter that the options ask for.
pub(super) async fn choose(options: &GpuOptions) -> Result<wgpu::Adapter> {
    let mut found = adapters().await;
    let at = best(found.iter().map(|adapter| &adapter.seen), options);
    match at.filter(|at| *at < found.len()) {
        Some(at) => Ok(found.swap_remove(at).adapter),
        None => Err(none_fits(found.iter().map(|adapter| &adapter.seen), options)),
    }
}

/// The place of the best that fits: of several the fastest kind, and of one kind the first that the drivers list.
fn best<'a>(found: impl Iterator<Item = &'a Seen>, options: &GpuOptions) -> Option<usize> {
    let fits = |seen: &Seen| {
        let is_wanted = match &options.adapter_name {
            Some(name) => {
                let is_named = seen.info.name.to_lowercase().contains(&name.to_lowercase());
                is_named && (seen.info.software || !options.software)
            }
            None => seen.info.software == options.software,
        };
        is_wanted && seen.lacks.is_empty()
    };
    let fitting = found.enumerate().filter(|(_, seen)| fits(seen));
    let best = fitting.min_by_key(|(_, seen)| match seen.kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    best.map(|(at, _)| at)
}

fn none_fits<'a>(found: impl Iterator<Item = &'a Seen>, options: &GpuOptions) -> Error {
    let found: Vec<String> = found.map(Seen::to_string).collect();
    let wanted = match (&options.adapter_name, options.software) {
        (Some(name), false) => format!("an adapter named like `{name}`"),
        (Some(name), true) => format!("a software adapter named like `{name}`"),
        (None, true) => "a software adapter".to_owned(),
        (None, false) => "a hardware adapter".to_owned(),
    };
    Error::NoAdapter {
        wanted,
        found: if found.is_empty() {
            "none".to_owned()
        } else {
            found.join("; ")
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(name: &str, kind: wgpu::DeviceType, lacks: Vec<Lack>) -> Seen {
        Seen {
            info: DeviceInfo {
                name: name.to_owned(),
                driver: String::new(),
                backend: "vulkan".to_owned(),
                software: kind == wgpu::DeviceType::Cpu,
            },
            kind,
            lacks,
        }
    }

    fn small() -> Vec<Lack> {
        let limits = wgpu::Limits {
            max_storage_buffers_per_shader_stage: 4,
            min_uniform_buffer_offset_alignment: 512,
            ..REQUIRED_LIMITS
        };
        lacks(&limits, wgpu::Features::empty(), true)
    }

    #[test]
    fn what_an_adapter_lacks_is_listed_with_both_numbers() {
        assert_eq!(lacks(&REQUIRED_LIMITS, REQUIRED_FEATURES, true), []);
        let limit = |name, needed, found| Lack::Limit { name, needed, found };
        let found = small();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found.contains(&limit("max_storage_buffers_per_shader_stage", 8, 4)),
            "{found:?}"
        );
        assert!(
            found.contains(&limit("min_uniform_buffer_offset_alignment", 256, 512)),
            "{found:?}"
        );
        let shaders = Lack::Feature {
            name: "compute shaders".to_owned(),
        };
        assert_eq!(lacks(&REQUIRED_LIMITS, REQUIRED_FEATURES, false), [shaders]);
    }

    #[test]
    fn the_fastest_kind_that_lacks_nothing_is_chosen() {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu};
        let found = [
            seen("soft", Cpu, vec![]),
            seen("small card", DiscreteGpu, small()),
            seen("chip", IntegratedGpu, vec![]),
            seen("card", DiscreteGpu, vec![]),
            seen("second card", DiscreteGpu, vec![]),
        ];
        let check = |software: bool, name: Option<&str>, expected: Option<&str>| {
            let options = GpuOptions {
                software,
                adapter_name: name.map(str::to_owned),
                ..GpuOptions::default()
            };
            let at = best(found.iter(), &options);
            assert_eq!(at.map(|at| found[at].info.name.as_str()), expected, "{options:?}");
        };
        check(false, None, Some("card"));
        check(true, None, Some("soft"));
        check(false, Some("CHIP"), Some("chip"));
        check(false, Some("soft"), Some("soft"));
        check(true, Some("card"), None);
        check(false, Some("small"), None);
        check(false, Some("other"), None);
    }

    #[test]
    fn that_none_fits_is_told_with_what_there_is_and_what_each_lacks() {
        let found = [
            seen("soft", wgpu::DeviceType::Cpu, vec![]),
            seen("card", wgpu::DeviceType::DiscreteGpu, small()),
        ];
        let text = none_fits(found.iter(), &GpuOptions::default()).to_string();
        for expected in [
            "wanted a hardware adapter",
            "`soft` (software, vulkan); ",
            "`card` (discrete GPU, vulkan), which lacks ",
            "max_storage_buffers_per_shader_stage of 8 (it has 4)",
            "min_uniform_buffer_offset_alignment of 256 (it has 512)",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let text = none_fits(std::iter::empty(), &GpuOptions::default()).to_string();
        assert!(text.contains("found none"), "{text}");
    }
}
