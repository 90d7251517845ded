use glam::{Quat, Vec3};
use zero_ik::{Bone, BoneId, ChainRole, Error, IterateParams, Reach, Rig, Role, Solver, Status, Transform, ccd};

use crate::common::{arm, bent, close, lengths, straight};

#[test]
fn a_chain_runs_from_root_to_tip_over_the_bones_between() {
    let rig = straight(4, 0.5);
    let chain = rig.chain("b1", "b4").unwrap();
    let names: Vec<&str> = chain.bones().map(|bone| rig.bones()[bone.0].name.as_str()).collect();
    assert_eq!(names, ["b1", "b2", "b3", "b4"]);
    assert_eq!(chain.segment_length(0), Some(0.5));
    assert_eq!(chain.segment_length(3), None);
    assert!((chain.reach() - 1.5).abs() < 1e-6);
}

#[test]
fn resolution_fails_in_three_ways_and_says_which() {
    let (rig, ..) = arm();
    let upward = rig.chain("hand", "upper").unwrap_err();
    assert_eq!(
        upward,
        Error::NotDescendant {
            root: "hand".into(),
            tip: "upper".into()
        }
    );
    let unknown = rig.chain("upper", "paw").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the rig has no bone named `paw`; its bones are: spine, upper, fore, hand"
    );
    let unfilled = rig.chain_of(ChainRole::RightLeg).unwrap_err();
    assert_eq!(
        unfilled,
        Error::RoleUnfilled {
            chain: ChainRole::RightLeg,
            role: Role::RightUpLeg
        }
    );
    assert_eq!(
        rig.chain_of(ChainRole::LeftArm)
            .unwrap()
            .bones()
            .map(|b| b.0)
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
}

#[test]
fn forward_kinematics_covers_the_bones_above_the_root() {
    let (rig, pose, chain) = arm();
    // Worked by hand: shoulder, then the elbow along the turned upper arm.
    assert!(close(chain.position(0).unwrap(), Vec3::new(0.2, 1.4, 0.0), 1e-6));
    let elbow = Vec3::new(0.2, 1.4, 0.0) + Quat::from_rotation_z(-0.5) * Vec3::X * 0.3;
    assert!(close(chain.position(1).unwrap(), elbow, 1e-6));
    let hand = elbow + Quat::from_rotation_z(-0.5) * Quat::from_rotation_y(-0.7) * Vec3::X * 0.25;
    assert!(close(chain.tip_position(), hand, 1e-6));
    let (position, rotation) = pose.model_of(&rig, BoneId(3)).unwrap();
    assert_eq!(position, chain.tip_position());
    assert_eq!(rotation, chain.rotation(2).unwrap());
    let mut all = Vec::new();
    pose.model_space(&rig, &mut all);
    assert_eq!(all[3], (position, rotation));
}

#[test]
fn scale_above_a_chain_scales_its_reach() {
    let mut bones = straight(2, 1.0).bones().to_vec();
    bones[0].rest.scale = Vec3::splat(0.5);
    bones[2].rest.scale = Vec3::splat(3.0);
    let rig = Rig::new(bones).unwrap();
    let chain = rig.chain("b0", "b2").unwrap();
    assert_eq!(
        [chain.segment_length(0), chain.segment_length(1)],
        [Some(0.5), Some(1.5)]
    );
    assert!((lengths(&chain)[1] - 1.5).abs() < 1e-6);
}

#[test]
fn rotate_global_pivots_a_bone_about_its_own_joint() {
    let (_, _, mut chain) = bent(5, 0.4, 0.3);
    let before: Vec<Vec3> = (0..6).map(|i| chain.position(i).unwrap()).collect();
    let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), 0.9);
    assert!(chain.rotate_global(2, turn));
    for index in 0..6 {
        let now = chain.position(index).unwrap();
        let expected = if index <= 2 {
            before[index]
        } else {
            before[2] + turn * (before[index] - before[2])
        };
        assert!(close(now, expected, 1e-5), "bone {index}: {now} is not {expected}");
    }
    assert!(!chain.rotate_global(6, turn));
}

