//! Reading an author's kernel.

use std::collections::BTreeMap;
use std::path::Path;

use super::declaration::Declaration;
use super::kernel::AuthorKernel;
use super::place::Place;
use super::sources::{Includes, SourceFile, Sources};
use super::variant::Written;
use crate::error::Result;
use crate::kernel::Cpu;

/// Reads kernels, with what the host has for them: files to include, and Rust functions by the names of kernels.
#[derive(Clone, Default)]
pub struct Loader<'a> {
    includes: Option<&'a dyn Includes>,
    twins: BTreeMap<String, Cpu>,
}

impl std::fmt::Debug for Loader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loader")
            .field("includes", &self.includes.is_some())
            .field("twins", &self.twins)
            .finish()
    }
}

impl<'a> Loader<'a> {
    /// One that finds no include but the built-in ones, and knows no Rust function.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where `#include "name"` is looked up. Names that begin with `@builtin::` are this crate's own.
    #[must_use]
    pub fn includes(mut self, includes: &'a dyn Includes) -> Self {
        self.includes = Some(includes);
        self
    }

    /// The Rust function of the kernel of that name, with which it runs on a CPU device too. It sees the bindings of
    /// the variant, and `domain_count` only where that is one of them; [`CpuParams::live`](crate::CpuParams::live) is
    /// the count in any case.
    #[must_use]
    pub fn twin(mut self, kernel: impl Into<String>, cpu: Cpu) -> Self {
        self.twins.insert(kernel.into(), cpu);
        self
    }

    /// Reads a kernel from its two files. Its default options are checked, over a plain and a live domain.
    ///
    /// An error leaves what was read before as it is: a host that reloads on a change keeps the kernel that it has
    /// until this answers a new one, and shows the error.
    ///
    /// # Errors
    /// [`Error::BadSource`](crate::Error::BadSource) with file and line.
    pub fn load(&self, name: &str, bindings: &SourceFile, wgsl: &SourceFile) -> Result<AuthorKernel> {
        self.read(name, bindings, wgsl, &[])
    }

    /// Reads a kernel from a folder: `bindings.yaml`, and beside it the one file that ends in `.wgsl`, or of several
    /// the one with the folder's name. The kernel's name is the folder's up to its first dot. Other files of the folder
    /// may be included by their names.
    ///
    /// # Errors
    /// [`Error::BadSource`](crate::Error::BadSource) with file and line, or for a file that cannot be read.
    pub fn load_folder(&self, folder: &Path) -> Result<AuthorKernel> {
        let whole = folder.display().to_string();
        let refuse = |why: String| {
            Place {
                file: &whole,
                line: 1,
                column: 1,
            }
            .error(why)
        };
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.split('.').next().unwrap_or_default();
        let bindings = read_file(&folder.join("bindings.yaml"))?;
        let mut shaders = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|error| refuse(error.to_string()))? {
            let path = entry.map_err(|error| refuse(error.to_string()))?.path();
            if path.extension().is_some_and(|ending| ending == "wgsl") {
                shaders.push(path);
            }
        }
        let own = shaders
            .iter()
            .find(|path| path.file_stem().is_some_and(|stem| stem == name));
        let shader = match (shaders.as_slice(), own) {
            ([one], _) | (_, Some(one)) => read_file(one)?,
            ([], None) => return Err(refuse("there is no `.wgsl` here".to_owned())),
            (several, None) => {
                let message = format!("of {} files that end in `.wgsl` none is `{name}.wgsl`", several.len());
                return Err(refuse(message));
            }
        };
        let beside = Beside { folder };
        self.read(name, &bindings, &shader, &[&beside])
    }

    fn read(
        &self,
        name: &str,
        bindings: &SourceFile,
        wgsl: &SourceFile,
        first: &[&dyn Includes],
    ) -> Result<AuthorKernel> {
        let declaration = Declaration::read(&bindings.file, name, &bindings.text)?;
        let includes: Vec<&dyn Includes> = first.iter().copied().chain(self.includes).collect();
        let sources = Sources::gather(wgsl.clone(), &includes)?;
        AuthorKernel::new(Written {
            declaration,
            sources,
            twin: self.twins.get(name).copied(),
        })
    }
}

/// The files of a folder by their names, and none outside it.
struct Beside<'a> {
    folder: &'a Path,
}

impl Includes for Beside<'_> {
    fn find(&self, name: &str) -> Option<SourceFile> {
        let is_plain = !name.contains(['/', '\\', ':']) && name != ".." && name != ".";
        read_file(&self.folder.join(name)).ok().filter(|_| is_plain)
    }
}

fn read_file(path: &Path) -> Result<SourceFile> {
    let file = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(SourceFile { file, text }),
        Err(error) => Err(Place {
            file: &file,
            line: 1,
            column: 1,
        }
        .error(error.to_string())),
    }
}
