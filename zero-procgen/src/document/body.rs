//! The bodies of a document: what the passes of a fold, a for and a step do.

use super::build::{Env, Outputs, sources};
use super::construct::{Given, kind};
use super::{DocArgument, DocNode, DocSource};
use crate::error::{Error, Result, Site};
use crate::graph::scope::{Next, State, Step};
use crate::graph::socket::{AnySocket, Int, Socket};
use crate::graph::wire::{FoldStop, StepField, Type, Wire};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What a pass does: nodes of its own, which read each other, the nodes around the body, and by `{ "body": name, "value":
/// what }` what the pass begins with. `name` is the node whose body it is.
///
/// | of | a pass begins with | and leaves, in `results` |
/// |---|---|---|
/// | `construct.fold` | `index` from 1, and the state: `value`, or its names | the state |
/// | its `stop` | `before` and `after` the pass, or `before.name` and `after.name` | `stop`, a Bool |
/// | `construct.for` | `index` from 1, `item` of a list, and what is carried, by its names | `item`, and what is carried |
/// | `construct.step` | `state.name` at the element, `column.name` as a run, `dt`, `time`, `start`, `index`, `first`, `progress`, and unclamped `raw.progress`, `raw.share` (of a substep), `raw.first` (1 or 0), `raw.frame` | columns of the state; those left out stay |
///
/// ```
/// use zero_procgen::{Document, Registry};
///
/// let document = Document::from_json(r#"{ "version": 1, "name": "stairs",
///   "nodes": {
///     "step": { "node": "mesh.box" },
///     "stairs": { "node": "construct.fold", "inputs": { "count": 4, "init": { "node": "step" } },
///       "body": {
///         "nodes": {
///           "raised": { "node": "geometry.transform",
///             "inputs": { "geometry": { "body": "stairs", "value": "value" }, "translate": [0.0, 0.2, 0.3] } },
///           "with": { "node": "geometry.merge", "inputs": { "geometries": [{ "node": "raised" }, { "node": "step" }] } }
///         },
///         "results": { "value": { "node": "with" } }
///       } }
///   },
///   "outputs": { "stairs": { "node": "stairs" } } }"#)?;
/// assert_eq!(document.define(&Registry::standard())?.outputs()[0].name, "stairs");
/// # Ok::<(), zero_procgen::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocBody {
    /// Its nodes, by names that no node around it has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<String, DocNode>,
    /// What a pass leaves, by name.
    pub results: BTreeMap<String, DocArgument>,
}

/// What ends a fold before its last pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DocStop {
    /// `"changed"`: a pass that leaves the state as it found it.
    Named(String),
    /// A pass that this answers true for.
    Body(Box<DocBody>),
}

/// The bodies of a node, by what they are.
pub(super) fn bodies(node: &DocNode) -> impl Iterator<Item = (&'static str, &DocBody)> {
    let stop = match &node.stop {
        Some(DocStop::Body(stop)) => Some(("stop", stop.as_ref())),
        _ => None,
    };
    node.body.as_ref().map(|body| ("body", body)).into_iter().chain(stop)
}

/// The nodes that a node reads, and whether it does so itself or in a body of it.
pub(super) fn reads(node: &DocNode) -> Vec<(&str, bool)> {
    let mut found: Vec<(&str, bool)> = Vec::new();
    found.extend(node.inputs.values().flat_map(named).map(|name| (name, true)));
    for (_, body) in bodies(node) {
        found.extend(body.results.values().flat_map(named).map(|name| (name, false)));
        let within = body.nodes.values().flat_map(reads);
        found.extend(within.map(|(name, _)| (name, false)));
    }
    found
}

/// The nodes that an argument names.
fn named(argument: &DocArgument) -> Vec<&str> {
    let from = sources(argument).into_iter();
    from.filter_map(|source| match source {
        DocSource::Node { node, .. } => Some(node.as_str()),
        _ => None,
    })
    .collect()
}

/// Refuses a result that names no node of the body or around it.
pub(super) fn check_results(body: &DocBody, around: &BTreeSet<&str>) -> Result<()> {
    for source in body.results.values().flat_map(sources) {
        if let DocSource::Node { node, .. } = source
            && !around.contains(node.as_str())
            && !body.nodes.contains_key(node)
        {
            let known = around.iter().copied().chain(body.nodes.keys().map(String::as_str));
            return Err(Error::unknown("node", node, known));
        }
    }
    Ok(())
}

