//! What a GIF does not say of a canvas: how many entries its palette has, its rate, its pixel size and its plane. An
//! application block carries them; other readers pass it over.

use crate::canvas::{Canvas, check_pixel_size};
use crate::plane::Plane;
use crate::playback::check_rate;

/// The name and code of our application block.
const NAME: &[u8; 11] = b"ZEROPIXL001";

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Note {
    pub(super) entries: usize,
    pub(super) rate_fps: f32,
    pub(super) pixel_size_m: f32,
    pub(super) plane: Plane,
}

impl Note {
    pub(super) fn of(canvas: &Canvas) -> Self {
        Self {
            entries: canvas.palette().len(),
            rate_fps: canvas.rate_fps(),
            pixel_size_m: canvas.pixel_size_m(),
            plane: canvas.plane(),
        }
    }

    /// The two sub-blocks of the application block.
    pub(super) fn to_blocks(self) -> [Vec<u8>; 2] {
        let plane = match self.plane {
            Plane::Xy => 0,
            Plane::Xz => 1,
            Plane::Yz => 2,
        };
        let mut data = Vec::new();
        // 1 to 256 entries, less 1, fit a byte.
        data.push(u8::try_from(self.entries.saturating_sub(1)).unwrap_or(u8::MAX));
        data.push(plane);
        data.extend_from_slice(&self.rate_fps.to_le_bytes());
        data.extend_from_slice(&self.pixel_size_m.to_le_bytes());
        [NAME.to_vec(), data]
    }

    /// The note of a GIF, if it has one that is whole and within range. What a note says is believed only where it
    /// agrees with the rest of the file, which its reader checks.
    pub(super) fn find(gif: &[u8]) -> Option<Self> {
        let data = application_block(gif, NAME)?;
        let (&[entries, plane], rest) = data.split_first_chunk::<2>()?;
        let (rate, rest) = rest.split_first_chunk::<4>()?;
        let (pixel_size, _) = rest.split_first_chunk::<4>()?;
        let note = Self {
            entries: usize::from(entries) + 1,
            rate_fps: f32::from_le_bytes(*rate),
            pixel_size_m: f32::from_le_bytes(*pixel_size),
            plane: *[Plane::Xy, Plane::Xz, Plane::Yz].get(usize::from(plane))?,
        };
        let sound = check_rate(note.rate_fps).is_ok() && check_pixel_size(note.pixel_size_m).is_ok();
        sound.then_some(note)
    }
}

/// The first data sub-block of an application block of that name. Walks the blocks of GIF89a (sections 17 to 26)
/// without decoding any.
fn application_block<'a>(gif: &'a [u8], name: &[u8; 11]) -> Option<&'a [u8]> {
    const EXTENSION: u8 = 0x21;
    const APPLICATION: u8 = 0xff;
    const IMAGE: u8 = 0x2c;
    let (head, mut rest) = gif.split_first_chunk::<13>()?;
    rest = rest.get(color_table(head[10])..)?;
    loop {
        let (&kind, after) = rest.split_first()?;
        match kind {
            EXTENSION => {
                let (&label, blocks) = after.split_first()?;
                let (first, more) = sub_block(blocks)?;
                if label == APPLICATION && first == name {
                    return Some(sub_block(more)?.0);
                }
                rest = past_blocks(blocks)?;
            }
            IMAGE => {
                let (descriptor, data) = after.split_first_chunk::<9>()?;
                // Past the table of its own and the code size of its data.
                rest = past_blocks(data.get(color_table(descriptor[8]) + 1..)?)?;
            }
            _ => return None,
        }
    }
}

/// How many bytes a colour table takes, by the flags that announce it.
fn color_table(flags: u8) -> usize {
    match flags & 0x80 {
        0 => 0,
        _ => 3 * (2 << (flags & 7)),
    }
}

fn sub_block(blocks: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&length, rest) = blocks.split_first()?;
    rest.split_at_checked(usize::from(length))
}

fn past_blocks(mut blocks: &[u8]) -> Option<&[u8]> {
    loop {
        let (block, rest) = sub_block(blocks)?;
        if block.is_empty() {
            return Some(rest);
        }
        blocks = rest;
    }
}
