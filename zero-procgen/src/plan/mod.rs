//! The flat plan: what a cook walks. Arithmetic is gathered into expressions, what nothing reads is left out, bodies
//! are written once and run by the cook.

mod base;
mod lower;

pub(crate) use lower::operation_key;

use crate::cook::Operation;
use crate::cook::expr::Expr;
use crate::error::Location;
use crate::graph::definition::Built;
use crate::graph::wire::{ClockField, InputId, NodeId, ScopeId, StepDecl, StepField, Wire};
use crate::value::Key;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A graph's build, ready to be cooked.
#[derive(Debug)]
pub struct Plan {
    pub(crate) built: Arc<Built>,
    pub(crate) body: Body,
    /// Output `k` of the graph is `body.results[k]`.
    pub(crate) outputs: Vec<String>,
    /// What each node reads of the graph's inputs and clock, directly or through other nodes.
    pub(crate) reads: Vec<Arc<BTreeSet<Read>>>,
    /// The first node that reads the clock.
    clocked: Option<u32>,
    /// The places of the steps, in order.
    pub(crate) steps: Vec<u32>,
    /// What each node asks, whatever the inputs hold.
    work: Vec<Key>,
    made: base::Made,
}

/// What a node reads from outside the plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Read {
    Input(InputId),
    Clock(ClockField),
    /// What a step has reached.
    Step(u32),
}

/// A list of nodes, each after what it reads.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) nodes: Vec<Arc<FlatNode>>,
    pub(crate) results: Vec<FlatRef>,
    /// What the body reads of the bodies around it.
    pub(crate) captures: Vec<Wire>,
    /// The places of the nodes that are there for what they refuse and not for what they give.
    pub(crate) checks: Vec<u32>,
    /// Why its passes can't run from one list, where a cook has found that out.
    pub(crate) unlisted: OnceLock<String>,
}

/// One node of the plan.
#[derive(Debug)]
pub(crate) struct FlatNode {
    pub(crate) op: FlatOp,
    pub(crate) inputs: Vec<FlatRef>,
    /// The node of the graph it stands for; of an expression, its last operator.
    pub(crate) node: NodeId,
    /// Of the operation and its parameters.
    pub(crate) key: Key,
}

/// What a node does.
#[derive(Debug)]
pub(crate) enum FlatOp {
    Expr(Expr),
    Operation(Arc<dyn Operation>),
    /// Inputs: the count, the state, then the captures of the body and those of the stop's.
    Fold {
        body: Arc<Body>,
        state: usize,
        stop: Stop,
    },
    /// Inputs: the count, then the captures of the body.
    Step(Arc<StepPlan>),
    /// Inputs: the choice, then the outputs of each alternative, of which there are so many.
    Pick {
        outputs: usize,
    },
    /// Inputs: the items, each of so many fields.
    List {
        fields: usize,
    },
    /// Inputs: the list and the place, from 0.
    Item,
    /// Inputs: the list or the count, what is carried, then the captures of the body. A pass leaves the fields of an item
    /// and then what it carries on.
    Each {
        body: Arc<Body>,
        carried: usize,
        fields: usize,
    },
}

/// When a fold ends before its last pass.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Never,
    Unchanged,
    When(Arc<Body>),
}

impl FlatOp {
    /// The bodies it runs more than once, in the order of their captures.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Arc<Body>> {
        let (body, stop) = match self {
            FlatOp::Fold { body, stop, .. } => match stop {
                Stop::When(stop) => (Some(body), Some(stop)),
                _ => (Some(body), None),
            },
            FlatOp::Each { body, .. } => (Some(body), None),
            FlatOp::Step(step) => (Some(&step.body), None),
            _ => (None, None),
        };
        body.into_iter().chain(stop)
    }

    /// Whether it makes nothing of its own but stands for what others make. Such a node is never cooked or filed.
    pub(crate) fn stands_in(&self) -> bool {
        matches!(
            self,
            FlatOp::Pick { .. } | FlatOp::List { .. } | FlatOp::Item | FlatOp::Each { .. }
        )
    }
}

