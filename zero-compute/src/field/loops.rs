//! The loops of the block machine, compiled for blocks and for repeated words, and inlined into the clone of each
//! instruction set.

/// An operand as an instruction's loop reads it.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Block(&'a [u32]),
    Splat(u32),
}

/// A block or a repeated word, so that a loop is compiled for each.
trait Lane: Copy {
    fn at(self, i: usize) -> u32;
}

impl Lane for &[u32] {
    #[inline(always)]
    fn at(self, i: usize) -> u32 {
        self[i]
    }
}

impl Lane for u32 {
    #[inline(always)]
    fn at(self, _: usize) -> u32 {
        self
    }
}

#[inline(always)]
pub(super) fn map1(to: &mut [u32], a: Source<'_>, f: impl Fn(u32) -> u32) {
    match a {
        Source::Block(a) => to.iter_mut().zip(a).for_each(|(to, &a)| *to = f(a)),
        Source::Splat(a) => to.fill(f(a)),
    }
}

#[inline(always)]
pub(super) fn map2(to: &mut [u32], a: Source<'_>, b: Source<'_>, f: impl Fn(u32, u32) -> u32) {
    match (a, b) {
        (Source::Block(a), Source::Block(b)) => to.iter_mut().zip(a).zip(b).for_each(|((to, &a), &b)| *to = f(a, b)),
        (Source::Block(a), Source::Splat(b)) => to.iter_mut().zip(a).for_each(|(to, &a)| *to = f(a, b)),
        (Source::Splat(a), Source::Block(b)) => to.iter_mut().zip(b).for_each(|(to, &b)| *to = f(a, b)),
        (Source::Splat(a), Source::Splat(b)) => to.fill(f(a, b)),
    }
}

#[inline(always)]
fn zip3(to: &mut [u32], a: &[u32], b: impl Lane, c: impl Lane, f: impl Fn(u32, u32, u32) -> u32) {
    for (i, (to, &a)) in to.iter_mut().zip(a).enumerate() {
        *to = f(a, b.at(i), c.at(i));
    }
}

#[inline(always)]
pub(super) fn map3(to: &mut [u32], a: &[u32], b: Source<'_>, c: Source<'_>, f: impl Fn(u32, u32, u32) -> u32) {
    let n = to.len();
    match (b, c) {
        (Source::Block(b), Source::Block(c)) => zip3(to, a, &b[..n], &c[..n], f),
        (Source::Block(b), Source::Splat(c)) => zip3(to, a, &b[..n], c, f),
        (Source::Splat(b), Source::Block(c)) => zip3(to, a, b, &c[..n], f),
        (Source::Splat(b), Source::Splat(c)) => zip3(to, a, b, c, f),
    }
}

#[inline(always)]
pub(super) fn floats1(to: &mut [u32], a: Source<'_>, f: impl Fn(f32) -> f32) {
    map1(to, a, |a| f(f32::from_bits(a)).to_bits());
}

#[inline(always)]
pub(super) fn floats2(to: &mut [u32], a: Source<'_>, b: Source<'_>, f: impl Fn(f32, f32) -> f32) {
    map2(to, a, b, |a, b| f(f32::from_bits(a), f32::from_bits(b)).to_bits());
}

#[inline(always)]
pub(super) fn compare(to: &mut [u32], a: Source<'_>, b: Source<'_>, holds: impl Fn(f32, f32) -> bool) {
    map2(to, a, b, |a, b| u32::from(holds(f32::from_bits(a), f32::from_bits(b))));
}

#[inline(always)]
pub(super) fn signed2(to: &mut [u32], a: Source<'_>, b: Source<'_>, f: impl Fn(i32, i32) -> i32) {
    map2(to, a, b, |a, b| f(a.cast_signed(), b.cast_signed()).cast_unsigned());
}

#[inline(always)]
pub(super) fn floats3(to: &mut [u32], a: &[u32], b: Source<'_>, c: Source<'_>, f: impl Fn(f32, f32, f32) -> f32) {
    map3(to, a, b, c, |a, b, c| {
        f(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits()
    });
}

#[inline(always)]
pub(super) fn select(to: &mut [u32], cond: &[u32], a: Source<'_>, b: Source<'_>) {
    map3(to, cond, a, b, crate::field::scalar::select);
}

#[inline(always)]
pub(super) fn choose(
    to: &mut [u32],
    a: &[u32],
    b: Source<'_>,
    yes: Source<'_>,
    no: Source<'_>,
    holds: impl Fn(f32, f32) -> bool,
) {
    match b {
        Source::Block(b) => choose_by(to, a, b, yes, no, holds),
        Source::Splat(b) => choose_by(to, a, b, yes, no, holds),
    }
}

#[inline(always)]
fn choose_by(
    to: &mut [u32],
    a: &[u32],
    b: impl Limit,
    yes: Source<'_>,
    no: Source<'_>,
    holds: impl Fn(f32, f32) -> bool,
) {
    let n = to.len();
    let (a, b) = (&a[..n], b.cut(n));
    let pick = |i: usize, yes: u32, no: u32| {
        if holds(f32::from_bits(a[i]), f32::from_bits(b.at(i))) {
            yes
        } else {
            no
        }
    };
    match (yes, no) {
        (Source::Block(yes), Source::Block(no)) => {
            let words = to.iter_mut().zip(yes).zip(no).enumerate();
            words.for_each(|(i, ((to, &yes), &no))| *to = pick(i, yes, no));
        }
        (Source::Block(yes), Source::Splat(no)) => {
            to.iter_mut()
                .zip(yes)
                .enumerate()
                .for_each(|(i, (to, &yes))| *to = pick(i, yes, no));
        }
        (Source::Splat(yes), Source::Block(no)) => {
            to.iter_mut()
                .zip(no)
                .enumerate()
                .for_each(|(i, (to, &no))| *to = pick(i, yes, no));
        }
        (Source::Splat(yes), Source::Splat(no)) => {
            to.iter_mut().enumerate().for_each(|(i, to)| *to = pick(i, yes, no));
        }
    }
}

/// A [`Lane`] cut to the length of the block, so that the loop over it needs no check.
trait Limit: Lane {
    fn cut(self, n: usize) -> Self;
}

impl Limit for &[u32] {
    #[inline(always)]
    fn cut(self, n: usize) -> Self {
        &self[..n]
    }
}

impl Limit for u32 {
    #[inline(always)]
    fn cut(self, _: usize) -> Self {
        self
    }
}
