//! [`PlayShadow`]: where writes land while a game plays.

mod meanwhile;
mod upper;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::path::VfsPath;
use crate::signal::{Listener, Settling, Signal};
use crate::source::{
    Durability, Entry, Kind, Listing, Look, Snapshot, Source, Stat, Survey, TreeFiles, remove_one_by_one,
};
use crate::tree::Tree;
use meanwhile::Seen;
use upper::{Upper, View};

/// A source that keeps its base as it is while a game plays.
///
/// From [`PlayShadow::begin`] on, what is written, removed or moved lands in memory, over the base, and is seen as if it had
/// been done. [`PlayShadow::discard`] forgets it; [`PlayShadow::promote`] does it to the base. A durable write
/// ([`crate::WriteOptions::durable`]) goes to the base at once. What others change in the base meanwhile is seen where play
/// has not changed the same path. While no game plays, all goes through to the base.
///
/// The host keeps a handle, and mounts another:
///
/// ```
/// use std::sync::Arc;
/// use zero_vfs::{MemorySource, Mount, PlayShadow, Vfs, VfsPath, WriteOptions};
/// let world = MemorySource::with_files("world", [("/level.scene", &b"as authored"[..])])?;
/// let shadow = Arc::new(PlayShadow::new(world));
/// let mut vfs = Vfs::new();
/// vfs.mount(Mount::new(VfsPath::root(), shadow.clone()))?;
///
/// let level = VfsPath::parse("/level.scene")?;
/// shadow.begin();
/// vfs.write(&level, b"after an explosion")?;
/// assert_eq!(vfs.read(&level)?, b"after an explosion");
/// shadow.discard();
/// assert_eq!(vfs.read(&level)?, b"as authored");
/// # Ok::<(), zero_vfs::Error>(())
/// ```
///
/// A [`crate::Feed`] is told of what a discard brings back. Cost: what play writes is held in memory, and a rename copies what
/// it moves there. An operation of a path asks the shadow, and the base where that has no answer. The first change of a file
/// in a play reads what the base holds of it, so that a promotion knows whether others changed it since.
#[derive(Debug)]
pub struct PlayShadow<S> {
    base: S,
    state: Mutex<State>,
    signal: Signal,
}

#[derive(Debug, Default)]
struct State {
    plays: bool,
    upper: Upper,
    /// What the base held where play changed something.
    seen: Seen,
}

impl<S: Source> PlayShadow<S> {
    /// Over `base`, with no game playing.
    pub fn new(base: S) -> Self {
        Self {
            base,
            state: Mutex::default(),
            signal: Signal::new(),
        }
    }

    /// What lies beneath.
    pub fn base(&self) -> &S {
        &self.base
    }

    /// From now on writes land on the shadow; nothing new if they do already.
    pub fn begin(&self) {
        self.state().plays = true;
    }

