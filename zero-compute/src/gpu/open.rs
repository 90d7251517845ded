//! Opening a GPU, or taking the host's.

use crate::device::{Backend, Device, DeviceInfo, DeviceLimits};
use crate::error::{Error, Result};
use crate::gpu::adapter::{lacks, open_best};
use crate::gpu::{Gpu, Owner, probe};

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
    /// Opens a GPU: of the adapters that fit the options the first that opens, discrete GPUs before integrated ones and
    /// those before others.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] with the adapters that there are, what each lacks, and why the driver refused to open one that
    /// fitted.
    pub async fn gpu(options: GpuOptions) -> Result<Device> {
        open_best(&options).await
    }

    /// [`gpu`](Self::gpu), waiting for it. There is none in a browser, where nothing may wait.
    ///
    /// # Errors
    /// As [`gpu`](Self::gpu).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn gpu_blocking(options: GpuOptions) -> Result<Device> {
        pollster::block_on(Self::gpu(options))
    }

    /// Uses the host's device and queue. The host must not hold an error scope open across calls, and should poll
    /// through [`Device::poll`]. Its callbacks, for the loss of the device and for errors that nobody captured, stay
    /// the host's: what wgpu says of a call here is captured in error scopes and is that call's error.
    ///
    /// It runs a probe of the device's arithmetic and waits for the answer; in a browser, where nothing may wait, there is
    /// [`from_wgpu_async`](Self::from_wgpu_async) alone.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] with everything that the device lacks of [`REQUIRED_FEATURES`] and [`REQUIRED_LIMITS`];
    /// [`Error::DeviceLost`] and its kin where the probe does not run.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn from_wgpu(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Device> {
        pollster::block_on(Self::from_wgpu_async(device, queue))
    }

    /// `from_wgpu` without waiting, in a browser too.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] with everything that the device lacks of [`REQUIRED_FEATURES`] and [`REQUIRED_LIMITS`];
    /// [`Error::DeviceLost`] and its kin where the probe does not run.
    pub async fn from_wgpu_async(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Device> {
        check(&device.adapter_info().name, &device.limits(), device.features())?;
        let device = with_gpu(Gpu::new(device.clone(), queue.clone(), Owner::Host));
        probe::classify(&device).await?;
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

    /// [`auto`](Self::auto), waiting for it. There is none in a browser, where nothing may wait.
    #[cfg(not(target_arch = "wasm32"))]
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

/// Opens an adapter that lacks nothing.
pub(super) async fn open(adapter: &wgpu::Adapter, limits: Limits) -> Result<Device> {
    let required_limits = match limits {
        Limits::WebGpuDefault => REQUIRED_LIMITS,
        Limits::Adapter => adapter.limits(),
    };
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("zero-compute"),
        // Timestamps are for profiles, which do without where there are none.
        required_features: REQUIRED_FEATURES | (adapter.features() & wgpu::Features::TIMESTAMP_QUERY),
        required_limits,
        ..Default::default()
    };
    let opened = adapter.request_device(&descriptor).await;
    let (device, queue) = opened.map_err(|error| Error::Gpu {
        what: format!("to open adapter `{}`", adapter.get_info().name),
        message: error.to_string(),
    })?;
    let gpu = Gpu::new(device, queue, Owner::Us);
    gpu.watch_for_loss();
    let device = with_gpu(gpu);
    probe::classify(&device).await?;
    Ok(device)
}

/// An adapter in words.
pub(super) fn describe(info: wgpu::AdapterInfo) -> DeviceInfo {
    DeviceInfo {
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        backend: info.backend.to_str().to_owned(),
        software: info.device_type == wgpu::DeviceType::Cpu,
        name: info.name,
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
    Device::new(Backend::Gpu(gpu), ours, limits.max_buffer_size & !3, describe(info))
}

/// Refuses a host's device with everything that it lacks. One without compute shaders has limits of 0 for them.
fn check(name: &str, limits: &wgpu::Limits, features: wgpu::Features) -> Result<()> {
    let lacks: Vec<String> = lacks(limits, features, true).iter().map(ToString::to_string).collect();
    if lacks.is_empty() {
        return Ok(());
    }
    Err(Error::Unsuitable {
        found: format!("`{name}`"),
        lacks: lacks.join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hosts_device_is_refused_with_everything_that_it_lacks() {
        assert_eq!(check("card", &REQUIRED_LIMITS, REQUIRED_FEATURES), Ok(()));
        let limits = wgpu::Limits {
            max_storage_buffers_per_shader_stage: 4,
            max_compute_workgroup_size_y: 16,
            min_uniform_buffer_offset_alignment: 512,
            ..REQUIRED_LIMITS
        };
        let text = check("card", &limits, REQUIRED_FEATURES).unwrap_err().to_string();
        for expected in [
            "the wgpu device of `card` cannot be used: it lacks ",
            "max_storage_buffers_per_shader_stage of 8 (it has 4)",
            "max_compute_workgroup_size_y of 256 (it has 16)",
            "min_uniform_buffer_offset_alignment of 256 (it has 512)",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        // A web page may have a device of a browser's lowest tier.
        let none = wgpu::Limits::downlevel_webgl2_defaults();
        let text = check("page", &none, REQUIRED_FEATURES).unwrap_err().to_string();
        assert!(
            text.contains("max_compute_invocations_per_workgroup of 256 (it has 0)"),
            "{text}"
        );
    }
}
