//! Names in the files of the built-in types, and names that were taken over by another asset.

use std::sync::Arc;
use std::time::Duration;

use zero_assets::types::References;
use zero_assets::{
    Assets, Behavior, Conflict, DependencyChange, Edits, Error, HookContext, HookResult, InstallOptions, Step, Target,
    Workspace,
};
use zero_vfs::{Vfs, VfsPath};

use crate::diary::source;
use crate::{path, world};

const MESH: &str = "version: 1\npayload: a.glb\n";
const NODE: &str = "return proc.define(function(g) end)";

/// What an asset names, as `file:line:column via name -> target`.
fn deps(assets: &Assets, vfs: &Vfs, name: &str) -> Vec<String> {
    let asset = assets.find(name).unwrap();
    let said = |dep: zero_assets::Dependency| {
        let last = |path: &VfsPath| path.name().unwrap().to_owned();
        let target = match &dep.target {
            Target::Found { path, .. } => last(path),
            Target::Renamed { path, .. } => format!("now {}", last(path)),
            Target::Retargeted { path, meant, .. } => format!("{} for {}", last(path), last(meant)),
            Target::Elsewhere => "the host".to_owned(),
            other => format!("{other:?}"),
        };
        let file = dep.file.name().unwrap();
        format!("{file}:{} {} {} -> {target}", dep.at, dep.via, dep.name)
    };
    assets.deps(vfs, asset).unwrap().into_iter().map(said).collect()
}

fn check(files: &[(&str, &str)], name: &str, expected: &[&str]) {
    let vfs = world(files);
    let assets = Assets::load(&vfs).unwrap();
    assert_eq!(deps(&assets, &vfs, name), expected, "{name}");
}

#[test]
fn a_population_names_the_meshes_and_materials_of_its_pieces() {
    const POPULATION: &str = "pieces:\n- { mesh: kit.tree, material: bark, instances: a.instances }\n- mesh: stone.mesh\n  \
                              instances: b.instances\n";
    check(
        &[
            ("/wood.population/population.yaml", POPULATION),
            ("/wood.population/stone.mesh/mesh.yaml", MESH),
            // One of the same name outside is not meant: `stone.mesh` lies in the folder.
            ("/stone.mesh/mesh.yaml", MESH),
            ("/kit/tree.mesh/mesh.yaml", MESH),
            ("/bark.material/mat.yaml", "version: 1\n"),
        ],
        "wood",
        &[
            "population.yaml:2:11 key:pieces.*.mesh kit.tree -> tree.mesh",
            "population.yaml:3:9 key:pieces.*.mesh stone.mesh -> stone.mesh",
            "population.yaml:2:31 key:pieces.*.material bark -> bark.material",
        ],
    );
}

#[test]
fn a_graph_names_the_nodes_that_it_calls_and_the_hosts_operations_are_no_assets() {
    const CODE: &str = "return proc.define(function(g)\n  local a = g.points.disc({ count = 3 })\n  local b = \
                        g[\"~/own\"](a)\n  g:node('x', 'points.disc')\n  g.math.sin(g:input('n', 1))\nend)\n";
    check(
        &[
            ("/points.nodebox/disc.procNode/init.luau", NODE),
            ("/own.procNode/init.luau", NODE),
            ("/town.procGraph/init.luau", CODE),
        ],
        "town",
        &[
            "init.luau:2:13 call:g.* points.disc -> disc.procNode",
            "init.luau:3:15 call:g.* ~/own -> own.procNode",
            "init.luau:4:15 call:g:node:2 points.disc -> disc.procNode",
            "init.luau:5:3 call:g.* math.sin -> the host",
        ],
    );
    // As data; and `g` of a script that is no graph is whatever it likes.
    check(
        &[
            ("/points.nodebox/disc.procNode/init.luau", NODE),
            (
                "/town.procGraph/graph.json",
                "{\"nodes\": {\"a\": {\"node\": \"points.disc\"}, \"b\": {\"node\": \"math.sin\"}}}",
            ),
            ("/other.script/init.luau", "return g.points.disc()"),
        ],
        "town",
        &[
            "graph.json:1:26 key:nodes.*.node points.disc -> disc.procNode",
            "graph.json:1:56 key:nodes.*.node math.sin -> the host",
        ],
    );
    check(&[("/other.script/init.luau", "return g.points.disc()")], "other", &[]);
}

