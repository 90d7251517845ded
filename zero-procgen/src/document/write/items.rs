//! What a document names: calls, nodes and leaves.

use super::super::construct::{OPERANDS, OPERATORS, clock_name, operator_id};
use super::super::{DocArgument, DocNode, DocSource};
use super::{Writer, operations};
use crate::error::Location;
use crate::graph::input::InputValue;
use crate::graph::math::MathOp;
use crate::graph::wire::{CallId, ClockField, ElementId, NodeId, NodeOp, ScopeId, Type, Wire};
use crate::node::{Default as InputDefault, Given, InputSchema};
use std::collections::{BTreeMap, BTreeSet};

/// A node of the document.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) enum Item {
    Call(CallId),
    Node(NodeId),
    ElementNumber,
    Element(ElementId),
    Clock(ClockField),
    /// A constant of a type that its number alone does not say, by the bits of its lanes.
    Constant(&'static str, [u32; 4]),
}

/// A node of this id without anything.
pub(super) fn bare(node: &str) -> DocNode {
    DocNode {
        node: node.to_owned(),
        inputs: BTreeMap::new(),
        state: BTreeMap::new(),
        body: None,
        stop: None,
    }
}

pub(super) fn text(text: impl Into<String>) -> DocArgument {
    DocArgument::Text(text.into())
}

