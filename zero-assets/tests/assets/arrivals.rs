//! How content arrives, as its behaviour is told; and what cannot be settled where it lies.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use zero_assets::{AssetChange, AssetChangeKind, Behavior, HookContext, HookResult, Step, Workspace, builtin};
use zero_vfs::{Arrival, MemorySource, Mount, Origin, Vfs, WriteOptions};

use crate::diary::source;
use crate::{path, world};

/// Writes down every call for an arrival and a change.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Told {
    fn add(&self, entry: String) -> HookResult<()> {
        self.0.lock().map_err(|_| "poisoned")?.push(entry);
        Ok(())
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Behavior for Told {
    fn on_register(&self, asset: &HookContext<'_>) -> HookResult<()> {
        self.add(format!("register {}", asset.asset.full_identity()))
    }

    fn on_change(&self, _: &HookContext<'_>, change: &AssetChange) -> HookResult<Step> {
        let kind = match change.kind {
            AssetChangeKind::Edited => "edited",
            AssetChangeKind::Seeded => "seeded",
            AssetChangeKind::Removed => "removed",
            _ => "something",
        };
        let origin = match change.origin {
            Origin::Local => "local",
            Origin::Remote => "remote",
        };
        let file = change.path.name().unwrap_or_default();
        self.add(format!("{kind} {file} {origin}"))?;
        Ok(Step::Done)
    }
}

#[test]
fn a_change_says_how_it_came_and_from_where() {
    let mut world = Workspace::open(Arc::new(world(&[
        ("/lamp.assetType/type.yaml", "primary: a.yaml\n"),
        ("/desk.lamp/a.yaml", ""),
    ])))
    .unwrap();
    let told = Arc::new(Told::default());
    world.attach("lamp", told.clone());
    world.update(Duration::from_secs(1));
    assert_eq!(told.take(), ["register desk"]);
    let plain = WriteOptions::default();
    let mut seeded = WriteOptions::default();
    seeded.arrival = Arrival::Seeded;
    for (file, options) in [
        ("a", plain),
        ("b", plain.origin(Origin::Remote)),
        ("c", seeded),
        ("d", seeded.origin(Origin::Remote)),
    ] {
        let file = source(&format!("/desk.lamp/{file}.luau"));
        world.vfs().write_with(&file, b"-- x", &options).unwrap();
    }
    world.update(Duration::from_secs(2));
    assert_eq!(
        told.take(),
        [
            "edited a.luau local",
            "edited b.luau remote",
            "seeded c.luau local",
            "seeded d.luau remote"
        ]
    );
    world.vfs().remove(&source("/desk.lamp/a.luau")).unwrap();
    world.update(Duration::from_secs(3));
    assert_eq!(told.take(), ["removed a.luau local"]);
}

#[test]
fn what_is_in_the_built_in_library_arrives_as_what_is_in_the_world_does() {
    let mut world = Workspace::open(Arc::new(world(&[("/mine.assetType/type.yaml", "primary: a.yaml\n")]))).unwrap();
    let told = Arc::new(Told::default());
    world.attach("assetType", told.clone());
    world.update(Duration::from_secs(1));
    let arrived = told.take();
    let expected: Vec<String> = world
        .assets()
        .list("assetType")
        .unwrap()
        .map(|kind| format!("register {}", kind.full_identity()))
        .collect();
    assert!(
        expected.contains(&"register @builtin::texture".to_owned()) && expected.contains(&"register mine".to_owned())
    );
    assert_eq!(arrived, expected);
    world.update(Duration::from_secs(2));
    assert_eq!(told.take(), [] as [&str; 0], "once");
}

#[test]
fn what_cannot_be_written_is_left_without_a_guid_and_named() {
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    let guid: &[u8] = b"guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n";
    let files = [
        ("/a.script/init.luau", &b"return 1"[..]),
        ("/b.script/init.luau", b"return 1"),
        ("/b.script/.refs", guid),
    ];
    let shipped = MemorySource::with_files("shipped", files).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), shipped).read_only())
        .unwrap();
    vfs.mount(Mount::new(source("/own"), MemorySource::new("own"))).unwrap();
    vfs.write(&source("/own/c.script/init.luau"), b"return require('a')")
        .unwrap();
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    let settled = world.settle().unwrap();
    // One that has a guid and whose link to its type cannot be written down is left too.
    assert_eq!(settled.left, [source("/a.script"), source("/b.script")]);
    let given: Vec<_> = settled.given.into_iter().map(|(path, _)| path).collect();
    assert_eq!(given, [source("/own/c.script")]);
    assert_eq!(world.assets().find("a").unwrap().guid, None);
    // What has no guid is left each time.
    let again = world.settle().unwrap();
    assert_eq!((again.left, again.given), (vec![source("/a.script")], vec![]));
    let b = source("/b.script");
    assert!(world.assets().at(&b).unwrap().guid.is_some());
    assert!(world.confirm_references(&b).is_err());
}
