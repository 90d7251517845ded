//! Which group an entity belongs to, and what happens where the game puts it elsewhere: it is never two groups'.

use crate::capture::Subtree;
use crate::cell::Payload;
use crate::slots::Slot;
use crate::{EntityId, Host, Result, Storage, Store};
use std::collections::{BTreeSet, HashSet};

/// The other groups that entities of a subtree belong to.
#[derive(Debug, Default)]
pub(crate) struct Within {
    /// Those whose root is among them: they are part of the subtree as they are.
    pub(crate) whole: Vec<Slot>,
    /// Those that lost a part to it.
    pub(crate) parted: Vec<Slot>,
}

impl<E: EntityId, S: Storage> Store<E, S> {
    /// The group that has this entity for its root.
    pub(crate) fn owner_by_root(&self, root: E) -> Option<Slot> {
        let slot = self.owners.get(&root).copied()?;
        let first = self.groups.get(slot)?.body.entities.first();
        (first == Some(&root)).then_some(slot)
    }

    /// Notes that the entities of a group are its own.
    pub(crate) fn own(&mut self, slot: Slot) {
        if let Some(group) = self.groups.get(slot) {
            self.owners
                .extend(group.body.entities.iter().map(|entity| (*entity, slot)));
        }
    }

    /// Notes that entities are a group's no longer.
    pub(crate) fn disown(&mut self, slot: Slot, entities: &[E]) {
        for entity in entities {
            if self.owners.get(entity) == Some(&slot) {
                self.owners.remove(entity);
            }
        }
    }

    /// The groups, other than `own`, that these entities belong to.
    pub(crate) fn groups_within(&self, entities: &[E], own: Option<Slot>) -> Within {
        let mut within = Within::default();
        let held = entities.iter().filter_map(|entity| self.owners.get(entity).copied());
        let others: BTreeSet<Slot> = held.filter(|slot| Some(*slot) != own).collect();
        if others.is_empty() {
            return within;
        }
        within.whole = entities
            .iter()
            .filter_map(|entity| self.owner_by_root(*entity))
            .collect();
        within.whole.retain(|slot| Some(*slot) != own);
        within.parted = others.into_iter().filter(|slot| !within.whole.contains(slot)).collect();
        within
    }

    /// The first of these groups that is on its way in or out.
    pub(crate) fn on_its_way(&self, within: &Within) -> Option<Slot> {
        let settled = |slot: &Slot| self.groups.get(*slot).is_some_and(|group| group.body.is_settled());
        within
            .whole
            .iter()
            .chain(&within.parted)
            .copied()
            .find(|slot| !settled(slot))
    }

    /// What stands, or is being taken out, and is no content: proxies and leftovers. Costs a look at what is near the
    /// sources.
    pub(crate) fn stand_ins(&self) -> HashSet<E> {
        let mut own = HashSet::new();
        for cell in self.active.iter().filter_map(|slot| self.cells.get(*slot)) {
            let proxies = cell.proxy.iter().map(|proxy| &proxy.body).chain(&cell.retired);
            for body in proxies.chain(cell.strays.iter().map(|stray| &stray.body)) {
                own.extend(body.entities.iter().copied());
            }
        }
        own
    }

    /// Takes entities from groups that they were part of, and writes down what is left of those, so that nothing is in
    /// the records of two. On an error what was written is as it is in the scene.
    pub(crate) fn take_from<H>(&mut self, host: &mut H, groups: &[Slot], taken: &[E]) -> Result<()>
    where
        H: Host<Entity = E>,
    {
        if groups.is_empty() {
            return Ok(());
        }
        let (gone, taken) = (taken, taken.iter().copied().collect::<HashSet<E>>());
        for slot in groups {
            let Some(root) = self.groups.get(*slot).and_then(|group| group.body.entities.first()) else {
                continue;
            };
            let others = |entity| self.owner_by_root(entity).is_some() || taken.contains(&entity);
            let records = Subtree::below_without(host, *root, others)?.serialize(host)?;
            // One whose root was destroyed is dropped by the coming step.
            if !records.is_empty() {
                self.rewrite(*slot, &records)?;
            }
            if let Some(group) = self.groups.get_mut(*slot) {
                group.body.entities.retain(|entity| !taken.contains(entity));
                let cell = group.cell;
                self.disown(*slot, gone);
                self.refresh(cell);
            }
        }
        Ok(())
    }

    /// Closes groups whose roots the game put below another group, which was written down with them: they stream with it
    /// from now on.
    pub(crate) fn absorb(&mut self, groups: &[Slot]) {
        for slot in groups {
            let Some((cell, group)) = self.close_group(*slot) else {
                continue;
            };
            if let (Payload::File { path, .. }, Some(cell)) = (group.payload, self.cells.get_mut(cell)) {
                cell.leave(Vec::new(), Some(path));
            }
            self.refresh(cell);
        }
    }
}
