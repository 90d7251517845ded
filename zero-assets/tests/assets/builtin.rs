//! The built-in types: whole, sound, and with rules that tell a bad asset by its file and line.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use zero_assets::{
    BUILTIN_PREFIX, Create, Diagnostic, Texture, TextureLimits, Workspace, builtin, builtin_behaviors, serde_json,
    zero_yaml,
};
use zero_vfs::{Access, FolderSource, MemorySource, Mount, Vfs, VfsPath};

use crate::path;

const TYPES: &[&str] = &[
    "assetType",
    "bundle",
    "component",
    "computeShader",
    "data",
    "effect",
    "gaussianSplat",
    "guide",
    "importer",
    "material",
    "mesh",
    "module",
    "nodebox",
    "package",
    "pixelTemplate",
    "population",
    "preset",
    "procGraph",
    "procNode",
    "procPack",
    "procRecord",
    "renderFeature",
    "scene",
    "script",
    "shader",
    "terrainData",
    "testSuite",
    "texture",
    "tool",
    "toolbox",
];

/// A world with nothing in it but the built-in types.
pub(crate) fn empty() -> Workspace {
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), MemorySource::new("world")))
        .unwrap();
    Workspace::open(Arc::new(vfs)).unwrap()
}

/// Makes an asset of a type where such a one may stand.
pub(crate) fn make(world: &mut Workspace, kind: &str) -> VfsPath {
    let boxed = match kind {
        "tool" => Some("toolbox"),
        "procNode" => Some("nodebox"),
        _ => None,
    };
    let new = Create::new(kind, "Sample");
    let new = match boxed {
        Some(holder) => new.into(&world.create(&Create::new(holder, "Box")).unwrap().path),
        None => new,
    };
    world.create(&new).unwrap().path
}

/// What is told of an asset, but for texts that are still to be written.
pub(crate) fn told(world: &Workspace, asset: &VfsPath) -> Vec<String> {
    let told = world.validate(asset).unwrap().into_iter();
    told.filter(|told| told.code != "asset.undescribed")
        .map(|told| told.to_string())
        .collect()
}

/// Makes an asset from its template, writes `files` over it, and compares what is told.
pub(crate) fn check(kind: &str, files: &[(&str, &str)], expected: &[&str]) {
    let files: Vec<_> = files.iter().map(|(file, text)| (*file, text.as_bytes())).collect();
    check_bytes(kind, &files, expected);
}

pub(crate) fn check_bytes(kind: &str, files: &[(&str, &[u8])], expected: &[&str]) {
    let mut world = empty();
    let asset = make(&mut world, kind);
    for (file, bytes) in files {
        world.vfs().write(&asset.join(file).unwrap(), bytes).unwrap();
    }
    world.update(Duration::from_secs(1));
    let found = told(&world, &asset);
    let found: Vec<String> = found.iter().map(|one| one.replace(asset.as_str(), "A")).collect();
    assert_eq!(found, expected, "{kind}");
}

#[test]
fn every_file_of_the_content_is_in_the_program() {
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    vfs.mount(Mount::new(
        path("/disk"),
        FolderSource::open(folder, Access::ReadOnly).unwrap(),
    ))
    .unwrap();
    let files = |top: &str| -> BTreeMap<String, Vec<u8>> {
        let top = path(top);
        let walk = vfs.walk(&top).unwrap();
        let entry = |file: VfsPath| (file.relative_to(&top).unwrap().to_string(), vfs.read(&file).unwrap());
        walk.files.into_iter().map(entry).collect()
    };
    let (on_disk, in_program) = (files("/disk"), files(BUILTIN_PREFIX));
    assert_eq!(
        on_disk.keys().collect::<Vec<_>>(),
        in_program.keys().collect::<Vec<_>>()
    );
    assert!(on_disk == in_program, "a file has other bytes");
}

