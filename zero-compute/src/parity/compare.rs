//! Two devices' words side by side.

use std::fmt;

use super::Case;
use crate::{Column, Determinism, Element, Result, Word};

/// What of an output differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// A word.
    Word,
    /// The live count.
    Count,
    /// How many words it has, or how many outputs there are.
    Length,
}

/// The first difference between two devices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The kernel with its options, or the name that the work was given.
    pub what: String,
    /// The inputs.
    pub case: Case,
    /// The binding, or the number of the output.
    pub output: String,
    /// What of it differs.
    pub part: Part,
    /// The element; 0 where it is not a word that differs.
    pub element: u64,
    /// The lane of the element.
    pub lane: u32,
    /// What the words are.
    pub kind: Element,
    /// Who gave the expected word: the reference device, or the oracle.
    pub reference: String,
    /// The expected word's bits.
    pub expected: u32,
    /// The device that differs.
    pub device: String,
    /// Its word's bits.
    pub found: u32,
    /// How far a float may be off; 0 where the bits must be equal.
    pub allowed: f64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, output, case, .. } = self;
        write!(f, "{what}, `{output}`, {case}: ")?;
        match self.part {
            Part::Word => write!(f, "element {} lane {}", self.element, self.lane)?,
            Part::Count => write!(f, "its live count")?,
            Part::Length => write!(f, "its length")?,
        }
        let word = |bits: u32| match (self.part, self.kind) {
            (Part::Word, Element::F32) => format!("{:?} ({bits:#010x})", f32::from_bits(bits)),
            (Part::Word, Element::I32) => format!("{} ({bits:#010x})", bits as i32),
            _ => format!("{bits} ({bits:#010x})"),
        };
        let (found, expected) = (word(self.found), word(self.expected));
        write!(f, " is {found} on {}, {expected} on {}", self.device, self.reference)?;
        if self.allowed > 0.0 {
            write!(f, "; they may differ by {:e}", self.allowed)?;
        }
        Ok(())
    }
}

/// Whether the order of an output's elements is part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Kept,
    Any,
}

/// An output as a device has it.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) name: String,
    element: Element,
    lanes: u32,
    pub(super) words: Vec<u32>,
    count: Option<u32>,
    order: Order,
}

impl Snapshot {
    /// Reads it back, the whole of its capacity and its live count. Where any order is right, only what is live is kept,
    /// and nothing where more was appended than there is room for: which elements those are is open.
    pub(super) fn take(name: String, column: &Column, order: Order) -> Result<Self> {
        let count = match column.live_count() {
            None => None,
            Some(count) => count.read::<u32>()?.wait()?.first().copied(),
        };
        let mut words = bits(column)?;
        if let (Order::Any, Some(count)) = (order, count) {
            let fits = count <= column.capacity();
            words.truncate(if fits {
                count as usize * column.lanes() as usize
            } else {
                0
            });
        }
        Ok(Self {
            name,
            element: column.element(),
            lanes: column.lanes(),
            words,
            count,
            order,
        })
    }

    /// What an oracle says of this output.
    pub(super) fn oracle(&self, words: Vec<u32>) -> Self {
        Self { words, ..self.clone() }
    }

    fn sorted(&self) -> Vec<u32> {
        let mut elements: Vec<&[u32]> = self.words.chunks(self.lanes.max(1) as usize).collect();
        elements.sort_unstable();
        elements.concat()
    }
}

/// The words of a column's whole capacity.
fn bits(column: &Column) -> Result<Vec<u32>> {
    fn read<T: Word>(column: &Column) -> Result<Vec<u32>> {
        Ok(bytemuck::cast_vec(column.read::<T>()?.wait()?))
    }
    let column = column.as_capacity();
    match column.element() {
        Element::F32 => read::<f32>(&column),
        Element::I32 => read::<i32>(&column),
        Element::U32 => read::<u32>(&column),
    }
}

