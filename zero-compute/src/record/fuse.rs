//! Asking for fusion, and what must stand after it.

use std::collections::{HashMap, HashSet};
use std::sync::Weak;

use super::Recorder;
use crate::column::Column;
use crate::error::{Error, Result};
use crate::fusion::{self, Applied, Fusion};
use crate::list::Step;
use crate::pool::Buffer;

/// What the list was asked to be.
#[derive(Debug, Default)]
pub(crate) struct Fuse {
    fusion: Fusion,
    keep: HashSet<u64>,
}

impl Fuse {
    /// Keeps a buffer that no caller holds as a column.
    pub(super) fn keep(&mut self, buffer: u64) {
        self.keep.insert(buffer);
    }

    /// Fuses the steps, and lets go of the columns that need not stand.
    pub(super) fn apply(
        self,
        made: &HashMap<u64, Weak<Buffer>>,
        steps: Vec<Step>,
        params: &[u32],
        align: usize,
    ) -> Applied {
        // What comes from elsewhere stands: others may hold it.
        let stands = |buffer: u64| self.keep.contains(&buffer) || !made.contains_key(&buffer);
        let applied = fusion::apply(steps, params, align, self.fusion, &stands);
        for (_, buffer) in made.iter().filter(|(id, _)| !self.keep.contains(id)) {
            if let Some(buffer) = buffer.upgrade() {
                buffer.let_go();
            }
        }
        applied
    }
}

impl Recorder {
    /// Lets the list run with fewer dispatches than were recorded, and with the same bytes in the columns of `keep`.
    ///
    /// Of the columns that this recorder allocated only those of `keep`, with their live counts, stand after a
    /// submission; reading another, or binding it in another list, is refused ([`Error::NotKept`]). Columns that were
    /// handed to the recorder always stand. A dispatch that none of these depends on is dropped. Per-element
    /// dispatches ([`Kernel::fusion`](crate::Kernel::fusion), and [`map`](Self::map) of at most
    /// [`DIRECT_LEAVES`](crate::field::DIRECT_LEAVES) leaves) over the same elements run as one, as `fusion` says and 8
    /// storage buffers allow, and what only they read is not written. Slots go on working. Asked again, the columns are
    /// kept besides those named before, and the last `fusion` holds.
    ///
    /// [`CommandList::fusion`](crate::CommandList::fusion) counts what was made of it.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a column of another device.
    pub fn fuse(&mut self, fusion: Fusion, keep: &[&Column]) -> Result<()> {
        for column in keep {
            if !column.device().is_same(&self.device) {
                return Err(Error::Foreign {
                    what: "a column to keep".to_owned(),
                    owner: "device",
                });
            }
        }
        let fuse = self.fuse.get_or_insert_default();
        fuse.fusion = fusion;
        for column in keep {
            fuse.keep.insert(column.buffer().id);
            fuse.keep.extend(column.count_buffer().map(|count| count.id));
        }
        Ok(())
    }
}
