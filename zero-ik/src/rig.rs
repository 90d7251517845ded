use std::collections::HashMap;

use glam::Vec3;

use crate::role::join;
use crate::{Chain, ChainRole, Error, Limit, Pose, Result, Role, Transform};

/// A bone of a [`Rig`]: its place in the rig's list, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct BoneId(pub usize);

/// What a rig is made of.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", deny_unknown_fields))]
pub struct Bone {
    /// The bone's name; no two bones of a rig share one.
    pub name: String,
    /// The bone it hangs from, counted from 0; none for a bone that hangs from the model itself.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parent: Option<usize>,
    /// Where it stands at rest, relative to its parent.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rest: Transform,
    /// What it is on a humanoid.
    #[cfg_attr(feature = "serde", serde(default))]
    pub role: Option<Role>,
    /// How far solvers may turn it from rest.
    #[cfg_attr(feature = "serde", serde(default))]
    pub limit: Option<Limit>,
}

impl Bone {
    /// A bone without role or limit.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: Option<usize>, rest: Transform) -> Self {
        Self {
            name: name.into(),
            parent,
            rest,
            role: None,
            limit: None,
        }
    }

    /// The same in a role.
    #[must_use]
    pub fn with_role(self, role: Role) -> Self {
        Self {
            role: Some(role),
            ..self
        }
    }

    /// The same with a limit.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Self {
            limit: Some(limit),
            ..self
        }
    }
}

/// A skeleton: bones with their parents and rest pose, and which of them fill which role.
///
/// Bones keep the order they are given in, so that a [`Pose`] lies in memory as the host's own does; a parent may come
/// after its child.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Bone>", into = "Vec<Bone>"))]
pub struct Rig {
    bones: Vec<Bone>,
    /// Parents before children.
    order: Vec<usize>,
    roles: [Option<BoneId>; Role::ALL.len()],
    by_name: HashMap<String, usize>,
    fingerprint: u64,
}

impl Rig {
    /// A rig of these bones. Rest rotations are brought to unit length. Where two bones claim one role the first has it.
    ///
    /// # Errors
    /// [`Error::NoBones`], [`Error::DuplicateBone`], [`Error::UnknownParent`], [`Error::ParentCircle`] or
    /// [`Error::BadRest`].
    pub fn new(bones: Vec<Bone>) -> Result<Self> {
        if bones.is_empty() {
            return Err(Error::NoBones);
        }
        let mut by_name = HashMap::with_capacity(bones.len());
        let mut roles = [None; Role::ALL.len()];
        let mut kept = Vec::with_capacity(bones.len());
        let count = bones.len();
        for (index, mut bone) in bones.into_iter().enumerate() {
            if by_name.insert(bone.name.clone(), index).is_some() {
                return Err(Error::DuplicateBone { name: bone.name });
            }
            if let Some(parent) = bone.parent.filter(|parent| *parent >= count) {
                return Err(Error::UnknownParent {
                    name: bone.name,
                    parent,
                    count,
                });
            }
            check_rest(&bone)?;
            bone.rest.rotation = crate::math::wide(bone.rest.rotation).as_quat();
            if let Some(role) = bone.role {
                roles[role as usize].get_or_insert(BoneId(index));
            }
            kept.push(bone);
        }
        let order = parents_first(&kept)?;
        let fingerprint = fingerprint(&kept);
        Ok(Self {
            bones: kept,
            order,
            roles,
            by_name,
            fingerprint,
        })
    }

    /// The same rig with roles given to its bones by their names, where a bone has none and the role is free: see
    /// [`Role::from_bone_name`].
    #[must_use]
    pub fn with_roles_from_names(mut self) -> Self {
        for (index, bone) in self.bones.iter_mut().enumerate() {
            let guess = Role::from_bone_name(&bone.name).filter(|_| bone.role.is_none());
            if let Some(role) = guess.filter(|role| self.roles[*role as usize].is_none()) {
                bone.role = Some(role);
                self.roles[role as usize] = Some(BoneId(index));
            }
        }
        self.fingerprint = fingerprint(&self.bones);
        self
    }

    /// The bones in their order: what the rig actually calls things.
    #[must_use]
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// How many bones there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a rig without bones cannot be made")]
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// The bone of this name.
    ///
    /// # Errors
    /// [`Error::UnknownBone`], with the names there are.
    pub fn bone(&self, name: &str) -> Result<BoneId> {
        self.by_name
            .get(name)
            .map(|index| BoneId(*index))
            .ok_or_else(|| Error::UnknownBone {
                name: name.to_owned(),
                known: join(self.bones.iter().map(|bone| bone.name.as_str())),
            })
    }

