//! A walk down a tree of boxes, the nearer child first: the twin of `bvh_walk.wgsl`.

use super::bvh_leaf::Bounds;
use super::bvh_tree::{LEAF, NODE, NONE};

/// Who walks.
pub(super) trait Walker {
    /// How far a box is, if it is worth a look.
    fn reach(&self, bounds: &Bounds) -> Option<f32>;
    /// A leaf that the walk has come by, with the number of its primitive.
    fn take(&mut self, leaf: usize, primitive: u32);
    /// How far still counts; `None` ends the walk.
    fn limit(&self) -> Option<f32>;
}

/// The nodes of a tree, and where a walk keeps what waits. One is made for many walks.
#[derive(Debug)]
pub(super) struct Nodes<'a> {
    nodes: &'a [u32],
    waiting: Vec<(u32, f32)>,
}

impl<'a> Nodes<'a> {
    pub(super) fn of(nodes: &'a [u32]) -> Self {
        Self {
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

    /// Walks the tree; answers how many nodes were looked at.
    pub(super) fn walk(&mut self, walker: &mut impl Walker) -> u32 {
        let mut visits = 0;
        self.waiting.clear();
        let mut next = self.node(0);
        while let Some(node) = next {
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
                    return visits;
                };
                if at <= limit {
                    break self.node(number);
                }
            };
        }
        visits
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
    pub(super) fn leaves(&mut self, is_wanted: impl Fn(&Bounds) -> bool, mut f: impl FnMut(usize, u32) -> bool) -> u32 {
        let mut visits = 0;
        self.waiting.clear();
        self.waiting.extend(self.node(0).map(|_| (0, 0.0)));
        while let Some((number, _)) = self.waiting.pop() {
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
        visits
    }
}
