//! [`HashCache`]: hashes of files that have not changed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::hash::ContentHash;
use crate::mount::MountId;
use crate::path::VfsPath;
use crate::stamp::Stamp;

/// The hash of each file that was asked for, with the state that it is of. One that no longer holds is dropped when it is
/// asked for.
#[derive(Debug, Default)]
pub(crate) struct HashCache(Mutex<HashMap<(MountId, VfsPath), (Stamp, ContentHash)>>);

impl HashCache {
    /// The hash of the file that `mount` holds at `inner`, if `now` proves that it is unchanged.
    pub(crate) fn get(&self, mount: MountId, inner: &VfsPath, now: &Stamp) -> Option<ContentHash> {
        let mut known = self.known();
        let key = (mount, inner.clone());
        let (stamp, hash) = *known.get(&key)?;
        if stamp.proves_unchanged(now) {
            return Some(hash);
        }
        known.remove(&key);
        None
    }

    pub(crate) fn keep(&self, mount: MountId, inner: VfsPath, stamp: Stamp, hash: ContentHash) {
        // One that proves nothing would never be of use.
        if stamp.proves_unchanged(&stamp) {
            self.known().insert((mount, inner), (stamp, hash));
        }
    }

    pub(crate) fn forget_mount(&self, mount: MountId) {
        self.known().retain(|(of, _), _| *of != mount);
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<(MountId, VfsPath), (Stamp, ContentHash)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
