//! What is done with assets while a host runs, and the hooks that are called.

use std::sync::Arc;
use std::time::Duration;

use zero_assets::{Create, Error, Query, Workspace, serde_json};

use crate::diary::{Diary, FILES, open, source, taken, text};
use crate::world;

#[test]
fn what_an_asset_names_is_written_down_when_it_is_settled() {
    let mut world = open(&[("/b.note/note.txt", "x")]);
    let a = world.create(&Create::new("note", "a")).unwrap().path;
    world.settle().unwrap();
    let pins = |world: &Workspace| {
        world
            .assets()
            .refs_of(world.assets().at(&a).unwrap())
            .unwrap()
            .references
            .len()
    };
    let types_alone = pins(&world);
    world.vfs().write(&source("/a.note/init.luau"), b"see('b')").unwrap();
    world.update(Duration::from_secs(1));
    world.settle().unwrap();
    assert_eq!(pins(&world), types_alone + 1);
    let b = world.assets().find("b").unwrap();
    assert_eq!(
        world
            .assets()
            .dependents(b)
            .map(|asset| &asset.path)
            .collect::<Vec<_>>(),
        [&a]
    );
    world.update(Duration::from_secs(2));
    assert_eq!(world.settle().unwrap().given, [], "and then there is nothing to do");
}

#[test]
fn a_scaffold_of_every_type_passes_its_own_validation() {
    let mut world = open(&[]);
    world.create(&Create::new("assetType", "song").folder("types")).unwrap();
    let made = world.create(&Create::new("song", "first").folder("music/old")).unwrap();
    assert_eq!(
        (made.path, made.identity.as_str()),
        (source("/music/old/first.song"), "music.old.first")
    );
    assert_eq!(made.diagnostics, []);
    let made = world.create(&Create::new("note", "monday")).unwrap();
    assert_eq!(text(world.vfs(), "/monday.note/note.txt"), "This is monday.\n");
    let told: Vec<_> = made.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["/zero/source/monday.note/README.md: warning[asset.undescribed]: line 3 still begins with `[[describe]]`"]
    );
    let song = world.validate(&source("/types/song.assetType")).unwrap();
    assert!(song.iter().all(|told| !told.is_error()), "{song:?}");
    let codes: Vec<_> = song.iter().map(|told| &*told.code).collect();
    assert_eq!(
        codes, ["asset.undescribed"; 4],
        "what is still to be written is named, and nothing else"
    );
    // The gate asks for the texts of what changed alone.
    let paths = [source("/monday.note")];
    assert_eq!(world.publish_blockers(&paths, |_| true).unwrap().len(), 1);
    assert_eq!(world.publish_blockers(&paths, |_| false).unwrap().len(), 0);
}

#[test]
fn what_is_made_is_made_whole_or_not_at_all() {
    let mut world = open(&[]);
    let (diary, entries) = Diary::shared();
    world.attach("note", diary);
    let before = world.vfs().walk(&source("")).unwrap().files;
    let check = |world: &mut Workspace, new: &Create, expected: &str| {
        let error = world.create(new).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(world.vfs().walk(&source("")).unwrap().files, before, "{expected}");
    };
    let note = |name: &str| Create::new("note", name);
    check(
        &mut world,
        &Create::new("notes", "a"),
        "there is no asset type `notes`; did you mean `note`?",
    );
    check(&mut world, &note("two words"), "`two words` is no name for a note");
    check(&mut world, &note("a").folder("../x"), "is not a path");
    check(
        &mut world,
        &note("a").into(&source("/note.assetType/x")),
        "no asset answers to",
    );
    check(
        &mut world,
        &note("a").option("fail", true),
        "`onCreate` of `a` failed: asked to fail",
    );
    check(
        &mut world,
        &note("a").setting("siez", 3),
        "`a` has no setting `siez`; did you mean `size`?",
    );
    check(
        &mut world,
        &note("a").setting("size", 0),
        "0 is out of its range, 1 to 100",
    );
    check(
        &mut world,
        &note("a").setting("size", 3),
        "the setting `size` of `a` cannot be 3: it must be 4, as sizes are even",
    );
    check(
        &mut world,
        &Create::new("crate", "a").setting("size", 3),
        "`a` has no setting `size`",
    );
    assert_eq!(taken(&entries), Vec::<String>::new());

    let a = world.create(&note("a")).unwrap();
    assert_eq!(taken(&entries), ["register a"], "it takes effect the moment it is made");
    assert!(matches!(world.create(&note("a")), Err(Error::Exists { .. })));
    let into_note = world.create(&note("b").into(&a.path)).unwrap_err();
    assert!(into_note.to_string().contains("is a note, which holds no other assets"));
    let boxed = world.create(&Create::new("crate", "big")).unwrap();
    let inner = world.create(&note("b").into(&boxed.path)).unwrap();
    assert_eq!(inner.identity, "big.b");
}

