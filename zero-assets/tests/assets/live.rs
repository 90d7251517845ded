//! An index that is told what changed.

use proptest::prelude::*;
use std::time::Duration;
use zero_assets::{Asset, Assets, Error};
use zero_vfs::{Feed, FeedOptions, Vfs, VfsPath};

use crate::{path, told, world};

/// Tells the index what a feed told, as a host does.
pub(crate) fn follow(assets: &mut Assets, vfs: &Vfs, feed: &mut Feed, now_secs: u64) -> zero_assets::Changes {
    let batch = feed.pull(vfs, Duration::from_secs(now_secs));
    let paths = batch.changes.iter().flat_map(|change| match &change.kind {
        zero_vfs::ChangeKind::Renamed { from } => vec![from.clone(), change.path.clone()],
        _ => vec![change.path.clone()],
    });
    assets.apply(vfs, paths).unwrap()
}

fn seen(assets: &Assets) -> (Vec<Asset>, Vec<String>, Vec<String>) {
    let types = assets.types().iter().map(|kind| format!("{} {}", kind.name, kind.path));
    (assets.iter().cloned().collect(), types.collect(), told(assets))
}

/// What an editor may do to a world.
#[derive(Clone, Debug)]
enum Edit {
    Write(usize, usize),
    Remove(usize),
    RemoveTree(usize),
    Rename(usize, usize),
}

/// Files whose being there changes what others are: types, opaque boxes, pins, aliases, loose files.
const FILES: &[&str] = &[
    "/note.assetType/type.yaml",
    "/note.assetType/.refs",
    "/note.assetType/README.md",
    "/kit/note.assetType/type.yaml",
    "/libs/@stone/note.assetType/type.yaml",
    "/libs/@stone/note.assetType/.refs",
    "/libs/@clay/note.assetType/type.yaml",
    "/libs/@clay/a.note/note.txt",
    "/crate.assetType/type.yaml",
    "/a.note/note.txt",
    "/a.note/.refs",
    "/a.note/inner.note/note.txt",
    "/b.crate/c.note/note.txt",
    "/b.crate/.refs",
    "/b.crate/deep/note.assetType/type.yaml",
    "/notes/loose.txt",
    "/notes/loose.txt.refs",
    "/sounds/bang.wav",
    "/a.note/bang.wav",
    "/b.crate",
    "/note.assetType/template/x.note/note.txt",
];
const FOLDERS: &[&str] = &[
    "/a.note",
    "/b.crate",
    "/note.assetType",
    "/libs/@stone",
    "/kit",
    "/notes",
    "/c.note",
    "/libs/@new",
];
const TEXTS: &[&str] = &[
    "primary: note.txt\n",
    "primary: note.txt\nis_container: true\naliases_from: [{ file: note.txt, key: also }]\n",
    "primary: note.txt\nis_opaque_walker: true\nclassify_exts: [wav]\n",
    "primary: note.txt\nsuffix: .crate\nplural_dir: notes\nis_container: true\n",
    "also: [other, name]\n",
    "primary: [",
    "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n",
    "guid: 1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\nreferences: [{ via: asset_type, name: note, guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d }]\n",
    "references: [{ via: asset_type, name: note, guid: 1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d }]\n",
];

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        6 => (0..FILES.len(), 0..TEXTS.len()).prop_map(|(file, text)| Edit::Write(file, text)),
        2 => (0..FILES.len()).prop_map(Edit::Remove),
        1 => (0..FOLDERS.len()).prop_map(Edit::RemoveTree),
        2 => (0..FOLDERS.len(), 0..FOLDERS.len()).prop_map(|(from, to)| Edit::Rename(from, to)),
    ]
}

fn source(inner: &str) -> VfsPath {
    path(&format!("/zero/source{inner}"))
}

