//! Sine, cosine, arc tangent and powers of two out of sums, products and quotients.
//!
//! The platform's own differ in their last bits from one machine to the next, and a pose that two machines must agree on
//! cannot stand on them. These are f64 series in a fixed order: they are close to the last bit and the same everywhere.

use std::f64::consts::{FRAC_PI_2, LN_2, PI};

/// Sine and cosine of an angle in radians. Angles past 1e9 turns lose what f64 loses of them; infinity and NaN are taken
/// as 0.
pub(crate) fn sin_cos(angle_rad: f64) -> (f64, f64) {
    if !angle_rad.is_finite() {
        return (0.0, 1.0);
    }
    let quarter_turns = (angle_rad / FRAC_PI_2).round();
    let rest = angle_rad - quarter_turns * FRAC_PI_2;
    let (sine, cosine) = (sin_series(rest), cos_series(rest));
    match (quarter_turns % 4.0 + 4.0) % 4.0 {
        1.0 => (cosine, -sine),
        2.0 => (-sine, -cosine),
        3.0 => (-cosine, sine),
        _ => (sine, cosine),
    }
}

/// Taylor's series to the 17th power: below 1e-16 for |x| up to a quarter of pi.
fn sin_series(x: f64) -> f64 {
    let square = x * x;
    let mut term = x;
    let mut sum = x;
    for n in [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0] {
        term = term * -square / (n * (n + 1.0));
        sum += term;
    }
    sum
}

/// Taylor's series to the 18th power: below 1e-16 for |x| up to a quarter of pi.
fn cos_series(x: f64) -> f64 {
    let square = x * x;
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0] {
        term = term * -square / (n * (n + 1.0));
        sum += term;
    }
    sum
}

/// The angle of (x, y) from the positive x axis, in [-pi, pi]; 0 where both are 0.
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let (rise, run) = (y.abs(), x.abs());
    if rise == 0.0 && run == 0.0 {
        return 0.0;
    }
    let steep = rise > run;
    let ratio = if steep { run / rise } else { rise / run };
    let mut angle = atan_unit(ratio);
    if steep {
        angle = FRAC_PI_2 - angle;
    }
    if x < 0.0 {
        angle = PI - angle;
    }
    if y < 0.0 { -angle } else { angle }
}

/// The arc tangent of a number in [0, 1]: the half-angle identity twice brings it below 0.2, where the series is short.
fn atan_unit(ratio: f64) -> f64 {
    let halved = |t: f64| t / (1.0 + (1.0 + t * t).sqrt());
    let small = halved(halved(ratio));
    let square = small * small;
    let mut power = small;
    let mut sum = small;
    for n in 1..12 {
        power *= -square;
        sum += power / f64::from(2 * n + 1);
    }
    4.0 * sum
}

/// 2 to the power of `-x` for x >= 0: 1 at 0, 0 from 1074 on (and for infinity), never more than 1.
pub(crate) fn exp2_neg(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return 1.0;
    }
    if x >= 1074.0 {
        return 0.0;
    }
    let whole = x.floor();
    let argument = -(x - whole) * LN_2;
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..20 {
        term = term * argument / f64::from(n);
        sum += term;
    }
    let mut halvings = whole;
    while halvings >= 1.0 {
        sum *= 0.5;
        halvings -= 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_are_those_of_the_library() {
        for step in -4000..4000 {
            let angle = f64::from(step) * 0.01;
            let (sine, cosine) = sin_cos(angle);
            assert!((sine - angle.sin()).abs() < 1e-14, "sin {angle}");
            assert!((cosine - angle.cos()).abs() < 1e-14, "cos {angle}");
        }
        assert_eq!(sin_cos(f64::NAN), (0.0, 1.0));
    }

    #[test]
    fn the_arc_tangent_covers_the_circle() {
        for step in -1000..1000 {
            let angle = f64::from(step) * 0.001 * PI;
            for radius in [1e-60, 1.0, 1e60] {
                let found = atan2(angle.sin() * radius, angle.cos() * radius);
                assert!((found - angle).abs() < 1e-14, "{angle}: {found}");
            }
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(0.0, -1.0), PI);
    }

    #[test]
    fn powers_of_two_halve_at_every_whole_number() {
        for step in 0..2000 {
            let x = f64::from(step) * 0.013;
            assert!((exp2_neg(x) - (-x).exp2()).abs() < 1e-15, "{x}");
        }
        assert_eq!(exp2_neg(3.0), 0.125);
        assert_eq!(exp2_neg(f64::INFINITY), 0.0);
        assert_eq!(exp2_neg(-1.0), 1.0);
    }
}
