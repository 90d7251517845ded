use glam::{Quat, Vec3};
use zero_ik::{IterateParams, Limit, Solve, Status, TwoBoneParams, ccd, fabrik, two_bone};

use crate::common::{arm, bent, bits, close, directions, lengths, straight};

type Iterated = fn(&mut zero_ik::Chain, &IterateParams) -> Solve;

fn to(target: Vec3) -> TwoBoneParams {
    TwoBoneParams {
        target,
        ..TwoBoneParams::default()
    }
}

fn toward(target: Vec3) -> IterateParams {
    IterateParams {
        target,
        iterations: 60,
        tolerance: 1e-4,
        ..IterateParams::default()
    }
}

#[test]
fn two_bone_meets_targets_in_every_direction() {
    let (rig, pose, mut chain) = arm();
    let shoulder = chain.position(0).unwrap();
    for direction in directions(200).chain([Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]) {
        for distance in [0.0501, 0.1, 0.3, 0.5, 0.5499] {
            chain.load(&rig, &pose);
            let target = shoulder + direction * distance;
            let solve = two_bone(&mut chain, &to(target));
            assert!(solve.distance_to_target < 2e-6, "{direction} {distance}: {solve:?}");
            assert_eq!(solve.status, Status::OnTarget);
            assert!(close(chain.tip_position(), target, 2e-6));
            assert!((lengths(&chain)[0] - 0.3).abs() < 1e-6 && (lengths(&chain)[1] - 0.25).abs() < 1e-6);
        }
    }
}

#[test]
fn two_bone_extends_toward_what_it_cannot_reach_and_folds_before_what_is_too_near() {
    let (rig, pose, mut chain) = arm();
    let shoulder = chain.position(0).unwrap();
    for direction in directions(50) {
        chain.load(&rig, &pose);
        let far = two_bone(&mut chain, &to(shoulder + direction * 3.0));
        assert_eq!(far.status, Status::OutOfReach);
        assert!((far.distance_to_target - 2.45).abs() < 1e-5);
        assert!(
            close(chain.tip_position(), shoulder + direction * 0.55, 1e-5),
            "straight toward it"
        );
        chain.load(&rig, &pose);
        let near = two_bone(&mut chain, &to(shoulder + direction * 0.01));
        assert_eq!(near.status, Status::TooClose);
        assert!(
            close(chain.tip_position(), shoulder + direction * 0.05, 1e-5),
            "folded along it"
        );
    }
}

#[test]
fn weight_0_is_the_incoming_pose_to_the_bit_and_a_part_lies_between() {
    let (rig, mut pose, mut chain) = arm();
    // A rotation that is not of unit length would change if anything touched it.
    pose.transforms_mut()[1].rotation = Quat::from_xyzw(0.1, 0.2, 0.3, 1.0);
    let before = bits(&pose);
    let target = Vec3::new(0.1, 1.7, 0.3);
    chain.load(&rig, &pose);
    let none = two_bone(
        &mut chain,
        &TwoBoneParams {
            weight: 0.0,
            ..to(target)
        },
    );
    assert_eq!(none.status, Status::PassThrough);
    ccd(
        &mut chain,
        &IterateParams {
            weight: 0.0,
            ..toward(target)
        },
    );
    fabrik(
        &mut chain,
        &IterateParams {
            weight: -1.0,
            ..toward(target)
        },
    );
    chain.store(&mut pose);
    assert_eq!(bits(&pose), before);

    let start = chain.tip_position().distance(target);
    let mut last = start;
    for weight in [0.25, 0.5, 0.75] {
        chain.load(&rig, &pose);
        let part = two_bone(&mut chain, &TwoBoneParams { weight, ..to(target) });
        assert_eq!(part.status, Status::Blended);
        assert!(
            part.distance_to_target < last && part.distance_to_target > 0.01,
            "{weight}: {part:?}"
        );
        last = part.distance_to_target;
    }
}

