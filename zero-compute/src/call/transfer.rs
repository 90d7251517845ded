//! `transfer.upload` and `transfer.readback`: records of values to a device and back.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::list::{Items, List};
use super::record::Record;
use super::value::{Field, Other, Value};
use crate::args::{Domain, Number};
use crate::column::{Column, Element};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::exec::Exec;
use crate::readback::Readback;

/// The values of a record as columns of a device.
///
/// A number becomes a column of one float, and so does a bool, as 1 or 0; a vector of 2 to 4 numbers one element of as many
/// floats; a list of numbers a column of its kind, of vectors one of as many lanes; a record of those a record of columns.
/// A list of texts stays as it is, and so do a column, a buffer's and a live count, which must be the device's own.
///
/// A number must be finite, as a param must. In a list of floats NaN is refused, with its place; an infinity is kept, for
/// it may be where a ray ends.
///
/// Cost: one upload a column.
///
/// # Errors
/// [`Error::Invalid`] for a name given twice, for a value of another type, for a number that is not finite as an `f32` or an
/// integer that no `f32` is equal to, and for NaN in a list; [`Error::Foreign`] for a column of another device, [`Error::BadLanes`] for a
/// list that does not divide, and those of [`Device::upload`].
pub fn upload(device: &Device, values: impl Into<Record>) -> Result<Record> {
    upload_under(device, &values.into(), "")
}

fn upload_under(device: &Device, values: &Record, under: &str) -> Result<Record> {
    check_names("upload", values, under)?;
    let mut uploaded = Record::new();
    for (name, value) in values.iter() {
        let path = format!("{under}{name}");
        let value = match value {
            Value::Number(number) => Value::Column(device.upload(&[float(&path, *number)?], 1)?),
            Value::Bool(value) => Value::Column(device.upload(&[f32::from(u8::from(*value))], 1)?),
            Value::Vec(numbers) => {
                let floats: Result<Vec<f32>> = numbers.iter().map(|number| float(&path, *number)).collect();
                Value::Column(device.upload(&floats?, numbers.len() as u32)?)
            }
            Value::List(list) => upload_list(device, &path, list)?,
            Value::Record(record) => Value::Record(upload_under(device, record, &format!("{path}."))?),
            Value::Column(column) => Value::Column(own(device, &path, column)?.clone()),
            Value::Buffer(buffer) => Value::Column(own(device, &path, &buffer.buffer)?.clone()),
            Value::Live(live) => {
                own(device, &path, live.count())?;
                Value::Live(live.clone())
            }
            other => {
                let expected = "a number, a bool, a vector, a list, a column, a live count or a record of those";
                return Err(refused("upload", &path, expected, other.describe()));
            }
        };
        uploaded.push(name, value);
    }
    Ok(uploaded)
}

/// The number as the float that goes to the device.
fn float(path: &str, number: Number) -> Result<f32> {
    match super::bind::fit(number, Element::F32) {
        Some(Number::F32(float)) => Ok(float),
        _ => {
            let found = Value::Number(number).describe();
            Err(refused("upload", path, "a number that an f32 holds", found))
        }
    }
}

fn upload_list(device: &Device, path: &str, list: &List) -> Result<Value> {
    Ok(Value::Column(match list.items() {
        Items::F32(items) => {
            if let Some(at) = items.iter().position(|item| item.is_nan()) {
                let place = format!("{path}[{at}]");
                return Err(refused("upload", &place, "a number", "NaN".to_owned()));
            }
            device.upload(items, list.lanes())?
        }
        Items::I32(items) => device.upload(items, list.lanes())?,
        Items::U32(items) => device.upload(items, list.lanes())?,
        Items::Text(_) => return Ok(Value::List(list.clone())),
    }))
}

fn own<'a>(device: &Device, path: &str, column: &'a Column) -> Result<&'a Column> {
    if column.device().is_same(device) {
        return Ok(column);
    }
    Err(Error::Foreign {
        what: format!("the column `{path}`"),
        owner: "device",
    })
}

fn check_names(what: &str, values: &Record, under: &str) -> Result<()> {
    values.twice().map_or(Ok(()), |name| {
        Err(refused(
            what,
            &format!("{under}{name}"),
            "every name once",
            "it twice".to_owned(),
        ))
    })
}

fn refused(what: &str, path: &str, expected: &str, found: String) -> Error {
    Error::Invalid {
        what: format!("{what}: `{path}`"),
        expected: expected.to_owned(),
        found,
    }
}