impl Writer<'_> {
    /// The call that a node was made for, else the node.
    pub(super) fn item_of(&self, id: NodeId) -> Item {
        let mut at = self.built.nodes[id.index()].call;
        let mut outermost = None;
        while let Some(call) = at {
            outermost = Some(call);
            at = self.built.calls[call.index()].parent;
        }
        outermost.map_or(Item::Node(id), Item::Call)
    }

    /// The calls and nodes that outputs and checks stand on, those of one kind in the order they were made.
    pub(super) fn needed(&self) -> BTreeSet<Item> {
        let built = self.built;
        let mut open: Vec<Wire> = built.outputs.iter().map(|output| output.wire).collect();
        let mut needed: BTreeSet<Item> = BTreeSet::new();
        let mut fresh: Vec<Item> = built.checks.iter().map(|check| self.item_of(*check)).collect();
        loop {
            while let Some(item) = fresh.pop() {
                if needed.insert(item) {
                    self.reads(item, &mut open);
                }
            }
            match open.pop() {
                None => return needed,
                Some(Wire::Node(id, _)) => fresh.push(self.item_of(id)),
                Some(_) => {}
            }
        }
    }

    /// The wires that an item reads.
    fn reads(&self, item: Item, open: &mut Vec<Wire>) {
        match item {
            Item::Call(id) => {
                let call = self.calls.get(&id);
                for (_, given) in call.and_then(|call| call.given.as_ref()).into_iter().flatten() {
                    match given {
                        Given::Wire(wire) => open.push(*wire),
                        Given::Wires(wires) => open.extend(wires),
                        Given::Plain(_) => {}
                    }
                }
            }
            Item::Node(id) => {
                open.extend(&self.built.nodes[id.index()].inputs);
                let bodies = super::scopes::bodies(&self.built.nodes[id.index()].op);
                open.extend(bodies.flat_map(|body| &self.built.scopes[body.index()].results));
            }
            _ => {}
        }
    }

    /// Gives every item a name of its own: a step the name it has, any other one after what it does.
    pub(super) fn name(&mut self, needed: &BTreeSet<Item>) {
        let steps: Vec<(Item, String)> = needed
            .iter()
            .filter_map(|item| match item {
                Item::Node(id) => Some((*item, self.step_name(*id)?)),
                _ => None,
            })
            .collect();
        for (item, name) in steps {
            if !self.taken.insert(name.clone()) {
                let message = format!("two steps are named '{name}', which a document tells apart by their names");
                self.refuse(self.site(item), "step", message);
            }
            self.names.insert(item, name);
        }
        for item in needed {
            if !self.names.contains_key(item) {
                let base = self.base_name(*item);
                self.name_after(*item, &base);
            }
        }
    }

    pub(super) fn name_after(&mut self, item: Item, base: &str) -> String {
        let numbered = (2u32..).map(|number| format!("{base}_{number}"));
        let mut names = std::iter::once(base.to_owned()).chain(numbered);
        let name = names.find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(name.clone());
        self.names.insert(item, name.clone());
        name
    }

    fn base_name(&self, item: Item) -> String {
        let id = match item {
            Item::Call(call) => self.built.calls[call.index()].node.to_owned(),
            Item::Node(node) => match &self.built.nodes[node.index()].op {
                NodeOp::Math(op) => operator_id(*op),
                op => op.name(),
            },
            _ => String::new(),
        };
        id.rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// The line that an item was written on.
    pub(super) fn site(&self, item: Item) -> Location {
        let site = match item {
            Item::Call(call) => self.built.calls[call.index()].site,
            Item::Node(node) => self.built.nodes[node.index()].site,
            _ => crate::error::Site { file: "", line: 0 },
        };
        site.located(self.built.document.as_ref())
    }

    pub(super) fn write(&mut self, item: Item) {
        match item {
            Item::Call(call) => self.write_call(item, call),
            Item::Node(node) => self.write_node(item, node),
            _ => {}
        }
    }

    fn write_call(&mut self, item: Item, id: CallId) {
        let (site, node) = (self.site(item), self.built.calls[id.index()].node);
        let Some(call) = self.calls.get(&id).copied() else {
            return;
        };
        let schema = match self.registry.schema(node) {
            Ok(schema) => schema,
            Err(error) => return self.refuse(site, node, format!("the registry holds {error}")),
        };
        let Some(given) = &call.given else {
            let message = "the node does not say what it was given".to_owned();
            return self.refuse(site, node, message);
        };
        let mut written = bare(node);
        for (name, given) in given {
            let input = schema.inputs.iter().find(|input| input.name == *name);
            if input.is_some_and(|input| is_default(input, given)) {
                continue;
            }
            let argument = match given {
                Given::Wire(wire) => self.argument_of_node(*wire, &site, node),
                Given::Wires(wires) => {
                    let sources = wires.iter().map(|wire| self.source(*wire, &site, node));
                    DocArgument::Sources(sources.collect())
                }
                Given::Plain(value) => plain(value),
            };
            written.inputs.insert((*name).to_owned(), argument);
        }
        let name = self.names.get(&item).cloned().unwrap_or_default();
        self.put(call.scope, name, written);
    }

    fn write_node(&mut self, item: Item, id: NodeId) {
        let (site, node) = (self.site(item), &self.built.nodes[id.index()]);
        let written = match &node.op {
            NodeOp::Math(op) => self.operator(*op, &node.inputs, &site),
            NodeOp::Operation(op) => match operations::stated(op.as_ref()) {
                Some(stated) => Ok(self.operation(&stated, &node.inputs, &site)),
                None => Err("its work is Rust code, which a document can't hold".to_owned()),
            },
            _ => self.construct(id, &site),
        };
        match written {
            Ok(written) => {
                let name = self.names.get(&item).cloned().unwrap_or_default();
                self.put(node.scope, name, written);
            }
            Err(message) => self.refuse(site, &node.op.name(), message),
        }
    }

    fn operator(&mut self, op: MathOp, inputs: &[Wire], site: &Location) -> std::result::Result<DocNode, String> {
        let compared = match op {
            MathOp::Eq => Some("eq"),
            MathOp::Ne => Some("neq"),
            MathOp::Lt => Some("lt"),
            MathOp::Le => Some("le"),
            MathOp::Gt => Some("gt"),
            MathOp::Ge => Some("ge"),
            _ => None,
        };
        let (id, names): (String, &[&str]) = match op {
            _ if compared.is_some() => ("construct.compare".to_owned(), &["a", "b"]),
            MathOp::Where => ("construct.where".to_owned(), &["cond", "a", "b"]),
            MathOp::Draw(_) => ("construct.draw".to_owned(), &["element"]),
            MathOp::Read(_) => ("construct.read".to_owned(), &["column"]),
            MathOp::Gather(_) => ("construct.gather".to_owned(), &["column", "index"]),
            _ if OPERATORS.iter().any(|(known, _)| *known == op) => (operator_id(op), &OPERANDS),
            _ => return Err("no document names this operator; nodes of the field family use it".to_owned()),
        };
        let mut written = bare(&id);
        if let Some(compared) = compared {
            written.inputs.insert("op".to_owned(), text(compared));
        }
        if let MathOp::Read(ty) | MathOp::Gather(ty) = op {
            written.inputs.insert("type".to_owned(), text(ty.name()));
        }
        if let MathOp::Draw(state) = op {
            let Some((seed, scope, channel)) = self.built.draws.get(&state) else {
                return Err("a draw of no seed, scope and channel".to_owned());
            };
            written.inputs.insert("channel".to_owned(), text(channel));
            if *seed != 0 {
                written
                    .inputs
                    .insert("seed".to_owned(), plain(&InputValue::UInt(*seed)));
            }
            if scope != "graph" {
                written.inputs.insert("scope".to_owned(), text(scope));
            }
            if inputs == [Wire::ElementNumber] {
                return Ok(written);
            }
        }
        for (name, wire) in names.iter().zip(inputs) {
            let argument = self.argument(*wire, site, &id);
            written.inputs.insert((*name).to_owned(), argument);
        }
        Ok(written)
    }

    fn operation(&mut self, stated: &operations::Stated, inputs: &[Wire], site: &Location) -> DocNode {
        let mut written = bare(stated.node);
        for (name, value) in &stated.params {
            written.inputs.insert((*name).to_owned(), value.clone());
        }
        let mut wires = inputs.iter();
        for (name, wire) in stated.inputs.iter().zip(&mut wires) {
            let argument = self.argument(*wire, site, stated.node);
            written.inputs.insert((*name).to_owned(), argument);
        }
        if let Some((name, columns)) = &stated.named {
            let columns = columns.iter().zip(wires);
            let named = columns.map(|(column, wire)| (column.clone(), self.source(*wire, site, stated.node)));
            let named: BTreeMap<String, DocSource> = named.collect();
            written.inputs.insert((*name).to_owned(), DocArgument::Named(named));
        }
        written
    }

    /// A wire as an argument of a construct: in place where the number says its type.
    pub(super) fn argument(&mut self, wire: Wire, site: &Location, what: &str) -> DocArgument {
        match wire {
            Wire::Float(value) => DocArgument::Float(value),
            Wire::Int(value) => DocArgument::Int(value),
            Wire::Bool(value) => DocArgument::Bool(value),
            Wire::Vec2(value) => DocArgument::Vec2(value),
            Wire::Vec3(value) => DocArgument::Vec3(value),
            Wire::Vec4(value) => DocArgument::Vec4(value),
            _ => DocArgument::Source(self.source(wire, site, what)),
        }
    }

    /// The same of a node, whose schema says the types.
    fn argument_of_node(&mut self, wire: Wire, site: &Location, what: &str) -> DocArgument {
        match wire {
            Wire::UInt(value) => plain(&InputValue::UInt(value)),
            Wire::Quat(value) | Wire::Color(value) => DocArgument::Vec4(value),
            _ => self.argument(wire, site, what),
        }
    }

    /// The name of the node that stands for a leaf, which is written where it is first read.
    pub(super) fn leaf(&mut self, wire: Wire) -> std::result::Result<String, String> {
        let (item, base) = match (wire, wire.as_constant()) {
            (_, Some((ty, bits))) => (Item::Constant(ty.name(), bits), ty.name().to_lowercase()),
            (Wire::ElementNumber, _) => (Item::ElementNumber, "id".to_owned()),
            (Wire::Element(id), _) => (Item::Element(id), self.built.elements[id.index()].name.to_string()),
            (Wire::Clock(field), _) => (Item::Clock(field), clock_name(field)),
            _ => return Err(format!("no document names {wire:?}")),
        };
        if let Some(name) = self.names.get(&item) {
            return Ok(name.clone());
        }
        let mut written = bare("construct.element");
        match (item, wire) {
            (Item::Element(id), _) => {
                let column = &self.built.elements[id.index()];
                let (class, name, ty) = (column.class.name(), column.name.to_string(), column.ty.name());
                written.inputs.insert("class".to_owned(), text(class));
                written.inputs.insert("name".to_owned(), text(name));
                written.inputs.insert("type".to_owned(), text(ty));
            }
            (Item::Clock(field), _) => {
                written = bare("construct.clock");
                written.inputs.insert("field".to_owned(), text(clock_name(field)));
            }
            (Item::Constant(ty, _), wire) => {
                written = bare("construct.constant");
                written.inputs.insert("type".to_owned(), text(ty));
                written.inputs.insert("value".to_owned(), constant(wire));
            }
            _ => {
                written.inputs.insert("name".to_owned(), text("id"));
            }
        }
        let name = self.name_after(item, &base);
        self.put(ScopeId(0), name.clone(), written);
        Ok(name)
    }
}

