//! The contract of a function in a Luau text: its signature, and what the notes above it say.

use serde_json::json;

use super::source::{is_mark, word};
use crate::luau::{Token, TokenKind};
use crate::value::Value;

/// A parameter as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// Its type, as it is written.
    pub(super) type_text: Option<String>,
}

/// What a function takes and gives, as it is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) parameters: Vec<Parameter>,
    /// The type of what it gives, as it is written.
    pub(super) returns: Option<String>,
    /// All of it behind the function's name, from the first bracket on.
    pub(super) text: String,
}

/// The most tokens of a signature: one that is longer is none.
const MAX_TOKENS: usize = 4096;

/// The signature that begins at `place`: the bracket of the parameters, or that of the types it is general over. `None` where
/// none does.
pub(super) fn signature(tokens: &[Token], place: usize) -> Option<Signature> {
    let tokens = &tokens[..tokens.len().min(place.saturating_add(MAX_TOKENS))];
    let open = match is_mark(tokens, place, &['<']) {
        true => end_of_brackets(tokens, place)?,
        false => place,
    };
    if !is_mark(tokens, open, &['(']) {
        return None;
    }
    let close = end_of_brackets(tokens, open)?;
    let parameters = parts(&tokens[open + 1..close - 1]).into_iter().filter_map(parameter);
    let (returns, end) = match is_mark(tokens, close, &[':']) {
        true => {
            let end = end_of_type(tokens, close + 1).unwrap_or(close + 1);
            (Some(written(&tokens[close + 1..end])), end)
        }
        false => (None, close),
    };
    Some(Signature {
        parameters: parameters.collect(),
        returns: returns.filter(|text| !text.is_empty()),
        text: written(&tokens[place..end]),
    })
}

fn parameter(tokens: &[Token]) -> Option<Parameter> {
    let (name, rest) = match tokens {
        [a, b, c, rest @ ..] if [a, b, c].iter().all(|token| token.kind == TokenKind::Mark('.')) => {
            ("...".to_owned(), rest)
        }
        [
            Token {
                kind: TokenKind::Word(name),
                ..
            },
            rest @ ..,
        ] => (name.clone(), rest),
        _ => return None,
    };
    let type_text = is_mark(rest, 0, &[':']).then(|| written(&rest[1..]));
    Some(Parameter { name, type_text })
}