/// Reads the values of a record back together, as they are after everything submitted so far has run.
///
/// A column answers a [`List`] of its kind and lanes, a live one its live front; a live count answers a number, the true
/// one where it exceeds its capacity; a field is computed over the elements of the first column that it reads at the
/// element itself, and answers as a column does. Numbers, bools, texts, vectors and lists answer themselves, and a record
/// a record of the answers. A [`Readable`](super::Readable) value of another layer, such as a geometry, answers the copy
/// that holds what its columns held; one that is not has nothing that could be read, and is refused.
///
/// Cost: one read-back a column, and one dispatch a field.
///
/// # Errors
/// [`Error::Invalid`] for a name given twice, a field that reads no column at the element itself or some of different
/// lengths, a packed table or texture, and a value of another layer that is not readable; [`Error::Foreign`] for a column
/// of another device.
pub fn readback(device: &Device, values: impl Into<Record>) -> Result<Transfer> {
    let mut plan = Plan {
        device,
        pending: Vec::new(),
    };
    let form = plan.record(&values.into(), "")?;
    Ok(Transfer {
        pending: plan.pending,
        form: Some(form),
        device: device.clone(),
        drives: device.drives(),
    })
}

/// Where the answers go.
#[derive(Clone, Debug)]
enum Form {
    Itself(Value),
    /// The number that the read-back of that place answers.
    Number(usize),
    /// The list that the read-back of that place answers.
    List(usize),
    Record(Vec<(String, Form)>),
    /// That value with the answers of its columns.
    Other(Other, Box<Form>),
}

/// One read-back on its way.
#[derive(Debug)]
struct Pending {
    name: String,
    element: Element,
    lanes: u32,
    readback: Option<Readback<u32>>,
    words: Option<Result<Vec<u32>>>,
}

struct Plan<'a> {
    device: &'a Device,
    pending: Vec<Pending>,
}

impl Plan<'_> {
    fn record(&mut self, values: &Record, under: &str) -> Result<Form> {
        check_names("readback", values, under)?;
        let mut forms = Vec::with_capacity(values.len());
        for (name, value) in values.iter() {
            forms.push((name.to_owned(), self.value(&format!("{under}{name}"), value)?));
        }
        Ok(Form::Record(forms))
    }

    fn value(&mut self, path: &str, value: &Value) -> Result<Form> {
        Ok(match value {
            Value::Column(column) => Form::List(self.read(path, column)?),
            Value::Buffer(buffer) => Form::List(self.read(path, &buffer.buffer)?),
            Value::Live(live) => Form::Number(self.read(path, live.count())?),
            Value::Field(field) => {
                let column = self.compute(path, field)?;
                Form::List(self.read(path, &column)?)
            }
            Value::Record(record) => self.record(record, &format!("{path}."))?,
            Value::Table(_) => return Err(refused("readback", path, "the columns by themselves", value.describe())),
            Value::Texture(_) => return Err(refused("readback", path, "its column of texels", value.describe())),
            Value::Other(other) => match other.parts() {
                Some(parts) => Form::Other(other.clone(), Box::new(self.record(&parts, &format!("{path}."))?)),
                None => return Err(refused("readback", path, "a value that is readable", value.describe())),
            },
            Value::Number(_) | Value::Bool(_) | Value::Text(_) | Value::Vec(_) | Value::List(_) => {
                Form::Itself(value.clone())
            }
        })
    }

    fn read(&mut self, path: &str, column: &Column) -> Result<usize> {
        own(self.device, path, column)?;
        self.pending.push(Pending {
            name: path.to_owned(),
            element: column.element(),
            lanes: column.lanes(),
            readback: Some(Readback::request(column)?),
            words: None,
        });
        Ok(self.pending.len() - 1)
    }

    fn compute(&self, path: &str, field: &Field) -> Result<Column> {
        // What is read through an index has a length of its own.
        let own = field.leaves.iter().enumerate();
        let own = own.filter(|(place, _)| field.program.reads_own_element(*place));
        let mut own = own.map(|(_, column)| column);
        let Some(first) = own.next() else {
            let expected = "a field that reads a column (map another over a domain with Recorder::map)";
            return Err(refused(
                "readback",
                path,
                expected,
                "a field without elements".to_owned(),
            ));
        };
        if let Some(other) = own.find(|column| column.capacity() != first.capacity()) {
            let expected = format!("columns of one length, {} elements as the first", first.capacity());
            let found = format!("one of {} (map it over a domain with Recorder::map)", other.capacity());
            return Err(refused("readback", path, &expected, found));
        }
        let mut rec = self.device.record("readback");
        let done = rec.map(&field.program, &field.leaves, &field.numbers, Domain::of(first))?;
        rec.finish()?.submit()?;
        done.column("dst")
    }
}

