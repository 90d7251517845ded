//! The tokens of a Luau text: enough to find calls with names in them. Nothing is run or compiled.

use std::collections::BTreeMap;

use zero_yaml::Position;

/// A token and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) at: Position,
}

/// What a token is. What has no part in a call is `Other`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word(String),
    /// A text whose value is known: one without interpolation.
    Text(String),
    /// `( ) { } [ ] , . : = ;` and other single characters.
    Mark(char),
    /// A number, as it is written.
    Number(String),
    /// A text that is made at run time.
    Other,
}

/// Splits a Luau text into tokens. Comments are left out; a text or comment that does not end goes to the end.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut scan = Scan {
        rest: text,
        at: Position::START,
    };
    let mut tokens = Vec::new();
    while let Some(first) = scan.peek() {
        let at = scan.at;
        let kind = match first {
            c if c.is_whitespace() => {
                scan.bump();
                continue;
            }
            '-' if scan.rest.starts_with("--") => {
                scan.comment();
                continue;
            }
            '"' | '\'' => scan.quoted(first),
            '`' => {
                // What stands in braces is code; the whole is known only when it runs.
                scan.quoted(first);
                TokenKind::Other
            }
            '[' => match scan.long_bracket() {
                Some(text) => TokenKind::Text(text),
                None => scan.mark(),
            },
            c if c.is_alphabetic() || c == '_' => {
                TokenKind::Word(scan.take_while(|c| c.is_alphanumeric() || c == '_').to_owned())
            }
            c if c.is_ascii_digit() => scan.number(),
            '.' if scan.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => scan.number(),
            _ => scan.mark(),
        };
        tokens.push(Token { kind, at });
    }
    tokens
}

/// How the first token of a text is written.
pub(crate) fn first_token(text: &str) -> &str {
    let mut scan = Scan {
        rest: text,
        at: Position::START,
    };
    match scan.peek() {
        Some(quote @ ('"' | '\'' | '`')) => drop(scan.quoted(quote)),
        Some('[') if scan.long_bracket().is_some() => {}
        _ => drop(scan.mark()),
    }
    &text[..text.len() - scan.rest.len()]
}

struct Scan<'a> {
    rest: &'a str,
    at: Position,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = &self.rest[next.len_utf8()..];
        match next {
            '\n' => {
                self.at = Position {
                    line: self.at.line.saturating_add(1),
                    column: 1,
                }
            }
            _ => self.at.column = self.at.column.saturating_add(1),
        }
        Some(next)
    }

    fn mark(&mut self) -> TokenKind {
        self.bump().map_or(TokenKind::Other, TokenKind::Mark)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, _) = self.rest.split_at(end);
        for _ in taken.chars() {
            self.bump();
        }
        taken
    }

    fn number(&mut self) -> TokenKind {
        let mut text = self
            .take_while(|c| c.is_alphanumeric() || c == '_' || c == '.')
            .to_owned();
        // The sign of an exponent is part of the number.
        let is_decimal = !text.starts_with("0x") && !text.starts_with("0X");
        if is_decimal && text.ends_with(['e', 'E']) && self.rest.starts_with(['+', '-']) {
            text.extend(self.bump());
            text.push_str(self.take_while(|c| c.is_ascii_digit() || c == '_'));
        }
        TokenKind::Number(text)
    }

    fn comment(&mut self) {
        self.bump();
        self.bump();
        if self.peek() == Some('[') && self.long_bracket().is_some() {
            return;
        }
        self.take_while(|c| c != '\n');
    }

    /// `[[...]]`, `[=[...]=]`; nothing is taken where none begins here.
    fn long_bracket(&mut self) -> Option<String> {
        let inner = self.rest.strip_prefix('[')?;
        let level = inner.len() - inner.trim_start_matches('=').len();
        inner[level..].strip_prefix('[')?;
        for _ in 0..level + 2 {
            self.bump();
        }
        // A line's end directly after the bracket is no part of the text.
        if self.rest.starts_with("\r\n") {
            self.bump();
        }
        if self.peek() == Some('\n') {
            self.bump();
        }
        let close = format!("]{}]", "=".repeat(level));
        let end = self.rest.find(&close).unwrap_or(self.rest.len());
        let text = self.rest[..end].to_owned();
        for _ in 0..text.chars().count() + close.len() {
            self.bump();
        }
        Some(text)
    }

    /// A text in quotes with its escapes taken; one with an escape of another kind is known only by its writer.
    fn quoted(&mut self, quote: char) -> TokenKind {
        self.bump();
        let mut text = String::new();
        let mut is_known = true;
        while let Some(next) = self.bump() {
            match next {
                c if c == quote => break,
                // A text ends with its line: what follows is not swallowed where a quote is missing.
                '\n' if quote != '`' => return TokenKind::Other,
                '\\' => match self.bump() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(c @ ('\\' | '"' | '\'' | '\n' | '`')) => text.push(c),
                    _ => is_known = false,
                },
                c => text.push(c),
            }
        }
        match is_known {
            true => TokenKind::Text(text),
            false => TokenKind::Other,
        }
    }
}

