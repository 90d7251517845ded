//! Animated GIF.

use super::note::Note;
use super::quantise::{Decoded, Import, import};
use super::scale::magnify;
use crate::canvas::{Canvas, MAX_PIXELS, check_frames, check_size};
use crate::color::Color;
use crate::error::{Error, Result};
use crate::frame::index;
use crate::palette::Palette;
use crate::playback::Repeat;
use ::gif::{AnyExtension, ColorOutput, DecodeOptions, Decoder, DisposalMethod, Encoder, Frame, MemoryLimit};
use std::borrow::Cow;

const FORMAT: &str = "GIF";
/// The block that names an application.
const APPLICATION: AnyExtension = AnyExtension(0xff);
/// The fastest rate of a GIF: readers show frames of less than 2 hundredths of a second for 10.
const MAX_RATE_FPS: f32 = 50.0;

/// What becomes of colours that are neither opaque nor transparent, which a GIF cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Alpha {
    /// A palette that holds one is refused.
    #[default]
    Refuse,
    /// Those of alpha 128 and more are opaque, the rest transparent.
    Round,
}

/// What a GIF is read as whose frames are shown for different times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Delays {
    /// It is refused.
    #[default]
    Refuse,
    /// Each frame gets the mean time.
    Mean,
}

/// How a GIF is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", default))]
#[non_exhaustive]
pub struct GifExport {
    /// Every pixel becomes a square of that side: 1.
    pub scale: u32,
    /// What becomes of colours that are neither opaque nor transparent: refused.
    pub alpha: Alpha,
}

impl Default for GifExport {
    fn default() -> Self {
        Self {
            scale: 1,
            alpha: Alpha::Refuse,
        }
    }
}

impl GifExport {
    /// With pixels as squares of that side.
    #[must_use]
    pub fn scale(mut self, scale: u32) -> Self {
        self.scale = scale;
        self
    }

    /// With another rule for colours that are neither opaque nor transparent.
    #[must_use]
    pub fn alpha(mut self, alpha: Alpha) -> Self {
        self.alpha = alpha;
        self
    }
}

impl Canvas {
    /// All frames as an animated GIF: the palette and entries as they are, [`Repeat::Loop`] as the endless loop.
    ///
    /// A GIF counts hundredths of a second. Frame i appears at the hundredth that is nearest to `i / rate`, so that
    /// the whole lasts as long as it should. Written unscaled, it reads back equal, active frame aside: what the
    /// format does not say goes along in a block that other readers pass over. A palette's further transparent
    /// entries become the first, since a GIF has one. Equal canvases give equal bytes.
    ///
    /// # Errors
    /// [`Error::Encode`] when the rate is above 50 (readers slow such frames down), when the palette holds colours
    /// of partial alpha (see [`Alpha`]), when the scale is 0 or makes a side longer than 65 535.
    pub fn to_gif(&self, how: &GifExport) -> Result<Vec<u8>> {
        self.check_gif(how)?;
        let transparent = self
            .palette
            .colors()
            .iter()
            .position(|color| is_hidden(*color, how.alpha));
        let transparent = transparent.and_then(|entry| u8::try_from(entry).ok());
        let remap = self.gif_entries(transparent, how.alpha);
        let colors: Vec<u8> = self.palette.colors().iter().flat_map(|c| [c.r, c.g, c.b]).collect();
        let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
        let max = u32::from(u16::MAX);
        let first = magnify(FORMAT, (self.width, self.height), self.pixels(), how.scale, max)?;
        let (width, height) = (side(first.width), side(first.height));
        let mut encoder = Encoder::new(Vec::new(), width, height, &colors).map_err(unwritten)?;
        if self.repeat() == Repeat::Loop {
            encoder.set_repeat(::gif::Repeat::Infinite).map_err(unwritten)?;
        }
        let note = Note::of(self).to_blocks();
        encoder
            .write_raw_extension(APPLICATION, &[&note[0], &note[1]])
            .map_err(unwritten)?;
        for (at, frame) in self.frames.iter().enumerate() {
            let entries = mapped(frame.pixels(), &remap);
            let picture = magnify(FORMAT, (self.width, self.height), &entries, how.scale, max)?;
            let frame = Frame {
                delay: delay(at, self.rate_fps()),
                // A frame with holes must not show the one before through them.
                dispose: if transparent.is_some() {
                    DisposalMethod::Background
                } else {
                    DisposalMethod::Keep
                },
                transparent,
                width,
                height,
                buffer: Cow::Borrowed(&picture.entries),
                ..Frame::default()
            };
            encoder.write_frame(&frame).map_err(unwritten)?;
        }
        encoder.into_inner().map_err(unwritten)
    }

