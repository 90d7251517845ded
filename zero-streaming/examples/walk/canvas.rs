//! A picture that shapes with smooth edges are blended onto.

use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use zero_streaming::glam::Vec2;

pub(crate) type Color = [u8; 3];

pub(crate) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<[f32; 3]>,
}

fn smooth(distance: f32) -> f32 {
    (0.5 - distance).clamp(0.0, 1.0)
}

impl Canvas {
    pub(crate) fn new(width: u32, height: u32, color: Color) -> Self {
        let pixels = vec![color.map(f32::from); (width * height) as usize];
        Self { width, height, pixels }
    }

    /// Blends a shape within a square of pixels. `distance` is that of a point to the shape's edge in pixels, negative
    /// inside.
    fn shape(&mut self, center: Vec2, reach: f32, color: Color, alpha: f32, distance: impl Fn(Vec2) -> f32) {
        let clip = |at: f32, end: u32| at.clamp(0.0, end as f32) as u32;
        let (low, high) = (center - reach - 1.0, center + reach + 2.0);
        for y in clip(low.y, self.height)..clip(high.y, self.height) {
            for x in clip(low.x, self.width)..clip(high.x, self.width) {
                let cover = smooth(distance(Vec2::new(x as f32 + 0.5, y as f32 + 0.5))) * alpha;
                if cover > 0.0
                    && let Some(pixel) = self.pixels.get_mut((y * self.width + x) as usize)
                {
                    for (old, new) in pixel.iter_mut().zip(color) {
                        *old += (f32::from(new) - *old) * cover;
                    }
                }
            }
        }
    }

    pub(crate) fn disc(&mut self, center: Vec2, radius: f32, color: Color, alpha: f32) {
        self.shape(center, radius, color, alpha, |at| (at - center).length() - radius);
    }

    /// A circle of a line; of `dashes` dashes, or whole where that is 0.
    pub(crate) fn ring(&mut self, center: Vec2, radius: f32, wide: f32, color: Color, alpha: f32, dashes: u32) {
        self.shape(center, radius + wide, color, alpha, |at| {
            let off = at - center;
            let turn = (off.y.atan2(off.x) / std::f32::consts::TAU + 1.0) * dashes as f32;
            let gap = if dashes > 0 && turn.fract() > 0.5 { wide } else { 0.0 };
            (off.length() - radius).abs() - wide * 0.5 + gap
        });
    }

    pub(crate) fn line(&mut self, from: Vec2, to: Vec2, wide: f32, color: Color, alpha: f32) {
        let (center, along) = ((from + to) * 0.5, to - from);
        self.shape(center, along.length() * 0.5 + wide, color, alpha, |at| {
            let part = ((at - from).dot(along) / along.length_squared().max(1e-6)).clamp(0.0, 1.0);
            (at - from - along * part).length() - wide * 0.5
        });
    }

    /// A rectangle, turned by an angle.
    pub(crate) fn quad(&mut self, center: Vec2, half: Vec2, angle: f32, color: Color, alpha: f32) {
        let turn = Vec2::from_angle(-angle);
        self.shape(center, half.length(), color, alpha, |at| {
            (turn.rotate(at - center).abs() - half).max_element()
        });
    }

    /// The edge of a rectangle.
    pub(crate) fn frame(&mut self, center: Vec2, half: Vec2, wide: f32, color: Color, alpha: f32) {
        self.shape(center, half.length() + wide, color, alpha, |at| {
            ((at - center).abs() - half).max_element().abs() - wide * 0.5
        });
    }

    /// Copies another picture of the same height into this one, from this column on.
    pub(crate) fn place(&mut self, other: &Self, left: u32) {
        let (own, others) = (self.width as usize, other.width as usize);
        for (to, from) in self.pixels.chunks_mut(own).zip(other.pixels.chunks(others)) {
            let columns = to.iter_mut().skip(left as usize);
            columns.zip(from).for_each(|(to, from)| *to = *from);
        }
    }

    pub(crate) fn save(&self, file: &str) -> image::ImageResult<()> {
        let bytes: Vec<u8> = self.pixels.iter().flatten().map(|part| part.round() as u8).collect();
        let file = std::io::BufWriter::new(std::fs::File::create(file)?);
        PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::Adaptive).write_image(
            &bytes,
            self.width,
            self.height,
            image::ExtendedColorType::Rgb8,
        )
    }
}
