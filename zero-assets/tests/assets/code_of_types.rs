//! What the code of a type says of its assets: names, options, modules, shapes of results, what is saved and computed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use zero_assets::types::Schema;
use zero_assets::{Behavior, Create, Error, Files, HookContext, HookResult, RefShape, Workspace};

use crate::diary::{open, source, text};

/// Code that says each of these.
struct Coded;

impl Behavior for Coded {
    fn accepts_name(&self, name: &str) -> bool {
        name.starts_with("note-")
    }

    fn create_options(&self) -> Option<Schema> {
        let text = b"mood: { type: word, words: [warm, cold] }\ncount: { type: integer, min: 1 }\n";
        Schema::parse(&source("/options.yaml"), text, None).0
    }

    fn modules(&self) -> BTreeMap<String, String> {
        BTreeMap::from([
            ("shared".to_owned(), ".shared".to_owned()),
            ("lost".to_owned(), ".lost".to_owned()),
        ])
    }

    fn ref_shapes(&self, asset: &HookContext<'_>) -> HookResult<BTreeMap<String, RefShape>> {
        let text = String::from_utf8(asset.read("note.txt")?)?;
        match text.as_str() {
            "plain" => Ok(BTreeMap::new()),
            "bad" => Err("it cannot be read".into()),
            lines => {
                let shape = RefShape::new(format!("{{ {lines}: Line }}")).with_source("@builtin::lines");
                Ok(BTreeMap::from([("lines".to_owned(), shape)]))
            }
        }
    }

    fn save_definition(&self, asset: &HookContext<'_>) -> HookResult<Option<Files>> {
        let text = String::from_utf8(asset.read("note.txt")?)?;
        match text.as_str() {
            "plain" => Ok(None),
            "bad" => Err("nothing is known of it".into()),
            text => Ok(Some(Files::from([
                ("note.txt".to_owned(), format!("{text}, edited").into_bytes()),
                ("extra.txt".to_owned(), b"new".to_vec()),
            ]))),
        }
    }
}

fn coded(more: &[(&str, &str)]) -> Workspace {
    let mut world = open(more);
    world.attach("note", Arc::new(Coded));
    world
}