#[test]
fn every_type_is_sound_says_what_it_is_for_and_has_an_interface() {
    let world = empty();
    let types: Vec<_> = world.assets().list("assetType").unwrap().cloned().collect();
    let names: Vec<_> = types.iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!(names, TYPES);
    for kind in types {
        let told: Vec<_> = world
            .validate(&kind.path)
            .unwrap()
            .iter()
            .map(Diagnostic::to_string)
            .collect();
        assert_eq!(told, Vec::<String>::new());
        let record = world.inspect(&kind.path).unwrap();
        let about = &record.detail.unwrap()["about"];
        for text in ["intent", "function", "usage"] {
            assert!(
                about[text].as_str().is_some_and(|text| text.len() > 60),
                "{}: {text}",
                kind.name
            );
        }
        assert!(world.type_guide(&kind.name).unwrap().contains("## About this type"));
        let (sections, told) = world.inspector(&kind.path).unwrap();
        assert!(sections.len() > 3 && told.is_empty(), "{}: {told:?}", kind.name);
    }
}

#[test]
fn every_behaviour_is_of_a_type_that_is_there() {
    let world = empty();
    for (identity, _) in builtin_behaviors() {
        let plain = identity.strip_prefix("@builtin::").unwrap();
        assert!(TYPES.contains(&plain), "{identity}");
    }
    assert_eq!(world.diagnostics(), []);
    // Without the mount they are attached to nothing, and nothing is told.
    assert_eq!(Workspace::open(Arc::new(Vfs::new())).unwrap().diagnostics(), []);
}

#[test]
fn every_template_is_sound_and_saved_again_as_it_was() {
    for kind in TYPES {
        let mut world = empty();
        let asset = make(&mut world, kind);
        let errors: Vec<_> = told(&world, &asset);
        let harmless = ["toolbox.empty", "nodebox.empty"];
        let errors: Vec<_> = errors
            .iter()
            .filter(|told| !harmless.iter().any(|code| told.contains(code)))
            .collect();
        assert!(errors.is_empty(), "{kind}: {errors:?}");
        let before = files_below(&world, &asset);
        assert!(!before.is_empty(), "{kind} has no template");
        assert!(
            before
                .values()
                .all(|bytes| !String::from_utf8_lossy(bytes).contains("{{name}}"))
        );
        saved_again(&world, &asset, kind);
        // Made over itself it is the same asset, file by file.
        let name = world.assets().at(&asset).unwrap().name.clone();
        let holder = asset.parent().unwrap();
        let new = Create::new(*kind, name).replacing();
        let new = match holder.as_str() {
            "/zero/source" => new,
            _ => new.into(&holder),
        };
        world.create(&new).unwrap();
        assert!(files_below(&world, &asset) == before, "{kind}");
    }
}

fn files_below(world: &Workspace, asset: &VfsPath) -> BTreeMap<VfsPath, Vec<u8>> {
    let walk = world.vfs().walk(asset).unwrap();
    let read = |file: VfsPath| (file.clone(), world.vfs().read(&file).unwrap());
    walk.files.into_iter().map(read).collect()
}

/// Reads each file in its own form, writes it out, and compares the bytes.
fn saved_again(world: &Workspace, asset: &VfsPath, kind: &str) {
    for (file, bytes) in files_below(world, asset) {
        let text = || String::from_utf8(bytes.clone()).unwrap();
        match (file.name().unwrap(), file.extension()) {
            (".refs", _) => {}
            ("texture.yaml", _) => {
                let folder = file.parent().unwrap();
                let before = files_below(world, &folder);
                let texture = Texture::load(world.vfs(), &folder, &TextureLimits::default())
                    .unwrap()
                    .value;
                texture.save(world.vfs(), &folder).unwrap();
                assert!(files_below(world, &folder) == before, "{kind}: {file}");
            }
            // A person is told in comments what goes where, which no writer keeps.
            (_, Some("yaml")) if text().contains('#') => assert_eq!(kind, "assetType"),
            (_, Some("yaml")) if kind == "assetType" => {}
            (_, Some("yaml")) => {
                let value: serde_json::Value = zero_yaml::from_str(file.as_str(), &text()).unwrap();
                assert_eq!(zero_yaml::to_string(&value).unwrap(), text(), "{kind}: {file}");
            }
            (".metadata", _) => {
                let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                assert_eq!(value.to_string() + "\n", text(), "{kind}: {file}");
            }
            _ => {}
        }
    }
}

/// A host's own behaviour of a built-in type takes the place of ours, and ours comes back.
#[test]
fn a_hosts_behaviour_takes_the_place_of_ours() {
    struct Anything;
    impl zero_assets::Behavior for Anything {}
    let mut world = empty();
    let asset = make(&mut world, "module");
    world
        .vfs()
        .write(&asset.join("init.luau").unwrap(), b"local M = {}\n")
        .unwrap();
    world.update(Duration::from_secs(1));
    assert_eq!(told(&world, &asset).len(), 1);
    world.attach("module", Arc::new(Anything));
    assert_eq!(told(&world, &asset).len(), 0);
    world.detach("module");
    assert_eq!(told(&world, &asset).len(), 1);
}

