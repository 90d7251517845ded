//! Which pixels a shape has. Everything here is integers, exact, and the same on every machine.
//!
//! A filled shape is a span of columns a row. Its outline is every pixel of it that has one of its four neighbours
//! outside of it: one definition for every shape, one pixel thin, and what lies beyond the canvas's edge counts.

mod ellipse;
mod flood;
mod line;

pub(crate) use ellipse::Ellipse;
pub(crate) use flood::flood;
pub(crate) use line::Line;

/// The columns of one row of a shape: `from` up to, but not with, `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: i64,
    pub(crate) to: i64,
}

impl Span {
    /// The two parts of a row's outline, left and right; the second is empty where the whole row is outline.
    /// `above` and `below` are the spans of the rows beside it, if the shape has those.
    pub(crate) fn outline(self, above: Option<Self>, below: Option<Self>) -> [Self; 2] {
        let (Some(above), Some(below)) = (above, below) else {
            return [
                self,
                Self {
                    from: self.to,
                    to: self.to,
                },
            ];
        };
        // Inside are the columns that have all four neighbours.
        let from = (self.from + 1).max(above.from).max(below.from);
        let to = (self.to - 1).min(above.to).min(below.to);
        if from >= to {
            return [
                self,
                Self {
                    from: self.to,
                    to: self.to,
                },
            ];
        }
        [
            Self {
                from: self.from,
                to: from,
            },
            Self { from: to, to: self.to },
        ]
    }
}
