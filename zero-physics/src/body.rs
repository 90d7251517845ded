//! What a body is made of.

use crate::error::{Error, Result, vector, within};
use crate::world::MAX_PLACE_M;
use glam::{Quat, Vec3};
use rapier3d::prelude::{ColliderBuilder, Pose, RigidBodyBuilder};

/// The half sides and radii that bodies take, in metres.
const HALF_SIDES_M: [f32; 2] = [1e-3, 1e3];
const DENSITIES_KG_M3: [f32; 2] = [1e-2, 1e5];
const MAX_SPEED_M_S: f32 = 1e3;
const MAX_SPIN_RAD_S: f32 = 1e3;
const MAX_DAMPING_1_S: f32 = 1e3;
const MAX_FRICTION: f32 = 10.0;

/// The shape of a body, around its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A ball.
    Ball {
        /// Its radius in metres, 0.001 to 1000.
        radius_m: f32,
    },
    /// A box.
    Cuboid {
        /// Half its sides in metres, 0.001 to 1000 each.
        half_m: Vec3,
    },
}

/// How two surfaces meet. Where two touch, rapier takes the mean of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// The coefficient of friction, 0 to 10: a box stays on a slope up to the arctangent of it.
    pub friction: f32,
    /// How much of the speed of a collision comes back, 0 to 1.
    pub restitution: f32,
}

impl Default for Surface {
    /// Friction 0.5 (wood on wood) and no bounce.
    fn default() -> Self {
        Surface {
            friction: 0.5,
            restitution: 0.0,
        }
    }
}

impl Surface {
    pub(crate) fn check(&self, whose: &str) -> Result<()> {
        within(&format!("{whose}'s friction"), self.friction, [0.0, MAX_FRICTION], "")?;
        within(&format!("{whose}'s restitution"), self.restitution, [0.0, 1.0], "")
    }

    pub(crate) fn onto(&self, collider: ColliderBuilder) -> ColliderBuilder {
        collider.friction(self.friction).restitution(self.restitution)
    }
}

/// A body that moves, as it is when it enters a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its shape, around its centre of mass.
    pub shape: Shape,
    /// Where its centre is, in metres, within [`MAX_PLACE_M`] of 0.
    pub pos_world: Vec3,
    /// How it is turned; brought to length 1.
    pub rotation: Quat,
    /// How fast its centre moves, up to 1000 m/s an axis.
    pub velocity_m_s: Vec3,
    /// How fast it turns about each axis of the world, up to 1000 rad/s.
    pub spin_rad_s: Vec3,
    /// Its density, 0.01 to 100 000 kg/m³.
    pub density_kg_m3: f32,
    /// Its surface.
    pub surface: Surface,
    /// The share of its speed that it loses, 1/s, 0 to 1000.
    pub linear_damping_1_s: f32,
    /// The share of its spin that it loses, 1/s, 0 to 1000. A ball needs some to come to rest: nothing else slows its roll.
    pub angular_damping_1_s: f32,
}

impl Body {
    /// A ball at rest, as dense as water. It loses half its spin in a second, so that its roll ends.
    pub fn ball(radius_m: f32, pos_world: Vec3) -> Body {
        Body {
            angular_damping_1_s: std::f32::consts::LN_2,
            ..Body::at_rest(Shape::Ball { radius_m }, pos_world)
        }
    }

    /// A box of these sides at rest, upright, as dense as water.
    pub fn cuboid(sides_m: Vec3, pos_world: Vec3) -> Body {
        Body::at_rest(Shape::Cuboid { half_m: 0.5 * sides_m }, pos_world)
    }

    fn at_rest(shape: Shape, pos_world: Vec3) -> Body {
        Body {
            shape,
            pos_world,
            rotation: Quat::IDENTITY,
            velocity_m_s: Vec3::ZERO,
            spin_rad_s: Vec3::ZERO,
            density_kg_m3: 1000.0,
            surface: Surface::default(),
            linear_damping_1_s: 0.0,
            angular_damping_1_s: 0.0,
        }
    }

    /// Whether the body can be.
    ///
    /// # Errors
    /// [`Error::Value`] names the first number that is out of range or NaN.
    pub fn check(&self) -> Result<()> {
        match self.shape {
            Shape::Ball { radius_m } => within("the ball's radius", radius_m, HALF_SIDES_M, "m")?,
            Shape::Cuboid { half_m } => {
                for (axis, half) in ["x", "y", "z"].into_iter().zip(half_m.to_array()) {
                    within(&format!("half the box's side along {axis}"), half, HALF_SIDES_M, "m")?;
                }
            }
        }
        vector("the body's place", self.pos_world, MAX_PLACE_M, "m")?;
        vector("the body's velocity", self.velocity_m_s, MAX_SPEED_M_S, "m/s")?;
        vector("the body's spin", self.spin_rad_s, MAX_SPIN_RAD_S, "rad/s")?;
        // Also false for NaN. What is far from 1 was no rotation, and its square may overflow.
        if !(0.5..=2.0).contains(&self.rotation.length_squared()) {
            let expected = "a quaternion of length 1";
            return Err(Error::value("the body's rotation", expected, self.rotation));
        }
        within("the body's density", self.density_kg_m3, DENSITIES_KG_M3, "kg/m³")?;
        let dampings = [
            ("linear", self.linear_damping_1_s),
            ("angular", self.angular_damping_1_s),
        ];
        for (name, damping) in dampings {
            within(
                &format!("the body's {name} damping"),
                damping,
                [0.0, MAX_DAMPING_1_S],
                "1/s",
            )?;
        }
        self.surface.check("the body")
    }

    /// The body and its collider, of a description that was checked.
    pub(crate) fn build(&self) -> (RigidBodyBuilder, ColliderBuilder) {
        let collider = match self.shape {
            Shape::Ball { radius_m } => ColliderBuilder::ball(radius_m),
            Shape::Cuboid { half_m } => ColliderBuilder::cuboid(half_m.x, half_m.y, half_m.z),
        };
        let body = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(self.pos_world, self.rotation.normalize()))
            .linvel(self.velocity_m_s)
            .angvel(self.spin_rad_s)
            .linear_damping(self.linear_damping_1_s)
            .angular_damping(self.angular_damping_1_s);
        (body, self.surface.onto(collider).density(self.density_kg_m3))
    }
}
