//! [`Events`]: what assets fire and others hear.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::asset::Asset;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::settings::Values;
use crate::types::FieldType;
use crate::value::Value;

/// An event that assets of a type fire.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventSchema {
    /// Its name.
    pub name: String,
    /// The fields of its payload.
    pub payload: BTreeMap<String, FieldType>,
}

impl EventSchema {
    /// One whose payload is empty.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            payload: BTreeMap::new(),
        }
    }

    /// The same with a field of its payload.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, value_type: FieldType) -> Self {
        self.payload.insert(name.into(), value_type);
        self
    }

    fn check(&self, payload: &Value) -> std::result::Result<(), String> {
        let empty = Values::new();
        let held = match payload {
            Value::Null => &empty,
            Value::Object(held) => held,
            other => return Err(format!("its payload is a mapping, and {other} is here")),
        };
        for (name, value_type) in &self.payload {
            let value = held.get(name).ok_or_else(|| format!("its payload has no `{name}`"))?;
            value_type
                .check(value)
                .map_err(|why| format!("`{name}` does not fit: {why}"))?;
        }
        match held.keys().find(|name| !self.payload.contains_key(*name)) {
            Some(name) => Err(format!("it has no field `{name}`")),
            None => Ok(()),
        }
    }
}

/// What someone hears of an event of an asset. What was fired waits in it until it is taken; it ends when it is
/// dropped. As it is held by the asset's guid, it outlives any move of it.
#[derive(Debug)]
pub struct Subscription {
    heard: Arc<Mutex<VecDeque<Value>>>,
}

impl Subscription {
    /// The payloads that were fired since the last call, in their order.
    #[must_use]
    pub fn take(&self) -> Vec<Value> {
        lock(&self.heard).drain(..).collect()
    }
}

/// The most payloads that wait in a subscription that nobody takes from; the oldest goes first.
const MAX_WAITING: usize = 4096;

type Listeners = BTreeMap<(Guid, String), Vec<Weak<Mutex<VecDeque<Value>>>>>;

/// Who listens to what.
#[derive(Debug, Default)]
pub(crate) struct Events {
    listeners: Mutex<Listeners>,
}

impl Events {
    pub(crate) fn subscribe(&self, asset: &Asset, declared: &[EventSchema], event: &str) -> Result<Subscription> {
        let (guid, _) = known(asset, declared, event)?;
        let heard = Arc::default();
        let mut listeners = lock(&self.listeners);
        let listening = listeners.entry((guid, event.to_owned())).or_default();
        listening.retain(|listener| listener.strong_count() > 0);
        listening.push(Arc::downgrade(&heard));
        Ok(Subscription { heard })
    }

    pub(crate) fn fire(&self, asset: &Asset, declared: &[EventSchema], event: &str, payload: Value) -> Result<()> {
        let (guid, schema) = known(asset, declared, event)?;
        schema.check(&payload).map_err(|why| wrong(asset, event, why))?;
        let listeners = lock(&self.listeners);
        let listening = listeners.get(&(guid, event.to_owned())).into_iter().flatten();
        for listener in listening.filter_map(Weak::upgrade) {
            let mut heard = lock(&listener);
            if heard.len() == MAX_WAITING {
                heard.pop_front();
            }
            heard.push_back(payload.clone());
        }
        Ok(())
    }
}

fn known<'e>(asset: &Asset, declared: &'e [EventSchema], event: &str) -> Result<(Guid, &'e EventSchema)> {
    let Some(schema) = declared.iter().find(|schema| schema.name == event) else {
        let near = zero_vfs::nearest_names(event, declared.iter().map(|schema| schema.name.as_str()));
        let hint = near
            .first()
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        let why = format!("its type `{}` declares no such event{hint}", asset.kind);
        return Err(wrong(asset, event, why));
    };
    let guid = asset
        .guid
        .ok_or_else(|| wrong(asset, event, "it has no guid yet; settle it first".to_owned()))?;
    Ok((guid, schema))
}

fn wrong(asset: &Asset, event: &str, message: String) -> Error {
    Error::Event {
        asset: asset.path.clone(),
        event: event.to_owned(),
        message,
    }
}

// Nothing in this file can panic while it holds a lock, and a queue is whole at every step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
