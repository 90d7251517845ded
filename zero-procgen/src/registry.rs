//! The nodes that documents and scripts can name.

use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::socket::{AnySocket, Sockets};
use crate::graph::wire::Type;
use crate::node::{Compose, FromWires, NodeInfo, NodeType, Schema, Wires};
use std::collections::BTreeMap;

/// How an entry composes its node from wires.
type ComposeFn = for<'g> fn(&'g Graph, Wires<'g>) -> Result<Vec<AnySocket<'g>>>;

/// A set of nodes, each under its id. Families add theirs by explicit lists, so that what is linked is what is listed.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: BTreeMap<&'static str, Entry>,
    packs: BTreeMap<String, Vec<&'static str>>,
    revision: u64,
}

/// A node of a registry, as data.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NodeEntry {
    /// What it takes and what it is for.
    pub schema: &'static Schema,
    /// What it answers, by name.
    pub outputs: Vec<(String, Type)>,
}

#[derive(Clone)]
struct Entry {
    node: NodeEntry,
    compose: ComposeFn,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.node.fmt(f)
    }
}

impl Registry {
    /// No nodes.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Every node of this crate.
    pub fn standard() -> Registry {
        let mut registry = Registry::new();
        crate::nodes::register(&mut registry);
        registry
    }

    /// Adds a node; one of the same id is replaced.
    pub fn add<N: NodeType>(&mut self) -> &mut Registry {
        let schema = <N::On<'static> as NodeInfo>::schema();
        let (names, types) = (Answer::<N>::names(), Answer::<N>::types());
        let node = NodeEntry {
            schema,
            outputs: names.into_iter().zip(types).collect(),
        };
        let compose = compose::<N>;
        self.entries.insert(schema.id, Entry { node, compose });
        self.revision += 1;
        self
    }

    /// Adds the nodes that `register` adds, as a pack that can be taken out again whole. A pack of the same name is taken
    /// out first.
    ///
    /// # Errors
    /// [`Error::Refused`] where a node of the pack has the id of one that stands, which is then left as it is, with all
    /// others.
    pub fn add_pack(&mut self, name: &str, register: impl FnOnce(&mut Registry)) -> Result<()> {
        let mut pack = Registry::new();
        register(&mut pack);
        let replaced = self.packs.get(name).cloned().unwrap_or_default();
        let taken = |id: &&&'static str| self.entries.contains_key(**id) && !replaced.contains(id);
        if let Some(id) = pack.entries.keys().find(taken) {
            let holder = self.packs.iter().find(|(_, ids)| ids.contains(id));
            let holder = holder.map_or("no pack".to_owned(), |(holder, _)| format!("pack '{holder}'"));
            return Err(Error::Refused(format!(
                "pack '{name}': the id '{id}' is taken by a node of {holder}"
            )));
        }
        self.remove_pack(name);
        self.packs
            .insert(name.to_owned(), pack.entries.keys().copied().collect());
        self.entries.extend(pack.entries);
        self.revision += 1;
        Ok(())
    }

    /// Takes every node of a pack out; whether there was one of that name.
    pub fn remove_pack(&mut self, name: &str) -> bool {
        let Some(ids) = self.packs.remove(name) else {
            return false;
        };
        for id in ids {
            self.entries.remove(id);
        }
        self.revision += 1;
        true
    }

    /// The names of the packs, sorted.
    pub fn packs(&self) -> impl Iterator<Item = &str> {
        self.packs.keys().map(String::as_str)
    }

    /// Takes a node out; whether there was one.
    pub fn remove(&mut self, id: &str) -> bool {
        for ids in self.packs.values_mut() {
            ids.retain(|held| *held != id);
        }
        let removed = self.entries.remove(id).is_some();
        self.revision += u64::from(removed);
        removed
    }

