//! What others move on disk while a program runs, and what it reads of what they did while none ran.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use zero_assets::{Create, Workspace, builtin};
use zero_vfs::{Access, FolderSource, Mount, Settling, Vfs, VfsPath};

use crate::diary::{FILES, source};
use crate::path;

/// A world in a folder, of whose changes a test tells.
struct Disk {
    folder: tempfile::TempDir,
    source: Arc<FolderSource>,
    world: Workspace,
}

fn open(folder: tempfile::TempDir) -> Disk {
    let source = Arc::new(FolderSource::open(&folder, Access::ReadWrite).unwrap());
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source.clone())).unwrap();
    let world = Workspace::open(Arc::new(vfs)).unwrap();
    Disk { folder, source, world }
}

fn made(files: &[(&str, &str)]) -> Disk {
    let folder = tempfile::tempdir().unwrap();
    for (inner, text) in FILES.iter().chain(files) {
        let file = folder.path().join(&inner[1..]);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    open(folder)
}

impl Disk {
    /// Moves a folder as another program does, and tells of both ends as a watch does.
    fn moves(&self, from: &str, to: &str) {
        let on_disk = |inner: &str| self.folder.path().join(&inner[1..]);
        fs::rename(on_disk(from), on_disk(to)).unwrap();
        for inner in [from, to] {
            self.source.signal().touch(&path(inner), Settling::MayGoOn);
        }
    }

    fn writes(&self, inner: &str, text: &str) {
        fs::write(self.folder.path().join(&inner[1..]), text).unwrap();
        self.source.signal().touch(&path(inner), Settling::MayGoOn);
    }

    fn update(&mut self, milliseconds: u64) -> zero_assets::Update {
        self.world.update(Duration::from_millis(milliseconds))
    }
}

/// An asset whose sidecar this program wrote last leaves with all its files or not yet: between the move and the moment
/// when it has settled the asset is still known, and nothing is written where it was.
#[test]
fn what_was_settled_and_moved_at_once_is_moved_in_one_piece() {
    let mut disk = made(&[("/stick.note/note.txt", "Wood.")]);
    disk.update(0);
    let club = disk.world.create(&Create::new("note", "club")).unwrap();
    let given = disk.world.settle().unwrap().given;
    let stick = given.iter().find(|(at, _)| *at == source("/stick.note")).unwrap().1;
    disk.moves("/club.note", "/mace.note");
    disk.moves("/stick.note", "/staff.note");
    // Something else is quiet already.
    let other = disk.world.create(&Create::new("note", "other")).unwrap();
    let early = disk.update(10);
    assert_eq!(early.changes.removed, []);
    assert_eq!(disk.world.settle().unwrap().given, []);
    assert!(
        !disk.folder.path().join("club.note").exists(),
        "nothing is written where it was"
    );
    assert_eq!(
        disk.world.assets().by_guid(club.guid).unwrap().path,
        source("/club.note")
    );
    let late = disk.update(500);
    let moved = late.changes.moved;
    assert_eq!(
        moved,
        [
            (source("/club.note"), source("/mace.note")),
            (source("/stick.note"), source("/staff.note")),
        ]
    );
    assert_eq!(
        disk.world.assets().by_guid(club.guid).unwrap().path,
        source("/mace.note")
    );
    assert_eq!(disk.world.assets().by_guid(stick).unwrap().path, source("/staff.note"));
    assert_eq!(
        disk.world.assets().by_guid(other.guid).unwrap().path,
        source("/other.note")
    );
    assert_eq!(disk.world.settle().unwrap().given, []);
}

/// What an asset names is written down by the first `settle`, also where it was edited while no program ran.
/// A watch may tell of where an asset came to before it tells of where it left: it is no copy, and keeps its guid.
#[test]
fn what_arrives_before_it_has_left_keeps_its_guid() {
    let mut disk = made(&[("/story/hill.note/note.txt", "x"), ("/cave.note/note.txt", "y")]);
    disk.world.settle().unwrap();
    let hill = disk.world.assets().find("story.hill").unwrap().guid.unwrap();
    disk.update(1000);
    let on_disk = |inner: &str| disk.folder.path().join(inner);
    fs::create_dir(on_disk("tales")).unwrap();
    fs::rename(on_disk("story/hill.note"), on_disk("tales/mount.note")).unwrap();
    let signal = disk.source.signal().clone();
    signal.touch(&path("/tales/mount.note"), Settling::MayGoOn);
    disk.update(1100);
    disk.update(1300);
    assert!(disk.world.assets().find("tales.mount").is_ok(), "its arrival is known");
    let settled = disk.world.settle().unwrap();
    assert_eq!((settled.given, settled.diagnostics), (vec![], vec![]));
    signal.touch(&path("/story/hill.note"), Settling::MayGoOn);
    disk.update(1400);
    disk.update(1600);
    let settled = disk.world.settle().unwrap();
    assert_eq!((settled.given, settled.diagnostics), (vec![], vec![]));
    assert_eq!(disk.world.assets().by_guid(hill).unwrap().identity, "tales.mount");
    assert_eq!(disk.world.assets().diagnostics(), []);
}

#[test]
fn what_was_edited_while_no_program_ran_is_written_down() {
    let mut disk = made(&[("/a.note/note.txt", "A."), ("/b.note/note.txt", "B.")]);
    disk.world.settle().unwrap();
    let folder = disk.folder;
    drop(disk.world);
    fs::write(folder.path().join("a.note/init.luau"), "see('b')").unwrap();
    let mut disk = open(folder);
    disk.world.settle().unwrap();
    disk.moves("/b.note", "/c.note");
    disk.update(0);
    disk.update(500);
    let told = disk.world.validate(&source("/a.note")).unwrap();
    let codes: Vec<&str> = told.iter().map(|told| told.code.as_ref()).collect();
    assert_eq!(codes, ["reference.renamed"], "{told:?}");
    assert!(
        !disk
            .world
            .settle()
            .unwrap()
            .given
            .iter()
            .any(|(at, _)| *at == source("/a.note"))
    );
}

/// A type that is broken for a while keeps its name: its assets are told what is the matter, not to make another.
#[test]
fn assets_of_a_broken_type_wait_for_it() {
    let mut disk = made(&[("/a.note/note.txt", "A.")]);
    let whole = fs::read_to_string(disk.folder.path().join("note.assetType/type.yaml")).unwrap();
    disk.writes("/note.assetType/type.yaml", "primary: [");
    disk.update(0);
    disk.update(500);
    let about = source("/a.note");
    let told: Vec<String> = disk
        .world
        .assets()
        .diagnostics()
        .iter()
        .filter(|told| told.path == about)
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        [
            "/zero/source/a.note: warning[asset.unknown_type]: its type, in `/zero/source/note.assetType`, does not stand up, so \
          this is no asset until it is mended"
        ]
    );
    disk.writes("/note.assetType/type.yaml", &whole);
    disk.update(600);
    disk.update(1200);
    assert_eq!(disk.world.assets().at(&about).unwrap().kind, "note");
    assert!(!disk.world.assets().diagnostics().iter().any(|told| told.path == about));
}

