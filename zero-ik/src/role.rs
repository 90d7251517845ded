use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// What a bone is on a humanoid, so that one setup works on any such rig.
///
/// The vocabulary is that of the engine's files, and not the anatomical word: an upper arm is `leftarm` and the forearm
/// `leftforearm`, an upper leg is `leftupleg` and the shin `leftleg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[repr(u8)]
pub enum Role {
    /// The pelvis: what every limb hangs from.
    Hips,
    /// The lowest bone of the back.
    Spine,
    /// The middle of the back.
    Spine1,
    /// The chest.
    Spine2,
    /// The neck.
    Neck,
    /// The head.
    Head,
    /// The left collarbone.
    LeftShoulder,
    /// The left upper arm.
    LeftArm,
    /// The left forearm.
    LeftForeArm,
    /// The left hand.
    LeftHand,
    /// The right collarbone.
    RightShoulder,
    /// The right upper arm.
    RightArm,
    /// The right forearm.
    RightForeArm,
    /// The right hand.
    RightHand,
    /// The left upper leg.
    LeftUpLeg,
    /// The left shin.
    LeftLeg,
    /// The left foot; its origin is the ankle.
    LeftFoot,
    /// The left ball of the foot.
    LeftToeBase,
    /// The right upper leg.
    RightUpLeg,
    /// The right shin.
    RightLeg,
    /// The right foot; its origin is the ankle.
    RightFoot,
    /// The right ball of the foot.
    RightToeBase,
}

impl Role {
    /// Every role, in the order of the enum.
    pub const ALL: [Self; 22] = [
        Self::Hips,
        Self::Spine,
        Self::Spine1,
        Self::Spine2,
        Self::Neck,
        Self::Head,
        Self::LeftShoulder,
        Self::LeftArm,
        Self::LeftForeArm,
        Self::LeftHand,
        Self::RightShoulder,
        Self::RightArm,
        Self::RightForeArm,
        Self::RightHand,
        Self::LeftUpLeg,
        Self::LeftLeg,
        Self::LeftFoot,
        Self::LeftToeBase,
        Self::RightUpLeg,
        Self::RightLeg,
        Self::RightFoot,
        Self::RightToeBase,
    ];

    /// The role's name in files: `leftforearm`, for one.
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 22] = [
            "hips",
            "spine",
            "spine1",
            "spine2",
            "neck",
            "head",
            "leftshoulder",
            "leftarm",
            "leftforearm",
            "lefthand",
            "rightshoulder",
            "rightarm",
            "rightforearm",
            "righthand",
            "leftupleg",
            "leftleg",
            "leftfoot",
            "lefttoebase",
            "rightupleg",
            "rightleg",
            "rightfoot",
            "righttoebase",
        ];
        NAMES[self as usize]
    }

    /// The role that a bone of this name usually has, or nothing.
    ///
    /// Knows three conventions, whatever their case and with or without a prefix that ends in `:` (as in
    /// `mixamorig:LeftArm`): this vocabulary itself, side first with the anatomical words (`leftUpperArm`, `chest`), and
    /// side last (`upperarm_l`, `thigh_r`, `spine_01`, `pelvis`). A name that only resembles one, such as that of a twist
    /// bone, is nothing.
    ///
    /// ```
    /// use zero_ik::Role;
    /// for name in ["leftforearm", "mixamorig:LeftForeArm", "leftLowerArm", "lowerarm_l"] {
    ///     assert_eq!(Role::from_bone_name(name), Some(Role::LeftForeArm));
    /// }
    /// assert_eq!(Role::from_bone_name("lowerarm_twist_01_l"), None);
    /// ```
    #[must_use]
    pub fn from_bone_name(name: &str) -> Option<Self> {
        let tail = name.rsplit(':').next().unwrap_or(name);
        let plain: String = tail
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let last_is_side = tail.len() >= 2 && matches!(tail.as_bytes()[tail.len() - 2], b'_' | b'.' | b'-' | b' ');
        let (side, part) = match (plain.strip_prefix("left"), plain.strip_prefix("right")) {
            (Some(part), _) => (Some(Side::Left), part),
            (_, Some(part)) => (Some(Side::Right), part),
            _ if last_is_side => match plain.split_at(plain.len().saturating_sub(1)) {
                (part, "l") => (Some(Side::Left), part),
                (part, "r") => (Some(Side::Right), part),
                _ => (None, plain.as_str()),
            },
            _ => (None, plain.as_str()),
        };
        side.map_or_else(|| middle(part), |side| paired(side, part))
    }
}