#[test]
fn code_that_returns_nothing() {
    const BODY: &[(&str, &str)] = &[("init.luau", "local M = {}\nfunction M.a() return 1 end\n")];
    let check = |kind: &str, code: &str, help: &str| {
        let expected = format!("A/init.luau:1:1: error[{code}]: it returns nothing to those who require it; {help}");
        check(kind, BODY, &[&expected]);
    };
    check(
        "module",
        "module.no_return",
        "end it with `return` and the table of its functions",
    );
    check(
        "script",
        "script.no_return",
        "end it with `return` and the value that `require` gives",
    );
    check("testSuite", "testSuite.no_return", "end it with `return` and the tests");
    check(
        "importer",
        "importer.no_return",
        "end it with `return` and the function that makes the asset",
    );
}

#[test]
fn components() {
    check(
        "component",
        &[("init.luau", "public = {}\n")],
        &[
            "A/init.luau:1:1: warning[component.no_function]: it declares no function, so an entity with it does nothing",
        ],
    );
    check(
        "component",
        &[("init.luau", "public = {}\nfunction update() end\n")],
        &[],
    );
}

#[test]
fn tools() {
    check(
        "tool",
        &[(
            "init.luau",
            "local M = {}\n\n--!desc Spawns.\nfunction M.spawn(kind: string)\nend\n\nreturn M\n",
        )],
        &[
            "A/init.luau:1:1: error[tool.no_function]: it declares no `typed function`, so there is nothing to call",
            "A/init.luau:4:1: error[tool.untyped]: `spawn` is a plain function: it takes whatever comes; declare it \
             `typed function`, with the types of its arguments",
        ],
    );
    check(
        "tool",
        &[(
            "init.luau",
            "local M = {}\nlocal t = {}\nfunction t.own() end\ntyped function M.run() end\nreturn M\n",
        )],
        &["A/init.luau:4:7: warning[tool.undocumented]: `run` does not say what it does; write `--!desc` above it"],
    );
    check(
        "tool",
        &[(".metadata", "{\"tags\": [\"a\"], \"tier\": \"best\"}")],
        &[
            "A/.metadata:1:25: error[asset.content]: Say the tier of the tool in .metadata: core, content or specialized; \
          `tier` is one of \"core\", \"content\", \"specialized\", and \"best\" is here",
        ],
    );
    let mut world = empty();
    let loose = world.create(&Create::new("tool", "loose")).unwrap().path;
    assert_eq!(
        told(&world, &loose),
        [
            "/zero/source/loose.tool: error[tool.no_toolbox]: it lies in no toolbox, whose name is the first half of a tool's; \
          move it into a `.toolbox`"
        ]
    );
}

#[test]
fn toolboxes() {
    check("toolbox", &[], &["A: warning[toolbox.empty]: it holds no tool yet"]);
    check("toolbox", &[("a.tool/init.luau", "return {}")], &[]);
}

#[test]
fn packages() {
    let bad = |text: &str, expected: &[&str]| check("package", &[("package.yaml", text)], expected);
    bad("name: kit\nversion: 1.0.0-beta.2\n", &[]);
    bad(
        "name: kit\n",
        &["A/package.yaml:1:1: error[package.broken]: the key `version` is missing"],
    );
    bad(
        "version: 1.0\n",
        &["A/package.yaml:1:10: error[package.broken]: `version` is a text, and a number is here"],
    );
    bad(
        "version: one\ndependencies: [{ name: stone, version: two }]\n",
        &[
            "A/package.yaml:1:10: error[package.broken]: `one` is no version as `1.2.0` is: unexpected character 'o' while \
             parsing major version number",
            "A/package.yaml:2:40: error[package.broken]: `two` says no versions as `^1.2` does: unexpected character 't' while \
             parsing major version number",
        ],
    );
    bad(
        "version: 1.0.0\ndescription: 3\nnaem: x\n",
        &[
            "A/package.yaml:2:14: error[package.broken]: `description` is a text, and a whole number is here",
            "A/package.yaml:3:1: warning[package.unknown_key]: the key `naem` is not read; did you mean `name`?",
        ],
    );
    bad(
        "format: 2\nversion: 1.0.0\n",
        &["A/package.yaml: error[package.broken]: it is of version 2; this program reads versions up to 1"],
    );
}

