//! One picture of a canvas, and when each part of it was last changed.

use crate::rect::Rect;
use std::fmt;

/// A frame's identity within its canvas: kept while frames around it come and go, never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub(crate) u64);

impl fmt::Display for FrameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame id {}", self.0)
    }
}

/// The side of a tile in pixels. A changed pixel is reported with its tile.
pub(crate) const TILE: u32 = 8;

/// The pixels of one frame, row by row, with the revision at which each tile last changed.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) id: FrameId,
    width: u32,
    pixels: Vec<u8>,
    /// The revision of the newest change, so that a frame at rest is passed over whole.
    changed: u64,
    /// By tile, row by row.
    tiles: Vec<u64>,
}

/// As an index. Sides are bounded far below what any target's `usize` holds.
pub(crate) fn index(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

impl Frame {
    /// A frame of these pixels, all of it changed at that revision. `pixels` holds whole rows.
    pub(crate) fn new(id: FrameId, width: u32, pixels: Vec<u8>, revision: u64) -> Self {
        let height = pixels.len().div_ceil(index(width.max(1)));
        let tiles = index(width.div_ceil(TILE)) * height.div_ceil(index(TILE));
        Self {
            id,
            width,
            pixels,
            changed: revision,
            tiles: vec![revision; tiles],
        }
    }

    pub(crate) fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The pixels of a row from column `from` up to `to`; all three lie within the frame.
    pub(crate) fn span(&self, y: u32, from: u32, to: u32) -> &[u8] {
        let row = index(y) * index(self.width);
        self.pixels.get(row + index(from)..row + index(to)).unwrap_or(&[])
    }

    /// Writes one entry over a row from column `from` up to `to`; all lie within the frame.
    ///
    /// Whole tiles go eight pixels at once, which makes large fills seven times as fast.
    pub(crate) fn fill(&mut self, y: u32, from: u32, to: u32, ink: u8, revision: u64) {
        let (whole_from, whole_to) = (from.next_multiple_of(TILE), to / TILE * TILE);
        if whole_from >= whole_to {
            return self.fill_part(y, from, to, ink, revision);
        }
        self.fill_part(y, from, whole_from, ink, revision);
        self.fill_part(y, whole_to, to, ink, revision);
        let row = index(y) * index(self.width);
        let tile_row = index(y / TILE) * index(self.width.div_ceil(TILE));
        let tiles = self
            .tiles
            .get_mut(tile_row + index(whole_from / TILE)..tile_row + index(whole_to / TILE));
        let pixels = self.pixels.get_mut(row + index(whole_from)..row + index(whole_to));
        let (Some(tiles), Some(pixels)) = (tiles, pixels) else {
            return;
        };
        const INKED: usize = TILE as usize;
        let inked = [ink; INKED];
        let mut differs = false;
        for (part, tile) in pixels.as_chunks_mut::<INKED>().0.iter_mut().zip(tiles) {
            if *part != inked {
                *part = inked;
                *tile = revision;
                differs = true;
            }
        }
        if differs {
            self.changed = revision;
        }
    }

    fn fill_part(&mut self, y: u32, from: u32, to: u32, ink: u8, revision: u64) {
        self.edit(y, from, to, revision, |_, pixels| {
            let differs = pixels.iter().any(|pixel| *pixel != ink);
            if differs {
                pixels.fill(ink);
            }
            differs
        });
    }

    /// Writes entries over a row from column `from` on; all lie within the frame.
    pub(crate) fn copy(&mut self, y: u32, from: u32, source: &[u8], revision: u64) {
        let to = from.saturating_add(u32::try_from(source.len()).unwrap_or(u32::MAX));
        self.edit(y, from, to, revision, |at, pixels| {
            let source = source.get(at..at + pixels.len()).unwrap_or(&[]);
            let differs = source != pixels && source.len() == pixels.len();
            if differs {
                pixels.copy_from_slice(source);
            }
            differs
        });
    }

    /// Hands a span out tile by tile with its offset in the span; `write` answers whether it changed anything.
    fn edit(&mut self, y: u32, from: u32, to: u32, revision: u64, mut write: impl FnMut(usize, &mut [u8]) -> bool) {
        let row = index(y) * index(self.width);
        let tile_row = index(y / TILE) * index(self.width.div_ceil(TILE));
        let mut at = from;
        while at < to {
            let end = (at / TILE + 1).saturating_mul(TILE).min(to);
            let part = self.pixels.get_mut(row + index(at)..row + index(end));
            if part.is_some_and(|part| write(index(at - from), part)) {
                self.changed = revision;
                if let Some(tile) = self.tiles.get_mut(tile_row + index(at / TILE)) {
                    *tile = revision;
                }
            }
            at = end;
        }
    }

    /// Calls `found` with rectangles that share no pixel and together hold every tile changed after `since`.
    pub(crate) fn changed_since(&self, since: u64, mut found: impl FnMut(Rect)) {
        if self.changed <= since {
            return;
        }
        let across = index(self.width.div_ceil(TILE)).max(1);
        let mut open: Vec<Block> = Vec::new();
        let mut runs: Vec<Block> = Vec::new();
        for (row, tiles) in self.tiles.chunks(across).enumerate() {
            runs_of(tiles, since, row, &mut runs);
            // A block above grows where this row has the very same run; the rest of the blocks are done.
            for block in &open {
                let same = runs.binary_search_by_key(&block.from, |run| run.from).ok();
                match same.and_then(|at| runs.get_mut(at)).filter(|run| run.to == block.to) {
                    Some(run) => run.top = block.top,
                    None => found(self.block_rect(block, row)),
                }
            }
            std::mem::swap(&mut open, &mut runs);
        }
        let rows = self.tiles.len() / across;
        for block in &open {
            found(self.block_rect(block, rows));
        }
    }

    fn block_rect(&self, block: &Block, end: usize) -> Rect {
        let tile = index(TILE);
        let height = self.pixels.len() / index(self.width.max(1));
        let (x, y) = (block.from * tile, block.top * tile);
        let (right, bottom) = ((block.to * tile).min(index(self.width)), (end * tile).min(height));
        let corner = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let side = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Rect::new(corner(x), corner(y), side(right - x), side(bottom - y))
    }
}

/// A run of changed tiles, from its top row on.
struct Block {
    from: usize,
    to: usize,
    top: usize,
}

fn runs_of(tiles: &[u64], since: u64, row: usize, runs: &mut Vec<Block>) {
    runs.clear();
    for (at, tile) in tiles.iter().enumerate() {
        if *tile <= since {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.to == at => run.to = at + 1,
            _ => runs.push(Block {
                from: at,
                to: at + 1,
                top: row,
            }),
        }
    }
}