/// How far floats may be apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    pub(super) class: Determinism,
    /// Magnitude at which ulps and bounds are taken, where the check states it.
    pub(super) largest: Option<f32>,
    /// The largest float among the inputs.
    pub(super) largest_input: f32,
    /// Elements of the domain.
    pub(super) n: u32,
}

impl Tolerance {
    pub(super) fn exact(self) -> Self {
        Self {
            class: Determinism::Exact,
            ..self
        }
    }

    fn allowed(&self, a: f32, b: f32) -> f64 {
        match self.class {
            Determinism::Exact => 0.0,
            Determinism::Pointwise { ulps } => f64::from(ulps) * ulp(self.largest.unwrap_or(a.abs().max(b.abs()))),
            Determinism::FloatOrder { bound } => {
                let largest = self.largest.unwrap_or(self.largest_input);
                f64::from(bound(u64::from(self.n.max(1)), largest))
            }
        }
    }

    /// How far the words may be apart, where they are further.
    fn exceeded(&self, element: Element, expected: u32, found: u32) -> Option<f64> {
        if expected == found {
            return None;
        }
        if element != Element::F32 {
            return Some(0.0);
        }
        let (a, b) = (f32::from_bits(expected), f32::from_bits(found));
        let allowed = self.allowed(a, b);
        let is_near = a.is_finite() && b.is_finite() && (f64::from(a) - f64::from(b)).abs() <= allowed;
        let is_exact = matches!(self.class, Determinism::Exact);
        (is_exact || !is_near).then_some(allowed)
    }
}

/// The spacing of floats at a magnitude.
fn ulp(magnitude: f32) -> f64 {
    let exponent = (magnitude.abs().to_bits() >> 23).max(1) as i32;
    2f64.powi(exponent - 150)
}

/// Where one output departs from another.
pub(super) struct Found {
    pub(super) part: Part,
    pub(super) word: usize,
    pub(super) expected: u32,
    pub(super) found: u32,
    pub(super) allowed: f64,
}

/// The first word, count or length in which `found` is not what `expected` allows.
pub(super) fn first_difference(expected: &Snapshot, found: &Snapshot, within: &Tolerance) -> Option<Found> {
    let plain = |part, expected: u32, found: u32| Found {
        part,
        word: 0,
        expected,
        found,
        allowed: 0.0,
    };
    if expected.count != found.count {
        let (a, b) = (expected.count.unwrap_or_default(), found.count.unwrap_or_default());
        return Some(plain(Part::Count, a, b));
    }
    if expected.words.len() != found.words.len() {
        let (a, b) = (expected.words.len() as u32, found.words.len() as u32);
        return Some(plain(Part::Length, a, b));
    }
    let is_exact = matches!(within.class, Determinism::Exact);
    if is_exact && expected.words == found.words {
        return None;
    }
    let (a, b) = match expected.order {
        Order::Kept => (expected.words.clone(), found.words.clone()),
        Order::Any => (expected.sorted(), found.sorted()),
    };
    a.iter()
        .zip(&b)
        .enumerate()
        .find_map(|(word, (&expected_word, &found_word))| {
            let allowed = within.exceeded(expected.element, expected_word, found_word)?;
            Some(Found {
                part: Part::Word,
                word,
                expected: expected_word,
                found: found_word,
                allowed,
            })
        })
}

