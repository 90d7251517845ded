use glam::{Quat, Vec3};
use proptest::prelude::*;
use zero_ik::{
    AimParams, Body, Bone, Chain, Driver, Hit, IkAim, IkChain, IkLimb, IkLookAt, IkRig, IterateParams, Limit,
    LookAtParams, Placement, Pose, Rig, RigTargets, Status, Transform, TwoBoneParams, aim, ccd, clamp_slope, fabrik,
    look_at, pelvis_drop, smooth, two_bone,
};

use crate::common::{arm, bits};
use crate::rigs::{FILES, import};

/// Any finite number, the awkward ones often.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -2.0f32..2.0,
        2 => Just(0.0f32),
        1 => Just(1.0f32),
        1 => prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO,
        1 => prop::sample::select(vec![f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -1e-45, 1e20, -1e-20, 1e30]),
    ]
}

fn vector() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        3 => [number(), number(), number()].prop_map(Vec3::from_array),
        1 => prop::sample::select(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Y, Vec3::MAX, Vec3::MIN]),
    ]
}

/// Any finite rotation, not always of unit length; zero once in a while.
fn rotation() -> impl Strategy<Value = Quat> {
    prop_oneof![
        3 => [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0].prop_map(|q| Quat::from_array(q).normalize()),
        1 => [number(), number(), number(), number()].prop_map(Quat::from_array),
        1 => Just(Quat::IDENTITY),
        1 => Just(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)),
    ]
}

fn limit() -> impl Strategy<Value = Option<Limit>> {
    let axis = prop::sample::select(vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, -1.0, 0.5)]);
    let cone = (axis.clone(), 0.0f32..180.0, 0.0f32..180.0).prop_map(|(a, s, t)| Limit::cone(a, s, t).ok());
    let hinge = (axis, -180.0f32..0.0, 0.0f32..180.0).prop_map(|(a, low, high)| Limit::hinge(a, low, high).ok());
    prop_oneof![3 => Just(None), 1 => cone, 1 => hinge]
}

/// A chain of up to 7 bones with anything in it: no length, huge lengths, scales of zero and below.
fn body() -> impl Strategy<Value = (Rig, Pose, Chain)> {
    let bone = (
        vector(),
        rotation(),
        prop_oneof![4 => Just(Vec3::ONE), 1 => vector()],
        rotation(),
        limit(),
    );
    prop::collection::vec(bone, 1..8).prop_map(|parts| {
        let mut bones = Vec::new();
        let mut posed = Vec::new();
        for (index, (translation, rest, scale, rotation, limit)) in parts.iter().enumerate() {
            let rest = if rest.as_dquat_length() > 1e-20 {
                *rest
            } else {
                Quat::IDENTITY
            };
            let rest = Transform {
                translation: *translation,
                rotation: rest,
                scale: *scale,
            };
            let mut bone = Bone::new(format!("b{index}"), index.checked_sub(1), rest);
            bone.limit = *limit;
            posed.push(rest.turned(*rotation));
            bones.push(bone);
        }
        let rig = Rig::new(bones).unwrap();
        let pose = Pose::from_transforms(posed);
        let root = usize::from(parts.len() > 4);
        let mut chain = rig
            .chain(&format!("b{root}"), &format!("b{}", parts.len() - 1))
            .unwrap();
        if chain.len() > 3 {
            let joint = chain.bones().nth(1).unwrap();
            chain.set_joint(&rig, joint).unwrap();
        }
        chain.load(&rig, &pose);
        (rig, pose, chain)
    })
}

trait Length {
    fn as_dquat_length(&self) -> f64;
}

impl Length for Quat {
    fn as_dquat_length(&self) -> f64 {
        self.to_array()
            .iter()
            .map(|x| f64::from(*x) * f64::from(*x))
            .sum::<f64>()
            .sqrt()
    }
}

