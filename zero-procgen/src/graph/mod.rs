//! A graph under construction and the definition that builds it.

pub(crate) mod choice;
pub(crate) mod clock;
pub(crate) mod definition;
pub(crate) mod geometry;
pub(crate) mod input;
pub(crate) mod list;
pub(crate) mod math;
pub(crate) mod ops;
pub(crate) mod raster;
mod sample;
pub(crate) mod scope;
pub(crate) mod socket;
pub(crate) mod timeline;
pub(crate) mod wire;

use crate::cook::Operation;
use crate::error::{BuildError, Site};
use crate::node::{Compose, Given};
use input::{InputDecl, PlainDecl, PlainValues};
use math::MathOp;
use socket::{AnySocket, Float, Int, Socket, Sockets, Vec3};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use wire::{
    Call, CallId, Class, ElementColumn, ElementId, Node, NodeId, NodeOp, Scope, ScopeId, ScopeKind, Type, Wire,
};

/// What a build has made so far. An author holds `&Graph` and sockets that borrow it.
pub struct Graph {
    inner: RefCell<Inner>,
    plain: PlainValues,
}

/// A named result of the graph.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub wire: Wire,
    /// What it is.
    pub ty: Type,
    /// The line that declared it.
    pub site: Site,
    /// Whether a disk cache keeps it, where the store has one.
    pub cached: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) nodes: Vec<Node>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) calls: Vec<Call>,
    pub(crate) elements: Vec<ElementColumn>,
    pub(crate) inputs: Vec<InputDecl>,
    pub(crate) plain: Vec<PlainDecl>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) checks: Vec<NodeId>,
    pub(crate) timeline: Option<timeline::Timeline>,
    /// What it makes, and the family it is of.
    pub(crate) description: String,
    pub(crate) family: String,
    /// The calls that a person wrote, in order.
    pub(crate) written: Vec<WrittenCall>,
    /// What the draws are keyed by: seed, scope and channel, by the state that these hash to.
    pub(crate) draws: BTreeMap<u32, (u32, String, String)>,
    /// The file of the document that the graph is read from, and the line that is being read.
    pub(crate) document: Option<Arc<str>>,
    line: Option<u32>,
    errors: Vec<BuildError>,
    scope_stack: Vec<ScopeId>,
    call_stack: Vec<CallId>,
    passes: Vec<String>,
}

/// A call that stands in no composition: what it was given and what it answered.
#[derive(Clone, Debug)]
pub(crate) struct WrittenCall {
    pub(crate) id: CallId,
    /// The body it was made in.
    pub(crate) scope: ScopeId,
    /// Nothing of a node that can't say.
    pub(crate) given: Option<Vec<(&'static str, Given)>>,
    pub(crate) answers: Vec<Wire>,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inner = self.inner.borrow();
        f.debug_struct("Graph")
            .field("nodes", &inner.nodes.len())
            .field("calls", &inner.calls.len())
            .finish()
    }
}

impl Graph {
    pub(crate) fn new(plain: PlainValues) -> Graph {
        let root = Scope {
            kind: ScopeKind::Graph,
            results: Vec::new(),
        };
        let inner = Inner {
            scopes: vec![root],
            scope_stack: vec![ScopeId(0)],
            ..Inner::default()
        };
        Graph {
            inner: RefCell::new(inner),
            plain,
        }
    }

    pub(crate) fn into_parts(self) -> (Inner, Vec<BuildError>) {
        let mut inner = self.inner.into_inner();
        let errors = std::mem::take(&mut inner.errors);
        (inner, errors)
    }

    /// What is made from here on is stated by this line of a document.
    pub(crate) fn read_from(&self, document: &Arc<str>, line: u32) {
        let mut inner = self.inner.borrow_mut();
        inner.document = Some(document.clone());
        inner.line = Some(line);
    }

    /// The line of a call: of the document, where the graph is read from one.
    fn site(&self, code: Site) -> Site {
        self.inner.borrow().line.map_or(code, Site::in_document)
    }

