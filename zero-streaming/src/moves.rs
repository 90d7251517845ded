//! The moves that a step is made of: a group comes in or goes out, a proxy is raised or taken down.

use crate::body::Phase;
use crate::capture::{Subtree, cell_of_root};
use crate::cell::{Group, Payload};
use crate::codec::{decode_records, encode_checked, seal_of};
use crate::slots::Slot;
use crate::step::Work;
use crate::store::read_payload;
use crate::{CellKey, EntityId, EntityState, Error, Host, Record, Result, Storage, StorageAction, Store};
use std::collections::hash_map::Entry;

/// How far a group got on its way out.
enum Release<E> {
    /// It waits: for entities to land, for a group below it, for the game to let go of it.
    NotYet,
    /// Its root stands in another cell, to which it goes as it stands.
    Moved(CellKey),
    /// It is written down, and these entities can be taken out.
    Written { entities: Vec<E>, absorbed: Vec<Slot> },
}

impl<E: EntityId, S: Storage> Store<E, S> {
    /// What goes out of a cell: leftovers, a proxy that has had its time, and content that is to go, once what covers for
    /// it stands.
    pub(crate) fn release_cell<H>(&mut self, host: &mut H, slot: Slot, groups: &mut Vec<Slot>, work: &mut Work)
    where
        H: Host<Entity = E>,
    {
        if !work.may_begin() {
            return;
        }
        self.clear_strays(host, slot, work);
        self.drop_proxies(host, slot, work);
        self.refresh(slot);
        let Some(cell) = self.cells.get(slot) else { return };
        let goal = cell.goal;
        groups.clear();
        groups.extend(&cell.groups);
        for group in groups.iter() {
            let half = |group: &Group<E>| match group.body.phase {
                Phase::Falling => true,
                // What never stood whole goes as it came: its records are still all there is to it.
                Phase::Rising => !goal,
                _ => false,
            };
            if self.groups.get(*group).is_some_and(half) {
                self.take_out(host, *group, work);
            }
        }
        self.refresh(slot);
        if !goal && self.cells.get(slot).is_some_and(|cell| cell.tally.groups_up > 0) {
            self.raise_proxy(host, slot, work);
            for group in groups.iter() {
                if self.cells.get(slot).is_none_or(|cell| cell.needs_cover()) {
                    break;
                }
                self.release_group(host, *group, work);
            }
            self.refresh(slot);
        }
    }

    /// What comes into a cell: content that is to stand, or the proxy of a cell in the far field.
    pub(crate) fn load_cell<H>(&mut self, host: &mut H, slot: Slot, groups: &mut Vec<Slot>, work: &mut Work)
    where
        H: Host<Entity = E>,
    {
        let Some(cell) = self.cells.get(slot) else { return };
        if !work.may_begin() {
            return;
        }
        if cell.goal {
            groups.clear();
            groups.extend(&cell.groups);
            for group in groups.iter() {
                self.load_group(host, *group, work);
            }
        } else {
            self.raise_proxy(host, slot, work);
        }
        self.refresh(slot);
    }

