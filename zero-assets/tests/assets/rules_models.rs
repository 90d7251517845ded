//! Rules of the built-in types that are drawn or computed: a bad asset is told by its file and line.

use std::path::Path;

use zero_assets::Create;

use crate::builtin::{check, check_bytes, empty, told};

fn template(inner: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("content").join(inner)).unwrap()
}

#[test]
fn meshes() {
    let whole = template("mesh.assetType/template/mesh.glb");
    let bad = |bytes: &[u8], expected: &str| {
        let expected = format!("A/mesh.glb: error[mesh.payload]: {expected}");
        check_bytes("mesh", &[("mesh.glb", bytes)], &[&expected]);
    };
    bad(b"obj", "it does not begin with `glTF`: this is no binary glTF");
    bad(b"glTF\x02\0\0\0", "it has 8 bytes, and its head alone 12");
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    bad(&with(4, 1), "it is glTF of version 1, and version 2 is read");
    let (all, cut) = (whole.len(), whole.len() - 8);
    bad(
        &whole[..cut],
        &format!("it says that it has {all} bytes, and {cut} are here"),
    );
    bad(
        &with(15, 1),
        &format!(
            "the chunk at byte 12 says {} bytes, more than are here",
            (1 << 24) + u32::from(whole[12]) + 256 * u32::from(whole[13])
        ),
    );
    bad(&with(16, b'X'), "its first chunk is not JSON");
    check(
        "mesh",
        &[("mesh.yaml", "payload: other.glb\n")],
        &["A/mesh.yaml:1:10: error[mesh.payload]: `other.glb` is not here"],
    );
    check(
        "mesh",
        &[("mesh.yaml", "payload: mesh.obj\npayloda: x\n")],
        &[
            "A/mesh.yaml:1:10: error[mesh.payload]: `mesh.obj` is no payload: a file that ends in `glb`",
            "A/mesh.yaml:2:1: warning[mesh.unknown_key]: the key `payloda` is not read; did you mean `payload`?",
        ],
    );
    check(
        "mesh",
        &[("mesh.yaml", "")],
        &["A/mesh.yaml:1:1: error[mesh.broken]: a mesh.yaml is a mapping, and nothing is here"],
    );
}

#[test]
fn captures() {
    let whole = template("gaussianSplat.assetType/template/capture.ply");
    let text = String::from_utf8_lossy(&whole).into_owned();
    let bad = |bytes: &[u8], expected: &str| {
        let expected = format!("A/capture.ply: error[gaussianSplat.payload]: {expected}");
        check_bytes("gaussianSplat", &[("capture.ply", bytes)], &[&expected]);
    };
    bad(b"ply\n", "it has no head that ends in `end_header`: this is no PLY");
    bad(b"plx\nend_header\n", "it does not begin with `ply`: this is no PLY");
    bad(
        b"ply\nformat ascii 1.0\nend_header\n",
        "its form is `format ascii 1.0`, and `format binary_little_endian 1.0` is read",
    );
    bad(b"ply\nend_header\n", "it declares no vertices");
    bad(b"ply\nelement vertex x\nend_header\n", "`x` is no number of vertices");
    bad(
        b"ply\nelement vertex 1\nproperty uchar x\nend_header\n",
        "`x` is of type uchar, and every property is a float",
    );
    bad(
        text.replace("property float opacity\n", "").as_bytes(),
        "its vertices have no `opacity`",
    );
    bad(&whole[..whole.len() - 4], "1 splats have 56 bytes, and 52 are here");
    check_bytes(
        "gaussianSplat",
        &[
            ("splat.yaml", b"payload: a.spz\nconvention: engine\n"),
            ("a.spz", b"zip"),
        ],
        &[
            "A/splat.yaml:2:13: error[gaussianSplat.broken]: `convention` is one of `rightDownFront`, `engineNative`, and \
             `engine` is here",
        ],
    );
    check_bytes(
        "gaussianSplat",
        &[("splat.yaml", b"payload: a.spz\n"), ("a.spz", b"zip")],
        &["A/a.spz: error[gaussianSplat.payload]: it begins neither as gzip does nor with `NGSP`: this is no SPZ"],
    );
}

