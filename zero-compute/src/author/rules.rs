//! `count`, `capacity` and `lanes`: how large a column is that a dispatch allocates.
//!
//! A size is a number, `n` (the elements of the domain), the name of a binding (its elements), the name of an integer
//! param, `n / K` (rounded up), `n * K`, `n / K * M` or `n * PARAM`.

use zero_yaml::{At, Position};

use super::names::shown;
use crate::kernel::{Extent, Lanes, Param, Rule, Width};

/// The most lanes of an element.
const MAX_LANES: u32 = 1024;
const FORMS: &str = "a number, `n`, a binding, an integer param, `n / 64`, `n * 3`, `n / 64 * 2` or `n * PARAM`";

/// What sizes may name.
pub(super) struct Sizes<'a> {
    pub(super) bindings: Vec<&'a str>,
    pub(super) params: &'a [(&'static str, Param)],
}

/// The binding whose elements or lanes a rule names.
pub(super) fn names_binding(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::Same(name) | Rule::LanesOf(name) | Rule::OneOf(name) => Some(name),
        Rule::Sized {
            elements: Extent::Of(name),
            ..
        }
        | Rule::Sized {
            lanes: Width::Of(name), ..
        } => Some(name),
        _ => None,
    }
}

/// The lanes that a column must have to be bound to `of`.
pub(super) fn own_lanes(of: &str, text: &str) -> Result<Lanes, String> {
    match text.parse().ok().filter(|lanes| (1..=MAX_LANES).contains(lanes)) {
        Some(lanes) => Ok(Lanes {
            least: lanes,
            most: lanes,
        }),
        None => Err(format!(
            "`{}` is no number of lanes of `{of}`; a column that is bound has 1 to {MAX_LANES}",
            shown(text)
        )),
    }
}

impl Sizes<'_> {
    /// The rule of the binding `of`, or where and why there is none.
    pub(super) fn read(
        &self,
        of: &str,
        count: &At<String>,
        lanes: Option<&At<String>>,
    ) -> Result<Rule, (Position, String)> {
        let elements = self.elements(of, &count.value).map_err(|why| (count.at, why))?;
        let lanes = match lanes {
            None => None,
            Some(lanes) => {
                let width = self.lanes(of, &lanes.value).map_err(|why| (lanes.at, why))?;
                if let (Extent::Of(a), Width::Of(b)) = (elements, width)
                    && a != b
                {
                    let why = format!("`{of}`: elements and lanes are of one binding, not of `{a}` and `{b}`");
                    return Err((lanes.at, why));
                }
                Some(width)
            }
        };
        Ok(match (elements, lanes) {
            (Extent::Of(name), None) => Rule::Same(name),
            (Extent::Domain { per: 1, times: 1 }, None) => Rule::Domain,
            (Extent::Domain { per: 1, times: 1 }, Some(Width::Lanes(lanes))) => Rule::Lanes(lanes),
            (Extent::Domain { per: 1, times: 1 }, Some(Width::Of(name))) => Rule::LanesOf(name),
            (elements, lanes) => Rule::Sized {
                elements,
                lanes: lanes.unwrap_or(Width::Lanes(1)),
            },
        })
    }

    fn elements(&self, of: &str, text: &str) -> Result<Extent, String> {
        let words = words(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let domain = |per: &str, times: &str| {
            let (per, times) = (number(per)?, number(times)?);
            (per > 0 && times > 0).then_some(Extent::Domain { per, times })
        };
        let found = match words.as_slice() {
            ["n"] => domain("1", "1"),
            ["n", "/", per] => domain(per, "1"),
            ["n", "/", per, "*", times] => domain(per, times),
            ["n", "*", times] if number(times).is_some() => domain("1", times),
            ["n", "*", name] => self.param(name)?.map(Extent::TimesParam),
            [one] => match number(one) {
                Some(count) => (count > 0).then_some(Extent::Count(count)),
                None if self.bindings.contains(one) => Some(Extent::Of(self.other(of, one)?)),
                None => self.param(one)?.map(Extent::Param),
            },
            _ => None,
        };
        found.ok_or_else(|| format!("`{}` is no size of `{of}`; write {FORMS}", shown(text)))
    }

    fn lanes(&self, of: &str, text: &str) -> Result<Width, String> {
        match number(text) {
            Some(lanes) if (1..=MAX_LANES).contains(&lanes) => Ok(Width::Lanes(lanes)),
            None if self.bindings.contains(&text) => self.other(of, text).map(Width::Of),
            _ => Err(format!(
                "`{}` is no number of lanes of `{of}`; write a number up to {MAX_LANES} or a binding",
                shown(text)
            )),
        }
    }

    fn other(&self, of: &str, name: &str) -> Result<&'static str, String> {
        if name == of {
            return Err(format!("the size of `{of}` is that of `{of}` itself"));
        }
        super::names::keep(name)
    }

    fn param(&self, name: &str) -> Result<Option<&'static str>, String> {
        match self.params.iter().find(|(known, _)| *known == name) {
            Some((name, Param::F32(_))) => Err(format!("`{name}` is a float, and a size is whole")),
            Some((name, _)) => Ok(Some(name)),
            None => Ok(None),
        }
    }
}

