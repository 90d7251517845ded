//! The canvas: its size, place, palette and frames, and what can be read back.

use crate::color::Color;
use crate::error::{Error, Result};
use crate::frame::{Frame, FrameId, index};
use crate::palette::Palette;
use crate::plane::Plane;
use crate::playback::Playback;
use crate::rect::Rect;
use glam::{IVec2, Vec2, Vec3};

/// The most columns, and the most rows, of a canvas.
pub const MAX_SIDE: u32 = 4096;
/// The most frames of a canvas.
pub const MAX_FRAMES: usize = 1024;
/// The most pixels of a canvas, all its frames taken together: 67 108 864.
pub const MAX_PIXELS: u64 = 1 << 26;
/// The largest side of one pixel in metres. The smallest is anything above 0.
pub const MAX_PIXEL_SIZE_M: f32 = 1000.0;

/// A sheet of pixel art: a palette, and one or more frames of equal size whose pixels are entries of it.
///
/// Column 0 is the left one, row 0 the top one. One frame is *active*: it is drawn to and read from where no frame
/// is named, and playing moves it on. Two canvases are equal when size, pixel size, plane, palette, frames, active
/// frame, rate and repeat are; whether they play, and who has seen which change, does not enter.
///
/// Memory: a byte a pixel and frame, and 8 bytes for each 8 x 8 of them.
#[derive(Clone, Debug)]
pub struct Canvas {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixel_size_m: f32,
    pub(crate) plane: Plane,
    pub(crate) palette: Palette,
    pub(crate) frames: Vec<Frame>,
    pub(crate) active: usize,
    pub(crate) playback: Playback,
    pub(crate) next_frame: u64,
    pub(crate) revision: u64,
    /// The revisions of the newest change of palette, of the list of frames, and of place.
    pub(crate) palette_changed: u64,
    pub(crate) frames_changed: u64,
    pub(crate) place_changed: u64,
}

impl Canvas {
    /// The side of a pixel unless another is set: 1/16 m.
    pub const DEFAULT_PIXEL_SIZE_M: f32 = 0.0625;

    /// A blank canvas of one frame, filled with the palette's [background](Palette::background).
    ///
    /// # Errors
    /// [`Error::Range`] when a side is 0 or more than [`MAX_SIDE`].
    pub fn new(width: u32, height: u32, palette: Palette) -> Result<Self> {
        check_size(width, height)?;
        let background = palette.background();
        Ok(Self::with_frames(
            width,
            height,
            palette,
            vec![vec![background; area(width, height)]],
        ))
    }

    /// A canvas of one frame that starts with these pixels, row by row from the top left.
    ///
    /// # Errors
    /// As [`Self::new`]; [`Error::Range`] when `pixels` is not `width * height` long; [`Error::NoEntry`].
    pub fn from_pixels(width: u32, height: u32, palette: Palette, pixels: &[u8]) -> Result<Self> {
        check_size(width, height)?;
        check_pixels("the pixels", width, height, &palette, pixels)?;
        Ok(Self::with_frames(width, height, palette, vec![pixels.to_vec()]))
    }

    /// A canvas of one frame whose pixels a function of column and row gives.
    ///
    /// # Errors
    /// As [`Self::from_pixels`].
    pub fn from_fn(width: u32, height: u32, palette: Palette, mut entry: impl FnMut(u32, u32) -> u8) -> Result<Self> {
        check_size(width, height)?;
        let mut pixels = Vec::with_capacity(area(width, height));
        for y in 0..height {
            pixels.extend((0..width).map(|x| entry(x, y)));
        }
        Self::from_pixels(width, height, palette, &pixels)
    }

    /// A canvas of frames that were checked: not empty, each `width * height` long, every entry in the palette.
    pub(crate) fn with_frames(width: u32, height: u32, palette: Palette, frames: Vec<Vec<u8>>) -> Self {
        let frames: Vec<Frame> = (1u64..)
            .zip(frames)
            .map(|(id, pixels)| Frame::new(FrameId(id), width, pixels, 1))
            .collect();
        Self {
            width,
            height,
            pixel_size_m: Self::DEFAULT_PIXEL_SIZE_M,
            plane: Plane::default(),
            palette,
            next_frame: 1 + u64::try_from(frames.len()).unwrap_or(u64::MAX - 1),
            frames,
            active: 0,
            playback: Playback::default(),
            revision: 1,
            palette_changed: 1,
            frames_changed: 1,
            place_changed: 1,
        }
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The whole canvas as a rectangle.
    #[must_use]
    pub fn rect(&self) -> Rect {
        Rect::new(0, 0, self.width, self.height)
    }

    /// The side of a pixel in metres.
    #[must_use]
    pub fn pixel_size_m(&self) -> f32 {
        self.pixel_size_m
    }

    /// Sets the side of a pixel in metres.
    ///
    /// # Errors
    /// [`Error::Range`] unless it is above 0 and at most [`MAX_PIXEL_SIZE_M`].
    pub fn set_pixel_size_m(&mut self, metres: f32) -> Result<&mut Self> {
        check_pixel_size(metres)?;
        self.pixel_size_m = metres;
        self.place_changed = self.next_revision();
        Ok(self)
    }

    /// The plane that the canvas lies in.
    #[must_use]
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// Lays the canvas in another plane.
    pub fn set_plane(&mut self, plane: Plane) -> &mut Self {
        self.plane = plane;
        self.place_changed = self.next_revision();
        self
    }

    /// Width and height in metres.
    #[must_use]
    pub fn size_m(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32) * self.pixel_size_m
    }