#[test]
fn a_chain_moves_between_pose_buffers_and_leaves_the_rest_alone() {
    let (rig, pose, mut chain) = bent(3, 0.4, 0.3);
    chain.set_local_rotation(1, Quat::from_rotation_x(1.0));
    let mut other = pose.clone();
    other.transforms_mut()[0].translation = Vec3::splat(9.0);
    chain.store(&mut other);
    assert_eq!(other.transforms()[2].rotation, Quat::from_rotation_x(1.0));
    assert_eq!(other.transforms()[0].translation, Vec3::splat(9.0));
    assert_eq!(other.transforms()[1], pose.transforms()[1]);
    chain.load(&rig, &other);
    assert!(close(chain.position(0).unwrap(), Vec3::splat(9.0), 1e-5));
}

#[test]
fn a_chain_over_another_rig_is_refused() {
    let (_, pose, mut chain) = bent(3, 0.4, 0.3);
    let other = straight(1, 0.4);
    chain.load(&other, &other.rest_pose());
    let target = IterateParams {
        target: Vec3::X,
        ..Default::default()
    };
    assert_eq!(ccd(&mut chain, &target).status, Status::PoseMismatch);
    assert_eq!(
        chain.set_joint(&other, BoneId(99)).unwrap_err(),
        Error::NotBetween { name: "#99".into() }
    );
    let (rig, ..) = bent(3, 0.4, 0.3);
    chain.load(&rig, &pose);
    assert!(ccd(&mut chain, &target).status.is_ready(), "its own rig mends it");
}

#[test]
fn the_band_of_reach_has_two_ends() {
    let rig = Rig::new(vec![
        Bone::new("a", None, Transform::IDENTITY),
        Bone::new("b", Some(0), Transform::at(Vec3::X)),
        Bone::new("c", Some(1), Transform::at(Vec3::X * 0.4)),
    ])
    .unwrap();
    let chain = rig.chain("a", "c").unwrap();
    assert!((chain.inner_reach() - 0.6).abs() < 1e-6);
    for (distance, expected) in [
        (0.5, Reach::TooClose),
        (0.61, Reach::Within),
        (1.4, Reach::Within),
        (1.5, Reach::TooFar),
    ] {
        assert_eq!(chain.reach_of(Vec3::new(0.0, distance, 0.0)), expected, "{distance}");
    }
}

