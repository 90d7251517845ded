//! What a ray meets.

use crate::error::{Error, Result, vector, within};
use crate::world::{BodyId, MAX_PLACE_M, World};
use glam::Vec3;
use rapier3d::prelude::{Collider, ColliderHandle, QueryFilter, Ray};

/// Where a ray meets something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The place, in metres.
    pub pos_world: Vec3,
    /// The unit normal of what was met, on the side that the ray came from; 0 where the ray began inside a body.
    pub normal: Vec3,
    /// Metres from the ray's origin.
    pub distance_m: f32,
    /// The body that was met; `None` for ground.
    pub body: Option<BodyId>,
    /// rapier's handle of what was met.
    pub collider: ColliderHandle,
}

impl World {
    /// The first thing on a ray, within `reach_m` metres of its origin. The direction need not have length 1.
    ///
    /// Ground is met from above and from below, and has no cracks: a ray through a sample, or along the edge of a triangle,
    /// meets it (rapier's own rays slip through some of those). A ray that begins exactly on it counts as above: it meets the
    /// ground at 0 where it goes beneath, and not where it leaves upwards. Costs a walk down a tree of the bodies, a look at
    /// each piece of ground, and a walk along the cells that lie under the ray.
    ///
    /// # Errors
    /// [`Error::Value`] for an origin further than [`MAX_PLACE_M`] from 0, a direction that is 0 or not finite, a reach that
    /// is not from 0 to ten times that far, and NaN.
    pub fn ray_cast(&self, origin_m: Vec3, direction: Vec3, reach_m: f32) -> Result<Option<Hit>> {
        vector("the ray's origin", origin_m, MAX_PLACE_M, "m")?;
        within("the ray's reach", reach_m, [0.0, 10.0 * MAX_PLACE_M], "m")?;
        let Some(toward) = direction.try_normalize() else {
            let expected = "a finite vector of some length";
            return Err(Error::value("the ray's direction", expected, direction));
        };
        let ray = Ray::new(origin_m, toward);
        let mut nearest = self.other_than_ground(&ray, reach_m);
        for ((index, generation), ground) in self.grounds() {
            let collider = ColliderHandle::from_raw_parts(*index, *generation);
            let Some(shape) = self.rapier().colliders.get(collider) else {
                continue;
            };
            let reach_m = nearest.map_or(reach_m, |hit| hit.distance_m);
            let met = shape
                .shape()
                .as_heightfield()
                .and_then(|field| ground.meet(field, &ray, reach_m));
            let met = met.filter(|(distance_m, _)| nearest.is_none_or(|hit| *distance_m < hit.distance_m));
            if let Some((distance_m, normal)) = met {
                nearest = Some(Hit {
                    pos_world: ray.point_at(distance_m),
                    normal,
                    distance_m,
                    body: None,
                    collider,
                });
            }
        }
        Ok(nearest)
    }

    /// The first body, or collider of the host's, on a ray.
    fn other_than_ground(&self, ray: &Ray, reach_m: f32) -> Option<Hit> {
        let physics = self.rapier();
        let is_other = |handle: ColliderHandle, _: &Collider| !self.grounds().contains_key(&handle.into_raw_parts());
        let filter = QueryFilter::default().predicate(&is_other);
        let (collider, met) = physics.cast_ray_and_get_normal(ray, reach_m, true, filter)?;
        let inside = met.time_of_impact <= 0.0;
        Some(Hit {
            pos_world: ray.point_at(met.time_of_impact),
            // Inside a ball rapier's is no number.
            normal: if inside { Vec3::ZERO } else { met.normal },
            distance_m: met.time_of_impact,
            body: physics
                .colliders
                .get(collider)
                .and_then(|found| found.parent())
                .map(BodyId),
            collider,
        })
    }
}
