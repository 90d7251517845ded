//! Calling a kernel's Rust function.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Error, Result};

/// Runs a kernel's function, and makes an error of a panic: whoever wrote the kernel is told as by any other error,
/// and the device goes on. What the function wrote before it panicked is given up as after an error, so nothing sees
/// it half done. Where panics abort there is nothing to catch.
pub(super) fn call(kernel: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        Err(Error::BadTwin {
            kernel: kernel.to_owned(),
            message: format!("it panicked: {}", said(payload.as_ref())),
        })
    })
}

/// The words of a panic; `panic!` leaves them in one of two types.
pub(crate) fn said(payload: &(dyn Any + Send)) -> &str {
    let words = payload.downcast_ref::<&str>().copied();
    words
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it left no words")
}
