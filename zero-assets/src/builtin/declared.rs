//! What the builder of a graph declares, as its text shows it: nothing is run.
//!
//! A declaration is read where it is written as it is: a name, a default and options that are literals, or constants of the
//! file that hold one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, json};
use zero_yaml::Position;

use super::held::{START, quoted};
use super::source::{is_mark, last_return, word};
use crate::luau::{self, Token, TokenKind};
use crate::value::Value;

/// What is declared, and what of it cannot be read.
#[derive(Default)]
pub(super) struct Declared {
    pub(super) description: Option<String>,
    pub(super) inputs: Vec<Value>,
    pub(super) outputs: Vec<String>,
    pub(super) unreadable: Vec<(Position, String)>,
}

/// What the graph declares that a file returns.
pub(super) fn declared(tokens: &[Token]) -> Declared {
    let mut read = Declared::default();
    let Some((parameter, body)) = builder(tokens) else {
        let at = last_return(tokens).map_or(START, |place| tokens[place].at);
        read.wrong(at, "the function of the graph is not written in this file");
        return read;
    };
    let places = Places::of(body);
    let constants = constants(tokens);
    let mut outputs = BTreeMap::new();
    for call in luau::calls(body) {
        let Some(what) = call
            .name
            .strip_prefix(parameter)
            .and_then(|rest| rest.strip_prefix(':'))
        else {
            continue;
        };
        let first = call.args.first().copied().unwrap_or_default();
        let at = first.first().map_or(call.at, |token| token.at);
        let text = text_of(first, &constants);
        match (what, text) {
            ("describe", Some(_)) if read.description.is_some() => read.wrong(at, "it is described a second time"),
            ("describe", Some(text)) => {
                read.at_the_top(&places, call.at, "`g:describe`");
                read.description = Some(text);
            }
            ("describe", None) => read.wrong(at, "`g:describe` takes a text that stands there"),
            ("input", Some(name)) => {
                if read.inputs.iter().any(|input| input["name"] == name.as_str()) {
                    read.wrong(at, format!("the input `{name}` is declared already"));
                    continue;
                }
                read.at_the_top(&places, call.at, &format!("the input `{name}`"));
                read.input(&name, &call.args, &constants);
            }
            ("input", None) => read.wrong(at, "the name of an input is a text that stands there"),
            ("output", Some(name)) => drop(outputs.insert((call.at.line, call.at.column), name)),
            ("output", None) => read.wrong(at, "the name of an output is a text that stands there"),
            _ => {}
        }
    }
    read.outputs(body, &outputs);
    read.unreadable.sort_by_key(|(at, _)| *at);
    read
}

type Constants<'t> = BTreeMap<&'t str, Literal>;

impl Declared {
    fn wrong(&mut self, at: Position, message: impl Into<String>) {
        self.unreadable.push((at, message.into()));
    }

    fn at_the_top(&mut self, places: &Places, at: Position, what: &str) {
        if !places.is_top(at) {
            self.wrong(
                at,
                format!("{what} is declared at the top of the graph's function, in no block"),
            );
        }
    }

    fn input(&mut self, name: &str, args: &[&[Token]], constants: &Constants<'_>) {
        let default = match args.get(1).copied().filter(|default| !default.is_empty()) {
            None => Literal::plain(Value::Null),
            Some(default) => literal(default, constants).unwrap_or_else(|| {
                let at = default[0].at;
                self.wrong(at, format!("the default of `{name}` is a value that stands there"));
                Literal::plain(Value::Null)
            }),
        };
        let mut input = Map::new();
        for key in ["description", "max", "min", "options"] {
            input.insert(key.to_owned(), Value::Null);
        }
        for key in ["optional", "plain"] {
            input.insert(key.to_owned(), false.into());
        }
        input.insert("name".to_owned(), name.into());
        input.insert("type".to_owned(), default.kind.clone().into());
        input.insert("default".to_owned(), default.value);
        let options = args.get(2).copied().unwrap_or_default();
        for (key, value, at) in self.options(name, options, constants) {
            if input.contains_key(&key) && !["name", "default"].contains(&key.as_str()) {
                input.insert(key, value);
            } else {
                self.wrong(at, format!("the options of `{name}` have no `{key}`"));
            }
        }
        self.inputs.push(input.into());
    }

