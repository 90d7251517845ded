//! What a graph takes from outside: inputs that move without a build, and plain values that the build itself reads.

use super::Graph;
use super::socket::{Color, Float, Geo, Int, Quat, Raster, Socket, UInt, Vec2, Vec3, Vec4};
use super::wire::{InputId, Type, Wire};
use crate::error::{Error, Result, Site};
use crate::value;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A value for an input of a graph.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputValue {
    /// For a Float input.
    Float(f32),
    /// For an Int input; a Float input takes it too.
    Int(i32),
    /// For a UInt input.
    UInt(u32),
    /// For a Vec2 input.
    Vec2([f32; 2]),
    /// For a Vec3 input; a Color input takes it too, opaque.
    Vec3([f32; 3]),
    /// For a Vec4 input; a Color or a Quat input takes it too.
    Vec4([f32; 4]),
    /// For a Quat input: x, y, z, w of length 1.
    Quat([f32; 4]),
    /// For a Color input: red, green, blue and alpha, linear.
    Color([f32; 4]),
    /// For a plain truth.
    Bool(bool),
    /// For a plain text.
    Text(String),
    /// For a Geometry input.
    Geometry(value::Geometry),
    /// For a Raster input.
    Raster(value::Raster),
}

impl InputValue {
    /// What it is, for errors.
    pub fn describe(&self) -> String {
        match self {
            InputValue::Float(value) => format!("the Float {value}"),
            InputValue::Int(value) => format!("the Int {value}"),
            InputValue::UInt(value) => format!("the UInt {value}"),
            InputValue::Vec2(value) => format!("the Vec2 {value:?}"),
            InputValue::Vec3(value) => format!("the Vec3 {value:?}"),
            InputValue::Vec4(value) => format!("the Vec4 {value:?}"),
            InputValue::Quat(value) => format!("the Quat {value:?}"),
            InputValue::Color(value) => format!("the Color {value:?}"),
            InputValue::Bool(value) => format!("the Bool {value}"),
            InputValue::Text(value) => format!("the text {value:?}"),
            InputValue::Geometry(_) => "a Geometry".to_owned(),
            InputValue::Raster(_) => "a Raster".to_owned(),
        }
    }

    /// The constant it is, where it is a number or a truth.
    pub(crate) fn constant(&self) -> Option<Wire> {
        Some(match self {
            InputValue::Float(value) => Wire::Float(*value),
            InputValue::Int(value) => Wire::Int(*value),
            InputValue::UInt(value) => Wire::UInt(*value),
            InputValue::Bool(value) => Wire::Bool(*value),
            InputValue::Vec2(value) => Wire::Vec2(*value),
            InputValue::Vec3(value) => Wire::Vec3(*value),
            InputValue::Vec4(value) => Wire::Vec4(*value),
            InputValue::Quat(value) => Wire::Quat(*value),
            InputValue::Color(value) => Wire::Color(*value),
            InputValue::Text(_) | InputValue::Geometry(_) | InputValue::Raster(_) => return None,
        })
    }

    /// The same value as the type holds it, where it can: whole numbers widen to floats, four numbers are a Vec4, a
    /// Quat or a Color, three an opaque Color.
    pub(crate) fn held_as(&self, ty: Type) -> Option<InputValue> {
        Some(match (ty, self) {
            (Type::Float, InputValue::Int(whole)) => InputValue::Float(*whole as f32),
            (Type::Float, InputValue::UInt(whole)) => InputValue::Float(*whole as f32),
            (Type::UInt, InputValue::Int(whole)) => InputValue::UInt(u32::try_from(*whole).ok()?),
            (Type::Int, InputValue::UInt(whole)) => InputValue::Int(i32::try_from(*whole).ok()?),
            (Type::Quat, InputValue::Vec4(lanes)) => InputValue::Quat(*lanes),
            (Type::Color, InputValue::Vec4(lanes)) => InputValue::Color(*lanes),
            (Type::Color, InputValue::Vec3([r, g, b])) => InputValue::Color([*r, *g, *b, 1.0]),
            (Type::Geometry, InputValue::Geometry(_)) | (Type::Raster, InputValue::Raster(_)) => self.clone(),
            _ if self.constant()?.as_constant()?.0 == ty => self.clone(),
            _ => return None,
        })
    }

    fn is_finite(&self) -> bool {
        self.constant()
            .and_then(Wire::numbers)
            .is_none_or(|lanes| lanes.iter().all(|lane| lane.is_finite()))
    }
}

