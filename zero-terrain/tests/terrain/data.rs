//! Landscapes at rest.

use crate::common::{cook, cpu, rugged};
use std::fs;
use std::path::Path;
use zero_procgen::nodes::{instances, mesh, points};
use zero_procgen::{Graph, inputs};
use zero_terrain::assets::{Format, Loaded, Texels, Texture, TextureInfo, TextureLimits};
use zero_terrain::{Coverage, Grid, Heightfield, Instance, LayerInfo, Scatter, TerrainData, Water, upload_heights};
use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};

fn ground(width: u32, height: u32) -> Heightfield {
    let grid = Grid {
        width,
        height,
        spacing_m: [74.4, 92.7],
        origin_m: [-1_234.5, 17.25],
    };
    Heightfield::new(grid, rugged(width, height)).unwrap()
}

fn layer(name: &str, weights: Vec<f32>) -> Coverage {
    let info = LayerInfo {
        tint: [0.25, 0.62, 0.1],
        tiling_m: 12.5,
        ..LayerInfo::new(name)
    };
    Coverage { info, weights }
}

fn landscape(width: u32, height: u32) -> TerrainData {
    let n = (width * height) as usize;
    let ramp = |k: usize| (0..n).map(|i| ((i * k) % 7) as f32 / 6.0).collect::<Vec<_>>();
    let copies = (0..5).map(|i| Instance {
        position_m: [i as f32, 2.5, -1.0],
        yaw_rad: 0.1 * i as f32,
        scale: 1.5,
    });
    TerrainData::new(ground(width, height))
        .with_layers(vec![
            layer("grass", ramp(1)),
            layer("rock", ramp(2)),
            layer("sand", ramp(3)),
            layer("snow", vec![0.0; n]),
            layer("mud", ramp(5)),
        ])
        .unwrap()
        .with_scatter(Scatter::new("trees", copies.collect()).unwrap())
        .unwrap()
}

/// The same with its lower half under water.
fn flooded(width: u32, height: u32) -> TerrainData {
    let dry = landscape(width, height);
    let [low, high] = dry.ground().range_m();
    let water = Water::flood(dry.ground(), 0.5 * (low + high)).unwrap();
    dry.with_water(water).unwrap()
}

/// A landscape that came back with nothing to say against it.
fn sound(read: zero_terrain::Result<Loaded<TerrainData>>) -> TerrainData {
    let Loaded { value, diagnostics } = read.unwrap();
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    value
}

fn in_memory(data: &TerrainData) -> Vfs {
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(VfsPath::root(), MemorySource::new("landscape")))
        .unwrap();
    data.save(&vfs, &VfsPath::root()).unwrap();
    vfs
}

fn read_tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    files.push((name, fs::read(&path).unwrap()));
                }
            }
        }
    }
    files.sort();
    files
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_written_is_read_back_and_twice_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let data = flooded(31, 22);
    let (first, second) = (folder.path().join("a.terrainData"), folder.path().join("b.terrainData"));
    data.write(&first).unwrap();
    assert_eq!(sound(TerrainData::read(&first)), data);
    sound(TerrainData::read(&first)).write(&second).unwrap();
    assert_eq!(read_tree(&first), read_tree(&second));
    assert_eq!(
        read_tree(&first)
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>(),
        [
            "control0.texture/image.png",
            "control0.texture/texture.yaml",
            "control1.texture/image.png",
            "control1.texture/texture.yaml",
            "height.texture/image.exr",
            "height.texture/texture.yaml",
            "scatter_trees.instances",
            "terrain.yaml",
            "water.texture/image.exr",
            "water.texture/texture.yaml",
            "water_shade.texture/image.png",
            "water_shade.texture/texture.yaml"
        ]
    );
    // Writing the name again puts the new one in place of the old.
    landscape(3, 2).write(&first).unwrap();
    assert_eq!(sound(TerrainData::read(&first)), landscape(3, 2));
    assert_eq!(names(folder.path()), ["a.terrainData", "b.terrainData"]);
}

