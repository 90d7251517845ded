//! The names that assets carry, and what answers to them.

use zero_assets::types::References;
use zero_assets::{Assets, Target};
use zero_vfs::Vfs;

use crate::{path, world};

const LAMP: &str = "primary: lamp.yaml
is_container: true
root: true
references:
  keys: [{ key: shade, type: texture }, { key: parts, type: lamp }]
  args: [{ call: 'g:lamp', position: 2, type: lamp }, { call: 'g:lamp', position: 2, type: texture }]
  fields: [{ call: light.new, field: shade, type: texture }]
";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("/lamp.assetType/type.yaml", LAMP),
        ("/lamp.assetType/README.md", "x"),
        ("/silk.texture/texture.yaml", ""),
        ("/silk.texture/a.png", ""),
        (
            "/desk.lamp/lamp.yaml",
            "shade: silk\nparts: { bulb: ~.bulb, none: ~ }\nother: nothing\n",
        ),
        ("/desk.lamp/bulb.lamp/lamp.yaml", "shade: gone\n"),
        (
            "/desk.lamp/init.luau",
            "local util = require('util')\n-- require('commented')\nlocal t = asset.resolve(\"silk\", 'texture')\n\
             g:lamp(1, 'silk')\ng:lamp(1, name)\nlight.new{ shade = 'silk', power = 3 }\n",
        ),
        ("/util.script/init.luau", "return {}"),
    ]
}

fn deps(assets: &Assets, vfs: &Vfs, name: &str) -> Vec<String> {
    let asset = assets.find(name).unwrap();
    let said = |dep: zero_assets::Dependency| {
        let target = match dep.target {
            Target::Found { path, .. } => path.name().unwrap().to_owned(),
            Target::Renamed { path, .. } => format!("now {}", path.name().unwrap()),
            Target::Unresolved { message } => message,
            other => format!("{other:?}"),
        };
        format!(
            "{}:{} {} {} -> {target}",
            dep.file.name().unwrap(),
            dep.at,
            dep.via,
            dep.name
        )
    };
    assets.deps(vfs, asset).unwrap().into_iter().map(said).collect()
}

#[test]
fn names_are_found_where_types_declare_them_and_in_the_lookups() {
    let vfs = world(&files());
    let assets = Assets::load(&vfs).unwrap();
    assert_eq!(
        deps(&assets, &vfs, "desk"),
        [
            "init.luau:1:22 require util -> util.script",
            "init.luau:3:25 call:asset.resolve silk -> silk.texture",
            "init.luau:4:11 call:g:lamp:2 silk -> silk.texture",
            "init.luau:6:20 call:light.new.shade silk -> silk.texture",
            "lamp.yaml:1:8 key:shade silk -> silk.texture",
            "lamp.yaml:2:16 key:parts ~.bulb -> bulb.lamp",
        ]
    );
    assert_eq!(
        deps(&assets, &vfs, "desk.bulb"),
        ["lamp.yaml:1:8 key:shade gone -> no asset answers to `gone`",]
    );
    let bulb = assets.find("desk.bulb").unwrap();
    let told: Vec<_> = assets
        .check(&vfs, bulb)
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        ["/zero/source/desk.lamp/bulb.lamp/lamp.yaml:1:8: error[reference.unresolved]: no asset answers to `gone`",]
    );
}

