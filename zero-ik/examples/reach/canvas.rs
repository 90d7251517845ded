//! Round strokes with soft edges over a flat ground: all that a skeleton needs.

use glam::{Vec2, Vec3};
use image::{Rgba, RgbaImage};

/// A picture in the making; colours are 0 to 1, places are pixels from the upper left.
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<Vec3>,
}

/// A colour from its six hexadecimal digits.
pub(crate) const fn rgb(hex: u32) -> Vec3 {
    Vec3::new(
        (hex >> 16) as f32 / 255.0,
        ((hex >> 8) & 255) as f32 / 255.0,
        (hex & 255) as f32 / 255.0,
    )
}

pub(crate) const NIGHT: Vec3 = rgb(0x0010_1020);

impl Canvas {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            pixels: vec![NIGHT; (width * height) as usize],
        }
    }

    pub(crate) fn height(&self) -> f32 {
        self.height as f32
    }

    /// A stroke with round ends, `from_radius` wide at one and `to_radius` at the other.
    pub(crate) fn stroke(&mut self, from: Vec2, to: Vec2, (from_radius, to_radius): (f32, f32), colour: Vec3) {
        let reach = Vec2::splat(from_radius.max(to_radius) + 1.0);
        let along = to - from;
        let length_squared = along.length_squared();
        self.cover(from.min(to) - reach, from.max(to) + reach, colour, |at| {
            let share = if length_squared > 0.0 {
                ((at - from).dot(along) / length_squared).clamp(0.0, 1.0)
            } else {
                0.0
            };
            from_radius + (to_radius - from_radius) * share - at.distance(from + along * share)
        });
    }

    pub(crate) fn disc(&mut self, centre: Vec2, radius: f32, colour: Vec3) {
        self.stroke(centre, centre, (radius, radius), colour);
    }

    pub(crate) fn ring(&mut self, centre: Vec2, radius: f32, width: f32, colour: Vec3) {
        let reach = Vec2::splat(radius + width + 1.0);
        self.cover(centre - reach, centre + reach, colour, |at| {
            width * 0.5 - (at.distance(centre) - radius).abs()
        });
    }

    /// Everything below a line of heights, one a column from `left` on.
    pub(crate) fn ground(&mut self, left: u32, heights: &[f32], colour: Vec3) {
        for (column, height) in heights.iter().enumerate() {
            let x = left + column as u32;
            for y in 0..self.height {
                let cover = (y as f32 + 0.5 - height).clamp(-0.5, 0.5) + 0.5;
                self.blend(x, y, colour, cover);
            }
        }
    }

    /// Paints by how far inside the shape the middle of each pixel lies.
    fn cover(&mut self, low: Vec2, high: Vec2, colour: Vec3, inside: impl Fn(Vec2) -> f32) {
        let (low, high) = (
            low.max(Vec2::ZERO),
            high.min(Vec2::new(self.width as f32, self.height as f32)),
        );
        for y in low.y as u32..high.y.ceil() as u32 {
            for x in low.x as u32..high.x.ceil() as u32 {
                let distance = inside(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
                self.blend(x, y, colour, (distance + 0.5).clamp(0.0, 1.0));
            }
        }
    }

    fn blend(&mut self, x: u32, y: u32, colour: Vec3, cover: f32) {
        if x < self.width && y < self.height && cover > 0.0 {
            let pixel = &mut self.pixels[(y * self.width + x) as usize];
            *pixel = pixel.lerp(colour, cover);
        }
    }

    /// The picture, in steps of 16 of 255, so that a frame's colours fit a GIF's palette.
    pub(crate) fn into_picture(self) -> RgbaImage {
        let step = |value: f32| ((value * 255.0 / 16.0).round() * 16.0).min(255.0) as u8;
        RgbaImage::from_fn(self.width, self.height, |x, y| {
            let pixel = self.pixels[(y * self.width + x) as usize];
            Rgba([step(pixel.x), step(pixel.y), step(pixel.z), 255])
        })
    }
}
