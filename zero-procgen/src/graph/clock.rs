//! The graph's clock, and where the graph stands.

use super::Graph;
use super::socket::{Bool, Float, Int, Quat, Socket, UInt, Vec3, Vec4};
use super::wire::{ClockField, Wire};

/// Reads of the graph's clock and of the placement it is presented with. A field or a number that reads them follows
/// them with no cook.
#[derive(Clone, Copy, Debug)]
pub struct ClockSockets<'g> {
    pub(super) graph: &'g Graph,
}

impl Graph {
    /// The clock that the graph is presented at, and where it stands.
    pub fn clock(&self) -> ClockSockets<'_> {
        ClockSockets { graph: self }
    }

    /// What carries the world into the graph's own space, by the placement the graph is presented with.
    ///
    /// ```
    /// use zero_procgen::nodes::points;
    /// use zero_procgen::{Graph, vec3};
    ///
    /// let graph = Graph::define("lean", |g| {
    ///     // The wind blows along the world's +X, whichever way the graph is turned.
    ///     let wind = g.transform().direction(vec3(1.0, 0.0, 0.0));
    ///     g.output("reeds", g.add(points::Disc::new()).point().set("lean", wind * 0.1));
    /// })?;
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    pub fn transform(&self) -> TransformSockets<'_> {
        TransformSockets { clock: self.clock() }
    }
}

impl<'g> ClockSockets<'g> {
    fn read<S: Socket<'g>>(self, field: ClockField) -> S {
        S::from_wire(self.graph, Wire::Clock(field))
    }

    /// Seconds since the timeline began.
    pub fn time(self) -> Float<'g> {
        self.read(ClockField::Time)
    }
    /// Frames since the timeline began.
    pub fn frame(self) -> Int<'g> {
        self.read(ClockField::Frame)
    }
    /// Seconds that a frame lasts; 0 where the clock counts no frames.
    pub fn delta(self) -> Float<'g> {
        self.read(ClockField::Delta)
    }
    /// Frames a second; 0 where the clock counts none.
    pub fn fps(self) -> Float<'g> {
        self.read(ClockField::Fps)
    }
    /// Seconds that the timeline lasts; 0 where it has no end.
    ///
    /// ```
    /// use zero_procgen::nodes::mesh;
    /// use zero_procgen::compute::{Device, Exec};
    /// use zero_procgen::{Clock, Graph, Play, Store, StoreOptions, inputs, vec3};
    ///
    /// let graph = Graph::define("growing", |g| {
    ///     // From nothing to its whole height over the timeline, however long that is.
    ///     let grown = g.clock().time() / g.clock().duration();
    ///     g.output("grown", grown);
    ///     g.output("tower", g.add(mesh::Box::new().size(vec3(1.0, grown * 9.0, 1.0))));
    /// })?;
    /// let store = Store::new(&Device::cpu(Default::default()), StoreOptions::default());
    /// let mut play = Play::new(&store, &graph, inputs! {})?;
    /// let frame = play.present(Clock::at(1.5, 60.0).lasting(6.0), &Exec::default())?.whole();
    /// assert_eq!(frame.map(|frame| frame.number("grown")).transpose()?, Some(vec![0.25]));
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    pub fn duration(self) -> Float<'g> {
        self.read(ClockField::Duration)
    }
    /// What carries the graph's space into the world: the columns of a matrix.
    pub fn placement(self) -> [Vec4<'g>; 4] {
        [0, 1, 2, 3].map(|column| self.read(ClockField::Placement(column)))
    }
    /// What carries the world into the graph's space: the columns of a matrix.
    pub fn inverse(self) -> [Vec4<'g>; 4] {
        [0, 1, 2, 3].map(|column| self.read(ClockField::Inverse(column)))
    }
    /// How the graph's space is turned in the world.
    pub fn rotation(self) -> Quat<'g> {
        self.read(ClockField::Rotation)
    }
    /// The number of the entity the graph stands on, 0 where it stands on none.
    pub fn entity(self) -> UInt<'g> {
        self.read(ClockField::Entity)
    }
    /// Whether the graph stands on an entity.
    #[track_caller]
    pub fn stands(self) -> Bool<'g> {
        self.read::<UInt<'g>>(ClockField::Stands).gt(0)
    }
}

/// The world carried into the graph's own space.
#[derive(Clone, Copy, Debug)]
pub struct TransformSockets<'g> {
    clock: ClockSockets<'g>,
}

impl<'g> TransformSockets<'g> {
    /// A place in the world.
    #[track_caller]
    pub fn point(self, pos_world: impl Into<Vec3<'g>>) -> Vec3<'g> {
        let origin = self.clock.inverse()[3].xyz();
        self.direction(pos_world) + origin
    }
    /// A direction in the world, its length carried along.
    #[track_caller]
    pub fn direction(self, dir_world: impl Into<Vec3<'g>>) -> Vec3<'g> {
        let dir: Vec3<'g> = dir_world.into();
        let [x, y, z, _] = self.clock.inverse();
        x.xyz() * dir.x() + y.xyz() * dir.y() + z.xyz() * dir.z()
    }
    /// A rotation in the world.
    #[track_caller]
    pub fn rotation(self, turn_world: impl Into<Quat<'g>>) -> Quat<'g> {
        let turn: Quat<'g> = turn_world.into();
        self.clock.rotation().inverse() * turn
    }
}