#[test]
fn the_manifest_says_where_the_ground_stands() {
    let vfs = in_memory(&landscape(4, 2));
    let text = String::from_utf8(vfs.read(&VfsPath::parse("/terrain.yaml").unwrap()).unwrap()).unwrap();
    for line in [
        "version: 1\n",
        "height: height.texture\n",
        "- control1.texture\n",
        "name: trees\n",
        "count: 5\n",
        "tiling: 12.5\n",
        "albedoSlice: -1\n",
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
    // 4 x 74.4 m about a centre at -1234.5 + 148.8 m.
    assert!(
        text.contains("- 297.6000061035156\n") && text.contains("- -1085.6999969482422\n"),
        "{text}"
    );
}

#[test]
fn a_landscape_saved_over_another_leaves_none_of_its_children_and_all_of_anothers() {
    let vfs = in_memory(&flooded(3, 2));
    let bare = TerrainData::new(ground(3, 2));
    let theirs =
        ["/flow.texture/image.png", "/README.md", "/scatter_more.instances"].map(|path| VfsPath::parse(path).unwrap());
    for path in &theirs {
        vfs.write(path, b"theirs").unwrap();
    }
    bare.save(&vfs, &VfsPath::root()).unwrap();
    assert_eq!(vfs.walk(&VfsPath::root()).unwrap().files.len(), 3 + theirs.len());
    let read = TerrainData::load(&vfs, &VfsPath::root()).unwrap();
    assert_eq!(read.value, bare);
    let told: Vec<_> = read
        .diagnostics
        .iter()
        .map(|told| (&*told.code, told.path.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("terrain.unnamed", "/flow.texture"),
            ("terrain.unnamed", "/scatter_more.instances")
        ]
    );
}

#[test]
fn a_landscape_written_again_keeps_what_else_lies_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.terrainData");
    flooded(3, 2).write(&path).unwrap();
    fs::create_dir(path.join("flow.texture")).unwrap();
    fs::write(path.join("flow.texture/image.png"), "theirs").unwrap();
    fs::write(path.join("README.md"), "theirs").unwrap();
    TerrainData::new(ground(3, 2)).write(&path).unwrap();
    assert_eq!(
        names(&path),
        ["README.md", "flow.texture", "height.texture", "terrain.yaml"]
    );
    assert_eq!(fs::read(path.join("flow.texture/image.png")).unwrap(), b"theirs");
    assert_eq!(TerrainData::read(&path).unwrap().value, TerrainData::new(ground(3, 2)));
}

#[test]
fn water_has_its_level_its_reach_and_its_shade() {
    let grid = Grid {
        width: 2,
        height: 2,
        spacing_m: [10.0, 10.0],
        origin_m: [0.0, 0.0],
    };
    let ground = Heightfield::new(grid, vec![-2.0, 3.0, 1.0, 9.0]).unwrap();
    let sea = Water::flood(&ground, 3.0).unwrap();
    assert_eq!(
        [0, 1, 2, 3, 4].map(|at| sea.level_m(at)),
        [Some(3.0), None, Some(3.0), None, None]
    );
    assert_eq!((sea.covered(), sea.depths_m(&ground)), (2, vec![5.0, 0.0, 2.0, 0.0]));
    let data = TerrainData::new(ground.clone()).with_water(sea.clone()).unwrap();
    let vfs = in_memory(&data);
    assert_eq!(sound(TerrainData::load(&vfs, &VfsPath::root())).water(), Some(&sea));
    let texture = |name: &str| {
        let folder = VfsPath::root().join(name).unwrap();
        Texture::load(&vfs, &folder, &TextureLimits::default()).unwrap().value
    };
    let surface = [
        3.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0,
    ];
    assert_eq!(texture("water.texture").texels, Texels::F32(surface.to_vec()));
    let shade = [255, 255, 0, 255, 0, 0, 0, 255, 102, 255, 0, 255, 0, 0, 0, 255];
    assert_eq!(texture("water_shade.texture").texels, Texels::U8(shade.to_vec()));
    let text = vfs.read(&VfsPath::parse("/terrain.yaml").unwrap()).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("water: water.texture\nwaterShade:\n  file: water_shade.texture\n  depthMax: 5"),
        "{text}"
    );

    // Water that covers nothing is none, and what it stands on has to have as many samples.
    let dry = TerrainData::new(ground.clone())
        .with_water(Water::flood(&ground, -5.0).unwrap())
        .unwrap();
    assert_eq!(dry, TerrainData::new(ground.clone()));
    assert!(
        in_memory(&dry)
            .stat(&VfsPath::parse("/water.texture").unwrap())
            .unwrap()
            .is_none()
    );
    let message = TerrainData::new(self::ground(3, 2))
        .with_water(sea)
        .unwrap_err()
        .to_string();
    assert_eq!(message, "the water: expected 6 samples, as the ground has, got 4");
    assert!(Water::flood(&ground, f32::NAN).is_err());
    let message = Water::new(&grid, &[None, Some(f32::INFINITY), None, None])
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("water levels, number 1 (column 1, row 0)"),
        "{message}"
    );
}