#[test]
fn a_type_says_which_names_and_options_a_creation_may_have() {
    let mut world = coded(&[]);
    let error = world.create(&Create::new("note", "plain")).unwrap_err();
    assert!(matches!(error, Error::Name { .. }), "{error}");
    world.create(&Create::new("note", "note-1")).unwrap();
    // Without its code, the plain rule holds.
    world.detach("note").unwrap();
    assert!(matches!(
        world.create(&Create::new("note", "note-2")),
        Err(Error::Name { .. })
    ));
    world
        .create(&Create::new("note", "plain").option("anything", 1))
        .unwrap();
    world.attach("note", Arc::new(Coded));

    let note = || Create::new("note", "note-3");
    let mut fails = |new: &Create, expected: &str| {
        let error = world.create(new).unwrap_err();
        assert!(matches!(error, Error::Options { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(world.vfs().stat(&source("/note-3.note")).unwrap(), None);
    };
    fails(
        &note().option("mod", "warm"),
        "there is no such option; did you mean `mood`?",
    );
    fails(
        &note().option("mood", "hot"),
        "it is one of `warm`, `cold`, and \"hot\" is here",
    );
    fails(&note().option("count", 0), "0 is out of its range, at least 1");
    // An option that is called as a setting is one, and no option of the type's.
    let new = note().option("mood", "cold").option("count", 2).option("size", 40);
    let made = world.create(&new).unwrap();
    assert_eq!(world.settings(&made.path).unwrap().unwrap().values["size"], 40);
}

#[test]
fn the_modules_of_a_type_are_reached_from_its_assets_by_what_is_pinned() {
    let mut world = coded(&[
        ("/note.assetType/shared.script/init.luau", "return {}"),
        ("/deep/a.note/note.txt", "x"),
    ]);
    let note = source("/deep/a.note");
    let module = |world: &Workspace, name: &str| world.module_of(&note, name).map(|module| module.path.clone());
    assert_eq!(
        module(&world, "shared").unwrap(),
        source("/note.assetType/shared.script")
    );
    let error = module(&world, "shard").unwrap_err().to_string();
    assert!(
        error.contains("no asset answers to `shard`; did you mean `shared`?"),
        "{error}"
    );
    assert!(
        matches!(module(&world, "lost"), Err(Error::NoAsset { .. })),
        "it says so, and it is not there"
    );
    let of_none = world.module_of(&source("/note.assetType"), "shared").unwrap_err();
    assert!(
        matches!(of_none, Error::NoAsset { .. }),
        "the type of types shares none"
    );

    // The type by its guid, pinned or not.
    world.settle().unwrap();
    let guid = world.assets().at(&source("/note.assetType")).unwrap().guid;
    assert!(guid.is_some());
    assert_eq!(world.type_ref(&note).unwrap(), guid);
    world.vfs().remove(&source("/deep/a.note/.refs")).unwrap();
    world.update(Duration::from_secs(1));
    assert_eq!(
        world.type_ref(&note).unwrap(),
        guid,
        "where nothing is pinned, that of its type"
    );
    assert!(matches!(
        world.type_ref(&source("/none.note")),
        Err(Error::NoAsset { .. })
    ));
    // They follow the type where it goes.
    world
        .vfs()
        .rename(&source("/note.assetType"), &source("/types/note.assetType"))
        .unwrap();
    world.update(Duration::from_secs(2));
    assert_eq!(
        module(&world, "shared").unwrap(),
        source("/types/note.assetType/shared.script")
    );
}

#[test]
fn results_have_shapes_of_their_own_for_64_assets_of_a_type() {
    let files: Vec<_> = (0..66)
        .map(|number| (format!("/n{number:02}.note/note.txt"), format!("k{number}")))
        .collect();
    let mut files: Vec<_> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let (shaped, left) = {
        let shapes = coded(&files).ref_shapes("note").unwrap();
        (shapes.by_asset, shapes.diagnostics)
    };
    assert_eq!(shaped.len(), 64);
    let first = &shaped[&source("/n00.note")]["lines"];
    assert_eq!(first.type_expression, "{ k0: Line }");
    assert_eq!(first.source.as_deref(), Some("@builtin::lines"));
    let left: Vec<_> = left
        .iter()
        .map(|told| (told.code.as_ref(), told.path.as_str()))
        .collect();
    assert_eq!(
        left,
        [
            ("behavior.shapes_left_out", "/zero/source/n64.note"),
            ("behavior.shapes_left_out", "/zero/source/n65.note"),
        ]
    );
    files.truncate(1);
    files.extend([("/plain.note/note.txt", "plain"), ("/bad.note/note.txt", "bad")]);
    let shapes = coded(&files).ref_shapes("note").unwrap();
    assert_eq!(shapes.by_asset.keys().collect::<Vec<_>>(), [&source("/n00.note")]);
    let told: Vec<_> = shapes.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "/zero/source/bad.note: error[behavior.hook_failed]: `refShapes` of the type `note` failed: it cannot be read"
        ]
    );
    assert!(matches!(coded(&[]).ref_shapes("nose"), Err(Error::NoType { .. })));
    assert_eq!(
        open(&files).ref_shapes("note").unwrap(),
        Default::default(),
        "without code there are none"
    );
}

#[test]
fn what_was_edited_in_memory_is_saved_into_the_files() {
    let mut world = coded(&[
        ("/a.note/note.txt", "words"),
        ("/a.note/left.luau", "-- stays"),
        ("/plain.note/note.txt", "plain"),
        ("/bad.note/note.txt", "bad"),
        ("/a.crate/crate.yaml", ""),
    ]);
    assert!(world.save_definition(&source("/a.note")).unwrap());
    assert_eq!(text(world.vfs(), "/a.note/note.txt"), "words, edited");
    assert_eq!(text(world.vfs(), "/a.note/extra.txt"), "new");
    assert_eq!(text(world.vfs(), "/a.note/left.luau"), "-- stays");
    let note = world.assets().at(&source("/a.note")).unwrap();
    assert!(
        world.assets().files_of(note).contains(&source("/a.note/extra.txt")),
        "it is known at once"
    );
    assert!(
        !world.save_definition(&source("/plain.note")).unwrap(),
        "nothing was edited"
    );
    assert!(!world.save_definition(&source("/a.crate")).unwrap(), "it has no code");
    let error = world.save_definition(&source("/bad.note")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`saveDefinition` of `bad` failed: nothing is known of it"),
        "{error}"
    );
    assert_eq!(text(world.vfs(), "/bad.note/note.txt"), "bad");
}

#[test]
fn a_type_may_say_itself_what_a_computed_file_is_made_of() {
    struct Counted;
    impl Behavior for Counted {
        fn derive(&self, asset: &HookContext<'_>) -> HookResult<Option<Vec<u8>>> {
            Ok(Some(asset.read("a.txt")?))
        }
        fn derive_fingerprint(&self, asset: &HookContext<'_>) -> HookResult<Option<String>> {
            let text = String::from_utf8(asset.read("a.txt")?)?;
            match text.as_str() {
                "files" => Ok(None),
                "bad" => Err("it cannot be told".into()),
                // Case is nothing to it.
                text => Ok(Some(text.to_lowercase())),
            }
        }
    }
    let kind = "primary: a.txt\nderive: { output: out.txt }\n";
    let mut world = open(&[
        ("/sum.assetType/type.yaml", kind),
        ("/sum.assetType/README.md", "x"),
        ("/one.sum/a.txt", "word"),
    ]);
    world.attach("sum", Arc::new(Counted));
    let one = source("/one.sum");
    let mut derives = |content: &str| {
        world
            .vfs()
            .write(&source("/one.sum/a.txt"), content.as_bytes())
            .unwrap();
        world.derive(&one).map(|made| made.is_some())
    };
    assert!(derives("word").unwrap());
    assert!(!derives("WORD").unwrap());
    assert!(derives("other").unwrap());
    assert!(derives("files").unwrap());
    assert!(!derives("files").unwrap());
    let error = derives("bad").unwrap_err().to_string();
    assert!(
        error.contains("`derive.fingerprint` of `one` failed: it cannot be told"),
        "{error}"
    );
}
