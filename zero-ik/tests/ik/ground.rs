use glam::{Quat, Vec3};
use zero_ik::{
    Body, ChainRole, Driver, Error, Footing, GroundingParams, Hit, IkRig, Placement, Pose, Ray, Rig, RigState,
    RigTargets, Role, Status, clamp_slope, pelvis_drop, smooth,
};

use crate::common::{bits, close};
use crate::rigs::{FILES, import};

/// A plane through a point, as the host's ray cast sees it.
fn plane(point: Vec3, normal: Vec3) -> impl FnMut(Ray) -> Option<Hit> {
    let normal = normal.normalize();
    move |ray| {
        let along = ray.direction.dot(normal);
        let distance = (point - ray.origin).dot(normal) / along;
        let meets = along < -1e-6 && (0.0..=ray.length).contains(&distance);
        meets.then(|| Hit {
            point: ray.origin + ray.direction * distance,
            normal,
        })
    }
}

struct Character {
    rig: Rig,
    driver: Driver<IkRig>,
    pose: Pose,
    placement: Placement,
}

impl Character {
    fn new(file: usize) -> Self {
        let rig = import(FILES[file].1);
        let driver = Driver::new(IkRig {
            grounding: true,
            ..IkRig::default()
        });
        let pose = rig.rest_pose();
        Self {
            rig,
            driver,
            pose,
            placement: Placement::IDENTITY,
        }
    }

    /// One frame from the rest pose.
    fn frame(&mut self, targets: &RigTargets, dt: f32, mut probe: impl FnMut(Ray) -> Option<Hit>) -> RigState {
        self.pose = self.rig.rest_pose();
        let mut body = Body {
            rig: Some(&self.rig),
            placement: self.placement,
            pose: &mut self.pose,
        };
        self.driver.solve(&mut body, targets, dt, &mut probe)
    }

    fn at(&self, role: Role) -> (Vec3, Quat) {
        self.pose.model_of(&self.rig, self.rig.role(role).unwrap()).unwrap()
    }
}

fn none() -> RigTargets {
    RigTargets::default()
}

#[test]
fn smoothing_does_not_depend_on_the_frame_rate() {
    for half_life in [0.01, 0.06, 0.5, 3.0] {
        let run = |rate: u32| (0..rate).fold(0.0, |at, _| smooth(at, 1.0, 1.0 / rate as f32, half_life));
        let expected = 1.0 - 0.5f32.powf(1.0 / half_life);
        for rate in [1, 30, 60, 144, 1000] {
            assert!(
                (run(rate) - expected).abs() < 2e-5,
                "{half_life} at {rate}: {}",
                run(rate)
            );
        }
    }
    assert_eq!(smooth(2.0, 5.0, 0.1, 0.0), 5.0);
    assert_eq!(smooth(2.0, 5.0, 0.0, 0.1), 2.0);
    assert_eq!(smooth(2.0, 5.0, f32::NAN, 0.1), 2.0);
    assert_eq!(smooth(2.0, 5.0, f32::INFINITY, 0.1), 5.0);
}

#[test]
fn a_steep_normal_is_tipped_back_to_the_slope_allowed() {
    let gentle = Vec3::new(0.3, 1.0, 0.1).normalize();
    assert!(close(clamp_slope(gentle, 45.0), gentle, 1e-6));
    for normal in [
        Vec3::new(5.0, 1.0, 2.0),
        Vec3::X,
        Vec3::new(1.0, -3.0, 0.0),
        Vec3::splat(f32::MAX),
    ] {
        let held = clamp_slope(normal, 30.0);
        assert!(
            (held.angle_between(Vec3::Y).to_degrees() - 30.0).abs() < 0.01,
            "{normal}: {held}"
        );
        let side = Vec3::new(normal.x, 0.0, normal.z).normalize_or_zero();
        assert!(
            held.dot(side) > 0.49 || !side.is_normalized(),
            "{normal}: {held} leans to its own side"
        );
    }
    assert_eq!(clamp_slope(Vec3::ZERO, 30.0), Vec3::Y);
    assert_eq!(clamp_slope(Vec3::NEG_Y, 30.0), Vec3::Y);
}