/// A container as another tool would fill it: slopes of its own, coverage of its own, shade of its own, one more texture.
#[test]
fn a_landscape_of_another_tool_is_read_and_what_differs_is_told() {
    let vfs = in_memory(&flooded(4, 3));
    let save = |name: &str, format: Format, texels: Texels| {
        let texture = Texture::new(TextureInfo::new(format, [4, 3]), texels).unwrap();
        texture.save(&vfs, &VfsPath::root().join(name).unwrap()).unwrap();
    };
    let heights = rugged(4, 3);
    let texels = heights.iter().flat_map(|height| [*height, 0.25, 0.0, 0.5]);
    save("height.texture", Format::Rgba32F, Texels::F32(texels.collect()));
    save("water_shade.texture", Format::Rgba8, Texels::U8(vec![7; 48]));
    save("flow.texture", Format::Rgba8, Texels::U8(vec![7; 48]));
    let read = TerrainData::load(&vfs, &VfsPath::root()).unwrap();
    assert_eq!(read.value, flooded(4, 3));
    let codes: Vec<_> = read.diagnostics.iter().map(|told| &*told.code).collect();
    assert_eq!(
        codes,
        [
            "terrain.gradient",
            "terrain.coverage",
            "terrain.water_shade",
            "terrain.unnamed"
        ]
    );
    let message = read.diagnostics[1].to_string();
    assert!(
        message.contains("the coverage of 12 texels, the first of them 0, differs by up to 0.5"),
        "{message}"
    );
}

#[test]
fn two_halves_read_128_each_and_nothing_falls_to_the_first_layer() {
    let data = TerrainData::new(ground(2, 2))
        .with_layers(vec![
            layer("grass", vec![0.2, 0.0, 1.0, 0.0]),
            layer("rock", vec![0.2, 0.0, 0.25, 0.7]),
        ])
        .unwrap();
    assert_eq!(data.layers()[0].weights(), [128, 255, 204, 0]);
    assert_eq!(data.layers()[1].weights(), [128, 0, 51, 255]);
    assert_eq!(landscape(3, 2).layer_slot("mud"), Some((1, 0)));
    assert_eq!(landscape(3, 2).layer_slot("ice"), None);
}

#[test]
fn what_can_not_be_is_refused_by_name() {
    let bare = || TerrainData::new(ground(2, 1));
    let refused = |layers: Vec<Coverage>| bare().with_layers(layers).unwrap_err().to_string();
    assert_eq!(
        refused(vec![layer("grass", vec![0.5, f32::NAN])]),
        "layer 'grass', coverage, number 1 (column 1, row 0): expected a number from 0 to 1, got NaN"
    );
    assert!(refused(vec![layer("grass", vec![0.5; 3])]).contains("expected 2 numbers for 2 x 1 samples, got 3"));
    assert!(refused(vec![layer("../grass", vec![0.5; 2])]).contains("got '../grass'"));
    assert!(refused(vec![layer("a", vec![0.5; 2]), layer("a", vec![0.5; 2])]).contains("got 'a' again"));
    let copies = vec![Instance {
        position_m: [0.0, f32::INFINITY, 0.0],
        yaw_rad: 0.0,
        scale: 1.0,
    }];
    assert!(
        Scatter::new("trees", copies)
            .unwrap_err()
            .to_string()
            .contains("scatter 'trees', copy 0")
    );
    let trees = || Scatter::new("trees", Vec::new()).unwrap();
    let twice = bare().with_scatter(trees()).unwrap().with_scatter(trees());
    assert!(twice.unwrap_err().to_string().contains("'trees' again"));
}

#[test]
fn a_write_that_fails_leaves_what_stood_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = landscape(3, 2);
    let message = data.write(folder.path().join("a.terrain")).unwrap_err().to_string();
    assert!(message.contains("a name that ends with .terrainData"), "{message}");
    // A folder that is no landscape is somebody's, and so is a file.
    let (theirs, file) = (folder.path().join("b.terrainData"), folder.path().join("c.terrainData"));
    fs::create_dir(&theirs).unwrap();
    fs::write(theirs.join("letter.txt"), "dear").unwrap();
    fs::write(&file, "dear").unwrap();
    for path in [&theirs, &file] {
        let message = data.write(path).unwrap_err().to_string();
        assert!(message.contains("no landscape"), "{message}");
    }
    assert_eq!(fs::read_to_string(theirs.join("letter.txt")).unwrap(), "dear");
    assert_eq!(fs::read_to_string(&file).unwrap(), "dear");
    let missing = folder.path().join("missing/d.terrainData");
    for message in [
        data.write(&missing).unwrap_err().to_string(),
        TerrainData::read(&missing).unwrap_err().to_string(),
    ] {
        assert!(message.contains("missing/d.terrainData"), "{message}");
    }
    assert_eq!(names(folder.path()), ["b.terrainData", "c.terrainData"]);
}

