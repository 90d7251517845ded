//! What stands in the scene of one group or one proxy, and how it rises and falls.

use crate::{EntityState, Error, Host, HostAction, Record, Result};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing stands.
    Away,
    /// Some of the entities were asked for; the rest could not be.
    Rising,
    /// All of them were asked for.
    Standing,
    /// Some could not be taken out; the rest is out.
    Falling,
}

/// The entities of one group or one proxy.
///
/// **Invariant**: `entities` is exactly what the store asked the host for and has not seen taken out, so that an error
/// half way neither doubles an entity nor loses sight of one.
#[derive(Debug)]
pub(crate) struct Body<E> {
    pub(crate) phase: Phase,
    /// In the order of the records; the root first.
    pub(crate) entities: Vec<E>,
    /// Those that have yet to land.
    waiting: Vec<E>,
    /// The links that have yet to be made, as (child, parent).
    links: Vec<(E, E)>,
    /// It lost an entity by another way, and is to be taken out whole before it rises again.
    broken: bool,
    pub(crate) retry: Retry,
}

/// When something that failed is tried again: after 1, 2, 4 and so on up to 64 steps, so that what keeps failing takes
/// neither the budget from the rest nor a line of the log each frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Retry {
    failures: u32,
    not_before: u64,
}

impl Retry {
    pub(crate) fn is_due(self, step: u64) -> bool {
        step >= self.not_before
    }

    pub(crate) fn failed(&mut self, step: u64) {
        self.not_before = step + (1 << self.failures.min(6));
        self.failures += 1;
    }

    pub(crate) fn worked(&mut self) {
        *self = Self::default();
    }
}

/// What [`Body::settle`] did.
pub(crate) struct Settled<E> {
    /// How many links were made.
    pub(crate) made: u32,
    /// Children whose parent was destroyed before they could be linked to it.
    pub(crate) orphans: Vec<E>,
    /// The first link that could not be made; the others were tried too.
    pub(crate) error: Option<Error>,
}

fn host_error<E: std::fmt::Debug>(action: HostAction, subject: E, source: crate::BoxError) -> Error {
    let subject = format!("{subject:?}");
    Error::Host {
        action,
        subject,
        source,
    }
}

impl<E: crate::EntityId> Body<E> {
    pub(crate) const fn away() -> Self {
        Self::of(Phase::Away, Vec::new())
    }

    const fn of(phase: Phase, entities: Vec<E>) -> Self {
        let retry = Retry {
            failures: 0,
            not_before: 0,
        };
        Self {
            phase,
            entities,
            waiting: Vec::new(),
            links: Vec::new(),
            broken: false,
            retry,
        }
    }

    /// Entities that are live and linked.
    pub(crate) const fn standing(entities: Vec<E>) -> Self {
        Self::of(Phase::Standing, entities)
    }

    /// Entities that are to be taken out.
    pub(crate) const fn falling(entities: Vec<E>) -> Self {
        Self::of(Phase::Falling, entities)
    }

    pub(crate) fn is_away(&self) -> bool {
        self.phase == Phase::Away
    }

    /// All of it has landed and is linked.
    pub(crate) fn is_settled(&self) -> bool {
        self.phase == Phase::Standing && self.waiting.is_empty() && self.links.is_empty()
    }

    /// It stands, but parts of it have yet to land or to be linked.
    pub(crate) fn is_settling(&self) -> bool {
        self.phase == Phase::Standing && !self.is_settled()
    }

    /// Asks for the records that were not asked for yet: all of them, or those after what stands already. Adds what was
    /// asked for to `spent`. `claim` says whether an id is no other's; one that is, or that is in no scene, is an answer
    /// that cannot be relied on, and no entity of this.
    pub(crate) fn rise<H, C>(&mut self, host: &mut H, records: &[Record], spent: &mut u64, mut claim: C) -> Result<()>
    where
        H: Host<Entity = E>,
        C: FnMut(E) -> bool,
    {
        self.phase = Phase::Rising;
        for (index, record) in records.iter().enumerate().skip(self.entities.len()) {
            *spent += 1;
            let answer = host.spawn(record).and_then(|entity| {
                if host.state(entity) == EntityState::Gone {
                    Err(format!("it answered with {entity:?}, which is not in the scene").into())
                } else if !claim(entity) {
                    Err(format!("it answered with {entity:?}, which the store already holds").into())
                } else {
                    Ok(entity)
                }
            });
            match answer {
                Ok(entity) => {
                    self.entities.push(entity);
                    self.waiting.push(entity);
                    let parent = record.parent.and_then(|parent| self.entities.get(parent as usize));
                    self.links.extend(parent.map(|parent| (entity, *parent)));
                }
                Err(source) => {
                    if self.entities.is_empty() {
                        self.phase = Phase::Away;
                    }
                    let subject = format!("record {index} of {}", records.len());
                    return Err(Error::Host {
                        action: HostAction::Spawn,
                        subject,
                        source,
                    });
                }
            }
        }
        self.phase = Phase::Standing;
        Ok(())
    }

