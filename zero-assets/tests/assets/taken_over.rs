//! A name that leads to another asset than was meant is told, and nothing is meant anew until someone says so.

use std::sync::Arc;
use std::time::Duration;

use zero_assets::{Guid, Target, Workspace};
use zero_vfs::VfsPath;

use crate::diary::source;
use crate::world;

const LAMP: &str = "primary: lamp.yaml\nis_container: true\nreferences: { keys: [{ key: shade, type: texture }] }\n";

fn lamps() -> Workspace {
    let vfs = world(&[
        ("/lamp.assetType/type.yaml", LAMP),
        ("/desk.lamp/lamp.yaml", "shade: silk\n"),
        ("/silk.texture/texture.yaml", ""),
    ]);
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    settle(&mut world);
    world
}

fn settle(world: &mut Workspace) {
    static SECONDS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
    let now = SECONDS.fetch_add(10, std::sync::atomic::Ordering::Relaxed);
    world.update(Duration::from_secs(now));
    world.settle().unwrap();
}

fn target(world: &Workspace, lamp: &str) -> Target {
    let asset = world.assets().at(&source(lamp)).unwrap();
    world.assets().deps(world.vfs(), asset).unwrap().remove(0).target
}

fn guid(world: &Workspace, asset: &str) -> Option<Guid> {
    world.assets().at(&source(asset)).unwrap().guid
}

fn pinned(world: &Workspace, lamp: &str) -> Vec<Guid> {
    let refs = world
        .assets()
        .refs_of(world.assets().at(&source(lamp)).unwrap())
        .unwrap();
    let pins = refs.references.iter().filter(|pin| pin.via == "key:shade");
    pins.map(|pin| pin.guid).collect()
}

fn move_to(world: &mut Workspace, from: &str, to: &str) -> Vec<VfsPath> {
    world.move_asset(&source(from), &source(to)).unwrap()
}

#[test]
fn a_name_that_was_taken_over_is_told_and_kept_until_it_is_confirmed() {
    let mut world = lamps();
    let silk = guid(&world, "/silk.texture").unwrap();
    move_to(&mut world, "/silk.texture", "/old/silk.texture");
    world.vfs().write(&source("/silk.texture/texture.yaml"), b"").unwrap();
    settle(&mut world);
    let new = guid(&world, "/silk.texture").unwrap();
    assert_eq!(
        target(&world, "/desk.lamp"),
        Target::Retargeted {
            path: source("/silk.texture"),
            guid: Some(new),
            meant: source("/old/silk.texture"),
            meant_guid: silk,
        }
    );
    let told = world.validate(&source("/desk.lamp")).unwrap();
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "/zero/source/desk.lamp/lamp.yaml:1:8: warning[reference.retargeted]: `silk` leads to \
             `/zero/source/silk.texture` now, and `/zero/source/old/silk.texture` was meant, which is `old.silk`; name the one that is meant, or \
             take the new one with `confirm_references`"
        ]
    );
    // An edit elsewhere in the file writes its references down anew, and what was meant stays meant.
    world
        .vfs()
        .write(&source("/desk.lamp/lamp.yaml"), b"shade: silk\non: true\n")
        .unwrap();
    settle(&mut world);
    assert_eq!(pinned(&world, "/desk.lamp"), [silk]);
    assert!(world.confirm_references(&source("/desk.lamp")).unwrap());
    assert_eq!(pinned(&world, "/desk.lamp"), [new]);
    assert_eq!(
        target(&world, "/desk.lamp"),
        Target::Found {
            path: source("/silk.texture"),
            guid: Some(new)
        }
    );
    assert!(!world.confirm_references(&source("/desk.lamp")).unwrap());
}

#[test]
fn a_name_whose_asset_is_gone_means_the_one_that_took_its_place() {
    let mut world = lamps();
    world.delete(&source("/silk.texture")).unwrap();
    world.vfs().write(&source("/silk.texture/texture.yaml"), b"").unwrap();
    settle(&mut world);
    let new = guid(&world, "/silk.texture").unwrap();
    assert!(matches!(target(&world, "/desk.lamp"), Target::Found { .. }));
    world
        .vfs()
        .write(&source("/desk.lamp/lamp.yaml"), b"shade: silk\non: true\n")
        .unwrap();
    settle(&mut world);
    assert_eq!(pinned(&world, "/desk.lamp"), [new]);
}

