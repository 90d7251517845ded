//! Rules of the built-in types that are graphs, places and copies: a bad asset is told by its file and line.

use zero_assets::Value;
use zero_assets::serde_json::json;

use crate::builtin::{check, check_bytes};

#[test]
fn nodes_and_graphs_as_code() {
    for kind in ["procNode", "procGraph"] {
        let expected = format!(
            "A/init.luau:1:1: error[{kind}.no_graph]: it does not return a graph; end it with `return proc.define(function(g) \
             ... end)`"
        );
        check(
            kind,
            &[("init.luau", "local g = proc.define(function(g) end)\nreturn {}\n")],
            &[&expected],
        );
        check(
            kind,
            &[("init.luau", "return proc.define(function(g)\n    return {}\nend)\n")],
            &[],
        );
    }
    check(
        "procNode",
        &[(
            "init.luau",
            "return proc.define(function(g)\n    g:describe(text)\n    g:input(name, 1)\n    g:input(\"a\", 1)\n    \
             g:input(\"a\", 2)\n    g:output(x, 1)\n    return {}\nend)\n",
        )],
        &[
            "A/init.luau:2:16: error[interface.unreadable]: `g:describe` takes a text that stands there",
            "A/init.luau:3:13: error[interface.unreadable]: the name of an input is a text that stands there",
            "A/init.luau:5:13: error[interface.unreadable]: the input `a` is declared already",
            "A/init.luau:6:14: error[interface.unreadable]: the name of an output is a text that stands there",
        ],
    );
    check(
        "procNode",
        &[(".metadata", "{\"description\":\"\",\"tags\":[]}")],
        &["A/.metadata:1:26: error[asset.content]: Tag it in .metadata, so that search finds it; `tags` is empty"],
    );
    check("nodebox", &[], &["A: warning[nodebox.empty]: it holds no procNode yet"]);
    check("nodebox", &[("disc.procNode/init.luau", "return proc.define(f)")], &[]);
}

#[test]
fn what_a_node_takes_is_read_from_its_text() {
    let mut world = crate::builtin::empty();
    let node = world
        .create(&zero_assets::Create::new("procNode", "disc"))
        .unwrap()
        .path;
    let text = r#"
local FAR = -2.5e1
local KINDS = { "round", "square" }
local SKY: string = "sky"
return proc.define(function(b)
    b:describe("A disc.")
    local r = b:input("radius", 3, { description = "How wide.", min = 0.5, max = 0x10 })
    local k = b:input("kind", "round", { options = KINDS, plain = true })
    b:input("far", FAR)
    b:input("at", vector.create(0, 1, .5))
    b:input("sky", asset.resolve("sky.day", "texture"), { description = SKY })
    b:input("steps", {}, { type = "List<Int>", optional = true })
    b:input("none", nil, { type = "Geometry" })
    if k == "round" then
        b:output("points", r)
    else
        b:output("points", if k then r else r)
    end
    for i, item in r do r = function() return 3 end end
    return { edge = r, ["area"] = r }
end)
"#;
    world
        .vfs()
        .write(&node.join("init.luau").unwrap(), text.as_bytes())
        .unwrap();
    let (interface, told) = world.interface(&node).unwrap();
    assert_eq!(told, []);
    let input = |name: &str, kind: &str, default: Value, more: Value| {
        let mut input = json!({
            "default": default, "description": null, "max": null, "min": null, "name": name, "optional": false,
            "options": null, "plain": false, "type": kind,
        });
        let fields = input.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        input
    };
    assert_eq!(
        interface,
        json!({
            "description": "A disc.",
            "inputs": [
                input("radius", "Float", json!(3), json!({ "description": "How wide.", "min": 0.5, "max": 16 })),
                input("kind", "String", json!("round"), json!({ "options": ["round", "square"], "plain": true })),
                input("far", "Float", json!(-25), json!({})),
                input("at", "Vec3", json!([0, 1, 0.5]), json!({})),
                input("sky", "", json!({ "asset": "sky.day", "type": "texture" }), json!({ "description": "sky", "type": null })),
                input("steps", "List<Int>", json!([]), json!({ "optional": true })),
                input("none", "Geometry", json!(null), json!({})),
            ],
            "outputs": ["points", "area", "edge"],
        })
    );
}

