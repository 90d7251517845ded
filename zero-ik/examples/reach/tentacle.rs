//! On the left: a chain of eleven bones that reaches for what flies about it, and stretches when that is too far.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};
use zero_ik::{Bone, Chain, IterateParams, Limit, Pose, Rig, Status, Transform, fabrik};

use crate::canvas::{Canvas, rgb};

const BONES: usize = 11;

pub(crate) struct Tentacle {
    rig: Rig,
    pose: Pose,
    chain: Chain,
}

impl Tentacle {
    pub(crate) fn new() -> zero_ik::Result<Self> {
        let mut bones = Vec::new();
        for index in 0..BONES {
            let offset = if index == 0 {
                Vec3::ZERO
            } else {
                Vec3::Y * (0.25 - 0.012 * index as f32)
            };
            let rest = Transform::at(offset).turned(Quat::from_rotation_z(if index > 0 { 0.08 } else { -0.3 }));
            let bone = Bone::new(format!("b{index}"), index.checked_sub(1), rest);
            bones.push(bone.with_limit(Limit::cone(Vec3::Y, 55.0, 20.0)?));
        }
        let rig = Rig::new(bones)?;
        let chain = rig.chain("b0", &format!("b{}", BONES - 1))?;
        Ok(Self {
            pose: rig.rest_pose(),
            rig,
            chain,
        })
    }

    /// One frame; `phase` runs from 0 to 1 over the loop.
    pub(crate) fn frame(&mut self, phase: f32, canvas: &mut Canvas) {
        let target = path(phase);
        // From the last frame's pose: what a tentacle did is where it goes on from.
        self.chain.load(&self.rig, &self.pose);
        let solve = fabrik(
            &mut self.chain,
            &IterateParams {
                target,
                iterations: 24,
                ..IterateParams::default()
            },
        );
        self.chain.store(&mut self.pose);
        self.draw(canvas, phase, solve.status == Status::OnTarget);
    }

    fn draw(&self, canvas: &mut Canvas, phase: f32, on_target: bool) {
        let height = canvas.height();
        let at = |point: Vec3| Vec2::new(160.0 + point.x * 100.0, height - 24.0 - point.y * 100.0);
        for dot in 0..48 {
            canvas.disc(at(path(dot as f32 / 48.0)), 1.0, rgb(0x0034_4560));
        }
        canvas.stroke(
            at(Vec3::new(-0.45, -0.1, 0.0)),
            at(Vec3::new(0.45, -0.1, 0.0)),
            (4.0, 4.0),
            rgb(0x002b_3a55),
        );
        let (root, tip) = (rgb(0x0022_8f9c), rgb(0x00d6_f26a));
        let width = |index: usize| 11.0 - 0.85 * index as f32;
        let places: Vec<Vec2> = (0..BONES)
            .filter_map(|index| self.chain.position(index))
            .map(at)
            .collect();
        for (index, pair) in places.windows(2).enumerate() {
            let colour = root.lerp(tip, index as f32 / (BONES - 2) as f32);
            canvas.stroke(pair[0], pair[1], (width(index), width(index + 1)), colour);
        }
        for (index, place) in places.iter().enumerate() {
            canvas.disc(*place, width(index) * 0.42, rgb(0x0012_2a38));
        }
        let target = at(path(phase));
        let colour = if on_target { rgb(0x00ff_b454) } else { rgb(0x00ff_5d5d) };
        canvas.ring(target, 9.0, 2.5, colour);
        canvas.disc(target, 3.0, colour);
    }
}

/// Where the target flies: a loop that leaves the chain's reach at its upper right.
fn path(phase: f32) -> Vec3 {
    let (slow, fast) = ((phase * TAU).sin_cos(), (2.0 * phase * TAU).sin());
    Vec3::new(1.05 * slow.0 + 0.1, 1.05 + 0.55 * fast + 0.22 * slow.0, 0.0)
}
