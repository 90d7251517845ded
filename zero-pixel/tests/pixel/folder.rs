//! Templates on disk that many write at once, and that programs which are killed leave behind.

use crate::ops::palette;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use zero_pixel::{Canvas, Error, Files, FolderStore, Library, Metadata, Template, TemplateStore};

fn canvas(entry: u8) -> Canvas {
    Canvas::from_pixels(2, 1, palette(), &[0, entry]).unwrap()
}

fn files(entry: u8) -> Files {
    Template::new(&canvas(entry), Metadata::default()).to_files().unwrap()
}

fn library(root: &Path) -> Library<FolderStore> {
    Library::new(FolderStore::open(root).unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What a program that is killed between the two moves of a replacement leaves: the old one aside, the new one whole
/// beside it.
fn stopped_midway(root: &Path) {
    library(root).save("fire", &canvas(1), Metadata::default()).unwrap();
    fs::rename(
        root.join("fire.pixelTemplate"),
        root.join(".fire.pixelTemplate.7.0.old"),
    )
    .unwrap();
    let new = root.join(".fire.pixelTemplate.7.0.new");
    fs::create_dir(&new).unwrap();
    for (name, bytes) in files(2) {
        fs::write(new.join(name), bytes).unwrap();
    }
}

#[test]
fn a_template_whose_replacement_was_stopped_is_put_back_by_whatever_comes_next() {
    let check = |what: &str, next: &dyn Fn(&mut FolderStore)| {
        for opened_before in [true, false] {
            let root = tempfile::tempdir().unwrap();
            let mut store = FolderStore::open(root.path()).unwrap();
            stopped_midway(root.path());
            if !opened_before {
                store = FolderStore::open(root.path()).unwrap();
                assert_eq!(names(root.path()), ["fire.pixelTemplate"], "opening is enough");
            }
            next(&mut store);
            assert_eq!(store.read("fire").unwrap(), Some(files(1)), "{what}");
            let left = names(root.path());
            assert!(left.iter().all(|name| !name.starts_with('.')), "{what}: {left:?}");
        }
    };
    check("names", &|store| assert_eq!(store.names().unwrap(), ["fire"]));
    check("read", &|store| assert_eq!(store.read("fire").unwrap(), Some(files(1))));
    check("read another", &|store| assert_eq!(store.read("ice").unwrap(), None));
    check("write another", &|store| store.write("ice", &files(3)).unwrap());
    check("create", &|store| {
        assert_eq!(store.create("FIRE", &files(3)).unwrap().as_deref(), Some("fire"));
    });
}

#[test]
fn a_stopped_deletion_stays_one_and_of_several_old_ones_the_newest_comes_back() {
    let root = tempfile::tempdir().unwrap();
    for (number, entry, age) in [(0, 1, 50), (1, 2, 10), (2, 3, 90)] {
        let old = root.path().join(format!(".fire.pixelTemplate.7.{number}.old"));
        fs::create_dir(&old).unwrap();
        for (name, bytes) in files(entry) {
            fs::write(old.join(name), bytes).unwrap();
        }
        let modified = SystemTime::now() - Duration::from_secs(age);
        fs::File::open(&old).unwrap().set_modified(modified).unwrap();
    }
    // One whose removal was stopped with half of its files gone.
    let gone = root.path().join(".ice.pixelTemplate.7.0.gone");
    fs::create_dir(&gone).unwrap();
    fs::write(gone.join(".metadata"), "{}").unwrap();
    // What nobody here wrote stays.
    fs::create_dir(root.path().join(".fire.pixelTemplate.kept")).unwrap();
    let library = library(root.path());
    assert_eq!(library.list().unwrap(), ["fire"]);
    assert_eq!(library.instantiate("fire").unwrap(), canvas(2));
    assert_eq!(names(root.path()), [".fire.pixelTemplate.kept", "fire.pixelTemplate"]);
}

/// This test's own program is started again as the writer that is killed.
#[test]
fn a_writer_that_is_killed_at_any_moment_loses_nothing() {
    const ROOT: &str = "ZERO_PIXEL_KILLED_WRITER";
    if let Some(root) = std::env::var_os(ROOT) {
        let mut library = library(Path::new(&root));
        for entry in (1..=5).cycle() {
            library.replace("fire", &canvas(entry)).unwrap();
        }
    }
    let root = tempfile::tempdir().unwrap();
    library(root.path())
        .save("fire", &canvas(1), Metadata::new("A fire.", ["warm"]))
        .unwrap();
    let mut left = 0;
    for moment in 0..30u64 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["folder::a_writer_that_is_killed_at_any_moment_loses_nothing", "--exact"])
            .env(ROOT, root.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Once it is seen to write, at another point of its round each time.
        while names(root.path()).len() < 2 && writer.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(moment * 97));
        writer.kill().unwrap();
        writer.wait().unwrap();
        left += usize::from(names(root.path()) != ["fire.pixelTemplate"]);
        let library = library(root.path());
        let template = library.load("fire").unwrap();
        assert!((1..=5).any(|entry| *template.sheet() == canvas(entry)));
        assert_eq!(template.metadata().tags, ["warm"]);
        assert_eq!(names(root.path()), ["fire.pixelTemplate"]);
    }
    assert!(left > 0, "no kill came in the middle of a write");
}

#[test]
fn of_many_that_save_one_name_at_once_one_does_and_the_others_are_told() {
    let root = tempfile::tempdir().unwrap();
    for round in 0..10 {
        let (upper, lower) = (format!("Fire{round}"), format!("fire{round}"));
        let saved: Vec<Result<u8, Error>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..=5u8)
                .map(|entry| {
                    let name = if entry % 2 == 0 { &upper } else { &lower };
                    let root = root.path();
                    scope.spawn(move || {
                        let saved = library(root).save(name, &canvas(entry), Metadata::default());
                        saved.map(|()| entry)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let winners: Vec<u8> = saved.iter().flatten().copied().collect();
        let &[winner] = winners.as_slice() else {
            panic!("{saved:?}");
        };
        for error in saved.into_iter().filter_map(Result::err) {
            assert!(matches!(error, Error::DuplicateName { .. }), "{error}");
        }
        let name = if winner % 2 == 0 { upper } else { lower };
        assert_eq!(library(root.path()).instantiate(&name).unwrap(), canvas(winner));
    }
    assert_eq!(library(root.path()).list().unwrap().len(), 10);
}

#[test]
fn whoever_reads_while_others_replace_finds_a_whole_template() {
    let root = tempfile::tempdir().unwrap();
    library(root.path())
        .save("fire", &canvas(1), Metadata::default())
        .unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    for entry in (1..=5).cycle().take(60) {
                        library(root.path()).replace("fire", &canvas(entry)).unwrap();
                    }
                })
            })
            .collect();
        let reader = scope.spawn(|| {
            let library = library(root.path());
            let mut seen = std::collections::BTreeSet::new();
            while !done.load(Ordering::Relaxed) {
                assert_eq!(library.list().unwrap(), ["fire"]);
                seen.insert(library.instantiate("fire").unwrap().pixels()[1]);
            }
            seen
        });
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
        let seen = reader.join().unwrap();
        assert!(seen.len() > 1, "the reader saw {seen:?} alone");
    });
    assert_eq!(names(root.path()), ["fire.pixelTemplate"]);
}
