//! Error scopes: what wgpu refuses comes back as an error here, and never as a panic.

use crate::error::{Error, Result};
use crate::gpu::Gpu;

impl Gpu {
    /// Has the next so many calls of the driver refused for want of memory.
    #[cfg(test)]
    fn refuse(&self, calls: u32) {
        self.refused.store(calls, std::sync::atomic::Ordering::Release);
    }

    #[cfg(test)]
    fn refuses(&self) -> bool {
        use std::sync::atomic::Ordering::{AcqRel, Acquire};
        let one_less = |left: u32| left.checked_sub(1);
        self.refused.fetch_update(AcqRel, Acquire, one_less).is_ok()
    }

    /// Runs `work` and answers what it made, or the error that wgpu raised on the way.
    pub(crate) fn guarded<T>(&self, what: &dyn Fn() -> String, bytes: u64, work: impl FnOnce() -> T) -> Result<T> {
        #[cfg(test)]
        if self.refuses() {
            return Err(translate(&refused(), what, bytes));
        }
        guarded(&self.device, what, bytes, work).map_err(|error| self.explain(error))
    }
}

/// Scopes belong to the thread that opens them. In a browser they answer only after the event loop has turned, so
/// there an error shows as the loss of the device.
fn guarded<T>(device: &wgpu::Device, what: &dyn Fn() -> String, bytes: u64, work: impl FnOnce() -> T) -> Result<T> {
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
    match first(memory, validation, internal) {
        None => Ok(made),
        Some(error) => Err(translate(&error, what, bytes)),
    }
}

/// Which error is told of several: that memory ran out, for what is made of nothing is then refused as well.
fn first<E>(memory: Option<E>, validation: Option<E>, internal: Option<E>) -> Option<E> {
    memory.or(validation).or(internal)
}

fn translate(error: &wgpu::Error, what: &dyn Fn() -> String, bytes: u64) -> Error {
    match error {
        wgpu::Error::OutOfMemory { .. } => Error::OutOfMemory {
            what: what(),
            bytes,
            live: 0,
            limit: None,
        },
        error => Error::Gpu {
            what: what(),
            message: error.to_string(),
        },
    }
}

/// What a driver says that has no more memory.
#[cfg(test)]
fn refused() -> wgpu::Error {
    wgpu::Error::OutOfMemory {
        source: "no more".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{first, refused, translate};
    use crate::device::Backend;
    use crate::{Device, Element, Error, Exec, GpuOptions};

    #[test]
    fn a_submission_that_lacks_memory_frees_the_pool_and_is_tried_again_before_its_caller_hears_of_it() {
        let options = GpuOptions {
            software: true,
            ..GpuOptions::default()
        };
        let device = match Device::gpu_blocking(options) {
            Ok(device) => device,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "CI needs a software adapter: {error}");
                eprintln!("SKIPPED: {error}");
                return;
            }
        };
        let Backend::Gpu(gpu) = &device.inner.backend else {
            panic!("a CPU backend");
        };
        let column = device.column(Element::U32, 1, 9).unwrap();
        let mut rec = device.record("fill");
        rec.fill(&column, 7).unwrap();
        let list = rec.finish().unwrap();
        drop(device.column(Element::U32, 1, 1 << 16).unwrap());
        assert!(device.stats().pooled_bytes > 0);
        gpu.refuse(1);
        list.submit().unwrap().wait(&Exec::default()).unwrap();
        assert_eq!(device.stats().pooled_bytes, 0, "the pool was freed");
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), [7; 9]);

        gpu.refuse(2);
        let error = list.submit().unwrap().wait(&Exec::default()).unwrap_err();
        let Error::OutOfMemory { what, live, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(
            (what.as_str(), *live),
            ("list `fill`", device.stats().live_bytes),
            "{error}"
        );
        assert_eq!(device.drive(&Exec::default()).unwrap_err(), error);
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap_err(), error);
        list.submit().unwrap().wait(&Exec::default()).unwrap();
        assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), [7; 9]);
    }

    #[test]
    fn that_memory_ran_out_is_told_before_what_follows_from_it() {
        assert_eq!(
            first(Some("memory"), Some("invalid buffer"), Some("other")),
            Some("memory")
        );
        assert_eq!(
            first(None, Some("invalid buffer"), Some("other")),
            Some("invalid buffer")
        );
        assert_eq!(first(None, None, Some("other")), Some("other"));
        assert_eq!(first::<&str>(None, None, None), None);
    }

    #[test]
    fn a_size_that_only_the_driver_knows_is_not_told_as_none() {
        let text = translate(&refused(), &|| "pass `main`".to_owned(), 0).to_string();
        assert_eq!(
            text,
            "out of memory: pass `main`, of a size that the driver knows, and 0 are in use already"
        );
    }

    #[test]
    fn memory_that_a_driver_refuses_is_an_error_with_what_and_how_much() {
        let text = translate(&refused(), &|| "a column of 9 elements".to_owned(), 36).to_string();
        assert!(text.contains("a column of 9 elements") && text.contains("36"), "{text}");
    }
}
