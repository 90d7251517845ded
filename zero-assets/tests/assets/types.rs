//! Types as data: the built-in ones, those a world brings, and broken ones.

use std::sync::Arc;

use zero_assets::{Assets, Error, Severity, Workspace};
use zero_vfs::Vfs;

use crate::{path, told, world};

const NOTE: (&str, &str) = ("/note.assetType/type.yaml", "primary: note.txt\n");
const NOTE_README: (&str, &str) = ("/note.assetType/README.md", "# note");

#[test]
fn the_built_in_types_are_assets_of_the_type_of_types_and_sound() {
    let assets = Assets::load(&world(&[])).unwrap();
    assert_eq!(told(&assets), Vec::<String>::new());
    let names: Vec<_> = assets.types().iter().map(|kind| kind.name.as_str()).collect();
    assert!(names.is_sorted() && names.contains(&"texture"), "{names:?}");
    let listed: Vec<_> = assets
        .list("assetType")
        .unwrap()
        .map(|asset| asset.full_identity())
        .collect();
    let expected: Vec<_> = names.iter().map(|name| format!("@builtin::{name}")).collect();
    assert_eq!(listed, expected);
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
    let own = assets
        .types()
        .iter()
        .filter(|kind| !kind.path.as_str().starts_with("/zero/source/libs/"));
    let own = own.map(|kind| kind.name.clone()).collect();
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
        &["type.yaml:1:1: error[type.broken]: the key `primary` is missing"],
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
    assert!(matches!(assets.find_of("unheard", "x"), Err(Error::NoType { .. })));
    assert!(assets.containing(&path("/zero/source/none")).is_none());
}

#[test]
fn every_block_of_a_type_is_read() {
    use zero_assets::types::{Extractor, FacetFrom, FacetType, Indexing, PreviewKind, Role, SchemaSource};
    let text = "\
version: 1
suffix: .lamp
primary: [lamp.yaml, lamp.json]
entry_files: [init.luau]
primary_aliases: [old.yaml]
is_container: true
is_opaque_walker: false
plural_dir: lamps
classify_exts: [.ies, lmp]
is_text_default: false
broadcasts_subassets: true
root: true
system: true
contract_ref: { field: base.lamp, category: lamp }
files:
  required:
    - { path: lamp.yaml, kind: file, one_of_group: g, content: [{ check: yaml_field, key: power, type: number, accept: [1, 2] }] }
    - { path: lamp.json, kind: file, one_of_group: g }
  optional:
    - { path: '*.module', kind: folder }
allow_unlisted: false
aliases_from: [{ file: lamp.yaml, key: also }]
settings:
  values: settings.yaml
  schema:
    type:
      watts: { type: number, min: 0, max: 100, default: 40, description: How bright. }
      mood: { type: word, words: [warm, cold], default: warm }
inspector: { type: inspector.yaml, instance: own.yaml }
preview: { kind: surface, mesh: sphere, angle: [30, -10.5] }
references:
  keys: [{ key: shade, type: lamp }, { key: shade, type: texture }]
  args: [{ call: 'g:lamp', position: 2, type: lamp }, { call: 'g:lamp', position: 2, type: texture }]
  fields: [{ call: lamp.new, field: shade, type: lamp }]
indexing:
  data: [{ role: interface, extractor: symbols, source: { files: [init.luau] } }]
  content: [{ role: identity, modality: image, source: { file: preview.png } }]
  facets:
    file: .metadata
    lit: { type: bool, from: { metadata: lit } }
    watts: { type: number, filter: range, from: { file: lamp.yaml, field: power } }
    solid: { type: bool, from: { components: { any_outside: [Light] } } }
describe: { guidance: Say what it lights., examples: ['@builtin::x'] }
derive: { output: baked.bin, module: bake, compute: run, fingerprint: key, matches: ['*.ies'], required: true, timeout: 5 }
";
    let folder = path("/zero/source/lamp.assetType");
    let (kind, told) = zero_assets::AssetType::parse(&folder, text.as_bytes()).unwrap();
    assert_eq!(told, []);
    let kind = kind.unwrap();
    assert_eq!((kind.name.as_str(), kind.suffix.as_str()), ("lamp", ".lamp"));
    assert_eq!(kind.primary, ["lamp.yaml", "lamp.json"]);
    assert_eq!(
        (&kind.entry_files[0], &kind.primary_aliases[0]),
        (&"init.luau".to_owned(), &"old.yaml".to_owned())
    );
    assert!(kind.is_container && !kind.is_opaque_walker && !kind.is_text_default && !kind.allow_unlisted);
    assert!(kind.broadcasts_subassets && kind.root && kind.system);
    assert_eq!(kind.plural_dir.as_deref(), Some("lamps"));
    assert_eq!(kind.classify_exts, ["ies", "lmp"], "with or without the dot");
    let base = kind.contract_ref.unwrap();
    assert_eq!((base.field.as_str(), base.category.as_str()), ("base.lamp", "lamp"));
    assert_eq!(kind.required[0].content.len(), 1);
    assert_eq!(kind.aliases_from[0].key, "also");
    let settings = kind.settings.unwrap();
    assert_eq!(settings.values, "settings.yaml");
    let SchemaSource::Inline(schema) = settings.schema else {
        panic!("inline")
    };
    assert_eq!(schema.fields["watts"].default, 40);
    assert_eq!(schema.fields.keys().collect::<Vec<_>>(), ["mood", "watts"]);
    let inspector = kind.inspector.unwrap();
    assert_eq!(
        (inspector.of_type.as_deref(), inspector.instance.as_deref()),
        (Some("inspector.yaml"), Some("own.yaml"))
    );
    let preview = kind.preview.unwrap();
    assert_eq!(
        preview.kind,
        PreviewKind::Surface {
            mesh: "sphere".to_owned()
        }
    );
    assert_eq!(preview.angle_deg, Some([30.0, -10.5]));
    assert_eq!(kind.references.keys.len(), 1, "a key holds one type");
    assert_eq!(kind.references.keys[0].category, "texture", "the later one");
    assert_eq!(kind.references.args.len(), 2, "an argument holds several");
    assert_eq!(kind.references.fields[0].field, "shade");
    let Some(Indexing::Recipe(recipe)) = kind.indexing else {
        panic!("a recipe")
    };
    assert_eq!(
        (recipe.data[0].role, recipe.data[0].extractor),
        (Role::Interface, Extractor::Symbols)
    );
    assert_eq!(recipe.content[0].files, ["preview.png"]);
    assert_eq!(recipe.facets.file.as_deref(), Some(".metadata"));
    assert_eq!(
        (
            recipe.facets.keys["watts"].facet_type,
            recipe.facets.keys["watts"].is_range
        ),
        (FacetType::Number, true)
    );
    assert!(
        matches!(&recipe.facets.keys["solid"].from, FacetFrom::ComponentsOutside { components } if components == &["Light"])
    );
    assert_eq!(kind.describe.unwrap().examples, ["@builtin::x"]);
    let derive = kind.derive.unwrap();
    assert_eq!(
        (derive.output.as_str(), derive.required, derive.timeout_secs),
        ("baked.bin", true, Some(5.0))
    );
}

