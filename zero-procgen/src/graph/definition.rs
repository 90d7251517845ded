//! A graph as a value: the function that builds it, and the builds it has made.

use super::input::{InputDecl, InputValue, Inputs, PlainDecl, PlainValues};
use super::timeline::Timeline;
use super::wire::{Call, ElementColumn, Node, NodeId, NodeOp, Scope};
use super::{Graph, Output, WrittenCall};
use crate::error::{Error, Location, Result, Site};
use crate::plan::{Plan, operation_key};
use crate::value::Key;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Builds kept a definition, so that a plain value moved back and forth builds nothing.
const KEPT_BUILDS: usize = 8;

/// A graph, ready to be played. Cheap to clone and to send.
#[derive(Clone)]
pub struct GraphDef {
    inner: Arc<Definition>,
}

struct Definition {
    name: String,
    build: Box<dyn Fn(&Graph) + Send + Sync>,
    standard: Arc<Built>,
    /// Last used first.
    kept: Mutex<Vec<(PlainValues, Arc<Built>)>>,
    /// Last made first.
    plans: Mutex<Vec<Arc<Plan>>>,
}

/// What one build made.
#[derive(Debug)]
pub struct Built {
    pub(crate) name: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) calls: Vec<Call>,
    pub(crate) elements: Vec<ElementColumn>,
    pub(crate) inputs: Vec<InputDecl>,
    pub(crate) plain: Vec<PlainDecl>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) checks: Vec<NodeId>,
    /// How it is played, where it says so.
    pub(crate) timeline: Option<Timeline>,
    pub(crate) description: String,
    pub(crate) family: String,
    /// The calls that a person wrote, in order.
    pub(crate) written: Vec<WrittenCall>,
    /// What the draws are keyed by: seed, scope and channel, by the state that these hash to.
    pub(crate) draws: BTreeMap<u32, (u32, String, String)>,
    /// The file of the document it was read from.
    pub(crate) document: Option<Arc<str>>,
    /// Of what each operation does and its parameters; of other nodes nothing.
    pub(crate) keys: Vec<Key>,
}

impl std::fmt::Debug for GraphDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphDef")
            .field("name", &self.inner.name)
            .field("build", &self.inner.standard)
            .finish()
    }
}

impl Graph {
    /// Runs the function and keeps it: it runs again for other plain values. Every refusal of the build comes back
    /// here, each with its file and line.
    pub fn define(name: &str, build: impl Fn(&Graph) + Send + Sync + 'static) -> Result<GraphDef> {
        let standard = Arc::new(run(name, &build, PlainValues::new())?);
        let inner = Definition {
            name: name.to_owned(),
            build: Box::new(build),
            standard,
            kept: Mutex::default(),
            plans: Mutex::default(),
        };
        Ok(GraphDef { inner: Arc::new(inner) })
    }
}

fn run(name: &str, build: &dyn Fn(&Graph), plain: PlainValues) -> Result<Built> {
    let graph = Graph::new(plain);
    build(&graph);
    let (inner, errors) = graph.into_parts();
    if !errors.is_empty() {
        return Err(Error::Build {
            graph: name.to_owned(),
            errors,
        });
    }
    let keys = inner.nodes.iter().map(|node| match &node.op {
        NodeOp::Operation(op) => operation_key(op.as_ref()),
        _ => Key([0; 16]),
    });
    Ok(Built {
        keys: keys.collect(),
        name: name.to_owned(),
        nodes: inner.nodes,
        scopes: inner.scopes,
        calls: inner.calls,
        elements: inner.elements,
        inputs: inner.inputs,
        plain: inner.plain,
        outputs: inner.outputs,
        checks: inner.checks,
        timeline: inner.timeline,
        description: inner.description,
        family: inner.family,
        written: inner.written,
        draws: inner.draws,
        document: inner.document,
    })
}

impl GraphDef {
    /// The graph's name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// What it makes and when to use it, for its standard values; empty where it does not say.
    pub fn description(&self) -> &str {
        &self.inner.standard.description
    }

    /// The family it is of; empty where it does not say.
    pub fn family(&self) -> &str {
        &self.inner.standard.family
    }

    /// The inputs it declares, in order.
    pub fn inputs(&self) -> &[InputDecl] {
        &self.inner.standard.inputs
    }

    /// The plain values it declares, in order.
    pub fn plain(&self) -> &[PlainDecl] {
        &self.inner.standard.plain
    }

    /// The outputs it declares for its standard values, in order.
    pub fn outputs(&self) -> &[Output] {
        &self.inner.standard.outputs
    }

