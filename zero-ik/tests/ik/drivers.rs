use glam::{Quat, Vec3};
use zero_ik::{
    Body, ChainRole, ChainSolver, Driver, Error, IkAim, IkChain, IkLimb, IkLookAt, IkNode, IkRig, Placement, Pose, Rig,
    RigTargets, Role, Status, Step, StepState,
};

use crate::common::{bits, close, straight};
use crate::rigs::{FILES, import};

fn body<'a>(rig: &'a Rig, pose: &'a mut Pose) -> Body<'a> {
    Body {
        rig: Some(rig),
        placement: Placement::IDENTITY,
        pose,
    }
}

#[test]
fn a_driver_waits_for_its_rig_and_says_so() {
    let rig = import(FILES[0].1);
    let mut driver = Driver::new(IkLimb::of(ChainRole::RightArm));
    let mut pose = rig.rest_pose();
    let before = bits(&pose);
    let early = driver.solve(
        &mut Body {
            rig: None,
            placement: Placement::IDENTITY,
            pose: &mut pose,
        },
        Some(Vec3::Y),
        None,
    );
    assert_eq!(
        (early.ready, early.status.to_string().as_str()),
        (false, "waiting for the body's rig")
    );
    let idle = driver.solve(&mut body(&rig, &mut pose), None, None);
    assert_eq!((idle.status, idle.bone_count), (Status::NoTarget, 3));
    let mut short = Pose::default();
    assert_eq!(
        driver.solve(&mut body(&rig, &mut short), Some(Vec3::Y), None).status,
        Status::PoseMismatch
    );
    assert_eq!(bits(&pose), before);
}

#[test]
fn a_limb_is_driven_in_world_space_with_its_pole() {
    let rig = import(FILES[0].1);
    let placement = Placement {
        translation: Vec3::new(4.0, 0.0, 2.0),
        rotation: Quat::from_rotation_y(0.8),
        scale: Vec3::splat(1.5),
    };
    let hand = rig.role(Role::RightHand).unwrap();
    let rest = rig.rest_pose();
    let (at, _) = rest.model_of(&rig, hand).unwrap();
    let target_model = at + Vec3::new(0.1, 0.1, 0.1);
    let mut driver = Driver::new(IkLimb::of(ChainRole::RightArm));
    let mut elbow_heights = Vec::new();
    for pole in [Vec3::Y * 3.0, Vec3::Y * -3.0] {
        let mut pose = rest.clone();
        let mut body = Body {
            rig: Some(&rig),
            placement,
            pose: &mut pose,
        };
        let world = |point| Some(placement.model_to_world(point));
        let state = driver.solve(&mut body, world(target_model), world(pole));
        assert!(
            state.ready && state.has_pole && state.distance_to_target < 1e-5,
            "{state:?}"
        );
        assert!((0.4..0.7).contains(&state.reach));
        assert!(close(pose.model_of(&rig, hand).unwrap().0, target_model, 1e-5));
        elbow_heights.push(pose.model_of(&rig, rig.role(Role::RightForeArm).unwrap()).unwrap().0.y);
    }
    assert!(elbow_heights[0] > elbow_heights[1] + 0.1, "{elbow_heights:?}");
}

#[test]
fn a_chain_runs_each_solver_and_reports_what_it_named() {
    let rig = straight(2, 0.5);
    for solver in [ChainSolver::Ccd, ChainSolver::Fabrik, ChainSolver::TwoBone] {
        let params = IkChain {
            root_bone: "b0".into(),
            tip_bone: "b2".into(),
            solver,
            iterations: 60,
            ..IkChain::default()
        };
        let mut driver = Driver::new(params);
        let mut pose = rig.rest_pose();
        let state = driver.solve(&mut body(&rig, &mut pose), Some(Vec3::new(0.7, 0.4, 0.2)));
        assert_eq!(
            (state.status, state.bone_count, state.solver),
            (Status::OnTarget, 3, solver)
        );
        assert!((state.reach - 1.0).abs() < 1e-6 && state.distance_to_target <= 1.1e-3);
    }
}