#[test]
fn sheets() {
    const SHEET: &str = "{\"version\": 1, \"width\": 2, \"height\": 1, \"pixelSize\": 0.5, \"plane\": \"xy\", \"palette\": \
                         [\"#000\", \"#ffffff\"], \"pixels\": [0, 1], \"rate\": 8, \"loop\": true}";
    let bad = |from: &str, to: &str, expected: &str| {
        let text = SHEET.replace(from, to);
        assert_ne!(text, SHEET, "{from}");
        let expected = format!("A/template.pixbin: error[pixelTemplate.broken]: {expected}");
        check("pixelTemplate", &[("template.pixbin", &text)], &[&expected]);
    };
    check("pixelTemplate", &[("template.pixbin", SHEET)], &[]);
    bad(
        "\"version\": 1",
        "\"version\": 2",
        "it is of version 2; this program reads versions up to 1",
    );
    bad("\"version\": 1, ", "", "it does not say its `version`");
    bad(
        "\"width\": 2",
        "\"width\": 5000",
        "`width` is 1 to 4096, and 5000 is here",
    );
    bad(
        "0.5",
        "0",
        "`pixelSize` is more than 0 and at most 1000 metres, and 0 is here",
    );
    bad(
        "\"xy\"",
        "\"zy\"",
        "`plane` is one of `xy`, `xz`, `yz`, and \"zy\" is here",
    );
    bad("\"rate\": 8", "\"rate\": 0", "`rate` is more than 0, and 0 is here");
    bad("true", "1", "`loop` is true or false, and 1 is here");
    bad(
        "\"#000\", \"#ffffff\"",
        "",
        "`palette` has 1 to 256 colours, and 0 are here",
    );
    bad(
        "#000",
        "black",
        "entry 0 of `palette` is \"black\", and a colour is `#rrggbb` or `#rrggbbaa`",
    );
    bad("[0, 1]", "[0]", "`pixels` holds 1 pixels, and the sheet has 2");
    bad(
        "[0, 1]",
        "[0, 2]",
        "`pixels` holds 2, and the palette has entries 0 to 1",
    );
    bad(
        "[0, 1]",
        "[0, 1], \"frames\": [[0, 1], [1]]",
        "frame 1 holds 1 pixels, and the sheet has 2",
    );
    bad(
        "[0, 1]",
        "[0, 1], \"frames\": [[0, 1]], \"active\": 1",
        "`active` is 0 to 0, and 1 is here",
    );
    bad(
        "[0, 1]",
        "[0, 1], \"frames\": [[1, 1]]",
        "`pixels` is not what the active frame holds",
    );
    bad(
        "[0, 1]",
        "[0, 1], \"frames\": []",
        "`frames` is a list of 1 to 1024 frames",
    );
    check(
        "pixelTemplate",
        &[("template.pixbin", "{\n\"version\": 1\n\"width\"")],
        &["A/template.pixbin:3:1: error[pixelTemplate.broken]: this is no JSON: expected `,` or `}`"],
    );
}

#[test]
fn shaders() {
    let bad = |text: &str, expected: &[&str]| check("shader", &[("properties.yaml", text)], expected);
    bad(
        "properties:\n  a: { type: float, default: red }\n  b: { type: range, min: 0 }\n  c: { type: range, min: 2, max: 1 }\n  s: { \
         type: texture }\n  mg_x: { type: texture }\n  a-b: { type: int }\n  d: { type: color, default: [1, 2] }\n",
        &[
            "A/properties.yaml:2:30: error[shader.property]: its default is no value of it, which is a number",
            "A/properties.yaml:3:6: error[shader.property]: a range names its `min` and its `max`",
            "A/properties.yaml:4:6: error[shader.property]: 2 to 1 is no range, the least first",
            "A/properties.yaml:5:3: error[shader.property]: `s` is no name that the program can give to a property",
            "A/properties.yaml:6:3: error[shader.property]: `mg_x` is no name that the program can give to a property",
            "A/properties.yaml:7:3: error[shader.property]: `a-b` is no name that the program can give to a property",
            "A/properties.yaml:8:30: error[shader.property]: its default is no value of it, which is a colour of 3 or 4 numbers",
        ],
    );
    bad(
        "properties:\n  a: { type: flaot }\n",
        &[
            "A/properties.yaml:2:14: error[shader.broken]: `type` is one of `float`, `range`, `float2`, `float3`, `float4`, \
             `color`, `int`, `bool`, `texture`, and `flaot` is here; did you mean one of `float`, `float2`, `float3`?",
        ],
    );
    check(
        "shader",
        &[
            ("surface.wgsl", "#include \"noise\"\n#include \"@builtin::a.b\"\n"),
            ("other.wgsl", "// nothing"),
        ],
        &["A/surface.wgsl:1:1: error[shader.include]: `noise` is not here"],
    );
}

