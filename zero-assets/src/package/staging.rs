//! [`Staging`]: changes of several trees that happen together.
//!
//! What comes is written beside the world first, as one tree that is there whole or not at all, with the list of what is to
//! be done. From then on nothing but renames is left. A program that is stopped among them goes on when the world is next
//! opened; one that fails among them takes them back.

use serde::Serialize;
use zero_vfs::{Vfs, VfsPath, WriteOptions};

use super::record::Record;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::reader::Reader;
use crate::root::Root;

const STAGING_FOLDER: &str = ".install";
const STEPS_FILE: &str = "steps.yaml";
const STAGED_RECORD: &str = "record";

const FORMAT: Format = Format {
    max_bytes: 16 << 20,
    max_nodes: 1_000_000,
    ..Format::FIRST
};

/// A place that is filled, emptied, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) target: VfsPath,
    /// Whether something stands there that goes.
    pub(super) goes: bool,
    /// Whether something comes.
    pub(super) comes: bool,
}

#[derive(Serialize)]
struct StepsText {
    version: u32,
    steps: Vec<StepText>,
}

#[derive(Serialize)]
struct StepText {
    target: String,
    goes: bool,
    comes: bool,
}

/// What comes to the place of a step: one file, under `/`, or files of a folder.
pub(super) type Coming = Vec<(VfsPath, Vec<u8>)>;

/// Changes that were decided on and are not done.
#[derive(Debug)]
pub(super) struct Staging<'v> {
    vfs: &'v Vfs,
    folder: VfsPath,
    steps: Vec<Step>,
}

impl<'v> Staging<'v> {
    /// Decides on changes: writes what comes, and the record that holds when they are done. From here on they are done, or
    /// taken back.
    pub(super) fn decide(vfs: &'v Vfs, changes: Vec<(Step, Coming)>, record: &Record) -> Result<Self> {
        let folder = Self::place()?;
        let inner = |text: &str| VfsPath::parse(&format!("/{text}"));
        let mut files = vec![(inner(STAGED_RECORD)?, record.to_text()?.into_bytes())];
        let mut steps = Vec::new();
        for (number, (step, coming)) in changes.into_iter().enumerate() {
            for (file, bytes) in coming {
                let place = match file.is_root() {
                    true => inner(&format!("new/{number}"))?,
                    false => inner(&format!("new/{number}{file}"))?,
                };
                files.push((place, bytes));
            }
            steps.push(step);
        }
        files.push((inner(STEPS_FILE)?, to_text(&steps)?.into_bytes()));
        vfs.write_tree(&folder, files, &WriteOptions::default())?;
        Ok(Self { vfs, folder, steps })
    }

    /// The changes that a program was stopped in.
    pub(super) fn found(vfs: &'v Vfs) -> Result<Option<Self>> {
        let folder = Self::place()?;
        let file = folder.join(STEPS_FILE)?;
        match vfs.stat(&file)? {
            None => Ok(None),
            Some(_) => {
                let steps = parse(&file, &vfs.read(&file)?)?;
                Ok(Some(Self { vfs, folder, steps }))
            }
        }
    }

    fn place() -> Result<VfsPath> {
        Ok(Root::World.folder()?.join(STAGING_FOLDER)?)
    }

    /// Does what is left to do. Where that fails, what was done is taken back.
    ///
    /// # Errors
    /// [`Error::Vfs`]: with what failed; where taking back failed too, the staging folder is still there, and the next
    /// opening of the world goes on.
    pub(super) fn finish(self) -> Result<()> {
        let done = (0..self.steps.len()).try_for_each(|number| self.forward(number));
        match done.and_then(|()| self.write_record()) {
            Ok(()) => self.clear(),
            Err(error) => {
                (0..self.steps.len()).rev().try_for_each(|number| self.back(number))?;
                self.clear()?;
                Err(error)
            }
        }
    }

    fn new_place(&self, number: usize) -> Result<VfsPath> {
        Ok(self.folder.join(&format!("new/{number}"))?)
    }

    fn old_place(&self, number: usize) -> Result<VfsPath> {
        Ok(self.folder.join(&format!("old/{number}"))?)
    }

    fn is_there(&self, path: &VfsPath) -> Result<bool> {
        Ok(self.vfs.stat(path)?.is_some())
    }

    fn forward(&self, number: usize) -> Result<()> {
        let step = &self.steps[number];
        let (new, old) = (self.new_place(number)?, self.old_place(number)?);
        let is_to_come = step.comes && self.is_there(&new)?;
        let is_to_go = step.goes && !self.is_there(&old)?;
        if is_to_go && self.is_there(&step.target)? {
            self.vfs.rename(&step.target, &old)?;
        }
        if is_to_come {
            // Whatever stands here now is nobody's whom this was to replace: the rename is refused.
            self.vfs.rename(&new, &step.target)?;
        }
        Ok(())
    }

    fn back(&self, number: usize) -> Result<()> {
        let step = &self.steps[number];
        let (new, old) = (self.new_place(number)?, self.old_place(number)?);
        if step.comes && !self.is_there(&new)? {
            self.vfs.rename(&step.target, &new)?;
        }
        if step.goes && self.is_there(&old)? {
            self.vfs.rename(&old, &step.target)?;
        }
        Ok(())
    }

    fn write_record(&self) -> Result<()> {
        let record = self.vfs.read(&self.folder.join(STAGED_RECORD)?)?;
        Ok(self.vfs.write(&Record::place()?, &record)?)
    }

    /// Takes the staging folder away, its list of steps first: without that, nothing is left to do.
    fn clear(&self) -> Result<()> {
        self.vfs.remove(&self.folder.join(STEPS_FILE)?)?;
        Ok(self.vfs.remove_tree(&self.folder)?)
    }
}

/// Takes away what a program left that was stopped while it cleared up.
pub(super) fn clear_rest(vfs: &Vfs) -> Result<()> {
    let folder = Staging::place()?;
    match vfs.stat(&folder)? {
        None => Ok(()),
        Some(_) => Ok(vfs.remove_tree(&folder)?),
    }
}

fn to_text(steps: &[Step]) -> Result<String> {
    let steps = steps.iter().map(|step| StepText {
        target: step.target.to_string(),
        goes: step.goes,
        comes: step.comes,
    });
    Ok(zero_yaml::to_string(&StepsText {
        version: FORMAT.version(),
        steps: steps.collect(),
    })?)
}

fn parse(file: &VfsPath, bytes: &[u8]) -> Result<Vec<Step>> {
    let tree = FORMAT.parse(file, bytes)?;
    let mut reader = Reader::new(file, "package.steps", "package.unknown_key");
    let mut steps = Vec::new();
    if let Some(keys) = reader.keys(&tree, "the steps of an installation", &["version", "steps"]) {
        for item in reader.items(keys, "steps") {
            let Some(keys) = reader.keys(item, "an entry of `steps`", &["target", "goes", "comes"]) else {
                continue;
            };
            let target = reader.needed_text(keys, "target");
            match target.map(|text| VfsPath::parse(&text)) {
                Some(Ok(target)) => steps.push(Step {
                    target,
                    goes: reader.flag(keys, "goes", false),
                    comes: reader.flag(keys, "comes", false),
                }),
                Some(Err(error)) => reader.wrong(item.at, error.to_string()),
                None => {}
            }
        }
    }
    let mut told = reader.told;
    told.retain(Diagnostic::is_error);
    match told.is_empty() {
        true => Ok(steps),
        false => Err(Error::Broken { diagnostics: told }),
    }
}
