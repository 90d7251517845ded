//! A call's values sorted out against what its kernel declares.

use super::record::Record;
use super::value::{BufferRef, Field, Live, Texture, Value};
use crate::args::{Arg, Args, Domain, Number};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::kernel::{Access, Binding, Columns, Kernel};
use crate::record::Recorder;
use crate::table::listed;

/// Names that may always be given, whatever the kernel declares.
const ALWAYS: [&str; 3] = ["count", "time", "frame"];
/// The endings of the params that a vector spreads over.
const LANES: [&str; 4] = ["x", "y", "z", "w"];

/// The binding that the number of live elements goes to.
pub(super) const DOMAIN_COUNT: &str = "domain_count";

/// Sorts out the values of one call.
pub(super) struct Binder<'a> {
    pub(super) rec: &'a mut Recorder,
    pub(super) kernel: &'a Kernel,
    pub(super) domain: Domain,
    pub(super) args: Args,
}

impl Binder<'_> {
    /// A value under its name: for a binding, for a param or for the params that it spreads over.
    pub(super) fn bind(&mut self, name: &str, value: &Value) -> Result<()> {
        let kernel = self.kernel;
        if name == DOMAIN_COUNT && kernel.bindings().any(|b| b.name == name) {
            return Err(self.wrong(name, "nothing: the domain sets it", value.describe()));
        }
        if let Some(binding) = kernel
            .bindings()
            .find(|b| b.name == name && b.access != Access::Scratch)
        {
            return self.bind_binding(binding, value);
        }
        if self.param(name).is_some() {
            return self.bind_param(name, value);
        }
        if let Value::Vec(numbers) = value
            && self.param(&format!("{name}_x")).is_some()
        {
            for (number, lane) in numbers.iter().zip(LANES) {
                self.bind_param(&format!("{name}_{lane}"), &Value::Number(*number))?;
            }
            return Ok(());
        }
        if ALWAYS.contains(&name) {
            return Ok(());
        }
        if kernel.specializations().any(|s| s.name == name) {
            let expected = "no value: it is a specialization, which Call::specialize sets";
            return Err(self.wrong(name, expected, value.describe()));
        }
        Err(self.unknown(name))
    }

    /// The columns of a record for what is not bound by name.
    pub(super) fn bind_unnamed(&mut self, columns: &Record, bound: &Record) -> Result<()> {
        let kernel = self.kernel;
        let reads = kernel.bindings().filter(|b| b.access == Access::Read);
        for binding in reads.filter(|b| bound.get(b.name).is_none() && b.name != DOMAIN_COUNT) {
            if let Some(declared) = binding.columns {
                let all = columns
                    .iter()
                    .filter_map(|(name, value)| Some((name, value.as_column()?)));
                self.bind_table(binding.name, declared, all.collect())?;
            } else if let Some(column) = columns.get(binding.name).and_then(Value::as_column) {
                self.bind_binding(binding, &Value::Column(column.clone()))?;
            }
        }
        Ok(())
    }

    /// The count of the domain for a kernel that binds it.
    pub(super) fn bind_count(&mut self) -> Result<()> {
        let Some(binding) = self.kernel.bindings().find(|b| b.name == DOMAIN_COUNT) else {
            return Ok(());
        };
        let count = match &self.domain {
            Domain::Count(n) => self.rec.device.upload(&[*n], 1)?,
            Domain::Live { count, .. } => count.clone(),
        };
        self.read(binding, &count)
    }

    fn bind_binding(&mut self, binding: &Binding, value: &Value) -> Result<()> {
        if let Some(declared) = binding.columns {
            return match value {
                Value::Record(record) => {
                    let columns = self.columns_of(binding.name, record)?;
                    self.bind_table(binding.name, declared, columns)
                }
                Value::Table(table) => {
                    self.push(binding.name, table);
                    Ok(())
                }
                other => Err(self.wrong(binding.name, "a table of columns", other.describe())),
            };
        }
        match (value, binding.access) {
            (Value::Column(column) | Value::Buffer(BufferRef { buffer: column, .. }), Access::Read) => {
                self.read(binding, column)
            }
            (Value::Column(column) | Value::Buffer(BufferRef { buffer: column, .. }), _) => self.write(binding, column),
            (Value::Texture(texture), Access::Read) => self.texture(binding, texture),
            (Value::Live(live), Access::Read) => self.read(binding, live.count()),
            (Value::Field(field), Access::Read | Access::InOut) => self.field(binding, field),
            (other, _) => {
                let expected = match binding.access {
                    Access::Read => "a column, a field, a texture or a live count",
                    Access::InOut => "a column or a field",
                    _ => "a column",
                };
                Err(self.wrong(binding.name, expected, other.describe()))
            }
        }
    }

    fn read(&mut self, binding: &Binding, column: &Column) -> Result<()> {
        self.check_device(binding.name, column)?;
        let column = self.rec.cast(column, binding.element)?;
        self.push(binding.name, column);
        Ok(())
    }

    /// What is written is a copy, so that the caller's column stays what it was. A cast is one already.
    fn write(&mut self, binding: &Binding, column: &Column) -> Result<()> {
        self.check_device(binding.name, column)?;
        let own = if binding.access == Access::InOut && column.element() != binding.element {
            self.rec.cast(column, binding.element)?
        } else {
            self.rec.copy(column)?
        };
        match binding.access {
            Access::Append => self.push(binding.name, Arg::After(own)),
            _ => self.push(binding.name, own),
        }
        Ok(())
    }

    fn texture(&mut self, binding: &Binding, texture: &Texture) -> Result<()> {
        self.read(binding, &texture.texels)?;
        for (side, size) in [("width", texture.width), ("height", texture.height)] {
            let name = format!("{}_{side}", binding.name);
            if self.param(&name).is_some() {
                self.bind_param(&name, &Value::from(size))?;
            }
        }
        Ok(())
    }

    fn field(&mut self, binding: &Binding, field: &Field) -> Result<()> {
        let done = self
            .rec
            .map(&field.program, &field.leaves, &field.numbers, self.domain.clone())?;
        self.read(binding, &done.column("dst")?)
    }

    fn columns_of<'r>(&self, name: &str, record: &'r Record) -> Result<Vec<(&'r str, &'r Column)>> {
        let column = |(column, value): (&'r str, &'r Value)| {
            let found = || self.wrong(&format!("{name}.{column}"), "a column", value.describe());
            Ok((column, value.as_column().ok_or_else(found)?))
        };
        record.iter().map(column).collect()
    }

    /// Packs columns in the order that the binding declares, or in that of their names.
    fn bind_table(&mut self, name: &str, declared: Columns, mut columns: Vec<(&str, &Column)>) -> Result<()> {
        for (_, column) in &columns {
            self.check_device(name, column)?;
        }
        columns.sort_by(|a, b| a.0.cmp(b.0));
        if let Columns::Order(order) = declared {
            let mut sorted: Vec<&str> = order.to_vec();
            sorted.sort_unstable();
            if !columns.iter().map(|(name, _)| *name).eq(sorted) {
                let expected = format!("a table of exactly {}", listed(order.iter().copied()));
                let found = format!("a table of {}", listed(columns.iter().map(|(name, _)| *name)));
                return Err(self.wrong(name, &expected, found));
            }
            columns.sort_by_key(|(name, _)| order.iter().position(|known| known == name));
        }
        let table = self.rec.pack(&columns)?;
        self.push(name, table);
        Ok(())
    }

    fn bind_param(&mut self, name: &str, value: &Value) -> Result<()> {
        let Some(element) = self.param(name) else {
            return Err(self.unknown(name));
        };
        let expected = || format!("a number ({element})");
        let number = value
            .as_number()
            .ok_or_else(|| self.wrong(name, &expected(), value.describe()))?;
        let fitted = fit(number, element).ok_or_else(|| self.wrong(name, &expected(), number.to_string()))?;
        self.push(name, fitted);
        Ok(())
    }

    fn push(&mut self, name: &str, arg: impl Into<Arg>) {
        self.args = std::mem::take(&mut self.args).with(name.to_owned(), arg);
    }

    fn param(&self, name: &str) -> Option<Element> {
        let mut params = self.kernel.params();
        params
            .find(|(known, _)| *known == name)
            .map(|(_, param)| param.element())
    }

    fn check_device(&self, name: &str, column: &Column) -> Result<()> {
        self.rec
            .check_column(self.kernel.name(), name, column.element(), column)
    }

    fn wrong(&self, name: &str, expected: &str, found: String) -> Error {
        wrong(self.kernel, name, expected, found)
    }

    fn unknown(&self, name: &str) -> Error {
        let bindings = self
            .kernel
            .bindings()
            .filter(|b| b.access != Access::Scratch && b.name != DOMAIN_COUNT)
            .map(|b| b.name);
        Error::UnknownBinding {
            kernel: self.kernel.name().to_owned(),
            binding: name.to_owned(),
            known: listed(bindings.chain(self.kernel.params().map(|(name, _)| *name))),
        }
    }
}

