//! Where a long list is cut into submissions.

use std::ops::Range;

use crate::device::{PART_DISPATCHES, PART_ELEMENTS};

/// Dispatches that are handed to the GPU in one submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Their passes, within those of the list.
    pub(crate) passes: Range<usize>,
    pub(crate) dispatches: u64,
}

/// Cuts a list of dispatches, each given by its passes and its elements. Every pass counts as a dispatch and runs over
/// all elements; a dispatch stays whole, so one that is past the limits is a part of its own.
pub(crate) fn cut(dispatches: impl Iterator<Item = (usize, u32)>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut elements = 0u64;
    for (passes, n) in dispatches {
        let more = passes as u64 * u64::from(n);
        match parts.last_mut() {
            Some(part)
                if part.passes.len() + passes <= PART_DISPATCHES as usize && elements + more <= PART_ELEMENTS =>
            {
                part.passes.end += passes;
                part.dispatches += 1;
                elements += more;
            }
            last => {
                let start = last.map_or(0, |part| part.passes.end);
                let passes = start..start + passes;
                parts.push(Part { passes, dispatches: 1 });
                elements = more;
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{Part, cut};
    use crate::device::{PART_DISPATCHES, PART_ELEMENTS};

    #[test]
    fn a_list_within_the_limits_is_one_part() {
        assert_eq!(cut(std::iter::empty()), []);
        let most = PART_DISPATCHES as usize;
        let parts = cut(std::iter::repeat_n((1, 10), most));
        assert_eq!(
            parts,
            [Part {
                passes: 0..most,
                dispatches: most as u64
            }]
        );
        assert_eq!(cut([(2, (PART_ELEMENTS / 2) as u32)].into_iter()).len(), 1);
    }

    #[test]
    fn parts_hold_to_both_limits_and_cover_the_list() {
        let most = PART_DISPATCHES as usize;
        let lengths = |dispatches: Vec<(usize, u32)>| -> Vec<usize> {
            let parts = cut(dispatches.into_iter());
            assert!(
                parts
                    .iter()
                    .zip(parts.iter().skip(1))
                    .all(|(a, b)| a.passes.end == b.passes.start)
            );
            parts.into_iter().map(|part| part.passes.len()).collect()
        };
        assert_eq!(lengths(vec![(1, 1); 2 * most + 2]), [most, most, 2]);
        // A sort is many passes over the same elements, and is never cut.
        assert_eq!(lengths(vec![(most - 1, 1), (2, 1), (1, 1)]), [most - 1, 3]);
        assert_eq!(lengths(vec![(1, 5), (most + 7, 1), (1, 5)]), [1, most + 7, 1]);
        let third = (PART_ELEMENTS / 3) as u32;
        assert_eq!(lengths(vec![(1, third); 7]), [3, 3, 1]);
        assert_eq!(lengths(vec![(1, u32::MAX), (1, 1), (1, u32::MAX)]), [1, 1, 1]);
    }
}
