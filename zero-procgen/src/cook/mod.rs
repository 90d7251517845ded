//! What an operation may do while a node is cooked.

pub(crate) mod construct;
pub(crate) mod evaluate;
pub(crate) mod expr;
pub(crate) mod filter;
pub(crate) mod kernel;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod raster;
pub(crate) mod sample;
pub(crate) mod thin;

use crate::error::{Error, Result};
use crate::graph::wire::{Class, Type};
use crate::value::{Count, FieldLeaf, FieldValue, Geometry, KeyHasher, Leaf, Number, Origin, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use zero_compute::field::{Mode, Program};
use zero_compute::{Args, Column, Device, Dispatch, Domain, Kernel, Recorder, Slot};

/// One of the four ops, or a construct: what a node comes down to.
///
/// An operation answers the same values for equal parameters and inputs: it reads no clock, no file and no generator,
/// since its answer is kept by what it was asked.
pub trait Operation: std::any::Any + std::fmt::Debug + Send + Sync {
    /// The name in reports and keys.
    fn id(&self) -> &'static str;
    /// Moves when the answer to an equal question changes.
    fn version(&self) -> u32 {
        1
    }
    /// Takes every parameter in that the answer depends on.
    fn digest(&self, key: &mut KeyHasher);
    /// What is known of a column of the first output, which is a geometry, before anything is cooked.
    fn holds(&self, _class: Class, _name: &str) -> Holds {
        Holds::Unknown
    }
    /// The outputs, in order. Device work is recorded, not run.
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>>;
}

/// Whether the geometry that an operation answers holds a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Holds {
    /// The cook knows.
    Unknown,
    /// It does, whatever the inputs are.
    Yes,
    /// It does not, whatever the inputs are.
    No,
    /// As the geometry does that is the input at this place.
    AsInput(usize),
}

/// A word of a recorded list that follows a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub(crate) slot: Slot,
    pub(crate) origin: Arc<Origin>,
    pub(crate) lane: u8,
}

/// The hands of an operation: it records device work and reads numbers.
#[derive(Debug)]
pub struct Cook<'a> {
    recorder: &'a mut Recorder,
    device: &'a Device,
    /// Words of the list that follow leaves.
    pub(crate) followed: Vec<Followed>,
    /// Leaves whose value decided what was recorded.
    pub(crate) decided: BTreeSet<Leaf>,
    /// Conditions that a replay asks again.
    pub(crate) guards: Vec<Guard>,
}

/// A condition over leaves that must hold whenever a recorded list runs.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) origin: Arc<Origin>,
    pub(crate) message: Arc<str>,
    pub(crate) site: crate::error::Site,
}

/// What a field is evaluated over.
#[derive(Clone, Debug)]
pub struct Over<'a> {
    /// How many elements.
    pub count: Count,
    /// Where the columns of the element are found.
    pub geometry: Option<&'a Geometry>,
    /// The class the elements belong to.
    pub class: Class,
}

impl<'a> Over<'a> {
    /// The elements of a class of a geometry.
    pub fn class(geometry: &'a Geometry, class: Class) -> Over<'a> {
        Over {
            count: geometry.count(class),
            geometry: Some(geometry),
            class,
        }
    }
    /// A number of elements that stand for nothing.
    pub fn count(count: u32) -> Over<'static> {
        Over {
            count: Count::Known(count),
            geometry: None,
            class: Class::Point,
        }
    }
}

