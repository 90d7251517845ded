//! Work that a closure records, held equal on every device.

use std::ops::RangeInclusive;

use super::compare::{Order, Snapshot, Tolerance, first_difference};
use super::{Case, Difference, Draws, EDGE_SIZES, Parity, Part, Report, live_counts};
use crate::{Column, Determinism, Device, DeviceClass, Domain, Error, Recorder, Result, Word};

type Oracle<'p> = Box<dyn Fn(&Draws) -> Vec<Vec<u32>> + 'p>;

/// Over which live counts a check goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lives {
    None,
    All,
}

/// A check of what a closure records; made by [`Parity::work`].
pub struct WorkCheck<'p> {
    parity: &'p Parity,
    pub(super) what: String,
    class: Determinism,
    pub(super) sizes: Vec<u32>,
    pub(super) lives: Lives,
    pub(super) runs: u32,
    pub(super) seed: u64,
    pub(super) largest: Option<f32>,
    pub(super) unordered: Vec<usize>,
    /// Names of the outputs; those without one go by their number.
    pub(super) names: Vec<String>,
    /// Whether words are compared where there is no element: a dispatch over none does not run.
    pub(super) compares_empty: bool,
    /// Outputs that the work must write whole, by their numbers: before each run they are filled with words of their own.
    pub(super) written: Vec<usize>,
    oracle: Option<Oracle<'p>>,
}

impl std::fmt::Debug for WorkCheck<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorkCheck")
            .field("what", &self.what)
            .field("class", &self.class)
            .field("sizes", &self.sizes)
            .finish_non_exhaustive()
    }
}

impl<'p> WorkCheck<'p> {
    pub(super) fn new(parity: &'p Parity, what: &str, class: Determinism) -> Self {
        Self {
            parity,
            what: what.to_owned(),
            class,
            sizes: EDGE_SIZES.to_vec(),
            lives: Lives::None,
            runs: 2,
            seed: 0,
            largest: None,
            unordered: Vec::new(),
            names: Vec::new(),
            compares_empty: true,
            written: Vec::new(),
            oracle: None,
        }
    }