#[test]
fn a_replaced_asset_keeps_its_guid_and_what_its_author_added() {
    let mut world = open(&[]);
    let (diary, _) = Diary::shared();
    world.attach("note", diary);
    let first = world.create(&Create::new("note", "a")).unwrap();
    world.vfs().write(&source("/a.note/note.txt"), b"my own words").unwrap();
    world.vfs().write(&source("/a.note/left.luau"), b"-- goes").unwrap();
    world.update(Duration::from_secs(1));
    let second = world
        .create(&Create::new("note", "a").setting("size", 40).replacing())
        .unwrap();
    assert_eq!(second.guid, first.guid);
    assert_eq!(text(world.vfs(), "/a.note/note.txt"), "my own words");
    assert_eq!(text(world.vfs(), "/a.note/extra.txt"), "size 40");
    assert_eq!(world.vfs().stat(&source("/a.note/left.luau")).unwrap(), None);
    assert_eq!(world.assets().by_guid(first.guid).unwrap().path, source("/a.note"));
}

#[test]
fn hooks_are_called_in_order_and_never_inside_one_another() {
    let mut world = open(&[("/old.note/note.txt", "x")]);
    let (diary, entries) = Diary::shared();
    let waits = diary.waits.clone();
    world.attach("note", diary);
    world.update(Duration::from_secs(1));
    assert_eq!(
        taken(&entries),
        ["register old"],
        "what was there arrives, and is no change"
    );

    // One that waits keeps its place, and all that comes for its asset after it.
    *waits.lock().unwrap() = 2;
    let write = |world: &Workspace, inner: &str| world.vfs().write(&source(inner), b"-- x").unwrap();
    write(&world, "/old.note/one.luau");
    write(&world, "/old.note/two.luau");
    let update = world.update(Duration::from_secs(2));
    assert_eq!((update.hooks_done, update.hooks_waiting), (0, 2));
    write(&world, "/old.note/three.luau");
    world.vfs().remove_tree(&source("/old.note")).unwrap();
    world.update(Duration::from_secs(3));
    assert_eq!(taken(&entries), ["wait one.luau", "wait one.luau"]);
    world.update(Duration::from_secs(4));
    assert_eq!(
        taken(&entries),
        [
            "edited one.luau of old",
            "edited two.luau of old",
            "delete old there=false"
        ]
    );

    // What a hook writes into its own asset comes with the next update, and then it is at rest.
    let echo = world.create(&Create::new("note", "echo")).unwrap();
    world.update(Duration::from_secs(5));
    taken(&entries);
    write(&world, "/echo.note/echo.luau");
    world.update(Duration::from_secs(6));
    assert_eq!(taken(&entries), ["edited echo.luau of echo"]);
    world.update(Duration::from_secs(7));
    assert_eq!(taken(&entries), ["edited note.txt of echo"]);
    assert_eq!(world.update(Duration::from_secs(8)).hooks_done, 0);

    // One that fails is told and stops nothing.
    write(&world, "/echo.note/bad.luau");
    write(&world, "/echo.note/good.luau");
    let update = world.update(Duration::from_secs(9));
    assert_eq!(taken(&entries), ["edited bad.luau of echo", "edited good.luau of echo"]);
    assert_eq!(
        update.diagnostics[0].to_string(),
        "/zero/source/echo.note: error[behavior.hook_failed]: `onChange` of the type `note` failed: bad.luau is bad"
    );

    world.vfs().remove(&source("/echo.note/good.luau")).unwrap();
    world.update(Duration::from_secs(10));
    assert_eq!(taken(&entries), ["removed good.luau of echo"]);
    world.delete(&echo.path).unwrap();
    world.update(Duration::from_secs(11));
    assert_eq!(taken(&entries), ["delete echo there=false"]);
    // The path is free again: another asset may arrive there.
    world.create(&Create::new("note", "echo")).unwrap();
    world.close();
    assert_eq!(taken(&entries), ["register echo", "delete echo there=true"]);
}

