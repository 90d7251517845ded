//! What a person relies on: whole files, the same ones each time, and errors that name the thing.
#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use zero_demo::{Error, Options, compare, run};
use zero_examples::DeviceChoice;
use zero_terrain::TerrainData;

/// A small landscape: the demo's own script with a smaller window and fewer trees.
struct Small {
    folder: tempfile::TempDir,
}

impl Small {
    fn new() -> Small {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let texture = root.join("../examples/content/jacksboro.texture");
        for name in ["README.md", "elevation.png", "texture.yaml"] {
            copy(
                &texture.join(name),
                &folder.path().join("content/jacksboro.texture").join(name),
            );
        }
        let small = Small { folder };
        let script = std::fs::read_to_string(root.join("content/demo.script/init.luau")).unwrap();
        let script = script.replace("size_m = 6000, spacing_m = 5", "size_m = 900, spacing_m = 10");
        let script = script.replace("lowest + ", "lowest + 0.3 * ");
        let script = digits(&digits(&script, "broadleaf = ", "3000"), "conifer = ", "3000");
        assert!(
            script.contains("size_m = 900") && script.contains("conifer = 3000"),
            "{script}"
        );
        small.write("demo.script/init.luau", script.as_bytes());
        small
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("content").join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), bytes).unwrap();
    }

    /// Replaces a part of a file.
    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{name} has no `{from}`");
        self.write(name, text.replacen(from, to, 1).as_bytes());
    }

    fn options(&self, out: &str) -> Options {
        Options {
            out: self.folder.path().join(out),
            device: DeviceChoice::Cpu,
            content: Some(self.folder.path().join("content")),
            picture_px: [160, 90],
        }
    }

    /// The message of a run that is refused, which must leave nothing behind.
    fn refused(&self) -> String {
        let options = self.options("refused");
        let message = run(&options).unwrap_err().to_string();
        let left = std::fs::read_dir(&options.out).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{message}: files are left behind");
        message
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::copy(from, to).unwrap();
}

/// The text with the number after a name replaced.
fn digits(text: &str, name: &str, number: &str) -> String {
    let at = text.find(name).unwrap() + name.len();
    let rest = text[at..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    format!("{}{number}{rest}", &text[..at])
}

/// Every file below a folder, by its path from there.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push((
                    path.strip_prefix(folder).unwrap().to_owned(),
                    std::fs::read(&path).unwrap(),
                )),
            }
        }
    }
    found.sort();
    found
}

/// The files that are promised to be the same bytes on one device: all but the picture.
fn promised(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let all = files(folder).into_iter();
    all.filter(|(path, _)| path != Path::new("landscape.png")).collect()
}