fn changed(files: &[(VfsPath, Vec<u8>)], of: usize, bytes: Vec<u8>) -> zero_terrain::Result<Loaded<TerrainData>> {
    let files = files.iter().enumerate().map(|(at, (path, held))| {
        let bytes = if at == of { bytes.as_slice() } else { held.as_slice() };
        (path.as_str(), bytes)
    });
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(
        VfsPath::root(),
        MemorySource::with_files("damaged", files).unwrap(),
    ))
    .unwrap();
    TerrainData::load(&vfs, &VfsPath::root())
}

fn files_of(data: &TerrainData) -> Vec<(VfsPath, Vec<u8>)> {
    let vfs = in_memory(data);
    let paths = vfs.walk(&VfsPath::root()).unwrap().files;
    paths
        .into_iter()
        .map(|path| (path.clone(), vfs.read(&path).unwrap()))
        .collect()
}

#[test]
fn a_file_cut_short_anywhere_is_refused_by_name_or_told() {
    let data = flooded(3, 2);
    let files = files_of(&data);
    for (at, (path, bytes)) in files.iter().enumerate() {
        for length in 0..bytes.len() {
            match changed(&files, at, bytes[..length].to_vec()) {
                Err(error) => {
                    let (message, folder) = (error.to_string(), path.segments().next().unwrap());
                    assert!(message.contains(folder), "{path} cut to {length}: {message}");
                }
                // A manifest without its last lines names fewer children than there are.
                Ok(read) if !read.diagnostics.is_empty() => {
                    assert_eq!(path.as_str(), "/terrain.yaml", "cut to {length}")
                }
                // What is left of a text or a picture can be all that counts.
                Ok(read) => assert_eq!(read.value, data, "{path} cut to {length} of {}", bytes.len()),
            }
        }
    }
}

#[test]
fn a_flipped_bit_is_refused_or_told_or_changes_nothing_but_what_stands_alone() {
    let data = flooded(3, 2);
    let files = files_of(&data);
    let (mut refused, mut told) = (0, 0);
    for (at, (path, bytes)) in files.iter().enumerate() {
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            match changed(&files, at, damaged) {
                Err(_) => refused += 1,
                Ok(read) if !read.diagnostics.is_empty() => told += 1,
                Ok(read) if path.extension() == Some("yaml") => {
                    assert_eq!(
                        read.value.ground().heights_m(),
                        data.ground().heights_m(),
                        "{path} bit {bit}"
                    );
                }
                // Nothing else says what the level of the water is, when its shade does not show the difference.
                Ok(read) if path.as_str() == "/water.texture/image.exr" => {
                    assert_eq!(read.value.ground(), data.ground(), "{path} bit {bit}");
                    assert_eq!(read.value.layers(), data.layers(), "{path} bit {bit}");
                }
                Ok(read) => assert_eq!(read.value, data, "{path} bit {bit}"),
            }
        }
    }
    assert!(refused > 1_000 && told > 100, "{refused} refused, {told} told");
}