macro_rules! input_values {
    ($($from:ty => |$value:ident| $to:expr;)*) => {$(
        impl From<$from> for InputValue {
            fn from($value: $from) -> InputValue {
                $to
            }
        }
    )*};
}
input_values! {
    f32 => |v| InputValue::Float(v);
    // A literal such as 6.0 is an f64 where nothing else says its type.
    f64 => |v| InputValue::Float(v as f32);
    i32 => |v| InputValue::Int(v);
    bool => |v| InputValue::Bool(v);
    u32 => |v| InputValue::UInt(v);
    [f32; 2] => |v| InputValue::Vec2(v);
    glam::Vec2 => |v| InputValue::Vec2(v.to_array());
    [f32; 3] => |v| InputValue::Vec3(v);
    glam::Vec3 => |v| InputValue::Vec3(v.to_array());
    [f32; 4] => |v| InputValue::Vec4(v);
    glam::Vec4 => |v| InputValue::Vec4(v.to_array());
    glam::Quat => |v| InputValue::Quat(v.to_array());
    &str => |v| InputValue::Text(v.to_owned());
    String => |v| InputValue::Text(v);
    value::Geometry => |v| InputValue::Geometry(v);
    value::Raster => |v| InputValue::Raster(v);
}

/// Values for a graph's inputs, by name. [`crate::inputs!`] makes one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs(pub(crate) BTreeMap<String, InputValue>);

impl Inputs {
    /// Gives an input a value.
    pub fn set(&mut self, name: &str, value: impl Into<InputValue>) -> &mut Inputs {
        self.0.insert(name.to_owned(), value.into());
        self
    }
    /// The value given to an input.
    pub fn get(&self, name: &str) -> Option<&InputValue> {
        self.0.get(name)
    }
}

/// Values for a graph's inputs: `inputs! { roughness: 6.0, storeys: 7 }`.
#[macro_export]
macro_rules! inputs {
    ($($name:ident: $value:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "an empty list writes nothing")]
        let mut inputs = $crate::Inputs::default();
        $(inputs.set(stringify!($name), $value);)*
        inputs
    }};
}

/// How far from 1 the length of a rotation may be that a person gives: what four rounded decimals can be off.
const UNIT_TOLERANCE: f64 = 1e-3;

/// An input as the graph declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct InputDecl {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub ty: Type,
    /// What it is where nothing is given; an input without one is required.
    pub default: Option<InputValue>,
    /// The numbers it takes, both ends included.
    pub range: Option<(f64, f64)>,
    /// What it is for.
    pub description: String,
    /// The line that declared it first.
    pub site: Site,
}

impl InputDecl {
    /// The value as this input holds it, or why it can't hold it.
    pub(crate) fn accept(&self, graph: &str, value: &InputValue) -> Result<InputValue> {
        let refuse = |expected: String| Error::Input {
            graph: graph.to_owned(),
            input: self.name.clone(),
            expected,
            found: value.describe(),
        };
        let Some(held) = value.held_as(self.ty) else {
            return Err(refuse(format!("a {}", self.ty.name())));
        };
        if !held.is_finite() {
            return Err(refuse("finite numbers".to_owned()));
        }
        if let InputValue::Quat(lanes) = held {
            let length = lanes
                .iter()
                .map(|lane| f64::from(*lane) * f64::from(*lane))
                .sum::<f64>()
                .sqrt();
            if (length - 1.0).abs() > UNIT_TOLERANCE {
                return Err(refuse("a quaternion of length 1".to_owned()));
            }
        }
        if let Some((low, high)) = self.range {
            let inside = match held {
                InputValue::Float(number) => (low..=high).contains(&f64::from(number)),
                InputValue::Int(number) => (low..=high).contains(&f64::from(number)),
                InputValue::UInt(number) => (low..=high).contains(&f64::from(number)),
                _ => true,
            };
            if !inside {
                return Err(refuse(format!("a number from {low} to {high}")));
            }
        }
        Ok(held)
    }
}

/// A plain value as the build read it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainDecl {
    /// Its name.
    pub name: String,
    /// What it is where nothing is given.
    pub default: InputValue,
    /// What this build was made with.
    pub value: InputValue,
    /// The line that declared it first.
    pub site: Site,
}