#[test]
fn opposite_poles_bend_opposite_ways_and_the_same_pole_the_same_way() {
    let (rig, pose, mut chain) = arm();
    let shoulder = chain.position(0).unwrap();
    for direction in directions(40) {
        let target = shoulder + direction * 0.4;
        let across = direction.any_orthonormal_vector();
        let mut elbow = |pole: Vec3, start: Quat| {
            let mut from = pose.clone();
            from.transforms_mut()[1].rotation = start;
            chain.load(&rig, &from);
            let solve = two_bone(
                &mut chain,
                &TwoBoneParams {
                    pole: Some(shoulder + pole),
                    ..to(target)
                },
            );
            assert!(solve.distance_to_target < 2e-6);
            chain.position(1).unwrap()
        };
        let (up, down) = (elbow(across, Quat::IDENTITY), elbow(-across, Quat::IDENTITY));
        let middle = shoulder + direction * (up - shoulder).dot(direction);
        assert!((up - middle).dot(across) > 0.01 && (down - middle).dot(across) < -0.01);
        assert!(close(up - middle, middle - down, 1e-5));
        // Whatever pose it came from, and wherever along the root-to-target line the pole lies.
        assert!(close(
            up,
            elbow(across + direction * 0.7, Quat::from_rotation_z(2.0)),
            1e-5
        ));
    }
}

#[test]
fn without_a_pole_the_incoming_bend_plane_is_kept() {
    let (rig, pose, mut chain) = arm();
    let (shoulder, elbow, hand) = (
        chain.position(0).unwrap(),
        chain.position(1).unwrap(),
        chain.tip_position(),
    );
    let normal = (elbow - shoulder).cross(hand - elbow).normalize();
    // A target within the plane: the elbow stays in it, on the side it was on.
    let target = shoulder + (hand - shoulder) * 0.6;
    two_bone(&mut chain, &to(target));
    let moved = chain.position(1).unwrap();
    assert!((moved - shoulder).dot(normal).abs() < 1e-6);
    assert!(
        (moved - shoulder)
            .cross(chain.tip_position() - moved)
            .normalize()
            .dot(normal)
            > 0.999_99
    );
    // The hinge stays a hinge: the elbow's axis in its own space is what it was.
    let axis_of = |q: Quat| Vec3::new(q.x, q.y, q.z).normalize() * q.w.signum();
    let (before, after) = (pose.transforms()[2].rotation, chain.local_rotation(1).unwrap());
    assert!(axis_of(before).dot(axis_of(after)) > 0.999_99, "{before} {after}");
    // Rig and pose stay as they were: the chain holds the answer until it is stored.
    chain.load(&rig, &pose);
    assert_eq!(chain.position(1).unwrap(), elbow);
}