    /// Adds a node and answers what it gives. Nothing fails here: what the node refuses comes out of
    /// [`Graph::define`] with this line.
    #[track_caller]
    pub fn add<'g, N: Compose<'g>>(&'g self, node: N) -> N::Out {
        let schema = N::schema();
        let site = self.site(Site::caller());
        self.enter(schema.id, site);
        let outermost = self.inner.borrow().call_stack.len() == 1;
        let given = if outermost { node.given() } else { None };
        let answer = node.check().and_then(|()| node.compose(self));
        let call = self.inner.borrow_mut().call_stack.pop();
        let answer = answer.unwrap_or_else(|error| {
            self.refuse(site, schema.id, error.to_string());
            N::Out::refused(self)
        });
        if let (Some(id), true) = (call, outermost) {
            let mut inner = self.inner.borrow_mut();
            let scope = inner.scope_stack.last().copied().unwrap_or(ScopeId(0));
            let answers = answer.wires();
            inner.written.push(WrittenCall {
                id,
                scope,
                given,
                answers,
            });
        }
        answer
    }

    fn enter(&self, node: &'static str, site: Site) {
        let mut inner = self.inner.borrow_mut();
        let parent = inner.call_stack.last().copied();
        let pass = inner.passes.join("/");
        let id = CallId(inner.calls.len() as u32);
        inner.calls.push(Call {
            node,
            site,
            parent,
            pass,
        });
        inner.call_stack.push(id);
    }

    /// Files a refusal under the outermost call that is being composed, which is the line the person can edit.
    pub(crate) fn refuse(&self, site: Site, what: &str, message: String) {
        let site = self.site(site);
        let mut inner = self.inner.borrow_mut();
        let outermost = inner.call_stack.first().map(|id| inner.calls[id.index()].clone());
        let (site, what) = match outermost {
            Some(call) => (call.site, call.node.to_owned()),
            None => (site, what.to_owned()),
        };
        // The line says which node; its id before the input's name says it again.
        let message = match message.strip_prefix(&what).and_then(|rest| rest.strip_prefix('.')) {
            Some(rest) => rest.to_owned(),
            None => message,
        };
        let site = site.located(inner.document.as_ref());
        inner.errors.push(BuildError { site, what, message });
    }

    /// Files a refusal that states its line.
    pub(crate) fn file(&self, refused: BuildError) {
        self.inner.borrow_mut().errors.push(refused);
    }

    fn push(&self, op: NodeOp, inputs: Vec<Wire>, outputs: Vec<Type>, site: Site) -> NodeId {
        let site = self.site(site);
        let mut inner = self.inner.borrow_mut();
        let id = NodeId(inner.nodes.len() as u32);
        let scope = inner.scope_stack.last().copied().unwrap_or(ScopeId(0));
        let call = inner.call_stack.last().copied();
        inner.nodes.push(Node {
            op,
            inputs,
            outputs,
            scope,
            call,
            site,
        });
        id
    }

