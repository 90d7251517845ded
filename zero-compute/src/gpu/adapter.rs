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

/// Opens the adapters that the options ask for, the best first, until one opens.
pub(super) async fn open_best(options: &GpuOptions) -> Result<Device> {
    let found = adapters().await;
    let seen: Vec<&Seen> = found.iter().map(|adapter| &adapter.seen).collect();
    first_that_opens(&seen, options, async |at| match found.get(at) {
        Some(found) => open::open(&found.adapter, options.limits).await,
        None => Err(none_fits(&seen, &[], options)),
    })
    .await
}

/// What the first of those that fit opens as. Where none does, the error says what there was, what each lacked and why the
/// drivers refused.
async fn first_that_opens<T>(
    found: &[&Seen],
    options: &GpuOptions,
    open: impl AsyncFn(usize) -> Result<T>,
) -> Result<T> {
    let mut refused = Vec::new();
    for at in fitting(found, options) {
        match open(at).await {
            Ok(opened) => return Ok(opened),
            Err(error) => refused.push((at, error)),
        }
    }
    Err(none_fits(found, &refused, options))
}

/// The places of those that fit, the best first: of several the fastest kind, and of one kind the first that the drivers
/// list.
fn fitting(found: &[&Seen], options: &GpuOptions) -> Vec<usize> {
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
    let mut fitting: Vec<(usize, &Seen)> = (0..)
        .zip(found.iter().copied())
        .filter(|(_, seen)| fits(seen))
        .collect();
    fitting.sort_by_key(|(_, seen)| match seen.kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    fitting.into_iter().map(|(at, _)| at).collect()
}

/// The error where none could be opened; `refused` are those that fitted.
fn none_fits(found: &[&Seen], refused: &[(usize, Error)], options: &GpuOptions) -> Error {
    let describe = |(at, seen): (usize, &&Seen)| match refused.iter().find(|(refused, _)| *refused == at) {
        Some((_, error)) => format!("{seen}, which did not open: {error}"),
        None => seen.to_string(),
    };
    let all: Vec<String> = found.iter().enumerate().map(describe).collect();
    let wanted = match (&options.adapter_name, options.software) {
        (Some(name), false) => format!("an adapter named like `{name}`"),
        (Some(name), true) => format!("a software adapter named like `{name}`"),
        (None, true) => "a software adapter".to_owned(),
        (None, false) => "a hardware adapter".to_owned(),
    };
    Error::NoAdapter {
        wanted,
        found: if all.is_empty() {
            "none".to_owned()
        } else {
            all.join("; ")
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
            let seen: Vec<&Seen> = found.iter().collect();
            let at = fitting(&seen, &options);
            assert_eq!(
                at.first().map(|at| found[*at].info.name.as_str()),
                expected,
                "{options:?}"
            );
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
        let text = none_fits(&[&found[0], &found[1]], &[], &GpuOptions::default()).to_string();
        for expected in [
            "wanted a hardware adapter",
            "`soft` (software, vulkan); ",
            "`card` (discrete GPU, vulkan), which lacks ",
            "max_storage_buffers_per_shader_stage of 8 (it has 4)",
            "min_uniform_buffer_offset_alignment of 256 (it has 512)",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let text = none_fits(&[], &[], &GpuOptions::default()).to_string();
        assert!(text.contains("found none"), "{text}");
    }
    #[test]
    fn those_that_fit_are_tried_in_their_order_and_the_error_says_why_each_did_not_open() {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu};
        let found = [
            seen("soft", Cpu, vec![]),
            seen("chip", IntegratedGpu, vec![]),
            seen("small card", DiscreteGpu, small()),
            seen("card", DiscreteGpu, vec![]),
            seen("second card", DiscreteGpu, vec![]),
        ];
        let seen: Vec<&Seen> = found.iter().collect();
        let check = |opens: Option<&str>, tried_names: &[&str]| {
            let tried = std::cell::RefCell::new(Vec::new());
            let open = async |at: usize| {
                let name = found[at].info.name.as_str();
                tried.borrow_mut().push(name.to_owned());
                if Some(name) == opens {
                    return Ok(name);
                }
                Err(Error::Gpu {
                    what: format!("to open adapter `{name}`"),
                    message: "busy".to_owned(),
                })
            };
            let opened = pollster::block_on(first_that_opens(&seen, &GpuOptions::default(), open));
            assert_eq!(*tried.borrow(), tried_names);
            opened
        };
        assert_eq!(check(Some("card"), &["card"]), Ok("card"));
        assert_eq!(check(Some("chip"), &["card", "second card", "chip"]), Ok("chip"));
        let text = check(Some("soft"), &["card", "second card", "chip"])
            .unwrap_err()
            .to_string();
        for expected in [
            "wanted a hardware adapter",
            "`soft` (software, vulkan); ",
            "`small card` (discrete GPU, vulkan), which lacks ",
            "`card` (discrete GPU, vulkan), which did not open: ",
            "to open adapter `second card`",
            "`chip` (integrated GPU, vulkan), which did not open: ",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
}