#[test]
fn the_pelvis_drops_by_just_what_a_leg_lacks() {
    let hip = Vec3::new(0.1, 1.0, 0.0);
    for target in [
        Vec3::new(0.1, -0.2, 0.0),
        Vec3::new(0.4, -0.1, 0.3),
        Vec3::new(0.1, 0.4, 0.2),
    ] {
        let drop = pelvis_drop(hip, target, 0.9);
        let left = (hip - Vec3::Y * drop).distance(target);
        assert!(left <= 0.9 + 1e-5);
        assert!(
            drop == 0.0 || (left - 0.9).abs() < 1e-5,
            "no further than it must: {drop}"
        );
    }
    assert_eq!(
        pelvis_drop(hip, Vec3::new(3.0, -1.0, 0.0), 0.9),
        0.0,
        "too far aside to help"
    );
    assert_eq!(pelvis_drop(hip, hip, 0.0), 0.0);
}

#[test]
fn flat_ground_leaves_the_pose_nearly_alone_and_says_it_is_grounded() {
    for file in 0..3 {
        let mut character = Character::new(file);
        let before = character.rig.rest_pose();
        let state = character.frame(&none(), 1.0 / 60.0, plane(Vec3::ZERO, Vec3::Y));
        assert!(state.ready && state.error.is_none());
        assert!(state.pelvis_offset.abs() < 1e-3, "{}", state.pelvis_offset);
        assert!(
            state.limbs[..2]
                .iter()
                .all(|foot| foot.grounded && foot.lift.abs() < 1e-5)
        );
        for (old, new) in before.transforms().iter().zip(character.pose.transforms()) {
            assert!(old.rotation.angle_between(new.rotation) < 0.01);
        }
    }
}

#[test]
fn feet_stand_on_a_slope_with_their_soles_along_it() {
    for file in 0..3 {
        for normal in [
            Vec3::new(0.3, 1.0, 0.0),
            Vec3::new(0.0, 1.0, 0.25),
            Vec3::new(-0.2, 1.0, -0.2),
        ] {
            let mut character = Character::new(file);
            character.frame(&none(), 0.0, |_| None);
            let stood = [Role::LeftFoot, Role::RightFoot].map(|foot| character.at(foot));
            character.driver.reset_footing();
            let state = character.frame(&none(), 1.0 / 60.0, plane(Vec3::ZERO, normal));
            assert!(state.pelvis_offset <= 0.0);
            let up = normal.normalize();
            for (index, foot) in [Role::LeftFoot, Role::RightFoot].into_iter().enumerate() {
                let (position, rotation) = character.at(foot);
                let report = state.limbs[index];
                assert!(report.grounded && report.distance_to_target < 1e-4, "{report:?}");
                // The ankle is as far off the surface as it was off the floor, and turned with it.
                assert!(
                    (position.dot(up) - stood[index].0.y).abs() < 1e-3,
                    "{foot} of {file}: {position}"
                );
                let tilt = rotation * stood[index].1.conjugate();
                assert!(
                    (tilt * Vec3::Y).angle_between(up).to_degrees() < 0.1,
                    "{foot} of {file}"
                );
            }
        }
    }
}

#[test]
fn a_foot_tilts_no_further_than_the_slope_allowed() {
    let mut character = Character::new(0);
    character.driver.params.grounding_max_slope = 12.0;
    let (_, flat) = character.at(Role::LeftFoot);
    character.frame(&none(), 1.0 / 60.0, plane(Vec3::ZERO, Vec3::new(0.5, 1.0, 0.0)));
    let tilt = character.at(Role::LeftFoot).1 * flat.conjugate();
    assert!(((tilt * Vec3::Y).angle_between(Vec3::Y).to_degrees() - 12.0).abs() < 0.05);
}

/// Ground that lies lower under the left foot (x > 0).
fn step(height: f32) -> impl FnMut(Ray) -> Option<Hit> {
    move |ray| {
        let y = if ray.origin.x > 0.0 { height } else { 0.0 };
        let distance = ray.origin.y - y;
        (0.0..=ray.length).contains(&distance).then(|| Hit {
            point: Vec3::new(ray.origin.x, y, ray.origin.z),
            normal: Vec3::Y,
        })
    }
}

