//! What a creation makes: guids of its own for all that a template holds, loose files, and what is told of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use zero_assets::{Behavior, Create, Creation, Diagnostic, Error, Files, Guid, HookContext, HookResult, Workspace};

use crate::diary::{open, source, text};

#[test]
fn what_a_template_holds_is_other_assets_each_time() {
    let guid = "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n";
    let mut world = open(&[
        ("/kit.assetType/type.yaml", "primary: kit.yaml\nis_container: true\n"),
        ("/kit.assetType/README.md", "# kit"),
        ("/kit.assetType/template/kit.yaml", "version: 1\n"),
        ("/kit.assetType/template/.refs", guid),
        ("/kit.assetType/template/first.note/.refs", guid),
        ("/kit.assetType/template/first.note/note.txt", "{{name}}"),
        ("/kit.assetType/template/first.note/init.luau", "see('b')"),
        ("/kit.assetType/template/deep/second.note/note.txt", "x"),
        ("/kit.assetType/template/mine.refs", "a text of its own"),
        ("/b.note/note.txt", "x"),
    ]);
    world.settle().unwrap();
    let b = world.assets().find("b").unwrap().guid;
    let mut seen = BTreeSet::new();
    for name in ["one", "two"] {
        world.create(&Create::new("kit", name)).unwrap();
        for inner in ["", "/first.note", "/deep/second.note"] {
            let asset = world.assets().at(&source(&format!("/{name}.kit{inner}"))).unwrap();
            assert!(seen.insert(asset.guid.unwrap()), "{name}{inner} is another asset");
            let refs = world.assets().refs_of(asset).unwrap();
            assert_eq!(refs.asset_type().unwrap().name, asset.kind, "its type is pinned");
            let names_b = refs.references.iter().any(|pin| Some(pin.guid) == b);
            assert_eq!(names_b, inner == "/first.note", "{name}{inner}");
        }
        assert_eq!(
            text(world.vfs(), &format!("/{name}.kit/mine.refs")),
            "a text of its own"
        );
        assert_eq!(text(world.vfs(), &format!("/{name}.kit/first.note/note.txt")), name);
    }
    assert!(!seen.contains(&Guid::parse(&guid[6..42]).unwrap()));
    assert!(world.settle().unwrap().given.is_empty(), "nothing is left to be given");
    // Made over, what it holds stays what it is.
    world
        .vfs()
        .write(&source("/one.kit/first.note/note.txt"), b"mine")
        .unwrap();
    let before = world.assets().find("one.first").unwrap().guid;
    world.create(&Create::new("kit", "one").replacing()).unwrap();
    assert_eq!(world.assets().find("one.first").unwrap().guid, before);
    assert_eq!(text(world.vfs(), "/one.kit/first.note/note.txt"), "mine");
}

#[test]
fn a_built_in_type_whose_template_holds_assets_gives_them_guids() {
    let mut world = open(&[]);
    let made = world.create(&Create::new("effect", "spark")).unwrap();
    let graph = world.assets().at(&made.path.join("main.procGraph").unwrap()).unwrap();
    assert!(graph.guid.is_some_and(|guid| guid != made.guid));
    assert!(
        world.assets().refs_of(graph).unwrap().asset_type().is_some()
            || world.assets().at(&graph.type_path).unwrap().guid.is_none()
    );
}

/// Makes loose files, and keeps the first line of one that is made over.
#[derive(Debug)]
struct Sounds;

impl Behavior for Sounds {
    fn on_create(&self, new: &Creation<'_>) -> HookResult<Files> {
        Ok(Files::from([(
            String::new(),
            format!("new {}\nsee('b')\n", new.name).into_bytes(),
        )]))
    }
    fn on_replace(&self, old: &HookContext<'_>, mut files: Files) -> HookResult<Files> {
        let was = old.vfs.read(&old.asset.path)?;
        if was.starts_with(b"none") {
            files.clear();
        } else if let Some(file) = files.get_mut("") {
            file.splice(0..0, was);
        }
        Ok(files)
    }
}

