//! Packages: made in one world, installed into another.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use zero_assets::{
    Action, Conflict, Edits, Error, Guid, InstallOptions, Package, PackageLimits, PackageProblem, Target, Workspace,
    builtin,
};
use zero_vfs::{ArchiveProblem, Durability, Listing, MemorySource, Mount, Source, Stat, TreeFiles, Vfs, VfsPath};

use crate::diary::{source, text};
use crate::{path, world};

/// Two types; a package `doors` whose note names one beside it and one outside, which names nothing; and a note that has no
/// part in it.
const FILES: &[(&str, &str)] = &[
    (
        "/types/note.assetType/type.yaml",
        "primary: note.yaml\nreferences: { keys: [{ key: see, type: note }] }\n",
    ),
    ("/types/note.assetType/README.md", "# note"),
    (
        "/types/kit.assetType/type.yaml",
        "primary: package.yaml\nis_container: true\nroot: true\nsystem: true\n",
    ),
    ("/types/kit.assetType/README.md", "# kit"),
    ("/doors.kit/package.yaml", "version: 1.0.0\ndescription: Doors.\n"),
    ("/doors.kit/oak.note/note.yaml", "see: [~.pine, parts.hinge]\n"),
    ("/doors.kit/pine.note/note.yaml", "text: soft\n"),
    ("/parts/hinge.note/note.yaml", "text: iron\n"),
    ("/other.note/note.yaml", "see: [doors.oak]\n"),
];

const KIT: &str = "/doors.kit";

fn open(files: &[(&str, &str)]) -> Workspace {
    Workspace::open(Arc::new(world(files))).unwrap()
}

fn packed(world: &mut Workspace) -> Package {
    world.pack(&source(KIT)).unwrap()
}

fn write(world: &mut Workspace, inner: &str, text: &str) {
    world.vfs().write(&source(inner), text.as_bytes()).unwrap();
    follow(world);
}

/// Takes in all that was written so far.
fn follow(world: &mut Workspace) {
    static SECONDS: AtomicI64 = AtomicI64::new(1);
    let now = SECONDS.fetch_add(10, Ordering::Relaxed) as u64;
    world.update(Duration::from_secs(now));
}

/// Every file of a world with its bytes, without those of the built-in library and what is left over of an installation.
fn all(vfs: &Vfs) -> Vec<(String, Vec<u8>)> {
    let files = vfs.walk(&source("")).unwrap().files.into_iter();
    let own = files.filter(|file| !file.as_str().contains("/libs/@builtin/") && !file.as_str().contains("/.install/"));
    own.map(|file| (file.to_string(), vfs.read(&file).unwrap())).collect()
}

fn guid(world: &Workspace, name: &str) -> Guid {
    world.assets().find(name).unwrap().guid.unwrap()
}

#[expect(clippy::panic, reason = "a test says so by panicking")]
fn conflicts(result: Result<impl std::fmt::Debug, Error>) -> Vec<Conflict> {
    match result {
        Err(Error::PackageConflicts { package, conflicts }) => {
            assert_eq!(package, "doors");
            conflicts
        }
        other => panic!("{other:?}"),
    }
}

fn plain() -> InstallOptions {
    InstallOptions::default()
}

#[test]
fn a_package_holds_what_it_depends_on_and_nothing_else() {
    let mut world = open(FILES);
    let package = packed(&mut world);
    let manifest = package.manifest();
    let parts: Vec<&str> = manifest.parts.iter().map(|part| part.path.as_str()).collect();
    assert_eq!(
        parts,
        [
            "/parts/hinge.note",
            "/types/kit.assetType",
            "/types/note.assetType",
            "/doors.kit"
        ]
    );
    assert_eq!(
        (manifest.name.as_str(), manifest.version.to_string()),
        ("doors", "1.0.0".to_owned())
    );
    assert_eq!(manifest.guid, guid(&world, "doors"));
    let needs: Vec<&str> = manifest.needs.iter().map(|need| need.identity.as_str()).collect();
    assert_eq!(needs, ["@builtin::assetType"]);
    package.verify().unwrap();
    // The same world gives the same bytes, and a zip or a folder of them gives the same package.
    let zip = package.to_zip().unwrap();
    assert_eq!(packed(&mut world).to_zip().unwrap(), zip);
    let from_zip = Package::from_zip("doors.zip", zip.clone()).unwrap();
    assert_eq!(from_zip.manifest(), manifest);
    package.write_to(world.vfs(), &path("/zero/source/out")).unwrap();
    let files = all(world.vfs()).into_iter();
    let files: Vec<_> = files
        .filter_map(|(file, bytes)| Some((file.strip_prefix("/zero/source/out")?.to_owned(), bytes)))
        .collect();
    let folder =
        MemorySource::with_files("out", files.iter().map(|(file, bytes)| (file.as_str(), &bytes[..]))).unwrap();
    assert_eq!(Package::open(folder).unwrap().to_zip().unwrap(), zip);
}

