//! What every example does around its own work: read the command line, open a device, write files whole.

use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
#[cfg(feature = "gpu")]
use zero_compute::GpuOptions;
use zero_compute::{CpuOptions, Device};

const HELP: &str = "options:
  --out DIR              the folder for the files, made where it is missing (default: the current folder)
  --device auto|cpu|gpu  where to compute (default: auto, which is a hardware GPU, else the CPU;
                         gpu takes a software adapter too, where no hardware is found)
  --headless             open no window
  --help                 this text
";

/// Where to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A hardware GPU, else the CPU.
    #[default]
    Auto,
    /// The CPU, with all its threads.
    Cpu,
    /// A GPU: hardware, else a software adapter.
    Gpu,
}

impl DeviceChoice {
    /// Opens the device, and says on standard error why where it is not the first that was looked for.
    ///
    /// # Errors
    /// [`Error::Compute`] where a GPU is asked for and none opens, with what was found; [`Error::Threads`] where the
    /// system gives no threads.
    pub fn open(self) -> Result<Device> {
        match self {
            Self::Cpu => cpu(),
            Self::Gpu => gpu(),
            Self::Auto => match hardware() {
                Ok(device) => Ok(device),
                Err(why) => {
                    passed_over(&why, "computing on the CPU");
                    cpu()
                }
            },
        }
    }
}

/// Says what is done instead, and why where the reason is more than that there is none.
fn passed_over(why: &Error, instead: &str) {
    match why {
        Error::WithoutGpu | Error::Compute(zero_compute::Error::NoAdapter { .. }) => {
            eprintln!("no hardware GPU: {instead}");
        }
        other => eprintln!("the hardware GPU gives no device ({other}): {instead}"),
    }
}

fn cpu() -> Result<Device> {
    let pool = rayon::ThreadPoolBuilder::new().build()?;
    Ok(Device::cpu(CpuOptions {
        pool: Some(Arc::new(pool)),
        ..CpuOptions::default()
    }))
}

#[cfg(feature = "gpu")]
fn hardware() -> Result<Device> {
    Ok(Device::gpu_blocking(GpuOptions::default())?)
}

#[cfg(feature = "gpu")]
fn gpu() -> Result<Device> {
    match hardware() {
        Ok(device) => Ok(device),
        Err(why) => {
            passed_over(&why, "looking for a software adapter");
            Ok(Device::gpu_blocking(GpuOptions {
                software: true,
                ..GpuOptions::default()
            })?)
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn hardware() -> Result<Device> {
    Err(Error::WithoutGpu)
}

#[cfg(not(feature = "gpu"))]
fn gpu() -> Result<Device> {
    hardware()
}

/// The command line of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The folder for the files.
    pub out: PathBuf,
    /// Where to compute.
    pub device: DeviceChoice,
    /// Whether no window may be opened.
    pub headless: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            out: PathBuf::from("."),
            device: DeviceChoice::default(),
            headless: false,
        }
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
            match argument.as_str() {
                "--help" | "-h" => return Ok(None),
                "--headless" => options.headless = true,
                "--out" => options.out = value(&argument, arguments.next())?.into(),
                "--device" => {
                    options.device = match value(&argument, arguments.next())?.as_str() {
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
}

fn value(option: &str, found: Option<String>) -> Result<String> {
    found.ok_or_else(|| Error::Usage(format!("{option} needs a value")))
}

/// A running example: its device and its folder.
#[derive(Debug)]
pub struct Host {
    /// The device that was asked for.
    pub device: Device,
    /// The command line.
    pub options: Options,
}

impl Host {
    /// Reads the command line, opens the device, says which it is and runs `work`. What `main` of an example returns.
    pub fn run(work: impl FnOnce(&Self) -> Result<()>) -> ExitCode {
        Self::run_on(|options| options.device.open(), work)
    }

    /// The same for a program that opens its device itself.
    pub fn run_on(open: impl FnOnce(&Options) -> Result<Device>, work: impl FnOnce(&Self) -> Result<()>) -> ExitCode {
        let outcome = Options::parse(std::env::args().skip(1)).and_then(|options| match options {
            None => {
                print!("{HELP}");
                Ok(())
            }
            Some(options) => work(&Self::open(open(&options)?, options)),
        });
        match outcome {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        }
    }

    fn open(device: Device, options: Options) -> Self {
        let info = device.info();
        println!(
            "device: {}{}",
            info.name,
            if info.software { " (software)" } else { "" }
        );
        Self { device, options }
    }

    /// Writes a file into the folder, under another name first, so that it is never there in part.
    ///
    /// # Errors
    /// [`Error::File`] names the path.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let folder = &self.options.out;
        std::fs::create_dir_all(folder).map_err(|source| Error::File {
            path: folder.clone(),
            source,
        })?;
        let path = folder.join(name);
        write_whole(&path, bytes).map_err(|source| Error::File {
            path: path.clone(),
            source,
        })?;
        println!("{}: {} bytes", path.display(), bytes.len());
        Ok(())
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // The first error is the one to tell; a part that cannot be removed either was most likely never made.
        let _ = std::fs::remove_file(&part);
    }
    written
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
            headless: true,
        };
        assert_eq!(parse("--device gpu --headless --out a/b").unwrap(), Some(expected));
        assert_eq!(parse("--headless --help").unwrap(), None);
    }

    #[test]
    fn bad_options_are_refused_by_name() {
        for (line, part) in [
            ("--fast", "`--fast`"),
            ("--out", "--out needs a value"),
            ("--device", "--device needs a value"),
            ("--device tpu", "`tpu`"),
        ] {
            let message = parse(line).unwrap_err().to_string();
            assert!(message.contains(part), "{line}: {message}");
        }
    }

    #[test]
    fn a_file_that_cannot_stand_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("zero-examples-{}", std::process::id()));
        // A folder of that name is in the way.
        std::fs::create_dir_all(folder.join("taken/inside")).unwrap();
        let refused = write_whole(&folder.join("taken"), b"bytes");
        let written = write_whole(&folder.join("free"), b"bytes");
        let left: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(refused.is_err() && written.is_ok());
        assert_eq!(left.len(), 2, "{left:?}");
    }
}
