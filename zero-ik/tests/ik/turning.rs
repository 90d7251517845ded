use glam::{Quat, Vec3};
use zero_ik::{AimParams, Bone, Chain, Limit, LookAtParams, Rig, Status, Transform, aim, look_at};

use crate::common::{bent, bits, directions};

fn axis_error(chain: &Chain, axis: Vec3, target: Vec3) -> f32 {
    let tip = chain.len() - 1;
    let pointing = chain.rotation(tip).unwrap() * axis.normalize();
    pointing
        .angle_between(target - chain.position(tip).unwrap())
        .to_degrees()
}

#[test]
fn aim_lands_the_tips_axis_on_the_target() {
    let (rig, pose, mut chain) = bent(4, 0.3, 0.2);
    let root = chain.position(0).unwrap();
    for axis in [Vec3::Z, Vec3::Y, Vec3::new(1.0, -2.0, 0.3)] {
        for direction in directions(60) {
            chain.load(&rig, &pose);
            let target = root + direction * 5.0;
            let turn = aim(
                &mut chain,
                &AimParams {
                    target,
                    axis,
                    ..AimParams::default()
                },
            );
            assert_eq!((turn.status, turn.iterations), (Status::OnTarget, 1));
            assert!(
                turn.error_degrees < 1e-3 && axis_error(&chain, axis, target) < 0.05,
                "{turn:?}"
            );
        }
    }
}

#[test]
fn aim_shares_the_turn_among_the_bones() {
    let (_, pose, mut chain) = bent(3, 0.01, 0.0);
    let target = chain.position(0).unwrap() + Quat::from_rotation_y(0.4) * Vec3::new(100.0, 0.0, 0.0);
    aim(
        &mut chain,
        &AimParams {
            target,
            ..AimParams::default()
        },
    );
    for index in 0..4 {
        let turned = pose.transforms()[index + 1]
            .rotation
            .angle_between(chain.local_rotation(index).unwrap());
        assert!(
            (turned.to_degrees() - 22.5).abs() < 0.5,
            "bone {index} turned {}",
            turned.to_degrees()
        );
    }
}

/// A turret: a base that turns about Y alone and a barrel that tips about X alone.
fn turret() -> Rig {
    Rig::new(vec![
        Bone::new("mount", None, Transform::at(Vec3::Y)),
        Bone::new("base", Some(0), Transform::IDENTITY).with_limit(Limit::hinge(Vec3::Y, -180.0, 180.0).unwrap()),
        Bone::new("barrel", Some(1), Transform::at(Vec3::new(0.0, 0.5, 0.2)))
            .with_limit(Limit::hinge(Vec3::X, -80.0, 10.0).unwrap()),
    ])
    .unwrap()
}

#[test]
fn a_turret_aims_through_its_hinges() {
    let rig = turret();
    let mut met = 0;
    for direction in directions(100) {
        let mut chain = rig.chain("base", "barrel").unwrap();
        let target = Vec3::new(0.0, 1.5, 0.0) + direction * 20.0;
        let turn = aim(
            &mut chain,
            &AimParams {
                target,
                ..AimParams::default()
            },
        );
        // Ten degrees down is a sine of 0.174, seen from a barrel that stands a little before the middle.
        let (low, level) = (direction.y < -0.18, direction.y > -0.165);
        let steep = direction.y > 0.98;
        if level && !steep {
            assert_eq!(turn.status, Status::OnTarget, "{direction}: {turn:?}");
            met += 1;
        } else if low {
            assert_eq!(turn.status, Status::HeldByLimit, "{direction}: {turn:?}");
        }
        for (index, axis) in [(0, Vec3::Y), (1, Vec3::X)] {
            let turned = chain.local_rotation(index).unwrap();
            let off_axis = Vec3::new(turned.x, turned.y, turned.z).cross(axis).length();
            assert!(off_axis < 1e-5, "bone {index} left its hinge: {turned}");
        }
    }
    assert!(met > 50);
}

/// Pelvis, three of the back, neck and head, standing up +Y and facing +Z.
fn back() -> (Rig, Chain) {
    let mut bones = vec![Bone::new("hips", None, Transform::at(Vec3::Y))];
    for (index, name) in ["spine", "spine1", "spine2", "neck", "head"].into_iter().enumerate() {
        bones.push(Bone::new(name, Some(index), Transform::at(Vec3::Y * 0.15)));
    }
    let rig = Rig::new(bones).unwrap().with_roles_from_names();
    let chain = rig.chain_of(zero_ik::ChainRole::Spine).unwrap();
    (rig, chain)
}

fn facing(chain: &Chain) -> Vec3 {
    chain.rotation(chain.len() - 1).unwrap() * Vec3::Z
}

fn look(target: Vec3) -> LookAtParams {
    LookAtParams {
        target,
        ..LookAtParams::default()
    }
}

#[test]
fn look_at_faces_the_target() {
    let (rig, mut chain) = back();
    assert_eq!(chain.len(), 5);
    for direction in directions(100) {
        chain.load(&rig, &rig.rest_pose());
        let target = Vec3::Y * 1.75 + direction * 2.0;
        let turn = look_at(
            &mut chain,
            &LookAtParams {
                clamp_degrees: 180.0,
                body_weight: 0.5,
                ..look(target)
            },
        );
        assert_eq!(turn.status, Status::OnTarget);
        assert!(
            turn.error_degrees < 1e-3 && axis_error(&chain, Vec3::Z, target) < 0.05,
            "{turn:?}"
        );
    }
}