#[test]
fn a_package_is_installed_with_its_guids_and_what_it_names_is_found() {
    let mut first = open(FILES);
    let zip = packed(&mut first).to_zip().unwrap();
    let mut second = open(&[]);
    let package = Package::from_zip("doors.zip", zip).unwrap();

    let before = all(second.vfs());
    let preview = second.preview_install(&package, &plain()).unwrap();
    assert_eq!(all(second.vfs()), before, "a preview writes nothing");
    assert!(preview.parts.iter().all(|part| part.action == Action::Add));
    let files: u64 = preview.parts.iter().map(|part| part.files).sum();
    let bytes: u64 = preview.parts.iter().map(|part| part.bytes).sum();

    let done = second.install(&package, &plain()).unwrap();
    assert_eq!(done.done, preview);
    assert!(
        done.diagnostics.iter().all(|told| !told.is_error()),
        "{:?}",
        done.diagnostics
    );
    let written = all(second.vfs());
    let written: Vec<_> = written
        .into_iter()
        .filter(|(file, _)| !file.contains("/.installed/"))
        .collect();
    assert_eq!(written.len() as u64, files);
    assert_eq!(written.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>(), bytes);
    let there: Vec<_> = all(first.vfs())
        .into_iter()
        .filter(|(file, _)| !file.contains("/other.note/"))
        .collect();
    assert_eq!(written, there, "byte for byte");
    for name in ["doors", "doors.oak", "doors.pine", "parts.hinge", "types.note"] {
        assert_eq!(guid(&second, name), guid(&first, name), "{name}");
    }
    let oak = second.assets().find("doors.oak").unwrap();
    let deps = second.assets().deps(second.vfs(), oak).unwrap();
    assert!(
        deps.iter().all(|dep| matches!(dep.target, Target::Found { .. })),
        "{deps:?}"
    );
    let installed = second.installed().unwrap();
    assert_eq!((installed[0].name.as_str(), installed[0].parts.len()), ("doors", 4));

    // Once more, and nothing is left to do: no byte is written.
    follow(&mut second);
    second.settle().unwrap();
    let before = all(second.vfs());
    let again = second.install(&package, &plain()).unwrap();
    assert!(
        again.done.parts.iter().all(|part| part.action == Action::Same),
        "{again:?}"
    );
    assert_eq!(all(second.vfs()), before);
}

