//! Rules of `computeShader`: what a `bindings.yaml` declares, and that there is one program.

use std::collections::BTreeSet;

use zero_yaml::{Node, Position};

use super::held::{Codes, Held};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::value::Value;

const CODES: Codes = Codes {
    broken: "computeShader.broken",
    unknown: "computeShader.unknown_key",
};
const FILE: &str = "bindings.yaml";
const KEYS: &[&str] = &[
    "version",
    "description",
    "determinism",
    "bindings",
    "params",
    "specialize",
    "fusion",
];
const BINDING: &[&str] = &[
    "name",
    "description",
    "kind",
    "access",
    "element",
    "count",
    "capacity",
    "lanes",
    "order",
    "when",
    "atomic",
];

/// A name that is declared, and where.
type Named = (String, Position);

pub(super) fn compute_shader(held: &mut Held<'_>) {
    let names = held.yaml(FILE, CODES, &Format::FIRST, |reader, tree| {
        let keys = reader.keys(tree, "a bindings.yaml", KEYS)?;
        if keys.get("version").is_none() {
            reader.wrong(tree.at, "the key `version` is missing");
        }
        if let Some(node) = keys.get("determinism") {
            determinism(reader, node);
        }
        let mut names = Vec::new();
        for item in reader.items(keys, "bindings") {
            names.extend(binding(reader, item));
        }
        for item in reader.items(keys, "params") {
            names.extend(param(reader, item));
        }
        for item in reader.items(keys, "specialize") {
            names.extend(choice(reader, item));
        }
        if let Some(node) = keys.get("fusion")
            && let Some(keys) = reader.keys(node, "`fusion`", &["writes", "own", "inert"])
        {
            reader.needed_text(keys, "writes");
        }
        Some(names)
    });
    if let (Some(names), Some(file)) = (names, held.file(FILE)) {
        let mut known = BTreeSet::new();
        for (name, at) in names {
            let message = match crate::assets::is_plain_name(&name) {
                false => format!("`{name}` is no name that a program can write"),
                true if known.contains(&name) => format!("`{name}` is declared already"),
                true => {
                    known.insert(name);
                    continue;
                }
            };
            held.tell(Diagnostic::error("computeShader.name", &file, message).at(at));
        }
    }
    program(held);
}

fn program(held: &mut Held<'_>) {
    const CODE: &str = "computeShader.program";
    let programs: Vec<String> = held
        .files
        .iter()
        .filter(|file| file.ends_with(".wgsl"))
        .cloned()
        .collect();
    if programs.len() > 1 {
        let message = format!("it has one program, and {} are here", super::code::list(&programs));
        held.tell(Diagnostic::error(CODE, held.folder(), message));
    }
    for program in programs {
        let Some(file) = held.file(&program) else { continue };
        let Some(text) = held.text(CODE, &file) else { continue };
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        if !code.into_iter().any(|line| line.contains("@compute")) {
            held.tell(Diagnostic::error(CODE, &file, "it has no `@compute` entry"));
        }
    }
}

fn determinism(reader: &mut Reader<'_>, node: &Node) {
    if node.text().is_some() {
        reader.word(node, "`determinism`", &[("exact", ()), ("float_order", ())]);
    } else if let Some(keys) = reader.keys(node, "`determinism`", &["pointwise"])
        && reader.count(keys, "pointwise").is_none()
    {
        reader.wrong(
            node.at,
            "a `determinism` that is no word says its `pointwise` bound in ulps",
        );
    }
}

fn named(reader: &mut Reader<'_>, keys: Keys<'_>) -> Option<Named> {
    let name = reader.needed_text(keys, "name")?;
    Some((name, keys.get("name").map_or(keys.at(), |node| node.at)))
}

fn binding(reader: &mut Reader<'_>, node: &Node) -> Option<Named> {
    let keys = reader.keys(node, "a binding", BINDING)?;
    for (key, words) in [
        ("kind", &["buffer", "columns", "append"][..]),
        ("access", &["read", "write", "read_write", "append", "scratch"]),
    ] {
        if let Some(node) = keys.get(key) {
            let words: Vec<(&str, ())> = words.iter().map(|word| (*word, ())).collect();
            reader.word(node, &format!("`{key}`"), &words);
        }
    }
    if keys.get("count").is_some() && keys.get("capacity").is_some() {
        reader.wrong(node.at, "`count` and `capacity` are two words for the same");
    }
    reader.flag(keys, "atomic", false);
    reader.text_of(keys, "element");
    named(reader, keys)
}

fn param(reader: &mut Reader<'_>, node: &Node) -> Option<Named> {
    let keys = reader.keys(node, "a param", &["name", "description", "type", "default"])?;
    let words = ["float", "int", "uint", "bool", "f32", "i32", "u32"].map(|word| (word, ()));
    reader.needed_word(keys, "type", &words);
    named(reader, keys)
}

fn choice(reader: &mut Reader<'_>, node: &Node) -> Option<Named> {
    let keys = reader.keys(node, "a specialization", &["name", "description", "options", "default"])?;
    named(reader, keys)
}

pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
    held.data(FILE)
}