#[test]
fn a_loose_file_is_made_and_made_over() {
    let mut world = open(&[
        ("/sound.assetType/type.yaml", "primary: '*'\nclassify_exts: [luau]\n"),
        ("/b.note/note.txt", "x"),
    ]);
    world.settle().unwrap();
    world.attach("sound", Arc::new(Sounds));
    let made = world.create(&Create::new("sound", "bang").folder("loud")).unwrap();
    assert_eq!(made.path, source("/loud/bang.luau"));
    assert_eq!(text(world.vfs(), "/loud/bang.luau"), "new bang\nsee('b')\n");
    let pins = |world: &Workspace| {
        world
            .assets()
            .refs_of(world.assets().at(&made.path).unwrap())
            .unwrap()
            .references
            .len()
    };
    assert_eq!(pins(&world), 2, "its type, and what it names");
    let again = Create::new("sound", "bang").folder("loud");
    assert!(matches!(world.create(&again), Err(Error::Exists { .. })));
    let replaced = world.create(&again.clone().replacing()).unwrap();
    assert_eq!(
        (&replaced.path, replaced.guid),
        (&made.path, made.guid),
        "it is the same asset"
    );
    assert_eq!(
        text(world.vfs(), "/loud/bang.luau"),
        "new bang\nsee('b')\nnew bang\nsee('b')\n"
    );
    assert_eq!(pins(&world), 2);
    // A behaviour that leaves out the file itself is told, and nothing is written.
    world.vfs().write(&made.path, b"none").unwrap();
    let error = world.create(&again.replacing()).unwrap_err();
    assert!(error.to_string().contains("it left out the file"), "{error}");
    assert_eq!(text(world.vfs(), "/loud/bang.luau"), "none");
    // Nor is what somebody keeps where its sidecar would be.
    let kept = source("/loud/boom.luau.refs");
    world.vfs().write(&kept, b"mine").unwrap();
    let error = world.create(&Create::new("sound", "boom").folder("loud")).unwrap_err();
    assert!(matches!(&error, Error::Exists { path } if *path == kept), "{error}");
    assert_eq!(text(world.vfs(), "/loud/boom.luau.refs"), "mine");
    assert!(world.vfs().stat(&source("/loud/boom.luau")).unwrap().is_none());
    // A file that is no asset is nobody's to replace.
    world.vfs().write(&source("/loud/pop.luau/x"), b"").unwrap();
    let error = world
        .create(&Create::new("sound", "pop").folder("loud").replacing())
        .unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error}");
}

#[test]
fn what_keeps_from_publishing_is_every_error_and_what_is_not_written() {
    let world = open(&[
        ("/old.assetType/type.yaml", "primary: x.txt\n"),
        ("/old.assetType/README.md", "# old\n"),
        ("/bad.note/other.txt", ""),
        ("/a.note/note.txt", "x"),
        ("/a.note/README.md", "# a\n\n[[describe]] Say it.\n\n## Use\n"),
    ]);
    let blockers = |paths: &[&str], is_changed: bool| -> Vec<String> {
        let paths: Vec<_> = paths.iter().map(|inner| source(inner)).collect();
        let told = world.publish_blockers(&paths, |_| is_changed).unwrap();
        told.iter()
            .map(|told: &Diagnostic| format!("{} {}", told.path.name().unwrap(), told.code))
            .collect()
    };
    // A type that does not say what it is for keeps out every push that carries it, edited or not.
    assert_eq!(blockers(&["/old.assetType"], false), ["old.assetType about.missing"]);
    assert_eq!(blockers(&["/a.note"], false), Vec::<String>::new());
    assert_eq!(blockers(&["/a.note"], true), ["README.md asset.undescribed"]);
    let both = blockers(&["/bad.note", "/old.assetType"], false);
    assert_eq!(
        both,
        ["bad.note asset.missing_file", "old.assetType about.missing"],
        "an error, and warnings are none"
    );
    assert!(matches!(
        world.publish_blockers([&source("/none.note")], |_| true),
        Err(Error::NoAsset { .. })
    ));
}

