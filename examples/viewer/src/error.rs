//! What can go wrong in the viewer.

use std::path::PathBuf;

/// `std::result::Result` with this program's [`Error`].
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// What can go wrong in the viewer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    #[error("{0}; --help lists the options")]
    Usage(String),
    #[error(transparent)]
    Example(#[from] zero_examples::Error),
    #[error(transparent)]
    Graph(#[from] zero_procgen::Error),
    #[error(transparent)]
    Render(#[from] zero_render::RenderError),
    #[error("no window: {0}")]
    EventLoop(#[from] winit::error::EventLoopError),
    #[error("no window: {0}")]
    Window(#[from] winit::error::OsError),
    #[error("the window cannot be drawn into: {0}")]
    Surface(String),
    #[error("{}: {source}", path.display())]
    Picture { path: PathBuf, source: image::ImageError },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
}
