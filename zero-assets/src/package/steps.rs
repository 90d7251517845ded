//! [`Steps`]: what an installation is about to do, as it is written down before anything of it is done.
//!
//! A list that is found in a world may be anyone's. It names places in the world's own source alone, apart from each other,
//! and by its content what is to go from each and what comes: nothing else is moved.

use serde::Serialize;
use zero_vfs::{ContentHash, Vfs, VfsPath};
use zero_yaml::{Node, Position, Value};

use super::content::Known;
use super::record::{Entry, old_changes, old_parts};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::reader::{Keys, Reader};
use crate::root::Root;

pub(super) const STEPS_FILE: &str = "steps.yaml";
/// What becomes of the record of the package.
pub(super) const STAGED_RECORD: &str = "record.yaml";
/// The whole record as an older program was to write it, and as it found it.
const OLD_RECORD: &str = "record";
const OLD_RECORD_BEFORE: &str = "record.before";

/// The first version said of a step only that something goes and comes, and held the record of all packages.
const FORMAT: Format = Format {
    migrations: &[|_| ()],
    max_bytes: 16 << 20,
    max_nodes: 1_000_000,
    ..Format::FIRST
};

/// A place that is filled, emptied, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) target: VfsPath,
    /// What stands there and goes.
    pub(super) goes: Option<Known>,
    /// What comes.
    pub(super) comes: Option<Known>,
}

/// What the file of a package was when the changes were decided on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// This; `None` for no file.
    Was(Option<ContentHash>),
    /// An older program did not say.
    Unknown,
}

/// All that is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    /// What is written down when the steps are done.
    pub(super) entries: Vec<Entry>,
    pub(super) before: Before,
}

#[derive(Serialize)]
struct StepsText {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<String>,
    steps: Vec<StepText>,
}

#[derive(Serialize)]
struct StepText {
    target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    goes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comes: Option<String>,
}

impl Steps {
    /// Nothing to do.
    pub(super) fn none() -> Self {
        Self {
            steps: Vec::new(),
            entries: Vec::new(),
            before: Before::Unknown,
        }
    }

    pub(super) fn to_text(&self) -> Result<String> {
        let text = |known: &Option<Known>| Some(known.as_ref()?.hash()?.to_string());
        let steps = self.steps.iter().map(|step| StepText {
            target: step.target.to_string(),
            goes: text(&step.goes),
            comes: text(&step.comes),
        });
        let record = match self.before {
            Before::Was(hash) => hash.map(|hash| hash.to_string()),
            Before::Unknown => None,
        };
        Ok(zero_yaml::to_string(&StepsText {
            version: FORMAT.version(),
            record,
            steps: steps.collect(),
        })?)
    }

    /// Refuses places that are no installation's to change.
    ///
    /// # Errors
    /// [`Error::NoPlace`] for the first.
    pub(super) fn check(&self) -> Result<()> {
        let targets: Vec<&VfsPath> = self.steps.iter().map(|step| &step.target).collect();
        let refused = |(number, why): (usize, &'static str)| {
            let path = targets.get(number).map_or_else(VfsPath::root, |path| (*path).clone());
            Err(Error::NoPlace { path, why })
        };
        refused_of(&targets).map_or(Ok(()), refused)
    }