#[test]
fn a_behaviour_waits_for_its_type_and_outlives_it() {
    let mut world = Workspace::open(Arc::new(world(&[]))).unwrap();
    let (diary, entries) = Diary::shared();
    world.attach("note", diary);
    let told: Vec<_> = world.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["/zero/source: error[behavior.no_type]: a behaviour is attached to the type `note`, which is not there"]
    );
    for (file, content) in FILES {
        world.vfs().write(&source(file), content.as_bytes()).unwrap();
    }
    world.vfs().write(&source("/a.note/note.txt"), b"x").unwrap();
    world.update(Duration::from_secs(1));
    let shadowed = world.diagnostics();
    assert!(
        shadowed
            .iter()
            .any(|told| told.code == "behavior.shadowed" && told.message.contains("`deps`"))
    );
    assert_eq!(taken(&entries), ["register a", "edited note.txt of a"]);
    world.vfs().remove_tree(&source("/note.assetType")).unwrap();
    world.update(Duration::from_secs(2));
    assert_eq!(taken(&entries), ["delete a there=true"], "it is an asset no more");
    assert_eq!(
        world
            .diagnostics()
            .iter()
            .filter(|told| told.code == "behavior.no_type")
            .count(),
        1
    );
    world.vfs().write(&source(FILES[0].0), FILES[0].1.as_bytes()).unwrap();
    world.update(Duration::from_secs(3));
    assert_eq!(taken(&entries), ["register a"]);
    assert!(world.detach("note").is_some() && world.detach("note").is_none());
}

#[test]
fn what_an_asset_names_is_told_when_it_changes_or_comes() {
    let mut world = open(&[
        ("/a.note/note.txt", "x"),
        ("/a.note/init.luau", "local b = require('tools.b')\nsee('later')\n"),
        ("/tools/b.script/init.luau", "return 1"),
    ]);
    let (diary, entries) = Diary::shared();
    world.attach("note", diary);
    world.update(Duration::from_secs(1));
    taken(&entries);
    world
        .vfs()
        .write(&source("/tools/b.script/init.luau"), b"return 2")
        .unwrap();
    world.update(Duration::from_secs(2));
    assert_eq!(taken(&entries), ["a depends on b.script: changed"]);
    world.vfs().write(&source("/later.note/note.txt"), b"x").unwrap();
    world.update(Duration::from_secs(3));
    assert_eq!(
        taken(&entries),
        [
            "register later",
            "edited note.txt of later",
            "a depends on later.note: `later` is answered",
        ]
    );
}

#[test]
fn assets_move_and_go_and_those_that_name_them_are_told_of() {
    let mut world = open(&[
        ("/a.note/note.txt", "x"),
        ("/a.note/init.luau", "see('b')"),
        ("/b.note/note.txt", "x"),
    ]);
    world.settle().unwrap();
    world.update(Duration::from_secs(1));
    let b = world.assets().find("b").unwrap().guid.unwrap();
    let lost = world.move_asset(&source("/b.note"), &source("/deep/c.note")).unwrap();
    assert_eq!(lost, [source("/a.note")], "its name for it leads there no more");
    assert_eq!(world.assets().by_guid(b).unwrap().identity, "deep.c");
    let error = world
        .move_asset(&source("/deep/c.note"), &source("/deep/c.box"))
        .unwrap_err();
    assert!(matches!(error, Error::Name { .. }));
    let error = world
        .move_asset(&source("/deep/c.note"), &source("/a.note"))
        .unwrap_err();
    assert!(matches!(error, Error::Exists { .. }));
    let dependents = world.delete(&source("/deep/c.note")).unwrap();
    assert_eq!(dependents, [source("/a.note")]);
    assert!(matches!(
        world.delete(&source("/deep/c.note")),
        Err(Error::NoAsset { .. })
    ));
    let told = world.validate(&source("/a.note")).unwrap();
    assert!(told.iter().any(|told| told.code == "reference.unresolved"), "{told:?}");
    // A loose file takes its sidecar along.
    world
        .vfs()
        .write(
            &source("/sound.assetType/type.yaml"),
            b"primary: '*'\nclassify_exts: [wav]\n",
        )
        .unwrap();
    world.vfs().write(&source("/bang.wav"), b"x").unwrap();
    world.update(Duration::from_secs(2));
    world.settle().unwrap();
    let bang = world.assets().find("bang").unwrap().guid.unwrap();
    world
        .move_asset(&source("/bang.wav"), &source("/loud/boom.wav"))
        .unwrap();
    assert_eq!(world.assets().by_guid(bang).unwrap().path, source("/loud/boom.wav"));
    world.delete(&source("/loud/boom.wav")).unwrap();
    assert_eq!(world.vfs().stat(&source("/loud/boom.wav.refs")).unwrap(), None);
    // What happened meanwhile is the same as what a fresh look finds.
    world.update(Duration::from_secs(3));
    let fresh = Workspace::open(world.vfs().clone()).unwrap();
    let all = |world: &Workspace| world.assets().iter().cloned().collect::<Vec<_>>();
    assert_eq!(all(&world), all(&fresh));
}

