//! What a world finds when it is opened, and how little it does while nothing happens.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use zero_assets::{Behavior, Create, Diagnostic, Error, InstallOptions, Package, Workspace, builtin};
use zero_vfs::{Durability, Listing, MemorySource, Mount, Source, Stat, TreeFiles, Vfs, VfsPath};

use crate::diary::{Diary, FILES, open, source, taken, text};
use crate::faulty::Faulty;

fn codes(told: &[Diagnostic]) -> Vec<(&str, &str)> {
    told.iter().map(|told| (&*told.code, told.path.as_str())).collect()
}

#[test]
fn what_is_told_of_the_files_at_opening_comes_with_the_first_update() {
    let mut world = open(&[("/d/Readme.md", ""), ("/d/README.md", "")]);
    let clash = [("vfs.case_clash", "/zero/source/d/README.md")];
    let now = Duration::from_secs(1);
    assert_eq!(codes(&world.update(now).diagnostics), clash);
    assert!(world.update(now).diagnostics.is_empty(), "once");
    assert_eq!(codes(&world.diagnostics()), clash, "and it holds");
    world.vfs().remove(&source("/d/Readme.md")).unwrap();
    world.update(now);
    assert!(world.diagnostics().is_empty());
}

#[test]
fn a_folder_that_cannot_be_listed_keeps_nothing_else_shut() {
    let (faulty, faults) =
        Faulty::new(&[FILES, &[("/secret/a.note/note.txt", "x"), ("/b.note/note.txt", "x")]].concat());
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(source(""), faulty)).unwrap();
    let vfs = Arc::new(vfs);
    let shut = |action: &str, path: &VfsPath| {
        (action == "list" && path.as_str() == "/secret").then_some(ErrorKind::PermissionDenied)
    };
    faults.set(shut);
    let world = Workspace::open(vfs.clone()).unwrap();
    assert!(world.assets().find("b").is_ok());
    let told = world.diagnostics();
    assert!(
        told.iter()
            .any(|told| told.code == "vfs.unreachable" && told.message.contains("secret")),
        "{told:?}"
    );
    // What was known of it stays, where it is shut later.
    faults.none();
    let mut world = Workspace::open(vfs).unwrap();
    assert!(world.assets().find("secret.a").is_ok());
    faults.set(shut);
    world.vfs().rename(&source("/b.note"), &source("/c.note")).unwrap();
    world.update(Duration::from_secs(1));
    assert!(world.assets().find("secret.a").is_ok() && world.assets().find("c").is_ok());
}

#[test]
fn what_is_anyones_where_installations_are_prepared_is_left_alone() {
    let mut world = open(&[
        ("/.install/notes.txt", "mine"),
        ("/.install/0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d/new/0/note.txt", "whose"),
        ("/.install/x.note/note.txt", "x"),
    ]);
    let told = world.update(Duration::from_secs(1)).diagnostics;
    let foreign = codes(&told);
    assert_eq!(foreign.len(), 3);
    assert!(foreign.iter().all(|(code, _)| *code == "package.foreign"), "{told:?}");
    assert_eq!(text(world.vfs(), "/.install/notes.txt"), "mine");
    assert!(world.assets().find("x").is_err(), "it is no content");
    let package = package("1.0.0");
    world.install(&package, &InstallOptions::default()).unwrap();
    assert!(world.assets().find("doors").is_ok());
    assert_eq!(text(world.vfs(), "/.install/notes.txt"), "mine");
    assert_eq!(
        world.vfs().list(&source("/.install")).unwrap().entries.len(),
        3,
        "and nothing else is left there"
    );
    // A library that only can be read is opened with whatever it holds.
    let files = [("/.install/steps.yaml", &b"steps: []"[..]), ("/a.txt", b"")];
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(source(""), MemorySource::with_files("w", files).unwrap()).read_only())
        .unwrap();
    Workspace::open(Arc::new(vfs)).unwrap();
}

/// Two files in a package, of which the text says the version.
fn package(version: &str) -> Package {
    let yaml = format!("name: doors\nversion: {version}\n");
    let kind = "primary: package.yaml\nis_container: true\nroot: true\nsystem: true\n";
    let mut world = Workspace::open(Arc::new(crate::world(&[
        ("/kit.assetType/type.yaml", kind),
        ("/kit.assetType/README.md", "# kit"),
        ("/kit.assetType/.refs", "guid: 1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n"),
        ("/doors.kit/package.yaml", &yaml),
        ("/doors.kit/.refs", "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n"),
    ])))
    .unwrap();
    world.pack(&source("/doors.kit")).unwrap()
}

/// After how many renames something is done, and what.
type Due = (usize, Box<dyn FnOnce() + Send>);

/// A source before whose renames something else is done once.
struct Between {
    inner: MemorySource,
    what: Mutex<Option<Due>>,
}

impl std::fmt::Debug for Between {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Between")
    }
}

