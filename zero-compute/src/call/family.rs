//! Families that run several dispatches, called as a kernel is.

use super::bind::Binder;
use super::kernel::{Call, Called, Info};
use super::record::Record;
use super::value::{Live, Value};
use crate::args::{Arg, Args, Domain, Number};
use crate::column::{Column, Element};
use crate::error::{Error, Result};
use crate::kernel::{Determinism, Kernel, Param};
use crate::kernel_ref::KernelRef;
use crate::kernels::{HashGrid, expand, hash_gather};
use crate::record::{Dispatch, Recorder};

/// What a call runs.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    Kernel(KernelRef),
    Expand,
    HashGather(Box<HashGrid>),
}

/// The names that a call of [`expand`] binds. Nothing dispatches it.
const EXPAND: Kernel = Kernel::declare("expand")
    .read_domain("counts", Element::I32)
    .param("capacity", Param::U32(0));

/// The names that a call of [`hash_gather`] binds. Nothing dispatches it.
const HASH_GATHER: Kernel = Kernel::declare("hash_gather")
    .read_domain("places", Element::F32)
    .param("radius", Param::F32(0.0))
    .param("total", Param::U32(0));

impl Callee {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Callee::Kernel(kernel) => kernel.name(),
            Callee::Expand => EXPAND.name(),
            Callee::HashGather(_) => HASH_GATHER.name(),
        }
    }
}

impl Call {
    /// A call of [`kernels::expand`](crate::kernels::expand): binds `counts` (`i32`, one for each element of the domain)
    /// and the number `capacity`, the most slots there can be; without it as many as the domain has elements.
    ///
    /// It answers `owner`, `local_index` and `offsets`. `owner_count` and `local_index_count` are the sum of the counts,
    /// whatever the capacity: where it is greater, the first `capacity` slots were written.
    pub fn expand(domain: impl Into<Value>) -> Self {
        Self::of(Callee::Expand, domain)
    }

    /// A call of [`kernels::hash_gather`](crate::kernels::hash_gather) over the points of `grid`: binds `places` (`f32`, 3
    /// lanes, one for each element of the domain) and the numbers `radius` and `total`, the most items there can be.
    ///
    /// It answers `items`, `offsets` and `counts`. `items_count` is the number of points that are near, whatever `total`
    /// is: where it is greater, the first `total` items were written.
    pub fn hash_gather(grid: &HashGrid, domain: impl Into<Value>) -> Self {
        Self::of(Callee::HashGather(Box::new(grid.clone())), domain)
    }

    pub(super) fn record_expand(&self, rec: &mut Recorder, domain: Domain) -> Result<Called> {
        let args = self.bind_family(rec, &EXPAND, &domain)?;
        let counts = own_column(&EXPAND, &args, "counts", &domain)?;
        let capacity = number(&args, "capacity").map_or(domain.elements(), word);
        let made = expand(rec, &counts, capacity)?;
        let columns = [
            ("owner", made.owner),
            ("local_index", made.local_index),
            ("offsets", made.offsets),
        ];
        Ok(called(&EXPAND, &domain, &columns, &["owner", "local_index"]))
    }

    pub(super) fn record_hash_gather(&self, rec: &mut Recorder, grid: &HashGrid, domain: Domain) -> Result<Called> {
        let args = self.bind_family(rec, &HASH_GATHER, &domain)?;
        let places = own_column(&HASH_GATHER, &args, "places", &domain)?;
        let needed = |name: &str| number(&args, name).ok_or_else(|| missing(&HASH_GATHER, name, "a number"));
        let (radius, total) = (f32::from_bits(word(needed("radius")?)), word(needed("total")?));
        let found = hash_gather(rec, grid, &places, radius, total)?;
        let columns = [
            ("items", found.items),
            ("offsets", found.offsets),
            ("counts", found.counts),
        ];
        Ok(called(&HASH_GATHER, &domain, &columns, &["items"]))
    }

    /// The values of the call by the names of a family, which has no specialization and walks nothing.
    fn bind_family(&self, rec: &mut Recorder, face: &Kernel, domain: &Domain) -> Result<Args> {
        if let Some(name) = self.first_option() {
            return Err(Error::UnknownBinding {
                kernel: face.name().to_owned(),
                binding: name.to_owned(),
                known: "no specialization".to_owned(),
            });
        }
        let mut binder = Binder {
            rec,
            kernel: face,
            domain: domain.clone(),
            args: Args::new(),
        };
        self.bind_values(&mut binder)?;
        Ok(binder.args)
    }
}

/// The elements of a column that the domain runs over, live as the domain is.
fn own_column(face: &Kernel, args: &Args, name: &str, domain: &Domain) -> Result<Column> {
    let given = args.iter().find(|(known, _)| *known == name);
    let Some((_, Arg::Column(column))) = given else {
        return Err(Error::MissingBinding {
            kernel: face.name().to_owned(),
            binding: name.to_owned(),
        });
    };
    let n = domain.elements();
    if column.capacity() < n {
        return Err(Error::WrongShape {
            kernel: face.name().to_owned(),
            binding: name.to_owned(),
            expected: format!("at least the {n} elements of the domain"),
            found: format!("{} elements of {} lanes", column.capacity(), column.lanes()),
        });
    }
    match domain {
        Domain::Count(_) => Ok(column.front(n)),
        Domain::Live { count, .. } => column.front(n).with_live(count),
    }
}

fn number(args: &Args, name: &str) -> Option<Number> {
    args.iter().find_map(|(known, arg)| match arg {
        Arg::Number(number) if known == name => Some(*number),
        _ => None,
    })
}

/// The bits of a number that was made to fit its param.
fn word(number: Number) -> u32 {
    match number {
        Number::U32(value) => value,
        Number::I32(value) => value.cast_unsigned(),
        Number::F32(value) => value.to_bits(),
        Number::F64(value) => (value as f32).to_bits(),
    }
}

fn missing(face: &Kernel, name: &str, expected: &str) -> Error {
    super::bind::wrong(face, name, expected, "nothing".to_owned())
}

/// What a family wrote; `counted` are those whose live count is a count of its own.
fn called(face: &Kernel, domain: &Domain, outputs: &[(&'static str, Column)], counted: &[&str]) -> Called {
    let mut columns = Record::new();
    for (name, column) in outputs {
        columns.push(*name, column);
        if let Some(live) = Live::of(column).filter(|_| counted.contains(name)) {
            columns.push(format!("{name}_count"), live);
        }
    }
    let variant = match domain {
        Domain::Count(_) => face.name().to_owned(),
        Domain::Live { .. } => format!("{}[live]", face.name()),
    };
    let info = Info {
        kernel: face.name().to_owned(),
        variant,
        elements: domain.elements(),
        determinism: Determinism::Exact,
        specialization: Vec::new(),
    };
    let dispatch = Dispatch {
        kernel: face.name().to_owned(),
        outputs: outputs.to_vec(),
        slots: Vec::new(),
        numbers: Vec::new(),
    };
    Called::new(columns, info, dispatch)
}
