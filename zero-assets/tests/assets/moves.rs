//! Moves, removals and replacements that fail: nothing is lost, and what is told is where everything is.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zero_assets::{Asset, Behavior, Create, Error, HookContext, HookResult, Kept, Workspace, builtin};
use zero_vfs::{Mount, Vfs, VfsPath};

use crate::diary::{Diary, FILES, source, values};
use crate::faulty::{Faults, Faulty};
use crate::path;

const GUID: &str = "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n";

/// A world with a second source mounted in it.
fn two_mounts(files: &[(&str, &str)]) -> (Workspace, Faults, Faults) {
    let (first, here) = Faulty::new(&[FILES, files].concat());
    let (second, there) = Faulty::new(&[("/keep.txt", "")]);
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), first)).unwrap();
    vfs.mount(Mount::new(source("/other"), second)).unwrap();
    (Workspace::open(Arc::new(vfs)).unwrap(), here, there)
}

/// The files below a folder with their bytes, seen from it.
fn held(world: &Workspace, folder: &VfsPath) -> Vec<(String, Vec<u8>)> {
    let vfs = world.vfs();
    let files = vfs.walk(folder).map(|walk| walk.files).unwrap_or_default().into_iter();
    files
        .map(|file| (file.relative_to(folder).unwrap().to_string(), vfs.read(&file).unwrap()))
        .collect()
}

/// What is known is what a fresh look finds.
fn is_up_to_date(world: &Workspace) {
    let fresh = Workspace::open(world.vfs().clone()).unwrap();
    let all = |world: &Workspace| world.assets().iter().cloned().collect::<Vec<Asset>>();
    assert_eq!(all(world), all(&fresh));
}

const NOTE: &[(&str, &str)] = &[
    ("/a.note/.refs", GUID),
    ("/a.note/aaa.luau", "--"),
    ("/a.note/note.txt", "x"),
    ("/a.note/zzz/more.txt", "y"),
];

/// Fails the change of that number, and all after it where `for_ever`.
fn from_on(number: usize, for_ever: bool, action: &'static str) -> impl Fn(&str, &VfsPath) -> Option<ErrorKind> {
    let count = AtomicUsize::new(0);
    move |done, _| {
        let is_counted = done == action;
        let now = if is_counted {
            count.fetch_add(1, Ordering::Relaxed)
        } else {
            0
        };
        let fails = is_counted && (now == number || for_ever && now > number);
        fails.then_some(ErrorKind::PermissionDenied)
    }
}

#[test]
fn a_move_into_another_mount_that_fails_loses_no_byte() {
    let (from, to) = (source("/a.note"), source("/other/a.note"));
    // Six removals: four files, two folders.
    for number in 0..6 {
        let (mut world, here, _) = two_mounts(NOTE);
        let before = held(&world, &from);
        assert_eq!(before.len(), 4);
        here.set(from_on(number, false, "remove"));
        let error = world.move_asset(&from, &to).unwrap_err();
        assert!(error.to_string().contains("could not remove"), "{error}");
        assert_eq!(held(&world, &from), before, "removal {number}: it is where it was");
        assert_eq!(held(&world, &to), [], "removal {number}");
        is_up_to_date(&world);

        // Where it cannot be put back, all of it stays where it was copied to, and the error names both places.
        let (mut world, here, _) = two_mounts(NOTE);
        here.set(move |action, _| (action == "write").then_some(ErrorKind::StorageFull));
        let removals = from_on(number, true, "remove");
        here.set(move |action, path| match action {
            "write" => Some(ErrorKind::StorageFull),
            _ => removals(action, path),
        });
        let error = world.move_asset(&from, &to).unwrap_err();
        match (number, &error) {
            // Nothing had gone yet.
            (0, error) => assert!(!matches!(error, Error::HalfMoved { .. })),
            (_, Error::HalfMoved { from: old, to: new, .. }) => assert_eq!((old, new), (&from, &to)),
            (4.., error) => assert!(matches!(error, Error::HalfMoved { .. }), "{error}"),
            (_, error) => panic!("removal {number}: {error}"),
        }
        let whole = if number == 0 { &from } else { &to };
        assert_eq!(held(&world, whole), before, "removal {number}: {error}");
        is_up_to_date(&world);
    }
    // The copy does not come to be.
    let (mut world, _, there) = two_mounts(NOTE);
    let before = held(&world, &from);
    there.set(from_on(0, true, "write"));
    assert!(world.move_asset(&from, &to).is_err());
    assert_eq!((held(&world, &from), held(&world, &to)), (before.clone(), vec![]));
    // Nothing fails.
    there.none();
    world.move_asset(&from, &to).unwrap();
    assert_eq!((held(&world, &from), held(&world, &to)), (vec![], before));
    is_up_to_date(&world);
}

