//! Who names which radius: the configuration, a layer, a source, and how the three make one pair of bands.

use crate::rule::{Band, CONTENT, FAR, check_cell_size};
use crate::{Error, Result};
use glam::Vec3;
use std::fmt::Display;

/// A far field that follows starts at this multiple of the unload radius.
pub const PROXY_FOLLOWS: f32 = 3.0;
/// A proxy unload radius that follows is this multiple of the proxy radius.
pub const PROXY_BAND: f32 = 1.25;

/// What holds for the whole world. Its fields are those of a `StreamingSource` component.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", default, deny_unknown_fields))]
pub struct Config {
    /// The edge of a cell in world units, 2^-10 to 2^20. Cells are square columns on the ground plane.
    pub cell_size: f32,
    /// Up to this distance from its nearest edge, a cell is made resident.
    pub load_radius: f32,
    /// Past this distance a resident cell is released. It exceeds the load radius.
    pub unload_radius: f32,
    /// Up to this distance a released cell is drawn as its proxy. 0 follows the unload radius ([`PROXY_FOLLOWS`]); a
    /// number of its own exceeds it.
    pub proxy_radius: f32,
    /// Past this distance the proxy goes too. 0 follows the proxy radius ([`PROXY_BAND`]); a number of its own exceeds
    /// it.
    pub proxy_unload_radius: f32,
    /// The entity records that one frame may spend on loading and releasing, proxies included; at least 1. A move begins
    /// while any is left, and a group moves in one piece, so that a step may overshoot by one group.
    pub budget: u32,
}

impl Default for Config {
    /// Cells of 64, loaded at 120, released at 180, a far field that follows, 32 records a frame.
    fn default() -> Self {
        Self {
            cell_size: 64.0,
            load_radius: 120.0,
            unload_radius: 180.0,
            proxy_radius: 0.0,
            proxy_unload_radius: 0.0,
            budget: 32,
        }
    }
}

impl Config {
    /// These radii, as a source's or a layer's own.
    pub fn radii(&self) -> Radii {
        Radii {
            load: Some(self.load_radius),
            unload: Some(self.unload_radius),
            proxy: Some(self.proxy_radius),
            proxy_unload: Some(self.proxy_unload_radius),
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        check_cell_size(self.cell_size)?;
        if self.budget == 0 {
            return Err(Error::value("budget", "at least 1 record a frame", 0));
        }
        Reach::resolve(self, &Radii::default(), &Radii::default(), &"the configuration").map(|_| ())
    }
}

/// The radii that a layer or a source names for itself. `None` leaves one to the scope outside: a source's to its layer,
/// a layer's to the configuration.
///
/// A proxy radius of 0 follows the unload radius, whatever the scopes outside pin. A scope that names an unload radius
/// and no proxy radius gets a far field measured from its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", default, deny_unknown_fields))]
pub struct Radii {
    /// See [`Config::load_radius`].
    #[cfg_attr(
        feature = "serde",
        serde(rename = "loadRadius", skip_serializing_if = "Option::is_none")
    )]
    pub load: Option<f32>,
    /// See [`Config::unload_radius`].
    #[cfg_attr(
        feature = "serde",
        serde(rename = "unloadRadius", skip_serializing_if = "Option::is_none")
    )]
    pub unload: Option<f32>,
    /// See [`Config::proxy_radius`].
    #[cfg_attr(
        feature = "serde",
        serde(rename = "proxyRadius", skip_serializing_if = "Option::is_none")
    )]
    pub proxy: Option<f32>,
    /// See [`Config::proxy_unload_radius`].
    #[cfg_attr(
        feature = "serde",
        serde(rename = "proxyUnloadRadius", skip_serializing_if = "Option::is_none")
    )]
    pub proxy_unload: Option<f32>,
}

/// A named part of the world that is switched on and off as one and may have radii of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Layer {
    /// The content of a layer that is off is released, and it holds no proxy.
    pub enabled: bool,
    /// Its own radii.
    pub radii: Radii,
}

impl Default for Layer {
    /// On, with no radius of its own.
    fn default() -> Self {
        Self {
            enabled: true,
            radii: Radii::default(),
        }
    }
}

/// What the world streams around: the player, a chase camera, a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Source {
    /// Where it is, in world units. The height does not enter.
    pub position: Vec3,
    /// Its own radii.
    #[cfg_attr(feature = "serde", serde(default))]
    pub radii: Radii,
}

impl Source {
    /// A source with no radius of its own.
    pub const fn at(position: Vec3) -> Self {
        let radii = Radii {
            load: None,
            unload: None,
            proxy: None,
            proxy_unload: None,
        };
        Self { position, radii }
    }

    /// The same source with these radii.
    pub const fn with_radii(self, radii: Radii) -> Self {
        Self {
            position: self.position,
            radii,
        }
    }
}

/// The two bands that one source has over one layer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Reach {
    /// Content is resident up to here.
    pub load: f32,
    /// Content is released past here.
    pub unload: f32,
    /// Proxies are drawn up to here.
    pub proxy: f32,
    /// Proxies go past here.
    pub proxy_unload: f32,
}

impl Reach {
    /// Its own, else its layer's, else the configuration's; and every pair checked.
    pub(crate) fn resolve(config: &Config, layer: &Radii, source: &Radii, scope: &dyn Display) -> Result<Self> {
        let whole = config.radii();
        // From the inside out.
        let scopes = [source, layer, &whole];
        let first = |named: fn(&Radii) -> Option<f32>| scopes.iter().find_map(|scope| named(scope)).unwrap_or(0.0);
        let content = Band::new(scope, CONTENT, first(|r| r.load), first(|r| r.unload))?;

        // The innermost scope that says anything that the far field is measured from decides where it starts.
        let proxy = scopes
            .iter()
            .find_map(|scope| scope.proxy.or(scope.unload.map(|_| 0.0)))
            .filter(|pin| *pin != 0.0)
            .unwrap_or(content.outer * PROXY_FOLLOWS);
        Band::new(scope, [CONTENT[1], FAR[0]], content.outer, proxy)?;
        let proxy_unload = scopes
            .iter()
            .find_map(|scope| scope.proxy_unload.or(scope.proxy.or(scope.unload).map(|_| 0.0)))
            .filter(|pin| *pin != 0.0)
            .unwrap_or(proxy * PROXY_BAND);
        Band::new(scope, FAR, proxy, proxy_unload)?;
        Ok(Self {
            load: content.inner,
            unload: content.outer,
            proxy,
            proxy_unload,
        })
    }

    pub(crate) fn content(&self) -> Band {
        Band {
            inner: self.load,
            outer: self.unload,
        }
    }

    pub(crate) fn far(&self) -> Band {
        Band {
            inner: self.proxy,
            outer: self.proxy_unload,
        }
    }
}
