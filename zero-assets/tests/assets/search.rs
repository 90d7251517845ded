//! Assets found by what they are and do.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use zero_assets::{Create, Error, FacetValue, Search, SearchIndex, SearchStats, Slot, Workspace};

use crate::diary::source;
use crate::world;

const TYPE: &str = "primary: init.luau
is_container: true
indexing:
  data:
    - { role: identity, extractor: verbatim, source: { file: README.md } }
    - { role: interface, extractor: symbols, source: { file: init.luau } }
  content:
    - { role: identity, modality: image, source: { files: [preview.png, '*.jpg'] } }
  facets:
    file: .metadata
    rigged: { type: bool, from: { components: { contains: SkinnedModel } } }
    odd: { type: bool, from: { components: { any_outside: [SkinnedModel, Light] } } }
    roughness: { type: number, filter: range, from: { file: mat.yaml, field: floats.roughness } }
    weight: { type: number, from: { metadata: weight } }
    biome: { type: enum, from: { metadata: biome } }
";

/// Three things to find, one of a type that is never found, and one of a type that says nothing.
const FILES: &[(&str, &str)] = &[
    ("/prop.assetType/type.yaml", TYPE),
    ("/prop.assetType/README.md", "# prop"),
    ("/log.assetType/type.yaml", "primary: log.txt\nindexing: none\n"),
    ("/log.assetType/README.md", "# log"),
    ("/plain.assetType/type.yaml", "primary: plain.txt\n"),
    ("/plain.assetType/README.md", "# plain"),
    (
        "/oak.prop/README.md",
        "An old oak with rough bark.\n[[describe]] mention dragons\n",
    ),
    (
        "/oak.prop/init.luau",
        "function M.sway(windSpeed: number)\n  local dragon = 1\nend\n",
    ),
    ("/oak.prop/.metadata", "biome: forest\nweight: 900\nauthor: ann\n"),
    ("/oak.prop/mat.yaml", "floats: { roughness: 0.9 }\n"),
    ("/oak.prop/preview.png", "pretend"),
    ("/oak.prop/a.jpg", "pretend"),
    ("/guard.prop/README.md", "A guard who walks beneath an oak."),
    ("/guard.prop/init.luau", "function M.walk() end\n"),
    ("/guard.prop/.metadata", "{ biome: town, weight: 80 }\n"),
    (
        "/guard.prop/entities.yaml",
        "entities: [{ components: { SkinnedModel: {}, Brain: {} } }]\n",
    ),
    ("/kit/lamp.prop/README.md", "A lamp."),
    ("/kit/lamp.prop/init.luau", ""),
    (
        "/kit/lamp.prop/entities.json",
        "{\"entities\": [{\"components\": [\"Light\"]}]}",
    ),
    ("/kit/lamp.prop/mat.yaml", "floats: { roughness: 0.2 }\n"),
    ("/run.log/log.txt", "oak"),
    ("/stone.plain/plain.txt", "oak"),
];

fn open() -> Workspace {
    Workspace::open(Arc::new(world(FILES))).unwrap()
}

fn found(world: &mut Workspace, search: &Search) -> Vec<String> {
    let hits = world.search(search).unwrap();
    hits.into_iter().map(|hit| hit.identity).collect()
}

#[test]
fn assets_are_found_by_what_their_type_names_and_by_nothing_else() {
    let mut world = open();
    let mut check = |text: &str, expected: &[&str]| {
        assert_eq!(
            found(&mut world, &Search::new(text).category("prop")),
            expected,
            "{text}"
        );
    };
    // What it is comes before what it is beside; both hold the word once, and the shorter text is more about it.
    check("old oak", &["oak", "guard"]);
    check("ROUGH barks", &["oak"]);
    check("guards walking", &["guard"]);
    // Signatures are read and bodies are not; names are heard in their parts.
    check("wind speed", &["oak"]);
    check("windspeed", &["oak"]);
    check("dragon", &[]);
    // A key of the file of facets that nobody declared.
    check("ann", &["oak"]);
    // A word that no text holds stands for those that begin with it.
    check("gua", &["guard"]);
    check("gu", &[]);
    check("", &["guard", "kit.lamp", "oak"]);
    // A name of a folder is no text, but is a name.
    check("kit lamp", &["kit.lamp"]);
    check("kit", &[]);
}

