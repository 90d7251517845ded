//! What the script says: settings read from its table, each checked where it enters.

use crate::content::Model;
use crate::error::{Error, Result};
use std::sync::Arc;
use zero_script::mlua::{self, Table, Value};
use zero_script::{RunParams, Vm, VmOptions};
use zero_vfs::{Vfs, VfsPath};

/// What the demo makes. Places are metres from the window's centre, X east and Z south.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The part of the model that becomes the landscape.
    pub window: Window,
    /// The height at which the water stands.
    pub water_m: f32,
    /// How much relief finer than the model is added on high ground.
    pub detail_m: f32,
    /// How the ground is worn.
    pub erosion: Erosion,
    /// How many trees are thrown.
    pub trees: Trees,
    /// Where the sun stands.
    pub sun: Sun,
    /// Where the picture is taken from.
    pub camera: Camera,
    /// The air, and how much light the picture takes in.
    pub air: Air,
}

/// A square part of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Its centre, in metres from the model's western edge.
    pub x_m: f32,
    /// Its centre, in metres from the model's northern edge.
    pub z_m: f32,
    /// Its side, in metres.
    pub size_m: f32,
    /// From one sample of the landscape to the next, in metres.
    pub spacing_m: f32,
}

/// How the ground is worn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Erosion {
    /// Steps of thermal erosion.
    pub steps: i32,
    /// The angle at which what slid rests, in degrees.
    pub talus_deg: f32,
}

/// How many trees of a kind are thrown, before ground that bears none lets some go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trees {
    /// Broadleaves.
    pub broadleaf: i32,
    /// Conifers.
    pub conifer: i32,
}

/// Where the sun stands, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Clockwise from north.
    pub bearing_deg: f32,
    /// Above the horizon.
    pub height_deg: f32,
}

/// Where the picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// East of the window's centre, in metres.
    pub x_m: f32,
    /// South of the window's centre, in metres.
    pub z_m: f32,
    /// Above the ground or the water, in metres.
    pub above_m: f32,
    /// Where it looks, clockwise from north.
    pub bearing_deg: f32,
    /// How far up it looks.
    pub pitch_deg: f32,
    /// Its vertical field of view.
    pub fov_deg: f32,
}

/// The air, and how much light the picture takes in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// As [`zero_render::Atmosphere::haze`].
    pub haze: f32,
    /// Exposure value at ISO 100.
    pub ev100: f32,
}

/// The most samples of a side: a surface over more has more corners than a column on a GPU holds by WebGPU's limits.
const MOST_SAMPLES: f32 = 2360.0;

impl Settings {
    /// Runs the script and reads the table that it returns. The script sees the model as `model.range_m(x, z, size)`: the
    /// lowest and the highest ground of a window.
    ///
    /// # Errors
    /// [`Error::Script`] for one that fails, with its file and line; [`Error::Setting`] for what it leaves out or says
    /// that can't be.
    pub fn from_script(vfs: &Arc<Vfs>, script: &VfsPath, model: &Arc<Model>) -> Result<Settings> {
        let (options, seen) = (VmOptions::default().print(|line| eprintln!("{line}")), model.clone());
        let vm = Vm::with_globals(vfs.clone(), options, move |lua, globals| {
            let table = lua.create_table()?;
            let range = lua.create_function(move |_, (x_m, z_m, size_m): (f64, f64, f64)| {
                seen.range_m(x_m, z_m, size_m).map_err(mlua::Error::external)
            })?;
            table.raw_set("range_m", range)?;
            globals.raw_set("model", table)
        })?;
        let returned: Value = vm.run(script, &RunParams::default())?;
        let root = Reader {
            script: script.as_str(),
            path: String::new(),
            value: returned,
        };
        root.settings()
    }
}

/// A value that the script returned, and where in its table it is.
struct Reader<'a> {
    script: &'a str,
    path: String,
    value: Value,
}

