//! A picture that shapes with soft edges are painted on.

use zero_ground::glam::{Vec2, Vec3};

/// A colour from its six hexadecimal digits.
pub(crate) fn hex(rgb: u32) -> Vec3 {
    let part = |shift: u32| ((rgb >> shift) & 0xff) as f32 / 255.0;
    Vec3::new(part(16), part(8), part(0))
}

/// Pixels, and how many of them a metre has.
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    pixels_a_metre: f32,
    pixels: Vec<Vec3>,
}

impl Canvas {
    /// A canvas of so many metres, each pixel of what the function answers at its middle.
    pub(crate) fn new(size_m: Vec2, pixels_a_metre: f32, mut paint: impl FnMut(Vec2) -> Vec3) -> Self {
        let (width, height) = ((size_m.x * pixels_a_metre) as u32, (size_m.y * pixels_a_metre) as u32);
        let middles = (0..height).flat_map(|y| (0..width).map(move |x| Vec2::new(x as f32 + 0.5, y as f32 + 0.5)));
        let pixels = middles.map(|pixel| paint(pixel / pixels_a_metre)).collect();
        Self {
            width,
            height,
            pixels_a_metre,
            pixels,
        }
    }

    /// Lays a colour over the pixels within `reach_m` of the middle, as much as `cover` answers there, 0 to 1. The
    /// second number it is given is the width of a pixel in metres.
    fn lay(&mut self, center_m: Vec2, reach_m: f32, color: Vec3, cover: impl Fn(Vec2, f32) -> f32) {
        let scale = self.pixels_a_metre;
        let (low, high) = ((center_m - reach_m) * scale - 1.0, (center_m + reach_m) * scale + 2.0);
        // Casts saturate: a shape that lies outside covers an empty range.
        let (x_end, y_end) = ((high.x as u32).min(self.width), (high.y as u32).min(self.height));
        for y in (low.y as u32)..y_end {
            for x in (low.x as u32)..x_end {
                let at_m = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / scale;
                let alpha = cover(at_m, 1.0 / scale).clamp(0.0, 1.0);
                if let Some(pixel) = self.pixels.get_mut((y * self.width + x) as usize) {
                    *pixel = pixel.lerp(color, alpha);
                }
            }
        }
    }

    /// A disc whose rim fades over `soft_m`.
    pub(crate) fn disc(&mut self, center_m: Vec2, radius_m: f32, soft_m: f32, color: Vec3, alpha: f32) {
        self.lay(center_m, radius_m + soft_m, color, |at_m, pixel_m| {
            alpha * ((radius_m - at_m.distance(center_m)) / soft_m.max(pixel_m) + 0.5).clamp(0.0, 1.0)
        });
    }

    /// A stroke that tapers from its full width at `from_m` to a point.
    pub(crate) fn blade(&mut self, from_m: Vec2, to_m: Vec2, width_m: f32, color: Vec3, alpha: f32) {
        let along = to_m - from_m;
        self.lay(
            (from_m + to_m) * 0.5,
            along.length() * 0.5 + width_m,
            color,
            |at_m, pixel_m| {
                let t = ((at_m - from_m).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
                let distance = at_m.distance(from_m + along * t);
                alpha * ((width_m * 0.5 * (1.0 - t * 0.7) - distance) / pixel_m + 0.5).clamp(0.0, 1.0)
            },
        );
    }

    /// A stroke of one width with round ends.
    pub(crate) fn line(&mut self, from_m: Vec2, to_m: Vec2, width_m: f32, color: Vec3, alpha: f32) {
        let along = to_m - from_m;
        self.lay(
            (from_m + to_m) * 0.5,
            along.length() * 0.5 + width_m,
            color,
            |at_m, pixel_m| {
                let t = ((at_m - from_m).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
                alpha * ((width_m * 0.5 - at_m.distance(from_m + along * t)) / pixel_m + 0.5).clamp(0.0, 1.0)
            },
        );
    }

    /// A triangle, corners either way round.
    pub(crate) fn triangle(&mut self, corners_m: [Vec2; 3], color: Vec3) {
        let [a, b, c] = corners_m;
        let middle = (a + b + c) / 3.0;
        let reach = corners_m
            .iter()
            .map(|corner| corner.distance(middle))
            .fold(0.0, f32::max);
        let way = (b - a).perp_dot(c - a).signum();
        self.lay(middle, reach, color, |at_m, pixel_m| {
            let inside = |from: Vec2, to: Vec2| (to - from).normalize_or_zero().perp_dot(at_m - from) * way;
            // Half a pixel more than its edges, so that triangles side by side leave no seam.
            inside(a, b).min(inside(b, c)).min(inside(c, a)) / pixel_m + 1.0
        });
    }

    /// The canvas with each channel of each pixel rounded to one of so many steps: a small file, and a printed look.
    pub(crate) fn save(&self, path: &std::path::Path, steps: f32) -> image::ImageResult<()> {
        let byte = |value: f32| ((value.clamp(0.0, 1.0) * steps).round() / steps * 255.0).round() as u8;
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .flat_map(|pixel| pixel.to_array().map(byte))
            .collect();
        let file = std::io::BufWriter::new(std::fs::File::create(path)?);
        let best = image::codecs::png::CompressionType::Best;
        let encoder =
            image::codecs::png::PngEncoder::new_with_quality(file, best, image::codecs::png::FilterType::NoFilter);
        image::ImageEncoder::write_image(encoder, &bytes, self.width, self.height, image::ExtendedColorType::Rgb8)
    }
}
