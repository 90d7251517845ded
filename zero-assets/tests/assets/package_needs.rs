//! What packages need of each other and of the world, from end to end of a chain, and what is whose.

use std::sync::Arc;
use std::time::Duration;

use zero_assets::{Action, Conflict, Edits, Error, Guid, InstallOptions, Package, Workspace};
use zero_vfs::VfsPath;

use crate::diary::{source, text};
use crate::world;

const TYPES: &[(&str, &str)] = &[
    (
        "/types/note.assetType/type.yaml",
        "primary: note.yaml\nreferences: { keys: [{ key: see, type: note }] }\n",
    ),
    ("/types/note.assetType/README.md", "# note"),
    (
        "/types/kit.assetType/type.yaml",
        "primary: package.yaml\nis_container: true\nroot: true\n",
    ),
    ("/types/kit.assetType/README.md", "# kit"),
    // One type in all worlds.
    (
        "/types/note.assetType/.refs",
        "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n",
    ),
    (
        "/types/kit.assetType/.refs",
        "guid: 1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n",
    ),
];

fn open(files: &[(&str, &str)]) -> Workspace {
    Workspace::open(Arc::new(world(files))).unwrap()
}

/// A world with a package for each name, version and needs.
fn kits(kits: &[(&str, &str, &str)], files: &[(&str, &str)]) -> Workspace {
    let kits: Vec<(String, String)> = kits
        .iter()
        .map(|(name, version, needs)| {
            let text = format!("version: {version}\ndependencies: [{needs}]\n");
            (format!("/{name}.kit/package.yaml"), text)
        })
        .collect();
    let kits = kits.iter().map(|(file, text)| (file.as_str(), text.as_str()));
    let all: Vec<(&str, &str)> = TYPES.iter().chain(files).copied().chain(kits).collect();
    open(&all)
}

fn write(world: &mut Workspace, inner: &str, text: &str) {
    world.vfs().write(&source(inner), text.as_bytes()).unwrap();
    follow(world);
}

fn follow(world: &mut Workspace) {
    use std::sync::atomic::{AtomicU64, Ordering};
    static SECONDS: AtomicU64 = AtomicU64::new(1);
    world.update(Duration::from_secs(SECONDS.fetch_add(10, Ordering::Relaxed)));
}

fn plain() -> InstallOptions {
    InstallOptions::default()
}

fn packages_of(package: &Package) -> Vec<String> {
    let parts = package.manifest().parts.iter().filter_map(|part| part.package.as_ref());
    let mut names: Vec<String> = parts.map(|id| format!("{} {}", id.name, id.version)).collect();
    names.sort();
    names
}

fn conflicts(result: Result<impl std::fmt::Debug, Error>) -> Vec<String> {
    match result {
        Err(Error::PackageConflicts { package, conflicts }) => conflicts
            .iter()
            .map(|conflict| format!("{package}: {conflict}"))
            .collect(),
        other => vec![format!("{other:?}")],
    }
}

fn guid(world: &Workspace, name: &str) -> Guid {
    world.assets().find(name).unwrap().guid.unwrap()
}

/// Every file of the world's source.
fn all(world: &Workspace) -> Vec<(String, Vec<u8>)> {
    let files = world.vfs().walk(&source("")).unwrap().files.into_iter();
    let own = files.filter(|file| !file.as_str().contains("/libs/") && !file.as_str().contains("/.install/"));
    own.map(|file| (file.to_string(), world.vfs().read(&file).unwrap()))
        .collect()
}

const CHAIN: &[(&str, &str, &str)] = &[
    ("house", "1.0.0", "{ name: wall, version: ^1.0 }"),
    ("wall", "1.5.0", "{ name: stone, version: ^2.0 }"),
    // A ring is no reason to go round for ever.
    ("stone", "2.1.0", "{ name: house, version: '*' }"),
    ("garden", "1.0.0", ""),
];

#[test]
fn what_a_needed_package_needs_travels_too() {
    let mut first = kits(CHAIN, &[]);
    let package = first.pack(&source("/house.kit")).unwrap();
    assert_eq!(packages_of(&package), ["house 1.0.0", "stone 2.1.0", "wall 1.5.0"]);
    // Where one along the way is not there, whoever needs it is named.
    let mut first = kits(&CHAIN[..2], &[]);
    let told = conflicts(first.pack(&source("/house.kit")));
    assert_eq!(told, ["wall: it needs `stone` ^2.0, which is not there"]);
    // So it is where a package is carried along for an asset in it that is named.
    let named = [
        ("/house.kit/a.note/note.yaml", "see: wall.b\n"),
        ("/wall.kit/b.note/note.yaml", "text: b\n"),
    ];
    let without: &[(&str, &str, &str)] = &[("house", "1.0.0", ""), CHAIN[1], CHAIN[2]];
    let package = kits(without, &named).pack(&source("/house.kit")).unwrap();
    assert_eq!(packages_of(&package), ["house 1.0.0", "stone 2.1.0", "wall 1.5.0"]);
}

