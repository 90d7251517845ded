//! Where the outputs of a graph stand: a host is shown them, and each present stands whole or not at all.

mod folder;
mod format;
mod preview;
mod same;

pub use folder::{Downloaded, Folder};
pub use preview::{Picture, Preview, Previewer};

use crate::error::{Error, Result};
use crate::play::Frame;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a host answers: any error of its own comes back as the source of the one that names the output and its line.
pub type HostResult<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What outputs stand in: a scene, a folder of files ([`Folder`]), a line to another program. A [`Stage`] calls it.
///
/// A present goes in three parts. Each output that changed is shown, and nobody sees it yet; all of them are stood in one
/// commit; what they supersede is retired. So nobody ever sees a part of one present beside a part of another.
pub trait Host {
    /// What the host holds for an output: entities, buffers, bytes.
    type Handle;

    /// Prepares an output, unseen. `stood` is what stands for it so far, to be taken over from; it goes on standing until
    /// the commit, and after it where there is none. The value's runs are written by nobody while what this answers
    /// is held.
    ///
    /// # Errors
    /// Whatever the host refuses: then nothing of the present stands.
    fn show(&mut self, output: &str, value: &Value, stood: Option<&Self::Handle>) -> HostResult<Self::Handle>;

    /// Stands these outputs, by name and sorted, and no others, in one go.
    ///
    /// # Errors
    /// Whatever the host refuses: then it must have left standing what stood.
    fn commit(&mut self, stands: &[Stand<'_, Self::Handle>]) -> HostResult<()>;

    /// Lets go of what was shown: superseded by a commit, or never stood.
    fn retire(&mut self, output: &str, handle: Self::Handle);
}

/// An output in a commit.
#[derive(Debug)]
#[non_exhaustive]
pub struct Stand<'a, Handle> {
    /// Its name.
    pub output: &'a str,
    /// What [`Host::show`] answered for it, at this present or at an earlier one.
    pub handle: &'a Handle,
    /// Whether it was shown at this present, else it stands already.
    pub fresh: bool,
}

/// A host with what stands in it.
///
/// ```
/// use zero_compute::{CpuOptions, Device, Exec};
/// use zero_procgen::nodes::{instances, mesh, points};
/// use zero_procgen::export::Material;
/// use zero_procgen::{Clock, Folder, Graph, Play, Present, Stage, Store, StoreOptions, inputs};
///
/// let graph = Graph::define("stones", |g| {
///     let spots = g.add(points::Disc::new().count(12).radius(g.float("radius", 3.0)));
///     let stone = g.add(mesh::Box::new().size([0.4, 1.2, 0.3]));
///     g.output("stones", g.add(instances::Place::new(spots, stone)));
///     g.output("floor", g.add(mesh::Grid::new().size([9.0, 1.0, 9.0])));
/// })?;
/// let store = Store::new(&Device::cpu(CpuOptions::default()), StoreOptions::default());
/// let mut play = Play::new(&store, &graph, inputs! {})?;
///
/// # let kept = tempfile::tempdir().unwrap();
/// # let folder = kept.path().join("stones");
/// let granite = Material { base_color: [0.3, 0.3, 0.32, 1.0], ..Material::default() };
/// let folder = Folder::new(folder)
///     .file("stones.glb", ["floor", "stones"])?
///     .material("granite", granite)?
///     .wears("stones", "granite")
///     .wears("floor", "granite");
/// let mut stage = Stage::new(folder);
/// for radius in [3.0, 4.0] {
///     play.set_inputs(inputs! { radius: radius })?;
///     if let Present::Whole(frame) = play.present(Clock::default(), &Exec::default())? {
///         stage.stand(&frame)?;
///     }
/// }
/// assert!(stage.host().path().join("stones.glb").is_file());
/// # Ok::<(), zero_procgen::Error>(())
/// ```
#[derive(Debug)]
pub struct Stage<H: Host> {
    host: H,
    only: Option<BTreeSet<String>>,
    standing: BTreeMap<String, Standing<H::Handle>>,
}

#[derive(Debug)]
struct Standing<Handle> {
    handle: Handle,
    /// Held, so that nothing writes what stands.
    value: Value,
}

/// What standing a frame took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stood {
    /// Outputs that were shown, since they changed.
    pub shown: usize,
    /// Outputs that stand as they stood.
    pub kept: usize,
    /// Handles that were superseded, or whose outputs are gone.
    pub retired: usize,
}

impl<H: Host> Stage<H> {
    /// A host in which nothing stands yet.
    pub fn new(host: H) -> Stage<H> {
        Stage {
            host,
            only: None,
            standing: BTreeMap::new(),
        }
    }

