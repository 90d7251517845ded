//! What a shader has to read tables of columns with.

use std::fmt::Write as _;

use crate::kernel::{Columns, Kernel};

const WORDS: &str = include_str!("words.wgsl");
const ACCESSORS: &str = include_str!("table.wgsl");

/// Slot numbers from here on name a column that the kernel finds by name; the rest is its place in the declaration.
const BY_NAME: u32 = 1 << 31;

fn tables(kernel: &Kernel) -> impl Iterator<Item = (&'static str, Columns)> {
    kernel
        .bindings()
        .filter_map(|binding| Some((binding.name, binding.columns?)))
}

/// The params that hold where the columns stand that are found by name.
pub(crate) fn param_fields(kernel: &Kernel) -> String {
    let mut fields = String::new();
    for (table, columns) in tables(kernel) {
        if let Columns::Named(names) = columns {
            for name in names {
                // Writing to a String cannot fail.
                let _ = write!(fields, ", {table}_slot_{name}: u32");
            }
        }
    }
    fields
}

/// The functions and constants that [`Kernel::columns`] promises.
pub(crate) fn accessors(kernel: &Kernel) -> String {
    let mut text = String::new();
    for (table, columns) in tables(kernel) {
        if text.is_empty() {
            text.push_str(WORDS);
        }
        let mut cases = String::new();
        for (index, name) in columns.names().iter().enumerate() {
            let slot = match columns {
                Columns::Order(_) => index as u32,
                Columns::Named(_) => {
                    let _ = write!(cases, "case {index}u: {{ return params.{table}_slot_{name}; }} ");
                    BY_NAME + index as u32
                }
            };
            let _ = writeln!(text, "const {table}_col_{name}: u32 = {slot}u;");
        }
        let _ = writeln!(text, "fn {table}_slot(slot: u32) -> u32 {{");
        if !cases.is_empty() {
            let _ = writeln!(
                text,
                "    if (slot >= {BY_NAME}u) {{ switch (slot - {BY_NAME}u) {{ {cases}default: {{}} }} }}"
            );
        }
        text.push_str("    return slot;\n}\n");
        text.push_str(&ACCESSORS.replace("NAME", table));
    }
    text
}