    /// The options of an input; what cannot be read is told.
    fn options(&mut self, name: &str, options: &[Token], constants: &Constants<'_>) -> Vec<(String, Value, Position)> {
        let Some(first) = options.first() else {
            return Vec::new();
        };
        if !is_mark(options, 0, &['{']) {
            let constant = word(options, 0)
                .filter(|_| options.len() == 1)
                .and_then(|word| constants.get(word));
            let Some(Value::Object(held)) = constant.map(|constant| &constant.value) else {
                self.wrong(
                    first.at,
                    format!("the options of `{name}` are a table that stands there"),
                );
                return Vec::new();
            };
            return held
                .iter()
                .map(|(key, value)| (key.clone(), value.clone(), first.at))
                .collect();
        }
        let mut read = Vec::new();
        for entry in luau::entries(options).into_iter().filter(|entry| !entry.is_empty()) {
            match keyed(entry) {
                Some((key, value)) => match literal(value, constants) {
                    Some(literal) => read.push((key.to_owned(), literal.value, entry[0].at)),
                    None => self.wrong(
                        entry[0].at,
                        format!("`{key}` of the input `{name}` is a value that stands there"),
                    ),
                },
                None => self.wrong(entry[0].at, format!("the options of `{name}` are under their names")),
            }
        }
        read
    }

    /// The names of what is handed back, by `g:output` and by the tables that the function returns.
    fn outputs(&mut self, body: &[Token], named: &BTreeMap<(u32, u32), String>) {
        let mut frames = vec![Frame::plain(Block::Do)];
        let mut returned: Option<BTreeSet<String>> = None;
        let mut place = 0;
        while place < body.len() {
            let at = body[place].at;
            match step(body, place, frames.iter().map(|frame| frame.block)) {
                Step::Open(block) => frames.push(Frame::plain(block)),
                Step::Branch { is_else } => {
                    if let Some(frame) = frames.last_mut() {
                        let names = std::mem::take(&mut frame.names);
                        frame.branches.push((names, std::mem::take(&mut frame.returns)));
                        frame.has_else |= is_else;
                    }
                }
                Step::Close if frames.len() > 1 => {
                    if let Some(frame) = frames.pop() {
                        let (names, mismatch) = frame.closed();
                        if let Some(names) = mismatch {
                            let names = quoted(names.iter().map(String::as_str));
                            self.wrong(at, format!("not every branch hands back the same outputs: {names}"));
                        }
                        if let Some(holder) = frames.last_mut() {
                            holder.names.extend(names);
                        }
                    }
                }
                Step::Enter => {
                    if let Some(frame) = frames.last_mut() {
                        frame.block = Block::Loop;
                    }
                }
                _ => {}
            }
            let [in_loop, in_function] =
                [Block::Loop, Block::Function].map(|block| frames.iter().any(|frame| frame.block == block));
            if let Some(name) = named.get(&(at.line, at.column)) {
                if in_loop || in_function {
                    self.wrong(
                        at,
                        format!("the output `{name}` is declared in a loop or in a function of its own"),
                    );
                }
                if let Some(frame) = frames.last_mut() {
                    frame.names.insert(name.clone());
                }
            }
            if word(body, place) == Some("return") && !in_function {
                if let Some(frame) = frames.last_mut() {
                    frame.returns = true;
                }
                let names = self.returned(&body[place + 1..], at);
                match (&returned, names) {
                    (_, None) => {}
                    (Some(before), Some(names)) if *before != names => {
                        let names: Vec<&str> = before.symmetric_difference(&names).map(String::as_str).collect();
                        let names = quoted(names);
                        self.wrong(at, format!("not every `return` hands back the same outputs: {names}"));
                    }
                    (_, Some(names)) => returned = Some(names),
                }
            }
            place += 1;
        }
        let (names, _) = frames.swap_remove(0).closed();
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        let all = names.iter().chain(returned.iter().flatten());
        self.outputs = all.filter(|name| seen.insert(name)).cloned().collect();
    }

