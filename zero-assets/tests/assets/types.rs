//! Types as data: the built-in ones, those a world brings, and broken ones.

use zero_assets::{Assets, Error, Severity};
use zero_vfs::Vfs;

use crate::{path, told, world};

const NOTE: (&str, &str) = ("/note.assetType/type.yaml", "primary: note.txt\n");
const NOTE_README: (&str, &str) = ("/note.assetType/README.md", "# note");

#[test]
fn the_built_in_types_are_assets_of_the_type_of_types_and_sound() {
    let assets = Assets::load(&world(&[])).unwrap();
    assert_eq!(told(&assets), Vec::<String>::new());
    let names: Vec<_> = assets.types().iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!(names, ["assetType", "script", "terrainData", "texture"]);
    let listed: Vec<_> = assets
        .list("assetType")
        .unwrap()
        .map(|asset| asset.full_identity())
        .collect();
    assert_eq!(
        listed,
        [
            "@builtin::assetType",
            "@builtin::script",
            "@builtin::terrainData",
            "@builtin::texture"
        ]
    );
    let itself = assets.find_of("assetType", "assetType").unwrap();
    assert_eq!(itself.path, assets.types().get("assetType").unwrap().path);
    assert!(assets.types().get("terrainData").unwrap().is_container);
}

#[test]
fn without_the_built_in_mount_there_are_no_types() {
    let assets = Assets::load(&Vfs::new()).unwrap();
    assert_eq!((assets.types().iter().count(), assets.iter().count()), (0, 0));
}

#[test]
fn a_type_of_a_world_is_read_by_the_same_loader() {
    let vfs = world(&[
        (
            "/note.assetType/type.yaml",
            "version: 1\nprimary: [note.md, note.txt]\nis_opaque_walker: true\nallow_unlisted: false\nfiles:\n  \
             required:\n    - { path: note.md, kind: file, one_of_group: text }\n    - { path: note.txt, kind: file, \
             one_of_group: text }\n  optional:\n    - { path: parts, kind: folder }\n",
        ),
        NOTE_README,
        ("/a.note/note.txt", ""),
        ("/a.note/parts/inner.note/anything", ""),
        ("/b.note/other.md", ""),
    ]);
    let assets = Assets::load(&vfs).unwrap();
    let notes: Vec<_> = assets
        .list("note")
        .unwrap()
        .map(|asset| asset.path.to_string())
        .collect();
    assert_eq!(
        notes,
        ["/zero/source/a.note", "/zero/source/b.note"],
        "nothing is looked for inside one"
    );
    assert_eq!(
        told(&assets),
        [
            "/zero/source/b.note: error[asset.missing_file]: a note needs `note.md` or `note.txt`",
            "/zero/source/b.note/other.md: warning[asset.unlisted_file]: a note does not hold such a file",
        ]
    );
}

/// The types that a world of these files has beside the built-in ones, each file empty but for types.
fn own_types(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let assets = Assets::load(&world(files)).unwrap();
    let built_in = ["assetType", "script", "terrainData", "texture"];
    let names = assets.types().iter().map(|kind| kind.name.clone());
    let own = names.filter(|name| !built_in.contains(&name.as_str())).collect();
    (own, told(&assets))
}

#[test]
fn a_type_in_an_opaque_asset_is_none() {
    const BOX: &str = "primary: a\nis_opaque_walker: true\n";
    let check = |files: &[(&str, &str)], expected: &[&str], said: &[&str]| {
        assert_eq!(
            own_types(files),
            (
                expected.iter().map(|name| (*name).to_owned()).collect(),
                said.iter().map(|text| (*text).to_owned()).collect()
            ),
            "{files:?}"
        );
    };
    let crate_type = [("/crate.assetType/type.yaml", BOX), ("/crate.assetType/README.md", "")];
    let with = |more: &[(&'static str, &'static str)]| [&crate_type, more].concat();
    // What it holds takes no name, whatever it is and wherever it would come in order; a broken one is not told.
    check(
        &with(&[
            ("/a.crate/note.assetType/type.yaml", "primary: x\n"),
            ("/a.crate/deep/b.assetType/type.yaml", "prim"),
            ("/zoo/note.assetType/type.yaml", "primary: note.txt\n"),
            ("/zoo/note.assetType/README.md", ""),
        ]),
        &["crate", "note"],
        &[],
    );
    // An opaque type that is hidden hides nothing.
    check(
        &with(&[
            ("/a.crate/shed.assetType/type.yaml", BOX),
            ("/b.shed/note.assetType/type.yaml", "primary: note.txt\n"),
            ("/b.shed/note.assetType/README.md", ""),
        ]),
        &["crate", "note"],
        &[
            "/zero/source/b.shed: warning[asset.unknown_type]: no type has the suffix `.shed`, so this is no asset; \
           make the type first",
        ],
    );
    // Two that hide each other: the first in order goes, so that the second stands.
    let (own, _) = own_types(&[
        ("/a.two/one.assetType/type.yaml", BOX),
        ("/b.one/two.assetType/type.yaml", BOX),
        ("/b.one/two.assetType/README.md", ""),
    ]);
    assert_eq!(own, ["two"]);
}

