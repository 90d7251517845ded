//! The WGSL of an author's kernel with everything that it includes.

use super::place::Place;
use crate::error::Result;

/// The longest file, in bytes.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// The most files, and how deep they may include each other.
const MAX_FILES: usize = 64;
const MAX_DEPTH: usize = 16;
/// What the name of a module of this crate begins with.
const BUILTIN: &str = "@builtin::";
/// The modules of this crate.
const MODULES: &[(&str, &str)] = &[
    (
        "@builtin::systems.procgen.bvh_box",
        include_str!("../kernels/bvh_box.wgsl"),
    ),
    (
        "@builtin::systems.procgen.bvh_overlap",
        concat!(
            include_str!("wgsl/bvh_overlap.wgsl"),
            include_str!("../kernels/bvh_leaves.wgsl")
        ),
    ),
    ("@builtin::systems.procgen.grid", include_str!("wgsl/grid.wgsl")),
    (
        "@builtin::systems.procgen.grid_cell",
        include_str!("wgsl/grid_cell.wgsl"),
    ),
];

/// A text, and what errors call it: a path, or whatever tells its author which one it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// What errors call it.
    pub file: String,
    /// What it says.
    pub text: String,
}

impl SourceFile {
    /// A text under a name.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            text: text.into(),
        }
    }
}

/// Finds what a kernel includes. A function from a name to a text is one.
pub trait Includes {
    /// The file behind the name in `#include "name"`; `None` where there is none.
    fn find(&self, name: &str) -> Option<SourceFile>;
}

impl<F: Fn(&str) -> Option<String>> Includes for F {
    fn find(&self, name: &str) -> Option<SourceFile> {
        self(name).map(|text| SourceFile::new(name, text))
    }
}

/// Looks for what an include names: `None` where there is none, and an error says why what there is cannot be read.
pub(super) type Find<'a> = &'a dyn Fn(&str) -> Result<Option<SourceFile>, String>;

/// What one line says to the reader of a kernel's WGSL.
pub(super) enum Line<'a> {
    /// Plain WGSL.
    Text,
    /// `#include "name"`.
    Include(&'a str),
    /// `// @when NAME option...`, without its first word.
    When(&'a str),
    /// `// @end`.
    End,
    /// `// @use name`.
    Use(&'a str),
}

/// What a line is, or what is wrong with it.
pub(super) fn line(text: &str) -> Result<Line<'_>, String> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("#include") {
        let name = rest
            .trim_start()
            .strip_prefix('"')
            .and_then(|rest| rest.split_once('"'));
        return match name {
            Some((name, after)) if !name.is_empty() && is_blank(after) => Ok(Line::Include(name)),
            _ => Err("an include is written `#include \"name\"`".to_owned()),
        };
    }
    let Some(word) = text.strip_prefix("// @") else {
        return Ok(Line::Text);
    };
    let (word, rest) = word.split_once(char::is_whitespace).unwrap_or((word, ""));
    match word {
        "when" => Ok(Line::When(rest)),
        "end" => Ok(Line::End),
        "use" => Ok(Line::Use(rest.trim())),
        _ => Err(format!(
            "`// @{}` is no directive; they are `@when`, `@end` and `@use`",
            super::names::shown(word)
        )),
    }
}

fn is_blank(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with("//")
}

/// The column of the first character of a line that is no blank.
pub(super) fn column(line: &str) -> u32 {
    line.chars().take_while(|c| c.is_whitespace()).count() as u32 + 1
}

/// The author's file and all that it includes, each once.
#[derive(Debug)]
pub(super) struct Sources {
    /// The author's own file first.
    pub(super) files: Vec<SourceFile>,
    /// The name that each was included under; empty for the first.
    names: Vec<String>,
}

impl Sources {
    pub(super) fn gather(root: SourceFile, find: Find<'_>) -> Result<Self> {
        let mut sources = Self {
            files: Vec::new(),
            names: Vec::new(),
        };
        let start = Place {
            file: &root.file.clone(),
            line: 1,
            column: 1,
        };
        sources.add(String::new(), root, start, find, &mut Vec::new())?;
        Ok(sources)
    }

    /// The place in [`files`](Self::files) of what was included under a name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Adds a file that `from` asks for, and then what it includes. `open` holds the names on the way to it.
    fn add(
        &mut self,
        name: String,
        file: SourceFile,
        from: Place<'_>,
        find: Find<'_>,
        open: &mut Vec<String>,
    ) -> Result<()> {
        if file.text.len() > MAX_BYTES {
            let message = format!(
                "{} bytes of WGSL are more than the {MAX_BYTES} allowed",
                file.text.len()
            );
            return Err(Place {
                file: &file.file,
                line: 1,
                column: 1,
            }
            .error(message));
        }
        if self.files.len() >= MAX_FILES || open.len() >= MAX_DEPTH {
            let message = format!("a kernel has at most {MAX_FILES} files, one inside the other at most {MAX_DEPTH}");
            return Err(from.error(message));
        }
        let (text, called) = (file.text.clone(), file.file.clone());
        self.files.push(file);
        self.names.push(name.clone());
        open.push(name);
        for (index, source) in text.lines().enumerate() {
            let place = Place {
                file: &called,
                line: index as u32 + 1,
                column: column(source),
            };
            if let Line::Include(wanted) = line(source).map_err(|why| place.error(why))? {
                self.include(wanted, place, find, open)?;
            }
        }
        open.pop();
        Ok(())
    }

    fn include(&mut self, name: &str, place: Place<'_>, find: Find<'_>, open: &mut Vec<String>) -> Result<()> {
        if let Some(at) = open.iter().position(|known| known == name) {
            let round: Vec<&str> = open.iter().skip(at).map(String::as_str).chain([name]).collect();
            return Err(place.error(format!("includes go round in a circle: {}", round.join(", "))));
        }
        if self.position(name).is_some() {
            return Ok(());
        }
        let file = if name.starts_with(BUILTIN) {
            let module = MODULES.iter().find(|(known, _)| *known == name);
            module.map(|(name, text)| SourceFile::new(*name, *text)).ok_or_else(|| {
                let known: Vec<&str> = MODULES.iter().map(|(known, _)| *known).collect();
                format!(
                    "there is no `{}`; there are {}",
                    super::names::shown(name),
                    known.join(", ")
                )
            })
        } else {
            let nothing = || format!("nothing is found under the name `{}`", super::names::shown(name));
            find(name).and_then(|found| found.ok_or_else(nothing))
        };
        let file = file.map_err(|why| place.error(why))?;
        self.add(name.to_owned(), file, place, find, open)
    }
}
