//! Bodies that run more than once: `fold`, whose passes build on each other, and `step`, whose passes follow time.

use super::Graph;
use super::socket::{AnySocket, Bool, Col, Float, Geo, Int, Socket, Sockets};
use super::wire::{FoldStop, NodeOp, Scope, ScopeId, ScopeKind, StepDecl, StepField, Type, Wire};
use crate::cook::construct;
use crate::error::Site;
use std::sync::Arc;

impl Graph {
    /// Runs the body `count` times, each pass from what the pass before left, the first from `init`. The body is
    /// written once: it gets the pass's number, from 1, and the state, and answers the next state. The count may be
    /// anything the cook knows; a count below 1 leaves `init` as it is.
    ///
    /// Of 3 passes or more over geometry and columns the body is cooked once, recorded, and run again from its list,
    /// where it leaves the number alone and each pass leaves a state of the same shape: as many elements, the same
    /// columns. Any other is cooked pass by pass, and the report says why.
    #[track_caller]
    pub fn fold<'g, S: Sockets<'g>>(
        &'g self,
        count: impl Into<Int<'g>>,
        init: S,
        body: impl FnOnce(Int<'g>, S) -> S,
    ) -> S {
        self.fold_scope(count.into(), init, body, |_| FoldStop::Never)
    }

    /// A [`fold`](Self::fold) that ends after the first pass that leaves the state as it found it, or after `count` passes.
    /// A state on the device is read back after each pass to see that, which waits for the device, and a number that
    /// moves is cooked anew.
    #[track_caller]
    pub fn fold_until_unchanged<'g, S: Sockets<'g>>(
        &'g self,
        count: impl Into<Int<'g>>,
        init: S,
        body: impl FnOnce(Int<'g>, S) -> S,
    ) -> S {
        self.fold_scope(count.into(), init, body, |_| FoldStop::Unchanged)
    }

    /// A [`fold`](Self::fold) that ends after the first pass that `stop` holds for, or after `count` passes. It gets the
    /// state before the pass and the state after it, and answers one truth that the cook knows.
    ///
    /// ```
    /// use zero_procgen::{Float, Graph};
    ///
    /// let graph = Graph::define("halves", |g| {
    ///     let small = g.fold_until(100, g.float("from", 10.0), |_, after: Float<'_>| after.lt(1.0), |_, so_far| so_far * 0.5);
    ///     g.output("small", small);
    /// })?;
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    #[track_caller]
    pub fn fold_until<'g, S: Sockets<'g>>(
        &'g self,
        count: impl Into<Int<'g>>,
        init: S,
        stop: impl FnOnce(S, S) -> Bool<'g>,
        body: impl FnOnce(Int<'g>, S) -> S,
    ) -> S {
        let site = Site::caller();
        self.fold_scope(count.into(), init, body, |slots| {
            self.stop_scope(slots, site, |before, after| {
                vec![stop(S::from_wires(self, before), S::from_wires(self, after)).wire()]
            })
        })
    }

    #[track_caller]
    fn fold_scope<'g, S: Sockets<'g>>(
        &'g self,
        count: Int<'g>,
        init: S,
        body: impl FnOnce(Int<'g>, S) -> S,
        stop: impl FnOnce(usize) -> FoldStop,
    ) -> S {
        let mut inputs = vec![count.wire()];
        inputs.extend(init.wires());
        let pass = |index: Wire, state: &[Wire]| body(Int::from_wire(self, index), S::from_wires(self, state)).wires();
        S::from_wires(self, &self.fold_wires(inputs, S::types(), Site::caller(), pass, stop))
    }

    /// A fold over the count and a state of these types; nothing where it is refused.
    pub(crate) fn fold_wires(
        &self,
        inputs: Vec<Wire>,
        types: Vec<Type>,
        site: Site,
        body: impl FnOnce(Wire, &[Wire]) -> Vec<Wire>,
        stop: impl FnOnce(usize) -> FoldStop,
    ) -> Vec<Wire> {
        if !self.usable("fold", &inputs, site) {
            return Vec::new();
        }
        let scope = self.open(ScopeKind::Fold);
        let slots = 0..types.len() as u16;
        let carried: Vec<Wire> = slots.clone().map(|slot| Wire::FoldValue(scope, slot)).collect();
        let next = body(Wire::FoldIndex(scope), &carried);
        if !self.close(scope, "fold", next, site) {
            return Vec::new();
        }
        let stop = stop(types.len());
        let node = self.push(NodeOp::Fold(scope, stop), inputs, types, site);
        slots.map(|slot| Wire::Node(node, slot)).collect()
    }

    /// What ends a fold over so many values, of those before a pass and those after it.
    pub(crate) fn stop_scope(
        &self,
        slots: usize,
        site: Site,
        stop: impl FnOnce(&[Wire], &[Wire]) -> Vec<Wire>,
    ) -> FoldStop {
        let scope = self.open(ScopeKind::Stop);
        let held: Vec<Wire> = (0..2 * slots).map(|slot| Wire::FoldValue(scope, slot as u16)).collect();
        let (before, after) = held.split_at(slots);
        let holds = stop(before, after);
        self.close(scope, "fold", holds, site);
        FoldStop::When(scope)
    }

    /// Simulates: the body answers a state one fixed step after the one it is given, and the play runs it as often as
    /// the clock asks. The state begins as zeros, with `first` set in the first substep. It is kept on the device.
    #[track_caller]
    pub fn step<'g>(
        &'g self,
        name: &str,
        step: Step,
        state: State<'g>,
        body: impl FnOnce(Now<'g>, StepInfo<'g>) -> Next<'g>,
    ) -> Stepped<'g> {
        let site = Site::caller();
        let refused = |graph| Stepped {
            graph,
            columns: Vec::new(),
            count: Int::from_wire(graph, Wire::Refused),
        };
        if let Err(message) = step.check().and_then(|()| state.check()) {
            self.refuse(site, "step", format!("'{name}': {message}"));
            return refused(self);
        }
        let count = state.count;
        if !self.usable("step", &[count.wire()], site) {
            return refused(self);
        }
        // By name: a document names the columns, and states the same graph whatever order they were declared in.
        let mut columns = state.columns;
        columns.sort_by(|(a, _), (b, _)| a.cmp(b));
        let decl = StepDecl {
            name: name.to_owned(),
            dt_secs: step.dt_secs,
            substeps: step.substeps,
            columns,
        };
        let columns = decl.columns.clone();
        let scope = self.open(ScopeKind::Step(decl));
        let next = body(Now { graph: self, scope }, StepInfo { graph: self, scope });
        let mut results: Vec<Wire> = (0..columns.len()).map(|slot| Wire::State(scope, slot as u16)).collect();
        for (column, value) in &next.values {
            match columns.iter().position(|(name, _)| **name == **column) {
                Some(slot) if columns[slot].1 == value.ty => results[slot] = value.wire,
                Some(slot) => {
                    let (expected, found) = (columns[slot].1.name(), value.ty.name());
                    self.refuse(
                        site,
                        "step",
                        format!("state '{column}': expected {expected}, got {found}"),
                    );
                }
                None => {
                    let names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
                    self.refuse(
                        site,
                        "step",
                        format!("the state has no '{column}'; it has {}", names.join(", ")),
                    );
                }
            }
        }
        if !self.close(scope, "step", results, site) {
            return refused(self);
        }
        let node = self.push(
            NodeOp::Step(scope),
            vec![count.wire()],
            vec![Type::Column; columns.len()],
            site,
        );
        let columns = columns
            .into_iter()
            .enumerate()
            .map(|(slot, (name, ty))| (name, ty, Col::from_wire(self, Wire::Node(node, slot as u16))));
        Stepped {
            graph: self,
            columns: columns.collect(),
            count,
        }
    }

    pub(super) fn open(&self, kind: ScopeKind) -> ScopeId {
        let mut inner = self.inner.borrow_mut();
        let id = ScopeId(inner.scopes.len() as u32);
        inner.scopes.push(Scope {
            kind,
            results: Vec::new(),
        });
        inner.scope_stack.push(id);
        id
    }

    pub(super) fn close(&self, scope: ScopeId, what: &str, results: Vec<Wire>, site: Site) -> bool {
        let usable = self.usable(what, &results, site);
        let mut inner = self.inner.borrow_mut();
        inner.scope_stack.pop();
        inner.scopes[scope.index()].results = results;
        usable
    }
}

/// How a step moves through time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Seconds a step covers, above 0.
    pub dt_secs: f32,
    /// Passes of the body a step, at least 1; each covers its share of the step.
    pub substeps: u32,
}

impl Step {
    /// A step of this many seconds, in one pass.
    pub fn every(dt_secs: f32) -> Step {
        Step { dt_secs, substeps: 1 }
    }
    /// In this many passes.
    pub fn substeps(self, substeps: u32) -> Step {
        Step { substeps, ..self }
    }
    fn check(&self) -> Result<(), String> {
        if !(self.dt_secs.is_finite() && self.dt_secs > 0.0) {
            return Err(format!("expected seconds above 0 a step, got {}", self.dt_secs));
        }
        if self.substeps == 0 {
            return Err("expected at least 1 substep, got 0".to_owned());
        }
        Ok(())
    }
}

/// The columns that a step keeps, all of one length.
#[derive(Clone, Debug)]
pub struct State<'g> {
    count: Int<'g>,
    columns: Vec<(Arc<str>, Type)>,
}