/// A decimal number of 32 bits, as it is and without a sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Names and numbers, and the two operators whether or not there are blanks around them.
fn words(text: &str) -> Vec<String> {
    let spaced = text.replace('*', " * ").replace('/', " / ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(count: &str, lanes: Option<&str>) -> Result<Rule, String> {
        let sizes = Sizes {
            bindings: vec!["src", "dst", "other"],
            params: &[("total", Param::U32(4)), ("scale", Param::F32(1.0))],
        };
        let at = |text: &str| At {
            value: text.to_owned(),
            at: Position::START,
        };
        let lanes = lanes.map(at);
        sizes.read("dst", &at(count), lanes.as_ref()).map_err(|(_, why)| why)
    }

    #[test]
    fn each_form_is_a_rule() {
        let sized = |elements, lanes| Ok(Rule::Sized { elements, lanes });
        let one = Width::Lanes(1);
        assert_eq!(read("n", None), Ok(Rule::Domain));
        assert_eq!(read("n", Some("3")), Ok(Rule::Lanes(3)));
        assert_eq!(read("n", Some("src")), Ok(Rule::LanesOf("src")));
        assert_eq!(read("src", None), Ok(Rule::Same("src")));
        assert_eq!(read("src", Some("src")), sized(Extent::Of("src"), Width::Of("src")));
        assert_eq!(read("src", Some("2")), sized(Extent::Of("src"), Width::Lanes(2)));
        assert_eq!(read("7", None), sized(Extent::Count(7), one));
        assert_eq!(read("n/64", None), sized(Extent::Domain { per: 64, times: 1 }, one));
        assert_eq!(
            read("n / 64 * 2", None),
            sized(Extent::Domain { per: 64, times: 2 }, one)
        );
        assert_eq!(read("n*3", None), sized(Extent::Domain { per: 1, times: 3 }, one));
        assert_eq!(read("total", None), sized(Extent::Param("total"), one));
        assert_eq!(read("n * total", None), sized(Extent::TimesParam("total"), one));
    }

    #[test]
    fn what_is_no_size_is_told() {
        let check = |count: &str, lanes: Option<&str>, expected: &str| {
            let error = read(count, lanes).unwrap_err();
            assert!(error.contains(expected), "{count}: {error}");
        };
        for count in [
            "",
            "m",
            "n +  1",
            "n / 0",
            "n * 0",
            "0",
            "-1",
            "+1",
            "n * src",
            "4294967296",
            "2 * n",
        ] {
            check(count, None, "is no size of `dst`");
        }
        check("scale", None, "`scale` is a float");
        check("dst", None, "that of `dst` itself");
        check("src", Some("other"), "not of `src` and `other`");
        check("n", Some("0"), "is no number of lanes");
        check("n", Some("1025"), "is no number of lanes");
        check("n", Some("width"), "is no number of lanes");
    }
}
