//! [`Search`]: what is asked for, and [`Hit`], what is found.

use std::collections::BTreeMap;

use zero_vfs::VfsPath;

use super::facet::{FacetValue, Filter};
use crate::guid::Guid;

/// What is looked for among assets.
///
/// ```
/// use zero_assets::{Search, Slot};
/// let rough_and_rigged = Search::new("bark of an oak")
///     .category("material")
///     .slot(Slot::Identity)
///     .is("rigged", true)
///     .range("roughness", 0.5, 1.0)
///     .limit(5);
/// # let _ = rough_and_rigged;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Search {
    /// Words, or a name in one of the forms that mean the same everywhere: a path, a guid, an identity, a short name. Empty
    /// finds all that the filters let through, in the order of their identities.
    pub text: String,
    /// The type: its name, or `@lib::name`; any where none is named.
    pub category: Option<String>,
    /// The slot that the words are looked for in; all where none is named.
    pub slot: Option<Slot>,
    /// The folder or asset that it lies in; anywhere where none is named.
    pub below: Option<VfsPath>,
    /// What must hold of its facets.
    pub filters: BTreeMap<String, Filter>,
    /// The most that are answered; 20.
    pub limit: usize,
}

/// What a text says of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Slot {
    /// What it is.
    Identity,
    /// What it does and how it is made.
    Capability,
    /// What its facets' file says.
    Facets,
}

impl Slot {
    pub(super) const ALL: [Self; 3] = [Self::Identity, Self::Capability, Self::Facets];

    /// What a fit in this slot weighs, in thousandths: what an asset is comes before what it does.
    pub(super) fn weight(self) -> f32 {
        match self {
            Self::Identity => 2000.0,
            Self::Capability => 1000.0,
            Self::Facets => 500.0,
        }
    }
}

impl Search {
    /// Looks for words or a name.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            category: None,
            slot: None,
            below: None,
            filters: BTreeMap::new(),
            limit: 20,
        }
    }

    /// The same among the assets of a type.
    #[must_use]
    pub fn category(self, category: impl Into<String>) -> Self {
        let category = Some(category.into());
        Self { category, ..self }
    }

    /// The same with the words in one slot.
    #[must_use]
    pub fn slot(self, slot: Slot) -> Self {
        let slot = Some(slot);
        Self { slot, ..self }
    }

    /// The same among what lies in a folder or an asset.
    #[must_use]
    pub fn below(self, folder: &VfsPath) -> Self {
        let below = Some(folder.clone());
        Self { below, ..self }
    }

    /// The same where a facet is this.
    #[must_use]
    pub fn is(mut self, facet: impl Into<String>, value: impl Into<FacetValue>) -> Self {
        self.filters.insert(facet.into(), Filter::Is(value.into()));
        self
    }

    /// The same where a facet is a number from `min` to `max`, both included.
    #[must_use]
    pub fn range(mut self, facet: impl Into<String>, min: f64, max: f64) -> Self {
        self.filters.insert(facet.into(), Filter::Range { min, max });
        self
    }

    /// The same, with at most so many answers.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }
}

/// An asset that was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// Where it is.
    pub path: VfsPath,
    /// Its identity, as it is written from anywhere.
    pub identity: String,
    /// The name of its type.
    pub kind: String,
    /// Which asset it is.
    pub guid: Option<Guid>,
    /// Whether the text is one of its names; those come first.
    pub is_named: bool,
    /// How well the words fit, in thousandths; of two hits of one search, more fits better.
    pub score: u64,
    /// The slots that hold a word of the query.
    pub slots: Vec<Slot>,
    /// What it states under the facets of its type.
    pub facets: BTreeMap<String, FacetValue>,
    /// Its pictures, those of what it is first: for a host that can compare a text with a picture.
    pub pictures: Vec<VfsPath>,
}
