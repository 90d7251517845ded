//! The content that comes with this crate.

use zero_vfs::{EmbeddedSource, Mount, VfsPath, embed_files};

use crate::error::Result;

/// The name of the library that [`builtin`] is.
pub(crate) const BUILTIN: &str = "builtin";
/// Where [`builtin`] is mounted: the library `@builtin`.
pub const BUILTIN_PREFIX: &str = "/zero/source/libs/@builtin";

/// The built-in types as a read-only mount: `assetType`, `texture`, `terrainData` and `script`, each a folder
/// with a `type.yaml`. Mount it, and [`crate::Assets::load`] finds them as it finds anyone's.
///
/// # Errors
/// None in a program that was built from this source: the table is checked by a test.
pub fn builtin() -> Result<Mount> {
    let files = embed_files!(
        "../content",
        [
            "assetType.assetType/.refs",
            "assetType.assetType/README.md",
            "assetType.assetType/about.yaml",
            "assetType.assetType/inspector.yaml",
            "assetType.assetType/template/README.md",
            "assetType.assetType/template/about.yaml",
            "assetType.assetType/template/inspector.yaml",
            "assetType.assetType/template/template/content.yaml",
            "assetType.assetType/template/type.yaml",
            "assetType.assetType/type.yaml",
            "script.assetType/.refs",
            "script.assetType/README.md",
            "script.assetType/type.yaml",
            "terrainData.assetType/.refs",
            "terrainData.assetType/README.md",
            "terrainData.assetType/type.yaml",
            "texture.assetType/.refs",
            "texture.assetType/README.md",
            "texture.assetType/type.yaml",
        ]
    );
    let source = EmbeddedSource::new("built-in content", files)?;
    // Below everything else, so that nothing a host mounts is hidden by it.
    Ok(Mount::new(VfsPath::parse(BUILTIN_PREFIX)?, source)
        .read_only()
        .priority(i32::MIN))
}