    /// A canvas of an animated GIF: its frames as they are shown, one after the other, whatever parts of them the
    /// file stores. Delays of 0 count as 10 hundredths of a second, as browsers have it. Any number of repetitions
    /// is [`Repeat::Loop`].
    ///
    /// A file with one palette keeps it, entries and all; otherwise the colours decide, as for a PNG.
    ///
    /// # Errors
    /// [`Error::Decode`] for what is no whole GIF, and for uneven delays (see [`Delays`]); [`Error::Range`] for one
    /// larger than a canvas may be; [`Error::TooManyColors`] and [`Error::ColorNotInPalette`] as the import's rule
    /// has it.
    pub fn from_gif(bytes: &[u8], how: &Import) -> Result<Self> {
        let mut movie = Movie::read(bytes)?;
        let note = Note::find(bytes).filter(|note| movie.agrees(note));
        if let (Some(note), Decoded::Indexed(palette, _)) = (note, &mut movie.frames)
            && let Ok(short) = Palette::new(palette.colors().iter().copied().take(note.entries))
        {
            *palette = short;
        }
        let rate = match note {
            Some(note) => note.rate_fps,
            None => foreign_rate(&movie.delays, how.delays)?,
        };
        let mut canvas = import("the GIF", movie.size, movie.frames, how)?;
        canvas.set_rate_fps(rate)?.set_repeat(movie.repeat);
        if let Some(note) = note {
            canvas.set_pixel_size_m(how.pixel_size_m.unwrap_or(note.pixel_size_m))?;
            canvas.set_plane(how.plane.unwrap_or(note.plane));
        }
        Ok(canvas)
    }

    fn check_gif(&self, how: &GifExport) -> Result<()> {
        let refused = |problem: String| {
            Err(Error::Encode {
                format: FORMAT,
                problem,
            })
        };
        if self.rate_fps() > MAX_RATE_FPS {
            return refused(format!(
                "{} frames a second are more than the {MAX_RATE_FPS} that it can show",
                self.rate_fps()
            ));
        }
        let partial = (0u8..=255)
            .zip(self.palette.colors())
            .find(|(_, color)| !matches!(color.a, 0 | 255));
        match partial {
            Some((entry, color)) if how.alpha == Alpha::Refuse => refused(format!(
                "entry {entry} is {color}, neither opaque nor transparent; `Alpha::Round` rounds it"
            )),
            _ => Ok(()),
        }
    }

    /// By entry, the entry that stands for it in the file.
    fn gif_entries(&self, transparent: Option<u8>, alpha: Alpha) -> Vec<u8> {
        let stands = |(entry, color): (u8, &Color)| match transparent {
            Some(first) if is_hidden(*color, alpha) => first,
            _ => entry,
        };
        (0u8..=255).zip(self.palette.colors()).map(stands).collect()
    }
}

fn is_hidden(color: Color, alpha: Alpha) -> bool {
    match alpha {
        Alpha::Refuse => color.is_transparent(),
        Alpha::Round => color.a < 128,
    }
}

fn mapped(entries: &[u8], remap: &[u8]) -> Vec<u8> {
    entries
        .iter()
        .map(|entry| remap.get(usize::from(*entry)).copied().unwrap_or(*entry))
        .collect()
}

fn unwritten(error: ::gif::EncodingError) -> Error {
    Error::Encode {
        format: FORMAT,
        problem: error.to_string(),
    }
}

fn unread(problem: impl ToString) -> Error {
    Error::Decode {
        format: FORMAT,
        problem: problem.to_string(),
    }
}

/// How long frame `at` is shown, in hundredths of a second: from the hundredth nearest to its time to the next one's.
fn delay(at: usize, rate_fps: f32) -> u16 {
    let time = |at: usize| (at as f64 * 100.0 / f64::from(rate_fps)).round();
    // The slowest rate makes 10 000, and the cast saturates.
    (time(at + 1) - time(at)) as u16
}

