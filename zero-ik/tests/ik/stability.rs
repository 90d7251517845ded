use glam::{Quat, Vec3};
use zero_ik::{
    AimParams, Chain, IterateParams, Limit, LookAtParams, Pose, Rig, TwoBoneParams, aim, ccd, fabrik, look_at, two_bone,
};

use crate::common::{arm, bent, bits};

/// Runs a solver 10 000 times, each on the pose that the time before left, and answers how far the pose of the last frame
/// is from that of the `settled`th one.
fn run(rig: &Rig, pose: &mut Pose, chain: &mut Chain, solve: &dyn Fn(&mut Chain), settled: usize) -> (f32, bool) {
    let mut early = None;
    for frame in 0..10_000 {
        chain.load(rig, pose);
        solve(chain);
        chain.store(pose);
        if frame + 1 == settled {
            early = Some(pose.clone());
        }
    }
    let early = early.unwrap();
    let off = |(a, b): (&zero_ik::Transform, &zero_ik::Transform)| (a.rotation - b.rotation).length();
    let drift = pose
        .transforms()
        .iter()
        .zip(early.transforms())
        .map(off)
        .fold(0.0, f32::max);
    (drift, bits(pose) == bits(&early))
}

#[test]
fn two_bone_stands_still_over_10_000_frames() {
    for target in [
        Vec3::new(0.5, 1.6, 0.2),
        Vec3::new(0.2, 1.4, 0.1),
        Vec3::new(9.0, 0.0, 3.0),
        Vec3::new(0.2, 1.4, 0.0),
    ] {
        for pole in [None, Some(Vec3::new(0.0, 0.5, -2.0))] {
            let (rig, mut pose, mut chain) = arm();
            let solve = |chain: &mut Chain| {
                two_bone(
                    chain,
                    &TwoBoneParams {
                        target,
                        pole,
                        weight: 1.0,
                    },
                );
            };
            let (drift, same) = run(&rig, &mut pose, &mut chain, &solve, 3);
            assert!(same, "{target} {pole:?} drifted by {drift}");
        }
    }
}

#[test]
fn two_bone_keeps_limits_and_stands_still_on_them_over_10_000_frames() {
    let limits = [
        Limit::hinge(Vec3::X, 0.0, 60.0).unwrap(),
        Limit::cone(Vec3::Y, 30.0, 10.0).unwrap(),
        Limit::cone(Vec3::Y, 0.0, 0.0).unwrap(),
    ];
    for limit in limits {
        for place in [0, 1] {
            for pole in [None, Some(Vec3::new(1.0, 2.0, -3.0))] {
                let (rig, mut pose, mut chain) = bent(2, 0.5, 0.3);
                chain.set_limit(place, Some(limit));
                let target = chain.position(0).unwrap() + Vec3::new(0.4, 0.3, 0.2);
                let solve = |chain: &mut Chain| {
                    two_bone(
                        chain,
                        &TwoBoneParams {
                            target,
                            pole,
                            weight: 1.0,
                        },
                    );
                };
                let (drift, same) = run(&rig, &mut pose, &mut chain, &solve, 50);
                assert!(same, "{limit:?} on {place}, {pole:?}: drifted by {drift}");
                let excess = limit.excess_degrees(Quat::IDENTITY, chain.local_rotation(place).unwrap());
                assert!(excess < 1e-3, "{limit:?} on {place}: {excess} degrees past");
            }
        }
    }
}