    /// The place of a point of the picture in the entity's space, in metres. The point is in pixels: 0, 0 is the top
    /// left corner of the top left pixel, 0.5, 0.5 its centre.
    #[must_use]
    pub fn local_from_picture(&self, point: Vec2) -> Vec3 {
        let from_centre = (point - self.half()) * self.pixel_size_m;
        self.plane.right() * from_centre.x + self.plane.down() * from_centre.y
    }

    /// The pixel that a point of the entity's space, in metres, lies on when it is dropped onto the canvas's plane.
    /// `None` beside the canvas, and for a point that is not finite.
    #[must_use]
    pub fn pixel_from_local(&self, point: Vec3) -> Option<IVec2> {
        let along = Vec2::new(point.dot(self.plane.right()), point.dot(self.plane.down()));
        let pos = (along / self.pixel_size_m + self.half()).floor();
        let inside = pos.cmpge(Vec2::ZERO).all() && pos.cmplt(self.half() * 2.0).all();
        inside.then(|| pos.as_ivec2())
    }

    fn half(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32) * 0.5
    }

    /// The palette.
    #[must_use]
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Puts another palette in the place of this one. Pixels keep their entry numbers.
    ///
    /// # Errors
    /// [`Error::NoEntry`] when a pixel of any frame has an entry that the new palette lacks; nothing is changed then.
    ///
    /// Cost: looks at every pixel when the new palette is shorter.
    pub fn set_palette(&mut self, palette: Palette) -> Result<&mut Self> {
        if palette.len() < self.palette.len() {
            for (at, frame) in self.frames.iter().enumerate() {
                check_entries(&format!("frame {at}"), self.width, &palette, frame.pixels())?;
            }
        }
        self.palette = palette;
        self.palette_changed = self.next_revision();
        Ok(self)
    }

    /// Gives one entry of the palette another colour; its pixels show it at once.
    ///
    /// # Errors
    /// [`Error::NoEntry`].
    pub fn recolor(&mut self, entry: u8, color: Color) -> Result<&mut Self> {
        self.palette.set(entry, color)?;
        self.palette_changed = self.next_revision();
        Ok(self)
    }

    /// Adds a colour to the palette and answers its entry.
    ///
    /// # Errors
    /// [`Error::Range`] when the palette is full.
    pub fn add_color(&mut self, color: Color) -> Result<u8> {
        let entry = self.palette.push(color)?;
        self.palette_changed = self.next_revision();
        Ok(entry)
    }

    /// The entries of the active frame, row by row from the top left.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        self.frames.get(self.active).map_or(&[], Frame::pixels)
    }

    /// The entries of a frame, row by row from the top left.
    ///
    /// # Errors
    /// [`Error::NoFrame`].
    pub fn frame_pixels(&self, frame: usize) -> Result<&[u8]> {
        Ok(self.frame(frame)?.pixels())
    }

    /// The entry of a pixel of the active frame; `None` beside the canvas.
    #[must_use]
    pub fn pixel(&self, pos: impl Into<IVec2>) -> Option<u8> {
        let pos = pos.into();
        let (x, y) = (u32::try_from(pos.x).ok()?, u32::try_from(pos.y).ok()?);
        let inside = x < self.width && y < self.height;
        let at = index(y) * index(self.width) + index(x);
        self.pixels().get(at).copied().filter(|_| inside)
    }

    /// The colour of a pixel of the active frame; `None` beside the canvas.
    #[must_use]
    pub fn color(&self, pos: impl Into<IVec2>) -> Option<Color> {
        self.palette.get(self.pixel(pos)?)
    }

    /// The smallest rectangle around what is drawn on the active frame: every pixel whose entry is not transparent.
    /// `None` when nothing is.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        self.drawn_bounds(self.pixels())
    }

    /// As [`Self::bounds`], of any frame.
    ///
    /// # Errors
    /// [`Error::NoFrame`].
    pub fn frame_bounds(&self, frame: usize) -> Result<Option<Rect>> {
        Ok(self.drawn_bounds(self.frame_pixels(frame)?))
    }

    /// How many pixels of the active frame have each entry; as long as the palette.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        self.entry_counts(self.pixels())
    }

    /// As [`Self::counts`], of any frame.
    ///
    /// # Errors
    /// [`Error::NoFrame`].
    pub fn frame_counts(&self, frame: usize) -> Result<Vec<usize>> {
        Ok(self.entry_counts(self.frame_pixels(frame)?))
    }

    /// The active frame as red, green, blue, alpha, a byte each, row by row.
    #[must_use]
    pub fn to_rgba(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.pixels().len() * 4);
        self.push_rgba(self.pixels(), &mut out);
        out
    }

    pub(crate) fn push_rgba(&self, entries: &[u8], out: &mut Vec<u8>) {
        for entry in entries {
            let color = self.palette.get(*entry).unwrap_or(Color::TRANSPARENT);
            out.extend_from_slice(&color.to_array());
        }
    }

    pub(crate) fn frame(&self, at: usize) -> Result<&Frame> {
        self.frames.get(at).ok_or(Error::NoFrame {
            index: at,
            frames: self.frames.len(),
        })
    }

    pub(crate) fn next_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }

    fn drawn_bounds(&self, pixels: &[u8]) -> Option<Rect> {
        let drawn = |entry: &u8| self.palette.get(*entry).is_some_and(|color| !color.is_transparent());
        let (mut left, mut right) = (usize::MAX, 0);
        let mut rows: Option<(usize, usize)> = None;
        for (y, row) in pixels.chunks(index(self.width).max(1)).enumerate() {
            let Some(first) = row.iter().position(drawn) else {
                continue;
            };
            let last = row.iter().rposition(drawn).unwrap_or(first);
            (left, right) = (left.min(first), right.max(last));
            rows = Some((rows.map_or(y, |(top, _)| top), y));
        }
        let (top, bottom) = rows?;
        let pos = |x: usize, y: usize| Some(IVec2::new(i32::try_from(x).ok()?, i32::try_from(y).ok()?));
        Some(Rect::between(pos(left, top)?, pos(right, bottom)?))
    }

    fn entry_counts(&self, pixels: &[u8]) -> Vec<usize> {
        let mut counts = vec![0; self.palette.len()];
        for entry in pixels {
            if let Some(count) = counts.get_mut(usize::from(*entry)) {
                *count += 1;
            }
        }
        counts
    }
}

