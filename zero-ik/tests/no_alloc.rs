//! A solve allocates nothing on the heap: counted.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which fail by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::Vec3;
use zero_ik::{
    AimParams, Bone, ChainRole, ChainSolver, Driver, Hit, IkAim, IkChain, IkLimb, IkLookAt, IkNode, IkRig,
    IterateParams, Limit, LookAtParams, Placement, Pose, Ray, Rig, RigTargets, Status, Step, Transform, TwoBoneParams,
    aim, ccd, fabrik, look_at, two_bone,
};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

fn count() {
    ALLOCATIONS.with(|count| count.set(count.get() + 1));
}

// SAFETY: every call goes on to the system's allocator with what it was given; the count beside it allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps `alloc`'s contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `dealloc`'s contract; the block came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps `realloc`'s contract; the block came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// A humanoid of boxes: enough for every role that the character needs.
fn humanoid() -> Rig {
    let mut bones: Vec<Bone> = Vec::new();
    let mut add = |name: &str, parent: Option<&str>, x: f32, y: f32| {
        let parent = parent.and_then(|parent| bones.iter().position(|bone| bone.name == parent));
        bones.push(Bone::new(name, parent, Transform::at(Vec3::new(x, y, 0.0))));
    };
    add("hips", None, 0.0, 1.0);
    add("spine", Some("hips"), 0.0, 0.2);
    add("neck", Some("spine"), 0.0, 0.3);
    add("head", Some("neck"), 0.0, 0.1);
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let of = |part: &str| format!("{side}{part}");
        add(&of("arm"), Some("spine"), 0.2 * x, 0.25);
        add(&of("forearm"), Some(&of("arm")), 0.3 * x, 0.0);
        add(&of("hand"), Some(&of("forearm")), 0.25 * x, 0.0);
        add(&of("upleg"), Some("hips"), 0.1 * x, -0.05);
        add(&of("leg"), Some(&of("upleg")), 0.0, -0.45);
        add(&of("foot"), Some(&of("leg")), 0.0, -0.42);
    }
    Rig::new(bones).unwrap().with_roles_from_names()
}

#[test]
fn the_count_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn no_solver_allocates() {
    let mut bones = vec![Bone::new("b0", None, Transform::IDENTITY)];
    for index in 1..12 {
        let mut bone = Bone::new(format!("b{index}"), Some(index - 1), Transform::at(Vec3::Y * 0.2));
        bone.limit = (index == 5).then(|| Limit::hinge(Vec3::X, -80.0, 80.0).unwrap());
        bones.push(bone);
    }
    let rig = Rig::new(bones).unwrap();
    let mut pose = rig.rest_pose();
    let mut chain = rig.chain("b1", "b11").unwrap();
    let mut limb = rig.chain("b1", "b3").unwrap();
    let mut solved = 0;
    let counted = allocations(|| {
        for index in 0..100u8 {
            let weight = f32::from(index % 5) * 0.25;
            let target = Vec3::new(f32::from(index % 7) * 0.3, 0.5, f32::from(index % 3) - 1.0);
            // Where the tip will not be: a target on the tip gives no direction to turn to.
            let beyond = target * 9.0;
            limb.load(&rig, &pose);
            solved += u32::from(
                two_bone(
                    &mut limb,
                    &TwoBoneParams {
                        target,
                        pole: Some(Vec3::Z),
                        weight,
                    },
                )
                .status
                .is_ready(),
            );
            limb.store(&mut pose);
            chain.load(&rig, &pose);
            let params = IterateParams {
                target,
                weight,
                ..IterateParams::default()
            };
            solved += u32::from(ccd(&mut chain, &params).status.is_ready());
            solved += u32::from(fabrik(&mut chain, &params).status.is_ready());
            solved += u32::from(
                aim(
                    &mut chain,
                    &AimParams {
                        target: beyond,
                        weight,
                        ..AimParams::default()
                    },
                )
                .status
                .is_ready(),
            );
            let look = LookAtParams {
                target: beyond,
                weight,
                ..LookAtParams::default()
            };
            solved += u32::from(look_at(&mut chain, &look).status.is_ready());
            chain.store(&mut pose);
        }
    });
    assert_eq!((counted, solved), (0, 500));
}

#[test]
fn a_whole_character_allocates_only_when_it_first_sees_its_rig() {
    let rig = humanoid();
    let base = rig.rest_pose();
    let targets = RigTargets {
        left_hand: Some(Vec3::new(0.4, 1.3, 0.3)),
        look: Some(Vec3::new(2.0, 1.0, 3.0)),
        left_foot: Some(Vec3::new(0.1, 0.2, 0.2)),
        ..RigTargets::default()
    };
    let names = IkChain {
        root_bone: "spine".into(),
        tip_bone: "head".into(),
        solver: ChainSolver::Fabrik,
        ..IkChain::default()
    };
    let barrel = IkAim {
        role: Some(ChainRole::RightArm),
        ..IkAim::default()
    };
    let mut node = IkNode::new(vec![
        Step::Rig(
            Driver::new(IkRig {
                grounding: true,
                ..IkRig::default()
            }),
            targets,
        ),
        Step::Limb(
            Driver::new(IkLimb::of(ChainRole::RightArm)),
            Some(Vec3::new(-0.4, 1.2, 0.3)),
            Some(Vec3::Y),
        ),
        Step::Chain(Driver::new(names), Some(Vec3::new(0.1, 1.5, 0.3))),
        Step::Aim(Driver::new(barrel), Some(Vec3::new(-2.0, 1.0, 3.0))),
        Step::LookAt(Driver::new(IkLookAt::default()), Some(Vec3::new(-2.0, 1.0, 3.0))),
    ]);
    let (mut out, mut states) = (Pose::default(), Vec::new());
    let mut probe = |ray: Ray| {
        Some(Hit {
            point: Vec3::new(ray.origin.x, -0.1, ray.origin.z),
            normal: Vec3::Y,
        })
    };
    let mut frame = || {
        node.evaluate(
            Some(&rig),
            Placement::IDENTITY,
            &base,
            0.016,
            &mut probe,
            &mut out,
            &mut states,
        )
    };
    assert!(allocations(&mut frame) > 0, "the first frame resolves the chains");
    assert_eq!(allocations(|| (0..100).for_each(|_| frame())), 0);
    assert!(format!("{states:?}").contains(&format!("{:?}", Status::OnTarget)));
}
