//! A walk down a tree of boxes, the nearer child first: the twin of `bvh_walk.wgsl`.

use super::bvh_leaf::Bounds;
use super::bvh_tree::{LEAF, NODE, NONE};
use crate::{CancelToken, Error, Result};

/// Who walks.
pub(super) trait Walker {
    /// How far a box is, if it is worth a look.
    fn reach(&self, bounds: &Bounds) -> Option<f32>;
    /// A leaf that the walk has come by, with the number of its primitive.
    fn take(&mut self, leaf: usize, primitive: u32);
    /// How far still counts; `None` ends the walk.
    fn limit(&self) -> Option<f32>;
}

/// The nodes of a tree, and where a walk keeps what waits. One is made for many walks. A walk may look at all of them, so
/// it ends where the work is cancelled.
#[derive(Debug)]
pub(super) struct Nodes<'a> {
    cancel: &'a CancelToken,
    nodes: &'a [u32],
    waiting: Vec<(u32, f32)>,
}

impl<'a> Nodes<'a> {
    pub(super) fn of(nodes: &'a [u32], cancel: &'a CancelToken) -> Self {
        Self {
            cancel,
            nodes,
            waiting: Vec::with_capacity(64),
        }
    }

    /// The words of a node.
    fn node(&self, number: u32) -> Option<&'a [u32; NODE]> {
        self.nodes.get(number as usize * NODE..)?.first_chunk()
    }

    /// The box of a node.
    fn bounds([lx, ly, lz, hx, hy, hz, ..]: &[u32; NODE]) -> Bounds {
        Bounds {
            low: [*lx, *ly, *lz].map(f32::from_bits),
            high: [*hx, *hy, *hz].map(f32::from_bits),
        }
    }

    /// The primitive at a leaf.
    pub(super) fn primitive(&self, leaf: u32) -> u32 {
        self.node(leaf).map_or(NONE, |node| node[8])
    }

    fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            Err(Error::Cancelled)
        } else {
            Ok(())
        }
    }

    /// Walks the tree; answers how many nodes were looked at.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn walk(&mut self, walker: &mut impl Walker) -> Result<u32> {
        let mut visits = 0;
        self.waiting.clear();
        let mut next = self.node(0);
        while let Some(node) = next {
            self.check()?;
            let (left, right) = (node[6], node[7]);
            let left_reach = self.examine(left, walker, &mut visits);
            let right_reach = self.examine(right, walker, &mut visits);
            match (left_reach, right_reach) {
                (Some(at_left), Some(at_right)) if at_right < at_left => {
                    self.waiting.extend([(left, at_left), (right, at_right)]);
                }
                (at_left, at_right) => {
                    self.waiting.extend(at_right.map(|at| (right, at)));
                    self.waiting.extend(at_left.map(|at| (left, at)));
                }
            }
            next = loop {
                let (Some((number, at)), Some(limit)) = (self.waiting.pop(), walker.limit()) else {
                    return Ok(visits);
                };
                if at <= limit {
                    break self.node(number);
                }
            };
        }
        Ok(visits)
    }

    /// How far an inner child is; a leaf is taken at once, and a child that there is not is no way to go.
    fn examine(&self, child: u32, walker: &mut impl Walker, visits: &mut u32) -> Option<f32> {
        if child == NONE {
            return None;
        }
        *visits += 1;
        if child & LEAF != 0 {
            let leaf = child ^ LEAF;
            walker.take(leaf as usize, self.primitive(leaf));
            return None;
        }
        walker.reach(&Self::bounds(self.node(child)?))
    }

    /// Calls `f` with every leaf below a node that `is_wanted`, from the first to the last, until it answers `false`. `f`
    /// is called with the number of the leaf and of its primitive, and looks at the box of the leaf itself. Answers how
    /// many nodes were looked at.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn leaves(
        &mut self,
        is_wanted: impl Fn(&Bounds) -> bool,
        mut f: impl FnMut(usize, u32) -> bool,
    ) -> Result<u32> {
        let mut visits = 0;
        self.waiting.clear();
        self.waiting.extend(self.node(0).map(|_| (0, 0.0)));
        while let Some((number, _)) = self.waiting.pop() {
            self.check()?;
            visits += 1;
            if number & LEAF != 0 {
                let leaf = number ^ LEAF;
                if !f(leaf as usize, self.primitive(leaf)) {
                    break;
                }
            } else if let Some(node) = self.node(number)
                && is_wanted(&Self::bounds(node))
            {
                let children = [node[7], node[6]].into_iter().filter(|child| *child != NONE);
                self.waiting.extend(children.map(|child| (child, 0.0)));
            }
        }
        Ok(visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of one node over another, down to the last, each with a leaf beside it.
    fn comb(leaves: u32) -> Vec<u32> {
        let bounds = [0.0f32, 0.0, 0.0, 1.0, 1.0, 1.0].map(f32::to_bits);
        let node = |k: u32| {
            let right = if k + 2 < leaves { k + 1 } else { LEAF | (k + 1) };
            let [a, b, c, d, e, f] = bounds;
            [a, b, c, d, e, f, LEAF | k, right, k]
        };
        (0..leaves).flat_map(node).collect()
    }

    struct Stops<'a>(u32, Option<&'a CancelToken>);

    impl Walker for Stops<'_> {
        fn reach(&self, _: &Bounds) -> Option<f32> {
            Some(0.0)
        }
        fn take(&mut self, _: usize, _: u32) {
            self.0 += 1;
            if let Some(token) = self.1 {
                token.cancel();
            }
        }
        fn limit(&self) -> Option<f32> {
            Some(1.0)
        }
    }

    #[test]
    fn a_walk_that_is_cancelled_ends_at_the_next_node() {
        let nodes = comb(1000);
        let cancel = CancelToken::new();
        let mut tree = Nodes::of(&nodes, &cancel);
        let mut all = Stops(0, None);
        assert!(tree.walk(&mut all).is_ok());
        assert_eq!(all.0, 1000);
        let mut first = Stops(0, Some(&cancel));
        assert_eq!((tree.walk(&mut first), first.0), (Err(Error::Cancelled), 1));

        let (cancel, mut seen) = (CancelToken::new(), 0);
        let mut tree = Nodes::of(&nodes, &cancel);
        assert!(
            tree.leaves(
                |_| true,
                |_, _| {
                    seen += 1;
                    true
                }
            )
            .is_ok()
        );
        assert_eq!(seen, 1000);
        seen = 0;
        let end = tree.leaves(
            |_| true,
            |_, _| {
                seen += 1;
                cancel.cancel();
                true
            },
        );
        assert_eq!((end, seen), (Err(Error::Cancelled), 1));
    }
}
