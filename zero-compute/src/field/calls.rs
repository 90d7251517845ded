//! zero-noise's functions over blocks.

use zero_noise::{Isa, draw, noise};

use super::loops::{Source, map2};
use super::lower::Operand;
use super::op::{MAX_ARGS, Prelude};
use super::scalar;
use super::vm::Sources;

/// Writes one call's block. A seed or a count of octaves that is the same at every element, as nearly all are, takes
/// zero-noise's own block form; one that varies goes element by element.
#[inline(always)]
pub(super) fn call(prelude: Prelude, to: &mut [u32], s: &Sources<'_>, args: [Operand; MAX_ARGS]) {
    let [a, b, c, d, e] = args;
    if prelude == Prelude::Draw {
        return map2(to, s.get(a), s.get(b), |state, element| draw(state, element).to_bits());
    }
    let octaves = match prelude {
        Prelude::Fbm2 => s.get(d),
        Prelude::Fbm3 => s.get(e),
        _ => Source::Splat(0),
    };
    let (Source::Splat(seed), Source::Splat(octaves)) = (s.get(a), octaves) else {
        return one_by_one(prelude, to, s, args);
    };
    let isa: Isa = s.isa();
    let out: &mut [f32] = bytemuck::cast_slice_mut(to);
    let x = s.floats(b);
    let y = s.floats(c);
    match prelude {
        Prelude::Draw => {}
        Prelude::Value2 => noise::value2_block(isa, seed, x, y, out),
        Prelude::Value3 => noise::value3_block(isa, seed, x, y, s.floats(d), out),
        Prelude::Gradient2 => noise::gradient2_block(isa, seed, x, y, out),
        Prelude::Gradient3 => noise::gradient3_block(isa, seed, x, y, s.floats(d), out),
        Prelude::Fbm2 => noise::fbm2_block(isa, seed, x, y, octaves, out),
        Prelude::Fbm3 => noise::fbm3_block(isa, seed, x, y, s.floats(d), octaves, out),
    }
}

fn one_by_one(prelude: Prelude, to: &mut [u32], s: &Sources<'_>, args: [Operand; MAX_ARGS]) {
    let count = prelude.takes().len();
    for (i, word) in to.iter_mut().enumerate() {
        let mut words = [0; MAX_ARGS];
        for (value, &arg) in words.iter_mut().zip(&args[..count]) {
            *value = s.word(arg, i);
        }
        *word = scalar::call(prelude, words);
    }
}
