//! How a canvas lies in its entity's space.

use crate::error::{Error, Result};
use glam::Vec3;
use std::fmt;
use std::str::FromStr;

/// The plane that a canvas lies in, in the space of its entity (right-handed, Y up, metres). The canvas's centre is
/// the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Plane {
    /// Upright, seen from +Z: columns run along +X, rows down along -Y.
    #[default]
    Xy,
    /// On the ground, seen from above: columns run along +X, rows along +Z.
    Xz,
    /// Upright, seen from +X: columns run along -Z, rows down along -Y.
    Yz,
}

impl Plane {
    /// The direction in which columns count up.
    #[must_use]
    pub fn right(self) -> Vec3 {
        match self {
            Self::Xy | Self::Xz => Vec3::X,
            Self::Yz => Vec3::NEG_Z,
        }
    }

    /// The direction in which rows count up: down in the picture.
    #[must_use]
    pub fn down(self) -> Vec3 {
        match self {
            Self::Xy | Self::Yz => Vec3::NEG_Y,
            Self::Xz => Vec3::Z,
        }
    }

    /// The direction that the picture faces.
    #[must_use]
    pub fn normal(self) -> Vec3 {
        match self {
            Self::Xy => Vec3::Z,
            Self::Xz => Vec3::Y,
            Self::Yz => Vec3::X,
        }
    }

    /// `xy`, `xz` or `yz`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Xy => "xy",
            Self::Xz => "xz",
            Self::Yz => "yz",
        }
    }
}

impl fmt::Display for Plane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Plane {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "xy" => Ok(Self::Xy),
            "xz" => Ok(Self::Xz),
            "yz" => Ok(Self::Yz),
            _ => Err(Error::range("plane", "xy, xz or yz", format!("{text:?}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_faces_its_normal_and_a_plane_reads_back() {
        for plane in [Plane::Xy, Plane::Xz, Plane::Yz] {
            assert_eq!(plane.right().cross(-plane.down()), plane.normal(), "{plane}");
            assert_eq!(plane.to_string().parse::<Plane>().unwrap(), plane);
        }
        assert!("zx".parse::<Plane>().is_err());
    }
}