#[test]
fn a_picture_in_code_is_none() {
    check(
        "guide",
        &[(
            "guide.md",
            "# A\n\nWrite `![words](a.png)` or ``a ` ![b](b.png)``.\n\n```md\n![c](c.png)\n```\n~~~\n```\n![d](d.png)\n~~~\n\
             A tick ` and ![e](e.png)\n",
        )],
        &["A/guide.md:12:14: error[guide.no_picture]: it shows `e.png`, which is not here"],
    );
}

#[test]
fn a_tool_may_hand_on_its_function_in_a_table() {
    check(
        "tool",
        &[(
            "init.luau",
            "--!desc Runs.\nlocal typed function run(x: number): number\n    return x\nend\nlocal function hidden() end\nreturn { \
             run = run }\n",
        )],
        &[],
    );
    check(
        "tool",
        &[(
            "init.luau",
            "--!desc Runs.\nlocal function run(x)\n    return x\nend\nreturn { run = run }\n",
        )],
        &[
            "A/init.luau:1:1: error[tool.no_function]: it declares no `typed function`, so there is nothing to call",
            "A/init.luau:2:7: error[tool.untyped]: `run` is a plain function: it takes whatever comes; declare it `typed \
             function`, with the types of its arguments",
        ],
    );
}

#[test]
fn guides() {
    check(
        "guide",
        &[("guide.md", "Text.\n\n![A door](door.png) ![x](https://a.b/c.png)\n")],
        &[
            "A/guide.md:1:1: warning[guide.no_title]: it does not begin with a heading, which a list of guides shows; begin \
             it with `# ` and its name",
            "A/guide.md:3:1: error[guide.no_picture]: it shows `door.png`, which is not here",
        ],
    );
    check(
        "guide",
        &[("guide.md", "# Doors\n\n![A door](door.png)\n"), ("door.png", "")],
        &[],
    );
}

#[test]
fn importers() {
    let bad = |text: &str, expected: &[&str]| check("importer", &[("importer.yaml", text)], expected);
    bad(
        "extensions: [.OBJ, png]\nmakes: textur\n",
        &[
            "A/importer.yaml:1:14: error[importer.broken]: `.OBJ` is no extension: small letters and digits, without the dot",
            "A/importer.yaml:2:8: error[reference.unresolved]: no asset answers to `textur`; did you mean `texture`?",
        ],
    );
    bad(
        "extensions: [obj]\nmakes: textur\n",
        &["A/importer.yaml:2:8: error[reference.unresolved]: no asset answers to `textur`; did you mean `texture`?"],
    );
    bad(
        "version: 2\n",
        &["A/importer.yaml: error[importer.broken]: it is of version 2; this program reads versions up to 1"],
    );
    bad(
        "makes: data\nextensions: []\n",
        &["A/importer.yaml:2:13: error[importer.broken]: `extensions` names at least one"],
    );
    bad(
        "makes: data\n",
        &["A/importer.yaml:1:1: error[importer.broken]: the key `extensions` is missing"],
    );
    let mut world = empty();
    make(&mut world, "importer");
    let other = world.create(&Create::new("importer", "other")).unwrap().path;
    assert_eq!(
        told(&world, &other),
        ["/zero/source/other.importer/importer.yaml:2:3: warning[importer.taken]: `Sample` takes `example` too"]
    );
}