enum Side {
    Left,
    Right,
}

/// Bones that there are one of. `spine_01` counts from 1 where `spine1` follows `spine`.
fn middle(part: &str) -> Option<Role> {
    Some(match part {
        "hips" | "hip" | "pelvis" => Role::Hips,
        "spine" | "spine01" => Role::Spine,
        "spine1" | "spine02" | "chest" => Role::Spine1,
        "spine2" | "spine03" | "upperchest" => Role::Spine2,
        "neck" | "neck01" => Role::Neck,
        "head" => Role::Head,
        _ => return None,
    })
}

/// Bones that there are two of.
fn paired(side: Side, part: &str) -> Option<Role> {
    let (left, right) = match part {
        "shoulder" | "clavicle" => (Role::LeftShoulder, Role::RightShoulder),
        "arm" | "upperarm" => (Role::LeftArm, Role::RightArm),
        "forearm" | "lowerarm" => (Role::LeftForeArm, Role::RightForeArm),
        "hand" => (Role::LeftHand, Role::RightHand),
        "upleg" | "upperleg" | "thigh" => (Role::LeftUpLeg, Role::RightUpLeg),
        "leg" | "lowerleg" | "calf" | "shin" => (Role::LeftLeg, Role::RightLeg),
        "foot" => (Role::LeftFoot, Role::RightFoot),
        "toebase" | "toes" | "toe" | "ball" => (Role::LeftToeBase, Role::RightToeBase),
        _ => return None,
    };
    Some(match side {
        Side::Left => left,
        Side::Right => right,
    })
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Role {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|role| role.name() == name)
            .ok_or_else(|| Error::UnknownName {
                kind: "role",
                name: name.to_owned(),
                known: join(Self::ALL.into_iter().map(Self::name)),
            })
    }
}

/// A run of bones on a humanoid that a solver can be given by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum ChainRole {
    /// Upper arm to hand, bending at the forearm: `leftarm`, `leftforearm`, `lefthand`.
    LeftArm,
    /// Upper arm to hand, bending at the forearm: `rightarm`, `rightforearm`, `righthand`.
    RightArm,
    /// Upper leg to foot, bending at the shin: `leftupleg`, `leftleg`, `leftfoot`.
    LeftLeg,
    /// Upper leg to foot, bending at the shin: `rightupleg`, `rightleg`, `rightfoot`.
    RightLeg,
    /// From the lowest bone of the back or the neck that the rig has up to the head.
    Spine,
}

impl ChainRole {
    /// Every chain, in the order of the enum.
    pub const ALL: [Self; 5] = [
        Self::LeftArm,
        Self::RightArm,
        Self::LeftLeg,
        Self::RightLeg,
        Self::Spine,
    ];

    /// The chain's name in files: that of the role it begins with on an arm, `leftleg` and `rightleg` for a leg, and
    /// `spine`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LeftArm => "leftarm",
            Self::RightArm => "rightarm",
            Self::LeftLeg => "leftleg",
            Self::RightLeg => "rightleg",
            Self::Spine => "spine",
        }
    }

    /// A limb's root, joint and tip; nothing for the spine, which has no one joint.
    #[must_use]
    pub fn limb(self) -> Option<[Role; 3]> {
        Some(match self {
            Self::LeftArm => [Role::LeftArm, Role::LeftForeArm, Role::LeftHand],
            Self::RightArm => [Role::RightArm, Role::RightForeArm, Role::RightHand],
            Self::LeftLeg => [Role::LeftUpLeg, Role::LeftLeg, Role::LeftFoot],
            Self::RightLeg => [Role::RightUpLeg, Role::RightLeg, Role::RightFoot],
            Self::Spine => return None,
        })
    }
}

impl fmt::Display for ChainRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ChainRole {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|chain| chain.name() == name)
            .ok_or_else(|| Error::UnknownName {
                kind: "chain role",
                name: name.to_owned(),
                known: join(Self::ALL.into_iter().map(Self::name)),
            })
    }
}

/// Names in a row, for a message.
pub(crate) fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut row = String::new();
    for name in names {
        if !row.is_empty() {
            row.push_str(", ");
        }
        row.push_str(name);
    }
    row
}