/// Makes an edit, where it can be made, and answers what it touched.
fn make(vfs: &Vfs, edit: &Edit) -> Vec<VfsPath> {
    let (done, touched) = match *edit {
        Edit::Write(file, text) => {
            let file = source(FILES[file]);
            (vfs.write(&file, TEXTS[text].as_bytes()), vec![file])
        }
        Edit::Remove(file) => {
            let file = source(FILES[file]);
            (vfs.remove(&file), vec![file])
        }
        Edit::RemoveTree(folder) => {
            let folder = source(FOLDERS[folder]);
            (vfs.remove_tree(&folder), vec![folder])
        }
        Edit::Rename(from, to) => {
            let (from, to) = (source(FOLDERS[from]), source(FOLDERS[to]));
            (vfs.rename(&from, &to), vec![from, to])
        }
    };
    match done {
        Ok(()) => touched,
        Err(_) => Vec::new(),
    }
}

/// So many worlds, and sixteen times as many where `ZERO_TEST_SCALE` is `full`: each is loaded again after every batch.
fn worlds(few: u32) -> ProptestConfig {
    let is_full = std::env::var("ZERO_TEST_SCALE").is_ok_and(|scale| scale == "full");
    ProptestConfig::with_cases(if is_full { 16 * few } else { few })
}

proptest! {
    #![proptest_config(worlds(60))]

    /// However a world came to be as it is, an index that followed equals one that is loaded.
    #[test]
    fn an_index_that_followed_equals_a_fresh_one(batches in prop::collection::vec(prop::collection::vec(edit(), 1..4), 1..12)) {
        let vfs = world(&[]);
        let mut assets = Assets::load(&vfs).unwrap();
        for batch in batches {
            let touched: Vec<VfsPath> = batch.iter().flat_map(|edit| make(&vfs, edit)).collect();
            assets.apply(&vfs, touched).unwrap();
            let fresh = Assets::load(&vfs).unwrap();
            prop_assert_eq!(seen(&assets), seen(&fresh), "after {:?}", batch);
            for asset in fresh.iter() {
                let by_name = |assets: &Assets| assets.find(&asset.name).map(|found| found.path.clone()).map_err(|error| error.to_string());
                prop_assert_eq!(by_name(&assets), by_name(&fresh));
                prop_assert_eq!(assets.refs_of(asset), fresh.refs_of(asset));
            }
        }
    }

    /// The same where a feed says what changed.
    #[test]
    fn a_feed_tells_all_that_an_index_needs(batches in prop::collection::vec(prop::collection::vec(edit(), 1..4), 1..8)) {
        let vfs = world(&[]);
        let mut feed = Feed::new(&vfs, FeedOptions::default());
        feed.pull(&vfs, Duration::ZERO);
        let mut assets = Assets::load(&vfs).unwrap();
        for (number, batch) in batches.iter().enumerate() {
            batch.iter().for_each(|edit| drop(make(&vfs, edit)));
            follow(&mut assets, &vfs, &mut feed, 10 * (number as u64 + 1));
            prop_assert_eq!(seen(&assets), seen(&Assets::load(&vfs).unwrap()), "after {:?}", batch);
        }
    }
}

const NOTE: &[(&str, &str)] = &[
    ("/note.assetType/type.yaml", "primary: note.txt\nis_container: true\n"),
    ("/note.assetType/README.md", "# note"),
];

