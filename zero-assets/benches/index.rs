//! An index of 10 000 assets: made, changed, asked. Beside it a plain walk that reads the same files, in the same run.
#![expect(clippy::unwrap_used, reason = "a benchmark says what is wrong by panicking")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use zero_assets::{Assets, Behavior, Query, Search, SearchIndex, Workspace, builtin};
use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};

const FOLDERS: usize = 500;
const ASSETS_A_FOLDER: usize = 20;

fn path(text: &str) -> VfsPath {
    VfsPath::parse(text).unwrap()
}

/// Notes in boxes, each with a text and a guid; every tenth box is a root.
fn world() -> Vfs {
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), MemorySource::new("world")))
        .unwrap();
    let write = |inner: &str, text: &str| {
        vfs.write(&path(&format!("/zero/source{inner}")), text.as_bytes())
            .unwrap()
    };
    write("/types/note.assetType/type.yaml", "primary: note.txt\n");
    write("/types/note.assetType/README.md", "# note");
    write(
        "/types/box.assetType/type.yaml",
        "primary: box.yaml\nis_container: true\nroot: true\n",
    );
    write("/types/box.assetType/README.md", "# box");
    for folder in 0..FOLDERS {
        write(&format!("/box{folder}.box/box.yaml"), "");
        for asset in 0..ASSETS_A_FOLDER {
            let note = format!("/box{folder}.box/part{}/note{asset}_{folder}.note", asset / 5);
            write(&format!("{note}/note.txt"), "text");
            write(
                &format!("{note}/.refs"),
                &format!("guid: {:08x}-0000-4000-8000-00000000{asset:04x}\n", folder + 1),
            );
        }
    }
    vfs
}

fn index(c: &mut Criterion) {
    let vfs = world();
    let root = path("/zero/source");
    let mut group = c.benchmark_group("index");
    group.sample_size(10);
    group.bench_function("load", |b| b.iter(|| Assets::load(&vfs).unwrap()));
    group.bench_function("walk and read the same files", |b| {
        b.iter(|| {
            let walk = vfs.walk(&root).unwrap();
            let read = |file: &&VfsPath| file.name().is_some_and(|name| name == ".refs" || name == "type.yaml");
            walk.files
                .iter()
                .filter(read)
                .map(|file| vfs.read(file).unwrap().len())
                .sum::<usize>()
        });
    });
    let mut assets = Assets::load(&vfs).unwrap();
    let file = path("/zero/source/box250.box/part1/note7_250.note/note.txt");
    group.bench_function("one file changed", |b| {
        b.iter(|| assets.apply(&vfs, [file.clone()]).unwrap())
    });
    let (one, other) = ("primary: note.txt\n", "primary: note.txt\nallow_unlisted: true\n# \n");
    let kind = path("/zero/source/types/note.assetType/type.yaml");
    let mut texts = [one, other, "primary: [note.txt, more.txt]\n"].into_iter().cycle();
    group.bench_function("a type changed", |b| {
        b.iter(|| {
            vfs.write(&kind, texts.next().unwrap_or(one).as_bytes()).unwrap();
            assets.apply(&vfs, [kind.clone()]).unwrap()
        });
    });
    group.finish();
}

fn resolve(c: &mut Criterion) {
    let vfs = world();
    let assets = Assets::load(&vfs).unwrap();
    let from = path("/zero/source/box250.box/part1/note7_250.note/note.txt");
    let mut group = c.benchmark_group("resolve");
    for (form, name) in [
        ("path", "/zero/source/box250.box/part1/note8_250.note"),
        ("guid", "000000fb-0000-4000-8000-000000000008"),
        ("identity", "box250.part1.note8_250"),
        ("@root::", "@root::box250.part1.note8_250"),
        ("beside", ".note8_250"),
        ("own root", "~.part1.note8_250"),
        ("named root", "~box250.part1.note8_250"),
        ("short name", "note8_250"),
        ("with its suffix", "note8_250.note"),
    ] {
        let query = Query::new(name).from(&from);
        assert!(assets.resolve(&query).is_ok(), "{name}");
        group.bench_function(form, |b| {
            b.iter(|| assets.resolve(black_box(&query)).map(|asset| asset.path.clone()))
        });
    }
    group.sample_size(10);
    group.bench_function("a miss, with what is near", |b| {
        b.iter(|| assets.resolve(&Query::new("box250.part1.noet8_250")).is_err())
    });
    group.finish();
}

