//! Textures: written and read back, broken in every way, and a real elevation model.

use proptest::prelude::*;
use zero_assets::{
    Assets, ColorSpace, Elevation, Error, Format, Rows, Texels, Texture, TextureInfo, TextureLimits, Wrap, builtin,
};
use zero_vfs::{Access, ContentHash, FolderSource, Mount, Vfs, VfsPath};

use crate::{path, world};

const FORMATS: [Format; 8] = [
    Format::R8,
    Format::Rgb8,
    Format::Rgba8,
    Format::R16,
    Format::Rgb16,
    Format::Rgba16,
    Format::Rgb32F,
    Format::Rgba32F,
];

fn folder() -> VfsPath {
    path("/zero/source/t.texture")
}

/// A texture of values that differ from one another and are exact in every format.
fn texture(format: Format, size: [u32; 2]) -> Texture {
    let count = (size[0] * size[1] * format.channels()) as usize;
    let texels = match format.channel_bytes() {
        1 => Texels::U8((0..count).map(|n| (n * 37) as u8).collect()),
        2 => Texels::U16((0..count).map(|n| (n * 4099) as u16).collect()),
        _ => Texels::F32((0..count).map(|n| n as f32 * 0.37 - 1000.0).collect()),
    };
    Texture::new(TextureInfo::new(format, size), texels).unwrap()
}

fn load(vfs: &Vfs) -> Result<zero_assets::Loaded<Texture>, Error> {
    Texture::load(vfs, &folder(), &TextureLimits::default())
}

#[test]
fn what_is_written_is_read_back_in_every_format() {
    for format in FORMATS {
        for size in [[1, 1], [5, 3], [17, 64]] {
            let vfs = world(&[]);
            let written = texture(format, size);
            written.save(&vfs, &folder()).unwrap();
            let read = load(&vfs).unwrap();
            assert_eq!(read.value, written, "{format} {size:?}");
            assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
            assert!(
                Assets::load(&vfs).unwrap().diagnostics().is_empty(),
                "{format}: the folder is sound"
            );
        }
    }
}

#[test]
fn the_description_is_read_back_and_its_text_is_pinned() {
    let vfs = world(&[]);
    let mut info = TextureInfo::new(Format::R16, [2, 1]);
    info.mips = 2;
    info.wrap = Wrap::Mirror;
    info.source = Some("made up".into());
    let mut elevation = Elevation::metres([30.0, 20.5]);
    elevation.range = Some([7.0, 9.0]);
    elevation.rows = Rows::SouthToNorth;
    info.elevation = Some(elevation);
    let written = Texture::new(info, Texels::U16(vec![7, 9])).unwrap();
    written.save(&vfs, &folder()).unwrap();
    assert_eq!(load(&vfs).unwrap().value, written);
    let text = vfs.read(&folder().join("texture.yaml").unwrap()).unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "version: 1\nformat: r16\nsize:\n- 2\n- 1\ncolorSpace: linear\nwrap: mirror\nmips: 2\npayload: image.png\n\
         elevation:\n  unit: m\n  scale: 1.0\n  offset: 0.0\n  range:\n  - 7.0\n  - 9.0\n  cellSize:\n  - 30.0\n  \
         - 20.5\n  rows: south to north\nsource: made up\n"
    );
}

#[test]
fn the_same_texture_is_the_same_bytes() {
    let hashes = || {
        FORMATS.map(|format| {
            let vfs = world(&[]);
            let written = texture(format, [33, 9]);
            written.save(&vfs, &folder()).unwrap();
            vfs.hash(&folder().join(&written.info.payload).unwrap()).unwrap()
        })
    };
    let first: [ContentHash; 8] = hashes();
    assert_eq!(first, hashes());
}

#[test]
fn a_texture_saved_over_one_of_another_format_leaves_no_payload_of_it() {
    let names = |vfs: &Vfs| -> Vec<String> {
        let entries = vfs.list(&folder()).unwrap().entries.into_iter();
        entries.map(|entry| entry.name).collect()
    };
    let vfs = world(&[("/t.texture/README.md", "")]);
    let check = |written: &Texture, expected: &str| {
        written.save(&vfs, &folder()).unwrap();
        assert_eq!(names(&vfs), ["README.md", expected, "texture.yaml"]);
        assert_eq!(&load(&vfs).unwrap().value, written);
    };
    check(&texture(Format::Rgba8, [2, 2]), "image.png");
    check(&texture(Format::Rgba32F, [2, 2]), "image.exr");
    check(&texture(Format::Rgb32F, [2, 2]), "image.exr");
    let mut renamed = texture(Format::R8, [2, 2]);
    renamed.info.payload = "mask.png".to_owned();
    check(&renamed, "mask.png");
    // One that names a file which is not there, and one that cannot be understood, have nothing to remove.
    vfs.remove(&path("/zero/source/t.texture/mask.png")).unwrap();
    check(&texture(Format::Rgba8, [2, 2]), "image.png");
    let description = path("/zero/source/t.texture/texture.yaml");
    vfs.write(&description, b"payload: [").unwrap();
    texture(Format::Rgba32F, [2, 2]).save(&vfs, &folder()).unwrap();
    assert_eq!(names(&vfs), ["README.md", "image.exr", "image.png", "texture.yaml"]);
}

