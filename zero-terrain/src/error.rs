//! What can go wrong.

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A grid, a mask or a number that is not what it must be.
    #[error("{what}: expected {expected}, got {found}")]
    Value {
        /// The thing, by name and place.
        what: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A graph, or a value of one, refused something.
    #[error(transparent)]
    Procgen(#[from] zero_procgen::Error),
    /// The device refused something.
    #[error(transparent)]
    Compute(#[from] zero_compute::Error),
    /// A landscape on a disk says something that it can't.
    #[cfg(feature = "assets")]
    #[error("{file}: {field}: expected {expected}, got {found}")]
    Data {
        /// The file.
        file: String,
        /// The field, or the part of the file.
        field: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A landscape on a disk is of a newer version than this program reads.
    #[cfg(feature = "assets")]
    #[error("{file}: it is of version {found}; this program reads versions up to {known}")]
    NewerVersion {
        /// The file.
        file: String,
        /// Its version.
        found: u32,
        /// The newest that is read.
        known: u32,
    },
    /// A file or a folder could not be read or written.
    #[cfg(feature = "assets")]
    #[error("{path}: {source}")]
    File {
        /// Which one.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A manifest is not YAML of the form that it must have.
    #[cfg(feature = "assets")]
    #[error(transparent)]
    Yaml(#[from] zero_yaml::Error),
    /// A texture of a landscape could not be read or written.
    #[cfg(feature = "assets")]
    #[error(transparent)]
    Texture(#[from] zero_assets::Error),
    /// The virtual file system refused something.
    #[cfg(feature = "assets")]
    #[error(transparent)]
    Vfs(#[from] zero_vfs::Error),
}

impl Error {
    pub(crate) fn value(what: impl Into<String>, expected: impl Into<String>, found: impl ToString) -> Error {
        Error::Value {
            what: what.into(),
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}
