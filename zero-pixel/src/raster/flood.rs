//! Flood fill.

use crate::frame::{Frame, index};

/// Fills the pixels that are reached from `x`, `y` in steps left, right, up and down over pixels of one entry, the
/// one found there. Answers at once where that is `ink` already. `x` and `y` lie within the frame.
///
/// Cost: each pixel of the region is looked at a few times; the stack holds at most one place for each run of it.
pub(crate) fn flood(frame: &mut Frame, width: u32, height: u32, (x, y): (u32, u32), ink: u8, revision: u64) {
    let Some(&target) = frame.span(y, x, x + 1).first() else {
        return;
    };
    if target == ink {
        return;
    }
    let mut stack = vec![(x, y)];
    while let Some((x, y)) = stack.pop() {
        let row = frame.span(y, 0, width);
        if row.get(index(x)) != Some(&target) {
            continue;
        }
        let (from, to) = run_around(row, x, target);
        frame.fill(y, from, to, ink, revision);
        if let Some(above) = y.checked_sub(1) {
            push_runs(frame.span(above, 0, width), above, from, to, target, &mut stack);
        }
        if y + 1 < height {
            push_runs(frame.span(y + 1, 0, width), y + 1, from, to, target, &mut stack);
        }
    }
}

/// The run of pixels equal to `target` around column `x`.
fn run_around(row: &[u8], x: u32, target: u8) -> (u32, u32) {
    let (left, right) = row.split_at(index(x).min(row.len()));
    let left = left.iter().rev().take_while(|pixel| **pixel == target).count();
    let right = right.iter().take_while(|pixel| **pixel == target).count();
    let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (x - offset(left), x + offset(right))
}

/// One place for each run of `target` that begins within the columns.
fn push_runs(row: &[u8], y: u32, from: u32, to: u32, target: u8, stack: &mut Vec<(u32, u32)>) {
    let mut inside = false;
    for (x, pixel) in (from..to).zip(row.get(index(from)..index(to)).unwrap_or(&[])) {
        let is_target = *pixel == target;
        if is_target && !inside {
            stack.push((x, y));
        }
        inside = is_target;
    }
}
