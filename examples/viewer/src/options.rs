//! The command line.

use crate::error::{Error, Result};
use std::path::PathBuf;
use zero_examples::DeviceChoice;

/// What `--help` prints.
pub(crate) const HELP: &str = "viewer: an island in a window
  --headless             open no window: draw frames of a camera that circles, and write the last one
  --frames N             with --headless: how many frames, 1 to 100000 (default: 8)
  --out FILE             with --headless: the picture, a .png (default: viewer.png)
  --size WxH             of the window or the picture, 16 to 8192 a side (default: 1280x720)
  --device auto|cpu|gpu  where the graph is cooked (default: auto)
  --help                 this text
In the window: drag to turn, wheel to come near, up and down for the trees' height, left and right for the sun, escape
to leave.
";

/// The most frames that one run draws without a window.
const MOST_FRAMES: u32 = 100_000;

/// The command line of the viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Frames to draw without a window; `None` opens one.
    pub(crate) headless: Option<Film>,
    /// Of the window or the picture, in pixels.
    pub(crate) size: [u32; 2],
    /// Where the graph is cooked.
    pub(crate) device: DeviceChoice,
}

/// What a run without a window makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Film {
    pub(crate) frames: u32,
    pub(crate) out: PathBuf,
}

impl Options {
    /// Reads the arguments after the program's name; `None` when they ask for the help text.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Option<Self>> {
        let (mut headless, mut frames, mut out) = (false, None, None);
        let (mut size, mut device) = ([1280, 720], DeviceChoice::default());
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let found = arguments.next();
                found.ok_or_else(|| Error::Usage(format!("{argument} needs a value")))
            };
            match argument.as_str() {
                "--help" | "-h" => return Ok(None),
                "--headless" => headless = true,
                "--frames" => frames = Some(count(&value()?)?),
                "--out" => out = Some(PathBuf::from(value()?)),
                "--size" => size = sides(&value()?)?,
                "--device" => device = choice(&value()?)?,
                other => return Err(Error::Usage(format!("there is no option `{other}`"))),
            }
        }
        if !headless && (frames.is_some() || out.is_some()) {
            return Err(Error::Usage("--frames and --out go with --headless".to_owned()));
        }
        let film = Film {
            frames: frames.unwrap_or(8),
            out: out.unwrap_or_else(|| PathBuf::from("viewer.png")),
        };
        Ok(Some(Self {
            headless: headless.then_some(film),
            size,
            device,
        }))
    }
}

fn count(text: &str) -> Result<u32> {
    let number = text.parse().ok().filter(|number| (1..=MOST_FRAMES).contains(number));
    number.ok_or_else(|| Error::Usage(format!("--frames is a number from 1 to {MOST_FRAMES}, found `{text}`")))
}

fn sides(text: &str) -> Result<[u32; 2]> {
    let sides = text.split_once('x').map(|(w, h)| [w.parse(), h.parse()]);
    match sides {
        Some([Ok(width), Ok(height)]) if [width, height].iter().all(|side| (16..=8192).contains(side)) => {
            Ok([width, height])
        }
        _ => Err(Error::Usage(format!(
            "--size is WIDTHxHEIGHT, 16 to 8192 a side, found `{text}`"
        ))),
    }
}

fn choice(text: &str) -> Result<DeviceChoice> {
    match text {
        "auto" => Ok(DeviceChoice::Auto),
        "cpu" => Ok(DeviceChoice::Cpu),
        "gpu" => Ok(DeviceChoice::Gpu),
        other => Err(Error::Usage(format!("--device is auto, cpu or gpu, found `{other}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Options>> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_read() {
        let window = parse("").unwrap().unwrap();
        assert_eq!((window.headless, window.size), (None, [1280, 720]));
        let film = parse("--headless --frames 3 --out a/b.png --size 64x48 --device cpu");
        let film = film.unwrap().unwrap();
        assert_eq!(film.size, [64, 48]);
        assert_eq!(film.device, DeviceChoice::Cpu);
        let expected = Film {
            frames: 3,
            out: "a/b.png".into(),
        };
        assert_eq!(film.headless, Some(expected));
        assert_eq!(parse("--frames 3 --help").unwrap(), None);
    }

    #[test]
    fn bad_options_are_refused_by_name() {
        for (line, part) in [
            ("--fast", "`--fast`"),
            ("--headless --frames", "--frames needs a value"),
            ("--headless --frames 0", "found `0`"),
            ("--size 1280", "found `1280`"),
            ("--size 8x8", "found `8x8`"),
            ("--device tpu", "`tpu`"),
            ("--out a.png", "go with --headless"),
        ] {
            let message = parse(line).unwrap_err().to_string();
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
