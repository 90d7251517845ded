//! Rules of the types that are Luau: `module`, `script`, `testSuite`, `component`, `tool`.

use serde_json::json;

use super::held::{Held, START, quoted};
use super::{contract, source};
use crate::component::{self, Declared};
use crate::diagnostic::Diagnostic;
use crate::value::Value;

/// That the body hands something to those who require it.
pub(super) fn returns(held: &mut Held<'_>, code: &'static str, what: &str) {
    let Some((file, _, tokens)) = held.code(code) else {
        return;
    };
    if !source::returns(&tokens) {
        let told = Diagnostic::error(code, &file, "it returns nothing to those who require it").at(START);
        held.tell(told.help(format!("end it with `return` and {what}")));
    }
}

pub(super) fn module(held: &mut Held<'_>) {
    returns(held, "module.no_return", "the table of its functions");
}

pub(super) fn script(held: &mut Held<'_>) {
    returns(held, "script.no_return", "the value that `require` gives");
}

pub(super) fn test_suite(held: &mut Held<'_>) {
    returns(held, "testSuite.no_return", "the tests");
}

pub(super) fn component(held: &mut Held<'_>) {
    const CODE: &str = "component.no_function";
    let Some((file, _, tokens)) = held.code(CODE) else {
        return;
    };
    if source::functions(&tokens).is_empty() {
        let message = "it declares no function, so an entity with it does nothing";
        held.tell(Diagnostic::warning(CODE, &file, message).at(START));
    }
}

pub(super) fn tool(held: &mut Held<'_>) {
    let folder = held.folder();
    let holder = folder.parent().and_then(|folder| held.context.assets.at(&folder));
    if holder.is_none_or(|holder| holder.kind != "toolbox") {
        let told = Diagnostic::error(
            "tool.no_toolbox",
            folder,
            "it lies in no toolbox, whose name is the first half of a tool's",
        );
        held.tell(told.help("move it into a `.toolbox`"));
    }
    let Some((file, text, tokens)) = held.code("tool.no_function") else {
        return;
    };
    let functions = source::functions(&tokens);
    let exported = source::handed_functions(&tokens);
    if !functions.iter().any(|one| one.is_typed) {
        let told = Diagnostic::error(
            "tool.no_function",
            &file,
            "it declares no `typed function`, so there is nothing to call",
        );
        held.tell(told.at(START));
    }
    let lines: Vec<&str> = text.lines().collect();
    for function in exported {
        if !function.is_typed {
            let message = format!("`{}` is a plain function: it takes whatever comes", function.name);
            let told = Diagnostic::error("tool.untyped", &file, message).at(function.at);
            held.tell(told.help("declare it `typed function`, with the types of its arguments"));
        }
        if contract::notes(&lines, function.at.line).description.is_none() {
            let message = format!("`{}` does not say what it does", function.name);
            let told = Diagnostic::warning("tool.undocumented", &file, message).at(function.at);
            held.tell(told.help("write `--!desc` above it"));
        }
    }
}

/// The functions that the code declares, each with its contract, and what it hands to those who require it.
pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
    let (_, text, tokens) = held.code("")?;
    Some(json!({ "exports": source::exports_report(&tokens), "functions": source::report(&text, &tokens) }))
}

/// What a component declares for others, besides its functions.
pub(super) fn component_detail(held: &mut Held<'_>) -> Option<Value> {
    let mut detail = detail(held)?;
    let (_, text, tokens) = held.code("")?;
    let lines: Vec<&str> = text.lines().collect();
    let said = |one: &Declared| contract::notes(&lines, one.at.line).description;
    let fields = component::fields(&text, &tokens);
    let fields = fields.iter().map(|one| {
        json!({
            "category": one.category(), "default": one.default(), "description": said(one), "kind": one.kind,
            "name": one.name, "sync": one.sync(),
        })
    });
    let events = component::events(&text, &tokens);
    let events = events.iter().map(|one| {
        let payload = one.args.first().filter(|arg| one.sync() != Some(arg.as_str()));
        json!({ "description": said(one), "name": one.name, "payload": payload, "sync": one.sync() })
    });
    detail["fields"] = fields.collect();
    detail["events"] = events.collect();
    Some(detail)
}

/// A box of assets of one type: that it holds one, and which.
pub(super) fn toolbox(held: &mut Held<'_>) {
    holds_some(held, "tool", "toolbox.empty");
}

pub(super) fn holds_some(held: &mut Held<'_>, kind: &str, code: &'static str) {
    let folder = held.folder();
    if !held.context.assets.below(folder).any(|asset| asset.kind == kind) {
        held.tell(Diagnostic::warning(code, folder, format!("it holds no {kind} yet")));
    }
}

pub(super) fn toolbox_detail(held: &mut Held<'_>) -> Option<Value> {
    Some(json!({ "tools": children(held, "tool") }))
}

/// The assets of a type that an asset holds: identities, and what each says it is.
pub(super) fn children(held: &Held<'_>, kind: &str) -> Value {
    let below = held
        .context
        .assets
        .below(held.folder())
        .filter(|asset| asset.kind == kind);
    let report = |asset: &crate::asset::Asset| {
        let metadata = asset.path.join(crate::types::METADATA_FILE).ok();
        let metadata = metadata.and_then(|file| crate::structured::read(held.context.vfs, &file).ok()?);
        let description = metadata.and_then(|data| data.get("description").cloned());
        json!({ "description": description, "identity": asset.identity })
    };
    below.map(report).collect()
}

/// The names of the extensions or words that a message lists.
pub(super) fn list(names: &[String]) -> String {
    quoted(names.iter().map(String::as_str))
}