    /// Records an operator over sockets.
    #[track_caller]
    pub(crate) fn math<'g, S: Socket<'g>>(&'g self, op: MathOp, inputs: &[AnySocket<'g>]) -> S {
        S::from_wire(self, self.math_any(op, inputs).wire)
    }

    #[track_caller]
    pub(crate) fn math_any<'g>(&'g self, op: MathOp, inputs: &[AnySocket<'g>]) -> AnySocket<'g> {
        let site = Site::caller();
        let wires: Vec<Wire> = inputs.iter().map(|socket| socket.wire).collect();
        let types: Vec<Type> = inputs.iter().map(|socket| socket.ty).collect();
        let ty = op.output(&types);
        let wire = match self.usable(&op.name(), &wires, site) {
            true => Wire::Node(self.push(NodeOp::Math(op), wires, vec![ty], site), 0),
            false => Wire::Refused,
        };
        AnySocket {
            graph: Some(self),
            wire,
            ty,
        }
    }

    /// Records an operation: one of the four ops or a construct. This is the untyped door for node authors.
    #[track_caller]
    pub fn operation<'g>(
        &'g self,
        op: impl Operation,
        inputs: Vec<AnySocket<'g>>,
        outputs: Vec<Type>,
    ) -> OperationOut<'g> {
        self.operation_arc(Arc::new(op), inputs, outputs)
    }

    #[track_caller]
    pub(crate) fn operation_arc<'g>(
        &'g self,
        op: Arc<dyn Operation>,
        inputs: Vec<AnySocket<'g>>,
        outputs: Vec<Type>,
    ) -> OperationOut<'g> {
        let site = Site::caller();
        let wires: Vec<Wire> = inputs.iter().map(|socket| socket.wire).collect();
        if !self.usable(op.id(), &wires, site) {
            return OperationOut {
                graph: self,
                node: None,
                outputs,
            };
        }
        let id = self.push(NodeOp::Operation(op), wires, outputs.clone(), site);
        OperationOut {
            graph: self,
            node: Some(id),
            outputs,
        }
    }

    /// Whether the wires can be read: a refused one has been reported already, a constant must be finite.
    fn usable(&self, what: &str, wires: &[Wire], site: Site) -> bool {
        for (index, wire) in wires.iter().enumerate() {
            if *wire == Wire::Refused {
                return false;
            }
            let finite = wire
                .numbers()
                .is_none_or(|lanes| lanes.iter().all(|lane| lane.is_finite()));
            if !finite {
                self.refuse(
                    site,
                    what,
                    format!("operand {} is {wire:?}; numbers must be finite", index + 1),
                );
                return false;
            }
            let inner = self.inner.borrow();
            let open = wire
                .body(&inner.nodes)
                .is_none_or(|body| inner.scope_stack.contains(&body));
            drop(inner);
            if !open {
                let message = "a value of a body is read outside that body".to_owned();
                self.refuse(site, what, message);
                return false;
            }
        }
        true
    }

    /// Names a result of the graph.
    #[track_caller]
    pub fn output<'g>(&'g self, name: &str, value: impl Into<AnySocket<'g>>) {
        let site = self.site(Site::caller());
        let value = value.into();
        if value.wire == Wire::Refused {
            return;
        }
        if !self.at_top() {
            return self.refuse(
                site,
                "output",
                format!("'{name}' is declared inside a body that runs more than once"),
            );
        }
        if self.inner.borrow().outputs.iter().any(|output| output.name == name) {
            return self.refuse(site, "output", format!("'{name}' is declared twice"));
        }
        self.inner.borrow_mut().outputs.push(Output {
            name: name.to_owned(),
            wire: value.wire,
            ty: value.ty,
            site,
            cached: false,
        });
    }

    /// Says what the graph makes and when to use it: [`GraphDef::description`](crate::GraphDef::description).
    #[track_caller]
    pub fn describe(&self, text: &str) {
        self.state("describe", text, |inner| &mut inner.description);
    }

    /// Says which family the graph is of, such as `fx`: [`GraphDef::family`](crate::GraphDef::family).
    #[track_caller]
    pub fn family(&self, name: &str) {
        self.state("family", name, |inner| &mut inner.family);
    }

    #[track_caller]
    fn state(&self, what: &str, text: &str, place: impl FnOnce(&mut Inner) -> &mut String) {
        let site = Site::caller();
        let mut inner = self.inner.borrow_mut();
        let held = place(&mut inner);
        if !held.is_empty() && held != text {
            let message = format!("{held:?} was stated before, {text:?} now");
            drop(inner);
            return self.refuse(site, what, message);
        }
        text.clone_into(held);
    }

    /// Marks an output, declared before, to be kept on disk where the store has a
    /// [`DiskCache`](crate::DiskCache): one that takes long to cook and stands on little. While it follows a number that
    /// moves it is not written; one that stands on a geometry or a raster from outside never is, which the report says.
    #[track_caller]
    pub fn cache(&self, name: &str) {
        let mut inner = self.inner.borrow_mut();
        if let Some(output) = inner.outputs.iter_mut().find(|output| output.name == name) {
            output.cached = true;
            return;
        }
        let names = inner.outputs.iter().map(|output| output.name.as_str());
        let unknown = crate::Error::unknown("output", name, names).to_string();
        drop(inner);
        self.refuse(Site::caller(), "cache", unknown);
    }

    /// Refuses the graph with the message unless the condition holds: at once where the build knows it, at the cook
    /// otherwise. The condition is one truth, not one an element.
    #[track_caller]
    pub fn check<'g>(&'g self, condition: impl Into<socket::Bool<'g>>, message: &str) {
        let condition: socket::Bool<'g> = condition.into();
        match condition.wire() {
            Wire::Bool(true) | Wire::Refused => {}
            Wire::Bool(false) => self.refuse(Site::caller(), "check", message.to_owned()),
            _ if !self.at_top() => {
                let message = format!("'{message}' is checked in a body that runs more than once; check it outside");
                self.refuse(Site::caller(), "check", message);
            }
            _ => {
                let op = crate::cook::construct::Check {
                    message: message.into(),
                    site: self.site(Site::caller()),
                };
                if let Some(node) = self.operation(op, vec![condition.into()], Vec::new()).node {
                    self.inner.borrow_mut().checks.push(node);
                }
            }
        }
    }

    /// The element that a field is evaluated over.
    pub fn element(&self) -> Element<'_> {
        Element { graph: self }
    }

    /// The position of the element that a field is evaluated over: its point's `P`.
    pub fn position(&self) -> Vec3<'_> {
        self.element().point("P")
    }

    /// A unit draw an element, within [0, 1), keyed by (seed 0, the scope `graph`, the channel, the element's number).
    /// Two passes of a loop draw alike unless their channel or seed differs: see [`Graph::draw`].
    #[track_caller]
    pub fn rand(&self, channel: &str) -> Float<'_> {
        self.draw(0, "graph", channel, self.element().id())
    }

    /// A unit draw within [0, 1) keyed by the seed, the scope, the channel and the element: equal keys draw alike in
    /// every graph and on every machine.
    #[track_caller]
    pub fn draw<'g>(&'g self, seed: u32, scope: &str, channel: &str, element: impl Into<Int<'g>>) -> Float<'g> {
        let state = zero_noise::Scope::new(seed).text(scope).text(channel).state();
        let draw = (seed, scope.to_owned(), channel.to_owned());
        self.inner.borrow_mut().draws.entry(state).or_insert(draw);
        ops::apply(MathOp::Draw(state), &[element.into().into()])
    }

    /// A field as a run on the device, over this many elements: one dispatch.
    #[track_caller]
    pub fn column_of<'g>(&'g self, count: impl Into<Int<'g>>, value: impl Into<AnySocket<'g>>) -> socket::Col<'g> {
        let value = value.into();
        let op = crate::cook::construct::Evaluate {
            ty: value.ty,
            exact: false,
        };
        self.operation(op, vec![count.into().into(), value], vec![Type::Column])
            .single()
    }

    /// The same for values that decide something: the same bits on every device, or a refusal that names the operator
    /// that can't have them.
    #[track_caller]
    pub fn exact_column_of<'g>(
        &'g self,
        count: impl Into<Int<'g>>,
        value: impl Into<AnySocket<'g>>,
    ) -> socket::Col<'g> {
        let value = value.into();
        let op = crate::cook::construct::Evaluate {
            ty: value.ty,
            exact: true,
        };
        self.operation(op, vec![count.into().into(), value], vec![Type::Column])
            .single()
    }

    /// Labels what is made until the guard drops, so that reports tell the passes of a loop apart. It changes no
    /// result: equal nodes of two passes are one.
    pub fn scope(&self, label: &str, index: impl std::fmt::Display) -> Pass<'_> {
        self.inner.borrow_mut().passes.push(format!("{label} {index}"));
        Pass { graph: self }
    }

    pub(crate) fn element_wire(&self, class: Class, name: &str, ty: Type) -> Wire {
        let column = ElementColumn {
            class,
            name: name.into(),
            ty,
        };
        let mut inner = self.inner.borrow_mut();
        let known = inner.elements.iter().position(|held| *held == column);
        let index = known.unwrap_or_else(|| {
            inner.elements.push(column);
            inner.elements.len() - 1
        });
        Wire::Element(ElementId(index as u32))
    }

    pub(crate) fn at_top(&self) -> bool {
        self.inner.borrow().scope_stack.len() == 1
    }
}

