//! Block functions write the bits of the scalar ones, on every instruction set.

use crate::functions::{BINARY, NOISE2, NOISE3, SEVERAL, UNARY};
use crate::inputs::floats;
use zero_noise::Isa;

/// Not a multiple of any vector or chunk length.
const COUNT: u32 = 30_007;

fn same(name: &str, isa: Isa, got: &[f32], want: impl Iterator<Item = f32>) {
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        assert_eq!(
            got.to_bits(),
            want.to_bits(),
            "{name} on {isa:?}, element {i}: {got} is not {want}"
        );
    }
}

#[test]
fn blocks_equal_scalars_bit_for_bit() {
    let (a, b, c) = (floats("a", COUNT), floats("b", COUNT), floats("c", COUNT));
    let b: Vec<f32> = b.iter().rev().copied().collect();
    let mut dst = vec![f32::NAN; a.len()];
    for isa in [Isa::Auto, Isa::Baseline] {
        for (name, scalar, block) in UNARY {
            block(isa, &a, &mut dst);
            same(name, isa, &dst, a.iter().map(|&a| scalar(a)));
        }
        for (name, scalar, block) in BINARY {
            block(isa, &a, &b, &mut dst);
            same(name, isa, &dst, a.iter().zip(&b).map(|(&a, &b)| scalar(a, b)));
        }
        for (name, scalar, block) in NOISE2 {
            block(isa, 9, &a, &b, &mut dst);
            same(name, isa, &dst, a.iter().zip(&b).map(|(&a, &b)| scalar(9, a, b)));
        }
        for (name, scalar, block) in NOISE3 {
            block(isa, 9, &a, &b, &c, &mut dst);
            same(
                name,
                isa,
                &dst,
                a.iter().zip(&b).zip(&c).map(|((&a, &b), &c)| scalar(9, a, b, c)),
            );
        }
        for noise in &SEVERAL {
            let got = (noise.block)(isa, 9, [&a, &b, &c]);
            for (i, got) in got.iter().enumerate() {
                let want = (noise.scalar)(9, [a[i], b[i], c[i]]);
                assert_eq!(*got, want, "{} on {isa:?}, element {i}", noise.name);
            }
        }
    }
}

#[test]
fn blocks_stop_at_the_shortest_slice() {
    let long = [0.25; 300];
    for short in [0, 1, 127, 128, 129, 299] {
        for (name, scalar, block) in NOISE2 {
            let mut dst = [9.0; 300];
            block(Isa::Auto, 1, &long, &long[..short], &mut dst);
            let wanted = scalar(1, 0.25, 0.25);
            assert!(dst[..short].iter().all(|&v| v == wanted), "{name}, {short}");
            assert!(dst[short..].iter().all(|&v| v == 9.0), "{name}, {short}");
        }
        for noise in &SEVERAL {
            // What lies behind the shortest slice stands as it was.
            let untouched = (noise.block)(Isa::Auto, 1, [&long, &[], &[]]);
            let got = (noise.block)(Isa::Auto, 1, [&long, &long[..short], &long[..short]]);
            let want = (noise.scalar)(1, [0.25; 3]);
            assert!(
                got[..short].iter().all(|&words| words == want),
                "{}, {short}",
                noise.name
            );
            assert_eq!(got[short..], untouched[short..], "{}, {short}", noise.name);
            assert!(untouched.iter().all(|&words| words != want), "{}", noise.name);
        }
        for (name, scalar, block) in UNARY {
            let mut dst = [9.0; 300];
            block(Isa::Auto, &long[..short], &mut dst);
            assert!(dst[..short].iter().all(|&v| v == scalar(0.25)), "{name}, {short}");
            assert!(dst[short..].iter().all(|&v| v == 9.0), "{name}, {short}");
        }
    }
}
