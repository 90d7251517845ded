//! Programs that install into one world, each with a view of its own.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use zero_assets::{Action, Create, Edits, Error, InstallOptions, Package, Workspace, builtin};
use zero_vfs::{Access, FolderSource, Listing, MemorySource, Mount, Source, Stat, Vfs, VfsPath};

use crate::faulty::Faulty;
use crate::path;

fn open(source: impl Source + 'static) -> Workspace {
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source)).unwrap();
    Workspace::open(Arc::new(vfs)).unwrap()
}

fn open_folder(folder: &Path) -> Workspace {
    open(FolderSource::open(folder, Access::ReadWrite).unwrap())
}

fn plain() -> InstallOptions {
    InstallOptions::default()
}

/// A package of this name with nothing in it.
fn packed(name: &str) -> Package {
    let mut world = open(MemorySource::new("workshop"));
    let package = world.create(&Create::new("package", name)).unwrap();
    world.pack(&package.path).unwrap()
}

fn installed(world: &Workspace) -> Vec<String> {
    world
        .installed()
        .unwrap()
        .into_iter()
        .map(|package| package.name)
        .collect()
}

/// What one program installed while another was stopped in an installation stays written down when that one goes on.
#[test]
fn an_installation_that_goes_on_leaves_the_others_record() {
    let (source, faults) = Faulty::new(&[]);
    let source = Arc::new(source);
    let (mut one, mut other) = (open(source.clone()), open(source.clone()));
    // It is stopped where it would write down that it is done.
    let is_stopped = AtomicBool::new(false);
    faults.set(move |_, at| {
        let stops = at.as_str().starts_with("/.installed/") || is_stopped.load(Ordering::Relaxed);
        is_stopped.store(stops, Ordering::Relaxed);
        stops.then_some(ErrorKind::PermissionDenied)
    });
    one.install(&packed("doors"), &InstallOptions::default()).unwrap_err();
    faults.none();
    assert_eq!(installed(&other), [] as [&str; 0]);
    other.install(&packed("walls"), &InstallOptions::default()).unwrap();
    assert_eq!(installed(&other), ["walls"]);
    let third = open(source);
    assert_eq!(installed(&third), ["doors", "walls"]);
    assert!(third.assets().find("doors").is_ok() && third.assets().find("walls").is_ok());
}

/// Each installs a package of its own into one folder at one moment, while others open the world: every record is there
/// afterwards, and nobody is told of what is left over, as nothing is.
#[test]
fn programs_that_install_at_one_moment_each_leave_their_record() {
    let packages = [packed("doors"), packed("walls")];
    for round in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let begin = Barrier::new(3);
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let installers = packages.each_ref().map(|package| {
                let (begin, folder) = (&begin, folder.path());
                scope.spawn(move || {
                    let mut world = open_folder(folder);
                    begin.wait();
                    let told = world.install(package, &plain()).unwrap().diagnostics;
                    let of_installs = told.iter().filter(|told| told.code.starts_with("package."));
                    assert_eq!(of_installs.count(), 0, "{told:?}");
                })
            });
            let watcher = scope.spawn(|| {
                begin.wait();
                while !is_done.load(Ordering::Relaxed) {
                    let told = open_folder(folder.path()).update(Duration::from_secs(1)).diagnostics;
                    let of_installs = told.iter().filter(|told| told.code.starts_with("package."));
                    assert_eq!(of_installs.count(), 0, "{told:?}");
                }
            });
            let done = installers.map(|installer| installer.join().is_ok());
            is_done.store(true, Ordering::Relaxed);
            assert_eq!(done, [true, true], "round {round}");
            assert!(watcher.join().is_ok(), "round {round}");
        });
        let world = open_folder(folder.path());
        assert_eq!(installed(&world), ["doors", "walls"], "round {round}");
        assert!(!folder.path().join(".install").exists(), "round {round}");
    }
}

/// A package with a type of its own and a thing of it.
fn packed_with_a_type() -> Package {
    let mut world = open(MemorySource::new("workshop"));
    let package = world.create(&Create::new("package", "doors")).unwrap();
    world.create(&Create::new("assetType", "door")).unwrap();
    world.create(&Create::new("door", "oak").into(&package.path)).unwrap();
    world.pack(&package.path).unwrap()
}

/// What another program installed since the last update is seen as it is: the very same, and nothing that stands in the way.
#[test]
fn what_another_installed_meanwhile_is_the_same_already() {
    let source = Arc::new(MemorySource::new("world"));
    let (mut one, mut other) = (open(source.clone()), open(source.clone()));
    let package = packed_with_a_type();
    one.install(&package, &plain()).unwrap();
    let is_same = |world: &Workspace| {
        let preview = world.preview_install(&package, &plain()).unwrap();
        assert_eq!(preview.conflicts, []);
        preview.parts.iter().all(|part| part.action == Action::Same)
    };
    assert!(is_same(&other));
    other.install(&package, &plain()).unwrap();
    assert_eq!(other.assets().find("doors.oak").unwrap().kind, "door");
    // And what another took away is not there.
    one.uninstall(package.manifest().guid, Edits::Refuse).unwrap();
    let preview = other.preview_install(&package, &plain()).unwrap();
    assert_eq!(preview.conflicts, []);
    assert!(
        preview.parts.iter().all(|part| part.action == Action::Add),
        "{preview:?}"
    );
    other.install(&package, &plain()).unwrap();
    assert_eq!(installed(&open(source)), ["doors"]);
}

