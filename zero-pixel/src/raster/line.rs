//! Straight lines.

use glam::IVec2;

/// A line of one pixel a step along its longer axis (x where both are equally long), both ends included. The other
/// coordinate is the whole number nearest to the exact line; halfway goes to the larger one, right or down. So a line
/// has the same pixels from either end, and those of a part of it that is cut off by an edge do not move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Whether the longer axis is y.
    steep: bool,
    /// The end with the smaller coordinate on the longer axis: that coordinate, and the other.
    start: (i64, i64),
    /// How far the line goes on the longer axis (0 or more), and on the other.
    run: i64,
    rise: i64,
}

impl Line {
    pub(crate) fn new(one: IVec2, two: IVec2) -> Self {
        let wide = |pos: IVec2| (i64::from(pos.x), i64::from(pos.y));
        let (one, two) = (wide(one), wide(two));
        let steep = (two.1 - one.1).abs() > (two.0 - one.0).abs();
        let axes = |(x, y): (i64, i64)| if steep { (y, x) } else { (x, y) };
        let (start, end) = match axes(one) <= axes(two) {
            true => (axes(one), axes(two)),
            false => (axes(two), axes(one)),
        };
        Self {
            steep,
            start,
            run: end.0 - start.0,
            rise: end.1 - start.1,
        }
    }

    /// Calls `plot` with column and row of every pixel of the line within `width` and `height`.
    ///
    /// The first pixel is found by a division, so the cost is the visible part of the longer axis.
    pub(crate) fn pixels(self, width: u32, height: u32, mut plot: impl FnMut(u32, u32)) {
        let limit = i64::from(if self.steep { height } else { width });
        let (from, to) = (self.start.0.max(0), (self.start.0 + self.run).min(limit - 1));
        if from > to {
            return;
        }
        // The other coordinate is floor((2 * rise * steps + run) / (2 * run)) past the start.
        let twice_run = (2 * self.run).max(1);
        let above = 2 * i128::from(self.rise) * i128::from(from - self.start.0) + i128::from(self.run);
        let whole = above.div_euclid(i128::from(twice_run));
        let rest = above.rem_euclid(i128::from(twice_run));
        let (Ok(whole), Ok(mut rest)) = (i64::try_from(whole), i64::try_from(rest)) else {
            return;
        };
        let mut other = self.start.1 + whole;
        for along in from..=to {
            let (x, y) = if self.steep { (other, along) } else { (along, other) };
            if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
                && x < width
                && y < height
            {
                plot(x, y);
            }
            // The rise is never longer than the run, so one step moves by at most one.
            rest += 2 * self.rise;
            if rest >= twice_run {
                rest -= twice_run;
                other += 1;
            } else if rest < 0 {
                rest += twice_run;
                other -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition by search: for each step of the longer axis, the other coordinate whose distance to the exact
    /// line is least, the larger of two.
    fn definition(one: IVec2, two: IVec2) -> Vec<(i32, i32)> {
        let d = two - one;
        let steep = d.y.abs() > d.x.abs();
        let (a, b) = if steep { (one.yx_(), two.yx_()) } else { (one, two) };
        let (from, to) = (a.x.min(b.x), a.x.max(b.x));
        let mut pixels = Vec::new();
        for along in from..=to {
            let (low, high) = (a.y.min(b.y), a.y.max(b.y));
            // Distance times the run, so that all stays whole: |(y - a.y) * dx - (x - a.x) * dy|.
            let off = |y: i32| ((y - a.y) * (b.x - a.x) - (along - a.x) * (b.y - a.y)).abs();
            let other = (low..=high).rev().min_by_key(|y| off(*y)).unwrap();
            pixels.push(if steep { (other, along) } else { (along, other) });
        }
        pixels
    }

    trait Swap {
        fn yx_(self) -> IVec2;
    }
    impl Swap for IVec2 {
        fn yx_(self) -> IVec2 {
            IVec2::new(self.y, self.x)
        }
    }

    fn drawn(one: IVec2, two: IVec2, width: u32, height: u32) -> Vec<(i32, i32)> {
        let mut pixels = Vec::new();
        Line::new(one, two).pixels(width, height, |x, y| pixels.push((x as i32, y as i32)));
        pixels
    }

    #[test]
    fn every_line_of_a_small_canvas_is_the_definition_from_either_end_and_clipped() {
        let ends: Vec<IVec2> = (-5..13).flat_map(|y| (-5..13).map(move |x| IVec2::new(x, y))).collect();
        for one in &ends {
            for two in &ends {
                let mut expected = definition(*one, *two);
                expected.retain(|(x, y)| (0..8).contains(x) && (0..7).contains(y));
                assert_eq!(drawn(*one, *two, 8, 7), expected, "{one} {two}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_number_range_are_drawn_exactly() {
        // From corner to corner of all of i32 the line passes within half a pixel of every x = y.
        let pixels = drawn(IVec2::MIN, IVec2::MAX, 4, 4);
        assert_eq!(pixels, [(0, 0), (1, 1), (2, 2), (3, 3)]);
        // A rise of 1 over the whole range: the step is at the middle, between -1 and 0.
        let (one, two) = (IVec2::new(i32::MIN, 2), IVec2::new(i32::MAX, 3));
        assert_eq!(drawn(one, two, 3, 8), [(0, 3), (1, 3), (2, 3)]);
        assert_eq!(drawn(IVec2::new(i32::MIN, -1), IVec2::new(i32::MAX, -1), 4, 4), []);
    }
}