/// A step as the plan holds it.
#[derive(Debug)]
pub(crate) struct StepPlan {
    pub(crate) decl: StepDecl,
    pub(crate) scope: ScopeId,
    pub(crate) body: Arc<Body>,
}

/// Where a node of the plan reads from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum FlatRef {
    Const(Wire),
    Input(InputId),
    Clock(ClockField),
    Node(u32, u16),
    Capture(u32),
    FoldValue(u16),
    FoldIndex,
    State(u16),
    Step(StepField),
}

/// A node of the plan as reports and tests see it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanNode {
    /// What the person wrote, such as `points.disc` or `math.add`.
    pub name: String,
    /// The operation beneath.
    pub operation: String,
    /// The line that made it.
    pub site: Location,
    /// The nodes it reads, by their place in the plan.
    pub reads: Vec<usize>,
    /// The inputs of the graph it reads itself.
    pub inputs: Vec<String>,
    /// Operators an expression gathers; 0 for the others.
    pub operators: usize,
}

impl Plan {
    /// The plan of a build. What `base` begins with, and the build too, is taken over from it; the plan is the same
    /// without.
    pub(crate) fn new(built: Arc<Built>, base: Option<&Plan>) -> crate::error::Result<Plan> {
        lower::plan(built, base)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.body.nodes.len()
    }

    /// Whether there is nothing to cook.
    pub fn is_empty(&self) -> bool {
        self.body.nodes.is_empty()
    }

    /// Whether any node reads the clock.
    pub(crate) fn reads_clock(&self) -> bool {
        self.clocked.is_some()
    }

    /// Whether what a place asks follows a step.
    pub(crate) fn follows_step(&self, place: usize) -> bool {
        let reads = self.reads.get(place).filter(|_| !self.steps.is_empty());
        reads.is_some_and(|reads| reads.iter().any(|read| matches!(read, Read::Step(_))))
    }

    /// What a place asks, whatever the inputs hold.
    pub(crate) fn work_of(&self, place: u32) -> Option<Key> {
        self.work.get(place as usize).copied()
    }

    /// Whether two places of the plan ask the same question, so that one answer serves both.
    pub fn same_work(&self, a: usize, b: usize) -> bool {
        self.work.get(a).is_some_and(|work| self.work.get(b) == Some(work))
    }

    /// The nodes, each after what it reads.
    pub fn nodes(&self) -> impl Iterator<Item = PlanNode> {
        self.body.nodes.iter().map(|node| {
            let (name, site) = self.built.described(node.node);
            let (operation, operators) = match &node.op {
                FlatOp::Expr(expr) => ("construct.expr".to_owned(), expr.steps.len()),
                FlatOp::Operation(op) => (op.id().to_owned(), 0),
                FlatOp::Fold { .. } => ("construct.fold".to_owned(), 0),
                FlatOp::Step(_) => ("construct.step".to_owned(), 0),
                FlatOp::Pick { .. } => ("construct.pick".to_owned(), 0),
                FlatOp::List { .. } => ("construct.list".to_owned(), 0),
                FlatOp::Item => ("construct.item".to_owned(), 0),
                FlatOp::Each { .. } => ("construct.each".to_owned(), 0),
            };
            let mut reads: Vec<usize> = Vec::new();
            let mut inputs: BTreeSet<&str> = BTreeSet::new();
            for input in &node.inputs {
                match input {
                    FlatRef::Node(place, _) => reads.push(*place as usize),
                    FlatRef::Input(id) => {
                        inputs.insert(&self.built.inputs[id.index()].name);
                    }
                    _ => {}
                }
            }
            for id in lower::body_inputs(node) {
                inputs.insert(&self.built.inputs[id.index()].name);
            }
            reads.sort_unstable();
            reads.dedup();
            let inputs = inputs.into_iter().map(str::to_owned).collect();
            PlanNode {
                name,
                operation,
                site,
                reads,
                inputs,
                operators,
            }
        })
    }
}
