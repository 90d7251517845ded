//! Many canvases, found by handle, by entity or by name.

use crate::canvas::Canvas;
use crate::error::{Error, Result, listed};
use crate::playback::Step;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// A canvas of a [`Canvases`]. A handle whose canvas was despawned finds none, also when its slot is used again. It
/// belongs to the registry that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CanvasHandle {
    index: u32,
    generation: u32,
}

/// The id of an entity, as the host counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntityId(pub u64);

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// What an operation is done to: a handle, an entity or a name, whichever is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// A handle.
    Handle(CanvasHandle),
    /// The entity that the canvas belongs to.
    Entity(EntityId),
    /// The canvas's name.
    Name(&'a str),
}

impl From<CanvasHandle> for Target<'_> {
    fn from(handle: CanvasHandle) -> Self {
        Self::Handle(handle)
    }
}

impl From<EntityId> for Target<'_> {
    fn from(id: EntityId) -> Self {
        Self::Entity(id)
    }
}

impl<'a> From<&'a str> for Target<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for Target<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

/// A canvas and what it is found by.
#[derive(Clone, Debug)]
struct Entry {
    canvas: Canvas,
    name: Option<String>,
    entity: Option<EntityId>,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    generation: u32,
    entry: Option<Entry>,
}

/// Canvases by handle; each may have a name, and may belong to an entity. Names and entities are there once.
///
/// Every operation takes an `impl Into<Target>`. Order is that of the slots: the same calls give the same handles and
/// the same order everywhere.
#[derive(Clone, Debug, Default)]
pub struct Canvases {
    slots: Vec<Slot>,
    /// Slots that are free, the last of them used first.
    free: Vec<u32>,
    names: BTreeMap<String, CanvasHandle>,
    entities: BTreeMap<EntityId, CanvasHandle>,
}

impl Canvases {
    /// An empty registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many canvases there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes a canvas in under a name.
    ///
    /// # Errors
    /// [`Error::DuplicateName`]; [`Error::BadName`] for an empty name.
    pub fn spawn(&mut self, name: &str, canvas: Canvas) -> Result<CanvasHandle> {
        self.check_name(name)?;
        let handle = self.spawn_unnamed(canvas)?;
        self.name(handle, name);
        Ok(handle)
    }

    /// Takes a canvas in that is found by its handle, and later by its entity or name if it is given one.
    ///
    /// # Errors
    /// [`Error::Range`] past 4 294 967 295 canvases.
    pub fn spawn_unnamed(&mut self, canvas: Canvas) -> Result<CanvasHandle> {
        let index = match self.free.pop() {
            Some(index) => index,
            None => u32::try_from(self.slots.len())
                .map_err(|_| Error::range("canvases", "at most 4294967295", self.slots.len()))?,
        };
        if crate::frame::index(index) == self.slots.len() {
            self.slots.push(Slot::default());
        }
        let entry = Entry {
            canvas,
            name: None,
            entity: None,
        };
        let slot = self.slots.get_mut(crate::frame::index(index));
        let generation = slot.map_or(0, |slot| {
            slot.entry = Some(entry);
            slot.generation
        });
        Ok(CanvasHandle { index, generation })
    }

