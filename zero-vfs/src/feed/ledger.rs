//! [`Ledger`]: what differs from the batch before, put into words.

use std::collections::{BTreeMap, BTreeSet};

use crate::change::{Arrival, By, Change, ChangeKind, Origin};
use crate::hash::ContentHash;
use crate::path::VfsPath;
use crate::vfs::Vfs;

/// Whom a change is put down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    pub(super) by: By,
    pub(super) origin: Origin,
    pub(super) arrival: Arrival,
}

impl Cause {
    /// Someone outside of this program wrote something.
    pub(super) const OUTSIDE: Self = Self {
        by: By::Outside,
        origin: Origin::Local,
        arrival: Arrival::Edited,
    };
}

/// A file that was touched since the last batch.
#[derive(Clone, Copy, Debug)]
struct Line {
    before: Option<ContentHash>,
    after: Option<ContentHash>,
    /// When it was touched last, among all touches.
    order: u64,
    cause: Cause,
}

/// The files touched since the last batch, as they were then and as they are now: however often a file changed in between,
/// it is one line.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    lines: BTreeMap<VfsPath, Line>,
    /// Renames that this program made, in order.
    moves: Vec<(VfsPath, VfsPath)>,
    /// What this program wrote, by where it has moved it since.
    wrote: BTreeMap<VfsPath, ContentHash>,
}

impl Ledger {
    pub(super) fn note(
        &mut self,
        path: &VfsPath,
        before: Option<ContentHash>,
        after: Option<ContentHash>,
        order: u64,
        cause: Cause,
    ) {
        let line = self.lines.entry(path.clone()).or_insert(Line {
            before,
            after,
            order,
            cause,
        });
        *line = Line {
            before: line.before,
            after,
            order,
            cause,
        };
    }

    /// This program wrote a file.
    pub(super) fn wrote(&mut self, path: &VfsPath, hash: ContentHash) {
        self.wrote.insert(path.clone(), hash);
    }

    /// This program moved something.
    pub(super) fn moved(&mut self, from: &VfsPath, to: &VfsPath) {
        self.moves.push((from.clone(), to.clone()));
        let below: Vec<VfsPath> = self
            .wrote
            .keys()
            .filter(|path| path.starts_with(from))
            .cloned()
            .collect();
        for path in below {
            if let (Some(moved), Some(hash)) = (rebase(&path, from, to), self.wrote.remove(&path)) {
                self.wrote.insert(moved, hash);
            }
        }
    }

    /// The files which were not there before, and those which are gone.
    pub(super) fn came_or_went(&self) -> impl Iterator<Item = &VfsPath> {
        let lines = self.lines.iter();
        lines
            .filter(|(_, line)| line.before.is_none() != line.after.is_none())
            .map(|(path, _)| path)
    }

    /// Whether a file was not there before.
    pub(super) fn is_new(&self, path: &VfsPath) -> bool {
        let line = self.lines.get(path);
        line.is_some_and(|line| line.before.is_none() && line.after.is_some())
    }

    /// The changes, in order; the ledger is empty afterwards.
    pub(super) fn close(&mut self, vfs: &Vfs) -> Vec<Change> {
        let Self {
            mut lines,
            moves,
            wrote,
        } = std::mem::take(self);
        lines.retain(|_, line| line.before != line.after);
        let origins = pair(&lines, &moves);
        let gone: BTreeSet<&VfsPath> = origins.values().collect();
        let mut changes: Vec<(u64, Change)> = Vec::with_capacity(lines.len());
        for (path, line) in &lines {
            if gone.contains(path) {
                continue;
            }
            let from = origins.get(path);
            let before = from.map_or(line.before, |from| lines.get(from).and_then(|line| line.before));
            let kind = match (from, line.after, line.cause.arrival) {
                (Some(from), ..) => ChangeKind::Renamed { from: from.clone() },
                (None, None, _) => ChangeKind::Removed,
                (None, Some(_), Arrival::Edited) => ChangeKind::Edited,
                (None, Some(_), Arrival::Seeded) => ChangeKind::Seeded,
            };
            // A file that this program moved may hold what another wrote before, and nobody has told of.
            let is_anothers = from.is_some() && before != line.after && wrote.get(path).copied() != line.after;
            let by = if is_anothers { By::Outside } else { line.cause.by };
            let change = Change {
                path: path.clone(),
                id: vfs.file_id(path),
                kind,
                origin: line.cause.origin,
                by,
                before,
                after: line.after,
            };
            changes.push((line.order, change));
        }
        changes.sort_by_key(|(order, _)| *order);
        changes.into_iter().map(|(_, change)| change).collect()
    }
}