    /// The names in the table that a `return` hands back; `None` where it cannot be read.
    fn returned(&mut self, rest: &[Token], at: Position) -> Option<BTreeSet<String>> {
        if rest.is_empty()
            || is_mark(rest, 0, &[';'])
            || matches!(word(rest, 0), Some("end" | "else" | "elseif" | "nil"))
        {
            return Some(BTreeSet::new());
        }
        if !is_mark(rest, 0, &['{']) {
            self.wrong(
                at,
                "what a graph hands back is a table that stands there, each output under its name",
            );
            return None;
        }
        let mut names = BTreeSet::new();
        for entry in luau::entries(rest).into_iter().filter(|entry| !entry.is_empty()) {
            match keyed(entry) {
                Some((name, _)) => drop(names.insert(name.to_owned())),
                None => self.wrong(entry[0].at, "an output stands under its name"),
            }
        }
        Some(names)
    }
}

/// The name and the value of an entry of a table: `name = value`, `["name"] = value`.
pub(super) fn keyed(entry: &[Token]) -> Option<(&str, &[Token])> {
    match entry {
        [
            Token {
                kind: TokenKind::Word(key),
                ..
            },
            Token {
                kind: TokenKind::Mark('='),
                ..
            },
            value @ ..,
        ] => Some((key, value)),
        [
            Token {
                kind: TokenKind::Mark('['),
                ..
            },
            Token {
                kind: TokenKind::Text(key),
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
        ] => Some((key, value)),
        _ => None,
    }
}

/// The name of the builder that a file's graph is built with, and the body of the function that takes it.
fn builder(tokens: &[Token]) -> Option<(&str, &[Token])> {
    let place = last_return(tokens)?;
    let calls = luau::calls(&tokens[place + 1..]);
    let first = calls
        .first()
        .filter(|call| call.name == "proc.define")?
        .args
        .first()
        .copied()?;
    let is_function = |place: &usize| word(tokens, *place) == Some("function");
    let (within, open) = match word(first, 0)? {
        // A comma in the function's own text (`for i, item in list`) ends no argument: it is read from where it begins.
        "function" => {
            let start = tokens.iter().position(|token| token.at == first[0].at)?;
            (&tokens[start..], 1)
        }
        name if first.len() == 1 => {
            let mut all = (0..tokens.len()).filter(is_function);
            let open = all.find_map(|place| match word(tokens, place + 1) == Some(name) {
                true => Some(place + 2),
                // `local name = function(g)`.
                false => (place >= 2 && is_mark(tokens, place - 1, &['=']) && word(tokens, place - 2) == Some(name))
                    .then_some(place + 1),
            })?;
            (tokens, open)
        }
        _ => return None,
    };
    let parameter = is_mark(within, open, &['('])
        .then(|| word(within, open + 1))
        .flatten()?;
    let close = (open..within.len()).find(|place| is_mark(within, *place, &[')']))?;
    let body = &within[close + 1..];
    let mut blocks = vec![Block::Function];
    for place in 0..body.len() {
        apply(body, place, &mut blocks);
        if blocks.is_empty() {
            return Some((parameter, &body[..place]));
        }
    }
    Some((parameter, body))
}

/// A block of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Do,
    If,
    /// An `if` that is a value, which has no `end`.
    IfValue,
    /// What stands between `for` or `while` and `do`.
    Head,
    Loop,
    Function,
}

/// What a token does to the blocks.
enum Step {
    Open(Block),
    Branch {
        is_else: bool,
    },
    /// From the head of a loop into its body.
    Enter,
    Close,
    Nothing,
}