#[test]
fn checks_name_what_is_wrong_and_a_rule_that_fails_is_told() {
    let mut world = open(&[
        ("/a.note/note.txt", "all is bad"),
        ("/a.note/README.md", "# a\n\nWritten.\n"),
        ("/empty.note/note.txt", " \n"),
        ("/odd.note/other.txt", ""),
    ]);
    let (diary, _) = Diary::shared();
    world.attach("note", diary);
    let told = |name: &str| -> Vec<String> {
        world
            .validate(&source(name))
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(
        told("/a.note"),
        [
            "/zero/source/a.note/README.md: error[asset.undescribed]: it has no section `Use`",
            "/zero/source/a.note/note.txt: error[note.bad]: it says something bad",
        ]
    );
    assert_eq!(
        told("/empty.note"),
        [
            "/zero/source/empty.note: warning[note.plain]: it is plain",
            "/zero/source/empty.note/note.txt: error[asset.content]: A note says something; the file is empty",
        ]
    );
    let odd = told("/odd.note");
    assert_eq!(odd.len(), 3);
    assert!(
        odd[0].contains("error[asset.missing_file]: a note needs `note.txt`"),
        "{odd:?}"
    );
    assert!(
        odd[1].contains("error[validate.hook_failed]: the rules of the type `note` failed"),
        "{odd:?}"
    );
    assert!(odd[2].contains("warning[asset.unlisted_file]"), "{odd:?}");
}

#[test]
fn a_record_says_what_every_asset_has_and_what_its_type_adds() {
    let mut world = open(&[
        ("/kit/a.note/note.txt", "four"),
        (
            "/kit/a.note/.metadata",
            "description: A first note.\ntags: [old, short]\norigin: a friend\n",
        ),
        ("/kit/b.note/other.txt", ""),
        ("/kit/b.note/README.md", "# b\n\n## Sub\nTwo\nlines.\n\nMore.\n"),
    ]);
    let (diary, _) = Diary::shared();
    world.attach("note", diary);
    let a = world.inspect(&source("/kit/a.note")).unwrap();
    assert_eq!(
        (a.identity.as_str(), a.name.as_str(), a.type_name.as_str()),
        ("kit.a", "a", "note")
    );
    assert_eq!(a.type_definition_path, source("/note.assetType"));
    assert_eq!(
        (a.description.as_deref(), a.origin.as_str()),
        (Some("A first note."), "a friend")
    );
    assert_eq!(
        (a.tags, a.detail, a.warning),
        (vec!["old".to_owned(), "short".to_owned()], Some(4.into()), None)
    );
    let b = world.inspect(&source("/kit/b.note")).unwrap();
    assert_eq!(
        (b.description.as_deref(), b.origin.as_str()),
        (Some("Two lines."), "world")
    );
    assert!(b.detail.is_none() && b.warning.unwrap().contains("note.txt"));
    let kind = world
        .resolve(&Query::new("@builtin::assetType").category("assetType"))
        .unwrap()
        .path
        .clone();
    let record = world.inspect(&kind).unwrap();
    assert_eq!(record.origin, "@builtin");
    let detail = record.detail.unwrap();
    assert!(
        detail["about"]["intent"]
            .as_str()
            .unwrap()
            .starts_with("Makes a new kind of content")
    );
    assert!(detail["readme"].as_str().unwrap().starts_with("# assetType"));
    let guide = world.type_guide("assetType").unwrap();
    assert!(guide.contains("## About this type") && guide.contains("**usage**: You create the kind"));
    let (sections, told) = world.inspector(&kind).unwrap();
    let ids: Vec<_> = sections.iter().map(|section| section.id.as_str()).collect();
    assert_eq!(
        (ids, told),
        (
            vec![
                "type",
                "declared",
                "schema",
                "instances",
                "contents",
                "problems",
                "references"
            ],
            vec![]
        )
    );
}

#[test]
fn methods_fire_events_that_outlive_a_move() {
    let mut world = open(&[]);
    let (diary, _) = Diary::shared();
    world.attach("note", diary);
    let a = world.create(&Create::new("note", "a")).unwrap().path;
    let heard = world.subscribe(&a, "rung").unwrap();
    assert_eq!(world.call(&a, "ring", &[3.into()]).unwrap(), "ring");
    let to = source("/far/b.note");
    world.move_asset(&a, &to).unwrap();
    world.call(&to, "ring", &[4.into()]).unwrap();
    assert_eq!(
        heard.take(),
        [serde_json::json!({ "times": 3 }), serde_json::json!({ "times": 4 })]
    );
    assert!(heard.take().is_empty());
    let error = world.call(&to, "ring", &[0.into()]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`times` does not fit: 0 is out of its range, at least 1"),
        "{error}"
    );
    assert!(
        matches!(world.call(&to, "deps", &[]), Err(Error::NoMethod { .. })),
        "every asset answers to it itself"
    );
    assert!(
        world
            .call(&to, "rign", &[])
            .unwrap_err()
            .to_string()
            .contains("did you mean `ring`?")
    );
    assert!(
        world
            .subscribe(&to, "rang")
            .unwrap_err()
            .to_string()
            .contains("did you mean `rung`?")
    );
}