    /// Takes in a copy of a canvas under a name. The copy and what it was made from have no link.
    ///
    /// # Errors
    /// As [`Self::get`] and [`Self::spawn`].
    pub fn clone_as<'a>(&mut self, target: impl Into<Target<'a>>, name: &str) -> Result<CanvasHandle> {
        let copy = self.get(target)?.clone();
        self.spawn(name, copy)
    }

    /// Removes a canvas and hands it back. Its handle is stale, its name and entity free from here on.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn despawn<'a>(&mut self, target: impl Into<Target<'a>>) -> Result<Canvas> {
        let handle = self.handle(target)?;
        let slot = self
            .slots
            .get_mut(crate::frame::index(handle.index))
            .ok_or(stale(handle))?;
        let entry = slot.entry.take().ok_or(stale(handle))?;
        if let Some(name) = &entry.name {
            self.names.remove(name);
        }
        if let Some(entity) = &entry.entity {
            self.entities.remove(entity);
        }
        // A slot whose generations are used up is not used again, or an old handle would find a new canvas.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(handle.index);
        }
        Ok(entry.canvas)
    }

    /// The handle of a canvas.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::UnknownEntity`], [`Error::UnknownName`].
    pub fn handle<'a>(&self, target: impl Into<Target<'a>>) -> Result<CanvasHandle> {
        match target.into() {
            Target::Handle(handle) => self.entry(handle).map(|_| handle),
            Target::Entity(id) => self.entities.get(&id).copied().ok_or(Error::UnknownEntity { id: id.0 }),
            Target::Name(name) => self.names.get(name).copied().ok_or_else(|| Error::UnknownName {
                name: name.to_owned(),
                known: listed(self.names.keys().map(String::as_str)),
            }),
        }
    }

    /// A canvas to read.
    ///
    /// # Errors
    /// [`Error::StaleHandle`], [`Error::UnknownEntity`], [`Error::UnknownName`].
    pub fn get<'a>(&self, target: impl Into<Target<'a>>) -> Result<&Canvas> {
        let handle = self.handle(target)?;
        Ok(&self.entry(handle)?.canvas)
    }

    /// A canvas to draw on.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn get_mut<'a>(&mut self, target: impl Into<Target<'a>>) -> Result<&mut Canvas> {
        let handle = self.handle(target)?;
        Ok(&mut self.entry_mut(handle)?.canvas)
    }

    /// The name of a canvas, if it has one.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn name_of<'a>(&self, target: impl Into<Target<'a>>) -> Result<Option<&str>> {
        let handle = self.handle(target)?;
        Ok(self.entry(handle)?.name.as_deref())
    }

    /// The entity that a canvas belongs to, if it does to one.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn entity_of<'a>(&self, target: impl Into<Target<'a>>) -> Result<Option<EntityId>> {
        let handle = self.handle(target)?;
        Ok(self.entry(handle)?.entity)
    }

    /// Gives a canvas a name, or another one. Its own name is allowed.
    ///
    /// # Errors
    /// As [`Self::get`]; [`Error::DuplicateName`]; [`Error::BadName`] for an empty name.
    pub fn rename<'a>(&mut self, target: impl Into<Target<'a>>, name: &str) -> Result<()> {
        let handle = self.handle(target)?;
        if self.entry(handle)?.name.as_deref() != Some(name) {
            self.check_name(name)?;
            self.name(handle, name);
        }
        Ok(())
    }

    /// Says which entity a canvas belongs to; it leaves the one before.
    ///
    /// # Errors
    /// As [`Self::get`]; [`Error::DuplicateEntity`] when that entity has another canvas.
    pub fn attach<'a>(&mut self, target: impl Into<Target<'a>>, entity: EntityId) -> Result<()> {
        let handle = self.handle(target)?;
        if self.entities.get(&entity).is_some_and(|owner| *owner != handle) {
            return Err(Error::DuplicateEntity { id: entity.0 });
        }
        let before = self.entry_mut(handle)?.entity.replace(entity);
        if let Some(before) = before {
            self.entities.remove(&before);
        }
        self.entities.insert(entity, handle);
        Ok(())
    }

    /// All canvases with their handles, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (CanvasHandle, &Canvas)> {
        (0u32..).zip(&self.slots).filter_map(|(index, slot)| {
            let generation = slot.generation;
            slot.entry
                .as_ref()
                .map(|entry| (CanvasHandle { index, generation }, &entry.canvas))
        })
    }

    /// Lets time pass for every canvas that plays and calls `stepped` for each whose frame changed or that ended.
    pub fn advance(&mut self, time: Duration, mut stepped: impl FnMut(CanvasHandle, Step)) {
        for (index, slot) in (0u32..).zip(&mut self.slots) {
            let generation = slot.generation;
            let Some(entry) = slot.entry.as_mut() else { continue };
            let step = entry.canvas.advance(time);
            if step.changed || step.ended {
                stepped(CanvasHandle { index, generation }, step);
            }
        }
    }

    fn entry(&self, handle: CanvasHandle) -> Result<&Entry> {
        let slot = self.slots.get(crate::frame::index(handle.index));
        let slot = slot.filter(|slot| slot.generation == handle.generation);
        slot.and_then(|slot| slot.entry.as_ref()).ok_or(stale(handle))
    }

    fn entry_mut(&mut self, handle: CanvasHandle) -> Result<&mut Entry> {
        let slot = self.slots.get_mut(crate::frame::index(handle.index));
        let slot = slot.filter(|slot| slot.generation == handle.generation);
        slot.and_then(|slot| slot.entry.as_mut()).ok_or(stale(handle))
    }

    fn check_name(&self, name: &str) -> Result<()> {
        if name.is_empty() {
            return Err(Error::BadName {
                what: "canvas",
                name: name.to_owned(),
                problem: "it is empty".to_owned(),
            });
        }
        match self.names.contains_key(name) {
            false => Ok(()),
            true => Err(Error::DuplicateName {
                what: "canvas",
                name: name.to_owned(),
                existing: name.to_owned(),
            }),
        }
    }

    /// Enters a name that was checked.
    fn name(&mut self, handle: CanvasHandle, name: &str) {
        let Ok(entry) = self.entry_mut(handle) else { return };
        let before = entry.name.replace(name.to_owned());
        if let Some(before) = before {
            self.names.remove(&before);
        }
        self.names.insert(name.to_owned(), handle);
    }
}

