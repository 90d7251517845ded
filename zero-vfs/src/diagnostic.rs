//! [`Diagnostic`]: something a person should know of the files, which stops nothing.

use std::collections::BTreeMap;
use std::fmt;

use crate::path::VfsPath;
use crate::source::Unreachable;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// All works; something is worth knowing.
    Warning,
    /// Something does not work.
    Error,
}

/// Something a person should know of the files. It stops nothing: the rest works on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// A stable name, such as `vfs.case_clash`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub path: VfsPath,
    /// What is so.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Diagnostic {
    /// A warning.
    #[must_use]
    pub fn warning(code: &'static str, path: VfsPath, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, path, message, help)
    }

    /// An error.
    #[must_use]
    pub fn error(code: &'static str, path: VfsPath, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, path, message, help)
    }

    fn new(
        code: &'static str,
        severity: Severity,
        path: VfsPath,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            path,
            message: message.into(),
            help: help.into(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}[{}] `{}`: {}", self.code, self.path, self.message)?;
        match self.help.is_empty() {
            true => Ok(()),
            false => write!(f, "; {}", self.help),
        }
    }
}

/// The code of what tells of names that are equal but for case.
pub(crate) const CASE_CLASH: &str = "vfs.case_clash";

/// One for each group of `names` in `folder` that are equal but for case (`vfs.case_clash`), in the order of the names.
pub(crate) fn case_clashes<'a>(folder: &VfsPath, names: impl IntoIterator<Item = &'a str>) -> Vec<Diagnostic> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        groups.entry(name.to_lowercase()).or_default().push(name);
    }
    let clash = |mut names: Vec<&str>| {
        names.sort_unstable();
        let path = folder.join(names[0]).unwrap_or_else(|_| folder.clone());
        let message = format!("the names `{}` differ by case alone", names.join("`, `"));
        let help = "rename all but one: on some systems they are one file, and this content cannot be copied there";
        Diagnostic::warning(CASE_CLASH, path, message, help)
    };
    groups
        .into_values()
        .filter(|names| names.len() > 1)
        .map(clash)
        .collect()
}

/// What says that `held`, in `folder`, cannot be reached (`vfs.unreachable`).
pub(crate) fn unreachable(folder: &VfsPath, held: &Unreachable) -> Diagnostic {
    let message = format!("it holds {:?}, which no path can reach: {}", held.name, held.why);
    Diagnostic::warning(
        "vfs.unreachable",
        folder.clone(),
        message,
        "rename it, or take it out of the folder",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_equal_but_for_case_are_grouped() {
        let folder = VfsPath::parse("/a").unwrap();
        let found = case_clashes(&folder, ["readme.md", "b", "README.md", "Ä", "ä", "Readme.md", "c"]);
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 2);
        assert!(
            texts[0].starts_with(
                "warning[vfs.case_clash] `/a/README.md`: the names `README.md`, `Readme.md`, `readme.md` differ"
            ),
            "{}",
            texts[0]
        );
        assert!(texts[1].contains("`Ä`, `ä`"), "{}", texts[1]);
    }
}