    fn load_group<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(group) = self.groups.get_mut(slot) else { return };
        let comes_in = matches!(group.body.phase, Phase::Away | Phase::Rising);
        if !comes_in || !work.may_begin() || !group.body.retry.is_due(work.now) {
            return;
        }
        let result = read_payload(&self.storage, &group.payload).inspect_err(|_| work.step.spent += 1);
        let owners = &mut self.owners;
        let claim = |entity| match owners.entry(entity) {
            Entry::Vacant(place) => {
                place.insert(slot);
                true
            }
            Entry::Occupied(_) => false,
        };
        let result = result.and_then(|records| group.body.rise(host, &records, &mut work.step.spent, claim));
        match result {
            Ok(()) => {
                group.body.retry.worked();
                work.step.loaded += 1;
                self.settle_group(host, slot, work);
            }
            Err(error) => {
                group.body.retry.failed(work.now);
                let cell = group.cell;
                self.fail(cell, Some(slot), error, work);
            }
        }
    }

    fn release_group<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(group) = self.groups.get(slot) else { return };
        let cell = group.cell;
        if !group.body.is_settled() || !work.may_begin() || !group.body.retry.is_due(work.now) {
            return;
        }
        match self.write_down(host, slot) {
            Ok(Release::NotYet) => {}
            Ok(Release::Moved(key)) => {
                self.move_group(slot, key, work);
                work.step.moved += 1;
            }
            Ok(Release::Written { entities, absorbed }) => {
                self.absorb(&absorbed);
                if let Some(group) = self.groups.get_mut(slot) {
                    let before = std::mem::replace(&mut group.body.entities, entities);
                    self.disown(slot, &before);
                    self.own(slot);
                }
                self.take_out(host, slot, work);
            }
            Err(error) => {
                work.step.spent += 1;
                if let Some(group) = self.groups.get_mut(slot) {
                    group.body.retry.failed(work.now);
                }
                self.fail(cell, Some(slot), error, work);
            }
        }
    }

    /// Makes the records of a standing group those of its live subtree. On an error it is as it was.
    fn write_down<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot) -> Result<Release<E>> {
        let Some(group) = self.groups.get(slot) else {
            return Ok(Release::NotYet);
        };
        let Some(root) = group.body.entities.first().copied() else {
            return Ok(Release::NotYet);
        };
        if host.state(root) != EntityState::Live || host.parent(root).is_some() {
            // Carried by something of the game's, or part of another group, with which it goes.
            return Ok(Release::NotYet);
        }
        let tree = Subtree::below(host, root)?;
        let within = self.groups_within(&tree.entities, Some(slot));
        if tree.pending.is_some() || self.on_its_way(&within).is_some() {
            return Ok(Release::NotYet);
        }
        let records = tree.serialize(host)?;
        let key = cell_of_root(&records, self.config.cell_size)?;
        if self.cells.get(group.cell).is_some_and(|cell| cell.key != key) {
            return Ok(Release::Moved(key));
        }
        self.take_from(host, &within.parted, &tree.entities)?;
        self.rewrite(slot, &records)?;
        Ok(Release::Written {
            entities: tree.entities,
            absorbed: within.whole,
        })
    }

    pub(crate) fn rewrite(&mut self, slot: Slot, records: &[Record]) -> Result<()> {
        let Some(group) = self.groups.get_mut(slot) else {
            return Ok(());
        };
        let bytes = encode_checked(records);
        let (size, entities) = (bytes.len() as u64, records.len() as u64);
        match &mut group.payload {
            Payload::Memory(payload) => *payload = bytes,
            Payload::File { path, seal } => {
                let (action, path) = (StorageAction::Write, path.clone());
                let written = self.storage.write(&path, &bytes);
                written.map_err(|source| Error::Storage { action, path, source })?;
                *seal = seal_of(&bytes);
            }
        }
        (group.bytes, group.entities) = (size, entities);
        Ok(())
    }

    /// Files a standing group in the cell that its root stands in. Whether it goes on standing is for that cell to say.
    fn move_group(&mut self, slot: Slot, key: CellKey, work: &Work) {
        let Some(old) = self.groups.get(slot).map(|group| group.cell) else {
            return;
        };
        let Some(layer) = self.cells.get(old).map(|cell| cell.layer) else {
            return;
        };
        let new = self.cell_at(layer, key, true);
        if let Some(group) = self.groups.get_mut(slot) {
            group.cell = new;
        }
        if let Some(cell) = self.cells.get_mut(old) {
            cell.groups.retain(|other| *other != slot);
        }
        if let Some(cell) = self.cells.get_mut(new) {
            cell.groups.push(slot);
        }
        self.refresh(old);
        self.judge_anew(new, work);
    }

    /// Takes the entities of a group out that is written down or never stood whole.
    fn take_out<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(group) = self.groups.get_mut(slot) else { return };
        if !work.may_begin() || !group.body.retry.is_due(work.now) {
            return;
        }
        let mut out = group.body.entities.clone();
        let result = group.body.fall(host, &mut work.step.spent);
        // What is left is what came first.
        out.drain(..group.body.entities.len());
        match result {
            Ok(()) => {
                group.body.retry.worked();
                work.step.released += 1;
            }
            Err(error) => {
                group.body.retry.failed(work.now);
                let cell = group.cell;
                self.fail(cell, Some(slot), error, work);
            }
        }
        self.disown(slot, &out);
    }

    /// Forgets a group whose root the game destroyed. What had yet to be linked to it goes after it.
    pub(crate) fn drop_group<H: Host<Entity = E>>(&mut self, host: &H, slot: Slot) {
        let Some((cell, group)) = self.close_group(slot) else {
            return;
        };
        let file = match group.payload {
            Payload::File { path, .. } => Some(path),
            Payload::Memory(_) => None,
        };
        if let Some(cell) = self.cells.get_mut(cell) {
            let strays = group
                .body
                .into_strays()
                .into_iter()
                .flat_map(|stray| Subtree::of_stray(host, stray));
            cell.leave(strays.collect(), file);
        }
    }

    /// Links what of a group has landed. What lost its parent before it could be linked goes after it.
    pub(crate) fn settle_group<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(group) = self.groups.get_mut(slot) else { return };
        // Of a group that is about to be dropped, nothing is linked any more.
        if !group.body.is_settling() || !group.body.retry.is_due(work.now) || group.body.has_lost_root(host) {
            return;
        }
        let cell = group.cell;
        let settled = group.body.settle(host);
        work.step.linked += settled.made;
        for orphan in settled.orphans {
            let tree = Subtree::of_stray(host, orphan);
            group.body.entities.retain(|entity| !tree.contains(entity));
            for entity in &tree {
                if self.owners.get(entity) == Some(&slot) {
                    self.owners.remove(entity);
                }
            }
            if let Some(cell) = self.cells.get_mut(cell) {
                cell.leave(tree, None);
            }
        }
        match settled.error {
            None => group.body.retry.worked(),
            Some(error) => {
                group.body.retry.failed(work.now);
                self.fail(cell, Some(slot), error, work);
            }
        }
    }

    /// Links what of a proxy has landed.
    pub(crate) fn settle_proxy<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(proxy) = self.cells.get_mut(slot).and_then(|cell| cell.proxy.as_mut()) else {
            return;
        };
        if !proxy.body.is_settling() || !proxy.body.retry.is_due(work.now) {
            return;
        }
        // One that lost an entity is broken, and is taken down whole.
        let settled = proxy.body.settle(host);
        work.step.linked += settled.made;
        match settled.error {
            None => proxy.body.retry.worked(),
            Some(error) => {
                proxy.body.retry.failed(work.now);
                self.fail(slot, None, error, work);
            }
        }
    }

    /// Raises the proxy of a cell in the far field whose content is not to stand, where there is one.
    fn raise_proxy<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(cell) = self.cells.get_mut(slot) else { return };
        let (raises, Some(proxy)) = (cell.far && !cell.goal, &mut cell.proxy) else {
            return;
        };
        let comes_in = matches!(proxy.body.phase, Phase::Away | Phase::Rising);
        if !raises || !comes_in || !work.may_begin() || !proxy.body.retry.is_due(work.now) {
            return;
        }
        let records = decode_records(&proxy.payload);
        let owners = &self.owners;
        let claim = |entity| !owners.contains_key(&entity);
        match records.and_then(|records| proxy.body.rise(host, &records, &mut work.step.spent, claim)) {
            Ok(()) => {
                proxy.body.retry.worked();
                work.step.proxies_raised += 1;
                self.settle_proxy(host, slot, work);
            }
            Err(error) => {
                proxy.body.retry.failed(work.now);
                self.fail(slot, None, error, work);
            }
        }
    }

    /// Takes down the proxies of a cell that have had their time, and one that lost an entity. One that is half way down
    /// when the cell is to be seen again stays and is completed, so that there is no moment without any of it.
    fn drop_proxies<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(cell) = self.cells.get_mut(slot) else { return };
        let (drops, drops_retired) = (cell.drops_proxy(), cell.drops_retired());
        if !drops && let Some(proxy) = &mut cell.proxy {
            proxy.body.turn_back(host);
        }
        let mut failed = Vec::new();
        let current = cell.proxy.iter_mut().map(|proxy| &mut proxy.body);
        let current = current.filter(|body| !body.is_away() && (drops || body.phase == Phase::Falling));
        let retired = cell
            .retired
            .iter_mut()
            .filter(|body| drops_retired || body.phase == Phase::Falling);
        for body in current.chain(retired) {
            if !work.may_begin() || !body.retry.is_due(work.now) {
                continue;
            }
            match body.fall(host, &mut work.step.spent) {
                Ok(()) => {
                    body.retry.worked();
                    work.step.proxies_dropped += 1;
                }
                Err(error) => {
                    body.retry.failed(work.now);
                    failed.push(error);
                }
            }
        }
        cell.retired.retain(|body| !body.is_away());
        for error in failed {
            self.fail(slot, None, error, work);
        }
    }

    /// Takes out what nothing owns any more, and removes its files.
    fn clear_strays<H: Host<Entity = E>>(&mut self, host: &mut H, slot: Slot, work: &mut Work) {
        let Some(cell) = self.cells.get_mut(slot) else { return };
        let mut failed = Vec::new();
        for stray in &mut cell.strays {
            if !work.may_begin() || !stray.body.retry.is_due(work.now) {
                continue;
            }
            let mut result = stray.body.fall(host, &mut work.step.spent);
            if let (Ok(()), Some(path)) = (&result, &stray.file) {
                let action = StorageAction::Remove;
                match self.storage.remove(path) {
                    Ok(()) => stray.file = None,
                    Err(source) => {
                        result = Err(Error::Storage {
                            action,
                            path: path.clone(),
                            source,
                        })
                    }
                }
            }
            if let Err(error) = result {
                stray.body.retry.failed(work.now);
                failed.push(error);
            }
        }
        cell.strays
            .retain(|stray| !stray.body.is_away() || stray.file.is_some());
        for error in failed {
            self.fail(slot, None, error, work);
        }
    }
}
