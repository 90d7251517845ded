//! [`Staging`]: changes of several trees that happen together.
//!
//! What comes is written beside the world first, as one tree that is there whole or not at all, with the list of what is to
//! be done. From then on nothing but renames is left. A program that is stopped among them goes on when the world is next
//! opened; one that fails among them takes them back. Two programs may be at one list at once, as one opens a world that the
//! other installs into: each step is done by one of them and found done by the other, and nothing that is in place is taken
//! for what was to go.

use zero_vfs::{ContentHash, Kind, RenameOptions, Vfs, VfsPath, WriteOptions};

use super::record::RECORDS_FOLDER;
use super::steps::{Before, STAGED_RECORD, STEPS_FILE, Step, Steps};
use crate::assets::SOURCE;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::root::Root;

const STAGING_FOLDER: &str = ".install";
/// What the list is called when all of it is done, and the rest may go.
const DONE_FILE: &str = "done";

/// How often a step is begun anew, where another program is at it too.
const TRIES: usize = 3;
/// How often it is tried to prepare an installation, where another program takes away the folder of all at that moment.
const PREPARE_TRIES: usize = 20;

/// What comes to the place of a step: one file, under `/`, or files of a folder.
pub(super) type Coming = Vec<(VfsPath, Vec<u8>)>;

/// Changes that were decided on and are not done.
#[derive(Debug)]
pub(super) struct Staging<'v> {
    vfs: &'v Vfs,
    folder: VfsPath,
    steps: Steps,
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

/// Whether a path lies where installations are prepared or written down: nothing there is content.
pub(crate) fn is_of_installs(path: &VfsPath) -> bool {
    let inner = path
        .as_str()
        .strip_prefix(SOURCE)
        .and_then(|rest| rest.strip_prefix('/'));
    let first = inner.and_then(|inner| inner.split('/').next());
    first.is_some_and(|first| first == STAGING_FOLDER || first == RECORDS_FOLDER)
}

