//! Constructs with bodies, and lists.

use super::super::{DocArgument, DocBody, DocNode, DocOutput, DocSource, DocStop};
use super::Writer;
use super::items::{bare, type_name};
use crate::error::Location;
use crate::graph::definition::Built;
use crate::graph::wire::{FoldStop, NodeId, NodeOp, ScopeId, ScopeKind, StepDecl, StepField, Type, Wire};
use std::collections::{BTreeMap, HashMap};

/// The bodies that a node runs.
pub(super) fn bodies(op: &NodeOp) -> impl Iterator<Item = ScopeId> + use<> {
    let (body, stop) = match op {
        NodeOp::Fold(body, FoldStop::When(stop)) => (Some(*body), Some(*stop)),
        NodeOp::Fold(body, _) | NodeOp::Step(body) | NodeOp::Each(body, _) => (Some(*body), None),
        _ => (None, None),
    };
    body.into_iter().chain(stop)
}

/// The nodes that run each body.
pub(super) fn runs(built: &Built) -> HashMap<ScopeId, NodeId> {
    let mut runs = HashMap::new();
    for (place, node) in built.nodes.iter().enumerate() {
        runs.extend(bodies(&node.op).map(|body| (body, NodeId(place as u32))));
    }
    runs
}

/// The name of one of several values: in the order of their places.
fn slot_name(prefix: char, slot: usize) -> String {
    format!("{prefix}{slot:04}")
}

