//! One choice of options over one form of domain: a declaration, and the WGSL that a GPU compiles for it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, Weak};

use super::declaration::{Declaration, Declared};
use super::expand::{Expanded, Origin, expand};
use super::kernel::Loaded;
use super::place::Place;
use super::sources::Sources;
use crate::error::{Error, Result};
use crate::kernel::{Access, Cpu, Kernel};
use crate::queue::lock;
use crate::shader;

/// What an author wrote, checked. Every variant of a kernel stands on the same.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) declaration: Declaration,
    pub(super) sources: Sources,
    pub(super) twin: Option<Cpu>,
}

/// See the module.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "gpu"),
    expect(dead_code, reason = "only a GPU is handed the text in parts")
)]
pub(crate) struct Variant {
    pub(super) kernel: Kernel,
    pub(super) options: Vec<Cow<'static, str>>,
    pub(super) live: bool,
    pub(super) text: String,
    written: Arc<Written>,
    uses_noise: bool,
    /// Where the author's lines begin in the text, and how many are in front of them.
    begins: usize,
    lines_before: u32,
    /// One a line after those.
    origins: Vec<Origin>,
    hash: u64,
    /// The kernels that run this text: a device drops the program that it built when none is left.
    owners: Mutex<Vec<Weak<Loaded>>>,
}

impl Variant {
    pub(super) fn new(written: &Arc<Written>, options: Vec<Cow<'static, str>>, live: bool) -> Result<Self> {
        let Expanded {
            text: author,
            origins,
            uses_noise,
        } = expand(&written.sources, &written.declaration.choices, &options)?;
        let mut kernel = written.declaration.kernel(&options, &author)?;
        if let Some(twin) = written.twin {
            kernel = kernel.cpu(twin);
        }
        let mut text = shader::header(&kernel, live);
        match kernel.per_element() {
            Some(per_element) => text.push_str(&shader::around_element(&kernel, per_element)),
            None => accessors(&kernel, &mut text),
        }
        if uses_noise {
            text.push_str(zero_noise::WGSL);
            text.push('\n');
        }
        let lines_before = text.lines().count() as u32;
        let begins = text.len();
        text.push_str(&author);
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let variant = Self {
            kernel,
            options,
            live,
            text,
            written: written.clone(),
            uses_noise,
            begins,
            lines_before,
            origins,
            hash: hasher.finish(),
            owners: Mutex::default(),
        };
        super::check::check(&variant)?;
        Ok(variant)
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    pub(crate) fn options(&self) -> &[Cow<'static, str>] {
        &self.options
    }

    /// The whole text, as a GPU is handed it.
    pub(crate) fn assembled(&self) -> shader::Assembled {
        shader::Assembled {
            text: self.text.clone(),
            lines_before: self.lines_before,
        }
    }

    /// The author's lines alone.
    #[cfg(feature = "gpu")]
    pub(crate) fn authors_text(&self) -> &str {
        self.text.get(self.begins..).unwrap_or_default()
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn uses_noise(&self) -> bool {
        self.uses_noise
    }

    pub(super) fn add_owner(&self, owner: &Arc<Loaded>) {
        lock(&self.owners).push(Arc::downgrade(owner));
    }

    /// The owners of a variant of the same text are owners of this one too.
    pub(crate) fn share_with(&self, other: &Variant) {
        if std::ptr::eq(self, other) {
            return;
        }
        let theirs = lock(&other.owners).clone();
        let mut ours = lock(&self.owners);
        ours.retain(|owner| owner.strong_count() > 0);
        for owner in theirs {
            if !ours.iter().any(|known| known.ptr_eq(&owner)) {
                ours.push(owner);
            }
        }
    }

    /// Whether any kernel can still be dispatched with this text.
    pub(crate) fn is_owned(&self) -> bool {
        lock(&self.owners).iter().any(|owner| owner.strong_count() > 0)
    }
}

#[cfg_attr(
    all(not(feature = "gpu"), target_arch = "wasm32"),
    expect(dead_code, reason = "nothing checks there but a GPU's compiler")
)]
impl Variant {
    /// What a compiler said of a line of the whole text and a byte of that line (both from 1), said of the author's, whose
    /// columns are characters; of the entry point where it named none.
    pub(crate) fn error_at(&self, line: Option<(u32, u32)>, said: &str) -> Error {
        match line {
            Some((line, byte)) => match self.author_line(line) {
                Some((place, text)) => Place {
                    column: self.character(line, byte),
                    ..place
                }
                .error(format!("{said}, in `{}`", text.trim())),
                None => self
                    .header_place(line)
                    .error(format!("the lines made from this: {said}")),
            },
            None => self.entry_place().error(said),
        }
    }

    /// The character of a line of the whole text that begins at, or holds, that byte of it; both from 1.
    fn character(&self, line: u32, byte: u32) -> u32 {
        let text = self.text.lines().nth((line as usize).saturating_sub(1));
        let before = text.unwrap_or_default().char_indices();
        before.take_while(|(at, _)| at + 1 < byte as usize).count() as u32 + 1
    }

    /// Whether a line of the whole text is an author's own.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "in a browser the device checks alone")
    )]
    pub(super) fn is_authors(&self, line: u32) -> bool {
        line > self.lines_before
    }

    fn author_line(&self, line: u32) -> Option<(Place<'_>, &str)> {
        let at = line.checked_sub(self.lines_before)?.checked_sub(1)? as usize;
        // An error at the very end is past the last line.
        let origin = self.origins.get(at).or(self.origins.last())?;
        let file = self.written.sources.files.get(origin.file as usize)?;
        let place = Place {
            file: &file.file,
            line: origin.line,
            column: 1,
        };
        let text = file.text.lines().nth((origin.line as usize).saturating_sub(1));
        Some((place, text.unwrap_or_default()))
    }

    /// The binding that a line of the header is made of.
    fn header_place(&self, line: u32) -> Place<'_> {
        let declaration = &self.written.declaration;
        let text = self.text.lines().nth(line as usize - 1).unwrap_or_default();
        let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let names = |binding: &Declared| words().any(|word| word == binding.name);
        match declaration.standing(&self.options).find(|binding| names(binding)) {
            Some(binding) => declaration.place(binding.at),
            None => declaration.place(zero_yaml::Position::START),
        }
    }

    /// Where `fn main` is, or the `fn element` that it is written around, or the first line of the author's file.
    pub(super) fn entry_place(&self) -> Place<'_> {
        let lines = self.text.lines().enumerate().skip(self.lines_before as usize);
        let entry = lines
            .filter(|(_, text)| text.contains("fn main") || text.contains("fn element"))
            .map(|(at, _)| at as u32 + 1)
            .next();
        match (
            entry.and_then(|line| self.author_line(line)),
            self.written.sources.files.first(),
        ) {
            (Some((place, _)), _) => place,
            (None, Some(file)) => Place {
                file: &file.file,
                line: 1,
                column: 1,
            },
            (None, None) => self.written.declaration.place(zero_yaml::Position::START),
        }
    }
}

/// Two variants of one text are one program.
impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.hash == other.hash && self.text == other.text)
    }
}

impl Eq for Variant {}

impl Hash for Variant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// `NAME_get(i)` of everything that is read and holds plain words.
fn accessors(kernel: &Kernel, text: &mut String) {
    for binding in kernel.bindings() {
        let (name, element) = (binding.name, binding.element);
        if !binding.atomic && binding.columns.is_none() && matches!(binding.access, Access::Read | Access::InOut) {
            text.push_str(&format!("fn {name}_get(i: u32) -> {element} {{ return {name}[i]; }}\n"));
        }
    }
}