#[test]
fn a_texture_saved_over_that_of_a_library_leaves_the_library_as_it_is() {
    let library = tempfile::tempdir().unwrap();
    let mut below = Vfs::new();
    let writable = FolderSource::open(library.path(), Access::ReadWrite).unwrap();
    below.mount(Mount::new(path("/zero/source"), writable)).unwrap();
    texture(Format::Rgba8, [2, 2]).save(&below, &folder()).unwrap();

    let mut vfs = world(&[]);
    let source = FolderSource::open(library.path(), Access::ReadOnly).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source).priority(-1))
        .unwrap();
    assert_eq!(load(&vfs).unwrap().value, texture(Format::Rgba8, [2, 2]));
    texture(Format::Rgba32F, [2, 2]).save(&vfs, &folder()).unwrap();
    assert_eq!(load(&vfs).unwrap().value, texture(Format::Rgba32F, [2, 2]));
    assert_eq!(
        Texture::load(&below, &folder(), &TextureLimits::default())
            .unwrap()
            .value,
        texture(Format::Rgba8, [2, 2])
    );
}

#[test]
fn an_unsound_description_names_its_line() {
    let sound = "version: 1\nformat: r8\nsize: [2, 2]\ncolorSpace: srgb\nwrap: clamp\nmips: 1\npayload: a.png\n";
    let check = |from: &str, to: &str, expected: &str| {
        assert!(sound.contains(from));
        let vfs = world(&[("/t.texture/texture.yaml", &sound.replace(from, to))]);
        let error = load(&vfs).map(drop).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error} does not say {expected}");
        assert!(
            error.contains("/zero/source/t.texture/texture.yaml"),
            "{error} does not name the file"
        );
    };
    check("[2, 2]", "[0, 0]", "texture.yaml:3:7: 0 x 0 texels are none");
    check("[2, 2]", "[2]", "texture.yaml:3:");
    check("[2, 2]", "[-2, 2]", "texture.yaml:3:8: ");
    check("format: r8", "format: r9", "texture.yaml:2:9: ");
    check(
        "mips: 1",
        "mips: 3",
        "texture.yaml:6:7: 3 levels; a texture of 2 x 2 has 1 to 2",
    );
    check("mips: 1", "mips: 0", "texture.yaml:6:7: ");
    check("format: r8", "format: r16", "texture.yaml:4:13: r16 is linear");
    check(
        "payload: a.png",
        "payload: a.exr",
        "texture.yaml:7:10: `a.exr`: the payload of a texture of r8 is a .png",
    );
    check(
        "payload: a.png",
        "payload: ../a.png",
        "texture.yaml:7:10: `../a.png` is no name of a file",
    );
    check("payload: a.png", "payload: b/a.png", "texture.yaml:7:10: ");
    check("wrap: clamp\n", "", "missing field `wrap`");
    check(
        "version: 1",
        "version: 9",
        "it is of version 9; this program reads versions up to 1",
    );
    check("mips: 1", "mips: 1\nelevation: { unit: ft }", "texture.yaml:7:20: ");
    let elevation = |change: &str| {
        let whole = "{ unit: m, scale: 1, offset: 0, cellSize: [1, 1], rows: north to south }";
        let (from, to) = change.split_once(" to be ").unwrap();
        format!("mips: 1\nelevation: {}", whole.replace(from, to))
    };
    check(
        "mips: 1",
        &elevation("scale: 1 to be scale: 0"),
        "texture.yaml:7:30: 0 metres a step",
    );
    check("mips: 1", &elevation("[1, 1] to be [1, 0]"), "cells of 1 by 0 m");
    check(
        "mips: 1",
        &elevation("rows: north to south to be rows: west"),
        "texture.yaml:7:",
    );
    check(
        "mips: 1",
        &elevation("offset: 0 to be offset: .inf"),
        "`.inf` is no number",
    );
    let error = load(&world(&[("/t.texture/texture.yaml", sound)]))
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("`/zero/source/t.texture/a.png` is not there"),
        "{error}"
    );
}