/// Values on their way from a device. [`wait`](Self::wait) for them, look with [`try_take`](Self::try_take) after
/// [`Device::poll`], or `.await` them.
#[derive(Debug)]
#[must_use = "the values arrive here"]
pub struct Transfer {
    pending: Vec<Pending>,
    /// None once the values were taken.
    form: Option<Form>,
    device: Device,
    /// How often the host had driven the device when the values were asked for.
    drives: u64,
}

/// Values that were read back.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The answers, under the names that were asked for.
    pub values: Record,
    /// What was moved.
    pub report: Report,
}

/// What a read-back moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Each column and count, in the order they were asked for.
    pub moved: Vec<Moved>,
    /// How often the host called [`Device::poll`], [`Device::drive`] or [`Device::advance`] between asking for the values
    /// and taking them: the frames that passed, for a host that calls one of them once a frame. A wait and an `.await`
    /// drive the device themselves, which counts for nothing here.
    pub polls: u64,
}

impl Report {
    /// Bytes of everything.
    pub fn bytes(&self) -> u64 {
        self.moved.iter().map(|moved| moved.bytes).sum()
    }
}

/// One column or count of a [`Report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its name, with the names of the records around it, as in `geometry.P`.
    pub name: String,
    /// Elements that arrived.
    pub elements: u32,
    /// Bytes that arrived.
    pub bytes: u64,
}

impl Transfer {
    /// Drives the device until the values are here.
    ///
    /// # Errors
    /// Those of [`Readback::wait`].
    pub fn wait(self) -> Result<Arrived> {
        self.wait_with(&Exec::default())
    }

    /// As [`wait`](Self::wait), but it can be cancelled between slices.
    ///
    /// # Errors
    /// As [`wait`](Self::wait), and [`Error::Cancelled`].
    pub fn wait_with(mut self, exec: &Exec<'_>) -> Result<Arrived> {
        for pending in &mut self.pending {
            if let Some(readback) = pending.readback.take() {
                pending.words = Some(Ok(readback.wait_with(exec)?));
            }
        }
        self.arrive()
    }

    /// The values, once all of them are here. After they were taken it answers `None`.
    pub fn try_take(&mut self) -> Option<Result<Arrived>> {
        self.form.as_ref()?;
        for pending in &mut self.pending {
            if let Some(words) = pending.readback.as_mut().and_then(Readback::try_take) {
                pending.words = Some(words);
                pending.readback = None;
            }
        }
        if self.pending.iter().any(|pending| pending.readback.is_some()) {
            return None;
        }
        Some(self.arrive())
    }

    /// The answers of read-backs that have all landed.
    fn arrive(&mut self) -> Result<Arrived> {
        let form = self.form.take().ok_or(Error::Taken)?;
        let mut lists = Vec::with_capacity(self.pending.len());
        let mut moved = Vec::with_capacity(self.pending.len());
        for pending in &mut self.pending {
            let words = pending.words.take().unwrap_or(Err(Error::Taken))?;
            moved.push(Moved {
                name: std::mem::take(&mut pending.name),
                elements: (words.len() as u32).checked_div(pending.lanes).unwrap_or(0),
                bytes: words.len() as u64 * 4,
            });
            lists.push(List::from_words(words, pending.element, pending.lanes));
        }
        let polls = self.device.drives().saturating_sub(self.drives);
        Ok(Arrived {
            values: fill_record(form, &mut lists),
            report: Report { moved, polls },
        })
    }
}

fn fill_record(form: Form, lists: &mut [List]) -> Record {
    match form {
        Form::Record(forms) => forms
            .into_iter()
            .map(|(name, form)| (name, fill(form, lists)))
            .collect(),
        _ => Record::new(),
    }
}

fn fill(form: Form, lists: &mut [List]) -> Value {
    let mut take = |at: usize| {
        let empty = List::from(Vec::<u32>::new());
        lists
            .get_mut(at)
            .map_or_else(|| empty.clone(), |list| std::mem::replace(list, empty.clone()))
    };
    match form {
        Form::Itself(value) => value,
        Form::List(at) => Value::List(take(at)),
        Form::Number(at) => {
            let count = take(at).as_u32().and_then(|words| words.first().copied());
            Value::Number(Number::U32(count.unwrap_or(0)))
        }
        Form::Record(_) => Value::Record(fill_record(form, lists)),
        Form::Other(other, parts) => Value::Other(other.with_parts(fill_record(*parts, lists))),
    }
}

impl Future for Transfer {
    type Output = Result<Arrived>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        for pending in &mut this.pending {
            if let Some(readback) = pending.readback.as_mut() {
                match Pin::new(readback).poll(context) {
                    Poll::Ready(words) => pending.words = Some(words),
                    Poll::Pending => return Poll::Pending,
                }
                pending.readback = None;
            }
        }
        Poll::Ready(this.arrive())
    }
}
