//! Which files are sidecars, and what becomes of one that cannot be read or written.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use zero_assets::{Action, Assets, Create, Error, InstallOptions, Workspace, builtin};
use zero_vfs::{Mount, Vfs, VfsPath};

use crate::diary::{FILES, open, source, text};
use crate::faulty::Faulty;
use crate::{told, world};

const GUID: &str = "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n";

#[test]
fn a_file_that_only_ends_like_a_sidecar_is_its_authors_own() {
    let vfs = world(&[
        ("/sound.assetType/type.yaml", "primary: '*'\nclassify_exts: [wav]\n"),
        ("/sound.assetType/README.md", "x"),
        ("/note.assetType/type.yaml", "primary: note.txt\n"),
        ("/note.assetType/README.md", "x"),
        ("/a.note/note.txt", ""),
        ("/a.note/note.txt.refs", "not: [a sidecar"),
        ("/a.note/mine.refs", "not: [a sidecar"),
        ("/a.note/deep/.refs", "not: [a sidecar"),
        ("/plain/.refs", "not: [a sidecar"),
        ("/bang.wav.refs", "not: [a sidecar"),
    ]);
    let mut assets = Assets::load(&vfs).unwrap();
    let files = |assets: &Assets| -> Vec<String> {
        let files = assets.files_of(assets.find("a").unwrap()).into_iter();
        files
            .map(|file| file.relative_to(&source("/a.note")).unwrap().to_string())
            .collect()
    };
    assert_eq!(
        files(&assets),
        ["/deep/.refs", "/mine.refs", "/note.txt", "/note.txt.refs"]
    );
    assert_eq!(told(&assets), Vec::<String>::new());
    // It is one from when its file comes, until that goes.
    let bang = source("/bang.wav");
    vfs.write(&bang, b"x").unwrap();
    assets.apply(&vfs, [bang.clone()]).unwrap();
    assert!(
        told(&assets)[0].contains("bang.wav.refs:") && told(&assets)[0].contains("refs.broken"),
        "{:?}",
        told(&assets)
    );
    vfs.remove(&bang).unwrap();
    assets.apply(&vfs, [bang.clone()]).unwrap();
    assert_eq!(told(&assets), Vec::<String>::new());
    vfs.write(&source("/bang.wav.refs"), GUID.as_bytes()).unwrap();
    assets.apply(&vfs, [source("/bang.wav.refs")]).unwrap();
    vfs.write(&bang, b"x").unwrap();
    assets.apply(&vfs, [bang]).unwrap();
    assert!(assets.find("bang").unwrap().guid.is_some());
    assert_eq!(told(&assets), Vec::<String>::new());
}

#[test]
fn a_sidecar_that_cannot_be_read_is_left_as_it_is() {
    for broken in [
        "version: 2\nguid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n".to_owned(),
        format!("<<<<<<< ours\n{GUID}=======\n{GUID}>>>>>>> theirs\n"),
        format!("{GUID}references: [{{ via: key:see }}]\n"),
        format!("{GUID}#{}\n", "x".repeat(1 << 20)),
    ] {
        let mut world = open(&[
            ("/a.note/note.txt", "x"),
            ("/a.note/.refs", &broken),
            ("/b.note/note.txt", "x"),
        ]);
        let settled = world.settle().unwrap();
        assert!(
            settled.given.iter().any(|(path, _)| *path == source("/b.note")),
            "it stops nothing else"
        );
        assert!(
            settled.left.contains(&source("/a.note")) || broken.contains("references"),
            "{:?}",
            settled.left
        );
        // One that is edited, replaced or derived from keeps it too.
        world.vfs().write(&source("/a.note/init.luau"), b"see('b')").unwrap();
        world.update(Duration::from_secs(1));
        let settled = world.settle().unwrap();
        assert!(
            settled.diagnostics.iter().any(|told| told.code == "refs.broken"),
            "{:?}",
            settled.diagnostics
        );
        let error = world.create(&Create::new("note", "a").replacing()).unwrap_err();
        assert!(matches!(error, Error::Broken { .. }), "{error}");
        assert_eq!(text(world.vfs(), "/a.note/.refs"), broken);
        assert_eq!(text(world.vfs(), "/a.note/note.txt"), "x");
    }
}

