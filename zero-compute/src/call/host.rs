//! `cpu.call`: a host function with declared returns and a ceiling.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::record::Record;
use super::value::{BufferRef, Value, ValueType};
use crate::cpu::said;
use crate::error::{Error, Result};
use crate::exec::Exec;

/// A call of a host function: its arguments, the types that it must return and the time that it may take.
///
/// ```
/// use zero_compute::{Exec, call::{HostCall, Value, ValueType}};
///
/// let halved = HostCall::new("halve")
///     .arg("count", 12)
///     .returns(&[ValueType::Number])
///     .ceiling_ms(50.0)
///     .run(&Exec::default(), |args| Ok(vec![Value::from(args.number("count")? * 0.5)]))?;
/// assert_eq!(halved[0].as_number(), Some(6.0.into()));
/// # Ok::<(), zero_compute::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a call does nothing before it is run"]
pub struct HostCall {
    name: String,
    args: Record,
    returns: Vec<ValueType>,
    ceiling_ms: Option<f64>,
}

impl HostCall {
    /// A call of a function under the name that refusals use, with no arguments and nothing returned.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            args: Record::new(),
            returns: Vec::new(),
            ceiling_ms: None,
        }
    }

    /// One more argument. A column, in a record too, reaches the function as a [`BufferRef`].
    pub fn arg(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.args.push(name, value);
        self
    }

    /// The types of what the function returns, in order.
    pub fn returns(mut self, types: &[ValueType]) -> Self {
        self.returns = types.to_vec();
        self
    }

    /// The longest that the function may take, by the clock of the [`Exec`] of the run, in milliseconds from 0 up.
    pub fn ceiling_ms(mut self, ceiling_ms: f64) -> Self {
        self.ceiling_ms = Some(ceiling_ms);
        self
    }

    /// Calls the function now, on this thread. It cannot be interrupted: one that takes longer than its ceiling is
    /// refused when it comes back.
    ///
    /// # Errors
    /// Before the function is called [`Error::Cancelled`], and [`Error::Invalid`] for a name given twice or a ceiling
    /// below 0 or NaN; then the function's own error, [`Error::HostPanic`] with its words where it panicked (and panics unwind),
    /// [`Error::OverCeiling`], and [`Error::BadReturn`] for values of
    /// other types or of another number than declared.
    pub fn run(self, exec: &Exec<'_>, function: impl FnOnce(&Record) -> Result<Vec<Value>>) -> Result<Vec<Value>> {
        exec.checkpoint()?;
        if let Some(name) = self.args.twice() {
            return Err(Error::Invalid {
                what: format!("function `{}`: argument `{name}`", self.name),
                expected: "every name once".to_owned(),
                found: "it twice".to_owned(),
            });
        }
        // NaN is no number from 0 up either.
        if let Some(ceiling_ms) = self.ceiling_ms.filter(|ceiling| !(0.0..).contains(ceiling)) {
            return Err(Error::Invalid {
                what: format!("function `{}`: its ceiling", self.name),
                expected: "milliseconds from 0 up".to_owned(),
                found: ceiling_ms.to_string(),
            });
        }
        let args = referenced(&self.args);
        let start = exec.clock.now_ms();
        // What the function was doing when it panicked is its host's; nothing of a device is half done by it.
        let returned = catch_unwind(AssertUnwindSafe(|| function(&args))).unwrap_or_else(|payload| {
            Err(Error::HostPanic {
                function: self.name.clone(),
                message: said(payload.as_ref()).to_owned(),
            })
        })?;
        let took_ms = exec.clock.now_ms() - start;
        if let Some(ceiling_ms) = self.ceiling_ms.filter(|ceiling| took_ms > *ceiling) {
            return Err(Error::OverCeiling {
                function: self.name,
                took_ms,
                ceiling_ms,
            });
        }
        self.check(&returned)?;
        Ok(returned)
    }

    fn check(&self, returned: &[Value]) -> Result<()> {
        let types: Vec<ValueType> = returned.iter().map(Value::value_type).collect();
        if types == self.returns {
            return Ok(());
        }
        Err(Error::BadReturn {
            function: self.name.clone(),
            expected: names(&self.returns),
            found: names(&types),
        })
    }
}

fn names(types: &[ValueType]) -> String {
    let names: Vec<String> = types.iter().map(ValueType::to_string).collect();
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}

/// The same values with every column as a reference.
fn referenced(args: &Record) -> Record {
    let reference = |value: &Value| match value {
        Value::Column(column) => Value::Buffer(BufferRef::of(column)),
        Value::Record(record) => Value::Record(referenced(record)),
        other => other.clone(),
    };
    args.iter().map(|(name, value)| (name, reference(value))).collect()
}
