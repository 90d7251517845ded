//! What every soak has: the options of its command line, a file of tallies that is written whole, and the run from one
//! number to the next. The soak of zero-procgen includes this file too.

use std::path::{Path, PathBuf};
use std::time::Instant;

/// Numbers between two writes of the tallies.
const BETWEEN: u64 = 25;

/// The options of a command line, in pairs of a name and a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options(Vec<(String, String)>);

impl Options {
    /// Refuses a name that is not of these, and one without a value.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = String>, takes: &[&str]) -> Result<Self, String> {
        let mut pairs = Vec::new();
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            if !takes.contains(&name.as_str()) {
                return Err(format!("there is no `{name}`; there are {}", takes.join(", ")));
            }
            let value = arguments.next().ok_or_else(|| format!("`{name}` needs a value"))?;
            pairs.push((name, value));
        }
        Ok(Self(pairs))
    }

    /// The value of a name, the last where it was given twice.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut last = self.0.iter().rev();
        last.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let number = |value: &str| {
            let refused = || format!("`{name}` needs a whole number, found `{value}`");
            value.parse::<u64>().map_err(|_| refused())
        };
        self.text(name).map(number).transpose()
    }

    pub(crate) fn file(&self, name: &str) -> Option<PathBuf> {
        self.text(name).map(PathBuf::from)
    }

    /// Every file of a name that may be given again.
    #[allow(dead_code, reason = "one of the soaks sums files")]
    pub(crate) fn files(&self, name: &str) -> Vec<PathBuf> {
        let of_name = self.0.iter().filter(|(known, _)| known == name);
        of_name.map(|(_, value)| PathBuf::from(value)).collect()
    }
}

/// Writes a file whole or not at all: beside it first, then moved onto it.
pub(crate) fn save(path: &Path, text: &str) -> Result<(), String> {
    let beside = path.with_extension("new");
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", path.display());
    std::fs::write(&beside, text).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(failed)
}

/// The text of a file, `None` where there is none yet.
pub(crate) fn load(path: &Path) -> Result<Option<String>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read `{}`: {error}", path.display())),
    }
}

/// Runs the numbers from `tallies`' next up to `end`, telling how it goes, and keeps what was tallied now and then and at
/// the end. `what` names what has the numbers, in the plural.
///
/// # Errors
/// The first of `one` or `keep`, after which nothing more is run or kept.
pub(crate) fn go<T>(
    what: &str,
    tallies: &mut T,
    next: impl Fn(&mut T) -> &mut u64,
    end: u64,
    mut one: impl FnMut(&mut T, u64) -> Result<(), String>,
    mut keep: impl FnMut(&T) -> Result<(), String>,
) -> Result<(), String> {
    let (first, begun) = (*next(tallies), Instant::now());
    for number in first..end {
        one(tallies, number)?;
        *next(tallies) = number + 1;
        let done = number + 1 - first;
        if done % BETWEEN == 0 || number + 1 == end {
            let secs = begun.elapsed().as_secs_f64();
            println!("{done} of {} {what}, {:.3} s each", end - first, secs / done as f64);
            keep(tallies)?;
        }
    }
    Ok(())
}

/// Tells what was tallied; of `missing` what no run has drawn yet.
///
/// # Errors
/// Where something is missing although enough was run that nothing may be.
pub(crate) fn tell(text: &str, missing: &[&str], is_whole: bool) -> Result<(), String> {
    print!("{text}");
    match (missing.is_empty(), is_whole) {
        (true, _) => {}
        (false, true) => return Err(format!("never drawn: {}", missing.join(", "))),
        (false, false) => println!("not drawn yet: {}", missing.join(", ")),
    }
    println!("all equal");
    Ok(())
}