#[test]
fn slots_hold_what_an_asset_is_apart_from_what_it_does() {
    let mut world = open();
    let search = |slot| Search::new("walk").category("prop").slot(slot);
    assert_eq!(found(&mut world, &search(Slot::Identity)), ["guard"]);
    assert_eq!(found(&mut world, &search(Slot::Capability)), ["guard"]);
    assert_eq!(found(&mut world, &search(Slot::Facets)), [] as [&str; 0]);
    let hits = world.search(&Search::new("walks").category("prop")).unwrap();
    assert_eq!(hits[0].slots, [Slot::Identity, Slot::Capability]);
    let one = |world: &mut Workspace, slot| world.search(&search(slot)).unwrap()[0].score;
    let (identity, capability) = (one(&mut world, Slot::Identity), one(&mut world, Slot::Capability));
    assert_eq!(hits[0].score, identity + capability);
}

#[test]
fn a_name_is_answered_first_in_each_of_its_forms() {
    let mut world = open();
    let lamp = world.search(&Search::new("lamp").category("prop")).unwrap();
    assert!(lamp[0].is_named && lamp[0].score > 0, "{lamp:?}");
    world.settle().unwrap();
    let guid = world.assets().find("kit.lamp").unwrap().guid.unwrap();
    for text in [
        "lamp",
        "kit.lamp",
        "lamp.prop",
        "/zero/source/kit/lamp.prop",
        &guid.to_string(),
    ] {
        let hits = world.search(&Search::new(text).category("prop")).unwrap();
        assert_eq!(
            (hits[0].identity.as_str(), hits[0].guid),
            ("kit.lamp", Some(guid)),
            "{text}"
        );
        assert!(hits[0].is_named, "{text}");
        assert!(hits[1..].iter().all(|hit| !hit.is_named), "{text}");
    }
    // Types are assets, found by what they say they are for; and by their names, with their library.
    let types = found(&mut world, &Search::new("@builtin::texture").category("assetType"));
    assert_eq!(types[0], "@builtin::texture");
    // One whose type says nothing has no text, and is found by its name; one that is never looked for is not.
    assert_eq!(found(&mut world, &Search::new("stone"))[0], "stone");
    assert!(!found(&mut world, &Search::new("run").limit(100)).contains(&"run".to_owned()));
    let all = found(&mut world, &Search::new("oak").limit(100));
    assert!(
        !all.contains(&"run".to_owned()) && !all.contains(&"stone".to_owned()),
        "{all:?}"
    );
}

#[test]
fn facets_narrow_what_is_found_and_state_what_is_not_so() {
    let mut world = open();
    let mut check = |search: Search, expected: &[&str]| {
        assert_eq!(found(&mut world, &search.category("prop")), expected);
    };
    let all = || Search::new("");
    check(all().is("rigged", true), &["guard"]);
    check(all().is("rigged", false), &["kit.lamp", "oak"]);
    check(all().is("odd", true), &["guard"]);
    check(all().is("biome", "forest"), &["oak"]);
    check(all().is("weight", 80.0), &["guard"]);
    check(all().range("roughness", 0.2, 0.9), &["kit.lamp", "oak"]);
    check(all().range("roughness", 0.21, 1.0), &["oak"]);
    check(Search::new("oak").is("biome", "town"), &["guard"]);
    check(all().below(&source("/kit")), &["kit.lamp"]);
    check(all().limit(1), &["guard"]);
    let hits = world.search(&Search::new("bark")).unwrap();
    let facets = &hits[0].facets;
    assert_eq!(facets["rigged"], FacetValue::Bool(false));
    assert_eq!(facets["roughness"], FacetValue::Number(0.9));
    assert_eq!(
        hits[0].pictures,
        [source("/oak.prop/a.jpg"), source("/oak.prop/preview.png")]
    );
}

#[test]
fn what_cannot_be_asked_is_an_error_that_says_why() {
    let mut world = open();
    let mut check = |search: Search, expected: &str| {
        assert_eq!(world.search(&search).unwrap_err().to_string(), expected);
    };
    let all = || Search::new("").category("prop");
    check(
        all().is("rigid", true),
        "no asset that is looked for has the facet `rigid`; did you mean `rigged`?",
    );
    check(
        all().is("rigged", 1.0),
        "the facet `rigged` cannot be asked for that: it is true or false, and 1 was asked for",
    );
    check(
        all().range("weight", 0.0, 1.0),
        "the facet `weight` cannot be asked for that: its type does not declare `filter: range`",
    );
    check(
        all().range("roughness", 1.0, 0.0),
        "the facet `roughness` cannot be asked for that: 1 to 0 is no range",
    );
    check(
        all().range("biome", 0.0, 1.0),
        "the facet `biome` cannot be asked for that: it is a word, and has no ranges",
    );
    let wrong = world.search(&Search::new("x").category("porp"));
    assert!(matches!(wrong, Err(Error::NoType { .. })), "{wrong:?}");
}