#[test]
fn records() {
    const SCHEMA: (&str, &str) = ("schema.yaml", "wind: { type: number, min: 0, max: 60 }\n");
    check("data", &[SCHEMA, ("data.yaml", "values:\n  wind: 38\n")], &[]);
    check(
        "data",
        &[SCHEMA, ("data.yaml", "values:\n  wind: 61\n  wnid: 1\nvalue: 3\n")],
        &[
            "A/data.yaml:2:9: error[data.field]: `wind` does not fit: 61 is out of its range, 0 to 60",
            "A/data.yaml:3:3: error[data.field]: there is no field `wnid`; did you mean `wind`?",
            "A/data.yaml:4:1: warning[data.unknown_key]: the key `value` is not read; did you mean `values`?",
        ],
    );
    check(
        "data",
        &[("data.yaml", "values: 3\n")],
        &["A/data.yaml:1:9: error[data.broken]: `values` is a mapping, and a whole number is here"],
    );
    check(
        "data",
        &[("schema.yaml", "wind: { type: nubmer }\n")],
        &[
            "A/schema.yaml:1:15: error[settings.schema]: `type` is one of `bool`, `integer`, `number`, `text`, `word`, \
             `vector`, `asset`, `list`, `any`, and `nubmer` is here; did you mean `number`?",
        ],
    );
    // A record that follows another is checked against that one's schema.
    let mut world = empty();
    let sea = world.create(&Create::new("data", "sea")).unwrap().path;
    let gale = world.create(&Create::new("data", "gale")).unwrap().path;
    let vfs = world.vfs().clone();
    let write = |file: VfsPath, text: &str| vfs.write(&file, text.as_bytes()).unwrap();
    write(sea.join(SCHEMA.0).unwrap(), SCHEMA.1);
    write(sea.join("data.yaml").unwrap(), "");
    write(
        gale.join("data.yaml").unwrap(),
        "contract: sea\nvalues: { wind: fast }\n",
    );
    world.update(Duration::from_secs(1));
    assert_eq!(
        told(&world, &gale),
        [
            "/zero/source/gale.data/data.yaml:2:17: error[data.field]: `wind` does not fit: it is a number, and a text is here"
        ]
    );
    // So is one that follows that one; a ring of them has no schema and no end.
    let storm = world.create(&Create::new("data", "storm")).unwrap().path;
    write(
        storm.join("data.yaml").unwrap(),
        "contract: gale\nvalues: { wind: 70 }\n",
    );
    world.update(Duration::from_secs(2));
    assert_eq!(
        told(&world, &storm),
        [
            "/zero/source/storm.data/data.yaml:2:17: error[data.field]: `wind` does not fit: 70 is out of its range, 0 to 60"
        ]
    );
    write(
        gale.join("data.yaml").unwrap(),
        "contract: storm\nvalues: { wind: fast }\n",
    );
    world.update(Duration::from_secs(3));
    assert_eq!(told(&world, &storm), [] as [&str; 0]);
}

#[test]
fn presets() {
    let bad = |text: &str, expected: &[&str]| check("preset", &[("preset.yaml", text)], expected);
    bad(
        "values: {}\n",
        &["A/preset.yaml:1:1: error[preset.broken]: the key `for` is missing"],
    );
    bad(
        "for: tool_box\n",
        &["A/preset.yaml:1:6: error[reference.unresolved]: no asset answers to `tool_box`; did you mean `toolbox`?"],
    );
    bad(
        "for: guide\nvalues: { size: 3 }\n",
        &["A/preset.yaml:2:11: error[preset.setting]: there is no field `size`"],
    );
    let mut world = empty();
    let write = |world: &Workspace, file: &str, text: &str| world.vfs().write(&path(file), text.as_bytes()).unwrap();
    write(
        &world,
        "/zero/source/lamp.assetType/type.yaml",
        "primary: lamp.yaml\nsettings: { values: s.yaml, schema: { type: { watts: { type: number, max: 100 } } } }\n",
    );
    world.update(Duration::from_secs(1));
    let asset = make(&mut world, "preset");
    write(
        &world,
        &format!("{asset}/preset.yaml"),
        "for: lamp\nvalues:\n  watts: 101\n",
    );
    world.update(Duration::from_secs(2));
    assert_eq!(
        told(&world, &asset),
        [format!(
            "{asset}/preset.yaml:3:10: error[preset.setting]: `watts` does not fit: 101 is out of its range, at most 100"
        )]
    );
}