impl PlainDecl {
    /// Whether a build reads the value as it reads the default.
    pub(crate) fn accepts(&self, value: &InputValue) -> bool {
        let widens = matches!((&self.default, value), (InputValue::Float(_), InputValue::Int(_)));
        widens || std::mem::discriminant(&self.default) == std::mem::discriminant(value)
    }
}

/// The plain values a build is made for.
pub(crate) type PlainValues = BTreeMap<String, InputValue>;

/// A type whose values a build can read: they choose the graph's structure.
pub trait Plain: Clone + Into<InputValue> {
    /// The name errors use.
    const NAME: &'static str;
    /// Read back from an input's value.
    fn read(value: &InputValue) -> Option<Self>;
}

macro_rules! plains {
    ($($ty:ty as $name:literal: $($pattern:pat => $value:expr),+;)*) => {$(
        impl Plain for $ty {
            const NAME: &'static str = $name;
            fn read(value: &InputValue) -> Option<Self> {
                match value {
                    $($pattern => Some($value),)+
                    _ => None,
                }
            }
        }
    )*};
}
plains! {
    i32 as "Int": InputValue::Int(value) => *value;
    u32 as "UInt": InputValue::UInt(value) => *value;
    f32 as "Float": InputValue::Float(value) => *value, InputValue::Int(value) => *value as f32;
    bool as "Bool": InputValue::Bool(value) => *value;
    String as "String": InputValue::Text(value) => value.clone();
}

impl Graph {
    /// A number from outside. It moves without a build; give it bounds with [`Float::range`].
    #[track_caller]
    pub fn float(&self, name: &str, default: f32) -> Float<'_> {
        self.declare(name, Some(InputValue::Float(default)))
    }

    /// A whole number from outside.
    #[track_caller]
    pub fn int(&self, name: &str, default: i32) -> Int<'_> {
        self.declare(name, Some(InputValue::Int(default)))
    }

    /// A vector from outside.
    #[track_caller]
    pub fn vec3(&self, name: &str, default: impl Into<[f32; 3]>) -> Vec3<'_> {
        self.declare(name, Some(InputValue::Vec3(default.into())))
    }

    /// A whole number from 0 on, from outside.
    #[track_caller]
    pub fn uint(&self, name: &str, default: u32) -> UInt<'_> {
        self.declare(name, Some(InputValue::UInt(default)))
    }

    /// Two numbers from outside.
    #[track_caller]
    pub fn vec2(&self, name: &str, default: impl Into<[f32; 2]>) -> Vec2<'_> {
        self.declare(name, Some(InputValue::Vec2(default.into())))
    }

    /// Four numbers from outside.
    #[track_caller]
    pub fn vec4(&self, name: &str, default: impl Into<[f32; 4]>) -> Vec4<'_> {
        self.declare(name, Some(InputValue::Vec4(default.into())))
    }

    /// A rotation from outside: a quaternion x, y, z, w of length 1.
    #[track_caller]
    pub fn quat(&self, name: &str, default: impl Into<[f32; 4]>) -> Quat<'_> {
        self.declare(name, Some(InputValue::Quat(default.into())))
    }

    /// A colour from outside: red, green, blue and alpha, linear.
    #[track_caller]
    pub fn color(&self, name: &str, default: impl Into<[f32; 4]>) -> Color<'_> {
        self.declare(name, Some(InputValue::Color(default.into())))
    }

    /// A geometry from outside; a play must be given one.
    #[track_caller]
    pub fn geometry(&self, name: &str) -> Geo<'_> {
        self.declare(name, None)
    }

    /// A raster from outside; a play must be given one.
    #[track_caller]
    pub fn raster(&self, name: &str) -> Raster<'_> {
        self.declare(name, None)
    }

    /// A value that the build itself reads, so that it may choose the graph's structure: loops and conditions over it
    /// are ordinary Rust. The graph is built again for each value it is given.
    #[track_caller]
    pub fn plain<T: Plain>(&self, name: &str, default: T) -> T {
        let given = self.plain.get(name);
        let value = given.and_then(T::read);
        if let (Some(given), None) = (given, &value) {
            let message = format!("plain input '{name}': expected a {}, got {}", T::NAME, given.describe());
            self.refuse(Site::caller(), "input", message);
        }
        let value = value.unwrap_or_else(|| default.clone());
        let decl = PlainDecl {
            name: name.to_owned(),
            default: default.into(),
            value: value.clone().into(),
            site: self.site(Site::caller()),
        };
        let known = self.inner.borrow().plain.iter().find(|held| held.name == name).cloned();
        match known {
            None => self.inner.borrow_mut().plain.push(decl),
            Some(known) if known.default == decl.default => {}
            Some(known) => {
                let message = format!(
                    "plain input '{name}' has two defaults: {}, then {}",
                    known.default.describe(),
                    decl.default.describe()
                );
                self.refuse(Site::caller(), "input", message);
            }
        }
        value
    }

    #[track_caller]
    fn declare<'g, S: Socket<'g>>(&'g self, name: &str, default: Option<InputValue>) -> S {
        let site = Site::caller();
        if default.as_ref().is_some_and(|value| !value.is_finite()) {
            self.refuse(site, "input", format!("'{name}': the default must be finite"));
        }
        let decl = InputDecl {
            name: name.to_owned(),
            ty: S::TYPE,
            default,
            range: None,
            description: String::new(),
            site,
        };
        let known = self.inner.borrow().inputs.iter().position(|held| held.name == name);
        let id = match known {
            None => {
                let mut inner = self.inner.borrow_mut();
                inner.inputs.push(decl);
                inner.inputs.len() - 1
            }
            Some(index) => {
                let held = self.inner.borrow().inputs[index].clone();
                if held.ty != decl.ty || held.default != decl.default {
                    let said = |decl: &InputDecl| {
                        decl.default
                            .as_ref()
                            .map_or_else(|| format!("a {}", decl.ty.name()), InputValue::describe)
                    };
                    let message = format!("'{name}' is {} at {} and {} here", said(&held), held.site, said(&decl));
                    self.refuse(site, "input", message);
                }
                index
            }
        };
        S::from_wire(self, Wire::Input(InputId(id as u32)))
    }

    fn amend(&self, wire: Wire, site: Site, change: impl FnOnce(&mut InputDecl) -> std::result::Result<(), String>) {
        let Wire::Input(id) = wire else {
            return self.refuse(site, "input", "only an input takes a range or a description".to_owned());
        };
        let answer = change(&mut self.inner.borrow_mut().inputs[id.index()]);
        if let Err(message) = answer {
            self.refuse(site, "input", message);
        }
    }
}