/// What the token at `place` does, within these blocks, the outermost first.
fn step(tokens: &[Token], place: usize, mut blocks: impl DoubleEndedIterator<Item = Block>) -> Step {
    let innermost = blocks.next_back();
    match word(tokens, place) {
        Some("function") => Step::Open(Block::Function),
        Some("repeat") => Step::Open(Block::Loop),
        Some("for" | "while") => Step::Open(Block::Head),
        Some("do") if innermost == Some(Block::Head) => Step::Enter,
        Some("do") => Step::Open(Block::Do),
        Some("if") => Step::Open(match is_value(tokens, place, innermost) {
            true => Block::IfValue,
            false => Block::If,
        }),
        Some(word @ ("elseif" | "else")) => match innermost {
            Some(Block::If) => Step::Branch {
                is_else: word == "else",
            },
            Some(Block::IfValue) if word == "else" => Step::Close,
            _ => Step::Nothing,
        },
        Some("end" | "until") => Step::Close,
        _ => Step::Nothing,
    }
}

fn apply(tokens: &[Token], place: usize, blocks: &mut Vec<Block>) {
    match step(tokens, place, blocks.iter().copied()) {
        Step::Open(block) => blocks.push(block),
        Step::Close => drop(blocks.pop()),
        Step::Enter => {
            blocks.pop();
            blocks.push(Block::Loop);
        }
        Step::Branch { .. } | Step::Nothing => {}
    }
}

/// Whether the `if` at `place` is a value rather than a statement.
fn is_value(tokens: &[Token], place: usize, innermost: Option<Block>) -> bool {
    const OPERATORS: &[char] = &[
        '=', '(', ',', '{', '[', '+', '-', '*', '/', '%', '^', '<', '>', '.', '~',
    ];
    let Some(before) = place.checked_sub(1) else {
        return false;
    };
    match word(tokens, before) {
        Some("return" | "and" | "or" | "not" | "in") => true,
        Some("then") => innermost == Some(Block::IfValue),
        _ => is_mark(tokens, before, OPERATORS),
    }
}

/// Where a function's own level is: the places that are in no block of it.
struct Places(BTreeSet<(u32, u32)>);

impl Places {
    fn of(body: &[Token]) -> Self {
        let mut blocks = Vec::new();
        let mut top = BTreeSet::new();
        for place in 0..body.len() {
            apply(body, place, &mut blocks);
            if blocks.is_empty() {
                top.insert((body[place].at.line, body[place].at.column));
            }
        }
        Self(top)
    }

    fn is_top(&self, at: Position) -> bool {
        self.0.contains(&(at.line, at.column))
    }
}

/// A block that is being read, and what is handed back in it.
struct Frame {
    block: Block,
    names: BTreeSet<String>,
    returns: bool,
    /// The branches that are done: their outputs, and whether they return.
    branches: Vec<(BTreeSet<String>, bool)>,
    has_else: bool,
}

impl Frame {
    fn plain(block: Block) -> Self {
        Self {
            block,
            names: BTreeSet::new(),
            returns: false,
            branches: Vec::new(),
            has_else: false,
        }
    }

    /// All that its branches hand back, and what not all of them do.
    fn closed(mut self) -> (BTreeSet<String>, Option<BTreeSet<String>>) {
        self.branches.push((self.names, self.returns));
        if self.block == Block::If && !self.has_else {
            self.branches.push((BTreeSet::new(), false));
        }
        let all: BTreeSet<String> = self.branches.iter().flat_map(|(names, _)| names.clone()).collect();
        // What a branch that returns hands back is in its `return`.
        let staying = self.branches.iter().filter(|(_, returns)| !returns);
        let missing: BTreeSet<String> = staying.flat_map(|(names, _)| all.difference(names).cloned()).collect();
        (all, (!missing.is_empty()).then_some(missing))
    }
}