/// A renamed type's assets are told what to be called.
#[test]
fn assets_of_a_renamed_type_are_told_its_name() {
    let mut disk = made(&[("/a.note/note.txt", "A.")]);
    disk.world.settle().unwrap();
    disk.moves("/note.assetType", "/memo.assetType");
    disk.update(0);
    disk.update(500);
    let about = source("/a.note");
    let told: Vec<String> = disk
        .world
        .assets()
        .diagnostics()
        .iter()
        .filter(|told| told.path == about)
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        [
            "/zero/source/a.note: warning[asset.unknown_type]: no type has the suffix `.note`, so this is no asset; its type is \
          `memo` now: call it `a.memo`, or give the type `suffix: .note`"
        ]
    );
}

/// A newcomer that asks for a suffix which is in use is the one that is left out, wherever it lies.
#[test]
fn a_suffix_is_the_type_s_that_assets_were_made_with() {
    let mut disk = made(&[("/x.note/note.txt", "X."), ("/y.note/note.txt", "Y.")]);
    disk.world.settle().unwrap();
    disk.update(0);
    fs::create_dir_all(disk.folder.path().join("a/bad.assetType")).unwrap();
    disk.writes("/a/bad.assetType/type.yaml", "suffix: .note\nprimary: note.txt\n");
    disk.update(10);
    disk.update(500);
    let check = |disk: &Disk| {
        let taken: Vec<&VfsPath> = disk
            .world
            .assets()
            .diagnostics()
            .iter()
            .filter(|told| told.code == "type.taken")
            .map(|told| &told.path)
            .collect();
        assert_eq!(taken, [&source("/a/bad.assetType")]);
        assert_eq!(disk.world.assets().at(&source("/x.note")).unwrap().kind, "note");
    };
    check(&disk);
    // And so it is for one who opens the folder afterwards.
    let folder = disk.folder;
    drop(disk.world);
    let mut disk = open(folder);
    check(&disk);
    // Where nobody says which it is any more, the first by path has it.
    for inner in ["/x.note/.refs", "/y.note/.refs"] {
        disk.writes(inner, "version: 1\n");
    }
    disk.update(1);
    disk.update(600);
    assert_eq!(disk.world.assets().at(&source("/x.note")).unwrap().kind, "bad");
}