#[test]
fn a_version_that_stays_must_do_for_all_that_come() {
    let mut first = kits(CHAIN, &[]);
    let package = first.pack(&source("/house.kit")).unwrap();
    // A newer stone is there, which is not replaced, and which the wall cannot stand on.
    let refs = first.vfs().read(&source("/stone.kit/.refs")).unwrap();
    let refs = String::from_utf8(refs).unwrap();
    let mut other = kits(&[("stone", "3.0.0", "")], &[("/stone.kit/.refs", &refs)]);
    let newer = other.pack(&source("/stone.kit")).unwrap();
    let mut second = open(&[]);
    second.install(&newer, &plain()).unwrap();
    follow(&mut second);
    let before = all(&second);
    let told = conflicts(second.install(&package, &plain()));
    assert!(
        told.contains(&"house: it needs `stone` ^2.0, and 3.0.0 is there".to_owned()),
        "{told:?}"
    );
    assert_eq!(all(&second), before);
    // Where it gives way, it does.
    let preview = second
        .preview_install(&package, &plain().downgrading().overwriting())
        .unwrap();
    assert!(
        !preview
            .conflicts
            .iter()
            .any(|conflict| matches!(conflict, Conflict::Requires { .. }))
    );
    // A version that would go does not count for what comes.
    write(
        &mut first,
        "/wall.kit/package.yaml",
        "version: 2.0.0\ndependencies: [{ name: stone, version: ^2.0 }]\n",
    );
    let wall = first.pack(&source("/wall.kit"));
    let told = conflicts(wall);
    assert_eq!(told, ["house: it needs `wall` ^1.0, and 2.0.0 is there"]);
}

#[test]
fn a_package_that_another_needs_does_not_go() {
    let mut first = kits(CHAIN, &[]);
    let package = first.pack(&source("/house.kit")).unwrap();
    let (house, wall) = (guid(&first, "house"), guid(&first, "wall"));
    let stone = first.pack(&source("/stone.kit")).unwrap();
    let mut second = kits(&[("shed", "1.0.0", "{ name: stone, version: '>=2' }")], &[]);
    second.settle().unwrap();
    second.install(&stone, &plain()).unwrap();
    follow(&mut second);
    let told = conflicts(second.uninstall(stone.manifest().guid, Edits::Refuse));
    assert_eq!(told, ["stone: `/zero/source/shed.kit` needs `stone` >=2"]);
    // What came for another stays where it is needed, and the rest of that goes.
    let mut third = kits(&[("shed", "1.0.0", "{ name: stone, version: '>=2' }")], &[]);
    third.settle().unwrap();
    third.install(&package, &plain()).unwrap();
    follow(&mut third);
    // The stone needs the house; as it stays, so does that.
    let told = conflicts(third.uninstall(house, Edits::Refuse));
    assert_eq!(told, ["house: `/zero/source/stone.kit` needs `house` *"]);
    write(&mut third, "/stone.kit/package.yaml", "version: 2.1.0\n");
    let gone = third.uninstall(house, Edits::Refuse).unwrap();
    assert!(
        gone.contains(&source("/house.kit")) && gone.contains(&source("/wall.kit")),
        "{gone:?}"
    );
    assert!(third.assets().find("stone").is_ok());
    assert!(third.assets().by_guid(wall).is_err());
}

#[test]
fn a_type_in_a_package_does_not_come_beside_one_of_its_name_or_suffix() {
    let lamp = [
        (
            "/house.kit/lamp.assetType/type.yaml",
            "primary: lamp.yaml\nsuffix: .light\n",
        ),
        ("/house.kit/lamp.assetType/README.md", "# lamp"),
        ("/house.kit/hall.light/lamp.yaml", "on: true\n"),
        (
            "/house.kit/lamp.assetType/template/odd.assetType/type.yaml",
            "primary: x\n",
        ),
    ];
    let mut first = kits(&[("house", "1.0.0", "")], &lamp);
    let package = first.pack(&source("/house.kit")).unwrap();
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let mut second = open(files);
        let before = all(&second);
        let told = conflicts(second.install(&package, &plain()));
        assert_eq!(told, expected);
        assert_eq!(all(&second), before, "nothing was written");
    };
    check(
        &[("/lamp.assetType/type.yaml", "primary: a\n")],
        &["house: the type `lamp` is that of `/zero/source/lamp.assetType` already"],
    );
    check(
        &[("/torch.assetType/type.yaml", "primary: a\nsuffix: .light\n")],
        &["house: the type `lamp` has the suffix `.light`, which is that of `/zero/source/torch.assetType` already"],
    );
    let mut second = open(&[("/odd.assetType/type.yaml", "primary: a\n")]);
    second.install(&package, &plain()).unwrap();
    follow(&mut second);
    assert_eq!(second.assets().find("house.hall").unwrap().kind, "lamp");
    // An update of it is in nobody's way, wherever it lies now.
    second
        .move_asset(&source("/house.kit"), &source("/far/house.kit"))
        .unwrap();
    write(&mut first, "/house.kit/hall.light/lamp.yaml", "on: false\n");
    let newer = first.pack(&source("/house.kit")).unwrap();
    second.install(&newer, &plain()).unwrap();
    assert_eq!(text(second.vfs(), "/far/house.kit/hall.light/lamp.yaml"), "on: false\n");
}