    /// The bone in a role.
    #[must_use]
    pub fn role(&self, role: Role) -> Option<BoneId> {
        self.roles[role as usize]
    }

    /// The pose that every limit is measured from.
    #[must_use]
    pub fn rest_pose(&self) -> Pose {
        Pose::from_transforms(self.bones.iter().map(|bone| bone.rest).collect())
    }

    /// The chain from one named bone down to another; the bones between come from the parent links.
    ///
    /// # Errors
    /// [`Error::UnknownBone`] or [`Error::NotDescendant`].
    pub fn chain(&self, root: &str, tip: &str) -> Result<Chain> {
        Chain::between(self, self.bone(root)?, self.bone(tip)?)
    }

    /// The chain of a role.
    ///
    /// # Errors
    /// [`Error::RoleUnfilled`] where the rig fills no such role, [`Error::NotDescendant`] where its bones do not hang
    /// from each other, [`Error::NotBetween`] where a limb's joint does not lie between its ends.
    pub fn chain_of(&self, chain: ChainRole) -> Result<Chain> {
        Chain::of_role(self, chain)
    }

    /// A number that two rigs share only if they are alike: names, parents, rest poses, roles and limits.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Bones by number, parents before children.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(crate) fn get(&self, bone: BoneId) -> Option<&Bone> {
        self.bones.get(bone.0)
    }

    /// A bone's name for a message.
    pub(crate) fn name_of(&self, bone: BoneId) -> String {
        self.get(bone)
            .map_or_else(|| format!("#{}", bone.0), |bone| bone.name.clone())
    }
}

impl TryFrom<Vec<Bone>> for Rig {
    type Error = Error;

    fn try_from(bones: Vec<Bone>) -> Result<Self> {
        Self::new(bones)
    }
}

impl From<Rig> for Vec<Bone> {
    fn from(rig: Rig) -> Self {
        rig.bones
    }
}

fn check_rest(bone: &Bone) -> Result<()> {
    let rest = &bone.rest;
    let bad = |field, value| {
        Err(Error::BadRest {
            name: bone.name.clone(),
            field,
            value,
        })
    };
    if !rest.translation.is_finite() {
        return bad("translation", rest.translation.to_string());
    }
    let zero_turn = rest.rotation.as_dquat().length() < 1e-30;
    if !rest.rotation.is_finite() || zero_turn {
        return bad("rotation", rest.rotation.to_string());
    }
    if !rest.scale.is_finite() {
        return bad("scale", rest.scale.to_string());
    }
    Ok(())
}

/// Every bone once, each after its parent.
fn parents_first(bones: &[Bone]) -> Result<Vec<usize>> {
    let mut order = Vec::with_capacity(bones.len());
    let mut placed = vec![false; bones.len()];
    let mut path = Vec::new();
    for start in 0..bones.len() {
        let mut next = Some(start);
        while let Some(bone) = next.filter(|bone| !placed[*bone]) {
            // A path longer than there are bones has come round.
            if path.len() > bones.len() {
                return Err(Error::ParentCircle {
                    name: bones[bone].name.clone(),
                });
            }
            path.push(bone);
            next = bones[bone].parent;
        }
        while let Some(bone) = path.pop() {
            if !std::mem::replace(&mut placed[bone], true) {
                order.push(bone);
            }
        }
    }
    Ok(order)
}

/// FNV-1a, 64 bits, over everything that a resolved chain depends on.
fn fingerprint(bones: &[Bone]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let bits = |v: Vec3| v.to_array().map(f32::to_bits);
    for bone in bones {
        eat(bone.name.as_bytes());
        eat(&[0, bone.role.map_or(u8::MAX, |role| role as u8)]);
        eat(&bone.parent.map_or(u64::MAX, |parent| parent as u64).to_le_bytes());
        let numbers = [bits(bone.rest.translation), bits(bone.rest.scale)].concat();
        for number in numbers
            .into_iter()
            .chain(bone.rest.rotation.to_array().map(f32::to_bits))
        {
            eat(&number.to_le_bytes());
        }
        if let Some(limit) = &bone.limit {
            for number in limit.numbers() {
                eat(&number.to_bits().to_le_bytes());
            }
        }
    }
    hash
}
