//! Points that keep their distance.

mod grid;
mod kernels;

use super::filter::kept;
use super::{Cook, Operation};
use crate::error::{Error, Result};
use crate::graph::wire::Class;
use crate::value::{Count, Geometry, KeyHasher, Value};
use zero_compute::kernels::{gather, sort};
use zero_compute::{Args, Column, Domain, Element, args};
use zero_noise::Scope;

/// `points, distance` to the points that are kept so that no two are nearer than the distance, in their order. A draw
/// by `id` says who goes first; a point falls where a kept one that went before it is near. The answer does not depend
/// on the points' order. A distance of 0 or less keeps all.
#[derive(Debug)]
pub(crate) struct Thin {
    pub(crate) seed: u32,
}

/// Rounds of asking around. Of a million points with some ten within the distance of each the last is decided in the
/// twelfth; a point that is undecided after all of them falls.
const ROUNDS: u32 = 16;

impl Operation for Thin {
    fn id(&self) -> &'static str {
        "construct.thin"
    }
    fn digest(&self, key: &mut KeyHasher) {
        key.u32(self.seed);
    }
    fn cook(&self, cx: &mut Cook<'_>, inputs: &[Value]) -> Result<Vec<Value>> {
        let [points, distance] = inputs else {
            return Err(Error::Refused("thin: expected points and a distance".to_owned()));
        };
        let points = points.geometry()?;
        if points.count(Class::Point).capacity() == 0 {
            return Ok(vec![Value::Geometry(points.clone())]);
        }
        let stands = self.stands(cx, points, distance)?;
        Ok(vec![Value::Geometry(kept(cx, points, Class::Point, &stands)?)])
    }
}

impl Thin {
    /// 1 for each point that is kept, else 0.
    fn stands(&self, cx: &mut Cook<'_>, points: &Geometry, distance: &Value) -> Result<Column> {
        let count = points.count(Class::Point);
        let (places, ids) = (
            points.column(Class::Point, "P")?.column.clone(),
            points.column(Class::Point, "id")?.column.clone(),
        );
        let live = match &count {
            Count::Live { count, .. } => count.clone(),
            Count::Known(count) => cx.upload(&[*count], 1)?,
        };
        let distance = &[("min_dist", distance)];
        let bits = bucket_bits(count.capacity());
        let state = Scope::new(self.seed).text("points").text("rank").state();

        let arguments = args! { places: &places, ids: &ids, bits: bits, state: state };
        let keys = cx
            .dispatch(&kernels::KEY, arguments, distance, count.domain())?
            .column("keys")?;
        let sorted = sort(cx.recorder(), &keys, None)?;
        let arguments = args! { keys: &sorted.keys, live: &live, bits: bits };
        let buckets = Domain::count((1 << bits) + 1);
        let starts = cx
            .recorder()
            .dispatch(&kernels::STARTS, arguments, buckets)?
            .column("starts")?;
        let order = match &count {
            Count::Live { count, .. } => sorted.values.with_live(count)?,
            Count::Known(_) => sorted.values.clone(),
        };
        let (places, ids) = (
            gather(cx.recorder(), &places, &order)?,
            gather(cx.recorder(), &ids, &order)?,
        );

        let mut before = cx.device().column(Element::U32, 1, count.capacity())?;
        let mut after = cx.device().column(Element::U32, 1, count.capacity())?;
        cx.recorder().fill(&before, 0)?;
        for _ in 0..ROUNDS {
            let arguments: Args = args! {
                places: &places,
                ids: &ids,
                keys: &sorted.keys,
                starts: &starts,
                before: &before,
                after: &after,
                bits: bits,
                state: state,
            };
            cx.dispatch(&kernels::ROUND, arguments, distance, count.domain())?;
            std::mem::swap(&mut before, &mut after);
        }
        let stands = cx.device().column(Element::I32, 1, count.capacity())?;
        cx.recorder().fill(&stands, 0)?;
        let arguments = args! { order: &order, state: &before, stands: &stands };
        cx.recorder().dispatch(&kernels::SETTLE, arguments, count.domain())?;
        Ok(match &count {
            Count::Live { count, .. } => stands.with_live(count)?,
            Count::Known(_) => stands,
        })
    }
}

/// Bits of a bucket's number: about a bucket a point.
fn bucket_bits(points: u32) -> u32 {
    (32 - points.leading_zeros()).clamp(4, 22)
}
