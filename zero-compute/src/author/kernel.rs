//! A kernel that was read from an author's files.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::declaration::{COUNT, Choice, DOMAIN_COUNT};
use super::variant::{Variant, Written};
use crate::args::{Arg, Args, Domain};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, Param};
use crate::kernel_ref::KernelRef;
use crate::queue::lock;

/// Variants kept by a kernel: texts put in at run time have no end.
const MAX_VARIANTS: usize = 256;

/// What an [`AuthorKernel`] holds.
#[derive(Debug)]
pub(crate) struct Loaded {
    written: Arc<Written>,
    /// The newest last.
    variants: Mutex<VecDeque<Arc<Variant>>>,
}

impl Loaded {
    pub(crate) fn name(&self) -> &'static str {
        self.written.declaration.name
    }

    /// The options that the arguments choose, over a plain or a live domain.
    fn options(&self, args: &Args, live: bool) -> Result<Vec<Cow<'static, str>>> {
        let choices = &self.written.declaration.choices;
        choices.iter().map(|choice| self.option(choice, args, live)).collect()
    }

    fn option(&self, choice: &Choice, args: &Args, live: bool) -> Result<Cow<'static, str>> {
        let given = args.iter().find(|(name, _)| *name == choice.name);
        let given = match given {
            None => None,
            Some((_, Arg::Option(text))) => Some(text.as_str()),
            Some(_) => return Err(self.wrong(choice.name, "an option", "something else")),
        };
        let follows = choice.name == COUNT.0 && [COUNT.1, COUNT.2].iter().all(|o| choice.options.contains(o));
        if follows {
            let says = if live { COUNT.2 } else { COUNT.1 };
            if given.is_some_and(|given| [COUNT.1, COUNT.2].contains(&given) && given != says) {
                let expected = format!("`{says}`, as the domain is");
                return Err(self.wrong(choice.name, &expected, &format!("`{}`", given.unwrap_or_default())));
            }
            if given.is_none() {
                return Ok(Cow::Borrowed(says));
            }
        }
        match given {
            None => choice
                .default
                .clone()
                .ok_or_else(|| self.wrong(choice.name, "a text, for it has none of its own", "nothing")),
            Some(text) if choice.options.is_empty() => Ok(Cow::Owned(text.to_owned())),
            Some(text) => {
                let known = choice.options.iter().find(|option| **option == text);
                known
                    .map(|option| Cow::Borrowed(*option))
                    .ok_or_else(|| Error::UnknownOption {
                        kernel: self.name().to_owned(),
                        name: choice.name.to_owned(),
                        found: text.to_owned(),
                        known: choice.options.join(", "),
                    })
            }
        }
    }

    fn wrong(&self, name: &str, expected: &str, found: &str) -> Error {
        Error::WrongArg {
            kernel: self.name().to_owned(),
            name: name.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
        }
    }

    /// The variant that the arguments choose, made where it is new.
    pub(crate) fn variant(self: &Arc<Self>, args: &Args, live: bool) -> Result<Arc<Variant>> {
        let options = self.options(args, live)?;
        let find = |variants: &VecDeque<Arc<Variant>>| {
            let is_it = |variant: &&Arc<Variant>| variant.live == live && variant.options == options;
            variants.iter().find(is_it).cloned()
        };
        if let Some(variant) = find(&lock(&self.variants)) {
            return Ok(variant);
        }
        // Made without the lock, for it is parsed and checked: another thread may make the same one meanwhile.
        let made = Arc::new(Variant::new(&self.written, options.clone(), live)?);
        made.add_owner(self);
        let mut variants = lock(&self.variants);
        if let Some(variant) = find(&variants) {
            return Ok(variant);
        }
        if variants.len() >= MAX_VARIANTS {
            variants.pop_front();
        }
        variants.push_back(made.clone());
        Ok(made)
    }

    /// The arguments with the count of the domain, where this variant binds it and they do not.
    pub(crate) fn with_count(variant: &Variant, args: Args, domain: &Domain, device: &Device) -> Result<Args> {
        let binds = variant.kernel().bindings().any(|binding| binding.name == DOMAIN_COUNT);
        if !binds || args.iter().any(|(name, _)| name == DOMAIN_COUNT) {
            return Ok(args);
        }
        let count = match domain {
            Domain::Live { count, .. } => count.clone(),
            Domain::Count(n) => device.upload(&[*n], 1)?,
        };
        Ok(args.with(DOMAIN_COUNT, count))
    }
}

/// A kernel that was read from a `bindings.yaml` and a WGSL file. It is dispatched as a static one is:
/// `recorder.dispatch(&kernel, args, domain)`. A clone is another handle on the same kernel.
///
/// Its declaration depends on the options chosen: [`variant`](Self::variant) tells it. Lists that were recorded keep
/// what they run; a device drops the programs of a kernel some time after its last handle is gone.
#[derive(Clone, Debug)]
pub struct AuthorKernel(pub(super) Arc<Loaded>);

