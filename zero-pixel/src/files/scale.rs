//! Pictures magnified by whole numbers.

use crate::error::{Error, Result};
use crate::frame::index;
use std::borrow::Cow;

/// The most pixels of a picture that is written: 268 435 456.
pub(super) const MAX_PICTURE: u64 = 1 << 28;

/// Entries with their size.
pub(super) struct Picture<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) entries: Cow<'a, [u8]>,
}

/// Every pixel as a square of `scale` by `scale`.
///
/// # Errors
/// [`Error::Encode`] when the scale is 0, a side would be more than `max_side`, or all of it more than
/// [`MAX_PICTURE`].
pub(super) fn magnify<'a>(
    format: &'static str,
    (width, height): (u32, u32),
    entries: &'a [u8],
    scale: u32,
    max_side: u32,
) -> Result<Picture<'a>> {
    let side = |side: u32| side.checked_mul(scale).filter(|side| (1..=max_side).contains(side));
    let (Some(wide), Some(high)) = (side(width), side(height)) else {
        let problem =
            format!("{width} x {height} pixels magnified {scale} times are not within 1 to {max_side} a side");
        return Err(Error::Encode { format, problem });
    };
    if u64::from(wide) * u64::from(high) > MAX_PICTURE {
        let problem = format!("{wide} x {high} pixels are more than {MAX_PICTURE}; take a smaller scale");
        return Err(Error::Encode { format, problem });
    }
    let mut picture = Picture {
        width: wide,
        height: high,
        entries: Cow::Borrowed(entries),
    };
    if scale > 1 {
        let mut large = Vec::with_capacity(index(wide) * index(high));
        for row in entries.chunks(index(width).max(1)) {
            let start = large.len();
            for entry in row {
                large.extend(std::iter::repeat_n(*entry, index(scale)));
            }
            for _ in 1..scale {
                large.extend_from_within(start..start + index(wide));
            }
        }
        picture.entries = Cow::Owned(large);
    }
    Ok(picture)
}
