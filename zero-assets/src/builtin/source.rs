//! What a Luau text declares, as its tokens show it: nothing is compiled or run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use zero_yaml::Position;

use super::contract::{self, Signature, notes, signature};
use crate::luau::{self, Token, TokenKind};
use crate::value::Value;

/// A function that is declared under a table: `function M.run(...)`, `M.run = function(...)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// The table; `None` for a function of the file.
    pub(super) table: Option<String>,
    pub(super) name: String,
    /// Whether it is a `typed function`, whose arguments are checked at the call.
    pub(super) is_typed: bool,
    pub(super) at: Position,
    /// What it takes and gives; `None` where its text is not whole.
    pub(super) signature: Option<Signature>,
}

pub(super) fn word(tokens: &[Token], place: usize) -> Option<&str> {
    match &tokens.get(place)?.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    }
}

pub(super) fn is_mark(tokens: &[Token], place: usize, wanted: &[char]) -> bool {
    matches!(tokens.get(place), Some(Token { kind: TokenKind::Mark(mark), .. }) if wanted.contains(mark))
}

/// The place of the `return` that ends a file, outside of every block.
///
/// Going back from the end, each `end` and `until` opens a block that its first word closes. An `if` that is an expression
/// has no `end`, so one that closes nothing counts for nothing: a text is never told to lack a `return` that it has.
pub(super) fn last_return(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    (0..tokens.len()).rev().find(|&place| {
        match word(tokens, place) {
            Some("end" | "until") => depth += 1,
            Some("function" | "do" | "repeat" | "if") => depth = depth.saturating_sub(1),
            Some("return") => return depth == 0,
            _ => {}
        }
        false
    })
}

/// Whether the file hands something to those who require it.
pub(super) fn returns(tokens: &[Token]) -> bool {
    last_return(tokens).is_some_and(|place| place + 1 < tokens.len())
}

/// The name of the table that the file returns, where it returns one by its name.
pub(super) fn returned_table(tokens: &[Token]) -> Option<&str> {
    let place = last_return(tokens)?;
    let rest = &tokens[place + 1..];
    match rest.iter().filter(|token| token.kind != TokenKind::Mark(';')).count() {
        1 => word(rest, 0),
        _ => None,
    }
}

/// The functions that have a name, in their order. One that is `local` is among them where the file hands it on.
pub(super) fn functions(tokens: &[Token]) -> Vec<Function> {
    let mut found = Vec::new();
    let handed = handed_on(tokens);
    for place in (0..tokens.len()).filter(|&place| word(tokens, place) == Some("function")) {
        let before = |back: usize| place.checked_sub(back).and_then(|place| word(tokens, place));
        let is_typed = before(1) == Some("typed");
        if let Some(first) = word(tokens, place + 1) {
            let method = is_mark(tokens, place + 2, &['.', ':'])
                .then(|| word(tokens, place + 3))
                .flatten();
            let is_local = before(1) == Some("local") || is_typed && before(2) == Some("local");
            let (table, name, behind) = match method {
                Some(name) => (Some(first.to_owned()), name, place + 4),
                None if is_local && !handed.contains(first) => continue,
                None => (None, first, place + 2),
            };
            found.push(Function {
                table,
                name: name.to_owned(),
                is_typed,
                at: tokens[place].at,
                signature: signature(tokens, behind),
            });
        } else if place >= 4
            && is_mark(tokens, place - 1, &['='])
            && is_mark(tokens, place - 3, &['.'])
            && let (Some(table), Some(name)) = (word(tokens, place - 4), word(tokens, place - 2))
        {
            found.push(Function {
                table: Some(table.to_owned()),
                name: name.to_owned(),
                is_typed: false,
                at: tokens[place - 4].at,
                signature: signature(tokens, place + 1),
            });
        }
    }
    found
}

/// The functions that stand by their names in the table that the file returns: `run` of `return { run = run }`.
fn handed_on(tokens: &[Token]) -> BTreeSet<&str> {
    let open = last_return(tokens).map(|place| place + 1);
    let open = open.filter(|open| is_mark(tokens, *open, &['{']));
    let entries = open
        .map_or_else(Vec::new, |open| luau::entries(&tokens[open..]))
        .into_iter();
    let named = entries.filter(|entry| entry.len() == 3 && is_mark(entry, 1, &['=']));
    named.filter_map(|entry| word(entry, 2)).collect()
}