fn restrict(decl: &mut InputDecl, low: f64, high: f64) -> std::result::Result<(), String> {
    if low.is_nan() || high.is_nan() || low > high {
        return Err(format!("'{}': the range {low} to {high} is empty", decl.name));
    }
    if decl.range.is_some_and(|held| held != (low, high)) {
        return Err(format!("'{}' has two ranges", decl.name));
    }
    decl.range = Some((low, high));
    match &decl.default {
        Some(default) => decl.accept("", default).map(drop).map_err(|_| {
            format!(
                "'{}': the default, {}, is outside {low} to {high}",
                decl.name,
                default.describe()
            )
        }),
        None => Ok(()),
    }
}

impl Graph {
    /// The numbers that the input behind a wire takes, both ends included.
    #[track_caller]
    pub(crate) fn restrict_input(&self, wire: Wire, low: f64, high: f64) {
        self.amend(wire, Site::caller(), |decl| restrict(decl, low, high));
    }

    /// What the input behind a wire is for.
    #[track_caller]
    pub(crate) fn describe_input(&self, wire: Wire, text: &str) {
        self.amend(wire, Site::caller(), |decl| {
            if !decl.description.is_empty() && decl.description != text {
                return Err(format!("'{}' has two descriptions", decl.name));
            }
            decl.description = text.to_owned();
            Ok(())
        });
    }
}

macro_rules! ranged {
    ($($socket:ident of $number:ty;)*) => {$(
        impl<'g> $socket<'g> {
            /// The numbers this input takes, both ends included; any other is refused where it is given.
            #[track_caller]
            pub fn range(self, range: RangeInclusive<$number>) -> $socket<'g> {
                if let Some(graph) = self.graph() {
                    graph.restrict_input(self.wire(), (*range.start()).into(), (*range.end()).into());
                }
                self
            }
        }
    )*};
}
ranged! {
    Float of f32;
    Int of i32;
    UInt of u32;
}

macro_rules! described {
    ($($socket:ident)*) => {$(
        impl<'g> $socket<'g> {
            /// What this input is for.
            #[track_caller]
            pub fn describe(self, text: &str) -> $socket<'g> {
                if let Some(graph) = self.graph() {
                    graph.describe_input(self.wire(), text);
                }
                self
            }
        }
    )*};
}
described!(Float Int UInt Vec2 Vec3 Vec4 Quat Color Geo Raster);