#[test]
fn an_update_takes_the_place_of_what_is_there_wherever_it_lies() {
    let mut first = open(FILES);
    let old = packed(&mut first);
    let mut second = open(&[]);
    second.install(&old, &plain()).unwrap();
    // The second world keeps its doors elsewhere.
    second.move_asset(&source(KIT), &source("/house/gates.kit")).unwrap();
    follow(&mut second);

    write(&mut first, "/doors.kit/package.yaml", "name: doors\nversion: 1.1.0\n");
    write(&mut first, "/doors.kit/fir.note/note.yaml", "see: pine\n");
    first.vfs().remove_tree(&source("/doors.kit/oak.note")).unwrap();
    write(&mut first, "/parts/hinge.note/note.yaml", "text: brass\n");
    let new = packed(&mut first);
    let preview = second.preview_install(&new, &plain()).unwrap();
    let planned = preview.parts.last().unwrap();
    assert_eq!(planned.path, source("/house/gates.kit"));
    let from = Some("1.0.0".parse().unwrap());
    assert_eq!(planned.action, Action::Replace { from });
    // Nothing in the package names the hinge any more, so it is no part of it.
    assert!(preview.parts.iter().all(|part| !part.path.as_str().contains("hinge")));
    second.install(&new, &plain()).unwrap();
    follow(&mut second);
    assert_eq!(guid(&second, "house.gates"), guid(&first, "doors"));
    assert_eq!(guid(&second, "house.gates.fir"), guid(&first, "doors.fir"));
    assert!(second.assets().find("house.gates.oak").is_err());
    assert_eq!(text(second.vfs(), "/parts/hinge.note/note.yaml"), "text: iron\n");

    // The older one again: only where it is asked for.
    let told = conflicts(second.install(&old, &plain()));
    assert!(
        matches!(&told[..], [Conflict::Newer { installed, .. }] if installed.to_string() == "1.1.0"),
        "{told:?}"
    );
    second.install(&old, &plain().downgrading()).unwrap();
    assert!(second.assets().find("house.gates.oak").is_ok());
}

#[test]
fn edits_are_not_lost_unless_they_are_given_up() {
    let mut first = open(FILES);
    let mut second = open(&[]);
    second.install(&packed(&mut first), &plain()).unwrap();
    follow(&mut second);
    write(&mut second, "/doors.kit/pine.note/note.yaml", "text: mine\n");
    // One that no update has told of yet counts too.
    second
        .vfs()
        .write(&source("/doors.kit/pine.note/new.txt"), b"new")
        .unwrap();
    write(&mut first, "/doors.kit/package.yaml", "version: 1.0.1\n");
    let new = packed(&mut first);
    let before = all(second.vfs());
    let told = conflicts(second.install(&new, &plain()));
    let files = vec![
        source("/doors.kit/pine.note/new.txt"),
        source("/doors.kit/pine.note/note.yaml"),
    ];
    assert_eq!(
        told,
        [Conflict::Edited {
            path: source(KIT),
            files
        }]
    );
    assert_eq!(all(second.vfs()), before);
    second.install(&new, &plain().overwriting()).unwrap();
    assert_eq!(text(second.vfs(), "/doors.kit/pine.note/note.yaml"), "text: soft\n");
    assert_eq!(
        second.vfs().stat(&source("/doors.kit/pine.note/new.txt")).unwrap(),
        None
    );
}

#[test]
fn what_a_world_made_itself_stays_and_a_clash_is_told() {
    let mut first = open(FILES);
    let package = packed(&mut first);
    let check = |files: &[(&str, &str)], expected: &[Conflict]| {
        let mut second = open(files);
        let before = all(second.vfs());
        assert_eq!(conflicts(second.install(&package, &plain())), expected);
        assert_eq!(all(second.vfs()), before);
    };
    let occupied = |inner: &str| Conflict::Occupied { path: source(inner) };
    check(&[("/doors.kit/mine.txt", "")], &[occupied(KIT)]);
    check(&[("/parts", "a file")], &[occupied("/parts")]);
    let taken = Conflict::TypeTaken {
        name: "note".to_owned(),
        by: source("/my/note.assetType"),
    };
    check(&[("/my/note.assetType/type.yaml", "primary: x\n")], &[taken]);
    let pine = guid(&first, "doors.pine");
    let sidecar = format!("guid: {pine}\n");
    let copied = Conflict::GuidTaken {
        path: source("/my.texture"),
    };
    check(
        &[("/my.texture/.refs", &sidecar), ("/my.texture/texture.yaml", "")],
        &[copied],
    );
    // The same asset, made otherwise in the world: what is there stays.
    let hinge = format!("guid: {}\n", guid(&first, "parts.hinge"));
    let mut second = open(&[
        ("/my/pin.texture/.refs", &hinge),
        ("/my/pin.texture/texture.yaml", "mine"),
    ]);
    let done = second.install(&package, &plain()).unwrap().done;
    assert_eq!(
        (done.parts[0].action.clone(), &done.parts[0].path),
        (Action::Stays, &source("/my/pin.texture"))
    );
    assert_eq!(second.vfs().stat(&source("/parts")).unwrap(), None);
}