#[test]
fn ccd_and_fabrik_stand_still_over_10_000_frames() {
    for solver in [ccd, fabrik] {
        for limited in [false, true] {
            for offset in [
                Vec3::new(0.9, 0.4, 0.3),
                Vec3::new(5.0, 4.0, 0.0),
                Vec3::new(0.05, 0.02, 0.0),
            ] {
                let (rig, mut pose, mut chain) = bent(6, 0.25, 0.2);
                if limited {
                    (0..6).for_each(|i| {
                        chain.set_limit(i, Some(Limit::cone(Vec3::Y, 50.0, 30.0).unwrap()));
                    });
                }
                let target = chain.position(0).unwrap() + offset;
                let solve = |chain: &mut Chain| {
                    solver(
                        chain,
                        &IterateParams {
                            target,
                            iterations: 20,
                            ..IterateParams::default()
                        },
                    );
                };
                // A chain held by its limits comes closer for a while; from then on nothing moves.
                let (drift, _) = run(&rig, &mut pose, &mut chain, &solve, 2000);
                assert!(drift < 2e-3, "limits {limited}, {offset}: drifted by {drift}");
                let settled = bits(&pose);
                for _ in 0..100 {
                    chain.load(&rig, &pose);
                    solve(&mut chain);
                    chain.store(&mut pose);
                }
                assert_eq!(bits(&pose), settled, "limits {limited}, {offset}");
            }
        }
    }
}

#[test]
fn aim_and_look_at_stand_still_over_10_000_frames() {
    for target in [
        Vec3::new(3.0, 1.0, 2.0),
        Vec3::new(0.1, 0.5, -8.0),
        Vec3::new(0.0, 9.0, 0.1),
    ] {
        for limited in [false, true] {
            let (rig, pose, mut chain) = bent(4, 0.2, 0.1);
            if limited {
                chain.set_limit(1, Some(Limit::hinge(Vec3::Y, -40.0, 40.0).unwrap()));
            }
            let aiming = |chain: &mut Chain| {
                aim(
                    chain,
                    &AimParams {
                        target,
                        ..AimParams::default()
                    },
                );
            };
            let looking = |chain: &mut Chain| {
                look_at(
                    chain,
                    &LookAtParams {
                        target,
                        clamp_degrees: 70.0,
                        ..LookAtParams::default()
                    },
                );
            };
            for (name, solve) in [("aim", &aiming as &dyn Fn(&mut Chain)), ("look_at", &looking)] {
                let mut pose = pose.clone();
                let (drift, same) = run(&rig, &mut pose, &mut chain, solve, 50);
                assert!(same, "{name} {target} limits {limited}: drifted by {drift}");
            }
        }
    }
}

#[test]
fn the_clamp_holds_when_each_frame_starts_from_the_last() {
    let (rig, mut pose, mut chain) = bent(4, 0.2, 0.0);
    let behind = Vec3::new(-1.0, 0.9, -20.0);
    let rest_facing = chain.rotation(4).unwrap() * Vec3::Z;
    for _ in 0..500 {
        chain.load(&rig, &pose);
        look_at(
            &mut chain,
            &LookAtParams {
                target: behind,
                clamp_degrees: 60.0,
                ..LookAtParams::default()
            },
        );
        chain.store(&mut pose);
    }
    let turned = (chain.rotation(4).unwrap() * Vec3::Z)
        .angle_between(rest_facing)
        .to_degrees();
    assert!((turned - 60.0).abs() < 0.05, "{turned}");
}

#[test]
fn a_solve_gives_the_same_bits_every_time() {
    let once = || {
        let (rig, mut pose, mut chain) = bent(6, 0.25, 0.2);
        let target = Vec3::new(0.9, 0.4, 0.3);
        fabrik(
            &mut chain,
            &IterateParams {
                target,
                ..IterateParams::default()
            },
        );
        ccd(
            &mut chain,
            &IterateParams {
                target: -target,
                ..IterateParams::default()
            },
        );
        aim(
            &mut chain,
            &AimParams {
                target,
                weight: 0.7,
                ..AimParams::default()
            },
        );
        look_at(
            &mut chain,
            &LookAtParams {
                target,
                clamp_degrees: 33.0,
                ..LookAtParams::default()
            },
        );
        chain.store(&mut pose);
        chain.load(&rig, &pose);
        bits(&pose)
    };
    assert_eq!(once(), once());
    // Pinned, so that another processor, compiler or build that differs in one bit is found.
    let hash = once().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| {
        (hash ^ u64::from(*word)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(hash, PINNED, "{hash:#x}");
    assert!(Quat::IDENTITY.is_normalized());
}

const PINNED: u64 = 0xbc04_eca2_8e34_af4e;
