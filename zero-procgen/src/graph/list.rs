//! Lists, and the body that stands for every item of one.

use super::Graph;
use super::socket::{AnySocket, Geo, Int, Socket, Sockets};
use super::wire::{NodeOp, ScopeKind, Type, Wire};
use crate::cook::list::{CountItems, MergeItems};
use crate::error::Site;
use std::marker::PhantomData;

/// Several values of one kind in order: numbers, geometries, or records of several sockets. An item is filed under its
/// own content, so what is made of it stands when it moves to another place.
pub struct List<'g, S> {
    graph: Option<&'g Graph>,
    wire: Wire,
    holds: PhantomData<fn() -> S>,
}

impl<S> Clone for List<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for List<'_, S> {}

impl<S> std::fmt::Debug for List<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("List").field(&self.wire).finish()
    }
}

impl<'g, S: Sockets<'g> + 'g> Socket<'g> for List<'g, S> {
    const TYPE: Type = Type::List;
    fn from_parts(graph: Option<&'g Graph>, wire: Wire) -> Self {
        List {
            graph,
            wire,
            holds: PhantomData,
        }
    }
    fn wire(self) -> Wire {
        self.wire
    }
    fn graph(self) -> Option<&'g Graph> {
        self.graph
    }
}

impl Graph {
    /// A list of these, in this order.
    #[track_caller]
    pub fn list<'g, S: Sockets<'g> + 'g>(&'g self, items: impl IntoIterator<Item = S>) -> List<'g, S> {
        let items: Vec<Wire> = items.into_iter().flat_map(|item| item.wires()).collect();
        List::from_wire(self, self.list_wire(S::types().len(), items, Site::caller()))
    }

    pub(crate) fn list_wire(&self, fields: usize, items: Vec<Wire>, site: Site) -> Wire {
        if !self.usable("list", &items, site) {
            return Wire::Refused;
        }
        Wire::Node(self.push(NodeOp::List(fields as u16), items, vec![Type::List], site), 0)
    }

    /// An item of a list by its place, from 0; a place that the list does not have is refused when it is cooked.
    #[track_caller]
    pub fn item<'g, S: Sockets<'g> + 'g>(&'g self, list: List<'g, S>, place: impl Into<Int<'g>>) -> S {
        let place: Int<'g> = place.into();
        let wires = self.item_wires(list.into(), place.into(), &S::types(), Site::caller());
        S::from_wires(self, &wires)
    }

    /// Runs the body so many times and collects what it makes. The body is written once and stands for every pass; it
    /// gets the pass's number, from 1. The count may be anything the cook knows; below 1 it makes an empty list.
    #[track_caller]
    pub fn times<'g, T: Sockets<'g> + 'g>(
        &'g self,
        count: impl Into<Int<'g>>,
        body: impl FnOnce(Int<'g>) -> T,
    ) -> List<'g, T> {
        let count: Int<'g> = count.into();
        self.each(count.into(), (), |(), number, ()| (body(number), ())).0
    }

    /// The passes over a list or a count.
    #[track_caller]
    fn each<'g, S: Sockets<'g>, T: Sockets<'g> + 'g, C: Sockets<'g>>(
        &'g self,
        source: AnySocket<'g>,
        start: C,
        body: impl FnOnce(S, Int<'g>, C) -> (T, C),
    ) -> (List<'g, T>, C) {
        let left = self.each_wires(
            source.wire,
            S::types().len(),
            (start.wires(), C::types()),
            T::types().len() as u16,
            Site::caller(),
            |item, index, held| {
                let (item, held) = (S::from_wires(self, item), C::from_wires(self, held));
                let (made, next) = body(item, Int::from_wire(self, index), held);
                let mut results = made.wires();
                results.extend(next.wires());
                results
            },
        );
        match left.split_first() {
            Some((list, carried)) => (List::from_wire(self, *list), C::from_wires(self, carried)),
            None => (List::from_wire(self, Wire::Refused), C::refused(self)),
        }
    }

    /// The passes over a list of items of so many fields, or a count. The body gets the fields, the number and what is
    /// carried, and answers so many fields made and then what it carries on; nothing where it is refused.
    pub(crate) fn each_wires(
        &self,
        source: Wire,
        fields: usize,
        (start, types): (Vec<Wire>, Vec<Type>),
        made: u16,
        site: Site,
        body: impl FnOnce(&[Wire], Wire, &[Wire]) -> Vec<Wire>,
    ) -> Vec<Wire> {
        let mut inputs = vec![source];
        inputs.extend(start);
        if !self.usable("each", &inputs, site) {
            return Vec::new();
        }
        let scope = self.open(ScopeKind::Each);
        let slots: Vec<Wire> = (0..fields + types.len())
            .map(|slot| Wire::FoldValue(scope, slot as u16))
            .collect();
        let (item, held) = slots.split_at(fields);
        let results = body(item, Wire::FoldIndex(scope), held);
        if !self.close(scope, "each", results, site) {
            return Vec::new();
        }
        let mut outputs = vec![Type::List];
        outputs.extend(types);
        let last = outputs.len() as u16;
        let node = self.push(NodeOp::Each(scope, made), inputs, outputs, site);
        (0..last).map(|slot| Wire::Node(node, slot)).collect()
    }
}