/// The place after the bracket that closes the one at `open`; `None` where the text ends before it.
fn end_of_brackets(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for place in open..tokens.len() {
        match tokens[place].kind {
            TokenKind::Mark('(' | '{' | '[' | '<') => depth += 1,
            // The head of an arrow closes nothing.
            TokenKind::Mark('>') if place > 0 && is_mark(tokens, place - 1, &['-']) => {}
            TokenKind::Mark(')' | '}' | ']' | '>') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// What stands between the commas that are in no brackets.
fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    let (mut parts, mut start, mut place) = (Vec::new(), 0, 0);
    while place < tokens.len() {
        match tokens[place].kind {
            TokenKind::Mark('(' | '{' | '[' | '<') => {
                place = end_of_brackets(tokens, place).unwrap_or(tokens.len());
                continue;
            }
            TokenKind::Mark(',') => {
                parts.push(&tokens[start..place]);
                start = place + 1;
            }
            _ => {}
        }
        place += 1;
    }
    parts.push(&tokens[start..]);
    parts
}

/// The place after the type that begins at `place`: what stands there is a union, an intersection, or one alone.
fn end_of_type(tokens: &[Token], mut place: usize) -> Option<usize> {
    if is_mark(tokens, place, &['|', '&']) {
        place += 1;
    }
    loop {
        place = end_of_one(tokens, place)?;
        while is_mark(tokens, place, &['?']) {
            place += 1;
        }
        if !is_mark(tokens, place, &['|', '&']) {
            return Some(place);
        }
        place += 1;
    }
}

fn end_of_one(tokens: &[Token], mut place: usize) -> Option<usize> {
    if (0..3).all(|more| is_mark(tokens, place + more, &['.'])) {
        return end_of_type(tokens, place + 3);
    }
    if is_mark(tokens, place, &['<']) {
        place = end_of_brackets(tokens, place)?;
    }
    match &tokens.get(place)?.kind {
        TokenKind::Mark('(') => {
            let end = end_of_brackets(tokens, place)?;
            match is_mark(tokens, end, &['-']) && is_mark(tokens, end + 1, &['>']) {
                true => end_of_type(tokens, end + 2),
                false => Some(end),
            }
        }
        TokenKind::Mark('{') => end_of_brackets(tokens, place),
        TokenKind::Text(_) => Some(place + 1),
        TokenKind::Word(_) => {
            let mut end = place + 1;
            while is_mark(tokens, end, &['.']) && word(tokens, end + 1).is_some() {
                end += 2;
            }
            // `typeof(x)` and `Map<K, V>`.
            match is_mark(tokens, end, &['<']) || word(tokens, place) == Some("typeof") && is_mark(tokens, end, &['('])
            {
                true => end_of_brackets(tokens, end),
                false => Some(end),
            }
        }
        _ => None,
    }
}

/// Tokens as a text in one line, spaced in one way whatever way they are written in.
fn written(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (place, token) in tokens.iter().enumerate() {
        let piece = match &token.kind {
            TokenKind::Word(word) => word.clone(),
            TokenKind::Text(text) => format!("{text:?}"),
            TokenKind::Mark(mark) => mark.to_string(),
            TokenKind::Number(number) => number.clone(),
            TokenKind::Other => continue,
        };
        if place > 0 && is_spaced(tokens, place) {
            text.push(' ');
        }
        text.push_str(&piece);
    }
    text
}

/// Whether a space stands before the token at `place`.
fn is_spaced(tokens: &[Token], place: usize) -> bool {
    let (before, here) = (&tokens[place - 1].kind, &tokens[place].kind);
    let is_arrow = |place: usize| is_mark(tokens, place, &['-']) && is_mark(tokens, place + 1, &['>']);
    match (before, here) {
        (TokenKind::Mark('{'), TokenKind::Mark('}')) => false,
        (TokenKind::Mark('{' | ',' | ':' | ';' | '|' | '&' | '='), _) => true,
        (_, TokenKind::Mark('}' | '|' | '&' | '=')) => true,
        (TokenKind::Mark('>'), _) if place > 1 && is_arrow(place - 2) => true,
        (_, TokenKind::Mark('-')) if is_arrow(place) => true,
        (TokenKind::Word(_) | TokenKind::Text(_), TokenKind::Word(_) | TokenKind::Text(_)) => true,
        _ => false,
    }
}

/// What the notes directly above a function say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes<'t> {
    pub(super) description: Option<&'t str>,
    /// Of each argument, by its name.
    pub(super) arguments: Vec<(&'t str, &'t str)>,
    pub(super) returns: Option<&'t str>,
    pub(super) examples: Vec<&'t str>,
}

/// The notes above the line of this number (from 1) among `lines`.
pub(super) fn notes<'t>(lines: &[&'t str], line: u32) -> Notes<'t> {
    let above = usize::try_from(line)
        .ok()
        .and_then(|line| lines.get(..line.checked_sub(1)?));
    let above = above.unwrap_or_default();
    let is_note = |line: &&str| line.trim().starts_with("--!");
    let first = above
        .iter()
        .rposition(|line| !is_note(line))
        .map_or(0, |place| place + 1);
    let mut notes = Notes::default();
    for note in &above[first..] {
        let (what, said) = note.trim().split_once(char::is_whitespace).unwrap_or((note.trim(), ""));
        let said = said.trim();
        match what {
            _ if said.is_empty() => {}
            "--!desc" => notes.description = notes.description.or(Some(said)),
            "--!arg" => {
                let (name, said) = said.split_once(char::is_whitespace).unwrap_or((said, ""));
                notes.arguments.push((name, said.trim()));
            }
            "--!return" => notes.returns = notes.returns.or(Some(said)),
            "--!example" => notes.examples.push(said),
            _ => {}
        }
    }
    notes
}