/// The functions that the file hands on: those of the table that it returns by a name, or those that stand in the one that
/// it returns as it is, by their names or as they are.
pub(super) fn handed_functions(tokens: &[Token]) -> Vec<Function> {
    let mut functions = functions(tokens);
    if let Some(table) = returned_table(tokens) {
        functions.retain(|one| one.table.as_deref() == Some(table));
        return functions;
    }
    let handed = handed_on(tokens);
    functions.retain(|one| one.table.is_none() && handed.contains(one.name.as_str()));
    let open = last_return(tokens).map(|place| place + 1);
    let open = open.filter(|open| is_mark(tokens, *open, &['{']));
    for entry in open.map_or_else(Vec::new, |open| luau::entries(&tokens[open..])) {
        if is_mark(entry, 1, &['='])
            && word(entry, 2) == Some("function")
            && let Some(name) = word(entry, 0)
        {
            functions.push(Function {
                table: None,
                name: name.to_owned(),
                is_typed: false,
                at: entry[0].at,
                signature: signature(entry, 3),
            });
        }
    }
    functions
}

/// What the file hands to those who require it, by name: each a function or a value.
///
/// That is what is put into the table that it returns by a name, or what stands in the one that it returns as it is.
pub(super) fn exports(tokens: &[Token]) -> Vec<Export> {
    let all = match returned_table(tokens) {
        Some(table) => put_into(tokens, table),
        None => last_return(tokens)
            .map(|place| place + 1)
            .filter(|open| is_mark(tokens, *open, &['{']))
            .map_or_else(Vec::new, |open| standing_in(tokens, open)),
    };
    let mut names = BTreeSet::new();
    all.into_iter().filter(|one| names.insert(one.name.clone())).collect()
}

/// Something that a file hands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Export {
    pub(super) name: String,
    pub(super) is_function: bool,
    pub(super) signature: Option<Signature>,
}

impl Export {
    fn function(name: &str, signature: Option<Signature>) -> Self {
        Self {
            name: name.to_owned(),
            is_function: true,
            signature,
        }
    }

    fn value(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            is_function: false,
            signature: None,
        }
    }
}

/// What is put into a table: its functions, then what it is given otherwise.
fn put_into(tokens: &[Token], table: &str) -> Vec<Export> {
    let functions = functions(tokens).into_iter();
    let functions = functions.filter(|one| one.table.as_deref() == Some(table));
    let functions = functions.map(|one| Export::function(&one.name, one.signature));
    let assigned = (0..tokens.len()).filter_map(|place| {
        let is_assigned = word(tokens, place) == Some(table)
            && is_mark(tokens, place + 1, &['.'])
            && is_mark(tokens, place + 3, &['='])
            && !is_mark(tokens, place + 4, &['='])
            && !(place > 0 && is_mark(tokens, place - 1, &['.', ':']));
        is_assigned
            .then(|| word(tokens, place + 2))
            .flatten()
            .map(Export::value)
    });
    functions.chain(assigned).collect()
}

/// What stands in the table that begins at `open`.
fn standing_in(tokens: &[Token], open: usize) -> Vec<Export> {
    let is_named = |place: &usize| word(tokens, *place) == Some("function") && !is_mark(tokens, place + 2, &['.', ':']);
    let named = (0..tokens.len()).filter(is_named);
    let known: BTreeMap<&str, usize> = named
        .filter_map(|place| Some((word(tokens, place + 1)?, place + 2)))
        .collect();
    let entries = luau::entries(&tokens[open..]).into_iter().filter_map(|entry| {
        let name = word(entry, 0).filter(|_| is_mark(entry, 1, &['=']))?;
        let one = word(entry, 2).filter(|_| entry.len() == 3);
        Some(match one.and_then(|one| known.get(one)) {
            Some(place) => Export::function(name, signature(tokens, *place)),
            None if word(entry, 2) == Some("function") => Export::function(name, signature(entry, 3)),
            None => Export::value(name),
        })
    });
    entries.collect()
}