#[test]
fn what_an_optional_rule_spells_out_is_not_what_is_required() {
    let check = |files: &[&str], sound: bool| {
        let files: Vec<_> = files
            .iter()
            .map(|file| (format!("/bark.texture/{file}"), ""))
            .chain([("/bark.texture/texture.yaml".to_owned(), "")])
            .collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let told = told(&Assets::load(&world(&files)).unwrap());
        let missing = ["/zero/source/bark.texture: error[asset.missing_file]: a texture needs `*.png` or `*.exr`"];
        assert_eq!(told, if sound { &[][..] } else { &missing }, "{files:?}");
    };
    check(&["preview.png"], false);
    check(&["preview.png", "image.png"], true);
    check(&["preview.png", "image.exr"], true);

    // The other way about: a pattern that is optional takes no name that is required.
    let assets = Assets::load(&world(&[
        (
            "/book.assetType/type.yaml",
            "primary: a.txt\nfiles:\n  required: [{ path: a.txt, kind: file }]\n  optional: [{ path: '*.txt', kind: file }]\n",
        ),
        ("/book.assetType/README.md", ""),
        ("/one.book/a.txt", ""),
        ("/two.book/b.txt", ""),
    ]))
    .unwrap();
    assert_eq!(
        told(&assets),
        ["/zero/source/two.book: error[asset.missing_file]: a book needs `a.txt`"]
    );
}

#[test]
fn broken_types_are_told_with_their_place_and_stop_nothing() {
    let check = |text: &str, expected: &[&str]| {
        let vfs = world(&[
            ("/x.assetType/type.yaml", text),
            ("/x.assetType/README.md", ""),
            NOTE,
            NOTE_README,
        ]);
        let assets = Assets::load(&vfs).unwrap();
        let told = told(&assets);
        assert_eq!(told.len(), expected.len(), "{text}: {told:?}");
        for (told, expected) in told.iter().zip(expected) {
            assert!(told.contains(expected), "{text}: {told} does not say {expected}");
        }
        assert!(assets.types().get("note").is_ok(), "{text}: its neighbour is read");
    };
    check(
        "primary: a\nprimary: b\n",
        &["type.yaml:2:1: error[type.broken]: the key `primary`"],
    );
    check(
        "suffix: .x\n",
        &["type.yaml:1:1: error[type.broken]: missing field `primary`"],
    );
    check(
        "primary: a\nsuffix: x\n",
        &["type.yaml:2:9: error[type.broken]: `x` is no suffix"],
    );
    check("primary: a\nis_container: 3\n", &["type.yaml:2:15: error[type.broken]"]);
    check(
        "primary: a\nfiles: { required: [{ path: b, kind: link }] }\n",
        &["type.yaml:2:38: error[type.broken]"],
    );
    check(
        "version: 2\nprimry: a\n",
        &["it is of version 2; this program reads versions up to 1"],
    );
    check(
        "version: 0\nprimary: a\n",
        &["type.yaml:1:10: error[type.broken]: versions count from 1"],
    );
    check(
        "primary: a\nallow_unlistd: true\n",
        &[
            "type.yaml:2:1: warning[type.unknown_key]: the key `allow_unlistd` is not read; did you mean `allow_unlisted`?",
        ],
    );
    check(
        "primary: a\nfiles:\n  required:\n    - { path: a, kind: file, contnet: 1 }\n",
        &["type.yaml:4:30: warning[type.unknown_key]: the key `contnet` is not read"],
    );
    check(
        "primary: a\nsuffix: .texture\n",
        &["error[type.taken]: the suffix `.texture` is taken by"],
    );
}

#[test]
fn a_world_cannot_take_a_built_in_name() {
    let vfs = world(&[
        ("/a/texture.assetType/type.yaml", "primary: x\n"),
        ("/a/texture.assetType/README.md", ""),
    ]);
    let assets = Assets::load(&vfs).unwrap();
    assert_eq!(assets.types().get("texture").unwrap().primary, ["texture.yaml"]);
    assert_eq!(assets.diagnostics()[0].code, "type.taken");
    assert_eq!(assets.diagnostics()[0].severity, Severity::Error);
}

#[test]
fn a_missing_type_names_the_nearest() {
    let assets = Assets::load(&world(&[])).unwrap();
    let error = assets.list("textrue").map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no asset type `textrue`; did you mean `texture`?"
    );
    assert!(matches!(assets.find_of("mesh", "x"), Err(Error::NoType { .. })));
    assert!(assets.containing(&path("/zero/source/none")).is_none());
}
