//! What the tallies of a full soak must say before they are kept beside the tests, as `tests/soak/kept.txt`.

use crate::lists::MOST;
use crate::lists::tallies::Tallies;

/// Lists of a full soak.
const LISTS: u64 = 10_000;

/// Refuses tallies that are not of the whole soak: the lists from 0 up to 10 000 with columns of the full size, every
/// family among them, all equal (what differs ends a run, and no list behind it is counted), and who ran them and when.
pub(crate) fn check(name: &str, text: &str) -> Result<Tallies, String> {
    let kept = Tallies::parse(name, text)?;
    let refuse = |what: String| Err(format!("`{name}` is not of a full soak: {what}"));
    if (kept.from, kept.next, kept.most) != (0, LISTS, MOST) {
        return refuse(format!(
            "it counts the lists from {} up to {} of at most {} elements; expected 0 up to {LISTS} of {MOST}",
            kept.from, kept.next, kept.most
        ));
    }
    let missing = kept.missing();
    if !missing.is_empty() {
        return refuse(format!("no list drew {}", missing.join(", ")));
    }
    let uses: u64 = kept.tally.families.values().map(|row| row.uses).sum();
    if uses < LISTS || kept.tally.submissions < LISTS || kept.tally.words == 0 {
        return refuse(format!(
            "{uses} families in {} runs and {} words compared, of {LISTS} lists",
            kept.tally.submissions, kept.tally.words
        ));
    }
    for (kind, all) in kept.runs.kinds() {
        if all.is_empty() {
            return refuse(format!("no line tells its {kind}"));
        }
    }
    let unsure = |commit: &&String| commit.ends_with("-dirty") || *commit == "unknown";
    if let Some(commit) = kept.runs.commits.iter().find(unsure) {
        return refuse(format!(
            "`{commit}` names no commit; run it in a clean checkout, or with --commit"
        ));
    }
    Ok(kept)
}
