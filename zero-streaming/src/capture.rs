//! How content comes into the store: captured from the scene, or added as records.

use crate::body::Body;
use crate::cell::{Group, Payload};
use crate::codec::{encode_checked, seal_of};
use crate::record::{check_forest, check_tree};
use crate::rule::cell_key_at;
use crate::storage::check_path;
use crate::{
    Captured, CellKey, EntityId, EntityState, Error, GroupId, Host, HostAction, Record, Result, Storage, StorageAction,
    Store,
};
use std::collections::HashSet;

/// The layer of content that names none.
pub const DEFAULT_LAYER: &str = "default";

/// Where content is filed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Filing {
    /// The layer; [`DEFAULT_LAYER`] unless set.
    pub layer: String,
    /// Below which folder of the storage each group is written to a file of its own. `None` keeps groups in memory. Of a
    /// group in a file, the store keeps only the manifest ([`GroupInfo`](crate::GroupInfo)) while it is away. One store a
    /// folder: the names of the files are made of the ids of the groups.
    pub folder: Option<String>,
}

impl Default for Filing {
    fn default() -> Self {
        Self::layer(DEFAULT_LAYER)
    }
}

impl Filing {
    /// In memory, in this layer.
    pub fn layer(layer: impl Into<String>) -> Self {
        Self {
            layer: layer.into(),
            folder: None,
        }
    }

    /// The same, written to files below this folder.
    pub fn in_files(self, folder: impl Into<String>) -> Self {
        Self {
            folder: Some(folder.into()),
            ..self
        }
    }

    fn check(&self) -> Result<()> {
        self.folder.as_deref().map_or(Ok(()), check_path)
    }
}

/// A root and its descendants as they are in the scene, parents before children.
#[derive(Debug)]
pub(crate) struct Subtree<E> {
    pub(crate) entities: Vec<E>,
    parents: Vec<Option<u32>>,
    /// One that has yet to land.
    pub(crate) pending: Option<E>,
}

impl<E: EntityId> Subtree<E> {
    pub(crate) fn below<H: Host<Entity = E>>(host: &H, root: E) -> Result<Self> {
        Self::below_without(host, root, |_| false)
    }

    /// The same without what is below the entities that `others` names.
    pub(crate) fn below_without<H, F>(host: &H, root: E, others: F) -> Result<Self>
    where
        H: Host<Entity = E>,
        F: Fn(E) -> bool,
    {
        let mut tree = Self {
            entities: Vec::new(),
            parents: Vec::new(),
            pending: None,
        };
        let (mut stack, mut children, mut seen) = (vec![(root, None)], Vec::new(), HashSet::new());
        while let Some((entity, parent)) = stack.pop() {
            if !seen.insert(entity) {
                return Err(Error::Cycle {
                    entity: format!("{entity:?}"),
                });
            }
            match host.state(entity) {
                EntityState::Gone => continue,
                EntityState::Pending => tree.pending = Some(entity),
                EntityState::Live => {}
            }
            let index = u32::try_from(tree.entities.len()).unwrap_or(u32::MAX);
            tree.entities.push(entity);
            tree.parents.push(parent);
            children.clear();
            if tree.pending != Some(entity) {
                host.children(entity, &mut children);
            }
            let below = children.iter().rev().filter(|child| !others(**child));
            stack.extend(below.map(|child| (*child, Some(index))));
        }
        Ok(tree)
    }

    /// What is to be taken out with an entity that nothing owns any more.
    pub(crate) fn of_stray<H: Host<Entity = E>>(host: &H, stray: E) -> Vec<E> {
        // A hierarchy that is no tree has nothing below the stray that is its alone.
        Self::below(host, stray).map_or_else(|_| vec![stray], |tree| tree.entities)
    }

    pub(crate) fn serialize<H: Host<Entity = E>>(&self, host: &mut H) -> Result<Vec<Record>> {
        let mut records = Vec::with_capacity(self.entities.len());
        for (entity, parent) in self.entities.iter().zip(&self.parents) {
            let record = host.serialize(*entity).map_err(|source| Error::Host {
                action: HostAction::Serialize,
                subject: format!("{entity:?}"),
                source,
            })?;
            records.push(Record {
                parent: *parent,
                ..record
            });
        }
        if let Some(root) = self.entities.first() {
            check_forest(&format!("the entities below {root:?}"), &records)?;
        }
        Ok(records)
    }
}

/// The cell that the first of some records stands in.
pub(crate) fn cell_of_root(records: &[Record], cell_size: f32) -> Result<CellKey> {
    let position = records.first().map_or(glam::Vec3::ZERO, |root| root.transform.position);
    cell_key_at(position.x, position.z, cell_size)
}

