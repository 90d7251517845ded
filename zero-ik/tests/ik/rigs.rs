use glam::{Mat4, Quat, Vec3};
use zero_ik::{
    AimParams, Bone, Chain, ChainRole, IterateParams, LookAtParams, Pose, Rig, Role, Status, Transform, TwoBoneParams,
    aim, ccd, fabrik, look_at, two_bone,
};

use crate::common::{bits, close, directions, lengths};

pub(crate) const FILES: [(&str, &[u8]); 3] = [
    ("mpfb_game_engine", include_bytes!("../rigs/mpfb_game_engine.glb")),
    ("mpfb_mixamo", include_bytes!("../rigs/mpfb_mixamo.glb")),
    ("handmade", include_bytes!("../rigs/handmade.glb")),
];

/// Every node of a file as a bone, in the file's order, with its roles from the names.
pub(crate) fn import(bytes: &[u8]) -> Rig {
    let file = gltf::Gltf::from_slice(bytes).unwrap();
    let mut bones: Vec<Bone> = file
        .nodes()
        .map(|node| {
            let (translation, rotation, scale) = node.transform().decomposed();
            let rest = Transform {
                translation: Vec3::from_array(translation),
                rotation: Quat::from_array(rotation),
                scale: Vec3::from_array(scale),
            };
            Bone::new(node.name().unwrap(), None, rest)
        })
        .collect();
    for node in file.nodes() {
        for child in node.children() {
            bones[child.index()].parent = Some(node.index());
        }
    }
    Rig::new(bones).unwrap().with_roles_from_names()
}

type Iterated = fn(&mut Chain, &IterateParams) -> zero_ik::Solve;

fn limbs() -> [ChainRole; 4] {
    [
        ChainRole::LeftArm,
        ChainRole::RightArm,
        ChainRole::LeftLeg,
        ChainRole::RightLeg,
    ]
}

/// A run that is no limb: from the pelvis to a hand.
fn long_run(rig: &Rig) -> Chain {
    Chain::between(rig, rig.role(Role::Hips).unwrap(), rig.role(Role::RightHand).unwrap()).unwrap()
}

#[test]
fn forward_kinematics_agrees_with_the_files_inverse_bind_matrices() {
    for (name, bytes) in FILES {
        let rig = import(bytes);
        let file = gltf::Gltf::from_slice(bytes).unwrap();
        let skin = file.skins().next().unwrap();
        let blob = file.blob.as_deref().unwrap();
        let inverse: Vec<Mat4> = skin
            .reader(|_| Some(blob))
            .read_inverse_bind_matrices()
            .unwrap()
            .map(|columns| Mat4::from_cols_array_2d(&columns))
            .collect();
        let mut model = Vec::new();
        rig.rest_pose().model_space(&rig, &mut model);
        assert!(inverse.len() > 35, "{name}");
        for (joint, inverse) in skin.joints().zip(inverse) {
            let (_, turn, place) = inverse.inverse().to_scale_rotation_translation();
            let (position, rotation) = model[joint.index()];
            assert!(
                close(position, place, 1e-5),
                "{name} {:?}: {position} is not {place}",
                joint.name()
            );
            assert!(rotation.dot(turn).abs() > 0.999_999, "{name} {:?}", joint.name());
        }
    }
}

#[test]
fn names_fill_the_roles_that_the_chains_need() {
    for (name, bytes) in FILES {
        let rig = import(bytes);
        for role in Role::ALL {
            let shoulderless = matches!(role, Role::Spine2 | Role::LeftToeBase | Role::RightToeBase);
            assert!(rig.role(role).is_some() || shoulderless, "{name} fills no {role}");
        }
        for limb in limbs() {
            let chain = rig.chain_of(limb).unwrap();
            let reach = chain.reach();
            assert!((0.3..1.2).contains(&reach), "{name} {limb} reaches {reach}");
        }
        let head = rig.chain_of(ChainRole::Spine).unwrap().tip_position();
        assert!((1.3..1.8).contains(&head.y), "{name} has its head at {head}");
        let (left, right) = (
            rig.chain_of(ChainRole::LeftArm).unwrap(),
            rig.chain_of(ChainRole::RightArm).unwrap(),
        );
        assert!(left.tip_position().x > 0.1 && right.tip_position().x < -0.1, "{name}");
    }
}

#[test]
fn two_bone_drives_every_limb_of_every_rig() {
    for (name, bytes) in FILES {
        let rig = import(bytes);
        let rest = rig.rest_pose();
        for limb in limbs() {
            let mut chain = rig.chain_of(limb).unwrap();
            let (root, reach, inner) = (chain.position(0).unwrap(), chain.reach(), chain.inner_reach());
            let before = lengths(&chain);
            for direction in directions(60) {
                for share in [0.1, 0.5, 0.95] {
                    let mut pose = rest.clone();
                    chain.load(&rig, &pose);
                    let target = root + direction * (inner + (reach - inner) * share);
                    let solve = two_bone(
                        &mut chain,
                        &TwoBoneParams {
                            target,
                            ..TwoBoneParams::default()
                        },
                    );
                    chain.store(&mut pose);
                    // Through the pose and the rig, and not as the chain tells it.
                    let tip = chain.bones().last().unwrap();
                    let (reached, _) = pose.model_of(&rig, tip).unwrap();
                    if limb_is_straight(&rig, limb) {
                        assert_eq!(
                            solve.status,
                            Status::OnTarget,
                            "{name} {limb} {share} {direction}: {solve:?}"
                        );
                        assert!(close(reached, target, 1e-5), "{name} {limb}: {reached} is not {target}");
                    }
                    assert!(close(reached, target, 2e-3 + solve.distance_to_target));
                    let after = lengths(&chain);
                    assert!(
                        before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 1e-5),
                        "{name} {limb}"
                    );
                    assert_untouched(&rest, &pose, &chain);
                }
            }
        }
    }
}