#[test]
fn two_runs_on_one_device_are_the_same_bytes_and_the_software_gpu_agrees() {
    let small = Small::new();
    let [a, b] = ["a", "b"].map(|out| small.options(out));
    let report = run(&a).unwrap();
    run(&b).unwrap();
    let (first, second) = (promised(&a.out), promised(&b.out));
    let names: Vec<String> = first.iter().map(|(path, _)| path.display().to_string()).collect();
    for name in ["hillshade.png", "landscape.glb", "jacksboro.terrainData/terrain.yaml"] {
        assert!(names.iter().any(|held| held == name), "{names:?}");
    }
    assert!(first == second, "two runs differ");
    let table = report.table();
    for part in [
        "hillshade.png",
        "jacksboro.terrainData",
        "landscape.glb",
        "cook the graph",
        "dispatches",
        "rests after",
        "waves of 1.37 m",
    ] {
        assert!(table.contains(part), "no `{part}` in\n{table}");
    }
    let read = TerrainData::read(a.out.join("jacksboro.terrainData")).unwrap();
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    let (ground, water) = (read.value.ground(), read.value.water().unwrap());
    let level_m = (0..ground.heights_m().len()).find_map(|at| water.level_m(at)).unwrap();
    assert!(
        table.contains(&format!("water at {level_m:.1} m")),
        "{level_m} m, {table}"
    );
    for (at, height) in ground.heights_m().iter().enumerate() {
        let expected = (*height < level_m).then_some(level_m);
        assert_eq!(water.level_m(at), expected, "sample {at} at {height} m");
    }
    let agreement = compare(&a.out, &b.out).unwrap();
    assert_eq!(agreement.height_m, 0.0);
    assert_eq!(agreement.samples, 90 * 90);
    assert!(agreement.trees.iter().all(|(_, count)| *count > 50), "{agreement:?}");

    if report.adapter.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "no adapter: the picture and the GPU are untested"
        );
        eprintln!("SKIPPED: no adapter, so the picture and the GPU were left out");
        assert!(table.contains("left out: landscape.png"), "{table}");
        return;
    }
    let picture = image::open(a.out.join("landscape.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (160, 90));
    let [gpu, again] = ["gpu", "again"].map(|out| Options {
        device: DeviceChoice::Gpu,
        ..small.options(out)
    });
    let report = run(&gpu).unwrap();
    run(&again).unwrap();
    assert!(promised(&gpu.out) == promised(&again.out), "two runs on the GPU differ");
    let agreement = compare(&a.out, &gpu.out).unwrap();
    // Every field that decides something is exact, so this holds on hardware too.
    assert_eq!(agreement.height_m, 0.0, "cooked on {}", report.device);
    if report.device.ends_with("(software)") {
        assert!(promised(&gpu.out) == first, "the software GPU gives other bytes");
    }
}

#[test]
fn a_place_that_is_taken_is_named_and_what_stood_there_stands() {
    let small = Small::new();
    let options = small.options("taken");
    std::fs::create_dir_all(options.out.join("landscape.glb/inside")).unwrap();
    let message = run(&options).unwrap_err().to_string();
    assert!(message.contains("landscape.glb"), "{message}");
    let mut left: Vec<_> = std::fs::read_dir(&options.out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    // What was written before stands whole, and no part of a file is left.
    assert_eq!(left, ["hillshade.png", "jacksboro.terrainData", "landscape.glb"]);
    assert!(options.out.join("landscape.glb/inside").is_dir());
    TerrainData::read(options.out.join("jacksboro.terrainData")).unwrap();
}

#[test]
fn landscapes_that_differ_are_told_apart() {
    let small = Small::new();
    let [a, b, c] = ["a", "b", "c"].map(|out| small.options(out));
    run(&a).unwrap();
    small.edit("demo.script/init.luau", "broadleaf = 3000", "broadleaf = 2000");
    run(&b).unwrap();
    let message = compare(&a.out, &b.out).unwrap_err().to_string();
    assert!(message.starts_with("the number of trees differs"), "{message}");
    small.edit("demo.script/init.luau", "detail_m = 16", "detail_m = 30");
    run(&c).unwrap();
    let message = compare(&b.out, &c.out).unwrap_err().to_string();
    assert!(
        message.starts_with("the height of sample") && message.contains("0.001 m is allowed"),
        "{message}"
    );
    let message = compare(&a.out, &a.out.join("nowhere")).unwrap_err().to_string();
    assert!(message.starts_with("in ") && message.contains("nowhere"), "{message}");
}

#[test]
fn a_missing_file_is_named() {
    let small = Small::new();
    std::fs::remove_file(small.path("jacksboro.texture/elevation.png")).unwrap();
    let message = small.refused();
    assert!(
        message.contains("/zero/source/jacksboro.texture") && message.contains("`*.png`"),
        "{message}"
    );
    std::fs::remove_dir_all(small.path("jacksboro.texture")).unwrap();
    let message = small.refused();
    assert!(message.contains("jacksboro"), "{message}");
    std::fs::remove_dir_all(small.path("")).unwrap();
    assert!(small.refused().contains("content"));
}

#[test]
fn a_truncated_picture_is_named() {
    let small = Small::new();
    let whole = std::fs::read(small.path("jacksboro.texture/elevation.png")).unwrap();
    for length in [0, 20, whole.len() / 2] {
        small.write("jacksboro.texture/elevation.png", &whole[..length]);
        let message = small.refused();
        assert!(message.contains("elevation.png"), "{length}: {message}");
    }
}

#[test]
fn a_model_of_no_size_is_named() {
    let small = Small::new();
    small.edit("jacksboro.texture/texture.yaml", "size: [403, 344]", "size: [0, 0]");
    let message = small.refused();
    assert!(
        message.contains("texture.yaml") && message.contains("0 x 0"),
        "{message}"
    );
}

#[test]
fn heights_that_are_no_numbers_are_named() {
    let small = Small::new();
    let mut texels = vec![1.0f32; 3 * 3 * 3];
    texels[3 * 4] = f32::NAN;
    let picture = image::Rgb32FImage::from_raw(3, 3, texels).unwrap();
    image::DynamicImage::ImageRgb32F(picture)
        .save(small.path("jacksboro.texture/heights.exr"))
        .unwrap();
    std::fs::remove_file(small.path("jacksboro.texture/elevation.png")).unwrap();
    let yaml = "version: 1\nformat: rgb32f\nsize: [3, 3]\ncolorSpace: linear\nwrap: clamp\npayload: heights.exr\n\
        elevation:\n  unit: m\n  scale: 1.0\n  offset: 0.0\n  cellSize: [100, 100]\n  rows: north to south\n";
    small.write("jacksboro.texture/texture.yaml", yaml.as_bytes());
    let message = small.refused();
    assert!(message.contains("heights.exr") && message.contains("NaN"), "{message}");
}

#[test]
fn a_window_of_a_single_sample_is_refused_before_anything_is_written() {
    let small = Small::new();
    small.edit(
        "demo.script/init.luau",
        "size_m = 900, spacing_m = 10",
        "size_m = 190, spacing_m = 100",
    );
    small.edit("demo.script/init.luau", "assert(water_m < highest", "assert(true");
    let message = small.refused();
    assert!(
        message.contains("window.spacing_m") && message.contains("at most half"),
        "{message}"
    );
}

#[test]
fn settings_that_cannot_be_are_named() {
    for (from, to, parts) in [
        (
            "spacing_m = 10",
            "spacing_m = 0/0",
            ["window.spacing_m", "expected a number"],
        ),
        (
            "spacing_m = 10",
            "spacing_m = 'wide'",
            ["window.spacing_m", "found string"],
        ),
        (
            "size_m = 900, spacing_m = 10",
            "size_m = 6000, spacing_m = 1",
            ["window.spacing_m", "at least 2.54"],
        ),
        ("bearing_deg = ", "bearing = ", ["sun.bearing_deg", "found nil"]),
        ("x_m = 1", "x_m = 900000 + 1", ["a window", "none within"]),
        // Found in the middle of the cook: a window that reaches past the model.
        ("x_m = 1", "x_m = 0*1", ["terrain.window", "within the raster"]),
        ("steps = ", "steps = 0.5 + ", ["erosion.steps", "whole number"]),
        ("return {", "error('no return') return {", ["init.luau:", "no return"]),
        ("return {", "while true do end return {", ["init.luau", "1000 ms"]),
    ] {
        let small = Small::new();
        small.edit("demo.script/init.luau", from, to);
        let message = small.refused();
        assert!(parts.iter().all(|part| message.contains(part)), "{to}: {message}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let small = Small::new();
    small.write("in-the-way", b"a file");
    let options = Options {
        out: small.path("in-the-way"),
        ..small.options("")
    };
    match run(&options).unwrap_err() {
        Error::File { path, .. } => assert!(path.ends_with("in-the-way")),
        other => panic!("{other}"),
    }
}

/// Keeps the names of the stages whose spans were entered.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Spans {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("zero_demo")
    }
    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        struct Name<'a>(&'a Spans);
        impl tracing::field::Visit for Name<'_> {
            fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                if field.name() == "name" {
                    self.0.0.lock().unwrap().push(format!("{value:?}"));
                }
            }
        }
        span.record(&mut Name(self));
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _span: &tracing::span::Id, _values: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _span: &tracing::span::Id, _follows: &tracing::span::Id) {}
    fn event(&self, _event: &tracing::Event<'_>) {}
    fn enter(&self, _span: &tracing::span::Id) {}
    fn exit(&self, _span: &tracing::span::Id) {}
}

#[test]
fn each_stage_is_a_span() {
    let small = Small::new();
    let spans = Spans::default();
    let report = tracing::subscriber::with_default(spans.clone(), || run(&small.options("out"))).unwrap();
    let seen = spans.0.lock().unwrap().clone();
    let expected: Vec<String> = report.stages.iter().map(|(name, _)| format!("{name:?}")).collect();
    assert_eq!(seen, expected);
    assert!(seen.len() >= 7, "{seen:?}");
}
