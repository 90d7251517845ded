//! A world: what is in it, and its steps.

use crate::body::{Body, Surface};
use crate::error::{Error, Result, vector, within};
use crate::ground::HeightGrid;
use crate::ground_ray::GroundShape;
use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderHandle, PhysicsWorld, RigidBodyHandle};
use std::collections::BTreeMap;

/// Metres from the origin that things may be put at. There f32 still tells places 8 mm apart.
pub const MAX_PLACE_M: f32 = 100_000.0;

const STEPS_SECS: [f32; 2] = [1e-4, 1.0];
const MAX_SUB_STEPS: u32 = 1000;
const MAX_GRAVITY_M_S2: f32 = 1000.0;

/// What a world is made with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldOptions {
    /// The acceleration of gravity, m/s², up to 1000 an axis.
    pub gravity_m_s2: Vec3,
    /// What one step takes, in seconds, 0.0001 to 1. It is always the same: a host that draws at another rate makes as
    /// many steps as its time holds.
    pub step_secs: f32,
    /// Into how many equal parts a step is cut, 1 to 1000, each solved like a step: steadier, and as many times as dear.
    pub sub_steps: u32,
}

impl Default for WorldOptions {
    /// Earth's gravity, 60 steps a second, 2 parts each.
    fn default() -> Self {
        WorldOptions {
            gravity_m_s2: Vec3::new(0.0, -9.81, 0.0),
            step_secs: 1.0 / 60.0,
            sub_steps: 2,
        }
    }
}

/// A body of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId(pub(crate) RigidBodyHandle);

impl BodyId {
    /// rapier's handle of the body.
    pub fn handle(self) -> RigidBodyHandle {
        self.0
    }

    pub(crate) fn name(self) -> String {
        let (index, generation) = self.0.into_raw_parts();
        format!("body {index}.{generation}")
    }
}

/// A piece of ground of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroundId(pub(crate) ColliderHandle);

impl GroundId {
    /// rapier's handle of the ground's collider.
    pub fn handle(self) -> ColliderHandle {
        self.0
    }

    pub(crate) fn name(self) -> String {
        let (index, generation) = self.0.into_raw_parts();
        format!("ground {index}.{generation}")
    }
}

/// How a body is at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Where its centre is, in metres.
    pub pos_world: Vec3,
    /// How it is turned.
    pub rotation: Quat,
    /// How fast its centre moves, m/s.
    pub velocity_m_s: Vec3,
    /// How fast it turns about each axis of the world, rad/s.
    pub spin_rad_s: Vec3,
    /// Whether it sleeps: it was slower than 0.05 m/s at every point for half a second, and costs nothing until it is touched.
    pub asleep: bool,
}

/// Bodies and ground under gravity, in steps of fixed length.
///
/// Same options, same calls in the same order, same bits after any number of steps; with the feature
/// `enhanced-determinism`, on every machine. Queries take `&self` and change nothing of that.
pub struct World {
    options: WorldOptions,
    physics: PhysicsWorld,
    /// The pieces of ground by the parts of their handles, as rays see them.
    grounds: BTreeMap<(u32, u32), GroundShape>,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("options", &self.options)
            .field("bodies", &self.physics.bodies.len())
            .field("colliders", &self.physics.colliders.len())
            .finish()
    }
}

impl World {
    /// A world with nothing in it.
    ///
    /// # Errors
    /// [`Error::Value`] names the first option that is out of range or NaN.
    pub fn new(options: WorldOptions) -> Result<World> {
        let WorldOptions {
            gravity_m_s2,
            step_secs,
            sub_steps,
        } = options;
        vector("the world's gravity", gravity_m_s2, MAX_GRAVITY_M_S2, "m/s²")?;
        within("the world's step", step_secs, STEPS_SECS, "s")?;
        if !(1..=MAX_SUB_STEPS).contains(&sub_steps) {
            return Err(Error::value(
                "the world's sub-steps",
                format!("1 to {MAX_SUB_STEPS}"),
                sub_steps,
            ));
        }
        let mut physics = PhysicsWorld {
            gravity: gravity_m_s2,
            ..PhysicsWorld::default()
        };
        physics.integration_parameters.dt = step_secs / sub_steps as f32;
        Ok(World {
            options,
            physics,
            grounds: BTreeMap::new(),
        })
    }

    /// What the world was made with.
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// Puts ground into the world, which never moves. The heights are copied, at 5 bytes a sample.
    ///
    /// # Errors
    /// As [`HeightGrid::check`], and [`Error::Value`] for a surface that is out of range.
    pub fn add_ground(&mut self, grid: &HeightGrid<'_>, surface: Surface) -> Result<GroundId> {
        grid.check()?;
        surface.check("the ground")?;
        let handle = self.physics.insert_collider(surface.onto(grid.collider()), None);
        self.show(handle);
        self.grounds.insert(handle.into_raw_parts(), GroundShape::of(grid));
        Ok(GroundId(handle))
    }

