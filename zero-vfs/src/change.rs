//! [`Change`] and [`Batch`]: what a [`crate::Feed`] tells.

use crate::diagnostic::Diagnostic;
use crate::file_id::FileId;
use crate::hash::ContentHash;
use crate::path::VfsPath;

/// On which machine a change was made first. An importer runs on the one that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// This one.
    #[default]
    Local,
    /// Another: it came over a network, or out of a version control.
    Remote,
}

/// How content came to be where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arrival {
    /// Someone wrote it.
    #[default]
    Edited,
    /// It came as a whole: with a mount, an installation, a first look at a folder.
    Seeded,
}

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// This program, through its [`crate::Vfs`].
    Own,
    /// Someone else: an editor, another program, a source that changed by itself.
    Outside,
}

/// What happened to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// It has other content, or is new, because someone wrote it.
    Edited,
    /// It has other content, or is new, because it came with something as a whole.
    Seeded,
    /// It is gone.
    Removed,
    /// It was moved here. Its content may be another too: [`Change::before`] says.
    Renamed {
        /// Where it was.
        from: VfsPath,
    },
}

/// A change of one file. Folders have none: an empty one is no content, whether its source keeps it or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The file; where it is now, of one that was moved.
    pub path: VfsPath,
    /// The number of `path`.
    pub id: FileId,
    /// What happened.
    pub kind: ChangeKind,
    /// Where it was made.
    pub origin: Origin,
    /// Who made it.
    pub by: By,
    /// The content that was told last; `None` for a file that is new.
    pub before: Option<ContentHash>,
    /// The content now; `None` for one that is gone.
    pub after: Option<ContentHash>,
}

impl Change {
    /// Whether the content is another than before.
    #[must_use]
    pub fn changes_content(&self) -> bool {
        self.before != self.after
    }
}

/// What changed since the batch before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Batch {
    /// In the order in which they happened, each path once; those that were found together, by path.
    pub changes: Vec<Change>,
    /// What a person should know, each told once: names that clash, files that cannot be read or reached, a watch that
    /// could not be had.
    pub diagnostics: Vec<Diagnostic>,
}

impl Batch {
    /// Whether nothing happened and there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.diagnostics.is_empty()
    }
}