impl<'g> State<'g> {
    /// A state of this many elements.
    pub fn new(count: impl Into<Int<'g>>) -> State<'g> {
        State {
            count: count.into(),
            columns: Vec::new(),
        }
    }
    /// With a number an element.
    pub fn float(self, name: &str) -> State<'g> {
        self.with(name, Type::Float)
    }
    /// With a whole number an element.
    pub fn int(self, name: &str) -> State<'g> {
        self.with(name, Type::Int)
    }
    /// With a vector an element.
    pub fn vec3(self, name: &str) -> State<'g> {
        self.with(name, Type::Vec3)
    }
    /// With a whole number from 0 on an element.
    pub fn uint(self, name: &str) -> State<'g> {
        self.with(name, Type::UInt)
    }
    /// With two numbers an element.
    pub fn vec2(self, name: &str) -> State<'g> {
        self.with(name, Type::Vec2)
    }
    /// With four numbers an element.
    pub fn vec4(self, name: &str) -> State<'g> {
        self.with(name, Type::Vec4)
    }
    /// With a rotation an element. It begins as four zeros, which turn nothing: set it where [`Step`] says first.
    pub fn quat(self, name: &str) -> State<'g> {
        self.with(name, Type::Quat)
    }
    /// With a colour an element.
    pub fn color(self, name: &str) -> State<'g> {
        self.with(name, Type::Color)
    }
    pub(crate) fn with(mut self, name: &str, ty: Type) -> State<'g> {
        self.columns.push((name.into(), ty));
        self
    }
    fn check(&self) -> Result<(), String> {
        if self.columns.is_empty() {
            return Err("a state holds at least one column".to_owned());
        }
        for (index, (name, _)) in self.columns.iter().enumerate() {
            if self.columns[..index].iter().any(|(earlier, _)| earlier == name) {
                return Err(format!("the state names '{name}' twice"));
            }
        }
        Ok(())
    }
}

