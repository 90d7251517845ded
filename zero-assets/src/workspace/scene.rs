//! Putting assets into a scene.

use zero_vfs::VfsPath;

use super::Workspace;
use super::settings::hook_error;
use crate::error::{Error, Result};
use crate::scene::{EntityId, Instance, InstantiateOptions, SceneHost};

impl Workspace {
    /// Whether an asset can be put into a scene: whether its type's behaviour says how.
    ///
    /// # Errors
    /// [`Error::NoAsset`].
    pub fn can_instantiate(&self, path: &VfsPath) -> Result<bool> {
        let attached = self.behavior_of(self.asset(path)?);
        Ok(attached.is_some_and(|attached| attached.behavior.instantiable().is_some()))
    }

    /// Puts an asset into the host's scene: under `target`, or at the top. What comes back is the same for every type: a
    /// root that is live now, and the entity of each part that has one.
    ///
    /// # Errors
    /// [`Error::NotInstantiable`]; [`Error::Hook`]; [`Error::NotLive`] where the type returned a root that is not there,
    /// or a part that is none.
    pub fn instantiate(
        &self,
        path: &VfsPath,
        host: &mut dyn SceneHost,
        target: Option<EntityId>,
        options: &InstantiateOptions,
    ) -> Result<Instance> {
        let asset = self.asset(path)?;
        let attached = self.behavior_of(asset);
        let not = || Error::NotInstantiable {
            asset: asset.path.clone(),
            kind: asset.kind.clone(),
        };
        let attached = attached.as_ref().ok_or_else(not)?;
        let instantiable = attached.behavior.instantiable().ok_or_else(not)?;
        let made = instantiable.instantiate(&self.context(asset, attached), host, target, options);
        let instance = made.map_err(|source| hook_error(asset, "instantiate", source))?;
        let not_live = |part: Option<&String>| Error::NotLive {
            asset: asset.path.clone(),
            kind: asset.kind.clone(),
            part: part.cloned(),
        };
        if !host.is_live(instance.root) {
            return Err(not_live(None));
        }
        match instance.id_map.iter().find(|(_, entity)| !host.is_live(**entity)) {
            Some((part, _)) => Err(not_live(Some(part))),
            None => Ok(instance),
        }
    }
}