/// A call: what is called, as it is written (`fx.beam`, `g:node`), where, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call<'t> {
    pub(crate) name: String,
    pub(crate) at: Position,
    pub(crate) args: Vec<&'t [Token]>,
}

/// What a script calls the builder that `proc.define(function(g) ... end)` hands it, where that is not `g`.
pub(crate) fn builder(tokens: &[Token]) -> Option<&str> {
    let name = tokens.windows(7).find_map(|window| {
        let is =
            |place: usize, wanted: &str| matches!(kind(window, place), Some(TokenKind::Word(word)) if word == wanted);
        let is_define = is(0, "proc") && is(2, "define") && is(4, "function");
        match &window[6].kind {
            TokenKind::Word(name) if is_define && window[5].kind == TokenKind::Mark('(') => Some(name.as_str()),
            _ => None,
        }
    });
    name.filter(|name| *name != "g")
}

/// Every call in a text, in its order, those within the arguments of others included.
pub(crate) fn calls(tokens: &[Token]) -> Vec<Call<'_>> {
    let mut found = Vec::new();
    let brackets = brackets(tokens);
    let mut place = 0;
    while let Some((name, after)) = chain(tokens, place) {
        // A name that a chain goes on from (`a.b` of `a.b.c`) was taken with it.
        if let Some(name) = name
            && let Some(args) = arguments(tokens, &brackets, after)
            && !is_declared(tokens, place)
        {
            let at = tokens.get(place).map_or(Position::START, |token| token.at);
            found.push(Call { name, at, args });
        }
        place = after.max(place + 1);
    }
    found
}

/// The chain of names at `place` and where it ends; `None` at the end of the text.
fn chain(tokens: &[Token], place: usize) -> Option<(Option<String>, usize)> {
    let TokenKind::Word(first) = &tokens.get(place)?.kind else {
        return Some((None, place + 1));
    };
    let mut name = first.clone();
    let mut end = place + 1;
    while let (Some(TokenKind::Mark(mark @ ('.' | ':'))), Some(TokenKind::Word(word))) =
        (kind(tokens, end), kind(tokens, end + 1))
    {
        name.push(*mark);
        name.push_str(word);
        end += 2;
    }
    Some((Some(name), end))
}

/// The texts that `base` is asked for by: `"x"` of `base["x"]`.
pub(crate) fn indexed<'t>(tokens: &'t [Token], base: &str) -> impl Iterator<Item = (&'t str, Position)> {
    tokens.windows(4).enumerate().filter_map(move |(place, window)| {
        let [word, open, text, close] = window else { return None };
        let is_part = place.checked_sub(1).and_then(|before| kind(tokens, before));
        let is_part = matches!(is_part, Some(TokenKind::Mark('.' | ':')));
        let is_base = matches!(&word.kind, TokenKind::Word(word) if word == base) && !is_part;
        let is_index = open.kind == TokenKind::Mark('[') && close.kind == TokenKind::Mark(']');
        plain_text(std::slice::from_ref(text)).filter(|_| is_base && is_index)
    })
}

