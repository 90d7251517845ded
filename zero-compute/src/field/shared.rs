//! Calls that ask one function over the same operands for several of its results, which is computed once.

use std::collections::HashMap;

use super::tape::{Line, Node};

/// Which calls are answered by which.
#[derive(Debug)]
pub(super) struct Shared {
    /// Of each line the first that calls the same function over the same operands; itself where it is no such call.
    pub(super) first: Vec<u32>,
    /// The others of each such first line, in order.
    pub(super) others: HashMap<u32, Vec<u32>>,
}

impl Shared {
    pub(super) fn of(lines: &[Line]) -> Shared {
        let mut known = HashMap::new();
        let mut shared = Shared {
            first: Vec::with_capacity(lines.len()),
            others: HashMap::new(),
        };
        for (at, line) in (0u32..).zip(lines) {
            let first = match line.node {
                Node::Call { prelude, args } => *known.entry((prelude.function(), args)).or_insert(at),
                _ => at,
            };
            if first != at {
                shared.others.entry(first).or_default().push(at);
            }
            shared.first.push(first);
        }
        shared
    }
}