/// The state as a step begins.
#[derive(Clone, Copy, Debug)]
pub struct Now<'g> {
    graph: &'g Graph,
    scope: ScopeId,
}

impl<'g> Now<'g> {
    /// A column of the state, as a run on the device, for reads of other elements.
    #[track_caller]
    pub fn column(self, name: &str) -> Col<'g> {
        let found = self.find(name);
        let wire = match found {
            Ok((slot, _)) => Wire::State(self.scope, slot),
            Err(message) => {
                self.graph.refuse(Site::caller(), "step", message);
                Wire::Refused
            }
        };
        Col::from_wire(self.graph, wire)
    }
    /// The element's own number in a column of the state.
    #[track_caller]
    pub fn float(self, name: &str) -> Float<'g> {
        self.read(name)
    }
    /// The element's own whole number in a column of the state.
    #[track_caller]
    pub fn int(self, name: &str) -> Int<'g> {
        self.read(name)
    }
    /// The element's own vector in a column of the state.
    #[track_caller]
    pub fn vec3(self, name: &str) -> super::socket::Vec3<'g> {
        self.read(name)
    }

    /// The element's own value in a column of the state, of any type that the state declares.
    #[track_caller]
    pub fn get<S: Socket<'g>>(self, name: &str) -> S {
        self.read(name)
    }

    #[track_caller]
    fn read<S: Socket<'g>>(self, name: &str) -> S {
        match self.find(name) {
            Ok((_, ty)) if ty == S::TYPE => self.column(name).read(),
            Ok((_, ty)) => {
                let message = format!("state '{name}' is a {}, read as {}", ty.name(), S::TYPE.name());
                self.graph.refuse(Site::caller(), "step", message);
                S::from_wire(self.graph, Wire::Refused)
            }
            Err(message) => {
                self.graph.refuse(Site::caller(), "step", message);
                S::from_wire(self.graph, Wire::Refused)
            }
        }
    }

    fn find(self, name: &str) -> Result<(u16, Type), String> {
        let inner = self.graph.inner.borrow();
        let ScopeKind::Step(decl) = &inner.scopes[self.scope.index()].kind else {
            return Err("not a step".to_owned());
        };
        match decl.columns.iter().position(|(held, _)| **held == *name) {
            Some(slot) => Ok((slot as u16, decl.columns[slot].1)),
            None => {
                let names: Vec<&str> = decl.columns.iter().map(|(name, _)| &**name).collect();
                Err(format!("the state has no '{name}'; it has {}", names.join(", ")))
            }
        }
    }
}

