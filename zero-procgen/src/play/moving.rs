//! Numbers that move between presents, and which of them a recording follows.

use super::placement::Placement;
use super::session::{Bound, input_leaves, number_bound};
use crate::error::{Error, Result};
use crate::graph::input::{InputDecl, InputValue};
use crate::graph::wire::{ClockField, InputId};
use crate::value::{Key, KeyHasher, Leaf, Number, Origin, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// When a graph is presented.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub struct Clock {
    /// Seconds since the timeline began.
    pub time_secs: f64,
    /// Frames since the timeline began.
    pub frame: i32,
    /// Frames a second, 0 where none are counted.
    pub fps: f64,
    /// Seconds that the timeline lasts, 0 where it has no end.
    pub duration_secs: f64,
    /// Where the graph stands; at the world's origin where nothing else is said.
    pub placement: Placement,
}

impl Clock {
    /// The clock at a time, in seconds, with the frame at this many frames a second.
    pub fn at(time_secs: f64, fps: f64) -> Clock {
        Clock {
            time_secs,
            frame: (time_secs * fps + 1e-6).floor() as i32,
            fps,
            ..Clock::default()
        }
    }
    /// The clock at a frame, at this many frames a second.
    pub fn frame(frame: i32, fps: f64) -> Clock {
        Clock {
            time_secs: f64::from(frame) / fps,
            frame,
            fps,
            ..Clock::default()
        }
    }
    /// The same on a timeline that ends after so many seconds.
    pub fn lasting(self, duration_secs: f64) -> Clock {
        Clock { duration_secs, ..self }
    }
    /// The same with the graph elsewhere in the scene.
    pub fn placed(self, placement: Placement) -> Clock {
        Clock { placement, ..self }
    }

    /// Refuses what is no number by its name.
    pub(crate) fn check(&self) -> Result<()> {
        let named = [
            ("time", self.time_secs, "s"),
            ("rate", self.fps, "frames a second"),
            ("duration", self.duration_secs, "s"),
        ];
        match named.into_iter().find(|(_, value, _)| !value.is_finite()) {
            Some((name, value, unit)) => {
                let message = format!("the clock's {name} must be finite, got {value} {unit}");
                Err(Error::Refused(message))
            }
            None => Ok(()),
        }
    }

    /// The bits of a field.
    pub(super) fn bits(&self, field: ClockField) -> Option<[u32; 4]> {
        match field {
            ClockField::Time => Some([(self.time_secs as f32).to_bits(), 0, 0, 0]),
            ClockField::Frame => Some([self.frame.cast_unsigned(), 0, 0, 0]),
            ClockField::Delta if self.fps == 0.0 => Some([0; 4]),
            ClockField::Delta => Some([(self.fps.recip() as f32).to_bits(), 0, 0, 0]),
            ClockField::Fps => Some([(self.fps as f32).to_bits(), 0, 0, 0]),
            ClockField::Duration => Some([(self.duration_secs as f32).to_bits(), 0, 0, 0]),
            _ => self.placement.bits(field),
        }
    }
}

/// Which leaves a cook treats as moving: what stands on them goes into the recorded list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Moving {
    pub(crate) inputs: BTreeSet<InputId>,
    pub(crate) clock: bool,
}

impl Moving {
    pub(crate) fn input(&self, id: InputId) -> bool {
        self.inputs.contains(&id)
    }
    pub(crate) fn clock(&self, _field: ClockField) -> bool {
        self.clock
    }
}

/// What every leaf holds at one present.
#[derive(Clone, Debug)]
pub(crate) struct LeafValues {
    /// The class of device that the keys are for.
    pub(crate) device: Key,
    inputs: Vec<(InputValue, Option<Arc<Origin>>)>,
    pub(crate) clock: Clock,
    /// Of the step being taken; it moves while a present runs.
    step: RefCell<BTreeMap<Leaf, u32>>,
}

impl LeafValues {
    pub(crate) fn new(device: Key, decls: &[InputDecl], values: Vec<InputValue>, clock: Clock) -> Result<LeafValues> {
        let mut inputs = Vec::with_capacity(values.len());
        for (index, (decl, value)) in decls.iter().zip(values).enumerate() {
            let leaves = input_leaves(InputId(index as u32), decl.ty);
            let origin = match leaves.is_empty() {
                true => None,
                false => Some(Arc::new(Origin::leaf(decl.ty, leaves)?)),
            };
            inputs.push((value, origin));
        }
        Ok(LeafValues {
            device,
            inputs,
            clock,
            step: RefCell::default(),
        })
    }

    pub(crate) fn input_value(&self, id: InputId) -> Option<&InputValue> {
        self.inputs.get(id.index()).map(|(value, _)| value)
    }

    /// The inputs whose values differ.
    pub(crate) fn moved_inputs(&self, from: &LeafValues) -> BTreeSet<InputId> {
        let pairs = self.inputs.iter().zip(&from.inputs).enumerate();
        pairs
            .filter(|(_, ((new, _), (old, _)))| new != old)
            .map(|(index, _)| InputId(index as u32))
            .collect()
    }

    pub(crate) fn input(&self, id: InputId, moving: bool) -> Result<Bound> {
        let Some((value, origin)) = self.inputs.get(id.index()) else {
            return Err(Error::Refused(format!("input {} is not declared", id.index())));
        };
        let bound = |number: Number| {
            number_bound(
                Number {
                    origin: origin.clone(),
                    ..number
                },
                moving,
            )
        };
        let held = |value: Value| {
            let mut hasher = KeyHasher::new("input");
            value.digest(&mut hasher);
            Bound {
                key: hasher.finish(),
                entry: None,
                value,
                moving,
            }
        };
        Ok(match value {
            InputValue::Geometry(geometry) => held(Value::Geometry(geometry.clone())),
            InputValue::Raster(raster) => held(Value::Raster(raster.clone())),
            other => match other.constant().and_then(Number::constant) {
                Some(number) => bound(number),
                None => return Err(Error::Refused(format!("{} is read as a value", other.describe()))),
            },
        })
    }

    pub(crate) fn clock(&self, field: ClockField, moving: bool) -> Result<Bound> {
        let ty = field.ty();
        let bits = self
            .clock
            .bits(field)
            .ok_or_else(|| Error::Refused(format!("the clock has no {field:?}")))?;
        let lanes = 0..ty.lanes().unwrap_or(1) as u8;
        let leaves = lanes.map(|lane| Leaf::Clock(field, lane)).collect();
        let origin = Some(Arc::new(Origin::leaf(ty, leaves)?));
        Ok(number_bound(Number { ty, bits, origin }, moving))
    }

    /// The bits that a leaf holds now.
    pub(crate) fn get(&self, leaf: Leaf) -> Option<u32> {
        match leaf {
            Leaf::Input(id, lane) => {
                let (_, bits) = self.input_value(id)?.constant()?.as_constant()?;
                bits.get(usize::from(lane)).copied()
            }
            Leaf::Clock(field, lane) => self.clock.bits(field)?.get(usize::from(lane)).copied(),
            Leaf::Step(..) => self.step.borrow().get(&leaf).copied(),
        }
    }

    pub(crate) fn set_step(&self, leaf: Leaf, bits: u32) {
        self.step.borrow_mut().insert(leaf, bits);
    }
}
