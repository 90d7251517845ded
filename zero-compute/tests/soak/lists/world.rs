//! What a list is recorded over on one device. Every choice is drawn from the list's number alone, and depends on
//! nothing but the shapes of columns, so that two devices are given the same list.

use zero_compute::{Column, Device, Element, Recorder, Result, Slot, Word, args};

use super::parts::{LIVE, MIX};

/// splitmix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    }

    /// Below `n`, or 0.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(n)) >> 32) as u32
    }

    pub(crate) fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, options: &[T]) -> Option<T> {
        options.get(self.below(options.len() as u32) as usize).copied()
    }

    /// From 0 to `most`, every power of two as likely as the next.
    pub(crate) fn log_uniform(&mut self, most: u32) -> u32 {
        let bits = 32 - most.leading_zeros();
        let low = (1u32 << self.below(bits + 1).min(31)) - 1;
        (low + self.below(low + 1)).min(most)
    }

    /// A multiple of 1/1024 within 512 of zero: sums and products of a few have no subnormal among them.
    pub(crate) fn tame(&mut self) -> f32 {
        (self.word() >> 12) as f32 / 1024.0 - 512.0
    }
}

/// A column, and whether its floats are tame: of those a family that calculates is given no others. The claim that
/// devices agree is made for finite numbers with nothing subnormal on the way.
#[derive(Clone, Debug)]
struct Known {
    column: Column,
    is_tame: bool,
}

/// What a slot may be set to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Vary {
    /// A live count of at most some more than that many.
    Count(u32),
    /// Any bits.
    Bits,
    /// A tame float.
    Tame,
}

pub(crate) struct World<'d> {
    pub(crate) device: &'d Device,
    pub(crate) rec: Recorder,
    pub(crate) random: Random,
    /// The most elements of a column that is drawn.
    pub(crate) most: u32,
    /// The size that most columns of this list have.
    base: u32,
    known: Vec<Known>,
    /// Columns that were uploaded, which stand whatever a list keeps.
    uploaded: Vec<u64>,
    pub(crate) slots: Vec<(Slot, Vary)>,
    /// Elements of what families were given.
    pub(crate) elements: u64,
}

impl<'d> World<'d> {
    pub(crate) fn new(device: &'d Device, number: u64, most: u32) -> Self {
        let mut random = Random::new(number);
        let base = random.log_uniform(most);
        Self {
            device,
            rec: device.record(&format!("list {number}")),
            random,
            most,
            base,
            known: Vec::new(),
            uploaded: Vec::new(),
            slots: Vec::new(),
            elements: 0,
        }
    }

    /// A number of elements: mostly that of the list.
    pub(crate) fn size(&mut self) -> u32 {
        if self.random.below(4) > 0 {
            self.base
        } else {
            self.random.log_uniform(self.most)
        }
    }

    /// A size of at most `cap`.
    pub(crate) fn size_to(&mut self, cap: u32) -> u32 {
        let size = self.size();
        if size > cap { self.random.log_uniform(cap) } else { size }
    }

    /// A new column of these words.
    pub(crate) fn upload<T: Word>(&mut self, words: &[T], lanes: u32) -> Result<Column> {
        let column = self.device.upload(words, lanes)?;
        self.elements += u64::from(column.capacity());
        self.uploaded.push(column.id());
        Ok(column)
    }

    pub(crate) fn was_uploaded(&self, column: &Column) -> bool {
        self.uploaded.contains(&column.id())
    }

    /// A new column: floats are tame, integers anything, or small numbers.
    pub(crate) fn fresh(&mut self, element: Element, lanes: u32, elements: u32) -> Result<Column> {
        let words = elements as usize * lanes as usize;
        let is_small = self.random.one_in(2);
        let random = &mut self.random;
        let column = match element {
            Element::F32 => {
                let words: Vec<f32> = (0..words).map(|_| random.tame()).collect();
                self.upload(&words, lanes)?
            }
            Element::I32 => {
                let small = elements.saturating_add(3).min(i32::MAX as u32);
                let one = |random: &mut Random| match is_small {
                    true => random.below(small) as i32 - 1,
                    false => random.word() as i32,
                };
                let words: Vec<i32> = (0..words).map(|_| one(random)).collect();
                self.upload(&words, lanes)?
            }
            Element::U32 => {
                let words: Vec<u32> = (0..words)
                    .map(|_| if is_small { random.below(9) } else { random.word() })
                    .collect();
                self.upload(&words, lanes)?
            }
        };
        self.keep_tame(&column);
        Ok(column)
    }

    /// Indices into `n` elements, some of which name none.
    pub(crate) fn indices(&mut self, count: u32, n: u32) -> Result<Column> {
        let random = &mut self.random;
        let mut one = || match random.below(16) {
            0 => -1 - random.below(4) as i32,
            1 => n.saturating_add(random.below(4)).min(i32::MAX as u32) as i32,
            _ => random.below(n).min(i32::MAX as u32) as i32,
        };
        let words: Vec<i32> = (0..count).map(|_| one()).collect();
        let column = self.upload(&words, 1)?;
        self.keep(&column);
        Ok(column)
    }

