//! A host over a `hecs` world: what an engine that streams has to write. Entities are minted at once and land over the
//! following frames, a bounded number in each.

#![expect(
    clippy::unwrap_used,
    reason = "a game that names an entity that is not there has a bug, and this one is a test's"
)]

use hecs::{Entity, World};
use std::collections::VecDeque;
use zero_streaming::glam::Vec3;
use zero_streaming::{BoxError, EntityState, Host, HostAction, Record, Transform};

/// What this engine's entities are made of besides a transform.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Thing {
    pub(crate) label: u64,
    pub(crate) tint: u32,
    pub(crate) attribute: String,
}

impl Thing {
    pub(crate) fn new(label: u64) -> Self {
        Self {
            label,
            ..Self::default()
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.label.to_le_bytes().to_vec();
        bytes.extend(self.tint.to_le_bytes());
        bytes.extend(self.attribute.as_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, BoxError> {
        let (label, rest) = bytes
            .split_first_chunk()
            .ok_or("a thing begins with a label of 8 bytes")?;
        let (tint, attribute) = rest.split_first_chunk().ok_or("a thing has a tint of 4 bytes")?;
        let (label, tint) = (u64::from_le_bytes(*label), u32::from_le_bytes(*tint));
        Ok(Self {
            label,
            tint,
            attribute: String::from_utf8(attribute.to_vec())?,
        })
    }

    /// A record of it.
    pub(crate) fn record(&self, transform: Transform) -> Record {
        Record::new(transform).with_data(self.to_bytes())
    }
}

/// In the way of its components until the entity lands.
struct Queued(Transform, Thing);
struct Parent(Entity);
struct Children(Vec<Entity>);

/// What the store did to the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Spawned,
    Landed,
    Despawned,
}

pub(crate) struct HecsHost {
    pub(crate) world: World,
    pub(crate) frame: u64,
    /// How many entities land in one frame.
    pub(crate) drain: usize,
    queue: VecDeque<Entity>,
    /// Says of each call whether it is to fail.
    pub(crate) fault: Option<Box<dyn FnMut(HostAction) -> bool>>,
    /// What happened to which label, since it was last cleared.
    pub(crate) log: Vec<(Change, u64)>,
}

impl HecsHost {
    /// An empty scene.
    pub(crate) fn new(drain: usize) -> Self {
        let (world, queue) = (World::new(), VecDeque::new());
        Self {
            world,
            frame: 0,
            drain,
            queue,
            fault: None,
            log: Vec::new(),
        }
    }

    /// The next frame begins: what was asked for lands, as much of it as a frame admits.
    pub(crate) fn next_frame(&mut self) {
        self.frame += 1;
        let mut left = self.drain;
        while left > 0 {
            let Some(entity) = self.queue.pop_front() else { return };
            // What was despawned before it landed is skipped.
            if let Ok(Queued(transform, thing)) = self.world.remove_one::<Queued>(entity) {
                self.log.push((Change::Landed, thing.label));
                self.world.insert(entity, (transform, thing)).unwrap();
                left -= 1;
            }
        }
    }

    /// The game makes an entity, at once.
    pub(crate) fn make(&mut self, transform: Transform, thing: Thing) -> Entity {
        self.world.spawn((transform, thing))
    }

    /// The game makes a child, at once.
    pub(crate) fn make_below(&mut self, parent: Entity, transform: Transform, thing: Thing) -> Entity {
        let child = self.make(transform, thing);
        self.attach(child, parent);
        child
    }

    pub(crate) fn attach(&mut self, child: Entity, parent: Entity) {
        self.detach(child);
        self.world.insert_one(child, Parent(parent)).unwrap();
        let has_children = self.world.get::<&Children>(parent).is_ok();
        if !has_children {
            self.world.insert_one(parent, Children(Vec::new())).unwrap();
        }
        self.world.get::<&mut Children>(parent).unwrap().0.push(child);
    }

    pub(crate) fn detach(&mut self, child: Entity) {
        if let Ok(Parent(parent)) = self.world.remove_one::<Parent>(child)
            && let Ok(mut children) = self.world.get::<&mut Children>(parent)
        {
            children.0.retain(|other| *other != child);
        }
    }

    /// The game destroys an entity with all below it. The labels of what was destroyed.
    pub(crate) fn destroy(&mut self, root: Entity) -> Vec<u64> {
        let (mut stack, mut labels) = (vec![root], Vec::new());
        while let Some(entity) = stack.pop() {
            self.children(entity, &mut stack);
            labels.extend(self.thing_label(entity));
            self.remove(entity).unwrap();
        }
        labels
    }

    fn remove(&mut self, entity: Entity) -> Result<(), BoxError> {
        self.detach(entity);
        let mut children = Vec::new();
        self.children(entity, &mut children);
        for child in children {
            self.world.remove_one::<Parent>(child)?;
        }
        Ok(self.world.despawn(entity)?)
    }

    /// Every live entity that is a thing.
    pub(crate) fn find_all(&self) -> Vec<Entity> {
        let mut query = self.world.query::<(Entity, &Thing)>();
        let mut all: Vec<Entity> = query.iter().map(|(entity, _)| entity).collect();
        all.sort_unstable();
        all
    }

    /// The live entity of a label.
    pub(crate) fn find(&self, label: u64) -> Option<Entity> {
        self.find_all()
            .into_iter()
            .find(|entity| self.thing_label(*entity) == Some(label))
    }

    pub(crate) fn thing_label(&self, entity: Entity) -> Option<u64> {
        let queued = self.world.get::<&Queued>(entity).map(|queued| queued.1.label);
        queued
            .or_else(|_| self.world.get::<&Thing>(entity).map(|thing| thing.label))
            .ok()
    }

    pub(crate) fn thing(&self, entity: Entity) -> Thing {
        (*self.world.get::<&Thing>(entity).unwrap()).clone()
    }

    pub(crate) fn edit(&mut self, entity: Entity, edit: impl FnOnce(&mut Thing)) {
        edit(&mut self.world.get::<&mut Thing>(entity).unwrap());
    }

    pub(crate) fn transform(&self, entity: Entity) -> Transform {
        *self.world.get::<&Transform>(entity).unwrap()
    }

    pub(crate) fn move_to(&mut self, entity: Entity, position: Vec3) {
        self.world.get::<&mut Transform>(entity).unwrap().position = position;
    }

    fn may(&mut self, action: HostAction) -> Result<(), BoxError> {
        match self.fault.as_mut().is_some_and(|fault| fault(action)) {
            true => Err(format!("this {action} was made to fail").into()),
            false => Ok(()),
        }
    }
}

impl Host for HecsHost {
    type Entity = Entity;

    fn frame(&self) -> u64 {
        self.frame
    }

    fn spawn(&mut self, record: &Record) -> Result<Entity, BoxError> {
        self.may(HostAction::Spawn)?;
        let thing = Thing::from_bytes(&record.data)?;
        self.log.push((Change::Spawned, thing.label));
        let entity = self.world.spawn((Queued(record.transform, thing),));
        self.queue.push_back(entity);
        Ok(entity)
    }

    fn despawn(&mut self, entity: Entity) -> Result<(), BoxError> {
        self.may(HostAction::Despawn)?;
        if let Some(label) = self.thing_label(entity) {
            self.log.push((Change::Despawned, label));
        }
        self.remove(entity)
    }

    fn state(&self, entity: Entity) -> EntityState {
        match self.world.entity(entity) {
            Err(_) => EntityState::Gone,
            Ok(entity) if entity.has::<Queued>() => EntityState::Pending,
            Ok(_) => EntityState::Live,
        }
    }

    fn link(&mut self, child: Entity, parent: Entity) -> Result<(), BoxError> {
        self.may(HostAction::Link)?;
        self.attach(child, parent);
        Ok(())
    }

    fn parent(&self, entity: Entity) -> Option<Entity> {
        self.world.get::<&Parent>(entity).map(|parent| parent.0).ok()
    }

    fn children(&self, entity: Entity, out: &mut Vec<Entity>) {
        if let Ok(children) = self.world.get::<&Children>(entity) {
            out.extend_from_slice(&children.0);
        }
    }

    fn serialize(&mut self, entity: Entity) -> Result<Record, BoxError> {
        self.may(HostAction::Serialize)?;
        Ok(self.thing(entity).record(self.transform(entity)))
    }
}