#[test]
fn what_of_a_node_cannot_be_read_is_told() {
    check(
        "procNode",
        &[(
            "init.luau",
            "return proc.define(function(g)\n    g:input(\"a\", f())\n    g:input(\"b\", 1, { min = low, sise = 3 })\n    \
             if x then\n        g:input(\"c\", 1)\n        g:output(\"o\", 1)\n    end\n    while x do\n        \
             g:output(\"p\", 1)\n    end\n    if x then\n        return { q = 1 }\n    end\n    return r\nend)\n",
        )],
        &[
            "A/init.luau:2:18: error[interface.unreadable]: the default of `a` is a value that stands there",
            "A/init.luau:3:23: error[interface.unreadable]: `min` of the input `b` is a value that stands there",
            "A/init.luau:3:34: error[interface.unreadable]: the options of `b` have no `sise`",
            "A/init.luau:5:9: error[interface.unreadable]: the input `c` is declared at the top of the graph's function, in no \
             block",
            "A/init.luau:7:5: error[interface.unreadable]: not every branch hands back the same outputs: `o`",
            "A/init.luau:9:9: error[interface.unreadable]: the output `p` is declared in a loop or in a function of its own",
            "A/init.luau:14:5: error[interface.unreadable]: what a graph hands back is a table that stands there, each output \
             under its name",
        ],
    );
    check(
        "procNode",
        &[("init.luau", "local make = other\nreturn proc.define(make)\n")],
        &["A/init.luau:2:1: error[interface.unreadable]: the function of the graph is not written in this file"],
    );
    check(
        "procNode",
        &[(
            "init.luau",
            "local function make(g)\n    return { a = 1 }\nend\nreturn proc.define(make)\n",
        )],
        &[],
    );
}

#[test]
fn graphs_as_data() {
    const CODE: &str = "return proc.define(function(g) end)";
    let bad =
        |text: &str, expected: &[&str]| check("procGraph", &[("init.luau", CODE), ("graph.json", text)], expected);
    bad(
        r#"{"version": 1, "name": "g", "inputs": {"r": {"type": "Float"}},
           "nodes": {"a": {"node": "x.y", "inputs": {"r": {"input": "r"}}}}, "outputs": {"o": {"node": "a"}}}"#,
        &[],
    );
    bad(
        "{\n  \"version\": 1,,\n}",
        &["A/graph.json:2:16: error[procGraph.broken]: this is no JSON: key must be a string"],
    );
    bad(
        r#"{"version": 2}"#,
        &["A/graph.json: error[procGraph.broken]: it is of version 2; this program reads versions up to 1"],
    );
    bad("[]", &["A/graph.json: error[procGraph.broken]: a graph is a mapping"]);
    bad(
        r#"{"nodes": {"a": {}}}"#,
        &[
            "A/graph.json: error[procGraph.broken]: it does not say its `version`",
            "A/graph.json: error[procGraph.broken]: it has no `name`",
            "A/graph.json: error[procGraph.broken]: it has no `outputs`, a mapping by name",
            "A/graph.json: error[procGraph.broken]: the node `a` does not say which node it is",
        ],
    );
    bad(
        r#"{"version": 1, "name": "g", "inputs": {"radius": {}}, "nodes": {
            "one": {"node": "x", "inputs": {"v": {"node": "two"}, "r": {"input": "raduis"}}},
            "two": {"node": "x", "inputs": {"v": {"node": "one"}}},
            "end": {"node": "x", "inputs": {"v": {"node": "one"}}}}, "outputs": {"o": {"node": "ende"}}}"#,
        &[
            "A/graph.json: error[procGraph.loop]: these nodes wait for each other: `end`, `one`, `two`",
            "A/graph.json: error[procGraph.wire]: the input `r` of the node `one` comes from the input `raduis`, which is not \
             there; did you mean `radius`?",
            "A/graph.json: error[procGraph.wire]: the output `o` comes from the node `ende`, which is not there; did you mean one \
             of `end`, `one`?",
        ],
    );
}

#[test]
fn packs_and_records() {
    check(
        "procPack",
        &[("init.luau", "local ops = {}\n")],
        &[
            "A/init.luau:1:1: error[procPack.no_return]: it returns nothing to those who require it; end it with `return` and \
             the table of its operations",
        ],
    );
    let bad = |text: &str, expected: &[&str]| check("procRecord", &[("init.luau", text)], expected);
    bad(
        "return {}\n",
        &[
            "A/init.luau:1:1: error[procRecord.no_record]: it does not return a kind of record; end it with `return \
             proc.record({ name = \"...\", asset = \"...\" })`",
        ],
    );
    bad(
        "return proc.record({ asset = \"textur\", name = who, live = function() end })\n",
        &[
            "A/init.luau:1:20: error[procRecord.no_record]: the record does not say its `name` as a text that stands there",
            "A/init.luau:1:30: error[reference.unresolved]: no asset answers to `textur`; did you mean `texture`?",
            "A/init.luau:1:52: warning[procRecord.no_release]: what is live is never let go; say `release`, which is called \
             when nothing stands on the value any more",
        ],
    );
}