/// A value that stands in a text, and the type that it states.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    pub(super) value: Value,
    kind: Option<String>,
}

impl Literal {
    fn plain(value: Value) -> Self {
        let kind = match &value {
            Value::Number(_) => Some("Float"),
            Value::String(_) => Some("String"),
            Value::Bool(_) => Some("Bool"),
            _ => None,
        };
        Self {
            value,
            kind: kind.map(str::to_owned),
        }
    }
}

/// The constants of a file: what its own level names once, by `local`.
fn constants(tokens: &[Token]) -> Constants<'_> {
    let mut constants = Constants::new();
    let mut blocks = Vec::new();
    for place in 0..tokens.len() {
        apply(tokens, place, &mut blocks);
        if !blocks.is_empty() || word(tokens, place) != Some("local") {
            continue;
        }
        let Some(name) = word(tokens, place + 1) else { continue };
        let Some(equals) = (place + 2..tokens.len())
            .take(64)
            .find(|place| is_mark(tokens, *place, &['=']))
        else {
            continue;
        };
        // Between the two is nothing, or the type.
        if equals != place + 2 && !is_mark(tokens, place + 2, &[':']) {
            continue;
        }
        let end = end_of_value(tokens, equals + 1);
        // A constant holds a literal, and no other constant: what is named often stays small.
        let value = Some(&tokens[equals + 1..end]).filter(|value| value.len() <= MAX_CONSTANT_TOKENS);
        if let Some(literal) = value.and_then(|value| literal(value, &Constants::new())) {
            constants.insert(name, literal);
        }
    }
    constants
}

/// Where the value that begins at `start` ends: at the word that begins the next statement, or with the text.
fn end_of_value(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    for place in start..tokens.len().min(start + MAX_CONSTANT_TOKENS + 1) {
        match &tokens[place].kind {
            TokenKind::Mark('(' | '{' | '[') => depth += 1,
            TokenKind::Mark(')' | '}' | ']') => depth = depth.saturating_sub(1),
            TokenKind::Mark(';') if depth == 0 => return place,
            TokenKind::Word(_) if depth == 0 && place > start => {
                let goes_on = is_mark(
                    tokens,
                    place - 1,
                    &['.', ':', '+', '-', '*', '/', '%', '^', '=', '<', '>'],
                );
                let is_operator = matches!(word(tokens, place), Some("and" | "or"));
                if !goes_on && !is_operator {
                    return place;
                }
            }
            _ => {}
        }
    }
    tokens.len().min(start + MAX_CONSTANT_TOKENS + 1)
}