/// A contract as it is reported, under the name that callers use.
pub(super) fn report(name: &str, signature: Option<&Signature>, notes: &Notes<'_>) -> Value {
    let said_of = |name: &str| {
        let said = notes.arguments.iter().find(|(argument, _)| *argument == name);
        said.map(|(_, said)| *said).filter(|said| !said.is_empty())
    };
    let parameters = signature.map(|signature| signature.parameters.as_slice());
    let arguments: Vec<Value> = parameters
        .unwrap_or_default()
        .iter()
        .map(|one| json!({ "description": said_of(&one.name), "name": one.name, "type": one.type_text }))
        .collect();
    json!({
        "arguments": arguments,
        "description": notes.description,
        "examples": notes.examples,
        "returns": {
            "description": notes.returns,
            "type": signature.and_then(|signature| signature.returns.as_deref()),
        },
        "signature": signature.map(|signature| format!("{name}{}", signature.text)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::luau::tokens;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<Signature> {
        let tokens = tokens(text);
        let place = tokens
            .iter()
            .position(|token| matches!(token.kind, TokenKind::Mark('(' | '<')));
        signature(&tokens, place?)
    }

    #[test]
    fn a_signature_is_read_as_it_is_declared_and_spaced_in_one_way() {
        let check = |text: &str, expected: &str, parameters: &[(&str, Option<&str>)], returns: Option<&str>| {
            let read = read(text).unwrap();
            assert_eq!(read.text, expected, "{text}");
            let found: Vec<_> = read
                .parameters
                .iter()
                .map(|one| (one.name.as_str(), one.type_text.as_deref()))
                .collect();
            assert_eq!(found, parameters, "{text}");
            assert_eq!(read.returns.as_deref(), returns, "{text}");
        };
        check("function M.f() return 1 end", "()", &[], None);
        check("function M.f(a, b) end", "(a, b)", &[("a", None), ("b", None)], None);
        check(
            "typed function M.spawn(kind:(\"cube\"|\"sphere\"),\n  opts : SpawnOpts?) -- what\n  : { EntityRef }\n  return {} end",
            "(kind: (\"cube\" | \"sphere\"), opts: SpawnOpts?): { EntityRef }",
            &[("kind", Some("(\"cube\" | \"sphere\")")), ("opts", Some("SpawnOpts?"))],
            Some("{ EntityRef }"),
        );
        check(
            "function M.map<T, U>(list: {T}, f: (T, number) -> U, ...: any): Map<string, {[T]: U}> local x = 1 end",
            "<T, U>(list: { T }, f: (T, number) -> U, ...: any): Map<string, { [T]: U }>",
            &[
                ("list", Some("{ T }")),
                ("f", Some("(T, number) -> U")),
                ("...", Some("any")),
            ],
            Some("Map<string, { [T]: U }>"),
        );
        check(
            "function M.f(a: scheme.Handle): (boolean, string?) M.x() end",
            "(a: scheme.Handle): (boolean, string?)",
            &[("a", Some("scheme.Handle"))],
            Some("(boolean, string?)"),
        );
        check(
            "function M.f(): nil | number M.y = 1 end",
            "(): nil | number",
            &[],
            Some("nil | number"),
        );
        check("function M.f(): typeof(x) end", "(): typeof(x)", &[], Some("typeof(x)"));
        assert_eq!(read("function M.f(a: number"), None, "it is not whole");
    }

    #[test]
    fn notes_are_those_directly_above() {
        let text = "--!desc Of another.\nlocal x = 1\n--!desc Runs.\n--!arg a A number,\n--!arg b\n--!return What came.\n\
                    --!example f(1)\n--!example f(2)\n--!deprecated\nfunction f() end\n";
        let lines: Vec<&str> = text.lines().collect();
        let said = notes(&lines, 10);
        assert_eq!(said.description, Some("Runs."));
        assert_eq!(said.arguments, [("a", "A number,"), ("b", "")]);
        assert_eq!(said.returns, Some("What came."));
        assert_eq!(said.examples, ["f(1)", "f(2)"]);
        assert_eq!(notes(&lines, 2).description, Some("Of another."));
        assert_eq!(notes(&lines, 1), Notes::default());
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "[a-z(){}\\[\\],'<>|&?.:\\-\n ]{0,60}") {
            let tokens = tokens(&text);
            for place in 0..tokens.len() {
                let _ = signature(&tokens, place);
            }
        }
    }
}