#[test]
fn a_type_and_its_assets_arrive_in_one_batch_in_any_order() {
    let vfs = world(&[]);
    let mut assets = Assets::load(&vfs).unwrap();
    vfs.write(&source("/a.note/note.txt"), b"rain").unwrap();
    let changes = assets.apply(&vfs, [source("/a.note/note.txt")]).unwrap();
    assert!(changes.added.is_empty() && !changes.types_changed);
    assert!(
        told(&assets)[0].contains("no type has the suffix `.note`"),
        "{:?}",
        told(&assets)
    );
    let error = assets.find("/zero/source/a.note").unwrap_err();
    assert!(matches!(error, Error::Unregistered { .. }));
    assert_eq!(
        error.to_string(),
        "`/zero/source/a.note` is no asset: no type has the suffix `.note`; make the type first"
    );

    vfs.write(&source("/b.note/note.txt"), b"sun").unwrap();
    for (file, text) in NOTE {
        vfs.write(&source(file), text.as_bytes()).unwrap();
    }
    let touched = [
        "/b.note/note.txt",
        "/note.assetType/README.md",
        "/note.assetType/type.yaml",
    ]
    .map(source);
    let changes = assets.apply(&vfs, touched).unwrap();
    assert!(changes.types_changed);
    let added: Vec<_> = changes.added.iter().map(|path| path.as_str()).collect();
    assert_eq!(
        added,
        [
            "/zero/source/a.note",
            "/zero/source/b.note",
            "/zero/source/note.assetType"
        ]
    );
    assert_eq!(assets.find_of("note", "a").unwrap().kind, "note");

    vfs.remove_tree(&source("/note.assetType")).unwrap();
    let changes = assets.apply(&vfs, [source("/note.assetType")]).unwrap();
    let removed: Vec<_> = changes.removed.iter().map(|asset| asset.path.as_str()).collect();
    assert_eq!(
        removed,
        [
            "/zero/source/a.note",
            "/zero/source/b.note",
            "/zero/source/note.assetType"
        ]
    );
}

#[test]
fn a_guid_outlives_a_move_and_a_copy_gets_its_own() {
    let files = [NOTE, &[("/a.note/note.txt", ""), ("/a.note/b.note/note.txt", "")]].concat();
    let vfs = world(&files);
    let mut feed = Feed::new(&vfs, FeedOptions::default());
    feed.pull(&vfs, Duration::ZERO);
    let mut assets = Assets::load(&vfs).unwrap();
    assert_eq!(assets.find("a").unwrap().guid, None);
    let settled = assets.settle(&vfs).unwrap();
    assert_eq!(settled.given.len(), 3, "the type and two notes");
    assert!(settled.left.is_empty() && settled.diagnostics.is_empty());
    let (a, b) = (
        assets.find("a").unwrap().guid.unwrap(),
        assets.find("a.b").unwrap().guid.unwrap(),
    );
    assert_ne!(a, b);
    let pin = assets
        .refs_of(assets.find("a").unwrap())
        .unwrap()
        .asset_type()
        .unwrap()
        .guid;
    assert_eq!(
        assets.types().by_guid(pin).unwrap().name,
        "note",
        "and the link to the type is pinned"
    );
    assert_eq!(assets.settle(&vfs).unwrap().given, [], "what is settled stays");

    vfs.rename(&source("/a.note"), &source("/far/c.note")).unwrap();
    let changes = follow(&mut assets, &vfs, &mut feed, 10);
    assert_eq!(
        changes.moved,
        [
            (source("/a.note"), source("/far/c.note")),
            (source("/a.note/b.note"), source("/far/c.note/b.note")),
        ]
    );
    assert_eq!(assets.by_guid(a).unwrap().path, source("/far/c.note"));
    assert_eq!(assets.find(&b.to_string()).unwrap().path, source("/far/c.note/b.note"));

    // The copy sorts before the original, which keeps its guid all the same.
    vfs.copy(&source("/far/c.note"), &source("/aa.note")).unwrap();
    follow(&mut assets, &vfs, &mut feed, 20);
    assert!(matches!(assets.by_guid(a), Err(Error::Ambiguous { .. })));
    let copied = told(&assets);
    assert!(
        copied
            .iter()
            .any(|told| told.contains("/zero/source/aa.note: warning[asset.copied_guid]")),
        "{copied:?}"
    );
    let settled = assets.settle(&vfs).unwrap();
    let given: Vec<_> = settled.given.iter().map(|(path, _)| path.clone()).collect();
    assert_eq!(given, [source("/aa.note"), source("/aa.note/b.note")]);
    assert_eq!(settled.diagnostics.len(), 2);
    assert!(
        settled.diagnostics[0]
            .to_string()
            .contains("it is a copy of `/zero/source/far/c.note`")
    );
    assert_eq!(assets.by_guid(a).unwrap().path, source("/far/c.note"));
    assert_eq!(told(&assets), Vec::<String>::new());
}

