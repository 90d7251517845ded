//! What the Markdown files promise: programs that are those of the examples, links that lead somewhere, a row for
//! every crate, and the architecture's map that agrees with the manifests.
//!
//! A program in a document stands in a fenced block under a line `<!-- program: PATH -->`. It must be the text of
//! that file between the lines `// program: begin` and `// program: end`, letter for letter, so that what a reader
//! copies has been compiled.

use super::Source;
use crate::workspace::Member;
use std::collections::BTreeSet;
use std::path::Path;

/// A longer program is no quick start.
const MOST_PROGRAM_LINES: usize = 30;

const BEGIN: &str = "// program: begin";
const END: &str = "// program: end";

/// Checks every Markdown file.
pub(super) fn check(root: &Path, sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.path.ends_with(".md")) {
        findings.extend(programs(source, sources));
        findings.extend(links(source, &|path| root.join(path).exists()));
    }
    findings
}

/// The two maps at the root name every crate.
pub(super) fn named(member: &Member, sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for map in ["README.md", "ARCHITECTURE.md"] {
        let text = sources
            .iter()
            .find(|source| source.path == map)
            .map_or("", |source| source.text.as_str());
        let folder = member
            .folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let row =
            |line: &str| line.starts_with(&format!("| [{folder}](")) && line.contains(&format!("{folder}/README.md)"));
        if !text.lines().any(row) {
            findings.push(format!("{map}: no row for [{folder}]({folder}/README.md)"));
        }
    }
    findings
}

/// The architecture's drawing holds the crate, and its row names the crates that the manifest depends on.
pub(super) fn mapped(member: &Member, sources: &[Source]) -> Vec<String> {
    const MAP: &str = "ARCHITECTURE.md";
    let text = sources
        .iter()
        .find(|source| source.path == MAP)
        .map_or("", |source| source.text.as_str());
    let folder = member
        .folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut findings = Vec::new();
    let drawing = text.split("```").nth(1).unwrap_or_default();
    if words(drawing).all(|word| word != folder) {
        findings.push(format!("{MAP}: the drawing lacks {folder}"));
    }
    let row = text
        .lines()
        .find(|line| line.starts_with(&format!("| [{folder}](")))
        .and_then(|line| line.trim_end_matches([' ', '|']).rsplit('|').next());
    if let Some(row) = row {
        let said: BTreeSet<&str> = words(row).filter(|word| word.starts_with("zero-")).collect();
        let needed: BTreeSet<&str> = own_dependencies(&member.manifest).collect();
        if said != needed {
            findings.push(format!(
                "{MAP}: the row of {folder} names {said:?}, its manifest {needed:?}"
            ));
        }
    }
    findings
}

/// Names as a drawing or a row holds them: letters, digits and hyphens between anything else.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
}

/// The crates of this project under `[dependencies]`.
fn own_dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    manifest
        .lines()
        .skip_while(|line| line.trim() != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.starts_with("zero-"))
        .filter_map(|line| line.split([' ', '.', '=']).next())
}

fn programs(document: &Source, sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut lines = document.text.lines();
    while let Some(line) = lines.next() {
        let Some(path) = line
            .trim()
            .strip_prefix("<!-- program: ")
            .and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let fenced = lines.next().is_some_and(|fence| fence.starts_with("```"));
        let shown: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        let place = format!("{}: the program of {path}", document.path);
        let compiled = sources
            .iter()
            .find(|source| source.path == path)
            .map(|source| between_marks(&source.text));
        match compiled {
            _ if !fenced => findings.push(format!("{place} is not followed by a fenced block")),
            None => findings.push(format!("{place}: there is no such file")),
            Some(compiled) if compiled.is_empty() => {
                findings.push(format!("{place}: that file has no lines between `{BEGIN}` and `{END}`"));
            }
            Some(compiled) if compiled != shown => findings.push(format!("{place} differs from that file's own")),
            Some(_) if shown.len() > MOST_PROGRAM_LINES => {
                findings.push(format!(
                    "{place} has {} lines, at most {MOST_PROGRAM_LINES}",
                    shown.len()
                ));
            }
            Some(_) => {}
        }
    }
    findings
}

