//! What every [`Source`] must do, as a suite that anyone can run on their own.
//!
//! ```
//! use zero_vfs::{MemorySource, conformance};
//! conformance::check(|files| MemorySource::with_files("mine", files.iter().copied()).unwrap());
//! ```

use crate::error::{Error, Result};
use crate::path::{MAX_PATH_BYTES, MAX_SEGMENT_BYTES, VfsPath};
use crate::source::{Durability, Kind, Source, Stat};

/// Files that a source is made with: absolute path and bytes.
pub type Files<'a> = [(&'a str, &'a [u8])];

/// Runs the suite on sources that `make` builds, each holding the files it is given and nothing else. A
/// source that cannot be written is checked to refuse writes.
///
/// # Panics
/// At the first thing that is not as [`Source`] says, naming it.
pub fn check<S: Source>(make: impl Fn(&Files<'_>) -> S) {
    reads(&make(&FILES));
    empty(&make(&[]));
    looks(&make(&FILES));
    let writable = make(&FILES);
    if !writable.is_writable() {
        return refuses_writes(&writable);
    }
    writes(&writable);
    removes(&make(&FILES));
    renames(&make(&FILES));
    stamps_follow_changes(&make(&FILES));
    trees(&make(&FILES));
    removed_trees(&make(&FILES));
    failed_changes_change_nothing(&make(&FILES));
    too_long_for_the_disk(&make(&FILES));
    threads(&make(&[]));
}

const FILES: [(&str, &[u8]); 7] = [
    ("/readme.md", b"hello"),
    ("/Readme.md", b"another case, another file"),
    ("/a/one", b"1"),
    ("/a/two", b"\x00\xff\n"),
    ("/a/deep/er/three", b""),
    ("/a.b/four", b"4"),
    ("/\u{e9}\u{6728}/\u{1f332}", b"tree"),
];

fn path(text: &str) -> VfsPath {
    must(VfsPath::parse(text), text)
}

fn must<T>(result: Result<T>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(&format!("{what}: {error}")),
    }
}

#[expect(clippy::panic, reason = "a suite's way to say that something failed")]
fn fail(what: &str) -> ! {
    panic!("{what}")
}

macro_rules! expect_error {
    ($result:expr, $pattern:pat) => {
        match $result {
            Err($pattern) => {}
            Err(error) => fail(&format!(
                "{}: expected {}, got {error:?}",
                stringify!($result),
                stringify!($pattern)
            )),
            Ok(_) => fail(&format!(
                "{} succeeded; expected {}",
                stringify!($result),
                stringify!($pattern)
            )),
        }
    };
}

/// Every file below the root and its bytes, and the folders.
type Snapshot = (Vec<(String, Vec<u8>)>, Vec<String>);

fn snapshot(source: &dyn Source) -> Snapshot {
    let (mut files, mut folders, mut open) = (Vec::new(), Vec::new(), vec![VfsPath::root()]);
    while let Some(folder) = open.pop() {
        for entry in must(source.list(&folder), folder.as_str()).entries {
            let path = must(folder.join(&entry.name), &entry.name);
            match entry.stat.kind {
                Kind::File => files.push((path.to_string(), must(source.read(&path, u64::MAX), "read"))),
                Kind::Folder => {
                    folders.push(path.to_string());
                    open.push(path);
                }
            }
        }
    }
    files.sort();
    folders.sort();
    (files, folders)
}

fn expect_files(source: &dyn Source, expected: &Files<'_>) {
    let mut expected: Vec<_> = expected.iter().map(|(p, b)| ((*p).to_owned(), b.to_vec())).collect();
    expected.sort();
    assert_eq!(snapshot(source).0, expected, "the files of `{}`", source.name());
}