/// Where each file that is new was before, if it was moved.
fn pair(lines: &BTreeMap<VfsPath, Line>, moves: &[(VfsPath, VfsPath)]) -> BTreeMap<VfsPath, VfsPath> {
    let mut pairs = Pairs::default();
    for (path, line) in lines {
        match (line.before, line.after) {
            (None, Some(hash)) => drop(pairs.new.insert(path.clone(), hash)),
            (Some(hash), None) => drop(pairs.gone.insert(path.clone(), hash)),
            _ => {}
        }
    }
    pairs.by_own_moves(moves);
    // What this program did not move, it did not move.
    let is_outside = |path: &VfsPath| lines.get(path).is_some_and(|line| line.cause.by == By::Outside);
    pairs.new.retain(|path, _| is_outside(path));
    pairs.gone.retain(|path, _| is_outside(path));
    // Two empty files have nothing in common but that.
    let empty = ContentHash::of(b"");
    pairs.by_content(|_, hash| (hash != empty).then_some(hash));
    pairs.by_content(|path, hash| Some((hash, path.name().unwrap_or_default().to_owned())));
    pairs.by_folder();
    pairs.origins
}

#[derive(Default)]
struct Pairs {
    new: BTreeMap<VfsPath, ContentHash>,
    gone: BTreeMap<VfsPath, ContentHash>,
    origins: BTreeMap<VfsPath, VfsPath>,
}

impl Pairs {
    fn join(&mut self, new: VfsPath, gone: VfsPath) {
        self.new.remove(&new);
        self.gone.remove(&gone);
        self.origins.insert(new, gone);
    }

    /// By what this program did itself, undone step by step. The content may have changed on the way.
    fn by_own_moves(&mut self, moves: &[(VfsPath, VfsPath)]) {
        if moves.is_empty() {
            return;
        }
        let new: Vec<VfsPath> = self.new.keys().cloned().collect();
        for path in new {
            let mut origin = path.clone();
            for (from, to) in moves.iter().rev() {
                if let Some(back) = rebase(&origin, to, from) {
                    origin = back;
                }
            }
            if self.gone.contains_key(&origin) {
                self.join(path, origin);
            }
        }
    }

    /// By equal content, where one file alone went and one alone came with the same `key`.
    fn by_content<K: Ord>(&mut self, key: impl Fn(&VfsPath, ContentHash) -> Option<K>) {
        let mut groups: BTreeMap<K, (Vec<VfsPath>, Vec<VfsPath>)> = BTreeMap::new();
        for (path, hash) in &self.new {
            if let Some(key) = key(path, *hash) {
                groups.entry(key).or_default().0.push(path.clone());
            }
        }
        for (path, hash) in &self.gone {
            if let Some(key) = key(path, *hash) {
                groups.entry(key).or_default().1.push(path.clone());
            }
        }
        for (new, gone) in groups.into_values() {
            if let ([new], [gone]) = (&new[..], &gone[..]) {
                self.join(new.clone(), gone.clone());
            }
        }
    }

    /// By the folders that files which were paired have moved between: copies of one file in one folder that was moved.
    fn by_folder(&mut self) {
        let folders: BTreeSet<(VfsPath, VfsPath)> = self
            .origins
            .iter()
            .filter(|(new, gone)| new.name() == gone.name())
            .flat_map(|(new, gone)| common_moves(new, gone))
            .collect();
        for (to, from) in folders.iter().rev() {
            let below: Vec<VfsPath> = self.new.keys().filter(|path| path.starts_with(to)).cloned().collect();
            for path in below {
                if let Some(origin) = rebase(&path, to, from)
                    && self.gone.get(&origin) == self.new.get(&path)
                {
                    self.join(path, origin);
                }
            }
        }
    }
}

/// The folders that moved if `gone` became `new`: the two that hold them, and those above as far as their names agree.
fn common_moves(new: &VfsPath, gone: &VfsPath) -> Vec<(VfsPath, VfsPath)> {
    let mut moves = Vec::new();
    let mut at = (new.parent(), gone.parent());
    while let (Some(to), Some(from)) = at {
        if to == from {
            break;
        }
        let go_on = to.name() == from.name();
        at = (to.parent(), from.parent());
        moves.push((to, from));
        if !go_on {
            break;
        }
    }
    moves
}