/// Search over the same assets, each with a text of twenty words of a hundred. Beside it a pass over all texts, in the same run.
fn search(c: &mut Criterion) {
    let vfs = world();
    let kind =
        "primary: note.txt\nindexing:\n  data: [{ role: identity, extractor: verbatim, source: { file: note.txt } }]\n";
    vfs.write(&path("/zero/source/types/note.assetType/type.yaml"), kind.as_bytes())
        .unwrap();
    let mut texts = Vec::new();
    let notes = vfs.walk(&path("/zero/source")).unwrap().files;
    for (number, file) in notes.iter().filter(|file| file.name() == Some("note.txt")).enumerate() {
        let word = |place: usize| format!("word{}", (number * 31 + place * place * 7 + number / 100 * place) % 100);
        let text = (0..20).map(word).collect::<Vec<_>>().join(" ");
        vfs.write(file, text.as_bytes()).unwrap();
        texts.push(text);
    }
    let mut assets = Assets::load(&vfs).unwrap();
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.bench_function("load", |b| b.iter(|| SearchIndex::load(&vfs, &assets)));
    let mut index = SearchIndex::load(&vfs, &assets);
    for query in ["word17", "word17 word3 word80"] {
        let search = Search::new(query);
        assert_eq!(index.search(&assets, &search).unwrap().len(), 20);
        group.bench_function(query, |b| b.iter(|| index.search(&assets, black_box(&search)).unwrap()));
    }
    group.bench_function("a pass over all texts for one word", |b| {
        b.iter(|| texts.iter().filter(|text| text.contains(black_box("word17"))).count())
    });
    let file = path("/zero/source/box250.box/part1/note7_250.note/note.txt");
    let changes = assets.apply(&vfs, [file]).unwrap();
    group.bench_function("one asset changed", |b| b.iter(|| index.apply(&vfs, &assets, &changes)));
    group.finish();
}

/// Does nothing, and wants to know of all that its assets name.
#[derive(Debug)]
struct Follows;

impl Behavior for Follows {}

/// A workspace over the same assets, each naming the next: while nothing happens, after one change, and as a behaviour comes.
fn workspace(c: &mut Criterion) {
    let vfs = world();
    for folder in 0..FOLDERS {
        for asset in 0..ASSETS_A_FOLDER {
            let next = (folder + 1) % FOLDERS;
            let file = format!(
                "/zero/source/box{folder}.box/part{}/note{asset}_{folder}.note/init.luau",
                asset / 5
            );
            let text = format!("return require('note{asset}_{next}')");
            vfs.write(&path(&file), text.as_bytes()).unwrap();
        }
    }
    let vfs = Arc::new(vfs);
    let mut group = c.benchmark_group("workspace");
    group.sample_size(10);
    group.bench_function("open", |b| b.iter(|| Workspace::open(vfs.clone()).unwrap()));
    let mut world = Workspace::open(vfs.clone()).unwrap();
    let start = Instant::now();
    world.attach("note", Arc::new(Follows));
    println!(
        "workspace/attach a first behaviour: {:.1} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    let mut now = Duration::from_secs(1);
    let mut update = |world: &mut Workspace| {
        now += Duration::from_secs(1);
        world.update(now)
    };
    update(&mut world);
    group.bench_function("attach another", |b| b.iter(|| world.attach("box", Arc::new(Follows))));
    update(&mut world);
    group.bench_function("update, nothing happened", |b| b.iter(|| update(&mut world)));
    let file = path("/zero/source/box250.box/part1/note7_250.note/note.txt");
    let mut texts = ["one", "two"].into_iter().cycle();
    group.bench_function("update, one file changed", |b| {
        b.iter(|| {
            vfs.write(&file, texts.next().unwrap_or("one").as_bytes()).unwrap();
            let update = update(&mut world);
            assert_eq!(update.changes.edited.len(), 1);
        });
    });
    let (from, to) = (
        path("/zero/source/box250.box/part1/note7_250.note"),
        path("/zero/source/box250.box/part1/other.note"),
    );
    let mut moves = [(from.clone(), to.clone()), (to, from)].into_iter().cycle();
    group.bench_function("update, one asset renamed", |b| {
        b.iter(|| {
            if let Some((from, to)) = moves.next() {
                vfs.rename(&from, &to).unwrap();
            }
            assert_eq!(update(&mut world).changes.moved.len(), 1);
        });
    });
    group.finish();
}

criterion_group!(benches, index, resolve, search, workspace);
criterion_main!(benches);