#[test]
fn types_of_one_name_in_two_libraries_do_not_collide() {
    let kind =
        |primary: &str| format!("primary: {primary}\nfiles: {{ required: [{{ path: {primary}, kind: file }}] }}\n");
    let (stone, clay) = (kind("stone.txt"), kind("clay.txt"));
    let guid = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d";
    let pinned = format!("references: [{{ via: asset_type, name: note, guid: {guid} }}]\n");
    let refs = format!("guid: {guid}\n");
    let vfs = world(&[
        ("/libs/@stone/note.assetType/type.yaml", &stone),
        ("/libs/@stone/note.assetType/README.md", "x"),
        ("/libs/@stone/a.note/stone.txt", ""),
        ("/libs/@clay/note.assetType/type.yaml", &clay),
        ("/libs/@clay/note.assetType/README.md", "x"),
        ("/libs/@clay/note.assetType/.refs", &refs),
        ("/libs/@clay/a.note/clay.txt", ""),
        ("/b.note/clay.txt", ""),
        ("/b.note/.refs", &pinned),
        ("/c.note/clay.txt", ""),
    ]);
    let assets = Assets::load(&vfs).unwrap();
    let type_of = |name: &str| assets.find(name).unwrap().type_path.to_string();
    assert_eq!(type_of("@stone::a"), "/zero/source/libs/@stone/note.assetType");
    assert_eq!(type_of("@clay::a"), "/zero/source/libs/@clay/note.assetType");
    assert_eq!(
        type_of("b"),
        "/zero/source/libs/@clay/note.assetType",
        "as it is pinned"
    );
    assert_eq!(
        told(&assets),
        [
            "/zero/source/c.note: error[asset.ambiguous_type]: its type may be any of \
         `/zero/source/libs/@clay/note.assetType`, `/zero/source/libs/@stone/note.assetType`; pin one in its `.refs`, or \
         move it into the library whose type it is",
        ]
    );
    let paths = |kind: &str| -> Vec<String> { assets.list(kind).unwrap().map(|asset| asset.full_identity()).collect() };
    assert_eq!(paths("note"), ["b", "@clay::a", "@stone::a"]);
    assert_eq!(paths("@clay::note"), ["b", "@clay::a"]);
}

#[test]
fn another_type_pinned_is_another_inside_too() {
    const A: &str = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d";
    const B: &str = "1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d";
    let guid = |guid: &str| format!("guid: {guid}\n");
    let pin = |guid: &str| format!("references: [{{ via: asset_type, name: crate, guid: {guid} }}]\n");
    let vfs = world(&[
        (
            "/libs/@a/crate.assetType/type.yaml",
            "primary: x\nis_opaque_walker: true\n",
        ),
        ("/libs/@a/crate.assetType/.refs", &guid(A)),
        ("/libs/@b/crate.assetType/type.yaml", "primary: x\nis_container: true\n"),
        ("/libs/@b/crate.assetType/.refs", &guid(B)),
        ("/box.crate/.refs", &pin(A)),
        ("/box.crate/deep/in.script/init.luau", ""),
    ]);
    let mut assets = Assets::load(&vfs).unwrap();
    let inside = |assets: &Assets| -> Vec<String> {
        let inside = assets.list("script").unwrap();
        inside.map(|asset| asset.identity.clone()).collect()
    };
    assert_eq!(inside(&assets), Vec::<String>::new(), "it is opaque");
    let refs = source("/box.crate/.refs");
    vfs.write(&refs, pin(B).as_bytes()).unwrap();
    let changes = assets.apply(&vfs, [refs.clone()]).unwrap();
    assert!(!changes.types_changed);
    assert_eq!(inside(&assets), ["box.deep.in"]);
    vfs.write(&refs, pin(A).as_bytes()).unwrap();
    assets.apply(&vfs, [refs]).unwrap();
    assert_eq!(inside(&assets), Vec::<String>::new());
}
