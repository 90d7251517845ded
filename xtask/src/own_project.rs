//! The README's word held to: a project outside the workspace, made of what the README says and nothing else.

use crate::shell::{Result, Run};
use crate::steps::refused_line;
use crate::workspace::Workspace;
use std::path::Path;

/// What the README calls the folder of this project.
const PLACE: &str = "../zero/";
const README: &str = "README.md";
const GRAPH: &str = "examples/src/graphs/scatter.rs";
const MAIN: &str = "examples/src/own_project.rs";

/// Writes the project, builds and runs it as a person would, and looks at its file. Nothing of the GPU may be in it.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let path = workspace.root.join(README);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let project = workspace.root.join("target/own-project");
    let made = project.join("forest.glb");
    let _ = std::fs::remove_file(&made);
    write(&project.join("src/forest.rs"), &program(&text, GRAPH)?)?;
    let main = format!("mod forest;\nuse forest::forest;\n\n{}", program(&text, MAIN)?);
    write(&project.join("src/main.rs"), &main)?;
    write(&project.join("Cargo.toml"), &manifest(&text, &workspace.root)?)?;
    // The versions that everything else here is tested with, and no network.
    let lock = workspace.root.join("Cargo.lock");
    std::fs::copy(&lock, project.join("Cargo.lock")).map_err(|error| format!("{}: {error}", lock.display()))?;
    let cargo = |command: &str| {
        let target = project.join("target").to_string_lossy().into_owned();
        let cargo = Run::cargo(&project).args([command, "--offline"]);
        cargo.env("CARGO_TARGET_DIR", &target)
    };
    let tree = cargo("tree")
        .args(["--edges", "normal,build", "--prefix", "none"])
        .read()?;
    if let Some(line) = refused_line(&tree) {
        return Err(format!("the project that the README describes needs {line}"));
    }
    // The program writes into the folder for temporary files.
    cargo("run").env("TMPDIR", &project.to_string_lossy()).go()?;
    let written = std::fs::read(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    match written.starts_with(b"glTF") {
        true => Ok(()),
        false => Err(format!("{} is no .glb", made.display())),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

/// The manifest as the README has it, with the crates found where they are. The folder lies within this one, so that it
/// has to say that it is a workspace of its own.
fn manifest(readme: &str, root: &Path) -> Result<String> {
    let text = fenced(readme, "```toml\n[package]\n").ok_or("README.md: no manifest of a project")?;
    let text = format!("[package]\n{text}");
    if !text.contains(PLACE) {
        return Err(format!("README.md: the manifest names no `{PLACE}`"));
    }
    let root = format!("{}/", root.display()).replace('\\', "/");
    Ok(format!("{}\n[workspace]\n", text.replace(PLACE, &root)))
}

/// The program of a file as the README shows it.
fn program(readme: &str, file: &str) -> Result<String> {
    let start = format!("<!-- program: {file} -->\n```rust\n");
    let found = fenced(readme, &start).ok_or_else(|| format!("README.md: no program of {file}"))?;
    Ok(found.to_owned())
}

/// What stands between a start and the next fence.
fn fenced<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once("```").map(|(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_points_at_this_project() {
        let readme = "a\n```toml\n[package]\nname = \"f\"\n\n[dependencies]\nz = { path = \"../zero/z\" }\n```\nb\n";
        let text = manifest(readme, Path::new("/r")).unwrap();
        assert!(text.starts_with("[package]\nname = \"f\"\n"), "{text}");
        assert!(
            text.contains("path = \"/r/z\"") && text.ends_with("[workspace]\n"),
            "{text}"
        );
        assert!(manifest("no fence", Path::new("/r")).is_err());
        assert!(manifest("```toml\n[package]\n```", Path::new("/r")).is_err());
    }

    #[test]
    fn a_program_is_taken_without_its_fence() {
        let readme =
            "<!-- program: a.rs -->\n```rust\nfn a() {}\n```\n<!-- program: b.rs -->\n```rust\nfn b() {}\n```\n";
        assert_eq!(program(readme, "b.rs").unwrap(), "fn b() {}\n");
        assert!(program(readme, "c.rs").unwrap_err().contains("c.rs"));
    }
}
