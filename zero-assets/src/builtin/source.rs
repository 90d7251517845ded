//! What a Luau text declares, as its tokens show it: nothing is compiled or run.

use serde_json::json;
use zero_yaml::Position;

use crate::luau::{Token, TokenKind};
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
}

fn word(tokens: &[Token], place: usize) -> Option<&str> {
    match &tokens.get(place)?.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    }
}

fn is_mark(tokens: &[Token], place: usize, wanted: &[char]) -> bool {
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

/// The functions that have a name, in their order.
pub(super) fn functions(tokens: &[Token]) -> Vec<Function> {
    let mut found = Vec::new();
    for place in (0..tokens.len()).filter(|&place| word(tokens, place) == Some("function")) {
        let before = |back: usize| place.checked_sub(back).and_then(|place| word(tokens, place));
        let is_typed = before(1) == Some("typed");
        if let Some(first) = word(tokens, place + 1) {
            let method = is_mark(tokens, place + 2, &['.', ':'])
                .then(|| word(tokens, place + 3))
                .flatten();
            let is_local = before(1) == Some("local") || is_typed && before(2) == Some("local");
            let (table, name) = match method {
                Some(name) => (Some(first.to_owned()), name),
                None if is_local => continue,
                None => (None, first),
            };
            found.push(Function {
                table,
                name: name.to_owned(),
                is_typed,
                at: tokens[place].at,
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
            });
        }
    }
    found
}

/// The `--!desc` directly above a line (counting from 1), among the notes that stand there.
pub(super) fn description(text: &str, line: u32) -> Option<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let above = lines.get(..usize::try_from(line).ok()?.checked_sub(1)?)?;
    let notes = above
        .iter()
        .rev()
        .map(|line| line.trim())
        .take_while(|line| line.starts_with("--!"));
    notes
        .filter_map(|note| note.strip_prefix("--!desc"))
        .last()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

/// The functions as they are reported.
pub(super) fn report(text: &str, tokens: &[Token]) -> Value {
    let functions = functions(tokens).into_iter().map(|function| {
        let name = match &function.table {
            Some(table) => format!("{table}.{}", function.name),
            None => function.name.clone(),
        };
        json!({
            "description": description(text, function.at.line),
            "line": function.at.line,
            "name": name,
            "typed": function.is_typed,
        })
    });
    functions.collect()
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
        assert_eq!(description(text, 4), Some("Runs."));
        assert_eq!(description(text, 8), None);
        assert_eq!(returned_table(&tokens("local M = {}\nreturn M")), Some("M"));
        assert_eq!(returned_table(&tokens("return { a = M }")), None);
    }
}
