use glam::{Quat, Vec3};
use zero_ik::{Error, Limit};

use crate::common::directions;

fn turns() -> impl Iterator<Item = Quat> {
    let angles = [0.0f32, 0.01, 0.3, 0.9, 1.5, 2.4, 3.1, 3.15, 4.5];
    directions(60).flat_map(move |axis| angles.into_iter().map(move |angle| Quat::from_axis_angle(axis, angle)))
}

fn rests() -> [Quat; 2] {
    [Quat::IDENTITY, Quat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0)]
}

#[test]
fn a_cone_clamps_what_is_outside_and_leaves_what_is_inside() {
    let cone = Limit::cone(Vec3::Y, 40.0, 25.0).unwrap();
    let (mut inside, mut outside) = (0, 0);
    for rest in rests() {
        for turn in turns() {
            let held = cone.apply(rest, rest * turn);
            let from_rest = rest.conjugate() * held;
            let swing = (from_rest * Vec3::Y).angle_between(Vec3::Y).to_degrees();
            assert!(swing < 40.0 + 0.05, "{swing}");
            if held.to_array() == (rest * turn).to_array() {
                inside += 1;
            } else {
                outside += 1;
                assert!(cone.excess_degrees(rest, rest * turn) > 1e-4);
            }
        }
    }
    assert!(inside > 50 && outside > 500, "{inside} {outside}");
    let tipped = Quat::from_rotation_x(100f32.to_radians());
    assert!(
        cone.apply(Quat::IDENTITY, tipped)
            .angle_between(Quat::from_rotation_x(40f32.to_radians()))
            < 1e-3
    );
    let twisted = Quat::from_rotation_y(-100f32.to_radians());
    assert!(
        cone.apply(Quat::IDENTITY, twisted)
            .angle_between(Quat::from_rotation_y(-25f32.to_radians()))
            < 1e-3
    );
}

#[test]
fn a_hinge_strips_off_axis_swing_and_clamps_its_range() {
    let hinge = Limit::hinge(Vec3::X, -10.0, 120.0).unwrap();
    for rest in rests() {
        for turn in turns() {
            let from_rest = rest.conjugate() * hinge.apply(rest, rest * turn);
            assert!(
                (from_rest * Vec3::X).distance(Vec3::X) < 1e-5,
                "the axis stays where it is"
            );
            let angle = 2.0 * from_rest.x.atan2(from_rest.w).to_degrees();
            let angle = (angle + 540.0).rem_euclid(360.0) - 180.0;
            assert!((-10.01..120.01).contains(&angle), "{angle}");
        }
    }
    // Past either end the nearer end holds, round the back of the circle too.
    for (turned, held) in [
        (150.0f32, 120.0f32),
        (-60.0, -10.0),
        (200.0, 120.0),
        (-120.0, -10.0),
        (60.0, 60.0),
    ] {
        let got = hinge.apply(Quat::IDENTITY, Quat::from_rotation_x(turned.to_radians()));
        assert!(
            got.angle_between(Quat::from_rotation_x(held.to_radians())) < 1e-3,
            "{turned}: {got}"
        );
    }
}

#[test]
fn a_limit_applied_again_changes_no_bit() {
    let limits = [
        Limit::cone(Vec3::Y, 40.0, 25.0).unwrap(),
        Limit::cone(Vec3::new(1.0, 1.0, 0.2), 0.0, 0.0).unwrap(),
        Limit::cone(Vec3::Z, 0.01, 180.0).unwrap(),
        Limit::cone(Vec3::Z, 179.0, 0.5).unwrap(),
        Limit::hinge(Vec3::X, -10.0, 120.0).unwrap(),
        Limit::hinge(Vec3::new(0.3, -1.0, 2.0), 0.0, 0.0).unwrap(),
        Limit::hinge(Vec3::Z, -180.0, 180.0).unwrap(),
    ];
    for limit in limits {
        for rest in rests() {
            for turn in turns() {
                let once = limit.apply(rest, rest * turn);
                let mut again = once;
                for _ in 0..100 {
                    again = limit.apply(rest, again);
                }
                assert_eq!(again.to_array(), once.to_array(), "{limit:?} {turn}");
                assert_eq!(limit.excess_degrees(rest, once), 0.0);
            }
        }
    }
}

#[test]
fn limits_out_of_range_are_refused_by_name() {
    let bad = Limit::cone(Vec3::Y, 181.0, 10.0).unwrap_err();
    assert_eq!(bad.to_string(), "cone limit: swing is 181 degrees; expected 0 to 180");
    for refused in [
        Limit::cone(Vec3::Y, f32::NAN, 0.0),
        Limit::cone(Vec3::Y, 0.0, -1.0),
        Limit::hinge(Vec3::Y, 20.0, 10.0),
        Limit::hinge(Vec3::Y, -181.0, 10.0),
    ] {
        assert!(matches!(refused, Err(Error::BadLimit { .. })), "{refused:?}");
    }
    assert!(matches!(Limit::hinge(Vec3::ZERO, 0.0, 1.0), Err(Error::BadAxis { .. })));
    assert!(matches!(Limit::cone(Vec3::NAN, 0.0, 1.0), Err(Error::BadAxis { .. })));
}