#[test]
fn the_pelvis_comes_down_for_the_lower_foot_and_never_goes_up() {
    for file in 0..3 {
        let mut character = Character::new(file);
        let (hips, _) = character.at(Role::Hips);
        let feet = [Role::LeftFoot, Role::RightFoot].map(|foot| character.at(foot).0);
        let state = character.frame(&none(), 1.0 / 60.0, step(-0.25));
        assert!((-0.26..-0.2).contains(&state.pelvis_offset), "{}", state.pelvis_offset);
        assert!((character.at(Role::Hips).0.y - hips.y - state.pelvis_offset).abs() < 1e-5);
        assert!(close(character.at(Role::LeftFoot).0, feet[0] - Vec3::Y * 0.25, 1e-4));
        assert!(
            close(character.at(Role::RightFoot).0, feet[1], 1e-4),
            "the other foot stays where it stood"
        );
        assert!((state.limbs[0].lift + 0.25).abs() < 1e-5);

        character.driver.reset_footing();
        let state = character.frame(&none(), 1.0 / 60.0, step(0.3));
        assert!(
            state.pelvis_offset.abs() < 1e-3,
            "a step up lifts the foot, not the pelvis"
        );
        assert!((character.at(Role::LeftFoot).0.y - feet[0].y - 0.3).abs() < 1e-3);
    }
}

#[test]
fn a_foot_crosses_a_steps_edge_smoothly_whatever_the_frame_rate() {
    let after = |rate: u32| {
        let mut character = Character::new(0);
        character.driver.params.grounding_half_life = 0.1;
        character.frame(&none(), 1.0 / rate as f32, step(0.0));
        let mut lifts = Vec::new();
        for _ in 0..rate / 5 {
            lifts.push(character.frame(&none(), 1.0 / rate as f32, step(-0.2)).limbs[0].lift);
        }
        assert!(
            lifts.windows(2).all(|pair| pair[1] < pair[0]) && lifts[0] > -0.2 * 0.3,
            "no pop: {}",
            lifts[0]
        );
        *lifts.last().unwrap()
    };
    // A fifth of a second is two half-lives.
    for rate in [30, 60, 240] {
        assert!((after(rate) + 0.15).abs() < 1e-4, "{rate}: {}", after(rate));
    }
}

#[test]
fn a_foot_over_nothing_goes_back_to_the_animation() {
    let mut character = Character::new(0);
    let foot = character.at(Role::LeftFoot).0;
    character.frame(&none(), 1.0 / 60.0, step(-0.2));
    let mut state = character.frame(&none(), 1.0 / 60.0, |_| None);
    assert!(!state.limbs[0].grounded && state.limbs[0].lift < -0.1);
    for _ in 0..120 {
        state = character.frame(&none(), 1.0 / 60.0, |_| None);
    }
    assert!(state.limbs[0].lift.abs() < 1e-4 && close(character.at(Role::LeftFoot).0, foot, 1e-3));
}

#[test]
fn a_lifted_foot_keeps_its_stride_above_the_ground() {
    let mut footing = Footing::new();
    let params = GroundingParams::default();
    let raised = Vec3::new(0.1, 0.3, 0.2);
    let hold = footing.update(
        &params,
        &Placement::IDENTITY,
        raised,
        0.1,
        0.016,
        &mut plane(Vec3::Y * 0.15, Vec3::Y),
    );
    assert!(close(hold.target, raised + Vec3::Y * 0.15, 1e-6));
    // One that the animation presses into the floor stands on the surface.
    let mut footing = Footing::new();
    let sunk = Vec3::new(0.1, 0.02, 0.2);
    let hold = footing.update(
        &params,
        &Placement::IDENTITY,
        sunk,
        0.1,
        0.016,
        &mut plane(Vec3::Y * 0.15, Vec3::Y),
    );
    assert!((hold.target.y - 0.25).abs() < 1e-6);
}

#[test]
fn a_setting_of_the_grounding_that_is_not_finite_is_refused_and_casts_nothing() {
    type Change = fn(&mut IkRig);
    let changes: [Change; 6] = [
        |rig| rig.grounding_half_life = f32::NAN,
        |rig| rig.grounding_max_slope = f32::NAN,
        |rig| rig.grounding_ray_up = f32::NAN,
        |rig| rig.grounding_ray_down = f32::INFINITY,
        |rig| rig.grounding_foot_height = Some(f32::NAN),
        |rig| rig.grounding_foot_height = Some(f32::NEG_INFINITY),
    ];
    for change in changes {
        let mut character = Character::new(0);
        change(&mut character.driver.params);
        let state = character.frame(&none(), 0.016, |_| panic!("no ray is cast"));
        assert_eq!((state.ready, state.status), (false, Status::NotFinite));
        assert_eq!(bits(&character.pose), bits(&character.rig.rest_pose()));
        character.driver.params.grounding = false;
        assert!(
            character.frame(&none(), 0.016, |_| None).ready,
            "read by the grounding alone"
        );
    }
}