impl Writer<'_> {
    fn decl(&self, scope: ScopeId) -> Option<&StepDecl> {
        match &self.built.scopes[scope.index()].kind {
            ScopeKind::Step(decl) => Some(decl),
            _ => None,
        }
    }

    pub(super) fn step_name(&self, id: NodeId) -> Option<String> {
        match self.built.nodes[id.index()].op {
            NodeOp::Step(scope) => self.decl(scope).map(|decl| decl.name.clone()),
            _ => None,
        }
    }

    /// An output of a node that no call made.
    pub(super) fn output_of(&self, id: NodeId, place: u16) -> DocOutput {
        let place = usize::from(place);
        match self.built.nodes[id.index()].op {
            NodeOp::Step(scope) => {
                let column = self.decl(scope).and_then(|decl| decl.columns.get(place));
                column.map_or(DocOutput::Place(place), |(name, _)| DocOutput::Name(name.to_string()))
            }
            _ => DocOutput::Place(place),
        }
    }

    /// What a document calls what a pass begins with.
    pub(super) fn begins(&self, scope: ScopeId, wire: Wire) -> Option<String> {
        let node = &self.built.nodes[self.runs.get(&scope)?.index()];
        match (wire, &node.op) {
            (Wire::FoldIndex(_), _) => Some("index".to_owned()),
            (Wire::FoldValue(_, slot), NodeOp::Fold(body, _)) => {
                let (slot, values) = (usize::from(slot), node.inputs.len() - 1);
                let named = |part: Option<&str>, slot: usize| match (part, values) {
                    (None, 1) => "value".to_owned(),
                    (Some(part), 1) => part.to_owned(),
                    (None, _) => slot_name('s', slot),
                    (Some(part), _) => format!("{part}.{}", slot_name('s', slot)),
                };
                Some(match scope == *body {
                    true => named(None, slot),
                    false if slot < values => named(Some("before"), slot),
                    false => named(Some("after"), slot - values),
                })
            }
            (Wire::FoldValue(_, slot), NodeOp::Each(..)) => {
                let (slot, fields) = (usize::from(slot), self.item_fields(node.inputs.first().copied()?));
                match slot.checked_sub(fields) {
                    Some(carried) => Some(slot_name('c', carried)),
                    None => (fields == 1).then(|| "item".to_owned()),
                }
            }
            (Wire::State(_, slot), _) => {
                let (name, _) = self.decl(scope)?.columns.get(usize::from(slot))?;
                Some(format!("column.{name}"))
            }
            (Wire::Step(_, field), _) => Some(
                match field {
                    StepField::Dt => "dt",
                    StepField::Time => "time",
                    StepField::Index => "index",
                    StepField::First => "raw.first",
                    StepField::Start => "start",
                    StepField::Frame => "raw.frame",
                    StepField::Progress => "raw.progress",
                    StepField::Share => "raw.share",
                }
                .to_owned(),
            ),
            _ => None,
        }
    }

    /// The type of a value that a pass begins with.
    pub(super) fn slot_type(&self, scope: ScopeId, slot: usize) -> Option<Type> {
        let node = &self.built.nodes[self.runs.get(&scope)?.index()];
        match &node.op {
            NodeOp::Fold(..) => {
                let values = node.inputs.len() - 1;
                node.outputs.get(slot % values.max(1)).copied()
            }
            NodeOp::Each(..) => {
                let source = node.inputs.first().copied()?;
                let fields = self.item_fields(source);
                match slot.checked_sub(fields) {
                    Some(carried) => node.outputs.get(1 + carried).copied(),
                    None => self.item_types(source)?.get(slot).copied(),
                }
            }
            _ => None,
        }
    }

    /// How many fields an item of a list has; none of a count.
    fn item_fields(&self, source: Wire) -> usize {
        match source {
            Wire::Node(id, _) => match self.built.nodes[id.index()].op {
                NodeOp::List(fields) => usize::from(fields),
                NodeOp::Each(_, made) if self.type_of(source) == Some(Type::List) => usize::from(made),
                _ => usize::from(self.type_of(source) == Some(Type::List)),
            },
            _ => usize::from(self.type_of(source) == Some(Type::List)),
        }
    }

    /// The types of the fields of an item of a list, where the graph says them.
    fn item_types(&self, list: Wire) -> Option<Vec<Type>> {
        let Wire::Node(id, _) = list else { return None };
        let node = &self.built.nodes[id.index()];
        let wires = match &node.op {
            NodeOp::List(fields) => node.inputs.get(..usize::from(*fields))?,
            NodeOp::Each(body, made) => self.built.scopes[body.index()].results.get(..usize::from(*made))?,
            _ => return None,
        };
        wires.iter().map(|wire| self.type_of(*wire)).collect()
    }

    /// A node that is no operator and no operation.
    pub(super) fn construct(&mut self, id: NodeId, site: &Location) -> Result<DocNode, String> {
        let built = self.built;
        let node = &built.nodes[id.index()];
        let single = |count: u16, what: &str| match count {
            1 => Ok(()),
            _ => Err(format!(
                "{what} of {count} values at once is not in the words of documents"
            )),
        };
        match &node.op {
            NodeOp::Pick(outputs) => {
                single(*outputs, "a pick")?;
                let mut written = bare("construct.pick");
                let (choice, alternatives) = node.inputs.split_first().ok_or("a pick of nothing")?;
                let choice = self.argument(*choice, site, "pick");
                written.inputs.insert("choice".to_owned(), choice);
                let sources = self.sources(alternatives, site, "pick");
                written.inputs.insert("alternatives".to_owned(), sources);
                Ok(written)
            }
            NodeOp::List(fields) => {
                single(*fields, "a list of items")?;
                if node.inputs.is_empty() {
                    return Err("a list of no items has no type that a document could state".to_owned());
                }
                let mut written = bare("construct.list");
                let sources = self.sources(&node.inputs, site, "list");
                written.inputs.insert("items".to_owned(), sources);
                Ok(written)
            }
            NodeOp::Item => {
                single(node.outputs.len() as u16, "an item")?;
                let mut written = bare("construct.item");
                for (name, wire) in ["list", "index"].iter().zip(&node.inputs) {
                    let argument = self.argument(*wire, site, "item");
                    written.inputs.insert((*name).to_owned(), argument);
                }
                let ty = type_name(node.outputs.first().copied())?;
                written.inputs.insert("type".to_owned(), super::items::text(ty));
                Ok(written)
            }
            NodeOp::Fold(body, stop) => self.fold(&node.inputs, *body, *stop, site),
            NodeOp::Each(body, made) => {
                single(*made, "a for that makes items")?;
                self.each(&node.inputs, *body, site)
            }
            NodeOp::Step(body) => self.step(&node.inputs, *body, site),
            NodeOp::Math(_) | NodeOp::Operation(_) => Err("it is no construct".to_owned()),
        }
    }

    fn sources(&mut self, wires: &[Wire], site: &Location, what: &str) -> DocArgument {
        DocArgument::Sources(wires.iter().map(|wire| self.source(*wire, site, what)).collect())
    }

    fn named(&mut self, prefix: char, wires: &[Wire], site: &Location, what: &str) -> DocArgument {
        let wires = wires.iter().enumerate();
        let named = wires.map(|(slot, wire)| (slot_name(prefix, slot), self.source(*wire, site, what)));
        DocArgument::Named(named.collect::<BTreeMap<String, DocSource>>())
    }

    /// A body with what its passes leave, by these names.
    fn body(&mut self, scope: ScopeId, names: Vec<String>, site: &Location, what: &str) -> DocBody {
        let built = self.built;
        let results = names.into_iter().zip(&built.scopes[scope.index()].results);
        let results: BTreeMap<String, DocArgument> = results
            .map(|(name, wire)| (name, self.argument(*wire, site, what)))
            .collect();
        DocBody {
            nodes: self.nodes.remove(&scope).unwrap_or_default(),
            results,
        }
    }

    fn fold(&mut self, inputs: &[Wire], body: ScopeId, stop: FoldStop, site: &Location) -> Result<DocNode, String> {
        let (count, init) = inputs.split_first().ok_or("a fold of nothing")?;
        let mut written = bare("construct.fold");
        let count = self.argument(*count, site, "fold");
        written.inputs.insert("count".to_owned(), count);
        let (held, names) = match init {
            [] => return Err("a fold of no state is not in the words of documents".to_owned()),
            [one] => (self.argument(*one, site, "fold"), vec!["value".to_owned()]),
            several => (
                self.named('s', several, site, "fold"),
                (0..several.len()).map(|slot| slot_name('s', slot)).collect(),
            ),
        };
        written.inputs.insert("init".to_owned(), held);
        written.body = Some(self.body(body, names, site, "fold"));
        written.stop = match stop {
            FoldStop::Never => None,
            FoldStop::Unchanged => Some(DocStop::Named("changed".to_owned())),
            FoldStop::When(stop) => {
                let stop = self.body(stop, vec!["stop".to_owned()], site, "fold");
                Some(DocStop::Body(Box::new(stop)))
            }
        };
        Ok(written)
    }

    fn each(&mut self, inputs: &[Wire], body: ScopeId, site: &Location) -> Result<DocNode, String> {
        let (source, carried) = inputs.split_first().ok_or("a for over nothing")?;
        let mut written = bare("construct.for");
        let argument = self.argument(*source, site, "for");
        match self.item_fields(*source) {
            0 => written.inputs.insert("count".to_owned(), argument),
            1 => {
                let types = self.item_types(*source);
                let ty = type_name(types.and_then(|types| types.first().copied()))?;
                written.inputs.insert("type".to_owned(), super::items::text(ty));
                written.inputs.insert("list".to_owned(), argument)
            }
            several => {
                return Err(format!(
                    "items of {several} values at once are not in the words of documents"
                ));
            }
        };
        if !carried.is_empty() {
            let carried = self.named('c', carried, site, "for");
            written.inputs.insert("carry".to_owned(), carried);
        }
        let mut names = vec!["item".to_owned()];
        names.extend((0..carried.len()).map(|slot| slot_name('c', slot)));
        written.body = Some(self.body(body, names, site, "for"));
        Ok(written)
    }

    fn step(&mut self, inputs: &[Wire], body: ScopeId, site: &Location) -> Result<DocNode, String> {
        let decl = self.decl(body).cloned().ok_or("a step without a state")?;
        let mut written = bare("construct.step");
        let count = inputs.first().copied().ok_or("a step of no count")?;
        let count = self.argument(count, site, "step");
        written.inputs.insert("count".to_owned(), count);
        written.inputs.insert("dt".to_owned(), DocArgument::Float(decl.dt_secs));
        if decl.substeps != 1 {
            let substeps = i32::try_from(decl.substeps);
            let substeps = substeps.map_err(|_| "a document states at most 2147483647 substeps".to_owned())?;
            written.inputs.insert("substeps".to_owned(), DocArgument::Int(substeps));
        }
        let columns = decl.columns.iter();
        written.state = columns
            .map(|(name, ty)| (name.to_string(), ty.name().to_owned()))
            .collect();
        let names = decl.columns.iter().map(|(name, _)| name.to_string()).collect();
        let mut passes = self.body(body, names, site, "step");
        // A column that is left as it is needs no word.
        let built = self.built;
        for (slot, (name, _)) in decl.columns.iter().enumerate() {
            if built.scopes[body.index()].results.get(slot) == Some(&Wire::State(body, slot as u16)) {
                passes.results.remove(&**name);
            }
        }
        written.body = Some(passes);
        Ok(written)
    }
}
