//! The tree of boxes over sorted leaves: codes, the pyramid of boxes around groups of leaves, and the inner nodes.

use std::ops::Range;

use super::bvh_leaf::{Ball, Block, Bounds, Leaf, Triangle, Vector, sub, words_of};
use super::parallel::{CHUNK, for_chunks, part};
use crate::{Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Element, Groups, Kernel, Result, Rule, WORKGROUP};

/// Words of a node: the box of the inner node, its children, and the primitive at the leaf of the same number.
pub(super) const NODE: usize = 9;
/// No child.
pub(super) const NONE: u32 = u32::MAX;
/// The bit of a child that is a leaf.
pub(super) const LEAF: u32 = 1 << 31;
/// The kinds of shapes; the options of `SHAPE`.
pub(super) const SHAPES: &[&str] = &["triangles", "boxes", "balls"];

/// Words of a leaf: of a ball, the least, and of a triangle, the most.
pub(super) const LEAF_LANES: [u32; 2] = [Ball::LANES as u32, Triangle::LANES as u32];

/// Leaves that a box of the lowest level of the pyramid holds, and boxes that one of each other level holds.
const GROUP: usize = 8;
/// As `SHORTEST` and `VOID_CODE` of `bvh_keys.wgsl`.
const SHORTEST: f32 = 7.888_609e-31;
const VOID_CODE: u32 = 1 << 30;

/// Second part of the building of a tree: the Morton code of each primitive.
pub static BVH_KEYS: Kernel = Kernel::declare("bvh_keys")
    .read_domain("lows", Element::F32)
    .lanes(3)
    .read_domain("highs", Element::F32)
    .lanes(3)
    .read("least", Element::F32)
    .lanes(3)
    .read("greatest", Element::F32)
    .lanes(3)
    .write("codes", Element::U32, Rule::Domain)
    .determinism(Determinism::Exact)
    .wgsl(concat!(
        include_str!("bvh_box.wgsl"),
        include_str!("bvh_vector.wgsl"),
        include_str!("bvh_keys.wgsl")
    ))
    .cpu(Cpu::Ranges(keys_twin));

/// Third part: boxes around groups of 8, 64, 512 and so on of the sorted leaves, as many as are whole.
pub static BVH_PYRAMID: Kernel = pyramid();

/// Last part: the inner nodes. Node `i` is the box (six floats' bits), the two children and the primitive at leaf `i`.
pub static BVH_INTERNAL: Kernel = Kernel::declare("bvh_internal")
    .read_domain("codes", Element::U32)
    .lanes(1)
    .read_domain("order", Element::I32)
    .lanes(1)
    .read_domain("leaves", Element::F32)
    .lanes_between(LEAF_LANES[0], LEAF_LANES[1])
    .read("pyramid", Element::F32)
    .lanes(1)
    .write("nodes", Element::U32, Rule::Lanes(NODE as u32))
    .specialize("SHAPE", SHAPES)
    .determinism(Determinism::Exact)
    .wgsl(concat!(
        include_str!("bvh_box.wgsl"),
        include_str!("bvh_vector.wgsl"),
        include_str!("bvh_leaf.wgsl"),
        include_str!("bvh_internal.wgsl")
    ))
    .cpu(Cpu::Ranges(internal_twin));

const fn pyramid() -> Kernel {
    // Each level has a seventh of the words of all below it, and none more than a box of six words.
    let mut kernel = Kernel::declare("bvh_pyramid")
        .read("leaves", Element::F32)
        .lanes_between(LEAF_LANES[0], LEAF_LANES[1])
        .write("pyramid", Element::F32, Rule::DivScaled { per: 7, times: 6 })
        .specialize("SHAPE", SHAPES)
        .determinism(Determinism::Exact)
        .wgsl(concat!(
            include_str!("bvh_box.wgsl"),
            include_str!("bvh_vector.wgsl"),
            include_str!("bvh_leaf.wgsl"),
            include_str!("bvh_pyramid.wgsl")
        ))
        .cpu(Cpu::Whole(pyramid_twin));
    let entries = [
        "level_1", "level_2", "level_3", "level_4", "level_5", "level_6", "level_7", "level_8",
    ];
    // A binding of nodes holds fewer than 8^9 of them, so that eight levels are all. At the eighth are at most 7 boxes.
    let mut level = 0;
    let mut per = WORKGROUP;
    let uses: &'static [&'static str] = &["leaves", "pyramid"];
    while level < entries.len() {
        kernel = if level + 1 < entries.len() {
            per *= GROUP as u32;
            kernel.pass(entries[level], Groups::PerElements(per), uses)
        } else {
            kernel.pass(entries[level], Groups::One, uses)
        };
        level += 1;
    }
    kernel
}