#[test]
fn a_pin_outlives_a_rename_of_what_it_names() {
    let vfs = world(&files());
    let mut assets = Assets::load(&vfs).unwrap();
    assets.settle(&vfs).unwrap();
    let desk = path("/zero/source/desk.lamp");
    assert!(assets.record_references(&vfs, &desk).unwrap());
    assert!(
        !assets.record_references(&vfs, &desk).unwrap(),
        "nothing is written where nothing changed"
    );
    let silk = assets.find("silk").unwrap();
    let dependents: Vec<_> = assets.dependents(silk).map(|asset| asset.identity.clone()).collect();
    assert_eq!(dependents, ["desk"]);

    let (from, to) = (
        path("/zero/source/silk.texture"),
        path("/zero/source/fabric/linen.texture"),
    );
    vfs.rename(&from, &to).unwrap();
    assets.apply(&vfs, [from, to]).unwrap();
    let found = deps(&assets, &vfs, "desk");
    assert_eq!(found[1], "init.luau:3:25 call:asset.resolve silk -> now linen.texture");
    let asset = assets.find("desk").unwrap();
    let told = assets.check(&vfs, asset).unwrap();
    assert!(told.iter().any(|told| told.code == "reference.renamed"), "{told:?}");
    assert!(told.iter().all(|told| !told.is_error()), "{told:?}");
    // The pins stay when they are recorded anew, though the names no longer lead there.
    let before = assets.refs_of(assets.find("desk").unwrap()).cloned();
    assert!(!assets.record_references(&vfs, &desk).unwrap());
    assert_eq!(assets.refs_of(assets.find("desk").unwrap()).cloned(), before);
}

#[test]
fn a_key_that_a_host_declares_too_is_as_the_host_says() {
    let vfs = world(&[
        ("/lamp.assetType/type.yaml", LAMP),
        ("/desk.lamp/lamp.yaml", "shade: silk\n"),
        ("/silk.texture/texture.yaml", ""),
        ("/silk.mesh/mesh.yaml", ""),
    ]);
    let mut assets = Assets::load(&vfs).unwrap();
    assert_eq!(
        deps(&assets, &vfs, "desk"),
        ["lamp.yaml:1:8 key:shade silk -> silk.texture"]
    );
    assets.declare_references(&References::default().key("shade", "mesh"));
    assert_eq!(
        deps(&assets, &vfs, "desk"),
        ["lamp.yaml:1:8 key:shade silk -> silk.mesh"]
    );
}

/// What an asset is built on is among what it names, with no word of its type's `references`.
#[test]
fn what_an_asset_is_built_on_is_pinned_and_followed() {
    let vfs = world(&[
        (
            "/skin.assetType/type.yaml",
            "primary: skin.yaml\ncontract_ref: { field: of.base, category: skin }\n",
        ),
        ("/skin.assetType/README.md", "x"),
        ("/base.skin/skin.yaml", "{}\n"),
        ("/red.skin/skin.yaml", "of: { base: base }\n"),
        ("/red.skin/other.yaml", "of: { base: nothing }\n"),
    ]);
    let mut assets = Assets::load(&vfs).unwrap();
    assets.settle(&vfs).unwrap();
    assert_eq!(
        deps(&assets, &vfs, "red"),
        ["skin.yaml:1:13 key:of.base base -> base.skin"]
    );
    assets.record_references(&vfs, &path("/zero/source/red.skin")).unwrap();
    let (from, to) = (path("/zero/source/base.skin"), path("/zero/source/ground.skin"));
    vfs.rename(&from, &to).unwrap();
    let assets = Assets::load(&vfs).unwrap();
    assert_eq!(
        deps(&assets, &vfs, "red"),
        ["skin.yaml:1:13 key:of.base base -> now ground.skin"]
    );
    let told = assets.check(&vfs, assets.find("red").unwrap()).unwrap();
    assert!(told.iter().any(|told| told.code == "reference.renamed"), "{told:?}");
    assert!(told.iter().all(|told| !told.is_error()), "{told:?}");
}