fn between_marks(text: &str) -> Vec<&str> {
    text.lines()
        .skip_while(|line| line.trim() != BEGIN)
        .skip(1)
        .take_while(|line| line.trim() != END)
        .collect()
}

/// Links to files: `](path)` and `](path#part)`, from the document's own folder.
fn links(document: &Source, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let folder = document.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut findings = Vec::new();
    let mut fenced = false;
    for (number, line) in document.text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            let elsewhere = path.is_empty() || path.contains("://") || path.starts_with("mailto:");
            if !elsewhere && !exists(&joined(folder, path)) {
                findings.push(format!("{}:{}: {target} leads nowhere", document.path, number + 1));
            }
        }
    }
    findings
}

fn joined(folder: &str, path: &str) -> String {
    if folder.is_empty() {
        path.to_owned()
    } else {
        format!("{folder}/{path}")
    }
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

    fn check_program(document: &str, program: &str, expected: Option<&str>) {
        let document = source("README.md", document);
        let findings = programs(&document, &[source("e.rs", program)]);
        match expected {
            None => assert_eq!(findings, Vec::<String>::new()),
            Some(part) => assert!(findings.len() == 1 && findings[0].contains(part), "{findings:?}"),
        }
    }

    #[test]
    fn a_program_is_the_one_that_was_compiled() {
        let shown = "# Z\n\n<!-- program: e.rs -->\n```rust\nfn main() {}\n```\n";
        check_program(shown, "//! e\n// program: begin\nfn main() {}\n// program: end\n", None);
        check_program(
            shown,
            "// program: begin\nfn main() { }\n// program: end\n",
            Some("differs"),
        );
        check_program(shown, "fn main() {}\n", Some("has no lines between"));
        check_program("<!-- program: f.rs -->\n```rust\n```\n", "", Some("no such file"));
        check_program("<!-- program: e.rs -->\nfn main() {}\n", "", Some("fenced block"));
        let long = "x\n".repeat(MOST_PROGRAM_LINES + 1);
        let document = format!("<!-- program: e.rs -->\n```rust\n{long}```\n");
        check_program(&document, &format!("{BEGIN}\n{long}{END}\n"), Some("at most 30"));
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let text = "[a](here.md) [b](gone.md#part) [c](https://example.org) [d](#part)\n```\n[e](gone)\n```\n";
        let document = source("docs/a.md", text);
        assert_eq!(
            links(&document, &|path| path == "docs/here.md"),
            ["docs/a.md:1: gone.md#part leads nowhere"]
        );
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        let member = Member {
            name: "m".into(),
            folder: "x/m".into(),
            manifest: String::new(),
        };
        let maps = [
            source("README.md", "| [m](m/README.md) |"),
            source("ARCHITECTURE.md", ""),
        ];
        assert_eq!(named(&member, &maps), ["ARCHITECTURE.md: no row for [m](m/README.md)"]);
    }

    #[test]
    fn a_map_that_disagrees_with_a_manifest_is_found() {
        let member = Member {
            name: "zero-m".into(),
            folder: "x/zero-m".into(),
            manifest: "[package]\n\n[dependencies]\nzero-a = { workspace = true }\nserde = \"1\"\n\n\
                [dev-dependencies]\nzero-b = { workspace = true }\n"
                .into(),
        };
        let map = |drawing: &str, row: &str| {
            let text = format!("```text\n{drawing}\n```\n| [zero-m](zero-m/README.md) | zero-z | {row} |\n");
            mapped(&member, &[source("ARCHITECTURE.md", &text)])
        };
        assert_eq!(map("zero-a ─ zero-m", "zero-a"), Vec::<String>::new());
        assert_eq!(
            map("zero-a ─ zero-mm", "zero-a"),
            ["ARCHITECTURE.md: the drawing lacks zero-m"]
        );
        for row in ["nothing of ours", "zero-a, zero-b", "zero-b"] {
            let findings = map("zero-m", row);
            assert!(
                findings.len() == 1 && findings[0].contains("the row of zero-m"),
                "{findings:?}"
            );
        }
    }
}