/// Refuses the parts of a node that it does not take.
pub(super) fn refuse_parts(node: &DocNode, taken: &[&str]) -> Result<()> {
    let parts = [
        ("body", node.body.is_some()),
        ("stop", node.stop.is_some()),
        ("state", !node.state.is_empty()),
    ];
    match parts.iter().find(|(part, given)| *given && !taken.contains(part)) {
        Some((part, _)) => Err(Error::Refused(format!(
            "it takes no {part}; only a construct with passes does"
        ))),
        None => Ok(()),
    }
}

/// A construct with passes.
pub(super) struct Passes<'a, 'd, 'g> {
    pub(super) given: &'a Given<'a, 'd, 'g>,
    pub(super) name: &'a str,
    pub(super) node: &'d DocNode,
    pub(super) path: &'a str,
}

/// Values by name, in the order of their names.
type Named<'g> = Vec<(String, AnySocket<'g>)>;

impl<'d, 'g> Passes<'_, 'd, 'g> {
    fn env(&self) -> &Env<'d, 'g> {
        self.given.env
    }

    fn body(&self) -> Result<&'d DocBody> {
        let body = self.node.body.as_ref();
        body.ok_or_else(|| Error::Refused("expected a body, got nothing".to_owned()))
    }

    /// One value, or several by name.
    fn several(&self, input: &str) -> Result<Named<'g>> {
        match self.given.arguments.get(input) {
            Some(DocArgument::Named(named)) => named
                .iter()
                .map(|(name, source)| Ok((name.clone(), super::build::source_of(source, self.env())?)))
                .collect(),
            _ => Ok(vec![("value".to_owned(), self.given.socket(input)?)]),
        }
    }

    /// The nodes of a body, and the values that a pass leaves, of these names and types. A name that is not among them is
    /// refused.
    fn pass(
        &self,
        part: &str,
        body: &'d DocBody,
        begins: BTreeMap<String, AnySocket<'g>>,
        leaves: &[(String, Option<Type>)],
    ) -> Result<Vec<AnySocket<'g>>> {
        let mut env = self.env().clone();
        env.bodies.insert(self.name.to_owned(), begins);
        env.nodes(&body.nodes, &format!("{}/{part}/", self.path))?;
        let document = self.env().document;
        self.env()
            .g
            .read_from(&document.file(), document.origin.line("nodes", self.path));
        if let Some(name) = body
            .results
            .keys()
            .find(|name| leaves.iter().all(|(held, _)| held != *name))
        {
            let names = leaves.iter().map(|(name, _)| name.as_str());
            return Err(Error::unknown("result", name, names));
        }
        let arguments = body.results.iter();
        let arguments: BTreeMap<String, DocArgument> = arguments
            .map(|(name, result)| (name.clone(), super::build::written_out(result, &env.plain)))
            .collect();
        let results = Given {
            env: &env,
            arguments: &arguments,
        };
        let left = |(name, ty): &(String, Option<Type>)| {
            let socket = results.socket(name)?;
            match ty {
                Some(ty) if *ty != socket.ty => {
                    let (expected, found) = (format!("a {}", ty.name()), format!("a {}", socket.ty.name()));
                    Err(kind(&format!("results.{name}"), &expected, &found))
                }
                _ => Ok(socket),
            }
        };
        leaves.iter().map(left).collect()
    }

    pub(super) fn fold(&self) -> Result<Outputs<'g>> {
        refuse_parts(self.node, &["body", "stop"])?;
        let (g, site) = (self.env().g, Site::caller());
        let (count, init, body) = (self.given.of("count", Type::Int)?, self.several("init")?, self.body()?);
        let types: Vec<Type> = init.iter().map(|(_, socket)| socket.ty).collect();
        let states = |wires: &[Wire], named: &dyn Fn(&str) -> String| -> BTreeMap<String, AnySocket<'g>> {
            let held = init.iter().zip(wires);
            held.map(|((name, socket), wire)| (named(name), self.given.constant(*wire, socket.ty)))
                .collect()
        };
        let leaves: Vec<(String, Option<Type>)> =
            init.iter().map(|(name, held)| (name.clone(), Some(held.ty))).collect();
        let failed = RefCell::new(Ok(()));
        let mut inputs = vec![count.wire];
        inputs.extend(init.iter().map(|(_, socket)| socket.wire));
        let written = |index: Wire, state: &[Wire]| {
            let mut begins = states(state, &str::to_owned);
            begins.insert("index".to_owned(), self.given.constant(index, Type::Int));
            self.pass("body", body, begins, &leaves)
        };
        let ended = |before: &[Wire], after: &[Wire], stop: &'d DocBody| {
            let single = |part: &'static str| {
                move |name: &str| match name {
                    "value" => part.to_owned(),
                    name => format!("{part}.{name}"),
                }
            };
            let mut begins = states(before, &single("before"));
            begins.extend(states(after, &single("after")));
            self.pass("stop", stop, begins, &[("stop".to_owned(), Some(Type::Bool))])
        };
        let stop = match &self.node.stop {
            None => None,
            Some(DocStop::Body(stop)) => Some(Some(stop.as_ref())),
            Some(DocStop::Named(named)) if named == "changed" => Some(None),
            Some(DocStop::Named(other)) => return Err(kind("stop", "\"changed\" or a body", other)),
        };
        let left = g.fold_wires(
            inputs,
            types,
            site,
            |index, state| taken(written(index, state), &mut failed.borrow_mut()),
            |slots| match stop {
                None => FoldStop::Never,
                Some(None) => FoldStop::Unchanged,
                Some(Some(stop)) => g.stop_scope(slots, site, |before, after| {
                    taken(ended(before, after, stop), &mut failed.borrow_mut())
                }),
            },
        );
        failed.into_inner()?;
        self.answered(init.into_iter().map(|(name, socket)| (name, socket.ty)).collect(), left)
    }

    pub(super) fn each(&self) -> Result<Outputs<'g>> {
        refuse_parts(self.node, &["body"])?;
        let (g, site, body) = (self.env().g, Site::caller(), self.body()?);
        let (source, item) = match (self.given.has("list"), self.given.has("type")) {
            (true, true) => (self.given.of("list", Type::List)?, vec![self.given.ty()?]),
            (true, false) => (self.given.of("list", Type::List)?, Vec::new()),
            (false, _) => (self.given.of("count", Type::Int)?, Vec::new()),
        };
        let carried = match self.given.has("carry") {
            true => self.several("carry")?,
            false => Vec::new(),
        };
        let start: Vec<Wire> = carried.iter().map(|(_, socket)| socket.wire).collect();
        let types: Vec<Type> = carried.iter().map(|(_, socket)| socket.ty).collect();
        let mut leaves = vec![("item".to_owned(), None)];
        leaves.extend(carried.iter().map(|(name, socket)| (name.clone(), Some(socket.ty))));
        let mut failed = Ok(());
        let left = g.each_wires(
            source.wire,
            item.len(),
            (start, types),
            1,
            site,
            |items, index, held| {
                let mut begins: BTreeMap<String, AnySocket<'g>> = BTreeMap::new();
                begins.insert("index".to_owned(), self.given.constant(index, Type::Int));
                if let ([item], [ty]) = (items, item.as_slice()) {
                    begins.insert("item".to_owned(), self.given.constant(*item, *ty));
                }
                let held = carried.iter().zip(held);
                begins.extend(held.map(|((name, socket), wire)| (name.clone(), self.given.constant(*wire, socket.ty))));
                taken(self.pass("body", body, begins, &leaves), &mut failed)
            },
        );
        failed?;
        let mut outputs = vec![("list".to_owned(), Type::List)];
        outputs.extend(carried.into_iter().map(|(name, socket)| (name, socket.ty)));
        self.answered(outputs, left)
    }

    pub(super) fn step(&self) -> Result<Outputs<'g>> {
        refuse_parts(self.node, &["body", "state"])?;
        let (g, body) = (self.env().g, self.body()?);
        let count = self.given.of("count", Type::Int)?;
        let mut state = State::new(Int::from_wire(g, count.wire));
        for (name, ty) in &self.node.state {
            state = state.with(name, self.given.numeric(ty)?);
        }
        let dt_secs = match self.given.arguments.get("dt") {
            Some(DocArgument::Float(dt)) => *dt,
            Some(DocArgument::Int(dt)) => *dt as f32,
            _ => return Err(kind("dt", "a number that the build knows", "another value")),
        };
        let substeps = match self.given.arguments.get("substeps") {
            None => 1,
            Some(DocArgument::Int(substeps)) if *substeps > 0 => substeps.cast_unsigned(),
            _ => {
                return Err(kind(
                    "substeps",
                    "a whole number above 0 that the build knows",
                    "another value",
                ));
            }
        };
        let mut failed = Ok(());
        let stepped = g.step(self.name, Step { dt_secs, substeps }, state, |now, step| {
            let mut begins: BTreeMap<String, AnySocket<'g>> = BTreeMap::new();
            let raw = |field: StepField, ty: Type| self.given.constant(Wire::Step(step.scope(), field), ty);
            let fields: [(&str, AnySocket<'g>); 10] = [
                ("raw.first", raw(StepField::First, Type::Float)),
                ("raw.frame", raw(StepField::Frame, Type::Int)),
                ("raw.progress", raw(StepField::Progress, Type::Float)),
                ("raw.share", raw(StepField::Share, Type::Float)),
                ("dt", step.dt().into()),
                ("time", step.time().into()),
                ("start", step.start().into()),
                ("index", step.index().into()),
                ("first", step.first().into()),
                ("progress", step.progress().into()),
            ];
            begins.extend(fields.map(|(name, socket)| (name.to_owned(), socket)));
            for (name, ty) in &self.node.state {
                let column = now.column(name);
                begins.insert(format!("column.{name}"), column.into());
                if let Ok(ty) = self.given.numeric(ty) {
                    let read = crate::graph::ops::apply_any(g, crate::graph::math::MathOp::Read(ty), &[column.into()]);
                    begins.insert(format!("state.{name}"), read);
                }
            }
            let next = self.left_columns(body, begins);
            next.unwrap_or_else(|error| {
                failed = Err(error);
                Next::new()
            })
        });
        failed?;
        let mut outputs: Outputs<'g> = vec![("points".to_owned(), stepped.points().into())];
        outputs.extend(
            self.node
                .state
                .keys()
                .map(|name| (name.clone(), stepped.column(name).into())),
        );
        Ok(outputs)
    }

    fn left_columns(&self, body: &'d DocBody, begins: BTreeMap<String, AnySocket<'g>>) -> Result<Next<'g>> {
        let unknown = body.results.keys().find(|name| !self.node.state.contains_key(*name));
        if let Some(name) = unknown {
            return Err(Error::unknown(
                "result",
                name,
                self.node.state.keys().map(String::as_str),
            ));
        }
        let written = self
            .node
            .state
            .iter()
            .filter(|(name, _)| body.results.contains_key(*name));
        let leaves: Vec<(String, Option<Type>)> = written
            .map(|(name, ty)| Ok((name.clone(), Some(self.given.numeric(ty)?))))
            .collect::<Result<_>>()?;
        let left = self.pass("body", body, begins, &leaves)?;
        let named = leaves.iter().zip(left);
        Ok(named.fold(Next::new(), |next, ((name, _), socket)| next.set(name, socket)))
    }

    /// The outputs of a construct; refused ones where it was refused.
    fn answered(&self, names: Vec<(String, Type)>, wires: Vec<Wire>) -> Result<Outputs<'g>> {
        let mut wires = wires.into_iter();
        let named = names.into_iter();
        Ok(named
            .map(|(name, ty)| (name, self.given.constant(wires.next().unwrap_or(Wire::Refused), ty)))
            .collect())
    }
}

/// The wires of what a pass leaves; what it is refused for is kept.
fn taken(left: Result<Vec<AnySocket<'_>>>, failed: &mut Result<()>) -> Vec<Wire> {
    match left {
        Ok(left) => left.iter().map(|socket| socket.wire).collect(),
        Err(error) => {
            *failed = Err(error);
            vec![Wire::Refused]
        }
    }
}