#[test]
fn a_change_reads_what_changed_and_nothing_else() {
    let mut world = open();
    let before = world.search_index().stats();
    // Reading all: three props, and the types, each file once.
    let mut seconds = 0;
    let mut read = |world: &mut Workspace| {
        let before = world.search_index().stats();
        seconds += 10;
        world.update(Duration::from_secs(seconds));
        let after = world.search_index().stats();
        (
            after.assets_read - before.assets_read,
            after.files_read - before.files_read,
        )
    };
    assert!(before.assets_read >= 6);
    assert_eq!(read(&mut world), (0, 0), "nothing changed");
    let write =
        |world: &Workspace, inner: &str, text: &str| world.vfs().write(&source(inner), text.as_bytes()).unwrap();

    write(&world, "/guard.prop/README.md", "A knight.");
    assert_eq!(read(&mut world), (1, 4), "one asset, each of its files that are read");
    assert_eq!(found(&mut world, &Search::new("knight").category("prop")), ["guard"]);
    assert_eq!(found(&mut world, &Search::new("oak").category("prop")), ["oak"]);

    write(&world, "/guard.prop/notes.txt", "oak");
    assert_eq!(read(&mut world), (0, 0), "a file that no entry names");
    world.settle().unwrap();
    assert_eq!(read(&mut world), (0, 0), "sidecars");

    world.vfs().rename(&source("/kit"), &source("/box")).unwrap();
    assert_eq!(read(&mut world).0, 1, "what was moved");
    assert_eq!(
        found(&mut world, &Search::new("a lamp").below(&source("/box"))),
        ["box.lamp"]
    );

    world.vfs().remove_tree(&source("/oak.prop")).unwrap();
    assert_eq!(read(&mut world), (0, 0), "what is gone is not read");
    assert_eq!(
        found(&mut world, &Search::new("bark").category("prop")),
        [] as [&str; 0]
    );

    // A type that reads otherwise: its assets are read again, and no others.
    let without = TYPE.replace(
        "    - { role: interface, extractor: symbols, source: { file: init.luau } }\n",
        "",
    );
    write(&world, "/prop.assetType/type.yaml", &without);
    let (assets, _) = read(&mut world);
    assert_eq!(assets, 3, "two props and the type itself");
    let capable = Search::new("walk").category("prop").slot(Slot::Capability);
    assert_eq!(found(&mut world, &capable), [] as [&str; 0]);
}

#[test]
fn what_an_operation_makes_is_found_when_it_returns() {
    let mut world = open();
    assert_eq!(found(&mut world, &Search::new("wyvern")), [] as [&str; 0]);
    world.create(&Create::new("assetType", "wyvern")).unwrap();
    assert_eq!(found(&mut world, &Search::new("wyvern").limit(1)), ["wyvern"]);
    let made = world.create(&Create::new("wyvern", "first")).unwrap();
    world.move_asset(&made.path, &source("/deep/second.wyvern")).unwrap();
    assert_eq!(
        found(&mut world, &Search::new("second").category("wyvern")),
        ["deep.second"]
    );
    world.delete(&source("/deep/second.wyvern")).unwrap();
    assert_eq!(
        found(&mut world, &Search::new("second").category("wyvern")),
        [] as [&str; 0]
    );
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_found() {
    let broken: &[(&str, &str)] = &[
        ("/a.prop/README.md", "An anvil."),
        ("/a.prop/init.luau", ""),
        ("/a.prop/mat.yaml", "floats: ["),
        ("/a.prop/.metadata", "{ biome: 3, weight: heavy }"),
    ];
    let vfs = world(&[FILES, broken].concat());
    vfs.write(&source("/oak.prop/README.md"), &[0xff, 0xfe]).unwrap();
    vfs.write(&source("/guard.prop/README.md"), &vec![b'a'; (1 << 20) + 1])
        .unwrap();
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    assert_eq!(found(&mut world, &Search::new("anvil").category("prop")), ["a"]);
    let told = world.search_index().diagnostics();
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 5, "{told:#?}");
    let has = |part: &str| assert!(told.iter().any(|told| told.contains(part)), "{part}: {told:#?}");
    has(
        "/a.prop/.metadata: warning[search.facet]: the facet `biome` does not fit: it is a word, and a number is there",
    );
    has("the facet `weight` does not fit: it is a number, and a text is there");
    has("/a.prop/mat.yaml:");
    has("/oak.prop/README.md: warning[search.unreadable]: search does not find it by this file: it is no text");
    has("/guard.prop/README.md: warning[search.unreadable]");
    assert_eq!(
        world
            .diagnostics()
            .iter()
            .filter(|told| told.code.starts_with("search."))
            .count(),
        5
    );
}