impl AuthorKernel {
    pub(super) fn new(written: Written) -> Result<Self> {
        let kernel = Self(Arc::new(Loaded {
            written: Arc::new(written),
            variants: Mutex::default(),
        }));
        // What needs a text has no variant yet that could be checked.
        if kernel
            .0
            .written
            .declaration
            .choices
            .iter()
            .all(|choice| choice.default.is_some())
        {
            kernel.0.variant(&Args::new(), false)?;
            kernel.0.variant(&Args::new(), true)?;
        }
        Ok(kernel)
    }

    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// What its author says it does.
    pub fn description(&self) -> Option<&str> {
        self.0.written.declaration.description.as_deref()
    }

    /// The files that it was read from, as errors call them: the bindings, the WGSL, and what that includes.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let written = &self.0.written;
        let sources = written.sources.files.iter().map(|source| source.file.as_str());
        std::iter::once(written.declaration.file.as_str()).chain(sources)
    }

    /// The params with their defaults.
    pub fn params(&self) -> impl Iterator<Item = &(&'static str, Param)> {
        self.0.written.declaration.params.iter()
    }

    /// The specializations: the name, the options (none where it takes any text), and the default.
    pub fn specializations(&self) -> impl Iterator<Item = (&'static str, &'static [&'static str], Option<&str>)> {
        let choices = self.0.written.declaration.choices.iter();
        choices.map(|choice| (choice.name, choice.options, choice.default.as_deref()))
    }

    /// The declaration for the options that `args` chooses, over a plain or a live domain. Other arguments do not
    /// matter.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] and [`Error::WrongArg`] for what cannot be chosen, [`Error::BadSource`] where the WGSL
    /// of that variant does not stand.
    pub fn variant(&self, args: &Args, live: bool) -> Result<Kernel> {
        self.0.variant(args, live).map(|variant| *variant.kernel())
    }

    /// The whole WGSL of a variant, as a GPU is handed it.
    ///
    /// # Errors
    /// As [`variant`](Self::variant).
    pub fn wgsl(&self, args: &Args, live: bool) -> Result<String> {
        self.0.variant(args, live).map(|variant| variant.text.clone())
    }

    /// Checks every combination of listed options, over plain and live domains; a text is its default. Loading checks
    /// the default options alone.
    ///
    /// # Errors
    /// The first [`Error::BadSource`]; [`Error::TooMany`] for more than 4096 combinations; [`Error::WrongArg`] for a
    /// text without a default.
    pub fn check(&self) -> Result<()> {
        const MOST: u64 = 4096;
        let choices: Vec<&Choice> = self.0.written.declaration.choices.iter().collect();
        let listed = choices
            .iter()
            .filter(|choice| !choice.options.is_empty() && choice.name != COUNT.0);
        let listed: Vec<&&Choice> = listed.collect();
        let all = listed.iter().map(|choice| choice.options.len() as u64).product();
        if all > MOST {
            return Err(Error::TooMany {
                what: format!("kernel `{}`: combinations of options", self.name()),
                found: all,
                limit: MOST,
            });
        }
        for number in 0..all {
            let mut rest = number;
            let mut args = Args::new();
            for choice in &listed {
                let options = choice.options.len() as u64;
                let option = choice
                    .options
                    .get((rest % options) as usize)
                    .copied()
                    .unwrap_or_default();
                args = args.with(choice.name, option);
                rest /= options;
            }
            for live in [false, true] {
                self.0.variant(&args, live)?;
            }
        }
        Ok(())
    }
}

impl From<&AuthorKernel> for KernelRef {
    fn from(kernel: &AuthorKernel) -> Self {
        Self::author(kernel.0.clone())
    }
}

impl From<AuthorKernel> for KernelRef {
    fn from(kernel: AuthorKernel) -> Self {
        Self::author(kernel.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;
    use crate::author::{Loader, SourceFile};

    /// Texts have no end, and what a kernel keeps of its variants has: the oldest goes.
    #[test]
    fn variants_are_bounded_in_number() {
        let bindings = "version: 1
bindings:
- { name: dst, access: write, element: f32, count: n }
specialize:
- { name: STEP, default: \"1.0\" }
";
        let wgsl = "@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i < zero_n()) { dst[i] = STEP; }
}
";
        let (bindings, wgsl) = (SourceFile::new("b.yaml", bindings), SourceFile::new("k.wgsl", wgsl));
        let kernel = Loader::new().load("texts", &bindings, &wgsl).unwrap();
        let of = |n: usize| kernel.0.variant(&args! { STEP: format!("{n}.5") }, false).unwrap();
        let first = of(0);
        assert!(Arc::ptr_eq(&first, &of(0)), "what is kept is not made again");
        for n in 1..=MAX_VARIANTS {
            of(n);
        }
        assert_eq!(lock(&kernel.0.variants).len(), MAX_VARIANTS);
        let again = of(0);
        assert!(
            !Arc::ptr_eq(&first, &again) && *first == *again,
            "the oldest was let go, and is the same text"
        );
    }
}