impl<'v> Staging<'v> {
    /// Decides on changes: writes what comes, and what becomes of the record when they are done. From here on they are
    /// done, or taken back.
    pub(super) fn decide(vfs: &'v Vfs, steps: Steps, coming: Vec<Coming>) -> Result<Self> {
        steps.check()?;
        let folder = Self::place()?.join(&Guid::random().to_string())?;
        let inner = |text: &str| VfsPath::parse(&format!("/{text}"));
        let mut files = Vec::new();
        for entry in &steps.entries {
            files.push((inner(STAGED_RECORD)?, entry.to_text()?.into_bytes()));
        }
        for (number, coming) in coming.into_iter().enumerate() {
            for (file, bytes) in coming {
                let place = match file.is_root() {
                    true => inner(&format!("new/{number}"))?,
                    false => inner(&format!("new/{number}{file}"))?,
                };
                files.push((place, bytes));
            }
        }
        files.push((inner(STEPS_FILE)?, steps.to_text()?.into_bytes()));
        let unsynced = prepare(vfs, &folder, &files)?;
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
        let entries = match vfs.list(&place) {
            Ok(listing) => listing.entries,
            // Another program is done with all of it since.
            Err(zero_vfs::Error::NotFound { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let mut found = Vec::new();
        for entry in entries {
            let folder = place.join(&entry.name)?;
            let is_ours = Guid::parse(&entry.name).is_some() && entry.stat.kind == Kind::Folder;
            found.extend(Self::found_at(vfs, folder, is_ours)?);
        }
        Ok(found)
    }

    fn found_at(vfs: &'v Vfs, folder: VfsPath, is_ours: bool) -> Result<Option<Found<'v>>> {
        let has = |name: &str| -> Result<bool> { Ok(vfs.stat(&folder.join(name)?)?.is_some()) };
        let (is_open, is_done) = (has(STEPS_FILE)?, has(DONE_FILE)?);
        let staging = |folder, steps| Self {
            vfs,
            folder,
            steps,
            unsynced: None,
        };
        let found = match is_ours && (is_open || is_done) {
            false => Found::Foreign(folder.clone()),
            true if !is_open => Found::Done(staging(folder.clone(), Steps::none())),
            true => match Steps::load(vfs, &folder) {
                Ok(steps) => Found::Staging(staging(folder.clone(), steps)),
                // Another program is done with it since.
                Err(_) if !has(STEPS_FILE)? => return Ok(None),
                Err(error) => Found::Broken(folder.clone(), error),
            },
        };
        // Another program cleared it away as this looked.
        Ok(vfs.stat(&folder)?.is_some().then_some(found))
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
        let done = (0..self.steps.steps.len()).try_for_each(|number| self.forward(number, &mut told));
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
                return Err(Error::after_undo(self.overtaken(error), left));
            }
        }
        if let Err(error) = self.clear() {
            let message = format!("what an installation no longer needs could not be cleared up: {error}");
            let left = Diagnostic::warning("package.left_over", &self.folder, message);
            told.push(left.help("the next opening of the world does it"));
        }
        Ok(told)
    }

    /// What is said where another program was first at a place.
    fn overtaken(&self, error: Error) -> Error {
        match error {
            Error::Vfs(zero_vfs::Error::AlreadyThere { path })
                if self.steps.steps.iter().any(|step| step.target == path) =>
            {
                Error::Overtaken { path }
            }
            other => other,
        }
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
        let step = &self.steps.steps[number];
        let (new, old) = (self.new_place(number)?, self.old_place(number)?);
        let is_to_come = step.comes.is_some() && self.is_there(&new)?;
        // What comes is here still, so that what stands there is not it.
        let goes = match is_to_come || step.comes.is_none() {
            true if !self.is_there(&old)? => step.goes.as_ref(),
            _ => None,
        };
        if let Some(known) = goes
            && self.is_there(&step.target)?
            && self.is_open()?
        {
            if !known.is_at(self.vfs, &step.target)? {
                return Err(self.overtaken_at(step));
            }
            self.moved(&step.target, &old, told)?;
            if step.comes.is_some() && !self.is_there(&new)? {
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

    fn overtaken_at(&self, step: &Step) -> Error {
        let path = step.target.clone();
        Error::Overtaken { path }
    }

    fn is_done(&self, number: usize) -> Result<bool> {
        let step = &self.steps.steps[number];
        let is_there = self.is_there(&step.target)?;
        match step.comes {
            Some(_) => Ok(is_there && !self.is_there(&self.new_place(number)?)?),
            None => Ok(!is_there),
        }
    }

    /// Takes back what was done, each step whatever comes of the others. Answers the places where that failed, and why.
    fn take_back(&self) -> Vec<(VfsPath, String)> {
        let steps = (0..self.steps.steps.len()).rev();
        let left = steps.filter_map(|number| {
            let error = self.back(number).err()?;
            let old = self.old_place(number);
            let kept = old.ok().filter(|old| self.is_there(old).unwrap_or(true));
            let why = match kept {
                Some(old) => format!("{error}; what stood there is in `{old}`"),
                None => error.to_string(),
            };
            Some((self.steps.steps[number].target.clone(), why))
        });
        left.collect()
    }

    fn back(&self, number: usize) -> Result<()> {
        let step = &self.steps.steps[number];
        let (new, old) = (self.new_place(number)?, self.old_place(number)?);
        let mut told = Vec::new();
        if let Some(known) = &step.comes
            && !self.is_there(&new)?
            && self.is_there(&step.target)?
        {
            // What this did not put there is not this one's to take away.
            if !known.is_at(self.vfs, &step.target)? {
                return Err(self.overtaken_at(step));
            }
            self.moved(&step.target, &new, &mut told)?;
        }
        if step.goes.is_some() && self.is_there(&old)? {
            self.moved(&old, &step.target, &mut told)?;
        }
        Ok(())
    }

    /// Writes down what is installed now: the file of the package alone, whole.
    fn write_record(&self, told: &mut Vec<Diagnostic>) -> Result<()> {
        for entry in &self.steps.entries {
            let (place, text) = (entry.place()?, entry.to_text()?);
            let there = match self.vfs.read(&place) {
                Ok(bytes) => Some(ContentHash::of(&bytes)),
                Err(zero_vfs::Error::NotFound { .. }) => None,
                Err(error) => return Err(error.into()),
            };
            let wanted = (!entry.is_void(self.vfs)?).then(|| ContentHash::of(text.as_bytes()));
            // Another program that goes on with it wrote it.
            if there == wanted {
                continue;
            }
            if matches!(self.steps.before, Before::Was(before) if before != there) {
                return Err(Error::Overtaken { path: place });
            }
            let written = match wanted {
                Some(_) => self.vfs.write(&place, text.as_bytes()),
                None => self.vfs.remove(&place),
            };
            match written {
                Err(error @ zero_vfs::Error::NotSynced { .. }) => {
                    told.push(Diagnostic::warning("vfs.not_synced", &place, error.to_string()));
                }
                written => written?,
            }
        }
        Ok(())
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
        match self.try_clear() {
            // Another program that went on with it cleared it away as this did.
            Err(_) if !self.is_there(&self.folder).unwrap_or(true) => {}
            cleared => cleared?,
        }
        match self.vfs.remove(&Self::place()?) {
            // Another's is there too, or another cleared it away.
            Err(zero_vfs::Error::NotEmpty { .. } | zero_vfs::Error::NotFound { .. }) => Ok(()),
            Err(_) if !self.is_there(&Self::place()?).unwrap_or(true) => Ok(()),
            removed => Ok(removed?),
        }
    }

    fn try_clear(&self) -> Result<()> {
        let done = self.folder.join(DONE_FILE)?;
        if self.is_open()? && !self.is_there(&done)? {
            match self.moved(&self.folder.join(STEPS_FILE)?, &done, &mut Vec::new()) {
                // Another program says so at this moment.
                Err(Error::Vfs(zero_vfs::Error::NotFound { .. } | zero_vfs::Error::AlreadyThere { .. })) => {}
                moved => moved?,
            }
        }
        Ok(self.vfs.remove_tree(&self.folder)?)
    }
}

/// Writes what is prepared, whole. Answers what is told of it.
fn prepare(vfs: &Vfs, folder: &VfsPath, files: &[(VfsPath, Vec<u8>)]) -> Result<Option<Diagnostic>> {
    let mut tries = 1;
    loop {
        match vfs.write_tree(folder, files.to_vec(), &WriteOptions::default().seeded()) {
            Ok(()) => return Ok(None),
            Err(error @ zero_vfs::Error::NotSynced { .. }) => {
                return Ok(Some(Diagnostic::warning("vfs.not_synced", folder, error.to_string())));
            }
            // Another program is done with its own, and took away the folder that holds all.
            Err(error) if is_gone(&error) && tries < PREPARE_TRIES => tries += 1,
            Err(error) => return Err(error.into()),
        }
    }
}

fn is_gone(error: &zero_vfs::Error) -> bool {
    match error {
        zero_vfs::Error::NotFound { .. } => true,
        zero_vfs::Error::Io { source, .. } => source.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}
