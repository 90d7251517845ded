//! Error scopes: what wgpu refuses comes back as an error here, and never as a panic.

use crate::error::{Error, Result};

/// Runs `work` and answers what it made, or the error that wgpu raised on the way.
///
/// Scopes belong to the thread that opens them. In a browser they answer only after the event loop has turned, so
/// there an error shows as the loss of the device.
pub(crate) fn guarded<T>(
    device: &wgpu::Device,
    what: &dyn Fn() -> String,
    bytes: u64,
    work: impl FnOnce() -> T,
) -> Result<T> {
    if cfg!(target_arch = "wasm32") {
        return Ok(work());
    }
    let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = work();
    let validation = pollster::block_on(validation.pop());
    let memory = pollster::block_on(memory.pop());
    let internal = pollster::block_on(internal.pop());
    match validation.or(memory).or(internal) {
        None => Ok(made),
        Some(wgpu::Error::OutOfMemory { .. }) => Err(Error::OutOfMemory { what: what(), bytes }),
        Some(error) => Err(Error::Gpu {
            what: what(),
            message: error.to_string(),
        }),
    }
}