#[test]
fn materials() {
    check(
        "material",
        &[(
            "mat.yaml",
            "floats: { a: [1], b: x }\nvectors: { c: [1] }\nflags: 3\ntextures: { d: 1 }\n",
        )],
        &[
            "A/mat.yaml:1:14: error[material.broken]: `a` in `floats` is a finite number",
            "A/mat.yaml:1:22: error[material.broken]: `b` in `floats` is a finite number",
            "A/mat.yaml:2:15: error[material.broken]: `c` in `vectors` is a list of 2 to 4 finite numbers",
            "A/mat.yaml:3:8: error[material.broken]: `flags` is a mapping by property, and a whole number is here",
            "A/mat.yaml:4:16: error[material.broken]: `d` in `textures` is the name of a texture",
        ],
    );
    check(
        "material",
        &[("mat.yaml", "shader: nowhere\n")],
        &["A/mat.yaml:1:9: error[reference.unresolved]: no asset answers to `nowhere`"],
    );
    // A material gives values for what its shader declares.
    let mut world = empty();
    world.create(&Create::new("shader", "skin")).unwrap();
    let wet = world.create(&Create::new("material", "wet")).unwrap().path;
    let text = "shader: skin\nfloats:\n  roughness: 2\n  ruoghness: 0.5\n";
    world
        .vfs()
        .write(&wet.join("mat.yaml").unwrap(), text.as_bytes())
        .unwrap();
    assert_eq!(
        told(&world, &wet),
        [
            "/zero/source/wet.material/mat.yaml:3:14: error[material.property]: `roughness` is a number from 0 to 1",
            "/zero/source/wet.material/mat.yaml:4:14: error[material.property]: the shader `skin` has no property `ruoghness`; did \
             you mean `roughness`?",
        ]
    );
}

#[test]
fn features_of_the_frame() {
    let bad = |text: &str, expected: &[&str]| check("renderFeature", &[("feature.yaml", text)], expected);
    bad(
        "seam: post\nwrites: [sceneColour]\norder: first\n",
        &[
            "A/feature.yaml:2:10: error[renderFeature.broken]: an item of `writes` is one of `depth`, `normal`, `material`, \
             `velocity`, `reflection`, `colorHistory`, `sceneColor`, and `sceneColour` is here; did you mean `sceneColor`?",
            "A/feature.yaml:3:8: error[renderFeature.broken]: `order` is a whole number, and a text is here",
        ],
    );
    bad(
        "order: 1\nseam: afterDepthPrepass\nreads: [depth, depth, sceneColor]\nwrites: [reflection, colorHistory]\n",
        &[
            "A/feature.yaml:3:16: error[renderFeature.channel]: it reads `depth` twice",
            "A/feature.yaml:3:23: error[renderFeature.early]: `sceneColor` is made by `afterOpaque`, and it runs at \
             `afterDepthPrepass`; read it with `readsPrevious`, or run later",
            "A/feature.yaml:4:22: error[renderFeature.channel]: `colorHistory` is what the last frame ended with, and nobody \
             writes it",
        ],
    );
    bad(
        "order: 1\nseam: post\n",
        &["A/feature.yaml: error[renderFeature.channel]: it writes no channel, so it adds nothing"],
    );
}

#[test]
fn kernels() {
    let bad = |text: &str, expected: &[&str]| check("computeShader", &[("bindings.yaml", text)], expected);
    bad(
        "bindings: []\n",
        &["A/bindings.yaml:1:1: error[computeShader.broken]: the key `version` is missing"],
    );
    bad(
        "version: 1\ndeterminism: { pointwise: x }\nbindings:\n  - { name: a, access: raed }\n  - { kind: buffer }\n  - { name: c, \
         count: n, capacity: n }\nparams:\n  - { name: p, type: double }\n",
        &[
            "A/bindings.yaml:2:14: error[computeShader.broken]: a `determinism` that is no word says its `pointwise` bound in ulps",
            "A/bindings.yaml:2:27: error[computeShader.broken]: `pointwise` is a whole number of at least 0, and a text is here",
            "A/bindings.yaml:4:24: error[computeShader.broken]: `access` is one of `read`, `write`, `read_write`, `append`, \
             `scratch`, and `raed` is here; did you mean `read`?",
            "A/bindings.yaml:5:5: error[computeShader.broken]: the key `name` is missing",
            "A/bindings.yaml:6:5: error[computeShader.broken]: `count` and `capacity` are two words for the same",
            "A/bindings.yaml:8:22: error[computeShader.broken]: `type` is one of `float`, `int`, `uint`, `bool`, `f32`, `i32`, \
             `u32`, and `double` is here",
        ],
    );
    bad(
        "version: 1\nbindings:\n  - { name: a }\n  - { name: a }\n  - { name: a b }\nspecialize:\n  - { name: MODE, options: [x, y] }\n",
        &[
            "A/bindings.yaml:4:13: error[computeShader.name]: `a` is declared already",
            "A/bindings.yaml:5:13: error[computeShader.name]: `a b` is no name that a program can write",
        ],
    );
    check(
        "computeShader",
        &[("other.wgsl", "// @compute\nfn main() {}\n")],
        &[
            "A: error[computeShader.program]: it has one program, and `main.wgsl`, `other.wgsl` are here",
            "A/other.wgsl: error[computeShader.program]: it has no `@compute` entry",
        ],
    );
}