fn reads(source: &dyn Source) {
    expect_files(source, &FILES);
    for (text, bytes) in FILES {
        let file = path(text);
        let len = bytes.len() as u64;
        assert_eq!(must(source.stat(&file), text), Some(Stat::file(len)), "stat of {text}");
        assert_eq!(
            must(source.read(&file, len), text),
            bytes,
            "a limit that just holds {text}"
        );
        if len > 0 {
            expect_error!(source.read(&file, len - 1), Error::TooLarge { .. });
        }
    }
    for folder in ["/", "/a", "/a/deep", "/a/deep/er", "/a.b"] {
        assert_eq!(
            must(source.stat(&path(folder)), folder),
            Some(Stat::FOLDER),
            "stat of {folder}"
        );
        expect_error!(source.read(&path(folder), 10), Error::NotAFile { .. });
    }
    // Another case, a part of a name, a path below a file: none of them is there.
    for missing in ["/README.md", "/A/one", "/a/on", "/a/one/below", "/a/one/below/it", "/b"] {
        assert_eq!(must(source.stat(&path(missing)), missing), None, "stat of {missing}");
        expect_error!(source.read(&path(missing), 10), Error::NotFound { .. });
        expect_error!(source.list(&path(missing)), Error::NotFound { .. });
    }
    expect_error!(source.list(&path("/a/one")), Error::NotAFolder { .. });
    let names = |folder: &str| -> Vec<String> {
        must(source.list(&path(folder)), folder)
            .entries
            .into_iter()
            .map(|entry| entry.name)
            .collect()
    };
    assert_eq!(
        names("/"),
        ["Readme.md", "a", "a.b", "readme.md", "\u{e9}\u{6728}"],
        "sorted, each once"
    );
    assert_eq!(names("/a"), ["deep", "one", "two"]);
}

/// What is told with a stamp is what is told without.
fn looks(source: &dyn Source) {
    for folder in ["/", "/a", "/a/deep"] {
        let listing = must(source.list(&path(folder)), folder);
        let survey = must(source.survey(&path(folder)), folder);
        let listed: Vec<_> = listing.entries.iter().map(|entry| (&entry.name, entry.stat)).collect();
        let surveyed: Vec<_> = survey.entries.iter().map(|(name, look)| (name, look.stat)).collect();
        assert_eq!(surveyed, listed, "the survey of {folder} in `{}`", source.name());
        assert_eq!(survey.unreachable, listing.unreachable);
    }
    for text in ["/a", "/a/one", "/README.md", "/a/one/below", "/"] {
        let look = must(source.look(&path(text)), text);
        assert_eq!(
            look.map(|look| look.stat),
            must(source.stat(&path(text)), text),
            "the look at {text}"
        );
    }
    for (text, bytes) in FILES {
        let snapshot = must(source.read_stamped(&path(text), u64::MAX), text);
        assert_eq!(snapshot.bytes, bytes, "the stamped read of {text}");
        assert!(snapshot.was_steady, "nobody writes {text}");
        let look = must(source.look(&path(text)), text);
        assert!(
            look.is_some_and(|look| look.stamp.looks_like(&snapshot.stamp)),
            "the stamp of {text}, which nobody changed"
        );
    }
    expect_error!(source.survey(&path("/a/one")), Error::NotAFolder { .. });
    expect_error!(source.survey(&path("/none")), Error::NotFound { .. });
    expect_error!(source.read_stamped(&path("/none"), 9), Error::NotFound { .. });
    expect_error!(source.read_stamped(&path("/a"), 9), Error::NotAFile { .. });
    expect_error!(source.read_stamped(&path("/readme.md"), 4), Error::TooLarge { .. });
}

/// A stamp never proves that a file is unchanged which is not.
fn stamps_follow_changes(source: &dyn Source) {
    let file = path("/a/one");
    let stamp = || must(source.look(&file), "look").map(|look| look.stamp);
    let mut stamps = vec![stamp()];
    let mut change = |what: &str, changed: Result<()>| {
        must(changed, what);
        let now = stamp();
        for before in stamps.iter().flatten() {
            assert!(
                now.is_none_or(|now| !before.proves_unchanged(&now)),
                "`{}`: after {what} a stamp from before says that nothing changed",
                source.name()
            );
        }
        stamps.push(now);
    };
    change("a write of the same length", source.write(&file, b"2"));
    change("a durable write", source.write_durable(&file, b"3"));
    change("a removal", source.remove(&file));
    change("a write anew", source.write(&file, b"4"));
    change("a move away", source.rename(&file, &path("/a/moved")));
    change("another file in its place", source.rename(&path("/a/two"), &file));
}