impl Source for Between {
    fn name(&self) -> &str {
        "between"
    }
    fn is_writable(&self) -> bool {
        true
    }
    fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<Stat>> {
        self.inner.stat(path)
    }
    fn list(&self, folder: &VfsPath) -> zero_vfs::Result<Listing> {
        self.inner.list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> zero_vfs::Result<Vec<u8>> {
        self.inner.read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> zero_vfs::Result<()> {
        self.inner.write(path, bytes)
    }
    fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
        self.inner.remove(path)
    }
    fn remove_tree(&self, path: &VfsPath) -> zero_vfs::Result<()> {
        self.inner.remove_tree(path)
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
        let due = {
            let mut what = self.what.lock().unwrap();
            match what.take() {
                Some((0, done)) => Some(done),
                Some((left, done)) => {
                    *what = Some((left - 1, done));
                    None
                }
                None => None,
            }
        };
        if let Some(done) = due {
            done();
        }
        self.inner.rename(from, to)
    }
    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, how: Durability) -> zero_vfs::Result<()> {
        self.inner.write_tree(to, files, how)
    }
}

/// A world of a source that both programs have.
fn shared() -> (Arc<Between>, Arc<Vfs>) {
    let source_ = Arc::new(Between {
        inner: MemorySource::new("world"),
        what: Mutex::new(None),
    });
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(source(""), source_.clone())).unwrap();
    (source_, Arc::new(vfs))
}

#[test]
fn another_program_that_opens_the_world_during_an_installation_loses_nothing() {
    let (old, new) = (package("1.0.0"), package("2.0.0"));
    for number in 0..4 {
        let (between, vfs) = shared();
        let mut first = Workspace::open(vfs.clone()).unwrap();
        first.install(&old, &InstallOptions::default()).unwrap();
        let other = vfs.clone();
        *between.what.lock().unwrap() = Some((number, Box::new(move || drop(Workspace::open(other).unwrap()))));
        let done = first.install(&new, &InstallOptions::default());
        assert!(done.is_ok(), "rename {number}: {done:?}");
        assert!(
            text(&vfs, "/doors.kit/package.yaml").contains("2.0.0"),
            "rename {number}"
        );
        let third = Workspace::open(vfs.clone()).unwrap();
        assert_eq!(third.installed().unwrap()[0].version.to_string(), "2.0.0");
        assert_eq!(
            third.assets().find("doors").unwrap().guid,
            first.assets().find("doors").unwrap().guid
        );
        assert_eq!(vfs.stat(&source("/.install")).unwrap(), None, "rename {number}");
    }
}

#[test]
fn an_installation_that_cannot_go_on_is_told_and_keeps_no_world_shut() {
    let (old, new) = (package("1.0.0"), package("2.0.0"));
    let (between, vfs) = shared();
    let mut first = Workspace::open(vfs.clone()).unwrap();
    first.install(&old, &InstallOptions::default()).unwrap();
    // Stopped between the old away and the new in; then a person puts something there.
    let at_stop = Arc::new(Mutex::new(None));
    let (kept, seen) = (at_stop.clone(), vfs.clone());
    *between.what.lock().unwrap() = Some((
        1,
        Box::new(move || {
            let files = seen.walk(&source("")).unwrap().files.into_iter();
            let own = files.filter(|file| !file.as_str().contains("/libs/"));
            let files: Vec<_> = own.map(|file| (file.to_string(), seen.read(&file).unwrap())).collect();
            *kept.lock().unwrap() = Some(files);
        }),
    ));
    first.install(&new, &InstallOptions::default()).unwrap();
    let files = at_stop.lock().unwrap().take().unwrap();
    let inner = |file: &str| file.strip_prefix("/zero/source").unwrap().to_owned();
    let mut files: Vec<(String, Vec<u8>)> = files.into_iter().map(|(file, bytes)| (inner(&file), bytes)).collect();
    assert!(files.iter().any(|(file, _)| file.contains("/old/0/")), "{files:?}");
    files.push(("/doors.kit/mine.txt".to_owned(), b"mine".to_vec()));
    let memory = MemorySource::with_files("w", files.iter().map(|(file, bytes)| (file.as_str(), &bytes[..]))).unwrap();
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(source(""), memory)).unwrap();
    let vfs = Arc::new(vfs);
    for _ in 0..2 {
        let mut world = Workspace::open(vfs.clone()).unwrap();
        let told = world.update(Duration::from_secs(1)).diagnostics;
        let told = told.iter().find(|told| told.code == "package.unfinished").unwrap();
        assert!(
            told.message.contains("/zero/source/doors.kit") && told.message.contains("/old/0"),
            "{told}"
        );
        assert_eq!(text(&vfs, "/doors.kit/mine.txt"), "mine");
    }
    // With room made it goes on.
    vfs.rename(&source("/doors.kit"), &source("/mine")).unwrap();
    let world = Workspace::open(vfs.clone()).unwrap();
    assert!(text(&vfs, "/doors.kit/package.yaml").contains("2.0.0"));
    assert!(world.diagnostics().iter().all(|told| told.code != "package.unfinished"));
    assert_eq!(vfs.stat(&source("/.install")).unwrap(), None);
}