#[test]
fn a_footing_is_not_poisoned_by_what_is_not_finite() {
    let params = GroundingParams::default();
    let foot = Vec3::new(0.1, 0.1, 0.0);
    let bad = Placement {
        translation: Vec3::NAN,
        ..Placement::IDENTITY
    };
    let blind = GroundingParams {
        ray_down: f32::NAN,
        ..params
    };
    let mut footing = Footing::new();
    let mut never = |_: Ray| -> Option<Hit> { panic!("no ray is cast from nowhere") };
    for (params, placement, foot) in [
        (&params, &bad, foot),
        (&params, &Placement::IDENTITY, Vec3::NAN),
        (&blind, &Placement::IDENTITY, foot),
    ] {
        assert!(!footing.update(params, placement, foot, 0.1, 0.016, &mut never).grounded);
    }
    for answer in [Vec3::NAN, Vec3::INFINITY] {
        let mut nowhere = |ray: Ray| {
            Some(Hit {
                point: answer,
                normal: -ray.direction,
            })
        };
        assert!(
            !footing
                .update(&params, &Placement::IDENTITY, foot, 0.1, 0.016, &mut nowhere)
                .grounded
        );
        let mut sideless = |ray: Ray| {
            Some(Hit {
                point: ray.origin,
                normal: answer,
            })
        };
        assert!(
            !footing
                .update(&params, &Placement::IDENTITY, foot, 0.1, f32::NAN, &mut sideless)
                .grounded
        );
    }
    let hold = footing.update(
        &params,
        &Placement::IDENTITY,
        foot,
        0.1,
        10.0,
        &mut plane(Vec3::Y * 0.1, Vec3::Y),
    );
    assert!(
        hold.grounded && close(hold.target, foot + Vec3::Y * 0.1, 1e-5),
        "{hold:?}"
    );
}

#[test]
fn rays_stay_finite_however_long_they_are_asked_to_be() {
    let params = GroundingParams {
        ray_up: f32::MAX,
        ray_down: f32::MAX,
        ..GroundingParams::default()
    };
    let mut cast = Vec::new();
    Footing::new().update(&params, &Placement::IDENTITY, Vec3::MAX, 0.1, 0.016, &mut |ray| {
        cast.push(ray);
        None
    });
    assert_eq!(cast.len(), 1);
    assert!(
        cast[0].origin.is_finite() && cast[0].length == f32::MAX && cast[0].direction == Vec3::NEG_Y,
        "{cast:?}"
    );
}

#[test]
fn ground_that_asks_for_no_drop_changes_no_bit_of_the_pelvis() {
    let mut bones = import(FILES[0].1).bones().to_vec();
    let hips = bones.iter().position(|bone| bone.role == Some(Role::Hips)).unwrap();
    bones[hips].rest.translation.x = -0.0;
    let mut character = Character::new(0);
    character.rig = Rig::new(bones).unwrap();
    let state = character.frame(&none(), 0.016, step(0.2));
    let after = character.pose.transforms()[hips].translation;
    assert_eq!(state.pelvis_offset.to_bits(), 0.0f32.to_bits());
    assert_eq!(after.x.to_bits(), (-0.0f32).to_bits());
}

#[test]
fn rays_run_through_the_placement_scale_included() {
    let mut character = Character::new(0);
    character.placement = Placement {
        translation: Vec3::new(10.0, 5.0, -3.0),
        rotation: Quat::from_rotation_y(1.2),
        scale: Vec3::splat(2.0),
    };
    let (up, down) = (
        character.driver.params.grounding_ray_up,
        character.driver.params.grounding_ray_down,
    );
    let foot = character.placement.model_to_world(character.at(Role::LeftFoot).0);
    let mut rays = Vec::new();
    let mut ground = plane(Vec3::new(0.0, 4.8, 0.0), Vec3::Y);
    let state = character.frame(&none(), 0.016, |ray| {
        rays.push(ray);
        ground(ray)
    });
    assert_eq!(rays.len(), 2);
    assert!(close(rays[0].origin, foot + Vec3::Y * up * 2.0, 1e-4));
    assert!(close(rays[0].direction, Vec3::NEG_Y, 1e-6) && (rays[0].length - 2.0 * (up + down)).abs() < 1e-5);
    // Twenty centimetres of the world are ten of the model.
    assert!((state.limbs[0].lift + 0.1).abs() < 1e-4, "{}", state.limbs[0].lift);
}