#[test]
fn names_that_make_no_chain_are_reported_and_mended() {
    let rig = straight(3, 0.5);
    let mut pose = rig.rest_pose();
    let mut driver = Driver::new(IkChain {
        root_bone: "b0".into(),
        tip_bone: "hook".into(),
        ..IkChain::default()
    });
    let state = driver.solve(&mut body(&rig, &mut pose), Some(Vec3::X));
    assert_eq!(
        (state.ready, state.status, state.bone_count),
        (false, Status::NoChain, 0)
    );
    assert!(matches!(state.error.as_deref(), Some(Error::UnknownBone { name, .. }) if name == "hook"));
    driver.params.tip_bone = "b3".into();
    assert!(driver.solve(&mut body(&rig, &mut pose), Some(Vec3::X)).ready);
    // Another rig under the same driver: the chain is resolved anew.
    let longer = straight(5, 0.5);
    let mut pose = longer.rest_pose();
    driver.params.tip_bone = "b5".into();
    assert_eq!(driver.solve(&mut body(&longer, &mut pose), Some(Vec3::X)).bone_count, 6);
    let unnamed = Driver::<IkChain>::default().solve(&mut body(&longer, &mut pose), Some(Vec3::X));
    assert!(matches!(unnamed.error.as_deref(), Some(Error::NoChain { .. })));
}

#[test]
fn one_end_alone_is_refused_and_both_win_over_the_role() {
    let rig = import(FILES[0].1);
    let mut pose = rig.rest_pose();
    let target = Some(Vec3::new(0.3, 1.2, 0.4));
    for (root, tip) in [("upperarm_r", ""), ("", "hand_r")] {
        let (root_bone, tip_bone) = (root.to_owned(), tip.to_owned());
        let mut limb = Driver::new(IkLimb {
            root_bone: root_bone.clone(),
            tip_bone: tip_bone.clone(),
            ..IkLimb::of(ChainRole::LeftLeg)
        });
        let mut aim = Driver::new(IkAim {
            role: Some(ChainRole::LeftLeg),
            root_bone: root_bone.clone(),
            tip_bone: tip_bone.clone(),
            ..IkAim::default()
        });
        let mut look = Driver::new(IkLookAt {
            root_bone,
            tip_bone,
            ..IkLookAt::default()
        });
        let errors = [
            limb.solve(&mut body(&rig, &mut pose), target, None).error,
            aim.solve(&mut body(&rig, &mut pose), target).error,
            look.solve(&mut body(&rig, &mut pose), target).error,
        ];
        for error in errors {
            let expected = Error::NoChain {
                root: root.into(),
                tip: tip.into(),
            };
            assert_eq!(error.as_deref(), Some(&expected));
        }
        limb.params.root_bone = "upperarm_r".into();
        limb.params.tip_bone = "hand_r".into();
        assert!(limb.solve(&mut body(&rig, &mut pose), target, None).ready);
        let leg = rig.role(Role::LeftLeg).unwrap();
        assert_eq!(
            pose.get(leg),
            rig.rest_pose().get(leg),
            "the arm was driven, and not the leg of the role"
        );
    }
}

#[test]
fn aim_and_look_at_report_their_error_and_clamp() {
    let rig = import(FILES[0].1);
    let mut pose = rig.rest_pose();
    let mut aim = Driver::new(IkAim {
        root_bone: "upperarm_r".into(),
        tip_bone: "hand_r".into(),
        axis_y: 1.0,
        axis_z: 0.0,
        ..IkAim::default()
    });
    let state = aim.solve(&mut body(&rig, &mut pose), Some(Vec3::new(-2.0, 1.5, 3.0)));
    assert!(
        state.ready && state.aim_error_degrees < 0.01 && state.bone_count == 3,
        "{state:?}"
    );
    aim.params.axis_y = 0.0;
    assert_eq!(
        aim.solve(&mut body(&rig, &mut pose), Some(Vec3::X)).status,
        Status::Degenerate
    );

    let mut look = Driver::new(IkLookAt {
        axis_y: 0.0,
        clamp_angle: 40.0,
        ..IkLookAt::default()
    });
    let ahead = look.solve(&mut body(&rig, &mut pose), Some(Vec3::new(0.2, 1.6, 4.0)));
    let behind = look.solve(&mut body(&rig, &mut pose), Some(Vec3::new(0.5, 1.6, -4.0)));
    assert_eq!((ahead.clamped, behind.clamped, behind.clamp_angle), (false, true, 40.0));
    assert_eq!(look.solve(&mut body(&rig, &mut pose), None).status, Status::NoTarget);
}