/// A constant as the value of its type.
fn constant(wire: Wire) -> DocArgument {
    match wire {
        Wire::Float(value) => DocArgument::Float(value),
        Wire::Int(value) => DocArgument::Int(value),
        Wire::Bool(value) => DocArgument::Bool(value),
        Wire::UInt(value) => plain(&InputValue::UInt(value)),
        Wire::Vec2(value) => DocArgument::Vec2(value),
        Wire::Vec3(value) => DocArgument::Vec3(value),
        Wire::Vec4(value) | Wire::Quat(value) | Wire::Color(value) => DocArgument::Vec4(value),
        _ => DocArgument::Bool(false),
    }
}

/// A value that the build reads.
fn plain(value: &InputValue) -> DocArgument {
    match value {
        InputValue::Float(value) => DocArgument::Float(*value),
        InputValue::Int(value) => DocArgument::Int(*value),
        // Read back as a UInt where one is asked for.
        InputValue::UInt(value) => i32::try_from(*value).map_or(DocArgument::UInt(*value), DocArgument::Int),
        InputValue::Bool(value) => DocArgument::Bool(*value),
        InputValue::Vec2(value) => DocArgument::Vec2(*value),
        InputValue::Vec3(value) => DocArgument::Vec3(*value),
        InputValue::Vec4(value) | InputValue::Quat(value) | InputValue::Color(value) => DocArgument::Vec4(*value),
        InputValue::Text(value) => DocArgument::Text(value.clone()),
        // No node takes one as a plain value.
        InputValue::Geometry(_) | InputValue::Raster(_) => DocArgument::Bool(false),
    }
}