#[test]
fn a_key_that_is_not_read_is_a_warning() {
    let vfs = world(&[]);
    texture(Format::R8, [1, 1]).save(&vfs, &folder()).unwrap();
    let file = folder().join("texture.yaml").unwrap();
    let mut text = vfs.read(&file).unwrap();
    text.extend_from_slice(b"colourSpace: linear\n");
    vfs.write(&file, &text).unwrap();
    let told = load(&vfs).unwrap().diagnostics;
    assert_eq!(
        told[0].to_string(),
        "/zero/source/t.texture/texture.yaml:10:1: warning[texture.unknown_key]: the key `colourSpace` is not read; \
         did you mean `colorSpace`?"
    );
}

#[test]
fn a_payload_of_another_size_or_format_is_told() {
    let check = |described: Format, size: [u32; 2], held: Texture, expected: &str| {
        let vfs = world(&[]);
        held.save(&vfs, &folder()).unwrap();
        let bytes = vfs.read(&folder().join(&held.info.payload).unwrap()).unwrap();
        let other = texture(described, size);
        other.save(&vfs, &folder()).unwrap();
        let payload = folder().join(&other.info.payload).unwrap();
        vfs.write(&payload, &bytes).unwrap();
        let error = load(&vfs).map(drop).unwrap_err().to_string();
        assert_eq!(error, format!("{payload}: {expected}"));
    };
    check(
        Format::R8,
        [3, 2],
        texture(Format::R8, [2, 3]),
        "its size is 2 x 3, but texture.yaml says 3 x 2",
    );
    check(
        Format::R16,
        [2, 2],
        texture(Format::R8, [2, 2]),
        "its format is r8, but texture.yaml says r16",
    );
    check(
        Format::Rgb8,
        [2, 2],
        texture(Format::Rgba8, [2, 2]),
        "its format is rgba8, but texture.yaml says rgb8",
    );
    check(
        Format::Rgba32F,
        [2, 2],
        texture(Format::Rgb32F, [2, 2]),
        "its format is rgb32f, but texture.yaml says rgba32f",
    );
}

#[test]
fn a_payload_cut_short_anywhere_is_an_error_that_names_it() {
    for format in [Format::R16, Format::Rgba8, Format::Rgba32F] {
        let vfs = world(&[]);
        let written = texture(format, [40, 30]);
        written.save(&vfs, &folder()).unwrap();
        let payload = folder().join(&written.info.payload).unwrap();
        let bytes = vfs.read(&payload).unwrap();
        for len in (0..bytes.len() - 16).step_by(bytes.len() / 60 + 1) {
            vfs.write(&payload, &bytes[..len]).unwrap();
            let error = load(&vfs).map(drop).expect_err("half an image is none");
            assert!(
                error.to_string().starts_with(payload.as_str()),
                "{format} at {len}: {error}"
            );
        }
    }
}

#[test]
fn limits_are_checked_before_anything_is_decoded() {
    let vfs = world(&[]);
    texture(Format::Rgba16, [8, 4]).save(&vfs, &folder()).unwrap();
    let with = |limits| Texture::load(&vfs, &folder(), &limits).map(drop);
    assert!(with(TextureLimits::default().max_edge(8).max_bytes(8 * 4 * 8)).is_ok());
    for limits in [
        TextureLimits::default().max_edge(7),
        TextureLimits::default().max_bytes(8 * 4 * 8 - 1),
    ] {
        assert!(matches!(with(limits), Err(Error::TooLarge { .. })));
    }
    // A description that is far too large is refused without its payload being there.
    let claims = "format: rgba32f\nsize: [4000000000, 4000000000]\ncolorSpace: linear\nwrap: clamp\npayload: a.exr\n";
    let vfs = world(&[("/t.texture/texture.yaml", claims)]);
    assert!(matches!(load(&vfs), Err(Error::TooLarge { .. })));
}

#[test]
fn texels_that_fit_nothing_are_refused() {
    let new = |format, size, texels| Texture::new(TextureInfo::new(format, size), texels).map(drop);
    assert!(matches!(
        new(Format::R8, [2, 2], Texels::U8(vec![0; 3])),
        Err(Error::TexelCount { expected: 4, .. })
    ));
    assert!(matches!(
        new(Format::R8, [1, 1], Texels::U16(vec![0])),
        Err(Error::TexelType { .. })
    ));
    assert!(matches!(
        new(Format::R8, [0, 1], Texels::U8(vec![])),
        Err(Error::Info { .. })
    ));
    let mut values = vec![0.0; 2 * 2 * 3];
    values[3 * 3 + 1] = f32::NAN;
    match new(Format::Rgb32F, [2, 2], Texels::F32(values)) {
        Err(Error::NotFinite { x: 1, y: 1, .. }) => {}
        other => panic!("{other:?}"),
    }
    let mut info = TextureInfo::new(Format::Rgba16, [1, 1]);
    info.color_space = ColorSpace::Srgb;
    assert!(matches!(
        Texture::new(info, Texels::U16(vec![0; 4])),
        Err(Error::Info { .. })
    ));
}

