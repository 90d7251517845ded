//! Rules of the types that say what other content is: `package`, `importer`, `guide`.

use std::collections::BTreeMap;

use serde_json::json;
use zero_yaml::{Node, Position};

use super::code;
use super::held::{Codes, Held, START};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::value::Value;

const PACKAGE: Codes = Codes {
    broken: "package.broken",
    unknown: "package.unknown_key",
};
const IMPORTER: Codes = Codes {
    broken: "importer.broken",
    unknown: "importer.unknown_key",
};
/// The version of the form of a `package.yaml`, whose own key `version` is the package's.
const PACKAGE_FORMAT: u64 = 1;

pub(super) fn package(held: &mut Held<'_>) {
    held.yaml("package.yaml", PACKAGE, &Format::UNVERSIONED, |reader, tree| {
        let keys = reader.keys(
            tree,
            "a package.yaml",
            &["format", "name", "version", "description", "dependencies"],
        )?;
        match reader.count(keys, "format") {
            Some(found) if found > PACKAGE_FORMAT => {
                let message = format!("it is of format {found}; this program reads formats up to {PACKAGE_FORMAT}");
                reader.wrong(at(keys, "format"), message);
            }
            Some(0) => reader.wrong(at(keys, "format"), "formats count from 1"),
            _ => {}
        }
        reader.text_of(keys, "name");
        if let Some(version) = reader.needed_text(keys, "version")
            && !is_version(&version)
        {
            let message = format!("`version` is three whole numbers, as `1.0.0`, and `{version}` is here");
            reader.wrong(at(keys, "version"), message);
        }
        if let Some(node) = keys.get("description").filter(|node| node.text().is_none()) {
            reader.wrong(
                node.at,
                format!("`description` is a text, and {} is here", node.value.kind()),
            );
        }
        for item in reader.items(keys, "dependencies") {
            if let Some(needed) = reader.keys(item, "an entry of `dependencies`", &["name", "version"]) {
                reader.needed_text(needed, "name");
                reader.needed_text(needed, "version");
            }
        }
        Some(())
    });
}

/// `1.0.0`, with what marks a version before it: `1.0.0-beta.2`.
fn is_version(text: &str) -> bool {
    let (numbers, before) = match text.split_once('-') {
        Some((numbers, before)) => (numbers, Some(before)),
        None => (text, None),
    };
    let is_number = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        digits && (part == "0" || !part.starts_with('0'))
    };
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && before.is_none_or(|before| before.split('.').all(is_word))
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
    if let Err(error) = held.context.assets.types().get_in(&asset.root(), &makes) {
        held.tell(Diagnostic::error("importer.no_type", &file, error.to_string()).at(makes_at));
    }
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
    for (line, text) in text.lines().enumerate() {
        for (column, name) in pictures(text) {
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
