//! The operations that a document has a construct for.

use super::super::DocArgument;
use super::items::text;
use crate::cook::Operation;
use crate::cook::construct::{
    Check, CountOf, Empty, Evaluate, FromColumns, HasColumn, ReadColumn, ReadDetail, RemoveColumn, SetCount, SetDetail,
    WriteColumn,
};
use crate::cook::list::{CountItems, MergeItems};
use crate::cook::raster::{EvaluateOver, RasterSamples, RasterShape, WithSamples};
use crate::graph::wire::Class;
use std::any::Any;

/// An operation as a document states it.
pub(super) struct Stated {
    /// The construct.
    pub(super) node: &'static str,
    /// The names of what it reads, in order.
    pub(super) inputs: &'static [&'static str],
    /// What it states beside that.
    pub(super) params: Vec<(&'static str, DocArgument)>,
    /// The input that takes all it reads past those, and their names in it.
    pub(super) named: Option<(&'static str, Vec<String>)>,
}

/// Nothing of one that no document states.
pub(super) fn stated(op: &dyn Operation) -> Option<Stated> {
    let op: &dyn Any = op;
    let class = |class: Class| ("class", text(class.name()));
    let named = |name: &str| ("name", text(name));
    let of = |node, inputs, params| {
        Some(Stated {
            node,
            inputs,
            params,
            named: None,
        })
    };
    if let Some(op) = op.downcast_ref::<ReadColumn>() {
        return of(
            "construct.column",
            &["geometry"],
            vec![class(op.class), named(&op.name)],
        );
    }
    if let Some(op) = op.downcast_ref::<CountOf>() {
        return of("construct.count", &["geometry"], vec![class(op.class)]);
    }
    if let Some(op) = op.downcast_ref::<HasColumn>() {
        return of("construct.has", &["geometry"], vec![class(op.class), named(&op.name)]);
    }
    if let Some(op) = op.downcast_ref::<SetCount>() {
        return of("construct.count_set", &["geometry", "count"], vec![class(op.class)]);
    }
    if let Some(op) = op.downcast_ref::<ReadDetail>() {
        return of(
            "construct.detail",
            &["geometry"],
            vec![named(&op.name), ("type", text(op.ty.name()))],
        );
    }
    if let Some(op) = op.downcast_ref::<SetDetail>() {
        return of("construct.detail_set", &["geometry", "value"], vec![named(&op.name)]);
    }
    if let Some(op) = op.downcast_ref::<WriteColumn>().filter(|op| !op.only_if_held) {
        return of(
            "construct.column_set",
            &["geometry", "value"],
            vec![class(op.class), named(&op.name)],
        );
    }
    if let Some(op) = op.downcast_ref::<RemoveColumn>() {
        return of(
            "construct.column_remove",
            &["geometry"],
            vec![class(op.class), named(&op.name)],
        );
    }
    if let Some(op) = op.downcast_ref::<Check>() {
        return of("construct.check", &["cond"], vec![("message", text(&*op.message))]);
    }
    if let Some(op) = op.downcast_ref::<Evaluate>() {
        let exact = op.exact.then_some(("exact", DocArgument::Bool(true)));
        return of("construct.evaluate", &["count", "value"], exact.into_iter().collect());
    }
    if let Some(op) = op.downcast_ref::<EvaluateOver>() {
        return of(
            "construct.raster_evaluate",
            &["geometry", "value"],
            vec![class(op.class)],
        );
    }
    // A document names columns in the order of their names.
    if let Some(op) = op
        .downcast_ref::<FromColumns>()
        .filter(|op| op.columns.is_sorted_by_key(|(name, _)| name))
    {
        let types: Vec<&str> = op.columns.iter().map(|(_, ty)| ty.name()).collect();
        return Some(Stated {
            node: "construct.from_columns",
            inputs: &["count"],
            params: vec![("types", text(types.join(" ")))],
            named: Some(("columns", op.columns.iter().map(|(name, _)| name.to_string()).collect())),
        });
    }
    let plain: [(bool, &'static str, &'static [&'static str]); 6] = [
        (op.is::<Empty>(), "construct.empty", &[]),
        (op.is::<CountItems>(), "construct.list_count", &["list"]),
        (op.is::<MergeItems>(), "construct.list_merge", &["list"]),
        (op.is::<RasterSamples>(), "construct.raster_samples", &["raster"]),
        (op.is::<RasterShape>(), "construct.raster_shape", &["raster"]),
        (
            op.is::<WithSamples>(),
            "construct.raster_with_samples",
            &["raster", "samples"],
        ),
    ];
    let (_, node, inputs) = plain.into_iter().find(|(is, ..)| *is)?;
    of(node, inputs, Vec::new())
}