#[test]
fn what_a_newer_version_does_not_have_stays_and_goes_with_the_package() {
    let files = [
        ("/house.kit/a.note/note.yaml", "see: hinge\n"),
        ("/hinge.note/note.yaml", "text: iron\n"),
    ];
    let mut first = kits(&[("house", "1.0.0", "")], &files);
    let old = first.pack(&source("/house.kit")).unwrap();
    let house = guid(&first, "house");
    write(&mut first, "/house.kit/a.note/note.yaml", "text: none\n");
    write(&mut first, "/house.kit/package.yaml", "version: 1.1.0\n");
    let new = first.pack(&source("/house.kit")).unwrap();
    let mut second = open(&[]);
    assert_eq!(
        second.preview_install(&old, &plain()).unwrap().dropped,
        [] as [VfsPath; 0]
    );
    second.install(&old, &plain()).unwrap();
    follow(&mut second);
    let done = second.install(&new, &plain()).unwrap().done;
    assert_eq!(done.dropped, [source("/hinge.note")]);
    assert_eq!(
        text(second.vfs(), "/hinge.note/note.yaml"),
        "text: iron\n",
        "the world may name it"
    );
    follow(&mut second);
    let gone = second.uninstall(house, Edits::Refuse).unwrap();
    assert!(gone.contains(&source("/hinge.note")), "{gone:?}");
    assert!(second.assets().find("hinge").is_err());
    // One that was edited since stays, as it would have.
    let mut third = open(&[]);
    third.install(&old, &plain()).unwrap();
    follow(&mut third);
    third.install(&new, &plain()).unwrap();
    follow(&mut third);
    write(&mut third, "/hinge.note/note.yaml", "text: mine\n");
    third.uninstall(house, Edits::Refuse).unwrap();
    assert_eq!(text(third.vfs(), "/hinge.note/note.yaml"), "text: mine\n");
}

#[test]
fn what_the_world_had_itself_does_not_go_with_a_package() {
    let files = [
        ("/house.kit/a.note/note.yaml", "see: hinge\n"),
        ("/hinge.note/note.yaml", "text: iron\n"),
    ];
    let mut first = kits(&[("house", "1.0.0", "")], &files);
    let package = first.pack(&source("/house.kit")).unwrap();
    let house = guid(&first, "house");
    let refs = first.vfs().read(&source("/hinge.note/.refs")).unwrap();
    let kind = first.vfs().read(&source("/types/note.assetType/.refs")).unwrap();
    let (refs, kind) = (String::from_utf8(refs).unwrap(), String::from_utf8(kind).unwrap());
    let own = [
        ("/hinge.note/note.yaml", "text: iron\n"),
        ("/hinge.note/.refs", refs.as_str()),
        TYPES[0],
        TYPES[1],
        ("/types/note.assetType/.refs", kind.as_str()),
    ];
    let mut second = open(&own);
    let done = second.install(&package, &plain()).unwrap().done;
    let same: Vec<&str> = done
        .parts
        .iter()
        .filter(|part| part.action == Action::Same)
        .filter_map(|part| part.path.name())
        .collect();
    assert_eq!(same, ["hinge.note", "note.assetType"]);
    follow(&mut second);
    let gone = second.uninstall(house, Edits::Refuse).unwrap();
    assert_eq!(gone, [source("/house.kit"), source("/types/kit.assetType")]);
    assert_eq!(text(second.vfs(), "/hinge.note/note.yaml"), "text: iron\n");
}

/// A package is installed into the world that it was made in: all of it is there, and none of it came.
#[test]
fn an_authors_own_package_is_not_taken_out() {
    let mut world = kits(
        &[("house", "1.0.0", "")],
        &[("/house.kit/a.note/note.yaml", "text: a\n")],
    );
    let package = world.pack(&source("/house.kit")).unwrap();
    let before = all(&world);
    let done = world.install(&package, &plain()).unwrap().done;
    assert!(done.parts.iter().all(|part| part.action == Action::Same), "{done:?}");
    assert_eq!(world.installed().unwrap(), []);
    let house = guid(&world, "house");
    let gone = world.uninstall(house, Edits::Overwrite);
    assert!(matches!(gone, Err(Error::NotInstalled { .. })), "{gone:?}");
    assert_eq!(all(&world), before);
    // In another world it is installed once, however often it is asked for.
    let mut second = open(&[]);
    second.install(&package, &plain()).unwrap();
    follow(&mut second);
    second.install(&package, &plain()).unwrap();
    assert_eq!(second.installed().unwrap().len(), 1);
    assert!(
        second
            .uninstall(house, Edits::Refuse)
            .unwrap()
            .contains(&source("/house.kit"))
    );
}