#[test]
fn a_state_tells_the_weight_that_was_run() {
    let rig = straight(2, 0.5);
    let whole = import(FILES[0].1);
    let target = Some(Vec3::new(0.3, 0.4, 0.2));
    let ends = ("b0".to_owned(), "b2".to_owned());
    for (set, run, status) in [
        (5.0, 1.0, Status::OnTarget),
        (1.0, 1.0, Status::OnTarget),
        (-3.0, 0.0, Status::PassThrough),
        (f32::NAN, 0.0, Status::NotFinite),
        (f32::INFINITY, 0.0, Status::NotFinite),
    ] {
        let mut pose = rig.rest_pose();
        let (mut limb, mut chain) = (Driver::new(IkLimb::default()), Driver::new(IkChain::default()));
        let (mut aim, mut look) = (Driver::new(IkAim::default()), Driver::new(IkLookAt::default()));
        (limb.params.root_bone, limb.params.tip_bone) = ends.clone();
        (chain.params.root_bone, chain.params.tip_bone) = ends.clone();
        (aim.params.root_bone, aim.params.tip_bone) = ends.clone();
        (look.params.root_bone, look.params.tip_bone) = ends.clone();
        (
            limb.params.weight,
            chain.params.weight,
            aim.params.weight,
            look.params.weight,
        ) = (set, set, set, set);
        (chain.params.iterations, look.params.clamp_angle) = (100, 180.0);
        let limb = limb.solve(&mut body(&rig, &mut pose), target, None);
        let chain = chain.solve(&mut body(&rig, &mut rig.rest_pose()), target);
        let aim = aim.solve(&mut body(&rig, &mut rig.rest_pose()), target);
        let look = look.solve(&mut body(&rig, &mut rig.rest_pose()), target);
        let statuses = [limb.status, chain.status, aim.status, look.status];
        assert_eq!(statuses, [status; 4], "{set}");
        assert_eq!([limb.weight, chain.weight, aim.weight, look.weight], [run; 4], "{set}");

        let mut character = Driver::new(IkRig {
            left_hand_weight: set,
            left_foot_weight: set,
            look_weight: set,
            ..IkRig::default()
        });
        let rest = whole.rest_pose();
        let near = |role| {
            rest.model_of(&whole, whole.role(role).unwrap())
                .map(|at| at.0 + Vec3::new(0.0, 0.05, 0.05))
        };
        let targets = RigTargets {
            left_hand: near(Role::LeftHand),
            left_foot: near(Role::LeftFoot),
            look: near(Role::Head).map(|head| head + Vec3::Z),
            ..RigTargets::default()
        };
        let state = character.solve(&mut body(&whole, &mut rest.clone()), &targets, 0.016, &mut |_| None);
        assert_eq!(
            [state.limbs[0].weight, state.limbs[2].weight, state.look.weight],
            [run; 3],
            "{set}"
        );
        assert_eq!(
            [state.limbs[0].status, state.limbs[2].status, state.look.status],
            [status; 3],
            "{set}"
        );
    }
}

