//! What must hold of any bytes as an archive. The fuzz target and the replay of its corpus call the same function.

use zero_vfs::{ContentHash, Kind, Source, VfsPath, ZipLimits, ZipSource};

/// An archive is read without harm, or is refused; what is read is what its checksums say, and stays within the limits.
pub(crate) fn check(data: &[u8]) {
    let mut limits = ZipLimits::default();
    (limits.file_bytes, limits.total_bytes, limits.entries) = (1 << 20, 4 << 20, 1000);
    let Ok(source) = ZipSource::from_bytes_with("fuzzed", data, &limits) else {
        return;
    };
    let (mut open, mut total) = (vec![VfsPath::root()], 0);
    while let Some(folder) = open.pop() {
        let listing = source.list(&folder).expect("a folder that is listed can be listed");
        assert!(listing.entries.windows(2).all(|pair| pair[0].name < pair[1].name));
        for entry in listing.entries {
            let path = folder.join(&entry.name).expect("a name that is listed is a name");
            assert_eq!(source.stat(&path).expect("a look at a listed name"), Some(entry.stat));
            match entry.stat.kind {
                Kind::Folder => open.push(path),
                Kind::File => {
                    total += entry.stat.len;
                    let first = source.read(&path, limits.file_bytes);
                    let second = source.read(&path, limits.file_bytes);
                    match (first, second) {
                        (Ok(first), Ok(second)) => {
                            assert_eq!(first.len() as u64, entry.stat.len);
                            assert_eq!(ContentHash::of(&first), ContentHash::of(&second));
                        }
                        (first, second) => assert!(first.is_err() && second.is_err()),
                    }
                }
            }
        }
    }
    assert!(total <= limits.total_bytes);
}
