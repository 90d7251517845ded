//! Rules about files, manifests and documents that no compiler checks. Each is a function from texts to findings.

mod documents;

use crate::shell::Result;
use crate::smoke;
use crate::workspace::{Member, Workspace};
use std::path::{Path, PathBuf};

/// A longer file holds more than one idea.
const MOST_LINES: usize = 900;

/// A file of the project, by its path from the root with `/` between the folders.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Checks all rules and names every finding.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let sources = sources(&workspace.root)?;
    let mut findings = Vec::new();
    for source in &sources {
        findings.extend(length(source));
        findings.extend(machine_paths(source));
    }
    findings.extend(documents::check(&workspace.root, &sources));
    for member in &workspace.members {
        let has_readme = member.folder.join("README.md").is_file();
        findings.extend(manifest(member, has_readme));
        findings.extend(documents::named(member, &sources));
        findings.extend(documents::mapped(member, &sources));
    }
    findings.extend(unlisted_examples(&sources));
    if !findings.is_empty() {
        return Err(format!("tidy:\n  {}", findings.join("\n  ")));
    }
    eprintln!(
        "{} files, {} crates, nothing untidy",
        sources.len(),
        workspace.members.len()
    );
    Ok(())
}

/// Endings of the files that people write.
const WRITTEN: [&str; 9] = ["rs", "wgsl", "md", "toml", "yaml", "py", "luau", "sh", "run"];

/// Reads what people wrote: not build outputs, not hidden folders other than the project's own settings.
fn sources(root: &Path) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let hidden = name.starts_with('.') && ![".cargo", ".ci", ".config"].contains(&name.as_str());
            if hidden || name == "target" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if written(&path, &name) {
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                found.push(Source {
                    path: from_root(root, &path),
                    text,
                });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn written(path: &Path, name: &str) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or(name);
    WRITTEN.contains(&ending)
}

fn from_root(root: &Path, path: &Path) -> String {
    let relative: PathBuf = path.strip_prefix(root).unwrap_or(path).to_path_buf();
    relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

fn length(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    (lines > MOST_LINES).then(|| format!("{}: {lines} lines, at most {MOST_LINES}", source.path))
}

/// Absolute paths of one person's machine. They are put together here, so that this file does not hold them.
fn machine_paths(source: &Source) -> Vec<String> {
    let refused = [
        ["/", "home/"],
        ["/", "root/."],
        ["/", "Users/"],
        ["/", "work/main"],
        ["/", "work/shared"],
        ["C:\\", "Users"],
    ];
    let mut findings = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        for start in refused.iter().map(|parts| parts.concat()) {
            let absolute = line.match_indices(&start).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|before| !before.is_alphanumeric() && !"._-~@/".contains(before))
            });
            if absolute {
                findings.push(format!(
                    "{}:{}: the path of one machine, {start}",
                    source.path,
                    number + 1
                ));
            }
        }
    }
    findings
}

/// Lines that every manifest of the workspace holds.
const INHERITED: [&str; 4] = [
    "edition.workspace = true",
    "license.workspace = true",
    "rust-version.workspace = true",
    "version.workspace = true",
];

fn manifest(member: &Member, has_readme: bool) -> Vec<String> {
    let has = |line: &str| member.manifest.lines().any(|found| found.trim() == line);
    let mut findings = Vec::new();
    for line in INHERITED.iter().filter(|line| !has(line)) {
        findings.push(format!("{}: its manifest lacks `{line}`", member.name));
    }
    if !member.manifest.contains("[lints]\nworkspace = true") {
        findings.push(format!(
            "{}: its manifest does not take the workspace's lints",
            member.name
        ));
    }
    if !member.manifest.lines().any(|line| line.starts_with("description = \"")) {
        findings.push(format!("{}: its manifest has no description", member.name));
    }
    if !has_readme {
        findings.push(format!("{}: it has no README.md", member.name));
    }
    if member.published() && !has("readme = \"README.md\"") {
        findings.push(format!("{}: its manifest lacks `readme = \"README.md\"`", member.name));
    }
    findings
}

/// Programs beside the examples that no list names would never be run.
fn unlisted_examples(sources: &[Source]) -> Vec<String> {
    let programs = sources
        .iter()
        .filter_map(|source| source.path.strip_prefix("examples/src/bin/"));
    programs
        .filter_map(|path| path.strip_suffix("/main.rs").or_else(|| path.strip_suffix(".rs")))
        .filter(|name| !name.contains('/'))
        .filter(|name| smoke::EXAMPLES.iter().all(|example| example.name != *name))
        .filter(|name| !smoke::NOT_EXAMPLES.contains(name))
        .map(|name| format!("examples/src/bin/{name}: not in the list of examples (xtask/src/smoke.rs)"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn long_files_are_found() {
        assert_eq!(length(&source("a.rs", &"x\n".repeat(MOST_LINES))), None);
        assert!(length(&source("a.rs", &"x\n".repeat(MOST_LINES + 1))).is_some());
    }

    #[test]
    fn paths_of_a_machine_are_found_where_they_begin() {
        let home = ["/", "home/ann/zero"].concat();
        assert_eq!(machine_paths(&source("a.rs", &format!("let p = \"{home}\";"))).len(), 1);
        assert_eq!(machine_paths(&source("a.rs", &home)).len(), 1);
        assert!(machine_paths(&source("a.rs", &format!("docs{home}"))).is_empty());
        assert!(machine_paths(&source("a.rs", "a/b/home.rs")).is_empty());
    }

    const WHOLE: &str = "[package]\ndescription = \"d\"\nreadme = \"README.md\"\nversion.workspace = true\n\
        edition.workspace = true\nrust-version.workspace = true\nlicense.workspace = true\n\n[lints]\nworkspace = true\n";

    fn member(manifest: &str) -> Member {
        Member {
            name: "m".to_owned(),
            folder: PathBuf::new(),
            manifest: manifest.to_owned(),
        }
    }

    #[test]
    fn a_whole_manifest_passes_and_each_missing_line_is_found() {
        assert_eq!(manifest(&member(WHOLE), true), Vec::<String>::new());
        assert_eq!(manifest(&member(WHOLE), false), ["m: it has no README.md"]);
        for line in WHOLE.lines().filter(|line| !line.is_empty() && *line != "[package]") {
            let without = WHOLE
                .lines()
                .filter(|kept| *kept != line)
                .map(|kept| format!("{kept}\n"))
                .collect::<String>();
            assert_eq!(manifest(&member(&without), true).len(), 1, "without `{line}`");
        }
    }

    #[test]
    fn an_example_that_no_list_names_is_found() {
        let listed = source("examples/src/bin/hillshade.rs", "");
        let command = source("examples/src/bin/counts.rs", "");
        let other = source("examples/src/bin/unheard_of.rs", "");
        let in_a_folder = source("examples/src/bin/viewer/main.rs", "");
        let part = source("examples/src/bin/viewer/part.rs", "");
        assert_eq!(unlisted_examples(&[listed, command, other, in_a_folder, part]).len(), 2);
    }
}
