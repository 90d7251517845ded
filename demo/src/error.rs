//! The one error of the demo.

use std::path::PathBuf;

/// [`std::result::Result`] with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong in the demo.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line cannot be read.
    #[error("{0}; see --help")]
    Usage(String),
    /// A file or folder cannot be made.
    #[error("{path}: {source}")]
    File {
        /// Which one.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The ground cannot be stood on.
    #[error(transparent)]
    Physics(#[from] zero_physics::Error),
    /// The sea cannot be told.
    #[error(transparent)]
    Ocean(#[from] zero_ocean::Error),
    /// The content has errors; each was told as a diagnostic.
    #[error("the content has errors: {0}")]
    Content(String),
    /// The script's settings do not say something, or say what can't be.
    #[error("{script}: {setting}: expected {expected}, found {found}")]
    Setting {
        /// The script.
        script: String,
        /// The setting, by its path in the table.
        setting: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A picture cannot be encoded.
    #[error("{name}: {source}")]
    Picture {
        /// Which one.
        name: &'static str,
        /// Why not.
        source: image::ImageError,
    },
    /// Two runs are not of one landscape. The texts are boxed so that every result of this crate stays small.
    #[error("{what} differs: {left} in {left_at}, {right} in {right_at}{limit}")]
    Differs {
        /// What differs.
        what: Box<str>,
        /// What the first run has.
        left: Box<str>,
        /// Where the first run lies.
        left_at: PathBuf,
        /// What the second has.
        right: Box<str>,
        /// Where the second run lies.
        right_at: PathBuf,
        /// How far they may differ, where they may.
        limit: Box<str>,
    },
    /// Something in a folder that the person named cannot be read or written.
    #[error("in {folder}: {source}")]
    Within {
        /// Which folder.
        folder: PathBuf,
        /// What went wrong there.
        source: Box<Error>,
    },
    /// What the examples share refused something.
    #[error(transparent)]
    Host(#[from] zero_examples::Error),
    /// The virtual file system refused something.
    #[error(transparent)]
    Vfs(#[from] zero_vfs::Error),
    /// An asset cannot be read.
    #[error(transparent)]
    Asset(#[from] zero_assets::Error),
    /// The script failed.
    #[error(transparent)]
    Script(#[from] zero_script::Error),
    /// The device refused something.
    #[error(transparent)]
    Compute(#[from] zero_compute::Error),
    /// The graph cannot be built or cooked.
    #[error(transparent)]
    Procgen(#[from] zero_procgen::Error),
    /// The landscape cannot be made or written.
    #[error(transparent)]
    Terrain(#[from] zero_terrain::Error),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] zero_render::RenderError),
}

impl Error {
    /// The same, saying in which of the person's folders it was.
    pub(crate) fn within(self, folder: &std::path::Path) -> Error {
        Error::Within {
            folder: folder.to_owned(),
            source: Box::new(self),
        }
    }
}