impl<'g, S: Sockets<'g> + 'g> List<'g, S> {
    /// Runs the body for every item and collects what it makes. The body is written once and stands for every pass: it
    /// gets the item and the pass's number, from 1. A pass is filed under the content of its item, so other places in
    /// the list cook nothing, and a new item cooks one pass; a body that reads the number stands on that too.
    ///
    /// ```
    /// use zero_procgen::nodes::{geometry, mesh};
    /// use zero_procgen::{Float, Graph};
    ///
    /// let graph = Graph::define("steles", |g| {
    ///     let heights: [Float<'_>; 3] = [1.0.into(), 2.5.into(), g.float("third", 4.0)];
    ///     let steles = g.list(heights).each(|height, number| {
    ///         let stele = g.add(mesh::Cone::new().height(height));
    ///         g.add(geometry::Transform::new(stele).translate(zero_procgen::vec3(number * 2.0, 0.0, 0.0)))
    ///     });
    ///     g.output("steles", steles.merge());
    /// })?;
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    #[track_caller]
    pub fn each<T: Sockets<'g> + 'g>(self, body: impl FnOnce(S, Int<'g>) -> T) -> List<'g, T> {
        self.each_carrying((), |item, number, ()| (body(item, number), ())).0
    }

    /// The same with something carried: the first pass gets `start`, each other what the pass before answered beside
    /// what it made, and what the last answered comes back beside the list.
    #[track_caller]
    pub fn each_carrying<T: Sockets<'g> + 'g, C: Sockets<'g>>(
        self,
        start: C,
        body: impl FnOnce(S, Int<'g>, C) -> (T, C),
    ) -> (List<'g, T>, C) {
        match self.graph {
            Some(graph) => graph.each(self.into(), start, body),
            // Every list is of a graph.
            None => (List::from_parts(None, Wire::Refused), start),
        }
    }

    /// How many items there are.
    #[track_caller]
    pub fn count(self) -> Int<'g> {
        match self.graph {
            Some(graph) => graph.operation(CountItems, vec![self.into()], vec![Type::Int]).single(),
            None => Int::from_parts(None, Wire::Refused),
        }
    }
}

impl<'g> List<'g, Geo<'g>> {
    /// All of them as one geometry, in order: see [`Merge`](crate::nodes::geometry::Merge).
    #[track_caller]
    pub fn merge(self) -> Geo<'g> {
        match self.graph {
            Some(graph) => graph
                .operation(MergeItems, vec![self.into()], vec![Type::Geometry])
                .single(),
            None => Geo::from_parts(None, Wire::Refused),
        }
    }
}

impl Graph {
    pub(crate) fn item_wires(
        &self,
        list: AnySocket<'_>,
        place: AnySocket<'_>,
        types: &[Type],
        site: Site,
    ) -> Vec<Wire> {
        let inputs = vec![list.wire, place.wire];
        if !self.usable("item", &inputs, site) {
            return Vec::new();
        }
        let node = self.push(NodeOp::Item, inputs, types.to_vec(), site);
        (0..types.len() as u16).map(|output| Wire::Node(node, output)).collect()
    }
}