/// One that two assets answer to is no operation of the host's.
#[test]
fn a_node_that_is_called_by_the_name_of_two_is_an_error() {
    let vfs = world(&[
        ("/a/points.nodebox/disc.procNode/init.luau", NODE),
        ("/b/points.nodebox/disc.procNode/init.luau", NODE),
        (
            "/town.procGraph/init.luau",
            "return proc.define(function(g) g.points.disc() end)",
        ),
    ]);
    let assets = Assets::load(&vfs).unwrap();
    let town = assets.find("town").unwrap();
    let told = assets.check(&vfs, town).unwrap();
    let told = told.iter().find(|told| told.code == "reference.unresolved").unwrap();
    assert!(
        told.message.contains("/zero/source/a/points.nodebox/disc.procNode"),
        "{told}"
    );
    assert!(
        told.message.contains("/zero/source/b/points.nodebox/disc.procNode"),
        "{told}"
    );
}

#[test]
fn a_number_where_a_name_should_be_is_one_that_nothing_answers_to() {
    check(
        &[
            (
                "/lamp.assetType/type.yaml",
                "primary: a.yaml\nreferences: { keys: [{ key: ammo, type: mesh }] }\n",
            ),
            ("/desk.lamp/a.yaml", "ammo: 5\n"),
        ],
        "desk",
        &["a.yaml:1:7 key:ammo 5 -> Unresolved { message: \"no asset answers to `5`\" }"],
    );
}

#[test]
fn a_graph_names_the_nodes_and_the_graphs_that_it_calls() {
    let files = &[
        ("/disc.procNode/init.luau", "return proc.define(function(g) end)"),
        ("/house.procGraph/init.luau", "return proc.define(function(g) end)"),
        (
            "/town.procGraph/init.luau",
            "return proc.define(function(b)\n    local d = b.disc({})\n    b.house({ b[\"disc\"]() })\n    \
             b:node(\"x\", \"house\")\n    b.math.sin(d)\nend)\n",
        ),
        (
            "/door.component/init.luau",
            "public = { what = Field.assetRef(\"procGraph\", \"house\", Sync) }\nfunction start() end\n",
        ),
    ];
    check(
        files,
        "town",
        &[
            "init.luau:2:15 call:g.* disc -> disc.procNode",
            "init.luau:3:5 call:g.* house -> house.procGraph",
            "init.luau:3:17 call:g.* disc -> disc.procNode",
            "init.luau:4:17 call:g:node:2 house -> house.procGraph",
            "init.luau:5:5 call:g.* math.sin -> the host",
        ],
    );
    check(
        files,
        "door",
        &["init.luau:1:47 call:Field.assetRef house -> house.procGraph"],
    );
}

#[test]
fn presets_importers_and_shaders_name_what_they_are_for() {
    let files = &[
        ("/kinds/lamp.assetType/type.yaml", "primary: lamp.yaml\n"),
        ("/dim.preset/preset.yaml", "version: 1\nfor: lamp\n"),
        ("/obj.importer/importer.yaml", "extensions: [obj]\nmakes: texture\n"),
        (
            "/glass.shader/surface.wgsl",
            "#include \"part\"\n  #include \"@root::noise\"\n#include \"@zero::lights\"\n",
        ),
        ("/noise.shader/surface.wgsl", "fn n() {}"),
    ];
    check(files, "dim", &["preset.yaml:2:6 key:for lamp -> lamp.assetType"]);
    check(
        files,
        "obj",
        &["importer.yaml:2:8 key:makes texture -> texture.assetType"],
    );
    check(
        files,
        "glass",
        &[
            "surface.wgsl:2:13 include @root::noise -> noise.shader",
            "surface.wgsl:3:11 include @zero::lights -> the host",
        ],
    );
}

#[test]
fn settings_of_type_asset_are_names_wherever_their_schema_is() {
    const FIELDS: &str = "shade: { type: asset, category: texture }\nrest: { type: list, item: { type: asset, category: \
                          texture } }\nnote: { type: text }\n";
    let inline = format!(
        "primary: lamp.yaml\nsettings:\n  values: values\n  schema:\n    type:\n      {}",
        FIELDS.replace('\n', "\n      ")
    );
    const OF_TYPE: &str = "primary: lamp.yaml\nsettings: { values: values, schema: { type: schema.yaml } }\n";
    const OF_ASSET: &str = "primary: lamp.yaml\nsettings: { values: values, schema: { instance: schema.yaml } }\n";
    for (kind, schema) in [
        (inline.trim_end(), "/none.txt"),
        (OF_TYPE, "/lamp.assetType/schema.yaml"),
        (OF_ASSET, "/desk.lamp/schema.yaml"),
    ] {
        check(
            &[
                ("/lamp.assetType/type.yaml", kind),
                (schema, FIELDS),
                ("/desk.lamp/lamp.yaml", ""),
                ("/desk.lamp/values", "shade: silk\nrest: [silk, gone]\nnote: silk\n"),
                ("/silk.texture/texture.yaml", ""),
            ],
            "desk",
            &[
                "values:2:8 setting:rest silk -> silk.texture",
                "values:2:14 setting:rest gone -> Unresolved { message: \"no asset answers to `gone`\" }",
                "values:1:8 setting:shade silk -> silk.texture",
            ],
        );
    }
}

