//! Sprite sheets: all frames of a canvas in one picture.

use super::png::{Pixels, read, write};
use super::quantise::{Decoded, Import, cut, import};
use super::scale::MAX_PICTURE;
use crate::canvas::{Canvas, check_frames, check_size};
use crate::error::{Error, Result};
use crate::frame::index;
use crate::rect::Rect;

/// How frames are laid out on a sheet that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", default))]
#[non_exhaustive]
pub struct SheetLayout {
    /// How many frames a row; `None` for as many columns as rows, or one more.
    pub columns: Option<u32>,
    /// Pixels between two cells.
    pub padding: u32,
    /// Pixels around all cells.
    pub margin: u32,
}

impl SheetLayout {
    /// With so many frames a row.
    #[must_use]
    pub fn columns(mut self, columns: u32) -> Self {
        self.columns = Some(columns);
        self
    }

    /// With so many pixels between two cells.
    #[must_use]
    pub fn padding(mut self, pixels: u32) -> Self {
        self.padding = pixels;
        self
    }

    /// With so many pixels around all cells.
    #[must_use]
    pub fn margin(mut self, pixels: u32) -> Self {
        self.margin = pixels;
        self
    }
}

/// The cells of a sheet: frame `i` is in column `i % columns` and row `i / columns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Grid {
    /// Columns of cells.
    pub columns: u32,
    /// Rows of cells.
    pub rows: u32,
    /// How many cells hold a frame, at most columns times rows; the rest are empty.
    pub count: u32,
    /// The width of a cell in pixels.
    pub cell_width: u32,
    /// The height of a cell in pixels.
    pub cell_height: u32,
    /// Pixels between two cells.
    pub padding: u32,
    /// Pixels around all cells.
    pub margin: u32,
}

impl Grid {
    /// A grid whose every cell holds a frame, without padding and margin.
    #[must_use]
    pub fn new(columns: u32, rows: u32, cell_width: u32, cell_height: u32) -> Self {
        Self {
            columns,
            rows,
            count: columns.saturating_mul(rows),
            cell_width,
            cell_height,
            padding: 0,
            margin: 0,
        }
    }

    /// The size of the sheet's picture.
    #[must_use]
    pub fn size(&self) -> (u64, u64) {
        let side = |cells: u32, cell: u32| {
            let (cells, padding) = (u64::from(cells), u64::from(self.padding));
            let length = cells.saturating_mul(u64::from(cell) + padding).saturating_sub(padding);
            length.saturating_add(2 * u64::from(self.margin))
        };
        (side(self.columns, self.cell_width), side(self.rows, self.cell_height))
    }

    /// Where a frame is; `None` past the last, and in a grid too large for a picture.
    #[must_use]
    pub fn cell(&self, frame: u32) -> Option<Rect> {
        let columns = self.columns.max(1);
        let corner = |at: u32, cell: u32| {
            let step = u64::from(cell) + u64::from(self.padding);
            let place = u64::from(at).checked_mul(step)?.checked_add(u64::from(self.margin))?;
            i32::try_from(place).ok()
        };
        let x = corner(frame % columns, self.cell_width)?;
        let y = corner(frame / columns, self.cell_height)?;
        (frame < self.count).then_some(Rect::new(x, y, self.cell_width, self.cell_height))
    }

    fn check(&self) -> Result<()> {
        let cells = u64::from(self.columns) * u64::from(self.rows);
        if self.count == 0 || u64::from(self.count) > cells {
            let expected = format!("1 to {} x {} = {cells}", self.columns, self.rows);
            return Err(Error::range("the frames of a sheet", expected, self.count));
        }
        check_size(self.cell_width, self.cell_height)?;
        check_frames(self.cell_width, self.cell_height, index(self.count))
    }

    fn corners(&self) -> Vec<(u32, u32)> {
        let corner = |rect: Rect| Some((u32::try_from(rect.x).ok()?, u32::try_from(rect.y).ok()?));
        (0..self.count).filter_map(|frame| corner(self.cell(frame)?)).collect()
    }
}

impl Canvas {
    /// The cells of a sheet of this canvas.
    ///
    /// # Errors
    /// [`Error::Range`] when there are no columns, or the picture would be larger than 268 435 456 pixels.
    pub fn sheet_grid(&self, layout: &SheetLayout) -> Result<Grid> {
        let count = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        let square = || {
            (1..=count)
                .find(|side| side.saturating_mul(*side) >= count)
                .unwrap_or(count)
        };
        let columns = layout.columns.unwrap_or_else(square);
        if columns == 0 {
            return Err(Error::range("the columns of a sheet", "at least 1", columns));
        }
        let columns = columns.min(count);
        let grid = Grid {
            columns,
            rows: count.div_ceil(columns),
            count,
            cell_width: self.width,
            cell_height: self.height,
            padding: layout.padding,
            margin: layout.margin,
        };
        let (width, height) = grid.size();
        match width.checked_mul(height).is_some_and(|pixels| pixels <= MAX_PICTURE) {
            true => Ok(grid),
            false => {
                let found = format!("{width} x {height}");
                Err(Error::range(
                    "the pixels of a sheet",
                    format!("at most {MAX_PICTURE}"),
                    found,
                ))
            }
        }
    }

    /// All frames in one PNG, and where they are in it. Between them is the palette's background.
    ///
    /// # Errors
    /// As [`Self::sheet_grid`].
    pub fn to_sheet_png(&self, layout: &SheetLayout) -> Result<(Vec<u8>, Grid)> {
        let grid = self.sheet_grid(layout)?;
        let (width, height) = grid.size();
        let side = |side: u64| u32::try_from(side).unwrap_or(u32::MAX);
        let (width, height) = (side(width), side(height));
        let mut entries = vec![self.palette.background(); index(width) * index(height)];
        for ((x, y), frame) in grid.corners().into_iter().zip(&self.frames) {
            let rows = entries.chunks_mut(index(width)).skip(index(y));
            for (target, source) in rows.zip(frame.pixels().chunks(index(self.width))) {
                if let Some(target) = target.get_mut(index(x)..index(x + self.width)) {
                    target.copy_from_slice(source);
                }
            }
        }
        Ok((write((width, height), &entries, &self.palette, 1)?, grid))
    }

    /// A canvas with a frame for each cell of a sheet. What lies between the cells is not looked at.
    ///
    /// # Errors
    /// [`Error::SheetSize`] when the picture is not as large as the grid says; [`Error::Range`] for a grid without
    /// cells, or of more or larger ones than a canvas has frames; and as [`Self::from_png`].
    pub fn from_sheet_png(bytes: &[u8], grid: &Grid, how: &Import) -> Result<Self> {
        grid.check()?;
        let (width, height) = grid.size();
        let picture = read(bytes, |(found_width, found_height)| {
            match (u64::from(found_width), u64::from(found_height)) == (width, height) {
                true => Ok(()),
                false => Err(Error::SheetSize {
                    width,
                    height,
                    found_width,
                    found_height,
                }),
            }
        })?;
        let (corners, cell) = (grid.corners(), (grid.cell_width, grid.cell_height));
        let decoded = match picture.pixels {
            Pixels::Indexed(palette, pixels) => Decoded::Indexed(palette, cut(&pixels, picture.size.0, &corners, cell)),
            Pixels::Rgba(pixels) => Decoded::Rgba(cut(&pixels, picture.size.0, &corners, cell)),
        };
        import("the sheet", cell, decoded, how)
    }
}
