//! The params that the last submission of a list handed over, so that the next writes what differs and nothing else.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use crate::queue::lock;

/// What stands in a list's arena. Nothing is known of it while a write is under way, nor after one that failed.
#[derive(Debug)]
pub(crate) struct Sent(Mutex<Option<Arc<Vec<u32>>>>);

impl Sent {
    /// An arena that was made with these params.
    pub(crate) fn new(params: Arc<Vec<u32>>) -> Self {
        Self(Mutex::new(Some(params)))
    }

    /// The range of words that differs from what stands: all of them where that is not known. Where there is one, what
    /// stands is not known from here on, until [`wrote`](Self::wrote) says so.
    pub(crate) fn changed(&self, params: &Arc<Vec<u32>>) -> Option<Range<usize>> {
        let mut sent = lock(&self.0);
        let Some(stands) = &*sent else {
            return Some(0..params.len());
        };
        if Arc::ptr_eq(stands, params) {
            return None;
        }
        let first = stands.iter().zip(params.iter()).position(|(a, b)| a != b);
        let last = stands.iter().zip(params.iter()).rposition(|(a, b)| a != b);
        let range = first?..last? + 1;
        *sent = None;
        Some(range)
    }

    /// Notes that these params stand.
    pub(crate) fn wrote(&self, params: &Arc<Vec<u32>>) {
        *lock(&self.0) = Some(params.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_written_once() {
        let sent = Sent::new(Arc::new(vec![1, 2, 3, 4]));
        let next = Arc::new(vec![1, 7, 3, 8]);
        assert_eq!(sent.changed(&next), Some(1..4));
        sent.wrote(&next);
        assert_eq!(sent.changed(&next), None);
        assert_eq!(sent.changed(&Arc::new(vec![1, 7, 3, 8])), None, "the same words");
    }

    #[test]
    fn after_a_write_that_failed_all_is_written() {
        let old = Arc::new(vec![1, 2, 3]);
        let sent = Sent::new(old.clone());
        let next = Arc::new(vec![1, 9, 3]);
        assert_eq!(sent.changed(&next), Some(1..2));
        assert_eq!(sent.changed(&next), Some(0..3), "tried again");
        assert_eq!(sent.changed(&old), Some(0..3), "put back: the arena may hold the other");
        sent.wrote(&old);
        assert_eq!(sent.changed(&old), None);
    }
}
