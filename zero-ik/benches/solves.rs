//! Solves a second on one core, poses read and written each time: `cargo bench -p zero-ik`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use zero_ik::{
    AimParams, Bone, Chain, IterateParams, LookAtParams, Pose, Rig, Transform, TwoBoneParams, aim, ccd, fabrik,
    look_at, two_bone,
};

/// A chain of `count` bones of 0.2 m, bent a little, below one bone that is moved and turned.
fn chain(count: usize) -> Option<(Rig, Pose, Chain)> {
    let mut bones = vec![Bone::new("base", None, Transform::at(Vec3::Y))];
    for index in 0..count {
        let offset = if index == 0 { Vec3::ZERO } else { Vec3::Y * 0.2 };
        bones.push(Bone::new(format!("b{index}"), Some(index), Transform::at(offset)));
    }
    let rig = Rig::new(bones).ok()?;
    let mut pose = rig.rest_pose();
    pose.transforms_mut()[1..]
        .iter_mut()
        .for_each(|bone| bone.rotation = Quat::from_rotation_x(0.15));
    let chain = rig.chain("b0", &format!("b{}", count - 1)).ok()?;
    Some((rig, pose, chain))
}

/// Targets about the chain's root, at 0.3 to 0.9 of its reach.
fn targets(chain: &Chain) -> Vec<Vec3> {
    let root = chain.position(0).unwrap_or_default();
    let at = |index: u16| {
        let (sine, cosine) = (f32::from(index) * 2.4).sin_cos();
        let direction = Vec3::new(cosine, (f32::from(index) * 0.7).sin(), sine).normalize();
        root + direction * chain.reach() * (0.3 + 0.6 * f32::from(index % 16) / 15.0)
    };
    (0..256).map(at).collect()
}

fn run(c: &mut Criterion, name: &str, count: usize, solve: impl Fn(&mut Chain, Vec3)) {
    let Some((rig, pose, mut chain)) = chain(count) else {
        return;
    };
    let (targets, mut out, mut next) = (targets(&chain), pose.clone(), 0);
    let mut group = c.benchmark_group("solves");
    group.throughput(Throughput::Elements(1));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            next = (next + 1) % targets.len();
            chain.load(&rig, black_box(&pose));
            solve(&mut chain, targets[next]);
            chain.store(&mut out);
        });
    });
    group.finish();
}

fn solves(c: &mut Criterion) {
    run(c, "two_bone", 3, |chain, target| {
        black_box(two_bone(
            chain,
            &TwoBoneParams {
                target,
                ..TwoBoneParams::default()
            },
        ));
    });
    run(c, "two_bone with a pole", 3, |chain, target| {
        let pole = Some(Vec3::new(1.0, 2.0, 3.0));
        black_box(two_bone(
            chain,
            &TwoBoneParams {
                target,
                pole,
                ..TwoBoneParams::default()
            },
        ));
    });
    // A tolerance of nothing, so that all 5 iterations are done.
    let five = IterateParams {
        iterations: 5,
        tolerance: 0.0,
        ..IterateParams::default()
    };
    run(c, "fabrik, 10 bones, 5 iterations", 10, |chain, target| {
        black_box(fabrik(chain, &IterateParams { target, ..five }));
    });
    run(c, "ccd, 10 bones, 5 iterations", 10, |chain, target| {
        black_box(ccd(chain, &IterateParams { target, ..five }));
    });
    run(c, "aim, 3 bones", 3, |chain, target| {
        black_box(aim(
            chain,
            &AimParams {
                target,
                ..AimParams::default()
            },
        ));
    });
    run(c, "look_at, 5 bones", 5, |chain, target| {
        black_box(look_at(
            chain,
            &LookAtParams {
                target,
                ..LookAtParams::default()
            },
        ));
    });
}

criterion_group!(benches, solves);
criterion_main!(benches);