fn text_of(tokens: &[Token], constants: &Constants<'_>) -> Option<String> {
    match literal(tokens, constants)?.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The most tokens of a constant.
const MAX_CONSTANT_TOKENS: usize = 512;
/// The most levels of tables in a literal.
const MAX_LEVELS: usize = 32;

/// The value that tokens are, where they are one that stands there.
fn literal(tokens: &[Token], constants: &Constants<'_>) -> Option<Literal> {
    within(tokens, constants, MAX_LEVELS)
}

fn within(tokens: &[Token], constants: &Constants<'_>, levels: usize) -> Option<Literal> {
    let levels = levels.checked_sub(1)?;
    match tokens {
        [
            Token {
                kind: TokenKind::Text(text),
                ..
            },
        ] => Some(Literal::plain(text.as_str().into())),
        [
            Token {
                kind: TokenKind::Number(text),
                ..
            },
        ] => number(text, 1.0),
        [
            Token {
                kind: TokenKind::Mark('-'),
                ..
            },
            Token {
                kind: TokenKind::Number(text),
                ..
            },
        ] => number(text, -1.0),
        [
            Token {
                kind: TokenKind::Word(word),
                ..
            },
        ] => match word.as_str() {
            "true" => Some(Literal::plain(true.into())),
            "false" => Some(Literal::plain(false.into())),
            "nil" => Some(Literal::plain(Value::Null)),
            word => constants.get(word).cloned(),
        },
        [
            Token {
                kind: TokenKind::Mark('{'),
                ..
            },
            ..,
            Token {
                kind: TokenKind::Mark('}'),
                ..
            },
        ] => table(tokens, constants, levels),
        _ => called(tokens, constants, levels),
    }
}

fn number(text: &str, sign: f64) -> Option<Literal> {
    let plain = text.replace('_', "");
    let digits = |prefix: [&str; 2]| prefix.iter().find_map(|prefix| plain.strip_prefix(prefix));
    let value = match (digits(["0x", "0X"]), digits(["0b", "0B"])) {
        (Some(digits), _) => u64::from_str_radix(digits, 16).ok()? as f64,
        (_, Some(digits)) => u64::from_str_radix(digits, 2).ok()? as f64,
        _ => plain.parse::<f64>().ok()?,
    };
    let value = value * sign;
    // A whole number is written as one.
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    let value = if whole {
        json!(value as i64)
    } else {
        serde_json::Number::from_f64(value)?.into()
    };
    Some(Literal::plain(value))
}

fn table(tokens: &[Token], constants: &Constants<'_>, levels: usize) -> Option<Literal> {
    let entries: Vec<_> = luau::entries(tokens)
        .into_iter()
        .filter(|entry| !entry.is_empty())
        .collect();
    let is_record = entries.first().is_some_and(|entry| keyed(entry).is_some());
    if is_record {
        let mut record = Map::new();
        for entry in entries {
            let (key, value) = keyed(entry)?;
            record.insert(key.to_owned(), within(value, constants, levels)?.value);
        }
        return Some(Literal {
            value: record.into(),
            kind: Some("Record".to_owned()),
        });
    }
    let items: Option<Vec<Literal>> = entries
        .into_iter()
        .map(|entry| within(entry, constants, levels))
        .collect();
    let items = items?;
    let first = items.first().and_then(|item| item.kind.clone());
    let kind = first.filter(|kind| items.iter().all(|item| item.kind.as_ref() == Some(kind)));
    Some(Literal {
        value: items.into_iter().map(|item| item.value).collect(),
        kind: kind.map(|kind| format!("List<{kind}>")),
    })
}

/// `vector.create(1, 2, 3)` is a list of numbers, and `asset.resolve("name", "type")` the name of an asset.
fn called(tokens: &[Token], constants: &Constants<'_>, levels: usize) -> Option<Literal> {
    let calls = luau::calls(tokens);
    let call = calls
        .first()
        .filter(|call| tokens.first().is_some_and(|first| first.at == call.at))?;
    // The call is all that stands here.
    let is_whole = is_mark(tokens, tokens.len() - 1, &[')']) && {
        let mut depth = 0usize;
        let closed = tokens.iter().position(|token| {
            match token.kind {
                TokenKind::Mark('(' | '{' | '[') => depth += 1,
                TokenKind::Mark(')' | '}' | ']') => depth = depth.saturating_sub(1),
                _ => return false,
            }
            depth == 0
        });
        closed == Some(tokens.len() - 1)
    };
    if !is_whole {
        return None;
    }
    let args: Option<Vec<Literal>> = call.args.iter().map(|arg| within(arg, constants, levels)).collect();
    let args = args?;
    match (call.name.as_str(), args.len()) {
        ("vector.create", len @ 2..=4) if args.iter().all(|arg| arg.value.is_number()) => Some(Literal {
            value: args.into_iter().map(|arg| arg.value).collect(),
            kind: Some(format!("Vec{len}")),
        }),
        ("asset.resolve", 1 | 2) if args.iter().all(|arg| arg.value.is_string()) => {
            let kind = args.get(1).map(|arg| arg.value.clone());
            Some(Literal {
                value: json!({ "asset": args[0].value, "type": kind }),
                kind: None,
            })
        }
        _ => None,
    }
}
