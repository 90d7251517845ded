//! How a dispatch holds its kernel.

use std::borrow::Cow;
use std::ops::Deref;
#[cfg(feature = "author")]
use std::sync::Arc;

use crate::args::{Args, Domain};
#[cfg(feature = "author")]
use crate::author::{Loaded, Variant};
use crate::device::Device;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::shader::{self, Assembled};

/// A kernel as [`Recorder::dispatch`](crate::Recorder::dispatch) takes it: a `&'static Kernel` becomes one, and so does
/// a `&AuthorKernel` of the feature `author`.
#[derive(Clone, Debug)]
pub struct KernelRef(Given);

#[derive(Clone, Debug)]
enum Given {
    Static(&'static Kernel),
    #[cfg(feature = "author")]
    Author(Arc<Loaded>),
}

impl KernelRef {
    #[cfg(feature = "author")]
    pub(crate) fn author(kernel: Arc<Loaded>) -> Self {
        Self(Given::Author(kernel))
    }

    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        match &self.0 {
            Given::Static(kernel) => kernel.name(),
            #[cfg(feature = "author")]
            Given::Author(kernel) => kernel.name(),
        }
    }

    /// The declaration that these arguments choose, over a plain or a live domain: an author's bindings may depend on
    /// the options. Asked again with the same options it answers the same one, at no cost.
    pub(crate) fn declared(&self, args: &Args, live: bool) -> Result<Declared> {
        #[cfg(not(feature = "author"))]
        let _ = (args, live);
        match &self.0 {
            Given::Static(kernel) => Ok(Declared::Static(kernel)),
            #[cfg(feature = "author")]
            Given::Author(kernel) => kernel.variant(args, live).map(Declared::Author),
        }
    }
}

impl From<&'static Kernel> for KernelRef {
    fn from(kernel: &'static Kernel) -> Self {
        Self(Given::Static(kernel))
    }
}

/// An item of a list of kernels, such as [`kernels::ALL`](crate::kernels::ALL).
impl From<&&'static Kernel> for KernelRef {
    fn from(kernel: &&'static Kernel) -> Self {
        Self(Given::Static(kernel))
    }
}

/// The declaration that a recorded dispatch runs. It derefs to the [`Kernel`] with its bindings, params and passes;
/// the WGSL comes from [`assemble`](Self::assemble) alone.
#[derive(Clone, Debug)]
pub(crate) enum Declared {
    Static(&'static Kernel),
    #[cfg(feature = "author")]
    Author(Arc<Variant>),
}

impl Declared {
    /// Whether a GPU can run it.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU asks"))]
    pub(crate) fn has_wgsl(&self) -> bool {
        match self {
            Declared::Static(kernel) => !kernel.source().is_empty(),
            #[cfg(feature = "author")]
            Declared::Author(_) => true,
        }
    }

    /// The whole shader for these options.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU asks"))]
    pub(crate) fn assemble<T: AsRef<str>>(&self, options: &[T], live: bool) -> Result<Assembled> {
        match self {
            Declared::Static(kernel) => shader::assemble(kernel, options, live),
            #[cfg(feature = "author")]
            Declared::Author(variant) => Ok(variant.assembled()),
        }
    }

    /// The options of its specializations, where they are settled already.
    pub(crate) fn settled(&self) -> Option<Vec<Cow<'static, str>>> {
        match self {
            Declared::Static(_) => None,
            #[cfg(feature = "author")]
            Declared::Author(variant) => Some(variant.options().to_vec()),
        }
    }

    /// The arguments with those that the domain gives.
    pub(crate) fn complete(&self, args: Args, domain: &Domain, device: &Device) -> Result<Args> {
        #[cfg(not(feature = "author"))]
        let _ = (domain, device);
        match self {
            Declared::Static(_) => Ok(args),
            #[cfg(feature = "author")]
            Declared::Author(variant) => Loaded::with_count(variant, args, domain, device),
        }
    }

    /// The author's lines for these options, without what is written around them: a member of a fused shader.
    #[cfg(feature = "gpu")]
    pub(crate) fn member_source<T: AsRef<str>>(&self, options: &[T]) -> Result<String> {
        match self {
            Declared::Static(kernel) => shader::preprocess(kernel, options),
            #[cfg(feature = "author")]
            Declared::Author(variant) => Ok(variant.authors_text().to_owned()),
        }
    }

    /// Whether the author's lines call zero-noise.
    #[cfg(feature = "gpu")]
    pub(crate) fn uses_noise(&self) -> bool {
        match self {
            Declared::Static(kernel) => shader::uses_noise(kernel.source()),
            #[cfg(feature = "author")]
            Declared::Author(variant) => variant.uses_noise(),
        }
    }
}

impl Deref for Declared {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        match self {
            Declared::Static(kernel) => kernel,
            #[cfg(feature = "author")]
            Declared::Author(variant) => variant.kernel(),
        }
    }
}