impl<E: EntityId, S: Storage> Store<E, S> {
    /// Takes roots with all that is below them out of the scene's hands and into the store's, each as one group, in the
    /// cell that it stands in. The entities stay in the scene; from the next step on they stream.
    ///
    /// Each target is taken for itself. One with a parent is a branch: it streams with its root, and is only counted.
    /// An entity that the game took out of another group is that group's no longer once it is captured, which writes that
    /// group down anew.
    ///
    /// Refused are a root that is held already, one that is gone or has yet to land (it or anything below it), one that
    /// cannot be serialized or stands at no finite place, any where a file cannot be written, a proxy, and what belongs to
    /// a group that is on its way.
    ///
    /// # Errors
    /// A folder that is no path.
    pub fn capture<H>(&mut self, host: &mut H, targets: &[E], filing: &Filing) -> Result<Captured<E>>
    where
        H: Host<Entity = E>,
    {
        filing.check()?;
        let own = self.stand_ins();
        let mut captured = Captured {
            groups: Vec::new(),
            entities: 0,
            branches: Vec::new(),
            refused: Vec::new(),
        };
        for target in targets {
            if host.state(*target) == EntityState::Live && host.parent(*target).is_some() {
                captured.branches.push(*target);
                continue;
            }
            match self.capture_root(host, *target, filing, &own) {
                Ok(group) => {
                    captured.entities += self.group_entities(group).len() as u64;
                    captured.groups.push(group);
                }
                Err(error) => captured.refused.push((*target, error)),
            }
        }
        Ok(captured)
    }

    fn capture_root<H>(&mut self, host: &mut H, root: E, filing: &Filing, own: &HashSet<E>) -> Result<GroupId>
    where
        H: Host<Entity = E>,
    {
        let entity = || format!("{root:?}");
        if let Some(group) = self.group_of(root) {
            return Err(Error::Held {
                entity: entity(),
                group,
            });
        }
        if host.state(root) == EntityState::Gone {
            return Err(Error::Gone { entity: entity() });
        }
        let tree = Subtree::below(host, root)?;
        if let Some(pending) = tree.pending {
            return Err(Error::NotLanded {
                entity: format!("{pending:?}"),
            });
        }
        if let Some(entity) = tree.entities.iter().find(|entity| own.contains(entity)) {
            return Err(Error::StandIn {
                entity: format!("{entity:?}"),
            });
        }
        let within = self.groups_within(&tree.entities, None);
        if let Some(slot) = self.on_its_way(&within) {
            // What there is of it is not all in the scene.
            let group = GroupId(slot);
            return Err(Error::OnItsWay {
                entity: entity(),
                group,
            });
        }
        let records = tree.serialize(host)?;
        self.take_from(host, &within.parted, &tree.entities)?;
        let group = self.file(&records, filing, Body::standing(tree.entities))?;
        self.absorb(&within.whole);
        self.own(group.0);
        Ok(group)
    }

    /// Registers a group that was never spawned: a root, the first record, and what is below it. It stands nowhere until
    /// a source comes near.
    ///
    /// # Errors
    /// Records that are no tree ([`Record::parent`]) or hold a number that is not finite; a root further out than cells
    /// go; a folder that is no path; a file that cannot be written. Nothing is registered then.
    pub fn add(&mut self, records: &[Record], filing: &Filing) -> Result<GroupId> {
        filing.check()?;
        check_tree("the group", records)?;
        self.file(records, filing, Body::away())
    }

    /// Files checked records as a group with this body.
    fn file(&mut self, records: &[Record], filing: &Filing, body: Body<E>) -> Result<GroupId> {
        let key = cell_of_root(records, self.config.cell_size)?;
        let payload = encode_checked(records);
        let bytes = payload.len() as u64;
        let layer = self.layer_index(&filing.layer);
        let stands = !body.is_away();
        let cell = self.cell_at(layer, key, stands);
        let entities = records.len() as u64;
        let slot = self.groups.insert(Group {
            cell,
            payload: Payload::Memory(Vec::new()),
            entities,
            bytes,
            body,
        });
        let payload = match &filing.folder {
            None => Payload::Memory(payload),
            Some(folder) => {
                let path = format!("{folder}/{:08x}-{:x}.zstr", slot.index, slot.generation);
                if let Err(source) = self.storage.write(&path, &payload) {
                    self.groups.remove(slot);
                    self.refresh(cell);
                    return Err(Error::Storage {
                        action: StorageAction::Write,
                        path,
                        source,
                    });
                }
                let seal = seal_of(&payload);
                Payload::File { path, seal }
            }
        };
        if let Some(group) = self.groups.get_mut(slot) {
            group.payload = payload;
        }
        if let Some(cell) = self.cells.get_mut(cell) {
            // Content that stands goes on standing in the hold band of a cell that had none, and content that is away
            // stays away.
            if cell.groups.is_empty() {
                cell.goal = stands;
            }
            cell.groups.push(slot);
        }
        self.refresh_with(cell, slot);
        Ok(GroupId(slot))
    }
}
