//! Two runs held against each other: what `demo-compare` does.

use crate::error::{Error, Result};
use crate::files::TERRAIN;
use std::path::Path;
use zero_terrain::TerrainData;

/// How far two heights of one landscape may differ, in metres.
pub const MOST_M: f32 = 0.001;

/// What two runs have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Samples of the ground.
    pub samples: usize,
    /// The largest difference between two heights, in metres.
    pub height_m: f32,
    /// The trees of each species, by name.
    pub trees: Vec<(String, usize)>,
}

/// Reads the landscapes of two runs and holds them against each other: the same grid, heights within [`MOST_M`], as many
/// trees of each species.
///
/// # Errors
/// [`Error::Differs`] names the first thing that differs, with both sides; [`Error::Within`] where a landscape cannot be
/// read.
pub fn compare(left: &Path, right: &Path) -> Result<Agreement> {
    // What a landscape was warned of shows in what differs, or does not count here.
    let read = |folder: &Path| {
        let read = TerrainData::read(folder.join(TERRAIN)).map(|read| read.value);
        read.map_err(|error| Error::from(error).within(folder))
    };
    let (a, b) = (read(left)?, read(right)?);
    let differs = |what: &str, in_a: String, in_b: String, limit: &str| Error::Differs {
        what: what.into(),
        left: in_a.into(),
        left_at: left.to_owned(),
        right: in_b.into(),
        right_at: right.to_owned(),
        limit: limit.into(),
    };
    let (ground_a, ground_b) = (a.ground(), b.ground());
    if ground_a.grid() != ground_b.grid() {
        let grids = [ground_a, ground_b].map(|ground| format!("{:?}", ground.grid()));
        let [in_a, in_b] = grids;
        return Err(differs("the grid of the ground", in_a, in_b, ""));
    }
    let heights = ground_a.heights_m().iter().zip(ground_b.heights_m());
    let mut height_m = 0.0f32;
    for (at, (in_a, in_b)) in heights.enumerate() {
        let off = (in_a - in_b).abs();
        if off > MOST_M {
            let what = format!("the height of sample {at}");
            let limit = format!(", {off} m apart where {MOST_M} m is allowed");
            return Err(differs(&what, format!("{in_a} m"), format!("{in_b} m"), &limit));
        }
        height_m = height_m.max(off);
    }
    let counts = |data: &TerrainData| -> Vec<(String, usize)> {
        let scatters = data.scatters().iter();
        scatters
            .map(|trees| (trees.name().to_owned(), trees.instances().len()))
            .collect()
    };
    let (trees_a, trees_b) = (counts(&a), counts(&b));
    if trees_a != trees_b {
        let [in_a, in_b] = [&trees_a, &trees_b].map(|trees| format!("{trees:?}"));
        return Err(differs("the number of trees", in_a, in_b, ""));
    }
    Ok(Agreement {
        samples: ground_a.heights_m().len(),
        height_m,
        trees: trees_a,
    })
}
