//! What a component declares for others: its public fields, its events and its methods, as its text says them.

use zero_yaml::Position;

use crate::luau::{self, Token, TokenKind};

/// A field or an event of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) at: Position,
    /// What makes it: `number` of `Field.number(...)`; `None` for an event.
    pub(crate) kind: Option<String>,
    /// What is handed to that, as it is written.
    pub(crate) args: Vec<String>,
    /// The texts among them, each where it stands.
    pub(crate) texts: Vec<Option<String>>,
}

/// The fields whose first argument says what their value refers to; the second is their default.
const REFS: &[&str] = &["assetRef", "componentRef", "dataRef", "resource"];
/// The field that names an asset.
const ASSET_REF: &str = "assetRef";
/// How a field or event is shared with other machines.
const SYNC: &[&str] = &["NoSync", "Sync"];

impl Declared {
    fn is_ref(&self) -> bool {
        self.kind.as_deref().is_some_and(|kind| REFS.contains(&kind))
    }

    /// What it refers to, as it is written.
    pub(crate) fn category(&self) -> Option<&str> {
        self.args.first().filter(|_| self.is_ref()).map(String::as_str)
    }

    /// Its default, as it is written.
    pub(crate) fn default(&self) -> Option<&str> {
        self.kind.as_ref()?;
        let default = self.args.get(usize::from(self.is_ref()))?;
        (!SYNC.contains(&default.as_str())).then_some(default)
    }

    pub(crate) fn sync(&self) -> Option<&str> {
        self.args
            .iter()
            .rev()
            .map(String::as_str)
            .find(|arg| SYNC.contains(arg))
    }

    /// The type of the assets that a field names.
    pub(crate) fn asset_type(&self) -> Option<&str> {
        let category = self.texts.first()?.as_deref();
        category.filter(|_| self.kind.as_deref() == Some(ASSET_REF))
    }
}

/// The public fields: those in `public = { ... }`, and those of `public.name = Field.kind(...)`.
pub(crate) fn fields(text: &str, tokens: &[Token]) -> Vec<Declared> {
    let lines = Lines::of(text);
    let mut found: Vec<Declared> = in_table(tokens, "public")
        .filter_map(|(name, value)| declared(&lines, name, value))
        .collect();
    for place in 0..tokens.len() {
        let is_assigned = word(tokens, place) == Some("public")
            && is_mark(tokens, place + 1, '.')
            && is_mark(tokens, place + 3, '=')
            && !(place > 0 && is_mark(tokens, place - 1, '.'));
        let name = tokens.get(place + 2).filter(|_| is_assigned);
        let field = name.and_then(|name| declared(&lines, name, tokens.get(place + 4..)?));
        found.extend(field);
    }
    found.retain(|one| one.kind.is_some());
    found
}

/// The events, in `events = { name = Event(...) }`.
pub(crate) fn events(text: &str, tokens: &[Token]) -> Vec<Declared> {
    let lines = Lines::of(text);
    let mut found: Vec<Declared> = in_table(tokens, "events")
        .filter_map(|(name, value)| declared(&lines, name, value))
        .collect();
    found.retain(|one| one.kind.is_none());
    found
}

/// The entries of the table that a name of the file is given, whose keys are names.
fn in_table<'t>(tokens: &'t [Token], table: &str) -> impl Iterator<Item = (&'t Token, &'t [Token])> {
    let open = (0..tokens.len()).find(|&place| {
        let is_part = place > 0 && is_mark(tokens, place - 1, '.');
        word(tokens, place) == Some(table)
            && is_mark(tokens, place + 1, '=')
            && is_mark(tokens, place + 2, '{')
            && !is_part
    });
    let entries = open
        .map(|place| luau::entries(&tokens[place + 2..]))
        .unwrap_or_default();
    entries.into_iter().filter_map(|entry| {
        let is_named = word(entry, 0).is_some() && is_mark(entry, 1, '=');
        is_named.then(|| (&entry[0], &entry[2..]))
    })
}

/// `Field.kind(...)` or `Event(...)` at the beginning of tokens.
fn declared(lines: &Lines<'_>, name: &Token, value: &[Token]) -> Option<Declared> {
    let calls = luau::calls(value);
    let call = calls
        .first()
        .filter(|call| Some(call.at) == value.first().map(|first| first.at))?;
    let kind = match call.name.split_once('.') {
        Some(("Field", kind)) => Some(kind.to_owned()),
        None if call.name == "Event" => None,
        _ => return None,
    };
    let args = call.args.iter().filter(|arg| !arg.is_empty());
    let written = args.clone().map(|arg| lines.written(arg));
    let texts = args.map(|arg| luau::plain_text(arg).map(|(text, _)| text.to_owned()));
    let TokenKind::Word(word) = &name.kind else {
        return None;
    };
    Some(Declared {
        name: word.clone(),
        at: name.at,
        kind,
        args: written.collect(),
        texts: texts.collect(),
    })
}