#[test]
fn a_block_that_does_not_stand_up_is_left_out_and_told_and_the_type_stands() {
    let check = |block: &str, expected: &str| {
        let folder = path("/zero/source/x.assetType");
        let text = format!("primary: a\n{block}\n");
        let (kind, told) = zero_assets::AssetType::parse(&folder, text.as_bytes()).unwrap();
        let kind = kind.unwrap_or_else(|| panic!("{block}: {told:?}"));
        assert!(kind.settings.is_none() && kind.preview.is_none() && kind.indexing.is_none() && kind.derive.is_none());
        let told: Vec<_> = told.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told.contains(expected)), "{block}: {told:?}");
    };
    check(
        "settings: 3",
        "type.yaml:2:11: error[type.broken]: `settings` is a mapping, and a whole number is here",
    );
    check("settings: { values: v }", "the key `schema` is missing");
    check(
        "settings: { values: ../v, schema: { instance: s } }",
        "`../v` is no path below a folder",
    );
    for (file, whose) in [
        (".refs", "a sidecar, which holds guids"),
        ("bark.png.refs", "a sidecar, which holds guids"),
        ("README.md", "the asset's description"),
        ("inner.note/note.yaml", "a file of an asset inside"),
    ] {
        check(
            &format!("settings: {{ values: {file}, schema: {{ instance: s }} }}"),
            &format!("`{file}` cannot hold settings: it is {whose}"),
        );
    }
    check(
        "settings: { values: v, schema: { type: { a: { type: integer, min: 1.5 } } } }",
        "`min` is a whole number, and a number is here",
    );
    check(
        "settings: { values: v, schema: { type: { a: { type: number, max: 1, default: 2 } } } }",
        "the default does not fit the setting: 2 is out of its range, at most 1",
    );
    check(
        "settings: { values: v, schema: { type: { a: { type: numbr } } } }",
        "did you mean `number`?",
    );
    check("preview: { kind: image }", "names its `source: { files }`");
    check("preview: { kind: surface }", "the key `mesh` is missing");
    check("preview: { kind: custom, angle: [1] }", "two numbers");
    check(
        "indexing: { data: [{ role: identity, extractor: verbatim, source: { field: name } }] }",
        "a name is no text to search by",
    );
    check(
        "indexing: { data: [{ role: who, extractor: verbatim, source: { file: a } }] }",
        "`role` is one of",
    );
    check("derive: { output: ../x }", "no file below an asset");
    check("derive: { output: x, timeout: 0 }", "more than 0 seconds");
}