/// The outputs of an operation just recorded.
#[derive(Debug)]
pub struct OperationOut<'g> {
    graph: &'g Graph,
    node: Option<NodeId>,
    outputs: Vec<Type>,
}

impl<'g> OperationOut<'g> {
    /// An output by its place; refused where the type is another.
    #[track_caller]
    pub fn at<S: Socket<'g>>(&self, index: usize) -> S {
        match (self.node, self.outputs.get(index)) {
            (Some(node), Some(ty)) if *ty == S::TYPE => S::from_wire(self.graph, Wire::Node(node, index as u16)),
            (None, _) => S::from_wire(self.graph, Wire::Refused),
            (_, found) => {
                let found = found.map_or("nothing", |ty| ty.name());
                let message = format!("output {index}: expected {}, got {found}", S::TYPE.name());
                self.graph.refuse(Site::caller(), "operation", message);
                S::from_wire(self.graph, Wire::Refused)
            }
        }
    }

    /// An output by its place.
    pub(crate) fn wire(&self, place: usize) -> Wire {
        let node = self.node.filter(|_| place < self.outputs.len());
        node.map_or(Wire::Refused, |node| Wire::Node(node, place as u16))
    }

    /// The first output, whatever it is.
    pub(crate) fn any(&self) -> AnySocket<'g> {
        AnySocket {
            graph: Some(self.graph),
            wire: self.node.map_or(Wire::Refused, |node| Wire::Node(node, 0)),
            ty: self.outputs.first().copied().unwrap_or(Type::Float),
        }
    }

    /// The first output.
    #[track_caller]
    pub fn single<S: Socket<'g>>(&self) -> S {
        self.at(0)
    }
}