fn stale(handle: CanvasHandle) -> Error {
    Error::StaleHandle {
        index: handle.index,
        generation: handle.generation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Palette;

    fn canvas(side: u32) -> Canvas {
        Canvas::new(side, side, Palette::default()).unwrap()
    }

    #[test]
    fn handle_entity_and_name_find_the_same_canvas() {
        let mut canvases = Canvases::new();
        canvases.spawn("other", canvas(9)).unwrap();
        let handle = canvases.spawn("hero", canvas(8)).unwrap();
        canvases.attach("hero", EntityId(77)).unwrap();
        let name = String::from("hero");
        for target in [Target::from(handle), EntityId(77).into(), "hero".into(), (&name).into()] {
            assert_eq!(canvases.handle(target).unwrap(), handle);
            canvases.get_mut(target).unwrap().set_pixel((0, 0), 1).unwrap();
            assert_eq!(canvases.get(target).unwrap().width(), 8);
            assert_eq!(canvases.name_of(target).unwrap(), Some("hero"));
            assert_eq!(canvases.entity_of(target).unwrap(), Some(EntityId(77)));
        }
        assert_eq!(canvases.despawn(EntityId(77)).unwrap().width(), 8);
        assert_eq!(canvases.len(), 1);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let mut canvases = Canvases::new();
        let handle = canvases.spawn("hero", canvas(1)).unwrap();
        canvases.attach(handle, EntityId(5)).unwrap();
        canvases.despawn("hero").unwrap();
        let reused = canvases.spawn("villain", canvas(2)).unwrap();
        assert_ne!(reused, handle);
        let message = |target: Target<'_>| canvases.get(target).unwrap_err().to_string();
        assert_eq!(message(handle.into()), "the canvas of handle 0.0 was despawned");
        assert_eq!(
            message("hero".into()),
            "no canvas is called \"hero\"; there are \"villain\""
        );
        assert_eq!(message(EntityId(5).into()), "no canvas belongs to entity 5");
        assert!(canvases.despawn(handle).is_err());
        assert!(canvases.get_mut(handle).is_err());
        assert_eq!(canvases.get(reused).unwrap().width(), 2);
    }

    #[test]
    fn names_and_entities_are_there_once() {
        let mut canvases = Canvases::new();
        let one = canvases.spawn("one", canvas(1)).unwrap();
        let two = canvases.spawn("two", canvas(2)).unwrap();
        let taken = "a canvas called \"one\" exists already";
        assert_eq!(canvases.spawn("one", canvas(3)).unwrap_err().to_string(), taken);
        assert_eq!(canvases.rename(two, "one").unwrap_err().to_string(), taken);
        assert_eq!(canvases.clone_as(two, "one").unwrap_err().to_string(), taken);
        assert!(canvases.spawn("", canvas(3)).is_err());
        assert_eq!(canvases.len(), 2);
        canvases.attach(one, EntityId(1)).unwrap();
        assert_eq!(
            canvases.attach(two, EntityId(1)).unwrap_err().to_string(),
            "entity 1 has a canvas already"
        );
        canvases.attach(one, EntityId(2)).unwrap();
        canvases.attach(two, EntityId(1)).unwrap();
        canvases.rename(one, "one").unwrap();
        canvases.rename(one, "three").unwrap();
        canvases.rename(two, "one").unwrap();
        assert_eq!(canvases.handle("one").unwrap(), two);
        assert_eq!(canvases.handle(EntityId(2)).unwrap(), one);
    }

    #[test]
    fn a_clone_has_no_link() {
        let mut canvases = Canvases::new();
        canvases.spawn("one", canvas(4)).unwrap();
        let copy = canvases.clone_as("one", "copy").unwrap();
        canvases.get_mut("one").unwrap().fill(3).unwrap();
        assert_eq!(canvases.get(copy).unwrap(), &canvas(4));
    }

    #[test]
    fn time_passes_for_those_that_play() {
        let mut canvases = Canvases::new();
        for name in ["still", "moving"] {
            let mut sheet = canvas(1);
            sheet.add_frame().unwrap();
            canvases.spawn(name, sheet).unwrap();
        }
        let moving = canvases.handle("moving").unwrap();
        canvases.get_mut(moving).unwrap().play();
        let mut steps = Vec::new();
        canvases.advance(Duration::from_millis(125), |handle, step| {
            steps.push((handle, step.frame))
        });
        assert_eq!(steps, [(moving, 1)]);
        assert_eq!(
            canvases.iter().map(|(_, canvas)| canvas.active()).collect::<Vec<_>>(),
            [0, 1]
        );
    }
}