impl Found {
    pub(super) fn told(self, what: &str, case: Case, output: &Snapshot, reference: &str, device: &str) -> Difference {
        let lanes = output.lanes.max(1) as usize;
        Difference {
            what: what.to_owned(),
            case,
            output: output.name.clone(),
            part: self.part,
            element: (self.word / lanes) as u64,
            lane: (self.word % lanes) as u32,
            kind: output.element,
            reference: reference.to_owned(),
            expected: self.expected,
            device: device.to_owned(),
            found: self.found,
            allowed: self.allowed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(words: &[f32]) -> Snapshot {
        Snapshot {
            name: "dst".to_owned(),
            element: Element::F32,
            lanes: 2,
            words: words.iter().map(|v| v.to_bits()).collect(),
            count: None,
            order: Order::Kept,
        }
    }

    fn within(class: Determinism, largest: Option<f32>) -> Tolerance {
        Tolerance {
            class,
            largest,
            largest_input: 4.0,
            n: 10,
        }
    }

    fn differs(a: f32, b: f32, class: Determinism, largest: Option<f32>) -> bool {
        first_difference(&floats(&[1.0, a]), &floats(&[1.0, b]), &within(class, largest)).is_some()
    }

    #[test]
    fn ulps_are_taken_at_the_larger_number_or_at_the_largest_that_is_stated() {
        let next = f32::from_bits(1.0f32.to_bits() + 3);
        assert!(differs(1.0, next, Determinism::Exact, None));
        assert!(differs(1.0, next, Determinism::Pointwise { ulps: 2 }, None));
        assert!(!differs(1.0, next, Determinism::Pointwise { ulps: 3 }, None));
        assert!(!differs(1.0, next, Determinism::Pointwise { ulps: 1 }, Some(4.0)));
        assert!(differs(0.0, 1e-7, Determinism::Pointwise { ulps: 4 }, None));
        assert!(!differs(0.0, 1e-7, Determinism::Pointwise { ulps: 4 }, Some(1.0)));
        assert!(differs(
            f32::INFINITY,
            f32::MAX,
            Determinism::Pointwise { ulps: 1 << 30 },
            None
        ));
        assert!(differs(f32::NAN, 1.0, Determinism::Pointwise { ulps: 1 << 30 }, None));
        assert!(differs(0.0, -0.0, Determinism::Exact, None));
        assert!(!differs(0.0, -0.0, Determinism::Pointwise { ulps: 0 }, None));
    }

    #[test]
    fn a_bound_over_sums_knows_their_number_and_the_largest_input() {
        let class = Determinism::FloatOrder {
            bound: |n, largest| n as f32 * largest * 0.01,
        };
        assert!(!differs(1.0, 1.39, class, None), "10 numbers of at most 4");
        assert!(differs(1.0, 1.41, class, None));
        assert!(differs(1.0, 1.11, class, Some(1.0)));
    }

    #[test]
    fn the_first_difference_names_element_lane_and_both_words() {
        let (a, b) = (floats(&[1.0, 2.0, 3.0, 4.0]), floats(&[1.0, 2.0, 3.0, 5.0]));
        let case = Case {
            n: 2,
            live: Some(9),
            seed: 3,
        };
        let found = first_difference(&a, &b, &within(Determinism::Exact, None)).unwrap();
        let told = found.told("kernel `k`", case, &a, "cpu", "gpu");
        assert_eq!((told.element, told.lane, told.expected), (1, 1, 4.0f32.to_bits()));
        assert_eq!(
            told.to_string(),
            "kernel `k`, `dst`, 9 of 2 elements, seed 3: element 1 lane 1 is 5.0 (0x40a00000) on gpu, \
             4.0 (0x40800000) on cpu"
        );
        let short = floats(&[1.0, 2.0]);
        let found = first_difference(&a, &short, &within(Determinism::Exact, None)).unwrap();
        assert_eq!((found.part, found.expected, found.found), (Part::Length, 4, 2));
        let counted = |count| Snapshot {
            count: Some(count),
            ..floats(&[])
        };
        let found = first_difference(&counted(1), &counted(2), &within(Determinism::Exact, None)).unwrap();
        assert_eq!((found.part, found.expected, found.found), (Part::Count, 1, 2));
    }

    #[test]
    fn elements_in_any_order_are_the_same_elements() {
        let any = |words: &[f32]| Snapshot {
            order: Order::Any,
            ..floats(words)
        };
        let exact = within(Determinism::Exact, None);
        let a = any(&[1.0, 2.0, 3.0, 4.0]);
        assert!(first_difference(&a, &any(&[3.0, 4.0, 1.0, 2.0]), &exact).is_none());
        assert!(
            first_difference(&a, &any(&[3.0, 2.0, 1.0, 4.0]), &exact).is_some(),
            "lanes stay together"
        );
    }
}
