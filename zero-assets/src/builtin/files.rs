//! The files of `content/`, in the program.

/// The folders of types: the papers that every one has, and the files named for each.
macro_rules! kinds {
    ($($kind:literal: [$($file:literal),* $(,)?],)*) => {
        &[$(
            kinds!(file $kind, ".refs"),
            kinds!(file $kind, "README.md"),
            kinds!(file $kind, "about.yaml"),
            kinds!(file $kind, "inspector.yaml"),
            kinds!(file $kind, "type.yaml"),
            $(kinds!(file $kind, $file),)*
        )*]
    };
    (file $kind:literal, $file:literal) => {
        (
            concat!("/", $kind, ".assetType/", $file),
            include_bytes!(concat!("../../content/", $kind, ".assetType/", $file)).as_slice(),
        )
    };
}

/// Paths and bytes, as [`zero_vfs::EmbeddedSource`] takes them.
pub(super) const FILES: &[(&str, &[u8])] = kinds! {
    "assetType": [
        "template/README.md",
        "template/about.yaml",
        "template/inspector.yaml",
        "template/template/content.yaml",
        "template/type.yaml",
    ],
    "bundle": ["template/bundle.yaml"],
    "component": ["template/.metadata", "template/README.md", "template/init.luau"],
    "computeShader": ["template/bindings.yaml", "template/main.wgsl"],
    "data": ["template/data.yaml"],
    "effect": [
        "template/README.md",
        "template/effect.yaml",
        "template/main.procGraph/.metadata",
        "template/main.procGraph/README.md",
        "template/main.procGraph/init.luau",
    ],
    "gaussianSplat": ["template/capture.ply", "template/splat.yaml"],
    "guide": ["template/README.md", "template/guide.md"],
    "importer": ["template/README.md", "template/importer.yaml", "template/init.luau"],
    "material": ["template/mat.yaml"],
    "mesh": ["template/mesh.glb", "template/mesh.yaml"],
    "module": ["template/.metadata", "template/README.md", "template/init.luau"],
    "nodebox": ["template/.metadata", "template/README.md"],
    "package": ["template/.metadata", "template/README.md", "template/package.yaml"],
    "pixelTemplate": ["template/.metadata", "template/template.pixbin"],
    "population": ["template/population.yaml"],
    "preset": ["template/preset.yaml"],
    "procGraph": ["template/.metadata", "template/README.md", "template/init.luau"],
    "procNode": ["template/.metadata", "template/README.md", "template/init.luau"],
    "procPack": ["template/.metadata", "template/README.md", "template/init.luau"],
    "procRecord": ["template/.metadata", "template/README.md", "template/init.luau"],
    "renderFeature": ["template/README.md", "template/feature.yaml"],
    "scene": ["template/README.md", "template/scene.yaml"],
    "script": ["template/init.luau"],
    "shader": ["template/properties.yaml", "template/surface.wgsl"],
    "terrainData": [
        "template/height.texture/image.exr",
        "template/height.texture/texture.yaml",
        "template/terrain.yaml",
    ],
    "testSuite": ["template/.metadata", "template/README.md", "template/init.luau"],
    "texture": ["template/image.png", "template/texture.yaml"],
    "tool": ["template/.metadata", "template/README.md", "template/init.luau"],
    "toolbox": ["template/.metadata", "template/README.md"],
};