#[test]
fn a_file_of_a_type_that_is_too_long_is_told_and_not_read() {
    const MOST: usize = 1 << 20;
    let padded = |text: &str, len: usize| format!("{text}#{}\n", "x".repeat(len - text.len() - 2));
    let own = "primary: a.txt\nsettings: { values: s.yaml, schema: { instance: schema.yaml } }\ninspector: { type: i.yaml }\n";
    for (len, is_read) in [(MOST, true), (MOST + 1, false)] {
        let schema = padded("size: { type: integer, default: 1 }\n", len);
        let inspector = padded("sections: []\n", len);
        let world = open(&[
            ("/odd.assetType/type.yaml", own),
            ("/odd.assetType/README.md", "# odd"),
            ("/odd.assetType/i.yaml", &inspector),
            ("/a.odd/a.txt", ""),
            ("/a.odd/schema.yaml", &schema),
        ]);
        let a = source("/a.odd");
        let settings = world.settings_schema(&a);
        assert_eq!(settings.is_ok(), is_read, "{len}: {settings:?}");
        let (_, told) = world.inspector(&a).unwrap();
        assert_eq!(told.is_empty(), is_read, "{len}: {told:?}");
        if let Err(error) = settings {
            assert!(
                matches!(error, Error::Vfs(zero_vfs::Error::TooLarge { bytes, .. }) if bytes == len as u64),
                "{error}"
            );
            assert!(told[0].message.contains("1048577"), "{told:?}");
        }
    }
}

#[test]
fn a_loose_file_saves_what_it_is() {
    struct Saver;
    impl Behavior for Saver {
        fn save_definition(&self, asset: &HookContext<'_>) -> HookResult<Option<Files>> {
            let inner = if asset.asset.name == "bad" { "x" } else { "" };
            Ok(Some(Files::from([(inner.to_owned(), b"saved".to_vec())])))
        }
    }
    let mut world = open(&[
        ("/sound.assetType/type.yaml", "primary: '*'\nclassify_exts: [luau]\n"),
        ("/loud/bang.luau", "old"),
        ("/loud/bad.luau", "old"),
    ]);
    world.attach("sound", Arc::new(Saver));
    assert!(world.save_definition(&source("/loud/bang.luau")).unwrap());
    assert_eq!(text(world.vfs(), "/loud/bang.luau"), "saved");
    // It holds no other file, and is left as it was.
    assert!(world.save_definition(&source("/loud/bad.luau")).is_err());
    assert_eq!(text(world.vfs(), "/loud/bad.luau"), "old");
}

