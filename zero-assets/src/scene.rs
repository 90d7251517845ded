//! [`Instantiable`]: how an asset becomes part of a scene that the host owns.

use std::collections::BTreeMap;
use std::fmt;

use crate::behavior::{HookContext, HookResult};
use crate::value::Value;

/// An entity of the host's, by a number that means something to the host alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub u64);

/// The host's entities, as far as putting an asset among them needs.
pub trait SceneHost {
    /// Makes an entity, below `parent` or at the top, placed as `options` say.
    ///
    /// # Errors
    /// Any.
    fn spawn(&mut self, parent: Option<EntityId>, options: &InstantiateOptions) -> HookResult<EntityId>;

    /// Places an entity that is there already.
    ///
    /// # Errors
    /// Any.
    fn place(&mut self, entity: EntityId, options: &InstantiateOptions) -> HookResult<()>;

    /// Whether an entity is there now: made, and not removed.
    fn is_live(&self, entity: EntityId) -> bool;
}

/// The part of a type that puts its assets into a scene.
pub trait Instantiable {
    /// Composes the asset in the scene, under `target` (or onto it, for a hierarchy), or at the top where there is
    /// none. All of it is there when this returns.
    ///
    /// # Errors
    /// Any.
    fn instantiate(
        &self,
        asset: &HookContext<'_>,
        host: &mut dyn SceneHost,
        target: Option<EntityId>,
        options: &InstantiateOptions,
    ) -> HookResult<Instance>;
}

/// What an asset became.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instance {
    /// The root of all of it, which is live.
    pub root: EntityId,
    /// The entity that each part of the asset became, by the part's own id. Empty for a type without such parts.
    pub id_map: BTreeMap<String, EntityId>,
}

impl Instance {
    /// One without parts.
    #[must_use]
    pub fn new(root: EntityId) -> Self {
        Self {
            root,
            id_map: BTreeMap::new(),
        }
    }

    /// The same with the entity that a part became.
    #[must_use]
    pub fn part(mut self, id: impl Into<String>, entity: EntityId) -> Self {
        self.id_map.insert(id.into(), entity);
        self
    }
}

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotation {
    /// About x, y and z, in degrees.
    Degrees([f32; 3]),
    /// A quaternion: x, y, z, w.
    Quaternion([f32; 4]),
}

/// What means the same for every type that is put into a scene.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct InstantiateOptions {
    /// Where, in metres.
    pub position: Option<[f32; 3]>,
    /// How it is turned.
    pub rotation: Option<Rotation>,
    /// How large, along each axis.
    pub scale: Option<[f32; 3]>,
    /// What the root is called.
    pub name: Option<String>,
    /// Whether it goes when the game stops playing and is never saved.
    pub temporary: bool,
    /// What else the type takes.
    pub more: BTreeMap<String, Value>,
}

/// Why options of an instantiation do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption {
    /// The option.
    pub name: String,
    /// What it is, and what came.
    pub message: String,
}

impl fmt::Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.name, self.message)
    }
}

impl std::error::Error for BadOption {}

impl InstantiateOptions {
    /// Reads options as a script or a tool gives them. `rotation` is three numbers in degrees or a quaternion of four;
    /// `scale` is three numbers, or one for all. What is none of ours is kept for the type.
    ///
    /// # Errors
    /// [`BadOption`] names the first that does not fit; NaN and infinity do not.
    pub fn from_value(value: &Value) -> std::result::Result<Self, BadOption> {
        let mut options = Self::default();
        let bad = |name: &str, expected: &str, value: &Value| BadOption {
            name: name.to_owned(),
            message: format!("is {expected}, and {value} is here"),
        };
        let entries = match value {
            Value::Null => return Ok(options),
            Value::Object(entries) => entries,
            other => return Err(bad("options", "a mapping", other)),
        };
        for (name, value) in entries {
            match name.as_str() {
                "position" => {
                    options.position = Some(numbers(value).ok_or_else(|| bad(name, "three numbers", value))?);
                }
                "rotation" => {
                    let degrees = numbers(value).map(Rotation::Degrees);
                    let rotation = degrees.or_else(|| numbers(value).map(Rotation::Quaternion));
                    let expected = "three numbers in degrees or a quaternion of four";
                    options.rotation = Some(rotation.ok_or_else(|| bad(name, expected, value))?);
                }
                "scale" => {
                    let all = numbers(&Value::Array(vec![value.clone()])).map(|[one]: [f32; 1]| [one; 3]);
                    let scale = numbers(value).or(all);
                    options.scale = Some(scale.ok_or_else(|| bad(name, "three numbers or one", value))?);
                }
                "name" => {
                    let text = value.as_str().ok_or_else(|| bad(name, "a text", value))?;
                    options.name = Some(text.to_owned());
                }
                "temporary" => {
                    options.temporary = value.as_bool().ok_or_else(|| bad(name, "true or false", value))?;
                }
                _ => {
                    options.more.insert(name.clone(), value.clone());
                }
            }
        }
        Ok(options)
    }
}

fn numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let items = value.as_array().filter(|items| items.len() == N)?;
    let read: Vec<f32> = items
        .iter()
        .filter_map(|item| Some(item.as_f64()? as f32))
        .filter(|number| number.is_finite())
        .collect();
    read.try_into().ok()
}