    /// Takes ground away, and wakes what lay on it.
    ///
    /// # Errors
    /// [`Error::Missing`] where it is not in this world.
    pub fn remove_ground(&mut self, ground: GroundId) -> Result<()> {
        if self.grounds.remove(&ground.0.into_raw_parts()).is_none() {
            return Err(Error::Missing { what: ground.name() });
        }
        self.wake_around(ground.0);
        self.physics.remove_collider(ground.0);
        Ok(())
    }

    /// Puts a body into the world.
    ///
    /// # Errors
    /// As [`Body::check`].
    pub fn add_body(&mut self, body: &Body) -> Result<BodyId> {
        body.check()?;
        let (rigid_body, collider) = body.build();
        let (handle, collider) = self.physics.insert(rigid_body, collider);
        self.show(collider);
        Ok(BodyId(handle))
    }

    /// Takes a body away, and wakes what lay on it.
    ///
    /// # Errors
    /// [`Error::Missing`] where it is not in this world.
    pub fn remove_body(&mut self, body: BodyId) -> Result<()> {
        let Some(found) = self.physics.bodies.get(body.0) else {
            return Err(Error::Missing { what: body.name() });
        };
        for collider in found.colliders().to_vec() {
            self.wake_around(collider);
        }
        self.physics.remove_body(body.0);
        Ok(())
    }

    /// How a body is.
    ///
    /// # Errors
    /// [`Error::Missing`] where it is not in this world.
    pub fn body(&self, body: BodyId) -> Result<BodyState> {
        let Some(found) = self.physics.bodies.get(body.0) else {
            return Err(Error::Missing { what: body.name() });
        };
        Ok(BodyState {
            pos_world: found.translation(),
            rotation: *found.rotation(),
            velocity_m_s: found.linvel(),
            spin_rad_s: found.angvel(),
            asleep: found.is_sleeping(),
        })
    }

    /// Lets one step of time pass.
    ///
    /// # Errors
    /// [`Error::NotFinite`] names the first body whose place or velocity was or became no number, which a host can bring
    /// about through [`rapier_mut`](Self::rapier_mut) only. The step is finished; the body is switched off.
    pub fn step(&mut self) -> Result<()> {
        let mut wrong = None;
        for _ in 0..self.options.sub_steps {
            self.physics.step();
            let quarantine = self.physics.quarantine();
            let body = quarantine.bodies().first().map(|handle| BodyId(*handle).name());
            let collider = quarantine.colliders().first().map(|handle| GroundId(*handle).name());
            wrong = wrong.or(body).or(collider);
        }
        match wrong {
            Some(what) => Err(Error::NotFinite { what }),
            None => Ok(()),
        }
    }

    /// The world of rapier beneath, for what this crate does not say.
    pub fn rapier(&self) -> &PhysicsWorld {
        &self.physics
    }

    /// The world of rapier beneath, to change. What is put into it is seen by queries from the next step on; ground that is
    /// moved is seen where it was. A step goes on to be `sub_steps` of rapier's own, of the length that `integration_parameters` say.
    pub fn rapier_mut(&mut self) -> &mut PhysicsWorld {
        &mut self.physics
    }

    pub(crate) fn grounds(&self) -> &BTreeMap<(u32, u32), GroundShape> {
        &self.grounds
    }

    /// Wakes the bodies that touch a collider. rapier lets what sleeps float on when what it lay on goes.
    fn wake_around(&mut self, collider: ColliderHandle) {
        let pairs = self.physics.narrow_phase.contact_pairs_with(collider);
        let touching: Vec<RigidBodyHandle> = pairs
            .flat_map(|pair| [pair.collider1, pair.collider2])
            .filter(|other| *other != collider)
            .filter_map(|other| self.physics.colliders.get(other)?.parent())
            .collect();
        for body in touching {
            self.physics.wake_up(body, true);
        }
    }

    /// Queries go through the broad phase, which learns of a new collider at the next step: it is told now.
    fn show(&mut self, handle: ColliderHandle) {
        let PhysicsWorld {
            integration_parameters,
            broad_phase,
            bodies,
            colliders,
            ..
        } = &mut self.physics;
        if let Some(collider) = colliders.get(handle) {
            let bounds = collider.compute_broad_phase_aabb(integration_parameters, bodies);
            broad_phase.set_aabb(integration_parameters, handle, bounds);
        }
    }
}
