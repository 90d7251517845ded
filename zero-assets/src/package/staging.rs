//! [`Staging`]: changes of several trees that happen together.
//!
//! What comes is written beside the world first, as one tree that is there whole or not at all, with the list of what is to
//! be done. From then on nothing but renames is left. A program that is stopped among them goes on when the world is next
//! opened; one that fails among them takes them back. Two programs may be at one list at once, as one opens a world that the
//! other installs into: each step is done by one of them and found done by the other, and nothing that is in place is taken
//! for what was to go.

use serde::Serialize;
use zero_vfs::{Kind, RenameOptions, Vfs, VfsPath, WriteOptions};

use super::record::Record;
use crate::assets::SOURCE;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::guid::Guid;
use crate::reader::Reader;
use crate::root::Root;

const STAGING_FOLDER: &str = ".install";
const STEPS_FILE: &str = "steps.yaml";
/// What the list is called when all of it is done, and the rest may go.
const DONE_FILE: &str = "done";
const STAGED_RECORD: &str = "record";
/// The record as it was when the changes were decided on.
const RECORD_BEFORE: &str = "record.before";

/// How often a step is begun anew, where another program is at it too.
const TRIES: usize = 3;

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
    /// That what was prepared may not outlast a stop of the machine.
    unsynced: Option<Diagnostic>,
}

