//! Values behind ids that are never mistaken for later ones.

/// A place in [`Slots`]: its number, and how often the place was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

#[derive(Debug)]
struct Place<T> {
    generation: u32,
    value: Option<T>,
}

#[derive(Debug)]
pub(crate) struct Slots<T> {
    places: Vec<Place<T>>,
    free: Vec<u32>,
}

impl<T> Slots<T> {
    pub(crate) const fn new() -> Self {
        Self {
            places: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    pub(crate) fn insert(&mut self, value: T) -> Slot {
        let reused = self
            .free
            .pop()
            .and_then(|index| Some((index, self.places.get_mut(index as usize)?)));
        if let Some((index, place)) = reused {
            place.value = Some(value);
            return Slot {
                index,
                generation: place.generation,
            };
        }
        let index = self.places.len() as u32;
        self.places.push(Place {
            generation: 0,
            value: Some(value),
        });
        Slot { index, generation: 0 }
    }

    pub(crate) fn get(&self, slot: Slot) -> Option<&T> {
        let place = self.places.get(slot.index as usize)?;
        place.value.as_ref().filter(|_| place.generation == slot.generation)
    }

    pub(crate) fn get_mut(&mut self, slot: Slot) -> Option<&mut T> {
        let place = self.places.get_mut(slot.index as usize)?;
        place.value.as_mut().filter(|_| place.generation == slot.generation)
    }

    pub(crate) fn remove(&mut self, slot: Slot) -> Option<T> {
        let place = self.places.get_mut(slot.index as usize)?;
        if place.generation != slot.generation {
            return None;
        }
        let value = place.value.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(slot.index);
        Some(value)
    }

    /// The same without its values. No slot of it is one that was handed out before.
    pub(crate) fn clear(&mut self) {
        for (place, index) in self.places.iter_mut().zip(0..) {
            if place.value.take().is_some() {
                place.generation = place.generation.wrapping_add(1);
                self.free.push(index);
            }
        }
    }

    /// Every value with its slot, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &T)> {
        self.places.iter().zip(0..).filter_map(|(place, index)| {
            let generation = place.generation;
            Some((Slot { index, generation }, place.value.as_ref()?))
        })
    }
}