    /// Stands these outputs alone; a frame that lacks one is refused by name.
    pub fn only<N: Into<String>>(mut self, outputs: impl IntoIterator<Item = N>) -> Stage<H> {
        self.only = Some(outputs.into_iter().map(Into::into).collect());
        self
    }

    /// The host.
    pub fn host(&self) -> &H {
        &self.host
    }
    /// The host, to be changed between frames.
    pub fn host_mut(&mut self) -> &mut H {
        &mut self.host
    }

    /// What stands, by output, sorted.
    pub fn standing(&self) -> impl Iterator<Item = (&str, &H::Handle)> {
        let standing = self.standing.iter();
        standing.map(|(name, held)| (name.as_str(), &held.handle))
    }

    /// Stands a frame in the host: outputs that changed since what stands are shown, all stand in one commit, and then
    /// what they supersede is retired. A frame in which nothing changed calls the host not at all.
    ///
    /// # Errors
    /// [`Error::Show`] with the output and its line, [`Error::Stand`] where the commit was refused, [`Error::Unknown`]
    /// for an output of [`only`](Self::only) that the frame lacks. In each case what stood stands, what was shown is
    /// retired, and the next frame tries again.
    pub fn stand(&mut self, frame: &Frame) -> Result<Stood> {
        let wanted: BTreeMap<&str, &Value> = match &self.only {
            None => frame.outputs().collect(),
            Some(only) => only
                .iter()
                .map(|name| Ok((name.as_str(), frame.value(name)?)))
                .collect::<Result<_>>()?,
        };
        let mut fresh: BTreeMap<&str, H::Handle> = BTreeMap::new();
        for (name, value) in &wanted {
            let stood = self.standing.get(*name);
            if stood.is_some_and(|held| held.value.is_same(value)) {
                continue;
            }
            match self.host.show(name, value, stood.map(|held| &held.handle)) {
                Ok(handle) => {
                    fresh.insert(name, handle);
                }
                Err(source) => {
                    retire_all(&mut self.host, fresh);
                    return Err(Error::Show {
                        output: (*name).to_owned(),
                        site: frame.site(name)?,
                        source,
                    });
                }
            }
        }
        let gone = |name: &&String| !wanted.contains_key(name.as_str());
        let gone: Vec<String> = self.standing.keys().filter(gone).cloned().collect();
        let mut stood = Stood {
            shown: fresh.len(),
            kept: wanted.len() - fresh.len(),
            retired: 0,
        };
        if fresh.is_empty() && gone.is_empty() {
            return Ok(stood);
        }
        let standing = &self.standing;
        let stands = wanted.keys().filter_map(|name| {
            let shown = fresh.get(name);
            Some(Stand {
                output: name,
                handle: shown.or_else(|| standing.get(*name).map(|held| &held.handle))?,
                fresh: shown.is_some(),
            })
        });
        let stands: Vec<Stand<'_, H::Handle>> = stands.collect();
        if let Err(source) = self.host.commit(&stands) {
            drop(stands);
            retire_all(&mut self.host, fresh);
            return Err(Error::Stand {
                graph: frame.graph().to_owned(),
                source,
            });
        }
        drop(stands);
        let mut superseded: Vec<(String, Standing<H::Handle>)> = Vec::new();
        for (name, handle) in fresh {
            let value = wanted[name].clone();
            let before = self.standing.insert(name.to_owned(), Standing { handle, value });
            superseded.extend(before.map(|before| (name.to_owned(), before)));
        }
        superseded.extend(gone.into_iter().filter_map(|name| self.standing.remove_entry(&name)));
        stood.retired = superseded.len();
        for (name, before) in superseded {
            self.host.retire(&name, before.handle);
        }
        Ok(stood)
    }

    /// Takes everything down, in one commit, and gives the host back. A stage that is dropped leaves what stands.
    ///
    /// # Errors
    /// The stage as it was with what the host said, where it refused the commit.
    pub fn release(mut self) -> std::result::Result<H, (Stage<H>, Box<dyn std::error::Error + Send + Sync>)> {
        if self.standing.is_empty() {
            return Ok(self.host);
        }
        if let Err(source) = self.host.commit(&[]) {
            return Err((self, source));
        }
        for (name, before) in self.standing {
            self.host.retire(&name, before.handle);
        }
        Ok(self.host)
    }
}

fn retire_all<H: Host>(host: &mut H, shown: BTreeMap<&str, H::Handle>) {
    for (name, handle) in shown {
        host.retire(name, handle);
    }
}
