//! What an author asks of a geometry and writes on it beside its columns.

use super::Graph;
use super::socket::{AnySocket, Bool, ClassOf, Col, Geo, Int, Socket};
use super::wire::{Class, NodeOp, Type, Wire};
use crate::cook::Holds;
use crate::cook::construct::{Empty, HasColumn, ReadDetail, SetCount, SetDetail};

impl Graph {
    /// A geometry of no elements, to be given a count and columns.
    #[track_caller]
    pub fn empty(&self) -> Geo<'_> {
        self.operation(Empty, Vec::new(), vec![Type::Geometry]).single()
    }

    /// Whether a geometry holds a column, as far as the nodes that made it say so before they are cooked.
    pub(crate) fn holds(&self, geometry: Wire, class: Class, name: &str) -> Option<bool> {
        let inner = self.inner.borrow();
        let mut at = geometry;
        loop {
            let Wire::Node(id, 0) = at else { return None };
            let node = inner.nodes.get(id.index())?;
            let NodeOp::Operation(op) = &node.op else { return None };
            match op.holds(class, name) {
                Holds::Unknown => return None,
                Holds::Yes => return Some(true),
                Holds::No => return Some(false),
                Holds::AsInput(place) => at = node.inputs.get(place).copied()?,
            }
        }
    }
}

impl<'g> ClassOf<'g> {
    /// Whether the class holds a column of this name. Where the nodes before say so, as a write and a removal of it do, the
    /// answer is a constant of the build and a choice by it leaves the other out; else the cook answers.
    ///
    /// ```
    /// use zero_procgen::{Float, Geo, Graph};
    ///
    /// let graph = Graph::define("heat", |g| {
    ///     let given = g.geometry("given");
    ///     let warmed = given.point().set("heat", Float::from(20.0));
    ///     g.output("warm", given.point().has("heat").choose::<Geo<'_>>(given, warmed));
    /// })?;
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    #[track_caller]
    pub fn has(self, name: &str) -> Bool<'g> {
        let Some(graph) = self.geometry.graph() else {
            return Bool::from_parts(None, Wire::Refused);
        };
        if let Some(known) = graph.holds(self.geometry.wire(), self.class, name) {
            return known.into();
        }
        let op = HasColumn {
            class: self.class,
            name: name.into(),
        };
        graph
            .operation(op, vec![self.geometry.into()], vec![Type::Bool])
            .single()
    }

    /// The geometry with so many elements of the class, which holds no column yet: one value, not one an element; below 0
    /// it is 0.
    #[track_caller]
    pub fn set_count(self, count: impl Into<Int<'g>>) -> Geo<'g> {
        self.counted(count.into().into())
    }

    /// The same with as many elements as a run has: its live ones where it is counted on the device.
    #[track_caller]
    pub fn set_count_of(self, run: Col<'g>) -> Geo<'g> {
        self.counted(run.into())
    }

    #[track_caller]
    fn counted(self, count: AnySocket<'g>) -> Geo<'g> {
        match self.geometry.graph() {
            Some(graph) => graph
                .operation(
                    SetCount { class: self.class },
                    vec![self.geometry.into(), count],
                    vec![Type::Geometry],
                )
                .single(),
            None => self.geometry,
        }
    }
}

impl<'g> Geo<'g> {
    /// A value that stands for the whole geometry, by its name; the cook refuses one the geometry does not hold, naming
    /// those it does, and one of another type.
    #[track_caller]
    pub fn detail<S: Socket<'g>>(self, name: &str) -> S {
        match self.graph() {
            Some(graph) => {
                let op = ReadDetail {
                    name: name.into(),
                    ty: S::TYPE,
                };
                graph.operation(op, vec![self.into()], vec![S::TYPE]).single()
            }
            None => S::from_parts(None, Wire::Refused),
        }
    }

    /// The geometry with a value that stands for the whole of it. `Mesh` makes it a population of what is given.
    #[track_caller]
    pub fn set_detail(self, name: &str, value: impl Into<AnySocket<'g>>) -> Geo<'g> {
        match self.graph() {
            Some(graph) => {
                let op = SetDetail { name: name.into() };
                let inputs = vec![self.into(), value.into()];
                graph.operation(op, inputs, vec![Type::Geometry]).single()
            }
            None => self,
        }
    }
}
