//! Rules of what is made from rules: `procNode`, `procGraph`, `nodebox`, `procPack`, `procRecord`.

use serde_json::json;
use zero_vfs::VfsPath;
use zero_yaml::Position;

use super::code;
use super::held::{Held, START};
use super::source;
use crate::behavior::{Interface, Unreadable};
use crate::diagnostic::Diagnostic;
use crate::luau::{self, Token, TokenKind};
use crate::value::Value;

pub(super) fn proc_node(held: &mut Held<'_>) {
    defines(held, "procNode.no_graph");
}

pub(super) fn proc_graph(held: &mut Held<'_>) {
    defines(held, "procGraph.no_graph");
    super::graph_file::check(held);
}

pub(super) fn nodebox(held: &mut Held<'_>) {
    code::holds_some(held, "procNode", "nodebox.empty");
}

pub(super) fn nodebox_detail(held: &mut Held<'_>) -> Option<Value> {
    Some(json!({ "nodes": code::children(held, "procNode") }))
}

pub(super) fn proc_pack(held: &mut Held<'_>) {
    code::returns(held, "procPack.no_return", "the table of its operations");
}

/// That the body returns what `call` makes.
fn returns_call(tokens: &[Token], call: &str) -> bool {
    let Some(place) = source::last_return(tokens) else {
        return false;
    };
    luau::calls(&tokens[place + 1..])
        .first()
        .is_some_and(|first| first.name == call)
}

fn defines(held: &mut Held<'_>, code: &'static str) {
    let Some((file, _, tokens)) = held.code(code) else {
        return;
    };
    if !returns_call(&tokens, "proc.define") {
        let told = Diagnostic::error(code, &file, "it does not return a graph").at(START);
        held.tell(told.help("end it with `return proc.define(function(g) ... end)`"));
    }
}

pub(super) fn proc_record(held: &mut Held<'_>) {
    const CODE: &str = "procRecord.no_record";
    let Some((file, _, tokens)) = held.code(CODE) else {
        return;
    };
    let calls = luau::calls(&tokens);
    let record = calls
        .iter()
        .find(|call| call.name == "proc.record")
        .and_then(|call| call.args.first().copied());
    let Some(record) = record.filter(|_| returns_call(&tokens, "proc.record")) else {
        let told = Diagnostic::error(CODE, &file, "it does not return a kind of record").at(START);
        return held.tell(told.help("end it with `return proc.record({ name = \"...\", asset = \"...\" })`"));
    };
    for key in ["name", "asset"] {
        if luau::field_text(record, key).is_none() {
            let at = record.first().map_or(START, |token| token.at);
            let message = format!("the record does not say its `{key}` as a text that stands there");
            held.tell(Diagnostic::error(CODE, &file, message).at(at));
        }
    }
    if let Some((kind, at)) = luau::field_text(record, "asset") {
        held.kind("procRecord.no_type", &file, kind, at);
    }
    let says = |key: &str| field(record, key);
    if let (Some(at), None) = (says("live"), says("release")) {
        let told = Diagnostic::warning("procRecord.no_release", &file, "what is live is never let go").at(at);
        held.tell(told.help("say `release`, which is called when nothing stands on the value any more"));
    }
}

/// Where a field of a table stands, at the table's own depth.
fn field(table: &[Token], key: &str) -> Option<Position> {
    let mut depth = 0i32;
    for (place, token) in table.iter().enumerate() {
        match &token.kind {
            TokenKind::Mark('{' | '(' | '[') => depth += 1,
            TokenKind::Mark('}' | ')' | ']') => depth -= 1,
            TokenKind::Word(word) if depth == 1 && word == key => {
                let next = table.get(place + 1).map(|token| &token.kind);
                if next == Some(&TokenKind::Mark('=')) {
                    return Some(token.at);
                }
            }
            _ => {}
        }
    }
    None
}

pub(super) fn record_detail(held: &mut Held<'_>) -> Option<Value> {
    let (_, _, tokens) = held.code("")?;
    let calls = luau::calls(&tokens);
    let record = calls
        .iter()
        .find(|call| call.name == "proc.record")?
        .args
        .first()
        .copied()?;
    let text = |key: &str| luau::field_text(record, key).map(|(text, _)| text);
    let hooks: Vec<&str> = ["applies", "fields", "live", "load", "release", "save"]
        .into_iter()
        .filter(|key| field(record, key).is_some())
        .collect();
    Some(json!({ "asset": text("asset"), "name": text("name"), "says": hooks }))
}

/// What a node or a graph takes, as its text says it.
pub(super) fn interface(held: &mut Held<'_>) -> Interface {
    let mut interface = Interface::default();
    let Some((file, _, tokens)) = held.code("interface.unreadable") else {
        return super::graph_file::interface(held);
    };
    // A body that returns no graph is told of as such.
    if !returns_call(&tokens, "proc.define") {
        return interface;
    }
    let inner = file
        .relative_to(held.folder())
        .map(|inner| inner.as_str()[1..].to_owned());
    let declared = super::declared::declared(&tokens);
    interface.unreadable = declared
        .unreadable
        .into_iter()
        .map(|(at, message)| Unreadable {
            path: inner.clone(),
            at: Some(at),
            message,
        })
        .collect();
    interface.value = json!({
        "description": declared.description,
        "inputs": declared.inputs,
        "outputs": declared.outputs,
    });
    interface
}

pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
    Some(json!({ "interface": interface(held).value }))
}

/// The file of a graph as data.
pub(super) fn graph_path(held: &Held<'_>) -> Option<VfsPath> {
    held.file("graph.json")
}