/// Reads of the element that a field is evaluated over.
#[derive(Clone, Copy, Debug)]
pub struct Element<'g> {
    graph: &'g Graph,
}

impl<'g> Element<'g> {
    /// The element's number, from 0.
    pub fn id(self) -> Int<'g> {
        Int::from_wire(self.graph, Wire::ElementNumber)
    }
    /// A column of the points.
    pub fn point<S: Socket<'g>>(self, name: &str) -> S {
        self.column(Class::Point, name)
    }
    /// A column of the primitives.
    pub fn primitive<S: Socket<'g>>(self, name: &str) -> S {
        self.column(Class::Primitive, name)
    }
    /// A column of the vertices.
    pub fn vertex<S: Socket<'g>>(self, name: &str) -> S {
        self.column(Class::Vertex, name)
    }
    /// A column of a class. It is resolved where the field is consumed, by the geometry it is consumed for.
    #[track_caller]
    pub fn column<S: Socket<'g>>(self, class: Class, name: &str) -> S {
        if S::TYPE.lanes().is_none() {
            let message = format!("a column is read as numbers, not as {}", S::TYPE.name());
            self.graph.refuse(Site::caller(), "element", message);
            return S::from_wire(self.graph, Wire::Refused);
        }
        S::from_wire(self.graph, self.graph.element_wire(class, name, S::TYPE))
    }
}

/// Labels what is made while it lives.
#[derive(Debug)]
#[must_use = "the label ends when this drops"]
pub struct Pass<'g> {
    graph: &'g Graph,
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.graph.inner.borrow_mut().passes.pop();
    }
}