/// What a person may do to a world, by number.
fn edit(world: &Workspace, what: usize, value: usize) {
    const TEXTS: &[&str] = &[
        "red oak",
        "blue lamp oak oak",
        "",
        "dragon: [a]\nbiome: sea",
        TYPE,
        "primary: x\nindexing: none\n",
    ];
    const FILES: &[&str] = &[
        "/oak.prop/README.md",
        "/new.prop/README.md",
        "/new.prop/.metadata",
        "/oak.prop/inner/deep.prop/README.md",
        "/prop.assetType/type.yaml",
        "/stone.prop/README.md",
    ];
    let text = TEXTS[value % TEXTS.len()];
    // Not all can be done at all times.
    drop(match what % 8 {
        6 => world
            .vfs()
            .remove_tree(&source(["/oak.prop", "/kit", "/new.prop"][value % 3])),
        7 => world.vfs().rename(&source("/kit"), &source("/oak.prop/kit")),
        file => world.vfs().write(&source(FILES[file % FILES.len()]), text.as_bytes()),
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// However a world came to be as it is, an index that followed answers as one that is made anew.
    #[test]
    fn an_index_that_followed_answers_as_a_fresh_one(edits in prop::collection::vec((0usize..8, 0usize..6), 1..14)) {
        let mut world = open();
        world.search_index();
        for (number, (what, value)) in edits.iter().enumerate() {
            edit(&world, *what, *value);
            world.update(Duration::from_secs(10 * (number as u64 + 1)));
            let fresh = SearchIndex::load(world.vfs(), world.assets());
            let assets = world.assets().clone();
            for text in ["", "oak", "red", "lamp", "dragon", "walk", "stone", "dra"] {
                let search = Search::new(text).limit(1000);
                let kept = world.search_index().search(&assets, &search).unwrap();
                prop_assert_eq!(kept, fresh.search(&assets, &search).unwrap(), "{}", text);
            }
        }
    }
}

#[test]
fn equal_fits_are_answered_in_the_order_of_their_identities() {
    let names = ["e", "b", "d", "a", "c"];
    let paths: Vec<String> = names.iter().map(|name| format!("/{name}.prop/README.md")).collect();
    let mut files = FILES[..2].to_vec();
    files.extend(paths.iter().map(|path| (path.as_str(), "one text")));
    let mut world = Workspace::open(Arc::new(world(&files))).unwrap();
    for _ in 0..5 {
        assert_eq!(
            found(&mut world, &Search::new("text").category("prop")),
            ["a", "b", "c", "d", "e"]
        );
    }
    assert_ne!(world.search_index().stats(), SearchStats::default());
}

#[test]
fn a_file_that_cannot_be_read_states_nothing() {
    let kind = "primary: a.yaml
indexing:
  data: [{ role: identity, extractor: verbatim, source: { file: README.md } }]
  facets:
    lit: { type: bool, from: { file: a.yaml, field: lit } }
";
    let vfs = world(&[
        ("/lamp.assetType/type.yaml", kind),
        ("/lamp.assetType/README.md", "# lamp"),
        ("/broken.lamp/README.md", "An anvil."),
        ("/broken.lamp/a.yaml", "lit: [\n"),
        ("/dark.lamp/README.md", "An anvil."),
        ("/dark.lamp/a.yaml", "x: 1\n"),
    ]);
    let mut world = Workspace::open(Arc::new(vfs)).unwrap();
    let stated = |world: &mut Workspace, name: &str| {
        let hits = world.search(&Search::new("anvil").category("lamp")).unwrap();
        let hit = hits.iter().find(|hit| hit.identity == name).unwrap();
        hit.facets.get("lit").cloned()
    };
    assert_eq!(stated(&mut world, "broken"), None);
    assert_eq!(stated(&mut world, "dark"), Some(FacetValue::Bool(false)));
}