#[test]
fn one_that_cannot_be_written_stops_no_other() {
    let notes = ["/a.note/note.txt", "/b.note/note.txt", "/c.note/note.txt"].map(|file| (file, "x"));
    let (faulty, faults) = Faulty::new(&[FILES, &notes].concat());
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(source(""), faulty)).unwrap();
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    faults.set(|action: &str, path: &VfsPath| {
        (action == "write" && path.as_str() == "/b.note/.refs").then_some(ErrorKind::PermissionDenied)
    });
    let settled = world.settle().unwrap();
    assert!(settled.left.contains(&source("/b.note")));
    let told: Vec<_> = settled.diagnostics.iter().map(ToString::to_string).collect();
    assert!(
        told[0].starts_with("/zero/source/b.note: error[refs.not_written]"),
        "{told:?}"
    );
    for (name, has) in [("a", true), ("b", false), ("c", true)] {
        assert_eq!(world.assets().find(name).unwrap().guid.is_some(), has, "{name}");
    }
    faults.none();
    assert_eq!(world.settle().unwrap().given.len(), 1);
}

#[test]
fn an_update_of_a_package_asks_before_it_loses_a_file_that_ends_so() {
    let kind = "primary: package.yaml\nis_container: true\nroot: true\nsystem: true\n";
    let packed = |version: &str| {
        let yaml = format!("name: doors\nversion: {version}\n");
        let vfs = world(&[
            ("/kit.assetType/type.yaml", kind),
            ("/kit.assetType/README.md", "# kit"),
            ("/kit.assetType/.refs", "guid: 1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n"),
            ("/doors.kit/package.yaml", &yaml),
            ("/doors.kit/gone.txt", ""),
            (
                if version == "1.0.0" {
                    "/doors.kit/old.txt"
                } else {
                    "/doors.kit/new.txt"
                },
                "",
            ),
            ("/doors.kit/.refs", GUID),
        ]);
        Workspace::open(Arc::new(vfs))
            .unwrap()
            .pack(&source("/doors.kit"))
            .unwrap()
    };
    let (old, new) = (packed("1.0.0"), packed("1.1.0"));
    let mut world = open(&[]);
    world.install(&old, &InstallOptions::default()).unwrap();
    // What an update would do, file by file.
    let preview = world.preview_install(&new, &InstallOptions::default()).unwrap();
    let planned = preview.parts.last().unwrap();
    assert!(matches!(planned.action, Action::Replace { .. }));
    assert_eq!(planned.added, [source("/doors.kit/new.txt")]);
    assert_eq!(planned.changed, [source("/doors.kit/package.yaml")]);
    assert_eq!(planned.removed, [source("/doors.kit/old.txt")]);
    let kept = &preview.parts[0];
    assert_eq!(kept.action, Action::Same);
    assert!(kept.added.is_empty() && kept.changed.is_empty() && kept.removed.is_empty());
    // A person's own file is an edit, whatever it is called.
    world.vfs().write(&source("/doors.kit/mine.refs"), b"precious").unwrap();
    let refused = world.install(&new, &InstallOptions::default()).unwrap_err();
    assert!(
        refused.to_string().contains("/zero/source/doors.kit/mine.refs"),
        "{refused}"
    );
    assert_eq!(text(world.vfs(), "/doors.kit/mine.refs"), "precious");
}

#[test]
fn many_copies_of_one_asset_are_told_in_few_words() {
    let names: Vec<String> = (0..200).map(|number| format!("/n{number:03}.note")).collect();
    let files: Vec<(String, &str)> = names
        .iter()
        .flat_map(|name| [(format!("{name}/note.txt"), "x"), (format!("{name}/.refs"), GUID)])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), *text)).collect();
    let mut world = open(&files);
    let told = world.diagnostics();
    assert_eq!(told.len(), 200);
    assert!(
        told[7].message
            == "it has the same guid as `/zero/source/n000.note`, `/zero/source/n001.note`, `/zero/source/n002.note`, \
                `/zero/source/n003.note`, `/zero/source/n004.note`, and 194 more: one is a copy",
        "{}",
        told[7]
    );
    world.settle().unwrap();
    assert!(world.diagnostics().is_empty());
}
