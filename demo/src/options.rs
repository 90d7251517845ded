//! The command line.

use crate::content::ContentFrom;
use crate::error::{Error, Result};
use std::path::PathBuf;
use zero_examples::DeviceChoice;

/// What `--help` prints.
pub const HELP: &str = "demo: a real elevation model made into a landscape
  --out DIR              the folder for the files, made where it is missing (default: target/demo)
  --device auto|cpu|gpu  where the graph is cooked (default: auto, which is a hardware GPU, else the CPU;
                         gpu takes a software adapter too, where no hardware is found)
  --content DIR          a folder with jacksboro.texture and demo.script, instead of what the program carries
  --picture WxH          the size of the picture, 16 to 8192 a side (default: 1280x720)
  --help                 this text
The picture is drawn on any adapter. Where there is none, the picture alone is left out.
";

/// The command line of the demo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The folder for the files.
    pub out: PathBuf,
    /// Where the graph is cooked.
    pub device: DeviceChoice,
    /// The folder of the content; `None` is what the program carries.
    pub content: Option<PathBuf>,
    /// Width and height of the picture.
    pub picture_px: [u32; 2],
}

impl Default for Options {
    fn default() -> Self {
        Self {
            out: PathBuf::from("target/demo"),
            device: DeviceChoice::default(),
            content: None,
            picture_px: crate::picture::SIZE,
        }
    }
}

/// The size in a text such as `1280x720`.
fn size(text: &str) -> Result<[u32; 2]> {
    let sides = text
        .split_once('x')
        .map(|(width, height)| [width.parse(), height.parse()]);
    match sides {
        Some([Ok(width), Ok(height)]) if (16..=8192).contains(&width) && (16..=8192).contains(&height) => {
            Ok([width, height])
        }
        _ => Err(Error::Usage(format!(
            "--picture is WIDTHxHEIGHT, 16 to 8192 a side, found `{text}`"
        ))),
    }
}

impl Options {
    /// Reads the arguments after the program's name; `None` when they ask for the help text.
    ///
    /// # Errors
    /// [`Error::Usage`] for an unknown option, or one whose value is missing or unknown.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let missing = || Error::Usage(format!("{argument} needs a value"));
                arguments.next().ok_or_else(missing)
            };
            match argument.as_str() {
                "--help" | "-h" => return Ok(None),
                "--out" => options.out = value()?.into(),
                "--content" => options.content = Some(value()?.into()),
                "--picture" => options.picture_px = size(&value()?)?,
                "--device" => {
                    options.device = match value()?.as_str() {
                        "auto" => DeviceChoice::Auto,
                        "cpu" => DeviceChoice::Cpu,
                        "gpu" => DeviceChoice::Gpu,
                        other => return Err(Error::Usage(format!("--device is auto, cpu or gpu, found `{other}`"))),
                    };
                }
                other => return Err(Error::Usage(format!("there is no option `{other}`"))),
            }
        }
        Ok(Some(options))
    }

    /// Where the content comes from.
    pub fn content_from(&self) -> ContentFrom<'_> {
        self.content
            .as_deref()
            .map_or(ContentFrom::Program, ContentFrom::Folder)
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
        assert_eq!(parse("").unwrap(), Some(Options::default()));
        let expected = Options {
            out: "a/b".into(),
            device: DeviceChoice::Gpu,
            content: Some("c".into()),
            picture_px: [64, 36],
        };
        assert_eq!(
            parse("--device gpu --content c --picture 64x36 --out a/b").unwrap(),
            Some(expected)
        );
        assert_eq!(parse("--out x --help").unwrap(), None);
    }

    #[test]
    fn bad_options_are_refused_by_name() {
        for (line, part) in [
            ("--fast", "`--fast`"),
            ("--out", "--out needs a value"),
            ("--content", "--content needs a value"),
            ("--device tpu", "`tpu`"),
            ("--picture 1280", "`1280`"),
            ("--picture 0x720", "16 to 8192 a side"),
        ] {
            let message = parse(line).unwrap_err().to_string();
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