#[test]
fn packages_need_others_in_versions_that_will_do() {
    let wall = ("/wall.kit/package.yaml", "name: wall\nversion: 2.3.0\n");
    let needs =
        |version: &str| format!("name: doors\nversion: 1.0.0\ndependencies: [{{ name: wall, version: {version} }}]\n");
    let pack = |version: &str, more: &[(&str, &str)]| {
        let mut world = open(&[FILES, more].concat());
        write(&mut world, "/doors.kit/package.yaml", &needs(version));
        world.pack(&source(KIT))
    };
    let told = conflicts(pack("^2.0", &[]));
    let said: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["it needs `wall` ^2.0, which is not there"]);
    let said: Vec<String> = conflicts(pack("^3.0", &[wall]))
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(said, ["it needs `wall` ^3.0, and 2.3.0 is there"]);
    // One that is there travels along.
    let package = pack("^2.0", &[wall]).unwrap();
    let with = package.manifest().parts.iter().filter_map(|part| part.package.as_ref());
    let with: Vec<String> = with.map(|id| format!("{} {}", id.name, id.version)).collect();
    assert_eq!(with, ["wall 2.3.0", "doors 1.0.0"]);
    let mut second = open(&[]);
    second.install(&package, &plain()).unwrap();
    follow(&mut second);
    // It is needed now, and another version of it must do for the one that needs it.
    let mut first = open(&[FILES, &[wall]].concat());
    let refs = second.vfs().read(&source("/wall.kit/.refs")).unwrap();
    first.vfs().write(&source("/wall.kit/.refs"), &refs).unwrap();
    write(&mut first, "/wall.kit/package.yaml", "name: wall\nversion: 3.0.0\n");
    let newer = first.pack(&source("/wall.kit")).unwrap();
    let preview = second.preview_install(&newer, &plain()).unwrap();
    let by = Conflict::RequiredBy {
        by: source(KIT),
        name: "wall".to_owned(),
        version: "^2.0".parse().unwrap(),
    };
    assert!(preview.conflicts.contains(&by), "{:?}", preview.conflicts);
}

#[test]
fn what_is_broken_is_not_packed() {
    let mut world = open(FILES);
    write(&mut world, "/doors.kit/oak.note/note.yaml", "see: nothing\n");
    let Err(Error::Broken { diagnostics }) = world.pack(&source(KIT)) else {
        panic!("it was packed");
    };
    assert_eq!(&*diagnostics[0].code, "reference.unresolved");
    let not_one = world.pack(&source("/parts/hinge.note"));
    assert!(matches!(not_one, Err(Error::NotAPackage { .. })), "{not_one:?}");
    write(&mut world, "/doors.kit/package.yaml", "version: soon\n");
    assert!(matches!(world.pack(&source(KIT)), Err(Error::Broken { .. })));
}

#[test]
fn a_removal_takes_what_nothing_else_names() {
    let mut first = open(FILES);
    let package = packed(&mut first);
    let doors = guid(&first, "doors");
    let mut second = open(&[]);
    second.install(&package, &plain()).unwrap();
    follow(&mut second);
    // A note of the world's own names one of the package.
    write(&mut second, "/mine.note/note.yaml", "see: doors.oak\n");
    second.settle().unwrap();
    let told = conflicts(second.uninstall(doors, Edits::Refuse));
    let (named, by) = (source("/doors.kit/oak.note"), source("/mine.note"));
    assert_eq!(told, [Conflict::InUse { path: named, by }]);
    write(&mut second, "/mine.note/note.yaml", "text: nothing\n");
    second.settle().unwrap();
    write(&mut second, "/doors.kit/pine.note/note.yaml", "text: mine\n");
    let told = conflicts(second.uninstall(doors, Edits::Refuse));
    assert!(matches!(&told[..], [Conflict::Edited { .. }]), "{told:?}");
    let gone = second.uninstall(doors, Edits::Overwrite).unwrap();
    // The type of the world's own note stays.
    assert_eq!(
        gone,
        [source(KIT), source("/parts/hinge.note"), source("/types/kit.assetType")]
    );
    assert_eq!(second.assets().find("mine").unwrap().kind, "note");
    assert!(second.assets().find("doors").is_err());
    assert_eq!(second.installed().unwrap(), []);
    let again = second.uninstall(doors, Edits::Refuse);
    assert!(matches!(again, Err(Error::NotInstalled { .. })), "{again:?}");
    // What was taken out can come again.
    follow(&mut second);
    second.install(&package, &plain()).unwrap();
    assert_eq!(guid(&second, "doors"), doors);
}