impl Reader<'_> {
    fn settings(&self) -> Result<Settings> {
        let (window, erosion, trees) = (self.at("window")?, self.at("erosion")?, self.at("trees")?);
        let (sun, camera, air) = (self.at("sun")?, self.at("camera")?, self.at("air")?);
        window.samples()?;
        Ok(Settings {
            window: Window {
                x_m: window.number("x_m", 0.0, 1.0e6)?,
                z_m: window.number("z_m", 0.0, 1.0e6)?,
                size_m: window.number("size_m", 100.0, 20_000.0)?,
                spacing_m: window.number("spacing_m", 1.0, 100.0)?,
            },
            water_m: self.number("water_m", -1000.0, 9000.0)?,
            detail_m: self.number("detail_m", 0.0, 200.0)?,
            erosion: Erosion {
                steps: erosion.whole("steps", 10_000)?,
                talus_deg: erosion.number("talus_deg", 0.0, 89.0)?,
            },
            trees: Trees {
                broadleaf: trees.whole("broadleaf", 1_000_000)?,
                conifer: trees.whole("conifer", 1_000_000)?,
            },
            sun: Sun {
                bearing_deg: sun.number("bearing_deg", -360.0, 360.0)?,
                height_deg: sun.number("height_deg", 0.5, 90.0)?,
            },
            camera: Camera {
                x_m: camera.number("x_m", -1.0e5, 1.0e5)?,
                z_m: camera.number("z_m", -1.0e5, 1.0e5)?,
                above_m: camera.number("above_m", 1.0, 10_000.0)?,
                bearing_deg: camera.number("bearing_deg", -360.0, 360.0)?,
                pitch_deg: camera.number("pitch_deg", -85.0, 85.0)?,
                fov_deg: camera.number("fov_deg", 5.0, 120.0)?,
            },
            air: Air {
                haze: air.number("haze", 0.0, 1000.0)?,
                ev100: air.number("ev100", -10.0, 25.0)?,
            },
        })
    }

    fn refuse<T>(&self, expected: impl Into<String>) -> Result<T> {
        Err(Error::Setting {
            script: self.script.to_owned(),
            setting: match self.path.as_str() {
                "" => "what it returns".to_owned(),
                path => path.to_owned(),
            },
            expected: expected.into(),
            found: match &self.value {
                Value::Integer(number) => number.to_string(),
                Value::Number(number) => number.to_string(),
                other => other.type_name().to_owned(),
            },
        })
    }

    fn at(&self, key: &str) -> Result<Reader<'_>> {
        let Some(table) = self.value.as_table() else {
            return self.refuse("a table");
        };
        Ok(Reader {
            script: self.script,
            path: match self.path.as_str() {
                "" => key.to_owned(),
                path => format!("{path}.{key}"),
            },
            value: held(table, key),
        })
    }

    fn float(&self) -> Option<f64> {
        match self.value {
            Value::Integer(whole) => Some(whole as f64),
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    fn number(&self, key: &str, low: f32, high: f32) -> Result<f32> {
        let at = self.at(key)?;
        match at.float() {
            Some(number) if (f64::from(low)..=f64::from(high)).contains(&number) => Ok(number as f32),
            _ => at.refuse(format!("a number from {low} to {high}")),
        }
    }

    /// Whether the window has a number of samples that can be worked on.
    fn samples(&self) -> Result<()> {
        let (size_m, spacing_m) = (
            self.number("size_m", 100.0, 20_000.0)?,
            self.number("spacing_m", 1.0, 100.0)?,
        );
        match size_m / spacing_m {
            side if side < 2.0 => self.at("spacing_m")?.refuse("at most half of window.size_m"),
            side if side > MOST_SAMPLES => self.at("spacing_m")?.refuse(format!(
                "at least {:.2}, which makes {MOST_SAMPLES} samples of a side of window.size_m",
                size_m / MOST_SAMPLES
            )),
            _ => Ok(()),
        }
    }

    fn whole(&self, key: &str, most: i32) -> Result<i32> {
        let at = self.at(key)?;
        match at.float() {
            Some(number) if (0.0..=f64::from(most)).contains(&number) && number.fract() == 0.0 => Ok(number as i32),
            _ => at.refuse(format!("a whole number from 0 to {most}")),
        }
    }
}

/// A key as it stands in the table itself: a metatable has no say.
fn held(table: &Table, key: &str) -> Value {
    table.raw_get(key).unwrap_or(Value::Nil)
}