#[test]
fn what_a_type_declares_of_names_is_checked() {
    let vfs = world(&[
        ("/lamp.assetType/README.md", "# lamp"),
        (
            "/lamp.assetType/type.yaml",
            "primary: lamp.yaml\nreferences:\n  keys: [{ key: a..b, type: mesh }]\n  calls: [{ call: g, type: mesh }]\n",
        ),
    ]);
    let assets = Assets::load(&vfs).unwrap();
    let told: Vec<String> = assets.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "/zero/source/lamp.assetType/type.yaml:3:10: error[type.broken]: `a..b` is no way to a key: names with dots \
             between, or `*`",
            "/zero/source/lamp.assetType/type.yaml:4:11: error[type.broken]: `g` does not end in a name as `g.*` does",
        ]
    );
}

/// A key that the host declares is as the host says, also where a type says otherwise.
#[test]
fn what_a_host_declares_takes_the_place_of_what_a_type_does() {
    let vfs = world(&[
        (
            "/lamp.assetType/type.yaml",
            "primary: lamp.yaml\nreferences: { keys: [{ key: shade, type: texture }] }\n",
        ),
        ("/desk.lamp/lamp.yaml", "shade: silk\nfoot: pole\n"),
        ("/desk.lamp/init.luau", "light.on('silk', { at = 'pole' })"),
        ("/silk.texture/texture.yaml", ""),
        ("/silk.material/mat.yaml", ""),
        ("/pole.mesh/mesh.yaml", MESH),
    ]);
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    let own = ["lamp.yaml:1:8 key:shade silk -> silk.texture"];
    assert_eq!(deps(world.assets(), world.vfs(), "desk"), own);
    let more = References::default().key("shade", "material").key("foot", "mesh");
    world.declare_references(&more.arg("light.on", 1, "texture").field("light.on", "at", "mesh"));
    assert_eq!(
        deps(world.assets(), world.vfs(), "desk"),
        [
            "init.luau:1:10 call:light.on:1 silk -> silk.texture",
            "init.luau:1:25 call:light.on.at pole -> pole.mesh",
            "lamp.yaml:1:8 key:shade silk -> silk.material",
            "lamp.yaml:2:7 key:foot pole -> pole.mesh",
        ]
    );
}

/// Notes what its assets are told of what they name.
struct Told(std::sync::Mutex<Vec<String>>);

impl Behavior for Told {
    fn on_dependency_change(&self, asset: &HookContext<'_>, change: &DependencyChange) -> HookResult<Step> {
        let mut told = self.0.lock().map_err(|_| "poisoned")?;
        told.push(format!("{}: {}", asset.asset.name, change.dependency));
        Ok(Step::Done)
    }
}

#[test]
fn a_behaviour_is_told_of_what_a_host_declares_and_of_a_node_that_comes() {
    let vfs = world(&[
        (
            "/lamp.assetType/type.yaml",
            "primary: lamp.yaml\nreferences: { calls: [{ call: 'g.*', type: procNode }] }\n",
        ),
        ("/desk.lamp/lamp.yaml", "foot: pole\n"),
        ("/desk.lamp/init.luau", "g.points.disc()"),
        ("/pole.mesh/mesh.yaml", MESH),
    ]);
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    let told = Arc::new(Told(std::sync::Mutex::default()));
    world.attach("lamp", told.clone());
    world.declare_references(&References::default().key("foot", "mesh"));
    world.update(Duration::from_secs(1));
    world
        .vfs()
        .write(&source("/pole.mesh/mesh.yaml"), b"version: 1\npayload: b.glb\n")
        .unwrap();
    world
        .vfs()
        .write(&source("/points.nodebox/disc.procNode/init.luau"), NODE.as_bytes())
        .unwrap();
    world.update(Duration::from_secs(2));
    assert_eq!(
        *told.0.lock().unwrap(),
        [
            "desk: /zero/source/points.nodebox/disc.procNode",
            "desk: /zero/source/pole.mesh"
        ]
    );
}