impl PartialEq for Canvas {
    fn eq(&self, other: &Self) -> bool {
        let head = |canvas: &Self| {
            (
                canvas.width,
                canvas.height,
                canvas.plane,
                canvas.active,
                canvas.playback.repeat(),
            )
        };
        head(self) == head(other)
            && self.pixel_size_m == other.pixel_size_m
            && self.playback.rate_fps() == other.playback.rate_fps()
            && self.palette == other.palette
            && self
                .frames
                .iter()
                .map(Frame::pixels)
                .eq(other.frames.iter().map(Frame::pixels))
    }
}

pub(crate) fn area(width: u32, height: u32) -> usize {
    index(width) * index(height)
}

pub(crate) fn check_size(width: u32, height: u32) -> Result<()> {
    for (what, side) in [("the width of a canvas", width), ("the height of a canvas", height)] {
        if side == 0 || side > MAX_SIDE {
            return Err(Error::range(what, format!("1 to {MAX_SIDE} pixels"), side));
        }
    }
    Ok(())
}

pub(crate) fn check_frames(width: u32, height: u32, frames: usize) -> Result<()> {
    let pixels = u64::from(width) * u64::from(height) * u64::try_from(frames).unwrap_or(u64::MAX / (1 << 26));
    if frames == 0 || frames > MAX_FRAMES || pixels > MAX_PIXELS {
        let expected = format!("1 to {MAX_FRAMES} frames and at most {MAX_PIXELS} pixels in all");
        let found = format!("{frames} frames of {width} x {height}");
        return Err(Error::range("the frames of a canvas", expected, found));
    }
    Ok(())
}

pub(crate) fn check_pixel_size(metres: f32) -> Result<()> {
    match metres > 0.0 && metres <= MAX_PIXEL_SIZE_M {
        true => Ok(()),
        false => {
            let expected = format!("above 0 and at most {MAX_PIXEL_SIZE_M} m");
            Err(Error::range("the side of a pixel", expected, metres))
        }
    }
}

/// Whether these are whole rows of a frame with entries of the palette.
pub(crate) fn check_pixels(what: &str, width: u32, height: u32, palette: &Palette, pixels: &[u8]) -> Result<()> {
    if pixels.len() != area(width, height) {
        let expected = format!("{width} x {height} = {} entries", area(width, height));
        return Err(Error::range(what, expected, pixels.len()));
    }
    check_entries(what, width, palette, pixels)
}

/// Whether the palette has every entry; the first that it lacks is named with its place.
pub(crate) fn check_entries(what: &str, width: u32, palette: &Palette, pixels: &[u8]) -> Result<()> {
    let lacks = |entry: &u8| usize::from(*entry) >= palette.len();
    let Some(at) = pixels.iter().position(lacks) else {
        return Ok(());
    };
    let (x, y) = (at % index(width).max(1), at / index(width).max(1));
    let entry = pixels.get(at).copied().unwrap_or_default();
    Err(Error::no_entry(format!("{what}, pixel {x}, {y}"), entry, palette.len()))
}
