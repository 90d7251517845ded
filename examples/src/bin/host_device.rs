//! A host that owns the wgpu device: a kernel runs on it and the host draws what it gave, with no copy between them.
//! On the CPU backend it is the same program up to the drawing. Writes `host_device.png`.

use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use std::process::ExitCode;
use zero_compute::{CpuOptions, Device};
use zero_examples::topo::{SIZE, pixels};
use zero_examples::{DeviceChoice, Error, Host, Options, Result};

const NAME: &str = "host_device.png";

fn main() -> ExitCode {
    Host::run_on(open, |host| {
        let column = pixels(&host.device, SIZE, 3)?;
        let bytes = match shown(&host.device, &column) {
            Some(drawn) => drawn?,
            None => column
                .read::<u32>()?
                .wait()?
                .into_iter()
                .flat_map(u32::to_le_bytes)
                .collect(),
        };
        host.write(NAME, &png(&bytes)?)
    })
}

/// The host's own device, handed to the compute crate; on a machine without an adapter, `auto` is the CPU.
fn open(options: &Options) -> Result<Device> {
    match options.device {
        DeviceChoice::Cpu => Ok(Device::cpu(CpuOptions::default())),
        DeviceChoice::Gpu => owned(),
        DeviceChoice::Auto => owned().or_else(|why| {
            eprintln!("{why}: computing on the CPU");
            Ok(Device::cpu(CpuOptions::default()))
        }),
    }
}

#[cfg(feature = "gpu")]
fn owned() -> Result<Device> {
    let (device, queue) = zero_examples::topo::open()?;
    Ok(Device::from_wgpu(&device, &queue)?)
}

#[cfg(not(feature = "gpu"))]
fn owned() -> Result<Device> {
    Err(Error::WithoutGpu)
}

/// What the host draws of the column; `None` where it lies on the CPU.
#[cfg(feature = "gpu")]
fn shown(device: &Device, column: &zero_compute::Column) -> Option<Result<Vec<u8>>> {
    let (gpu, queue) = device.wgpu()?;
    Some(zero_examples::topo::draw(gpu, queue, device, column, SIZE))
}

#[cfg(not(feature = "gpu"))]
fn shown(_: &Device, _: &zero_compute::Column) -> Option<Result<Vec<u8>>> {
    None
}

fn png(rgba: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(rgba, SIZE[0], SIZE[1], ExtendedColorType::Rgba8)
        .map_err(|source| Error::Picture {
            name: NAME.to_owned(),
            source,
        })?;
    Ok(bytes)
}