/// The functions as they are reported.
pub(super) fn report(text: &str, tokens: &[Token]) -> Value {
    let lines: Vec<&str> = text.lines().collect();
    let functions = functions(tokens).into_iter().map(|function| {
        let name = match &function.table {
            Some(table) => format!("{table}.{}", function.name),
            None => function.name.clone(),
        };
        let mut said = contract::report(&name, function.signature.as_ref(), &notes(&lines, function.at.line));
        if let Value::Object(said) = &mut said {
            said.insert("line".to_owned(), function.at.line.into());
            said.insert("name".to_owned(), name.into());
            said.insert("typed".to_owned(), function.is_typed.into());
        }
        said
    });
    functions.collect()
}

/// What the file hands on, as it is reported.
pub(super) fn exports_report(tokens: &[Token]) -> Value {
    let exports = exports(tokens).into_iter().map(
        |Export {
             name,
             is_function,
             signature,
         }| {
            let signature = signature.map(|signature| format!("{name}{}", signature.text));
            let kind = if is_function { "function" } else { "value" };
            json!({ "kind": kind, "name": name, "signature": signature })
        },
    );
    exports.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::luau::tokens;

    #[test]
    fn a_return_counts_outside_of_every_block() {
        let check = |text: &str, expected: bool| assert_eq!(returns(&tokens(text)), expected, "{text}");
        check("local M = {}\nreturn M\n", true);
        check("return { run = function() return 1 end }", true);
        check("return if x then 1 else 2", true);
        check("for i = 1, 3 do print(i) end\nreturn M", true);
        check("repeat local x = f() until x\nreturn M;", true);
        check("local M = {}\nfunction M.a() return 1 end\n", false);
        check("if x then return end\n", false);
        check("while x do return 1 end", false);
        check("local M = {}\n-- return M\n", false);
        check("return", false);
        check("", false);
    }

    #[test]
    fn what_is_handed_on_is_found_in_either_form_of_table() {
        let check = |text: &str, expected: &[(&str, Option<&str>, bool)]| {
            let found = exports(&tokens(text));
            let found: Vec<_> = found
                .iter()
                .map(|one| {
                    let signature = one.signature.as_ref().map(|signature| signature.text.as_str());
                    (one.name.as_str(), signature, one.is_function)
                })
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "local M = {}\nfunction M.a(x: number): number return x end\nM.b = function(y) end\nM.limit = 3\n\
             if M.limit == 4 then Other.M.c = 1 end\nlocal function hidden() end\nreturn M",
            &[
                ("a", Some("(x: number): number"), true),
                ("b", Some("(y)"), true),
                ("limit", None, false),
            ],
        );
        check(
            "local function one(a) end\nreturn { one = one, two = function(b) end, three = 3, four = five.six, 7 }",
            &[
                ("one", Some("(a)"), true),
                ("two", Some("(b)"), true),
                ("three", None, false),
                ("four", None, false),
            ],
        );
        check("return 3", &[]);
        check("", &[]);
    }

    #[test]
    fn functions_are_found_with_their_table_and_their_notes() {
        let text = "local M = {}\n--!desc Runs.\n--!arg x A number.\ntyped function M.run(x: number): number\nreturn x end\n\
                    local function inner() end\nM.plain = function() end\nfunction update() end\nfunction M:stop() end\n";
        let found: Vec<_> = functions(&tokens(text))
            .into_iter()
            .map(|one| (one.table, one.name, one.is_typed, one.at.line))
            .collect();
        let m = || Some("M".to_owned());
        assert_eq!(
            found,
            [
                (m(), "run".to_owned(), true, 4),
                (m(), "plain".to_owned(), false, 7),
                (None, "update".to_owned(), false, 8),
                (m(), "stop".to_owned(), false, 9),
            ]
        );
        assert_eq!(returned_table(&tokens("local M = {}\nreturn M")), Some("M"));
        assert_eq!(returned_table(&tokens("return { a = M }")), None);
    }
}
