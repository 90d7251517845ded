//! Draws a chain that reaches for a moving target and a character that walks over hills, as an animated GIF:
//!
//! ```text
//! cargo run --release -p zero-ik --example reach -- [--out reach.gif] [--frames 40] [--png FOLDER]
//! ```
//!
//! `--png` writes each frame as a picture beside it.

mod canvas;
mod tentacle;
mod walker;

use std::fs::File;
use std::path::PathBuf;

use canvas::Canvas;
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The picture's size, in pixels.
const SIZE: (u32, u32) = (620, 272);

struct Options {
    out: PathBuf,
    frames: u32,
    png: Option<PathBuf>,
}

fn options() -> Outcome<Options> {
    let mut options = Options {
        out: "reach.gif".into(),
        frames: 40,
        png: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--out" => options.out = value.into(),
            "--frames" => options.frames = value.parse()?,
            "--png" => options.png = Some(value.into()),
            _ => return Err(format!("unknown option {name}; there are --out, --frames and --png").into()),
        }
    }
    if options.frames == 0 {
        return Err("--frames needs to be at least 1".into());
    }
    Ok(options)
}

fn main() -> Outcome<()> {
    let options = options()?;
    let mut tentacle = tentacle::Tentacle::new()?;
    let mut walker = walker::Walker::new()?;
    let mut gif = GifEncoder::new_with_speed(File::create(&options.out)?, 10);
    gif.set_repeat(Repeat::Infinite)?;
    // A lap before the first picture: the chain starts each frame from the last, so a loop must begin where it ends.
    for frame in 0..2 * options.frames {
        let phase = (frame % options.frames) as f32 / options.frames as f32;
        let mut canvas = Canvas::new(SIZE.0, SIZE.1);
        tentacle.frame(phase, &mut canvas);
        walker.frame(phase, 2.4 / options.frames as f32, &mut canvas)?;
        let Some(shown) = frame.checked_sub(options.frames) else {
            continue;
        };
        let picture = canvas.into_picture();
        if let Some(folder) = &options.png {
            picture.save(folder.join(format!("reach-{shown:03}.png")))?;
        }
        gif.encode_frame(Frame::from_parts(picture, 0, 0, Delay::from_numer_denom_ms(60, 1)))?;
    }
    println!("wrote {} with {} frames", options.out.display(), options.frames);
    Ok(())
}
