//! The workspace: where it is and which crates it holds.

use crate::shell::{Result, Run};
use std::path::{Path, PathBuf};

/// Arguments of every cargo command that looks at the whole workspace. They are the same everywhere, so that the
/// dependencies are built once: another set of features would be another build.
pub(crate) const WHOLE: [&str; 2] = ["--workspace", "--all-features"];

/// The workspace that this program belongs to.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// In the order of their names.
    pub(crate) members: Vec<Member>,
}

/// A crate of the workspace.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// The text of its `Cargo.toml`.
    pub(crate) manifest: String,
}

impl Workspace {
    /// Finds the workspace and asks cargo for its members.
    pub(crate) fn open() -> Result<Self> {
        let manifest = Run::new("cargo")
            .args(["locate-project", "--workspace", "--message-format", "plain"])
            .read()?;
        let root = Path::new(manifest.trim())
            .parent()
            .ok_or("cargo names no workspace manifest")?
            .to_path_buf();
        let listing = Run::cargo(&root)
            .args([
                "tree",
                "--workspace",
                "--depth",
                "0",
                "--prefix",
                "none",
                "--format",
                "{p}",
            ])
            .read()?;
        let mut members = Vec::new();
        for line in listing.lines().filter(|line| !line.is_empty()) {
            members.push(Member::read(line)?);
        }
        members.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { root, members })
    }

    /// The Rust version that the manifests promise.
    pub(crate) fn rust_version(&self) -> Result<String> {
        let path = self.root.join("Cargo.toml");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        value_of(&text, "rust-version").ok_or_else(|| format!("{}: no rust-version", path.display()))
    }

    /// Where this very program was built: the debug programs of the other crates lie there too.
    pub(crate) fn programs(&self) -> Result<PathBuf> {
        let own = std::env::current_exe().map_err(|error| format!("cannot tell where xtask lies: {error}"))?;
        own.parent()
            .map(Path::to_path_buf)
            .ok_or_else(|| format!("{} lies in no folder", own.display()))
    }

    /// The file of a debug program, built or not.
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf> {
        Ok(self.programs()?.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Builds a program with the features of every other build, so that its dependencies are not built once more, and
    /// answers its file.
    pub(crate) fn build_program(&self, name: &str) -> Result<PathBuf> {
        let build = Run::cargo(&self.root).arg("build").args(WHOLE);
        build.args(["--bin", name]).go()?;
        self.program(name)
    }

    /// The same for an example of a crate.
    pub(crate) fn build_example(&self, name: &str) -> Result<PathBuf> {
        let build = Run::cargo(&self.root).arg("build").args(WHOLE);
        build.args(["--example", name]).go()?;
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        Ok(self.programs()?.join("examples").join(file))
    }
}

impl Member {
    /// From a line of `cargo tree`: `name v0.1.0 (proc-macro) (/folder)`.
    fn read(line: &str) -> Result<Self> {
        let name = line.split(' ').next().unwrap_or_default().to_owned();
        let folder = line
            .rsplit_once(" (")
            .and_then(|(_, end)| end.strip_suffix(')'))
            .map(PathBuf::from)
            .ok_or_else(|| format!("cargo tree: no folder in `{line}`"))?;
        let path = folder.join("Cargo.toml");
        let manifest = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { name, folder, manifest })
    }

    /// Whether the crate goes to a registry.
    pub(crate) fn published(&self) -> bool {
        !self.manifest.lines().any(|line| line.trim() == "publish = false")
    }
}

/// The text of a `key = "value"` line of a manifest.
pub(crate) fn value_of(manifest: &str, key: &str) -> Option<String> {
    manifest.lines().find_map(|line| {
        let rest = line.trim().strip_prefix(key)?.trim_start().strip_prefix('=')?.trim();
        Some(rest.strip_prefix('"')?.split('"').next()?.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_from_its_own_line() {
        let text = "[workspace.package]\nrust-version = \"1.95\"\nversion=\"0.1\"\n";
        assert_eq!(value_of(text, "rust-version").as_deref(), Some("1.95"));
        assert_eq!(value_of(text, "version").as_deref(), Some("0.1"));
        assert_eq!(value_of(text, "edition"), None);
    }

    #[test]
    fn this_workspace_opens_and_holds_this_crate() {
        let workspace = Workspace::open().unwrap();
        let own = workspace.members.iter().find(|member| member.name == "xtask").unwrap();
        assert!(own.folder.ends_with("xtask"));
        assert!(!own.published());
    }
}
