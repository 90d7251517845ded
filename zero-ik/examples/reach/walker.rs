//! On the right: a walk made for flat ground, taken over hills by grounding, with a look at what flies by.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};
use zero_ik::{
    Body, Bone, Chain, ChainRole, Driver, Hit, IkRig, Placement, Pose, Ray, Rig, RigTargets, Role, Transform,
    TwoBoneParams, two_bone,
};

use crate::canvas::{Canvas, rgb};

/// What the character walks in a loop, in metres: two strides.
const LAP_M: f32 = 2.4;

pub(crate) struct Walker {
    rig: Rig,
    pose: Pose,
    driver: Driver<IkRig>,
    legs: [Chain; 2],
}

/// The ground's height along the way; it comes round with the loop.
fn hill(z: f32) -> f32 {
    let turn = z / LAP_M * TAU;
    0.13 * turn.sin() + 0.045 * (2.0 * turn + 0.9).sin()
}

fn slope(z: f32) -> f32 {
    (hill(z + 0.005) - hill(z - 0.005)) / 0.01
}

fn skeleton() -> zero_ik::Result<Rig> {
    let mut bones: Vec<Bone> = Vec::new();
    let mut add = |role: Role, parent: Option<Role>, offset: [f32; 3]| {
        let parent = parent.and_then(|parent| bones.iter().position(|bone| bone.role == Some(parent)));
        bones.push(Bone::new(role.name(), parent, Transform::at(Vec3::from_array(offset))).with_role(role));
    };
    add(Role::Hips, None, [0.0, 0.93, 0.0]);
    add(Role::Spine, Some(Role::Hips), [0.0, 0.12, 0.0]);
    add(Role::Spine1, Some(Role::Spine), [0.0, 0.17, 0.0]);
    add(Role::Neck, Some(Role::Spine1), [0.0, 0.24, 0.0]);
    add(Role::Head, Some(Role::Neck), [0.0, 0.1, 0.02]);
    let left = [
        Role::LeftArm,
        Role::LeftForeArm,
        Role::LeftHand,
        Role::LeftUpLeg,
        Role::LeftLeg,
        Role::LeftFoot,
        Role::LeftToeBase,
    ];
    let right = [
        Role::RightArm,
        Role::RightForeArm,
        Role::RightHand,
        Role::RightUpLeg,
        Role::RightLeg,
        Role::RightFoot,
        Role::RightToeBase,
    ];
    for (side, [arm, fore, hand, thigh, shin, foot, toes]) in [(1.0, left), (-1.0, right)] {
        add(arm, Some(Role::Spine1), [0.2 * side, 0.2, 0.0]);
        add(fore, Some(arm), [0.0, -0.29, 0.0]);
        add(hand, Some(fore), [0.0, -0.26, 0.0]);
        add(thigh, Some(Role::Hips), [0.1 * side, -0.03, 0.0]);
        add(shin, Some(thigh), [0.0, -0.43, 0.0]);
        add(foot, Some(shin), [0.0, -0.4, 0.0]);
        add(toes, Some(foot), [0.0, -0.045, 0.17]);
    }
    Rig::new(bones)
}

impl Walker {
    pub(crate) fn new() -> zero_ik::Result<Self> {
        let rig = skeleton()?;
        let params = IkRig {
            grounding: true,
            grounding_half_life: 0.03,
            look_body_weight: 0.35,
            ..IkRig::default()
        };
        let legs = [rig.chain_of(ChainRole::LeftLeg)?, rig.chain_of(ChainRole::RightLeg)?];
        Ok(Self {
            pose: rig.rest_pose(),
            driver: Driver::new(params),
            legs,
            rig,
        })
    }

    /// One frame; `phase` runs from 0 to 1 over the loop, `dt_secs` is the time since the last.
    pub(crate) fn frame(&mut self, phase: f32, dt_secs: f32, canvas: &mut Canvas) -> zero_ik::Result<()> {
        self.walk_on_flat_ground(phase);
        let z = phase * LAP_M;
        let placement = Placement {
            translation: Vec3::new(0.0, hill(z), z),
            ..Placement::IDENTITY
        };
        let firefly = Vec3::new(
            0.25,
            1.55 + 0.35 * (phase * TAU).sin(),
            z + 0.75 + 0.35 * (phase * TAU).cos(),
        );
        let mut probe = |ray: Ray| {
            let y = hill(ray.origin.z);
            let normal = Vec3::new(0.0, 1.0, -slope(ray.origin.z));
            (ray.origin.y >= y && ray.origin.y - ray.length <= y).then(|| Hit {
                point: Vec3::new(ray.origin.x, y, ray.origin.z),
                normal,
            })
        };
        let mut body = Body {
            rig: Some(&self.rig),
            placement,
            pose: &mut self.pose,
        };
        let targets = RigTargets {
            look: Some(firefly),
            ..RigTargets::default()
        };
        self.driver.solve(&mut body, &targets, dt_secs, &mut probe);
        self.draw(canvas, &placement, firefly);
        Ok(())
    }

