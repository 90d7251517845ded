//! `device.kernel` as a node author calls it.

use super::{Cook, Operation};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::socket::{AnySocket, Col, Float, Int};
use crate::graph::wire::Type;
use crate::value::{KeyHasher, Value};
use zero_compute::{Args, Domain, Kernel};

/// A kernel over columns and numbers: inputs are the domain, then the bindings, then the params, by their names.
#[derive(Debug)]
struct KernelOp {
    kernel: &'static Kernel,
    bindings: Vec<&'static str>,
    params: Vec<&'static str>,
    options: Vec<(&'static str, &'static str)>,
    outputs: Vec<&'static str>,
}

impl Operation for KernelOp {
    fn id(&self) -> &'static str {
        "device.kernel"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.text(self.kernel.name()).text(self.kernel.source());
        let names = self.bindings.iter().chain(&self.params).chain(&self.outputs);
        names.for_each(|name| {
            key.text(name);
        });
        for (name, option) in &self.options {
            key.text(name).text(option);
        }
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let expected = 1 + self.bindings.len() + self.params.len();
        let [domain, rest @ ..] = inputs else {
            return Err(Error::Refused(format!(
                "{}: expected {expected} inputs, got none",
                self.kernel.name()
            )));
        };
        let domain = match domain {
            Value::Column(column) => Domain::of(column),
            number => {
                let what = format!("{}: domain", self.kernel.name());
                Domain::count(cx.decide_count(&what, number, super::construct::MAX_ELEMENTS)?)
            }
        };
        let (columns, numbers) = rest.split_at(self.bindings.len().min(rest.len()));
        let mut args = Args::new();
        for (name, column) in self.bindings.iter().zip(columns) {
            args = args.with(*name, column.column()?);
        }
        for (name, option) in &self.options {
            args = args.with(*name, *option);
        }
        let numbers: Vec<(&'static str, &Value)> = self.params.iter().copied().zip(numbers).collect();
        let dispatch = cx.dispatch(self.kernel, args, &numbers, domain)?;
        self.outputs
            .iter()
            .map(|name| Ok(Value::Column(dispatch.column(name)?)))
            .collect()
    }
}

/// A call of a kernel under construction.
#[derive(Debug)]
#[must_use = "a call that is not run makes nothing"]
pub struct KernelCall<'g> {
    graph: &'g Graph,
    kernel: &'static Kernel,
    columns: Vec<(&'static str, Col<'g>)>,
    numbers: Vec<(&'static str, AnySocket<'g>)>,
    options: Vec<(&'static str, &'static str)>,
}

impl Graph {
    /// Calls a kernel: bind its columns, give its params, then run it over a domain.
    pub fn kernel<'g>(&'g self, kernel: &'static Kernel) -> KernelCall<'g> {
        KernelCall {
            graph: self,
            kernel,
            columns: Vec::new(),
            numbers: Vec::new(),
            options: Vec::new(),
        }
    }
}

impl<'g> KernelCall<'g> {
    /// Binds a run that the kernel reads.
    pub fn bind(mut self, name: &'static str, column: Col<'g>) -> Self {
        self.columns.push((name, column));
        self
    }
    /// Gives a param.
    pub fn number(mut self, name: &'static str, value: impl Into<Float<'g>>) -> Self {
        self.numbers.push((name, value.into().into()));
        self
    }
    /// Gives a param that is a whole number.
    pub fn int(mut self, name: &'static str, value: impl Into<Int<'g>>) -> Self {
        self.numbers.push((name, value.into().into()));
        self
    }
    /// Chooses an option of a specialization.
    pub fn option(mut self, name: &'static str, option: &'static str) -> Self {
        self.options.push((name, option));
        self
    }
    /// Runs it over as many elements as the number says, and answers the runs it writes under these names.
    #[track_caller]
    pub fn over_count<const N: usize>(self, count: impl Into<Int<'g>>, outputs: [&'static str; N]) -> [Col<'g>; N] {
        let count: Int<'g> = count.into();
        self.run(count.into(), outputs)
    }
    /// Runs it over the elements of a run, its live ones where it has a live count.
    #[track_caller]
    pub fn over<const N: usize>(self, column: Col<'g>, outputs: [&'static str; N]) -> [Col<'g>; N] {
        self.run(column.into(), outputs)
    }

    #[track_caller]
    fn run<const N: usize>(self, domain: AnySocket<'g>, outputs: [&'static str; N]) -> [Col<'g>; N] {
        let op = KernelOp {
            kernel: self.kernel,
            bindings: self.columns.iter().map(|(name, _)| *name).collect(),
            params: self.numbers.iter().map(|(name, _)| *name).collect(),
            options: self.options,
            outputs: outputs.to_vec(),
        };
        let mut inputs = vec![domain];
        inputs.extend(self.columns.iter().map(|(_, column)| AnySocket::from(*column)));
        inputs.extend(self.numbers.iter().map(|(_, number)| *number));
        let out = self.graph.operation(op, inputs, vec![Type::Column; N]);
        std::array::from_fn(|index| out.at::<Col<'g>>(index))
    }
}