/// `path`, which lies below `from`, as it would lie below `to`.
fn rebase(path: &VfsPath, from: &VfsPath, to: &VfsPath) -> Option<VfsPath> {
    let inner = path.relative_to(from)?;
    match inner.is_root() {
        true => Some(to.clone()),
        false => to.join(&inner.as_str()[1..]).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes `(path, before, after)`, where `-` is nothing, and tells the changes as text.
    fn check(lines: &[(&str, &str, &str)], moves: &[(&str, &str)], expected: &[&str]) {
        let path = |text: &str| VfsPath::parse(text).unwrap();
        let hash = |text: &str| (text != "-").then(|| ContentHash::of(text.as_bytes()));
        let mut ledger = Ledger::default();
        for (order, (at, before, after)) in lines.iter().enumerate() {
            ledger.note(&path(at), hash(before), hash(after), order as u64, Cause::OUTSIDE);
        }
        for (from, to) in moves {
            ledger.moved(&path(from), &path(to));
        }
        let text = |change: &Change| match &change.kind {
            ChangeKind::Renamed { from } => format!("{from} > {}", change.path),
            ChangeKind::Removed => format!("- {}", change.path),
            _ if change.before.is_none() => format!("+ {}", change.path),
            _ => format!("~ {}", change.path),
        };
        let told: Vec<String> = ledger.close(&Vfs::new()).iter().map(text).collect();
        assert_eq!(told, expected);
        assert!(ledger.close(&Vfs::new()).is_empty());
    }

    #[test]
    fn a_file_is_told_once_as_it_is_now() {
        check(
            &[("/a", "1", "2"), ("/b", "-", "1"), ("/a", "2", "3")],
            &[],
            &["+ /b", "~ /a"],
        );
        check(&[("/a", "1", "2"), ("/a", "2", "1")], &[], &[]);
        check(&[("/a", "-", "2"), ("/a", "2", "-")], &[], &[]);
        check(&[("/a", "1", "-"), ("/a", "-", "1")], &[], &[]);
        check(&[("/a", "1", "2"), ("/a", "2", "-")], &[], &["- /a"]);
    }

    #[test]
    fn a_move_is_found_by_content_and_where_that_is_not_unique_by_name_or_folder() {
        check(&[("/a", "1", "-"), ("/b", "-", "1")], &[], &["/a > /b"]);
        // Two of the same content went: nobody can say which of them came.
        check(
            &[("/a", "1", "-"), ("/b", "1", "-"), ("/c", "-", "1")],
            &[],
            &["- /a", "- /b", "+ /c"],
        );
        let two = [
            ("/o/a", "1", "-"),
            ("/o/b", "1", "-"),
            ("/n/a", "-", "1"),
            ("/n/b", "-", "1"),
        ];
        check(&two, &[], &["/o/a > /n/a", "/o/b > /n/b"]);
        // The same name twice: told apart by the folder that the third file shows to have moved.
        let folder = [
            ("/o/p/x", "1", "-"),
            ("/o/q/x", "1", "-"),
            ("/o/q/z", "3", "-"),
            ("/n/p/x", "-", "1"),
            ("/n/q/x", "-", "1"),
            ("/n/q/z", "-", "3"),
        ];
        check(&folder, &[], &["/o/p/x > /n/p/x", "/o/q/x > /n/q/x", "/o/q/z > /n/q/z"]);
    }

    #[test]
    fn own_moves_are_followed_through_chains_and_edits() {
        check(
            &[("/a", "1", "-"), ("/c", "-", "2")],
            &[("/a", "/b"), ("/b", "/c")],
            &["/a > /c"],
        );
        let folder = [
            ("/o/a", "1", "-"),
            ("/o/b", "1", "-"),
            ("/n/a", "-", "1"),
            ("/n/b", "-", "9"),
        ];
        check(&folder, &[("/o", "/n")], &["/o/a > /n/a", "/o/b > /n/b"]);
        check(
            &[("/a", "1", "2"), ("/b", "-", "1")],
            &[("/a", "/b")],
            &["~ /a", "+ /b"],
        );
    }
}