#[test]
fn a_manifest_that_says_what_can_not_be_names_file_line_and_field() {
    let data = landscape(3, 2);
    let files = files_of(&data);
    let at = files
        .iter()
        .position(|(path, _)| path.as_str() == "/terrain.yaml")
        .unwrap();
    let text = String::from_utf8(files[at].1.clone()).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "no {from:?} in\n{text}");
        changed(&files, at, text.replacen(from, to, 1).into_bytes())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused("version: 1", "version: 2"),
        "/terrain.yaml: it is of version 2; this program reads versions up to 1"
    );
    for (from, to, expected) in [
        ("version: 1", "version: 0", "version: expected a version"),
        (
            "height: height.texture",
            "height: ../height.texture",
            "height: expected the name of a .texture",
        ),
        ("height: height.texture", "height: heights.texture", "/heights.texture"),
        (
            "height: height.texture",
            "height: control0.texture",
            "/control0.texture: format: expected rgba32f",
        ),
        (
            "height: height.texture",
            "holes: a.texture\nheight: height.texture",
            "holes",
        ),
        (
            "- control1.texture\n",
            "",
            "controls: expected 2 control textures for 5 layers, got 1",
        ),
        (
            "albedoSlice: -1",
            "albedoSlice: 0",
            "layers.0: expected no texture slices",
        ),
        ("tiling: 12.5", "tiling: 0", "layers.0: expected a layer that can be"),
        ("name: rock", "name: grass", "layers.1: expected a name of its own"),
        ("count: 5", "count: 6", "scatter.0.count: expected the 5 copies"),
        ("name: trees", "name: a/b", "scatter.0.name: expected a name of its own"),
    ] {
        let message = refused(from, to);
        assert!(message.contains(expected) && message.contains('/'), "{to}: {message}");
    }
    let sized = |size: &str| {
        let begin = text.find("size:").unwrap();
        let end = text.find("origin:").unwrap();
        let changed_text = format!("{}size: {size}\n{}", &text[..begin], &text[end..]);
        changed(&files, at, changed_text.into_bytes()).unwrap_err().to_string()
    };
    assert!(
        sized("[0, 10]").contains("terrain.yaml:2:7: size: expected metres above 0"),
        "{}",
        sized("[0, 10]")
    );
    assert!(sized("[223.2]").contains("terrain.yaml"));
    assert_eq!(
        refused(
            "controls:",
            "waterShade: { file: control0.texture, depthMax: 1 }\ncontrols:"
        ),
        "/terrain.yaml:12:13: waterShade: expected water that it is the shade of, got no water"
    );
    // Ground of another size rises otherwise than its texture says.
    let begin = text.find("size:").unwrap();
    let end = text.find("origin:").unwrap();
    let wider = format!("{}size: [100, 100]\n{}", &text[..begin], &text[end..]);
    let read = changed(&files, at, wider.into_bytes()).unwrap();
    assert_eq!(read.diagnostics[0].code, "terrain.gradient");
}

#[test]
fn a_texture_of_no_texels_and_a_height_that_is_no_number_are_refused() {
    let data = landscape(3, 2);
    let files = files_of(&data);
    let find = |name: &str| files.iter().position(|(path, _)| path.as_str() == name).unwrap();
    let yaml = find("/height.texture/texture.yaml");
    let text = String::from_utf8(files[yaml].1.clone()).unwrap();
    let empty = text.replacen("- 3\n", "- 0\n", 1);
    assert_ne!(text, empty);
    let message = changed(&files, yaml, empty.into_bytes()).unwrap_err().to_string();
    assert!(
        message.contains("height.texture/texture.yaml") && message.contains("0 x 2"),
        "{message}"
    );

    // The picture holds floats as they are: one of the heights becomes a NaN, in every byte plane that it may lie in.
    let picture = find("/height.texture/image.exr");
    let (mut named, bytes) = (0, &files[picture].1);
    for place in 0..bytes.len() - 4 {
        let mut damaged = bytes.clone();
        damaged[place..place + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        if let Err(error) = changed(&files, picture, damaged) {
            named += usize::from(error.to_string().contains("NaN"));
        }
    }
    assert!(named > 0);
}

#[test]
fn a_population_comes_from_a_device_as_it_stands() {
    let device = cpu();
    let dem = upload_heights(&device, 3, 2, [10.0, 10.0], [0.0, 0.0], &rugged(3, 2)).unwrap();
    let graph = Graph::define("trees", |g| {
        g.output("dem", g.raster("dem"));
        let spots = g.add(
            points::Filter::new(g.add(points::Disc::new().count(100).radius(5.0)), g.position().x()).threshold(0.0),
        );
        let tree = g.add(mesh::Cone::new());
        g.output(
            "trees",
            g.add(instances::Place::new(spots, tree).scale(2.0).yaw_deg(90.0)),
        );
    })
    .unwrap();
    let frame = cook(&device, &graph, inputs! { dem: dem }).unwrap();
    let trees = Scatter::download("trees", frame.geometry("trees").unwrap()).unwrap();
    let count = trees.instances().len();
    assert!((40..60).contains(&count), "{count}");
    for copy in trees.instances() {
        assert!(copy.position_m[0] > 0.0 && copy.scale == 2.0);
        assert!((copy.yaw_rad - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    }
}