/// A source whose changes fail: one of them, or all from one on, as when the program is stopped there.
#[derive(Debug)]
struct Failing {
    inner: MemorySource,
    left: Arc<AtomicI64>,
    for_ever: bool,
}

impl Failing {
    fn change(&self, path: &VfsPath, change: impl FnOnce() -> zero_vfs::Result<()>) -> zero_vfs::Result<()> {
        let left = self.left.fetch_sub(1, Ordering::Relaxed);
        match left == 0 || (left < 0 && self.for_ever) {
            false => change(),
            true => Err(zero_vfs::Error::Io {
                action: "change",
                path: path.clone(),
                source: std::io::Error::other("no more"),
            }),
        }
    }
}

impl Source for Failing {
    fn name(&self) -> &str {
        self.inner.name()
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
        self.change(path, || self.inner.write(path, bytes))
    }
    fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
        self.change(path, || self.inner.remove(path))
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
        self.change(from, || self.inner.rename(from, to))
    }
    fn write_tree(&self, to: &VfsPath, files: TreeFiles<'_>, how: Durability) -> zero_vfs::Result<()> {
        self.change(to, || self.inner.write_tree(to, files, how))
    }
}

/// A world of `files` whose changes fail from the one after `left` on, and what says how many are left.
fn failing(files: &[(String, Vec<u8>)], for_ever: bool) -> (Arc<Vfs>, Arc<AtomicI64>) {
    let inside = |file: &str| file.strip_prefix("/zero/source").unwrap_or(file).to_owned();
    let files: Vec<(String, &[u8])> = files.iter().map(|(file, bytes)| (inside(file), &bytes[..])).collect();
    let inner = MemorySource::with_files("world", files.iter().map(|(file, bytes)| (file.as_str(), *bytes))).unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let source = Failing {
        inner,
        left: left.clone(),
        for_ever,
    };
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source)).unwrap();
    (Arc::new(vfs), left)
}

/// Does `work` with every change failing in turn: where it says that it failed, nothing is changed; where the program is
/// stopped there, the next opening has the one or the other.
fn whole_or_not_at_all(before: &[(String, Vec<u8>)], work: impl Fn(&mut Workspace) -> Result<(), Error>) {
    let (vfs, _) = failing(before, false);
    work(&mut Workspace::open(vfs.clone()).unwrap()).unwrap();
    let after = all(&vfs);
    assert_ne!(after, before);
    let (mut failed, mut left_over, mut stopped) = (0, 0, [0, 0]);
    let is_prepared = |vfs: &Vfs| vfs.stat(&source("/.install")).unwrap().is_some();
    for number in 0.. {
        let (vfs, left) = failing(before, false);
        let mut world = Workspace::open(vfs.clone()).unwrap();
        left.store(number, Ordering::Relaxed);
        let done = work(&mut world);
        let now = all(&vfs);
        match done {
            Ok(()) => assert_eq!(now, after),
            Err(_) => {
                assert_eq!(now, before, "change {number}");
                failed += 1;
            }
        }
        // What could not be cleared up goes with the next opening.
        left_over += u32::from(is_prepared(&vfs));
        left.store(i64::MAX, Ordering::Relaxed);
        drop(Workspace::open(vfs.clone()).unwrap());
        assert!(all(&vfs) == now && !is_prepared(&vfs), "change {number}");
        let (vfs, left) = failing(before, true);
        let mut world = Workspace::open(vfs.clone()).unwrap();
        left.store(number, Ordering::Relaxed);
        let done = work(&mut world);
        left.store(i64::MAX, Ordering::Relaxed);
        drop(world);
        let world = Workspace::open(vfs.clone()).unwrap();
        let now = all(world.vfs());
        assert!(now == before || now == after, "stopped at change {number}");
        // What is done by the next opening was never said to be undone.
        if let Err(error) = &done
            && now == after
        {
            assert!(matches!(error, Error::NotUndone { .. }), "change {number}: {error}");
        }
        stopped[usize::from(now == after)] += 1;
        if done.is_ok() {
            break;
        }
    }
    assert!(
        failed >= 3 && left_over >= 1 && stopped.iter().all(|count| *count >= 1),
        "{failed} {left_over} {stopped:?}"
    );
}

