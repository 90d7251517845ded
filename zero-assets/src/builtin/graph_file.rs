//! Rules of `graph.json`: that the nodes, inputs and outputs of a graph as data lead to each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, json};
use zero_vfs::{VfsPath, nearest_names};

use super::graphs::graph_path;
use super::held::Held;
use crate::behavior::Interface;
use crate::diagnostic::Diagnostic;
use crate::error::first_few;
use crate::structured::{json_message, json_position};
use crate::value::Value;

const BROKEN: &str = "procGraph.broken";
const WIRE: &str = "procGraph.wire";
/// The newest version of the form that is read.
const VERSION: u64 = 1;
const MAX_BYTES: u64 = 16 << 20;

pub(super) fn check(held: &mut Held<'_>) {
    let Some(file) = graph_path(held) else { return };
    let Some(graph) = read(held, &file) else { return };
    let empty = Map::new();
    let part = |key: &str| graph.get(key).and_then(Value::as_object).unwrap_or(&empty);
    let (inputs, nodes) = (part("inputs"), part("nodes"));
    let mut waits: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, node) in nodes {
        if node.get("node").and_then(Value::as_str).is_none() {
            let message = format!("the node `{name}` does not say which node it is");
            held.tell(Diagnostic::error(BROKEN, &file, message));
        }
        let wires = node.get("inputs").and_then(Value::as_object).unwrap_or(&empty);
        for (input, from) in wires {
            let what = || format!("the input `{input}` of the node `{name}`");
            if let Some(other) = wire(held, &file, &what, from, inputs, nodes) {
                waits.entry(name).or_default().insert(other);
            }
        }
    }
    for (output, from) in part("outputs") {
        wire(held, &file, &|| format!("the output `{output}`"), from, inputs, nodes);
    }
    if let Some(ring) = ring(&waits) {
        let names = first_few(ring.iter().copied(), ring.len());
        let message = format!("these nodes wait for each other: {names}");
        held.tell(Diagnostic::error("procGraph.loop", &file, message));
    }
}

/// The graph, where it decodes and has what every graph has.
fn read(held: &mut Held<'_>, file: &VfsPath) -> Option<Map<String, Value>> {
    let bytes = held.bytes(BROKEN, file, MAX_BYTES)?;
    let value: Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => {
            let at = json_position(&error);
            held.tell(Diagnostic::error(BROKEN, file, format!("this is no JSON: {}", json_message(&error))).at(at));
            return None;
        }
    };
    let mut wrong = |message: String| held.tell(Diagnostic::error(BROKEN, file, message));
    let Value::Object(graph) = value else {
        wrong("a graph is a mapping".to_owned());
        return None;
    };
    match graph.get("version").and_then(Value::as_u64) {
        Some(1..=VERSION) => {}
        Some(found) => {
            wrong(format!(
                "it is of version {found}; this program reads versions up to {VERSION}"
            ));
            return None;
        }
        None => wrong("it does not say its `version`".to_owned()),
    }
    if graph.get("name").and_then(Value::as_str).is_none() {
        wrong("it has no `name`".to_owned());
    }
    for key in ["nodes", "outputs"] {
        if graph.get(key).and_then(Value::as_object).is_none() {
            wrong(format!("it has no `{key}`, a mapping by name"));
        }
    }
    Some(graph)
}

/// Where an input or output comes from: the node that it waits for, if it waits for one.
fn wire<'g>(
    held: &mut Held<'_>,
    file: &VfsPath,
    what: &dyn Fn() -> String,
    from: &'g Value,
    inputs: &Map<String, Value>,
    nodes: &'g Map<String, Value>,
) -> Option<&'g str> {
    let mut missing = |kind: &str, name: &str, known: &Map<String, Value>| {
        let near = nearest_names(name, known.keys().map(String::as_str));
        let message = format!("{} comes from the {kind} `{name}`, which is not there", what());
        held.tell(Diagnostic::error(WIRE, file, message).did_you_mean(&near));
    };
    if let Some(name) = from.get("input").and_then(Value::as_str) {
        if !inputs.contains_key(name) {
            missing("input", name, inputs);
        }
        return None;
    }
    let name = from.get("node").and_then(Value::as_str)?;
    match nodes.get_key_value(name) {
        Some((name, _)) => Some(name),
        None => {
            missing("node", name, nodes);
            None
        }
    }
}

/// Nodes that wait for each other, in the order of their names, where some do.
fn ring<'g>(waits: &BTreeMap<&'g str, BTreeSet<&'g str>>) -> Option<Vec<&'g str>> {
    // Whoever waits for nobody that is left is done; who is left in the end waits for ever.
    let mut wanted_by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
    let mut done: Vec<&str> = Vec::new();
    for (node, on) in waits {
        waiting.insert(node, on.len());
        for other in on {
            wanted_by.entry(other).or_default().push(node);
            // A node that waits for none has no entry.
            if !waits.contains_key(other) {
                done.push(other);
            }
        }
    }
    done.sort_unstable();
    done.dedup();
    while let Some(node) = done.pop() {
        for waiter in wanted_by.remove(node).unwrap_or_default() {
            if let Some(left) = waiting.get_mut(waiter) {
                *left -= 1;
                if *left == 0 {
                    waiting.remove(waiter);
                    done.push(waiter);
                }
            }
        }
    }
    (!waiting.is_empty()).then(|| waiting.into_keys().collect())
}

pub(super) fn interface(held: &mut Held<'_>) -> Interface {
    let Some(graph) = held.data("graph.json") else {
        return Interface::default();
    };
    let empty = Map::new();
    let part = |key: &str| graph.get(key).and_then(Value::as_object).unwrap_or(&empty);
    let input = |(name, said): (&String, &Value)| {
        let mut input = Map::new();
        for key in ["default", "description", "max", "min", "options", "type"] {
            input.insert(key.to_owned(), said.get(key).cloned().unwrap_or_default());
        }
        for key in ["optional", "plain"] {
            input.insert(key.to_owned(), said.get(key).cloned().unwrap_or(false.into()));
        }
        input.insert("name".to_owned(), name.as_str().into());
        Value::from(input)
    };
    let inputs: Vec<Value> = part("inputs").iter().map(input).collect();
    let outputs: Vec<&String> = part("outputs").keys().collect();
    Interface {
        value: json!({ "description": graph.get("name"), "inputs": inputs, "outputs": outputs }),
        unreadable: Vec::new(),
    }
}