    /// Whether writes land on the shadow.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.state().plays
    }

    /// What is on the shadow: the files that play wrote, and what it removed, sorted.
    #[must_use]
    pub fn held(&self) -> Vec<VfsPath> {
        self.state().upper.touched()
    }

    /// Ends play and forgets what is on the shadow; answers what that was. What is to be kept is promoted before.
    pub fn discard(&self) -> Vec<VfsPath> {
        let mut state = self.state();
        let touched = state.upper.touched();
        state.upper.clear();
        state.seen.clear();
        state.plays = false;
        drop(state);
        self.tell(&touched);
        touched
    }

    /// Does to the base what play did at `top` and below it, such as to one asset's folder or, with the root, to all; answers
    /// which paths those are. They are no longer on the shadow, and play goes on.
    ///
    /// Files are written before others are removed, each write whole: a program that is stopped midway leaves a file at its
    /// old place, its new one or both, never at none.
    ///
    /// # Errors
    /// [`Error::ChangedMeanwhile`] where others changed in the base what play changed too, before anything is done; to go over
    /// their change all the same, [`PlayShadow::accept_base`] first. Then as the base's [`Source::write`] and
    /// [`Source::remove`]. What was not done then is on the shadow still, all of it, and can be promoted again.
    pub fn promote(&self, top: &VfsPath) -> Result<Vec<VfsPath>> {
        let mut state = self.state();
        let steps = state.upper.steps(top);
        if let Some(path) = state.seen.changed(&self.base, &steps)?.into_iter().next() {
            return Err(Error::ChangedMeanwhile { path });
        }
        let (mut late, mut done) = (Vec::new(), Vec::new());
        for (path, bytes) in &steps.puts {
            match self.base_has_room(path)? {
                true => self.base.write(path, bytes)?,
                false => late.push((path, bytes)),
            }
            done.push(path.clone());
        }
        for path in steps.removals.iter().rev() {
            match self.base.remove(path) {
                // Others put something there meanwhile, which play has not seen.
                Ok(()) | Err(Error::NotFound { .. } | Error::NotEmpty { .. }) => done.push(path.clone()),
                Err(error) => return Err(error),
            }
        }
        for (path, bytes) in late {
            if self.base.stat(path)?.is_some_and(|stat| stat.kind == Kind::Folder) {
                self.base.remove(path)?;
            }
            self.base.write(path, bytes)?;
        }
        // What was promoted is what the base holds; play goes on from there.
        steps.all.iter().for_each(|path| state.seen.forget(path));
        if !state.upper.hides(top) {
            steps.all.iter().for_each(|path| state.upper.forget(path));
        }
        drop(state);
        self.tell(&done);
        done.sort();
        Ok(done)
    }

    /// Takes what the base holds now, at `top` and below it, for what play saw when it changed it: the next
    /// [`PlayShadow::promote`] goes over what others changed meanwhile. Answers which files those are, sorted.
    ///
    /// # Errors
    /// As the base's [`Source::stat`] and [`Source::read`].
    pub fn accept_base(&self, top: &VfsPath) -> Result<Vec<VfsPath>> {
        let mut state = self.state();
        let steps = state.upper.steps(top);
        let changed = state.seen.changed(&self.base, &steps)?;
        for path in &changed {
            state.seen.forget(path);
            state.seen.note(&self.base, path)?;
        }
        Ok(changed)
    }

    /// Whether a file can be written to the base at `path` as it is.
    fn base_has_room(&self, path: &VfsPath) -> Result<bool> {
        for at in path.ancestors() {
            match self.base.stat(&at)? {
                Some(stat) if at == *path => return Ok(stat.kind == Kind::File),
                Some(stat) => return Ok(stat.kind == Kind::Folder),
                None => {}
            }
        }
        Ok(true)
    }

    fn check_writable(&self, path: &VfsPath) -> Result<()> {
        match self.base.is_writable() {
            true => Ok(()),
            false => Err(Error::ReadOnly {
                path: path.clone(),
                source_name: self.base.name().to_owned(),
            }),
        }
    }

    fn tell(&self, paths: &[VfsPath]) {
        paths.iter().for_each(|path| self.signal.touch(path, Settling::Whole));
    }

    fn view<'a>(&'a self, state: &'a State) -> View<'a> {
        let upper = &state.upper;
        View {
            upper,
            base: &self.base,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Source> Source for PlayShadow<S> {
    fn name(&self) -> &str {
        self.base.name()
    }

    fn is_writable(&self) -> bool {
        self.base.is_writable()
    }

    fn stat(&self, path: &VfsPath) -> Result<Option<Stat>> {
        Ok(self.look(path)?.map(|look| look.stat))
    }

    fn list(&self, folder: &VfsPath) -> Result<Listing> {
        let survey = self.survey(folder)?;
        let entry = |(name, look): (String, Look)| Entry { name, stat: look.stat };
        Ok(Listing {
            entries: survey.entries.into_iter().map(entry).collect(),
            unreachable: survey.unreachable,
        })
    }

    fn read(&self, path: &VfsPath, limit: u64) -> Result<Vec<u8>> {
        Ok(self.read_stamped(path, limit)?.bytes)
    }

    fn write(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.check_writable(path)?;
        let mut state = self.state();
        if !state.plays {
            return self.base.write(path, bytes);
        }
        self.view(&state).check_room(path)?;
        state.seen.note(&self.base, path)?;
        state.upper.put(path, bytes);
        Ok(())
    }

    fn write_durable(&self, path: &VfsPath, bytes: &[u8]) -> Result<()> {
        self.check_writable(path)?;
        let mut state = self.state();
        self.view(&state).check_room(path)?;
        let written = self.base.write_durable(path, bytes);
        if matches!(written, Ok(()) | Err(Error::NotSynced { .. })) {
            state.seen.forget(path);
            match state.upper.hides(path) {
                true => {
                    state.seen.note(&self.base, path)?;
                    state.upper.put(path, bytes);
                }
                false => state.upper.forget(path),
            }
        }
        written
    }

    fn remove(&self, path: &VfsPath) -> Result<()> {
        self.check_writable(path)?;
        let mut state = self.state();
        if !state.plays {
            return self.base.remove(path);
        }
        self.view(&state).check_removal(path)?;
        let in_base = self.base.stat(path)?;
        state.seen.note(&self.base, path)?;
        state.upper.take_away(path, in_base);
        Ok(())
    }

    fn rename(&self, from: &VfsPath, to: &VfsPath) -> Result<()> {
        self.check_writable(from)?;
        let mut state = self.state();
        if !state.plays {
            return self.base.rename(from, to);
        }
        let moved = self.view(&state).moved(from, to)?;
        let in_base: Result<Vec<Option<Stat>>> = moved.iter().map(|one| self.base.stat(&one.old)).collect();
        let in_base = in_base?;
        for one in &moved {
            state.seen.note(&self.base, &one.old)?;
            state.seen.note(&self.base, &one.new)?;
        }
        for (one, in_base) in moved.iter().zip(in_base).rev() {
            state.upper.take_away(&one.old, in_base);
        }
        for one in moved {
            match one.bytes {
                Some(bytes) => state.upper.put(&one.new, &bytes),
                None => state.upper.make_folder(&one.new),
            }
        }
        Ok(())
    }

    fn remove_tree(&self, path: &VfsPath) -> Result<()> {
        self.check_writable(path)?;
        match self.is_playing() {
            true => remove_one_by_one(self, path),
            false => self.base.remove_tree(path),
        }
    }

    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, durability: Durability) -> Result<()> {
        self.check_writable(to)?;
        if !self.is_playing() {
            return self.base.write_tree(to, files, durability);
        }
        // Collected first: they may be read from this very source.
        let files: Vec<(VfsPath, Vec<u8>)> = files.collect::<Result<_>>()?;
        let mut state = self.state();
        if self.view(&state).look(to)?.is_some() {
            return Err(Error::AlreadyThere { path: to.clone() });
        }
        if durability == Durability::Durable {
            self.base
                .write_tree(to, &mut files.clone().into_iter().map(Ok), durability)?;
            if !state.upper.hides(to) {
                state.upper.forget(to);
                state.seen.forget(to);
                return Ok(());
            }
        }
        self.view(&state).check_room(&to.join("file")?)?;
        // Nothing is put there before all of it is known to fit.
        const EMPTY: &[u8] = &[];
        let mut shape = Tree::default();
        let mut placed: Vec<(VfsPath, Vec<u8>)> = Vec::with_capacity(files.len());
        for (inner, bytes) in files {
            shape.write(&inner, EMPTY)?;
            placed.push((to.join(&inner.as_str()[1..])?, bytes));
        }
        for (path, _) in &placed {
            state.seen.note(&self.base, path)?;
        }
        for (path, bytes) in placed {
            state.upper.put(&path, &bytes);
        }
        Ok(())
    }

    fn look(&self, path: &VfsPath) -> Result<Option<Look>> {
        self.view(&self.state()).look(path)
    }

    fn survey(&self, folder: &VfsPath) -> Result<Survey> {
        self.view(&self.state()).survey(folder)
    }

    fn read_stamped(&self, path: &VfsPath, limit: u64) -> Result<Snapshot> {
        self.view(&self.state()).read_stamped(path, limit)
    }

    fn listen(&self, listener: &Arc<Listener>) {
        self.signal.add(listener);
        self.base.listen(listener);
    }
}