/// The step being taken.
#[derive(Clone, Copy, Debug)]
pub struct StepInfo<'g> {
    pub(super) graph: &'g Graph,
    pub(super) scope: ScopeId,
}

impl<'g> StepInfo<'g> {
    pub(crate) fn scope(self) -> ScopeId {
        self.scope
    }

    pub(super) fn read<S: Socket<'g>>(self, field: StepField) -> S {
        S::from_wire(self.graph, Wire::Step(self.scope, field))
    }

    /// Seconds this substep covers.
    pub fn dt(self) -> Float<'g> {
        self.read(StepField::Dt)
    }
    /// Simulated seconds before this substep. A simulation begins with the timeline, so it is the graph's time too.
    pub fn time(self) -> Float<'g> {
        self.read(StepField::Time)
    }
    /// Simulated seconds before the step that this substep is of.
    pub fn start(self) -> Float<'g> {
        self.read(StepField::Start)
    }
    /// Substeps taken before this one.
    pub fn index(self) -> Int<'g> {
        self.read(StepField::Index)
    }
    /// Whether this is the first substep, where the state is zeros.
    #[track_caller]
    pub fn first(self) -> super::socket::Bool<'g> {
        self.read::<Float<'g>>(StepField::First).gt(0.5)
    }
}

/// The state a step's body answers: columns it leaves out stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Next<'g> {
    values: Vec<(String, AnySocket<'g>)>,
}

impl<'g> Next<'g> {
    /// The state as it is.
    pub fn new() -> Next<'g> {
        Next::default()
    }
    /// With another value in a column.
    pub fn set(mut self, name: &str, value: impl Into<AnySocket<'g>>) -> Next<'g> {
        self.values.push((name.to_owned(), value.into()));
        self
    }
}

/// The state that the steps have reached.
#[derive(Clone, Debug)]
pub struct Stepped<'g> {
    graph: &'g Graph,
    columns: Vec<(Arc<str>, Type, Col<'g>)>,
    count: Int<'g>,
}

impl<'g> Stepped<'g> {
    /// A column of the state, as a run on the device.
    #[track_caller]
    pub fn column(&self, name: &str) -> Col<'g> {
        match self.columns.iter().find(|(held, _, _)| **held == *name) {
            Some((_, _, column)) => *column,
            None => {
                let names: Vec<&str> = self.columns.iter().map(|(name, _, _)| &**name).collect();
                let message = format!("the state has no '{name}'; it has {}", names.join(", "));
                self.graph.refuse(Site::caller(), "step", message);
                Col::from_wire(self.graph, Wire::Refused)
            }
        }
    }

    /// The state as points: every column of it is a column of them.
    #[track_caller]
    pub fn points(&self) -> Geo<'g> {
        let op = construct::FromColumns {
            columns: self.columns.iter().map(|(name, ty, _)| (name.clone(), *ty)).collect(),
        };
        let mut inputs: Vec<AnySocket<'g>> = vec![self.count.into()];
        inputs.extend(self.columns.iter().map(|(_, _, column)| AnySocket::from(*column)));
        self.graph.operation(op, inputs, vec![Type::Geometry]).single()
    }
}
