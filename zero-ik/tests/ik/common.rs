use glam::{Quat, Vec3};
use zero_ik::{Bone, Chain, Pose, Rig, Role, Transform};

/// A straight chain of `count` segments of `length`, running up +Y from a base that is moved and turned; the tip is
/// bone `b{count}`.
pub(crate) fn straight(count: usize, length: f32) -> Rig {
    let base = Transform::at(Vec3::new(0.3, 0.1, -0.2)).turned(Quat::from_rotation_y(0.4));
    let mut bones = vec![Bone::new("base", None, base)];
    for index in 0..=count {
        let offset = if index == 0 { Vec3::ZERO } else { Vec3::Y * length };
        bones.push(Bone::new(format!("b{index}"), Some(index), Transform::at(offset)));
    }
    Rig::new(bones).unwrap()
}

/// The chain of [`straight`] in a pose bent by `bend` radians a joint about X and a little about Z.
pub(crate) fn bent(count: usize, length: f32, bend: f32) -> (Rig, Pose, Chain) {
    let rig = straight(count, length);
    let mut pose = rig.rest_pose();
    for index in 1..=count {
        pose.transforms_mut()[index].rotation = Quat::from_rotation_x(bend) * Quat::from_rotation_z(bend * 0.3);
    }
    let mut chain = rig.chain("b0", &format!("b{count}")).unwrap();
    chain.load(&rig, &pose);
    (rig, pose, chain)
}

/// An arm of 0.3 and 0.25 at a shoulder 1.4 up, bent at the elbow.
pub(crate) fn arm() -> (Rig, Pose, Chain) {
    let bones = vec![
        Bone::new("spine", None, Transform::at(Vec3::new(0.0, 1.2, 0.0))),
        Bone::new("upper", Some(0), Transform::at(Vec3::new(0.2, 0.2, 0.0))).with_role(Role::LeftArm),
        Bone::new("fore", Some(1), Transform::at(Vec3::X * 0.3)).with_role(Role::LeftForeArm),
        Bone::new("hand", Some(2), Transform::at(Vec3::X * 0.25)).with_role(Role::LeftHand),
    ];
    let rig = Rig::new(bones).unwrap();
    let mut pose = rig.rest_pose();
    pose.transforms_mut()[1].rotation = Quat::from_rotation_z(-0.5);
    pose.transforms_mut()[2].rotation = Quat::from_rotation_y(-0.7);
    let mut chain = rig.chain("upper", "hand").unwrap();
    chain.load(&rig, &pose);
    (rig, pose, chain)
}

/// Directions spread over the sphere by the golden angle, never along an axis.
pub(crate) fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |index| {
        let y = 1.0 - (2.0 * index as f32 + 1.0) / count as f32;
        let (sine, cosine) = (index as f32 * 2.399_963_2).sin_cos();
        let radius = (1.0 - y * y).sqrt();
        Vec3::new(radius * cosine, y, radius * sine)
    })
}

/// A pose's every number, to the bit.
pub(crate) fn bits(pose: &Pose) -> Vec<u32> {
    let of = |t: &Transform| {
        let mut all = t.translation.to_array().to_vec();
        all.extend(t.rotation.to_array());
        all.extend(t.scale.to_array());
        all.into_iter().map(f32::to_bits).collect::<Vec<_>>()
    };
    pose.transforms().iter().flat_map(of).collect()
}

/// Segment lengths as they lie in model space.
pub(crate) fn lengths(chain: &Chain) -> Vec<f32> {
    let points: Vec<Vec3> = (0..chain.len()).map(|i| chain.position(i).unwrap()).collect();
    points.windows(2).map(|pair| pair[0].distance(pair[1])).collect()
}

pub(crate) fn close(left: Vec3, right: Vec3, within: f32) -> bool {
    left.distance(right) <= within
}
