//! Nanoseconds a sample of every noise on one core: point by point, and as blocks on either instruction set.
//!
//! `cargo run --release -p zero-noise --example noise_bench`

use std::hint::black_box;
use std::time::Instant;

use zero_noise::*;

const COUNT: usize = 1 << 16;
const ROUNDS: u32 = 25;

fn main() {
    println!(
        "{:<26}{:>10}{:>10}{:>10}",
        "nanoseconds a sample", "scalar", "baseline", "auto"
    );
    let axis = |name: &str| -> Vec<f32> {
        let state = Scope::new(1).text(name).state();
        (0..COUNT as u32).map(|i| draw(state, i) * 512.0 - 256.0).collect()
    };
    let (x, y, z) = (axis("x"), axis("y"), axis("z"));
    planar(&x, &y);
    spatial(&x, &y, &z);
}

/// The time a sample of one call over all, of the round that was disturbed least.
fn nanoseconds(mut run: impl FnMut()) -> f64 {
    run();
    (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e9 / COUNT as f64
        })
        .fold(f64::MAX, f64::min)
}

fn line(name: &str, scalar: &dyn Fn(usize) -> f32, mut block: impl FnMut(Isa)) {
    let scalar = nanoseconds(|| {
        for i in 0..COUNT {
            black_box(scalar(i));
        }
    });
    let baseline = nanoseconds(|| block(Isa::Baseline));
    let auto = nanoseconds(|| block(Isa::Auto));
    println!("{name:<26}{scalar:>10.1}{baseline:>10.1}{auto:>10.1}");
}

fn planar(x: &[f32], y: &[f32]) {
    let mut rows = vec![vec![0.0; COUNT]; 3];
    let [a, b, c] = &mut rows[..] else { return };
    line("value2", &|i| value2(7, x[i], y[i]), |isa| {
        value2_block(isa, 7, x, y, a)
    });
    line("value2_slope", &|i| value2_slope(7, x[i], y[i])[1], |isa| {
        value2_slope_block(isa, 7, x, y, [a, b, c]);
    });
    line("value2_tiled", &|i| value2_tiled(7, x[i], y[i], [9, 9]), |isa| {
        value2_tiled_block(isa, 7, x, y, [9, 9], a);
    });
    line("gradient2", &|i| gradient2(7, x[i], y[i]), |isa| {
        gradient2_block(isa, 7, x, y, a)
    });
    line("gradient2_slope", &|i| gradient2_slope(7, x[i], y[i])[1], |isa| {
        gradient2_slope_block(isa, 7, x, y, [a, b, c]);
    });
    line("gradient2_tiled", &|i| gradient2_tiled(7, x[i], y[i], [9, 9]), |isa| {
        gradient2_tiled_block(isa, 7, x, y, [9, 9], a);
    });
    line("simplex2", &|i| simplex2(7, x[i], y[i]), |isa| {
        simplex2_block(isa, 7, x, y, a)
    });
    line("fbm2, 6 octaves", &|i| fbm2(7, x[i], y[i], 6), |isa| {
        fbm2_block(isa, 7, x, y, 6, a)
    });
    line("fbm2_slope, 6", &|i| fbm2_slope(7, x[i], y[i], 6)[1], |isa| {
        fbm2_slope_block(isa, 7, x, y, 6, [a, b, c]);
    });
    line("fbm2_tiled, 6", &|i| fbm2_tiled(7, x[i], y[i], 6, [9, 9]), |isa| {
        fbm2_tiled_block(isa, 7, x, y, 6, [9, 9], a);
    });
    line("ridged2, 6", &|i| ridged2(7, x[i], y[i], 6), |isa| {
        ridged2_block(isa, 7, x, y, 6, a)
    });
    line("warped2, 6", &|i| warped2(7, x[i], y[i], 6, 2.0), |isa| {
        warped2_block(isa, 7, x, y, 6, 2.0, a);
    });
    let mut cells = vec![Cellular::default(); COUNT];
    for metric in [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev] {
        line(
            &format!("cellular2, {metric:?}"),
            &|i| cellular2(7, x[i], y[i], metric).f1,
            |isa| {
                cellular2_block(isa, 7, x, y, metric, &mut cells);
            },
        );
    }
    let (metric, periods) = (Metric::Euclidean, [9, 9]);
    line(
        "cellular2_tiled",
        &|i| cellular2_tiled(7, x[i], y[i], metric, periods).f1,
        |isa| {
            cellular2_tiled_block(isa, 7, x, y, metric, periods, &mut cells);
        },
    );
}

fn spatial(x: &[f32], y: &[f32], z: &[f32]) {
    let mut rows = vec![vec![0.0; COUNT]; 4];
    let [a, b, c, d] = &mut rows[..] else { return };
    line("value3", &|i| value3(7, x[i], y[i], z[i]), |isa| {
        value3_block(isa, 7, x, y, z, a)
    });
    line("value3_slope", &|i| value3_slope(7, x[i], y[i], z[i])[1], |isa| {
        value3_slope_block(isa, 7, x, y, z, [a, b, c, d]);
    });
    line("gradient3", &|i| gradient3(7, x[i], y[i], z[i]), |isa| {
        gradient3_block(isa, 7, x, y, z, a);
    });
    line("gradient3_slope", &|i| gradient3_slope(7, x[i], y[i], z[i])[1], |isa| {
        gradient3_slope_block(isa, 7, x, y, z, [a, b, c, d]);
    });
    line(
        "gradient3_tiled",
        &|i| gradient3_tiled(7, x[i], y[i], z[i], [9; 3]),
        |isa| {
            gradient3_tiled_block(isa, 7, x, y, z, [9; 3], a);
        },
    );
    line("simplex3", &|i| simplex3(7, x[i], y[i], z[i]), |isa| {
        simplex3_block(isa, 7, x, y, z, a)
    });
    line("fbm3, 6 octaves", &|i| fbm3(7, x[i], y[i], z[i], 6), |isa| {
        fbm3_block(isa, 7, x, y, z, 6, a);
    });
    line("fbm3_slope, 6", &|i| fbm3_slope(7, x[i], y[i], z[i], 6)[1], |isa| {
        fbm3_slope_block(isa, 7, x, y, z, 6, [a, b, c, d]);
    });
    line("ridged3, 6", &|i| ridged3(7, x[i], y[i], z[i], 6), |isa| {
        ridged3_block(isa, 7, x, y, z, 6, a)
    });
    line("warped3, 6", &|i| warped3(7, x[i], y[i], z[i], 6, 2.0), |isa| {
        warped3_block(isa, 7, x, y, z, 6, 2.0, a);
    });
    let mut cells = vec![Cellular::default(); COUNT];
    for metric in [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev] {
        line(
            &format!("cellular3, {metric:?}"),
            &|i| cellular3(7, x[i], y[i], z[i], metric).f1,
            |isa| {
                cellular3_block(isa, 7, x, y, z, metric, &mut cells);
            },
        );
    }
}