/// Whether the chain at `place` is declared here rather than called: `function a.b(...)`.
fn is_declared(tokens: &[Token], place: usize) -> bool {
    let before = place.checked_sub(1).and_then(|before| kind(tokens, before));
    matches!(before, Some(TokenKind::Word(word)) if word == "function")
}

fn kind(tokens: &[Token], place: usize) -> Option<&TokenKind> {
    tokens.get(place).map(|token| &token.kind)
}

/// The arguments of a call whose chain ends at `place`: in parentheses, or one text or table without them.
fn arguments<'t>(tokens: &'t [Token], brackets: &BTreeMap<usize, Bracket>, place: usize) -> Option<Vec<&'t [Token]>> {
    match kind(tokens, place)? {
        TokenKind::Mark('(') => Some(brackets.get(&place)?.parts(tokens, place)),
        TokenKind::Text(_) => Some(vec![&tokens[place..=place]]),
        TokenKind::Mark('{') => {
            let bracket = brackets.get(&place)?;
            Some(vec![&tokens[place..bracket.end + usize::from(bracket.is_closed)]])
        }
        _ => None,
    }
}

/// The deepest that brackets are looked into: deeper than any program that is one (Luau's own reader stops at 1000).
const MAX_DEPTH: usize = 1000;

/// What stands in a pair of brackets: the places of its commas and of its end.
#[derive(Default)]
struct Bracket {
    commas: Vec<usize>,
    /// Where it is closed, or where the text ends.
    end: usize,
    is_closed: bool,
}

/// All brackets of a text by the place where they open, in one pass.
fn brackets(tokens: &[Token]) -> BTreeMap<usize, Bracket> {
    let mut found = BTreeMap::new();
    let mut open: Vec<(usize, Bracket)> = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Mark('(' | '{' | '[') => open.push((place, Bracket::default())),
            TokenKind::Mark(')' | '}' | ']') => {
                if let Some((start, bracket)) = open.pop()
                    && open.len() < MAX_DEPTH
                {
                    let (end, is_closed) = (place, true);
                    found.insert(
                        start,
                        Bracket {
                            end,
                            is_closed,
                            ..bracket
                        },
                    );
                }
            }
            TokenKind::Mark(',' | ';') => {
                if let Some((_, bracket)) = open.last_mut() {
                    bracket.commas.push(place);
                }
            }
            _ => {}
        }
    }
    // A text may end before its brackets do.
    open.truncate(MAX_DEPTH);
    let end = tokens.len();
    found.extend(
        open.into_iter()
            .map(|(start, bracket)| (start, Bracket { end, ..bracket })),
    );
    found
}

impl Bracket {
    /// What stands between the commas, for one that opens at `start`.
    fn parts<'t>(&self, tokens: &'t [Token], start: usize) -> Vec<&'t [Token]> {
        let mut parts = Vec::with_capacity(self.commas.len() + 1);
        let mut from = start + 1;
        for comma in &self.commas {
            parts.push(&tokens[from..*comma]);
            from = comma + 1;
        }
        if from < self.end {
            parts.push(&tokens[from..self.end]);
        }
        parts
    }
}

/// The text that an argument is, where it is one and no more.
pub(crate) fn plain_text(argument: &[Token]) -> Option<(&str, Position)> {
    match argument {
        [
            Token {
                kind: TokenKind::Text(text),
                at,
            },
        ] => Some((text, *at)),
        _ => None,
    }
}

/// What stands between the commas of the bracket that `tokens` begin with; nothing where they begin with none.
pub(crate) fn entries(tokens: &[Token]) -> Vec<&[Token]> {
    brackets(tokens)
        .get(&0)
        .map(|bracket| bracket.parts(tokens, 0))
        .unwrap_or_default()
}

