//! By whom and when lists were run, for whoever reads their tallies later.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use zero_compute::Device;

/// What ran the lists of a file: more than one of a kind where it was gone on with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    /// Versions of the crate.
    pub(crate) versions: BTreeSet<String>,
    /// Names and drivers of the adapters that the CPU was compared with.
    pub(crate) adapters: BTreeSet<String>,
    /// Commits as `git describe` tells them, `-dirty` where files differ from them.
    pub(crate) commits: BTreeSet<String>,
    /// The first and the last day, UTC.
    pub(crate) days: BTreeSet<String>,
}

impl Runs {
    /// A run of this build, today; of that commit, or of the checkout that it was built in.
    pub(crate) fn today(gpu: &Device, told: Option<&str>) -> Self {
        let info = gpu.info();
        let one = |text: &str| BTreeSet::from([text.trim().to_owned()]);
        Self {
            versions: one(env!("CARGO_PKG_VERSION")),
            adapters: one(&format!("{} {}", info.name, info.driver)),
            commits: one(&told.map_or_else(commit, str::to_owned)),
            days: one(&day(SystemTime::now())),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.versions.extend(other.versions.iter().cloned());
        self.adapters.extend(other.adapters.iter().cloned());
        self.commits.extend(other.commits.iter().cloned());
        self.days.extend(other.days.iter().cloned());
        // Those between tell nothing.
        let (first, last) = (self.days.first().cloned(), self.days.last().cloned());
        self.days = first.into_iter().chain(last).collect();
    }

    /// The kinds by the words that begin their lines.
    pub(crate) fn kinds(&self) -> [(&'static str, &BTreeSet<String>); 4] {
        let Self {
            versions,
            adapters,
            commits,
            days,
        } = self;
        [
            ("version", versions),
            ("adapter", adapters),
            ("commit", commits),
            ("day", days),
        ]
    }

    /// Takes in a line; answers whether it is of a kind that there is.
    pub(crate) fn take(&mut self, kind: &str, text: &str) -> bool {
        let set = match kind {
            "version" => &mut self.versions,
            "adapter" => &mut self.adapters,
            "commit" => &mut self.commits,
            "day" => &mut self.days,
            _ => return false,
        };
        set.insert(text.to_owned())
    }
}

/// The commit of the checkout that this was built in, or that it is unknown, as where it was built from an archive.
fn commit() -> String {
    let git = Command::new("git")
        .args([
            "-C",
            env!("CARGO_MANIFEST_DIR"),
            "describe",
            "--always",
            "--dirty",
            "--abbrev=12",
            "--exclude=*",
        ])
        .output();
    let text = git.ok().filter(|git| git.status.success()).map(|git| git.stdout);
    let text = text.and_then(|text| String::from_utf8(text).ok());
    text.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}

fn day(now: SystemTime) -> String {
    let secs = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(secs / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date of a day since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
pub(crate) fn civil(days: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that a leap day is the last of one; 400 years are an era.
    let from_era = days + 719_468;
    let (era, day_of_era) = (from_era / 146_097, from_era % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}