#[test]
fn bones_may_come_in_any_order_and_bad_rigs_are_refused() {
    let tail_first = vec![
        Bone::new("tip", Some(1), Transform::at(Vec3::Y)),
        Bone::new("root", None, Transform::at(Vec3::X)),
    ];
    let rig = Rig::new(tail_first.clone()).unwrap();
    assert!(close(
        rig.chain("root", "tip").unwrap().tip_position(),
        Vec3::new(1.0, 1.0, 0.0),
        1e-6
    ));

    let change = |edit: fn(&mut Vec<Bone>)| {
        let mut bones = tail_first.clone();
        edit(&mut bones);
        Rig::new(bones).unwrap_err()
    };
    assert_eq!(Rig::new(vec![]).unwrap_err(), Error::NoBones);
    assert_eq!(
        change(|b| b[0].name = "root".into()),
        Error::DuplicateBone { name: "root".into() }
    );
    assert_eq!(
        change(|b| b[1].parent = Some(0)),
        Error::ParentCircle { name: "root".into() }
    );
    assert_eq!(
        change(|b| b[1].parent = Some(1)),
        Error::ParentCircle { name: "root".into() }
    );
    assert_eq!(
        change(|b| b[1].parent = Some(7)),
        Error::UnknownParent {
            name: "root".into(),
            parent: 7,
            count: 2
        }
    );
    assert!(matches!(
        change(|b| b[0].rest.translation.y = f32::NAN),
        Error::BadRest {
            field: "translation",
            ..
        }
    ));
    assert!(matches!(
        change(|b| b[0].rest.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        Error::BadRest { .. }
    ));
}

#[test]
fn a_limb_whose_joint_hangs_elsewhere_is_refused() {
    let (rig, ..) = arm();
    let mut bones = rig.bones().to_vec();
    bones[3].parent = Some(1);
    let rig = Rig::new(bones).unwrap();
    let refused = rig.chain_of(ChainRole::LeftArm).unwrap_err();
    assert_eq!(refused, Error::NotBetween { name: "fore".into() });
}

#[test]
fn a_limb_with_twist_bones_bends_at_its_own_joint() {
    let (rig, ..) = arm();
    let mut bones = rig.bones().to_vec();
    // A twist bone half way down the upper arm; the forearm hangs from it.
    bones.push(Bone::new("twist", Some(1), Transform::at(Vec3::X * 0.15)));
    bones[2].parent = Some(4);
    bones[2].rest = Transform::at(Vec3::X * 0.15);
    let rig = Rig::new(bones).unwrap();
    let mut limb = rig.chain_of(ChainRole::LeftArm).unwrap();
    assert_eq!(limb.len(), 4);
    let target = Vec3::new(0.4, 1.7, 0.2);
    let solve = zero_ik::two_bone(
        &mut limb,
        &zero_ik::TwoBoneParams {
            target,
            ..Default::default()
        },
    );
    assert!(solve.distance_to_target < 1e-5, "{solve:?}");
    assert_eq!(
        limb.local_rotation(1),
        Some(Quat::IDENTITY),
        "the twist bone is carried along"
    );
    // Named by its ends alone the run has two joints, and none is chosen silently.
    let mut named = rig.chain("upper", "hand").unwrap();
    let refused = zero_ik::two_bone(
        &mut named,
        &zero_ik::TwoBoneParams {
            target,
            ..Default::default()
        },
    );
    assert_eq!(refused.status, zero_ik::Status::NeedsJoint);
    named.set_joint(&rig, rig.bone("fore").unwrap()).unwrap();
    assert!(
        zero_ik::two_bone(
            &mut named,
            &zero_ik::TwoBoneParams {
                target,
                ..Default::default()
            }
        )
        .status
        .is_ready()
    );
    assert!(matches!(
        named.set_joint(&rig, BoneId(0)),
        Err(Error::NotBetween { .. })
    ));
}

#[test]
fn names_go_both_ways() {
    for role in Role::ALL {
        assert_eq!(role.name().parse::<Role>().unwrap(), role);
        assert_eq!(Role::from_bone_name(role.name()), Some(role));
    }
    for chain in ChainRole::ALL {
        assert_eq!(chain.name().parse::<ChainRole>().unwrap(), chain);
    }
    assert_eq!(
        Solver::names().collect::<Vec<_>>(),
        ["twoBone", "ccd", "fabrik", "aim", "lookAt"]
    );
    for solver in Solver::ALL {
        assert_eq!(Solver::by_name(solver.name()).unwrap(), solver);
    }
    assert_eq!(
        Solver::by_name("jacobian").unwrap_err().to_string(),
        "`jacobian` is no solver; the names are: twoBone, ccd, fabrik, aim, lookAt"
    );
    for (name, role) in [
        ("mixamorig:LeftUpLeg", Some(Role::LeftUpLeg)),
        ("mixamorig:Spine2", Some(Role::Spine2)),
        ("J_Bip_R_LowerArm", None),
        ("rightLowerLeg", Some(Role::RightLeg)),
        ("upperChest", Some(Role::Spine2)),
        ("calf_r", Some(Role::RightLeg)),
        ("clavicle_l", Some(Role::LeftShoulder)),
        ("ball_l", Some(Role::LeftToeBase)),
        ("spine_03", Some(Role::Spine2)),
        ("upperarm_twist_01_l", None),
        ("pinky_01_l", None),
        ("", None),
        ("l", None),
        ("é_l", None),
    ] {
        assert_eq!(Role::from_bone_name(name), role, "{name}");
    }
}
