//! A value with what it is filed under, and lists of such values.

use super::{Key, KeyHasher, Value};
use crate::error::Result;
use std::sync::Arc;

/// A value with its key. A moving one is written by a recorded list: it is never filed, since the next present
/// writes the same run again.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) key: Key,
    /// The node of the store's entry that holds it, where one may.
    pub(crate) entry: Option<Key>,
    pub(crate) value: Value,
    pub(crate) moving: bool,
}

impl Bound {
    /// A list with a key made of its items' keys, so that lists of the same items in the same order are one.
    pub(crate) fn list(fields: usize, items: Vec<Bound>) -> Bound {
        let mut hasher = KeyHasher::new("list");
        hasher.u64(fields as u64).u64(items.len() as u64);
        items.iter().for_each(|item| {
            hasher.key(item.key);
        });
        Bound {
            key: hasher.finish(),
            entry: None,
            moving: items.iter().any(|item| item.moving),
            value: Value::List(List {
                fields: fields.max(1),
                items: items.into(),
            }),
        }
    }

    /// The entries of the store that it stands on.
    pub(crate) fn entries(&self) -> Vec<Key> {
        match &self.value {
            Value::List(list) => list.items.iter().flat_map(Bound::entries).collect(),
            _ => self.entry.into_iter().collect(),
        }
    }
}

/// Several values in order. An item is one value, or the fields of a record; each is kept under a key of its own, so
/// that what is made of an item stands wherever in the list it moves.
#[derive(Clone, Debug)]
pub struct List {
    fields: usize,
    items: Arc<[Bound]>,
}

impl List {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len() / self.fields
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The fields of an item, by its place from 0; nothing past the end.
    pub fn item(&self, place: usize) -> Option<impl Iterator<Item = &Value>> {
        self.bounds(place).map(|fields| fields.iter().map(|bound| &bound.value))
    }
    /// Every value, item by item.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.items.iter().map(|bound| &bound.value)
    }

    pub(crate) fn bounds(&self, place: usize) -> Option<&[Bound]> {
        let first = place.checked_mul(self.fields)?;
        self.items.get(first..first.checked_add(self.fields)?)
    }

    pub(crate) fn map(&self, map: &mut dyn FnMut(&Bound) -> Result<Value>) -> Result<List> {
        let mut items = Vec::with_capacity(self.items.len());
        for bound in self.items.iter() {
            items.push(Bound {
                value: map(bound)?,
                ..bound.clone()
            });
        }
        Ok(List {
            fields: self.fields,
            items: items.into(),
        })
    }

    pub(crate) fn digest(&self, key: &mut KeyHasher) {
        key.u64(self.fields as u64).u64(self.items.len() as u64);
        self.items.iter().for_each(|bound| {
            key.key(bound.key);
        });
    }
}