#[test]
fn an_installation_is_whole_or_not_at_all() {
    let package = packed(&mut open(FILES));
    whole_or_not_at_all(&[], |world| world.install(&package, &plain()).map(drop));
}

#[test]
fn an_update_and_a_removal_are_whole_or_not_at_all() {
    let mut first = open(FILES);
    let old = packed(&mut first);
    write(&mut first, "/doors.kit/package.yaml", "version: 1.1.0\n");
    write(&mut first, "/types/note.assetType/README.md", "# A note.\n");
    let new = packed(&mut first);
    let mut second = open(&[]);
    second.install(&old, &plain()).unwrap();
    let before = all(second.vfs());
    whole_or_not_at_all(&before, |world| {
        let done = world.install(&new, &plain())?.done;
        let replaced = done
            .parts
            .iter()
            .filter(|part| matches!(part.action, Action::Replace { .. }));
        assert_eq!(replaced.count(), 2);
        Ok(())
    });
    let doors = guid(&first, "doors");
    whole_or_not_at_all(&before, |world| world.uninstall(doors, Edits::Refuse).map(drop));
}

/// The files of a packed package, to be tampered with.
fn tampered(change: impl Fn(&MemorySource)) -> Result<Package, Error> {
    let mut world = open(FILES);
    packed(&mut world)
        .write_to(world.vfs(), &path("/zero/source/out"))
        .unwrap();
    let files = all(world.vfs()).into_iter();
    let files: Vec<_> = files
        .filter_map(|(file, bytes)| Some((file.strip_prefix("/zero/source/out")?.to_owned(), bytes)))
        .collect();
    let source =
        MemorySource::with_files("bad", files.iter().map(|(file, bytes)| (file.as_str(), &bytes[..]))).unwrap();
    change(&source);
    Package::open(source)
}

fn manifest_with(from: &str, to: &str) -> Result<Package, Error> {
    tampered(|source| {
        let file = path("/manifest.yaml");
        let text = String::from_utf8(source.read(&file, u64::MAX).unwrap()).unwrap();
        assert!(text.contains(from), "{text}");
        source.write(&file, text.replace(from, to).as_bytes()).unwrap();
    })
}

