//! What the store asks of the one who owns the entities.

use crate::{BoxError, Record};

/// Where an entity is between being asked for and being gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityState {
    /// It was asked for and has its id; it is not in the scene yet.
    Pending,
    /// It is in the scene.
    Live,
    /// It is not in the scene, and never will be.
    Gone,
}

/// An entity's id: small, and never used again for another entity while the store knows it.
pub trait EntityId: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {}

impl<T: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug> EntityId for T {}

/// The scene that content streams into and out of. The store owns no entity: it asks.
///
/// An error of a method is reported by the step or call that met it, the state of the store stays true to the scene, and
/// what failed is tried again on later steps.
pub trait Host {
    /// An entity's id.
    type Entity: EntityId;

    /// The number of the current frame. A second step of one frame does nothing.
    fn frame(&self) -> u64;

    /// Asks for one entity made of a record, without its parent. It may land in a later frame: its state is
    /// [`EntityState::Pending`] until then. One that will not land has to become [`EntityState::Gone`]: until either, its
    /// group waits and is not released.
    ///
    /// # Errors
    /// The entity cannot be made. Then there is none.
    fn spawn(&mut self, record: &Record) -> Result<Self::Entity, BoxError>;

    /// Takes one entity out of the scene, or takes back that it was asked for. Its children are taken out before it; a
    /// host that takes children along does no harm.
    ///
    /// # Errors
    /// The entity is still there.
    fn despawn(&mut self, entity: Self::Entity) -> Result<(), BoxError>;

    /// Where an entity is.
    fn state(&self, entity: Self::Entity) -> EntityState;

    /// Puts a child below a parent; both are live. The child's transform is relative to the parent from then on, its
    /// numbers unchanged.
    ///
    /// # Errors
    /// They are not linked.
    fn link(&mut self, child: Self::Entity, parent: Self::Entity) -> Result<(), BoxError>;

    /// The parent of a live entity; `None` at the top of the scene.
    fn parent(&self, entity: Self::Entity) -> Option<Self::Entity>;

    /// Adds the children of a live entity to `out`, in an order that is the same on every run.
    fn children(&self, entity: Self::Entity, out: &mut Vec<Self::Entity>);

    /// A live entity as it is now. The store fills in the record's parent.
    ///
    /// # Errors
    /// It cannot be written down.
    fn serialize(&mut self, entity: Self::Entity) -> Result<Record, BoxError>;
}