/// What is found where installations are prepared.
pub(super) enum Found<'v> {
    /// One that goes on.
    Staging(Staging<'v>),
    /// One that is done, and of which something is left.
    Done(Staging<'v>),
    /// A list of steps that does not stand up.
    Broken(VfsPath, Error),
    /// What is none, and somebody's.
    Foreign(VfsPath),
}

/// Whether a path lies where installations are prepared.
pub(crate) fn is_staged(path: &VfsPath) -> bool {
    let inner = path
        .as_str()
        .strip_prefix(SOURCE)
        .and_then(|rest| rest.strip_prefix('/'));
    inner.is_some_and(|inner| inner.split('/').next() == Some(STAGING_FOLDER))
}

impl<'v> Staging<'v> {
    /// Decides on changes: writes what comes, and what becomes of the record that was `before` when they are done. From here
    /// on they are done, or taken back.
    pub(super) fn decide(vfs: &'v Vfs, changes: Vec<(Step, Coming)>, before: &Record, record: &Record) -> Result<Self> {
        let folder = Self::place()?.join(&Guid::random().to_string())?;
        let inner = |text: &str| VfsPath::parse(&format!("/{text}"));
        let mut files = vec![
            (inner(STAGED_RECORD)?, record.to_text()?.into_bytes()),
            (inner(RECORD_BEFORE)?, before.to_text()?.into_bytes()),
        ];
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
        let unsynced = match vfs.write_tree(&folder, files, &WriteOptions::default().seeded()) {
            Err(error @ zero_vfs::Error::NotSynced { .. }) => {
                Some(Diagnostic::warning("vfs.not_synced", &folder, error.to_string()))
            }
            written => {
                written?;
                None
            }
        };
        Ok(Self {
            vfs,
            folder,
            steps,
            unsynced,
        })
    }

    /// What other programs, or an earlier run of this one, left.
    pub(super) fn found(vfs: &'v Vfs) -> Result<Vec<Found<'v>>> {
        let place = Self::place()?;
        if vfs.stat(&place)?.is_none_or(|stat| stat.kind == Kind::File) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for entry in vfs.list(&place)?.entries {
            let folder = place.join(&entry.name)?;
            let has = |name: &str| -> Result<Option<VfsPath>> {
                let file = folder.join(name)?;
                Ok(vfs.stat(&file)?.map(|_| file))
            };
            let is_ours = Guid::parse(&entry.name).is_some() && entry.stat.kind == Kind::Folder;
            found.push(match (has(STEPS_FILE)?, has(DONE_FILE)?) {
                (Some(file), _) if is_ours => match vfs
                    .read(&file)
                    .map_err(Error::from)
                    .and_then(|text| parse(&file, &text))
                {
                    Ok(steps) => Found::Staging(Self {
                        vfs,
                        folder,
                        steps,
                        unsynced: None,
                    }),
                    // Another program is done with it since.
                    Err(Error::Vfs(zero_vfs::Error::NotFound { .. })) => continue,
                    Err(error) => Found::Broken(folder, error),
                },
                (None, Some(_)) if is_ours => Found::Done(Self {
                    vfs,
                    folder,
                    steps: Vec::new(),
                    unsynced: None,
                }),
                _ => Found::Foreign(folder),
            });
        }
        Ok(found)
    }

    pub(super) fn folder(&self) -> &VfsPath {
        &self.folder
    }

    fn place() -> Result<VfsPath> {
        Ok(Root::World.folder()?.join(STAGING_FOLDER)?)
    }

    /// Does what is left to do. Where that fails, what was done is taken back. Answers what is told of one that is done: what
    /// could not be cleared up, which the next opening of the world does, or may not outlast a stop of the machine.
    ///
    /// # Errors
    /// [`Error::Vfs`]: with what failed; [`Error::NotUndone`] where taking back failed too: then it is left as it is, and
    /// the next opening of the world tries to go on.
    pub(super) fn finish(self) -> Result<Vec<Diagnostic>> {
        let mut told: Vec<Diagnostic> = self.unsynced.iter().cloned().collect();
        let done = (0..self.steps.len()).try_for_each(|number| self.forward(number, &mut told));
        match done.and_then(|()| self.write_record(&mut told)) {
            Ok(()) => {}
            // Another program went on with it, and is done.
            Err(_) if !self.is_open().unwrap_or(true) => {
                self.remove_empty();
                return Ok(told);
            }
            Err(error) => {
                let mut left = self.take_back();
                // A list that cannot be put away is gone on with by the next opening: that is no whole undoing.
                if left.is_empty()
                    && let Err(error) = self.clear()
                    && self.is_open().unwrap_or(true)
                {
                    let why = format!("{error}; the next opening of the world goes on with it");
                    left.push((self.folder.clone(), why));
                }
                return Err(Error::after_undo(error, left));
            }
        }
        if let Err(error) = self.clear() {
            let message = format!("what an installation no longer needs could not be cleared up: {error}");
            let left = Diagnostic::warning("package.left_over", &self.folder, message);
            told.push(left.help("the next opening of the world does it"));
        }
        Ok(told)
    }

    /// Moves something to where nothing stands.
    fn moved(&self, from: &VfsPath, to: &VfsPath, told: &mut Vec<Diagnostic>) -> Result<()> {
        match self.vfs.rename_with(from, to, &RenameOptions::default().seeded()) {
            Err(error @ zero_vfs::Error::NotSynced { .. }) => {
                told.push(Diagnostic::warning("vfs.not_synced", to, error.to_string()));
                Ok(())
            }
            moved => Ok(moved?),
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

    /// Whether nobody is done with it yet.
    fn is_open(&self) -> Result<bool> {
        self.is_there(&self.folder.join(STEPS_FILE)?)
    }

    fn forward(&self, number: usize, told: &mut Vec<Diagnostic>) -> Result<()> {
        let mut tries = 1;
        loop {
            match self.try_forward(number, told) {
                Err(_) if self.is_done(number).unwrap_or(false) => return Ok(()),
                // Another program moved one of the two in this very moment.
                Err(Error::Vfs(zero_vfs::Error::NotFound { .. } | zero_vfs::Error::AlreadyThere { .. }))
                    if tries < TRIES =>
                {
                    tries += 1;
                }
                done => return done,
            }
        }
    }

    fn try_forward(&self, number: usize, told: &mut Vec<Diagnostic>) -> Result<()> {
        let step = &self.steps[number];
        let (new, old) = (self.new_place(number)?, self.old_place(number)?);
        let is_to_come = step.comes && self.is_there(&new)?;
        // What comes is here still, so that what stands there is not it.
        let is_to_go = step.goes && !self.is_there(&old)? && (is_to_come || !step.comes);
        if is_to_go && self.is_there(&step.target)? && self.is_open()? {
            self.moved(&step.target, &old, told)?;
            if step.comes && !self.is_there(&new)? {
                // Another program put it there in this very moment: it was no old one that went.
                return self.moved(&old, &step.target, told);
            }
        }
        match is_to_come {
            // Whatever stands here now is nobody's whom this was to replace: the rename is refused.
            true => self.moved(&new, &step.target, told),
            false => Ok(()),
        }
    }

    fn is_done(&self, number: usize) -> Result<bool> {
        let step = &self.steps[number];
        let is_there = self.is_there(&step.target)?;
        match step.comes {
            true => Ok(is_there && !self.is_there(&self.new_place(number)?)?),
            false => Ok(!is_there),
        }
    }

    /// Takes back what was done, each step whatever comes of the others. Answers the places where that failed, and why.
    fn take_back(&self) -> Vec<(VfsPath, String)> {
        let steps = (0..self.steps.len()).rev();
        let left = steps.filter_map(|number| {
            let error = self.back(number).err()?;
            let old = self.old_place(number);
            let kept = old.ok().filter(|old| self.is_there(old).unwrap_or(true));
            let why = match kept {
                Some(old) => format!("{error}; what stood there is in `{old}`"),
                None => error.to_string(),
            };
            Some((self.steps[number].target.clone(), why))
        });
        left.collect()
    }

    fn back(&self, number: usize) -> Result<()> {
        let step = &self.steps[number];
        let (new, old) = (self.new_place(number)?, self.old_place(number)?);
        let mut told = Vec::new();
        if step.comes && !self.is_there(&new)? && self.is_there(&step.target)? {
            self.moved(&step.target, &new, &mut told)?;
        }
        if step.goes && self.is_there(&old)? {
            self.moved(&old, &step.target, &mut told)?;
        }
        Ok(())
    }

    fn write_record(&self, told: &mut Vec<Diagnostic>) -> Result<()> {
        let staged = |name: &str| Record::read(self.vfs, &self.folder.join(name)?);
        // What another program installed meanwhile stays written down.
        let mut record = Record::load(self.vfs)?;
        record.change(&staged(RECORD_BEFORE)?, staged(STAGED_RECORD)?);
        let place = Record::place()?;
        match self.vfs.write(&place, record.to_text()?.as_bytes()) {
            Err(error @ zero_vfs::Error::NotSynced { .. }) => {
                told.push(Diagnostic::warning("vfs.not_synced", &place, error.to_string()));
                Ok(())
            }
            written => Ok(written?),
        }
    }

    /// Takes away the folders that a step made again, after another program had cleared up.
    fn remove_empty(&self) {
        let places = [
            self.folder.join("old"),
            self.folder.join("new"),
            Ok(self.folder.clone()),
        ];
        for place in places.into_iter().flatten().chain(Self::place()) {
            // One that holds something, or is not there, stays as it is.
            let _ = self.vfs.remove(&place);
        }
    }

    /// Takes away what is left of one that is done, or taken back. From the first step on it is known to be.
    pub(super) fn clear(&self) -> Result<()> {
        let done = self.folder.join(DONE_FILE)?;
        if self.is_open()? && !self.is_there(&done)? {
            self.moved(&self.folder.join(STEPS_FILE)?, &done, &mut Vec::new())?;
        }
        self.vfs.remove_tree(&self.folder)?;
        match self.vfs.remove(&Self::place()?) {
            // Another's is there too, or another cleared it away.
            Err(zero_vfs::Error::NotEmpty { .. } | zero_vfs::Error::NotFound { .. }) => Ok(()),
            removed => Ok(removed?),
        }
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