#[test]
fn effects() {
    let bad = |text: &str, expected: &[&str]| check("effect", &[("effect.yaml", text)], expected);
    bad(
        "graph: ~.main\nseconds: 0\n",
        &["A/effect.yaml:2:10: error[effect.broken]: `seconds` is more than 0, and 0 is here"],
    );
    bad(
        "graph: ~.main\nseconds: 2\nwarmup: 3\n",
        &["A/effect.yaml:3:9: error[effect.broken]: `warmup` is 0 to `seconds` (2), and 3 is here"],
    );
    bad(
        "graph: ~.main\nloop: 1\n",
        &[
            "A/effect.yaml:1:1: error[effect.broken]: the key `seconds` is missing",
            "A/effect.yaml:2:7: error[effect.broken]: `loop` is true or false, and a whole number is here",
        ],
    );
}

#[test]
fn places_and_bundles() {
    let bad = |text: &str, expected: &[&str]| check("scene", &[("scene.yaml", text)], expected);
    bad(
        "version: 1\n",
        &["A/scene.yaml:1:1: error[scene.broken]: the key `entities` is missing"],
    );
    bad(
        "entities:\n  - { id: a, position: [1, 2] }\n  - { id: b, components: [x] }\n  - { name: c }\n",
        &[
            "A/scene.yaml:2:24: error[scene.broken]: `position` is a list of 3 numbers, and 2 of them are here",
            "A/scene.yaml:3:26: error[scene.broken]: `components` is a mapping, and a list is here",
            "A/scene.yaml:4:5: error[scene.broken]: the key `id` is missing",
        ],
    );
    bad(
        "entities:\n  - { id: lamp }\n  - { id: lamp }\n  - { id: bulb, parent: lamb }\n  - { id: x, parent: y }\n  - { id: y, \
         parent: x }\n",
        &[
            "A/scene.yaml:3:11: error[scene.entity]: the id `lamp` is there already",
            "A/scene.yaml:4:25: error[scene.entity]: `bulb` hangs on `lamb`, which is not there; did you mean `lamp`?",
            "A/scene.yaml:5:22: error[scene.entity]: `x` hangs on itself",
            "A/scene.yaml:6:22: error[scene.entity]: `y` hangs on itself",
        ],
    );
    let bad = |text: &str, expected: &[&str]| check("bundle", &[("bundle.yaml", text)], expected);
    bad(
        "entities: []\n",
        &["A/bundle.yaml: error[bundle.root]: no entity is without a parent: a bundle has one root"],
    );
    bad(
        "entities:\n  - { id: a }\n  - { id: b, parent: a }\n  - { id: c }\n",
        &["A/bundle.yaml:4:11: error[bundle.root]: a bundle has one root, and `a`, `c` have no parent"],
    );
}

/// A file of copies of this many, with its hash.
fn instances(copies: u32, floats: &[f32]) -> Vec<u8> {
    let mut bytes = b"ZINS".to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(copies.to_le_bytes());
    bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    bytes.extend(hash.to_le_bytes());
    bytes
}

#[test]
fn populations() {
    const YAML: &[u8] = b"pieces:\n  - { mesh: tree.mesh, instances: t.instances, count: 1 }\n";
    let mesh: (&str, &[u8]) = ("tree.mesh/mesh.yaml", b"");
    let good = instances(1, &[1.0, 2.0, 3.0, 0.5, 1.0]);
    let bad = |bytes: &[u8], expected: &str| {
        let expected = format!("A/t.instances: error[population.broken]: {expected}");
        check_bytes(
            "population",
            &[("population.yaml", YAML), mesh, ("t.instances", bytes)],
            &[&expected],
        );
    };
    check_bytes(
        "population",
        &[("population.yaml", YAML), mesh, ("t.instances", &good)],
        &[],
    );
    bad(b"ZI", "it has 2 bytes, and its head alone 12");
    bad(
        b"ZONS0000000000000000",
        "it does not begin with `ZINS`: this is no file of copies",
    );
    bad(&good[..30], "1 copies have 40 bytes, and 30 are here");
    let mut newer = good.clone();
    newer[4] = 2;
    bad(&newer, "it is of version 2; this program reads versions up to 1");
    let mut damaged = good.clone();
    damaged[14] ^= 1;
    bad(&damaged, "its hash is not that of its bytes: it is damaged");
    bad(
        &instances(2, &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, f32::NAN, 0.0, 0.0, 1.0]),
        "copy 1 holds NaN, which is no finite number",
    );
    check_bytes(
        "population",
        &[
            (
                "population.yaml",
                b"pieces:\n  - { mesh: tree.mesh, material: barc, instances: t.instances, count: 3 }\n  - { mesh: x, instances: \
                  u.instances }\n",
            ),
            mesh,
            ("t.instances", &good),
        ],
        &[
            "A/population.yaml:2:34: error[reference.unresolved]: no asset answers to `barc`",
            "A/population.yaml:2:71: error[population.count]: 3 copies are said, and `t.instances` holds 1",
            "A/population.yaml:3:13: error[reference.unresolved]: no asset answers to `x`",
            "A/population.yaml:3:27: error[population.child]: `u.instances` is not here",
        ],
    );
}
