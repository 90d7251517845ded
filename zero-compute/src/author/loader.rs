//! Reading an author's kernel.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::declaration::Declaration;
use super::kernel::AuthorKernel;
use super::place::Place;
use super::sources::{Includes, MAX_BYTES, SourceFile, Sources};
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
        self.read(name, bindings, wgsl, None)
    }

    /// Reads a kernel from a folder: `bindings.yaml`, and beside it the one file that ends in `.wgsl`, or of several
    /// the one with the folder's name. The kernel's name is the folder's up to its first dot. Other files of the folder
    /// may be included by their names.
    ///
    /// # Errors
    /// [`Error::BadSource`](crate::Error::BadSource) with file and line, or for a file that cannot be read: one longer
    /// than 1 MiB, one that is not UTF-8, and a pipe or a device, are refused and not read.
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
        self.read(name, &bindings, &shader, Some(folder))
    }

    fn read(
        &self,
        name: &str,
        bindings: &SourceFile,
        wgsl: &SourceFile,
        folder: Option<&Path>,
    ) -> Result<AuthorKernel> {
        let declaration = Declaration::read(&bindings.file, name, &bindings.text)?;
        let find = |name: &str| {
            let found = folder.map_or(Ok(None), |folder| beside(folder, name))?;
            Ok(found.or_else(|| self.includes.and_then(|includes| includes.find(name))))
        };
        let sources = Sources::gather(wgsl.clone(), &find)?;
        AuthorKernel::new(Written {
            declaration,
            sources,
            twin: self.twins.get(name).copied(),
        })
    }
}

/// The file of a folder by its name, and none outside it: a name with more to it than a file's own is not looked at.
/// A file that is there and cannot be read is an error, so that nothing else is taken in its place.
fn beside(folder: &Path, name: &str) -> Result<Option<SourceFile>, String> {
    let is_plain = !name.contains(['/', '\\', ':', '\0']) && name != ".." && name != ".";
    if !is_plain {
        return Ok(None);
    }
    let path = folder.join(name);
    match read_text(&path) {
        Ok(text) => Ok(Some(SourceFile::new(path.display().to_string(), text))),
        Err(Unread::Absent(_)) => Ok(None),
        Err(why) => Err(format!("`{}` cannot be read: {why}", super::names::shown(name))),
    }
}

fn read_file(path: &Path) -> Result<SourceFile> {
    let file = path.display().to_string();
    match read_text(path) {
        Ok(text) => Ok(SourceFile { file, text }),
        Err(why) => Err(Place {
            file: &file,
            line: 1,
            column: 1,
        }
        .error(why.to_string())),
    }
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
enum Unread {
    #[error("{0}")]
    Absent(std::io::Error),
    #[error("{0}")]
    Failed(std::io::Error),
    #[error("it is no regular file")]
    Irregular,
    #[error("it is longer than the {MAX_BYTES} bytes allowed")]
    TooLong,
    #[error("it is not UTF-8: {0}")]
    NotText(std::string::FromUtf8Error),
}

impl From<std::io::Error> for Unread {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Unread::Absent(error),
            _ => Unread::Failed(error),
        }
    }
}

/// The text of a regular file. A pipe or a device is not even opened, since that alone may wait for ever, and of a file
/// that grows while it is read no more is taken than is allowed.
fn read_text(path: &Path) -> Result<String, Unread> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(Unread::Irregular);
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        return Err(Unread::TooLong);
    }
    String::from_utf8(bytes).map_err(Unread::NotText)
}
