//! Proxies made of what the store already holds: one box over a cell, or one over each of its groups.

use crate::codec::encode_checked;
use crate::record::check_forest;
use crate::store::read_payload;
use crate::{CellKey, EntityId, Error, Record, Result, Storage, Store, Transform};
use glam::{DAffine3, DQuat, DVec3, Vec3};

/// What one box of a silhouette stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum BoxPer {
    /// All that the cell holds.
    #[default]
    Cell,
    /// One group.
    Group,
}

/// How silhouettes are derived.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Silhouettes {
    /// Only of this layer; `None` for all of them.
    pub layer: Option<String>,
    /// What one box stands for.
    pub per: BoxPer,
    /// How much further a box reaches on every side, in world units: for meshes larger than the unit box that they scale
    /// from.
    pub padding: f32,
    /// What the host makes a box of: the data of every record.
    pub data: Vec<u8>,
}

/// What was derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use = "a cell whose proxy was set by hand keeps it"]
#[non_exhaustive]
pub struct Derived {
    /// Cells that have a new silhouette.
    pub cells: u64,
    /// How many boxes those are made of.
    pub boxes: u64,
    /// Cells that keep the proxy that was set by hand.
    pub kept: u64,
    /// Cells without content any more, whose silhouette was taken away.
    pub cleared: u64,
}

/// A box along the world's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bounds {
    /// The lowest corner.
    pub min: DVec3,
    /// The highest corner.
    pub max: DVec3,
}

impl Bounds {
    fn join(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

/// The box around some records. Each is measured as a unit box around its origin, placed through the whole of its parents'
/// transforms: scale, then rotation, then position, at every level. In f64.
///
/// # Errors
/// No record, a number that is not finite, a rotation of length 0, a parent that does not come before its child.
pub fn measure(records: &[Record]) -> Result<Bounds> {
    check_forest("the records to measure", records)?;
    let mut placed: Vec<DAffine3> = Vec::with_capacity(records.len());
    let mut whole: Option<Bounds> = None;
    for record in records {
        let own = affine(&record.transform);
        let parent = record.parent.and_then(|parent| placed.get(parent as usize));
        let world = parent.map_or(own, |parent| *parent * own);
        placed.push(world);
        let bounds = unit_box(&world);
        whole = Some(whole.map_or(bounds, |so_far| so_far.join(bounds)));
    }
    let none = || Error::value("the records to measure", "at least one", 0);
    whole.ok_or_else(none)
}

fn affine(transform: &Transform) -> DAffine3 {
    let Transform {
        position,
        rotation,
        scale,
    } = transform;
    // In f64 and divided by its largest part, the square of no rotation is lost or infinite.
    let wide = rotation.as_dquat();
    let largest = wide.x.abs().max(wide.y.abs()).max(wide.z.abs()).max(wide.w.abs());
    let rotation = DQuat::from_xyzw(wide.x / largest, wide.y / largest, wide.z / largest, wide.w / largest);
    DAffine3::from_scale_rotation_translation(scale.as_dvec3(), rotation.normalize(), position.as_dvec3())
}

/// The box around the unit box placed by a transform: along each axis it reaches half the sum of what the three edges
/// reach.
fn unit_box(world: &DAffine3) -> Bounds {
    let axes = world.matrix3;
    let half = (axes.x_axis.abs() + axes.y_axis.abs() + axes.z_axis.abs()) * 0.5;
    Bounds {
        min: world.translation - half,
        max: world.translation + half,
    }
}

/// A record whose unit box encloses these bounds.
fn enclosing(bounds: Bounds, padding: f32) -> Record {
    let center = ((bounds.min + bounds.max) * 0.5).as_vec3();
    let wide = center.as_dvec3();
    let half = (bounds.max - wide).max(wide - bounds.min) + f64::from(padding);
    // One step up, so that rounding to f32 leaves nothing outside.
    let grow = |half: f64| ((2.0 * half) as f32).next_up();
    let scale = Vec3::new(grow(half.x), grow(half.y), grow(half.z));
    Record::new(Transform::at(center).with_scale(scale))
}

impl<E: EntityId, S: Storage> Store<E, S> {
    /// Gives cells a silhouette made of the groups they hold, as those were last written down: boxes along the world's
    /// axes. A silhouette that was derived before is replaced, or taken down by the next steps where the content
    /// is gone; a proxy that was set by hand is kept. Costs a pass over all records; groups in files are read.
    ///
    /// # Errors
    /// A padding that is negative or not finite; a file that cannot be read; content so far out that its box is not
    /// finite. Nothing is changed then.
    pub fn derive_proxies(&mut self, silhouettes: &Silhouettes) -> Result<Derived> {
        let padding = silhouettes.padding;
        if !(padding.is_finite() && padding >= 0.0) {
            return Err(Error::value(
                "padding",
                "a finite number of at least 0 world units",
                padding,
            ));
        }
        let wanted = |layer: &str| silhouettes.layer.as_deref().is_none_or(|only| only == layer);
        let (mut derived, mut ready, mut stale) = (Derived::default(), Vec::new(), Vec::new());
        for (slot, cell) in self.cells.iter() {
            let layer = self.layer_name(cell.layer);
            if !wanted(layer) {
                continue;
            }
            if cell.groups.is_empty() {
                if cell.proxy.as_ref().is_some_and(|proxy| proxy.derived) {
                    stale.push(slot);
                }
                continue;
            }
            if cell.proxy.as_ref().is_some_and(|proxy| !proxy.derived) {
                derived.kept += 1;
                continue;
            }
            let mut boxes = Vec::new();
            for group in cell.groups.iter().filter_map(|slot| self.groups.get(*slot)) {
                boxes.push(measure(&read_payload(&self.storage, &group.payload)?)?);
            }
            if silhouettes.per == BoxPer::Cell {
                boxes = boxes.into_iter().reduce(Bounds::join).into_iter().collect();
            }
            let dress = |bounds| enclosing(bounds, padding).with_data(silhouettes.data.clone());
            let records: Vec<Record> = boxes.into_iter().map(dress).collect();
            check_forest("the derived silhouette", &records)?;
            ready.push((
                layer.to_owned(),
                cell.key,
                encode_checked(&records),
                records.len() as u64,
            ));
        }
        ready.sort_unstable_by(|a: &(String, CellKey, Vec<u8>, u64), b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        for (layer, key, payload, records) in ready {
            derived.cells += 1;
            derived.boxes += records;
            self.put_proxy(&layer, key, payload, records, true);
        }
        for slot in stale {
            derived.cleared += 1;
            self.retire_proxy(slot);
        }
        Ok(derived)
    }
}