    /// The animation: feet that stand for half a stride and swing for the other, arms against the legs.
    fn walk_on_flat_ground(&mut self, phase: f32) {
        self.pose = self.rig.rest_pose();
        let stride = 2.0 * phase;
        let bob = 0.018 * (2.0 * stride * TAU).cos();
        self.set(Role::Hips, |bone| bone.translation.y += bob - 0.035);
        self.set(Role::Spine, |bone| bone.rotation = Quat::from_rotation_x(0.07));
        let mut feet = Vec::new();
        for (leg, offset) in self.legs.iter_mut().zip([0.0, 0.5]) {
            let step = (stride + offset).fract();
            let (forward, up) = if step < 0.5 {
                (0.3 - 1.2 * step, 0.0)
            } else {
                let swing = (step - 0.5) * 2.0;
                (
                    -0.3 + 0.6 * swing * swing * (3.0 - 2.0 * swing),
                    0.11 * (swing * TAU / 2.0).sin(),
                )
            };
            leg.load(&self.rig, &self.pose);
            let side = leg.position(0).unwrap_or_default().x;
            let target = Vec3::new(side, 0.07 + up, forward);
            two_bone(
                leg,
                &TwoBoneParams {
                    target,
                    ..TwoBoneParams::default()
                },
            );
            leg.store(&mut self.pose);
            // The sole stays level: the foot turns back what thigh and shin turned.
            let turned = leg.rotation(2).unwrap_or_default();
            let foot = if offset == 0.0 { Role::LeftFoot } else { Role::RightFoot };
            feet.push((foot, turned.conjugate() * Quat::from_rotation_x(up * 2.5)));
        }
        for (foot, level) in feet {
            self.set(foot, |bone| bone.rotation *= level);
        }
        let swing = 0.55 * (stride * TAU).cos();
        for (arm, fore, turn) in [
            (Role::LeftArm, Role::LeftForeArm, swing),
            (Role::RightArm, Role::RightForeArm, -swing),
        ] {
            self.set(arm, |bone| bone.rotation = Quat::from_rotation_x(turn));
            self.set(fore, |bone| {
                bone.rotation = Quat::from_rotation_x(-0.45 - 0.3 * turn.abs())
            });
        }
    }

    fn set(&mut self, role: Role, change: impl FnOnce(&mut Transform)) {
        if let Some(transform) = self.rig.role(role).and_then(|bone| self.pose.get_mut(bone)) {
            change(transform);
        }
    }

    fn draw(&self, canvas: &mut Canvas, placement: &Placement, firefly: Vec3) {
        let here = placement.translation.z;
        let (left, middle, metre) = (330.0, 470.0, 108.0);
        // Seen from the side, a little turned so that the far limbs stand apart.
        let height = canvas.height();
        let at = |world: Vec3| {
            let (across, along) = (world.x, world.z - here);
            Vec2::new(
                middle + (along * 0.96 - across * 0.28) * metre,
                height - 52.0 - (world.y - across * 0.05) * metre,
            )
        };
        let heights = |shift: f32| -> Vec<f32> {
            let along = |x: f32| (x + 0.5 + left - middle) / (0.96 * metre);
            (0..310)
                .map(|x| height - 52.0 - hill(here + along(x as f32)) * metre + shift)
                .collect()
        };
        canvas.ground(left as u32, &heights(0.0), rgb(0x0030_4a3f));
        canvas.ground(left as u32, &heights(5.0), rgb(0x0024_3832));
        let mut places = Vec::new();
        self.pose.model_space(&self.rig, &mut places);
        let place = |role: Role| {
            let bone = self.rig.role(role).map_or(0, |bone| bone.0);
            at(placement.model_to_world(places[bone].0))
        };
        let limb = |canvas: &mut Canvas, roles: &[Role], widths: &[f32], colour: Vec3| {
            for (pair, width) in roles.windows(2).zip(widths.windows(2)) {
                canvas.stroke(place(pair[0]), place(pair[1]), (width[0], width[1]), colour);
            }
        };
        let (near, far, trunk) = (rgb(0x00ff_c86b), rgb(0x00a8_6f3f), rgb(0x00e8_a24e));
        let leg = [8.5, 6.5, 4.5, 3.5];
        limb(
            canvas,
            &[Role::LeftArm, Role::LeftForeArm, Role::LeftHand],
            &[6.0, 5.0, 4.0],
            far,
        );
        limb(
            canvas,
            &[Role::LeftUpLeg, Role::LeftLeg, Role::LeftFoot, Role::LeftToeBase],
            &leg,
            far,
        );
        limb(
            canvas,
            &[Role::Hips, Role::Spine, Role::Spine1, Role::Neck, Role::Head],
            &[10.0, 10.0, 12.0, 6.0, 5.0],
            trunk,
        );
        self.draw_head(canvas, &places, placement, &at);
        limb(
            canvas,
            &[Role::RightUpLeg, Role::RightLeg, Role::RightFoot, Role::RightToeBase],
            &leg,
            near,
        );
        limb(
            canvas,
            &[Role::RightArm, Role::RightForeArm, Role::RightHand],
            &[6.0, 5.0, 4.0],
            near,
        );
        canvas.ring(at(firefly), 8.0, 2.0, rgb(0x006f_7f3a));
        canvas.disc(at(firefly), 4.0, rgb(0x00f4_ff8a));
    }

    /// The head, with a nose so that one sees where it looks.
    fn draw_head(
        &self,
        canvas: &mut Canvas,
        places: &[(Vec3, Quat)],
        placement: &Placement,
        at: &impl Fn(Vec3) -> Vec2,
    ) {
        let Some((origin, turn)) = self.rig.role(Role::Head).map(|head| places[head.0]) else {
            return;
        };
        let point = |local: Vec3| at(placement.model_to_world(origin + turn * local));
        canvas.disc(point(Vec3::Y * 0.1), 15.0, rgb(0x00ff_c86b));
        canvas.stroke(
            point(Vec3::new(0.0, 0.09, 0.1)),
            point(Vec3::new(0.0, 0.08, 0.17)),
            (5.0, 2.5),
            rgb(0x00ff_c86b),
        );
        canvas.disc(point(Vec3::new(-0.05, 0.14, 0.08)), 2.2, rgb(0x0012_1826));
    }
}
