//! The one error of the examples.

use std::path::PathBuf;

/// What can go wrong in an example program.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A graph cannot be built or cooked.
    #[error(transparent)]
    Procgen(#[from] zero_procgen::Error),
    /// The command line cannot be read.
    #[error("{0}; see --help")]
    Usage(String),
    /// A file or folder cannot be written.
    #[error("{path}: {source}")]
    File {
        /// Which one.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A picture cannot be decoded or encoded.
    #[error("{name}: {source}")]
    Picture {
        /// Which one.
        name: String,
        /// Why not.
        source: image::ImageError,
    },
    /// A picture of another kind than its reader needs.
    #[error("{name}: expected {expected}, found {found}")]
    WrongPicture {
        /// Which one.
        name: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// Values whose number is not that of the cells.
    #[error("an elevation model of {columns} by {rows} cells needs {expected} {what}, found {found}")]
    WrongSize {
        /// What there must be one of a cell.
        what: &'static str,
        /// Cells along a row.
        columns: u32,
        /// Rows.
        rows: u32,
        /// Their product.
        expected: u64,
        /// Values given.
        found: usize,
    },
    /// An elevation model without a cell.
    #[error("an elevation model of {columns} by {rows} cells holds no height, expected at least 1 by 1")]
    NoCells {
        /// Cells along a row.
        columns: u32,
        /// Rows.
        rows: u32,
    },
    /// A number that is not finite, or not of the sign it must have.
    #[error("{what} is {found}, expected {expected}")]
    WrongNumber {
        /// What it is for.
        what: String,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        found: f32,
    },
    /// The threads of the CPU device cannot be started.
    #[error("cannot start the CPU device's threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A GPU was asked of programs that were built without one.
    #[error("this program was built without the feature `gpu`")]
    WithoutGpu,
    /// A device that the host opens for itself, or what it draws there.
    #[error("the host's own device: {0}")]
    HostDevice(String),
    /// The device refused something.
    #[error(transparent)]
    Compute(#[from] zero_compute::Error),
}

/// [`std::result::Result`] with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