impl<'a> Cook<'a> {
    pub(crate) fn new(device: &'a Device, recorder: &'a mut Recorder) -> Cook<'a> {
        Cook {
            recorder,
            device,
            followed: Vec::new(),
            decided: BTreeSet::new(),
            guards: Vec::new(),
        }
    }

    /// The device.
    pub fn device(&self) -> &'a Device {
        self.device
    }

    /// The list that is being recorded, for the kernel families of zero-compute.
    pub fn recorder(&mut self) -> &mut Recorder {
        self.recorder
    }

    /// Puts numbers on the device at once. They are part of what was asked, so a recorded list keeps them.
    pub fn upload<T: zero_compute::Word>(&mut self, words: &[T], lanes: u32) -> Result<Column> {
        Ok(self.device.upload(words, lanes)?)
    }

    /// Reads a number that decides what the operation does. A recording made meanwhile holds for this value alone.
    pub fn decide(&mut self, value: &Value) -> Result<Number> {
        let number = value.number()?.clone();
        if let Some(origin) = &number.origin {
            self.decided.extend(origin.leaves.iter().copied());
        }
        Ok(number)
    }

    /// Refuses with the message unless the number holds, now and whenever the recorded list runs again.
    pub(crate) fn guard(&mut self, value: &Value, message: &Arc<str>, site: crate::error::Site) -> Result<()> {
        let number = value.number()?;
        if number.lanes().iter().all(|lane| *lane == 0.0) {
            return Err(Error::Check {
                site: site.into(),
                message: message.to_string(),
            });
        }
        if let Some(origin) = &number.origin {
            self.guards.push(Guard {
                origin: origin.clone(),
                message: message.clone(),
                site,
            });
        }
        Ok(())
    }

    /// A whole number that decides what the operation does; a float is taken towards 0.
    pub fn decide_int(&mut self, value: &Value) -> Result<i32> {
        let number = self.decide(value)?;
        Ok(match number.ty() {
            Type::Int => number.bits[0].cast_signed(),
            Type::UInt => i32::try_from(number.bits[0]).unwrap_or(i32::MAX),
            _ => number.lanes().first().copied().unwrap_or(0.0) as i32,
        })
    }

    /// How many elements a number asks for: at least 0, at most `limit`, which is refused by name where it is passed.
    pub fn decide_count(&mut self, what: &str, value: &Value, limit: u32) -> Result<u32> {
        let count = self.decide_int(value)?;
        match u32::try_from(count.max(0)) {
            Ok(count) if count <= limit => Ok(count),
            _ => Err(Error::Refused(format!(
                "{what}: expected at most {limit} elements, got {count}"
            ))),
        }
    }

    /// Records a kernel. `numbers` are its params by name, each following what it was made from.
    pub fn dispatch(
        &mut self,
        kernel: &'static Kernel,
        args: Args,
        numbers: &[(&'static str, &Value)],
        domain: Domain,
    ) -> Result<Dispatch> {
        let mut args = args;
        let mut origins = Vec::new();
        for (name, value) in numbers {
            let number = value.number()?;
            args = match number.ty() {
                Type::Float => args.with(*name, f32::from_bits(number.bits[0])),
                Type::Int => args.with(*name, number.bits[0].cast_signed()),
                Type::UInt | Type::Bool => args.with(*name, number.bits[0]),
                other => {
                    let message = format!("{}.{name}: expected one number, got a {}", kernel.name(), other.name());
                    return Err(Error::Refused(message));
                }
            };
            if let Some(origin) = &number.origin {
                origins.push((*name, origin.clone()));
            }
        }
        let dispatch = self.recorder.dispatch(kernel, args, domain)?;
        for (name, origin) in origins {
            self.followed.push(Followed {
                slot: dispatch.slot(name)?,
                origin,
                lane: 0,
            });
        }
        Ok(dispatch)
    }

    /// A value as a run of `ty`, one an element: a field is one dispatch, a run that fits is shared.
    pub fn evaluate(&mut self, value: &Value, ty: Type, over: &Over<'_>) -> Result<Column> {
        self.evaluate_in(value, ty, over, Mode::Pointwise)
    }

    /// The same for a value that decides something: computed with the same bits on every device. Refused, naming the
    /// operator, where the field holds one that can't be.
    pub fn evaluate_exact(&mut self, value: &Value, ty: Type, over: &Over<'_>) -> Result<Column> {
        self.evaluate_in(value, ty, over, Mode::Exact)
    }

    fn evaluate_in(&mut self, value: &Value, ty: Type, over: &Over<'_>, mode: Mode) -> Result<Column> {
        if let Value::Column(column) = value
            && evaluate::fits(column, ty, &over.count)
        {
            return Ok(column.clone());
        }
        let field = expr::as_field(value, ty)?;
        let program = Program::compile(&field.tape, &field.roots, mode)?;
        let mut leaves = Vec::with_capacity(program.leaves().len());
        for used in program.leaves() {
            leaves.push(leaf_column(&field, used.slot, over)?);
        }
        let words: Vec<u32> = program
            .numbers()
            .iter()
            .map(|used| field.numbers[used.slot as usize].bits)
            .collect();
        let slots: Vec<u32> = program.numbers().iter().map(|used| used.slot).collect();
        let dispatch = self
            .recorder
            .map(&Arc::new(program), &leaves, &words, over.count.domain())?;
        for (index, slot) in slots.into_iter().enumerate() {
            if let Some((origin, lane)) = &field.numbers[slot as usize].origin {
                let slot = dispatch.number_slot(index as u32)?;
                self.followed.push(Followed {
                    slot,
                    origin: origin.clone(),
                    lane: *lane,
                });
            }
        }
        let column = dispatch.column("dst")?;
        Ok(match &over.count {
            Count::Live { count, .. } => column.with_live(count)?,
            Count::Known(_) => column,
        })
    }
}

fn leaf_column(field: &FieldValue, slot: u32, over: &Over<'_>) -> Result<Column> {
    match &field.leaves[slot as usize] {
        FieldLeaf::Column(column) => Ok(column.clone()),
        FieldLeaf::Element { class, name, ty } => {
            let Some(geometry) = over.geometry else {
                let message = format!(
                    "the field reads {}.{name}, and it is evaluated over no geometry",
                    class.name()
                );
                return Err(Error::Refused(message));
            };
            if *class != over.class {
                let (wanted, given) = (class.name(), over.class.name());
                let message = format!("the field reads {wanted}.{name}, and it is evaluated over the {given} class");
                return Err(Error::Refused(message));
            }
            let held = geometry.column(*class, name)?;
            if held.ty != *ty {
                return Err(Error::Kind {
                    what: format!("{}.{name}", class.name()),
                    expected: ty.name().to_owned(),
                    found: held.ty.name().to_owned(),
                });
            }
            Ok(held.column.clone())
        }
    }
}
