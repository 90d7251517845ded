//! [`Root`]: the world or the library that something lies in.

use std::fmt;

use zero_vfs::VfsPath;

use crate::assets::SOURCE;
use crate::builtin::BUILTIN;

/// Where names begin: the world's source tree, or that of a library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// The world, at [`SOURCE`].
    World,
    /// The library of this name, at `libs/@name` in it.
    Library(String),
}

impl Root {
    /// The root that `path` lies in; the world for what lies in none.
    #[must_use]
    pub fn of(path: &VfsPath) -> Self {
        let inside = path
            .as_str()
            .strip_prefix(SOURCE)
            .and_then(|rest| rest.strip_prefix("/libs/@"));
        match inside.map(|rest| rest.split('/').next().unwrap_or_default()) {
            Some(name) if !name.is_empty() => Self::Library(name.to_owned()),
            _ => Self::World,
        }
    }

    /// The folder that is this root.
    ///
    /// # Errors
    /// [`zero_vfs::Error::Path`] for a library's name that no folder can have.
    pub fn folder(&self) -> zero_vfs::Result<VfsPath> {
        match self {
            Self::World => VfsPath::parse(SOURCE),
            Self::Library(name) => VfsPath::parse(&format!("{SOURCE}/libs/@{name}")),
        }
    }

    /// The library's name, without the `@`.
    #[must_use]
    pub fn library(&self) -> Option<&str> {
        match self {
            Self::World => None,
            Self::Library(name) => Some(name),
        }
    }

    pub(crate) fn is_builtin(&self) -> bool {
        self.library() == Some(BUILTIN)
    }
}

/// As it stands before a name: nothing for the world, `@lib::` for a library.
impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World => Ok(()),
            Self::Library(name) => write!(f, "@{name}::"),
        }
    }
}