#[test]
fn the_type_of_types_conforms_to_its_own_declaration() {
    let vfs = world(&[]);
    let assets = Assets::load(&vfs).unwrap();
    let itself = assets.find_of("assetType", "@builtin::assetType").unwrap();
    assert_eq!(assets.check(&vfs, itself).unwrap(), []);
    assert_eq!(itself.type_path, itself.path, "it is of the type that it is");
    assert!(itself.guid.is_some());
}

#[test]
fn the_texts_of_a_type_hold_their_limits_to_the_byte() {
    // Two bytes a letter: limits are of bytes, not of letters.
    let text = |bytes: usize| "é".repeat(bytes / 2) + &"x".repeat(bytes % 2);
    let about = |intent: usize, function: usize, usage: usize| {
        format!(
            "intent: \"{}\"\nfunction: \"{}\"\nusage: \"{}\"\n",
            text(intent),
            text(function),
            text(usage)
        )
    };
    let check = |about: &str, expected: &[&str]| {
        let vfs = world(&[NOTE, NOTE_README, ("/note.assetType/about.yaml", about)]);
        let assets = Assets::load(&vfs).unwrap();
        let note = assets.find_of("assetType", "note").unwrap();
        let told = assets.check(&vfs, note).unwrap();
        let told: Vec<_> = told
            .iter()
            .filter(|told| told.code == "asset.undescribed")
            .map(ToString::to_string)
            .collect();
        assert_eq!(told.len(), expected.len(), "{told:?}");
        for (told, expected) in told.iter().zip(expected) {
            assert!(told.contains(expected), "{told}");
        }
        let read = assets.types().get("note").unwrap().about(&vfs).unwrap();
        assert_eq!(read.value.texts().count(), 3 - expected.len());
        assert_eq!(read.diagnostics.len(), expected.len());
    };
    check(&about(800, 1500, 1200), &[]);
    check(
        &about(801, 1500, 1200),
        &["`intent` has 801 bytes, more than the 800 allowed"],
    );
    check(
        &about(800, 1501, 1200),
        &["`function` has 1501 bytes, more than the 1500 allowed"],
    );
    check(
        &about(800, 1500, 1201),
        &["`usage` has 1201 bytes, more than the 1200 allowed"],
    );
    check(
        "intent: '[[describe]] what'\nfunction: a\nusage: b\n",
        &["`intent` is not written: line 1 still begins with `[[describe]]`"],
    );
    check("intent: a\nfunction: b\n", &["the key `usage` is missing"]);
}

/// The same as a text that is there and not written: what is asked is that it is written.
#[test]
fn a_description_that_is_not_there_is_one_that_is_not_written() {
    let kind = "primary: a.txt
files:
  required:
    - { path: a.txt, kind: file }
    - { path: about.yaml, kind: file, content: [{ check: described, keys: [{ key: use }], message: Say its use. }] }
";
    let shelf = |about: Option<&str>| {
        let mut files = vec![
            ("/book.assetType/type.yaml", kind),
            ("/book.assetType/README.md", ""),
            ("/one.book/a.txt", ""),
        ];
        files.extend(about.map(|about| ("/one.book/about.yaml", about)));
        Workspace::open(Arc::new(world(&files))).unwrap()
    };
    let at = path("/zero/source/one.book");
    let check = |about, expected: &str| {
        let world = shelf(about);
        let told = world.validate(&at).unwrap();
        assert_eq!(told.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        let blockers = |changed| world.publish_blockers([&at], |_| changed).unwrap().len();
        assert_eq!((blockers(true), blockers(false)), (1, 0), "{about:?}");
    };
    check(
        None,
        "/zero/source/one.book: error[asset.undescribed]: Say its use; a book needs `about.yaml`",
    );
    check(
        Some("other: 1\n"),
        "/zero/source/one.book/about.yaml: warning[asset.undescribed]: Say its use; the key `use` is missing",
    );
}
