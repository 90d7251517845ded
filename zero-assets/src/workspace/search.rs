//! [`Workspace::search`]: assets by what they are and do.

use super::Workspace;
use crate::error::Result;
use crate::search::{Hit, Search, SearchIndex};

impl Workspace {
    /// The assets that fit, best first (see [`SearchIndex::search`]). The first search reads what the types name of all
    /// assets; a later one what changed since.
    ///
    /// # Errors
    /// As [`SearchIndex::search`].
    pub fn search(&mut self, search: &Search) -> Result<Vec<Hit>> {
        self.follow_search();
        self.search.get_or_insert_default().search(&self.assets, search)
    }

    /// The index that [`Workspace::search`] asks, as of now.
    pub fn search_index(&mut self) -> &SearchIndex {
        self.follow_search();
        self.search.get_or_insert_default()
    }

    fn follow_search(&mut self) {
        match (&mut self.search, self.assets.take_touched()) {
            (Some(index), Some(touched)) => index.refresh(&self.vfs, &self.assets, &touched),
            _ => self.search = Some(SearchIndex::load(&self.vfs, &self.assets)),
        }
    }
}