#[test]
fn ccd_and_fabrik_converge_keep_their_lengths_and_stay_anchored() {
    // Descent takes its time on long runs.
    let solvers: [(&str, Iterated, u32); 2] = [("ccd", ccd, 400), ("fabrik", fabrik, 40)];
    for (name, solver, iterations) in solvers {
        let (rig, pose, mut chain) = bent(10, 0.2, 0.2);
        let root = chain.position(0).unwrap();
        for direction in directions(60) {
            for distance in [0.3, 1.0, 1.7] {
                chain.load(&rig, &pose);
                let target = root + direction * distance;
                let solve = solver(
                    &mut chain,
                    &IterateParams {
                        iterations,
                        ..toward(target)
                    },
                );
                assert_eq!(
                    solve.status,
                    Status::OnTarget,
                    "{name} {direction} {distance}: {solve:?}"
                );
                assert!(solve.distance_to_target <= 1.1e-4 && solve.iterations > 0);
                assert!(close(chain.tip_position(), target, 1.1e-4));
                assert_eq!(chain.position(0).unwrap(), root);
                assert!(
                    lengths(&chain).iter().all(|length| (length - 0.2).abs() < 1e-6),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn ccd_and_fabrik_stop_at_tolerance_and_touch_nothing_that_is_there() {
    for solver in [ccd, fabrik] {
        let (rig, mut pose, mut chain) = bent(6, 0.3, 0.3);
        let before = bits(&pose);
        let target = chain.tip_position() + Vec3::splat(1e-3);
        let solve = solver(
            &mut chain,
            &IterateParams {
                tolerance: 0.01,
                ..toward(target)
            },
        );
        assert_eq!((solve.status, solve.iterations), (Status::OnTarget, 0));
        chain.store(&mut pose);
        assert_eq!(bits(&pose), before);

        let target = chain.position(0).unwrap() + Vec3::new(0.8, 0.5, 0.4);
        let mut rounds = Vec::new();
        for tolerance in [0.1, 0.01, 1e-3, 1e-4] {
            chain.load(&rig, &pose);
            let solve = solver(
                &mut chain,
                &IterateParams {
                    tolerance,
                    ..toward(target)
                },
            );
            assert!(solve.distance_to_target <= tolerance * 1.001);
            rounds.push(solve.iterations);
        }
        assert!(rounds.is_sorted() && rounds[0] < rounds[3], "{rounds:?}");
    }
}

#[test]
fn a_budget_of_iterations_is_kept_and_running_out_is_said() {
    for solver in [ccd, fabrik] {
        let (_, _, mut chain) = bent(10, 0.2, 0.05);
        let target = chain.position(0).unwrap() + Vec3::new(0.1, -0.4, 0.05);
        let solve = solver(
            &mut chain,
            &IterateParams {
                target,
                iterations: 1,
                tolerance: 0.0,
                weight: 1.0,
            },
        );
        assert_eq!((solve.status, solve.iterations), (Status::NotConverged, 1));
    }
}

#[test]
fn a_long_chain_lies_straight_toward_what_it_cannot_reach() {
    for solver in [ccd, fabrik] {
        let (_, _, mut chain) = bent(10, 0.2, 0.3);
        let root = chain.position(0).unwrap();
        let direction = Vec3::new(1.0, -2.0, 0.5).normalize();
        let solve = solver(&mut chain, &toward(root + direction * 5.0));
        assert_eq!(solve.status, Status::OutOfReach);
        for index in 0..=10 {
            assert!(close(
                chain.position(index).unwrap(),
                root + direction * 0.2 * index as f32,
                1e-5
            ));
        }
    }
}

#[test]
fn a_straight_chain_bends_to_a_target_on_its_own_line() {
    for solver in [ccd, fabrik] {
        let rig = straight(10, 0.2);
        for distance in [1.2, 0.5, -1.0] {
            let mut chain = rig.chain("b0", "b10").unwrap();
            let target = chain.position(0).unwrap() + Vec3::Y * distance;
            let solve = solver(
                &mut chain,
                &IterateParams {
                    iterations: 200,
                    ..toward(target)
                },
            );
            assert_eq!(solve.status, Status::OnTarget, "{distance}: {solve:?}");
        }
    }
}

#[test]
fn a_part_weight_of_an_iterated_solve_lies_between() {
    for solver in [ccd, fabrik] {
        let (rig, pose, mut chain) = bent(5, 0.3, 0.3);
        let target = chain.tip_position() + Vec3::new(0.3, -0.25, 0.2);
        let mut last = chain.tip_position().distance(target);
        for weight in [0.25, 0.5, 0.75] {
            chain.load(&rig, &pose);
            let solve = solver(
                &mut chain,
                &IterateParams {
                    weight,
                    ..toward(target)
                },
            );
            assert_eq!(solve.status, Status::Blended);
            assert!(
                solve.distance_to_target < last && solve.distance_to_target > 0.01,
                "{weight}: {solve:?}"
            );
            last = solve.distance_to_target;
        }
    }
}

#[test]
fn limits_hold_while_iterating() {
    for solver in [ccd, fabrik] {
        let (rig, pose, mut chain) = bent(8, 0.25, 0.1);
        let limits: Vec<Limit> = (0..8)
            .map(|index| match index % 2 {
                0 => Limit::cone(Vec3::Y, 30.0, 20.0).unwrap(),
                _ => Limit::hinge(Vec3::X, -10.0, 60.0).unwrap(),
            })
            .collect();
        for (index, limit) in limits.iter().enumerate() {
            chain.set_limit(index, Some(*limit));
        }
        let root = chain.position(0).unwrap();
        let (mut met, mut held) = (0, 0);
        for direction in directions(80) {
            chain.load(&rig, &pose);
            let solve = solver(&mut chain, &toward(root + direction * 1.2));
            met += usize::from(solve.status == Status::OnTarget);
            assert!(
                matches!(
                    solve.status,
                    Status::OnTarget | Status::HeldByLimit | Status::NotConverged
                ),
                "{solve:?}"
            );
            held += usize::from(solve.status == Status::HeldByLimit);
            for (index, limit) in limits.iter().enumerate() {
                let excess = limit.excess_degrees(Quat::IDENTITY, chain.local_rotation(index).unwrap());
                assert!(excess < 1e-3, "bone {index} is {excess} degrees past its limit");
            }
        }
        assert!(
            met > 15 && held > 15,
            "some are met and some are out of the limits: {met}, {held}"
        );
    }
}
