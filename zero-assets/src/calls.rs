//! [`Calls`]: what all types declare of calls that carry names.

use std::collections::BTreeMap;

use crate::registry::TypeRegistry;
use crate::types::References;

/// The arguments and fields of calls that are names, by call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Calls {
    args: BTreeMap<String, BTreeMap<usize, Vec<String>>>,
    fields: BTreeMap<String, BTreeMap<String, String>>,
}

impl Calls {
    /// What the types declare, in their order, and then what `more` does.
    pub(crate) fn of(types: &TypeRegistry, more: &References) -> Self {
        let mut calls = Self::default();
        for references in types.iter().map(|kind| &kind.references).chain([more]) {
            for arg in &references.args {
                let positions = calls.args.entry(arg.call.clone()).or_default();
                let categories = positions.entry(arg.position).or_default();
                if !categories.contains(&arg.category) {
                    categories.push(arg.category.clone());
                }
            }
            for field in &references.fields {
                let fields = calls.fields.entry(field.call.clone()).or_default();
                fields.insert(field.field.clone(), field.category.clone());
            }
        }
        calls
    }

    /// The arguments of a call that are names, from 1, and the types that each may be of.
    pub(crate) fn args(&self, call: &str) -> impl Iterator<Item = (usize, Vec<String>)> {
        let positions = self.args.get(call).into_iter().flatten();
        positions.map(|(position, categories)| (*position, categories.clone()))
    }

    /// The fields of a call's options that are names, and the type of each.
    pub(crate) fn fields(&self, call: &str) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.get(call).into_iter().flatten();
        fields.map(|(field, category)| (field.as_str(), category.as_str()))
    }
}
