//! Ellipses and circles.

use super::Span;

/// The ellipse that fills a box of `width` by `height` pixels.
///
/// Take the ellipse through the centres of the box's outermost pixels. A pixel belongs to the shape when its centre,
/// moved half a pixel towards the middle along x or along y (on the middle line it stays), lies in it or on it. With
/// X and Y twice the distances from the middle, A = width - 1 and B = height - 1:
/// `max(X - 1, 0)^2 B^2 + Y^2 A^2 <= A^2 B^2` or `X^2 B^2 + max(Y - 1, 0)^2 A^2 <= A^2 B^2`.
///
/// For a box of 2 r + 1 either way this is the midpoint circle: each octant has the pixels nearest to the true circle
/// of radius r.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ellipse {
    a: u64,
    b: u64,
}

impl Ellipse {
    /// The longest side of a box. X, Y, A and B are at most that, and their products stay below 2^57.
    pub(crate) const MAX_SIDE: u32 = 16_384;

    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self {
            a: u64::from(width.saturating_sub(1)),
            b: u64::from(height.saturating_sub(1)),
        }
    }

    fn contains(self, x: u64, y: u64) -> bool {
        let inside = |x: u64, y: u64| {
            let (xb, ya, ab) = (x * self.b, y * self.a, self.a * self.b);
            xb * xb + ya * ya <= ab * ab
        };
        inside(x.saturating_sub(1), y) || inside(x, y.saturating_sub(1))
    }

    /// The span of each row from the top, in columns of the box. Cost: the sum of the sides.
    pub(crate) fn spans(self) -> impl Iterator<Item = Span> {
        // Rows come closer to the middle up to half of them and move away then, so the widest X only grows and then
        // only shrinks; X keeps the parity of A.
        let mut x = self.a % 2;
        (0..=self.b).map(move |row| {
            let y = (2 * row).abs_diff(self.b);
            while x + 2 <= self.a && self.contains(x + 2, y) {
                x += 2;
            }
            while x >= 2 && !self.contains(x, y) {
                x -= 2;
            }
            let (from, to) = ((self.a - x) / 2, (self.a + x) / 2 + 1);
            Span {
                from: i64::try_from(from).unwrap_or(i64::MAX),
                to: i64::try_from(to).unwrap_or(i64::MAX),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(width: u32, height: u32) -> Vec<String> {
        let row = |span: Span| -> String {
            let inside = |x: u32| (span.from..span.to).contains(&i64::from(x));
            (0..width).map(|x| if inside(x) { '#' } else { '.' }).collect()
        };
        Ellipse::new(width, height).spans().map(row).collect()
    }

    #[test]
    fn spans_are_the_definition_for_every_box_up_to_70() {
        for (width, height) in (1..=70).flat_map(|w| (1..=70).map(move |h| (w, h))) {
            let ellipse = Ellipse::new(width, height);
            let inside = |x: u32, y: u32| {
                let twice = |n: u32, side: u32| u64::from((2 * n).abs_diff(side - 1));
                ellipse.contains(twice(x, width), twice(y, height))
            };
            let expected: Vec<String> = (0..height)
                .map(|y| (0..width).map(|x| if inside(x, y) { '#' } else { '.' }).collect())
                .collect();
            assert_eq!(rows(width, height), expected, "{width} x {height}");
        }
    }

    /// The midpoint circle by its own words: in each octant, per row, the column nearest to the true circle.
    #[test]
    fn a_square_box_of_odd_side_is_the_midpoint_circle() {
        for r in 0..=60i64 {
            let side = u32::try_from(2 * r + 1).unwrap();
            let mut inside = std::collections::BTreeSet::new();
            for n in 0..=r {
                // The largest m with (m - 1/2)^2 + n^2 <= r^2 is the nearest whole number to sqrt(r^2 - n^2).
                let nearest = (0..=r)
                    .rev()
                    .find(|m| (2 * m - 1).pow(2) + 4 * n * n <= 4 * r * r)
                    .unwrap_or(0);
                for m in n..=nearest.max(n) {
                    let belongs = m == 0 || (2 * m - 1).pow(2) + 4 * n * n <= 4 * r * r;
                    if belongs {
                        inside.extend([(m, n), (n, m)]);
                    }
                }
            }
            for (y, span) in (0i64..).zip(Ellipse::new(side, side).spans()) {
                for x in 0..2 * r + 1 {
                    let expected = inside.contains(&((x - r).abs(), (y - r).abs()));
                    assert_eq!((span.from..span.to).contains(&x), expected, "radius {r} at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn small_ones_look_as_drawn_by_hand() {
        assert_eq!(rows(1, 1), ["#"]);
        assert_eq!(rows(2, 2), ["##", "##"]);
        assert_eq!(rows(3, 3), [".#.", "###", ".#."]);
        assert_eq!(rows(4, 4), [".##.", "####", "####", ".##."]);
        assert_eq!(rows(5, 5), [".###.", "#####", "#####", "#####", ".###."]);
        assert_eq!(
            rows(7, 7),
            [
                "..###..", ".#####.", "#######", "#######", "#######", ".#####.", "..###.."
            ]
        );
        assert_eq!(rows(1, 4), ["#", "#", "#", "#"]);
        assert_eq!(rows(4, 1), ["####"]);
        assert_eq!(rows(8, 3), [".######.", "########", ".######."]);
    }

    #[test]
    fn the_largest_box_does_not_overflow() {
        let spans: Vec<Span> = Ellipse::new(Ellipse::MAX_SIDE, Ellipse::MAX_SIDE).spans().collect();
        assert_eq!(spans.len(), 16_384);
        assert_eq!(spans[8191], Span { from: 0, to: 16_384 });
        // The area is that of the true ellipse to a part in a thousand.
        let area: i64 = spans.iter().map(|span| span.to - span.from).sum();
        let exact = std::f64::consts::FRAC_PI_4 * 16_384.0 * 16_384.0;
        assert!((area as f64 / exact - 1.0).abs() < 1e-3);
    }
}