fn assert_sound(chain: &Chain, rig: &Rig, pose: &Pose, what: &str) {
    for index in 0..chain.len() {
        let (position, rotation) = (chain.position(index).unwrap(), chain.rotation(index).unwrap());
        assert!(position.is_finite(), "{what}: bone {index} is at {position}");
        assert!(
            rotation.is_finite() && (rotation.length() - 1.0).abs() < 1e-4,
            "{what}: bone {index} turned {rotation}"
        );
        assert!(chain.local_rotation(index).unwrap().is_finite(), "{what}");
    }
    // Lengths come from translations and scales, and those are never touched.
    let mut out = pose.clone();
    chain.store(&mut out);
    for (before, after) in pose.transforms().iter().zip(out.transforms()) {
        assert_eq!((before.translation, before.scale), (after.translation, after.scale));
        assert!(after.rotation.is_finite(), "{what}");
    }
    assert_eq!(rig.len(), out.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_finite_input_yields_nan(
        (rig, pose, chain) in body(),
        target in vector(),
        pole in prop::option::of(vector()),
        axis in vector(),
        weight in number(),
        clamp in number(),
        at in 0usize..4,
    ) {
        // Often the target is where a joint is, or straight across from the tip.
        let target = match at {
            0 => chain.position(0).unwrap(),
            1 => chain.tip_position(),
            2 => {
                let opposite = 2.0 * chain.position(0).unwrap() - chain.tip_position();
                if opposite.is_finite() { opposite } else { target }
            }
            _ => target,
        };
        let fresh = || chain.clone();
        let mut moved = fresh();
        let solve = two_bone(&mut moved, &TwoBoneParams { target, pole, weight });
        prop_assert!(solve.distance_to_target.is_finite(), "{solve:?}");
        assert_sound(&moved, &rig, &pose, "two_bone");
        for solver in [ccd, fabrik] {
            let mut moved = fresh();
            let solve = solver(&mut moved, &IterateParams { target, weight, iterations: 6, tolerance: clamp });
            prop_assert!(solve.distance_to_target.is_finite(), "{solve:?}");
            assert_sound(&moved, &rig, &pose, "ccd or fabrik");
        }
        let mut moved = fresh();
        let turn = aim(&mut moved, &AimParams { target, axis, weight, iterations: 4 });
        prop_assert!(turn.error_degrees.is_finite(), "{turn:?}");
        assert_sound(&moved, &rig, &pose, "aim");
        let mut moved = fresh();
        let params = LookAtParams { target, axis, body_weight: weight, clamp_degrees: clamp, weight };
        let turn = look_at(&mut moved, &params);
        prop_assert!(turn.error_degrees.is_finite(), "{turn:?}");
        assert_sound(&moved, &rig, &pose, "look_at");
    }

    #[test]
    fn no_finite_input_yields_nan_in_a_whole_character(
        (translation, turn, scale) in (vector(), rotation(), prop_oneof![2 => Just(Vec3::ONE), 1 => vector()]),
        targets in [prop::option::of(vector()), prop::option::of(vector()), prop::option::of(vector())],
        (point, normal) in (vector(), vector()),
        settings in [number(), number(), number(), number(), number(), number(), number(), number()],
        (bone, posed) in (0usize..53, rotation()),
        dt_secs in number(),
    ) {
        let rig = import(FILES[0].1);
        let mut driver = Driver::new(IkRig {
            left_foot_weight: settings[0],
            left_hand_weight: settings[1],
            look_weight: settings[2],
            look_body_weight: settings[1],
            grounding: true,
            grounding_max_slope: settings[3],
            grounding_foot_height: Some(settings[4]),
            grounding_half_life: settings[5],
            grounding_ray_up: settings[6],
            grounding_ray_down: settings[7],
            ..IkRig::default()
        });
        let targets = RigTargets {
            left_foot: targets[0],
            left_hand: targets[1],
            look: targets[2],
            ..RigTargets::default()
        };
        let placement = Placement { translation, rotation: turn, scale };
        for _ in 0..3 {
            let mut pose = rig.rest_pose();
            pose.transforms_mut()[bone].rotation = posed;
            let mut body = Body { rig: Some(&rig), placement, pose: &mut pose };
            let state = driver.solve(&mut body, &targets, dt_secs, &mut |ray| {
                assert!(ray.origin.is_finite() && ray.direction.is_finite() && ray.length.is_finite(), "{ray:?}");
                Some(Hit { point, normal })
            });
            prop_assert!(state.ready && state.pelvis_offset.is_finite() && state.pelvis_offset <= 0.0, "{state:?}");
            for limb in state.limbs {
                let numbers = [limb.weight, limb.distance_to_target, limb.lift];
                prop_assert!(numbers.iter().all(|number| number.is_finite()), "{limb:?}");
            }
            let sound = |t: &Transform| t.translation.is_finite() && t.rotation.is_finite();
            prop_assert!(pose.transforms().iter().all(sound), "{state:?}");
        }
    }

    #[test]
    fn no_finite_input_yields_nan_in_the_small_parts(
        placement in (vector(), rotation(), vector()),
        (first, second) in (vector(), vector()),
        (rest, local) in (rotation(), rotation()),
        limit in limit(),
        numbers in [number(), number(), number(), number()],
    ) {
        let (translation, rotation, scale) = placement;
        let placement = Placement { translation, rotation, scale };
        let points = [
            placement.model_to_world(first),
            placement.world_to_model(first),
            placement.displacement_to_world(first),
            placement.normal_to_model(first),
            clamp_slope(first, numbers[0]),
        ];
        prop_assert!(points.iter().all(|point| point.is_finite()), "{points:?}");
        let drop = pelvis_drop(first, second, numbers[0]);
        prop_assert!(drop.is_finite() && drop >= 0.0, "{drop}");
        prop_assert!(smooth(numbers[0], numbers[1], numbers[2], numbers[3]).is_finite());
        if let Some(limit) = limit {
            prop_assert!(limit.apply(rest, local).is_finite());
            prop_assert!(limit.excess_degrees(rest, local).is_finite());
        }
    }

    #[test]
    fn weight_0_changes_no_bit_of_any_pose((rig, pose, chain) in body(), target in vector(), axis in vector()) {
        let mut moved = chain.clone();
        two_bone(&mut moved, &TwoBoneParams { target, pole: Some(axis), weight: 0.0 });
        ccd(&mut moved, &IterateParams { target, weight: 0.0, ..IterateParams::default() });
        fabrik(&mut moved, &IterateParams { target, weight: 0.0, ..IterateParams::default() });
        aim(&mut moved, &AimParams { target, axis, weight: 0.0, ..AimParams::default() });
        look_at(&mut moved, &LookAtParams { target, axis, weight: 0.0, ..LookAtParams::default() });
        let mut out = pose.clone();
        moved.store(&mut out);
        prop_assert_eq!(bits(&out), bits(&pose));
        prop_assert_eq!(rig.len(), pose.len());
    }
}

/// A world target goes through a placement first, which must not make a number of what is none.
#[test]
fn a_target_in_the_world_that_is_not_finite_is_refused_by_every_driver() {
    let (rig, pose, _) = arm();
    let ends = || ("upper".to_owned(), "hand".to_owned());
    let (mut limb, mut chain) = (Driver::new(IkLimb::default()), Driver::new(IkChain::default()));
    let (mut aiming, mut looking) = (Driver::new(IkAim::default()), Driver::new(IkLookAt::default()));
    (limb.params.root_bone, limb.params.tip_bone) = ends();
    (chain.params.root_bone, chain.params.tip_bone) = ends();
    (aiming.params.root_bone, aiming.params.tip_bone) = ends();
    (looking.params.root_bone, looking.params.tip_bone) = ends();
    let mut whole = Driver::new(IkRig::default());
    for bad in [
        Vec3::NAN,
        Vec3::INFINITY,
        Vec3::new(0.3, f32::NAN, 0.1),
        Vec3::X * f32::NEG_INFINITY,
    ] {
        for (rotation, scale) in [
            (Quat::IDENTITY, Vec3::ONE),
            (Quat::from_rotation_y(0.3), Vec3::splat(2.0)),
            (Quat::from_rotation_x(1.0), Vec3::ZERO),
        ] {
            let placement = Placement {
                translation: Vec3::ONE,
                rotation,
                scale,
            };
            let mut moved = pose.clone();
            let body = &mut Body {
                rig: Some(&rig),
                placement,
                pose: &mut moved,
            };
            let targets = RigTargets {
                left_hand: Some(bad),
                ..RigTargets::default()
            };
            let statuses = [
                limb.solve(body, Some(bad), None).status,
                limb.solve(body, Some(Vec3::ONE), Some(bad)).status,
                chain.solve(body, Some(bad)).status,
                aiming.solve(body, Some(bad)).status,
                looking.solve(body, Some(bad)).status,
                whole.solve(body, &targets, 0.016, &mut |_| None).limbs[2].status,
            ];
            assert_eq!(statuses, [Status::NotFinite; 6], "{bad} {placement:?}");
            assert_eq!(bits(&moved), bits(&pose));
        }
    }
}

#[test]
fn what_is_not_finite_is_left_alone_and_said() {
    let (rig, pose, mut chain) = arm();
    let bad = Vec3::new(f32::NAN, 0.0, 0.0);
    let solves = [
        two_bone(
            &mut chain,
            &TwoBoneParams {
                target: bad,
                ..Default::default()
            },
        )
        .status,
        two_bone(
            &mut chain,
            &TwoBoneParams {
                pole: Some(bad),
                ..Default::default()
            },
        )
        .status,
        two_bone(
            &mut chain,
            &TwoBoneParams {
                weight: f32::NAN,
                ..Default::default()
            },
        )
        .status,
        ccd(
            &mut chain,
            &IterateParams {
                target: Vec3::INFINITY,
                ..Default::default()
            },
        )
        .status,
        fabrik(
            &mut chain,
            &IterateParams {
                tolerance: f32::NAN,
                ..Default::default()
            },
        )
        .status,
        fabrik(
            &mut chain,
            &IterateParams {
                tolerance: f32::INFINITY,
                ..Default::default()
            },
        )
        .status,
        look_at(
            &mut chain,
            &LookAtParams {
                body_weight: f32::INFINITY,
                ..Default::default()
            },
        )
        .status,
        aim(
            &mut chain,
            &AimParams {
                axis: bad,
                ..Default::default()
            },
        )
        .status,
        look_at(
            &mut chain,
            &LookAtParams {
                clamp_degrees: f32::NAN,
                ..Default::default()
            },
        )
        .status,
    ];
    assert!(solves.iter().all(|status| *status == Status::NotFinite), "{solves:?}");
    let mut out = pose.clone();
    chain.store(&mut out);
    assert_eq!(bits(&out), bits(&pose));

    let mut broken = pose.clone();
    broken.transforms_mut()[0].translation.x = f32::NAN;
    chain.load(&rig, &broken);
    let solve = two_bone(&mut chain, &TwoBoneParams::default());
    assert_eq!((solve.status, solve.distance_to_target), (Status::NotFinite, 0.0));
    chain.load(&rig, &pose);
    assert!(
        two_bone(&mut chain, &TwoBoneParams::default()).status.is_ready(),
        "a good pose mends it"
    );
}