/// Two install the very same at one moment: who is second is told so, and finds it done.
#[test]
fn who_is_second_at_the_same_package_is_told_so() {
    let package = packed_with_a_type();
    let mut overtaken = 0;
    for _ in 0..40 {
        let source = Arc::new(MemorySource::new("world"));
        let begin = Barrier::new(2);
        let results = std::thread::scope(|scope| {
            let installer = || {
                let mut world = open(source.clone());
                begin.wait();
                let done = world.install(&package, &plain()).map(drop);
                // Whoever was second tries again.
                let again = world.install(&package, &plain()).unwrap().done;
                (done, again.parts.iter().all(|part| part.action == Action::Same))
            };
            let both = [scope.spawn(installer), scope.spawn(installer)];
            both.map(|one| one.join().unwrap())
        });
        for (done, is_same_again) in results {
            assert!(is_same_again);
            if let Err(error) = done {
                assert!(matches!(error, Error::Overtaken { .. }), "{error}");
                assert!(
                    error
                        .to_string()
                        .ends_with("update the world or open it anew, and try again")
                );
                overtaken += 1;
            }
        }
        assert_eq!(installed(&open(source)), ["doors"]);
        if overtaken > 0 {
            return;
        }
    }
    assert!(overtaken > 0, "nobody was ever second");
}

/// A source that is blind to what ends in a name, once it is told to be.
#[derive(Debug)]
struct Blind<S> {
    inner: S,
    to: &'static str,
    is_blind: Arc<AtomicBool>,
}

impl<S: Source> Source for Blind<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn is_writable(&self) -> bool {
        true
    }
    fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<Stat>> {
        match self.is_blind.load(Ordering::Relaxed) && path.as_str().ends_with(self.to) {
            true => Err(zero_vfs::Error::Io {
                action: "look at",
                path: path.clone(),
                source: ErrorKind::TimedOut.into(),
            }),
            false => self.inner.stat(path),
        }
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
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
        self.inner.rename(from, to)
    }
}

/// What failed is said, also where nothing can be looked at after it, and what was done is taken back.
#[test]
fn a_look_that_fails_hides_no_error_and_undoes_no_less() {
    let (faulty, faults) = Faulty::new(&[]);
    let is_blind = Arc::new(AtomicBool::new(false));
    let (to, blind) = ("/steps.yaml", is_blind.clone());
    let (inner, source_is_blind) = (faulty, is_blind.clone());
    let mut world = open(Blind {
        inner,
        to,
        is_blind: source_is_blind,
    });
    let package = packed_with_a_type();
    faults.set(move |action, at| {
        let fails = action == "rename" && at.as_str().ends_with("/new/1");
        blind.fetch_or(fails, Ordering::Relaxed);
        fails.then_some(ErrorKind::PermissionDenied)
    });
    let error = world.install(&package, &plain()).unwrap_err();
    assert!(matches!(&error, Error::NotUndone { .. }), "{error}");
    let denied = std::io::Error::from(ErrorKind::PermissionDenied).to_string();
    assert!(error.to_string().contains(&denied), "{error}");
    let first = path("/zero/source")
        .join(&package.manifest().parts[0].path.as_str()[1..])
        .unwrap();
    assert_eq!(world.vfs().stat(&first).unwrap(), None, "the first part was taken back");

    // A look that fails before anything is done.
    let is_blind = Arc::new(AtomicBool::new(true));
    let inner = MemorySource::new("world");
    let mut world = open(Blind {
        inner,
        to: "/doors.package",
        is_blind,
    });
    let error = world.install(&package, &plain()).unwrap_err();
    assert!(matches!(error, Error::Vfs(zero_vfs::Error::Io { .. })), "{error}");
    assert_eq!(installed(&world), [] as [&str; 0]);
}

/// A world whose record is the one file that older programs wrote.
#[test]
fn the_record_of_older_programs_is_read_and_what_becomes_of_it_is_kept() {
    let source = Arc::new(MemorySource::new("world"));
    let mut world = open(source.clone());
    let package = packed_with_a_type();
    world.install(&package, &plain()).unwrap();
    let known = world.installed().unwrap().remove(0);
    let mut text = format!(
        "version: 1\npackages:\n- name: doors\n  version: {}\n  guid: {}\n  parts:\n",
        known.version, known.guid
    );
    for (guid, files) in &known.parts {
        let files: Vec<String> = files.iter().map(|(file, hash)| format!("\"{file}\": {hash}")).collect();
        text += &format!("  - guid: {guid}\n    files: {{ {} }}\n", files.join(", "));
    }
    let (old, new) = (path("/.packages"), path(&format!("/.installed/{}.yaml", known.guid)));
    source.remove(&new).unwrap();
    source.write(&old, text.as_bytes()).unwrap();
    let mut world = open(source.clone());
    assert_eq!(world.installed().unwrap(), std::slice::from_ref(&known));
    world.uninstall(known.guid, Edits::Refuse).unwrap();
    assert!(world.assets().find("doors").is_err());
    let mut world = open(source.clone());
    assert_eq!(world.installed().unwrap(), []);
    world.install(&package, &plain()).unwrap();
    assert_eq!(open(source.clone()).installed().unwrap(), [known]);
    // A newer one is refused with both numbers.
    source.write(&old, b"version: 2\n").unwrap();
    assert_eq!(
        world.installed().unwrap_err().to_string(),
        "/zero/source/.packages: it is of version 2; this program reads versions up to 1"
    );
}
