//! A program killed amid a thousand writes, through a shell of its own: whatever was written then is old or new, whole.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use zero_vfs::{Access, FolderSource, Mount, Vfs, VfsPath, WriteOptions};

const FILES: u32 = 1000;
const FOLDER: &str = "ZERO_VFS_THOUSAND_WRITES_FOLDER";
const GENERATION: &str = "ZERO_VFS_THOUSAND_WRITES_GENERATION";

/// What file `file` holds in generation `n`: of a length of its own.
fn content(file: u32, n: u32) -> Vec<u8> {
    let mut bytes = n.to_le_bytes().to_vec();
    bytes.resize(64 + (file * 131 + n * 17) as usize % 5000, (file + n) as u8);
    bytes
}

fn file(n: u32) -> VfsPath {
    VfsPath::parse(&format!("/files/{}/{n}", n % 10)).unwrap()
}

fn vfs(folder: &Path) -> Vfs {
    let mut vfs = Vfs::new();
    let source = FolderSource::open(folder, Access::ReadWrite).unwrap();
    assert!(source.swept().failed.is_empty());
    vfs.mount(Mount::new(VfsPath::root(), source)).unwrap();
    vfs
}

/// The program that is killed: a thousand writes and, every hundred, a whole tree; a line before each.
fn write_all(folder: &Path, generation: u32) {
    let vfs = vfs(folder);
    for f in 0..FILES {
        println!("writing");
        vfs.write(&file(f), &content(f, generation)).unwrap();
        if f % 100 == 0 {
            let tree = VfsPath::parse(&format!("/trees/{generation}-{f}")).unwrap();
            let files = (0..8).map(|n| (VfsPath::parse(&format!("/{n}/{n}")).unwrap(), content(n, 0)));
            vfs.write_tree(&tree, files, &WriteOptions::default()).unwrap();
        }
    }
}

#[test]
fn killed_amid_a_thousand_writes() {
    if let (Some(folder), Ok(generation)) = (std::env::var_os(FOLDER), std::env::var(GENERATION)) {
        return write_all(Path::new(&folder), generation.parse().unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    write_all(folder.path(), 0);
    let mut reached = 0;
    for (generation, writes) in [(1, 2), (2, 101), (3, 502), (4, 999)] {
        kill_after(folder.path(), generation, writes);
        let vfs = vfs(folder.path());
        let mut new = 0;
        for f in 0..FILES {
            let bytes = vfs.read(&file(f)).unwrap();
            let n = u32::from_le_bytes(bytes[..4].try_into().unwrap());
            assert!(bytes == content(f, n), "file {f} of generation {n} is not whole");
            assert!(n <= generation);
            new += usize::from(n == generation);
        }
        // The one that was being written may be either.
        assert!(
            new + 1 >= writes && new < FILES as usize,
            "{new} of {writes} writes stand"
        );
        reached += new;
        for tree in vfs.list(&VfsPath::parse("/trees").unwrap()).unwrap().entries {
            let walk = vfs
                .walk(&VfsPath::parse(&format!("/trees/{}", tree.name)).unwrap())
                .unwrap();
            assert_eq!(walk.files.len(), 8, "the tree {} is not whole", tree.name);
        }
        assert_eq!(temporaries(folder.path()), 0, "a temporary outlived the mount");
    }
    assert!(reached > 1500);
}

/// Runs this very test as the writing program and kills it in its `writes`th write.
fn kill_after(folder: &Path, generation: u32, writes: usize) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "crash_many::killed_amid_a_thousand_writes",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FOLDER, folder)
        .env(GENERATION, generation.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Kept open until the child is dead: a closed pipe would stop it more gently than a kill does.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said = lines
        .by_ref()
        .map_while(Result::ok)
        .filter(|line| line.contains("writing"));
    let seen = said.take(writes).count();
    // Unix: SIGKILL, which no handler sees.
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(seen, writes, "the writer ended by itself");
}

fn temporaries(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(
            |entry| match entry.file_name().to_string_lossy().starts_with(".zero-tmp-") {
                true => 1,
                false if entry.file_type().unwrap().is_dir() => temporaries(&entry.path()),
                false => 0,
            },
        )
        .sum()
}