#[test]
fn look_at_never_turns_past_its_clamp_and_says_when_it_would() {
    let (rig, mut chain) = back();
    for clamp_degrees in [0.0, 10.0, 80.0, 120.0] {
        for direction in directions(60) {
            chain.load(&rig, &rig.rest_pose());
            let target = Vec3::Y * 1.75 + direction * 50.0;
            let turn = look_at(
                &mut chain,
                &LookAtParams {
                    clamp_degrees,
                    body_weight: 0.4,
                    ..look(target)
                },
            );
            let turned = facing(&chain).angle_between(Vec3::Z).to_degrees();
            assert!(turned <= clamp_degrees + 0.05, "{turned} of {clamp_degrees}");
            let wanted = (target - chain.tip_position()).angle_between(Vec3::Z).to_degrees();
            if (wanted - clamp_degrees).abs() > 0.1 {
                let expected = if wanted > clamp_degrees {
                    Status::Clamped
                } else {
                    Status::OnTarget
                };
                assert_eq!(turn.status, expected, "{wanted} of {clamp_degrees}");
            }
        }
    }
}

#[test]
fn body_weight_moves_the_turn_down_the_chain() {
    let (rig, mut chain) = back();
    let target = Vec3::new(20.0, 1.75, 20.0);
    let mut chest_turns = Vec::new();
    for body_weight in [0.0, 0.25, 0.5, 1.0] {
        chain.load(&rig, &rig.rest_pose());
        look_at(
            &mut chain,
            &LookAtParams {
                body_weight,
                ..look(target)
            },
        );
        let neck = chain.rotation(3).unwrap();
        chest_turns.push((neck * Vec3::Z).angle_between(Vec3::Z).to_degrees());
        assert!(axis_error(&chain, Vec3::Z, target) < 0.05);
    }
    // The share of the 45 degrees, whatever the head does on top.
    for (turned, expected) in chest_turns.iter().zip([0.0, 11.25, 22.5, 45.0]) {
        assert!((turned - expected).abs() < 0.2, "{chest_turns:?}");
    }
}

#[test]
fn a_target_straight_behind_is_turned_to_about_the_up_axis() {
    let (_, mut chain) = back();
    let target = Vec3::new(0.0, 1.75, -5.0);
    let turn = look_at(&mut chain, &look(target));
    assert_eq!(turn.status, Status::Clamped);
    assert!((facing(&chain).angle_between(Vec3::Z).to_degrees() - 80.0).abs() < 0.05);
    assert!(
        facing(&chain).y.abs() < 1e-3,
        "the head stays level: {}",
        facing(&chain)
    );
}

#[test]
fn a_target_on_the_tip_gives_no_direction_and_is_said() {
    let (rig, mut chain) = back();
    let target = chain.tip_position();
    let aimed = aim(
        &mut chain,
        &AimParams {
            target,
            ..AimParams::default()
        },
    );
    let looked = look_at(&mut chain, &look(target));
    for turn in [aimed, looked] {
        assert_eq!((turn.status, turn.error_degrees), (Status::Degenerate, 0.0));
        assert!(turn.status.words().contains("on the tip"));
    }
    let mut pose = rig.rest_pose();
    chain.store(&mut pose);
    assert_eq!(bits(&pose), bits(&rig.rest_pose()));
}

#[test]
fn a_part_weight_of_a_turn_lies_between() {
    let (rig, mut chain) = back();
    let target = Vec3::new(3.0, 2.0, 3.0);
    let mut last = [axis_error(&chain, Vec3::Z, target); 2];
    for weight in [0.25, 0.5, 0.75] {
        chain.load(&rig, &rig.rest_pose());
        let aimed = aim(
            &mut chain,
            &AimParams {
                target,
                weight,
                ..AimParams::default()
            },
        );
        chain.load(&rig, &rig.rest_pose());
        let looked = look_at(&mut chain, &LookAtParams { weight, ..look(target) });
        for (turn, last) in [aimed, looked].into_iter().zip(&mut last) {
            assert_eq!(turn.status, Status::Blended);
            assert!(
                turn.error_degrees < *last && turn.error_degrees > 1.0,
                "{weight}: {turn:?}"
            );
            *last = turn.error_degrees;
        }
    }
}

#[test]
fn weight_0_passes_the_pose_through_to_the_bit() {
    let (rig, mut chain) = back();
    let mut pose = rig.rest_pose();
    pose.transforms_mut()[2].rotation = Quat::from_xyzw(0.1, 0.0, 0.0, 2.0);
    let before = bits(&pose);
    chain.load(&rig, &pose);
    let target = Vec3::new(5.0, 1.0, 1.0);
    let aimed = aim(
        &mut chain,
        &AimParams {
            target,
            weight: 0.0,
            ..AimParams::default()
        },
    );
    let looked = look_at(
        &mut chain,
        &LookAtParams {
            weight: 0.0,
            ..look(target)
        },
    );
    assert_eq!(
        (aimed.status, looked.status),
        (Status::PassThrough, Status::PassThrough)
    );
    chain.store(&mut pose);
    assert_eq!(bits(&pose), before);
}