pub(super) fn wrong(kernel: &Kernel, name: &str, expected: &str, found: String) -> Error {
    Error::WrongArg {
        kernel: kernel.name().to_owned(),
        name: name.to_owned(),
        expected: expected.to_owned(),
        found,
    }
}

/// The domain that a value stands for.
pub(super) fn domain_of(kernel: &str, value: &Value) -> Result<Domain> {
    let refused = |found: String| {
        let expected = "a number of elements, a column, a live count, or a record of `count` and `capacity`";
        Err(Error::WrongArg {
            kernel: kernel.to_owned(),
            name: "domain".to_owned(),
            expected: expected.to_owned(),
            found,
        })
    };
    match value {
        Value::Number(number) => match fit(*number, Element::U32) {
            Some(Number::U32(n)) => Ok(Domain::Count(n)),
            _ => refused(value.describe()),
        },
        Value::Column(column) => Ok(Domain::of(column)),
        Value::Buffer(buffer) => Ok(Domain::of(&buffer.buffer)),
        Value::Live(live) => Ok(live.into()),
        Value::Record(record) => {
            let count = match record.get("count") {
                Some(Value::Live(live)) => Some(live.count()),
                other => other.and_then(Value::as_column),
            };
            let capacity = record.get("capacity").and_then(Value::as_number);
            let capacity = capacity.and_then(|capacity| fit(capacity, Element::U32));
            match (count, capacity) {
                (Some(count), Some(Number::U32(capacity))) if record.len() == 2 => {
                    Ok((&Live::new(count, capacity)?).into())
                }
                _ => refused(value.describe()),
            }
        }
        other => refused(other.describe()),
    }
}

/// A number as that element; none for one that is not finite, and for an integer that the element does not hold exactly.
/// A float becomes the nearest `f32`, ties to even.
pub(super) fn fit(number: Number, element: Element) -> Option<Number> {
    let value = to_f64(number);
    match element {
        Element::F32 => {
            let narrow = value as f32;
            let fits = match number {
                Number::F32(_) | Number::F64(_) => narrow.is_finite(),
                Number::I32(_) | Number::U32(_) => f64::from(narrow) == value,
            };
            fits.then_some(Number::F32(narrow))
        }
        Element::I32 => {
            let fits = value.trunc() == value && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
            fits.then_some(Number::I32(value as i32))
        }
        Element::U32 => {
            let fits = value.trunc() == value && (0.0..=f64::from(u32::MAX)).contains(&value);
            fits.then_some(Number::U32(value as u32))
        }
    }
}

pub(super) fn to_f64(number: Number) -> f64 {
    match number {
        Number::F32(v) => f64::from(v),
        Number::F64(v) => v,
        Number::I32(v) => f64::from(v),
        Number::U32(v) => f64::from(v),
    }
}
