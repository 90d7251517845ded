//! Fourier transforms of complex lines, in one fixed order of operations.

use std::f32::consts::PI;

use super::parallel::{for_chunks, for_each, part};
use super::shape;
use crate::cpu::Isa;
use crate::{
    Column, Cpu, CpuBindings, CpuExec, CpuParams, Determinism, Domain, Element, Error, Groups, Kernel, Param, Recorder,
    Result, Rule, args,
};

/// The longest line: what a workgroup's memory holds with 256 threads of one butterfly each.
pub const MAX_FFT: u32 = 512;
/// Lines that the CPU transforms side by side, one in each lane of its registers.
const WIDE: usize = 8;

/// [`fft`] and [`fft_2d`], given the twiddles: `exp(-2 pi i k / size)` for `k` below half the size, or their conjugates.
/// The elements of a line of `2^bits` stand `inner` apart; `scale` multiplies what is written.
pub static FFT: Kernel = Kernel::declare("fft")
    .read_domain("src", Element::F32)
    .lanes(2)
    .read("twiddles", Element::F32)
    .lanes(2)
    .write("dst", Element::F32, Rule::same_as("src"))
    .param("bits", Param::U32(1))
    .param("inner", Param::U32(1))
    .param("scale", Param::F32(1.0))
    .determinism(Determinism::Exact)
    .wgsl(include_str!("fft.wgsl"))
    .pass("main", Groups::PerElements(MAX_FFT), &["src", "twiddles", "dst"])
    .cpu(Cpu::Whole(twin));

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `X[j] = sum of x[k] exp(-2 pi i j k / n)`, unscaled.
    Forward,
    /// `x[k] = (1 / n) sum of X[j] exp(2 pi i j k / n)`: what undoes the forward one.
    Inverse,
}

/// Transforms complex lines (`f32`, 2 lanes: real, imaginary) of `size` elements that stand one after the other.
///
/// `size` is a power of two from 2 to 512. The order of the operations is stated (Stockham's radix-2 form, the
/// twiddles rounded from zero-noise's sine and cosine), so that every device gives the same bits. Against the true
/// transform the error is below 1e-6 of the root of the sum of squares. The whole capacity is transformed; a column
/// with a live count is refused.
///
/// Cost: 1 pass over workgroups of 512 elements, `2.5 log2(size)` products and sums an element. Recording uploads a
/// table of `size / 2` twiddles.
///
/// # Errors
/// [`Error::Invalid`] for another size or a live column, [`Error::WrongShape`] where `src` does not hold whole lines
/// of two lanes, [`Error::WrongElement`] where it is not `f32`.
pub fn fft(rec: &mut Recorder, src: &Column, size: u32, direction: Direction) -> Result<Column> {
    check_size("size", size)?;
    check_column(src, size)?;
    record(rec, src, size, 1, direction)
}

/// Transforms grids of `width` times `height` complex elements (`f32`, 2 lanes; X runs fastest), grid after grid:
/// every row, then every column. The inverse is scaled by `1 / (width * height)`.
///
/// Sizes, order, error and refusals are those of [`fft`].
///
/// Cost: 2 passes. The second reads and writes with a stride of a row.
///
/// # Errors
/// Those of [`fft`].
pub fn fft_2d(rec: &mut Recorder, src: &Column, width: u32, height: u32, direction: Direction) -> Result<Column> {
    rec.all_or_nothing(|rec| fft_2d_steps(rec, src, width, height, direction))
}

fn fft_2d_steps(rec: &mut Recorder, src: &Column, width: u32, height: u32, direction: Direction) -> Result<Column> {
    check_size("width", width)?;
    check_size("height", height)?;
    check_column(src, width * height)?;
    let rows = record(rec, src, width, 1, direction)?;
    record(rec, &rows, height, width, direction)
}

/// Refuses a size that is no power of two in range.
fn check_size(name: &str, size: u32) -> Result<()> {
    if size.is_power_of_two() && (2..=MAX_FFT).contains(&size) {
        return Ok(());
    }
    Err(Error::Invalid {
        what: format!("{name} of a Fourier transform"),
        expected: format!("a power of two from 2 to {MAX_FFT}"),
        found: size.to_string(),
    })
}