#[test]
fn a_node_starts_every_frame_from_the_base_pose() {
    let rig = import(FILES[2].1);
    let hand = rig.role(Role::RightHand).unwrap();
    let base = rig.rest_pose();
    let target = base.model_of(&rig, hand).unwrap().0 + Vec3::new(0.2, -0.1, 0.2);
    let character = Driver::new(IkRig {
        grounding: true,
        grounding_half_life: 0.0,
        ..IkRig::default()
    });
    let mut tail = Driver::new(IkChain {
        solver: ChainSolver::Fabrik,
        iterations: 40,
        ..IkChain::default()
    });
    (tail.params.root_bone, tail.params.tip_bone) = ("tail0".into(), "tail9".into());
    let mut node = IkNode::new(vec![
        Step::Rig(
            character,
            RigTargets {
                right_hand: Some(target),
                ..RigTargets::default()
            },
        ),
        Step::Chain(tail, Some(Vec3::new(0.2, 0.9, -0.5))),
    ]);
    let mut low = |ray: zero_ik::Ray| {
        Some(zero_ik::Hit {
            point: Vec3::new(ray.origin.x, -0.1, ray.origin.z),
            normal: Vec3::Y,
        })
    };
    let (mut out, mut states) = (Pose::default(), Vec::new());
    let mut first = Vec::new();
    for frame in 0..200 {
        node.evaluate(
            Some(&rig),
            Placement::IDENTITY,
            &base,
            0.016,
            &mut low,
            &mut out,
            &mut states,
        );
        if frame == 0 {
            first = bits(&out);
        }
    }
    assert_eq!(bits(&out), first, "nothing piles up from frame to frame");
    assert!(matches!(&states[0], StepState::Rig(state) if state.limbs[3].status == Status::OnTarget));
    assert!(
        matches!(&states[1], StepState::Chain(state) if state.status == Status::OnTarget),
        "{:?}",
        states[1]
    );
    assert!(close(out.model_of(&rig, hand).unwrap().0, target, 1e-4));
}

#[cfg(feature = "serde")]
#[test]
fn settings_states_and_rigs_are_written_in_the_files_names() {
    let limb: IkLimb = serde_json::from_str(r#"{"role":"leftarm","weight":0.5}"#).unwrap();
    assert_eq!((limb.role, limb.weight), (Some(ChainRole::LeftArm), 0.5));
    let chain: IkChain = serde_json::from_str(r#"{"rootBone":"a","tipBone":"b","solver":"twoBone"}"#).unwrap();
    assert_eq!(chain.solver, ChainSolver::TwoBone);
    let text = serde_json::to_value(IkRig::default()).unwrap();
    for field in [
        "leftFootWeight",
        "lookClampAngle",
        "groundingMaxSlope",
        "groundingFootHeight",
        "groundingRayDown",
    ] {
        assert!(text.get(field).is_some(), "{field} is missing from {text}");
    }
    assert!(
        serde_json::from_str::<IkAim>(r#"{"axisW":1}"#).is_err(),
        "a field that nothing reads is refused"
    );
    assert!(serde_json::from_str::<Placement>(r#"{"rotatoin":[0,0,0,1]}"#).is_err());
    assert!(serde_json::from_str::<Rig>(r#"[{"name":"a","rest":{"turn":[0,0,0,1]}}]"#).is_err());
    let rig = import(FILES[0].1);
    let back: Rig = serde_json::from_str(&serde_json::to_string(&rig).unwrap()).unwrap();
    assert_eq!((back.fingerprint(), &back), (rig.fingerprint(), &rig));
    assert!(
        serde_json::from_str::<Rig>(r#"[{"name":"a","parent":0}]"#).is_err(),
        "a bad rig is refused"
    );
    let pose: Pose = serde_json::from_str(&serde_json::to_string(&rig.rest_pose()).unwrap()).unwrap();
    assert_eq!(pose, rig.rest_pose());
    let limit = zero_ik::Limit::hinge(Vec3::X, -5.0, 140.0).unwrap();
    let written = serde_json::to_string(&limit).unwrap();
    assert_eq!(
        written,
        r#"{"hinge":{"axis":[1.0,0.0,0.0],"minDegrees":-5.0,"maxDegrees":140.0}}"#
    );
    assert_eq!(serde_json::from_str::<zero_ik::Limit>(&written).unwrap(), limit);
    assert!(serde_json::from_str::<zero_ik::Limit>(&written.replace("140", "240")).is_err());
    let mut pose = Pose::default();
    let state = Driver::<IkChain>::default().solve(&mut body(&rig, &mut pose), None);
    assert_eq!(serde_json::to_value(&state).unwrap()["status"], "poseMismatch");
}