    /// Moves with every change: what was made of a registry stands as long as this does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The schemas, in the order of their ids.
    pub fn schemas(&self) -> impl Iterator<Item = &'static Schema> {
        self.entries.values().map(|entry| entry.node.schema)
    }

    /// Every node with what it answers, in the order of their ids.
    pub fn nodes(&self) -> impl Iterator<Item = &NodeEntry> {
        self.entries.values().map(|entry| &entry.node)
    }

    /// The schema of a node, by its id or by the name after the family where one node alone has it; an unknown name is
    /// refused naming the nearest, one that several have naming those.
    pub fn schema(&self, id: &str) -> Result<&'static Schema> {
        self.entry(id).map(|entry| entry.node.schema)
    }

    /// A node with what it answers; an unknown id is refused naming the nearest.
    pub fn node(&self, id: &str) -> Result<&NodeEntry> {
        self.entry(id).map(|entry| &entry.node)
    }

    /// The families that there are nodes of, sorted.
    pub fn families(&self) -> Vec<&'static str> {
        let mut families: Vec<&str> = self.schemas().map(Schema::family).collect();
        // The ids are sorted, but `a.b` stands after `a_c.d`.
        families.sort_unstable();
        families.dedup();
        families
    }

    /// The nodes of a family, in the order of their ids.
    pub fn family(&self, name: &str) -> impl Iterator<Item = &NodeEntry> {
        self.nodes().filter(move |node| node.schema.family() == name)
    }

    /// The nodes that all the words are said of, the best first. A word is said of a node where its id, the name of an
    /// input or an option, or a word of its description begins with it, in any case; the id says most, and of two as
    /// good the first by id comes first. No word finds every node.
    pub fn search(&self, words: &str) -> Vec<&NodeEntry> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let mut found: Vec<(u32, &NodeEntry)> = Vec::new();
        for node in self.nodes() {
            let weights: Option<Vec<u32>> = words.iter().map(|word| weight(node, word)).collect();
            if let Some(weights) = weights {
                found.push((weights.iter().sum(), node));
            }
        }
        // Stable, so that equals keep the order of their ids.
        found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        found.into_iter().map(|(_, node)| node).collect()
    }

    /// Adds a node by its id, from wires: the door for documents and scripts.
    #[track_caller]
    pub fn call<'g>(&self, g: &'g Graph, id: &str, wires: Wires<'g>) -> Result<Vec<AnySocket<'g>>> {
        let entry = self.entry(id)?;
        (entry.compose)(g, wires)
    }

    /// By the id, or by the name after the family where one node alone has it.
    fn entry(&self, id: &str) -> Result<&Entry> {
        if let Some(entry) = self.entries.get(id) {
            return Ok(entry);
        }
        let short = |full: &str| full.rsplit('.').next() == Some(id);
        let named: Vec<&str> = self.entries.keys().copied().filter(|full| short(full)).collect();
        match named.as_slice() {
            [] => Err(Error::unknown("node", id, self.entries.keys().copied())),
            [full] => self.entries.get(full).ok_or_else(|| Error::unknown("node", id, [])),
            several => Err(Error::Ambiguous {
                name: id.to_owned(),
                candidates: several.iter().map(|full| (*full).to_owned()).collect(),
            }),
        }
    }
}

/// What a node answers.
type Answer<N> = <<N as NodeType>::On<'static> as Compose<'static>>::Out;

/// How much a lowercase word says of a node; nothing where it isn't said of it.
fn weight(node: &NodeEntry, word: &str) -> Option<u32> {
    let says = |text: &str| {
        let text = text.to_lowercase();
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.into_iter().any(|held| held.starts_with(word))
    };
    let schema = node.schema;
    let (family, name) = schema.id.split_once('.').unwrap_or(("", schema.id));
    if schema.id.to_lowercase() == word || name.to_lowercase() == word {
        return Some(16);
    }
    if says(name) {
        return Some(8);
    }
    if says(family) {
        return Some(6);
    }
    if says(schema.description) {
        return Some(3);
    }
    let inputs = schema.inputs.iter();
    let named = inputs
        .clone()
        .any(|input| says(input.name) || input.options.iter().any(|option| says(option)));
    if named {
        return Some(2);
    }
    inputs.into_iter().any(|input| says(input.description)).then_some(1)
}

fn compose<'g, N: NodeType>(g: &'g Graph, wires: Wires<'g>) -> Result<Vec<AnySocket<'g>>> {
    let node = N::On::<'g>::from_wires(wires)?;
    let out = g.add(node);
    let types = <<N::On<'g> as Compose<'g>>::Out as Sockets<'g>>::types();
    let wires = out.wires();
    Ok(types
        .into_iter()
        .zip(wires)
        .map(|(ty, wire)| AnySocket {
            graph: Some(g),
            wire,
            ty,
        })
        .collect())
}