/// The rate of a file that another program wrote.
fn foreign_rate(delays: &[u16], how: Delays) -> Result<f32> {
    let times: Vec<u16> = delays
        .iter()
        .map(|delay| if *delay == 0 { 10 } else { *delay })
        .collect();
    let first = times.first().copied().unwrap_or(10);
    let uneven = times.iter().position(|time| *time != first);
    match (uneven, how) {
        (Some(at), Delays::Refuse) => {
            let found = times.get(at).copied().unwrap_or(first);
            Err(unread(format!(
                "frame {at} is shown for {found} hundredths of a second and frame 0 for {first}; `Delays::Mean` gives all the mean"
            )))
        }
        _ => {
            let total: u64 = times.iter().map(|time| u64::from(*time)).sum();
            let rate = (times.len() as f64 * 100.0 / total.max(1) as f64) as f32;
            // The longest delay, 655 s, is beneath the slowest rate.
            Ok(rate.max(crate::MIN_RATE_FPS))
        }
    }
}

/// A decoded GIF.
struct Movie {
    size: (u32, u32),
    frames: Decoded,
    delays: Vec<u16>,
    repeat: Repeat,
}

impl Movie {
    fn read(bytes: &[u8]) -> Result<Self> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        if let Some(limit) = std::num::NonZeroU64::new(MAX_PIXELS) {
            options.set_memory_limit(MemoryLimit::Bytes(limit));
        }
        let mut decoder = options.read_info(bytes).map_err(unread)?;
        let size = (u32::from(decoder.width()), u32::from(decoder.height()));
        check_size(size.0, size.1)?;
        let global = decoder.global_palette().map(<[u8]>::to_vec);
        let raw = read_frames(&mut decoder, size)?;
        let repeat = match decoder.repeat() {
            ::gif::Repeat::Finite(0) => Repeat::Once,
            _ => Repeat::Loop,
        };
        let delays = raw.iter().map(|frame| frame.delay).collect();
        let frames = match indexed(&raw, global.as_deref(), size)? {
            Some(decoded) => decoded,
            None => Decoded::Rgba(compose(&raw, size, Color::TRANSPARENT, |frame, entry| {
                let table = frame.palette.as_deref().or(global.as_deref()).unwrap_or(&[]);
                color_at(table, entry)
            })?),
        };
        Ok(Self {
            size,
            frames,
            delays,
            repeat,
        })
    }

    /// Whether a note is of this file: its palette holds every pixel, and its rate gives the delays.
    fn agrees(&self, note: &Note) -> bool {
        let Decoded::Indexed(palette, frames) = &self.frames else {
            return false;
        };
        let held = |entry: &u8| usize::from(*entry) < note.entries;
        note.entries <= palette.len()
            && frames.iter().all(|frame| frame.iter().all(held))
            && self
                .delays
                .iter()
                .enumerate()
                .all(|(at, time)| *time == delay(at, note.rate_fps))
    }
}

fn read_frames(decoder: &mut Decoder<&[u8]>, (width, height): (u32, u32)) -> Result<Vec<Frame<'static>>> {
    let mut frames = Vec::new();
    let mut stored = 0;
    while let Some(info) = decoder.next_frame_info().map_err(unread)? {
        let mut frame = info.clone();
        check_frames(width, height, frames.len() + 1)?;
        // A part may be larger than the screen, and a few bytes unfold to all of it.
        stored += u64::from(frame.width) * u64::from(frame.height);
        if stored > MAX_PIXELS {
            return Err(Error::range(
                "the pixels that a GIF stores",
                format!("at most {MAX_PIXELS}"),
                stored,
            ));
        }
        let mut buffer = vec![0; decoder.buffer_size()];
        // Taken as one run: row by row, the decoder takes whole interlaced pictures of few pixels for cut off.
        if !decoder.fill_buffer(&mut buffer).map_err(unread)? {
            return Err(unread("image truncated"));
        }
        if frame.interlaced {
            buffer = in_order(&buffer, usize::from(frame.width), usize::from(frame.height));
        }
        frame.buffer = Cow::Owned(buffer);
        frames.push(frame);
    }
    match frames.is_empty() {
        true => Err(unread("it has no frame")),
        false => Ok(frames),
    }
}