/// The names in the values of built-in types, whose schema is said elsewhere, are followed like any.
#[test]
fn what_built_in_types_name_is_followed() {
    let mut vfs = world(&[
        (
            "/dial.assetType/type.yaml",
            "primary: a.txt\nsettings: { values: s.yaml, schema: { type: { skin: { type: asset, category: texture } } } }\n",
        ),
        ("/dial.assetType/README.md", "x"),
        ("/silk.texture/texture.yaml", ""),
        (
            "/spin.component/init.luau",
            "public = { map = Field.assetRef('texture', 'silk'), speed = Field.number(1) }\n",
        ),
        (
            "/points.nodebox/disc.procNode/init.luau",
            "return proc.define(function(g) end)",
        ),
        (
            "/scatter.procGraph/init.luau",
            "return proc.define(function(g) return g.points.disc({}) end)",
        ),
        (
            "/all.procGraph/init.luau",
            "return proc.define(function(g)\n  g.scatter()\n  g['scatter'] {}\n  g.math.add(1)\nend)",
        ),
        ("/base.data/data.yaml", "values: {}\n"),
        (
            "/base.data/schema.yaml",
            "look: { type: asset, category: texture }\nmore: { type: list, item: { type: asset, category: texture } }\n",
        ),
        ("/mid.data/data.yaml", "contract: base\nvalues: {}\n"),
        (
            "/leaf.data/data.yaml",
            "contract: mid\nvalues:\n  look: silk\n  more: [silk, gone]\n",
        ),
        ("/ring.data/data.yaml", "contract: gnir\nvalues: { look: silk }\n"),
        ("/gnir.data/data.yaml", "contract: ring\nvalues: {}\n"),
        ("/soft.preset/preset.yaml", "for: dial\nvalues: { skin: silk }\n"),
        ("/cloth.shader/surface.wgsl", "fn f() {}"),
        (
            "/cloth.shader/properties.yaml",
            "properties:\n  base: { type: texture, default: silk }\n  none: { type: texture, default: '' }\n  rough: { type: float, default: 0.5 }\n",
        ),
        (
            "/hall.scene/scene.yaml",
            "entities:\n- id: a\n  components:\n    spin: { map: silk, speed: 3 }\n    Light: { map: silk }\n",
        ),
    ]);
    vfs.mount(zero_assets::builtin().unwrap()).unwrap();
    let assets = Assets::load(&vfs).unwrap();
    let check = |name: &str, expected: &[&str]| assert_eq!(deps(&assets, &vfs, name), expected, "{name}");
    check(
        "all",
        &[
            "init.luau:2:3 call:g.* scatter -> scatter.procGraph",
            "init.luau:3:5 call:g.* scatter -> scatter.procGraph",
            "init.luau:4:3 call:g.* math.add -> Elsewhere",
        ],
    );
    check("scatter", &["init.luau:1:39 call:g.* points.disc -> disc.procNode"]);
    check(
        "leaf",
        &[
            "data.yaml:1:11 key:contract mid -> mid.data",
            "data.yaml:3:9 value:look silk -> silk.texture",
            "data.yaml:4:10 value:more silk -> silk.texture",
            "data.yaml:4:16 value:more gone -> no asset answers to `gone`",
        ],
    );
    check("ring", &["data.yaml:1:11 key:contract gnir -> gnir.data"]);
    check(
        "soft",
        &[
            "preset.yaml:1:6 key:for dial -> dial.assetType",
            "preset.yaml:2:17 value:skin silk -> silk.texture",
        ],
    );
    check(
        "cloth",
        &["properties.yaml:2:35 key:properties.base.default silk -> silk.texture"],
    );
    check(
        "hall",
        &[
            "scene.yaml:4:5 component spin -> spin.component",
            "scene.yaml:4:18 component:spin.map silk -> silk.texture",
            "scene.yaml:5:5 component Light -> Elsewhere",
        ],
    );
    check("spin", &["init.luau:1:44 call:Field.assetRef silk -> silk.texture"]);
    // A name that a node and a graph answer to means neither.
    vfs.write(
        &path("/zero/source/scatter.procNode/init.luau"),
        b"return proc.define(f)",
    )
    .unwrap();
    let both = Assets::load(&vfs).unwrap();
    assert_eq!(
        deps(&both, &vfs, "all")[0],
        "init.luau:2:3 call:g.* scatter -> `scatter` may be any of `/zero/source/scatter.procNode`, \
         `/zero/source/scatter.procGraph`; name it by its path, or with its type"
    );
    // An operation and a component of the host's are none of ours, and no fault.
    for (name, faults) in [("all", 0), ("hall", 0), ("leaf", 1)] {
        let told = assets.check(&vfs, assets.find(name).unwrap()).unwrap();
        let unresolved = told.iter().filter(|told| told.code == "reference.unresolved").count();
        assert_eq!(unresolved, faults, "{name}: {told:?}");
    }
}