#[test]
fn a_write_that_stands_and_is_not_synced_is_known_of() {
    let (mut world, here, _) = two_mounts(NOTE);
    here.set(|done: &str, _: &VfsPath| (done == "write").then_some(ErrorKind::Interrupted));
    let at = source("/a.note");
    let error = world.write_settings(&at, &values(&[("size", 42.into())])).unwrap_err();
    assert!(
        matches!(error, Error::Vfs(zero_vfs::Error::NotSynced { .. })),
        "{error}"
    );
    is_up_to_date(&world);
    let settled = world.settle().unwrap();
    let told: BTreeSet<&str> = settled.diagnostics.iter().map(|told| &*told.code).collect();
    assert_eq!(
        (settled.left, told),
        (vec![], BTreeSet::from(["vfs.not_synced"])),
        "it is written all the same"
    );
    is_up_to_date(&world);
}

/// What is made of an asset is written with what says what it was made of, be it that it may not outlast a stop.
#[test]
fn what_is_computed_or_pictured_and_not_synced_is_kept() {
    struct Sum;
    impl Behavior for Sum {
        fn derive(&self, asset: &HookContext<'_>) -> HookResult<Option<Vec<u8>>> {
            Ok(Some(asset.read("a.txt")?))
        }
    }
    let kind = "primary: a.txt\nderive: { output: out.txt, required: true }\npreview: { kind: custom }\n";
    let (mut world, here, _) = two_mounts(&[("/sum.assetType/type.yaml", kind), ("/a.sum/a.txt", "x")]);
    world.attach("sum", Arc::new(Sum));
    world.settle().unwrap();
    here.set(|done: &str, _: &VfsPath| (done == "write").then_some(ErrorKind::Interrupted));
    let at = source("/a.sum");
    let is_unsynced = |error: Error| matches!(error, Error::Vfs(zero_vfs::Error::NotSynced { .. }));
    assert!(is_unsynced(world.derive(&at).unwrap_err()));
    assert_eq!(world.derive(&at).unwrap(), None, "it is computed");
    assert!(is_unsynced(world.keep_preview(&at, b"\x89PNG\r\n\x1a\n").unwrap_err()));
    assert_eq!(world.picture(&at).unwrap().unwrap().kept, Kept::Current);
    assert!(
        !world
            .validate(&at)
            .unwrap()
            .iter()
            .any(|told| told.code == "asset.not_derived")
    );
    is_up_to_date(&world);
    // One that is not written at all leaves nothing that says that it is.
    world.vfs().write(&at.join("a.txt").unwrap(), b"y").unwrap_err();
    world.update(std::time::Duration::from_secs(1));
    here.set(|done: &str, path: &VfsPath| {
        (done == "write" && path.name() == Some(".refs")).then_some(ErrorKind::Other)
    });
    assert!(world.derive(&at).is_err());
    here.none();
    assert!(world.derive(&at).unwrap().is_some());
    is_up_to_date(&world);
}

#[test]
fn a_move_that_stands_and_is_not_synced_is_a_move() {
    let unsynced =
        |action: &'static str| move |done: &str, _: &VfsPath| (done == action).then_some(ErrorKind::Interrupted);
    let (from, to) = (source("/a.note"), source("/other/a.note"));
    let (mut world, here, _) = two_mounts(NOTE);
    let before = held(&world, &from);
    here.set(unsynced("remove"));
    let error = world.move_asset(&from, &to).unwrap_err();
    assert!(
        matches!(error, Error::Vfs(zero_vfs::Error::NotSynced { .. })),
        "{error}"
    );
    assert_eq!((held(&world, &from), held(&world, &to)), (vec![], before.clone()));
    is_up_to_date(&world);
    // A copy that may not last is no reason to take the old away.
    let (mut world, _, there) = two_mounts(NOTE);
    there.set(unsynced("write"));
    assert!(world.move_asset(&from, &to).is_err());
    assert_eq!((held(&world, &from), held(&world, &to)), (before, vec![]));
    is_up_to_date(&world);
}

const SOUNDS: &[(&str, &str)] = &[
    ("/sound.assetType/type.yaml", "primary: '*'\nclassify_exts: [wav]\n"),
    ("/bang.wav", "x"),
    ("/bang.wav.refs", GUID),
];