/// A world in which the package `kit` holds a mesh, and a population outside of it copies that mesh.
fn wood() -> Workspace {
    let vfs = world(&[
        ("/wood.package/package.yaml", "version: 1.0.0\n"),
        ("/wood.package/README.md", "# wood\n\nA wood.\n"),
        ("/wood.package/.metadata", ""),
        ("/wood.package/oaks.population/population.yaml", "pieces: []\n"),
        ("/kit/tree.mesh/mesh.yaml", "version: 1\npayload: mesh.glb\n"),
    ]);
    let glb = vfs
        .read(&path("/zero/source/libs/@builtin/mesh.assetType/template/mesh.glb"))
        .unwrap();
    vfs.write(&source("/kit/tree.mesh/mesh.glb"), &glb).unwrap();
    let oaks = b"pieces:\n- { mesh: kit.tree, instances: a.instances }\n";
    vfs.write(&source("/wood.package/oaks.population/population.yaml"), oaks)
        .unwrap();
    let mut none = b"ZINS\x01\0\0\0\0\0\0\0".to_vec();
    let hash = none.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    none.extend(hash.to_le_bytes());
    vfs.write(&source("/wood.package/oaks.population/a.instances"), &none)
        .unwrap();
    Workspace::open(Arc::new(vfs)).unwrap()
}

#[test]
fn a_mesh_that_a_population_names_is_packed_followed_and_kept() {
    let mut first = wood();
    let package = first.pack(&source("/wood.package")).unwrap();
    let parts: Vec<&str> = package.manifest().parts.iter().map(|part| part.path.as_str()).collect();
    assert_eq!(parts, ["/kit/tree.mesh", "/wood.package"]);

    let mut second = Workspace::open(Arc::new(world(&[]))).unwrap();
    second.install(&package, &InstallOptions::default()).unwrap();
    // It is moved: the population is told of, and means it still.
    let (from, to) = (source("/kit/tree.mesh"), source("/oak.mesh"));
    assert_eq!(
        second.move_asset(&from, &to).unwrap(),
        [source("/wood.package/oaks.population")]
    );
    let told = second.validate(&source("/wood.package/oaks.population")).unwrap();
    let codes: Vec<&str> = told.iter().map(|told| &*told.code).collect();
    assert_eq!(codes, ["reference.renamed"]);
    second.move_asset(&to, &from).unwrap();
    second.update(Duration::from_secs(1));

    // Another population names it too: the package goes, and the mesh stays.
    let other = b"pieces:\n- { mesh: kit.tree, instances: a.instances }\n";
    second
        .vfs()
        .write(&source("/other.population/population.yaml"), other)
        .unwrap();
    second.update(Duration::from_secs(20));
    second.settle().unwrap();
    let guid = package.manifest().guid;
    assert_eq!(
        second.uninstall(guid, Edits::Refuse).unwrap(),
        [source("/wood.package")]
    );
    assert!(second.assets().find("kit.tree").is_ok());

    // One in a package that is named from outside keeps the package.
    let mut third = wood();
    third.move_asset(&from, &source("/wood.package/tree.mesh")).unwrap();
    let population = source("/wood.package/oaks.population/population.yaml");
    third
        .vfs()
        .write(&population, b"pieces:\n- { mesh: ~.tree, instances: a.instances }\n")
        .unwrap();
    third.update(Duration::from_secs(1));
    let package = third.pack(&source("/wood.package")).unwrap();
    let mut fourth = Workspace::open(Arc::new(world(&[]))).unwrap();
    fourth.install(&package, &InstallOptions::default()).unwrap();
    let other = b"pieces:\n- { mesh: wood.tree, instances: a.instances }\n";
    fourth
        .vfs()
        .write(&source("/other.population/population.yaml"), other)
        .unwrap();
    fourth.update(Duration::from_secs(20));
    fourth.settle().unwrap();
    let Err(Error::PackageConflicts { conflicts, .. }) = fourth.uninstall(package.manifest().guid, Edits::Refuse)
    else {
        unreachable!("the mesh is in use");
    };
    let expected = Conflict::InUse {
        path: source("/wood.package/tree.mesh"),
        by: source("/other.population"),
    };
    assert_eq!(conflicts, [expected]);
}