    /// Notes what has landed and makes the links whose ends both have.
    pub(crate) fn settle<H: Host<Entity = E>>(&mut self, host: &mut H) -> Settled<E> {
        self.waiting
            .retain(|entity| host.state(*entity) == EntityState::Pending);
        let mut settled = Settled {
            made: 0,
            orphans: Vec::new(),
            error: None,
        };
        self.links
            .retain(|(child, parent)| match (host.state(*child), host.state(*parent)) {
                (EntityState::Live, EntityState::Live) => match host.link(*child, *parent) {
                    Ok(()) => {
                        settled.made += 1;
                        false
                    }
                    Err(source) => {
                        let subject = format!("{child:?} to its parent {parent:?}");
                        let error = Error::Host {
                            action: HostAction::Link,
                            subject,
                            source,
                        };
                        settled.error.get_or_insert(error);
                        true
                    }
                },
                (EntityState::Gone, _) => false,
                (_, EntityState::Gone) => {
                    settled.orphans.push(*child);
                    false
                }
                _ => true,
            });
        settled
    }

    /// Takes out what stands, children before parents. Adds what was taken out to `spent`.
    ///
    /// An error before anything was taken out leaves the body as it was: what stands whole goes on counting as such, so
    /// that it is there to cover for a cell which is to be seen again before the next try.
    pub(crate) fn fall<H: Host<Entity = E>>(&mut self, host: &mut H, spent: &mut u64) -> Result<()> {
        while let Some(entity) = self.entities.last().copied() {
            if host.state(entity) != EntityState::Gone {
                *spent += 1;
                if let Err(source) = host.despawn(entity) {
                    return Err(host_error(HostAction::Despawn, entity, source));
                }
            }
            self.phase = Phase::Falling;
            self.entities.pop();
            // Both are in the order of the entities, so that they go on being those of what is left.
            self.waiting.pop_if(|waiting| *waiting == entity);
            self.links.pop_if(|(child, _)| *child == entity);
        }
        self.waiting.clear();
        self.links.clear();
        self.broken = false;
        self.phase = Phase::Away;
        Ok(())
    }

    /// Has it taken out whole, for it lost an entity.
    pub(crate) fn give_up(&mut self) {
        self.phase = Phase::Falling;
        self.broken = true;
        self.retry.worked();
    }

    /// Lets one that is half way out rise again where it stands, if it lost nothing by another way: what is left are the
    /// entities of the first records.
    pub(crate) fn turn_back<H: Host<Entity = E>>(&mut self, host: &H) {
        let gone = |entity: &E| host.state(*entity) == EntityState::Gone;
        if self.phase == Phase::Falling && !self.broken && !self.entities.iter().any(gone) {
            self.phase = Phase::Rising;
            self.retry.worked();
        }
    }

    /// Whether an entity of it has left the scene by another way.
    pub(crate) fn is_broken<H: Host<Entity = E>>(&self, host: &H) -> bool {
        matches!(self.phase, Phase::Rising | Phase::Standing)
            && self
                .entities
                .iter()
                .any(|entity| host.state(*entity) == EntityState::Gone)
    }

    /// Whether its root has left the scene by another way. On its way out the root is the last to be taken, so that one
    /// that is gone before the others was destroyed by the game.
    pub(crate) fn has_lost_root<H: Host<Entity = E>>(&self, host: &H) -> bool {
        self.entities
            .first()
            .is_some_and(|root| host.state(*root) == EntityState::Gone)
    }

    /// What is left of a group whose root was destroyed and that nobody but the store knows of: what had yet to be
    /// linked below it. What was linked is the game's to keep or to destroy with the root.
    pub(crate) fn into_strays(self) -> Vec<E> {
        let Self {
            phase,
            mut entities,
            waiting,
            links,
            ..
        } = self;
        if phase == Phase::Standing {
            let loose: BTreeSet<E> = links.into_iter().map(|(child, _)| child).chain(waiting).collect();
            entities.retain(|entity| loose.contains(entity));
        }
        entities
    }
}
