//! What stands on ground: where each copy of a population is.

use crate::error::{Error, Result};
use zero_procgen::Class;
use zero_procgen::values::{Count, Geometry};

/// One copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// Where it stands.
    pub position_m: [f32; 3],
    /// How far it is turned about +Y, counter-clockwise seen from above.
    pub yaw_rad: f32,
    /// How large it is.
    pub scale: f32,
}

/// A population: the copies of one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    name: String,
    instances: Vec<Instance>,
}

/// The most copies that a file holds.
const MAX_INSTANCES: usize = 1 << 24;
const MAGIC: [u8; 4] = *b"ZINS";
const VERSION: u32 = 1;
const HEAD: usize = 12;
const RECORD: usize = 20;
const TAIL: usize = 8;

impl Scatter {
    /// A population of these copies. The name is an identifier; a landscape checks it.
    ///
    /// # Errors
    /// [`Error::Value`] naming the first copy with a number that is not finite, and for more than 16 777 216 copies.
    pub fn new(name: impl Into<String>, instances: Vec<Instance>) -> Result<Scatter> {
        let name = name.into();
        if instances.len() > MAX_INSTANCES {
            let expected = format!("at most {MAX_INSTANCES} copies");
            return Err(Error::value(format!("scatter '{name}'"), expected, instances.len()));
        }
        let broken = |instance: &Instance| !instance.words().iter().all(|word| word.is_finite());
        if let Some(at) = instances.iter().position(broken) {
            let what = format!("scatter '{name}', copy {at}");
            return Err(Error::value(
                what,
                "finite numbers",
                format!("{:?}", instances[at].words()),
            ));
        }
        Ok(Scatter { name, instances })
    }

    /// Reads a population back from a device: a copy a point, by its `P`, and its `yaw` (radians) and `scale` where the
    /// points have them, as `instances.place` makes them. Waits for it.
    ///
    /// # Errors
    /// [`Error::Procgen`] where the points have no `P` of three floats, [`Error::Compute`] where the device fails, and as
    /// [`new`](Self::new).
    pub fn download(name: impl Into<String>, points: &Geometry) -> Result<Scatter> {
        let read = |name: &str| -> Result<Vec<f32>> {
            let column = &points.column(Class::Point, name)?.column;
            let live = match points.count(Class::Point) {
                Count::Live { count, .. } => column.with_live(&count)?,
                _ => column.as_capacity(),
            };
            Ok(live.read::<f32>()?.wait()?)
        };
        let or = |name: &str, default: f32, count: usize| match points.attribute(Class::Point, name) {
            Some(_) => read(name),
            None => Ok(vec![default; count]),
        };
        let places = read("P")?;
        let (places, _) = places.as_chunks::<3>();
        let (yaws, scales) = (or("yaw", 0.0, places.len())?, or("scale", 1.0, places.len())?);
        let copies = places.iter().zip(yaws).zip(scales);
        let instances = copies.map(|((place, yaw_rad), scale)| Instance {
            position_m: *place,
            yaw_rad,
            scale,
        });
        Scatter::new(name, instances.collect())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The copies.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The bytes of the file: `ZINS`, the version and the number of copies, of each copy x, y, z, yaw and scale, then the
    /// 64-bit FNV-1a hash of all that, little-endian throughout.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + RECORD * self.instances.len() + TAIL);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.instances.len() as u32).to_le_bytes());
        for instance in &self.instances {
            bytes.extend(instance.words().iter().flat_map(|word| word.to_le_bytes()));
        }
        bytes.extend(fnv(&bytes).to_le_bytes());
        bytes
    }

    /// The most bytes that a file has.
    pub(super) const MAX_BYTES: u64 = (HEAD + RECORD * MAX_INSTANCES + TAIL) as u64;

    pub(super) fn decode(file: &str, name: &str, bytes: &[u8]) -> Result<Scatter> {
        let broken = |field: &str, expected: String, found: String| Error::Data {
            file: file.to_owned(),
            field: field.to_owned(),
            expected,
            found,
        };
        let Some((head, rest)) = bytes.split_at_checked(HEAD) else {
            let found = format!("{} bytes", bytes.len());
            return Err(broken("the header", format!("{HEAD} bytes"), found));
        };
        let word = |at: usize| {
            head[at..at + 4]
                .iter()
                .rev()
                .fold(0u32, |word, byte| word << 8 | u32::from(*byte))
        };
        if head[..4] != MAGIC {
            return Err(broken(
                "the first bytes",
                format!("{MAGIC:?}"),
                format!("{:?}", &head[..4]),
            ));
        }
        let (version, count) = (word(4), word(8) as usize);
        if version > VERSION {
            return Err(Error::NewerVersion {
                file: file.to_owned(),
                found: version,
                known: VERSION,
            });
        }
        let expected = (count as u64) * RECORD as u64 + TAIL as u64;
        if version == 0 || rest.len() as u64 != expected {
            let expected = format!("{count} copies of version {VERSION} in {expected} bytes");
            return Err(broken(
                "copies",
                expected,
                format!("version {version}, {} bytes", rest.len()),
            ));
        }
        let (records, tail) = rest.split_at(count * RECORD);
        let (held, found) = (
            tail.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte)),
            fnv(&bytes[..HEAD + records.len()]),
        );
        if held != found {
            return Err(broken("the hash", format!("{held:016x}"), format!("{found:016x}")));
        }
        let (words, _) = records.as_chunks::<4>();
        let words: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        let instances = words
            .as_chunks::<5>()
            .0
            .iter()
            .map(|[x, y, z, yaw_rad, scale]| Instance {
                position_m: [*x, *y, *z],
                yaw_rad: *yaw_rad,
                scale: *scale,
            });
        Scatter::new(name, instances.collect())
            .map_err(|error| broken("copies", "finite numbers".into(), error.to_string()))
    }
}

impl Instance {
    fn words(&self) -> [f32; 5] {
        let [x, y, z] = self.position_m;
        [x, y, z, self.yaw_rad, self.scale]
    }
}

/// 64-bit FNV-1a (Fowler, Noll and Vo).
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
