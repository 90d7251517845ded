//! One of several: `pick` among alternatives, `choose` between two by a condition.

use super::Graph;
use super::math::MathOp;
use super::ops::apply;
use super::socket::{AnySocket, Bool, Int, Socket, Sockets};
use super::wire::{NodeId, NodeOp, Type, Wire};
use crate::error::{Error, Site};

/// What a pick goes by: a place, from 0, or a truth, of which false names the first alternative and true the second.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceSocket<'g>(AnySocket<'g>);

macro_rules! choices {
    ($($from:ty as $to:ident;)*) => {$(
        impl<'g> From<$from> for ChoiceSocket<'g> {
            fn from(value: $from) -> Self {
                ChoiceSocket($to::from(value).into())
            }
        }
    )*};
}
choices! {
    i32 as Int;
    Int<'g> as Int;
    bool as Bool;
    Bool<'g> as Bool;
}

impl Graph {
    /// One of the alternatives, whole: a number, a geometry, several sockets at once. What only the others stand on is
    /// never cooked, so it may fail. The choice is one value that the build or the cook knows, not one an element; a
    /// place that no alternative has is refused. While the choice stands, a moved number behind what is taken replays.
    ///
    /// ```
    /// use zero_procgen::nodes::mesh;
    /// use zero_procgen::{Geo, Graph};
    ///
    /// let graph = Graph::define("props", |g| {
    ///     let kinds: [Geo<'_>; 2] = [g.add(mesh::Box::new()), g.add(mesh::Cone::new())];
    ///     g.output("prop", g.pick(g.int("kind", 0), kinds));
    /// })?;
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    #[track_caller]
    pub fn pick<'g, S: Sockets<'g>>(
        &'g self,
        choice: impl Into<ChoiceSocket<'g>>,
        alternatives: impl IntoIterator<Item = S>,
    ) -> S {
        let (ChoiceSocket(choice), site) = (choice.into(), Site::caller());
        let alternatives: Vec<Vec<Wire>> = alternatives.into_iter().map(|held| held.wires()).collect();
        let wires = self.pick_wires(choice, &S::types(), &alternatives, site);
        S::from_wires(self, &wires)
    }

    /// One of the alternatives by its name, which the build knows: a plain text, most often. A name that none has is
    /// refused naming the nearest.
    #[track_caller]
    pub fn pick_named<'g, S: Sockets<'g>>(
        &'g self,
        name: &str,
        alternatives: impl IntoIterator<Item = (&'static str, S)>,
    ) -> S {
        let mut names = Vec::new();
        for (held, alternative) in alternatives {
            if held == name {
                return alternative;
            }
            names.push(held);
        }
        let unknown = Error::unknown("alternative", name, names);
        self.refuse(Site::caller(), "pick", unknown.to_string());
        S::refused(self)
    }

    pub(crate) fn pick_wires(
        &self,
        choice: AnySocket<'_>,
        types: &[Type],
        alternatives: &[Vec<Wire>],
        site: Site,
    ) -> Vec<Wire> {
        let refused = |message: String| {
            self.refuse(site, "pick", message);
            Vec::new()
        };
        let place = match choice.wire {
            Wire::Int(place) => Some(i64::from(place)),
            Wire::Bool(truth) => Some(i64::from(truth)),
            Wire::Refused => return Vec::new(),
            _ => None,
        };
        if choice.ty == Type::Bool && alternatives.len() != 2 {
            let found = alternatives.len();
            return refused(format!("a truth chooses between 2 alternatives, got {found}"));
        }
        if let Some(place) = place {
            let taken = usize::try_from(place).ok().and_then(|place| alternatives.get(place));
            return match taken {
                Some(wires) => wires.clone(),
                None => refused(format!(
                    "the choice: expected a place from 0 and below {}, got {place}",
                    alternatives.len()
                )),
            };
        }
        let mut inputs = vec![choice.wire];
        inputs.extend(alternatives.iter().flatten());
        if !self.usable("pick", &inputs, site) {
            return Vec::new();
        }
        let node = self.push(NodeOp::Pick(types.len() as u16), inputs, types.to_vec(), site);
        self.lift(node);
        (0..types.len() as u16).map(|output| Wire::Node(node, output)).collect()
    }
}

impl Graph {
    /// Moves a node out to the body that the innermost value it reads is of: read in a body within, it is one value.
    fn lift(&self, node: NodeId) {
        let mut inner = self.inner.borrow_mut();
        let reads = &inner.nodes[node.index()].inputs;
        let bodies = reads.iter().filter_map(|wire| wire.body(&inner.nodes));
        let depths = bodies.filter_map(|body| inner.scope_stack.iter().position(|open| *open == body));
        let scope = inner.scope_stack[depths.max().unwrap_or(0)];
        inner.nodes[node.index()].scope = scope;
    }
}

impl<'g> Bool<'g> {
    /// The first where the condition holds, else the second. A condition that the build knows leaves the other out. A
    /// number chosen by any other is chosen element by element, and both are computed; of two geometries, columns or
    /// lists one is cooked, as [`Graph::pick`] does, and the condition is one value.
    #[track_caller]
    pub fn choose<S: Socket<'g>>(self, yes: impl Into<S>, no: impl Into<S>) -> S {
        let (yes, no): (S, S) = (yes.into(), no.into());
        match (self.wire(), self.graph()) {
            (Wire::Bool(true), _) => yes,
            (Wire::Bool(false), _) => no,
            (_, Some(graph)) if S::TYPE.lanes().is_none() => graph.pick(self, [no, yes]),
            _ => apply(MathOp::Where, &[self.into(), yes.into(), no.into()]),
        }
    }
}
