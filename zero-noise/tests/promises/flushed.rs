//! A processor that flushes subnormals, as most GPUs do, has the same bits. It is this one, told to flush: no hardware but
//! x86-64 is needed to see what a GPU would answer.

use crate::inputs::floats;
use crate::pinned::{cases, state};
use crate::scale::scale;
use std::arch::asm;
use std::hint::black_box;
use zero_noise::{Scope, draw, finish, fold_u32};

/// The control bits of MXCSR that read subnormals as 0 and that answer 0 for them.
const FLUSH: u32 = 0x8040;

fn control() -> u32 {
    let mut word = 0_u32;
    // SAFETY: `stmxcsr` writes the four bytes that it is given, and every x86-64 has it.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
    word
}

fn set_control(word: u32) {
    // SAFETY: `ldmxcsr` reads the four bytes that it is given. The word is one that `control` answered, or that with the
    // two bits of `FLUSH`: no exception is unmasked and the rounding stays to nearest.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags)) };
}

/// Puts a control word back, when a test panics too.
struct Back(u32);

impl Drop for Back {
    fn drop(&mut self) {
        set_control(self.0);
    }
}

/// What `compute` answers while this thread flushes subnormals. It is called through a pointer that the compiler cannot see
/// through, so nothing of it is computed before or after.
fn flushed<T>(compute: &dyn Fn() -> T) -> T {
    let back = Back(control());
    set_control(back.0 | FLUSH);
    let answer = black_box(compute)();
    drop(back);
    answer
}

/// How often a mantissa of a coordinate is drawn beside the lattice: by exponents from -44 to 0, the sides of a cell, its
/// middle, and what makes the parts of a ramp cancel.
fn coordinate(stream: u32, i: u32, before: f32) -> f32 {
    let hash = finish(fold_u32(stream, i));
    let mantissa = 1.0 + draw(stream ^ 0x5555, i);
    let sign = if hash & 0x100 == 0 { 1.0 } else { -1.0 };
    let exponent = -((hash >> 16) as i32 % 45);
    let small = sign * mantissa * 2_f32.powi(exponent);
    match hash % 10 {
        0 => 0.0,
        1 => sign * ((hash >> 20) % 9) as f32,
        2..=5 => small,
        6 => sign * 2_f32.powi(exponent),
        7 => 1.0 - small.abs(),
        8 => before,
        _ => before * [0.414_213_57, 2.414_213_7, 0.618_034, 1.618_034][(hash >> 20) as usize % 4],
    }
}

fn points() -> Vec<[f32; 3]> {
    let stream = Scope::new(0).text("flushed").state();
    let hard = (0..40_000 * scale()).map(|i| {
        let x = coordinate(stream, 3 * i, 0.0);
        let y = coordinate(stream, 3 * i + 1, x);
        [x, y, coordinate(stream, 3 * i + 2, y)]
    });
    let [a, b, c] = ["flushed a", "flushed b", "flushed c"].map(|name| floats(name, 10_000));
    let any = a.into_iter().zip(b).zip(c).map(|((x, y), z)| [x, y, z]);
    hard.chain(any).collect()
}

#[test]
fn subnormals_are_flushed_where_that_is_asked() {
    let product = || black_box(1e-30_f32) * black_box(1e-10_f32);
    let sum = || black_box(1e-40_f32) + black_box(0.0_f32);
    assert_eq!([flushed(&product), flushed(&sum)], [0.0, 0.0]);
    assert_ne!(product(), 0.0, "the control word is back");
    assert_ne!(sum(), 0.0, "the control word is back");
}

#[test]
fn bits_are_the_same_where_subnormals_are_flushed() {
    let points = points();
    let mut wrong = Vec::new();
    for case in cases() {
        let mut settings = case.settings;
        settings.seed = state(&case);
        let words = || -> Vec<[u32; 4]> {
            let numbered = (0_u32..).zip(&points);
            numbered.map(|(i, &at)| (case.rust)(&settings, i, at)).collect()
        };
        let (wanted, got) = (words(), flushed(&words));
        let differing: Vec<usize> = (0..points.len()).filter(|&i| wanted[i] != got[i]).collect();
        if let Some(&first) = differing.first() {
            wrong.push(format!(
                "{}: {} of {}, at {:?} {:x?} and not {:x?}",
                case.title(),
                differing.len(),
                points.len(),
                points[first],
                got[first],
                wanted[first]
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
