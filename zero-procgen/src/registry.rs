//! The nodes that documents and scripts can name.

use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::socket::{AnySocket, Sockets};
use crate::node::{Compose, FromWires, NodeInfo, NodeType, Schema, Wires};
use std::collections::BTreeMap;

/// How an entry composes its node from wires.
type ComposeFn = for<'g> fn(&'g Graph, Wires<'g>) -> Result<Vec<AnySocket<'g>>>;

/// A set of nodes, each under its id. Families add theirs by explicit lists, so that what is linked is what is listed.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: BTreeMap<&'static str, Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    schema: &'static Schema,
    compose: ComposeFn,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.schema.fmt(f)
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
        self.entries.insert(
            schema.id,
            Entry {
                schema,
                compose: compose::<N>,
            },
        );
        self
    }

    /// Takes a node out; whether there was one.
    pub fn remove(&mut self, id: &str) -> bool {
        self.entries.remove(id).is_some()
    }

    /// The schemas, in the order of their ids.
    pub fn schemas(&self) -> impl Iterator<Item = &'static Schema> {
        self.entries.values().map(|entry| entry.schema)
    }

    /// The schema of a node; an unknown id is refused naming the nearest.
    pub fn schema(&self, id: &str) -> Result<&'static Schema> {
        self.entry(id).map(|entry| entry.schema)
    }

    /// Adds a node by its id, from wires: the door for documents and scripts.
    #[track_caller]
    pub fn call<'g>(&self, g: &'g Graph, id: &str, wires: Wires<'g>) -> Result<Vec<AnySocket<'g>>> {
        let entry = self.entry(id)?;
        (entry.compose)(g, wires)
    }

    fn entry(&self, id: &str) -> Result<&Entry> {
        self.entries
            .get(id)
            .ok_or_else(|| Error::unknown("node", id, self.entries.keys().copied()))
    }
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