#[test]
fn textures() {
    const YAML: &str = "version: 1\nformat: rgba8\nsize: [2, 2]\ncolorSpace: srgb\nwrap: repeat\npayload: image.png\n";
    check("texture", &[("texture.yaml", YAML)], &[]);
    check(
        "texture",
        &[("texture.yaml", &YAML.replace("[2, 2]", "[2, 3]"))],
        &["A/image.png: error[texture.broken]: its size is 2 x 2, but texture.yaml says 2 x 3"],
    );
    check(
        "texture",
        &[("texture.yaml", &YAML.replace("[2, 2]", "[0, 2]"))],
        &["A/texture.yaml:3:7: error[texture.broken]: 0 x 2 texels are none; both are at least 1"],
    );
    check(
        "texture",
        &[("texture.yaml", &YAML.replace("wrap", "wrpa: mirror\nwrap"))],
        &["A/texture.yaml:5:1: warning[texture.unknown_key]: the key `wrpa` is not read; did you mean `wrap`?"],
    );
    let whole =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("content/texture.assetType/template/image.png"));
    let whole = whole.unwrap();
    let mut world = empty();
    let asset = make(&mut world, "texture");
    world
        .vfs()
        .write(&asset.join("image.png").unwrap(), &whole[..whole.len() - 20])
        .unwrap();
    world.update(Duration::from_secs(1));
    let told = told(&world, &asset);
    assert!(
        told.len() == 1 && told[0].contains("image.png: error[texture.broken]: this is not a whole PNG image"),
        "{told:?}"
    );
}

#[test]
fn landscapes() {
    const GROUND: &str = "size: [4, 4]\norigin: [0, 0]\nheightRange: [0, 0]\nheight: height.texture\n";
    let bad = |text: &str, expected: &[&str]| check("terrainData", &[("terrain.yaml", text)], expected);
    bad(GROUND, &[]);
    bad(
        "height: height.texture\n",
        &[
            "A/terrain.yaml:1:1: error[terrain.broken]: the key `heightRange` is missing: it says where the ground stands",
            "A/terrain.yaml:1:1: error[terrain.broken]: the key `origin` is missing: it says where the ground stands",
            "A/terrain.yaml:1:1: error[terrain.broken]: the key `size` is missing: it says where the ground stands",
        ],
    );
    bad(
        "size: [4, -4]\norigin: [0]\nheightRange: [2, 1]\n",
        &[
            "A/terrain.yaml:1:1: error[terrain.broken]: the key `height` is missing: it is the ground that one stands on",
            "A/terrain.yaml:1:7: error[terrain.broken]: `size` is metres above 0, and 4 by -4 are here",
            "A/terrain.yaml:2:9: error[terrain.broken]: `origin` is a list of 2 numbers, and 1 of them are here",
            "A/terrain.yaml:3:14: error[terrain.broken]: `heightRange` is two heights, the lowest first, and 2 to 1 is here",
        ],
    );
    bad(
        &format!("{GROUND}holes: holes.texture\nwater: ../sea.texture\nwaterShade: {{ file: a.png, depthMax: 0 }}\n"),
        &["A/terrain.yaml:7:38: error[terrain.broken]: `depthMax` is more than 0, and 0 is here"],
    );
    bad(
        &format!(
            "{GROUND}holes: holes.texture\nwater: ../sea.texture\nscatter: [{{ name: trees, file: t.instances }}]\n"
        ),
        &[
            "A/terrain.yaml:5:8: error[terrain.child]: `holes.texture` is not here",
            "A/terrain.yaml:6:8: error[terrain.child]: `../sea.texture` is no name of a `.texture` in this folder",
            "A/terrain.yaml:7:32: error[terrain.child]: `t.instances` is not here",
        ],
    );
    bad(
        &format!("{GROUND}layers:\n  - {{ name: sand, tiling: 12, albedoSlice: 0 }}\n"),
        &[
            "A/terrain.yaml:6:3: error[terrain.layers]: 1 layers, and 0 control textures carry 0",
            "A/terrain.yaml:6:44: error[terrain.layers]: `albedoSlice` is 0, and there are 0 of them, from 0; -1 for none",
        ],
    );
    bad(
        "version: 2\n",
        &["A/terrain.yaml: error[terrain.broken]: it is of version 2; this program reads versions up to 1"],
    );
}

#[test]
fn names_that_are_words_of_yaml_scaffold_what_passes() {
    for kind in ["package", "data", "bundle"] {
        for name in ["true", "null", "no"] {
            let mut world = empty();
            let made = world.create(&Create::new(kind, name)).unwrap();
            let told = world.validate(&made.path).unwrap();
            let errors: Vec<String> = told
                .iter()
                .filter(|told| told.is_error())
                .map(ToString::to_string)
                .collect();
            assert_eq!(errors, Vec::<String>::new(), "{kind} {name}");
        }
    }
}
