//! `bindings.yaml` as it is written, before what it says is checked. Numbers and names are read as the texts that they
//! are, each with its place.

use serde::Deserialize;
use zero_yaml::At;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFile {
    pub(super) version: At<u32>,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) determinism: Option<At<RawDeterminism>>,
    #[serde(default)]
    pub(super) bindings: Vec<RawBinding>,
    #[serde(default)]
    pub(super) params: Vec<RawParam>,
    #[serde(default)]
    pub(super) specialize: Vec<RawChoice>,
    #[serde(default)]
    pub(super) fusion: Option<At<RawFusion>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFusion {
    pub(super) writes: At<String>,
    #[serde(default)]
    pub(super) own: Option<At<String>>,
    #[serde(default)]
    pub(super) inert: Option<At<String>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawDeterminism {
    Exact,
    Pointwise(u32),
    FloatOrder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBinding {
    pub(super) name: At<String>,
    #[serde(default)]
    pub(super) kind: Option<RawKind>,
    #[serde(default)]
    pub(super) access: Option<At<RawAccess>>,
    #[serde(default)]
    pub(super) element: Option<At<String>>,
    #[serde(default)]
    pub(super) lanes: Option<At<String>>,
    #[serde(default)]
    pub(super) count: Option<At<String>>,
    #[serde(default)]
    pub(super) capacity: Option<At<String>>,
    #[serde(default)]
    pub(super) order: Option<At<String>>,
    #[serde(default)]
    pub(super) when: Option<At<String>>,
    #[serde(default)]
    pub(super) atomic: Option<At<bool>>,
    #[serde(default)]
    #[expect(dead_code, reason = "a description is for who reads the file")]
    description: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawKind {
    Buffer,
    Columns,
    Append,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawAccess {
    Read,
    Write,
    ReadWrite,
    Append,
    Scratch,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawParam {
    pub(super) name: At<String>,
    #[serde(rename = "type")]
    pub(super) kind: RawNumber,
    #[serde(default)]
    pub(super) default: Option<At<String>>,
    #[serde(default)]
    #[expect(dead_code, reason = "a description is for who reads the file")]
    description: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawNumber {
    #[serde(alias = "f32")]
    Float,
    #[serde(alias = "i32")]
    Int,
    #[serde(alias = "u32")]
    Uint,
    Bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawChoice {
    pub(super) name: At<String>,
    #[serde(default)]
    pub(super) options: Option<At<Vec<At<String>>>>,
    #[serde(default)]
    pub(super) default: Option<At<String>>,
    #[serde(default)]
    #[expect(dead_code, reason = "a description is for who reads the file")]
    description: Option<String>,
}
