//! How a dispatch holds its kernel.

use std::ops::Deref;

use crate::error::Result;
use crate::kernel::Kernel;
use crate::shader::{self, Assembled};

/// A kernel as [`Recorder::dispatch`](crate::Recorder::dispatch) takes it: a `&'static Kernel` becomes one.
#[derive(Clone, Copy, Debug)]
pub struct KernelRef(pub(crate) Declared);

impl KernelRef {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }
}

impl From<&'static Kernel> for KernelRef {
    fn from(kernel: &'static Kernel) -> Self {
        Self(Declared::Static(kernel))
    }
}

/// An item of a list of kernels, such as [`kernels::ALL`](crate::kernels::ALL).
impl From<&&'static Kernel> for KernelRef {
    fn from(kernel: &&'static Kernel) -> Self {
        Self(Declared::Static(kernel))
    }
}

/// The declaration that a recorded dispatch runs. It derefs to the [`Kernel`] with its bindings, params and passes;
/// the WGSL comes from [`assemble`](Self::assemble) alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Declared {
    Static(&'static Kernel),
}

impl Declared {
    /// Whether a GPU can run it.
    pub(crate) fn has_wgsl(&self) -> bool {
        match self {
            Declared::Static(kernel) => !kernel.source().is_empty(),
        }
    }

    /// The whole shader for these options.
    pub(crate) fn assemble<T: AsRef<str>>(&self, options: &[T], live: bool) -> Result<Assembled> {
        match self {
            Declared::Static(kernel) => shader::assemble(kernel, options, live),
        }
    }

    /// The author's lines for these options, without what is written around them: a member of a fused shader.
    #[cfg(feature = "gpu")]
    pub(crate) fn member_source<T: AsRef<str>>(&self, options: &[T]) -> Result<String> {
        match self {
            Declared::Static(kernel) => shader::preprocess(kernel, options),
        }
    }
}

impl Deref for Declared {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        match self {
            Declared::Static(kernel) => kernel,
        }
    }
}