    pub(crate) fn element(&mut self) -> Element {
        let kinds = [Element::F32, Element::I32, Element::U32];
        self.random.of(&kinds).unwrap_or(Element::F32)
    }

    /// A column that fits, mostly one that another family wrote or read, and at times with another live count.
    pub(crate) fn any(&mut self, want: Want) -> Result<Column> {
        let fits = |known: &&Known| {
            let column = &known.column;
            want.element.is_none_or(|element| element == column.element())
                && want.lanes.is_none_or(|lanes| lanes == column.lanes())
                && want.elements.is_none_or(|elements| elements == column.capacity())
                && (known.is_tame || !want.tame || column.element() != Element::F32)
        };
        let fitting: Vec<Column> = self
            .known
            .iter()
            .filter(fits)
            .map(|known| known.column.clone())
            .collect();
        let at = self.random.below(fitting.len() as u32) as usize;
        let is_old = self.random.below(4) > 0;
        let column = match fitting.into_iter().nth(at).filter(|_| is_old) {
            Some(column) => {
                self.elements += u64::from(column.capacity());
                column
            }
            None => {
                let element = match want.element {
                    Some(element) => element,
                    None => self.element(),
                };
                let lanes = want.lanes.unwrap_or(1 + self.random.below(3));
                let elements = match want.elements {
                    Some(elements) => elements,
                    None => self.size(),
                };
                self.fresh(element, lanes, elements)?
            }
        };
        match self.random.below(6) {
            0 => self.with_live(&column),
            1 => Ok(column.as_capacity()),
            _ => Ok(column),
        }
    }

    /// The live front of a column: a count that is uploaded, or one that a slot sets.
    pub(crate) fn with_live(&mut self, column: &Column) -> Result<Column> {
        let n = column.capacity();
        let count = self.live_count(n);
        if self.random.one_in(2) {
            let count = self.device.upload(&[count], 1)?;
            self.uploaded.push(count.id());
            return column.with_live(&count);
        }
        let set = self
            .rec
            .dispatch(&LIVE, args! { count: count }, zero_compute::Domain::count(1))?;
        self.slots.push((set.slot("count")?, Vary::Count(n)));
        column.with_live(&set.column("dst")?)
    }

    /// None, one, some, all but one, all, or more than there are.
    pub(crate) fn live_count(&mut self, n: u32) -> u32 {
        let some = self.random.below(n);
        let counts = [0, n.min(1), n / 2, some, n.saturating_sub(1), n, n.saturating_add(7)];
        self.random.of(&counts).unwrap_or(n)
    }

    /// A column of words that a slot changes.
    pub(crate) fn mixed(&mut self) -> Result<Column> {
        let src = self.any(Want::of(Element::U32).lanes(1))?;
        let bits = self.random.word();
        let domain = zero_compute::Domain::of(&src);
        let mixed = self.rec.dispatch(&MIX, args! { src: &src, bits: bits }, domain)?;
        self.slots.push((mixed.slot("bits")?, Vary::Bits));
        let column = mixed.column("dst")?;
        self.keep(&column);
        Ok(column)
    }

    /// Keeps a column for the families to come, and to compare.
    pub(crate) fn keep(&mut self, column: &Column) {
        let is_tame = column.element() != Element::F32;
        self.known.push(Known {
            column: column.clone(),
            is_tame,
        });
    }

    /// Keeps a column whose floats, if it has any, are tame: fresh ones, or such that were moved.
    pub(crate) fn keep_tame(&mut self, column: &Column) {
        self.known.push(Known {
            column: column.clone(),
            is_tame: true,
        });
    }

    /// Keeps what was moved out of `src`, tame where that is.
    pub(crate) fn keep_moved(&mut self, src: &Column, column: &Column) {
        let is_tame = self.is_tame(src);
        self.known.push(Known {
            column: column.clone(),
            is_tame,
        });
    }

    pub(crate) fn is_tame(&self, column: &Column) -> bool {
        let same = |known: &&Known| known.column.id() == column.id();
        self.known.iter().find(same).is_some_and(|known| known.is_tame)
    }

    /// Everything that was kept, to compare.
    pub(crate) fn columns(&self) -> Vec<Column> {
        self.known.iter().map(|known| known.column.clone()).collect()
    }
}

/// What a family asks of a column.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Want {
    element: Option<Element>,
    lanes: Option<u32>,
    elements: Option<u32>,
    tame: bool,
}

impl Want {
    pub(crate) fn anything() -> Self {
        Self::default()
    }
    pub(crate) fn of(element: Element) -> Self {
        Self {
            element: Some(element),
            ..Self::default()
        }
    }
    pub(crate) fn lanes(self, lanes: u32) -> Self {
        Self {
            lanes: Some(lanes),
            ..self
        }
    }
    pub(crate) fn elements(self, elements: u32) -> Self {
        Self {
            elements: Some(elements),
            ..self
        }
    }
    /// Floats that may be calculated with.
    pub(crate) fn tame(self) -> Self {
        Self { tame: true, ..self }
    }
}
