//! Installations that were stopped, as a world is opened: whatever lies where they are prepared is not believed.

use std::sync::Arc;
use std::time::Duration;

use zero_assets::{Diagnostic, Workspace, builtin};
use zero_vfs::{MemorySource, Mount, Source, Vfs};

use crate::path;
use crate::probe::STOPPED;

const MINE: (&str, &str) = ("/mine.note/note.yaml", "mine");
const PLAIN: (&str, &str) = ("/plain.txt", "plain");

/// Opens a world with these steps and files of an installation, and answers its files and what is told.
fn opened(steps: &str, more: &[(&str, &str)]) -> (Arc<MemorySource>, Vec<String>) {
    let steps_file = [("/steps.yaml", steps)];
    let staged = more.iter().chain(&steps_file);
    let staged: Vec<(String, &str)> = staged.map(|(file, text)| (format!("{STOPPED}{file}"), *text)).collect();
    let files = staged.iter().map(|(file, text)| (file.as_str(), text.as_bytes()));
    let files = files.chain([MINE, PLAIN].map(|(file, text)| (file, text.as_bytes())));
    let source = Arc::new(MemorySource::with_files("world", files).unwrap());
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source.clone())).unwrap();
    vfs.mount(Mount::new(
        path("/other"),
        MemorySource::with_files("other", [("/x", &b"x"[..])]).unwrap(),
    ))
    .unwrap();
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    let told = world.update(Duration::from_secs(1)).diagnostics;
    let told = told.iter().filter(|told| told.code.starts_with("package."));
    let told = told.map(Diagnostic::to_string).collect();
    assert!(world.vfs().stat(&path("/other/x")).unwrap().is_some(), "{steps}");
    (source, told)
}

fn is_untouched(source: &MemorySource) -> bool {
    let is = |(file, text): (&str, &str)| {
        source
            .read(&path(file), 100)
            .is_ok_and(|bytes| bytes == text.as_bytes())
    };
    is(MINE) && is(PLAIN)
}

fn record() -> (&'static str, &'static str) {
    (
        "/record.yaml",
        "package: { name: kit, version: 1.0.0, guid: 8d3f1b52-5f2c-4c8a-9a3e-0d8f6f1f3b52 }\nparts: []\n",
    )
}

#[test]
fn places_that_are_not_an_installations_are_refused_by_name() {
    let hash = "0".repeat(64);
    let check = |targets: &[&str], expected: &str| {
        for change in ["goes", "comes"] {
            let steps = targets
                .iter()
                .map(|target| format!("- {{ target: {target}, {change}: {hash} }}\n"));
            let steps = format!("version: 2\nsteps:\n{}", steps.collect::<String>());
            let (source, told) = opened(&steps, &[record()]);
            assert!(is_untouched(&source), "{targets:?}");
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].contains("error[package.unfinished]"), "{told:?}");
            assert!(told[0].contains(&format!("{STOPPED}/steps.yaml:")), "{told:?}");
            assert!(told[0].contains(expected), "{told:?}");
            assert!(
                source.stat(&path(&format!("{STOPPED}/steps.yaml"))).unwrap().is_some(),
                "it is left as it is"
            );
        }
    };
    check(&["/other/x"], "`/other/x` is here: it lies outside of that");
    check(&["/zero/source"], "it is the whole world");
    check(
        &["/zero/source/LIBS/@stone/a.note"],
        "libraries are not a package's to fill",
    );
    check(&["/zero/source/.installed"], "begin with a dot are its own");
    check(&["/zero/source/../x"], "it has a `.` or `..` segment");
    check(
        &[
            "/zero/source/mine.note",
            "/zero/source/plain.txt",
            "/zero/source/mine.note/note.yaml",
        ],
        "`/zero/source/mine.note/note.yaml` is here: another step is about the same place",
    );
    check(
        &["/zero/source/plain.txt", "/zero/source/plain.txt"],
        "another step is about the same place",
    );
    let (source, told) = opened("version: 3\nsteps: []\n", &[record()]);
    assert!(is_untouched(&source));
    assert!(
        told[0].contains("it is of version 3; this program reads versions up to 2"),
        "{told:?}"
    );
}

/// What a list says that goes, or that came, and is a person's, stays: it is known by its content.
#[test]
fn what_no_installation_wrote_stays() {
    let hash = "0".repeat(64);
    let check = |steps: &str, more: &[(&str, &str)]| {
        let (source, told) = opened(steps, &[more, &[record()]].concat());
        assert!(is_untouched(&source), "{steps}: {told:?}");
        assert_eq!(told.len(), 1, "{told:?}");
    };
    check(
        &format!("version: 2\nsteps: [{{ target: /zero/source/mine.note, goes: {hash} }}]\n"),
        &[],
    );
    check(
        &format!("version: 2\nsteps: [{{ target: /zero/source/plain.txt, goes: {hash}, comes: {hash} }}]\n"),
        &[("/new/0", "other")],
    );
    // As if it had come, and another step then fails.
    check(
        &format!(
            "version: 2\nsteps: [{{ target: /zero/source/mine.note, comes: {hash} }}, {{ target: /zero/source/plain.txt, comes: {hash} }}]\n"
        ),
        &[("/new/1", "other")],
    );
    // The first version did not say what goes.
    check(
        "version: 1\nsteps: [{ target: /zero/source/mine.note, goes: true, comes: false }]\n",
        &[],
    );
}

/// One that a program of the first version left is gone on with.
#[test]
fn an_installation_of_an_older_program_is_gone_on_with() {
    let record = "version: 1\npackages: [{ name: kit, version: 1.0.0, guid: 8d3f1b52-5f2c-4c8a-9a3e-0d8f6f1f3b52, parts: [] }]\n";
    let steps = "version: 1\nsteps: [{ target: /zero/source/new.txt, goes: false, comes: true }]\n";
    let more = [
        ("/new/0", "came"),
        ("/record", record),
        ("/record.before", "version: 1\npackages: []\n"),
    ];
    let (source, told) = opened(steps, &more);
    assert_eq!(told, [] as [&str; 0]);
    assert_eq!(source.read(&path("/new.txt"), 10).unwrap(), b"came");
    assert!(is_untouched(&source) && source.stat(&path("/.install")).unwrap().is_none());
    let kept = path("/.installed/8d3f1b52-5f2c-4c8a-9a3e-0d8f6f1f3b52.yaml");
    assert!(source.stat(&kept).unwrap().is_some());
}