#[test]
fn a_file_and_its_sidecar_go_together_or_not_at_all() {
    for to in ["/loud/boom.wav", "/other/boom.wav"] {
        let to = source(to);
        let (mut world, here, there) = two_mounts(SOUNDS);
        let guid = world.assets().find("bang").unwrap().guid;
        let fails = |action: &str, path: &VfsPath| {
            let is_sidecar = path.name().is_some_and(|name| name.ends_with(".wav.refs"));
            (action != "list" && is_sidecar).then_some(ErrorKind::PermissionDenied)
        };
        here.set(fails);
        there.set(fails);
        assert!(world.move_asset(&source("/bang.wav"), &to).is_err());
        assert_eq!(world.assets().find("bang").unwrap().guid, guid);
        assert_eq!(world.vfs().stat(&to).unwrap(), None, "{to}");
        is_up_to_date(&world);

        // Nor can the file be put back: the error says where it is.
        let count = AtomicUsize::new(0);
        here.set(move |action, path| {
            let is_back = matches!(action, "rename" | "write") && matches!(path.name(), Some("boom.wav" | "bang.wav"));
            let is_back = is_back && count.fetch_add(1, Ordering::Relaxed) > 0;
            fails(action, path).or(is_back.then_some(ErrorKind::PermissionDenied))
        });
        let error = world.move_asset(&source("/bang.wav"), &to).unwrap_err();
        if to.as_str().contains("/loud/") {
            assert!(
                matches!(&error, Error::NotUndone { left, .. } if *left == [to.clone()]),
                "{error}"
            );
            assert!(
                error
                    .to_string()
                    .contains("could not be taken back at `/zero/source/loud/boom.wav`"),
                "{error}"
            );
        }
        is_up_to_date(&world);

        // What may not outlast a stop of the machine is done all the same: the two stay together.
        let (mut world, here, there) = two_mounts(SOUNDS);
        for faults in [&here, &there] {
            faults.set(|action, _| ["rename", "remove"].contains(&action).then_some(ErrorKind::Interrupted));
        }
        let error = world.move_asset(&source("/bang.wav"), &to).unwrap_err();
        assert!(
            matches!(error, Error::Vfs(zero_vfs::Error::NotSynced { .. })),
            "{error}"
        );
        assert_eq!(world.assets().at(&to).unwrap().guid, guid);
        is_up_to_date(&world);
    }
}

#[test]
fn a_replacement_that_fails_puts_back_all_that_can_be_put_back() {
    let (mut world, here, _) = two_mounts(&[
        ("/a.note/.refs", GUID),
        ("/a.note/a.luau", "-- a"),
        ("/a.note/b.luau", "-- b"),
        ("/a.note/note.txt", "mine"),
    ]);
    world.attach("note", Arc::new(Diary::default()));
    let folder = source("/a.note");
    let before = held(&world, &folder);
    let replace = Create::new("note", "a").replacing();
    // One that is locked: the rest is as it was.
    for locked in ["b.luau", "extra.txt", "settings.yaml", "README.md", ".refs"] {
        here.set(move |action, path| {
            (action != "list" && path.name() == Some(locked)).then_some(ErrorKind::ResourceBusy)
        });
        let error = world.create(&replace).unwrap_err();
        assert!(!matches!(error, Error::NotUndone { .. }), "{locked}: {error}");
        assert_eq!(held(&world, &folder), before, "{locked}");
        is_up_to_date(&world);
    }
    // Two that cannot be written any more once something failed: all the others are as they were, and the error names the
    // two beside what failed first.
    let failed = Arc::new(AtomicUsize::new(0));
    here.set(move |action, path| match (action, path.name()) {
        ("list", _) => None,
        (_, Some("b.luau")) => {
            failed.store(1, Ordering::Relaxed);
            Some(ErrorKind::StorageFull)
        }
        (_, Some("extra.txt" | "settings.yaml")) if failed.load(Ordering::Relaxed) > 0 => {
            Some(ErrorKind::PermissionDenied)
        }
        _ => None,
    });
    let error = world.create(&replace).unwrap_err();
    match &error {
        Error::NotUndone { error, left, why } => {
            assert!(error.to_string().contains("b.luau"), "{error}");
            assert_eq!(*left, [source("/a.note/settings.yaml"), source("/a.note/extra.txt")]);
            assert!(why.contains("permission denied"), "{why}");
        }
        other => panic!("{other}"),
    }
    let others = held(&world, &folder).into_iter();
    let others: Vec<_> = others
        .filter(|(file, _)| file != "/extra.txt" && file != "/settings.yaml")
        .collect();
    assert_eq!(others, before);
    is_up_to_date(&world);
    here.none();
    world.create(&replace).unwrap();
    is_up_to_date(&world);
}

