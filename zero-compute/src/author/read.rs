//! Reading a `bindings.yaml`: every part of it checked, every refusal with its place.

use std::borrow::Cow;
use std::collections::HashMap;

use zero_yaml::{At, Document, Limits, Position};

use super::declaration::{
    Choice, DOMAIN_COUNT, Declaration, Declared, ElementOf, Fusion, at_most_columns, element_named, number,
};
use super::names::{self, shown};
use super::place::{Place, of_yaml};
use super::raw::{RawAccess, RawBinding, RawChoice, RawDeterminism, RawFile, RawFusion, RawKind, RawNumber, RawParam};
use super::rules;
use super::when::When;
use crate::column::Element;
use crate::error::Result;
use crate::kernel::{Access, Determinism, MAX_BINDINGS, MAX_PARAMS, MAX_SPECIALIZATIONS, Param};

/// The version that this reads.
const VERSION: u32 = 1;
/// The longest `bindings.yaml`, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// The most options of a specialization.
const MAX_OPTIONS: usize = 64;

impl Declaration {
    pub(super) fn read(file: &str, kernel: &str, text: &str) -> Result<Self> {
        let whole = Place {
            file,
            line: 1,
            column: 1,
        };
        names::check(kernel).map_err(|why| whole.error(why))?;
        let name = names::keep(kernel).map_err(|why| whole.error(why))?;
        let limits = Limits::default().max_bytes(MAX_BYTES).max_depth(8).max_nodes(4096);
        let raw: RawFile = Document::parse_within(file, text.as_bytes(), &limits)
            .and_then(|document| document.read())
            .map_err(|error| of_yaml(file, &error))?;
        let reader = Reader { file };
        if raw.version.value != VERSION {
            let message = format!(
                "version {} of this format is not known; write {VERSION}",
                raw.version.value
            );
            return Err(reader.place(raw.version.at).error(message));
        }
        let choices = reader.choices(&raw.specialize)?;
        let params = reader.params(&raw.params)?;
        let bindings = reader.bindings(&raw.bindings, &params, &choices)?;
        reader.distinct(&raw)?;
        Ok(Self {
            file: file.to_owned(),
            name,
            description: raw.description,
            determinism: reader.determinism(raw.determinism.as_ref())?,
            bindings,
            params,
            choices,
            fusion: raw.fusion.as_ref().map(|raw| reader.fusion(raw)).transpose()?,
        })
    }
}

/// Reads the parts of a file.
struct Reader<'a> {
    file: &'a str,
}