/// Calls `$run::<Kind>` for the kind of shape that the option names.
macro_rules! for_shape {
    ($option:expr, $run:ident $(::<$more:ty>)? ($($argument:expr),*)) => {
        match $option {
            "boxes" => $run::<Block $(, $more)?>($($argument),*),
            "balls" => $run::<Ball $(, $more)?>($($argument),*),
            _ => $run::<Triangle $(, $more)?>($($argument),*),
        }
    };
}
pub(super) use for_shape;

fn keys_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    let (lows, highs) = (b.read::<f32>("lows")?, b.read::<f32>("highs")?);
    let at = |words: &[f32], i: usize| -> Vector {
        match words.get(i * 3..i * 3 + 3) {
            Some(&[x, y, z]) => [x, y, z],
            _ => [0.0; 3],
        }
    };
    let base = at(b.read::<f32>("least")?, 0);
    let cuts = cuts(sub(at(b.read::<f32>("greatest")?, 0), base));
    for (code, i) in b.write::<u32>("codes")?.iter_mut().zip(range) {
        let (low, high) = (at(lows, i), at(highs, i));
        *code = if i >= p.live() as usize {
            0
        } else if low[0] > high[0] {
            VOID_CODE
        } else {
            let centre = [0, 1, 2].map(|axis: usize| (low[axis] + high[axis]) * 0.5);
            code_of(sub(centre, base), &cuts)
        };
    }
    Ok(())
}

/// The axis that each bit of a code cuts, and half the length of its cells: the longest are cut first.
fn cuts(mut size: Vector) -> [(usize, f32); 30] {
    let mut cuts = [(0, 0.0); 30];
    for cut in &mut cuts {
        let [x, y, z] = size;
        let axis = match (x >= y && x >= z, y >= z) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        size[axis] *= 0.5;
        *cut = (axis, size[axis]);
    }
    cuts
}

fn code_of(mut rest: Vector, cuts: &[(usize, f32); 30]) -> u32 {
    cuts.iter().fold(0, |code, &(axis, half)| {
        let is_upper = half > SHORTEST && rest[axis] >= half;
        if is_upper {
            rest[axis] -= half;
        }
        code << 1 | u32::from(is_upper)
    })
}

fn box_of_words(words: &[f32]) -> Bounds {
    match *words {
        [lx, ly, lz, hx, hy, hz] => Bounds {
            low: [lx, ly, lz],
            high: [hx, hy, hz],
        },
        _ => Bounds::EMPTY,
    }
}

fn pyramid_twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    for_shape!(p.option("SHAPE")?, fold_pyramid(b, p, x))
}

fn fold_pyramid<L: Leaf>(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let n = p.n() as usize;
    let leaves = part(b.kernel, "leaves", b.read::<f32>("leaves")?, 0..n * L::LANES)?;
    let mut rest = b.write::<f32>("pyramid")?;
    let mut size = n / GROUP;
    let (mut level, after) = rest.split_at_mut((size * 6).min(rest.len()));
    rest = after;
    for_chunks(x, level, CHUNK * 6, |first, boxes| {
        for (words, group) in boxes.chunks_exact_mut(6).zip(first / 6..) {
            let leaf = |k| L::bounds(words_of::<L>(leaves, group * GROUP + k));
            write_box(words, (0..GROUP).map(leaf));
        }
        Ok(())
    })?;
    while size >= GROUP {
        size /= GROUP;
        let (above, after) = rest.split_at_mut((size * 6).min(rest.len()));
        rest = after;
        let below = &*level;
        for_chunks(x, above, CHUNK * 6, |first, boxes| {
            for (words, group) in boxes
                .chunks_exact_mut(6)
                .zip(below.chunks_exact(6 * GROUP).skip(first / 6))
            {
                write_box(words, group.chunks_exact(6).map(box_of_words));
            }
            Ok(())
        })?;
        level = above;
    }
    // What no level has use for.
    rest.chunks_exact_mut(6)
        .for_each(|words| write_box(words, std::iter::empty()));
    Ok(())
}

fn write_box(words: &mut [f32], boxes: impl Iterator<Item = Bounds>) {
    let bounds = boxes.fold(Bounds::EMPTY, Bounds::grow);
    for (to, from) in words.iter_mut().zip(bounds.low.into_iter().chain(bounds.high)) {
        *to = from;
    }
}