/// Whether an input would be this anyway.
fn is_default(input: &InputSchema, given: &Given) -> bool {
    let Some(default) = &input.default else { return false };
    let value = match default {
        InputDefault::Float(value) => InputValue::Float(*value),
        InputDefault::Int(value) => InputValue::Int(*value),
        InputDefault::Bool(value) => InputValue::Bool(*value),
        InputDefault::UInt(value) => InputValue::UInt(*value),
        InputDefault::Vec2(value) => InputValue::Vec2(*value),
        InputDefault::Vec3(value) => InputValue::Vec3(*value),
        InputDefault::Vec4(value) => InputValue::Vec4(*value),
        InputDefault::Quat(value) => InputValue::Quat(*value),
        InputDefault::Color(value) => InputValue::Color(*value),
        InputDefault::Text(value) => InputValue::Text((*value).to_owned()),
    };
    match given {
        // By the bits: a zero of either sign is not the other.
        Given::Wire(wire) => {
            let held = value.constant().and_then(Wire::as_constant);
            held.is_some() && held == wire.as_constant()
        }
        Given::Plain(given) => **given == value,
        Given::Wires(_) => false,
    }
}

/// That a type of an item is one that a document names.
pub(super) fn type_name(ty: Option<Type>) -> std::result::Result<&'static str, String> {
    ty.map(Type::name)
        .ok_or_else(|| "the type of the items is not known before the cook".to_owned())
}