#[test]
fn a_float_that_is_not_finite_is_named_by_its_place() {
    let vfs = world(&[]);
    let written = texture(Format::Rgb32F, [3, 2]);
    written.save(&vfs, &folder()).unwrap();
    let payload = folder().join(&written.info.payload).unwrap();
    let mut bytes = vfs.read(&payload).unwrap();
    // One value in the uncompressed file becomes an infinity.
    let Texels::F32(values) = &written.texels else {
        unreachable!()
    };
    let value = values[4 * 3].to_le_bytes();
    if let Some(at) = bytes.windows(4).position(|window| window == value) {
        bytes[at..at + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        vfs.write(&payload, &bytes).unwrap();
        let error = load(&vfs).map(drop).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{payload}: the texel in column 1 of row 1 is inf, which is no finite number")
        );
    } else {
        panic!("the encoder has begun to compress; write the infinity another way");
    }
}

#[test]
fn heights_are_in_metres() {
    let mut info = TextureInfo::new(Format::R16, [2, 1]);
    assert!(matches!(
        Texture::new(info.clone(), Texels::U16(vec![0, 1])).unwrap().heights_m(),
        Err(Error::NoElevation)
    ));
    let mut elevation = Elevation::metres([1.0, 1.0]);
    (elevation.scale, elevation.offset) = (0.25, -10.0);
    info.elevation = Some(elevation);
    assert_eq!(
        Texture::new(info, Texels::U16(vec![0, 101]))
            .unwrap()
            .heights_m()
            .unwrap(),
        [-10.0, 15.25]
    );
}

#[test]
fn a_value_outside_the_claimed_range_is_told() {
    let vfs = world(&[]);
    let mut info = TextureInfo::new(Format::R16, [2, 1]);
    let mut elevation = Elevation::metres([1.0, 1.0]);
    elevation.range = Some([5.0, 9.0]);
    info.elevation = Some(elevation);
    Texture::new(info.clone(), Texels::U16(vec![5, 9]))
        .unwrap()
        .save(&vfs, &folder())
        .unwrap();
    assert!(load(&vfs).unwrap().diagnostics.is_empty());
    Texture::new(info, Texels::U16(vec![5, 10]))
        .unwrap()
        .save(&vfs, &folder())
        .unwrap();
    assert_eq!(load(&vfs).unwrap().diagnostics[0].code, "texture.range");
}

/// The elevation model that the project's examples use, read from its folder on disk.
#[test]
fn a_real_elevation_model_is_read_from_disk() {
    let content = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/content");
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    let source = FolderSource::open(content, Access::ReadOnly).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source)).unwrap();

    let assets = Assets::load(&vfs).unwrap();
    let model = assets.find_of("texture", "jacksboro").unwrap();
    let loaded = Texture::load(&vfs, &model.path, &TextureLimits::default()).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let info = &loaded.value.info;
    assert_eq!(
        (info.size, info.format, info.color_space),
        ([403, 344], Format::R16, ColorSpace::Linear)
    );
    let elevation = info.elevation.as_ref().unwrap();
    assert_eq!(
        (elevation.cell_size_m, elevation.rows),
        ([74.4, 92.7], Rows::NorthToSouth)
    );

    let heights = loaded.value.heights_m().unwrap();
    assert_eq!(heights.len(), 403 * 344);
    let (low, high) = heights
        .iter()
        .fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(*h), high.max(*h)));
    assert_eq!((low, high), (236.0, 1076.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A payload damaged at a few places gives a texture or an error, in bounded time and memory.
    #[test]
    fn a_damaged_payload_gives_a_texture_or_an_error(
        format in prop::sample::select(FORMATS.to_vec()),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let vfs = world(&[]);
        let written = texture(format, [9, 7]);
        written.save(&vfs, &folder()).unwrap();
        let payload = folder().join(&written.info.payload).unwrap();
        let mut bytes = vfs.read(&payload).unwrap();
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        vfs.write(&payload, &bytes).unwrap();
        match load(&vfs) {
            Ok(read) => prop_assert_eq!(read.value.texels.len(), written.texels.len()),
            Err(error) => prop_assert!(error.to_string().starts_with(payload.as_str()), "{}", error),
        }
    }
}