    /// Reads the list in a folder with the record that is to be written.
    ///
    /// # Errors
    /// [`Error::Broken`] for one that does not stand up, or names a place that is not an installation's to change; as
    /// [`Format::parse`]; [`Error::Vfs`].
    pub(super) fn load(vfs: &Vfs, folder: &VfsPath) -> Result<Self> {
        let file = folder.join(STEPS_FILE)?;
        let tree = FORMAT.read(vfs, &file)?;
        let is_old = !matches!(
            tree.get("version"),
            Some(Node {
                value: Value::Integer(2..),
                ..
            })
        );
        let mut steps = Self::none();
        let (mut goes, mut comes) = (Known::default(), Known::default());
        if is_old {
            let read = |name: &str| match vfs.read_bounded(&folder.join(name)?, FORMAT.max_bytes as u64 * 4) {
                Err(zero_vfs::Error::NotFound { .. }) => Ok(b"packages: []".to_vec()),
                read => read.map_err(Error::from),
            };
            let (before, after) = (read(OLD_RECORD_BEFORE)?, read(OLD_RECORD)?);
            let file = folder.join(OLD_RECORD)?;
            steps.entries = old_changes(&file, &before, &after)?;
            (goes, comes) = (old_parts(&file, &before)?, old_parts(&file, &after)?);
        } else {
            let place = folder.join(STAGED_RECORD)?;
            steps.entries = vec![Entry::read(vfs, &place)?];
        }
        let mut reader = Reader::new(&file, "package.steps", "package.unknown_key");
        let mut places = Vec::new();
        if let Some(keys) = reader.keys(&tree, "the steps of an installation", &["version", "record", "steps"]) {
            if !is_old {
                steps.before = Before::Was(hash(&mut reader, keys, "record"));
            }
            for item in reader.items(keys, "steps") {
                let old = is_old.then_some((&goes, &comes));
                if let Some(step) = step(&mut reader, item, old) {
                    places.push(item.at);
                    steps.steps.push(step);
                }
            }
        }
        refuse(&mut reader, &steps.steps, &places);
        let mut told = reader.told;
        told.retain(Diagnostic::is_error);
        match told.is_empty() {
            true => Ok(steps),
            false => Err(Error::Broken { diagnostics: told }),
        }
    }
}

fn step(reader: &mut Reader<'_>, item: &Node, old: Option<(&Known, &Known)>) -> Option<Step> {
    let keys = reader.keys(item, "an entry of `steps`", &["target", "goes", "comes"])?;
    let text = reader.needed_text(keys, "target")?;
    let target = match VfsPath::parse(&text) {
        Ok(target) => target,
        Err(error) => {
            reader.wrong(item.at, error.to_string());
            return None;
        }
    };
    let (goes, comes) = match old {
        Some((goes, comes)) => (
            reader.flag(keys, "goes", false).then(|| goes.clone()),
            reader.flag(keys, "comes", false).then(|| comes.clone()),
        ),
        None => (
            hash(reader, keys, "goes").map(Known::of_hash),
            hash(reader, keys, "comes").map(Known::of_hash),
        ),
    };
    Some(Step { target, goes, comes })
}

fn hash(reader: &mut Reader<'_>, keys: Keys<'_>, key: &str) -> Option<ContentHash> {
    let at = keys.get(key)?.at;
    let text = reader.text_of(keys, key)?;
    let hash = text.parse().ok();
    if hash.is_none() {
        reader.wrong(at, format!("`{key}` is the hash of a content, and `{text}` is here"));
    }
    hash
}

/// Tells of a place that is not an installation's to change.
fn refuse(reader: &mut Reader<'_>, steps: &[Step], places: &[Position]) {
    let targets: Vec<&VfsPath> = steps.iter().map(|step| &step.target).collect();
    if let Some((number, why)) = refused_of(&targets)
        && let (Some(target), Some(at)) = (targets.get(number), places.get(number))
    {
        let expected = "a step changes a place of its own in the world's source";
        reader.wrong(*at, format!("{expected}, and `{target}` is here: {why}"));
    }
}

/// The first target that is refused, by its number, and why.
fn refused_of(targets: &[&VfsPath]) -> Option<(usize, &'static str)> {
    for (number, target) in targets.iter().enumerate() {
        let inner = Root::World.folder().ok().and_then(|source| target.relative_to(&source));
        let why = match inner {
            None => Some("it lies outside of that"),
            Some(inner) => no_place(&inner),
        };
        if let Some(why) = why {
            return Some((number, why));
        }
    }
    // In the order of paths, what lies in another follows it.
    let mut sorted: Vec<(usize, &VfsPath)> = targets.iter().copied().enumerate().collect();
    sorted.sort_by_key(|(_, target)| *target);
    let nested = sorted.windows(2).find(|pair| pair[1].1.starts_with(pair[0].1))?;
    Some((
        nested[1].0,
        "another step is about the same place, or one that holds it",
    ))
}

/// Why a path below a world's source is no package's to fill; `None` where it is.
pub(super) fn no_place(inner: &VfsPath) -> Option<&'static str> {
    match inner.segments().next() {
        None => Some("it is the whole world"),
        Some(first) if first.eq_ignore_ascii_case("libs") => Some("libraries are not a package's to fill"),
        Some(first) if first.starts_with('.') => Some("the files of a world that begin with a dot are its own"),
        Some(_) => None,
    }
}