#[test]
fn an_asset_that_is_moved_behind_another_of_its_name_is_lost_to_those_that_name_it() {
    let mut world = lamps();
    world
        .vfs()
        .write(&source("/far/silk.texture/texture.yaml"), b"")
        .unwrap();
    settle(&mut world);
    // `silk` is an identity at the root, and a short name of both once it is moved.
    assert_eq!(
        move_to(&mut world, "/silk.texture", "/linen.texture"),
        [source("/desk.lamp")]
    );
    assert!(matches!(target(&world, "/desk.lamp"), Target::Retargeted { .. }));
}

#[test]
fn what_was_named_while_the_world_was_closed_is_followed_from_the_first_settling_on() {
    let world = lamps();
    // Both have guids, and another program names one of them.
    let vfs = world.vfs().clone();
    vfs.write(&source("/linen.texture/texture.yaml"), b"").unwrap();
    let mut world = Workspace::open(vfs.clone()).unwrap();
    settle(&mut world);
    let linen = guid(&world, "/linen.texture");
    drop(world);
    vfs.write(&source("/desk.lamp/lamp.yaml"), b"shade: linen\n").unwrap();
    let mut world = Workspace::open(vfs).unwrap();
    world.settle().unwrap();
    assert_eq!(pinned(&world, "/desk.lamp"), linen.as_slice());
    move_to(&mut world, "/linen.texture", "/cloth.texture");
    assert!(matches!(target(&world, "/desk.lamp"), Target::Renamed { .. }));
}

#[test]
fn a_copy_means_what_its_names_lead_to_where_it_lies() {
    let mut world = lamps();
    let files = [
        ("/tall.lamp/lamp.yaml", "shade: .own\n"),
        ("/tall.lamp/parts.lamp/lamp.yaml", "shade: .own\n"),
        ("/tall.lamp/own.texture/texture.yaml", ""),
        ("/own.texture/texture.yaml", ""),
    ];
    for (file, text) in files {
        world.vfs().write(&source(file), text.as_bytes()).unwrap();
    }
    settle(&mut world);
    world.vfs().copy(&source("/tall.lamp"), &source("/copy.lamp")).unwrap();
    settle(&mut world);
    // Its own part, not the original's; what both name outside is the same.
    let own = guid(&world, "/copy.lamp/own.texture");
    assert_ne!(own, guid(&world, "/tall.lamp/own.texture"));
    assert_eq!(pinned(&world, "/copy.lamp/parts.lamp"), own.as_slice());
    assert_eq!(pinned(&world, "/copy.lamp"), guid(&world, "/own.texture").as_slice());
    for lamp in ["/copy.lamp", "/copy.lamp/parts.lamp", "/tall.lamp/parts.lamp"] {
        assert!(matches!(target(&world, lamp), Target::Found { .. }), "{lamp}");
    }
}

#[test]
fn a_package_whose_name_was_taken_over_takes_both_along() {
    let vfs = world(&[
        ("/lamp.assetType/type.yaml", LAMP),
        ("/lamp.assetType/README.md", "# lamp"),
        ("/kit.package/package.yaml", "version: 1.0.0\n"),
        ("/kit.package/README.md", "# kit\n\nLamps.\n"),
        ("/kit.package/.metadata", ""),
        ("/kit.package/desk.lamp/lamp.yaml", "shade: silk\n"),
    ]);
    for folder in ["/silk.texture", "/new/silk.texture"] {
        for file in ["texture.yaml", "image.png"] {
            let from =
                VfsPath::parse(&format!("/zero/source/libs/@builtin/texture.assetType/template/{file}")).unwrap();
            vfs.write(&source(&format!("{folder}/{file}")), &vfs.read(&from).unwrap())
                .unwrap();
        }
    }
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    settle(&mut world);
    move_to(&mut world, "/silk.texture", "/old/satin.texture");
    move_to(&mut world, "/new/silk.texture", "/silk.texture");
    let package = world.pack(&source("/kit.package")).unwrap();
    let parts: Vec<&str> = package.manifest().parts.iter().map(|part| part.path.as_str()).collect();
    assert_eq!(
        parts,
        ["/lamp.assetType", "/old/satin.texture", "/silk.texture", "/kit.package"]
    );
}
