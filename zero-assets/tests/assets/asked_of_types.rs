//! What is asked of a type beyond that it can be read, and of the papers of built-in ones.

use zero_assets::{Assets, Create};

use crate::diary::{open, source};
use crate::{told, world};

const WHOLE: &[(&str, &str)] = &[
    (
        "/song.assetType/type.yaml",
        "primary: a.txt\nindexing: none\ninspector: { type: inspector.yaml }\n",
    ),
    ("/song.assetType/README.md", "# song\n\nSomething sung.\n"),
    ("/song.assetType/about.yaml", "intent: a\nfunction: b\nusage: c\n"),
    (
        "/song.assetType/inspector.yaml",
        "sections: [{ id: a, title: A, kind: files }]\n",
    ),
];

/// What is told of the type where some of its files are others, or are not there.
fn told_with(changed: &[(&'static str, Option<&'static str>)]) -> Vec<String> {
    let mut files = WHOLE.to_vec();
    for (path, content) in changed {
        files.retain(|(known, _)| known != path);
        files.extend(content.map(|content| (*path, content)));
    }
    let vfs = world(&files);
    let assets = Assets::load(&vfs).unwrap();
    let told = assets.check(&vfs, assets.find("song").unwrap()).unwrap();
    let plain = |told: &zero_assets::Diagnostic| told.to_string().replace("/zero/source/song.assetType", "");
    told.iter().map(plain).collect()
}

#[test]
fn a_type_says_what_it_is_for_how_it_is_used_and_what_search_reads() {
    assert_eq!(told_with(&[]), [] as [&str; 0]);
    let told = |path, content: Option<&'static str>| told_with(&[(path, content)]);
    assert_eq!(
        told("/song.assetType/about.yaml", None),
        [
            ": warning[about.missing]: the type does not say what it is for; write `about.yaml` with the keys `intent`, \
          `function` and `usage`"
        ]
    );
    assert_eq!(
        told(
            "/song.assetType/README.md",
            Some("# song\n\n[[describe]] Say what it is.\n")
        ),
        [
            "/README.md: warning[asset.undescribed]: Say what an asset of the type is and how one is made well; line 3 still \
          begins with `[[describe]]`"
        ]
    );
    assert_eq!(
        told(
            "/song.assetType/type.yaml",
            Some("primary: a.txt\ninspector: { type: inspector.yaml }\n")
        ),
        [
            "/type.yaml: warning[type.unindexed]: the type `song` does not say what search reads, so no asset of it is found; \
          name the files that say what an asset is under `indexing:`, or say `indexing: none`"
        ]
    );
    let broken = told(
        "/song.assetType/type.yaml",
        Some("primary: a.txt\ninspector: { type: inspector.yaml }\nindexing: 3\n"),
    );
    assert_eq!(broken.len(), 1, "it is told once: {broken:?}");
    assert!(broken[0].contains("/type.yaml:3:11: error[type.broken]"), "{broken:?}");
}

#[test]
fn a_type_has_an_interface_that_loads() {
    assert_eq!(
        told_with(&[("/song.assetType/type.yaml", Some("primary: a.txt\nindexing: none\n"))]),
        [
            ": warning[assetType.inspector_required]: the type `song` has no interface that people use it by; write an \
          `inspector.yaml` and name it: `inspector: { type: inspector.yaml }`"
        ]
    );
    let lost = told_with(&[("/song.assetType/inspector.yaml", None)]);
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(
        lost[0].starts_with("/inspector.yaml: error[assetType.inspector_invalid]: "),
        "{lost:?}"
    );
    let broken = told_with(&[(
        "/song.assetType/inspector.yaml",
        Some("sections: [{ id: a, title: A, kind: filez }]\n"),
    )]);
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(
        broken[0].starts_with("/inspector.yaml:1:37: error[assetType.inspector_invalid]: `kind` is one of"),
        "{broken:?}"
    );
}

#[test]
fn a_type_that_was_pinned_and_is_not_here_is_told() {
    let guid = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d";
    let refs = "references: [{ via: asset_type, name: note, guid: 1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d }]\n";
    let own = format!("guid: {guid}\n");
    let files = [
        ("/note.assetType/type.yaml", "primary: note.txt\n"),
        ("/note.assetType/README.md", "x"),
        ("/a.note/note.txt", "x"),
        ("/a.note/.refs", refs),
    ];
    let with = [&files[..], &[("/note.assetType/.refs", own.as_str())]].concat();
    assert_eq!(
        told(&Assets::load(&world(&with)).unwrap()),
        [
            "/zero/source/a.note: warning[refs.type_missing]: its `.refs` says that it was made with the type `note` \
          (1b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d), which is not here; `/zero/source/note.assetType` is taken"
        ]
    );
    assert_eq!(
        told(&Assets::load(&world(&files)).unwrap()),
        [] as [&str; 0],
        "a type without a guid may be it"
    );
}

#[test]
fn a_type_with_a_dot_in_its_name_is_refused() {
    let vfs = world(&[
        ("/a.b.assetType/type.yaml", "primary: x\n"),
        ("/a.b.assetType/README.md", "x"),
        ("/c.d.assetType/type.yaml", "primary: x\nsuffix: .d\n"),
        ("/c.d.assetType/README.md", "x"),
    ]);
    let assets = Assets::load(&vfs).unwrap();
    let told: Vec<_> = told(&assets)
        .into_iter()
        .filter(|told| told.contains("type.broken"))
        .collect();
    let expected = |name: &str| {
        format!(
            "/zero/source/{name}.assetType/type.yaml:1:1: error[type.broken]: a type cannot be called `{name}`: what follows \
             the last dot of a folder's name is its suffix"
        )
    };
    assert_eq!(told, [expected("a.b"), expected("c.d")]);
    assert!(assets.types().get("a.b").is_err());
}

#[test]
fn a_guide_is_a_page_and_needs_nothing_beside_it() {
    let mut world = open(&[
        ("/kit.package/doors.guide/guide.md", "# Doors\n\nHow they hang.\n"),
        (
            "/kit.package/hinges.guide/guide.md",
            "# Hinges\n\n[[describe]] How they turn.\n",
        ),
    ]);
    assert_eq!(world.validate(&source("/kit.package/doors.guide")).unwrap(), []);
    let told = world.validate(&source("/kit.package/hinges.guide")).unwrap();
    assert_eq!(
        told.iter().map(|told| &*told.code).collect::<Vec<_>>(),
        ["asset.undescribed"]
    );
    // A new one begins with a page and a note on it, both to be written.
    let made = world.create(&Create::new("guide", "locks")).unwrap();
    let codes: Vec<_> = made.diagnostics.iter().map(|told| &*told.code).collect();
    assert_eq!(codes, ["asset.undescribed"; 2]);
}