#[expect(clippy::panic, reason = "a test says so by panicking")]
fn problem(result: Result<Package, Error>) -> PackageProblem {
    match result {
        Err(Error::PackageRefused { package, problem }) => {
            assert_eq!(package, "bad");
            problem
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_package_that_is_not_what_it_says_is_refused_by_name() {
    let hinge = path("/parts/hinge.note/note.yaml");
    let file = path("/files/parts/hinge.note/note.yaml");
    let unlisted = |name: &str| PackageProblem::Unlisted { name: name.to_owned() };
    let write = |at: &str, bytes: &'static [u8]| {
        let at = path(at);
        tampered(move |source| source.write(&at, bytes).unwrap())
    };
    assert_eq!(problem(write("/files/evil.txt", b"x")), unlisted("/files/evil.txt"));
    assert_eq!(problem(write("/readme.txt", b"x")), unlisted("/readme.txt"));
    assert_eq!(
        problem(write("/files/doors.kit/x/y", b"x")),
        unlisted("/files/doors.kit/x")
    );
    let gone = tampered(|source| source.remove(&file).unwrap());
    assert_eq!(problem(gone), PackageProblem::Missing { path: hinge.clone() });
    let longer = tampered(|source| source.write(&file, b"longer than it was").unwrap());
    assert_eq!(problem(longer), PackageProblem::Damaged { path: hinge.clone() });
    let none = tampered(|source| source.remove(&path("/manifest.yaml")).unwrap());
    assert_eq!(problem(none), PackageProblem::NoManifest);
    // Another text of the same length is found when it is read, and nothing of the package is written.
    let other = tampered(|source| source.write(&file, b"text: gold\n").unwrap()).unwrap();
    let mut second = open(&[]);
    for refused in [
        other.verify(),
        other.to_zip().map(drop),
        second.install(&other, &plain()).map(drop),
    ] {
        let refused = refused.map(|()| other.clone());
        assert_eq!(problem(refused), PackageProblem::Damaged { path: hinge.clone() });
    }
    assert_eq!(all(second.vfs()), []);
}

#[test]
fn a_package_that_would_write_where_it_must_not_is_refused() {
    let check = |to: &str, expected: &str| {
        let error = manifest_with("/parts/hinge.note", to).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    };
    check("/../../etc/hinge.note", "it has a `.` or `..` segment");
    check("/c:/hinge.note", "a name cannot hold ':'");
    check("/libs/@builtin/hinge.note", "libraries are not a package's to fill");
    check("/LIBS/@stone/hinge.note", "libraries are not a package's to fill");
    check("/.packages", "begin with a dot are its own");
    check("/.installed/x", "begin with a dot are its own");
    check("/.install/new/0", "begin with a dot are its own");
    check("/doors.kit/hinge.note", "another part of the package is there");
    let outside = manifest_with("path: /parts/hinge.note/note.yaml", "path: /other.note/note.yaml");
    assert!(matches!(problem(outside), PackageProblem::Place { .. }));
    let clash = manifest_with(
        "path: /doors.kit/pine.note/note.yaml",
        "path: /doors.kit/PINE.note/note.yaml",
    );
    assert!(matches!(problem(clash), PackageProblem::CaseClash { .. }));
    // A file with another in it, as in a folder.
    let inside = manifest_with(
        "path: /doors.kit/pine.note/note.yaml",
        "path: /doors.kit/package.yaml/note.yaml",
    );
    assert!(matches!(problem(inside), PackageProblem::Place { .. }));
}

#[test]
fn a_package_with_the_guids_of_others_is_refused() {
    let manifest =
        |source: &MemorySource| String::from_utf8(source.read(&path("/manifest.yaml"), u64::MAX).unwrap()).unwrap();
    let why = |refused| match problem(refused) {
        PackageProblem::Guid { path, why } => format!("{path}: {why}"),
        other => panic!("{other:?}"),
    };
    // Its manifest says another guid than its sidecar.
    let stranger = Guid::random().to_string();
    let wrong = tampered(|source| {
        let text = manifest(source);
        let own = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("guid: "))
            .unwrap();
        let text = text.replace(own, &stranger);
        source.write(&path("/manifest.yaml"), text.as_bytes()).unwrap();
    });
    assert_eq!(why(wrong), "/doors.kit/.refs: not the one that the manifest says");
    // Two of its assets have one guid: the sidecar of one is that of the other, and its manifest says so.
    let twice = tampered(|source| {
        let oak = source.read(&path("/files/doors.kit/oak.note/.refs"), u64::MAX).unwrap();
        source.write(&path("/files/doors.kit/pine.note/.refs"), &oak).unwrap();
        let text = manifest(source);
        let mut lines: Vec<&str> = text.lines().collect();
        let place = |name: &str| text.lines().position(|line| line.contains(name)).unwrap();
        let (from, to) = (place("/oak.note/.refs"), place("/pine.note/.refs"));
        (lines[to + 1], lines[to + 2]) = (lines[from + 1], lines[from + 2]);
        source
            .write(&path("/manifest.yaml"), lines.join("\n").as_bytes())
            .unwrap();
    });
    assert_eq!(
        why(twice),
        "/doors.kit/pine.note/.refs: that of another asset in the package too"
    );
}

#[test]
fn a_package_that_is_too_large_is_refused_before_it_is_read() {
    let open_with = |change: fn(&mut PackageLimits)| {
        let mut world = open(FILES);
        packed(&mut world)
            .write_to(world.vfs(), &path("/zero/source/out"))
            .unwrap();
        let files = all(world.vfs()).into_iter();
        let files: Vec<_> = files
            .filter_map(|(file, bytes)| Some((file.strip_prefix("/zero/source/out")?.to_owned(), bytes)))
            .collect();
        let source =
            MemorySource::with_files("bad", files.iter().map(|(file, bytes)| (file.as_str(), &bytes[..]))).unwrap();
        let mut limits = PackageLimits::default();
        change(&mut limits);
        Package::open_with(source, &limits)
    };
    assert!(matches!(
        problem(open_with(|limits| limits.files = 3)),
        PackageProblem::TooManyFiles { limit: 3, .. }
    ));
    assert!(matches!(
        problem(open_with(|limits| limits.file_bytes = 9)),
        PackageProblem::TooLarge { limit: 9, .. }
    ));
    assert!(matches!(
        problem(open_with(|limits| limits.total_bytes = 99)),
        PackageProblem::TotalTooLarge { limit: 99, .. }
    ));
    let huge = manifest_with("bytes: 11", "bytes: 18446744073709551615");
    assert!(huge.is_err(), "{huge:?}");
}

/// The limit over all files of an archive is exact, and said with what was found.
#[test]
fn the_files_of_a_package_together_are_held_to_a_limit() {
    let package = packed(&mut open(FILES));
    let total: u64 = package
        .manifest()
        .parts
        .iter()
        .flat_map(|part| part.files.values())
        .map(|file| file.bytes)
        .sum();
    let zip = package.to_zip().unwrap();
    let with = |limit| {
        let mut limits = PackageLimits::default();
        limits.total_bytes = limit;
        Package::from_zip_with("doors.zip", zip.clone(), &limits)
    };
    with(total).unwrap();
    let error = with(total - 1).unwrap_err().to_string();
    assert!(
        error.contains(&format!("{total} bytes together, more than the {} allowed", total - 1)),
        "{error}"
    );
    assert_eq!(PackageLimits::default().total_bytes, 1 << 30);
    assert_eq!(zero_vfs::ZipLimits::default().total_bytes, 1 << 30);
}

#[test]
fn an_archive_that_is_made_to_do_harm_is_refused() {
    let zip = packed(&mut open(FILES)).to_zip().unwrap();
    let slip = |name: &[u8]| {
        let old = b"files/other.note/note.yaml";
        assert_eq!(name.len(), old.len());
        let files = [
            (path("/files/other.note/note.yaml"), b"x".to_vec()),
            (path("/manifest.yaml"), Vec::new()),
        ];
        let mut packed = zero_vfs::pack_zip("slip", files).unwrap();
        for at in 0..packed.len() - old.len() {
            if packed[at..].starts_with(old) {
                packed[at..at + old.len()].copy_from_slice(name);
            }
        }
        Package::from_zip("slip.zip", packed).unwrap_err()
    };
    for name in [
        b"../../../../../etc/passwdx",
        b"/absolute/path/to/file.txt",
        b"files/x/../../../../x/note",
    ] {
        match slip(name) {
            Error::Vfs(zero_vfs::Error::Archive { archive, problem, .. }) => {
                assert_eq!(archive, "slip.zip");
                assert!(matches!(problem, ArchiveProblem::Name(_)), "{problem:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    // However it is cut short or changed, it is the same package or none.
    let whole = Package::from_zip("whole.zip", zip.clone()).unwrap();
    for end in (0..zip.len()).step_by(7) {
        assert!(Package::from_zip("cut.zip", &zip[..end]).is_err(), "{end}");
    }
    let mut refused = 0;
    for at in (0..zip.len()).step_by(3) {
        let mut other = zip.clone();
        other[at] ^= 0x40;
        match Package::from_zip("other.zip", other).and_then(|package| package.verify().map(|()| package)) {
            Ok(package) => assert_eq!(package.to_zip().unwrap(), whole.to_zip().unwrap(), "byte {at}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > zip.len() / 9, "{refused}");
}