    /// The sizes to go over, in place of [`EDGE_SIZES`].
    #[must_use]
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = u32>) -> Self {
        self.sizes = sizes.into_iter().collect();
        self
    }

    /// Goes over the [`live_counts`] of every size too. The closure asks [`Inputs::live`] or [`Inputs::domain`] for them.
    #[must_use]
    pub fn with_live_counts(mut self) -> Self {
        self.lives = Lives::All;
        self
    }

    /// How often each list runs, in place of twice: once for work that changes its inputs in place.
    #[must_use]
    pub fn runs(mut self, runs: u32) -> Self {
        self.runs = runs.max(1);
        self
    }

    /// Draws other inputs.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The largest magnitude that the work meets: where ulps are taken for `Pointwise`, and what a `FloatOrder` bound is
    /// given in place of the largest input.
    #[must_use]
    pub fn largest(mut self, magnitude: f32) -> Self {
        self.largest = Some(magnitude);
        self
    }

    /// Outputs, by their numbers, whose elements a GPU may give in any order.
    #[must_use]
    pub fn in_any_order(mut self, outputs: impl IntoIterator<Item = usize>) -> Self {
        self.unordered = outputs.into_iter().collect();
        self
    }

    /// What the words of each output must be, their whole capacity, by other means. The reference is held to it.
    #[must_use]
    pub fn oracle(mut self, oracle: impl Fn(&Draws) -> Vec<Vec<u32>> + 'p) -> Self {
        self.oracle = Some(Box::new(oracle));
        self
    }

    /// Runs it: `make` records the work on each device in turn and answers its outputs.
    ///
    /// # Errors
    /// [`Error::Differs`] with the first difference, [`Error::Invalid`] where the whole check compares no word, and what
    /// recording and running fail with.
    pub fn check(&self, make: impl Fn(&mut Inputs<'_>, &mut Recorder) -> Result<Vec<Column>>) -> Result<Report> {
        let mut report = Report {
            devices: self.parity.devices().len(),
            ..Report::default()
        };
        let mut outputs = 0;
        for &n in &self.sizes {
            let lives = live_counts(n);
            let lives = match self.lives {
                Lives::None => &[][..],
                Lives::All => &lives[..],
            };
            for live in std::iter::once(None).chain(lives.iter().copied().map(Some)) {
                let case = Case {
                    n,
                    live,
                    seed: self.seed,
                };
                let (columns, words) = self.check_case(case, &make)?;
                outputs += columns;
                report.words += words;
                report.cases += 1;
            }
        }
        self.refuse_nothing(&report, outputs > 0)?;
        Ok(report)
    }

    /// Refuses a check that could not have failed.
    fn refuse_nothing(&self, report: &Report, has_outputs: bool) -> Result<()> {
        let found = match report {
            Report { devices: 0, .. } => "no device".to_owned(),
            Report { cases: 0, .. } => "no size".to_owned(),
            // An oracle that there is no word is held to that.
            Report { words: 0, cases, .. } if !(has_outputs && self.oracle.is_some()) => {
                format!("outputs of no word in {cases} cases")
            }
            Report { devices: 1, .. } if self.runs < 2 && self.oracle.is_none() => {
                "one run on one device, and no oracle".to_owned()
            }
            _ => return Ok(()),
        };
        Err(Error::Invalid {
            what: format!("the check of {}", self.what),
            expected: "something to compare".to_owned(),
            found,
        })
    }

    /// Answers how many outputs the reference has, and how many words they have.
    fn check_case(
        &self,
        case: Case,
        make: &dyn Fn(&mut Inputs<'_>, &mut Recorder) -> Result<Vec<Column>>,
    ) -> Result<(usize, u64)> {
        let draws = Draws::new(case);
        let mut reference: Option<(&str, Vec<Snapshot>)> = None;
        for (at, (name, device)) in self.parity.devices().iter().enumerate() {
            let mut inputs = Inputs::new(device, draws);
            let mut recorder = device.record(&self.what);
            let outputs = make(&mut inputs, &mut recorder)?;
            let list = recorder.finish()?;
            let within = Tolerance {
                class: self.class,
                largest: self.largest,
                largest_input: inputs.largest,
                n: case.n,
            };
            for run in 0..self.runs {
                self.soil(&outputs, at as u32 * self.runs + run)?;
                list.submit()?;
                let found = self.snapshots(case, &outputs)?;
                let Some((reference, expected)) = &reference else {
                    self.hold_to_oracle(&draws, name, &found, &within)?;
                    reference = Some((name, found));
                    continue;
                };
                let within = match device.class() {
                    DeviceClass::Cpu => within.exact(),
                    DeviceClass::Gpu { .. } => within,
                };
                self.hold(case, (reference, expected), (name, &found), &within)?;
            }
        }
        let outputs = reference.map_or(Vec::new(), |(_, outputs)| outputs);
        let words = outputs.iter().map(|output| output.words.len() as u64).sum();
        Ok((outputs.len(), words))
    }

    /// Fills what the work must write with a NaN that no other run has, so that a word which it leaves out differs.
    fn soil(&self, outputs: &[Column], run: u32) -> Result<()> {
        let written = self.written.iter().filter_map(|at| outputs.get(*at));
        for column in written {
            let mut recorder = column.device().record("soil");
            recorder.fill(&column.as_capacity(), 0x7fc0_0001_u32.wrapping_add(run))?;
            recorder.finish()?.submit()?;
        }
        Ok(())
    }

    fn snapshots(&self, case: Case, outputs: &[Column]) -> Result<Vec<Snapshot>> {
        let take = |(at, column): (usize, &Column)| {
            let name = self.names.get(at).cloned().unwrap_or_else(|| format!("output {at}"));
            let order = if self.unordered.contains(&at) {
                Order::Any
            } else {
                Order::Kept
            };
            let mut snapshot = Snapshot::take(name, column, order)?;
            if case.n == 0 && !self.compares_empty {
                snapshot.words.clear();
            }
            Ok(snapshot)
        };
        outputs.iter().enumerate().map(take).collect()
    }

    fn hold_to_oracle(&self, draws: &Draws, name: &str, found: &[Snapshot], within: &Tolerance) -> Result<()> {
        let Some(oracle) = &self.oracle else { return Ok(()) };
        let words = oracle(draws);
        if words.len() != found.len() {
            return Err(self.counts_differ(draws.case(), ("the oracle", words.len()), (name, found.len())));
        }
        let expected: Vec<_> = found
            .iter()
            .zip(words)
            .map(|(output, words)| output.oracle(words))
            .collect();
        self.hold(draws.case(), ("the oracle", &expected), (name, found), within)
    }

    fn hold(
        &self,
        case: Case,
        (reference, expected): (&str, &[Snapshot]),
        (device, found): (&str, &[Snapshot]),
        within: &Tolerance,
    ) -> Result<()> {
        if expected.len() != found.len() {
            return Err(self.counts_differ(case, (reference, expected.len()), (device, found.len())));
        }
        for (expected, found) in expected.iter().zip(found) {
            if let Some(differs) = first_difference(expected, found, within) {
                let difference = differs.told(&self.what, case, expected, reference, device);
                return Err(Error::Differs(Box::new(difference)));
            }
        }
        Ok(())
    }

    fn counts_differ(&self, case: Case, expected: (&str, usize), found: (&str, usize)) -> Error {
        let difference = Difference {
            what: self.what.clone(),
            case,
            output: "outputs".to_owned(),
            part: Part::Length,
            element: 0,
            lane: 0,
            kind: crate::Element::U32,
            reference: expected.0.to_owned(),
            expected: expected.1 as u32,
            device: found.0.to_owned(),
            found: found.1 as u32,
            allowed: 0.0,
        };
        Error::Differs(Box::new(difference))
    }
}

/// What a closure records its work over: the inputs of a case on one of the devices.
#[derive(Debug)]
pub struct Inputs<'d> {
    device: &'d Device,
    draws: Draws,
    /// The largest float that was uploaded.
    pub(super) largest: f32,
}