#[test]
fn a_removal_that_fails_is_known_and_keeps_who_the_asset_is() {
    for number in 0..5 {
        let (mut world, here, _) = two_mounts(NOTE);
        here.set(from_on(number, true, "remove"));
        assert!(world.delete(&source("/a.note")).is_err());
        is_up_to_date(&world);
        let is_there = world.vfs().stat(&source("/a.note/.refs")).unwrap().is_some();
        assert_eq!(is_there, number < 4, "its sidecar goes last of its files");
    }
    // Where folders go in one step it is there or gone.
    let mut world = crate::diary::open(NOTE);
    world.delete(&source("/a.note")).unwrap();
    assert_eq!(world.vfs().stat(&source("/a.note")).unwrap(), None);
    is_up_to_date(&world);
    // A loose file that is removed, and its sidecar not: it is gone, with what it named.
    let (mut world, here, _) = two_mounts(SOUNDS);
    here.set(|action, path| {
        (action == "remove" && path.name() == Some("bang.wav.refs")).then_some(ErrorKind::ResourceBusy)
    });
    assert!(world.delete(&source("/bang.wav")).is_err());
    is_up_to_date(&world);
}

#[test]
fn what_a_creation_is_refused_for_a_move_is_refused_for_too() {
    #[derive(Debug)]
    struct Short;
    impl zero_assets::Behavior for Short {
        fn accepts_name(&self, name: &str) -> bool {
            name.len() < 6
        }
    }
    let mut world = crate::diary::open(&[
        ("/a.note/note.txt", "x"),
        ("/too_long.note/note.txt", "x"),
        ("/it-is.note/note.txt", "x"),
        ("/box.crate/crate.yaml", "version: 1\n"),
        (
            "/shut.assetType/type.yaml",
            "primary: shut.yaml\nis_container: true\nis_opaque_walker: true\n",
        ),
        ("/a.shut/shut.yaml", ""),
    ]);
    let check = |world: &mut Workspace, folder: &str, name: &str, expected: &str| {
        let made = world
            .create(&Create::new("note", name).folder(folder))
            .unwrap_err()
            .to_string();
        let to = source(&format!("/{folder}/{name}.note").replace("//", "/"));
        let moved = world.move_asset(&source("/a.note"), &to).unwrap_err().to_string();
        assert!(made.contains(expected) && moved.contains(expected), "{made}\n{moved}");
    };
    let before = world.vfs().walk(&source("")).unwrap().files;
    check(&mut world, "", "two words", "is no name for a note");
    check(&mut world, "note.assetType/template", "b", "in a type's template");
    check(&mut world, ".install", "b", "where installations are prepared");
    check(
        &mut world,
        "too_long.note/deep",
        "b",
        "is a note, which holds no other assets",
    );
    check(&mut world, "a.shut/deep", "b", "is a shut, which holds no other assets");
    let outside = world
        .move_asset(&source("/a.note"), &path("/elsewhere/a.note"))
        .unwrap_err();
    assert!(matches!(outside, Error::NoPlace { .. }), "{outside}");
    // By the rules of the type's behaviour, where it has one.
    let told = |world: &Workspace| -> Vec<String> {
        let all = world.diagnostics().into_iter();
        all.filter(|told| told.code == "asset.name")
            .map(|told| told.path.to_string())
            .collect()
    };
    assert_eq!(told(&world), ["/zero/source/it-is.note"]);
    world.attach("note", Arc::new(Short));
    assert_eq!(
        told(&world),
        ["/zero/source/too_long.note"],
        "it takes the one and not the other"
    );
    assert!(
        world
            .validate(&source("/it-is.note"))
            .unwrap()
            .iter()
            .all(|told| told.code != "asset.name")
    );
    assert!(
        world
            .validate(&source("/too_long.note"))
            .unwrap()
            .iter()
            .any(|told| told.code == "asset.name")
    );
    check(&mut world, "", "longer", "is no name for a note");
    assert_eq!(world.vfs().walk(&source("")).unwrap().files, before);
    // One that has such a name already keeps it wherever it goes; a name and a place that will do are taken.
    world
        .move_asset(&source("/too_long.note"), &source("/box.crate/too_long.note"))
        .unwrap();
    world
        .move_asset(&source("/a.note"), &source("/box.crate/a-b.note"))
        .unwrap();
    // The folder that is the source itself.
    world.create(&Create::new("note", "c").folder("")).unwrap();
    assert!(world.assets().at(&source("/c.note")).is_some());
}
