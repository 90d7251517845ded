//! Putting assets into a host's scene.

use std::sync::Arc;

use zero_assets::{
    Behavior, EntityId, Error, HookContext, HookResult, Instance, Instantiable, InstantiateOptions, Rotation,
    SceneHost, Workspace, serde_json::json,
};

use crate::{path, world};

/// Entities as a host may keep them: what is live, its parent, and what it was placed with.
#[derive(Default)]
struct Host(Vec<(Option<EntityId>, InstantiateOptions)>);

impl SceneHost for Host {
    fn spawn(&mut self, parent: Option<EntityId>, options: &InstantiateOptions) -> HookResult<EntityId> {
        self.0.push((parent, options.clone()));
        Ok(EntityId(self.0.len() as u64 - 1))
    }

    fn place(&mut self, entity: EntityId, options: &InstantiateOptions) -> HookResult<()> {
        self.0.get_mut(entity.0 as usize).ok_or("no such entity")?.1 = options.clone();
        Ok(())
    }

    fn is_live(&self, entity: EntityId) -> bool {
        (entity.0 as usize) < self.0.len()
    }
}

struct Lamp;

impl Behavior for Lamp {
    fn instantiable(&self) -> Option<&dyn Instantiable> {
        Some(self)
    }
}

impl Instantiable for Lamp {
    fn instantiate(
        &self,
        asset: &HookContext<'_>,
        host: &mut dyn SceneHost,
        target: Option<EntityId>,
        options: &InstantiateOptions,
    ) -> HookResult<Instance> {
        let root = host.spawn(target, options)?;
        let bulb = host.spawn(Some(root), &InstantiateOptions::default())?;
        match asset.asset.name.as_str() {
            "ghost" => Ok(Instance::new(EntityId(99))),
            "half" => Ok(Instance::new(root).part("bulb", EntityId(99))),
            "burnt" => Err("the bulb is burnt".into()),
            _ => Ok(Instance::new(root).part("bulb", bulb)),
        }
    }
}

fn lamps() -> Workspace {
    let vfs = world(&[
        ("/lamp.assetType/type.yaml", "primary: lamp.yaml\n"),
        ("/lamp.assetType/README.md", "x"),
        ("/good.lamp/lamp.yaml", ""),
        ("/ghost.lamp/lamp.yaml", ""),
        ("/half.lamp/lamp.yaml", ""),
        ("/burnt.lamp/lamp.yaml", ""),
        ("/a.script/init.luau", ""),
    ]);
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    world.attach("lamp", Arc::new(Lamp));
    world
}

#[test]
fn what_comes_back_is_the_same_for_every_type() {
    let world = lamps();
    let mut host = Host::default();
    let floor = host.spawn(None, &InstantiateOptions::default()).unwrap();
    let good = path("/zero/source/good.lamp");
    assert!(world.can_instantiate(&good).unwrap());
    let options =
        InstantiateOptions::from_value(&json!({ "position": [1, 2, 3], "rotation": [0, 90, 0], "name": "L" })).unwrap();
    let made = world.instantiate(&good, &mut host, Some(floor), &options).unwrap();
    assert_eq!(made.id_map.len(), 1);
    let (parent, placed) = &host.0[made.root.0 as usize];
    assert_eq!(
        (*parent, placed.position, placed.name.as_deref()),
        (Some(floor), Some([1.0, 2.0, 3.0]), Some("L"))
    );

    let mut check = |name: &str, expected: &str| {
        let error = world.instantiate(&path(name), &mut host, None, &options).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    };
    check(
        "/zero/source/ghost.lamp",
        "returned a root that is not live for `/zero/source/ghost.lamp`",
    );
    check(
        "/zero/source/half.lamp",
        "returned an entity for `bulb` that is not live",
    );
    check(
        "/zero/source/burnt.lamp",
        "`instantiate` of `burnt` failed: the bulb is burnt",
    );
    check(
        "/zero/source/a.script",
        "cannot be put into a scene: its type `script` does not say how",
    );
    assert!(!world.can_instantiate(&path("/zero/source/a.script")).unwrap());
    assert!(matches!(
        world.can_instantiate(&path("/zero/none")),
        Err(Error::NoAsset { .. })
    ));
}

#[test]
fn options_mean_the_same_for_every_type_and_are_checked() {
    let read = |value| InstantiateOptions::from_value(&value);
    let options = read(json!({ "rotation": [0, 0, 0, 1], "scale": 2, "temporary": true, "shade": "silk" })).unwrap();
    assert_eq!(options.rotation, Some(Rotation::Quaternion([0.0, 0.0, 0.0, 1.0])));
    assert_eq!((options.scale, options.temporary), (Some([2.0; 3]), true));
    assert_eq!(options.more["shade"], "silk");
    assert_eq!(read(json!(null)).unwrap(), InstantiateOptions::default());
    let check = |value, expected: &str| assert_eq!(read(value).unwrap_err().to_string(), expected);
    check(
        json!({ "position": [1, 2] }),
        "`position` is three numbers, and [1,2] is here",
    );
    check(
        json!({ "position": [1, 2, 1e300] }),
        "`position` is three numbers, and [1,2,1e+300] is here",
    );
    check(
        json!({ "rotation": 3 }),
        "`rotation` is three numbers in degrees or a quaternion of four, and 3 is here",
    );
    check(json!({ "name": 3 }), "`name` is a text, and 3 is here");
    check(json!([]), "`options` is a mapping, and [] is here");
}
