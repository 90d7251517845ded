//! Choosing an adapter and opening it.

use crate::device::{Backend, Device, DeviceInfo, DeviceLimits};
use crate::error::{Error, Result};
use crate::gpu::{Gpu, probe};

/// Which limits a device is opened with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limits {
    /// WebGPU's defaults, so that what runs here runs in a browser.
    #[default]
    WebGpuDefault,
    /// All that the adapter has.
    Adapter,
}

/// How a GPU device is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// Which limits to open it with.
    pub limits: Limits,
    /// Whether to take a software adapter, and only such a one.
    pub software: bool,
    /// A part of the adapter's name, in any case. A software adapter that is named is taken too.
    pub adapter_name: Option<String>,
}

/// The features that a host's device must have: none.
pub const REQUIRED_FEATURES: wgpu::Features = wgpu::Features::empty();

/// The limits that a host's device must have.
pub const REQUIRED_LIMITS: wgpu::Limits = wgpu::Limits::defaults();

impl Device {
    /// Opens a GPU.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] with the adapters that there are, [`Error::Gpu`] where the driver refuses.
    pub async fn gpu(options: GpuOptions) -> Result<Device> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            flags: wgpu::InstanceFlags::empty(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapter = choose(&instance, &options).await?;
        let required_limits = match options.limits {
            Limits::WebGpuDefault => REQUIRED_LIMITS,
            Limits::Adapter => adapter.limits(),
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("zero-compute"),
            required_features: REQUIRED_FEATURES,
            required_limits,
            ..Default::default()
        };
        let opened = adapter.request_device(&descriptor).await;
        let (device, queue) = opened.map_err(|error| Error::Gpu {
            what: format!("to open adapter `{}`", adapter.get_info().name),
            message: error.to_string(),
        })?;
        let gpu = Gpu::new(device, queue);
        gpu.watch_for_loss();
        let device = with_gpu(gpu);
        probe::classify(&device).await?;
        Ok(device)
    }

    /// [`gpu`](Self::gpu), waiting for it.
    ///
    /// # Errors
    /// As [`gpu`](Self::gpu).
    pub fn gpu_blocking(options: GpuOptions) -> Result<Device> {
        pollster::block_on(Self::gpu(options))
    }

    /// Uses the host's device and queue. The host must not hold an error scope open across calls, and should poll
    /// through [`Device::poll`]. The host's callback hears of the loss of the device; the calls here then fail with
    /// what wgpu says of them, mostly [`Error::Gpu`].
    ///
    /// # Errors
    /// [`Error::Unsuitable`] where a limit is below [`REQUIRED_LIMITS`].
    pub fn from_wgpu(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Device> {
        check_limits(&device.limits())?;
        let device = with_gpu(Gpu::new(device.clone(), queue.clone()));
        pollster::block_on(probe::classify(&device))?;
        Ok(device)
    }

    /// A hardware GPU with WebGPU's default limits where there is one, else the CPU backend; never a software
    /// adapter.
    pub async fn auto() -> Device {
        match Self::gpu(GpuOptions::default()).await {
            Ok(device) => device,
            Err(error) => {
                tracing::info!(%error, "computing on the CPU");
                Self::cpu(crate::CpuOptions::default())
            }
        }
    }

    /// [`auto`](Self::auto), waiting for it.
    pub fn auto_blocking() -> Device {
        pollster::block_on(Self::auto())
    }

    /// The wgpu device and queue behind a GPU device; `None` on the CPU.
    pub fn wgpu(&self) -> Option<(&wgpu::Device, &wgpu::Queue)> {
        match &self.inner.backend {
            Backend::Gpu(gpu) => Some(gpu.handles()),
            Backend::Cpu(_) => None,
        }
    }
}

fn with_gpu(gpu: Gpu) -> Device {
    let (device, _) = gpu.handles();
    let limits = device.limits();
    let info = device.adapter_info();
    let ours = DeviceLimits {
        max_binding_bytes: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) & !3,
        max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
        max_workgroups_per_dim: limits.max_compute_workgroups_per_dimension,
    };
    let words = DeviceInfo {
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        backend: info.backend.to_str().to_owned(),
        software: info.device_type == wgpu::DeviceType::Cpu,
        name: info.name,
    };
    Device::new(Backend::Gpu(gpu), ours, limits.max_buffer_size & !3, words)
}

fn check_limits(limits: &wgpu::Limits) -> Result<()> {
    let least = REQUIRED_LIMITS;
    let pairs = [
        (
            "max_storage_buffers_per_shader_stage",
            least.max_storage_buffers_per_shader_stage,
            limits.max_storage_buffers_per_shader_stage,
        ),
        (
            "max_compute_invocations_per_workgroup",
            least.max_compute_invocations_per_workgroup,
            limits.max_compute_invocations_per_workgroup,
        ),
        (
            "max_compute_workgroup_size_x",
            least.max_compute_workgroup_size_x,
            limits.max_compute_workgroup_size_x,
        ),
        (
            "max_compute_workgroup_storage_size",
            least.max_compute_workgroup_storage_size,
            limits.max_compute_workgroup_storage_size,
        ),
        (
            "max_compute_workgroups_per_dimension",
            least.max_compute_workgroups_per_dimension,
            limits.max_compute_workgroups_per_dimension,
        ),
    ];
    let wide = [
        (
            "max_uniform_buffer_binding_size",
            least.max_uniform_buffer_binding_size,
            limits.max_uniform_buffer_binding_size,
        ),
        (
            "max_storage_buffer_binding_size",
            least.max_storage_buffer_binding_size,
            limits.max_storage_buffer_binding_size,
        ),
    ];
    let pairs = pairs.map(|(what, expected, found)| (what, u64::from(expected), u64::from(found)));
    match pairs
        .into_iter()
        .chain(wide)
        .find(|(_, expected, found)| found < expected)
    {
        Some((what, expected, found)) => Err(Error::Unsuitable { what, expected, found }),
        None => Ok(()),
    }
}

async fn choose(instance: &wgpu::Instance, options: &GpuOptions) -> Result<wgpu::Adapter> {
    let adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
    let found: Vec<String> = adapters.iter().map(describe).collect();
    let fits = |adapter: &wgpu::Adapter| {
        let info = adapter.get_info();
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        match &options.adapter_name {
            Some(name) => info.name.to_lowercase().contains(&name.to_lowercase()) && (is_software || !options.software),
            None => is_software == options.software,
        }
    };
    // Of several the fastest kind, and of one kind the first that the driver lists.
    let best = adapters
        .into_iter()
        .filter(fits)
        .min_by_key(|adapter| match adapter.get_info().device_type {
            wgpu::DeviceType::DiscreteGpu => 0,
            wgpu::DeviceType::IntegratedGpu => 1,
            wgpu::DeviceType::VirtualGpu => 2,
            wgpu::DeviceType::Other => 3,
            wgpu::DeviceType::Cpu => 4,
        });
    best.ok_or_else(|| Error::NoAdapter {
        wanted: match (&options.adapter_name, options.software) {
            (Some(name), _) => format!("an adapter named like `{name}`"),
            (None, true) => "a software adapter".to_owned(),
            (None, false) => "a hardware adapter".to_owned(),
        },
        found: if found.is_empty() {
            "none".to_owned()
        } else {
            found.join(", ")
        },
    })
}

fn describe(adapter: &wgpu::Adapter) -> String {
    let info = adapter.get_info();
    format!("`{}` ({:?}, {})", info.name, info.device_type, info.backend.to_str())
}