#[test]
fn an_explicit_foot_target_wins_and_still_counts_for_the_pelvis() {
    let mut character = Character::new(0);
    let feet = [Role::LeftFoot, Role::RightFoot].map(|foot| character.at(foot).0);
    let ledge = feet[0] + Vec3::new(0.05, -0.3, 0.1);
    let targets = RigTargets {
        left_foot: Some(ledge),
        ..none()
    };
    let state = character.frame(&targets, 0.016, plane(Vec3::ZERO, Vec3::Y));
    assert!(close(character.at(Role::LeftFoot).0, ledge, 1e-4));
    assert!(close(character.at(Role::RightFoot).0, feet[1], 1e-4));
    assert!(state.pelvis_offset < -0.2, "{}", state.pelvis_offset);
    assert_eq!((state.limbs[0].weight, state.limbs[0].status), (1.0, Status::OnTarget));
    // Without grounding nothing moves the pelvis, and the leg stretches and stops short.
    character.driver.params.grounding = false;
    let state = character.frame(&targets, 0.016, |_| panic!("no ray is cast without grounding"));
    assert_eq!((state.pelvis_offset, state.limbs[0].status), (0.0, Status::OutOfReach));
    // Weight 0 leaves the foot to the ground.
    character.driver.params.grounding = true;
    character.driver.params.left_foot_weight = 0.0;
    let state = character.frame(&targets, 0.016, plane(Vec3::ZERO, Vec3::Y));
    assert!(close(character.at(Role::LeftFoot).0, feet[0], 1e-3) && state.pelvis_offset.abs() < 1e-3);
}

#[test]
fn the_whole_character_runs_in_its_fixed_order() {
    for file in 0..3 {
        let mut character = Character::new(file);
        let hands = [Role::LeftHand, Role::RightHand].map(|hand| character.at(hand).0);
        let head = character.at(Role::Head).0;
        let targets = RigTargets {
            left_hand: Some(hands[0] + Vec3::new(-0.3, -0.1, 0.2)),
            right_hand: Some(hands[1] + Vec3::new(0.1, -0.05, 0.15)),
            look: Some(head + Vec3::new(1.5, -0.5, 2.0)),
            ..none()
        };
        let state = character.frame(&targets, 0.016, step(-0.2));
        assert!(
            state.limbs.iter().all(|limb| limb.status == Status::OnTarget),
            "{file}: {state:?}"
        );
        assert_eq!(state.look.status, Status::OnTarget);
        // Arms come last: pelvis and spine have moved the shoulders, and the hands are where they should be all the same.
        assert!(
            close(character.at(Role::LeftHand).0, targets.left_hand.unwrap(), 1e-4),
            "{file}"
        );
        assert!(
            close(character.at(Role::RightHand).0, targets.right_hand.unwrap(), 1e-4),
            "{file}"
        );
        assert!(
            character.at(Role::Head).0.distance(head) > 0.15,
            "the head came down with the pelvis"
        );
        let again = bits(&character.pose);
        character.driver.reset_footing();
        character.frame(&targets, 0.016, step(-0.2));
        assert_eq!(bits(&character.pose), again, "the same frame gives the same bits");
    }
}

#[test]
fn what_a_rig_lacks_is_said_and_the_rest_runs() {
    let whole = import(FILES[0].1);
    let mut bones = whole.bones().to_vec();
    for bone in &mut bones {
        if matches!(bone.role, Some(Role::LeftHand | Role::Hips)) {
            bone.role = None;
        }
    }
    let rig = Rig::new(bones).unwrap();
    let mut driver = Driver::new(IkRig {
        grounding: true,
        ..IkRig::default()
    });
    let mut pose = rig.rest_pose();
    let hand = rig.chain_of(ChainRole::RightArm).unwrap().tip_position();
    let targets = RigTargets {
        left_hand: Some(hand),
        right_hand: Some(hand + Vec3::new(0.05, 0.1, 0.1)),
        ..none()
    };
    let mut body = Body {
        rig: Some(&rig),
        placement: Placement::IDENTITY,
        pose: &mut pose,
    };
    let state = driver.solve(&mut body, &targets, 0.016, &mut plane(Vec3::ZERO, Vec3::Y));
    assert!(state.ready && state.limbs[0].grounded);
    assert_eq!(
        (state.limbs[2].status, state.limbs[3].status),
        (Status::NoChain, Status::OnTarget)
    );
    assert_eq!(state.error.as_deref(), Some(&Error::NoHips));
}
