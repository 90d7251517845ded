//! A program killed while it writes leaves old content or new, whole, and no temporary after the next mount.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use zero_vfs::{Access, FolderSource, Mount, Vfs, VfsPath};

const FILES: u32 = 8;
const FOLDER_VARIABLE: &str = "ZERO_VFS_CRASH_TEST_FOLDER";

/// What file `file` holds in generation `n`: of a length of its own, so that no half can pass for a whole.
fn content(file: u32, n: u32) -> Vec<u8> {
    let mut bytes = n.to_le_bytes().to_vec();
    // Megabytes, so that a write takes long enough to be met in its middle.
    let len = 2_000_000 + (file as usize * 7919 + n as usize * 104_729) % 2_000_000;
    bytes.resize(len, (file + n) as u8);
    bytes
}

fn vfs(folder: &Path) -> Vfs {
    let mut vfs = Vfs::new();
    let source = FolderSource::open(folder, Access::ReadWrite).unwrap();
    assert!(source.swept().failed.is_empty());
    vfs.mount(Mount::new(VfsPath::root(), source)).unwrap();
    vfs
}

fn file(n: u32) -> VfsPath {
    VfsPath::parse(&format!("/content/{}/file_{n}", n % 3)).unwrap()
}

/// The program that is killed: it writes without end and says a line before each write.
fn write_until_killed(folder: &Path) -> ! {
    let vfs = vfs(folder);
    for n in 1.. {
        for f in 0..FILES {
            println!("writing");
            vfs.write(&file(f), &content(f, n)).unwrap();
        }
    }
    unreachable!("there are more generations than anyone waits for")
}

#[test]
fn a_killed_writer_leaves_whole_files() {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        write_until_killed(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    for f in 0..FILES {
        vfs(folder.path()).write(&file(f), &content(f, 0)).unwrap();
    }
    let mut temporaries_seen = 0;
    for round in 0..24 {
        kill_after(folder.path(), 1 + round % 11, Duration::from_micros(150 * round as u64));
        temporaries_seen += count_temporaries(folder.path());
        let vfs = vfs(folder.path());
        for f in 0..FILES {
            let bytes = vfs.read(&file(f)).unwrap();
            let n = u32::from_le_bytes(bytes[..4].try_into().unwrap());
            assert!(bytes == content(f, n), "file {f} of generation {n} is not whole");
        }
        assert_eq!(vfs.walk(&VfsPath::root()).unwrap().files.len(), FILES as usize);
        assert_eq!(count_temporaries(folder.path()), 0, "a temporary outlived the mount");
    }
    assert!(
        temporaries_seen > 0,
        "no writer was killed in the middle of a write, so nothing is shown"
    );
}

/// Runs this very test as the writing program and kills it `wait` after it began its `writes`th write.
fn kill_after(folder: &Path, writes: usize, wait: Duration) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "crash::a_killed_writer_leaves_whole_files",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FOLDER_VARIABLE, folder)
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
    std::thread::sleep(wait);
    // Unix: SIGKILL, which no handler sees.
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(seen, writes, "the writer ended by itself");
}

fn count_temporaries(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => count_temporaries(&entry.path()),
            false => usize::from(entry.file_name().to_string_lossy().starts_with(".zero-tmp-")),
        })
        .sum()
}