/// Sorted leaves with the pyramid above them: the twin of `bvh_internal.wgsl`.
struct Sorted<'a> {
    codes: &'a [u32],
    leaves: &'a [f32],
    pyramid: &'a [f32],
    /// Leaves that there is room for.
    capacity: usize,
}

impl Sorted<'_> {
    /// Leading bits that two leaves have in common, equal codes going on with the bits of their places; -1 past the ends.
    fn shared_bits(&self, i: i64, j: i64) -> i32 {
        let code = |at: i64| usize::try_from(at).ok().and_then(|at| self.codes.get(at));
        match (code(i), code(j)) {
            (Some(a), Some(b)) if a != b => (a ^ b).leading_zeros().cast_signed(),
            (Some(_), Some(_)) => 32 + ((i ^ j) as u32).leading_zeros().cast_signed(),
            _ => -1,
        }
    }

    /// The first and the last of the leaves that inner node `i` covers.
    fn covered(&self, i: i64) -> (i64, i64) {
        let (left, right) = (self.shared_bits(i, i - 1), self.shared_bits(i, i + 1));
        let step = if right > left { 1 } else { -1 };
        let least = left.min(right);
        let mut reach = 2;
        while self.shared_bits(i, i + reach * step) > least {
            reach *= 2;
        }
        let (mut length, mut more) = (0, reach / 2);
        while more > 0 {
            if self.shared_bits(i, i + (length + more) * step) > least {
                length += more;
            }
            more /= 2;
        }
        let other = i + length * step;
        (i.min(other), i.max(other))
    }

    /// The last leaf of the left child: the last that shares more with the first than the ends share.
    fn parting(&self, first: i64, last: i64) -> i64 {
        let least = self.shared_bits(first, last);
        let (mut low, mut high) = (first, last);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.shared_bits(first, middle) > least {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The box around leaves: whole groups of eight from the levels above.
    fn bounds<L: Leaf>(&self, range: Range<usize>) -> Bounds {
        let (mut low, mut high) = (range.start, range.end);
        let (mut start, mut size) = (None, self.capacity / GROUP);
        let mut bounds = Bounds::EMPTY;
        while low < high {
            let at = |at: usize| match start {
                None => L::bounds(words_of::<L>(self.leaves, at)),
                Some(start) => box_of_words(
                    self.pyramid
                        .get((start + at) * 6..(start + at) * 6 + 6)
                        .unwrap_or_default(),
                ),
            };
            while low < high && low % GROUP != 0 {
                bounds = bounds.grow(at(low));
                low += 1;
            }
            while low < high && high % GROUP != 0 {
                high -= 1;
                bounds = bounds.grow(at(high));
            }
            (low, high) = (low / GROUP, high / GROUP);
            start = match start {
                None => Some(0),
                Some(start) => {
                    let above = start + size;
                    size /= GROUP;
                    Some(above)
                }
            };
        }
        bounds
    }
}

fn internal_twin(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>, _x: &CpuExec<'_>) -> Result<()> {
    for_shape!(p.option("SHAPE")?, link(range, b, p))
}

fn link<L: Leaf>(range: Range<usize>, b: &mut CpuBindings<'_>, p: &CpuParams<'_>) -> Result<()> {
    let live = p.live() as usize;
    let sorted = Sorted {
        codes: part(b.kernel, "codes", b.read::<u32>("codes")?, 0..live)?,
        leaves: b.read::<f32>("leaves")?,
        pyramid: b.read::<f32>("pyramid")?,
        capacity: p.n() as usize,
    };
    let order = part(b.kernel, "order", b.read::<i32>("order")?, 0..live)?;
    for (node, i) in b.write::<u32>("nodes")?.chunks_exact_mut(NODE).zip(range) {
        let (mut bounds, mut children) = (Bounds::ZERO, [NONE; 2]);
        if i + 1 < live {
            let (first, last) = sorted.covered(i as i64);
            let middle = sorted.parting(first, last);
            let child = |at: i64, is_leaf: bool| at as u32 | if is_leaf { LEAF } else { 0 };
            children = [child(middle, middle == first), child(middle + 1, middle + 1 == last)];
            bounds = sorted.bounds::<L>(first as usize..last as usize + 1);
        } else if live == 1 && i == 0 {
            children[0] = LEAF;
            bounds = L::bounds(words_of::<L>(sorted.leaves, 0));
        }
        let primitive = order.get(i).map_or(NONE, |primitive| primitive.cast_unsigned());
        let words = bounds.low.into_iter().chain(bounds.high).map(f32::to_bits);
        for (to, from) in node.iter_mut().zip(words.chain(children).chain([primitive])) {
            *to = from;
        }
    }
    Ok(())
}