/// Loose files of a type are those in its folder, those with its extensions, or both.
#[test]
fn a_loose_file_is_made_and_moved_where_its_type_claims_it() {
    let mut world = open(&[
        ("/sound.assetType/type.yaml", "primary: main.luau\nplural_dir: sounds\n"),
        (
            "/tune.assetType/type.yaml",
            "primary: '*'\nplural_dir: tunes\nclassify_exts: [mid, luau]\n",
        ),
        ("/word.assetType/type.yaml", "primary: '*'\nplural_dir: words\n"),
        ("/none.assetType/type.yaml", "primary: x.luau\n"),
        ("/box.assetType/type.yaml", "primary: box.txt\n"),
        ("/a.box/box.txt", ""),
    ]);
    for kind in ["sound", "tune", "word", "none"] {
        world.attach(kind, Arc::new(Sounds));
    }
    let mut create = |kind: &str, folder: &str| {
        let made = world.create(&Create::new(kind, "bang").folder(folder));
        made.map(|made| made.path.to_string())
            .map_err(|error| error.to_string())
    };
    // Two types claim it, and neither has a guid that a sidecar could pin.
    let error = create("sound", "x/sounds").unwrap_err();
    assert!(
        error.contains("its type may be any of `/zero/source/sound.assetType`"),
        "{error}"
    );
    world.settle().unwrap();
    let mut create = |kind: &str, folder: &str| {
        let made = world.create(&Create::new(kind, "bang").folder(folder));
        made.map(|made| made.path.to_string())
            .map_err(|error| error.to_string())
    };
    assert_eq!(create("sound", "x/sounds").unwrap(), "/zero/source/x/sounds/bang.luau");
    assert_eq!(create("tune", "x").unwrap(), "/zero/source/x/bang.mid");
    assert_eq!(create("word", "words").unwrap(), "/zero/source/words/bang");
    assert_eq!(
        create("sound", "x").unwrap_err(),
        "`/zero/source/x/bang.luau` would be no asset of the type `sound`: its loose files are those in a folder called `sounds`"
    );
    assert_eq!(
        create("none", "x").unwrap_err(),
        "`/zero/source/x/bang.luau` would be no asset of the type `none`: it claims no loose files"
    );
    // Moved, it stays what it is, or it is not moved.
    let from = source("/x/sounds/bang.luau");
    let guid = world.assets().at(&from).unwrap().guid;
    let error = world.move_asset(&from, &source("/x/boom.luau")).unwrap_err();
    assert!(matches!(error, Error::NotClaimed { .. }), "{error}");
    assert_eq!(world.assets().at(&from).unwrap().guid, guid);
    let to = source("/y/sounds/boom.luau");
    world.move_asset(&from, &to).unwrap();
    let moved = world.assets().at(&to).unwrap();
    assert_eq!((moved.guid, &*moved.kind), (guid, "sound"));
    let error = world
        .move_asset(&source("/x/bang.mid"), &source("/x/bang.wav"))
        .unwrap_err();
    assert!(matches!(error, Error::Name { .. }), "{error}");
    let error = world.move_asset(&to, &source("/a.box/sounds/boom.luau")).unwrap_err();
    assert!(matches!(error, Error::NotAContainer { .. }), "{error}");
}

/// A loose file has no place for settings: what is asked for is never dropped.
#[test]
fn settings_of_a_loose_file_are_refused() {
    let kind = "primary: '*'\nclassify_exts: [luau]\nsettings: { values: s.yaml, schema: { type: { size: { type: integer, \
                default: 3 } } } }\n";
    let mut world = open(&[("/sound.assetType/type.yaml", kind)]);
    world.attach("sound", Arc::new(Sounds));
    let made = world.create(&Create::new("sound", "bang")).unwrap();
    assert_eq!(world.settings(&made.path).unwrap(), None);
    let asked = [
        Create::new("sound", "boom").setting("size", 4),
        Create::new("sound", "boom").option("size", 4),
    ];
    let expected =
        "`/zero/source/boom.luau` has no settings: it is one file, and settings live in a file of a folder's";
    for asked in asked {
        assert_eq!(world.create(&asked).unwrap_err().to_string(), expected);
        assert!(world.vfs().stat(&source("/boom.luau")).unwrap().is_none());
    }
    let written = world.write_settings(&made.path, &[("size".to_owned(), 4.into())].into_iter().collect());
    assert!(matches!(written, Err(Error::NoSettings { .. })), "{written:?}");
}

/// A file of a template that only looks like a sidecar is content.
#[test]
fn what_ends_as_a_sidecar_and_is_none_is_made() {
    let mut world = open(&[
        ("/odd.assetType/type.yaml", "primary: notes.txt\nis_container: true\n"),
        ("/odd.assetType/template/notes.txt", "of {{name}}"),
        ("/odd.assetType/template/notes.txt.refs", "papers of {{name}}"),
        ("/odd.assetType/template/bang.wav", ""),
        (
            "/odd.assetType/template/bang.wav.refs",
            "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n",
        ),
        ("/sound.assetType/type.yaml", "primary: '*'\nclassify_exts: [wav]\n"),
    ]);
    let made = world.create(&Create::new("odd", "a")).unwrap();
    assert_eq!(text(world.vfs(), "/a.odd/notes.txt.refs"), "papers of a");
    let bang = world.assets().at(&made.path.join("bang.wav").unwrap()).unwrap();
    let of_template = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d".parse().unwrap();
    assert_ne!(bang.guid, Some(of_template), "it is another asset than the template's");
}