/// The rows of an interlaced picture from the top down. They come in four passes (GIF89a, appendix E).
fn in_order(rows: &[u8], width: usize, height: usize) -> Vec<u8> {
    let mut picture = vec![0; rows.len()];
    let order = [(0, 8), (4, 8), (2, 4), (1, 2)].map(|(first, step)| (first..height).step_by(step));
    for (row, source) in order.into_iter().flatten().zip(rows.chunks(width.max(1))) {
        if let Some(target) = picture.get_mut(row * width..row * width + source.len()) {
            target.copy_from_slice(source);
        }
    }
    picture
}

/// The frames as entries of the file's one palette; `None` when a frame has a palette of its own, when frames differ
/// in what is transparent, and when a pixel is left uncovered that no entry can stand for.
fn indexed(raw: &[Frame<'static>], global: Option<&[u8]>, size: (u32, u32)) -> Result<Option<Decoded>> {
    let transparent = raw.first().and_then(|frame| frame.transparent);
    let alike = |frame: &Frame<'_>| frame.palette.is_none() && frame.transparent == transparent;
    let Some(table) = global.filter(|_| raw.iter().all(alike)) else {
        return Ok(None);
    };
    let colors = table
        .as_chunks::<3>()
        .0
        .iter()
        .zip(0u8..=255)
        .map(|(&[r, g, b], entry)| {
            let alpha = if transparent == Some(entry) { 0 } else { 255 };
            Color::rgba(r, g, b, alpha)
        });
    let palette = Palette::new(colors)?;
    // What no frame covers is as transparent as what a frame leaves out.
    let hole = transparent.filter(|entry| usize::from(*entry) < palette.len());
    let frames = compose(raw, size, None, |_, entry| {
        let known = usize::from(entry) < palette.len();
        known.then_some(Some(entry))
    })?;
    let filled = |frame: Vec<Option<u8>>| {
        frame
            .into_iter()
            .map(|pixel| pixel.or(hole))
            .collect::<Option<Vec<u8>>>()
    };
    let frames: Option<Vec<Vec<u8>>> = frames.into_iter().map(filled).collect();
    Ok(frames.map(|frames| Decoded::Indexed(palette, frames)))
}

fn color_at(table: &[u8], entry: u8) -> Option<Color> {
    let (colors, _) = table.as_chunks::<3>();
    colors.get(usize::from(entry)).map(|&[r, g, b]| Color::rgb(r, g, b))
}

/// What is shown while each frame is: parts laid over one another as GIF89a (section 23) has it. `pixel` gives the
/// pixel of an entry of a frame, or `None` when its palette lacks it.
fn compose<P: Copy>(
    raw: &[Frame<'static>],
    (width, height): (u32, u32),
    empty: P,
    pixel: impl Fn(&Frame<'static>, u8) -> Option<P>,
) -> Result<Vec<Vec<P>>> {
    let mut screen = vec![empty; index(width) * index(height)];
    let mut shown = Vec::with_capacity(raw.len());
    for (at, frame) in raw.iter().enumerate() {
        let before = (frame.dispose == DisposalMethod::Previous).then(|| screen.clone());
        let mut lacking = None;
        each_pixel(frame, (width, height), |place, entry| {
            if frame.transparent == Some(entry) {
                return;
            }
            match (screen.get_mut(place), pixel(frame, entry)) {
                (Some(slot), Some(pixel)) => *slot = pixel,
                _ => lacking = Some(entry),
            }
        });
        if let Some(entry) = lacking {
            return Err(unread(format!(
                "frame {at} has a pixel of entry {entry}, which its palette lacks"
            )));
        }
        shown.push(screen.clone());
        match frame.dispose {
            DisposalMethod::Any | DisposalMethod::Keep => {}
            DisposalMethod::Previous => screen = before.unwrap_or(screen),
            DisposalMethod::Background => each_pixel(frame, (width, height), |place, _| {
                if let Some(slot) = screen.get_mut(place) {
                    *slot = empty;
                }
            }),
        }
    }
    Ok(shown)
}

/// Calls `visit` with the place on the screen and the entry of every pixel of a frame that lies on the screen.
fn each_pixel(frame: &Frame<'static>, (width, height): (u32, u32), mut visit: impl FnMut(usize, u8)) {
    let rows = frame.buffer.chunks(usize::from(frame.width.max(1)));
    for (y, row) in (u32::from(frame.top)..height).zip(rows) {
        for (x, entry) in (u32::from(frame.left)..width).zip(row) {
            visit(index(y) * index(width) + index(x), *entry);
        }
    }
}
