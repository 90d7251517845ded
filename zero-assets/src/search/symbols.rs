//! The signatures that a source declares, by its text alone.

use zero_yaml::Node;

use crate::format::Format;
use crate::luau::{self, Token, TokenKind};
use zero_vfs::VfsPath;

/// What a file declares: the functions and types of a script or a shader with their parameters and fields, the keys of a
/// YAML or JSON file. Empty for what is none of these.
pub(super) fn symbols(file: &VfsPath, text: &str) -> String {
    match file.extension() {
        Some("luau" | "lua") => of_luau(text),
        Some("yaml" | "yml" | "json") => of_data(file, text),
        _ => of_lines(text),
    }
}

fn of_luau(text: &str) -> String {
    let tokens = luau::tokens(text);
    let mut found = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        let TokenKind::Word(word) = &token.kind else { continue };
        match word.as_str() {
            "function" => {
                let Some(name) = assigned(&tokens[..place]) else {
                    continue;
                };
                found.extend(name);
                found.extend(header(&tokens[place + 1..], '(', ')'));
            }
            "type" if is_type(&tokens[place + 1..]) => found.extend(header(&tokens[place + 1..], '{', '}')),
            _ => {}
        }
    }
    found.join(" ")
}

/// The words of what a function is assigned to (`M`, `spawn` of `M.spawn = function`); none for one that has its name after
/// it. `None` for a local one, which no other source sees.
fn assigned(before: &[Token]) -> Option<Vec<&str>> {
    let word = |token: &Token| matches!(&token.kind, TokenKind::Word(word) if word == "local");
    if before.last().is_some_and(word) {
        return None;
    }
    let Some((
        Token {
            kind: TokenKind::Mark('='),
            ..
        },
        before,
    )) = before.split_last()
    else {
        return Some(Vec::new());
    };
    let mut name = Vec::new();
    let mut rest = before;
    while let Some((
        Token {
            kind: TokenKind::Word(word),
            ..
        },
        before,
    )) = rest.split_last()
    {
        name.push(word.as_str());
        rest = before;
        match rest.split_last() {
            Some((
                Token {
                    kind: TokenKind::Mark('.'),
                    ..
                },
                before,
            )) => rest = before,
            _ => break,
        }
    }
    name.reverse();
    (!rest.last().is_some_and(word)).then_some(name)
}

/// Whether a type's name and what it stands for follow: `type` is an ordinary word elsewhere.
fn is_type(tokens: &[Token]) -> bool {
    let mut kinds = tokens.iter().map(|token| &token.kind);
    matches!(kinds.next(), Some(TokenKind::Word(_))) && matches!(kinds.next(), Some(TokenKind::Mark('=' | '<')))
}

/// The words from here to the end of the first pair of brackets, or of the line where none begins on it.
fn header(tokens: &[Token], open: char, close: char) -> impl Iterator<Item = &str> {
    let line = tokens.first().map_or(0, |token| token.at.line);
    let mut depth = 0usize;
    let mut is_over = false;
    let within = tokens.iter().take_while(move |token| {
        if is_over || (depth == 0 && token.at.line != line) {
            return false;
        }
        match token.kind {
            TokenKind::Mark(mark) if mark == open => depth += 1,
            TokenKind::Mark(mark) if mark == close => {
                depth = depth.saturating_sub(1);
                is_over = depth == 0;
            }
            _ => {}
        }
        true
    });
    within.filter_map(|token| match &token.kind {
        TokenKind::Word(word) => Some(word.as_str()),
        _ => None,
    })
}

fn of_data(file: &VfsPath, text: &str) -> String {
    // JSON is YAML but for the tabs that may indent it.
    let text = text.replace('\t', " ");
    // What does not parse declares nothing; the checks on the file tell it.
    let Ok(tree) = Format::UNVERSIONED.parse(file, text.as_bytes()) else {
        return String::new();
    };
    let mut keys = Vec::new();
    keys_of(&tree, &mut keys);
    keys.join(" ")
}

fn keys_of<'n>(node: &'n Node, keys: &mut Vec<&'n str>) {
    for field in node.fields() {
        keys.push(&field.key);
        keys_of(&field.node, keys);
    }
    node.items().iter().for_each(|item| keys_of(item, keys));
}

/// Lines that declare something in the way of C, Rust and WGSL.
fn of_lines(text: &str) -> String {
    const DECLARING: &[&str] = &[
        "fn", "struct", "enum", "trait", "type", "const", "class", "def", "function",
    ];
    let declares = |line: &&str| {
        let first = line.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| {
            !word.is_empty() && !matches!(*word, "pub" | "export" | "static" | "async" | "unsafe" | "extern")
        });
        first.is_some_and(|word| DECLARING.contains(&word))
    };
    let lines: Vec<&str> = text.lines().map(str::trim).filter(declares).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_source_declares_is_read_and_its_bodies_are_not() {
        let check = |file: &str, text: &str, expected: &str| {
            assert_eq!(symbols(&VfsPath::parse(file).unwrap(), text), expected, "{text}");
        };
        let luau = "-- function hidden()\nexport type Opts = { count: number,\n  mode: Mode }\nlocal type = 3\n\
                    typed function M.spawn(kind: Kind, opts: Opts?): Entity\n  local inner = beam(kind)\nend\n";
        check(
            "/a.luau",
            luau,
            "Opts count number mode Mode M spawn kind Kind opts Opts",
        );
        let luau = "local function hidden(a) end\nlocal also = function(b) end\nM.spawn = function(kind: Kind) end\n\
                    return { rise = function(t) end, fall(function(x) end) }\n";
        check("/a.luau", luau, "M spawn kind Kind rise t x");
        check("/a.yaml", "a: 1\nb: [{ c: word }]\n", "a b c");
        check("/a.json", "{\n\t\"a\": {\"b\": 2}}", "a b");
        check("/a.yaml", "a: [", "");
        let wgsl = "struct Wave { height: f32 }\nlet x = 1;\n@group(0) var<storage> a: f32;\nfn rise(t: f32) -> f32 {\n  return t;\n}";
        check("/a.wgsl", wgsl, "struct Wave { height: f32 }\nfn rise(t: f32) -> f32 {");
        check("/a.rs", "pub fn a() {}\nuse b;", "pub fn a() {}");
    }
}