fn word(tokens: &[Token], place: usize) -> Option<&str> {
    match &tokens.get(place)?.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    }
}

fn is_mark(tokens: &[Token], place: usize, wanted: char) -> bool {
    tokens
        .get(place)
        .is_some_and(|token| token.kind == TokenKind::Mark(wanted))
}

/// The lines of a text, to find what stands between two places.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after).collect(),
        }
    }

    fn offset(&self, at: Position) -> usize {
        let Some(start) = self.starts.get(at.line as usize - 1) else {
            return self.text.len();
        };
        let line = &self.text[*start..];
        let column = line.char_indices().nth(at.column as usize - 1);
        column.map_or(self.text.len(), |(offset, _)| start + offset)
    }

    /// What tokens are written as, in one line, without what stands in comments between them.
    fn written(&self, tokens: &[Token]) -> String {
        let mut pieces = String::new();
        for (number, token) in tokens.iter().enumerate() {
            let from = self.offset(token.at);
            let rest = &self.text[from..];
            let next = tokens.get(number + 1).map(|next| self.offset(next.at));
            let piece = match (&token.kind, next) {
                (TokenKind::Mark(mark), _) => &rest[..mark.len_utf8()],
                (TokenKind::Word(word), _) => &rest[..word.len()],
                (TokenKind::Number(number), _) => &rest[..number.len()],
                // A text ends with its quote; what comes behind it is blank or a comment.
                _ => luau::first_token(rest),
            };
            let is_apart = number > 0 && self.text[..from].ends_with(char::is_whitespace);
            if is_apart {
                pieces.push(' ');
            }
            pieces += piece;
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "--!desc how fast\npublic = {\n  speed = Field.number(3.5, Sync, \"In metres a second, it's so\"),\n  \
                        -- old = Field.number(1),\n  map = Field.assetRef('inputMap', \"@builtin::maps.default\", Sync), \
                        -- }\n  on = Field.bool(true), [key] = Field.number(1), odd = 3,\n  none = Field.assetRef(\"mesh\"),\n  at = \
                        Field.vec3({ 1,\n   2, 3 }) }\npublic.late = Field.text([[a\nb]])\nevents = { hit = Event({ by = 'Entity' }, \
                        NoSync), odd = 4 }\nself.public.none = Field.text('x')\n";

    #[test]
    fn fields_are_found_with_what_is_said_of_them() {
        let tokens = luau::tokens(TEXT);
        let found = fields(TEXT, &tokens);
        let said: Vec<_> = found
            .iter()
            .map(|one| {
                let kind = one.kind.as_deref().unwrap_or_default();
                (one.name.as_str(), kind, one.category(), one.default(), one.sync())
            })
            .collect();
        assert_eq!(
            said,
            [
                ("speed", "number", None, Some("3.5"), Some("Sync")),
                (
                    "map",
                    "assetRef",
                    Some("'inputMap'"),
                    Some("\"@builtin::maps.default\""),
                    Some("Sync")
                ),
                ("on", "bool", None, Some("true"), None),
                ("none", "assetRef", Some("\"mesh\""), None, None),
                ("at", "vec3", None, Some("{ 1, 2, 3 }"), None),
                ("late", "text", None, Some("[[a\nb]]"), None),
            ]
        );
        let types: Vec<_> = found.iter().filter_map(Declared::asset_type).collect();
        assert_eq!(types, ["inputMap", "mesh"]);
        assert_eq!(found[0].at, Position { line: 3, column: 3 });
    }

    #[test]
    fn events_are_found_with_what_they_carry() {
        let found = events(TEXT, &luau::tokens(TEXT));
        let said: Vec<_> = found
            .iter()
            .map(|one| (one.name.as_str(), &one.args[..], one.sync()))
            .collect();
        let args = ["{ by = 'Entity' }".to_owned(), "NoSync".to_owned()];
        assert_eq!(said, [("hit", &args[..], Some("NoSync"))]);
        assert_eq!(events("events = {", &luau::tokens("events = {")), []);
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_odd(text in "(public|events|=|\\{|\\}|\\(|\\)|Field|\\.|number|Event|é|,|'x'|\"|\\[\\[|1|-| |\n){0,40}") {
            let tokens = luau::tokens(&text);
            let _ = (fields(&text, &tokens), events(&text, &tokens));
        }
    }
}
