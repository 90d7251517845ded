//! What an index of many files costs beside a plain walk that looks at, reads and hashes the same files, in the same run.
//!
//! `cargo bench -p zero-vfs --bench index -- FILES FOLDERS` prints a table; 100 000 files in 5 000 folders by default.
#![expect(clippy::unwrap_used, reason = "a benchmark says so by panicking")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use zero_vfs::counting::CountingSource;
use zero_vfs::{Access, ContentHash, Feed, FeedOptions, FolderSource, Mount, Settling, Vfs, VfsPath};

/// Rounds of the two that are compared, one after the other; the fastest counts.
const ROUNDS: usize = 3;

/// How many times a plain walk the first index may take.
const MOST_TIMES: u32 = 3;

fn main() {
    // As a test among others it is only seen to work.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let (most_files, most_folders) = if is_bench { (100_000, 5_000) } else { (200, 10) };
    let mut numbers = std::env::args().filter_map(|argument| argument.parse::<usize>().ok());
    let (files, folders) = (
        numbers.next().unwrap_or(most_files),
        numbers.next().unwrap_or(most_folders),
    );
    let root = tempfile::tempdir().unwrap();
    make(root.path(), files, folders);

    // Once for the system's own caches, which both then have.
    assert_eq!(plain(root.path()), files);
    let (mut walk, mut index) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        walk = walk.min(time(|| assert_eq!(plain(root.path()), files)));
        index = index.min(time(|| drop(indexed(root.path(), files))));
    }
    println!("{files} files in {folders} folders, 64 to 1088 bytes each");
    row("plain walk with stat and hash", walk, None);
    row("first index", index, Some(walk));
    // Of few files, what a feed costs once is most of it.
    assert!(
        !is_bench || index <= walk * MOST_TIMES,
        "the first index takes more than {MOST_TIMES} times a plain walk"
    );

    let (source, vfs, mut feed) = indexed(root.path(), files);
    let mut now = Duration::from_secs(1);
    let mut pull_after = |feed: &mut Feed, what: &str, touched: &str| {
        source.reset();
        let took = time(|| {
            source
                .inner()
                .signal()
                .touch(&VfsPath::parse(touched).unwrap(), Settling::Whole);
            now += Duration::from_secs(1);
            feed.pull(&vfs, now);
        });
        let counts = source.counts();
        row(what, took, None);
        println!(
            "    {} looks, {} listings, {} reads",
            counts.stats, counts.lists, counts.reads
        );
        counts
    };
    fs::write(root.path().join("d0/f0"), "changed").unwrap();
    let counts = pull_after(&mut feed, "one file changed", "/d0/f0");
    assert_eq!((counts.stats, counts.lists, counts.reads), (1, 0, 1));
    // Until the files' times are two seconds old they prove nothing, and are read again.
    std::thread::sleep(Duration::from_secs(3));
    pull_after(&mut feed, "everything touched, nothing changed", "/");
    let counts = pull_after(&mut feed, "the same again", "/");
    assert!(counts.reads <= 1);
}

/// Text of a length of its own in each file, evenly over the folders.
fn make(root: &Path, files: usize, folders: usize) {
    (0..folders).for_each(|folder| fs::create_dir(root.join(format!("d{folder}"))).unwrap());
    for file in 0..files {
        let text = format!("file {file} ").repeat(8 + file * 31 % 80);
        fs::write(
            root.join(format!("d{}/f{file}", file % folders)),
            &text[..(64 + file % 1025).min(text.len())],
        )
        .unwrap();
    }
}

/// The peer: what anyone would write with the standard library.
fn plain(root: &Path) -> usize {
    let (mut open, mut hashes) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            if metadata.is_dir() {
                open.push(entry.path());
            } else {
                let bytes = fs::read(entry.path()).unwrap();
                hashes.push((entry.path(), metadata.len(), ContentHash::of(&bytes)));
            }
        }
    }
    hashes.len()
}

type Indexed = (Arc<CountingSource<FolderSource>>, Vfs, Feed);

fn indexed(root: &Path, files: usize) -> Indexed {
    let source = Arc::new(CountingSource::new(FolderSource::open(root, Access::ReadOnly).unwrap()));
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(VfsPath::root(), source.clone())).unwrap();
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    assert_eq!(feed.pull(&vfs, Duration::ZERO).changes.len(), files);
    (source, vfs, feed)
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn row(what: &str, took: Duration, beside: Option<Duration>) {
    let times = beside.map_or(String::new(), |other| {
        format!("  {:.2} x", took.as_secs_f64() / other.as_secs_f64())
    });
    println!("{what:<40} {:>10.3} ms{times}", took.as_secs_f64() * 1e3);
}