impl<'d> Inputs<'d> {
    fn new(device: &'d Device, draws: Draws) -> Self {
        Self {
            device,
            draws,
            largest: 0.0,
        }
    }

    /// The device.
    pub fn device(&self) -> &'d Device {
        self.device
    }

    /// The case's draws, for inputs of another shape: [`upload`](Self::upload) them.
    pub fn draws(&self) -> Draws {
        self.draws
    }

    /// Elements of the domain; of a live one its capacity.
    pub fn n(&self) -> u32 {
        self.draws.case().n
    }

    /// A column of these words, which the bound of a `FloatOrder` knows of.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn upload<T: Word>(&mut self, words: &[T], lanes: u32) -> Result<Column> {
        if T::ELEMENT == crate::Element::F32 {
            let floats: &[f32] = bytemuck::cast_slice(words);
            self.largest = floats.iter().fold(self.largest, |most, v| most.max(v.abs()));
        }
        self.device.upload(words, lanes)
    }

    /// A column of [`Draws::floats`], `n` elements of `lanes`.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn floats(&mut self, name: &str, lanes: u32, range: RangeInclusive<f32>) -> Result<Column> {
        let words = self.draws.floats(name, self.words_of(lanes), range);
        self.upload(&words, lanes)
    }

    /// A column of [`Draws::ints`], `n` elements of `lanes`.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn ints(&mut self, name: &str, lanes: u32, range: RangeInclusive<i32>) -> Result<Column> {
        let words = self.draws.ints(name, self.words_of(lanes), range);
        self.upload(&words, lanes)
    }

    /// A column of [`Draws::words`], `n` elements of `lanes`.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn words(&mut self, name: &str, lanes: u32, range: RangeInclusive<u32>) -> Result<Column> {
        let words = self.draws.words(name, self.words_of(lanes), range);
        self.upload(&words, lanes)
    }

    /// A column of `n` [`Draws::indices`] into the elements of `into`.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn indices(&mut self, name: &str, into: &Column) -> Result<Column> {
        let words = self.draws.indices(name, self.n() as usize, into.capacity());
        self.upload(&words, 1)
    }

    /// The column with the live count of the case, or as it is over a plain domain.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn live(&mut self, column: &Column) -> Result<Column> {
        match self.draws.case().live {
            None => Ok(column.clone()),
            Some(count) => column.with_live(&self.device.upload(&[count], 1)?),
        }
    }

    /// The domain of the case, plain or live.
    ///
    /// # Errors
    /// As [`Device::upload`].
    pub fn domain(&mut self) -> Result<Domain> {
        match self.draws.case().live {
            None => Ok(Domain::count(self.n())),
            Some(count) => Ok(Domain::live(&self.device.upload(&[count], 1)?, self.n())),
        }
    }

    fn words_of(&self, lanes: u32) -> usize {
        self.n() as usize * lanes as usize
    }
}
