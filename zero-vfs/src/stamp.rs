//! [`Stamp`]: what tells one state of a file from another without reading it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// How old the times of a file must be before an equal stamp proves equal content. Clocks of file systems tick: two
/// writes within one tick have one time. FAT's tick of two seconds is the longest in use.
const SETTLES_AFTER: Duration = Duration::from_secs(2);

/// What tells one state of a file from another without reading it: on disk its length, its times and its number, in
/// memory a count of changes.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    words: [u64; 4],
    settled: bool,
}

impl Stamp {
    /// That of a source that cannot tell: it proves nothing, and content is read each time it matters.
    pub const UNKNOWN: Self = Self {
        words: [u64::MAX; 4],
        settled: false,
    };

    /// That of a source which counts: `revision` is another one after every change of this file.
    #[must_use]
    pub fn exact(revision: u64) -> Self {
        Self {
            words: [revision, 0, 0, 0],
            settled: true,
        }
    }

    /// The same of another layer of files, so that two layers which both count are told apart.
    pub(crate) fn in_layer(self, layer: u64) -> Self {
        let [a, b, c, d] = self.words;
        let words = [a, b, c, d ^ layer.wrapping_mul(0x9e37_79b9_7f4a_7c15)];
        Self { words, ..self }
    }

    /// That of a file on disk, looked at when the clock said `now`.
    pub(crate) fn of_file(metadata: &Metadata, now: SystemTime) -> Self {
        let modified = metadata.modified().ok();
        let (changed, number) = changed_and_number(metadata);
        let newest = modified.into_iter().chain(changed).max();
        // A time that lies ahead of the clock settles nothing either.
        let age = newest.and_then(|time| now.duration_since(time).ok());
        Self {
            words: [metadata.len(), nanos(modified), nanos(changed), number],
            settled: age.is_some_and(|age| age > SETTLES_AFTER),
        }
    }

    /// Whether a file that had this stamp when it was read, and has `later` now, still holds the same content. A file
    /// on disk that was changed less than two seconds before this stamp was taken may have changed unseen, and
    /// proves nothing.
    #[must_use]
    pub fn proves_unchanged(&self, later: &Self) -> bool {
        self.settled && self.words == later.words
    }

    /// Whether it can prove anything.
    #[cfg(feature = "watch")]
    pub(crate) fn is_settled(&self) -> bool {
        self.settled
    }

    /// Whether nothing is seen to have changed between the two, which proves nothing by itself.
    #[must_use]
    pub fn looks_like(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

fn nanos(time: Option<SystemTime>) -> u64 {
    let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    // Wraps after 584 years, which tells two times apart all the same.
    since.map_or(0, |since| since.as_nanos() as u64)
}

/// When anything about the file changed, its content or its names (a program can set the time of the content back, not
/// this one), and its number in the file system.
#[cfg(unix)]
fn changed_and_number(metadata: &Metadata) -> (Option<SystemTime>, u64) {
    use std::os::unix::fs::MetadataExt;
    let since = u64::try_from(metadata.ctime())
        .ok()
        .zip(u32::try_from(metadata.ctime_nsec()).ok())
        .map(|(secs, nanos)| SystemTime::UNIX_EPOCH + Duration::new(secs, nanos));
    (since, metadata.ino())
}

#[cfg(not(unix))]
fn changed_and_number(_: &Metadata) -> (Option<SystemTime>, u64) {
    (None, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_file_proves_nothing_and_an_old_one_does() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let metadata = file.as_file().metadata().unwrap();
        let written = metadata.modified().unwrap();
        let at = |secs| Stamp::of_file(&metadata, written + Duration::from_secs(secs));
        assert!(!at(1).proves_unchanged(&at(9)));
        assert!(at(9).proves_unchanged(&at(1)));
        // A clock that stands before the file's own time proves nothing.
        let early = Stamp::of_file(&metadata, written - Duration::from_secs(60));
        assert!(!early.proves_unchanged(&early) && early.looks_like(&at(9)));
    }

    #[test]
    fn another_length_and_another_file_look_different() {
        let files = [
            tempfile::NamedTempFile::new().unwrap(),
            tempfile::NamedTempFile::new().unwrap(),
        ];
        std::fs::write(files[1].path(), b"longer").unwrap();
        let of = |n: usize| Stamp::of_file(&files[n].path().metadata().unwrap(), SystemTime::now());
        assert!(!of(0).looks_like(&of(1)));
        assert!(of(0).looks_like(&of(0)));
    }

    #[test]
    fn a_counted_one_is_exact() {
        assert!(Stamp::exact(3).proves_unchanged(&Stamp::exact(3)));
        assert!(!Stamp::exact(3).proves_unchanged(&Stamp::exact(4)));
        assert!(!Stamp::UNKNOWN.proves_unchanged(&Stamp::UNKNOWN));
    }
}