impl<'a> Reader<'a> {
    fn place(&self, at: Position) -> Place<'a> {
        Place {
            file: self.file,
            line: at.line,
            column: at.column,
        }
    }

    fn name(&self, name: &At<String>) -> Result<&'static str> {
        let kept = names::check(&name.value).and_then(|()| names::keep(&name.value));
        kept.map_err(|why| self.place(name.at).error(why))
    }

    fn determinism(&self, raw: Option<&At<RawDeterminism>>) -> Result<Determinism> {
        Ok(match raw {
            // Who says nothing promises no more than an operator's error.
            None => Determinism::Pointwise { ulps: 4 },
            Some(raw) => match raw.value {
                RawDeterminism::Exact => Determinism::Exact,
                RawDeterminism::Pointwise(0) => {
                    let message = "within 0 ulps is exact: write `determinism: exact`";
                    return Err(self.place(raw.at).error(message));
                }
                RawDeterminism::Pointwise(ulps) => Determinism::Pointwise { ulps },
                RawDeterminism::FloatOrder => Determinism::FloatOrder { bound: any_order },
            },
        })
    }

    fn choices(&self, raw: &[RawChoice]) -> Result<Vec<Choice>> {
        self.at_most(
            raw.get(MAX_SPECIALIZATIONS).map(|past| past.name.at),
            "specializations",
            MAX_SPECIALIZATIONS,
        )?;
        raw.iter().map(|raw| self.choice(raw)).collect()
    }

    fn choice(&self, raw: &RawChoice) -> Result<Choice> {
        let name = self.name(&raw.name)?;
        let mut options = Vec::new();
        for option in raw.options.iter().flat_map(|options| &options.value) {
            let place = self.place(option.at);
            let is_word = |c: char| c.is_ascii_alphanumeric() || "_.-+".contains(c);
            if option.value.is_empty() || !option.value.chars().all(is_word) {
                let message = format!("`{}` is no option: letters, digits and `_.-+`", shown(&option.value));
                return Err(place.error(message));
            }
            let kept = names::keep(&option.value).map_err(|why| place.error(why))?;
            if options.contains(&kept) {
                return Err(place.error(format!("the option `{kept}` is here twice")));
            }
            options.push(kept);
        }
        if let Some(given) = &raw.options
            && !(1..=MAX_OPTIONS).contains(&options.len())
        {
            let message = format!("`{name}` has 1 to {MAX_OPTIONS} options, here {}", options.len());
            return Err(self.place(given.at).error(message));
        }
        let default = match (&raw.default, options.first()) {
            (None, first) => first.map(|first| Cow::Borrowed(*first)),
            (Some(text), None) => Some(Cow::Owned(text.value.clone())),
            (Some(text), Some(_)) => {
                let known = options.iter().find(|option| **option == text.value);
                Some(Cow::Borrowed(*known.ok_or_else(|| {
                    let message = format!(
                        "`{name}` has no option `{}`; it has {}",
                        shown(&text.value),
                        options.join(", ")
                    );
                    self.place(text.at).error(message)
                })?))
            }
        };
        let options = names::keep_list(&options).map_err(|why| self.place(raw.name.at).error(why))?;
        Ok(Choice { name, options, default })
    }

    fn params(&self, raw: &[RawParam]) -> Result<Vec<(&'static str, Param)>> {
        self.at_most(raw.get(MAX_PARAMS).map(|past| past.name.at), "params", MAX_PARAMS)?;
        raw.iter()
            .map(|raw| Ok((self.name(&raw.name)?, self.default(raw)?)))
            .collect()
    }

    fn default(&self, raw: &RawParam) -> Result<Param> {
        let text = raw.default.as_ref().map(|text| text.value.as_str());
        let (found, expected) = match raw.kind {
            RawNumber::Float => (number(Element::F32, text.unwrap_or("0")), "a finite number"),
            RawNumber::Int => (number(Element::I32, text.unwrap_or("0")), "a whole number of 32 bits"),
            RawNumber::Uint => (
                number(Element::U32, text.unwrap_or("0")),
                "a whole number of 32 bits from 0",
            ),
            RawNumber::Bool => {
                let flag = text.unwrap_or("false").parse().ok();
                (flag.map(|flag: bool| Param::U32(u32::from(flag))), "true or false")
            }
        };
        found.ok_or_else(|| {
            let at = raw.default.as_ref().map_or(raw.name.at, |default| default.at);
            let message = format!(
                "the default of `{}` is {expected}, not `{}`",
                raw.name.value,
                shown(text.unwrap_or_default())
            );
            self.place(at).error(message)
        })
    }

    fn fusion(&self, raw: &At<RawFusion>) -> Result<Fusion> {
        let mut own = Vec::new();
        if let Some(names) = &raw.value.own {
            for name in names.value.split_whitespace() {
                let kept = names::check(name).and_then(|()| names::keep(name));
                own.push(kept.map_err(|why| self.place(names.at).error(why))?);
            }
        }
        Ok(Fusion {
            at: raw.at,
            writes: self.name(&raw.value.writes)?,
            own: names::keep_list(&own).map_err(|why| self.place(raw.at).error(why))?,
            inert: raw.value.inert.clone().unwrap_or(At {
                value: "0".to_owned(),
                at: raw.at,
            }),
        })
    }

    fn bindings(
        &self,
        raw: &[RawBinding],
        params: &[(&'static str, Param)],
        choices: &[Choice],
    ) -> Result<Vec<Declared>> {
        // Variants may bind others, so that a file may hold more than a kernel binds.
        self.at_most(
            raw.get(4 * MAX_BINDINGS).map(|past| past.name.at),
            "bindings",
            4 * MAX_BINDINGS,
        )?;
        let sizes = rules::Sizes {
            bindings: raw.iter().map(|raw| raw.name.value.as_str()).collect(),
            params,
        };
        raw.iter().map(|raw| self.binding(raw, &sizes, choices)).collect()
    }

    fn binding(&self, raw: &RawBinding, sizes: &rules::Sizes<'_>, choices: &[Choice]) -> Result<Declared> {
        let name = self.name(&raw.name)?;
        let kind = raw.kind.unwrap_or(RawKind::Buffer);
        let access = self.access(raw, kind)?;
        let when = match &raw.when {
            None => When::default(),
            Some(text) => When::read(&text.value, choices).map_err(|why| self.place(text.at).error(why))?,
        };
        let refuse = |at: Position, why: &str| Err(self.place(at).error(format!("`{name}`: {why}")));
        let atomic = raw.atomic.as_ref().is_some_and(|atomic| atomic.value);
        let element = self.element(raw, choices)?;
        if let Some(flag) = raw.atomic.as_ref().filter(|_| atomic) {
            let is_float = match element {
                ElementOf::Fixed(element) => element == Element::F32,
                ElementOf::Choice(at) => choices.get(at).is_some_and(|c| c.options.contains(&"f32")),
            };
            if is_float {
                return refuse(flag.at, "WGSL has no atomic floats");
            }
            if access != Access::InOut {
                return refuse(
                    flag.at,
                    "what is changed by atomic operations has the access `read_write`",
                );
            }
        }
        let table = self.table(raw, kind, access)?;
        let is_whole = raw.count.is_none() && raw.capacity.is_none();
        let takes_lanes = is_whole && table.is_none() && matches!(access, Access::Read | Access::InOut);
        let lanes = match raw.lanes.as_ref().filter(|_| takes_lanes) {
            None => None,
            Some(text) => Some(rules::own_lanes(name, &text.value).map_err(|why| self.place(text.at).error(why))?),
        };
        let rule = match (&raw.count, &raw.capacity) {
            (Some(_), Some(capacity)) => return refuse(capacity.at, "it has `count` or `capacity`, not both"),
            (Some(size), None) | (None, Some(size)) => {
                if access == Access::Read {
                    return refuse(size.at, "a column that is read has the size of what is bound");
                }
                let rule = sizes.read(name, size, raw.lanes.as_ref());
                Some(rule.map_err(|(at, why)| self.place(at).error(why))?)
            }
            (None, None) => {
                if let Some(lanes) = raw.lanes.as_ref().filter(|_| !takes_lanes) {
                    return refuse(lanes.at, "`lanes` goes with `count` or `capacity`");
                }
                if matches!(access, Access::Append | Access::Scratch) {
                    return refuse(
                        raw.name.at,
                        "it needs a `capacity`, as nothing else says how long it is",
                    );
                }
                None
            }
        };
        if name == DOMAIN_COUNT && table.is_some() {
            return refuse(raw.name.at, "the count of the domain is no table");
        }
        if name == DOMAIN_COUNT && !matches!((access, element), (Access::Read, ElementOf::Fixed(Element::U32))) {
            return refuse(raw.name.at, "the count of the domain is a buffer of u32 that is read");
        }
        Ok(Declared {
            name,
            at: raw.name.at,
            access,
            element,
            rule,
            lanes,
            atomic,
            when,
            table,
        })
    }

    /// Of a table, the columns that its `order` says.
    fn table(
        &self,
        raw: &RawBinding,
        kind: RawKind,
        access: Access,
    ) -> Result<Option<Option<&'static [&'static str]>>> {
        let refuse = |at: Position, why: String| Err(self.place(at).error(format!("`{}`: {why}", raw.name.value)));
        match (&raw.order, kind) {
            (_, RawKind::Columns) => {}
            (Some(order), _) => return refuse(order.at, "`order` is that of a table: `kind: columns`".to_owned()),
            (None, _) => return Ok(None),
        }
        if access != Access::Read {
            return refuse(raw.name.at, "a table of columns is read".to_owned());
        }
        if let Some(element) = &raw.element {
            let why = "a table holds columns of any element: it has no `element` of its own";
            return refuse(element.at, why.to_owned());
        }
        let Some(order) = &raw.order else {
            return Ok(Some(None));
        };
        let mut columns = Vec::new();
        for column in order.value.split_whitespace() {
            let kept = names::check(column).and_then(|()| names::keep(column));
            let kept = kept.map_err(|why| self.place(order.at).error(why))?;
            if columns.contains(&kept) {
                return refuse(order.at, format!("the column `{kept}` is in its order twice"));
            }
            columns.push(kept);
        }
        if columns.is_empty() {
            return refuse(order.at, "its order names no column".to_owned());
        }
        let list = at_most_columns(columns.len()).and_then(|()| names::keep_list(&columns));
        list.map(|list| Some(Some(list))).or_else(|why| refuse(order.at, why))
    }

    fn access(&self, raw: &RawBinding, kind: RawKind) -> Result<Access> {
        let name = &raw.name.value;
        match (kind, &raw.access) {
            (RawKind::Append, None) => Ok(Access::Append),
            (RawKind::Append, Some(access)) if access.value != RawAccess::Append => {
                let message = format!("`{name}`: a binding of kind `append` has the access `append`");
                Err(self.place(access.at).error(message))
            }
            (_, None) => Ok(Access::Read),
            (_, Some(access)) => Ok(match access.value {
                RawAccess::Read => Access::Read,
                RawAccess::Write => Access::Write,
                RawAccess::ReadWrite => Access::InOut,
                RawAccess::Append => Access::Append,
                RawAccess::Scratch => Access::Scratch,
            }),
        }
    }

    fn element(&self, raw: &RawBinding, choices: &[Choice]) -> Result<ElementOf> {
        if raw.kind == Some(RawKind::Columns) {
            return Ok(ElementOf::Fixed(Element::U32));
        }
        let Some(text) = &raw.element else {
            let message = format!("`{}` needs an `element`: f32, i32 or u32", raw.name.value);
            return Err(self.place(raw.name.at).error(message));
        };
        if let Some(element) = element_named(&text.value) {
            return Ok(ElementOf::Fixed(element));
        }
        let found = choices.iter().position(|choice| choice.name == text.value);
        let choice = found.and_then(|at| Some((at, choices.get(at)?)));
        match choice {
            Some((at, choice))
                if !choice.options.is_empty() && choice.options.iter().all(|o| element_named(o).is_some()) =>
            {
                Ok(ElementOf::Choice(at))
            }
            Some((_, choice)) => Err(self.place(text.at).error(format!(
                "`{}` is an element where its options are f32, i32 or u32 and nothing else",
                choice.name
            ))),
            None => Err(self.place(text.at).error(format!(
                "`{}` is no element; they are f32, i32, u32, and specializations with those options",
                shown(&text.value)
            ))),
        }
    }

    /// Refuses two things of one name, what is generated from names among them.
    fn distinct(&self, raw: &RawFile) -> Result<()> {
        let mut first: HashMap<String, u32> = HashMap::new();
        let mut meet = |name: String, at: Position| match first.insert(name.clone(), at.line) {
            None => Ok(()),
            Some(line) => {
                let message = format!("`{name}` is here a second time; line {line} declares it or what makes it");
                Err(self.place(at).error(message))
            }
        };
        for binding in &raw.bindings {
            let (name, at) = (&binding.name.value, binding.name.at);
            meet(name.clone(), at)?;
            // Accessors, and the params that hold lanes.
            for made in ["get", "lanes"] {
                meet(format!("{name}_{made}"), at)?;
            }
            let appends = binding.kind == Some(RawKind::Append)
                || binding.access.as_ref().is_some_and(|a| a.value == RawAccess::Append);
            if appends {
                meet(format!("{name}_count"), at)?;
            }
        }
        for name in raw
            .params
            .iter()
            .map(|p| &p.name)
            .chain(raw.specialize.iter().map(|c| &c.name))
        {
            meet(name.value.clone(), name.at)?;
        }
        Ok(())
    }

    fn at_most(&self, past: Option<Position>, what: &str, most: usize) -> Result<()> {
        match past {
            None => Ok(()),
            Some(at) => Err(self.place(at).error(format!("a kernel has at most {most} {what}"))),
        }
    }
}

/// Sums in any order: each of `n` additions rounds by at most 2^-24 of a partial sum, which is at most `n * max_abs`.
fn any_order(n: u64, max_abs: f32) -> f32 {
    (n as f32) * (n as f32) * max_abs * (1.0 / 16_777_216.0)
}
