//! What one entity is while it is away.

use crate::{Error, Result};
use glam::{Quat, Vec3};

/// Scale, then rotation, then position.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Transform {
    /// In world units.
    pub position: Vec3,
    /// Of any length but 0.
    pub rotation: Quat,
    /// Along the entity's own axes.
    pub scale: Vec3,
}

impl Default for Transform {
    /// At the origin, not turned, of scale 1.
    fn default() -> Self {
        Self::at(Vec3::ZERO)
    }
}

impl Transform {
    /// Here, not turned, of scale 1.
    pub const fn at(position: Vec3) -> Self {
        Self {
            position,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
        }
    }

    /// The same, turned by this.
    pub const fn with_rotation(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }

    /// The same, scaled by this.
    pub const fn with_scale(self, scale: Vec3) -> Self {
        Self { scale, ..self }
    }
}

/// One entity of a group or of a proxy, as data.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Record {
    /// Relative to the parent; of a record without parent, relative to the world.
    pub transform: Transform,
    /// Which record of the same list is the parent, by its number from 0. A parent comes before its children.
    pub parent: Option<u32>,
    /// Whatever else the host makes the entity of. The store never looks inside.
    pub data: Vec<u8>,
}

impl Record {
    /// A record without parent and data.
    pub const fn new(transform: Transform) -> Self {
        Self {
            transform,
            parent: None,
            data: Vec::new(),
        }
    }

    /// The same below this record of the list.
    pub fn below(self, parent: u32) -> Self {
        Self {
            parent: Some(parent),
            ..self
        }
    }

    /// The same with this data.
    pub fn with_data(self, data: impl Into<Vec<u8>>) -> Self {
        Self {
            data: data.into(),
            ..self
        }
    }

    /// Whether every number is finite and the rotation is one. `of` and `index` name the record in the error.
    pub(crate) fn check(&self, of: &str, index: usize) -> Result<()> {
        let Transform {
            position,
            rotation,
            scale,
        } = self.transform;
        let reason = if !position.is_finite() {
            format!("the position must be finite, got {position}")
        } else if !scale.is_finite() {
            format!("the scale must be finite, got {scale}")
        } else if !rotation.is_finite() || rotation == Quat::from_xyzw(0.0, 0.0, 0.0, 0.0) {
            format!("the rotation must be finite and not 0, got {rotation}")
        } else {
            return Ok(());
        };
        Err(Error::Record {
            of: of.to_owned(),
            index,
            reason,
        })
    }
}

/// Records that form a forest: at least one, each with finite numbers, parents before their children.
pub(crate) fn check_forest(of: &str, records: &[Record]) -> Result<()> {
    let refuse = |index: usize, reason: String| {
        Err(Error::Record {
            of: of.to_owned(),
            index,
            reason,
        })
    };
    if records.is_empty() {
        return refuse(0, "there is none; at least one is needed".to_owned());
    }
    if u32::try_from(records.len()).is_err() {
        return refuse(
            records.len(),
            format!("at most {} records, got {}", u32::MAX, records.len()),
        );
    }
    for (index, record) in records.iter().enumerate() {
        record.check(of, index)?;
        if let Some(parent) = record.parent
            && parent as usize >= index
        {
            return refuse(index, format!("its parent must come before it, got record {parent}"));
        }
        if u32::try_from(record.data.len()).is_err() {
            return refuse(
                index,
                format!("at most {} bytes of data, got {}", u32::MAX, record.data.len()),
            );
        }
    }
    Ok(())
}

/// A forest of one tree, whose root is the first record.
pub(crate) fn check_tree(of: &str, records: &[Record]) -> Result<()> {
    check_forest(of, records)?;
    let roots = || records.iter().enumerate().filter(|(_, record)| record.parent.is_none());
    if let Some((index, _)) = roots().nth(1) {
        let reason = "a second record without parent; a group has one root, the first record".to_owned();
        return Err(Error::Record {
            of: of.to_owned(),
            index,
            reason,
        });
    }
    Ok(())
}