#[test]
fn what_an_installation_brings_is_seeded() {
    let (old, new) = (package("1.0.0"), package("2.0.0"));
    let mut world = open(&[]);
    let (diary, entries) = Diary::shared();
    world.install(&old, &InstallOptions::default()).unwrap();
    world.attach("kit", diary);
    world.update(Duration::from_secs(1));
    taken(&entries);
    world.install(&new, &InstallOptions::default()).unwrap();
    world.update(Duration::from_secs(2));
    let told = taken(&entries);
    assert!(told.contains(&"seeded package.yaml of doors".to_owned()), "{told:?}");
    assert!(told.iter().all(|entry| !entry.starts_with("edited")), "{told:?}");
    world
        .vfs()
        .write(&source("/doors.kit/package.yaml"), b"name: doors\nversion: 3.0.0\n")
        .unwrap();
    world.update(Duration::from_secs(3));
    assert!(taken(&entries).contains(&"edited package.yaml of doors".to_owned()));
}

/// A source that counts what is read of it.
#[derive(Debug)]
struct Counted {
    inner: MemorySource,
    asked: Mutex<Vec<String>>,
}

impl Source for Counted {
    fn name(&self) -> &str {
        "counted"
    }
    fn is_writable(&self) -> bool {
        true
    }
    fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<Stat>> {
        self.inner.stat(path)
    }
    fn list(&self, folder: &VfsPath) -> zero_vfs::Result<Listing> {
        self.asked.lock().unwrap().push(format!("list {folder}"));
        self.inner.list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> zero_vfs::Result<Vec<u8>> {
        self.asked.lock().unwrap().push(format!("read {path}"));
        self.inner.read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> zero_vfs::Result<()> {
        self.inner.write(path, bytes)
    }
    fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
        self.inner.remove(path)
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
        self.inner.rename(from, to)
    }
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let many: Vec<(String, String)> = (0..40)
        .map(|n| (format!("/n{n}.note/init.luau"), format!("see('n{}')", (n + 1) % 40)))
        .collect();
    let files = FILES
        .iter()
        .copied()
        .chain(many.iter().map(|(file, text)| (file.as_str(), text.as_str())));
    let files: Vec<(&str, &[u8])> = files.map(|(file, text)| (file, text.as_bytes())).collect();
    let counted = Arc::new(Counted {
        inner: MemorySource::with_files("w", files).unwrap(),
        asked: Mutex::default(),
    });
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(source(""), counted.clone())).unwrap();
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    let asked = || std::mem::take(&mut *counted.asked.lock().unwrap());
    let (diary, entries) = Diary::shared();
    world.attach("note", diary);
    let mut seconds = 0;
    let mut update = |world: &mut Workspace| {
        seconds += 10;
        world.update(Duration::from_secs(seconds))
    };
    update(&mut world);
    assert!(
        asked().iter().filter(|asked| asked.ends_with("init.luau")).count() >= 40,
        "what came is looked at"
    );

    // Nothing happens.
    update(&mut world);
    assert_eq!(asked(), Vec::<String>::new());
    // A behaviour of another type, one that replaces this, and a type that says something else of itself.
    #[derive(Debug)]
    struct Plain;
    impl Behavior for Plain {}
    world.attach("crate", Arc::new(Plain));
    assert_eq!(asked(), Vec::<String>::new());
    update(&mut world);
    asked();
    let kind = text(world.vfs(), "/note.assetType/type.yaml") + "system: true\n";
    asked();
    world
        .vfs()
        .write(&source("/note.assetType/type.yaml"), kind.as_bytes())
        .unwrap();
    assert!(update(&mut world).changes.types_changed);
    let read = asked();
    assert!(read.iter().all(|asked| !asked.ends_with("init.luau")), "{read:?}");
    // One file: it, by the feed, and its asset, for what it names.
    taken(&entries);
    world.vfs().write(&source("/n7.note/init.luau"), b"see('n9')").unwrap();
    update(&mut world);
    let read = asked();
    let others = read
        .iter()
        .filter(|asked| asked.contains("/n") && !asked.contains("/n7.note") && !asked.contains("/note.assetType"));
    assert_eq!(others.count(), 0, "{read:?}");
    assert_eq!(
        taken(&entries),
        ["edited init.luau of n7", "n6 depends on n7.note: changed"]
    );
    // A type that looks for names elsewhere has its assets looked at again, and those alone.
    let kind = kind.replace("call: see,", "call: view,");
    world
        .vfs()
        .write(&source("/note.assetType/type.yaml"), kind.as_bytes())
        .unwrap();
    update(&mut world);
    assert!(asked().iter().filter(|asked| asked.ends_with("init.luau")).count() >= 40);
    // Made by ourselves, a name that waited for it is answered with the next update.
    world
        .vfs()
        .write(&source("/n1.note/init.luau"), b"view('late')")
        .unwrap();
    update(&mut world);
    taken(&entries);
    world.create(&Create::new("note", "late")).unwrap();
    update(&mut world);
    let told = taken(&entries);
    assert!(
        told.contains(&"n1 depends on late.note: `late` is answered".to_owned()),
        "{told:?}"
    );
    assert!(matches!(world.assets().find("later"), Err(Error::NoAsset { .. })));
}