/// Refuses a column that does not hold whole lines or grids of `whole` elements.
fn check_column(src: &Column, whole: u32) -> Result<()> {
    if src.live_count().is_some() {
        return Err(Error::Invalid {
            what: "column of a Fourier transform".to_owned(),
            expected: "a column of a known length".to_owned(),
            found: "one with a live count".to_owned(),
        });
    }
    if src.lanes() != 2 || !src.capacity().is_multiple_of(whole) {
        let expected = format!("a multiple of {whole} elements of 2 lanes");
        return Err(shape(FFT.name(), "src", expected, src));
    }
    Ok(())
}

fn record(rec: &mut Recorder, src: &Column, size: u32, inner: u32, direction: Direction) -> Result<Column> {
    let twiddles = src.device().upload(&twiddles(size, direction), 2)?;
    let scale = match direction {
        Direction::Forward => 1.0,
        Direction::Inverse => 1.0 / size as f32,
    };
    let bits = size.trailing_zeros();
    let arguments = args! { src: src, twiddles: &twiddles, bits: bits, inner: inner, scale: scale };
    rec.dispatch(&FFT, arguments, Domain::of(src))?.column("dst")
}

/// `exp(-2 pi i k / size)`, or its conjugate, for `k` below half the size. Sine and cosine are taken of angles of at
/// most an eighth of a turn, where a rounded angle costs least, and so that quarter turns are exact.
fn twiddles(size: u32, direction: Direction) -> Vec<f32> {
    let eighth = size as f32 / 8.0;
    let wave = |k: f32| {
        let angle = k * (2.0 * PI) / size as f32;
        (zero_noise::cos(angle), zero_noise::sin(angle))
    };
    let sign = match direction {
        Direction::Forward => -1.0,
        Direction::Inverse => 1.0,
    };
    let pair = |k: u32| {
        let k = k as f32;
        let (cos, sin) = if k <= eighth {
            wave(k)
        } else if k <= 3.0 * eighth {
            let (cos, sin) = wave(k - 2.0 * eighth);
            (-sin, cos)
        } else {
            let (cos, sin) = wave(4.0 * eighth - k);
            (-cos, sin)
        };
        [cos, sign * sin]
    };
    (0..size / 2).flat_map(pair).collect()
}

/// One element of each of the lines that are transformed side by side.
type Lanes = [f32; WIDE];

/// The lines that are transformed side by side, before and after a stage.
struct Lines {
    from: Vec<[Lanes; 2]>,
    to: Vec<[Lanes; 2]>,
}

impl Lines {
    fn new(size: usize) -> Self {
        Self {
            from: vec![[[0.0; WIDE]; 2]; size],
            to: vec![[[0.0; WIDE]; 2]; size],
        }
    }

    fn transform(&mut self, twiddles: &[f32], isa: Isa) {
        match isa {
            Isa::Auto => stages_best(&mut self.from, &mut self.to, twiddles),
            Isa::Baseline => stages(&mut self.from, &mut self.to, twiddles),
        }
    }
}

#[multiversion::multiversion(targets("x86_64+avx+avx2"))]
fn stages_best(from: &mut Vec<[Lanes; 2]>, to: &mut Vec<[Lanes; 2]>, twiddles: &[f32]) {
    stages(from, to, twiddles);
}

/// All stages; what comes out stands in `from`.
#[inline(always)]
fn stages(from: &mut Vec<[Lanes; 2]>, to: &mut Vec<[Lanes; 2]>, twiddles: &[f32]) {
    let half = from.len() / 2;
    let mut span = 1;
    while span <= half {
        let (low, high) = from.split_at(half);
        let runs = low.chunks_exact(span).zip(high.chunks_exact(span));
        for ((low, high), to) in runs.zip(to.chunks_exact_mut(2 * span)) {
            let (sums, differences) = to.split_at_mut(span);
            let turns = twiddles.chunks_exact(2).step_by(half / span);
            for ((((a, b), sum), difference), turn) in low.iter().zip(high).zip(sums).zip(differences).zip(turns) {
                butterfly(a, b, turn, sum, difference);
            }
        }
        std::mem::swap(from, to);
        span *= 2;
    }
}

#[inline(always)]
fn butterfly(a: &[Lanes; 2], b: &[Lanes; 2], turn: &[f32], sum: &mut [Lanes; 2], difference: &mut [Lanes; 2]) {
    let &[w_re, w_im] = turn else { return };
    for line in 0..WIDE {
        let re = b[0][line] * w_re - b[1][line] * w_im;
        let im = b[0][line] * w_im + b[1][line] * w_re;
        sum[0][line] = a[0][line] + re;
        sum[1][line] = a[1][line] + im;
        difference[0][line] = a[0][line] - re;
        difference[1][line] = a[1][line] - im;
    }
}