fn trees(source: &dyn Source) {
    let file = |text: &str, bytes: &[u8]| Ok((path(text), bytes.to_vec()));
    let write = |to: &str, files: Vec<Result<(VfsPath, Vec<u8>)>>| {
        source.write_tree(&path(to), &mut files.into_iter(), Durability::Ordinary)
    };
    let files = || vec![file("/one", b"1"), file("/deep/er/two", b"2")];
    must(write("/tree/in/a/folder", files()), "write a tree");
    let read = |text: &str| must(source.read(&path(text), 9), text);
    assert_eq!(read("/tree/in/a/folder/one"), b"1");
    assert_eq!(read("/tree/in/a/folder/deep/er/two"), b"2");
    let before = snapshot(source);
    must(write("/none", Vec::new()), "a tree without files");
    expect_error!(write("/a", files()), Error::AlreadyThere { .. });
    expect_error!(write("/a/one", files()), Error::AlreadyThere { .. });
    expect_error!(write("/a/one/below", files()), Error::NotAFolder { .. });
    let broken = vec![
        file("/one", b"1"),
        Err(crate::source::not_found(&path("/x"))),
        file("/two", b"2"),
    ];
    expect_error!(write("/half", broken), Error::NotFound { .. });
    let clash = vec![file("/one", b"1"), file("/one/below", b"2")];
    assert!(
        write("/clash", clash).is_err(),
        "a tree with a file where a folder must be"
    );
    assert_eq!(snapshot(source), before, "a tree that failed left something behind");
    let files = &mut files().into_iter();
    must(
        source.write_tree(&path("/durable"), files, Durability::Durable),
        "a durable tree",
    );
    assert_eq!(read("/durable/deep/er/two"), b"2");
}

fn removed_trees(source: &dyn Source) {
    let files = [("/gone/one", b"1"), ("/gone/deep/er/two", b"2"), ("/kept/one", b"3")];
    for (file, bytes) in files {
        must(source.write(&path(file), bytes), file);
    }
    must(source.remove_tree(&path("/gone")), "remove a tree");
    for file in ["/gone/one", "/gone/deep/er/two", "/gone/deep", "/gone"] {
        assert_eq!(
            must(source.stat(&path(file)), file),
            None,
            "{file} is left of a tree that was removed"
        );
    }
    expect_error!(source.remove_tree(&path("/gone")), Error::NotFound { .. });
    expect_error!(source.remove_tree(&VfsPath::root()), Error::NotEmpty { .. });
    must(source.remove_tree(&path("/kept/one")), "remove a file as a tree");
    must(source.remove_tree(&path("/kept")), "remove an empty tree");
}

fn empty(source: &dyn Source) {
    assert_eq!(
        must(source.stat(&VfsPath::root()), "/"),
        Some(Stat::FOLDER),
        "the root of an empty source"
    );
    assert!(
        must(source.list(&VfsPath::root()), "/").entries.is_empty(),
        "an empty source lists nothing"
    );
}

fn refuses_writes(source: &dyn Source) {
    expect_error!(source.write(&path("/a/one"), b""), Error::ReadOnly { .. });
    expect_error!(source.write(&path("/new"), b""), Error::ReadOnly { .. });
    expect_error!(source.remove(&path("/a/one")), Error::ReadOnly { .. });
    expect_error!(
        source.rename(&path("/a/one"), &path("/a/three")),
        Error::ReadOnly { .. }
    );
    expect_files(source, &FILES);
}

fn writes(source: &dyn Source) {
    let big = vec![7; 300_000];
    for (text, bytes) in [
        ("/a/one", &b"longer than before"[..]),
        ("/a/two", b""),
        ("/new/folders/made", b"x"),
        ("/big", &big),
    ] {
        must(source.write(&path(text), bytes), text);
        assert_eq!(
            must(source.read(&path(text), u64::MAX), text),
            bytes,
            "what was written to {text}"
        );
        assert_eq!(
            must(source.stat(&path(text)), text),
            Some(Stat::file(bytes.len() as u64))
        );
    }
    assert_eq!(
        must(source.stat(&path("/new/folders")), "/new/folders"),
        Some(Stat::FOLDER)
    );
    assert_eq!(
        must(source.read(&path("/a.b/four"), 9), "/a.b/four"),
        b"4",
        "a file nobody wrote"
    );
}

