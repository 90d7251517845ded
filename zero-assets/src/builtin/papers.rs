//! Rules of the types that say what other content is: `package`, `importer`, `guide`.

use std::collections::BTreeMap;

use serde_json::json;
use zero_yaml::{Node, Position};

use super::code;
use super::held::{Codes, Held, START};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::package::PackageInfo;
use crate::reader::{Keys, Reader};
use crate::value::Value;

const IMPORTER: Codes = Codes {
    broken: "importer.broken",
    unknown: "importer.unknown_key",
};

pub(super) fn package(held: &mut Held<'_>) {
    const CODE: &str = "package.broken";
    let Some(file) = held.file("package.yaml") else { return };
    let Some(bytes) = held.bytes(CODE, &file, Format::UNVERSIONED.max_bytes as u64) else {
        return;
    };
    match PackageInfo::parse(held.folder(), &bytes) {
        Ok((_, told)) => held.tell_all(told),
        Err(error) => held.tell(Diagnostic::of_error(CODE, &file, &error)),
    }
}

/// What the package says of itself, and how many assets of which type it holds.
pub(super) fn package_detail(held: &mut Held<'_>) -> Option<Value> {
    let mut holds: BTreeMap<&str, u64> = BTreeMap::new();
    for asset in held.context.assets.below(held.folder()) {
        *holds.entry(&asset.kind).or_default() += 1;
    }
    let data = held.data("package.yaml").unwrap_or_default();
    let said = |key: &str| data.get(key).cloned();
    Some(json!({
        "description": said("description"),
        "holds": holds,
        "name": said("name"),
        "version": said("version"),
    }))
}

pub(super) fn importer(held: &mut Held<'_>) {
    code::returns(held, "importer.no_return", "the function that makes the asset");
    let read = held.yaml("importer.yaml", IMPORTER, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(tree, "an importer.yaml", &["version", "extensions", "makes"])?;
        extensions(reader, keys, tree);
        let makes = reader.needed_text(keys, "makes")?;
        Some((
            reader.texts(keys, "extensions"),
            at(keys, "extensions"),
            makes,
            at(keys, "makes"),
        ))
    });
    let (Some((extensions, extensions_at, makes, makes_at)), Some(file)) = (read, held.file("importer.yaml")) else {
        return;
    };
    let asset = held.context.asset;
    held.kind("importer.no_type", &file, &makes, makes_at);
    for other in held.context.assets.iter() {
        if other.kind != asset.kind || other.path == asset.path || other.root() != asset.root() {
            continue;
        }
        let data = other.path.join("importer.yaml").ok();
        let data = data.and_then(|file| crate::structured::read(held.context.vfs, &file).ok()?);
        let taken = data
            .and_then(|data| data.get("extensions")?.as_array().cloned())
            .unwrap_or_default();
        let both: Vec<String> = extensions
            .iter()
            .filter(|one| taken.iter().any(|other| other == *one))
            .cloned()
            .collect();
        if !both.is_empty() {
            let message = format!("`{}` takes {} too", other.identity, code::list(&both));
            held.tell(Diagnostic::warning("importer.taken", &file, message).at(extensions_at));
        }
    }
}

fn extensions(reader: &mut Reader<'_>, keys: Keys<'_>, tree: &Node) {
    let Some(node) = keys.get("extensions") else {
        return reader.wrong(tree.at, "the key `extensions` is missing");
    };
    if node.items().is_empty() && node.text().is_none() {
        reader.wrong(node.at, "`extensions` names at least one");
    }
    for item in node.items() {
        let plain = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        if let Some(text) = item.text().filter(|text| !plain(text)) {
            let message = format!("`{text}` is no extension: small letters and digits, without the dot");
            reader.wrong(item.at, message);
        }
    }
}

/// Where the value of a key stands.
fn at(keys: Keys<'_>, key: &str) -> Position {
    keys.get(key).map_or(keys.at(), |node| node.at)
}

pub(super) fn guide(held: &mut Held<'_>) {
    const CODE: &str = "guide.no_title";
    let Some(file) = held.file("guide.md") else { return };
    let Some(text) = held.text(CODE, &file) else { return };
    let first = text.lines().position(|line| !line.trim().is_empty());
    if first.is_none_or(|line| !text.lines().nth(line).unwrap_or_default().starts_with("# ")) {
        let message = "it does not begin with a heading, which a list of guides shows";
        held.tell(
            Diagnostic::warning(CODE, &file, message)
                .at(START)
                .help("begin it with `# ` and its name"),
        );
    }
    for (line, text) in without_code(&text).enumerate() {
        for (column, name) in pictures(&text) {
            // A picture from elsewhere is whoever's it is.
            let is_there = name.contains("://")
                || held
                    .folder()
                    .join(name)
                    .is_ok_and(|path| matches!(held.context.vfs.stat(&path), Ok(Some(_))));
            if !is_there {
                let at = Position {
                    line: line as u32 + 1,
                    column: column as u32 + 1,
                };
                let message = format!("it shows `{name}`, which is not here");
                held.tell(Diagnostic::error("guide.no_picture", &file, message).at(at));
            }
        }
    }
}

/// The lines of a Markdown text with spaces in place of what is code, in a fence or in a line.
fn without_code(text: &str) -> impl Iterator<Item = String> {
    let mut fence: Option<(char, usize)> = None;
    text.lines().map(move |line| {
        let start = line.trim_start();
        let mark = start.chars().next().filter(|mark| ['`', '~'].contains(mark));
        let run = mark.map_or(0, |mark| start.chars().take_while(|c| *c == mark).count());
        let rest = start.get(run..).unwrap_or_default();
        match (fence, mark) {
            (Some((open, least)), _) => {
                if mark == Some(open) && run >= least && rest.trim().is_empty() {
                    fence = None;
                }
                String::new()
            }
            // What follows the ticks of a fence holds none.
            (None, Some(mark)) if run >= 3 && !(mark == '`' && rest.contains('`')) => {
                fence = Some((mark, run));
                String::new()
            }
            _ => without_spans(line),
        }
    })
}

/// A line with spaces in place of what stands between as many ticks as begin it.
fn without_spans(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (place, _) in chars.iter().enumerate().filter(|(_, c)| **c == '`') {
        match runs.last_mut() {
            Some((start, len)) if *start + *len == place => *len += 1,
            _ => runs.push((place, 1)),
        }
    }
    // The next run of each length, from the end on: each line is gone through once.
    let mut next: BTreeMap<usize, usize> = BTreeMap::new();
    let mut closing = vec![None; runs.len()];
    for (at, (_, len)) in runs.iter().enumerate().rev() {
        closing[at] = next.insert(*len, at);
    }
    let (mut kept, mut at) = (chars, 0);
    while at < runs.len() {
        at = match closing[at] {
            Some(close) => {
                kept[runs[at].0..runs[close].0].fill(' ');
                close + 1
            }
            None => at + 1,
        };
    }
    kept.into_iter().collect()
}

/// The files that a line of Markdown shows, `![words](file)`, each with the column (from 0) it begins at.
fn pictures(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.match_indices("![").filter_map(|(start, _)| {
        let rest = &line[start..];
        let open = rest.find("](")? + 2;
        let name = rest[open..].split([')', ' ']).next()?;
        Some((line[..start].chars().count(), name)).filter(|(_, name)| !name.is_empty())
    })
}

pub(super) fn guide_detail(held: &mut Held<'_>) -> Option<Value> {
    let file = held.file("guide.md")?;
    let text = held.text("guide.no_title", &file)?;
    let headings: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim())
        .collect();
    Some(json!({ "headings": headings }))
}
