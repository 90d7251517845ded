//! What was run so far, as a file holds it.

use std::fmt::Write;
use std::path::Path;

use super::runs::Runs;
use super::{FAMILIES, Row, Tally};
use crate::frame;

/// What lists are drawn by. A number is the same list only as long as these texts are the same.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    ("mod.rs", include_str!("mod.rs")),
    ("parts.rs", include_str!("parts.rs")),
    ("world.rs", include_str!("world.rs")),
    ("families/called.rs", include_str!("families/called.rs")),
    ("families/fields.rs", include_str!("families/fields.rs")),
    ("families/folded.rs", include_str!("families/folded.rs")),
    ("families/graphs.rs", include_str!("families/graphs.rs")),
    ("families/made.rs", include_str!("families/made.rs")),
    ("families/mod.rs", include_str!("families/mod.rs")),
    ("families/moved.rs", include_str!("families/moved.rs")),
    ("families/near.rs", include_str!("families/near.rs")),
    ("families/rasters.rs", include_str!("families/rasters.rs")),
    ("families/trees.rs", include_str!("families/trees.rs")),
];

/// FNV-1a of the crate's version and of [`SOURCES`]: what tells the lists of one table of families from another's.
pub(crate) fn table() -> u64 {
    let texts = SOURCES.iter().map(|(_, text)| *text);
    let bytes = std::iter::once(env!("CARGO_PKG_VERSION"))
        .chain(texts)
        .flat_map(str::bytes);
    // A checkout with other line ends draws the same lists.
    bytes
        .filter(|byte| *byte != b'\r')
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// What was run: the lists from `from` up to `next`, all equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tallies {
    /// [`table`] of the build that ran them.
    pub(crate) table: u64,
    /// The most elements of a column.
    pub(crate) most: u32,
    pub(crate) from: u64,
    pub(crate) next: u64,
    pub(crate) runs: Runs,
    pub(crate) tally: Tally,
}

impl Tallies {
    pub(crate) fn new(from: u64, most: u32) -> Self {
        Self {
            table: table(),
            most,
            from,
            next: from,
            runs: Runs::default(),
            tally: Tally::default(),
        }
    }

    /// Families that no list has drawn. Every stretch of as many lists as there are families draws all of them.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let names = FAMILIES.iter().map(|family| family.name);
        names.filter(|name| !self.tally.families.contains_key(*name)).collect()
    }

    /// Whether so many lists were run that none of the families may be missing.
    pub(crate) fn is_whole(&self) -> bool {
        self.next - self.from >= FAMILIES.len() as u64
    }

    /// A line for each version, adapter, commit and day of the runs, one a number, and one a family: its name, how often it
    /// was recorded, and the elements that it was given.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("table {:016x}\n", self.table);
        // Writing to a String cannot fail.
        for (kind, all) in self.runs.kinds() {
            for one in all {
                let _ = writeln!(text, "{kind} {one}");
            }
        }
        let numbers = [
            ("most", u64::from(self.most)),
            ("from", self.from),
            ("next", self.next),
            ("submissions", self.tally.submissions),
            ("words", self.tally.words),
            ("fused", self.tally.fused),
        ];
        for (name, number) in numbers {
            let _ = writeln!(text, "{name} {number}");
        }
        for (name, row) in &self.tally.families {
            let _ = writeln!(text, "family {name} {} {}", row.uses, row.elements);
        }
        text
    }

    /// The tallies of a text, which `name` says the place of.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut tallies = Self {
            table: 0,
            ..Self::new(0, 0)
        };
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let bad = || format!("`{name}`: `{line}` is no line of tallies; delete the file");
            let word = |at: usize| words.get(at).copied().ok_or_else(bad);
            let number = |at: usize| word(at)?.parse::<u64>().map_err(|_| bad());
            match word(0)? {
                "table" => tallies.table = u64::from_str_radix(word(1)?, 16).map_err(|_| bad())?,
                "most" => tallies.most = u32::try_from(number(1)?).map_err(|_| bad())?,
                "from" => tallies.from = number(1)?,
                "next" => tallies.next = number(1)?,
                "submissions" => tallies.tally.submissions = number(1)?,
                "words" => tallies.tally.words = number(1)?,
                "fused" => tallies.tally.fused = number(1)?,
                "family" => {
                    let row = Row {
                        uses: number(2)?,
                        elements: number(3)?,
                    };
                    tallies.tally.families.insert(word(1)?.to_owned(), row);
                }
                kind => {
                    let (_, text) = line.split_once(' ').ok_or_else(bad)?;
                    if !tallies.runs.take(kind, text) {
                        return Err(bad());
                    }
                }
            }
        }
        Ok(tallies)
    }

    /// Refuses tallies of lists that this build does not draw.
    pub(crate) fn check(self, name: &str, most: u32) -> Result<Self, String> {
        let table = table();
        if self.table != table {
            return Err(format!(
                "`{name}` counts lists of another table of families ({:016x}, and here it is {table:016x}); delete the \
                 file to begin anew, or name another with --tallies",
                self.table
            ));
        }
        if self.most != most {
            return Err(format!(
                "`{name}` counts lists of at most {} elements, and these are of at most {most}; delete the file to begin \
                 anew, or name another with --tallies",
                self.most
            ));
        }
        Ok(self)
    }

    /// All of the parts together, which must lie end to end.
    pub(crate) fn merged(mut parts: Vec<(String, Self)>) -> Result<Self, String> {
        parts.sort_by_key(|(_, part)| part.from);
        let mut parts = parts.into_iter();
        let (name, first) = parts.next().ok_or("there is nothing to merge")?;
        let most = first.most;
        let mut all = first.check(&name, most)?;
        for (name, part) in parts {
            let part = part.check(&name, most)?;
            if part.from != all.next {
                let what = if part.from > all.next {
                    "in none of the files"
                } else {
                    "in two files"
                };
                let (low, high) = (part.from.min(all.next), part.from.max(all.next));
                return Err(format!(
                    "list {low} is {what} (and those below {high}); `{name}` begins at {}",
                    part.from
                ));
            }
            all.next = part.next;
            all.tally.add(&part.tally);
            all.runs.add(&part.runs);
        }
        Ok(all)
    }

    pub(crate) fn save(&self, path: &Path) -> Result<(), String> {
        frame::save(path, &self.text())
    }

    /// `None` where there is no file yet.
    pub(crate) fn load(path: &Path) -> Result<Option<Self>, String> {
        let parse = |text: String| Self::parse(&path.display().to_string(), &text);
        frame::load(path)?.map(parse).transpose()
    }
}

/// What a run does with the tallies that a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// It goes on with them, up to that list.
    Count(Tallies, u64),
    /// It runs lists that are not theirs, which are counted nowhere.
    Apart(Tallies, u64),
}

impl Plan {
    /// The lists of `from` and `count`. Without a start it goes on where the kept tallies end; with theirs it does what
    /// is left, so that the same command goes on where it was stopped.
    pub(crate) fn new(kept: Option<Tallies>, from: Option<u64>, count: u64, most: u32) -> Self {
        match (kept, from) {
            (None, from) => {
                let new = Tallies::new(from.unwrap_or(0), most);
                let end = new.next.saturating_add(count);
                Self::Count(new, end)
            }
            (Some(kept), None) => {
                let end = kept.next.saturating_add(count);
                Self::Count(kept, end)
            }
            (Some(kept), Some(from)) if from == kept.from || from == kept.next => {
                Self::Count(kept, from.saturating_add(count))
            }
            (Some(_), Some(from)) => Self::Apart(Tallies::new(from, most), from.saturating_add(count)),
        }
    }
}