fn removes(source: &dyn Source) {
    must(source.remove(&path("/a/deep/er/three")), "remove a file");
    assert_eq!(must(source.stat(&path("/a/deep/er/three")), "stat"), None);
    assert_eq!(
        must(source.stat(&path("/a/deep/er")), "stat"),
        Some(Stat::FOLDER),
        "its folder stays"
    );
    expect_error!(source.remove(&path("/a/deep")), Error::NotEmpty { .. });
    must(source.remove(&path("/a/deep/er")), "remove an empty folder");
    must(source.remove(&path("/a/deep")), "remove a folder that has become empty");
    expect_error!(source.remove(&path("/a/deep")), Error::NotFound { .. });
    expect_error!(source.remove(&path("/a/one/below")), Error::NotFound { .. });
    expect_error!(source.remove(&VfsPath::root()), Error::NotEmpty { .. });
    assert_eq!(snapshot(source).0.len(), FILES.len() - 1, "one file fewer");
}

fn renames(source: &dyn Source) {
    must(
        source.rename(&path("/a/one"), &path("/x/y/uno")),
        "rename a file into new folders",
    );
    must(source.rename(&path("/a/deep"), &path("/deep")), "rename a folder");
    must(source.rename(&path("/a.b"), &path("/A.b")), "a rename of case alone");
    let mut expected = FILES;
    for (file, _) in &mut expected {
        *file = match *file {
            "/a/one" => "/x/y/uno",
            "/a/deep/er/three" => "/deep/er/three",
            "/a.b/four" => "/A.b/four",
            other => other,
        };
    }
    expect_files(source, &expected);
}

fn failed_changes_change_nothing(source: &dyn Source) {
    let before = snapshot(source);
    expect_error!(source.write(&path("/a"), b""), Error::NotAFile { .. });
    expect_error!(source.write(&VfsPath::root(), b""), Error::NotAFile { .. });
    expect_error!(source.write(&path("/a/one/below/it"), b""), Error::NotAFolder { .. });
    expect_error!(source.rename(&path("/none"), &path("/b")), Error::NotFound { .. });
    expect_error!(
        source.rename(&path("/a/one"), &path("/a/two")),
        Error::AlreadyThere { .. }
    );
    expect_error!(
        source.rename(&path("/a/one"), &path("/a.b")),
        Error::AlreadyThere { .. }
    );
    expect_error!(source.rename(&path("/a"), &path("/a.b")), Error::AlreadyThere { .. });
    expect_error!(
        source.rename(&path("/a"), &path("/a/deep/er/a")),
        Error::IntoItself { .. }
    );
    expect_error!(
        source.rename(&path("/a.b"), &path("/a/one/below")),
        Error::NotAFolder { .. }
    );
    assert_eq!(snapshot(source), before, "a change that failed left something behind");
}

/// The longest path there is, below where a source keeps its files, is longer than many systems take: that shows only
/// once the folders that lead there are made.
fn too_long_for_the_disk(source: &dyn Source) {
    let segment = format!("/{}", "x".repeat(MAX_SEGMENT_BYTES));
    let long = path(&segment.repeat(MAX_PATH_BYTES / segment.len()));
    let before = snapshot(source);
    match source.write(&long, b"far") {
        Ok(()) => {
            assert_eq!(must(source.read(&long, 9), "a long path"), b"far");
            must(source.remove(&long), "remove a file at a long path");
        }
        Err(_) => expect_unchanged(source, &before, "a write"),
    }
    let before = snapshot(source);
    match source.rename(&path("/a/one"), &long) {
        Ok(()) => assert_eq!(must(source.read(&long, 9), "a long path"), b"1"),
        Err(_) => expect_unchanged(source, &before, "a rename"),
    }
}

/// Says so without the paths, which are pages long.
fn expect_unchanged(source: &dyn Source, before: &Snapshot, change: &str) {
    if snapshot(source) != *before {
        fail(&format!(
            "`{}`: {change} to a path of {MAX_PATH_BYTES} bytes failed and left something behind",
            source.name()
        ));
    }
}

/// Readers beside writers of one file see one whole content or another.
fn threads(source: &dyn Source) {
    let file = path("/shared");
    let content = |n: u8| vec![n; 10_000 + usize::from(n)];
    must(source.write(&file, &content(0)), "write");
    std::thread::scope(|scope| {
        for writer in 1..=2 {
            let (file, content) = (&file, &content);
            scope.spawn(move || {
                (0..20).for_each(|_| must(source.write(file, &content(writer)), "write beside another"));
            });
        }
        for _ in 0..200 {
            let seen = must(source.read(&file, u64::MAX), "read beside writers");
            assert!(
                seen.first().is_some_and(|n| seen == content(*n)),
                "a reader saw half a write"
            );
        }
    });
}