fn twin(b: &mut CpuBindings<'_>, p: &CpuParams<'_>, x: &CpuExec<'_>) -> Result<()> {
    let (size, inner, scale) = (1usize << p.u32("bits")?.min(31), p.u32("inner")?, p.f32("scale")?);
    let words = p.n() as usize * 2;
    let src = part(b.kernel, "src", b.read::<f32>("src")?, 0..words)?;
    let twiddles = part(b.kernel, "twiddles", b.read::<f32>("twiddles")?, 0..size)?;
    let dst = b.write::<f32>("dst")?;
    if inner <= 1 {
        return rows(src, dst, twiddles, size, scale, x);
    }
    columns(src, dst, twiddles, (size, inner as usize), scale, x)
}

/// Lines whose elements stand next to each other.
fn rows(src: &[f32], dst: &mut [f32], twiddles: &[f32], size: usize, scale: f32, x: &CpuExec<'_>) -> Result<()> {
    let line = 2 * size;
    for_chunks(x, dst, WIDE * line, |first, dst| {
        let mut lines = Lines::new(size);
        for (lane, src) in src
            .get(first..first + dst.len())
            .unwrap_or_default()
            .chunks_exact(line)
            .enumerate()
        {
            for (element, value) in lines.from.iter_mut().zip(src.chunks_exact(2)) {
                (element[0][lane], element[1][lane]) = (value[0], value[1]);
            }
        }
        lines.transform(twiddles, x.isa);
        for (lane, dst) in dst.chunks_exact_mut(line).enumerate() {
            for (element, to) in lines.from.iter().zip(dst.chunks_exact_mut(2)) {
                (to[0], to[1]) = (element[0][lane] * scale, element[1][lane] * scale);
            }
        }
        Ok(())
    })
}

/// Neighbouring columns of a grid: where they are read, and the parts of each row that they write.
struct Strip<'a> {
    first: usize,
    rows: Vec<&'a mut [f32]>,
}

/// Lines whose elements stand `inner` apart, in strips of neighbours.
fn columns(
    src: &[f32],
    dst: &mut [f32],
    twiddles: &[f32],
    (size, inner): (usize, usize),
    scale: f32,
    x: &CpuExec<'_>,
) -> Result<()> {
    let (row, width) = (2 * inner, 2 * WIDE);
    let mut strips = Vec::new();
    for (grid, dst) in dst.chunks_exact_mut(row * size).enumerate() {
        let own = strips.len();
        strips.extend((0..row.div_ceil(width)).map(|strip| Strip {
            first: grid * row * size + strip * width,
            rows: Vec::with_capacity(size),
        }));
        for dst in dst.chunks_exact_mut(row) {
            for (strip, part) in strips.iter_mut().skip(own).zip(dst.chunks_mut(width)) {
                strip.rows.push(part);
            }
        }
    }
    for_each(x, &mut strips, |strip| {
        let mut lines = Lines::new(size);
        for (k, (element, to)) in lines.from.iter_mut().zip(&strip.rows).enumerate() {
            let at = strip.first + k * row;
            let values = src.get(at..at + to.len()).unwrap_or_default();
            for (lane, value) in values.chunks_exact(2).enumerate() {
                (element[0][lane], element[1][lane]) = (value[0], value[1]);
            }
        }
        lines.transform(twiddles, x.isa);
        for (element, to) in lines.from.iter().zip(&mut strip.rows) {
            for (lane, to) in to.chunks_exact_mut(2).enumerate() {
                (to[0], to[1]) = (element[0][lane] * scale, element[1][lane] * scale);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twiddles_are_rounded_closely_and_quarter_turns_are_exact() {
        for size in [2u32, 4, 8, 64, 512] {
            for (k, pair) in twiddles(size, Direction::Forward).chunks_exact(2).enumerate() {
                let angle = -2.0 * std::f64::consts::PI * k as f64 / f64::from(size);
                let error = (f64::from(pair[0]) - angle.cos())
                    .abs()
                    .max((f64::from(pair[1]) - angle.sin()).abs());
                assert!(error < 1.2e-7, "{k} of {size}: {error:e}");
            }
        }
        assert_eq!(twiddles(4, Direction::Forward), [1.0, 0.0, 0.0, -1.0]);
        assert_eq!(twiddles(4, Direction::Inverse), [1.0, 0.0, 0.0, 1.0]);
    }
}