/// Whether the limb's upper and lower parts are each one straight piece: then its reach is the sum of its segments.
fn limb_is_straight(rig: &Rig, limb: ChainRole) -> bool {
    rig.chain_of(limb).unwrap().len() == 3 || !matches!(limb, ChainRole::LeftLeg | ChainRole::RightLeg)
}

/// Every bone outside the chain is as it was, and so are all translations and scales.
fn assert_untouched(before: &Pose, after: &Pose, chain: &Chain) {
    for (index, (old, new)) in before.transforms().iter().zip(after.transforms()).enumerate() {
        assert_eq!((old.translation, old.scale), (new.translation, new.scale));
        assert!(new.rotation.is_finite() && (new.rotation.length() - 1.0).abs() < 1e-5);
        if chain.bones().all(|bone| bone.0 != index) {
            assert_eq!(old.rotation, new.rotation);
        }
    }
}

#[test]
fn knees_bend_forward_and_elbows_back_from_a_straight_pose() {
    let rig = import(FILES[2].1);
    for limb in limbs() {
        let mut chain = rig.chain_of(limb).unwrap();
        let (root, tip) = (chain.position(0).unwrap(), chain.tip_position());
        let target = root + (tip - root) * 0.8;
        two_bone(
            &mut chain,
            &TwoBoneParams {
                target,
                ..TwoBoneParams::default()
            },
        );
        let joint = chain.position(1).unwrap();
        let forward = matches!(limb, ChainRole::LeftLeg | ChainRole::RightLeg);
        assert!(
            if forward {
                joint.z > root.z + 0.1
            } else {
                joint.z < root.z - 0.05
            },
            "{limb} bends to {joint}"
        );
    }
}

#[test]
fn ccd_and_fabrik_drive_a_run_from_the_pelvis_to_a_hand() {
    for (name, bytes) in FILES {
        let rig = import(bytes);
        let solvers: [(Iterated, u32); 2] = [(ccd, 300), (fabrik, 60)];
        for (solver, iterations) in solvers {
            let mut chain = long_run(&rig);
            let before = lengths(&chain);
            let root = chain.position(0).unwrap();
            let mut met = 0;
            for direction in directions(60) {
                let mut pose = rig.rest_pose();
                chain.load(&rig, &pose);
                let target = root + direction * chain.reach() * 0.6;
                let params = IterateParams {
                    target,
                    iterations,
                    ..IterateParams::default()
                };
                let solve = solver(&mut chain, &params);
                chain.store(&mut pose);
                met += usize::from(solve.status == Status::OnTarget);
                let (reached, _) = pose.model_of(&rig, chain.bones().last().unwrap()).unwrap();
                assert!((reached.distance(target) - solve.distance_to_target).abs() < 1e-5);
                assert!(
                    before.iter().zip(lengths(&chain)).all(|(a, b)| (a - b).abs() < 1e-5),
                    "{name}"
                );
                assert_untouched(&rig.rest_pose(), &pose, &chain);
            }
            assert_eq!(met, 60, "{name} in {iterations}");
        }
    }
}

#[test]
fn heads_look_and_arms_aim_on_every_rig() {
    for (name, bytes) in FILES {
        let rig = import(bytes);
        for direction in directions(60) {
            let mut head = rig.chain_of(ChainRole::Spine).unwrap();
            let axis = head.rotation(head.len() - 1).unwrap().conjugate() * Vec3::Z;
            let target = head.tip_position() + direction * 3.0;
            let turn = look_at(
                &mut head,
                &LookAtParams {
                    target,
                    axis,
                    clamp_degrees: 85.0,
                    ..LookAtParams::default()
                },
            );
            let facing = head.rotation(head.len() - 1).unwrap() * axis;
            assert!(facing.angle_between(Vec3::Z).to_degrees() < 85.1, "{name}");
            let watching = facing.angle_between(target - head.tip_position()).to_degrees();
            assert_eq!(
                turn.status == Status::Clamped,
                watching > 0.1,
                "{name} {direction}: {turn:?}"
            );

            let mut arm = rig.chain_of(ChainRole::RightArm).unwrap();
            let turn = aim(
                &mut arm,
                &AimParams {
                    target,
                    axis: Vec3::Y,
                    ..AimParams::default()
                },
            );
            let pointing = arm.rotation(arm.len() - 1).unwrap() * Vec3::Y;
            assert_eq!(turn.status, Status::OnTarget);
            assert!(
                pointing.angle_between(target - arm.tip_position()).to_degrees() < 0.05,
                "{name}"
            );
        }
    }
}

#[test]
fn a_limb_on_its_own_result_stands_still_on_every_rig() {
    for (_, bytes) in FILES {
        let rig = import(bytes);
        for limb in limbs() {
            let mut chain = rig.chain_of(limb).unwrap();
            let mut pose = rig.rest_pose();
            let target = chain.position(0).unwrap() + Vec3::new(0.1, -0.2, 0.25);
            let mut settled = Vec::new();
            for frame in 0..1000 {
                chain.load(&rig, &pose);
                two_bone(
                    &mut chain,
                    &TwoBoneParams {
                        target,
                        ..TwoBoneParams::default()
                    },
                );
                chain.store(&mut pose);
                if frame == 2 {
                    settled = bits(&pose);
                }
            }
            assert_eq!(bits(&pose), settled);
        }
    }
}
