//! [`Native`]: the watch of the operating system.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::thread::Poller;
use super::{FALLBACK, Told, Watching};

/// A watch of the operating system. Its thread belongs to the library that is used; it is waited for here.
#[derive(Debug)]
pub(super) struct Native {
    /// Taken out to end it.
    watcher: Option<RecommendedWatcher>,
    /// Ends when the thread has dropped what it was given, which is the last thing that it does.
    ended: Receiver<()>,
    fallback: Arc<Fallback>,
}

/// The polling that takes over where watches run out later, when folders are made.
#[derive(Debug)]
struct Fallback {
    told: Told,
    poller: Mutex<Option<Poller>>,
}

/// What the thread holds.
struct Handler {
    fallback: Arc<Fallback>,
    _ended: Sender<()>,
}

impl Native {
    /// Starts to watch the folder and all below it. The error says why not.
    pub(super) fn start(told: Told) -> Result<Self, String> {
        let (alive, ended) = channel();
        let root = told.root.clone();
        let fallback = Arc::new(Fallback {
            told,
            poller: Mutex::new(None),
        });
        let handler = Handler {
            fallback: fallback.clone(),
            _ended: alive,
        };
        let watcher = notify::recommended_watcher(move |event| handler.hear(event));
        let mut watcher = watcher.map_err(|error| error.to_string())?;
        let started = watcher.watch(&root, RecursiveMode::Recursive);
        let native = Self {
            watcher: Some(watcher),
            ended,
            fallback,
        };
        // Dropped where it fails, so that no thread is left.
        started.map(|()| native).map_err(|error| error.to_string())
    }

    pub(super) fn watching(&self) -> Watching {
        match *self.fallback.poller() {
            Some(_) => Watching::Poll(FALLBACK),
            None => Watching::Native,
        }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        drop(self.watcher.take());
        // Nothing is ever sent: this returns when the thread has gone.
        let _ = self.ended.recv();
    }
}

impl Handler {
    fn hear(&self, event: notify::Result<Event>) {
        let told = &self.fallback.told;
        match event {
            // The system lost some, or cannot say what.
            Ok(event) if event.need_rescan() => told.all(),
            Ok(event) if is_of_interest(&event.kind) => {
                // A folder's own times change with what is in it, of which is told by itself.
                let of_folder = matches!(
                    event.kind,
                    EventKind::Modify(ModifyKind::Metadata(_) | ModifyKind::Data(_))
                );
                let of_name = matches!(
                    event.kind,
                    EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
                );
                let paths = event.paths.iter().filter(|path| !(of_folder && path.is_dir()));
                paths.for_each(|path| match of_name {
                    true => told.came_or_went(path),
                    false => told.touched(path),
                });
            }
            Ok(_) => {}
            Err(error) => {
                told.all();
                self.fallback.take_over(&error.to_string());
            }
        }
    }
}

/// Whether content may be another after it: reading and opening change nothing.
fn is_of_interest(kind: &EventKind) -> bool {
    use notify::event::{AccessKind, AccessMode};
    match kind {
        EventKind::Access(kind) => *kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

impl Fallback {
    /// Polls from now on, besides what the system still tells.
    fn take_over(&self, why: &str) {
        let mut poller = self.poller();
        if poller.is_none() {
            self.told.fall_back(why);
            *poller = Some(Poller::start(self.told.clone(), FALLBACK));
        }
    }

    fn poller(&self) -> std::sync::MutexGuard<'_, Option<Poller>> {
        self.poller.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, FolderSource, Listener, Settling, VfsPath};
    use std::collections::BTreeMap;

    fn handler(folder: &std::path::Path) -> (FolderSource, Arc<Listener>, Handler) {
        let source = FolderSource::open(folder, Access::ReadOnly).unwrap();
        let listener = Arc::new(Listener::new());
        source.signal().add(&listener);
        let told = Told {
            root: source.root().to_path_buf(),
            signal: source.signal().clone(),
        };
        let fallback = Arc::new(Fallback {
            told,
            poller: Mutex::new(None),
        });
        let handler = Handler {
            fallback,
            _ended: channel().0,
        };
        (source, listener, handler)
    }

    #[test]
    fn lost_events_are_everything() {
        let folder = tempfile::tempdir().unwrap();
        let (_source, listener, handler) = handler(folder.path());
        handler.hear(Ok(Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan)));
        let everything = BTreeMap::from([(VfsPath::root(), Settling::MayGoOn)]);
        assert_eq!(listener.take().touched, everything);
    }

    #[test]
    fn watches_that_run_out_later_are_told_once_and_polled() {
        let folder = tempfile::tempdir().unwrap();
        let (_source, listener, handler) = handler(folder.path());
        for _ in 0..3 {
            handler.hear(Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch)));
        }
        let heard = listener.take();
        assert_eq!(heard.told.len(), 1, "{:?}", heard.told);
        assert!(heard.touched.contains_key(&VfsPath::root()));
        assert!(handler.fallback.poller().is_some());
    }

    #[test]
    fn a_name_that_no_path_can_have_is_told_of_its_folder_as_it_comes_and_goes() {
        use notify::event::{CreateKind, DataChange, RemoveKind};
        let folder = tempfile::tempdir().unwrap();
        let (source, listener, handler) = handler(folder.path());
        let event = |kind| Ok(Event::new(kind).add_path(source.root().join("d/a:b")));
        let of_folder = BTreeMap::from([(VfsPath::parse("/d").unwrap(), Settling::MayGoOn)]);
        handler.hear(event(EventKind::Create(CreateKind::File)));
        assert_eq!(listener.take().touched, of_folder);
        handler.hear(event(EventKind::Modify(ModifyKind::Data(DataChange::Any))));
        assert!(listener.take().touched.is_empty());
        handler.hear(event(EventKind::Remove(RemoveKind::File)));
        assert_eq!(listener.take().touched, of_folder);
    }

    #[test]
    fn reading_is_no_change_and_a_folders_times_are_none() {
        use notify::event::{AccessKind, CreateKind, MetadataKind};
        let folder = tempfile::tempdir().unwrap();
        let (source, listener, handler) = handler(folder.path());
        let event = |kind, name: &str| Ok(Event::new(kind).add_path(source.root().join(name)));
        std::fs::create_dir(folder.path().join("d")).unwrap();
        handler.hear(event(EventKind::Access(AccessKind::Read), "a"));
        handler.hear(event(EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), "d"));
        assert!(listener.take().touched.is_empty());
        handler.hear(event(EventKind::Create(CreateKind::Folder), "d"));
        handler.hear(event(EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), "a"));
        assert_eq!(listener.take().touched.len(), 2);
    }
}