    /// How it is played over time for its standard values, where it says so.
    pub fn timeline(&self) -> Option<Timeline> {
        self.inner.standard.timeline
    }

    /// Whether it has an input or a plain value of the name that takes the value.
    pub(crate) fn takes(&self, name: &str, value: &InputValue) -> bool {
        let standard = &self.inner.standard;
        let input = standard.inputs.iter().find(|decl| decl.name == name);
        let plain = standard.plain.iter().find(|decl| decl.name == name);
        input.is_some_and(|decl| decl.accept(&self.inner.name, value).is_ok())
            || plain.is_some_and(|decl| decl.accepts(value))
    }

    /// The build for the standard values.
    pub(crate) fn standard(&self) -> &Built {
        &self.inner.standard
    }

    /// The build for the plain values among `inputs`: a kept one where there is one.
    pub(crate) fn built_for(&self, inputs: &Inputs) -> Result<Arc<Built>> {
        let standard = &self.inner.standard;
        let mut plain = PlainValues::new();
        for decl in &standard.plain {
            match inputs.get(&decl.name) {
                Some(value) if *value != decl.default => {
                    plain.insert(decl.name.clone(), value.clone());
                }
                _ => {}
            }
        }
        if plain.is_empty() {
            return Ok(standard.clone());
        }
        let mut kept = self.inner.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.iter().position(|(values, _)| *values == plain) {
            let found = kept.remove(place);
            kept.insert(0, found);
        } else {
            let built = Arc::new(run(&self.inner.name, &self.inner.build, plain.clone())?);
            kept.insert(0, (plain, built));
            kept.truncate(KEPT_BUILDS);
        }
        Ok(kept[0].1.clone())
    }

    /// The plan of a build, made once. It takes over from `base`, else from another build of this graph, what they have
    /// in common.
    pub(crate) fn planned(&self, built: &Arc<Built>, base: Option<&Plan>) -> Result<Arc<Plan>> {
        let mut plans = self.inner.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.iter().find(|plan| Arc::ptr_eq(&plan.built, built)) {
            return Ok(plan.clone());
        }
        let base = base.or(plans.first().map(Arc::as_ref));
        let plan = Arc::new(Plan::new(built.clone(), base)?);
        plans.insert(0, plan.clone());
        plans.truncate(KEPT_BUILDS + 1);
        Ok(plan)
    }

    /// What the graph computes for its standard values: see [`Plan::hash`].
    pub fn hash(&self) -> Result<crate::value::Key> {
        Ok(self.plan()?.hash())
    }

    /// The plan for the graph's standard values, to look at.
    pub fn plan(&self) -> Result<Arc<Plan>> {
        self.planned(&self.inner.standard, None)
    }
}

impl Built {
    /// The values of the inputs, the given ones checked and the rest by default, in the order of declaration.
    pub(crate) fn resolve(&self, given: &Inputs) -> Result<Vec<InputValue>> {
        for name in given.0.keys() {
            let known = || {
                self.inputs
                    .iter()
                    .map(|i| i.name.as_str())
                    .chain(self.plain.iter().map(|p| p.name.as_str()))
            };
            if !known().any(|known| known == name) {
                return Err(Error::unknown("input", name, known()));
            }
        }
        let value_of = |decl: &InputDecl| match (given.get(&decl.name), &decl.default) {
            (Some(value), _) => decl.accept(&self.name, value),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => Err(Error::Input {
                graph: self.name.clone(),
                input: decl.name.clone(),
                expected: format!("a {}", decl.ty.name()),
                found: "nothing; it has no default".to_owned(),
            }),
        };
        self.inputs.iter().map(value_of).collect()
    }

    /// The call a person wrote that a node was made for, and its line: the outermost one.
    pub(crate) fn described(&self, node: NodeId) -> (String, Location) {
        let (name, site) = self.outermost(node);
        (name, site.located(self.document.as_ref()))
    }

    fn outermost(&self, node: NodeId) -> (String, Site) {
        let Some(node) = self.nodes.get(node.index()) else {
            return (self.name.clone(), Site { file: "", line: 0 });
        };
        let mut named: Option<&Call> = None;
        let mut at = node.call;
        while let Some(id) = at {
            let call = &self.calls[id.index()];
            named = Some(call);
            at = call.parent;
        }
        match named {
            Some(call) if call.pass.is_empty() => (call.node.to_owned(), call.site),
            Some(call) => (format!("{} ({})", call.node, call.pass), call.site),
            None => (node.op.name(), node.site),
        }
    }
}