/// The texts under a field of a table that an argument is: `{ field = "text" }`, `{ ["field"] = "text" }`.
pub(crate) fn field_text<'t>(argument: &'t [Token], field: &str) -> Option<(&'t str, Position)> {
    if kind(argument, 0) != Some(&TokenKind::Mark('{')) {
        return None;
    }
    entries(argument).into_iter().find_map(|entry| match entry {
        [
            Token {
                kind: TokenKind::Word(word),
                ..
            },
            Token {
                kind: TokenKind::Mark('='),
                ..
            },
            value @ ..,
        ] if word == field => plain_text(value),
        [
            Token {
                kind: TokenKind::Mark('['),
                ..
            },
            Token {
                kind: TokenKind::Text(word),
                ..
            },
            Token {
                kind: TokenKind::Mark(']'),
                ..
            },
            Token {
                kind: TokenKind::Mark('='),
                ..
            },
            value @ ..,
        ] if word == field => plain_text(value),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn described(text: &str) -> Vec<(String, Vec<Option<String>>)> {
        let tokens = tokens(text);
        let plain = |argument: &&[Token]| plain_text(argument).map(|(text, _)| text.to_owned());
        let calls = calls(&tokens).into_iter();
        calls
            .map(|call| (call.name, call.args.iter().map(plain).collect()))
            .collect()
    }

    fn call(name: &str, args: &[Option<&str>]) -> (String, Vec<Option<String>>) {
        (name.to_owned(), args.iter().map(|arg| arg.map(str::to_owned)).collect())
    }

    #[test]
    fn calls_are_found_with_their_texts() {
        let check =
            |text: &str, expected: &[(String, Vec<Option<String>>)]| assert_eq!(described(text), expected, "{text}");
        check("require('a.b')", &[call("require", &[Some("a.b")])]);
        check("local x = require \"a\"", &[call("require", &[Some("a")])]);
        check("g:node(p, 'disc', 3)", &[call("g:node", &[None, Some("disc"), None])]);
        check(
            "f(a, g('x'), {1, 2}, [[y]])",
            &[call("f", &[None, None, None, Some("y")]), call("g", &[Some("x")])],
        );
        check("fx.beam{ material = 'm' }", &[call("fx.beam", &[None])]);
        check("f('a' .. b)", &[call("f", &[None])]);
        check("f(`a{b}`)", &[call("f", &[None])]);
        check("f('it\\'s')", &[call("f", &[Some("it's")])]);
        check("function M.f(a) end", &[]);
        check("f()", &[call("f", &[])]);
    }

    /// What opens and is never closed is looked at once, not once for each that opens.
    #[test]
    fn brackets_that_are_never_closed_cost_one_look() {
        let deep = "f(".repeat(300_000);
        assert_eq!(described(&deep).len(), MAX_DEPTH);
        let wide = format!("f({})", "g('x'), ".repeat(100_000));
        let found = described(&wide);
        assert_eq!((found.len(), found[0].1.len()), (100_001, 100_000));
        check_nested();
    }

    fn check_nested() {
        let nested = format!("{}'x'{}", "f(".repeat(3), ")".repeat(3));
        let one = call("f", &[None]);
        assert_eq!(described(&nested), [one.clone(), one, call("f", &[Some("x")])]);
    }

    #[test]
    fn what_is_in_comments_and_texts_is_no_call() {
        for text in [
            "-- require('a')",
            "--[[ require('a')\nrequire('b') ]]",
            "--[==[ ]] require('a') ]==]",
            "local s = \"require('a')\"",
            "local s = [[require('a')]]",
        ] {
            assert_eq!(described(text), [], "{text}");
        }
        assert_eq!(described("--[[ x ]] require('a')"), [call("require", &[Some("a")])]);
        assert_eq!(
            described("local s = 'open\nrequire('a')"),
            [call("require", &[Some("a")])]
        );
    }

    #[test]
    fn fields_of_tables_are_found_at_their_level() {
        let tokens = tokens("f(x, { other = { material = 'no' }, material = 'yes', ['key'] = 'also' })");
        let call = &calls(&tokens)[0];
        let (text, at) = field_text(call.args[1], "material").unwrap();
        assert_eq!((text, at.line, at.column), ("yes", 1, 48));
        assert_eq!(field_text(call.args[1], "key").unwrap().0, "also");
        assert_eq!(field_text(call.args[0], "material"), None);
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "[a-z(){}\\[\\],'\"`=.:\\\\\n -]{0,60}") {
            let tokens = tokens(&text);
            for call in calls(&tokens) {
                for argument in call.args {
                    let _ = (plain_text(argument), field_text(argument, "a"));
                }
            }
        }
    }
}
